// core/array/scalar.hpp: one number of any dtype, as passed by a caller, and as an element of an array.
#pragma once
#include <complex>
#include "core/dtype.hpp"

namespace tenon {

class Device;

struct Scalar {
  Dtype dtype;
  unsigned char bytes[16];
};

// Its value, rounded, for routines that scale in double precision or less. Throws DTYPE for a storage type.
std::complex<double> value_of(const Scalar& scalar, Device& cpu, const char* what);

// Its value as an element of `dtype`, in out: exact for integers and bool, rounded to nearest even for floating and
// complex dtypes. Throws INVALID_ARGUMENT if the dtype cannot represent it, DTYPE if one of the two is a storage type
// and they differ.
void encode(const Scalar& scalar, Dtype dtype, Device& cpu, const char* what, unsigned char out[16]);
// The real and imaginary part, converted as the device does, which never fails.
void encode(Dtype dtype, double real, double imaginary, Device& cpu, unsigned char out[16]);

}  // namespace tenon
