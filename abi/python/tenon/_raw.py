"""The C interface of Tenon in ctypes: constants, structs, callbacks. Derived from the headers by abi/generate.py.

The functions are in tenon._core, which takes these structs directly or by ctypes.byref. Creating a struct sets its
struct_size: tenon_launch(grid=(4, 1, 1)). To pass NULL for a callback, call its type without arguments.
"""
import ctypes
from ctypes import (CFUNCTYPE, POINTER, Structure, Union, c_char_p, c_double, c_float, c_int8, c_int16, c_int32, c_int64,
                    c_uint8, c_uint16, c_uint32, c_uint64, c_void_p)

TENON_VERSION_MAJOR = 1
TENON_VERSION_MINOR = 1
TENON_VERSION_PATCH = 0
TENON_ABI_LEVEL = 0x00010100
TENON_OK = 0
TENON_ERROR_INVALID_ARGUMENT = 1  # a value outside its documented domain, or NULL
TENON_ERROR_INVALID_HANDLE = 2  # released, never a handle, or a handle of another kind
TENON_ERROR_OUT_OF_MEMORY = 3  # host or device; the text gives the bytes requested, in use and free
TENON_ERROR_UNSUPPORTED = 4  # a valid request that this device or build cannot serve; the text says why
TENON_ERROR_NOT_FOUND = 5  # there is no device, kernel, symbol or file of that name
TENON_ERROR_OVERFLOW = 6  # a size or product does not fit its type
TENON_ERROR_DTYPE = 7  # element types do not fit together
TENON_ERROR_SHAPE = 8  # ranks or extents do not fit together
TENON_ERROR_DEVICE = 9  # the operands are on devices that cannot be used together
TENON_ERROR_CONTEXT = 10  # objects of two contexts were mixed
TENON_ERROR_LAYOUT = 11  # strides or alignment do not allow it without a copy
TENON_ERROR_READ_ONLY = 12  # a write to memory that was imported read-only
TENON_ERROR_OVERLAP = 13  # operands share memory in a way the operation does not define
TENON_ERROR_COMPILE = 14  # source did not compile; the log is in the error record
TENON_ERROR_MISSING_LIBRARY = 15  # a required library or program is missing; the text says what to install
TENON_ERROR_KERNEL_FAULT = 16  # a kernel failed while it ran on the CPU device (assert, trap, divergent barrier)
TENON_ERROR_DEVICE_LOST = 17  # the CUDA context is no longer usable; the CPU device still works
TENON_ERROR_NOT_CONVERGED = 18  # an iterative routine did not converge; native code: its info value
TENON_ERROR_SINGULAR = 19  # a matrix has no inverse or factorisation; native code: its info value
TENON_ERROR_NOT_FINITE = 20  # NaN or infinity in an operand for which the routine has no result
# result of a query or a wait with a limit: the work is not complete; leaves the error record alone
TENON_ERROR_NOT_READY = 21
TENON_ERROR_VERSION = 22  # a struct, package or library has a version that cannot be used
TENON_ERROR_IO = 23  # reading or writing a file failed
TENON_ERROR_CANCELLED = 24  # the caller cancelled it
TENON_ERROR_FORKED = 25  # the handle was made before fork()
TENON_ERROR_VENDOR = 26  # CUDA or a vendor library failed in another way; see the native code
TENON_ERROR_INTERNAL = 27  # a bug in Tenon: please report the text
TENON_HANDLE_BLOB = 1
TENON_HANDLE_ERROR = 2
TENON_HANDLE_CONTEXT = 3
TENON_HANDLE_DEVICE = 4
TENON_HANDLE_STREAM = 5
TENON_HANDLE_EVENT = 6
TENON_HANDLE_BUFFER = 7
TENON_HANDLE_ARRAY = 8
TENON_HANDLE_PROGRAM = 9
TENON_HANDLE_KERNEL = 10
TENON_HANDLE_CALL = 11
TENON_HANDLE_COMPILATION = 12
TENON_HANDLE_ELEMENTWISE = 13
TENON_HANDLE_REDUCTION = 14
TENON_HANDLE_SCAN = 15
TENON_HANDLE_GRAPH = 16
TENON_HANDLE_PACKAGE = 17
TENON_HANDLE_OPERATION = 18
TENON_HANDLE_TEXTURE = 19
TENON_BOOL = 0x00010806  # * one byte, 0 or 1
TENON_INT8 = 0x00010800  # *
TENON_INT16 = 0x00011000  # *
TENON_INT32 = 0x00012000  # *
TENON_INT64 = 0x00014000  # *
TENON_UINT8 = 0x00010801  # *
TENON_UINT16 = 0x00011001  # *
TENON_UINT32 = 0x00012001  # *
TENON_UINT64 = 0x00014001  # *
TENON_FLOAT16 = 0x00011002  # * IEEE binary16
TENON_FLOAT32 = 0x00012002  # *
TENON_FLOAT64 = 0x00014002  # *
TENON_BFLOAT16 = 0x00011004  # *
TENON_COMPLEX32 = 0x00012005  # two float16: copy with conversion, fill and Fourier transforms only
TENON_COMPLEX64 = 0x00014005  # * two float32
TENON_COMPLEX128 = 0x00018005  # * two float64
TENON_FLOAT8_E3M4 = 0x00010807
TENON_FLOAT8_E4M3 = 0x00010808
TENON_FLOAT8_E4M3B11FNUZ = 0x00010809
TENON_FLOAT8_E4M3FN = 0x0001080a
TENON_FLOAT8_E4M3FNUZ = 0x0001080b
TENON_FLOAT8_E5M2 = 0x0001080c
TENON_FLOAT8_E5M2FNUZ = 0x0001080d
TENON_FLOAT8_E8M0FNU = 0x0001080e
TENON_FLOAT6_E2M3FN = 0x0001060f
TENON_FLOAT6_E3M2FN = 0x00010610
TENON_FLOAT4_E2M1FN = 0x00010411
TENON_LOG_ERROR = 1
TENON_LOG_WARNING = 2
TENON_LOG_INFO = 3
TENON_LOG_DEBUG = 4
TENON_CACHE_DEFAULT = 0  # read and write, unless TENON_CACHE in the environment says otherwise
TENON_CACHE_OFF = 1  # nothing is read or written on disk; programs are shared within the process
TENON_CACHE_READ_ONLY = 2  # use existing entries, add none
TENON_CACHE_NO_COMPILE = 3  # as READ_ONLY, and a program that is not in the cache is TENON_ERROR_NOT_FOUND
# buffers do not order streams: the caller records and waits for every event, releases an array only when all work on
# streams other than the one it was made on is complete, and an imported array only when all work on it is complete; a
# graph is launched on one stream only
TENON_CONTEXT_NO_STREAM_TRACKING = 1
TENON_CONTEXT_NO_POOL = 2  # every allocation is separate, for memory checkers
# waits after each launch and operation, so that a fault is reported by the call that caused it; also
# $TENON_DEBUG_SYNC=1
TENON_CONTEXT_DEBUG_SYNC = 4
TENON_CONTEXT_NVTX = 8  # NVTX ranges around launches and operations, if a profiler is attached; also $TENON_NVTX=1
# an operation of a package (plugin.h) whose contract does not promise the same bits on every run is refused
# (UNSUPPORTED), tuning records are ignored, and products (linalg.h) are not tuned. Even without this flag products,
# factorisations, transforms, reductions and scans give the same bits on every run, on one device with one version of
# its libraries; also $TENON_DETERMINISTIC=1
TENON_CONTEXT_DETERMINISTIC = 16
TENON_CONTEXT_SIGNED_PACKAGES = 32  # packages (plugin.h) must be signed by a trusted key; also $TENON_SIGNED_PACKAGES=1
# the calls that solve.h lists do not wait; a matrix that is singular, not positive definite or not finite is reported
# by the call that waits for the stream; also $TENON_DEFERRED_ERRORS=1
TENON_CONTEXT_DEFERRED_ERRORS = 64
# products and transforms (linalg.h, blas.h, fft.h) check their operands, and NaN or infinity in one is NOT_FINITE; not
# while a graph is recorded, and not for float8; also $TENON_CHECK_FINITE=1
TENON_CONTEXT_CHECK_FINITE = 128
# leave the process's signal handlers alone. Otherwise the first program loaded for the CPU device installs handlers for
# SIGSEGV, SIGBUS, SIGFPE and SIGILL, so that a kernel that accesses a bad address, or overflows its stack, ends its
# launch (KERNEL_FAULT) and not the process. They act only on threads that are inside a kernel, and pass all other
# signals to the handlers installed before; also $TENON_NO_SIGNALS=1
TENON_CONTEXT_NO_SIGNALS = 512
# a NULL stream is Tenon's own non-blocking stream on each CUDA device, not the legacy default stream; also
# $TENON_PRIVATE_STREAM=1
TENON_CONTEXT_PRIVATE_STREAM = 256
TENON_DEVICE_CPU = 1  # as DLPack's kDLCPU
TENON_DEVICE_CUDA = 2  # as DLPack's kDLCUDA
TENON_EVENT_TIMING = 1  # may be used with tenon_event_elapsed
TENON_ARG_ARRAY = 1  # value.array: for a pointer parameter; must be C-contiguous (else TENON_ARG_STRIDED)
TENON_ARG_SCALAR = 2  # dtype and value.*; for a kernel exactly the parameter's type
TENON_ARG_POINTER = 3  # value.pointer: a raw address, which Tenon neither checks nor orders
TENON_ARG_BYTES = 4  # value.bytes points at size bytes: a struct by value, which the call copies
TENON_ARG_STRIDED = 5  # as ARRAY, but with any strides: the kernel gets the address of the element at index 0
# for the functions of compute.h: a number without a dtype of its own, given as TENON_BOOL (value.u8), TENON_INT64,
# TENON_UINT64, TENON_FLOAT64 or TENON_COMPLEX128
TENON_ARG_WEAK = 6
TENON_ARG_TEXTURE = 7  # value.texture (texture.h): for a parameter of type cudaTextureObject_t
TENON_ARG_SURFACE = 8  # value.texture: for a parameter of type cudaSurfaceObject_t
TENON_MAX_RANK = 64
TENON_MEMORY_DEVICE = 0  # the device's own memory (for the CPU device: host memory, 64-byte aligned)
TENON_MEMORY_PINNED = 1  # page-locked host memory of a CUDA device, accessible to host and device (DLPack kDLCUDAHost)
TENON_MEMORY_MANAGED = 2  # CUDA managed memory, which migrates between host and device (DLPack kDLCUDAManaged)
TENON_ARRAY_C_CONTIGUOUS = 1
TENON_ARRAY_F_CONTIGUOUS = 2
TENON_ARRAY_READ_ONLY = 4
TENON_ACCESS_READ = 1
TENON_ACCESS_WRITE = 2  # writes and reads
TENON_DLPACK_COPY = 1  # always export a separate copy (flag IS_COPIED in the versioned struct)
TENON_DLPACK_STREAM_MAY_END = 2  # `stream` may be destroyed before the deleter runs: see below
# fail with LAYOUT if the array cannot be exported as it is: negative strides. Not with TENON_DLPACK_COPY
TENON_DLPACK_NEVER_COPY = 4
TENON_PROGRAM_MODE_FAST = 0  # optimised
TENON_PROGRAM_MODE_DEBUG = 1  # -O0 with debug information; on the CPU a debugger can step through it
# CPU: undefined behaviour and faults become errors that name block and thread; CUDA: adds line information
TENON_PROGRAM_MODE_CHECK = 2
TENON_PROGRAM_FLAG_FAST_MATH = 1  # approximate division, sqrt and functions, denormals flushed (NVRTC --use_fast_math)
TENON_PROGRAM_FLAG_REVERSE_ORDER = 2  # CPU: run the threads of a block last to first, which shows missing barriers
TENON_PROGRAM_FLAG_NO_CACHE = 4  # compile even if the program is cached, and replace the entry
# the images among the inputs (program.h) may be run: their code gets the caller's rights
TENON_PROGRAM_FLAG_TRUSTED = 8
TENON_IMAGE_BINARY = 1  # the image that is loaded: a cubin, or the CPU's shared object
TENON_IMAGE_PTX = 2  # CUDA only
TENON_PARAMETER_SCALAR = 1  # an arithmetic type, given by dtype
TENON_PARAMETER_POINTER = 2  # dtype: that of the elements (a vector type has lanes); 0 if no dtype fits
TENON_PARAMETER_STRUCT = 3  # anything else, passed by value; see size and alignment
TENON_PARAMETER_UNKNOWN = 4  # for a kernel from an image that does not describe it: only the size is known
TENON_EXECUTION_LOOP = 1  # one after another, as a loop: the fastest form
TENON_EXECUTION_REGIONS = 2  # as several such loops, each from one block barrier to the next
TENON_EXECUTION_FIBERS = 4  # each on its own stack; block barriers switch between the stacks
TENON_EXECUTION_WARPS = 8  # each on its own stack, scheduled so that the lanes of a warp meet in warp operations
TENON_EXECUTION_IN_ORDER = 16  # with grid-stride loops run in memory order (tenon_program_create)
TENON_LAUNCH_COOPERATIVE = 1  # all blocks run at the same time, so that they may wait for each other
TENON_LAUNCH_PROGRAMMATIC = 2
TENON_INPUT_SOURCE = 0  # CUDA C text: a translation unit
TENON_INPUT_BINARY = 1  # a cubin; on the CPU device, the result of tenon_program_image there, for this processor
TENON_INPUT_PTX = 2  # PTX text
TENON_INPUT_FATBIN = 3  # a fat binary: cubins and PTX for several architectures
TENON_INPUT_LTO_IR = 4  # NVRTC's intermediate code for link-time optimisation
TENON_ADDRESS_CLAMP = 0  # the nearest texel
TENON_ADDRESS_WRAP = 1  # the texture repeats
TENON_ADDRESS_MIRROR = 2  # it repeats, every other time reversed
TENON_ADDRESS_BORDER = 3  # options.border
TENON_FILTER_POINT = 0  # the texel at the coordinate
TENON_FILTER_LINEAR = 1  # interpolates between the nearest 2, 4 or 8 texels; for reads that give floats
TENON_RANDOM_UNIFORM = 0  # a, b: the ends; both 0: 0 and 1
TENON_RANDOM_NORMAL = 1  # a: mean, b: standard deviation; 0: 1
TENON_RANDOM_EXPONENTIAL = 2  # b: mean; 0: 1
TENON_RANDOM_BITS = 3  # all bits of an integer dtype
TENON_RANDOM_INTEGERS = 4  # low, count; both 0: all numbers of the dtype
# a: the probability, b: the value for success; 0: 1. A dropout mask has a = 1 - p, b = 1 / (1 - p)
TENON_RANDOM_BERNOULLI = 5
TENON_RANDOM_GAMMA = 6  # a: shape, b: scale; 0: 1
TENON_RANDOM_BETA = 7  # a, b: both shapes
TENON_RANDOM_POISSON = 8  # a: mean, up to 2^53
TENON_RANDOM_BINOMIAL = 9  # a: trials, up to 2^53, b: probability
TENON_PAD_CONSTANT = 0  # value
TENON_PAD_EDGE = 1  # the nearest element: aaa|abcd|ddd
TENON_PAD_REFLECT = 2  # mirrored at the middle of the last element: dcb|abcd|cba
TENON_PAD_SYMMETRIC = 3  # mirrored at its edge: cba|abcd|dcb
TENON_PAD_WRAP = 4  # from the other end: bcd|abcd|abc
TENON_SCATTER_ASSIGN = 0
TENON_SCATTER_ADD = 1  # integers wrap; bool: or
TENON_SCATTER_MIN = 2  # NaN if there is one; bool: and
TENON_SCATTER_MAX = 3
TENON_QUANTILE_LINEAR = 0  # 7: a = b = 1, place (n - 1) q
TENON_QUANTILE_LOWER = 1  # the element before or at (n - 1) q
TENON_QUANTILE_HIGHER = 2  # the element after or at (n - 1) q
TENON_QUANTILE_MIDPOINT = 3  # the mean of these two
TENON_QUANTILE_NEAREST = 4  # the element nearest to (n - 1) q; the even one of two
TENON_QUANTILE_INVERTED_CDF = 5  # 1
TENON_QUANTILE_AVERAGED_INVERTED_CDF = 6  # 2
TENON_QUANTILE_CLOSEST_OBSERVATION = 7  # 3
TENON_QUANTILE_INTERPOLATED_INVERTED_CDF = 8  # 4: a = 0, b = 1
TENON_QUANTILE_HAZEN = 9  # 5: a = b = 1 / 2
TENON_QUANTILE_WEIBULL = 10  # 6: a = b = 0
TENON_QUANTILE_MEDIAN_UNBIASED = 11  # 8: a = b = 1 / 3
TENON_QUANTILE_NORMAL_UNBIASED = 12  # 9: a = b = 3 / 8
TENON_STEP_UNARY = 1  # function(x), as tenon_unary
TENON_STEP_BINARY = 2  # function(x, y), as tenon_binary
TENON_STEP_SELECT = 3  # x ? y : z, as tenon_select
TENON_STEP_CLIP = 4  # min(max(x, y), z), as tenon_clip; y or z may be -1: no bound on that side
TENON_STEP_CAST = 5  # x converted to dtype, as tenon_cast
TENON_STEP_GATHER = 6  # x[y]: the element of input x at index y of its first axis. Since level 1.1.
TENON_GRAPH_KERNEL = 1  # tenon_kernel_launch, tenon_call_launch of a kernel: arguments and geometry can be replaced
TENON_GRAPH_GENERATED = 2  # a call of generated.h: arguments can be replaced
TENON_GRAPH_OPERATION = 3  # tenon_operation_call, tenon_call_launch of an operation: arguments can be replaced
TENON_GRAPH_LIBRARY = 4  # any other function
TENON_FN_POSITIVE = 1  # [biufc] x itself.
TENON_FN_NEGATIVE = 2  # [iufc] -x; for integers modulo 2^bits.
TENON_FN_ABS = 3  # [biufc] The absolute value; the smallest signed integer stays as it is.
TENON_FN_SIGN = 4  # [iufc] -1, 0 or 1; for complex numbers x / |x|; NaN for NaN.
TENON_FN_SQUARE = 5  # [iufc] x * x.
TENON_FN_RECIPROCAL = 6  # [fc] 1 / x.
TENON_FN_SQRT = 7  # [fc] The square root; NaN for negative real numbers.
TENON_FN_CBRT = 8  # [f] The cube root. On the CPU within 0.51 ulp in float32, 0.55 in float64.
TENON_FN_RSQRT = 9  # [f] 1 / sqrt(x).
TENON_FN_EXP = 10  # [fc] e to the power x. On the CPU within 1 ulp in float32, 0.85 in float64.
TENON_FN_EXP2 = 11  # [fc] 2 to the power x. On the CPU within 0.9 ulp in float32, 0.8 in float64.
TENON_FN_EXPM1 = 12  # [fc] exp(x) - 1, accurate near 0. On the CPU within 0.51 ulp in float32, 1.2 in float64.
TENON_FN_LOG = 13  # [fc] The natural logarithm. On the CPU within 0.85 ulp in float32, 0.85 in float64.
TENON_FN_LOG2 = 14  # [fc] The logarithm to base 2. On the CPU within 1.2 ulp in float32, 0.7 in float64.
TENON_FN_LOG10 = 15  # [fc] The logarithm to base 10. On the CPU within 1.4 ulp in float32, 0.7 in float64.
TENON_FN_LOG1P = 16  # [fc] log(1 + x), accurate near 0. On the CPU within 0.51 ulp in float32, 2 in float64.
TENON_FN_SIN = 17  # [fc] The sine. On the CPU within 1.7 ulp in float32, 0.85 in float64.
TENON_FN_COS = 18  # [fc] The cosine. On the CPU within 1.7 ulp in float32, 0.85 in float64.
TENON_FN_TAN = 19  # [fc] The tangent. On the CPU within 3.9 ulp in float32, 1.1 in float64.
TENON_FN_ASIN = 20  # [fc] The inverse sine. On the CPU within 0.51 ulp in float32, 2.5 in float64.
TENON_FN_ACOS = 21  # [fc] The inverse cosine. On the CPU within 0.51 ulp in float32, 3 in float64.
TENON_FN_ATAN = 22  # [fc] The inverse tangent. On the CPU within 0.51 ulp in float32, 1.8 in float64.
TENON_FN_SINH = 23  # [fc] The hyperbolic sine. On the CPU within 0.51 ulp in float32, 2.5 in float64.
TENON_FN_COSH = 24  # [fc] The hyperbolic cosine. On the CPU within 0.51 ulp in float32, 1.5 in float64.
TENON_FN_TANH = 25  # [fc] The hyperbolic tangent. On the CPU within 1.4 ulp in float32, 0.9 in float64.
TENON_FN_ASINH = 26  # [fc] The inverse hyperbolic sine. On the CPU within 0.51 ulp in float32, 3 in float64.
TENON_FN_ACOSH = 27  # [fc] The inverse hyperbolic cosine. On the CPU within 0.51 ulp in float32, 3 in float64.
TENON_FN_ATANH = 28  # [fc] The inverse hyperbolic tangent. On the CPU within 0.51 ulp in float32, 2.5 in float64.
TENON_FN_FLOOR = 29  # [biuf] The largest integer that is not above x, in x's dtype.
TENON_FN_CEIL = 30  # [biuf] The smallest integer that is not below x, in x's dtype.
TENON_FN_TRUNC = 31  # [biuf] The integer part of x, in x's dtype.
TENON_FN_ROUND = 32  # [iufc] The nearest integer, halves to the even one, in x's dtype.
TENON_FN_ISNAN = 33  # [biufc] Whether x is NaN.
TENON_FN_ISINF = 34  # [biufc] Whether x is infinite.
TENON_FN_ISFINITE = 35  # [biufc] Whether x is neither infinite nor NaN.
TENON_FN_SIGNBIT = 36  # [iuf] Whether the sign of x is set, also of -0.0.
TENON_FN_LOGICAL_NOT = 37  # [biufc] Whether x is 0.
TENON_FN_BITWISE_INVERT = 38  # [biu] Every bit inverted; for bool: not.
TENON_FN_CONJ = 39  # [iufc] The complex conjugate.
TENON_FN_REAL = 40  # [biufc] The real part.
TENON_FN_IMAG = 41  # [biufc] The imaginary part; 0 for real numbers.
TENON_FN_ANGLE = 42  # [fc] The angle of a complex number, from -pi to pi; for a real one 0 or pi.
TENON_FN_DEG2RAD = 43  # [f] Converts degrees to radians.
TENON_FN_RAD2DEG = 44  # [f] Converts radians to degrees.
TENON_FN_SINC = 45  # [f] sin(pi x) / (pi x); 1 at 0.
TENON_FN_ERF = 46  # [f] The error function. On the CPU within 0.51 ulp in float32, 1.5 in float64.
TENON_FN_ERFC = 47  # [f] 1 - erf(x), accurate for large x. On the CPU within 0.51 ulp in float32, 5 in float64.
TENON_FN_GAMMA = 48  # [f] The gamma function.
TENON_FN_LGAMMA = 49  # [f] The logarithm of the absolute value of the gamma function.
TENON_FN_DIGAMMA = 50  # [f] The derivative of lgamma; NaN at negative integers, -infinity at 0.
# [f] The logistic function 1 / (1 + exp(-x)). On the CPU within 2.5 ulp in float32, 2.5 in float64.
TENON_FN_EXPIT = 51
TENON_FN_LOGIT = 52  # [f] log(x / (1 - x)).
TENON_FN_J0 = 53  # [f] The Bessel function of the first kind of order 0.
TENON_FN_J1 = 54  # [f] The Bessel function of the first kind of order 1.
TENON_FN_Y0 = 55  # [f] The Bessel function of the second kind of order 0.
TENON_FN_Y1 = 56  # [f] The Bessel function of the second kind of order 1.
TENON_FN_BITWISE_COUNT = 57  # [biu] The number of bits set in |x|.
TENON_FN_ENTR = 59  # [f] -x log(x), the summand of an entropy; 0 at 0, -infinity below. Since level 1.1.
TENON_FN_ADD = 101  # [biufc] x1 + x2; for bool: or.
TENON_FN_SUBTRACT = 102  # [iufc] x1 - x2.
TENON_FN_MULTIPLY = 103  # [biufc] x1 * x2; for bool: and.
TENON_FN_DIVIDE = 104  # [fc] x1 / x2; for integers in float64.
TENON_FN_FLOOR_DIVIDE = 105  # [iuf] The largest integer that is not above x1 / x2; for integers 0 where x2 is 0.
TENON_FN_REMAINDER = 106  # [iuf] x1 - floor_divide(x1, x2) * x2, with x2's sign; for integers 0 where x2 is 0.
TENON_FN_FMOD = 107  # [iuf] C's remainder, with x1's sign; for integers 0 where x2 is 0.
# [iufc] x1 to the power x2. For integers modulo 2^bits; with a negative power, 1 and -1 give the exact result and all
# other integers 0. On the CPU within 1 ulp in float32, 0.8 in float64.
TENON_FN_POW = 108
TENON_FN_MAXIMUM = 109  # [biuf] The larger one; NaN if either is NaN.
TENON_FN_MINIMUM = 110  # [biuf] The smaller one; NaN if either is NaN.
TENON_FN_FMAX = 111  # [biuf] The larger one; if only one is NaN, the other.
TENON_FN_FMIN = 112  # [biuf] The smaller one; if only one is NaN, the other.
TENON_FN_EQUAL = 113  # [biufc] x1 == x2.
TENON_FN_NOT_EQUAL = 114  # [biufc] x1 != x2.
TENON_FN_LESS = 115  # [biuf] x1 < x2.
TENON_FN_LESS_EQUAL = 116  # [biuf] x1 <= x2.
TENON_FN_GREATER = 117  # [biuf] x1 > x2.
TENON_FN_GREATER_EQUAL = 118  # [biuf] x1 >= x2.
TENON_FN_LOGICAL_AND = 119  # [biufc] Whether both are nonzero.
TENON_FN_LOGICAL_OR = 120  # [biufc] Whether at least one is nonzero.
TENON_FN_LOGICAL_XOR = 121  # [biufc] Whether exactly one is nonzero.
TENON_FN_BITWISE_AND = 122  # [biu] The bits set in both.
TENON_FN_BITWISE_OR = 123  # [biu] The bits set in at least one.
TENON_FN_BITWISE_XOR = 124  # [biu] The bits set in exactly one.
# [iu] x1 * 2^x2 modulo 2^bits; 0 where x2 is negative or at least the number of bits.
TENON_FN_BITWISE_LEFT_SHIFT = 125
# [iu] x1 / 2^x2 rounded down; where x2 is negative or at least the number of bits, 0, or -1 for a negative x1.
TENON_FN_BITWISE_RIGHT_SHIFT = 126
# [f] The angle of the point (x2, x1), from -pi to pi. On the CPU within 0.51 ulp in float32, 2.5 in float64.
TENON_FN_ATAN2 = 127
# [f] sqrt(x1^2 + x2^2) without intermediate overflow. On the CPU within 0.51 ulp in float32, 1 in float64.
TENON_FN_HYPOT = 128
TENON_FN_COPYSIGN = 129  # [f] x1 with x2's sign.
TENON_FN_NEXTAFTER = 130  # [f] The next number of the dtype after x1 towards x2.
TENON_FN_LOGADDEXP = 131  # [f] log(exp(x1) + exp(x2)) without intermediate overflow.
TENON_FN_LOGADDEXP2 = 132  # [f] log2(2^x1 + 2^x2) without intermediate overflow.
TENON_FN_HEAVISIDE = 133  # [f] 0 below 0, x2 at 0, 1 above.
TENON_FN_GCD = 134  # [iu] The greatest common divisor, not negative.
TENON_FN_LCM = 135  # [iu] The lowest common multiple, not negative, modulo 2^bits.
TENON_FN_XLOGY = 136  # [f] x1 * log(x2); 0 where x1 is 0.
# [f] x1 log(x1 / x2), the summand of a relative entropy; 0 where x1 is 0 and x2 is not negative, infinity where one of
# the two is otherwise not positive. Since level 1.1.
TENON_FN_REL_ENTR = 140
# [f] Hurwitz's zeta function: the sum of (x2 + k)^-x1 over k = 0, 1, 2 ...; zeta(x, 1) is Riemann's. NaN for x1 below
# 1, infinity where x1 is 1 or x2 is 0 or a negative integer; negative x2 otherwise need a whole x1, else NaN. Since
# level 1.1.
TENON_FN_ZETA = 141
# [iufc] The sum. For integers in 64 bits, signed or unsigned; for bool the number of true elements. Floating-point
# numbers are added in blocks and trees: the error grows with the logarithm of the count, and the same shape and strides
# give the same bits.
TENON_FN_SUM = 301
TENON_FN_PROD = 302  # [iufc] The product; dtypes as for sum.
TENON_FN_MAX = 303  # [biuf] The largest element; NaN if there is one. There must be at least one element.
TENON_FN_MIN = 304  # [biuf] The smallest element; NaN if there is one. There must be at least one element.
TENON_FN_ALL = 305  # [b] Whether all elements are nonzero.
TENON_FN_ANY = 306  # [b] Whether any element is nonzero.
TENON_FN_COUNT_NONZERO = 307  # [b] The number of nonzero elements.
# [biuf] The index, in C order of the reduced axes, of the first largest element, or of the first NaN. There must be at
# least one element.
TENON_FN_ARGMAX = 308
# [biuf] The index, in C order of the reduced axes, of the first smallest element, or of the first NaN. There must be at
# least one element.
TENON_FN_ARGMIN = 309
TENON_FN_MEAN = 310  # [fc] The mean; for integers in float64; NaN for no elements.
TENON_FN_VAR = 311  # [fc] The variance: the mean of |x - mean|^2; correction is subtracted from the count.
TENON_FN_STD = 312  # [fc] The standard deviation: the square root of the variance.
# [fc] The Euclidean norm: the square root of the sum of |x|^2, which is computed in float64 for float32.
TENON_FN_NORM = 313
TENON_FN_LOGSUMEXP = 314  # [f] log(sum(exp(x))) without intermediate overflow; -infinity for no elements.
TENON_FN_CUMULATIVE_SUM = 401  # [iufc] The running sum along an axis; dtypes as for sum.
TENON_FN_CUMULATIVE_PROD = 402  # [iufc] The running product along an axis; dtypes as for prod.
TENON_FN_CUMULATIVE_MAX = 403  # [biuf] The running maximum along an axis; NaN from the first one on.
TENON_FN_CUMULATIVE_MIN = 404  # [biuf] The running minimum along an axis; NaN from the first one on.
TENON_FN_CUMULATIVE_LOGSUMEXP = 405  # [f] The running logsumexp along an axis.
# compile the kernel, as on CUDA, even if the device has built-in code: for tests and comparisons
TENON_APPLY_COMPILED = 1
# integers that never decrease: segment s is elements offsets[s] to offsets[s + 1] - 1, so that there is one segment
# less than there are offsets
TENON_SEGMENTS_OFFSETS = 0
TENON_SEGMENTS_FLAGS = 1  # per element not 0 where a segment begins; element 0 always begins one
TENON_SEGMENTS_KEYS = 2  # per element a key: a segment is a run of equal keys; NaN equals NaN, -0 equals 0
# per element the number of its segment, an integer, in any order; elements with numbers outside of [0, count) belong to
# none
TENON_SEGMENTS_NUMBERS = 3
TENON_COMPUTE_STRICT = 0  # full precision of the dtype; f16 and bf16 accumulate in f32
TENON_COMPUTE_TF32 = 1  # float32 on CUDA may use TF32 products (10-bit mantissa); elsewhere as STRICT
TENON_COMPUTE_FAST = 2  # float32 on CUDA by tensor cores, with the accuracy of float32 (tenon_gemm)
TENON_COMPUTE_BF16 = 3  # float32 on CUDA may use bfloat16 products (7-bit mantissa); elsewhere as STRICT
TENON_EPILOGUE_NONE = 0
TENON_EPILOGUE_RELU = 1  # max(x, 0); NaN stays NaN
TENON_EPILOGUE_GELU = 2  # x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2
TENON_OP_NONE = 0
TENON_OP_TRANSPOSE = 1
TENON_OP_ADJOINT = 2  # the conjugate transpose
TENON_SVD_MODE_FULL = 0  # u (..., m, m), vh (..., n, n)
TENON_SVD_MODE_ECONOMY = 1  # u (..., m, k), vh (..., k, n) with k = min(m, n)
TENON_SVD_MODE_VALUES = 2  # singular values only: out_u and out_vh may be NULL, else *out_u and *out_vh are not changed
TENON_SVD_DRIVER_AUTO = 0  # chosen by shape, dtype, device and k
TENON_SVD_DRIVER_QR = 1  # the QR iteration: xGESVD; cusolverDnXgesvd
TENON_SVD_DRIVER_DIVIDE = 2  # divide and conquer: xGESDD; the CPU only
TENON_SVD_DRIVER_JACOBI = 3  # xGESVJ; on CUDA a kernel for matrices of up to 256 x 64
# the polar decomposition and a symmetric eigensolver, for large matrices on CUDA (cusolverDnXgesvdp)
TENON_SVD_DRIVER_POLAR = 4
TENON_SVD_DRIVER_GRAM = 5  # the eigenvectors of a^H a (or a a^H), in double precision: for tall and wide matrices
TENON_SVD_DRIVER_KRYLOV = 6  # the leading k triplets by a block Krylov space
TENON_SVD_DRIVER_RANDOMIZED = 7  # the leading k triplets by random projection: for singular values that decay fast
TENON_SOLVE_GENERAL = 0  # any a: LU with partial pivoting (xGETRF, xGETRS; cusolverDnXgetrf, Xgetrs)
TENON_SOLVE_POSITIVE = 1  # positive definite a, its lower triangle (xPOTRF, xPOTRS; cusolverDnXpotrf, ...)
TENON_SOLVE_LOWER = 2  # the lower triangle of a; the rest is not read (xTRSM; cublasXtrsm)
TENON_SOLVE_UPPER = 3  # the upper triangle; the rest is not read
TENON_QR_REDUCED = 0  # q (..., m, k), r (..., k, n) with k = min(m, n)
TENON_QR_COMPLETE = 1  # q (..., m, m), r (..., m, n)
TENON_QR_R = 2  # r (..., k, n) only: out_q may be NULL, and *out_q is not changed
# level 1.1: what xGEQRF leaves. out_q receives its matrix transposed, (..., n, m), where row j holds the start of
# column j of r and then reflector j without its leading 1; out_r receives tau (..., k), the reflectors' factors: q is
# the product of I - tau v v^H
TENON_QR_RAW = 3
TENON_NORM_FROBENIUS = 0  # the square root of the sum of squares
TENON_NORM_ONE = 1  # the largest column sum of absolute values
TENON_NORM_INFINITY = 2  # the largest row sum of absolute values
TENON_NORM_LARGEST = 3  # the largest absolute value; not an operator norm
TENON_NORM_TWO = 4  # the largest singular value
TENON_NORM_MINUS_TWO = 5  # the smallest singular value
TENON_NORM_NUCLEAR = 6  # the sum of the singular values
TENON_FFT_DIRECTION_FORWARD = 0  # sum of x[j] exp(-2 pi i j k / n)
TENON_FFT_DIRECTION_INVERSE = 1  # sum of x[j] exp(+2 pi i j k / n)
TENON_FFT_NORM_BACKWARD = 0  # forward unscaled, inverse 1/n
TENON_FFT_NORM_ORTHO = 1  # both 1/sqrt(n)
TENON_FFT_NORM_FORWARD = 2  # forward 1/n, inverse unscaled
TENON_CONVOLVE_FULL = 0  # every sum in which a and b overlap: m + n - 1 numbers for extents m and n
TENON_CONVOLVE_SAME = 1  # the m numbers in the middle of these, from number (n - 1) / 2 on
TENON_CONVOLVE_VALID = 2  # the sums in which b lies entirely within a: m - n + 1 numbers, from number n - 1 on; m >= n
# accept files that others own or can write, or that lie in such directories: for containers and shared mounts
TENON_PACKAGE_ANY_OWNER = 1
TENON_PACKAGE_SIGNED = 2  # a signature by a trusted key is required
TENON_OPERATION_DETERMINISTIC = 1  # the same arguments give the same bits
TENON_OPERATION_IN_PLACE = 2  # an output may be exactly an input
TENON_OPERATION_CPU = 4  # runs on the CPU
TENON_OPERATION_CUDA = 8  # runs on CUDA devices
TENON_OPERATION_GRADIENT = 16  # has a gradient
TENON_ROLE_IN = 1  # an array that is read
TENON_ROLE_OUT = 2  # an array that is written
TENON_ROLE_INOUT = 3  # an array that is read and written
TENON_ROLE_SCALAR = 4  # a number, or a list of numbers
TENON_OPERAND_HAS_DEFAULT = 1  # an argument of kind 0 (all zeros) means the default
TENON_OPERAND_LIST = 2  # takes TENON_ARG_BYTES: consecutive numbers
TENON_OPERAND_CHOICE = 4  # an int32: the index of the choice
TENON_OPERAND_OPTIONAL = 8  # an array that may be left out: an argument of kind 0 (all zeros)

