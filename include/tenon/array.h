/* tenon/array.h: buffers (memory) and arrays (a view of a buffer: dtype, shape, strides, offset).
 *
 *   int64_t shape[] = {2, 3};
 *   float data[6] = {1, 2, 3, 4, 5, 6};
 *   tenon_array* x = NULL;
 *   tenon_array_from_host(device, TENON_FLOAT32, 2, shape, data, sizeof data, NULL, &x);
 *   tenon_array_to_host(x, data, sizeof data, NULL);
 *   tenon_array_release(x);
 *
 * Shapes and strides are in elements, the last axis varying fastest by default (C order); strides may be zero or
 * negative. Views share the buffer and keep it alive. An array's shape never changes, so arrays may be used from
 * several threads; who writes the elements while another reads them is the caller's order to make (streams do it for
 * device work).
 *
 * Statuses of the functions that make arrays, views and copies: DTYPE: not a dtype, or one that cannot be converted as
 * asked; SHAPE: a rank above TENON_MAX_RANK, a negative extent, or shapes that do not fit each other; OVERFLOW: a size
 * that does not fit.
 */
#ifndef TENON_ARRAY_H
#define TENON_ARRAY_H

#include <tenon/argument.h>
#include <tenon/stream.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tenon_buffer tenon_buffer;

#define TENON_MAX_RANK 64

#define TENON_MEMORY_DEVICE 0  /* the device's own memory (for the CPU device: host memory, 64-byte aligned) */
#define TENON_MEMORY_PINNED 1  /* page-locked host memory of a CUDA device, readable by both (DLPack kDLCUDAHost) */
#define TENON_MEMORY_MANAGED 2 /* CUDA managed memory, migrating (DLPack kDLCUDAManaged) */

/* Allocates `bytes` (0 is allowed) of memory, not cleared, stream-ordered on `stream`. kind: TENON_MEMORY_*.
 * OUT_OF_MEMORY says how much was asked, used and free, after a trim and a second try. OVERFLOW: more than 2^63 - 1
 * bytes. UNSUPPORTED: pinned or managed memory on the CPU device. */
TENON_API int32_t tenon_buffer_create(tenon_device* device, uint64_t bytes, TENON_ENUM(MEMORY) int32_t kind,
                                      TENON_NULLABLE tenon_stream* stream,
                                      TENON_OUT TENON_OWNED tenon_buffer** out_buffer);
/* Makes a buffer of memory that someone else owns. The memory must be usable on the device: host memory for the CPU
 * device (kind DEVICE); for a CUDA device the driver is asked what it is (DEVICE: it is of another device or kind).
 * OVERFLOW: the memory would end beyond the last address.
 * read_only: 1 refuses writes.
 * stream: where the owner's work on the memory is enqueued (NULL: the device's default stream); uses on other streams
 * wait for the work that this stream holds by then. While another library captures that stream, no other stream can
 * wait for it: the memory can be used in that capture, and elsewhere only after the capture has ended (UNSUPPORTED
 * before that). Wrap memory that is ready already with the stream on which it will be used. UNSUPPORTED also: the
 * stream records a graph of Tenon's. destroy(user) runs once after the last use, on the thread of whatever call finds
 * that out; it belongs to the library on success only. */
TENON_API int32_t tenon_buffer_wrap(tenon_device* device, TENON_LENGTH(bytes) void* data, uint64_t bytes,
                                    TENON_ENUM(MEMORY) int32_t kind, TENON_YES_NO int32_t read_only,
                                    TENON_NULLABLE tenon_stream* stream,
                                    TENON_NULLABLE tenon_destroy_fn destroy, TENON_NULLABLE void* user,
                                    TENON_OUT TENON_OWNED tenon_buffer** out_buffer);
/* Address and size in bytes. The address of a CUDA buffer is a device address. */
TENON_API int32_t tenon_buffer_data(const tenon_buffer* buffer, TENON_OUT void** out_data,
                                    TENON_OUT uint64_t* out_bytes);
/* Memory that several processes use, with the same rights: POSIX shared memory on the CPU device, memory for CUDA's IPC
 * on a CUDA device. Tenon orders the work of one process only: whoever hands the memory over waits first
 * (tenon_stream_synchronize).
 *
 * A new buffer of `bytes` (at least 1), on the CPU of zeros and mapped where others can open it. Statuses as for
 * tenon_buffer_create (OVERFLOW); IO: the system gives no shared memory; UNSUPPORTED: the device cannot (CUDA on
 * Windows or in a container without IPC, say). */
