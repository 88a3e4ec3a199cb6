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
 * several threads; the caller orders accesses to the elements where one thread writes what another reads (streams do so
 * for device work).
 *
 * Statuses of the functions that make arrays, views and copies: DTYPE: not a dtype, or one for which the requested
 * conversion is not possible; SHAPE: a rank above TENON_MAX_RANK, a negative extent, or shapes that do not fit each
 * other; OVERFLOW: a size that does not fit.
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
#define TENON_MEMORY_PINNED 1  /* page-locked host memory of a CUDA device, accessible to host and device (DLPack
                                  kDLCUDAHost) */
#define TENON_MEMORY_MANAGED 2 /* CUDA managed memory, which migrates between host and device (DLPack kDLCUDAManaged) */

/* Allocates `bytes` (0 is allowed) of memory, not cleared, stream-ordered on `stream`. kind: TENON_MEMORY_*.
 * OUT_OF_MEMORY, after free blocks were returned to the system and a second attempt failed: the text gives the bytes
 * requested, in use and free. OVERFLOW: more than 2^63 - 1 bytes. UNSUPPORTED: pinned or managed memory on the CPU
 * device. */
TENON_API int32_t tenon_buffer_create(tenon_device* device, uint64_t bytes, TENON_ENUM(MEMORY) int32_t kind,
                                      TENON_NULLABLE tenon_stream* stream,
                                      TENON_OUT TENON_OWNED tenon_buffer** out_buffer);
/* Makes a buffer of memory that the caller or another library owns. The memory must be usable on the device: host
 * memory for the CPU device (kind DEVICE); for a CUDA device the driver is queried (DEVICE: the memory belongs to
 * another device or is of another kind). OVERFLOW: the memory would end beyond the last address.
 * read_only: 1 refuses writes.
 * stream: the stream on which the owner enqueues work on the memory (NULL: the device's default stream); a use on
 * another stream waits for all work that this stream holds at that time. While another library captures that stream, no
 * other stream can wait for it: the memory can be used in that capture, and elsewhere only after the capture has ended
 * (UNSUPPORTED before that). If the memory is ready already, pass the stream on which it will be used. UNSUPPORTED
 * also: the stream records a graph of Tenon. destroy(user) runs once after the last use, on the thread of the call that
 * finds the use complete; the library takes ownership of it on success only. */
TENON_API int32_t tenon_buffer_wrap(tenon_device* device, TENON_LENGTH(bytes) void* data, uint64_t bytes,
                                    TENON_ENUM(MEMORY) int32_t kind, TENON_YES_NO int32_t read_only,
                                    TENON_NULLABLE tenon_stream* stream,
                                    TENON_NULLABLE tenon_destroy_fn destroy, TENON_NULLABLE void* user,
                                    TENON_OUT TENON_OWNED tenon_buffer** out_buffer);
/* Address and size in bytes. The address of a CUDA buffer is a device address. */
TENON_API int32_t tenon_buffer_data(const tenon_buffer* buffer, TENON_OUT void** out_data,
                                    TENON_OUT uint64_t* out_bytes);
/* Memory that several processes use, with the same rights: POSIX shared memory on the CPU device, memory for CUDA's IPC
 * on a CUDA device. Tenon orders the work of one process only: a process waits for its own work
 * (tenon_stream_synchronize) before another one uses the memory.
 *
 * Makes a new buffer of `bytes` (at least 1) that other processes can open; on the CPU it is filled with zeros.
 * Statuses as for tenon_buffer_create (OVERFLOW); IO: the system cannot provide shared memory; UNSUPPORTED: the device
 * does not support it (for example CUDA on Windows or in a container without IPC). */
TENON_API int32_t tenon_buffer_create_shared(tenon_device* device, uint64_t bytes,
                                             TENON_OUT TENON_OWNED tenon_buffer** out_buffer);
/* The key with which another process of the same user on the same machine opens the buffer: bytes to be sent to it in
 * any way. The key is valid as long as the buffer of tenon_buffer_create_shared lives; on the CPU, buffers opened
 * before then stay usable. UNSUPPORTED: the buffer was not made by tenon_buffer_create_shared. */
