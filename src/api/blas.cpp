// api/blas.cpp: BLAS's own routines on arrays.
#include "api/guard.hpp"
#include "core/recording.hpp"
#include "ops/checks.hpp"
#include "ops/matrix.hpp"
#include "ops/ops.hpp"

using namespace tenon;
using namespace tenon::api;

namespace {

// The fields of tenon_blas_options that a function has.
enum : uint32_t { kOp = 1, kUpper = 2, kRight = 4, kHermitian = 8, kUnit = 16, kConjugate = 32 };

ops::BlasOptions options_of(const tenon_blas_options& given, uint32_t known) {
  for (const auto& [value, field, name] : {std::tuple{given.op, uint32_t(kOp), "op"}, {given.upper, kUpper, "upper"},
                                           {given.right, kRight, "right"}, {given.hermitian, kHermitian, "hermitian"},
                                           {given.unit_diagonal, kUnit, "unit_diagonal"},
                                           {given.conjugate, kConjugate, "conjugate"}})
    if (!(known & field)) require_unused(value, name);
  return {ops::op_from(given.op), yes_or_no(given.upper, "upper"), yes_or_no(given.right, "right"), yes_or_no(given.hermitian, "hermitian"),
          yes_or_no(given.unit_diagonal, "unit_diagonal"), yes_or_no(given.conjugate, "conjugate")};
}

// One call with such options, an operand that says where it runs, and a result.
struct BlasCall {
  BlasCall(const tenon_blas_options* given, uint32_t known, const Array& operand, tenon_stream* stream,
           tenon_array** out, const char* name)
      : result(out, name), given(options_from(given, "options")), options(options_of(this->given, known)),
        on(get_or_null(stream, "stream")), device(on               ? on->device()
                                                  : result.given() ? result.given()->device()
                                                                   : operand.device()) {}

  std::complex<double> alpha(const tenon_arg* value) const { return factor_from(value, 1, device, "alpha"); }
  // What the old result counts for; there is none where a new one is made.
  std::complex<double> beta(const tenon_arg* value) const {
    const std::complex<double> out = factor_from(value, 0, device, "beta");
    TENON_REQUIRE(out == 0.0 || result.given(), TENON_ERROR_INVALID_ARGUMENT,
                  "beta is %g, and no array is given for the result: there is nothing to scale", out.real());
    return out;
  }
  // In a context that looks at operands: at those that are read whole.
  void look(std::initializer_list<ops::Operand> operands) const {
    ops::check_operands(operands, &stream_or_default(on, device));
  }
  void finish(Ref<Array> array, int32_t packed = 0) {
    result.set(std::move(array));
    if (given.out_packed) *given.out_packed = packed;
  }

  InOut result;
  const tenon_blas_options given;
  const ops::BlasOptions options;
  Stream* const on;
  Device& device;
};

}  // namespace

int32_t tenon_dot(const tenon_array* x, const tenon_array* y, const tenon_blas_options* options, tenon_stream* stream,
                  tenon_array** out_dot) {
  return guard([&] {
    const Array &left = get(x, "x"), &right = get(y, "y");
    BlasCall call(options, kConjugate, left, stream, out_dot, "out_dot");
    call.look({{left, "x"}, {right, "y"}});
    int32_t packed = 0;
    const Ref<Array> dot = ops::dot(left, right, call.options.conjugate, packed, call.on, call.result);
    call.finish(dot, packed);
  });
}

int32_t tenon_nrm2(const tenon_array* x, const tenon_blas_options* options, tenon_stream* stream,
                   tenon_array** out_norm) {
  return guard([&] {
    const Array& self = get(x, "x");
    BlasCall call(options, 0, self, stream, out_norm, "out_norm");
    int32_t packed = 0;
    const Ref<Array> norm = ops::nrm2(self, packed, call.on, call.result);
    call.finish(norm, packed);
  });
}

