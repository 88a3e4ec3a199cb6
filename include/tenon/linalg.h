/* tenon/linalg.h: matrix products and factorisations.
 *
 *   tenon_array *c = NULL, *u = NULL, *s = NULL, *vh = NULL;
 *   tenon_gemm(NULL, a, b, NULL, NULL, NULL, &c);              c = a b, a new array
 *   tenon_svd(c, NULL, NULL, &u, &s, &vh);                     c = u diag(s) vh
 *   tenon_gemm(NULL, b, a, NULL, NULL, stream, &c);            the same array again, on a stream
 *
 * The last two axes are the matrix (rows, columns); leading axes are a batch. Views and transposes are passed to BLAS
 * as they are where it supports them; an operand without a unit stride in its last two axes is packed once.
 *
 * In a context with TENON_CONTEXT_CHECK_FINITE, NaN or infinity in an operand is NOT_FINITE.
 */
#ifndef TENON_LINALG_H
#define TENON_LINALG_H

#include <tenon/array.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TENON_COMPUTE_STRICT 0 /* full precision of the dtype; f16 and bf16 accumulate in f32 */
#define TENON_COMPUTE_TF32 1   /* float32 on CUDA may use TF32 products (10-bit mantissa); elsewhere as STRICT */
#define TENON_COMPUTE_FAST 2   /* float32 on CUDA by tensor cores, with the accuracy of float32 (tenon_gemm) */
#define TENON_COMPUTE_BF16 3   /* float32 on CUDA may use bfloat16 products (7-bit mantissa); elsewhere as STRICT */

#define TENON_EPILOGUE_NONE 0
#define TENON_EPILOGUE_RELU 1 /* max(x, 0); NaN stays NaN */
#define TENON_EPILOGUE_GELU 2 /* x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2 */

#define TENON_OP_NONE 0
#define TENON_OP_TRANSPOSE 1
#define TENON_OP_ADJOINT 2 /* the conjugate transpose */

typedef struct tenon_gemm_options {
  uint32_t struct_size;
  TENON_ENUM(COMPUTE) int32_t compute;          /* TENON_COMPUTE_* */
  TENON_NULLABLE TENON_LENGTH(1) int32_t* out_packed; /* receives how many operands had to be packed (0 to 2); may be
                                                         NULL */
  TENON_ENUM(OP) int32_t op_a;             /* TENON_OP_*: the product of op_a(a) and op_b(b) is computed; unless it is
                                              NONE, exchange the last two axes in the shapes below */
  TENON_ENUM(OP) int32_t op_b;
  TENON_NULLABLE const tenon_array* bias; /* (n), of c's dtype, added to every row of the product; may be NULL */
  TENON_ENUM(EPILOGUE) int32_t epilogue;         /* TENON_EPILOGUE_*, applied to the sum */
  TENON_YES_NO int32_t tune;             /* 1: on CUDA, the first product of a kind measures cuBLASLt's algorithms; see
                                            tenon_gemm */
} tenon_gemm_options;