TENON_API int32_t tenon_buffer_create_shared(tenon_device* device, uint64_t bytes,
                                             TENON_OUT TENON_OWNED tenon_buffer** out_buffer);
/* What another process of the same user and machine needs to open the buffer, as bytes to be sent to it in any way.
 * They are good for as long as the buffer of tenon_buffer_create_shared lives; buffers opened until then stay usable on
 * the CPU. UNSUPPORTED: the buffer was not made by tenon_buffer_create_shared. */
TENON_API int32_t tenon_buffer_share(const tenon_buffer* buffer, TENON_OUT TENON_OWNED tenon_blob** out_key);
/* The memory that such bytes stand for, as a buffer of this process. On a CUDA device, whose memory goes with the
 * process that made it, release it before that process releases its own. INVALID_ARGUMENT: the bytes are no key;
 * VERSION: of another version of Tenon; NOT_FOUND: the memory does not exist any more, or (on the CPU) was made on
 * another machine or in another PID namespace, as containers have them; IO: it cannot be opened, as where it belongs to
 * another user; DEVICE: it belongs to another
 * device; UNSUPPORTED: CUDA's memory of this same process, which needs no opening. */
TENON_API int32_t tenon_buffer_open(tenon_device* device, TENON_LENGTH(size) const void* key, uint64_t size,
                                    TENON_OUT TENON_OWNED tenon_buffer** out_buffer);
/* The device of the buffer, as a new reference. */
TENON_API int32_t tenon_buffer_device(const tenon_buffer* buffer, TENON_OUT TENON_OWNED tenon_device** out_device);
/* Takes one more reference. */
TENON_API int32_t tenon_buffer_retain(tenon_buffer* buffer);
/* Gives one reference back. The memory is reused only after its last use on every stream. */
TENON_API void tenon_buffer_release(TENON_NULLABLE tenon_buffer* buffer);

/* Making arrays. `shape` may be NULL when rank is 0. SHAPE: a negative extent; OVERFLOW: the size does not fit. */

/* A new C-ordered array, elements not set. */
TENON_API int32_t tenon_array_create(tenon_device* device, uint32_t dtype, int32_t rank,
                                     TENON_NULLABLE TENON_LENGTH(rank) const int64_t* shape,
                                     TENON_NULLABLE tenon_stream* stream,
                                     TENON_OUT TENON_OWNED tenon_array** out_array);
/* A new C-ordered array of zeros. */
TENON_API int32_t tenon_array_zeros(tenon_device* device, uint32_t dtype, int32_t rank,
                                    TENON_NULLABLE TENON_LENGTH(rank) const int64_t* shape,
                                    TENON_NULLABLE tenon_stream* stream, TENON_OUT TENON_OWNED tenon_array** out_array);
/* A new array with a copy of C-ordered host memory of exactly `bytes` bytes, which may be reused when the call
 * returns. SHAPE: bytes is not what the dtype and shape take. UNSUPPORTED: on a stream that records a graph. */
TENON_API int32_t tenon_array_from_host(tenon_device* device, uint32_t dtype, int32_t rank,
                                        TENON_NULLABLE TENON_LENGTH(rank) const int64_t* shape,
                                        TENON_NULLABLE TENON_LENGTH(bytes) const void* data, uint64_t bytes,
                                        TENON_NULLABLE tenon_stream* stream,
                                        TENON_OUT TENON_OWNED tenon_array** out_array);
/* A view of a buffer. strides: NULL for C order; byte_offset: of the element at index 0. Every element must lie inside
 * the buffer (OVERFLOW) and be aligned to its size or 16, whichever is less (LAYOUT). The buffer stays the caller's
 * reference. */
TENON_API int32_t tenon_array_from_buffer(tenon_buffer* buffer, uint32_t dtype, int32_t rank,
                                          TENON_NULLABLE TENON_LENGTH(rank) const int64_t* shape,
                                          TENON_NULLABLE TENON_LENGTH(rank) const int64_t* strides,
                                          uint64_t byte_offset,
                                          TENON_OUT TENON_OWNED tenon_array** out_array);
/* Takes one more reference. */
TENON_API int32_t tenon_array_retain(tenon_array* array);
/* Gives one reference back. Work in flight that uses the memory is not disturbed. */
TENON_API void tenon_array_release(TENON_NULLABLE tenon_array* array);

