//! Programs, kernels, operations of packages, and their arguments.
use crate::array::{Array, ArrayView, ArrayViewMut, AsArray, DynArray, Element};
use crate::device::{raw_stream, Device, Stream};
use crate::error::{check, text, Error, Result, Status};
use crate::handle::{c_text, Handle};
use crate::texture::{Surface, Texture};
use std::ffi::c_char;
use std::marker::PhantomData;
use std::ptr::{null, null_mut};
use tenon_sys::*;

/// CUDA C that is compiled for a device.
#[derive(Clone)]
pub struct Program(Handle<tenon_program>);

impl Program {
    /// Compiles `source` with the given kernels (or template instances).
    ///
    /// # Safety
    /// Kernels are native code with the rights of the process. They must stay within the arrays passed to them, and
    /// must not write through pointers to const; launches are then safe.
    pub unsafe fn compile(device: &Device, source: &str, kernels: &[&str]) -> Result<Program> {
        let names = kernels.iter().map(|name| c_text(name)).collect::<Result<Vec<_>>>()?;
        let pointers: Vec<*const c_char> = names.iter().map(|name| name.as_ptr()).collect();
        let mut options = tenon_program_options::new();
        options.kernels = pointers.as_ptr();
        options.kernel_count = pointers.len() as i32;
        Handle::made(|out| {
            tenon_program_create(device.0.raw(), source.as_ptr().cast(), source.len() as u64, &options, out)
        })
        .map(Program)
    }

    pub(crate) fn adopt(handle: Handle<tenon_program>) -> Program {
        Program(handle)
    }

    pub fn kernel(&self, name: &str) -> Result<Kernel> {
        let name = c_text(name)?;
        let handle = Handle::made(|out| unsafe { tenon_program_kernel(self.0.raw(), name.as_ptr(), out) })?;
        let mut count = 0;
        check(unsafe { tenon_kernel_parameter_count(handle.raw(), &mut count) })?;
        let mut writes = Vec::new();
        for index in 0..count {
            let mut info = tenon_parameter_info::new();
            check(unsafe { tenon_kernel_get_parameter_info(handle.raw(), index, &mut info) })?;
            // If an image does not describe the kernel's parameters, its arrays count as written.
            writes.push(info.kind == TENON_PARAMETER_UNKNOWN
                || (info.kind == TENON_PARAMETER_POINTER && info.read_only == 0));
        }
        Ok(Kernel { handle, writes })
    }
}

/// The number of blocks, and of threads per block, along x, y and z.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid {
    pub blocks: [u32; 3],
    pub threads: [u32; 3],
    /// Sets the bytes of dynamic shared memory.
    pub shared_bytes: u32,
}

impl Grid {
    pub fn new(blocks: u32, threads: u32) -> Grid {
        Grid { blocks: [blocks, 1, 1], threads: [threads, 1, 1], shared_bytes: 0 }
    }
}

/// One argument of a kernel or an operation: see [`args!`](crate::args).
pub struct Arg<'a> {
    value: tenon_arg,
    access: Access,
    borrowed: PhantomData<&'a mut ()>,
}

#[derive(Clone, Copy, PartialEq)]
enum Access {
    None,
    Read,
    Write,
}

impl<'a> Arg<'a> {
    fn of(kind: u32, dtype: u32, size: usize, access: Access, value: tenon_arg_value) -> Arg<'a> {
        Arg { value: tenon_arg { kind, dtype, size: size as u64, value }, access, borrowed: PhantomData }
    }

    fn array(array: *mut tenon_array, access: Access) -> Arg<'a> {
        Arg::of(TENON_ARG_ARRAY, 0, 0, access, tenon_arg_value { array })
    }

    pub(crate) fn raw(&self) -> &tenon_arg {
        &self.value
    }

    /// A plain struct by value.
    pub fn structure<T: Copy>(value: &'a T) -> Arg<'a> {
        let bytes = value as *const T;
        Arg::of(TENON_ARG_BYTES, 0, std::mem::size_of::<T>(), Access::None, tenon_arg_value { bytes: bytes.cast() })
    }

    /// Contiguous numbers, for a list parameter of an operation.
    pub fn list<T: Element>(values: &'a [T]) -> Arg<'a> {
        let bytes = values.as_ptr().cast();
        Arg::of(TENON_ARG_BYTES, 0, std::mem::size_of_val(values), Access::None, tenon_arg_value { bytes })
    }

    /// A number without a dtype of its own: it takes that of the arrays it is combined with, as a literal does in Python.
    pub fn weak(number: f64) -> Arg<'a> {
        Arg::of(TENON_ARG_WEAK, TENON_FLOAT64, 8, Access::None, tenon_arg_value { f64: number })
    }

    /// The default of an operation's parameter.
    pub fn left_out() -> Arg<'a> {
        Arg::of(0, 0, 0, Access::None, tenon_arg_value { u64: 0 })
    }
}

