/* tenon/solve.h: linear systems and factorisations: solve, LU, Cholesky, QR, least squares, inverse, determinant, rank.
 *
 * What holds for every function here: the last two axes are the matrix (rows, columns), leading axes are a batch; those of two
 * operands broadcast. dtypes: f32, f64, c64, c128, all operands of one. Any strides; operands are not changed; results are new
 * and C-ordered. Sizes of 0 give results of the right shape. On the CPU LAPACK, on CUDA cuSOLVER and cuBLAS (from CUDA 12 on);
 * each comment names the routines. Statuses: DTYPE, SHAPE, DEVICE, MISSING_LIBRARY, UNSUPPORTED (a size beyond a library's
 * 32-bit integers, or a routine that it lacks); NOT_FINITE: NaN or infinity in an operand; SINGULAR, NOT_CONVERGED: the text
 * says for which matrix of the batch, and tenon_error_native gives the routine and its info value; OVERFLOW: factors that do not
 * fit the dtype. Nothing that is NaN, infinite or unset is returned with TENON_OK. The calls wait for the result, so that a failure is
 * reported here.
 *
 * In a context with TENON_CONTEXT_DEFERRED_ERRORS tenon_solve, lu, lu_solve, cholesky, cholesky_solve, qr and inverse do
 * not wait. They return what they made, which is not to be used before somebody waited, and NOT_FINITE, SINGULAR, OVERFLOW and pivots
 * that are none come from the first of these calls that waits for this work: tenon_stream_synchronize (and _query), of this stream or
 * of one that was ordered behind it; tenon_event_synchronize (and _query) of an event recorded after it; tenon_device_synchronize;
 * tenon_array_to_host; on the CPU the export of an array by DLPack too. Each is said once, of several the first. Up to 512 calls a
 * device may be unanswered; one beyond them waits as without the flag. A graph cannot record these calls.
 */
#ifndef TENON_SOLVE_H
#define TENON_SOLVE_H

#include <tenon/linalg.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TENON_SOLVE_GENERAL 0  /* any a: LU with partial pivoting (xGETRF, xGETRS; cusolverDnXgetrf, Xgetrs) */
#define TENON_SOLVE_POSITIVE 1 /* symmetric or Hermitian positive definite a, its lower triangle is read (xPOTRF, xPOTRS; cusolverDnXpotrf, Xpotrs) */
#define TENON_SOLVE_LOWER 2    /* the lower triangle of a, the rest is not read (xTRSM; cublasXtrsm) */
#define TENON_SOLVE_UPPER 3    /* the upper one */

typedef struct tenon_solve_options {
  uint32_t struct_size;
  int32_t kind;          /* TENON_SOLVE_* */
  int32_t op;            /* TENON_OP_*: solves op(a) x = b; not with TENON_SOLVE_POSITIVE */
  int32_t unit_diagonal; /* 1, with LOWER and UPPER: a's diagonal is 1 and not read */
} tenon_solve_options;

/* x of op(a) x = b. a: (..., n, n); b: (..., n, k); x: (..., n, k), which may be exactly b. One a with many b is factored once.
 * SINGULAR: exactly, or so nearly that the solution overflows; with POSITIVE also: not positive definite. tenon_cond tells how far
 * to trust x. */
TENON_API int32_t tenon_solve(const tenon_array* a, const tenon_array* b, TENON_NULLABLE const tenon_solve_options* options,
                              TENON_NULLABLE tenon_stream* stream, TENON_INOUT tenon_array** out_x);

/* a = P L U with partial pivoting, a: (..., m, n). out_lu: (..., m, n) holds U, and below the diagonal L, whose diagonal is 1;
 * out_pivots: int64 (..., min(m, n)), row i was exchanged with row pivots[i], from 1, as LAPACK counts. A singular a has such
 * factors too. xGETRF; cusolverDnXgetrf. */
TENON_API int32_t tenon_lu(const tenon_array* a, TENON_NULLABLE tenon_stream* stream, TENON_OUT TENON_OWNED tenon_array** out_lu,
                           TENON_OUT TENON_OWNED tenon_array** out_pivots);
/* x of op(a) x = b with the factors of tenon_lu, as tenon_solve. op: TENON_OP_*. xGETRS; cusolverDnXgetrs. */
TENON_API int32_t tenon_lu_solve(const tenon_array* lu, const tenon_array* pivots, const tenon_array* b, int32_t op,
                                 TENON_NULLABLE tenon_stream* stream, TENON_OUT TENON_OWNED tenon_array** out_x);

/* a = L L^H, or with upper 1 a = U^H U, of a symmetric or Hermitian positive definite a: (..., n, n), of which only that
 * triangle is read. The other triangle of the result is 0. SINGULAR: not positive definite, info is the first leading minor
 * that is not. xPOTRF; cusolverDnXpotrf. */
TENON_API int32_t tenon_cholesky(const tenon_array* a, int32_t upper, TENON_NULLABLE tenon_stream* stream,
                                 TENON_OUT TENON_OWNED tenon_array** out_factor);
/* x of a x = b with the factor of tenon_cholesky. xPOTRS; cusolverDnXpotrs. */
TENON_API int32_t tenon_cholesky_solve(const tenon_array* factor, int32_t upper, const tenon_array* b, TENON_NULLABLE tenon_stream* stream,
                                       TENON_OUT TENON_OWNED tenon_array** out_x);

