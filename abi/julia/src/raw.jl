"""
The C interface of Tenon. Derived from the headers by abi/generate.py.

`load(path)` opens the library; until then every call is an error. Handles are `Ptr{tenon_array}` and the like; pass
`Ref{Ptr{tenon_array}}(C_NULL)` for an output handle and `C_NULL` for NULL. `make(tenon_launch; grid = (4, 1, 1))` makes a
struct, `pack(tenon_arg_value, 2f0)` a union.
"""
module Raw

import Libdl

const ADDRESSES = Ptr{Cvoid}[]

"Opens the library at `path` (a name is searched as the system's loader does) and finds its functions."
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
    found == C_NULL && error("the library that is loaded has no function ", NAMES[index], ": it is older than this package")
    return found
end

zero_of(::Type{T}) where {T<:Number} = zero(T)
zero_of(::Type{P}) where {P<:Ptr} = P(C_NULL)
zero_of(::Type{NTuple{N,T}}) where {N,T} = ntuple(_ -> zero_of(T), N)
zero_of(::Type{T}) where {T} = make(T)

"A struct: `struct_size` and the fields given are set, every other field is zero, its default."
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

"What a union holds, read as a `T`."
function unpack(x::U, ::Type{T}) where {U,T}
    isbitstype(T) && sizeof(T) <= sizeof(U) || error(U, " cannot hold a ", T)
    box = Ref(x)
    return GC.@preserve box unsafe_load(Ptr{T}(Base.unsafe_convert(Ptr{U}, box)))
end

const TENON_VERSION_MAJOR = Int32(1)
const TENON_VERSION_MINOR = Int32(0)
const TENON_VERSION_PATCH = Int32(0)
const TENON_ABI_LEVEL = UInt32(0x00010000)
const TENON_OK = Int32(0)
const TENON_ERROR_INVALID_ARGUMENT = Int32(1)  # a value outside its documented domain, or NULL
const TENON_ERROR_INVALID_HANDLE = Int32(2)  # released, never a handle, or a handle of another kind
const TENON_ERROR_OUT_OF_MEMORY = Int32(3)  # host or device; the text says asked, used and free
const TENON_ERROR_UNSUPPORTED = Int32(4)  # right request, but not on this device or in this build; the text says why
const TENON_ERROR_NOT_FOUND = Int32(5)  # no device, kernel, symbol or file of that name
const TENON_ERROR_OVERFLOW = Int32(6)  # a size or product does not fit its type
const TENON_ERROR_DTYPE = Int32(7)  # element types do not fit together
const TENON_ERROR_SHAPE = Int32(8)  # ranks or extents do not fit together
const TENON_ERROR_DEVICE = Int32(9)  # the operands live on devices that cannot be used together
const TENON_ERROR_CONTEXT = Int32(10)  # objects of two contexts were mixed
const TENON_ERROR_LAYOUT = Int32(11)  # strides or alignment do not allow it without a copy
const TENON_ERROR_READ_ONLY = Int32(12)  # a write to memory that was imported read-only
const TENON_ERROR_OVERLAP = Int32(13)  # operands share memory in a way the operation does not define
const TENON_ERROR_COMPILE = Int32(14)  # source did not compile; the log is in the error record
const TENON_ERROR_MISSING_LIBRARY = Int32(15)  # a library or program is needed; the text says what to install
const TENON_ERROR_KERNEL_FAULT = Int32(16)  # a kernel failed while it ran on the CPU device (assert, trap, divergent barrier)
const TENON_ERROR_DEVICE_LOST = Int32(17)  # the CUDA context cannot go on; the CPU device still works
const TENON_ERROR_NOT_CONVERGED = Int32(18)  # an iterative routine gave up; native code: its info value
const TENON_ERROR_SINGULAR = Int32(19)  # a matrix has no inverse or factorisation; native code: its info value
const TENON_ERROR_NOT_FINITE = Int32(20)  # NaN or infinity in where the routine has no meaning for it
const TENON_ERROR_NOT_READY = Int32(21)  # asked without waiting, and the work is not done: an answer, which leaves the error record alone
const TENON_ERROR_VERSION = Int32(22)  # a struct, package or library of a version that cannot be used
const TENON_ERROR_IO = Int32(23)  # reading or writing a file failed
const TENON_ERROR_CANCELLED = Int32(24)  # the caller cancelled it
const TENON_ERROR_FORKED = Int32(25)  # the handle was made before fork()
const TENON_ERROR_VENDOR = Int32(26)  # CUDA or a vendor library failed in another way; see the native code
const TENON_ERROR_INTERNAL = Int32(27)  # a bug in Tenon: please report the text
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
const TENON_CACHE_DEFAULT = Int32(0)  # read and write; TENON_CACHE in the environment may say otherwise
const TENON_CACHE_OFF = Int32(1)  # nothing on disk; programs are shared within the process
const TENON_CACHE_READ_ONLY = Int32(2)  # use what is there, add nothing
const TENON_CACHE_NO_COMPILE = Int32(3)  # as READ_ONLY, and a program that is not there is TENON_ERROR_NOT_FOUND
const TENON_CONTEXT_NO_STREAM_TRACKING = UInt32(1)  # buffers do not order streams: the caller places every event, releases an array only when work on other streams than the one it was made on is over, and an import only when all work on it is over; graphs are launched on one stream
const TENON_CONTEXT_NO_POOL = UInt32(2)  # every allocation is its own, for memory checkers
const TENON_CONTEXT_DEBUG_SYNC = UInt32(4)  # waits after each launch and operation, so that a fault names the guilty one; also $TENON_DEBUG_SYNC=1
const TENON_CONTEXT_NVTX = UInt32(8)  # NVTX ranges around launches and operations, where a profiler listens; also $TENON_NVTX=1
const TENON_CONTEXT_DETERMINISTIC = UInt32(16)  # operations of packages (plugin.h): one whose contract does not promise the same bits each time is refused (UNSUPPORTED), and no records of tuning are looked at; products (linalg.h) are not tuned. Products, factorisations, transforms, reductions and scans give the same bits each time without it too, on one device, with one version of its libraries; also $TENON_DETERMINISTIC=1
const TENON_CONTEXT_SIGNED_PACKAGES = UInt32(32)  # packages (plugin.h) need a signature by a trusted key; also $TENON_SIGNED_PACKAGES=1
const TENON_CONTEXT_DEFERRED_ERRORS = UInt32(64)  # what a matrix turns out to be (singular, not positive definite, not finite) is reported where the stream is waited for, and the calls that solve.h names do not wait; also $TENON_DEFERRED_ERRORS=1
const TENON_CONTEXT_CHECK_FINITE = UInt32(128)  # products and transforms (linalg.h, blas.h, fft.h) look at their operands, and NaN or infinity there is NOT_FINITE; not while a graph is recorded, and not in float8; also $TENON_CHECK_FINITE=1
const TENON_CONTEXT_NO_SIGNALS = UInt32(512)  # leave the process's signal handlers alone. Otherwise the first program loaded for the CPU device installs handlers for SIGSEGV, SIGBUS, SIGFPE and SIGILL, so that a kernel that reaches for a bad address, or overflows its stack, ends its launch (KERNEL_FAULT) and not the process. They act on threads that are inside a kernel only, and hand everything else to the handlers that were there before; also $TENON_NO_SIGNALS=1
const TENON_CONTEXT_PRIVATE_STREAM = UInt32(256)  # a NULL stream is a non-blocking stream of Tenon's own on each CUDA device, and not the legacy default stream; also $TENON_PRIVATE_STREAM=1
const TENON_DEVICE_CPU = Int32(1)  # as DLPack's kDLCPU
const TENON_DEVICE_CUDA = Int32(2)  # as DLPack's kDLCUDA
const TENON_EVENT_TIMING = UInt32(1)  # may be used with tenon_event_elapsed
const TENON_MAX_RANK = Int32(64)
const TENON_MEMORY_DEVICE = Int32(0)  # the device's own memory (for the CPU device: host memory, 64-byte aligned)
const TENON_MEMORY_PINNED = Int32(1)  # page-locked host memory of a CUDA device, readable by both (DLPack kDLCUDAHost)
const TENON_MEMORY_MANAGED = Int32(2)  # CUDA managed memory, migrating (DLPack kDLCUDAManaged)
const TENON_ARRAY_C_CONTIGUOUS = UInt32(1)
const TENON_ARRAY_F_CONTIGUOUS = UInt32(2)
const TENON_ARRAY_READ_ONLY = UInt32(4)
const TENON_DLPACK_COPY = UInt32(1)  # always export a copy of its own (flag IS_COPIED in the versioned struct)
const TENON_DLPACK_STREAM_MAY_END = UInt32(2)  # nobody promises that `stream` lives until the deleter runs: see below
const TENON_PROGRAM_FAST = Int32(0)  # optimised
const TENON_PROGRAM_DEBUG = Int32(1)  # -O0 with debug information; on the CPU a debugger can step it
const TENON_PROGRAM_CHECK = Int32(2)  # CPU: undefined behaviour and faults become errors that name block and thread; CUDA: line information
const TENON_PROGRAM_FAST_MATH = UInt32(1)  # approximate division, sqrt and functions, denormals flushed (NVRTC --use_fast_math)
const TENON_PROGRAM_REVERSE_ORDER = UInt32(2)  # CPU: run the threads of a block last to first, which shows missing barriers
const TENON_PROGRAM_NO_CACHE = UInt32(4)  # compile even if it is cached, and replace the entry
const TENON_PROGRAM_TRUSTED = UInt32(8)  # the images among the inputs (program.h) may be run: whoever made them has the caller's rights
const TENON_IMAGE_BINARY = Int32(1)  # what is loaded: a cubin, or the CPU's shared object
const TENON_IMAGE_PTX = Int32(2)  # CUDA only
const TENON_PARAMETER_SCALAR = Int32(1)  # an arithmetic type; dtype says which
const TENON_PARAMETER_POINTER = Int32(2)  # dtype: of what it points at (a vector type has lanes); 0 where no dtype fits
const TENON_PARAMETER_STRUCT = Int32(3)  # anything else, passed by value: size and alignment count
const TENON_PARAMETER_UNKNOWN = Int32(4)  # of a kernel from an image that does not describe it: only the size is known
const TENON_ARG_ARRAY = UInt32(1)  # value.array: for a pointer parameter; C-contiguous unless ARG_STRIDED
const TENON_ARG_SCALAR = UInt32(2)  # dtype and value.*: exactly the parameter's type
const TENON_ARG_POINTER = UInt32(3)  # value.pointer: a raw address, unchecked and not ordered by Tenon
const TENON_ARG_BYTES = UInt32(4)  # value.bytes points at size bytes: a struct by value
const TENON_ARG_STRIDED = UInt32(5)  # as ARRAY, but any strides: the kernel gets the address of the element at index 0
const TENON_LAUNCH_COOPERATIVE = UInt32(1)  # all blocks run at once, so that they may wait for each other
const TENON_LAUNCH_PROGRAMMATIC = UInt32(2)
const TENON_INPUT_SOURCE = Int32(0)  # CUDA C text: a translation unit
const TENON_INPUT_BINARY = Int32(1)  # a cubin; on the CPU device, what tenon_program_image gave there for this processor
const TENON_INPUT_PTX = Int32(2)  # PTX text
const TENON_INPUT_FATBIN = Int32(3)  # a fat binary: cubins and PTX for several architectures
const TENON_INPUT_LTO_IR = Int32(4)  # NVRTC's intermediate code for link-time optimisation
const TENON_RANDOM_UNIFORM = Int32(0)  # a, b: the ends; both 0: 0 and 1
const TENON_RANDOM_NORMAL = Int32(1)  # a: mean, b: standard deviation; 0: 1
const TENON_RANDOM_EXPONENTIAL = Int32(2)  # b: mean; 0: 1
const TENON_RANDOM_BITS = Int32(3)  # all bits of an integer dtype
const TENON_RANDOM_INTEGERS = Int32(4)  # low, count; both 0: all numbers of the dtype
const TENON_RANDOM_BERNOULLI = Int32(5)  # a: the probability, b: what stands for success; 0: 1. A dropout mask has a = 1 - p, b = 1 / (1 - p)
const TENON_RANDOM_GAMMA = Int32(6)  # a: shape, b: scale; 0: 1
const TENON_RANDOM_BETA = Int32(7)  # a, b: both shapes
const TENON_RANDOM_POISSON = Int32(8)  # a: mean, up to 2^53
const TENON_RANDOM_BINOMIAL = Int32(9)  # a: trials, up to 2^53, b: probability
const TENON_PAD_CONSTANT = Int32(0)  # value
const TENON_PAD_EDGE = Int32(1)  # the nearest element: aaa|abcd|ddd
const TENON_PAD_REFLECT = Int32(2)  # mirrored at the middle of the last element: dcb|abcd|cba
const TENON_PAD_SYMMETRIC = Int32(3)  # mirrored at its edge: cba|abcd|dcb
const TENON_PAD_WRAP = Int32(4)  # from the other end: bcd|abcd|abc
const TENON_SCATTER_ASSIGN = Int32(0)
const TENON_SCATTER_ADD = Int32(1)  # integers wrap; bool: or
const TENON_SCATTER_MIN = Int32(2)  # NaN wins; bool: and
const TENON_SCATTER_MAX = Int32(3)
const TENON_GRAPH_KERNEL = Int32(1)
const TENON_GRAPH_COPY = Int32(2)
const TENON_GRAPH_FILL = Int32(3)
const TENON_GRAPH_GEMM = Int32(4)
const TENON_GRAPH_FFT = Int32(5)
const TENON_GRAPH_BLAS = Int32(6)
const TENON_COMPUTE_STRICT = Int32(0)  # full precision of the dtype; f16 and bf16 accumulate in f32
const TENON_COMPUTE_TF32 = Int32(1)  # float32 on CUDA may use TF32 products (10-bit mantissa); elsewhere as STRICT
const TENON_COMPUTE_FAST = Int32(2)  # float32 on CUDA by tensor cores with the accuracy of float32, see tenon_gemm; elsewhere as STRICT
const TENON_COMPUTE_BF16 = Int32(3)  # float32 on CUDA may use bfloat16 products (7-bit mantissa); elsewhere as STRICT
const TENON_EPILOGUE_NONE = Int32(0)
const TENON_EPILOGUE_RELU = Int32(1)  # max(x, 0); NaN stays
const TENON_EPILOGUE_GELU = Int32(2)  # x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2
const TENON_OP_NONE = Int32(0)
const TENON_OP_TRANSPOSE = Int32(1)
const TENON_OP_ADJOINT = Int32(2)  # the conjugate transpose
const TENON_SVD_FULL = Int32(0)  # u (..., m, m), vh (..., n, n)
const TENON_SVD_ECONOMY = Int32(1)  # u (..., m, k), vh (..., k, n) with k = min(m, n)
const TENON_SVD_VALUES = Int32(2)  # singular values only: out_u and out_vh are NULL
const TENON_SVD_AUTO = Int32(0)  # by shape, dtype, device and k
const TENON_SVD_QR = Int32(1)  # the QR iteration: xGESVD; cusolverDnXgesvd
const TENON_SVD_DIVIDE = Int32(2)  # divide and conquer: xGESDD; the CPU only
const TENON_SVD_JACOBI = Int32(3)  # xGESVJ; on CUDA a kernel for matrices of up to 256 x 64
const TENON_SVD_POLAR = Int32(4)  # the polar decomposition and a symmetric eigensolver, for large matrices on CUDA (cusolverDnXgesvdp)
const TENON_SVD_GRAM = Int32(5)  # the eigenvectors of a^H a (or a a^H), in double precision: for high and wide matrices
const TENON_SVD_KRYLOV = Int32(6)  # the leading k triplets by a block Krylov space
const TENON_SVD_RANDOMIZED = Int32(7)  # the leading k triplets by random projection: for values that fall fast
const TENON_SOLVE_GENERAL = Int32(0)  # any a: LU with partial pivoting (xGETRF, xGETRS; cusolverDnXgetrf, Xgetrs)
const TENON_SOLVE_POSITIVE = Int32(1)  # symmetric or Hermitian positive definite a, its lower triangle is read (xPOTRF, xPOTRS; cusolverDnXpotrf, Xpotrs)
const TENON_SOLVE_LOWER = Int32(2)  # the lower triangle of a, the rest is not read (xTRSM; cublasXtrsm)
const TENON_SOLVE_UPPER = Int32(3)  # the upper one
const TENON_QR_REDUCED = Int32(0)  # q (..., m, k), r (..., k, n) with k = min(m, n)
const TENON_QR_COMPLETE = Int32(1)  # q (..., m, m), r (..., m, n)
const TENON_QR_R = Int32(2)  # r (..., k, n) only: out_q may be NULL and receives NULL
const TENON_NORM_FROBENIUS = Int32(0)  # the root of the sum of squares
const TENON_NORM_ONE = Int32(1)  # the largest sum of absolute values of a column
const TENON_NORM_INFINITY = Int32(2)  # the largest of a row
const TENON_NORM_LARGEST = Int32(3)  # the largest absolute value: no operator norm
const TENON_NORM_TWO = Int32(4)  # the largest singular value
const TENON_NORM_MINUS_TWO = Int32(5)  # the smallest one
const TENON_NORM_NUCLEAR = Int32(6)  # their sum
const TENON_FFT_FORWARD = Int32(0)  # sum of x[j] exp(-2 pi i j k / n)
const TENON_FFT_INVERSE = Int32(1)  # sum of x[j] exp(+2 pi i j k / n)
const TENON_FFT_NORM_BACKWARD = Int32(0)  # forward unscaled, inverse 1/n
const TENON_FFT_NORM_ORTHO = Int32(1)  # both 1/sqrt(n)
const TENON_FFT_NORM_FORWARD = Int32(2)  # forward 1/n, inverse unscaled
const TENON_CONVOLVE_FULL = Int32(0)  # every sum in which a and b meet: m + n - 1 numbers for extents m of a and n of b
const TENON_CONVOLVE_SAME = Int32(1)  # the m numbers in the middle of these, from number (n - 1) / 2 on
const TENON_CONVOLVE_VALID = Int32(2)  # where b lies in a entirely: m - n + 1 numbers, from number n - 1 on; m is at least n
const TENON_PACKAGE_ANY_OWNER = UInt32(1)  # files that others own or can write, or that lie in such directories, are taken too: for containers and shared mounts
const TENON_PACKAGE_SIGNED = UInt32(2)  # a signature by a trusted key is required
const TENON_OPERATION_DETERMINISTIC = UInt32(1)  # the same arguments give the same bits
const TENON_OPERATION_IN_PLACE = UInt32(2)  # an output may be exactly an input
const TENON_OPERATION_CPU = UInt32(4)  # runs on the CPU
const TENON_OPERATION_CUDA = UInt32(8)  # runs on CUDA devices
const TENON_OPERATION_GRADIENT = UInt32(16)  # names its gradient
const TENON_ROLE_IN = Int32(1)  # an array that is read
const TENON_ROLE_OUT = Int32(2)  # an array that is written
const TENON_ROLE_INOUT = Int32(3)  # an array that is read and written
const TENON_ROLE_SCALAR = Int32(4)  # a number, or a list of numbers
const TENON_ROLE_HAS_DEFAULT = UInt32(1)  # an argument of kind 0 (all zeros) stands for the default
const TENON_ROLE_LIST = UInt32(2)  # takes TENON_ARG_BYTES: the numbers one after the other
const TENON_ROLE_CHOICE = UInt32(4)  # an int32: the index of the choice

# Opaque types, seen only behind a Ptr.
mutable struct tenon_blob end
mutable struct tenon_api end
mutable struct tenon_error end
mutable struct tenon_context end
mutable struct tenon_device end
mutable struct tenon_stream end
mutable struct tenon_event end
mutable struct tenon_buffer end
mutable struct tenon_array end
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
mutable struct tenon_bound end

# Receives a log line (UTF-8, no newline). Runs on the thread that logs, under no lock; it may call Tenon.
# tenon_log_fn: @cfunction(f, Cvoid, (Ptr{Cvoid}, Int32, Ptr{UInt8},))

# Ends the life of a user pointer. Runs exactly once.
# tenon_destroy_fn: @cfunction(f, Cvoid, (Ptr{Cvoid},))

# Tells the current stream of a framework on a device (TENON_DEVICE_*, index): a CUstream; returns 0. It is the `current_work_stream`
# of DLPack's C exchange API. Tenon calls it on the thread of the call that uses an array, under no lock. The streams it tells must
# live as long as the process (as PyTorch's do), the function too.
# tenon_current_stream_fn: @cfunction(f, Int32, (Int32, Int32, Ptr{Ptr{Cvoid}},))

# Asked every few milliseconds by a call that compiles, on the thread that made the call; not 0 ends the compiler, and the call returns
# CANCELLED. It must not call Tenon.
# tenon_interrupt_fn: @cfunction(f, Int32, (Ptr{Cvoid},))

# Does the work of one step. The arguments are checked: arrays are C-contiguous unless the contract says strided. Returns TENON_OK or a
# status; the text of a failing call of Tenon's becomes part of the message, any other value its native code. May run on several
# threads at once. Nothing may be thrown.
# tenon_host_fn: @cfunction(f, Int32, (Ptr{Cvoid}, Ptr{tenon_host_call},))

# Registers the package: the text of its contract, and `count` functions, which are copied. Once in a tenon_plugin_init. The contract
# is checked when that has returned. INVALID_ARGUMENT: a second package, no function, two of one name, NULL; the object is then
# refused, with a text that says which.
# tenon_registry_add_fn: @cfunction(f, Int32, (Ptr{Cvoid}, Ptr{UInt8}, Ptr{tenon_host_function}, Int32,))

# tenon_plugin_init_fn: @cfunction(f, Int32, (Ptr{tenon_api}, Ptr{tenon_registry},))

