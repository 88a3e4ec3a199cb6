// core/scalar.hpp: one number of any dtype: as a caller gives it, and as an element of an array.
#pragma once
#include <complex>
#include "core/dtype.hpp"

namespace tenon {

class Device;

struct Scalar {
  Dtype dtype;
  unsigned char bytes[16];
};

// Its value for routines that scale in double precision or less, rounded to it. DTYPE: a storage type.
std::complex<double> value_of(const Scalar& scalar, Device& cpu, const char* what);

// It as an element of `dtype`, in out: exactly for integers and bool, rounded to nearest even for floating and complex
// dtypes. INVALID_ARGUMENT: the dtype cannot hold it; DTYPE: one of the two is a storage type, and they differ.
void encode(const Scalar& scalar, Dtype dtype, Device& cpu, const char* what, unsigned char out[16]);
// Real and imaginary part by the device's own conversion, which never fails.
void encode(Dtype dtype, double real, double imaginary, Device& cpu, unsigned char out[16]);

}  // namespace tenon
