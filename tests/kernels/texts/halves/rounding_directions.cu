#include <cuda_fp16.h>
#include <cuda_bf16.h>
__global__ void directions(unsigned short* y, const float* x) {
  const float v = x[threadIdx.x];
  unsigned short* to = y + 6 * threadIdx.x;
  to[0] = __half_as_ushort(__float2half_rz(v));
  to[1] = __half_as_ushort(__float2half_rd(v));
  to[2] = __half_as_ushort(__float2half_ru(v));
  to[3] = __bfloat16_as_ushort(__float2bfloat16_rz(v));
  to[4] = __bfloat16_as_ushort(__float2bfloat16_rd(v));
  to[5] = __bfloat16_as_ushort(__float2bfloat16_ru(v));
}
