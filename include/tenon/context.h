/* tenon/context.h: the context (devices, caches, settings) and its devices.
 *
 * Almost every program uses the process-default context: pass NULL for a context parameter. It is made on first
 * use and kept while the process lives. Objects of two contexts cannot be mixed (TENON_ERROR_CONTEXT).
 *
 * Environment variables. A context reads those of the first list when it is created; its options take precedence.
 * NAME=1 turns a setting on.
 *   TENON_CACHE            the cache of programs: off, read-only, no-compile (TENON_CACHE_*)
 *   TENON_CACHE_DIR        its directory
 *   TENON_KERNEL_HEAP      bytes that kernels on the CPU may allocate with malloc and new; default 8388608, as on CUDA
 *   TENON_KERNEL_TIMEOUT   seconds that a launch in TENON_PROGRAM_MODE_CHECK may take on the CPU; 0: no limit
 *   TENON_PLUGIN_PATH      directories in which packages are found by name (plugin.h), separated by colons
 *   TENON_TRUSTED_KEYS     the file with the public keys that are trusted to sign packages (plugin.h)
 *   TENON_TUNING_DIR       the directory of tuning records (plugin.h)
 *   TENON_LOG              the level of logging: none, error, warning, info or debug
 *   TENON_DEBUG_SYNC, TENON_NVTX, TENON_DETERMINISTIC, TENON_SIGNED_PACKAGES, TENON_DEFERRED_ERRORS,
 *   TENON_CHECK_FINITE, TENON_PRIVATE_STREAM, TENON_NO_SIGNALS   the flag TENON_CONTEXT_* of that name, in addition to
 *                          those in the options
 * Settings of the whole process are read at first use:
 *   TENON_CPU_THREADS      number of threads of the CPU device (tenon_cpu_threads_set)
 *   TENON_CPU_ISA          x86-64-v2, x86-64-v3, x86-64-v4 or native: the instruction set of the CPU device (kernel.h)
 *   TENON_CXX              the C++ compiler for kernels on the CPU device
 *   TENON_BLAS             the path of the BLAS and LAPACK library for the CPU device
 *   TENON_CUDA_DRIVER      the path of the CUDA driver library, which is otherwise searched for
 *   TENON_CUDA_PATH        directories of CUDA toolkits or their libraries, separated by colons, searched first
 *   TENON_STATUS_FILE      a file to which each failing call appends a line with the function and the status; shows
 *                          which errors a program's error handling has met
 *   TENON_POISON           1: new CPU memory is filled with conspicuous bytes
 *   TENON_OWN_KERNELS      1: the CPU device runs the kernels that Tenon has for GPUs; 0: on GPUs, the routines of the
 *                          device's libraries factor small matrices and compute axpy, scal and nrm2
 */
#ifndef TENON_CONTEXT_H
#define TENON_CONTEXT_H

#include <tenon/status.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tenon_context tenon_context;
typedef struct tenon_device tenon_device;

#define TENON_LOG_ERROR 1
#define TENON_LOG_WARNING 2
#define TENON_LOG_INFO 3
#define TENON_LOG_DEBUG 4

/* Receives a log line (UTF-8, no newline). Runs on the thread that logs, without a lock held; it may call Tenon. It
 * must not let an exception escape; one that escapes is dropped. */
typedef void (*tenon_log_fn)(void* user, TENON_ENUM(LOG) int32_t level, const char* message TENON_TEXT);
/* Destroys a user pointer. Runs exactly once if the call that received it succeeded, and never if that call failed.
 * Runs without a lock held, on the thread of the call that drops the last use of the pointer. It may call Tenon; that
 * does not change the error record of the call that runs it. It must not let an exception escape: one that escapes is
 * dropped and logged as an error of the context, except those of log_destroy, after which there is no log, and of
 * plug-ins' functions (plugin.h), which belong to no context. */
typedef void (*tenon_destroy_fn)(void* user);

#define TENON_CACHE_DEFAULT 0     /* read and write, unless TENON_CACHE in the environment says otherwise */
#define TENON_CACHE_OFF 1         /* nothing is read or written on disk; programs are shared within the process */
#define TENON_CACHE_READ_ONLY 2   /* use existing entries, add none */
#define TENON_CACHE_NO_COMPILE 3  /* as READ_ONLY, and a program that is not in the cache is TENON_ERROR_NOT_FOUND */

#define TENON_CONTEXT_NO_STREAM_TRACKING 1u /* buffers do not order streams: the caller records and waits for every
                                               event, releases an array only when all work on streams other than the one
                                               it was made on is complete, and an imported array only when all work on
                                               it is complete; a graph is launched on one stream only */