struct tenon_context_options
    struct_size::UInt32
    flags::UInt32  # TENON_CONTEXT_*
    cache_directory::Ptr{UInt8}  # default: $TENON_CACHE_DIR, then $XDG_CACHE_HOME/tenon, then ~/.cache/tenon
    cache_limit_bytes::UInt64  # default: 2 GiB; least recently used entries go first
    cache_mode::Int32  # TENON_CACHE_*
    cpu_threads::Int32  # default: $TENON_CPU_THREADS, then the processors this process may run on
    log::Ptr{Cvoid}  # default: warnings and errors to stderr ($TENON_LOG sets the level)
    log_user::Ptr{Cvoid}
    log_destroy::Ptr{Cvoid}  # called with log_user when the context closes, and when creating it fails: never lost
    log_level::Int32  # default: TENON_LOG_WARNING
    kernel_timeout_seconds::Int32  # of a launch in TENON_PROGRAM_CHECK on the CPU: KERNEL_FAULT then; default: $TENON_KERNEL_TIMEOUT, then 60; negative (or 0 in the environment): none
    memory_limit_bytes::UInt64  # per device, default: none
    plugin_path::Ptr{UInt8}  # absolute directories, colons between them, in which packages are found by name; default: $TENON_PLUGIN_PATH
    tuning_directory::Ptr{UInt8}  # of records of tuning (plugin.h); default: $TENON_TUNING_DIR, then $XDG_DATA_HOME/tenon/tuning, then ~/.local/share/tenon/tuning
end

"""
What a device is. For the CPU device the launch limits are those of a mainstream GPU, so that a kernel that fits here
fits there. Unknown is 0.
"""
struct tenon_device_info
    struct_size::UInt32
    kind::Int32  # TENON_DEVICE_*
    index::Int32
    compute_major::Int32  # compute capability; 0 on the CPU
    compute_minor::Int32
    multiprocessors::Int32  # on the CPU: threads of the pool
    warp_size::Int32
    max_threads_per_block::Int32
    max_block::NTuple{3,Int32}
    max_grid::NTuple{3,Int32}
    shared_per_block::UInt64  # bytes of shared memory a block gets without asking
    shared_per_block_max::UInt64  # and at most, with dynamic shared memory
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
    held::UInt64  # taken from the system, free blocks included
    limit::UInt64  # 0: none
    allocations::UInt64  # so far
end

struct tenon_stream_options
    struct_size::UInt32
    priority::Int32  # CUDA: lower runs first; clamped by CUDA to the device's range
end

"""
What an array is. Pointers are borrowed and live as long as the array.
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
    bytes::UInt64  # size in bytes of the elements, packed
    device_kind::Int32  # TENON_DEVICE_*
    device_index::Int32
    memory_kind::Int32  # TENON_MEMORY_*
    reserved::Int32
end

struct tenon_program_options
    struct_size::UInt32
    flags::UInt32  # TENON_PROGRAM_FAST_MATH ...
    name::Ptr{UInt8}  # of the source, for messages; default "kernel.cu"
    kernels::Ptr{Ptr{UInt8}}  # kernel_count names or template instances: "saxpy", "axpy<float>", "ns::k<int, 4>"
    kernel_count::Int32
    header_count::Int32
    header_names::Ptr{Ptr{UInt8}}  # headers given as text: #include "name" finds them first
    header_sources::Ptr{Ptr{UInt8}}
    options::Ptr{Ptr{UInt8}}  # passed to the compiler: -D, -I, -U, -std=, and its own
    option_count::Int32
    mode::Int32  # TENON_PROGRAM_FAST ...
    architecture::Ptr{UInt8}  # CUDA: compile for "sm_90" and the like instead of the device's own; such a program is not run. CPU: "x86-64-v2", "x86-64-v3", "x86-64-v4" or "native", the default unless $TENON_CPU_ISA says otherwise: what this process can run. ",tune=znver4" may follow, a processor to schedule the code for. UNSUPPORTED where the processor lacks it. The results are the same from v3 on; v2 has no fused multiply-add, so a * b + c is rounded twice
    globals::Ptr{Ptr{UInt8}}  # global_count __device__ and __constant__ variables for tenon_program_global: "table", "ns::scale"
    global_count::Int32
    reserved::UInt32
    time_limit::Float64  # seconds that compiling may take; 0: five minutes. One that takes longer is ended: COMPILE. With a limit given, NVRTC too runs in a process of its own, where it can be ended at once
end

struct tenon_parameter_info
    struct_size::UInt32
    kind::Int32  # TENON_PARAMETER_*
    dtype::UInt32  # 0: none fits (void*, a struct)
    read_only::UInt32  # 1: a pointer to const: the kernel only reads there
    size::UInt32  # bytes of the parameter
    alignment::UInt32
    element_size::UInt32  # bytes of what a pointer points at; 0 for void
    reserved::UInt32
end

"""
What the compiler and the device say about a kernel; on the CPU only the fields that mean something are non-zero.
"""
struct tenon_kernel_info
    struct_size::UInt32
    max_threads_per_block::Int32
    registers::Int32
    execution::Int32  # CPU: 1 thread loop, 2 ring fibers (block barriers), 3 scheduled fibers (warp operations), 4 thread loop with grid-stride loops in the order of memory, 5 and 6: as 2 and 3 with the same, 7 a thread loop from each block barrier to the next, 8: as 7 with grid-stride loops in the order of memory; CUDA: 0
    shared_bytes::UInt64  # static
    constant_bytes::UInt64
    local_bytes::UInt64  # per thread
end

# A union; use pack and unpack with one of:
# array::Ptr{tenon_array}
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
One kernel argument, 32 bytes. Use the macros below.
"""
struct tenon_arg
    kind::UInt32
    dtype::UInt32
    size::UInt64
    value::tenon_arg_value
end

"""
Launch geometry. A zero in grid or block counts as 1.
"""
struct tenon_launch
    struct_size::UInt32
    flags::UInt32  # TENON_LAUNCH_*
    grid::NTuple{3,UInt32}  # blocks
    block::NTuple{3,UInt32}  # threads per block
    cluster::NTuple{3,UInt32}  # blocks per cluster; 0: none. CUDA 9.0 and later only
    shared_bytes::UInt32  # dynamic shared memory; more than 48 KiB needs nothing special
end

struct tenon_program_input
    kind::Int32  # TENON_INPUT_*
    reserved::UInt32
    data::Ptr{Cvoid}
    size::UInt64  # bytes
    name::Ptr{UInt8}  # for messages; NULL: "input 0" and so on
end

struct tenon_random_options
    struct_size::UInt32
    reserved::UInt32
    key::UInt64
    offset::UInt64  # the first counter
    stream::UInt64  # below 2^32; with BITS any number. Draws of different streams share no counter
    a::Float64  # of the distribution
    b::Float64  # of the distribution
    low::Int64  # INTEGERS: the smallest; of uint64 its bits
    count::UInt64  # INTEGERS: how many there are to choose from; 0: 2^64, or all of a narrower dtype
end

struct tenon_pad_options
    struct_size::UInt32
    mode::Int32  # TENON_PAD_*
    real::Float64  # CONSTANT: the value, converted as tenon_array_fill does
    imaginary::Float64  # CONSTANT: the value, converted as tenon_array_fill does
end

struct tenon_take_options
    struct_size::UInt32
    along::Int32  # 1: the one index array has x's rank; its extents and x's broadcast, but for the axis: take_along_axis
    operation::Int32  # of tenon_scatter: TENON_SCATTER_*
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
    right::Int32  # 1: behind equal elements, else in front of them
end

struct tenon_unique_options
    struct_size::UInt32
    nan_distinct::Int32  # 1: each NaN is a value of its own (the array API); else all are one
end

"""
Counted since the context was made, but for what is on disk now.
"""
struct tenon_cache_info
    struct_size::UInt32
    mode::Int32  # TENON_CACHE_*, the environment's choice counted in
    directory::Ptr{UInt8}  # "" where there is none. Borrowed from the context
    limit_bytes::UInt64  # that the entries may take
    entries::UInt64  # on disk now, whoever put them there; 0 where nothing is kept on disk
    bytes::UInt64  # that they take
    process_hits::UInt64  # programs that were in the process
    disk_hits::UInt64  # and on disk
    misses::UInt64  # that were nowhere, or were to be compiled anew
    compiled::UInt64  # and were compiled
    failed::UInt64  # whose compile failed
    waits::UInt64  # waits for another thread or process that was compiling the same
    damaged::UInt64  # entries met that were not whole
    written::UInt64  # entries put on disk
    not_written::UInt64  # that could not be: a full disk, say
    evicted::UInt64  # entries removed to keep the limit
end

"""
What one of the calls below went over.
"""
struct tenon_cache_tally
    struct_size::UInt32
    reserved::UInt32
    entries::UInt64  # verify: looked at. export: written. import: added. clear: removed
    bytes::UInt64  # that those take
    damaged::UInt64  # verify: of them not whole. export: left out, as they are not whole
    kept::UInt64  # import: there already. clear: still there
end

"""
For all three.
"""
struct tenon_generated_options
    struct_size::UInt32
    flags::UInt32  # TENON_PROGRAM_FAST_MATH, TENON_PROGRAM_NO_CACHE
    name::Ptr{UInt8}  # for messages; default "elementwise", "reduction", "scan"
    preamble::Ptr{UInt8}  # CUDA C in front of the kernel: functions, structs; it can use the placeholders
    options::Ptr{Ptr{UInt8}}  # passed to the compiler
    option_count::Int32
    mode::Int32  # TENON_PROGRAM_FAST ...
    accumulator::Ptr{UInt8}  # reduction, scan: the type combined, maybe of the preamble; default the output's, float for 16 bits
end

struct tenon_graph_node_info
    struct_size::UInt32
    kind::Int32  # TENON_GRAPH_*
    name::Ptr{UInt8}  # of the kernel; "copy", "fill", "gemm", "fft", "blas". Borrowed
    parameter_count::Int32  # arguments that tenon_graph_set can replace: of a kernel launch; else 0
    reserved::Int32
end

struct tenon_gemm_options
    struct_size::UInt32
    compute::Int32  # TENON_COMPUTE_*
    out_packed::Ptr{Int32}  # receives how many operands had to be packed (0 to 2); may be NULL
    op_a::Int32  # TENON_OP_*: the product is of op_a(a) and op_b(b); their last two axes are then exchanged below
    op_b::Int32
    bias::Ptr{tenon_array}  # (n), of c's dtype, added to every row of the product; may be NULL
    epilogue::Int32  # TENON_EPILOGUE_*, of the sum
    tune::Int32  # 1: on CUDA, the first product of its kind measures cuBLASLt's algorithms; see tenon_gemm
end

struct tenon_svd_options
    struct_size::UInt32
    mode::Int32  # TENON_SVD_*: FULL, ECONOMY, VALUES
    driver::Int32  # TENON_SVD_AUTO and those after it
    reserved::Int32
    k::Int64  # how many of the largest values are wanted, with their vectors; 0: all of them
    tolerance::Float64  # of the leading k, see below; 0: 1e-6 for single precision, 1e-12 for double
    out_driver::Ptr{Int32}  # receives what found the result, never TENON_SVD_AUTO; may be NULL
end

struct tenon_triangle_options
    struct_size::UInt32
    upper::Int32  # 1: the upper triangle of a is read, else the lower one
    op::Int32  # TENON_OP_*
    unit_diagonal::Int32  # 1: a's diagonal is 1 and not read
end

"""
Each function names the fields that it has; the others must be 0.
"""
struct tenon_blas_options
    struct_size::UInt32
    op::Int32  # TENON_OP_*: op(a) takes part instead of a
    upper::Int32  # 1: the upper triangle, else the lower one; the other one is neither read nor written
    right::Int32  # 1: a stands on the right of b, else on its left
    hermitian::Int32  # 1: of complex numbers, the matrix is Hermitian (what its diagonal has of imaginary parts counts as 0); else it is symmetric
    unit_diagonal::Int32  # 1: a's diagonal is 1 and not read
    out_packed::Ptr{Int32}  # receives how many arrays had to be packed; may be NULL. Every function has it
end

struct tenon_solve_options
    struct_size::UInt32
    kind::Int32  # TENON_SOLVE_*
    op::Int32  # TENON_OP_*: solves op(a) x = b; not with TENON_SOLVE_POSITIVE
    unit_diagonal::Int32  # 1, with LOWER and UPPER: a's diagonal is 1 and not read
end

struct tenon_ldl_options
    struct_size::UInt32
    upper::Int32  # 1: the upper triangle of a is read, else the lower one
    hermitian::Int32  # 1: of complex numbers, a is Hermitian; else it is symmetric
    reserved::Int32
end

struct tenon_eigh_options
    struct_size::UInt32
    upper::Int32  # 1: the upper triangle of a is read, else the lower one
    first::Int64  # the first eigenvalue wanted, from 0, in ascending order
    count::Int64  # how many of them; 0: all from `first` on
    low::Float64  # with by_value 1: those above low and up to high; first and count are 0 then
    high::Float64
    by_value::Int32
    reserved::Int32
end

struct tenon_fft_options
    struct_size::UInt32
    direction::Int32  # TENON_FFT_FORWARD or INVERSE
    norm::Int32  # TENON_FFT_NORM_*
    reserved::Int32
end

struct tenon_dct_options
    struct_size::UInt32
    type_::Int32  # 1 to 4; 0: 2
    sine::Int32  # 1: the sine transform, else the cosine transform
    direction::Int32  # TENON_FFT_FORWARD or INVERSE
    norm::Int32  # TENON_FFT_NORM_*
    reserved::Int32
end

struct tenon_convolve_options
    struct_size::UInt32
    mode::Int32  # TENON_CONVOLVE_*
    correlate::Int32  # 1: the correlation of a and b instead
    reserved::Int32
end

struct tenon_package_options
    struct_size::UInt32
    flags::UInt32  # TENON_PACKAGE_*
    sha256::Ptr{UInt8}  # the content hash it must have (64 hexadecimal digits); default: any
    trusted_keys::Ptr{Ptr{UInt8}}  # public keys that are trusted beside the user's list
    trusted_key_count::Int32
    reserved::UInt32
end

struct tenon_operation_info
    struct_size::UInt32
    flags::UInt32  # TENON_OPERATION_*
    parameter_count::Int32  # in the order of arguments
    output_count::Int32  # of them, those with the role TENON_ROLE_OUT
    tunable_count::Int32
    test_count::Int32
end

struct tenon_operation_parameter_info
    struct_size::UInt32
    role::Int32  # TENON_ROLE_*
    flags::UInt32  # TENON_ROLE_HAS_DEFAULT ...
    dtype::UInt32  # 0: a placeholder decides
    placeholder::Int32  # its number; -1: none. Parameters of one placeholder have one dtype
    reserved::Int32
    name::Ptr{UInt8}  # borrowed from the operation
    doc::Ptr{UInt8}  # borrowed; "" when there is none
end

"""
Measuring and tuning.

What is measured are the contract's `bench` cases, else its tests, or arguments given here. Tuning tries the values of the
contract's tunables on the device and keeps the fastest for each case as a record: readable JSON, one file PACKAGE.OPERATION.json
in the context's tuning directory, which holds for this version and content of the package, the product the device is, the dtypes, the
shapes of the inputs and the scalars that the contract names (tuned_for). Later calls, in every process, take the record of the same device
and dtypes whose shapes and scalars are nearest; where none is near, or the nearest one's values cannot be launched (logged as a
warning, once), the defaults. They are not looked at where a tunable was set by
tenon_operation_set_tunable, and in a context with TENON_CONTEXT_DETERMINISTIC.
"""
struct tenon_measure_options
    struct_size::UInt32
    given_count::Int32  # of the two lists below; 0: the contract's cases
    given_names::Ptr{Ptr{UInt8}}  # inputs and scalars by name ...
    given_values::Ptr{Ptr{UInt8}}  # ... and what they are: "normal(1000, 1000)" and the like, as in tests; a number; a choice
    types::Ptr{UInt8}  # only with these dtypes: "T=float32, A=float64"; default: all that the contract allows
    seconds::Float64  # how long it may take in all; default: 1 for each case of a measurement, 30 for tuning
end

"""
One call of a function. All pointers are borrowed for the call.
"""
struct tenon_host_call
    struct_size::UInt32
    count::Int32
    args::Ptr{tenon_arg}  # as for the operation: the step's inputs and scalars, then what it writes; defaults are filled in
    stream::Ptr{tenon_stream}  # what the work belongs on; on the CPU it is done when the function returns
end

struct tenon_host_function
    struct_size::UInt32
    reserved::UInt32
    name::Ptr{UInt8}  # what the contract's steps call it
    function_::Ptr{Cvoid}
    user::Ptr{Cvoid}
    destroy::Ptr{Cvoid}  # called with user when nobody can call the function any more; not when registering it failed
end

"""
What tenon_plugin_init registers with; valid until it returns.
"""
struct tenon_registry
    struct_size::UInt32
    reserved::UInt32
    user::Ptr{Cvoid}  # to be handed to add
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
    :tenon_kernel_parameter,
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
    :tenon_program_check,
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
    :tenon_graph_node,
    :tenon_graph_parameter,
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
    :tenon_operation_parameter,
    :tenon_operation_gradient,
    :tenon_operation_package,
    :tenon_operation_retain,
    :tenon_operation_release,
    :tenon_dot,
    :tenon_rank_k,
    :tenon_triangular_multiply,
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
    :tenon_bound_launch,
    :tenon_bound_retain,
    :tenon_bound_release,
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
    :tenon_eig_vectors,
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
    :tenon_stream_wrap_kept,
    :tenon_array_follow,
    :tenon_interrupt_set,
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
)

"""
    int32_t tenon_blob_data(const tenon_blob* blob, const void** out_data, uint64_t* out_size)

The bytes of a blob, borrowed. A NUL byte follows the last one, so text can be used as a C string.
"""
tenon_blob_data(blob, out_data, out_size) =
    ccall(address(1), Int32, (Ptr{tenon_blob}, Ptr{Ptr{Cvoid}}, Ptr{UInt64}), blob, out_data, out_size)

"""
    int32_t tenon_blob_retain(tenon_blob* blob)

Takes one more reference.
"""
tenon_blob_retain(blob) =
    ccall(address(2), Int32, (Ptr{tenon_blob},), blob)

"""
    void tenon_blob_release(tenon_blob* blob)

Gives one reference back.
"""
tenon_blob_release(blob) =
    ccall(address(3), Cvoid, (Ptr{tenon_blob},), blob)

"""
    uint32_t tenon_version(void)

The version of the library that is loaded, which may be newer than the headers: (major << 16) | (minor << 8) | patch.
"""
tenon_version() =
    ccall(address(4), UInt32, ())

"""
    const tenon_api* tenon_get_api(uint32_t abi_level)

Every function as a table, for plugins and for programs that open the library at run time. abi_level: the
TENON_ABI_LEVEL the caller was compiled with. The table of the loaded library is returned also to a newer caller, which
looks at struct_size before it uses a row. Static, never NULL.
"""
tenon_get_api(abi_level) =
    ccall(address(5), Ptr{tenon_api}, (UInt32,), abi_level)

"""
    const char* tenon_build_info(void)

How the library was built (version, compiler, options, backends), as JSON text: static, borrowed, never NULL.
"""
tenon_build_info() =
    ccall(address(6), Cstring, ())

"""
    const char* tenon_status_name(int32_t status)

The name of a status, \"TENON_OK\" and so on; \"TENON_ERROR_UNKNOWN\" for a value it does not know. Static, never NULL.
"""
tenon_status_name(status) =
    ccall(address(7), Cstring, (Int32,), status)

"""
    int32_t tenon_error_last(tenon_error** out_error)

The calling thread's last failure as an owned object; *out_error is NULL when the thread has had none since it started
or since tenon_error_clear.
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

The text of the calling thread's last failure: one or two sentences saying what was wrong and what would be right.
Borrowed until the thread's next failing call; \"\" when there was none; never NULL.
"""
tenon_error_last_message() =
    ccall(address(10), Cstring, ())

"""
    int32_t tenon_error_status(const tenon_error* error, int32_t* out_status)

The status a failing call returned.
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

Where a vendor call failed: its name (\"cuLaunchKernel\", \"sgesdd\"; \"\" where there was none) and the code it returned
(CUresult, cublasStatus_t, LAPACK info ...).
"""
tenon_error_native(error, out_call, out_code) =
    ccall(address(13), Int32, (Ptr{tenon_error}, Ptr{Ptr{UInt8}}, Ptr{Int64}), error, out_call, out_code)

"""
    int32_t tenon_error_log(const tenon_error* error, const char** out_text)

The compiler's full log with line numbers of the user's text; \"\" when the failure has none. Borrowed.
"""
tenon_error_log(error, out_text) =
    ccall(address(14), Int32, (Ptr{tenon_error}, Ptr{Ptr{UInt8}}), error, out_text)

"""
    int32_t tenon_error_retain(tenon_error* error)

Takes one more reference.
"""
tenon_error_retain(error) =
    ccall(address(15), Int32, (Ptr{tenon_error},), error)

"""
    void tenon_error_release(tenon_error* error)

Gives one reference back.
"""
tenon_error_release(error) =
    ccall(address(16), Cvoid, (Ptr{tenon_error},), error)

"""
    const char* tenon_dtype_name(uint32_t dtype)

The name of a dtype as NumPy spells it (\"float32\", \"complex64\", \"bfloat16\", \"float8_e4m3fn\"; with lanes \"float32x4\").
\"invalid\" for a value that is not a dtype. Valid for the life of the process; never NULL.
"""
tenon_dtype_name(dtype) =
    ccall(address(17), Cstring, (UInt32,), dtype)

"""
    int32_t tenon_dtype_bits(uint32_t dtype, uint32_t* out_bits)

Bits of one element, lanes included. TENON_ERROR_DTYPE for a value that is no dtype.
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

A context of its own. Statuses: INVALID_ARGUMENT (an option), OUT_OF_MEMORY. A missing driver is no error.
"""
tenon_context_create(options, out_context) =
    ccall(address(20), Int32, (Ptr{tenon_context_options}, Ptr{Ptr{tenon_context}}), options, out_context)

