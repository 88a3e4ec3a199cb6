// base/float8.hpp: the values of the 8-bit floats that matrix products take. Each is a float16 with fewer bits or
// another range, so float represents all of them.
#pragma once
#include <array>
#include <cstdint>
#include <limits>

namespace tenon::base {

// A sign, `exponent_bits`, and the mantissa in the remaining bits; the bias is half of the exponent's range. ieee: an
// exponent of all ones means infinity or NaN; otherwise only the code of all ones means NaN, and there is no infinity.
constexpr float float8_value(uint8_t code, int exponent_bits, bool ieee) {
  const int mantissa_bits = 7 - exponent_bits, mantissa = code & ((1 << mantissa_bits) - 1);
  const int exponent = (code & 0x7f) >> mantissa_bits, top = (1 << exponent_bits) - 1;
  if (ieee ? exponent == top && mantissa : (code & 0x7f) == 0x7f) return std::numeric_limits<float>::quiet_NaN();
  float value = ieee && exponent == top ? std::numeric_limits<float>::infinity()
                                        : float(exponent ? mantissa + (1 << mantissa_bits) : mantissa);
  int scale = (exponent ? exponent : 1) - (top >> 1) - mantissa_bits;
  for (; scale > 0; --scale) value *= 2;
  for (; scale < 0; ++scale) value /= 2;
  return code & 0x80 ? -value : value;
}

constexpr std::array<float, 256> float8_values(int exponent_bits, bool ieee) {
  std::array<float, 256> out{};
  for (int code = 0; code < 256; ++code) out[size_t(code)] = float8_value(uint8_t(code), exponent_bits, ieee);
  return out;
}

inline constexpr std::array<float, 256> kFloat8E4M3FN = float8_values(4, false);
inline constexpr std::array<float, 256> kFloat8E5M2 = float8_values(5, true);

}  // namespace tenon::base