# Receives a log line (UTF-8, no newline). Runs on the thread that logs, without a lock held; it may call Tenon. It
# must not let an exception escape; one that escapes is dropped.
tenon_log_fn = CFUNCTYPE(None, c_void_p, c_int32, c_char_p)

# Destroys a user pointer. Runs exactly once if the call that received it succeeded, and never if that call failed.
# Runs without a lock held, on the thread of the call that drops the last use of the pointer. It may call Tenon; that
# does not change the error record of the call that runs it. It must not let an exception escape: one that escapes is
# dropped and logged as an error of the context, except those of log_destroy, after which there is no log, and of
# plug-ins' functions (plugin.h), which belong to no context.
tenon_destroy_fn = CFUNCTYPE(None, c_void_p)

# Allocates memory of a device for work on a stream (a CUstream; 0 on the CPU), as PyTorch's and RMM's allocators do:
# work enqueued on that stream from now on may use it. The address is a multiple of 256 on CUDA, of 64 on the CPU.
# Returns 0 on success; any other value means that there is no memory, and *out_data is ignored. Runs on any thread; it
# must not call Tenon, nor let an exception escape, which counts as no memory.
tenon_allocate_fn = CFUNCTYPE(c_int32, c_void_p, c_int32, c_int32, c_uint64, c_uint64, POINTER(c_void_p))

