/* tenon/array.h: buffers (memory) and arrays (a view of a buffer: dtype, shape, strides, offset).
 *
 * Shapes and strides are in elements, the last axis varying fastest by default (C order); strides may be zero or negative.
 * Views share the buffer and keep it alive. An array's shape never changes, so arrays may be used from several threads;
 * who writes the elements while another reads them is the caller's order to make (streams do it for device work).
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
 * OUT_OF_MEMORY says how much was asked, used and free, after a trim and a second try. */
TENON_API int32_t tenon_buffer_create(tenon_device* device, uint64_t bytes, TENON_ENUM(MEMORY) int32_t kind,
                                      TENON_NULLABLE tenon_stream* stream,
                                      TENON_OUT TENON_OWNED tenon_buffer** out_buffer);
/* Makes a buffer of memory that someone else owns. destroy(user) runs once after the last use; it belongs to the library
 * on success only. The memory must be usable on the device: host memory for the CPU device (kind DEVICE); for a CUDA
 * device the driver is asked what it is. read_only: 1 refuses writes. */
TENON_API int32_t tenon_buffer_wrap(tenon_device* device, TENON_LENGTH(bytes) void* data, uint64_t bytes,
                                    TENON_ENUM(MEMORY) int32_t kind, TENON_YES_NO int32_t read_only,
                                    TENON_NULLABLE tenon_destroy_fn destroy, TENON_NULLABLE void* user,
                                    TENON_OUT TENON_OWNED tenon_buffer** out_buffer);
/* Address and size in bytes. The address of a CUDA buffer is a device address. */
TENON_API int32_t tenon_buffer_data(const tenon_buffer* buffer, TENON_OUT void** out_data, TENON_OUT uint64_t* out_bytes);
/* The device of the buffer, as a new reference. */
TENON_API int32_t tenon_buffer_device(const tenon_buffer* buffer, TENON_OUT TENON_OWNED tenon_device** out_device);
/* Takes one more reference. */
TENON_API int32_t tenon_buffer_retain(tenon_buffer* buffer);
/* Gives one reference back. The memory is reused only after its last use on every stream. */
TENON_API void tenon_buffer_release(TENON_NULLABLE tenon_buffer* buffer);

/* Making arrays. `shape` may be NULL when rank is 0. SHAPE: a negative extent; OVERFLOW: the size does not fit. */

/* A new C-ordered array, elements not set. */
TENON_API int32_t tenon_array_create(tenon_device* device, uint32_t dtype, int32_t rank, TENON_NULLABLE TENON_LENGTH(rank) const int64_t* shape,
                                     TENON_NULLABLE tenon_stream* stream, TENON_OUT TENON_OWNED tenon_array** out_array);
/* A new C-ordered array of zeros. */
TENON_API int32_t tenon_array_zeros(tenon_device* device, uint32_t dtype, int32_t rank, TENON_NULLABLE TENON_LENGTH(rank) const int64_t* shape,
                                    TENON_NULLABLE tenon_stream* stream, TENON_OUT TENON_OWNED tenon_array** out_array);
/* A new array with a copy of C-ordered host memory of exactly `bytes` bytes, which may be reused when the call returns.
 * SHAPE: bytes is not what the dtype and shape take. */
TENON_API int32_t tenon_array_from_host(tenon_device* device, uint32_t dtype, int32_t rank, TENON_NULLABLE TENON_LENGTH(rank) const int64_t* shape,
                                        TENON_NULLABLE TENON_LENGTH(bytes) const void* data, uint64_t bytes, TENON_NULLABLE tenon_stream* stream,
                                        TENON_OUT TENON_OWNED tenon_array** out_array);
/* A view of a buffer. strides: NULL for C order; byte_offset: of the element at index 0. Every element must lie inside the
 * buffer (OVERFLOW) and be aligned to its size or 16, whichever is less (LAYOUT). The buffer stays the caller's reference. */
