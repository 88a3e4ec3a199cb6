// ops/eigen/eigen.cpp: eigenvalues and eigenvectors.
#include <tenon/eigen.h>
#include <tenon/linalg.h>
#include <algorithm>
#include <cmath>
#include "ops/checks.hpp"
#include "ops/eigen/eigen_accuracy.hpp"
#include "ops/eigen/eigen.hpp"
#include "ops/products/products.hpp"
#include "ops/solve/solve.hpp"
#include "ops/solve/scaling.hpp"
#include "ops/solve/small.hpp"
#include "ops/eigen/svd.hpp"

namespace tenon::ops {

namespace {

// The complete Hermitian matrix a, of which work, C-ordered, has one triangle by columns.
Ref<Array> both_triangles(const Array& work, Stream& stream) {
  const Ref<Array> out = copy_of(*swapped(work), stream), half = diagonal(*out);
  copy(*half, *scaled(*contiguous(*half, stream), 0.5, stream), &stream);
  add(*out, 1, *adjoint_of(*out, stream), stream);
  return out;
}

// The device's routine for the eigenvalues with numbers `first` to first + count - 1 of work, (..., n, n), which has
// one triangle by columns.
EigenResult hermitian(const Array& work, bool vectors, bool upper, int64_t first, int64_t count, Stream& stream) {
  const int64_t n = rows_of(work);
  const Extents batch = batch_of(work);
  EigenResult out;
  out.w = Array::create(stream.device(), dtype_real(work.dtype()), with_vector(batch, count), stream);
  Checks checks(stream);
  EighProblem p = problem_of<EighProblem>(work);
  p.upper = upper;
  p.vectors = vectors;
  p.first = first;
  p.count = count;
  p.w = out.w->data();
  checks.run(p, {&work, out.w.get()}, {}, TENON_ERROR_NOT_CONVERGED, count < n ? "syevr" : "syevd",
             "has eigenvalues that did not converge");
  checks.settle();
  // They stay as the routine left them, by columns: each is transposed at most once, when it is delivered.
  if (vectors) out.v = swapped(*work.with(with_matrix(batch, count, n), work.strides(), 0, false));
  return out;
}

// Vectors that are stored by columns, for the caller.
Ref<Array> delivered(const Output& out, const Array& v, Extents shape, Stream& stream) {
  const Ref<Array> all = v.reshape(shape);
  return out.given() ? out.deliver(all, stream) : copy_of(*all, stream);
}

// A range of all pairs.
EigenResult part(const EigenResult& all, int64_t first, int64_t count, Stream& stream) {
  EigenResult out;
  out.w = copy_of(*all.w->with(with_vector({all.w->shape().data(), size_t(all.w->rank()) - 1}, count), all.w->strides(),
                               first, false),
                  stream);
  if (all.v)
    out.v = all.v->with(with_matrix(batch_of(*all.v), rows_of(*all.v), count), all.v->strides(),
                        first * all.v->strides()[all.v->rank() - 1], false);
  return out;
}

// The pairs with numbers `first` to first + count - 1 of work, by the device's routine for ranges. If that finds others
// or fewer than requested (LAPACK's does in single precision for values that lie close together), by the routine for
// all pairs.
EigenResult some(const Array& work, bool upper, int64_t first, int64_t count, Stream& stream) {
  try {
    return hermitian(*copy_of(work, stream), true, upper, first, count, stream);
  } catch (const Error& error) {
    if (error.status != TENON_ERROR_NOT_CONVERGED || count == rows_of(work)) throw;
  }
  return part(hermitian(*copy_of(work, stream), true, upper, 0, rows_of(work), stream), first, count, stream);
}

// Does the routine for ranges, plus on the CPU all values, take less time than the routine for all pairs?
bool few(int64_t n, int64_t count) { return n >= 64 && 8 * count <= n; }

// Some pairs of work, (batch, n, n) and of a norm near 1, by the device's routine for ranges, or no arrays if they are
// less accurate than tenon_eigh promises: for graded matrices LAPACK's (relatively robust representations, bisection)
// may return vectors that are not orthogonal, or pairs other than those requested. So all values are computed too;
// cuSOLVER's routine does that itself.
EigenResult some_pairs(const Array& work, bool upper, int64_t first, int64_t count, Stream& stream) {
  const Ref<Array> whole = both_triangles(work, stream);
  const EigenResult out = some(work, upper, first, count, stream);
  if (stream.device().traits().lapack) {
    const EigenResult all = hermitian(*copy_of(work, stream), false, upper, 0, rows_of(work), stream);
    const std::vector<double> w = host_reals(*all.w, stream), found = host_reals(*out.w, stream),
                              size = host_reals(*norm(*whole, TENON_NORM_ONE, &stream), stream);
    const double bound = kEigenThreshold * double(rows_of(work)) * epsilon_of(work.dtype());
    for (size_t i = 0; i < found.size(); ++i) {
      const size_t g = i / size_t(count), j = i % size_t(count);
      if (!(std::abs(found[i] - w[g * size_t(rows_of(work)) + size_t(first) + j]) <= bound * size[g])) return {};
    }
  }
  const std::vector<bool> bad = inaccurate_pairs(*whole, Op::none, *out.w, *out.v, true, stream);
  if (std::find(bad.begin(), bad.end(), true) != bad.end()) return {};
  return out;
}

// v (3 - v^H v) / 2: its distance from orthonormal columns is the square of v's distance.
Ref<Array> straightened(const Array& v, Stream& stream) {
  const Ref<Array> gram = product(v, Op::conjugate_transpose, v, Op::none, stream), out = copy_of(v, stream);
  gemm(-0.5, v, Op::none, *gram, Op::none, 1.5, *out, TENON_COMPUTE_STRICT, &stream);
  return out;
}

// Matrix g of x, as a batch of one.
Ref<Array> alone(const Array& x, size_t g) {
  const Ref<Array> one = x.index(0, int64_t(g));
  Dims shape(one->rank() + 1, 1);
  std::copy(one->shape().begin(), one->shape().end(), shape.begin() + 1);
  return one->reshape(shape);
}

// All pairs of work, (batch, n, n) and of a norm near 1. For graded matrices divide and conquer may return vectors of
// the smallest values that are not orthogonal to working precision: these are orthonormalised, or, if that is not
// enough, computed again from the other triangle.
EigenResult all_pairs(const Array& work, bool upper, Stream& stream) {
  const int64_t n = rows_of(work);
  const Ref<Array> whole = both_triangles(work, stream);
  EigenResult out = hermitian(work, true, upper, 0, n, stream);
  const std::vector<bool> bad = inaccurate_pairs(*whole, Op::none, *out.w, *out.v, true, stream);
  for (size_t g = 0; g < bad.size(); ++g) {
    if (!bad[g]) continue;
    const Ref<Array> one = alone(*whole, g);
    const auto good = [&](const EigenResult& x) {
      return !inaccurate_pairs(*one, Op::none, *x.w, *x.v, true, stream)[0];
    };
    EigenResult better{alone(*out.w, g), straightened(*alone(*out.v, g), stream)};
    if (!good(better)) better = hermitian(*copy_of(*swapped(*one), stream), true, !upper, 0, n, stream);
    if (!good(better)) better.v = straightened(*better.v, stream);
    TENON_REQUIRE(good(better), TENON_ERROR_NOT_CONVERGED, "%s has eigenvectors with residuals above %g n epsilon",
                  matrix_text(int64_t(g), int64_t(bad.size())).c_str(), kEigenThreshold);
    copy(*alone(*out.w, g), *better.w, &stream);
    copy(*alone(*out.v, g), *better.v, &stream);
  }
  return out;
}

// Which matrices have values whose sum differs from the trace, or whose Euclidean norm differs from the Frobenius norm?
// A backward stable routine returns the values of a matrix within n epsilon of `whole`, (batch, n, n); NaN always
// counts as implausible.
std::vector<bool> implausible_values(const Array& whole, const Array& w, Stream& stream) {
  const size_t n = size_t(rows_of(whole));
  const std::vector<double> values = host_reals(w, stream),
                            diagonals = host_reals(*contiguous(*diagonal(whole), stream), stream),
                            size = host_reals(*norm(whole, TENON_NORM_FROBENIUS, &stream), stream);
  std::vector<bool> out;
  for (size_t g = 0; g < size.size(); ++g) {
    double rest = 0, squares = 0;
    for (size_t i = g * n; i < (g + 1) * n; ++i) {
      rest += values[i] - diagonals[i];
      squares += values[i] * values[i];
    }
    const double bound = kEigenThreshold * double(n) * epsilon_of(whole.dtype()) * size[g];
    out.push_back(!(std::abs(rest) <= std::sqrt(double(n)) * bound && std::abs(std::sqrt(squares) - size[g]) <= bound));
  }
  return out;
}

// All values of work, (batch, n, n) and of a norm near 1. cuSOLVER's routine for batches has been seen to fail silently
// for single matrices: their values are computed again, alone and from the other triangle.
EigenResult all_values(const Array& work, bool upper, Stream& stream) {
  const int64_t n = rows_of(work);
  if (stream.device().traits().lapack) return hermitian(work, false, upper, 0, n, stream);
  const Ref<Array> whole = both_triangles(work, stream);
  const EigenResult out = hermitian(work, false, upper, 0, n, stream);
  const std::vector<bool> bad = implausible_values(*whole, *out.w, stream);
  for (size_t g = 0; g < bad.size(); ++g) {
    if (!bad[g]) continue;
    const Ref<Array> one = alone(*whole, g);
    const EigenResult better = hermitian(*copy_of(*swapped(*one), stream), false, !upper, 0, n, stream);
    TENON_REQUIRE(!implausible_values(*one, *better.w, stream)[0], TENON_ERROR_NOT_CONVERGED,
                  "%s has eigenvalues that contradict its trace or its Frobenius norm",
                  matrix_text(int64_t(g), int64_t(bad.size())).c_str());
    copy(*alone(*out.w, g), *better.w, &stream);
  }
  return out;
}

// One triangle of a, by columns; throws unless it is finite.
Ref<Array> columns_of_triangle(const Array& a, bool upper, Stream& stream) {
  const Ref<Array> work = copy_of(*swapped(a), stream);
  keep_triangle(*work, upper, true, stream);
  require_finite(*work, "a", stream);
  return work;
}

// All eigenvalues by one kernel, which is accurate for every matrix.
EigenResult eigh_of_small(const Array& a, bool vectors, bool upper, const EigenOutputs& outs, Stream& stream) {
  const Output values = outs.w.given() && outs.w.given()->c_contiguous() ? outs.w : Output();
  EigenResult out;
  out.w = values.open(dtype_real(a.dtype()), with_vector(batch_of(a), rows_of(a)), stream, {});
  if (vectors) out.v = open_regular(outs.v, a.dtype(), a.shape(), stream, {});
  Checks checks(stream);
  small_eigh(a, upper, *out.w, out.v.get(), checks, stream);
  checks.settle();
  return out;
}

}  // namespace

EigenResult eigen_pairs(const Array& a, int64_t first, int64_t count, Stream& stream) {
  const EigenResult found = some(*columns_of_triangle(a, false, stream), false, first, count, stream);
  return {found.w, copy_of(*found.v, stream)};
}

EigenResult eigh(const Array& a, bool vectors, bool upper, int64_t first, int64_t count, Stream* given,
                 const EigenOutputs& outs) {
  Stream& stream = stream_for(a, given);
  require_matrix(a, "a", stream.device());
  require_square(a, "a");
  const int64_t n = rows_of(a);
  const auto total = static_cast<long long>(n);
  TENON_REQUIRE(first >= 0 && first <= n, TENON_ERROR_INVALID_ARGUMENT,
                "first is %lld: the matrix has %lld eigenvalues", static_cast<long long>(first), total);
  if (count < 0) count = n - first;
  TENON_REQUIRE(count <= n - first, TENON_ERROR_INVALID_ARGUMENT,
                "first is %lld and count is %lld: the matrix has %lld eigenvalues", static_cast<long long>(first),
                static_cast<long long>(count), total);
  const Dims values = with_vector(batch_of(a), count), columns = with_matrix(batch_of(a), n, count);
  outs.w.check(dtype_real(a.dtype()), values, stream.device(), {{a, "a"}});
  if (vectors) outs.v.check(a.dtype(), columns, stream.device(), {{a, "a"}});
  if (a.size() == 0 || count == 0) {
    EigenResult out;
    out.w = outs.w.open(dtype_real(a.dtype()), values, stream, {});
    if (vectors) out.v = outs.v.open(a.dtype(), columns, stream, {});
    return out;
  }
  if (small_pays(stream.device(), a.dtype(), n, n)) {
    const EigenResult all = eigh_of_small(a, vectors, upper, count == n ? outs : EigenOutputs(), stream);
    const EigenResult wanted = count == n ? all : part(all, first, count, stream);
    return {outs.w.deliver(wanted.w, stream), !vectors     ? Ref<Array>()
                                              : count == n ? outs.v.deliver(wanted.v, stream)
                                                           : delivered(outs.v, *wanted.v, columns, stream)};
  }
  const Ref<Array> work = columns_of_triangle(a, upper, stream);
  const Tamed near_one = tamed(*work->reshape(Dims{count_of(batch_of(a)), n, n}), stream);
  EigenResult out;
  if (vectors && few(n, count)) out = some_pairs(*near_one.a, upper, first, count, stream);
  if (!out.w) out = vectors ? all_pairs(*near_one.a, upper, stream) : all_values(*near_one.a, upper, stream);
  if (cols_of(*out.w) != count) out = part(out, first, count, stream);
  out.w = scaled_each(*out.w, near_one.exponents, 1, stream);
  require_finite_result(*out.w->reshape(with_matrix(batch_of(a), 1, count)), TENON_ERROR_OVERFLOW,
                        "has eigenvalues that overflow its dtype", stream);
  return {outs.w.deliver(out.w->reshape(values), stream),
          vectors ? delivered(outs.v, *out.v, columns, stream) : Ref<Array>()};
}

EigenResult eigh_between(const Array& a, bool vectors, bool upper, double low, double high, Stream* given,
                         const EigenOutputs& outs) {
  TENON_REQUIRE(low < high, TENON_ERROR_INVALID_ARGUMENT,
                "eigenvalues above %g and up to %g were requested: low must be below high", low, high);
  Stream& stream = stream_for(a, given);
  require_matrix(a, "a", stream.device());
  TENON_REQUIRE(
      count_of(batch_of(a)) == 1, TENON_ERROR_SHAPE,
      "a has shape %s: the matrices of a batch may have different numbers of eigenvalues in an interval, which do not "
      "fit one array. Pass one matrix at a time, or compute all eigenvalues and select",
      shape_text(a.shape()).c_str());
  const EigenResult all = eigh(a, false, upper, 0, -1, &stream);
  const std::vector<double> w = host_reals(*all.w, stream);
  const int64_t first = std::upper_bound(w.begin(), w.end(), low) - w.begin(),
                last = std::upper_bound(w.begin(), w.end(), high) - w.begin();
  if (vectors) return eigh(a, true, upper, first, last - first, &stream, outs);
  outs.w.check(all.w->dtype(), with_vector(batch_of(a), last - first), stream.device(), {{a, "a"}});
  return {outs.w.deliver(part(all, first, last - first, stream).w, stream), {}};
}

namespace {

// Left vectors of norm 1 from the right ones, v: the rows of v^-1. Undefined if v is singular.
Ref<Array> left_from_right(const Array& v, Stream& stream) {
  Checks unread(stream);  // not used: the vectors themselves are checked
  const Ref<Array> inverse = inverse_of(factor_transposed(v, unread, stream), unread, stream);
  const int64_t n = rows_of(v);
  const Ref<Array> rows = inverse->reshape(Dims{inverse->size() / n, n});
  std::vector<double> factor = row_norms(*rows, stream);
  for (double& x : factor) x = 1 / x;
  return adjoint_of(*scaled_rows(*rows, factor, stream)->reshape(v.shape()), stream);
}

Dtype complex_of(Dtype t) { return dtype_real(t) == TENON_FLOAT32 ? TENON_COMPLEX64 : TENON_COMPLEX128; }

// By the device's routine; a: (batch, n, n).
EigenVectors general(const Array& a, bool left, bool right, bool balanced, Stream& stream) {
  const int64_t n = rows_of(a);
  const auto create = [&](Extents shape) {
    return Array::create(stream.device(), complex_of(a.dtype()), shape, stream);
  };
  EigenVectors out;
  out.w = create(with_vector(batch_of(a), n));
  const Ref<Array> work = copy_of(*swapped(a), stream);
  const Ref<Array> columns = left || right ? create(a.shape()) : Ref<Array>(),
                   left_columns = left ? create(a.shape()) : Ref<Array>();
  Checks checks(stream);
  bool took_left = true;
  EigProblem p = problem_of<EigProblem>(*work);
  p.vectors = left || right;
  p.took_left = &took_left;
  p.balanced = balanced;
  p.w = out.w->data();
  if (columns) p.b = packed(*columns);
  if (left) p.c = packed(*left_columns);
  checks.run(p, {work.get(), out.w.get(), columns.get(), left_columns.get()}, {}, TENON_ERROR_NOT_CONVERGED, "geev",
             "has eigenvalues that did not converge");
  checks.settle();
  if (left || right) out.right = swapped(*columns);
  if (left) out.left = took_left ? swapped(*left_columns) : left_from_right(*copy_of(*out.right, stream), stream);
  return out;
}

// Which matrices have vectors that are less accurate than tenon_eig promises?
std::vector<bool> inaccurate(const Array& a, const EigenVectors& found, Stream& stream) {
  const Ref<Array> wide = convert(a, found.w->dtype(), stream.device(), &stream);
  std::vector<bool> bad = inaccurate_pairs(*wide, Op::none, *found.w, *found.right, false, stream);
  if (!found.left) return bad;
  const Ref<Array> w = copy_of(*found.w, stream);
  run(problem_of<ConjugateProblem>(*w), {w.get()}, {}, stream);
  const std::vector<bool> left = inaccurate_pairs(*wide, Op::conjugate_transpose, *w, *found.left, false, stream);
  for (size_t g = 0; g < bad.size(); ++g) bad[g] = bad[g] || left[g];
  return bad;
}

// For one matrix, if the device's routine is not accurate enough: by LAPACK, without balancing, which causes large
// residuals for badly scaled matrices.
EigenVectors instead(const Array& a, bool left, bool right, const std::string& which, Stream& stream) {
  Device& device = stream.device();
  if (device.traits().lapack) {
    const EigenVectors out = general(a, left, right, false, stream);
    TENON_REQUIRE(!inaccurate(a, out, stream)[0], TENON_ERROR_NOT_CONVERGED,
                  "%s has eigenvectors with residuals above %g n epsilon", which.c_str(), kEigenThreshold);
    return out;
  }
  const Ref<Array> there = convert(a, a.dtype(), device.context().cpu(), &stream);
  const EigenVectors found = eig(*there, left, right, nullptr);
  const auto back = [&](const Ref<Array>& x) { return x ? convert(*x, x->dtype(), device, &stream) : x; };
  return {back(found.w), back(found.left), back(found.right)};
}

}  // namespace

EigenVectors eig(const Array& a, bool left, bool right, Stream* given, const EigenVectorsOutputs& outs) {
  Stream& stream = stream_for(a, given);
  require_matrix(a, "a", stream.device());
  require_square(a, "a");
  const int64_t n = rows_of(a);
  const Dims values = with_vector(batch_of(a), n);
  const Dtype dtype = complex_of(a.dtype());
  outs.w.check(dtype, values, stream.device(), {{a, "a"}});
  for (const Output* out : {&outs.left, &outs.right}) out->check(dtype, a.shape(), stream.device(), {{a, "a"}});
  if (a.size() == 0)
    return {outs.w.open(dtype, values, stream, {}), left ? outs.left.open(dtype, a.shape(), stream, {}) : Ref<Array>(),
            right ? outs.right.open(dtype, a.shape(), stream, {}) : Ref<Array>()};
  const Ref<Array> source = contiguous(a, stream);
  require_finite(*source, "a", stream);
  const Tamed near_one = tamed(*source->reshape(Dims{count_of(batch_of(a)), n, n}), stream);
  EigenVectors out = general(*near_one.a, left, right, true, stream);
  if (left || right) {
    const std::vector<bool> bad = inaccurate(*near_one.a, out, stream);
    for (size_t g = 0; g < bad.size(); ++g) {
      if (!bad[g]) continue;
      const EigenVectors better =
          instead(*alone(*near_one.a, g), left, right, matrix_text(int64_t(g), int64_t(bad.size())), stream);
      copy(*alone(*out.w, g), *better.w, &stream);
      if (out.left) copy(*alone(*out.left, g), *better.left, &stream);
      if (right) copy(*alone(*out.right, g), *better.right, &stream);
    }
  }
  out.w = scaled_each(*out.w, near_one.exponents, 1, stream);
  require_finite_result(*out.w->reshape(with_matrix(batch_of(a), 1, n)), TENON_ERROR_OVERFLOW,
                        "has eigenvalues that overflow its dtype", stream);
  return {outs.w.deliver(out.w->reshape(values), stream),
          left ? delivered(outs.left, *out.left, a.shape(), stream) : Ref<Array>(),
          right ? delivered(outs.right, *out.right, a.shape(), stream) : Ref<Array>()};
}

}  // namespace tenon::ops
