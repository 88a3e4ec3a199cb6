//! The safe layer: ownership, borrowing and errors. The functions themselves are tested in C.
use std::error::Error as _;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Arc;
use tenon::*;

mod chosen;
use chosen::{device, on_host};

const SOURCE: &str = r#"
struct Point { float x; int weight; };
extern "C" __global__ void affine(float* x, float slope, float intercept, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = slope * x[i] + intercept;
}
extern "C" __global__ void sum(const float* x, double* out, Point p, bool twice, int n) {
  for (int i = 0; i < n; ++i) out[0] += x[i];
  out[0] += p.x * p.weight;
  if (twice) out[0] *= 2;
}
"#;

fn kernel(name: &str) -> Kernel {
    let program = unsafe { Program::compile(&device(), SOURCE, &["affine", "sum"]) }.expect("it compiles");
    program.kernel(name).expect("it has that kernel")
}

#[derive(Clone, Copy)]
#[repr(C)]
struct Point {
    x: f32,
    weight: i32,
}

/// Runs a kernel, a product, a transform, a decomposition and an operation of a package on `x`, of shape 48 x 32.
fn through_all_of_tenon(device: &Device, x: &mut ArrayViewMut<f32>, before: &[f32]) -> Result<()> {
    let n = before.len() as i32;
    kernel("affine").launch(Grid::new(12, 128), args![&mut *x, 0.5f32, 0.25f32, n], None)?;
    let values = x.to_vec()?;
    assert!(values.iter().zip(before).all(|(now, then)| *now == 0.5 * then + 0.25));
    let squares: f64 = values.iter().map(|&value| f64::from(value).powi(2)).sum();
    let close = |value: f64| assert!((value / squares - 1.0).abs() < 1e-5, "{value} and {squares}");

    let y = Array::from_slice(device, &[48, 32], &values)?;
    let product = matmul(&y, &y.view().transpose()?)?.typed::<f32>()?.to_vec()?;
    close((0..48).map(|i| f64::from(product[i * 48 + i])).sum());
    let spectrum = fft(&convert::<Complex<f32>>(x)?, 2)?.typed::<Complex<f32>>()?.to_vec()?;
    let power: f64 = spectrum.iter().map(|c| f64::from(c.re).powi(2) + f64::from(c.im).powi(2)).sum();
    close(power / f64::from(n));
    let singular = singular_values(x)?.typed::<f32>()?.to_vec()?;
    close(singular.iter().map(|&value| f64::from(value).powi(2)).sum());

    Operation::find("elementwise/sigmoid")?.call(args![&y, &mut *x], None)?;
    for (value, then) in x.to_vec()?.iter().zip(before) {
        let exact = 1.0 / (1.0 + (-(0.5 * f64::from(*then) + 0.25)).exp());
        assert!((f64::from(*value) - exact).abs() < 1e-6);
    }
    Ok(())
}

#[test]
fn an_array_goes_through_all_of_tenon_without_moving() -> Result<()> {
    let device = device();
    let before: Vec<f32> = (0..48 * 32).map(|i| (i % 17) as f32 / 8.0 - 1.0).collect();
    let mut array = Array::from_slice(&device, &[48, 32], &before)?;
    let address = array.address()?;
    through_all_of_tenon(&device, &mut array.view_mut(), &before)?;
    assert_eq!(array.address()?, address);
    if !on_host() {
        return Ok(());
    }
    let mut host = before.clone();
    let address = host.as_ptr();
    lend(&device, |scope| {
        let mut x = scope.array_mut(&[48, 32], &mut host)?;
        assert_eq!(x.address()?, address.cast());
        through_all_of_tenon(&device, &mut x, &before)
    })?;
    assert_eq!(host, array.to_vec()?);
    assert_eq!(host.as_ptr(), address);
    Ok(())
}

#[test]
fn errors_have_status_text_log_and_source() {
    let broken = unsafe { Program::compile(&device(), "__global__ void f() { missing(); }", &["f"]) };
    let error = broken.err().expect("it does not compile");
    assert_eq!(error.status, Status::Compile);
    assert!(error.log.contains("missing") && error.to_string().contains(&error.log), "{error}");

    let singular = Array::from_slice(&device(), &[2, 2, 2], &[1.0, 0.0, 0.0, 1.0, 1.0, 2.0, 2.0, 4.0f64]).unwrap();
    let right = Array::<f64>::zeros(&device(), &[2, 2, 1]).unwrap();
    let error = solve(&singular, &right).unwrap_err();
    assert_eq!((error.status, error.batch_index), (Status::Singular, Some(1)));
    assert!(!on_host() || error.source().is_some_and(|native| native.to_string().contains(" returned 2")), "{:?}", error.source());

    let error = Device::named("nonsense:9").err().unwrap();
    assert_eq!(error.status, Status::NotFound);
    assert!(error.source().is_none() && error.to_string().contains("nonsense"));
    assert_eq!(Device::named("c\0pu").err().unwrap().status, Status::InvalidArgument);
    let floats = Array::<f32>::zeros(&device(), &[2, 2]).unwrap();
    let error = matmul(&floats, &floats).unwrap().typed::<f64>().unwrap_err();
    assert_eq!(error.to_string(), "the array is float32, not float64");
    assert_eq!(Array::from_slice(&device(), &[4], &[1.0f32]).err().unwrap().status, Status::Shape);
}