"""
    int32_t tenon_context_retain(tenon_context* context)

Takes one more reference.
"""
tenon_context_retain(context) =
    ccall(address(21), Int32, (Ptr{tenon_context},), context)

"""
    void tenon_context_release(tenon_context* context)

Gives one reference back. The context closes when its last user (an array, a program ...) is gone too.
"""
tenon_context_release(context) =
    ccall(address(22), Cvoid, (Ptr{tenon_context},), context)

"""
    int32_t tenon_context_device_count(tenon_context* context, int32_t* out_count)

Number of devices: the CPU, then every CUDA device the driver shows. The first call looks for the CUDA driver.
"""
tenon_context_device_count(context, out_count) =
    ccall(address(23), Int32, (Ptr{tenon_context}, Ptr{Int32}), context, out_count)

"""
    int32_t tenon_context_device_at(tenon_context* context, int32_t index, tenon_device** out_device)

Device `index` of that list. OUT_OF_RANGE indices are INVALID_ARGUMENT.
"""
tenon_context_device_at(context, index, out_device) =
    ccall(address(24), Int32, (Ptr{tenon_context}, Int32, Ptr{Ptr{tenon_device}}), context, index, out_device)

"""
    int32_t tenon_context_device(tenon_context* context, const char* name, tenon_device** out_device)

A device by name: \"cpu:0\" (or \"cpu\"), \"cuda:1\" (\"cuda\" is \"cuda:0\"), or \"best\": cuda:0 where there is one, else cpu:0.
NOT_FOUND names the devices there are and, for CUDA, why there is none (no driver, no device, too old).
"""
tenon_context_device(context, name, out_device) =
    ccall(address(25), Int32, (Ptr{tenon_context}, Cstring, Ptr{Ptr{tenon_device}}), context, name, out_device)

"""
    int32_t tenon_context_report(tenon_context* context, tenon_blob** out_report)

What was found and why, as JSON text: devices, toolkit and libraries with their paths and how each was found, compilers,
cache directory and counters. Opens nothing that was not needed before.
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

What compiles kernels for it, and where it was found: \"CUDA 13.0, NVRTC 13.0 from /usr/local/cuda/lib64 (toolkit)\",
\"clang 19.1.7 at /usr/bin/clang++-19\", or a sentence saying what is missing and what to install. Borrowed.
"""
tenon_device_toolkit(device, out_text) =
    ccall(address(30), Int32, (Ptr{tenon_device}, Ptr{Ptr{UInt8}}), device, out_text)

"""
    int32_t tenon_device_synchronize(tenon_device* device)

Waits for all work on the device that Tenon enqueued; returns the first fault that came up.
"""
tenon_device_synchronize(device) =
    ccall(address(31), Int32, (Ptr{tenon_device},), device)

"""
    int32_t tenon_device_retain(tenon_device* device)

Takes one more reference.
"""
tenon_device_retain(device) =
    ccall(address(32), Int32, (Ptr{tenon_device},), device)

"""
    void tenon_device_release(tenon_device* device)

Gives one reference back.
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

Gives free blocks back to the system, keeping at most keep_bytes.
"""
tenon_device_trim_memory(device, keep_bytes) =
    ccall(address(35), Int32, (Ptr{tenon_device}, UInt64), device, keep_bytes)

"""
    int32_t tenon_stream_create(tenon_device* device, const tenon_stream_options* options, tenon_stream** out_stream)

A new stream. On CUDA it does not synchronise with the legacy default stream.
"""
tenon_stream_create(device, options, out_stream) =
    ccall(address(36), Int32, (Ptr{tenon_device}, Ptr{tenon_stream_options}, Ptr{Ptr{tenon_stream}}), device, options, out_stream)

"""
    int32_t tenon_stream_wrap(tenon_device* device, uint64_t native, tenon_stream** out_stream)

A stream for a native handle (a CUstream; 0 or 1: the legacy default stream, 2: the per-thread default stream) that
stays its owner's. It must stay valid until the last reference that this call gave out was released; arrays used on it may
live on. On the CPU device only 0. INVALID_ARGUMENT: not a live stream; DEVICE: a stream of another device or context.
"""
tenon_stream_wrap(device, native, out_stream) =
    ccall(address(37), Int32, (Ptr{tenon_device}, UInt64, Ptr{Ptr{tenon_stream}}), device, native, out_stream)

"""
    int32_t tenon_stream_default(tenon_device* device, tenon_stream** out_stream)

The device's default stream: the one a NULL stream means where no argument's framework tells its own.
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

Waits until all work enqueued so far is done. Returns the stream's fault (KERNEL_FAULT, DEVICE_LOST) if there was one;
a KERNEL_FAULT is reported once and cleared.
"""
tenon_stream_synchronize(stream) =
    ccall(address(41), Int32, (Ptr{tenon_stream},), stream)

"""
    int32_t tenon_stream_query(tenon_stream* stream)

TENON_OK when all work is done, TENON_ERROR_NOT_READY when not; else as synchronize. Does not wait.
"""
tenon_stream_query(stream) =
    ccall(address(42), Int32, (Ptr{tenon_stream},), stream)

"""
    int32_t tenon_stream_wait_event(tenon_stream* stream, tenon_event* event)

Work enqueued on `stream` from now on waits for the event's last record; on another device's stream too.
"""
tenon_stream_wait_event(stream, event) =
    ccall(address(43), Int32, (Ptr{tenon_stream}, Ptr{tenon_event}), stream, event)

"""
    int32_t tenon_stream_retain(tenon_stream* stream)

Takes one more reference.
"""
tenon_stream_retain(stream) =
    ccall(address(44), Int32, (Ptr{tenon_stream},), stream)

"""
    void tenon_stream_release(tenon_stream* stream)

Gives one reference back. Work in flight goes on.
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

Waits on the host until the mark is reached.
"""
tenon_event_synchronize(event) =
    ccall(address(48), Int32, (Ptr{tenon_event},), event)

"""
    int32_t tenon_event_query(tenon_event* event)

TENON_OK when the mark is reached, TENON_ERROR_NOT_READY when not.
"""
tenon_event_query(event) =
    ccall(address(49), Int32, (Ptr{tenon_event},), event)

"""
    int32_t tenon_event_elapsed(tenon_event* start, tenon_event* end, double* out_milliseconds)

Milliseconds between two recorded timing events, both reached (NOT_READY otherwise).
"""
tenon_event_elapsed(start, end_, out_milliseconds) =
    ccall(address(50), Int32, (Ptr{tenon_event}, Ptr{tenon_event}, Ptr{Float64}), start, end_, out_milliseconds)

"""
    int32_t tenon_event_retain(tenon_event* event)

Takes one more reference.
"""
tenon_event_retain(event) =
    ccall(address(51), Int32, (Ptr{tenon_event},), event)

"""
    void tenon_event_release(tenon_event* event)

Gives one reference back.
"""
tenon_event_release(event) =
    ccall(address(52), Cvoid, (Ptr{tenon_event},), event)

"""
    int32_t tenon_buffer_create(tenon_device* device, uint64_t bytes, int32_t kind, tenon_stream* stream, tenon_buffer** out_buffer)

Allocates `bytes` (0 is allowed) of memory, not cleared, stream-ordered on `stream`. kind: TENON_MEMORY_*.
OUT_OF_MEMORY says how much was asked, used and free, after a trim and a second try.
"""
tenon_buffer_create(device, bytes, kind, stream, out_buffer) =
    ccall(address(53), Int32, (Ptr{tenon_device}, UInt64, Int32, Ptr{tenon_stream}, Ptr{Ptr{tenon_buffer}}), device, bytes, kind, stream, out_buffer)

"""
    int32_t tenon_buffer_wrap(tenon_device* device, void* data, uint64_t bytes, int32_t kind, int32_t read_only, tenon_destroy_fn destroy, void* user, tenon_buffer** out_buffer)

Makes a buffer of memory that someone else owns. destroy(user) runs once after the last use; it belongs to the library
on success only. The memory must be usable on the device: host memory for the CPU device (kind DEVICE); for a CUDA
device the driver is asked what it is. read_only: 1 refuses writes.
"""
tenon_buffer_wrap(device, data, bytes, kind, read_only, destroy, user, out_buffer) =
    ccall(address(54), Int32, (Ptr{tenon_device}, Ptr{Cvoid}, UInt64, Int32, Int32, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Ptr{tenon_buffer}}), device, data, bytes, kind, read_only, destroy, user, out_buffer)

"""
    int32_t tenon_buffer_data(const tenon_buffer* buffer, void** out_data, uint64_t* out_bytes)

Address and size in bytes. The address of a CUDA buffer is a device address.
"""
tenon_buffer_data(buffer, out_data, out_bytes) =
    ccall(address(55), Int32, (Ptr{tenon_buffer}, Ptr{Ptr{Cvoid}}, Ptr{UInt64}), buffer, out_data, out_bytes)

"""
    int32_t tenon_buffer_retain(tenon_buffer* buffer)

Takes one more reference.
"""
tenon_buffer_retain(buffer) =
    ccall(address(56), Int32, (Ptr{tenon_buffer},), buffer)

"""
    void tenon_buffer_release(tenon_buffer* buffer)

Gives one reference back. The memory is reused only after its last use on every stream.
"""
tenon_buffer_release(buffer) =
    ccall(address(57), Cvoid, (Ptr{tenon_buffer},), buffer)

"""
    int32_t tenon_array_create(tenon_device* device, uint32_t dtype, int32_t rank, const int64_t* shape, tenon_stream* stream, tenon_array** out_array)

A new C-ordered array, elements not set.
"""
tenon_array_create(device, dtype, rank, shape, stream, out_array) =
    ccall(address(58), Int32, (Ptr{tenon_device}, UInt32, Int32, Ptr{Int64}, Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}), device, dtype, rank, shape, stream, out_array)

"""
    int32_t tenon_array_zeros(tenon_device* device, uint32_t dtype, int32_t rank, const int64_t* shape, tenon_stream* stream, tenon_array** out_array)

A new C-ordered array of zeros.
"""
tenon_array_zeros(device, dtype, rank, shape, stream, out_array) =
    ccall(address(59), Int32, (Ptr{tenon_device}, UInt32, Int32, Ptr{Int64}, Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}), device, dtype, rank, shape, stream, out_array)

"""
    int32_t tenon_array_from_host(tenon_device* device, uint32_t dtype, int32_t rank, const int64_t* shape, const void* data, uint64_t bytes, tenon_stream* stream, tenon_array** out_array)

A new array with a copy of C-ordered host memory of exactly `bytes` bytes, which may be reused when the call returns.
"""
tenon_array_from_host(device, dtype, rank, shape, data, bytes, stream, out_array) =
    ccall(address(60), Int32, (Ptr{tenon_device}, UInt32, Int32, Ptr{Int64}, Ptr{Cvoid}, UInt64, Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}), device, dtype, rank, shape, data, bytes, stream, out_array)

"""
    int32_t tenon_array_from_buffer(tenon_buffer* buffer, uint32_t dtype, int32_t rank, const int64_t* shape, const int64_t* strides, uint64_t byte_offset, tenon_array** out_array)

A view of a buffer. strides: NULL for C order; byte_offset: of the element at index 0. Every element must lie inside the
buffer (OVERFLOW) and be aligned to its size or 16, whichever is less (LAYOUT). The buffer stays the caller's reference.
"""
tenon_array_from_buffer(buffer, dtype, rank, shape, strides, byte_offset, out_array) =
    ccall(address(61), Int32, (Ptr{tenon_buffer}, UInt32, Int32, Ptr{Int64}, Ptr{Int64}, UInt64, Ptr{Ptr{tenon_array}}), buffer, dtype, rank, shape, strides, byte_offset, out_array)

"""
    int32_t tenon_array_retain(tenon_array* array)

Takes one more reference.
"""
tenon_array_retain(array) =
    ccall(address(62), Int32, (Ptr{tenon_array},), array)

"""
    void tenon_array_release(tenon_array* array)

Gives one reference back. Work in flight that uses the memory is not disturbed.
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

The buffer under the array, as a new reference.
"""
tenon_array_buffer(array, out_buffer) =
    ccall(address(66), Int32, (Ptr{tenon_array}, Ptr{Ptr{tenon_buffer}}), array, out_buffer)

"""
    int32_t tenon_array_reshape(const tenon_array* array, int32_t rank, const int64_t* shape, tenon_array** out_array)

Another shape of the same elements in C order; one extent may be -1 (inferred). SHAPE when sizes differ, LAYOUT when the
strides do not allow a view (make it contiguous first).
"""
tenon_array_reshape(array, rank, shape, out_array) =
    ccall(address(67), Int32, (Ptr{tenon_array}, Int32, Ptr{Int64}, Ptr{Ptr{tenon_array}}), array, rank, shape, out_array)

"""
    int32_t tenon_array_transpose(const tenon_array* array, int32_t rank, const int32_t* axes, tenon_array** out_array)

Axes in another order: axis i of the result is axis axes[i]; NULL reverses them. Negative axes count from the end.
"""
tenon_array_transpose(array, rank, axes, out_array) =
    ccall(address(68), Int32, (Ptr{tenon_array}, Int32, Ptr{Int32}, Ptr{Ptr{tenon_array}}), array, rank, axes, out_array)

"""
    int32_t tenon_array_slice(const tenon_array* array, int32_t rank, const int64_t* starts, const int64_t* stops, const int64_t* steps, tenon_array** out_array)

For each axis the elements start, start + step, ... up to but without stop, as in Python; negative start and stop count
from the end and are clamped; INT64_MIN means \"left out\". step must not be 0. starts, stops, steps: NULL for all left out.
Rank is that of the array.
"""
tenon_array_slice(array, rank, starts, stops, steps, out_array) =
    ccall(address(69), Int32, (Ptr{tenon_array}, Int32, Ptr{Int64}, Ptr{Int64}, Ptr{Int64}, Ptr{Ptr{tenon_array}}), array, rank, starts, stops, steps, out_array)

"""
    int32_t tenon_array_index(const tenon_array* array, int32_t axis, int64_t index, tenon_array** out_array)

One index of one axis: the result has one axis less. Negative indices count from the end.
"""
tenon_array_index(array, axis, index, out_array) =
    ccall(address(70), Int32, (Ptr{tenon_array}, Int32, Int64, Ptr{Ptr{tenon_array}}), array, axis, index, out_array)

"""
    int32_t tenon_array_broadcast(const tenon_array* array, int32_t rank, const int64_t* shape, tenon_array** out_array)

NumPy's broadcasting to a larger shape, with stride 0. The result is read-only.
"""
tenon_array_broadcast(array, rank, shape, out_array) =
    ccall(address(71), Int32, (Ptr{tenon_array}, Int32, Ptr{Int64}, Ptr{Ptr{tenon_array}}), array, rank, shape, out_array)

"""
    int32_t tenon_array_view(const tenon_array* array, uint32_t dtype, tenon_array** out_array)

The same bytes as another dtype. Sizes that differ need unit stride in the last axis, whose extent changes.
"""
tenon_array_view(array, dtype, out_array) =
    ccall(address(72), Int32, (Ptr{tenon_array}, UInt32, Ptr{Ptr{tenon_array}}), array, dtype, out_array)

"""
    int32_t tenon_array_copy(tenon_array* destination, const tenon_array* source, tenon_stream* stream)

destination[...] = source: broadcasts source, converts the dtype as C does (float to integer truncates, out-of-range and
NaN to integer are unspecified values; complex to real keeps the real part; to bool: != 0; rounding is to nearest even),
any strides, between any two devices. OVERLAP: neither exact alias nor disjoint, or a destination that overlaps itself. Between devices the copy is ordered on
`stream`, which belongs to either of them (NULL: the default stream of the destination, or of the source if the
destination is the CPU); into host memory that is not pinned the data is there on return.
"""
tenon_array_copy(destination, source, stream) =
    ccall(address(73), Int32, (Ptr{tenon_array}, Ptr{tenon_array}, Ptr{tenon_stream}), destination, source, stream)

"""
    int32_t tenon_array_fill(tenon_array* array, double real, double imaginary, tenon_stream* stream)

Every element = value, converted from real + i imaginary as above.
"""
tenon_array_fill(array, real, imaginary, stream) =
    ccall(address(74), Int32, (Ptr{tenon_array}, Float64, Float64, Ptr{tenon_stream}), array, real, imaginary, stream)

"""
    int32_t tenon_array_convert(const tenon_array* source, uint32_t dtype, tenon_device* device, tenon_stream* stream, tenon_array** out_array)

A new C-ordered array of another dtype (TENON_DTYPE of the source: a plain contiguous copy) on another device (NULL: the
source's).
"""
tenon_array_convert(source, dtype, device, stream, out_array) =
    ccall(address(75), Int32, (Ptr{tenon_array}, UInt32, Ptr{tenon_device}, Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}), source, dtype, device, stream, out_array)

"""
    int32_t tenon_array_to_host(const tenon_array* array, void* data, uint64_t bytes, tenon_stream* stream)

Writes all elements in C order to host memory of exactly `bytes` bytes; they are there on return.
"""
tenon_array_to_host(array, data, bytes, stream) =
    ccall(address(76), Int32, (Ptr{tenon_array}, Ptr{Cvoid}, UInt64, Ptr{tenon_stream}), array, data, bytes, stream)

"""
    int32_t tenon_array_set_from_host(tenon_array* array, const void* data, uint64_t bytes, tenon_stream* stream)

Reads all elements in C order from host memory of exactly `bytes` bytes, which may be reused on return.
"""
tenon_array_set_from_host(array, data, bytes, stream) =
    ccall(address(77), Int32, (Ptr{tenon_array}, Ptr{Cvoid}, UInt64, Ptr{tenon_stream}), array, data, bytes, stream)

"""
    int32_t tenon_array_from_dlpack(tenon_context* context, struct DLManagedTensor* tensor, int32_t read_only, tenon_stream* stream, tenon_array** out_array)

The legacy struct. read_only: 1 refuses writes (the legacy struct cannot say it).
"""
tenon_array_from_dlpack(context, tensor, read_only, stream, out_array) =
    ccall(address(78), Int32, (Ptr{tenon_context}, Ptr{DLManagedTensor}, Int32, Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}), context, tensor, read_only, stream, out_array)

"""
    int32_t tenon_array_from_dlpack_versioned(tenon_context* context, struct DLManagedTensorVersioned* tensor, tenon_stream* stream, tenon_array** out_array)

The versioned struct (1.x), with its READ_ONLY flag. A tensor of another major version is refused (VERSION); its deleter
stays the caller's to call.
"""
tenon_array_from_dlpack_versioned(context, tensor, stream, out_array) =
    ccall(address(79), Int32, (Ptr{tenon_context}, Ptr{DLManagedTensorVersioned}, Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}), context, tensor, stream, out_array)

"""
    int32_t tenon_array_to_dlpack(const tenon_array* array, uint32_t flags, tenon_stream* stream, struct DLManagedTensor** out_tensor)

The legacy struct. READ_ONLY: it cannot carry the flag, so a read-only array is refused (ask for a copy).
"""
tenon_array_to_dlpack(array, flags, stream, out_tensor) =
    ccall(address(80), Int32, (Ptr{tenon_array}, UInt32, Ptr{tenon_stream}, Ptr{Ptr{DLManagedTensor}}), array, flags, stream, out_tensor)

"""
    int32_t tenon_array_to_dlpack_versioned(const tenon_array* array, uint32_t flags, tenon_stream* stream, struct DLManagedTensorVersioned** out_tensor)

The versioned struct, version 1.1.
"""
tenon_array_to_dlpack_versioned(array, flags, stream, out_tensor) =
    ccall(address(81), Int32, (Ptr{tenon_array}, UInt32, Ptr{tenon_stream}, Ptr{Ptr{DLManagedTensorVersioned}}), array, flags, stream, out_tensor)

"""
    int32_t tenon_program_create(tenon_device* device, const char* source, uint64_t size, const tenon_program_options* options, tenon_program** out_program)

Compiles `size` bytes of CUDA C (or finds them in the cache). tenon_program_kernel gives the kernels named in the
options; they share the program's __device__ and __constant__ variables. With no names the text is compiled all the same, so
that a fault shows here. COMPILE: the text says the first error, the record has the whole log with the user's line numbers.
MISSING_LIBRARY: no compiler; the text says what to install.
On the CPU, in the fast mode, a kernel that does nothing but loops over the grid along x (i = blockIdx.x * blockDim.x + threadIdx.x;
i < n; i += gridDim.x * blockDim.x) runs their iterations in the order of i, where the compiler can prove that nothing else
depends on the thread: each thread has its own iterations in their order, as always, and the memory is not walked in strides.
So does the first such loop of any kernel that has no effect but on variables of its thread (sum += x[i]), where the compiler can
prove that all threads come to it alike and nothing was done before it.
The word TENON_PLAIN_LOOPS anywhere in the source or the options (-DTENON_PLAIN_LOOPS) leaves all loops as they are written.
"""
tenon_program_create(device, source, size, options, out_program) =
    ccall(address(82), Int32, (Ptr{tenon_device}, Ptr{UInt8}, UInt64, Ptr{tenon_program_options}, Ptr{Ptr{tenon_program}}), device, source, size, options, out_program)

"""
    int32_t tenon_program_log(const tenon_program* program, const char** out_text)

The compiler's log: warnings of a program that compiled. Borrowed; \"\" when there is none.
"""
tenon_program_log(program, out_text) =
    ccall(address(83), Int32, (Ptr{tenon_program}, Ptr{Ptr{UInt8}}), program, out_text)

"""
    int32_t tenon_program_image(const tenon_program* program, int32_t kind, tenon_blob** out_image)

The compiled image. kind: TENON_IMAGE_*.
"""
tenon_program_image(program, kind, out_image) =
    ccall(address(84), Int32, (Ptr{tenon_program}, Int32, Ptr{Ptr{tenon_blob}}), program, kind, out_image)

