// ops/eigen.cpp: eigenvalues and eigenvectors.
#include <tenon/eigen.h>
#include <algorithm>
#include "ops/checks.hpp"
#include "ops/matrix.hpp"
#include "ops/ops.hpp"

namespace tenon::ops {

EigenResult eigh(const Array& a, bool vectors, bool upper, int64_t first, int64_t count, Stream* given) {
  Stream& stream = stream_for(a, given);
  require_matrix(a, "a", stream.device());
  require_square(a, "a");
  const int64_t n = rows_of(a);
  if (count < 0) count = n - first;
  TENON_REQUIRE(first >= 0 && first <= n && count <= n - first, TENON_ERROR_INVALID_ARGUMENT,
                "eigenvalues %lld to %lld are asked for, and the matrix has %lld", static_cast<long long>(first),
                static_cast<long long>(first + count - 1), static_cast<long long>(n));
  EigenResult out;
  out.w = Array::create(stream.device(), dtype_real(a.dtype()), with_vector(batch_of(a), count), stream);
  if (vectors) out.v = Array::create(stream.device(), a.dtype(), with_matrix(batch_of(a), n, count), stream);
  if (a.size() == 0 || count == 0) return out;
  const Ref<Array> work = copy_of(*swapped(a), stream);  // a's columns
  DenseProblem keep = problem_of(Dense::triangle, *work);
  keep.upper = upper;
  run(keep, {work.get()}, {}, stream);
  require_finite(*work, "a", stream);
  Checks checks(stream);
  DenseProblem p = problem_of(Dense::eigen_hermitian, *work);
  p.upper = upper;
  p.vectors = vectors;
  p.first = first;
  p.count = count;
  p.w = out.w->data();
  checks.run(p, {work.get(), out.w.get()}, {}, TENON_ERROR_NOT_CONVERGED, "syevd", "has eigenvalues that did not converge");
  checks.finite_result(*out.w->reshape(with_matrix(batch_of(a), 1, count)), TENON_ERROR_OVERFLOW, "has eigenvalues that overflow its dtype");
  checks.settle();
  if (vectors) copy(*out.v, *swapped(*work->with(with_matrix(batch_of(a), count, n), work->strides(), 0, false)), &stream);
  return out;
}

EigenResult eigh_between(const Array& a, bool vectors, bool upper, double low, double high, Stream* given) {
  TENON_REQUIRE(low < high, TENON_ERROR_INVALID_ARGUMENT, "eigenvalues above %g and up to %g are asked for: low must be below high", low,
                high);
  Stream& stream = stream_for(a, given);
  require_matrix(a, "a", stream.device());
  TENON_REQUIRE(count_of(batch_of(a)) == 1, TENON_ERROR_SHAPE,
                "a has shape %s: matrices of a batch may have different numbers of eigenvalues between two values, so only one is taken",
                shape_text(a.shape()).c_str());
  const EigenResult all = eigh(a, false, upper, 0, -1, &stream);
  const std::vector<double> w = host_reals(*all.w, stream);
  const int64_t first = std::upper_bound(w.begin(), w.end(), low) - w.begin(), last = std::upper_bound(w.begin(), w.end(), high) - w.begin();
  if (vectors) return eigh(a, true, upper, first, last - first, &stream);
  return {copy_of(*all.w->with(with_vector(batch_of(a), last - first), all.w->strides(), first, false), stream), {}};
}

namespace {

// Left vectors of norm 1 from the right ones, v: the rows of v^-1.
Ref<Array> left_from_right(const Array& v, Stream& stream) {
  Checks checks(stream);
  const LuFactors factors = factor_transposed(v, checks, stream);
  constexpr const char* kDefective = "is defective: its right eigenvectors are dependent, and this device finds the left ones from them";
  checks.infos(*factors.infos, TENON_ERROR_SINGULAR, "getrf", kDefective);
  const Ref<Array> inverse = inverse_of(factors, checks, stream);
  checks.finite_result(*inverse, TENON_ERROR_SINGULAR, kDefective);
  checks.settle();
  const int64_t n = rows_of(v);
  const Ref<Array> rows = inverse->reshape(Dims{inverse->size() / n, n});
  std::vector<double> factor = row_norms(*rows, stream);
  for (double& x : factor) x = 1 / x;
  return adjoint_of(*scaled_rows(*rows, factor, stream)->reshape(v.shape()), stream);
}

}  // namespace

EigenVectors eig(const Array& a, bool left, bool right, Stream* given) {
  Stream& stream = stream_for(a, given);
  require_matrix(a, "a", stream.device());
  require_square(a, "a");
  const int64_t n = rows_of(a);
  const Dtype complex = dtype_real(a.dtype()) == TENON_FLOAT32 ? TENON_COMPLEX64 : TENON_COMPLEX128;
  const auto create = [&](Extents shape) { return Array::create(stream.device(), complex, shape, stream); };
  EigenVectors out;
  out.w = create(with_vector(batch_of(a), n));
  if (a.size() == 0) return {out.w, left ? create(a.shape()) : Ref<Array>(), right ? create(a.shape()) : Ref<Array>()};
  const Ref<Array> work = copy_of(*swapped(a), stream);
  require_finite(*work, "a", stream);
  const Ref<Array> columns = left || right ? create(a.shape()) : Ref<Array>(), left_columns = left ? create(a.shape()) : Ref<Array>();
  Checks checks(stream);
  bool took_left = true;
  DenseProblem p = problem_of(Dense::eigen_general, *work);
  p.vectors = left || right;
  p.took_left = &took_left;
  p.w = out.w->data();
  if (columns) p.b = packed(*columns);
  if (left) p.c = packed(*left_columns);
  checks.run(p, {work.get(), out.w.get(), columns.get(), left_columns.get()}, {}, TENON_ERROR_NOT_CONVERGED, "geev",
             "has eigenvalues that did not converge");
  checks.finite_result(*out.w->reshape(with_matrix(batch_of(a), 1, n)), TENON_ERROR_OVERFLOW, "has eigenvalues that overflow its dtype");
  checks.settle();
  if (left || right) out.right = copy_of(*swapped(*columns), stream);
  if (left) out.left = took_left ? copy_of(*swapped(*left_columns), stream) : left_from_right(*out.right, stream);
  if (!right) out.right = {};
  return out;
}

}  // namespace tenon::ops
