// ops/moving/pad.cpp: arrays with more elements around them, one axis after another, as numpy.pad.
#include <tenon/functions.h>
#include <cstring>
#include "core/array/copy.hpp"
#include "core/device/recording.hpp"
#include "ops/checks.hpp"
#include "ops/moving/applied.hpp"
#include "ops/moving/moving.hpp"

namespace tenon::ops {
namespace {

using functions::kind_of;

bool is_statistic(int32_t mode) { return mode >= TENON_PAD_MEAN && mode <= TENON_PAD_MEDIAN; }

// The array, which has extent 1 along the axis, as one of that extent.
Ref<Array> spread(const Array& x, int32_t axis, int64_t extent) {
  Dims shape = x.shape(), strides = x.strides();
  shape[axis] = extent;
  strides[axis] = 0;
  return x.with(shape, strides, 0, true);
}

Ref<Array> divided(const Array& x, double by, Stream& stream) {
  ComputeArg args[] = {operand(x), {nullptr, "y", TENON_FLOAT64, true, {}}};
  std::memcpy(args[1].number, &by, sizeof by);
  return elementwise(*functions::find(TENON_FN_DIVIDE), args, {}, &stream);
}
Ref<Array> as_dtype(const Array& x, Dtype dtype, Stream& stream) {
  ComputeArg arg = operand(x);
  return cast(arg, dtype, {}, &stream);
}

// Means and medians of integers are rounded.
Ref<Array> statistic(const Array& x, int32_t axis, int32_t mode, Stream& stream) {
  Ref<Array> found;
  if (mode == TENON_PAD_MEDIAN) {
    const double half = 0.5;
    QuantileOptions options;
    options.axes = {axis};
    options.keep = true;
    found = quantile(x, {&half, 1}, options, &stream, {});
    found = found->reshape(Extents(found->shape()).subspan(1));  // without the axis of probabilities
  } else {
    ReduceOptions options;
    options.axes = {axis};
    options.keep = true;
    ComputeArg arg = operand(x);
    const int32_t code = mode == TENON_PAD_MEAN      ? TENON_FN_MEAN
                         : mode == TENON_PAD_MAXIMUM ? TENON_FN_MAX
                                                     : TENON_FN_MIN;
    found = reduce(*functions::find(code), arg, options, &stream);
  }
  if (found->dtype() == x.dtype()) return found;
  return as_dtype(kind_of(x.dtype()) == 'b' ? *found : *applied(TENON_FN_ROUND, {found.get()}, stream), x.dtype(),
                  stream);
}

// `count` numbers along the axis from `end`, a number, to the edge, which is not among them, as numpy.linspace: in
// float64, rounded down for integers.
Ref<Array> ramp(const Array& end, const Array& edge, int32_t axis, int64_t count, Stream& stream) {
  const Dtype dtype = edge.dtype(), wide = kind_of(dtype) == 'c' ? TENON_COMPLEX128 : TENON_FLOAT64;
  const Ref<Array> from = as_dtype(end, wide, stream), to = as_dtype(edge, wide, stream);
  const Ref<Array> step = divided(*applied(TENON_FN_SUBTRACT, {to.get(), from.get()}, stream), double(count), stream);
  tenon_range_options every{};
  every.step = 1;
  Dims along(edge.rank(), 1);
  along[axis] = count;
  const Ref<Array> place = range(stream.device(), TENON_FLOAT64, count, every, &stream, {})->reshape(along);
  const Ref<Array> way = applied(TENON_FN_MULTIPLY, {place.get(), step.get()}, stream);
  Ref<Array> made = applied(TENON_FN_ADD, {way.get(), from.get()}, stream);
  if (kind_of(dtype) == 'i' || kind_of(dtype) == 'u') made = applied(TENON_FN_FLOOR, {made.get()}, stream);
  return as_dtype(*made, dtype, stream);
}

class Padding {
 public:
  Padding(const PadOptions& options, Stream& stream) : options_(options), stream_(stream) {}

