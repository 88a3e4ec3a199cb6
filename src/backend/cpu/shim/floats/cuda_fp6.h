// shim/floats/cuda_fp6.h: 6-bit floating-point types, E2M3 and E3M2, which have neither infinities nor NaN. What is too
// large becomes the largest number; NaN becomes the positive one.
#ifndef __CUDA_FP6_H__
#define __CUDA_FP6_H__
#define __CUDA_FP6_TYPES_EXIST__
#include <cuda_fp8.h>

typedef __nv_fp8_storage_t __nv_fp6_storage_t;
typedef __nv_fp8x2_storage_t __nv_fp6x2_storage_t;
typedef __nv_fp8x4_storage_t __nv_fp6x4_storage_t;
typedef enum __nv_fp6_interpretation_t { __NV_E2M3, __NV_E3M2 } __nv_fp6_interpretation_t;

TENON_INLINE unsigned tenon_fp6_code(float x, __nv_fp6_interpretation_t kind, cudaRoundMode rounding) {
  const tenon_tiny_parts parts(x);
  const bool nearest = rounding == cudaRoundNearest;
  const unsigned code =
      kind == __NV_E2M3 ? tenon_tiny_code<3, 1>(parts.size, nearest) : tenon_tiny_code<2, 3>(parts.size, nearest);
  return parts.is_nan ? 0x1fu : (code > 0x1fu ? 0x1fu : code) | parts.sign << 5;
}
TENON_INLINE unsigned tenon_fp6_code(double x, __nv_fp6_interpretation_t kind, cudaRoundMode rounding) {
  return tenon_fp6_code(tenon_odd_float(x), kind, rounding);
}
TENON_INLINE float tenon_fp6_value(unsigned x, __nv_fp6_interpretation_t kind) {
  const unsigned code = x & 0x1fu;
  const float size = kind == __NV_E2M3 ? tenon_tiny_value<3, 1>(code) : tenon_tiny_value<2, 3>(code);
  return x & 0x20u ? -size : size;
}
TENON_TINY_FAMILY(fp6, 8, __nv_fp6_interpretation_t, (__nv_fp6_interpretation_t kind, cudaRoundMode rounding),
                  (kind, rounding))

template <class X> TENON_INLINE unsigned tenon_e2m3_of(X x) {
  return tenon_fp6_code(tenon_odd_float(x), __NV_E2M3, cudaRoundNearest);
}
template <class X> TENON_INLINE unsigned tenon_e3m2_of(X x) {
  return tenon_fp6_code(tenon_odd_float(x), __NV_E3M2, cudaRoundNearest);
}
TENON_INLINE float tenon_e2m3_value(unsigned x) { return tenon_fp6_value(x, __NV_E2M3); }
TENON_INLINE float tenon_e3m2_value(unsigned x) { return tenon_fp6_value(x, __NV_E3M2); }

TENON_TINY_CLASSES(fp6, e2m3, 8, (__x & 0x1fu) != 0)
TENON_TINY_CLASSES(fp6, e3m2, 8, (__x & 0x1fu) != 0)
#endif
