/* tenon/eigen.h: eigenvalues, norms, and functions of matrices. The rules at the top of solve.h apply here too.
 *
 *   tenon_array *w = NULL, *v = NULL;
 *   tenon_eigh(a, NULL, NULL, &w, &v);       a v = v diag(w)
 *   tenon_eigh(a, NULL, NULL, &w, NULL);     the values again, into the same w
 *
 * Every call works on `stream`, as solve.h says.
 *
 * Statuses of every function here: DTYPE: not float32, float64, complex64 or complex128 (tenon_norm takes more); SHAPE:
 * fewer than two axes, or a matrix that is not square where it must be; UNSUPPORTED: while a graph is recorded, if the
 * function has to wait for the result; MISSING_LIBRARY: no LAPACK, cuBLAS or cuSOLVER.
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
  int64_t count;   /* number of eigenvalues; 0: all from `first` on */
  double low;      /* with by_value 1: the eigenvalues above low and up to high; first and count must be 0 */
  double high;
  TENON_YES_NO int32_t by_value;
  int32_t reserved;
} tenon_eigh_options;

/* a = v diag(w) v^H for a symmetric or Hermitian a: (..., n, n), one triangle of which is read. w: real, (..., count),
 * ascending; v: (..., n, count), orthonormal columns; out_v NULL: values only. With by_value, count is the number of
 * eigenvalues found, and a must be one matrix (a batch of more than 1 is SHAPE, because its matrices would have
 * different counts). |a v - v diag(w)| over |a|, and |v^H v - 1|, in the 1-norm, are below 30 n epsilon, LAPACK's own
 * bound. The result is checked: where it misses the bound, as for some graded matrices, another method computes it
 * again, and NOT_CONVERGED is returned if that misses it, too. OVERFLOW: w does not fit its dtype. xSYEVD, xHEEVD, for
 * a part of the eigenvalues xSYEVR, xHEEVR; cusolverDnXsyevd, Xsyevdx. NOT_FINITE: NaN or infinity in a. */
TENON_API int32_t tenon_eigh(const tenon_array* a, TENON_NULLABLE const tenon_eigh_options* options,
                             TENON_NULLABLE tenon_stream* stream, TENON_INOUT tenon_array** out_w,
                             TENON_NULLABLE TENON_INOUT tenon_array** out_v);

typedef struct tenon_eig_options {
  uint32_t struct_size;
  int32_t reserved;
} tenon_eig_options;

/* a v = v diag(w) and u^H a = diag(w) u^H for any a: (..., n, n). w: (..., n) complex, in no particular order; u
 * (out_left) and v (out_right): (..., n, n) complex, columns of norm 1, which are linearly dependent if a is defective;
 * pass NULL for those that are not wanted. |a v - v diag(w)| over |a|, in the 1-norm, is below 30 n epsilon, LAPACK's
 * own bound, and likewise for u. If balancing a badly scaled a breaks this bound, the host's LAPACK computes the values
 * and vectors of that matrix without balancing; if that fails too, NOT_CONVERGED. If only values are requested, they
 * are those of the balanced matrix. OVERFLOW: w does not fit its dtype. On CUDA, where cuSOLVER computes right vectors
 * only, the left ones are the rows of the inverse of v; if those are not accurate, because v is ill-conditioned or
 * singular (a is defective), the host's LAPACK computes the values and vectors of that matrix (MISSING_LIBRARY: no
 * LAPACK is installed). xGEEVX; cusolverDnXgeev (CUDA 12.6 and later, else UNSUPPORTED). NOT_FINITE: NaN or infinity in
 * a. */
TENON_API int32_t tenon_eig(const tenon_array* a, TENON_NULLABLE const tenon_eig_options* options,
                            TENON_NULLABLE tenon_stream* stream, TENON_INOUT tenon_array** out_w,
                            TENON_NULLABLE TENON_INOUT tenon_array** out_left,
                            TENON_NULLABLE TENON_INOUT tenon_array** out_right);

#define TENON_NORM_FROBENIUS 0 /* the square root of the sum of squares */
#define TENON_NORM_ONE 1       /* the largest column sum of absolute values */
#define TENON_NORM_INFINITY 2  /* the largest row sum of absolute values */
#define TENON_NORM_LARGEST 3   /* the largest absolute value; not an operator norm */
#define TENON_NORM_TWO 4       /* the largest singular value */
#define TENON_NORM_MINUS_TWO 5 /* the smallest singular value */
#define TENON_NORM_NUCLEAR 6   /* the sum of the singular values */

typedef struct tenon_norm_options {
  uint32_t struct_size;
  TENON_ENUM(NORM) int32_t kind;        /* TENON_NORM_* */
  int32_t reserved;
} tenon_norm_options;

/* The norm of each matrix of a: (..., m, n), real, of shape (...). Intermediate squares do not overflow. NaN or
 * infinity in a appears in the results of kinds 0 to 3 and is NOT_FINITE for the others. A norm that its dtype cannot
 * hold is infinite for kinds 0 to 3 and OVERFLOW for the others. A matrix without elements has norm 0.
 * INVALID_ARGUMENT: an unknown kind. xLANGE; tenon_svd's routines. */
TENON_API int32_t tenon_norm(const tenon_array* a, TENON_NULLABLE const tenon_norm_options* options,
                             TENON_NULLABLE tenon_stream* stream, TENON_INOUT tenon_array** out_norm);
/* The condition number |a| |a^-1| in that norm, real, of shape (...); infinite for a singular matrix (kind NUCLEAR:
 * SINGULAR), and if its dtype cannot hold it. TWO and MINUS_TWO (the reciprocal of TWO, but infinite for a matrix of
 * zeros) take any a: (..., m, n), the others square matrices. INVALID_ARGUMENT: an unknown kind, or LARGEST, which is
 * not an operator norm. SHAPE: m or n is 0. */
TENON_API int32_t tenon_cond(const tenon_array* a, TENON_NULLABLE const tenon_norm_options* options,
                             TENON_NULLABLE tenon_stream* stream, TENON_INOUT tenon_array** out_cond);

typedef struct tenon_power_options {
  uint32_t struct_size;
  int32_t reserved;
} tenon_power_options;

/* a^n for a: (..., m, m), by repeated squaring; n = 0 gives the identity, a negative n a power of the inverse (SINGULAR
 * if there is none). NOT_FINITE; OVERFLOW: the result does not fit its dtype. */
TENON_API int32_t tenon_matrix_power(const tenon_array* a, int64_t n, TENON_NULLABLE const tenon_power_options* options,
                                     TENON_NULLABLE tenon_stream* stream, TENON_INOUT tenon_array** out_power);
/* e^a for a: (..., n, n), by scaling and squaring of a Pade approximant of degree 13, in double precision; the scaling
 * follows the norms of a's powers (Al-Mohy, Higham 2009), so that a matrix far from normal is not squared more often
 * than necessary. If a is triangular, so is the result, and its diagonal holds the exponentials of a's diagonal.
 * NOT_FINITE; OVERFLOW: the result does not fit its dtype, or more than 50 squarings would be needed, which leaves no
 * correct digit (norms of about 5e15, of a and of its powers). */
TENON_API int32_t tenon_expm(const tenon_array* a, TENON_NULLABLE const tenon_power_options* options,
                             TENON_NULLABLE tenon_stream* stream, TENON_INOUT tenon_array** out_exponential);

#ifdef __cplusplus
}
#endif
#endif
