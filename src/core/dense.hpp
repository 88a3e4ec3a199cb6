// core/dense.hpp: the routines of dense linear algebra other than the matrix product, with one normal form for all.
//
// Each has the meaning of a BLAS or LAPACK routine (named next to it), on `batch` matrices, column-major: element (i,
// j) of matrix g is data[g * stride + i * step + j * ld], where only the routines that say so take a step other than 1.
// ops/ has checked everything and copied what a routine destroys. Adding one: a row here, one in each backend's table.
#pragma once
#include "core/problem.hpp"

namespace tenon {

enum class Dense : int32_t {
  // a: m x n. What the factorisations stand on.
  // What a check looks at: w, one int64 above all that it may become when read as unsigned, becomes the least
  // number of ...
  finite,     // an element of a (packed; complex ones count for two) that is NaN or infinite
  zeros,      // an element of a (packed) that is 0
  infos,      // a matrix whose info is not 0, times 2^32, and that info
  pivots,     // a pivot that is not from 1 to m; it is set to 1
  conjugate,  // a = conj(a)   (xLACGV)
  triangle,   // a keeps its upper (or lower) triangle, the rest becomes 0; unit: the diagonal becomes 1   (xLASET)
  add,        // b = b + alpha a, with any steps; float16 and bfloat16 too   (xAXPY)
  scale,      // a = alpha a, with any steps; float16 and bfloat16 too   (xSCAL)
  rotate,     // a, b = alpha a + beta b, alpha b - conj(beta) a with a real alpha; with any steps; float16 and bfloat16
              // too   (xROT)
  exchange,   // a, b = b, a, likewise   (xSWAP)
  givens,     // the m rotations (real w, s) with w a + s b = r, w b - conj(s) a = 0: a becomes r, b becomes s; packed
              // (xROTG)
  rotate_modified,  // a, b = h11 a + h12 b, h21 a + h22 b, with any steps; w: BLAS's param, float32 and float64 (xROTM)
  givens_modified,  // the m modified rotations of a: d1, b: d2, c: x1, which become the new ones, and y1, the first of
                    // each five numbers of w, which become BLAS's param; all packed, float32 and float64   (xROTMG)
  place,  // w[g] (int64) = the first place, from 0, in the m numbers of vector g, with any step, where |re| + |im| is
          // largest or, by `kind`, smallest; that of the first NaN where there is one; float16 and bfloat16 too
          // (IxAMAX)
  norm,   // w[g] = a norm of matrix g, with any step, `kind` says which; NaN where there is one; float16 and bfloat16
          // too   (xLANGE, xNRM2)
  // Products and solutions with triangles, and of symmetric (conjugated: Hermitian) matrices.
  triangular_multiply,  // b = alpha op(a) b, b: m x n; right: b = alpha b op(a)   (xTRMM)
  triangular_solve,     // b = alpha op(a)^-1 b, b: m x n; right: b = alpha b op(a)^-1   (xTRSM)
  rank_k,   // a triangle of c = alpha op(a) op(a)^T + beta c, c: n x n, op(a): n x k; op: none or transpose   (xSYRK)
            // conjugated: op(a)^H, alpha and beta real, op: none or conjugate_transpose   (xHERK)
  rank_2k,  // a triangle of c = alpha op(a) op(b)^T + alpha op(b) op(a)^T + beta c, as rank_k   (xSYR2K)
            // conjugated: alpha op(a) op(b)^H + conj(alpha) op(b) op(a)^H + beta c, beta real   (xHER2K)
  sum,      // c = alpha op(a) + beta op_b(b), c: m x n; without b: alpha op(a)   (cublasXgeam)
  // Of vectors b and c with any positive step, and a matrix a that is kept by diagonals: element (i, j) in row above +
  // i - j, column j.
  band_multiply,             // c = alpha op(a) b + beta c, a: m x n with diagonals from `below` to `above`   (xGBMV)
  band_symmetric_multiply,   // c = alpha a b + beta c, a: n x n, symmetric or, conjugated, Hermitian, with k diagonals
                             // of one triangle   (xSBMV, xHBMV)
  band_triangular_multiply,  // b = op(a) b, a: n x n, one triangle with k diagonals beside the main one   (xTBMV)
  band_triangular_solve,     // b = op(a)^-1 b   (xTBSV)
  symmetric_multiply,  // c = alpha a b + beta c, c, b: m x n; right: b a; of a only a triangle is read   (xSYMM, xHEMM)
  // Factorisations, in place, and their solutions. info: LAPACK's.
  lu,        // a = P L U, a: m x n; pivots: min(m, n), from 1; info > 0: U(info, info) is 0   (xGETRF)
  lu_solve,  // op(a) x = b with the factors of lu, a: n x n, b: n x k, becomes x   (xGETRS)
  cholesky,  // a = L L^H, or U^H U, n x n; only that triangle is read and written; info > 0: no positive minor info
             // (xPOTRF)
  cholesky_solve,  // a x = b with that factor, b: n x k   (xPOTRS)
  ldl,             // a = P L D L^T P^T, n x n, or U D U^T; only that triangle is read and written; pivots: n, LAPACK's.
                   // conjugated: L^H, a is Hermitian. info > 0: D(info, info) is 0   (xSYTRF, xHETRF)
  ldl_solve,       // a x = b with those factors, b: n x k, becomes x   (xSYTRS, xHETRS)
  qr,              // a = Q R: reflectors below the diagonal, R above; w: tau   (xGEQRF)
  qr_vectors,      // the first n columns of Q, m x n, from k reflectors in a and w: tau   (xORGQR, xUNGQR)
  // Eigenvalues. info > 0: not converged.
  eigen_hermitian,  // w: real, ascending; vectors: they replace a's columns. Only one triangle of a is read. count < n:
                    // the eigenvalues number first (from 0) to first + count - 1, in w[0 ... count) and the first
                    // `count` columns of a   (xSYEVD, xSYEVR)
  eigen_general,    // a: n x n, destroyed; w: complex; vectors: b, complex, n x n, columns of norm 1; c, where there is
                    // one, left ones. A device that has none sets *took_left to false and b. balanced: of the matrix
                    // with rows and columns of equal size   (xGEEVX)
};

// Those that wait for nothing on the host: they can be recorded.
constexpr bool enqueues_only(Dense routine) {
  switch (routine) {
    case Dense::conjugate:
    case Dense::triangle:
    case Dense::add:
    case Dense::scale:
    case Dense::rotate:
    case Dense::exchange:
    case Dense::givens:
    case Dense::rotate_modified:
    case Dense::givens_modified:
    case Dense::place:
    case Dense::norm:
    case Dense::triangular_multiply:
    case Dense::triangular_solve:
    case Dense::rank_k:
    case Dense::rank_2k:
    case Dense::sum:
    case Dense::band_multiply:
    case Dense::band_symmetric_multiply:
    case Dense::band_triangular_multiply:
    case Dense::band_triangular_solve:
    case Dense::symmetric_multiply: return true;
    default: return false;
  }
}

// sum: of all absolute values; smallest: of places only.
enum class NormKind : int32_t { one, infinity, frobenius, largest, sum, smallest };

struct DenseMatrix {
  void* data = nullptr;
  int64_t ld = 0;
  int64_t stride = 0;  // from one matrix of the batch to the next; 0: the same for all (a of solves and products)
  int64_t step = 1;    // from one row to the next
};

struct DenseProblem {
  Dense routine;
  Dtype dtype;  // of a
  int64_t m = 0, n = 0, k = 0;
  int64_t batch = 1;
  DenseMatrix a, b, c;
  Op op = Op::none;  // none, transpose or conjugate_transpose
  Op op_b = Op::none;
  int64_t below = 0, above = 0;  // diagonals of a banded matrix
  bool upper = false;            // which triangle
  bool unit = false;             // its diagonal is 1 and not read
  bool right = false;            // from which side
  bool vectors = false;
  bool conjugated = false;
  bool balanced = true;
  bool* took_left = nullptr;
  NormKind kind = NormKind::one;
  std::complex<double> alpha = 1, beta = 0;
  const void *alpha_at = nullptr, *beta_at = nullptr;  // on the device, instead: of factor_dtype(dtype)
  int64_t first = 0, count = 0;
  int64_t* pivots = nullptr;  // on the device, packed
  void* w = nullptr;          // on the device, packed: of the routine's dtype
  int32_t* info = nullptr;    // on the device, one for each matrix, 0 before
};

}  // namespace tenon
