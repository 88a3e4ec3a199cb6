// backend/cpu/linalg/element.hpp: element types, and the types in which they are computed: float32 for 16-bit elements.
#pragma once
#include <complex>
#include <cstdint>
#include "base/half.hpp"

namespace tenon::cpu {

template <class T> struct Number {
  using Stored = T;
  using Wide = T;
  static T read(T x) { return x; }
  static T write(T x) { return x; }
};
struct Half {
  using Stored = uint16_t;
  using Wide = float;
  static float read(uint16_t x) { return base::half_to_float(x); }
  static uint16_t write(float x) { return base::float_to_half(x); }
};
struct Bfloat {
  using Stored = uint16_t;
  using Wide = float;
  static float read(uint16_t x) { return base::bfloat_to_float(x); }
  static uint16_t write(float x) { return base::float_to_bfloat(x); }
};

}  // namespace tenon::cpu
