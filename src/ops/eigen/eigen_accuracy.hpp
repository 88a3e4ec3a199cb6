// ops/eigen/eigen_accuracy.hpp: do eigenvectors satisfy the bounds of LAPACK's own tests?
#pragma once
#include "ops/matrix.hpp"

namespace tenon::ops {

constexpr double kEigenThreshold =
    20;  // of the errors below over n epsilon; LAPACK's is 30, and the results checked here are rounded

// For each matrix of a, (batch, n, n) of moderate size: does one of these exceed the threshold: |op(a) v - v diag(w)|
// over |a| in the 1-norm, the distance of the columns' norms from 1, or, with `orthonormal`, |v^H v - 1|? v: (batch, n,
// k) of a's dtype. The answer is almost certainly right: products with some random vectors, which take little time, are
// checked first.
std::vector<bool> inaccurate_pairs(const Array& a, Op op, const Array& w, const Array& v, bool orthonormal,
                                   Stream& stream);

// ---- For other checks by random vectors: products with kProbes of them ----

constexpr int64_t kProbes = 8;
// diag(w) x for each matrix; w: (batch, k); x: (k, c) or (batch, k, c).
Ref<Array> times_values(const Array& w, const Array& x, Stream& stream);
// The norm of op(a) y - z for each matrix; kind: TENON_NORM_*.
std::vector<double> rest(const Array& a, Op op, const Array& y, const Array& z, int32_t kind, Stream& stream);
// A bound for the Frobenius norm of the product of a matrix with kProbes random vectors (numbers in [-1, 1)): below it
// the norm of the matrix itself counts as small enough. n: the longer side.
double undoubted(int64_t n, Dtype dtype);
// Do random vectors show no deviation of the columns of v, (batch, n, k), from orthonormality?
bool plausibly_orthonormal(const Array& v, Stream& stream);

}  // namespace tenon::ops