#define TENON_CONTEXT_NO_POOL 2u            /* every allocation is separate, for memory checkers */
#define TENON_CONTEXT_DEBUG_SYNC 4u         /* waits after each launch and operation, so that a fault is reported by the
                                               call that caused it; also $TENON_DEBUG_SYNC=1 */
#define TENON_CONTEXT_NVTX 8u               /* NVTX ranges around launches and operations, if a profiler is attached;
                                               also $TENON_NVTX=1 */
#define TENON_CONTEXT_DETERMINISTIC 16u     /* an operation of a package (plugin.h) whose contract does not promise the
                                               same bits on every run is refused (UNSUPPORTED), tuning records are
                                               ignored, and products (linalg.h) are not tuned. Even without this flag
                                               products, factorisations, transforms, reductions and scans give the same
                                               bits on every run, on one device with one version of its libraries; also
                                               $TENON_DETERMINISTIC=1 */
#define TENON_CONTEXT_SIGNED_PACKAGES 32u   /* packages (plugin.h) must be signed by a trusted key; also
                                               $TENON_SIGNED_PACKAGES=1 */
#define TENON_CONTEXT_DEFERRED_ERRORS 64u   /* the calls that solve.h lists do not wait; a matrix that is singular, not
                                               positive definite or not finite is reported by the call that waits for
                                               the stream; also $TENON_DEFERRED_ERRORS=1 */
#define TENON_CONTEXT_CHECK_FINITE 128u     /* products and transforms (linalg.h, blas.h, fft.h) check their operands,
                                               and NaN or infinity in one is NOT_FINITE; not while a graph is recorded,
                                               and not for float8; also $TENON_CHECK_FINITE=1 */
#define TENON_CONTEXT_NO_SIGNALS 512u       /* leave the process's signal handlers alone. Otherwise the first program
                                               loaded for the CPU device installs handlers for SIGSEGV, SIGBUS, SIGFPE
                                               and SIGILL, so that a kernel that accesses a bad address, or overflows
                                               its stack, ends its launch (KERNEL_FAULT) and not the process. They act
                                               only on threads that are inside a kernel, and pass all other signals to
                                               the handlers installed before; also $TENON_NO_SIGNALS=1 */

#define TENON_CONTEXT_PRIVATE_STREAM 256u   /* a NULL stream is Tenon's own non-blocking stream on each CUDA device, not
                                               the legacy default stream; also $TENON_PRIVATE_STREAM=1 */

/* Allocates memory of a device for work on a stream (a CUstream; 0 on the CPU), as PyTorch's and RMM's allocators do:
 * work enqueued on that stream from now on may use it. The address is a multiple of 256 on CUDA, of 64 on the CPU.
 * Returns 0 on success; any other value means that there is no memory, and *out_data is ignored. Runs on any thread; it
 * must not call Tenon, nor let an exception escape, which counts as no memory. */
typedef int32_t (*tenon_allocate_fn)(void* user, TENON_ENUM(DEVICE) int32_t device_kind, int32_t device_index,
                                     uint64_t bytes, uint64_t stream, void** out_data);
/* Frees memory that the allocate function returned, with the same number of bytes: work enqueued on `stream` from now
 * on may reuse it. Otherwise as tenon_allocate_fn. */
typedef void (*tenon_deallocate_fn)(void* user, TENON_ENUM(DEVICE) int32_t device_kind, int32_t device_index,
                                    void* data, uint64_t bytes, uint64_t stream);

/* The source of memory of kind TENON_MEMORY_DEVICE. A context can be given an allocator (options), a device too
 * (tenon_device_use_allocator), and a device can lend its own (tenon_device_allocator). */
typedef struct tenon_allocator {
  uint32_t struct_size;
  uint32_t reserved;
  tenon_allocate_fn allocate;
  tenon_deallocate_fn deallocate;
  TENON_NULLABLE TENON_BORROWED(allocator) void* user; /* lives until destroy */
  TENON_NULLABLE tenon_destroy_fn destroy;             /* destroys user */
} tenon_allocator;