/* c = alpha op_a(a) op_b(b) + beta c. a: (..., m, k), b: (..., k, n), c: (..., m, n); the batch axes of a and b
 * broadcast to those of c. c is provided or made (TENON_INOUT); a new c is int32 for int8, f32 for float8, else of a's
 * dtype. c must share no memory with a or b. xGEMM, cublasGemmStridedBatchedEx, cublasLtMatmul.
 *
 * dtypes, one of:
 * - all f16, bf16, f32, f64, c64 or c128; or a and b f16 or bf16 with c f32.
 * - a and b int8 with c int32, the sum modulo 2^32; alpha and beta are integers below 2^31 in absolute value.
 * - all of one integer dtype, the sum modulo 2^bits; alpha and beta are integers up to 2^53 in absolute value. Or all
 *   bool: "or" is the sum, "and" the product, and alpha and beta are 0 or 1. Kernels of Tenon compute both, with no
 *   bias or epilogue.
 * - a and b float8 (e4m3fn or e5m2, not both e5m2) with c f16, bf16 or f32.
 * alpha, beta: scalars of any dtype that can be computed with, rounded to the precision in which c is scaled (f32 for
 * 16 bits and fewer); NULL: 1 and 0. For floating and complex c, except with float8, they may also be arrays without
 * axes on the device, which are read when the work runs (blas.h). With beta 0 c is not read (NaN there is overwritten);
 * with k 0 c = beta c.
 *
 * TENON_COMPUTE_FAST computes large products of f32, on chips whose tensor cores suit it (8.0, 9.0, 10.0), from parts:
 * a = A + a', where A has TF32's 11 bits, likewise for b, and a b = A B + A b' + a' B. A B is computed in TF32, summed
 * over 256 or 512 terms at a time because tensor cores truncate as they add; the other products in bfloat16. The error,
 * relative to the sum of the terms' magnitudes, is below 4e-6 for terms of one sign and 2e-7 for random signs. cuBLAS's
 * own f32 product of two plain square matrices has the same error, and a smaller one for shapes for which it splits
 * the sums. Numbers below 2^-110 lose digits. Memory: 8 additional bytes per element of a and b. After Markidis et al.
 * 2018, Ootomo and Yokota 2022.
 *
 * float8: pass the product of the operands' scales as alpha. On CUDA (compute capability 8.9 and later) it uses
 * cuBLASLt, whose tensor cores accumulate with fewer bits than f32 has (32 products are aligned to the largest of them:
 * an error of up to 2^-8 of the sum of their magnitudes). cuBLASLt needs k along the unit stride of both operands (b a
 * transpose, b.mT of an (n, k) array), extents that are multiples of 16, and aligned memory; other operands are copied.
 * On the CPU the operands are converted to f32, which is exact, and c is rounded once.
 *
 * With a bias or an epilogue (f16, bf16, f32 and f64) c = epilogue(alpha a b + beta c + bias). On CUDA cuBLASLt applies
 * it within the product, rounding to c once, for f16, bf16, f32 and float8 if c's rows are dense: GELU for c f16 and
 * bf16, to their accuracy; ReLU if the first use of an algorithm has shown that NaN stays NaN, for which that call
 * waits for the device. Otherwise, and on the CPU, c is written and then changed in a second pass.
 *
 * tune 1 (f16, bf16, f32, f64, c64, c128, float8): the first product on a device of one kind (dtypes, extents, strides,
 * alignment, epilogue) runs the algorithms that cuBLASLt and cuBLAS offer, on this product's a and b and a separate
 * result, waits for them, and keeps the fastest. Later products of this kind use it if they have tune, or an epilogue,
 * or float8. tenon_context_report counts the algorithms kept (matmul_plans, at most 256 per device). Another algorithm
 * may round differently. tune has no effect on the CPU, on products of int8 and those in parts, in a context with
 * TENON_CONTEXT_DETERMINISTIC, and if there is no memory for the separate result; while another library captures the
 * stream, only earlier measurements are used.
 *
 * Statuses: DTYPE, SHAPE, DEVICE, CONTEXT, READ_ONLY, OVERLAP, INVALID_ARGUMENT (an unknown option; alpha or beta that
 * is not a scalar or that the dtype cannot hold; beta other than 0 without a provided c), INVALID_HANDLE, VERSION,
 * OUT_OF_MEMORY, MISSING_LIBRARY, UNSUPPORTED (float8 on a device without it). After a failure c is unchanged. */
TENON_API int32_t tenon_gemm(TENON_NULLABLE const tenon_arg* alpha, const tenon_array* a, const tenon_array* b,
                             TENON_NULLABLE const tenon_arg* beta, TENON_NULLABLE const tenon_gemm_options* options,
                             TENON_NULLABLE tenon_stream* stream, TENON_INOUT tenon_array** out_c);

#define TENON_SVD_MODE_FULL 0    /* u (..., m, m), vh (..., n, n) */
#define TENON_SVD_MODE_ECONOMY 1 /* u (..., m, k), vh (..., k, n) with k = min(m, n) */
#define TENON_SVD_MODE_VALUES 2  /* singular values only: out_u and out_vh may be NULL, else *out_u and *out_vh are not
                                    changed */