TENON_API int32_t tenon_buffer_share(const tenon_buffer* buffer, TENON_OUT TENON_OWNED tenon_blob** out_key);
/* The memory of such a key as a buffer of this process. On a CUDA device, where the memory is freed with the process
 * that made it, release this buffer before that process releases its own. INVALID_ARGUMENT: the bytes are not a key;
 * VERSION: the key is from another version of Tenon; NOT_FOUND: the memory no longer exists, or (on the CPU) was made
 * on another machine or in another PID namespace, such as that of another container; IO: it cannot be opened, for
 * example because it belongs to another user; DEVICE: it belongs to another device; UNSUPPORTED: it is CUDA memory of
 * this same process, which needs no opening. */
TENON_API int32_t tenon_buffer_open(tenon_device* device, TENON_LENGTH(size) const void* key, uint64_t size,
                                    TENON_OUT TENON_OWNED tenon_buffer** out_buffer);
/* The device of the buffer, as a new reference. */
TENON_API int32_t tenon_buffer_device(const tenon_buffer* buffer, TENON_OUT TENON_OWNED tenon_device** out_device);
/* Adds one reference. */
TENON_API int32_t tenon_buffer_retain(const tenon_buffer* buffer);
/* Releases one reference. The memory is reused only after its last use on every stream. */
TENON_API void tenon_buffer_release(TENON_NULLABLE tenon_buffer* buffer);

/* Creating arrays. `shape` may be NULL if rank is 0. SHAPE: a negative extent; OVERFLOW: the size does not fit. */

/* A new C-ordered array whose elements are not initialised. */
TENON_API int32_t tenon_array_create(tenon_device* device, uint32_t dtype, int32_t rank,
                                     TENON_NULLABLE TENON_LENGTH(rank) const int64_t* shape,
                                     TENON_NULLABLE tenon_stream* stream,
                                     TENON_OUT TENON_OWNED tenon_array** out_array);
/* A new C-ordered array of zeros. */
TENON_API int32_t tenon_array_zeros(tenon_device* device, uint32_t dtype, int32_t rank,
                                    TENON_NULLABLE TENON_LENGTH(rank) const int64_t* shape,
                                    TENON_NULLABLE tenon_stream* stream, TENON_OUT TENON_OWNED tenon_array** out_array);
/* A new array with a copy of C-ordered host memory of exactly `bytes` bytes, which may be reused when the call
 * returns. SHAPE: bytes is not the size of that dtype and shape. UNSUPPORTED: on a stream that records a graph. */
TENON_API int32_t tenon_array_from_host(tenon_device* device, uint32_t dtype, int32_t rank,
                                        TENON_NULLABLE TENON_LENGTH(rank) const int64_t* shape,
                                        TENON_NULLABLE TENON_LENGTH(bytes) const void* data, uint64_t bytes,
                                        TENON_NULLABLE tenon_stream* stream,
                                        TENON_OUT TENON_OWNED tenon_array** out_array);
/* A view of a buffer. strides: NULL for C order; byte_offset: the offset of the element at index 0. Every element must
 * lie inside the buffer (OVERFLOW) and be aligned to its size or 16, whichever is less (LAYOUT). The caller keeps its
 * reference to the buffer. */
TENON_API int32_t tenon_array_from_buffer(tenon_buffer* buffer, uint32_t dtype, int32_t rank,
                                          TENON_NULLABLE TENON_LENGTH(rank) const int64_t* shape,
                                          TENON_NULLABLE TENON_LENGTH(rank) const int64_t* strides,
                                          uint64_t byte_offset,
                                          TENON_OUT TENON_OWNED tenon_array** out_array);
/* Adds one reference. */
TENON_API int32_t tenon_array_retain(const tenon_array* array);
/* Releases one reference. Work in flight that uses the memory is not affected. */
TENON_API void tenon_array_release(TENON_NULLABLE tenon_array* array);