TENON_API int32_t tenon_array_from_buffer(tenon_buffer* buffer, uint32_t dtype, int32_t rank,
                                          TENON_NULLABLE TENON_LENGTH(rank) const int64_t* shape,
                                          TENON_NULLABLE TENON_LENGTH(rank) const int64_t* strides, uint64_t byte_offset,
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

/* Views: no element is copied, no stream is needed. */

/* Another shape of the same elements in C order; one extent may be -1 (inferred). SHAPE when sizes differ, LAYOUT when the
 * strides do not allow a view (make it contiguous first). */
TENON_API int32_t tenon_array_reshape(const tenon_array* array, int32_t rank, TENON_NULLABLE TENON_LENGTH(rank) const int64_t* shape,
                                      TENON_OUT TENON_OWNED tenon_array** out_array);
/* Axes in another order: axis i of the result is axis axes[i]; NULL reverses them. Negative axes count from the end.
 * INVALID_ARGUMENT: rank is not the array's; an axis is out of range, or named twice. */
TENON_API int32_t tenon_array_transpose(const tenon_array* array, int32_t rank, TENON_NULLABLE TENON_LENGTH(rank) const int32_t* axes,
                                        TENON_OUT TENON_OWNED tenon_array** out_array);
/* For each axis the elements start, start + step, ... up to but without stop, as in Python; negative start and stop count
 * from the end and are clamped; INT64_MIN means "left out". step must not be 0. starts, stops, steps: NULL for all left out.
 * INVALID_ARGUMENT: rank is not the array's; a step is 0. */
TENON_API int32_t tenon_array_slice(const tenon_array* array, int32_t rank, TENON_NULLABLE TENON_LENGTH(rank) const int64_t* starts,
                                    TENON_NULLABLE TENON_LENGTH(rank) const int64_t* stops,
                                    TENON_NULLABLE TENON_LENGTH(rank) const int64_t* steps,
                                    TENON_OUT TENON_OWNED tenon_array** out_array);
/* One index of one axis: the result has one axis less. Negative indices count from the end. INVALID_ARGUMENT: axis or
 * index is out of range. */
TENON_API int32_t tenon_array_index(const tenon_array* array, int32_t axis, int64_t index,
                                    TENON_OUT TENON_OWNED tenon_array** out_array);
/* NumPy's broadcasting to a larger shape, with stride 0. The result is read-only. SHAPE: the shapes do not
 * broadcast. */
TENON_API int32_t tenon_array_broadcast(const tenon_array* array, int32_t rank, TENON_NULLABLE TENON_LENGTH(rank) const int64_t* shape,
                                        TENON_OUT TENON_OWNED tenon_array** out_array);
/* The same bytes as another dtype. Sizes that differ need unit stride in the last axis (LAYOUT), whose extent changes.
 * DTYPE: types of fewer than 8 bits have no view. SHAPE: the last axis is no whole number of new elements. */
TENON_API int32_t tenon_array_view(const tenon_array* array, uint32_t dtype, TENON_OUT TENON_OWNED tenon_array** out_array);

/* Copies. */

/* destination[...] = source: broadcasts source, converts the dtype as C does (float to integer truncates, out-of-range and
 * NaN to integer are unspecified values; complex to real keeps the real part; to bool: != 0; rounding is to nearest even),
 * any strides, between any two devices. OVERLAP: neither exact alias nor disjoint, or a destination that overlaps itself. Between devices the copy is ordered on
 * `stream`, which belongs to either of them (NULL: the default stream of the destination, or of the source if the
 * destination is the CPU); into host memory that is not pinned the data is there on return. */
TENON_API int32_t tenon_array_copy(tenon_array* destination, const tenon_array* source, TENON_NULLABLE tenon_stream* stream);
/* Sets every element to `value`, a scalar (TENON_ARG_SCALAR) of any dtype that can be computed with, or of the array's
 * own dtype. The value arrives exactly in integers and bool, and rounded to nearest even in floating and complex
 * dtypes. INVALID_ARGUMENT: not a scalar, or a value that the dtype cannot hold: a fraction, or a number out of range,
 * for integers; anything but 0 and 1 for bool; a finite number beyond the largest of a floating dtype; an imaginary
 * part for a real dtype. DTYPE: a storage type (dtype.h), which takes 0 or a scalar of its own dtype. READ_ONLY;
 * OVERLAP: elements that share memory; UNSUPPORTED: a dtype of less than a byte, not contiguous. After a failure the
 * array is unchanged. */
TENON_API int32_t tenon_array_fill(tenon_array* array, const tenon_arg* value, TENON_NULLABLE tenon_stream* stream);
/* A new C-ordered array of another dtype (TENON_DTYPE of the source: a plain contiguous copy) on another device (NULL: the
 * source's). */
TENON_API int32_t tenon_array_convert(const tenon_array* source, uint32_t dtype, TENON_NULLABLE tenon_device* device,
                                      TENON_NULLABLE tenon_stream* stream, TENON_OUT TENON_OWNED tenon_array** out_array);
/* Writes all elements in C order to host memory of exactly `bytes` bytes; they are there on return. SHAPE: bytes is not
 * the array's size. */
TENON_API int32_t tenon_array_to_host(const tenon_array* array, TENON_NULLABLE TENON_LENGTH(bytes) void* data, uint64_t bytes,
                                      TENON_NULLABLE tenon_stream* stream);
/* Reads all elements in C order from host memory of exactly `bytes` bytes, which may be reused on return. SHAPE: bytes
 * is not the array's size. READ_ONLY; OVERLAP: the array overlaps itself. */
TENON_API int32_t tenon_array_set_from_host(tenon_array* array, TENON_NULLABLE TENON_LENGTH(bytes) const void* data, uint64_t bytes,
                                            TENON_NULLABLE tenon_stream* stream);

#ifdef __cplusplus
}
#endif
#endif
