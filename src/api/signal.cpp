// api/signal.cpp: convolution and correlation, order, frequencies, fast lengths.
#include "api/guard.hpp"
#include "ops/checks.hpp"
#include "ops/signal/signal.hpp"

using namespace tenon;
using namespace tenon::api;

namespace {

// 0 axes are all of them, listed or not.
const int32_t* need_axes(const int32_t* axes, int32_t count) {
  TENON_REQUIRE(count >= 0, TENON_ERROR_INVALID_ARGUMENT, "the number of axes is %d: it must not be negative", count);
  return count ? axes : nullptr;
}

}  // namespace

int32_t tenon_convolve(const tenon_array* a, const tenon_array* b, const int32_t* axes, int32_t axis_count,
                       const tenon_convolve_options* given, tenon_stream* stream, tenon_array** out_result) {
  return guard([&] {
    InOut out(out_result, "out_result");
    const tenon_convolve_options options = options_from(given, "options");
    ops::check_operands({{get(a, "a"), "a"}, {get(b, "b"), "b"}}, get_or_null(stream, "stream"));
    out.set(ops::convolve(get(a, "a"), get(b, "b"), need_axes(axes, axis_count), axis_count, options.mode,
                          yes_or_no(options.correlate, "correlate"), get_or_null(stream, "stream"), out));
  });
}

int32_t tenon_fft_shift(const tenon_array* x, const int32_t* axes, int32_t axis_count, const tenon_shift_options* given,
                        tenon_stream* stream, tenon_array** out_shifted) {
  return guard([&] {
    InOut out(out_shifted, "out_shifted");
    const tenon_shift_options options = options_from(given, "options");
    out.set(ops::fft_shift(get(x, "x"), need_axes(axes, axis_count), axis_count, yes_or_no(options.inverse, "inverse"),
                           get_or_null(stream, "stream"), out));
  });
}

int32_t tenon_fft_frequencies(tenon_device* device, uint32_t dtype, int64_t n, double spacing,
                              const tenon_frequencies_options* given, tenon_stream* stream,
                              tenon_array** out_frequencies) {
  return guard([&] {
    InOut out(out_frequencies, "out_frequencies");
    const tenon_frequencies_options options = options_from(given, "options");
    out.set(ops::fft_frequencies(get(device, "device").device, dtype, n, spacing, yes_or_no(options.half, "half"),
                                 get_or_null(stream, "stream"), out));
  });
}

int32_t tenon_fft_fast_length(int64_t n, int64_t* out_length) {
  return guard([&] { need(out_length, "out_length") = ops::fast_length(n); });
}