impl<'a, T: Element> From<&'a Array<T>> for Arg<'a> {
    fn from(array: &'a Array<T>) -> Self {
        Arg::array(array.raw(), Access::Read)
    }
}
impl<'a, T: Element> From<&'a mut Array<T>> for Arg<'a> {
    fn from(array: &'a mut Array<T>) -> Self {
        Arg::array(array.raw(), Access::Write)
    }
}
impl<'a, 'b: 'a, T: Element> From<&'a ArrayView<'b, T>> for Arg<'a> {
    fn from(array: &'a ArrayView<'b, T>) -> Self {
        Arg::array(array.raw(), Access::Read)
    }
}
impl<'a, 'b: 'a, T: Element> From<&'a mut ArrayViewMut<'b, T>> for Arg<'a> {
    fn from(array: &'a mut ArrayViewMut<'b, T>) -> Self {
        Arg::array(array.raw(), Access::Write)
    }
}
impl<'a> From<&'a DynArray> for Arg<'a> {
    fn from(array: &'a DynArray) -> Self {
        Arg::array(array.raw(), Access::Read)
    }
}
impl<'a> From<&'a mut DynArray> for Arg<'a> {
    fn from(array: &'a mut DynArray) -> Self {
        Arg::array(array.raw(), Access::Write)
    }
}

impl<'a, 'b: 'a> From<&'a Texture<'b>> for Arg<'a> {
    fn from(texture: &'a Texture<'b>) -> Self {
        Arg::of(TENON_ARG_TEXTURE, 0, 0, Access::None, tenon_arg_value { texture: texture.raw() })
    }
}
impl<'a> From<Surface<'a>> for Arg<'a> {
    fn from(surface: Surface<'a>) -> Self {
        Arg::of(TENON_ARG_SURFACE, 0, 0, Access::None, tenon_arg_value { texture: surface.texture })
    }
}

impl<'a, T: Element> From<T> for Arg<'a> {
    fn from(number: T) -> Self {
        let mut value = tenon_arg_value { c128: [0.0; 2] };
        let target: *mut tenon_arg_value = &mut value;
        // Every element fits the 16 bytes of the union.
        unsafe { target.cast::<T>().write_unaligned(number) };
        Arg::of(TENON_ARG_SCALAR, T::DTYPE, std::mem::size_of::<T>(), Access::None, value)
    }
}
impl<'a> From<bool> for Arg<'a> {
    fn from(yes: bool) -> Self {
        Arg::of(TENON_ARG_SCALAR, TENON_BOOL, 1, Access::None, tenon_arg_value { u8: yes as u8 })
    }
}

/// The arguments of a launch or a call: `args![&x, &mut y, 2.0f32]`. An array passed as `&` is only read; one passed as
/// `&mut` may be written.
#[macro_export]
macro_rules! args {
    ($($value:expr),* $(,)?) => { &[$($crate::Arg::from($value)),*] };
}

/// Checks that a written argument is borrowed exclusively.
fn refuse_shared(index: usize, what: &str) -> Error {
    Error::new(Status::ReadOnly, format!("{what} writes argument {index}, which was given as & and has to be &mut"))
}