# Frees memory that the allocate function returned, with the same number of bytes: work enqueued on `stream` from now
# on may reuse it. Otherwise as tenon_allocate_fn.
tenon_deallocate_fn = CFUNCTYPE(None, c_void_p, c_int32, c_int32, c_void_p, c_uint64, c_uint64)

# A host function that runs in stream order. On the CPU device it runs within tenon_stream_call_host, on the caller's
# thread, and may call Tenon; it must not wait for another thread that uses the same stream, and cannot change the
# graph whose launch calls it. On a CUDA device it runs on a thread of the driver: it must not call Tenon or CUDA, and
# must not wait for the result of such a call; later work on the stream waits for it. It must not let an exception
# escape; one that escapes is dropped, and logged if the function runs on the caller's thread.
tenon_stream_fn = CFUNCTYPE(None, c_void_p)

# Sets *out_stream to the current stream of a framework on a device (TENON_DEVICE_*, index), a CUstream, and returns 0.
# It is the `current_work_stream` of DLPack's C exchange API. Tenon calls it on the thread of the call that uses an
# array, without a lock held. The function and the streams that it returns must live as long as the process (as
# PyTorch's do).
tenon_current_stream_fn = CFUNCTYPE(c_int32, c_int32, c_int32, POINTER(c_void_p))

