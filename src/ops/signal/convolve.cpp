// ops/signal/convolve.cpp: convolution and correlation, small ones by their sums, others by Fourier transforms.
//
// By sums: b times all windows of a that it overlaps, as a matrix product. Sums that are exact in the dtype, such as
// those of small integers, stay exact.
//
// By transforms: both operands are brought to (batch ..., convolved axes ...), padded with zeros to a period with which
// the needed sums do not overlap others, transformed, multiplied and transformed back. A correlation takes b reversed,
// so that its result begins at index 0 too, and for complex numbers the conjugate of b: its spectrum is the conjugate
// of what the inverse transform makes of b.
#include <tenon/signal.h>
#include <algorithm>
#include <bit>
#include "core/array/copy.hpp"
#include "core/device/recording.hpp"
#include "ops/matrix.hpp"
#include "ops/products/products.hpp"
#include "ops/signal/signal.hpp"

namespace tenon::ops {

constexpr int64_t kLongest = int64_t(1) << 62;

int64_t fast_length(int64_t n) {
  TENON_REQUIRE(n >= 1, TENON_ERROR_INVALID_ARGUMENT, "a transform needs at least one number, not %lld",
                static_cast<long long>(n));
  TENON_REQUIRE(n <= kLongest, TENON_ERROR_OVERFLOW, "the transform has %lld numbers: at most 2^62 are allowed",
                static_cast<long long>(n));
  uint64_t best = std::bit_ceil(uint64_t(n));
  for (uint64_t five = 1; five < best; five *= 5) {
    for (uint64_t three = five; three < best; three *= 3)
      best = std::min(best, three * std::bit_ceil((uint64_t(n) + three - 1) / three));  // with the fewest factors 2
    if (five > uint64_t(kLongest) / 5) break;
  }
  return int64_t(best);
}

namespace {

// For a convolution along one axis: the length of the period, and which of its numbers are needed.
struct Window {
  int64_t length, first, count;
};

Window window_of(int64_t a, int64_t b, int32_t mode) {
  TENON_REQUIRE(a <= kLongest - b, TENON_ERROR_OVERFLOW,
                "the convolution has %lld and %lld numbers: at most 2^62 in all are allowed", static_cast<long long>(a),
                static_cast<long long>(b));
  const int64_t full = a + b - 1, first = mode == TENON_CONVOLVE_FULL   ? 0
                                          : mode == TENON_CONVOLVE_SAME ? (b - 1) / 2
                                                                        : b - 1;
  const int64_t count = mode == TENON_CONVOLVE_FULL ? full : mode == TENON_CONVOLVE_SAME ? a : a - b + 1;
  // The sums that wrap around only reach numbers before the first needed one.
  return {fast_length(std::max({a, b, full - first})), first, count};
}

// The extents of the convolution and of its transforms: real transforms have half as many numbers along the last axis.
struct Plan {
  Dtype dtype;                 // of the computation
  std::vector<int32_t> order;  // the batch's axes, then the convolved ones
  std::vector<Window> windows;
  Stream& stream;

