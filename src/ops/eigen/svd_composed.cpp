// ops/eigen/svd_composed.cpp: singular values by the eigenvectors of a^H a, and by the polar decomposition.
#include <tenon/eigen.h>
#include <tenon/linalg.h>
#include <tenon/solve.h>
#include <algorithm>
#include <cmath>
#include <numeric>
#include "ops/eigen/eigen.hpp"
#include "ops/products/products.hpp"
#include "ops/solve/solve.hpp"
#include "ops/eigen/svd.hpp"

namespace tenon::ops {

Ref<Array> reversed_columns(const Array& x, Stream& stream) {
  Dims strides(x.strides());
  const int64_t step = strides[strides.size() - 1];
  strides[strides.size() - 1] = -step;
  return copy_of(*x.with(x.shape(), strides, (cols_of(x) - 1) * step, x.read_only()), stream);
}

namespace {

double one_norm(const Array& x, Stream& stream) { return host_reals(*norm(x, TENON_NORM_ONE, &stream), stream)[0]; }

}  // namespace

double skew_of_rows(const Array& x, Stream& stream) {
  const Ref<Array> gram = product(x, Op::none, x, Op::conjugate_transpose, stream);
  const Ref<Array> one = Array::create(stream.device(), x.dtype(), gram->shape(), stream);
  set_identity(*one, stream);
  add(*gram, -1, *one, stream);
  double worst = 0;
  for (double skew : host_reals(*norm(*gram, TENON_NORM_ONE, &stream), stream))
    if (std::isnan(skew) || skew > worst) worst = skew;  // keeps NaN, which no comparison does
  return worst / (epsilon_of(x.dtype()) * double(cols_of(x)));
}

namespace {

// u' (k x m) and vh: is a = u s vh, and are the rows of both orthonormal?
bool accurate(const Array& a, const Array& turned_u, const std::vector<double>& s, const Array& vh, double threshold,
              Stream& stream) {
  const double size = one_norm(a, stream);
  const Ref<Array> rest = copy_of(a, stream);
  gemm(-1.0, *scaled_rows(turned_u, s, stream), Op::transpose, vh, Op::none, 1.0, *rest, TENON_COMPUTE_STRICT, &stream);
  const double bound = threshold * epsilon_of(a.dtype()) * double(std::max(rows_of(a), cols_of(a)));
  return one_norm(*rest, stream) <= bound * size && skew_of_rows(turned_u, stream) <= threshold &&
         skew_of_rows(vh, stream) <= threshold;  // false for NaN too
}

// Converts from double precision to a's dtype, in descending order, and checks. turned_u: u'.
Triplets finished(const Array& a, Ref<Array> turned_u, std::vector<double> s, Ref<Array> vh, double threshold,
                  Stream& stream) {
  const size_t k = s.size();
  std::vector<size_t> order(k);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](size_t x, size_t y) { return s[x] > s[y]; });
  if (!std::is_sorted(order.begin(), order.end())) {  // rounding exchanged neighbours
    const auto sorted = [&](const Array& rows) {
      const Ref<Array> out = Array::create(stream.device(), rows.dtype(), rows.shape(), stream);
      for (size_t i = 0; i < k;) {  // by runs
        size_t end = i + 1;
        while (end < k && order[end] == order[end - 1] + 1) ++end;
        const auto part = [&](const Array& x, size_t first) {
          return x.with({int64_t(end - i), cols_of(x)}, x.strides(), int64_t(first) * cols_of(x), false);
        };
        copy(*part(*out, i), *part(rows, order[i]), &stream);
        i = end;
      }
      return out;
    };
    turned_u = sorted(*turned_u);
    vh = sorted(*vh);
    std::vector<double> values;
    for (size_t i : order) values.push_back(s[i]);
    s = std::move(values);
  }
  turned_u = convert(*turned_u, a.dtype(), stream.device(), &stream);
  Triplets out;
  out.vh = convert(*vh, a.dtype(), stream.device(), &stream);
  out.s = from_values(s, dtype_real(a.dtype()), Dims{int64_t(k)}, stream);
  if (!accurate(a, *turned_u, s, *out.vh, threshold, stream)) return {};
  out.u = copy_of(*swapped(*turned_u), stream);
  return out;
}

}  // namespace

// Squaring a loses accuracy in the left vectors of small values. If they are as accurate as those of a backward stable
// routine, whose errors grow more slowly than the size, the skew is far below this; LAPACK's threshold would accept a
// pair that is a hundred times worse.
constexpr double kGramThreshold = 2;

