/* tenon/select.h: sorting, searching, sets, counting.
 *
 *   tenon_array *values = NULL, *indices = NULL;
 *   tenon_sort(x, -1, NULL, NULL, &values, &indices);          along the last axis
 *   tenon_top_k(x, 10, -1, NULL, stream, &values, &indices);   into arrays of that shape, on a stream
 *
 * The order: numbers by value, -0 equal to 0, NaN after all others, false before true; complex numbers by real part,
 * then by imaginary part, those that contain NaN last, as in NumPy. Sorts are stable in both directions: equal
 * elements stay in order, and NaN is last in both. Results are the same for any number of threads and on every device.
 * dtypes: bool, integers, float16, bfloat16, float32, float64; where a comment says so complex64 and complex128. Any
 * strides. Axes may be negative: from the end.
 *
 * Methods: on the CPU counting sorts of digits over the thread pool, comparison sorts for short rows; on CUDA counting
 * sorts of 8 bits a pass.
 *
 * Statuses of every function here: DTYPE: one that the function does not take, or two that must be one; SHAPE: ranks
 * or extents that do not fit.
 */
#ifndef TENON_SELECT_H
#define TENON_SELECT_H

#include <tenon/array.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tenon_sort_options {
  uint32_t struct_size;
  TENON_YES_NO int32_t descending; /* 1: the largest first */
} tenon_sort_options;

/* x sorted along an axis: out_values, and as int64 the index that each element had, out_indices; either may be NULL: it
 * is not wanted. Complex numbers too. INVALID_ARGUMENT: neither is wanted. UNSUPPORTED: on CUDA, rows of 2^32 elements
 * and more. */
TENON_API int32_t tenon_sort(const tenon_array* x, int32_t axis, TENON_NULLABLE const tenon_sort_options* options,
                             TENON_NULLABLE tenon_stream* stream, TENON_NULLABLE TENON_INOUT tenon_array** out_values,
                             TENON_NULLABLE TENON_INOUT tenon_array** out_indices);

typedef struct tenon_top_k_options {
  uint32_t struct_size;
  TENON_YES_NO int32_t smallest; /* 1: the k smallest, else the k largest */
} tenon_top_k_options;

/* The first k along an axis of what tenon_sort gives, descending unless `smallest` is set: the k largest, NaN only
 * where numbers run out. INVALID_ARGUMENT: k is negative or larger than the extent. */
TENON_API int32_t tenon_top_k(const tenon_array* x, int64_t k, int32_t axis,
                              TENON_NULLABLE const tenon_top_k_options* options, TENON_NULLABLE tenon_stream* stream,
                              TENON_NULLABLE TENON_INOUT tenon_array** out_values,
                              TENON_NULLABLE TENON_INOUT tenon_array** out_indices);

typedef struct tenon_search_options {
  uint32_t struct_size;
  TENON_YES_NO int32_t right; /* 1: behind equal elements, else in front of them */
} tenon_search_options;

/* Where each of `wanted`, of any shape, would have to stand in `sorted`, one axis in ascending order, to keep it so:
 * int64, of wanted's shape. Both of one dtype. Of a list that is not sorted the result is some number from 0 to its
 * length. */
TENON_API int32_t tenon_search_sorted(const tenon_array* sorted, const tenon_array* wanted,
                                      TENON_NULLABLE const tenon_search_options* options,
                                      TENON_NULLABLE tenon_stream* stream, TENON_INOUT tenon_array** out_places);

typedef struct tenon_unique_options {
  uint32_t struct_size;
  TENON_YES_NO int32_t nan_distinct; /* 1: each NaN is a value of its own (the array API); else all are one */
} tenon_unique_options;

/* The different elements of x, ascending: out_values; where each is first in C order, out_indices; for each element of
 * x the number of its value, of x's shape, out_inverse; how often each value is there, out_counts. The last three are
 * int64 and may be NULL. Waits, to know the shape. UNSUPPORTED: while a graph is recorded. */
TENON_API int32_t tenon_unique(const tenon_array* x, TENON_NULLABLE const tenon_unique_options* options,
                               TENON_NULLABLE tenon_stream* stream, TENON_INOUT tenon_array** out_values,
                               TENON_NULLABLE TENON_INOUT tenon_array** out_indices,
                               TENON_NULLABLE TENON_INOUT tenon_array** out_inverse,
                               TENON_NULLABLE TENON_INOUT tenon_array** out_counts);

typedef struct tenon_bincount_options {
  uint32_t struct_size;
  uint32_t reserved; /* there are no options yet */
} tenon_bincount_options;

/* How often each of the numbers 0 to length - 1 is in x, integers of any shape: int64; with weights, of x's shape: the
 * sums of theirs, in order, of their dtype. INVALID_ARGUMENT: a number is negative or not below length. */
TENON_API int32_t tenon_bincount(const tenon_array* x, TENON_NULLABLE const tenon_array* weights, int64_t length,
                                 TENON_NULLABLE const tenon_bincount_options* options,
                                 TENON_NULLABLE tenon_stream* stream, TENON_INOUT tenon_array** out_counts);

#ifdef __cplusplus
}
#endif
#endif
