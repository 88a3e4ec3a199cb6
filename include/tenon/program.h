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
#define TENON_INPUT_BINARY 1 /* a cubin; on the CPU device, what tenon_program_image gave there for this processor */
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

/* One program out of `count` inputs. Everything is copied. Each input's struct_size must be set, all to the same.
 *
 * One image (BINARY, PTX, FATBIN) is loaded as it is, on this device and at once. Anything else is compiled, as
 * relocatable device code, and linked: by nvJitLink 12.3 or later on CUDA (with the option "-dlto" after optimising the
 * whole), by the host's linker on the CPU device; functions and variables with external linkage are then shared, as
 * `extern __device__` declares them. The CPU device links sources only, and code that reads threadIdx in one unit and
 * is called from another is not vectorised there.
 *
 * A kernel or variable listed in the options is looked for in the first source that defines it, else in the images. A
 * kernel of an image is named by its symbol ("saxpy" where it is extern "C", else mangled), or as it was listed when
 * Tenon compiled the image. What Tenon compiled describes its kernels; of others only the sizes of the parameters are
 * known (TENON_PARAMETER_UNKNOWN), and the checks are as weak. The options' headers, -I and the like serve the sources.
 *
 * An image is code that runs with the caller's rights: BINARY, FATBIN and LTO_IR are refused (INVALID_ARGUMENT) without
 * TENON_PROGRAM_FLAG_TRUSTED. An image is looked at before the driver or the loader gets it: one that is not of its
 * kind, or damaged where that shows, is INVALID_ARGUMENT; one for another device, architecture or processor
 * UNSUPPORTED. NOT_FOUND: it has no such kernel. COMPILE, MISSING_LIBRARY, CANCELLED: as for tenon_program_create; the
 * log has what the linker said. */
TENON_API int32_t tenon_program_link(tenon_device* device, TENON_LENGTH(count) const tenon_program_input* inputs,
                                     int32_t count,
                                     TENON_NULLABLE const tenon_program_options* options,
                                     TENON_OUT TENON_OWNED tenon_program** out_program);

/* A compile that goes on by itself, in a process of its own (NVRTC too: within one process it reads one text at a time,
 * and cannot be stopped while it instantiates templates). Any number may be started; as many run at once as the process
 * has threads for (tenon_cpu_threads_set in context.h), the others wait for their turn. A context's log callback may be
 * called on a thread of Tenon's while one runs. */
typedef struct tenon_compilation tenon_compilation;

/* Starts compiling what tenon_program_create would, and returns at once; the time limit of the options counts from when
 * its turn has come. The text and all options are copied. What is wrong with the arguments is told here; what is wrong
 * with the source, by tenon_compilation_wait. OUT_OF_MEMORY: no thread could be started. CANCELLED: the process is
 * ending. */
TENON_API int32_t tenon_compilation_start(tenon_device* device, TENON_LENGTH(size) const char* source, uint64_t size,
                                          TENON_NULLABLE const tenon_program_options* options,
                                          TENON_OUT TENON_OWNED tenon_compilation** out_compilation);
/* TENON_OK when it is over (compiled, failed or cancelled: tenon_compilation_wait then returns at once),
 * TENON_ERROR_NOT_READY when not. Does not wait. */
TENON_API int32_t tenon_compilation_query(tenon_compilation* compilation);
/* Waits, at most `seconds` (negative: as long as it takes), and returns the program: every call a new reference to the
 * same one. NOT_READY: it goes on. CANCELLED: it was cancelled first. Else what tenon_program_create would return, with
 * the same record. */
TENON_API int32_t tenon_compilation_wait(tenon_compilation* compilation, double seconds,
                                         TENON_OUT TENON_OWNED tenon_program** out_program);
/* Asks it to end, and does not wait for that; does nothing when it is over. One that has not begun never will. The
 * process that compiles is killed, with all that it started. Where no process can be started for NVRTC (no /proc), it
 * is asked to stop when it looks (12.8 and later), or finishes first. Others that wait for the same program compile it
 * themselves. */
TENON_API int32_t tenon_compilation_cancel(tenon_compilation* compilation);
/* As tenon_compilation_start, for what tenon_program_link would make. */
TENON_API int32_t tenon_compilation_link(tenon_device* device, TENON_LENGTH(count) const tenon_program_input* inputs,
                                         int32_t count,
                                         TENON_NULLABLE const tenon_program_options* options,
                                         TENON_OUT TENON_OWNED tenon_compilation** out_compilation);
/* Takes one more reference. */
TENON_API int32_t tenon_compilation_retain(tenon_compilation* compilation);
/* Gives one reference back. The last one cancels it, and waits for the compiler's end. */
TENON_API void tenon_compilation_release(TENON_NULLABLE tenon_compilation* compilation);

/* Compiles CUDA C for an architecture ("sm_90", "compute_80") with NVRTC and keeps nothing: needs neither a GPU nor a
 * driver, nor a context, and looks in no cache. The options' own architecture must be NULL. An architecture newer than
 * the compiler is compiled as the newest one that it knows. Kernels that are not templates are in the image without
 * being listed in the options.
 * out_image: what tenon_program_link takes as TENON_INPUT_BINARY or TENON_INPUT_PTX; kind: TENON_IMAGE_BINARY, a cubin
 * for "sm_90" (PTX for "compute_90" and for what is newer than the compiler), or TENON_IMAGE_PTX. NULL only checks the
 * source. out_log: the compiler's log, empty without warnings; with "--ptxas-options=-v" among the options, what each
 * kernel takes. Both are new references, or NULL after a failure.
 * COMPILE: the source has errors, which the record's log lists. MISSING_LIBRARY: there is no NVRTC. UNSUPPORTED: an
 * architecture that it does not know any more, or a library that was built without CUDA. */
TENON_API int32_t tenon_program_compile(const char* architecture TENON_TEXT, TENON_LENGTH(size) const char* source,
                                        uint64_t size, TENON_NULLABLE const tenon_program_options* options,
                                        TENON_ENUM(IMAGE) int32_t kind,
                                        TENON_NULLABLE TENON_OUT TENON_OWNED tenon_blob** out_image,
                                        TENON_OUT TENON_OWNED tenon_blob** out_log);

#ifdef __cplusplus
}
#endif
#endif