// V diagonalises a^H a, and the columns of a V are U S. For single-precision a, squares in double precision keep
// everything; for double-precision a, only well-conditioned matrices pass the check.
Triplets svd_by_gram(const Array& a, Stream& stream) {
  if (rows_of(a) < cols_of(a)) return svd_of_transpose(a, svd_by_gram, stream);
  const Ref<Array> wide = in_double(a, stream);
  const Ref<Array> v = reversed_columns(
      *eigen_pairs(*product(*wide, Op::conjugate_transpose, *wide, Op::none, stream), 0, cols_of(a), stream).v, stream);
  Ref<Array> turned_u = product(*v, Op::transpose, *wide, Op::transpose, stream);  // (a V)'
  std::vector<double> s = row_norms(*turned_u, stream), inverse;
  for (double x : s) inverse.push_back(x > 0 ? 1 / x : 0);
  turned_u = scaled_rows(*turned_u, inverse, stream);
  return finished(a, turned_u, std::move(s), adjoint_of(*v, stream), kGramThreshold, stream);
}

namespace {

constexpr int kMaxSteps = 16;
constexpr double kClose = 1e-5;  // the remaining error is about the cube of the last change

Ref<Array> sum(double first, const Array& x, double second, const Array& y, Stream& stream) {
  const Ref<Array> out = scaled(x, first, stream);
  add(*out, second, y, stream);
  return out;
}

// The unitary factor of x, whose norm is at most 1, by the dynamically weighted Halley iteration (Nakatsukasa, Bai,
// Gygi 2010).
Ref<Array> unitary_factor(Ref<Array> x, Stream& stream) {
  const int64_t m = rows_of(*x), n = cols_of(*x);
  double lowest = epsilon_of(x->dtype());
  for (int step = 0; step < kMaxSteps; ++step) {
    const double l2 = lowest * lowest, d = std::cbrt(4 * (1 - l2) / (l2 * l2)), root = std::sqrt(1 + d);
    const double a = root + 0.5 * std::sqrt(std::max(0.0, 8 - 4 * d + 8 * (2 - l2) / (l2 * root)));
    const double b = (a - 1) * (a - 1) / 4, c = a + b - 1;
    Ref<Array> next;
    if (c > 100) {  // [sqrt(c) x; 1] = q r; the squares below would lose too much
      const Ref<Array> stacked = Array::create(stream.device(), x->dtype(), Dims{m + n, n}, stream);
      fill(*stacked, 0, 0, &stream);
      const auto part = [&](const Array& y, int64_t first, int64_t rows) {
        return y.with({rows, n}, y.strides(), first * n, false);
      };
      add(*part(*stacked, 0, m), std::sqrt(c), *x, stream);
      set_identity(*part(*stacked, m, n), stream);
      const Ref<Array> q = qr(*stacked, TENON_QR_REDUCED, &stream).q;
      next = product(*part(*q, 0, m), Op::none, *part(*q, m, n), Op::conjugate_transpose, stream);
      next = sum(b / c, *x, (a - b / c) / std::sqrt(c), *next, stream);
    } else {  // x (1 + c x^H x)^-1
      const Ref<Array> z = Array::create(stream.device(), x->dtype(), Dims{n, n}, stream);
      set_identity(*z, stream);
      gemm(c, *x, Op::conjugate_transpose, *x, Op::none, 1.0, *z, TENON_COMPUTE_STRICT, &stream);
      next =
          adjoint_of(*solve(*z, *adjoint_of(*x, stream), TENON_SOLVE_POSITIVE, TENON_OP_NONE, false, &stream), stream);
      next = sum(b / c, *x, a - b / c, *next, stream);
    }
    const double change = host_reals(*norm(*sum(1, *next, -1, *x, stream), TENON_NORM_FROBENIUS, &stream), stream)[0];
    if (!std::isfinite(change)) return {};
    x = next;
    lowest = std::min(1.0, lowest * (a + b * l2) / (1 + c * l2));
    if (lowest > 0.9 && change < kClose) return x;
  }
  return {};
}

}  // namespace

// a = w h with unitary w, and the eigenvectors of h = v s v^H: a = (w v) s v^H.
Triplets svd_by_polar(const Array& a, Stream& stream) {
  if (rows_of(a) < cols_of(a)) return svd_of_transpose(a, svd_by_polar, stream);
  const Ref<Array> wide = in_double(a, stream);
  const double size = host_reals(*norm(*wide, TENON_NORM_FROBENIUS, &stream), stream)[0];
  const Ref<Array> w = unitary_factor(scaled(*wide, 1 / size, stream), stream);
  if (!w) return {};
  const Ref<Array> h = product(*w, Op::conjugate_transpose, *wide, Op::none, stream);
  const EigenResult e = eigen_pairs(*sum(0.5, *h, 0.5, *adjoint_of(*h, stream), stream), 0, cols_of(a), stream);
  const Ref<Array> v = reversed_columns(*e.v, stream);
  std::vector<double> s = host_reals(*e.w, stream);
  std::reverse(s.begin(), s.end());
  for (double& x : s) x = std::max(x, 0.0);
  return finished(a, product(*v, Op::transpose, *w, Op::transpose, stream), std::move(s), adjoint_of(*v, stream),
                  kSvdThreshold, stream);
}

}  // namespace tenon::ops
