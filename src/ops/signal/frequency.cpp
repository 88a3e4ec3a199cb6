// ops/signal/frequency.cpp: the order of a transform's elements, and their frequencies.
#include <tenon/signal.h>
#include <cmath>
#include "core/array/copy.hpp"
#include "core/device/recording.hpp"
#include "ops/moving/moving.hpp"
#include "ops/signal/signal.hpp"

namespace tenon::ops {
namespace {

constexpr size_t kTogether = 4;  // the most axes exchanged in one round of copies, in up to 2^4 pieces

// Exchanges the two parts of `from` along each axis: its first number moves to position `first` of that axis.
void exchange(Array& to, const Array& from, std::span<const int32_t> axes, bool inverse, Stream& stream) {
  if (axes.empty()) return copy(to, from, &stream);
  const int32_t axis = axes[0];
  const int64_t n = from.shape()[axis], first = inverse ? n - n / 2 : n / 2;
  if (first < n)
    exchange(*piece(to, axis, first, n - first), *piece(from, axis, 0, n - first), axes.subspan(1), inverse, stream);
  if (first > 0)
    exchange(*piece(to, axis, 0, first), *piece(from, axis, n - first, first), axes.subspan(1), inverse, stream);
}

}  // namespace

Ref<Array> fft_shift(const Array& x, const int32_t* axes, int32_t axis_count, bool inverse, Stream* given,
                     const Output& output) {
  std::vector<int32_t> chosen;
  if (axis_count || x.rank()) chosen = chosen_axes(x.rank(), axes, axis_count ? axis_count : x.rank(), "shifted");
  TENON_REQUIRE(dtype_bytes(x.dtype()), TENON_ERROR_UNSUPPORTED,
                "%s has elements smaller than a byte, which cannot be moved", dtype_name(x.dtype()).c_str());
  Stream& stream = stream_or_default(given, given ? given->device() : x.device());
  require_on(x, stream.device(), "x");
  const Ref<Array> out = output.open(x.dtype(), x.shape(), stream, {{x, "x"}});
  if (out->size() == 0) return out;
  std::erase_if(chosen, [&](int32_t axis) { return x.shape()[axis] == 1; });
  return recorded_whole(stream, [&] {
    Ref<Array> from(const_cast<Array*>(&x));
    std::span<const int32_t> rest(chosen);
    for (;;) {
      const size_t count = std::min(rest.size(), kTogether);
      const bool last = count == rest.size();
      const Ref<Array> to = last ? out : Array::create(stream.device(), x.dtype(), x.shape(), stream);
      exchange(*to, *from, rest.first(count), inverse, stream);
      if (last) return out;
      rest = rest.subspan(count);
      from = to;
    }
  });
}

Ref<Array> fft_frequencies(Device& device, Dtype dtype, int64_t n, double spacing, bool half, Stream* given,
                           const Output& output) {
  TENON_REQUIRE(dtype == TENON_FLOAT16 || dtype == TENON_BFLOAT16 || dtype == TENON_FLOAT32 || dtype == TENON_FLOAT64,
                TENON_ERROR_DTYPE, "frequencies must be float16, bfloat16, float32 or float64, not %s",
                dtype_name(dtype).c_str());
  TENON_REQUIRE(n >= 1, TENON_ERROR_INVALID_ARGUMENT, "a transform needs at least one number, not %lld",
                static_cast<long long>(n));
  TENON_REQUIRE(std::isfinite(spacing) && spacing != 0, TENON_ERROR_INVALID_ARGUMENT,
                "the spacing is %g: the distance between samples must be finite and not 0", spacing);
  const double scale = 1 / (double(n) * spacing);
  TENON_REQUIRE(std::isfinite(scale) && scale != 0, TENON_ERROR_OVERFLOW,
                "the frequencies of %lld samples that are %g apart do not fit float64", static_cast<long long>(n),
                spacing);
  Stream& stream = stream_or_default(given, device);
  FrequenciesProblem p;
  p.count = half ? n / 2 + 1 : n;
  p.negative = half ? 0 : n / 2;
  p.scale = scale;
  const Extents shape(&p.count, 1);
  output.check(dtype, shape, device, {});
  const bool direct = output.given() && dtype == TENON_FLOAT64 && output.given()->c_contiguous();
  const Ref<Array> wide = direct ? Ref<Array>(output.given()) : Array::create(device, TENON_FLOAT64, shape, stream);
  p.to = static_cast<double*>(wide->data());
  return recorded_whole(stream, [&] {
    wide->buffer().use(stream, true);
    device.run(p, stream);
    if (output.given()) return output.deliver(wide, stream);  // the copy rounds
    return dtype == TENON_FLOAT64 ? wide : convert(*wide, dtype, device, &stream);
  });
}

}  // namespace tenon::ops
