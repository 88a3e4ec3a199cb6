/* tenon/solve.h: linear systems and factorisations: solve, LU, Cholesky, QR, least squares, inverse, determinant,
 * rank.
 *
 *   tenon_array* x = NULL;
 *   tenon_solve(a, b, NULL, NULL, &x);       a x = b; x is new
 *   tenon_solve(a, b, NULL, NULL, &x);       again, into the same x
 *
 * Rules for every function here:
 * - The last two axes are the matrix (rows, columns), leading axes are a batch; those of two operands broadcast.
 *   dtypes: f32, f64, c64, c128, the same for all operands. Any strides. Operands are not changed. Extents of 0 give
 *   results of the corresponding shape.
 * - Results are provided or made (TENON_INOUT, abi.h); new ones are C-ordered. Operands and provided results whose
 *   matrices are dense in column-major order (Fortran, Julia) are passed to the routine as they are if it works on
 *   columns: solve, the factorisations and their solves then transpose nothing.
 * - options NULL means a struct of zeros. Fields that a function does not use must be 0.
 * - The calls wait for the result, so that they can report a failure themselves. They use LAPACK on the CPU, cuSOLVER
 *   and cuBLAS on CUDA (from CUDA 12 on); each comment names the routines.
 *
 * Statuses: DTYPE, SHAPE, DEVICE, CONTEXT; READ_ONLY and OVERLAP for a provided result; INVALID_ARGUMENT: an argument
 * that is NULL, an option that the function does not have; VERSION: a newer options struct, or a reserved field that is
 * not 0; INVALID_HANDLE; OUT_OF_MEMORY; MISSING_LIBRARY; UNSUPPORTED (a size beyond a library's 32-bit integers, or a
 * routine that it lacks); NOT_FINITE: NaN or infinity in an operand; SINGULAR, NOT_CONVERGED: the text names the matrix
 * of the batch, and tenon_error_native returns the routine and its info value; OVERFLOW: factors that do not fit the
 * dtype. TENON_OK is never returned with NaN, infinite or uninitialised results. After NOT_FINITE, SINGULAR,
 * NOT_CONVERGED and OVERFLOW the elements of a provided result are unspecified.
 *
 * In a context with TENON_CONTEXT_DEFERRED_ERRORS tenon_solve, lu, lu_solve, cholesky, cholesky_solve, qr and
 * inverse do not wait. The arrays that they return must not be used before a call has waited for the work. NOT_FINITE,
 * SINGULAR, OVERFLOW and INVALID_ARGUMENT for wrong pivots are returned by the first of these calls that waits for the
 * work: tenon_stream_synchronize (and _query), of this stream or of one that was ordered behind it;
 * tenon_event_synchronize (and _query) of an event recorded after it; tenon_device_synchronize; tenon_array_to_host; on
 * the CPU also the export of an array by DLPack. Each error is reported once; if several are pending, the first one is
 * reported. At most 512 calls per device may be pending; a call beyond that limit waits as without the flag. A graph
 * cannot record these calls.
 */
#ifndef TENON_SOLVE_H
#define TENON_SOLVE_H

#include <tenon/linalg.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TENON_SOLVE_GENERAL 0  /* any a: LU with partial pivoting (xGETRF, xGETRS; cusolverDnXgetrf, Xgetrs) */
#define TENON_SOLVE_POSITIVE 1 /* positive definite a, its lower triangle (xPOTRF, xPOTRS; cusolverDnXpotrf, ...) */
#define TENON_SOLVE_LOWER 2    /* the lower triangle of a; the rest is not read (xTRSM; cublasXtrsm) */
#define TENON_SOLVE_UPPER 3    /* the upper triangle; the rest is not read */

typedef struct tenon_solve_options {
  uint32_t struct_size;
  TENON_ENUM(SOLVE) int32_t kind;          /* TENON_SOLVE_* */
  TENON_ENUM(OP) int32_t op;            /* TENON_OP_*: solves op(a) x = b; not with TENON_SOLVE_POSITIVE */
  TENON_YES_NO int32_t unit_diagonal; /* 1, with LOWER and UPPER: a's diagonal is 1 and not read */
} tenon_solve_options;

/* x of op(a) x = b. a: (..., n, n); b: (..., n, k); x: (..., n, k), which may be exactly b. One a with many b is
 * factored once. SINGULAR: a is singular, or so nearly singular that the solution overflows; with POSITIVE also: a is
 * not positive definite. tenon_cond measures how accurate x can be. */
TENON_API int32_t tenon_solve(const tenon_array* a, const tenon_array* b,
                              TENON_NULLABLE const tenon_solve_options* options, TENON_NULLABLE tenon_stream* stream,
                              TENON_INOUT tenon_array** out_x);

