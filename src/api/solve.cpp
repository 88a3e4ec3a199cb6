// api/solve.cpp: linear systems and factorisations.
#include "api/guard.hpp"
#include "ops/ops.hpp"

using namespace tenon;
using namespace tenon::api;

int32_t tenon_solve(const tenon_array* a, const tenon_array* b, const tenon_solve_options* given, tenon_stream* stream,
                    tenon_array** out_x) {
  return guard([&] {
    InOut out(out_x, "out_x");
    const tenon_solve_options options = options_from(given, "options");
    out.set(ops::solve(get(a, "a"), get(b, "b"), options.kind, options.op, yes_or_no(options.unit_diagonal, "unit_diagonal"),
                       get_or_null(stream, "stream"), true, out));
  });
}

int32_t tenon_lu(const tenon_array* a, tenon_stream* stream, tenon_array** out_lu, tenon_array** out_pivots) {
  return guard([&] {
    Outs<2> outs({{out_lu, "out_lu", false}, {out_pivots, "out_pivots", false}});
    ops::LuResult result = ops::lu(get(a, "a"), get_or_null(stream, "stream"), true);
    outs.set({std::move(result.lu), std::move(result.pivots)});
  });
}

int32_t tenon_lu_solve(const tenon_array* lu, const tenon_array* pivots, const tenon_array* b, int32_t op, tenon_stream* stream,
                       tenon_array** out_x) {
  return guard([&] {
    Out out(out_x, "out_x");
    out.set(ops::lu_solve(get(lu, "lu"), get(pivots, "pivots"), get(b, "b"), op, get_or_null(stream, "stream"), true));
  });
}

int32_t tenon_cholesky(const tenon_array* a, int32_t upper, tenon_stream* stream, tenon_array** out_factor) {
  return guard([&] {
    Out out(out_factor, "out_factor");
    out.set(ops::cholesky(get(a, "a"), yes_or_no(upper, "upper"), get_or_null(stream, "stream"), true));
  });
}

int32_t tenon_cholesky_solve(const tenon_array* factor, int32_t upper, const tenon_array* b, tenon_stream* stream,
                             tenon_array** out_x) {
  return guard([&] {
    Out out(out_x, "out_x");
    out.set(ops::cholesky_solve(get(factor, "factor"), yes_or_no(upper, "upper"), get(b, "b"), get_or_null(stream, "stream"), true));
  });
}

int32_t tenon_qr(const tenon_array* a, int32_t mode, tenon_stream* stream, tenon_array** out_q, tenon_array** out_r) {
  return guard([&] {
    Outs<2> outs({{out_q, "out_q", mode == TENON_QR_R}, {out_r, "out_r", false}});
    ops::QrResult result = ops::qr(get(a, "a"), mode, get_or_null(stream, "stream"), true);
    outs.set({std::move(result.q), std::move(result.r)});
  });
}

int32_t tenon_lstsq(const tenon_array* a, const tenon_array* b, double rcond, tenon_stream* stream, tenon_array** out_x,
                    tenon_array** out_rank, tenon_array** out_s) {
  return guard([&] {
    Outs<3> outs({{out_x, "out_x", false}, {out_rank, "out_rank", true}, {out_s, "out_s", true}});
    ops::LeastSquares result = ops::lstsq(get(a, "a"), get(b, "b"), rcond, get_or_null(stream, "stream"));
    outs.set({std::move(result.x), std::move(result.rank), std::move(result.s)});
  });
}

int32_t tenon_inverse(const tenon_array* a, tenon_stream* stream, tenon_array** out_inverse) {
  return guard([&] {
    Out out(out_inverse, "out_inverse");
    out.set(ops::inverse(get(a, "a"), get_or_null(stream, "stream"), true));
  });
}

int32_t tenon_pinv(const tenon_array* a, double rcond, tenon_stream* stream, tenon_array** out_inverse) {
  return guard([&] {
    Out out(out_inverse, "out_inverse");
    out.set(ops::pinv(get(a, "a"), rcond, get_or_null(stream, "stream")));
  });
}

int32_t tenon_matrix_rank(const tenon_array* a, double rcond, tenon_stream* stream, tenon_array** out_rank) {
  return guard([&] {
    Out out(out_rank, "out_rank");
    out.set(ops::matrix_rank(get(a, "a"), rcond, get_or_null(stream, "stream")));
  });
}

int32_t tenon_det(const tenon_array* a, tenon_stream* stream, tenon_array** out_det) {
  return guard([&] {
    Out out(out_det, "out_det");
    out.set(ops::det(get(a, "a"), get_or_null(stream, "stream")));
  });
}

int32_t tenon_slogdet(const tenon_array* a, tenon_stream* stream, tenon_array** out_sign, tenon_array** out_log) {
  return guard([&] {
    Outs<2> outs({{out_sign, "out_sign", false}, {out_log, "out_log", false}});
    ops::SlogdetResult result = ops::slogdet(get(a, "a"), get_or_null(stream, "stream"));
    outs.set({std::move(result.sign), std::move(result.log)});
  });
}

namespace {

ops::LdlOptions ldl_options(const tenon_ldl_options* given) {
  const tenon_ldl_options options = options_from(given, "options");
  TENON_REQUIRE(options.reserved == 0, TENON_ERROR_VERSION, "options has a reserved field that is not 0");
  return {yes_or_no(options.upper, "upper"), yes_or_no(options.hermitian, "hermitian")};
}

}  // namespace

int32_t tenon_ldl(const tenon_array* a, const tenon_ldl_options* options, tenon_stream* stream, tenon_array** out_ld,
                  tenon_array** out_pivots) {
  return guard([&] {
    Outs<2> outs({{out_ld, "out_ld", false}, {out_pivots, "out_pivots", false}});
    ops::LuResult result = ops::ldl(get(a, "a"), ldl_options(options), get_or_null(stream, "stream"));
    outs.set({std::move(result.lu), std::move(result.pivots)});
  });
}

int32_t tenon_ldl_solve(const tenon_array* ld, const tenon_array* pivots, const tenon_array* b, const tenon_ldl_options* options,
                        tenon_stream* stream, tenon_array** out_x) {
  return guard([&] {
    Out out(out_x, "out_x");
    out.set(ops::ldl_solve(get(ld, "ld"), get(pivots, "pivots"), get(b, "b"), ldl_options(options), get_or_null(stream, "stream")));
  });
}
