//! Arrays and CUDA kernels, on a GPU and on a machine without one.
//!
//! ```
//! use tenon::{args, Array, Device, Grid, Program};
//!
//! # fn main() -> tenon::Result<()> {
//! let device = Device::named("cpu")?;
//! // Unsafe, because the text is native code: this one stays within its arrays.
//! let program = unsafe { Program::compile(&device, r#"
//!     extern "C" __global__ void axpy(float a, const float* x, float* y, int n) {
//!         int i = blockIdx.x * blockDim.x + threadIdx.x;
//!         if (i < n) y[i] += a * x[i];
//!     }"#, &["axpy"]) }?;
//! let x = Array::from_slice(&device, &[3], &[1.0f32, 2.0, 3.0])?;
//! let mut y = Array::<f32>::zeros(&device, &[3])?;
//! program.kernel("axpy")?.launch(Grid::new(1, 32), args![2.0f32, &x, &mut y, 3i32], None)?;
//! assert_eq!(y.to_vec()?, [2.0, 4.0, 6.0]);
//! # Ok(()) }
//! ```
//!
//! An array owns its memory: readers borrow it, and writers borrow it exclusively. The same holds for kernels, whose
//! `const` pointers mark the arrays that they only read. Errors state what was wrong and what would be right, with the
//! compiler's log. Everything that this crate does not wrap is in `tenon_sys`, the C interface.
//!
//! A bound call keeps the arrays that it writes borrowed:
//!
//! ```compile_fail
//! # fn bound(kernel: &tenon::Kernel, mut y: tenon::Array<f32>) -> tenon::Result<()> {
//! let mut call = kernel.bind(tenon::Grid::new(1, 32), tenon::args![&mut y])?;
//! y.to_vec()?;
//! call.launch(None)
//! # }
//! ```
//!
//! A call can be sent to another thread, but not shared:
//!
//! ```compile_fail
//! fn shared<T: Sync>() {}
//! shared::<tenon::Call<'static>>();
//! ```
mod array;
mod compute;
mod device;
mod dlpack;
mod error;
mod graph;
mod handle;
mod kernel;
mod lend;
mod math;
#[cfg(feature = "ndarray")]
mod ndarrays;
#[cfg(any(feature = "half", feature = "num-complex"))]
mod numeric;
mod texture;
mod typed;
mod waiting;

pub use array::{Array, ArrayView, ArrayViewMut, AsArray, Bfloat16, Complex, DynArray, Element, Half};
pub use compute::{binary, compress, random, reduce, select, sort, top_k, unary};
pub use device::{Context, Device, Level, Stream};
pub use dlpack::Tensor;
pub use error::{Error, NativeError, Result, Status};
pub use graph::{Graph, Recording};
pub use kernel::{Arg, Call, Grid, Kernel, Operation, Program};
pub use lend::{lend, Scope};
pub use math::{
    cholesky, convert, det, eigh, fft, inverse, lu, matmul, matmul_into, qr, singular_values, solve, svd,
};
pub use texture::{Address, Surface, Texture, TextureInfo, TextureOptions};
pub use typed::{typed_operations, Reads, Writes};
pub use waiting::{Compilation, Event, Finished};
