/* tenon/program.h: programs from images or from several inputs, and programs compiled in the background.
 *
 *   tenon_compilation* job = NULL;
 *   tenon_program* program = NULL;
 *   tenon_compilation_start(device, source, strlen(source), NULL, &job);   returns at once
 *   tenon_compilation_wait(job, -1, &program);                             waits for the compiler
 *   tenon_compilation_release(job);
 */
#ifndef TENON_PROGRAM_H
#define TENON_PROGRAM_H

#include <tenon/kernel.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TENON_INPUT_SOURCE 0 /* CUDA C text: a translation unit */
#define TENON_INPUT_BINARY 1 /* a cubin; on the CPU device, the result of tenon_program_image there, for this
                                processor */
#define TENON_INPUT_PTX 2    /* PTX text */
#define TENON_INPUT_FATBIN 3 /* a fat binary: cubins and PTX for several architectures */
#define TENON_INPUT_LTO_IR 4 /* NVRTC's intermediate code for link-time optimisation */

typedef struct tenon_program_input {
  uint32_t struct_size;
  TENON_ENUM(INPUT) int32_t kind;
  TENON_NULLABLE TENON_LENGTH(size) const void* data;
  uint64_t size; /* bytes */
  TENON_NULLABLE const char* name TENON_TEXT; /* for messages; NULL: "input 0" and so on */
} tenon_program_input;

/* Makes one program from `count` inputs, which are copied. The struct_size of every input must be set, to the same
 * value in all.
 *
 * A single image (BINARY, PTX, FATBIN) is loaded as it is, on this device and immediately. All other inputs are
 * compiled as relocatable device code and linked: by nvJitLink 12.3 or later on CUDA (with the option "-dlto" the whole
 * program is optimised first), by the host's linker on the CPU device. Functions and variables with external linkage
 * are then shared, as `extern __device__` declares them. The CPU device links sources only, and does not vectorise code
 * that reads threadIdx in one unit and is called from another.
 *
 * A kernel or variable listed in the options is taken from the first source that defines it, else from the images. A
 * kernel of an image is named by its symbol ("saxpy" if it is extern "C", else mangled), or as it was listed when Tenon
 * compiled the image. Images compiled by Tenon describe their kernels; for others only the sizes of the parameters are
 * known (TENON_PARAMETER_UNKNOWN) and checked. The options' headers, -I and similar options apply to the sources.
 *
 * An image is code that runs with the caller's rights: BINARY, FATBIN and LTO_IR are refused (INVALID_ARGUMENT) without
 * TENON_PROGRAM_FLAG_TRUSTED. An image is checked before it is passed to the driver or the loader: one that is not of
 * the stated kind, or visibly damaged, is INVALID_ARGUMENT; one for another device, architecture or processor is
 * UNSUPPORTED. NOT_FOUND: it has no such kernel. COMPILE, MISSING_LIBRARY, CANCELLED: as for tenon_program_create; the
 * log contains the linker's messages. */
TENON_API int32_t tenon_program_link(tenon_device* device, TENON_LENGTH(count) const tenon_program_input* inputs,
                                     int32_t count,
                                     TENON_NULLABLE const tenon_program_options* options,
                                     TENON_OUT TENON_OWNED tenon_program** out_program);

/* A compile in the background, in a separate process (for NVRTC too: within one process it parses one source at a time,
 * and cannot be stopped while it instantiates templates). Any number may be started; as many run at the same time as
 * the CPU device has threads (tenon_cpu_threads_set in context.h), the others wait for their turn. While a compile
 * runs, a context's log callback may be called on one of Tenon's threads. */
typedef struct tenon_compilation tenon_compilation;

/* Starts a compile as tenon_program_create does, and returns at once; the time limit of the options counts from the
 * start of the compile's turn. The text and all options are copied. This call reports errors in the arguments,
 * tenon_compilation_wait those in the source. OUT_OF_MEMORY: no thread could be started. CANCELLED: the process is
 * ending. */
TENON_API int32_t tenon_compilation_start(tenon_device* device, TENON_LENGTH(size) const char* source, uint64_t size,
                                          TENON_NULLABLE const tenon_program_options* options,
                                          TENON_OUT TENON_OWNED tenon_compilation** out_compilation);
/* TENON_OK if the compile has ended (compiled, failed or cancelled: tenon_compilation_wait then returns at once),
 * TENON_ERROR_NOT_READY if not. Does not wait. */
TENON_API int32_t tenon_compilation_query(tenon_compilation* compilation);
/* Waits at most `seconds` (negative: without a limit) and returns the program; each call returns a new reference to the
 * same one. NOT_READY: the compile is still running. CANCELLED: it was cancelled first. Otherwise the status that
 * tenon_program_create would return, with the same error record. */
TENON_API int32_t tenon_compilation_wait(tenon_compilation* compilation, double seconds,
                                         TENON_OUT TENON_OWNED tenon_program** out_program);
/* Cancels the compile without waiting for its end; does nothing if it has ended. A compile that has not begun never
 * starts. The compiling process is killed, with all processes that it started. Where no process can be started for
 * NVRTC (no /proc), NVRTC stops when it next checks for cancellation (12.8 and later), or else finishes first. Other
 * callers that wait for the same program compile it themselves. */
TENON_API int32_t tenon_compilation_cancel(tenon_compilation* compilation);
/* As tenon_compilation_start, but compiles and links as tenon_program_link does. */
TENON_API int32_t tenon_compilation_link(tenon_device* device, TENON_LENGTH(count) const tenon_program_input* inputs,
                                         int32_t count,
                                         TENON_NULLABLE const tenon_program_options* options,
                                         TENON_OUT TENON_OWNED tenon_compilation** out_compilation);
/* Adds one reference. */
TENON_API int32_t tenon_compilation_retain(const tenon_compilation* compilation);
/* Releases one reference. Releasing the last one cancels the compile and waits for the compiler to end. */
TENON_API void tenon_compilation_release(TENON_NULLABLE tenon_compilation* compilation);

/* Compiles CUDA C for an architecture ("sm_90", "compute_80") with NVRTC: needs no GPU, driver or context, and neither
 * reads nor writes a cache. The architecture in the options must be NULL. For an architecture newer than the compiler,
 * the newest one that the compiler knows is used. Kernels that are not templates are in the image without being listed
 * in the options.
 * out_image: an image as tenon_program_link takes it (TENON_INPUT_BINARY, TENON_INPUT_PTX); NULL only checks the
 * source. kind: TENON_IMAGE_BINARY, a cubin for "sm_90" (PTX for "compute_90" and for architectures newer than the
 * compiler), or TENON_IMAGE_PTX. out_log: the compiler's log, empty without warnings; with "--ptxas-options=-v" among
 * the options, the resources that each kernel uses. Both are new references, or NULL after a failure. COMPILE: the
 * source has errors, which the record's log lists. MISSING_LIBRARY: there is no NVRTC. UNSUPPORTED: an architecture
 * that NVRTC no longer supports, or a library that was built without CUDA. */
TENON_API int32_t tenon_program_compile(const char* architecture TENON_TEXT, TENON_LENGTH(size) const char* source,
                                        uint64_t size, TENON_NULLABLE const tenon_program_options* options,
                                        TENON_ENUM(IMAGE) int32_t kind,
                                        TENON_NULLABLE TENON_OUT TENON_OWNED tenon_blob** out_image,
                                        TENON_OUT TENON_OWNED tenon_blob** out_log);

#ifdef __cplusplus
}
#endif
#endif
