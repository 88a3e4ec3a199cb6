#include <cuda_bf16.h>
// C = A B in bfloat16, summed in float, rounded once at the end.
#define TILE 16
extern "C" __global__ void matmul(const __nv_bfloat16* a, const __nv_bfloat16* b, __nv_bfloat16* c, int m, int n, int k) {
  __shared__ __nv_bfloat16 as[TILE][TILE], bs[TILE][TILE];
  const int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
  const __nv_bfloat16 zero = __float2bfloat16(0.0f);
  float sum = 0.0f;
  for (int base = 0; base < k; base += TILE) {
    as[threadIdx.y][threadIdx.x] = row < m && base + threadIdx.x < k ? a[row * k + base + threadIdx.x] : zero;
    bs[threadIdx.y][threadIdx.x] = column < n && base + threadIdx.y < k ? b[(base + threadIdx.y) * n + column] : zero;
    __syncthreads();
    for (int i = 0; i < TILE; ++i) sum = fmaf(__bfloat162float(as[threadIdx.y][i]), __bfloat162float(bs[i][threadIdx.x]), sum);
    __syncthreads();
  }
  if (row < m && column < n) c[row * n + column] = __float2bfloat16_rn(sum);
}
