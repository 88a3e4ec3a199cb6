"""The constants of the C interface. Derived from the headers by abi/generate.py.

The structs and callbacks of _structs are attributes of this module, too, which imports them, with ctypes, when one is
first used. The functions are in tenon._core.
"""
TYPE_CHECKING = False
if TYPE_CHECKING:
    from ._structs import *  # noqa: F403


def __getattr__(name: str) -> object:
    if not name.startswith("tenon_"):
        raise AttributeError(f"the C interface has no constant {name}")
    from . import _structs

    value = globals()[name] = getattr(_structs, name)
    return value


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
TENON_EXECUTION_SIDE_BY_SIDE = 32  # with loops that several threads run at once, each in its own order
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
TENON_RANDOM_POISSON = 8  # a: mean, up to 9.22e18; numbers above 2^53 are those of float64
TENON_RANDOM_BINOMIAL = 9  # a: trials, up to 2^53, b: probability
TENON_PAD_CONSTANT = 0  # value
TENON_PAD_EDGE = 1  # the nearest element: aaa|abcd|ddd
TENON_PAD_REFLECT = 2  # mirrored at the middle of the last element: dcb|abcd|cba
TENON_PAD_SYMMETRIC = 3  # mirrored at its edge: cba|abcd|dcb
TENON_PAD_WRAP = 4  # from the other end: bcd|abcd|abc
TENON_PAD_LINEAR_RAMP = 5  # from value in equal steps to the edge; computed in float64, for integers rounded down
TENON_PAD_MEAN = 6  # the mean of the elements along the axis, for integers rounded to even
TENON_PAD_MAXIMUM = 7  # the largest of them
TENON_PAD_MINIMUM = 8  # the smallest of them
TENON_PAD_MEDIAN = 9  # the median of them, for integers rounded to even
TENON_PAD_EMPTY = 10  # some elements: whatever the memory holds; of any dtype
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
# [f] The inverse of erf: infinity at 1, -infinity at -1, NaN beyond. sqrt(2) erfinv(2 p - 1) is the normal quantile.
# Since level 1.1.
TENON_FN_ERFINV = 60
TENON_FN_I0 = 61  # [f] The modified Bessel function of the first kind of order 0. Since level 1.1.
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
# [biufc] The larger one; NaN if either is NaN. Complex numbers are ordered by their real, then their imaginary parts.
TENON_FN_MAXIMUM = 109
TENON_FN_MINIMUM = 110  # [biufc] The smaller one; NaN if either is NaN. Complex numbers are ordered as by maximum.
TENON_FN_FMAX = 111  # [biufc] The larger one, as by maximum; if only one is NaN, the other.
TENON_FN_FMIN = 112  # [biufc] The smaller one, as by minimum; if only one is NaN, the other.
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
# [biufc] The largest element, as by maximum; NaN if there is one. There must be at least one element.
TENON_FN_MAX = 303
# [biufc] The smallest element, as by minimum; NaN if there is one. There must be at least one element.
TENON_FN_MIN = 304
TENON_FN_ALL = 305  # [b] Whether all elements are nonzero.
TENON_FN_ANY = 306  # [b] Whether any element is nonzero.
TENON_FN_COUNT_NONZERO = 307  # [b] The number of nonzero elements.
# [biufc] The index, in C order of the reduced axes, of the first largest element, or of the first NaN. There must be at
# least one element.
TENON_FN_ARGMAX = 308
# [biufc] The index, in C order of the reduced axes, of the first smallest element, or of the first NaN. There must be
# at least one element.
TENON_FN_ARGMIN = 309
TENON_FN_MEAN = 310  # [fc] The mean; for integers in float64; NaN for no elements.
TENON_FN_VAR = 311  # [fc] The variance: the mean of |x - mean|^2; correction is subtracted from the count.
TENON_FN_STD = 312  # [fc] The standard deviation: the square root of the variance.
# [fc] The Euclidean norm: the square root of the sum of |x|^2, which is computed in float64 for float32.
TENON_FN_NORM = 313
TENON_FN_LOGSUMEXP = 314  # [f] log(sum(exp(x))) without intermediate overflow; -infinity for no elements.
TENON_FN_CUMULATIVE_SUM = 401  # [iufc] The running sum along an axis; dtypes as for sum.
TENON_FN_CUMULATIVE_PROD = 402  # [iufc] The running product along an axis; dtypes as for prod.
TENON_FN_CUMULATIVE_MAX = 403  # [biufc] The running maximum along an axis; NaN from the first one on.
TENON_FN_CUMULATIVE_MIN = 404  # [biufc] The running minimum along an axis; NaN from the first one on.
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