int32_t tenon_axpy(const tenon_arg* alpha, const tenon_array* x, const tenon_blas_options* options,
                   tenon_stream* stream, tenon_array** out_y) {
  return guard([&] {
    const Array& from = get(x, "x");
    BlasCall call(options, 0, from, stream, out_y, "out_y");
    const std::complex<double> scale = call.alpha(alpha);
    // added to zeros
    if (!call.result.given()) return call.finish(ops::scaled_copy(scale, from, call.on, call.result));
    ops::axpy(scale, from, *call.result.given(), call.on);
    call.finish(Ref<Array>(call.result.given()));
  });
}

int32_t tenon_scal(const tenon_arg* alpha, const tenon_array* x, const tenon_blas_options* options,
                   tenon_stream* stream, tenon_array** out_y) {
  return guard([&] {
    const Array& from = get(x, "x");
    BlasCall call(options, 0, from, stream, out_y, "out_y");
    call.finish(ops::scaled_copy(call.alpha(alpha), from, call.on, call.result));
  });
}

int32_t tenon_gemv(const tenon_arg* alpha, const tenon_array* a, const tenon_array* x, const tenon_arg* beta,
                   const tenon_blas_options* options, tenon_stream* stream, tenon_array** out_y) {
  return guard([&] {
    const Array &matrix = get(a, "a"), &from = get(x, "x");
    BlasCall call(options, kOp, matrix, stream, out_y, "out_y");
    const std::complex<double> scale = call.alpha(alpha), keep = call.beta(beta);
    const Ref<Array> y = call.result.given() ? Ref<Array>(call.result.given())
                                             : ops::gemv_result(matrix, call.options.op, from, call.on);
    call.look({{matrix, "a"}, {from, "x"}});
    const int32_t packed = ops::gemv(scale, matrix, call.options.op, from, keep, *y, call.on);
    call.finish(y, packed);
  });
}

int32_t tenon_ger(const tenon_arg* alpha, const tenon_array* x, const tenon_array* y, const tenon_blas_options* options,
                  tenon_stream* stream, tenon_array** out_a) {
  return guard([&] {
    const Array &left = get(x, "x"), &right = get(y, "y");
    BlasCall call(options, kConjugate, left, stream, out_a, "out_a");
    const std::complex<double> scale = call.alpha(alpha);
    const Ref<Array> a = call.result.given() ? Ref<Array>(call.result.given()) : ops::ger_result(left, right, call.on);
    call.look({{left, "x"}, {right, "y"}});
    const int32_t packed = ops::ger(scale, left, right, call.options.conjugate, *a, call.on, !call.result.given());
    call.finish(a, packed);
  });
}

int32_t tenon_syrk(const tenon_arg* alpha, const tenon_array* a, const tenon_arg* beta,
                   const tenon_blas_options* options, tenon_stream* stream, tenon_array** out_c) {
  return guard([&] {
    const Array& from = get(a, "a");
    BlasCall call(options, kOp | kUpper | kHermitian, from, stream, out_c, "out_c");
    const std::complex<double> scale = call.alpha(alpha), keep = call.beta(beta);
    call.look({{from, "a"}});
    recorded_whole(stream_or_default(call.on, call.device), [&] {
      const Ref<Array> c =
          call.result.given() ? Ref<Array>(call.result.given()) : ops::syrk_result(from, call.options.op, call.on);
      const int32_t packed = ops::syrk(scale, from, keep, *c, call.options, call.on);
      call.finish(c, packed);
    });
  });
}

int32_t tenon_symm(const tenon_arg* alpha, const tenon_array* a, const tenon_array* b, const tenon_arg* beta,
                   const tenon_blas_options* options, tenon_stream* stream, tenon_array** out_c) {
  return guard([&] {
    const Array &matrix = get(a, "a"), &from = get(b, "b");
    BlasCall call(options, kUpper | kRight | kHermitian, from, stream, out_c, "out_c");
    const std::complex<double> scale = call.alpha(alpha), keep = call.beta(beta);
    const Ref<Array> c =
        call.result.given() ? Ref<Array>(call.result.given()) : ops::side_result(matrix, from, call.on);
    call.look({{from, "b"}});
    const int32_t packed = ops::symm(scale, matrix, from, keep, *c, call.options, call.on);
    call.finish(c, packed);
  });
}

