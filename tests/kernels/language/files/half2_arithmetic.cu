#include <cuda_fp16.h>
// Two halves at a time: arithmetic, comparisons, conversions, and a dot product that is summed in float.
extern "C" __global__ void arithmetic(const half2* x, const half2* y, half2* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const half2 a = x[i], b = y[i], two = __float2half2_rn(2.0f);
  half2* o = out + i * 12;
  o[0] = __hadd2(a, b);
  o[1] = __hsub2(a, b);
  o[2] = __hmul2(a, b);
  o[3] = __hfma2(a, b, two);
  o[4] = __h2div(a, b);
  o[5] = __hneg2(a);
  o[6] = __habs2(a);
  o[7] = __hgt2(a, b);
  o[8] = __hmax2(a, b);
  o[9] = __lowhigh2highlow(a);
  o[10] = a * two + b;
  o[11] = __halves2half2(__high2half(b), __low2half(a));
}
extern "C" __global__ void dot(const __half* x, const __half* y, float* out, int n) {
  const half2* a = (const half2*)x;
  const half2* b = (const half2*)y;
  float sum = 0.f;
  for (int i = threadIdx.x; i < n / 2; i += 32) {
    const float2 u = __half22float2(a[i]), v = __half22float2(b[i]);
    sum += u.x * v.x + u.y * v.y;
  }
  for (int offset = 16; offset > 0; offset >>= 1) sum += __shfl_down_sync(0xffffffffu, sum, offset);
  if (threadIdx.x == 0) *out = sum;
}