  // Fills the padding of one axis, whose elements [begin, begin + n) are set; all earlier axes are complete.
  void fill_axis(Array& to, int32_t axis, int64_t begin, int64_t n) const {
    const int64_t end = begin + n, rest = to.shape()[axis] - end;
    switch (options_.mode) {
      case TENON_PAD_CONSTANT:
        if (begin) fill_value(*piece(to, axis, 0, begin));
        if (rest) fill_value(*piece(to, axis, end, rest));
        return;
      case TENON_PAD_EDGE:
        if (begin) put(*piece(to, axis, 0, begin), axis, *piece(to, axis, begin, 1));
        if (rest) put(*piece(to, axis, end, rest), axis, *piece(to, axis, end - 1, 1));
        return;
      case TENON_PAD_LINEAR_RAMP: return fill_ramps(to, axis, begin, n);
      case TENON_PAD_EMPTY: return;
      default: break;
    }
    if (!is_statistic(options_.mode)) return repeat(to, axis, begin, n);
    const int64_t of = options_.stat_length && options_.stat_length < n ? options_.stat_length : n;
    if (begin) put_statistic(*piece(to, axis, 0, begin), axis, *piece(to, axis, begin, of));
    if (rest) put_statistic(*piece(to, axis, end, rest), axis, *piece(to, axis, end - of, of));
  }

 private:
  void fill_value(Array& to) const {
    if (options_.value) fill(to, *options_.value, "options->value", &stream_);
    else fill(to, 0, 0, &stream_);
  }

  // Copies by way of another array: the strides alone do not show that two parts of one array are disjoint.
  void put(Array& to, int32_t axis, const Array& one) const {
    const Ref<Array> part = Array::create(stream_.device(), one.dtype(), one.shape(), stream_);
    copy(*part, one, &stream_);
    copy(to, *spread(*part, axis, to.shape()[axis]), &stream_);
  }

  void put_statistic(Array& to, int32_t axis, const Array& of) const {
    copy(to, *spread(*statistic(of, axis, options_.mode, stream_), axis, to.shape()[axis]), &stream_);
  }

  static Ref<Array> reversed(const Array& x, int32_t axis, int64_t first, int64_t count) {  // first, first - 1 ...
    Dims shape = x.shape(), strides = x.strides();
    shape[axis] = count;
    strides[axis] = -strides[axis];
    return x.with(shape, strides, first * x.strides()[axis], x.read_only());
  }

  void fill_ramps(Array& to, int32_t axis, int64_t begin, int64_t n) const {
    const int64_t total = to.shape()[axis], end = begin + n;
    const Ref<Array> from = Array::create(stream_.device(), to.dtype(), {}, stream_);
    fill_value(*from);
    if (begin)
      copy(*piece(to, axis, 0, begin), *ramp(*from, *piece(to, axis, begin, 1), axis, begin, stream_), &stream_);
    if (total > end)
      copy(*reversed(to, axis, total - 1, total - end),
           *ramp(*from, *piece(to, axis, end - 1, 1), axis, total - end, stream_), &stream_);
  }

  // REFLECT, SYMMETRIC and WRAP continue the existing elements periodically, in pieces as long as what exists.
  void repeat(Array& to, int32_t axis, int64_t begin, int64_t n) const {
    const int64_t total = to.shape()[axis];
    const auto fill_from = [&](int64_t at, int64_t count, const Array& source) {  // see put
      const Ref<Array> part = Array::create(stream_.device(), to.dtype(), source.shape(), stream_);
      copy(*part, source, &stream_);
      copy(*piece(to, axis, at, count), *part, &stream_);
    };
    int64_t low = begin, high = begin + n;
    const bool mirrored = options_.mode != TENON_PAD_WRAP, reflect = options_.mode == TENON_PAD_REFLECT;
    const int64_t skip = reflect && n > 1 ? 1 : 0, step = reflect && n == 1 ? 1 : n - skip;
    while (low > 0) {
      const int64_t count = std::min(low, step), at = low - count;
      if (mirrored) fill_from(at, count, *reversed(to, axis, low + skip + count - 1, count));
      else fill_from(at, count, *piece(to, axis, low + n - count, count));
      low = at;
    }
    while (high < total) {
      const int64_t count = std::min(total - high, step);
      if (mirrored) fill_from(high, count, *reversed(to, axis, high - 1 - skip, count));
      else fill_from(high, count, *piece(to, axis, high - n, count));
      high += count;
    }
  }

