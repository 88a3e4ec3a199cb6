/* tenon/kernel.h: CUDA C source -> program -> kernel -> launch, on a GPU and on the CPU alike.
 *
 *   tenon_program_create(device, source, strlen(source), &options, &program);   options.kernels names "scale"
 *   tenon_program_kernel(program, "scale", &kernel);
 *   tenon_launch launch = {sizeof launch, {blocks, 1, 1}, {256, 1, 1}};
 *   tenon_arg args[] = {TENON_ARRAY_ARG(x), TENON_F32_ARG(2.0f), TENON_I32_ARG(n)};
 *   tenon_kernel_launch(kernel, &launch, args, 3, NULL);
 *
 * A program is source text compiled for one device: by NVRTC for CUDA, by the host's C++ compiler for the CPU. Compiled
 * programs are kept on disk (context.h), identified by the source, the options, every header that the source includes
 * directly or indirectly, and the compiler. A kernel is native code with the caller's rights, on both devices: it does
 * not run in a sandbox.
 */
#ifndef TENON_KERNEL_H
#define TENON_KERNEL_H

#include <tenon/array.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tenon_program tenon_program;
typedef struct tenon_kernel tenon_kernel;
typedef struct tenon_call tenon_call;

#define TENON_PROGRAM_MODE_FAST 0   /* optimised */
#define TENON_PROGRAM_MODE_DEBUG 1  /* -O0 with debug information; on the CPU a debugger can step through it */
#define TENON_PROGRAM_MODE_CHECK 2  /* CPU: undefined behaviour and faults become errors that name block and thread;
                                       CUDA: adds line information */
/* Check mode on the CPU also reports:
 * - Accesses outside the arrays that the kernel was given, if all its arguments are arrays and numbers. If an argument
 *   is a view, the elements of its array that the view leaves out count as outside (with TENON_ARG_STRIDED they count
 *   as inside). A kernel that has to reach further takes a raw pointer.
 * - Accesses outside static and dynamic shared memory.
 * - Races on shared memory: an access to what another thread wrote, or a write to what another thread read, without a
 *   barrier, a fence or, within a warp, an operation of its lanes between the two.
 * - Shuffles from lanes that do not take part.
 * It does not detect an access that ends inside another array of the launch or another shared variable, or more than
 * 64 KiB away from all of them. It does not check accesses outside arrays in generated kernels, in a launch with a raw
 * pointer, a struct or a pointer to a struct, or where an argument, a variable of the program or an element of an array
 * may be the intended address. The launch itself returns the fault; it is not kept as the stream's fault. The option
 * "--no-check=race,overflow" leaves checks out; the names are alignment, barrier, bounds, cast, division, memory, null,
 * overflow, race, shift, shuffle, value. */

#define TENON_PROGRAM_FLAG_FAST_MATH 1u     /* approximate division, sqrt and functions, denormals flushed (NVRTC
                                               --use_fast_math) */
#define TENON_PROGRAM_FLAG_REVERSE_ORDER 2u /* CPU: run the threads of a block last to first, which shows missing
                                               barriers */
#define TENON_PROGRAM_FLAG_NO_CACHE 4u      /* compile even if the program is cached, and replace the entry */
#define TENON_PROGRAM_FLAG_TRUSTED 8u       /* the images among the inputs (program.h) may be run: their code gets the
                                               caller's rights */