#[test]
fn what_a_kernel_writes_is_borrowed_exclusively() -> Result<()> {
    let mut x = Array::from_slice(&device(), &[3], &[1.0f32, 2.0, 3.0])?;
    let affine = kernel("affine");
    let error = affine.launch(Grid::new(1, 32), args![&x, 2.0f32, 1.0f32, 3i32], None).unwrap_err();
    assert_eq!(error.status, Status::ReadOnly);
    assert_eq!(error.to_string(), "the kernel writes argument 0, which was given as & and has to be &mut");
    let mut call = affine.bind(Grid::new(1, 32), args![&mut x, 2.0f32, 1.0f32, 3i32])?;
    call.launch(None)?;
    call.launch(Some(&Stream::new(&device())?))?;
    assert_eq!(x.to_vec()?, [7.0, 11.0, 15.0]);
    assert_eq!(affine.launch(Grid::new(1, 32), args![&mut x], None).unwrap_err().status, Status::InvalidArgument);
    let sigmoid = Operation::find("elementwise/sigmoid")?;
    assert_eq!(sigmoid.call(args![&x, &x], None).unwrap_err().status, Status::ReadOnly);

    let mut out = Array::<f64>::zeros(&device(), &[1])?;
    let point = Point { x: 0.5, weight: 4 };
    kernel("sum").launch(Grid::new(1, 1), args![&x, &mut out, Arg::structure(&point), true, 3i32], None)?;
    assert_eq!(out.to_vec()?, [70.0]);
    Ok(())
}

#[test]
fn vectors_are_given_away_and_slices_lent() -> Result<()> {
    let values = vec![1.0f64, 2.0, 3.0];
    let address = values.as_ptr();
    let mut array = Array::from_vec(&device(), values)?;
    let copy = array.try_clone()?;
    if on_host() {
        assert_eq!(array.as_slice()?.as_ptr(), address);
        array.as_mut_slice()?[0] = 0.0;
        assert_eq!(array.to_vec()?, [0.0, 2.0, 3.0]);
    } else {
        assert_eq!(array.as_slice().unwrap_err().status, Status::Device);
        array.copy_from(&Array::from_slice(&device(), &[1], &[0.0f64])?)?;
        assert_eq!(array.to_vec()?, [0.0; 3]);
    }
    assert_eq!(copy.to_vec()?, [1.0, 2.0, 3.0]);
    assert_eq!(copy.view().reshape(&[3, 1])?.index(0, 2)?.to_vec()?, [3.0]);
    assert_eq!(format!("{array:?}"), "float64[3]");
    assert!(Array::<f32>::from_vec(&device(), Vec::new())?.to_vec()?.is_empty());

    let lent = [1i32, 2, 3];
    let error = lend(&Device::named("cpu")?, |scope| scope.array(&[4], &lent).map(drop)).unwrap_err();
    assert_eq!(error.status, Status::Overflow);
    Ok(())
}

#[test]
fn memory_that_refuses_writes_gives_no_mutable_slice() -> Result<()> {
    use std::ptr::{null, null_mut};
    use tenon_sys::*;
    static LENT: [f32; 3] = [1.0, 2.0, 3.0];
    let (mut device, mut buffer, mut array, mut tensor) = (null_mut(), null_mut(), null_mut(), null_mut());
    unsafe {
        assert_eq!(tenon_context_device(null_mut(), b"cpu\0".as_ptr().cast(), &mut device), TENON_OK);
        let data = LENT.as_ptr() as *mut std::ffi::c_void;
        let wrapped = tenon_buffer_wrap(device, data, 12, TENON_MEMORY_DEVICE, 1, null_mut(), None, null_mut(), &mut buffer);
        assert_eq!(wrapped, TENON_OK);
        assert_eq!(tenon_array_from_buffer(buffer, TENON_FLOAT32, 1, &3, null(), 0, &mut array), TENON_OK);
        assert_eq!(tenon_array_to_dlpack_versioned(array, 0, null_mut(), &mut tensor), TENON_OK);
        tenon_array_release(array);
        tenon_buffer_release(buffer);
        tenon_device_release(device);
    }
    let tensor = unsafe { Tensor::from_raw(tensor) }.expect("it is not null");
    let mut array = DynArray::from_dlpack(tensor)?.typed::<f32>()?;
    assert_eq!(array.as_slice()?, LENT);
    assert_eq!(array.as_mut_slice().unwrap_err().status, Status::ReadOnly);
    Ok(())
}

