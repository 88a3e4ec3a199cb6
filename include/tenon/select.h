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
 * largest elements, and NaN only if there are fewer than k numbers. Takes complex numbers too, which it sorts.
 * INVALID_ARGUMENT: k is negative or larger than the extent. */
TENON_API int32_t tenon_top_k(const tenon_array* x, int64_t k, int32_t axis,
                              TENON_NULLABLE const tenon_top_k_options* options, TENON_NULLABLE tenon_stream* stream,
                              TENON_NULLABLE TENON_INOUT tenon_array** out_values,
                              TENON_NULLABLE TENON_INOUT tenon_array** out_indices);

typedef struct tenon_search_options {
  uint32_t struct_size;
  TENON_YES_NO int32_t right; /* 1: after equal elements, else before them */
} tenon_search_options;

/* For each element of `wanted`, of any shape, the index at which inserting it into `sorted` keeps the order: int64, of
 * wanted's shape. `sorted` has one axis, in ascending order; both have one dtype, which may be complex. If it is not
 * sorted, the result is some number from 0 to its length. */
TENON_API int32_t tenon_search_sorted(const tenon_array* sorted, const tenon_array* wanted,
                                      TENON_NULLABLE const tenon_search_options* options,
                                      TENON_NULLABLE tenon_stream* stream, TENON_INOUT tenon_array** out_places);

typedef struct tenon_interpolate_options {
  uint32_t struct_size;
  TENON_YES_NO int32_t has_below; /* 1: the result is `below` where x is below the first point, else the first value */
  TENON_YES_NO int32_t has_above; /* 1: the result is `above` where x is above the last point, else the last value */
  uint32_t reserved;
  double below, above;
} tenon_interpolate_options;

/* Linear interpolation: for each element of x, the value at that point of the function that has values[i] at points[i]
 * and is linear between neighbouring points. `points` and `values` have one axis and the same length; the points are
 * ascending. The result has the shape of x, and is NaN where x is NaN. It is computed in float64. If the points are not
 * ascending, each result is some number. DTYPE: the three arrays are not all float32 or all float64. SHAPE: points and
 * values are not lists of the same length. INVALID_ARGUMENT: there are no points. Since level 1.1. */
TENON_API int32_t tenon_interpolate(const tenon_array* x, const tenon_array* points, const tenon_array* values,
                                    TENON_NULLABLE const tenon_interpolate_options* options,
                                    TENON_NULLABLE tenon_stream* stream, TENON_INOUT tenon_array** out_y);

typedef struct tenon_unique_options {
  uint32_t struct_size;
  TENON_YES_NO int32_t nan_distinct; /* 1: each NaN is a separate value (the array API); else all NaN are one value */
} tenon_unique_options;

/* out_values: the distinct elements of x, which may be complex, ascending. out_indices: for each value the index of its
 * first occurrence in C order. out_inverse: for each element of x the index of its value, of x's shape. out_counts: the
 * number of occurrences of each value. The last three are int64 and may be NULL. Waits, because the shapes depend on
 * the elements. UNSUPPORTED: while a graph is recorded. */
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

/* How a quantile is computed from n sorted elements x[0] to x[n - 1] and a probability q: where in the list it lies
 * (Hyndman and Fan, Sample Quantiles in Statistical Packages, 1996, whose numbers are given), and what is done between
 * two elements. The names are NumPy's. The continuous methods interpolate linearly at place
 * n q + a + q (1 - a - b) - 1, limited to the list, in float64. */
#define TENON_QUANTILE_LINEAR 0                    /* 7: a = b = 1, place (n - 1) q */
#define TENON_QUANTILE_LOWER 1                     /* the element before or at (n - 1) q */
#define TENON_QUANTILE_HIGHER 2                    /* the element after or at (n - 1) q */
#define TENON_QUANTILE_MIDPOINT 3                  /* the mean of these two */
#define TENON_QUANTILE_NEAREST 4                   /* the element nearest to (n - 1) q; the even one of two */
#define TENON_QUANTILE_INVERTED_CDF 5              /* 1 */
#define TENON_QUANTILE_AVERAGED_INVERTED_CDF 6     /* 2 */
#define TENON_QUANTILE_CLOSEST_OBSERVATION 7       /* 3 */
#define TENON_QUANTILE_INTERPOLATED_INVERTED_CDF 8 /* 4: a = 0, b = 1 */
#define TENON_QUANTILE_HAZEN 9                     /* 5: a = b = 1 / 2 */
#define TENON_QUANTILE_WEIBULL 10                  /* 6: a = b = 0 */
#define TENON_QUANTILE_MEDIAN_UNBIASED 11          /* 8: a = b = 1 / 3 */
#define TENON_QUANTILE_NORMAL_UNBIASED 12          /* 9: a = b = 3 / 8 */

typedef struct tenon_quantile_options {
  uint32_t struct_size;
  TENON_ENUM(QUANTILE) int32_t method;
  TENON_NULLABLE TENON_LENGTH(axis_count) const int32_t* axes; /* as in tenon_reduce_options */
  int32_t axis_count;
  TENON_YES_NO int32_t keep_axes;  /* 1: each reduced axis stays, with extent 1 */
  TENON_YES_NO int32_t ignore_nan; /* 1: NaN does not count; else it makes the result NaN */
  int32_t reserved;
} tenon_quantile_options;

/* Quantiles of x over axes: for each of `count` probabilities one element along a first axis of the result, then the
 * shape that tenon_reduce would give. LOWER, HIGHER, NEAREST, INVERTED_CDF and CLOSEST_OBSERVATION give elements of x,
 * in its dtype; the other methods give floating-point numbers in theirs and float64 for integers and bools. Complex
 * numbers are interpolated part by part between neighbours in the order of tenon_sort. Over no elements: NaN.
 * Sorts a copy of x on the stream, and does not wait. INVALID_ARGUMENT: a probability is not in [0, 1]; an axis given
 * twice; no elements, for a method and dtype without NaN. Since level 1.1. */
TENON_API int32_t tenon_quantile(const tenon_array* x, TENON_LENGTH(count) const double* probabilities, int64_t count,
                                 TENON_NULLABLE const tenon_quantile_options* options,
                                 TENON_NULLABLE tenon_stream* stream, TENON_INOUT tenon_array** out_quantiles);

#ifdef __cplusplus
}
#endif
#endif
