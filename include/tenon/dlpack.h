/* tenon/dlpack.h: arrays in and out without a copy, by DLPack (https://dmlc.github.io/dlpack).
 *
 * Only the two struct tags are declared here, so this header goes with any dlpack.h of version 0.6 or later, in either order.
 */
#ifndef TENON_DLPACK_H
#define TENON_DLPACK_H

#include <tenon/array.h>

#ifdef __cplusplus
extern "C" {
#endif

struct DLManagedTensor;
struct DLManagedTensorVersioned;

/* Import. The tensor is consumed on success only: its deleter runs once, after the last use of the memory on any stream,
 * on whatever thread that is found out. Work that the producer has enqueued must be ordered before `stream` (NULL: the
 * default stream of the tensor's device, after the producer synchronised); Tenon orders its other streams behind that one.
 * Checked: version, rank, NULLs, dtype, device, strides, overflow, alignment. The device is the context's device of the
 * tensor's type and id; for CUDA memory the driver is asked where it really is. */

/* The legacy struct. read_only: 1 refuses writes (the legacy struct cannot say it). */
TENON_API int32_t tenon_array_from_dlpack(TENON_NULLABLE tenon_context* context, TENON_CONSUMED struct DLManagedTensor* tensor, int32_t read_only,
                                          TENON_NULLABLE tenon_stream* stream, TENON_OUT TENON_OWNED tenon_array** out_array);
/* The versioned struct (1.x), with its READ_ONLY flag. A tensor of another major version is refused (VERSION); its deleter
 * stays the caller's to call. */
TENON_API int32_t tenon_array_from_dlpack_versioned(TENON_NULLABLE tenon_context* context, TENON_CONSUMED struct DLManagedTensorVersioned* tensor,
                                                    TENON_NULLABLE tenon_stream* stream,
                                                    TENON_OUT TENON_OWNED tenon_array** out_array);

#define TENON_DLPACK_COPY 1u /* always export a copy of its own (flag IS_COPIED in the versioned struct) */

/* Export. The result owns a reference to the memory; the consumer calls its deleter once, from any thread. The offset is
 * folded into the data pointer, strides are always given, size-1 axes get canonical strides, negative strides are copied.
 * `stream` is the consumer's: work that Tenon has enqueued on the array is ordered before it (NULL: the default stream of
 * the array's device). Memory on the CPU is ready on return. */

/* The legacy struct. READ_ONLY: it cannot carry the flag, so a read-only array is refused (ask for a copy). */
TENON_API int32_t tenon_array_to_dlpack(const tenon_array* array, uint32_t flags, TENON_NULLABLE tenon_stream* stream,
                                        TENON_OUT TENON_OWNED struct DLManagedTensor** out_tensor);
/* The versioned struct, version 1.1. */
TENON_API int32_t tenon_array_to_dlpack_versioned(const tenon_array* array, uint32_t flags, TENON_NULLABLE tenon_stream* stream,
                                                  TENON_OUT TENON_OWNED struct DLManagedTensorVersioned** out_tensor);

#ifdef __cplusplus
}
#endif
#endif