"""
    int32_t tenon_program_kernel(tenon_program* program, const char* name, tenon_kernel** out_kernel)

A kernel of the program by the name or template instance given in the options. NOT_FOUND lists those there are.
"""
tenon_program_kernel(program, name, out_kernel) =
    ccall(address(85), Int32, (Ptr{tenon_program}, Cstring, Ptr{Ptr{tenon_kernel}}), program, name, out_kernel)

"""
    int32_t tenon_program_retain(tenon_program* program)

Takes one more reference.
"""
tenon_program_retain(program) =
    ccall(address(86), Int32, (Ptr{tenon_program},), program)

"""
    void tenon_program_release(tenon_program* program)

Gives one reference back. Kernels keep their program alive.
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
    int32_t tenon_kernel_parameter(const tenon_kernel* kernel, int32_t index, tenon_parameter_info* out_info)

Parameter `index`, as the compiler sees it. The info's struct_size must be set by the caller.
"""
tenon_kernel_parameter(kernel, index, out_info) =
    ccall(address(89), Int32, (Ptr{tenon_kernel}, Int32, Ptr{tenon_parameter_info}), kernel, index, out_info)

"""
    int32_t tenon_kernel_name(const tenon_kernel* kernel, const char** out_name)

The name it was asked for by. Borrowed.
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
    int32_t tenon_kernel_retain(tenon_kernel* kernel)

Takes one more reference.
"""
tenon_kernel_retain(kernel) =
    ccall(address(92), Int32, (Ptr{tenon_kernel},), kernel)

"""
    void tenon_kernel_release(tenon_kernel* kernel)

Gives one reference back.
"""
tenon_kernel_release(kernel) =
    ccall(address(93), Cvoid, (Ptr{tenon_kernel},), kernel)

"""
    int32_t tenon_kernel_launch(tenon_kernel* kernel, const tenon_launch* launch, const tenon_arg* args, int32_t count, tenon_stream* stream)

Launches. Refused before anything runs, naming the argument: a wrong count, kind, dtype, device or size; a read-only
array where the kernel writes; an array that is not contiguous; geometry over a limit (the limit is named). An array may
be given for a pointer to: its own dtype; a vector of it (float4* for float32, rank and alignment permitting);
complex64 for float2; any dtype for void*, char* and unsigned char*; bytes (uint8, int8) for a pointer to a struct, as
many as whole structs have. Scalars must have exactly the parameter's type; a vector by value takes its own dtype (float2 also
complex64) or BYTES; an enum takes integers of its size. A parameter of which only the size is known takes what has that size: an
array (which then counts as written, and must not be read-only) or a pointer for 8 bytes, a scalar, BYTES.
DEVICE_LOST and KERNEL_FAULT of earlier work on the stream may be returned here.
"""
tenon_kernel_launch(kernel, launch, args, count, stream) =
    ccall(address(94), Int32, (Ptr{tenon_kernel}, Ptr{tenon_launch}, Ptr{tenon_arg}, Int32, Ptr{tenon_stream}), kernel, launch, args, count, stream)

"""
    int32_t tenon_call_create(tenon_kernel* kernel, const tenon_launch* launch, const tenon_arg* args, int32_t count, tenon_call** out_call)

A bound call: geometry and arguments checked and packed once, then launched any number of times at the driver's speed.
It holds references to its arrays. One call may not be launched or changed from two threads at once; clone it.
"""
tenon_call_create(kernel, launch, args, count, out_call) =
    ccall(address(95), Int32, (Ptr{tenon_kernel}, Ptr{tenon_launch}, Ptr{tenon_arg}, Int32, Ptr{Ptr{tenon_call}}), kernel, launch, args, count, out_call)

"""
    int32_t tenon_call_set(tenon_call* call, int32_t index, const tenon_arg* arg)

Replaces argument `index`, with the same checks.
"""
tenon_call_set(call, index, arg) =
    ccall(address(96), Int32, (Ptr{tenon_call}, Int32, Ptr{tenon_arg}), call, index, arg)

"""
    int32_t tenon_call_launch(tenon_call* call, tenon_stream* stream)

Launches it.
"""
tenon_call_launch(call, stream) =
    ccall(address(97), Int32, (Ptr{tenon_call}, Ptr{tenon_stream}), call, stream)

"""
    int32_t tenon_call_clone(const tenon_call* call, tenon_call** out_call)

An independent copy.
"""
tenon_call_clone(call, out_call) =
    ccall(address(98), Int32, (Ptr{tenon_call}, Ptr{Ptr{tenon_call}}), call, out_call)

"""
    int32_t tenon_call_retain(tenon_call* call)

Takes one more reference.
"""
tenon_call_retain(call) =
    ccall(address(99), Int32, (Ptr{tenon_call},), call)

"""
    void tenon_call_release(tenon_call* call)

Gives one reference back.
"""
tenon_call_release(call) =
    ccall(address(100), Cvoid, (Ptr{tenon_call},), call)

"""
    int32_t tenon_gemm(const double* alpha, const tenon_array* a, const tenon_array* b, const double* beta, tenon_array* c, const tenon_gemm_options* options, tenon_stream* stream)

c = alpha a b + beta c. a: (..., m, k), b: (..., k, n), c: (..., m, n); the batch axes of a and b broadcast to those of c.
dtypes: all one of f16, bf16, f32, f64, c64, c128; or a and b f16 or bf16 with c f32; or a and b int8 with c int32, which is the
sum modulo 2^32 and takes whole alpha and beta below 2^31 in size; or a and b float8 (e4m3fn or e5m2, not both e5m2) with c f16, bf16
or f32. alpha, beta: real and imaginary part; NULL: 1 and 0. With beta 0 c is not read (NaN there is overwritten); with k 0
c = beta c. c must not overlap a or b. BLAS: xGEMM, cublasGemmStridedBatchedEx, cublasLtMatmul.
TENON_COMPUTE_FAST makes large products of f32, on chips whose tensor cores are made for it (8.0, 9.0, 10.0), of parts:
a = A + a', A of TF32's 11 bits, and a b = A B + A b' + a' B, where A B is in TF32, summed over 256 or 512 terms at a time because
tensor cores cut off as they add, and the others in bfloat16. Its error, relative to the sum of the terms' magnitudes, is below
4e-6 for terms of one sign and 2e-7 for random signs: cuBLAS's own product of two plain square matrices has as much, and less for
shapes where cuBLAS cuts sums up. Numbers under 2^-110 lose digits; memory: 8 bytes more an element of a and b. After Markidis et
al. 2018, Ootomo and Yokota 2022.
float8: alpha is the place for the operands' scales. On CUDA (compute capability 8.9 and later) by cuBLASLt, whose tensor cores
add up in fewer bits than f32 has (32 products are aligned to the largest of them: an error of up to 2^-8 of the sum of their
sizes); it wants k along the unit
stride of both operands (b a transpose, b.mT of an (n, k) array), extents that are multiples of 16, and aligned memory, and what
is not so goes through copies. On the CPU the operands become f32, which is exact, and c is rounded once.
With a bias or an epilogue (f16, bf16, f32 and f64) c = epilogue(alpha a b + beta c + bias). On CUDA cuBLASLt does it in the
product, rounding to c once, where it can: f16, bf16, f32 and float8 with c's rows dense; GELU for c f16 and bf16, to their
accuracy; ReLU where its first use on an algorithm has shown that NaN stays, for which that call waits for the device. Else, and
on the CPU, c is written and then changed in a second pass.
tune 1 (f16, bf16, f32, f64, c64, c128, float8): the first product on a device of one kind (dtypes, extents, strides, alignment,
epilogue) runs the algorithms that cuBLASLt and cuBLAS offer, on this product's a and b and a result of its own, waits for them,
and keeps the fastest for later products of this kind with tune, or with an epilogue or float8 without it. tenon_context_report
counts what is kept (matmul_plans, at most 256 a device). Another algorithm may round otherwise. It has no effect on the CPU, on
products of int8 and in parts, in a context with TENON_CONTEXT_DETERMINISTIC, where there is no memory for the second result, and,
for what was not measured before, while another library captures the stream.
Statuses: DTYPE, SHAPE, DEVICE, READ_ONLY, OVERLAP, INVALID_ARGUMENT (an unknown epilogue; alpha or beta that the dtype cannot
hold), MISSING_LIBRARY, UNSUPPORTED (float8 on a device that has none).
"""
tenon_gemm(alpha, a, b, beta, c, options, stream) =
    ccall(address(101), Int32, (Ptr{Float64}, Ptr{tenon_array}, Ptr{tenon_array}, Ptr{Float64}, Ptr{tenon_array}, Ptr{tenon_gemm_options}, Ptr{tenon_stream}), alpha, a, b, beta, c, options, stream)

"""
    int32_t tenon_svd(const tenon_array* a, const tenon_svd_options* options, tenon_stream* stream, tenon_array** out_u, tenon_array** out_s, tenon_array** out_vh)

a = u diag(s) vh. a: (..., m, n) of f32, f64, c64, c128, not changed; s: (..., k) real, descending. u and vh have a's dtype.
With options->k: the k largest values, u (..., m, k), vh (..., k, n), whatever the mode says of the shape.
What is returned is accurate, whichever driver was asked for. The residual |a - u s vh| and the skew |u^H u - 1|, |vh vh^H - 1|,
in the 1-norm, are below 30 max(m, n) epsilon (the residual times |a|), LAPACK's own bound; of leading triplets every
residual |a^H u - s v| is at most sqrt(tolerance) / 2 times its s, so that a value's relative error is about the tolerance (where
values lie closer together than its root, one of them may stand for another), or max(m, n) epsilon times the largest s. Values that
repeat are found as often as they are there. A driver
whose result is not, or that does not do this shape, mode or device, gives way to the one TENON_SVD_AUTO takes for the whole
decomposition; options->out_driver says which it was (of a batch: whether one did).
Auto: without k LAPACK xGESDD on the CPU; cuSOLVER and Tenon's kernels on CUDA, but for large matrices of single precision, where
double precision is fast, TENON_SVD_GRAM. k well below m and n: the Krylov space.
Statuses: NOT_FINITE (NaN or infinity in a), NOT_CONVERGED (native code: info), OVERFLOW (a singular value does not fit s's
dtype), DTYPE, SHAPE (rank under 2), INVALID_ARGUMENT (k above m or n, an unknown driver or mode, a tolerance that is not in
[0, 1)), MISSING_LIBRARY. Waits for the result, so that a failure is reported here.
"""
tenon_svd(a, options, stream, out_u, out_s, out_vh) =
    ccall(address(102), Int32, (Ptr{tenon_array}, Ptr{tenon_svd_options}, Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}, Ptr{Ptr{tenon_array}}, Ptr{Ptr{tenon_array}}), a, options, stream, out_u, out_s, out_vh)

"""
    int32_t tenon_fft(const tenon_array* source, tenon_array* destination, const int32_t* axes, int32_t axis_count, const tenon_fft_options* options, tenon_stream* stream)

destination = transform of source over `axis_count` axes (negative: from the end; NULL: the last axis_count ones), any
length, primes too; every other axis is a batch. The dtypes say which transform, all of them f32 and c64, f64 and c128, or f16 and
TENON_COMPLEX32:
- complex to complex: equal shapes; destination may be source itself.
- real to complex: the transform of real numbers is Hermitian, so along the last axis named only the first n/2 + 1 numbers
  are written, n being its extent in the source: the destination has n/2 + 1 there and equals the source elsewhere.
- complex to real: the source is such a half, with n/2 + 1 along the last axis named, and the destination's extent there
  says n, even or odd; what would make the result complex (the imaginary part of number 0, and of number n/2 where n is
  even) is not read. The memories must be disjoint here and in real to complex. The source is not changed.
Any strides. ducc0 on the CPU, cuFFT on CUDA (C2C, R2C, C2R; its plans are kept, at most 64 a device; tenon_context_report
counts hits, misses and evictions). Half precision is cuFFT's own where every length is a power of two and the transform has no
scale, and is done in single precision elsewhere, rounded once. An axis of extent 0 gives SHAPE; an empty batch does nothing. Statuses: DTYPE, SHAPE,
DEVICE, READ_ONLY, OVERLAP, INVALID_ARGUMENT (an axis twice or out of range), MISSING_LIBRARY, UNSUPPORTED (this build has
no CPU FFT; the text says how to get it; another library captures the stream: its graph would have to keep a plan and its work
area, as a tenon_graph does).
"""
tenon_fft(source, destination, axes, axis_count, options, stream) =
    ccall(address(103), Int32, (Ptr{tenon_array}, Ptr{tenon_array}, Ptr{Int32}, Int32, Ptr{tenon_fft_options}, Ptr{tenon_stream}), source, destination, axes, axis_count, options, stream)

"""
    int32_t tenon_elementwise_create(const char* inputs, const char* outputs, const char* operation, const tenon_generated_options* options, tenon_elementwise** out_elementwise)

An operation on every element. operation: statements that assign the outputs, such as \"z = sqrt(x * x + y * y)\". Beside
the parameters it can use `i`, the element's number in C order of the shape (int64), `n`, the number of elements, and the arrays
`coord` (the element's index along each axis) and `shape`, both of `rank` entries. A parameter of one of these names
hides it. INVALID_ARGUMENT: a fault in the declarations, with the place.
"""
tenon_elementwise_create(inputs, outputs, operation, options, out_elementwise) =
    ccall(address(104), Int32, (Cstring, Cstring, Cstring, Ptr{tenon_generated_options}, Ptr{Ptr{tenon_elementwise}}), inputs, outputs, operation, options, out_elementwise)

"""
    int32_t tenon_elementwise_call(tenon_elementwise* elementwise, const tenon_arg* args, int32_t count, tenon_stream* stream)

Computes the outputs. The shape is what all arrays that are not raw broadcast to by NumPy's rules; outputs must have
exactly that shape. With size 0 nothing is done.
"""
tenon_elementwise_call(elementwise, args, count, stream) =
    ccall(address(105), Int32, (Ptr{tenon_elementwise}, Ptr{tenon_arg}, Int32, Ptr{tenon_stream}), elementwise, args, count, stream)

"""
    int32_t tenon_elementwise_output(tenon_elementwise* elementwise, const tenon_arg* args, int32_t count, int32_t index, tenon_stream* stream, tenon_array** out_array)

A new C-ordered array for output `index` (from 0) of a call with these inputs, not set: of the shape the inputs broadcast
to, on their device. count: of the inputs only. INVALID_ARGUMENT when there is no input array to take a shape from; DTYPE
when no input decides the output's placeholder.
"""
tenon_elementwise_output(elementwise, args, count, index, stream, out_array) =
    ccall(address(106), Int32, (Ptr{tenon_elementwise}, Ptr{tenon_arg}, Int32, Int32, Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}), elementwise, args, count, index, stream, out_array)

"""
    int32_t tenon_elementwise_retain(tenon_elementwise* elementwise)

Takes one more reference.
"""
tenon_elementwise_retain(elementwise) =
    ccall(address(107), Int32, (Ptr{tenon_elementwise},), elementwise)

"""
    void tenon_elementwise_release(tenon_elementwise* elementwise)

Gives one reference back.
"""
tenon_elementwise_release(elementwise) =
    ccall(address(108), Cvoid, (Ptr{tenon_elementwise},), elementwise)

"""
    int32_t tenon_reduction_create(const char* inputs, const char* output, const char* map, const char* reduce, const char* post, const char* identity, const tenon_generated_options* options, tenon_reduction** out_reduction)

A reduction over axes. output: one parameter. map: an expression over the inputs (default, when it is \"\": the first
input), such as \"x * y\"; it can use `i`, the number of the element within the reduced axes in C order, and `n`, how many
there are. reduce: an associative and commutative expression over `a` and `b`, such as \"a + b\" or \"max(a, b)\"; its operands
and result are accumulators. post: an expression over the accumulator `a` and `n` that gives the output (default, when it
is \"\": a). identity: an expression for the value that changes nothing (\"0\"; lowest<T>() and highest<T>() are the ends of a
type, infinities included), or NULL: then a reduction over no elements is refused. No order of the operations is promised,
but it is fixed: the same shapes, strides and device give the same bits, every time. Sums are made in blocks and trees;
their error grows with the logarithm of the count.
"""
tenon_reduction_create(inputs, output, map, reduce, post, identity, options, out_reduction) =
    ccall(address(109), Int32, (Cstring, Cstring, Cstring, Cstring, Cstring, Cstring, Ptr{tenon_generated_options}, Ptr{Ptr{tenon_reduction}}), inputs, output, map, reduce, post, identity, options, out_reduction)

"""
    int32_t tenon_reduction_call(tenon_reduction* reduction, const tenon_arg* args, int32_t count, const int32_t* axes, int32_t axis_count, tenon_stream* stream)

Reduces the shape the inputs broadcast to over `axes` (negative: from the end; axis_count 0 with axes NULL: all axes; no axis twice).
The output, the last argument, has the shape of the other axes, or with 1 in the place of each reduced axis: both are
taken. It may not overlap an input. INVALID_ARGUMENT: nothing to reduce, and no identity.
"""
tenon_reduction_call(reduction, args, count, axes, axis_count, stream) =
    ccall(address(110), Int32, (Ptr{tenon_reduction}, Ptr{tenon_arg}, Int32, Ptr{Int32}, Int32, Ptr{tenon_stream}), reduction, args, count, axes, axis_count, stream)

"""
    int32_t tenon_reduction_output(tenon_reduction* reduction, const tenon_arg* args, int32_t count, const int32_t* axes, int32_t axis_count, int32_t keep_axes, tenon_stream* stream, tenon_array** out_array)

A new C-ordered array for the output of a call with these inputs and axes, not set. keep_axes: 1 keeps each reduced axis with extent 1.
"""
tenon_reduction_output(reduction, args, count, axes, axis_count, keep_axes, stream, out_array) =
    ccall(address(111), Int32, (Ptr{tenon_reduction}, Ptr{tenon_arg}, Int32, Ptr{Int32}, Int32, Int32, Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}), reduction, args, count, axes, axis_count, keep_axes, stream, out_array)

"""
    int32_t tenon_reduction_retain(tenon_reduction* reduction)

Takes one more reference.
"""
tenon_reduction_retain(reduction) =
    ccall(address(112), Int32, (Ptr{tenon_reduction},), reduction)

"""
    void tenon_reduction_release(tenon_reduction* reduction)

Gives one reference back.
"""
tenon_reduction_release(reduction) =
    ccall(address(113), Cvoid, (Ptr{tenon_reduction},), reduction)

"""
    int32_t tenon_scan_create(const char* inputs, const char* output, const char* map, const char* combine, const char* identity, int32_t exclusive, const tenon_generated_options* options, tenon_scan** out_scan)

A scan (prefix combination) along an axis. map: an expression over the inputs (default, when it is \"\": the first input); it can
use `i`, the element's number along the axis, and `n`, the axis' extent. combine: an associative expression over `a`, all
before, and `b`, such as \"a + b\"; it need not commute. identity: the value that changes nothing. exclusive: 0, element k of the
output is the combination of elements 0 to k; 1, of those before k, the identity for the first. The order of operations is fixed,
as in a reduction.
"""
tenon_scan_create(inputs, output, map, combine, identity, exclusive, options, out_scan) =
    ccall(address(114), Int32, (Cstring, Cstring, Cstring, Cstring, Cstring, Int32, Ptr{tenon_generated_options}, Ptr{Ptr{tenon_scan}}), inputs, output, map, combine, identity, exclusive, options, out_scan)

"""
    int32_t tenon_scan_call(tenon_scan* scan, const tenon_arg* args, int32_t count, int32_t axis, tenon_stream* stream)

Scans along `axis` (negative: from the end). The output has the shape the inputs broadcast to, and may be exactly an input.
"""
tenon_scan_call(scan, args, count, axis, stream) =
    ccall(address(115), Int32, (Ptr{tenon_scan}, Ptr{tenon_arg}, Int32, Int32, Ptr{tenon_stream}), scan, args, count, axis, stream)

"""
    int32_t tenon_scan_output(tenon_scan* scan, const tenon_arg* args, int32_t count, tenon_stream* stream, tenon_array** out_array)

A new C-ordered array for the output of a call with these inputs, not set.
"""
tenon_scan_output(scan, args, count, stream, out_array) =
    ccall(address(116), Int32, (Ptr{tenon_scan}, Ptr{tenon_arg}, Int32, Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}), scan, args, count, stream, out_array)

"""
    int32_t tenon_scan_retain(tenon_scan* scan)

Takes one more reference.
"""
tenon_scan_retain(scan) =
    ccall(address(117), Int32, (Ptr{tenon_scan},), scan)

"""
    void tenon_scan_release(tenon_scan* scan)

Gives one reference back.
"""
tenon_scan_release(scan) =
    ccall(address(118), Cvoid, (Ptr{tenon_scan},), scan)

"""
    int32_t tenon_program_global(tenon_program* program, const char* name, tenon_array** out_array)

A __device__ or __constant__ variable of the loaded program as an array that shares its memory: what is written there
(tenon_array_set_from_host, tenon_array_copy ...) is what later launches of the kernels named in the options read. One named in
the options' globals (it has external linkage) has the compiler's dtype and the shape of its C array, rank 0 for a single value;
a vector or complex type adds a last axis of its lanes, another struct one of its bytes (uint8); read-only when it is const. Any
other name that the compiler kept gives its bytes, read-only: uint8, rank 1. A launch of the program's kernels
counts as a use of each listed variable on its stream, as it does for array arguments; of another name from the first such call
on, which waits for the device. The array keeps the loaded image alive. NOT_FOUND: there is no such variable.
"""
tenon_program_global(program, name, out_array) =
    ccall(address(119), Int32, (Ptr{tenon_program}, Cstring, Ptr{Ptr{tenon_array}}), program, name, out_array)

