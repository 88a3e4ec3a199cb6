/* tenon/fft.h: discrete Fourier transforms.
 *
 *   tenon_array* spectrum = NULL;
 *   tenon_fft(x, NULL, 2, NULL, NULL, &spectrum);       of the last two axes, new; real x: half of the spectrum
 *   tenon_fft(x, NULL, 2, NULL, NULL, &x);              in place, where x is complex
 *
 * Statuses of every function here: DTYPE, SHAPE: dtypes or extents that do not match as described below.
 *
 * In a context with TENON_CONTEXT_CHECK_FINITE, NaN or infinity in the source is NOT_FINITE.
 */
#ifndef TENON_FFT_H
#define TENON_FFT_H

#include <tenon/array.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TENON_FFT_DIRECTION_FORWARD 0 /* sum of x[j] exp(-2 pi i j k / n) */
#define TENON_FFT_DIRECTION_INVERSE 1 /* sum of x[j] exp(+2 pi i j k / n) */

#define TENON_FFT_NORM_BACKWARD 0 /* forward unscaled, inverse 1/n */
#define TENON_FFT_NORM_ORTHO 1    /* both 1/sqrt(n) */
#define TENON_FFT_NORM_FORWARD 2  /* forward 1/n, inverse unscaled */

typedef struct tenon_fft_options {
  uint32_t struct_size;
  TENON_ENUM(FFT_DIRECTION) int32_t direction; /* TENON_FFT_DIRECTION_FORWARD or INVERSE */
  TENON_ENUM(FFT_NORM) int32_t norm;      /* TENON_FFT_NORM_* */
  int32_t reserved;
  int64_t real_length; /* for a new destination: > 0: real, with this extent along the last of the axes; 0: complex */
} tenon_fft_options;

/* destination = transform of source over `axis_count` axes (negative: from the end; NULL: the last axis_count ones),
 * of any length, primes included; every other axis is a batch. The destination is provided or made (TENON_INOUT). The
 * dtypes determine the transform: all are f32 and c64, f64 and c128, or f16 and TENON_COMPLEX32; a new destination is
 * complex, unless options->real_length makes it real:
 * - complex to complex: equal shapes; destination may be source itself.
 * - real to complex: the transform of real numbers is Hermitian, so along the last of the axes only the first n/2 + 1
 *   numbers are written, where n is its extent in the source: the destination has extent n/2 + 1 there, and the
 *   source's extents elsewhere.
 * - complex to real: the source is such a half spectrum, with extent n/2 + 1 along the last of the axes, and the
 *   destination's extent there is n, even or odd; parts that would make the result complex (the imaginary part of
 *   number 0, and of number n/2 if n is even) are not read. Source and destination must be disjoint here and in real to
 *   complex. The source is not changed.
 * Any strides. ducc0 on the CPU, cuFFT on CUDA (C2C, R2C, C2R; its plans are kept, at most 64 per device;
 * tenon_context_report counts hits, misses and evictions). Half precision is cuFFT's own if every length is a power of
 * two and the transform is unscaled; otherwise it is computed in single precision and rounded once. An axis of extent 0
 * is SHAPE; an empty batch does nothing. Statuses: DTYPE, SHAPE, DEVICE, CONTEXT, READ_ONLY, OVERLAP, INVALID_ARGUMENT
 * (an axis listed twice or out of range; an unknown option; real_length that is negative, or does not fit the source or
 * a provided destination), VERSION, INVALID_HANDLE, OUT_OF_MEMORY, MISSING_LIBRARY, UNSUPPORTED (this build has no CPU
 * FFT: the text says how to get it; another library captures the stream: its graph cannot keep the plan and its work
 * area alive, as a tenon_graph does). */
TENON_API int32_t tenon_fft(const tenon_array* source, TENON_NULLABLE TENON_LENGTH(axis_count) const int32_t* axes,
                            int32_t axis_count, TENON_NULLABLE const tenon_fft_options* options,
                            TENON_NULLABLE tenon_stream* stream, TENON_INOUT tenon_array** out_destination);