fn raw_args(args: &[Arg<'_>]) -> Vec<tenon_arg> {
    args.iter().map(|arg| arg.value).collect()
}

/// A kernel of a program.
#[derive(Clone)]
pub struct Kernel {
    handle: Handle<tenon_kernel>,
    writes: Vec<bool>,
}

impl Kernel {
    /// Launches the kernel. Arrays that it writes must be passed as `&mut`: `args![&x, &mut y, 2.0f32]`.
    pub fn launch(&self, grid: Grid, args: &[Arg<'_>], stream: Option<&Stream>) -> Result<()> {
        self.check(args)?;
        let list = raw_args(args);
        let count = list.len() as i32;
        check(unsafe {
            tenon_kernel_launch(self.handle.raw(), &self.geometry(grid), list.as_ptr(), count, raw_stream(stream))
        })
    }

    /// Checks and packs the geometry and the arguments once, for many launches.
    pub fn bind<'a>(&self, grid: Grid, args: &[Arg<'a>]) -> Result<Call<'a>> {
        self.check(args)?;
        let list = raw_args(args);
        let count = list.len() as i32;
        let handle = Handle::made(|out| unsafe {
            tenon_call_create(self.handle.raw(), &self.geometry(grid), list.as_ptr(), count, out)
        })?;
        Ok(Call { handle, borrowed: PhantomData })
    }

    fn check(&self, args: &[Arg<'_>]) -> Result<()> {
        for (index, (arg, &writes)) in args.iter().zip(&self.writes).enumerate() {
            if writes && arg.access == Access::Read {
                return Err(refuse_shared(index, "the kernel"));
            }
        }
        Ok(())
    }

    fn geometry(&self, grid: Grid) -> tenon_launch {
        let mut launch = tenon_launch::new();
        launch.grid = grid.blocks;
        launch.block = grid.threads;
        launch.shared_bytes = grid.shared_bytes;
        launch
    }
}

/// A launch with its arguments, which stay borrowed while it exists. It can be sent to another thread, but not shared.
pub struct Call<'a> {
    handle: Handle<tenon_call>,
    borrowed: PhantomData<(&'a mut (), std::cell::Cell<()>)>,
}

impl Call<'_> {
    pub fn launch(&mut self, stream: Option<&Stream>) -> Result<()> {
        check(unsafe { tenon_call_launch(self.handle.raw(), raw_stream(stream)) })
    }
}

/// An operation of a package of kernels.
#[derive(Clone)]
pub struct Operation {
    handle: Handle<tenon_operation>,
    writes: Vec<bool>,
}

impl Operation {
    /// Finds "package/name" among the packages that are loaded or on the search path.
    pub fn find(name: &str) -> Result<Operation> {
        let name = c_text(name)?;
        let handle = Handle::made(|out| unsafe { tenon_operation_find(null_mut(), name.as_ptr(), null(), out) })?;
        let mut about = tenon_operation_info::new();
        check(unsafe { tenon_operation_get_info(handle.raw(), &mut about) })?;
        let mut writes = Vec::new();
        for index in 0..about.parameter_count {
            let mut info = tenon_operation_parameter_info::new();
            check(unsafe { tenon_operation_get_parameter_info(handle.raw(), index, &mut info) })?;
            writes.push(info.role == TENON_ROLE_OUT || info.role == TENON_ROLE_INOUT);
        }
        Ok(Operation { handle, writes })
    }

    pub(crate) fn raw(&self) -> *mut tenon_operation {
        self.handle.raw()
    }

    /// Runs the operation with the parameters in the contract's order, and outputs as `&mut`.
    pub fn call(&self, args: &[Arg<'_>], stream: Option<&Stream>) -> Result<()> {
        for (index, (arg, &writes)) in args.iter().zip(&self.writes).enumerate() {
            if writes && arg.access == Access::Read {
                return Err(refuse_shared(index, "the operation"));
            }
        }
        let list = raw_args(args);
        check(unsafe {
            tenon_operation_call(self.handle.raw(), list.as_ptr(), list.len() as i32, raw_stream(stream))
        })
    }
}

impl std::fmt::Debug for Kernel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut name = null();
        let code = unsafe { tenon_kernel_name(self.handle.raw(), &mut name) };
        write!(f, "Kernel({})", if code == TENON_OK { unsafe { text(name) } } else { String::new() })
    }
}