"""
    int32_t tenon_program_check(const char* architecture, const char* source, uint64_t size, const tenon_program_options* options, tenon_blob** out_log)

Compiles CUDA C for an architecture (\"sm_90\", \"compute_80\") with NVRTC and keeps nothing: needs neither a GPU nor a driver, nor a
context, and looks in no cache. The options' own architecture must be NULL. COMPILE, MISSING_LIBRARY: as for
tenon_program_create. An architecture newer than the compiler is checked as the newest that it knows. UNSUPPORTED: one
that it does not know any more, or the library was built without CUDA.
out_log: the warnings, empty when there are none.
"""
tenon_program_check(architecture, source, size, options, out_log) =
    ccall(address(120), Int32, (Cstring, Ptr{UInt8}, UInt64, Ptr{tenon_program_options}, Ptr{Ptr{tenon_blob}}), architecture, source, size, options, out_log)

"""
    int32_t tenon_kernel_occupancy(tenon_kernel* kernel, uint32_t block_threads, uint64_t shared_bytes, int32_t* out_blocks_per_multiprocessor)

How many blocks of block_threads threads and shared_bytes of dynamic shared memory one multiprocessor runs at once; 0: such a
block does not fit. The CPU has one worker thread for a multiprocessor, which runs one block at a time: 1, or 0. Geometry that no
device could launch (0 threads) is INVALID_ARGUMENT.
"""
tenon_kernel_occupancy(kernel, block_threads, shared_bytes, out_blocks_per_multiprocessor) =
    ccall(address(121), Int32, (Ptr{tenon_kernel}, UInt32, UInt64, Ptr{Int32}), kernel, block_threads, shared_bytes, out_blocks_per_multiprocessor)

"""
    int32_t tenon_kernel_suggest(tenon_kernel* kernel, uint64_t shared_bytes, uint32_t* out_block, uint32_t* out_min_grid)

The block size that keeps the most threads of a multiprocessor busy (the larger of two equal ones), and the fewest blocks that
fill the device with it. The CPU is as fast with any block size that leaves every worker some blocks: 256 threads, or what the
kernel's own limit allows, and a block for each worker. UNSUPPORTED: no block fits with so much shared memory.
"""
tenon_kernel_suggest(kernel, shared_bytes, out_block, out_min_grid) =
    ccall(address(122), Int32, (Ptr{tenon_kernel}, UInt64, Ptr{UInt32}, Ptr{UInt32}), kernel, shared_bytes, out_block, out_min_grid)

"""
    int32_t tenon_launch_for(tenon_kernel* kernel, uint64_t count, tenon_launch* launch)

Fills in launch->grid so that there is a thread for each of `count` elements along x: element blockIdx.x * blockDim.x +
threadIdx.x, which the kernel compares with the count. launch->block is kept where its x is not 0 (y and z must be 0 or 1), and
is the suggested size for launch->shared_bytes otherwise. At least one block. INVALID_ARGUMENT: more blocks than the device
takes; use a grid-stride loop then. The launch's struct_size must be set by the caller.
"""
tenon_launch_for(kernel, count, launch) =
    ccall(address(123), Int32, (Ptr{tenon_kernel}, UInt64, Ptr{tenon_launch}), kernel, count, launch)

"""
    int32_t tenon_kernel_time(tenon_kernel* kernel, const tenon_launch* launch, const tenon_arg* args, int32_t count, tenon_stream* stream, double* out_milliseconds)

Launches as tenon_kernel_launch does, waits, and says how long the device took: from the stream's reaching the launch (after it
waited for the arrays' earlier uses) to the end of the kernel. By events on a GPU, to about a microsecond; by the clock on the
CPU. The program is loaded before. A fault of the kernel is returned here.
"""
tenon_kernel_time(kernel, launch, args, count, stream, out_milliseconds) =
    ccall(address(124), Int32, (Ptr{tenon_kernel}, Ptr{tenon_launch}, Ptr{tenon_arg}, Int32, Ptr{tenon_stream}, Ptr{Float64}), kernel, launch, args, count, stream, out_milliseconds)

"""
    int32_t tenon_compilation_start(tenon_device* device, const char* source, uint64_t size, const tenon_program_options* options, tenon_compilation** out_compilation)

Starts compiling what tenon_program_create would, and returns at once; the time limit of the options counts from when its turn
has come. The text and all options are copied. What is wrong with the arguments is told here; what is wrong with the source, by
tenon_compilation_wait. OUT_OF_MEMORY: no thread could be started. CANCELLED: the process is ending.
"""
tenon_compilation_start(device, source, size, options, out_compilation) =
    ccall(address(125), Int32, (Ptr{tenon_device}, Ptr{UInt8}, UInt64, Ptr{tenon_program_options}, Ptr{Ptr{tenon_compilation}}), device, source, size, options, out_compilation)

"""
    int32_t tenon_compilation_query(tenon_compilation* compilation)

TENON_OK when it is over (compiled, failed or cancelled: tenon_compilation_wait then returns at once), TENON_ERROR_NOT_READY when
not. Does not wait.
"""
tenon_compilation_query(compilation) =
    ccall(address(126), Int32, (Ptr{tenon_compilation},), compilation)

"""
    int32_t tenon_compilation_wait(tenon_compilation* compilation, double seconds, tenon_program** out_program)

Waits, at most `seconds` (negative: as long as it takes), and returns the program: every call a new reference to the same one.
NOT_READY: it goes on. CANCELLED: it was cancelled first. Else what tenon_program_create would return, with the same record.
"""
tenon_compilation_wait(compilation, seconds, out_program) =
    ccall(address(127), Int32, (Ptr{tenon_compilation}, Float64, Ptr{Ptr{tenon_program}}), compilation, seconds, out_program)

"""
    int32_t tenon_compilation_cancel(tenon_compilation* compilation)

Asks it to end, and does not wait for that; does nothing when it is over. One that has not begun never will. The
process that compiles is killed, with all that it started. Where no process can be started for NVRTC (no /proc), it is asked to
stop when it looks (12.8 and later), or finishes first. Others that wait for the same program compile it themselves.
"""
tenon_compilation_cancel(compilation) =
    ccall(address(128), Int32, (Ptr{tenon_compilation},), compilation)

"""
    int32_t tenon_compilation_retain(tenon_compilation* compilation)

Takes one more reference.
"""
tenon_compilation_retain(compilation) =
    ccall(address(129), Int32, (Ptr{tenon_compilation},), compilation)

"""
    void tenon_compilation_release(tenon_compilation* compilation)

Gives one reference back. The last one cancels it, and waits for the compiler's end.
"""
tenon_compilation_release(compilation) =
    ccall(address(130), Cvoid, (Ptr{tenon_compilation},), compilation)

"""
    int32_t tenon_graph_create(tenon_device* device, tenon_graph** out_graph)

An empty graph of the device.
"""
tenon_graph_create(device, out_graph) =
    ccall(address(131), Int32, (Ptr{tenon_device}, Ptr{Ptr{tenon_graph}}), device, out_graph)

"""
    int32_t tenon_graph_begin(tenon_graph* graph, tenon_stream** out_stream)

Starts recording into an empty graph and gives the stream that records. Only the thread that calls this may use that stream
until tenon_graph_end (INVALID_ARGUMENT on another thread); after that it is INVALID_HANDLE wherever it is used.
INVALID_ARGUMENT: the graph is being recorded, or holds nodes (tenon_graph_clear empties it). A call that fails while recording
adds nothing, and recording goes on.
"""
tenon_graph_begin(graph, out_stream) =
    ccall(address(132), Int32, (Ptr{tenon_graph}, Ptr{Ptr{tenon_stream}}), graph, out_stream)

"""
    int32_t tenon_graph_end(tenon_graph* graph)

Ends recording and makes the graph ready to be launched. A failure (OUT_OF_MEMORY, MISSING_LIBRARY, VENDOR ...) leaves it empty.
INVALID_ARGUMENT: it is not being recorded, or by another thread; then nothing changes.
"""
tenon_graph_end(graph) =
    ccall(address(133), Int32, (Ptr{tenon_graph},), graph)

"""
    int32_t tenon_graph_clear(tenon_graph* graph)

Forgets all nodes, also those of a recording that is under way, and gives their memory back after its last use.
"""
tenon_graph_clear(graph) =
    ccall(address(134), Int32, (Ptr{tenon_graph},), graph)

"""
    int32_t tenon_graph_launch(tenon_graph* graph, tenon_stream* stream)

Puts all nodes on the stream, in their order, behind the other users of their memory. Allocates nothing. A graph of no nodes does
nothing. One graph may not be launched or changed from two threads at once. UNSUPPORTED: the stream is recording a graph.
INVALID_ARGUMENT: nothing was recorded yet. Faults are returned as by tenon_kernel_launch.
"""
tenon_graph_launch(graph, stream) =
    ccall(address(135), Int32, (Ptr{tenon_graph}, Ptr{tenon_stream}), graph, stream)

"""
    int32_t tenon_graph_set(tenon_graph* graph, int32_t node, int32_t index, const tenon_arg* arg)

Replaces argument `index` of the kernel launch `node` for later launches of the graph, with the checks of tenon_call_set. Replays
that are under way keep the old one. INVALID_ARGUMENT: no such node or argument, or the node is no launch of a kernel of the
user's; the graph is unchanged.
"""
tenon_graph_set(graph, node, index, arg) =
    ccall(address(136), Int32, (Ptr{tenon_graph}, Int32, Int32, Ptr{tenon_arg}), graph, node, index, arg)

"""
    int32_t tenon_graph_node_count(const tenon_graph* graph, int32_t* out_count)

Number of nodes of a graph whose recording has ended; 0 before.
"""
tenon_graph_node_count(graph, out_count) =
    ccall(address(137), Int32, (Ptr{tenon_graph}, Ptr{Int32}), graph, out_count)

"""
    int32_t tenon_graph_node(const tenon_graph* graph, int32_t node, tenon_graph_node_info* out_info)

What node `node` is, counted from 0 in the order of recording. The info's struct_size must be set by the caller.
"""
tenon_graph_node(graph, node, out_info) =
    ccall(address(138), Int32, (Ptr{tenon_graph}, Int32, Ptr{tenon_graph_node_info}), graph, node, out_info)

"""
    int32_t tenon_graph_parameter(const tenon_graph* graph, int32_t node, int32_t index, tenon_parameter_info* out_info)

Parameter `index` of the kernel that node `node` launches, as tenon_kernel_parameter gives it. INVALID_ARGUMENT: no such node or
parameter, or the node is no launch of a kernel of the user's. The info's struct_size must be set by the caller.
"""
tenon_graph_parameter(graph, node, index, out_info) =
    ccall(address(139), Int32, (Ptr{tenon_graph}, Int32, Int32, Ptr{tenon_parameter_info}), graph, node, index, out_info)

"""
    int32_t tenon_graph_retain(tenon_graph* graph)

Takes one more reference.
"""
tenon_graph_retain(graph) =
    ccall(address(140), Int32, (Ptr{tenon_graph},), graph)

"""
    void tenon_graph_release(tenon_graph* graph)

Gives one reference back. A recording that is under way is dropped; replays under way go on.
"""
tenon_graph_release(graph) =
    ccall(address(141), Cvoid, (Ptr{tenon_graph},), graph)

"""
    int32_t tenon_package_load(tenon_context* context, const char* path, const tenon_package_options* options, tenon_package** out_package)

Loads a package from a directory or a tar file and adds it to the context's registry. The same content loaded before is found
again. A fault in the contract is INVALID_ARGUMENT, and the text begins with FILE:LINE:COLUMN. Further statuses: NOT_FOUND (no
such path), IO (unreadable, unsafe owner or mode, a symbolic link, a damaged archive, a wrong hash), VERSION (it needs a newer
Tenon; or this version is loaded already with other content), OUT_OF_MEMORY. On failure the registry is as it was.
"""
tenon_package_load(context, path, options, out_package) =
    ccall(address(142), Int32, (Ptr{tenon_context}, Cstring, Ptr{tenon_package_options}, Ptr{Ptr{tenon_package}}), context, path, options, out_package)

"""
    int32_t tenon_package_load_memory(tenon_context* context, const void* bytes, uint64_t size, const char* name, const tenon_package_options* options, tenon_package** out_package)

The same from the bytes of a tar file; they are copied. name: of the bytes, for messages.
"""
tenon_package_load_memory(context, bytes, size, name, options, out_package) =
    ccall(address(143), Int32, (Ptr{tenon_context}, Ptr{Cvoid}, UInt64, Cstring, Ptr{tenon_package_options}, Ptr{Ptr{tenon_package}}), context, bytes, size, name, options, out_package)

"""
    int32_t tenon_package_check(tenon_context* context, const char* path, const tenon_package_options* options, tenon_blob** out_report)

Reads and checks a package as tenon_package_load does and keeps nothing. out_report: its description, as tenon_package_describe.
"""
tenon_package_check(context, path, options, out_report) =
    ccall(address(144), Int32, (Ptr{tenon_context}, Cstring, Ptr{tenon_package_options}, Ptr{Ptr{tenon_blob}}), context, path, options, out_report)

"""
    int32_t tenon_package_find(tenon_context* context, const char* name, const char* range, tenon_package** out_package)

A package by name and range of versions: of those loaded, else of the search path (then it is loaded). NOT_FOUND says which
versions there are and where was looked.
"""
tenon_package_find(context, name, range, out_package) =
    ccall(address(145), Int32, (Ptr{tenon_context}, Cstring, Cstring, Ptr{Ptr{tenon_package}}), context, name, range, out_package)

"""
    int32_t tenon_package_list(tenon_context* context, tenon_blob** out_list)

Every loaded package and every one on the search path, as JSON: a list of {name, version, hash, origin, loaded}; one on the
search path that cannot be loaded has {origin, fault} instead.
"""
tenon_package_list(context, out_list) =
    ccall(address(146), Int32, (Ptr{tenon_context}, Ptr{Ptr{tenon_blob}}), context, out_list)

"""
    int32_t tenon_package_unload(tenon_package* package)

Takes the package out of the registry: it is not found any more. Handles on it and its operations stay good. NOT_FOUND: it is
not there (any more).
"""
tenon_package_unload(package) =
    ccall(address(147), Int32, (Ptr{tenon_package},), package)

"""
    int32_t tenon_package_reload(tenon_package* package, tenon_package** out_package)

Reads the package's path again. Content that did not change gives the same package; else the new one takes its place in the
registry, whatever its version, and handles on the old one keep the old one. On failure the old one stays. UNSUPPORTED: it was
loaded from memory.
"""
tenon_package_reload(package, out_package) =
    ccall(address(148), Int32, (Ptr{tenon_package}, Ptr{Ptr{tenon_package}}), package, out_package)

"""
    int32_t tenon_package_describe(const tenon_package* package, tenon_blob** out_description)

The whole contract as JSON text: name, version, hash (SHA-256 of the content), origin, doc, license, operations with parameters,
types, shapes, steps ...; kernels/README.md names every field.
"""
tenon_package_describe(package, out_description) =
    ccall(address(149), Int32, (Ptr{tenon_package}, Ptr{Ptr{tenon_blob}}), package, out_description)

"""
    int32_t tenon_package_operation(tenon_package* package, const char* name, tenon_operation** out_operation)

An operation of the package by name. NOT_FOUND lists those there are.
"""
tenon_package_operation(package, name, out_operation) =
    ccall(address(150), Int32, (Ptr{tenon_package}, Cstring, Ptr{Ptr{tenon_operation}}), package, name, out_operation)

"""
    int32_t tenon_package_file(const tenon_package* package, const char* path, tenon_blob** out_text)

A file of the package as text, \"blur.cu\" or \"plugin.toml\". NOT_FOUND lists those there are.
"""
tenon_package_file(package, path, out_text) =
    ccall(address(151), Int32, (Ptr{tenon_package}, Cstring, Ptr{Ptr{tenon_blob}}), package, path, out_text)

"""
    int32_t tenon_package_retain(tenon_package* package)

Takes one more reference.
"""
tenon_package_retain(package) =
    ccall(address(152), Int32, (Ptr{tenon_package},), package)

"""
    void tenon_package_release(tenon_package* package)

Gives one reference back.
"""
tenon_package_release(package) =
    ccall(address(153), Cvoid, (Ptr{tenon_package},), package)

"""
    int32_t tenon_operation_find(tenon_context* context, const char* name, const char* range, tenon_operation** out_operation)

An operation by \"package/name\", and a range of versions of the package. Loads the package from the search path if need be.
"""
tenon_operation_find(context, name, range, out_operation) =
    ccall(address(154), Int32, (Ptr{tenon_context}, Cstring, Cstring, Ptr{Ptr{tenon_operation}}), context, name, range, out_operation)

"""
    int32_t tenon_operation_describe(const tenon_operation* operation, tenon_blob** out_description)

The operation's part of the contract as JSON text, as in tenon_package_describe.
"""
tenon_operation_describe(operation, out_description) =
    ccall(address(155), Int32, (Ptr{tenon_operation}, Ptr{Ptr{tenon_blob}}), operation, out_description)

"""
    int32_t tenon_operation_get_info(const tenon_operation* operation, tenon_operation_info* out_info)

Fills *out_info; its struct_size must be set by the caller.
"""
tenon_operation_get_info(operation, out_info) =
    ccall(address(156), Int32, (Ptr{tenon_operation}, Ptr{tenon_operation_info}), operation, out_info)

"""
    int32_t tenon_operation_parameter(const tenon_operation* operation, int32_t index, tenon_operation_parameter_info* out_info)

Parameter `index`. The info's struct_size must be set by the caller.
"""
tenon_operation_parameter(operation, index, out_info) =
    ccall(address(157), Int32, (Ptr{tenon_operation}, Int32, Ptr{tenon_operation_parameter_info}), operation, index, out_info)

"""
    int32_t tenon_operation_gradient(const tenon_operation* operation, tenon_operation** out_gradient)

The operation that computes its vector-Jacobian product: it takes parameters of this one by name and grad_NAME of its outputs,
and gives grad_NAME of its inputs. NOT_FOUND: there is none.
"""
tenon_operation_gradient(operation, out_gradient) =
    ccall(address(158), Int32, (Ptr{tenon_operation}, Ptr{Ptr{tenon_operation}}), operation, out_gradient)

"""
    int32_t tenon_operation_package(const tenon_operation* operation, tenon_package** out_package)

The package it belongs to.
"""
tenon_operation_package(operation, out_package) =
    ccall(address(159), Int32, (Ptr{tenon_operation}, Ptr{Ptr{tenon_package}}), operation, out_package)

"""
    int32_t tenon_operation_retain(tenon_operation* operation)

Takes one more reference.
"""
tenon_operation_retain(operation) =
    ccall(address(160), Int32, (Ptr{tenon_operation},), operation)

"""
    void tenon_operation_release(tenon_operation* operation)

Gives one reference back.
"""
tenon_operation_release(operation) =
    ccall(address(161), Cvoid, (Ptr{tenon_operation},), operation)

"""
    int32_t tenon_dot(const tenon_array* a, const tenon_array* b, int32_t conjugate, tenon_stream* stream, tenon_array** out_dot)

The sum of products along the last axis: a: (..., n), b: (..., n), batches broadcast; out: (...), new. conjugate 1: of conj(a)
and b. dtypes as gemm, but for float8; int32 of int8. By gemm's routines (xDOTU, xDOTC).
"""
tenon_dot(a, b, conjugate, stream, out_dot) =
    ccall(address(162), Int32, (Ptr{tenon_array}, Ptr{tenon_array}, Int32, Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}), a, b, conjugate, stream, out_dot)

"""
    int32_t tenon_rank_k(double alpha, const tenon_array* a, double beta, tenon_array* c, int32_t upper, tenon_stream* stream)

The lower triangle (upper 1: the upper one) of c = alpha a a^H + beta c, at half of gemm's work; the other triangle is not
touched. a: (..., n, k), c: (..., n, n), of f32, f64, c64, c128 and disjoint. xSYRK, xHERK; cublasXsyrk, Xherk. Statuses: DTYPE,
SHAPE, DEVICE, READ_ONLY, OVERLAP, INVALID_ARGUMENT (alpha or beta that the dtype cannot hold), MISSING_LIBRARY.
"""
tenon_rank_k(alpha, a, beta, c, upper, stream) =
    ccall(address(163), Int32, (Float64, Ptr{tenon_array}, Float64, Ptr{tenon_array}, Int32, Ptr{tenon_stream}), alpha, a, beta, c, upper, stream)

"""
    int32_t tenon_triangular_multiply(const double* alpha, const tenon_array* a, const tenon_array* b, const tenon_triangle_options* options, tenon_stream* stream, tenon_array** out_product)

out = alpha op(a) b with a triangle of a: (..., n, n), b: (..., n, k), out: (..., n, k), new; f32, f64, c64, c128. alpha: real
and imaginary part; NULL: 1. solve.h has its inverse. xTRMM; cublasXtrmm. Statuses: as tenon_rank_k's, of a and b.
"""
tenon_triangular_multiply(alpha, a, b, options, stream, out_product) =
    ccall(address(164), Int32, (Ptr{Float64}, Ptr{tenon_array}, Ptr{tenon_array}, Ptr{tenon_triangle_options}, Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}), alpha, a, b, options, stream, out_product)

"""
    int32_t tenon_einsum(const char* subscripts, const tenon_array* a, const tenon_array* b, const tenon_gemm_options* options, tenon_stream* stream, tenon_array** out_sum)

Einstein's sum over two operands, as NumPy writes it: \"ij,jk->ik\". A letter names an axis; in both operands and not in the
result, or in one operand only and not in the result, it is summed over; twice in one operand, it is a diagonal of equal
extents; \"...\" stands for further axes. Between the operands extent 1 goes with any extent (broadcasting). Without \"->\" the
result has the letters that appear once, in alphabetical order. out: new, C-ordered. One batched matrix product on views of the
operands; each is packed at most once (options->out_packed). A letter of one operand alone that is summed over is summed there first
(in float32 of f16 and bf16). dtypes as gemm but for float8, int32 of int8; of options, compute and out_packed count. Statuses: those of gemm, INVALID_ARGUMENT (the text).
"""
tenon_einsum(subscripts, a, b, options, stream, out_sum) =
    ccall(address(165), Int32, (Cstring, Ptr{tenon_array}, Ptr{tenon_array}, Ptr{tenon_gemm_options}, Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}), subscripts, a, b, options, stream, out_sum)