typedef struct tenon_program_options {
  uint32_t struct_size;
  TENON_FLAGS(PROGRAM_FLAG) uint32_t flags;                     /* TENON_PROGRAM_FLAG_FAST_MATH ... */
  TENON_NULLABLE const char* name TENON_TEXT; /* name of the source, for messages; default "kernel.cu" */
  TENON_NULLABLE TENON_LENGTH(kernel_count) const char* const* kernels TENON_TEXT; /* kernel_count names or template
                                                                                      instances: "saxpy", "axpy<float>",
                                                                                      "ns::k<int, 4>" */
  int32_t kernel_count;
  int32_t header_count;
  TENON_NULLABLE TENON_LENGTH(header_count) const char* const* header_names TENON_TEXT; /* headers passed as text:
                                                                                           #include "name" finds these
                                                                                           first */
  TENON_NULLABLE TENON_LENGTH(header_count) const char* const* header_sources TENON_TEXT;
  TENON_NULLABLE TENON_LENGTH(option_count) const char* const* options TENON_TEXT; /* passed to the compiler: -D, -I,
                                                                                      -U, -std=, and its own */
  int32_t option_count;
  TENON_ENUM(PROGRAM_MODE) int32_t mode;                       /* TENON_PROGRAM_MODE_FAST ... */
  TENON_NULLABLE const char* architecture TENON_TEXT; /* CUDA: an architecture such as "sm_90" to compile for instead of
                                                         the device's own; such a program cannot be run. CPU:
                                                         "x86-64-v2", "x86-64-v3", "x86-64-v4" or "native" (the
                                                         instructions of this processor), which is the default unless
                                                         $TENON_CPU_ISA says otherwise. A processor to schedule the code
                                                         for may follow: ",tune=znver4". UNSUPPORTED: the processor
                                                         lacks the instructions. The results are the same from v3 on; v2
                                                         has no fused multiply-add, so that a * b + c is rounded
                                                         twice */
  TENON_NULLABLE TENON_LENGTH(global_count) const char* const* globals TENON_TEXT; /* global_count __device__ and
                                                                                      __constant__ variables for
                                                                                      tenon_program_global: "table",
                                                                                      "ns::scale" */
  int32_t global_count;
  uint32_t reserved;
  double time_limit;                  /* seconds that compiling may take; 0: five minutes. A compile that takes longer
                                         is ended: COMPILE. If a limit is given, NVRTC too runs in a separate process,
                                         which can be ended at once */
} tenon_program_options;

/* Compiles `size` bytes of CUDA C (or finds the program in the cache). tenon_program_kernel returns the kernels named
 * in the options; they share the program's __device__ and __constant__ variables. Without names the source is compiled
 * all the same, so that its errors are reported here. COMPILE: the text has the first error, the record has the whole
 * log with the user's line numbers. MISSING_LIBRARY: there is no compiler; the text says what to install. UNSUPPORTED:
 * this processor lacks instructions of options.architecture or $TENON_CPU_ISA. CANCELLED: the function of
 * tenon_interrupt_set requested it, or the process is ending.
 * On the CPU, in fast mode, a kernel that consists only of grid-stride loops along x (i = blockIdx.x * blockDim.x +
 * threadIdx.x; i < n; i += gridDim.x * blockDim.x) runs their iterations in the order of i, that is of memory, if the
 * compiler can prove that nothing else depends on the thread. Each thread still runs its own iterations in their order.
 * The same holds for the first such loop of any kernel if the loop changes only variables of its thread (sum += x[i])
 * and the compiler can prove that all threads reach it in the same way with nothing done before it. A bounds check at
 * the beginning of a kernel is decided for a row of threads before they run. The word TENON_PLAIN_LOOPS anywhere in the
 * source or the options (-DTENON_PLAIN_LOOPS) leaves all loops and checks as they are written. */
TENON_API int32_t tenon_program_create(tenon_device* device, TENON_LENGTH(size) const char* source, uint64_t size,
                                       TENON_NULLABLE const tenon_program_options* options,
                                       TENON_OUT TENON_OWNED tenon_program** out_program);
/* A call that compiles calls this function every few milliseconds, on the thread that made the call; a result other
 * than 0 ends the compiler, and the call returns CANCELLED. The function must not call Tenon. */
typedef int32_t (*tenon_interrupt_fn)(void* user);
/* Sets the process's one interrupt function, or none (NULL). It is for hosts that handle Ctrl-C themselves and could
 * not respond to it while a call of Tenon compiles. It replaces the previous function, which a call in progress may
 * still call once more. */
