// ops/eigen.cpp: eigenvalues and eigenvectors.
#include <tenon/eigen.h>
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
  std::vector<int64_t> info;
  DenseProblem p = problem_of(Dense::eigen_hermitian, *work);
  p.upper = upper;
  p.vectors = vectors;
  p.first = first;
  p.count = count;
  p.w = out.w->data();
  p.info = &info;
  run(p, {work.get(), out.w.get()}, {}, stream);
  require_done(info, TENON_ERROR_NOT_CONVERGED, "syevd", "has eigenvalues that did not converge");
  require_finite_result(*out.w->reshape(with_matrix(batch_of(a), 1, count)), TENON_ERROR_OVERFLOW,
                        "has eigenvalues that overflow its dtype", stream);
  if (vectors) copy(*out.v, *swapped(*work->with(with_matrix(batch_of(a), count, n), work->strides(), 0, false)), &stream);
  return out;
}

EigenResult eig(const Array& a, bool vectors, Stream* given) {
  Stream& stream = stream_for(a, given);
  require_matrix(a, "a", stream.device());
  require_square(a, "a");
  const int64_t n = rows_of(a);
  const Dtype complex = dtype_real(a.dtype()) == TENON_FLOAT32 ? TENON_COMPLEX64 : TENON_COMPLEX128;
  EigenResult out;
  out.w = Array::create(stream.device(), complex, with_vector(batch_of(a), n), stream);
  if (vectors) out.v = Array::create(stream.device(), complex, a.shape(), stream);
  if (a.size() == 0) return out;
  const Ref<Array> work = copy_of(*swapped(a), stream);
  require_finite(*work, "a", stream);
  const Ref<Array> columns = vectors ? Array::create(stream.device(), complex, a.shape(), stream) : Ref<Array>();
  std::vector<int64_t> info;
  DenseProblem p = problem_of(Dense::eigen_general, *work);
  p.vectors = vectors;
  p.w = out.w->data();
  p.info = &info;
  if (vectors) p.b = packed(*columns);
  run(p, {work.get(), out.w.get(), columns.get()}, {}, stream);
  require_done(info, TENON_ERROR_NOT_CONVERGED, "geev", "has eigenvalues that did not converge");
  require_finite_result(*out.w->reshape(with_matrix(batch_of(a), 1, n)), TENON_ERROR_OVERFLOW,
                        "has eigenvalues that overflow its dtype", stream);
  if (vectors) copy(*out.v, *swapped(*columns), &stream);
  return out;
}

}  // namespace tenon::ops