int32_t tenon_symv(const tenon_arg* alpha, const tenon_array* a, const tenon_array* x, const tenon_arg* beta,
                   const tenon_blas_options* options, tenon_stream* stream, tenon_array** out_y) {
  return guard([&] {
    const Array &matrix = get(a, "a"), &from = get(x, "x");
    BlasCall call(options, kUpper | kHermitian, from, stream, out_y, "out_y");
    const std::complex<double> scale = call.alpha(alpha), keep = call.beta(beta);
    const Ref<Array> column = ops::as_column(from, "x");
    const Ref<Array> y = call.result.given() ? ops::as_column(*call.result.given(), "out_y")
                                             : ops::side_result(matrix, *column, call.on);
    call.look({{from, "x"}});
    const int32_t packed = ops::symm(scale, matrix, *column, keep, *y, call.options, call.on);
    call.finish(call.result.given() ? Ref<Array>(call.result.given()) : ops::without_column(*y), packed);
  });
}

int32_t tenon_syr(const tenon_arg* alpha, const tenon_array* x, const tenon_blas_options* options, tenon_stream* stream,
                  tenon_array** out_a) {
  return guard([&] {
    const Array& from = get(x, "x");
    BlasCall call(options, kUpper | kHermitian, from, stream, out_a, "out_a");
    const std::complex<double> scale = call.alpha(alpha);
    const Ref<Array> column = ops::as_column(from, "x");
    call.look({{from, "x"}});
    recorded_whole(stream_or_default(call.on, call.device), [&] {
      const Ref<Array> a =
          call.result.given() ? Ref<Array>(call.result.given()) : ops::syrk_result(*column, Op::none, call.on);
      const int32_t packed = ops::syrk(scale, *column, 1.0, *a, call.options, call.on);
      call.finish(a, packed);
    });
  });
}

namespace {

// A triangle and one column: of the vector and of the result that is given for it.
int32_t triangle_column(decltype(ops::trmm)* routine, const tenon_array* a, const tenon_array* vector, const char* name,
                        const tenon_blas_options* options, tenon_stream* stream, tenon_array** out,
                        const char* out_name) {
  return guard([&] {
    const Array &matrix = get(a, "a"), &from = get(vector, name);
    BlasCall call(options, kOp | kUpper | kUnit, from, stream, out, out_name);
    call.look({{from, name}});
    int32_t packed = 0;
    const Ref<Array> column = ops::as_column(from, name);
    const Ref<Array> into = call.result.given() ? ops::as_column(*call.result.given(), out_name) : Ref<Array>();
    const Ref<Array> result = routine(1.0, matrix, *column, call.options, packed, call.on, {into.get(), out_name});
    call.finish(into ? Ref<Array>(call.result.given()) : ops::without_column(*result), packed);
  });
}

}  // namespace

int32_t tenon_trmv(const tenon_array* a, const tenon_array* x, const tenon_blas_options* options, tenon_stream* stream,
                   tenon_array** out_y) {
  return triangle_column(ops::trmm, a, x, "x", options, stream, out_y, "out_y");
}

int32_t tenon_trsv(const tenon_array* a, const tenon_array* b, const tenon_blas_options* options, tenon_stream* stream,
                   tenon_array** out_x) {
  return triangle_column(ops::trsm, a, b, "b", options, stream, out_x, "out_x");
}

namespace {

int32_t triangle(decltype(ops::trmm)* routine, const tenon_arg* alpha, const tenon_array* a, const tenon_array* b,
                 const tenon_blas_options* options, tenon_stream* stream, tenon_array** out, const char* name) {
  return guard([&] {
    const Array &matrix = get(a, "a"), &from = get(b, "b");
    BlasCall call(options, kOp | kUpper | kRight | kUnit, from, stream, out, name);
    const std::complex<double> scale = call.alpha(alpha);
    call.look({{from, "b"}});
    int32_t packed = 0;
    const Ref<Array> result = routine(scale, matrix, from, call.options, packed, call.on, call.result);
    call.finish(result, packed);
  });
}

}  // namespace

