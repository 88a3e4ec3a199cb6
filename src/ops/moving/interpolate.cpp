// ops/moving/interpolate.cpp: a function given by its values at some points, linear between them.
#include "device/texts.hpp"
#include "ops/moving/moving.hpp"
#include "ops/own.hpp"

namespace tenon::ops {
namespace {

using namespace tenon_own;

void require_operands(const Array& x, const Array& points, const Array& values) {
  const Dtype dtype = x.dtype();
  TENON_REQUIRE(dtype == TENON_FLOAT32 || dtype == TENON_FLOAT64, TENON_ERROR_DTYPE,
                "x is %s: it must be float32 or float64", dtype_name(dtype).c_str());
  TENON_REQUIRE(points.dtype() == dtype && values.dtype() == dtype, TENON_ERROR_DTYPE,
                "x is %s, points is %s and values is %s: they must have one dtype", dtype_name(dtype).c_str(),
                dtype_name(points.dtype()).c_str(), dtype_name(values.dtype()).c_str());
  TENON_REQUIRE(points.rank() == 1 && values.rank() == 1 && points.size() == values.size(), TENON_ERROR_SHAPE,
                "points has shape %s and values %s: they must be lists of the same length",
                shape_text(points.shape()).c_str(), shape_text(values.shape()).c_str());
  TENON_REQUIRE(points.size(), TENON_ERROR_INVALID_ARGUMENT, "points has no elements: at least one is needed");
}

void run_interpolation(const InterpolateWork& w, Dtype dtype, Stream& stream) {
  Device& device = stream.device();
  if (!by_kernels(device)) {
    device.run_native("interpolate", [native = device.native(), dtype, w] { native->interpolate(dtype, w); }, stream);
    return;
  }
  const OwnKernel kernel{
      "tenon/interpolate.cu",
      {device::kOrderText, device::kQuantileText, device::kInterpolateText, device::kBlockText},
      {format("tenon_own::each<tenon_own::Interpolate<%s>, tenon_own::InterpolateWork>", element_name(dtype, "x"))}};
  launch_own(device, kernel, striding_blocks(device, w.count), 256, stream, w, w.count);
}

}  // namespace

Ref<Array> interpolate(const Array& x, const Array& points, const Array& values, const InterpolateOptions& options,
                       Stream* given, const Output& out) {
  require_operands(x, points, values);
  Stream& stream = stream_or_default(given, given ? given->device() : x.device());
  Device& device = stream.device();
  require_on(x, device, "x");
  require_on(points, device, "points");
  require_on(values, device, "values");
  return recorded_whole(stream, [&] {
    const Ref<Array> result =
        open_plain(out, x.dtype(), x.shape(), stream, {{x, "x"}, {points, "points"}, {values, "values"}});
    if (x.size() == 0) return out.deliver(result, stream);
    const Ref<Array> at = contiguous(x, stream), from = contiguous(points, stream), to = contiguous(values, stream);
    InterpolateWork w{from->data(), to->data(), at->data(), result->data(), points.size(), x.size()};
    w.below = options.below.value_or(0), w.has_below = options.below.has_value();
    w.above = options.above.value_or(0), w.has_above = options.above.has_value();
    use({at.get(), from.get(), to.get()}, {result.get()}, stream);
    run_interpolation(w, x.dtype(), stream);
    return out.deliver(result, stream);
  });
}

}  // namespace tenon::ops