/* For an option left at its default, the environment variables listed at the top of this file are read. */
typedef struct tenon_context_options {
  uint32_t struct_size;
  TENON_FLAGS(CONTEXT) uint32_t flags;
  TENON_NULLABLE const char* cache_directory TENON_TEXT; /* default: $TENON_CACHE_DIR, then $XDG_CACHE_HOME/tenon, then
                                                            ~/.cache/tenon */
  uint64_t cache_limit_bytes;   /* default: 2 GiB; least recently used entries are removed first */
  TENON_ENUM(CACHE) int32_t cache_mode;
  TENON_ENUM(LOG) int32_t log_level;           /* 0: the default, TENON_LOG_WARNING */
  TENON_NULLABLE tenon_log_fn log;             /* default: lines go to stderr */
  TENON_NULLABLE void* log_user;
  TENON_NULLABLE tenon_destroy_fn log_destroy; /* called with log_user when the context closes; not if creating the
                                                  context fails: the caller then keeps log_user */
  double kernel_timeout_seconds; /* limit for a launch in TENON_PROGRAM_MODE_CHECK on the CPU, which is then a
                                    KERNEL_FAULT; default: $TENON_KERNEL_TIMEOUT, then 60; negative (or 0 in the
                                    environment): no limit */
  uint64_t memory_limit_bytes;  /* per device, default: none */
  TENON_NULLABLE const char* plugin_path TENON_TEXT; /* absolute directories, separated by colons, in which packages are
                                                        found by name; default: $TENON_PLUGIN_PATH */
  TENON_NULLABLE const char* tuning_directory TENON_TEXT; /* for tuning records (plugin.h); default: $TENON_TUNING_DIR,
                                                             then $XDG_DATA_HOME/tenon/tuning, then
                                                             ~/.local/share/tenon/tuning */
  TENON_NULLABLE const tenon_allocator* allocator; /* for the devices' memory, instead of Tenon's own pools; copied. Its
                                                      destroy runs after the context has closed, and not if creating the
                                                      context fails */
} tenon_context_options;

/* The process-default context as an owned reference; made on first use. */
TENON_API int32_t tenon_context_default(TENON_OUT TENON_OWNED tenon_context** out_context);
/* Creates a separate context. Statuses: INVALID_ARGUMENT (an option), OUT_OF_MEMORY. Without a CUDA driver the context
 * has only the CPU device. */
TENON_API int32_t tenon_context_create(TENON_NULLABLE const tenon_context_options* options,
                                       TENON_OUT TENON_OWNED tenon_context** out_context);
/* Adds one reference. */
TENON_API int32_t tenon_context_retain(const tenon_context* context);
/* Releases one reference. The context closes when the last object that uses it (an array, a program ...) is released
 * too. */
TENON_API void tenon_context_release(TENON_NULLABLE tenon_context* context);

/* Sets how many threads of this process the CPU device uses, for all contexts: kernels, BLAS and transforms. 0: the
 * value of $TENON_CPU_THREADS, else the number of processors that this process may run on. Work in progress finishes
 * with the old number. INVALID_ARGUMENT: threads is negative or above 4096. */
TENON_API int32_t tenon_cpu_threads_set(int32_t threads);
/* The number of these threads; also the `multiprocessors` of the CPU device. */
TENON_API int32_t tenon_cpu_threads_get(TENON_OUT int32_t* out_threads);

/* Number of devices: the CPU, then every CUDA device that the driver lists. The first call looks for the CUDA
 * driver. */
TENON_API int32_t tenon_context_device_count(TENON_NULLABLE tenon_context* context, TENON_OUT int32_t* out_count);
/* Device `index` of that list. INVALID_ARGUMENT: the index is out of range. */
TENON_API int32_t tenon_context_device_at(TENON_NULLABLE tenon_context* context, int32_t index,
                                          TENON_OUT TENON_OWNED tenon_device** out_device);
/* A device by name: "cpu:0" (or "cpu"), "cuda:1" ("cuda" is "cuda:0"), or "best": cuda:0 if it exists, else cpu:0.
 * NOT_FOUND: no device has that name; the message lists the devices that exist and, for CUDA, says why none was found
 * (no driver, no device, driver too old). */
TENON_API int32_t tenon_context_device(TENON_NULLABLE tenon_context* context, const char* name TENON_TEXT,
                                       TENON_OUT TENON_OWNED tenon_device** out_device);
/* A report as JSON text: devices, toolkit and libraries with their paths and how each was found, compilers, cache
 * directory and counters. Opens no library that was not needed before. */
TENON_API int32_t tenon_context_report(TENON_NULLABLE tenon_context* context,
                                       TENON_OUT TENON_OWNED tenon_blob** out_report);

#define TENON_DEVICE_CPU 1  /* as DLPack's kDLCPU */
#define TENON_DEVICE_CUDA 2 /* as DLPack's kDLCUDA */

/* The properties of a device. The launch limits of the CPU device are those of a mainstream GPU, so that a launch that
 * fits one fits the other. Unknown values are 0. */
