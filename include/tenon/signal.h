/* tenon/signal.h: functions used with Fourier transforms: convolution and correlation, order, frequencies, fast
 * lengths.
 *
 *   tenon_array* smooth = NULL;
 *   tenon_convolve_options same = {sizeof same, TENON_CONVOLVE_SAME, 0, 0};
 *   tenon_convolve(x, window, NULL, 0, &same, NULL, &smooth);
 */
#ifndef TENON_SIGNAL_H
#define TENON_SIGNAL_H

#include <tenon/fft.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TENON_CONVOLVE_FULL 0  /* every sum in which a and b overlap: m + n - 1 numbers for extents m and n */
#define TENON_CONVOLVE_SAME 1  /* the m numbers in the middle of these, from number (n - 1) / 2 on */
#define TENON_CONVOLVE_VALID 2 /* the sums in which b lies entirely within a: m - n + 1 numbers, from number n - 1 on; m
                                  >= n */

typedef struct tenon_convolve_options {
  uint32_t struct_size;
  TENON_ENUM(CONVOLVE) int32_t mode;      /* TENON_CONVOLVE_* */
  TENON_YES_NO int32_t correlate; /* 1: the correlation of a and b instead */
  int32_t reserved;
} tenon_convolve_options;

/* The convolution along `axis_count` axes (negative: from the end; NULL: the last axis_count ones; 0: all), out[i] =
 * sum over k of a[k] b[i - k], or the correlation, sum over k of a[k] conj(b[k - i]) for i from 1 - n on (the
 * convolution of a with b conjugated and reversed). a and b have the same number of axes, at least one; the other axes
 * are a batch and broadcast. Any strides. dtypes: one of f16, bf16, f32, f64, c64, c128 for both; f16 and bf16 are
 * computed in f32 and rounded once. The result, of that dtype, is provided or made (TENON_INOUT). Up to 65536 products
 * in all are summed directly, so that values that the dtype holds exactly (small integers) give exact results.
 * Otherwise transforms of the shortest fast length are used: every number then has an error of the order of epsilon
 * log2(length) |a| |b| in their precision, with the Euclidean norms of the convolved sequences, so that a number much
 * smaller than |a| |b| has fewer correct digits; and one NaN or infinity makes all numbers of the same transforms (of
 * one batch element) NaN; a context with TENON_CONTEXT_CHECK_FINITE refuses such operands as NOT_FINITE. Allocates
 * memory for both zero-padded operands and for their transforms. Does not wait; can be recorded into a graph. Statuses:
 * those of tenon_fft, SHAPE (different ranks; an axis of extent 0; b larger than a in mode VALID; batches that do not
 * broadcast), DTYPE, OVERFLOW (more than 2^62 numbers along an axis). */
TENON_API int32_t tenon_convolve(const tenon_array* a, const tenon_array* b,
                                 TENON_NULLABLE TENON_LENGTH(axis_count) const int32_t* axes, int32_t axis_count,
                                 TENON_NULLABLE const tenon_convolve_options* options,
                                 TENON_NULLABLE tenon_stream* stream, TENON_INOUT tenon_array** out_result);

typedef struct tenon_shift_options {
  uint32_t struct_size;
  TENON_YES_NO int32_t inverse;     /* 1: undoes the shift */
  int32_t reserved;
} tenon_shift_options;

/* Reorders the numbers of a transform by frequency: a copy of x in which number 0 is at index n / 2 of each of
 * `axis_count` axes (as in tenon_convolve), where n is its extent. options->inverse undoes that. Every dtype of whole
 * bytes, any strides and extents, including 0. The result is provided or made. Can be recorded. Statuses:
 * INVALID_ARGUMENT (an axis listed twice or out of range; an option that is neither 0 nor 1), VERSION, DTYPE, SHAPE,
 * DEVICE, CONTEXT, READ_ONLY, OVERLAP, INVALID_HANDLE, OUT_OF_MEMORY, UNSUPPORTED (a dtype of less than a byte). */
TENON_API int32_t tenon_fft_shift(const tenon_array* x, TENON_NULLABLE TENON_LENGTH(axis_count) const int32_t* axes,
                                  int32_t axis_count, TENON_NULLABLE const tenon_shift_options* options,
                                  TENON_NULLABLE tenon_stream* stream, TENON_INOUT tenon_array** out_shifted);

typedef struct tenon_frequencies_options {
  uint32_t struct_size;
  TENON_YES_NO int32_t half; /* 1: for a transform of real numbers */
  int32_t reserved;
} tenon_frequencies_options;

/* The frequencies of the numbers of a transform of length n (at least 1), in cycles per unit of `spacing`, the
 * distance between samples: k / (n spacing) for k = 0, 1 ... (n - 1) / 2, -(n / 2) ... -1. With options->half k = 0
 * to n / 2. dtype: f16, bf16, f32, f64; computed in f64 on the device and rounded once. The result, of one axis, is
 * provided or made. Can be recorded. Statuses: DTYPE, SHAPE, READ_ONLY, OVERLAP, CONTEXT, INVALID_ARGUMENT (n below 1;
 * a spacing that is 0, infinite or NaN; half), VERSION, INVALID_HANDLE, OUT_OF_MEMORY, OVERFLOW (n spacing or its
 * inverse does not fit float64), DEVICE (the stream belongs to another device). */
TENON_API int32_t tenon_fft_frequencies(tenon_device* device, uint32_t dtype, int64_t n, double spacing,
                                        TENON_NULLABLE const tenon_frequencies_options* options,
                                        TENON_NULLABLE tenon_stream* stream, TENON_INOUT tenon_array** out_frequencies);

/* The smallest length of at least n (n at least 1) without a prime factor above 5: transforms of such lengths are fast
 * on every device. Statuses: INVALID_ARGUMENT (n below 1), OVERFLOW (n above 2^62). */
TENON_API int32_t tenon_fft_fast_length(int64_t n, TENON_OUT int64_t* out_length);

#ifdef __cplusplus
}
#endif
#endif
