// Floating-point types of 8, 6 and 4 bits: conversions by functions, and through the classes.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp4.h>
#include <cuda_fp6.h>
#include <cuda_fp8.h>

// out[8 * i]: the codes of x[i] in E4M3 and E5M2, saturating and not, E3M2, E2M3, E2M1, and the exponent of E8M0.
extern "C" __global__ void encode(const float* x, unsigned char* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned char* y = out + 8 * i;
  y[0] = __nv_cvt_float_to_fp8(x[i], __NV_SATFINITE, __NV_E4M3);
  y[1] = __nv_cvt_float_to_fp8(x[i], __NV_NOSAT, __NV_E4M3);
  y[2] = __nv_cvt_float_to_fp8(x[i], __NV_SATFINITE, __NV_E5M2);
  y[3] = __nv_cvt_float_to_fp8(x[i], __NV_NOSAT, __NV_E5M2);
  y[4] = __nv_cvt_float_to_fp6(x[i], __NV_E3M2, cudaRoundNearest);
  y[5] = __nv_cvt_float_to_fp6(x[i], __NV_E2M3, cudaRoundNearest);
  y[6] = __nv_cvt_float_to_fp4(x[i], __NV_E2M1, cudaRoundNearest);
  y[7] = __nv_cvt_float_to_e8m0(x[i], __NV_SATFINITE, cudaRoundPosInf);
}
extern "C" __global__ void encode_double(const double* x, unsigned char* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned char* y = out + 8 * i;
  y[0] = __nv_cvt_double_to_fp8(x[i], __NV_SATFINITE, __NV_E4M3);
  y[1] = __nv_cvt_double_to_fp8(x[i], __NV_NOSAT, __NV_E4M3);
  y[2] = __nv_cvt_double_to_fp8(x[i], __NV_SATFINITE, __NV_E5M2);
  y[3] = __nv_cvt_double_to_fp8(x[i], __NV_NOSAT, __NV_E5M2);
  y[4] = __nv_cvt_double_to_fp6(x[i], __NV_E3M2, cudaRoundNearest);
  y[5] = __nv_cvt_double_to_fp6(x[i], __NV_E2M3, cudaRoundNearest);
  y[6] = __nv_cvt_double_to_fp4(x[i], __NV_E2M1, cudaRoundNearest);
  y[7] = __nv_cvt_double_to_e8m0(x[i], __NV_SATFINITE, cudaRoundPosInf);
}
// Of every half and bfloat16, i being its bits.
extern "C" __global__ void encode_small(unsigned char* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  __half_raw h;
  __nv_bfloat16_raw b;
  h.x = b.x = (unsigned short)i;
  unsigned char* y = out + 8 * i;
  y[0] = __nv_cvt_halfraw_to_fp8(h, __NV_SATFINITE, __NV_E4M3);
  y[1] = __nv_cvt_halfraw_to_fp8(h, __NV_NOSAT, __NV_E5M2);
  y[2] = __nv_cvt_halfraw_to_fp6(h, __NV_E3M2, cudaRoundNearest);
  y[3] = __nv_cvt_halfraw_to_fp4(h, __NV_E2M1, cudaRoundNearest);
  y[4] = __nv_cvt_bfloat16raw_to_fp8(b, __NV_NOSAT, __NV_E4M3);
  y[5] = __nv_cvt_bfloat16raw_to_fp8(b, __NV_SATFINITE, __NV_E5M2);
  y[6] = __nv_cvt_bfloat16raw_to_fp6(b, __NV_E2M3, cudaRoundZero);
  y[7] = __nv_cvt_bfloat16raw_to_e8m0(b, __NV_NOSAT, cudaRoundZero);
}
// Of every code: its value as float in each format, and what the classes make of it.
template <class T> __device__ float value_of(unsigned code) {
  T x;
  x.__x = (unsigned char)code;
  return float(x);
}
template <class T> __device__ int integers_of(unsigned code) {
  T x;
  x.__x = (unsigned char)code;
  const int more = 3 * int((signed char)x) + 7 * int((unsigned char)x) + 11 * int((unsigned short)x);
  return (int)((unsigned)int(x) + (unsigned)more) + (bool(x) ? 1 : 0);
}
extern "C" __global__ void decode(float* values, int* integers, unsigned short* halves) {
  const unsigned i = threadIdx.x;
  float* v = values + 6 * i;
  v[0] = value_of<__nv_fp8_e4m3>(i), v[1] = value_of<__nv_fp8_e5m2>(i), v[2] = value_of<__nv_fp6_e3m2>(i);
  v[3] = value_of<__nv_fp6_e2m3>(i), v[4] = value_of<__nv_fp4_e2m1>(i), v[5] = value_of<__nv_fp8_e8m0>(i);
  integers[2 * i] = integers_of<__nv_fp8_e4m3>(i);
  integers[2 * i + 1] = integers_of<__nv_fp8_e5m2>(i);
  halves[2 * i] = __nv_cvt_fp8_to_halfraw((unsigned char)i, __NV_E4M3).x;
  halves[2 * i + 1] = __nv_cvt_fp8_to_halfraw((unsigned char)i, __NV_E5M2).x;
}
// Vectors of two and four are their elements, the first in the lowest bits.
extern "C" __global__ void vectors(const float4* x, unsigned* out, float4* back, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const __nv_fp8x4_e4m3 four(x[i]);
  const __nv_fp8x2_e5m2 two(make_float2(x[i].x, x[i].y));
  const __nv_fp4x4_e2m1 tiny(x[i]);
  out[3 * i] = four.__x;
  out[3 * i + 1] = two.__x;
  out[3 * i + 2] = tiny.__x;
  back[2 * i] = float4(four);
  back[2 * i + 1] = float4(tiny);
}
// A product of rows in E4M3, as quantised networks have it.
extern "C" __global__ void scaled_dot(const __nv_fp8_e4m3* a, const __nv_fp8_e4m3* b, float scale, float* out, int k) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int i = 0; i < k; ++i) sum += float(a[row * k + i]) * float(b[i]);
  out[row] = sum * scale;
}
