/* tenon/blas.h: BLAS's own routines on arrays: results in place, one triangle of a matrix, lists of products.
 *
 * What holds for every function here. A vector is the last axis, a matrix the last two (rows, columns); leading axes are a batch,
 * and those of operands broadcast to those of the result, which is the argument without const. alpha, beta: real and imaginary
 * part; NULL: 1 and 0. With beta 0 the result is not read (NaN there is overwritten), with alpha 0 the operands are not. Sizes of 0
 * are possible everywhere. Views and transposes are used as they are where BLAS can; what has no unit stride in its last two axes
 * (vectors: whose stride is not positive) is packed once, a result on the way in and back, and options->out_packed tells how many
 * arrays of the call were. Nothing waits for a result, so that all of it can be recorded (graph.h). The result may not share memory
 * with an operand. On the CPU BLAS, on CUDA cuBLAS (from CUDA 12 on, but for products) and kernels of Tenon's; each comment names
 * the routines. Statuses: DTYPE, SHAPE, DEVICE, READ_ONLY, OVERLAP; INVALID_ARGUMENT: alpha or beta that the dtype cannot hold, an
 * option that the function does not have; MISSING_LIBRARY, UNSUPPORTED (a size beyond a library's 32-bit integers, or a routine that
 * it lacks). After a failure the result is unchanged.
 */
#ifndef TENON_BLAS_H
#define TENON_BLAS_H

#include <tenon/linalg.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Each function names the fields that it has; the others must be 0. */
typedef struct tenon_blas_options {
  uint32_t struct_size;
  TENON_ENUM(OP) int32_t op;            /* TENON_OP_*: op(a) takes part instead of a */
  TENON_YES_NO int32_t upper;         /* 1: the upper triangle, else the lower one; the other one is neither read nor written */
  TENON_YES_NO int32_t right;         /* 1: a stands on the right of b, else on its left */
  TENON_YES_NO int32_t hermitian;     /* 1: of complex numbers, the matrix is Hermitian (what its diagonal has of imaginary parts counts as 0); else it is symmetric */
  TENON_YES_NO int32_t unit_diagonal; /* 1: a's diagonal is 1 and not read */
  TENON_NULLABLE TENON_LENGTH(1) int32_t* out_packed; /* receives how many arrays had to be packed; may be NULL. Every function has it */
} tenon_blas_options;

/* y = alpha op(a) x + beta y. a: (..., m, n), op(a): (..., m, n) or (..., n, m); x: as long as op(a) has columns; y: as it has
 * rows. options: op. dtypes: as tenon_gemm. xGEMV; cublasXgemv, cublasXgemvStridedBatched, gemm's routines. */
TENON_API int32_t tenon_gemv(TENON_NULLABLE TENON_LENGTH(2) const double* alpha, const tenon_array* a, const tenon_array* x,
                             TENON_NULLABLE TENON_LENGTH(2) const double* beta, tenon_array* y,
                             TENON_NULLABLE const tenon_blas_options* options, TENON_NULLABLE tenon_stream* stream);

/* a = a + alpha x y^T, with conjugate 1 a + alpha x y^H. x: (..., m), y: (..., n), a: (..., m, n). dtypes: as tenon_gemm. xGER,
 * xGERU, xGERC; on CUDA gemm's routines. */
TENON_API int32_t tenon_ger(TENON_NULLABLE TENON_LENGTH(2) const double* alpha, const tenon_array* x, const tenon_array* y,
                            int32_t conjugate, tenon_array* a, TENON_NULLABLE tenon_stream* stream);

/* y = alpha x + y, of any shape and any strides, x broadcast to y: f16, bf16 (added up in f32 and rounded once), f32, f64, c64,
 * c128. Nothing is packed. xAXPY; cublasAxpyEx. */
TENON_API int32_t tenon_axpy(TENON_NULLABLE TENON_LENGTH(2) const double* alpha, const tenon_array* x, tenon_array* y,
                             TENON_NULLABLE tenon_stream* stream);

/* x = alpha x, as tenon_axpy. With alpha 0 x becomes 0, NaN too. xSCAL; cublasScalEx. */
TENON_API int32_t tenon_scal(TENON_NULLABLE TENON_LENGTH(2) const double* alpha, tenon_array* x, TENON_NULLABLE tenon_stream* stream);

