// ops/eigen_accuracy.hpp: do eigenvectors satisfy the bounds of LAPACK's own tests?
#pragma once
#include "ops/matrix.hpp"

namespace tenon::ops {

constexpr double kEigenThreshold =
    20;  // of what follows over n epsilon; LAPACK's is 30, and what is checked is rounded

// For each matrix of a, (batch, n, n) of moderate size: is |op(a) v - v diag(w)| over |a|, in the 1-norm, or the
// distance of the columns' norms from 1, or with `orthonormal` |v^H v - 1| above the threshold? v: (batch, n, k) of a's
// dtype. Almost certainly so: that of products with some random vectors, which take a small part of the time, is
// checked first.
std::vector<bool> inaccurate_pairs(const Array& a, Op op, const Array& w, const Array& v, bool orthonormal,
                                   Stream& stream);

// ---- What others share that look at results by random vectors: products with kProbes of them ----

constexpr int64_t kProbes = 8;
// diag(w) x of each matrix; w: (batch, k); x: (k, c) or (batch, k, c).
Ref<Array> times_values(const Array& w, const Array& x, Stream& stream);
// The norm of op(a) y - z of each matrix; kind: TENON_NORM_*.
std::vector<double> rest(const Array& a, Op op, const Array& y, const Array& z, int32_t kind, Stream& stream);
// The Frobenius norm of a product with kProbes random vectors (of numbers in [-1, 1)) up to which that of the matrix
// itself raises no doubts; n: the longer side.
double undoubted(int64_t n, Dtype dtype);
// Are the columns of v, (batch, n, k), orthonormal, for all that random vectors show?
bool plausibly_orthonormal(const Array& v, Stream& stream);

}  // namespace tenon::ops