#define TENON_ARRAY_C_CONTIGUOUS 1u
#define TENON_ARRAY_F_CONTIGUOUS 2u
#define TENON_ARRAY_READ_ONLY 4u

/* The properties of an array. Pointers are borrowed and live as long as the array. */
typedef struct tenon_array_info {
  uint32_t struct_size;
  uint32_t dtype;
  int32_t rank;
  TENON_FLAGS(ARRAY) uint32_t flags;         /* TENON_ARRAY_* */
  TENON_BORROWED(array) void* data; /* address of the element at index 0 */
  TENON_BORROWED(array) TENON_LENGTH(rank) const int64_t* shape;   /* rank extents */
  TENON_BORROWED(array) TENON_LENGTH(rank) const int64_t* strides; /* rank strides, in elements */
  int64_t size;           /* number of elements */
  uint64_t bytes;         /* size of the elements in bytes, without gaps */
  TENON_ENUM(DEVICE) int32_t device_kind;    /* TENON_DEVICE_* */
  int32_t device_index;
  TENON_ENUM(MEMORY) int32_t memory_kind;    /* TENON_MEMORY_* */
  int32_t reserved;
} tenon_array_info;

/* Fills *out_info; its struct_size must be set by the caller. */
TENON_API int32_t tenon_array_get_info(const tenon_array* array, TENON_OUT tenon_array_info* out_info);
/* The device of the array, as a new reference. */
TENON_API int32_t tenon_array_device(const tenon_array* array, TENON_OUT TENON_OWNED tenon_device** out_device);
/* The buffer that the array is a view of, as a new reference. */
TENON_API int32_t tenon_array_buffer(const tenon_array* array, TENON_OUT TENON_OWNED tenon_buffer** out_buffer);

#define TENON_ACCESS_READ 1
#define TENON_ACCESS_WRITE 2 /* writes and reads */

/* Declares that work unknown to Tenon, enqueued on the stream right after this call, reads or writes the array through
 * its address: for example a call of another library. As for a use by Tenon, the work is ordered after earlier uses
 * that conflict with it, later conflicting uses are ordered after the work, and the memory is reused only after the
 * work. Call it again if other streams have used the array since. access: TENON_ACCESS_*. READ_ONLY: a write to an
 * array that refuses it; UNSUPPORTED: the stream records a graph; DEVICE: the array is on a GPU and the stream belongs
 * to the CPU, or the reverse. Tenon does not check whether one GPU can access another one's memory. */
TENON_API int32_t tenon_array_use(tenon_array* array, TENON_ENUM(ACCESS) int32_t access,
                                  TENON_NULLABLE tenon_stream* stream);

/* Views: they copy no elements and need no stream. */

/* Another shape of the same elements in C order; one extent may be -1 (inferred). SHAPE: the sizes differ. LAYOUT: the
 * strides do not allow a view (make the array contiguous first). */
TENON_API int32_t tenon_array_reshape(const tenon_array* array, int32_t rank,
                                      TENON_NULLABLE TENON_LENGTH(rank) const int64_t* shape,
                                      TENON_OUT TENON_OWNED tenon_array** out_array);
/* The axes in another order: axis i of the result is axis axes[i] of the array; NULL reverses the order. Negative axes
 * count from the end. INVALID_ARGUMENT: rank is not the array's; an axis is out of range, or listed twice. */
TENON_API int32_t tenon_array_transpose(const tenon_array* array, int32_t rank,
                                        TENON_NULLABLE TENON_LENGTH(rank) const int32_t* axes,
                                        TENON_OUT TENON_OWNED tenon_array** out_array);
/* For each axis the elements start, start + step, ... before stop, as in Python; a negative start or stop counts from
 * the end and is clamped; INT64_MIN means "left out". step must not be 0. starts, stops, steps: NULL if all are left
 * out. INVALID_ARGUMENT: rank is not the array's; a step is 0. */
