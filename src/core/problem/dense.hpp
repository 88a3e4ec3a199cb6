// core/problem/dense.hpp: the routines of dense linear algebra other than the matrix product and the SVD, one struct
// each.
//
// A struct describes one call of a BLAS or LAPACK routine, named next to it, on `batch` matrices in column-major form:
// element (i, j) of matrix g is data[g * stride + i * step + j * ld]. Only the routines that say so accept a step other
// than 1. ops/ has checked every argument and copied what a routine overwrites. Addresses are the device's; packed
// arrays hold one matrix's numbers after another's. core/problem/operations.hpp lists the structs.
#pragma once
#include "device/finding.hpp"
#include "core/problem/problem.hpp"

namespace tenon {

struct DenseMatrix {
  void* data = nullptr;
  int64_t ld = 0;
  int64_t stride = 0;  // from one matrix of the batch to the next; 0: the same for all (a of solves and products)
  int64_t step = 1;    // from one row to the next
};

// What most of these structs begin with. a is m x n, unless the struct says that m x n is another matrix's shape.
struct OnMatrices {
  Dtype dtype = 0;  // of a
  int64_t m = 0, n = 0;
  int64_t batch = 1;
  DenseMatrix a;
};

// Factors by value or, where an address is given, from the device's memory, there of factor_dtype(dtype).
struct Scalars {
  std::complex<double> alpha = 1, beta = 0;
  const void *alpha_at = nullptr, *beta_at = nullptr;
};

// ---- Checks, which report the smallest number found. ----

struct Check {
  tenon_finding* finding = nullptr;
};

// The index of a number in `count` packed ones that is NaN or infinite; a complex one counts as two numbers.
struct FirstNotFiniteProblem : Check {
  Dtype dtype = 0;
  const void* data = nullptr;
  int64_t count = 0;
};

// The index of a number in `count` packed ones that is 0.
struct FirstZeroProblem : Check {
  Dtype dtype = 0;
  const void* data = nullptr;
  int64_t count = 0;
};

// index << 32 | info of a matrix whose info is not 0.
struct FirstInfoProblem : Check {
  const int32_t* info = nullptr;
  int64_t count = 0;
};

// The index of a pivot that is not a row number from 1 to `rows`. Each of these is set to 1.
struct BoundPivotsProblem : Check {
  int64_t* pivots = nullptr;
  int64_t count = 0, rows = 0;
};

// ---- Elementwise, at any steps. Where noted, also of float16 and bfloat16. ----

// a = conj(a), without steps   (xLACGV)
struct ConjugateProblem : OnMatrices {};

// a keeps one triangle, the rest becomes 0; unit: the diagonal becomes 1. Without steps   (xLASET)
struct TriangleProblem : OnMatrices {
  bool upper = false, unit = false;
};

// b = b + alpha a; float16 and bfloat16 too   (xAXPY)
struct AxpyProblem : OnMatrices, Scalars {
  DenseMatrix b;
};

// a = alpha a; float16 and bfloat16 too   (xSCAL)
struct ScalProblem : OnMatrices, Scalars {};

// a, b = alpha a + beta b, alpha b - conj(beta) a with a real alpha; float16 and bfloat16 too   (xROT)
struct RotProblem : OnMatrices, Scalars {
  DenseMatrix b;
};

// a, b = b, a; float16 and bfloat16 too   (xSWAP)
struct SwapProblem : OnMatrices {
  DenseMatrix b;
};

// The `count` rotations (real c, s) with c a + s b = r, c b - conj(s) a = 0: a becomes r and b becomes s; all packed
// (xROTG)
struct RotgProblem {
  Dtype dtype = 0;  // of a and b
  int64_t count = 0;
  void *a = nullptr, *b = nullptr, *c = nullptr;
};

// a, b = h11 a + h12 b, h21 a + h22 b; float32 and float64. param: the five numbers of BLAS   (xROTM)
struct RotmProblem : OnMatrices {
  DenseMatrix b;
  const void* param = nullptr;
};

// `count` modified rotations of d1, d2 and x1, which are replaced by the new ones, and y1, the first of each five
// numbers of param, which become BLAS's param; all packed, float32 and float64   (xROTMG)
struct RotmgProblem {
  Dtype dtype = 0;
  int64_t count = 0;
  void *d1 = nullptr, *d2 = nullptr, *x1 = nullptr, *param = nullptr;
};

// found[g] = the index, from 0, of the number with the largest, or smallest, |re| + |im| of the m numbers of vector g;
// that of the first NaN if there is one; float16 and bfloat16 too   (IxAMAX)
struct ExtremeProblem : OnMatrices {
  bool smallest = false;
  int64_t* found = nullptr;
};

enum class NormKind : int32_t { one, infinity, frobenius, largest, sum };  // sum: of all absolute values

// norms[g] = a norm of matrix g, real, NaN if an element is; float16 and bfloat16 too   (xLANGE, xNRM2)
struct NormProblem : OnMatrices {
  NormKind kind = NormKind::one;
  void* norms = nullptr;
};

// ---- BLAS's products and solutions with triangles, symmetric (conjugated: Hermitian) and banded matrices. ----

// b = alpha op(a) b or, from the right, alpha b op(a); b: m x n   (xTRMM)
struct TrmmProblem : OnMatrices, Scalars {
  DenseMatrix b;
  Op op = Op::none;  // none, transpose or conjugate_transpose, as everywhere in this file
  bool upper = false, unit = false, right = false;
};

// b = alpha op(a)^-1 b or, from the right, alpha b op(a)^-1; b: m x n   (xTRSM)
struct TrsmProblem : OnMatrices, Scalars {
  DenseMatrix b;
  Op op = Op::none;
  bool upper = false, unit = false, right = false;
};

// A triangle of c = alpha op(a) op(a)^T + beta c; c: n x n, op(a): n x k; op: none or transpose   (xSYRK)
// conjugated: op(a)^H, real alpha and beta, op: none or conjugate_transpose   (xHERK)
struct SyrkProblem : OnMatrices, Scalars {
  int64_t k = 0;
  DenseMatrix c;
  Op op = Op::none;
  bool upper = false, conjugated = false;
};

// A triangle of c = alpha op(a) op(b)^T + alpha op(b) op(a)^T + beta c, otherwise as SyrkProblem   (xSYR2K)
// conjugated: alpha op(a) op(b)^H + conj(alpha) op(b) op(a)^H + beta c, real beta   (xHER2K)
struct Syr2kProblem : SyrkProblem {
  DenseMatrix b;
};

// c = alpha op(a) + beta op_b(b), or without b alpha op(a); c: m x n   (cublasXgeam)
struct GeamProblem : OnMatrices, Scalars {
  DenseMatrix b, c;
  Op op = Op::none, op_b = Op::none;
};

// Of the next four, b and c are vectors with any positive step, and element (i, j) of a lies in row above + i - j of
// column j of its memory.

// c = alpha op(a) b + beta c; a has `below` and `above` diagonals beside the main one   (xGBMV)
struct GbmvProblem : OnMatrices, Scalars {
  int64_t below = 0, above = 0;
  DenseMatrix b, c;
  Op op = Op::none;
};

// c = alpha a b + beta c; a: n x n, symmetric or, if complex, Hermitian, of which one triangle with k diagonals beside
// the main one is stored   (xSBMV, xHBMV)
struct SbmvProblem : OnMatrices, Scalars {
  int64_t k = 0;
  DenseMatrix b, c;
  bool upper = false;
};

// b = op(a) b; a: n x n, one triangle with k diagonals beside the main one   (xTBMV)
struct TbmvProblem : OnMatrices {
  int64_t k = 0;
  DenseMatrix b;
  Op op = Op::none;
  bool upper = false, unit = false;
};

// b = op(a)^-1 b, otherwise as TbmvProblem   (xTBSV)
struct TbsvProblem : TbmvProblem {};

// c = alpha a b + beta c or, from the right, alpha b a + beta c; b, c: m x n; one triangle of a is read   (xSYMM,
// xHEMM)
struct SymmProblem : OnMatrices, Scalars {
  DenseMatrix b, c;
  bool upper = false, right = false, conjugated = false;
};

// ---- LAPACK's factorisations, in place, their solutions, and eigenvalues. ----

// info: LAPACK's, one per matrix, 0 before the call.
struct WithInfo {
  int32_t* info = nullptr;
};

// a = P L U. pivots: min(m, n) per matrix, from 1; info > 0: U(info, info) is 0   (xGETRF)
struct LuProblem : OnMatrices, WithInfo {
  int64_t* pivots = nullptr;
};

// op(a) x = b with the factors of LuProblem, a: n x n; b: n x k, becomes x   (xGETRS)
struct LuSolveProblem : OnMatrices, WithInfo {
  int64_t k = 0;
  DenseMatrix b;
  Op op = Op::none;
  int64_t* pivots = nullptr;
};

// a = L L^H or U^H U, n x n; only that triangle is read and written; info > 0: the leading minor of order info is not
// positive   (xPOTRF)
struct CholeskyProblem : OnMatrices, WithInfo {
  bool upper = false;
};

// a x = b with that factor; b: n x k, becomes x   (xPOTRS)
struct CholeskySolveProblem : OnMatrices, WithInfo {
  int64_t k = 0;
  DenseMatrix b;
  bool upper = false;
};

// a = P L D L^T P^T or P U D U^T P^T, n x n; only that triangle is read and written; pivots: n per matrix, LAPACK's;
// conjugated: L^H, a is Hermitian; info > 0: D(info, info) is 0   (xSYTRF, xHETRF)
struct LdlProblem : OnMatrices, WithInfo {
  bool upper = false, conjugated = false;
  int64_t* pivots = nullptr;
};

// a x = b with those factors; b: n x k, becomes x   (xSYTRS, xHETRS)
struct LdlSolveProblem : OnMatrices, WithInfo {
  int64_t k = 0;
  DenseMatrix b;
  bool upper = false, conjugated = false;
  int64_t* pivots = nullptr;
};

// a = Q R: reflectors below the diagonal, R above it. tau: min(m, n) numbers per matrix   (xGEQRF)
struct QrProblem : OnMatrices, WithInfo {
  void* tau = nullptr;
};

// a becomes the first n columns of Q, m x n, from k reflectors in a and tau, k numbers per matrix   (xORGQR, xUNGQR)
struct QrVectorsProblem : OnMatrices, WithInfo {
  int64_t k = 0;
  void* tau = nullptr;
};

// The eigenvalues number first (from 0) to first + count - 1 of symmetric (Hermitian) matrices, of which one triangle
// is read. w: real, ascending, `count` per matrix. vectors: they replace the first `count` columns of a. info > 0: not
// converged   (xSYEVD, xSYEVR)
struct EighProblem : OnMatrices, WithInfo {
  int64_t first = 0, count = 0;
  bool upper = false, vectors = false;
  void* w = nullptr;
};

// The eigenvalues w of n x n matrices, complex, n per matrix; a is destroyed. vectors: b receives the right
// eigenvectors, complex, n x n, columns of norm 1, and c, if it has memory, the left ones. A device that cannot compute
// left ones sets *took_left to false and writes b only. balanced: rows and columns are scaled to equal size first.
// info > 0: not converged   (xGEEVX)
struct EigProblem : OnMatrices, WithInfo {
  DenseMatrix b, c;
  bool vectors = false, balanced = true;
  bool* took_left = nullptr;
  void* w = nullptr;
};

}  // namespace tenon
