// api/blas.cpp: BLAS's own routines on arrays.
#include "api/guard.hpp"
#include "ops/checks.hpp"
#include "ops/matrix.hpp"
#include "ops/ops.hpp"

using namespace tenon;
using namespace tenon::api;

namespace {

std::complex<double> factor(const double* given, double otherwise) { return given ? std::complex(given[0], given[1]) : otherwise; }

// The fields of tenon_blas_options that a function has.
enum : uint32_t { kOp = 1, kUpper = 2, kRight = 4, kHermitian = 8, kUnit = 16 };

ops::BlasOptions options_of(const tenon_blas_options& given, uint32_t known) {
  for (const auto& [value, field, name] : {std::tuple{given.op, uint32_t(kOp), "op"}, {given.upper, kUpper, "upper"}, {given.right, kRight, "right"},
                                           {given.hermitian, kHermitian, "hermitian"}, {given.unit_diagonal, kUnit, "unit_diagonal"}})
    TENON_REQUIRE(value == 0 || known & field, TENON_ERROR_INVALID_ARGUMENT, "options->%s is %d: this function does not have it, and it must be 0",
                  name, value);
  return {ops::op_from(given.op), yes_or_no(given.upper, "upper"), yes_or_no(given.right, "right"), yes_or_no(given.hermitian, "hermitian"),
          yes_or_no(given.unit_diagonal, "unit_diagonal")};
}

// In a context that looks at operands: at those that are read whole.
void look(std::initializer_list<ops::Operand> operands, const Array& result, Stream* stream) {
  ops::check_operands(operands, &stream_or_default(stream, result.device()));
}

// A function with such options: call(options) says how many arrays it packed.
template <class F>
int32_t with_options(const tenon_blas_options* given, uint32_t known, F&& call) {
  return guard([&] {
    const tenon_blas_options options = options_from(given, "options");
    const int32_t packed = call(options_of(options, known));
    if (options.out_packed) *options.out_packed = packed;
  });
}

}  // namespace

int32_t tenon_gemv(const double* alpha, const tenon_array* a, const tenon_array* x, const double* beta, tenon_array* y,
                   const tenon_blas_options* options, tenon_stream* stream) {
  return with_options(options, kOp, [&](const ops::BlasOptions& o) {
    Stream* on = get_or_null(stream, "stream");
    look({{get(a, "a"), "a"}, {get(x, "x"), "x"}}, get(y, "y"), on);
    return ops::gemv(factor(alpha, 1), get(a, "a"), o.op, get(x, "x"), factor(beta, 0), get(y, "y"), on);
  });
}

int32_t tenon_ger(const double* alpha, const tenon_array* x, const tenon_array* y, int32_t conjugate, tenon_array* a, tenon_stream* stream) {
  return guard([&] {
    Stream* on = get_or_null(stream, "stream");
    look({{get(x, "x"), "x"}, {get(y, "y"), "y"}}, get(a, "a"), on);
    ops::ger(factor(alpha, 1), get(x, "x"), get(y, "y"), yes_or_no(conjugate, "conjugate"), get(a, "a"), on);
  });
}

int32_t tenon_axpy(const double* alpha, const tenon_array* x, tenon_array* y, tenon_stream* stream) {
  return guard([&] { ops::axpy(factor(alpha, 1), get(x, "x"), get(y, "y"), get_or_null(stream, "stream")); });
}

int32_t tenon_scal(const double* alpha, tenon_array* x, tenon_stream* stream) {
  return guard([&] { ops::scal(factor(alpha, 1), get(x, "x"), get_or_null(stream, "stream")); });
}

int32_t tenon_nrm2(const tenon_array* x, tenon_stream* stream, tenon_array** out_norm) {
  return guard([&] {
    Out out(out_norm, "out_norm");
    out.set(ops::nrm2(get(x, "x"), get_or_null(stream, "stream")));
  });
}

int32_t tenon_syrk(const double* alpha, const tenon_array* a, const double* beta, tenon_array* c, const tenon_blas_options* options,
                   tenon_stream* stream) {
  return with_options(options, kOp | kUpper | kHermitian, [&](const ops::BlasOptions& o) {
    Stream* on = get_or_null(stream, "stream");
    look({{get(a, "a"), "a"}}, get(c, "c"), on);
    return ops::syrk(factor(alpha, 1), get(a, "a"), factor(beta, 0), get(c, "c"), o, on);
  });
}

int32_t tenon_symm(const double* alpha, const tenon_array* a, const tenon_array* b, const double* beta, tenon_array* c,
                   const tenon_blas_options* options, tenon_stream* stream) {
  return with_options(options, kUpper | kRight | kHermitian, [&](const ops::BlasOptions& o) {
    Stream* on = get_or_null(stream, "stream");
    look({{get(b, "b"), "b"}}, get(c, "c"), on);
    return ops::symm(factor(alpha, 1), get(a, "a"), get(b, "b"), factor(beta, 0), get(c, "c"), o, on);
  });
}

int32_t tenon_trmm(const double* alpha, const tenon_array* a, tenon_array* b, const tenon_blas_options* options, tenon_stream* stream) {
  return with_options(options, kOp | kUpper | kRight | kUnit, [&](const ops::BlasOptions& o) {
    Stream* on = get_or_null(stream, "stream");
    look({{get(b, "b"), "b"}}, get(b, "b"), on);
    return ops::trmm(factor(alpha, 1), get(a, "a"), get(b, "b"), o, on);
  });
}

int32_t tenon_trsm(const double* alpha, const tenon_array* a, tenon_array* b, const tenon_blas_options* options, tenon_stream* stream) {
  return with_options(options, kOp | kUpper | kRight | kUnit, [&](const ops::BlasOptions& o) {
    Stream* on = get_or_null(stream, "stream");
    look({{get(b, "b"), "b"}}, get(b, "b"), on);
    return ops::trsm(factor(alpha, 1), get(a, "a"), get(b, "b"), o, on);
  });
}

int32_t tenon_gemm_grouped(int64_t count, const double* alpha, const tenon_array* const* a, const tenon_array* const* b, const double* beta,
                           tenon_array* const* c, const tenon_gemm_options* given, tenon_stream* stream) {
  return guard([&] {
    const tenon_gemm_options options = options_from(given, "options");
    std::vector<const Array*> left, right;
    std::vector<Array*> results;
    const auto take = [count]<class H, class A>(H* const* list, std::vector<A*>& out, const char* what) {
      for (H* const handle : need_list(list, count, what)) try {
          out.push_back(&get(handle, what));
        } catch (Error& error) {
          error.message = format("entry %zu: ", out.size()) + error.message;
          throw;
        }
    };
    take(a, left, "a");
    take(b, right, "b");
    take(c, results, "c");
    const ops::Epilogue epilogue{options.epilogue, options.bias ? &get(options.bias, "bias") : nullptr};
    Stream* on = get_or_null(stream, "stream");
    for (size_t i = 0; i < results.size(); ++i) look({{*left[i], "a"}, {*right[i], "b"}}, *results[i], on);
    const int32_t packed = ops::gemm_grouped(factor(alpha, 1), left, ops::op_from(options.op_a), right, ops::op_from(options.op_b),
                                             factor(beta, 0), results, {options.compute, epilogue, yes_or_no(options.tune, "tune")},
                                             on);
    if (options.out_packed) *options.out_packed = packed;
  });
}