# A call that compiles calls this function every few milliseconds, on the thread that made the call; a result other
# than 0 ends the compiler, and the call returns CANCELLED. The function must not call Tenon.
tenon_interrupt_fn = CFUNCTYPE(c_int32, c_void_p)

# Does the work of one step. The arguments have been checked: arrays are C-contiguous unless the contract says strided.
# Returns TENON_OK or a status; the text of a failing call of Tenon becomes part of the message, any other value
# becomes the native code. May run on several threads at the same time. It must not throw.
tenon_host_fn = CFUNCTYPE(c_int32, c_void_p, c_void_p)

# Registers the package: the text of its contract, and `count` functions, which are copied. All have the same
# struct_size: that of the plug-in's headers. tenon_plugin_init calls it once. The contract is checked after
# tenon_plugin_init has returned. INVALID_ARGUMENT: a second package, no function, two functions of the same name,
# NULL; the object is then refused, with a text that says why.
tenon_registry_add_fn = CFUNCTYPE(c_int32, c_void_p, c_char_p, c_void_p, c_int32)

#
tenon_plugin_init_fn = CFUNCTYPE(c_int32, c_void_p, c_void_p)


class _Sized(Structure):
    """A struct that starts with its own size."""

    def __init__(self, **fields):
        super().__init__(struct_size=ctypes.sizeof(self), **fields)


