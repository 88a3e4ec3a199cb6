/* tenon/linalg.h: matrix products and factorisations.
 *
 *   tenon_array *c = NULL, *u = NULL, *s = NULL, *vh = NULL;
 *   tenon_gemm(NULL, a, b, NULL, NULL, NULL, &c);              c = a b, a new array
 *   tenon_svd(c, NULL, NULL, &u, &s, &vh);                     c = u diag(s) vh
 *   tenon_gemm(NULL, b, a, NULL, NULL, stream, &c);            the same array again, on a stream
 *
 * The last two axes are the matrix (rows, columns); leading axes are a batch. Views and transposes are used as they
 * are where BLAS can; an operand with no unit stride in its last two axes is packed once.
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
#define TENON_COMPUTE_FAST 2   /* float32 on CUDA by tensor cores, as accurate as float32 (tenon_gemm) */
#define TENON_COMPUTE_BF16 3   /* float32 on CUDA may use bfloat16 products (7-bit mantissa); elsewhere as STRICT */

#define TENON_EPILOGUE_NONE 0
#define TENON_EPILOGUE_RELU 1 /* max(x, 0); NaN stays */
#define TENON_EPILOGUE_GELU 2 /* x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2 */

#define TENON_OP_NONE 0
#define TENON_OP_TRANSPOSE 1
#define TENON_OP_ADJOINT 2 /* the conjugate transpose */

typedef struct tenon_gemm_options {
  uint32_t struct_size;
  TENON_ENUM(COMPUTE) int32_t compute;          /* TENON_COMPUTE_* */
  TENON_NULLABLE TENON_LENGTH(1) int32_t* out_packed; /* receives how many operands had to be packed (0 to 2); may be
                                                         NULL */
  TENON_ENUM(OP) int32_t op_a;             /* TENON_OP_*: the product is of op_a(a) and op_b(b); their last two axes are
                                              then exchanged below */
  TENON_ENUM(OP) int32_t op_b;
  TENON_NULLABLE const tenon_array* bias; /* (n), of c's dtype, added to every row of the product; may be NULL */
  TENON_ENUM(EPILOGUE) int32_t epilogue;         /* TENON_EPILOGUE_*, of the sum */
  TENON_YES_NO int32_t tune;             /* 1: on CUDA, the first product of its kind measures cuBLASLt's algorithms;
                                            see tenon_gemm */
} tenon_gemm_options;

/* c = alpha op_a(a) op_b(b) + beta c. a: (..., m, k), b: (..., k, n), c: (..., m, n); the batch axes of a and b
 * broadcast to those of c. c is given or made (TENON_INOUT); a new c is int32 of int8, f32 of float8, else of a's
 * dtype. c must share no memory with a or b. dtypes: all one of f16, bf16, f32, f64, c64, c128; or a and b f16 or
 * bf16 with c f32; or a and b int8 with c int32, which is the sum modulo 2^32 and takes whole alpha and beta below
 * 2^31 in size; or all one integer dtype, the sum modulo 2^bits with whole alpha and beta up to 2^53 in size, or all
 * bool, where "or" is the sum, "and" the product, and alpha and beta are 0 or 1 (both by code of Tenon's own, without
 * bias and epilogue); or a and b float8 (e4m3fn or e5m2, not both e5m2) with c f16, bf16 or f32. alpha, beta: scalars
 * of any dtype that can be computed with, rounded to the precision in which c is scaled (f32 for 16 bits and less);
 * NULL: 1 and 0; or, for floating and complex c but of float8, arrays without axes on the device, read when the work
 * runs (blas.h). With beta 0 c is not read (NaN there is overwritten); with k 0 c = beta c. BLAS: xGEMM,
 * cublasGemmStridedBatchedEx, cublasLtMatmul. TENON_COMPUTE_FAST makes large products of f32, on chips whose tensor
 * cores are made for it (8.0, 9.0, 10.0), of parts: a = A + a', A of TF32's 11 bits, and a b = A B + A b' + a' B,
 * where A B is in TF32, summed over 256 or 512 terms at a time because tensor cores cut off as they add, and the
 * others in bfloat16. Its error, relative to the sum of the terms' magnitudes, is below 4e-6 for terms of one sign
 * and 2e-7 for random signs: cuBLAS's own product of two plain square matrices has as much, and less for shapes
 * where cuBLAS cuts sums up. Numbers under 2^-110 lose digits; memory: 8 bytes more an element of a and b. After
 * Markidis et al. 2018, Ootomo and Yokota 2022. float8: alpha is the place for the operands' scales. On CUDA
 * (compute capability 8.9 and later) by cuBLASLt, whose tensor cores add up in fewer bits than f32 has (32 products
 * are aligned to the largest of them: an error of up to 2^-8 of the sum of their sizes); it wants k along the unit
 * stride of both operands (b a transpose, b.mT of an (n, k) array), extents that are multiples of 16, and aligned
 * memory, and what is not so goes through copies. On the CPU the operands become f32, which is exact, and c is
 * rounded once. With a bias or an epilogue (f16, bf16, f32 and f64) c = epilogue(alpha a b + beta c + bias). On CUDA
 * cuBLASLt does it in the product, rounding to c once, where it can: f16, bf16, f32 and float8 with c's rows dense;
 * GELU for c f16 and bf16, to their accuracy; ReLU where its first use on an algorithm has shown that NaN stays, for
 * which that call waits for the device. Else, and on the CPU, c is written and then changed in a second pass. tune 1
 * (f16, bf16, f32, f64, c64, c128, float8): the first product on a device of one kind (dtypes, extents, strides,
 * alignment, epilogue) runs the algorithms that cuBLASLt and cuBLAS offer, on this product's a and b and a result of
 * its own, waits for them, and keeps the fastest for later products of this kind with tune, or with an epilogue or
 * float8 without it. tenon_context_report counts what is kept (matmul_plans, at most 256 a device). Another
 * algorithm may round otherwise. It has no effect on the CPU, on products of int8 and in parts, in a context with
 * TENON_CONTEXT_DETERMINISTIC, where there is no memory for the second result, and, for what was not measured
 * before, while another library captures the stream. Statuses: DTYPE, SHAPE, DEVICE, CONTEXT, READ_ONLY, OVERLAP,
 * INVALID_ARGUMENT (an unknown option; alpha or beta that is no scalar or that the dtype cannot hold; beta other
 * than 0 without a given c), INVALID_HANDLE, VERSION, OUT_OF_MEMORY, MISSING_LIBRARY, UNSUPPORTED (float8 on a
 * device that has none). After a failure c is unchanged. */