#define TENON_SVD_DRIVER_AUTO 0       /* chosen by shape, dtype, device and k */
#define TENON_SVD_DRIVER_QR 1         /* the QR iteration: xGESVD; cusolverDnXgesvd */
#define TENON_SVD_DRIVER_DIVIDE 2     /* divide and conquer: xGESDD; the CPU only */
#define TENON_SVD_DRIVER_JACOBI 3     /* xGESVJ; on CUDA a kernel for matrices of up to 256 x 64 */
#define TENON_SVD_DRIVER_POLAR 4      /* the polar decomposition and a symmetric eigensolver, for large matrices on CUDA
                                         (cusolverDnXgesvdp) */
#define TENON_SVD_DRIVER_GRAM 5       /* the eigenvectors of a^H a (or a a^H), in double precision: for tall and wide
                                         matrices */
#define TENON_SVD_DRIVER_KRYLOV 6     /* the leading k triplets by a block Krylov space */
#define TENON_SVD_DRIVER_RANDOMIZED 7 /* the leading k triplets by random projection: for singular values that decay
                                         fast */

typedef struct tenon_svd_options {
  uint32_t struct_size;
  TENON_ENUM(SVD_MODE) int32_t mode;         /* TENON_SVD_MODE_* */
  TENON_ENUM(SVD_DRIVER) int32_t driver;
  int32_t reserved;
  int64_t k;            /* number of the largest values wanted, with their vectors; 0: all of them */
  double tolerance;     /* for the leading k, see tenon_svd; 0: 1e-6 for single precision, 1e-12 for double */
  TENON_NULLABLE TENON_ENUM(SVD_DRIVER) TENON_LENGTH(1) int32_t* out_driver; /* receives the driver that computed the
                                                                                result, never TENON_SVD_DRIVER_AUTO; may
                                                                                be NULL */
} tenon_svd_options;

/* a = u diag(s) vh. a: (..., m, n) of f32, f64, c64, c128, not changed; s: (..., k) real, descending. u and vh have
 * a's dtype. u, s and vh are provided or made (TENON_INOUT). With options->k: the k largest values, u (..., m, k), vh
 * (..., k, n), independent of the shapes of the mode. Waits for the result, so that it can report a failure itself.
 *
 * The result is accurate for every driver. The residual |a - u s vh| and the deviations from orthogonality |u^H u - 1|
 * and |vh vh^H - 1|, in the 1-norm, are below 30 max(m, n) epsilon (the residual times |a|), LAPACK's own bound. For
 * the leading triplets every residual |a^H u - s v| is at most sqrt(tolerance) / 2 times its s, so that the relative
 * error of a value is about the tolerance (if values differ by less than its root, relatively, one of them may replace
 * another), or max(m, n) epsilon times the largest s. Repeated values are found with their multiplicity. If a driver
 * misses the bound, or does not support the shape, mode or device, the driver that TENON_SVD_DRIVER_AUTO takes for the
 * whole decomposition is used instead; options->out_driver receives the one used (for a batch: that one, if any matrix
 * needed it).
 *
 * AUTO without k: LAPACK's xGESDD on the CPU; cuSOLVER and Tenon's kernels on CUDA, except for large matrices of single
 * precision, on devices with fast double precision, which use TENON_SVD_DRIVER_GRAM. With k well below m and n: the
 * Krylov space.
 *
 * Statuses: NOT_FINITE (NaN or infinity in a), NOT_CONVERGED (native code: info), OVERFLOW (a singular value does not
 * fit s's dtype), DTYPE, SHAPE (rank below 2), INVALID_ARGUMENT (k above m or n, an unknown driver or mode, a tolerance
 * outside of [0, 1)), MISSING_LIBRARY. UNSUPPORTED: while a graph is recorded. */
TENON_API int32_t tenon_svd(const tenon_array* a, TENON_NULLABLE const tenon_svd_options* options,
                            TENON_NULLABLE tenon_stream* stream, TENON_NULLABLE TENON_INOUT tenon_array** out_u,
                            TENON_INOUT tenon_array** out_s, TENON_NULLABLE TENON_INOUT tenon_array** out_vh);

