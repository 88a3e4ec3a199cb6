// api/blas.cpp: BLAS's own routines on arrays.
#include "api/factor.hpp"
#include "core/device/recording.hpp"
#include "ops/checks.hpp"
#include "ops/products/lists.hpp"
#include "ops/matrix.hpp"
#include "ops/products/products.hpp"

using namespace tenon;
using namespace tenon::api;

namespace {

// The fields of tenon_blas_options that a function uses.
enum : uint32_t {
  kOp = 1,
  kUpper = 2,
  kRight = 4,
  kHermitian = 8,
  kUnit = 16,
  kConjugate = 32,
  kOpB = 64,
  kBelow = 128
};

ops::BlasOptions options_of(const tenon_blas_options& given, uint32_t known) {
  for (const auto& [value, field, name] : {std::tuple{int64_t(given.op), uint32_t(kOp), "op"},
                                           {given.upper, kUpper, "upper"},
                                           {given.right, kRight, "right"},
                                           {given.hermitian, kHermitian, "hermitian"},
                                           {given.unit_diagonal, kUnit, "unit_diagonal"},
                                           {given.conjugate, kConjugate, "conjugate"},
                                           {given.op_b, kOpB, "op_b"},
                                           {given.below, kBelow, "below"}})
    if (!(known & field)) require_unused(value, name);
  return {ops::op_from(given.op),
          yes_or_no(given.upper, "upper"),
          yes_or_no(given.right, "right"),
          yes_or_no(given.hermitian, "hermitian"),
          yes_or_no(given.unit_diagonal, "unit_diagonal"),
          yes_or_no(given.conjugate, "conjugate"),
          ops::op_from(given.op_b),
          given.below};
}

// One call with such options, an operand that determines the device, and a result.
struct BlasCall {
  BlasCall(const tenon_blas_options* given, uint32_t known, const Array& operand, tenon_stream* stream,
           tenon_array** out, const char* name)
      : result(out, name),
        given(options_from(given, "options")),
        options(options_of(this->given, known)),
        on(get_or_null(stream, "stream")),
        device(on               ? on->device()
               : result.given() ? result.given()->device()
                                : operand.device()) {}

