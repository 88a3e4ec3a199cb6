/* tenon/kernel.h: CUDA C source -> program -> kernel -> launch, on a GPU and on the CPU alike.
 *
 *   tenon_program_create(device, source, strlen(source), &options, &program);   options.kernels names "scale"
 *   tenon_program_kernel(program, "scale", &kernel);
 *   tenon_launch launch = {sizeof launch, {blocks, 1, 1}, {256, 1, 1}};
 *   tenon_arg args[] = {TENON_ARRAY_ARG(x), TENON_F32_ARG(2.0f), TENON_I32_ARG(n)};
 *   tenon_kernel_launch(kernel, &launch, args, 3, NULL);
 *
 * A program is source text compiled for one device: by NVRTC for CUDA, by the host's C++ compiler for the CPU. Compiled
 * programs are kept on disk (context.h) and found again by the content of the source, the options, every header that
 * can be reached from it, and the compiler. A kernel is native code with the caller's rights, on both devices: it is no
 * sandbox.
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
#define TENON_PROGRAM_MODE_DEBUG 1  /* -O0 with debug information; on the CPU a debugger can step it */
#define TENON_PROGRAM_MODE_CHECK 2  /* CPU: undefined behaviour and faults become errors that name block and thread;
                                       CUDA: line information */
/* Accesses beside an array that the kernel was given are such errors too, where all its arguments are arrays and
 * numbers: of an array of which a view was given, what the view does not show lies beside it (of TENON_ARG_STRIDED,
 * nothing of the array does). A kernel that means to reach further takes a raw pointer. So are accesses beside static
 * and dynamic shared memory. Not seen is an access that ends up inside another array of the launch or another shared
 * variable, or more than 64 KiB away from all of them; and nothing beside arrays is looked at in generated kernels, and
 * in a launch with a raw pointer, a struct or a pointer to one, or where an argument, a variable of the program or an
 * element of an array may be the address that was meant. So are races on shared memory (an access to what another
 * thread wrote, or a write to what one read, with no barrier, fence or, within a warp, operation of its lanes between
 * the two) and shuffles from lanes that take no part. The launch itself returns the fault, which is not the stream's.
 * "--no-check=race,overflow" among the options leaves checks out: alignment, barrier, bounds, cast, division, memory,
 * null, overflow, race, shift, shuffle, value. */

#define TENON_PROGRAM_FLAG_FAST_MATH 1u     /* approximate division, sqrt and functions, denormals flushed (NVRTC
                                               --use_fast_math) */
#define TENON_PROGRAM_FLAG_REVERSE_ORDER 2u /* CPU: run the threads of a block last to first, which shows missing
                                               barriers */
#define TENON_PROGRAM_FLAG_NO_CACHE 4u      /* compile even if it is cached, and replace the entry */
#define TENON_PROGRAM_FLAG_TRUSTED 8u       /* the images among the inputs (program.h) may be run: whoever made them has
                                               the caller's rights */

typedef struct tenon_program_options {
  uint32_t struct_size;
  TENON_FLAGS(PROGRAM_FLAG) uint32_t flags;                     /* TENON_PROGRAM_FLAG_FAST_MATH ... */
  TENON_NULLABLE const char* name TENON_TEXT; /* of the source, for messages; default "kernel.cu" */
  TENON_NULLABLE TENON_LENGTH(kernel_count) const char* const* kernels TENON_TEXT; /* kernel_count names or template
                                                                                      instances: "saxpy", "axpy<float>",
                                                                                      "ns::k<int, 4>" */
  int32_t kernel_count;
  int32_t header_count;
  TENON_NULLABLE TENON_LENGTH(header_count) const char* const* header_names TENON_TEXT; /* headers given as text:
                                                                                           #include "name" finds them
                                                                                           first */
  TENON_NULLABLE TENON_LENGTH(header_count) const char* const* header_sources TENON_TEXT;
  TENON_NULLABLE TENON_LENGTH(option_count) const char* const* options TENON_TEXT; /* passed to the compiler: -D, -I,
                                                                                      -U, -std=, and its own */
  int32_t option_count;
  TENON_ENUM(PROGRAM_MODE) int32_t mode;                       /* TENON_PROGRAM_MODE_FAST ... */
  TENON_NULLABLE const char* architecture TENON_TEXT; /* CUDA: compile for "sm_90" and the like instead of the device's
                                                         own; such a program is not run. CPU: "x86-64-v2", "x86-64-v3",
                                                         "x86-64-v4" or "native", the default unless $TENON_CPU_ISA says
                                                         otherwise: what this process can run. ",tune=znver4" may
                                                         follow, a processor to schedule the code for. UNSUPPORTED where
                                                         the processor lacks it. The results are the same from v3 on; v2
                                                         has no fused multiply-add, so a * b + c is rounded twice */
  TENON_NULLABLE TENON_LENGTH(global_count) const char* const* globals TENON_TEXT; /* global_count __device__ and
                                                                                      __constant__ variables for
                                                                                      tenon_program_global: "table",
                                                                                      "ns::scale" */
  int32_t global_count;
  uint32_t reserved;
  double time_limit;                  /* seconds that compiling may take; 0: five minutes. One that takes longer is
                                         ended: COMPILE.
                                       * With a limit given, NVRTC too runs in a process of its own, where it can be
                                       ended at once */
} tenon_program_options;

