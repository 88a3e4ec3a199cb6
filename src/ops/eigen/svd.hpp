// ops/eigen/svd.hpp: drivers of the singular value decomposition that are composed of other operations, so that every
// device has them.
//
// Each takes one C-ordered matrix, a: m x n of finite numbers, and returns its triplets in a's dtype, or no arrays if
// the result is less accurate than tenon_svd promises: then another driver must be used.
#pragma once
#include "ops/matrix.hpp"

namespace tenon::ops {

struct Triplets {
  Ref<Array> u, s, vh;  // m x k, k, k x n
  explicit operator bool() const { return bool(s); }
};

// All min(m, n) triplets.
Triplets svd_by_gram(const Array& a, Stream& stream);
Triplets svd_by_polar(const Array& a, Stream& stream);

// The k leading triplets. tolerance: relative, of the values.
Triplets svd_by_krylov(const Array& a, int64_t k, double tolerance, Stream& stream);
Triplets svd_by_projection(const Array& a, int64_t k, double tolerance, Stream& stream);
// Is the Krylov space that usually suffices for k triplets a small part of the whole space?
bool krylov_pays(int64_t m, int64_t n, int64_t k);

// ---- Shared by the drivers ----

Ref<Array> reversed_columns(const Array& x, Stream& stream);  // a C-ordered copy
// Numbers in [-1, 1), the same for the same seed.
Ref<Array> random_rows(int64_t rows, int64_t cols, Dtype dtype, uint64_t seed, Stream& stream);
// The largest column sum of |x x^H - 1| over all matrices of x, divided by epsilon and the longer side of x.
double skew_of_rows(const Array& x, Stream& stream);
// For drivers of matrices that are not wide: finds the triplets of the transpose, and transposes them back.
template <class F> Triplets svd_of_transpose(const Array& a, F&& driver, Stream& stream) {
  const Triplets t = driver(*copy_of(*swapped(a), stream), stream);
  if (!t) return {};
  return {copy_of(*swapped(*t.vh), stream), t.s, copy_of(*swapped(*t.u), stream)};
}
constexpr double kSvdThreshold = 30;  // LAPACK's threshold for that and for residuals, measured alike

// eigen.cpp: the eigenvalues with numbers first to first + count - 1 and their vectors, of the lower triangle of a, (n,
// n), exactly as the device's routine finds them: for callers that verify their results themselves, and whose a has a
// norm near 1.
struct EigenResult;
EigenResult eigen_pairs(const Array& a, int64_t first, int64_t count, Stream& stream);

}  // namespace tenon::ops
