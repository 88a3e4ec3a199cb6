"""The structs and callbacks of the C interface in ctypes. Derived from the headers by abi/generate.py.

The functions of tenon._core take these structs directly or by ctypes.byref. Creating a struct sets its struct_size:
tenon_launch(grid=(4, 1, 1)). To pass NULL for a callback, call its type without arguments.
"""
import ctypes
from ctypes import (CFUNCTYPE, POINTER, Structure, Union, c_char_p, c_double, c_float, c_int8, c_int16, c_int32, c_int64,
                    c_uint8, c_uint16, c_uint32, c_uint64, c_void_p)

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

    def __init__(self, **fields: object) -> None:
        super().__init__(struct_size=ctypes.sizeof(self), **fields)


class tenon_allocator(_Sized):
    """The source of memory of kind TENON_MEMORY_DEVICE. A context can be given an allocator (options), a device too
    (tenon_device_use_allocator), and a device can lend its own (tenon_device_allocator)."""
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
        # CONSTANT and LINEAR_RAMP: a scalar, which must be exact as for tenon_array_fill; NULL: 0
        ("value", POINTER(tenon_arg)),
        # MEAN, MAXIMUM, MINIMUM, MEDIAN: of this many elements next to the edge, or 0: of all. Since level 1.1
        ("stat_length", c_int64),
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


class tenon_interpolate_options(_Sized):
    _fields_ = (
        ("struct_size", c_uint32),
        ("has_below", c_int32),  # 1: the result is `below` where x is below the first point, else the first value
        ("has_above", c_int32),  # 1: the result is `above` where x is above the last point, else the last value
        ("reserved", c_uint32),
        ("below", c_double),
        ("above", c_double),
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
        ("ignore_nan", c_int32),  # 1: for ARGMAX and ARGMIN: NaN does not count. Since level 1.1
        ("reserved", c_uint32),
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
