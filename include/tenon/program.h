/* tenon/program.h: programs compiled in the background. */
#ifndef TENON_PROGRAM_H
#define TENON_PROGRAM_H

#include <tenon/kernel.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A compile that goes on by itself. Any number may be started; as many run at once as the process has threads for (context.h's
 * cpu_threads), the others wait for their turn. A context's log callback may be called on a thread of Tenon's while one runs. */
typedef struct tenon_compilation tenon_compilation;

/* Starts compiling what tenon_program_create would, and returns at once; the time limit of the options counts from when its turn
 * has come. The text and all options are copied. What is wrong with the arguments is told here; what is wrong with the source, by
 * tenon_compilation_wait. OUT_OF_MEMORY: no thread could be started. CANCELLED: the process is ending. */
TENON_API int32_t tenon_compilation_start(tenon_device* device, TENON_LENGTH(size) const char* source, uint64_t size,
                                          TENON_NULLABLE const tenon_program_options* options,
                                          TENON_OUT TENON_OWNED tenon_compilation** out_compilation);
/* TENON_OK when it is over (compiled, failed or cancelled: tenon_compilation_wait then returns at once), TENON_ERROR_NOT_READY when
 * not. Does not wait. */
TENON_API int32_t tenon_compilation_query(tenon_compilation* compilation);
/* Waits, at most `seconds` (negative: as long as it takes), and returns the program: every call a new reference to the same one.
 * NOT_READY: it goes on. CANCELLED: it was cancelled first. Else what tenon_program_create would return, with the same record. */
TENON_API int32_t tenon_compilation_wait(tenon_compilation* compilation, double seconds, TENON_OUT TENON_OWNED tenon_program** out_program);
/* Asks it to end, and does not wait for that; does nothing when it is over. One that has not begun never will. A compiler of the
 * CPU device is killed, with all that it started; NVRTC 12.8 and later is stopped; an earlier NVRTC finishes first. Others that
 * wait for the same program compile it themselves. */
TENON_API int32_t tenon_compilation_cancel(tenon_compilation* compilation);
/* Takes one more reference. */
TENON_API int32_t tenon_compilation_retain(tenon_compilation* compilation);
/* Gives one reference back. The last one cancels it, and waits for the compiler's end. */
TENON_API void tenon_compilation_release(TENON_NULLABLE tenon_compilation* compilation);

#ifdef __cplusplus
}
#endif
#endif
