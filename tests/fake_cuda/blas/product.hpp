// tests/fake_cuda/blas/product.hpp: a matrix product on the host, plainly, in double.
#pragma once
#include <cmath>
#include <complex>
#include <cstdint>
#include "base/float8.hpp"
#include "base/half.hpp"

namespace fake_product {

constexpr int kFloat = 0, kDouble = 1, kHalf = 2, kComplex = 4, kDoubleComplex = 5, kBfloat = 14, kE4M3 = 28,
              kE5M2 = 29;  // CUDA_R_*

using Number = std::complex<double>;

template <class T> T at(const void* data, int64_t i) { return static_cast<const T*>(data)[i]; }

inline Number get(int type, const void* data, int64_t i) {
  switch (type) {
    case kFloat: return at<float>(data, i);
    case kDouble: return at<double>(data, i);
    case kHalf: return tenon::base::half_to_float(at<uint16_t>(data, i));
    case kBfloat: return tenon::base::bfloat_to_float(at<uint16_t>(data, i));
    case kComplex: return at<std::complex<float>>(data, i);
    case kDoubleComplex: return at<Number>(data, i);
    case kE4M3: return tenon::base::kFloat8E4M3FN[at<uint8_t>(data, i)];
    case kE5M2: return tenon::base::kFloat8E5M2[at<uint8_t>(data, i)];
  }
  return NAN;
}

inline void put(int type, void* data, int64_t i, Number x) {
  switch (type) {
    case kFloat: static_cast<float*>(data)[i] = float(x.real()); return;
    case kDouble: static_cast<double*>(data)[i] = x.real(); return;
    case kHalf: static_cast<uint16_t*>(data)[i] = tenon::base::double_to_half(x.real()); return;
    case kBfloat: static_cast<uint16_t*>(data)[i] = tenon::base::double_to_bfloat(x.real()); return;
    case kComplex: static_cast<std::complex<float>*>(data)[i] = std::complex<float>(x); return;
    case kDoubleComplex: static_cast<Number*>(data)[i] = x; return;
  }
}

inline Number scalar(int type, const void* value) { return get(type, value, 0); }

struct Problem {
  int type_a, type_b, type_c;
  int64_t m, n, k;
  int op_a, op_b;  // CUBLAS_OP_*
  const void* a;
  const void* b;
  void* c;
  int64_t lda, ldb, ldc, batch, stride_a, stride_b, stride_c;
  Number alpha, beta;
  const void* bias = nullptr;  // of c's type, one per row
  bool relu = false, gelu = false, keeps_nan = true;
  bool conjugate_b = false;  // in addition to op_b
};

inline Number element(int type, const void* data, int64_t first, int op, int64_t ld, int64_t row, int64_t column) {
  if (op) std::swap(row, column);
  const Number x = get(type, data, first + column * ld + row);
  return op == 2 ? std::conj(x) : x;
}

inline void run(const Problem& p) {
  for (int64_t g = 0; g < p.batch; ++g)
    for (int64_t j = 0; j < p.n; ++j)
      for (int64_t i = 0; i < p.m; ++i) {
        Number sum = 0;
        for (int64_t l = 0; l < p.k; ++l) {
          const Number y = element(p.type_b, p.b, g * p.stride_b, p.op_b, p.ldb, l, j);
          sum += element(p.type_a, p.a, g * p.stride_a, p.op_a, p.lda, i, l) * (p.conjugate_b ? std::conj(y) : y);
        }
        const int64_t at = g * p.stride_c + j * p.ldc + i;
        Number x = p.alpha * sum;
        if (p.beta != 0.0) x += p.beta * get(p.type_c, p.c, at);
        if (p.bias) x += get(p.type_c, p.bias, i);
        const double r = x.real();
        if (p.relu) x = std::isnan(r) ? (p.keeps_nan ? r : 0.0) : std::max(r, 0.0);
        if (p.gelu) x = 0.5 * r * (1 + std::tanh(std::sqrt(2 / M_PI) * (r + 0.044715 * r * r * r)));
        put(p.type_c, p.c, at, x);
      }
}

}  // namespace fake_product
