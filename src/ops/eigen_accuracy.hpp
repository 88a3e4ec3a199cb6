// ops/eigen_accuracy.hpp: are eigenvectors as good as LAPACK's own tests want them to be?
#pragma once
#include "ops/matrix.hpp"

namespace tenon::ops {

constexpr double kEigenThreshold = 20;  // of what follows over n epsilon; LAPACK's is 30, and what is looked at is rounded

// For each matrix of a, (batch, n, n) of moderate size: is |op(a) v - v diag(w)| over |a|, in the 1-norm, or the distance of the
// columns' norms from 1, or with `orthonormal` |v^H v - 1| above the threshold? v: (batch, n, k) of a's dtype. Almost certainly so:
// that of products with some random vectors, which take a small part of the time, is looked at first.
std::vector<bool> inaccurate_pairs(const Array& a, Op op, const Array& w, const Array& v, bool orthonormal, Stream& stream);

}  // namespace tenon::ops
