// ops/eigen/eigen_accuracy.cpp: residuals of eigenvectors: first with random vectors, then exactly if these indicate a
// problem.
#include "ops/eigen/eigen_accuracy.hpp"

#include <tenon/eigen.h>
#include <tenon/linalg.h>
#include <algorithm>
#include <cmath>
#include "ops/eigen/eigen.hpp"
#include "ops/products/products.hpp"
#include "ops/solve/solve.hpp"
#include "ops/eigen/svd.hpp"

namespace tenon::ops {
namespace {

// Nothing is checked more closely if the Frobenius norm, divided by sqrt(n) epsilon, is at most this: the 1-norm,
// divided by n epsilon, is not larger, and the mean over the probes will not be less than half of it.
constexpr double kDoubt = 10;

std::vector<double> norms(const Array& x, int32_t kind, Stream& stream) {
  return host_reals(*norm(x, kind, &stream), stream);
}

}  // namespace

Ref<Array> times_values(const Array& w, const Array& x, Stream& stream) {
  const int64_t batch = w.shape()[0], k = rows_of(x), c = cols_of(x), own = x.rank() == 3 ? batch : 1;
  const Ref<Array> values = convert(w, x.dtype(), stream.device(), &stream)->reshape(Dims{batch, k, 1, 1});
  return product(*values, *x.reshape(Dims{own, k, 1, c}), stream)->reshape(Dims{batch, k, c});
}

std::vector<double> rest(const Array& a, Op op, const Array& y, const Array& z, int32_t kind, Stream& stream) {
  const Ref<Array> out = copy_of(z, stream);
  gemm(1.0, a, op, y, Op::none, -1.0, *out, TENON_COMPUTE_STRICT, &stream);
  return norms(*out, kind, stream);
}

double undoubted(int64_t n, Dtype dtype) {
  const double parts = dtype_complex(dtype) ? 2 : 1;  // each has a mean square of 1/3
  return kDoubt * std::sqrt(double(n)) * epsilon_of(dtype) * std::sqrt(double(kProbes) * parts / 3);
}

// The 1-norm of e = v^H v - 1 is at most sqrt(k) times the norm of its longest row. A test of the Frobenius norm would
// be weaker: that of ordinary rounding errors, which are everywhere, grows with n, while a failure shows as a few large
// elements.
bool plausibly_orthonormal(const Array& v, Stream& stream) {
  const int64_t k = cols_of(v);
  const double parts = dtype_complex(v.dtype()) ? 2 : 1,
               mean = 0.8 * std::sqrt(parts / 3);  // of a product with a row of length 1
  const double bound =
      kDoubt * double(rows_of(v)) / std::sqrt(double(k)) * epsilon_of(v.dtype()) * double(kProbes) * mean;
  const Ref<Array> x = random_rows(k, kProbes, v.dtype(), 7, stream),
                   same = x->broadcast(Dims{v.shape()[0], k, kProbes});
  for (double skew : rest(v, Op::conjugate_transpose, *product(v, *x, stream), *same, TENON_NORM_INFINITY, stream))
    if (!(skew <= bound)) return false;
  return true;
}

namespace {

// The same by random vectors: no sign of a violation?
bool plausible(const Array& a, const std::vector<double>& size, Op op, const Array& w, const Array& v, bool orthonormal,
               Stream& stream) {
  const int64_t n = rows_of(v), k = cols_of(v);
  const Ref<Array> x = random_rows(k, kProbes, v.dtype(), 7, stream), image = product(v, *x, stream);
  const double bound = undoubted(n, v.dtype());
  const std::vector<double> left =
      rest(a, op, *image, *product(v, *times_values(w, *x, stream), stream), TENON_NORM_FROBENIUS, stream);
  for (size_t g = 0; g < left.size(); ++g)
    if (!(left[g] <= bound * size[g])) return false;
  return !orthonormal || plausibly_orthonormal(v, stream);
}

}  // namespace

std::vector<bool> inaccurate_pairs(const Array& a, Op op, const Array& w, const Array& v, bool orthonormal,
                                   Stream& stream) {
  const int64_t batch = v.shape()[0], n = rows_of(v), k = cols_of(v);
  const double bound = kEigenThreshold * double(n) * epsilon_of(v.dtype());
  std::vector<bool> out(static_cast<size_t>(batch), false);
  const std::vector<double> size = norms(a, op == Op::none ? TENON_NORM_ONE : TENON_NORM_INFINITY, stream);
  const Ref<Array> rows = copy_of(*swapped(v), stream);
  if (!orthonormal) {
    const std::vector<double> lengths = row_norms(*rows->reshape(Dims{batch * k, n}), stream);
    for (size_t i = 0; i < lengths.size(); ++i)
      if (!(std::abs(lengths[i] - 1) <= bound)) out[i / size_t(k)] = true;
  }
  if (plausible(a, size, op, w, v, orthonormal, stream)) return out;
  const std::vector<double> left =
      rest(a, op, v, *copy_of(*swapped(*times_values(w, *rows, stream)), stream), TENON_NORM_ONE, stream);
  for (size_t g = 0; g < out.size(); ++g)
    if (!(left[g] <= bound * size[g])) out[g] = true;
  if (!orthonormal) return out;
  const Ref<Array> one = Array::create(stream.device(), v.dtype(), Dims{batch, k, k}, stream);
  set_identity(*one, stream);
  const std::vector<double> skew = rest(v, Op::conjugate_transpose, v, *one, TENON_NORM_ONE, stream);
  for (size_t g = 0; g < out.size(); ++g)
    if (!(skew[g] <= bound)) out[g] = true;
  return out;
}

}  // namespace tenon::ops
