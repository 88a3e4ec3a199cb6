/* tenon/blas.h: the routines of BLAS on arrays: vectors, products of a matrix with a vector, banded, triangular and
 * symmetric matrices, lists.
 *
 *   tenon_arg half = TENON_F64_ARG(0.5);
 *   tenon_array* y = NULL;
 *   tenon_gemv(&half, a, x, NULL, NULL, NULL, &y);      y = 0.5 a x, new; the same call again would write into y
 *
 * Rules for every function here:
 * - A vector is the last axis, a matrix the last two (rows, columns); leading axes are a batch. The batch axes of
 *   the operands broadcast to those of the result. Extents of 0 are allowed everywhere. Any strides: views and
 *   transposes are passed to BLAS as they are where it supports them; a matrix without a unit stride in its last two
 *   axes, or a vector whose stride is not positive, is packed once (a result both before and after the routine), and
 *   options->out_packed receives how many arrays of the call were packed.
 * - The result is provided or made (TENON_INOUT, abi.h). If the old result takes part (beta, ger, axpy, syrk), a
 *   provided array is read, and a new one starts as zeros. A provided array must share no memory with the operands,
 *   unless the function says that it may be exactly one of them.
 * - alpha and beta are scalars (TENON_ARG_SCALAR) of any dtype that can be computed with; NULL stands for alpha 1
 *   and beta 0. They are rounded to the precision in which the routine scales (float32 for 16-bit dtypes). With beta 0
 *   the result is not read (NaN there is overwritten), with alpha 0 the operands are not read.
 * - alpha and beta may also be arrays without axes on the device of the work (TENON_ARG_ARRAY), of a floating or
 *   complex dtype, apart from the result's memory. They are read there when the work runs: nothing is copied to the
 *   host, the call does not wait, and a graph reads them again at each launch. For floating and complex results only; a
 *   real result takes real scalars. On CUDA this is cuBLAS's device pointer mode.
 * - The calls do not wait for results, so that every call can be recorded (graph.h).
 * - Implemented by BLAS on the CPU, cuBLAS on CUDA (from CUDA 12 on, except for products) and kernels of Tenon; each
 *   comment names the routines.
 *
 * There are no functions for BLAS's packed triangles (xSPMV, xSPR, xTPMV and so on): triangles are stored within a full
 * matrix, whose routines are faster on every device.
 *
 * Statuses: DTYPE, SHAPE, DEVICE, CONTEXT, READ_ONLY and OVERLAP of arrays that do not fit each other;
 * INVALID_ARGUMENT: an argument that is NULL, alpha or beta that is not a scalar or that the dtype cannot hold, beta
 * other than 0 without a provided result, an option that the function does not have; VERSION: a newer options struct;
 * INVALID_HANDLE; OUT_OF_MEMORY; MISSING_LIBRARY; UNSUPPORTED: a size beyond a library's 32-bit integers, or a routine
 * that it lacks. After a failure the result is unchanged.
 *
 * In a context with TENON_CONTEXT_CHECK_FINITE, NaN or infinity in an operand is NOT_FINITE.
 */
#ifndef TENON_BLAS_H
#define TENON_BLAS_H

#include <tenon/linalg.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Each function lists the fields that it uses; the others must be 0. NULL means all zeros. */
typedef struct tenon_blas_options {
  uint32_t struct_size;
  TENON_ENUM(OP) int32_t op;            /* TENON_OP_*: op(a) takes part instead of a */
  TENON_YES_NO int32_t upper;         /* 1: the upper triangle, else the lower one; the other one is neither read nor
                                         written */
  TENON_YES_NO int32_t right;         /* 1: a is on the right of b, else on its left */
  TENON_YES_NO int32_t hermitian;     /* 1: a complex matrix is Hermitian (imaginary parts on the diagonal count as 0);
                                         else it is symmetric */
  TENON_YES_NO int32_t unit_diagonal; /* 1: a's diagonal is 1 and not read */
  TENON_YES_NO int32_t conjugate;     /* 1: one operand is conjugated; the function says which */
  TENON_ENUM(OP) int32_t op_b;          /* TENON_OP_*: op_b(b) takes part instead of b */
  int64_t below;                      /* number of diagonals of a banded matrix below the main one */
  TENON_NULLABLE TENON_LENGTH(1) int32_t* out_packed;   /* receives how many arrays had to be packed; may be NULL. Every
                                                           function uses it */
} tenon_blas_options;

