// ops/moving/extremes.cpp: the places of the largest and smallest elements that are not NaN.
#include <tenon/functions.h>
#include <array>
#include <cmath>
#include <cstring>
#include "device/texts.hpp"
#include "ops/checks.hpp"
#include "ops/moving/applied.hpp"
#include "ops/moving/moving.hpp"
#include "ops/own.hpp"

namespace tenon::ops {
namespace {

using functions::kind_of;

// x with infinity, the worst number, where it is NaN.
Ref<Array> without_nan(const Array& x, const Array& missing, double worst, const ComputeOptions& how, Stream& stream) {
  const bool complex = kind_of(x.dtype()) == 'c';
  ComputeArg args[] = {
      operand(missing), {nullptr, "y", complex ? TENON_COMPLEX128 : TENON_FLOAT64, true, {}}, operand(x)};
  const std::array parts{worst, worst};
  std::memcpy(args[1].number, parts.data(), complex ? sizeof parts : sizeof worst);
  return select(std::span<ComputeArg, 3>(args), how, &stream);
}

[[noreturn]] void fail_for_row(const char* function, const Dims& shape, int64_t at) {
  Dims place(shape.size());
  for (int32_t d = shape.size(); d-- > 0; at /= shape[d]) place[d] = at % shape[d];
  fail(TENON_ERROR_INVALID_ARGUMENT, "%s without NaN: all elements of x are NaN%s%s", function,
       shape.size() ? " for the result at " : "", shape.size() ? shape_text(place).c_str() : "");
}

// Finds counts of 0: int64, C-ordered, of that shape.
void require_counts(const Array& counts, const char* function, Stream& stream) {
  Device& device = stream.device();
  const auto* const list = static_cast<const int64_t*>(counts.data());
  if (counts.size() == 0) return;
  if (!by_kernels(device)) {
    use({&counts}, {}, stream);
    device.run_native(
        "check",
        [native = device.native(), list, shape = Dims(counts.shape()), count = counts.size(), function] {
          const int64_t bad = native->bad_index(list, count, 1, INT64_MAX);
          if (bad >= 0) fail_for_row(function, shape, bad);
        },
        stream);
    return;
  }
  if (stream.recording()) return;  // a graph does not wait
  Checks checks(stream, true);
  tenon_finding* const bad =
      checks.place([shape = Dims(counts.shape()), function](int64_t at) { fail_for_row(function, shape, at); });
  use({&counts}, {}, stream);
  launch_own(device, {"tenon/index.cu", {device::kIndexText, device::kIndexKernels}, {"tenon_own::check_indices"}},
             striding_blocks(device, counts.size()), 256, stream, list, counts.size(), int64_t(1), INT64_MAX, bad);
  checks.defer();
}

}  // namespace

Ref<Array> place_of_number(const functions::Function& f, ComputeArg& x, const ReduceOptions& options, Stream* given,
                           const Output& out) {
  const bool largest = f.code == TENON_FN_ARGMAX;
  const Dtype dtype = result_type({&x, 1});
  if (kind_of(dtype) != 'f' && kind_of(dtype) != 'c') return reduce(f, x, options, given, out);
  give_dtype(x, dtype);
  Stream& stream = stream_or_default(given, device_of({&x, 1}, out.given()));
  return recorded_whole(stream, [&] {
    const Ref<Array> array = array_of(x, stream.device(), stream);
    out.check(TENON_INT64, reduced_shape(array->shape(), options.axes, options.keep), stream.device(),
              {{*array, x.name}});
    ReduceOptions kept = options;
    kept.keep = true;
    const ComputeOptions how{options.compiled};
    const Ref<Array> missing = applied(TENON_FN_ISNAN, {array.get()}, stream, how);
    const Ref<Array> filled = without_nan(*array, *missing, largest ? -HUGE_VAL : HUGE_VAL, how, stream);
    ComputeArg all = operand(*filled);
    const Ref<Array> best = reduce(*functions::find(largest ? TENON_FN_MAX : TENON_FN_MIN), all, kept, &stream);
    // The infinity in the place of a NaN may be the best, but is not it.
    const Ref<Array> equal = applied(TENON_FN_EQUAL, {filled.get(), best.get()}, stream, how),
                     found = applied(TENON_FN_GREATER, {equal.get(), missing.get()}, stream, how);
    ComputeArg places = operand(*found);
    require_counts(*reduce(*functions::find(TENON_FN_COUNT_NONZERO), places, options, &stream), f.name, stream);
    return reduce(*functions::find(TENON_FN_ARGMAX), places, options, &stream, out);
  });
}

}  // namespace tenon::ops