/* Compiles `size` bytes of CUDA C (or finds them in the cache). tenon_program_kernel gives the kernels named in the
 * options; they share the program's __device__ and __constant__ variables. With no names the text is compiled all the
 * same, so that a fault shows here. COMPILE: the text says the first error, the record has the whole log with the
 * user's line numbers. MISSING_LIBRARY: no compiler; the text says what to install. CANCELLED:
 * the function of tenon_interrupt_set asked for it, or the process is ending.
 * On the CPU, in the fast mode, a kernel that does nothing but loops over the grid along x (i = blockIdx.x * blockDim.x
 * + threadIdx.x; i < n; i += gridDim.x * blockDim.x) runs their iterations in the order of i, where the compiler can
 * prove that nothing else depends on the thread: each thread has its own iterations in their order, as always, and the
 * memory is not walked in strides. So does the first such loop of any kernel that has no effect but on variables of its
 * thread (sum += x[i]), where the compiler can prove that all threads come to it alike and nothing was done before it.
 * The word TENON_PLAIN_LOOPS anywhere in the source or the options (-DTENON_PLAIN_LOOPS) leaves all loops as they are
 * written. */
TENON_API int32_t tenon_program_create(tenon_device* device, TENON_LENGTH(size) const char* source, uint64_t size,
                                       TENON_NULLABLE const tenon_program_options* options,
                                       TENON_OUT TENON_OWNED tenon_program** out_program);
/* Asked every few milliseconds by a call that compiles, on the thread that made the call; not 0 ends the compiler, and
 * the call returns CANCELLED. It must not call Tenon. */
typedef int32_t (*tenon_interrupt_fn)(void* user);
/* For hosts with a Ctrl-C of their own, which a call that waits would keep from hearing it: the process's one function
 * that is asked, or NULL for none. It replaces the one before it, which may still be asked once more by a call that is
 * under way. */
TENON_API int32_t tenon_interrupt_set(TENON_NULLABLE tenon_interrupt_fn interrupt, TENON_NULLABLE void* user);
/* The compiler's log: warnings of a program that compiled. Borrowed; "" when it said nothing. */
TENON_API int32_t tenon_program_log(const tenon_program* program, TENON_OUT const char** out_text);

#define TENON_IMAGE_BINARY 1 /* what is loaded: a cubin, or the CPU's shared object */
#define TENON_IMAGE_PTX 2    /* CUDA only */

/* The compiled image. kind: TENON_IMAGE_*. UNSUPPORTED: the program has no PTX (one for the CPU, or from a cubin). */
TENON_API int32_t tenon_program_image(const tenon_program* program, TENON_ENUM(IMAGE) int32_t kind,
                                      TENON_OUT TENON_OWNED tenon_blob** out_image);
/* A kernel of the program by the name or template instance given in the options. NOT_FOUND: the program has no such
 * kernel; the text lists those that it has. */
TENON_API int32_t tenon_program_kernel(tenon_program* program, const char* name TENON_TEXT,
                                       TENON_OUT TENON_OWNED tenon_kernel** out_kernel);