/* dot = the sum of x y along the last axis; with conjugate, of conj(x) y. x, y: (..., n), batches broadcast; dot:
 * (...). options: conjugate. dtypes: as for tenon_gemm except float8; int8 gives int32. xDOTU, xDOTC by gemm's
 * routines. */
TENON_API int32_t tenon_dot(const tenon_array* x, const tenon_array* y,
                            TENON_NULLABLE const tenon_blas_options* options, TENON_NULLABLE tenon_stream* stream,
                            TENON_INOUT tenon_array** out_dot);

/* norm = the Euclidean norm along the last axis: x: (..., n), norm: (...), real, of x's precision; the dtypes of
 * tenon_axpy. Squares are summed in f64 and neither overflow nor underflow: the result is infinite only if the norm
 * does not fit its dtype or x contains infinity. NaN gives NaN. options: none of the fields. xNRM2. */
TENON_API int32_t tenon_nrm2(const tenon_array* x, TENON_NULLABLE const tenon_blas_options* options,
                             TENON_NULLABLE tenon_stream* stream, TENON_INOUT tenon_array** out_norm);

/* sum = the sum of |Re x| + |Im x| along the last axis: x: (..., n), sum: (...), real, of x's precision; the dtypes of
 * tenon_axpy. Summed in f64. NaN gives NaN. options: none of the fields. xASUM, xCASUM. */
TENON_API int32_t tenon_asum(const tenon_array* x, TENON_NULLABLE const tenon_blas_options* options,
                             TENON_NULLABLE tenon_stream* stream, TENON_INOUT tenon_array** out_sum);

/* index = the first index along the last axis at which |Re x| + |Im x| is largest, counted from 0 (BLAS counts from 1).
 * x: (..., n), index: (...), int64; the dtypes of tenon_axpy. A NaN takes precedence over every number; -1 if n is 0.
 * options: none of the fields. IxAMAX. */
TENON_API int32_t tenon_iamax(const tenon_array* x, TENON_NULLABLE const tenon_blas_options* options,
                              TENON_NULLABLE tenon_stream* stream, TENON_INOUT tenon_array** out_index);

/* index = the first index at which |Re x| + |Im x| is smallest, otherwise as tenon_iamax; a NaN takes precedence over
 * every number here too. IxAMIN, which cuBLAS and some BLAS libraries have. */
TENON_API int32_t tenon_iamin(const tenon_array* x, TENON_NULLABLE const tenon_blas_options* options,
                              TENON_NULLABLE tenon_stream* stream, TENON_INOUT tenon_array** out_index);

/* y = alpha x + y, of any shape and any strides, x broadcast to y; a new y has x's shape. f16, bf16 (computed in f32
 * and rounded once), f32, f64, c64, c128. Nothing is packed. options: none of the fields. xAXPY; cublasAxpyEx. */
TENON_API int32_t tenon_axpy(TENON_NULLABLE const tenon_arg* alpha, const tenon_array* x,
                             TENON_NULLABLE const tenon_blas_options* options, TENON_NULLABLE tenon_stream* stream,
                             TENON_INOUT tenon_array** out_y);

/* y = alpha x, of any shape and strides; the dtypes of tenon_axpy. y may be exactly x, which is BLAS's own form.
 * With alpha 0 y becomes 0, also where x has NaN. options: none of the fields. xSCAL; cublasScalEx. */
TENON_API int32_t tenon_scal(TENON_NULLABLE const tenon_arg* alpha, const tenon_array* x,
                             TENON_NULLABLE const tenon_blas_options* options, TENON_NULLABLE tenon_stream* stream,
                             TENON_INOUT tenon_array** out_y);

/* x' = y and y' = x, of one shape and any strides; the dtypes of tenon_axpy. out_x may be exactly x and out_y exactly
 * y: the two then exchange their elements, which is BLAS's own form. tenon_array_copy is xCOPY. options: none of the
 * fields. xSWAP. */
TENON_API int32_t tenon_swap(const tenon_array* x, const tenon_array* y,
                             TENON_NULLABLE const tenon_blas_options* options, TENON_NULLABLE tenon_stream* stream,
                             TENON_INOUT tenon_array** out_x, TENON_INOUT tenon_array** out_y);

/* x' = c x + s y and y' = c y - conj(s) x, of one shape and any strides; c is real; the dtypes of tenon_axpy. out_x may
 * be exactly x and out_y exactly y, which is BLAS's own form. options: none of the fields. xROT. */