  ops::Factor alpha(const tenon_arg* value) const { return factor_from(value, 1, device, "alpha", result); }
  // The factor of the old result; 0 for a new one.
  ops::Factor beta(const tenon_arg* value) const {
    ops::Factor out = factor_from(value, 0, device, "beta", result);
    TENON_REQUIRE(out.is(0) || result.given(), TENON_ERROR_INVALID_ARGUMENT,
                  "beta is not 0, but no array is given for the result: beta needs an array to scale");
    return out;
  }
  // In a context that checks operands: checks those that are read completely.
  void look(std::initializer_list<ops::CheckedOperand> operands) const {
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

namespace {

// Functions whose result is one number per vector.
template <class F> int32_t of_vectors(const tenon_array* x, const tenon_blas_options* options, tenon_stream* stream,
                                      tenon_array** out, const char* name, F&& routine,
                                      const char* function = __builtin_FUNCTION()) {
  return guard(
      [&] {
        const Array& self = get(x, "x");
        BlasCall call(options, 0, self, stream, out, name);
        int32_t packed = 0;
        const Ref<Array> result = routine(self, packed, call.on, call.result);
        call.finish(result, packed);
      },
      function);
}

auto extreme(bool smallest) {
  return [smallest](const Array& x, int32_t& packed, Stream* on, const ops::Output& out) {
    return ops::extreme_place(x, smallest, packed, on, out);
  };
}

// The second result of a call.
struct SecondResult {
  SecondResult(BlasCall& call, tenon_array** out, const char* name) : call(call), result(out, name) {
    InOut::apart({&call.result, &result});
  }
  void finish(const ops::Pair& pair, int32_t packed = 0) {
    InOut::give({{&call.result, pair.x}, {&result, pair.y}});
    if (call.given.out_packed) *call.given.out_packed = packed;
  }
  BlasCall& call;
  InOut result;
};

}  // namespace

int32_t tenon_nrm2(const tenon_array* x, const tenon_blas_options* options, tenon_stream* stream,
                   tenon_array** out_norm) {
  return of_vectors(x, options, stream, out_norm, "out_norm", ops::nrm2);
}

int32_t tenon_asum(const tenon_array* x, const tenon_blas_options* options, tenon_stream* stream,
                   tenon_array** out_sum) {
  return of_vectors(x, options, stream, out_sum, "out_sum", ops::asum);
}

int32_t tenon_iamax(const tenon_array* x, const tenon_blas_options* options, tenon_stream* stream,
                    tenon_array** out_index) {
  return of_vectors(x, options, stream, out_index, "out_index", extreme(false));
}

int32_t tenon_iamin(const tenon_array* x, const tenon_blas_options* options, tenon_stream* stream,
                    tenon_array** out_index) {
  return of_vectors(x, options, stream, out_index, "out_index", extreme(true));
}

int32_t tenon_swap(const tenon_array* x, const tenon_array* y, const tenon_blas_options* options, tenon_stream* stream,
                   tenon_array** out_x, tenon_array** out_y) {
  return guard([&] {
    const Array &left = get(x, "x"), &right = get(y, "y");
    BlasCall call(options, 0, left, stream, out_x, "out_x");
    SecondResult second(call, out_y, "out_y");
    second.finish(ops::swap(left, right, call.on, call.result, second.result));
  });
}

int32_t tenon_rot(const tenon_arg* c, const tenon_arg* s, const tenon_array* x, const tenon_array* y,
                  const tenon_blas_options* options, tenon_stream* stream, tenon_array** out_x, tenon_array** out_y) {
  return guard([&] {
    const Array &left = get(x, "x"), &right = get(y, "y");
    BlasCall call(options, 0, left, stream, out_x, "out_x");
    SecondResult second(call, out_y, "out_y");
    const auto factor = [&](const tenon_arg* given, const char* what) {
      ops::Factor out = factor_from(&need(given, what), 0, call.device, what, call.result);
      if (second.result.given()) out.require_apart(*second.result.given(), what);
      return out;
    };
    second.finish(ops::rot(factor(c, "c"), factor(s, "s"), left, right, call.on, call.result, second.result));
  });
}

int32_t tenon_rotg(const tenon_array* a, const tenon_array* b, const tenon_blas_options* options, tenon_stream* stream,
                   tenon_array** out_c, tenon_array** out_s, tenon_array** out_r) {
  return guard([&] {
    const Array &left = get(a, "a"), &right = get(b, "b");
    InOut c(out_c, "out_c", true), s(out_s, "out_s", true), r(out_r, "out_r", true);
    InOut::apart({&c, &s, &r});
    const tenon_blas_options given = options_from(options, "options");
    options_of(given, 0);
    const ops::Rotations found = ops::rotg(left, right, get_or_null(stream, "stream"), c, s, r);
    InOut::give({{&c, found.c}, {&s, found.s}, {&r, found.r}});
    if (given.out_packed) *given.out_packed = 0;
  });
}

int32_t tenon_rotm(const tenon_array* x, const tenon_array* y, const tenon_array* h, const tenon_blas_options* options,
                   tenon_stream* stream, tenon_array** out_x, tenon_array** out_y) {
  return guard([&] {
    const Array &left = get(x, "x"), &right = get(y, "y"), &matrix = get(h, "h");
    BlasCall call(options, 0, left, stream, out_x, "out_x");
    SecondResult second(call, out_y, "out_y");
    int32_t packed = 0;
    const ops::Pair pair = ops::rotm(left, right, matrix, packed, call.on, call.result, second.result);
    second.finish(pair, packed);
  });
}

int32_t tenon_rotmg(const tenon_array* d1, const tenon_array* d2, const tenon_array* x1, const tenon_array* y1,
                    const tenon_blas_options* options, tenon_stream* stream, tenon_array** out_d1, tenon_array** out_d2,
                    tenon_array** out_x1, tenon_array** out_h) {
  return guard([&] {
    const Array &first = get(d1, "d1"), &second = get(d2, "d2"), &x = get(x1, "x1"), &y = get(y1, "y1");
    InOut new_d1(out_d1, "out_d1", true), new_d2(out_d2, "out_d2", true), new_x1(out_x1, "out_x1", true),
        h(out_h, "out_h", true);
    InOut::apart({&new_d1, &new_d2, &new_x1, &h});
    const tenon_blas_options given = options_from(options, "options");
    options_of(given, 0);
    const ops::ModifiedRotations found =
        ops::rotmg(first, second, x, y, get_or_null(stream, "stream"), {new_d1, new_d2, new_x1, h});
    InOut::give({{&new_d1, found.d1}, {&new_d2, found.d2}, {&new_x1, found.x1}, {&h, found.h}});
    if (given.out_packed) *given.out_packed = 0;
  });
}

int32_t tenon_axpy(const tenon_arg* alpha, const tenon_array* x, const tenon_blas_options* options,
                   tenon_stream* stream, tenon_array** out_y) {
  return guard([&] {
    const Array& from = get(x, "x");
    BlasCall call(options, 0, from, stream, out_y, "out_y");
    const ops::Factor scale = call.alpha(alpha);
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
    const ops::Factor scale = call.alpha(alpha), keep = call.beta(beta);
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
    const ops::Factor scale = call.alpha(alpha);
    const Ref<Array> a = call.result.given() ? Ref<Array>(call.result.given()) : ops::ger_result(left, right, call.on);
    call.look({{left, "x"}, {right, "y"}});
    const int32_t packed = ops::ger(scale, left, right, call.options.conjugate, *a, call.on, !call.result.given());
    call.finish(a, packed);
  });
}

namespace {

// Adds products of two matrices, or of two vectors, to one triangle of the result.
void update_2k(BlasCall& call, const ops::Factor& alpha, const Array& a, const Array& b, const ops::Factor& beta) {
  recorded_whole(stream_or_default(call.on, call.device), [&] {
    const Ref<Array> c =
        call.result.given() ? Ref<Array>(call.result.given()) : ops::syrk_result(a, &b, call.options.op, call.on);
    const int32_t packed = ops::syr2k(alpha, a, b, beta, *c, call.options, call.on);
    call.finish(c, packed);
  });
}

int32_t band(const tenon_arg* alpha, const tenon_array* a, const tenon_array* x, const tenon_arg* beta,
             const tenon_blas_options* options, tenon_stream* stream, tenon_array** out_y, bool symmetric,
             const char* function = __builtin_FUNCTION()) {
  return guard(
      [&] {
        const Array &matrix = get(a, "a"), &from = get(x, "x");
        BlasCall call(options, symmetric ? kUpper | kHermitian : kOp | kBelow, matrix, stream, out_y, "out_y");
        const ops::Factor scale = call.alpha(alpha), keep = call.beta(beta);
        call.look({{from, "x"}});  // elements outside the band may be anything
        int32_t packed = 0;
        const ops::BlasOptions& o = call.options;
        const Ref<Array> y = ops::band_multiply(scale, matrix, from, keep, call.result.given(),
                                                {o.op, o.below, symmetric, o.upper, o.hermitian}, packed, call.on);
        call.finish(y, packed);
      },
      function);
}

}  // namespace

int32_t tenon_gbmv(const tenon_arg* alpha, const tenon_array* a, const tenon_array* x, const tenon_arg* beta,
                   const tenon_blas_options* options, tenon_stream* stream, tenon_array** out_y) {
  return band(alpha, a, x, beta, options, stream, out_y, false);
}

int32_t tenon_sbmv(const tenon_arg* alpha, const tenon_array* a, const tenon_array* x, const tenon_arg* beta,
                   const tenon_blas_options* options, tenon_stream* stream, tenon_array** out_y) {
  return band(alpha, a, x, beta, options, stream, out_y, true);
}

namespace {

int32_t band_triangle(bool solve, const tenon_array* a, const tenon_array* vector, const char* name,
                      const tenon_blas_options* options, tenon_stream* stream, tenon_array** out, const char* out_name,
                      const char* function = __builtin_FUNCTION()) {
  return guard(
      [&] {
        const Array &matrix = get(a, "a"), &from = get(vector, name);
        BlasCall call(options, kOp | kUpper | kUnit, from, stream, out, out_name);
        call.look({{from, name}});  // elements outside the band may be anything
        int32_t packed = 0;
        const Ref<Array> result =
            ops::band_triangular(solve, matrix, from, name, call.options, packed, call.on, call.result);
        call.finish(result, packed);
      },
      function);
}

}  // namespace

int32_t tenon_tbmv(const tenon_array* a, const tenon_array* x, const tenon_blas_options* options, tenon_stream* stream,
                   tenon_array** out_y) {
  return band_triangle(false, a, x, "x", options, stream, out_y, "out_y");
}

int32_t tenon_tbsv(const tenon_array* a, const tenon_array* b, const tenon_blas_options* options, tenon_stream* stream,
                   tenon_array** out_x) {
  return band_triangle(true, a, b, "b", options, stream, out_x, "out_x");
}

int32_t tenon_geam(const tenon_arg* alpha, const tenon_array* a, const tenon_arg* beta, const tenon_array* b,
                   const tenon_blas_options* options, tenon_stream* stream, tenon_array** out_c) {
  return guard([&] {
    const Array& left = get(a, "a");
    const Array* right = get_or_null(b, "b");
    BlasCall call(options, kOp | kOpB, left, stream, out_c, "out_c");
    const ops::Factor of_a = call.alpha(alpha), of_b = factor_from(beta, 0, call.device, "beta", call.result);
    call.look({{left, "a"}});
    if (right) call.look({{*right, "b"}});
    int32_t packed = 0;
    const Ref<Array> c =
        ops::geam(of_a, left, call.options.op, of_b, right, call.options.op_b, packed, call.on, call.result);
    call.finish(c, packed);
  });
}

int32_t tenon_syr2(const tenon_arg* alpha, const tenon_array* x, const tenon_array* y,
                   const tenon_blas_options* options, tenon_stream* stream, tenon_array** out_a) {
  return guard([&] {
    const Array &left = get(x, "x"), &right = get(y, "y");
    BlasCall call(options, kUpper | kHermitian, left, stream, out_a, "out_a");
    const ops::Factor scale = call.alpha(alpha);
    const Ref<Array> first = ops::as_column(left, "x"), second = ops::as_column(right, "y");
    call.look({{left, "x"}, {right, "y"}});
    update_2k(call, scale, *first, *second, 1.0);
  });
}

int32_t tenon_syr2k(const tenon_arg* alpha, const tenon_array* a, const tenon_array* b, const tenon_arg* beta,
                    const tenon_blas_options* options, tenon_stream* stream, tenon_array** out_c) {
  return guard([&] {
    const Array &left = get(a, "a"), &right = get(b, "b");
    BlasCall call(options, kOp | kUpper | kHermitian, left, stream, out_c, "out_c");
    const ops::Factor scale = call.alpha(alpha), keep = call.beta(beta);
    call.look({{left, "a"}, {right, "b"}});
    update_2k(call, scale, left, right, keep);
  });
}

int32_t tenon_syrk(const tenon_arg* alpha, const tenon_array* a, const tenon_arg* beta,
                   const tenon_blas_options* options, tenon_stream* stream, tenon_array** out_c) {
  return guard([&] {
    const Array& from = get(a, "a");
    BlasCall call(options, kOp | kUpper | kHermitian, from, stream, out_c, "out_c");
    const ops::Factor scale = call.alpha(alpha), keep = call.beta(beta);
    call.look({{from, "a"}});
    recorded_whole(stream_or_default(call.on, call.device), [&] {
      const Ref<Array> c = call.result.given() ? Ref<Array>(call.result.given())
                                               : ops::syrk_result(from, nullptr, call.options.op, call.on);
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
    const ops::Factor scale = call.alpha(alpha), keep = call.beta(beta);
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
    const ops::Factor scale = call.alpha(alpha), keep = call.beta(beta);
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
    const ops::Factor scale = call.alpha(alpha);
    const Ref<Array> column = ops::as_column(from, "x");
    call.look({{from, "x"}});
    recorded_whole(stream_or_default(call.on, call.device), [&] {
      const Ref<Array> a =
          call.result.given() ? Ref<Array>(call.result.given()) : ops::syrk_result(*column, nullptr, Op::none, call.on);
      const int32_t packed = ops::syrk(scale, *column, 1.0, *a, call.options, call.on);
      call.finish(a, packed);
    });
  });
}

namespace {

// A triangular matrix and a vector, and the caller's result if there is one. `function`: the public function's name.
int32_t triangle_column(decltype(ops::trmm)* routine, const tenon_array* a, const tenon_array* vector, const char* name,
                        const tenon_blas_options* options, tenon_stream* stream, tenon_array** out,
                        const char* out_name, const char* function = __builtin_FUNCTION()) {
  return guard(
      [&] {
        const Array &matrix = get(a, "a"), &from = get(vector, name);
        BlasCall call(options, kOp | kUpper | kUnit, from, stream, out, out_name);
        call.look({{from, name}});
        int32_t packed = 0;
        const Ref<Array> column = ops::as_column(from, name);
        const Ref<Array> into = call.result.given() ? ops::as_column(*call.result.given(), out_name) : Ref<Array>();
        const Ref<Array> result = routine(1.0, matrix, *column, call.options, packed, call.on, {into.get(), out_name});
        call.finish(into ? Ref<Array>(call.result.given()) : ops::without_column(*result), packed);
      },
      function);
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
                 const tenon_blas_options* options, tenon_stream* stream, tenon_array** out, const char* name,
                 const char* function = __builtin_FUNCTION()) {
  return guard(
      [&] {
        const Array &matrix = get(a, "a"), &from = get(b, "b");
        BlasCall call(options, kOp | kUpper | kRight | kUnit, from, stream, out, name);
        const ops::Factor scale = call.alpha(alpha);
        call.look({{from, "b"}});
        int32_t packed = 0;
        const Ref<Array> result = routine(scale, matrix, from, call.options, packed, call.on, call.result);
        call.finish(result, packed);
      },
      function);
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
    using ops::for_entry;
    const auto take = [&](const tenon_array* const* list, std::vector<const Array*>& out, const char* what) {
      const auto handles = need_list(list, count, what);
      out.reserve(handles.size());
      for (const tenon_array* handle : handles) for_entry(out.size(), [&] { out.push_back(&get(handle, what)); });
    };
    take(a, left, "a");
    take(b, right, "b");
    Stream* on = get_or_null(stream, "stream");
    const ops::Epilogue epilogue{options.epilogue, options.bias ? &get(options.bias, "bias") : nullptr};
    const Op op_a = ops::op_from(options.op_a), op_b = ops::op_from(options.op_b);
    std::vector<Array*> results;
    results.reserve(size_t(std::max<int64_t>(count, 0)));
    for (tenon_array* handle : need_list(out_c, count, "out_c"))
      for_entry(results.size(), [&] { results.push_back(get_or_null(handle, "c")); });
    const std::vector<Ref<Array>> made = ops::make_results(left, op_a, right, op_b, results, on);
    ops::Factor scale = 1.0, keep = 0.0;
    if (count) {
      Device& device = on ? on->device() : results[0]->device();
      scale = factor_from(alpha, 1, device, "alpha");
      keep = factor_from(beta, 0, device, "beta");
    }
    TENON_REQUIRE(keep.is(0) || made.empty(), TENON_ERROR_INVALID_ARGUMENT,
                  "beta is not 0, but an entry of out_c is NULL: beta needs an array to scale");
    if (scale.on_device() || keep.on_device())
      for (size_t i = 0; i < results.size(); ++i)
        for_entry(i, [&] {
          scale.require_apart(*results[i], "alpha");
          keep.require_apart(*results[i], "beta");
        });
    ops::check_operands({left, right, results}, on);
    std::vector<tenon_array*> handles(made.size());  // if one fails, the earlier ones are released
    try {
      for (size_t i = 0; i < made.size(); ++i) Out<tenon_array>(&handles[i], "out_c").set(made[i]);
      const int32_t packed = ops::gemm_grouped(scale, left, op_a, right, op_b, keep, results,
                                               {options.compute, epilogue, yes_or_no(options.tune, "tune")}, on);
      if (options.out_packed) *options.out_packed = packed;
    } catch (...) {
      for (tenon_array* handle : handles) release(handle);
      throw;
    }
    auto next = handles.begin();
    for (int64_t i = 0; next != handles.end(); ++i)
      if (!out_c[i]) out_c[i] = *next++;
  });
}
