//! Work that is recorded once and launched many times.
use crate::array::{Array, AsArray, Element};
use crate::device::{raw_stream, Device, Stream};
use crate::error::{check, Result};
use crate::handle::Handle;
use crate::kernel::{Arg, Grid, Kernel, Operation};
use std::cell::Cell;
use std::marker::PhantomData;
use std::ptr::null;
use tenon_sys::*;

/// Recorded work, whose arrays stay borrowed while it exists. It can be sent to another thread, but not shared.
///
/// ```
/// # fn main() -> tenon::Result<()> {
/// # use tenon::*;
/// # let device = Device::named("cpu")?;
/// # let program = unsafe { Program::compile(&device,
/// #     "extern \"C\" __global__ void add(float* x, float a) { x[threadIdx.x] += a; }", &["add"]) }?;
/// # let (add, mut x) = (program.kernel("add")?, Array::<f32>::zeros(&device, &[2])?);
/// let mut node = 0;
/// let mut graph = Graph::record(&device, |recording| {
///     node = recording.launch(&add, Grid::new(1, 2), args![&mut x, 1.0f32])?;
///     Ok(())
/// })?;
/// graph.launch(None)?;
/// graph.set_number(node, 1, 10.0f32)?;
/// graph.launch(None)?;
/// drop(graph);
/// assert_eq!(x.to_vec()?, [11.0, 11.0]);
/// # Ok(()) }
/// ```
///
/// Recorded arrays cannot be used otherwise while the graph exists:
///
/// ```compile_fail
/// # use tenon::*;
/// fn recorded(device: &Device, add: &Kernel, mut x: Array<f32>) -> Result<()> {
///     let mut graph = Graph::record(device, |recording| {
///         recording.launch(add, Grid::new(1, 2), args![&mut x, 1.0f32]).map(drop)
///     })?;
///     x.to_vec()?;
///     graph.launch(None)
/// }
/// ```
pub struct Graph<'a> {
    handle: Handle<tenon_graph>,
    borrowed: PhantomData<Cell<&'a ()>>,
}

/// Records calls as nodes of a graph; it cannot leave its thread. Each call returns the node's number.
pub struct Recording<'a> {
    stream: Stream,
    borrowed: PhantomData<(Cell<&'a ()>, *const ())>,
}

impl<'a> Graph<'a> {
    /// Records the calls that `work` makes; nothing runs yet.
    pub fn record(device: &Device, work: impl FnOnce(&Recording<'a>) -> Result<()>) -> Result<Graph<'a>> {
        let handle = Handle::made(|out| unsafe { tenon_graph_create(device.0.raw(), out) })?;
        let stream = Handle::made(|out| unsafe { tenon_graph_begin(handle.raw(), out) }).map(Stream)?;
        work(&Recording { stream, borrowed: PhantomData })?; // dropping the graph discards an incomplete recording
        check(unsafe { tenon_graph_end(handle.raw()) })?;
        Ok(Graph { handle, borrowed: PhantomData })
    }

    /// Runs all nodes in order.
    pub fn launch(&mut self, stream: Option<&Stream>) -> Result<()> {
        check(unsafe { tenon_graph_launch(self.handle.raw(), raw_stream(stream)) })
    }

    /// The number of nodes.
    pub fn len(&self) -> Result<usize> {
        let mut count = 0;
        check(unsafe { tenon_graph_node_count(self.handle.raw(), &mut count) })?;
        Ok(count as usize)
    }

    pub fn is_empty(&self) -> Result<bool> {
        self.len().map(|count| count == 0)
    }

    /// Replaces a number among the arguments, for later launches.
    pub fn set_number<T: Element>(&mut self, node: usize, argument: usize, number: T) -> Result<()> {
        let (node, argument) = (i32::try_from(node).unwrap_or(-1), i32::try_from(argument).unwrap_or(-1));
        check(unsafe { tenon_graph_set(self.handle.raw(), node, argument, Arg::from(number).raw()) })
    }
}

impl<'a> Recording<'a> {
    pub fn launch(&self, kernel: &Kernel, grid: Grid, args: &[Arg<'a>]) -> Result<usize> {
        kernel.launch(grid, args, Some(&self.stream))?;
        self.last()
    }

    pub fn call(&self, operation: &Operation, args: &[Arg<'a>]) -> Result<usize> {
        operation.call(args, Some(&self.stream))?;
        self.last()
    }

    /// destination = source, converted and broadcast.
    pub fn copy<T: Element>(&self, destination: &'a mut Array<T>, source: &'a impl AsArray) -> Result<usize> {
        check(unsafe { tenon_array_copy(destination.raw(), source.raw(), self.stream.0.raw()) })?;
        self.last()
    }

    /// c = a b.
    pub fn matmul<T: Element>(
        &self,
        a: &'a impl AsArray,
        b: &'a impl AsArray,
        c: &'a mut Array<T>,
    ) -> Result<usize> {
        let mut into = c.raw();
        check(unsafe { tenon_gemm(null(), a.raw(), b.raw(), null(), null(), self.stream.0.raw(), &mut into) })?;
        self.last()
    }

    fn last(&self) -> Result<usize> {
        let mut node = 0;
        check(unsafe { tenon_graph_last_node(self.stream.0.raw(), &mut node) })?;
        Ok(node as usize)
    }
}