#define TENON_ARRAY_C_CONTIGUOUS 1u
#define TENON_ARRAY_F_CONTIGUOUS 2u
#define TENON_ARRAY_READ_ONLY 4u

/* What an array is. Pointers are borrowed and live as long as the array. */
typedef struct tenon_array_info {
  uint32_t struct_size;
  uint32_t dtype;
  int32_t rank;
  TENON_FLAGS(ARRAY) uint32_t flags;         /* TENON_ARRAY_* */
  TENON_BORROWED(array) void* data; /* address of the element at index 0 */
  TENON_BORROWED(array) TENON_LENGTH(rank) const int64_t* shape;   /* rank extents */
  TENON_BORROWED(array) TENON_LENGTH(rank) const int64_t* strides; /* rank strides, in elements */
  int64_t size;           /* number of elements */
  uint64_t bytes;         /* size in bytes of the elements, packed */
  TENON_ENUM(DEVICE) int32_t device_kind;    /* TENON_DEVICE_* */
  int32_t device_index;
  TENON_ENUM(MEMORY) int32_t memory_kind;    /* TENON_MEMORY_* */
  int32_t reserved;
} tenon_array_info;

/* Fills *out_info; its struct_size must be set by the caller. */
TENON_API int32_t tenon_array_get_info(const tenon_array* array, TENON_OUT tenon_array_info* out_info);
/* The device of the array, as a new reference. */
TENON_API int32_t tenon_array_device(const tenon_array* array, TENON_OUT TENON_OWNED tenon_device** out_device);
/* The buffer under the array, as a new reference. */
TENON_API int32_t tenon_array_buffer(const tenon_array* array, TENON_OUT TENON_OWNED tenon_buffer** out_buffer);

#define TENON_ACCESS_READ 1
#define TENON_ACCESS_WRITE 2 /* reads too */

/* Declares that work which Tenon does not see, put on the stream right after this call, reads or writes the array
 * through its address: a call of another library, say. The stream is ordered behind the uses that conflict with it, as
 * for a use by Tenon; later conflicting uses are ordered behind it, and the memory is reused only behind it. Declare
 * the work again if other streams have used the array since. access: TENON_ACCESS_*. READ_ONLY: a write to an array
 * that refuses it; UNSUPPORTED: the stream records a graph; DEVICE: the array is on a GPU and the stream is the CPU's,
 * or the reverse. Whether one GPU can reach another's memory is the caller's to know. */
TENON_API int32_t tenon_array_use(tenon_array* array, TENON_ENUM(ACCESS) int32_t access,
                                  TENON_NULLABLE tenon_stream* stream);

/* Views: no element is copied, no stream is needed. */

/* Another shape of the same elements in C order; one extent may be -1 (inferred). SHAPE when sizes differ, LAYOUT when
 * the strides do not allow a view (make it contiguous first). */
TENON_API int32_t tenon_array_reshape(const tenon_array* array, int32_t rank,
                                      TENON_NULLABLE TENON_LENGTH(rank) const int64_t* shape,
                                      TENON_OUT TENON_OWNED tenon_array** out_array);
/* Axes in another order: axis i of the result is axis axes[i]; NULL reverses them. Negative axes count from the end.
 * INVALID_ARGUMENT: rank is not the array's; an axis is out of range, or named twice. */
TENON_API int32_t tenon_array_transpose(const tenon_array* array, int32_t rank,
                                        TENON_NULLABLE TENON_LENGTH(rank) const int32_t* axes,
                                        TENON_OUT TENON_OWNED tenon_array** out_array);
/* For each axis the elements start, start + step, ... up to but without stop, as in Python; negative start and stop
 * count from the end and are clamped; INT64_MIN means "left out". step must not be 0. starts, stops, steps: NULL for
 * all left out. INVALID_ARGUMENT: rank is not the array's; a step is 0. */
TENON_API int32_t tenon_array_slice(const tenon_array* array, int32_t rank,
                                    TENON_NULLABLE TENON_LENGTH(rank) const int64_t* starts,
                                    TENON_NULLABLE TENON_LENGTH(rank) const int64_t* stops,
                                    TENON_NULLABLE TENON_LENGTH(rank) const int64_t* steps,
                                    TENON_OUT TENON_OWNED tenon_array** out_array);
/* One index of one axis: the result has one axis less. Negative indices count from the end. INVALID_ARGUMENT: axis or
 * index is out of range. */