TENON_API int32_t tenon_rot(const tenon_arg* c, const tenon_arg* s, const tenon_array* x, const tenon_array* y,
                            TENON_NULLABLE const tenon_blas_options* options, TENON_NULLABLE tenon_stream* stream,
                            TENON_INOUT tenon_array** out_x, TENON_INOUT tenon_array** out_y);

/* The Givens rotations that make b zero: c a + s b = r and c b - conj(s) a = 0 with c^2 + |s|^2 = 1, one for each
 * element of a and b, which have the same shape (for a single rotation: no axes). c is real, s and r have a's dtype:
 * f32, f64, c64, c128. Intermediate results do not overflow or underflow unless r itself does. b = 0 gives c = 1, s =
 * 0, r = a; a = 0 gives c = 0. For real numbers r has the sign of the one of a and b that is larger in absolute value,
 * as in the reference BLAS; BLAS's z is not computed. out_r may be exactly a, out_s exactly b. Any of the outputs may
 * be NULL. options: none of the fields. xROTG: Anderson, "Algorithm 978: Safe Scaling in the Level 1 BLAS", ACM TOMS 44
 * (2017). */
TENON_API int32_t tenon_rotg(const tenon_array* a, const tenon_array* b,
                             TENON_NULLABLE const tenon_blas_options* options, TENON_NULLABLE tenon_stream* stream,
                             TENON_NULLABLE TENON_INOUT tenon_array** out_c,
                             TENON_NULLABLE TENON_INOUT tenon_array** out_s,
                             TENON_NULLABLE TENON_INOUT tenon_array** out_r);

/* x' = h11 x + h12 y and y' = h21 x + h22 y along the last axis. x, y: (..., n), of one shape and any strides; h:
 * (..., 5), BLAS's param: a flag, h11, h21, h12, h22, with one matrix for all vectors or a batch that broadcasts to
 * theirs. Flag -1: all four are used; 0: h11 and h22 are taken as 1; 1: h12 is taken as 1 and h21 as -1; -2: nothing
 * changes. f32, f64. h is read on the device when the work runs, and shares no memory with the outputs. out_x may be
 * exactly x and out_y exactly y, which is BLAS's own form. options: none of the fields. xROTM. */
TENON_API int32_t tenon_rotm(const tenon_array* x, const tenon_array* y, const tenon_array* h,
                             TENON_NULLABLE const tenon_blas_options* options, TENON_NULLABLE tenon_stream* stream,
                             TENON_INOUT tenon_array** out_x, TENON_INOUT tenon_array** out_y);

/* The modified Givens rotations h that turn (x1, y1) into (x1', 0), where a vector (x1, y1) represents (sqrt(d1) x1,
 * sqrt(d2) y1): one for each element of d1, d2, x1 and y1, which have the same shape (for a single rotation: no axes).
 * d1 and d2 become the factors for the rotated vectors, each between 2^-24 and 2^24 in size unless it is 0. h: (...,
 * 5), as tenon_rotm takes it; h11 to h22 are set for every flag. If d1 is negative, h, d1, d2 and x1 become 0, with
 * flag -1. f32, f64. out_d1 may be exactly d1, out_d2 exactly d2, out_x1 exactly x1. Any of the outputs may be NULL.
 * options: none of the fields. xROTMG: Lawson, Hanson, Kincaid, Krogh, "Basic Linear Algebra Subprograms for Fortran
 * Usage", ACM TOMS 5 (1979). */
TENON_API int32_t tenon_rotmg(const tenon_array* d1, const tenon_array* d2, const tenon_array* x1,
                              const tenon_array* y1, TENON_NULLABLE const tenon_blas_options* options,
                              TENON_NULLABLE tenon_stream* stream, TENON_NULLABLE TENON_INOUT tenon_array** out_d1,
                              TENON_NULLABLE TENON_INOUT tenon_array** out_d2,
                              TENON_NULLABLE TENON_INOUT tenon_array** out_x1,
                              TENON_NULLABLE TENON_INOUT tenon_array** out_h);

/* y = alpha op(a) x + beta y. a: (..., m, n), op(a): (..., m, n) or (..., n, m); the length of x is the number of
 * columns of op(a), that of y its number of rows. options: op. dtypes: as for tenon_gemm. xGEMV; cublasXgemv,
 * cublasXgemvStridedBatched, gemm's routines. */
