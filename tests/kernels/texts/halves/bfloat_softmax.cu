// A softmax over rows of brain floats, computed in float.
#include <cuda_bf16.h>
__global__ void softmax(__nv_bfloat16* y, const __nv_bfloat16* x, int width) {
  const __nv_bfloat16* row = x + blockIdx.x * width;
  float top = -3e38f, sum = 0;
  for (int i = threadIdx.x; i < width; i += 32) top = fmaxf(top, __bfloat162float(row[i]));
  for (int s = 16; s; s /= 2) top = fmaxf(top, __shfl_xor_sync(~0u, top, s));
  for (int i = threadIdx.x; i < width; i += 32) sum += exp2f((float)row[i] - top);
  for (int s = 16; s; s /= 2) sum += __shfl_xor_sync(~0u, sum, s);
  for (int i = threadIdx.x; i < width; i += 32)
    y[blockIdx.x * width + i] = __float2bfloat16(exp2f((float)row[i] - top) / sum);
}