TENON_API int32_t tenon_interrupt_set(TENON_NULLABLE tenon_interrupt_fn interrupt, TENON_NULLABLE void* user);
/* The compiler's log: the warnings of a program that compiled. Borrowed; "" if there were none. */
TENON_API int32_t tenon_program_log(const tenon_program* program, TENON_OUT const char** out_text);

#define TENON_IMAGE_BINARY 1 /* the image that is loaded: a cubin, or the CPU's shared object */
#define TENON_IMAGE_PTX 2    /* CUDA only */

/* The compiled image. kind: TENON_IMAGE_*. UNSUPPORTED: the program has no PTX (it is for the CPU, or was made from a
 * cubin). */
TENON_API int32_t tenon_program_image(const tenon_program* program, TENON_ENUM(IMAGE) int32_t kind,
                                      TENON_OUT TENON_OWNED tenon_blob** out_image);
/* A kernel of the program by the name or template instance given in the options. NOT_FOUND: the program has no such
 * kernel; the text lists its kernels. */
TENON_API int32_t tenon_program_kernel(tenon_program* program, const char* name TENON_TEXT,
                                       TENON_OUT TENON_OWNED tenon_kernel** out_kernel);
/* A __device__ or __constant__ variable of the loaded program as an array that shares its memory: later launches of the
 * kernels named in the options read what is written to the array (by tenon_array_set_from_host, tenon_array_copy ...).
 * A variable listed in the options' globals (it must have external linkage) has the dtype that the compiler reports and
 * the shape of its C array, rank 0 for a single value; a vector or complex type adds a last axis for its lanes, any
 * other struct a last axis for its bytes (uint8); the array is read-only if the variable is const. Any other variable
 * that the compiler kept is returned as its bytes, read-only: uint8, rank 1. A launch of the program's kernels counts
 * as a use of each listed variable on its stream, as it does for array arguments; for a variable that is not listed
 * this holds from the first such call on, and that call waits for the device. The array keeps the loaded image alive.
 * NOT_FOUND: the program has no variable of that name. */
TENON_API int32_t tenon_program_global(tenon_program* program, const char* name TENON_TEXT,
                                       TENON_OUT TENON_OWNED tenon_array** out_array);
/* The device that the program was made for, as a new reference. */
TENON_API int32_t tenon_program_device(const tenon_program* program, TENON_OUT TENON_OWNED tenon_device** out_device);
/* Adds one reference. */
TENON_API int32_t tenon_program_retain(const tenon_program* program);
/* Releases one reference. Kernels keep their program alive. */
TENON_API void tenon_program_release(TENON_NULLABLE tenon_program* program);

#define TENON_PARAMETER_SCALAR 1  /* an arithmetic type, given by dtype */
#define TENON_PARAMETER_POINTER 2 /* dtype: that of the elements (a vector type has lanes); 0 if no dtype fits */
#define TENON_PARAMETER_STRUCT 3  /* anything else, passed by value; see size and alignment */
#define TENON_PARAMETER_UNKNOWN 4 /* for a kernel from an image that does not describe it: only the size is known */

typedef struct tenon_parameter_info {
  uint32_t struct_size;
  TENON_ENUM(PARAMETER) int32_t kind;          /* TENON_PARAMETER_* */
  uint32_t dtype;        /* 0: none fits (void*, a struct) */
  TENON_YES_NO uint32_t read_only;    /* 1: a pointer to const, through which the kernel only reads */
  uint32_t size;         /* bytes of the parameter */
  uint32_t alignment;
  uint32_t element_size; /* bytes of the type that a pointer points at; 0 for void */
  uint32_t reserved;
} tenon_parameter_info;

/* Number of parameters. */
TENON_API int32_t tenon_kernel_parameter_count(const tenon_kernel* kernel, TENON_OUT int32_t* out_count);
/* Parameter `index`, as the compiler sees it. The info's struct_size must be set by the caller. */
TENON_API int32_t tenon_kernel_get_parameter_info(const tenon_kernel* kernel, int32_t index,
                                                  TENON_OUT tenon_parameter_info* out_info);
