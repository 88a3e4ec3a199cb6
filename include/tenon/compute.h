/* tenon/compute.h: elementwise functions, reductions and scans of arrays, by the codes of functions.h.
 *
 *   tenon_arg of_x = TENON_ARRAY_ARG(x), of_y = TENON_ARRAY_ARG(y);
 *   tenon_array *sum = NULL, *total = NULL;
 *   tenon_binary(TENON_FN_ADD, &of_x, &of_y, NULL, NULL, &sum);
 *   tenon_arg of_sum = TENON_ARRAY_ARG(sum);
 *   tenon_reduce(TENON_FN_SUM, &of_sum, NULL, NULL, &total);   over all axes
 *
 * Rules for every function here. An operand is a tenon_arg (argument.h): an array (TENON_ARG_ARRAY or
 * TENON_ARG_STRIDED, which mean the same: any strides), a scalar with a dtype (TENON_ARG_SCALAR), or a number of the
 * host language without a dtype (TENON_ARG_WEAK). At least one operand, or the provided output, is an array; it
 * determines the device of the work. Operands broadcast by NumPy's rules. A size of 0 is allowed everywhere.
 *
 * Dtypes. The function is computed in one dtype, to which all operands are converted, and the result has that dtype
 * unless functions.h says otherwise: the one that tenon_result_type returns for the operands, or float64 if that is an
 * integer or bool and the function takes only floating-point numbers. float16 and bfloat16 are computed in float32 and
 * rounded once. Promotion is that of the array API standard, and beyond it of NumPy: an integer and a floating-point
 * dtype give one that holds both (int32 and float32: float64), int64 and uint64 give float64, float16 and bfloat16 give
 * float32. A weak number takes the dtype of the arrays and scalars: a weak integer takes any of them except bool, a
 * weak float any floating-point or complex one, a weak complex number any complex one; otherwise they become int64,
 * float64 and the complex dtype of the operands' precision (complex128). OVERFLOW: a weak integer does not fit the
 * dtype. Comparisons of integers are those of the numbers: a weak integer may lie beyond the dtype, and int64 and
 * uint64 are compared exactly.
 *
 * Values. Integers wrap modulo 2^bits; division and remainder by 0 give 0. Floating-point arithmetic is IEEE's, with
 * signed zeros and subnormals, which are never flushed; a product and a following sum are rounded separately. On the
 * CPU elementwise results do not depend on strides, threads or instruction sets; reductions and scans give the same
 * bits for the same shapes and strides on every run and any number of threads.
 *
 * An output that the caller provides (TENON_INOUT) must have exactly the result's dtype and shape. For elementwise
 * functions it may be exactly an operand, the same elements in the same order; any other overlap is OVERLAP. The calls
 * do not wait for results, so that all of them can be recorded (graph.h). On the CPU the library contains the code of
 * every function; on CUDA it is compiled on first use and kept in the cache.
 *
 * Statuses: INVALID_ARGUMENT (a code that does not belong to the function called, no array among the operands), DTYPE,
 * SHAPE, DEVICE, CONTEXT, READ_ONLY, OVERLAP, OVERFLOW, OUT_OF_MEMORY; on CUDA COMPILE and MISSING_LIBRARY.
 */
#ifndef TENON_COMPUTE_H
#define TENON_COMPUTE_H

#include <tenon/functions.h>
#include <tenon/kernel.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TENON_APPLY_COMPILED 1u /* compile the kernel, as on CUDA, even if the device has built-in code: for tests and
                                   comparisons */

typedef struct tenon_compute_options {
  uint32_t struct_size;
  TENON_FLAGS(APPLY) uint32_t flags; /* TENON_APPLY_COMPILED */
} tenon_compute_options;

/* out = function(x), for one of the codes TENON_FN_* of one operand. */
TENON_API int32_t tenon_unary(TENON_ENUM(FN) int32_t function, const tenon_arg* x,
                              TENON_NULLABLE const tenon_compute_options* options, TENON_NULLABLE tenon_stream* stream,
                              TENON_INOUT tenon_array** out_result);
/* out = function(x, y), for one of the codes TENON_FN_* of two operands. */
TENON_API int32_t tenon_binary(TENON_ENUM(FN) int32_t function, const tenon_arg* x, const tenon_arg* y,
                               TENON_NULLABLE const tenon_compute_options* options, TENON_NULLABLE tenon_stream* stream,
                               TENON_INOUT tenon_array** out_result);