class tenon_allocator(_Sized):
    """The source of memory of kind TENON_MEMORY_DEVICE. A context can be given an allocator (options), and a device
    can lend its own (tenon_device_allocator)."""
    _fields_ = (
        ("struct_size", c_uint32),
        ("reserved", c_uint32),
        ("allocate", tenon_allocate_fn),
        ("deallocate", tenon_deallocate_fn),
        ("user", c_void_p),  # lives until destroy
        ("destroy", tenon_destroy_fn),  # destroys user
    )


class tenon_context_options(_Sized):
    """For an option left at its default, the environment variables listed at the top of this file are read."""
    _fields_ = (
        ("struct_size", c_uint32),
        ("flags", c_uint32),
        ("cache_directory", c_char_p),  # default: $TENON_CACHE_DIR, then $XDG_CACHE_HOME/tenon, then ~/.cache/tenon
        ("cache_limit_bytes", c_uint64),  # default: 2 GiB; least recently used entries are removed first
        ("cache_mode", c_int32),
        ("log_level", c_int32),  # 0: the default, TENON_LOG_WARNING
        ("log", tenon_log_fn),  # default: lines go to stderr
        ("log_user", c_void_p),
        # called with log_user when the context closes; not if creating the context fails: the caller then keeps
        # log_user
        ("log_destroy", tenon_destroy_fn),
        # limit for a launch in TENON_PROGRAM_MODE_CHECK on the CPU, which is then a KERNEL_FAULT; default:
        # $TENON_KERNEL_TIMEOUT, then 60; negative (or 0 in the environment): no limit
        ("kernel_timeout_seconds", c_double),
        ("memory_limit_bytes", c_uint64),  # per device, default: none
        # absolute directories, separated by colons, in which packages are found by name; default: $TENON_PLUGIN_PATH
        ("plugin_path", c_char_p),
        # for tuning records (plugin.h); default: $TENON_TUNING_DIR, then $XDG_DATA_HOME/tenon/tuning, then
        # ~/.local/share/tenon/tuning
        ("tuning_directory", c_char_p),
        # for the devices' memory, instead of Tenon's own pools; copied. Its destroy runs after the context has closed,
        # and not if creating the context fails
        ("allocator", POINTER(tenon_allocator)),
    )


class tenon_device_info(_Sized):
    """The properties of a device. The launch limits of the CPU device are those of a mainstream GPU, so that a
    launch that fits one fits the other. Unknown values are 0."""
    _fields_ = (
        ("struct_size", c_uint32),
        ("kind", c_int32),  # TENON_DEVICE_*
        ("index", c_int32),
        ("compute_major", c_int32),  # compute capability; 0 on the CPU
        ("compute_minor", c_int32),
        ("multiprocessors", c_int32),  # on the CPU: tenon_cpu_threads_get
        ("warp_size", c_int32),
        ("max_threads_per_block", c_int32),
        ("max_block", c_int32 * 3),
        ("max_grid", c_int32 * 3),
        ("shared_per_block", c_uint64),  # bytes of shared memory per block without opting in to more
        ("shared_per_block_max", c_uint64),  # the most per block, with dynamic shared memory
        ("total_memory", c_uint64),  # bytes
        ("free_memory", c_uint64),  # bytes, now
        ("l2_bytes", c_uint64),
        ("max_threads_per_multiprocessor", c_int32),
        ("driver_version", c_int32),  # CUDA: 1000 * major + 10 * minor; 0 on the CPU
    )


class tenon_memory_info(_Sized):
    """Memory statistics of a device's pool, in bytes."""
    _fields_ = (
        ("struct_size", c_uint32),
        ("reserved", c_uint32),
        ("used", c_uint64),  # in live buffers
        ("used_peak", c_uint64),
        ("held", c_uint64),  # allocated from the system, including free blocks
        ("limit", c_uint64),  # 0: no limit
        ("allocations", c_uint64),  # so far
    )


class tenon_stream_options(_Sized):
    _fields_ = (
        ("struct_size", c_uint32),
        ("priority", c_int32),  # CUDA: lower runs first; clamped by CUDA to the device's range
    )


class tenon_arg_value(Union):
    _fields_ = (
        ("array", c_void_p),
        ("texture", c_void_p),
        ("pointer", c_void_p),
        ("bytes", c_void_p),
        ("i8", c_int8),
        ("i16", c_int16),
        ("i32", c_int32),
        ("i64", c_int64),
        ("u8", c_uint8),
        ("u16", c_uint16),
        ("u32", c_uint32),
        ("u64", c_uint64),
        ("f32", c_float),
        ("f64", c_double),
        ("c64", c_float * 2),
        ("c128", c_double * 2),
    )


class tenon_arg(Structure):
    """One argument, a struct of 32 bytes that never grows. SCALAR uses `dtype` and `size` (in bytes; 0 means the
    size of the dtype), BYTES uses `size`. A scalar is in the member of its dtype: bool in u8 (0 or 1), float16
    and bfloat16 in u16 (their bits), float8 in u8. Use the macros below, which are expressions and work in C99
    and in C++11."""
    _fields_ = (
        ("kind", c_uint32),
        ("dtype", c_uint32),
        ("size", c_uint64),
        ("value", tenon_arg_value),
    )


