/* tenon/status.h: status values and the thread's error record.
 *
 *   int32_t status = tenon_array_zeros(device, TENON_FLOAT32, 1, &n, NULL, &x);
 *   if (status != TENON_OK)
 *     fprintf(stderr, "%s: %s\n", tenon_status_name(status), tenon_error_last_message());
 */
#ifndef TENON_STATUS_H
#define TENON_STATUS_H

#include <tenon/abi.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TENON_OK 0
#define TENON_ERROR_INVALID_ARGUMENT 1  /* a value outside its documented domain, or NULL */
#define TENON_ERROR_INVALID_HANDLE 2    /* released, never a handle, or a handle of another kind */
#define TENON_ERROR_OUT_OF_MEMORY 3     /* host or device; the text says asked, used and free */
#define TENON_ERROR_UNSUPPORTED 4       /* right request, but not on this device or in this build; the text says why */
#define TENON_ERROR_NOT_FOUND 5         /* no device, kernel, symbol or file of that name */
#define TENON_ERROR_OVERFLOW 6          /* a size or product does not fit its type */
#define TENON_ERROR_DTYPE 7             /* element types do not fit together */
#define TENON_ERROR_SHAPE 8             /* ranks or extents do not fit together */
#define TENON_ERROR_DEVICE 9            /* the operands live on devices that cannot be used together */
#define TENON_ERROR_CONTEXT 10          /* objects of two contexts were mixed */
#define TENON_ERROR_LAYOUT 11           /* strides or alignment do not allow it without a copy */
#define TENON_ERROR_READ_ONLY 12        /* a write to memory that was imported read-only */
#define TENON_ERROR_OVERLAP 13          /* operands share memory in a way the operation does not define */
#define TENON_ERROR_COMPILE 14          /* source did not compile; the log is in the error record */
#define TENON_ERROR_MISSING_LIBRARY 15  /* a library or program is needed; the text says what to install */
#define TENON_ERROR_KERNEL_FAULT 16     /* a kernel failed while it ran on the CPU device (assert, trap, divergent
                                           barrier) */
#define TENON_ERROR_DEVICE_LOST 17      /* the CUDA context cannot go on; the CPU device still works */
#define TENON_ERROR_NOT_CONVERGED 18    /* an iterative routine gave up; native code: its info value */
#define TENON_ERROR_SINGULAR 19         /* a matrix has no inverse or factorisation; native code: its info value */
#define TENON_ERROR_NOT_FINITE 20       /* NaN or infinity in where the routine has no meaning for it */
#define TENON_ERROR_NOT_READY 21        /* asked without waiting, and the work is not done: an answer, which leaves the
                                           error record alone */
#define TENON_ERROR_VERSION 22          /* a struct, package or library of a version that cannot be used */
#define TENON_ERROR_IO 23               /* reading or writing a file failed */
#define TENON_ERROR_CANCELLED 24        /* the caller cancelled it */
#define TENON_ERROR_FORKED 25           /* the handle was made before fork() */
#define TENON_ERROR_VENDOR 26           /* CUDA or a vendor library failed in another way; see the native code */
#define TENON_ERROR_INTERNAL 27         /* a bug in Tenon: please report the text */

/* The name of a status, "TENON_OK" and so on; "TENON_ERROR_UNKNOWN" for a value it does not know. Static, never NULL.
 * */
TENON_API const char* tenon_status_name(int32_t status);

/* A failure as an object: can be kept, passed to another thread, printed later. Immutable. */
typedef struct tenon_error tenon_error;

/* The calling thread's last failure as an owned object; *out_error is NULL when the thread has had none since it
 * started or since tenon_error_clear. */
TENON_API int32_t tenon_error_last(TENON_OUT TENON_OWNED tenon_error** out_error);
/* Forgets the calling thread's last failure. */
TENON_API void tenon_error_clear(void);

/* The text of the calling thread's last failure: one or two sentences saying what was wrong and what would be right.
 * Borrowed until the thread's next failing call; "" when there was none; never NULL. */
TENON_API const char* tenon_error_last_message(void);

/* The status a failing call returned. */
TENON_API int32_t tenon_error_status(const tenon_error* error, TENON_OUT int32_t* out_status);
/* The text, borrowed. */
TENON_API int32_t tenon_error_message(const tenon_error* error, TENON_OUT const char** out_text);
/* Where a vendor call failed: its name ("cuLaunchKernel", "sgesdd"; "" where there was none) and the code it returned
 * (CUresult, cublasStatus_t, LAPACK info ...). */
TENON_API int32_t tenon_error_native(const tenon_error* error, TENON_OUT const char** out_call,
                                     TENON_OUT int64_t* out_code);
/* The compiler's full log with line numbers of the user's text; "" when the failure has none. Borrowed. */
TENON_API int32_t tenon_error_log(const tenon_error* error, TENON_OUT const char** out_text);
/* Which matrix of a batch the failure is about (solve.h, eigen.h, tenon_svd), from 0 in C order; -1: of no single one.
 * */
TENON_API int32_t tenon_error_batch_index(const tenon_error* error, TENON_OUT int64_t* out_index);
/* Takes one more reference. */
TENON_API int32_t tenon_error_retain(tenon_error* error);
/* Gives one reference back. */
TENON_API void tenon_error_release(TENON_NULLABLE tenon_error* error);

#ifdef __cplusplus
}
#endif
#endif
