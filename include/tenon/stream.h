/* tenon/stream.h: streams and events.
 *
 *   tenon_stream* stream = NULL;
 *   tenon_stream_create(device, NULL, &stream);
 *   tenon_kernel_launch(kernel, &launch, args, count, stream);
 *   tenon_stream_synchronize(stream);                          the kernel has finished
 *
 * A stream is a sequence of work on one device, run in order. Tenon orders streams automatically where they share a
 * buffer: each buffer records which streams used it, and a launch, copy or library call on another stream first waits
 * for the uses that conflict. Memory is reused or freed only after every such use has finished. That covers memory
 * reached through array arguments; for raw pointers the caller orders the work.
 *
 * A NULL stream means the current stream of the framework that an array argument was imported from, if Tenon can query
 * it (tenon_array_follow in dlpack.h), else the device's default stream. On CUDA that is the legacy default stream,
 * which is ordered with the streams of PyTorch, CuPy, Numba and plain CUDA programs; in a context with
 * TENON_CONTEXT_PRIVATE_STREAM it is Tenon's own non-blocking stream.
 *
 * There is one stream object for each native stream of a device: wrapping a handle again returns another reference to
 * it.
 *
 * While another library captures a stream into a CUDA graph, operations enqueued there become part of that graph.
 * Memory that they allocate belongs to the graph and keeps its address; kernels, plans and memory that Tenon allocated
 * before are kept as long as the graph and its instances exist. The owner of imported memory must keep it that long.
 * Operations that have to wait for their result (solve.h, eigen.h, transfers with pageable host memory) are refused
 * (UNSUPPORTED) before anything is recorded.
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
/* A stream for a native handle (a CUstream; 0 or 1: the legacy default stream, 2: the per-thread default stream), which
 * its owner keeps. On the CPU device only 0 is valid.
 * destroy NULL: the native stream must stay valid until the last reference that this call returned is released; arrays
 * used on it may live longer. Otherwise it must stay valid until destroy(user) runs: once, when no reference, array or
 * pending work refers to the stream any more (at once, if the stream is kept valid already: by an earlier wrapping, by
 * Tenon, or by the driver), on the thread of the call that finds this out. Wrapping it again is then as cheap as taking
 * a reference. The library takes ownership of destroy on success only.
 * INVALID_ARGUMENT: not a live stream; DEVICE: a stream of another device or context. */
TENON_API int32_t tenon_stream_wrap(tenon_device* device, uint64_t native, TENON_NULLABLE tenon_destroy_fn destroy,
                                    TENON_NULLABLE void* user, TENON_OUT TENON_OWNED tenon_stream** out_stream);
/* The device's default stream: the one that a NULL stream means unless an argument's framework provides its own. */
TENON_API int32_t tenon_stream_default(tenon_device* device, TENON_OUT TENON_OWNED tenon_stream** out_stream);
/* The native handle (CUstream; 1: the legacy default stream); 0 on the CPU. */
TENON_API int32_t tenon_stream_native(const tenon_stream* stream, TENON_OUT uint64_t* out_native);
/* The device of the stream, as a new reference. */
TENON_API int32_t tenon_stream_device(const tenon_stream* stream, TENON_OUT TENON_OWNED tenon_device** out_device);
/* Waits until all work enqueued so far has finished. Returns the stream's fault (KERNEL_FAULT, DEVICE_LOST) if there
 * was one; a KERNEL_FAULT is reported once and cleared. stream NULL: waits for the default stream of each device of the
 * process-default context that was used, then returns the first fault. In a context that defers errors, also deferred
 * errors: SINGULAR, NOT_FINITE, NOT_CONVERGED, OVERFLOW. */
TENON_API int32_t tenon_stream_synchronize(TENON_NULLABLE tenon_stream* stream);
/* TENON_OK if all work has finished, TENON_ERROR_NOT_READY if not; otherwise as tenon_stream_synchronize, for NULL too.
 * Does not wait. In a context that defers errors, also deferred errors: SINGULAR, NOT_FINITE, NOT_CONVERGED,
 * OVERFLOW. */
TENON_API int32_t tenon_stream_query(TENON_NULLABLE tenon_stream* stream);
/* Work enqueued on `stream` (NULL: the default stream of the event's device) from now on waits for the work that
 * precedes the event's last record, even on a stream of another device. CONTEXT: stream and event belong to different
 * contexts. */