class tenon_array_info(_Sized):
    """The properties of an array. Pointers are borrowed and live as long as the array."""
    _fields_ = (
        ("struct_size", c_uint32),
        ("dtype", c_uint32),
        ("rank", c_int32),
        ("flags", c_uint32),  # TENON_ARRAY_*
        ("data", c_void_p),  # address of the element at index 0
        ("shape", POINTER(c_int64)),  # rank extents
        ("strides", POINTER(c_int64)),  # rank strides, in elements
        ("size", c_int64),  # number of elements
        ("bytes", c_uint64),  # size of the elements in bytes, without gaps
        ("device_kind", c_int32),  # TENON_DEVICE_*
        ("device_index", c_int32),
        ("memory_kind", c_int32),  # TENON_MEMORY_*
        ("reserved", c_int32),
    )


class tenon_program_options(_Sized):
    _fields_ = (
        ("struct_size", c_uint32),
        ("flags", c_uint32),  # TENON_PROGRAM_FLAG_FAST_MATH ...
        ("name", c_char_p),  # name of the source, for messages; default "kernel.cu"
        # kernel_count names or template instances: "saxpy", "axpy<float>", "ns::k<int, 4>"
        ("kernels", POINTER(c_char_p)),
        ("kernel_count", c_int32),
        ("header_count", c_int32),
        ("header_names", POINTER(c_char_p)),  # headers passed as text: #include "name" finds these first
        ("header_sources", POINTER(c_char_p)),
        ("options", POINTER(c_char_p)),  # passed to the compiler: -D, -I, -U, -std=, and its own
        ("option_count", c_int32),
        ("mode", c_int32),  # TENON_PROGRAM_MODE_FAST ...
        # CUDA: an architecture such as "sm_90" to compile for instead of the device's own; such a program cannot be
        # run. CPU: "x86-64-v2", "x86-64-v3", "x86-64-v4" or "native" (the instructions of this processor), which is the
        # default unless $TENON_CPU_ISA says otherwise. A processor to schedule the code for may follow: ",tune=znver4".
        # UNSUPPORTED: the processor lacks the instructions. The results are the same from v3 on; v2 has no fused
        # multiply-add, so that a * b + c is rounded twice
        ("architecture", c_char_p),
        # global_count __device__ and __constant__ variables for tenon_program_global: "table", "ns::scale"
        ("globals", POINTER(c_char_p)),
        ("global_count", c_int32),
        ("reserved", c_uint32),
        # seconds that compiling may take; 0: five minutes. A compile that takes longer is ended: COMPILE. If a limit is
        # given, NVRTC too runs in a separate process, which can be ended at once
        ("time_limit", c_double),
    )


class tenon_parameter_info(_Sized):
    _fields_ = (
        ("struct_size", c_uint32),
        ("kind", c_int32),  # TENON_PARAMETER_*
        ("dtype", c_uint32),  # 0: none fits (void*, a struct)
        ("read_only", c_uint32),  # 1: a pointer to const, through which the kernel only reads
        ("size", c_uint32),  # bytes of the parameter
        ("alignment", c_uint32),
        ("element_size", c_uint32),  # bytes of the type that a pointer points at; 0 for void
        ("reserved", c_uint32),
    )


class tenon_kernel_info(_Sized):
    """Properties of a kernel as reported by the compiler and the device; on the CPU fields without a meaning are 0."""
    _fields_ = (
        ("struct_size", c_uint32),
        ("max_threads_per_block", c_int32),
        ("registers", c_int32),
        ("execution", c_uint32),  # TENON_EXECUTION_*
        ("shared_bytes", c_uint64),  # static
        ("constant_bytes", c_uint64),
        ("local_bytes", c_uint64),  # per thread
        ("dynamic_shared_bytes", c_uint64),  # the most dynamic shared memory that a launch may request, on every device
        ("ptx_version", c_int32),  # the virtual architecture that it was compiled for: 90 is compute_90
        ("binary_version", c_int32),  # the architecture of its machine code: 90 is sm_90
        ("cache_mode_ca", c_int32),  # 1: loads from global memory are cached in L1 (-Xptxas --dlcm=ca)
        ("shared_carveout", c_int32),  # what tenon_kernel_prefer_shared set; -1: nothing, or the device's choice
    )


class tenon_launch(_Sized):
    """Launch geometry. A zero in grid or block counts as 1."""
    _fields_ = (
        ("struct_size", c_uint32),
        ("flags", c_uint32),  # TENON_LAUNCH_*
        ("grid", c_uint32 * 3),  # blocks
        ("block", c_uint32 * 3),  # threads per block
        ("cluster", c_uint32 * 3),  # blocks per cluster; 0: none. The CPU device, and compute capability 9.0 and later
        ("shared_bytes", c_uint32),  # dynamic shared memory; more than 48 KiB needs no special setting
    )


class tenon_program_input(_Sized):
    _fields_ = (
        ("struct_size", c_uint32),
        ("kind", c_int32),
        ("data", c_void_p),
        ("size", c_uint64),  # bytes
        ("name", c_char_p),  # for messages; NULL: "input 0" and so on
    )


class tenon_texture_options(_Sized):
    _fields_ = (
        ("struct_size", c_uint32),
        ("dimensions", c_int32),  # 1 to 3; 0: the axes of the source that are nothing else
        ("channels", c_int32),  # 1, 2 or 4: the last axis of the source; 0: none, scalar texels
        ("layered", c_int32),  # the first axis of the source counts layers; 1 or 2 dimensions
        ("cube", c_int32),  # 2 dimensions; the axis before them has 6 faces, in CUDA's order
        ("normalized_coordinates", c_int32),  # from 0 to 1 over the extent; always so for cube maps
        ("normalized_reads", c_int32),  # integers of 8 and 16 bits as floats of [0, 1] or [-1, 1]
        ("surface", c_int32),  # kernels may also write it
        ("gather", c_int32),  # kernels may call tex2Dgather; 2 dimensions
        ("share", c_int32),  # read the source's own memory
        ("filter", c_int32),
        ("address_x", c_int32),  # not for layers; cube maps take CLAMP only
        ("address_y", c_int32),
        ("address_z", c_int32),
        ("border", c_float * 4),  # by channel, for BORDER; 0 where reads give integers
    )


class tenon_texture_info(_Sized):
    _fields_ = (
        ("struct_size", c_uint32),
        ("dtype", c_uint32),  # of a channel
        ("dimensions", c_int32),
        ("channels", c_int32),  # 1, 2 or 4
        ("layered", c_int32),
        ("cube", c_int32),
        ("surface", c_int32),
        ("shared", c_int32),  # reads the memory of an array
        ("width", c_int64),  # in texels; 1 for dimensions that it does not have
        ("height", c_int64),  # in texels; 1 for dimensions that it does not have
        ("depth", c_int64),  # in texels; 1 for dimensions that it does not have
        ("layers", c_int64),  # layers times faces; 1 for neither
        ("texture_object", c_uint64),  # what kernels get for TENON_TEXTURE_ARG; on CUDA a CUtexObject
        ("surface_object", c_uint64),  # for TENON_SURFACE_ARG; 0: not a surface
    )


class tenon_random_options(_Sized):
    _fields_ = (
        ("struct_size", c_uint32),
        ("reserved", c_uint32),
        ("key", c_uint64),
        ("offset", c_uint64),  # the first counter
        ("stream", c_uint64),  # below 2^32; with BITS any number. Draws of different streams share no counter
        ("a", c_double),  # of the distribution
        ("b", c_double),  # of the distribution
        ("low", c_int64),  # INTEGERS: the smallest number; for uint64 its bits
        ("count", c_uint64),  # INTEGERS: how many numbers to choose from; 0: 2^64, or all of a narrower dtype
    )


class tenon_moving_options(_Sized):
    """For functions that have no options yet; pass NULL or this struct."""
    _fields_ = (
        ("struct_size", c_uint32),
        ("reserved", c_uint32),
    )


class tenon_pad_options(_Sized):
    _fields_ = (
        ("struct_size", c_uint32),
        ("mode", c_int32),  # TENON_PAD_*
        ("value", POINTER(tenon_arg)),  # CONSTANT: a scalar, which must be exact as for tenon_array_fill; NULL: 0
    )


class tenon_take_options(_Sized):
    _fields_ = (
        ("struct_size", c_uint32),
        # 1: as take_along_axis: the one index array has x's rank, and its extents and x's broadcast except along the
        # axis
        ("along", c_int32),
        ("operation", c_int32),  # for tenon_scatter: TENON_SCATTER_*
        ("reserved", c_int32),
    )


class tenon_range_options(_Sized):
    _fields_ = (
        ("struct_size", c_uint32),
        ("has_last", c_int32),  # 1: the last number is exactly `last`
        ("first", c_int64),  # integer dtypes
        ("integer_step", c_int64),
        ("start", c_double),  # floating-point and complex dtypes
        ("step", c_double),
        ("last", c_double),
    )


class tenon_diagonal_options(_Sized):
    _fields_ = (
        ("struct_size", c_uint32),
        ("upper", c_int32),  # for tenon_triangle. 1: zeros below the diagonal, else above it
        ("diagonal", c_int64),  # index of the diagonal: column - row
    )


