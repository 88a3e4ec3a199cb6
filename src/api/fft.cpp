// api/fft.cpp: discrete Fourier transforms.
#include "api/guard.hpp"
#include "ops/checks.hpp"
#include "ops/products/products.hpp"
#include "ops/signal/signal.hpp"

using namespace tenon;
using namespace tenon::api;

int32_t tenon_fft(const tenon_array* source, const int32_t* axes, int32_t axis_count, const tenon_fft_options* given,
                  tenon_stream* stream, tenon_array** out_destination) {
  return guard([&] {
    const Array& from = get(source, "source");
    InOut out(out_destination, "out_destination");
    if (const int32_t status = lost(from.device())) return status;
    const tenon_fft_options options = options_from(given, "options");
    Stream* on = get_or_null(stream, "stream");
    const Ref<Array> to = ops::fft_destination(from, axes, axis_count, options.real_length, on, out);
    ops::check_operands({{from, "the source"}}, on);
    ops::fft(from, *to, axes, axis_count, options.direction, options.norm, on);
    out.set(to);
    return TENON_OK;
  });
}

namespace {

ops::DctOptions dct_options_from(const tenon_dct_options* given) {
  const tenon_dct_options options = options_from(given, "options");
  return {options.type ? options.type : 2, yes_or_no(options.sine, "sine"), options.direction, options.norm};
}

}  // namespace

int32_t tenon_dct(const tenon_array* source, const int32_t* axes, int32_t axis_count, const tenon_dct_options* options,
                  tenon_stream* stream, tenon_array** out_destination) {
  return guard([&] {
    const Array& from = get(source, "source");
    InOut out(out_destination, "out_destination");
    if (const int32_t status = lost(from.device())) return status;
    const ops::DctOptions known = dct_options_from(options);
    Stream* on = get_or_null(stream, "stream");
    const Ref<Array> to = out.given() ? Ref<Array>(out.given()) : ops::like(from, on);
    ops::check_operands({{from, "the source"}}, on);
    ops::dct(from, *to, axes, axis_count, known, on);
    out.set(to);
    return TENON_OK;
  });
}

int32_t tenon_fft_prepare(const tenon_array* source, const tenon_array* destination, const int32_t* axes,
                          int32_t axis_count, const tenon_fft_options* given) {
  return guard([&] {
    const tenon_fft_options options = options_from(given, "options");
    ops::prepare_fft(get(source, "source"), get(destination, "destination"), axes, axis_count, options.direction,
                     options.norm);
  });
}

int32_t tenon_dct_prepare(const tenon_array* source, const tenon_array* destination, const int32_t* axes,
                          int32_t axis_count, const tenon_dct_options* options) {
  return guard([&] {
    ops::prepare_dct(get(source, "source"), get(destination, "destination"), axes, axis_count,
                     dct_options_from(options));
  });
}
