// shim/floats/cuda_bf16.h: __nv_bfloat16 and __nv_bfloat162.
#ifndef __CUDA_BF16_H__
#define __CUDA_BF16_H__
#include "tenon_small_float.h"

TENON_INLINE float tenon_float_of_bfloat16(unsigned short bits) { return __uint_as_float((unsigned)bits << 16); }
TENON_INLINE unsigned short tenon_bfloat16_bits(float x) {
  const unsigned bits = __float_as_uint(x), rounded = (bits + 0x7fffu + (bits >> 16 & 1)) >> 16;
  return (unsigned short)(x == x ? rounded : 0x7fffu);
}
TENON_SMALL_TYPES(__nv_bfloat16, __nv_bfloat162, bfloat16);
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

__nv_bfloat16 tenon_shuffled(__nv_bfloat16);
__nv_bfloat162 tenon_shuffled(__nv_bfloat162);
TENON_SMALL_FLOAT(__nv_bfloat16, __nv_bfloat162)
TENON_SMALL_INTEGERS(__nv_bfloat16, bfloat16)

TENON_INLINE __nv_bfloat16 __float2bfloat16(float x) { return __nv_bfloat16(x); }
TENON_INLINE __nv_bfloat16 __float2bfloat16_rn(float x) { return __nv_bfloat16(x); }
TENON_INLINE __nv_bfloat16 __float2bfloat16_rz(float x) {
  return tenon_small_directed<__nv_bfloat16, tenon_to_zero>(x);
}
TENON_INLINE __nv_bfloat16 __float2bfloat16_ru(float x) { return tenon_small_directed<__nv_bfloat16, tenon_up>(x); }
TENON_INLINE __nv_bfloat16 __float2bfloat16_rd(float x) { return tenon_small_directed<__nv_bfloat16, tenon_down>(x); }
TENON_INLINE __nv_bfloat16 __double2bfloat16(double x) { return __nv_bfloat16(x); }
TENON_INLINE float __bfloat162float(__nv_bfloat16 x) { return tenon_small<__nv_bfloat16>::value(x); }
TENON_INLINE short __bfloat16_as_short(__nv_bfloat16 x) { return (short)x.__x; }
TENON_INLINE unsigned short __bfloat16_as_ushort(__nv_bfloat16 x) { return x.__x; }
TENON_INLINE __nv_bfloat16 __ushort_as_bfloat16(unsigned short bits) {
  __nv_bfloat16 x;
  x.__x = bits;
  return x;
}
TENON_INLINE __nv_bfloat16 __short_as_bfloat16(short bits) { return __ushort_as_bfloat16((unsigned short)bits); }

TENON_INLINE __nv_bfloat162 make_bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) { return __nv_bfloat162(x, y); }
TENON_INLINE __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) { return __nv_bfloat162(x, y); }
TENON_INLINE __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 x) { return __nv_bfloat162(x, x); }
TENON_INLINE __nv_bfloat162 __float2bfloat162_rn(float x) { return __nv_bfloat162(__nv_bfloat16(x), __nv_bfloat16(x)); }
TENON_INLINE __nv_bfloat162 __floats2bfloat162_rn(float x, float y) {
  return __nv_bfloat162(__nv_bfloat16(x), __nv_bfloat16(y));
}
TENON_INLINE __nv_bfloat162 __float22bfloat162_rn(float2 v) { return __floats2bfloat162_rn(v.x, v.y); }
TENON_INLINE float2 __bfloat1622float2(__nv_bfloat162 v) {
  return make_float2(__bfloat162float(v.x), __bfloat162float(v.y));
}
TENON_INLINE __nv_bfloat16 __low2bfloat16(__nv_bfloat162 v) { return v.x; }
TENON_INLINE __nv_bfloat16 __high2bfloat16(__nv_bfloat162 v) { return v.y; }
TENON_INLINE __nv_bfloat162 __low2bfloat162(__nv_bfloat162 v) { return __nv_bfloat162(v.x, v.x); }
TENON_INLINE __nv_bfloat162 __high2bfloat162(__nv_bfloat162 v) { return __nv_bfloat162(v.y, v.y); }
TENON_INLINE __nv_bfloat162 __lows2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b) { return __nv_bfloat162(a.x, b.x); }
TENON_INLINE __nv_bfloat162 __highs2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b) { return __nv_bfloat162(a.y, b.y); }
TENON_INLINE __nv_bfloat162 __lowhigh2highlow(__nv_bfloat162 v) { return __nv_bfloat162(v.y, v.x); }
#endif