class tenon_sort_options(_Sized):
    _fields_ = (
        ("struct_size", c_uint32),
        ("descending", c_int32),  # 1: the largest first
    )


class tenon_top_k_options(_Sized):
    _fields_ = (
        ("struct_size", c_uint32),
        ("smallest", c_int32),  # 1: the k smallest, else the k largest
    )


class tenon_search_options(_Sized):
    _fields_ = (
        ("struct_size", c_uint32),
        ("right", c_int32),  # 1: after equal elements, else before them
    )


class tenon_unique_options(_Sized):
    _fields_ = (
        ("struct_size", c_uint32),
        ("nan_distinct", c_int32),  # 1: each NaN is a separate value (the array API); else all NaN are one value
    )


class tenon_bincount_options(_Sized):
    _fields_ = (
        ("struct_size", c_uint32),
        ("reserved", c_uint32),  # no options yet
    )


class tenon_quantile_options(_Sized):
    _fields_ = (
        ("struct_size", c_uint32),
        ("method", c_int32),
        ("axes", POINTER(c_int32)),  # as in tenon_reduce_options
        ("axis_count", c_int32),
        ("keep_axes", c_int32),  # 1: each reduced axis stays, with extent 1
        ("ignore_nan", c_int32),  # 1: NaN does not count; else it makes the result NaN
        ("reserved", c_int32),
    )


class tenon_cache_info(_Sized):
    """The counters start when the context is created; the first fields describe the settings and what is on disk
    now."""
    _fields_ = (
        ("struct_size", c_uint32),
        ("mode", c_int32),  # TENON_CACHE_*, after applying the environment variable
        ("directory", c_char_p),  # "" for a cache without a directory. Borrowed from the context
        ("limit_bytes", c_uint64),  # limit of the entries' size
        ("entries", c_uint64),  # on disk now, written by any process; 0 if nothing is kept on disk
        ("bytes", c_uint64),  # total size of these entries
        ("process_hits", c_uint64),  # programs that were found in the process
        ("disk_hits", c_uint64),  # programs that were found on disk
        ("misses", c_uint64),  # programs that were not found, or had to be compiled again
        ("compiled", c_uint64),  # programs that were compiled
        ("failed", c_uint64),  # programs that failed to compile
        ("waits", c_uint64),  # waits for another thread or process that was compiling the same program
        ("damaged", c_uint64),  # damaged entries that were found
        ("written", c_uint64),  # entries written to disk
        ("not_written", c_uint64),  # entries that could not be written, for example because the disk was full
        ("evicted", c_uint64),  # entries removed to stay within the limit
    )


class tenon_cache_tally(_Sized):
    """The entries that one of the calls below processed."""
    _fields_ = (
        ("struct_size", c_uint32),
        ("reserved", c_uint32),
        ("entries", c_uint64),  # verify: checked. export: written. import: added. clear: removed
        ("bytes", c_uint64),  # their size
        ("damaged", c_uint64),  # verify: those of them that are damaged. export: left out because they are damaged
        ("kept", c_uint64),  # import: present already. clear: not removed
    )


class tenon_generated_options(_Sized):
    """Options of all three."""
    _fields_ = (
        ("struct_size", c_uint32),
        ("flags", c_uint32),  # TENON_PROGRAM_FLAG_FAST_MATH, TENON_PROGRAM_FLAG_NO_CACHE
        ("name", c_char_p),  # for messages; default "elementwise", "reduction", "scan"
        ("preamble", c_char_p),  # CUDA C placed before the kernel: functions, structs; it can use the placeholders
        ("options", POINTER(c_char_p)),  # passed to the compiler
        ("option_count", c_int32),
        ("mode", c_int32),  # TENON_PROGRAM_MODE_FAST ...
        # reduction, scan: the type of the values combined, which may come from the preamble; default: the output's
        # type, float for 16-bit types
        ("accumulator", c_char_p),
    )


class tenon_step(Structure):
    """A step: an operation on values. Values are numbered: the inputs from 0, then the steps in their order.
    Operands are numbers of earlier values; those that the kind does not have are -1, and so are function and
    dtype 0."""
    _fields_ = (
        ("kind", c_int32),
        ("function", c_int32),  # TENON_FN_* of UNARY and BINARY (functions.h), else 0
        ("x", c_int32),  # operands
        ("y", c_int32),  # operands
        ("z", c_int32),  # operands
        ("dtype", c_uint32),  # of CAST, else 0
    )


class tenon_graph_node_info(_Sized):
    _fields_ = (
        ("struct_size", c_uint32),
        ("kind", c_int32),
        # name of the kernel, of the generated kernel (from its options), of the operation ("image/blur"), or of the
        # function without its prefix ("gemm", "array_copy"). Valid for the life of the process
        ("name", c_char_p),
        ("parameter_count", c_int32),  # arguments that can be replaced; 0 for TENON_GRAPH_LIBRARY
        ("reserved", c_int32),
    )


class tenon_compute_options(_Sized):
    _fields_ = (
        ("struct_size", c_uint32),
        ("flags", c_uint32),  # TENON_APPLY_COMPILED
    )


class tenon_reduce_options(_Sized):
    _fields_ = (
        ("struct_size", c_uint32),
        ("flags", c_uint32),  # TENON_APPLY_COMPILED
        # axis_count axes, negative ones counted from the end, none twice; NULL with axis_count 0: all
        ("axes", POINTER(c_int32)),
        ("axis_count", c_int32),
        ("keep_axes", c_int32),  # 1: each reduced axis stays, with extent 1
        # for SUM, PROD, MEAN, VAR, STD, NORM and LOGSUMEXP: x is converted to it first; 0: as functions.h says
        ("dtype", c_uint32),
        ("no_axes", c_int32),  # 1: reduce over no axis, so that the result has x's shape; axis_count must be 0
        ("correction", c_double),  # for VAR and STD: subtracted from the count, usually 0 or 1
    )


class tenon_accumulate_options(_Sized):
    _fields_ = (
        ("struct_size", c_uint32),
        ("flags", c_uint32),  # TENON_APPLY_COMPILED
        ("axis", c_int32),  # negative: from the end
        ("reserved", c_int32),
        ("dtype", c_uint32),  # for CUMULATIVE_SUM, CUMULATIVE_PROD and CUMULATIVE_LOGSUMEXP, as in tenon_reduce_options
        # 1: element k combines those before k; the first one is the neutral value: 0, 1, or the smallest or largest
        # value of the dtype
        ("exclusive", c_int32),
    )


class tenon_segment_options(_Sized):
    _fields_ = (
        ("struct_size", c_uint32),
        ("segments", c_int32),  # what the array `segments` holds
        ("axis", c_int32),  # of x; negative: from the end
        ("exclusive", c_int32),  # tenon_segment_scan: as in tenon_accumulate_options
        # of sums, products and logsumexp: x is converted to it first; 0: as for tenon_reduce and tenon_accumulate
        ("dtype", c_uint32),
        ("reserved", c_uint32),
        ("count", c_int64),  # NUMBERS: the number of segments
    )


class tenon_gemm_options(_Sized):
    _fields_ = (
        ("struct_size", c_uint32),
        ("compute", c_int32),  # TENON_COMPUTE_*
        ("out_packed", POINTER(c_int32)),  # receives how many operands had to be packed (0 to 2); may be NULL
        # TENON_OP_*: the product of op_a(a) and op_b(b) is computed; unless it is NONE, exchange the last two axes in
        # the shapes below
        ("op_a", c_int32),
        ("op_b", c_int32),
        ("bias", c_void_p),  # (n), of c's dtype, added to every row of the product; may be NULL
        ("epilogue", c_int32),  # TENON_EPILOGUE_*, applied to the sum
        ("tune", c_int32),  # 1: on CUDA, the first product of a kind measures cuBLASLt's algorithms; see tenon_gemm
    )


class tenon_svd_options(_Sized):
    _fields_ = (
        ("struct_size", c_uint32),
        ("mode", c_int32),  # TENON_SVD_MODE_*
        ("driver", c_int32),
        ("reserved", c_int32),
        ("k", c_int64),  # number of the largest values wanted, with their vectors; 0: all of them
        ("tolerance", c_double),  # for the leading k, see tenon_svd; 0: 1e-6 for single precision, 1e-12 for double
        # receives the driver that computed the result, never TENON_SVD_DRIVER_AUTO; may be NULL
        ("out_driver", POINTER(c_int32)),
    )


class tenon_blas_options(_Sized):
    """Each function lists the fields that it uses; the others must be 0. NULL means all zeros."""
    _fields_ = (
        ("struct_size", c_uint32),
        ("op", c_int32),  # TENON_OP_*: op(a) takes part instead of a
        ("upper", c_int32),  # 1: the upper triangle, else the lower one; the other one is neither read nor written
        ("right", c_int32),  # 1: a is on the right of b, else on its left
        # 1: a complex matrix is Hermitian (imaginary parts on the diagonal count as 0); else it is symmetric
        ("hermitian", c_int32),
        ("unit_diagonal", c_int32),  # 1: a's diagonal is 1 and not read
        ("conjugate", c_int32),  # 1: one operand is conjugated; the function says which
        ("op_b", c_int32),  # TENON_OP_*: op_b(b) takes part instead of b
        ("below", c_int64),  # number of diagonals of a banded matrix below the main one
        # receives how many arrays had to be packed; may be NULL. Every function uses it
        ("out_packed", POINTER(c_int32)),
    )