#define TENON_QR_REDUCED 0  /* q (..., m, k), r (..., k, n) with k = min(m, n) */
#define TENON_QR_COMPLETE 1 /* q (..., m, m), r (..., m, n) */
#define TENON_QR_R 2        /* r (..., k, n) only: out_q may be NULL and receives NULL */

/* a = q r with orthonormal columns of q and upper triangular r. a: (..., m, n). mode: TENON_QR_*. OVERFLOW: r does not fit its
 * dtype. xGEQRF, xORGQR, xUNGQR; cusolverDnXgeqrf, cusolverDn<t>orgqr and ungqr. */
TENON_API int32_t tenon_qr(const tenon_array* a, int32_t mode, TENON_NULLABLE tenon_stream* stream,
                           TENON_NULLABLE TENON_OUT TENON_OWNED tenon_array** out_q, TENON_OUT TENON_OWNED tenon_array** out_r);

/* The x that makes |a x - b| least, and of all those the shortest. a: (..., m, n) of any shape and rank, b: (..., m, k), x:
 * (..., n, k). By the singular values of a: those not above rcond times the largest count as 0; a negative rcond means
 * max(m, n) epsilon; NaN is INVALID_ARGUMENT. out_rank: int64 (...), how many counted; out_s: (..., min(m, n)), the singular values.
 * As xGELSD, by tenon_svd's routines. */
TENON_API int32_t tenon_lstsq(const tenon_array* a, const tenon_array* b, double rcond, TENON_NULLABLE tenon_stream* stream,
                              TENON_OUT TENON_OWNED tenon_array** out_x, TENON_NULLABLE TENON_OUT TENON_OWNED tenon_array** out_rank,
                              TENON_NULLABLE TENON_OUT TENON_OWNED tenon_array** out_s);

/* The inverse of a: (..., n, n). SINGULAR as tenon_solve. xGETRF, xGETRS. */
TENON_API int32_t tenon_inverse(const tenon_array* a, TENON_NULLABLE tenon_stream* stream, TENON_OUT TENON_OWNED tenon_array** out_inverse);
/* The Moore-Penrose pseudo-inverse of a: (..., m, n), (..., n, m). rcond as in tenon_lstsq. By tenon_svd's routines. */
TENON_API int32_t tenon_pinv(const tenon_array* a, double rcond, TENON_NULLABLE tenon_stream* stream, TENON_OUT TENON_OWNED tenon_array** out_inverse);
/* How many singular values of a: (..., m, n) are above rcond times the largest: int64 (...). rcond as in tenon_lstsq. */
TENON_API int32_t tenon_matrix_rank(const tenon_array* a, double rcond, TENON_NULLABLE tenon_stream* stream, TENON_OUT TENON_OWNED tenon_array** out_rank);

/* The determinants of a: (..., n, n), of shape (...): 0 for a singular matrix, infinite where the dtype cannot hold it
 * (tenon_slogdet can). xGETRF. */
TENON_API int32_t tenon_det(const tenon_array* a, TENON_NULLABLE tenon_stream* stream, TENON_OUT TENON_OWNED tenon_array** out_det);
/* det = sign exp(log): out_sign of a's dtype, of absolute value 1 or 0, and out_log, real; both of shape (...). Of a singular
 * matrix 0 and -infinity. */
TENON_API int32_t tenon_slogdet(const tenon_array* a, TENON_NULLABLE tenon_stream* stream, TENON_OUT TENON_OWNED tenon_array** out_sign,
                                TENON_OUT TENON_OWNED tenon_array** out_log);

typedef struct tenon_ldl_options {
  uint32_t struct_size;
  int32_t upper;     /* 1: the upper triangle of a is read, else the lower one */
  int32_t hermitian; /* 1: of complex numbers, a is Hermitian; else it is symmetric */
  int32_t reserved;
} tenon_ldl_options;

/* a = P L D L^T P^T (upper: U instead of L; hermitian: ^H) of a symmetric or Hermitian a: (..., n, n) that need not be
 * definite, of which one triangle is read. D has blocks of 1 x 1 and 2 x 2 (Bunch-Kaufman's pivoting). out_ld: (..., n, n) and
 * out_pivots: int64 (..., n) hold it as LAPACK writes it: D and the multipliers in that triangle, the other one is 0; pivots[i]
 * > 0: rows and columns i + 1 and pivots[i] were exchanged; two equal negative ones: a block of 2 x 2. A singular a has such
 * factors too. xSYTRF, xHETRF; cusolverDn<t>sytrf (Hermitian: UNSUPPORTED on CUDA). */
TENON_API int32_t tenon_ldl(const tenon_array* a, TENON_NULLABLE const tenon_ldl_options* options, TENON_NULLABLE tenon_stream* stream,
                            TENON_OUT TENON_OWNED tenon_array** out_ld, TENON_OUT TENON_OWNED tenon_array** out_pivots);
/* x of a x = b with the factors of tenon_ldl and its options. SINGULAR as tenon_solve. xSYTRS, xHETRS; cusolverDnXsytrs. */
TENON_API int32_t tenon_ldl_solve(const tenon_array* ld, const tenon_array* pivots, const tenon_array* b,
                                  TENON_NULLABLE const tenon_ldl_options* options, TENON_NULLABLE tenon_stream* stream,
                                  TENON_OUT TENON_OWNED tenon_array** out_x);

#ifdef __cplusplus
}
#endif
#endif
