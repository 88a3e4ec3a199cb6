/* tenon/stream.h: streams and events.
 *
 * A stream is an order of work on one device. Tenon orders streams by itself where they share a buffer: each buffer
 * remembers which streams used it, and a launch, copy or library call on another stream first waits for those that conflict.
 * Memory is reused or given back only when every such use is over. That covers memory reached through array arguments; raw
 * pointers are the caller's.
 *
 * A NULL stream means: the current stream of the framework that an array argument was imported from, where that framework tells
 * it (tenon_array_follow in dlpack.h); else the device's default stream. On CUDA that is the legacy default stream, which
 * PyTorch, CuPy, Numba and plain CUDA programs are ordered with; in a context with TENON_CONTEXT_PRIVATE_STREAM it is a
 * non-blocking stream of Tenon's own.
 *
 * There is one stream object for each native stream of a device: wrapping a handle again gives another reference to it.
 *
 * While another library captures a stream into a CUDA graph, operations put there become part of that graph. Memory that they
 * allocate belongs to the graph and keeps its address; kernels, plans and memory that Tenon allocated before stay for as long as
 * the graph and what is instantiated from it. Imported memory has to be kept by its owner. What has to wait for its result
 * (solve.h, eigen.h, transfers with pageable host memory) is refused (UNSUPPORTED) before anything is recorded.
 */
#ifndef TENON_STREAM_H
#define TENON_STREAM_H

#include <tenon/context.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tenon_stream tenon_stream;
typedef struct tenon_event tenon_event;

typedef struct tenon_stream_options {
  uint32_t struct_size;
  int32_t priority; /* CUDA: lower runs first; clamped by CUDA to the device's range */
} tenon_stream_options;

/* A new stream. On CUDA it does not synchronise with the legacy default stream. */
TENON_API int32_t tenon_stream_create(tenon_device* device, TENON_NULLABLE const tenon_stream_options* options,
                                      TENON_OUT TENON_OWNED tenon_stream** out_stream);
/* A stream for a native handle (a CUstream; 0 or 1: the legacy default stream, 2: the per-thread default stream) that
 * stays its owner's. It must stay valid until the last reference that this call gave out was released; arrays used on it may
 * live on. On the CPU device only 0. INVALID_ARGUMENT: not a live stream; DEVICE: a stream of another device or context. */
TENON_API int32_t tenon_stream_wrap(tenon_device* device, uint64_t native, TENON_OUT TENON_OWNED tenon_stream** out_stream);
/* As tenon_stream_wrap, and the native stream stays valid until destroy(user) runs: once, when neither a reference nor an array
 * or pending work remembers the stream any more, on whatever thread that is found out. Wrapping is then as cheap as taking a
 * reference. On failure destroy does not run. */
TENON_API int32_t tenon_stream_wrap_kept(tenon_device* device, uint64_t native, tenon_destroy_fn destroy, TENON_NULLABLE void* user,
                                         TENON_OUT TENON_OWNED tenon_stream** out_stream);
/* The device's default stream: the one a NULL stream means where no argument's framework tells its own. */
TENON_API int32_t tenon_stream_default(tenon_device* device, TENON_OUT TENON_OWNED tenon_stream** out_stream);
/* The native handle (CUstream; 1: the legacy default stream); 0 on the CPU. */
TENON_API int32_t tenon_stream_native(const tenon_stream* stream, TENON_OUT uint64_t* out_native);
/* The device of the stream, as a new reference. */
TENON_API int32_t tenon_stream_device(const tenon_stream* stream, TENON_OUT TENON_OWNED tenon_device** out_device);
/* Waits until all work enqueued so far is done. Returns the stream's fault (KERNEL_FAULT, DEVICE_LOST) if there was one;
 * a KERNEL_FAULT is reported once and cleared. stream NULL: the default stream of each device of the process-default
 * context that was used; then the first fault is returned, after all were waited for. */
TENON_API int32_t tenon_stream_synchronize(TENON_NULLABLE tenon_stream* stream);
/* TENON_OK when all work is done, TENON_ERROR_NOT_READY when not; else as synchronize, for NULL too. Does not wait. */
TENON_API int32_t tenon_stream_query(TENON_NULLABLE tenon_stream* stream);
/* Work enqueued on `stream` (NULL: the default stream of the event's device) from now on waits for the event's last
 * record; on another device's stream too. CONTEXT: they belong to two contexts. */
TENON_API int32_t tenon_stream_wait_event(TENON_NULLABLE tenon_stream* stream, tenon_event* event);
/* Takes one more reference. */
TENON_API int32_t tenon_stream_retain(tenon_stream* stream);
/* Gives one reference back. Work in flight goes on. */
TENON_API void tenon_stream_release(TENON_NULLABLE tenon_stream* stream);

#define TENON_EVENT_TIMING 1u /* may be used with tenon_event_elapsed */

/* A new event, not recorded yet; waiting for it returns at once. flags: TENON_EVENT_*. */
TENON_API int32_t tenon_event_create(tenon_device* device, TENON_FLAGS(EVENT) uint32_t flags,
                                     TENON_OUT TENON_OWNED tenon_event** out_event);
/* Marks this point of the stream (NULL: the default stream of the event's device), replacing an earlier mark. */
TENON_API int32_t tenon_event_record(tenon_event* event, TENON_NULLABLE tenon_stream* stream);
/* Waits on the host until the mark is reached. */
TENON_API int32_t tenon_event_synchronize(tenon_event* event);
/* TENON_OK when the mark is reached, TENON_ERROR_NOT_READY when not. */
TENON_API int32_t tenon_event_query(tenon_event* event);
/* Milliseconds between two recorded timing events, both reached (NOT_READY otherwise). */
TENON_API int32_t tenon_event_elapsed(tenon_event* start, tenon_event* end, TENON_OUT double* out_milliseconds);
/* The device of the event, as a new reference. */
TENON_API int32_t tenon_event_device(const tenon_event* event, TENON_OUT TENON_OWNED tenon_device** out_device);
/* Takes one more reference. */
TENON_API int32_t tenon_event_retain(tenon_event* event);
/* Gives one reference back. */
TENON_API void tenon_event_release(TENON_NULLABLE tenon_event* event);

#ifdef __cplusplus
}
#endif
#endif