TENON_API int32_t tenon_gemm(TENON_NULLABLE const tenon_arg* alpha, const tenon_array* a, const tenon_array* b,
                             TENON_NULLABLE const tenon_arg* beta, TENON_NULLABLE const tenon_gemm_options* options,
                             TENON_NULLABLE tenon_stream* stream, TENON_INOUT tenon_array** out_c);

#define TENON_SVD_MODE_FULL 0    /* u (..., m, m), vh (..., n, n) */
#define TENON_SVD_MODE_ECONOMY 1 /* u (..., m, k), vh (..., k, n) with k = min(m, n) */
#define TENON_SVD_MODE_VALUES 2  /* singular values only: out_u and out_vh are NULL, or *out_u and *out_vh stay what
                                    they are */

#define TENON_SVD_DRIVER_AUTO 0       /* by shape, dtype, device and k */
#define TENON_SVD_DRIVER_QR 1         /* the QR iteration: xGESVD; cusolverDnXgesvd */
#define TENON_SVD_DRIVER_DIVIDE 2     /* divide and conquer: xGESDD; the CPU only */
#define TENON_SVD_DRIVER_JACOBI 3     /* xGESVJ; on CUDA a kernel for matrices of up to 256 x 64 */
#define TENON_SVD_DRIVER_POLAR 4      /* the polar decomposition and a symmetric eigensolver, for large matrices on CUDA
                                         (cusolverDnXgesvdp) */
#define TENON_SVD_DRIVER_GRAM 5       /* the eigenvectors of a^H a (or a a^H), in double precision: for high and wide
                                         matrices */
#define TENON_SVD_DRIVER_KRYLOV 6     /* the leading k triplets by a block Krylov space */
#define TENON_SVD_DRIVER_RANDOMIZED 7 /* the leading k triplets by random projection: for values that fall fast */

typedef struct tenon_svd_options {
  uint32_t struct_size;
  TENON_ENUM(SVD_MODE) int32_t mode;         /* TENON_SVD_MODE_* */
  TENON_ENUM(SVD_DRIVER) int32_t driver;
  int32_t reserved;
  int64_t k;            /* how many of the largest values are wanted, with their vectors; 0: all of them */
  double tolerance;     /* of the leading k, see below; 0: 1e-6 for single precision, 1e-12 for double */
  TENON_NULLABLE TENON_ENUM(SVD_DRIVER) TENON_LENGTH(1) int32_t* out_driver; /* receives what found the result, never
                                                                                TENON_SVD_DRIVER_AUTO; may be NULL */
} tenon_svd_options;

