// device/numbers.cuh: integer types, bits of floating-point numbers, and 16-bit formats, for texts that run on every
// device.
//
// The sources in this folder are compiled twice: into the library by the host's compiler (TENON_DEVICE is then `static
// inline`), and as CUDA C by a device's compiler. Both give the same bits: everything is integer arithmetic or single
// IEEE operations, which are never contracted (-ffp-contract=off, -fmad=false). Nothing is included, so that NVRTC
// needs no headers.
#ifndef TENON_DEVICE
#define TENON_DEVICE __device__ static inline
#define TENON_MEMBER static __device__ inline
#define TENON_METHOD __device__ inline
#define TENON_SQRT sqrt
#define TENON_SQRTF sqrtf
#endif

namespace tenon_own {

struct alignas(16) u128 {
  u64 low, high;
};
struct half {
  u16 bits;
};  // float16
struct bfloat {
  u16 bits;
};  // bfloat16
struct boolean {
  u8 value;
};

TENON_DEVICE float float_of(u32 bits) {
  float y;
  memcpy(&y, &bits, 4);
  return y;
}
TENON_DEVICE u32 bits_of(float x) {
  u32 y;
  memcpy(&y, &x, 4);
  return y;
}
TENON_DEVICE double double_of(u64 bits) {
  double y;
  memcpy(&y, &bits, 8);
  return y;
}
TENON_DEVICE u64 bits_of(double x) {
  u64 y;
  memcpy(&y, &x, 8);
  return y;
}

// To nearest, ties to even; NaN stays NaN.
TENON_DEVICE u16 half_bits(float f) {
  const u32 bits = bits_of(f), magnitude = bits & 0x7fffffffu;
  const u32 normal = (magnitude - (112u << 23) + 0xfffu + ((magnitude >> 13) & 1u)) >> 13;
  const u32 subnormal = bits_of(float_of(magnitude < 0x38800000u ? magnitude : 0u) + 0.5f) - 0x3f000000u;
  const u32 special = magnitude > 0x7f800000u ? 0x7e00u | ((magnitude >> 13) & 0x3ffu) : 0x7c00u;
  const u32 out = magnitude < 0x38800000u ? subnormal : magnitude >= 0x47800000u ? special : normal;
  return u16(out | (bits >> 16 & 0x8000u));
}
TENON_DEVICE u16 bfloat_bits(float f) {
  const u32 bits = bits_of(f);
  const u32 rounded = (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16;
  return u16((bits & 0x7fffffffu) > 0x7f800000u ? bits >> 16 | 0x40u : rounded);
}
TENON_DEVICE float half_value(u16 h) {
  const u32 magnitude = h & 0x7fffu, mantissa = h & 0x3ffu;
  const u32 normal = (magnitude << 13) + (112u << 23);
  const u32 special = 0x7f800000u | (mantissa << 13);
  const u32 subnormal = bits_of(float(i32(mantissa)) * (1.0f / 16777216));
  const u32 bits = magnitude < 0x400u ? subnormal : magnitude >= 0x7c00u ? special : normal;
  return float_of(bits | u32(h & 0x8000u) << 16);
}
TENON_DEVICE float bfloat_value(u16 b) { return float_of(u32(b) << 16); }
// To float, with the last bit set if anything was lost: rounding that once more to 22 bits or fewer is correct.
TENON_DEVICE float float_to_odd(double d) {
  const float f = float(d);
  u32 bits = bits_of(f);
  const double back = double(f);
  const bool lost = back != d && d == d;
  const bool away = lost && (d < 0 ? back < d : back > d);
  bits -= away ? 1u : 0u;
  bits |= lost ? 1u : 0u;
  return float_of(bits);
}

// Converts a number computed in float or double to an element. Integers saturate, NaN becomes 0.
template <class S> struct Store;
template <> struct Store<float> {
  TENON_MEMBER float of(double x) { return float(x); }
  TENON_MEMBER float of(float x) { return x; }
};
template <> struct Store<double> {
  TENON_MEMBER double of(double x) { return x; }
};
template <> struct Store<half> {
  TENON_MEMBER half of(float x) { return {half_bits(x)}; }
  TENON_MEMBER half of(double x) { return {half_bits(float_to_odd(x))}; }
};
template <> struct Store<bfloat> {
  TENON_MEMBER bfloat of(float x) { return {bfloat_bits(x)}; }
  TENON_MEMBER bfloat of(double x) { return {bfloat_bits(float_to_odd(x))}; }
};
template <> struct Store<boolean> {
  TENON_MEMBER boolean of(double x) { return {u8(x != 0)}; }
};
#define TENON_STORE(type, low, high, least, most)                                                                     \
  template <> struct Store<type> {                                                                                    \
    TENON_MEMBER type of(double x) { return !(x > low) ? (x == x ? least : type(0)) : !(x < high) ? most : type(x); } \
  };
TENON_STORE(i8, -128.0, 127.0, i8(-128), i8(127))
TENON_STORE(i16, -32768.0, 32767.0, i16(-32768), i16(32767))
TENON_STORE(i32, -2147483648.0, 2147483647.0, -2147483647 - 1, 2147483647)
TENON_STORE(i64, -9223372036854775808.0, 9223372036854775808.0, -9223372036854775807ll - 1, 9223372036854775807ll)
TENON_STORE(u8, 0.0, 255.0, u8(0), u8(255))
TENON_STORE(u16, 0.0, 65535.0, u16(0), u16(65535))
TENON_STORE(u32, 0.0, 4294967295.0, u32(0), 4294967295u)
TENON_STORE(u64, 0.0, 18446744073709551616.0, u64(0), 18446744073709551615ull)
#undef TENON_STORE

}  // namespace tenon_own
