// ops/solve/scaling.cpp: scaling matrices to a magnitude near 1 by powers of two.
#include "ops/solve/scaling.hpp"

#include <algorithm>
#include <cmath>
#include "ops/products/products.hpp"

namespace tenon::ops {

bool equal(const Exponents& x) { return std::equal(x.begin() + 1, x.end(), x.begin()); }

Ref<Array> scaled_each(const Array& a, const Exponents& exponents, int times, Stream& stream) {
  if (equal(exponents))
    return exponents[0] ? scaled(a, std::ldexp(1.0, times * exponents[0]), stream) : Ref<Array>(const_cast<Array*>(&a));
  std::vector<double> factors;
  for (int e : exponents) factors.push_back(std::ldexp(1.0, times * e));
  const int64_t batch = int64_t(factors.size());
  const Ref<Array> d = from_values(factors, a.dtype(), Dims{batch, 1, 1}, stream);
  return product(*d, *a.reshape(Dims{batch, 1, a.size() / batch}), stream)->reshape(a.shape());
}

Exponents exponents_of(const Array& a, Stream& stream) {
  const bool single = dtype_real(a.dtype()) == TENON_FLOAT32;
  const int most = single ? 120 : 1000,
            middle = single ? 55 : 500;  // the dtype represents 2^most and its reciprocal
  Exponents out;
  for (double largest : host_reals(*element_norm(a, NormKind::largest, stream), stream)) {
    const int exponent = largest > 0 && std::isfinite(largest) ? std::max(std::ilogb(largest), -most) : 0;
    out.push_back(exponent > middle ? exponent - middle : exponent < -kTame ? exponent : 0);
  }
  return out;
}

Tamed tamed(const Array& a, Stream& stream) {
  Tamed out{{}, exponents_of(a, stream)};
  out.a = scaled_each(a, out.exponents, -1, stream);
  return out;
}

}  // namespace tenon::ops
