// ops/eigen/functions.cpp: norms, condition numbers and powers of matrices.
#include <tenon/eigen.h>
#include <tenon/linalg.h>
#include <algorithm>
#include <cmath>
#include <limits>
#include "ops/checks.hpp"
#include "ops/eigen/eigen.hpp"
#include "ops/products/products.hpp"
#include "ops/solve/solve.hpp"
#include "ops/solve/scaling.hpp"

namespace tenon::ops {
namespace {

void check_kind(int32_t kind) {
  TENON_REQUIRE(
      kind >= TENON_NORM_FROBENIUS && kind <= TENON_NORM_NUCLEAR, TENON_ERROR_INVALID_ARGUMENT,
      "kind is %d: use TENON_NORM_FROBENIUS (0), ONE (1), INFINITY (2), LARGEST (3), TWO (4), MINUS_TWO (5) or NUCLEAR "
      "(6)",
      kind);
}

NormKind element_kind(int32_t kind) {
  return kind == TENON_NORM_ONE        ? NormKind::one
         : kind == TENON_NORM_INFINITY ? NormKind::infinity
         : kind == TENON_NORM_LARGEST  ? NormKind::largest
                                       : NormKind::frobenius;
}

Ref<Array> identity_like(const Array& a, Stream& stream) {
  const Ref<Array> out = Array::create(stream.device(), a.dtype(), a.shape(), stream);
  set_identity(*out, stream);
  return out;
}

}  // namespace

Ref<Array> norm(const Array& a, int32_t kind, Stream* given, const Output& output) {
  check_kind(kind);
  Stream& stream = stream_for(a, given);
  require_matrix(a, "a", stream.device());
  if (output.given()) {
    output.check(dtype_real(a.dtype()), batch_of(a), stream.device(), {{a, "a"}});
    return output.deliver(norm(a, kind, &stream), stream);
  }
  if (kind < TENON_NORM_TWO) return element_norm(*contiguous(a, stream), element_kind(kind), stream);
  const Ref<Array> s = svd(a, TENON_SVD_MODE_VALUES, &stream).s;
  const int64_t k = std::min(rows_of(a), cols_of(a));
  if (kind == TENON_NORM_NUCLEAR) {
    const Ref<Array> out = element_norm(*s->reshape(with_matrix(batch_of(a), 1, k)), NormKind::infinity, stream);
    require_finite_result(*out->reshape(with_matrix(batch_of(a), 1, 1)), TENON_ERROR_OVERFLOW,
                          "has a nuclear norm that overflows its dtype", stream);
    return out;
  }
  if (k == 0) {
    const Ref<Array> out = Array::create(stream.device(), s->dtype(), batch_of(a), stream);
    fill(*out, 0, 0, &stream);
    return out;
  }
  return copy_of(*s->index(s->rank() - 1, kind == TENON_NORM_TWO ? 0 : k - 1), stream);
}

Ref<Array> cond(const Array& a, int32_t kind, Stream* given, const Output& out) {
  check_kind(kind);
  TENON_REQUIRE(kind != TENON_NORM_LARGEST, TENON_ERROR_INVALID_ARGUMENT,
                "TENON_NORM_LARGEST (3) has no condition number: it is not an operator norm");
  Stream& stream = stream_for(a, given);
  require_matrix(a, "a", stream.device());
  out.check(dtype_real(a.dtype()), batch_of(a), stream.device(), {{a, "a"}});
  constexpr double infinite = std::numeric_limits<double>::infinity();
  std::vector<double> values(matrices_on_host(batch_of(a)), 0);
  const int64_t k = std::min(rows_of(a), cols_of(a));
  TENON_REQUIRE(k > 0, TENON_ERROR_SHAPE, "a has shape %s: matrices without elements have no condition number",
                shape_text(a.shape()).c_str());
  if (kind == TENON_NORM_TWO || kind == TENON_NORM_MINUS_TWO) {
    const std::vector<double> s = host_reals(*svd(a, TENON_SVD_MODE_VALUES, &stream).s, stream);
    for (size_t g = 0; g < values.size(); ++g) {
      const double largest = s[g * size_t(k)], smallest = s[(g + 1) * size_t(k) - 1];
      if (kind == TENON_NORM_TWO) values[g] = smallest > 0 ? largest / smallest : infinite;
      else values[g] = largest > 0 ? smallest / largest : infinite;
    }
  } else {
    require_square(a, "a");
    if (a.size() == 0) return out.deliver(from_values(values, dtype_real(a.dtype()), batch_of(a), stream), stream);
    const Ref<Array> source = contiguous(a, stream);
    require_finite(*source, "a", stream);
    const Ref<Array> near_one =
        tamed(*source, stream).a;  // its inverse does not overflow unless its condition number does
    Checks checks(stream);
    const LuFactors factors = factor_transposed(*near_one, checks, stream);
    if (kind == TENON_NORM_NUCLEAR)
      checks.infos(*factors.infos, TENON_ERROR_SINGULAR, "getrf",
                   "is singular: its nuclear condition number is infinite");
    const Ref<Array> inverse = inverse_of(factors, checks, stream);
    if (kind == TENON_NORM_NUCLEAR)
      checks.finite_result(*inverse, TENON_ERROR_SINGULAR, "is singular to working precision: its inverse overflows");
    checks.settle();
    const std::vector<double> there = host_reals(*norm(*near_one, kind, &stream), stream);
    const std::vector<double> back = host_reals(*norm(*inverse, kind, &stream), stream),
                              infos = host_reals(*factors.infos, stream);
    for (size_t g = 0; g < values.size(); ++g)
      values[g] = infos[g] == 0 && !std::isnan(back[g]) ? there[g] * back[g] : infinite;
  }
  return out.deliver(from_values(values, dtype_real(a.dtype()), batch_of(a), stream), stream);
}

Ref<Array> matrix_power(const Array& a, int64_t n, Stream* given, const Output& output) {
  Stream& stream = stream_for(a, given);
  require_matrix(a, "a", stream.device());
  require_square(a, "a");
  output.check(a.dtype(), a.shape(), stream.device(), {{a, "a"}});
  Ref<Array> base = copy_of(a, stream), out;
  require_finite(*base, "a", stream);
  if (n == 0) return output.deliver(identity_like(a, stream), stream);
  if (n < 0) base = inverse(*base, &stream);
  for (uint64_t rest = n < 0 ? -uint64_t(n) : uint64_t(n);;) {
    if (rest & 1) out = out ? product(*out, *base, stream) : base;
    if (!(rest >>= 1)) break;
    base = product(*base, *base, stream);
  }
  require_finite_result(*out, TENON_ERROR_OVERFLOW, "has a power that overflows its dtype", stream);
  return output.deliver(out, stream);
}

}  // namespace tenon::ops