/* A __device__ or __constant__ variable of the loaded program as an array that shares its memory: what is written there
 * (tenon_array_set_from_host, tenon_array_copy ...) is what later launches of the kernels named in the options read.
 * One named in the options' globals (it has external linkage) has the compiler's dtype and the shape of its C array,
 * rank 0 for a single value; a vector or complex type adds a last axis of its lanes, another struct one of its bytes
 * (uint8); read-only when it is const. Any other name that the compiler kept gives its bytes, read-only: uint8, rank 1.
 * A launch of the program's kernels counts as a use of each listed variable on its stream, as it does for array
 * arguments; of another name from the first such call on, which waits for the device. The array keeps the loaded image
 * alive. NOT_FOUND: the program has no variable of that name. */
TENON_API int32_t tenon_program_global(tenon_program* program, const char* name TENON_TEXT,
                                       TENON_OUT TENON_OWNED tenon_array** out_array);
/* The device that the program was made for, as a new reference. */
TENON_API int32_t tenon_program_device(const tenon_program* program, TENON_OUT TENON_OWNED tenon_device** out_device);
/* Takes one more reference. */
TENON_API int32_t tenon_program_retain(tenon_program* program);
/* Gives one reference back. Kernels keep their program alive. */
TENON_API void tenon_program_release(TENON_NULLABLE tenon_program* program);

#define TENON_PARAMETER_SCALAR 1  /* an arithmetic type; dtype says which */
#define TENON_PARAMETER_POINTER 2 /* dtype: of what it points at (a vector type has lanes); 0 where no dtype fits */
#define TENON_PARAMETER_STRUCT 3  /* anything else, passed by value: size and alignment count */
#define TENON_PARAMETER_UNKNOWN 4 /* of a kernel from an image that does not describe it: only the size is known */

typedef struct tenon_parameter_info {
  uint32_t struct_size;
  TENON_ENUM(PARAMETER) int32_t kind;          /* TENON_PARAMETER_* */
  uint32_t dtype;        /* 0: none fits (void*, a struct) */
  TENON_YES_NO uint32_t read_only;    /* 1: a pointer to const: the kernel only reads there */
  uint32_t size;         /* bytes of the parameter */
  uint32_t alignment;
  uint32_t element_size; /* bytes of what a pointer points at; 0 for void */
  uint32_t reserved;
} tenon_parameter_info;

/* Number of parameters. */
TENON_API int32_t tenon_kernel_parameter_count(const tenon_kernel* kernel, TENON_OUT int32_t* out_count);
/* Parameter `index`, as the compiler sees it. The info's struct_size must be set by the caller. */
TENON_API int32_t tenon_kernel_get_parameter_info(const tenon_kernel* kernel, int32_t index,
                                                  TENON_OUT tenon_parameter_info* out_info);
/* The name it was asked for by. Borrowed. */
TENON_API int32_t tenon_kernel_name(const tenon_kernel* kernel, TENON_OUT const char** out_name);

/* The program that the kernel belongs to, as a new reference. */
TENON_API int32_t tenon_kernel_program(const tenon_kernel* kernel, TENON_OUT TENON_OWNED tenon_program** out_program);
/* The device of that program, as a new reference. */
TENON_API int32_t tenon_kernel_device(const tenon_kernel* kernel, TENON_OUT TENON_OWNED tenon_device** out_device);

/* How the CPU device runs the threads of a block. More bits may be added; none is set on CUDA. */
#define TENON_EXECUTION_LOOP 1u     /* one after the other, as a loop: the fastest form */
#define TENON_EXECUTION_REGIONS 2u  /* as such loops, each from one block barrier to the next */
#define TENON_EXECUTION_FIBERS 4u   /* each on a stack of its own, which block barriers switch */
#define TENON_EXECUTION_WARPS 8u    /* on such stacks, scheduled so that the lanes of a warp meet in warp operations */
#define TENON_EXECUTION_IN_ORDER 16u /* with grid-stride loops in the order of memory (tenon_program_create) */

/* What the compiler and the device say about a kernel; on the CPU only the fields that mean something are non-zero. */
typedef struct tenon_kernel_info {
  uint32_t struct_size;
  int32_t max_threads_per_block;
  int32_t registers;
  TENON_FLAGS(EXECUTION) uint32_t execution; /* TENON_EXECUTION_* */
  uint64_t shared_bytes;     /* static */
  uint64_t constant_bytes;
  uint64_t local_bytes;      /* per thread */
} tenon_kernel_info;