  const PadOptions& options_;
  Stream& stream_;
};

// Throws unless the dtype has the mode's arithmetic.
void require_arithmetic(Dtype dtype, int32_t mode) {
  const char kind = kind_of(dtype);
  if (mode != TENON_PAD_LINEAR_RAMP && !is_statistic(mode)) return;
  TENON_REQUIRE(kind, TENON_ERROR_DTYPE,
                "x is %s, a storage type without arithmetic, which this mode needs: convert it",
                dtype_name(dtype).c_str());
  TENON_REQUIRE(kind != 'b' || mode != TENON_PAD_LINEAR_RAMP, TENON_ERROR_DTYPE,
                "x is bool, which TENON_PAD_LINEAR_RAMP does not take: convert it");
}

}  // namespace

Ref<Array> pad(const Array& x, Extents before, Extents after, const PadOptions& options, Stream* given,
               const Output& out) {
  const int32_t mode = options.mode;
  TENON_REQUIRE(mode >= TENON_PAD_CONSTANT && mode <= TENON_PAD_EMPTY, TENON_ERROR_INVALID_ARGUMENT,
                "mode %d is not one of TENON_PAD_*", mode);
  TENON_REQUIRE(!options.value || mode == TENON_PAD_CONSTANT || mode == TENON_PAD_LINEAR_RAMP,
                TENON_ERROR_INVALID_ARGUMENT,
                "options->value is only for TENON_PAD_CONSTANT and TENON_PAD_LINEAR_RAMP, but mode is %d", mode);
  TENON_REQUIRE(options.stat_length >= 0 && (!options.stat_length || is_statistic(mode)), TENON_ERROR_INVALID_ARGUMENT,
                "options->stat_length is %lld in mode %d: it must be 0, or positive for TENON_PAD_MEAN, MAXIMUM, "
                "MINIMUM and MEDIAN",
                static_cast<long long>(options.stat_length), mode);
  require_arithmetic(x.dtype(), mode);
  const bool from_nothing = mode == TENON_PAD_CONSTANT || mode == TENON_PAD_EMPTY;
  Dims shape = x.shape();
  for (int32_t d = 0; d < x.rank(); ++d) {
    const int64_t front = before[size_t(d)], back = after[size_t(d)];
    TENON_REQUIRE(front >= 0 && back >= 0, TENON_ERROR_INVALID_ARGUMENT,
                  "axis %d gets %lld elements before and %lld after: neither must be negative", d,
                  static_cast<long long>(front), static_cast<long long>(back));
    TENON_REQUIRE(from_nothing || x.shape()[d] > 0 || front + back == 0, TENON_ERROR_INVALID_ARGUMENT,
                  "axis %d has extent 0: it can only be padded with a constant or left empty", d);
    shape[d] = checked_sum(checked_sum(shape[d], front), back);
  }
  Stream& stream = stream_or_default(given, given ? given->device() : x.device());
  require_on(x, stream.device(), "x");
  return recorded_whole(stream, [&] {
    const Ref<Array> result = out.open(x.dtype(), shape, stream, {{x, "x"}});
    if (result->size() == 0) return result;
    // Views of the finished elements: only the inside along axes that are not done yet.
    Ref<Array> inside = result;
    for (int32_t d = 0; d < x.rank(); ++d) inside = piece(*inside, d, before[size_t(d)], x.shape()[d]);
    if (inside->size()) copy(*inside, x, &stream);
    const Padding padding(options, stream);
    for (int32_t d = 0; d < x.rank(); ++d) {
      if (before[size_t(d)] + after[size_t(d)] == 0) continue;
      Ref<Array> done = result;
      for (int32_t e = d + 1; e < x.rank(); ++e) done = piece(*done, e, before[size_t(e)], x.shape()[e]);
      if (done->size()) padding.fill_axis(*done, d, before[size_t(d)], x.shape()[d]);
    }
    return result;
  });
}

}  // namespace tenon::ops