/* The name with which the kernel was requested. Borrowed. */
TENON_API int32_t tenon_kernel_name(const tenon_kernel* kernel, TENON_OUT const char** out_name);

/* The program that the kernel belongs to, as a new reference. */
TENON_API int32_t tenon_kernel_program(const tenon_kernel* kernel, TENON_OUT TENON_OWNED tenon_program** out_program);
/* The device of that program, as a new reference. */
TENON_API int32_t tenon_kernel_device(const tenon_kernel* kernel, TENON_OUT TENON_OWNED tenon_device** out_device);

/* How the CPU device runs the threads of a block. More bits may be added; none is set on CUDA. */
#define TENON_EXECUTION_LOOP 1u     /* one after another, as a loop: the fastest form */
#define TENON_EXECUTION_REGIONS 2u  /* as several such loops, each from one block barrier to the next */
#define TENON_EXECUTION_FIBERS 4u   /* each on its own stack; block barriers switch between the stacks */
#define TENON_EXECUTION_WARPS 8u    /* each on its own stack, scheduled so that the lanes of a warp meet in warp
                                       operations */
#define TENON_EXECUTION_IN_ORDER 16u /* with grid-stride loops run in memory order (tenon_program_create) */
#define TENON_EXECUTION_SIDE_BY_SIDE 32u /* with loops that several threads run at once, each in its own order */

/* Properties of a kernel as reported by the compiler and the device; on the CPU fields without a meaning are 0. */
typedef struct tenon_kernel_info {
  uint32_t struct_size;
  int32_t max_threads_per_block;
  int32_t registers;
  TENON_FLAGS(EXECUTION) uint32_t execution; /* TENON_EXECUTION_* */
  uint64_t shared_bytes;     /* static */
  uint64_t constant_bytes;
  uint64_t local_bytes;      /* per thread */
  uint64_t dynamic_shared_bytes; /* the most dynamic shared memory that a launch may request, on every device */
  int32_t ptx_version;       /* the virtual architecture that it was compiled for: 90 is compute_90 */
  int32_t binary_version;    /* the architecture of its machine code: 90 is sm_90 */
  TENON_YES_NO int32_t cache_mode_ca; /* 1: loads from global memory are cached in L1 (-Xptxas --dlcm=ca) */
  int32_t shared_carveout;   /* what tenon_kernel_prefer_shared set; -1: nothing, or the device's choice */
} tenon_kernel_info;

/* Fills *out_info; its struct_size must be set by the caller. Loads the program on its device. */
TENON_API int32_t tenon_kernel_get_info(tenon_kernel* kernel, TENON_OUT tenon_kernel_info* out_info);
/* Asks for a percentage of a multiprocessor's L1 cache, 0 to 100, to be shared memory while the kernel runs; -1 leaves
 * it to the device, as at first. It is a hint: the device rounds it up to what it supports, and gives a launch at least
 * the shared memory that it needs. It belongs to the kernel of that program, whichever handle it was set through, and
 * holds for later launches; no stream takes part. The CPU keeps it, without an effect. Loads the program on its device.
 * INVALID_ARGUMENT: another percentage. */
TENON_API int32_t tenon_kernel_prefer_shared(tenon_kernel* kernel, int32_t percent);
/* Adds one reference. */
TENON_API int32_t tenon_kernel_retain(const tenon_kernel* kernel);
/* Releases one reference. */
TENON_API void tenon_kernel_release(TENON_NULLABLE tenon_kernel* kernel);

#define TENON_LAUNCH_COOPERATIVE 1u /* all blocks run at the same time, so that they may wait for each other */
/* Programmatic dependent launch: the kernel may begin while the kernel launched before it on the stream still runs, as
 * soon as all blocks of that kernel have ended or called cudaTriggerProgrammaticLaunchCompletion(). It must call
 * cudaGridDependencySynchronize() before it accesses memory that the earlier kernel reads or writes (both functions are
 * in <cuda_device_runtime_api.h>), and before it writes an array that was created since: the array may have got memory
 * that was just freed and that the earlier kernel may still read. CUDA 9.0 and later; elsewhere, and on the CPU, it has
 * no effect. */