typedef struct tenon_dct_options {
  uint32_t struct_size;
  int32_t type;      /* 1 to 4; 0: 2 */
  TENON_YES_NO int32_t sine;      /* 1: the sine transform, else the cosine transform */
  TENON_ENUM(FFT_DIRECTION) int32_t direction; /* TENON_FFT_DIRECTION_FORWARD or INVERSE */
  TENON_ENUM(FFT_NORM) int32_t norm;      /* TENON_FFT_NORM_* */
  int32_t reserved;
} tenon_dct_options;

/* destination = cosine or sine transform of source over `axis_count` axes (as in tenon_fft), one after another, of
 * f32 or f64. Forward and unscaled, with n the extent of an axis and sums over j from 0 to n - 1:
 *   cosine 1: x[0] + (-1)^k x[n-1] + 2 sum over 0 < j < n-1 of x[j] cos(pi j k / (n-1)), n at least 2
 *          2: 2 sum x[j] cos(pi (2j+1) k / (2n))
 *          3: x[0] + 2 sum over j > 0 of x[j] cos(pi j (2k+1) / (2n))
 *          4: 2 sum x[j] cos(pi (2j+1) (2k+1) / (4n))
 *   sine   1: 2 sum x[j] sin(pi (j+1) (k+1) / (n+1))
 *          2: 2 sum x[j] sin(pi (2j+1) (k+1) / (2n))
 *          3: (-1)^k x[n-1] + 2 sum over j < n-1 of x[j] sin(pi (j+1) (2k+1) / (2n))
 *          4: 2 sum x[j] sin(pi (2j+1) (2k+1) / (4n))
 * The inverse of types 1 and 4 is the same type, of 2 type 3 and of 3 type 2, over N = 2n (cosine 1: 2 (n-1), sine
 * 1: 2 (n+1)). norm: BACKWARD: inverse 1/N; FORWARD: forward 1/N; ORTHO: both 1/sqrt(N), and the ends weighted by
 * sqrt(2), so that the matrix of the transform is orthogonal. Any strides. The destination is provided or made, and may
 * be source itself; otherwise their memory must be disjoint. ducc0 on the CPU; a cuFFT transform between two kernels on
 * CUDA. The work runs on `stream` as tenon_fft's does. Statuses: those of tenon_fft. */
TENON_API int32_t tenon_dct(const tenon_array* source, TENON_NULLABLE TENON_LENGTH(axis_count) const int32_t* axes,
                            int32_t axis_count, TENON_NULLABLE const tenon_dct_options* options,
                            TENON_NULLABLE tenon_stream* stream, TENON_INOUT tenon_array** out_destination);

/* Prepares what tenon_fft needs for these arrays, without running it: on CUDA cuFFT and its plans, which can take
 * seconds to make, Tenon's own kernels, and their code on the device. A later tenon_fft on that device with the same
 * options and arrays of the same dtypes, shapes and strides finds them (if one side is real, both pairs of arrays must
 * also agree in whether their addresses are multiples of the size of a complex number), until 64 other plans have been
 * used since. Only the layout of the arrays is used: the call does not read, write or wait, and both may be in use;
 * tenon_fft must accept them. The call temporarily allocates the transform's work area. Call it before another library
 * captures a stream of the calling thread. On the CPU there is nothing to prepare, and the call only checks its
 * arguments. Statuses: those of tenon_fft. */
TENON_API int32_t tenon_fft_prepare(const tenon_array* source, const tenon_array* destination,
                                    TENON_NULLABLE TENON_LENGTH(axis_count) const int32_t* axes, int32_t axis_count,
                                    TENON_NULLABLE const tenon_fft_options* options);
/* The same for tenon_dct. */
TENON_API int32_t tenon_dct_prepare(const tenon_array* source, const tenon_array* destination,
                                    TENON_NULLABLE TENON_LENGTH(axis_count) const int32_t* axes, int32_t axis_count,
                                    TENON_NULLABLE const tenon_dct_options* options);

#ifdef __cplusplus
}
#endif
#endif