#[test]
fn panics_stay_within_callbacks() -> Result<()> {
    std::panic::set_hook(Box::new(|_| ())); // the panics below are intentional
    struct Counted(Arc<AtomicUsize>);
    impl Drop for Counted {
        fn drop(&mut self) {
            self.0.fetch_add(100, Ordering::SeqCst);
        }
    }
    let count = Arc::new(AtomicUsize::new(0));
    let counted = Counted(count.clone());
    let context = Context::with_log(Level::Debug, move |level, line| {
        counted.0.fetch_add(1, Ordering::SeqCst);
        panic!("{level:?}: {line}");
    })?;
    let stream = Stream::new(&context.device(&chosen::name())?)?;
    let ran = Arc::new(AtomicUsize::new(0));
    let inside = ran.clone();
    stream.call_host(move || {
        inside.fetch_add(1, Ordering::SeqCst);
        panic!("not for the library");
    })?;
    stream.synchronize()?;
    assert!(stream.is_done()?);
    for _ in 0..1000 {
        if Arc::strong_count(&ran) == 1 || on_host() {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(10)); // a GPU's driver may let go of it a little later
    }
    assert_eq!((ran.load(Ordering::SeqCst), Arc::strong_count(&ran)), (1, 1));
    drop(stream);
    drop(context);
    assert!(count.load(Ordering::SeqCst) >= 100, "the log's function lives as long as its context, and no longer");
    let _ = std::panic::take_hook();
    Ok(())
}

#[test]
fn threads_share_arrays_and_kernels() -> Result<()> {
    fn sent_and_shared<T: Send + Sync>() {}
    fn sent<T: Send>() {}
    sent_and_shared::<(Array<f32>, DynArray, Kernel, Program, Device, Stream, Error)>();
    sent::<Call<'static>>();
    let x = Array::from_slice(&device(), &[4], &[1.0f32; 4])?;
    let sum = kernel("sum");
    std::thread::scope(|threads| {
        for _ in 0..4 {
            threads.spawn(|| {
                for _ in 0..500 {
                    let mut out = Array::<f64>::zeros(&device(), &[1]).unwrap();
                    let point = Point { x: 0.0, weight: 0 };
                    let args = args![&x, &mut out, Arg::structure(&point), false, 4i32];
                    sum.launch(Grid::new(1, 1), args, None).unwrap();
                    assert_eq!(out.to_vec().unwrap(), [4.0]);
                }
            });
        }
    });
    Ok(())
}

#[test]
fn functions_reductions_and_sorts_take_arrays_and_numbers() -> Result<()> {
    use tenon_sys::*;
    let x = Array::from_slice(&device(), &[2, 3], &[3.0f32, 1.0, 2.0, -1.0, 7.0, 0.5])?;
    let doubled = binary(TENON_FN_MULTIPLY, &x, Arg::weak(2.0))?; // float32 still
    assert_eq!(doubled.typed::<f32>()?.to_vec()?, [6.0, 2.0, 4.0, -2.0, 14.0, 1.0]);
    assert_eq!(reduce(TENON_FN_SUM, &x, &[1])?.typed::<f32>()?.to_vec()?, [6.0, 6.5]);
    assert_eq!(reduce(TENON_FN_ARGMAX, &x, &[])?.typed::<i64>()?.to_vec()?, [4]);
    let positive = binary(TENON_FN_GREATER, &x, Arg::weak(0.0))?;
    assert_eq!(reduce(TENON_FN_COUNT_NONZERO, &positive, &[])?.typed::<i64>()?.to_vec()?, [5]);
    let kept = select(&positive, &x, Arg::weak(0.0))?;
    assert_eq!(unary(TENON_FN_NEGATIVE, &kept)?.typed::<f32>()?.to_vec()?, [-3.0, -1.0, -2.0, 0.0, -7.0, -0.5]);
    let (sorted, order) = sort(&x, -1, true)?;
    assert_eq!(sorted.typed::<f32>()?.to_vec()?, [3.0, 2.0, 1.0, 7.0, 0.5, -1.0]);
    assert_eq!(order.typed::<i64>()?.to_vec()?, [0, 2, 1, 1, 2, 0]);
    let (largest, places) = top_k(&x, 1, 0)?;
    assert_eq!(largest.typed::<f32>()?.to_vec()?, [3.0, 7.0, 2.0]);
    assert_eq!(places.typed::<i64>()?.to_vec()?, [0, 1, 0]);
    let second = Array::from_slice(&device(), &[2], &[0u8, 1])?;
    assert_eq!(compress(&x, &second, 0)?.typed::<f32>()?.to_vec()?, [-1.0, 7.0, 0.5]);
    let (one, same) = (
        random::<f64>(&device(), &[1000], TENON_RANDOM_UNIFORM, 7)?,
        random::<f64>(&device(), &[1000], TENON_RANDOM_UNIFORM, 7)?,
    );
    assert_eq!(one.to_vec()?, same.to_vec()?);
    assert!(one.to_vec()?.iter().all(|number| (0.0..1.0).contains(number)));
    assert_eq!(reduce(TENON_FN_SUM, &x, &[2]).unwrap_err().status, Status::InvalidArgument);
    assert_eq!(binary(-1, &x, &x).unwrap_err().status, Status::InvalidArgument);
    Ok(())
}
