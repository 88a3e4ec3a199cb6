// shim/floats/cuda_fp4.h: 4-bit floating-point numbers, E2M1; two are packed in a byte. There are neither infinities
// nor NaN.
#ifndef __CUDA_FP4_H__
#define __CUDA_FP4_H__
#define __CUDA_FP4_TYPES_EXIST__
#include <cuda_fp8.h>

typedef __nv_fp8_storage_t __nv_fp4_storage_t;
typedef __nv_fp8_storage_t __nv_fp4x2_storage_t;
typedef __nv_fp8x2_storage_t __nv_fp4x4_storage_t;
typedef enum __nv_fp4_interpretation_t { __NV_E2M1 } __nv_fp4_interpretation_t;

TENON_INLINE unsigned tenon_fp4_code(float x, __nv_fp4_interpretation_t, cudaRoundMode rounding) {
  const tenon_tiny_parts parts(x);
  const unsigned code = tenon_tiny_code<1, 1>(parts.size, rounding == cudaRoundNearest);
  return parts.is_nan ? 7u : (code > 7u ? 7u : code) | parts.sign << 3;
}
TENON_INLINE unsigned tenon_fp4_code(double x, __nv_fp4_interpretation_t kind, cudaRoundMode rounding) {
  return tenon_fp4_code(tenon_odd_float(x), kind, rounding);
}
TENON_INLINE float tenon_fp4_value(unsigned x, __nv_fp4_interpretation_t) {
  const float size = tenon_tiny_value<1, 1>(x & 7u);
  return x & 8u ? -size : size;
}
TENON_TINY_FAMILY(fp4, 4, __nv_fp4_interpretation_t, (__nv_fp4_interpretation_t kind, cudaRoundMode rounding),
                  (kind, rounding))

template <class X> TENON_INLINE unsigned tenon_e2m1_of(X x) {
  return tenon_fp4_code(tenon_odd_float(x), __NV_E2M1, cudaRoundNearest);
}
TENON_INLINE float tenon_e2m1_value(unsigned x) { return tenon_fp4_value(x, __NV_E2M1); }

TENON_TINY_CLASSES(fp4, e2m1, 4, (__x & 7u) != 0)
#endif
