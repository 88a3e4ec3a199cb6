// ops/eigen/orthogonal.cpp: QR, and the users of the singular value decomposition: least squares, pseudo-inverse, rank.
#include <tenon/linalg.h>
#include <tenon/solve.h>
#include <algorithm>
#include <cmath>
#include "ops/checks.hpp"
#include "ops/matrix.hpp"
#include "ops/eigen/eigen.hpp"
#include "ops/products/products.hpp"
#include "ops/solve/solve.hpp"
#include "ops/solve/small.hpp"

namespace tenon::ops {

namespace {

struct Reflectors {
  Ref<Array> work, tau;  // work (..., n, m): a's columns, which geqrf replaced
};

// a has elements.
Reflectors factor_qr(const Array& a, Checks& checks, Stream& stream) {
  Reflectors f;
  f.work = copy_of(*swapped(a), stream);
  checks.finite(*f.work, "a");
  f.tau = Array::create(stream.device(), a.dtype(), with_vector(batch_of(a), std::min(rows_of(a), cols_of(a))), stream);
  QrProblem p = problem_of<QrProblem>(*f.work);
  p.tau = f.tau->data();
  checks.run(p, {f.work.get(), f.tau.get()}, {}, TENON_OK, "geqrf", "");
  return f;
}

QrResult raw_qr(const Array& a, Stream& stream, bool later, const QrOutputs& outs) {
  const int64_t m = rows_of(a), n = cols_of(a), k = std::min(m, n);
  outs.q.check(a.dtype(), with_matrix(batch_of(a), n, m), stream.device(), {{a, "a"}});
  outs.r.check(a.dtype(), with_vector(batch_of(a), k), stream.device(), {{a, "a"}});
  if (a.size() == 0)
    return {outs.q.deliver(copy_of(*swapped(a), stream), stream),
            outs.r.deliver(Array::create(stream.device(), a.dtype(), with_vector(batch_of(a), k), stream), stream)};
  Checks checks(stream, later);
  const Reflectors f = factor_qr(a, checks, stream);
  checks.finite_result(*f.work, TENON_ERROR_OVERFLOW, "has a factor R that overflows its dtype");
  checks.defer();
  return {outs.q.deliver(f.work, stream), outs.r.deliver(f.tau, stream)};
}

// By one kernel, into r and, unless it is NULL, q.
QrResult qr_of_small(const Array& a, const QrResult& into, const QrOutputs& outs, bool later, Stream& stream) {
  QrResult out = into;
  if (outs.q.given()) out.q = open_regular(outs.q, a.dtype(), out.q->shape(), stream, {});
  Checks checks(stream, later);
  small_qr(a, out.q.get(), *out.r, checks, stream);
  out.r = outs.r.deliver(out.r, stream);
  if (out.q) out.q = outs.q.deliver(out.q, stream);
  checks.defer();
  return out;
}

}  // namespace

QrResult qr(const Array& a, int32_t mode, Stream* given, bool later, const QrOutputs& outs) {
  TENON_REQUIRE(mode >= TENON_QR_REDUCED && mode <= TENON_QR_RAW, TENON_ERROR_INVALID_ARGUMENT,
                "mode is %d: use TENON_QR_REDUCED (0), COMPLETE (1), R (2) or RAW (3)", mode);
  Stream& stream = stream_for(a, given);
  require_matrix(a, "a", stream.device());
  if (mode == TENON_QR_RAW) return raw_qr(a, stream, later, outs);
  const int64_t m = rows_of(a), n = cols_of(a), k = std::min(m, n), height = mode == TENON_QR_COMPLETE ? m : k;
  QrResult out;
  out.r = outs.r.open_dense(a.dtype(), with_matrix(batch_of(a), height, n), stream, {{a, "a"}});
  if (mode != TENON_QR_R) out.q = outs.q.open(a.dtype(), with_matrix(batch_of(a), m, height), stream, {{a, "a"}});
  if (a.size() == 0) {
    if (out.r->size()) fill(*out.r, 0, 0, &stream);
    if (out.q) set_identity(*out.q, stream);
    out.r = outs.r.deliver(out.r, stream);
    return out;
  }
  if (small_pays(stream.device(), a.dtype(), m, n)) return qr_of_small(a, out, outs, later, stream);
  const bool by_columns = dense_by_columns(*out.r);
  const Ref<Array> r = by_columns ? swapped(*out.r) : out.r;  // C-ordered
  Checks checks(stream, later);
  const auto [work, tau] = factor_qr(a, checks, stream);
  copy(*out.r, *swapped(*work->with(with_matrix(batch_of(a), n, height), work->strides(), 0, false)), &stream);
  TriangleProblem cut = problem_of<TriangleProblem>(*r);
  cut.upper = by_columns;  // else of r'
  run(cut, {r.get()}, {}, stream);
  checks.finite_result(*r, TENON_ERROR_OVERFLOW, "has a factor R that overflows its dtype");
  out.r = outs.r.deliver(out.r, stream);
  if (!out.q) {
    checks.defer();
    return out;
  }

  Ref<Array> vectors = work;
  if (height > n) {  // complete: more columns than a has
    vectors = Array::create(stream.device(), a.dtype(), with_matrix(batch_of(a), height, m), stream);
    fill(*vectors, 0, 0, &stream);
    copy(*vectors->with(work->shape(), vectors->strides(), 0, false), *work, &stream);
  }
  QrVectorsProblem form = problem_of<QrVectorsProblem>(*vectors);
  form.n = height;
  form.k = k;
  form.tau = tau->data();
  checks.run(form, {vectors.get()}, {tau.get()}, TENON_OK, "orgqr", "");
  const Ref<Array> rows = vectors->with(with_matrix(batch_of(a), height, m), vectors->strides(), 0, false);
  copy(*out.q, *swapped(*rows), &stream);
  const Ref<Array> q = out.q->c_contiguous()      ? out.q
                       : dense_by_columns(*out.q) ? swapped(*out.q)
                                                  : contiguous(*rows, stream);
  checks.finite_result(*q, TENON_ERROR_OVERFLOW, "has reflections that overflow its dtype");
  checks.defer();
  return out;
}

namespace {

// The singular values, 0 if they are not above rcond times the largest; and the number of the others.
struct Kept {
  std::vector<double> values, ranks;
};

std::vector<double> ranks_of(const std::vector<double>& s, size_t matrices, int64_t k, double rcond) {
  std::vector<double> ranks(matrices, 0);
  for (size_t i = 0; i < s.size(); ++i) {
    const double largest = s[i / size_t(k) * size_t(k)];
    if (s[i] > rcond * largest) ++ranks[i / size_t(k)];
  }
  return ranks;
}

double cut_off(double rcond, const Array& a) {
  TENON_REQUIRE(!std::isnan(rcond), TENON_ERROR_INVALID_ARGUMENT,
                "rcond is NaN: it must be a number, relative to the largest singular value; 0 selects the default");
  return rcond < 0 ? 0 : rcond > 0 ? rcond : double(std::max(rows_of(a), cols_of(a))) * epsilon_of(a.dtype());
}

Kept kept(const Array& s, double rcond, Stream& stream) {
  const int64_t k = s.shape()[s.rank() - 1];
  Kept out{host_reals(s, stream), {}};
  out.ranks = ranks_of(out.values, matrices_on_host({s.shape().data(), size_t(s.rank()) - 1}), k, rcond);
  for (size_t i = 0; i < out.values.size(); ++i)
    if (double(int64_t(i) % k) >= out.ranks[i / size_t(k)]) out.values[i] = 0;
  return out;
}

// The rows of x, (..., k, n), divided by values of shape (..., k), whose batch broadcasts; division by 0 gives 0. If
// x's dtype cannot represent the reciprocal of a value, the division takes two steps, because the row may be as small.
Ref<Array> rows_over(const std::vector<double>& values, Extents shape, const Array& x, Stream& stream) {
  const double most = dtype_real(x.dtype()) == TENON_FLOAT32 ? 0x1p126 : 0x1p1022;
  std::vector<double> first, second;
  bool two = false;
  for (double value : values) {
    const bool small = value > 0 && value < 1 / most;
    two = two || small;
    first.push_back(small ? most : 1);
    second.push_back(value > 0 ? 1 / (value * first.back()) : 0);
  }
  const auto times = [&](const std::vector<double>& values, const Array& y) {
    const Ref<Array> d = from_values(values, x.dtype(), shape, stream)->reshape(with_matrix(shape, 1, 1));
    const Ref<Array> rows = y.reshape(with_matrix({y.shape().data(), size_t(y.rank()) - 1}, 1, cols_of(y)));
    const Ref<Array> out = product(*d, *rows, stream);
    return out->reshape(with_matrix({out->shape().data(), size_t(out->rank()) - 3}, rows_of(y), cols_of(y)));
  };
  const Ref<Array> once = two ? times(first, x) : contiguous(x, stream);
  return times(second, *once);
}

}  // namespace

LeastSquares lstsq(const Array& a, const Array& b, double rcond, Stream* given, const LeastSquaresOutputs& outs) {
  Stream& stream = stream_for(a, given);
  require_matrix(a, "a", stream.device());
  require_matrix(b, "b", stream.device());
  require_same_dtype(a, b);
  TENON_REQUIRE(rows_of(a) == rows_of(b), TENON_ERROR_SHAPE,
                "a of shape %s does not fit b of shape %s: a of (m, n) needs b of (m, k)",
                shape_text(a.shape()).c_str(), shape_text(b.shape()).c_str());
  const double cut = cut_off(rcond, a);
  const Dims batch = broadcast_batches(batch_of(a), batch_of(b));
  const int64_t k = std::min(rows_of(a), cols_of(a));
  outs.x.check(a.dtype(), with_matrix(batch, cols_of(a), cols_of(b)), stream.device(), {{a, "a"}, {b, "b"}});
  outs.rank.check(TENON_INT64, batch_of(a), stream.device(), {{a, "a"}, {b, "b"}});
  outs.s.check(dtype_real(a.dtype()), with_vector(batch_of(a), k), stream.device(), {{a, "a"}, {b, "b"}});
  if (b.size()) require_finite(*contiguous(b, stream), "b", stream);
  const SvdResult f = svd(a, TENON_SVD_MODE_ECONOMY, &stream);
  const Kept d = kept(*f.s, cut, stream);
  LeastSquares out;
  out.x =
      product(*f.vh, Op::conjugate_transpose,
              *rows_over(d.values, f.s->shape(), *product(*f.u, Op::conjugate_transpose, b, Op::none, stream), stream),
              Op::none, stream);
  require_finite_result(*out.x, TENON_ERROR_SINGULAR, "is singular to working precision: the solution overflows",
                        stream);
  out.x = outs.x.deliver(out.x, stream);
  out.rank = outs.rank.deliver(from_values(d.ranks, TENON_INT64, batch_of(a), stream), stream);
  out.s = outs.s.deliver(f.s, stream);
  return out;
}

Ref<Array> pinv(const Array& a, double rcond, Stream* given, const Output& output) {
  Stream& stream = stream_for(a, given);
  require_matrix(a, "a", stream.device());
  const double cut = cut_off(rcond, a);
  output.check(a.dtype(), with_matrix(batch_of(a), cols_of(a), rows_of(a)), stream.device(), {{a, "a"}});
  const SvdResult f = svd(a, TENON_SVD_MODE_ECONOMY, &stream);
  const Kept d = kept(*f.s, cut, stream);
  const Ref<Array> out = product(*rows_over(d.values, f.s->shape(), *f.vh, stream), Op::conjugate_transpose, *f.u,
                                 Op::conjugate_transpose, stream);
  require_finite_result(*out, TENON_ERROR_SINGULAR, "has a pseudo-inverse that overflows", stream);
  return output.deliver(out, stream);
}

Ref<Array> matrix_rank(const Array& a, double rcond, Stream* given, const Output& out) {
  Stream& stream = stream_for(a, given);
  require_matrix(a, "a", stream.device());
  const double cut = cut_off(rcond, a);
  out.check(TENON_INT64, batch_of(a), stream.device(), {{a, "a"}});
  const SvdResult f = svd(a, TENON_SVD_MODE_VALUES, &stream);
  const int64_t k = std::min(rows_of(a), cols_of(a));
  return out.deliver(from_values(ranks_of(host_reals(*f.s, stream), matrices_on_host(batch_of(a)), k, cut), TENON_INT64,
                                 batch_of(a), stream),
                     stream);
}

}  // namespace tenon::ops
