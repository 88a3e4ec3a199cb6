// api/fft.cpp: discrete Fourier transforms.
#include "api/guard.hpp"
#include "ops/checks.hpp"
#include "ops/ops.hpp"

using namespace tenon;
using namespace tenon::api;

int32_t tenon_fft(const tenon_array* source, tenon_array* destination, const int32_t* axes, int32_t axis_count,
                  const tenon_fft_options* given, tenon_stream* stream) {
  return guard([&] {
    const Array& from = get(source, "source");
    Array& to = get(destination, "destination");
    if (const int32_t status = lost(to.device())) return status;
    const tenon_fft_options options = options_from(given, "options");
    ops::check_operands({{from, "the source"}}, get_or_null(stream, "stream"));
    ops::fft(from, to, axes, axis_count, options.direction, options.norm, get_or_null(stream, "stream"));
    return TENON_OK;
  });
}

namespace {

ops::DctOptions dct_options_from(const tenon_dct_options* given) {
  const tenon_dct_options options = options_from(given, "options");
  TENON_REQUIRE(options.reserved == 0, TENON_ERROR_VERSION, "options has a reserved field that is not 0");
  return {options.type ? options.type : 2, yes_or_no(options.sine, "sine"), options.direction, options.norm};
}

}  // namespace

int32_t tenon_dct(const tenon_array* source, tenon_array* destination, const int32_t* axes, int32_t axis_count, const tenon_dct_options* options,
                  tenon_stream* stream) {
  return guard([&] {
    const Array& from = get(source, "source");
    Array& to = get(destination, "destination");
    if (const int32_t status = lost(to.device())) return status;
    const ops::DctOptions known = dct_options_from(options);
    ops::check_operands({{from, "the source"}}, get_or_null(stream, "stream"));
    ops::dct(from, to, axes, axis_count, known, get_or_null(stream, "stream"));
    return TENON_OK;
  });
}

int32_t tenon_fft_prepare(const tenon_array* source, const tenon_array* destination, const int32_t* axes, int32_t axis_count,
                          const tenon_fft_options* given) {
  return guard([&] {
    const tenon_fft_options options = options_from(given, "options");
    ops::prepare_fft(get(source, "source"), get(destination, "destination"), axes, axis_count, options.direction, options.norm);
  });
}

int32_t tenon_dct_prepare(const tenon_array* source, const tenon_array* destination, const int32_t* axes, int32_t axis_count,
                          const tenon_dct_options* options) {
  return guard([&] {
    ops::prepare_dct(get(source, "source"), get(destination, "destination"), axes, axis_count, dct_options_from(options));
  });
}
