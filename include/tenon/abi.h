/* tenon/abi.h: the words the other headers are written in: export, annotations, version.
 *
 * Every header under tenon/ is plain C99 and the single source of the contract: bindings, symbol list, version script,
 * function table and bad-input tests are derived from them by abi/generate.py. The annotations below expand to nothing
 * for a compiler and tell the generator what C cannot say.
 *
 * What holds for every function, so that no comment repeats it:
 * - A fallible function returns an int32_t status: TENON_OK (0) or a TENON_ERROR_* of status.h. Text and details of the
 *   failure are in the calling thread's error record (status.h); success and TENON_ERROR_NOT_READY leave that record alone.
 * - On failure nothing is consumed, objects are unchanged, output handles are NULL and other outputs are untouched.
 * - An output marked TENON_INOUT is an array that the caller may give. If *out is NULL on entry, the call makes a new C-ordered
 *   array there, which the caller releases. Otherwise the result is written into the array *out, and *out stays as it is. That
 *   array may have any strides, but must have exactly the dtype and the shape of the result (DTYPE, SHAPE), lie on the device of
 *   the work (DEVICE, CONTEXT), be writable (READ_ONLY), and share no memory with the inputs, with other outputs or with itself
 *   (OVERLAP) unless the function says that it may be exactly an input. After a failure *out is what it was. The elements of
 *   a given array are unchanged too, unless the numbers themselves were the reason (NOT_FINITE, SINGULAR, NOT_CONVERGED,
 *   OVERFLOW, or a device that failed): what they are then is not specified. The order is: inputs, options, stream, outputs.
 * - A pointer parameter must not be NULL unless it is marked TENON_NULLABLE; NULL gives TENON_ERROR_INVALID_ARGUMENT.
 *   A handle that was released, or is of another kind, gives TENON_ERROR_INVALID_HANDLE where that can be known.
 * - TENON_OWNED outputs are new references: the caller releases them. Other returned pointers are borrowed: they live as
 *   long as the object they were asked of.
 * - tenon_X_release takes NULL, runs on any thread, in any order, also while the process exits, returns nothing and
 *   leaves the error record alone.
 * - Handles may be used from any thread. Two threads may use one handle at the same time unless its comment says
 *   otherwise. In a child of fork() inherited handles give TENON_ERROR_FORKED; a new context there may use the CPU.
 * - An option struct starts with struct_size = sizeof(the struct); zero in any other field is its default; NULL is all
 *   defaults. Fields are only ever appended. A larger struct is accepted if the part this library does not know is zero.
 * - A call that enqueues work takes a stream; NULL is the default stream of the device the work runs on. On the CPU
 *   device the work is complete when the call returns.
 * - A function that the caller hands over (destroy, a log callback, a DLPack deleter) may call Tenon, and does not touch the error
 *   record of the call that runs it. It must not let an exception out; one that gets out is dropped.
 * - Sizes are int64_t in elements and uint64_t in bytes. Constants are open: an unknown value is an error.
 * - Everything here is since ABI level 1.0 unless a comment says otherwise.
 */
#ifndef TENON_ABI_H
#define TENON_ABI_H

#include <stddef.h>
#include <stdint.h>

#define TENON_VERSION_MAJOR 1
#define TENON_VERSION_MINOR 0
#define TENON_VERSION_PATCH 0

/* The ABI level: (major << 16) | minor. Functions are only added within a major. */
#define TENON_ABI_LEVEL 0x00010000u

#if defined(TENON_GENERATOR) /* abi/generate.py reads the headers with clang */
#define TENON_ANNOTATE(text) __attribute__((annotate(text)))
#else
#define TENON_ANNOTATE(text)
#endif

#if defined(__GNUC__)
#define TENON_API __attribute__((visibility("default")))
#else
#define TENON_API
#endif

/* Parameter annotations. */
#define TENON_NULLABLE TENON_ANNOTATE("tenon:nullable")         /* NULL is allowed and documented */
#define TENON_OUT TENON_ANNOTATE("tenon:out")                   /* written by the call */
#define TENON_INOUT TENON_ANNOTATE("tenon:inout")               /* *out NULL: made, and owned by the caller; else written into */
#define TENON_OWNED TENON_ANNOTATE("tenon:owned")               /* the caller gets a reference and releases it */
#define TENON_CONSUMED TENON_ANNOTATE("tenon:consumed")         /* taken over on success, untouched on failure */
#define TENON_LENGTH(count) TENON_ANNOTATE("tenon:length=" #count) /* points at `count` elements (of void and char: bytes) */
#define TENON_TEXT TENON_ANNOTATE("tenon:text")                 /* UTF-8, NUL-terminated */

#ifdef __cplusplus
extern "C" {
#endif

/* A sequence of bytes owned by the library: a log, a report, PTX, a cubin. Immutable. */
typedef struct tenon_blob tenon_blob;

/* The bytes of a blob, borrowed. A NUL byte follows the last one, so text can be used as a C string. */
TENON_API int32_t tenon_blob_data(const tenon_blob* blob, TENON_OUT const void** out_data, TENON_OUT uint64_t* out_size);
/* Takes one more reference. */
TENON_API int32_t tenon_blob_retain(tenon_blob* blob);
/* Gives one reference back. */
TENON_API void tenon_blob_release(TENON_NULLABLE tenon_blob* blob);

/* The version of the library that is loaded, which may be newer than the headers: (major << 16) | (minor << 8) | patch. */
TENON_API uint32_t tenon_version(void);

/* The table of functions; api.h has its rows. */
typedef struct tenon_api tenon_api;

/* Every function as a table, for plugins and for programs that open the library at run time. abi_level: the
 * TENON_ABI_LEVEL the caller was compiled with. The table of the loaded library is returned also to a newer caller, which
 * looks at struct_size before it uses a row. Static, never NULL. */
TENON_API const tenon_api* tenon_get_api(uint32_t abi_level);

/* How the library was built (version, compiler, options, backends), as JSON text: static, borrowed, never NULL. */
TENON_API const char* tenon_build_info(void);

#ifdef __cplusplus
}
#endif
#endif