"""
    int32_t tenon_solve(const tenon_array* a, const tenon_array* b, const tenon_solve_options* options, tenon_stream* stream, tenon_array** out_x)

x of op(a) x = b. a: (..., n, n); b: (..., n, k); x: (..., n, k), which may be exactly b. One a with many b is factored once.
SINGULAR: exactly, or so nearly that the solution overflows; with POSITIVE also: not positive definite. tenon_cond tells how far
to trust x.
"""
tenon_solve(a, b, options, stream, out_x) =
    ccall(address(166), Int32, (Ptr{tenon_array}, Ptr{tenon_array}, Ptr{tenon_solve_options}, Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}), a, b, options, stream, out_x)

"""
    int32_t tenon_lu(const tenon_array* a, tenon_stream* stream, tenon_array** out_lu, tenon_array** out_pivots)

a = P L U with partial pivoting, a: (..., m, n). out_lu: (..., m, n) holds U, and below the diagonal L, whose diagonal is 1;
out_pivots: int64 (..., min(m, n)), row i was exchanged with row pivots[i], from 1, as LAPACK counts. A singular a has such
factors too. xGETRF; cusolverDnXgetrf.
"""
tenon_lu(a, stream, out_lu, out_pivots) =
    ccall(address(167), Int32, (Ptr{tenon_array}, Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}, Ptr{Ptr{tenon_array}}), a, stream, out_lu, out_pivots)

"""
    int32_t tenon_lu_solve(const tenon_array* lu, const tenon_array* pivots, const tenon_array* b, int32_t op, tenon_stream* stream, tenon_array** out_x)

x of op(a) x = b with the factors of tenon_lu, as tenon_solve. op: TENON_OP_*. xGETRS; cusolverDnXgetrs.
"""
tenon_lu_solve(lu, pivots, b, op, stream, out_x) =
    ccall(address(168), Int32, (Ptr{tenon_array}, Ptr{tenon_array}, Ptr{tenon_array}, Int32, Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}), lu, pivots, b, op, stream, out_x)

"""
    int32_t tenon_cholesky(const tenon_array* a, int32_t upper, tenon_stream* stream, tenon_array** out_factor)

a = L L^H, or with upper 1 a = U^H U, of a symmetric or Hermitian positive definite a: (..., n, n), of which only that
triangle is read. The other triangle of the result is 0. SINGULAR: not positive definite, info is the first leading minor
that is not. xPOTRF; cusolverDnXpotrf.
"""
tenon_cholesky(a, upper, stream, out_factor) =
    ccall(address(169), Int32, (Ptr{tenon_array}, Int32, Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}), a, upper, stream, out_factor)

"""
    int32_t tenon_cholesky_solve(const tenon_array* factor, int32_t upper, const tenon_array* b, tenon_stream* stream, tenon_array** out_x)

x of a x = b with the factor of tenon_cholesky. xPOTRS; cusolverDnXpotrs.
"""
tenon_cholesky_solve(factor, upper, b, stream, out_x) =
    ccall(address(170), Int32, (Ptr{tenon_array}, Int32, Ptr{tenon_array}, Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}), factor, upper, b, stream, out_x)

"""
    int32_t tenon_qr(const tenon_array* a, int32_t mode, tenon_stream* stream, tenon_array** out_q, tenon_array** out_r)

a = q r with orthonormal columns of q and upper triangular r. a: (..., m, n). mode: TENON_QR_*. OVERFLOW: r does not fit its
dtype. xGEQRF, xORGQR, xUNGQR; cusolverDnXgeqrf, cusolverDn<t>orgqr and ungqr.
"""
tenon_qr(a, mode, stream, out_q, out_r) =
    ccall(address(171), Int32, (Ptr{tenon_array}, Int32, Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}, Ptr{Ptr{tenon_array}}), a, mode, stream, out_q, out_r)

"""
    int32_t tenon_lstsq(const tenon_array* a, const tenon_array* b, double rcond, tenon_stream* stream, tenon_array** out_x, tenon_array** out_rank, tenon_array** out_s)

The x that makes |a x - b| least, and of all those the shortest. a: (..., m, n) of any shape and rank, b: (..., m, k), x:
(..., n, k). By the singular values of a: those not above rcond times the largest count as 0; a negative rcond means
max(m, n) epsilon; NaN is INVALID_ARGUMENT. out_rank: int64 (...), how many counted; out_s: (..., min(m, n)), the singular values.
As xGELSD, by tenon_svd's routines.
"""
tenon_lstsq(a, b, rcond, stream, out_x, out_rank, out_s) =
    ccall(address(172), Int32, (Ptr{tenon_array}, Ptr{tenon_array}, Float64, Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}, Ptr{Ptr{tenon_array}}, Ptr{Ptr{tenon_array}}), a, b, rcond, stream, out_x, out_rank, out_s)

"""
    int32_t tenon_inverse(const tenon_array* a, tenon_stream* stream, tenon_array** out_inverse)

The inverse of a: (..., n, n). SINGULAR as tenon_solve. xGETRF, xGETRS.
"""
tenon_inverse(a, stream, out_inverse) =
    ccall(address(173), Int32, (Ptr{tenon_array}, Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}), a, stream, out_inverse)

"""
    int32_t tenon_pinv(const tenon_array* a, double rcond, tenon_stream* stream, tenon_array** out_inverse)

The Moore-Penrose pseudo-inverse of a: (..., m, n), (..., n, m). rcond as in tenon_lstsq. By tenon_svd's routines.
"""
tenon_pinv(a, rcond, stream, out_inverse) =
    ccall(address(174), Int32, (Ptr{tenon_array}, Float64, Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}), a, rcond, stream, out_inverse)

"""
    int32_t tenon_matrix_rank(const tenon_array* a, double rcond, tenon_stream* stream, tenon_array** out_rank)

How many singular values of a: (..., m, n) are above rcond times the largest: int64 (...). rcond as in tenon_lstsq.
"""
tenon_matrix_rank(a, rcond, stream, out_rank) =
    ccall(address(175), Int32, (Ptr{tenon_array}, Float64, Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}), a, rcond, stream, out_rank)

"""
    int32_t tenon_det(const tenon_array* a, tenon_stream* stream, tenon_array** out_det)

The determinants of a: (..., n, n), of shape (...): 0 for a singular matrix, infinite where the dtype cannot hold it
(tenon_slogdet can). xGETRF.
"""
tenon_det(a, stream, out_det) =
    ccall(address(176), Int32, (Ptr{tenon_array}, Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}), a, stream, out_det)

"""
    int32_t tenon_slogdet(const tenon_array* a, tenon_stream* stream, tenon_array** out_sign, tenon_array** out_log)

det = sign exp(log): out_sign of a's dtype, of absolute value 1 or 0, and out_log, real; both of shape (...). Of a singular
matrix 0 and -infinity.
"""
tenon_slogdet(a, stream, out_sign, out_log) =
    ccall(address(177), Int32, (Ptr{tenon_array}, Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}, Ptr{Ptr{tenon_array}}), a, stream, out_sign, out_log)

"""
    int32_t tenon_eigh(const tenon_array* a, const tenon_eigh_options* options, tenon_stream* stream, tenon_array** out_w, tenon_array** out_v)

a = v diag(w) v^H of a symmetric or Hermitian a: (..., n, n), of which one triangle is read. out_w: real, (..., count),
ascending; out_v: (..., n, count), orthonormal columns; NULL: values only. By value count is what was found, and a is one
matrix (no batch but of 1: SHAPE; matrices of a batch have different counts). |a v - v diag(w)| over |a|, and |v^H v - 1|, in the
1-norm, are below 30 n epsilon, LAPACK's own bound: it is looked at, and what is not so (of some graded matrices) is found another
way, or NOT_CONVERGED. OVERFLOW: w does not fit its dtype. xSYEVD, xHEEVD, for a few xSYEVR, xHEEVR; cusolverDnXsyevd, Xsyevdx.
"""
tenon_eigh(a, options, stream, out_w, out_v) =
    ccall(address(178), Int32, (Ptr{tenon_array}, Ptr{tenon_eigh_options}, Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}, Ptr{Ptr{tenon_array}}), a, options, stream, out_w, out_v)

"""
    int32_t tenon_eig(const tenon_array* a, tenon_stream* stream, tenon_array** out_w, tenon_array** out_v)

a v = v diag(w) of any a: (..., n, n). out_w: (..., n) complex, in no order; out_v: (..., n, n) complex, columns of norm 1,
which a defective a makes dependent; NULL: values only. |a v - v diag(w)| over |a|, in the 1-norm, is below 30 n epsilon, LAPACK's
own bound: where it is not, because a is badly scaled and the routine balances it, the host's LAPACK finds the matrix' values and
vectors without that, or NOT_CONVERGED. Values alone are those of the balanced matrix. OVERFLOW: w does not fit its dtype. xGEEVX;
cusolverDnXgeev (CUDA 12.6 and later, else UNSUPPORTED).
"""
tenon_eig(a, stream, out_w, out_v) =
    ccall(address(179), Int32, (Ptr{tenon_array}, Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}, Ptr{Ptr{tenon_array}}), a, stream, out_w, out_v)

"""
    int32_t tenon_norm(const tenon_array* a, int32_t kind, tenon_stream* stream, tenon_array** out_norm)

The norm of each matrix of a: (..., m, n), real, of shape (...). kind: TENON_NORM_*. No square overflows on the way. NaN or
infinity in a goes through to kinds 0 to 3 and is NOT_FINITE for the others. A norm that its dtype cannot hold is infinite of
kinds 0 to 3 and OVERFLOW of the others. A matrix without elements has norm 0. xLANGE;
tenon_svd's routines.
"""
tenon_norm(a, kind, stream, out_norm) =
    ccall(address(180), Int32, (Ptr{tenon_array}, Int32, Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}), a, kind, stream, out_norm)

"""
    int32_t tenon_cond(const tenon_array* a, int32_t kind, tenon_stream* stream, tenon_array** out_cond)

The condition number |a| |a^-1| in that norm, of shape (...); infinite for a singular matrix (kind NUCLEAR: SINGULAR), and where
its dtype cannot hold it. TWO and MINUS_TWO (its reciprocal, but infinite for a matrix of zeros) take any a: (..., m, n), the others
square ones. Not LARGEST. SHAPE: m or n is 0.
"""
tenon_cond(a, kind, stream, out_cond) =
    ccall(address(181), Int32, (Ptr{tenon_array}, Int32, Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}), a, kind, stream, out_cond)

"""
    int32_t tenon_matrix_power(const tenon_array* a, int64_t n, tenon_stream* stream, tenon_array** out_power)

a^n of a: (..., m, m); n 0: the identity; negative: of the inverse, and SINGULAR. By repeated squaring. NOT_FINITE; OVERFLOW: the
result does not fit its dtype.
"""
tenon_matrix_power(a, n, stream, out_power) =
    ccall(address(182), Int32, (Ptr{tenon_array}, Int64, Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}), a, n, stream, out_power)

"""
    int32_t tenon_expm(const tenon_array* a, tenon_stream* stream, tenon_array** out_exponential)

e^a of a: (..., n, n), by scaling and squaring of a Pade approximant of degree 13, in double precision; scaled by the norms of a's
powers (Al-Mohy, Higham 2009), so that what is far from normal is not squared more often than it must be. Triangular a: so is the
result, its diagonal the exponentials of a's. NOT_FINITE; OVERFLOW: the result does not fit its dtype, or a would be squared more
than 50 times, which leaves no digit (a norm of about 5e15 that powers of a have, too).
"""
tenon_expm(a, stream, out_exponential) =
    ccall(address(183), Int32, (Ptr{tenon_array}, Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}), a, stream, out_exponential)

"""
    int32_t tenon_operation_call(tenon_operation* operation, const tenon_arg* args, int32_t count, tenon_stream* stream)

Runs the operation. args: one for each parameter, in the contract's order, outputs included: arrays (TENON_ARG_ARRAY; STRIDED
means the same here), scalars of exactly the parameter's dtype (TENON_ARG_SCALAR), lists (TENON_ARG_BYTES); an entry of all zeros
stands for a default. The first array that is read says the device and the dtypes of placeholders. Everything is checked, and
every step compiled, before the first is launched; a kernel that is there costs a checked launch and some 0.3 us. Temporaries come
from the stream's pool. Errors name operation and parameter: INVALID_ARGUMENT (count, kind, a precondition of the contract,
geometry), DTYPE, SHAPE, LAYOUT, DEVICE, CONTEXT, READ_ONLY, OVERLAP, OVERFLOW (in an expression of the contract), UNSUPPORTED (on
this device), COMPILE, MISSING_LIBRARY, OUT_OF_MEMORY, and what a launch gives. May be recorded into a graph (graph.h).
"""
tenon_operation_call(operation, args, count, stream) =
    ccall(address(184), Int32, (Ptr{tenon_operation}, Ptr{tenon_arg}, Int32, Ptr{tenon_stream}), operation, args, count, stream)

"""
    int32_t tenon_operation_output(tenon_operation* operation, const tenon_arg* args, int32_t count, int32_t index, tenon_stream* stream, tenon_array** out_array)

A new C-ordered array for output `index` (0 is the first parameter with the role OUT) of a call with these arguments, not set.
args as for the call; the entries of outputs are not looked at. Statuses as for the call.
"""
tenon_operation_output(operation, args, count, index, stream, out_array) =
    ccall(address(185), Int32, (Ptr{tenon_operation}, Ptr{tenon_arg}, Int32, Int32, Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}), operation, args, count, index, stream, out_array)

"""
    int32_t tenon_operation_prepare(tenon_operation* operation, const tenon_arg* args, int32_t count)

Compiles and loads the kernels that a call with these arguments needs, and launches nothing. Entries of outputs are not looked
at. Expressions (elementwise, reduction, scan) compile at their first call of each layout.
"""
tenon_operation_prepare(operation, args, count) =
    ccall(address(186), Int32, (Ptr{tenon_operation}, Ptr{tenon_arg}, Int32), operation, args, count)

"""
    int32_t tenon_package_prepare(tenon_package* package, tenon_device* device)

Compiles, in parallel, the kernels of all operations of the package for the device: for every dtype that the contracts allow, with
the tunables as they are. They are found again in the cache of programs. Left out are instances that depend on scalars or shapes,
and expressions. The first failure is returned, after all were tried.
"""
tenon_package_prepare(package, device) =
    ccall(address(187), Int32, (Ptr{tenon_package}, Ptr{tenon_device}), package, device)

"""
    int32_t tenon_operation_set_tunable(tenon_operation* operation, const char* name, int64_t value)

Sets a tunable of the operation for all later calls on this context; it has to be one of the contract's values. Records of tuning
(below) are then not looked at for this operation. NOT_FOUND: there is no such tunable.
"""
tenon_operation_set_tunable(operation, name, value) =
    ccall(address(188), Int32, (Ptr{tenon_operation}, Cstring, Int64), operation, name, value)

"""
    int32_t tenon_operation_get_tunable(const tenon_operation* operation, const char* name, int64_t* out_value)

What a tunable is for calls without a record of tuning.
"""
tenon_operation_get_tunable(operation, name, out_value) =
    ccall(address(189), Int32, (Ptr{tenon_operation}, Cstring, Ptr{Int64}), operation, name, out_value)

"""
    int32_t tenon_operation_test(tenon_operation* operation, tenon_device* device, tenon_blob** out_report)

Runs the operation's self-tests (kernels/README.md) on a device: against the expected values, or the CPU's results, and its gradient
against differences. Failing cases are no error of this call. out_report: JSON, {\"operation\", \"device\", \"passed\", \"failed\",
\"cases\": [{\"name\", \"types\", \"passed\", \"what\", \"error\", \"tolerance\"}]}. UNSUPPORTED: it does not run on that device.
"""
tenon_operation_test(operation, device, out_report) =
    ccall(address(190), Int32, (Ptr{tenon_operation}, Ptr{tenon_device}, Ptr{Ptr{tenon_blob}}), operation, device, out_report)

"""
    int32_t tenon_operation_bind(tenon_operation* operation, const tenon_arg* args, int32_t count, tenon_stream* stream, tenon_bound** out_bound)

A bound operation: arguments checked, geometry evaluated, temporaries made, kernels compiled once; then launched any number of
times. It holds references to its arrays; their contents may change in between. stream: where temporaries are made. One bound
operation may not be launched from two threads at once. Statuses as for the call.
"""
tenon_operation_bind(operation, args, count, stream, out_bound) =
    ccall(address(191), Int32, (Ptr{tenon_operation}, Ptr{tenon_arg}, Int32, Ptr{tenon_stream}, Ptr{Ptr{tenon_bound}}), operation, args, count, stream, out_bound)

"""
    int32_t tenon_bound_launch(tenon_bound* bound, tenon_stream* stream)

Launches it.
"""
tenon_bound_launch(bound, stream) =
    ccall(address(192), Int32, (Ptr{tenon_bound}, Ptr{tenon_stream}), bound, stream)

"""
    int32_t tenon_bound_retain(tenon_bound* bound)

Takes one more reference.
"""
tenon_bound_retain(bound) =
    ccall(address(193), Int32, (Ptr{tenon_bound},), bound)

"""
    void tenon_bound_release(tenon_bound* bound)

Gives one reference back.
"""
tenon_bound_release(bound) =
    ccall(address(194), Cvoid, (Ptr{tenon_bound},), bound)

"""
    int32_t tenon_program_link(tenon_device* device, const tenon_program_input* inputs, int32_t count, const tenon_program_options* options, tenon_program** out_program)

One program out of `count` inputs. Everything is copied.

One image (BINARY, PTX, FATBIN) is loaded as it is, on this device and at once. Anything else is compiled, as relocatable device
code, and linked: by nvJitLink 12.3 or later on CUDA (with the option \"-dlto\" after optimising the whole), by the host's linker
on the CPU device; functions and variables with external linkage are then shared, as `extern __device__` declares them. The CPU
device links sources only, and code that reads threadIdx in one unit and is called from another is not vectorised there.

A kernel or variable listed in the options is looked for in the first source that defines it, else in the images. A kernel
of an image is named by its symbol (\"saxpy\" where it is extern \"C\", else mangled), or as it was listed when Tenon compiled
the image. What Tenon compiled describes its kernels; of others only the sizes of the parameters are known
(TENON_PARAMETER_UNKNOWN), and the checks are as weak. The options' headers, -I and the like serve the sources.

An image is code that runs with the caller's rights: BINARY, FATBIN and LTO_IR are refused (INVALID_ARGUMENT) without
TENON_PROGRAM_TRUSTED. An image is looked at before the driver or the loader gets it: one that is not of its kind, or damaged
where that shows, is INVALID_ARGUMENT; one for another device, architecture or processor UNSUPPORTED. NOT_FOUND: it has no such
kernel. COMPILE, MISSING_LIBRARY: as for tenon_program_create; the log has what the linker said.
"""
tenon_program_link(device, inputs, count, options, out_program) =
    ccall(address(195), Int32, (Ptr{tenon_device}, Ptr{tenon_program_input}, Int32, Ptr{tenon_program_options}, Ptr{Ptr{tenon_program}}), device, inputs, count, options, out_program)

"""
    int32_t tenon_compilation_link(tenon_device* device, const tenon_program_input* inputs, int32_t count, const tenon_program_options* options, tenon_compilation** out_compilation)

As tenon_compilation_start, for what tenon_program_link would make.
"""
tenon_compilation_link(device, inputs, count, options, out_compilation) =
    ccall(address(196), Int32, (Ptr{tenon_device}, Ptr{tenon_program_input}, Int32, Ptr{tenon_program_options}, Ptr{Ptr{tenon_compilation}}), device, inputs, count, options, out_compilation)

"""
    int32_t tenon_kernel_parameter_name(const tenon_kernel* kernel, int32_t index, const char** out_name)

What the source calls parameter `index`: where its text, or that of a header given with it, shows a declaration of the kernel that
fits what the compiler says of the parameters. \"\" where none is written so, or two differ, or the program is an image. Messages
about arguments have it; nothing else depends on it. Borrowed.
"""
tenon_kernel_parameter_name(kernel, index, out_name) =
    ccall(address(197), Int32, (Ptr{tenon_kernel}, Int32, Ptr{Ptr{UInt8}}), kernel, index, out_name)

"""
    int32_t tenon_cache_get_info(tenon_context* context, tenon_cache_info* out_info)

Fills *out_info; its struct_size must be set by the caller. Looks at names and sizes of the entries and reads none.
"""
tenon_cache_get_info(context, out_info) =
    ccall(address(198), Int32, (Ptr{tenon_context}, Ptr{tenon_cache_info}), context, out_info)

"""
    int32_t tenon_cache_list(tenon_context* context, tenon_blob** out_list)

Every entry on disk, least recently used first, as JSON text: a list of {\"key\" (32 hexadecimal digits, the file's name), \"kind\",
\"bytes\", \"used\" (seconds since 1970)}. kind is \"program\", \"answer\", \"foreign\" (of another version of Tenon) or \"damaged\" (not
whole). A program has also \"device\" (\"cpu\", \"cuda\"), \"name\" (of the source), \"kernels\", \"globals\", \"options\" (lists), \"mode\",
\"flags\", \"architecture\" (\"\" is the device's own), \"compiler\" and \"source_bytes\"; an answer has its \"question\". Reads all entries,
and leaves the time of their last use as it is.
"""
tenon_cache_list(context, out_list) =
    ccall(address(199), Int32, (Ptr{tenon_context}, Ptr{Ptr{tenon_blob}}), context, out_list)

