/* tenon/select.h: sorting, searching, sets, counting.
 *
 *   tenon_array *values = NULL, *indices = NULL;
 *   tenon_sort(x, -1, NULL, NULL, &values, &indices);          along the last axis
 *   tenon_top_k(x, 10, -1, NULL, stream, &values, &indices);   into arrays of that shape, on a stream
 *
 * The order: numbers by value, -0 equal to 0, NaN after all others, false before true; complex numbers by real part,
 * then by imaginary part, those that contain NaN last, as in NumPy. Sorts are stable in both directions: equal
 * elements stay in order, and NaN is last in both. Results are the same for any number of threads and on every device.
 * dtypes: bool, integers, float16, bfloat16, float32, float64; complex64 and complex128 where a comment says so. Any
 * strides. Negative axes count from the end.
 *
 * Methods: on the CPU radix sorts on the thread pool, and comparison sorts for short rows; on CUDA radix sorts with 8
 * bits per pass.
 *
 * Statuses of every function here: DTYPE: a dtype that the function does not take, or two different ones that must be
 * equal; SHAPE: ranks or extents that do not fit.
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

/* out_values: x sorted along an axis. out_indices: for each element its index in x, int64. Either may be NULL, and is
 * then not computed. Takes complex numbers too. INVALID_ARGUMENT: both are NULL. UNSUPPORTED: on CUDA, rows of 2^32 or
 * more elements. */
TENON_API int32_t tenon_sort(const tenon_array* x, int32_t axis, TENON_NULLABLE const tenon_sort_options* options,
                             TENON_NULLABLE tenon_stream* stream, TENON_NULLABLE TENON_INOUT tenon_array** out_values,
                             TENON_NULLABLE TENON_INOUT tenon_array** out_indices);

typedef struct tenon_top_k_options {
  uint32_t struct_size;
  TENON_YES_NO int32_t smallest; /* 1: the k smallest, else the k largest */
} tenon_top_k_options;

/* The first k elements along an axis of x sorted as by tenon_sort, in descending order unless `smallest` is set: the k
 * largest elements, and NaN only if there are fewer than k numbers. INVALID_ARGUMENT: k is negative or larger than the
 * extent. */
TENON_API int32_t tenon_top_k(const tenon_array* x, int64_t k, int32_t axis,
                              TENON_NULLABLE const tenon_top_k_options* options, TENON_NULLABLE tenon_stream* stream,
                              TENON_NULLABLE TENON_INOUT tenon_array** out_values,
                              TENON_NULLABLE TENON_INOUT tenon_array** out_indices);

typedef struct tenon_search_options {
  uint32_t struct_size;
  TENON_YES_NO int32_t right; /* 1: after equal elements, else before them */
} tenon_search_options;

/* For each element of `wanted`, of any shape, the index at which inserting it into `sorted` keeps the order: int64, of
 * wanted's shape. `sorted` has one axis, in ascending order; both have one dtype. If it is not sorted, the result is
 * some number from 0 to its length. */
TENON_API int32_t tenon_search_sorted(const tenon_array* sorted, const tenon_array* wanted,
                                      TENON_NULLABLE const tenon_search_options* options,
                                      TENON_NULLABLE tenon_stream* stream, TENON_INOUT tenon_array** out_places);

typedef struct tenon_unique_options {
  uint32_t struct_size;
  TENON_YES_NO int32_t nan_distinct; /* 1: each NaN is a separate value (the array API); else all NaN are one value */
} tenon_unique_options;

/* out_values: the distinct elements of x, ascending. out_indices: for each value the index of its first occurrence in C
 * order. out_inverse: for each element of x the index of its value, of x's shape. out_counts: the number of occurrences
 * of each value. The last three are int64 and may be NULL. Waits, because the shapes depend on the elements.
 * UNSUPPORTED: while a graph is recorded. */
TENON_API int32_t tenon_unique(const tenon_array* x, TENON_NULLABLE const tenon_unique_options* options,
                               TENON_NULLABLE tenon_stream* stream, TENON_INOUT tenon_array** out_values,
                               TENON_NULLABLE TENON_INOUT tenon_array** out_indices,
                               TENON_NULLABLE TENON_INOUT tenon_array** out_inverse,
                               TENON_NULLABLE TENON_INOUT tenon_array** out_counts);

typedef struct tenon_bincount_options {
  uint32_t struct_size;
  uint32_t reserved; /* no options yet */
} tenon_bincount_options;

/* Counts how often each of the numbers 0 to length - 1 occurs in x, integers of any shape; the result is int64. With
 * weights, of x's shape, it sums the weights of each number, in order, in their dtype. INVALID_ARGUMENT: a number is
 * negative or not below length. */
TENON_API int32_t tenon_bincount(const tenon_array* x, TENON_NULLABLE const tenon_array* weights, int64_t length,
                                 TENON_NULLABLE const tenon_bincount_options* options,
                                 TENON_NULLABLE tenon_stream* stream, TENON_INOUT tenon_array** out_counts);

#ifdef __cplusplus
}
#endif
#endif
