/* tenon/dlpack.h: arrays in and out without a copy, by DLPack (https://dmlc.github.io/dlpack).
 *
 *   tenon_array* x = NULL;
 *   tenon_array_from_dlpack_versioned(NULL, theirs, NULL, &x); x keeps theirs until it is released
 *   struct DLManagedTensorVersioned* ours = NULL;
 *   tenon_array_to_dlpack_versioned(x, 0, NULL, &ours);        ours keeps the memory of x until its deleter runs
 *
 * Only the two struct tags are declared here, so this header can be included together with any dlpack.h of version 0.6
 * or later, in either order.
 *
 * Import. The tensor is consumed on success only: its deleter runs once, after the last use of the memory on any
 * stream, on the thread of the call that finds the use complete. Work that the producer has enqueued must be ordered
 * before `stream` (NULL: the default stream of the tensor's device, after the producer synchronised); Tenon orders its
 * other streams after that one. Tenon checks version, rank, NULLs, dtype, device, strides, overflow and alignment. The
 * array's device is the context's device of the tensor's type and id; for CUDA memory the driver is queried for its
 * actual device.
 */
#ifndef TENON_DLPACK_H
#define TENON_DLPACK_H

#include <tenon/array.h>

#ifdef __cplusplus
extern "C" {
#endif

struct DLManagedTensor;
struct DLManagedTensorVersioned;

/* Import of the legacy struct. read_only: 1 refuses writes (the legacy struct has no such flag). Statuses: DTYPE,
 * SHAPE, LAYOUT, OVERFLOW: the tensor is invalid; NOT_FOUND: its device does not exist; UNSUPPORTED: Tenon does not
 * support its kind of device. */
TENON_API int32_t tenon_array_from_dlpack(TENON_NULLABLE tenon_context* context,
                                          TENON_CONSUMED struct DLManagedTensor* tensor, TENON_YES_NO int32_t read_only,
                                          TENON_NULLABLE tenon_stream* stream,
                                          TENON_OUT TENON_OWNED tenon_array** out_array);
/* Import of the versioned struct (1.x), with its READ_ONLY flag. A tensor of another major version is refused
 * (VERSION); the caller still has to call its deleter. Other statuses: as for tenon_array_from_dlpack (DTYPE, SHAPE,
 * LAYOUT, OVERFLOW, NOT_FOUND, UNSUPPORTED). */
TENON_API int32_t tenon_array_from_dlpack_versioned(TENON_NULLABLE tenon_context* context,
                                                    TENON_CONSUMED struct DLManagedTensorVersioned* tensor,
                                                    TENON_NULLABLE tenon_stream* stream,
                                                    TENON_OUT TENON_OWNED tenon_array** out_array);

/* Sets *out_stream to the current stream of a framework on a device (TENON_DEVICE_*, index), a CUstream, and returns 0.
 * It is the `current_work_stream` of DLPack's C exchange API. Tenon calls it on the thread of the call that uses an
 * array, without a lock held. The function and the streams that it returns must live as long as the process (as
 * PyTorch's do). */
typedef int32_t (*tenon_current_stream_fn)(TENON_ENUM(DEVICE) int32_t device_type, int32_t device_id,
                                           void** out_stream);

/* Declares that the memory belongs to a framework that continues to use it; `current` returns the framework's stream
 * and is called at each use. Calls with a NULL stream and this array (or a view of it) run on that stream; calls on
 * other streams are first ordered after the work that the framework has enqueued there. After the memory is returned,
 * the framework may reuse it in the order of that stream, as it does for its own operations. Call this right after
 * importing the array; the `stream` of the import then has no effect. On the CPU it changes nothing.
 * UNSUPPORTED: an array whose memory is Tenon's own. */
TENON_API int32_t tenon_array_follow(tenon_array* array, tenon_current_stream_fn current);

#define TENON_DLPACK_COPY 1u            /* always export a separate copy (flag IS_COPIED in the versioned struct) */
#define TENON_DLPACK_STREAM_MAY_END 2u  /* `stream` may be destroyed before the deleter runs: see below */
#define TENON_DLPACK_NEVER_COPY 4u      /* fail with LAYOUT if the array cannot be exported as it is: negative strides.
                                           Not with TENON_DLPACK_COPY */

/* Export. The result owns a reference to the memory; the consumer calls its deleter once, from any thread. The byte
 * offset is included in the data pointer, strides are always set, axes of extent 1 get canonical strides, and an array
 * with negative strides is copied (TENON_DLPACK_NEVER_COPY: LAYOUT). `stream` is the consumer's stream: Tenon orders it
 * after the work that it has enqueued on the array (NULL: the default stream of the array's device). Until the deleter
 * runs, Tenon's work on the array on other streams is ordered after the work that the consumer has enqueued on `stream`
 * by then; afterwards the memory is reused only after that work. If the consumer uses further streams, it orders them
 * before `stream` itself. The native stream must live until the deleter runs; while another library captures that
 * stream, this requires holding a tenon_stream for it. With TENON_DLPACK_STREAM_MAY_END the stream need not live: Tenon
 * does not use it afterwards, and the memory is reused only when the device is idle, for which later calls may wait.
 * Memory on the CPU is ready on return. */

/* The legacy struct. READ_ONLY: it cannot carry the flag, so a read-only array is refused (ask for a copy). LAYOUT:
 * negative strides, with TENON_DLPACK_NEVER_COPY. UNSUPPORTED: on a stream that records a graph. In a context that
 * defers errors, also what was deferred: SINGULAR, NOT_FINITE, NOT_CONVERGED, OVERFLOW. */
TENON_API int32_t tenon_array_to_dlpack(const tenon_array* array, TENON_FLAGS(DLPACK) uint32_t flags,
                                        TENON_NULLABLE tenon_stream* stream,
                                        TENON_OUT TENON_OWNED struct DLManagedTensor** out_tensor);
/* The versioned struct, version 1.1. LAYOUT: negative strides, with TENON_DLPACK_NEVER_COPY. UNSUPPORTED: on a stream
 * that records a graph. In a context that defers errors, also what was deferred: SINGULAR, NOT_FINITE, NOT_CONVERGED,
 * OVERFLOW. */
TENON_API int32_t tenon_array_to_dlpack_versioned(const tenon_array* array, TENON_FLAGS(DLPACK) uint32_t flags,
                                                  TENON_NULLABLE tenon_stream* stream,
                                                  TENON_OUT TENON_OWNED struct DLManagedTensorVersioned** out_tensor);

#ifdef __cplusplus
}
#endif
#endif