TENON_API int32_t tenon_gemv(TENON_NULLABLE const tenon_arg* alpha, const tenon_array* a, const tenon_array* x,
                             TENON_NULLABLE const tenon_arg* beta, TENON_NULLABLE const tenon_blas_options* options,
                             TENON_NULLABLE tenon_stream* stream, TENON_INOUT tenon_array** out_y);

/* a = a + alpha x y^T; conjugate: a + alpha x y^H. x: (..., m), y: (..., n), a: (..., m, n). options: conjugate (for
 * y). dtypes: as for tenon_gemm. xGER, xGERU, xGERC; on CUDA gemm's routines. */
TENON_API int32_t tenon_ger(TENON_NULLABLE const tenon_arg* alpha, const tenon_array* x, const tenon_array* y,
                            TENON_NULLABLE const tenon_blas_options* options, TENON_NULLABLE tenon_stream* stream,
                            TENON_INOUT tenon_array** out_a);

/* y = alpha a x + beta y with a symmetric or Hermitian a: (..., n, n), one triangle of which is read. x, y: (..., n);
 * f32, f64, c64, c128. options: upper, hermitian. xSYMV, xHEMV, as a product with one column: cublasXsymm, Xhemm. */
TENON_API int32_t tenon_symv(TENON_NULLABLE const tenon_arg* alpha, const tenon_array* a, const tenon_array* x,
                             TENON_NULLABLE const tenon_arg* beta, TENON_NULLABLE const tenon_blas_options* options,
                             TENON_NULLABLE tenon_stream* stream, TENON_INOUT tenon_array** out_y);

/* One triangle of a = a + alpha x x^T; hermitian: a + alpha x x^H with a real alpha. x: (..., n), a: (..., n, n);
 * f32, f64, c64, c128. options: upper, hermitian. xSYR, xHER, as an update of rank 1: cublasXsyrk, Xherk. */
TENON_API int32_t tenon_syr(TENON_NULLABLE const tenon_arg* alpha, const tenon_array* x,
                            TENON_NULLABLE const tenon_blas_options* options, TENON_NULLABLE tenon_stream* stream,
                            TENON_INOUT tenon_array** out_a);

/* One triangle of a = a + alpha x y^T + alpha y x^T; hermitian: a + alpha x y^H + conj(alpha) y x^H. x, y: (..., n), a:
 * (..., n, n); f32, f64, c64, c128. options: upper, hermitian. xSYR2, xHER2, as an update of rank 2: cublasXsyr2k,
 * Xher2k. */
TENON_API int32_t tenon_syr2(TENON_NULLABLE const tenon_arg* alpha, const tenon_array* x, const tenon_array* y,
                             TENON_NULLABLE const tenon_blas_options* options, TENON_NULLABLE tenon_stream* stream,
                             TENON_INOUT tenon_array** out_a);

/* y = alpha op(a) x + beta y, where a is an m x n banded matrix with options->below diagonals below the main one and
 * `above` above it. The diagonals are the rows of the array a: (..., below + 1 + above, n), which holds element (i, j)
 * of the matrix at [above + i - j, j], as in LAPACK and in SciPy's solve_banded; elements of the array outside of the
 * matrix are not read. x: (..., n) and y: (..., m), with op (..., m) and (..., n); a new y without op has x's length
 * (the matrix is square). f32, f64, c64, c128. An array whose columns are not dense is packed: pass one in column-major
 * order to avoid this. options: op, below. xGBMV. */
TENON_API int32_t tenon_gbmv(TENON_NULLABLE const tenon_arg* alpha, const tenon_array* a, const tenon_array* x,
                             TENON_NULLABLE const tenon_arg* beta, TENON_NULLABLE const tenon_blas_options* options,
                             TENON_NULLABLE tenon_stream* stream, TENON_INOUT tenon_array** out_y);

/* y = alpha a x + beta y with a symmetric or Hermitian n x n matrix whose nonzero elements lie on the main diagonal and
 * on k diagonals on each side of it. The array a: (..., k + 1, n) holds the main diagonal and those of one triangle:
 * element (i, j) at [i - j, j], upper: at [k + i - j, j]. x, y: (..., n); f32, f64, c64, c128; complex matrices must be
 * Hermitian, with `hermitian` 1. Otherwise as tenon_gbmv. options: upper, hermitian. xSBMV, xHBMV. */
