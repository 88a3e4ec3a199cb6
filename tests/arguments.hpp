// tests/arguments.hpp: numbers and given outputs as the C interface takes them, for one call.
#pragma once
#include <tenon/array.h>

namespace test {

// A scalar argument, which lives as long as the call.
struct Number {
  tenon_arg arg;
  bool null = false;
  operator const tenon_arg*() const { return null ? nullptr : &arg; }
};
inline Number number(double real) { return {TENON_F64_ARG(real)}; }
inline Number number(double real, double imaginary) { return {TENON_C128_ARG(real, imaginary)}; }
// Real and imaginary part, or NULL for the default.
inline Number scalar(const double* pair) {
  if (!pair) return {TENON_F64_ARG(0), true};
  return pair[1] == 0 ? number(pair[0]) : number(pair[0], pair[1]);
}

// An output that the caller provides.
struct Into {
  tenon_array* array;
  operator tenon_array**() { return &array; }
};
inline Into into(tenon_array* array) { return {array}; }

}  // namespace test