typedef struct tenon_device_info {
  uint32_t struct_size;
  TENON_ENUM(DEVICE) int32_t kind;                   /* TENON_DEVICE_* */
  int32_t index;
  int32_t compute_major;          /* compute capability; 0 on the CPU */
  int32_t compute_minor;
  int32_t multiprocessors;        /* on the CPU: tenon_cpu_threads_get */
  int32_t warp_size;
  int32_t max_threads_per_block;
  int32_t max_block[3];
  int32_t max_grid[3];
  uint64_t shared_per_block;      /* bytes of shared memory per block without opting in to more */
  uint64_t shared_per_block_max;  /* the most per block, with dynamic shared memory */
  uint64_t total_memory;          /* bytes */
  uint64_t free_memory;           /* bytes, now */
  uint64_t l2_bytes;
  int32_t max_threads_per_multiprocessor;
  int32_t driver_version;         /* CUDA: 1000 * major + 10 * minor; 0 on the CPU */
} tenon_device_info;

/* Fills *out_info; its struct_size must be set by the caller. */
TENON_API int32_t tenon_device_get_info(const tenon_device* device, TENON_OUT tenon_device_info* out_info);
/* "cpu:0", "cuda:0". Borrowed. */
TENON_API int32_t tenon_device_name(const tenon_device* device, TENON_OUT const char** out_name);
/* The product: "NVIDIA H200", "AMD EPYC ...". Borrowed. */
TENON_API int32_t tenon_device_description(const tenon_device* device, TENON_OUT const char** out_text);
/* The compiler of the device's kernels, and where it was found: "CUDA 13.0, NVRTC 13.0 from /usr/local/cuda/lib64
 * (toolkit)", "clang 19.1.7 at /usr/bin/clang++-19", or a sentence that says what is missing and what to install.
 * Borrowed. */
TENON_API int32_t tenon_device_toolkit(const tenon_device* device, TENON_OUT const char** out_text);
/* Waits for all work that Tenon enqueued on the device; returns the first fault found. KERNEL_FAULT: a kernel on the
 * CPU device failed. In a context that defers errors, also deferred errors: SINGULAR, NOT_FINITE, NOT_CONVERGED,
 * OVERFLOW. */
TENON_API int32_t tenon_device_synchronize(tenon_device* device);
/* Adds one reference. */
TENON_API int32_t tenon_device_retain(const tenon_device* device);
/* Releases one reference. */
TENON_API void tenon_device_release(TENON_NULLABLE tenon_device* device);

/* Memory statistics of a device's pool, in bytes. */
typedef struct tenon_memory_info {
  uint32_t struct_size;
  uint32_t reserved;
  uint64_t used;          /* in live buffers */
  uint64_t used_peak;
  uint64_t held;          /* allocated from the system, including free blocks */
  uint64_t limit;         /* 0: no limit */
  uint64_t allocations;   /* so far */
} tenon_memory_info;

/* Fills *out_info; its struct_size must be set by the caller. */
TENON_API int32_t tenon_device_get_memory_info(const tenon_device* device, TENON_OUT tenon_memory_info* out_info);
/* Lends the device's memory to other code as an allocator, for example to a plug-in of PyTorch, or a host that creates
 * its own buffers. It uses this device's pool, limit and counters. The functions may be called until destroy(user),
 * which the caller must call once, after freeing all memory. On CUDA the streams must live until then. The allocator's
 * struct_size must be set by the caller. */
TENON_API int32_t tenon_device_allocator(tenon_device* device, TENON_OUT tenon_allocator* out_allocator);
/* Gives the device an allocator for its memory, in place of Tenon's own pool, for example in the default context, which
 * has no options. It is copied. Its destroy runs when the context closes, and not if this call fails. On CUDA,
 * freed blocks of at most 1 MiB are kept for later arrays of the same stream; tenon_device_trim_memory gives them back.
 * INVALID_ARGUMENT: a function is missing. UNSUPPORTED: the device has an allocator already, or has allocated memory.
 * Since level 1.1. */
TENON_API int32_t tenon_device_use_allocator(tenon_device* device, const tenon_allocator* allocator);
/* Returns free blocks to the system, keeping at most keep_bytes. */
TENON_API int32_t tenon_device_trim_memory(tenon_device* device, uint64_t keep_bytes);
/* Sets how many bytes the device's live buffers may take together; 0: no limit. It replaces the context's
 * memory_limit_bytes for this device. Existing buffers stay, even if they exceed the limit: the next allocation is then
 * OUT_OF_MEMORY. */
TENON_API int32_t tenon_device_limit_memory(tenon_device* device, uint64_t bytes);

#ifdef __cplusplus
}
#endif
#endif
