/* tenon/handle.h: functions for handles of any kind: the kind, references, and whether two handles refer to the same
 * object.
 *
 * Each kind has a retain and a release function of its own, which refuse a handle of another kind. The functions here
 * are for bindings and containers that hold handles of unknown kind. In C a handle converts to void* implicitly.
 *
 *   int32_t kind = 0, same = 0;
 *   if (tenon_handle_kind(handle, &kind) == TENON_OK && kind == TENON_HANDLE_ARRAY) use(handle);
 *   tenon_same(stream_of_a, stream_of_b, &same); // 1: both refer to one stream, which orders all their work
 */
#ifndef TENON_HANDLE_H
#define TENON_HANDLE_H

#include <tenon/abi.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The constant of a handle type is its name in capitals. */
#define TENON_HANDLE_BLOB 1
#define TENON_HANDLE_ERROR 2
#define TENON_HANDLE_CONTEXT 3
#define TENON_HANDLE_DEVICE 4
#define TENON_HANDLE_STREAM 5
#define TENON_HANDLE_EVENT 6
#define TENON_HANDLE_BUFFER 7
#define TENON_HANDLE_ARRAY 8
#define TENON_HANDLE_PROGRAM 9
#define TENON_HANDLE_KERNEL 10
#define TENON_HANDLE_CALL 11
#define TENON_HANDLE_COMPILATION 12
#define TENON_HANDLE_ELEMENTWISE 13
#define TENON_HANDLE_REDUCTION 14
#define TENON_HANDLE_SCAN 15
#define TENON_HANDLE_GRAPH 16
#define TENON_HANDLE_PACKAGE 17
#define TENON_HANDLE_OPERATION 18
#define TENON_HANDLE_TEXTURE 19

/* The kind of a live handle. INVALID_HANDLE: it was released, was never a handle, or belongs to another copy of the
 * library in this process. FORKED: it was made before fork(). */
TENON_API int32_t tenon_handle_kind(TENON_ANY_HANDLE const void* handle,
                                    TENON_OUT TENON_ENUM(HANDLE) int32_t* out_kind);
/* Adds one reference, as the retain function of the handle's kind does. Statuses: those of tenon_handle_kind. */
TENON_API int32_t tenon_retain(TENON_ANY_HANDLE const void* handle);
/* Releases one reference, as the release function of the handle's kind does. Does nothing if the argument is not a
 * live handle. */
TENON_API void tenon_release(TENON_NULLABLE TENON_ANY_HANDLE void* handle);
/* out_same: 1 if both handles refer to the same object, else 0. Two handles of one device, stream or event, for
 * example, may be different pointers. Handles of different kinds, or of objects of different contexts, never refer to
 * the same object. Statuses: those of tenon_handle_kind, for either handle. */
TENON_API int32_t tenon_same(TENON_ANY_HANDLE const void* a, TENON_ANY_HANDLE const void* b,
                             TENON_OUT TENON_YES_NO int32_t* out_same);

#ifdef __cplusplus
}
#endif
#endif