TENON_API int32_t tenon_sbmv(TENON_NULLABLE const tenon_arg* alpha, const tenon_array* a, const tenon_array* x,
                             TENON_NULLABLE const tenon_arg* beta, TENON_NULLABLE const tenon_blas_options* options,
                             TENON_NULLABLE tenon_stream* stream, TENON_INOUT tenon_array** out_y);

/* y = op(a) x with a triangular n x n matrix whose nonzero elements lie on the main diagonal and on k diagonals on one
 * side of it. The array a: (..., k + 1, n) holds them as tenon_sbmv's does: element (i, j) at [i - j, j], upper: at [k
 * + i - j, j]; elements of the array outside of the matrix are not read. x, y: (..., n); y may be exactly x, which is
 * BLAS's own form. f32, f64, c64, c128. An array whose columns are not dense is packed, as in tenon_gbmv. options: op,
 * upper, unit_diagonal. xTBMV. */
TENON_API int32_t tenon_tbmv(const tenon_array* a, const tenon_array* x,
                             TENON_NULLABLE const tenon_blas_options* options, TENON_NULLABLE tenon_stream* stream,
                             TENON_INOUT tenon_array** out_y);

/* x = op(a)^-1 b with a triangular matrix stored as for tenon_tbmv; x may be exactly b. As in tenon_trsm, a zero on the
 * diagonal puts infinity and NaN into x, with TENON_OK. options: op, upper, unit_diagonal. xTBSV. */
TENON_API int32_t tenon_tbsv(const tenon_array* a, const tenon_array* b,
                             TENON_NULLABLE const tenon_blas_options* options, TENON_NULLABLE tenon_stream* stream,
                             TENON_INOUT tenon_array** out_x);

/* y = op(a) x with one triangle of a: (..., n, n). x, y: (..., n); y may be exactly x, which is BLAS's own form;
 * f32, f64, c64, c128. options: op, upper, unit_diagonal. xTRMV, as a product with one column: cublasXtrmm. */
TENON_API int32_t tenon_trmv(const tenon_array* a, const tenon_array* x,
                             TENON_NULLABLE const tenon_blas_options* options, TENON_NULLABLE tenon_stream* stream,
                             TENON_INOUT tenon_array** out_y);

/* x = op(a)^-1 b with one triangle of a, as in tenon_trmv; x may be exactly b. It is not checked whether a is singular,
 * as in tenon_trsm. xTRSV, as a solution of one column: cublasXtrsm. */
TENON_API int32_t tenon_trsv(const tenon_array* a, const tenon_array* b,
                             TENON_NULLABLE const tenon_blas_options* options, TENON_NULLABLE tenon_stream* stream,
                             TENON_INOUT tenon_array** out_x);

/* One triangle of c = alpha a a^T + beta c, or with op TRANSPOSE of alpha a^T a + beta c, with half of gemm's work.
 * hermitian: alpha a a^H, or with op ADJOINT alpha a^H a, and alpha and beta are real. a: (..., n, k), with op (..., k,
 * n); c: (..., n, n); f32, f64, c64, c128. options: op (for complex numbers as described here), upper, hermitian.
 * xSYRK, xHERK; cublasXsyrk, Xherk. */
TENON_API int32_t tenon_syrk(TENON_NULLABLE const tenon_arg* alpha, const tenon_array* a,
                             TENON_NULLABLE const tenon_arg* beta, TENON_NULLABLE const tenon_blas_options* options,
                             TENON_NULLABLE tenon_stream* stream, TENON_INOUT tenon_array** out_c);

/* One triangle of c = alpha a b^T + alpha b a^T + beta c, or with op TRANSPOSE of alpha a^T b + alpha b^T a + beta c.
 * hermitian: alpha a b^H + conj(alpha) b a^H, or with op ADJOINT alpha a^H b + conj(alpha) b^H a, and beta is real. a,
 * b: (..., n, k), with op (..., k, n); c: (..., n, n); f32, f64, c64, c128. options: op (for complex numbers as in
 * tenon_syrk), upper, hermitian. xSYR2K, xHER2K; cublasXsyr2k, Xher2k. */
TENON_API int32_t tenon_syr2k(TENON_NULLABLE const tenon_arg* alpha, const tenon_array* a, const tenon_array* b,
                              TENON_NULLABLE const tenon_arg* beta, TENON_NULLABLE const tenon_blas_options* options,
                              TENON_NULLABLE tenon_stream* stream, TENON_INOUT tenon_array** out_c);