/* out = condition ? x : y. condition: bool, or any other dtype, in which 0 is false; the result has the common dtype of
 * x and y. */
TENON_API int32_t tenon_select(const tenon_arg* condition, const tenon_arg* x, const tenon_arg* y,
                               TENON_NULLABLE const tenon_compute_options* options, TENON_NULLABLE tenon_stream* stream,
                               TENON_INOUT tenon_array** out_result);
/* out = min(max(x, low), high), of x's dtype: low and high are converted to it (DTYPE if that changes their kind: a
 * complex or floating-point bound for integers). NaN in any of the three gives NaN; low above high gives high. NULL: no
 * bound on that side; at least one must be given. A weak integer below or above all numbers of an integer dtype is a
 * bound of its side that bounds nothing. bool and complex x: DTYPE. */
TENON_API int32_t tenon_clip(const tenon_arg* x, TENON_NULLABLE const tenon_arg* low,
                             TENON_NULLABLE const tenon_arg* high, TENON_NULLABLE const tenon_compute_options* options,
                             TENON_NULLABLE tenon_stream* stream, TENON_INOUT tenon_array** out_result);
/* out = x converted to dtype, rounded to nearest even. Floating-point to integer drops the fraction; numbers out of
 * range become the nearest integer of the dtype, and NaN becomes 0 (tenon_array_copy leaves these cases unspecified).
 * Integer to shorter integer keeps the low bits; complex to real keeps the real part; to bool: x != 0. */
TENON_API int32_t tenon_cast(const tenon_arg* x, uint32_t dtype, TENON_NULLABLE const tenon_compute_options* options,
                             TENON_NULLABLE tenon_stream* stream, TENON_INOUT tenon_array** out_result);

typedef struct tenon_reduce_options {
  uint32_t struct_size;
  TENON_FLAGS(APPLY) uint32_t flags;       /* TENON_APPLY_COMPILED */
  TENON_NULLABLE TENON_LENGTH(axis_count) const int32_t* axes;  /* axis_count axes, negative ones counted from the end,
                                                                   none twice; NULL with axis_count 0: all */
  int32_t axis_count;
  TENON_YES_NO int32_t keep_axes;    /* 1: each reduced axis stays, with extent 1 */
  uint32_t dtype;       /* for SUM, PROD, MEAN, VAR, STD, NORM and LOGSUMEXP: x is converted to it first; 0: as
                           functions.h says */
  TENON_YES_NO int32_t no_axes;      /* 1: reduce over no axis, so that the result has x's shape; axis_count must be
                                        0 */
  double correction;    /* for VAR and STD: subtracted from the count, usually 0 or 1 */
  TENON_YES_NO int32_t ignore_nan; /* 1: for ARGMAX and ARGMIN: NaN does not count. Since level 1.1 */
  uint32_t reserved;
} tenon_reduce_options;

/* Reduces x over axes, for one of the codes TENON_FN_SUM to TENON_FN_LOGSUMEXP. The output may not overlap x.
 * INVALID_ARGUMENT also: MAX, MIN, ARGMAX and ARGMIN over no elements; with ignore_nan, only NaN along the
 * axes, reported like an index out of range (moving.h); a field that the function does not use is not 0. */
TENON_API int32_t tenon_reduce(TENON_ENUM(FN) int32_t function, const tenon_arg* x,
                               TENON_NULLABLE const tenon_reduce_options* options, TENON_NULLABLE tenon_stream* stream,
                               TENON_INOUT tenon_array** out_result);

typedef struct tenon_accumulate_options {
  uint32_t struct_size;
  TENON_FLAGS(APPLY) uint32_t flags;    /* TENON_APPLY_COMPILED */
  int32_t axis;      /* negative: from the end */
  int32_t reserved;
  uint32_t dtype;    /* for CUMULATIVE_SUM, CUMULATIVE_PROD and CUMULATIVE_LOGSUMEXP, as in tenon_reduce_options */
  TENON_YES_NO int32_t exclusive; /* 1: element k combines those before k; the first one is the neutral value: 0, 1, or
                                     the smallest or largest value of the dtype */
} tenon_accumulate_options;

