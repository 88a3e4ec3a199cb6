// shim/floats/cuda_fp16.h: __half and __half2.
#ifndef __CUDA_FP16_H__
#define __CUDA_FP16_H__
#include "tenon_small_float.h"

#if defined(__FLT16_MANT_DIG__) && defined(__F16C__)
TENON_INLINE float tenon_float_of_half(unsigned short bits) {
  _Float16 value;
  __builtin_memcpy(&value, &bits, 2);
  return (float)value;
}
TENON_INLINE unsigned short tenon_half_bits(float x) {
  const _Float16 value = (_Float16)x;
  unsigned short bits;
  __builtin_memcpy(&bits, &value, 2);
  return x == x ? bits : (unsigned short)0x7fffu;
}
#else
// For compilers without a half type: computed from the bits. Scaling by powers of two lets the floating-point unit
// handle denormals.
TENON_INLINE float tenon_float_of_half(unsigned short bits) {
  const unsigned magnitude = bits & 0x7fffu;
  const float scaled = __uint_as_float(magnitude << 13) * 5.192296858534828e33f;  // 2^112
  const float value = magnitude >= 0x7c00u ? __uint_as_float(0x7f800000u | magnitude << 13) : scaled;
  return __uint_as_float(__float_as_uint(value) | (unsigned)(bits & 0x8000u) << 16);
}
TENON_INLINE unsigned short tenon_half_bits(float x) {
  const unsigned bits = __float_as_uint(x), sign = bits >> 16 & 0x8000u;
  const float size = __builtin_fabsf(x);
  // Denormals: adding 2^-1 * 1.0 aligns the last kept bit with the float's own.
  const unsigned small = __float_as_uint(size + 0.5f) - 0x3f000000u;
  const unsigned magnitude = bits & 0x7fffffffu,
                 normal = (magnitude + 0xfffu + (magnitude >> 13 & 1) - 0x38000000u) >> 13;
  const unsigned result = size >= 65520.0f ? 0x7c00u : size < 6.103515625e-5f ? small : normal;
  return (unsigned short)(x == x ? sign | result : 0x7fffu);
}
#endif

TENON_SMALL_TYPES(__half, __half2, half);
typedef __half half;
typedef __half __nv_half;
typedef __half2 half2;
typedef __half2 __nv_half2;

__half tenon_shuffled(__half);
__half2 tenon_shuffled(__half2);
TENON_SMALL_FLOAT(__half, __half2)
TENON_SMALL_INTEGERS(__half, half)

TENON_INLINE __half __float2half(float x) { return __half(x); }
TENON_INLINE __half __float2half_rn(float x) { return __half(x); }
TENON_INLINE __half __float2half_rz(float x) { return tenon_small_directed<__half, tenon_to_zero>(x); }
TENON_INLINE __half __float2half_ru(float x) { return tenon_small_directed<__half, tenon_up>(x); }
TENON_INLINE __half __float2half_rd(float x) { return tenon_small_directed<__half, tenon_down>(x); }
TENON_INLINE __half __double2half(double x) { return __half(x); }
TENON_INLINE float __half2float(__half x) { return tenon_small<__half>::value(x); }
TENON_INLINE short __half_as_short(__half x) { return (short)x.__x; }
TENON_INLINE unsigned short __half_as_ushort(__half x) { return x.__x; }
TENON_INLINE __half __ushort_as_half(unsigned short bits) {
  __half x;
  x.__x = bits;
  return x;
}
TENON_INLINE __half __short_as_half(short bits) { return __ushort_as_half((unsigned short)bits); }

TENON_INLINE __half2 make_half2(__half x, __half y) { return __half2(x, y); }
TENON_INLINE __half2 __halves2half2(__half x, __half y) { return __half2(x, y); }
TENON_INLINE __half2 __half2half2(__half x) { return __half2(x, x); }
TENON_INLINE __half2 __float2half2_rn(float x) { return __half2(__half(x), __half(x)); }
TENON_INLINE __half2 __floats2half2_rn(float x, float y) { return __half2(__half(x), __half(y)); }
TENON_INLINE __half2 __float22half2_rn(float2 v) { return __floats2half2_rn(v.x, v.y); }
TENON_INLINE float2 __half22float2(__half2 v) { return make_float2(__half2float(v.x), __half2float(v.y)); }
TENON_INLINE __half __low2half(__half2 v) { return v.x; }
TENON_INLINE __half __high2half(__half2 v) { return v.y; }
TENON_INLINE __half2 __low2half2(__half2 v) { return __half2(v.x, v.x); }
TENON_INLINE __half2 __high2half2(__half2 v) { return __half2(v.y, v.y); }
TENON_INLINE __half2 __lows2half2(__half2 a, __half2 b) { return __half2(a.x, b.x); }
TENON_INLINE __half2 __highs2half2(__half2 a, __half2 b) { return __half2(a.y, b.y); }
TENON_INLINE __half2 __lowhigh2highlow(__half2 v) { return __half2(v.y, v.x); }
#endif