TENON_API int32_t tenon_array_index(const tenon_array* array, int32_t axis, int64_t index,
                                    TENON_OUT TENON_OWNED tenon_array** out_array);
/* NumPy's broadcasting to a larger shape, with stride 0. The result is read-only. SHAPE: the shapes do not
 * broadcast. */
TENON_API int32_t tenon_array_broadcast(const tenon_array* array, int32_t rank,
                                        TENON_NULLABLE TENON_LENGTH(rank) const int64_t* shape,
                                        TENON_OUT TENON_OWNED tenon_array** out_array);
/* The same bytes as another dtype. Sizes that differ need unit stride in the last axis (LAYOUT), whose extent changes.
 * DTYPE: types of fewer than 8 bits have no view. SHAPE: the last axis is no whole number of new elements. */
TENON_API int32_t tenon_array_view(const tenon_array* array, uint32_t dtype,
                                   TENON_OUT TENON_OWNED tenon_array** out_array);

/* Copies. */

/* destination[...] = source: broadcasts source, converts the dtype as C does (float to integer truncates, out-of-range
 * and NaN to integer are unspecified values; complex to real keeps the real part; to bool: != 0; rounding is to
 * nearest even), any strides, between any two devices. OVERLAP: neither exact alias nor disjoint, or a destination
 * that overlaps itself. Between devices the copy is ordered on `stream`, which belongs to either of them (NULL: the
 * default stream of the destination, or of the source if the destination is the CPU); into host memory that is not
 * pinned the data is there on return. READ_ONLY: the destination. UNSUPPORTED: a dtype of less than a byte where the
 * shapes differ or an array is not contiguous; the stream records a graph, and the copy is between devices that do not
 * reach each other's memory. */
TENON_API int32_t tenon_array_copy(tenon_array* destination, const tenon_array* source,
                                   TENON_NULLABLE tenon_stream* stream);
/* Sets every element to `value`, a scalar (TENON_ARG_SCALAR) of any dtype that can be computed with, or of the array's
 * own dtype. The value arrives exactly in integers and bool, and rounded to nearest even in floating and complex
 * dtypes. INVALID_ARGUMENT: not a scalar, or a value that the dtype cannot hold: a fraction, or a number out of range,
 * for integers; anything but 0 and 1 for bool; a finite number beyond the largest of a floating dtype; an imaginary
 * part for a real dtype. DTYPE: a storage type (dtype.h), which takes 0 or a scalar of its own dtype. READ_ONLY;
 * OVERLAP: elements that share memory; UNSUPPORTED: a dtype of less than a byte, not contiguous. After a failure the
 * array is unchanged. */
TENON_API int32_t tenon_array_fill(tenon_array* array, const tenon_arg* value, TENON_NULLABLE tenon_stream* stream);
/* A new C-ordered array of another dtype (TENON_DTYPE of the source: a plain contiguous copy) on another device (NULL:
 * the source's). UNSUPPORTED as for tenon_array_copy. */
TENON_API int32_t tenon_array_convert(const tenon_array* source, uint32_t dtype, TENON_NULLABLE tenon_device* device,
                                      TENON_NULLABLE tenon_stream* stream,
                                      TENON_OUT TENON_OWNED tenon_array** out_array);
/* Writes all elements in C order to host memory of exactly `bytes` bytes; they are there on return. SHAPE: bytes is
 * not the array's size. UNSUPPORTED: on a stream that records a graph. In a context that defers errors, also what was
 * deferred: SINGULAR, NOT_FINITE, NOT_CONVERGED, OVERFLOW. */
TENON_API int32_t tenon_array_to_host(const tenon_array* array, TENON_NULLABLE TENON_LENGTH(bytes) void* data,
                                      uint64_t bytes,
                                      TENON_NULLABLE tenon_stream* stream);
/* Reads all elements in C order from host memory of exactly `bytes` bytes, which may be reused on return. SHAPE: bytes
 * is not the array's size. READ_ONLY; OVERLAP: the array overlaps itself. UNSUPPORTED: on a stream that records a
 * graph. */
TENON_API int32_t tenon_array_set_from_host(tenon_array* array, TENON_NULLABLE TENON_LENGTH(bytes) const void* data,
                                            uint64_t bytes,
                                            TENON_NULLABLE tenon_stream* stream);

#ifdef __cplusplus
}
#endif
#endif