int32_t tenon_trmm(const tenon_arg* alpha, const tenon_array* a, const tenon_array* b,
                   const tenon_blas_options* options, tenon_stream* stream, tenon_array** out_c) {
  return triangle(ops::trmm, alpha, a, b, options, stream, out_c, "out_c");
}

int32_t tenon_trsm(const tenon_arg* alpha, const tenon_array* a, const tenon_array* b,
                   const tenon_blas_options* options, tenon_stream* stream, tenon_array** out_x) {
  return triangle(ops::trsm, alpha, a, b, options, stream, out_x, "out_x");
}

int32_t tenon_gemm_grouped(int64_t count, const tenon_arg* alpha, const tenon_array* const* a,
                           const tenon_array* const* b, const tenon_arg* beta, const tenon_gemm_options* given,
                           tenon_stream* stream, tenon_array** out_c) {
  return guard([&] {
    const tenon_gemm_options options = options_from(given, "options");
    std::vector<const Array*> left, right;
    const auto for_entry = [](size_t index, auto&& work) {
      try {
        work();
      } catch (Error& error) {
        error.message = format("entry %zu: ", index) + error.message;
        throw;
      }
    };
    const auto take = [&](const tenon_array* const* list, std::vector<const Array*>& out, const char* what) {
      for (const tenon_array* handle : need_list(list, count, what))
        for_entry(out.size(), [&] { out.push_back(&get(handle, what)); });
    };
    take(a, left, "a");
    take(b, right, "b");
    Stream* on = get_or_null(stream, "stream");
    const ops::Epilogue epilogue{options.epilogue, options.bias ? &get(options.bias, "bias") : nullptr};
    const Op op_a = ops::op_from(options.op_a), op_b = ops::op_from(options.op_b);
    std::vector<Ref<Array>> kept;
    std::vector<Array*> results;
    bool made = false;
    for (tenon_array*& handle : need_list(out_c, count, "out_c")) {
      const size_t i = kept.size();
      for_entry(i, [&] {
        kept.push_back(handle ? Ref<Array>(&get(handle, "c")) : ops::gemm_result(*left[i], op_a, *right[i], op_b, on));
      });
      made = made || !handle;
      results.push_back(kept.back().get());
    }
    std::complex<double> scale = 1.0, keep = 0.0;
    if (count) {
      Device& device = on ? on->device() : results[0]->device();
      scale = factor_from(alpha, 1, device, "alpha");
      keep = factor_from(beta, 0, device, "beta");
    }
    TENON_REQUIRE(keep == 0.0 || !made, TENON_ERROR_INVALID_ARGUMENT,
                  "beta is %g, and an entry of out_c is NULL: there is nothing to scale", keep.real());
    for (size_t i = 0; i < results.size(); ++i)
      ops::check_operands({{*left[i], "a"}, {*right[i], "b"}}, &stream_or_default(on, results[i]->device()));
    std::vector<tenon_array*> handles(kept.size());  // new ones; should one fail, those before it are given back
    try {
      for (size_t i = 0; i < kept.size(); ++i)
        if (!out_c[i]) Out<tenon_array>(&handles[i], "out_c").set(kept[i]);
      const int32_t packed = ops::gemm_grouped(scale, left, op_a, right, op_b, keep, results,
                                               {options.compute, epilogue, yes_or_no(options.tune, "tune")}, on);
      if (options.out_packed) *options.out_packed = packed;
    } catch (...) {
      for (tenon_array* handle : handles) release(handle);
      throw;
    }
    for (size_t i = 0; i < kept.size(); ++i)
      if (!out_c[i]) out_c[i] = handles[i];
  });
}