/* c = alpha op(a) + beta op_b(b); without b: c = alpha op(a), a transposition that scales. op(a), op_b(b), c: (..., m,
 * n); f32, f64, c64, c128. c may be the same array as an operand that is not transposed (its op is TENON_OP_NONE). If
 * alpha is 0, a is not read; if beta is 0, b is not read. beta NULL means 0. INVALID_ARGUMENT: there is no b, and beta
 * is not 0. options: op, op_b. cublasXgeam. */
TENON_API int32_t tenon_geam(TENON_NULLABLE const tenon_arg* alpha, const tenon_array* a,
                             TENON_NULLABLE const tenon_arg* beta, TENON_NULLABLE const tenon_array* b,
                             TENON_NULLABLE const tenon_blas_options* options, TENON_NULLABLE tenon_stream* stream,
                             TENON_INOUT tenon_array** out_c);

/* c = alpha a b + beta c, right: alpha b a + beta c, with a symmetric or Hermitian a, one triangle of which is read. c,
 * b: (..., m, n); a: (..., m, m), right: (..., n, n); f32, f64, c64, c128. options: upper, right, hermitian. xSYMM,
 * xHEMM; cublasXsymm, Xhemm. */
TENON_API int32_t tenon_symm(TENON_NULLABLE const tenon_arg* alpha, const tenon_array* a, const tenon_array* b,
                             TENON_NULLABLE const tenon_arg* beta, TENON_NULLABLE const tenon_blas_options* options,
                             TENON_NULLABLE tenon_stream* stream, TENON_INOUT tenon_array** out_c);

/* c = alpha op(a) b, right: alpha b op(a), with one triangle of a. b, c: (..., m, n); a: (..., m, m), right: (...,
 * n, n); f32, f64, c64, c128. c may be exactly b, which is BLAS's own form. options: op, upper, right,
 * unit_diagonal. xTRMM; cublasXtrmm. */
TENON_API int32_t tenon_trmm(TENON_NULLABLE const tenon_arg* alpha, const tenon_array* a, const tenon_array* b,
                             TENON_NULLABLE const tenon_blas_options* options, TENON_NULLABLE tenon_stream* stream,
                             TENON_INOUT tenon_array** out_c);

/* x = alpha op(a)^-1 b, right: alpha b op(a)^-1, as in tenon_trmm; x may be exactly b. As in BLAS, it is not checked
 * whether a is singular: a zero on its diagonal puts infinity and NaN into x, with TENON_OK. tenon_solve checks this,
 * and waits for the result. xTRSM; cublasXtrsm, XtrsmBatched. */
TENON_API int32_t tenon_trsm(TENON_NULLABLE const tenon_arg* alpha, const tenon_array* a, const tenon_array* b,
                             TENON_NULLABLE const tenon_blas_options* options, TENON_NULLABLE tenon_stream* stream,
                             TENON_INOUT tenon_array** out_x);

/* tenon_gemm for each entry of a list: c[i] = alpha a[i] b[i] + beta c[i], each array with its own memory. All entries
 * are checked before any is written; the text of an error names the entry. Entries may differ in everything; those with
 * equal dtypes, extents and strides are computed by one call of the library, and on CUDA the others with them where
 * cuBLAS supports it. No c[i] may share memory with another array of the lists; for an entry of out_c that is NULL a
 * new array is made (small ones share buffers of up to 1 MiB, which live as long as one of their arrays). options: as
 * for tenon_gemm, for all entries; out_packed is the total. cublasGemmBatchedEx, cublasGemmGroupedBatchedEx (from CUDA
 * 12.5 on); on the CPU small products are distributed over the threads. Statuses:
 * those of tenon_gemm; INVALID_ARGUMENT: a negative count, or a list that is NULL with a count above 0. */
TENON_API int32_t tenon_gemm_grouped(int64_t count, TENON_NULLABLE const tenon_arg* alpha,
                                     TENON_LENGTH(count) const tenon_array* const* a,
                                     TENON_LENGTH(count) const tenon_array* const* b,
                                     TENON_NULLABLE const tenon_arg* beta,
                                     TENON_NULLABLE const tenon_gemm_options* options,
                                     TENON_NULLABLE tenon_stream* stream,
                                     TENON_INOUT TENON_LENGTH(count) tenon_array** out_c);

#ifdef __cplusplus
}
#endif
#endif
