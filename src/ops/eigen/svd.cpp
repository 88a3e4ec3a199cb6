// ops/eigen/svd.cpp: the singular value decomposition of an array, and the choice of its driver.
//
// LAPACK's form is column-major, and its routines are fastest, and some of them only possible, if the matrix is not
// wider than tall. A C-ordered a (m x n) is the column-major transpose a' (n x m), and a = u s vh means a' = vh' s u'
// with plain transposes, which are unitary again, also for complex numbers. So a wide or square matrix is passed on as
// a', whose "u" is the memory of vh in C order and whose "vh" that of u: nothing is transposed. A tall one is
// transposed into the copy that is needed anyway, and its vectors are transposed back.
//
// Given outputs in C order are written directly. If u and vh are given in column-major order, as in Julia and Fortran,
// a' = vh' s u' is decomposed instead: its vectors are theirs, in C order.
#include "ops/eigen/svd.hpp"

#include <tenon/eigen.h>
#include <tenon/linalg.h>
#include <algorithm>
#include <cmath>
#include "core/device/recording.hpp"
#include "ops/eigen/eigen_accuracy.hpp"
#include "ops/eigen/eigen.hpp"
#include "ops/products/products.hpp"
#include "ops/solve/solve.hpp"
#include "ops/solve/scaling.hpp"
#include "ops/solve/small.hpp"

