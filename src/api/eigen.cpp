// api/eigen.cpp: eigenvalues, norms, and functions of matrices.
#include "api/guard.hpp"
#include "ops/eigen/eigen.hpp"
#include "ops/solve/solve.hpp"

using namespace tenon;
using namespace tenon::api;

int32_t tenon_eigh(const tenon_array* a, const tenon_eigh_options* given, tenon_stream* stream, tenon_array** out_w,
                   tenon_array** out_v) {
  return guard([&] {
    InOut w(out_w, "out_w"), v(out_v, "out_v", true);
    InOut::apart({&w, &v});
    const tenon_eigh_options options = options_from(given, "options");
    TENON_REQUIRE(options.count >= 0, TENON_ERROR_INVALID_ARGUMENT,
                  "count is %lld: it must not be negative; 0 requests all eigenvalues",
                  static_cast<long long>(options.count));
    const bool upper = yes_or_no(options.upper, "upper"), by_value = yes_or_no(options.by_value, "by_value");
    TENON_REQUIRE(
        by_value ? options.first == 0 && options.count == 0 : options.low == 0 && options.high == 0,
        TENON_ERROR_INVALID_ARGUMENT,
        "options select eigenvalues both by index (first, count) and by value (by_value, low, high): use one of the "
        "two");
    Stream* on = get_or_null(stream, "stream");
    ops::EigenResult result =
        by_value
            ? ops::eigh_between(get(a, "a"), v.wanted(), upper, options.low, options.high, on, {w, v})
            : ops::eigh(get(a, "a"), v.wanted(), upper, options.first, options.count ? options.count : -1, on, {w, v});
    InOut::give({{&w, result.w}, {&v, result.v}});
  });
}

int32_t tenon_eig(const tenon_array* a, const tenon_eig_options* options, tenon_stream* stream, tenon_array** out_w,
                  tenon_array** out_left, tenon_array** out_right) {
  return guard([&] {
    InOut w(out_w, "out_w"), left(out_left, "out_left", true), right(out_right, "out_right", true);
    InOut::apart({&w, &left, &right});
    options_from(options, "options");
    ops::EigenVectors result =
        ops::eig(get(a, "a"), left.wanted(), right.wanted(), get_or_null(stream, "stream"), {w, left, right});
    InOut::give({{&w, result.w}, {&left, result.left}, {&right, result.right}});
  });
}

int32_t tenon_norm(const tenon_array* a, const tenon_norm_options* options, tenon_stream* stream,
                   tenon_array** out_norm) {
  return guard([&] {
    InOut norm(out_norm, "out_norm");
    norm.set(ops::norm(get(a, "a"), options_from(options, "options").kind, get_or_null(stream, "stream"), norm));
  });
}

int32_t tenon_cond(const tenon_array* a, const tenon_norm_options* options, tenon_stream* stream,
                   tenon_array** out_cond) {
  return guard([&] {
    InOut cond(out_cond, "out_cond");
    cond.set(ops::cond(get(a, "a"), options_from(options, "options").kind, get_or_null(stream, "stream"), cond));
  });
}

int32_t tenon_matrix_power(const tenon_array* a, int64_t n, const tenon_power_options* options, tenon_stream* stream,
                           tenon_array** out_power) {
  return guard([&] {
    InOut power(out_power, "out_power");
    options_from(options, "options");
    power.set(ops::matrix_power(get(a, "a"), n, get_or_null(stream, "stream"), power));
  });
}

int32_t tenon_expm(const tenon_array* a, const tenon_power_options* options, tenon_stream* stream,
                   tenon_array** out_exponential) {
  return guard([&] {
    InOut exponential(out_exponential, "out_exponential");
    options_from(options, "options");
    exponential.set(ops::expm(get(a, "a"), get_or_null(stream, "stream"), exponential));
  });
}