typedef struct tenon_lu_options {
  uint32_t struct_size;
  TENON_ENUM(OP) int32_t op;          /* TENON_OP_*: tenon_lu_solve solves op(a) x = b */
  int32_t reserved;
} tenon_lu_options;

/* a = P L U with partial pivoting, a: (..., m, n). lu: (..., m, n), which may be exactly a, holds U, and below the
 * diagonal L, whose diagonal is 1; pivots: int64 (..., min(m, n)): row i was exchanged with row pivots[i], counted from
 * 1 as in LAPACK. A singular a has such factors too. options: none of the fields. xGETRF; cusolverDnXgetrf. */
TENON_API int32_t tenon_lu(const tenon_array* a, TENON_NULLABLE const tenon_lu_options* options,
                           TENON_NULLABLE tenon_stream* stream, TENON_INOUT tenon_array** out_lu,
                           TENON_INOUT tenon_array** out_pivots);
/* x of op(a) x = b with the factors of tenon_lu: lu (..., n, n), pivots (..., n), b and x (..., n, k); x may be
 * exactly b. options: op. SINGULAR as for tenon_solve; INVALID_ARGUMENT: a pivot outside of 1 to n. xGETRS;
 * cusolverDnXgetrs. */
TENON_API int32_t tenon_lu_solve(const tenon_array* lu, const tenon_array* pivots, const tenon_array* b,
                                 TENON_NULLABLE const tenon_lu_options* options, TENON_NULLABLE tenon_stream* stream,
                                 TENON_INOUT tenon_array** out_x);

typedef struct tenon_cholesky_options {
  uint32_t struct_size;
  TENON_YES_NO int32_t upper;       /* 1: the upper triangle of a is read, and the factor is upper triangular; else the
                                       lower one */
  int32_t reserved;
} tenon_cholesky_options;

/* a = L L^H, or with upper 1 a = U^H U, for a symmetric or Hermitian positive definite a: (..., n, n), only that
 * triangle of which is read. factor: (..., n, n), which may be exactly a; its other triangle is 0. SINGULAR: a is not
 * positive definite; the native code is the order of the first leading minor that is not. xPOTRF; cusolverDnXpotrf. */
TENON_API int32_t tenon_cholesky(const tenon_array* a, TENON_NULLABLE const tenon_cholesky_options* options,
                                 TENON_NULLABLE tenon_stream* stream, TENON_INOUT tenon_array** out_factor);
/* x of a x = b with the factor of tenon_cholesky and its options: factor (..., n, n), b and x (..., n, k); x may be
 * exactly b. SINGULAR as for tenon_solve. xPOTRS; cusolverDnXpotrs. */
TENON_API int32_t tenon_cholesky_solve(const tenon_array* factor, const tenon_array* b,
                                       TENON_NULLABLE const tenon_cholesky_options* options,
                                       TENON_NULLABLE tenon_stream* stream, TENON_INOUT tenon_array** out_x);

#define TENON_QR_REDUCED 0  /* q (..., m, k), r (..., k, n) with k = min(m, n) */
#define TENON_QR_COMPLETE 1 /* q (..., m, m), r (..., m, n) */
#define TENON_QR_R 2        /* r (..., k, n) only: out_q may be NULL, and *out_q is not changed */
#define TENON_QR_RAW 3      /* level 1.1: what xGEQRF leaves. out_q receives its matrix transposed, (..., n, m), where
                               row j holds the start of column j of r and then reflector j without its leading 1; out_r
                               receives tau (..., k), the reflectors' factors: q is the product of I - tau v v^H */

typedef struct tenon_qr_options {
  uint32_t struct_size;
  TENON_ENUM(QR) int32_t mode;        /* TENON_QR_* */
  int32_t reserved;
} tenon_qr_options;

/* a = q r, where the columns of q are orthonormal and r is upper triangular. a: (..., m, n). OVERFLOW: r does not fit
 * its dtype. INVALID_ARGUMENT: an unknown mode; out_q is NULL, and the mode is not TENON_QR_R. xGEQRF, xORGQR, xUNGQR;
 * cusolverDnXgeqrf, cusolverDn<t>orgqr and ungqr. */
TENON_API int32_t tenon_qr(const tenon_array* a, TENON_NULLABLE const tenon_qr_options* options,
                           TENON_NULLABLE tenon_stream* stream, TENON_NULLABLE TENON_INOUT tenon_array** out_q,
                           TENON_INOUT tenon_array** out_r);

typedef struct tenon_rank_options {
  uint32_t struct_size;
  int32_t reserved;
  double rcond;        /* singular values up to rcond times the largest one count as 0; 0: max(m, n) epsilon; < 0: only
                          exact 0 does */
} tenon_rank_options;

