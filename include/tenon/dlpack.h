/* tenon/dlpack.h: arrays in and out without a copy, by DLPack (https://dmlc.github.io/dlpack).
 *
 *   tenon_array* x = NULL;
 *   tenon_array_from_dlpack_versioned(NULL, theirs, NULL, &x); x keeps theirs until it is released
 *   struct DLManagedTensorVersioned* ours = NULL;
 *   tenon_array_to_dlpack_versioned(x, 0, NULL, &ours);        ours keeps the memory of x until its deleter runs
 *
 * Only the two struct tags are declared here, so this header goes with any dlpack.h of version 0.6 or later, in either
 * order.
 *
 * Import. The tensor is consumed on success only: its deleter runs once, after the last use of the memory on any
 * stream, on whatever thread that is found out. Work that the producer has enqueued must be ordered before `stream`
 * (NULL: the default stream of the tensor's device, after the producer synchronised); Tenon orders its other streams
 * behind that one. Checked: version, rank, NULLs, dtype, device, strides, overflow, alignment. The device is the
 * context's device of the tensor's type and id; for CUDA memory the driver is asked where it really is.
 */
#ifndef TENON_DLPACK_H
#define TENON_DLPACK_H

#include <tenon/array.h>

#ifdef __cplusplus
extern "C" {
#endif

struct DLManagedTensor;
struct DLManagedTensorVersioned;

/* Import of the legacy struct. read_only: 1 refuses writes (the legacy struct cannot say it). Statuses: DTYPE, SHAPE,
 * LAYOUT, OVERFLOW: a tensor that cannot be; NOT_FOUND: a device that is not there; UNSUPPORTED: a kind of device that
 * Tenon has none of. */
TENON_API int32_t tenon_array_from_dlpack(TENON_NULLABLE tenon_context* context,
                                          TENON_CONSUMED struct DLManagedTensor* tensor, TENON_YES_NO int32_t read_only,
                                          TENON_NULLABLE tenon_stream* stream,
                                          TENON_OUT TENON_OWNED tenon_array** out_array);
/* Import of the versioned struct (1.x), with its READ_ONLY flag. A tensor of another major version is refused
 * (VERSION); its deleter stays the caller's to call. Other statuses: as of tenon_array_from_dlpack (DTYPE, SHAPE,
 * LAYOUT, OVERFLOW, NOT_FOUND, UNSUPPORTED). */
TENON_API int32_t tenon_array_from_dlpack_versioned(TENON_NULLABLE tenon_context* context,
                                                    TENON_CONSUMED struct DLManagedTensorVersioned* tensor,
                                                    TENON_NULLABLE tenon_stream* stream,
                                                    TENON_OUT TENON_OWNED tenon_array** out_array);

/* Tells the current stream of a framework on a device (TENON_DEVICE_*, index): a CUstream; returns 0. It is the
 * `current_work_stream` of DLPack's C exchange API. Tenon calls it on the thread of the call that uses an array, under
 * no lock. The streams it tells must live as long as the process (as PyTorch's do), the function too. */
typedef int32_t (*tenon_current_stream_fn)(TENON_ENUM(DEVICE) int32_t device_type, int32_t device_id,
                                           void** out_stream);

/* The memory belongs to a framework that goes on using it, and `current` tells its stream: it is asked at each call.
 * Calls with a NULL stream and this array (or a view of it) run on that stream; on other streams they are first ordered
 * behind what the framework has enqueued there. The framework may reuse memory that it gets back in the order of that
 * stream, as it does for its own operations. For an array that was imported just now; its import's `stream` then means
 * nothing. On the CPU it changes nothing.
 * UNSUPPORTED: an array whose memory is Tenon's own. */
TENON_API int32_t tenon_array_follow(tenon_array* array, tenon_current_stream_fn current);

#define TENON_DLPACK_COPY 1u            /* always export a copy of its own (flag IS_COPIED in the versioned struct) */
#define TENON_DLPACK_STREAM_MAY_END 2u  /* nobody promises that `stream` lives until the deleter runs: see below */
#define TENON_DLPACK_NEVER_COPY 4u      /* LAYOUT where the array cannot be exported as it is: negative strides. Not
                                           with TENON_DLPACK_COPY */

/* Export. The result owns a reference to the memory; the consumer calls its deleter once, from any thread. The offset
 * is folded into the data pointer, strides are always given, size-1 axes get canonical strides, an array with negative
 * strides is copied (TENON_DLPACK_NEVER_COPY: LAYOUT). `stream` is the consumer's: work that Tenon has enqueued on the
 * array is ordered before it (NULL: the default stream of the array's device). Until the deleter runs, Tenon's work on
 * the array on other streams is ordered behind what the consumer has enqueued on `stream` by then; afterwards the
 * memory is reused only behind it. Work that the consumer puts on further streams it orders before `stream` itself. The
 * native stream must live until the deleter runs, which while that stream is being captured by another library needs a
 * tenon_stream of it to be held. With TENON_DLPACK_STREAM_MAY_END it need not: it is not touched then, and the memory
 * is reused only when the device is idle, which later calls may wait for. Memory on the CPU is ready on return. */

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