#define TENON_LAUNCH_PROGRAMMATIC 2u

/* Launch geometry. A zero in grid or block counts as 1. */
typedef struct tenon_launch {
  uint32_t struct_size;
  TENON_FLAGS(LAUNCH) uint32_t flags;         /* TENON_LAUNCH_* */
  uint32_t grid[3];       /* blocks */
  uint32_t block[3];      /* threads per block */
  uint32_t cluster[3];    /* blocks per cluster; 0: none. The CPU device, and compute capability 9.0 and later */
  uint32_t shared_bytes;  /* dynamic shared memory; more than 48 KiB needs no special setting */
} tenon_launch;

/* Launches the kernel. The call is refused before anything runs, with an error that names the argument, for a wrong
 * count, kind, dtype, device or size; a read-only array that the kernel may write; an array that is not contiguous;
 * geometry over a limit (the error names the limit). A pointer parameter takes an array of its own dtype; float4* and
 * other vectors take an array of the lanes' dtype (rank and alignment permitting), float2* also complex64; void*, char*
 * and unsigned char* take any dtype; a pointer to a struct takes bytes (uint8, int8), a whole number of structs.
 * Scalars must have exactly the parameter's type; a vector passed by value takes its own dtype (float2 also complex64)
 * or BYTES; an enum takes integers of its size. A parameter of which only the size is known takes any argument of that
 * size: an array (which then counts as written, and must not be read-only) or a pointer if it has 8 bytes, a scalar,
 * BYTES. DEVICE_LOST and KERNEL_FAULT of earlier work on the stream may be returned here. Statuses: DTYPE, LAYOUT,
 * READ_ONLY: see above; SHAPE: bytes that are no whole number of structs; UNSUPPORTED: clusters on a device without
 * them. */
TENON_API int32_t tenon_kernel_launch(tenon_kernel* kernel, const tenon_launch* launch,
                                      TENON_NULLABLE TENON_LENGTH(count) const tenon_arg* args,
                                      int32_t count, TENON_NULLABLE tenon_stream* stream);

/* How many blocks of block_threads threads with shared_bytes of dynamic shared memory one multiprocessor runs at the
 * same time; 0: such a block does not fit. On the CPU a multiprocessor is one worker thread, which runs one block at a
 * time: the result is 1 or 0. Geometry that no device could launch (0 threads) is INVALID_ARGUMENT. */
TENON_API int32_t tenon_kernel_occupancy(tenon_kernel* kernel, uint32_t block_threads, uint64_t shared_bytes,
                                         TENON_OUT int32_t* out_blocks_per_multiprocessor);
/* The block size that keeps the most threads of a multiprocessor busy (the larger one if two are equal), and the
 * smallest number of blocks of that size that fills the device. The CPU is equally fast with any block size that leaves
 * every worker some blocks: it suggests 256 threads, or as many as the kernel's limit allows, and one block per worker.
 * UNSUPPORTED: no block fits with that much shared memory. */
TENON_API int32_t tenon_kernel_suggest(tenon_kernel* kernel, uint64_t shared_bytes, TENON_OUT uint32_t* out_block,
                                       TENON_OUT uint32_t* out_min_grid);
/* Fills in launch->grid so that there is a thread for each of `count` elements along x: element blockIdx.x * blockDim.x
 * + threadIdx.x, which the kernel must compare with the count. launch->block is kept if its x is not 0 (y and z must be
 * 0 or 1); otherwise it becomes the suggested size for launch->shared_bytes. There is at least one block.
 * INVALID_ARGUMENT: more blocks than the device supports; use a grid-stride loop instead. UNSUPPORTED: no block fits
 * the device with that much shared memory. The launch's struct_size must be set by the caller. */