/* The x that minimises |a x - b|, and of all such x the one with the smallest norm. a: (..., m, n) of any shape and
 * rank, b: (..., m, k), x: (..., n, k). Computed from the singular values of a. rank: int64 (...), the number of
 * singular values that do not count as 0; s: (..., min(m, n)), the singular values. SINGULAR: the solution overflows;
 * INVALID_ARGUMENT: rcond is NaN. As xGELSD, with tenon_svd's routines. */
TENON_API int32_t tenon_lstsq(const tenon_array* a, const tenon_array* b,
                              TENON_NULLABLE const tenon_rank_options* options, TENON_NULLABLE tenon_stream* stream,
                              TENON_INOUT tenon_array** out_x, TENON_NULLABLE TENON_INOUT tenon_array** out_rank,
                              TENON_NULLABLE TENON_INOUT tenon_array** out_s);

/* The inverse of a: (..., n, n); the result may be exactly a. SINGULAR as for tenon_solve. options: none of the fields.
 * xGETRF, xGETRS. */
TENON_API int32_t tenon_inverse(const tenon_array* a, TENON_NULLABLE const tenon_lu_options* options,
                                TENON_NULLABLE tenon_stream* stream, TENON_INOUT tenon_array** out_inverse);
/* The Moore-Penrose pseudo-inverse (..., n, m) of a: (..., m, n). SINGULAR: it overflows; INVALID_ARGUMENT: rcond is
 * NaN. Uses tenon_svd's routines. */
TENON_API int32_t tenon_pinv(const tenon_array* a, TENON_NULLABLE const tenon_rank_options* options,
                             TENON_NULLABLE tenon_stream* stream, TENON_INOUT tenon_array** out_inverse);
/* The number of singular values of a: (..., m, n) that do not count as 0: int64 (...). INVALID_ARGUMENT: rcond is
 * NaN. */
TENON_API int32_t tenon_matrix_rank(const tenon_array* a, TENON_NULLABLE const tenon_rank_options* options,
                                    TENON_NULLABLE tenon_stream* stream, TENON_INOUT tenon_array** out_rank);

/* The determinants of a: (..., n, n), of shape (...): 0 for a singular matrix, infinite if the dtype cannot hold it
 * (use tenon_slogdet then). options: none of the fields. xGETRF. */
TENON_API int32_t tenon_det(const tenon_array* a, TENON_NULLABLE const tenon_lu_options* options,
                            TENON_NULLABLE tenon_stream* stream, TENON_INOUT tenon_array** out_det);
/* det = sign exp(log): sign has a's dtype and absolute value 1 or 0, log is real; both have shape (...). For a singular
 * matrix they are 0 and -infinity. options: none of the fields. */
TENON_API int32_t tenon_slogdet(const tenon_array* a, TENON_NULLABLE const tenon_lu_options* options,
                                TENON_NULLABLE tenon_stream* stream, TENON_INOUT tenon_array** out_sign,
                                TENON_INOUT tenon_array** out_log);

typedef struct tenon_ldl_options {
  uint32_t struct_size;
  TENON_YES_NO int32_t upper;     /* 1: the upper triangle of a is read, else the lower one */
  TENON_YES_NO int32_t hermitian; /* 1: a complex a is Hermitian; else it is symmetric */
  int32_t reserved;
} tenon_ldl_options;

/* a = P L D L^T P^T (upper: U instead of L; hermitian: ^H) for a symmetric or Hermitian a: (..., n, n) that need not be
 * definite, one triangle of which is read. D has blocks of 1 x 1 and 2 x 2 (Bunch-Kaufman pivoting). ld: (..., n, n)
 * and pivots: int64 (..., n) hold the factors in LAPACK's format: D and the multipliers in that triangle, the other
 * triangle is 0; pivots[i] > 0: rows and columns i + 1 and pivots[i] were exchanged; two equal negative pivots: a block
 * of 2 x 2. A singular a has such factors too. xSYTRF, xHETRF; cusolverDn<t>sytrf (Hermitian: UNSUPPORTED on CUDA). */
TENON_API int32_t tenon_ldl(const tenon_array* a, TENON_NULLABLE const tenon_ldl_options* options,
                            TENON_NULLABLE tenon_stream* stream, TENON_INOUT tenon_array** out_ld,
                            TENON_INOUT tenon_array** out_pivots);
/* x of a x = b with the factors of tenon_ldl and its options. SINGULAR as for tenon_solve. xSYTRS, xHETRS;
 * cusolverDnXsytrs. */
TENON_API int32_t tenon_ldl_solve(const tenon_array* ld, const tenon_array* pivots, const tenon_array* b,
                                  TENON_NULLABLE const tenon_ldl_options* options, TENON_NULLABLE tenon_stream* stream,
                                  TENON_INOUT tenon_array** out_x);

#ifdef __cplusplus
}
#endif
#endif
