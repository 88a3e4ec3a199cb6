/* tenon/moving.h: joining, repeating, shifting and padding arrays; access to elements by index and by mask.
 *
 *   const tenon_array* parts[] = {a, b};
 *   tenon_array* whole = NULL;
 *   tenon_concat(parts, 2, 0, NULL, NULL, &whole);             along the first axis
 *   tenon_triangle(whole, NULL, NULL, &lower);                 what lies above the diagonal becomes 0
 *
 * All of them take every dtype of 1 to 16 whole bytes and any strides, and are exact: they move elements without
 * computing. Negative axes count from the end. Operations that only change the indexing (slices, flips, splits) are
 * views: see array.h.
 *
 * Indices are integers of any dtype; -1 is the last element. An index outside of [-n, n) is INVALID_ARGUMENT, with its
 * position, and is never used to access memory: the call then writes nothing. On CUDA a call with indices waits for
 * this check, except in a context that defers errors: there the failure is reported when the stream is waited for, and
 * the elements that such an index refers to are not changed. A graph on CUDA reports nothing: such elements are not
 * changed.
 *
 * Statuses of every function here: DTYPE: arrays of different dtypes, indices that are not integers, or a dtype that
 * the function does not take; SHAPE: ranks or extents that do not fit; OVERFLOW: a result with more elements than an
 * int64 can count.
 */
#ifndef TENON_MOVING_H
#define TENON_MOVING_H

#include <tenon/argument.h>
#include <tenon/array.h>

