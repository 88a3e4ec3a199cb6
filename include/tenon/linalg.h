/* tenon/linalg.h: matrix products and factorisations.
 *
 * The last two axes are the matrix (rows, columns); leading axes are a batch. Views and transposes are used as they are
 * where BLAS can; an operand with no unit stride in its last two axes is packed once.
 */
#ifndef TENON_LINALG_H
#define TENON_LINALG_H

#include <tenon/array.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TENON_COMPUTE_STRICT 0 /* full precision of the dtype; f16 and bf16 accumulate in f32 */
#define TENON_COMPUTE_TF32 1   /* float32 on CUDA may use TF32 products (10-bit mantissa); elsewhere as STRICT */

typedef struct tenon_gemm_options {
  uint32_t struct_size;
  int32_t compute;          /* TENON_COMPUTE_* */
  int32_t* out_packed;      /* receives how many operands had to be packed (0 to 2); may be NULL */
} tenon_gemm_options;

/* c = alpha a b + beta c. a: (..., m, k), b: (..., k, n), c: (..., m, n); the batch axes of a and b broadcast to those of c.
 * dtypes: all one of f16, bf16, f32, f64, c64, c128. alpha, beta: real and imaginary part; NULL: 1 and 0. With beta 0 c is
 * not read (NaN there is overwritten); with k 0 c = beta c. c must not overlap a or b. BLAS: xGEMM, cublasGemmStridedBatchedEx.
 * Statuses: DTYPE, SHAPE, DEVICE, READ_ONLY, OVERLAP, MISSING_LIBRARY. */
TENON_API int32_t tenon_gemm(TENON_NULLABLE TENON_LENGTH(2) const double* alpha, const tenon_array* a, const tenon_array* b,
                             TENON_NULLABLE TENON_LENGTH(2) const double* beta, tenon_array* c,
                             TENON_NULLABLE const tenon_gemm_options* options, TENON_NULLABLE tenon_stream* stream);

#define TENON_SVD_FULL 0    /* u (..., m, m), vh (..., n, n) */
#define TENON_SVD_ECONOMY 1 /* u (..., m, k), vh (..., k, n) with k = min(m, n) */
#define TENON_SVD_VALUES 2  /* singular values only: out_u and out_vh are NULL */

typedef struct tenon_svd_options {
  uint32_t struct_size;
  int32_t mode; /* TENON_SVD_* */
} tenon_svd_options;

/* a = u diag(s) vh. a: (..., m, n) of f32, f64, c64, c128, not changed; s: (..., k) real, descending. u and vh have a's dtype.
 * LAPACK xGESDD on the CPU; cuSOLVER on CUDA. Statuses: NOT_FINITE (NaN or infinity in a), NOT_CONVERGED (native code: info),
 * DTYPE, SHAPE (rank under 2), MISSING_LIBRARY. Waits for the result, so that a failure is reported here. */
TENON_API int32_t tenon_svd(const tenon_array* a, TENON_NULLABLE const tenon_svd_options* options, TENON_NULLABLE tenon_stream* stream,
                            TENON_NULLABLE TENON_OUT TENON_OWNED tenon_array** out_u, TENON_OUT TENON_OWNED tenon_array** out_s,
                            TENON_NULLABLE TENON_OUT TENON_OWNED tenon_array** out_vh);

#ifdef __cplusplus
}
#endif
#endif
