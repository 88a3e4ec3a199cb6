/* tenon/eigen.h: eigenvalues, norms, and functions of matrices. The rules at the top of solve.h apply here too.
 *
 *   tenon_array *w = NULL, *v = NULL;
 *   tenon_eigh(a, NULL, NULL, &w, &v);       a v = v diag(w)
 *   tenon_eigh(a, NULL, NULL, &w, NULL);     the values again, into the same w
 *
 * Every call works on `stream`, as solve.h says.
 *
 * Statuses of every function here: DTYPE: float32, float64, complex64 and complex128 are possible, of tenon_norm more;
 * SHAPE: fewer axes than a matrix has, or one that is not square where that is needed; UNSUPPORTED: while a graph is
 * recorded, where the result has to be waited for; MISSING_LIBRARY: no LAPACK, cuBLAS or cuSOLVER.
 */
#ifndef TENON_EIGEN_H
#define TENON_EIGEN_H

#include <tenon/solve.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tenon_eigh_options {
  uint32_t struct_size;
  TENON_YES_NO int32_t upper;   /* 1: the upper triangle of a is read, else the lower one */
  int64_t first;   /* the first eigenvalue wanted, from 0, in ascending order */
  int64_t count;   /* how many of them; 0: all from `first` on */
  double low;      /* with by_value 1: those above low and up to high; first and count are 0 then */
  double high;
  TENON_YES_NO int32_t by_value;
  int32_t reserved;
} tenon_eigh_options;

/* a = v diag(w) v^H of a symmetric or Hermitian a: (..., n, n), of which one triangle is read. w: real, (..., count),
 * ascending; v: (..., n, count), orthonormal columns; out_v NULL: values only. By value count is what was found, and a
 * is one matrix (no batch but of 1: SHAPE; matrices of a batch have different counts). |a v - v diag(w)| over |a|, and
 * |v^H v - 1|, in the 1-norm, are below 30 n epsilon, LAPACK's own bound. The result is checked: where it misses the
 * bound, as for some graded matrices, another method computes it again, and NOT_CONVERGED is returned if that misses
 * it, too. OVERFLOW: w does not fit its dtype. xSYEVD, xHEEVD, for a few xSYEVR, xHEEVR; cusolverDnXsyevd, Xsyevdx.
 * NOT_FINITE: NaN or infinity in a. */
TENON_API int32_t tenon_eigh(const tenon_array* a, TENON_NULLABLE const tenon_eigh_options* options,
                             TENON_NULLABLE tenon_stream* stream, TENON_INOUT tenon_array** out_w,
                             TENON_NULLABLE TENON_INOUT tenon_array** out_v);

typedef struct tenon_eig_options {
  uint32_t struct_size;
  int32_t reserved;
} tenon_eig_options;

/* a v = v diag(w) and u^H a = diag(w) u^H of any a: (..., n, n). w: (..., n) complex, in no order; u (out_left) and v
 * (out_right): (..., n, n) complex, columns of norm 1, which a defective a makes dependent; NULL for those that are
 * not wanted. |a v - v diag(w)| over |a|, in the 1-norm, is below 30 n epsilon, LAPACK's own bound, and so is that of
 * u: where it is not, because a is badly scaled and the routine balances it, the host's LAPACK finds the matrix'
 * values and vectors without that, or NOT_CONVERGED. Values alone are those of the balanced matrix. OVERFLOW: w does
 * not fit its dtype. On CUDA, whose cuSOLVER has right vectors only, the left ones are the rows of the inverse of v;
 * where those are not accurate, because v is ill-conditioned or singular (a defective a), the host's LAPACK computes
 * the values and vectors of that matrix (MISSING_LIBRARY: no LAPACK is installed). xGEEVX; cusolverDnXgeev (CUDA 12.6
 * and later, else UNSUPPORTED). NOT_FINITE: NaN or infinity in a. */
TENON_API int32_t tenon_eig(const tenon_array* a, TENON_NULLABLE const tenon_eig_options* options,
                            TENON_NULLABLE tenon_stream* stream, TENON_INOUT tenon_array** out_w,
                            TENON_NULLABLE TENON_INOUT tenon_array** out_left,
                            TENON_NULLABLE TENON_INOUT tenon_array** out_right);

#define TENON_NORM_FROBENIUS 0 /* the root of the sum of squares */
#define TENON_NORM_ONE 1       /* the largest sum of absolute values of a column */
#define TENON_NORM_INFINITY 2  /* the largest of a row */
#define TENON_NORM_LARGEST 3   /* the largest absolute value: no operator norm */
#define TENON_NORM_TWO 4       /* the largest singular value */
#define TENON_NORM_MINUS_TWO 5 /* the smallest one */
#define TENON_NORM_NUCLEAR 6   /* their sum */

typedef struct tenon_norm_options {
  uint32_t struct_size;
  TENON_ENUM(NORM) int32_t kind;        /* TENON_NORM_* */
  int32_t reserved;
} tenon_norm_options;

/* The norm of each matrix of a: (..., m, n), real, of shape (...). No square overflows on the way. NaN or infinity
 * in a goes through to kinds 0 to 3 and is NOT_FINITE for the others. A norm that its dtype cannot hold is infinite
 * of kinds 0 to 3 and OVERFLOW of the others. A matrix without elements has norm 0. INVALID_ARGUMENT: an unknown
 * kind. xLANGE; tenon_svd's routines. */
TENON_API int32_t tenon_norm(const tenon_array* a, TENON_NULLABLE const tenon_norm_options* options,
                             TENON_NULLABLE tenon_stream* stream, TENON_INOUT tenon_array** out_norm);
/* The condition number |a| |a^-1| in that norm, real, of shape (...); infinite for a singular matrix (kind NUCLEAR:
 * SINGULAR), and where its dtype cannot hold it. TWO and MINUS_TWO (its reciprocal, but infinite for a matrix of
 * zeros) take any a: (..., m, n), the others square ones. INVALID_ARGUMENT: an unknown kind, or LARGEST, which is no
 * operator norm. SHAPE: m or n is 0. */
TENON_API int32_t tenon_cond(const tenon_array* a, TENON_NULLABLE const tenon_norm_options* options,
                             TENON_NULLABLE tenon_stream* stream, TENON_INOUT tenon_array** out_cond);

typedef struct tenon_power_options {
  uint32_t struct_size;
  int32_t reserved;
} tenon_power_options;

/* a^n of a: (..., m, m); n 0: the identity; negative: of the inverse, and SINGULAR. By repeated squaring.
 * NOT_FINITE; OVERFLOW: the result does not fit its dtype. */
TENON_API int32_t tenon_matrix_power(const tenon_array* a, int64_t n, TENON_NULLABLE const tenon_power_options* options,
                                     TENON_NULLABLE tenon_stream* stream, TENON_INOUT tenon_array** out_power);
/* e^a of a: (..., n, n), by scaling and squaring of a Pade approximant of degree 13, in double precision; scaled by
 * the norms of a's powers (Al-Mohy, Higham 2009), so that what is far from normal is not squared more often than it
 * must be. Triangular a: so is the result, its diagonal the exponentials of a's. NOT_FINITE; OVERFLOW: the result
 * does not fit its dtype, or a would be squared more than 50 times, which leaves no digit (a norm of about 5e15 that
 * powers of a have, too). */
TENON_API int32_t tenon_expm(const tenon_array* a, TENON_NULLABLE const tenon_power_options* options,
                             TENON_NULLABLE tenon_stream* stream, TENON_INOUT tenon_array** out_exponential);

#ifdef __cplusplus
}
#endif
#endif
