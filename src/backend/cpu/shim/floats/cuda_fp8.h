// shim/floats/cuda_fp8.h: 8-bit floating-point types: E4M3 (no infinity; one NaN), E5M2 (a shortened half) and E8M0 (a
// power of two).
#ifndef __CUDA_FP8_H__
#define __CUDA_FP8_H__
#define __CUDA_FP8_TYPES_EXIST__
#include "tenon_tiny_float.h"

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned __nv_fp8x4_storage_t;
typedef enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;
typedef enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 } __nv_fp8_interpretation_t;

TENON_INLINE unsigned tenon_fp8_finite(float x, __nv_saturation_t saturate, __nv_fp8_interpretation_t kind) {
  const tenon_tiny_parts parts(x);
  const bool e4m3 = kind == __NV_E4M3, keep = saturate == __NV_SATFINITE;
  const unsigned code = e4m3 ? tenon_tiny_code<3, 7>(parts.size, true) : tenon_tiny_code<2, 15>(parts.size, true);
  const unsigned most = e4m3 ? 0x7eu : 0x7bu, over = keep ? most : most + 1;  // the code after the largest number
  return (code > most ? over : code) | parts.sign << 7;
}
TENON_INLINE unsigned tenon_fp8_code(float x, __nv_saturation_t saturate, __nv_fp8_interpretation_t kind) {
  return x == x ? tenon_fp8_finite(x, saturate, kind) : 0x7fu;
}
// A NaN of double keeps its sign, and in E5M2 the first bits of its mantissa.
TENON_INLINE unsigned tenon_fp8_code(double x, __nv_saturation_t saturate, __nv_fp8_interpretation_t kind) {
  const unsigned high = (unsigned)((unsigned long long)__double_as_longlong(x) >> 32);
  const unsigned nan = (kind == __NV_E4M3 ? 0x7fu : 0x7eu | (high >> 18 & 3)) | (high >> 31) << 7;
  return x == x ? tenon_fp8_finite(tenon_odd_float(x), saturate, kind) : nan;
}
TENON_INLINE float tenon_fp8_value(unsigned x, __nv_fp8_interpretation_t kind) {
  const unsigned code = x & 0x7fu, sign = x >> 7 & 1;
  const bool e4m3 = kind == __NV_E4M3;
  const float finite = e4m3 ? tenon_tiny_value<3, 7>(code) : tenon_tiny_value<2, 15>(code);
  const float size = !e4m3 && code == 0x7cu ? __builtin_inff() : finite;
  return code > (e4m3 ? 0x7eu : 0x7cu) ? __uint_as_float(0x7fffffffu)
                                       : __uint_as_float(__float_as_uint(size) | sign << 31);
}

TENON_TINY_FAMILY(fp8, 8, __nv_fp8_interpretation_t, (__nv_saturation_t saturate, __nv_fp8_interpretation_t kind),
                  (saturate, kind))

// The exponent of the power of two next to the size of x, towards zero or away from it; its sign is lost.
TENON_INLINE unsigned tenon_e8m0_code(float x, __nv_saturation_t saturate, cudaRoundMode rounding) {
  const unsigned bits = __float_as_uint(x) & 0x7fffffffu, exponent = bits >> 23;
  const bool above = (bits & 0x7fffffu) != 0 && bits > 0x00400000u && exponent < 255;  // 0x00400000 is 2^-127
  const unsigned code = exponent + (rounding == cudaRoundPosInf && above ? 1u : 0u);
  return x == x && code == 255 && saturate == __NV_SATFINITE ? 254u : code;
}
TENON_INLINE unsigned tenon_e8m0_code(double x, __nv_saturation_t saturate, cudaRoundMode rounding) {
  return tenon_e8m0_code(tenon_odd_float(x), saturate, rounding);
}
TENON_INLINE float tenon_e8m0_value(unsigned x) {
  return __uint_as_float(x == 255u ? 0x7fff0000u : x == 0 ? 0x00400000u : x << 23);
}
TENON_TINY_FUNCTIONS(e8m0, __nv_fp8_storage_t, __nv_fp8x2_storage_t, 8, tenon_e8m0_code,
                     (__nv_saturation_t saturate, cudaRoundMode rounding), (saturate, rounding))
TENON_INLINE __nv_fp8x2_storage_t __nv_cvt_bfloat162raw_to_e8m0x2(__nv_bfloat162_raw v, __nv_saturation_t saturate,
                                                                  cudaRoundMode rounding) {
  const __nv_bfloat162 x(v);
  return __nv_cvt_float2_to_e8m0x2(__bfloat1622float2(x), saturate, rounding);
}
TENON_INLINE __nv_bfloat16_raw __nv_cvt_e8m0_to_bf16raw(__nv_fp8_storage_t x) {
  const __nv_bfloat16_raw out = {(unsigned short)(__float_as_uint(tenon_e8m0_value(x)) >> 16)};
  return out;
}
TENON_INLINE __nv_bfloat162_raw __nv_cvt_e8m0x2_to_bf162raw(__nv_fp8x2_storage_t x) {
  const __nv_bfloat162_raw out = {__nv_cvt_e8m0_to_bf16raw((__nv_fp8_storage_t)x).x,
                                  __nv_cvt_e8m0_to_bf16raw((__nv_fp8_storage_t)(x >> 8)).x};
  return out;
}

// What the classes use: the nearest finite number; powers of two away from zero.
template <class X> TENON_INLINE unsigned tenon_e4m3_of(X x) {
  return tenon_fp8_code(tenon_odd_float(x), __NV_SATFINITE, __NV_E4M3);
}
template <class X> TENON_INLINE unsigned tenon_e5m2_of(X x) {
  return tenon_fp8_code(tenon_odd_float(x), __NV_SATFINITE, __NV_E5M2);
}
TENON_INLINE unsigned tenon_e4m3_of(double x) { return tenon_fp8_code(x, __NV_SATFINITE, __NV_E4M3); }
TENON_INLINE unsigned tenon_e5m2_of(double x) { return tenon_fp8_code(x, __NV_SATFINITE, __NV_E5M2); }
template <class X> TENON_INLINE unsigned tenon_e8m0_of(X x) {
  return tenon_e8m0_code(tenon_odd_float(x), __NV_SATFINITE, cudaRoundPosInf);
}
TENON_INLINE float tenon_e4m3_value(unsigned x) { return tenon_fp8_value(x, __NV_E4M3); }
TENON_INLINE float tenon_e5m2_value(unsigned x) { return tenon_fp8_value(x, __NV_E5M2); }

TENON_TINY_CLASSES(fp8, e4m3, 8, (__x & 0x7fu) != 0)
TENON_TINY_CLASSES(fp8, e5m2, 8, (__x & 0x7fu) != 0)
TENON_TINY_CLASSES(fp8, e8m0, 8, true)
#endif