/* The Euclidean norm along the last axis: x: (..., n), out: (...), new, real, of x's precision; the dtypes of tenon_axpy. Squares are
 * added up in f64, and neither overflow nor vanish on the way: the result is infinite only where the norm does not fit its dtype or x
 * has infinity in it. NaN gives NaN. OUT_OF_MEMORY beside the statuses above. xNRM2. */
TENON_API int32_t tenon_nrm2(const tenon_array* x, TENON_NULLABLE tenon_stream* stream, TENON_OUT TENON_OWNED tenon_array** out_norm);

/* A triangle of c = alpha a a^T + beta c, or with op TRANSPOSE of alpha a^T a + beta c, at half of gemm's work; hermitian: alpha a a^H,
 * or with op ADJOINT alpha a^H a, and alpha and beta are real. a: (..., n, k), with op (..., k, n); c: (..., n, n); f32, f64, c64,
 * c128. options: op (of complex numbers as said here), upper, hermitian. xSYRK, xHERK; cublasXsyrk, Xherk. */
TENON_API int32_t tenon_syrk(TENON_NULLABLE TENON_LENGTH(2) const double* alpha, const tenon_array* a,
                             TENON_NULLABLE TENON_LENGTH(2) const double* beta, tenon_array* c,
                             TENON_NULLABLE const tenon_blas_options* options, TENON_NULLABLE tenon_stream* stream);

/* c = alpha a b + beta c, right: alpha b a + beta c, with a symmetric or Hermitian a of which one triangle is read. c, b: (..., m, n);
 * a: (..., m, m), right: (..., n, n); f32, f64, c64, c128. options: upper, right, hermitian. xSYMM, xHEMM; cublasXsymm, Xhemm. */
TENON_API int32_t tenon_symm(TENON_NULLABLE TENON_LENGTH(2) const double* alpha, const tenon_array* a, const tenon_array* b,
                             TENON_NULLABLE TENON_LENGTH(2) const double* beta, tenon_array* c,
                             TENON_NULLABLE const tenon_blas_options* options, TENON_NULLABLE tenon_stream* stream);

/* b = alpha op(a) b, right: alpha b op(a), with a triangle of a. b: (..., m, n); a: (..., m, m), right: (..., n, n); f32, f64, c64,
 * c128. options: op, upper, right, unit_diagonal. xTRMM; cublasXtrmm. tenon_triangular_multiply leaves b as it is. */
TENON_API int32_t tenon_trmm(TENON_NULLABLE TENON_LENGTH(2) const double* alpha, const tenon_array* a, tenon_array* b,
                             TENON_NULLABLE const tenon_blas_options* options, TENON_NULLABLE tenon_stream* stream);

/* b = alpha op(a)^-1 b, right: alpha b op(a)^-1, as tenon_trmm. As in BLAS nobody looks whether a is singular: a zero on its
 * diagonal puts infinity and NaN into b, with TENON_OK. tenon_solve looks, and waits for it. xTRSM; cublasXtrsm, XtrsmBatched. */
TENON_API int32_t tenon_trsm(TENON_NULLABLE TENON_LENGTH(2) const double* alpha, const tenon_array* a, tenon_array* b,
                             TENON_NULLABLE const tenon_blas_options* options, TENON_NULLABLE tenon_stream* stream);

/* tenon_gemm for each of a list: c[i] = alpha a[i] b[i] + beta c[i], each array with memory of its own, in any order there. All are
 * checked before any is written; the text of an error names the entry. Entries may differ in everything; those of equal dtypes,
 * extents and strides go down together, and on CUDA the others with them where cuBLAS can. No c[i] may share memory with another
 * array of the lists. options: as tenon_gemm, for all; out_packed counts all entries. cublasGemmBatchedEx, cublasGemmGroupedBatchedEx
 * (from CUDA 12.5 on); on the CPU small products are shared out over the threads. Statuses: those of tenon_gemm. */
TENON_API int32_t tenon_gemm_grouped(int64_t count, TENON_NULLABLE TENON_LENGTH(2) const double* alpha,
                                     TENON_LENGTH(count) const tenon_array* const* a, TENON_LENGTH(count) const tenon_array* const* b,
                                     TENON_NULLABLE TENON_LENGTH(2) const double* beta, TENON_LENGTH(count) tenon_array* const* c,
                                     TENON_NULLABLE const tenon_gemm_options* options, TENON_NULLABLE tenon_stream* stream);

#ifdef __cplusplus
}
#endif
#endif