/* Fills *out_info; its struct_size must be set by the caller. Loads the program on its device. */
TENON_API int32_t tenon_kernel_get_info(tenon_kernel* kernel, TENON_OUT tenon_kernel_info* out_info);
/* Takes one more reference. */
TENON_API int32_t tenon_kernel_retain(tenon_kernel* kernel);
/* Gives one reference back. */
TENON_API void tenon_kernel_release(TENON_NULLABLE tenon_kernel* kernel);

#define TENON_LAUNCH_COOPERATIVE 1u /* all blocks run at once, so that they may wait for each other */
/* Programmatic dependent launch: the kernel may begin while the kernel launched before it on the stream still runs,
 * from where all blocks of that one have ended or called cudaTriggerProgrammaticLaunchCompletion(). It must call
 * cudaGridDependencySynchronize() before it touches what that one reads or writes (both are in
 * <cuda_device_runtime_api.h>), and before it writes an array that was made since: its memory may have been freed only
 * just, and the earlier kernel may still read it. CUDA 9.0 and later; elsewhere, and on the CPU, it has no effect. */
#define TENON_LAUNCH_PROGRAMMATIC 2u

/* Launch geometry. A zero in grid or block counts as 1. */
typedef struct tenon_launch {
  uint32_t struct_size;
  TENON_FLAGS(LAUNCH) uint32_t flags;         /* TENON_LAUNCH_* */
  uint32_t grid[3];       /* blocks */
  uint32_t block[3];      /* threads per block */
  uint32_t cluster[3];    /* blocks per cluster; 0: none. CUDA 9.0 and later only */
  uint32_t shared_bytes;  /* dynamic shared memory; more than 48 KiB needs nothing special */
} tenon_launch;

/* Launches. Refused before anything runs, naming the argument: a wrong count, kind, dtype, device or size; a read-only
 * array where the kernel writes; an array that is not contiguous; geometry over a limit (the limit is named). An array
 * may be given for a pointer to: its own dtype; a vector of it (float4* for float32, rank and alignment permitting);
 * complex64 for float2; any dtype for void*, char* and unsigned char*; bytes (uint8, int8) for a pointer to a struct,
 * as many as whole structs have. Scalars must have exactly the parameter's type; a vector by value takes its own dtype
 * (float2 also complex64) or BYTES; an enum takes integers of its size. A parameter of which only the size is known
 * takes what has that size: an array (which then counts as written, and must not be read-only) or a pointer for 8
 * bytes, a scalar, BYTES. DEVICE_LOST and KERNEL_FAULT of earlier work on the stream may be returned here. Statuses:
 * DTYPE, LAYOUT, READ_ONLY as said above; UNSUPPORTED: clusters where the device has none. */
TENON_API int32_t tenon_kernel_launch(tenon_kernel* kernel, const tenon_launch* launch,
                                      TENON_NULLABLE TENON_LENGTH(count) const tenon_arg* args,
                                      int32_t count, TENON_NULLABLE tenon_stream* stream);

/* How many blocks of block_threads threads and shared_bytes of dynamic shared memory one multiprocessor runs at once;
 * 0: such a block does not fit. The CPU has one worker thread for a multiprocessor, which runs one block at a time: 1,
 * or 0. Geometry that no device could launch (0 threads) is INVALID_ARGUMENT. */
TENON_API int32_t tenon_kernel_occupancy(tenon_kernel* kernel, uint32_t block_threads, uint64_t shared_bytes,
                                         TENON_OUT int32_t* out_blocks_per_multiprocessor);
/* The block size that keeps the most threads of a multiprocessor busy (the larger of two equal ones), and the fewest
 * blocks that fill the device with it. The CPU is as fast with any block size that leaves every worker some blocks: 256
 * threads, or what the kernel's own limit allows, and a block for each worker. UNSUPPORTED: no block fits with so much
 * shared memory. */
TENON_API int32_t tenon_kernel_suggest(tenon_kernel* kernel, uint64_t shared_bytes, TENON_OUT uint32_t* out_block,
                                       TENON_OUT uint32_t* out_min_grid);