  int32_t batch_rank() const { return int32_t(order.size() - windows.size()); }
  int32_t axis_count() const { return int32_t(windows.size()); }
  bool real() const { return !dtype_complex(dtype); }
  // The batch's extents, then the periods.
  Dims circles(const Dims& batch) const {
    Dims out(int32_t(order.size()));
    for (int32_t i = 0; i < out.size(); ++i)
      out[i] = i < batch_rank() ? batch[i] : windows[size_t(i - batch_rank())].length;
    return out;
  }
  Dims spectrum(Dims shape) const {
    if (real()) shape[shape.size() - 1] = shape[shape.size() - 1] / 2 + 1;
    return shape;
  }
};

// x, reversed along its last `count` axes.
Ref<Array> reversed(const Array& x, int32_t count) {
  Dims strides = x.strides();
  int64_t offset = 0;
  for (int32_t i = x.rank() - count; i < x.rank(); ++i) {
    offset += (x.shape()[i] - 1) * strides[i];
    strides[i] = -strides[i];
  }
  return x.with(x.shape(), strides, offset, true);
}

Ref<Array> spectrum_of(const Array& given, const Plan& plan, bool reverse, bool inverse) {
  Ref<Array> x = given.transpose(plan.order);
  if (reverse) x = reversed(*x, plan.axis_count());
  const Dims circles = plan.circles(x->shape());
  Ref<Array> circle = x;
  if (!(x->shape() == circles) || x->dtype() != plan.dtype) {
    circle = Array::create(plan.stream.device(), plan.dtype, circles, plan.stream);
    if (!(x->shape() == circles)) fill(*circle, 0, 0, &plan.stream);
    copy(*circle->with(x->shape(), circle->strides(), 0, false), *x, &plan.stream);
  }
  const bool in_place = !plan.real() && circle.get() != x.get();
  const Dtype complex = plan.dtype == TENON_FLOAT32   ? TENON_COMPLEX64
                        : plan.dtype == TENON_FLOAT64 ? TENON_COMPLEX128
                                                      : plan.dtype;
  const Ref<Array> out =
      in_place ? circle : Array::create(plan.stream.device(), complex, plan.spectrum(circles), plan.stream);
  fft(*circle, *out, nullptr, plan.axis_count(), inverse ? TENON_FFT_DIRECTION_INVERSE : TENON_FFT_DIRECTION_FORWARD,
      inverse ? TENON_FFT_NORM_FORWARD : TENON_FFT_NORM_BACKWARD, &plan.stream);
  return out;
}

// to = to * from, or * its conjugates, both packed; `from` has to's shape, or is one spectrum for all of to's batch.
void multiply(Array& to, const Array& from, bool conjugates, Stream& stream) {
  const SpectraProductProblem p{to.dtype(), to.data(), from.data(), to.size(), from.size(), conjugates};
  from.buffer().use(stream, false);
  to.buffer().use(stream, true);
  stream.device().run(p, stream);
}

Ref<Array> widened(const Ref<Array>& x, const Dims& shape, Stream& stream) {
  if (x->shape() == shape) return x;
  const Ref<Array> out = Array::create(stream.device(), x->dtype(), shape, stream);
  copy(*out, *x->broadcast(shape), &stream);
  return out;
}

Ref<Array> convolved(const Array& a, const Array& b, const Plan& plan, const Dims& batch, bool correlate) {
  const bool conjugates = correlate && !plan.real();
  const Dims circles = plan.circles(batch), shape = plan.spectrum(circles);
  Ref<Array> x = spectrum_of(a, plan, false, false), y = spectrum_of(b, plan, correlate, conjugates);
  if (!conjugates && !(x->shape() == shape) && y->shape() == shape) std::swap(x, y);
  x = widened(x, shape, plan.stream);
  int64_t one = 1;
  for (int32_t i = plan.batch_rank(); i < shape.size(); ++i) one *= shape[i];
  if (y->size() != one) y = widened(y, shape, plan.stream);
  multiply(*x, *y, conjugates, plan.stream);
  const Ref<Array> whole = plan.real() ? Array::create(plan.stream.device(), plan.dtype, circles, plan.stream) : x;
  fft(*x, *whole, nullptr, plan.axis_count(), TENON_FFT_DIRECTION_INVERSE, TENON_FFT_NORM_BACKWARD, &plan.stream);
  return whole;
}

constexpr int64_t kFewProducts = 1 << 16;

// The number of products in all sums.
int64_t products_of(const Dims& result, const Array& b, const std::vector<int32_t>& axes) {
  int64_t count = element_count(result);
  for (int32_t axis : axes)
    if (__builtin_mul_overflow(count, b.shape()[axis], &count)) return INT64_MAX;
  return count;
}

// The needed numbers by sums: the batch's axes, then the convolved ones.
Ref<Array> summed(const Array& given_a, const Array& given_b, const Plan& plan, bool correlate) {
  const int32_t rank = int32_t(plan.order.size()), count = plan.axis_count(), first = plan.batch_rank();
  const Ref<Array> a = given_a.transpose(plan.order), b = given_b.transpose(plan.order);
  Dims padded = a->shape();
  for (int32_t i = first; i < rank; ++i) padded[i] += 2 * (b->shape()[i] - 1);
  const Ref<Array> wide = Array::create(plan.stream.device(), plan.dtype, padded, plan.stream);
  fill(*wide, 0, 0, &plan.stream);
  const Dims& strides = wide->strides();
  int64_t inside = 0, start = 0, rows = 1, terms = 1;
  Dims windows(rank + count), steps(rank + count);  // batch, needed numbers, b's numbers
  for (int32_t i = 0; i < rank; ++i) {
    windows[i] = padded[i];
    steps[i] = strides[i];
    if (i < first) continue;
    const Window& window = plan.windows[size_t(i - first)];
    inside += (b->shape()[i] - 1) * strides[i];
    start += window.first * strides[i];
    rows *= windows[i] = window.count;
    terms *= windows[i + count] = b->shape()[i];
    steps[i + count] = strides[i];
  }
  copy(*wide->with(a->shape(), strides, inside, false), *a, &plan.stream);
  const auto batched = [&](const Array& x, int64_t m, int64_t n) {
    return with_matrix({x.shape().data(), size_t(first)}, m, n);
  };
  const Ref<Array> left =
      copy_of(*wide->with(windows, steps, start, true), plan.stream)->reshape(batched(*a, rows, terms));
  const Ref<Array> reversed_b = correlate ? b : reversed(*b, count);
  const Ref<Array> right =
      convert(*reversed_b, plan.dtype, plan.stream.device(), &plan.stream)->reshape(batched(*b, 1, terms));
  const Ref<Array> sums =
      product(*left, Op::none, *right, correlate ? Op::conjugate_transpose : Op::transpose, plan.stream);
  Dims shape(rank);
  for (int32_t i = 0; i < rank; ++i) shape[i] = i < first ? sums->shape()[i] : windows[i];
  return sums->reshape(shape);
}

std::vector<int32_t> order_of(int32_t rank, const std::vector<int32_t>& last) {
  std::vector<int32_t> out;
  for (int32_t i = 0; i < rank; ++i)
    if (std::find(last.begin(), last.end(), i) == last.end()) out.push_back(i);
  out.insert(out.end(), last.begin(), last.end());
  return out;
}

Dtype worked_in(const Array& a, const Array& b) {
  const Dtype t = a.dtype();
  const bool possible =
      t == TENON_FLOAT16 || t == TENON_BFLOAT16 || t == TENON_FLOAT32 || t == TENON_FLOAT64 || dtype_complex(t);
  TENON_REQUIRE(t == b.dtype() && possible, TENON_ERROR_DTYPE,
                "a is %s and b is %s: both must be one of float16, bfloat16, float32, float64, complex64, complex128",
                dtype_name(t).c_str(), dtype_name(b.dtype()).c_str());
  return dtype_bytes(t) == 2 ? TENON_FLOAT32 : t;
}

}  // namespace

Ref<Array> convolve(const Array& a, const Array& b, const int32_t* axes, int32_t axis_count, int32_t mode,
                    bool correlate, Stream* given, const Output& output) {
  TENON_REQUIRE(mode >= TENON_CONVOLVE_FULL && mode <= TENON_CONVOLVE_VALID, TENON_ERROR_INVALID_ARGUMENT,
                "mode is %d: use TENON_CONVOLVE_FULL (0), SAME (1) or VALID (2)", mode);
  const Dtype dtype = worked_in(a, b);
  const auto both = [&] { return "a " + shape_text(a.shape()) + " and b " + shape_text(b.shape()); };
  TENON_REQUIRE(a.rank() == b.rank() && a.rank() > 0, TENON_ERROR_SHAPE,
                "%s must have the same number of axes, at least one", both().c_str());
  const std::vector<int32_t> chosen = chosen_axes(a.rank(), axes, axis_count ? axis_count : a.rank(), "convolved");
  Stream& stream = stream_or_default(given, given ? given->device() : a.device());
  require_on(a, stream.device(), "a");
  require_on(b, stream.device(), "b");
  Plan plan{dtype, order_of(a.rank(), chosen), {}, stream};
  Dims shape = a.shape();  // of the result
  for (int32_t i = 0; i < a.rank(); ++i) {
    const int64_t m = a.shape()[i], n = b.shape()[i];
    if (std::find(chosen.begin(), chosen.end(), i) == chosen.end()) {
      TENON_REQUIRE(m == n || m == 1 || n == 1, TENON_ERROR_SHAPE, "%s do not broadcast along axis %d", both().c_str(),
                    i);
      shape[i] = m == 1 ? n : m;
    } else {
      TENON_REQUIRE(m > 0 && n > 0, TENON_ERROR_SHAPE, "%s: one of them is empty along the convolved axis %d",
                    both().c_str(), i);
      TENON_REQUIRE(mode != TENON_CONVOLVE_VALID || m >= n, TENON_ERROR_SHAPE,
                    "%s: b is longer than a along axis %d, so there is no valid position", both().c_str(), i);
    }
  }
  for (int32_t axis : chosen) {
    plan.windows.push_back(window_of(a.shape()[axis], b.shape()[axis], mode));
    shape[axis] = plan.windows.back().count;
  }
  const Ref<Array> out = output.open(a.dtype(), shape, stream, {{a, "a"}, {b, "b"}});
  if (out->size() == 0) return out;
  return recorded_whole(stream, [&] {
    const Ref<Array> ordered = out->transpose(plan.order);
    if (products_of(shape, b, chosen) <= kFewProducts) {
      copy(*ordered, *summed(a, b, plan, correlate), &stream);
      return out;
    }
    const Ref<Array> whole = convolved(a, b, plan, ordered->shape(), correlate);
    int64_t offset = 0;
    for (int32_t i = 0; i < plan.axis_count(); ++i)
      offset += plan.windows[size_t(i)].first * whole->strides()[plan.batch_rank() + i];
    copy(*ordered, *whole->with(ordered->shape(), whole->strides(), offset, true), &stream);
    return out;
  });
}

}  // namespace tenon::ops
