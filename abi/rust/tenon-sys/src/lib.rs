//! The C interface of Tenon. Derived from the headers by abi/generate.py.
//!
//! Every call is unsafe: the C headers state the conditions. A handle is a raw pointer to an opaque type; each function
//! documents who releases which reference. `new()` of a struct sets its `struct_size`; every other field is zero, the
//! default.
//!
//! The feature `link` (the default) links the library. With `dlopen` the first call opens it instead: the library that
//! `load` or the environment variable TENON_LIBRARY names, else `libtenon.so.1`. If it cannot be opened, functions
//! return `TENON_ERROR_MISSING_LIBRARY`; if it is too old to have a function, that function returns
//! `TENON_ERROR_VERSION`. Without either feature there are only types, constants and the table, which is all that a
//! plug-in needs.
#![no_std]
#![allow(non_camel_case_types, clippy::too_many_arguments)]

use core::ffi::{c_char, c_void};
use core::marker::{PhantomData, PhantomPinned};

pub const TENON_VERSION_MAJOR: i32 = 1;
pub const TENON_VERSION_MINOR: i32 = 1;
pub const TENON_VERSION_PATCH: i32 = 0;
pub const TENON_ABI_LEVEL: u32 = 0x00010100;
pub const TENON_OK: i32 = 0;
/// a value outside its documented domain, or NULL
pub const TENON_ERROR_INVALID_ARGUMENT: i32 = 1;
/// released, never a handle, or a handle of another kind
pub const TENON_ERROR_INVALID_HANDLE: i32 = 2;
/// host or device; the text gives the bytes requested, in use and free
pub const TENON_ERROR_OUT_OF_MEMORY: i32 = 3;
/// a valid request that this device or build cannot serve; the text says why
pub const TENON_ERROR_UNSUPPORTED: i32 = 4;
/// there is no device, kernel, symbol or file of that name
pub const TENON_ERROR_NOT_FOUND: i32 = 5;
/// a size or product does not fit its type
pub const TENON_ERROR_OVERFLOW: i32 = 6;
/// element types do not fit together
pub const TENON_ERROR_DTYPE: i32 = 7;
/// ranks or extents do not fit together
pub const TENON_ERROR_SHAPE: i32 = 8;
/// the operands are on devices that cannot be used together
pub const TENON_ERROR_DEVICE: i32 = 9;
/// objects of two contexts were mixed
pub const TENON_ERROR_CONTEXT: i32 = 10;
/// strides or alignment do not allow it without a copy
pub const TENON_ERROR_LAYOUT: i32 = 11;
/// a write to memory that was imported read-only
pub const TENON_ERROR_READ_ONLY: i32 = 12;
/// operands share memory in a way the operation does not define
pub const TENON_ERROR_OVERLAP: i32 = 13;
/// source did not compile; the log is in the error record
pub const TENON_ERROR_COMPILE: i32 = 14;
/// a required library or program is missing; the text says what to install
pub const TENON_ERROR_MISSING_LIBRARY: i32 = 15;
/// a kernel failed while it ran on the CPU device (assert, trap, divergent barrier)
pub const TENON_ERROR_KERNEL_FAULT: i32 = 16;
/// the CUDA context is no longer usable; the CPU device still works
pub const TENON_ERROR_DEVICE_LOST: i32 = 17;
/// an iterative routine did not converge; native code: its info value
pub const TENON_ERROR_NOT_CONVERGED: i32 = 18;
/// a matrix has no inverse or factorisation; native code: its info value
pub const TENON_ERROR_SINGULAR: i32 = 19;
/// NaN or infinity in an operand for which the routine has no result
pub const TENON_ERROR_NOT_FINITE: i32 = 20;
/// result of a query or a wait with a limit: the work is not complete; leaves the error record alone
pub const TENON_ERROR_NOT_READY: i32 = 21;
/// a struct, package or library has a version that cannot be used
pub const TENON_ERROR_VERSION: i32 = 22;
/// reading or writing a file failed
pub const TENON_ERROR_IO: i32 = 23;
/// the caller cancelled it
pub const TENON_ERROR_CANCELLED: i32 = 24;
/// the handle was made before fork()
pub const TENON_ERROR_FORKED: i32 = 25;
/// CUDA or a vendor library failed in another way; see the native code
pub const TENON_ERROR_VENDOR: i32 = 26;
/// a bug in Tenon: please report the text
pub const TENON_ERROR_INTERNAL: i32 = 27;
pub const TENON_HANDLE_BLOB: i32 = 1;
pub const TENON_HANDLE_ERROR: i32 = 2;
pub const TENON_HANDLE_CONTEXT: i32 = 3;
pub const TENON_HANDLE_DEVICE: i32 = 4;
pub const TENON_HANDLE_STREAM: i32 = 5;
pub const TENON_HANDLE_EVENT: i32 = 6;
pub const TENON_HANDLE_BUFFER: i32 = 7;
pub const TENON_HANDLE_ARRAY: i32 = 8;
pub const TENON_HANDLE_PROGRAM: i32 = 9;
pub const TENON_HANDLE_KERNEL: i32 = 10;
pub const TENON_HANDLE_CALL: i32 = 11;
pub const TENON_HANDLE_COMPILATION: i32 = 12;
pub const TENON_HANDLE_ELEMENTWISE: i32 = 13;
pub const TENON_HANDLE_REDUCTION: i32 = 14;
pub const TENON_HANDLE_SCAN: i32 = 15;
pub const TENON_HANDLE_GRAPH: i32 = 16;
pub const TENON_HANDLE_PACKAGE: i32 = 17;
pub const TENON_HANDLE_OPERATION: i32 = 18;
pub const TENON_HANDLE_TEXTURE: i32 = 19;
/// * one byte, 0 or 1
pub const TENON_BOOL: u32 = 0x00010806;
/// *
pub const TENON_INT8: u32 = 0x00010800;
/// *
pub const TENON_INT16: u32 = 0x00011000;
/// *
pub const TENON_INT32: u32 = 0x00012000;
/// *
pub const TENON_INT64: u32 = 0x00014000;
/// *
pub const TENON_UINT8: u32 = 0x00010801;
/// *
pub const TENON_UINT16: u32 = 0x00011001;
/// *
pub const TENON_UINT32: u32 = 0x00012001;
/// *
pub const TENON_UINT64: u32 = 0x00014001;
/// * IEEE binary16
pub const TENON_FLOAT16: u32 = 0x00011002;
/// *
pub const TENON_FLOAT32: u32 = 0x00012002;
/// *
pub const TENON_FLOAT64: u32 = 0x00014002;
/// *
pub const TENON_BFLOAT16: u32 = 0x00011004;
/// two float16: copy with conversion, fill and Fourier transforms only
pub const TENON_COMPLEX32: u32 = 0x00012005;
/// * two float32
pub const TENON_COMPLEX64: u32 = 0x00014005;
/// * two float64
pub const TENON_COMPLEX128: u32 = 0x00018005;
pub const TENON_FLOAT8_E3M4: u32 = 0x00010807;
pub const TENON_FLOAT8_E4M3: u32 = 0x00010808;
pub const TENON_FLOAT8_E4M3B11FNUZ: u32 = 0x00010809;
pub const TENON_FLOAT8_E4M3FN: u32 = 0x0001080a;
pub const TENON_FLOAT8_E4M3FNUZ: u32 = 0x0001080b;
pub const TENON_FLOAT8_E5M2: u32 = 0x0001080c;
pub const TENON_FLOAT8_E5M2FNUZ: u32 = 0x0001080d;
pub const TENON_FLOAT8_E8M0FNU: u32 = 0x0001080e;
pub const TENON_FLOAT6_E2M3FN: u32 = 0x0001060f;
pub const TENON_FLOAT6_E3M2FN: u32 = 0x00010610;
pub const TENON_FLOAT4_E2M1FN: u32 = 0x00010411;
pub const TENON_LOG_ERROR: i32 = 1;
pub const TENON_LOG_WARNING: i32 = 2;
pub const TENON_LOG_INFO: i32 = 3;
pub const TENON_LOG_DEBUG: i32 = 4;
/// read and write, unless TENON_CACHE in the environment says otherwise
pub const TENON_CACHE_DEFAULT: i32 = 0;
/// nothing is read or written on disk; programs are shared within the process
pub const TENON_CACHE_OFF: i32 = 1;
/// use existing entries, add none
pub const TENON_CACHE_READ_ONLY: i32 = 2;
/// as READ_ONLY, and a program that is not in the cache is TENON_ERROR_NOT_FOUND
pub const TENON_CACHE_NO_COMPILE: i32 = 3;
/// buffers do not order streams: the caller records and waits for every event, releases an array only when all work on
/// streams other than the one it was made on is complete, and an imported array only when all work on it is complete; a
/// graph is launched on one stream only
pub const TENON_CONTEXT_NO_STREAM_TRACKING: u32 = 1;
/// every allocation is separate, for memory checkers
pub const TENON_CONTEXT_NO_POOL: u32 = 2;
/// waits after each launch and operation, so that a fault is reported by the call that caused it; also
/// $TENON_DEBUG_SYNC=1
pub const TENON_CONTEXT_DEBUG_SYNC: u32 = 4;
/// NVTX ranges around launches and operations, if a profiler is attached; also $TENON_NVTX=1
pub const TENON_CONTEXT_NVTX: u32 = 8;
/// an operation of a package (plugin.h) whose contract does not promise the same bits on every run is refused
/// (UNSUPPORTED), tuning records are ignored, and products (linalg.h) are not tuned. Even without this flag products,
/// factorisations, transforms, reductions and scans give the same bits on every run, on one device with one version of
/// its libraries; also $TENON_DETERMINISTIC=1
pub const TENON_CONTEXT_DETERMINISTIC: u32 = 16;
/// packages (plugin.h) must be signed by a trusted key; also $TENON_SIGNED_PACKAGES=1
pub const TENON_CONTEXT_SIGNED_PACKAGES: u32 = 32;
/// the calls that solve.h lists do not wait; a matrix that is singular, not positive definite or not finite is reported
/// by the call that waits for the stream; also $TENON_DEFERRED_ERRORS=1
pub const TENON_CONTEXT_DEFERRED_ERRORS: u32 = 64;
/// products and transforms (linalg.h, blas.h, fft.h) check their operands, and NaN or infinity in one is NOT_FINITE;
/// not while a graph is recorded, and not for float8; also $TENON_CHECK_FINITE=1
pub const TENON_CONTEXT_CHECK_FINITE: u32 = 128;
/// leave the process's signal handlers alone. Otherwise the first program loaded for the CPU device installs handlers
/// for SIGSEGV, SIGBUS, SIGFPE and SIGILL, so that a kernel that accesses a bad address, or overflows its stack, ends
/// its launch (KERNEL_FAULT) and not the process. They act only on threads that are inside a kernel, and pass all other
/// signals to the handlers installed before; also $TENON_NO_SIGNALS=1
pub const TENON_CONTEXT_NO_SIGNALS: u32 = 512;
/// a NULL stream is Tenon's own non-blocking stream on each CUDA device, not the legacy default stream; also
/// $TENON_PRIVATE_STREAM=1
pub const TENON_CONTEXT_PRIVATE_STREAM: u32 = 256;
/// as DLPack's kDLCPU
pub const TENON_DEVICE_CPU: i32 = 1;
/// as DLPack's kDLCUDA
pub const TENON_DEVICE_CUDA: i32 = 2;
/// may be used with tenon_event_elapsed
pub const TENON_EVENT_TIMING: u32 = 1;
/// value.array: for a pointer parameter; must be C-contiguous (else TENON_ARG_STRIDED)
pub const TENON_ARG_ARRAY: u32 = 1;
/// dtype and value.*; for a kernel exactly the parameter's type
pub const TENON_ARG_SCALAR: u32 = 2;
/// value.pointer: a raw address, which Tenon neither checks nor orders
pub const TENON_ARG_POINTER: u32 = 3;
/// value.bytes points at size bytes: a struct by value, which the call copies
pub const TENON_ARG_BYTES: u32 = 4;
/// as ARRAY, but with any strides: the kernel gets the address of the element at index 0
pub const TENON_ARG_STRIDED: u32 = 5;
/// for the functions of compute.h: a number without a dtype of its own, given as TENON_BOOL (value.u8), TENON_INT64,
/// TENON_UINT64, TENON_FLOAT64 or TENON_COMPLEX128
pub const TENON_ARG_WEAK: u32 = 6;
/// value.texture (texture.h): for a parameter of type cudaTextureObject_t
pub const TENON_ARG_TEXTURE: u32 = 7;
/// value.texture: for a parameter of type cudaSurfaceObject_t
pub const TENON_ARG_SURFACE: u32 = 8;
pub const TENON_MAX_RANK: i32 = 64;
/// the device's own memory (for the CPU device: host memory, 64-byte aligned)
pub const TENON_MEMORY_DEVICE: i32 = 0;
/// page-locked host memory of a CUDA device, accessible to host and device (DLPack kDLCUDAHost)
pub const TENON_MEMORY_PINNED: i32 = 1;
/// CUDA managed memory, which migrates between host and device (DLPack kDLCUDAManaged)
pub const TENON_MEMORY_MANAGED: i32 = 2;
pub const TENON_ARRAY_C_CONTIGUOUS: u32 = 1;
pub const TENON_ARRAY_F_CONTIGUOUS: u32 = 2;
pub const TENON_ARRAY_READ_ONLY: u32 = 4;
pub const TENON_ACCESS_READ: i32 = 1;
/// writes and reads
pub const TENON_ACCESS_WRITE: i32 = 2;
/// always export a separate copy (flag IS_COPIED in the versioned struct)
pub const TENON_DLPACK_COPY: u32 = 1;
/// `stream` may be destroyed before the deleter runs: see below
pub const TENON_DLPACK_STREAM_MAY_END: u32 = 2;
/// fail with LAYOUT if the array cannot be exported as it is: negative strides. Not with TENON_DLPACK_COPY
pub const TENON_DLPACK_NEVER_COPY: u32 = 4;
/// optimised
pub const TENON_PROGRAM_MODE_FAST: i32 = 0;
/// -O0 with debug information; on the CPU a debugger can step through it
pub const TENON_PROGRAM_MODE_DEBUG: i32 = 1;
/// CPU: undefined behaviour and faults become errors that name block and thread; CUDA: adds line information
pub const TENON_PROGRAM_MODE_CHECK: i32 = 2;
/// approximate division, sqrt and functions, denormals flushed (NVRTC --use_fast_math)
pub const TENON_PROGRAM_FLAG_FAST_MATH: u32 = 1;
/// CPU: run the threads of a block last to first, which shows missing barriers
pub const TENON_PROGRAM_FLAG_REVERSE_ORDER: u32 = 2;
/// compile even if the program is cached, and replace the entry
pub const TENON_PROGRAM_FLAG_NO_CACHE: u32 = 4;
/// the images among the inputs (program.h) may be run: their code gets the caller's rights
pub const TENON_PROGRAM_FLAG_TRUSTED: u32 = 8;
/// the image that is loaded: a cubin, or the CPU's shared object
pub const TENON_IMAGE_BINARY: i32 = 1;
/// CUDA only
pub const TENON_IMAGE_PTX: i32 = 2;
/// an arithmetic type, given by dtype
pub const TENON_PARAMETER_SCALAR: i32 = 1;
/// dtype: that of the elements (a vector type has lanes); 0 if no dtype fits
pub const TENON_PARAMETER_POINTER: i32 = 2;
/// anything else, passed by value; see size and alignment
pub const TENON_PARAMETER_STRUCT: i32 = 3;
/// for a kernel from an image that does not describe it: only the size is known
pub const TENON_PARAMETER_UNKNOWN: i32 = 4;
/// one after another, as a loop: the fastest form
pub const TENON_EXECUTION_LOOP: u32 = 1;
/// as several such loops, each from one block barrier to the next
pub const TENON_EXECUTION_REGIONS: u32 = 2;
/// each on its own stack; block barriers switch between the stacks
pub const TENON_EXECUTION_FIBERS: u32 = 4;
/// each on its own stack, scheduled so that the lanes of a warp meet in warp operations
pub const TENON_EXECUTION_WARPS: u32 = 8;
/// with grid-stride loops run in memory order (tenon_program_create)
pub const TENON_EXECUTION_IN_ORDER: u32 = 16;
/// with loops that several threads run at once, each in its own order
pub const TENON_EXECUTION_SIDE_BY_SIDE: u32 = 32;
/// all blocks run at the same time, so that they may wait for each other
pub const TENON_LAUNCH_COOPERATIVE: u32 = 1;
pub const TENON_LAUNCH_PROGRAMMATIC: u32 = 2;
/// CUDA C text: a translation unit
pub const TENON_INPUT_SOURCE: i32 = 0;
/// a cubin; on the CPU device, the result of tenon_program_image there, for this processor
pub const TENON_INPUT_BINARY: i32 = 1;
/// PTX text
pub const TENON_INPUT_PTX: i32 = 2;
/// a fat binary: cubins and PTX for several architectures
pub const TENON_INPUT_FATBIN: i32 = 3;
/// NVRTC's intermediate code for link-time optimisation
pub const TENON_INPUT_LTO_IR: i32 = 4;
/// the nearest texel
pub const TENON_ADDRESS_CLAMP: i32 = 0;
/// the texture repeats
pub const TENON_ADDRESS_WRAP: i32 = 1;
/// it repeats, every other time reversed
pub const TENON_ADDRESS_MIRROR: i32 = 2;
/// options.border
pub const TENON_ADDRESS_BORDER: i32 = 3;
/// the texel at the coordinate
pub const TENON_FILTER_POINT: i32 = 0;
/// interpolates between the nearest 2, 4 or 8 texels; for reads that give floats
pub const TENON_FILTER_LINEAR: i32 = 1;
/// a, b: the ends; both 0: 0 and 1
pub const TENON_RANDOM_UNIFORM: i32 = 0;
/// a: mean, b: standard deviation; 0: 1
pub const TENON_RANDOM_NORMAL: i32 = 1;
/// b: mean; 0: 1
pub const TENON_RANDOM_EXPONENTIAL: i32 = 2;
/// all bits of an integer dtype
pub const TENON_RANDOM_BITS: i32 = 3;
/// low, count; both 0: all numbers of the dtype
pub const TENON_RANDOM_INTEGERS: i32 = 4;
/// a: the probability, b: the value for success; 0: 1. A dropout mask has a = 1 - p, b = 1 / (1 - p)
pub const TENON_RANDOM_BERNOULLI: i32 = 5;
/// a: shape, b: scale; 0: 1
pub const TENON_RANDOM_GAMMA: i32 = 6;
/// a, b: both shapes
pub const TENON_RANDOM_BETA: i32 = 7;
/// a: mean, up to 9.22e18; numbers above 2^53 are those of float64
pub const TENON_RANDOM_POISSON: i32 = 8;
/// a: trials, up to 2^53, b: probability
pub const TENON_RANDOM_BINOMIAL: i32 = 9;
/// value
pub const TENON_PAD_CONSTANT: i32 = 0;
/// the nearest element: aaa|abcd|ddd
pub const TENON_PAD_EDGE: i32 = 1;
/// mirrored at the middle of the last element: dcb|abcd|cba
pub const TENON_PAD_REFLECT: i32 = 2;
/// mirrored at its edge: cba|abcd|dcb
pub const TENON_PAD_SYMMETRIC: i32 = 3;
/// from the other end: bcd|abcd|abc
pub const TENON_PAD_WRAP: i32 = 4;
/// from value in equal steps to the edge; computed in float64, for integers rounded down
pub const TENON_PAD_LINEAR_RAMP: i32 = 5;
/// the mean of the elements along the axis, for integers rounded to even
pub const TENON_PAD_MEAN: i32 = 6;
/// the largest of them
pub const TENON_PAD_MAXIMUM: i32 = 7;
/// the smallest of them
pub const TENON_PAD_MINIMUM: i32 = 8;
/// the median of them, for integers rounded to even
pub const TENON_PAD_MEDIAN: i32 = 9;
/// some elements: whatever the memory holds; of any dtype
pub const TENON_PAD_EMPTY: i32 = 10;
pub const TENON_SCATTER_ASSIGN: i32 = 0;
/// integers wrap; bool: or
pub const TENON_SCATTER_ADD: i32 = 1;
/// NaN if there is one; bool: and
pub const TENON_SCATTER_MIN: i32 = 2;
pub const TENON_SCATTER_MAX: i32 = 3;
/// 7: a = b = 1, place (n - 1) q
pub const TENON_QUANTILE_LINEAR: i32 = 0;
/// the element before or at (n - 1) q
pub const TENON_QUANTILE_LOWER: i32 = 1;
/// the element after or at (n - 1) q
pub const TENON_QUANTILE_HIGHER: i32 = 2;
/// the mean of these two
pub const TENON_QUANTILE_MIDPOINT: i32 = 3;
/// the element nearest to (n - 1) q; the even one of two
pub const TENON_QUANTILE_NEAREST: i32 = 4;
/// 1
pub const TENON_QUANTILE_INVERTED_CDF: i32 = 5;
/// 2
pub const TENON_QUANTILE_AVERAGED_INVERTED_CDF: i32 = 6;
/// 3
pub const TENON_QUANTILE_CLOSEST_OBSERVATION: i32 = 7;
/// 4: a = 0, b = 1
pub const TENON_QUANTILE_INTERPOLATED_INVERTED_CDF: i32 = 8;
/// 5: a = b = 1 / 2
pub const TENON_QUANTILE_HAZEN: i32 = 9;
/// 6: a = b = 0
pub const TENON_QUANTILE_WEIBULL: i32 = 10;
/// 8: a = b = 1 / 3
pub const TENON_QUANTILE_MEDIAN_UNBIASED: i32 = 11;
/// 9: a = b = 3 / 8
pub const TENON_QUANTILE_NORMAL_UNBIASED: i32 = 12;
/// function(x), as tenon_unary
pub const TENON_STEP_UNARY: i32 = 1;
/// function(x, y), as tenon_binary
pub const TENON_STEP_BINARY: i32 = 2;
/// x ? y : z, as tenon_select
pub const TENON_STEP_SELECT: i32 = 3;
/// min(max(x, y), z), as tenon_clip; y or z may be -1: no bound on that side
pub const TENON_STEP_CLIP: i32 = 4;
/// x converted to dtype, as tenon_cast
pub const TENON_STEP_CAST: i32 = 5;
/// x\[y\]: the element of input x at index y of its first axis. Since level 1.1.
pub const TENON_STEP_GATHER: i32 = 6;
/// tenon_kernel_launch, tenon_call_launch of a kernel: arguments and geometry can be replaced
pub const TENON_GRAPH_KERNEL: i32 = 1;
/// a call of generated.h: arguments can be replaced
pub const TENON_GRAPH_GENERATED: i32 = 2;
/// tenon_operation_call, tenon_call_launch of an operation: arguments can be replaced
pub const TENON_GRAPH_OPERATION: i32 = 3;
/// any other function
pub const TENON_GRAPH_LIBRARY: i32 = 4;
/// \[biufc\] x itself.
pub const TENON_FN_POSITIVE: i32 = 1;
/// \[iufc\] -x; for integers modulo 2^bits.
pub const TENON_FN_NEGATIVE: i32 = 2;
/// \[biufc\] The absolute value; the smallest signed integer stays as it is.
pub const TENON_FN_ABS: i32 = 3;
/// \[iufc\] -1, 0 or 1; for complex numbers x / |x|; NaN for NaN.
pub const TENON_FN_SIGN: i32 = 4;
/// \[iufc\] x * x.
pub const TENON_FN_SQUARE: i32 = 5;
/// \[fc\] 1 / x.
pub const TENON_FN_RECIPROCAL: i32 = 6;
/// \[fc\] The square root; NaN for negative real numbers.
pub const TENON_FN_SQRT: i32 = 7;
/// \[f\] The cube root. On the CPU within 0.51 ulp in float32, 0.55 in float64.
pub const TENON_FN_CBRT: i32 = 8;
/// \[f\] 1 / sqrt(x).
pub const TENON_FN_RSQRT: i32 = 9;
/// \[fc\] e to the power x. On the CPU within 1 ulp in float32, 0.85 in float64.
pub const TENON_FN_EXP: i32 = 10;
/// \[fc\] 2 to the power x. On the CPU within 0.9 ulp in float32, 0.8 in float64.
pub const TENON_FN_EXP2: i32 = 11;
/// \[fc\] exp(x) - 1, accurate near 0. On the CPU within 0.51 ulp in float32, 1.2 in float64.
pub const TENON_FN_EXPM1: i32 = 12;
/// \[fc\] The natural logarithm. On the CPU within 0.85 ulp in float32, 0.85 in float64.
pub const TENON_FN_LOG: i32 = 13;
/// \[fc\] The logarithm to base 2. On the CPU within 1.2 ulp in float32, 0.7 in float64.
pub const TENON_FN_LOG2: i32 = 14;
/// \[fc\] The logarithm to base 10. On the CPU within 1.4 ulp in float32, 0.7 in float64.
pub const TENON_FN_LOG10: i32 = 15;
/// \[fc\] log(1 + x), accurate near 0. On the CPU within 0.51 ulp in float32, 2 in float64.
pub const TENON_FN_LOG1P: i32 = 16;
/// \[fc\] The sine. On the CPU within 1.7 ulp in float32, 0.85 in float64.
pub const TENON_FN_SIN: i32 = 17;
/// \[fc\] The cosine. On the CPU within 1.7 ulp in float32, 0.85 in float64.
pub const TENON_FN_COS: i32 = 18;
/// \[fc\] The tangent. On the CPU within 3.9 ulp in float32, 1.1 in float64.
pub const TENON_FN_TAN: i32 = 19;
/// \[fc\] The inverse sine. On the CPU within 0.51 ulp in float32, 2.5 in float64.
pub const TENON_FN_ASIN: i32 = 20;
/// \[fc\] The inverse cosine. On the CPU within 0.51 ulp in float32, 3 in float64.
pub const TENON_FN_ACOS: i32 = 21;
/// \[fc\] The inverse tangent. On the CPU within 0.51 ulp in float32, 1.8 in float64.
pub const TENON_FN_ATAN: i32 = 22;
/// \[fc\] The hyperbolic sine. On the CPU within 0.51 ulp in float32, 2.5 in float64.
pub const TENON_FN_SINH: i32 = 23;
/// \[fc\] The hyperbolic cosine. On the CPU within 0.51 ulp in float32, 1.5 in float64.
pub const TENON_FN_COSH: i32 = 24;
/// \[fc\] The hyperbolic tangent. On the CPU within 1.4 ulp in float32, 0.9 in float64.
pub const TENON_FN_TANH: i32 = 25;
/// \[fc\] The inverse hyperbolic sine. On the CPU within 0.51 ulp in float32, 3 in float64.
pub const TENON_FN_ASINH: i32 = 26;
/// \[fc\] The inverse hyperbolic cosine. On the CPU within 0.51 ulp in float32, 3 in float64.
pub const TENON_FN_ACOSH: i32 = 27;
/// \[fc\] The inverse hyperbolic tangent. On the CPU within 0.51 ulp in float32, 2.5 in float64.
pub const TENON_FN_ATANH: i32 = 28;
/// \[biuf\] The largest integer that is not above x, in x's dtype.
pub const TENON_FN_FLOOR: i32 = 29;
/// \[biuf\] The smallest integer that is not below x, in x's dtype.
pub const TENON_FN_CEIL: i32 = 30;
/// \[biuf\] The integer part of x, in x's dtype.
pub const TENON_FN_TRUNC: i32 = 31;
/// \[iufc\] The nearest integer, halves to the even one, in x's dtype.
pub const TENON_FN_ROUND: i32 = 32;
/// \[biufc\] Whether x is NaN.
pub const TENON_FN_ISNAN: i32 = 33;
/// \[biufc\] Whether x is infinite.
pub const TENON_FN_ISINF: i32 = 34;
/// \[biufc\] Whether x is neither infinite nor NaN.
pub const TENON_FN_ISFINITE: i32 = 35;
/// \[iuf\] Whether the sign of x is set, also of -0.0.
pub const TENON_FN_SIGNBIT: i32 = 36;
/// \[biufc\] Whether x is 0.
pub const TENON_FN_LOGICAL_NOT: i32 = 37;
/// \[biu\] Every bit inverted; for bool: not.
pub const TENON_FN_BITWISE_INVERT: i32 = 38;
/// \[iufc\] The complex conjugate.
pub const TENON_FN_CONJ: i32 = 39;
/// \[biufc\] The real part.
pub const TENON_FN_REAL: i32 = 40;
/// \[biufc\] The imaginary part; 0 for real numbers.
pub const TENON_FN_IMAG: i32 = 41;
/// \[fc\] The angle of a complex number, from -pi to pi; for a real one 0 or pi.
pub const TENON_FN_ANGLE: i32 = 42;
/// \[f\] Converts degrees to radians.
pub const TENON_FN_DEG2RAD: i32 = 43;
/// \[f\] Converts radians to degrees.
pub const TENON_FN_RAD2DEG: i32 = 44;
/// \[f\] sin(pi x) / (pi x); 1 at 0.
pub const TENON_FN_SINC: i32 = 45;
/// \[f\] The error function. On the CPU within 0.51 ulp in float32, 1.5 in float64.
pub const TENON_FN_ERF: i32 = 46;
/// \[f\] 1 - erf(x), accurate for large x. On the CPU within 0.51 ulp in float32, 5 in float64.
pub const TENON_FN_ERFC: i32 = 47;
/// \[f\] The gamma function.
pub const TENON_FN_GAMMA: i32 = 48;
/// \[f\] The logarithm of the absolute value of the gamma function.
pub const TENON_FN_LGAMMA: i32 = 49;
/// \[f\] The derivative of lgamma; NaN at negative integers, -infinity at 0.
pub const TENON_FN_DIGAMMA: i32 = 50;
/// \[f\] The logistic function 1 / (1 + exp(-x)). On the CPU within 2.5 ulp in float32, 2.5 in float64.
pub const TENON_FN_EXPIT: i32 = 51;
/// \[f\] log(x / (1 - x)).
pub const TENON_FN_LOGIT: i32 = 52;
/// \[f\] The Bessel function of the first kind of order 0.
pub const TENON_FN_J0: i32 = 53;
/// \[f\] The Bessel function of the first kind of order 1.
pub const TENON_FN_J1: i32 = 54;
/// \[f\] The Bessel function of the second kind of order 0.
pub const TENON_FN_Y0: i32 = 55;
/// \[f\] The Bessel function of the second kind of order 1.
pub const TENON_FN_Y1: i32 = 56;
/// \[biu\] The number of bits set in |x|.
pub const TENON_FN_BITWISE_COUNT: i32 = 57;
/// \[f\] -x log(x), the summand of an entropy; 0 at 0, -infinity below. Since level 1.1.
pub const TENON_FN_ENTR: i32 = 59;
/// \[f\] The inverse of erf: infinity at 1, -infinity at -1, NaN beyond. sqrt(2) erfinv(2 p - 1) is the normal
/// quantile. Since level 1.1.
pub const TENON_FN_ERFINV: i32 = 60;
/// \[f\] The modified Bessel function of the first kind of order 0. Since level 1.1.
pub const TENON_FN_I0: i32 = 61;
/// \[biufc\] x1 + x2; for bool: or.
pub const TENON_FN_ADD: i32 = 101;
/// \[iufc\] x1 - x2.
pub const TENON_FN_SUBTRACT: i32 = 102;
/// \[biufc\] x1 * x2; for bool: and.
pub const TENON_FN_MULTIPLY: i32 = 103;
/// \[fc\] x1 / x2; for integers in float64.
pub const TENON_FN_DIVIDE: i32 = 104;
/// \[iuf\] The largest integer that is not above x1 / x2; for integers 0 where x2 is 0.
pub const TENON_FN_FLOOR_DIVIDE: i32 = 105;
/// \[iuf\] x1 - floor_divide(x1, x2) * x2, with x2's sign; for integers 0 where x2 is 0.
pub const TENON_FN_REMAINDER: i32 = 106;
/// \[iuf\] C's remainder, with x1's sign; for integers 0 where x2 is 0.
pub const TENON_FN_FMOD: i32 = 107;
/// \[iufc\] x1 to the power x2. For integers modulo 2^bits; with a negative power, 1 and -1 give the exact result and
/// all other integers 0. On the CPU within 1 ulp in float32, 0.8 in float64.
pub const TENON_FN_POW: i32 = 108;
/// \[biufc\] The larger one; NaN if either is NaN. Complex numbers are ordered by their real, then their imaginary
/// parts.
pub const TENON_FN_MAXIMUM: i32 = 109;
/// \[biufc\] The smaller one; NaN if either is NaN. Complex numbers are ordered as by maximum.
pub const TENON_FN_MINIMUM: i32 = 110;
/// \[biufc\] The larger one, as by maximum; if only one is NaN, the other.
pub const TENON_FN_FMAX: i32 = 111;
/// \[biufc\] The smaller one, as by minimum; if only one is NaN, the other.
pub const TENON_FN_FMIN: i32 = 112;
/// \[biufc\] x1 == x2.
pub const TENON_FN_EQUAL: i32 = 113;
/// \[biufc\] x1 != x2.
pub const TENON_FN_NOT_EQUAL: i32 = 114;
/// \[biuf\] x1 < x2.
pub const TENON_FN_LESS: i32 = 115;
/// \[biuf\] x1 <= x2.
pub const TENON_FN_LESS_EQUAL: i32 = 116;
/// \[biuf\] x1 > x2.
pub const TENON_FN_GREATER: i32 = 117;
/// \[biuf\] x1 >= x2.
pub const TENON_FN_GREATER_EQUAL: i32 = 118;
/// \[biufc\] Whether both are nonzero.
pub const TENON_FN_LOGICAL_AND: i32 = 119;
/// \[biufc\] Whether at least one is nonzero.
pub const TENON_FN_LOGICAL_OR: i32 = 120;
/// \[biufc\] Whether exactly one is nonzero.
pub const TENON_FN_LOGICAL_XOR: i32 = 121;
/// \[biu\] The bits set in both.
pub const TENON_FN_BITWISE_AND: i32 = 122;
/// \[biu\] The bits set in at least one.
pub const TENON_FN_BITWISE_OR: i32 = 123;
/// \[biu\] The bits set in exactly one.
pub const TENON_FN_BITWISE_XOR: i32 = 124;
/// \[iu\] x1 * 2^x2 modulo 2^bits; 0 where x2 is negative or at least the number of bits.
pub const TENON_FN_BITWISE_LEFT_SHIFT: i32 = 125;
/// \[iu\] x1 / 2^x2 rounded down; where x2 is negative or at least the number of bits, 0, or -1 for a negative x1.
pub const TENON_FN_BITWISE_RIGHT_SHIFT: i32 = 126;
/// \[f\] The angle of the point (x2, x1), from -pi to pi. On the CPU within 0.51 ulp in float32, 2.5 in float64.
pub const TENON_FN_ATAN2: i32 = 127;
/// \[f\] sqrt(x1^2 + x2^2) without intermediate overflow. On the CPU within 0.51 ulp in float32, 1 in float64.
pub const TENON_FN_HYPOT: i32 = 128;
/// \[f\] x1 with x2's sign.
pub const TENON_FN_COPYSIGN: i32 = 129;
/// \[f\] The next number of the dtype after x1 towards x2.
pub const TENON_FN_NEXTAFTER: i32 = 130;
/// \[f\] log(exp(x1) + exp(x2)) without intermediate overflow.
pub const TENON_FN_LOGADDEXP: i32 = 131;
/// \[f\] log2(2^x1 + 2^x2) without intermediate overflow.
pub const TENON_FN_LOGADDEXP2: i32 = 132;
/// \[f\] 0 below 0, x2 at 0, 1 above.
pub const TENON_FN_HEAVISIDE: i32 = 133;
/// \[iu\] The greatest common divisor, not negative.
pub const TENON_FN_GCD: i32 = 134;
/// \[iu\] The lowest common multiple, not negative, modulo 2^bits.
pub const TENON_FN_LCM: i32 = 135;
/// \[f\] x1 * log(x2); 0 where x1 is 0.
pub const TENON_FN_XLOGY: i32 = 136;
/// \[f\] x1 log(x1 / x2), the summand of a relative entropy; 0 where x1 is 0 and x2 is not negative, infinity where one
/// of the two is otherwise not positive. Since level 1.1.
pub const TENON_FN_REL_ENTR: i32 = 140;
/// \[f\] Hurwitz's zeta function: the sum of (x2 + k)^-x1 over k = 0, 1, 2 ...; zeta(x, 1) is Riemann's. NaN for x1
/// below 1, infinity where x1 is 1 or x2 is 0 or a negative integer; negative x2 otherwise need a whole x1, else NaN.
/// Since level 1.1.
pub const TENON_FN_ZETA: i32 = 141;
/// \[iufc\] The sum. For integers in 64 bits, signed or unsigned; for bool the number of true elements. Floating-point
/// numbers are added in blocks and trees: the error grows with the logarithm of the count, and the same shape and
/// strides give the same bits.
pub const TENON_FN_SUM: i32 = 301;
/// \[iufc\] The product; dtypes as for sum.
pub const TENON_FN_PROD: i32 = 302;
/// \[biufc\] The largest element, as by maximum; NaN if there is one. There must be at least one element.
pub const TENON_FN_MAX: i32 = 303;
/// \[biufc\] The smallest element, as by minimum; NaN if there is one. There must be at least one element.
pub const TENON_FN_MIN: i32 = 304;
/// \[b\] Whether all elements are nonzero.
pub const TENON_FN_ALL: i32 = 305;
/// \[b\] Whether any element is nonzero.
pub const TENON_FN_ANY: i32 = 306;
/// \[b\] The number of nonzero elements.
pub const TENON_FN_COUNT_NONZERO: i32 = 307;
/// \[biufc\] The index, in C order of the reduced axes, of the first largest element, or of the first NaN. There must
/// be at least one element.
pub const TENON_FN_ARGMAX: i32 = 308;
/// \[biufc\] The index, in C order of the reduced axes, of the first smallest element, or of the first NaN. There must
/// be at least one element.
pub const TENON_FN_ARGMIN: i32 = 309;
/// \[fc\] The mean; for integers in float64; NaN for no elements.
pub const TENON_FN_MEAN: i32 = 310;
/// \[fc\] The variance: the mean of |x - mean|^2; correction is subtracted from the count.
pub const TENON_FN_VAR: i32 = 311;
/// \[fc\] The standard deviation: the square root of the variance.
pub const TENON_FN_STD: i32 = 312;
/// \[fc\] The Euclidean norm: the square root of the sum of |x|^2, which is computed in float64 for float32.
pub const TENON_FN_NORM: i32 = 313;
/// \[f\] log(sum(exp(x))) without intermediate overflow; -infinity for no elements.
pub const TENON_FN_LOGSUMEXP: i32 = 314;
/// \[iufc\] The running sum along an axis; dtypes as for sum.
pub const TENON_FN_CUMULATIVE_SUM: i32 = 401;
/// \[iufc\] The running product along an axis; dtypes as for prod.
pub const TENON_FN_CUMULATIVE_PROD: i32 = 402;
/// \[biufc\] The running maximum along an axis; NaN from the first one on.
pub const TENON_FN_CUMULATIVE_MAX: i32 = 403;
/// \[biufc\] The running minimum along an axis; NaN from the first one on.
pub const TENON_FN_CUMULATIVE_MIN: i32 = 404;
/// \[f\] The running logsumexp along an axis.
pub const TENON_FN_CUMULATIVE_LOGSUMEXP: i32 = 405;
/// compile the kernel, as on CUDA, even if the device has built-in code: for tests and comparisons
pub const TENON_APPLY_COMPILED: u32 = 1;
/// integers that never decrease: segment s is elements offsets\[s\] to offsets\[s + 1\] - 1, so that there is one
/// segment less than there are offsets
pub const TENON_SEGMENTS_OFFSETS: i32 = 0;
/// per element not 0 where a segment begins; element 0 always begins one
pub const TENON_SEGMENTS_FLAGS: i32 = 1;
/// per element a key: a segment is a run of equal keys; NaN equals NaN, -0 equals 0
pub const TENON_SEGMENTS_KEYS: i32 = 2;
/// per element the number of its segment, an integer, in any order; elements with numbers outside of \[0, count) belong
/// to none
pub const TENON_SEGMENTS_NUMBERS: i32 = 3;
/// full precision of the dtype; f16 and bf16 accumulate in f32
pub const TENON_COMPUTE_STRICT: i32 = 0;
/// float32 on CUDA may use TF32 products (10-bit mantissa); elsewhere as STRICT
pub const TENON_COMPUTE_TF32: i32 = 1;
/// float32 on CUDA by tensor cores, with the accuracy of float32 (tenon_gemm)
pub const TENON_COMPUTE_FAST: i32 = 2;
/// float32 on CUDA may use bfloat16 products (7-bit mantissa); elsewhere as STRICT
pub const TENON_COMPUTE_BF16: i32 = 3;
pub const TENON_EPILOGUE_NONE: i32 = 0;
/// max(x, 0); NaN stays NaN
pub const TENON_EPILOGUE_RELU: i32 = 1;
/// x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2
pub const TENON_EPILOGUE_GELU: i32 = 2;
pub const TENON_OP_NONE: i32 = 0;
pub const TENON_OP_TRANSPOSE: i32 = 1;
/// the conjugate transpose
pub const TENON_OP_ADJOINT: i32 = 2;
/// u (..., m, m), vh (..., n, n)
pub const TENON_SVD_MODE_FULL: i32 = 0;
/// u (..., m, k), vh (..., k, n) with k = min(m, n)
pub const TENON_SVD_MODE_ECONOMY: i32 = 1;
/// singular values only: out_u and out_vh may be NULL, else *out_u and *out_vh are not changed
pub const TENON_SVD_MODE_VALUES: i32 = 2;
/// chosen by shape, dtype, device and k
pub const TENON_SVD_DRIVER_AUTO: i32 = 0;
/// the QR iteration: xGESVD; cusolverDnXgesvd
pub const TENON_SVD_DRIVER_QR: i32 = 1;
/// divide and conquer: xGESDD; the CPU only
pub const TENON_SVD_DRIVER_DIVIDE: i32 = 2;
/// xGESVJ; on CUDA a kernel for matrices of up to 256 x 64
pub const TENON_SVD_DRIVER_JACOBI: i32 = 3;
/// the polar decomposition and a symmetric eigensolver, for large matrices on CUDA (cusolverDnXgesvdp)
pub const TENON_SVD_DRIVER_POLAR: i32 = 4;
/// the eigenvectors of a^H a (or a a^H), in double precision: for tall and wide matrices
pub const TENON_SVD_DRIVER_GRAM: i32 = 5;
/// the leading k triplets by a block Krylov space
pub const TENON_SVD_DRIVER_KRYLOV: i32 = 6;
/// the leading k triplets by random projection: for singular values that decay fast
pub const TENON_SVD_DRIVER_RANDOMIZED: i32 = 7;
/// any a: LU with partial pivoting (xGETRF, xGETRS; cusolverDnXgetrf, Xgetrs)
pub const TENON_SOLVE_GENERAL: i32 = 0;
/// positive definite a, its lower triangle (xPOTRF, xPOTRS; cusolverDnXpotrf, ...)
pub const TENON_SOLVE_POSITIVE: i32 = 1;
/// the lower triangle of a; the rest is not read (xTRSM; cublasXtrsm)
pub const TENON_SOLVE_LOWER: i32 = 2;
/// the upper triangle; the rest is not read
pub const TENON_SOLVE_UPPER: i32 = 3;
/// q (..., m, k), r (..., k, n) with k = min(m, n)
pub const TENON_QR_REDUCED: i32 = 0;
/// q (..., m, m), r (..., m, n)
pub const TENON_QR_COMPLETE: i32 = 1;
/// r (..., k, n) only: out_q may be NULL, and *out_q is not changed
pub const TENON_QR_R: i32 = 2;
/// level 1.1: what xGEQRF leaves. out_q receives its matrix transposed, (..., n, m), where row j holds the start of
/// column j of r and then reflector j without its leading 1; out_r receives tau (..., k), the reflectors' factors: q is
/// the product of I - tau v v^H
pub const TENON_QR_RAW: i32 = 3;
/// the square root of the sum of squares
pub const TENON_NORM_FROBENIUS: i32 = 0;
/// the largest column sum of absolute values
pub const TENON_NORM_ONE: i32 = 1;
/// the largest row sum of absolute values
pub const TENON_NORM_INFINITY: i32 = 2;
/// the largest absolute value; not an operator norm
pub const TENON_NORM_LARGEST: i32 = 3;
/// the largest singular value
pub const TENON_NORM_TWO: i32 = 4;
/// the smallest singular value
pub const TENON_NORM_MINUS_TWO: i32 = 5;
/// the sum of the singular values
pub const TENON_NORM_NUCLEAR: i32 = 6;
/// sum of x\[j\] exp(-2 pi i j k / n)
pub const TENON_FFT_DIRECTION_FORWARD: i32 = 0;
/// sum of x\[j\] exp(+2 pi i j k / n)
pub const TENON_FFT_DIRECTION_INVERSE: i32 = 1;
/// forward unscaled, inverse 1/n
pub const TENON_FFT_NORM_BACKWARD: i32 = 0;
/// both 1/sqrt(n)
pub const TENON_FFT_NORM_ORTHO: i32 = 1;
/// forward 1/n, inverse unscaled
pub const TENON_FFT_NORM_FORWARD: i32 = 2;
/// every sum in which a and b overlap: m + n - 1 numbers for extents m and n
pub const TENON_CONVOLVE_FULL: i32 = 0;
/// the m numbers in the middle of these, from number (n - 1) / 2 on
pub const TENON_CONVOLVE_SAME: i32 = 1;
/// the sums in which b lies entirely within a: m - n + 1 numbers, from number n - 1 on; m >= n
pub const TENON_CONVOLVE_VALID: i32 = 2;
/// accept files that others own or can write, or that lie in such directories: for containers and shared mounts
pub const TENON_PACKAGE_ANY_OWNER: u32 = 1;
/// a signature by a trusted key is required
pub const TENON_PACKAGE_SIGNED: u32 = 2;
/// the same arguments give the same bits
pub const TENON_OPERATION_DETERMINISTIC: u32 = 1;
/// an output may be exactly an input
pub const TENON_OPERATION_IN_PLACE: u32 = 2;
/// runs on the CPU
pub const TENON_OPERATION_CPU: u32 = 4;
/// runs on CUDA devices
pub const TENON_OPERATION_CUDA: u32 = 8;
/// has a gradient
pub const TENON_OPERATION_GRADIENT: u32 = 16;
/// an array that is read
pub const TENON_ROLE_IN: i32 = 1;
/// an array that is written
pub const TENON_ROLE_OUT: i32 = 2;
/// an array that is read and written
pub const TENON_ROLE_INOUT: i32 = 3;
/// a number, or a list of numbers
pub const TENON_ROLE_SCALAR: i32 = 4;
/// an argument of kind 0 (all zeros) means the default
pub const TENON_OPERAND_HAS_DEFAULT: u32 = 1;
/// takes TENON_ARG_BYTES: consecutive numbers
pub const TENON_OPERAND_LIST: u32 = 2;
/// an int32: the index of the choice
pub const TENON_OPERAND_CHOICE: u32 = 4;
/// an array that may be left out: an argument of kind 0 (all zeros)
pub const TENON_OPERAND_OPTIONAL: u32 = 8;

/// One of `TENON_HANDLE_*`; later versions may add values.
pub type tenon_handle_constant = i32;

/// One of `TENON_*`; later versions may add values.
pub type tenon_dtype = u32;

/// One of `TENON_LOG_*`; later versions may add values.
pub type tenon_log_constant = i32;

/// One of `TENON_CACHE_*`; later versions may add values.
pub type tenon_cache_constant = i32;

/// Bits `TENON_CONTEXT_*`, combined.
pub type tenon_context_flags = u32;

/// One of `TENON_DEVICE_*`; later versions may add values.
pub type tenon_device_constant = i32;

/// Bits `TENON_EVENT_*`, combined.
pub type tenon_event_flags = u32;

/// One of `TENON_ARG_*`; later versions may add values.
pub type tenon_arg_constant = u32;

/// One of `TENON_MEMORY_*`; later versions may add values.
pub type tenon_memory_constant = i32;

/// Bits `TENON_ARRAY_*`, combined.
pub type tenon_array_flags = u32;

/// One of `TENON_ACCESS_*`; later versions may add values.
pub type tenon_access_constant = i32;

/// Bits `TENON_DLPACK_*`, combined.
pub type tenon_dlpack_flags = u32;

/// One of `TENON_PROGRAM_MODE_*`; later versions may add values.
pub type tenon_program_mode_constant = i32;

/// Bits `TENON_PROGRAM_FLAG_*`, combined.
pub type tenon_program_flags = u32;

/// One of `TENON_IMAGE_*`; later versions may add values.
pub type tenon_image_constant = i32;

/// One of `TENON_PARAMETER_*`; later versions may add values.
pub type tenon_parameter_constant = i32;

/// Bits `TENON_EXECUTION_*`, combined.
pub type tenon_execution_flags = u32;

/// Bits `TENON_LAUNCH_*`, combined.
pub type tenon_launch_flags = u32;

/// One of `TENON_INPUT_*`; later versions may add values.
pub type tenon_input_constant = i32;

/// One of `TENON_ADDRESS_*`; later versions may add values.
pub type tenon_address_constant = i32;

/// One of `TENON_FILTER_*`; later versions may add values.
pub type tenon_filter_constant = i32;

/// One of `TENON_RANDOM_*`; later versions may add values.
pub type tenon_random_constant = i32;

/// One of `TENON_PAD_*`; later versions may add values.
pub type tenon_pad_constant = i32;

/// One of `TENON_SCATTER_*`; later versions may add values.
pub type tenon_scatter_constant = i32;

/// One of `TENON_QUANTILE_*`; later versions may add values.
pub type tenon_quantile_constant = i32;

/// One of `TENON_STEP_*`; later versions may add values.
pub type tenon_step_constant = i32;

/// One of `TENON_GRAPH_*`; later versions may add values.
pub type tenon_graph_constant = i32;

/// One of `TENON_FN_*`; later versions may add values.
pub type tenon_fn_constant = i32;

/// Bits `TENON_APPLY_*`, combined.
pub type tenon_apply_flags = u32;

/// One of `TENON_SEGMENTS_*`; later versions may add values.
pub type tenon_segments_constant = i32;

/// One of `TENON_COMPUTE_*`; later versions may add values.
pub type tenon_compute_constant = i32;

/// One of `TENON_EPILOGUE_*`; later versions may add values.
pub type tenon_epilogue_constant = i32;

/// One of `TENON_OP_*`; later versions may add values.
pub type tenon_op_constant = i32;

/// One of `TENON_SVD_MODE_*`; later versions may add values.
pub type tenon_svd_mode_constant = i32;

/// One of `TENON_SVD_DRIVER_*`; later versions may add values.
pub type tenon_svd_driver_constant = i32;

/// One of `TENON_SOLVE_*`; later versions may add values.
pub type tenon_solve_constant = i32;

/// One of `TENON_QR_*`; later versions may add values.
pub type tenon_qr_constant = i32;

/// One of `TENON_NORM_*`; later versions may add values.
pub type tenon_norm_constant = i32;

/// One of `TENON_FFT_DIRECTION_*`; later versions may add values.
pub type tenon_fft_direction_constant = i32;

/// One of `TENON_FFT_NORM_*`; later versions may add values.
pub type tenon_fft_norm_constant = i32;

/// One of `TENON_CONVOLVE_*`; later versions may add values.
pub type tenon_convolve_constant = i32;

/// Bits `TENON_PACKAGE_*`, combined.
pub type tenon_package_flags = u32;

/// Bits `TENON_OPERATION_*`, combined.
pub type tenon_operation_flags = u32;

/// One of `TENON_ROLE_*`; later versions may add values.
pub type tenon_role_constant = i32;

/// Bits `TENON_OPERAND_*`, combined.
pub type tenon_operand_flags = u32;

/// A sequence of bytes owned by the library: a log, a report, PTX, a cubin. Immutable.
#[repr(C)]
pub struct tenon_blob {
    _bytes: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// A failure as an object, which can be stored, passed to another thread or printed later. Immutable.
#[repr(C)]
pub struct tenon_error {
    _bytes: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

#[repr(C)]
pub struct tenon_context {
    _bytes: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

#[repr(C)]
pub struct tenon_device {
    _bytes: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

#[repr(C)]
pub struct tenon_stream {
    _bytes: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

#[repr(C)]
pub struct tenon_event {
    _bytes: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

#[repr(C)]
pub struct tenon_array {
    _bytes: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

#[repr(C)]
pub struct tenon_texture {
    _bytes: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

#[repr(C)]
pub struct tenon_buffer {
    _bytes: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

#[repr(C)]
pub struct DLManagedTensor {
    _bytes: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

#[repr(C)]
pub struct DLManagedTensorVersioned {
    _bytes: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

#[repr(C)]
pub struct tenon_program {
    _bytes: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

#[repr(C)]
pub struct tenon_kernel {
    _bytes: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

#[repr(C)]
pub struct tenon_call {
    _bytes: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// A compile in the background, in a separate process (for NVRTC too: within one process it parses one source at a
/// time, and cannot be stopped while it instantiates templates). Any number may be started; as many run at the same
/// time as the CPU device has threads (tenon_cpu_threads_set in context.h), the others wait for their turn. While a
/// compile runs, a context's log callback may be called on one of Tenon's threads.
#[repr(C)]
pub struct tenon_compilation {
    _bytes: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

#[repr(C)]
pub struct tenon_elementwise {
    _bytes: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

#[repr(C)]
pub struct tenon_reduction {
    _bytes: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

#[repr(C)]
pub struct tenon_scan {
    _bytes: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

#[repr(C)]
pub struct tenon_graph {
    _bytes: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

#[repr(C)]
pub struct tenon_package {
    _bytes: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

#[repr(C)]
pub struct tenon_operation {
    _bytes: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// Receives a log line (UTF-8, no newline). Runs on the thread that logs, without a lock held; it may call Tenon. It
/// must not let an exception escape; one that escapes is dropped.
pub type tenon_log_fn =
    Option<unsafe extern "C" fn(user: *mut c_void, level: tenon_log_constant, message: *const c_char)>;

/// Destroys a user pointer. Runs exactly once if the call that received it succeeded, and never if that call failed.
/// Runs without a lock held, on the thread of the call that drops the last use of the pointer. It may call Tenon; that
/// does not change the error record of the call that runs it. It must not let an exception escape: one that escapes is
/// dropped and logged as an error of the context, except those of log_destroy, after which there is no log, and of
/// plug-ins' functions (plugin.h), which belong to no context.
pub type tenon_destroy_fn =
    Option<unsafe extern "C" fn(user: *mut c_void)>;

/// Allocates memory of a device for work on a stream (a CUstream; 0 on the CPU), as PyTorch's and RMM's allocators do:
/// work enqueued on that stream from now on may use it. The address is a multiple of 256 on CUDA, of 64 on the CPU.
/// Returns 0 on success; any other value means that there is no memory, and *out_data is ignored. Runs on any thread;
/// it must not call Tenon, nor let an exception escape, which counts as no memory.
pub type tenon_allocate_fn =
    Option<unsafe extern "C" fn(user: *mut c_void, device_kind: tenon_device_constant, device_index: i32, bytes: u64,
                                stream: u64, out_data: *mut *mut c_void) -> i32>;

/// Frees memory that the allocate function returned, with the same number of bytes: work enqueued on `stream` from now
/// on may reuse it. Otherwise as tenon_allocate_fn.
pub type tenon_deallocate_fn =
    Option<unsafe extern "C" fn(user: *mut c_void, device_kind: tenon_device_constant, device_index: i32,
                                data: *mut c_void, bytes: u64, stream: u64)>;

/// A host function that runs in stream order. On the CPU device it runs within tenon_stream_call_host, on the caller's
/// thread, and may call Tenon; it must not wait for another thread that uses the same stream, and cannot change the
/// graph whose launch calls it. On a CUDA device it runs on a thread of the driver: it must not call Tenon or CUDA, and
/// must not wait for the result of such a call; later work on the stream waits for it. It must not let an exception
/// escape; one that escapes is dropped, and logged if the function runs on the caller's thread.
pub type tenon_stream_fn =
    Option<unsafe extern "C" fn(user: *mut c_void)>;

/// Sets *out_stream to the current stream of a framework on a device (TENON_DEVICE_*, index), a CUstream, and returns
/// 0. It is the `current_work_stream` of DLPack's C exchange API. Tenon calls it on the thread of the call that uses an
/// array, without a lock held. The function and the streams that it returns must live as long as the process (as
/// PyTorch's do).
pub type tenon_current_stream_fn =
    Option<unsafe extern "C" fn(device_type: tenon_device_constant, device_id: i32,
                                out_stream: *mut *mut c_void) -> i32>;

/// A call that compiles calls this function every few milliseconds, on the thread that made the call; a result other
/// than 0 ends the compiler, and the call returns CANCELLED. The function must not call Tenon.
pub type tenon_interrupt_fn =
    Option<unsafe extern "C" fn(user: *mut c_void) -> i32>;

/// Does the work of one step. The arguments have been checked: arrays are C-contiguous unless the contract says
/// strided. Returns TENON_OK or a status; the text of a failing call of Tenon becomes part of the message, any other
/// value becomes the native code. May run on several threads at the same time. It must not throw.
pub type tenon_host_fn =
    Option<unsafe extern "C" fn(user: *mut c_void, call: *const tenon_host_call) -> i32>;

/// Registers the package: the text of its contract, and `count` functions, which are copied. All have the same
/// struct_size: that of the plug-in's headers. tenon_plugin_init calls it once. The contract is checked after
/// tenon_plugin_init has returned. INVALID_ARGUMENT: a second package, no function, two functions of the same name,
/// NULL; the object is then refused, with a text that says why.
pub type tenon_registry_add_fn =
    Option<unsafe extern "C" fn(user: *mut c_void, contract: *const c_char, functions: *const tenon_host_function,
                                count: i32) -> i32>;

pub type tenon_plugin_init_fn =
    Option<unsafe extern "C" fn(api: *const tenon_api, registry: *mut tenon_registry) -> i32>;

/// The source of memory of kind TENON_MEMORY_DEVICE. A context can be given an allocator (options), a device too
/// (tenon_device_use_allocator), and a device can lend its own (tenon_device_allocator).
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tenon_allocator {
    pub struct_size: u32,
    pub reserved: u32,
    pub allocate: tenon_allocate_fn,
    pub deallocate: tenon_deallocate_fn,
    /// lives until destroy
    pub user: *mut c_void,
    /// destroys user
    pub destroy: tenon_destroy_fn,
}

impl tenon_allocator {
    pub fn new() -> Self {
        let mut zero: Self = unsafe { core::mem::zeroed() };
        zero.struct_size = core::mem::size_of::<Self>() as u32;
        zero
    }
}

impl Default for tenon_allocator {
    fn default() -> Self {
        Self::new()
    }
}

/// For an option left at its default, the environment variables listed at the top of this file are read.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tenon_context_options {
    pub struct_size: u32,
    pub flags: tenon_context_flags,
    /// default: $TENON_CACHE_DIR, then $XDG_CACHE_HOME/tenon, then ~/.cache/tenon
    pub cache_directory: *const c_char,
    /// default: 2 GiB; least recently used entries are removed first
    pub cache_limit_bytes: u64,
    pub cache_mode: tenon_cache_constant,
    /// 0: the default, TENON_LOG_WARNING
    pub log_level: tenon_log_constant,
    /// default: lines go to stderr
    pub log: tenon_log_fn,
    pub log_user: *mut c_void,
    /// called with log_user when the context closes; not if creating the context fails: the caller then keeps log_user
    pub log_destroy: tenon_destroy_fn,
    /// limit for a launch in TENON_PROGRAM_MODE_CHECK on the CPU, which is then a KERNEL_FAULT; default:
    /// $TENON_KERNEL_TIMEOUT, then 60; negative (or 0 in the environment): no limit
    pub kernel_timeout_seconds: f64,
    /// per device, default: none
    pub memory_limit_bytes: u64,
    /// absolute directories, separated by colons, in which packages are found by name; default: $TENON_PLUGIN_PATH
    pub plugin_path: *const c_char,
    /// for tuning records (plugin.h); default: $TENON_TUNING_DIR, then $XDG_DATA_HOME/tenon/tuning, then
    /// ~/.local/share/tenon/tuning
    pub tuning_directory: *const c_char,
    /// for the devices' memory, instead of Tenon's own pools; copied. Its destroy runs after the context has closed,
    /// and not if creating the context fails
    pub allocator: *const tenon_allocator,
}

impl tenon_context_options {
    pub fn new() -> Self {
        let mut zero: Self = unsafe { core::mem::zeroed() };
        zero.struct_size = core::mem::size_of::<Self>() as u32;
        zero
    }
}

impl Default for tenon_context_options {
    fn default() -> Self {
        Self::new()
    }
}

/// The properties of a device. The launch limits of the CPU device are those of a mainstream GPU, so that a launch that
/// fits one fits the other. Unknown values are 0.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tenon_device_info {
    pub struct_size: u32,
    /// TENON_DEVICE_*
    pub kind: tenon_device_constant,
    pub index: i32,
    /// compute capability; 0 on the CPU
    pub compute_major: i32,
    pub compute_minor: i32,
    /// on the CPU: tenon_cpu_threads_get
    pub multiprocessors: i32,
    pub warp_size: i32,
    pub max_threads_per_block: i32,
    pub max_block: [i32; 3],
    pub max_grid: [i32; 3],
    /// bytes of shared memory per block without opting in to more
    pub shared_per_block: u64,
    /// the most per block, with dynamic shared memory
    pub shared_per_block_max: u64,
    /// bytes
    pub total_memory: u64,
    /// bytes, now
    pub free_memory: u64,
    pub l2_bytes: u64,
    pub max_threads_per_multiprocessor: i32,
    /// CUDA: 1000 * major + 10 * minor; 0 on the CPU
    pub driver_version: i32,
}

impl tenon_device_info {
    pub fn new() -> Self {
        let mut zero: Self = unsafe { core::mem::zeroed() };
        zero.struct_size = core::mem::size_of::<Self>() as u32;
        zero
    }
}

impl Default for tenon_device_info {
    fn default() -> Self {
        Self::new()
    }
}

/// Memory statistics of a device's pool, in bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tenon_memory_info {
    pub struct_size: u32,
    pub reserved: u32,
    /// in live buffers
    pub used: u64,
    pub used_peak: u64,
    /// allocated from the system, including free blocks
    pub held: u64,
    /// 0: no limit
    pub limit: u64,
    /// so far
    pub allocations: u64,
}

impl tenon_memory_info {
    pub fn new() -> Self {
        let mut zero: Self = unsafe { core::mem::zeroed() };
        zero.struct_size = core::mem::size_of::<Self>() as u32;
        zero
    }
}

impl Default for tenon_memory_info {
    fn default() -> Self {
        Self::new()
    }
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tenon_stream_options {
    pub struct_size: u32,
    /// CUDA: lower runs first; clamped by CUDA to the device's range
    pub priority: i32,
}

impl tenon_stream_options {
    pub fn new() -> Self {
        let mut zero: Self = unsafe { core::mem::zeroed() };
        zero.struct_size = core::mem::size_of::<Self>() as u32;
        zero
    }
}

impl Default for tenon_stream_options {
    fn default() -> Self {
        Self::new()
    }
}

#[repr(C)]
#[derive(Clone, Copy)]
pub union tenon_arg_value {
    pub array: *mut tenon_array,
    pub texture: *mut tenon_texture,
    pub pointer: *const c_void,
    pub bytes: *const c_void,
    pub i8: i8,
    pub i16: i16,
    pub i32: i32,
    pub i64: i64,
    pub u8: u8,
    pub u16: u16,
    pub u32: u32,
    pub u64: u64,
    pub f32: f32,
    pub f64: f64,
    pub c64: [f32; 2],
    pub c128: [f64; 2],
}

/// One argument, a struct of 32 bytes that never grows. SCALAR uses `dtype` and `size` (in bytes; 0 means the size of
/// the dtype), BYTES uses `size`. A scalar is in the member of its dtype: bool in u8 (0 or 1), float16 and bfloat16 in
/// u16 (their bits), float8 in u8. Use the macros below, which are expressions and work in C99 and in C++11.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct tenon_arg {
    pub kind: tenon_arg_constant,
    pub dtype: tenon_dtype,
    pub size: u64,
    pub value: tenon_arg_value,
}

impl tenon_arg {
    pub fn new() -> Self {
        let zero: Self = unsafe { core::mem::zeroed() };
        zero
    }
}

impl Default for tenon_arg {
    fn default() -> Self {
        Self::new()
    }
}

/// The properties of an array. Pointers are borrowed and live as long as the array.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tenon_array_info {
    pub struct_size: u32,
    pub dtype: tenon_dtype,
    pub rank: i32,
    /// TENON_ARRAY_*
    pub flags: tenon_array_flags,
    /// address of the element at index 0
    pub data: *mut c_void,
    /// rank extents
    pub shape: *const i64,
    /// rank strides, in elements
    pub strides: *const i64,
    /// number of elements
    pub size: i64,
    /// size of the elements in bytes, without gaps
    pub bytes: u64,
    /// TENON_DEVICE_*
    pub device_kind: tenon_device_constant,
    pub device_index: i32,
    /// TENON_MEMORY_*
    pub memory_kind: tenon_memory_constant,
    pub reserved: i32,
}

impl tenon_array_info {
    pub fn new() -> Self {
        let mut zero: Self = unsafe { core::mem::zeroed() };
        zero.struct_size = core::mem::size_of::<Self>() as u32;
        zero
    }
}

impl Default for tenon_array_info {
    fn default() -> Self {
        Self::new()
    }
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tenon_program_options {
    pub struct_size: u32,
    /// TENON_PROGRAM_FLAG_FAST_MATH ...
    pub flags: tenon_program_flags,
    /// name of the source, for messages; default "kernel.cu"
    pub name: *const c_char,
    /// kernel_count names or template instances: "saxpy", "axpy<float>", "ns::k<int, 4>"
    pub kernels: *const *const c_char,
    pub kernel_count: i32,
    pub header_count: i32,
    /// headers passed as text: #include "name" finds these first
    pub header_names: *const *const c_char,
    pub header_sources: *const *const c_char,
    /// passed to the compiler: -D, -I, -U, -std=, and its own
    pub options: *const *const c_char,
    pub option_count: i32,
    /// TENON_PROGRAM_MODE_FAST ...
    pub mode: tenon_program_mode_constant,
    /// CUDA: an architecture such as "sm_90" to compile for instead of the device's own; such a program cannot be run.
    /// CPU: "x86-64-v2", "x86-64-v3", "x86-64-v4" or "native" (the instructions of this processor), which is the
    /// default unless $TENON_CPU_ISA says otherwise. A processor to schedule the code for may follow: ",tune=znver4".
    /// UNSUPPORTED: the processor lacks the instructions. The results are the same from v3 on; v2 has no fused
    /// multiply-add, so that a * b + c is rounded twice
    pub architecture: *const c_char,
    /// global_count __device__ and __constant__ variables for tenon_program_global: "table", "ns::scale"
    pub globals: *const *const c_char,
    pub global_count: i32,
    pub reserved: u32,
    /// seconds that compiling may take; 0: five minutes. A compile that takes longer is ended: COMPILE. If a limit is
    /// given, NVRTC too runs in a separate process, which can be ended at once
    pub time_limit: f64,
}

impl tenon_program_options {
    pub fn new() -> Self {
        let mut zero: Self = unsafe { core::mem::zeroed() };
        zero.struct_size = core::mem::size_of::<Self>() as u32;
        zero
    }
}

impl Default for tenon_program_options {
    fn default() -> Self {
        Self::new()
    }
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tenon_parameter_info {
    pub struct_size: u32,
    /// TENON_PARAMETER_*
    pub kind: tenon_parameter_constant,
    /// 0: none fits (void*, a struct)
    pub dtype: tenon_dtype,
    /// 1: a pointer to const, through which the kernel only reads
    pub read_only: u32,
    /// bytes of the parameter
    pub size: u32,
    pub alignment: u32,
    /// bytes of the type that a pointer points at; 0 for void
    pub element_size: u32,
    pub reserved: u32,
}

impl tenon_parameter_info {
    pub fn new() -> Self {
        let mut zero: Self = unsafe { core::mem::zeroed() };
        zero.struct_size = core::mem::size_of::<Self>() as u32;
        zero
    }
}

impl Default for tenon_parameter_info {
    fn default() -> Self {
        Self::new()
    }
}

/// Properties of a kernel as reported by the compiler and the device; on the CPU fields without a meaning are 0.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tenon_kernel_info {
    pub struct_size: u32,
    pub max_threads_per_block: i32,
    pub registers: i32,
    /// TENON_EXECUTION_*
    pub execution: tenon_execution_flags,
    /// static
    pub shared_bytes: u64,
    pub constant_bytes: u64,
    /// per thread
    pub local_bytes: u64,
    /// the most dynamic shared memory that a launch may request, on every device
    pub dynamic_shared_bytes: u64,
    /// the virtual architecture that it was compiled for: 90 is compute_90
    pub ptx_version: i32,
    /// the architecture of its machine code: 90 is sm_90
    pub binary_version: i32,
    /// 1: loads from global memory are cached in L1 (-Xptxas --dlcm=ca)
    pub cache_mode_ca: i32,
    /// what tenon_kernel_prefer_shared set; -1: nothing, or the device's choice
    pub shared_carveout: i32,
}

impl tenon_kernel_info {
    pub fn new() -> Self {
        let mut zero: Self = unsafe { core::mem::zeroed() };
        zero.struct_size = core::mem::size_of::<Self>() as u32;
        zero
    }
}

impl Default for tenon_kernel_info {
    fn default() -> Self {
        Self::new()
    }
}

/// Launch geometry. A zero in grid or block counts as 1.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tenon_launch {
    pub struct_size: u32,
    /// TENON_LAUNCH_*
    pub flags: tenon_launch_flags,
    /// blocks
    pub grid: [u32; 3],
    /// threads per block
    pub block: [u32; 3],
    /// blocks per cluster; 0: none. The CPU device, and compute capability 9.0 and later
    pub cluster: [u32; 3],
    /// dynamic shared memory; more than 48 KiB needs no special setting
    pub shared_bytes: u32,
}

impl tenon_launch {
    pub fn new() -> Self {
        let mut zero: Self = unsafe { core::mem::zeroed() };
        zero.struct_size = core::mem::size_of::<Self>() as u32;
        zero
    }
}

impl Default for tenon_launch {
    fn default() -> Self {
        Self::new()
    }
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tenon_program_input {
    pub struct_size: u32,
    pub kind: tenon_input_constant,
    pub data: *const c_void,
    /// bytes
    pub size: u64,
    /// for messages; NULL: "input 0" and so on
    pub name: *const c_char,
}

impl tenon_program_input {
    pub fn new() -> Self {
        let mut zero: Self = unsafe { core::mem::zeroed() };
        zero.struct_size = core::mem::size_of::<Self>() as u32;
        zero
    }
}

impl Default for tenon_program_input {
    fn default() -> Self {
        Self::new()
    }
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tenon_texture_options {
    pub struct_size: u32,
    /// 1 to 3; 0: the axes of the source that are nothing else
    pub dimensions: i32,
    /// 1, 2 or 4: the last axis of the source; 0: none, scalar texels
    pub channels: i32,
    /// the first axis of the source counts layers; 1 or 2 dimensions
    pub layered: i32,
    /// 2 dimensions; the axis before them has 6 faces, in CUDA's order
    pub cube: i32,
    /// from 0 to 1 over the extent; always so for cube maps
    pub normalized_coordinates: i32,
    /// integers of 8 and 16 bits as floats of \[0, 1\] or \[-1, 1\]
    pub normalized_reads: i32,
    /// kernels may also write it
    pub surface: i32,
    /// kernels may call tex2Dgather; 2 dimensions
    pub gather: i32,
    /// read the source's own memory
    pub share: i32,
    pub filter: tenon_filter_constant,
    /// not for layers; cube maps take CLAMP only
    pub address_x: tenon_address_constant,
    pub address_y: tenon_address_constant,
    pub address_z: tenon_address_constant,
    /// by channel, for BORDER; 0 where reads give integers
    pub border: [f32; 4],
}

impl tenon_texture_options {
    pub fn new() -> Self {
        let mut zero: Self = unsafe { core::mem::zeroed() };
        zero.struct_size = core::mem::size_of::<Self>() as u32;
        zero
    }
}

impl Default for tenon_texture_options {
    fn default() -> Self {
        Self::new()
    }
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tenon_texture_info {
    pub struct_size: u32,
    /// of a channel
    pub dtype: tenon_dtype,
    pub dimensions: i32,
    /// 1, 2 or 4
    pub channels: i32,
    pub layered: i32,
    pub cube: i32,
    pub surface: i32,
    /// reads the memory of an array
    pub shared: i32,
    /// in texels; 1 for dimensions that it does not have
    pub width: i64,
    /// in texels; 1 for dimensions that it does not have
    pub height: i64,
    /// in texels; 1 for dimensions that it does not have
    pub depth: i64,
    /// layers times faces; 1 for neither
    pub layers: i64,
    /// what kernels get for TENON_TEXTURE_ARG; on CUDA a CUtexObject
    pub texture_object: u64,
    /// for TENON_SURFACE_ARG; 0: not a surface
    pub surface_object: u64,
}

impl tenon_texture_info {
    pub fn new() -> Self {
        let mut zero: Self = unsafe { core::mem::zeroed() };
        zero.struct_size = core::mem::size_of::<Self>() as u32;
        zero
    }
}

impl Default for tenon_texture_info {
    fn default() -> Self {
        Self::new()
    }
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tenon_random_options {
    pub struct_size: u32,
    pub reserved: u32,
    pub key: u64,
    /// the first counter
    pub offset: u64,
    /// below 2^32; with BITS any number. Draws of different streams share no counter
    pub stream: u64,
    /// of the distribution
    pub a: f64,
    /// of the distribution
    pub b: f64,
    /// INTEGERS: the smallest number; for uint64 its bits
    pub low: i64,
    /// INTEGERS: how many numbers to choose from; 0: 2^64, or all of a narrower dtype
    pub count: u64,
}

impl tenon_random_options {
    pub fn new() -> Self {
        let mut zero: Self = unsafe { core::mem::zeroed() };
        zero.struct_size = core::mem::size_of::<Self>() as u32;
        zero
    }
}

impl Default for tenon_random_options {
    fn default() -> Self {
        Self::new()
    }
}

/// For functions that have no options yet; pass NULL or this struct.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tenon_moving_options {
    pub struct_size: u32,
    pub reserved: u32,
}

impl tenon_moving_options {
    pub fn new() -> Self {
        let mut zero: Self = unsafe { core::mem::zeroed() };
        zero.struct_size = core::mem::size_of::<Self>() as u32;
        zero
    }
}

impl Default for tenon_moving_options {
    fn default() -> Self {
        Self::new()
    }
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tenon_pad_options {
    pub struct_size: u32,
    /// TENON_PAD_*
    pub mode: tenon_pad_constant,
    /// CONSTANT and LINEAR_RAMP: a scalar, which must be exact as for tenon_array_fill; NULL: 0
    pub value: *const tenon_arg,
    /// MEAN, MAXIMUM, MINIMUM, MEDIAN: of this many elements next to the edge, or 0: of all. Since level 1.1
    pub stat_length: i64,
}

impl tenon_pad_options {
    pub fn new() -> Self {
        let mut zero: Self = unsafe { core::mem::zeroed() };
        zero.struct_size = core::mem::size_of::<Self>() as u32;
        zero
    }
}

impl Default for tenon_pad_options {
    fn default() -> Self {
        Self::new()
    }
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tenon_take_options {
    pub struct_size: u32,
    /// 1: as take_along_axis: the one index array has x's rank, and its extents and x's broadcast except along the axis
    pub along: i32,
    /// for tenon_scatter: TENON_SCATTER_*
    pub operation: tenon_scatter_constant,
    pub reserved: i32,
}

impl tenon_take_options {
    pub fn new() -> Self {
        let mut zero: Self = unsafe { core::mem::zeroed() };
        zero.struct_size = core::mem::size_of::<Self>() as u32;
        zero
    }
}

impl Default for tenon_take_options {
    fn default() -> Self {
        Self::new()
    }
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tenon_range_options {
    pub struct_size: u32,
    /// 1: the last number is exactly `last`
    pub has_last: i32,
    /// integer dtypes
    pub first: i64,
    pub integer_step: i64,
    /// floating-point and complex dtypes
    pub start: f64,
    pub step: f64,
    pub last: f64,
}

impl tenon_range_options {
    pub fn new() -> Self {
        let mut zero: Self = unsafe { core::mem::zeroed() };
        zero.struct_size = core::mem::size_of::<Self>() as u32;
        zero
    }
}

impl Default for tenon_range_options {
    fn default() -> Self {
        Self::new()
    }
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tenon_diagonal_options {
    pub struct_size: u32,
    /// for tenon_triangle. 1: zeros below the diagonal, else above it
    pub upper: i32,
    /// index of the diagonal: column - row
    pub diagonal: i64,
}

impl tenon_diagonal_options {
    pub fn new() -> Self {
        let mut zero: Self = unsafe { core::mem::zeroed() };
        zero.struct_size = core::mem::size_of::<Self>() as u32;
        zero
    }
}

impl Default for tenon_diagonal_options {
    fn default() -> Self {
        Self::new()
    }
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tenon_sort_options {
    pub struct_size: u32,
    /// 1: the largest first
    pub descending: i32,
}

impl tenon_sort_options {
    pub fn new() -> Self {
        let mut zero: Self = unsafe { core::mem::zeroed() };
        zero.struct_size = core::mem::size_of::<Self>() as u32;
        zero
    }
}

impl Default for tenon_sort_options {
    fn default() -> Self {
        Self::new()
    }
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tenon_top_k_options {
    pub struct_size: u32,
    /// 1: the k smallest, else the k largest
    pub smallest: i32,
}

impl tenon_top_k_options {
    pub fn new() -> Self {
        let mut zero: Self = unsafe { core::mem::zeroed() };
        zero.struct_size = core::mem::size_of::<Self>() as u32;
        zero
    }
}

impl Default for tenon_top_k_options {
    fn default() -> Self {
        Self::new()
    }
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tenon_search_options {
    pub struct_size: u32,
    /// 1: after equal elements, else before them
    pub right: i32,
}

impl tenon_search_options {
    pub fn new() -> Self {
        let mut zero: Self = unsafe { core::mem::zeroed() };
        zero.struct_size = core::mem::size_of::<Self>() as u32;
        zero
    }
}

impl Default for tenon_search_options {
    fn default() -> Self {
        Self::new()
    }
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tenon_interpolate_options {
    pub struct_size: u32,
    /// 1: the result is `below` where x is below the first point, else the first value
    pub has_below: i32,
    /// 1: the result is `above` where x is above the last point, else the last value
    pub has_above: i32,
    pub reserved: u32,
    pub below: f64,
    pub above: f64,
}

impl tenon_interpolate_options {
    pub fn new() -> Self {
        let mut zero: Self = unsafe { core::mem::zeroed() };
        zero.struct_size = core::mem::size_of::<Self>() as u32;
        zero
    }
}

impl Default for tenon_interpolate_options {
    fn default() -> Self {
        Self::new()
    }
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tenon_unique_options {
    pub struct_size: u32,
    /// 1: each NaN is a separate value (the array API); else all NaN are one value
    pub nan_distinct: i32,
}

impl tenon_unique_options {
    pub fn new() -> Self {
        let mut zero: Self = unsafe { core::mem::zeroed() };
        zero.struct_size = core::mem::size_of::<Self>() as u32;
        zero
    }
}

impl Default for tenon_unique_options {
    fn default() -> Self {
        Self::new()
    }
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tenon_bincount_options {
    pub struct_size: u32,
    /// no options yet
    pub reserved: u32,
}

impl tenon_bincount_options {
    pub fn new() -> Self {
        let mut zero: Self = unsafe { core::mem::zeroed() };
        zero.struct_size = core::mem::size_of::<Self>() as u32;
        zero
    }
}

impl Default for tenon_bincount_options {
    fn default() -> Self {
        Self::new()
    }
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tenon_quantile_options {
    pub struct_size: u32,
    pub method: tenon_quantile_constant,
    /// as in tenon_reduce_options
    pub axes: *const i32,
    pub axis_count: i32,
    /// 1: each reduced axis stays, with extent 1
    pub keep_axes: i32,
    /// 1: NaN does not count; else it makes the result NaN
    pub ignore_nan: i32,
    pub reserved: i32,
}

impl tenon_quantile_options {
    pub fn new() -> Self {
        let mut zero: Self = unsafe { core::mem::zeroed() };
        zero.struct_size = core::mem::size_of::<Self>() as u32;
        zero
    }
}

impl Default for tenon_quantile_options {
    fn default() -> Self {
        Self::new()
    }
}

/// The counters start when the context is created; the first fields describe the settings and what is on disk now.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tenon_cache_info {
    pub struct_size: u32,
    /// TENON_CACHE_*, after applying the environment variable
    pub mode: tenon_cache_constant,
    /// "" for a cache without a directory. Borrowed from the context
    pub directory: *const c_char,
    /// limit of the entries' size
    pub limit_bytes: u64,
    /// on disk now, written by any process; 0 if nothing is kept on disk
    pub entries: u64,
    /// total size of these entries
    pub bytes: u64,
    /// programs that were found in the process
    pub process_hits: u64,
    /// programs that were found on disk
    pub disk_hits: u64,
    /// programs that were not found, or had to be compiled again
    pub misses: u64,
    /// programs that were compiled
    pub compiled: u64,
    /// programs that failed to compile
    pub failed: u64,
    /// waits for another thread or process that was compiling the same program
    pub waits: u64,
    /// damaged entries that were found
    pub damaged: u64,
    /// entries written to disk
    pub written: u64,
    /// entries that could not be written, for example because the disk was full
    pub not_written: u64,
    /// entries removed to stay within the limit
    pub evicted: u64,
}

impl tenon_cache_info {
    pub fn new() -> Self {
        let mut zero: Self = unsafe { core::mem::zeroed() };
        zero.struct_size = core::mem::size_of::<Self>() as u32;
        zero
    }
}

impl Default for tenon_cache_info {
    fn default() -> Self {
        Self::new()
    }
}

/// The entries that one of the calls below processed.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tenon_cache_tally {
    pub struct_size: u32,
    pub reserved: u32,
    /// verify: checked. export: written. import: added. clear: removed
    pub entries: u64,
    /// their size
    pub bytes: u64,
    /// verify: those of them that are damaged. export: left out because they are damaged
    pub damaged: u64,
    /// import: present already. clear: not removed
    pub kept: u64,
}

impl tenon_cache_tally {
    pub fn new() -> Self {
        let mut zero: Self = unsafe { core::mem::zeroed() };
        zero.struct_size = core::mem::size_of::<Self>() as u32;
        zero
    }
}

impl Default for tenon_cache_tally {
    fn default() -> Self {
        Self::new()
    }
}

/// Options of all three.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tenon_generated_options {
    pub struct_size: u32,
    /// TENON_PROGRAM_FLAG_FAST_MATH, TENON_PROGRAM_FLAG_NO_CACHE
    pub flags: tenon_program_flags,
    /// for messages; default "elementwise", "reduction", "scan"
    pub name: *const c_char,
    /// CUDA C placed before the kernel: functions, structs; it can use the placeholders
    pub preamble: *const c_char,
    /// passed to the compiler
    pub options: *const *const c_char,
    pub option_count: i32,
    /// TENON_PROGRAM_MODE_FAST ...
    pub mode: tenon_program_mode_constant,
    /// reduction, scan: the type of the values combined, which may come from the preamble; default: the output's type,
    /// float for 16-bit types
    pub accumulator: *const c_char,
}

impl tenon_generated_options {
    pub fn new() -> Self {
        let mut zero: Self = unsafe { core::mem::zeroed() };
        zero.struct_size = core::mem::size_of::<Self>() as u32;
        zero
    }
}

impl Default for tenon_generated_options {
    fn default() -> Self {
        Self::new()
    }
}

/// A step: an operation on values. Values are numbered: the inputs from 0, then the steps in their order. Operands are
/// numbers of earlier values; those that the kind does not have are -1, and so are function and dtype 0.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tenon_step {
    pub kind: tenon_step_constant,
    /// TENON_FN_* of UNARY and BINARY (functions.h), else 0
    pub function: i32,
    /// operands
    pub x: i32,
    /// operands
    pub y: i32,
    /// operands
    pub z: i32,
    /// of CAST, else 0
    pub dtype: tenon_dtype,
}

impl tenon_step {
    pub fn new() -> Self {
        let zero: Self = unsafe { core::mem::zeroed() };
        zero
    }
}

impl Default for tenon_step {
    fn default() -> Self {
        Self::new()
    }
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tenon_graph_node_info {
    pub struct_size: u32,
    pub kind: tenon_graph_constant,
    /// name of the kernel, of the generated kernel (from its options), of the operation ("image/blur"), or of the
    /// function without its prefix ("gemm", "array_copy"). Valid for the life of the process
    pub name: *const c_char,
    /// arguments that can be replaced; 0 for TENON_GRAPH_LIBRARY
    pub parameter_count: i32,
    pub reserved: i32,
}

impl tenon_graph_node_info {
    pub fn new() -> Self {
        let mut zero: Self = unsafe { core::mem::zeroed() };
        zero.struct_size = core::mem::size_of::<Self>() as u32;
        zero
    }
}

impl Default for tenon_graph_node_info {
    fn default() -> Self {
        Self::new()
    }
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tenon_compute_options {
    pub struct_size: u32,
    /// TENON_APPLY_COMPILED
    pub flags: tenon_apply_flags,
}

impl tenon_compute_options {
    pub fn new() -> Self {
        let mut zero: Self = unsafe { core::mem::zeroed() };
        zero.struct_size = core::mem::size_of::<Self>() as u32;
        zero
    }
}

impl Default for tenon_compute_options {
    fn default() -> Self {
        Self::new()
    }
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tenon_reduce_options {
    pub struct_size: u32,
    /// TENON_APPLY_COMPILED
    pub flags: tenon_apply_flags,
    /// axis_count axes, negative ones counted from the end, none twice; NULL with axis_count 0: all
    pub axes: *const i32,
    pub axis_count: i32,
    /// 1: each reduced axis stays, with extent 1
    pub keep_axes: i32,
    /// for SUM, PROD, MEAN, VAR, STD, NORM and LOGSUMEXP: x is converted to it first; 0: as functions.h says
    pub dtype: tenon_dtype,
    /// 1: reduce over no axis, so that the result has x's shape; axis_count must be 0
    pub no_axes: i32,
    /// for VAR and STD: subtracted from the count, usually 0 or 1
    pub correction: f64,
    /// 1: for ARGMAX and ARGMIN: NaN does not count. Since level 1.1
    pub ignore_nan: i32,
    pub reserved: u32,
}

impl tenon_reduce_options {
    pub fn new() -> Self {
        let mut zero: Self = unsafe { core::mem::zeroed() };
        zero.struct_size = core::mem::size_of::<Self>() as u32;
        zero
    }
}

impl Default for tenon_reduce_options {
    fn default() -> Self {
        Self::new()
    }
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tenon_accumulate_options {
    pub struct_size: u32,
    /// TENON_APPLY_COMPILED
    pub flags: tenon_apply_flags,
    /// negative: from the end
    pub axis: i32,
    pub reserved: i32,
    /// for CUMULATIVE_SUM, CUMULATIVE_PROD and CUMULATIVE_LOGSUMEXP, as in tenon_reduce_options
    pub dtype: tenon_dtype,
    /// 1: element k combines those before k; the first one is the neutral value: 0, 1, or the smallest or largest value
    /// of the dtype
    pub exclusive: i32,
}

impl tenon_accumulate_options {
    pub fn new() -> Self {
        let mut zero: Self = unsafe { core::mem::zeroed() };
        zero.struct_size = core::mem::size_of::<Self>() as u32;
        zero
    }
}

impl Default for tenon_accumulate_options {
    fn default() -> Self {
        Self::new()
    }
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tenon_segment_options {
    pub struct_size: u32,
    /// what the array `segments` holds
    pub segments: tenon_segments_constant,
    /// of x; negative: from the end
    pub axis: i32,
    /// tenon_segment_scan: as in tenon_accumulate_options
    pub exclusive: i32,
    /// of sums, products and logsumexp: x is converted to it first; 0: as for tenon_reduce and tenon_accumulate
    pub dtype: tenon_dtype,
    pub reserved: u32,
    /// NUMBERS: the number of segments
    pub count: i64,
}

impl tenon_segment_options {
    pub fn new() -> Self {
        let mut zero: Self = unsafe { core::mem::zeroed() };
        zero.struct_size = core::mem::size_of::<Self>() as u32;
        zero
    }
}

impl Default for tenon_segment_options {
    fn default() -> Self {
        Self::new()
    }
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tenon_gemm_options {
    pub struct_size: u32,
    /// TENON_COMPUTE_*
    pub compute: tenon_compute_constant,
    /// receives how many operands had to be packed (0 to 2); may be NULL
    pub out_packed: *mut i32,
    /// TENON_OP_*: the product of op_a(a) and op_b(b) is computed; unless it is NONE, exchange the last two axes in the
    /// shapes below
    pub op_a: tenon_op_constant,
    pub op_b: tenon_op_constant,
    /// (n), of c's dtype, added to every row of the product; may be NULL
    pub bias: *const tenon_array,
    /// TENON_EPILOGUE_*, applied to the sum
    pub epilogue: tenon_epilogue_constant,
    /// 1: on CUDA, the first product of a kind measures cuBLASLt's algorithms; see tenon_gemm
    pub tune: i32,
}

impl tenon_gemm_options {
    pub fn new() -> Self {
        let mut zero: Self = unsafe { core::mem::zeroed() };
        zero.struct_size = core::mem::size_of::<Self>() as u32;
        zero
    }
}

impl Default for tenon_gemm_options {
    fn default() -> Self {
        Self::new()
    }
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tenon_svd_options {
    pub struct_size: u32,
    /// TENON_SVD_MODE_*
    pub mode: tenon_svd_mode_constant,
    pub driver: tenon_svd_driver_constant,
    pub reserved: i32,
    /// number of the largest values wanted, with their vectors; 0: all of them
    pub k: i64,
    /// for the leading k, see tenon_svd; 0: 1e-6 for single precision, 1e-12 for double
    pub tolerance: f64,
    /// receives the driver that computed the result, never TENON_SVD_DRIVER_AUTO; may be NULL
    pub out_driver: *mut tenon_svd_driver_constant,
}

impl tenon_svd_options {
    pub fn new() -> Self {
        let mut zero: Self = unsafe { core::mem::zeroed() };
        zero.struct_size = core::mem::size_of::<Self>() as u32;
        zero
    }
}

impl Default for tenon_svd_options {
    fn default() -> Self {
        Self::new()
    }
}

/// Each function lists the fields that it uses; the others must be 0. NULL means all zeros.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tenon_blas_options {
    pub struct_size: u32,
    /// TENON_OP_*: op(a) takes part instead of a
    pub op: tenon_op_constant,
    /// 1: the upper triangle, else the lower one; the other one is neither read nor written
    pub upper: i32,
    /// 1: a is on the right of b, else on its left
    pub right: i32,
    /// 1: a complex matrix is Hermitian (imaginary parts on the diagonal count as 0); else it is symmetric
    pub hermitian: i32,
    /// 1: a's diagonal is 1 and not read
    pub unit_diagonal: i32,
    /// 1: one operand is conjugated; the function says which
    pub conjugate: i32,
    /// TENON_OP_*: op_b(b) takes part instead of b
    pub op_b: tenon_op_constant,
    /// number of diagonals of a banded matrix below the main one
    pub below: i64,
    /// receives how many arrays had to be packed; may be NULL. Every function uses it
    pub out_packed: *mut i32,
}

impl tenon_blas_options {
    pub fn new() -> Self {
        let mut zero: Self = unsafe { core::mem::zeroed() };
        zero.struct_size = core::mem::size_of::<Self>() as u32;
        zero
    }
}

impl Default for tenon_blas_options {
    fn default() -> Self {
        Self::new()
    }
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tenon_solve_options {
    pub struct_size: u32,
    /// TENON_SOLVE_*
    pub kind: tenon_solve_constant,
    /// TENON_OP_*: solves op(a) x = b; not with TENON_SOLVE_POSITIVE
    pub op: tenon_op_constant,
    /// 1, with LOWER and UPPER: a's diagonal is 1 and not read
    pub unit_diagonal: i32,
}

impl tenon_solve_options {
    pub fn new() -> Self {
        let mut zero: Self = unsafe { core::mem::zeroed() };
        zero.struct_size = core::mem::size_of::<Self>() as u32;
        zero
    }
}

impl Default for tenon_solve_options {
    fn default() -> Self {
        Self::new()
    }
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tenon_lu_options {
    pub struct_size: u32,
    /// TENON_OP_*: tenon_lu_solve solves op(a) x = b
    pub op: tenon_op_constant,
    pub reserved: i32,
}

impl tenon_lu_options {
    pub fn new() -> Self {
        let mut zero: Self = unsafe { core::mem::zeroed() };
        zero.struct_size = core::mem::size_of::<Self>() as u32;
        zero
    }
}

impl Default for tenon_lu_options {
    fn default() -> Self {
        Self::new()
    }
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tenon_cholesky_options {
    pub struct_size: u32,
    /// 1: the upper triangle of a is read, and the factor is upper triangular; else the lower one
    pub upper: i32,
    pub reserved: i32,
}

impl tenon_cholesky_options {
    pub fn new() -> Self {
        let mut zero: Self = unsafe { core::mem::zeroed() };
        zero.struct_size = core::mem::size_of::<Self>() as u32;
        zero
    }
}

impl Default for tenon_cholesky_options {
    fn default() -> Self {
        Self::new()
    }
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tenon_qr_options {
    pub struct_size: u32,
    /// TENON_QR_*
    pub mode: tenon_qr_constant,
    pub reserved: i32,
}

impl tenon_qr_options {
    pub fn new() -> Self {
        let mut zero: Self = unsafe { core::mem::zeroed() };
        zero.struct_size = core::mem::size_of::<Self>() as u32;
        zero
    }
}

impl Default for tenon_qr_options {
    fn default() -> Self {
        Self::new()
    }
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tenon_rank_options {
    pub struct_size: u32,
    pub reserved: i32,
    /// singular values up to rcond times the largest one count as 0; 0: max(m, n) epsilon; < 0: only exact 0 does
    pub rcond: f64,
}

impl tenon_rank_options {
    pub fn new() -> Self {
        let mut zero: Self = unsafe { core::mem::zeroed() };
        zero.struct_size = core::mem::size_of::<Self>() as u32;
        zero
    }
}

impl Default for tenon_rank_options {
    fn default() -> Self {
        Self::new()
    }
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tenon_ldl_options {
    pub struct_size: u32,
    /// 1: the upper triangle of a is read, else the lower one
    pub upper: i32,
    /// 1: a complex a is Hermitian; else it is symmetric
    pub hermitian: i32,
    pub reserved: i32,
}

impl tenon_ldl_options {
    pub fn new() -> Self {
        let mut zero: Self = unsafe { core::mem::zeroed() };
        zero.struct_size = core::mem::size_of::<Self>() as u32;
        zero
    }
}

impl Default for tenon_ldl_options {
    fn default() -> Self {
        Self::new()
    }
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tenon_eigh_options {
    pub struct_size: u32,
    /// 1: the upper triangle of a is read, else the lower one
    pub upper: i32,
    /// the first eigenvalue wanted, from 0, in ascending order
    pub first: i64,
    /// number of eigenvalues; 0: all from `first` on
    pub count: i64,
    /// with by_value 1: the eigenvalues above low and up to high; first and count must be 0
    pub low: f64,
    pub high: f64,
    pub by_value: i32,
    pub reserved: i32,
}

impl tenon_eigh_options {
    pub fn new() -> Self {
        let mut zero: Self = unsafe { core::mem::zeroed() };
        zero.struct_size = core::mem::size_of::<Self>() as u32;
        zero
    }
}

impl Default for tenon_eigh_options {
    fn default() -> Self {
        Self::new()
    }
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tenon_eig_options {
    pub struct_size: u32,
    pub reserved: i32,
}

impl tenon_eig_options {
    pub fn new() -> Self {
        let mut zero: Self = unsafe { core::mem::zeroed() };
        zero.struct_size = core::mem::size_of::<Self>() as u32;
        zero
    }
}

impl Default for tenon_eig_options {
    fn default() -> Self {
        Self::new()
    }
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tenon_norm_options {
    pub struct_size: u32,
    /// TENON_NORM_*
    pub kind: tenon_norm_constant,
    pub reserved: i32,
}

impl tenon_norm_options {
    pub fn new() -> Self {
        let mut zero: Self = unsafe { core::mem::zeroed() };
        zero.struct_size = core::mem::size_of::<Self>() as u32;
        zero
    }
}

impl Default for tenon_norm_options {
    fn default() -> Self {
        Self::new()
    }
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tenon_power_options {
    pub struct_size: u32,
    pub reserved: i32,
}

impl tenon_power_options {
    pub fn new() -> Self {
        let mut zero: Self = unsafe { core::mem::zeroed() };
        zero.struct_size = core::mem::size_of::<Self>() as u32;
        zero
    }
}

impl Default for tenon_power_options {
    fn default() -> Self {
        Self::new()
    }
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tenon_fft_options {
    pub struct_size: u32,
    /// TENON_FFT_DIRECTION_FORWARD or INVERSE
    pub direction: tenon_fft_direction_constant,
    /// TENON_FFT_NORM_*
    pub norm: tenon_fft_norm_constant,
    pub reserved: i32,
    /// for a new destination: > 0: real, with this extent along the last of the axes; 0: complex
    pub real_length: i64,
}

impl tenon_fft_options {
    pub fn new() -> Self {
        let mut zero: Self = unsafe { core::mem::zeroed() };
        zero.struct_size = core::mem::size_of::<Self>() as u32;
        zero
    }
}

impl Default for tenon_fft_options {
    fn default() -> Self {
        Self::new()
    }
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tenon_dct_options {
    pub struct_size: u32,
    /// 1 to 4; 0: 2
    pub r#type: i32,
    /// 1: the sine transform, else the cosine transform
    pub sine: i32,
    /// TENON_FFT_DIRECTION_FORWARD or INVERSE
    pub direction: tenon_fft_direction_constant,
    /// TENON_FFT_NORM_*
    pub norm: tenon_fft_norm_constant,
    pub reserved: i32,
}

impl tenon_dct_options {
    pub fn new() -> Self {
        let mut zero: Self = unsafe { core::mem::zeroed() };
        zero.struct_size = core::mem::size_of::<Self>() as u32;
        zero
    }
}

impl Default for tenon_dct_options {
    fn default() -> Self {
        Self::new()
    }
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tenon_convolve_options {
    pub struct_size: u32,
    /// TENON_CONVOLVE_*
    pub mode: tenon_convolve_constant,
    /// 1: the correlation of a and b instead
    pub correlate: i32,
    pub reserved: i32,
}

impl tenon_convolve_options {
    pub fn new() -> Self {
        let mut zero: Self = unsafe { core::mem::zeroed() };
        zero.struct_size = core::mem::size_of::<Self>() as u32;
        zero
    }
}

impl Default for tenon_convolve_options {
    fn default() -> Self {
        Self::new()
    }
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tenon_shift_options {
    pub struct_size: u32,
    /// 1: undoes the shift
    pub inverse: i32,
    pub reserved: i32,
}

impl tenon_shift_options {
    pub fn new() -> Self {
        let mut zero: Self = unsafe { core::mem::zeroed() };
        zero.struct_size = core::mem::size_of::<Self>() as u32;
        zero
    }
}

impl Default for tenon_shift_options {
    fn default() -> Self {
        Self::new()
    }
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tenon_frequencies_options {
    pub struct_size: u32,
    /// 1: for a transform of real numbers
    pub half: i32,
    pub reserved: i32,
}

impl tenon_frequencies_options {
    pub fn new() -> Self {
        let mut zero: Self = unsafe { core::mem::zeroed() };
        zero.struct_size = core::mem::size_of::<Self>() as u32;
        zero
    }
}

impl Default for tenon_frequencies_options {
    fn default() -> Self {
        Self::new()
    }
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tenon_sparse_options {
    pub struct_size: u32,
    /// tenon_csr_from_dense: that of the results; 0: int32 if it can hold all of them, else int64
    pub index_dtype: u32,
    /// 1: the offsets and indices are known to be valid, because a function here made or checked them, and are not
    /// checked again: the call then does not wait for that on CUDA. With indices that are not valid the results are
    /// then undefined
    pub trusted: i32,
}

impl tenon_sparse_options {
    pub fn new() -> Self {
        let mut zero: Self = unsafe { core::mem::zeroed() };
        zero.struct_size = core::mem::size_of::<Self>() as u32;
        zero
    }
}

impl Default for tenon_sparse_options {
    fn default() -> Self {
        Self::new()
    }
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tenon_sparse_product_options {
    pub struct_size: u32,
    /// 1: the matrix is transposed first, on each call: keep the result of tenon_csr_transpose where several products
    /// need it
    pub transposed: i32,
    /// 1: its values are conjugated
    pub conjugated: i32,
    /// 1: the library's kernels, even where cuSPARSE is installed: for comparisons
    pub own: i32,
    /// as in tenon_sparse_options
    pub trusted: i32,
    pub reserved: u32,
    /// a scalar; NULL: 1
    pub alpha: *const tenon_arg,
    /// a scalar; NULL: 0, and then the old values of the result are not read
    pub beta: *const tenon_arg,
}

impl tenon_sparse_product_options {
    pub fn new() -> Self {
        let mut zero: Self = unsafe { core::mem::zeroed() };
        zero.struct_size = core::mem::size_of::<Self>() as u32;
        zero
    }
}

impl Default for tenon_sparse_product_options {
    fn default() -> Self {
        Self::new()
    }
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tenon_package_options {
    pub struct_size: u32,
    /// TENON_PACKAGE_*
    pub flags: tenon_package_flags,
    /// the content hash that the package must have (64 hexadecimal digits); default: any
    pub sha256: *const c_char,
    /// public keys that are trusted in addition to the user's list
    pub trusted_keys: *const *const c_char,
    pub trusted_key_count: i32,
    pub reserved: u32,
}

impl tenon_package_options {
    pub fn new() -> Self {
        let mut zero: Self = unsafe { core::mem::zeroed() };
        zero.struct_size = core::mem::size_of::<Self>() as u32;
        zero
    }
}

impl Default for tenon_package_options {
    fn default() -> Self {
        Self::new()
    }
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tenon_operation_info {
    pub struct_size: u32,
    /// TENON_OPERATION_*
    pub flags: tenon_operation_flags,
    /// number of arguments
    pub parameter_count: i32,
    /// number of parameters with the role TENON_ROLE_OUT
    pub output_count: i32,
    pub tunable_count: i32,
    pub test_count: i32,
}

impl tenon_operation_info {
    pub fn new() -> Self {
        let mut zero: Self = unsafe { core::mem::zeroed() };
        zero.struct_size = core::mem::size_of::<Self>() as u32;
        zero
    }
}

impl Default for tenon_operation_info {
    fn default() -> Self {
        Self::new()
    }
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tenon_operation_parameter_info {
    pub struct_size: u32,
    /// TENON_ROLE_*
    pub role: tenon_role_constant,
    /// TENON_OPERAND_*
    pub flags: tenon_operand_flags,
    /// 0: determined by the placeholder
    pub dtype: tenon_dtype,
    /// number of the placeholder; -1: none. Parameters with the same placeholder have the same dtype
    pub placeholder: i32,
    pub reserved: i32,
    /// borrowed from the operation
    pub name: *const c_char,
    /// borrowed from the operation; "" if there is none
    pub doc: *const c_char,
}

impl tenon_operation_parameter_info {
    pub fn new() -> Self {
        let mut zero: Self = unsafe { core::mem::zeroed() };
        zero.struct_size = core::mem::size_of::<Self>() as u32;
        zero
    }
}

impl Default for tenon_operation_parameter_info {
    fn default() -> Self {
        Self::new()
    }
}

/// Measuring and tuning.
///  The measured cases are the contract's `bench` cases, else its tests, or arguments passed here. Tuning tries the
/// values of the contract's tunables on the device and keeps the fastest for each case as a record: readable JSON, one
/// file PACKAGE.OPERATION.json in the context's tuning directory. A record applies to this version and content of the
/// package, the device's product, the dtypes, the shapes of the inputs and the scalars that the contract lists
/// (tuned_for). Later calls, in every process, use the record of the same device and dtypes whose shapes and scalars
/// are nearest; if none is near, or the nearest one's values cannot be launched (logged once, as a warning), the
/// defaults. Records are ignored if a tunable was set by tenon_operation_set_tunable, and in a context with
/// TENON_CONTEXT_DETERMINISTIC.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tenon_measure_options {
    pub struct_size: u32,
    /// length of the two lists below; 0: the contract's cases
    pub given_count: i32,
    /// names of inputs and scalars ...
    pub given_names: *const *const c_char,
    /// ... and their values: such as "normal(1000, 1000)", as in tests; a number; a choice
    pub given_values: *const *const c_char,
    /// use only these dtypes: "T=float32, A=float64"; default: all that the contract allows
    pub types: *const c_char,
    /// time limit in all; default: 1 for each case of a measurement, 30 for tuning
    pub seconds: f64,
}

impl tenon_measure_options {
    pub fn new() -> Self {
        let mut zero: Self = unsafe { core::mem::zeroed() };
        zero.struct_size = core::mem::size_of::<Self>() as u32;
        zero
    }
}

impl Default for tenon_measure_options {
    fn default() -> Self {
        Self::new()
    }
}

/// One call of a function. All pointers are borrowed for the call.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tenon_host_call {
    pub struct_size: u32,
    pub count: i32,
    /// as for the operation: the step's inputs and scalars, then its outputs; defaults are filled in; an optional array
    /// that was left out has kind 0
    pub args: *const tenon_arg,
    /// the stream for the work; on the CPU the work must be complete when the function returns
    pub stream: *mut tenon_stream,
}

impl tenon_host_call {
    pub fn new() -> Self {
        let mut zero: Self = unsafe { core::mem::zeroed() };
        zero.struct_size = core::mem::size_of::<Self>() as u32;
        zero
    }
}

impl Default for tenon_host_call {
    fn default() -> Self {
        Self::new()
    }
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tenon_host_function {
    pub struct_size: u32,
    pub reserved: u32,
    /// its name in the contract's steps
    pub name: *const c_char,
    pub function: tenon_host_fn,
    pub user: *mut c_void,
    /// called with user when the function can no longer be called; not if registering it failed
    pub destroy: tenon_destroy_fn,
}

impl tenon_host_function {
    pub fn new() -> Self {
        let mut zero: Self = unsafe { core::mem::zeroed() };
        zero.struct_size = core::mem::size_of::<Self>() as u32;
        zero
    }
}

impl Default for tenon_host_function {
    fn default() -> Self {
        Self::new()
    }
}

/// The registry that tenon_plugin_init uses; valid until it returns.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tenon_registry {
    pub struct_size: u32,
    pub reserved: u32,
    /// to be passed to add
    pub user: *mut c_void,
    pub add: tenon_registry_add_fn,
}

impl tenon_registry {
    pub fn new() -> Self {
        let mut zero: Self = unsafe { core::mem::zeroed() };
        zero.struct_size = core::mem::size_of::<Self>() as u32;
        zero
    }
}

impl Default for tenon_registry {
    fn default() -> Self {
        Self::new()
    }
}

/// Every function in one table, for plugins. [`row!`] reads its rows; it knows how long the table is.
#[repr(C)]
pub struct tenon_api {
    pub struct_size: u32,
    pub abi_level: u32,
    pub blob_data: unsafe extern "C" fn(blob: *const tenon_blob, out_data: *mut *const c_void,
                                        out_size: *mut u64) -> i32,
    pub blob_retain: unsafe extern "C" fn(blob: *const tenon_blob) -> i32,
    pub blob_release: unsafe extern "C" fn(blob: *mut tenon_blob),
    pub version: unsafe extern "C" fn() -> u32,
    pub get_api: unsafe extern "C" fn(level: u32) -> *const tenon_api,
    pub build_info: unsafe extern "C" fn() -> *const c_char,
    pub status_name: unsafe extern "C" fn(status: i32) -> *const c_char,
    pub error_last: unsafe extern "C" fn(out_error: *mut *mut tenon_error) -> i32,
    pub error_clear: unsafe extern "C" fn(),
    pub error_last_message: unsafe extern "C" fn() -> *const c_char,
    pub error_status: unsafe extern "C" fn(error: *const tenon_error, out_status: *mut i32) -> i32,
    pub error_message: unsafe extern "C" fn(error: *const tenon_error, out_text: *mut *const c_char) -> i32,
    pub error_native: unsafe extern "C" fn(error: *const tenon_error, out_call: *mut *const c_char,
                                           out_code: *mut i64) -> i32,
    pub error_log: unsafe extern "C" fn(error: *const tenon_error, out_text: *mut *const c_char) -> i32,
    pub error_retain: unsafe extern "C" fn(error: *const tenon_error) -> i32,
    pub error_release: unsafe extern "C" fn(error: *mut tenon_error),
    pub dtype_name: unsafe extern "C" fn(dtype: tenon_dtype) -> *const c_char,
    pub dtype_bits: unsafe extern "C" fn(dtype: tenon_dtype, out_bits: *mut u32) -> i32,
    pub context_default: unsafe extern "C" fn(out_context: *mut *mut tenon_context) -> i32,
    pub context_create: unsafe extern "C" fn(options: *const tenon_context_options,
                                             out_context: *mut *mut tenon_context) -> i32,
    pub context_retain: unsafe extern "C" fn(context: *const tenon_context) -> i32,
    pub context_release: unsafe extern "C" fn(context: *mut tenon_context),
    pub context_device_count: unsafe extern "C" fn(context: *mut tenon_context, out_count: *mut i32) -> i32,
    pub context_device_at: unsafe extern "C" fn(context: *mut tenon_context, index: i32,
                                                out_device: *mut *mut tenon_device) -> i32,
    pub context_device: unsafe extern "C" fn(context: *mut tenon_context, name: *const c_char,
                                             out_device: *mut *mut tenon_device) -> i32,
    pub context_report: unsafe extern "C" fn(context: *mut tenon_context, out_report: *mut *mut tenon_blob) -> i32,
    pub device_get_info: unsafe extern "C" fn(device: *const tenon_device, out_info: *mut tenon_device_info) -> i32,
    pub device_name: unsafe extern "C" fn(device: *const tenon_device, out_name: *mut *const c_char) -> i32,
    pub device_description: unsafe extern "C" fn(device: *const tenon_device, out_text: *mut *const c_char) -> i32,
    pub device_toolkit: unsafe extern "C" fn(device: *const tenon_device, out_text: *mut *const c_char) -> i32,
    pub device_synchronize: unsafe extern "C" fn(device: *mut tenon_device) -> i32,
    pub device_retain: unsafe extern "C" fn(device: *const tenon_device) -> i32,
    pub device_release: unsafe extern "C" fn(device: *mut tenon_device),
    pub device_get_memory_info: unsafe extern "C" fn(device: *const tenon_device,
                                                     out_info: *mut tenon_memory_info) -> i32,
    pub device_trim_memory: unsafe extern "C" fn(device: *mut tenon_device, keep_bytes: u64) -> i32,
    pub stream_create: unsafe extern "C" fn(device: *mut tenon_device, options: *const tenon_stream_options,
                                            out_stream: *mut *mut tenon_stream) -> i32,
    pub stream_wrap: unsafe extern "C" fn(device: *mut tenon_device, native: u64, destroy: tenon_destroy_fn,
                                          user: *mut c_void, out_stream: *mut *mut tenon_stream) -> i32,
    pub stream_default: unsafe extern "C" fn(device: *mut tenon_device, out_stream: *mut *mut tenon_stream) -> i32,
    pub stream_native: unsafe extern "C" fn(stream: *const tenon_stream, out_native: *mut u64) -> i32,
    pub stream_device: unsafe extern "C" fn(stream: *const tenon_stream, out_device: *mut *mut tenon_device) -> i32,
    pub stream_synchronize: unsafe extern "C" fn(stream: *mut tenon_stream) -> i32,
    pub stream_query: unsafe extern "C" fn(stream: *mut tenon_stream) -> i32,
    pub stream_wait_event: unsafe extern "C" fn(stream: *mut tenon_stream, event: *mut tenon_event) -> i32,
    pub stream_retain: unsafe extern "C" fn(stream: *const tenon_stream) -> i32,
    pub stream_release: unsafe extern "C" fn(stream: *mut tenon_stream),
    pub event_create: unsafe extern "C" fn(device: *mut tenon_device, flags: tenon_event_flags,
                                           out_event: *mut *mut tenon_event) -> i32,
    pub event_record: unsafe extern "C" fn(event: *mut tenon_event, stream: *mut tenon_stream) -> i32,
    pub event_synchronize: unsafe extern "C" fn(event: *mut tenon_event) -> i32,
    pub event_query: unsafe extern "C" fn(event: *mut tenon_event) -> i32,
    pub event_elapsed: unsafe extern "C" fn(start: *mut tenon_event, end: *mut tenon_event,
                                            out_seconds: *mut f64) -> i32,
    pub event_retain: unsafe extern "C" fn(event: *const tenon_event) -> i32,
    pub event_release: unsafe extern "C" fn(event: *mut tenon_event),
    pub buffer_create: unsafe extern "C" fn(device: *mut tenon_device, bytes: u64, kind: tenon_memory_constant,
                                            stream: *mut tenon_stream, out_buffer: *mut *mut tenon_buffer) -> i32,
    pub buffer_wrap: unsafe extern "C" fn(device: *mut tenon_device, data: *mut c_void, bytes: u64,
                                          kind: tenon_memory_constant, read_only: i32, stream: *mut tenon_stream,
                                          destroy: tenon_destroy_fn, user: *mut c_void,
                                          out_buffer: *mut *mut tenon_buffer) -> i32,
    pub buffer_data: unsafe extern "C" fn(buffer: *const tenon_buffer, out_data: *mut *mut c_void,
                                          out_bytes: *mut u64) -> i32,
    pub buffer_retain: unsafe extern "C" fn(buffer: *const tenon_buffer) -> i32,
    pub buffer_release: unsafe extern "C" fn(buffer: *mut tenon_buffer),
    pub array_create: unsafe extern "C" fn(device: *mut tenon_device, dtype: tenon_dtype, rank: i32, shape: *const i64,
                                           stream: *mut tenon_stream, out_array: *mut *mut tenon_array) -> i32,
    pub array_zeros: unsafe extern "C" fn(device: *mut tenon_device, dtype: tenon_dtype, rank: i32, shape: *const i64,
                                          stream: *mut tenon_stream, out_array: *mut *mut tenon_array) -> i32,
    pub array_from_host: unsafe extern "C" fn(device: *mut tenon_device, dtype: tenon_dtype, rank: i32,
                                              shape: *const i64, data: *const c_void, bytes: u64,
                                              stream: *mut tenon_stream, out_array: *mut *mut tenon_array) -> i32,
    pub array_from_buffer: unsafe extern "C" fn(buffer: *mut tenon_buffer, dtype: tenon_dtype, rank: i32,
                                                shape: *const i64, strides: *const i64, byte_offset: u64,
                                                out_array: *mut *mut tenon_array) -> i32,
    pub array_retain: unsafe extern "C" fn(array: *const tenon_array) -> i32,
    pub array_release: unsafe extern "C" fn(array: *mut tenon_array),
    pub array_get_info: unsafe extern "C" fn(array: *const tenon_array, out_info: *mut tenon_array_info) -> i32,
    pub array_device: unsafe extern "C" fn(array: *const tenon_array, out_device: *mut *mut tenon_device) -> i32,
    pub array_buffer: unsafe extern "C" fn(array: *const tenon_array, out_buffer: *mut *mut tenon_buffer) -> i32,
    pub array_reshape: unsafe extern "C" fn(array: *const tenon_array, rank: i32, shape: *const i64,
                                            out_array: *mut *mut tenon_array) -> i32,
    pub array_transpose: unsafe extern "C" fn(array: *const tenon_array, rank: i32, axes: *const i32,
                                              out_array: *mut *mut tenon_array) -> i32,
    pub array_slice: unsafe extern "C" fn(array: *const tenon_array, rank: i32, starts: *const i64, stops: *const i64,
                                          steps: *const i64, out_array: *mut *mut tenon_array) -> i32,
    pub array_index: unsafe extern "C" fn(array: *const tenon_array, axis: i32, index: i64,
                                          out_array: *mut *mut tenon_array) -> i32,
    pub array_broadcast: unsafe extern "C" fn(array: *const tenon_array, rank: i32, shape: *const i64,
                                              out_array: *mut *mut tenon_array) -> i32,
    pub array_view: unsafe extern "C" fn(array: *const tenon_array, dtype: tenon_dtype,
                                         out_array: *mut *mut tenon_array) -> i32,
    pub array_copy: unsafe extern "C" fn(destination: *mut tenon_array, source: *const tenon_array,
                                         stream: *mut tenon_stream) -> i32,
    pub array_fill: unsafe extern "C" fn(array: *mut tenon_array, value: *const tenon_arg,
                                         stream: *mut tenon_stream) -> i32,
    pub array_convert: unsafe extern "C" fn(source: *const tenon_array, dtype: tenon_dtype, device: *mut tenon_device,
                                            stream: *mut tenon_stream, out_array: *mut *mut tenon_array) -> i32,
    pub array_to_host: unsafe extern "C" fn(array: *const tenon_array, data: *mut c_void, bytes: u64,
                                            stream: *mut tenon_stream) -> i32,
    pub array_set_from_host: unsafe extern "C" fn(array: *mut tenon_array, data: *const c_void, bytes: u64,
                                                  stream: *mut tenon_stream) -> i32,
    pub array_from_dlpack: unsafe extern "C" fn(context: *mut tenon_context, tensor: *mut DLManagedTensor,
                                                read_only: i32, stream: *mut tenon_stream,
                                                out_array: *mut *mut tenon_array) -> i32,
    pub array_from_dlpack_versioned: unsafe extern "C" fn(context: *mut tenon_context,
                                                          tensor: *mut DLManagedTensorVersioned,
                                                          stream: *mut tenon_stream,
                                                          out_array: *mut *mut tenon_array) -> i32,
    pub array_to_dlpack: unsafe extern "C" fn(array: *const tenon_array, flags: tenon_dlpack_flags,
                                              stream: *mut tenon_stream, out_tensor: *mut *mut DLManagedTensor) -> i32,
    pub array_to_dlpack_versioned: unsafe extern "C" fn(array: *const tenon_array, flags: tenon_dlpack_flags,
                                                        stream: *mut tenon_stream,
                                                        out_tensor: *mut *mut DLManagedTensorVersioned) -> i32,
    pub program_create: unsafe extern "C" fn(device: *mut tenon_device, source: *const c_char, size: u64,
                                             options: *const tenon_program_options,
                                             out_program: *mut *mut tenon_program) -> i32,
    pub program_log: unsafe extern "C" fn(program: *const tenon_program, out_text: *mut *const c_char) -> i32,
    pub program_image: unsafe extern "C" fn(program: *const tenon_program, kind: tenon_image_constant,
                                            out_image: *mut *mut tenon_blob) -> i32,
    pub program_kernel: unsafe extern "C" fn(program: *mut tenon_program, name: *const c_char,
                                             out_kernel: *mut *mut tenon_kernel) -> i32,
    pub program_retain: unsafe extern "C" fn(program: *const tenon_program) -> i32,
    pub program_release: unsafe extern "C" fn(program: *mut tenon_program),
    pub kernel_parameter_count: unsafe extern "C" fn(kernel: *const tenon_kernel, out_count: *mut i32) -> i32,
    pub kernel_get_parameter_info: unsafe extern "C" fn(kernel: *const tenon_kernel, index: i32,
                                                        out_info: *mut tenon_parameter_info) -> i32,
    pub kernel_name: unsafe extern "C" fn(kernel: *const tenon_kernel, out_name: *mut *const c_char) -> i32,
    pub kernel_get_info: unsafe extern "C" fn(kernel: *mut tenon_kernel, out_info: *mut tenon_kernel_info) -> i32,
    pub kernel_retain: unsafe extern "C" fn(kernel: *const tenon_kernel) -> i32,
    pub kernel_release: unsafe extern "C" fn(kernel: *mut tenon_kernel),
    pub kernel_launch: unsafe extern "C" fn(kernel: *mut tenon_kernel, launch: *const tenon_launch,
                                            args: *const tenon_arg, count: i32, stream: *mut tenon_stream) -> i32,
    pub call_create: unsafe extern "C" fn(kernel: *mut tenon_kernel, launch: *const tenon_launch,
                                          args: *const tenon_arg, count: i32, out_call: *mut *mut tenon_call) -> i32,
    pub call_set: unsafe extern "C" fn(call: *mut tenon_call, index: i32, arg: *const tenon_arg) -> i32,
    pub call_launch: unsafe extern "C" fn(call: *mut tenon_call, stream: *mut tenon_stream) -> i32,
    pub call_clone: unsafe extern "C" fn(call: *const tenon_call, out_call: *mut *mut tenon_call) -> i32,
    pub call_retain: unsafe extern "C" fn(call: *const tenon_call) -> i32,
    pub call_release: unsafe extern "C" fn(call: *mut tenon_call),
    pub gemm: unsafe extern "C" fn(alpha: *const tenon_arg, a: *const tenon_array, b: *const tenon_array,
                                   beta: *const tenon_arg, options: *const tenon_gemm_options,
                                   stream: *mut tenon_stream, out_c: *mut *mut tenon_array) -> i32,
    pub svd: unsafe extern "C" fn(a: *const tenon_array, options: *const tenon_svd_options, stream: *mut tenon_stream,
                                  out_u: *mut *mut tenon_array, out_s: *mut *mut tenon_array,
                                  out_vh: *mut *mut tenon_array) -> i32,
    pub fft: unsafe extern "C" fn(source: *const tenon_array, axes: *const i32, axis_count: i32,
                                  options: *const tenon_fft_options, stream: *mut tenon_stream,
                                  out_destination: *mut *mut tenon_array) -> i32,
    pub elementwise_create: unsafe extern "C" fn(inputs: *const c_char, outputs: *const c_char,
                                                 operation: *const c_char, options: *const tenon_generated_options,
                                                 out_elementwise: *mut *mut tenon_elementwise) -> i32,
    pub elementwise_call: unsafe extern "C" fn(elementwise: *mut tenon_elementwise, args: *const tenon_arg, count: i32,
                                               stream: *mut tenon_stream) -> i32,
    pub elementwise_output: unsafe extern "C" fn(elementwise: *mut tenon_elementwise, args: *const tenon_arg,
                                                 count: i32, index: i32, stream: *mut tenon_stream,
                                                 out_array: *mut *mut tenon_array) -> i32,
    pub elementwise_retain: unsafe extern "C" fn(elementwise: *const tenon_elementwise) -> i32,
    pub elementwise_release: unsafe extern "C" fn(elementwise: *mut tenon_elementwise),
    pub reduction_create: unsafe extern "C" fn(inputs: *const c_char, output: *const c_char, map: *const c_char,
                                               reduce: *const c_char, post: *const c_char, identity: *const c_char,
                                               options: *const tenon_generated_options,
                                               out_reduction: *mut *mut tenon_reduction) -> i32,
    pub reduction_call: unsafe extern "C" fn(reduction: *mut tenon_reduction, args: *const tenon_arg, count: i32,
                                             axes: *const i32, axis_count: i32, stream: *mut tenon_stream) -> i32,
    pub reduction_output: unsafe extern "C" fn(reduction: *mut tenon_reduction, args: *const tenon_arg, count: i32,
                                               axes: *const i32, axis_count: i32, keep_axes: i32,
                                               stream: *mut tenon_stream, out_array: *mut *mut tenon_array) -> i32,
    pub reduction_retain: unsafe extern "C" fn(reduction: *const tenon_reduction) -> i32,
    pub reduction_release: unsafe extern "C" fn(reduction: *mut tenon_reduction),
    pub scan_create: unsafe extern "C" fn(inputs: *const c_char, output: *const c_char, map: *const c_char,
                                          combine: *const c_char, identity: *const c_char, exclusive: i32,
                                          options: *const tenon_generated_options,
                                          out_scan: *mut *mut tenon_scan) -> i32,
    pub scan_call: unsafe extern "C" fn(scan: *mut tenon_scan, args: *const tenon_arg, count: i32, axis: i32,
                                        stream: *mut tenon_stream) -> i32,
    pub scan_output: unsafe extern "C" fn(scan: *mut tenon_scan, args: *const tenon_arg, count: i32,
                                          stream: *mut tenon_stream, out_array: *mut *mut tenon_array) -> i32,
    pub scan_retain: unsafe extern "C" fn(scan: *const tenon_scan) -> i32,
    pub scan_release: unsafe extern "C" fn(scan: *mut tenon_scan),
    pub program_global: unsafe extern "C" fn(program: *mut tenon_program, name: *const c_char,
                                             out_array: *mut *mut tenon_array) -> i32,
    pub kernel_occupancy: unsafe extern "C" fn(kernel: *mut tenon_kernel, block_threads: u32, shared_bytes: u64,
                                               out_blocks_per_multiprocessor: *mut i32) -> i32,
    pub kernel_suggest: unsafe extern "C" fn(kernel: *mut tenon_kernel, shared_bytes: u64, out_block: *mut u32,
                                             out_min_grid: *mut u32) -> i32,
    pub launch_for: unsafe extern "C" fn(kernel: *mut tenon_kernel, count: u64, launch: *mut tenon_launch) -> i32,
    pub kernel_time: unsafe extern "C" fn(kernel: *mut tenon_kernel, launch: *const tenon_launch,
                                          args: *const tenon_arg, count: i32, stream: *mut tenon_stream,
                                          out_seconds: *mut f64) -> i32,
    pub compilation_start: unsafe extern "C" fn(device: *mut tenon_device, source: *const c_char, size: u64,
                                                options: *const tenon_program_options,
                                                out_compilation: *mut *mut tenon_compilation) -> i32,
    pub compilation_query: unsafe extern "C" fn(compilation: *mut tenon_compilation) -> i32,
    pub compilation_wait: unsafe extern "C" fn(compilation: *mut tenon_compilation, seconds: f64,
                                               out_program: *mut *mut tenon_program) -> i32,
    pub compilation_cancel: unsafe extern "C" fn(compilation: *mut tenon_compilation) -> i32,
    pub compilation_retain: unsafe extern "C" fn(compilation: *const tenon_compilation) -> i32,
    pub compilation_release: unsafe extern "C" fn(compilation: *mut tenon_compilation),
    pub graph_create: unsafe extern "C" fn(device: *mut tenon_device, out_graph: *mut *mut tenon_graph) -> i32,
    pub graph_begin: unsafe extern "C" fn(graph: *mut tenon_graph, out_stream: *mut *mut tenon_stream) -> i32,
    pub graph_end: unsafe extern "C" fn(graph: *mut tenon_graph) -> i32,
    pub graph_clear: unsafe extern "C" fn(graph: *mut tenon_graph) -> i32,
    pub graph_launch: unsafe extern "C" fn(graph: *mut tenon_graph, stream: *mut tenon_stream) -> i32,
    pub graph_set: unsafe extern "C" fn(graph: *mut tenon_graph, node: i32, index: i32, arg: *const tenon_arg) -> i32,
    pub graph_node_count: unsafe extern "C" fn(graph: *const tenon_graph, out_count: *mut i32) -> i32,
    pub graph_get_node_info: unsafe extern "C" fn(graph: *const tenon_graph, node: i32,
                                                  out_info: *mut tenon_graph_node_info) -> i32,
    pub graph_get_parameter_info: unsafe extern "C" fn(graph: *const tenon_graph, node: i32, index: i32,
                                                       out_info: *mut tenon_parameter_info) -> i32,
    pub graph_retain: unsafe extern "C" fn(graph: *const tenon_graph) -> i32,
    pub graph_release: unsafe extern "C" fn(graph: *mut tenon_graph),
    pub package_load: unsafe extern "C" fn(context: *mut tenon_context, path: *const c_char,
                                           options: *const tenon_package_options,
                                           out_package: *mut *mut tenon_package) -> i32,
    pub package_load_memory: unsafe extern "C" fn(context: *mut tenon_context, bytes: *const c_void, size: u64,
                                                  name: *const c_char, options: *const tenon_package_options,
                                                  out_package: *mut *mut tenon_package) -> i32,
    pub package_check: unsafe extern "C" fn(context: *mut tenon_context, path: *const c_char,
                                            options: *const tenon_package_options,
                                            out_report: *mut *mut tenon_blob) -> i32,
    pub package_find: unsafe extern "C" fn(context: *mut tenon_context, name: *const c_char, range: *const c_char,
                                           out_package: *mut *mut tenon_package) -> i32,
    pub package_list: unsafe extern "C" fn(context: *mut tenon_context, out_list: *mut *mut tenon_blob) -> i32,
    pub package_unload: unsafe extern "C" fn(package: *mut tenon_package) -> i32,
    pub package_reload: unsafe extern "C" fn(package: *mut tenon_package, out_package: *mut *mut tenon_package) -> i32,
    pub package_describe: unsafe extern "C" fn(package: *const tenon_package,
                                               out_description: *mut *mut tenon_blob) -> i32,
    pub package_operation: unsafe extern "C" fn(package: *mut tenon_package, name: *const c_char,
                                                out_operation: *mut *mut tenon_operation) -> i32,
    pub package_file: unsafe extern "C" fn(package: *const tenon_package, path: *const c_char,
                                           out_text: *mut *mut tenon_blob) -> i32,
    pub package_retain: unsafe extern "C" fn(package: *const tenon_package) -> i32,
    pub package_release: unsafe extern "C" fn(package: *mut tenon_package),
    pub operation_find: unsafe extern "C" fn(context: *mut tenon_context, name: *const c_char, range: *const c_char,
                                             out_operation: *mut *mut tenon_operation) -> i32,
    pub operation_describe: unsafe extern "C" fn(operation: *const tenon_operation,
                                                 out_description: *mut *mut tenon_blob) -> i32,
    pub operation_get_info: unsafe extern "C" fn(operation: *const tenon_operation,
                                                 out_info: *mut tenon_operation_info) -> i32,
    pub operation_get_parameter_info: unsafe extern "C" fn(operation: *const tenon_operation, index: i32,
                                                           out_info: *mut tenon_operation_parameter_info) -> i32,
    pub operation_gradient: unsafe extern "C" fn(operation: *const tenon_operation,
                                                 out_gradient: *mut *mut tenon_operation) -> i32,
    pub operation_package: unsafe extern "C" fn(operation: *const tenon_operation,
                                                out_package: *mut *mut tenon_package) -> i32,
    pub operation_retain: unsafe extern "C" fn(operation: *const tenon_operation) -> i32,
    pub operation_release: unsafe extern "C" fn(operation: *mut tenon_operation),
    pub dot: unsafe extern "C" fn(x: *const tenon_array, y: *const tenon_array, options: *const tenon_blas_options,
                                  stream: *mut tenon_stream, out_dot: *mut *mut tenon_array) -> i32,
    pub einsum: unsafe extern "C" fn(subscripts: *const c_char, operands: *const *const tenon_array, count: i32,
                                     options: *const tenon_gemm_options, stream: *mut tenon_stream,
                                     out_sum: *mut *mut tenon_array) -> i32,
    pub solve: unsafe extern "C" fn(a: *const tenon_array, b: *const tenon_array, options: *const tenon_solve_options,
                                    stream: *mut tenon_stream, out_x: *mut *mut tenon_array) -> i32,
    pub lu: unsafe extern "C" fn(a: *const tenon_array, options: *const tenon_lu_options, stream: *mut tenon_stream,
                                 out_lu: *mut *mut tenon_array, out_pivots: *mut *mut tenon_array) -> i32,
    pub lu_solve: unsafe extern "C" fn(lu: *const tenon_array, pivots: *const tenon_array, b: *const tenon_array,
                                       options: *const tenon_lu_options, stream: *mut tenon_stream,
                                       out_x: *mut *mut tenon_array) -> i32,
    pub cholesky: unsafe extern "C" fn(a: *const tenon_array, options: *const tenon_cholesky_options,
                                       stream: *mut tenon_stream, out_factor: *mut *mut tenon_array) -> i32,
    pub cholesky_solve: unsafe extern "C" fn(factor: *const tenon_array, b: *const tenon_array,
                                             options: *const tenon_cholesky_options, stream: *mut tenon_stream,
                                             out_x: *mut *mut tenon_array) -> i32,
    pub qr: unsafe extern "C" fn(a: *const tenon_array, options: *const tenon_qr_options, stream: *mut tenon_stream,
                                 out_q: *mut *mut tenon_array, out_r: *mut *mut tenon_array) -> i32,
    pub lstsq: unsafe extern "C" fn(a: *const tenon_array, b: *const tenon_array, options: *const tenon_rank_options,
                                    stream: *mut tenon_stream, out_x: *mut *mut tenon_array,
                                    out_rank: *mut *mut tenon_array, out_s: *mut *mut tenon_array) -> i32,
    pub inverse: unsafe extern "C" fn(a: *const tenon_array, options: *const tenon_lu_options,
                                      stream: *mut tenon_stream, out_inverse: *mut *mut tenon_array) -> i32,
    pub pinv: unsafe extern "C" fn(a: *const tenon_array, options: *const tenon_rank_options, stream: *mut tenon_stream,
                                   out_inverse: *mut *mut tenon_array) -> i32,
    pub matrix_rank: unsafe extern "C" fn(a: *const tenon_array, options: *const tenon_rank_options,
                                          stream: *mut tenon_stream, out_rank: *mut *mut tenon_array) -> i32,
    pub det: unsafe extern "C" fn(a: *const tenon_array, options: *const tenon_lu_options, stream: *mut tenon_stream,
                                  out_det: *mut *mut tenon_array) -> i32,
    pub slogdet: unsafe extern "C" fn(a: *const tenon_array, options: *const tenon_lu_options,
                                      stream: *mut tenon_stream, out_sign: *mut *mut tenon_array,
                                      out_log: *mut *mut tenon_array) -> i32,
    pub eigh: unsafe extern "C" fn(a: *const tenon_array, options: *const tenon_eigh_options, stream: *mut tenon_stream,
                                   out_w: *mut *mut tenon_array, out_v: *mut *mut tenon_array) -> i32,
    pub eig: unsafe extern "C" fn(a: *const tenon_array, options: *const tenon_eig_options, stream: *mut tenon_stream,
                                  out_w: *mut *mut tenon_array, out_left: *mut *mut tenon_array,
                                  out_right: *mut *mut tenon_array) -> i32,
    pub norm: unsafe extern "C" fn(a: *const tenon_array, options: *const tenon_norm_options, stream: *mut tenon_stream,
                                   out_norm: *mut *mut tenon_array) -> i32,
    pub cond: unsafe extern "C" fn(a: *const tenon_array, options: *const tenon_norm_options, stream: *mut tenon_stream,
                                   out_cond: *mut *mut tenon_array) -> i32,
    pub matrix_power: unsafe extern "C" fn(a: *const tenon_array, n: i64, options: *const tenon_power_options,
                                           stream: *mut tenon_stream, out_power: *mut *mut tenon_array) -> i32,
    pub expm: unsafe extern "C" fn(a: *const tenon_array, options: *const tenon_power_options,
                                   stream: *mut tenon_stream, out_exponential: *mut *mut tenon_array) -> i32,
    pub operation_call: unsafe extern "C" fn(operation: *mut tenon_operation, args: *const tenon_arg, count: i32,
                                             stream: *mut tenon_stream) -> i32,
    pub operation_output: unsafe extern "C" fn(operation: *mut tenon_operation, args: *const tenon_arg, count: i32,
                                               index: i32, stream: *mut tenon_stream,
                                               out_array: *mut *mut tenon_array) -> i32,
    pub operation_prepare: unsafe extern "C" fn(operation: *mut tenon_operation, args: *const tenon_arg,
                                                count: i32) -> i32,
    pub package_prepare: unsafe extern "C" fn(package: *mut tenon_package, device: *mut tenon_device) -> i32,
    pub operation_set_tunable: unsafe extern "C" fn(operation: *mut tenon_operation, name: *const c_char,
                                                    value: i64) -> i32,
    pub operation_get_tunable: unsafe extern "C" fn(operation: *const tenon_operation, name: *const c_char,
                                                    out_value: *mut i64) -> i32,
    pub operation_test: unsafe extern "C" fn(operation: *mut tenon_operation, device: *mut tenon_device,
                                             out_report: *mut *mut tenon_blob) -> i32,
    pub operation_bind: unsafe extern "C" fn(operation: *mut tenon_operation, args: *const tenon_arg, count: i32,
                                             stream: *mut tenon_stream, out_call: *mut *mut tenon_call) -> i32,
    pub program_link: unsafe extern "C" fn(device: *mut tenon_device, inputs: *const tenon_program_input, count: i32,
                                           options: *const tenon_program_options,
                                           out_program: *mut *mut tenon_program) -> i32,
    pub compilation_link: unsafe extern "C" fn(device: *mut tenon_device, inputs: *const tenon_program_input,
                                               count: i32, options: *const tenon_program_options,
                                               out_compilation: *mut *mut tenon_compilation) -> i32,
    pub kernel_parameter_name: unsafe extern "C" fn(kernel: *const tenon_kernel, index: i32,
                                                    out_name: *mut *const c_char) -> i32,
    pub cache_get_info: unsafe extern "C" fn(context: *mut tenon_context, out_info: *mut tenon_cache_info) -> i32,
    pub cache_list: unsafe extern "C" fn(context: *mut tenon_context, out_list: *mut *mut tenon_blob) -> i32,
    pub cache_verify: unsafe extern "C" fn(context: *mut tenon_context, remove: i32,
                                           out_tally: *mut tenon_cache_tally) -> i32,
    pub cache_export: unsafe extern "C" fn(context: *mut tenon_context, path: *const c_char,
                                           out_tally: *mut tenon_cache_tally) -> i32,
    pub cache_import: unsafe extern "C" fn(context: *mut tenon_context, path: *const c_char,
                                           out_tally: *mut tenon_cache_tally) -> i32,
    pub cache_clear: unsafe extern "C" fn(context: *mut tenon_context, unused_seconds: f64, keep_bytes: u64,
                                          out_tally: *mut tenon_cache_tally) -> i32,
    pub kron: unsafe extern "C" fn(a: *const tenon_array, b: *const tenon_array, options: *const tenon_gemm_options,
                                   stream: *mut tenon_stream, out_product: *mut *mut tenon_array) -> i32,
    pub ldl: unsafe extern "C" fn(a: *const tenon_array, options: *const tenon_ldl_options, stream: *mut tenon_stream,
                                  out_ld: *mut *mut tenon_array, out_pivots: *mut *mut tenon_array) -> i32,
    pub ldl_solve: unsafe extern "C" fn(ld: *const tenon_array, pivots: *const tenon_array, b: *const tenon_array,
                                        options: *const tenon_ldl_options, stream: *mut tenon_stream,
                                        out_x: *mut *mut tenon_array) -> i32,
    pub program_compile: unsafe extern "C" fn(architecture: *const c_char, source: *const c_char, size: u64,
                                              options: *const tenon_program_options, kind: tenon_image_constant,
                                              out_image: *mut *mut tenon_blob, out_log: *mut *mut tenon_blob) -> i32,
    pub package_pack: unsafe extern "C" fn(path: *const c_char, options: *const tenon_package_options,
                                           out_archive: *mut *mut tenon_blob) -> i32,
    pub operation_measure: unsafe extern "C" fn(operation: *mut tenon_operation, device: *mut tenon_device,
                                                options: *const tenon_measure_options,
                                                out_report: *mut *mut tenon_blob) -> i32,
    pub operation_tune: unsafe extern "C" fn(operation: *mut tenon_operation, device: *mut tenon_device,
                                             options: *const tenon_measure_options,
                                             out_report: *mut *mut tenon_blob) -> i32,
    pub dct: unsafe extern "C" fn(source: *const tenon_array, axes: *const i32, axis_count: i32,
                                  options: *const tenon_dct_options, stream: *mut tenon_stream,
                                  out_destination: *mut *mut tenon_array) -> i32,
    pub signing_key_create: unsafe extern "C" fn(out_secret: *mut *mut tenon_blob) -> i32,
    pub signing_key_public: unsafe extern "C" fn(secret: *const c_char, out_public: *mut *mut tenon_blob) -> i32,
    pub package_sign: unsafe extern "C" fn(path: *const c_char, secret: *const c_char,
                                           options: *const tenon_package_options,
                                           out_signature: *mut *mut tenon_blob) -> i32,
    pub plugin_load: unsafe extern "C" fn(context: *mut tenon_context, path: *const c_char,
                                          options: *const tenon_package_options,
                                          out_package: *mut *mut tenon_package) -> i32,
    pub tensordot: unsafe extern "C" fn(a: *const tenon_array, b: *const tenon_array, axes_a: *const i32,
                                        axes_b: *const i32, count: i32, options: *const tenon_gemm_options,
                                        stream: *mut tenon_stream, out_sum: *mut *mut tenon_array) -> i32,
    pub fft_prepare: unsafe extern "C" fn(source: *const tenon_array, destination: *const tenon_array, axes: *const i32,
                                          axis_count: i32, options: *const tenon_fft_options) -> i32,
    pub dct_prepare: unsafe extern "C" fn(source: *const tenon_array, destination: *const tenon_array, axes: *const i32,
                                          axis_count: i32, options: *const tenon_dct_options) -> i32,
    pub convolve: unsafe extern "C" fn(a: *const tenon_array, b: *const tenon_array, axes: *const i32, axis_count: i32,
                                       options: *const tenon_convolve_options, stream: *mut tenon_stream,
                                       out_result: *mut *mut tenon_array) -> i32,
    pub fft_shift: unsafe extern "C" fn(x: *const tenon_array, axes: *const i32, axis_count: i32,
                                        options: *const tenon_shift_options, stream: *mut tenon_stream,
                                        out_shifted: *mut *mut tenon_array) -> i32,
    pub fft_frequencies: unsafe extern "C" fn(device: *mut tenon_device, dtype: tenon_dtype, n: i64, spacing: f64,
                                              options: *const tenon_frequencies_options, stream: *mut tenon_stream,
                                              out_frequencies: *mut *mut tenon_array) -> i32,
    pub fft_fast_length: unsafe extern "C" fn(n: i64, out_length: *mut i64) -> i32,
    pub gemv: unsafe extern "C" fn(alpha: *const tenon_arg, a: *const tenon_array, x: *const tenon_array,
                                   beta: *const tenon_arg, options: *const tenon_blas_options,
                                   stream: *mut tenon_stream, out_y: *mut *mut tenon_array) -> i32,
    pub ger: unsafe extern "C" fn(alpha: *const tenon_arg, x: *const tenon_array, y: *const tenon_array,
                                  options: *const tenon_blas_options, stream: *mut tenon_stream,
                                  out_a: *mut *mut tenon_array) -> i32,
    pub axpy: unsafe extern "C" fn(alpha: *const tenon_arg, x: *const tenon_array, options: *const tenon_blas_options,
                                   stream: *mut tenon_stream, out_y: *mut *mut tenon_array) -> i32,
    pub scal: unsafe extern "C" fn(alpha: *const tenon_arg, x: *const tenon_array, options: *const tenon_blas_options,
                                   stream: *mut tenon_stream, out_y: *mut *mut tenon_array) -> i32,
    pub nrm2: unsafe extern "C" fn(x: *const tenon_array, options: *const tenon_blas_options, stream: *mut tenon_stream,
                                   out_norm: *mut *mut tenon_array) -> i32,
    pub syrk: unsafe extern "C" fn(alpha: *const tenon_arg, a: *const tenon_array, beta: *const tenon_arg,
                                   options: *const tenon_blas_options, stream: *mut tenon_stream,
                                   out_c: *mut *mut tenon_array) -> i32,
    pub symm: unsafe extern "C" fn(alpha: *const tenon_arg, a: *const tenon_array, b: *const tenon_array,
                                   beta: *const tenon_arg, options: *const tenon_blas_options,
                                   stream: *mut tenon_stream, out_c: *mut *mut tenon_array) -> i32,
    pub trmm: unsafe extern "C" fn(alpha: *const tenon_arg, a: *const tenon_array, b: *const tenon_array,
                                   options: *const tenon_blas_options, stream: *mut tenon_stream,
                                   out_c: *mut *mut tenon_array) -> i32,
    pub trsm: unsafe extern "C" fn(alpha: *const tenon_arg, a: *const tenon_array, b: *const tenon_array,
                                   options: *const tenon_blas_options, stream: *mut tenon_stream,
                                   out_x: *mut *mut tenon_array) -> i32,
    pub gemm_grouped: unsafe extern "C" fn(count: i64, alpha: *const tenon_arg, a: *const *const tenon_array,
                                           b: *const *const tenon_array, beta: *const tenon_arg,
                                           options: *const tenon_gemm_options, stream: *mut tenon_stream,
                                           out_c: *mut *mut tenon_array) -> i32,
    pub error_batch_index: unsafe extern "C" fn(error: *const tenon_error, out_index: *mut i64) -> i32,
    pub array_follow: unsafe extern "C" fn(array: *mut tenon_array, current: tenon_current_stream_fn) -> i32,
    pub interrupt_set: unsafe extern "C" fn(interrupt: tenon_interrupt_fn, user: *mut c_void) -> i32,
    pub handle_kind: unsafe extern "C" fn(handle: *const c_void, out_kind: *mut tenon_handle_constant) -> i32,
    pub retain: unsafe extern "C" fn(handle: *const c_void) -> i32,
    pub release: unsafe extern "C" fn(handle: *mut c_void),
    pub same: unsafe extern "C" fn(a: *const c_void, b: *const c_void, out_same: *mut i32) -> i32,
    pub cpu_threads_set: unsafe extern "C" fn(threads: i32) -> i32,
    pub cpu_threads_get: unsafe extern "C" fn(out_threads: *mut i32) -> i32,
    pub event_device: unsafe extern "C" fn(event: *const tenon_event, out_device: *mut *mut tenon_device) -> i32,
    pub buffer_device: unsafe extern "C" fn(buffer: *const tenon_buffer, out_device: *mut *mut tenon_device) -> i32,
    pub program_device: unsafe extern "C" fn(program: *const tenon_program, out_device: *mut *mut tenon_device) -> i32,
    pub kernel_program: unsafe extern "C" fn(kernel: *const tenon_kernel, out_program: *mut *mut tenon_program) -> i32,
    pub kernel_device: unsafe extern "C" fn(kernel: *const tenon_kernel, out_device: *mut *mut tenon_device) -> i32,
    pub call_kernel: unsafe extern "C" fn(call: *const tenon_call, out_kernel: *mut *mut tenon_kernel) -> i32,
    pub graph_device: unsafe extern "C" fn(graph: *const tenon_graph, out_device: *mut *mut tenon_device) -> i32,
    pub symv: unsafe extern "C" fn(alpha: *const tenon_arg, a: *const tenon_array, x: *const tenon_array,
                                   beta: *const tenon_arg, options: *const tenon_blas_options,
                                   stream: *mut tenon_stream, out_y: *mut *mut tenon_array) -> i32,
    pub syr: unsafe extern "C" fn(alpha: *const tenon_arg, x: *const tenon_array, options: *const tenon_blas_options,
                                  stream: *mut tenon_stream, out_a: *mut *mut tenon_array) -> i32,
    pub trmv: unsafe extern "C" fn(a: *const tenon_array, x: *const tenon_array, options: *const tenon_blas_options,
                                   stream: *mut tenon_stream, out_y: *mut *mut tenon_array) -> i32,
    pub trsv: unsafe extern "C" fn(a: *const tenon_array, b: *const tenon_array, options: *const tenon_blas_options,
                                   stream: *mut tenon_stream, out_x: *mut *mut tenon_array) -> i32,
    pub unary: unsafe extern "C" fn(function: tenon_fn_constant, x: *const tenon_arg,
                                    options: *const tenon_compute_options, stream: *mut tenon_stream,
                                    out_result: *mut *mut tenon_array) -> i32,
    pub binary: unsafe extern "C" fn(function: tenon_fn_constant, x: *const tenon_arg, y: *const tenon_arg,
                                     options: *const tenon_compute_options, stream: *mut tenon_stream,
                                     out_result: *mut *mut tenon_array) -> i32,
    pub select: unsafe extern "C" fn(condition: *const tenon_arg, x: *const tenon_arg, y: *const tenon_arg,
                                     options: *const tenon_compute_options, stream: *mut tenon_stream,
                                     out_result: *mut *mut tenon_array) -> i32,
    pub clip: unsafe extern "C" fn(x: *const tenon_arg, low: *const tenon_arg, high: *const tenon_arg,
                                   options: *const tenon_compute_options, stream: *mut tenon_stream,
                                   out_result: *mut *mut tenon_array) -> i32,
    pub cast: unsafe extern "C" fn(x: *const tenon_arg, dtype: tenon_dtype, options: *const tenon_compute_options,
                                   stream: *mut tenon_stream, out_result: *mut *mut tenon_array) -> i32,
    pub reduce: unsafe extern "C" fn(function: tenon_fn_constant, x: *const tenon_arg,
                                     options: *const tenon_reduce_options, stream: *mut tenon_stream,
                                     out_result: *mut *mut tenon_array) -> i32,
    pub accumulate: unsafe extern "C" fn(function: tenon_fn_constant, x: *const tenon_arg,
                                         options: *const tenon_accumulate_options, stream: *mut tenon_stream,
                                         out_result: *mut *mut tenon_array) -> i32,
    pub result_type: unsafe extern "C" fn(args: *const tenon_arg, count: i32, out_dtype: *mut tenon_dtype) -> i32,
    pub random: unsafe extern "C" fn(device: *mut tenon_device, dtype: tenon_dtype, rank: i32, shape: *const i64,
                                     distribution: tenon_random_constant, options: *const tenon_random_options,
                                     stream: *mut tenon_stream, out_numbers: *mut *mut tenon_array) -> i32,
    pub random_blocks: unsafe extern "C" fn(dtype: tenon_dtype, count: i64, distribution: tenon_random_constant,
                                            out_blocks: *mut u64) -> i32,
    pub random_split: unsafe extern "C" fn(key: u64, count: i64, out_keys: *mut u64) -> i32,
    pub random_permutation: unsafe extern "C" fn(device: *mut tenon_device, n: i64,
                                                 options: *const tenon_random_options, stream: *mut tenon_stream,
                                                 out_order: *mut *mut tenon_array) -> i32,
    pub concat: unsafe extern "C" fn(arrays: *const *const tenon_array, count: i32, axis: i32,
                                     options: *const tenon_moving_options, stream: *mut tenon_stream,
                                     out_array: *mut *mut tenon_array) -> i32,
    pub stack: unsafe extern "C" fn(arrays: *const *const tenon_array, count: i32, axis: i32,
                                    options: *const tenon_moving_options, stream: *mut tenon_stream,
                                    out_array: *mut *mut tenon_array) -> i32,
    pub tile: unsafe extern "C" fn(x: *const tenon_array, rank: i32, repeats: *const i64,
                                   options: *const tenon_moving_options, stream: *mut tenon_stream,
                                   out_array: *mut *mut tenon_array) -> i32,
    pub repeat: unsafe extern "C" fn(x: *const tenon_array, count: i64, axis: i32, options: *const tenon_moving_options,
                                     stream: *mut tenon_stream, out_array: *mut *mut tenon_array) -> i32,
    pub roll: unsafe extern "C" fn(x: *const tenon_array, shifts: *const i64, axes: *const i32, count: i32,
                                   options: *const tenon_moving_options, stream: *mut tenon_stream,
                                   out_array: *mut *mut tenon_array) -> i32,
    pub pad: unsafe extern "C" fn(x: *const tenon_array, rank: i32, before: *const i64, after: *const i64,
                                  options: *const tenon_pad_options, stream: *mut tenon_stream,
                                  out_array: *mut *mut tenon_array) -> i32,
    pub take: unsafe extern "C" fn(x: *const tenon_array, indices: *const *const tenon_array, axes: *const i32,
                                   count: i32, options: *const tenon_take_options, stream: *mut tenon_stream,
                                   out_array: *mut *mut tenon_array) -> i32,
    pub scatter: unsafe extern "C" fn(x: *mut tenon_array, values: *const tenon_array,
                                      indices: *const *const tenon_array, axes: *const i32, count: i32,
                                      options: *const tenon_take_options, stream: *mut tenon_stream) -> i32,
    pub nonzero: unsafe extern "C" fn(x: *const tenon_array, options: *const tenon_moving_options,
                                      stream: *mut tenon_stream, out_indices: *mut *mut tenon_array) -> i32,
    pub compress: unsafe extern "C" fn(x: *const tenon_array, mask: *const tenon_array, axis: i32,
                                       options: *const tenon_moving_options, stream: *mut tenon_stream,
                                       out_array: *mut *mut tenon_array) -> i32,
    pub range: unsafe extern "C" fn(device: *mut tenon_device, dtype: tenon_dtype, count: i64,
                                    options: *const tenon_range_options, stream: *mut tenon_stream,
                                    out_array: *mut *mut tenon_array) -> i32,
    pub eye: unsafe extern "C" fn(device: *mut tenon_device, dtype: tenon_dtype, rows: i64, columns: i64,
                                  options: *const tenon_diagonal_options, stream: *mut tenon_stream,
                                  out_array: *mut *mut tenon_array) -> i32,
    pub triangle: unsafe extern "C" fn(x: *const tenon_array, options: *const tenon_diagonal_options,
                                       stream: *mut tenon_stream, out_array: *mut *mut tenon_array) -> i32,
    pub sort: unsafe extern "C" fn(x: *const tenon_array, axis: i32, options: *const tenon_sort_options,
                                   stream: *mut tenon_stream, out_values: *mut *mut tenon_array,
                                   out_indices: *mut *mut tenon_array) -> i32,
    pub top_k: unsafe extern "C" fn(x: *const tenon_array, k: i64, axis: i32, options: *const tenon_top_k_options,
                                    stream: *mut tenon_stream, out_values: *mut *mut tenon_array,
                                    out_indices: *mut *mut tenon_array) -> i32,
    pub search_sorted: unsafe extern "C" fn(sorted: *const tenon_array, wanted: *const tenon_array,
                                            options: *const tenon_search_options, stream: *mut tenon_stream,
                                            out_places: *mut *mut tenon_array) -> i32,
    pub unique: unsafe extern "C" fn(x: *const tenon_array, options: *const tenon_unique_options,
                                     stream: *mut tenon_stream, out_values: *mut *mut tenon_array,
                                     out_indices: *mut *mut tenon_array, out_inverse: *mut *mut tenon_array,
                                     out_counts: *mut *mut tenon_array) -> i32,
    pub bincount: unsafe extern "C" fn(x: *const tenon_array, weights: *const tenon_array, length: i64,
                                       options: *const tenon_bincount_options, stream: *mut tenon_stream,
                                       out_counts: *mut *mut tenon_array) -> i32,
    pub device_allocator: unsafe extern "C" fn(device: *mut tenon_device, out_allocator: *mut tenon_allocator) -> i32,
    pub stream_call_host: unsafe extern "C" fn(stream: *mut tenon_stream, function: tenon_stream_fn,
                                               destroy: tenon_destroy_fn, user: *mut c_void) -> i32,
    pub event_wrap: unsafe extern "C" fn(device: *mut tenon_device, native: u64, destroy: tenon_destroy_fn,
                                         user: *mut c_void, out_event: *mut *mut tenon_event) -> i32,
    pub event_native: unsafe extern "C" fn(event: *const tenon_event, out_native: *mut u64) -> i32,
    pub buffer_create_shared: unsafe extern "C" fn(device: *mut tenon_device, bytes: u64,
                                                   out_buffer: *mut *mut tenon_buffer) -> i32,
    pub buffer_share: unsafe extern "C" fn(buffer: *const tenon_buffer, out_key: *mut *mut tenon_blob) -> i32,
    pub buffer_open: unsafe extern "C" fn(device: *mut tenon_device, key: *const c_void, size: u64,
                                          out_buffer: *mut *mut tenon_buffer) -> i32,
    pub array_use: unsafe extern "C" fn(array: *mut tenon_array, access: tenon_access_constant,
                                        stream: *mut tenon_stream) -> i32,
    pub call_set_args: unsafe extern "C" fn(call: *mut tenon_call, args: *const tenon_arg, count: i32) -> i32,
    pub call_set_launch: unsafe extern "C" fn(call: *mut tenon_call, launch: *const tenon_launch) -> i32,
    pub graph_set_args: unsafe extern "C" fn(graph: *mut tenon_graph, node: i32, args: *const tenon_arg,
                                             count: i32) -> i32,
    pub graph_set_launch: unsafe extern "C" fn(graph: *mut tenon_graph, node: i32, launch: *const tenon_launch) -> i32,
    pub graph_last_node: unsafe extern "C" fn(stream: *const tenon_stream, out_node: *mut i32) -> i32,
    pub asum: unsafe extern "C" fn(x: *const tenon_array, options: *const tenon_blas_options, stream: *mut tenon_stream,
                                   out_sum: *mut *mut tenon_array) -> i32,
    pub iamax: unsafe extern "C" fn(x: *const tenon_array, options: *const tenon_blas_options,
                                    stream: *mut tenon_stream, out_index: *mut *mut tenon_array) -> i32,
    pub iamin: unsafe extern "C" fn(x: *const tenon_array, options: *const tenon_blas_options,
                                    stream: *mut tenon_stream, out_index: *mut *mut tenon_array) -> i32,
    pub swap: unsafe extern "C" fn(x: *const tenon_array, y: *const tenon_array, options: *const tenon_blas_options,
                                   stream: *mut tenon_stream, out_x: *mut *mut tenon_array,
                                   out_y: *mut *mut tenon_array) -> i32,
    pub rot: unsafe extern "C" fn(c: *const tenon_arg, s: *const tenon_arg, x: *const tenon_array,
                                  y: *const tenon_array, options: *const tenon_blas_options, stream: *mut tenon_stream,
                                  out_x: *mut *mut tenon_array, out_y: *mut *mut tenon_array) -> i32,
    pub rotg: unsafe extern "C" fn(a: *const tenon_array, b: *const tenon_array, options: *const tenon_blas_options,
                                   stream: *mut tenon_stream, out_c: *mut *mut tenon_array,
                                   out_s: *mut *mut tenon_array, out_r: *mut *mut tenon_array) -> i32,
    pub syr2: unsafe extern "C" fn(alpha: *const tenon_arg, x: *const tenon_array, y: *const tenon_array,
                                   options: *const tenon_blas_options, stream: *mut tenon_stream,
                                   out_a: *mut *mut tenon_array) -> i32,
    pub gbmv: unsafe extern "C" fn(alpha: *const tenon_arg, a: *const tenon_array, x: *const tenon_array,
                                   beta: *const tenon_arg, options: *const tenon_blas_options,
                                   stream: *mut tenon_stream, out_y: *mut *mut tenon_array) -> i32,
    pub sbmv: unsafe extern "C" fn(alpha: *const tenon_arg, a: *const tenon_array, x: *const tenon_array,
                                   beta: *const tenon_arg, options: *const tenon_blas_options,
                                   stream: *mut tenon_stream, out_y: *mut *mut tenon_array) -> i32,
    pub syr2k: unsafe extern "C" fn(alpha: *const tenon_arg, a: *const tenon_array, b: *const tenon_array,
                                    beta: *const tenon_arg, options: *const tenon_blas_options,
                                    stream: *mut tenon_stream, out_c: *mut *mut tenon_array) -> i32,
    pub geam: unsafe extern "C" fn(alpha: *const tenon_arg, a: *const tenon_array, beta: *const tenon_arg,
                                   b: *const tenon_array, options: *const tenon_blas_options, stream: *mut tenon_stream,
                                   out_c: *mut *mut tenon_array) -> i32,
    pub device_limit_memory: unsafe extern "C" fn(device: *mut tenon_device, bytes: u64) -> i32,
    pub rotm: unsafe extern "C" fn(x: *const tenon_array, y: *const tenon_array, h: *const tenon_array,
                                   options: *const tenon_blas_options, stream: *mut tenon_stream,
                                   out_x: *mut *mut tenon_array, out_y: *mut *mut tenon_array) -> i32,
    pub rotmg: unsafe extern "C" fn(d1: *const tenon_array, d2: *const tenon_array, x1: *const tenon_array,
                                    y1: *const tenon_array, options: *const tenon_blas_options,
                                    stream: *mut tenon_stream, out_d1: *mut *mut tenon_array,
                                    out_d2: *mut *mut tenon_array, out_x1: *mut *mut tenon_array,
                                    out_h: *mut *mut tenon_array) -> i32,
    pub tbmv: unsafe extern "C" fn(a: *const tenon_array, x: *const tenon_array, options: *const tenon_blas_options,
                                   stream: *mut tenon_stream, out_y: *mut *mut tenon_array) -> i32,
    pub tbsv: unsafe extern "C" fn(a: *const tenon_array, b: *const tenon_array, options: *const tenon_blas_options,
                                   stream: *mut tenon_stream, out_x: *mut *mut tenon_array) -> i32,
    pub elementwise_compose: unsafe extern "C" fn(inputs: *const u32, input_count: i32, steps: *const tenon_step,
                                                  step_count: i32, outputs: *const i32, output_count: i32,
                                                  options: *const tenon_generated_options,
                                                  out_elementwise: *mut *mut tenon_elementwise) -> i32,
    pub texture_create: unsafe extern "C" fn(source: *const tenon_array, options: *const tenon_texture_options,
                                             stream: *mut tenon_stream, out_texture: *mut *mut tenon_texture) -> i32,
    pub texture_update: unsafe extern "C" fn(texture: *mut tenon_texture, source: *const tenon_array,
                                             stream: *mut tenon_stream) -> i32,
    pub texture_read: unsafe extern "C" fn(texture: *const tenon_texture, stream: *mut tenon_stream,
                                           out_array: *mut *mut tenon_array) -> i32,
    pub texture_get_info: unsafe extern "C" fn(texture: *const tenon_texture, out_info: *mut tenon_texture_info) -> i32,
    pub texture_device: unsafe extern "C" fn(texture: *const tenon_texture, out_device: *mut *mut tenon_device) -> i32,
    pub texture_retain: unsafe extern "C" fn(texture: *const tenon_texture) -> i32,
    pub texture_release: unsafe extern "C" fn(texture: *mut tenon_texture),
    pub kernel_prefer_shared: unsafe extern "C" fn(kernel: *mut tenon_kernel, percent: i32) -> i32,
    pub reduction_compose: unsafe extern "C" fn(inputs: *const u32, input_count: i32, steps: *const tenon_step,
                                                step_count: i32, value: i32, function: tenon_fn_constant,
                                                options: *const tenon_generated_options,
                                                out_reduction: *mut *mut tenon_reduction) -> i32,
    pub scan_compose: unsafe extern "C" fn(inputs: *const u32, input_count: i32, steps: *const tenon_step,
                                           step_count: i32, value: i32, function: tenon_fn_constant, exclusive: i32,
                                           options: *const tenon_generated_options,
                                           out_scan: *mut *mut tenon_scan) -> i32,
    pub quantile: unsafe extern "C" fn(x: *const tenon_array, probabilities: *const f64, count: i64,
                                       options: *const tenon_quantile_options, stream: *mut tenon_stream,
                                       out_quantiles: *mut *mut tenon_array) -> i32,
    pub segment_reduce: unsafe extern "C" fn(function: tenon_fn_constant, x: *const tenon_array,
                                             segments: *const tenon_array, options: *const tenon_segment_options,
                                             stream: *mut tenon_stream, out_result: *mut *mut tenon_array) -> i32,
    pub segment_scan: unsafe extern "C" fn(function: tenon_fn_constant, x: *const tenon_array,
                                           segments: *const tenon_array, options: *const tenon_segment_options,
                                           stream: *mut tenon_stream, out_result: *mut *mut tenon_array) -> i32,
    pub segment_offsets: unsafe extern "C" fn(segments: *const tenon_array, options: *const tenon_segment_options,
                                              stream: *mut tenon_stream, out_offsets: *mut *mut tenon_array) -> i32,
    pub csr_from_coo: unsafe extern "C" fn(rows: i64, columns: i64, row: *const tenon_array, column: *const tenon_array,
                                           values: *const tenon_array, options: *const tenon_sparse_options,
                                           stream: *mut tenon_stream, out_offsets: *mut *mut tenon_array,
                                           out_columns: *mut *mut tenon_array,
                                           out_values: *mut *mut tenon_array) -> i32,
    pub csr_from_dense: unsafe extern "C" fn(x: *const tenon_array, options: *const tenon_sparse_options,
                                             stream: *mut tenon_stream, out_offsets: *mut *mut tenon_array,
                                             out_columns: *mut *mut tenon_array,
                                             out_values: *mut *mut tenon_array) -> i32,
    pub csr_rows: unsafe extern "C" fn(offsets: *const tenon_array, count: i64, options: *const tenon_sparse_options,
                                       stream: *mut tenon_stream, out_rows: *mut *mut tenon_array) -> i32,
    pub csr_to_dense: unsafe extern "C" fn(columns: i64, offsets: *const tenon_array, indices: *const tenon_array,
                                           values: *const tenon_array, options: *const tenon_sparse_options,
                                           stream: *mut tenon_stream, out_dense: *mut *mut tenon_array) -> i32,
    pub csr_transpose: unsafe extern "C" fn(columns: i64, offsets: *const tenon_array, indices: *const tenon_array,
                                            values: *const tenon_array, options: *const tenon_sparse_options,
                                            stream: *mut tenon_stream, out_offsets: *mut *mut tenon_array,
                                            out_columns: *mut *mut tenon_array,
                                            out_values: *mut *mut tenon_array) -> i32,
    pub csr_multiply: unsafe extern "C" fn(columns: i64, offsets: *const tenon_array, indices: *const tenon_array,
                                           values: *const tenon_array, b: *const tenon_array,
                                           options: *const tenon_sparse_product_options, stream: *mut tenon_stream,
                                           out_result: *mut *mut tenon_array) -> i32,
    pub einsum_path: unsafe extern "C" fn(subscripts: *const c_char, operands: *const *const tenon_array, count: i32,
                                          out_first: *mut i32, out_second: *mut i32) -> i32,
    pub interpolate: unsafe extern "C" fn(x: *const tenon_array, points: *const tenon_array, values: *const tenon_array,
                                          options: *const tenon_interpolate_options, stream: *mut tenon_stream,
                                          out_y: *mut *mut tenon_array) -> i32,
    pub device_use_allocator: unsafe extern "C" fn(device: *mut tenon_device, allocator: *const tenon_allocator) -> i32,
}

/// A row of the table that `tenon_get_api` returned, or None if the loaded library is older than the row:
/// `row!(api, array_zeros)`. Reading beyond the end of an older table is undefined behaviour. Unsafe:
/// `api` must be such a pointer.
#[macro_export]
macro_rules! row {
    ($api:expr, $row:ident) => {{
        let api: *const $crate::tenon_api = $api;
        let whole = core::mem::MaybeUninit::<$crate::tenon_api>::uninit();
        let place = core::ptr::addr_of!((*whole.as_ptr()).$row);
        $crate::row_at(api, place, place as usize - whole.as_ptr() as usize)
    }};
}

#[doc(hidden)]
/// # Safety
/// `api` points at a table. If the table is large enough, it has a row of type T at `offset` bytes.
pub unsafe fn row_at<T: Copy>(api: *const tenon_api, _: *const T, offset: usize) -> Option<T> {
    let size = api.cast::<u32>().read() as usize;
    (size >= offset + core::mem::size_of::<T>()).then(|| api.cast::<u8>().add(offset).cast::<T>().read())
}

macro_rules! functions {
    ($($(#[$doc:meta])* $row:ident = fn $name:ident($($parameter:ident: $kind:ty),*) $(-> $result:ty)?;)*) => {
        #[cfg(all(feature = "link", not(feature = "dlopen")))]
        extern "C" {
            $($(#[$doc])* pub fn $name($($parameter: $kind),*) $(-> $result)?;)*
        }

        /// The same functions, looked up in the table of the library that was opened.
        #[cfg(feature = "dlopen")]
        mod opened {
            use super::*;
            $(
                $(#[$doc])*
                ///
                /// # Safety
                /// The conditions in the comment must hold.
                pub unsafe extern "C" fn $name($($parameter: $kind),*) $(-> $result)? {
                    let api = dynamic::table();
                    if api.is_null() {
                        return dynamic::Absent::absent(TENON_ERROR_MISSING_LIBRARY);
                    }
                    match row!(api, $row) {
                        Some(function) => function($($parameter),*),
                        None => dynamic::too_old(api),
                    }
                }
            )*
        }
        #[cfg(feature = "dlopen")]
        pub use opened::*;
    };
}

#[cfg(feature = "dlopen")]
mod dynamic {
    use super::*;
    use core::sync::atomic::{AtomicPtr, Ordering};

    static TABLE: AtomicPtr<tenon_api> = AtomicPtr::new(core::ptr::null_mut());
    const NOW: i32 = 2; // RTLD_NOW

    #[link(name = "dl")]
    extern "C" {
        fn dlopen(path: *const c_char, flags: i32) -> *mut c_void;
        fn dlsym(library: *mut c_void, name: *const c_char) -> *mut c_void;
        fn getenv(name: *const c_char) -> *const c_char;
    }

    const fn c(text: &'static [u8]) -> *const c_char {
        text.as_ptr().cast()
    }

    /// The table of the open library; opens one if none is open. Null if that fails.
    pub unsafe fn table() -> *const tenon_api {
        let known = TABLE.load(Ordering::Acquire);
        if !known.is_null() {
            return known;
        }
        let named = getenv(c(b"TENON_LIBRARY\0"));
        load(if named.is_null() { c(b"libtenon.so.1\0") } else { named });
        TABLE.load(Ordering::Acquire)
    }

    /// Opens the library at `path`; call it before any other function. Returns `TENON_ERROR_MISSING_LIBRARY` if no
    /// library can be opened there, and `TENON_ERROR_VERSION` if its major version is another one. After a failure,
    /// calls go to the library that they went to before.
    ///
    /// # Safety
    /// `path` must point to a string that ends in a NUL byte and names a build of libtenon.
    pub unsafe fn load(path: *const c_char) -> i32 {
        let library = dlopen(path, NOW);
        let found = if library.is_null() { library } else { dlsym(library, c(b"tenon_get_api\0")) };
        if found.is_null() {
            return TENON_ERROR_MISSING_LIBRARY;
        }
        let get_api: unsafe extern "C" fn(u32) -> *const tenon_api = core::mem::transmute(found);
        let api = get_api(TENON_ABI_LEVEL);
        if api.is_null() {
            return TENON_ERROR_VERSION;
        }
        TABLE.store(api as *mut tenon_api, Ordering::Release);
        TENON_OK
    }

    /// The library has no such row. An earlier failure in the error record is not the reason.
    pub unsafe fn too_old<T: Absent>(api: *const tenon_api) -> T {
        if let Some(clear) = row!(api, error_clear) {
            clear();
        }
        T::absent(TENON_ERROR_VERSION)
    }

    /// What a function that is not there returns.
    pub trait Absent {
        fn absent(status: i32) -> Self;
    }
    impl Absent for () {
        fn absent(_: i32) {}
    }
    impl Absent for i32 {
        fn absent(status: i32) -> i32 {
            status
        }
    }
    impl Absent for u32 {
        fn absent(_: i32) -> u32 {
            0
        }
    }
    impl Absent for *const tenon_api {
        fn absent(_: i32) -> *const tenon_api {
            core::ptr::null()
        }
    }
    impl Absent for *const c_char {
        fn absent(status: i32) -> *const c_char {
            c(if status == TENON_ERROR_VERSION {
                b"the Tenon that was opened is older than this program and lacks a function that it calls\0"
            } else {
                b"libtenon.so.1 could not be opened: install Tenon, or let TENON_LIBRARY name the library\0"
            })
        }
    }
}
#[cfg(feature = "dlopen")]
pub use dynamic::load;

functions! {
    /// The bytes of a blob, borrowed. A NUL byte follows the last one, so that text can be used as a C string.
    blob_data = fn tenon_blob_data(blob: *const tenon_blob, out_data: *mut *const c_void, out_size: *mut u64) -> i32;
    /// Adds one reference.
    blob_retain = fn tenon_blob_retain(blob: *const tenon_blob) -> i32;
    /// Releases one reference.
    blob_release = fn tenon_blob_release(blob: *mut tenon_blob);
    /// The version of the loaded library, in the format of TENON_PACK_VERSION. It may be newer than the headers.
    /// Compare it with TENON_ABI_LEVEL: version 1.2.3 has everything of the levels 1.0 to 1.2.
    version = fn tenon_version() -> u32;
    /// Every function as a table, for plug-ins and for programs that open the library at run time. level: the
    /// TENON_TARGET_LEVEL that the caller was compiled with. A caller of a newer level of the same major version gets
    /// this library's table, and checks TENON_HAS before it uses a row that an older library may lack. Returns NULL,
    /// with VERSION in the error record, if the level belongs to another major version, whose rows this library does
    /// not have. The table is static.
    get_api = fn tenon_get_api(level: u32) -> *const tenon_api;
    /// How the library was built (version, compiler, options, backends), as JSON text: static, borrowed, never NULL.
    build_info = fn tenon_build_info() -> *const c_char;
    /// The name of a status, "TENON_OK" and so on; "TENON_ERROR_UNKNOWN" for an unknown value. Static, never NULL.
    status_name = fn tenon_status_name(status: i32) -> *const c_char;
    /// The calling thread's last failure as an owned object; *out_error is NULL if the thread has had no failure since
    /// it started or since tenon_error_clear.
    error_last = fn tenon_error_last(out_error: *mut *mut tenon_error) -> i32;
    /// Forgets the calling thread's last failure.
    error_clear = fn tenon_error_clear();
    /// The text of the calling thread's last failure: one or two sentences that say what was wrong and what would be
    /// right. Borrowed until the thread's next failing call; "" if there was no failure; never NULL.
    error_last_message = fn tenon_error_last_message() -> *const c_char;
    /// The status that the failing call returned.
    error_status = fn tenon_error_status(error: *const tenon_error, out_status: *mut i32) -> i32;
    /// The text, borrowed.
    error_message = fn tenon_error_message(error: *const tenon_error, out_text: *mut *const c_char) -> i32;
    /// The vendor call that failed: its name ("cuLaunchKernel", "sgesdd"; "" if no vendor call failed) and the code it
    /// returned (CUresult, cublasStatus_t, LAPACK info ...).
    error_native = fn tenon_error_native(error: *const tenon_error, out_call: *mut *const c_char,
                                         out_code: *mut i64) -> i32;
    /// The compiler's full log, with the line numbers of the user's source; "" if the failure has none. Borrowed.
    error_log = fn tenon_error_log(error: *const tenon_error, out_text: *mut *const c_char) -> i32;
    /// Adds one reference.
    error_retain = fn tenon_error_retain(error: *const tenon_error) -> i32;
    /// Releases one reference.
    error_release = fn tenon_error_release(error: *mut tenon_error);
    /// The name of a dtype as NumPy spells it ("float32", "complex64", "bfloat16", "float8_e4m3fn"; with lanes
    /// "float32x4"). "invalid" for a value that is not a dtype. Valid for the life of the process; never NULL.
    dtype_name = fn tenon_dtype_name(dtype: tenon_dtype) -> *const c_char;
    /// Bits of one element, lanes included. DTYPE: the value is not a dtype.
    dtype_bits = fn tenon_dtype_bits(dtype: tenon_dtype, out_bits: *mut u32) -> i32;
    /// The process-default context as an owned reference; made on first use.
    context_default = fn tenon_context_default(out_context: *mut *mut tenon_context) -> i32;
    /// Creates a separate context. Statuses: INVALID_ARGUMENT (an option), OUT_OF_MEMORY. Without a CUDA driver the
    /// context has only the CPU device.
    context_create = fn tenon_context_create(options: *const tenon_context_options,
                                             out_context: *mut *mut tenon_context) -> i32;
    /// Adds one reference.
    context_retain = fn tenon_context_retain(context: *const tenon_context) -> i32;
    /// Releases one reference. The context closes when the last object that uses it (an array, a program ...) is
    /// released too.
    context_release = fn tenon_context_release(context: *mut tenon_context);
    /// Number of devices: the CPU, then every CUDA device that the driver lists. The first call looks for the CUDA
    /// driver.
    context_device_count = fn tenon_context_device_count(context: *mut tenon_context, out_count: *mut i32) -> i32;
    /// Device `index` of that list. INVALID_ARGUMENT: the index is out of range.
    context_device_at = fn tenon_context_device_at(context: *mut tenon_context, index: i32,
                                                   out_device: *mut *mut tenon_device) -> i32;
    /// A device by name: "cpu:0" (or "cpu"), "cuda:1" ("cuda" is "cuda:0"), or "best": cuda:0 if it exists, else cpu:0.
    /// NOT_FOUND: no device has that name; the message lists the devices that exist and, for CUDA, says why none was
    /// found (no driver, no device, driver too old).
    context_device = fn tenon_context_device(context: *mut tenon_context, name: *const c_char,
                                             out_device: *mut *mut tenon_device) -> i32;
    /// A report as JSON text: devices, toolkit and libraries with their paths and how each was found, compilers, cache
    /// directory and counters. Opens no library that was not needed before.
    context_report = fn tenon_context_report(context: *mut tenon_context, out_report: *mut *mut tenon_blob) -> i32;
    /// Fills *out_info; its struct_size must be set by the caller.
    device_get_info = fn tenon_device_get_info(device: *const tenon_device, out_info: *mut tenon_device_info) -> i32;
    /// "cpu:0", "cuda:0". Borrowed.
    device_name = fn tenon_device_name(device: *const tenon_device, out_name: *mut *const c_char) -> i32;
    /// The product: "NVIDIA H200", "AMD EPYC ...". Borrowed.
    device_description = fn tenon_device_description(device: *const tenon_device, out_text: *mut *const c_char) -> i32;
    /// The compiler of the device's kernels, and where it was found: "CUDA 13.0, NVRTC 13.0 from /usr/local/cuda/lib64
    /// (toolkit)", "clang 19.1.7 at /usr/bin/clang++-19", or a sentence that says what is missing and what to install.
    /// Borrowed.
    device_toolkit = fn tenon_device_toolkit(device: *const tenon_device, out_text: *mut *const c_char) -> i32;
    /// Waits for all work that Tenon enqueued on the device; returns the first fault found. KERNEL_FAULT: a kernel on
    /// the CPU device failed. In a context that defers errors, also deferred errors: SINGULAR, NOT_FINITE,
    /// NOT_CONVERGED, OVERFLOW.
    device_synchronize = fn tenon_device_synchronize(device: *mut tenon_device) -> i32;
    /// Adds one reference.
    device_retain = fn tenon_device_retain(device: *const tenon_device) -> i32;
    /// Releases one reference.
    device_release = fn tenon_device_release(device: *mut tenon_device);
    /// Fills *out_info; its struct_size must be set by the caller.
    device_get_memory_info = fn tenon_device_get_memory_info(device: *const tenon_device,
                                                             out_info: *mut tenon_memory_info) -> i32;
    /// Returns free blocks to the system, keeping at most keep_bytes.
    device_trim_memory = fn tenon_device_trim_memory(device: *mut tenon_device, keep_bytes: u64) -> i32;
    /// A new stream. On CUDA it does not synchronise with the legacy default stream.
    stream_create = fn tenon_stream_create(device: *mut tenon_device, options: *const tenon_stream_options,
                                           out_stream: *mut *mut tenon_stream) -> i32;
    /// A stream for a native handle (a CUstream; 0 or 1: the legacy default stream, 2: the per-thread default stream),
    /// which its owner keeps. On the CPU device only 0 is valid. destroy NULL: the native stream must stay valid until
    /// the last reference that this call returned is released; arrays used on it may live longer. Otherwise it must
    /// stay valid until destroy(user) runs: once, when no reference, array or pending work refers to the stream any
    /// more (at once, if the stream is kept valid already: by an earlier wrapping, by Tenon, or by the driver), on the
    /// thread of the call that finds this out. Wrapping it again is then as cheap as taking a reference. The library
    /// takes ownership of destroy on success only. INVALID_ARGUMENT: not a live stream; DEVICE: a stream of another
    /// device or context.
    stream_wrap = fn tenon_stream_wrap(device: *mut tenon_device, native: u64, destroy: tenon_destroy_fn,
                                       user: *mut c_void, out_stream: *mut *mut tenon_stream) -> i32;
    /// The device's default stream: the one that a NULL stream means unless an argument's framework provides its own.
    stream_default = fn tenon_stream_default(device: *mut tenon_device, out_stream: *mut *mut tenon_stream) -> i32;
    /// The native handle (CUstream; 1: the legacy default stream); 0 on the CPU.
    stream_native = fn tenon_stream_native(stream: *const tenon_stream, out_native: *mut u64) -> i32;
    /// The device of the stream, as a new reference.
    stream_device = fn tenon_stream_device(stream: *const tenon_stream, out_device: *mut *mut tenon_device) -> i32;
    /// Waits until all work enqueued so far has finished. Returns the stream's fault (KERNEL_FAULT, DEVICE_LOST) if
    /// there was one; a KERNEL_FAULT is reported once and cleared. stream NULL: waits for the default stream of each
    /// device of the process-default context that was used, then returns the first fault. In a context that defers
    /// errors, also deferred errors: SINGULAR, NOT_FINITE, NOT_CONVERGED, OVERFLOW.
    stream_synchronize = fn tenon_stream_synchronize(stream: *mut tenon_stream) -> i32;
    /// TENON_OK if all work has finished, TENON_ERROR_NOT_READY if not; otherwise as tenon_stream_synchronize, for NULL
    /// too. Does not wait. In a context that defers errors, also deferred errors: SINGULAR, NOT_FINITE, NOT_CONVERGED,
    /// OVERFLOW.
    stream_query = fn tenon_stream_query(stream: *mut tenon_stream) -> i32;
    /// Work enqueued on `stream` (NULL: the default stream of the event's device) from now on waits for the work that
    /// precedes the event's last record, even on a stream of another device. CONTEXT: stream and event belong to
    /// different contexts.
    stream_wait_event = fn tenon_stream_wait_event(stream: *mut tenon_stream, event: *mut tenon_event) -> i32;
    /// Adds one reference.
    stream_retain = fn tenon_stream_retain(stream: *const tenon_stream) -> i32;
    /// Releases one reference. Work in flight continues.
    stream_release = fn tenon_stream_release(stream: *mut tenon_stream);
    /// A new event, not recorded yet; waiting for it returns at once. flags: TENON_EVENT_*.
    event_create = fn tenon_event_create(device: *mut tenon_device, flags: tenon_event_flags,
                                         out_event: *mut *mut tenon_event) -> i32;
    /// Marks this point of the stream (NULL: the default stream of the event's device), replacing an earlier mark.
    event_record = fn tenon_event_record(event: *mut tenon_event, stream: *mut tenon_stream) -> i32;
    /// Waits on the host until the mark is reached. In a context that defers errors, also deferred errors: SINGULAR,
    /// NOT_FINITE, NOT_CONVERGED, OVERFLOW.
    event_synchronize = fn tenon_event_synchronize(event: *mut tenon_event) -> i32;
    /// TENON_OK if the mark is reached, TENON_ERROR_NOT_READY if not.
    event_query = fn tenon_event_query(event: *mut tenon_event) -> i32;
    /// Seconds between two recorded timing events that are both reached (NOT_READY otherwise). INVALID_ARGUMENT: one
    /// was created without TENON_EVENT_TIMING. DEVICE: they belong to different devices.
    event_elapsed = fn tenon_event_elapsed(start: *mut tenon_event, end: *mut tenon_event,
                                           out_seconds: *mut f64) -> i32;
    /// Adds one reference.
    event_retain = fn tenon_event_retain(event: *const tenon_event) -> i32;
    /// Releases one reference.
    event_release = fn tenon_event_release(event: *mut tenon_event);
    /// Allocates `bytes` (0 is allowed) of memory, not cleared, stream-ordered on `stream`. kind: TENON_MEMORY_*.
    /// OUT_OF_MEMORY, after free blocks were returned to the system and a second attempt failed: the text gives the
    /// bytes requested, in use and free. OVERFLOW: more than 2^63 - 1 bytes. UNSUPPORTED: pinned or managed memory on
    /// the CPU device.
    buffer_create = fn tenon_buffer_create(device: *mut tenon_device, bytes: u64, kind: tenon_memory_constant,
                                           stream: *mut tenon_stream, out_buffer: *mut *mut tenon_buffer) -> i32;
    /// Makes a buffer of memory that the caller or another library owns. The memory must be usable on the device: host
    /// memory for the CPU device (kind DEVICE); for a CUDA device the driver is queried (DEVICE: the memory belongs to
    /// another device or is of another kind). OVERFLOW: the memory would end beyond the last address. read_only: 1
    /// refuses writes. stream: the stream on which the owner enqueues work on the memory (NULL: the device's default
    /// stream); a use on another stream waits for all work that this stream holds at that time. While another library
    /// captures that stream, no other stream can wait for it: the memory can be used in that capture, and elsewhere
    /// only after the capture has ended (UNSUPPORTED before that). If the memory is ready already, pass the stream on
    /// which it will be used. UNSUPPORTED also: the stream records a graph of Tenon. destroy(user) runs once after the
    /// last use, on the thread of the call that finds the use complete; the library takes ownership of it on success
    /// only.
    buffer_wrap = fn tenon_buffer_wrap(device: *mut tenon_device, data: *mut c_void, bytes: u64,
                                       kind: tenon_memory_constant, read_only: i32, stream: *mut tenon_stream,
                                       destroy: tenon_destroy_fn, user: *mut c_void,
                                       out_buffer: *mut *mut tenon_buffer) -> i32;
    /// Address and size in bytes. The address of a CUDA buffer is a device address.
    buffer_data = fn tenon_buffer_data(buffer: *const tenon_buffer, out_data: *mut *mut c_void,
                                       out_bytes: *mut u64) -> i32;
    /// Adds one reference.
    buffer_retain = fn tenon_buffer_retain(buffer: *const tenon_buffer) -> i32;
    /// Releases one reference. The memory is reused only after its last use on every stream.
    buffer_release = fn tenon_buffer_release(buffer: *mut tenon_buffer);
    /// A new C-ordered array whose elements are not initialised.
    array_create = fn tenon_array_create(device: *mut tenon_device, dtype: tenon_dtype, rank: i32, shape: *const i64,
                                         stream: *mut tenon_stream, out_array: *mut *mut tenon_array) -> i32;
    /// A new C-ordered array of zeros.
    array_zeros = fn tenon_array_zeros(device: *mut tenon_device, dtype: tenon_dtype, rank: i32, shape: *const i64,
                                       stream: *mut tenon_stream, out_array: *mut *mut tenon_array) -> i32;
    /// A new array with a copy of C-ordered host memory of exactly `bytes` bytes, which may be reused when the call
    /// returns. SHAPE: bytes is not the size of that dtype and shape. UNSUPPORTED: on a stream that records a graph.
    array_from_host = fn tenon_array_from_host(device: *mut tenon_device, dtype: tenon_dtype, rank: i32,
                                               shape: *const i64, data: *const c_void, bytes: u64,
                                               stream: *mut tenon_stream, out_array: *mut *mut tenon_array) -> i32;
    /// A view of a buffer. strides: NULL for C order; byte_offset: the offset of the element at index 0. Every element
    /// must lie inside the buffer (OVERFLOW) and be aligned to its size or 16, whichever is less (LAYOUT). The caller
    /// keeps its reference to the buffer.
    array_from_buffer = fn tenon_array_from_buffer(buffer: *mut tenon_buffer, dtype: tenon_dtype, rank: i32,
                                                   shape: *const i64, strides: *const i64, byte_offset: u64,
                                                   out_array: *mut *mut tenon_array) -> i32;
    /// Adds one reference.
    array_retain = fn tenon_array_retain(array: *const tenon_array) -> i32;
    /// Releases one reference. Work in flight that uses the memory is not affected.
    array_release = fn tenon_array_release(array: *mut tenon_array);
    /// Fills *out_info; its struct_size must be set by the caller.
    array_get_info = fn tenon_array_get_info(array: *const tenon_array, out_info: *mut tenon_array_info) -> i32;
    /// The device of the array, as a new reference.
    array_device = fn tenon_array_device(array: *const tenon_array, out_device: *mut *mut tenon_device) -> i32;
    /// The buffer that the array is a view of, as a new reference.
    array_buffer = fn tenon_array_buffer(array: *const tenon_array, out_buffer: *mut *mut tenon_buffer) -> i32;
    /// Another shape of the same elements in C order; one extent may be -1 (inferred). SHAPE: the sizes differ. LAYOUT:
    /// the strides do not allow a view (make the array contiguous first).
    array_reshape = fn tenon_array_reshape(array: *const tenon_array, rank: i32, shape: *const i64,
                                           out_array: *mut *mut tenon_array) -> i32;
    /// The axes in another order: axis i of the result is axis axes\[i\] of the array; NULL reverses the order.
    /// Negative axes count from the end. INVALID_ARGUMENT: rank is not the array's; an axis is out of range, or listed
    /// twice.
    array_transpose = fn tenon_array_transpose(array: *const tenon_array, rank: i32, axes: *const i32,
                                               out_array: *mut *mut tenon_array) -> i32;
    /// For each axis the elements start, start + step, ... before stop, as in Python; a negative start or stop counts
    /// from the end and is clamped; INT64_MIN means "left out". step must not be 0. starts, stops, steps: NULL if all
    /// are left out. INVALID_ARGUMENT: rank is not the array's; a step is 0.
    array_slice = fn tenon_array_slice(array: *const tenon_array, rank: i32, starts: *const i64, stops: *const i64,
                                       steps: *const i64, out_array: *mut *mut tenon_array) -> i32;
    /// The elements at one index of one axis: the result has one axis fewer. Negative indices count from the end.
    /// INVALID_ARGUMENT: axis or index is out of range.
    array_index = fn tenon_array_index(array: *const tenon_array, axis: i32, index: i64,
                                       out_array: *mut *mut tenon_array) -> i32;
    /// The array broadcast to a larger shape by NumPy's rules, with stride 0. The result is read-only. SHAPE: the
    /// shapes do not broadcast.
    array_broadcast = fn tenon_array_broadcast(array: *const tenon_array, rank: i32, shape: *const i64,
                                               out_array: *mut *mut tenon_array) -> i32;
    /// The same bytes as another dtype. If the element sizes differ, the last axis must have unit stride (LAYOUT), and
    /// its extent changes. DTYPE: types of fewer than 8 bits have no view. SHAPE: the last axis does not hold a whole
    /// number of new elements.
    array_view = fn tenon_array_view(array: *const tenon_array, dtype: tenon_dtype,
                                     out_array: *mut *mut tenon_array) -> i32;
    /// destination\[...\] = source: broadcasts source, converts the dtype as C does (float to integer truncates; NaN
    /// and numbers out of range become unspecified integers; complex to real keeps the real part; to bool: != 0;
    /// rounding is to nearest even), with any strides, between any two devices. OVERLAP: the arrays are neither exactly
    /// the same elements nor disjoint, or the destination overlaps itself. Between devices the copy is ordered on
    /// `stream`, which belongs to either of them (NULL: the default stream of the destination, or of the source if the
    /// destination is the CPU); if the destination is host memory that is not pinned, the copy is complete on return.
    /// READ_ONLY: the destination is read-only. UNSUPPORTED: a dtype of less than a byte, if the shapes differ or an
    /// array is not contiguous; the stream records a graph, and the copy is between devices that cannot access each
    /// other's memory.
    array_copy = fn tenon_array_copy(destination: *mut tenon_array, source: *const tenon_array,
                                     stream: *mut tenon_stream) -> i32;
    /// Sets every element to `value`, a scalar (TENON_ARG_SCALAR) of any dtype that can be computed with, or of the
    /// array's own dtype. The conversion is exact for integers and bool, and rounds to nearest even for floating and
    /// complex dtypes. INVALID_ARGUMENT: not a scalar, or a value that the dtype cannot hold: a fraction, or a number
    /// out of range, for integers; anything but 0 and 1 for bool; a finite number beyond the largest of a floating
    /// dtype; an imaginary part for a real dtype. DTYPE: a storage type (dtype.h), which takes only 0 or a scalar of
    /// its own dtype. READ_ONLY; OVERLAP: elements that share memory; UNSUPPORTED: a dtype of less than a byte in an
    /// array that is not contiguous. After a failure the array is unchanged.
    array_fill = fn tenon_array_fill(array: *mut tenon_array, value: *const tenon_arg,
                                     stream: *mut tenon_stream) -> i32;
    /// A new C-ordered copy of the source with another dtype (with the source's dtype: a plain contiguous copy) on
    /// another device (NULL: the source's). UNSUPPORTED as for tenon_array_copy.
    array_convert = fn tenon_array_convert(source: *const tenon_array, dtype: tenon_dtype, device: *mut tenon_device,
                                           stream: *mut tenon_stream, out_array: *mut *mut tenon_array) -> i32;
    /// Writes all elements in C order to host memory of exactly `bytes` bytes; the copy is complete on return. SHAPE:
    /// bytes is not the array's size. UNSUPPORTED: on a stream that records a graph. In a context that defers errors,
    /// also deferred errors: SINGULAR, NOT_FINITE, NOT_CONVERGED, OVERFLOW.
    array_to_host = fn tenon_array_to_host(array: *const tenon_array, data: *mut c_void, bytes: u64,
                                           stream: *mut tenon_stream) -> i32;
    /// Reads all elements in C order from host memory of exactly `bytes` bytes, which may be reused on return. SHAPE:
    /// bytes is not the array's size. READ_ONLY; OVERLAP: the array overlaps itself. UNSUPPORTED: on a stream that
    /// records a graph.
    array_set_from_host = fn tenon_array_set_from_host(array: *mut tenon_array, data: *const c_void, bytes: u64,
                                                       stream: *mut tenon_stream) -> i32;
    /// Import of the legacy struct. read_only: 1 refuses writes (the legacy struct has no such flag). Statuses: DTYPE,
    /// SHAPE, LAYOUT, OVERFLOW: the tensor is invalid; NOT_FOUND: its device does not exist; UNSUPPORTED: Tenon does
    /// not support its kind of device.
    array_from_dlpack = fn tenon_array_from_dlpack(context: *mut tenon_context, tensor: *mut DLManagedTensor,
                                                   read_only: i32, stream: *mut tenon_stream,
                                                   out_array: *mut *mut tenon_array) -> i32;
    /// Import of the versioned struct (1.x), with its READ_ONLY flag. A tensor of another major version is refused
    /// (VERSION); the caller still has to call its deleter. Other statuses: as for tenon_array_from_dlpack (DTYPE,
    /// SHAPE, LAYOUT, OVERFLOW, NOT_FOUND, UNSUPPORTED).
    array_from_dlpack_versioned = fn tenon_array_from_dlpack_versioned(context: *mut tenon_context,
                                                                       tensor: *mut DLManagedTensorVersioned,
                                                                       stream: *mut tenon_stream,
                                                                       out_array: *mut *mut tenon_array) -> i32;
    /// The legacy struct. READ_ONLY: it cannot carry the flag, so a read-only array is refused (ask for a copy).
    /// LAYOUT: negative strides, with TENON_DLPACK_NEVER_COPY. UNSUPPORTED: on a stream that records a graph. In a
    /// context that defers errors, also what was deferred: SINGULAR, NOT_FINITE, NOT_CONVERGED, OVERFLOW.
    array_to_dlpack = fn tenon_array_to_dlpack(array: *const tenon_array, flags: tenon_dlpack_flags,
                                               stream: *mut tenon_stream, out_tensor: *mut *mut DLManagedTensor) -> i32;
    /// The versioned struct, version 1.1. LAYOUT: negative strides, with TENON_DLPACK_NEVER_COPY. UNSUPPORTED: on a
    /// stream that records a graph. In a context that defers errors, also what was deferred: SINGULAR, NOT_FINITE,
    /// NOT_CONVERGED, OVERFLOW.
    array_to_dlpack_versioned = fn tenon_array_to_dlpack_versioned(array: *const tenon_array, flags: tenon_dlpack_flags,
                                                                   stream: *mut tenon_stream,
                                                                   out_tensor: *mut *mut DLManagedTensorVersioned) -> i32;
    /// Compiles `size` bytes of CUDA C (or finds the program in the cache). tenon_program_kernel returns the kernels
    /// named in the options; they share the program's __device__ and __constant__ variables. Without names the source
    /// is compiled all the same, so that its errors are reported here. COMPILE: the text has the first error, the
    /// record has the whole log with the user's line numbers. MISSING_LIBRARY: there is no compiler; the text says what
    /// to install. UNSUPPORTED: this processor lacks instructions of options.architecture or $TENON_CPU_ISA. CANCELLED:
    /// the function of tenon_interrupt_set requested it, or the process is ending. On the CPU, in fast mode, a kernel
    /// that consists only of grid-stride loops along x (i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i +=
    /// gridDim.x * blockDim.x) runs their iterations in the order of i, that is of memory, if the compiler can prove
    /// that nothing else depends on the thread. Each thread still runs its own iterations in their order. The same
    /// holds for the first such loop of any kernel if the loop changes only variables of its thread (sum += x\[i\]) and
    /// the compiler can prove that all threads reach it in the same way with nothing done before it. A bounds check at
    /// the beginning of a kernel is decided for a row of threads before they run. The word TENON_PLAIN_LOOPS anywhere
    /// in the source or the options (-DTENON_PLAIN_LOOPS) leaves all loops and checks as they are written.
    program_create = fn tenon_program_create(device: *mut tenon_device, source: *const c_char, size: u64,
                                             options: *const tenon_program_options,
                                             out_program: *mut *mut tenon_program) -> i32;
    /// The compiler's log: the warnings of a program that compiled. Borrowed; "" if there were none.
    program_log = fn tenon_program_log(program: *const tenon_program, out_text: *mut *const c_char) -> i32;
    /// The compiled image. kind: TENON_IMAGE_*. UNSUPPORTED: the program has no PTX (it is for the CPU, or was made
    /// from a cubin).
    program_image = fn tenon_program_image(program: *const tenon_program, kind: tenon_image_constant,
                                           out_image: *mut *mut tenon_blob) -> i32;
    /// A kernel of the program by the name or template instance given in the options. NOT_FOUND: the program has no
    /// such kernel; the text lists its kernels.
    program_kernel = fn tenon_program_kernel(program: *mut tenon_program, name: *const c_char,
                                             out_kernel: *mut *mut tenon_kernel) -> i32;
    /// Adds one reference.
    program_retain = fn tenon_program_retain(program: *const tenon_program) -> i32;
    /// Releases one reference. Kernels keep their program alive.
    program_release = fn tenon_program_release(program: *mut tenon_program);
    /// Number of parameters.
    kernel_parameter_count = fn tenon_kernel_parameter_count(kernel: *const tenon_kernel, out_count: *mut i32) -> i32;
    /// Parameter `index`, as the compiler sees it. The info's struct_size must be set by the caller.
    kernel_get_parameter_info = fn tenon_kernel_get_parameter_info(kernel: *const tenon_kernel, index: i32,
                                                                   out_info: *mut tenon_parameter_info) -> i32;
    /// The name with which the kernel was requested. Borrowed.
    kernel_name = fn tenon_kernel_name(kernel: *const tenon_kernel, out_name: *mut *const c_char) -> i32;
    /// Fills *out_info; its struct_size must be set by the caller. Loads the program on its device.
    kernel_get_info = fn tenon_kernel_get_info(kernel: *mut tenon_kernel, out_info: *mut tenon_kernel_info) -> i32;
    /// Adds one reference.
    kernel_retain = fn tenon_kernel_retain(kernel: *const tenon_kernel) -> i32;
    /// Releases one reference.
    kernel_release = fn tenon_kernel_release(kernel: *mut tenon_kernel);
    /// Launches the kernel. The call is refused before anything runs, with an error that names the argument, for a
    /// wrong count, kind, dtype, device or size; a read-only array that the kernel may write; an array that is not
    /// contiguous; geometry over a limit (the error names the limit). A pointer parameter takes an array of its own
    /// dtype; float4* and other vectors take an array of the lanes' dtype (rank and alignment permitting), float2* also
    /// complex64; void*, char* and unsigned char* take any dtype; a pointer to a struct takes bytes (uint8, int8), a
    /// whole number of structs. Scalars must have exactly the parameter's type; a vector passed by value takes its own
    /// dtype (float2 also complex64) or BYTES; an enum takes integers of its size. A parameter of which only the size
    /// is known takes any argument of that size: an array (which then counts as written, and must not be read-only) or
    /// a pointer if it has 8 bytes, a scalar, BYTES. DEVICE_LOST and KERNEL_FAULT of earlier work on the stream may be
    /// returned here. Statuses: DTYPE, LAYOUT, READ_ONLY: see above; SHAPE: bytes that are no whole number of structs;
    /// UNSUPPORTED: clusters on a device without them.
    kernel_launch = fn tenon_kernel_launch(kernel: *mut tenon_kernel, launch: *const tenon_launch,
                                           args: *const tenon_arg, count: i32, stream: *mut tenon_stream) -> i32;
    /// Makes a call of a kernel. Statuses as for tenon_kernel_launch.
    call_create = fn tenon_call_create(kernel: *mut tenon_kernel, launch: *const tenon_launch, args: *const tenon_arg,
                                       count: i32, out_call: *mut *mut tenon_call) -> i32;
    /// Replaces argument `index`, with the same checks; the call is unchanged after a failure. INVALID_ARGUMENT: there
    /// is no such argument. An operation is bound again, which takes as long as tenon_operation_bind. DTYPE: not that
    /// of the parameter.
    call_set = fn tenon_call_set(call: *mut tenon_call, index: i32, arg: *const tenon_arg) -> i32;
    /// Launches the call. DEVICE_LOST and KERNEL_FAULT of earlier work on the stream may be returned here. DEVICE: the
    /// stream belongs to another device.
    call_launch = fn tenon_call_launch(call: *mut tenon_call, stream: *mut tenon_stream) -> i32;
    /// An independent copy. The copy of an operation's call has its own temporaries, which are made on the default
    /// stream.
    call_clone = fn tenon_call_clone(call: *const tenon_call, out_call: *mut *mut tenon_call) -> i32;
    /// Adds one reference.
    call_retain = fn tenon_call_retain(call: *const tenon_call) -> i32;
    /// Releases one reference.
    call_release = fn tenon_call_release(call: *mut tenon_call);
    /// c = alpha op_a(a) op_b(b) + beta c. a: (..., m, k), b: (..., k, n), c: (..., m, n); the batch axes of a and b
    /// broadcast to those of c. c is provided or made (TENON_INOUT); a new c is int32 for int8, f32 for float8, else of
    /// a's dtype. c must share no memory with a or b. xGEMM, cublasGemmStridedBatchedEx, cublasLtMatmul.
    ///
    /// dtypes, one of:
    /// - all f16, bf16, f32, f64, c64 or c128; or a and b f16 or bf16 with c f32.
    /// - a and b int8 with c int32, the sum modulo 2^32; alpha and beta are integers below 2^31 in absolute value.
    /// - all of one integer dtype, the sum modulo 2^bits; alpha and beta are integers up to 2^53 in absolute value. Or
    /// all
    ///   bool: "or" is the sum, "and" the product, and alpha and beta are 0 or 1. Kernels of Tenon compute both, with
    /// no
    ///   bias or epilogue.
    /// - a and b float8 (e4m3fn or e5m2, not both e5m2) with c f16, bf16 or f32. alpha, beta: scalars of any dtype that
    /// can be computed with, rounded to the precision in which c is scaled (f32 for 16 bits and fewer); NULL: 1 and 0.
    /// For floating and complex c, except with float8, they may also be arrays without axes on the device, which are
    /// read when the work runs (blas.h). With beta 0 c is not read (NaN there is overwritten); with k 0 c = beta c.
    ///  TENON_COMPUTE_FAST computes large products of f32, on chips whose tensor cores suit it (8.0, 9.0, 10.0), from
    /// parts: a = A + a', where A has TF32's 11 bits, likewise for b, and a b = A B + A b' + a' B. A B is computed in
    /// TF32, summed over 256 or 512 terms at a time because tensor cores truncate as they add; the other products in
    /// bfloat16. The error, relative to the sum of the terms' magnitudes, is below 4e-6 for terms of one sign and 2e-7
    /// for random signs. cuBLAS's own f32 product of two plain square matrices has the same error, and a smaller one
    /// for shapes for which it splits the sums. Numbers below 2^-110 lose digits. Memory: 8 additional bytes per
    /// element of a and b. After Markidis et al. 2018, Ootomo and Yokota 2022.
    ///  float8: pass the product of the operands' scales as alpha. On CUDA (compute capability 8.9 and later) it uses
    /// cuBLASLt, whose tensor cores accumulate with fewer bits than f32 has (32 products are aligned to the largest of
    /// them: an error of up to 2^-8 of the sum of their magnitudes). cuBLASLt needs k along the unit stride of both
    /// operands (b a transpose, b.mT of an (n, k) array), extents that are multiples of 16, and aligned memory; other
    /// operands are copied. On the CPU the operands are converted to f32, which is exact, and c is rounded once.
    ///  With a bias or an epilogue (f16, bf16, f32 and f64) c = epilogue(alpha a b + beta c + bias). On CUDA cuBLASLt
    /// applies it within the product, rounding to c once, for f16, bf16, f32 and float8 if c's rows are dense: GELU for
    /// c f16 and bf16, to their accuracy; ReLU if the first use of an algorithm has shown that NaN stays NaN, for which
    /// that call waits for the device. Otherwise, and on the CPU, c is written and then changed in a second pass.
    ///  tune 1 (f16, bf16, f32, f64, c64, c128, float8): the first product on a device of one kind (dtypes, extents,
    /// strides, alignment, epilogue) runs the algorithms that cuBLASLt and cuBLAS offer, on this product's a and b and
    /// a separate result, waits for them, and keeps the fastest. Later products of this kind use it if they have tune,
    /// or an epilogue, or float8. tenon_context_report counts the algorithms kept (matmul_plans, at most 256 per
    /// device). Another algorithm may round differently. tune has no effect on the CPU, on products of int8 and those
    /// in parts, in a context with TENON_CONTEXT_DETERMINISTIC, and if there is no memory for the separate result;
    /// while another library captures the stream, only earlier measurements are used.
    ///  Statuses: DTYPE, SHAPE, DEVICE, CONTEXT, READ_ONLY, OVERLAP, INVALID_ARGUMENT (an unknown option; alpha or beta
    /// that is not a scalar or that the dtype cannot hold; beta other than 0 without a provided c), INVALID_HANDLE,
    /// VERSION, OUT_OF_MEMORY, MISSING_LIBRARY, UNSUPPORTED (float8 on a device without it). After a failure c is
    /// unchanged.
    gemm = fn tenon_gemm(alpha: *const tenon_arg, a: *const tenon_array, b: *const tenon_array, beta: *const tenon_arg,
                         options: *const tenon_gemm_options, stream: *mut tenon_stream,
                         out_c: *mut *mut tenon_array) -> i32;
    /// a = u diag(s) vh. a: (..., m, n) of f32, f64, c64, c128, not changed; s: (..., k) real, descending. u and vh
    /// have a's dtype. u, s and vh are provided or made (TENON_INOUT). With options->k: the k largest values, u (...,
    /// m, k), vh (..., k, n), independent of the shapes of the mode. Waits for the result, so that it can report a
    /// failure itself.
    ///  The result is accurate for every driver. The residual |a - u s vh| and the deviations from orthogonality |u^H u
    /// - 1| and |vh vh^H - 1|, in the 1-norm, are below 30 max(m, n) epsilon (the residual times |a|), LAPACK's own
    /// bound. For the leading triplets every residual |a^H u - s v| is at most sqrt(tolerance) / 2 times its s, so that
    /// the relative error of a value is about the tolerance (if values differ by less than its root, relatively, one of
    /// them may replace another), or max(m, n) epsilon times the largest s. Repeated values are found with their
    /// multiplicity. If a driver misses the bound, or does not support the shape, mode or device, the driver that
    /// TENON_SVD_DRIVER_AUTO takes for the whole decomposition is used instead; options->out_driver receives the one
    /// used (for a batch: that one, if any matrix needed it).
    ///  AUTO without k: LAPACK's xGESDD on the CPU; cuSOLVER and Tenon's kernels on CUDA, except for large matrices of
    /// single precision, on devices with fast double precision, which use TENON_SVD_DRIVER_GRAM. With k well below m
    /// and n: the Krylov space.
    ///  Statuses: NOT_FINITE (NaN or infinity in a), NOT_CONVERGED (native code: info), OVERFLOW (a singular value does
    /// not fit s's dtype), DTYPE, SHAPE (rank below 2), INVALID_ARGUMENT (k above m or n, an unknown driver or mode, a
    /// tolerance outside of \[0, 1)), MISSING_LIBRARY. UNSUPPORTED: while a graph is recorded.
    svd = fn tenon_svd(a: *const tenon_array, options: *const tenon_svd_options, stream: *mut tenon_stream,
                       out_u: *mut *mut tenon_array, out_s: *mut *mut tenon_array,
                       out_vh: *mut *mut tenon_array) -> i32;
    /// destination = transform of source over `axis_count` axes (negative: from the end; NULL: the last axis_count
    /// ones), of any length, primes included; every other axis is a batch. The destination is provided or made
    /// (TENON_INOUT). The dtypes determine the transform: all are f32 and c64, f64 and c128, or f16 and
    /// TENON_COMPLEX32; a new destination is complex, unless options->real_length makes it real:
    /// - complex to complex: equal shapes; destination may be source itself.
    /// - real to complex: the transform of real numbers is Hermitian, so along the last of the axes only the first n/2
    /// + 1
    ///   numbers are written, where n is its extent in the source: the destination has extent n/2 + 1 there, and the
    ///   source's extents elsewhere.
    /// - complex to real: the source is such a half spectrum, with extent n/2 + 1 along the last of the axes, and the
    ///   destination's extent there is n, even or odd; parts that would make the result complex (the imaginary part of
    ///   number 0, and of number n/2 if n is even) are not read. Source and destination must be disjoint here and in
    /// real to
    ///   complex. The source is not changed. Any strides. ducc0 on the CPU, cuFFT on CUDA (C2C, R2C, C2R; its plans are
    /// kept, at most 64 per device; tenon_context_report counts hits, misses and evictions). Half precision is cuFFT's
    /// own if every length is a power of two and the transform is unscaled; otherwise it is computed in single
    /// precision and rounded once. An axis of extent 0 is SHAPE; an empty batch does nothing. Statuses: DTYPE, SHAPE,
    /// DEVICE, CONTEXT, READ_ONLY, OVERLAP, INVALID_ARGUMENT (an axis listed twice or out of range; an unknown option;
    /// real_length that is negative, or does not fit the source or a provided destination), VERSION, INVALID_HANDLE,
    /// OUT_OF_MEMORY, MISSING_LIBRARY, UNSUPPORTED (this build has no CPU FFT: the text says how to get it; another
    /// library captures the stream: its graph cannot keep the plan and its work area alive, as a tenon_graph does).
    fft = fn tenon_fft(source: *const tenon_array, axes: *const i32, axis_count: i32, options: *const tenon_fft_options,
                       stream: *mut tenon_stream, out_destination: *mut *mut tenon_array) -> i32;
    /// An operation on every element. operation: statements that assign the outputs, such as "z = sqrt(x * x + y * y)".
    /// In addition to the parameters it can use `i`, the element's number in C order of the shape (int64), `n`, the
    /// number of elements, and the arrays `coord` (the element's index along each axis) and `shape`, both with `rank`
    /// entries. A parameter with one of these names hides it. INVALID_ARGUMENT: an error in the declarations; the text
    /// gives the place.
    elementwise_create = fn tenon_elementwise_create(inputs: *const c_char, outputs: *const c_char,
                                                     operation: *const c_char, options: *const tenon_generated_options,
                                                     out_elementwise: *mut *mut tenon_elementwise) -> i32;
    /// Computes the outputs. All arrays that are not raw broadcast to one shape by NumPy's rules; outputs must have
    /// exactly that shape. With size 0 the call does nothing. The first call with a layout compiles: statuses as for
    /// tenon_program_create.
    elementwise_call = fn tenon_elementwise_call(elementwise: *mut tenon_elementwise, args: *const tenon_arg,
                                                 count: i32, stream: *mut tenon_stream) -> i32;
    /// A new C-ordered array for output `index` (from 0) of a call with these inputs, not initialised, of the shape
    /// that the inputs broadcast to, on their device. count: the number of inputs only. INVALID_ARGUMENT: no input is
    /// an array, which would determine the shape; DTYPE: no input determines the output's placeholder.
    elementwise_output = fn tenon_elementwise_output(elementwise: *mut tenon_elementwise, args: *const tenon_arg,
                                                     count: i32, index: i32, stream: *mut tenon_stream,
                                                     out_array: *mut *mut tenon_array) -> i32;
    /// Adds one reference.
    elementwise_retain = fn tenon_elementwise_retain(elementwise: *const tenon_elementwise) -> i32;
    /// Releases one reference.
    elementwise_release = fn tenon_elementwise_release(elementwise: *mut tenon_elementwise);
    /// A reduction over axes. output: one parameter. map: an expression over the inputs ("": the first input), such as
    /// "x * y"; it can use `i`, the number of the element within the reduced axes in C order, and `n`, the number of
    /// such elements. reduce: an associative and commutative expression over `a` and `b`, such as "a + b" or "max(a,
    /// b)"; its operands and result are accumulators. post: an expression over the accumulator `a` and `n` that
    /// computes the output ("": a). identity: an expression for the neutral value ("0"; lowest<T>() and highest<T>()
    /// are the smallest and largest values of a type, infinities included), or NULL: then a reduction over no elements
    /// is refused. The order of the operations is not specified, but it is fixed: the same shapes, strides and device
    /// give the same bits every time. Sums are computed in blocks and trees; their error grows with the logarithm of
    /// the count.
    reduction_create = fn tenon_reduction_create(inputs: *const c_char, output: *const c_char, map: *const c_char,
                                                 reduce: *const c_char, post: *const c_char, identity: *const c_char,
                                                 options: *const tenon_generated_options,
                                                 out_reduction: *mut *mut tenon_reduction) -> i32;
    /// Reduces over `axes` of the shape that the inputs broadcast to (negative: from the end; axis_count 0 with axes
    /// NULL: all axes; no axis twice). The output, the last argument, has the extents of the other axes, with or
    /// without an extent of 1 in the place of each reduced axis. It may not overlap an input. INVALID_ARGUMENT: there
    /// are no elements to reduce, and no identity.
    reduction_call = fn tenon_reduction_call(reduction: *mut tenon_reduction, args: *const tenon_arg, count: i32,
                                             axes: *const i32, axis_count: i32, stream: *mut tenon_stream) -> i32;
    /// A new C-ordered array for the output of a call with these inputs and axes, not initialised. keep_axes: 1 keeps
    /// each reduced axis, with extent 1.
    reduction_output = fn tenon_reduction_output(reduction: *mut tenon_reduction, args: *const tenon_arg, count: i32,
                                                 axes: *const i32, axis_count: i32, keep_axes: i32,
                                                 stream: *mut tenon_stream, out_array: *mut *mut tenon_array) -> i32;
    /// Adds one reference.
    reduction_retain = fn tenon_reduction_retain(reduction: *const tenon_reduction) -> i32;
    /// Releases one reference.
    reduction_release = fn tenon_reduction_release(reduction: *mut tenon_reduction);
    /// A scan (prefix combination) along an axis. map: an expression over the inputs ("": the first input); it can use
    /// `i`, the element's number along the axis, and `n`, the axis' extent. combine: an associative expression over
    /// `a`, the combination of all previous elements, and `b`, such as "a + b"; it need not be commutative. identity:
    /// the neutral value. exclusive: with 0, element k of the output combines the elements 0 to k; with 1, those before
    /// k (the first is the identity). The order of operations is fixed, as in a reduction.
    scan_create = fn tenon_scan_create(inputs: *const c_char, output: *const c_char, map: *const c_char,
                                       combine: *const c_char, identity: *const c_char, exclusive: i32,
                                       options: *const tenon_generated_options, out_scan: *mut *mut tenon_scan) -> i32;
    /// Scans along `axis` (negative: from the end). The output has the shape that the inputs broadcast to, and may be
    /// exactly an input.
    scan_call = fn tenon_scan_call(scan: *mut tenon_scan, args: *const tenon_arg, count: i32, axis: i32,
                                   stream: *mut tenon_stream) -> i32;
    /// A new C-ordered array for the output of a call with these inputs, not initialised.
    scan_output = fn tenon_scan_output(scan: *mut tenon_scan, args: *const tenon_arg, count: i32,
                                       stream: *mut tenon_stream, out_array: *mut *mut tenon_array) -> i32;
    /// Adds one reference.
    scan_retain = fn tenon_scan_retain(scan: *const tenon_scan) -> i32;
    /// Releases one reference.
    scan_release = fn tenon_scan_release(scan: *mut tenon_scan);
    /// A __device__ or __constant__ variable of the loaded program as an array that shares its memory: later launches
    /// of the kernels named in the options read what is written to the array (by tenon_array_set_from_host,
    /// tenon_array_copy ...). A variable listed in the options' globals (it must have external linkage) has the dtype
    /// that the compiler reports and the shape of its C array, rank 0 for a single value; a vector or complex type adds
    /// a last axis for its lanes, any other struct a last axis for its bytes (uint8); the array is read-only if the
    /// variable is const. Any other variable that the compiler kept is returned as its bytes, read-only: uint8, rank 1.
    /// A launch of the program's kernels counts as a use of each listed variable on its stream, as it does for array
    /// arguments; for a variable that is not listed this holds from the first such call on, and that call waits for the
    /// device. The array keeps the loaded image alive. NOT_FOUND: the program has no variable of that name.
    program_global = fn tenon_program_global(program: *mut tenon_program, name: *const c_char,
                                             out_array: *mut *mut tenon_array) -> i32;
    /// How many blocks of block_threads threads with shared_bytes of dynamic shared memory one multiprocessor runs at
    /// the same time; 0: such a block does not fit. On the CPU a multiprocessor is one worker thread, which runs one
    /// block at a time: the result is 1 or 0. Geometry that no device could launch (0 threads) is INVALID_ARGUMENT.
    kernel_occupancy = fn tenon_kernel_occupancy(kernel: *mut tenon_kernel, block_threads: u32, shared_bytes: u64,
                                                 out_blocks_per_multiprocessor: *mut i32) -> i32;
    /// The block size that keeps the most threads of a multiprocessor busy (the larger one if two are equal), and the
    /// smallest number of blocks of that size that fills the device. The CPU is equally fast with any block size that
    /// leaves every worker some blocks: it suggests 256 threads, or as many as the kernel's limit allows, and one block
    /// per worker. UNSUPPORTED: no block fits with that much shared memory.
    kernel_suggest = fn tenon_kernel_suggest(kernel: *mut tenon_kernel, shared_bytes: u64, out_block: *mut u32,
                                             out_min_grid: *mut u32) -> i32;
    /// Fills in launch->grid so that there is a thread for each of `count` elements along x: element blockIdx.x *
    /// blockDim.x + threadIdx.x, which the kernel must compare with the count. launch->block is kept if its x is not 0
    /// (y and z must be 0 or 1); otherwise it becomes the suggested size for launch->shared_bytes. There is at least
    /// one block. INVALID_ARGUMENT: more blocks than the device supports; use a grid-stride loop instead. UNSUPPORTED:
    /// no block fits the device with that much shared memory. The launch's struct_size must be set by the caller.
    launch_for = fn tenon_launch_for(kernel: *mut tenon_kernel, count: u64, launch: *mut tenon_launch) -> i32;
    /// Launches as tenon_kernel_launch does, waits, and returns how long the device took: from the time when the stream
    /// reaches the launch (after waiting for earlier uses of the arrays) to the end of the kernel. Measured by events
    /// on a GPU, to about a microsecond; by the clock on the CPU. The program is loaded before. A fault of the kernel
    /// is returned here. Statuses: as for tenon_kernel_launch; UNSUPPORTED: on a stream that records a graph.
    kernel_time = fn tenon_kernel_time(kernel: *mut tenon_kernel, launch: *const tenon_launch, args: *const tenon_arg,
                                       count: i32, stream: *mut tenon_stream, out_seconds: *mut f64) -> i32;
    /// Starts a compile as tenon_program_create does, and returns at once; the time limit of the options counts from
    /// the start of the compile's turn. The text and all options are copied. This call reports errors in the arguments,
    /// tenon_compilation_wait those in the source. OUT_OF_MEMORY: no thread could be started. CANCELLED: the process is
    /// ending.
    compilation_start = fn tenon_compilation_start(device: *mut tenon_device, source: *const c_char, size: u64,
                                                   options: *const tenon_program_options,
                                                   out_compilation: *mut *mut tenon_compilation) -> i32;
    /// TENON_OK if the compile has ended (compiled, failed or cancelled: tenon_compilation_wait then returns at once),
    /// TENON_ERROR_NOT_READY if not. Does not wait.
    compilation_query = fn tenon_compilation_query(compilation: *mut tenon_compilation) -> i32;
    /// Waits at most `seconds` (negative: without a limit) and returns the program; each call returns a new reference
    /// to the same one. NOT_READY: the compile is still running. CANCELLED: it was cancelled first. Otherwise the
    /// status that tenon_program_create would return, with the same error record.
    compilation_wait = fn tenon_compilation_wait(compilation: *mut tenon_compilation, seconds: f64,
                                                 out_program: *mut *mut tenon_program) -> i32;
    /// Cancels the compile without waiting for its end; does nothing if it has ended. A compile that has not begun
    /// never starts. The compiling process is killed, with all processes that it started. Where no process can be
    /// started for NVRTC (no /proc), NVRTC stops when it next checks for cancellation (12.8 and later), or else
    /// finishes first. Other callers that wait for the same program compile it themselves.
    compilation_cancel = fn tenon_compilation_cancel(compilation: *mut tenon_compilation) -> i32;
    /// Adds one reference.
    compilation_retain = fn tenon_compilation_retain(compilation: *const tenon_compilation) -> i32;
    /// Releases one reference. Releasing the last one cancels the compile and waits for the compiler to end.
    compilation_release = fn tenon_compilation_release(compilation: *mut tenon_compilation);
    /// Makes an empty graph for the device.
    graph_create = fn tenon_graph_create(device: *mut tenon_device, out_graph: *mut *mut tenon_graph) -> i32;
    /// Starts recording into an empty graph and returns the stream that records. Only the thread that calls this may
    /// use that stream until tenon_graph_end (INVALID_ARGUMENT on another thread); after that every use of it is
    /// INVALID_HANDLE. INVALID_ARGUMENT: the graph is being recorded, or has nodes (tenon_graph_clear removes them). A
    /// call that fails while recording adds nothing, and recording continues.
    graph_begin = fn tenon_graph_begin(graph: *mut tenon_graph, out_stream: *mut *mut tenon_stream) -> i32;
    /// Ends recording and makes the graph ready to launch. After a failure (OUT_OF_MEMORY, MISSING_LIBRARY, VENDOR ...)
    /// the graph is empty. INVALID_ARGUMENT: the graph is not being recorded, or another thread is recording it; then
    /// nothing changes.
    graph_end = fn tenon_graph_end(graph: *mut tenon_graph) -> i32;
    /// Removes all nodes, including those of a recording in progress, and frees their memory after its last use.
    graph_clear = fn tenon_graph_clear(graph: *mut tenon_graph) -> i32;
    /// Enqueues all nodes on the stream, in their order, after earlier uses of their memory. Allocates nothing. A graph
    /// without nodes does nothing. One graph may not be launched or changed from two threads at the same time.
    /// UNSUPPORTED: the stream is recording a graph. INVALID_ARGUMENT: nothing was recorded yet. KERNEL_FAULT: as for
    /// tenon_kernel_launch.
    graph_launch = fn tenon_graph_launch(graph: *mut tenon_graph, stream: *mut tenon_stream) -> i32;
    /// Replaces one argument of node `node` for later launches of the graph, with the checks of the call that was
    /// recorded. Launches in progress keep the old one. For a launch of a kernel this takes about a microsecond; other
    /// calls are recorded again, which may result in different work (for example a kernel for another layout); the next
    /// launch of the graph then rebuilds it. INVALID_ARGUMENT: no such node or argument, the node is
    /// TENON_GRAPH_LIBRARY, or the graph is being recorded. It also returns what the call itself would return, such as
    /// SHAPE if the new array does not fit the others: then replace all arguments at once (tenon_graph_set_args). The
    /// graph is unchanged after a failure. DTYPE: not that of the parameter.
    graph_set = fn tenon_graph_set(graph: *mut tenon_graph, node: i32, index: i32, arg: *const tenon_arg) -> i32;
    /// Number of nodes, also while the graph is recorded: the node of the next call gets this number.
    graph_node_count = fn tenon_graph_node_count(graph: *const tenon_graph, out_count: *mut i32) -> i32;
    /// The properties of node `node`, also while the graph is recorded. INVALID_ARGUMENT: no such node. The info's
    /// struct_size must be set by the caller.
    graph_get_node_info = fn tenon_graph_get_node_info(graph: *const tenon_graph, node: i32,
                                                       out_info: *mut tenon_graph_node_info) -> i32;
    /// Parameter `index` of the kernel that node `node` launches, as tenon_kernel_get_parameter_info returns it. For a
    /// generated kernel or an operation: the kind of the current argument, an array (TENON_PARAMETER_POINTER, with its
    /// dtype), a number or a struct. INVALID_ARGUMENT: no such node or parameter, or the node is TENON_GRAPH_LIBRARY.
    /// The info's struct_size must be set by the caller.
    graph_get_parameter_info = fn tenon_graph_get_parameter_info(graph: *const tenon_graph, node: i32, index: i32,
                                                                 out_info: *mut tenon_parameter_info) -> i32;
    /// Adds one reference.
    graph_retain = fn tenon_graph_retain(graph: *const tenon_graph) -> i32;
    /// Releases one reference. A recording in progress is dropped; launches in progress continue.
    graph_release = fn tenon_graph_release(graph: *mut tenon_graph);
    /// Loads a package from a directory or a tar file and adds it to the context's registry. If the same content is
    /// loaded already, that package is returned. An error in the contract is INVALID_ARGUMENT, and the text begins with
    /// FILE:LINE:COLUMN. Further statuses: NOT_FOUND (no such path), IO (unreadable, unsafe owner or mode, a symbolic
    /// link, a damaged archive, a wrong hash), VERSION (it needs a newer Tenon; or this version is loaded already with
    /// different content), OUT_OF_MEMORY. On failure the registry is unchanged. OVERFLOW: a number that does not fit.
    package_load = fn tenon_package_load(context: *mut tenon_context, path: *const c_char,
                                         options: *const tenon_package_options,
                                         out_package: *mut *mut tenon_package) -> i32;
    /// Loads a package from the bytes of a tar file, which are copied. name: a name for the bytes, for messages. IO: a
    /// file that the package names cannot be read. NOT_FOUND: a file that it names does not exist.
    package_load_memory = fn tenon_package_load_memory(context: *mut tenon_context, bytes: *const c_void, size: u64,
                                                       name: *const c_char, options: *const tenon_package_options,
                                                       out_package: *mut *mut tenon_package) -> i32;
    /// Reads and checks a package as tenon_package_load does, without adding it to the registry. out_report: its
    /// description, as from tenon_package_describe. NOT_FOUND: there is no such file or directory.
    package_check = fn tenon_package_check(context: *mut tenon_context, path: *const c_char,
                                           options: *const tenon_package_options,
                                           out_report: *mut *mut tenon_blob) -> i32;
    /// Finds a package by name and version range: among the loaded ones, else on the search path (it is then loaded).
    /// NOT_FOUND: no such package; the message lists the existing versions and the places searched.
    package_find = fn tenon_package_find(context: *mut tenon_context, name: *const c_char, range: *const c_char,
                                         out_package: *mut *mut tenon_package) -> i32;
    /// Every loaded package and every one on the search path, as JSON: a list of {name, version, hash, origin, loaded};
    /// one on the search path that cannot be loaded has {origin, fault} instead.
    package_list = fn tenon_package_list(context: *mut tenon_context, out_list: *mut *mut tenon_blob) -> i32;
    /// Removes the package from the registry, so that it is no longer found. Handles of it and its operations stay
    /// valid. NOT_FOUND: it is not in the registry.
    package_unload = fn tenon_package_unload(package: *mut tenon_package) -> i32;
    /// Reads the package's path again. If the content is unchanged, returns the same package; else the new one replaces
    /// it in the registry, whatever its version, and existing handles continue to refer to the old one. On failure the
    /// old one stays. UNSUPPORTED: the package was loaded from memory. NOT_FOUND: its path no longer exists.
    package_reload = fn tenon_package_reload(package: *mut tenon_package, out_package: *mut *mut tenon_package) -> i32;
    /// The whole contract as JSON text: name, version, hash (SHA-256 of the content), origin, doc, license, operations
    /// with parameters, types, shapes, steps ...; kernels/README.md describes every field.
    package_describe = fn tenon_package_describe(package: *const tenon_package,
                                                 out_description: *mut *mut tenon_blob) -> i32;
    /// An operation of the package by name. NOT_FOUND: no such operation; the message lists those that exist.
    package_operation = fn tenon_package_operation(package: *mut tenon_package, name: *const c_char,
                                                   out_operation: *mut *mut tenon_operation) -> i32;
    /// A file of the package as text, such as "blur.cu" or "plugin.toml". NOT_FOUND: no such file; the message lists
    /// the existing ones.
    package_file = fn tenon_package_file(package: *const tenon_package, path: *const c_char,
                                         out_text: *mut *mut tenon_blob) -> i32;
    /// Adds one reference.
    package_retain = fn tenon_package_retain(package: *const tenon_package) -> i32;
    /// Releases one reference.
    package_release = fn tenon_package_release(package: *mut tenon_package);
    /// Finds an operation by "package/name" and a version range of the package. Loads the package from the search path
    /// if necessary. NOT_FOUND: no package has it.
    operation_find = fn tenon_operation_find(context: *mut tenon_context, name: *const c_char, range: *const c_char,
                                             out_operation: *mut *mut tenon_operation) -> i32;
    /// The operation's part of the contract as JSON text, as in tenon_package_describe.
    operation_describe = fn tenon_operation_describe(operation: *const tenon_operation,
                                                     out_description: *mut *mut tenon_blob) -> i32;
    /// Fills *out_info; its struct_size must be set by the caller.
    operation_get_info = fn tenon_operation_get_info(operation: *const tenon_operation,
                                                     out_info: *mut tenon_operation_info) -> i32;
    /// Parameter `index`. The info's struct_size must be set by the caller.
    operation_get_parameter_info = fn tenon_operation_get_parameter_info(operation: *const tenon_operation, index: i32,
                                                                         out_info: *mut tenon_operation_parameter_info) -> i32;
    /// The operation that computes this operation's vector-Jacobian product: it takes parameters of this one by name
    /// and grad_NAME for its outputs, and returns grad_NAME for its inputs. NOT_FOUND: the operation has no gradient.
    operation_gradient = fn tenon_operation_gradient(operation: *const tenon_operation,
                                                     out_gradient: *mut *mut tenon_operation) -> i32;
    /// The package that the operation belongs to.
    operation_package = fn tenon_operation_package(operation: *const tenon_operation,
                                                   out_package: *mut *mut tenon_package) -> i32;
    /// Adds one reference.
    operation_retain = fn tenon_operation_retain(operation: *const tenon_operation) -> i32;
    /// Releases one reference.
    operation_release = fn tenon_operation_release(operation: *mut tenon_operation);
    /// dot = the sum of x y along the last axis; with conjugate, of conj(x) y. x, y: (..., n), batches broadcast; dot:
    /// (...). options: conjugate. dtypes: as for tenon_gemm except float8; int8 gives int32. xDOTU, xDOTC by gemm's
    /// routines.
    dot = fn tenon_dot(x: *const tenon_array, y: *const tenon_array, options: *const tenon_blas_options,
                       stream: *mut tenon_stream, out_dot: *mut *mut tenon_array) -> i32;
    /// Einstein's sum over `count` operands (at least one), as NumPy writes it: "ij,jk->ik", "ii->i", "ij,jk,kl->il". A
    /// letter names an axis; an axis that is not in the result is summed over; a letter that occurs twice in one
    /// operand takes the diagonal of these axes, which must have equal extents; "..." represents further axes. Across
    /// operands, extent 1 broadcasts to any extent. Without "->" the result has the letters that appear once, in
    /// alphabetical order. Two operands are computed as one batched matrix product on views of them; each is packed at
    /// most once (options->out_packed). An axis of only one operand that is summed over is summed in that operand first
    /// (for f16 and bf16 in float32). More operands are combined two at a time, in the order with the fewest operations
    /// for up to 7 of them, else by the pair that grows least (as opt_einsum's "optimal" and "greedy"), each step with
    /// the dtype of the result; the order depends on the extents alone. dtypes: as for tenon_gemm except float8; int8
    /// gives int32. Sums of other integers are modulo 2^bits. options: compute and out_packed; the others must be 0.
    /// The result is provided or made. Statuses: those of tenon_gemm (DTYPE, SHAPE, MISSING_LIBRARY among them),
    /// INVALID_ARGUMENT (malformed subscripts; the number of terms differs from that of the operands).
    einsum = fn tenon_einsum(subscripts: *const c_char, operands: *const *const tenon_array, count: i32,
                             options: *const tenon_gemm_options, stream: *mut tenon_stream,
                             out_sum: *mut *mut tenon_array) -> i32;
    /// x of op(a) x = b. a: (..., n, n); b: (..., n, k); x: (..., n, k), which may be exactly b. One a with many b is
    /// factored once. SINGULAR: a is singular, or so nearly singular that the solution overflows; with POSITIVE also: a
    /// is not positive definite. tenon_cond measures how accurate x can be.
    solve = fn tenon_solve(a: *const tenon_array, b: *const tenon_array, options: *const tenon_solve_options,
                           stream: *mut tenon_stream, out_x: *mut *mut tenon_array) -> i32;
    /// a = P L U with partial pivoting, a: (..., m, n). lu: (..., m, n), which may be exactly a, holds U, and below the
    /// diagonal L, whose diagonal is 1; pivots: int64 (..., min(m, n)): row i was exchanged with row pivots\[i\],
    /// counted from 1 as in LAPACK. A singular a has such factors too. options: none of the fields. xGETRF;
    /// cusolverDnXgetrf.
    lu = fn tenon_lu(a: *const tenon_array, options: *const tenon_lu_options, stream: *mut tenon_stream,
                     out_lu: *mut *mut tenon_array, out_pivots: *mut *mut tenon_array) -> i32;
    /// x of op(a) x = b with the factors of tenon_lu: lu (..., n, n), pivots (..., n), b and x (..., n, k); x may be
    /// exactly b. options: op. SINGULAR as for tenon_solve; INVALID_ARGUMENT: a pivot outside of 1 to n. xGETRS;
    /// cusolverDnXgetrs.
    lu_solve = fn tenon_lu_solve(lu: *const tenon_array, pivots: *const tenon_array, b: *const tenon_array,
                                 options: *const tenon_lu_options, stream: *mut tenon_stream,
                                 out_x: *mut *mut tenon_array) -> i32;
    /// a = L L^H, or with upper 1 a = U^H U, for a symmetric or Hermitian positive definite a: (..., n, n), only that
    /// triangle of which is read. factor: (..., n, n), which may be exactly a; its other triangle is 0. SINGULAR: a is
    /// not positive definite; the native code is the order of the first leading minor that is not. xPOTRF;
    /// cusolverDnXpotrf.
    cholesky = fn tenon_cholesky(a: *const tenon_array, options: *const tenon_cholesky_options,
                                 stream: *mut tenon_stream, out_factor: *mut *mut tenon_array) -> i32;
    /// x of a x = b with the factor of tenon_cholesky and its options: factor (..., n, n), b and x (..., n, k); x may
    /// be exactly b. SINGULAR as for tenon_solve. xPOTRS; cusolverDnXpotrs.
    cholesky_solve = fn tenon_cholesky_solve(factor: *const tenon_array, b: *const tenon_array,
                                             options: *const tenon_cholesky_options, stream: *mut tenon_stream,
                                             out_x: *mut *mut tenon_array) -> i32;
    /// a = q r, where the columns of q are orthonormal and r is upper triangular. a: (..., m, n). OVERFLOW: r does not
    /// fit its dtype. INVALID_ARGUMENT: an unknown mode; out_q is NULL, and the mode is not TENON_QR_R. xGEQRF, xORGQR,
    /// xUNGQR; cusolverDnXgeqrf, cusolverDn<t>orgqr and ungqr.
    qr = fn tenon_qr(a: *const tenon_array, options: *const tenon_qr_options, stream: *mut tenon_stream,
                     out_q: *mut *mut tenon_array, out_r: *mut *mut tenon_array) -> i32;
    /// The x that minimises |a x - b|, and of all such x the one with the smallest norm. a: (..., m, n) of any shape
    /// and rank, b: (..., m, k), x: (..., n, k). Computed from the singular values of a. rank: int64 (...), the number
    /// of singular values that do not count as 0; s: (..., min(m, n)), the singular values. SINGULAR: the solution
    /// overflows; INVALID_ARGUMENT: rcond is NaN. As xGELSD, with tenon_svd's routines.
    lstsq = fn tenon_lstsq(a: *const tenon_array, b: *const tenon_array, options: *const tenon_rank_options,
                           stream: *mut tenon_stream, out_x: *mut *mut tenon_array, out_rank: *mut *mut tenon_array,
                           out_s: *mut *mut tenon_array) -> i32;
    /// The inverse of a: (..., n, n); the result may be exactly a. SINGULAR as for tenon_solve. options: none of the
    /// fields. xGETRF, xGETRS.
    inverse = fn tenon_inverse(a: *const tenon_array, options: *const tenon_lu_options, stream: *mut tenon_stream,
                               out_inverse: *mut *mut tenon_array) -> i32;
    /// The Moore-Penrose pseudo-inverse (..., n, m) of a: (..., m, n). SINGULAR: it overflows; INVALID_ARGUMENT: rcond
    /// is NaN. Uses tenon_svd's routines.
    pinv = fn tenon_pinv(a: *const tenon_array, options: *const tenon_rank_options, stream: *mut tenon_stream,
                         out_inverse: *mut *mut tenon_array) -> i32;
    /// The number of singular values of a: (..., m, n) that do not count as 0: int64 (...). INVALID_ARGUMENT: rcond is
    /// NaN.
    matrix_rank = fn tenon_matrix_rank(a: *const tenon_array, options: *const tenon_rank_options,
                                       stream: *mut tenon_stream, out_rank: *mut *mut tenon_array) -> i32;
    /// The determinants of a: (..., n, n), of shape (...): 0 for a singular matrix, infinite if the dtype cannot hold
    /// it (use tenon_slogdet then). options: none of the fields. xGETRF.
    det = fn tenon_det(a: *const tenon_array, options: *const tenon_lu_options, stream: *mut tenon_stream,
                       out_det: *mut *mut tenon_array) -> i32;
    /// det = sign exp(log): sign has a's dtype and absolute value 1 or 0, log is real; both have shape (...). For a
    /// singular matrix they are 0 and -infinity. options: none of the fields.
    slogdet = fn tenon_slogdet(a: *const tenon_array, options: *const tenon_lu_options, stream: *mut tenon_stream,
                               out_sign: *mut *mut tenon_array, out_log: *mut *mut tenon_array) -> i32;
    /// a = v diag(w) v^H for a symmetric or Hermitian a: (..., n, n), one triangle of which is read. w: real, (...,
    /// count), ascending; v: (..., n, count), orthonormal columns; out_v NULL: values only. With by_value, count is the
    /// number of eigenvalues found, and a must be one matrix (a batch of more than 1 is SHAPE, because its matrices
    /// would have different counts). |a v - v diag(w)| over |a|, and |v^H v - 1|, in the 1-norm, are below 30 n
    /// epsilon, LAPACK's own bound. The result is checked: where it misses the bound, as for some graded matrices,
    /// another method computes it again, and NOT_CONVERGED is returned if that misses it, too. OVERFLOW: w does not fit
    /// its dtype. xSYEVD, xHEEVD, for a part of the eigenvalues xSYEVR, xHEEVR; cusolverDnXsyevd, Xsyevdx. NOT_FINITE:
    /// NaN or infinity in a.
    eigh = fn tenon_eigh(a: *const tenon_array, options: *const tenon_eigh_options, stream: *mut tenon_stream,
                         out_w: *mut *mut tenon_array, out_v: *mut *mut tenon_array) -> i32;
    /// a v = v diag(w) and u^H a = diag(w) u^H for any a: (..., n, n). w: (..., n) complex, in no particular order; u
    /// (out_left) and v (out_right): (..., n, n) complex, columns of norm 1, which are linearly dependent if a is
    /// defective; pass NULL for those that are not wanted. |a v - v diag(w)| over |a|, in the 1-norm, is below 30 n
    /// epsilon, LAPACK's own bound, and likewise for u. If balancing a badly scaled a breaks this bound, the host's
    /// LAPACK computes the values and vectors of that matrix without balancing; if that fails too, NOT_CONVERGED. If
    /// only values are requested, they are those of the balanced matrix. OVERFLOW: w does not fit its dtype. On CUDA,
    /// where cuSOLVER computes right vectors only, the left ones are the rows of the inverse of v; if those are not
    /// accurate, because v is ill-conditioned or singular (a is defective), the host's LAPACK computes the values and
    /// vectors of that matrix (MISSING_LIBRARY: no LAPACK is installed). xGEEVX; cusolverDnXgeev (CUDA 12.6 and later,
    /// else UNSUPPORTED). NOT_FINITE: NaN or infinity in a.
    eig = fn tenon_eig(a: *const tenon_array, options: *const tenon_eig_options, stream: *mut tenon_stream,
                       out_w: *mut *mut tenon_array, out_left: *mut *mut tenon_array,
                       out_right: *mut *mut tenon_array) -> i32;
    /// The norm of each matrix of a: (..., m, n), real, of shape (...). Intermediate squares do not overflow. NaN or
    /// infinity in a appears in the results of kinds 0 to 3 and is NOT_FINITE for the others. A norm that its dtype
    /// cannot hold is infinite for kinds 0 to 3 and OVERFLOW for the others. A matrix without elements has norm 0.
    /// INVALID_ARGUMENT: an unknown kind. xLANGE; tenon_svd's routines.
    norm = fn tenon_norm(a: *const tenon_array, options: *const tenon_norm_options, stream: *mut tenon_stream,
                         out_norm: *mut *mut tenon_array) -> i32;
    /// The condition number |a| |a^-1| in that norm, real, of shape (...); infinite for a singular matrix (kind
    /// NUCLEAR: SINGULAR), and if its dtype cannot hold it. TWO and MINUS_TWO (the reciprocal of TWO, but infinite for
    /// a matrix of zeros) take any a: (..., m, n), the others square matrices. INVALID_ARGUMENT: an unknown kind, or
    /// LARGEST, which is not an operator norm. SHAPE: m or n is 0.
    cond = fn tenon_cond(a: *const tenon_array, options: *const tenon_norm_options, stream: *mut tenon_stream,
                         out_cond: *mut *mut tenon_array) -> i32;
    /// a^n for a: (..., m, m), by repeated squaring; n = 0 gives the identity, a negative n a power of the inverse
    /// (SINGULAR if there is none). NOT_FINITE; OVERFLOW: the result does not fit its dtype.
    matrix_power = fn tenon_matrix_power(a: *const tenon_array, n: i64, options: *const tenon_power_options,
                                         stream: *mut tenon_stream, out_power: *mut *mut tenon_array) -> i32;
    /// e^a for a: (..., n, n), by scaling and squaring of a Pade approximant of degree 13, in double precision; the
    /// scaling follows the norms of a's powers (Al-Mohy, Higham 2009), so that a matrix far from normal is not squared
    /// more often than necessary. If a is triangular, so is the result, and its diagonal holds the exponentials of a's
    /// diagonal. NOT_FINITE; OVERFLOW: the result does not fit its dtype, or more than 50 squarings would be needed,
    /// which leaves no correct digit (norms of about 5e15, of a and of its powers).
    expm = fn tenon_expm(a: *const tenon_array, options: *const tenon_power_options, stream: *mut tenon_stream,
                         out_exponential: *mut *mut tenon_array) -> i32;
    /// Runs the operation. args: one for each parameter, in the contract's order, outputs included: arrays
    /// (TENON_ARG_ARRAY; STRIDED means the same here), scalars of exactly the parameter's dtype (TENON_ARG_SCALAR),
    /// lists (TENON_ARG_BYTES); an entry of all zeros means the default, or leaves out an optional array. The first
    /// input array determines the device and the dtypes of placeholders. Everything is checked, and every step
    /// compiled, before the first step is launched; with compiled kernels the call takes a checked launch and about 0.3
    /// us. Temporaries come from the stream's pool. Errors name operation and parameter: INVALID_ARGUMENT (count, kind,
    /// a precondition of the contract, geometry), DTYPE, SHAPE, LAYOUT, DEVICE, CONTEXT, READ_ONLY, OVERLAP, OVERFLOW
    /// (in an expression of the contract), UNSUPPORTED (on this device), COMPILE, MISSING_LIBRARY, CANCELLED (while it
    /// compiled), OUT_OF_MEMORY, and the statuses of a launch; a host function of the package may return any status,
    /// such as NOT_FOUND or NOT_FINITE. Can be recorded into a graph (graph.h).
    operation_call = fn tenon_operation_call(operation: *mut tenon_operation, args: *const tenon_arg, count: i32,
                                             stream: *mut tenon_stream) -> i32;
    /// A new C-ordered array for output `index` (0 is the first parameter with the role OUT) of a call with these
    /// arguments, not initialised. args as for the call; the entries of outputs are ignored. The memory is allocated in
    /// the order of `stream`. Statuses as for tenon_operation_call. DTYPE, SHAPE: the arguments do not fit the
    /// contract. LAYOUT: an array does not have the layout that the contract requires.
    operation_output = fn tenon_operation_output(operation: *mut tenon_operation, args: *const tenon_arg, count: i32,
                                                 index: i32, stream: *mut tenon_stream,
                                                 out_array: *mut *mut tenon_array) -> i32;
    /// Compiles and loads the kernels that a call with these arguments needs, and launches nothing. Entries of outputs
    /// are ignored. Expressions (elementwise, reduction, scan) compile at the first call with each layout.
    operation_prepare = fn tenon_operation_prepare(operation: *mut tenon_operation, args: *const tenon_arg,
                                                   count: i32) -> i32;
    /// Compiles, in parallel, the kernels of all operations of the package for the device: for every dtype that the
    /// contracts allow, with the current values of the tunables. Later calls find them in the cache of programs.
    /// Instances that depend on scalars or shapes, and expressions, are not compiled. The first failure is returned,
    /// after all kernels were tried. COMPILE: a kernel of the package does not compile.
    package_prepare = fn tenon_package_prepare(package: *mut tenon_package, device: *mut tenon_device) -> i32;
    /// Sets a tunable of the operation for all later calls on this context; it must be one of the contract's values.
    /// Tuning records (below) are then ignored for this operation. NOT_FOUND: there is no such tunable.
    operation_set_tunable = fn tenon_operation_set_tunable(operation: *mut tenon_operation, name: *const c_char,
                                                           value: i64) -> i32;
    /// The value of a tunable for calls without a tuning record. NOT_FOUND: the operation has no tunable of that name.
    operation_get_tunable = fn tenon_operation_get_tunable(operation: *const tenon_operation, name: *const c_char,
                                                           out_value: *mut i64) -> i32;
    /// Runs the operation's self-tests (kernels/README.md) on a device: compares with the expected values, or the CPU's
    /// results, and the gradient with finite differences. The call succeeds even if cases fail. out_report: JSON,
    /// {"operation", "device", "passed", "failed", "cases": \[{"name", "types", "passed", "what", "error",
    /// "tolerance"}\]}. UNSUPPORTED: it does not run on that device.
    operation_test = fn tenon_operation_test(operation: *mut tenon_operation, device: *mut tenon_device,
                                             out_report: *mut *mut tenon_blob) -> i32;
    /// A call (kernel.h) of the operation: arguments are checked, geometry evaluated, temporaries made and kernels
    /// compiled once; it can then be launched any number of times. stream: the stream on which temporaries are made.
    /// Statuses as for tenon_operation_call.
    operation_bind = fn tenon_operation_bind(operation: *mut tenon_operation, args: *const tenon_arg, count: i32,
                                             stream: *mut tenon_stream, out_call: *mut *mut tenon_call) -> i32;
    /// Makes one program from `count` inputs, which are copied. The struct_size of every input must be set, to the same
    /// value in all.
    ///  A single image (BINARY, PTX, FATBIN) is loaded as it is, on this device and immediately. All other inputs are
    /// compiled as relocatable device code and linked: by nvJitLink 12.3 or later on CUDA (with the option "-dlto" the
    /// whole program is optimised first), by the host's linker on the CPU device. Functions and variables with external
    /// linkage are then shared, as `extern __device__` declares them. The CPU device links sources only, and does not
    /// vectorise code that reads threadIdx in one unit and is called from another.
    ///  A kernel or variable listed in the options is taken from the first source that defines it, else from the
    /// images. A kernel of an image is named by its symbol ("saxpy" if it is extern "C", else mangled), or as it was
    /// listed when Tenon compiled the image. Images compiled by Tenon describe their kernels; for others only the sizes
    /// of the parameters are known (TENON_PARAMETER_UNKNOWN) and checked. The options' headers, -I and similar options
    /// apply to the sources.
    ///  An image is code that runs with the caller's rights: BINARY, FATBIN and LTO_IR are refused (INVALID_ARGUMENT)
    /// without TENON_PROGRAM_FLAG_TRUSTED. An image is checked before it is passed to the driver or the loader: one
    /// that is not of the stated kind, or visibly damaged, is INVALID_ARGUMENT; one for another device, architecture or
    /// processor is UNSUPPORTED. NOT_FOUND: it has no such kernel. COMPILE, MISSING_LIBRARY, CANCELLED: as for
    /// tenon_program_create; the log contains the linker's messages.
    program_link = fn tenon_program_link(device: *mut tenon_device, inputs: *const tenon_program_input, count: i32,
                                         options: *const tenon_program_options,
                                         out_program: *mut *mut tenon_program) -> i32;
    /// As tenon_compilation_start, but compiles and links as tenon_program_link does.
    compilation_link = fn tenon_compilation_link(device: *mut tenon_device, inputs: *const tenon_program_input,
                                                 count: i32, options: *const tenon_program_options,
                                                 out_compilation: *mut *mut tenon_compilation) -> i32;
    /// The name of parameter `index` in the source: taken from a declaration of the kernel, in the source or in a
    /// header passed with it, that matches the parameters which the compiler reports. "" if there is no such
    /// declaration, if two differ, or if the program is an image. It is used only in messages about arguments.
    /// Borrowed.
    kernel_parameter_name = fn tenon_kernel_parameter_name(kernel: *const tenon_kernel, index: i32,
                                                           out_name: *mut *const c_char) -> i32;
    /// Fills *out_info; its struct_size must be set by the caller. Reads the names and sizes of the entries, not their
    /// contents.
    cache_get_info = fn tenon_cache_get_info(context: *mut tenon_context, out_info: *mut tenon_cache_info) -> i32;
    /// Every entry on disk, least recently used first, as JSON text: a list of {"key" (32 hexadecimal digits, the
    /// file's name), "kind", "bytes", "used" (seconds since 1970)}. kind is "program", "answer", "foreign" (written by
    /// another version of Tenon) or "damaged". A program also has "device" ("cpu", "cuda"), "name" (of the source),
    /// "kernels", "globals", "options" (lists), "mode", "flags", "architecture" ("" is the device's own), "compiler"
    /// and "source_bytes"; an answer has its "question". Reads all entries, without changing the time of their last
    /// use.
    cache_list = fn tenon_cache_list(context: *mut tenon_context, out_list: *mut *mut tenon_blob) -> i32;
    /// Reads every entry and compares its checksum. remove 1: damaged entries are removed; 0: they are kept. Entries of
    /// another version of Tenon do not count as damaged. UNSUPPORTED: the context's cache is off, or cannot be used, or
    /// (remove 1) is not writable; the text says why. The call succeeds even if it finds damaged entries.
    cache_verify = fn tenon_cache_verify(context: *mut tenon_context, remove: i32,
                                         out_tally: *mut tenon_cache_tally) -> i32;
    /// Writes every undamaged program on disk to a single file `path`, a bundle for tenon_cache_import. The file is
    /// replaced as a whole, or left unchanged. The bundle is useful on machines with the same compiler, headers and
    /// architecture; it contains the programs' sources too. IO: it cannot be written. UNSUPPORTED: as for verify.
    cache_export = fn tenon_cache_export(context: *mut tenon_context, path: *const c_char,
                                         out_tally: *mut tenon_cache_tally) -> i32;
    /// Adds all programs of a bundle to the cache on disk, except those that are present already. They are code that
    /// will run with the caller's rights: import only what you trust. The whole file is read and its checksums are
    /// compared first; on failure nothing is imported. NOT_FOUND: the file does not exist. INVALID_ARGUMENT: the file
    /// is not a bundle, or is damaged: the text says where. VERSION: another version of Tenon wrote it, with another
    /// format of entries. IO: the file cannot be read, or the cache cannot be written. UNSUPPORTED: as for verify with
    /// remove 1; or the bundle is larger than nine tenths of the cache's limit.
    cache_import = fn tenon_cache_import(context: *mut tenon_context, path: *const c_char,
                                         out_tally: *mut tenon_cache_tally) -> i32;
    /// Removes entries from disk: those not used for `unused_seconds` or longer (0: all), least recently used first,
    /// until the rest takes `keep_bytes` or fewer (0: all of them). With 0 and 0 all entries are removed, and also the
    /// programs that the process keeps in memory without a reference to them: the next use compiles again. Programs in
    /// use are not affected. INVALID_ARGUMENT: unused_seconds is negative or NaN. UNSUPPORTED: as for verify with
    /// remove 1.
    cache_clear = fn tenon_cache_clear(context: *mut tenon_context, unused_seconds: f64, keep_bytes: u64,
                                       out_tally: *mut tenon_cache_tally) -> i32;
    /// The Kronecker product: out\[..., i p + k, j q + l\] = a\[..., i, j\] b\[..., k, l\] for b: (..., p, q); batches
    /// broadcast. The result is provided or made. dtypes: those that tenon_gemm takes for a, b and c alike. options: as
    /// for tenon_einsum. Statuses: those of tenon_gemm (DTYPE, SHAPE ...), OVERFLOW (more than 2^63 rows or columns).
    kron = fn tenon_kron(a: *const tenon_array, b: *const tenon_array, options: *const tenon_gemm_options,
                         stream: *mut tenon_stream, out_product: *mut *mut tenon_array) -> i32;
    /// a = P L D L^T P^T (upper: U instead of L; hermitian: ^H) for a symmetric or Hermitian a: (..., n, n) that need
    /// not be definite, one triangle of which is read. D has blocks of 1 x 1 and 2 x 2 (Bunch-Kaufman pivoting). ld:
    /// (..., n, n) and pivots: int64 (..., n) hold the factors in LAPACK's format: D and the multipliers in that
    /// triangle, the other triangle is 0; pivots\[i\] > 0: rows and columns i + 1 and pivots\[i\] were exchanged; two
    /// equal negative pivots: a block of 2 x 2. A singular a has such factors too. xSYTRF, xHETRF; cusolverDn<t>sytrf
    /// (Hermitian: UNSUPPORTED on CUDA).
    ldl = fn tenon_ldl(a: *const tenon_array, options: *const tenon_ldl_options, stream: *mut tenon_stream,
                       out_ld: *mut *mut tenon_array, out_pivots: *mut *mut tenon_array) -> i32;
    /// x of a x = b with the factors of tenon_ldl and its options. SINGULAR as for tenon_solve. xSYTRS, xHETRS;
    /// cusolverDnXsytrs.
    ldl_solve = fn tenon_ldl_solve(ld: *const tenon_array, pivots: *const tenon_array, b: *const tenon_array,
                                   options: *const tenon_ldl_options, stream: *mut tenon_stream,
                                   out_x: *mut *mut tenon_array) -> i32;
    /// Compiles CUDA C for an architecture ("sm_90", "compute_80") with NVRTC: needs no GPU, driver or context, and
    /// neither reads nor writes a cache. The architecture in the options must be NULL. For an architecture newer than
    /// the compiler, the newest one that the compiler knows is used. Kernels that are not templates are in the image
    /// without being listed in the options. out_image: an image as tenon_program_link takes it (TENON_INPUT_BINARY,
    /// TENON_INPUT_PTX); NULL only checks the source. kind: TENON_IMAGE_BINARY, a cubin for "sm_90" (PTX for
    /// "compute_90" and for architectures newer than the compiler), or TENON_IMAGE_PTX. out_log: the compiler's log,
    /// empty without warnings; with "--ptxas-options=-v" among the options, the resources that each kernel uses. Both
    /// are new references, or NULL after a failure. COMPILE: the source has errors, which the record's log lists.
    /// MISSING_LIBRARY: there is no NVRTC. UNSUPPORTED: an architecture that NVRTC no longer supports, or a library
    /// that was built without CUDA.
    program_compile = fn tenon_program_compile(architecture: *const c_char, source: *const c_char, size: u64,
                                               options: *const tenon_program_options, kind: tenon_image_constant,
                                               out_image: *mut *mut tenon_blob, out_log: *mut *mut tenon_blob) -> i32;
    /// The package as one uncompressed tar file. It is checked as by tenon_package_check, and the same content always
    /// gives the same bytes. If the contract lists no hashes, those of all files are added at its end. Statuses as for
    /// tenon_package_load. NOT_FOUND: there is no such directory.
    package_pack = fn tenon_package_pack(path: *const c_char, options: *const tenon_package_options,
                                         out_archive: *mut *mut tenon_blob) -> i32;
    /// Measures how long the operation takes on the device: it is bound once and launched repeatedly. out_report: JSON,
    /// {"operation", "device", "cases": \[{"name", "types", "shapes", "tunables", "milliseconds" (the median),
    /// "fastest", "launches", "bytes" (of all arrays once), "gigabytes_per_second"}\]}. A case that fails is {"name",
    /// "types", "fault"}. UNSUPPORTED: the operation does not run on that device. NOT_FOUND: there is nothing to
    /// measure: the contract has no cases, and no arguments were passed. INVALID_ARGUMENT: the arguments passed are
    /// invalid.
    operation_measure = fn tenon_operation_measure(operation: *mut tenon_operation, device: *mut tenon_device,
                                                   options: *const tenon_measure_options,
                                                   out_report: *mut *mut tenon_blob) -> i32;
    /// Tries values of the tunables on the device and writes the records. A value that fails, or changes the results
    /// beyond the tests' tolerance, is never used. out_report: JSON, {"operation", "device", "file", "cases":
    /// \[{"name", "types", "shapes", "tunables" (the best), "milliseconds", "default_milliseconds", "tried",
    /// "possible", "failed", "recorded": false if the time ran out before enough values were tried}\]}. NOT_FOUND: the
    /// operation has no tunables. IO: the record cannot be written; otherwise as for tenon_operation_measure.
    operation_tune = fn tenon_operation_tune(operation: *mut tenon_operation, device: *mut tenon_device,
                                             options: *const tenon_measure_options,
                                             out_report: *mut *mut tenon_blob) -> i32;
    /// destination = cosine or sine transform of source over `axis_count` axes (as in tenon_fft), one after another, of
    /// f32 or f64. Forward and unscaled, with n the extent of an axis and sums over j from 0 to n - 1:
    ///   cosine 1: x\[0\] + (-1)^k x\[n-1\] + 2 sum over 0 < j < n-1 of x\[j\] cos(pi j k / (n-1)), n at least 2
    ///          2: 2 sum x\[j\] cos(pi (2j+1) k / (2n))
    ///          3: x\[0\] + 2 sum over j > 0 of x\[j\] cos(pi j (2k+1) / (2n))
    ///          4: 2 sum x\[j\] cos(pi (2j+1) (2k+1) / (4n))
    ///   sine   1: 2 sum x\[j\] sin(pi (j+1) (k+1) / (n+1))
    ///          2: 2 sum x\[j\] sin(pi (2j+1) (k+1) / (2n))
    ///          3: (-1)^k x\[n-1\] + 2 sum over j < n-1 of x\[j\] sin(pi (j+1) (2k+1) / (2n))
    ///          4: 2 sum x\[j\] sin(pi (2j+1) (2k+1) / (4n)) The inverse of types 1 and 4 is the same type, of 2 type 3
    /// and of 3 type 2, over N = 2n (cosine 1: 2 (n-1), sine 1: 2 (n+1)). norm: BACKWARD: inverse 1/N; FORWARD: forward
    /// 1/N; ORTHO: both 1/sqrt(N), and the ends weighted by sqrt(2), so that the matrix of the transform is orthogonal.
    /// Any strides. The destination is provided or made, and may be source itself; otherwise their memory must be
    /// disjoint. ducc0 on the CPU; a cuFFT transform between two kernels on CUDA. The work runs on `stream` as
    /// tenon_fft's does. Statuses: those of tenon_fft.
    dct = fn tenon_dct(source: *const tenon_array, axes: *const i32, axis_count: i32, options: *const tenon_dct_options,
                       stream: *mut tenon_stream, out_destination: *mut *mut tenon_array) -> i32;
    /// Makes a secret key. Anyone who has it can sign; store it where only you can read it. MISSING_LIBRARY: there is
    /// no libsodium.
    signing_key_create = fn tenon_signing_key_create(out_secret: *mut *mut tenon_blob) -> i32;
    /// The public key that belongs to a secret key; others add it to their trust list. INVALID_ARGUMENT: the text is
    /// not a secret key. MISSING_LIBRARY: there is no libsodium.
    signing_key_public = fn tenon_signing_key_public(secret: *const c_char, out_public: *mut *mut tenon_blob) -> i32;
    /// Checks a package as tenon_package_check does and signs it. out_signature: the text of the file plugin.sig, to be
    /// written next to its plugin.toml. An existing signature is ignored. Statuses as for tenon_package_load and
    /// tenon_signing_key_public. NOT_FOUND: there is no such package.
    package_sign = fn tenon_package_sign(path: *const c_char, secret: *const c_char,
                                         options: *const tenon_package_options,
                                         out_signature: *mut *mut tenon_blob) -> i32;
    /// Loads a package of host code from a shared object and adds it to the context's registry; if the same object is
    /// loaded already, that package is returned. The options' sha256 is that of the file. INVALID_ARGUMENT: the path is
    /// not absolute, the file is not a plug-in (no tenon_plugin_init, no tenon_plugin_level), or its registration or
    /// its contract is invalid. NOT_FOUND: no such file. IO: unsafe owner or mode, it cannot be loaded, a wrong hash;
    /// signatures are required, and no hash is given. VERSION: it needs a newer level than the library has, or another
    /// major version; or this version is loaded already with different content. If tenon_plugin_init fails with a
    /// status of Tenon, that status is returned, with the text of the failing call; VENDOR: it failed with another
    /// value, which is the native code. On failure the registry is unchanged.
    plugin_load = fn tenon_plugin_load(context: *mut tenon_context, path: *const c_char,
                                       options: *const tenon_package_options,
                                       out_package: *mut *mut tenon_package) -> i32;
    /// The sum of products over `count` pairs of axes: axis axes_a\[i\] of a is paired with axis axes_b\[i\] of b
    /// (negative: from the end), which must have the same extent. Both NULL: the last `count` axes of a with the first
    /// of b, in their order. count 0: the outer product. The result is provided or made: it has the other axes of a,
    /// then those of b, at most TENON_MAX_RANK. dtypes and options: as for tenon_einsum. Statuses: those of tenon_gemm
    /// (DTYPE ...), SHAPE (extents that differ, too many axes), INVALID_ARGUMENT (count; an axis out of range or listed
    /// twice; only one of the lists is NULL).
    tensordot = fn tenon_tensordot(a: *const tenon_array, b: *const tenon_array, axes_a: *const i32, axes_b: *const i32,
                                   count: i32, options: *const tenon_gemm_options, stream: *mut tenon_stream,
                                   out_sum: *mut *mut tenon_array) -> i32;
    /// Prepares what tenon_fft needs for these arrays, without running it: on CUDA cuFFT and its plans, which can take
    /// seconds to make, Tenon's own kernels, and their code on the device. A later tenon_fft on that device with the
    /// same options and arrays of the same dtypes, shapes and strides finds them (if one side is real, both pairs of
    /// arrays must also agree in whether their addresses are multiples of the size of a complex number), until 64 other
    /// plans have been used since. Only the layout of the arrays is used: the call does not read, write or wait, and
    /// both may be in use; tenon_fft must accept them. The call temporarily allocates the transform's work area. Call
    /// it before another library captures a stream of the calling thread. On the CPU there is nothing to prepare, and
    /// the call only checks its arguments. Statuses: those of tenon_fft.
    fft_prepare = fn tenon_fft_prepare(source: *const tenon_array, destination: *const tenon_array, axes: *const i32,
                                       axis_count: i32, options: *const tenon_fft_options) -> i32;
    /// The same for tenon_dct.
    dct_prepare = fn tenon_dct_prepare(source: *const tenon_array, destination: *const tenon_array, axes: *const i32,
                                       axis_count: i32, options: *const tenon_dct_options) -> i32;
    /// The convolution along `axis_count` axes (negative: from the end; NULL: the last axis_count ones; 0: all),
    /// out\[i\] = sum over k of a\[k\] b\[i - k\], or the correlation, sum over k of a\[k\] conj(b\[k - i\]) for i from
    /// 1 - n on (the convolution of a with b conjugated and reversed). a and b have the same number of axes, at least
    /// one; the other axes are a batch and broadcast. Any strides. dtypes: one of f16, bf16, f32, f64, c64, c128 for
    /// both; f16 and bf16 are computed in f32 and rounded once. The result, of that dtype, is provided or made
    /// (TENON_INOUT). Up to 65536 products in all are summed directly, so that values that the dtype holds exactly
    /// (small integers) give exact results. Otherwise transforms of the shortest fast length are used: every number
    /// then has an error of the order of epsilon log2(length) |a| |b| in their precision, with the Euclidean norms of
    /// the convolved sequences, so that a number much smaller than |a| |b| has fewer correct digits; and one NaN or
    /// infinity makes all numbers of the same transforms (of one batch element) NaN; a context with
    /// TENON_CONTEXT_CHECK_FINITE refuses such operands as NOT_FINITE. Allocates memory for both zero-padded operands
    /// and for their transforms. Does not wait; can be recorded into a graph. Statuses: those of tenon_fft, SHAPE
    /// (different ranks; an axis of extent 0; b larger than a in mode VALID; batches that do not broadcast), DTYPE,
    /// OVERFLOW (more than 2^62 numbers along an axis).
    convolve = fn tenon_convolve(a: *const tenon_array, b: *const tenon_array, axes: *const i32, axis_count: i32,
                                 options: *const tenon_convolve_options, stream: *mut tenon_stream,
                                 out_result: *mut *mut tenon_array) -> i32;
    /// Reorders the numbers of a transform by frequency: a copy of x in which number 0 is at index n / 2 of each of
    /// `axis_count` axes (as in tenon_convolve), where n is its extent. options->inverse undoes that. Every dtype of
    /// whole bytes, any strides and extents, including 0. The result is provided or made. Can be recorded. Statuses:
    /// INVALID_ARGUMENT (an axis listed twice or out of range; an option that is neither 0 nor 1), VERSION, DTYPE,
    /// SHAPE, DEVICE, CONTEXT, READ_ONLY, OVERLAP, INVALID_HANDLE, OUT_OF_MEMORY, UNSUPPORTED (a dtype of less than a
    /// byte).
    fft_shift = fn tenon_fft_shift(x: *const tenon_array, axes: *const i32, axis_count: i32,
                                   options: *const tenon_shift_options, stream: *mut tenon_stream,
                                   out_shifted: *mut *mut tenon_array) -> i32;
    /// The frequencies of the numbers of a transform of length n (at least 1), in cycles per unit of `spacing`, the
    /// distance between samples: k / (n spacing) for k = 0, 1 ... (n - 1) / 2, -(n / 2) ... -1. With options->half k =
    /// 0 to n / 2. dtype: f16, bf16, f32, f64; computed in f64 on the device and rounded once. The result, of one axis,
    /// is provided or made. Can be recorded. Statuses: DTYPE, SHAPE, READ_ONLY, OVERLAP, CONTEXT, INVALID_ARGUMENT (n
    /// below 1; a spacing that is 0, infinite or NaN; half), VERSION, INVALID_HANDLE, OUT_OF_MEMORY, OVERFLOW (n
    /// spacing or its inverse does not fit float64), DEVICE (the stream belongs to another device).
    fft_frequencies = fn tenon_fft_frequencies(device: *mut tenon_device, dtype: tenon_dtype, n: i64, spacing: f64,
                                               options: *const tenon_frequencies_options, stream: *mut tenon_stream,
                                               out_frequencies: *mut *mut tenon_array) -> i32;
    /// The smallest length of at least n (n at least 1) without a prime factor above 5: transforms of such lengths are
    /// fast on every device. Statuses: INVALID_ARGUMENT (n below 1), OVERFLOW (n above 2^62).
    fft_fast_length = fn tenon_fft_fast_length(n: i64, out_length: *mut i64) -> i32;
    /// y = alpha op(a) x + beta y. a: (..., m, n), op(a): (..., m, n) or (..., n, m); the length of x is the number of
    /// columns of op(a), that of y its number of rows. options: op. dtypes: as for tenon_gemm. xGEMV; cublasXgemv,
    /// cublasXgemvStridedBatched, gemm's routines.
    gemv = fn tenon_gemv(alpha: *const tenon_arg, a: *const tenon_array, x: *const tenon_array, beta: *const tenon_arg,
                         options: *const tenon_blas_options, stream: *mut tenon_stream,
                         out_y: *mut *mut tenon_array) -> i32;
    /// a = a + alpha x y^T; conjugate: a + alpha x y^H. x: (..., m), y: (..., n), a: (..., m, n). options: conjugate
    /// (for y). dtypes: as for tenon_gemm. xGER, xGERU, xGERC; on CUDA gemm's routines.
    ger = fn tenon_ger(alpha: *const tenon_arg, x: *const tenon_array, y: *const tenon_array,
                       options: *const tenon_blas_options, stream: *mut tenon_stream,
                       out_a: *mut *mut tenon_array) -> i32;
    /// y = alpha x + y, of any shape and any strides, x broadcast to y; a new y has x's shape. f16, bf16 (computed in
    /// f32 and rounded once), f32, f64, c64, c128. Nothing is packed. options: none of the fields. xAXPY; cublasAxpyEx.
    axpy = fn tenon_axpy(alpha: *const tenon_arg, x: *const tenon_array, options: *const tenon_blas_options,
                         stream: *mut tenon_stream, out_y: *mut *mut tenon_array) -> i32;
    /// y = alpha x, of any shape and strides; the dtypes of tenon_axpy. y may be exactly x, which is BLAS's own form.
    /// With alpha 0 y becomes 0, also where x has NaN. options: none of the fields. xSCAL; cublasScalEx.
    scal = fn tenon_scal(alpha: *const tenon_arg, x: *const tenon_array, options: *const tenon_blas_options,
                         stream: *mut tenon_stream, out_y: *mut *mut tenon_array) -> i32;
    /// norm = the Euclidean norm along the last axis: x: (..., n), norm: (...), real, of x's precision; the dtypes of
    /// tenon_axpy. Squares are summed in f64 and neither overflow nor underflow: the result is infinite only if the
    /// norm does not fit its dtype or x contains infinity. NaN gives NaN. options: none of the fields. xNRM2.
    nrm2 = fn tenon_nrm2(x: *const tenon_array, options: *const tenon_blas_options, stream: *mut tenon_stream,
                         out_norm: *mut *mut tenon_array) -> i32;
    /// One triangle of c = alpha a a^T + beta c, or with op TRANSPOSE of alpha a^T a + beta c, with half of gemm's
    /// work. hermitian: alpha a a^H, or with op ADJOINT alpha a^H a, and alpha and beta are real. a: (..., n, k), with
    /// op (..., k, n); c: (..., n, n); f32, f64, c64, c128. options: op (for complex numbers as described here), upper,
    /// hermitian. xSYRK, xHERK; cublasXsyrk, Xherk.
    syrk = fn tenon_syrk(alpha: *const tenon_arg, a: *const tenon_array, beta: *const tenon_arg,
                         options: *const tenon_blas_options, stream: *mut tenon_stream,
                         out_c: *mut *mut tenon_array) -> i32;
    /// c = alpha a b + beta c, right: alpha b a + beta c, with a symmetric or Hermitian a, one triangle of which is
    /// read. c, b: (..., m, n); a: (..., m, m), right: (..., n, n); f32, f64, c64, c128. options: upper, right,
    /// hermitian. xSYMM, xHEMM; cublasXsymm, Xhemm.
    symm = fn tenon_symm(alpha: *const tenon_arg, a: *const tenon_array, b: *const tenon_array, beta: *const tenon_arg,
                         options: *const tenon_blas_options, stream: *mut tenon_stream,
                         out_c: *mut *mut tenon_array) -> i32;
    /// c = alpha op(a) b, right: alpha b op(a), with one triangle of a. b, c: (..., m, n); a: (..., m, m), right: (...,
    /// n, n); f32, f64, c64, c128. c may be exactly b, which is BLAS's own form. options: op, upper, right,
    /// unit_diagonal. xTRMM; cublasXtrmm.
    trmm = fn tenon_trmm(alpha: *const tenon_arg, a: *const tenon_array, b: *const tenon_array,
                         options: *const tenon_blas_options, stream: *mut tenon_stream,
                         out_c: *mut *mut tenon_array) -> i32;
    /// x = alpha op(a)^-1 b, right: alpha b op(a)^-1, as in tenon_trmm; x may be exactly b. As in BLAS, it is not
    /// checked whether a is singular: a zero on its diagonal puts infinity and NaN into x, with TENON_OK. tenon_solve
    /// checks this, and waits for the result. xTRSM; cublasXtrsm, XtrsmBatched.
    trsm = fn tenon_trsm(alpha: *const tenon_arg, a: *const tenon_array, b: *const tenon_array,
                         options: *const tenon_blas_options, stream: *mut tenon_stream,
                         out_x: *mut *mut tenon_array) -> i32;
    /// tenon_gemm for each entry of a list: c\[i\] = alpha a\[i\] b\[i\] + beta c\[i\], each array with its own memory.
    /// All entries are checked before any is written; the text of an error names the entry. Entries may differ in
    /// everything; those with equal dtypes, extents and strides are computed by one call of the library, and on CUDA
    /// the others with them where cuBLAS supports it. No c\[i\] may share memory with another array of the lists; for
    /// an entry of out_c that is NULL a new array is made (small ones share buffers of up to 1 MiB, which live as long
    /// as one of their arrays). options: as for tenon_gemm, for all entries; out_packed is the total.
    /// cublasGemmBatchedEx, cublasGemmGroupedBatchedEx (from CUDA 12.5 on); on the CPU small products are distributed
    /// over the threads. Statuses: those of tenon_gemm; INVALID_ARGUMENT: a negative count, or a list that is NULL with
    /// a count above 0.
    gemm_grouped = fn tenon_gemm_grouped(count: i64, alpha: *const tenon_arg, a: *const *const tenon_array,
                                         b: *const *const tenon_array, beta: *const tenon_arg,
                                         options: *const tenon_gemm_options, stream: *mut tenon_stream,
                                         out_c: *mut *mut tenon_array) -> i32;
    /// The index of the matrix of a batch that caused the failure (solve.h, eigen.h, tenon_svd), from 0 in C order; -1:
    /// no single matrix.
    error_batch_index = fn tenon_error_batch_index(error: *const tenon_error, out_index: *mut i64) -> i32;
    /// Declares that the memory belongs to a framework that continues to use it; `current` returns the framework's
    /// stream and is called at each use. Calls with a NULL stream and this array (or a view of it) run on that stream;
    /// calls on other streams are first ordered after the work that the framework has enqueued there. After the memory
    /// is returned, the framework may reuse it in the order of that stream, as it does for its own operations. Call
    /// this right after importing the array; the `stream` of the import then has no effect. On the CPU it changes
    /// nothing. UNSUPPORTED: an array whose memory is Tenon's own.
    array_follow = fn tenon_array_follow(array: *mut tenon_array, current: tenon_current_stream_fn) -> i32;
    /// Sets the process's one interrupt function, or none (NULL). It is for hosts that handle Ctrl-C themselves and
    /// could not respond to it while a call of Tenon compiles. It replaces the previous function, which a call in
    /// progress may still call once more.
    interrupt_set = fn tenon_interrupt_set(interrupt: tenon_interrupt_fn, user: *mut c_void) -> i32;
    /// The kind of a live handle. INVALID_HANDLE: it was released, was never a handle, or belongs to another copy of
    /// the library in this process. FORKED: it was made before fork().
    handle_kind = fn tenon_handle_kind(handle: *const c_void, out_kind: *mut tenon_handle_constant) -> i32;
    /// Adds one reference, as the retain function of the handle's kind does. Statuses: those of tenon_handle_kind.
    retain = fn tenon_retain(handle: *const c_void) -> i32;
    /// Releases one reference, as the release function of the handle's kind does. Does nothing if the argument is not a
    /// live handle.
    release = fn tenon_release(handle: *mut c_void);
    /// out_same: 1 if both handles refer to the same object, else 0. Two handles of one device, stream or event, for
    /// example, may be different pointers. Handles of different kinds, or of objects of different contexts, never refer
    /// to the same object. Statuses: those of tenon_handle_kind, for either handle.
    same = fn tenon_same(a: *const c_void, b: *const c_void, out_same: *mut i32) -> i32;
    /// Sets how many threads of this process the CPU device uses, for all contexts: kernels, BLAS and transforms. 0:
    /// the value of $TENON_CPU_THREADS, else the number of processors that this process may run on. Work in progress
    /// finishes with the old number. INVALID_ARGUMENT: threads is negative or above 4096.
    cpu_threads_set = fn tenon_cpu_threads_set(threads: i32) -> i32;
    /// The number of these threads; also the `multiprocessors` of the CPU device.
    cpu_threads_get = fn tenon_cpu_threads_get(out_threads: *mut i32) -> i32;
    /// The device of the event, as a new reference.
    event_device = fn tenon_event_device(event: *const tenon_event, out_device: *mut *mut tenon_device) -> i32;
    /// The device of the buffer, as a new reference.
    buffer_device = fn tenon_buffer_device(buffer: *const tenon_buffer, out_device: *mut *mut tenon_device) -> i32;
    /// The device that the program was made for, as a new reference.
    program_device = fn tenon_program_device(program: *const tenon_program, out_device: *mut *mut tenon_device) -> i32;
    /// The program that the kernel belongs to, as a new reference.
    kernel_program = fn tenon_kernel_program(kernel: *const tenon_kernel, out_program: *mut *mut tenon_program) -> i32;
    /// The device of that program, as a new reference.
    kernel_device = fn tenon_kernel_device(kernel: *const tenon_kernel, out_device: *mut *mut tenon_device) -> i32;
    /// The kernel that the call launches, as a new reference. INVALID_ARGUMENT: the call is of an operation.
    call_kernel = fn tenon_call_kernel(call: *const tenon_call, out_kernel: *mut *mut tenon_kernel) -> i32;
    /// The device of the graph, as a new reference.
    graph_device = fn tenon_graph_device(graph: *const tenon_graph, out_device: *mut *mut tenon_device) -> i32;
    /// y = alpha a x + beta y with a symmetric or Hermitian a: (..., n, n), one triangle of which is read. x, y: (...,
    /// n); f32, f64, c64, c128. options: upper, hermitian. xSYMV, xHEMV, as a product with one column: cublasXsymm,
    /// Xhemm.
    symv = fn tenon_symv(alpha: *const tenon_arg, a: *const tenon_array, x: *const tenon_array, beta: *const tenon_arg,
                         options: *const tenon_blas_options, stream: *mut tenon_stream,
                         out_y: *mut *mut tenon_array) -> i32;
    /// One triangle of a = a + alpha x x^T; hermitian: a + alpha x x^H with a real alpha. x: (..., n), a: (..., n, n);
    /// f32, f64, c64, c128. options: upper, hermitian. xSYR, xHER, as an update of rank 1: cublasXsyrk, Xherk.
    syr = fn tenon_syr(alpha: *const tenon_arg, x: *const tenon_array, options: *const tenon_blas_options,
                       stream: *mut tenon_stream, out_a: *mut *mut tenon_array) -> i32;
    /// y = op(a) x with one triangle of a: (..., n, n). x, y: (..., n); y may be exactly x, which is BLAS's own form;
    /// f32, f64, c64, c128. options: op, upper, unit_diagonal. xTRMV, as a product with one column: cublasXtrmm.
    trmv = fn tenon_trmv(a: *const tenon_array, x: *const tenon_array, options: *const tenon_blas_options,
                         stream: *mut tenon_stream, out_y: *mut *mut tenon_array) -> i32;
    /// x = op(a)^-1 b with one triangle of a, as in tenon_trmv; x may be exactly b. It is not checked whether a is
    /// singular, as in tenon_trsm. xTRSV, as a solution of one column: cublasXtrsm.
    trsv = fn tenon_trsv(a: *const tenon_array, b: *const tenon_array, options: *const tenon_blas_options,
                         stream: *mut tenon_stream, out_x: *mut *mut tenon_array) -> i32;
    /// out = function(x), for one of the codes TENON_FN_* of one operand.
    unary = fn tenon_unary(function: tenon_fn_constant, x: *const tenon_arg, options: *const tenon_compute_options,
                           stream: *mut tenon_stream, out_result: *mut *mut tenon_array) -> i32;
    /// out = function(x, y), for one of the codes TENON_FN_* of two operands.
    binary = fn tenon_binary(function: tenon_fn_constant, x: *const tenon_arg, y: *const tenon_arg,
                             options: *const tenon_compute_options, stream: *mut tenon_stream,
                             out_result: *mut *mut tenon_array) -> i32;
    /// out = condition ? x : y. condition: bool, or any other dtype, in which 0 is false; the result has the common
    /// dtype of x and y.
    select = fn tenon_select(condition: *const tenon_arg, x: *const tenon_arg, y: *const tenon_arg,
                             options: *const tenon_compute_options, stream: *mut tenon_stream,
                             out_result: *mut *mut tenon_array) -> i32;
    /// out = min(max(x, low), high), of x's dtype: low and high are converted to it (DTYPE if that changes their kind:
    /// a complex or floating-point bound for integers). NaN in any of the three gives NaN; low above high gives high.
    /// NULL: no bound on that side; at least one must be given. A weak integer below or above all numbers of an integer
    /// dtype is a bound of its side that bounds nothing. bool and complex x: DTYPE.
    clip = fn tenon_clip(x: *const tenon_arg, low: *const tenon_arg, high: *const tenon_arg,
                         options: *const tenon_compute_options, stream: *mut tenon_stream,
                         out_result: *mut *mut tenon_array) -> i32;
    /// out = x converted to dtype, rounded to nearest even. Floating-point to integer drops the fraction; numbers out
    /// of range become the nearest integer of the dtype, and NaN becomes 0 (tenon_array_copy leaves these cases
    /// unspecified). Integer to shorter integer keeps the low bits; complex to real keeps the real part; to bool: x !=
    /// 0.
    cast = fn tenon_cast(x: *const tenon_arg, dtype: tenon_dtype, options: *const tenon_compute_options,
                         stream: *mut tenon_stream, out_result: *mut *mut tenon_array) -> i32;
    /// Reduces x over axes, for one of the codes TENON_FN_SUM to TENON_FN_LOGSUMEXP. The output may not overlap x.
    /// INVALID_ARGUMENT also: MAX, MIN, ARGMAX and ARGMIN over no elements; with ignore_nan, only NaN along the
    /// axes, reported like an index out of range (moving.h); a field that the function does not use is not 0.
    reduce = fn tenon_reduce(function: tenon_fn_constant, x: *const tenon_arg, options: *const tenon_reduce_options,
                             stream: *mut tenon_stream, out_result: *mut *mut tenon_array) -> i32;
    /// Element k along the axis combines the elements 0 to k of x, for one of the codes TENON_FN_CUMULATIVE_*. x has at
    /// least one axis. The output may be exactly x.
    accumulate = fn tenon_accumulate(function: tenon_fn_constant, x: *const tenon_arg,
                                     options: *const tenon_accumulate_options, stream: *mut tenon_stream,
                                     out_result: *mut *mut tenon_array) -> i32;
    /// The common dtype of the operands, weak ones included; only the dtypes of arrays are used.
    result_type = fn tenon_result_type(args: *const tenon_arg, count: i32, out_dtype: *mut tenon_dtype) -> i32;
    /// Random numbers of a distribution (TENON_RANDOM_*). dtype: UNIFORM, NORMAL, EXPONENTIAL, GAMMA, BETA: float16,
    /// bfloat16, float32, float64; BITS, INTEGERS: any integer; POISSON, BINOMIAL: floating-point and integer dtypes;
    /// BERNOULLI: those and bool. INVALID_ARGUMENT: a parameter outside of its domain; integers that the dtype cannot
    /// hold. DTYPE: any other dtype. options NULL: key 0, offset 0.
    random = fn tenon_random(device: *mut tenon_device, dtype: tenon_dtype, rank: i32, shape: *const i64,
                             distribution: tenon_random_constant, options: *const tenon_random_options,
                             stream: *mut tenon_stream, out_numbers: *mut *mut tenon_array) -> i32;
    /// The number of counters that a draw of `count` elements uses, to be added to the offset for the next draw.
    random_blocks = fn tenon_random_blocks(dtype: tenon_dtype, count: i64, distribution: tenon_random_constant,
                                           out_blocks: *mut u64) -> i32;
    /// Keys for independent programs: key number i is the first 64-bit word of counter i, key `key`, stream
    /// 0xffffffff73706c74.
    random_split = fn tenon_random_split(key: u64, count: i64, out_keys: *mut u64) -> i32;
    /// The numbers 0 to n - 1 in random order, int64: the stable argsort of n uint64 BITS with the same options; it
    /// therefore uses n / 2 counters, rounded up. (Equal sort keys, which occur with a probability of n^2 2^-65, stay
    /// in order.) options: key, offset and stream are used.
    random_permutation = fn tenon_random_permutation(device: *mut tenon_device, n: i64,
                                                     options: *const tenon_random_options, stream: *mut tenon_stream,
                                                     out_order: *mut *mut tenon_array) -> i32;
    /// Joins arrays along an axis. All have the same dtype, rank and extents, except for the extent of that axis (else
    /// SHAPE, DTYPE). INVALID_ARGUMENT: no array.
    concat = fn tenon_concat(arrays: *const *const tenon_array, count: i32, axis: i32,
                             options: *const tenon_moving_options, stream: *mut tenon_stream,
                             out_array: *mut *mut tenon_array) -> i32;
    /// Joins arrays of one shape and dtype along a new axis, which is axis `axis` of the result.
    stack = fn tenon_stack(arrays: *const *const tenon_array, count: i32, axis: i32,
                           options: *const tenon_moving_options, stream: *mut tenon_stream,
                           out_array: *mut *mut tenon_array) -> i32;
    /// Copies of x next to each other: repeats\[i\] along axis i of the result, whose rank is the larger of x's rank
    /// and `rank`; missing extents and repeats are 1, in front. INVALID_ARGUMENT: a negative number.
    tile = fn tenon_tile(x: *const tenon_array, rank: i32, repeats: *const i64, options: *const tenon_moving_options,
                         stream: *mut tenon_stream, out_array: *mut *mut tenon_array) -> i32;
    /// Each element repeated `count` times along the axis, the copies next to each other.
    repeat = fn tenon_repeat(x: *const tenon_array, count: i64, axis: i32, options: *const tenon_moving_options,
                             stream: *mut tenon_stream, out_array: *mut *mut tenon_array) -> i32;
    /// Element i of axes\[k\] goes to (i + shifts\[k\]) modulo the extent. An axis may be listed several times: the
    /// shifts add up.
    roll = fn tenon_roll(x: *const tenon_array, shifts: *const i64, axes: *const i32, count: i32,
                         options: *const tenon_moving_options, stream: *mut tenon_stream,
                         out_array: *mut *mut tenon_array) -> i32;
    /// x with before\[i\] elements added at the start of axis i and after\[i\] at its end. rank: that of x. As
    /// numpy.pad: one axis after the other, so that a later one continues the elements added before. INVALID_ARGUMENT:
    /// a negative number; an axis of extent 0 with a mode other than CONSTANT and EMPTY; a value that the dtype cannot
    /// hold; a value or stat_length in another mode. DTYPE: a mode that the dtype has no arithmetic for.
    pad = fn tenon_pad(x: *const tenon_array, rank: i32, before: *const i64, after: *const i64,
                       options: *const tenon_pad_options, stream: *mut tenon_stream,
                       out_array: *mut *mut tenon_array) -> i32;
    /// Elements by index: NumPy's x\[:, i, j\] with axes 1 and 2. The index arrays broadcast together. If `axes` are
    /// consecutive and ascending, the axes of the index arrays take the place of these axes in the result; otherwise
    /// they come first. The other axes of x are kept whole. At most 8 index arrays. UNSUPPORTED: more than 24 axes are
    /// left that cannot be merged. INVALID_ARGUMENT: an index out of range, an axis listed twice.
    take = fn tenon_take(x: *const tenon_array, indices: *const *const tenon_array, axes: *const i32, count: i32,
                         options: *const tenon_take_options, stream: *mut tenon_stream,
                         out_array: *mut *mut tenon_array) -> i32;
    /// Changes x, in place: writes `values`, broadcast to the shape that tenon_take would give and converted to x's
    /// dtype, to the elements that the indices select. x may have any strides and must share no memory with the other
    /// arrays. If an element is selected several times, ASSIGN keeps one of the values (on the CPU the last one); the
    /// other operations combine all of them, on the CPU in order, so that sums have the same bits for any number of
    /// threads; on CUDA the order of floating-point additions is not fixed. MIN, MAX: not for complex numbers.
    /// READ_ONLY: x is read-only. OVERLAP: x overlaps itself or another array.
    scatter = fn tenon_scatter(x: *mut tenon_array, values: *const tenon_array, indices: *const *const tenon_array,
                               axes: *const i32, count: i32, options: *const tenon_take_options,
                               stream: *mut tenon_stream) -> i32;
    /// The indices of all elements that are not 0 (NaN counts as not 0), in C order: int64 of shape (rank of x, number
    /// of such elements). Waits, because the shape depends on the elements. UNSUPPORTED: while a graph is recorded.
    nonzero = fn tenon_nonzero(x: *const tenon_array, options: *const tenon_moving_options, stream: *mut tenon_stream,
                               out_indices: *mut *mut tenon_array) -> i32;
    /// NumPy's x\[..., mask, ...\]: the elements, or subarrays, where `mask` is not 0. The mask covers as many axes of
    /// x, from `axis` on, as it has itself, with the same extents; in the result they become one axis. Waits, because
    /// the shape depends on the mask. UNSUPPORTED: while a graph is recorded.
    compress = fn tenon_compress(x: *const tenon_array, mask: *const tenon_array, axis: i32,
                                 options: *const tenon_moving_options, stream: *mut tenon_stream,
                                 out_array: *mut *mut tenon_array) -> i32;
    /// `count` evenly spaced numbers. Integers: first + i integer_step, modulo 2^bits; others: start + i step in
    /// float64, rounded to the dtype. INVALID_ARGUMENT: only fields that this dtype does not use are set.
    range = fn tenon_range(device: *mut tenon_device, dtype: tenon_dtype, count: i64,
                           options: *const tenon_range_options, stream: *mut tenon_stream,
                           out_array: *mut *mut tenon_array) -> i32;
    /// Zeros with ones on a diagonal. options: diagonal. DTYPE: a dtype that tenon_array_fill does not take.
    eye = fn tenon_eye(device: *mut tenon_device, dtype: tenon_dtype, rows: i64, columns: i64,
                       options: *const tenon_diagonal_options, stream: *mut tenon_stream,
                       out_array: *mut *mut tenon_array) -> i32;
    /// A copy of x with zeros on one side of a diagonal of the last two axes.
    triangle = fn tenon_triangle(x: *const tenon_array, options: *const tenon_diagonal_options,
                                 stream: *mut tenon_stream, out_array: *mut *mut tenon_array) -> i32;
    /// out_values: x sorted along an axis. out_indices: for each element its index in x, int64. Either may be NULL, and
    /// is then not computed. Takes complex numbers too. INVALID_ARGUMENT: both are NULL. UNSUPPORTED: on CUDA, rows of
    /// 2^32 or more elements.
    sort = fn tenon_sort(x: *const tenon_array, axis: i32, options: *const tenon_sort_options,
                         stream: *mut tenon_stream, out_values: *mut *mut tenon_array,
                         out_indices: *mut *mut tenon_array) -> i32;
    /// The first k elements along an axis of x sorted as by tenon_sort, in descending order unless `smallest` is set:
    /// the k largest elements, and NaN only if there are fewer than k numbers. Takes complex numbers too, which it
    /// sorts. INVALID_ARGUMENT: k is negative or larger than the extent.
    top_k = fn tenon_top_k(x: *const tenon_array, k: i64, axis: i32, options: *const tenon_top_k_options,
                           stream: *mut tenon_stream, out_values: *mut *mut tenon_array,
                           out_indices: *mut *mut tenon_array) -> i32;
    /// For each element of `wanted`, of any shape, the index at which inserting it into `sorted` keeps the order:
    /// int64, of wanted's shape. `sorted` has one axis, in ascending order; both have one dtype, which may be complex.
    /// If it is not sorted, the result is some number from 0 to its length.
    search_sorted = fn tenon_search_sorted(sorted: *const tenon_array, wanted: *const tenon_array,
                                           options: *const tenon_search_options, stream: *mut tenon_stream,
                                           out_places: *mut *mut tenon_array) -> i32;
    /// out_values: the distinct elements of x, which may be complex, ascending. out_indices: for each value the index
    /// of its first occurrence in C order. out_inverse: for each element of x the index of its value, of x's shape.
    /// out_counts: the number of occurrences of each value. The last three are int64 and may be NULL. Waits, because
    /// the shapes depend on the elements. UNSUPPORTED: while a graph is recorded.
    unique = fn tenon_unique(x: *const tenon_array, options: *const tenon_unique_options, stream: *mut tenon_stream,
                             out_values: *mut *mut tenon_array, out_indices: *mut *mut tenon_array,
                             out_inverse: *mut *mut tenon_array, out_counts: *mut *mut tenon_array) -> i32;
    /// Counts how often each of the numbers 0 to length - 1 occurs in x, integers of any shape; the result is int64.
    /// With weights, of x's shape, it sums the weights of each number, in order, in their dtype. INVALID_ARGUMENT: a
    /// number is negative or not below length.
    bincount = fn tenon_bincount(x: *const tenon_array, weights: *const tenon_array, length: i64,
                                 options: *const tenon_bincount_options, stream: *mut tenon_stream,
                                 out_counts: *mut *mut tenon_array) -> i32;
    /// Lends the device's memory to other code as an allocator, for example to a plug-in of PyTorch, or a host that
    /// creates its own buffers. It uses this device's pool, limit and counters. The functions may be called until
    /// destroy(user), which the caller must call once, after freeing all memory. On CUDA the streams must live until
    /// then. The allocator's struct_size must be set by the caller.
    device_allocator = fn tenon_device_allocator(device: *mut tenon_device, out_allocator: *mut tenon_allocator) -> i32;
    /// Runs function(user) when the work enqueued on the stream so far has finished; later work waits for it.
    /// destroy(user) runs once, after the function has run for the last time, or when it never will (the device is
    /// lost, for example), on the thread of the call that finds this out (such as tenon_stream_synchronize). On a
    /// stream that records a graph the function becomes a node, and runs at each launch. The library takes ownership of
    /// destroy on success only.
    stream_call_host = fn tenon_stream_call_host(stream: *mut tenon_stream, function: tenon_stream_fn,
                                                 destroy: tenon_destroy_fn, user: *mut c_void) -> i32;
    /// An event for a native handle (a CUevent), which its owner keeps and has recorded. It can be waited for, queried,
    /// or recorded again. It must stay valid until the last reference is released; destroy(user), if given, runs then,
    /// on the thread that releases it. On the CPU device, whose work is complete when a call returns, only 0 is valid:
    /// an event that is reached. The library takes ownership of destroy on success only. The event has no time for
    /// tenon_event_elapsed. INVALID_ARGUMENT: a handle that never was an event; a handle of an event that was destroyed
    /// may crash the driver.
    event_wrap = fn tenon_event_wrap(device: *mut tenon_device, native: u64, destroy: tenon_destroy_fn,
                                     user: *mut c_void, out_event: *mut *mut tenon_event) -> i32;
    /// The native handle (CUevent), for other libraries to wait for; 0 on the CPU. It lives as long as the event.
    event_native = fn tenon_event_native(event: *const tenon_event, out_native: *mut u64) -> i32;
    /// Memory that several processes use, with the same rights: POSIX shared memory on the CPU device, memory for
    /// CUDA's IPC on a CUDA device. Tenon orders the work of one process only: a process waits for its own work
    /// (tenon_stream_synchronize) before another one uses the memory.
    ///  Makes a new buffer of `bytes` (at least 1) that other processes can open; on the CPU it is filled with zeros.
    /// Statuses as for tenon_buffer_create (OVERFLOW); IO: the system cannot provide shared memory; UNSUPPORTED: the
    /// device does not support it (for example CUDA on Windows or in a container without IPC).
    buffer_create_shared = fn tenon_buffer_create_shared(device: *mut tenon_device, bytes: u64,
                                                         out_buffer: *mut *mut tenon_buffer) -> i32;
    /// The key with which another process of the same user on the same machine opens the buffer: bytes to be sent to it
    /// in any way. The key is valid as long as the buffer of tenon_buffer_create_shared lives; on the CPU, buffers
    /// opened before then stay usable. UNSUPPORTED: the buffer was not made by tenon_buffer_create_shared.
    buffer_share = fn tenon_buffer_share(buffer: *const tenon_buffer, out_key: *mut *mut tenon_blob) -> i32;
    /// The memory of such a key as a buffer of this process. On a CUDA device, where the memory is freed with the
    /// process that made it, release this buffer before that process releases its own. INVALID_ARGUMENT: the bytes are
    /// not a key; VERSION: the key is from another version of Tenon; NOT_FOUND: the memory no longer exists, or (on the
    /// CPU) was made on another machine or in another PID namespace, such as that of another container; IO: it cannot
    /// be opened, for example because it belongs to another user; DEVICE: it belongs to another device; UNSUPPORTED: it
    /// is CUDA memory of this same process, which needs no opening.
    buffer_open = fn tenon_buffer_open(device: *mut tenon_device, key: *const c_void, size: u64,
                                       out_buffer: *mut *mut tenon_buffer) -> i32;
    /// Declares that work unknown to Tenon, enqueued on the stream right after this call, reads or writes the array
    /// through its address: for example a call of another library. As for a use by Tenon, the work is ordered after
    /// earlier uses that conflict with it, later conflicting uses are ordered after the work, and the memory is reused
    /// only after the work. Call it again if other streams have used the array since. access: TENON_ACCESS_*.
    /// READ_ONLY: a write to an array that refuses it; UNSUPPORTED: the stream records a graph; DEVICE: the array is on
    /// a GPU and the stream belongs to the CPU, or the reverse. Tenon does not check whether one GPU can access another
    /// one's memory.
    array_use = fn tenon_array_use(array: *mut tenon_array, access: tenon_access_constant,
                                   stream: *mut tenon_stream) -> i32;
    /// Replaces all arguments at once: for an operation whose arrays change their shapes together.
    call_set_args = fn tenon_call_set_args(call: *mut tenon_call, args: *const tenon_arg, count: i32) -> i32;
    /// Replaces the geometry of a call of a kernel. Statuses as for tenon_kernel_launch; INVALID_ARGUMENT also: the
    /// call is of an operation, whose geometry follows from its arguments.
    call_set_launch = fn tenon_call_set_launch(call: *mut tenon_call, launch: *const tenon_launch) -> i32;
    /// Replaces all arguments of node `node` at once, checked as by tenon_graph_set: for arrays of another shape.
    /// DTYPE: an argument has the wrong dtype, as for the recorded call.
    graph_set_args = fn tenon_graph_set_args(graph: *mut tenon_graph, node: i32, args: *const tenon_arg,
                                             count: i32) -> i32;
    /// Replaces the geometry of node `node`, a launch of a kernel, with the checks of a launch. INVALID_ARGUMENT: a
    /// node of another kind, whose geometry follows from its arguments.
    graph_set_launch = fn tenon_graph_set_launch(graph: *mut tenon_graph, node: i32,
                                                 launch: *const tenon_launch) -> i32;
    /// The number of the last node recorded on a stream that records a graph, for code that has only the stream.
    /// NOT_FOUND: the stream does not record a graph, or has recorded nothing yet.
    graph_last_node = fn tenon_graph_last_node(stream: *const tenon_stream, out_node: *mut i32) -> i32;
    /// sum = the sum of |Re x| + |Im x| along the last axis: x: (..., n), sum: (...), real, of x's precision; the
    /// dtypes of tenon_axpy. Summed in f64. NaN gives NaN. options: none of the fields. xASUM, xCASUM.
    asum = fn tenon_asum(x: *const tenon_array, options: *const tenon_blas_options, stream: *mut tenon_stream,
                         out_sum: *mut *mut tenon_array) -> i32;
    /// index = the first index along the last axis at which |Re x| + |Im x| is largest, counted from 0 (BLAS counts
    /// from 1). x: (..., n), index: (...), int64; the dtypes of tenon_axpy. A NaN takes precedence over every number;
    /// -1 if n is 0. options: none of the fields. IxAMAX.
    iamax = fn tenon_iamax(x: *const tenon_array, options: *const tenon_blas_options, stream: *mut tenon_stream,
                           out_index: *mut *mut tenon_array) -> i32;
    /// index = the first index at which |Re x| + |Im x| is smallest, otherwise as tenon_iamax; a NaN takes precedence
    /// over every number here too. IxAMIN, which cuBLAS and some BLAS libraries have.
    iamin = fn tenon_iamin(x: *const tenon_array, options: *const tenon_blas_options, stream: *mut tenon_stream,
                           out_index: *mut *mut tenon_array) -> i32;
    /// x' = y and y' = x, of one shape and any strides; the dtypes of tenon_axpy. out_x may be exactly x and out_y
    /// exactly y: the two then exchange their elements, which is BLAS's own form. tenon_array_copy is xCOPY. options:
    /// none of the fields. xSWAP.
    swap = fn tenon_swap(x: *const tenon_array, y: *const tenon_array, options: *const tenon_blas_options,
                         stream: *mut tenon_stream, out_x: *mut *mut tenon_array, out_y: *mut *mut tenon_array) -> i32;
    /// x' = c x + s y and y' = c y - conj(s) x, of one shape and any strides; c is real; the dtypes of tenon_axpy.
    /// out_x may be exactly x and out_y exactly y, which is BLAS's own form. options: none of the fields. xROT.
    rot = fn tenon_rot(c: *const tenon_arg, s: *const tenon_arg, x: *const tenon_array, y: *const tenon_array,
                       options: *const tenon_blas_options, stream: *mut tenon_stream, out_x: *mut *mut tenon_array,
                       out_y: *mut *mut tenon_array) -> i32;
    /// The Givens rotations that make b zero: c a + s b = r and c b - conj(s) a = 0 with c^2 + |s|^2 = 1, one for each
    /// element of a and b, which have the same shape (for a single rotation: no axes). c is real, s and r have a's
    /// dtype: f32, f64, c64, c128. Intermediate results do not overflow or underflow unless r itself does. b = 0 gives
    /// c = 1, s = 0, r = a; a = 0 gives c = 0. For real numbers r has the sign of the one of a and b that is larger in
    /// absolute value, as in the reference BLAS; BLAS's z is not computed. out_r may be exactly a, out_s exactly b. Any
    /// of the outputs may be NULL. options: none of the fields. xROTG: Anderson, "Algorithm 978: Safe Scaling in the
    /// Level 1 BLAS", ACM TOMS 44 (2017).
    rotg = fn tenon_rotg(a: *const tenon_array, b: *const tenon_array, options: *const tenon_blas_options,
                         stream: *mut tenon_stream, out_c: *mut *mut tenon_array, out_s: *mut *mut tenon_array,
                         out_r: *mut *mut tenon_array) -> i32;
    /// One triangle of a = a + alpha x y^T + alpha y x^T; hermitian: a + alpha x y^H + conj(alpha) y x^H. x, y: (...,
    /// n), a: (..., n, n); f32, f64, c64, c128. options: upper, hermitian. xSYR2, xHER2, as an update of rank 2:
    /// cublasXsyr2k, Xher2k.
    syr2 = fn tenon_syr2(alpha: *const tenon_arg, x: *const tenon_array, y: *const tenon_array,
                         options: *const tenon_blas_options, stream: *mut tenon_stream,
                         out_a: *mut *mut tenon_array) -> i32;
    /// y = alpha op(a) x + beta y, where a is an m x n banded matrix with options->below diagonals below the main one
    /// and `above` above it. The diagonals are the rows of the array a: (..., below + 1 + above, n), which holds
    /// element (i, j) of the matrix at \[above + i - j, j\], as in LAPACK and in SciPy's solve_banded; elements of the
    /// array outside of the matrix are not read. x: (..., n) and y: (..., m), with op (..., m) and (..., n); a new y
    /// without op has x's length (the matrix is square). f32, f64, c64, c128. An array whose columns are not dense is
    /// packed: pass one in column-major order to avoid this. options: op, below. xGBMV.
    gbmv = fn tenon_gbmv(alpha: *const tenon_arg, a: *const tenon_array, x: *const tenon_array, beta: *const tenon_arg,
                         options: *const tenon_blas_options, stream: *mut tenon_stream,
                         out_y: *mut *mut tenon_array) -> i32;
    /// y = alpha a x + beta y with a symmetric or Hermitian n x n matrix whose nonzero elements lie on the main
    /// diagonal and on k diagonals on each side of it. The array a: (..., k + 1, n) holds the main diagonal and those
    /// of one triangle: element (i, j) at \[i - j, j\], upper: at \[k + i - j, j\]. x, y: (..., n); f32, f64, c64,
    /// c128; complex matrices must be Hermitian, with `hermitian` 1. Otherwise as tenon_gbmv. options: upper,
    /// hermitian. xSBMV, xHBMV.
    sbmv = fn tenon_sbmv(alpha: *const tenon_arg, a: *const tenon_array, x: *const tenon_array, beta: *const tenon_arg,
                         options: *const tenon_blas_options, stream: *mut tenon_stream,
                         out_y: *mut *mut tenon_array) -> i32;
    /// One triangle of c = alpha a b^T + alpha b a^T + beta c, or with op TRANSPOSE of alpha a^T b + alpha b^T a + beta
    /// c. hermitian: alpha a b^H + conj(alpha) b a^H, or with op ADJOINT alpha a^H b + conj(alpha) b^H a, and beta is
    /// real. a, b: (..., n, k), with op (..., k, n); c: (..., n, n); f32, f64, c64, c128. options: op (for complex
    /// numbers as in tenon_syrk), upper, hermitian. xSYR2K, xHER2K; cublasXsyr2k, Xher2k.
    syr2k = fn tenon_syr2k(alpha: *const tenon_arg, a: *const tenon_array, b: *const tenon_array,
                           beta: *const tenon_arg, options: *const tenon_blas_options, stream: *mut tenon_stream,
                           out_c: *mut *mut tenon_array) -> i32;
    /// c = alpha op(a) + beta op_b(b); without b: c = alpha op(a), a transposition that scales. op(a), op_b(b), c:
    /// (..., m, n); f32, f64, c64, c128. c may be the same array as an operand that is not transposed (its op is
    /// TENON_OP_NONE). If alpha is 0, a is not read; if beta is 0, b is not read. beta NULL means 0. INVALID_ARGUMENT:
    /// there is no b, and beta is not 0. options: op, op_b. cublasXgeam.
    geam = fn tenon_geam(alpha: *const tenon_arg, a: *const tenon_array, beta: *const tenon_arg, b: *const tenon_array,
                         options: *const tenon_blas_options, stream: *mut tenon_stream,
                         out_c: *mut *mut tenon_array) -> i32;
    /// Sets how many bytes the device's live buffers may take together; 0: no limit. It replaces the context's
    /// memory_limit_bytes for this device. Existing buffers stay, even if they exceed the limit: the next allocation is
    /// then OUT_OF_MEMORY.
    device_limit_memory = fn tenon_device_limit_memory(device: *mut tenon_device, bytes: u64) -> i32;
    /// x' = h11 x + h12 y and y' = h21 x + h22 y along the last axis. x, y: (..., n), of one shape and any strides; h:
    /// (..., 5), BLAS's param: a flag, h11, h21, h12, h22, with one matrix for all vectors or a batch that broadcasts
    /// to theirs. Flag -1: all four are used; 0: h11 and h22 are taken as 1; 1: h12 is taken as 1 and h21 as -1; -2:
    /// nothing changes. f32, f64. h is read on the device when the work runs, and shares no memory with the outputs.
    /// out_x may be exactly x and out_y exactly y, which is BLAS's own form. options: none of the fields. xROTM.
    rotm = fn tenon_rotm(x: *const tenon_array, y: *const tenon_array, h: *const tenon_array,
                         options: *const tenon_blas_options, stream: *mut tenon_stream, out_x: *mut *mut tenon_array,
                         out_y: *mut *mut tenon_array) -> i32;
    /// The modified Givens rotations h that turn (x1, y1) into (x1', 0), where a vector (x1, y1) represents (sqrt(d1)
    /// x1, sqrt(d2) y1): one for each element of d1, d2, x1 and y1, which have the same shape (for a single rotation:
    /// no axes). d1 and d2 become the factors for the rotated vectors, each between 2^-24 and 2^24 in size unless it is
    /// 0. h: (..., 5), as tenon_rotm takes it; h11 to h22 are set for every flag. If d1 is negative, h, d1, d2 and x1
    /// become 0, with flag -1. f32, f64. out_d1 may be exactly d1, out_d2 exactly d2, out_x1 exactly x1. Any of the
    /// outputs may be NULL. options: none of the fields. xROTMG: Lawson, Hanson, Kincaid, Krogh, "Basic Linear Algebra
    /// Subprograms for Fortran Usage", ACM TOMS 5 (1979).
    rotmg = fn tenon_rotmg(d1: *const tenon_array, d2: *const tenon_array, x1: *const tenon_array,
                           y1: *const tenon_array, options: *const tenon_blas_options, stream: *mut tenon_stream,
                           out_d1: *mut *mut tenon_array, out_d2: *mut *mut tenon_array, out_x1: *mut *mut tenon_array,
                           out_h: *mut *mut tenon_array) -> i32;
    /// y = op(a) x with a triangular n x n matrix whose nonzero elements lie on the main diagonal and on k diagonals on
    /// one side of it. The array a: (..., k + 1, n) holds them as tenon_sbmv's does: element (i, j) at \[i - j, j\],
    /// upper: at \[k + i - j, j\]; elements of the array outside of the matrix are not read. x, y: (..., n); y may be
    /// exactly x, which is BLAS's own form. f32, f64, c64, c128. An array whose columns are not dense is packed, as in
    /// tenon_gbmv. options: op, upper, unit_diagonal. xTBMV.
    tbmv = fn tenon_tbmv(a: *const tenon_array, x: *const tenon_array, options: *const tenon_blas_options,
                         stream: *mut tenon_stream, out_y: *mut *mut tenon_array) -> i32;
    /// x = op(a)^-1 b with a triangular matrix stored as for tenon_tbmv; x may be exactly b. As in tenon_trsm, a zero
    /// on the diagonal puts infinity and NaN into x, with TENON_OK. options: op, upper, unit_diagonal. xTBSV.
    tbsv = fn tenon_tbsv(a: *const tenon_array, b: *const tenon_array, options: *const tenon_blas_options,
                         stream: *mut tenon_stream, out_x: *mut *mut tenon_array) -> i32;
    /// The operations of compute.h fused into one kernel: input_count inputs of these dtypes, steps on them, and
    /// output_count outputs, each the number of a value. Steps that no output needs are dropped, and equal steps are
    /// computed once. dtypes follow from the steps as from the separate operations, and every step is rounded to its
    /// own dtype, with no multiply-add in the place of a product and a sum. +, -, *, / and sqrt of real numbers,
    /// comparisons, integers, select, clip and casts give the bits of the separate operations. Other functions, and
    /// products, quotients and roots of complex numbers, may differ from the CPU device's vectorised ones in the last
    /// places (functions.h); they give the bits of TENON_APPLY_COMPILED. GATHER makes x a table, which no other step
    /// may use as a value; y is an integer. take along an axis is a gather from the array with that axis moved to the
    /// front and, in place of it, as many axes of extent 1 as the indices have. Casts to float16 and bfloat16 take
    /// bool, integers of up to 16 bits, float16, bfloat16, float32 and float64.
    ///  The result is called, recorded and released like any other elementwise kernel. Each input is an array or a
    /// scalar of its dtype, as the call says: a scalar changes from call to call without a new kernel. All inputs take
    /// part in the shape, those that no output needs included.
    ///  options: name, flags, mode and options; with TENON_PROGRAM_FLAG_FAST_MATH the bits are not promised.
    /// INVALID_ARGUMENT: no input, no output, more than 32 of both together, an operand that is not an earlier value,
    /// an unknown function or kind, a field that the kind does not have, a value that is an output twice, a preamble or
    /// an accumulator. DTYPE: an operation that is not defined for its operands' dtypes. Errors name the step.
    elementwise_compose = fn tenon_elementwise_compose(inputs: *const u32, input_count: i32, steps: *const tenon_step,
                                                       step_count: i32, outputs: *const i32, output_count: i32,
                                                       options: *const tenon_generated_options,
                                                       out_elementwise: *mut *mut tenon_elementwise) -> i32;
    /// A texture on the source's device, with the source's elements, copied in the order of the stream. SHAPE: the
    /// source's axes are not those of the options, or an extent is 0 or over the limit of textures; DTYPE: texels of
    /// that dtype do not exist, or cannot be read that way; LAYOUT: share, and the source's address, pitch or strides
    /// do not allow it; UNSUPPORTED: the device has no textures, or the stream records a graph or is being captured.
    texture_create = fn tenon_texture_create(source: *const tenon_array, options: *const tenon_texture_options,
                                             stream: *mut tenon_stream, out_texture: *mut *mut tenon_texture) -> i32;
    /// Copies the array, of the dtype and shape that the first source had, into the texture's memory in the order of
    /// the stream. INVALID_ARGUMENT: the texture shares an array's memory: write that; SHAPE, DTYPE: another shape or
    /// dtype; UNSUPPORTED: the stream records a graph or is being captured.
    texture_update = fn tenon_texture_update(texture: *mut tenon_texture, source: *const tenon_array,
                                             stream: *mut tenon_stream) -> i32;
    /// Copies the texture's memory into an array of the dtype and shape of its first source, in the order of the
    /// stream; the result is provided or made. READ_ONLY, SHAPE, DTYPE, OVERLAP: of a provided array; UNSUPPORTED: the
    /// stream records a graph or is being captured.
    texture_read = fn tenon_texture_read(texture: *const tenon_texture, stream: *mut tenon_stream,
                                         out_array: *mut *mut tenon_array) -> i32;
    /// What the texture is.
    texture_get_info = fn tenon_texture_get_info(texture: *const tenon_texture,
                                                 out_info: *mut tenon_texture_info) -> i32;
    /// The device of the texture, as a new reference.
    texture_device = fn tenon_texture_device(texture: *const tenon_texture, out_device: *mut *mut tenon_device) -> i32;
    /// Adds one reference.
    texture_retain = fn tenon_texture_retain(texture: *const tenon_texture) -> i32;
    /// Releases one reference. Work in flight continues.
    texture_release = fn tenon_texture_release(texture: *mut tenon_texture);
    /// Asks for a percentage of a multiprocessor's L1 cache, 0 to 100, to be shared memory while the kernel runs; -1
    /// leaves it to the device, as at first. It is a hint: the device rounds it up to what it supports, and gives a
    /// launch at least the shared memory that it needs. It belongs to the kernel of that program, whichever handle it
    /// was set through, and holds for later launches; no stream takes part. The CPU keeps it, without an effect. Loads
    /// the program on its device. INVALID_ARGUMENT: another percentage.
    kernel_prefer_shared = fn tenon_kernel_prefer_shared(kernel: *mut tenon_kernel, percent: i32) -> i32;
    /// A composition whose result is reduced: the steps of tenon_elementwise_compose for each element, and `value`, the
    /// number of one of their values, combined over the axes of each call by a reduction of functions.h, TENON_FN_SUM
    /// to TENON_FN_NORM but VAR and STD. The result is a reduction with one input for each of inputs, called as any
    /// other; its dtypes are those of tenon_reduce. The steps have the bits that tenon_elementwise_compose promises.
    /// MAX, MIN, ALL, ANY, ARGMAX, ARGMIN, COUNT_NONZERO and integers give the bits of tenon_reduce; sums and products
    /// of floating-point numbers may be combined in another order, with the same bound on their error.
    ///  options as for tenon_elementwise_compose. INVALID_ARGUMENT: as there; value is not the number of a value;
    /// function is no reduction. DTYPE: the reduction is not defined for the value's dtype. UNSUPPORTED: VAR, STD and
    /// LOGSUMEXP, which take several passes.
    reduction_compose = fn tenon_reduction_compose(inputs: *const u32, input_count: i32, steps: *const tenon_step,
                                                   step_count: i32, value: i32, function: tenon_fn_constant,
                                                   options: *const tenon_generated_options,
                                                   out_reduction: *mut *mut tenon_reduction) -> i32;
    /// As tenon_reduction_compose, with a scan of functions.h, TENON_FN_CUMULATIVE_SUM to
    /// TENON_FN_CUMULATIVE_LOGSUMEXP; its dtypes are those of tenon_accumulate. exclusive: as for tenon_scan_create.
    scan_compose = fn tenon_scan_compose(inputs: *const u32, input_count: i32, steps: *const tenon_step,
                                         step_count: i32, value: i32, function: tenon_fn_constant, exclusive: i32,
                                         options: *const tenon_generated_options,
                                         out_scan: *mut *mut tenon_scan) -> i32;
    /// Quantiles of x over axes: for each of `count` probabilities one element along a first axis of the result, then
    /// the shape that tenon_reduce would give. LOWER, HIGHER, NEAREST, INVERTED_CDF and CLOSEST_OBSERVATION give
    /// elements of x, in its dtype; the other methods give floating-point numbers in theirs and float64 for integers
    /// and bools. Complex numbers are interpolated part by part between neighbours in the order of tenon_sort. Over no
    /// elements: NaN. Sorts a copy of x on the stream, and does not wait. INVALID_ARGUMENT: a probability is not in
    /// \[0, 1\]; an axis given twice; no elements, for a method and dtype without NaN. Since level 1.1.
    quantile = fn tenon_quantile(x: *const tenon_array, probabilities: *const f64, count: i64,
                                 options: *const tenon_quantile_options, stream: *mut tenon_stream,
                                 out_quantiles: *mut *mut tenon_array) -> i32;
    /// Reduces each segment of x along an axis, for TENON_FN_SUM, PROD, MIN, MAX or LOGSUMEXP: the result has x's shape
    /// and one element per segment along the axis. segments: one axis; TENON_SEGMENTS_OFFSETS or NUMBERS
    /// (tenon_segment_offsets makes offsets of the others). An empty segment gives the neutral value: 0, 1, or the
    /// largest or smallest value of the dtype, of complex numbers in both parts. Offsets that decrease or lie outside
    /// of x are INVALID_ARGUMENT, reported as moving.h says of indices, and never followed. dtypes are those of
    /// tenon_reduce. float16, bfloat16 and float32 are accumulated in float64. Results have the same bits on every run
    /// and for any number of threads. UNSUPPORTED: on CUDA, more than 2^31 rows along the other axes. Since level 1.1.
    segment_reduce = fn tenon_segment_reduce(function: tenon_fn_constant, x: *const tenon_array,
                                             segments: *const tenon_array, options: *const tenon_segment_options,
                                             stream: *mut tenon_stream, out_result: *mut *mut tenon_array) -> i32;
    /// tenon_accumulate, which begins anew with each segment, for one of the codes TENON_FN_CUMULATIVE_*. segments:
    /// TENON_SEGMENTS_OFFSETS (elements before the first and after the last segment form one each), FLAGS or KEYS (any
    /// real dtype). dtypes, errors and determinism are those of tenon_segment_reduce. The output may be exactly x.
    /// Since level 1.1.
    segment_scan = fn tenon_segment_scan(function: tenon_fn_constant, x: *const tenon_array,
                                         segments: *const tenon_array, options: *const tenon_segment_options,
                                         stream: *mut tenon_stream, out_result: *mut *mut tenon_array) -> i32;
    /// The offsets of segments that are given as TENON_SEGMENTS_FLAGS or KEYS, which options->segments says; other
    /// options are 0. The result is int64: one offset per segment, and the number of elements. Waits, because the
    /// number of segments depends on the elements. UNSUPPORTED: while a graph is recorded. Since level 1.1.
    segment_offsets = fn tenon_segment_offsets(segments: *const tenon_array, options: *const tenon_segment_options,
                                               stream: *mut tenon_stream, out_offsets: *mut *mut tenon_array) -> i32;
    /// A COO matrix of rows x columns as CSR: sorted by row, then by column, elements in one place added. Waits,
    /// because the number of elements depends on them. UNSUPPORTED: while a graph is recorded.
    csr_from_coo = fn tenon_csr_from_coo(rows: i64, columns: i64, row: *const tenon_array, column: *const tenon_array,
                                         values: *const tenon_array, options: *const tenon_sparse_options,
                                         stream: *mut tenon_stream, out_offsets: *mut *mut tenon_array,
                                         out_columns: *mut *mut tenon_array, out_values: *mut *mut tenon_array) -> i32;
    /// The elements of a matrix that are not 0 (NaN is not 0), as CSR. Waits for their number. UNSUPPORTED: while a
    /// graph is recorded.
    csr_from_dense = fn tenon_csr_from_dense(x: *const tenon_array, options: *const tenon_sparse_options,
                                             stream: *mut tenon_stream, out_offsets: *mut *mut tenon_array,
                                             out_columns: *mut *mut tenon_array,
                                             out_values: *mut *mut tenon_array) -> i32;
    /// The row of each of `count` elements of a CSR matrix, with which its columns and values are the matrix in COO
    /// form.
    csr_rows = fn tenon_csr_rows(offsets: *const tenon_array, count: i64, options: *const tenon_sparse_options,
                                 stream: *mut tenon_stream, out_rows: *mut *mut tenon_array) -> i32;
    /// A CSR matrix as a dense one, of shape (rows, columns).
    csr_to_dense = fn tenon_csr_to_dense(columns: i64, offsets: *const tenon_array, indices: *const tenon_array,
                                         values: *const tenon_array, options: *const tenon_sparse_options,
                                         stream: *mut tenon_stream, out_dense: *mut *mut tenon_array) -> i32;
    /// The transposed matrix in CSR form, which is the matrix itself in CSC form; elements in one place stay apart, in
    /// their order.
    csr_transpose = fn tenon_csr_transpose(columns: i64, offsets: *const tenon_array, indices: *const tenon_array,
                                           values: *const tenon_array, options: *const tenon_sparse_options,
                                           stream: *mut tenon_stream, out_offsets: *mut *mut tenon_array,
                                           out_columns: *mut *mut tenon_array,
                                           out_values: *mut *mut tenon_array) -> i32;
    /// result = alpha A b + beta result, of a CSR matrix A and a dense vector or matrix b, whose dtype is that of the
    /// values; the result is a vector or a matrix likewise. beta needs a given result (INVALID_ARGUMENT). Waits for the
    /// check of the indices only, as moving.h says, and not at all if they are trusted.
    csr_multiply = fn tenon_csr_multiply(columns: i64, offsets: *const tenon_array, indices: *const tenon_array,
                                         values: *const tenon_array, b: *const tenon_array,
                                         options: *const tenon_sparse_product_options, stream: *mut tenon_stream,
                                         out_result: *mut *mut tenon_array) -> i32;
    /// The order in which tenon_einsum combines its operands, for element i below count - 1: step i takes the terms
    /// with the numbers out_first\[i\] < out_second\[i\]. The operands are the terms 0 to count - 1, and the result of
    /// step i is term count + i. The last element of both is -1. Reads the shapes only. Statuses: SHAPE,
    /// INVALID_ARGUMENT as for tenon_einsum. Since level 1.1.
    einsum_path = fn tenon_einsum_path(subscripts: *const c_char, operands: *const *const tenon_array, count: i32,
                                       out_first: *mut i32, out_second: *mut i32) -> i32;
    /// Linear interpolation: for each element of x, the value at that point of the function that has values\[i\] at
    /// points\[i\] and is linear between neighbouring points. `points` and `values` have one axis and the same length;
    /// the points are ascending. The result has the shape of x, and is NaN where x is NaN. It is computed in float64.
    /// If the points are not ascending, each result is some number. DTYPE: the three arrays are not all float32 or all
    /// float64. SHAPE: points and values are not lists of the same length. INVALID_ARGUMENT: there are no points. Since
    /// level 1.1.
    interpolate = fn tenon_interpolate(x: *const tenon_array, points: *const tenon_array, values: *const tenon_array,
                                       options: *const tenon_interpolate_options, stream: *mut tenon_stream,
                                       out_y: *mut *mut tenon_array) -> i32;
    /// Gives the device an allocator for its memory, in place of Tenon's own pool, for example in the default context,
    /// which has no options. It is copied. Its destroy runs when the context closes, and not if this call fails. On
    /// CUDA, freed blocks of at most 1 MiB are kept for later arrays of the same stream; tenon_device_trim_memory gives
    /// them back. INVALID_ARGUMENT: a function is missing. UNSUPPORTED: the device has an allocator already, or has
    /// allocated memory. Since level 1.1.
    device_use_allocator = fn tenon_device_use_allocator(device: *mut tenon_device,
                                                         allocator: *const tenon_allocator) -> i32;
}