namespace tenon::ops {
namespace {

// The arrays for the results: those of `outs` that are in C order, else new ones.
SvdResult create(const Array& a, int32_t mode, int64_t k, const SvdOutputs& outs, Stream& stream) {
  const int64_t m = rows_of(a), n = cols_of(a), small = std::min(m, n), count = k ? k : small;
  const auto open = [&](const Output& out, Dtype dtype, Extents shape) {
    if (out.given() && out.given()->c_contiguous()) return Ref<Array>(out.given());
    return Array::create(stream.device(), dtype, shape, stream);
  };
  SvdResult out;
  out.s = open(outs.s, dtype_real(a.dtype()), with_vector(batch_of(a), count));
  if (mode == TENON_SVD_MODE_VALUES) return out;
  const bool full = mode == TENON_SVD_MODE_FULL && !k;
  out.u = open(outs.u, a.dtype(), with_matrix(batch_of(a), m, full ? m : count));
  out.vh = open(outs.vh, a.dtype(), with_matrix(batch_of(a), full ? n : count, n));
  return out;
}

// All triplets by the device's own routines; driver 0, without a result, if it has no such driver for this shape.
SvdResult whole(const Array& a, int32_t mode, int32_t driver, const SvdOutputs& outs, Stream& stream) {
  const Dtype t = a.dtype();
  const int64_t m = rows_of(a), n = cols_of(a);
  SvdResult result = create(a, mode, 0, outs, stream);
  const bool tall = m > n;
  const Ref<Array> oriented = tall ? swapped(a) : Ref<Array>(const_cast<Array*>(&a));
  const Ref<Array> work = copy_of(*oriented, stream);  // destroyed by the factorisation
  // The arrays for the problem's u and vh, as C-ordered transposes of them.
  Ref<Array> u = result.vh, vh = result.u;
  if (tall && result.u) {
    u = Array::create(stream.device(), t, swapped(*result.u)->shape(), stream);
    vh = Array::create(stream.device(), t, swapped(*result.vh)->shape(), stream);
  }
  SvdProblem p{};
  p.dtype = t;
  p.mode = mode;
  p.driver = driver;
  p.ran = &result.driver;
  p.m = std::max(m, n);
  p.n = std::min(m, n);
  p.batch = a.size() / (m * n);
  p.a = work->data();
  p.s = result.s->data();
  p.u = u ? u->data() : nullptr;
  p.vh = vh ? vh->data() : nullptr;
  for (Array* x : {work.get(), result.s.get(), u.get(), vh.get()})
    if (x) x->buffer().use(stream, true);
  stream.device().run(p, stream);
  if (!result.driver) return {};
  if (tall && result.u) {
    copy(*result.u, *swapped(*u), &stream);
    copy(*result.vh, *swapped(*vh), &stream);
  }
  return result;
}

// The first rows x cols elements of the matrices of x, as a view.
Ref<Array> corner(const Array& x, int64_t rows, int64_t cols) {
  return x.with(with_matrix(batch_of(x), rows, cols), x.strides(), 0, x.read_only());
}

// The k leading triplets.
SvdResult cut(const SvdResult& all, int64_t k, Stream& stream) {
  SvdResult out;
  out.driver = all.driver;
  Dims shape(all.s->shape());
  shape[shape.size() - 1] = k;
  out.s = copy_of(*all.s->with(shape, all.s->strides(), 0, false), stream);
  if (!all.u) return out;
  out.u = copy_of(*corner(*all.u, rows_of(*all.u), k), stream);
  out.vh = copy_of(*corner(*all.vh, k, cols_of(*all.vh)), stream);
  return out;
}

// Are the triplets of every matrix as accurate as tenon_svd promises?
bool accurate(const Array& a, const SvdResult& all, Stream& stream) {
  const int64_t m = rows_of(a), n = cols_of(a), k = std::min(m, n), rows = all.s->size();
  if (!(skew_of_rows(*swapped(*all.u), stream) <= kSvdThreshold && skew_of_rows(*all.vh, stream) <= kSvdThreshold))
    return false;
  const Ref<Array> rest = copy_of(a, stream),
                   right = copy_of(*corner(*all.vh, k, n), stream)->reshape(Dims{rows, 1, n});
  const Ref<Array> s = convert(*all.s, a.dtype(), stream.device(), &stream)->reshape(Dims{rows, 1, 1});
  const Ref<Array> scaled_right = product(*s, *right, stream)->reshape(with_matrix(batch_of(a), k, n));
  gemm(-1.0, *corner(*all.u, m, k), Op::none, *scaled_right, Op::none, 1.0, *rest, TENON_COMPUTE_STRICT, &stream);
  const std::vector<double> left = host_reals(*norm(*rest, TENON_NORM_ONE, &stream), stream),
                            size = host_reals(*norm(a, TENON_NORM_ONE, &stream), stream);
  const double bound = kSvdThreshold * epsilon_of(a.dtype()) * double(std::max(m, n));
  for (size_t g = 0; g < left.size(); ++g)
    if (!(left[g] <= bound * size[g]) || std::isinf(left[g])) return false;
  return true;
}

// The same as far as products with random vectors show it, at a small part of the cost.
bool plausible(const Array& a, const SvdResult& all, Stream& stream) {
  const int64_t m = rows_of(a), n = cols_of(a), k = std::min(m, n), batch = all.s->size() / k;
  const Tamed near_one = tamed(*contiguous(a, stream)->reshape(Dims{batch, m, n}), stream);
  const Ref<Array> s = scaled_each(*all.s->reshape(Dims{batch, k}), near_one.exponents, -1, stream);
  const Ref<Array> u = all.u->reshape(Dims{batch, m, cols_of(*all.u)}),
                   vh = all.vh->reshape(Dims{batch, rows_of(*all.vh), n});
  if (!plausibly_orthonormal(*u, stream) || !plausibly_orthonormal(*adjoint_of(*vh, stream), stream)) return false;
  const Ref<Array> x = random_rows(n, kProbes, a.dtype(), 11, stream);
  const Ref<Array> image = times_values(*s, *product(*corner(*vh, k, n), *x, stream), stream);
  const std::vector<double> left = rest(*near_one.a, Op::none, *x, *product(*corner(*u, m, k), *image, stream),
                                        TENON_NORM_FROBENIUS, stream),
                            size = host_reals(*norm(*near_one.a, TENON_NORM_ONE, &stream), stream);
  for (size_t g = 0; g < left.size(); ++g)
    if (!(left[g] <= undoubted(std::max(m, n), a.dtype()) * size[g])) return false;
  return true;
}

constexpr int64_t kDivided = 25;  // up to this size divide and conquer is the QR iteration

// outs: may be written if all triplets are requested.
SvdResult whole_or_leading(const Array& a, int32_t mode, int32_t driver, int64_t k, const SvdOutputs& outs,
                           Stream& stream) {
  const SvdResult all =
      k ? whole(a, mode != TENON_SVD_MODE_VALUES ? int32_t(TENON_SVD_MODE_ECONOMY) : mode, driver, {}, stream)
        : whole(a, mode, driver, outs, stream);
  // The result is checked if the caller chose the driver, which may not be the best one for the matrix, and for drivers
  // that are not backward stable for every matrix: divide and conquer returns vectors of the small values of a graded
  // matrix that are not orthogonal. If the QR iteration stood in, it did so for some matrix of the batch only: the
  // others are another driver's.
  const bool lapack = stream.device().traits().lapack;
  const bool stable = all.driver == TENON_SVD_DRIVER_JACOBI || (lapack && std::min(rows_of(a), cols_of(a)) <= kDivided);
  const bool doubted = driver != TENON_SVD_DRIVER_AUTO || !stable;
  if (all.u && doubted && !plausible(a, all, stream) && !accurate(a, all, stream)) {
    if (driver != TENON_SVD_DRIVER_AUTO) return {};
    SvdResult better = whole_or_leading(a, mode, TENON_SVD_DRIVER_QR, k, outs, stream);
    TENON_REQUIRE(better.driver, TENON_ERROR_NOT_CONVERGED,
                  "a, of shape %s, has singular vectors with residuals above %g max(m, n) epsilon",
                  shape_text(a.shape()).c_str(), kSvdThreshold);
    return better;
  }
  if (!k) return all;
  return all.driver ? cut(all, k, stream) : SvdResult();
}

Triplets tamed(const Array& a, int32_t driver, const SvdOptions& options, Stream& stream) {
  const double tolerance = options.tolerance > 0                    ? options.tolerance
                           : dtype_real(a.dtype()) == TENON_FLOAT32 ? 1e-6
                                                                    : 1e-12;
  switch (driver) {
    case TENON_SVD_DRIVER_POLAR: return svd_by_polar(a, stream);
    case TENON_SVD_DRIVER_GRAM: return svd_by_gram(a, stream);
    case TENON_SVD_DRIVER_KRYLOV: return svd_by_krylov(a, options.k, tolerance, stream);
    case TENON_SVD_DRIVER_RANDOMIZED: return svd_by_projection(a, options.k, tolerance, stream);
    default: return {};
  }
}

// Scales a by a power of two, so that no square overflows or vanishes.
Triplets composed(const Array& a, int32_t driver, const SvdOptions& options, Stream& stream) {
  const double largest = host_reals(*norm(a, TENON_NORM_LARGEST, &stream), stream)[0];
  if (largest == 0) return {};
  const int exponent = std::clamp(std::ilogb(largest), -120, 1000);  // a power that float32 has, too
  if (std::abs(exponent) <= kTame) return tamed(a, driver, options, stream);
  Triplets out = tamed(*scaled(a, std::ldexp(1.0, -exponent), stream), driver, options, stream);
  if (out) out.s = scaled(*out.s, std::ldexp(1.0, exponent), stream);
  return out;
}

// The same, or no result if a step on the way failed: for example, if an eigensolver does not converge on a graded a^H
// a.
Triplets composed_or_none(const Array& a, int32_t driver, const SvdOptions& options, Stream& stream) {
  try {
    return composed(a, driver, options, stream);
  } catch (const Error& error) {
    if (error.status != TENON_ERROR_NOT_CONVERGED && error.status != TENON_ERROR_OVERFLOW &&
        error.status != TENON_ERROR_NOT_FINITE)
      throw;
    return {};
  }
}

// For large single-precision matrices on a GPU: a^H a and its eigenvectors in double precision take less time than a
// polar decomposition in single precision, and are more accurate (H200, 4096^2 float32: 124 ms and a residual of
// 5.5e-8, compared with 173 ms and 2.5e-5). Only if the chip is fast in double precision, and if memory for ten
// double-precision matrices is available.
bool gram_pays(const Array& a, int32_t mode, const Device& device) {
  const int64_t m = rows_of(a), n = cols_of(a), small = std::min(m, n);
  if (device.traits().lapack || !device.traits().fast_double || dtype_real(a.dtype()) != TENON_FLOAT32) return false;
  if (small < 1024 || std::max(m, n) > 4 * small || mode == TENON_SVD_MODE_VALUES ||
      (mode == TENON_SVD_MODE_FULL && m != n))
    return false;
  return 10 * 2 * double(dtype_bytes(a.dtype())) * double(m) * double(n) <= 0.5 * double(device.info().total_memory);
}

int32_t chosen_driver(const Array& a, const SvdOptions& options, const Device& device) {
  if (options.driver != TENON_SVD_DRIVER_AUTO) return options.driver;
  if (options.k)
    return krylov_pays(rows_of(a), cols_of(a), options.k) ? TENON_SVD_DRIVER_KRYLOV : TENON_SVD_DRIVER_AUTO;
  return gram_pays(a, options.mode, device) ? TENON_SVD_DRIVER_GRAM : TENON_SVD_DRIVER_AUTO;
}

// One matrix after another by one of our drivers; if it fails for a matrix, by the device's routines.
SvdResult one_by_one(const Array& a, int32_t driver, const SvdOptions& options, const SvdOutputs& outs,
                     Stream& stream) {
  const int64_t m = rows_of(a), n = cols_of(a), batch = count_of(batch_of(a));
  const Ref<Array> source = contiguous(a, stream)->reshape(Dims{batch, m, n});
  require_finite(*source, "a", stream);
  SvdResult out = create(a, options.mode, options.k, outs, stream);
  const int64_t k = out.s->shape()[out.s->rank() - 1];
  out.driver = driver;
  const Ref<Array> s = out.s->reshape(Dims{batch, k}),
                   u = out.u ? out.u->reshape(Dims{batch, m, cols_of(*out.u)}) : Ref<Array>(),
                   vh = out.vh ? out.vh->reshape(Dims{batch, rows_of(*out.vh), n}) : Ref<Array>();
  // These drivers have no vectors beyond the triplets.
  const bool fits = !out.u || (cols_of(*out.u) == k && rows_of(*out.vh) == k);
  for (int64_t g = 0; g < batch; ++g) {
    const Ref<Array> one = source->index(0, g);
    Triplets found = fits ? composed_or_none(*one, driver, options, stream) : Triplets();
    SvdResult instead;
    if (!found) {
      instead = whole_or_leading(*one, options.mode, TENON_SVD_DRIVER_AUTO, options.k, {}, stream);
      out.driver = instead.driver;
      found = {instead.u, instead.s, instead.vh};
    } else if (s->shape()[1] < found.s->size()) {
      found.s = found.s->with({k}, found.s->strides(), 0, false);
      found.u = corner(*found.u, m, k);
      found.vh = corner(*found.vh, k, n);
    }
    copy(*s->index(0, g), *found.s, &stream);
    if (!u) continue;
    copy(*u->index(0, g), *found.u, &stream);
    copy(*vh->index(0, g), *found.vh, &stream);
  }
  return out;
}

void check(const Array& a, const SvdOptions& options) {
  const Dtype t = a.dtype();
  TENON_REQUIRE(t == TENON_FLOAT32 || t == TENON_FLOAT64 || dtype_complex(t), TENON_ERROR_DTYPE,
                "svd does not support %s: float32, float64, complex64 and complex128 are supported",
                dtype_name(t).c_str());
  TENON_REQUIRE(a.rank() >= 2, TENON_ERROR_SHAPE, "a has shape %s: a matrix must have at least two axes",
                shape_text(a.shape()).c_str());
  TENON_REQUIRE(options.mode >= TENON_SVD_MODE_FULL && options.mode <= TENON_SVD_MODE_VALUES,
                TENON_ERROR_INVALID_ARGUMENT, "mode is %d: use TENON_SVD_MODE_FULL (0), ECONOMY (1) or VALUES (2)",
                options.mode);
  TENON_REQUIRE(
      options.driver >= TENON_SVD_DRIVER_AUTO && options.driver <= TENON_SVD_DRIVER_RANDOMIZED,
      TENON_ERROR_INVALID_ARGUMENT,
      "driver is %d: use TENON_SVD_DRIVER_AUTO (0), QR (1), DIVIDE (2), JACOBI (3), POLAR (4), GRAM (5), KRYLOV (6) or "
      "RANDOMIZED (7)",
      options.driver);
  const int64_t small = std::min(rows_of(a), cols_of(a));
  TENON_REQUIRE(options.k >= 0 && options.k <= small, TENON_ERROR_INVALID_ARGUMENT,
                "k is %lld, but a of shape %s has %lld singular values; 0 requests all",
                static_cast<long long>(options.k), shape_text(a.shape()).c_str(), static_cast<long long>(small));
  TENON_REQUIRE(options.tolerance >= 0 && options.tolerance < 1, TENON_ERROR_INVALID_ARGUMENT,
                "tolerance is %g: it is relative and must be at least 0 (the default) and below 1", options.tolerance);
  TENON_REQUIRE(
      options.k > 0 || (options.driver != TENON_SVD_DRIVER_KRYLOV && options.driver != TENON_SVD_DRIVER_RANDOMIZED) ||
          small == 0,
      TENON_ERROR_INVALID_ARGUMENT, "driver %d computes leading triplets: set k to their number", options.driver);
}

SvdResult found(const Array& a, const SvdOptions& options, const SvdOutputs& outs, Stream& stream) {
  const int32_t driver = chosen_driver(a, options, stream.device());
  if (driver <= TENON_SVD_DRIVER_POLAR)
    if (SvdResult result = whole_or_leading(a, options.mode, driver, options.k, outs, stream); result.driver)
      return result;
  // Not the device's driver: ours, or, for the calls that ours do not support, whichever suits the device.
  if (driver >= TENON_SVD_DRIVER_POLAR) return one_by_one(a, driver, options, outs, stream);
  return whole_or_leading(a, options.mode, TENON_SVD_DRIVER_AUTO, options.k, outs, stream);
}

}  // namespace

namespace {

// The dtypes, shapes and devices that the outputs must have.
void check_outputs(const SvdOutputs& outs, const Array& a, const SvdOptions& options, const Device& device) {
  const int64_t m = rows_of(a), n = cols_of(a), count = options.k ? options.k : std::min(m, n);
  const bool full = options.mode == TENON_SVD_MODE_FULL && !options.k;
  outs.s.check(dtype_real(a.dtype()), with_vector(batch_of(a), count), device, {{a, "a"}});
  outs.u.check(a.dtype(), with_matrix(batch_of(a), m, full ? m : count), device, {{a, "a"}});
  outs.vh.check(a.dtype(), with_matrix(batch_of(a), full ? n : count, n), device, {{a, "a"}});
}

SvdResult delivered(const SvdOutputs& outs, SvdResult result, Stream& stream) {
  result.s = outs.s.deliver(result.s, stream);
  if (result.u) result.u = outs.u.deliver(result.u, stream);
  if (result.vh) result.vh = outs.vh.deliver(result.vh, stream);
  return result;
}

}  // namespace

namespace {

// For operands and outputs that have been checked.
SvdResult checked_svd(const Array& a, const SvdOptions& options, const SvdOutputs& outs, Stream& stream) {
  const Array *u = outs.u.given(), *vh = outs.vh.given();
  if (u && vh && dense_by_columns(*u) && dense_by_columns(*vh)) {
    const Ref<Array> left = swapped(*vh), right = swapped(*u);
    const SvdOutputs of_transpose{{left.get(), "out_vh"}, outs.s, {right.get(), "out_u"}};
    const SvdResult found = checked_svd(*swapped(a), options, of_transpose, stream);
    return {Ref<Array>(outs.u.given()), found.s, Ref<Array>(outs.vh.given()), found.driver};
  }
  SvdResult result = found(a, options, outs, stream);
  require_finite_result(*result.s->reshape(with_matrix(batch_of(a), 1, result.s->shape()[result.s->rank() - 1])),
                        TENON_ERROR_OVERFLOW, "has singular values that overflow its dtype", stream);
  return delivered(outs, std::move(result), stream);
}

// All triplets by one kernel, which is accurate for every matrix.
SvdResult svd_of_small(const Array& a, int32_t mode, const SvdOutputs& outs, Stream& stream) {
  const int64_t m = rows_of(a), n = cols_of(a), k = std::min(m, n);
  const bool full = mode == TENON_SVD_MODE_FULL;
  SvdResult out = create(a, TENON_SVD_MODE_VALUES, 0, outs, stream);
  if (mode != TENON_SVD_MODE_VALUES) {
    out.u = open_regular(outs.u, a.dtype(), with_matrix(batch_of(a), m, full ? m : k), stream, {});
    out.vh = open_regular(outs.vh, a.dtype(), with_matrix(batch_of(a), full ? n : k, n), stream, {});
  }
  out.driver = TENON_SVD_DRIVER_JACOBI;
  Checks checks(stream);
  small_svd(a, out.u.get(), *out.s, out.vh.get(), checks, stream);
  checks.settle();
  return delivered(outs, std::move(out), stream);
}

}  // namespace

SvdResult svd(const Array& a, const SvdOptions& options, Stream* given, const SvdOutputs& outs) {
  check(a, options);
  Device& device = given ? given->device() : a.device();
  Stream& stream = stream_or_default(given, device);
  require_running(stream, "svd must wait for its result");
  require_on(a, device, "a");
  check_outputs(outs, a, options, device);
  if (a.size() == 0) {
    SvdResult result = create(a, options.mode, options.k, outs, stream);
    result.driver = options.driver ? options.driver : int32_t(TENON_SVD_DRIVER_QR);
    if (options.mode == TENON_SVD_MODE_FULL) {
      set_identity(*result.u, stream);
      set_identity(*result.vh, stream);
    }
    return delivered(outs, std::move(result), stream);
  }
  const bool jacobi = options.driver == TENON_SVD_DRIVER_AUTO || options.driver == TENON_SVD_DRIVER_JACOBI;
  if (jacobi && options.k == 0 && small_pays(device, a.dtype(), rows_of(a), cols_of(a)))
    return svd_of_small(a, options.mode, outs, stream);
  return checked_svd(a, options, outs, stream);
}

SvdResult svd(const Array& a, int32_t mode, Stream* given) {
  return svd(a, SvdOptions{mode, TENON_SVD_DRIVER_AUTO, 0, 0}, given);
}

}  // namespace tenon::ops