TENON_API int32_t tenon_launch_for(tenon_kernel* kernel, uint64_t count, tenon_launch* launch);
/* Launches as tenon_kernel_launch does, waits, and returns how long the device took: from the time when the stream
 * reaches the launch (after waiting for earlier uses of the arrays) to the end of the kernel. Measured by events on a
 * GPU, to about a microsecond; by the clock on the CPU. The program is loaded before. A fault of the kernel is returned
 * here. Statuses: as for tenon_kernel_launch; UNSUPPORTED: on a stream that records a graph. */
TENON_API int32_t tenon_kernel_time(tenon_kernel* kernel, const tenon_launch* launch,
                                    TENON_NULLABLE TENON_LENGTH(count) const tenon_arg* args,
                                    int32_t count, TENON_NULLABLE tenon_stream* stream,
                                    TENON_OUT double* out_seconds);

/* A call: geometry and arguments that are checked and packed once, then launched any number of times at the speed of
 * the driver. It launches a kernel, or an operation of a package (tenon_operation_bind), whose temporaries it owns. It
 * holds references to its arrays; their contents may change between launches. One call may not be launched or changed
 * from two threads at once; clone it. */

/* Makes a call of a kernel. Statuses as for tenon_kernel_launch. */
TENON_API int32_t tenon_call_create(tenon_kernel* kernel, const tenon_launch* launch,
                                    TENON_NULLABLE TENON_LENGTH(count) const tenon_arg* args,
                                    int32_t count, TENON_OUT TENON_OWNED tenon_call** out_call);
/* Replaces argument `index`, with the same checks; the call is unchanged after a failure. INVALID_ARGUMENT: there is
 * no such argument. An operation is bound again, which takes as long as tenon_operation_bind. DTYPE: not that of the
 * parameter. */
TENON_API int32_t tenon_call_set(tenon_call* call, int32_t index, const tenon_arg* arg);
/* Replaces all arguments at once: for an operation whose arrays change their shapes together. */
TENON_API int32_t tenon_call_set_args(tenon_call* call, TENON_NULLABLE TENON_LENGTH(count) const tenon_arg* args,
                                      int32_t count);
/* Replaces the geometry of a call of a kernel. Statuses as for tenon_kernel_launch; INVALID_ARGUMENT also: the call is
 * of an operation, whose geometry follows from its arguments. */
TENON_API int32_t tenon_call_set_launch(tenon_call* call, const tenon_launch* launch);
/* Launches the call. DEVICE_LOST and KERNEL_FAULT of earlier work on the stream may be returned here. DEVICE: the
 * stream belongs to another device. */
TENON_API int32_t tenon_call_launch(tenon_call* call, TENON_NULLABLE tenon_stream* stream);
/* An independent copy. The copy of an operation's call has its own temporaries, which are made on the default
 * stream. */
TENON_API int32_t tenon_call_clone(const tenon_call* call, TENON_OUT TENON_OWNED tenon_call** out_call);
/* The kernel that the call launches, as a new reference. INVALID_ARGUMENT: the call is of an operation. */
TENON_API int32_t tenon_call_kernel(const tenon_call* call, TENON_OUT TENON_OWNED tenon_kernel** out_kernel);
/* Adds one reference. */
TENON_API int32_t tenon_call_retain(const tenon_call* call);
/* Releases one reference. */
TENON_API void tenon_call_release(TENON_NULLABLE tenon_call* call);

/* The name of parameter `index` in the source: taken from a declaration of the kernel, in the source or in a header
 * passed with it, that matches the parameters which the compiler reports. "" if there is no such declaration, if two
 * differ, or if the program is an image. It is used only in messages about arguments. Borrowed. */
TENON_API int32_t tenon_kernel_parameter_name(const tenon_kernel* kernel, int32_t index,
                                              TENON_OUT const char** out_name);

#ifdef __cplusplus
}
#endif
#endif