#ifdef __cplusplus
extern "C" {
#endif

/* For functions that have no options yet; pass NULL or this struct. */
typedef struct tenon_moving_options {
  uint32_t struct_size;
  uint32_t reserved;
} tenon_moving_options;

/* Joins arrays along an axis. All have the same dtype, rank and extents, except for the extent of that axis (else
 * SHAPE, DTYPE). INVALID_ARGUMENT: no array. */
TENON_API int32_t tenon_concat(TENON_LENGTH(count) const tenon_array* const* arrays, int32_t count, int32_t axis,
                               TENON_NULLABLE const tenon_moving_options* options, TENON_NULLABLE tenon_stream* stream,
                               TENON_INOUT tenon_array** out_array);
/* Joins arrays of one shape and dtype along a new axis, which is axis `axis` of the result. */
TENON_API int32_t tenon_stack(TENON_LENGTH(count) const tenon_array* const* arrays, int32_t count, int32_t axis,
                              TENON_NULLABLE const tenon_moving_options* options, TENON_NULLABLE tenon_stream* stream,
                              TENON_INOUT tenon_array** out_array);
/* Copies of x next to each other: repeats[i] along axis i of the result, whose rank is the larger of x's rank and
 * `rank`; missing extents and repeats are 1, in front. INVALID_ARGUMENT: a negative number. */
TENON_API int32_t tenon_tile(const tenon_array* x, int32_t rank,
                             TENON_NULLABLE TENON_LENGTH(rank) const int64_t* repeats,
                             TENON_NULLABLE const tenon_moving_options* options, TENON_NULLABLE tenon_stream* stream,
                             TENON_INOUT tenon_array** out_array);
/* Each element repeated `count` times along the axis, the copies next to each other. */
TENON_API int32_t tenon_repeat(const tenon_array* x, int64_t count, int32_t axis,
                               TENON_NULLABLE const tenon_moving_options* options, TENON_NULLABLE tenon_stream* stream,
                               TENON_INOUT tenon_array** out_array);
/* Element i of axes[k] goes to (i + shifts[k]) modulo the extent. An axis may be listed several times: the shifts add
 * up. */
TENON_API int32_t tenon_roll(const tenon_array* x, TENON_NULLABLE TENON_LENGTH(count) const int64_t* shifts,
                             TENON_NULLABLE TENON_LENGTH(count) const int32_t* axes, int32_t count,
                             TENON_NULLABLE const tenon_moving_options* options, TENON_NULLABLE tenon_stream* stream,
                             TENON_INOUT tenon_array** out_array);

#define TENON_PAD_CONSTANT 0  /* value */
#define TENON_PAD_EDGE 1      /* the nearest element: aaa|abcd|ddd */
#define TENON_PAD_REFLECT 2   /* mirrored at the middle of the last element: dcb|abcd|cba */
#define TENON_PAD_SYMMETRIC 3 /* mirrored at its edge: cba|abcd|dcb */
#define TENON_PAD_WRAP 4      /* from the other end: bcd|abcd|abc */
/* Since level 1.1, of numbers: */
#define TENON_PAD_LINEAR_RAMP 5 /* from value in equal steps to the edge; computed in float64, for integers rounded
                                   down */
#define TENON_PAD_MEAN 6        /* the mean of the elements along the axis, for integers rounded to even */
#define TENON_PAD_MAXIMUM 7     /* the largest of them */
#define TENON_PAD_MINIMUM 8     /* the smallest of them */
#define TENON_PAD_MEDIAN 9      /* the median of them, for integers rounded to even */
#define TENON_PAD_EMPTY 10      /* some elements: whatever the memory holds; of any dtype */

typedef struct tenon_pad_options {
  uint32_t struct_size;
  TENON_ENUM(PAD) int32_t mode; /* TENON_PAD_* */
  TENON_NULLABLE const tenon_arg* value; /* CONSTANT and LINEAR_RAMP: a scalar, which must be exact as for
                                            tenon_array_fill; NULL: 0 */
  int64_t stat_length; /* MEAN, MAXIMUM, MINIMUM, MEDIAN: of this many elements next to the edge, or 0: of all. Since
                          level 1.1 */
} tenon_pad_options;

/* x with before[i] elements added at the start of axis i and after[i] at its end. rank: that of x. As numpy.pad:
 * one axis after the other, so that a later one continues the elements added before. INVALID_ARGUMENT: a negative
 * number; an axis of extent 0 with a mode other than CONSTANT and EMPTY; a value that the dtype cannot hold; a value or
 * stat_length in another mode. DTYPE: a mode that the dtype has no arithmetic for. */
TENON_API int32_t tenon_pad(const tenon_array* x, int32_t rank, TENON_NULLABLE TENON_LENGTH(rank) const int64_t* before,
                            TENON_NULLABLE TENON_LENGTH(rank) const int64_t* after,
                            TENON_NULLABLE const tenon_pad_options* options, TENON_NULLABLE tenon_stream* stream,
                            TENON_INOUT tenon_array** out_array);

typedef struct tenon_take_options {
  uint32_t struct_size;
  TENON_YES_NO int32_t along;     /* 1: as take_along_axis: the one index array has x's rank, and its extents and x's
                                     broadcast except along the axis */
  TENON_ENUM(SCATTER) int32_t operation; /* for tenon_scatter: TENON_SCATTER_* */
  int32_t reserved;
} tenon_take_options;

/* Elements by index: NumPy's x[:, i, j] with axes 1 and 2. The index arrays broadcast together. If `axes` are
 * consecutive and ascending, the axes of the index arrays take the place of these axes in the result; otherwise they
 * come first. The other axes of x are kept whole. At most 8 index arrays. UNSUPPORTED: more than 24 axes are left that
 * cannot be merged. INVALID_ARGUMENT: an index out of range, an axis listed twice. */
TENON_API int32_t tenon_take(const tenon_array* x, TENON_LENGTH(count) const tenon_array* const* indices,
                             TENON_LENGTH(count) const int32_t* axes, int32_t count,
                             TENON_NULLABLE const tenon_take_options* options, TENON_NULLABLE tenon_stream* stream,
                             TENON_INOUT tenon_array** out_array);

#define TENON_SCATTER_ASSIGN 0
#define TENON_SCATTER_ADD 1 /* integers wrap; bool: or */
#define TENON_SCATTER_MIN 2 /* NaN if there is one; bool: and */
#define TENON_SCATTER_MAX 3

/* Changes x, in place: writes `values`, broadcast to the shape that tenon_take would give and converted to x's dtype,
 * to the elements that the indices select. x may have any strides and must share no memory with the other arrays. If an
 * element is selected several times, ASSIGN keeps one of the values (on the CPU the last one); the other operations
 * combine all of them, on the CPU in order, so that sums have the same bits for any number of threads; on CUDA the
 * order of floating-point additions is not fixed. MIN, MAX: not for complex numbers. READ_ONLY: x is read-only.
 * OVERLAP: x overlaps itself or another array. */
TENON_API int32_t tenon_scatter(tenon_array* x, const tenon_array* values,
                                TENON_LENGTH(count) const tenon_array* const* indices,
                                TENON_LENGTH(count) const int32_t* axes, int32_t count,
                                TENON_NULLABLE const tenon_take_options* options, TENON_NULLABLE tenon_stream* stream);

/* The indices of all elements that are not 0 (NaN counts as not 0), in C order: int64 of shape (rank of x, number of
 * such elements). Waits, because the shape depends on the elements. UNSUPPORTED: while a graph is recorded. */
TENON_API int32_t tenon_nonzero(const tenon_array* x, TENON_NULLABLE const tenon_moving_options* options,
                                TENON_NULLABLE tenon_stream* stream, TENON_INOUT tenon_array** out_indices);
/* NumPy's x[..., mask, ...]: the elements, or subarrays, where `mask` is not 0. The mask covers as many axes of x, from
 * `axis` on, as it has itself, with the same extents; in the result they become one axis. Waits, because the shape
 * depends on the mask. UNSUPPORTED: while a graph is recorded. */
TENON_API int32_t tenon_compress(const tenon_array* x, const tenon_array* mask, int32_t axis,
                                 TENON_NULLABLE const tenon_moving_options* options,
                                 TENON_NULLABLE tenon_stream* stream, TENON_INOUT tenon_array** out_array);

typedef struct tenon_range_options {
  uint32_t struct_size;
  TENON_YES_NO int32_t has_last;       /* 1: the last number is exactly `last` */
  int64_t first;          /* integer dtypes */
  int64_t integer_step;
  double start;           /* floating-point and complex dtypes */
  double step;
  double last;
} tenon_range_options;

/* `count` evenly spaced numbers. Integers: first + i integer_step, modulo 2^bits; others: start + i step in float64,
 * rounded to the dtype. INVALID_ARGUMENT: only fields that this dtype does not use are set. */
TENON_API int32_t tenon_range(tenon_device* device, uint32_t dtype, int64_t count,
                              TENON_NULLABLE const tenon_range_options* options, TENON_NULLABLE tenon_stream* stream,
                              TENON_INOUT tenon_array** out_array);
typedef struct tenon_diagonal_options {
  uint32_t struct_size;
  TENON_YES_NO int32_t upper; /* for tenon_triangle. 1: zeros below the diagonal, else above it */
  int64_t diagonal;           /* index of the diagonal: column - row */
} tenon_diagonal_options;

/* Zeros with ones on a diagonal. options: diagonal. DTYPE: a dtype that tenon_array_fill does not take. */
TENON_API int32_t tenon_eye(tenon_device* device, uint32_t dtype, int64_t rows, int64_t columns,
                            TENON_NULLABLE const tenon_diagonal_options* options,
                            TENON_NULLABLE tenon_stream* stream, TENON_INOUT tenon_array** out_array);
/* A copy of x with zeros on one side of a diagonal of the last two axes. */
TENON_API int32_t tenon_triangle(const tenon_array* x, TENON_NULLABLE const tenon_diagonal_options* options,
                                 TENON_NULLABLE tenon_stream* stream, TENON_INOUT tenon_array** out_array);

#ifdef __cplusplus
}
#endif
#endif