"""
    int32_t tenon_cache_verify(tenon_context* context, int32_t remove, tenon_cache_tally* out_tally)

Reads every entry and computes its checksum again. remove 1: those that are not whole are removed; 0: they stay. Entries of
another version of Tenon count as whole. UNSUPPORTED: the context's cache is off, or cannot be used, or (remove 1) is not
writable; the text says why. Damaged entries are no error of this call.
"""
tenon_cache_verify(context, remove, out_tally) =
    ccall(address(200), Int32, (Ptr{tenon_context}, Int32, Ptr{tenon_cache_tally}), context, remove, out_tally)

"""
    int32_t tenon_cache_export(tenon_context* context, const char* path, tenon_cache_tally* out_tally)

Writes every whole program on disk to the one file `path`, a bundle for tenon_cache_import: whole in place of what was there, or
not at all. It serves where the same compiler, headers and architecture are; it holds the programs' sources too. IO: it cannot be
written. UNSUPPORTED: as for verify.
"""
tenon_cache_export(context, path, out_tally) =
    ccall(address(201), Int32, (Ptr{tenon_context}, Cstring, Ptr{tenon_cache_tally}), context, path, out_tally)

"""
    int32_t tenon_cache_import(tenon_context* context, const char* path, tenon_cache_tally* out_tally)

Puts all programs of a bundle into the cache on disk, but for those that are there already. They are code that will run with the
caller's rights: import what you trust. All of the file is read and its checksums are compared first; on failure nothing was
imported. NOT_FOUND: no such file. INVALID_ARGUMENT: it is no bundle, or damaged: the text says where. VERSION: another version of
Tenon wrote it, with another form of entries. IO: it cannot be read, or not be written into the cache. UNSUPPORTED: as for
verify with remove 1; or the bundle is larger than nine tenths of the cache's limit.
"""
tenon_cache_import(context, path, out_tally) =
    ccall(address(202), Int32, (Ptr{tenon_context}, Cstring, Ptr{tenon_cache_tally}), context, path, out_tally)

"""
    int32_t tenon_cache_clear(tenon_context* context, double unused_seconds, uint64_t keep_bytes, tenon_cache_tally* out_tally)

Removes entries from disk: those not used for `unused_seconds` or longer (0: all), least recently used first, until the rest takes
`keep_bytes` or fewer (0: none needs to be kept). With 0 and 0 everything goes, also what the process remembers of programs that
nobody holds: the next one is compiled. Programs in use stay as they are. INVALID_ARGUMENT: unused_seconds is negative or no
number. UNSUPPORTED: as for verify with remove 1.
"""
tenon_cache_clear(context, unused_seconds, keep_bytes, out_tally) =
    ccall(address(203), Int32, (Ptr{tenon_context}, Float64, UInt64, Ptr{tenon_cache_tally}), context, unused_seconds, keep_bytes, out_tally)

"""
    int32_t tenon_kron(const tenon_array* a, const tenon_array* b, tenon_stream* stream, tenon_array** out_product)

The Kronecker product: out[..., i p + k, j q + l] = a[..., i, j] b[..., k, l] for b of (..., p, q); batches broadcast. out: new,
C-ordered. dtypes: as gemm's equal ones. Statuses: those of gemm.
"""
tenon_kron(a, b, stream, out_product) =
    ccall(address(204), Int32, (Ptr{tenon_array}, Ptr{tenon_array}, Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}), a, b, stream, out_product)

"""
    int32_t tenon_ldl(const tenon_array* a, const tenon_ldl_options* options, tenon_stream* stream, tenon_array** out_ld, tenon_array** out_pivots)

a = P L D L^T P^T (upper: U instead of L; hermitian: ^H) of a symmetric or Hermitian a: (..., n, n) that need not be
definite, of which one triangle is read. D has blocks of 1 x 1 and 2 x 2 (Bunch-Kaufman's pivoting). out_ld: (..., n, n) and
out_pivots: int64 (..., n) hold it as LAPACK writes it: D and the multipliers in that triangle, the other one is 0; pivots[i]
> 0: rows and columns i + 1 and pivots[i] were exchanged; two equal negative ones: a block of 2 x 2. A singular a has such
factors too. xSYTRF, xHETRF; cusolverDn<t>sytrf (Hermitian: UNSUPPORTED on CUDA).
"""
tenon_ldl(a, options, stream, out_ld, out_pivots) =
    ccall(address(205), Int32, (Ptr{tenon_array}, Ptr{tenon_ldl_options}, Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}, Ptr{Ptr{tenon_array}}), a, options, stream, out_ld, out_pivots)

"""
    int32_t tenon_ldl_solve(const tenon_array* ld, const tenon_array* pivots, const tenon_array* b, const tenon_ldl_options* options, tenon_stream* stream, tenon_array** out_x)

x of a x = b with the factors of tenon_ldl and its options. SINGULAR as tenon_solve. xSYTRS, xHETRS; cusolverDnXsytrs.
"""
tenon_ldl_solve(ld, pivots, b, options, stream, out_x) =
    ccall(address(206), Int32, (Ptr{tenon_array}, Ptr{tenon_array}, Ptr{tenon_array}, Ptr{tenon_ldl_options}, Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}), ld, pivots, b, options, stream, out_x)

"""
    int32_t tenon_eig_vectors(const tenon_array* a, tenon_stream* stream, tenon_array** out_w, tenon_array** out_left, tenon_array** out_right)

tenon_eig with left vectors too: u^H a = diag(w) u^H, columns of norm 1, in out_left: (..., n, n), and in out_right what
tenon_eig calls v, as accurate; each may be NULL. On CUDA, whose cuSOLVER has right ones only, the left ones are the rows of the
inverse of v; where those are not accurate, because v is ill-conditioned or singular (a defective a), the host's LAPACK finds the
values and vectors of that matrix (MISSING_LIBRARY where there is none).
"""
tenon_eig_vectors(a, stream, out_w, out_left, out_right) =
    ccall(address(207), Int32, (Ptr{tenon_array}, Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}, Ptr{Ptr{tenon_array}}, Ptr{Ptr{tenon_array}}), a, stream, out_w, out_left, out_right)

"""
    int32_t tenon_program_compile(const char* architecture, const char* source, uint64_t size, const tenon_program_options* options, int32_t kind, tenon_blob** out_image, tenon_blob** out_log)

Compiles CUDA C for an architecture as tenon_program_check does, where no GPU need be, and gives what was made. kind:
TENON_IMAGE_BINARY, a cubin for \"sm_90\" (PTX for \"compute_90\" and what is newer than the compiler), or TENON_IMAGE_PTX. Kernels that are no templates are in it
without being listed in the options. What tenon_program_link takes as TENON_INPUT_BINARY or TENON_INPUT_PTX. Statuses as for
tenon_program_check. out_log: the compiler's log; with \"--ptxas-options=-v\" among the options, what each kernel takes.
"""
tenon_program_compile(architecture, source, size, options, kind, out_image, out_log) =
    ccall(address(208), Int32, (Cstring, Ptr{UInt8}, UInt64, Ptr{tenon_program_options}, Int32, Ptr{Ptr{tenon_blob}}, Ptr{Ptr{tenon_blob}}), architecture, source, size, options, kind, out_image, out_log)

"""
    int32_t tenon_package_pack(const char* path, const tenon_package_options* options, tenon_blob** out_archive)

The package as one uncompressed tar file: checked as tenon_package_check does, and the same bytes for the same content. Where the
contract lists no hashes, those of all files are added to its end. Statuses as for tenon_package_load.
"""
tenon_package_pack(path, options, out_archive) =
    ccall(address(209), Int32, (Cstring, Ptr{tenon_package_options}, Ptr{Ptr{tenon_blob}}), path, options, out_archive)

"""
    int32_t tenon_operation_measure(tenon_operation* operation, tenon_device* device, const tenon_measure_options* options, tenon_blob** out_report)

How long the operation takes on the device: bound, launched again and again. out_report: JSON, {\"operation\", \"device\", \"cases\":
[{\"name\", \"types\", \"shapes\", \"tunables\", \"milliseconds\" (the median), \"fastest\", \"launches\", \"bytes\" (of all arrays once),
\"gigabytes_per_second\"}]}. What fails is {\"name\", \"types\", \"fault\"}. UNSUPPORTED: it does not run on that device. NOT_FOUND: there
is nothing to measure: no cases, and none given. INVALID_ARGUMENT: what is given is faulty.
"""
tenon_operation_measure(operation, device, options, out_report) =
    ccall(address(210), Int32, (Ptr{tenon_operation}, Ptr{tenon_device}, Ptr{tenon_measure_options}, Ptr{Ptr{tenon_blob}}), operation, device, options, out_report)

"""
    int32_t tenon_operation_tune(tenon_operation* operation, tenon_device* device, const tenon_measure_options* options, tenon_blob** out_report)

Searches the tunables' values on the device and writes the records. A value that fails, or changes the results beyond the tests'
tolerance, is never taken. out_report: JSON, {\"operation\", \"device\", \"file\", \"cases\": [{\"name\", \"types\", \"shapes\", \"tunables\" (the
best), \"milliseconds\", \"default_milliseconds\", \"tried\", \"possible\", \"failed\",
\"recorded\": false where the time was over before enough was tried}]}. NOT_FOUND: it has no tunables. IO: the
record cannot be written; else as for tenon_operation_measure.
"""
tenon_operation_tune(operation, device, options, out_report) =
    ccall(address(211), Int32, (Ptr{tenon_operation}, Ptr{tenon_device}, Ptr{tenon_measure_options}, Ptr{Ptr{tenon_blob}}), operation, device, options, out_report)

"""
    int32_t tenon_dct(const tenon_array* source, tenon_array* destination, const int32_t* axes, int32_t axis_count, const tenon_dct_options* options, tenon_stream* stream)

destination = cosine or sine transform of source over `axis_count` axes (as in tenon_fft), one after another, of f32 or f64.
Forward and unscaled, with n the extent of an axis and sums over j from 0 to n - 1:
  cosine 1: x[0] + (-1)^k x[n-1] + 2 sum over 0 < j < n-1 of x[j] cos(pi j k / (n-1)), n at least 2
         2: 2 sum x[j] cos(pi (2j+1) k / (2n))
         3: x[0] + 2 sum over j > 0 of x[j] cos(pi j (2k+1) / (2n))
         4: 2 sum x[j] cos(pi (2j+1) (2k+1) / (4n))
  sine   1: 2 sum x[j] sin(pi (j+1) (k+1) / (n+1))
         2: 2 sum x[j] sin(pi (2j+1) (k+1) / (2n))
         3: (-1)^k x[n-1] + 2 sum over j < n-1 of x[j] sin(pi (j+1) (2k+1) / (2n))
         4: 2 sum x[j] sin(pi (2j+1) (2k+1) / (4n))
The inverse of types 1 and 4 is the same type, of 2 type 3 and of 3 type 2, over N = 2n (cosine 1: 2 (n-1), sine 1: 2 (n+1)).
norm: BACKWARD: inverse 1/N; FORWARD: forward 1/N; ORTHO: both 1/sqrt(N), and the ends weighted by sqrt(2), so that the matrix
of the transform is orthogonal. Any strides; destination may be source itself, else their memories are disjoint. ducc0 on the
CPU; cuFFT's transforms between two kernels on CUDA. Statuses: those of tenon_fft.
"""
tenon_dct(source, destination, axes, axis_count, options, stream) =
    ccall(address(212), Int32, (Ptr{tenon_array}, Ptr{tenon_array}, Ptr{Int32}, Int32, Ptr{tenon_dct_options}, Ptr{tenon_stream}), source, destination, axes, axis_count, options, stream)

"""
    int32_t tenon_signing_key_create(tenon_blob** out_secret)

Makes a secret key. Whoever has it can sign; keep it where only you can read it. MISSING_LIBRARY: no libsodium.
"""
tenon_signing_key_create(out_secret) =
    ccall(address(213), Int32, (Ptr{Ptr{tenon_blob}},), out_secret)

"""
    int32_t tenon_signing_key_public(const char* secret, tenon_blob** out_public)

The public key that belongs to a secret one: what others put into their trust list. INVALID_ARGUMENT: it is no key.
MISSING_LIBRARY: no libsodium.
"""
tenon_signing_key_public(secret, out_public) =
    ccall(address(214), Int32, (Cstring, Ptr{Ptr{tenon_blob}}), secret, out_public)

"""
    int32_t tenon_package_sign(const char* path, const char* secret, const tenon_package_options* options, tenon_blob** out_signature)

Checks a package as tenon_package_check does and signs it: the text of the file plugin.sig, to be written beside its plugin.toml.
A signature that is there already is not looked at. Statuses as for tenon_package_load and tenon_signing_key_public.
"""
tenon_package_sign(path, secret, options, out_signature) =
    ccall(address(215), Int32, (Cstring, Cstring, Ptr{tenon_package_options}, Ptr{Ptr{tenon_blob}}), path, secret, options, out_signature)

"""
    int32_t tenon_plugin_load(tenon_context* context, const char* path, const tenon_package_options* options, tenon_package** out_package)

Loads a package of host code from a shared object and adds it to the context's registry; the same object loaded before is found again.
The options' sha256 is that of the file. INVALID_ARGUMENT: the path is not absolute, the object is none (no tenon_plugin_init, no
tenon_plugin_level), or what it registers or its contract is faulty. NOT_FOUND: no such file. IO: unsafe owner or mode, it cannot
be loaded, a wrong hash; signatures are required, and no hash is given. VERSION: it was built for a newer Tenon, or another
major; or this version is loaded already with other content. VENDOR: tenon_plugin_init failed; the native code says with what.
On failure the registry is as it was.
"""
tenon_plugin_load(context, path, options, out_package) =
    ccall(address(216), Int32, (Ptr{tenon_context}, Cstring, Ptr{tenon_package_options}, Ptr{Ptr{tenon_package}}), context, path, options, out_package)

"""
    int32_t tenon_tensordot(const tenon_array* a, const tenon_array* b, const int32_t* axes_a, const int32_t* axes_b, int32_t count, const tenon_gemm_options* options, tenon_stream* stream, tenon_array** out_sum)

The sum of products over `count` pairs of axes: axes_a[i] of a goes with axes_b[i] of b (negative: from the end), which are
equally long. Both NULL: the last `count` axes of a with the first of b, in their order. count 0: the outer product. out: new,
C-ordered: the other axes of a, then those of b, at most TENON_MAX_RANK. dtypes and options as tenon_einsum's. Statuses: those
of gemm, SHAPE (extents that differ, too many axes), INVALID_ARGUMENT (count; an axis out of range or twice; one list NULL and
not the other).
"""
tenon_tensordot(a, b, axes_a, axes_b, count, options, stream, out_sum) =
    ccall(address(217), Int32, (Ptr{tenon_array}, Ptr{tenon_array}, Ptr{Int32}, Ptr{Int32}, Int32, Ptr{tenon_gemm_options}, Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}), a, b, axes_a, axes_b, count, options, stream, out_sum)

"""
    int32_t tenon_fft_prepare(const tenon_array* source, const tenon_array* destination, const int32_t* axes, int32_t axis_count, const tenon_fft_options* options)

Makes ready what tenon_fft needs for these arrays, without running it: on CUDA cuFFT and its plans, which take up to seconds to
make, Tenon's own kernels beside them, and their code on the device. A later tenon_fft with the same options and arrays of the
same dtypes, shapes and strides on that device finds it there (where one side is real, arrays whose addresses are multiples of
a complex number, or are none, alike), until 64 other plans have been used since. Of the arrays only the layout is looked at:
nothing is read, written or waited for, and both may be in use; they must be such that tenon_fft would take them. For a moment
it takes the memory that the transform takes for itself. Do it before another library captures a stream of the calling thread.
On the CPU nothing has to be ready, and it only checks. Statuses: those of tenon_fft.
"""
tenon_fft_prepare(source, destination, axes, axis_count, options) =
    ccall(address(218), Int32, (Ptr{tenon_array}, Ptr{tenon_array}, Ptr{Int32}, Int32, Ptr{tenon_fft_options}), source, destination, axes, axis_count, options)

"""
    int32_t tenon_dct_prepare(const tenon_array* source, const tenon_array* destination, const int32_t* axes, int32_t axis_count, const tenon_dct_options* options)

The same for tenon_dct.
"""
tenon_dct_prepare(source, destination, axes, axis_count, options) =
    ccall(address(219), Int32, (Ptr{tenon_array}, Ptr{tenon_array}, Ptr{Int32}, Int32, Ptr{tenon_dct_options}), source, destination, axes, axis_count, options)

"""
    int32_t tenon_convolve(const tenon_array* a, const tenon_array* b, const int32_t* axes, int32_t axis_count, const tenon_convolve_options* options, tenon_stream* stream, tenon_array** out_result)

The convolution along `axis_count` axes (negative: from the end; NULL: the last axis_count ones; 0: all), out[i] = sum over k
of a[k] b[i - k], or the correlation, sum over k of a[k] conj(b[k - i]) for i from 1 - n on (the convolution of a with b
conjugated and turned around). a and b have equally many axes, at least one; the other axes are a batch and broadcast. Any
strides. dtypes: both of one of f16, bf16, f32, f64, c64, c128; f16 and bf16 are worked on in f32 and rounded once. out: new,
C-ordered, of that dtype. Of up to 65536 products in all by their sums, so that what the dtype holds exactly (small integers) comes
out exact; else by transforms of the shortest fast length: in their precision every number's error is of the order of
epsilon log2(length) |a| |b|, with the Euclidean norms of what is convolved, so that a number much smaller than |a| |b| has
fewer correct digits; and one NaN or infinity makes every number NaN that comes of the same transforms (those of one element of
the batch); a context with TENON_CONTEXT_CHECK_FINITE refuses them as NOT_FINITE. Takes memory for both operands filled up with
zeros and for their transforms. Waits for nothing; may be recorded into a graph. Statuses: those of tenon_fft, SHAPE (other
ranks; an axis of extent 0; b larger than a in mode VALID; batches that do not broadcast), DTYPE, OVERFLOW (more than 2^62
numbers along an axis).
"""
tenon_convolve(a, b, axes, axis_count, options, stream, out_result) =
    ccall(address(220), Int32, (Ptr{tenon_array}, Ptr{tenon_array}, Ptr{Int32}, Int32, Ptr{tenon_convolve_options}, Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}), a, b, axes, axis_count, options, stream, out_result)

"""
    int32_t tenon_fft_shift(const tenon_array* x, const int32_t* axes, int32_t axis_count, int32_t inverse, tenon_stream* stream, tenon_array** out_shifted)

Puts the numbers of a transform in the order of their frequencies: a copy of x with number 0 at place n / 2 of each of
`axis_count` axes (as in tenon_convolve), n being its extent. inverse 1: undoes that. Every dtype of whole bytes, any strides
and extents, 0 too. out: new, C-ordered. May be recorded. Statuses: INVALID_ARGUMENT (an axis twice or out of range), DEVICE,
UNSUPPORTED (a dtype of less than a byte).
"""
tenon_fft_shift(x, axes, axis_count, inverse, stream, out_shifted) =
    ccall(address(221), Int32, (Ptr{tenon_array}, Ptr{Int32}, Int32, Int32, Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}), x, axes, axis_count, inverse, stream, out_shifted)

"""
    int32_t tenon_fft_frequencies(tenon_device* device, uint32_t dtype, int64_t n, double spacing, int32_t half, tenon_stream* stream, tenon_array** out_frequencies)

The frequencies of the numbers of a transform of length n (at least 1), in cycles per unit of `spacing`, the distance between
samples: k / (n spacing) for k = 0, 1 ... (n - 1) / 2, -(n / 2) ... -1. half 1: of a transform of real numbers, k = 0 to n / 2.
dtype: f16, bf16, f32, f64; worked out in f64 on the device and rounded once. out: new. May be recorded. Statuses: DTYPE,
INVALID_ARGUMENT (n below 1; a spacing that is 0, infinite or NaN; half), OVERFLOW (n spacing or its inverse has no float64),
DEVICE (the stream's is another).
"""
tenon_fft_frequencies(device, dtype, n, spacing, half, stream, out_frequencies) =
    ccall(address(222), Int32, (Ptr{tenon_device}, UInt32, Int64, Float64, Int32, Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}), device, dtype, n, spacing, half, stream, out_frequencies)

"""
    int32_t tenon_fft_fast_length(int64_t n, int64_t* out_length)

The smallest length from n on (at least 1) with no prime factor above 5: transforms of such lengths are fast on every device.
Statuses: INVALID_ARGUMENT (n below 1), OVERFLOW (n above 2^62).
"""
tenon_fft_fast_length(n, out_length) =
    ccall(address(223), Int32, (Int64, Ptr{Int64}), n, out_length)

"""
    int32_t tenon_gemv(const double* alpha, const tenon_array* a, const tenon_array* x, const double* beta, tenon_array* y, const tenon_blas_options* options, tenon_stream* stream)

y = alpha op(a) x + beta y. a: (..., m, n), op(a): (..., m, n) or (..., n, m); x: as long as op(a) has columns; y: as it has
rows. options: op. dtypes: as tenon_gemm. xGEMV; cublasXgemv, cublasXgemvStridedBatched, gemm's routines.
"""
tenon_gemv(alpha, a, x, beta, y, options, stream) =
    ccall(address(224), Int32, (Ptr{Float64}, Ptr{tenon_array}, Ptr{tenon_array}, Ptr{Float64}, Ptr{tenon_array}, Ptr{tenon_blas_options}, Ptr{tenon_stream}), alpha, a, x, beta, y, options, stream)

"""
    int32_t tenon_ger(const double* alpha, const tenon_array* x, const tenon_array* y, int32_t conjugate, tenon_array* a, tenon_stream* stream)

a = a + alpha x y^T, with conjugate 1 a + alpha x y^H. x: (..., m), y: (..., n), a: (..., m, n). dtypes: as tenon_gemm. xGER,
xGERU, xGERC; on CUDA gemm's routines.
"""
tenon_ger(alpha, x, y, conjugate, a, stream) =
    ccall(address(225), Int32, (Ptr{Float64}, Ptr{tenon_array}, Ptr{tenon_array}, Int32, Ptr{tenon_array}, Ptr{tenon_stream}), alpha, x, y, conjugate, a, stream)

