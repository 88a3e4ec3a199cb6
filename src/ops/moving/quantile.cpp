// ops/moving/quantile.cpp: quantiles over any axes, of sorted rows.
#include <cmath>
#include "device/texts.hpp"
#include "ops/compute/compute.hpp"
#include "ops/moving/moving.hpp"
#include "ops/own.hpp"

namespace tenon::ops {
namespace {

using namespace tenon_own;

// Do the method's results have the elements' dtype?
bool gives_elements(int32_t method) {
  switch (method) {
    case TENON_QUANTILE_LOWER:
    case TENON_QUANTILE_HIGHER:
    case TENON_QUANTILE_NEAREST:
    case TENON_QUANTILE_INVERTED_CDF:
    case TENON_QUANTILE_CLOSEST_OBSERVATION: return true;
    default: return false;
  }
}

// Floating-point and complex numbers: their quantiles have the same dtype.
bool has_nan(Dtype dtype) { return functions::kind_of(dtype) == 'f' || functions::kind_of(dtype) == 'c'; }

void require_probabilities(std::span<const double> given) {
  for (size_t k = 0; k < given.size(); ++k)
    TENON_REQUIRE(given[k] >= 0 && given[k] <= 1, TENON_ERROR_INVALID_ARGUMENT,
                  "probabilities[%zu] is %g: it must lie in [0, 1]", k, given[k]);
}

// The axes, in order, moved to the end and merged: (rows, n), sorted.
Ref<Array> sorted_rows(const Array& x, const std::vector<int32_t>& axes, int64_t n, Stream& stream) {
  std::vector<int32_t> order;
  for (int32_t d = 0; d < x.rank(); ++d)
    if (std::find(axes.begin(), axes.end(), d) == axes.end()) order.push_back(d);
  order.insert(order.end(), axes.begin(), axes.end());
  const Ref<Array> view = x.rank() ? x.transpose(order) : Ref<Array>(const_cast<Array*>(&x));
  const Ref<Array> rows = contiguous(*view, stream)->reshape(Dims{x.size() / n, n});
  return sort(*rows, 1, false, &stream, {}, Output(nullptr, "", false)).values;
}

void run_quantile(const QuantileWork& w, Dtype dtype, bool exact, Stream& stream) {
  Device& device = stream.device();
  if (!by_kernels(device)) {
    device.run_native(
        "quantile", [native = device.native(), dtype, exact, w] { native->quantile(dtype, exact, w); }, stream);
    return;
  }
  const char* const element = ordered_name(dtype, "x");
  const std::string op = exact ? format("QuantileElement<%s>", element)
                               : format("QuantileNumber<%s, %s>", element, has_nan(dtype) ? element : "double");
  const OwnKernel kernel{"tenon/quantile.cu",
                         {device::kOrderText, device::kQuantileText, device::kBlockText},
                         {format("tenon_own::each<tenon_own::%s, tenon_own::QuantileWork>", op.c_str())}};
  const int64_t count = w.rows * w.count;
  launch_own(device, kernel, striding_blocks(device, count), 256, stream, w, count);
}

}  // namespace

Ref<Array> quantile(const Array& x, std::span<const double> probabilities, const QuantileOptions& options,
                    Stream* given, const Output& out) {
  TENON_REQUIRE(options.method >= TENON_QUANTILE_LINEAR && options.method <= TENON_QUANTILE_NORMAL_UNBIASED,
                TENON_ERROR_INVALID_ARGUMENT, "options->method %d is not one of TENON_QUANTILE_*", options.method);
  require_probabilities(probabilities);
  ordered_name(x.dtype(), "x");
  const bool exact = gives_elements(options.method), floating = has_nan(x.dtype());
  const Dtype dtype = exact || floating ? x.dtype() : Dtype(TENON_FLOAT64);
  const Dims kept = reduced_shape(x.shape(), options.axes, options.keep);
  Dims shape(kept.size() + 1);
  shape[0] = int64_t(probabilities.size());
  for (int32_t d = 0; d < kept.size(); ++d) shape[d + 1] = kept[d];
  int64_t n = 1;
  for (int32_t axis : options.axes) n *= x.shape()[axis];
  Stream& stream = stream_or_default(given, given ? given->device() : x.device());
  Device& device = stream.device();
  require_on(x, device, "x");
  return recorded_whole(stream, [&] {
    const Ref<Array> result = open_plain(out, dtype, shape, stream, {{x, "x"}});
    if (result->size() == 0) return out.deliver(result, stream);
    TENON_REQUIRE(n || !exact || floating, TENON_ERROR_INVALID_ARGUMENT,
                  "quantiles over no elements: the reduced axes have extent 0, and %s has no NaN",
                  dtype_name(dtype).c_str());
    if (n == 0) {
      fill(*result, std::nan(""), dtype_complex(dtype) ? std::nan("") : 0, &stream);
      return out.deliver(result, stream);
    }
    const Ref<Array> sorted = sorted_rows(x, options.axes, n, stream);
    QuantileWork w{};
    w.sorted = sorted->data();
    w.rows = x.size() / n;
    w.n = n;
    w.method = options.method, w.ignore_nan = options.ignore_nan;
    use({sorted.get()}, {result.get()}, stream);
    for (size_t first = 0; first < probabilities.size(); first += kQuantiles) {
      w.count = int32_t(std::min<size_t>(kQuantiles, probabilities.size() - first));
      w.to = static_cast<char*>(result->data()) + int64_t(first) * w.rows * int64_t(dtype_bytes(dtype));
      std::copy_n(probabilities.begin() + int64_t(first), w.count, w.probability);
      run_quantile(w, x.dtype(), exact, stream);
    }
    return out.deliver(result, stream);
  });
}

}  // namespace tenon::ops