class tenon_solve_options(_Sized):
    _fields_ = (
        ("struct_size", c_uint32),
        ("kind", c_int32),  # TENON_SOLVE_*
        ("op", c_int32),  # TENON_OP_*: solves op(a) x = b; not with TENON_SOLVE_POSITIVE
        ("unit_diagonal", c_int32),  # 1, with LOWER and UPPER: a's diagonal is 1 and not read
    )


class tenon_lu_options(_Sized):
    _fields_ = (
        ("struct_size", c_uint32),
        ("op", c_int32),  # TENON_OP_*: tenon_lu_solve solves op(a) x = b
        ("reserved", c_int32),
    )


class tenon_cholesky_options(_Sized):
    _fields_ = (
        ("struct_size", c_uint32),
        # 1: the upper triangle of a is read, and the factor is upper triangular; else the lower one
        ("upper", c_int32),
        ("reserved", c_int32),
    )


class tenon_qr_options(_Sized):
    _fields_ = (
        ("struct_size", c_uint32),
        ("mode", c_int32),  # TENON_QR_*
        ("reserved", c_int32),
    )


class tenon_rank_options(_Sized):
    _fields_ = (
        ("struct_size", c_uint32),
        ("reserved", c_int32),
        # singular values up to rcond times the largest one count as 0; 0: max(m, n) epsilon; < 0: only exact 0 does
        ("rcond", c_double),
    )


class tenon_ldl_options(_Sized):
    _fields_ = (
        ("struct_size", c_uint32),
        ("upper", c_int32),  # 1: the upper triangle of a is read, else the lower one
        ("hermitian", c_int32),  # 1: a complex a is Hermitian; else it is symmetric
        ("reserved", c_int32),
    )


class tenon_eigh_options(_Sized):
    _fields_ = (
        ("struct_size", c_uint32),
        ("upper", c_int32),  # 1: the upper triangle of a is read, else the lower one
        ("first", c_int64),  # the first eigenvalue wanted, from 0, in ascending order
        ("count", c_int64),  # number of eigenvalues; 0: all from `first` on
        ("low", c_double),  # with by_value 1: the eigenvalues above low and up to high; first and count must be 0
        ("high", c_double),
        ("by_value", c_int32),
        ("reserved", c_int32),
    )


class tenon_eig_options(_Sized):
    _fields_ = (
        ("struct_size", c_uint32),
        ("reserved", c_int32),
    )


class tenon_norm_options(_Sized):
    _fields_ = (
        ("struct_size", c_uint32),
        ("kind", c_int32),  # TENON_NORM_*
        ("reserved", c_int32),
    )


class tenon_power_options(_Sized):
    _fields_ = (
        ("struct_size", c_uint32),
        ("reserved", c_int32),
    )


class tenon_fft_options(_Sized):
    _fields_ = (
        ("struct_size", c_uint32),
        ("direction", c_int32),  # TENON_FFT_DIRECTION_FORWARD or INVERSE
        ("norm", c_int32),  # TENON_FFT_NORM_*
        ("reserved", c_int32),
        # for a new destination: > 0: real, with this extent along the last of the axes; 0: complex
        ("real_length", c_int64),
    )


class tenon_dct_options(_Sized):
    _fields_ = (
        ("struct_size", c_uint32),
        ("type", c_int32),  # 1 to 4; 0: 2
        ("sine", c_int32),  # 1: the sine transform, else the cosine transform
        ("direction", c_int32),  # TENON_FFT_DIRECTION_FORWARD or INVERSE
        ("norm", c_int32),  # TENON_FFT_NORM_*
        ("reserved", c_int32),
    )


class tenon_convolve_options(_Sized):
    _fields_ = (
        ("struct_size", c_uint32),
        ("mode", c_int32),  # TENON_CONVOLVE_*
        ("correlate", c_int32),  # 1: the correlation of a and b instead
        ("reserved", c_int32),
    )


class tenon_shift_options(_Sized):
    _fields_ = (
        ("struct_size", c_uint32),
        ("inverse", c_int32),  # 1: undoes the shift
        ("reserved", c_int32),
    )


class tenon_frequencies_options(_Sized):
    _fields_ = (
        ("struct_size", c_uint32),
        ("half", c_int32),  # 1: for a transform of real numbers
        ("reserved", c_int32),
    )


class tenon_sparse_options(_Sized):
    _fields_ = (
        ("struct_size", c_uint32),
        # tenon_csr_from_dense: that of the results; 0: int32 if it can hold all of them, else int64
        ("index_dtype", c_uint32),
        # 1: the offsets and indices are known to be valid, because a function here made or checked them, and are not
        # checked again: the call then does not wait for that on CUDA. With indices that are not valid the results are
        # then undefined
        ("trusted", c_int32),
    )


class tenon_sparse_product_options(_Sized):
    _fields_ = (
        ("struct_size", c_uint32),
        # 1: the matrix is transposed first, on each call: keep the result of tenon_csr_transpose where several products
        # need it
        ("transposed", c_int32),
        ("conjugated", c_int32),  # 1: its values are conjugated
        ("own", c_int32),  # 1: the library's kernels, even where cuSPARSE is installed: for comparisons
        ("trusted", c_int32),  # as in tenon_sparse_options
        ("reserved", c_uint32),
        ("alpha", POINTER(tenon_arg)),  # a scalar; NULL: 1
        ("beta", POINTER(tenon_arg)),  # a scalar; NULL: 0, and then the old values of the result are not read
    )


class tenon_package_options(_Sized):
    _fields_ = (
        ("struct_size", c_uint32),
        ("flags", c_uint32),  # TENON_PACKAGE_*
        ("sha256", c_char_p),  # the content hash that the package must have (64 hexadecimal digits); default: any
        ("trusted_keys", POINTER(c_char_p)),  # public keys that are trusted in addition to the user's list
        ("trusted_key_count", c_int32),
        ("reserved", c_uint32),
    )


class tenon_operation_info(_Sized):
    _fields_ = (
        ("struct_size", c_uint32),
        ("flags", c_uint32),  # TENON_OPERATION_*
        ("parameter_count", c_int32),  # number of arguments
        ("output_count", c_int32),  # number of parameters with the role TENON_ROLE_OUT
        ("tunable_count", c_int32),
        ("test_count", c_int32),
    )


class tenon_operation_parameter_info(_Sized):
    _fields_ = (
        ("struct_size", c_uint32),
        ("role", c_int32),  # TENON_ROLE_*
        ("flags", c_uint32),  # TENON_OPERAND_*
        ("dtype", c_uint32),  # 0: determined by the placeholder
        # number of the placeholder; -1: none. Parameters with the same placeholder have the same dtype
        ("placeholder", c_int32),
        ("reserved", c_int32),
        ("name", c_char_p),  # borrowed from the operation
        ("doc", c_char_p),  # borrowed from the operation; "" if there is none
    )


class tenon_measure_options(_Sized):
    """Measuring and tuning.
     The measured cases are the contract's `bench` cases, else its tests, or arguments passed here. Tuning tries
    the values of the contract's tunables on the device and keeps the fastest for each case as a record: readable
    JSON, one file PACKAGE.OPERATION.json in the context's tuning directory. A record applies to this version and
    content of the package, the device's product, the dtypes, the shapes of the inputs and the scalars that the
    contract lists (tuned_for). Later calls, in every process, use the record of the same device and dtypes whose
    shapes and scalars are nearest; if none is near, or the nearest one's values cannot be launched (logged once,
    as a warning), the defaults. Records are ignored if a tunable was set by tenon_operation_set_tunable, and in a
    context with TENON_CONTEXT_DETERMINISTIC."""
    _fields_ = (
        ("struct_size", c_uint32),
        ("given_count", c_int32),  # length of the two lists below; 0: the contract's cases
        ("given_names", POINTER(c_char_p)),  # names of inputs and scalars ...
        # ... and their values: such as "normal(1000, 1000)", as in tests; a number; a choice
        ("given_values", POINTER(c_char_p)),
        ("types", c_char_p),  # use only these dtypes: "T=float32, A=float64"; default: all that the contract allows
        ("seconds", c_double),  # time limit in all; default: 1 for each case of a measurement, 30 for tuning
    )


class tenon_host_call(_Sized):
    """One call of a function. All pointers are borrowed for the call."""
    _fields_ = (
        ("struct_size", c_uint32),
        ("count", c_int32),
        # as for the operation: the step's inputs and scalars, then its outputs; defaults are filled in; an optional
        # array that was left out has kind 0
        ("args", POINTER(tenon_arg)),
        ("stream", c_void_p),  # the stream for the work; on the CPU the work must be complete when the function returns
    )


class tenon_host_function(_Sized):
    _fields_ = (
        ("struct_size", c_uint32),
        ("reserved", c_uint32),
        ("name", c_char_p),  # its name in the contract's steps
        ("function", tenon_host_fn),
        ("user", c_void_p),
        # called with user when the function can no longer be called; not if registering it failed
        ("destroy", tenon_destroy_fn),
    )


class tenon_registry(_Sized):
    """The registry that tenon_plugin_init uses; valid until it returns."""
    _fields_ = (
        ("struct_size", c_uint32),
        ("reserved", c_uint32),
        ("user", c_void_p),  # to be passed to add
        ("add", tenon_registry_add_fn),
    )
