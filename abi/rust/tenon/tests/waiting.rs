//! Graphs, futures, foreign tensors, and factorisations.
use std::future::Future;
use std::sync::Arc;
use std::task::{Context, Poll, Wake};
use tenon::*;

mod chosen;
use chosen::device;

const ADD: &str = "extern \"C\" __global__ void add(float* x, float a) { x[threadIdx.x] += a; }";

/// A minimal executor.
fn block_on<F: Future>(future: F) -> F::Output {
    struct Unpark(std::thread::Thread);
    impl Wake for Unpark {
        fn wake(self: Arc<Self>) {
            self.0.unpark();
        }
    }
    let waker = Arc::new(Unpark(std::thread::current())).into();
    let mut future = Box::pin(future);
    loop {
        match future.as_mut().poll(&mut Context::from_waker(&waker)) {
            Poll::Ready(result) => return result,
            Poll::Pending => std::thread::park(),
        }
    }
}

#[test]
fn compilations_and_streams_are_futures() -> Result<()> {
    let program = block_on(unsafe { Compilation::start(&device(), ADD, &["add"]) }?)?;
    let broken = block_on(unsafe { Compilation::start(&device(), "__global__ void f() { missing(); }", &["f"]) }?);
    let error = broken.err().expect("it does not compile");
    assert_eq!(error.status, Status::Compile);
    assert!(error.log.contains("missing"));
    let cancelled = unsafe { Compilation::start(&device(), "__global__ void never() {}", &["never"]) }?;
    cancelled.cancel()?;
    let ended = cancelled.wait().err().map(|error| error.status);
    assert!(ended.is_none() || ended == Some(Status::Cancelled), "{ended:?}"); // it may have ended before

    let (stream, mut x) = (Stream::new(&device())?, Array::<f32>::zeros(&device(), &[2])?);
    let before = Event::record(&device(), Some(&stream))?;
    program.kernel("add")?.launch(Grid::new(1, 2), args![&mut x, 2.0f32], Some(&stream))?;
    let after = Event::record(&device(), Some(&stream))?;
    block_on(stream.finished()?)?;
    after.synchronize()?;
    assert!(after.is_done()? && after.since(&before)? >= 0.0);
    assert_eq!(x.to_vec()?, [2.0, 2.0]);
    Ok(())
}

#[test]
fn graphs_record_every_kind_of_call() -> Result<()> {
    fn sent<T: Send>() {}
    sent::<Graph<'static>>();
    let device = device();
    let add = unsafe { Program::compile(&device, ADD, &["add"]) }?.kernel("add")?;
    let a = Array::from_slice(&device, &[2, 2], &[1.0f32, 2.0, 3.0, 4.0])?;
    let zeros = |shape: &[i64]| Array::<f32>::zeros(&device, shape);
    let (mut x, mut c, mut y) = (zeros(&[4])?, zeros(&[2, 2])?, zeros(&[2, 2])?);
    let silu = Operation::find("elementwise/silu")?;
    let mut nodes = Vec::new();
    let mut graph = Graph::record(&device, |recording| {
        nodes.push(recording.launch(&add, Grid::new(1, 4), args![&mut x, 1.0f32])?);
        nodes.push(recording.matmul(&a, &a, &mut c)?);
        nodes.push(recording.call(&silu, args![&a, &mut y])?);
        Ok(())
    })?;
    assert_eq!((nodes, graph.len()?), (vec![0, 1, 2], 3));
    graph.launch(None)?;
    graph.set_number(0, 1, 5.0f32)?;
    graph.launch(Some(&Stream::new(&device)?))?;
    assert_eq!(graph.set_number(0, 1, 5.0f64).unwrap_err().status, Status::Dtype);
    assert_eq!(graph.set_number(7, 1, 5.0f32).unwrap_err().status, Status::InvalidArgument);
    drop(graph);
    assert_eq!(x.to_vec()?, [6.0; 4]);
    assert_eq!(c.to_vec()?, [7.0, 10.0, 15.0, 22.0]);
    assert!((y.to_vec()?[0] - 1.0 / (1.0 + (-1.0f32).exp())).abs() < 1e-6);
    let failed = Graph::record(&device, |recording| recording.launch(&add, Grid::new(1, 4), args![1.0f32]).map(drop));
    assert_eq!(failed.err().map(|error| error.status), Some(Status::InvalidArgument));
    Ok(())
}

#[test]
fn tensors_go_out_and_come_back_without_a_copy() -> Result<()> {
    let values = vec![1.0f64, 2.0, 3.0];
    let lent = values.as_ptr();
    let array = Array::from_vec(&device(), values)?;
    let address = array.address()?;
    if device().name()? == "cpu:0" {
        assert_eq!(address, lent.cast()); // on a GPU the array is a copy
    }
    let tensor = array.into_dlpack()?;
    drop(Array::from_slice(&device(), &[1], &[1i8])?.into_dlpack()?); // the deleter runs
    let tensor = unsafe { Tensor::from_raw(tensor.into_raw()) }.expect("it is not null");
    let back = DynArray::from_dlpack(tensor)?;
    assert_eq!(back.address()?, address);
    assert_eq!(back.typed::<f64>()?.to_vec()?, [1.0, 2.0, 3.0]);
    assert!(unsafe { Tensor::from_raw(std::ptr::null_mut()) }.is_none());
    Ok(())
}

#[test]
fn factors_multiply_back() -> Result<()> {
    let a = Array::from_slice(&device(), &[2, 2], &[4.0f64, 1.0, 1.0, 3.0])?;
    let near = |product: DynArray| -> Result<bool> {
        Ok(product.typed::<f64>()?.to_vec()?.iter().zip([4.0, 1.0, 1.0, 3.0]).all(|(x, y)| (x - y).abs() < 1e-12))
    };
    let (q, r) = qr(&a)?;
    assert!(near(matmul(&q, &r)?)?);
    let l = cholesky(&a)?.typed::<f64>()?;
    assert!(near(matmul(&l, &l.view().transpose()?)?)?);
    let (u, s, vh) = svd(&a)?;
    let s = s.typed::<f64>()?.to_vec()?;
    let diagonal = Array::from_slice(&device(), &[2, 2], &[s[0], 0.0, 0.0, s[1]])?;
    assert!(near(matmul(&matmul(&u, &diagonal)?, &vh)?)?);
    let (values, vectors) = eigh(&a)?;
    assert!((values.typed::<f64>()?.to_vec()?.iter().sum::<f64>() - 7.0).abs() < 1e-12);
    assert_eq!(vectors.shape()?, [2, 2]);
    assert!((det(&a)?.typed::<f64>()?.to_vec()?[0] - 11.0).abs() < 1e-12);
    assert!(near(inverse(&inverse(&a)?)?)?);
    let (factors, pivots) = lu(&a)?;
    assert_eq!(factors.typed::<f64>()?.to_vec()?, [4.0, 1.0, 0.25, 2.75]);
    assert_eq!(pivots.typed::<i64>()?.to_vec()?, [1, 2]);
    Ok(())
}
