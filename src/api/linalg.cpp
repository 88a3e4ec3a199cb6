// api/linalg.cpp: matrix products and factorisations.
#include "api/guard.hpp"
#include "ops/checks.hpp"
#include "ops/matrix.hpp"
#include "ops/ops.hpp"

using namespace tenon;
using namespace tenon::api;

int32_t tenon_gemm(const double* alpha, const tenon_array* a, const tenon_array* b, const double* beta, tenon_array* c,
                   const tenon_gemm_options* given, tenon_stream* stream) {
  return guard([&] {
    const Array& left = get(a, "a");
    const Array& right = get(b, "b");
    Array& result = get(c, "c");
    if (const int32_t status = lost(result.device())) return status;
    const tenon_gemm_options options = options_from(given, "options");
    const std::complex<double> scale = alpha ? std::complex(alpha[0], alpha[1]) : std::complex(1.0, 0.0);
    const std::complex<double> keep = beta ? std::complex(beta[0], beta[1]) : std::complex(0.0, 0.0);
    const ops::Epilogue epilogue{options.epilogue, options.bias ? &get(options.bias, "bias") : nullptr};
    Stream* on = get_or_null(stream, "stream");
    Stream* runs = &stream_or_default(on, result.device());
    ops::check_operands({{left, "a"}, {right, "b"}}, runs);
    if (keep != 0.0) ops::check_operands({{result, "c"}}, runs);
    const int32_t packed = ops::gemm(scale, left, ops::op_from(options.op_a), right, ops::op_from(options.op_b), keep, result,
                                     {options.compute, epilogue, yes_or_no(options.tune, "tune")}, on);
    if (options.out_packed) *options.out_packed = packed;
    return TENON_OK;
  });
}

int32_t tenon_svd(const tenon_array* a, const tenon_svd_options* given, tenon_stream* stream, tenon_array** out_u,
                  tenon_array** out_s, tenon_array** out_vh) {
  return guard([&] {
    Outs<3> outs({{out_u, "out_u", true}, {out_s, "out_s", false}, {out_vh, "out_vh", true}});
    if (const int32_t status = lost(get(a, "a").device())) return status;
    const tenon_svd_options options = options_from(given, "options");
    TENON_REQUIRE(options.mode == TENON_SVD_MODE_VALUES || (out_u && out_vh), TENON_ERROR_INVALID_ARGUMENT,
                  "out_u or out_vh is NULL: use mode TENON_SVD_MODE_VALUES for singular values only");
    TENON_REQUIRE(options.k > 0 || options.tolerance == 0, TENON_ERROR_INVALID_ARGUMENT,
                  "tolerance is %g, and k is 0: it belongs to the leading k triplets", options.tolerance);
    ops::SvdResult result = ops::svd(get(a, "a"), {options.mode, options.driver, options.k, options.tolerance}, get_or_null(stream, "stream"));
    if (options.out_driver) *options.out_driver = result.driver;
    outs.set({std::move(result.u), std::move(result.s), std::move(result.vh)});
    return TENON_OK;
  });
}

int32_t tenon_dot(const tenon_array* a, const tenon_array* b, int32_t conjugate, tenon_stream* stream, tenon_array** out_dot) {
  return guard([&] {
    Out out(out_dot, "out_dot");
    ops::check_operands({{get(a, "a"), "a"}, {get(b, "b"), "b"}}, get_or_null(stream, "stream"));
    out.set(ops::dot(get(a, "a"), get(b, "b"), yes_or_no(conjugate, "conjugate"), get_or_null(stream, "stream")));
  });
}

int32_t tenon_rank_k(double alpha, const tenon_array* a, double beta, tenon_array* c, int32_t upper, tenon_stream* stream) {
  return guard(
      [&] { ops::syrk(alpha, get(a, "a"), beta, get(c, "c"), {.upper = yes_or_no(upper, "upper"), .hermitian = true}, get_or_null(stream, "stream")); });
}

int32_t tenon_triangular_multiply(const double* alpha, const tenon_array* a, const tenon_array* b,
                                  const tenon_triangle_options* given, tenon_stream* stream, tenon_array** out_product) {
  return guard([&] {
    Out out(out_product, "out_product");
    const tenon_triangle_options options = options_from(given, "options");
    const std::complex<double> scale = alpha ? std::complex(alpha[0], alpha[1]) : std::complex(1.0, 0.0);
    out.set(ops::triangular_multiply(scale, get(a, "a"), get(b, "b"), yes_or_no(options.upper, "upper"),
                                     yes_or_no(options.unit_diagonal, "unit_diagonal"), options.op, get_or_null(stream, "stream")));
  });
}

// The options of gemm that a sum over indices has; the others belong to one product.
static tenon_gemm_options sum_options(const tenon_gemm_options* given) {
  const tenon_gemm_options options = options_from(given, "options");
  TENON_REQUIRE(!options.bias && !options.epilogue && !options.op_a && !options.op_b && !options.tune, TENON_ERROR_INVALID_ARGUMENT,
                "options has bias, epilogue, op_a, op_b or tune, which a sum over indices does not have: leave them 0");
  return options;
}

int32_t tenon_einsum(const char* subscripts, const tenon_array* a, const tenon_array* b, const tenon_gemm_options* given,
                     tenon_stream* stream, tenon_array** out_sum) {
  return guard([&] {
    Out out(out_sum, "out_sum");
    const std::string text = &need(subscripts, "subscripts");
    const tenon_gemm_options options = sum_options(given);
    int32_t packed = 0;
    ops::check_operands({{get(a, "a"), "a"}, {get(b, "b"), "b"}}, get_or_null(stream, "stream"));
    out.set(ops::einsum(text, get(a, "a"), get(b, "b"), options.compute, packed, get_or_null(stream, "stream")));
    if (options.out_packed) *options.out_packed = packed;
  });
}

int32_t tenon_tensordot(const tenon_array* a, const tenon_array* b, const int32_t* axes_a, const int32_t* axes_b, int32_t count,
                        const tenon_gemm_options* given, tenon_stream* stream, tenon_array** out_sum) {
  return guard([&] {
    Out out(out_sum, "out_sum");
    const tenon_gemm_options options = sum_options(given);
    int32_t packed = 0;
    ops::check_operands({{get(a, "a"), "a"}, {get(b, "b"), "b"}}, get_or_null(stream, "stream"));
    out.set(ops::tensordot(get(a, "a"), get(b, "b"), axes_a, axes_b, count, options.compute, packed, get_or_null(stream, "stream")));
    if (options.out_packed) *options.out_packed = packed;
  });
}

int32_t tenon_kron(const tenon_array* a, const tenon_array* b, tenon_stream* stream, tenon_array** out_product) {
  return guard([&] {
    Out out(out_product, "out_product");
    ops::check_operands({{get(a, "a"), "a"}, {get(b, "b"), "b"}}, get_or_null(stream, "stream"));
    out.set(ops::kron(get(a, "a"), get(b, "b"), get_or_null(stream, "stream")));
  });
}