/* Einstein's sum over `count` operands (at least one), as NumPy writes it: "ij,jk->ik", "ii->i", "ij,jk,kl->il". A
 * letter names an axis; an axis that is not in the result is summed over; a letter that occurs twice in one operand
 * takes the diagonal of these axes, which must have equal extents; "..." represents further axes. Across operands,
 * extent 1 broadcasts to any extent. Without "->" the result has the letters that appear once, in alphabetical order.
 * Two operands are computed as one batched matrix product on views of them; each is packed at most once
 * (options->out_packed). An axis of only one operand that is summed over is summed in that operand first (for f16 and
 * bf16 in float32). More operands are combined two at a time, in the order with the fewest operations for up to 7 of
 * them, else by the pair that grows least (as opt_einsum's "optimal" and "greedy"), each step with the dtype of the
 * result; the order depends on the extents alone. dtypes: as for tenon_gemm except float8; int8 gives int32. Sums of
 * other integers are modulo 2^bits. options: compute and out_packed; the others must be 0. The result is provided or
 * made.
 * Statuses: those of tenon_gemm (DTYPE, SHAPE, MISSING_LIBRARY among them), INVALID_ARGUMENT (malformed subscripts; the
 * number of terms differs from that of the operands). */
TENON_API int32_t tenon_einsum(const char* subscripts TENON_TEXT,
                               TENON_LENGTH(count) const tenon_array* const* operands, int32_t count,
                               TENON_NULLABLE const tenon_gemm_options* options, TENON_NULLABLE tenon_stream* stream,
                               TENON_INOUT tenon_array** out_sum);

/* The order in which tenon_einsum combines its operands, for element i below count - 1: step i takes the terms with the
 * numbers out_first[i] < out_second[i]. The operands are the terms 0 to count - 1, and the result of step i is term
 * count + i. The last element of both is -1. Reads the shapes only. Statuses: SHAPE, INVALID_ARGUMENT as for
 * tenon_einsum. Since level 1.1. */
TENON_API int32_t tenon_einsum_path(const char* subscripts TENON_TEXT,
                                    TENON_LENGTH(count) const tenon_array* const* operands, int32_t count,
                                    TENON_OUT TENON_LENGTH(count) int32_t* out_first,
                                    TENON_OUT TENON_LENGTH(count) int32_t* out_second);

/* The Kronecker product: out[..., i p + k, j q + l] = a[..., i, j] b[..., k, l] for b: (..., p, q); batches broadcast.
 * The result is provided or made. dtypes: those that tenon_gemm takes for a, b and c alike. options: as for
 * tenon_einsum. Statuses: those of tenon_gemm (DTYPE, SHAPE ...), OVERFLOW (more than 2^63 rows or columns). */
TENON_API int32_t tenon_kron(const tenon_array* a, const tenon_array* b,
                             TENON_NULLABLE const tenon_gemm_options* options, TENON_NULLABLE tenon_stream* stream,
                             TENON_INOUT tenon_array** out_product);

/* The sum of products over `count` pairs of axes: axis axes_a[i] of a is paired with axis axes_b[i] of b (negative:
 * from the end), which must have the same extent. Both NULL: the last `count` axes of a with the first of b, in their
 * order. count 0: the outer product. The result is provided or made: it has the other axes of a, then those of b, at
 * most TENON_MAX_RANK. dtypes and options: as for tenon_einsum. Statuses: those of tenon_gemm (DTYPE ...), SHAPE
 * (extents that differ, too many axes), INVALID_ARGUMENT (count; an axis out of range or listed twice; only one of the
 * lists is NULL). */
TENON_API int32_t tenon_tensordot(const tenon_array* a, const tenon_array* b,
                                  TENON_NULLABLE TENON_LENGTH(count) const int32_t* axes_a,
                                  TENON_NULLABLE TENON_LENGTH(count) const int32_t* axes_b, int32_t count,
                                  TENON_NULLABLE const tenon_gemm_options* options, TENON_NULLABLE tenon_stream* stream,
                                  TENON_INOUT tenon_array** out_sum);

#ifdef __cplusplus
}
#endif
#endif