"""
    int32_t tenon_axpy(const double* alpha, const tenon_array* x, tenon_array* y, tenon_stream* stream)

y = alpha x + y, of any shape and any strides, x broadcast to y: f16, bf16 (added up in f32 and rounded once), f32, f64, c64,
c128. Nothing is packed. xAXPY; cublasAxpyEx.
"""
tenon_axpy(alpha, x, y, stream) =
    ccall(address(226), Int32, (Ptr{Float64}, Ptr{tenon_array}, Ptr{tenon_array}, Ptr{tenon_stream}), alpha, x, y, stream)

"""
    int32_t tenon_scal(const double* alpha, tenon_array* x, tenon_stream* stream)

x = alpha x, as tenon_axpy. With alpha 0 x becomes 0, NaN too. xSCAL; cublasScalEx.
"""
tenon_scal(alpha, x, stream) =
    ccall(address(227), Int32, (Ptr{Float64}, Ptr{tenon_array}, Ptr{tenon_stream}), alpha, x, stream)

"""
    int32_t tenon_nrm2(const tenon_array* x, tenon_stream* stream, tenon_array** out_norm)

The Euclidean norm along the last axis: x: (..., n), out: (...), new, real, of x's precision; the dtypes of tenon_axpy. Squares are
added up in f64, and neither overflow nor vanish on the way: the result is infinite only where the norm does not fit its dtype or x
has infinity in it. NaN gives NaN. OUT_OF_MEMORY beside the statuses above. xNRM2.
"""
tenon_nrm2(x, stream, out_norm) =
    ccall(address(228), Int32, (Ptr{tenon_array}, Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}), x, stream, out_norm)

"""
    int32_t tenon_syrk(const double* alpha, const tenon_array* a, const double* beta, tenon_array* c, const tenon_blas_options* options, tenon_stream* stream)

A triangle of c = alpha a a^T + beta c, or with op TRANSPOSE of alpha a^T a + beta c, at half of gemm's work; hermitian: alpha a a^H,
or with op ADJOINT alpha a^H a, and alpha and beta are real. a: (..., n, k), with op (..., k, n); c: (..., n, n); f32, f64, c64,
c128. options: op (of complex numbers as said here), upper, hermitian. xSYRK, xHERK; cublasXsyrk, Xherk.
"""
tenon_syrk(alpha, a, beta, c, options, stream) =
    ccall(address(229), Int32, (Ptr{Float64}, Ptr{tenon_array}, Ptr{Float64}, Ptr{tenon_array}, Ptr{tenon_blas_options}, Ptr{tenon_stream}), alpha, a, beta, c, options, stream)

"""
    int32_t tenon_symm(const double* alpha, const tenon_array* a, const tenon_array* b, const double* beta, tenon_array* c, const tenon_blas_options* options, tenon_stream* stream)

c = alpha a b + beta c, right: alpha b a + beta c, with a symmetric or Hermitian a of which one triangle is read. c, b: (..., m, n);
a: (..., m, m), right: (..., n, n); f32, f64, c64, c128. options: upper, right, hermitian. xSYMM, xHEMM; cublasXsymm, Xhemm.
"""
tenon_symm(alpha, a, b, beta, c, options, stream) =
    ccall(address(230), Int32, (Ptr{Float64}, Ptr{tenon_array}, Ptr{tenon_array}, Ptr{Float64}, Ptr{tenon_array}, Ptr{tenon_blas_options}, Ptr{tenon_stream}), alpha, a, b, beta, c, options, stream)

"""
    int32_t tenon_trmm(const double* alpha, const tenon_array* a, tenon_array* b, const tenon_blas_options* options, tenon_stream* stream)

b = alpha op(a) b, right: alpha b op(a), with a triangle of a. b: (..., m, n); a: (..., m, m), right: (..., n, n); f32, f64, c64,
c128. options: op, upper, right, unit_diagonal. xTRMM; cublasXtrmm. tenon_triangular_multiply leaves b as it is.
"""
tenon_trmm(alpha, a, b, options, stream) =
    ccall(address(231), Int32, (Ptr{Float64}, Ptr{tenon_array}, Ptr{tenon_array}, Ptr{tenon_blas_options}, Ptr{tenon_stream}), alpha, a, b, options, stream)

"""
    int32_t tenon_trsm(const double* alpha, const tenon_array* a, tenon_array* b, const tenon_blas_options* options, tenon_stream* stream)

b = alpha op(a)^-1 b, right: alpha b op(a)^-1, as tenon_trmm. As in BLAS nobody looks whether a is singular: a zero on its
diagonal puts infinity and NaN into b, with TENON_OK. tenon_solve looks, and waits for it. xTRSM; cublasXtrsm, XtrsmBatched.
"""
tenon_trsm(alpha, a, b, options, stream) =
    ccall(address(232), Int32, (Ptr{Float64}, Ptr{tenon_array}, Ptr{tenon_array}, Ptr{tenon_blas_options}, Ptr{tenon_stream}), alpha, a, b, options, stream)

"""
    int32_t tenon_gemm_grouped(int64_t count, const double* alpha, const tenon_array* const* a, const tenon_array* const* b, const double* beta, tenon_array* const* c, const tenon_gemm_options* options, tenon_stream* stream)

tenon_gemm for each of a list: c[i] = alpha a[i] b[i] + beta c[i], each array with memory of its own, in any order there. All are
checked before any is written; the text of an error names the entry. Entries may differ in everything; those of equal dtypes,
extents and strides go down together, and on CUDA the others with them where cuBLAS can. No c[i] may share memory with another
array of the lists. options: as tenon_gemm, for all; out_packed counts all entries. cublasGemmBatchedEx, cublasGemmGroupedBatchedEx
(from CUDA 12.5 on); on the CPU small products are shared out over the threads. Statuses: those of tenon_gemm.
"""
tenon_gemm_grouped(count, alpha, a, b, beta, c, options, stream) =
    ccall(address(233), Int32, (Int64, Ptr{Float64}, Ptr{Ptr{tenon_array}}, Ptr{Ptr{tenon_array}}, Ptr{Float64}, Ptr{Ptr{tenon_array}}, Ptr{tenon_gemm_options}, Ptr{tenon_stream}), count, alpha, a, b, beta, c, options, stream)

"""
    int32_t tenon_error_batch_index(const tenon_error* error, int64_t* out_index)

Which matrix of a batch the failure is about (solve.h, eigen.h, tenon_svd), from 0 in C order; -1: of no single one.
"""
tenon_error_batch_index(error, out_index) =
    ccall(address(234), Int32, (Ptr{tenon_error}, Ptr{Int64}), error, out_index)

"""
    int32_t tenon_stream_wrap_kept(tenon_device* device, uint64_t native, tenon_destroy_fn destroy, void* user, tenon_stream** out_stream)

As tenon_stream_wrap, and the native stream stays valid until destroy(user) runs: once, when neither a reference nor an array
or pending work remembers the stream any more, on whatever thread that is found out. Wrapping is then as cheap as taking a
reference. On failure destroy does not run.
"""
tenon_stream_wrap_kept(device, native, destroy, user, out_stream) =
    ccall(address(235), Int32, (Ptr{tenon_device}, UInt64, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Ptr{tenon_stream}}), device, native, destroy, user, out_stream)

"""
    int32_t tenon_array_follow(tenon_array* array, tenon_current_stream_fn current)

The memory belongs to a framework that goes on using it, and `current` tells its stream: it is asked at each call. Calls with a
NULL stream and this array (or a view of it) run on that stream; on other streams they are first ordered behind what the
framework has enqueued there. The framework may reuse memory that it gets back in the order of that stream, as it does for its
own operations. For an array that was imported just now; its import's `stream` then means nothing. On the CPU it changes nothing.
"""
tenon_array_follow(array, current) =
    ccall(address(236), Int32, (Ptr{tenon_array}, Ptr{Cvoid}), array, current)

"""
    int32_t tenon_interrupt_set(tenon_interrupt_fn interrupt, void* user)

For hosts with a Ctrl-C of their own, which a call that waits would keep from hearing it: the process's one function that is asked, or
NULL for none. It replaces the one before it, which may still be asked once more by a call that is under way.
"""
tenon_interrupt_set(interrupt, user) =
    ccall(address(237), Int32, (Ptr{Cvoid}, Ptr{Cvoid}), interrupt, user)

"""
    int32_t tenon_random(tenon_device* device, uint32_t dtype, int32_t rank, const int64_t* shape, int32_t distribution, const tenon_random_options* options, tenon_stream* stream, tenon_array** out_numbers)

Random numbers of a distribution (TENON_RANDOM_*). dtype: UNIFORM, NORMAL, EXPONENTIAL, GAMMA, BETA: float16, bfloat16,
float32, float64; BITS, INTEGERS: any integer; POISSON, BINOMIAL: both kinds; BERNOULLI: also bool. INVALID_ARGUMENT: a
parameter outside of its domain; integers that the dtype cannot hold. DTYPE: see above. options NULL: key 0, offset 0.
"""
tenon_random(device, dtype, rank, shape, distribution, options, stream, out_numbers) =
    ccall(address(238), Int32, (Ptr{tenon_device}, UInt32, Int32, Ptr{Int64}, Int32, Ptr{tenon_random_options}, Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}), device, dtype, rank, shape, distribution, options, stream, out_numbers)

"""
    int32_t tenon_random_blocks(uint32_t dtype, int64_t count, int32_t distribution, uint64_t* out_blocks)

How many counters a draw of `count` elements uses: what the next offset is higher by.
"""
tenon_random_blocks(dtype, count, distribution, out_blocks) =
    ccall(address(239), Int32, (UInt32, Int64, Int32, Ptr{UInt64}), dtype, count, distribution, out_blocks)

"""
    int32_t tenon_random_split(uint64_t key, int64_t count, uint64_t* out_keys)

Keys for programs that work apart: number i is the first 64-bit word of counter i, key `key`, stream 0xffffffff73706c74.
"""
tenon_random_split(key, count, out_keys) =
    ccall(address(240), Int32, (UInt64, Int64, Ptr{UInt64}), key, count, out_keys)

"""
    int32_t tenon_random_permutation(tenon_device* device, int64_t n, const tenon_random_options* options, tenon_stream* stream, tenon_array** out_order)

The numbers 0 to n - 1 in random order, int64: the stable argsort of n uint64 BITS of the same options, which is why it
uses n / 2 counters, rounded up. (Two equal keys, a chance of n^2 2^-65, stay in order.) options: key, offset and stream
count.
"""
tenon_random_permutation(device, n, options, stream, out_order) =
    ccall(address(241), Int32, (Ptr{tenon_device}, Int64, Ptr{tenon_random_options}, Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}), device, n, options, stream, out_order)

"""
    int32_t tenon_concat(const tenon_array* const* arrays, int32_t count, int32_t axis, tenon_stream* stream, tenon_array** out_array)

The arrays one after another along an axis. All have the same dtype, rank and extents, but for that axis. SHAPE, DTYPE:
they have not; INVALID_ARGUMENT: no array.
"""
tenon_concat(arrays, count, axis, stream, out_array) =
    ccall(address(242), Int32, (Ptr{Ptr{tenon_array}}, Int32, Int32, Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}), arrays, count, axis, stream, out_array)

"""
    int32_t tenon_stack(const tenon_array* const* arrays, int32_t count, int32_t axis, tenon_stream* stream, tenon_array** out_array)

The arrays, all of one shape and dtype, along a new axis, which is number `axis` of the result.
"""
tenon_stack(arrays, count, axis, stream, out_array) =
    ccall(address(243), Int32, (Ptr{Ptr{tenon_array}}, Int32, Int32, Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}), arrays, count, axis, stream, out_array)

"""
    int32_t tenon_tile(const tenon_array* x, int32_t rank, const int64_t* repeats, tenon_stream* stream, tenon_array** out_array)

x side by side: repeats[i] times along axis i of the result, which has the larger of both ranks; missing ones are 1 (in
front). INVALID_ARGUMENT: a negative number.
"""
tenon_tile(x, rank, repeats, stream, out_array) =
    ccall(address(244), Int32, (Ptr{tenon_array}, Int32, Ptr{Int64}, Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}), x, rank, repeats, stream, out_array)

"""
    int32_t tenon_repeat(const tenon_array* x, int64_t count, int32_t axis, tenon_stream* stream, tenon_array** out_array)

Each element `count` times, next to each other along the axis.
"""
tenon_repeat(x, count, axis, stream, out_array) =
    ccall(address(245), Int32, (Ptr{tenon_array}, Int64, Int32, Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}), x, count, axis, stream, out_array)

"""
    int32_t tenon_roll(const tenon_array* x, const int64_t* shifts, const int32_t* axes, int32_t count, tenon_stream* stream, tenon_array** out_array)

Element i of axes[k] goes to (i + shifts[k]) modulo the extent. An axis may come several times: the shifts add up.
"""
tenon_roll(x, shifts, axes, count, stream, out_array) =
    ccall(address(246), Int32, (Ptr{tenon_array}, Ptr{Int64}, Ptr{Int32}, Int32, Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}), x, shifts, axes, count, stream, out_array)

"""
    int32_t tenon_pad(const tenon_array* x, int32_t rank, const int64_t* before, const int64_t* after, const tenon_pad_options* options, tenon_stream* stream, tenon_array** out_array)

x with before[i] elements in front of axis i and after[i] behind it. rank: of x. As numpy.pad. INVALID_ARGUMENT: a
negative number; an axis of extent 0 with a mode other than CONSTANT.
"""
tenon_pad(x, rank, before, after, options, stream, out_array) =
    ccall(address(247), Int32, (Ptr{tenon_array}, Int32, Ptr{Int64}, Ptr{Int64}, Ptr{tenon_pad_options}, Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}), x, rank, before, after, options, stream, out_array)

"""
    int32_t tenon_take(const tenon_array* x, const tenon_array* const* indices, const int32_t* axes, int32_t count, const tenon_take_options* options, tenon_stream* stream, tenon_array** out_array)

Elements by index: NumPy's x[:, i, j] with axes 1 and 2. The index arrays broadcast together; their axes stand where the
first of `axes` stood if those are neighbours in ascending order, else in front; the other axes of x follow whole. Up to
8 index arrays. At most 24 axes may be left that cannot be merged (UNSUPPORTED). INVALID_ARGUMENT: an index out of
range, an axis twice.
"""
tenon_take(x, indices, axes, count, options, stream, out_array) =
    ccall(address(248), Int32, (Ptr{tenon_array}, Ptr{Ptr{tenon_array}}, Ptr{Int32}, Int32, Ptr{tenon_take_options}, Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}), x, indices, axes, count, options, stream, out_array)

"""
    int32_t tenon_scatter(tenon_array* x, const tenon_array* values, const tenon_array* const* indices, const int32_t* axes, int32_t count, const tenon_take_options* options, tenon_stream* stream)

Changes x, in place: writes `values`, broadcast to the shape that tenon_take would give and converted to x's dtype, to the
elements that the indices name. x may have any strides and shares no memory with the others. Where one element is named
several times: ASSIGN keeps one of the values (on the CPU the last one); the others combine all, on the CPU in order, so
that sums have the same bits for any number of threads; on CUDA the order of floating-point additions is not fixed. MIN,
MAX: not for complex numbers. READ_ONLY, OVERLAP: x cannot be written, or not so.
"""
tenon_scatter(x, values, indices, axes, count, options, stream) =
    ccall(address(249), Int32, (Ptr{tenon_array}, Ptr{tenon_array}, Ptr{Ptr{tenon_array}}, Ptr{Int32}, Int32, Ptr{tenon_take_options}, Ptr{tenon_stream}), x, values, indices, axes, count, options, stream)

"""
    int32_t tenon_nonzero(const tenon_array* x, tenon_stream* stream, tenon_array** out_indices)

The places of all elements that are not 0 (NaN is not), in C order: int64 of shape (rank of x, how many). Waits, to know
the shape.
"""
tenon_nonzero(x, stream, out_indices) =
    ccall(address(250), Int32, (Ptr{tenon_array}, Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}), x, stream, out_indices)

"""
    int32_t tenon_compress(const tenon_array* x, const tenon_array* mask, int32_t axis, tenon_stream* stream, tenon_array** out_array)

NumPy's x[..., mask, ...]: the elements, or parts, where `mask` is not 0. It stands for as many axes of x, from `axis`
on, as it has, with the same extents; they become one. Waits, to know the shape.
"""
tenon_compress(x, mask, axis, stream, out_array) =
    ccall(address(251), Int32, (Ptr{tenon_array}, Ptr{tenon_array}, Int32, Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}), x, mask, axis, stream, out_array)

"""
    int32_t tenon_range(tenon_device* device, uint32_t dtype, int64_t count, const tenon_range_options* options, tenon_stream* stream, tenon_array** out_array)

`count` numbers at equal distances. Integers: first + i integer_step, modulo 2^bits; others: start + i step in float64,
rounded to the dtype.
"""
tenon_range(device, dtype, count, options, stream, out_array) =
    ccall(address(252), Int32, (Ptr{tenon_device}, UInt32, Int64, Ptr{tenon_range_options}, Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}), device, dtype, count, options, stream, out_array)

"""
    int32_t tenon_eye(tenon_device* device, uint32_t dtype, int64_t rows, int64_t columns, int64_t diagonal, tenon_stream* stream, tenon_array** out_array)

Zeros with ones where column - row is `diagonal`. DTYPE: not one that tenon_array_fill takes.
"""
tenon_eye(device, dtype, rows, columns, diagonal, stream, out_array) =
    ccall(address(253), Int32, (Ptr{tenon_device}, UInt32, Int64, Int64, Int64, Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}), device, dtype, rows, columns, diagonal, stream, out_array)

"""
    int32_t tenon_triangle(const tenon_array* x, int32_t upper, int64_t diagonal, tenon_stream* stream, tenon_array** out_array)

The last two axes of x with zeros below the diagonal column - row = diagonal (upper: 1), or above it (0).
"""
tenon_triangle(x, upper, diagonal, stream, out_array) =
    ccall(address(254), Int32, (Ptr{tenon_array}, Int32, Int64, Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}), x, upper, diagonal, stream, out_array)

"""
    int32_t tenon_sort(const tenon_array* x, int32_t axis, const tenon_sort_options* options, tenon_stream* stream, tenon_array** out_values, tenon_array** out_indices)

x sorted along an axis: out_values, and as int64 the index that each element had, out_indices; either may be NULL: it is
not wanted. Complex numbers too. INVALID_ARGUMENT: neither is wanted. UNSUPPORTED: on CUDA, rows of 2^32 elements and
more.
"""
tenon_sort(x, axis, options, stream, out_values, out_indices) =
    ccall(address(255), Int32, (Ptr{tenon_array}, Int32, Ptr{tenon_sort_options}, Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}, Ptr{Ptr{tenon_array}}), x, axis, options, stream, out_values, out_indices)

"""
    int32_t tenon_top_k(const tenon_array* x, int64_t k, int32_t axis, const tenon_top_k_options* options, tenon_stream* stream, tenon_array** out_values, tenon_array** out_indices)

The first k along an axis of what tenon_sort gives, descending unless `smallest` is set: the k largest, NaN only where
numbers run out. INVALID_ARGUMENT: k is negative or larger than the extent.
"""
tenon_top_k(x, k, axis, options, stream, out_values, out_indices) =
    ccall(address(256), Int32, (Ptr{tenon_array}, Int64, Int32, Ptr{tenon_top_k_options}, Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}, Ptr{Ptr{tenon_array}}), x, k, axis, options, stream, out_values, out_indices)

"""
    int32_t tenon_search_sorted(const tenon_array* sorted, const tenon_array* wanted, const tenon_search_options* options, tenon_stream* stream, tenon_array** out_places)

Where each of `wanted`, of any shape, would have to stand in `sorted`, one axis in ascending order, to keep it so:
int64, of wanted's shape. Both of one dtype. Of a list that is not sorted the result is some number from 0 to its
length.
"""
tenon_search_sorted(sorted, wanted, options, stream, out_places) =
    ccall(address(257), Int32, (Ptr{tenon_array}, Ptr{tenon_array}, Ptr{tenon_search_options}, Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}), sorted, wanted, options, stream, out_places)

"""
    int32_t tenon_unique(const tenon_array* x, const tenon_unique_options* options, tenon_stream* stream, tenon_array** out_values, tenon_array** out_indices, tenon_array** out_inverse, tenon_array** out_counts)

The different elements of x, ascending: out_values; where each is first in C order, out_indices; for each element of x
the number of its value, of x's shape, out_inverse; how often each value is there, out_counts. The last three are int64
and may be NULL. Waits, to know the shape.
"""
tenon_unique(x, options, stream, out_values, out_indices, out_inverse, out_counts) =
    ccall(address(258), Int32, (Ptr{tenon_array}, Ptr{tenon_unique_options}, Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}, Ptr{Ptr{tenon_array}}, Ptr{Ptr{tenon_array}}, Ptr{Ptr{tenon_array}}), x, options, stream, out_values, out_indices, out_inverse, out_counts)

"""
    int32_t tenon_bincount(const tenon_array* x, const tenon_array* weights, int64_t length, tenon_stream* stream, tenon_array** out_counts)

How often each of the numbers 0 to length - 1 is in x, integers of any shape: int64; with weights, of x's shape: the
sums of theirs, in order, of their dtype. INVALID_ARGUMENT: a number is negative or not below length.
"""
tenon_bincount(x, weights, length, stream, out_counts) =
    ccall(address(259), Int32, (Ptr{tenon_array}, Ptr{tenon_array}, Int64, Ptr{tenon_stream}, Ptr{Ptr{tenon_array}}), x, weights, length, stream, out_counts)

end
