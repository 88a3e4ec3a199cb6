#include <cuda_fp16.h>
#include <cuda_bf16.h>
extern "C" __global__ void half_axpy(float a, const __half* x, __half* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = __hfma(__float2half(a), x[i], y[i]);
}
extern "C" __global__ void half2_axpy(float a, const __half2* x, __half2* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = __hadd2_rn(__hmul2_rn(__float2half2_rn(a), x[i]), y[i]);
}
extern "C" __global__ void bfloat16_axpy(float a, const __nv_bfloat16* x, __nv_bfloat16* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = __float2bfloat16(a * __bfloat162float(x[i]) + __bfloat162float(y[i]));
}
extern "C" __global__ void from_float(const float* x, __half* h, __nv_bfloat16* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    h[i] = __float2half_rn(x[i]);
    b[i] = __float2bfloat16_rn(x[i]);
  }
}
extern "C" __global__ void to_float(const unsigned short* bits, float* h, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    h[i] = __half2float(__ushort_as_half(bits[i]));
    b[i] = __bfloat162float(__ushort_as_bfloat16(bits[i]));
  }
}
