// api/eigen.cpp: eigenvalues, norms, and functions of matrices.
#include "api/guard.hpp"
#include "ops/ops.hpp"

using namespace tenon;
using namespace tenon::api;

int32_t tenon_eigh(const tenon_array* a, const tenon_eigh_options* given, tenon_stream* stream, tenon_array** out_w,
                   tenon_array** out_v) {
  return guard([&] {
    Outs<2> outs({{out_w, "out_w", false}, {out_v, "out_v", true}});
    const tenon_eigh_options options = options_from(given, "options");
    TENON_REQUIRE(options.count >= 0, TENON_ERROR_INVALID_ARGUMENT, "count is %lld: 0 asks for all eigenvalues",
                  static_cast<long long>(options.count));
    TENON_REQUIRE(options.reserved == 0, TENON_ERROR_VERSION, "options has a reserved field that is not 0");
    const bool upper = yes_or_no(options.upper, "upper"), by_value = yes_or_no(options.by_value, "by_value");
    TENON_REQUIRE(by_value ? options.first == 0 && options.count == 0 : options.low == 0 && options.high == 0, TENON_ERROR_INVALID_ARGUMENT,
                  "eigenvalues are chosen by index (first, count) or, with by_value 1, by value (low, high): not by both");
    ops::EigenResult result =
        by_value ? ops::eigh_between(get(a, "a"), out_v != nullptr, upper, options.low, options.high, get_or_null(stream, "stream"))
                 : ops::eigh(get(a, "a"), out_v != nullptr, upper, options.first, options.count ? options.count : -1,
                             get_or_null(stream, "stream"));
    outs.set({std::move(result.w), std::move(result.v)});
  });
}

int32_t tenon_eig(const tenon_array* a, tenon_stream* stream, tenon_array** out_w, tenon_array** out_v) {
  return guard([&] {
    Outs<2> outs({{out_w, "out_w", false}, {out_v, "out_v", true}});
    ops::EigenVectors result = ops::eig(get(a, "a"), false, out_v != nullptr, get_or_null(stream, "stream"));
    outs.set({std::move(result.w), std::move(result.right)});
  });
}

int32_t tenon_eig_vectors(const tenon_array* a, tenon_stream* stream, tenon_array** out_w, tenon_array** out_left,
                          tenon_array** out_right) {
  return guard([&] {
    Outs<3> outs({{out_w, "out_w", false}, {out_left, "out_left", true}, {out_right, "out_right", true}});
    ops::EigenVectors result = ops::eig(get(a, "a"), out_left != nullptr, out_right != nullptr, get_or_null(stream, "stream"));
    outs.set({std::move(result.w), std::move(result.left), std::move(result.right)});
  });
}

int32_t tenon_norm(const tenon_array* a, int32_t kind, tenon_stream* stream, tenon_array** out_norm) {
  return guard([&] {
    Out out(out_norm, "out_norm");
    out.set(ops::norm(get(a, "a"), kind, get_or_null(stream, "stream")));
  });
}

int32_t tenon_cond(const tenon_array* a, int32_t kind, tenon_stream* stream, tenon_array** out_cond) {
  return guard([&] {
    Out out(out_cond, "out_cond");
    out.set(ops::cond(get(a, "a"), kind, get_or_null(stream, "stream")));
  });
}

int32_t tenon_matrix_power(const tenon_array* a, int64_t n, tenon_stream* stream, tenon_array** out_power) {
  return guard([&] {
    Out out(out_power, "out_power");
    out.set(ops::matrix_power(get(a, "a"), n, get_or_null(stream, "stream")));
  });
}

int32_t tenon_expm(const tenon_array* a, tenon_stream* stream, tenon_array** out_exponential) {
  return guard([&] {
    Out out(out_exponential, "out_exponential");
    out.set(ops::expm(get(a, "a"), get_or_null(stream, "stream")));
  });
}