/* a = u diag(s) vh. a: (..., m, n) of f32, f64, c64, c128, not changed; s: (..., k) real, descending. u and vh have
 * a's dtype. With options->k: the k largest values, u (..., m, k), vh (..., k, n), whatever the mode says of the
 * shape. What is returned is accurate, whichever driver was asked for. The residual |a - u s vh| and the skew |u^H u
 * - 1|, |vh vh^H - 1|, in the 1-norm, are below 30 max(m, n) epsilon (the residual times |a|), LAPACK's own bound;
 * of leading triplets every residual |a^H u - s v| is at most sqrt(tolerance) / 2 times its s, so that a value's
 * relative error is about the tolerance (where values lie closer together than its root, one of them may stand for
 * another), or max(m, n) epsilon times the largest s. Values that repeat are found as often as they are there. A
 * driver whose result is not, or that does not do this shape, mode or device, gives way to the one
 * TENON_SVD_DRIVER_AUTO takes for the whole decomposition; options->out_driver says which it was (of a batch: whether
 * one did). u, s and vh are given or made. Auto: without k LAPACK xGESDD on the CPU; cuSOLVER and Tenon's kernels on
 * CUDA, but for large matrices of single precision, where double precision is fast, TENON_SVD_DRIVER_GRAM. k well below
 * m and n: the Krylov space. Statuses: NOT_FINITE (NaN or infinity in a), NOT_CONVERGED (native code: info), OVERFLOW
 * (a singular value does not fit s's dtype), DTYPE, SHAPE (rank under 2), INVALID_ARGUMENT (k above m or n, an unknown
 * driver or mode, a tolerance that is not in [0, 1)), MISSING_LIBRARY. Waits for the result, so that a failure is
 * reported here.
 * UNSUPPORTED: while a graph is recorded. */
TENON_API int32_t tenon_svd(const tenon_array* a, TENON_NULLABLE const tenon_svd_options* options,
                            TENON_NULLABLE tenon_stream* stream, TENON_NULLABLE TENON_INOUT tenon_array** out_u,
                            TENON_INOUT tenon_array** out_s, TENON_NULLABLE TENON_INOUT tenon_array** out_vh);

/* Einstein's sum over `count` operands (at least one), as NumPy writes it: "ij,jk->ik", "ii->i", "ij,jk,kl->il". A
 * letter names an axis; one that is not in the result is summed over; twice in one operand, it is a diagonal of equal
 * extents; "..." stands for further axes. Between the operands extent 1 goes with any extent (broadcasting). Without
 * "->" the result has the letters that appear once, in alphabetical order. Two operands are one batched matrix product
 * on views of them; each is packed at most once (options->out_packed). A letter of one operand alone that is summed
 * over is summed there first (in float32 of f16 and bf16). More operands go from left to right, the first two, then
 * what that gave with the third, and so on, each step with the dtype of the result: a good order saves most of the
 * work. dtypes: as tenon_gemm's but for float8, int32 of int8. Sums of other integers are modulo 2^bits. options:
 * compute and out_packed; the others must be 0. The result is given or made.
 * Statuses: those of tenon_gemm (DTYPE, SHAPE, MISSING_LIBRARY among them), INVALID_ARGUMENT (the text; another number
 * of terms than operands). */
TENON_API int32_t tenon_einsum(const char* subscripts TENON_TEXT,
                               TENON_LENGTH(count) const tenon_array* const* operands, int32_t count,
                               TENON_NULLABLE const tenon_gemm_options* options, TENON_NULLABLE tenon_stream* stream,
                               TENON_INOUT tenon_array** out_sum);

/* The Kronecker product: out[..., i p + k, j q + l] = a[..., i, j] b[..., k, l] for b of (..., p, q); batches
 * broadcast. The result is given or made. dtypes: as tenon_gemm's equal ones. options: as tenon_einsum's. Statuses:
 * those of tenon_gemm (DTYPE, SHAPE ...), OVERFLOW (more than 2^63 rows or columns). */
TENON_API int32_t tenon_kron(const tenon_array* a, const tenon_array* b,
                             TENON_NULLABLE const tenon_gemm_options* options, TENON_NULLABLE tenon_stream* stream,
                             TENON_INOUT tenon_array** out_product);

/* The sum of products over `count` pairs of axes: axes_a[i] of a goes with axes_b[i] of b (negative: from the end),
 * which are equally long. Both NULL: the last `count` axes of a with the first of b, in their order. count 0: the
 * outer product. The result is given or made: the other axes of a, then those of b, at most TENON_MAX_RANK. dtypes
 * and options: as tenon_einsum's. Statuses: those of tenon_gemm (DTYPE ...), SHAPE (extents that differ, too many
 * axes), INVALID_ARGUMENT (count; an axis out of range or twice; one list NULL and not the other). */
TENON_API int32_t tenon_tensordot(const tenon_array* a, const tenon_array* b,
                                  TENON_NULLABLE TENON_LENGTH(count) const int32_t* axes_a,
                                  TENON_NULLABLE TENON_LENGTH(count) const int32_t* axes_b, int32_t count,
                                  TENON_NULLABLE const tenon_gemm_options* options, TENON_NULLABLE tenon_stream* stream,
                                  TENON_INOUT tenon_array** out_sum);

#ifdef __cplusplus
}
#endif
#endif
