// api/solve.cpp: linear systems and factorisations.
#include "api/guard.hpp"
#include "ops/eigen/eigen.hpp"
#include "ops/products/products.hpp"
#include "ops/solve/solve.hpp"

using namespace tenon;
using namespace tenon::api;

int32_t tenon_solve(const tenon_array* a, const tenon_array* b, const tenon_solve_options* given, tenon_stream* stream,
                    tenon_array** out_x) {
  return guard([&] {
    InOut x(out_x, "out_x");
    const tenon_solve_options options = options_from(given, "options");
    x.set(ops::solve(get(a, "a"), get(b, "b"), options.kind, options.op,
                     yes_or_no(options.unit_diagonal, "unit_diagonal"), get_or_null(stream, "stream"), true, x));
  });
}

namespace {

// The options of a call without the options of LU.
void plain_options(const tenon_lu_options* given) { require_unused(options_from(given, "options").op, "op"); }

}  // namespace

int32_t tenon_lu(const tenon_array* a, const tenon_lu_options* options, tenon_stream* stream, tenon_array** out_lu,
                 tenon_array** out_pivots) {
  return guard([&] {
    InOut lu(out_lu, "out_lu"), pivots(out_pivots, "out_pivots");
    InOut::apart({&lu, &pivots});
    plain_options(options);
    ops::LuResult result = ops::lu(get(a, "a"), get_or_null(stream, "stream"), true, {lu, pivots});
    InOut::give({{&lu, result.lu}, {&pivots, result.pivots}});
  });
}

int32_t tenon_lu_solve(const tenon_array* lu, const tenon_array* pivots, const tenon_array* b,
                       const tenon_lu_options* given, tenon_stream* stream, tenon_array** out_x) {
  return guard([&] {
    InOut x(out_x, "out_x");
    const tenon_lu_options options = options_from(given, "options");
    x.set(ops::lu_solve(get(lu, "lu"), get(pivots, "pivots"), get(b, "b"), options.op, get_or_null(stream, "stream"),
                        true, x));
  });
}

int32_t tenon_cholesky(const tenon_array* a, const tenon_cholesky_options* given, tenon_stream* stream,
                       tenon_array** out_factor) {
  return guard([&] {
    InOut factor(out_factor, "out_factor");
    const tenon_cholesky_options options = options_from(given, "options");
    factor.set(
        ops::cholesky(get(a, "a"), yes_or_no(options.upper, "upper"), get_or_null(stream, "stream"), true, factor));
  });
}

int32_t tenon_cholesky_solve(const tenon_array* factor, const tenon_array* b, const tenon_cholesky_options* given,
                             tenon_stream* stream, tenon_array** out_x) {
  return guard([&] {
    InOut x(out_x, "out_x");
    const tenon_cholesky_options options = options_from(given, "options");
    x.set(ops::cholesky_solve(get(factor, "factor"), yes_or_no(options.upper, "upper"), get(b, "b"),
                              get_or_null(stream, "stream"), true, x));
  });
}

int32_t tenon_qr(const tenon_array* a, const tenon_qr_options* given, tenon_stream* stream, tenon_array** out_q,
                 tenon_array** out_r) {
  return guard([&] {
    const tenon_qr_options options = options_from(given, "options");
    const bool only_r = options.mode == TENON_QR_R;
    InOut q(only_r ? nullptr : out_q, "out_q", only_r), r(out_r, "out_r");
    InOut::apart({&q, &r});
    ops::QrResult result = ops::qr(get(a, "a"), options.mode, get_or_null(stream, "stream"), true, {q, r});
    InOut::give({{&q, result.q}, {&r, result.r}});
  });
}