/* Element k along the axis combines the elements 0 to k of x, for one of the codes TENON_FN_CUMULATIVE_*. x has at
 * least one axis. The output may be exactly x. */
TENON_API int32_t tenon_accumulate(TENON_ENUM(FN) int32_t function, const tenon_arg* x,
                                   TENON_NULLABLE const tenon_accumulate_options* options,
                                   TENON_NULLABLE tenon_stream* stream, TENON_INOUT tenon_array** out_result);

#define TENON_SEGMENTS_OFFSETS 0 /* integers that never decrease: segment s is elements offsets[s] to
                                    offsets[s + 1] - 1, so that there is one segment less than there are offsets */
#define TENON_SEGMENTS_FLAGS 1   /* per element not 0 where a segment begins; element 0 always begins one */
#define TENON_SEGMENTS_KEYS 2    /* per element a key: a segment is a run of equal keys; NaN equals NaN, -0 equals 0 */
#define TENON_SEGMENTS_NUMBERS 3 /* per element the number of its segment, an integer, in any order; elements with
                                    numbers outside of [0, count) belong to none */

typedef struct tenon_segment_options {
  uint32_t struct_size;
  TENON_ENUM(SEGMENTS) int32_t segments; /* what the array `segments` holds */
  int32_t axis;                          /* of x; negative: from the end */
  TENON_YES_NO int32_t exclusive;        /* tenon_segment_scan: as in tenon_accumulate_options */
  uint32_t dtype;                        /* of sums, products and logsumexp: x is converted to it first; 0: as for
                                            tenon_reduce and tenon_accumulate */
  uint32_t reserved;
  int64_t count;                         /* NUMBERS: the number of segments */
} tenon_segment_options;

/* Reduces each segment of x along an axis, for TENON_FN_SUM, PROD, MIN, MAX or LOGSUMEXP: the result has x's shape and
 * one element per segment along the axis. segments: one axis; TENON_SEGMENTS_OFFSETS or NUMBERS (tenon_segment_offsets
 * makes offsets of the others). An empty segment gives the neutral value: 0, 1, or the largest or smallest value of the
 * dtype, of complex numbers in both parts. Offsets that decrease or lie outside of x are INVALID_ARGUMENT, reported as
 * moving.h says of indices, and never followed. dtypes are those of tenon_reduce. float16, bfloat16 and float32 are
 * accumulated in float64. Results have the same bits on every run and for any number of threads. UNSUPPORTED: on CUDA,
 * more than 2^31 rows along the other axes. Since level 1.1. */
TENON_API int32_t tenon_segment_reduce(TENON_ENUM(FN) int32_t function, const tenon_array* x,
                                       const tenon_array* segments,
                                       TENON_NULLABLE const tenon_segment_options* options,
                                       TENON_NULLABLE tenon_stream* stream, TENON_INOUT tenon_array** out_result);
/* tenon_accumulate, which begins anew with each segment, for one of the codes TENON_FN_CUMULATIVE_*. segments:
 * TENON_SEGMENTS_OFFSETS (elements before the first and after the last segment form one each), FLAGS or KEYS (any
 * real dtype). dtypes, errors and determinism are those of tenon_segment_reduce. The output may be exactly x. Since
 * level 1.1. */
TENON_API int32_t tenon_segment_scan(TENON_ENUM(FN) int32_t function, const tenon_array* x, const tenon_array* segments,
                                     TENON_NULLABLE const tenon_segment_options* options,
                                     TENON_NULLABLE tenon_stream* stream, TENON_INOUT tenon_array** out_result);
/* The offsets of segments that are given as TENON_SEGMENTS_FLAGS or KEYS, which options->segments says; other options
 * are 0. The result is int64: one offset per segment, and the number of elements. Waits, because the number of segments
 * depends on the elements. UNSUPPORTED: while a graph is recorded. Since level 1.1. */
TENON_API int32_t tenon_segment_offsets(const tenon_array* segments, const tenon_segment_options* options,
                                        TENON_NULLABLE tenon_stream* stream, TENON_INOUT tenon_array** out_offsets);

/* The common dtype of the operands, weak ones included; only the dtypes of arrays are used. */
TENON_API int32_t tenon_result_type(TENON_LENGTH(count) const tenon_arg* args, int32_t count,
                                    TENON_OUT uint32_t* out_dtype);

#ifdef __cplusplus
}
#endif
#endif