TENON_API int32_t tenon_stream_wait_event(TENON_NULLABLE tenon_stream* stream, tenon_event* event);
/* A host function that runs in stream order. On the CPU device it runs within tenon_stream_call_host, on the caller's
 * thread, and may call Tenon; it must not wait for another thread that uses the same stream, and cannot change the
 * graph whose launch calls it. On a CUDA device it runs on a thread of the driver: it must not call Tenon or CUDA, and
 * must not wait for the result of such a call; later work on the stream waits for it. It must not let an exception
 * escape; one that escapes is dropped, and logged if the function runs on the caller's thread. */
typedef void (*tenon_stream_fn)(void* user);
/* Runs function(user) when the work enqueued on the stream so far has finished; later work waits for it. destroy(user)
 * runs once, after the function has run for the last time, or when it never will (the device is lost, for example), on
 * the thread of the call that finds this out (such as tenon_stream_synchronize). On a stream that records a graph the
 * function becomes a node, and runs at each launch. The library takes ownership of destroy on success only. */
TENON_API int32_t tenon_stream_call_host(tenon_stream* stream, tenon_stream_fn function,
                                         TENON_NULLABLE tenon_destroy_fn destroy, TENON_NULLABLE void* user);
/* Adds one reference. */
TENON_API int32_t tenon_stream_retain(const tenon_stream* stream);
/* Releases one reference. Work in flight continues. */
TENON_API void tenon_stream_release(TENON_NULLABLE tenon_stream* stream);

#define TENON_EVENT_TIMING 1u /* may be used with tenon_event_elapsed */

/* A new event, not recorded yet; waiting for it returns at once. flags: TENON_EVENT_*. */
TENON_API int32_t tenon_event_create(tenon_device* device, TENON_FLAGS(EVENT) uint32_t flags,
                                     TENON_OUT TENON_OWNED tenon_event** out_event);
/* An event for a native handle (a CUevent), which its owner keeps and has recorded. It can be waited for, queried, or
 * recorded again. It must stay valid until the last reference is released; destroy(user), if given, runs then, on the
 * thread that releases it. On the CPU device, whose work is complete when a call returns, only 0 is valid: an event
 * that is reached. The library takes ownership of destroy on success only. The event has no time for
 * tenon_event_elapsed. INVALID_ARGUMENT: a handle that never was an event; a handle of an event that was destroyed may
 * crash the driver. */
TENON_API int32_t tenon_event_wrap(tenon_device* device, uint64_t native, TENON_NULLABLE tenon_destroy_fn destroy,
                                   TENON_NULLABLE void* user, TENON_OUT TENON_OWNED tenon_event** out_event);
/* The native handle (CUevent), for other libraries to wait for; 0 on the CPU. It lives as long as the event. */
TENON_API int32_t tenon_event_native(const tenon_event* event, TENON_OUT uint64_t* out_native);
/* Marks this point of the stream (NULL: the default stream of the event's device), replacing an earlier mark. */
TENON_API int32_t tenon_event_record(tenon_event* event, TENON_NULLABLE tenon_stream* stream);
/* Waits on the host until the mark is reached. In a context that defers errors, also deferred errors: SINGULAR,
 * NOT_FINITE, NOT_CONVERGED, OVERFLOW. */
TENON_API int32_t tenon_event_synchronize(tenon_event* event);
/* TENON_OK if the mark is reached, TENON_ERROR_NOT_READY if not. */
TENON_API int32_t tenon_event_query(tenon_event* event);
/* Seconds between two recorded timing events that are both reached (NOT_READY otherwise). INVALID_ARGUMENT: one was
 * created without TENON_EVENT_TIMING. DEVICE: they belong to different devices. */
TENON_API int32_t tenon_event_elapsed(tenon_event* start, tenon_event* end, TENON_OUT double* out_seconds);
/* The device of the event, as a new reference. */
TENON_API int32_t tenon_event_device(const tenon_event* event, TENON_OUT TENON_OWNED tenon_device** out_device);
/* Adds one reference. */
TENON_API int32_t tenon_event_retain(const tenon_event* event);
/* Releases one reference. */
TENON_API void tenon_event_release(TENON_NULLABLE tenon_event* event);

#ifdef __cplusplus
}
#endif
#endif
