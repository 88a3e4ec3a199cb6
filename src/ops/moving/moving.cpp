// ops/moving/moving.cpp: joining, repeating and shifting arrays, as copies between views; ranges.
#include <algorithm>
#include <bit>
#include <cmath>
#include "device/texts.hpp"
#include "ops/moving/moving.hpp"
#include "ops/own.hpp"

namespace tenon::ops {

// Elements [begin, begin + count) along an axis.
Ref<Array> piece(const Array& x, int32_t axis, int64_t begin, int64_t count) {
  Dims shape = x.shape();
  shape[axis] = count;
  return x.with(shape, x.strides(), element_count(shape) ? begin * x.strides()[axis] : 0, x.read_only());
}

namespace {

Ref<Array> new_axis(const Array& x, int32_t axis) {
  Dims shape(x.rank() + 1), strides(x.rank() + 1);
  for (int32_t d = 0, from = 0; d <= x.rank(); ++d) {
    shape[d] = d == axis ? 1 : x.shape()[from];
    strides[d] = d == axis ? 1 : x.strides()[from++];
  }
  return x.with(shape, strides, 0, x.read_only());
}

Stream& stream_of(Stream* given, const Array& x) {
  Stream& stream = stream_or_default(given, given ? given->device() : x.device());
  require_on(x, stream.device(), "x");
  return stream;
}

int64_t require_fit(bool overflow, int64_t result, int64_t a, const char* how, int64_t b) {
  TENON_REQUIRE(!overflow, TENON_ERROR_OVERFLOW, "an extent of %lld %s %lld does not fit in 63 bits",
                static_cast<long long>(a), how, static_cast<long long>(b));
  return result;
}
int64_t checked_product(int64_t a, int64_t b) {
  int64_t product;
  const bool overflow = __builtin_mul_overflow(a, b, &product);
  return require_fit(overflow, product, a, "times", b);
}

}  // namespace

int64_t checked_sum(int64_t a, int64_t b) {
  int64_t sum;
  const bool overflow = __builtin_add_overflow(a, b, &sum);
  return require_fit(overflow, sum, a, "plus", b);
}

Ref<Array> concat(Arrays arrays, int32_t given_axis, bool stack, Stream* given, const Output& out) {
  const char* const done = stack ? "stack" : "concat";
  TENON_REQUIRE(!arrays.empty(), TENON_ERROR_INVALID_ARGUMENT, "%s needs at least one array", done);
  const Array& first = *arrays[0];
  TENON_REQUIRE(stack || first.rank() > 0, TENON_ERROR_SHAPE, "arrays without axes cannot be concatenated: stack them");
  const int32_t axis = normal_axis(given_axis, first.rank() + stack);
  Dims shape = stack ? new_axis(first, axis)->shape() : first.shape();
  shape[axis] = 0;
  for (size_t i = 0; i < arrays.size(); ++i) {
    const Array& x = *arrays[i];
    TENON_REQUIRE(x.dtype() == first.dtype(), TENON_ERROR_DTYPE,
                  "arrays[%zu] is %s, arrays[0] is %s: convert one of them", i, dtype_name(x.dtype()).c_str(),
                  dtype_name(first.dtype()).c_str());
    bool fits = x.rank() == first.rank();
    for (int32_t d = 0; fits && d < x.rank(); ++d) fits = x.shape()[d] == first.shape()[d] || (!stack && d == axis);
    TENON_REQUIRE(fits, TENON_ERROR_SHAPE, "arrays[%zu] has shape %s, arrays[0] has %s: %s", i,
                  shape_text(x.shape()).c_str(), shape_text(first.shape()).c_str(),
                  stack ? "all shapes must be equal" : "shapes may differ along that axis only");
    shape[axis] = checked_sum(shape[axis], stack ? 1 : x.shape()[axis]);
  }
  TENON_REQUIRE(shape.size() <= TENON_MAX_RANK, TENON_ERROR_SHAPE, "the result would have more than %d axes",
                TENON_MAX_RANK);
  Stream& stream = stream_or_default(given, given ? given->device() : first.device());
  for (size_t i = 0; i < arrays.size(); ++i) {
    require_on(*arrays[i], stream.device(), format("arrays[%zu]", i).c_str());
    out.check(first.dtype(), shape, stream.device(), {{*arrays[i], "an input"}});
  }
  return recorded_whole(stream, [&] {
    const Ref<Array> result = out.open(first.dtype(), shape, stream, {});
    int64_t at = 0;
    for (const Array* x : arrays) {
      const Ref<Array> part = stack ? new_axis(*x, axis) : Ref<Array>(const_cast<Array*>(x));
      const int64_t count = part->shape()[axis];
      if (part->size()) copy(*piece(*result, axis, at, count), *part, &stream);
      at += count;
    }
    return result;
  });
}

Ref<Array> tile(const Array& x, Extents repeats, Stream* given, const Output& out) {
  const int32_t rank = std::max(x.rank(), int32_t(repeats.size()));
  Dims shape(rank), wide(2 * rank), strides(2 * rank);  // for the result with each axis as (repeats, extent)
  for (int32_t d = 0; d < rank; ++d) {
    const int32_t own = d - (rank - x.rank()), times = d - (rank - int32_t(repeats.size()));
    const int64_t n = own < 0 ? 1 : x.shape()[own], r = times < 0 ? 1 : repeats[size_t(times)];
    TENON_REQUIRE(r >= 0, TENON_ERROR_INVALID_ARGUMENT, "repeats[%d] is %lld: it must not be negative", times,
                  static_cast<long long>(r));
    shape[d] = checked_product(n, r);
    wide[2 * d] = r, wide[2 * d + 1] = n;
    strides[2 * d] = 0, strides[2 * d + 1] = own < 0 ? 0 : x.strides()[own];
  }
  Stream& stream = stream_of(given, x);
  return recorded_whole(stream, [&] {
    const Ref<Array> result = out.open(x.dtype(), shape, stream, {{x, "x"}});
    if (result->size() == 0) return result;
    Dims to(2 * rank);
    for (int32_t d = 0; d < rank; ++d)
      to[2 * d] = result->strides()[d] * wide[2 * d + 1], to[2 * d + 1] = result->strides()[d];
    copy(*result->with(wide, to, 0, false), *x.with(wide, strides, 0, true), &stream);
    return result;
  });
}

Ref<Array> repeat(const Array& x, int64_t count, int32_t given_axis, Stream* given, const Output& out) {
  TENON_REQUIRE(count >= 0, TENON_ERROR_INVALID_ARGUMENT, "count is %lld: it must not be negative",
                static_cast<long long>(count));
  const int32_t axis = normal_axis(given_axis, x.rank());
  Dims shape = x.shape();
  shape[axis] = checked_product(shape[axis], count);
  Stream& stream = stream_of(given, x);
  return recorded_whole(stream, [&] {
    const Ref<Array> result = out.open(x.dtype(), shape, stream, {{x, "x"}});
    if (result->size() == 0) return result;
    Dims wide(x.rank() + 1), to(x.rank() + 1), from(x.rank() + 1);  // the axis as (extent, count)
    for (int32_t d = 0; d <= x.rank(); ++d) {
      const int32_t own = d <= axis ? d : d - 1;
      const bool repeated = d == axis + 1;
      wide[d] = repeated ? count : x.shape()[own];
      to[d] = result->strides()[own] * (d == axis ? count : 1);
      from[d] = repeated ? 0 : x.strides()[own];
    }
    copy(*result->with(wide, to, 0, false), *x.with(wide, from, 0, true), &stream);
    return result;
  });
}

namespace {

// Along each axis the last shifts[axis] numbers of `from` come first.
void roll_pieces(Array& to, const Array& from, std::span<const int32_t> axes, const std::vector<int64_t>& shifts,
                 Stream& stream) {
  if (to.size() == 0) return;
  if (axes.empty()) return copy(to, from, &stream);
  const int32_t axis = axes[0];
  const int64_t n = from.shape()[axis], first = shifts[size_t(axis)];
  roll_pieces(*piece(to, axis, first, n - first), *piece(from, axis, 0, n - first), axes.subspan(1), shifts, stream);
  roll_pieces(*piece(to, axis, 0, first), *piece(from, axis, n - first, first), axes.subspan(1), shifts, stream);
}

}  // namespace

Ref<Array> roll(const Array& x, std::span<const int64_t> shifts, std::span<const int32_t> axes, Stream* given,
                const Output& out) {
  std::vector<int64_t> total(size_t(x.rank()), 0);
  for (size_t k = 0; k < axes.size(); ++k) {
    const int32_t axis = normal_axis(axes[k], x.rank());
    const int64_t n = std::max<int64_t>(x.shape()[axis], 1), shift = shifts[k] % n;
    total[size_t(axis)] = (total[size_t(axis)] + (shift < 0 ? shift + n : shift)) % n;
  }
  std::vector<int32_t> moved;
  for (int32_t d = 0; d < x.rank(); ++d)
    if (total[size_t(d)]) moved.push_back(d);
  constexpr size_t kTogether = 4;  // the most axes rolled in one pass, in up to 2^4 pieces
  Stream& stream = stream_of(given, x);
  return recorded_whole(stream, [&] {
    const Ref<Array> result = out.open(x.dtype(), x.shape(), stream, {{x, "x"}});
    if (result->size() == 0) return result;
    Ref<Array> from(const_cast<Array*>(&x));
    std::span<const int32_t> rest(moved);
    while (rest.size() > kTogether) {
      const Ref<Array> next = Array::create(stream.device(), x.dtype(), x.shape(), stream);
      roll_pieces(*next, *from, rest.first(kTogether), total, stream);
      from = next;
      rest = rest.subspan(kTogether);
    }
    roll_pieces(*result, *from, rest, total, stream);
    return result;
  });
}

// ---- Ranges ----

Ref<Array> range(Device& device, Dtype dtype, int64_t count, const tenon_range_options& o, Stream* given,
                 const Output& out) {
  using namespace tenon_own;
  TENON_REQUIRE(count >= 0, TENON_ERROR_INVALID_ARGUMENT, "count is %lld: it must not be negative",
                static_cast<long long>(count));
  Stream& stream = stream_or_default(given, device);
  const bool is_complex = dtype_complex(dtype);
  const Dtype part = is_complex ? TENON_FLOAT64 : dtype;
  const char* const element = element_name(part, "the result");
  TENON_REQUIRE(dtype != TENON_BOOL, TENON_ERROR_DTYPE, "a range cannot be bool: a numeric dtype is needed");
  RangeWork w{};
  w.count = count;
  w.first = o.first, w.step = o.integer_step;
  w.start = o.start, w.distance = o.step, w.last = o.last, w.has_last = o.has_last;
  return recorded_whole(stream, [&] {
    const Ref<Array> result =
        is_complex ? Array::create(device, part, Dims{count}, stream) : open_plain(out, dtype, Dims{count}, stream, {});
    if (is_complex) out.check(dtype, Dims{count}, device, {});
    w.to = result->data();
    if (count) {
      use({}, {result.get()}, stream);
      if (!by_kernels(device))
        device.run_native("range", [native = device.native(), part, w] { native->range(part, w); }, stream);
      else
        launch_each(device, format("%s<%s>", dtype_floating(part) ? "Range" : "WholeRange", element), "RangeWork", w,
                    count, stream);
    }
    if (!is_complex) return out.deliver(result, stream);
    const Ref<Array> whole = out.open(dtype, Dims{count}, stream, {});
    copy(*whole, *result, &stream);
    return whole;
  });
}

Ref<Array> eye(Device& device, Dtype dtype, int64_t rows, int64_t columns, int64_t diagonal, Stream* given,
               const Output& out) {
  const Dims shape{rows, columns};
  element_count(shape);
  TENON_REQUIRE(dtype_converts(dtype), TENON_ERROR_DTYPE,
                "an identity matrix cannot be %s: a numeric dtype or bool is needed", dtype_name(dtype).c_str());
  Stream& stream = stream_or_default(given, device);
  return recorded_whole(stream, [&] {
    const Ref<Array> result = out.open(dtype, shape, stream, {});
    fill(*result, 0, 0, &stream);
    if (diagonal > -rows && diagonal < columns) {
      const int64_t row = diagonal < 0 ? -diagonal : 0, column = diagonal > 0 ? diagonal : 0,
                    n = std::min(rows - row, columns - column);
      const int64_t down = result->strides()[0], along = result->strides()[1];
      if (n > 0) fill(*result->with(Dims{n}, Dims{down + along}, row * down + column * along, false), 1, 0, &stream);
    }
    return result;
  });
}

Ref<Array> triangle(const Array& x, bool upper, int64_t diagonal, Stream* given, const Output& out) {
  using namespace tenon_own;
  TENON_REQUIRE(x.rank() >= 2, TENON_ERROR_SHAPE, "x has %d axes: a triangle needs matrices, with at least two",
                x.rank());
  const uint32_t bytes = dtype_bytes(x.dtype());
  TENON_REQUIRE(std::has_single_bit(bytes) && bytes <= 16, TENON_ERROR_UNSUPPORTED,
                "x is %s: elements of 1, 2, 4, 8 or 16 bytes can be moved", dtype_name(x.dtype()).c_str());
  Stream& stream = stream_of(given, x);
  Device& device = stream.device();
  return recorded_whole(stream, [&] {
    const Ref<Array> result = open_plain(out, x.dtype(), x.shape(), stream, {{x, "x"}});
    if (x.size() == 0) return out.deliver(result, stream);
    const Ref<Array> from = contiguous(x, stream);
    const TriangleWork w{from->data(), result->data(), x.shape()[x.rank() - 2], x.shape()[x.rank() - 1],
                         diagonal,     upper};
    use({from.get()}, {result.get()}, stream);
    const int64_t count = x.size();
    if (!by_kernels(device))
      device.run_native(
          "triangle", [native = device.native(), bytes, w, count] { native->triangle(bytes, w, count); }, stream);
    else {
      const char* const word = bytes == 1   ? "tenon_own::u8"
                               : bytes == 2 ? "tenon_own::u16"
                               : bytes == 4 ? "tenon_own::u32"
                               : bytes == 8 ? "tenon_own::u64"
                                            : "tenon_own::u128";
      launch_each(device, format("Triangle<%s>", word), "TriangleWork", w, count, stream);
    }
    return out.deliver(result, stream);
  });
}

}  // namespace tenon::ops