TENON_API int32_t tenon_array_slice(const tenon_array* array, int32_t rank,
                                    TENON_NULLABLE TENON_LENGTH(rank) const int64_t* starts,
                                    TENON_NULLABLE TENON_LENGTH(rank) const int64_t* stops,
                                    TENON_NULLABLE TENON_LENGTH(rank) const int64_t* steps,
                                    TENON_OUT TENON_OWNED tenon_array** out_array);
/* The elements at one index of one axis: the result has one axis fewer. Negative indices count from the end.
 * INVALID_ARGUMENT: axis or index is out of range. */
TENON_API int32_t tenon_array_index(const tenon_array* array, int32_t axis, int64_t index,
                                    TENON_OUT TENON_OWNED tenon_array** out_array);
/* The array broadcast to a larger shape by NumPy's rules, with stride 0. The result is read-only. SHAPE: the shapes do
 * not broadcast. */
TENON_API int32_t tenon_array_broadcast(const tenon_array* array, int32_t rank,
                                        TENON_NULLABLE TENON_LENGTH(rank) const int64_t* shape,
                                        TENON_OUT TENON_OWNED tenon_array** out_array);
/* The same bytes as another dtype. If the element sizes differ, the last axis must have unit stride (LAYOUT), and its
 * extent changes. DTYPE: types of fewer than 8 bits have no view. SHAPE: the last axis does not hold a whole number of
 * new elements. */
TENON_API int32_t tenon_array_view(const tenon_array* array, uint32_t dtype,
                                   TENON_OUT TENON_OWNED tenon_array** out_array);

/* Copies. */

/* destination[...] = source: broadcasts source, converts the dtype as C does (float to integer truncates; NaN and
 * numbers out of range become unspecified integers; complex to real keeps the real part; to bool: != 0; rounding is to
 * nearest even), with any strides, between any two devices. OVERLAP: the arrays are neither exactly the same elements
 * nor disjoint, or the destination overlaps itself. Between devices the copy is ordered on `stream`, which belongs to
 * either of them (NULL: the default stream of the destination, or of the source if the destination is the CPU); if the
 * destination is host memory that is not pinned, the copy is complete on return. READ_ONLY: the destination is
 * read-only. UNSUPPORTED: a dtype of less than a byte, if the shapes differ or an array is not contiguous; the stream
 * records a graph, and the copy is between devices that cannot access each other's memory. */
TENON_API int32_t tenon_array_copy(tenon_array* destination, const tenon_array* source,
                                   TENON_NULLABLE tenon_stream* stream);
/* Sets every element to `value`, a scalar (TENON_ARG_SCALAR) of any dtype that can be computed with, or of the array's
 * own dtype. The conversion is exact for integers and bool, and rounds to nearest even for floating and complex dtypes.
 * INVALID_ARGUMENT: not a scalar, or a value that the dtype cannot hold: a fraction, or a number out of range, for
 * integers; anything but 0 and 1 for bool; a finite number beyond the largest of a floating dtype; an imaginary part
 * for a real dtype. DTYPE: a storage type (dtype.h), which takes only 0 or a scalar of its own dtype. READ_ONLY;
 * OVERLAP: elements that share memory; UNSUPPORTED: a dtype of less than a byte in an array that is not contiguous.
 * After a failure the array is unchanged. */
TENON_API int32_t tenon_array_fill(tenon_array* array, const tenon_arg* value, TENON_NULLABLE tenon_stream* stream);
/* A new C-ordered copy of the source with another dtype (with the source's dtype: a plain contiguous copy) on another
 * device (NULL: the source's). UNSUPPORTED as for tenon_array_copy. */
TENON_API int32_t tenon_array_convert(const tenon_array* source, uint32_t dtype, TENON_NULLABLE tenon_device* device,
                                      TENON_NULLABLE tenon_stream* stream,
                                      TENON_OUT TENON_OWNED tenon_array** out_array);
/* Writes all elements in C order to host memory of exactly `bytes` bytes; the copy is complete on return. SHAPE: bytes
 * is not the array's size. UNSUPPORTED: on a stream that records a graph. In a context that defers errors, also
 * deferred errors: SINGULAR, NOT_FINITE, NOT_CONVERGED, OVERFLOW. */
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
