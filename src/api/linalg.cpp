// api/linalg.cpp: matrix products and the singular value decomposition.
#include "api/factor.hpp"
#include "ops/checks.hpp"
#include "ops/matrix.hpp"
#include "ops/eigen/eigen.hpp"
#include "ops/products/products.hpp"

using namespace tenon;
using namespace tenon::api;

int32_t tenon_gemm(const tenon_arg* alpha, const tenon_array* a, const tenon_array* b, const tenon_arg* beta,
                   const tenon_gemm_options* given, tenon_stream* stream, tenon_array** out_c) {
  return guard([&] {
    const Array& left = get(a, "a");
    const Array& right = get(b, "b");
    InOut out(out_c, "out_c");
    if (const int32_t status = lost(out.given() ? out.given()->device() : left.device())) return status;
    const tenon_gemm_options options = options_from(given, "options");
    Stream* on = get_or_null(stream, "stream");
    const Op op_a = ops::op_from(options.op_a), op_b = ops::op_from(options.op_b);
    const ops::Factor scale = factor_from(alpha, 1, left.device(), "alpha", out),
                      keep = factor_from(beta, 0, left.device(), "beta", out);
    TENON_REQUIRE(keep.is(0) || out.given(), TENON_ERROR_INVALID_ARGUMENT,
                  "beta is not 0, but *out_c is NULL: beta needs an array c to scale");
    const ops::Epilogue epilogue{options.epilogue, options.bias ? &get(options.bias, "bias") : nullptr};
    const Ref<Array> made = out.given() ? Ref<Array>() : ops::gemm_result(left, op_a, right, op_b, on);
    Array& result = made ? *made : *out.given();
    Stream* runs = &stream_or_default(on, result.device());
    ops::check_operands({{left, "a"}, {right, "b"}}, runs);
    if (!keep.is(0)) ops::check_operands({{result, "c"}}, runs);
    const int32_t packed = ops::gemm(scale, left, op_a, right, op_b, keep, result,
                                     {options.compute, epilogue, yes_or_no(options.tune, "tune")}, on);
    if (made) out.set(made);
    if (options.out_packed) *options.out_packed = packed;
    return TENON_OK;
  });
}

int32_t tenon_svd(const tenon_array* a, const tenon_svd_options* given, tenon_stream* stream, tenon_array** out_u,
                  tenon_array** out_s, tenon_array** out_vh) {
  return guard([&] {
    const tenon_svd_options options = options_from(given, "options");
    const bool values = options.mode == TENON_SVD_MODE_VALUES;
    TENON_REQUIRE(values || (out_u && out_vh), TENON_ERROR_INVALID_ARGUMENT,
                  "out_u or out_vh is NULL: use mode TENON_SVD_MODE_VALUES for singular values only");
    InOut u(values ? nullptr : out_u, "out_u", true), s(out_s, "out_s"), vh(values ? nullptr : out_vh, "out_vh", true);
    InOut::apart({&u, &s, &vh});
    if (const int32_t status = lost(get(a, "a").device())) return status;
    TENON_REQUIRE(options.k > 0 || options.tolerance == 0, TENON_ERROR_INVALID_ARGUMENT,
                  "tolerance is %g, but k is 0: tolerance applies only to the leading k triplets", options.tolerance);
    ops::SvdResult result = ops::svd(get(a, "a"), {options.mode, options.driver, options.k, options.tolerance},
                                     get_or_null(stream, "stream"), {u, s, vh});
    InOut::give({{&u, result.u}, {&s, result.s}, {&vh, result.vh}});
    if (options.out_driver) *options.out_driver = result.driver;
    return TENON_OK;
  });
}

