//! A CUDA C kernel and a matrix product from Rust, on a GPU or on a machine without one, with the raw layer only.
//! Usage: TENON_LIB_DIR=where/libtenon/is cargo run --offline [DEVICE]; DEVICE is "best" (default), "cpu:0", "cuda:0".
use std::error::Error;
use std::ffi::{c_char, c_void, CStr, CString};
use std::ptr::{null, null_mut};
use tenon_sys::*;

const SAXPY: &str = r#"
extern "C" __global__ void saxpy(float a, const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}
"#;

type Outcome<T> = Result<T, Box<dyn Error>>;

/// A status as a Result with Tenon's sentence in it.
fn check(status: i32) -> Outcome<()> {
    if status == TENON_OK {
        return Ok(());
    }
    let (name, message) = unsafe { (text(tenon_status_name(status)), text(tenon_error_last_message())) };
    Err(format!("{name}: {message}").into())
}

unsafe fn text(pointer: *const c_char) -> String {
    CStr::from_ptr(pointer).to_string_lossy().into_owned()
}

/// A handle that is released when it goes out of scope.
struct Owned<T> {
    handle: *mut T,
    release: unsafe extern "C" fn(*mut T),
}

impl<T> Owned<T> {
    fn new(release: unsafe extern "C" fn(*mut T), make: impl FnOnce(*mut *mut T) -> i32) -> Outcome<Self> {
        let mut handle = null_mut();
        check(make(&mut handle))?;
        Ok(Owned { handle, release })
    }
}

impl<T> Drop for Owned<T> {
    fn drop(&mut self) {
        unsafe { (self.release)(self.handle) }
    }
}

type Device = Owned<tenon_device>;
type Array = Owned<tenon_array>;

fn array_from(device: &Device, shape: &[i64], data: &[f32]) -> Outcome<Array> {
    Owned::new(tenon_array_release, |out| unsafe {
        tenon_array_from_host(
            device.handle,
            TENON_FLOAT32,
            shape.len() as i32,
            shape.as_ptr(),
            data.as_ptr().cast::<c_void>(),
            std::mem::size_of_val(data) as u64,
            null_mut(),
            out,
        )
    })
}

fn values_of(array: &Array, count: usize) -> Outcome<Vec<f32>> {
    let mut data = vec![0f32; count];
    let bytes = std::mem::size_of_val(&data[..]) as u64;
    check(unsafe { tenon_array_to_host(array.handle, data.as_mut_ptr().cast(), bytes, null_mut()) })?;
    Ok(data)
}

fn kernel_from(device: &Device, source: &str, name: &CStr) -> Outcome<Owned<tenon_kernel>> {
    let names = [name.as_ptr()];
    let mut options = tenon_program_options::new();
    options.kernels = names.as_ptr();
    options.kernel_count = 1;
    let program = Owned::new(tenon_program_release, |out| unsafe {
        tenon_program_create(device.handle, source.as_ptr().cast(), source.len() as u64, &options, out)
    })?;
    Owned::new(tenon_kernel_release, |out| unsafe { tenon_program_kernel(program.handle, name.as_ptr(), out) })
}

fn array_argument(array: &Array) -> tenon_arg {
    tenon_arg { kind: TENON_ARG_ARRAY, dtype: 0, size: 0, value: tenon_arg_value { array: array.handle } }
}

fn scalar_argument(dtype: u32, value: tenon_arg_value) -> tenon_arg {
    tenon_arg { kind: TENON_ARG_SCALAR, dtype, size: 4, value }
}

/// y = a x + y with a kernel from a string; all numbers are small integers, so the result is exact.
fn saxpy(device: &Device) -> Outcome<()> {
    let n = 1_000_003usize;
    let x: Vec<f32> = (0..n).map(|i| (i % 1000) as f32).collect();
    let y: Vec<f32> = (0..n).map(|i| (i % 7) as f32).collect();
    let (dx, dy) = (array_from(device, &[n as i64], &x)?, array_from(device, &[n as i64], &y)?);
    let kernel = kernel_from(device, SAXPY, &CString::new("saxpy")?)?;
    let mut launch = tenon_launch::new();
    launch.grid[0] = n.div_ceil(256) as u32;
    launch.block[0] = 256;
    let arguments = [
        scalar_argument(TENON_FLOAT32, tenon_arg_value { f32: 2.0 }),
        array_argument(&dx),
        array_argument(&dy),
        scalar_argument(TENON_INT32, tenon_arg_value { i32: n as i32 }),
    ];
    check(unsafe {
        tenon_kernel_launch(kernel.handle, &launch, arguments.as_ptr(), arguments.len() as i32, null_mut())
    })?;
    let got = values_of(&dy, n)?;
    if let Some(i) = (0..n).find(|&i| got[i] != 2.0 * x[i] + y[i]) {
        return Err(format!("saxpy: y[{i}] is {}, not {}", got[i], 2.0 * x[i] + y[i]).into());
    }
    println!("saxpy from a CUDA C string: {n} elements, all exact");
    Ok(())
}

/// c = a b against the same product in double precision.
fn gemm(device: &Device) -> Outcome<()> {
    let (m, k, n) = (65usize, 130usize, 33usize);
    let a: Vec<f32> = (0..m * k).map(|i| ((i * 37) % 101) as f32 / 101.0 - 0.5).collect();
    let b: Vec<f32> = (0..k * n).map(|i| ((i * 53) % 97) as f32 / 97.0 - 0.5).collect();
    let da = array_from(device, &[m as i64, k as i64], &a)?;
    let db = array_from(device, &[k as i64, n as i64], &b)?;
    let dc = array_from(device, &[m as i64, n as i64], &vec![f32::NAN; m * n])?;
    let mut into = dc.handle; // given: the product is written into it
    check(unsafe { tenon_gemm(null(), da.handle, db.handle, null(), null(), null_mut(), &mut into) })?;
    let c = values_of(&dc, m * n)?;
    let mut worst = 0f64;
    for (i, row) in c.chunks(n).enumerate() {
        for (j, &value) in row.iter().enumerate() {
            let exact: f64 = (0..k).map(|p| a[i * k + p] as f64 * b[p * n + j] as f64).sum();
            let error = (value as f64 - exact).abs();
            worst = if error.is_nan() { f64::INFINITY } else { worst.max(error) };
        }
    }
    let bound = k as f64 * 6e-8;
    if worst > bound {
        return Err(format!("gemm: the worst error is {worst:e}, over {bound:e}").into());
    }
    println!("gemm {m}x{k} by {k}x{n}: worst error {worst:.1e}, bound {bound:.1e}");
    Ok(())
}

fn main() -> Outcome<()> {
    let name = CString::new(std::env::args().nth(1).unwrap_or_else(|| "best".into()))?;
    let device: Device =
        Owned::new(tenon_device_release, |out| unsafe { tenon_context_device(null_mut(), name.as_ptr(), out) })?;
    let (mut id, mut product, mut compiler) = (null(), null(), null());
    check(unsafe { tenon_device_name(device.handle, &mut id) })?;
    check(unsafe { tenon_device_description(device.handle, &mut product) })?;
    check(unsafe { tenon_device_toolkit(device.handle, &mut compiler) })?;
    unsafe { println!("{}: {}; kernels compiled by {}", text(id), text(product), text(compiler)) };
    saxpy(&device)?;
    gemm(&device)
}
