// base/half.hpp: float16 and bfloat16 as bits, converted with round-to-nearest-even, subnormals, infinities and NaN
// (which stays NaN and becomes quiet). Branch-free, so that loops over them vectorise; independent of flush-to-zero
// modes for results in float16's range. Everything is `static`, because the header is compiled for several instruction
// sets in one library.
#pragma once
#include <cstdint>

namespace tenon::base {

static inline float half_to_float(uint16_t h) {
  const uint32_t magnitude = h & 0x7fffu, mantissa = h & 0x3ffu;
  const uint32_t normal = (magnitude << 13) + (112u << 23);
  const uint32_t special = normal + (112u << 23) + (mantissa ? 0x400000u & ~(magnitude << 13) : 0u);
  const uint32_t subnormal = __builtin_bit_cast(uint32_t, float(int32_t(mantissa)) * 0x1p-24f);
  const uint32_t bits = magnitude < 0x400u ? subnormal : magnitude >= 0x7c00u ? special : normal;
  return __builtin_bit_cast(float, bits | uint32_t(h & 0x8000u) << 16);
}

static inline uint16_t float_to_half(float f) {
  const uint32_t bits = __builtin_bit_cast(uint32_t, f), magnitude = bits & 0x7fffffffu;
  const uint32_t normal = (magnitude - (112u << 23) + 0xfffu + ((magnitude >> 13) & 1u)) >> 13;
  // Adding 0.5 leaves a multiple of 2^-24, float16's smallest step, rounded by the hardware.
  const float shifted = __builtin_bit_cast(float, magnitude < 0x38800000u ? magnitude : 0u) + 0.5f;
  const uint32_t subnormal = __builtin_bit_cast(uint32_t, shifted) - 0x3f000000u;
  const uint32_t special = magnitude > 0x7f800000u ? 0x7e00u | ((magnitude >> 13) & 0x3ffu) : 0x7c00u;
  const uint32_t half = magnitude < 0x38800000u ? subnormal : magnitude >= 0x47800000u ? special : normal;
  return uint16_t(half | (bits >> 16 & 0x8000u));
}

static inline float bfloat_to_float(uint16_t b) { return __builtin_bit_cast(float, uint32_t(b) << 16); }

static inline uint16_t float_to_bfloat(float f) {
  const uint32_t bits = __builtin_bit_cast(uint32_t, f);
  const uint32_t rounded = (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16;
  return uint16_t((bits & 0x7fffffffu) > 0x7f800000u ? bits >> 16 | 0x40u : rounded);
}

// To float, with the last bit set if anything was lost ("round to odd"): rounding that once more to 22 bits or fewer
// gives the same result as rounding the double once.
static inline float double_to_float_odd(double d) {
  const float f = float(d);
  uint32_t bits = __builtin_bit_cast(uint32_t, f);
  const double back = double(f);
  const bool lost = back != d && d == d;
  const bool away = lost && (d < 0 ? back < d : back > d);
  bits -= away ? 1u : 0u;
  bits |= lost ? 1u : 0u;
  return __builtin_bit_cast(float, bits);
}

static inline uint16_t double_to_half(double d) { return float_to_half(double_to_float_odd(d)); }
static inline uint16_t double_to_bfloat(double d) { return float_to_bfloat(double_to_float_odd(d)); }

// To double, with the bits below its 53 folded into the last one, for a second rounding as above.
static inline double int64_to_double_odd(int64_t i) {
  const uint64_t magnitude = i < 0 ? 0 - uint64_t(i) : uint64_t(i);
  const uint64_t kept = magnitude >> 53 ? (magnitude >> 11 | uint64_t((magnitude & 2047u) != 0)) : magnitude;
  const double d = magnitude >> 53 ? double(int64_t(kept)) * 2048.0 : double(int64_t(kept));
  return i < 0 ? -d : d;
}
static inline double uint64_to_double_odd(uint64_t u) {
  const uint64_t kept = u >> 53 ? (u >> 11 | uint64_t((u & 2047u) != 0)) : u;
  return u >> 53 ? double(int64_t(kept)) * 2048.0 : double(int64_t(kept));
}

}  // namespace tenon::base