int32_t tenon_lstsq(const tenon_array* a, const tenon_array* b, const tenon_rank_options* given, tenon_stream* stream,
                    tenon_array** out_x, tenon_array** out_rank, tenon_array** out_s) {
  return guard([&] {
    InOut x(out_x, "out_x"), rank(out_rank, "out_rank", true), s(out_s, "out_s", true);
    InOut::apart({&x, &rank, &s});
    const tenon_rank_options options = options_from(given, "options");
    ops::LeastSquares result =
        ops::lstsq(get(a, "a"), get(b, "b"), options.rcond, get_or_null(stream, "stream"), {x, rank, s});
    InOut::give({{&x, result.x}, {&rank, result.rank}, {&s, result.s}});
  });
}

int32_t tenon_inverse(const tenon_array* a, const tenon_lu_options* options, tenon_stream* stream,
                      tenon_array** out_inverse) {
  return guard([&] {
    InOut inverse(out_inverse, "out_inverse");
    plain_options(options);
    inverse.set(ops::inverse(get(a, "a"), get_or_null(stream, "stream"), true, inverse));
  });
}

int32_t tenon_pinv(const tenon_array* a, const tenon_rank_options* given, tenon_stream* stream,
                   tenon_array** out_inverse) {
  return guard([&] {
    InOut inverse(out_inverse, "out_inverse");
    const tenon_rank_options options = options_from(given, "options");
    inverse.set(ops::pinv(get(a, "a"), options.rcond, get_or_null(stream, "stream"), inverse));
  });
}

int32_t tenon_matrix_rank(const tenon_array* a, const tenon_rank_options* given, tenon_stream* stream,
                          tenon_array** out_rank) {
  return guard([&] {
    InOut rank(out_rank, "out_rank");
    const tenon_rank_options options = options_from(given, "options");
    rank.set(ops::matrix_rank(get(a, "a"), options.rcond, get_or_null(stream, "stream"), rank));
  });
}

int32_t tenon_det(const tenon_array* a, const tenon_lu_options* options, tenon_stream* stream, tenon_array** out_det) {
  return guard([&] {
    InOut det(out_det, "out_det");
    plain_options(options);
    det.set(ops::det(get(a, "a"), get_or_null(stream, "stream"), det));
  });
}

int32_t tenon_slogdet(const tenon_array* a, const tenon_lu_options* options, tenon_stream* stream,
                      tenon_array** out_sign, tenon_array** out_log) {
  return guard([&] {
    InOut sign(out_sign, "out_sign"), log(out_log, "out_log");
    InOut::apart({&sign, &log});
    plain_options(options);
    ops::SlogdetResult result = ops::slogdet(get(a, "a"), get_or_null(stream, "stream"), {sign, log});
    InOut::give({{&sign, result.sign}, {&log, result.log}});
  });
}

namespace {

ops::LdlOptions ldl_options(const tenon_ldl_options* given) {
  const tenon_ldl_options options = options_from(given, "options");
  return {yes_or_no(options.upper, "upper"), yes_or_no(options.hermitian, "hermitian")};
}

}  // namespace

int32_t tenon_ldl(const tenon_array* a, const tenon_ldl_options* options, tenon_stream* stream, tenon_array** out_ld,
                  tenon_array** out_pivots) {
  return guard([&] {
    InOut ld(out_ld, "out_ld"), pivots(out_pivots, "out_pivots");
    InOut::apart({&ld, &pivots});
    ops::LuResult result = ops::ldl(get(a, "a"), ldl_options(options), get_or_null(stream, "stream"), {ld, pivots});
    InOut::give({{&ld, result.lu}, {&pivots, result.pivots}});
  });
}

int32_t tenon_ldl_solve(const tenon_array* ld, const tenon_array* pivots, const tenon_array* b,
                        const tenon_ldl_options* options, tenon_stream* stream, tenon_array** out_x) {
  return guard([&] {
    InOut x(out_x, "out_x");
    x.set(ops::ldl_solve(get(ld, "ld"), get(pivots, "pivots"), get(b, "b"), ldl_options(options),
                         get_or_null(stream, "stream"), x));
  });
}
