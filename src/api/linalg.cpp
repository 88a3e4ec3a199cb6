// api/linalg.cpp: matrix products and factorisations.
#include "api/guard.hpp"
#include "ops/ops.hpp"

using namespace tenon;
using namespace tenon::api;

int32_t tenon_gemm(const double* alpha, const tenon_array* a, const tenon_array* b, const double* beta, tenon_array* c,
                   const tenon_gemm_options* given, tenon_stream* stream) {
  return guard([&] {
    const Array& left = get(a, "a");
    const Array& right = get(b, "b");
    Array& result = get(c, "c");
    const tenon_gemm_options options = options_from(given, "options");
    const std::complex<double> scale = alpha ? std::complex(alpha[0], alpha[1]) : std::complex(1.0, 0.0);
    const std::complex<double> keep = beta ? std::complex(beta[0], beta[1]) : std::complex(0.0, 0.0);
    const int32_t packed = ops::gemm(scale, left, right, keep, result, options.compute, get_or_null(stream, "stream"));
    if (options.out_packed) *options.out_packed = packed;
  });
}

int32_t tenon_svd(const tenon_array* a, const tenon_svd_options* given, tenon_stream* stream, tenon_array** out_u, tenon_array** out_s,
                  tenon_array** out_vh) {
  return guard([&] {
    if (out_u) *out_u = nullptr;
    if (out_vh) *out_vh = nullptr;
    Out s(out_s, "out_s");
    const tenon_svd_options options = options_from(given, "options");
    const bool vectors = options.mode != TENON_SVD_VALUES;
    TENON_REQUIRE(!vectors || (out_u && out_vh), TENON_ERROR_INVALID_ARGUMENT,
                  "out_u or out_vh is NULL: use mode TENON_SVD_VALUES for singular values only");
    ops::SvdResult result = ops::svd(get(a, "a"), options.mode, get_or_null(stream, "stream"));
    tenon_array *u = nullptr, *vh = nullptr;
    try {
      if (vectors) {
        Out(&u, "out_u").set(std::move(result.u));
        Out(&vh, "out_vh").set(std::move(result.vh));
      }
      s.set(std::move(result.s));
    } catch (...) {
      release(u);
      release(vh);
      throw;
    }
    if (vectors) *out_u = u, *out_vh = vh;
  });
}