namespace {

// The options of products that are sums over letters: compute and out_packed.
tenon_gemm_options sum_options(const tenon_gemm_options* given) {
  const tenon_gemm_options options = options_from(given, "options");
  require_unused(options.op_a, "op_a");
  require_unused(options.op_b, "op_b");
  require_unused(options.epilogue, "epilogue");
  require_unused(options.tune, "tune");
  TENON_REQUIRE(!options.bias, TENON_ERROR_INVALID_ARGUMENT,
                "options->bias is given: this function does not use it, so it must be NULL");
  return options;
}

// sum(a, b, options, packed, stream, output) of two operands, for the function of that name.
template <class F> int32_t sum_of(const tenon_array* a, const tenon_array* b, const tenon_gemm_options* given,
                                  tenon_stream* stream, tenon_array** result, const char* name, F&& sum,
                                  const char* function = __builtin_FUNCTION()) {
  return guard(
      [&] {
        const Array &left = get(a, "a"), &right = get(b, "b");
        InOut out(result, name);
        const tenon_gemm_options options = sum_options(given);
        Stream* on = get_or_null(stream, "stream");
        ops::check_operands({{left, "a"}, {right, "b"}}, on);
        int32_t packed = 0;
        out.set(sum(left, right, options.compute, packed, on, out));
        if (options.out_packed) *options.out_packed = packed;
      },
      function);
}

}  // namespace

namespace {

std::vector<const Array*> operands_of(const tenon_array* const* operands, int32_t count) {
  std::vector<const Array*> arrays;
  for (const tenon_array* handle : need_list(operands, count, "operands"))
    arrays.push_back(&get(handle, format("operands[%zu]", arrays.size()).c_str()));
  return arrays;
}

}  // namespace

int32_t tenon_einsum(const char* subscripts, const tenon_array* const* operands, int32_t count,
                     const tenon_gemm_options* given, tenon_stream* stream, tenon_array** out_sum) {
  return guard([&] {
    const std::vector<const Array*> arrays = operands_of(operands, count);
    const std::string text = &need(subscripts, "subscripts");
    InOut out(out_sum, "out_sum");
    const tenon_gemm_options options = sum_options(given);
    Stream* on = get_or_null(stream, "stream");
    TENON_REQUIRE(count >= 1, TENON_ERROR_INVALID_ARGUMENT, "count is 0: at least one operand is needed");
    for (size_t i = 0; i < arrays.size(); ++i)
      ops::check_operands({{*arrays[i], format("operands[%zu]", i).c_str()}}, on);
    int32_t packed = 0;
    out.set(ops::einsum(text, arrays, options.compute, packed, on, out));
    if (options.out_packed) *options.out_packed = packed;
  });
}

int32_t tenon_einsum_path(const char* subscripts, const tenon_array* const* operands, int32_t count, int32_t* out_first,
                          int32_t* out_second) {
  return guard([&] {
    const std::vector<const Array*> arrays = operands_of(operands, count);
    const std::string text = &need(subscripts, "subscripts");
    TENON_REQUIRE(count >= 1, TENON_ERROR_INVALID_ARGUMENT, "count is 0: at least one operand is needed");
    need(out_first, "out_first"), need(out_second, "out_second");
    const auto path = ops::einsum_order(text, arrays);
    for (size_t i = 0; i < arrays.size(); ++i) {
      out_first[i] = i < path.size() ? int32_t(path[i].first) : -1;
      out_second[i] = i < path.size() ? int32_t(path[i].second) : -1;
    }
  });
}

int32_t tenon_tensordot(const tenon_array* a, const tenon_array* b, const int32_t* axes_a, const int32_t* axes_b,
                        int32_t count, const tenon_gemm_options* options, tenon_stream* stream, tenon_array** out_sum) {
  return sum_of(a, b, options, stream, out_sum, "out_sum", [&](const Array& left, const Array& right, auto&&... rest) {
    return ops::tensordot(left, right, axes_a, axes_b, count, rest...);
  });
}

int32_t tenon_kron(const tenon_array* a, const tenon_array* b, const tenon_gemm_options* options, tenon_stream* stream,
                   tenon_array** out_product) {
  return sum_of(a, b, options, stream, out_product, "out_product",
                [&](const Array& left, const Array& right, auto&&... rest) { return ops::kron(left, right, rest...); });
}
