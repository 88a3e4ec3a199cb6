"""
The C interface of Tenon. Derived from the headers by abi/generate.py.

`load(path)` opens the library; until then every call is an error. Handles are `Ptr{tenon_array}` and the like; pass
`Ref{Ptr{tenon_array}}(C_NULL)` for an output handle and `C_NULL` for NULL. `make(tenon_launch; grid = (4, 1, 1))` makes a
struct, `pack(tenon_arg_value, 2f0)` a union.
"""
module Raw

import Libdl

const ADDRESSES = Ptr{Cvoid}[]

"Opens the library at `path` (the system's loader searches for a plain name) and looks up its functions."
function load(path::AbstractString)
    library = Libdl.dlopen(path)
    found = [Libdl.dlsym_e(library, name) for name in NAMES]  # an older library lacks the last ones
    resize!(ADDRESSES, length(found))
    ADDRESSES .= found
    return library
end

function address(index::Int)
    isempty(ADDRESSES) && error("no library is loaded: call load(path of libtenon.so.1) first")
    found = ADDRESSES[index]
    found == C_NULL && error("the loaded library has no function ", NAMES[index], ": it is older than this package")
    return found
end

zero_of(::Type{T}) where {T<:Number} = zero(T)
zero_of(::Type{P}) where {P<:Ptr} = P(C_NULL)
zero_of(::Type{NTuple{N,T}}) where {N,T} = ntuple(_ -> zero_of(T), N)
zero_of(::Type{T}) where {T} = make(T)

"A struct with `struct_size` and the given fields set; every other field is zero, its default."
function make(::Type{T}; fields...) where {T}
    for name in keys(fields)
        hasfield(T, name) || error(T, " has no field ", name)
    end
    value(name, type) = name === :struct_size ? sizeof(T) : get(fields, name, zero_of(type))
    return T((value(fieldname(T, i), fieldtype(T, i)) for i in 1:fieldcount(T))...)
end

"A union of type `U` that holds `x`."
function pack(::Type{U}, x::T) where {U,T}
    isbitstype(T) && sizeof(T) <= sizeof(U) || error(U, " cannot hold a ", T)
    box = Ref(make(U))
    GC.@preserve box unsafe_store!(Ptr{T}(Base.unsafe_convert(Ptr{U}, box)), x)
    return box[]
end

"The contents of a union, read as a `T`."
function unpack(x::U, ::Type{T}) where {U,T}
    isbitstype(T) && sizeof(T) <= sizeof(U) || error(U, " cannot hold a ", T)
    box = Ref(x)
    return GC.@preserve box unsafe_load(Ptr{T}(Base.unsafe_convert(Ptr{U}, box)))
end

const TENON_VERSION_MAJOR = Int32(1)
const TENON_VERSION_MINOR = Int32(1)
const TENON_VERSION_PATCH = Int32(0)
const TENON_ABI_LEVEL = UInt32(0x00010100)
const TENON_OK = Int32(0)
const TENON_ERROR_INVALID_ARGUMENT = Int32(1)  # a value outside its documented domain, or NULL
const TENON_ERROR_INVALID_HANDLE = Int32(2)  # released, never a handle, or a handle of another kind
const TENON_ERROR_OUT_OF_MEMORY = Int32(3)  # host or device; the text gives the bytes requested, in use and free
const TENON_ERROR_UNSUPPORTED = Int32(4)  # a valid request that this device or build cannot serve; the text says why
const TENON_ERROR_NOT_FOUND = Int32(5)  # there is no device, kernel, symbol or file of that name
const TENON_ERROR_OVERFLOW = Int32(6)  # a size or product does not fit its type
const TENON_ERROR_DTYPE = Int32(7)  # element types do not fit together
const TENON_ERROR_SHAPE = Int32(8)  # ranks or extents do not fit together
const TENON_ERROR_DEVICE = Int32(9)  # the operands are on devices that cannot be used together
const TENON_ERROR_CONTEXT = Int32(10)  # objects of two contexts were mixed
const TENON_ERROR_LAYOUT = Int32(11)  # strides or alignment do not allow it without a copy
const TENON_ERROR_READ_ONLY = Int32(12)  # a write to memory that was imported read-only
const TENON_ERROR_OVERLAP = Int32(13)  # operands share memory in a way the operation does not define
const TENON_ERROR_COMPILE = Int32(14)  # source did not compile; the log is in the error record
const TENON_ERROR_MISSING_LIBRARY = Int32(15)  # a required library or program is missing; the text says what to install
# a kernel failed while it ran on the CPU device (assert, trap, divergent barrier)
const TENON_ERROR_KERNEL_FAULT = Int32(16)
const TENON_ERROR_DEVICE_LOST = Int32(17)  # the CUDA context is no longer usable; the CPU device still works
const TENON_ERROR_NOT_CONVERGED = Int32(18)  # an iterative routine did not converge; native code: its info value
const TENON_ERROR_SINGULAR = Int32(19)  # a matrix has no inverse or factorisation; native code: its info value
const TENON_ERROR_NOT_FINITE = Int32(20)  # NaN or infinity in an operand for which the routine has no result
# result of a query or a wait with a limit: the work is not complete; leaves the error record alone
const TENON_ERROR_NOT_READY = Int32(21)
const TENON_ERROR_VERSION = Int32(22)  # a struct, package or library has a version that cannot be used
const TENON_ERROR_IO = Int32(23)  # reading or writing a file failed
const TENON_ERROR_CANCELLED = Int32(24)  # the caller cancelled it
const TENON_ERROR_FORKED = Int32(25)  # the handle was made before fork()
const TENON_ERROR_VENDOR = Int32(26)  # CUDA or a vendor library failed in another way; see the native code
const TENON_ERROR_INTERNAL = Int32(27)  # a bug in Tenon: please report the text
const TENON_HANDLE_BLOB = Int32(1)
const TENON_HANDLE_ERROR = Int32(2)
const TENON_HANDLE_CONTEXT = Int32(3)
const TENON_HANDLE_DEVICE = Int32(4)
const TENON_HANDLE_STREAM = Int32(5)
const TENON_HANDLE_EVENT = Int32(6)
const TENON_HANDLE_BUFFER = Int32(7)
const TENON_HANDLE_ARRAY = Int32(8)
const TENON_HANDLE_PROGRAM = Int32(9)
const TENON_HANDLE_KERNEL = Int32(10)
const TENON_HANDLE_CALL = Int32(11)
const TENON_HANDLE_COMPILATION = Int32(12)
const TENON_HANDLE_ELEMENTWISE = Int32(13)
const TENON_HANDLE_REDUCTION = Int32(14)
const TENON_HANDLE_SCAN = Int32(15)
const TENON_HANDLE_GRAPH = Int32(16)
const TENON_HANDLE_PACKAGE = Int32(17)
const TENON_HANDLE_OPERATION = Int32(18)
const TENON_HANDLE_TEXTURE = Int32(19)
const TENON_BOOL = UInt32(0x00010806)  # * one byte, 0 or 1
const TENON_INT8 = UInt32(0x00010800)  # *
const TENON_INT16 = UInt32(0x00011000)  # *
const TENON_INT32 = UInt32(0x00012000)  # *
const TENON_INT64 = UInt32(0x00014000)  # *
const TENON_UINT8 = UInt32(0x00010801)  # *
const TENON_UINT16 = UInt32(0x00011001)  # *
const TENON_UINT32 = UInt32(0x00012001)  # *
const TENON_UINT64 = UInt32(0x00014001)  # *
const TENON_FLOAT16 = UInt32(0x00011002)  # * IEEE binary16
const TENON_FLOAT32 = UInt32(0x00012002)  # *
const TENON_FLOAT64 = UInt32(0x00014002)  # *
const TENON_BFLOAT16 = UInt32(0x00011004)  # *
const TENON_COMPLEX32 = UInt32(0x00012005)  # two float16: copy with conversion, fill and Fourier transforms only
const TENON_COMPLEX64 = UInt32(0x00014005)  # * two float32
const TENON_COMPLEX128 = UInt32(0x00018005)  # * two float64
const TENON_FLOAT8_E3M4 = UInt32(0x00010807)
const TENON_FLOAT8_E4M3 = UInt32(0x00010808)
const TENON_FLOAT8_E4M3B11FNUZ = UInt32(0x00010809)
const TENON_FLOAT8_E4M3FN = UInt32(0x0001080a)
const TENON_FLOAT8_E4M3FNUZ = UInt32(0x0001080b)
const TENON_FLOAT8_E5M2 = UInt32(0x0001080c)
const TENON_FLOAT8_E5M2FNUZ = UInt32(0x0001080d)
const TENON_FLOAT8_E8M0FNU = UInt32(0x0001080e)
const TENON_FLOAT6_E2M3FN = UInt32(0x0001060f)
const TENON_FLOAT6_E3M2FN = UInt32(0x00010610)
const TENON_FLOAT4_E2M1FN = UInt32(0x00010411)
const TENON_LOG_ERROR = Int32(1)
const TENON_LOG_WARNING = Int32(2)
const TENON_LOG_INFO = Int32(3)
const TENON_LOG_DEBUG = Int32(4)
const TENON_CACHE_DEFAULT = Int32(0)  # read and write, unless TENON_CACHE in the environment says otherwise
const TENON_CACHE_OFF = Int32(1)  # nothing is read or written on disk; programs are shared within the process
const TENON_CACHE_READ_ONLY = Int32(2)  # use existing entries, add none
const TENON_CACHE_NO_COMPILE = Int32(3)  # as READ_ONLY, and a program that is not in the cache is TENON_ERROR_NOT_FOUND
# buffers do not order streams: the caller records and waits for every event, releases an array only when all work on
# streams other than the one it was made on is complete, and an imported array only when all work on it is complete; a
# graph is launched on one stream only
const TENON_CONTEXT_NO_STREAM_TRACKING = UInt32(1)
const TENON_CONTEXT_NO_POOL = UInt32(2)  # every allocation is separate, for memory checkers
# waits after each launch and operation, so that a fault is reported by the call that caused it; also
# $TENON_DEBUG_SYNC=1
const TENON_CONTEXT_DEBUG_SYNC = UInt32(4)
# NVTX ranges around launches and operations, if a profiler is attached; also $TENON_NVTX=1
const TENON_CONTEXT_NVTX = UInt32(8)
# an operation of a package (plugin.h) whose contract does not promise the same bits on every run is refused
# (UNSUPPORTED), tuning records are ignored, and products (linalg.h) are not tuned. Even without this flag products,
# factorisations, transforms, reductions and scans give the same bits on every run, on one device with one version of
# its libraries; also $TENON_DETERMINISTIC=1
const TENON_CONTEXT_DETERMINISTIC = UInt32(16)
# packages (plugin.h) must be signed by a trusted key; also $TENON_SIGNED_PACKAGES=1
const TENON_CONTEXT_SIGNED_PACKAGES = UInt32(32)
# the calls that solve.h lists do not wait; a matrix that is singular, not positive definite or not finite is reported
# by the call that waits for the stream; also $TENON_DEFERRED_ERRORS=1
const TENON_CONTEXT_DEFERRED_ERRORS = UInt32(64)
# products and transforms (linalg.h, blas.h, fft.h) check their operands, and NaN or infinity in one is NOT_FINITE; not
# while a graph is recorded, and not for float8; also $TENON_CHECK_FINITE=1
const TENON_CONTEXT_CHECK_FINITE = UInt32(128)
# leave the process's signal handlers alone. Otherwise the first program loaded for the CPU device installs handlers for
# SIGSEGV, SIGBUS, SIGFPE and SIGILL, so that a kernel that accesses a bad address, or overflows its stack, ends its
# launch (KERNEL_FAULT) and not the process. They act only on threads that are inside a kernel, and pass all other
# signals to the handlers installed before; also $TENON_NO_SIGNALS=1
const TENON_CONTEXT_NO_SIGNALS = UInt32(512)
# a NULL stream is Tenon's own non-blocking stream on each CUDA device, not the legacy default stream; also
# $TENON_PRIVATE_STREAM=1
const TENON_CONTEXT_PRIVATE_STREAM = UInt32(256)
const TENON_DEVICE_CPU = Int32(1)  # as DLPack's kDLCPU
const TENON_DEVICE_CUDA = Int32(2)  # as DLPack's kDLCUDA
const TENON_EVENT_TIMING = UInt32(1)  # may be used with tenon_event_elapsed
const TENON_ARG_ARRAY = UInt32(1)  # value.array: for a pointer parameter; must be C-contiguous (else TENON_ARG_STRIDED)
const TENON_ARG_SCALAR = UInt32(2)  # dtype and value.*; for a kernel exactly the parameter's type
const TENON_ARG_POINTER = UInt32(3)  # value.pointer: a raw address, which Tenon neither checks nor orders
const TENON_ARG_BYTES = UInt32(4)  # value.bytes points at size bytes: a struct by value, which the call copies
# as ARRAY, but with any strides: the kernel gets the address of the element at index 0
const TENON_ARG_STRIDED = UInt32(5)
# for the functions of compute.h: a number without a dtype of its own, given as TENON_BOOL (value.u8), TENON_INT64,
# TENON_UINT64, TENON_FLOAT64 or TENON_COMPLEX128
const TENON_ARG_WEAK = UInt32(6)
const TENON_ARG_TEXTURE = UInt32(7)  # value.texture (texture.h): for a parameter of type cudaTextureObject_t
const TENON_ARG_SURFACE = UInt32(8)  # value.texture: for a parameter of type cudaSurfaceObject_t
const TENON_MAX_RANK = Int32(64)
const TENON_MEMORY_DEVICE = Int32(0)  # the device's own memory (for the CPU device: host memory, 64-byte aligned)
# page-locked host memory of a CUDA device, accessible to host and device (DLPack kDLCUDAHost)
const TENON_MEMORY_PINNED = Int32(1)
# CUDA managed memory, which migrates between host and device (DLPack kDLCUDAManaged)
const TENON_MEMORY_MANAGED = Int32(2)
const TENON_ARRAY_C_CONTIGUOUS = UInt32(1)
const TENON_ARRAY_F_CONTIGUOUS = UInt32(2)
const TENON_ARRAY_READ_ONLY = UInt32(4)
const TENON_ACCESS_READ = Int32(1)
const TENON_ACCESS_WRITE = Int32(2)  # writes and reads
const TENON_DLPACK_COPY = UInt32(1)  # always export a separate copy (flag IS_COPIED in the versioned struct)
const TENON_DLPACK_STREAM_MAY_END = UInt32(2)  # `stream` may be destroyed before the deleter runs: see below
# fail with LAYOUT if the array cannot be exported as it is: negative strides. Not with TENON_DLPACK_COPY
const TENON_DLPACK_NEVER_COPY = UInt32(4)
const TENON_PROGRAM_MODE_FAST = Int32(0)  # optimised
const TENON_PROGRAM_MODE_DEBUG = Int32(1)  # -O0 with debug information; on the CPU a debugger can step through it
# CPU: undefined behaviour and faults become errors that name block and thread; CUDA: adds line information
const TENON_PROGRAM_MODE_CHECK = Int32(2)
# approximate division, sqrt and functions, denormals flushed (NVRTC --use_fast_math)
const TENON_PROGRAM_FLAG_FAST_MATH = UInt32(1)
# CPU: run the threads of a block last to first, which shows missing barriers
const TENON_PROGRAM_FLAG_REVERSE_ORDER = UInt32(2)
const TENON_PROGRAM_FLAG_NO_CACHE = UInt32(4)  # compile even if the program is cached, and replace the entry
# the images among the inputs (program.h) may be run: their code gets the caller's rights
const TENON_PROGRAM_FLAG_TRUSTED = UInt32(8)
const TENON_IMAGE_BINARY = Int32(1)  # the image that is loaded: a cubin, or the CPU's shared object
const TENON_IMAGE_PTX = Int32(2)  # CUDA only
const TENON_PARAMETER_SCALAR = Int32(1)  # an arithmetic type, given by dtype
const TENON_PARAMETER_POINTER = Int32(2)  # dtype: that of the elements (a vector type has lanes); 0 if no dtype fits
const TENON_PARAMETER_STRUCT = Int32(3)  # anything else, passed by value; see size and alignment
const TENON_PARAMETER_UNKNOWN = Int32(4)  # for a kernel from an image that does not describe it: only the size is known
const TENON_EXECUTION_LOOP = UInt32(1)  # one after another, as a loop: the fastest form
const TENON_EXECUTION_REGIONS = UInt32(2)  # as several such loops, each from one block barrier to the next
const TENON_EXECUTION_FIBERS = UInt32(4)  # each on its own stack; block barriers switch between the stacks
# each on its own stack, scheduled so that the lanes of a warp meet in warp operations
const TENON_EXECUTION_WARPS = UInt32(8)
const TENON_EXECUTION_IN_ORDER = UInt32(16)  # with grid-stride loops run in memory order (tenon_program_create)
const TENON_EXECUTION_SIDE_BY_SIDE = UInt32(32)  # with loops that several threads run at once, each in its own order
const TENON_LAUNCH_COOPERATIVE = UInt32(1)  # all blocks run at the same time, so that they may wait for each other
const TENON_LAUNCH_PROGRAMMATIC = UInt32(2)
const TENON_INPUT_SOURCE = Int32(0)  # CUDA C text: a translation unit
# a cubin; on the CPU device, the result of tenon_program_image there, for this processor
const TENON_INPUT_BINARY = Int32(1)
const TENON_INPUT_PTX = Int32(2)  # PTX text
const TENON_INPUT_FATBIN = Int32(3)  # a fat binary: cubins and PTX for several architectures
const TENON_INPUT_LTO_IR = Int32(4)  # NVRTC's intermediate code for link-time optimisation
const TENON_ADDRESS_CLAMP = Int32(0)  # the nearest texel
const TENON_ADDRESS_WRAP = Int32(1)  # the texture repeats
const TENON_ADDRESS_MIRROR = Int32(2)  # it repeats, every other time reversed
const TENON_ADDRESS_BORDER = Int32(3)  # options.border
const TENON_FILTER_POINT = Int32(0)  # the texel at the coordinate
const TENON_FILTER_LINEAR = Int32(1)  # interpolates between the nearest 2, 4 or 8 texels; for reads that give floats
const TENON_RANDOM_UNIFORM = Int32(0)  # a, b: the ends; both 0: 0 and 1
const TENON_RANDOM_NORMAL = Int32(1)  # a: mean, b: standard deviation; 0: 1
const TENON_RANDOM_EXPONENTIAL = Int32(2)  # b: mean; 0: 1
const TENON_RANDOM_BITS = Int32(3)  # all bits of an integer dtype
const TENON_RANDOM_INTEGERS = Int32(4)  # low, count; both 0: all numbers of the dtype
# a: the probability, b: the value for success; 0: 1. A dropout mask has a = 1 - p, b = 1 / (1 - p)
const TENON_RANDOM_BERNOULLI = Int32(5)
const TENON_RANDOM_GAMMA = Int32(6)  # a: shape, b: scale; 0: 1
const TENON_RANDOM_BETA = Int32(7)  # a, b: both shapes
const TENON_RANDOM_POISSON = Int32(8)  # a: mean, up to 9.22e18; numbers above 2^53 are those of float64
const TENON_RANDOM_BINOMIAL = Int32(9)  # a: trials, up to 2^53, b: probability
const TENON_PAD_CONSTANT = Int32(0)  # value
const TENON_PAD_EDGE = Int32(1)  # the nearest element: aaa|abcd|ddd
const TENON_PAD_REFLECT = Int32(2)  # mirrored at the middle of the last element: dcb|abcd|cba
const TENON_PAD_SYMMETRIC = Int32(3)  # mirrored at its edge: cba|abcd|dcb
const TENON_PAD_WRAP = Int32(4)  # from the other end: bcd|abcd|abc
# from value in equal steps to the edge; computed in float64, for integers rounded down
const TENON_PAD_LINEAR_RAMP = Int32(5)
const TENON_PAD_MEAN = Int32(6)  # the mean of the elements along the axis, for integers rounded to even
const TENON_PAD_MAXIMUM = Int32(7)  # the largest of them
const TENON_PAD_MINIMUM = Int32(8)  # the smallest of them
const TENON_PAD_MEDIAN = Int32(9)  # the median of them, for integers rounded to even
const TENON_PAD_EMPTY = Int32(10)  # some elements: whatever the memory holds; of any dtype
const TENON_SCATTER_ASSIGN = Int32(0)
const TENON_SCATTER_ADD = Int32(1)  # integers wrap; bool: or
const TENON_SCATTER_MIN = Int32(2)  # NaN if there is one; bool: and
const TENON_SCATTER_MAX = Int32(3)
const TENON_QUANTILE_LINEAR = Int32(0)  # 7: a = b = 1, place (n - 1) q
const TENON_QUANTILE_LOWER = Int32(1)  # the element before or at (n - 1) q
const TENON_QUANTILE_HIGHER = Int32(2)  # the element after or at (n - 1) q
const TENON_QUANTILE_MIDPOINT = Int32(3)  # the mean of these two
const TENON_QUANTILE_NEAREST = Int32(4)  # the element nearest to (n - 1) q; the even one of two
const TENON_QUANTILE_INVERTED_CDF = Int32(5)  # 1
const TENON_QUANTILE_AVERAGED_INVERTED_CDF = Int32(6)  # 2
const TENON_QUANTILE_CLOSEST_OBSERVATION = Int32(7)  # 3
const TENON_QUANTILE_INTERPOLATED_INVERTED_CDF = Int32(8)  # 4: a = 0, b = 1
const TENON_QUANTILE_HAZEN = Int32(9)  # 5: a = b = 1 / 2
const TENON_QUANTILE_WEIBULL = Int32(10)  # 6: a = b = 0
const TENON_QUANTILE_MEDIAN_UNBIASED = Int32(11)  # 8: a = b = 1 / 3
const TENON_QUANTILE_NORMAL_UNBIASED = Int32(12)  # 9: a = b = 3 / 8
const TENON_STEP_UNARY = Int32(1)  # function(x), as tenon_unary
const TENON_STEP_BINARY = Int32(2)  # function(x, y), as tenon_binary
const TENON_STEP_SELECT = Int32(3)  # x ? y : z, as tenon_select
const TENON_STEP_CLIP = Int32(4)  # min(max(x, y), z), as tenon_clip; y or z may be -1: no bound on that side
const TENON_STEP_CAST = Int32(5)  # x converted to dtype, as tenon_cast
const TENON_STEP_GATHER = Int32(6)  # x[y]: the element of input x at index y of its first axis. Since level 1.1.
# tenon_kernel_launch, tenon_call_launch of a kernel: arguments and geometry can be replaced
const TENON_GRAPH_KERNEL = Int32(1)
const TENON_GRAPH_GENERATED = Int32(2)  # a call of generated.h: arguments can be replaced
# tenon_operation_call, tenon_call_launch of an operation: arguments can be replaced
const TENON_GRAPH_OPERATION = Int32(3)
const TENON_GRAPH_LIBRARY = Int32(4)  # any other function
const TENON_FN_POSITIVE = Int32(1)  # [biufc] x itself.
const TENON_FN_NEGATIVE = Int32(2)  # [iufc] -x; for integers modulo 2^bits.
const TENON_FN_ABS = Int32(3)  # [biufc] The absolute value; the smallest signed integer stays as it is.
const TENON_FN_SIGN = Int32(4)  # [iufc] -1, 0 or 1; for complex numbers x / |x|; NaN for NaN.
const TENON_FN_SQUARE = Int32(5)  # [iufc] x * x.
const TENON_FN_RECIPROCAL = Int32(6)  # [fc] 1 / x.
const TENON_FN_SQRT = Int32(7)  # [fc] The square root; NaN for negative real numbers.
const TENON_FN_CBRT = Int32(8)  # [f] The cube root. On the CPU within 0.51 ulp in float32, 0.55 in float64.
const TENON_FN_RSQRT = Int32(9)  # [f] 1 / sqrt(x).
const TENON_FN_EXP = Int32(10)  # [fc] e to the power x. On the CPU within 1 ulp in float32, 0.85 in float64.
const TENON_FN_EXP2 = Int32(11)  # [fc] 2 to the power x. On the CPU within 0.9 ulp in float32, 0.8 in float64.
# [fc] exp(x) - 1, accurate near 0. On the CPU within 0.51 ulp in float32, 1.2 in float64.
const TENON_FN_EXPM1 = Int32(12)
const TENON_FN_LOG = Int32(13)  # [fc] The natural logarithm. On the CPU within 0.85 ulp in float32, 0.85 in float64.
const TENON_FN_LOG2 = Int32(14)  # [fc] The logarithm to base 2. On the CPU within 1.2 ulp in float32, 0.7 in float64.
const TENON_FN_LOG10 = Int32(15)  # [fc] The logarithm to base 10. On the CPU within 1.4 ulp in float32, 0.7 in float64.
# [fc] log(1 + x), accurate near 0. On the CPU within 0.51 ulp in float32, 2 in float64.
const TENON_FN_LOG1P = Int32(16)
const TENON_FN_SIN = Int32(17)  # [fc] The sine. On the CPU within 1.7 ulp in float32, 0.85 in float64.
const TENON_FN_COS = Int32(18)  # [fc] The cosine. On the CPU within 1.7 ulp in float32, 0.85 in float64.
const TENON_FN_TAN = Int32(19)  # [fc] The tangent. On the CPU within 3.9 ulp in float32, 1.1 in float64.
const TENON_FN_ASIN = Int32(20)  # [fc] The inverse sine. On the CPU within 0.51 ulp in float32, 2.5 in float64.
const TENON_FN_ACOS = Int32(21)  # [fc] The inverse cosine. On the CPU within 0.51 ulp in float32, 3 in float64.
const TENON_FN_ATAN = Int32(22)  # [fc] The inverse tangent. On the CPU within 0.51 ulp in float32, 1.8 in float64.
const TENON_FN_SINH = Int32(23)  # [fc] The hyperbolic sine. On the CPU within 0.51 ulp in float32, 2.5 in float64.
const TENON_FN_COSH = Int32(24)  # [fc] The hyperbolic cosine. On the CPU within 0.51 ulp in float32, 1.5 in float64.
const TENON_FN_TANH = Int32(25)  # [fc] The hyperbolic tangent. On the CPU within 1.4 ulp in float32, 0.9 in float64.
# [fc] The inverse hyperbolic sine. On the CPU within 0.51 ulp in float32, 3 in float64.
const TENON_FN_ASINH = Int32(26)
# [fc] The inverse hyperbolic cosine. On the CPU within 0.51 ulp in float32, 3 in float64.
const TENON_FN_ACOSH = Int32(27)
# [fc] The inverse hyperbolic tangent. On the CPU within 0.51 ulp in float32, 2.5 in float64.
const TENON_FN_ATANH = Int32(28)
const TENON_FN_FLOOR = Int32(29)  # [biuf] The largest integer that is not above x, in x's dtype.
const TENON_FN_CEIL = Int32(30)  # [biuf] The smallest integer that is not below x, in x's dtype.
const TENON_FN_TRUNC = Int32(31)  # [biuf] The integer part of x, in x's dtype.
const TENON_FN_ROUND = Int32(32)  # [iufc] The nearest integer, halves to the even one, in x's dtype.
const TENON_FN_ISNAN = Int32(33)  # [biufc] Whether x is NaN.
const TENON_FN_ISINF = Int32(34)  # [biufc] Whether x is infinite.
const TENON_FN_ISFINITE = Int32(35)  # [biufc] Whether x is neither infinite nor NaN.
const TENON_FN_SIGNBIT = Int32(36)  # [iuf] Whether the sign of x is set, also of -0.0.
const TENON_FN_LOGICAL_NOT = Int32(37)  # [biufc] Whether x is 0.
const TENON_FN_BITWISE_INVERT = Int32(38)  # [biu] Every bit inverted; for bool: not.
const TENON_FN_CONJ = Int32(39)  # [iufc] The complex conjugate.
const TENON_FN_REAL = Int32(40)  # [biufc] The real part.
const TENON_FN_IMAG = Int32(41)  # [biufc] The imaginary part; 0 for real numbers.
const TENON_FN_ANGLE = Int32(42)  # [fc] The angle of a complex number, from -pi to pi; for a real one 0 or pi.
const TENON_FN_DEG2RAD = Int32(43)  # [f] Converts degrees to radians.
const TENON_FN_RAD2DEG = Int32(44)  # [f] Converts radians to degrees.
const TENON_FN_SINC = Int32(45)  # [f] sin(pi x) / (pi x); 1 at 0.
const TENON_FN_ERF = Int32(46)  # [f] The error function. On the CPU within 0.51 ulp in float32, 1.5 in float64.
# [f] 1 - erf(x), accurate for large x. On the CPU within 0.51 ulp in float32, 5 in float64.
const TENON_FN_ERFC = Int32(47)
const TENON_FN_GAMMA = Int32(48)  # [f] The gamma function.
const TENON_FN_LGAMMA = Int32(49)  # [f] The logarithm of the absolute value of the gamma function.
const TENON_FN_DIGAMMA = Int32(50)  # [f] The derivative of lgamma; NaN at negative integers, -infinity at 0.
# [f] The logistic function 1 / (1 + exp(-x)). On the CPU within 2.5 ulp in float32, 2.5 in float64.
const TENON_FN_EXPIT = Int32(51)
const TENON_FN_LOGIT = Int32(52)  # [f] log(x / (1 - x)).
const TENON_FN_J0 = Int32(53)  # [f] The Bessel function of the first kind of order 0.
const TENON_FN_J1 = Int32(54)  # [f] The Bessel function of the first kind of order 1.
const TENON_FN_Y0 = Int32(55)  # [f] The Bessel function of the second kind of order 0.
const TENON_FN_Y1 = Int32(56)  # [f] The Bessel function of the second kind of order 1.
const TENON_FN_BITWISE_COUNT = Int32(57)  # [biu] The number of bits set in |x|.
const TENON_FN_ENTR = Int32(59)  # [f] -x log(x), the summand of an entropy; 0 at 0, -infinity below. Since level 1.1.
# [f] The inverse of erf: infinity at 1, -infinity at -1, NaN beyond. sqrt(2) erfinv(2 p - 1) is the normal quantile.
# Since level 1.1.
const TENON_FN_ERFINV = Int32(60)
const TENON_FN_I0 = Int32(61)  # [f] The modified Bessel function of the first kind of order 0. Since level 1.1.
const TENON_FN_ADD = Int32(101)  # [biufc] x1 + x2; for bool: or.
const TENON_FN_SUBTRACT = Int32(102)  # [iufc] x1 - x2.
const TENON_FN_MULTIPLY = Int32(103)  # [biufc] x1 * x2; for bool: and.
const TENON_FN_DIVIDE = Int32(104)  # [fc] x1 / x2; for integers in float64.
# [iuf] The largest integer that is not above x1 / x2; for integers 0 where x2 is 0.
const TENON_FN_FLOOR_DIVIDE = Int32(105)
# [iuf] x1 - floor_divide(x1, x2) * x2, with x2's sign; for integers 0 where x2 is 0.
const TENON_FN_REMAINDER = Int32(106)
const TENON_FN_FMOD = Int32(107)  # [iuf] C's remainder, with x1's sign; for integers 0 where x2 is 0.
# [iufc] x1 to the power x2. For integers modulo 2^bits; with a negative power, 1 and -1 give the exact result and all
# other integers 0. On the CPU within 1 ulp in float32, 0.8 in float64.
const TENON_FN_POW = Int32(108)
# [biufc] The larger one; NaN if either is NaN. Complex numbers are ordered by their real, then their imaginary parts.
const TENON_FN_MAXIMUM = Int32(109)
# [biufc] The smaller one; NaN if either is NaN. Complex numbers are ordered as by maximum.
const TENON_FN_MINIMUM = Int32(110)
const TENON_FN_FMAX = Int32(111)  # [biufc] The larger one, as by maximum; if only one is NaN, the other.
const TENON_FN_FMIN = Int32(112)  # [biufc] The smaller one, as by minimum; if only one is NaN, the other.
const TENON_FN_EQUAL = Int32(113)  # [biufc] x1 == x2.
const TENON_FN_NOT_EQUAL = Int32(114)  # [biufc] x1 != x2.
const TENON_FN_LESS = Int32(115)  # [biuf] x1 < x2.
const TENON_FN_LESS_EQUAL = Int32(116)  # [biuf] x1 <= x2.
const TENON_FN_GREATER = Int32(117)  # [biuf] x1 > x2.
const TENON_FN_GREATER_EQUAL = Int32(118)  # [biuf] x1 >= x2.
const TENON_FN_LOGICAL_AND = Int32(119)  # [biufc] Whether both are nonzero.
const TENON_FN_LOGICAL_OR = Int32(120)  # [biufc] Whether at least one is nonzero.
const TENON_FN_LOGICAL_XOR = Int32(121)  # [biufc] Whether exactly one is nonzero.
const TENON_FN_BITWISE_AND = Int32(122)  # [biu] The bits set in both.
const TENON_FN_BITWISE_OR = Int32(123)  # [biu] The bits set in at least one.
const TENON_FN_BITWISE_XOR = Int32(124)  # [biu] The bits set in exactly one.
# [iu] x1 * 2^x2 modulo 2^bits; 0 where x2 is negative or at least the number of bits.
const TENON_FN_BITWISE_LEFT_SHIFT = Int32(125)
# [iu] x1 / 2^x2 rounded down; where x2 is negative or at least the number of bits, 0, or -1 for a negative x1.
const TENON_FN_BITWISE_RIGHT_SHIFT = Int32(126)
# [f] The angle of the point (x2, x1), from -pi to pi. On the CPU within 0.51 ulp in float32, 2.5 in float64.
const TENON_FN_ATAN2 = Int32(127)
# [f] sqrt(x1^2 + x2^2) without intermediate overflow. On the CPU within 0.51 ulp in float32, 1 in float64.
const TENON_FN_HYPOT = Int32(128)
const TENON_FN_COPYSIGN = Int32(129)  # [f] x1 with x2's sign.
const TENON_FN_NEXTAFTER = Int32(130)  # [f] The next number of the dtype after x1 towards x2.
const TENON_FN_LOGADDEXP = Int32(131)  # [f] log(exp(x1) + exp(x2)) without intermediate overflow.
const TENON_FN_LOGADDEXP2 = Int32(132)  # [f] log2(2^x1 + 2^x2) without intermediate overflow.
const TENON_FN_HEAVISIDE = Int32(133)  # [f] 0 below 0, x2 at 0, 1 above.
const TENON_FN_GCD = Int32(134)  # [iu] The greatest common divisor, not negative.
const TENON_FN_LCM = Int32(135)  # [iu] The lowest common multiple, not negative, modulo 2^bits.
const TENON_FN_XLOGY = Int32(136)  # [f] x1 * log(x2); 0 where x1 is 0.
# [f] x1 log(x1 / x2), the summand of a relative entropy; 0 where x1 is 0 and x2 is not negative, infinity where one of
# the two is otherwise not positive. Since level 1.1.
const TENON_FN_REL_ENTR = Int32(140)
# [f] Hurwitz's zeta function: the sum of (x2 + k)^-x1 over k = 0, 1, 2 ...; zeta(x, 1) is Riemann's. NaN for x1 below
# 1, infinity where x1 is 1 or x2 is 0 or a negative integer; negative x2 otherwise need a whole x1, else NaN. Since
# level 1.1.
const TENON_FN_ZETA = Int32(141)
# [iufc] The sum. For integers in 64 bits, signed or unsigned; for bool the number of true elements. Floating-point
# numbers are added in blocks and trees: the error grows with the logarithm of the count, and the same shape and strides
# give the same bits.
const TENON_FN_SUM = Int32(301)
const TENON_FN_PROD = Int32(302)  # [iufc] The product; dtypes as for sum.
# [biufc] The largest element, as by maximum; NaN if there is one. There must be at least one element.
const TENON_FN_MAX = Int32(303)
# [biufc] The smallest element, as by minimum; NaN if there is one. There must be at least one element.
const TENON_FN_MIN = Int32(304)
const TENON_FN_ALL = Int32(305)  # [b] Whether all elements are nonzero.
const TENON_FN_ANY = Int32(306)  # [b] Whether any element is nonzero.
const TENON_FN_COUNT_NONZERO = Int32(307)  # [b] The number of nonzero elements.
# [biufc] The index, in C order of the reduced axes, of the first largest element, or of the first NaN. There must be at
# least one element.
const TENON_FN_ARGMAX = Int32(308)
# [biufc] The index, in C order of the reduced axes, of the first smallest element, or of the first NaN. There must be
# at least one element.
const TENON_FN_ARGMIN = Int32(309)
const TENON_FN_MEAN = Int32(310)  # [fc] The mean; for integers in float64; NaN for no elements.
const TENON_FN_VAR = Int32(311)  # [fc] The variance: the mean of |x - mean|^2; correction is subtracted from the count.
const TENON_FN_STD = Int32(312)  # [fc] The standard deviation: the square root of the variance.
# [fc] The Euclidean norm: the square root of the sum of |x|^2, which is computed in float64 for float32.
const TENON_FN_NORM = Int32(313)
const TENON_FN_LOGSUMEXP = Int32(314)  # [f] log(sum(exp(x))) without intermediate overflow; -infinity for no elements.
const TENON_FN_CUMULATIVE_SUM = Int32(401)  # [iufc] The running sum along an axis; dtypes as for sum.
const TENON_FN_CUMULATIVE_PROD = Int32(402)  # [iufc] The running product along an axis; dtypes as for prod.
const TENON_FN_CUMULATIVE_MAX = Int32(403)  # [biufc] The running maximum along an axis; NaN from the first one on.
const TENON_FN_CUMULATIVE_MIN = Int32(404)  # [biufc] The running minimum along an axis; NaN from the first one on.
const TENON_FN_CUMULATIVE_LOGSUMEXP = Int32(405)  # [f] The running logsumexp along an axis.
# compile the kernel, as on CUDA, even if the device has built-in code: for tests and comparisons
const TENON_APPLY_COMPILED = UInt32(1)
# integers that never decrease: segment s is elements offsets[s] to offsets[s + 1] - 1, so that there is one segment
# less than there are offsets
const TENON_SEGMENTS_OFFSETS = Int32(0)
const TENON_SEGMENTS_FLAGS = Int32(1)  # per element not 0 where a segment begins; element 0 always begins one
const TENON_SEGMENTS_KEYS = Int32(2)  # per element a key: a segment is a run of equal keys; NaN equals NaN, -0 equals 0
# per element the number of its segment, an integer, in any order; elements with numbers outside of [0, count) belong to
# none
const TENON_SEGMENTS_NUMBERS = Int32(3)
const TENON_COMPUTE_STRICT = Int32(0)  # full precision of the dtype; f16 and bf16 accumulate in f32
const TENON_COMPUTE_TF32 = Int32(1)  # float32 on CUDA may use TF32 products (10-bit mantissa); elsewhere as STRICT
const TENON_COMPUTE_FAST = Int32(2)  # float32 on CUDA by tensor cores, with the accuracy of float32 (tenon_gemm)
const TENON_COMPUTE_BF16 = Int32(3)  # float32 on CUDA may use bfloat16 products (7-bit mantissa); elsewhere as STRICT
const TENON_EPILOGUE_NONE = Int32(0)
const TENON_EPILOGUE_RELU = Int32(1)  # max(x, 0); NaN stays NaN
const TENON_EPILOGUE_GELU = Int32(2)  # x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2
const TENON_OP_NONE = Int32(0)
const TENON_OP_TRANSPOSE = Int32(1)
const TENON_OP_ADJOINT = Int32(2)  # the conjugate transpose
const TENON_SVD_MODE_FULL = Int32(0)  # u (..., m, m), vh (..., n, n)
const TENON_SVD_MODE_ECONOMY = Int32(1)  # u (..., m, k), vh (..., k, n) with k = min(m, n)
# singular values only: out_u and out_vh may be NULL, else *out_u and *out_vh are not changed
const TENON_SVD_MODE_VALUES = Int32(2)
const TENON_SVD_DRIVER_AUTO = Int32(0)  # chosen by shape, dtype, device and k
const TENON_SVD_DRIVER_QR = Int32(1)  # the QR iteration: xGESVD; cusolverDnXgesvd
const TENON_SVD_DRIVER_DIVIDE = Int32(2)  # divide and conquer: xGESDD; the CPU only
const TENON_SVD_DRIVER_JACOBI = Int32(3)  # xGESVJ; on CUDA a kernel for matrices of up to 256 x 64
# the polar decomposition and a symmetric eigensolver, for large matrices on CUDA (cusolverDnXgesvdp)
const TENON_SVD_DRIVER_POLAR = Int32(4)
# the eigenvectors of a^H a (or a a^H), in double precision: for tall and wide matrices
const TENON_SVD_DRIVER_GRAM = Int32(5)
const TENON_SVD_DRIVER_KRYLOV = Int32(6)  # the leading k triplets by a block Krylov space
# the leading k triplets by random projection: for singular values that decay fast
const TENON_SVD_DRIVER_RANDOMIZED = Int32(7)
const TENON_SOLVE_GENERAL = Int32(0)  # any a: LU with partial pivoting (xGETRF, xGETRS; cusolverDnXgetrf, Xgetrs)
const TENON_SOLVE_POSITIVE = Int32(1)  # positive definite a, its lower triangle (xPOTRF, xPOTRS; cusolverDnXpotrf, ...)
const TENON_SOLVE_LOWER = Int32(2)  # the lower triangle of a; the rest is not read (xTRSM; cublasXtrsm)
const TENON_SOLVE_UPPER = Int32(3)  # the upper triangle; the rest is not read
const TENON_QR_REDUCED = Int32(0)  # q (..., m, k), r (..., k, n) with k = min(m, n)
const TENON_QR_COMPLETE = Int32(1)  # q (..., m, m), r (..., m, n)
const TENON_QR_R = Int32(2)  # r (..., k, n) only: out_q may be NULL, and *out_q is not changed
# level 1.1: what xGEQRF leaves. out_q receives its matrix transposed, (..., n, m), where row j holds the start of
# column j of r and then reflector j without its leading 1; out_r receives tau (..., k), the reflectors' factors: q is
# the product of I - tau v v^H
const TENON_QR_RAW = Int32(3)
const TENON_NORM_FROBENIUS = Int32(0)  # the square root of the sum of squares
const TENON_NORM_ONE = Int32(1)  # the largest column sum of absolute values
const TENON_NORM_INFINITY = Int32(2)  # the largest row sum of absolute values
const TENON_NORM_LARGEST = Int32(3)  # the largest absolute value; not an operator norm
const TENON_NORM_TWO = Int32(4)  # the largest singular value
const TENON_NORM_MINUS_TWO = Int32(5)  # the smallest singular value
const TENON_NORM_NUCLEAR = Int32(6)  # the sum of the singular values
const TENON_FFT_DIRECTION_FORWARD = Int32(0)  # sum of x[j] exp(-2 pi i j k / n)
const TENON_FFT_DIRECTION_INVERSE = Int32(1)  # sum of x[j] exp(+2 pi i j k / n)
const TENON_FFT_NORM_BACKWARD = Int32(0)  # forward unscaled, inverse 1/n
const TENON_FFT_NORM_ORTHO = Int32(1)  # both 1/sqrt(n)
const TENON_FFT_NORM_FORWARD = Int32(2)  # forward 1/n, inverse unscaled
const TENON_CONVOLVE_FULL = Int32(0)  # every sum in which a and b overlap: m + n - 1 numbers for extents m and n
const TENON_CONVOLVE_SAME = Int32(1)  # the m numbers in the middle of these, from number (n - 1) / 2 on
# the sums in which b lies entirely within a: m - n + 1 numbers, from number n - 1 on; m >= n
const TENON_CONVOLVE_VALID = Int32(2)
# accept files that others own or can write, or that lie in such directories: for containers and shared mounts
const TENON_PACKAGE_ANY_OWNER = UInt32(1)
const TENON_PACKAGE_SIGNED = UInt32(2)  # a signature by a trusted key is required
const TENON_OPERATION_DETERMINISTIC = UInt32(1)  # the same arguments give the same bits
const TENON_OPERATION_IN_PLACE = UInt32(2)  # an output may be exactly an input
const TENON_OPERATION_CPU = UInt32(4)  # runs on the CPU
const TENON_OPERATION_CUDA = UInt32(8)  # runs on CUDA devices
const TENON_OPERATION_GRADIENT = UInt32(16)  # has a gradient
const TENON_ROLE_IN = Int32(1)  # an array that is read
const TENON_ROLE_OUT = Int32(2)  # an array that is written
const TENON_ROLE_INOUT = Int32(3)  # an array that is read and written
const TENON_ROLE_SCALAR = Int32(4)  # a number, or a list of numbers
const TENON_OPERAND_HAS_DEFAULT = UInt32(1)  # an argument of kind 0 (all zeros) means the default
const TENON_OPERAND_LIST = UInt32(2)  # takes TENON_ARG_BYTES: consecutive numbers
const TENON_OPERAND_CHOICE = UInt32(4)  # an int32: the index of the choice
const TENON_OPERAND_OPTIONAL = UInt32(8)  # an array that may be left out: an argument of kind 0 (all zeros)

# The same constants by enumeration: SVD_MODE.FULL.
const STATUS = (
    OK = TENON_OK,
    ERROR_INVALID_ARGUMENT = TENON_ERROR_INVALID_ARGUMENT,
    ERROR_INVALID_HANDLE = TENON_ERROR_INVALID_HANDLE,
    ERROR_OUT_OF_MEMORY = TENON_ERROR_OUT_OF_MEMORY,
    ERROR_UNSUPPORTED = TENON_ERROR_UNSUPPORTED,
    ERROR_NOT_FOUND = TENON_ERROR_NOT_FOUND,
    ERROR_OVERFLOW = TENON_ERROR_OVERFLOW,
    ERROR_DTYPE = TENON_ERROR_DTYPE,
    ERROR_SHAPE = TENON_ERROR_SHAPE,
    ERROR_DEVICE = TENON_ERROR_DEVICE,
    ERROR_CONTEXT = TENON_ERROR_CONTEXT,
    ERROR_LAYOUT = TENON_ERROR_LAYOUT,
    ERROR_READ_ONLY = TENON_ERROR_READ_ONLY,
    ERROR_OVERLAP = TENON_ERROR_OVERLAP,
    ERROR_COMPILE = TENON_ERROR_COMPILE,
    ERROR_MISSING_LIBRARY = TENON_ERROR_MISSING_LIBRARY,
    ERROR_KERNEL_FAULT = TENON_ERROR_KERNEL_FAULT,
    ERROR_DEVICE_LOST = TENON_ERROR_DEVICE_LOST,
    ERROR_NOT_CONVERGED = TENON_ERROR_NOT_CONVERGED,
    ERROR_SINGULAR = TENON_ERROR_SINGULAR,
    ERROR_NOT_FINITE = TENON_ERROR_NOT_FINITE,
    ERROR_NOT_READY = TENON_ERROR_NOT_READY,
    ERROR_VERSION = TENON_ERROR_VERSION,
    ERROR_IO = TENON_ERROR_IO,
    ERROR_CANCELLED = TENON_ERROR_CANCELLED,
    ERROR_FORKED = TENON_ERROR_FORKED,
    ERROR_VENDOR = TENON_ERROR_VENDOR,
    ERROR_INTERNAL = TENON_ERROR_INTERNAL,
)
const HANDLE = (
    BLOB = TENON_HANDLE_BLOB,
    ERROR = TENON_HANDLE_ERROR,
    CONTEXT = TENON_HANDLE_CONTEXT,
    DEVICE = TENON_HANDLE_DEVICE,
    STREAM = TENON_HANDLE_STREAM,
    EVENT = TENON_HANDLE_EVENT,
    BUFFER = TENON_HANDLE_BUFFER,
    ARRAY = TENON_HANDLE_ARRAY,
    PROGRAM = TENON_HANDLE_PROGRAM,
    KERNEL = TENON_HANDLE_KERNEL,
    CALL = TENON_HANDLE_CALL,
    COMPILATION = TENON_HANDLE_COMPILATION,
    ELEMENTWISE = TENON_HANDLE_ELEMENTWISE,
    REDUCTION = TENON_HANDLE_REDUCTION,
    SCAN = TENON_HANDLE_SCAN,
    GRAPH = TENON_HANDLE_GRAPH,
    PACKAGE = TENON_HANDLE_PACKAGE,
    OPERATION = TENON_HANDLE_OPERATION,
    TEXTURE = TENON_HANDLE_TEXTURE,
)
const DTYPE = (
    BOOL = TENON_BOOL,
    INT8 = TENON_INT8,
    INT16 = TENON_INT16,
    INT32 = TENON_INT32,
    INT64 = TENON_INT64,
    UINT8 = TENON_UINT8,
    UINT16 = TENON_UINT16,
    UINT32 = TENON_UINT32,
    UINT64 = TENON_UINT64,
    FLOAT16 = TENON_FLOAT16,
    FLOAT32 = TENON_FLOAT32,
    FLOAT64 = TENON_FLOAT64,
    BFLOAT16 = TENON_BFLOAT16,
    COMPLEX32 = TENON_COMPLEX32,
    COMPLEX64 = TENON_COMPLEX64,
    COMPLEX128 = TENON_COMPLEX128,
    FLOAT8_E3M4 = TENON_FLOAT8_E3M4,
    FLOAT8_E4M3 = TENON_FLOAT8_E4M3,
    FLOAT8_E4M3B11FNUZ = TENON_FLOAT8_E4M3B11FNUZ,
    FLOAT8_E4M3FN = TENON_FLOAT8_E4M3FN,
    FLOAT8_E4M3FNUZ = TENON_FLOAT8_E4M3FNUZ,
    FLOAT8_E5M2 = TENON_FLOAT8_E5M2,
    FLOAT8_E5M2FNUZ = TENON_FLOAT8_E5M2FNUZ,
    FLOAT8_E8M0FNU = TENON_FLOAT8_E8M0FNU,
    FLOAT6_E2M3FN = TENON_FLOAT6_E2M3FN,
    FLOAT6_E3M2FN = TENON_FLOAT6_E3M2FN,
    FLOAT4_E2M1FN = TENON_FLOAT4_E2M1FN,
)
const LOG = (
    ERROR = TENON_LOG_ERROR,
    WARNING = TENON_LOG_WARNING,
    INFO = TENON_LOG_INFO,
    DEBUG = TENON_LOG_DEBUG,
)
const CACHE = (
    DEFAULT = TENON_CACHE_DEFAULT,
    OFF = TENON_CACHE_OFF,
    READ_ONLY = TENON_CACHE_READ_ONLY,
    NO_COMPILE = TENON_CACHE_NO_COMPILE,
)
const CONTEXT = (
    NO_STREAM_TRACKING = TENON_CONTEXT_NO_STREAM_TRACKING,
    NO_POOL = TENON_CONTEXT_NO_POOL,
    DEBUG_SYNC = TENON_CONTEXT_DEBUG_SYNC,
    NVTX = TENON_CONTEXT_NVTX,
    DETERMINISTIC = TENON_CONTEXT_DETERMINISTIC,
    SIGNED_PACKAGES = TENON_CONTEXT_SIGNED_PACKAGES,
    DEFERRED_ERRORS = TENON_CONTEXT_DEFERRED_ERRORS,
    CHECK_FINITE = TENON_CONTEXT_CHECK_FINITE,
    NO_SIGNALS = TENON_CONTEXT_NO_SIGNALS,
    PRIVATE_STREAM = TENON_CONTEXT_PRIVATE_STREAM,
)
const DEVICE = (
    CPU = TENON_DEVICE_CPU,
    CUDA = TENON_DEVICE_CUDA,
)
const EVENT = (
    TIMING = TENON_EVENT_TIMING,
)
const ARG = (
    ARRAY = TENON_ARG_ARRAY,
    SCALAR = TENON_ARG_SCALAR,
    POINTER = TENON_ARG_POINTER,
    BYTES = TENON_ARG_BYTES,
    STRIDED = TENON_ARG_STRIDED,
    WEAK = TENON_ARG_WEAK,
    TEXTURE = TENON_ARG_TEXTURE,
    SURFACE = TENON_ARG_SURFACE,
)
const MEMORY = (
    DEVICE = TENON_MEMORY_DEVICE,
    PINNED = TENON_MEMORY_PINNED,
    MANAGED = TENON_MEMORY_MANAGED,
)
const ARRAY = (
    C_CONTIGUOUS = TENON_ARRAY_C_CONTIGUOUS,
    F_CONTIGUOUS = TENON_ARRAY_F_CONTIGUOUS,
    READ_ONLY = TENON_ARRAY_READ_ONLY,
)
const ACCESS = (
    READ = TENON_ACCESS_READ,
    WRITE = TENON_ACCESS_WRITE,
)
const DLPACK = (
    COPY = TENON_DLPACK_COPY,
    STREAM_MAY_END = TENON_DLPACK_STREAM_MAY_END,
    NEVER_COPY = TENON_DLPACK_NEVER_COPY,
)
const PROGRAM_MODE = (
    FAST = TENON_PROGRAM_MODE_FAST,
    DEBUG = TENON_PROGRAM_MODE_DEBUG,
    CHECK = TENON_PROGRAM_MODE_CHECK,
)
const PROGRAM_FLAG = (
    FAST_MATH = TENON_PROGRAM_FLAG_FAST_MATH,
    REVERSE_ORDER = TENON_PROGRAM_FLAG_REVERSE_ORDER,
    NO_CACHE = TENON_PROGRAM_FLAG_NO_CACHE,
    TRUSTED = TENON_PROGRAM_FLAG_TRUSTED,
)
const IMAGE = (
    BINARY = TENON_IMAGE_BINARY,
    PTX = TENON_IMAGE_PTX,
)
const PARAMETER = (
    SCALAR = TENON_PARAMETER_SCALAR,
    POINTER = TENON_PARAMETER_POINTER,
    STRUCT = TENON_PARAMETER_STRUCT,
    UNKNOWN = TENON_PARAMETER_UNKNOWN,
)
const EXECUTION = (
    LOOP = TENON_EXECUTION_LOOP,
    REGIONS = TENON_EXECUTION_REGIONS,
    FIBERS = TENON_EXECUTION_FIBERS,
    WARPS = TENON_EXECUTION_WARPS,
    IN_ORDER = TENON_EXECUTION_IN_ORDER,
    SIDE_BY_SIDE = TENON_EXECUTION_SIDE_BY_SIDE,
)
const LAUNCH = (
    COOPERATIVE = TENON_LAUNCH_COOPERATIVE,
    PROGRAMMATIC = TENON_LAUNCH_PROGRAMMATIC,
)
const INPUT = (
    SOURCE = TENON_INPUT_SOURCE,
    BINARY = TENON_INPUT_BINARY,
    PTX = TENON_INPUT_PTX,
    FATBIN = TENON_INPUT_FATBIN,
    LTO_IR = TENON_INPUT_LTO_IR,
)
const ADDRESS = (
    CLAMP = TENON_ADDRESS_CLAMP,
    WRAP = TENON_ADDRESS_WRAP,
    MIRROR = TENON_ADDRESS_MIRROR,
    BORDER = TENON_ADDRESS_BORDER,
)
const FILTER = (
    POINT = TENON_FILTER_POINT,
    LINEAR = TENON_FILTER_LINEAR,
)
const RANDOM = (
    UNIFORM = TENON_RANDOM_UNIFORM,
    NORMAL = TENON_RANDOM_NORMAL,
    EXPONENTIAL = TENON_RANDOM_EXPONENTIAL,
    BITS = TENON_RANDOM_BITS,
    INTEGERS = TENON_RANDOM_INTEGERS,
    BERNOULLI = TENON_RANDOM_BERNOULLI,
    GAMMA = TENON_RANDOM_GAMMA,
    BETA = TENON_RANDOM_BETA,
    POISSON = TENON_RANDOM_POISSON,
    BINOMIAL = TENON_RANDOM_BINOMIAL,
)
const PAD = (
    CONSTANT = TENON_PAD_CONSTANT,
    EDGE = TENON_PAD_EDGE,
    REFLECT = TENON_PAD_REFLECT,
    SYMMETRIC = TENON_PAD_SYMMETRIC,
    WRAP = TENON_PAD_WRAP,
    LINEAR_RAMP = TENON_PAD_LINEAR_RAMP,
    MEAN = TENON_PAD_MEAN,
    MAXIMUM = TENON_PAD_MAXIMUM,
    MINIMUM = TENON_PAD_MINIMUM,
    MEDIAN = TENON_PAD_MEDIAN,
    EMPTY = TENON_PAD_EMPTY,
)
const SCATTER = (
    ASSIGN = TENON_SCATTER_ASSIGN,
    ADD = TENON_SCATTER_ADD,
    MIN = TENON_SCATTER_MIN,
    MAX = TENON_SCATTER_MAX,
)
const QUANTILE = (
    LINEAR = TENON_QUANTILE_LINEAR,
    LOWER = TENON_QUANTILE_LOWER,
    HIGHER = TENON_QUANTILE_HIGHER,
    MIDPOINT = TENON_QUANTILE_MIDPOINT,
    NEAREST = TENON_QUANTILE_NEAREST,
    INVERTED_CDF = TENON_QUANTILE_INVERTED_CDF,
    AVERAGED_INVERTED_CDF = TENON_QUANTILE_AVERAGED_INVERTED_CDF,
    CLOSEST_OBSERVATION = TENON_QUANTILE_CLOSEST_OBSERVATION,
    INTERPOLATED_INVERTED_CDF = TENON_QUANTILE_INTERPOLATED_INVERTED_CDF,
    HAZEN = TENON_QUANTILE_HAZEN,
    WEIBULL = TENON_QUANTILE_WEIBULL,
    MEDIAN_UNBIASED = TENON_QUANTILE_MEDIAN_UNBIASED,
    NORMAL_UNBIASED = TENON_QUANTILE_NORMAL_UNBIASED,
)
const STEP = (
    UNARY = TENON_STEP_UNARY,
    BINARY = TENON_STEP_BINARY,
    SELECT = TENON_STEP_SELECT,
    CLIP = TENON_STEP_CLIP,
    CAST = TENON_STEP_CAST,
    GATHER = TENON_STEP_GATHER,
)
const GRAPH = (
    KERNEL = TENON_GRAPH_KERNEL,
    GENERATED = TENON_GRAPH_GENERATED,
    OPERATION = TENON_GRAPH_OPERATION,
    LIBRARY = TENON_GRAPH_LIBRARY,
)
const FN = (
    POSITIVE = TENON_FN_POSITIVE,
    NEGATIVE = TENON_FN_NEGATIVE,
    ABS = TENON_FN_ABS,
    SIGN = TENON_FN_SIGN,
    SQUARE = TENON_FN_SQUARE,
    RECIPROCAL = TENON_FN_RECIPROCAL,
    SQRT = TENON_FN_SQRT,
    CBRT = TENON_FN_CBRT,
    RSQRT = TENON_FN_RSQRT,
    EXP = TENON_FN_EXP,
    EXP2 = TENON_FN_EXP2,
    EXPM1 = TENON_FN_EXPM1,
    LOG = TENON_FN_LOG,
    LOG2 = TENON_FN_LOG2,
    LOG10 = TENON_FN_LOG10,
    LOG1P = TENON_FN_LOG1P,
    SIN = TENON_FN_SIN,
    COS = TENON_FN_COS,
    TAN = TENON_FN_TAN,
    ASIN = TENON_FN_ASIN,
    ACOS = TENON_FN_ACOS,
    ATAN = TENON_FN_ATAN,
    SINH = TENON_FN_SINH,
    COSH = TENON_FN_COSH,
    TANH = TENON_FN_TANH,
    ASINH = TENON_FN_ASINH,
    ACOSH = TENON_FN_ACOSH,
    ATANH = TENON_FN_ATANH,
    FLOOR = TENON_FN_FLOOR,
    CEIL = TENON_FN_CEIL,
    TRUNC = TENON_FN_TRUNC,
    ROUND = TENON_FN_ROUND,
    ISNAN = TENON_FN_ISNAN,
    ISINF = TENON_FN_ISINF,
    ISFINITE = TENON_FN_ISFINITE,
    SIGNBIT = TENON_FN_SIGNBIT,
    LOGICAL_NOT = TENON_FN_LOGICAL_NOT,
    BITWISE_INVERT = TENON_FN_BITWISE_INVERT,
    CONJ = TENON_FN_CONJ,
    REAL = TENON_FN_REAL,
    IMAG = TENON_FN_IMAG,
    ANGLE = TENON_FN_ANGLE,
    DEG2RAD = TENON_FN_DEG2RAD,
    RAD2DEG = TENON_FN_RAD2DEG,
    SINC = TENON_FN_SINC,
    ERF = TENON_FN_ERF,
    ERFC = TENON_FN_ERFC,
    GAMMA = TENON_FN_GAMMA,
    LGAMMA = TENON_FN_LGAMMA,
    DIGAMMA = TENON_FN_DIGAMMA,
    EXPIT = TENON_FN_EXPIT,
    LOGIT = TENON_FN_LOGIT,
    J0 = TENON_FN_J0,
    J1 = TENON_FN_J1,
    Y0 = TENON_FN_Y0,
    Y1 = TENON_FN_Y1,
    BITWISE_COUNT = TENON_FN_BITWISE_COUNT,
    ENTR = TENON_FN_ENTR,
    ERFINV = TENON_FN_ERFINV,
    I0 = TENON_FN_I0,
    ADD = TENON_FN_ADD,
    SUBTRACT = TENON_FN_SUBTRACT,
    MULTIPLY = TENON_FN_MULTIPLY,
    DIVIDE = TENON_FN_DIVIDE,
    FLOOR_DIVIDE = TENON_FN_FLOOR_DIVIDE,
    REMAINDER = TENON_FN_REMAINDER,
    FMOD = TENON_FN_FMOD,
    POW = TENON_FN_POW,
    MAXIMUM = TENON_FN_MAXIMUM,
    MINIMUM = TENON_FN_MINIMUM,
    FMAX = TENON_FN_FMAX,
    FMIN = TENON_FN_FMIN,
    EQUAL = TENON_FN_EQUAL,
    NOT_EQUAL = TENON_FN_NOT_EQUAL,
    LESS = TENON_FN_LESS,
    LESS_EQUAL = TENON_FN_LESS_EQUAL,
    GREATER = TENON_FN_GREATER,
    GREATER_EQUAL = TENON_FN_GREATER_EQUAL,
    LOGICAL_AND = TENON_FN_LOGICAL_AND,
    LOGICAL_OR = TENON_FN_LOGICAL_OR,
    LOGICAL_XOR = TENON_FN_LOGICAL_XOR,
    BITWISE_AND = TENON_FN_BITWISE_AND,
    BITWISE_OR = TENON_FN_BITWISE_OR,
    BITWISE_XOR = TENON_FN_BITWISE_XOR,
    BITWISE_LEFT_SHIFT = TENON_FN_BITWISE_LEFT_SHIFT,
    BITWISE_RIGHT_SHIFT = TENON_FN_BITWISE_RIGHT_SHIFT,
    ATAN2 = TENON_FN_ATAN2,
    HYPOT = TENON_FN_HYPOT,
    COPYSIGN = TENON_FN_COPYSIGN,
    NEXTAFTER = TENON_FN_NEXTAFTER,
    LOGADDEXP = TENON_FN_LOGADDEXP,
    LOGADDEXP2 = TENON_FN_LOGADDEXP2,
    HEAVISIDE = TENON_FN_HEAVISIDE,
    GCD = TENON_FN_GCD,
    LCM = TENON_FN_LCM,
    XLOGY = TENON_FN_XLOGY,
    REL_ENTR = TENON_FN_REL_ENTR,
    ZETA = TENON_FN_ZETA,
    SUM = TENON_FN_SUM,
    PROD = TENON_FN_PROD,
    MAX = TENON_FN_MAX,
    MIN = TENON_FN_MIN,
    ALL = TENON_FN_ALL,
    ANY = TENON_FN_ANY,
    COUNT_NONZERO = TENON_FN_COUNT_NONZERO,
    ARGMAX = TENON_FN_ARGMAX,
    ARGMIN = TENON_FN_ARGMIN,
    MEAN = TENON_FN_MEAN,
    VAR = TENON_FN_VAR,
    STD = TENON_FN_STD,
    NORM = TENON_FN_NORM,
    LOGSUMEXP = TENON_FN_LOGSUMEXP,
    CUMULATIVE_SUM = TENON_FN_CUMULATIVE_SUM,
    CUMULATIVE_PROD = TENON_FN_CUMULATIVE_PROD,
    CUMULATIVE_MAX = TENON_FN_CUMULATIVE_MAX,
    CUMULATIVE_MIN = TENON_FN_CUMULATIVE_MIN,
    CUMULATIVE_LOGSUMEXP = TENON_FN_CUMULATIVE_LOGSUMEXP,
)
const APPLY = (
    COMPILED = TENON_APPLY_COMPILED,
)
const SEGMENTS = (
    OFFSETS = TENON_SEGMENTS_OFFSETS,
    FLAGS = TENON_SEGMENTS_FLAGS,
    KEYS = TENON_SEGMENTS_KEYS,
    NUMBERS = TENON_SEGMENTS_NUMBERS,
)
const COMPUTE = (
    STRICT = TENON_COMPUTE_STRICT,
    TF32 = TENON_COMPUTE_TF32,
    FAST = TENON_COMPUTE_FAST,
    BF16 = TENON_COMPUTE_BF16,
)
const EPILOGUE = (
    NONE = TENON_EPILOGUE_NONE,
    RELU = TENON_EPILOGUE_RELU,
    GELU = TENON_EPILOGUE_GELU,
)
const OP = (
    NONE = TENON_OP_NONE,
    TRANSPOSE = TENON_OP_TRANSPOSE,
    ADJOINT = TENON_OP_ADJOINT,
)
const SVD_MODE = (
    FULL = TENON_SVD_MODE_FULL,
    ECONOMY = TENON_SVD_MODE_ECONOMY,
    VALUES = TENON_SVD_MODE_VALUES,
)
const SVD_DRIVER = (
    AUTO = TENON_SVD_DRIVER_AUTO,
    QR = TENON_SVD_DRIVER_QR,
    DIVIDE = TENON_SVD_DRIVER_DIVIDE,
    JACOBI = TENON_SVD_DRIVER_JACOBI,
    POLAR = TENON_SVD_DRIVER_POLAR,
    GRAM = TENON_SVD_DRIVER_GRAM,
    KRYLOV = TENON_SVD_DRIVER_KRYLOV,
    RANDOMIZED = TENON_SVD_DRIVER_RANDOMIZED,
)
const SOLVE = (
    GENERAL = TENON_SOLVE_GENERAL,
    POSITIVE = TENON_SOLVE_POSITIVE,
    LOWER = TENON_SOLVE_LOWER,
    UPPER = TENON_SOLVE_UPPER,
)
const QR = (
    REDUCED = TENON_QR_REDUCED,
    COMPLETE = TENON_QR_COMPLETE,
    R = TENON_QR_R,
    RAW = TENON_QR_RAW,
)
const NORM = (
    FROBENIUS = TENON_NORM_FROBENIUS,
    ONE = TENON_NORM_ONE,
    INFINITY = TENON_NORM_INFINITY,
    LARGEST = TENON_NORM_LARGEST,
    TWO = TENON_NORM_TWO,
    MINUS_TWO = TENON_NORM_MINUS_TWO,
    NUCLEAR = TENON_NORM_NUCLEAR,
)
const FFT_DIRECTION = (
    FORWARD = TENON_FFT_DIRECTION_FORWARD,
    INVERSE = TENON_FFT_DIRECTION_INVERSE,
)
const FFT_NORM = (
    BACKWARD = TENON_FFT_NORM_BACKWARD,
    ORTHO = TENON_FFT_NORM_ORTHO,
    FORWARD = TENON_FFT_NORM_FORWARD,
)
const CONVOLVE = (
    FULL = TENON_CONVOLVE_FULL,
    SAME = TENON_CONVOLVE_SAME,
    VALID = TENON_CONVOLVE_VALID,
)
const PACKAGE = (
    ANY_OWNER = TENON_PACKAGE_ANY_OWNER,
    SIGNED = TENON_PACKAGE_SIGNED,
)
const OPERATION = (
    DETERMINISTIC = TENON_OPERATION_DETERMINISTIC,
    IN_PLACE = TENON_OPERATION_IN_PLACE,
    CPU = TENON_OPERATION_CPU,
    CUDA = TENON_OPERATION_CUDA,
    GRADIENT = TENON_OPERATION_GRADIENT,
)
const ROLE = (
    IN = TENON_ROLE_IN,
    OUT = TENON_ROLE_OUT,
    INOUT = TENON_ROLE_INOUT,
    SCALAR = TENON_ROLE_SCALAR,
)
const OPERAND = (
    HAS_DEFAULT = TENON_OPERAND_HAS_DEFAULT,
    LIST = TENON_OPERAND_LIST,
    CHOICE = TENON_OPERAND_CHOICE,
    OPTIONAL = TENON_OPERAND_OPTIONAL,
)

# Opaque types, seen only behind a Ptr.
mutable struct tenon_blob end
mutable struct tenon_api end
mutable struct tenon_error end
mutable struct tenon_context end
mutable struct tenon_device end
mutable struct tenon_stream end
mutable struct tenon_event end
mutable struct tenon_array end
mutable struct tenon_texture end
mutable struct tenon_buffer end
mutable struct DLManagedTensor end
mutable struct DLManagedTensorVersioned end
mutable struct tenon_program end
mutable struct tenon_kernel end
mutable struct tenon_call end
mutable struct tenon_compilation end
mutable struct tenon_elementwise end
mutable struct tenon_reduction end
mutable struct tenon_scan end
mutable struct tenon_graph end
mutable struct tenon_package end
mutable struct tenon_operation end

# Receives a log line (UTF-8, no newline). Runs on the thread that logs, without a lock held; it may call Tenon. It
# must not let an exception escape; one that escapes is dropped.
# tenon_log_fn: @cfunction(f, Cvoid, (Ptr{Cvoid}, Int32, Ptr{UInt8},))

# Destroys a user pointer. Runs exactly once if the call that received it succeeded, and never if that call failed.
# Runs without a lock held, on the thread of the call that drops the last use of the pointer. It may call Tenon; that
# does not change the error record of the call that runs it. It must not let an exception escape: one that escapes is
# dropped and logged as an error of the context, except those of log_destroy, after which there is no log, and of
# plug-ins' functions (plugin.h), which belong to no context.
# tenon_destroy_fn: @cfunction(f, Cvoid, (Ptr{Cvoid},))

# Allocates memory of a device for work on a stream (a CUstream; 0 on the CPU), as PyTorch's and RMM's allocators do:
# work enqueued on that stream from now on may use it. The address is a multiple of 256 on CUDA, of 64 on the CPU.
# Returns 0 on success; any other value means that there is no memory, and *out_data is ignored. Runs on any thread; it
# must not call Tenon, nor let an exception escape, which counts as no memory.
# tenon_allocate_fn: @cfunction(f, Int32, (Ptr{Cvoid}, Int32, Int32, UInt64, UInt64, Ptr{Ptr{Cvoid}},))

# Frees memory that the allocate function returned, with the same number of bytes: work enqueued on `stream` from now
# on may reuse it. Otherwise as tenon_allocate_fn.
# tenon_deallocate_fn: @cfunction(f, Cvoid, (Ptr{Cvoid}, Int32, Int32, Ptr{Cvoid}, UInt64, UInt64,))

# A host function that runs in stream order. On the CPU device it runs within tenon_stream_call_host, on the caller's
# thread, and may call Tenon; it must not wait for another thread that uses the same stream, and cannot change the
# graph whose launch calls it. On a CUDA device it runs on a thread of the driver: it must not call Tenon or CUDA, and
# must not wait for the result of such a call; later work on the stream waits for it. It must not let an exception
# escape; one that escapes is dropped, and logged if the function runs on the caller's thread.
# tenon_stream_fn: @cfunction(f, Cvoid, (Ptr{Cvoid},))

# Sets *out_stream to the current stream of a framework on a device (TENON_DEVICE_*, index), a CUstream, and returns 0.
# It is the `current_work_stream` of DLPack's C exchange API. Tenon calls it on the thread of the call that uses an
# array, without a lock held. The function and the streams that it returns must live as long as the process (as
# PyTorch's do).
# tenon_current_stream_fn: @cfunction(f, Int32, (Int32, Int32, Ptr{Ptr{Cvoid}},))

# A call that compiles calls this function every few milliseconds, on the thread that made the call; a result other
# than 0 ends the compiler, and the call returns CANCELLED. The function must not call Tenon.
# tenon_interrupt_fn: @cfunction(f, Int32, (Ptr{Cvoid},))

# Does the work of one step. The arguments have been checked: arrays are C-contiguous unless the contract says strided.
# Returns TENON_OK or a status; the text of a failing call of Tenon becomes part of the message, any other value
# becomes the native code. May run on several threads at the same time. It must not throw.
# tenon_host_fn: @cfunction(f, Int32, (Ptr{Cvoid}, Ptr{tenon_host_call},))

# Registers the package: the text of its contract, and `count` functions, which are copied. All have the same
# struct_size: that of the plug-in's headers. tenon_plugin_init calls it once. The contract is checked after
# tenon_plugin_init has returned. INVALID_ARGUMENT: a second package, no function, two functions of the same name,
# NULL; the object is then refused, with a text that says why.
# tenon_registry_add_fn: @cfunction(f, Int32, (Ptr{Cvoid}, Ptr{UInt8}, Ptr{tenon_host_function}, Int32,))

#
# tenon_plugin_init_fn: @cfunction(f, Int32, (Ptr{tenon_api}, Ptr{tenon_registry},))

"""
The source of memory of kind TENON_MEMORY_DEVICE. A context can be given an allocator (options), a device too
(tenon_device_use_allocator), and a device can lend its own (tenon_device_allocator).
"""
struct tenon_allocator
    struct_size::UInt32
    reserved::UInt32
    allocate::Ptr{Cvoid}
    deallocate::Ptr{Cvoid}
    user::Ptr{Cvoid}  # lives until destroy
    destroy::Ptr{Cvoid}  # destroys user
end

"""
For an option left at its default, the environment variables listed at the top of this file are read.
"""
struct tenon_context_options
    struct_size::UInt32
    flags::UInt32
    cache_directory::Ptr{UInt8}  # default: $TENON_CACHE_DIR, then $XDG_CACHE_HOME/tenon, then ~/.cache/tenon
    cache_limit_bytes::UInt64  # default: 2 GiB; least recently used entries are removed first
    cache_mode::Int32
    log_level::Int32  # 0: the default, TENON_LOG_WARNING
    log::Ptr{Cvoid}  # default: lines go to stderr
    log_user::Ptr{Cvoid}
    # called with log_user when the context closes; not if creating the context fails: the caller then keeps log_user
    log_destroy::Ptr{Cvoid}
    # limit for a launch in TENON_PROGRAM_MODE_CHECK on the CPU, which is then a KERNEL_FAULT; default:
    # $TENON_KERNEL_TIMEOUT, then 60; negative (or 0 in the environment): no limit
    kernel_timeout_seconds::Float64
    memory_limit_bytes::UInt64  # per device, default: none
    # absolute directories, separated by colons, in which packages are found by name; default: $TENON_PLUGIN_PATH
    plugin_path::Ptr{UInt8}
    # for tuning records (plugin.h); default: $TENON_TUNING_DIR, then $XDG_DATA_HOME/tenon/tuning, then
    # ~/.local/share/tenon/tuning
    tuning_directory::Ptr{UInt8}
    # for the devices' memory, instead of Tenon's own pools; copied. Its destroy runs after the context has closed, and
    # not if creating the context fails
    allocator::Ptr{tenon_allocator}
end

"""
The properties of a device. The launch limits of the CPU device are those of a mainstream GPU, so that a launch that
fits one fits the other. Unknown values are 0.
"""
struct tenon_device_info
    struct_size::UInt32
    kind::Int32  # TENON_DEVICE_*
    index::Int32
    compute_major::Int32  # compute capability; 0 on the CPU
    compute_minor::Int32
    multiprocessors::Int32  # on the CPU: tenon_cpu_threads_get
    warp_size::Int32
    max_threads_per_block::Int32
    max_block::NTuple{3,Int32}
    max_grid::NTuple{3,Int32}
    shared_per_block::UInt64  # bytes of shared memory per block without opting in to more
    shared_per_block_max::UInt64  # the most per block, with dynamic shared memory
    total_memory::UInt64  # bytes
    free_memory::UInt64  # bytes, now
    l2_bytes::UInt64
    max_threads_per_multiprocessor::Int32
    driver_version::Int32  # CUDA: 1000 * major + 10 * minor; 0 on the CPU
end

"""
Memory statistics of a device's pool, in bytes.
"""
struct tenon_memory_info
    struct_size::UInt32
    reserved::UInt32
    used::UInt64  # in live buffers
    used_peak::UInt64
    held::UInt64  # allocated from the system, including free blocks
    limit::UInt64  # 0: no limit
    allocations::UInt64  # so far
end

struct tenon_stream_options
    struct_size::UInt32
    priority::Int32  # CUDA: lower runs first; clamped by CUDA to the device's range
end

# A union; use pack and unpack with one of:
# array::Ptr{tenon_array}
# texture::Ptr{tenon_texture}
# pointer::Ptr{Cvoid}
# bytes::Ptr{Cvoid}
# i8::Int8
# i16::Int16
# i32::Int32
# i64::Int64
# u8::UInt8
# u16::UInt16
# u32::UInt32
# u64::UInt64
# f32::Float32
# f64::Float64
# c64::NTuple{2,Float32}
# c128::NTuple{2,Float64}
struct tenon_arg_value
    words::NTuple{2,UInt64}
end

"""
One argument, a struct of 32 bytes that never grows. SCALAR uses `dtype` and `size` (in bytes; 0 means the size of
the dtype), BYTES uses `size`. A scalar is in the member of its dtype: bool in u8 (0 or 1), float16 and bfloat16 in
u16 (their bits), float8 in u8. Use the macros below, which are expressions and work in C99 and in C++11.
"""
struct tenon_arg
    kind::UInt32
    dtype::UInt32
    size::UInt64
    value::tenon_arg_value
end

"""
The properties of an array. Pointers are borrowed and live as long as the array.
"""
struct tenon_array_info
    struct_size::UInt32
    dtype::UInt32
    rank::Int32
    flags::UInt32  # TENON_ARRAY_*
    data::Ptr{Cvoid}  # address of the element at index 0
    shape::Ptr{Int64}  # rank extents
    strides::Ptr{Int64}  # rank strides, in elements
    size::Int64  # number of elements
    bytes::UInt64  # size of the elements in bytes, without gaps
    device_kind::Int32  # TENON_DEVICE_*
    device_index::Int32
    memory_kind::Int32  # TENON_MEMORY_*
    reserved::Int32
end

struct tenon_program_options
    struct_size::UInt32
    flags::UInt32  # TENON_PROGRAM_FLAG_FAST_MATH ...
    name::Ptr{UInt8}  # name of the source, for messages; default "kernel.cu"
    kernels::Ptr{Ptr{UInt8}}  # kernel_count names or template instances: "saxpy", "axpy<float>", "ns::k<int, 4>"
    kernel_count::Int32
    header_count::Int32
    header_names::Ptr{Ptr{UInt8}}  # headers passed as text: #include "name" finds these first
    header_sources::Ptr{Ptr{UInt8}}
    options::Ptr{Ptr{UInt8}}  # passed to the compiler: -D, -I, -U, -std=, and its own
    option_count::Int32
    mode::Int32  # TENON_PROGRAM_MODE_FAST ...
    # CUDA: an architecture such as "sm_90" to compile for instead of the device's own; such a program cannot be run.
    # CPU: "x86-64-v2", "x86-64-v3", "x86-64-v4" or "native" (the instructions of this processor), which is the default
    # unless $TENON_CPU_ISA says otherwise. A processor to schedule the code for may follow: ",tune=znver4".
    # UNSUPPORTED: the processor lacks the instructions. The results are the same from v3 on; v2 has no fused
    # multiply-add, so that a * b + c is rounded twice
    architecture::Ptr{UInt8}
    # global_count __device__ and __constant__ variables for tenon_program_global: "table", "ns::scale"
    globals::Ptr{Ptr{UInt8}}
    global_count::Int32
    reserved::UInt32
    # seconds that compiling may take; 0: five minutes. A compile that takes longer is ended: COMPILE. If a limit is
    # given, NVRTC too runs in a separate process, which can be ended at once
    time_limit::Float64
end

struct tenon_parameter_info
    struct_size::UInt32
    kind::Int32  # TENON_PARAMETER_*
    dtype::UInt32  # 0: none fits (void*, a struct)
    read_only::UInt32  # 1: a pointer to const, through which the kernel only reads
    size::UInt32  # bytes of the parameter
    alignment::UInt32
    element_size::UInt32  # bytes of the type that a pointer points at; 0 for void
    reserved::UInt32
end

"""
Properties of a kernel as reported by the compiler and the device; on the CPU fields without a meaning are 0.
"""
struct tenon_kernel_info
    struct_size::UInt32
    max_threads_per_block::Int32
    registers::Int32
    execution::UInt32  # TENON_EXECUTION_*
    shared_bytes::UInt64  # static
    constant_bytes::UInt64
    local_bytes::UInt64  # per thread
    dynamic_shared_bytes::UInt64  # the most dynamic shared memory that a launch may request, on every device
    ptx_version::Int32  # the virtual architecture that it was compiled for: 90 is compute_90
    binary_version::Int32  # the architecture of its machine code: 90 is sm_90
    cache_mode_ca::Int32  # 1: loads from global memory are cached in L1 (-Xptxas --dlcm=ca)
    shared_carveout::Int32  # what tenon_kernel_prefer_shared set; -1: nothing, or the device's choice
end

"""
Launch geometry. A zero in grid or block counts as 1.
"""
struct tenon_launch
    struct_size::UInt32
    flags::UInt32  # TENON_LAUNCH_*
    grid::NTuple{3,UInt32}  # blocks
    block::NTuple{3,UInt32}  # threads per block
    cluster::NTuple{3,UInt32}  # blocks per cluster; 0: none. The CPU device, and compute capability 9.0 and later
    shared_bytes::UInt32  # dynamic shared memory; more than 48 KiB needs no special setting
end

struct tenon_program_input
    struct_size::UInt32
    kind::Int32
    data::Ptr{Cvoid}
    size::UInt64  # bytes
    name::Ptr{UInt8}  # for messages; NULL: "input 0" and so on
end

struct tenon_texture_options
    struct_size::UInt32
    dimensions::Int32  # 1 to 3; 0: the axes of the source that are nothing else
    channels::Int32  # 1, 2 or 4: the last axis of the source; 0: none, scalar texels
    layered::Int32  # the first axis of the source counts layers; 1 or 2 dimensions
    cube::Int32  # 2 dimensions; the axis before them has 6 faces, in CUDA's order
    normalized_coordinates::Int32  # from 0 to 1 over the extent; always so for cube maps
    normalized_reads::Int32  # integers of 8 and 16 bits as floats of [0, 1] or [-1, 1]
    surface::Int32  # kernels may also write it
    gather::Int32  # kernels may call tex2Dgather; 2 dimensions
    share::Int32  # read the source's own memory
    filter::Int32
    address_x::Int32  # not for layers; cube maps take CLAMP only
    address_y::Int32
    address_z::Int32
    border::NTuple{4,Float32}  # by channel, for BORDER; 0 where reads give integers
end

struct tenon_texture_info
    struct_size::UInt32
    dtype::UInt32  # of a channel
    dimensions::Int32
    channels::Int32  # 1, 2 or 4
    layered::Int32
    cube::Int32
    surface::Int32
    shared::Int32  # reads the memory of an array
    width::Int64  # in texels; 1 for dimensions that it does not have
    height::Int64  # in texels; 1 for dimensions that it does not have
    depth::Int64  # in texels; 1 for dimensions that it does not have
    layers::Int64  # layers times faces; 1 for neither
    texture_object::UInt64  # what kernels get for TENON_TEXTURE_ARG; on CUDA a CUtexObject
    surface_object::UInt64  # for TENON_SURFACE_ARG; 0: not a surface
end

struct tenon_random_options
    struct_size::UInt32
    reserved::UInt32
    key::UInt64
    offset::UInt64  # the first counter
    stream::UInt64  # below 2^32; with BITS any number. Draws of different streams share no counter
    a::Float64  # of the distribution
    b::Float64  # of the distribution
    low::Int64  # INTEGERS: the smallest number; for uint64 its bits
    count::UInt64  # INTEGERS: how many numbers to choose from; 0: 2^64, or all of a narrower dtype
end

"""
For functions that have no options yet; pass NULL or this struct.
"""
struct tenon_moving_options
    struct_size::UInt32
    reserved::UInt32
end

struct tenon_pad_options
    struct_size::UInt32
    mode::Int32  # TENON_PAD_*
    value::Ptr{tenon_arg}  # CONSTANT and LINEAR_RAMP: a scalar, which must be exact as for tenon_array_fill; NULL: 0
    # MEAN, MAXIMUM, MINIMUM, MEDIAN: of this many elements next to the edge, or 0: of all. Since level 1.1
    stat_length::Int64
end

struct tenon_take_options
    struct_size::UInt32
    # 1: as take_along_axis: the one index array has x's rank, and its extents and x's broadcast except along the axis
    along::Int32
    operation::Int32  # for tenon_scatter: TENON_SCATTER_*
    reserved::Int32
end

struct tenon_range_options
    struct_size::UInt32
    has_last::Int32  # 1: the last number is exactly `last`
    first::Int64  # integer dtypes
    integer_step::Int64
    start::Float64  # floating-point and complex dtypes
    step::Float64
    last::Float64
end

struct tenon_diagonal_options
    struct_size::UInt32
    upper::Int32  # for tenon_triangle. 1: zeros below the diagonal, else above it
    diagonal::Int64  # index of the diagonal: column - row
end

struct tenon_sort_options
    struct_size::UInt32
    descending::Int32  # 1: the largest first
end

struct tenon_top_k_options
    struct_size::UInt32
    smallest::Int32  # 1: the k smallest, else the k largest
end

struct tenon_search_options
    struct_size::UInt32
    right::Int32  # 1: after equal elements, else before them
end

struct tenon_interpolate_options
    struct_size::UInt32
    has_below::Int32  # 1: the result is `below` where x is below the first point, else the first value
    has_above::Int32  # 1: the result is `above` where x is above the last point, else the last value
    reserved::UInt32
    below::Float64
    above::Float64
end

struct tenon_unique_options
    struct_size::UInt32
    nan_distinct::Int32  # 1: each NaN is a separate value (the array API); else all NaN are one value
end

struct tenon_bincount_options
    struct_size::UInt32
    reserved::UInt32  # no options yet
end

struct tenon_quantile_options
    struct_size::UInt32
    method::Int32
    axes::Ptr{Int32}  # as in tenon_reduce_options
    axis_count::Int32
    keep_axes::Int32  # 1: each reduced axis stays, with extent 1
    ignore_nan::Int32  # 1: NaN does not count; else it makes the result NaN
    reserved::Int32
end

"""
The counters start when the context is created; the first fields describe the settings and what is on disk now.
"""
struct tenon_cache_info
    struct_size::UInt32
    mode::Int32  # TENON_CACHE_*, after applying the environment variable
    directory::Ptr{UInt8}  # "" for a cache without a directory. Borrowed from the context
    limit_bytes::UInt64  # limit of the entries' size
    entries::UInt64  # on disk now, written by any process; 0 if nothing is kept on disk
    bytes::UInt64  # total size of these entries
    process_hits::UInt64  # programs that were found in the process
    disk_hits::UInt64  # programs that were found on disk
    misses::UInt64  # programs that were not found, or had to be compiled again
    compiled::UInt64  # programs that were compiled
    failed::UInt64  # programs that failed to compile
    waits::UInt64  # waits for another thread or process that was compiling the same program
    damaged::UInt64  # damaged entries that were found
    written::UInt64  # entries written to disk
    not_written::UInt64  # entries that could not be written, for example because the disk was full
    evicted::UInt64  # entries removed to stay within the limit
end

"""
The entries that one of the calls below processed.
"""
struct tenon_cache_tally
    struct_size::UInt32
    reserved::UInt32
    entries::UInt64  # verify: checked. export: written. import: added. clear: removed
    bytes::UInt64  # their size
    damaged::UInt64  # verify: those of them that are damaged. export: left out because they are damaged
    kept::UInt64  # import: present already. clear: not removed
end

"""
Options of all three.
"""
struct tenon_generated_options
    struct_size::UInt32
    flags::UInt32  # TENON_PROGRAM_FLAG_FAST_MATH, TENON_PROGRAM_FLAG_NO_CACHE
    name::Ptr{UInt8}  # for messages; default "elementwise", "reduction", "scan"
    preamble::Ptr{UInt8}  # CUDA C placed before the kernel: functions, structs; it can use the placeholders
    options::Ptr{Ptr{UInt8}}  # passed to the compiler
    option_count::Int32
    mode::Int32  # TENON_PROGRAM_MODE_FAST ...
    # reduction, scan: the type of the values combined, which may come from the preamble; default: the output's type,
    # float for 16-bit types
    accumulator::Ptr{UInt8}
end

"""
A step: an operation on values. Values are numbered: the inputs from 0, then the steps in their order. Operands are
numbers of earlier values; those that the kind does not have are -1, and so are function and dtype 0.
"""
struct tenon_step
    kind::Int32
    function_::Int32  # TENON_FN_* of UNARY and BINARY (functions.h), else 0
    x::Int32  # operands
    y::Int32  # operands
    z::Int32  # operands
    dtype::UInt32  # of CAST, else 0
end

struct tenon_graph_node_info
    struct_size::UInt32
    kind::Int32
    # name of the kernel, of the generated kernel (from its options), of the operation ("image/blur"), or of the
    # function without its prefix ("gemm", "array_copy"). Valid for the life of the process
    name::Ptr{UInt8}
    parameter_count::Int32  # arguments that can be replaced; 0 for TENON_GRAPH_LIBRARY
    reserved::Int32
end

struct tenon_compute_options
    struct_size::UInt32
    flags::UInt32  # TENON_APPLY_COMPILED
end

struct tenon_reduce_options
    struct_size::UInt32
    flags::UInt32  # TENON_APPLY_COMPILED
    axes::Ptr{Int32}  # axis_count axes, negative ones counted from the end, none twice; NULL with axis_count 0: all
    axis_count::Int32
    keep_axes::Int32  # 1: each reduced axis stays, with extent 1
    # for SUM, PROD, MEAN, VAR, STD, NORM and LOGSUMEXP: x is converted to it first; 0: as functions.h says
    dtype::UInt32
    no_axes::Int32  # 1: reduce over no axis, so that the result has x's shape; axis_count must be 0
    correction::Float64  # for VAR and STD: subtracted from the count, usually 0 or 1
    ignore_nan::Int32  # 1: for ARGMAX and ARGMIN: NaN does not count. Since level 1.1
    reserved::UInt32
end

struct tenon_accumulate_options
    struct_size::UInt32
    flags::UInt32  # TENON_APPLY_COMPILED
    axis::Int32  # negative: from the end
    reserved::Int32
    dtype::UInt32  # for CUMULATIVE_SUM, CUMULATIVE_PROD and CUMULATIVE_LOGSUMEXP, as in tenon_reduce_options
    # 1: element k combines those before k; the first one is the neutral value: 0, 1, or the smallest or largest value
    # of the dtype
    exclusive::Int32
end

struct tenon_segment_options
    struct_size::UInt32
    segments::Int32  # what the array `segments` holds
    axis::Int32  # of x; negative: from the end
    exclusive::Int32  # tenon_segment_scan: as in tenon_accumulate_options
    # of sums, products and logsumexp: x is converted to it first; 0: as for tenon_reduce and tenon_accumulate
    dtype::UInt32
    reserved::UInt32
    count::Int64  # NUMBERS: the number of segments
end

struct tenon_gemm_options
    struct_size::UInt32
    compute::Int32  # TENON_COMPUTE_*
    out_packed::Ptr{Int32}  # receives how many operands had to be packed (0 to 2); may be NULL
    # TENON_OP_*: the product of op_a(a) and op_b(b) is computed; unless it is NONE, exchange the last two axes in the
    # shapes below
    op_a::Int32
    op_b::Int32
    bias::Ptr{tenon_array}  # (n), of c's dtype, added to every row of the product; may be NULL
    epilogue::Int32  # TENON_EPILOGUE_*, applied to the sum
    tune::Int32  # 1: on CUDA, the first product of a kind measures cuBLASLt's algorithms; see tenon_gemm
end

struct tenon_svd_options
    struct_size::UInt32
    mode::Int32  # TENON_SVD_MODE_*
    driver::Int32
    reserved::Int32
    k::Int64  # number of the largest values wanted, with their vectors; 0: all of them
    tolerance::Float64  # for the leading k, see tenon_svd; 0: 1e-6 for single precision, 1e-12 for double
    out_driver::Ptr{Int32}  # receives the driver that computed the result, never TENON_SVD_DRIVER_AUTO; may be NULL
end

"""
Each function lists the fields that it uses; the others must be 0. NULL means all zeros.
"""
struct tenon_blas_options
    struct_size::UInt32
    op::Int32  # TENON_OP_*: op(a) takes part instead of a
    upper::Int32  # 1: the upper triangle, else the lower one; the other one is neither read nor written
    right::Int32  # 1: a is on the right of b, else on its left
    # 1: a complex matrix is Hermitian (imaginary parts on the diagonal count as 0); else it is symmetric
    hermitian::Int32
    unit_diagonal::Int32  # 1: a's diagonal is 1 and not read
    conjugate::Int32  # 1: one operand is conjugated; the function says which
    op_b::Int32  # TENON_OP_*: op_b(b) takes part instead of b
    below::Int64  # number of diagonals of a banded matrix below the main one
    out_packed::Ptr{Int32}  # receives how many arrays had to be packed; may be NULL. Every function uses it
end

struct tenon_solve_options
    struct_size::UInt32
    kind::Int32  # TENON_SOLVE_*
    op::Int32  # TENON_OP_*: solves op(a) x = b; not with TENON_SOLVE_POSITIVE
    unit_diagonal::Int32  # 1, with LOWER and UPPER: a's diagonal is 1 and not read
end

struct tenon_lu_options
    struct_size::UInt32
    op::Int32  # TENON_OP_*: tenon_lu_solve solves op(a) x = b
    reserved::Int32
end

struct tenon_cholesky_options
    struct_size::UInt32
    upper::Int32  # 1: the upper triangle of a is read, and the factor is upper triangular; else the lower one
    reserved::Int32
end

struct tenon_qr_options
    struct_size::UInt32
    mode::Int32  # TENON_QR_*
    reserved::Int32
end

struct tenon_rank_options
    struct_size::UInt32
    reserved::Int32
    # singular values up to rcond times the largest one count as 0; 0: max(m, n) epsilon; < 0: only exact 0 does
    rcond::Float64
end

struct tenon_ldl_options
    struct_size::UInt32
    upper::Int32  # 1: the upper triangle of a is read, else the lower one
    hermitian::Int32  # 1: a complex a is Hermitian; else it is symmetric
    reserved::Int32
end

struct tenon_eigh_options
    struct_size::UInt32
    upper::Int32  # 1: the upper triangle of a is read, else the lower one
    first::Int64  # the first eigenvalue wanted, from 0, in ascending order
    count::Int64  # number of eigenvalues; 0: all from `first` on
    low::Float64  # with by_value 1: the eigenvalues above low and up to high; first and count must be 0
    high::Float64
    by_value::Int32
    reserved::Int32
end

struct tenon_eig_options
    struct_size::UInt32
    reserved::Int32
end

struct tenon_norm_options
    struct_size::UInt32
    kind::Int32  # TENON_NORM_*
    reserved::Int32
end

struct tenon_power_options
    struct_size::UInt32
    reserved::Int32
end

struct tenon_fft_options
    struct_size::UInt32
    direction::Int32  # TENON_FFT_DIRECTION_FORWARD or INVERSE
    norm::Int32  # TENON_FFT_NORM_*
    reserved::Int32
    real_length::Int64  # for a new destination: > 0: real, with this extent along the last of the axes; 0: complex
end

struct tenon_dct_options
    struct_size::UInt32
    type_::Int32  # 1 to 4; 0: 2
    sine::Int32  # 1: the sine transform, else the cosine transform
    direction::Int32  # TENON_FFT_DIRECTION_FORWARD or INVERSE
    norm::Int32  # TENON_FFT_NORM_*
    reserved::Int32
end

struct tenon_convolve_options
    struct_size::UInt32
    mode::Int32  # TENON_CONVOLVE_*
    correlate::Int32  # 1: the correlation of a and b instead
    reserved::Int32
end

struct tenon_shift_options
    struct_size::UInt32
    inverse::Int32  # 1: undoes the shift
    reserved::Int32
end

struct tenon_frequencies_options
    struct_size::UInt32
    half::Int32  # 1: for a transform of real numbers
    reserved::Int32
end

struct tenon_sparse_options
    struct_size::UInt32
    index_dtype::UInt32  # tenon_csr_from_dense: that of the results; 0: int32 if it can hold all of them, else int64
    # 1: the offsets and indices are known to be valid, because a function here made or checked them, and are not
    # checked again: the call then does not wait for that on CUDA. With indices that are not valid the results are then
    # undefined
    trusted::Int32
end

struct tenon_sparse_product_options
    struct_size::UInt32
    # 1: the matrix is transposed first, on each call: keep the result of tenon_csr_transpose where several products
    # need it
    transposed::Int32
    conjugated::Int32  # 1: its values are conjugated
    own::Int32  # 1: the library's kernels, even where cuSPARSE is installed: for comparisons
    trusted::Int32  # as in tenon_sparse_options
    reserved::UInt32
    alpha::Ptr{tenon_arg}  # a scalar; NULL: 1
    beta::Ptr{tenon_arg}  # a scalar; NULL: 0, and then the old values of the result are not read
end

struct tenon_package_options
    struct_size::UInt32
    flags::UInt32  # TENON_PACKAGE_*
    sha256::Ptr{UInt8}  # the content hash that the package must have (64 hexadecimal digits); default: any
    trusted_keys::Ptr{Ptr{UInt8}}  # public keys that are trusted in addition to the user's list
    trusted_key_count::Int32
    reserved::UInt32
end

struct tenon_operation_info
    struct_size::UInt32
    flags::UInt32  # TENON_OPERATION_*
    parameter_count::Int32  # number of arguments
    output_count::Int32  # number of parameters with the role TENON_ROLE_OUT
    tunable_count::Int32
    test_count::Int32
end

struct tenon_operation_parameter_info
    struct_size::UInt32
    role::Int32  # TENON_ROLE_*
    flags::UInt32  # TENON_OPERAND_*
    dtype::UInt32  # 0: determined by the placeholder
    placeholder::Int32  # number of the placeholder; -1: none. Parameters with the same placeholder have the same dtype
    reserved::Int32
    name::Ptr{UInt8}  # borrowed from the operation
    doc::Ptr{UInt8}  # borrowed from the operation; "" if there is none
end

"""
Measuring and tuning.

The measured cases are the contract's `bench` cases, else its tests, or arguments passed here. Tuning tries the
values of the contract's tunables on the device and keeps the fastest for each case as a record: readable JSON, one
file PACKAGE.OPERATION.json in the context's tuning directory. A record applies to this version and content of the
package, the device's product, the dtypes, the shapes of the inputs and the scalars that the contract lists
(tuned_for). Later calls, in every process, use the record of the same device and dtypes whose shapes and scalars are
nearest; if none is near, or the nearest one's values cannot be launched (logged once, as a warning), the defaults.
Records are ignored if a tunable was set by tenon_operation_set_tunable, and in a context with
TENON_CONTEXT_DETERMINISTIC.
"""
struct tenon_measure_options
    struct_size::UInt32
    given_count::Int32  # length of the two lists below; 0: the contract's cases
    given_names::Ptr{Ptr{UInt8}}  # names of inputs and scalars ...
    given_values::Ptr{Ptr{UInt8}}  # ... and their values: such as "normal(1000, 1000)", as in tests; a number; a choice
    types::Ptr{UInt8}  # use only these dtypes: "T=float32, A=float64"; default: all that the contract allows
    seconds::Float64  # time limit in all; default: 1 for each case of a measurement, 30 for tuning
end

"""
One call of a function. All pointers are borrowed for the call.
"""
struct tenon_host_call
    struct_size::UInt32
    count::Int32
    # as for the operation: the step's inputs and scalars, then its outputs; defaults are filled in; an optional array
    # that was left out has kind 0
    args::Ptr{tenon_arg}
    stream::Ptr{tenon_stream}  # the stream for the work; on the CPU the work must be complete when the function returns
end

struct tenon_host_function
    struct_size::UInt32
    reserved::UInt32
    name::Ptr{UInt8}  # its name in the contract's steps
    function_::Ptr{Cvoid}
    user::Ptr{Cvoid}
    destroy::Ptr{Cvoid}  # called with user when the function can no longer be called; not if registering it failed
end

"""
The registry that tenon_plugin_init uses; valid until it returns.
"""
struct tenon_registry
    struct_size::UInt32
    reserved::UInt32
    user::Ptr{Cvoid}  # to be passed to add
    add::Ptr{Cvoid}
end

const NAMES = (
    :tenon_blob_data,
    :tenon_blob_retain,
    :tenon_blob_release,
    :tenon_version,
    :tenon_get_api,
    :tenon_build_info,
    :tenon_status_name,
    :tenon_error_last,
    :tenon_error_clear,
    :tenon_error_last_message,
    :tenon_error_status,
    :tenon_error_message,
    :tenon_error_native,
    :tenon_error_log,
    :tenon_error_retain,
    :tenon_error_release,
    :tenon_dtype_name,
    :tenon_dtype_bits,
    :tenon_context_default,
    :tenon_context_create,
    :tenon_context_retain,
    :tenon_context_release,
    :tenon_context_device_count,
    :tenon_context_device_at,
    :tenon_context_device,
    :tenon_context_report,
    :tenon_device_get_info,
    :tenon_device_name,
    :tenon_device_description,
    :tenon_device_toolkit,
    :tenon_device_synchronize,
    :tenon_device_retain,
    :tenon_device_release,
    :tenon_device_get_memory_info,
    :tenon_device_trim_memory,
    :tenon_stream_create,
    :tenon_stream_wrap,
    :tenon_stream_default,
    :tenon_stream_native,
    :tenon_stream_device,
    :tenon_stream_synchronize,
    :tenon_stream_query,
    :tenon_stream_wait_event,
    :tenon_stream_retain,
    :tenon_stream_release,
    :tenon_event_create,
    :tenon_event_record,
    :tenon_event_synchronize,
    :tenon_event_query,
    :tenon_event_elapsed,
    :tenon_event_retain,
    :tenon_event_release,
    :tenon_buffer_create,
    :tenon_buffer_wrap,
    :tenon_buffer_data,
    :tenon_buffer_retain,
    :tenon_buffer_release,
    :tenon_array_create,
    :tenon_array_zeros,
    :tenon_array_from_host,
    :tenon_array_from_buffer,
    :tenon_array_retain,
    :tenon_array_release,
    :tenon_array_get_info,
    :tenon_array_device,
    :tenon_array_buffer,
    :tenon_array_reshape,
    :tenon_array_transpose,
    :tenon_array_slice,
    :tenon_array_index,
    :tenon_array_broadcast,
    :tenon_array_view,
    :tenon_array_copy,
    :tenon_array_fill,
    :tenon_array_convert,
    :tenon_array_to_host,
    :tenon_array_set_from_host,
    :tenon_array_from_dlpack,
    :tenon_array_from_dlpack_versioned,
    :tenon_array_to_dlpack,
    :tenon_array_to_dlpack_versioned,
    :tenon_program_create,
    :tenon_program_log,
    :tenon_program_image,
    :tenon_program_kernel,
    :tenon_program_retain,
    :tenon_program_release,
    :tenon_kernel_parameter_count,
    :tenon_kernel_get_parameter_info,
    :tenon_kernel_name,
    :tenon_kernel_get_info,
    :tenon_kernel_retain,
    :tenon_kernel_release,
    :tenon_kernel_launch,
    :tenon_call_create,
    :tenon_call_set,
    :tenon_call_launch,
    :tenon_call_clone,
    :tenon_call_retain,
    :tenon_call_release,
    :tenon_gemm,
    :tenon_svd,
    :tenon_fft,
    :tenon_elementwise_create,
    :tenon_elementwise_call,
    :tenon_elementwise_output,
    :tenon_elementwise_retain,
    :tenon_elementwise_release,
    :tenon_reduction_create,
    :tenon_reduction_call,
    :tenon_reduction_output,
    :tenon_reduction_retain,
    :tenon_reduction_release,
    :tenon_scan_create,
    :tenon_scan_call,
    :tenon_scan_output,
    :tenon_scan_retain,
    :tenon_scan_release,
    :tenon_program_global,
    :tenon_kernel_occupancy,
    :tenon_kernel_suggest,
    :tenon_launch_for,
    :tenon_kernel_time,
    :tenon_compilation_start,
    :tenon_compilation_query,
    :tenon_compilation_wait,
    :tenon_compilation_cancel,
    :tenon_compilation_retain,
    :tenon_compilation_release,
    :tenon_graph_create,
    :tenon_graph_begin,
    :tenon_graph_end,
    :tenon_graph_clear,
    :tenon_graph_launch,
    :tenon_graph_set,
    :tenon_graph_node_count,
    :tenon_graph_get_node_info,
    :tenon_graph_get_parameter_info,
    :tenon_graph_retain,
    :tenon_graph_release,
    :tenon_package_load,
    :tenon_package_load_memory,
    :tenon_package_check,
    :tenon_package_find,
    :tenon_package_list,
    :tenon_package_unload,
    :tenon_package_reload,
    :tenon_package_describe,
    :tenon_package_operation,
    :tenon_package_file,
    :tenon_package_retain,
    :tenon_package_release,
    :tenon_operation_find,
    :tenon_operation_describe,
    :tenon_operation_get_info,
    :tenon_operation_get_parameter_info,
    :tenon_operation_gradient,
    :tenon_operation_package,
    :tenon_operation_retain,
    :tenon_operation_release,
    :tenon_dot,
    :tenon_einsum,
    :tenon_solve,
    :tenon_lu,
    :tenon_lu_solve,
    :tenon_cholesky,
    :tenon_cholesky_solve,
    :tenon_qr,
    :tenon_lstsq,
    :tenon_inverse,
    :tenon_pinv,
    :tenon_matrix_rank,
    :tenon_det,
    :tenon_slogdet,
    :tenon_eigh,
    :tenon_eig,
    :tenon_norm,
    :tenon_cond,
    :tenon_matrix_power,
    :tenon_expm,
    :tenon_operation_call,
    :tenon_operation_output,
    :tenon_operation_prepare,
    :tenon_package_prepare,
    :tenon_operation_set_tunable,
    :tenon_operation_get_tunable,
    :tenon_operation_test,
    :tenon_operation_bind,
    :tenon_program_link,
    :tenon_compilation_link,
    :tenon_kernel_parameter_name,
    :tenon_cache_get_info,
    :tenon_cache_list,
    :tenon_cache_verify,
    :tenon_cache_export,
    :tenon_cache_import,
    :tenon_cache_clear,
    :tenon_kron,
    :tenon_ldl,
    :tenon_ldl_solve,
    :tenon_program_compile,
    :tenon_package_pack,
    :tenon_operation_measure,
    :tenon_operation_tune,
    :tenon_dct,
    :tenon_signing_key_create,
    :tenon_signing_key_public,
    :tenon_package_sign,
    :tenon_plugin_load,
    :tenon_tensordot,
    :tenon_fft_prepare,
    :tenon_dct_prepare,
    :tenon_convolve,
    :tenon_fft_shift,
    :tenon_fft_frequencies,
    :tenon_fft_fast_length,
    :tenon_gemv,
    :tenon_ger,
    :tenon_axpy,
    :tenon_scal,
    :tenon_nrm2,
    :tenon_syrk,
    :tenon_symm,
    :tenon_trmm,
    :tenon_trsm,
    :tenon_gemm_grouped,
    :tenon_error_batch_index,
    :tenon_array_follow,
    :tenon_interrupt_set,
    :tenon_handle_kind,
    :tenon_retain,
    :tenon_release,
    :tenon_same,
    :tenon_cpu_threads_set,
    :tenon_cpu_threads_get,
    :tenon_event_device,
    :tenon_buffer_device,
    :tenon_program_device,
    :tenon_kernel_program,
    :tenon_kernel_device,
    :tenon_call_kernel,
    :tenon_graph_device,
    :tenon_symv,
    :tenon_syr,
    :tenon_trmv,
    :tenon_trsv,
    :tenon_unary,
    :tenon_binary,
    :tenon_select,
    :tenon_clip,
    :tenon_cast,
    :tenon_reduce,
    :tenon_accumulate,
    :tenon_result_type,
    :tenon_random,
    :tenon_random_blocks,
    :tenon_random_split,
    :tenon_random_permutation,
    :tenon_concat,
    :tenon_stack,
    :tenon_tile,
    :tenon_repeat,
    :tenon_roll,
    :tenon_pad,
    :tenon_take,
    :tenon_scatter,
    :tenon_nonzero,
    :tenon_compress,
    :tenon_range,
    :tenon_eye,
    :tenon_triangle,
    :tenon_sort,
    :tenon_top_k,
    :tenon_search_sorted,
    :tenon_unique,
    :tenon_bincount,
    :tenon_device_allocator,
    :tenon_stream_call_host,
    :tenon_event_wrap,
    :tenon_event_native,
    :tenon_buffer_create_shared,
    :tenon_buffer_share,
    :tenon_buffer_open,
    :tenon_array_use,
    :tenon_call_set_args,
    :tenon_call_set_launch,
    :tenon_graph_set_args,
    :tenon_graph_set_launch,
    :tenon_graph_last_node,
    :tenon_asum,
    :tenon_iamax,
    :tenon_iamin,
    :tenon_swap,
    :tenon_rot,
    :tenon_rotg,
    :tenon_syr2,
    :tenon_gbmv,
    :tenon_sbmv,
    :tenon_syr2k,
    :tenon_geam,
    :tenon_device_limit_memory,
    :tenon_rotm,
    :tenon_rotmg,
    :tenon_tbmv,
    :tenon_tbsv,
    :tenon_elementwise_compose,
    :tenon_texture_create,
    :tenon_texture_update,
    :tenon_texture_read,
    :tenon_texture_get_info,
    :tenon_texture_device,
    :tenon_texture_retain,
    :tenon_texture_release,
    :tenon_kernel_prefer_shared,
    :tenon_reduction_compose,
    :tenon_scan_compose,
    :tenon_quantile,
    :tenon_segment_reduce,
    :tenon_segment_scan,
    :tenon_segment_offsets,
    :tenon_csr_from_coo,
    :tenon_csr_from_dense,
    :tenon_csr_rows,
    :tenon_csr_to_dense,
    :tenon_csr_transpose,
    :tenon_csr_multiply,
    :tenon_einsum_path,
    :tenon_interpolate,
    :tenon_device_use_allocator,
)

"""
    int32_t tenon_blob_data(const tenon_blob* blob, const void** out_data, uint64_t* out_size)

The bytes of a blob, borrowed. A NUL byte follows the last one, so that text can be used as a C string.
"""
tenon_blob_data(blob, out_data, out_size) =
    ccall(address(1), Int32, (Ptr{tenon_blob}, Ptr{Ptr{Cvoid}}, Ptr{UInt64}), blob, out_data, out_size)

"""
    int32_t tenon_blob_retain(const tenon_blob* blob)

Adds one reference.
"""
tenon_blob_retain(blob) =
    ccall(address(2), Int32, (Ptr{tenon_blob},), blob)

"""
    void tenon_blob_release(tenon_blob* blob)

Releases one reference.
"""
tenon_blob_release(blob) =
    ccall(address(3), Cvoid, (Ptr{tenon_blob},), blob)

"""
    uint32_t tenon_version(void)

The version of the loaded library, in the format of TENON_PACK_VERSION. It may be newer than the headers. Compare it
with TENON_ABI_LEVEL: version 1.2.3 has everything of the levels 1.0 to 1.2.
"""
tenon_version() =
    ccall(address(4), UInt32, ())

"""
    const tenon_api* tenon_get_api(uint32_t level)

Every function as a table, for plug-ins and for programs that open the library at run time. level: the
TENON_TARGET_LEVEL that the caller was compiled with. A caller of a newer level of the same major version gets this
library's table, and checks TENON_HAS before it uses a row that an older library may lack. Returns NULL, with VERSION
in the error record, if the level belongs to another major version, whose rows this library does not have. The table
is static.
"""
tenon_get_api(level) =
    ccall(address(5), Ptr{tenon_api}, (UInt32,), level)

"""
    const char* tenon_build_info(void)

How the library was built (version, compiler, options, backends), as JSON text: static, borrowed, never NULL.
"""
tenon_build_info() =
    ccall(address(6), Cstring, ())

"""
    const char* tenon_status_name(int32_t status)

The name of a status, \"TENON_OK\" and so on; \"TENON_ERROR_UNKNOWN\" for an unknown value. Static, never NULL.
"""
tenon_status_name(status) =
    ccall(address(7), Cstring, (Int32,), status)

"""
    int32_t tenon_error_last(tenon_error** out_error)

The calling thread's last failure as an owned object; *out_error is NULL if the thread has had no failure since it
started or since tenon_error_clear.
"""
tenon_error_last(out_error) =
    ccall(address(8), Int32, (Ptr{Ptr{tenon_error}},), out_error)

"""
    void tenon_error_clear(void)

Forgets the calling thread's last failure.
"""
tenon_error_clear() =
    ccall(address(9), Cvoid, ())

"""
    const char* tenon_error_last_message(void)

The text of the calling thread's last failure: one or two sentences that say what was wrong and what would be right.
Borrowed until the thread's next failing call; \"\" if there was no failure; never NULL.
"""
tenon_error_last_message() =
    ccall(address(10), Cstring, ())

"""
    int32_t tenon_error_status(const tenon_error* error, int32_t* out_status)

The status that the failing call returned.
"""
tenon_error_status(error, out_status) =
    ccall(address(11), Int32, (Ptr{tenon_error}, Ptr{Int32}), error, out_status)

"""
    int32_t tenon_error_message(const tenon_error* error, const char** out_text)

The text, borrowed.
"""
tenon_error_message(error, out_text) =
    ccall(address(12), Int32, (Ptr{tenon_error}, Ptr{Ptr{UInt8}}), error, out_text)

"""
    int32_t tenon_error_native(const tenon_error* error, const char** out_call, int64_t* out_code)

The vendor call that failed: its name (\"cuLaunchKernel\", \"sgesdd\"; \"\" if no vendor call failed) and the code it
returned (CUresult, cublasStatus_t, LAPACK info ...).
"""
tenon_error_native(error, out_call, out_code) =
    ccall(address(13), Int32, (Ptr{tenon_error}, Ptr{Ptr{UInt8}}, Ptr{Int64}), error, out_call, out_code)

"""
    int32_t tenon_error_log(const tenon_error* error, const char** out_text)

The compiler's full log, with the line numbers of the user's source; \"\" if the failure has none. Borrowed.
"""
tenon_error_log(error, out_text) =
    ccall(address(14), Int32, (Ptr{tenon_error}, Ptr{Ptr{UInt8}}), error, out_text)

"""
    int32_t tenon_error_retain(const tenon_error* error)

Adds one reference.
"""
tenon_error_retain(error) =
    ccall(address(15), Int32, (Ptr{tenon_error},), error)

"""
    void tenon_error_release(tenon_error* error)

Releases one reference.
"""
tenon_error_release(error) =
    ccall(address(16), Cvoid, (Ptr{tenon_error},), error)

"""
    const char* tenon_dtype_name(uint32_t dtype)
 The name of a dtype as NumPy spells it (\"float32\", \"complex64\", \"bfloat16\", \"float8_e4m3fn\"; with lanes
\"float32x4\"). \"invalid\" for a value that is not a dtype. Valid for the life of the process; never NULL.
"""
tenon_dtype_name(dtype) =
    ccall(address(17), Cstring, (UInt32,), dtype)

"""
    int32_t tenon_dtype_bits(uint32_t dtype, uint32_t* out_bits)

Bits of one element, lanes included. DTYPE: the value is not a dtype.
"""
tenon_dtype_bits(dtype, out_bits) =
    ccall(address(18), Int32, (UInt32, Ptr{UInt32}), dtype, out_bits)

"""
    int32_t tenon_context_default(tenon_context** out_context)

The process-default context as an owned reference; made on first use.
"""
tenon_context_default(out_context) =
    ccall(address(19), Int32, (Ptr{Ptr{tenon_context}},), out_context)

"""
    int32_t tenon_context_create(const tenon_context_options* options, tenon_context** out_context)

Creates a separate context. Statuses: INVALID_ARGUMENT (an option), OUT_OF_MEMORY. Without a CUDA driver the context
has only the CPU device.
"""
tenon_context_create(options, out_context) =
    ccall(address(20), Int32, (Ptr{tenon_context_options}, Ptr{Ptr{tenon_context}}), options, out_context)

"""
    int32_t tenon_context_retain(const tenon_context* context)

Adds one reference.
"""
tenon_context_retain(context) =
    ccall(address(21), Int32, (Ptr{tenon_context},), context)

"""
    void tenon_context_release(tenon_context* context)

Releases one reference. The context closes when the last object that uses it (an array, a program ...) is released
too.
"""
tenon_context_release(context) =
    ccall(address(22), Cvoid, (Ptr{tenon_context},), context)

"""
    int32_t tenon_context_device_count(tenon_context* context, int32_t* out_count)

Number of devices: the CPU, then every CUDA device that the driver lists. The first call looks for the CUDA
driver.
"""
tenon_context_device_count(context, out_count) =
    ccall(address(23), Int32, (Ptr{tenon_context}, Ptr{Int32}), context, out_count)

"""
    int32_t tenon_context_device_at(tenon_context* context, int32_t index, tenon_device** out_device)

Device `index` of that list. INVALID_ARGUMENT: the index is out of range.
"""
tenon_context_device_at(context, index, out_device) =
    ccall(address(24), Int32, (Ptr{tenon_context}, Int32, Ptr{Ptr{tenon_device}}), context, index, out_device)

"""
    int32_t tenon_context_device(tenon_context* context, const char* name, tenon_device** out_device)
 A device by name: \"cpu:0\" (or \"cpu\"), \"cuda:1\" (\"cuda\" is \"cuda:0\"), or \"best\": cuda:0 if it exists, else
cpu:0. NOT_FOUND: no device has that name; the message lists the devices that exist and, for CUDA, says why none was
found (no driver, no device, driver too old).
"""
tenon_context_device(context, name, out_device) =
    ccall(address(25), Int32, (Ptr{tenon_context}, Cstring, Ptr{Ptr{tenon_device}}), context, name, out_device)

"""
    int32_t tenon_context_report(tenon_context* context, tenon_blob** out_report)

A report as JSON text: devices, toolkit and libraries with their paths and how each was found, compilers, cache
directory and counters. Opens no library that was not needed before.
"""
tenon_context_report(context, out_report) =
    ccall(address(26), Int32, (Ptr{tenon_context}, Ptr{Ptr{tenon_blob}}), context, out_report)

"""
    int32_t tenon_device_get_info(const tenon_device* device, tenon_device_info* out_info)

Fills *out_info; its struct_size must be set by the caller.
"""
tenon_device_get_info(device, out_info) =
    ccall(address(27), Int32, (Ptr{tenon_device}, Ptr{tenon_device_info}), device, out_info)

"""
    int32_t tenon_device_name(const tenon_device* device, const char** out_name)

\"cpu:0\", \"cuda:0\". Borrowed.
"""
tenon_device_name(device, out_name) =
    ccall(address(28), Int32, (Ptr{tenon_device}, Ptr{Ptr{UInt8}}), device, out_name)

"""
    int32_t tenon_device_description(const tenon_device* device, const char** out_text)

The product: \"NVIDIA H200\", \"AMD EPYC ...\". Borrowed.
"""
tenon_device_description(device, out_text) =
    ccall(address(29), Int32, (Ptr{tenon_device}, Ptr{Ptr{UInt8}}), device, out_text)

"""
    int32_t tenon_device_toolkit(const tenon_device* device, const char** out_text)

The compiler of the device's kernels, and where it was found: \"CUDA 13.0, NVRTC 13.0 from /usr/local/cuda/lib64
(toolkit)\", \"clang 19.1.7 at /usr/bin/clang++-19\", or a sentence that says what is missing and what to install.
Borrowed.
"""
tenon_device_toolkit(device, out_text) =
    ccall(address(30), Int32, (Ptr{tenon_device}, Ptr{Ptr{UInt8}}), device, out_text)

"""
    int32_t tenon_device_synchronize(tenon_device* device)

Waits for all work that Tenon enqueued on the device; returns the first fault found. KERNEL_FAULT: a kernel on the
CPU device failed. In a context that defers errors, also deferred errors: SINGULAR, NOT_FINITE, NOT_CONVERGED,
OVERFLOW.
"""
tenon_device_synchronize(device) =
    ccall(address(31), Int32, (Ptr{tenon_device},), device)

"""
    int32_t tenon_device_retain(const tenon_device* device)

Adds one reference.
"""
tenon_device_retain(device) =
    ccall(address(32), Int32, (Ptr{tenon_device},), device)

"""
    void tenon_device_release(tenon_device* device)

Releases one reference.
"""
tenon_device_release(device) =
    ccall(address(33), Cvoid, (Ptr{tenon_device},), device)

"""
    int32_t tenon_device_get_memory_info(const tenon_device* device, tenon_memory_info* out_info)

Fills *out_info; its struct_size must be set by the caller.
"""
tenon_device_get_memory_info(device, out_info) =
    ccall(address(34), Int32, (Ptr{tenon_device}, Ptr{tenon_memory_info}), device, out_info)

"""
    int32_t tenon_device_trim_memory(tenon_device* device, uint64_t keep_bytes)

Returns free blocks to the system, keeping at most keep_bytes.
"""
tenon_device_trim_memory(device, keep_bytes) =
    ccall(address(35), Int32, (Ptr{tenon_device}, UInt64), device, keep_bytes)

"""
    int32_t tenon_stream_create(tenon_device* device, const tenon_stream_options* options, tenon_stream** out_stream)

A new stream. On CUDA it does not synchronise with the legacy default stream.
"""
tenon_stream_create(device, options, out_stream) =
    ccall(address(36), Int32, (Ptr{tenon_device}, Ptr{tenon_stream_options}, Ptr{Ptr{tenon_stream}}), device, options,
          out_stream)

"""
    int32_t tenon_stream_wrap(tenon_device* device, uint64_t native, tenon_destroy_fn destroy, void* user,
                              tenon_stream** out_stream)

A stream for a native handle (a CUstream; 0 or 1: the legacy default stream, 2: the per-thread default stream), which
its owner keeps. On the CPU device only 0 is valid.
destroy NULL: the native stream must stay valid until the last reference that this call returned is released; arrays
used on it may live longer. Otherwise it must stay valid until destroy(user) runs: once, when no reference, array or
pending work refers to the stream any more (at once, if the stream is kept valid already: by an earlier wrapping, by
Tenon, or by the driver), on the thread of the call that finds this out. Wrapping it again is then as cheap as taking
a reference. The library takes ownership of destroy on success only.
INVALID_ARGUMENT: not a live stream; DEVICE: a stream of another device or context.
"""
tenon_stream_wrap(device, native, destroy, user, out_stream) =
    ccall(address(37), Int32, (Ptr{tenon_device}, UInt64, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Ptr{tenon_stream}}), device,
          native, destroy, user, out_stream)

"""
    int32_t tenon_stream_default(tenon_device* device, tenon_stream** out_stream)

The device's default stream: the one that a NULL stream means unless an argument's framework provides its own.
"""
tenon_stream_default(device, out_stream) =
    ccall(address(38), Int32, (Ptr{tenon_device}, Ptr{Ptr{tenon_stream}}), device, out_stream)

"""
    int32_t tenon_stream_native(const tenon_stream* stream, uint64_t* out_native)

The native handle (CUstream; 1: the legacy default stream); 0 on the CPU.
"""
tenon_stream_native(stream, out_native) =
    ccall(address(39), Int32, (Ptr{tenon_stream}, Ptr{UInt64}), stream, out_native)

"""
    int32_t tenon_stream_device(const tenon_stream* stream, tenon_device** out_device)

The device of the stream, as a new reference.
"""
tenon_stream_device(stream, out_device) =
    ccall(address(40), Int32, (Ptr{tenon_stream}, Ptr{Ptr{tenon_device}}), stream, out_device)

"""
    int32_t tenon_stream_synchronize(tenon_stream* stream)

Waits until all work enqueued so far has finished. Returns the stream's fault (KERNEL_FAULT, DEVICE_LOST) if there
was one; a KERNEL_FAULT is reported once and cleared. stream NULL: waits for the default stream of each device of the
process-default context that was used, then returns the first fault. In a context that defers errors, also deferred
errors: SINGULAR, NOT_FINITE, NOT_CONVERGED, OVERFLOW.
"""
tenon_stream_synchronize(stream) =
    ccall(address(41), Int32, (Ptr{tenon_stream},), stream)

"""
    int32_t tenon_stream_query(tenon_stream* stream)

TENON_OK if all work has finished, TENON_ERROR_NOT_READY if not; otherwise as tenon_stream_synchronize, for NULL too.
Does not wait. In a context that defers errors, also deferred errors: SINGULAR, NOT_FINITE, NOT_CONVERGED,
OVERFLOW.
"""
tenon_stream_query(stream) =
    ccall(address(42), Int32, (Ptr{tenon_stream},), stream)

"""
    int32_t tenon_stream_wait_event(tenon_stream* stream, tenon_event* event)

Work enqueued on `stream` (NULL: the default stream of the event's device) from now on waits for the work that
precedes the event's last record, even on a stream of another device. CONTEXT: stream and event belong to different
contexts.
"""
tenon_stream_wait_event(stream, event) =
    ccall(address(43), Int32, (Ptr{tenon_stream}, Ptr{tenon_event}), stream, event)

"""
    int32_t tenon_stream_retain(const tenon_stream* stream)

Adds one reference.
"""
tenon_stream_retain(stream) =
    ccall(address(44), Int32, (Ptr{tenon_stream},), stream)

"""
    void tenon_stream_release(tenon_stream* stream)

Releases one reference. Work in flight continues.
"""
tenon_stream_release(stream) =
    ccall(address(45), Cvoid, (Ptr{tenon_stream},), stream)

"""
    int32_t tenon_event_create(tenon_device* device, uint32_t flags, tenon_event** out_event)

A new event, not recorded yet; waiting for it returns at once. flags: TENON_EVENT_*.
"""
tenon_event_create(device, flags, out_event) =
    ccall(address(46), Int32, (Ptr{tenon_device}, UInt32, Ptr{Ptr{tenon_event}}), device, flags, out_event)

"""
    int32_t tenon_event_record(tenon_event* event, tenon_stream* stream)

Marks this point of the stream (NULL: the default stream of the event's device), replacing an earlier mark.
"""
tenon_event_record(event, stream) =
    ccall(address(47), Int32, (Ptr{tenon_event}, Ptr{tenon_stream}), event, stream)

"""
    int32_t tenon_event_synchronize(tenon_event* event)

Waits on the host until the mark is reached. In a context that defers errors, also deferred errors: SINGULAR,
NOT_FINITE, NOT_CONVERGED, OVERFLOW.
"""
tenon_event_synchronize(event) =
    ccall(address(48), Int32, (Ptr{tenon_event},), event)

"""
    int32_t tenon_event_query(tenon_event* event)

TENON_OK if the mark is reached, TENON_ERROR_NOT_READY if not.
"""
tenon_event_query(event) =
    ccall(address(49), Int32, (Ptr{tenon_event},), event)

"""
    int32_t tenon_event_elapsed(tenon_event* start, tenon_event* end, double* out_seconds)

Seconds between two recorded timing events that are both reached (NOT_READY otherwise). INVALID_ARGUMENT: one was
created without TENON_EVENT_TIMING. DEVICE: they belong to different devices.
"""
tenon_event_elapsed(start, end_, out_seconds) =
    ccall(address(50), Int32, (Ptr{tenon_event}, Ptr{tenon_event}, Ptr{Float64}), start, end_, out_seconds)

"""
    int32_t tenon_event_retain(const tenon_event* event)

Adds one reference.
"""
tenon_event_retain(event) =
    ccall(address(51), Int32, (Ptr{tenon_event},), event)

"""
    void tenon_event_release(tenon_event* event)

Releases one reference.
"""
tenon_event_release(event) =
    ccall(address(52), Cvoid, (Ptr{tenon_event},), event)

"""
    int32_t tenon_buffer_create(tenon_device* device, uint64_t bytes, int32_t kind, tenon_stream* stream,
                                tenon_buffer** out_buffer)

Allocates `bytes` (0 is allowed) of memory, not cleared, stream-ordered on `stream`. kind: TENON_MEMORY_*.
OUT_OF_MEMORY, after free blocks were returned to the system and a second attempt failed: the text gives the bytes
requested, in use and free. OVERFLOW: more than 2^63 - 1 bytes. UNSUPPORTED: pinned or managed memory on the CPU
device.
"""
tenon_buffer_create(device, bytes, kind, stream, out_buffer) =
    ccall(address(53), Int32, (Ptr{tenon_device}, UInt64, Int32, Ptr{tenon_stream}, Ptr{Ptr{tenon_buffer}}), device,
          bytes, kind, stream, out_buffer)

"""
    int32_t tenon_buffer_wrap(tenon_device* device, void* data, uint64_t bytes, int32_t kind, int32_t read_only,
                              tenon_stream* stream, tenon_destroy_fn destroy, void* user, tenon_buffer** out_buffer)

Makes a buffer of memory that the caller or another library owns. The memory must be usable on the device: host
memory for the CPU device (kind DEVICE); for a CUDA device the driver is queried (DEVICE: the memory belongs to
another device or is of another kind). OVERFLOW: the memory would end beyond the last address.
read_only: 1 refuses writes.
stream: the stream on which the owner enqueues work on the memory (NULL: the device's default stream); a use on
another stream waits for all work that this stream holds at that time. While another library captures that stream, no
other stream can wait for it: the memory can be used in that capture, and elsewhere only after the capture has ended
(UNSUPPORTED before that). If the memory is ready already, pass the stream on which it will be used. UNSUPPORTED
also: the stream records a graph of Tenon. destroy(user) runs once after the last use, on the thread of the call that
finds the use complete; the library takes ownership of it on success only.
"""
tenon_buffer_wrap(device, data, bytes, kind, read_only, stream, destroy, user, out_buffer) =
    ccall(address(54), Int32, (Ptr{tenon_device}, Ptr{Cvoid}, UInt64, Int32, Int32, Ptr{tenon_stream}, Ptr{Cvoid},
          Ptr{Cvoid}, Ptr{Ptr{tenon_buffer}}), device, data, bytes, kind, read_only, stream, destroy, user, out_buffer)

"""
    int32_t tenon_buffer_data(const tenon_buffer* buffer, void** out_data, uint64_t* out_bytes)

Address and size in bytes. The address of a CUDA buffer is a device address.
"""
tenon_buffer_data(buffer, out_data, out_bytes) =
    ccall(address(55), Int32, (Ptr{tenon_buffer}, Ptr{Ptr{Cvoid}}, Ptr{UInt64}), buffer, out_data, out_bytes)

"""
    int32_t tenon_buffer_retain(const tenon_buffer* buffer)

Adds one reference.
"""
tenon_buffer_retain(buffer) =
    ccall(address(56), Int32, (Ptr{tenon_buffer},), buffer)

"""
    void tenon_buffer_release(tenon_buffer* buffer)

Releases one reference. The memory is reused only after its last use on every stream.
"""
tenon_buffer_release(buffer) =
    ccall(address(57), Cvoid, (Ptr{tenon_buffer},), buffer)

"""
    int32_t tenon_array_create(tenon_device* device, uint32_t dtype, int32_t rank, const int64_t* shape,
                               tenon_stream* stream, tenon_array** out_array)

A new C-ordered array whose elements are not initialised.
"""
tenon_array_create(device, dtype, rank, shape, stream, out_array) =
    ccall(address(58), Int32, (Ptr{tenon_device}, UInt32, Int32, Ptr{Int64}, Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}),
          device, dtype, rank, shape, stream, out_array)

"""
    int32_t tenon_array_zeros(tenon_device* device, uint32_t dtype, int32_t rank, const int64_t* shape,
                              tenon_stream* stream, tenon_array** out_array)

A new C-ordered array of zeros.
"""
tenon_array_zeros(device, dtype, rank, shape, stream, out_array) =
    ccall(address(59), Int32, (Ptr{tenon_device}, UInt32, Int32, Ptr{Int64}, Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}),
          device, dtype, rank, shape, stream, out_array)

"""
    int32_t tenon_array_from_host(tenon_device* device, uint32_t dtype, int32_t rank, const int64_t* shape,
                                  const void* data, uint64_t bytes, tenon_stream* stream, tenon_array** out_array)

A new array with a copy of C-ordered host memory of exactly `bytes` bytes, which may be reused when the call
returns. SHAPE: bytes is not the size of that dtype and shape. UNSUPPORTED: on a stream that records a graph.
"""
tenon_array_from_host(device, dtype, rank, shape, data, bytes, stream, out_array) =
    ccall(address(60), Int32, (Ptr{tenon_device}, UInt32, Int32, Ptr{Int64}, Ptr{Cvoid}, UInt64, Ptr{tenon_stream},
          Ptr{Ptr{tenon_array}}), device, dtype, rank, shape, data, bytes, stream, out_array)

"""
    int32_t tenon_array_from_buffer(tenon_buffer* buffer, uint32_t dtype, int32_t rank, const int64_t* shape,
                                    const int64_t* strides, uint64_t byte_offset, tenon_array** out_array)

A view of a buffer. strides: NULL for C order; byte_offset: the offset of the element at index 0. Every element must
lie inside the buffer (OVERFLOW) and be aligned to its size or 16, whichever is less (LAYOUT). The caller keeps its
reference to the buffer.
"""
tenon_array_from_buffer(buffer, dtype, rank, shape, strides, byte_offset, out_array) =
    ccall(address(61), Int32, (Ptr{tenon_buffer}, UInt32, Int32, Ptr{Int64}, Ptr{Int64}, UInt64, Ptr{Ptr{tenon_array}}),
          buffer, dtype, rank, shape, strides, byte_offset, out_array)

"""
    int32_t tenon_array_retain(const tenon_array* array)

Adds one reference.
"""
tenon_array_retain(array) =
    ccall(address(62), Int32, (Ptr{tenon_array},), array)

"""
    void tenon_array_release(tenon_array* array)

Releases one reference. Work in flight that uses the memory is not affected.
"""
tenon_array_release(array) =
    ccall(address(63), Cvoid, (Ptr{tenon_array},), array)

"""
    int32_t tenon_array_get_info(const tenon_array* array, tenon_array_info* out_info)

Fills *out_info; its struct_size must be set by the caller.
"""
tenon_array_get_info(array, out_info) =
    ccall(address(64), Int32, (Ptr{tenon_array}, Ptr{tenon_array_info}), array, out_info)

"""
    int32_t tenon_array_device(const tenon_array* array, tenon_device** out_device)

The device of the array, as a new reference.
"""
tenon_array_device(array, out_device) =
    ccall(address(65), Int32, (Ptr{tenon_array}, Ptr{Ptr{tenon_device}}), array, out_device)

"""
    int32_t tenon_array_buffer(const tenon_array* array, tenon_buffer** out_buffer)

The buffer that the array is a view of, as a new reference.
"""
tenon_array_buffer(array, out_buffer) =
    ccall(address(66), Int32, (Ptr{tenon_array}, Ptr{Ptr{tenon_buffer}}), array, out_buffer)

"""
    int32_t tenon_array_reshape(const tenon_array* array, int32_t rank, const int64_t* shape, tenon_array** out_array)

Another shape of the same elements in C order; one extent may be -1 (inferred). SHAPE: the sizes differ. LAYOUT: the
strides do not allow a view (make the array contiguous first).
"""
tenon_array_reshape(array, rank, shape, out_array) =
    ccall(address(67), Int32, (Ptr{tenon_array}, Int32, Ptr{Int64}, Ptr{Ptr{tenon_array}}), array, rank, shape,
          out_array)

"""
    int32_t tenon_array_transpose(const tenon_array* array, int32_t rank, const int32_t* axes, tenon_array** out_array)

The axes in another order: axis i of the result is axis axes[i] of the array; NULL reverses the order. Negative axes
count from the end. INVALID_ARGUMENT: rank is not the array's; an axis is out of range, or listed twice.
"""
tenon_array_transpose(array, rank, axes, out_array) =
    ccall(address(68), Int32, (Ptr{tenon_array}, Int32, Ptr{Int32}, Ptr{Ptr{tenon_array}}), array, rank, axes,
          out_array)

"""
    int32_t tenon_array_slice(const tenon_array* array, int32_t rank, const int64_t* starts, const int64_t* stops,
                              const int64_t* steps, tenon_array** out_array)

For each axis the elements start, start + step, ... before stop, as in Python; a negative start or stop counts from
the end and is clamped; INT64_MIN means \"left out\". step must not be 0. starts, stops, steps: NULL if all are left
out. INVALID_ARGUMENT: rank is not the array's; a step is 0.
"""
tenon_array_slice(array, rank, starts, stops, steps, out_array) =
    ccall(address(69), Int32, (Ptr{tenon_array}, Int32, Ptr{Int64}, Ptr{Int64}, Ptr{Int64}, Ptr{Ptr{tenon_array}}),
          array, rank, starts, stops, steps, out_array)

"""
    int32_t tenon_array_index(const tenon_array* array, int32_t axis, int64_t index, tenon_array** out_array)

The elements at one index of one axis: the result has one axis fewer. Negative indices count from the end.
INVALID_ARGUMENT: axis or index is out of range.
"""
tenon_array_index(array, axis, index, out_array) =
    ccall(address(70), Int32, (Ptr{tenon_array}, Int32, Int64, Ptr{Ptr{tenon_array}}), array, axis, index, out_array)

"""
    int32_t tenon_array_broadcast(const tenon_array* array, int32_t rank, const int64_t* shape, tenon_array** out_array)

The array broadcast to a larger shape by NumPy's rules, with stride 0. The result is read-only. SHAPE: the shapes do
not broadcast.
"""
tenon_array_broadcast(array, rank, shape, out_array) =
    ccall(address(71), Int32, (Ptr{tenon_array}, Int32, Ptr{Int64}, Ptr{Ptr{tenon_array}}), array, rank, shape,
          out_array)

"""
    int32_t tenon_array_view(const tenon_array* array, uint32_t dtype, tenon_array** out_array)

The same bytes as another dtype. If the element sizes differ, the last axis must have unit stride (LAYOUT), and its
extent changes. DTYPE: types of fewer than 8 bits have no view. SHAPE: the last axis does not hold a whole number of
new elements.
"""
tenon_array_view(array, dtype, out_array) =
    ccall(address(72), Int32, (Ptr{tenon_array}, UInt32, Ptr{Ptr{tenon_array}}), array, dtype, out_array)

"""
    int32_t tenon_array_copy(tenon_array* destination, const tenon_array* source, tenon_stream* stream)

destination[...] = source: broadcasts source, converts the dtype as C does (float to integer truncates; NaN and
numbers out of range become unspecified integers; complex to real keeps the real part; to bool: != 0; rounding is to
nearest even), with any strides, between any two devices. OVERLAP: the arrays are neither exactly the same elements
nor disjoint, or the destination overlaps itself. Between devices the copy is ordered on `stream`, which belongs to
either of them (NULL: the default stream of the destination, or of the source if the destination is the CPU); if the
destination is host memory that is not pinned, the copy is complete on return. READ_ONLY: the destination is
read-only. UNSUPPORTED: a dtype of less than a byte, if the shapes differ or an array is not contiguous; the stream
records a graph, and the copy is between devices that cannot access each other's memory.
"""
tenon_array_copy(destination, source, stream) =
    ccall(address(73), Int32, (Ptr{tenon_array}, Ptr{tenon_array}, Ptr{tenon_stream}), destination, source, stream)

"""
    int32_t tenon_array_fill(tenon_array* array, const tenon_arg* value, tenon_stream* stream)

Sets every element to `value`, a scalar (TENON_ARG_SCALAR) of any dtype that can be computed with, or of the array's
own dtype. The conversion is exact for integers and bool, and rounds to nearest even for floating and complex dtypes.
INVALID_ARGUMENT: not a scalar, or a value that the dtype cannot hold: a fraction, or a number out of range, for
integers; anything but 0 and 1 for bool; a finite number beyond the largest of a floating dtype; an imaginary part
for a real dtype. DTYPE: a storage type (dtype.h), which takes only 0 or a scalar of its own dtype. READ_ONLY;
OVERLAP: elements that share memory; UNSUPPORTED: a dtype of less than a byte in an array that is not contiguous.
After a failure the array is unchanged.
"""
tenon_array_fill(array, value, stream) =
    ccall(address(74), Int32, (Ptr{tenon_array}, Ptr{tenon_arg}, Ptr{tenon_stream}), array, value, stream)

"""
    int32_t tenon_array_convert(const tenon_array* source, uint32_t dtype, tenon_device* device, tenon_stream* stream,
                                tenon_array** out_array)

A new C-ordered copy of the source with another dtype (with the source's dtype: a plain contiguous copy) on another
device (NULL: the source's). UNSUPPORTED as for tenon_array_copy.
"""
tenon_array_convert(source, dtype, device, stream, out_array) =
    ccall(address(75), Int32, (Ptr{tenon_array}, UInt32, Ptr{tenon_device}, Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}),
          source, dtype, device, stream, out_array)

"""
    int32_t tenon_array_to_host(const tenon_array* array, void* data, uint64_t bytes, tenon_stream* stream)

Writes all elements in C order to host memory of exactly `bytes` bytes; the copy is complete on return. SHAPE: bytes
is not the array's size. UNSUPPORTED: on a stream that records a graph. In a context that defers errors, also
deferred errors: SINGULAR, NOT_FINITE, NOT_CONVERGED, OVERFLOW.
"""
tenon_array_to_host(array, data, bytes, stream) =
    ccall(address(76), Int32, (Ptr{tenon_array}, Ptr{Cvoid}, UInt64, Ptr{tenon_stream}), array, data, bytes, stream)

"""
    int32_t tenon_array_set_from_host(tenon_array* array, const void* data, uint64_t bytes, tenon_stream* stream)

Reads all elements in C order from host memory of exactly `bytes` bytes, which may be reused on return. SHAPE: bytes
is not the array's size. READ_ONLY; OVERLAP: the array overlaps itself. UNSUPPORTED: on a stream that records a
graph.
"""
tenon_array_set_from_host(array, data, bytes, stream) =
    ccall(address(77), Int32, (Ptr{tenon_array}, Ptr{Cvoid}, UInt64, Ptr{tenon_stream}), array, data, bytes, stream)

"""
    int32_t tenon_array_from_dlpack(tenon_context* context, struct DLManagedTensor* tensor, int32_t read_only,
                                    tenon_stream* stream, tenon_array** out_array)

Import of the legacy struct. read_only: 1 refuses writes (the legacy struct has no such flag). Statuses: DTYPE,
SHAPE, LAYOUT, OVERFLOW: the tensor is invalid; NOT_FOUND: its device does not exist; UNSUPPORTED: Tenon does not
support its kind of device.
"""
tenon_array_from_dlpack(context, tensor, read_only, stream, out_array) =
    ccall(address(78), Int32, (Ptr{tenon_context}, Ptr{DLManagedTensor}, Int32, Ptr{tenon_stream},
          Ptr{Ptr{tenon_array}}), context, tensor, read_only, stream, out_array)

"""
    int32_t tenon_array_from_dlpack_versioned(tenon_context* context, struct DLManagedTensorVersioned* tensor,
                                              tenon_stream* stream, tenon_array** out_array)

Import of the versioned struct (1.x), with its READ_ONLY flag. A tensor of another major version is refused
(VERSION); the caller still has to call its deleter. Other statuses: as for tenon_array_from_dlpack (DTYPE, SHAPE,
LAYOUT, OVERFLOW, NOT_FOUND, UNSUPPORTED).
"""
tenon_array_from_dlpack_versioned(context, tensor, stream, out_array) =
    ccall(address(79), Int32, (Ptr{tenon_context}, Ptr{DLManagedTensorVersioned}, Ptr{tenon_stream},
          Ptr{Ptr{tenon_array}}), context, tensor, stream, out_array)

"""
    int32_t tenon_array_to_dlpack(const tenon_array* array, uint32_t flags, tenon_stream* stream,
                                  struct DLManagedTensor** out_tensor)

The legacy struct. READ_ONLY: it cannot carry the flag, so a read-only array is refused (ask for a copy). LAYOUT:
negative strides, with TENON_DLPACK_NEVER_COPY. UNSUPPORTED: on a stream that records a graph. In a context that
defers errors, also what was deferred: SINGULAR, NOT_FINITE, NOT_CONVERGED, OVERFLOW.
"""
tenon_array_to_dlpack(array, flags, stream, out_tensor) =
    ccall(address(80), Int32, (Ptr{tenon_array}, UInt32, Ptr{tenon_stream}, Ptr{Ptr{DLManagedTensor}}), array, flags,
          stream, out_tensor)

"""
    int32_t tenon_array_to_dlpack_versioned(const tenon_array* array, uint32_t flags, tenon_stream* stream,
                                            struct DLManagedTensorVersioned** out_tensor)

The versioned struct, version 1.1. LAYOUT: negative strides, with TENON_DLPACK_NEVER_COPY. UNSUPPORTED: on a stream
that records a graph. In a context that defers errors, also what was deferred: SINGULAR, NOT_FINITE, NOT_CONVERGED,
OVERFLOW.
"""
tenon_array_to_dlpack_versioned(array, flags, stream, out_tensor) =
    ccall(address(81), Int32, (Ptr{tenon_array}, UInt32, Ptr{tenon_stream}, Ptr{Ptr{DLManagedTensorVersioned}}), array,
          flags, stream, out_tensor)

"""
    int32_t tenon_program_create(tenon_device* device, const char* source, uint64_t size,
                                 const tenon_program_options* options, tenon_program** out_program)

Compiles `size` bytes of CUDA C (or finds the program in the cache). tenon_program_kernel returns the kernels named
in the options; they share the program's __device__ and __constant__ variables. Without names the source is compiled
all the same, so that its errors are reported here. COMPILE: the text has the first error, the record has the whole
log with the user's line numbers. MISSING_LIBRARY: there is no compiler; the text says what to install. UNSUPPORTED:
this processor lacks instructions of options.architecture or \$TENON_CPU_ISA. CANCELLED: the function of
tenon_interrupt_set requested it, or the process is ending.
On the CPU, in fast mode, a kernel that consists only of grid-stride loops along x (i = blockIdx.x * blockDim.x +
threadIdx.x; i < n; i += gridDim.x * blockDim.x) runs their iterations in the order of i, that is of memory, if the
compiler can prove that nothing else depends on the thread. Each thread still runs its own iterations in their order.
The same holds for the first such loop of any kernel if the loop changes only variables of its thread (sum += x[i])
and the compiler can prove that all threads reach it in the same way with nothing done before it. A bounds check at
the beginning of a kernel is decided for a row of threads before they run. The word TENON_PLAIN_LOOPS anywhere in the
source or the options (-DTENON_PLAIN_LOOPS) leaves all loops and checks as they are written.
"""
tenon_program_create(device, source, size, options, out_program) =
    ccall(address(82), Int32, (Ptr{tenon_device}, Ptr{UInt8}, UInt64, Ptr{tenon_program_options},
          Ptr{Ptr{tenon_program}}), device, source, size, options, out_program)

"""
    int32_t tenon_program_log(const tenon_program* program, const char** out_text)

The compiler's log: the warnings of a program that compiled. Borrowed; \"\" if there were none.
"""
tenon_program_log(program, out_text) =
    ccall(address(83), Int32, (Ptr{tenon_program}, Ptr{Ptr{UInt8}}), program, out_text)

"""
    int32_t tenon_program_image(const tenon_program* program, int32_t kind, tenon_blob** out_image)

The compiled image. kind: TENON_IMAGE_*. UNSUPPORTED: the program has no PTX (it is for the CPU, or was made from a
cubin).
"""
tenon_program_image(program, kind, out_image) =
    ccall(address(84), Int32, (Ptr{tenon_program}, Int32, Ptr{Ptr{tenon_blob}}), program, kind, out_image)

"""
    int32_t tenon_program_kernel(tenon_program* program, const char* name, tenon_kernel** out_kernel)

A kernel of the program by the name or template instance given in the options. NOT_FOUND: the program has no such
kernel; the text lists its kernels.
"""
tenon_program_kernel(program, name, out_kernel) =
    ccall(address(85), Int32, (Ptr{tenon_program}, Cstring, Ptr{Ptr{tenon_kernel}}), program, name, out_kernel)

"""
    int32_t tenon_program_retain(const tenon_program* program)

Adds one reference.
"""
tenon_program_retain(program) =
    ccall(address(86), Int32, (Ptr{tenon_program},), program)

"""
    void tenon_program_release(tenon_program* program)

Releases one reference. Kernels keep their program alive.
"""
tenon_program_release(program) =
    ccall(address(87), Cvoid, (Ptr{tenon_program},), program)

"""
    int32_t tenon_kernel_parameter_count(const tenon_kernel* kernel, int32_t* out_count)

Number of parameters.
"""
tenon_kernel_parameter_count(kernel, out_count) =
    ccall(address(88), Int32, (Ptr{tenon_kernel}, Ptr{Int32}), kernel, out_count)

"""
    int32_t tenon_kernel_get_parameter_info(const tenon_kernel* kernel, int32_t index, tenon_parameter_info* out_info)

Parameter `index`, as the compiler sees it. The info's struct_size must be set by the caller.
"""
tenon_kernel_get_parameter_info(kernel, index, out_info) =
    ccall(address(89), Int32, (Ptr{tenon_kernel}, Int32, Ptr{tenon_parameter_info}), kernel, index, out_info)

"""
    int32_t tenon_kernel_name(const tenon_kernel* kernel, const char** out_name)

The name with which the kernel was requested. Borrowed.
"""
tenon_kernel_name(kernel, out_name) =
    ccall(address(90), Int32, (Ptr{tenon_kernel}, Ptr{Ptr{UInt8}}), kernel, out_name)

"""
    int32_t tenon_kernel_get_info(tenon_kernel* kernel, tenon_kernel_info* out_info)

Fills *out_info; its struct_size must be set by the caller. Loads the program on its device.
"""
tenon_kernel_get_info(kernel, out_info) =
    ccall(address(91), Int32, (Ptr{tenon_kernel}, Ptr{tenon_kernel_info}), kernel, out_info)

"""
    int32_t tenon_kernel_retain(const tenon_kernel* kernel)

Adds one reference.
"""
tenon_kernel_retain(kernel) =
    ccall(address(92), Int32, (Ptr{tenon_kernel},), kernel)

"""
    void tenon_kernel_release(tenon_kernel* kernel)

Releases one reference.
"""
tenon_kernel_release(kernel) =
    ccall(address(93), Cvoid, (Ptr{tenon_kernel},), kernel)

"""
    int32_t tenon_kernel_launch(tenon_kernel* kernel, const tenon_launch* launch, const tenon_arg* args, int32_t count,
                                tenon_stream* stream)

Launches the kernel. The call is refused before anything runs, with an error that names the argument, for a wrong
count, kind, dtype, device or size; a read-only array that the kernel may write; an array that is not contiguous;
geometry over a limit (the error names the limit). A pointer parameter takes an array of its own dtype; float4* and
other vectors take an array of the lanes' dtype (rank and alignment permitting), float2* also complex64; void*, char*
and unsigned char* take any dtype; a pointer to a struct takes bytes (uint8, int8), a whole number of structs.
Scalars must have exactly the parameter's type; a vector passed by value takes its own dtype (float2 also complex64)
or BYTES; an enum takes integers of its size. A parameter of which only the size is known takes any argument of that
size: an array (which then counts as written, and must not be read-only) or a pointer if it has 8 bytes, a scalar,
BYTES. DEVICE_LOST and KERNEL_FAULT of earlier work on the stream may be returned here. Statuses: DTYPE, LAYOUT,
READ_ONLY: see above; SHAPE: bytes that are no whole number of structs; UNSUPPORTED: clusters on a device without
them.
"""
tenon_kernel_launch(kernel, launch, args, count, stream) =
    ccall(address(94), Int32, (Ptr{tenon_kernel}, Ptr{tenon_launch}, Ptr{tenon_arg}, Int32, Ptr{tenon_stream}), kernel,
          launch, args, count, stream)

"""
    int32_t tenon_call_create(tenon_kernel* kernel, const tenon_launch* launch, const tenon_arg* args, int32_t count,
                              tenon_call** out_call)

Makes a call of a kernel. Statuses as for tenon_kernel_launch.
"""
tenon_call_create(kernel, launch, args, count, out_call) =
    ccall(address(95), Int32, (Ptr{tenon_kernel}, Ptr{tenon_launch}, Ptr{tenon_arg}, Int32, Ptr{Ptr{tenon_call}}),
          kernel, launch, args, count, out_call)

"""
    int32_t tenon_call_set(tenon_call* call, int32_t index, const tenon_arg* arg)

Replaces argument `index`, with the same checks; the call is unchanged after a failure. INVALID_ARGUMENT: there is
no such argument. An operation is bound again, which takes as long as tenon_operation_bind. DTYPE: not that of the
parameter.
"""
tenon_call_set(call, index, arg) =
    ccall(address(96), Int32, (Ptr{tenon_call}, Int32, Ptr{tenon_arg}), call, index, arg)

"""
    int32_t tenon_call_launch(tenon_call* call, tenon_stream* stream)

Launches the call. DEVICE_LOST and KERNEL_FAULT of earlier work on the stream may be returned here. DEVICE: the
stream belongs to another device.
"""
tenon_call_launch(call, stream) =
    ccall(address(97), Int32, (Ptr{tenon_call}, Ptr{tenon_stream}), call, stream)

"""
    int32_t tenon_call_clone(const tenon_call* call, tenon_call** out_call)

An independent copy. The copy of an operation's call has its own temporaries, which are made on the default
stream.
"""
tenon_call_clone(call, out_call) =
    ccall(address(98), Int32, (Ptr{tenon_call}, Ptr{Ptr{tenon_call}}), call, out_call)

"""
    int32_t tenon_call_retain(const tenon_call* call)

Adds one reference.
"""
tenon_call_retain(call) =
    ccall(address(99), Int32, (Ptr{tenon_call},), call)

"""
    void tenon_call_release(tenon_call* call)

Releases one reference.
"""
tenon_call_release(call) =
    ccall(address(100), Cvoid, (Ptr{tenon_call},), call)

"""
    int32_t tenon_gemm(const tenon_arg* alpha, const tenon_array* a, const tenon_array* b, const tenon_arg* beta,
                       const tenon_gemm_options* options, tenon_stream* stream, tenon_array** out_c)

c = alpha op_a(a) op_b(b) + beta c. a: (..., m, k), b: (..., k, n), c: (..., m, n); the batch axes of a and b
broadcast to those of c. c is provided or made (TENON_INOUT); a new c is int32 for int8, f32 for float8, else of a's
dtype. c must share no memory with a or b. xGEMM, cublasGemmStridedBatchedEx, cublasLtMatmul.

dtypes, one of:
- all f16, bf16, f32, f64, c64 or c128; or a and b f16 or bf16 with c f32.
- a and b int8 with c int32, the sum modulo 2^32; alpha and beta are integers below 2^31 in absolute value.
- all of one integer dtype, the sum modulo 2^bits; alpha and beta are integers up to 2^53 in absolute value. Or all
  bool: \"or\" is the sum, \"and\" the product, and alpha and beta are 0 or 1. Kernels of Tenon compute both, with no
  bias or epilogue.
- a and b float8 (e4m3fn or e5m2, not both e5m2) with c f16, bf16 or f32.
alpha, beta: scalars of any dtype that can be computed with, rounded to the precision in which c is scaled (f32 for
16 bits and fewer); NULL: 1 and 0. For floating and complex c, except with float8, they may also be arrays without
axes on the device, which are read when the work runs (blas.h). With beta 0 c is not read (NaN there is overwritten);
with k 0 c = beta c.

TENON_COMPUTE_FAST computes large products of f32, on chips whose tensor cores suit it (8.0, 9.0, 10.0), from parts:
a = A + a', where A has TF32's 11 bits, likewise for b, and a b = A B + A b' + a' B. A B is computed in TF32, summed
over 256 or 512 terms at a time because tensor cores truncate as they add; the other products in bfloat16. The error,
relative to the sum of the terms' magnitudes, is below 4e-6 for terms of one sign and 2e-7 for random signs. cuBLAS's
own f32 product of two plain square matrices has the same error, and a smaller one for shapes for which it splits
the sums. Numbers below 2^-110 lose digits. Memory: 8 additional bytes per element of a and b. After Markidis et al.
2018, Ootomo and Yokota 2022.

float8: pass the product of the operands' scales as alpha. On CUDA (compute capability 8.9 and later) it uses
cuBLASLt, whose tensor cores accumulate with fewer bits than f32 has (32 products are aligned to the largest of them:
an error of up to 2^-8 of the sum of their magnitudes). cuBLASLt needs k along the unit stride of both operands (b a
transpose, b.mT of an (n, k) array), extents that are multiples of 16, and aligned memory; other operands are copied.
On the CPU the operands are converted to f32, which is exact, and c is rounded once.

With a bias or an epilogue (f16, bf16, f32 and f64) c = epilogue(alpha a b + beta c + bias). On CUDA cuBLASLt applies
it within the product, rounding to c once, for f16, bf16, f32 and float8 if c's rows are dense: GELU for c f16 and
bf16, to their accuracy; ReLU if the first use of an algorithm has shown that NaN stays NaN, for which that call
waits for the device. Otherwise, and on the CPU, c is written and then changed in a second pass.

tune 1 (f16, bf16, f32, f64, c64, c128, float8): the first product on a device of one kind (dtypes, extents, strides,
alignment, epilogue) runs the algorithms that cuBLASLt and cuBLAS offer, on this product's a and b and a separate
result, waits for them, and keeps the fastest. Later products of this kind use it if they have tune, or an epilogue,
or float8. tenon_context_report counts the algorithms kept (matmul_plans, at most 256 per device). Another algorithm
may round differently. tune has no effect on the CPU, on products of int8 and those in parts, in a context with
TENON_CONTEXT_DETERMINISTIC, and if there is no memory for the separate result; while another library captures the
stream, only earlier measurements are used.

Statuses: DTYPE, SHAPE, DEVICE, CONTEXT, READ_ONLY, OVERLAP, INVALID_ARGUMENT (an unknown option; alpha or beta that
is not a scalar or that the dtype cannot hold; beta other than 0 without a provided c), INVALID_HANDLE, VERSION,
OUT_OF_MEMORY, MISSING_LIBRARY, UNSUPPORTED (float8 on a device without it). After a failure c is unchanged.
"""
tenon_gemm(alpha, a, b, beta, options, stream, out_c) =
    ccall(address(101), Int32, (Ptr{tenon_arg}, Ptr{tenon_array}, Ptr{tenon_array}, Ptr{tenon_arg},
          Ptr{tenon_gemm_options}, Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}), alpha, a, b, beta, options, stream, out_c)

"""
    int32_t tenon_svd(const tenon_array* a, const tenon_svd_options* options, tenon_stream* stream, tenon_array** out_u,
                      tenon_array** out_s, tenon_array** out_vh)

a = u diag(s) vh. a: (..., m, n) of f32, f64, c64, c128, not changed; s: (..., k) real, descending. u and vh have
a's dtype. u, s and vh are provided or made (TENON_INOUT). With options->k: the k largest values, u (..., m, k), vh
(..., k, n), independent of the shapes of the mode. Waits for the result, so that it can report a failure itself.

The result is accurate for every driver. The residual |a - u s vh| and the deviations from orthogonality |u^H u - 1|
and |vh vh^H - 1|, in the 1-norm, are below 30 max(m, n) epsilon (the residual times |a|), LAPACK's own bound. For
the leading triplets every residual |a^H u - s v| is at most sqrt(tolerance) / 2 times its s, so that the relative
error of a value is about the tolerance (if values differ by less than its root, relatively, one of them may replace
another), or max(m, n) epsilon times the largest s. Repeated values are found with their multiplicity. If a driver
misses the bound, or does not support the shape, mode or device, the driver that TENON_SVD_DRIVER_AUTO takes for the
whole decomposition is used instead; options->out_driver receives the one used (for a batch: that one, if any matrix
needed it).

AUTO without k: LAPACK's xGESDD on the CPU; cuSOLVER and Tenon's kernels on CUDA, except for large matrices of single
precision, on devices with fast double precision, which use TENON_SVD_DRIVER_GRAM. With k well below m and n: the
Krylov space.

Statuses: NOT_FINITE (NaN or infinity in a), NOT_CONVERGED (native code: info), OVERFLOW (a singular value does not
fit s's dtype), DTYPE, SHAPE (rank below 2), INVALID_ARGUMENT (k above m or n, an unknown driver or mode, a tolerance
outside of [0, 1)), MISSING_LIBRARY. UNSUPPORTED: while a graph is recorded.
"""
tenon_svd(a, options, stream, out_u, out_s, out_vh) =
    ccall(address(102), Int32, (Ptr{tenon_array}, Ptr{tenon_svd_options}, Ptr{tenon_stream}, Ptr{Ptr{tenon_array}},
          Ptr{Ptr{tenon_array}}, Ptr{Ptr{tenon_array}}), a, options, stream, out_u, out_s, out_vh)

"""
    int32_t tenon_fft(const tenon_array* source, const int32_t* axes, int32_t axis_count,
                      const tenon_fft_options* options, tenon_stream* stream, tenon_array** out_destination)

destination = transform of source over `axis_count` axes (negative: from the end; NULL: the last axis_count ones),
of any length, primes included; every other axis is a batch. The destination is provided or made (TENON_INOUT). The
dtypes determine the transform: all are f32 and c64, f64 and c128, or f16 and TENON_COMPLEX32; a new destination is
complex, unless options->real_length makes it real:
- complex to complex: equal shapes; destination may be source itself.
- real to complex: the transform of real numbers is Hermitian, so along the last of the axes only the first n/2 + 1
  numbers are written, where n is its extent in the source: the destination has extent n/2 + 1 there, and the
  source's extents elsewhere.
- complex to real: the source is such a half spectrum, with extent n/2 + 1 along the last of the axes, and the
  destination's extent there is n, even or odd; parts that would make the result complex (the imaginary part of
  number 0, and of number n/2 if n is even) are not read. Source and destination must be disjoint here and in real to
  complex. The source is not changed.
Any strides. ducc0 on the CPU, cuFFT on CUDA (C2C, R2C, C2R; its plans are kept, at most 64 per device;
tenon_context_report counts hits, misses and evictions). Half precision is cuFFT's own if every length is a power of
two and the transform is unscaled; otherwise it is computed in single precision and rounded once. An axis of extent 0
is SHAPE; an empty batch does nothing. Statuses: DTYPE, SHAPE, DEVICE, CONTEXT, READ_ONLY, OVERLAP, INVALID_ARGUMENT
(an axis listed twice or out of range; an unknown option; real_length that is negative, or does not fit the source or
a provided destination), VERSION, INVALID_HANDLE, OUT_OF_MEMORY, MISSING_LIBRARY, UNSUPPORTED (this build has no CPU
FFT: the text says how to get it; another library captures the stream: its graph cannot keep the plan and its work
area alive, as a tenon_graph does).
"""
tenon_fft(source, axes, axis_count, options, stream, out_destination) =
    ccall(address(103), Int32, (Ptr{tenon_array}, Ptr{Int32}, Int32, Ptr{tenon_fft_options}, Ptr{tenon_stream},
          Ptr{Ptr{tenon_array}}), source, axes, axis_count, options, stream, out_destination)

"""
    int32_t tenon_elementwise_create(const char* inputs, const char* outputs, const char* operation,
                                     const tenon_generated_options* options, tenon_elementwise** out_elementwise)

An operation on every element. operation: statements that assign the outputs, such as \"z = sqrt(x * x + y * y)\".
In addition to the parameters it can use `i`, the element's number in C order of the shape (int64), `n`, the number
of elements, and the arrays `coord` (the element's index along each axis) and `shape`, both with `rank` entries. A
parameter with one of these names hides it. INVALID_ARGUMENT: an error in the declarations; the text gives the
place.
"""
tenon_elementwise_create(inputs, outputs, operation, options, out_elementwise) =
    ccall(address(104), Int32, (Cstring, Cstring, Cstring, Ptr{tenon_generated_options}, Ptr{Ptr{tenon_elementwise}}),
          inputs, outputs, operation, options, out_elementwise)

"""
    int32_t tenon_elementwise_call(tenon_elementwise* elementwise, const tenon_arg* args, int32_t count,
                                   tenon_stream* stream)

Computes the outputs. All arrays that are not raw broadcast to one shape by NumPy's rules; outputs must have exactly
that shape. With size 0 the call does nothing. The first call with a layout compiles: statuses as for
tenon_program_create.
"""
tenon_elementwise_call(elementwise, args, count, stream) =
    ccall(address(105), Int32, (Ptr{tenon_elementwise}, Ptr{tenon_arg}, Int32, Ptr{tenon_stream}), elementwise, args,
          count, stream)

"""
    int32_t tenon_elementwise_output(tenon_elementwise* elementwise, const tenon_arg* args, int32_t count,
                                     int32_t index, tenon_stream* stream, tenon_array** out_array)

A new C-ordered array for output `index` (from 0) of a call with these inputs, not initialised, of the shape that the
inputs broadcast to, on their device. count: the number of inputs only. INVALID_ARGUMENT: no input is an array, which
would determine the shape; DTYPE: no input determines the output's placeholder.
"""
tenon_elementwise_output(elementwise, args, count, index, stream, out_array) =
    ccall(address(106), Int32, (Ptr{tenon_elementwise}, Ptr{tenon_arg}, Int32, Int32, Ptr{tenon_stream},
          Ptr{Ptr{tenon_array}}), elementwise, args, count, index, stream, out_array)

"""
    int32_t tenon_elementwise_retain(const tenon_elementwise* elementwise)

Adds one reference.
"""
tenon_elementwise_retain(elementwise) =
    ccall(address(107), Int32, (Ptr{tenon_elementwise},), elementwise)

"""
    void tenon_elementwise_release(tenon_elementwise* elementwise)

Releases one reference.
"""
tenon_elementwise_release(elementwise) =
    ccall(address(108), Cvoid, (Ptr{tenon_elementwise},), elementwise)

"""
    int32_t tenon_reduction_create(const char* inputs, const char* output, const char* map, const char* reduce,
                                   const char* post, const char* identity, const tenon_generated_options* options,
                                   tenon_reduction** out_reduction)

A reduction over axes. output: one parameter. map: an expression over the inputs (\"\": the first input), such as \"x *
y\"; it can use `i`, the number of the element within the reduced axes in C order, and `n`, the number of such
elements. reduce: an associative and commutative expression over `a` and `b`, such as \"a + b\" or \"max(a, b)\"; its
operands and result are accumulators. post: an expression over the accumulator `a` and `n` that computes the output
(\"\": a). identity: an expression for the neutral value (\"0\"; lowest<T>() and highest<T>() are the smallest and
largest values of a type, infinities included), or NULL: then a reduction over no elements is refused. The order of
the operations is not specified, but it is fixed: the same shapes, strides and device give the same bits every time.
Sums are computed in blocks and trees; their error grows with the logarithm of the count.
"""
tenon_reduction_create(inputs, output, map, reduce, post, identity, options, out_reduction) =
    ccall(address(109), Int32, (Cstring, Cstring, Cstring, Cstring, Cstring, Cstring, Ptr{tenon_generated_options},
          Ptr{Ptr{tenon_reduction}}), inputs, output, map, reduce, post, identity, options, out_reduction)

"""
    int32_t tenon_reduction_call(tenon_reduction* reduction, const tenon_arg* args, int32_t count, const int32_t* axes,
                                 int32_t axis_count, tenon_stream* stream)

Reduces over `axes` of the shape that the inputs broadcast to (negative: from the end; axis_count 0 with axes NULL:
all axes; no axis twice). The output, the last argument, has the extents of the other axes, with or without an extent
of 1 in the place of each reduced axis. It may not overlap an input. INVALID_ARGUMENT: there are no elements to
reduce, and no identity.
"""
tenon_reduction_call(reduction, args, count, axes, axis_count, stream) =
    ccall(address(110), Int32, (Ptr{tenon_reduction}, Ptr{tenon_arg}, Int32, Ptr{Int32}, Int32, Ptr{tenon_stream}),
          reduction, args, count, axes, axis_count, stream)

"""
    int32_t tenon_reduction_output(tenon_reduction* reduction, const tenon_arg* args, int32_t count,
                                   const int32_t* axes, int32_t axis_count, int32_t keep_axes, tenon_stream* stream,
                                   tenon_array** out_array)

A new C-ordered array for the output of a call with these inputs and axes, not initialised. keep_axes: 1 keeps each
reduced axis, with extent 1.
"""
tenon_reduction_output(reduction, args, count, axes, axis_count, keep_axes, stream, out_array) =
    ccall(address(111), Int32, (Ptr{tenon_reduction}, Ptr{tenon_arg}, Int32, Ptr{Int32}, Int32, Int32,
          Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}), reduction, args, count, axes, axis_count, keep_axes, stream,
          out_array)

"""
    int32_t tenon_reduction_retain(const tenon_reduction* reduction)

Adds one reference.
"""
tenon_reduction_retain(reduction) =
    ccall(address(112), Int32, (Ptr{tenon_reduction},), reduction)

"""
    void tenon_reduction_release(tenon_reduction* reduction)

Releases one reference.
"""
tenon_reduction_release(reduction) =
    ccall(address(113), Cvoid, (Ptr{tenon_reduction},), reduction)

"""
    int32_t tenon_scan_create(const char* inputs, const char* output, const char* map, const char* combine,
                              const char* identity, int32_t exclusive, const tenon_generated_options* options,
                              tenon_scan** out_scan)

A scan (prefix combination) along an axis. map: an expression over the inputs (\"\": the first input); it can use `i`,
the element's number along the axis, and `n`, the axis' extent. combine: an associative expression over `a`, the
combination of all previous elements, and `b`, such as \"a + b\"; it need not be commutative. identity: the neutral
value. exclusive: with 0, element k of the output combines the elements 0 to k; with 1, those before k (the first is
the identity). The order of operations is fixed, as in a reduction.
"""
tenon_scan_create(inputs, output, map, combine, identity, exclusive, options, out_scan) =
    ccall(address(114), Int32, (Cstring, Cstring, Cstring, Cstring, Cstring, Int32, Ptr{tenon_generated_options},
          Ptr{Ptr{tenon_scan}}), inputs, output, map, combine, identity, exclusive, options, out_scan)

"""
    int32_t tenon_scan_call(tenon_scan* scan, const tenon_arg* args, int32_t count, int32_t axis, tenon_stream* stream)

Scans along `axis` (negative: from the end). The output has the shape that the inputs broadcast to, and may be
exactly an input.
"""
tenon_scan_call(scan, args, count, axis, stream) =
    ccall(address(115), Int32, (Ptr{tenon_scan}, Ptr{tenon_arg}, Int32, Int32, Ptr{tenon_stream}), scan, args, count,
          axis, stream)

"""
    int32_t tenon_scan_output(tenon_scan* scan, const tenon_arg* args, int32_t count, tenon_stream* stream,
                              tenon_array** out_array)

A new C-ordered array for the output of a call with these inputs, not initialised.
"""
tenon_scan_output(scan, args, count, stream, out_array) =
    ccall(address(116), Int32, (Ptr{tenon_scan}, Ptr{tenon_arg}, Int32, Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}), scan,
          args, count, stream, out_array)

"""
    int32_t tenon_scan_retain(const tenon_scan* scan)

Adds one reference.
"""
tenon_scan_retain(scan) =
    ccall(address(117), Int32, (Ptr{tenon_scan},), scan)

"""
    void tenon_scan_release(tenon_scan* scan)

Releases one reference.
"""
tenon_scan_release(scan) =
    ccall(address(118), Cvoid, (Ptr{tenon_scan},), scan)

"""
    int32_t tenon_program_global(tenon_program* program, const char* name, tenon_array** out_array)

A __device__ or __constant__ variable of the loaded program as an array that shares its memory: later launches of the
kernels named in the options read what is written to the array (by tenon_array_set_from_host, tenon_array_copy ...).
A variable listed in the options' globals (it must have external linkage) has the dtype that the compiler reports and
the shape of its C array, rank 0 for a single value; a vector or complex type adds a last axis for its lanes, any
other struct a last axis for its bytes (uint8); the array is read-only if the variable is const. Any other variable
that the compiler kept is returned as its bytes, read-only: uint8, rank 1. A launch of the program's kernels counts
as a use of each listed variable on its stream, as it does for array arguments; for a variable that is not listed
this holds from the first such call on, and that call waits for the device. The array keeps the loaded image alive.
NOT_FOUND: the program has no variable of that name.
"""
tenon_program_global(program, name, out_array) =
    ccall(address(119), Int32, (Ptr{tenon_program}, Cstring, Ptr{Ptr{tenon_array}}), program, name, out_array)

"""
    int32_t tenon_kernel_occupancy(tenon_kernel* kernel, uint32_t block_threads, uint64_t shared_bytes,
                                   int32_t* out_blocks_per_multiprocessor)

How many blocks of block_threads threads with shared_bytes of dynamic shared memory one multiprocessor runs at the
same time; 0: such a block does not fit. On the CPU a multiprocessor is one worker thread, which runs one block at a
time: the result is 1 or 0. Geometry that no device could launch (0 threads) is INVALID_ARGUMENT.
"""
tenon_kernel_occupancy(kernel, block_threads, shared_bytes, out_blocks_per_multiprocessor) =
    ccall(address(120), Int32, (Ptr{tenon_kernel}, UInt32, UInt64, Ptr{Int32}), kernel, block_threads, shared_bytes,
          out_blocks_per_multiprocessor)

"""
    int32_t tenon_kernel_suggest(tenon_kernel* kernel, uint64_t shared_bytes, uint32_t* out_block,
                                 uint32_t* out_min_grid)

The block size that keeps the most threads of a multiprocessor busy (the larger one if two are equal), and the
smallest number of blocks of that size that fills the device. The CPU is equally fast with any block size that leaves
every worker some blocks: it suggests 256 threads, or as many as the kernel's limit allows, and one block per worker.
UNSUPPORTED: no block fits with that much shared memory.
"""
tenon_kernel_suggest(kernel, shared_bytes, out_block, out_min_grid) =
    ccall(address(121), Int32, (Ptr{tenon_kernel}, UInt64, Ptr{UInt32}, Ptr{UInt32}), kernel, shared_bytes, out_block,
          out_min_grid)

"""
    int32_t tenon_launch_for(tenon_kernel* kernel, uint64_t count, tenon_launch* launch)

Fills in launch->grid so that there is a thread for each of `count` elements along x: element blockIdx.x * blockDim.x
+ threadIdx.x, which the kernel must compare with the count. launch->block is kept if its x is not 0 (y and z must be
0 or 1); otherwise it becomes the suggested size for launch->shared_bytes. There is at least one block.
INVALID_ARGUMENT: more blocks than the device supports; use a grid-stride loop instead. UNSUPPORTED: no block fits
the device with that much shared memory. The launch's struct_size must be set by the caller.
"""
tenon_launch_for(kernel, count, launch) =
    ccall(address(122), Int32, (Ptr{tenon_kernel}, UInt64, Ptr{tenon_launch}), kernel, count, launch)

"""
    int32_t tenon_kernel_time(tenon_kernel* kernel, const tenon_launch* launch, const tenon_arg* args, int32_t count,
                              tenon_stream* stream, double* out_seconds)

Launches as tenon_kernel_launch does, waits, and returns how long the device took: from the time when the stream
reaches the launch (after waiting for earlier uses of the arrays) to the end of the kernel. Measured by events on a
GPU, to about a microsecond; by the clock on the CPU. The program is loaded before. A fault of the kernel is returned
here. Statuses: as for tenon_kernel_launch; UNSUPPORTED: on a stream that records a graph.
"""
tenon_kernel_time(kernel, launch, args, count, stream, out_seconds) =
    ccall(address(123), Int32, (Ptr{tenon_kernel}, Ptr{tenon_launch}, Ptr{tenon_arg}, Int32, Ptr{tenon_stream},
          Ptr{Float64}), kernel, launch, args, count, stream, out_seconds)

"""
    int32_t tenon_compilation_start(tenon_device* device, const char* source, uint64_t size,
                                    const tenon_program_options* options, tenon_compilation** out_compilation)

Starts a compile as tenon_program_create does, and returns at once; the time limit of the options counts from the
start of the compile's turn. The text and all options are copied. This call reports errors in the arguments,
tenon_compilation_wait those in the source. OUT_OF_MEMORY: no thread could be started. CANCELLED: the process is
ending.
"""
tenon_compilation_start(device, source, size, options, out_compilation) =
    ccall(address(124), Int32, (Ptr{tenon_device}, Ptr{UInt8}, UInt64, Ptr{tenon_program_options},
          Ptr{Ptr{tenon_compilation}}), device, source, size, options, out_compilation)

"""
    int32_t tenon_compilation_query(tenon_compilation* compilation)

TENON_OK if the compile has ended (compiled, failed or cancelled: tenon_compilation_wait then returns at once),
TENON_ERROR_NOT_READY if not. Does not wait.
"""
tenon_compilation_query(compilation) =
    ccall(address(125), Int32, (Ptr{tenon_compilation},), compilation)

"""
    int32_t tenon_compilation_wait(tenon_compilation* compilation, double seconds, tenon_program** out_program)

Waits at most `seconds` (negative: without a limit) and returns the program; each call returns a new reference to the
same one. NOT_READY: the compile is still running. CANCELLED: it was cancelled first. Otherwise the status that
tenon_program_create would return, with the same error record.
"""
tenon_compilation_wait(compilation, seconds, out_program) =
    ccall(address(126), Int32, (Ptr{tenon_compilation}, Float64, Ptr{Ptr{tenon_program}}), compilation, seconds,
          out_program)

"""
    int32_t tenon_compilation_cancel(tenon_compilation* compilation)

Cancels the compile without waiting for its end; does nothing if it has ended. A compile that has not begun never
starts. The compiling process is killed, with all processes that it started. Where no process can be started for
NVRTC (no /proc), NVRTC stops when it next checks for cancellation (12.8 and later), or else finishes first. Other
callers that wait for the same program compile it themselves.
"""
tenon_compilation_cancel(compilation) =
    ccall(address(127), Int32, (Ptr{tenon_compilation},), compilation)

"""
    int32_t tenon_compilation_retain(const tenon_compilation* compilation)

Adds one reference.
"""
tenon_compilation_retain(compilation) =
    ccall(address(128), Int32, (Ptr{tenon_compilation},), compilation)

"""
    void tenon_compilation_release(tenon_compilation* compilation)

Releases one reference. Releasing the last one cancels the compile and waits for the compiler to end.
"""
tenon_compilation_release(compilation) =
    ccall(address(129), Cvoid, (Ptr{tenon_compilation},), compilation)

"""
    int32_t tenon_graph_create(tenon_device* device, tenon_graph** out_graph)

Makes an empty graph for the device.
"""
tenon_graph_create(device, out_graph) =
    ccall(address(130), Int32, (Ptr{tenon_device}, Ptr{Ptr{tenon_graph}}), device, out_graph)

"""
    int32_t tenon_graph_begin(tenon_graph* graph, tenon_stream** out_stream)

Starts recording into an empty graph and returns the stream that records. Only the thread that calls this may use
that stream until tenon_graph_end (INVALID_ARGUMENT on another thread); after that every use of it is INVALID_HANDLE.
INVALID_ARGUMENT: the graph is being recorded, or has nodes (tenon_graph_clear removes them). A call that fails while
recording adds nothing, and recording continues.
"""
tenon_graph_begin(graph, out_stream) =
    ccall(address(131), Int32, (Ptr{tenon_graph}, Ptr{Ptr{tenon_stream}}), graph, out_stream)

"""
    int32_t tenon_graph_end(tenon_graph* graph)

Ends recording and makes the graph ready to launch. After a failure (OUT_OF_MEMORY, MISSING_LIBRARY, VENDOR ...) the
graph is empty. INVALID_ARGUMENT: the graph is not being recorded, or another thread is recording it; then nothing
changes.
"""
tenon_graph_end(graph) =
    ccall(address(132), Int32, (Ptr{tenon_graph},), graph)

"""
    int32_t tenon_graph_clear(tenon_graph* graph)

Removes all nodes, including those of a recording in progress, and frees their memory after its last use.
"""
tenon_graph_clear(graph) =
    ccall(address(133), Int32, (Ptr{tenon_graph},), graph)

"""
    int32_t tenon_graph_launch(tenon_graph* graph, tenon_stream* stream)

Enqueues all nodes on the stream, in their order, after earlier uses of their memory. Allocates nothing. A graph
without nodes does nothing. One graph may not be launched or changed from two threads at the same time. UNSUPPORTED:
the stream is recording a graph. INVALID_ARGUMENT: nothing was recorded yet. KERNEL_FAULT: as for
tenon_kernel_launch.
"""
tenon_graph_launch(graph, stream) =
    ccall(address(134), Int32, (Ptr{tenon_graph}, Ptr{tenon_stream}), graph, stream)

"""
    int32_t tenon_graph_set(tenon_graph* graph, int32_t node, int32_t index, const tenon_arg* arg)

Replaces one argument of node `node` for later launches of the graph, with the checks of the call that was recorded.
Launches in progress keep the old one. For a launch of a kernel this takes about a microsecond; other calls are
recorded again, which may result in different work (for example a kernel for another layout); the next launch of the
graph then rebuilds it. INVALID_ARGUMENT: no such node or argument, the node is TENON_GRAPH_LIBRARY, or the graph is
being recorded. It also returns what the call itself would return, such as SHAPE if the new array does not fit the
others: then replace all arguments at once (tenon_graph_set_args). The graph is unchanged after a failure. DTYPE: not
that of the parameter.
"""
tenon_graph_set(graph, node, index, arg) =
    ccall(address(135), Int32, (Ptr{tenon_graph}, Int32, Int32, Ptr{tenon_arg}), graph, node, index, arg)

"""
    int32_t tenon_graph_node_count(const tenon_graph* graph, int32_t* out_count)

Number of nodes, also while the graph is recorded: the node of the next call gets this number.
"""
tenon_graph_node_count(graph, out_count) =
    ccall(address(136), Int32, (Ptr{tenon_graph}, Ptr{Int32}), graph, out_count)

"""
    int32_t tenon_graph_get_node_info(const tenon_graph* graph, int32_t node, tenon_graph_node_info* out_info)

The properties of node `node`, also while the graph is recorded. INVALID_ARGUMENT: no such node. The info's
struct_size must be set by the caller.
"""
tenon_graph_get_node_info(graph, node, out_info) =
    ccall(address(137), Int32, (Ptr{tenon_graph}, Int32, Ptr{tenon_graph_node_info}), graph, node, out_info)

"""
    int32_t tenon_graph_get_parameter_info(const tenon_graph* graph, int32_t node, int32_t index,
                                           tenon_parameter_info* out_info)

Parameter `index` of the kernel that node `node` launches, as tenon_kernel_get_parameter_info returns it. For a
generated kernel or an operation: the kind of the current argument, an array (TENON_PARAMETER_POINTER, with its
dtype), a number or a struct. INVALID_ARGUMENT: no such node or parameter, or the node is TENON_GRAPH_LIBRARY. The
info's struct_size must be set by the caller.
"""
tenon_graph_get_parameter_info(graph, node, index, out_info) =
    ccall(address(138), Int32, (Ptr{tenon_graph}, Int32, Int32, Ptr{tenon_parameter_info}), graph, node, index,
          out_info)

"""
    int32_t tenon_graph_retain(const tenon_graph* graph)

Adds one reference.
"""
tenon_graph_retain(graph) =
    ccall(address(139), Int32, (Ptr{tenon_graph},), graph)

"""
    void tenon_graph_release(tenon_graph* graph)

Releases one reference. A recording in progress is dropped; launches in progress continue.
"""
tenon_graph_release(graph) =
    ccall(address(140), Cvoid, (Ptr{tenon_graph},), graph)

"""
    int32_t tenon_package_load(tenon_context* context, const char* path, const tenon_package_options* options,
                               tenon_package** out_package)

Loads a package from a directory or a tar file and adds it to the context's registry. If the same content is loaded
already, that package is returned. An error in the contract is INVALID_ARGUMENT, and the text begins with
FILE:LINE:COLUMN. Further statuses: NOT_FOUND (no such path), IO (unreadable, unsafe owner or mode, a symbolic link,
a damaged archive, a wrong hash), VERSION (it needs a newer Tenon; or this version is loaded already with different
content), OUT_OF_MEMORY. On failure the registry is unchanged. OVERFLOW: a number that does not fit.
"""
tenon_package_load(context, path, options, out_package) =
    ccall(address(141), Int32, (Ptr{tenon_context}, Cstring, Ptr{tenon_package_options}, Ptr{Ptr{tenon_package}}),
          context, path, options, out_package)

"""
    int32_t tenon_package_load_memory(tenon_context* context, const void* bytes, uint64_t size, const char* name,
                                      const tenon_package_options* options, tenon_package** out_package)

Loads a package from the bytes of a tar file, which are copied. name: a name for the bytes, for messages. IO: a file
that the package names cannot be read. NOT_FOUND: a file that it names does not exist.
"""
tenon_package_load_memory(context, bytes, size, name, options, out_package) =
    ccall(address(142), Int32, (Ptr{tenon_context}, Ptr{Cvoid}, UInt64, Cstring, Ptr{tenon_package_options},
          Ptr{Ptr{tenon_package}}), context, bytes, size, name, options, out_package)

"""
    int32_t tenon_package_check(tenon_context* context, const char* path, const tenon_package_options* options,
                                tenon_blob** out_report)

Reads and checks a package as tenon_package_load does, without adding it to the registry. out_report: its
description, as from tenon_package_describe. NOT_FOUND: there is no such file or directory.
"""
tenon_package_check(context, path, options, out_report) =
    ccall(address(143), Int32, (Ptr{tenon_context}, Cstring, Ptr{tenon_package_options}, Ptr{Ptr{tenon_blob}}), context,
          path, options, out_report)

"""
    int32_t tenon_package_find(tenon_context* context, const char* name, const char* range, tenon_package** out_package)

Finds a package by name and version range: among the loaded ones, else on the search path (it is then loaded).
NOT_FOUND: no such package; the message lists the existing versions and the places searched.
"""
tenon_package_find(context, name, range, out_package) =
    ccall(address(144), Int32, (Ptr{tenon_context}, Cstring, Cstring, Ptr{Ptr{tenon_package}}), context, name, range,
          out_package)

"""
    int32_t tenon_package_list(tenon_context* context, tenon_blob** out_list)

Every loaded package and every one on the search path, as JSON: a list of {name, version, hash, origin, loaded}; one
on the search path that cannot be loaded has {origin, fault} instead.
"""
tenon_package_list(context, out_list) =
    ccall(address(145), Int32, (Ptr{tenon_context}, Ptr{Ptr{tenon_blob}}), context, out_list)

"""
    int32_t tenon_package_unload(tenon_package* package)

Removes the package from the registry, so that it is no longer found. Handles of it and its operations stay valid.
NOT_FOUND: it is not in the registry.
"""
tenon_package_unload(package) =
    ccall(address(146), Int32, (Ptr{tenon_package},), package)

"""
    int32_t tenon_package_reload(tenon_package* package, tenon_package** out_package)

Reads the package's path again. If the content is unchanged, returns the same package; else the new one replaces it
in the registry, whatever its version, and existing handles continue to refer to the old one. On failure the old one
stays. UNSUPPORTED: the package was loaded from memory. NOT_FOUND: its path no longer exists.
"""
tenon_package_reload(package, out_package) =
    ccall(address(147), Int32, (Ptr{tenon_package}, Ptr{Ptr{tenon_package}}), package, out_package)

"""
    int32_t tenon_package_describe(const tenon_package* package, tenon_blob** out_description)

The whole contract as JSON text: name, version, hash (SHA-256 of the content), origin, doc, license, operations with
parameters, types, shapes, steps ...; kernels/README.md describes every field.
"""
tenon_package_describe(package, out_description) =
    ccall(address(148), Int32, (Ptr{tenon_package}, Ptr{Ptr{tenon_blob}}), package, out_description)

"""
    int32_t tenon_package_operation(tenon_package* package, const char* name, tenon_operation** out_operation)

An operation of the package by name. NOT_FOUND: no such operation; the message lists those that exist.
"""
tenon_package_operation(package, name, out_operation) =
    ccall(address(149), Int32, (Ptr{tenon_package}, Cstring, Ptr{Ptr{tenon_operation}}), package, name, out_operation)

"""
    int32_t tenon_package_file(const tenon_package* package, const char* path, tenon_blob** out_text)

A file of the package as text, such as \"blur.cu\" or \"plugin.toml\". NOT_FOUND: no such file; the message lists the
existing ones.
"""
tenon_package_file(package, path, out_text) =
    ccall(address(150), Int32, (Ptr{tenon_package}, Cstring, Ptr{Ptr{tenon_blob}}), package, path, out_text)

"""
    int32_t tenon_package_retain(const tenon_package* package)

Adds one reference.
"""
tenon_package_retain(package) =
    ccall(address(151), Int32, (Ptr{tenon_package},), package)

"""
    void tenon_package_release(tenon_package* package)

Releases one reference.
"""
tenon_package_release(package) =
    ccall(address(152), Cvoid, (Ptr{tenon_package},), package)

"""
    int32_t tenon_operation_find(tenon_context* context, const char* name, const char* range,
                                 tenon_operation** out_operation)

Finds an operation by \"package/name\" and a version range of the package. Loads the package from the search path if
necessary. NOT_FOUND: no package has it.
"""
tenon_operation_find(context, name, range, out_operation) =
    ccall(address(153), Int32, (Ptr{tenon_context}, Cstring, Cstring, Ptr{Ptr{tenon_operation}}), context, name, range,
          out_operation)

"""
    int32_t tenon_operation_describe(const tenon_operation* operation, tenon_blob** out_description)

The operation's part of the contract as JSON text, as in tenon_package_describe.
"""
tenon_operation_describe(operation, out_description) =
    ccall(address(154), Int32, (Ptr{tenon_operation}, Ptr{Ptr{tenon_blob}}), operation, out_description)

"""
    int32_t tenon_operation_get_info(const tenon_operation* operation, tenon_operation_info* out_info)

Fills *out_info; its struct_size must be set by the caller.
"""
tenon_operation_get_info(operation, out_info) =
    ccall(address(155), Int32, (Ptr{tenon_operation}, Ptr{tenon_operation_info}), operation, out_info)

"""
    int32_t tenon_operation_get_parameter_info(const tenon_operation* operation, int32_t index,
                                               tenon_operation_parameter_info* out_info)

Parameter `index`. The info's struct_size must be set by the caller.
"""
tenon_operation_get_parameter_info(operation, index, out_info) =
    ccall(address(156), Int32, (Ptr{tenon_operation}, Int32, Ptr{tenon_operation_parameter_info}), operation, index,
          out_info)

"""
    int32_t tenon_operation_gradient(const tenon_operation* operation, tenon_operation** out_gradient)

The operation that computes this operation's vector-Jacobian product: it takes parameters of this one by name and
grad_NAME for its outputs, and returns grad_NAME for its inputs. NOT_FOUND: the operation has no gradient.
"""
tenon_operation_gradient(operation, out_gradient) =
    ccall(address(157), Int32, (Ptr{tenon_operation}, Ptr{Ptr{tenon_operation}}), operation, out_gradient)

"""
    int32_t tenon_operation_package(const tenon_operation* operation, tenon_package** out_package)

The package that the operation belongs to.
"""
tenon_operation_package(operation, out_package) =
    ccall(address(158), Int32, (Ptr{tenon_operation}, Ptr{Ptr{tenon_package}}), operation, out_package)

"""
    int32_t tenon_operation_retain(const tenon_operation* operation)

Adds one reference.
"""
tenon_operation_retain(operation) =
    ccall(address(159), Int32, (Ptr{tenon_operation},), operation)

"""
    void tenon_operation_release(tenon_operation* operation)

Releases one reference.
"""
tenon_operation_release(operation) =
    ccall(address(160), Cvoid, (Ptr{tenon_operation},), operation)

"""
    int32_t tenon_dot(const tenon_array* x, const tenon_array* y, const tenon_blas_options* options,
                      tenon_stream* stream, tenon_array** out_dot)

dot = the sum of x y along the last axis; with conjugate, of conj(x) y. x, y: (..., n), batches broadcast; dot:
(...). options: conjugate. dtypes: as for tenon_gemm except float8; int8 gives int32. xDOTU, xDOTC by gemm's
routines.
"""
tenon_dot(x, y, options, stream, out_dot) =
    ccall(address(161), Int32, (Ptr{tenon_array}, Ptr{tenon_array}, Ptr{tenon_blas_options}, Ptr{tenon_stream},
          Ptr{Ptr{tenon_array}}), x, y, options, stream, out_dot)

"""
    int32_t tenon_einsum(const char* subscripts, const tenon_array* const* operands, int32_t count,
                         const tenon_gemm_options* options, tenon_stream* stream, tenon_array** out_sum)

Einstein's sum over `count` operands (at least one), as NumPy writes it: \"ij,jk->ik\", \"ii->i\", \"ij,jk,kl->il\". A
letter names an axis; an axis that is not in the result is summed over; a letter that occurs twice in one operand
takes the diagonal of these axes, which must have equal extents; \"...\" represents further axes. Across operands,
extent 1 broadcasts to any extent. Without \"->\" the result has the letters that appear once, in alphabetical order.
Two operands are computed as one batched matrix product on views of them; each is packed at most once
(options->out_packed). An axis of only one operand that is summed over is summed in that operand first (for f16 and
bf16 in float32). More operands are combined two at a time, in the order with the fewest operations for up to 7 of
them, else by the pair that grows least (as opt_einsum's \"optimal\" and \"greedy\"), each step with the dtype of the
result; the order depends on the extents alone. dtypes: as for tenon_gemm except float8; int8 gives int32. Sums of
other integers are modulo 2^bits. options: compute and out_packed; the others must be 0. The result is provided or
made.
Statuses: those of tenon_gemm (DTYPE, SHAPE, MISSING_LIBRARY among them), INVALID_ARGUMENT (malformed subscripts; the
number of terms differs from that of the operands).
"""
tenon_einsum(subscripts, operands, count, options, stream, out_sum) =
    ccall(address(162), Int32, (Cstring, Ptr{Ptr{tenon_array}}, Int32, Ptr{tenon_gemm_options}, Ptr{tenon_stream},
          Ptr{Ptr{tenon_array}}), subscripts, operands, count, options, stream, out_sum)

"""
    int32_t tenon_solve(const tenon_array* a, const tenon_array* b, const tenon_solve_options* options,
                        tenon_stream* stream, tenon_array** out_x)

x of op(a) x = b. a: (..., n, n); b: (..., n, k); x: (..., n, k), which may be exactly b. One a with many b is
factored once. SINGULAR: a is singular, or so nearly singular that the solution overflows; with POSITIVE also: a is
not positive definite. tenon_cond measures how accurate x can be.
"""
tenon_solve(a, b, options, stream, out_x) =
    ccall(address(163), Int32, (Ptr{tenon_array}, Ptr{tenon_array}, Ptr{tenon_solve_options}, Ptr{tenon_stream},
          Ptr{Ptr{tenon_array}}), a, b, options, stream, out_x)

"""
    int32_t tenon_lu(const tenon_array* a, const tenon_lu_options* options, tenon_stream* stream, tenon_array** out_lu,
                     tenon_array** out_pivots)

a = P L U with partial pivoting, a: (..., m, n). lu: (..., m, n), which may be exactly a, holds U, and below the
diagonal L, whose diagonal is 1; pivots: int64 (..., min(m, n)): row i was exchanged with row pivots[i], counted from
1 as in LAPACK. A singular a has such factors too. options: none of the fields. xGETRF; cusolverDnXgetrf.
"""
tenon_lu(a, options, stream, out_lu, out_pivots) =
    ccall(address(164), Int32, (Ptr{tenon_array}, Ptr{tenon_lu_options}, Ptr{tenon_stream}, Ptr{Ptr{tenon_array}},
          Ptr{Ptr{tenon_array}}), a, options, stream, out_lu, out_pivots)

"""
    int32_t tenon_lu_solve(const tenon_array* lu, const tenon_array* pivots, const tenon_array* b,
                           const tenon_lu_options* options, tenon_stream* stream, tenon_array** out_x)

x of op(a) x = b with the factors of tenon_lu: lu (..., n, n), pivots (..., n), b and x (..., n, k); x may be
exactly b. options: op. SINGULAR as for tenon_solve; INVALID_ARGUMENT: a pivot outside of 1 to n. xGETRS;
cusolverDnXgetrs.
"""
tenon_lu_solve(lu, pivots, b, options, stream, out_x) =
    ccall(address(165), Int32, (Ptr{tenon_array}, Ptr{tenon_array}, Ptr{tenon_array}, Ptr{tenon_lu_options},
          Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}), lu, pivots, b, options, stream, out_x)

"""
    int32_t tenon_cholesky(const tenon_array* a, const tenon_cholesky_options* options, tenon_stream* stream,
                           tenon_array** out_factor)

a = L L^H, or with upper 1 a = U^H U, for a symmetric or Hermitian positive definite a: (..., n, n), only that
triangle of which is read. factor: (..., n, n), which may be exactly a; its other triangle is 0. SINGULAR: a is not
positive definite; the native code is the order of the first leading minor that is not. xPOTRF; cusolverDnXpotrf.
"""
tenon_cholesky(a, options, stream, out_factor) =
    ccall(address(166), Int32, (Ptr{tenon_array}, Ptr{tenon_cholesky_options}, Ptr{tenon_stream},
          Ptr{Ptr{tenon_array}}), a, options, stream, out_factor)

"""
    int32_t tenon_cholesky_solve(const tenon_array* factor, const tenon_array* b, const tenon_cholesky_options* options,
                                 tenon_stream* stream, tenon_array** out_x)

x of a x = b with the factor of tenon_cholesky and its options: factor (..., n, n), b and x (..., n, k); x may be
exactly b. SINGULAR as for tenon_solve. xPOTRS; cusolverDnXpotrs.
"""
tenon_cholesky_solve(factor, b, options, stream, out_x) =
    ccall(address(167), Int32, (Ptr{tenon_array}, Ptr{tenon_array}, Ptr{tenon_cholesky_options}, Ptr{tenon_stream},
          Ptr{Ptr{tenon_array}}), factor, b, options, stream, out_x)

"""
    int32_t tenon_qr(const tenon_array* a, const tenon_qr_options* options, tenon_stream* stream, tenon_array** out_q,
                     tenon_array** out_r)

a = q r, where the columns of q are orthonormal and r is upper triangular. a: (..., m, n). OVERFLOW: r does not fit
its dtype. INVALID_ARGUMENT: an unknown mode; out_q is NULL, and the mode is not TENON_QR_R. xGEQRF, xORGQR, xUNGQR;
cusolverDnXgeqrf, cusolverDn<t>orgqr and ungqr.
"""
tenon_qr(a, options, stream, out_q, out_r) =
    ccall(address(168), Int32, (Ptr{tenon_array}, Ptr{tenon_qr_options}, Ptr{tenon_stream}, Ptr{Ptr{tenon_array}},
          Ptr{Ptr{tenon_array}}), a, options, stream, out_q, out_r)

"""
    int32_t tenon_lstsq(const tenon_array* a, const tenon_array* b, const tenon_rank_options* options,
                        tenon_stream* stream, tenon_array** out_x, tenon_array** out_rank, tenon_array** out_s)

The x that minimises |a x - b|, and of all such x the one with the smallest norm. a: (..., m, n) of any shape and
rank, b: (..., m, k), x: (..., n, k). Computed from the singular values of a. rank: int64 (...), the number of
singular values that do not count as 0; s: (..., min(m, n)), the singular values. SINGULAR: the solution overflows;
INVALID_ARGUMENT: rcond is NaN. As xGELSD, with tenon_svd's routines.
"""
tenon_lstsq(a, b, options, stream, out_x, out_rank, out_s) =
    ccall(address(169), Int32, (Ptr{tenon_array}, Ptr{tenon_array}, Ptr{tenon_rank_options}, Ptr{tenon_stream},
          Ptr{Ptr{tenon_array}}, Ptr{Ptr{tenon_array}}, Ptr{Ptr{tenon_array}}), a, b, options, stream, out_x, out_rank,
          out_s)

"""
    int32_t tenon_inverse(const tenon_array* a, const tenon_lu_options* options, tenon_stream* stream,
                          tenon_array** out_inverse)

The inverse of a: (..., n, n); the result may be exactly a. SINGULAR as for tenon_solve. options: none of the fields.
xGETRF, xGETRS.
"""
tenon_inverse(a, options, stream, out_inverse) =
    ccall(address(170), Int32, (Ptr{tenon_array}, Ptr{tenon_lu_options}, Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}), a,
          options, stream, out_inverse)

"""
    int32_t tenon_pinv(const tenon_array* a, const tenon_rank_options* options, tenon_stream* stream,
                       tenon_array** out_inverse)

The Moore-Penrose pseudo-inverse (..., n, m) of a: (..., m, n). SINGULAR: it overflows; INVALID_ARGUMENT: rcond is
NaN. Uses tenon_svd's routines.
"""
tenon_pinv(a, options, stream, out_inverse) =
    ccall(address(171), Int32, (Ptr{tenon_array}, Ptr{tenon_rank_options}, Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}), a,
          options, stream, out_inverse)

"""
    int32_t tenon_matrix_rank(const tenon_array* a, const tenon_rank_options* options, tenon_stream* stream,
                              tenon_array** out_rank)

The number of singular values of a: (..., m, n) that do not count as 0: int64 (...). INVALID_ARGUMENT: rcond is
NaN.
"""
tenon_matrix_rank(a, options, stream, out_rank) =
    ccall(address(172), Int32, (Ptr{tenon_array}, Ptr{tenon_rank_options}, Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}), a,
          options, stream, out_rank)

"""
    int32_t tenon_det(const tenon_array* a, const tenon_lu_options* options, tenon_stream* stream,
                      tenon_array** out_det)

The determinants of a: (..., n, n), of shape (...): 0 for a singular matrix, infinite if the dtype cannot hold it
(use tenon_slogdet then). options: none of the fields. xGETRF.
"""
tenon_det(a, options, stream, out_det) =
    ccall(address(173), Int32, (Ptr{tenon_array}, Ptr{tenon_lu_options}, Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}), a,
          options, stream, out_det)

"""
    int32_t tenon_slogdet(const tenon_array* a, const tenon_lu_options* options, tenon_stream* stream,
                          tenon_array** out_sign, tenon_array** out_log)

det = sign exp(log): sign has a's dtype and absolute value 1 or 0, log is real; both have shape (...). For a singular
matrix they are 0 and -infinity. options: none of the fields.
"""
tenon_slogdet(a, options, stream, out_sign, out_log) =
    ccall(address(174), Int32, (Ptr{tenon_array}, Ptr{tenon_lu_options}, Ptr{tenon_stream}, Ptr{Ptr{tenon_array}},
          Ptr{Ptr{tenon_array}}), a, options, stream, out_sign, out_log)

"""
    int32_t tenon_eigh(const tenon_array* a, const tenon_eigh_options* options, tenon_stream* stream,
                       tenon_array** out_w, tenon_array** out_v)

a = v diag(w) v^H for a symmetric or Hermitian a: (..., n, n), one triangle of which is read. w: real, (..., count),
ascending; v: (..., n, count), orthonormal columns; out_v NULL: values only. With by_value, count is the number of
eigenvalues found, and a must be one matrix (a batch of more than 1 is SHAPE, because its matrices would have
different counts). |a v - v diag(w)| over |a|, and |v^H v - 1|, in the 1-norm, are below 30 n epsilon, LAPACK's own
bound. The result is checked: where it misses the bound, as for some graded matrices, another method computes it
again, and NOT_CONVERGED is returned if that misses it, too. OVERFLOW: w does not fit its dtype. xSYEVD, xHEEVD, for
a part of the eigenvalues xSYEVR, xHEEVR; cusolverDnXsyevd, Xsyevdx. NOT_FINITE: NaN or infinity in a.
"""
tenon_eigh(a, options, stream, out_w, out_v) =
    ccall(address(175), Int32, (Ptr{tenon_array}, Ptr{tenon_eigh_options}, Ptr{tenon_stream}, Ptr{Ptr{tenon_array}},
          Ptr{Ptr{tenon_array}}), a, options, stream, out_w, out_v)

"""
    int32_t tenon_eig(const tenon_array* a, const tenon_eig_options* options, tenon_stream* stream, tenon_array** out_w,
                      tenon_array** out_left, tenon_array** out_right)

a v = v diag(w) and u^H a = diag(w) u^H for any a: (..., n, n). w: (..., n) complex, in no particular order; u
(out_left) and v (out_right): (..., n, n) complex, columns of norm 1, which are linearly dependent if a is defective;
pass NULL for those that are not wanted. |a v - v diag(w)| over |a|, in the 1-norm, is below 30 n epsilon, LAPACK's
own bound, and likewise for u. If balancing a badly scaled a breaks this bound, the host's LAPACK computes the values
and vectors of that matrix without balancing; if that fails too, NOT_CONVERGED. If only values are requested, they
are those of the balanced matrix. OVERFLOW: w does not fit its dtype. On CUDA, where cuSOLVER computes right vectors
only, the left ones are the rows of the inverse of v; if those are not accurate, because v is ill-conditioned or
singular (a is defective), the host's LAPACK computes the values and vectors of that matrix (MISSING_LIBRARY: no
LAPACK is installed). xGEEVX; cusolverDnXgeev (CUDA 12.6 and later, else UNSUPPORTED). NOT_FINITE: NaN or infinity in
a.
"""
tenon_eig(a, options, stream, out_w, out_left, out_right) =
    ccall(address(176), Int32, (Ptr{tenon_array}, Ptr{tenon_eig_options}, Ptr{tenon_stream}, Ptr{Ptr{tenon_array}},
          Ptr{Ptr{tenon_array}}, Ptr{Ptr{tenon_array}}), a, options, stream, out_w, out_left, out_right)

"""
    int32_t tenon_norm(const tenon_array* a, const tenon_norm_options* options, tenon_stream* stream,
                       tenon_array** out_norm)

The norm of each matrix of a: (..., m, n), real, of shape (...). Intermediate squares do not overflow. NaN or
infinity in a appears in the results of kinds 0 to 3 and is NOT_FINITE for the others. A norm that its dtype cannot
hold is infinite for kinds 0 to 3 and OVERFLOW for the others. A matrix without elements has norm 0.
INVALID_ARGUMENT: an unknown kind. xLANGE; tenon_svd's routines.
"""
tenon_norm(a, options, stream, out_norm) =
    ccall(address(177), Int32, (Ptr{tenon_array}, Ptr{tenon_norm_options}, Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}), a,
          options, stream, out_norm)

"""
    int32_t tenon_cond(const tenon_array* a, const tenon_norm_options* options, tenon_stream* stream,
                       tenon_array** out_cond)

The condition number |a| |a^-1| in that norm, real, of shape (...); infinite for a singular matrix (kind NUCLEAR:
SINGULAR), and if its dtype cannot hold it. TWO and MINUS_TWO (the reciprocal of TWO, but infinite for a matrix of
zeros) take any a: (..., m, n), the others square matrices. INVALID_ARGUMENT: an unknown kind, or LARGEST, which is
not an operator norm. SHAPE: m or n is 0.
"""
tenon_cond(a, options, stream, out_cond) =
    ccall(address(178), Int32, (Ptr{tenon_array}, Ptr{tenon_norm_options}, Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}), a,
          options, stream, out_cond)

"""
    int32_t tenon_matrix_power(const tenon_array* a, int64_t n, const tenon_power_options* options,
                               tenon_stream* stream, tenon_array** out_power)

a^n for a: (..., m, m), by repeated squaring; n = 0 gives the identity, a negative n a power of the inverse (SINGULAR
if there is none). NOT_FINITE; OVERFLOW: the result does not fit its dtype.
"""
tenon_matrix_power(a, n, options, stream, out_power) =
    ccall(address(179), Int32, (Ptr{tenon_array}, Int64, Ptr{tenon_power_options}, Ptr{tenon_stream},
          Ptr{Ptr{tenon_array}}), a, n, options, stream, out_power)

"""
    int32_t tenon_expm(const tenon_array* a, const tenon_power_options* options, tenon_stream* stream,
                       tenon_array** out_exponential)

e^a for a: (..., n, n), by scaling and squaring of a Pade approximant of degree 13, in double precision; the scaling
follows the norms of a's powers (Al-Mohy, Higham 2009), so that a matrix far from normal is not squared more often
than necessary. If a is triangular, so is the result, and its diagonal holds the exponentials of a's diagonal.
NOT_FINITE; OVERFLOW: the result does not fit its dtype, or more than 50 squarings would be needed, which leaves no
correct digit (norms of about 5e15, of a and of its powers).
"""
tenon_expm(a, options, stream, out_exponential) =
    ccall(address(180), Int32, (Ptr{tenon_array}, Ptr{tenon_power_options}, Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}),
          a, options, stream, out_exponential)

"""
    int32_t tenon_operation_call(tenon_operation* operation, const tenon_arg* args, int32_t count, tenon_stream* stream)

Runs the operation. args: one for each parameter, in the contract's order, outputs included: arrays
(TENON_ARG_ARRAY; STRIDED means the same here), scalars of exactly the parameter's dtype (TENON_ARG_SCALAR), lists
(TENON_ARG_BYTES); an entry of all zeros means the default, or leaves out an optional array. The first input array
determines the device and the dtypes of placeholders. Everything is checked, and every step compiled, before the
first step is launched; with compiled kernels the call takes a checked launch and about 0.3 us. Temporaries come from
the stream's pool. Errors name operation and parameter: INVALID_ARGUMENT (count, kind, a precondition of the
contract, geometry), DTYPE, SHAPE, LAYOUT, DEVICE, CONTEXT, READ_ONLY, OVERLAP, OVERFLOW (in an expression of the
contract), UNSUPPORTED (on this device), COMPILE, MISSING_LIBRARY, CANCELLED (while it compiled), OUT_OF_MEMORY, and
the statuses of a launch; a host function of the package may return any status, such as NOT_FOUND or NOT_FINITE. Can
be recorded into a graph (graph.h).
"""
tenon_operation_call(operation, args, count, stream) =
    ccall(address(181), Int32, (Ptr{tenon_operation}, Ptr{tenon_arg}, Int32, Ptr{tenon_stream}), operation, args, count,
          stream)

"""
    int32_t tenon_operation_output(tenon_operation* operation, const tenon_arg* args, int32_t count, int32_t index,
                                   tenon_stream* stream, tenon_array** out_array)

A new C-ordered array for output `index` (0 is the first parameter with the role OUT) of a call with these arguments,
not initialised. args as for the call; the entries of outputs are ignored. The memory is allocated in the order of
`stream`. Statuses as for tenon_operation_call. DTYPE, SHAPE: the arguments do not fit the contract. LAYOUT: an array
does not have the layout that the contract requires.
"""
tenon_operation_output(operation, args, count, index, stream, out_array) =
    ccall(address(182), Int32, (Ptr{tenon_operation}, Ptr{tenon_arg}, Int32, Int32, Ptr{tenon_stream},
          Ptr{Ptr{tenon_array}}), operation, args, count, index, stream, out_array)

"""
    int32_t tenon_operation_prepare(tenon_operation* operation, const tenon_arg* args, int32_t count)

Compiles and loads the kernels that a call with these arguments needs, and launches nothing. Entries of outputs are
ignored. Expressions (elementwise, reduction, scan) compile at the first call with each layout.
"""
tenon_operation_prepare(operation, args, count) =
    ccall(address(183), Int32, (Ptr{tenon_operation}, Ptr{tenon_arg}, Int32), operation, args, count)

"""
    int32_t tenon_package_prepare(tenon_package* package, tenon_device* device)

Compiles, in parallel, the kernels of all operations of the package for the device: for every dtype that the
contracts allow, with the current values of the tunables. Later calls find them in the cache of programs. Instances
that depend on scalars or shapes, and expressions, are not compiled. The first failure is returned, after all kernels
were tried. COMPILE: a kernel of the package does not compile.
"""
tenon_package_prepare(package, device) =
    ccall(address(184), Int32, (Ptr{tenon_package}, Ptr{tenon_device}), package, device)

"""
    int32_t tenon_operation_set_tunable(tenon_operation* operation, const char* name, int64_t value)

Sets a tunable of the operation for all later calls on this context; it must be one of the contract's values. Tuning
records (below) are then ignored for this operation. NOT_FOUND: there is no such tunable.
"""
tenon_operation_set_tunable(operation, name, value) =
    ccall(address(185), Int32, (Ptr{tenon_operation}, Cstring, Int64), operation, name, value)

"""
    int32_t tenon_operation_get_tunable(const tenon_operation* operation, const char* name, int64_t* out_value)

The value of a tunable for calls without a tuning record. NOT_FOUND: the operation has no tunable of that name.
"""
tenon_operation_get_tunable(operation, name, out_value) =
    ccall(address(186), Int32, (Ptr{tenon_operation}, Cstring, Ptr{Int64}), operation, name, out_value)

"""
    int32_t tenon_operation_test(tenon_operation* operation, tenon_device* device, tenon_blob** out_report)
 Runs the operation's self-tests (kernels/README.md) on a device: compares with the expected values, or the CPU's
results, and the gradient with finite differences. The call succeeds even if cases fail. out_report: JSON,
{\"operation\", \"device\", \"passed\", \"failed\", \"cases\": [{\"name\", \"types\", \"passed\", \"what\", \"error\",
\"tolerance\"}]}. UNSUPPORTED: it does not run on that device.
"""
tenon_operation_test(operation, device, out_report) =
    ccall(address(187), Int32, (Ptr{tenon_operation}, Ptr{tenon_device}, Ptr{Ptr{tenon_blob}}), operation, device,
          out_report)

"""
    int32_t tenon_operation_bind(tenon_operation* operation, const tenon_arg* args, int32_t count, tenon_stream* stream,
                                 tenon_call** out_call)

A call (kernel.h) of the operation: arguments are checked, geometry evaluated, temporaries made and kernels compiled
once; it can then be launched any number of times. stream: the stream on which temporaries are made. Statuses as for
tenon_operation_call.
"""
tenon_operation_bind(operation, args, count, stream, out_call) =
    ccall(address(188), Int32, (Ptr{tenon_operation}, Ptr{tenon_arg}, Int32, Ptr{tenon_stream}, Ptr{Ptr{tenon_call}}),
          operation, args, count, stream, out_call)

"""
    int32_t tenon_program_link(tenon_device* device, const tenon_program_input* inputs, int32_t count,
                               const tenon_program_options* options, tenon_program** out_program)

Makes one program from `count` inputs, which are copied. The struct_size of every input must be set, to the same
value in all.

A single image (BINARY, PTX, FATBIN) is loaded as it is, on this device and immediately. All other inputs are
compiled as relocatable device code and linked: by nvJitLink 12.3 or later on CUDA (with the option \"-dlto\" the whole
program is optimised first), by the host's linker on the CPU device. Functions and variables with external linkage
are then shared, as `extern __device__` declares them. The CPU device links sources only, and does not vectorise code
that reads threadIdx in one unit and is called from another.
 A kernel or variable listed in the options is taken from the first source that defines it, else from the images. A
kernel of an image is named by its symbol (\"saxpy\" if it is extern \"C\", else mangled), or as it was listed when
Tenon compiled the image. Images compiled by Tenon describe their kernels; for others only the sizes of the parameters
are known (TENON_PARAMETER_UNKNOWN) and checked. The options' headers, -I and similar options apply to the sources.

An image is code that runs with the caller's rights: BINARY, FATBIN and LTO_IR are refused (INVALID_ARGUMENT) without
TENON_PROGRAM_FLAG_TRUSTED. An image is checked before it is passed to the driver or the loader: one that is not of
the stated kind, or visibly damaged, is INVALID_ARGUMENT; one for another device, architecture or processor is
UNSUPPORTED. NOT_FOUND: it has no such kernel. COMPILE, MISSING_LIBRARY, CANCELLED: as for tenon_program_create; the
log contains the linker's messages.
"""
tenon_program_link(device, inputs, count, options, out_program) =
    ccall(address(189), Int32, (Ptr{tenon_device}, Ptr{tenon_program_input}, Int32, Ptr{tenon_program_options},
          Ptr{Ptr{tenon_program}}), device, inputs, count, options, out_program)

"""
    int32_t tenon_compilation_link(tenon_device* device, const tenon_program_input* inputs, int32_t count,
                                   const tenon_program_options* options, tenon_compilation** out_compilation)

As tenon_compilation_start, but compiles and links as tenon_program_link does.
"""
tenon_compilation_link(device, inputs, count, options, out_compilation) =
    ccall(address(190), Int32, (Ptr{tenon_device}, Ptr{tenon_program_input}, Int32, Ptr{tenon_program_options},
          Ptr{Ptr{tenon_compilation}}), device, inputs, count, options, out_compilation)

"""
    int32_t tenon_kernel_parameter_name(const tenon_kernel* kernel, int32_t index, const char** out_name)

The name of parameter `index` in the source: taken from a declaration of the kernel, in the source or in a header
passed with it, that matches the parameters which the compiler reports. \"\" if there is no such declaration, if two
differ, or if the program is an image. It is used only in messages about arguments. Borrowed.
"""
tenon_kernel_parameter_name(kernel, index, out_name) =
    ccall(address(191), Int32, (Ptr{tenon_kernel}, Int32, Ptr{Ptr{UInt8}}), kernel, index, out_name)

"""
    int32_t tenon_cache_get_info(tenon_context* context, tenon_cache_info* out_info)

Fills *out_info; its struct_size must be set by the caller. Reads the names and sizes of the entries, not their
contents.
"""
tenon_cache_get_info(context, out_info) =
    ccall(address(192), Int32, (Ptr{tenon_context}, Ptr{tenon_cache_info}), context, out_info)

"""
    int32_t tenon_cache_list(tenon_context* context, tenon_blob** out_list)
 Every entry on disk, least recently used first, as JSON text: a list of {\"key\" (32 hexadecimal digits, the file's
name), \"kind\", \"bytes\", \"used\" (seconds since 1970)}. kind is \"program\", \"answer\", \"foreign\" (written by
another version of Tenon) or \"damaged\". A program also has \"device\" (\"cpu\", \"cuda\"), \"name\" (of the source),
\"kernels\", \"globals\", \"options\" (lists), \"mode\", \"flags\", \"architecture\" (\"\" is the device's own),
\"compiler\" and \"source_bytes\"; an answer has its \"question\". Reads all entries, without changing the time of their
last use.
"""
tenon_cache_list(context, out_list) =
    ccall(address(193), Int32, (Ptr{tenon_context}, Ptr{Ptr{tenon_blob}}), context, out_list)

"""
    int32_t tenon_cache_verify(tenon_context* context, int32_t remove, tenon_cache_tally* out_tally)

Reads every entry and compares its checksum. remove 1: damaged entries are removed; 0: they are kept. Entries of
another version of Tenon do not count as damaged. UNSUPPORTED: the context's cache is off, or cannot be used, or
(remove 1) is not writable; the text says why. The call succeeds even if it finds damaged entries.
"""
tenon_cache_verify(context, remove, out_tally) =
    ccall(address(194), Int32, (Ptr{tenon_context}, Int32, Ptr{tenon_cache_tally}), context, remove, out_tally)

"""
    int32_t tenon_cache_export(tenon_context* context, const char* path, tenon_cache_tally* out_tally)

Writes every undamaged program on disk to a single file `path`, a bundle for tenon_cache_import. The file is replaced
as a whole, or left unchanged. The bundle is useful on machines with the same compiler, headers and architecture; it
contains the programs' sources too. IO: it cannot be written. UNSUPPORTED: as for verify.
"""
tenon_cache_export(context, path, out_tally) =
    ccall(address(195), Int32, (Ptr{tenon_context}, Cstring, Ptr{tenon_cache_tally}), context, path, out_tally)

"""
    int32_t tenon_cache_import(tenon_context* context, const char* path, tenon_cache_tally* out_tally)

Adds all programs of a bundle to the cache on disk, except those that are present already. They are code that will
run with the caller's rights: import only what you trust. The whole file is read and its checksums are compared
first; on failure nothing is imported. NOT_FOUND: the file does not exist. INVALID_ARGUMENT: the file is not a
bundle, or is damaged: the text says where. VERSION: another version of Tenon wrote it, with another format of
entries. IO: the file cannot be read, or the cache cannot be written. UNSUPPORTED: as for verify with remove 1; or
the bundle is larger than nine tenths of the cache's limit.
"""
tenon_cache_import(context, path, out_tally) =
    ccall(address(196), Int32, (Ptr{tenon_context}, Cstring, Ptr{tenon_cache_tally}), context, path, out_tally)

"""
    int32_t tenon_cache_clear(tenon_context* context, double unused_seconds, uint64_t keep_bytes,
                              tenon_cache_tally* out_tally)

Removes entries from disk: those not used for `unused_seconds` or longer (0: all), least recently used first, until
the rest takes `keep_bytes` or fewer (0: all of them). With 0 and 0 all entries are removed, and also the programs
that the process keeps in memory without a reference to them: the next use compiles again. Programs in use are not
affected. INVALID_ARGUMENT: unused_seconds is negative or NaN. UNSUPPORTED: as for verify with remove 1.
"""
tenon_cache_clear(context, unused_seconds, keep_bytes, out_tally) =
    ccall(address(197), Int32, (Ptr{tenon_context}, Float64, UInt64, Ptr{tenon_cache_tally}), context, unused_seconds,
          keep_bytes, out_tally)

"""
    int32_t tenon_kron(const tenon_array* a, const tenon_array* b, const tenon_gemm_options* options,
                       tenon_stream* stream, tenon_array** out_product)

The Kronecker product: out[..., i p + k, j q + l] = a[..., i, j] b[..., k, l] for b: (..., p, q); batches broadcast.
The result is provided or made. dtypes: those that tenon_gemm takes for a, b and c alike. options: as for
tenon_einsum. Statuses: those of tenon_gemm (DTYPE, SHAPE ...), OVERFLOW (more than 2^63 rows or columns).
"""
tenon_kron(a, b, options, stream, out_product) =
    ccall(address(198), Int32, (Ptr{tenon_array}, Ptr{tenon_array}, Ptr{tenon_gemm_options}, Ptr{tenon_stream},
          Ptr{Ptr{tenon_array}}), a, b, options, stream, out_product)

"""
    int32_t tenon_ldl(const tenon_array* a, const tenon_ldl_options* options, tenon_stream* stream,
                      tenon_array** out_ld, tenon_array** out_pivots)

a = P L D L^T P^T (upper: U instead of L; hermitian: ^H) for a symmetric or Hermitian a: (..., n, n) that need not be
definite, one triangle of which is read. D has blocks of 1 x 1 and 2 x 2 (Bunch-Kaufman pivoting). ld: (..., n, n)
and pivots: int64 (..., n) hold the factors in LAPACK's format: D and the multipliers in that triangle, the other
triangle is 0; pivots[i] > 0: rows and columns i + 1 and pivots[i] were exchanged; two equal negative pivots: a block
of 2 x 2. A singular a has such factors too. xSYTRF, xHETRF; cusolverDn<t>sytrf (Hermitian: UNSUPPORTED on CUDA).
"""
tenon_ldl(a, options, stream, out_ld, out_pivots) =
    ccall(address(199), Int32, (Ptr{tenon_array}, Ptr{tenon_ldl_options}, Ptr{tenon_stream}, Ptr{Ptr{tenon_array}},
          Ptr{Ptr{tenon_array}}), a, options, stream, out_ld, out_pivots)

"""
    int32_t tenon_ldl_solve(const tenon_array* ld, const tenon_array* pivots, const tenon_array* b,
                            const tenon_ldl_options* options, tenon_stream* stream, tenon_array** out_x)

x of a x = b with the factors of tenon_ldl and its options. SINGULAR as for tenon_solve. xSYTRS, xHETRS;
cusolverDnXsytrs.
"""
tenon_ldl_solve(ld, pivots, b, options, stream, out_x) =
    ccall(address(200), Int32, (Ptr{tenon_array}, Ptr{tenon_array}, Ptr{tenon_array}, Ptr{tenon_ldl_options},
          Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}), ld, pivots, b, options, stream, out_x)

"""
    int32_t tenon_program_compile(const char* architecture, const char* source, uint64_t size,
                                  const tenon_program_options* options, int32_t kind, tenon_blob** out_image,
                                  tenon_blob** out_log)

Compiles CUDA C for an architecture (\"sm_90\", \"compute_80\") with NVRTC: needs no GPU, driver or context, and neither
reads nor writes a cache. The architecture in the options must be NULL. For an architecture newer than the compiler,
the newest one that the compiler knows is used. Kernels that are not templates are in the image without being listed
in the options.
out_image: an image as tenon_program_link takes it (TENON_INPUT_BINARY, TENON_INPUT_PTX); NULL only checks the
source. kind: TENON_IMAGE_BINARY, a cubin for \"sm_90\" (PTX for \"compute_90\" and for architectures newer than the
compiler), or TENON_IMAGE_PTX. out_log: the compiler's log, empty without warnings; with \"--ptxas-options=-v\" among
the options, the resources that each kernel uses. Both are new references, or NULL after a failure. COMPILE: the
source has errors, which the record's log lists. MISSING_LIBRARY: there is no NVRTC. UNSUPPORTED: an architecture
that NVRTC no longer supports, or a library that was built without CUDA.
"""
tenon_program_compile(architecture, source, size, options, kind, out_image, out_log) =
    ccall(address(201), Int32, (Cstring, Ptr{UInt8}, UInt64, Ptr{tenon_program_options}, Int32, Ptr{Ptr{tenon_blob}},
          Ptr{Ptr{tenon_blob}}), architecture, source, size, options, kind, out_image, out_log)

"""
    int32_t tenon_package_pack(const char* path, const tenon_package_options* options, tenon_blob** out_archive)

The package as one uncompressed tar file. It is checked as by tenon_package_check, and the same content always gives
the same bytes. If the contract lists no hashes, those of all files are added at its end. Statuses as for
tenon_package_load. NOT_FOUND: there is no such directory.
"""
tenon_package_pack(path, options, out_archive) =
    ccall(address(202), Int32, (Cstring, Ptr{tenon_package_options}, Ptr{Ptr{tenon_blob}}), path, options, out_archive)

"""
    int32_t tenon_operation_measure(tenon_operation* operation, tenon_device* device,
                                    const tenon_measure_options* options, tenon_blob** out_report)
 Measures how long the operation takes on the device: it is bound once and launched repeatedly. out_report: JSON,
{\"operation\", \"device\", \"cases\": [{\"name\", \"types\", \"shapes\", \"tunables\", \"milliseconds\" (the median),
\"fastest\", \"launches\", \"bytes\" (of all arrays once), \"gigabytes_per_second\"}]}. A case that fails is {\"name\",
\"types\", \"fault\"}. UNSUPPORTED: the operation does not run on that device. NOT_FOUND: there is nothing to measure:
the contract has no cases, and no arguments were passed. INVALID_ARGUMENT: the arguments passed are invalid.
"""
tenon_operation_measure(operation, device, options, out_report) =
    ccall(address(203), Int32, (Ptr{tenon_operation}, Ptr{tenon_device}, Ptr{tenon_measure_options},
          Ptr{Ptr{tenon_blob}}), operation, device, options, out_report)

"""
    int32_t tenon_operation_tune(tenon_operation* operation, tenon_device* device, const tenon_measure_options* options,
                                 tenon_blob** out_report)
 Tries values of the tunables on the device and writes the records. A value that fails, or changes the results beyond
the tests' tolerance, is never used. out_report: JSON, {\"operation\", \"device\", \"file\", \"cases\": [{\"name\",
\"types\", \"shapes\", \"tunables\" (the best), \"milliseconds\", \"default_milliseconds\", \"tried\", \"possible\",
\"failed\", \"recorded\": false if the time ran out before enough values were tried}]}. NOT_FOUND: the operation has no
tunables. IO: the record cannot be written; otherwise as for tenon_operation_measure.
"""
tenon_operation_tune(operation, device, options, out_report) =
    ccall(address(204), Int32, (Ptr{tenon_operation}, Ptr{tenon_device}, Ptr{tenon_measure_options},
          Ptr{Ptr{tenon_blob}}), operation, device, options, out_report)

"""
    int32_t tenon_dct(const tenon_array* source, const int32_t* axes, int32_t axis_count,
                      const tenon_dct_options* options, tenon_stream* stream, tenon_array** out_destination)

destination = cosine or sine transform of source over `axis_count` axes (as in tenon_fft), one after another, of
f32 or f64. Forward and unscaled, with n the extent of an axis and sums over j from 0 to n - 1:
  cosine 1: x[0] + (-1)^k x[n-1] + 2 sum over 0 < j < n-1 of x[j] cos(pi j k / (n-1)), n at least 2
         2: 2 sum x[j] cos(pi (2j+1) k / (2n))
         3: x[0] + 2 sum over j > 0 of x[j] cos(pi j (2k+1) / (2n))
         4: 2 sum x[j] cos(pi (2j+1) (2k+1) / (4n))
  sine   1: 2 sum x[j] sin(pi (j+1) (k+1) / (n+1))
         2: 2 sum x[j] sin(pi (2j+1) (k+1) / (2n))
         3: (-1)^k x[n-1] + 2 sum over j < n-1 of x[j] sin(pi (j+1) (2k+1) / (2n))
         4: 2 sum x[j] sin(pi (2j+1) (2k+1) / (4n))
The inverse of types 1 and 4 is the same type, of 2 type 3 and of 3 type 2, over N = 2n (cosine 1: 2 (n-1), sine
1: 2 (n+1)). norm: BACKWARD: inverse 1/N; FORWARD: forward 1/N; ORTHO: both 1/sqrt(N), and the ends weighted by
sqrt(2), so that the matrix of the transform is orthogonal. Any strides. The destination is provided or made, and may
be source itself; otherwise their memory must be disjoint. ducc0 on the CPU; a cuFFT transform between two kernels on
CUDA. The work runs on `stream` as tenon_fft's does. Statuses: those of tenon_fft.
"""
tenon_dct(source, axes, axis_count, options, stream, out_destination) =
    ccall(address(205), Int32, (Ptr{tenon_array}, Ptr{Int32}, Int32, Ptr{tenon_dct_options}, Ptr{tenon_stream},
          Ptr{Ptr{tenon_array}}), source, axes, axis_count, options, stream, out_destination)

"""
    int32_t tenon_signing_key_create(tenon_blob** out_secret)

Makes a secret key. Anyone who has it can sign; store it where only you can read it. MISSING_LIBRARY: there is no
libsodium.
"""
tenon_signing_key_create(out_secret) =
    ccall(address(206), Int32, (Ptr{Ptr{tenon_blob}},), out_secret)

"""
    int32_t tenon_signing_key_public(const char* secret, tenon_blob** out_public)

The public key that belongs to a secret key; others add it to their trust list. INVALID_ARGUMENT: the text is not a
secret key. MISSING_LIBRARY: there is no libsodium.
"""
tenon_signing_key_public(secret, out_public) =
    ccall(address(207), Int32, (Cstring, Ptr{Ptr{tenon_blob}}), secret, out_public)

"""
    int32_t tenon_package_sign(const char* path, const char* secret, const tenon_package_options* options,
                               tenon_blob** out_signature)

Checks a package as tenon_package_check does and signs it. out_signature: the text of the file plugin.sig, to be
written next to its plugin.toml. An existing signature is ignored. Statuses as for tenon_package_load and
tenon_signing_key_public. NOT_FOUND: there is no such package.
"""
tenon_package_sign(path, secret, options, out_signature) =
    ccall(address(208), Int32, (Cstring, Cstring, Ptr{tenon_package_options}, Ptr{Ptr{tenon_blob}}), path, secret,
          options, out_signature)

"""
    int32_t tenon_plugin_load(tenon_context* context, const char* path, const tenon_package_options* options,
                              tenon_package** out_package)

Loads a package of host code from a shared object and adds it to the context's registry; if the same object is loaded
already, that package is returned. The options' sha256 is that of the file. INVALID_ARGUMENT: the path is not
absolute, the file is not a plug-in (no tenon_plugin_init, no tenon_plugin_level), or its registration or its
contract is invalid. NOT_FOUND: no such file. IO: unsafe owner or mode, it cannot be loaded, a wrong hash; signatures
are required, and no hash is given. VERSION: it needs a newer level than the library has, or another major version;
or this version is loaded already with different content. If tenon_plugin_init fails with a status of Tenon, that
status is returned, with the text of the failing call; VENDOR: it failed with another value, which is the native
code. On failure the registry is unchanged.
"""
tenon_plugin_load(context, path, options, out_package) =
    ccall(address(209), Int32, (Ptr{tenon_context}, Cstring, Ptr{tenon_package_options}, Ptr{Ptr{tenon_package}}),
          context, path, options, out_package)

"""
    int32_t tenon_tensordot(const tenon_array* a, const tenon_array* b, const int32_t* axes_a, const int32_t* axes_b,
                            int32_t count, const tenon_gemm_options* options, tenon_stream* stream,
                            tenon_array** out_sum)

The sum of products over `count` pairs of axes: axis axes_a[i] of a is paired with axis axes_b[i] of b (negative:
from the end), which must have the same extent. Both NULL: the last `count` axes of a with the first of b, in their
order. count 0: the outer product. The result is provided or made: it has the other axes of a, then those of b, at
most TENON_MAX_RANK. dtypes and options: as for tenon_einsum. Statuses: those of tenon_gemm (DTYPE ...), SHAPE
(extents that differ, too many axes), INVALID_ARGUMENT (count; an axis out of range or listed twice; only one of the
lists is NULL).
"""
tenon_tensordot(a, b, axes_a, axes_b, count, options, stream, out_sum) =
    ccall(address(210), Int32, (Ptr{tenon_array}, Ptr{tenon_array}, Ptr{Int32}, Ptr{Int32}, Int32,
          Ptr{tenon_gemm_options}, Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}), a, b, axes_a, axes_b, count, options,
          stream, out_sum)

"""
    int32_t tenon_fft_prepare(const tenon_array* source, const tenon_array* destination, const int32_t* axes,
                              int32_t axis_count, const tenon_fft_options* options)

Prepares what tenon_fft needs for these arrays, without running it: on CUDA cuFFT and its plans, which can take
seconds to make, Tenon's own kernels, and their code on the device. A later tenon_fft on that device with the same
options and arrays of the same dtypes, shapes and strides finds them (if one side is real, both pairs of arrays must
also agree in whether their addresses are multiples of the size of a complex number), until 64 other plans have been
used since. Only the layout of the arrays is used: the call does not read, write or wait, and both may be in use;
tenon_fft must accept them. The call temporarily allocates the transform's work area. Call it before another library
captures a stream of the calling thread. On the CPU there is nothing to prepare, and the call only checks its
arguments. Statuses: those of tenon_fft.
"""
tenon_fft_prepare(source, destination, axes, axis_count, options) =
    ccall(address(211), Int32, (Ptr{tenon_array}, Ptr{tenon_array}, Ptr{Int32}, Int32, Ptr{tenon_fft_options}), source,
          destination, axes, axis_count, options)

"""
    int32_t tenon_dct_prepare(const tenon_array* source, const tenon_array* destination, const int32_t* axes,
                              int32_t axis_count, const tenon_dct_options* options)

The same for tenon_dct.
"""
tenon_dct_prepare(source, destination, axes, axis_count, options) =
    ccall(address(212), Int32, (Ptr{tenon_array}, Ptr{tenon_array}, Ptr{Int32}, Int32, Ptr{tenon_dct_options}), source,
          destination, axes, axis_count, options)

"""
    int32_t tenon_convolve(const tenon_array* a, const tenon_array* b, const int32_t* axes, int32_t axis_count,
                           const tenon_convolve_options* options, tenon_stream* stream, tenon_array** out_result)

The convolution along `axis_count` axes (negative: from the end; NULL: the last axis_count ones; 0: all), out[i] =
sum over k of a[k] b[i - k], or the correlation, sum over k of a[k] conj(b[k - i]) for i from 1 - n on (the
convolution of a with b conjugated and reversed). a and b have the same number of axes, at least one; the other axes
are a batch and broadcast. Any strides. dtypes: one of f16, bf16, f32, f64, c64, c128 for both; f16 and bf16 are
computed in f32 and rounded once. The result, of that dtype, is provided or made (TENON_INOUT). Up to 65536 products
in all are summed directly, so that values that the dtype holds exactly (small integers) give exact results.
Otherwise transforms of the shortest fast length are used: every number then has an error of the order of epsilon
log2(length) |a| |b| in their precision, with the Euclidean norms of the convolved sequences, so that a number much
smaller than |a| |b| has fewer correct digits; and one NaN or infinity makes all numbers of the same transforms (of
one batch element) NaN; a context with TENON_CONTEXT_CHECK_FINITE refuses such operands as NOT_FINITE. Allocates
memory for both zero-padded operands and for their transforms. Does not wait; can be recorded into a graph. Statuses:
those of tenon_fft, SHAPE (different ranks; an axis of extent 0; b larger than a in mode VALID; batches that do not
broadcast), DTYPE, OVERFLOW (more than 2^62 numbers along an axis).
"""
tenon_convolve(a, b, axes, axis_count, options, stream, out_result) =
    ccall(address(213), Int32, (Ptr{tenon_array}, Ptr{tenon_array}, Ptr{Int32}, Int32, Ptr{tenon_convolve_options},
          Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}), a, b, axes, axis_count, options, stream, out_result)

"""
    int32_t tenon_fft_shift(const tenon_array* x, const int32_t* axes, int32_t axis_count,
                            const tenon_shift_options* options, tenon_stream* stream, tenon_array** out_shifted)

Reorders the numbers of a transform by frequency: a copy of x in which number 0 is at index n / 2 of each of
`axis_count` axes (as in tenon_convolve), where n is its extent. options->inverse undoes that. Every dtype of whole
bytes, any strides and extents, including 0. The result is provided or made. Can be recorded. Statuses:
INVALID_ARGUMENT (an axis listed twice or out of range; an option that is neither 0 nor 1), VERSION, DTYPE, SHAPE,
DEVICE, CONTEXT, READ_ONLY, OVERLAP, INVALID_HANDLE, OUT_OF_MEMORY, UNSUPPORTED (a dtype of less than a byte).
"""
tenon_fft_shift(x, axes, axis_count, options, stream, out_shifted) =
    ccall(address(214), Int32, (Ptr{tenon_array}, Ptr{Int32}, Int32, Ptr{tenon_shift_options}, Ptr{tenon_stream},
          Ptr{Ptr{tenon_array}}), x, axes, axis_count, options, stream, out_shifted)

"""
    int32_t tenon_fft_frequencies(tenon_device* device, uint32_t dtype, int64_t n, double spacing,
                                  const tenon_frequencies_options* options, tenon_stream* stream,
                                  tenon_array** out_frequencies)

The frequencies of the numbers of a transform of length n (at least 1), in cycles per unit of `spacing`, the
distance between samples: k / (n spacing) for k = 0, 1 ... (n - 1) / 2, -(n / 2) ... -1. With options->half k = 0
to n / 2. dtype: f16, bf16, f32, f64; computed in f64 on the device and rounded once. The result, of one axis, is
provided or made. Can be recorded. Statuses: DTYPE, SHAPE, READ_ONLY, OVERLAP, CONTEXT, INVALID_ARGUMENT (n below 1;
a spacing that is 0, infinite or NaN; half), VERSION, INVALID_HANDLE, OUT_OF_MEMORY, OVERFLOW (n spacing or its
inverse does not fit float64), DEVICE (the stream belongs to another device).
"""
tenon_fft_frequencies(device, dtype, n, spacing, options, stream, out_frequencies) =
    ccall(address(215), Int32, (Ptr{tenon_device}, UInt32, Int64, Float64, Ptr{tenon_frequencies_options},
          Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}), device, dtype, n, spacing, options, stream, out_frequencies)

"""
    int32_t tenon_fft_fast_length(int64_t n, int64_t* out_length)

The smallest length of at least n (n at least 1) without a prime factor above 5: transforms of such lengths are fast
on every device. Statuses: INVALID_ARGUMENT (n below 1), OVERFLOW (n above 2^62).
"""
tenon_fft_fast_length(n, out_length) =
    ccall(address(216), Int32, (Int64, Ptr{Int64}), n, out_length)

"""
    int32_t tenon_gemv(const tenon_arg* alpha, const tenon_array* a, const tenon_array* x, const tenon_arg* beta,
                       const tenon_blas_options* options, tenon_stream* stream, tenon_array** out_y)

y = alpha op(a) x + beta y. a: (..., m, n), op(a): (..., m, n) or (..., n, m); the length of x is the number of
columns of op(a), that of y its number of rows. options: op. dtypes: as for tenon_gemm. xGEMV; cublasXgemv,
cublasXgemvStridedBatched, gemm's routines.
"""
tenon_gemv(alpha, a, x, beta, options, stream, out_y) =
    ccall(address(217), Int32, (Ptr{tenon_arg}, Ptr{tenon_array}, Ptr{tenon_array}, Ptr{tenon_arg},
          Ptr{tenon_blas_options}, Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}), alpha, a, x, beta, options, stream, out_y)

"""
    int32_t tenon_ger(const tenon_arg* alpha, const tenon_array* x, const tenon_array* y,
                      const tenon_blas_options* options, tenon_stream* stream, tenon_array** out_a)

a = a + alpha x y^T; conjugate: a + alpha x y^H. x: (..., m), y: (..., n), a: (..., m, n). options: conjugate (for
y). dtypes: as for tenon_gemm. xGER, xGERU, xGERC; on CUDA gemm's routines.
"""
tenon_ger(alpha, x, y, options, stream, out_a) =
    ccall(address(218), Int32, (Ptr{tenon_arg}, Ptr{tenon_array}, Ptr{tenon_array}, Ptr{tenon_blas_options},
          Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}), alpha, x, y, options, stream, out_a)

"""
    int32_t tenon_axpy(const tenon_arg* alpha, const tenon_array* x, const tenon_blas_options* options,
                       tenon_stream* stream, tenon_array** out_y)

y = alpha x + y, of any shape and any strides, x broadcast to y; a new y has x's shape. f16, bf16 (computed in f32
and rounded once), f32, f64, c64, c128. Nothing is packed. options: none of the fields. xAXPY; cublasAxpyEx.
"""
tenon_axpy(alpha, x, options, stream, out_y) =
    ccall(address(219), Int32, (Ptr{tenon_arg}, Ptr{tenon_array}, Ptr{tenon_blas_options}, Ptr{tenon_stream},
          Ptr{Ptr{tenon_array}}), alpha, x, options, stream, out_y)

"""
    int32_t tenon_scal(const tenon_arg* alpha, const tenon_array* x, const tenon_blas_options* options,
                       tenon_stream* stream, tenon_array** out_y)

y = alpha x, of any shape and strides; the dtypes of tenon_axpy. y may be exactly x, which is BLAS's own form.
With alpha 0 y becomes 0, also where x has NaN. options: none of the fields. xSCAL; cublasScalEx.
"""
tenon_scal(alpha, x, options, stream, out_y) =
    ccall(address(220), Int32, (Ptr{tenon_arg}, Ptr{tenon_array}, Ptr{tenon_blas_options}, Ptr{tenon_stream},
          Ptr{Ptr{tenon_array}}), alpha, x, options, stream, out_y)

"""
    int32_t tenon_nrm2(const tenon_array* x, const tenon_blas_options* options, tenon_stream* stream,
                       tenon_array** out_norm)

norm = the Euclidean norm along the last axis: x: (..., n), norm: (...), real, of x's precision; the dtypes of
tenon_axpy. Squares are summed in f64 and neither overflow nor underflow: the result is infinite only if the norm
does not fit its dtype or x contains infinity. NaN gives NaN. options: none of the fields. xNRM2.
"""
tenon_nrm2(x, options, stream, out_norm) =
    ccall(address(221), Int32, (Ptr{tenon_array}, Ptr{tenon_blas_options}, Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}), x,
          options, stream, out_norm)

"""
    int32_t tenon_syrk(const tenon_arg* alpha, const tenon_array* a, const tenon_arg* beta,
                       const tenon_blas_options* options, tenon_stream* stream, tenon_array** out_c)

One triangle of c = alpha a a^T + beta c, or with op TRANSPOSE of alpha a^T a + beta c, with half of gemm's work.
hermitian: alpha a a^H, or with op ADJOINT alpha a^H a, and alpha and beta are real. a: (..., n, k), with op (..., k,
n); c: (..., n, n); f32, f64, c64, c128. options: op (for complex numbers as described here), upper, hermitian.
xSYRK, xHERK; cublasXsyrk, Xherk.
"""
tenon_syrk(alpha, a, beta, options, stream, out_c) =
    ccall(address(222), Int32, (Ptr{tenon_arg}, Ptr{tenon_array}, Ptr{tenon_arg}, Ptr{tenon_blas_options},
          Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}), alpha, a, beta, options, stream, out_c)

"""
    int32_t tenon_symm(const tenon_arg* alpha, const tenon_array* a, const tenon_array* b, const tenon_arg* beta,
                       const tenon_blas_options* options, tenon_stream* stream, tenon_array** out_c)

c = alpha a b + beta c, right: alpha b a + beta c, with a symmetric or Hermitian a, one triangle of which is read. c,
b: (..., m, n); a: (..., m, m), right: (..., n, n); f32, f64, c64, c128. options: upper, right, hermitian. xSYMM,
xHEMM; cublasXsymm, Xhemm.
"""
tenon_symm(alpha, a, b, beta, options, stream, out_c) =
    ccall(address(223), Int32, (Ptr{tenon_arg}, Ptr{tenon_array}, Ptr{tenon_array}, Ptr{tenon_arg},
          Ptr{tenon_blas_options}, Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}), alpha, a, b, beta, options, stream, out_c)

"""
    int32_t tenon_trmm(const tenon_arg* alpha, const tenon_array* a, const tenon_array* b,
                       const tenon_blas_options* options, tenon_stream* stream, tenon_array** out_c)

c = alpha op(a) b, right: alpha b op(a), with one triangle of a. b, c: (..., m, n); a: (..., m, m), right: (...,
n, n); f32, f64, c64, c128. c may be exactly b, which is BLAS's own form. options: op, upper, right,
unit_diagonal. xTRMM; cublasXtrmm.
"""
tenon_trmm(alpha, a, b, options, stream, out_c) =
    ccall(address(224), Int32, (Ptr{tenon_arg}, Ptr{tenon_array}, Ptr{tenon_array}, Ptr{tenon_blas_options},
          Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}), alpha, a, b, options, stream, out_c)

"""
    int32_t tenon_trsm(const tenon_arg* alpha, const tenon_array* a, const tenon_array* b,
                       const tenon_blas_options* options, tenon_stream* stream, tenon_array** out_x)

x = alpha op(a)^-1 b, right: alpha b op(a)^-1, as in tenon_trmm; x may be exactly b. As in BLAS, it is not checked
whether a is singular: a zero on its diagonal puts infinity and NaN into x, with TENON_OK. tenon_solve checks this,
and waits for the result. xTRSM; cublasXtrsm, XtrsmBatched.
"""
tenon_trsm(alpha, a, b, options, stream, out_x) =
    ccall(address(225), Int32, (Ptr{tenon_arg}, Ptr{tenon_array}, Ptr{tenon_array}, Ptr{tenon_blas_options},
          Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}), alpha, a, b, options, stream, out_x)

"""
    int32_t tenon_gemm_grouped(int64_t count, const tenon_arg* alpha, const tenon_array* const* a,
                               const tenon_array* const* b, const tenon_arg* beta, const tenon_gemm_options* options,
                               tenon_stream* stream, tenon_array** out_c)

tenon_gemm for each entry of a list: c[i] = alpha a[i] b[i] + beta c[i], each array with its own memory. All entries
are checked before any is written; the text of an error names the entry. Entries may differ in everything; those with
equal dtypes, extents and strides are computed by one call of the library, and on CUDA the others with them where
cuBLAS supports it. No c[i] may share memory with another array of the lists; for an entry of out_c that is NULL a
new array is made (small ones share buffers of up to 1 MiB, which live as long as one of their arrays). options: as
for tenon_gemm, for all entries; out_packed is the total. cublasGemmBatchedEx, cublasGemmGroupedBatchedEx (from CUDA
12.5 on); on the CPU small products are distributed over the threads. Statuses:
those of tenon_gemm; INVALID_ARGUMENT: a negative count, or a list that is NULL with a count above 0.
"""
tenon_gemm_grouped(count, alpha, a, b, beta, options, stream, out_c) =
    ccall(address(226), Int32, (Int64, Ptr{tenon_arg}, Ptr{Ptr{tenon_array}}, Ptr{Ptr{tenon_array}}, Ptr{tenon_arg},
          Ptr{tenon_gemm_options}, Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}), count, alpha, a, b, beta, options, stream,
          out_c)

"""
    int32_t tenon_error_batch_index(const tenon_error* error, int64_t* out_index)

The index of the matrix of a batch that caused the failure (solve.h, eigen.h, tenon_svd), from 0 in C order; -1: no
single matrix.
"""
tenon_error_batch_index(error, out_index) =
    ccall(address(227), Int32, (Ptr{tenon_error}, Ptr{Int64}), error, out_index)

"""
    int32_t tenon_array_follow(tenon_array* array, tenon_current_stream_fn current)

Declares that the memory belongs to a framework that continues to use it; `current` returns the framework's stream
and is called at each use. Calls with a NULL stream and this array (or a view of it) run on that stream; calls on
other streams are first ordered after the work that the framework has enqueued there. After the memory is returned,
the framework may reuse it in the order of that stream, as it does for its own operations. Call this right after
importing the array; the `stream` of the import then has no effect. On the CPU it changes nothing.
UNSUPPORTED: an array whose memory is Tenon's own.
"""
tenon_array_follow(array, current) =
    ccall(address(228), Int32, (Ptr{tenon_array}, Ptr{Cvoid}), array, current)

"""
    int32_t tenon_interrupt_set(tenon_interrupt_fn interrupt, void* user)

Sets the process's one interrupt function, or none (NULL). It is for hosts that handle Ctrl-C themselves and could
not respond to it while a call of Tenon compiles. It replaces the previous function, which a call in progress may
still call once more.
"""
tenon_interrupt_set(interrupt, user) =
    ccall(address(229), Int32, (Ptr{Cvoid}, Ptr{Cvoid}), interrupt, user)

"""
    int32_t tenon_handle_kind(const void* handle, int32_t* out_kind)

The kind of a live handle. INVALID_HANDLE: it was released, was never a handle, or belongs to another copy of the
library in this process. FORKED: it was made before fork().
"""
tenon_handle_kind(handle, out_kind) =
    ccall(address(230), Int32, (Ptr{Cvoid}, Ptr{Int32}), handle, out_kind)

"""
    int32_t tenon_retain(const void* handle)

Adds one reference, as the retain function of the handle's kind does. Statuses: those of tenon_handle_kind.
"""
tenon_retain(handle) =
    ccall(address(231), Int32, (Ptr{Cvoid},), handle)

"""
    void tenon_release(void* handle)

Releases one reference, as the release function of the handle's kind does. Does nothing if the argument is not a
live handle.
"""
tenon_release(handle) =
    ccall(address(232), Cvoid, (Ptr{Cvoid},), handle)

"""
    int32_t tenon_same(const void* a, const void* b, int32_t* out_same)

out_same: 1 if both handles refer to the same object, else 0. Two handles of one device, stream or event, for
example, may be different pointers. Handles of different kinds, or of objects of different contexts, never refer to
the same object. Statuses: those of tenon_handle_kind, for either handle.
"""
tenon_same(a, b, out_same) =
    ccall(address(233), Int32, (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Int32}), a, b, out_same)

"""
    int32_t tenon_cpu_threads_set(int32_t threads)

Sets how many threads of this process the CPU device uses, for all contexts: kernels, BLAS and transforms. 0: the
value of \$TENON_CPU_THREADS, else the number of processors that this process may run on. Work in progress finishes
with the old number. INVALID_ARGUMENT: threads is negative or above 4096.
"""
tenon_cpu_threads_set(threads) =
    ccall(address(234), Int32, (Int32,), threads)

"""
    int32_t tenon_cpu_threads_get(int32_t* out_threads)

The number of these threads; also the `multiprocessors` of the CPU device.
"""
tenon_cpu_threads_get(out_threads) =
    ccall(address(235), Int32, (Ptr{Int32},), out_threads)

"""
    int32_t tenon_event_device(const tenon_event* event, tenon_device** out_device)

The device of the event, as a new reference.
"""
tenon_event_device(event, out_device) =
    ccall(address(236), Int32, (Ptr{tenon_event}, Ptr{Ptr{tenon_device}}), event, out_device)

"""
    int32_t tenon_buffer_device(const tenon_buffer* buffer, tenon_device** out_device)

The device of the buffer, as a new reference.
"""
tenon_buffer_device(buffer, out_device) =
    ccall(address(237), Int32, (Ptr{tenon_buffer}, Ptr{Ptr{tenon_device}}), buffer, out_device)

"""
    int32_t tenon_program_device(const tenon_program* program, tenon_device** out_device)

The device that the program was made for, as a new reference.
"""
tenon_program_device(program, out_device) =
    ccall(address(238), Int32, (Ptr{tenon_program}, Ptr{Ptr{tenon_device}}), program, out_device)

"""
    int32_t tenon_kernel_program(const tenon_kernel* kernel, tenon_program** out_program)

The program that the kernel belongs to, as a new reference.
"""
tenon_kernel_program(kernel, out_program) =
    ccall(address(239), Int32, (Ptr{tenon_kernel}, Ptr{Ptr{tenon_program}}), kernel, out_program)

"""
    int32_t tenon_kernel_device(const tenon_kernel* kernel, tenon_device** out_device)

The device of that program, as a new reference.
"""
tenon_kernel_device(kernel, out_device) =
    ccall(address(240), Int32, (Ptr{tenon_kernel}, Ptr{Ptr{tenon_device}}), kernel, out_device)

"""
    int32_t tenon_call_kernel(const tenon_call* call, tenon_kernel** out_kernel)

The kernel that the call launches, as a new reference. INVALID_ARGUMENT: the call is of an operation.
"""
tenon_call_kernel(call, out_kernel) =
    ccall(address(241), Int32, (Ptr{tenon_call}, Ptr{Ptr{tenon_kernel}}), call, out_kernel)

"""
    int32_t tenon_graph_device(const tenon_graph* graph, tenon_device** out_device)

The device of the graph, as a new reference.
"""
tenon_graph_device(graph, out_device) =
    ccall(address(242), Int32, (Ptr{tenon_graph}, Ptr{Ptr{tenon_device}}), graph, out_device)

"""
    int32_t tenon_symv(const tenon_arg* alpha, const tenon_array* a, const tenon_array* x, const tenon_arg* beta,
                       const tenon_blas_options* options, tenon_stream* stream, tenon_array** out_y)

y = alpha a x + beta y with a symmetric or Hermitian a: (..., n, n), one triangle of which is read. x, y: (..., n);
f32, f64, c64, c128. options: upper, hermitian. xSYMV, xHEMV, as a product with one column: cublasXsymm, Xhemm.
"""
tenon_symv(alpha, a, x, beta, options, stream, out_y) =
    ccall(address(243), Int32, (Ptr{tenon_arg}, Ptr{tenon_array}, Ptr{tenon_array}, Ptr{tenon_arg},
          Ptr{tenon_blas_options}, Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}), alpha, a, x, beta, options, stream, out_y)

"""
    int32_t tenon_syr(const tenon_arg* alpha, const tenon_array* x, const tenon_blas_options* options,
                      tenon_stream* stream, tenon_array** out_a)

One triangle of a = a + alpha x x^T; hermitian: a + alpha x x^H with a real alpha. x: (..., n), a: (..., n, n);
f32, f64, c64, c128. options: upper, hermitian. xSYR, xHER, as an update of rank 1: cublasXsyrk, Xherk.
"""
tenon_syr(alpha, x, options, stream, out_a) =
    ccall(address(244), Int32, (Ptr{tenon_arg}, Ptr{tenon_array}, Ptr{tenon_blas_options}, Ptr{tenon_stream},
          Ptr{Ptr{tenon_array}}), alpha, x, options, stream, out_a)

"""
    int32_t tenon_trmv(const tenon_array* a, const tenon_array* x, const tenon_blas_options* options,
                       tenon_stream* stream, tenon_array** out_y)

y = op(a) x with one triangle of a: (..., n, n). x, y: (..., n); y may be exactly x, which is BLAS's own form;
f32, f64, c64, c128. options: op, upper, unit_diagonal. xTRMV, as a product with one column: cublasXtrmm.
"""
tenon_trmv(a, x, options, stream, out_y) =
    ccall(address(245), Int32, (Ptr{tenon_array}, Ptr{tenon_array}, Ptr{tenon_blas_options}, Ptr{tenon_stream},
          Ptr{Ptr{tenon_array}}), a, x, options, stream, out_y)

"""
    int32_t tenon_trsv(const tenon_array* a, const tenon_array* b, const tenon_blas_options* options,
                       tenon_stream* stream, tenon_array** out_x)

x = op(a)^-1 b with one triangle of a, as in tenon_trmv; x may be exactly b. It is not checked whether a is singular,
as in tenon_trsm. xTRSV, as a solution of one column: cublasXtrsm.
"""
tenon_trsv(a, b, options, stream, out_x) =
    ccall(address(246), Int32, (Ptr{tenon_array}, Ptr{tenon_array}, Ptr{tenon_blas_options}, Ptr{tenon_stream},
          Ptr{Ptr{tenon_array}}), a, b, options, stream, out_x)

"""
    int32_t tenon_unary(int32_t function, const tenon_arg* x, const tenon_compute_options* options,
                        tenon_stream* stream, tenon_array** out_result)

out = function(x), for one of the codes TENON_FN_* of one operand.
"""
tenon_unary(function_, x, options, stream, out_result) =
    ccall(address(247), Int32, (Int32, Ptr{tenon_arg}, Ptr{tenon_compute_options}, Ptr{tenon_stream},
          Ptr{Ptr{tenon_array}}), function_, x, options, stream, out_result)

"""
    int32_t tenon_binary(int32_t function, const tenon_arg* x, const tenon_arg* y, const tenon_compute_options* options,
                         tenon_stream* stream, tenon_array** out_result)

out = function(x, y), for one of the codes TENON_FN_* of two operands.
"""
tenon_binary(function_, x, y, options, stream, out_result) =
    ccall(address(248), Int32, (Int32, Ptr{tenon_arg}, Ptr{tenon_arg}, Ptr{tenon_compute_options}, Ptr{tenon_stream},
          Ptr{Ptr{tenon_array}}), function_, x, y, options, stream, out_result)

"""
    int32_t tenon_select(const tenon_arg* condition, const tenon_arg* x, const tenon_arg* y,
                         const tenon_compute_options* options, tenon_stream* stream, tenon_array** out_result)

out = condition ? x : y. condition: bool, or any other dtype, in which 0 is false; the result has the common dtype of
x and y.
"""
tenon_select(condition, x, y, options, stream, out_result) =
    ccall(address(249), Int32, (Ptr{tenon_arg}, Ptr{tenon_arg}, Ptr{tenon_arg}, Ptr{tenon_compute_options},
          Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}), condition, x, y, options, stream, out_result)

"""
    int32_t tenon_clip(const tenon_arg* x, const tenon_arg* low, const tenon_arg* high,
                       const tenon_compute_options* options, tenon_stream* stream, tenon_array** out_result)

out = min(max(x, low), high), of x's dtype: low and high are converted to it (DTYPE if that changes their kind: a
complex or floating-point bound for integers). NaN in any of the three gives NaN; low above high gives high. NULL: no
bound on that side; at least one must be given. A weak integer below or above all numbers of an integer dtype is a
bound of its side that bounds nothing. bool and complex x: DTYPE.
"""
tenon_clip(x, low, high, options, stream, out_result) =
    ccall(address(250), Int32, (Ptr{tenon_arg}, Ptr{tenon_arg}, Ptr{tenon_arg}, Ptr{tenon_compute_options},
          Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}), x, low, high, options, stream, out_result)

"""
    int32_t tenon_cast(const tenon_arg* x, uint32_t dtype, const tenon_compute_options* options, tenon_stream* stream,
                       tenon_array** out_result)

out = x converted to dtype, rounded to nearest even. Floating-point to integer drops the fraction; numbers out of
range become the nearest integer of the dtype, and NaN becomes 0 (tenon_array_copy leaves these cases unspecified).
Integer to shorter integer keeps the low bits; complex to real keeps the real part; to bool: x != 0.
"""
tenon_cast(x, dtype, options, stream, out_result) =
    ccall(address(251), Int32, (Ptr{tenon_arg}, UInt32, Ptr{tenon_compute_options}, Ptr{tenon_stream},
          Ptr{Ptr{tenon_array}}), x, dtype, options, stream, out_result)

"""
    int32_t tenon_reduce(int32_t function, const tenon_arg* x, const tenon_reduce_options* options,
                         tenon_stream* stream, tenon_array** out_result)

Reduces x over axes, for one of the codes TENON_FN_SUM to TENON_FN_LOGSUMEXP. The output may not overlap x.
INVALID_ARGUMENT also: MAX, MIN, ARGMAX and ARGMIN over no elements; with ignore_nan, only NaN along the
axes, reported like an index out of range (moving.h); a field that the function does not use is not 0.
"""
tenon_reduce(function_, x, options, stream, out_result) =
    ccall(address(252), Int32, (Int32, Ptr{tenon_arg}, Ptr{tenon_reduce_options}, Ptr{tenon_stream},
          Ptr{Ptr{tenon_array}}), function_, x, options, stream, out_result)

"""
    int32_t tenon_accumulate(int32_t function, const tenon_arg* x, const tenon_accumulate_options* options,
                             tenon_stream* stream, tenon_array** out_result)

Element k along the axis combines the elements 0 to k of x, for one of the codes TENON_FN_CUMULATIVE_*. x has at
least one axis. The output may be exactly x.
"""
tenon_accumulate(function_, x, options, stream, out_result) =
    ccall(address(253), Int32, (Int32, Ptr{tenon_arg}, Ptr{tenon_accumulate_options}, Ptr{tenon_stream},
          Ptr{Ptr{tenon_array}}), function_, x, options, stream, out_result)

"""
    int32_t tenon_result_type(const tenon_arg* args, int32_t count, uint32_t* out_dtype)

The common dtype of the operands, weak ones included; only the dtypes of arrays are used.
"""
tenon_result_type(args, count, out_dtype) =
    ccall(address(254), Int32, (Ptr{tenon_arg}, Int32, Ptr{UInt32}), args, count, out_dtype)

"""
    int32_t tenon_random(tenon_device* device, uint32_t dtype, int32_t rank, const int64_t* shape, int32_t distribution,
                         const tenon_random_options* options, tenon_stream* stream, tenon_array** out_numbers)

Random numbers of a distribution (TENON_RANDOM_*). dtype: UNIFORM, NORMAL, EXPONENTIAL, GAMMA, BETA: float16,
bfloat16, float32, float64; BITS, INTEGERS: any integer; POISSON, BINOMIAL: floating-point and integer dtypes;
BERNOULLI: those and bool. INVALID_ARGUMENT: a parameter outside of its domain; integers that the dtype cannot hold.
DTYPE: any other dtype. options NULL: key 0, offset 0.
"""
tenon_random(device, dtype, rank, shape, distribution, options, stream, out_numbers) =
    ccall(address(255), Int32, (Ptr{tenon_device}, UInt32, Int32, Ptr{Int64}, Int32, Ptr{tenon_random_options},
          Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}), device, dtype, rank, shape, distribution, options, stream,
          out_numbers)

"""
    int32_t tenon_random_blocks(uint32_t dtype, int64_t count, int32_t distribution, uint64_t* out_blocks)

The number of counters that a draw of `count` elements uses, to be added to the offset for the next draw.
"""
tenon_random_blocks(dtype, count, distribution, out_blocks) =
    ccall(address(256), Int32, (UInt32, Int64, Int32, Ptr{UInt64}), dtype, count, distribution, out_blocks)

"""
    int32_t tenon_random_split(uint64_t key, int64_t count, uint64_t* out_keys)

Keys for independent programs: key number i is the first 64-bit word of counter i, key `key`, stream
0xffffffff73706c74.
"""
tenon_random_split(key, count, out_keys) =
    ccall(address(257), Int32, (UInt64, Int64, Ptr{UInt64}), key, count, out_keys)

"""
    int32_t tenon_random_permutation(tenon_device* device, int64_t n, const tenon_random_options* options,
                                     tenon_stream* stream, tenon_array** out_order)

The numbers 0 to n - 1 in random order, int64: the stable argsort of n uint64 BITS with the same options; it
therefore uses n / 2 counters, rounded up. (Equal sort keys, which occur with a probability of n^2 2^-65, stay in
order.) options: key, offset and stream are used.
"""
tenon_random_permutation(device, n, options, stream, out_order) =
    ccall(address(258), Int32, (Ptr{tenon_device}, Int64, Ptr{tenon_random_options}, Ptr{tenon_stream},
          Ptr{Ptr{tenon_array}}), device, n, options, stream, out_order)

"""
    int32_t tenon_concat(const tenon_array* const* arrays, int32_t count, int32_t axis,
                         const tenon_moving_options* options, tenon_stream* stream, tenon_array** out_array)

Joins arrays along an axis. All have the same dtype, rank and extents, except for the extent of that axis (else
SHAPE, DTYPE). INVALID_ARGUMENT: no array.
"""
tenon_concat(arrays, count, axis, options, stream, out_array) =
    ccall(address(259), Int32, (Ptr{Ptr{tenon_array}}, Int32, Int32, Ptr{tenon_moving_options}, Ptr{tenon_stream},
          Ptr{Ptr{tenon_array}}), arrays, count, axis, options, stream, out_array)

"""
    int32_t tenon_stack(const tenon_array* const* arrays, int32_t count, int32_t axis,
                        const tenon_moving_options* options, tenon_stream* stream, tenon_array** out_array)

Joins arrays of one shape and dtype along a new axis, which is axis `axis` of the result.
"""
tenon_stack(arrays, count, axis, options, stream, out_array) =
    ccall(address(260), Int32, (Ptr{Ptr{tenon_array}}, Int32, Int32, Ptr{tenon_moving_options}, Ptr{tenon_stream},
          Ptr{Ptr{tenon_array}}), arrays, count, axis, options, stream, out_array)

"""
    int32_t tenon_tile(const tenon_array* x, int32_t rank, const int64_t* repeats, const tenon_moving_options* options,
                       tenon_stream* stream, tenon_array** out_array)

Copies of x next to each other: repeats[i] along axis i of the result, whose rank is the larger of x's rank and
`rank`; missing extents and repeats are 1, in front. INVALID_ARGUMENT: a negative number.
"""
tenon_tile(x, rank, repeats, options, stream, out_array) =
    ccall(address(261), Int32, (Ptr{tenon_array}, Int32, Ptr{Int64}, Ptr{tenon_moving_options}, Ptr{tenon_stream},
          Ptr{Ptr{tenon_array}}), x, rank, repeats, options, stream, out_array)

"""
    int32_t tenon_repeat(const tenon_array* x, int64_t count, int32_t axis, const tenon_moving_options* options,
                         tenon_stream* stream, tenon_array** out_array)

Each element repeated `count` times along the axis, the copies next to each other.
"""
tenon_repeat(x, count, axis, options, stream, out_array) =
    ccall(address(262), Int32, (Ptr{tenon_array}, Int64, Int32, Ptr{tenon_moving_options}, Ptr{tenon_stream},
          Ptr{Ptr{tenon_array}}), x, count, axis, options, stream, out_array)

"""
    int32_t tenon_roll(const tenon_array* x, const int64_t* shifts, const int32_t* axes, int32_t count,
                       const tenon_moving_options* options, tenon_stream* stream, tenon_array** out_array)

Element i of axes[k] goes to (i + shifts[k]) modulo the extent. An axis may be listed several times: the shifts add
up.
"""
tenon_roll(x, shifts, axes, count, options, stream, out_array) =
    ccall(address(263), Int32, (Ptr{tenon_array}, Ptr{Int64}, Ptr{Int32}, Int32, Ptr{tenon_moving_options},
          Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}), x, shifts, axes, count, options, stream, out_array)

"""
    int32_t tenon_pad(const tenon_array* x, int32_t rank, const int64_t* before, const int64_t* after,
                      const tenon_pad_options* options, tenon_stream* stream, tenon_array** out_array)

x with before[i] elements added at the start of axis i and after[i] at its end. rank: that of x. As numpy.pad:
one axis after the other, so that a later one continues the elements added before. INVALID_ARGUMENT: a negative
number; an axis of extent 0 with a mode other than CONSTANT and EMPTY; a value that the dtype cannot hold; a value or
stat_length in another mode. DTYPE: a mode that the dtype has no arithmetic for.
"""
tenon_pad(x, rank, before, after, options, stream, out_array) =
    ccall(address(264), Int32, (Ptr{tenon_array}, Int32, Ptr{Int64}, Ptr{Int64}, Ptr{tenon_pad_options},
          Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}), x, rank, before, after, options, stream, out_array)

"""
    int32_t tenon_take(const tenon_array* x, const tenon_array* const* indices, const int32_t* axes, int32_t count,
                       const tenon_take_options* options, tenon_stream* stream, tenon_array** out_array)

Elements by index: NumPy's x[:, i, j] with axes 1 and 2. The index arrays broadcast together. If `axes` are
consecutive and ascending, the axes of the index arrays take the place of these axes in the result; otherwise they
come first. The other axes of x are kept whole. At most 8 index arrays. UNSUPPORTED: more than 24 axes are left that
cannot be merged. INVALID_ARGUMENT: an index out of range, an axis listed twice.
"""
tenon_take(x, indices, axes, count, options, stream, out_array) =
    ccall(address(265), Int32, (Ptr{tenon_array}, Ptr{Ptr{tenon_array}}, Ptr{Int32}, Int32, Ptr{tenon_take_options},
          Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}), x, indices, axes, count, options, stream, out_array)

"""
    int32_t tenon_scatter(tenon_array* x, const tenon_array* values, const tenon_array* const* indices,
                          const int32_t* axes, int32_t count, const tenon_take_options* options, tenon_stream* stream)

Changes x, in place: writes `values`, broadcast to the shape that tenon_take would give and converted to x's dtype,
to the elements that the indices select. x may have any strides and must share no memory with the other arrays. If an
element is selected several times, ASSIGN keeps one of the values (on the CPU the last one); the other operations
combine all of them, on the CPU in order, so that sums have the same bits for any number of threads; on CUDA the
order of floating-point additions is not fixed. MIN, MAX: not for complex numbers. READ_ONLY: x is read-only.
OVERLAP: x overlaps itself or another array.
"""
tenon_scatter(x, values, indices, axes, count, options, stream) =
    ccall(address(266), Int32, (Ptr{tenon_array}, Ptr{tenon_array}, Ptr{Ptr{tenon_array}}, Ptr{Int32}, Int32,
          Ptr{tenon_take_options}, Ptr{tenon_stream}), x, values, indices, axes, count, options, stream)

"""
    int32_t tenon_nonzero(const tenon_array* x, const tenon_moving_options* options, tenon_stream* stream,
                          tenon_array** out_indices)

The indices of all elements that are not 0 (NaN counts as not 0), in C order: int64 of shape (rank of x, number of
such elements). Waits, because the shape depends on the elements. UNSUPPORTED: while a graph is recorded.
"""
tenon_nonzero(x, options, stream, out_indices) =
    ccall(address(267), Int32, (Ptr{tenon_array}, Ptr{tenon_moving_options}, Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}),
          x, options, stream, out_indices)

"""
    int32_t tenon_compress(const tenon_array* x, const tenon_array* mask, int32_t axis,
                           const tenon_moving_options* options, tenon_stream* stream, tenon_array** out_array)

NumPy's x[..., mask, ...]: the elements, or subarrays, where `mask` is not 0. The mask covers as many axes of x, from
`axis` on, as it has itself, with the same extents; in the result they become one axis. Waits, because the shape
depends on the mask. UNSUPPORTED: while a graph is recorded.
"""
tenon_compress(x, mask, axis, options, stream, out_array) =
    ccall(address(268), Int32, (Ptr{tenon_array}, Ptr{tenon_array}, Int32, Ptr{tenon_moving_options}, Ptr{tenon_stream},
          Ptr{Ptr{tenon_array}}), x, mask, axis, options, stream, out_array)

"""
    int32_t tenon_range(tenon_device* device, uint32_t dtype, int64_t count, const tenon_range_options* options,
                        tenon_stream* stream, tenon_array** out_array)

`count` evenly spaced numbers. Integers: first + i integer_step, modulo 2^bits; others: start + i step in float64,
rounded to the dtype. INVALID_ARGUMENT: only fields that this dtype does not use are set.
"""
tenon_range(device, dtype, count, options, stream, out_array) =
    ccall(address(269), Int32, (Ptr{tenon_device}, UInt32, Int64, Ptr{tenon_range_options}, Ptr{tenon_stream},
          Ptr{Ptr{tenon_array}}), device, dtype, count, options, stream, out_array)

"""
    int32_t tenon_eye(tenon_device* device, uint32_t dtype, int64_t rows, int64_t columns,
                      const tenon_diagonal_options* options, tenon_stream* stream, tenon_array** out_array)

Zeros with ones on a diagonal. options: diagonal. DTYPE: a dtype that tenon_array_fill does not take.
"""
tenon_eye(device, dtype, rows, columns, options, stream, out_array) =
    ccall(address(270), Int32, (Ptr{tenon_device}, UInt32, Int64, Int64, Ptr{tenon_diagonal_options}, Ptr{tenon_stream},
          Ptr{Ptr{tenon_array}}), device, dtype, rows, columns, options, stream, out_array)

"""
    int32_t tenon_triangle(const tenon_array* x, const tenon_diagonal_options* options, tenon_stream* stream,
                           tenon_array** out_array)

A copy of x with zeros on one side of a diagonal of the last two axes.
"""
tenon_triangle(x, options, stream, out_array) =
    ccall(address(271), Int32, (Ptr{tenon_array}, Ptr{tenon_diagonal_options}, Ptr{tenon_stream},
          Ptr{Ptr{tenon_array}}), x, options, stream, out_array)

"""
    int32_t tenon_sort(const tenon_array* x, int32_t axis, const tenon_sort_options* options, tenon_stream* stream,
                       tenon_array** out_values, tenon_array** out_indices)

out_values: x sorted along an axis. out_indices: for each element its index in x, int64. Either may be NULL, and is
then not computed. Takes complex numbers too. INVALID_ARGUMENT: both are NULL. UNSUPPORTED: on CUDA, rows of 2^32 or
more elements.
"""
tenon_sort(x, axis, options, stream, out_values, out_indices) =
    ccall(address(272), Int32, (Ptr{tenon_array}, Int32, Ptr{tenon_sort_options}, Ptr{tenon_stream},
          Ptr{Ptr{tenon_array}}, Ptr{Ptr{tenon_array}}), x, axis, options, stream, out_values, out_indices)

"""
    int32_t tenon_top_k(const tenon_array* x, int64_t k, int32_t axis, const tenon_top_k_options* options,
                        tenon_stream* stream, tenon_array** out_values, tenon_array** out_indices)

The first k elements along an axis of x sorted as by tenon_sort, in descending order unless `smallest` is set: the k
largest elements, and NaN only if there are fewer than k numbers. Takes complex numbers too, which it sorts.
INVALID_ARGUMENT: k is negative or larger than the extent.
"""
tenon_top_k(x, k, axis, options, stream, out_values, out_indices) =
    ccall(address(273), Int32, (Ptr{tenon_array}, Int64, Int32, Ptr{tenon_top_k_options}, Ptr{tenon_stream},
          Ptr{Ptr{tenon_array}}, Ptr{Ptr{tenon_array}}), x, k, axis, options, stream, out_values, out_indices)

"""
    int32_t tenon_search_sorted(const tenon_array* sorted, const tenon_array* wanted,
                                const tenon_search_options* options, tenon_stream* stream, tenon_array** out_places)

For each element of `wanted`, of any shape, the index at which inserting it into `sorted` keeps the order: int64, of
wanted's shape. `sorted` has one axis, in ascending order; both have one dtype, which may be complex. If it is not
sorted, the result is some number from 0 to its length.
"""
tenon_search_sorted(sorted, wanted, options, stream, out_places) =
    ccall(address(274), Int32, (Ptr{tenon_array}, Ptr{tenon_array}, Ptr{tenon_search_options}, Ptr{tenon_stream},
          Ptr{Ptr{tenon_array}}), sorted, wanted, options, stream, out_places)

"""
    int32_t tenon_unique(const tenon_array* x, const tenon_unique_options* options, tenon_stream* stream,
                         tenon_array** out_values, tenon_array** out_indices, tenon_array** out_inverse,
                         tenon_array** out_counts)

out_values: the distinct elements of x, which may be complex, ascending. out_indices: for each value the index of its
first occurrence in C order. out_inverse: for each element of x the index of its value, of x's shape. out_counts: the
number of occurrences of each value. The last three are int64 and may be NULL. Waits, because the shapes depend on
the elements. UNSUPPORTED: while a graph is recorded.
"""
tenon_unique(x, options, stream, out_values, out_indices, out_inverse, out_counts) =
    ccall(address(275), Int32, (Ptr{tenon_array}, Ptr{tenon_unique_options}, Ptr{tenon_stream}, Ptr{Ptr{tenon_array}},
          Ptr{Ptr{tenon_array}}, Ptr{Ptr{tenon_array}}, Ptr{Ptr{tenon_array}}), x, options, stream, out_values,
          out_indices, out_inverse, out_counts)

"""
    int32_t tenon_bincount(const tenon_array* x, const tenon_array* weights, int64_t length,
                           const tenon_bincount_options* options, tenon_stream* stream, tenon_array** out_counts)

Counts how often each of the numbers 0 to length - 1 occurs in x, integers of any shape; the result is int64. With
weights, of x's shape, it sums the weights of each number, in order, in their dtype. INVALID_ARGUMENT: a number is
negative or not below length.
"""
tenon_bincount(x, weights, length, options, stream, out_counts) =
    ccall(address(276), Int32, (Ptr{tenon_array}, Ptr{tenon_array}, Int64, Ptr{tenon_bincount_options},
          Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}), x, weights, length, options, stream, out_counts)

"""
    int32_t tenon_device_allocator(tenon_device* device, tenon_allocator* out_allocator)

Lends the device's memory to other code as an allocator, for example to a plug-in of PyTorch, or a host that creates
its own buffers. It uses this device's pool, limit and counters. The functions may be called until destroy(user),
which the caller must call once, after freeing all memory. On CUDA the streams must live until then. The allocator's
struct_size must be set by the caller.
"""
tenon_device_allocator(device, out_allocator) =
    ccall(address(277), Int32, (Ptr{tenon_device}, Ptr{tenon_allocator}), device, out_allocator)

"""
    int32_t tenon_stream_call_host(tenon_stream* stream, tenon_stream_fn function, tenon_destroy_fn destroy, void* user)

Runs function(user) when the work enqueued on the stream so far has finished; later work waits for it. destroy(user)
runs once, after the function has run for the last time, or when it never will (the device is lost, for example), on
the thread of the call that finds this out (such as tenon_stream_synchronize). On a stream that records a graph the
function becomes a node, and runs at each launch. The library takes ownership of destroy on success only.
"""
tenon_stream_call_host(stream, function_, destroy, user) =
    ccall(address(278), Int32, (Ptr{tenon_stream}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}), stream, function_, destroy,
          user)

"""
    int32_t tenon_event_wrap(tenon_device* device, uint64_t native, tenon_destroy_fn destroy, void* user,
                             tenon_event** out_event)

An event for a native handle (a CUevent), which its owner keeps and has recorded. It can be waited for, queried, or
recorded again. It must stay valid until the last reference is released; destroy(user), if given, runs then, on the
thread that releases it. On the CPU device, whose work is complete when a call returns, only 0 is valid: an event
that is reached. The library takes ownership of destroy on success only. The event has no time for
tenon_event_elapsed. INVALID_ARGUMENT: a handle that never was an event; a handle of an event that was destroyed may
crash the driver.
"""
tenon_event_wrap(device, native, destroy, user, out_event) =
    ccall(address(279), Int32, (Ptr{tenon_device}, UInt64, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Ptr{tenon_event}}), device,
          native, destroy, user, out_event)

"""
    int32_t tenon_event_native(const tenon_event* event, uint64_t* out_native)

The native handle (CUevent), for other libraries to wait for; 0 on the CPU. It lives as long as the event.
"""
tenon_event_native(event, out_native) =
    ccall(address(280), Int32, (Ptr{tenon_event}, Ptr{UInt64}), event, out_native)

"""
    int32_t tenon_buffer_create_shared(tenon_device* device, uint64_t bytes, tenon_buffer** out_buffer)

Memory that several processes use, with the same rights: POSIX shared memory on the CPU device, memory for CUDA's IPC
on a CUDA device. Tenon orders the work of one process only: a process waits for its own work
(tenon_stream_synchronize) before another one uses the memory.

Makes a new buffer of `bytes` (at least 1) that other processes can open; on the CPU it is filled with zeros.
Statuses as for tenon_buffer_create (OVERFLOW); IO: the system cannot provide shared memory; UNSUPPORTED: the device
does not support it (for example CUDA on Windows or in a container without IPC).
"""
tenon_buffer_create_shared(device, bytes, out_buffer) =
    ccall(address(281), Int32, (Ptr{tenon_device}, UInt64, Ptr{Ptr{tenon_buffer}}), device, bytes, out_buffer)

"""
    int32_t tenon_buffer_share(const tenon_buffer* buffer, tenon_blob** out_key)

The key with which another process of the same user on the same machine opens the buffer: bytes to be sent to it in
any way. The key is valid as long as the buffer of tenon_buffer_create_shared lives; on the CPU, buffers opened
before then stay usable. UNSUPPORTED: the buffer was not made by tenon_buffer_create_shared.
"""
tenon_buffer_share(buffer, out_key) =
    ccall(address(282), Int32, (Ptr{tenon_buffer}, Ptr{Ptr{tenon_blob}}), buffer, out_key)

"""
    int32_t tenon_buffer_open(tenon_device* device, const void* key, uint64_t size, tenon_buffer** out_buffer)

The memory of such a key as a buffer of this process. On a CUDA device, where the memory is freed with the process
that made it, release this buffer before that process releases its own. INVALID_ARGUMENT: the bytes are not a key;
VERSION: the key is from another version of Tenon; NOT_FOUND: the memory no longer exists, or (on the CPU) was made
on another machine or in another PID namespace, such as that of another container; IO: it cannot be opened, for
example because it belongs to another user; DEVICE: it belongs to another device; UNSUPPORTED: it is CUDA memory of
this same process, which needs no opening.
"""
tenon_buffer_open(device, key, size, out_buffer) =
    ccall(address(283), Int32, (Ptr{tenon_device}, Ptr{Cvoid}, UInt64, Ptr{Ptr{tenon_buffer}}), device, key, size,
          out_buffer)

"""
    int32_t tenon_array_use(tenon_array* array, int32_t access, tenon_stream* stream)

Declares that work unknown to Tenon, enqueued on the stream right after this call, reads or writes the array through
its address: for example a call of another library. As for a use by Tenon, the work is ordered after earlier uses
that conflict with it, later conflicting uses are ordered after the work, and the memory is reused only after the
work. Call it again if other streams have used the array since. access: TENON_ACCESS_*. READ_ONLY: a write to an
array that refuses it; UNSUPPORTED: the stream records a graph; DEVICE: the array is on a GPU and the stream belongs
to the CPU, or the reverse. Tenon does not check whether one GPU can access another one's memory.
"""
tenon_array_use(array, access, stream) =
    ccall(address(284), Int32, (Ptr{tenon_array}, Int32, Ptr{tenon_stream}), array, access, stream)

"""
    int32_t tenon_call_set_args(tenon_call* call, const tenon_arg* args, int32_t count)

Replaces all arguments at once: for an operation whose arrays change their shapes together.
"""
tenon_call_set_args(call, args, count) =
    ccall(address(285), Int32, (Ptr{tenon_call}, Ptr{tenon_arg}, Int32), call, args, count)

"""
    int32_t tenon_call_set_launch(tenon_call* call, const tenon_launch* launch)

Replaces the geometry of a call of a kernel. Statuses as for tenon_kernel_launch; INVALID_ARGUMENT also: the call is
of an operation, whose geometry follows from its arguments.
"""
tenon_call_set_launch(call, launch) =
    ccall(address(286), Int32, (Ptr{tenon_call}, Ptr{tenon_launch}), call, launch)

"""
    int32_t tenon_graph_set_args(tenon_graph* graph, int32_t node, const tenon_arg* args, int32_t count)

Replaces all arguments of node `node` at once, checked as by tenon_graph_set: for arrays of another shape. DTYPE: an
argument has the wrong dtype, as for the recorded call.
"""
tenon_graph_set_args(graph, node, args, count) =
    ccall(address(287), Int32, (Ptr{tenon_graph}, Int32, Ptr{tenon_arg}, Int32), graph, node, args, count)

"""
    int32_t tenon_graph_set_launch(tenon_graph* graph, int32_t node, const tenon_launch* launch)

Replaces the geometry of node `node`, a launch of a kernel, with the checks of a launch. INVALID_ARGUMENT: a node of
another kind, whose geometry follows from its arguments.
"""
tenon_graph_set_launch(graph, node, launch) =
    ccall(address(288), Int32, (Ptr{tenon_graph}, Int32, Ptr{tenon_launch}), graph, node, launch)

"""
    int32_t tenon_graph_last_node(const tenon_stream* stream, int32_t* out_node)

The number of the last node recorded on a stream that records a graph, for code that has only the stream. NOT_FOUND:
the stream does not record a graph, or has recorded nothing yet.
"""
tenon_graph_last_node(stream, out_node) =
    ccall(address(289), Int32, (Ptr{tenon_stream}, Ptr{Int32}), stream, out_node)

"""
    int32_t tenon_asum(const tenon_array* x, const tenon_blas_options* options, tenon_stream* stream,
                       tenon_array** out_sum)

sum = the sum of |Re x| + |Im x| along the last axis: x: (..., n), sum: (...), real, of x's precision; the dtypes of
tenon_axpy. Summed in f64. NaN gives NaN. options: none of the fields. xASUM, xCASUM.
"""
tenon_asum(x, options, stream, out_sum) =
    ccall(address(290), Int32, (Ptr{tenon_array}, Ptr{tenon_blas_options}, Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}), x,
          options, stream, out_sum)

"""
    int32_t tenon_iamax(const tenon_array* x, const tenon_blas_options* options, tenon_stream* stream,
                        tenon_array** out_index)

index = the first index along the last axis at which |Re x| + |Im x| is largest, counted from 0 (BLAS counts from 1).
x: (..., n), index: (...), int64; the dtypes of tenon_axpy. A NaN takes precedence over every number; -1 if n is 0.
options: none of the fields. IxAMAX.
"""
tenon_iamax(x, options, stream, out_index) =
    ccall(address(291), Int32, (Ptr{tenon_array}, Ptr{tenon_blas_options}, Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}), x,
          options, stream, out_index)

"""
    int32_t tenon_iamin(const tenon_array* x, const tenon_blas_options* options, tenon_stream* stream,
                        tenon_array** out_index)

index = the first index at which |Re x| + |Im x| is smallest, otherwise as tenon_iamax; a NaN takes precedence over
every number here too. IxAMIN, which cuBLAS and some BLAS libraries have.
"""
tenon_iamin(x, options, stream, out_index) =
    ccall(address(292), Int32, (Ptr{tenon_array}, Ptr{tenon_blas_options}, Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}), x,
          options, stream, out_index)

"""
    int32_t tenon_swap(const tenon_array* x, const tenon_array* y, const tenon_blas_options* options,
                       tenon_stream* stream, tenon_array** out_x, tenon_array** out_y)

x' = y and y' = x, of one shape and any strides; the dtypes of tenon_axpy. out_x may be exactly x and out_y exactly
y: the two then exchange their elements, which is BLAS's own form. tenon_array_copy is xCOPY. options: none of the
fields. xSWAP.
"""
tenon_swap(x, y, options, stream, out_x, out_y) =
    ccall(address(293), Int32, (Ptr{tenon_array}, Ptr{tenon_array}, Ptr{tenon_blas_options}, Ptr{tenon_stream},
          Ptr{Ptr{tenon_array}}, Ptr{Ptr{tenon_array}}), x, y, options, stream, out_x, out_y)

"""
    int32_t tenon_rot(const tenon_arg* c, const tenon_arg* s, const tenon_array* x, const tenon_array* y,
                      const tenon_blas_options* options, tenon_stream* stream, tenon_array** out_x, tenon_array** out_y)

x' = c x + s y and y' = c y - conj(s) x, of one shape and any strides; c is real; the dtypes of tenon_axpy. out_x may
be exactly x and out_y exactly y, which is BLAS's own form. options: none of the fields. xROT.
"""
tenon_rot(c, s, x, y, options, stream, out_x, out_y) =
    ccall(address(294), Int32, (Ptr{tenon_arg}, Ptr{tenon_arg}, Ptr{tenon_array}, Ptr{tenon_array},
          Ptr{tenon_blas_options}, Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}, Ptr{Ptr{tenon_array}}), c, s, x, y,
          options, stream, out_x, out_y)

"""
    int32_t tenon_rotg(const tenon_array* a, const tenon_array* b, const tenon_blas_options* options,
                       tenon_stream* stream, tenon_array** out_c, tenon_array** out_s, tenon_array** out_r)

The Givens rotations that make b zero: c a + s b = r and c b - conj(s) a = 0 with c^2 + |s|^2 = 1, one for each
element of a and b, which have the same shape (for a single rotation: no axes). c is real, s and r have a's dtype:
f32, f64, c64, c128. Intermediate results do not overflow or underflow unless r itself does. b = 0 gives c = 1, s =
0, r = a; a = 0 gives c = 0. For real numbers r has the sign of the one of a and b that is larger in absolute value,
as in the reference BLAS; BLAS's z is not computed. out_r may be exactly a, out_s exactly b. Any of the outputs may
be NULL. options: none of the fields. xROTG: Anderson, \"Algorithm 978: Safe Scaling in the Level 1 BLAS\", ACM TOMS 44
(2017).
"""
tenon_rotg(a, b, options, stream, out_c, out_s, out_r) =
    ccall(address(295), Int32, (Ptr{tenon_array}, Ptr{tenon_array}, Ptr{tenon_blas_options}, Ptr{tenon_stream},
          Ptr{Ptr{tenon_array}}, Ptr{Ptr{tenon_array}}, Ptr{Ptr{tenon_array}}), a, b, options, stream, out_c, out_s,
          out_r)

"""
    int32_t tenon_syr2(const tenon_arg* alpha, const tenon_array* x, const tenon_array* y,
                       const tenon_blas_options* options, tenon_stream* stream, tenon_array** out_a)

One triangle of a = a + alpha x y^T + alpha y x^T; hermitian: a + alpha x y^H + conj(alpha) y x^H. x, y: (..., n), a:
(..., n, n); f32, f64, c64, c128. options: upper, hermitian. xSYR2, xHER2, as an update of rank 2: cublasXsyr2k,
Xher2k.
"""
tenon_syr2(alpha, x, y, options, stream, out_a) =
    ccall(address(296), Int32, (Ptr{tenon_arg}, Ptr{tenon_array}, Ptr{tenon_array}, Ptr{tenon_blas_options},
          Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}), alpha, x, y, options, stream, out_a)

"""
    int32_t tenon_gbmv(const tenon_arg* alpha, const tenon_array* a, const tenon_array* x, const tenon_arg* beta,
                       const tenon_blas_options* options, tenon_stream* stream, tenon_array** out_y)

y = alpha op(a) x + beta y, where a is an m x n banded matrix with options->below diagonals below the main one and
`above` above it. The diagonals are the rows of the array a: (..., below + 1 + above, n), which holds element (i, j)
of the matrix at [above + i - j, j], as in LAPACK and in SciPy's solve_banded; elements of the array outside of the
matrix are not read. x: (..., n) and y: (..., m), with op (..., m) and (..., n); a new y without op has x's length
(the matrix is square). f32, f64, c64, c128. An array whose columns are not dense is packed: pass one in column-major
order to avoid this. options: op, below. xGBMV.
"""
tenon_gbmv(alpha, a, x, beta, options, stream, out_y) =
    ccall(address(297), Int32, (Ptr{tenon_arg}, Ptr{tenon_array}, Ptr{tenon_array}, Ptr{tenon_arg},
          Ptr{tenon_blas_options}, Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}), alpha, a, x, beta, options, stream, out_y)

"""
    int32_t tenon_sbmv(const tenon_arg* alpha, const tenon_array* a, const tenon_array* x, const tenon_arg* beta,
                       const tenon_blas_options* options, tenon_stream* stream, tenon_array** out_y)

y = alpha a x + beta y with a symmetric or Hermitian n x n matrix whose nonzero elements lie on the main diagonal and
on k diagonals on each side of it. The array a: (..., k + 1, n) holds the main diagonal and those of one triangle:
element (i, j) at [i - j, j], upper: at [k + i - j, j]. x, y: (..., n); f32, f64, c64, c128; complex matrices must be
Hermitian, with `hermitian` 1. Otherwise as tenon_gbmv. options: upper, hermitian. xSBMV, xHBMV.
"""
tenon_sbmv(alpha, a, x, beta, options, stream, out_y) =
    ccall(address(298), Int32, (Ptr{tenon_arg}, Ptr{tenon_array}, Ptr{tenon_array}, Ptr{tenon_arg},
          Ptr{tenon_blas_options}, Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}), alpha, a, x, beta, options, stream, out_y)

"""
    int32_t tenon_syr2k(const tenon_arg* alpha, const tenon_array* a, const tenon_array* b, const tenon_arg* beta,
                        const tenon_blas_options* options, tenon_stream* stream, tenon_array** out_c)

One triangle of c = alpha a b^T + alpha b a^T + beta c, or with op TRANSPOSE of alpha a^T b + alpha b^T a + beta c.
hermitian: alpha a b^H + conj(alpha) b a^H, or with op ADJOINT alpha a^H b + conj(alpha) b^H a, and beta is real. a,
b: (..., n, k), with op (..., k, n); c: (..., n, n); f32, f64, c64, c128. options: op (for complex numbers as in
tenon_syrk), upper, hermitian. xSYR2K, xHER2K; cublasXsyr2k, Xher2k.
"""
tenon_syr2k(alpha, a, b, beta, options, stream, out_c) =
    ccall(address(299), Int32, (Ptr{tenon_arg}, Ptr{tenon_array}, Ptr{tenon_array}, Ptr{tenon_arg},
          Ptr{tenon_blas_options}, Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}), alpha, a, b, beta, options, stream, out_c)

"""
    int32_t tenon_geam(const tenon_arg* alpha, const tenon_array* a, const tenon_arg* beta, const tenon_array* b,
                       const tenon_blas_options* options, tenon_stream* stream, tenon_array** out_c)

c = alpha op(a) + beta op_b(b); without b: c = alpha op(a), a transposition that scales. op(a), op_b(b), c: (..., m,
n); f32, f64, c64, c128. c may be the same array as an operand that is not transposed (its op is TENON_OP_NONE). If
alpha is 0, a is not read; if beta is 0, b is not read. beta NULL means 0. INVALID_ARGUMENT: there is no b, and beta
is not 0. options: op, op_b. cublasXgeam.
"""
tenon_geam(alpha, a, beta, b, options, stream, out_c) =
    ccall(address(300), Int32, (Ptr{tenon_arg}, Ptr{tenon_array}, Ptr{tenon_arg}, Ptr{tenon_array},
          Ptr{tenon_blas_options}, Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}), alpha, a, beta, b, options, stream, out_c)

"""
    int32_t tenon_device_limit_memory(tenon_device* device, uint64_t bytes)

Sets how many bytes the device's live buffers may take together; 0: no limit. It replaces the context's
memory_limit_bytes for this device. Existing buffers stay, even if they exceed the limit: the next allocation is then
OUT_OF_MEMORY.
"""
tenon_device_limit_memory(device, bytes) =
    ccall(address(301), Int32, (Ptr{tenon_device}, UInt64), device, bytes)

"""
    int32_t tenon_rotm(const tenon_array* x, const tenon_array* y, const tenon_array* h,
                       const tenon_blas_options* options, tenon_stream* stream, tenon_array** out_x,
                       tenon_array** out_y)

x' = h11 x + h12 y and y' = h21 x + h22 y along the last axis. x, y: (..., n), of one shape and any strides; h:
(..., 5), BLAS's param: a flag, h11, h21, h12, h22, with one matrix for all vectors or a batch that broadcasts to
theirs. Flag -1: all four are used; 0: h11 and h22 are taken as 1; 1: h12 is taken as 1 and h21 as -1; -2: nothing
changes. f32, f64. h is read on the device when the work runs, and shares no memory with the outputs. out_x may be
exactly x and out_y exactly y, which is BLAS's own form. options: none of the fields. xROTM.
"""
tenon_rotm(x, y, h, options, stream, out_x, out_y) =
    ccall(address(302), Int32, (Ptr{tenon_array}, Ptr{tenon_array}, Ptr{tenon_array}, Ptr{tenon_blas_options},
          Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}, Ptr{Ptr{tenon_array}}), x, y, h, options, stream, out_x, out_y)

"""
    int32_t tenon_rotmg(const tenon_array* d1, const tenon_array* d2, const tenon_array* x1, const tenon_array* y1,
                        const tenon_blas_options* options, tenon_stream* stream, tenon_array** out_d1,
                        tenon_array** out_d2, tenon_array** out_x1, tenon_array** out_h)

The modified Givens rotations h that turn (x1, y1) into (x1', 0), where a vector (x1, y1) represents (sqrt(d1) x1,
sqrt(d2) y1): one for each element of d1, d2, x1 and y1, which have the same shape (for a single rotation: no axes).
d1 and d2 become the factors for the rotated vectors, each between 2^-24 and 2^24 in size unless it is 0. h: (...,
5), as tenon_rotm takes it; h11 to h22 are set for every flag. If d1 is negative, h, d1, d2 and x1 become 0, with
flag -1. f32, f64. out_d1 may be exactly d1, out_d2 exactly d2, out_x1 exactly x1. Any of the outputs may be NULL.
options: none of the fields. xROTMG: Lawson, Hanson, Kincaid, Krogh, \"Basic Linear Algebra Subprograms for Fortran
Usage\", ACM TOMS 5 (1979).
"""
tenon_rotmg(d1, d2, x1, y1, options, stream, out_d1, out_d2, out_x1, out_h) =
    ccall(address(303), Int32, (Ptr{tenon_array}, Ptr{tenon_array}, Ptr{tenon_array}, Ptr{tenon_array},
          Ptr{tenon_blas_options}, Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}, Ptr{Ptr{tenon_array}},
          Ptr{Ptr{tenon_array}}, Ptr{Ptr{tenon_array}}), d1, d2, x1, y1, options, stream, out_d1, out_d2, out_x1, out_h)

"""
    int32_t tenon_tbmv(const tenon_array* a, const tenon_array* x, const tenon_blas_options* options,
                       tenon_stream* stream, tenon_array** out_y)

y = op(a) x with a triangular n x n matrix whose nonzero elements lie on the main diagonal and on k diagonals on one
side of it. The array a: (..., k + 1, n) holds them as tenon_sbmv's does: element (i, j) at [i - j, j], upper: at [k
+ i - j, j]; elements of the array outside of the matrix are not read. x, y: (..., n); y may be exactly x, which is
BLAS's own form. f32, f64, c64, c128. An array whose columns are not dense is packed, as in tenon_gbmv. options: op,
upper, unit_diagonal. xTBMV.
"""
tenon_tbmv(a, x, options, stream, out_y) =
    ccall(address(304), Int32, (Ptr{tenon_array}, Ptr{tenon_array}, Ptr{tenon_blas_options}, Ptr{tenon_stream},
          Ptr{Ptr{tenon_array}}), a, x, options, stream, out_y)

"""
    int32_t tenon_tbsv(const tenon_array* a, const tenon_array* b, const tenon_blas_options* options,
                       tenon_stream* stream, tenon_array** out_x)

x = op(a)^-1 b with a triangular matrix stored as for tenon_tbmv; x may be exactly b. As in tenon_trsm, a zero on the
diagonal puts infinity and NaN into x, with TENON_OK. options: op, upper, unit_diagonal. xTBSV.
"""
tenon_tbsv(a, b, options, stream, out_x) =
    ccall(address(305), Int32, (Ptr{tenon_array}, Ptr{tenon_array}, Ptr{tenon_blas_options}, Ptr{tenon_stream},
          Ptr{Ptr{tenon_array}}), a, b, options, stream, out_x)

"""
    int32_t tenon_elementwise_compose(const uint32_t* inputs, int32_t input_count, const tenon_step* steps,
                                      int32_t step_count, const int32_t* outputs, int32_t output_count,
                                      const tenon_generated_options* options, tenon_elementwise** out_elementwise)

The operations of compute.h fused into one kernel: input_count inputs of these dtypes, steps on them, and
output_count outputs, each the number of a value. Steps that no output needs are dropped, and equal steps are
computed once. dtypes follow from the steps as from the separate operations, and every step is rounded to its own
dtype, with no multiply-add in the place of a product and a sum. +, -, *, / and sqrt of real numbers, comparisons,
integers, select, clip and casts give the bits of the separate operations. Other functions, and products, quotients
and roots of complex numbers, may differ from the CPU device's vectorised ones in the last places (functions.h); they
give the bits of TENON_APPLY_COMPILED.
GATHER makes x a table, which no other step may use as a value; y is an integer. take along an axis is a gather from
the array with that axis moved to the front and, in place of it, as many axes of extent 1 as the indices have.
Casts to float16 and bfloat16 take bool, integers of up to 16 bits, float16, bfloat16, float32 and float64.

The result is called, recorded and released like any other elementwise kernel. Each input is an array or a scalar
of its dtype, as the call says: a scalar changes from call to call without a new kernel. All inputs take part in
the shape, those that no output needs included.

options: name, flags, mode and options; with TENON_PROGRAM_FLAG_FAST_MATH the bits are not promised.
INVALID_ARGUMENT: no input, no output, more than 32 of both together, an operand that is not an earlier value, an
unknown function or kind, a field that the kind does not have, a value that is an output twice, a preamble or an
accumulator. DTYPE: an operation that is not defined for its operands' dtypes. Errors name the step.
"""
tenon_elementwise_compose(inputs, input_count, steps, step_count, outputs, output_count, options, out_elementwise) =
    ccall(address(306), Int32, (Ptr{UInt32}, Int32, Ptr{tenon_step}, Int32, Ptr{Int32}, Int32,
          Ptr{tenon_generated_options}, Ptr{Ptr{tenon_elementwise}}), inputs, input_count, steps, step_count, outputs,
          output_count, options, out_elementwise)

"""
    int32_t tenon_texture_create(const tenon_array* source, const tenon_texture_options* options, tenon_stream* stream,
                                 tenon_texture** out_texture)

A texture on the source's device, with the source's elements, copied in the order of the stream.
SHAPE: the source's axes are not those of the options, or an extent is 0 or over the limit of textures; DTYPE: texels
of that dtype do not exist, or cannot be read that way; LAYOUT: share, and the source's address, pitch or strides do
not allow it; UNSUPPORTED: the device has no textures, or the stream records a graph or is being captured.
"""
tenon_texture_create(source, options, stream, out_texture) =
    ccall(address(307), Int32, (Ptr{tenon_array}, Ptr{tenon_texture_options}, Ptr{tenon_stream},
          Ptr{Ptr{tenon_texture}}), source, options, stream, out_texture)

"""
    int32_t tenon_texture_update(tenon_texture* texture, const tenon_array* source, tenon_stream* stream)

Copies the array, of the dtype and shape that the first source had, into the texture's memory in the order of the
stream. INVALID_ARGUMENT: the texture shares an array's memory: write that; SHAPE, DTYPE: another shape or dtype;
UNSUPPORTED: the stream records a graph or is being captured.
"""
tenon_texture_update(texture, source, stream) =
    ccall(address(308), Int32, (Ptr{tenon_texture}, Ptr{tenon_array}, Ptr{tenon_stream}), texture, source, stream)

"""
    int32_t tenon_texture_read(const tenon_texture* texture, tenon_stream* stream, tenon_array** out_array)

Copies the texture's memory into an array of the dtype and shape of its first source, in the order of the stream; the
result is provided or made. READ_ONLY, SHAPE, DTYPE, OVERLAP: of a provided array; UNSUPPORTED: the stream records a
graph or is being captured.
"""
tenon_texture_read(texture, stream, out_array) =
    ccall(address(309), Int32, (Ptr{tenon_texture}, Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}), texture, stream,
          out_array)

"""
    int32_t tenon_texture_get_info(const tenon_texture* texture, tenon_texture_info* out_info)

What the texture is.
"""
tenon_texture_get_info(texture, out_info) =
    ccall(address(310), Int32, (Ptr{tenon_texture}, Ptr{tenon_texture_info}), texture, out_info)

"""
    int32_t tenon_texture_device(const tenon_texture* texture, tenon_device** out_device)

The device of the texture, as a new reference.
"""
tenon_texture_device(texture, out_device) =
    ccall(address(311), Int32, (Ptr{tenon_texture}, Ptr{Ptr{tenon_device}}), texture, out_device)

"""
    int32_t tenon_texture_retain(const tenon_texture* texture)

Adds one reference.
"""
tenon_texture_retain(texture) =
    ccall(address(312), Int32, (Ptr{tenon_texture},), texture)

"""
    void tenon_texture_release(tenon_texture* texture)

Releases one reference. Work in flight continues.
"""
tenon_texture_release(texture) =
    ccall(address(313), Cvoid, (Ptr{tenon_texture},), texture)

"""
    int32_t tenon_kernel_prefer_shared(tenon_kernel* kernel, int32_t percent)

Asks for a percentage of a multiprocessor's L1 cache, 0 to 100, to be shared memory while the kernel runs; -1 leaves
it to the device, as at first. It is a hint: the device rounds it up to what it supports, and gives a launch at least
the shared memory that it needs. It belongs to the kernel of that program, whichever handle it was set through, and
holds for later launches; no stream takes part. The CPU keeps it, without an effect. Loads the program on its device.
INVALID_ARGUMENT: another percentage.
"""
tenon_kernel_prefer_shared(kernel, percent) =
    ccall(address(314), Int32, (Ptr{tenon_kernel}, Int32), kernel, percent)

"""
    int32_t tenon_reduction_compose(const uint32_t* inputs, int32_t input_count, const tenon_step* steps,
                                    int32_t step_count, int32_t value, int32_t function,
                                    const tenon_generated_options* options, tenon_reduction** out_reduction)

A composition whose result is reduced: the steps of tenon_elementwise_compose for each element, and `value`, the
number of one of their values, combined over the axes of each call by a reduction of functions.h, TENON_FN_SUM to
TENON_FN_NORM but VAR and STD. The result is a reduction with one input for each of inputs, called as any other; its
dtypes are those of tenon_reduce. The steps have the bits that tenon_elementwise_compose promises. MAX, MIN, ALL,
ANY, ARGMAX, ARGMIN, COUNT_NONZERO and integers give the bits of tenon_reduce; sums and products of floating-point
numbers may be combined in another order, with the same bound on their error.

options as for tenon_elementwise_compose. INVALID_ARGUMENT: as there; value is not the number of a value; function is
no reduction. DTYPE: the reduction is not defined for the value's dtype. UNSUPPORTED: VAR, STD and LOGSUMEXP, which
take several passes.
"""
tenon_reduction_compose(inputs, input_count, steps, step_count, value, function_, options, out_reduction) =
    ccall(address(315), Int32, (Ptr{UInt32}, Int32, Ptr{tenon_step}, Int32, Int32, Int32, Ptr{tenon_generated_options},
          Ptr{Ptr{tenon_reduction}}), inputs, input_count, steps, step_count, value, function_, options, out_reduction)

"""
    int32_t tenon_scan_compose(const uint32_t* inputs, int32_t input_count, const tenon_step* steps, int32_t step_count,
                               int32_t value, int32_t function, int32_t exclusive,
                               const tenon_generated_options* options, tenon_scan** out_scan)

As tenon_reduction_compose, with a scan of functions.h, TENON_FN_CUMULATIVE_SUM to TENON_FN_CUMULATIVE_LOGSUMEXP; its
dtypes are those of tenon_accumulate. exclusive: as for tenon_scan_create.
"""
tenon_scan_compose(inputs, input_count, steps, step_count, value, function_, exclusive, options, out_scan) =
    ccall(address(316), Int32, (Ptr{UInt32}, Int32, Ptr{tenon_step}, Int32, Int32, Int32, Int32,
          Ptr{tenon_generated_options}, Ptr{Ptr{tenon_scan}}), inputs, input_count, steps, step_count, value, function_,
          exclusive, options, out_scan)

"""
    int32_t tenon_quantile(const tenon_array* x, const double* probabilities, int64_t count,
                           const tenon_quantile_options* options, tenon_stream* stream, tenon_array** out_quantiles)

Quantiles of x over axes: for each of `count` probabilities one element along a first axis of the result, then the
shape that tenon_reduce would give. LOWER, HIGHER, NEAREST, INVERTED_CDF and CLOSEST_OBSERVATION give elements of x,
in its dtype; the other methods give floating-point numbers in theirs and float64 for integers and bools. Complex
numbers are interpolated part by part between neighbours in the order of tenon_sort. Over no elements: NaN.
Sorts a copy of x on the stream, and does not wait. INVALID_ARGUMENT: a probability is not in [0, 1]; an axis given
twice; no elements, for a method and dtype without NaN. Since level 1.1.
"""
tenon_quantile(x, probabilities, count, options, stream, out_quantiles) =
    ccall(address(317), Int32, (Ptr{tenon_array}, Ptr{Float64}, Int64, Ptr{tenon_quantile_options}, Ptr{tenon_stream},
          Ptr{Ptr{tenon_array}}), x, probabilities, count, options, stream, out_quantiles)

"""
    int32_t tenon_segment_reduce(int32_t function, const tenon_array* x, const tenon_array* segments,
                                 const tenon_segment_options* options, tenon_stream* stream, tenon_array** out_result)

Reduces each segment of x along an axis, for TENON_FN_SUM, PROD, MIN, MAX or LOGSUMEXP: the result has x's shape and
one element per segment along the axis. segments: one axis; TENON_SEGMENTS_OFFSETS or NUMBERS (tenon_segment_offsets
makes offsets of the others). An empty segment gives the neutral value: 0, 1, or the largest or smallest value of the
dtype, of complex numbers in both parts. Offsets that decrease or lie outside of x are INVALID_ARGUMENT, reported as
moving.h says of indices, and never followed. dtypes are those of tenon_reduce. float16, bfloat16 and float32 are
accumulated in float64. Results have the same bits on every run and for any number of threads. UNSUPPORTED: on CUDA,
more than 2^31 rows along the other axes. Since level 1.1.
"""
tenon_segment_reduce(function_, x, segments, options, stream, out_result) =
    ccall(address(318), Int32, (Int32, Ptr{tenon_array}, Ptr{tenon_array}, Ptr{tenon_segment_options},
          Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}), function_, x, segments, options, stream, out_result)

"""
    int32_t tenon_segment_scan(int32_t function, const tenon_array* x, const tenon_array* segments,
                               const tenon_segment_options* options, tenon_stream* stream, tenon_array** out_result)

tenon_accumulate, which begins anew with each segment, for one of the codes TENON_FN_CUMULATIVE_*. segments:
TENON_SEGMENTS_OFFSETS (elements before the first and after the last segment form one each), FLAGS or KEYS (any
real dtype). dtypes, errors and determinism are those of tenon_segment_reduce. The output may be exactly x. Since
level 1.1.
"""
tenon_segment_scan(function_, x, segments, options, stream, out_result) =
    ccall(address(319), Int32, (Int32, Ptr{tenon_array}, Ptr{tenon_array}, Ptr{tenon_segment_options},
          Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}), function_, x, segments, options, stream, out_result)

"""
    int32_t tenon_segment_offsets(const tenon_array* segments, const tenon_segment_options* options,
                                  tenon_stream* stream, tenon_array** out_offsets)

The offsets of segments that are given as TENON_SEGMENTS_FLAGS or KEYS, which options->segments says; other options
are 0. The result is int64: one offset per segment, and the number of elements. Waits, because the number of segments
depends on the elements. UNSUPPORTED: while a graph is recorded. Since level 1.1.
"""
tenon_segment_offsets(segments, options, stream, out_offsets) =
    ccall(address(320), Int32, (Ptr{tenon_array}, Ptr{tenon_segment_options}, Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}),
          segments, options, stream, out_offsets)

"""
    int32_t tenon_csr_from_coo(int64_t rows, int64_t columns, const tenon_array* row, const tenon_array* column,
                               const tenon_array* values, const tenon_sparse_options* options, tenon_stream* stream,
                               tenon_array** out_offsets, tenon_array** out_columns, tenon_array** out_values)

A COO matrix of rows x columns as CSR: sorted by row, then by column, elements in one place added. Waits, because
the number of elements depends on them. UNSUPPORTED: while a graph is recorded.
"""
tenon_csr_from_coo(rows, columns, row, column, values, options, stream, out_offsets, out_columns, out_values) =
    ccall(address(321), Int32, (Int64, Int64, Ptr{tenon_array}, Ptr{tenon_array}, Ptr{tenon_array},
          Ptr{tenon_sparse_options}, Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}, Ptr{Ptr{tenon_array}},
          Ptr{Ptr{tenon_array}}), rows, columns, row, column, values, options, stream, out_offsets, out_columns,
          out_values)

"""
    int32_t tenon_csr_from_dense(const tenon_array* x, const tenon_sparse_options* options, tenon_stream* stream,
                                 tenon_array** out_offsets, tenon_array** out_columns, tenon_array** out_values)

The elements of a matrix that are not 0 (NaN is not 0), as CSR. Waits for their number. UNSUPPORTED: while a graph
is recorded.
"""
tenon_csr_from_dense(x, options, stream, out_offsets, out_columns, out_values) =
    ccall(address(322), Int32, (Ptr{tenon_array}, Ptr{tenon_sparse_options}, Ptr{tenon_stream}, Ptr{Ptr{tenon_array}},
          Ptr{Ptr{tenon_array}}, Ptr{Ptr{tenon_array}}), x, options, stream, out_offsets, out_columns, out_values)

"""
    int32_t tenon_csr_rows(const tenon_array* offsets, int64_t count, const tenon_sparse_options* options,
                           tenon_stream* stream, tenon_array** out_rows)

The row of each of `count` elements of a CSR matrix, with which its columns and values are the matrix in COO form.
"""
tenon_csr_rows(offsets, count, options, stream, out_rows) =
    ccall(address(323), Int32, (Ptr{tenon_array}, Int64, Ptr{tenon_sparse_options}, Ptr{tenon_stream},
          Ptr{Ptr{tenon_array}}), offsets, count, options, stream, out_rows)

"""
    int32_t tenon_csr_to_dense(int64_t columns, const tenon_array* offsets, const tenon_array* indices,
                               const tenon_array* values, const tenon_sparse_options* options, tenon_stream* stream,
                               tenon_array** out_dense)

A CSR matrix as a dense one, of shape (rows, columns).
"""
tenon_csr_to_dense(columns, offsets, indices, values, options, stream, out_dense) =
    ccall(address(324), Int32, (Int64, Ptr{tenon_array}, Ptr{tenon_array}, Ptr{tenon_array}, Ptr{tenon_sparse_options},
          Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}), columns, offsets, indices, values, options, stream, out_dense)

"""
    int32_t tenon_csr_transpose(int64_t columns, const tenon_array* offsets, const tenon_array* indices,
                                const tenon_array* values, const tenon_sparse_options* options, tenon_stream* stream,
                                tenon_array** out_offsets, tenon_array** out_columns, tenon_array** out_values)

The transposed matrix in CSR form, which is the matrix itself in CSC form; elements in one place stay apart, in
their order.
"""
tenon_csr_transpose(columns, offsets, indices, values, options, stream, out_offsets, out_columns, out_values) =
    ccall(address(325), Int32, (Int64, Ptr{tenon_array}, Ptr{tenon_array}, Ptr{tenon_array}, Ptr{tenon_sparse_options},
          Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}, Ptr{Ptr{tenon_array}}, Ptr{Ptr{tenon_array}}), columns, offsets,
          indices, values, options, stream, out_offsets, out_columns, out_values)

"""
    int32_t tenon_csr_multiply(int64_t columns, const tenon_array* offsets, const tenon_array* indices,
                               const tenon_array* values, const tenon_array* b,
                               const tenon_sparse_product_options* options, tenon_stream* stream,
                               tenon_array** out_result)

result = alpha A b + beta result, of a CSR matrix A and a dense vector or matrix b, whose dtype is that of the
values; the result is a vector or a matrix likewise. beta needs a given result (INVALID_ARGUMENT). Waits for the
check of the indices only, as moving.h says, and not at all if they are trusted.
"""
tenon_csr_multiply(columns, offsets, indices, values, b, options, stream, out_result) =
    ccall(address(326), Int32, (Int64, Ptr{tenon_array}, Ptr{tenon_array}, Ptr{tenon_array}, Ptr{tenon_array},
          Ptr{tenon_sparse_product_options}, Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}), columns, offsets, indices,
          values, b, options, stream, out_result)

"""
    int32_t tenon_einsum_path(const char* subscripts, const tenon_array* const* operands, int32_t count,
                              int32_t* out_first, int32_t* out_second)

The order in which tenon_einsum combines its operands, for element i below count - 1: step i takes the terms with the
numbers out_first[i] < out_second[i]. The operands are the terms 0 to count - 1, and the result of step i is term
count + i. The last element of both is -1. Reads the shapes only. Statuses: SHAPE, INVALID_ARGUMENT as for
tenon_einsum. Since level 1.1.
"""
tenon_einsum_path(subscripts, operands, count, out_first, out_second) =
    ccall(address(327), Int32, (Cstring, Ptr{Ptr{tenon_array}}, Int32, Ptr{Int32}, Ptr{Int32}), subscripts, operands,
          count, out_first, out_second)

"""
    int32_t tenon_interpolate(const tenon_array* x, const tenon_array* points, const tenon_array* values,
                              const tenon_interpolate_options* options, tenon_stream* stream, tenon_array** out_y)

Linear interpolation: for each element of x, the value at that point of the function that has values[i] at points[i]
and is linear between neighbouring points. `points` and `values` have one axis and the same length; the points are
ascending. The result has the shape of x, and is NaN where x is NaN. It is computed in float64. If the points are not
ascending, each result is some number. DTYPE: the three arrays are not all float32 or all float64. SHAPE: points and
values are not lists of the same length. INVALID_ARGUMENT: there are no points. Since level 1.1.
"""
tenon_interpolate(x, points, values, options, stream, out_y) =
    ccall(address(328), Int32, (Ptr{tenon_array}, Ptr{tenon_array}, Ptr{tenon_array}, Ptr{tenon_interpolate_options},
          Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}), x, points, values, options, stream, out_y)

"""
    int32_t tenon_device_use_allocator(tenon_device* device, const tenon_allocator* allocator)

Gives the device an allocator for its memory, in place of Tenon's own pool, for example in the default context, which
has no options. It is copied. Its destroy runs when the context closes, and not if this call fails. On CUDA,
freed blocks of at most 1 MiB are kept for later arrays of the same stream; tenon_device_trim_memory gives them back.
INVALID_ARGUMENT: a function is missing. UNSUPPORTED: the device has an allocator already, or has allocated memory.
Since level 1.1.
"""
tenon_device_use_allocator(device, allocator) =
    ccall(address(329), Int32, (Ptr{tenon_device}, Ptr{tenon_allocator}), device, allocator)

end