/* Fills in launch->grid so that there is a thread for each of `count` elements along x: element blockIdx.x *
 * blockDim.x + threadIdx.x, which the kernel compares with the count. launch->block is kept where its x is not 0 (y
 * and z must be 0 or 1), and is the suggested size for launch->shared_bytes otherwise. At least one block.
 * INVALID_ARGUMENT: more blocks than the device takes; use a grid-stride loop then. UNSUPPORTED: no block fits the
 * device with so much shared memory. The launch's struct_size must be set by the caller. */
TENON_API int32_t tenon_launch_for(tenon_kernel* kernel, uint64_t count, tenon_launch* launch);
/* Launches as tenon_kernel_launch does, waits, and says how long the device took: from the stream's reaching the
 * launch (after it waited for the arrays' earlier uses) to the end of the kernel. By events on a GPU, to about a
 * microsecond; by the clock on the CPU. The program is loaded before. A fault of the kernel is returned here.
 * Statuses: as of tenon_kernel_launch; UNSUPPORTED: on a stream that records a graph. */
TENON_API int32_t tenon_kernel_time(tenon_kernel* kernel, const tenon_launch* launch,
                                    TENON_NULLABLE TENON_LENGTH(count) const tenon_arg* args,
                                    int32_t count, TENON_NULLABLE tenon_stream* stream,
                                    TENON_OUT double* out_seconds);

/* A call: geometry and arguments checked and packed once, then launched any number of times at the driver's speed. It
 * is of a kernel, or of an operation of a package (tenon_operation_bind), whose temporaries it owns. It holds
 * references to its arrays; their contents may change in between. One call may not be launched or changed from two
 * threads at once; clone it. */

/* A call of a kernel. Statuses as for tenon_kernel_launch. */
TENON_API int32_t tenon_call_create(tenon_kernel* kernel, const tenon_launch* launch,
                                    TENON_NULLABLE TENON_LENGTH(count) const tenon_arg* args,
                                    int32_t count, TENON_OUT TENON_OWNED tenon_call** out_call);
/* Replaces argument `index`, with the same checks; the call is unchanged after a failure. INVALID_ARGUMENT: there is
 * no such argument. An operation is bound anew, which takes as long as tenon_operation_bind does. DTYPE: not that of
 * the parameter. */
TENON_API int32_t tenon_call_set(tenon_call* call, int32_t index, const tenon_arg* arg);
/* Replaces all arguments at once: for an operation whose arrays change their shapes together. */
TENON_API int32_t tenon_call_set_args(tenon_call* call, TENON_NULLABLE TENON_LENGTH(count) const tenon_arg* args,
                                      int32_t count);
/* Replaces the geometry of a call of a kernel. INVALID_ARGUMENT: what tenon_kernel_launch refuses, or the call is of an
 * operation, whose geometry follows from its arguments. */
TENON_API int32_t tenon_call_set_launch(tenon_call* call, const tenon_launch* launch);
/* Launches it. DEVICE_LOST and KERNEL_FAULT of earlier work on the stream may be returned here. DEVICE: the stream is
 * another device's. */
TENON_API int32_t tenon_call_launch(tenon_call* call, TENON_NULLABLE tenon_stream* stream);
/* An independent copy. The copy of an operation's call has temporaries of its own, which are made on the default
 * stream. */
TENON_API int32_t tenon_call_clone(const tenon_call* call, TENON_OUT TENON_OWNED tenon_call** out_call);
/* The kernel that it launches, as a new reference. INVALID_ARGUMENT: the call is of an operation. */
TENON_API int32_t tenon_call_kernel(const tenon_call* call, TENON_OUT TENON_OWNED tenon_kernel** out_kernel);
/* Takes one more reference. */
TENON_API int32_t tenon_call_retain(tenon_call* call);
/* Gives one reference back. */
TENON_API void tenon_call_release(TENON_NULLABLE tenon_call* call);

/* What the source calls parameter `index`: where its text, or that of a header given with it, shows a declaration of
 * the kernel that fits what the compiler says of the parameters. "" where none is written so, or two differ, or the
 * program is an image. Messages about arguments have it; nothing else depends on it. Borrowed. */
TENON_API int32_t tenon_kernel_parameter_name(const tenon_kernel* kernel, int32_t index,
                                              TENON_OUT const char** out_name);

#ifdef __cplusplus
}
#endif
#endif
