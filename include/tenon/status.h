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
#define TENON_ERROR_OUT_OF_MEMORY 3     /* host or device; the text gives the bytes requested, in use and free */
#define TENON_ERROR_UNSUPPORTED 4       /* a valid request that this device or build cannot serve; the text says why */
#define TENON_ERROR_NOT_FOUND 5         /* there is no device, kernel, symbol or file of that name */
#define TENON_ERROR_OVERFLOW 6          /* a size or product does not fit its type */
#define TENON_ERROR_DTYPE 7             /* element types do not fit together */
#define TENON_ERROR_SHAPE 8             /* ranks or extents do not fit together */
#define TENON_ERROR_DEVICE 9            /* the operands are on devices that cannot be used together */
#define TENON_ERROR_CONTEXT 10          /* objects of two contexts were mixed */
#define TENON_ERROR_LAYOUT 11           /* strides or alignment do not allow it without a copy */
#define TENON_ERROR_READ_ONLY 12        /* a write to memory that was imported read-only */
#define TENON_ERROR_OVERLAP 13          /* operands share memory in a way the operation does not define */
#define TENON_ERROR_COMPILE 14          /* source did not compile; the log is in the error record */
#define TENON_ERROR_MISSING_LIBRARY 15  /* a required library or program is missing; the text says what to install */
#define TENON_ERROR_KERNEL_FAULT 16     /* a kernel failed while it ran on the CPU device (assert, trap, divergent
                                           barrier) */
#define TENON_ERROR_DEVICE_LOST 17      /* the CUDA context is no longer usable; the CPU device still works */
#define TENON_ERROR_NOT_CONVERGED 18    /* an iterative routine did not converge; native code: its info value */
#define TENON_ERROR_SINGULAR 19         /* a matrix has no inverse or factorisation; native code: its info value */
#define TENON_ERROR_NOT_FINITE 20       /* NaN or infinity in an operand for which the routine has no result */
#define TENON_ERROR_NOT_READY 21        /* result of a query or a wait with a limit: the work is not complete; leaves
                                           the error record alone */
#define TENON_ERROR_VERSION 22          /* a struct, package or library has a version that cannot be used */
#define TENON_ERROR_IO 23               /* reading or writing a file failed */
#define TENON_ERROR_CANCELLED 24        /* the caller cancelled it */
#define TENON_ERROR_FORKED 25           /* the handle was made before fork() */
#define TENON_ERROR_VENDOR 26           /* CUDA or a vendor library failed in another way; see the native code */
#define TENON_ERROR_INTERNAL 27         /* a bug in Tenon: please report the text */

/* The name of a status, "TENON_OK" and so on; "TENON_ERROR_UNKNOWN" for an unknown value. Static, never NULL. */
TENON_API const char* tenon_status_name(int32_t status);

/* A failure as an object, which can be stored, passed to another thread or printed later. Immutable. */
typedef struct tenon_error tenon_error;

/* The calling thread's last failure as an owned object; *out_error is NULL if the thread has had no failure since it
 * started or since tenon_error_clear. */
TENON_API int32_t tenon_error_last(TENON_OUT TENON_OWNED tenon_error** out_error);
/* Forgets the calling thread's last failure. */
TENON_API void tenon_error_clear(void);

/* The text of the calling thread's last failure: one or two sentences that say what was wrong and what would be right.
 * Borrowed until the thread's next failing call; "" if there was no failure; never NULL. */
TENON_API const char* tenon_error_last_message(void);

/* The status that the failing call returned. */
TENON_API int32_t tenon_error_status(const tenon_error* error, TENON_OUT int32_t* out_status);
/* The text, borrowed. */
TENON_API int32_t tenon_error_message(const tenon_error* error, TENON_OUT const char** out_text);
/* The vendor call that failed: its name ("cuLaunchKernel", "sgesdd"; "" if no vendor call failed) and the code it
 * returned (CUresult, cublasStatus_t, LAPACK info ...). */
TENON_API int32_t tenon_error_native(const tenon_error* error, TENON_OUT const char** out_call,
                                     TENON_OUT int64_t* out_code);
/* The compiler's full log, with the line numbers of the user's source; "" if the failure has none. Borrowed. */
TENON_API int32_t tenon_error_log(const tenon_error* error, TENON_OUT const char** out_text);
/* The index of the matrix of a batch that caused the failure (solve.h, eigen.h, tenon_svd), from 0 in C order; -1: no
 * single matrix. */
TENON_API int32_t tenon_error_batch_index(const tenon_error* error, TENON_OUT int64_t* out_index);
/* Adds one reference. */
TENON_API int32_t tenon_error_retain(const tenon_error* error);
/* Releases one reference. */
TENON_API void tenon_error_release(TENON_NULLABLE tenon_error* error);

#ifdef __cplusplus
}
#endif
#endif
