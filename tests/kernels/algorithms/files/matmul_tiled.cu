#define TILE 16
extern "C" __global__ void __launch_bounds__(TILE * TILE) matmul(const float* __restrict__ a, const float* __restrict__ b,
                                                                 float* __restrict__ c, int n) {
  __shared__ float as[TILE][TILE], bs[TILE][TILE];
  int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
  float sum = 0;
  for (int t = 0; t < (n + TILE - 1) / TILE; ++t) {
    int ak = t * TILE + threadIdx.x, bk = t * TILE + threadIdx.y;
    as[threadIdx.y][threadIdx.x] = row < n && ak < n ? a[row * n + ak] : 0.0f;
    bs[threadIdx.y][threadIdx.x] = bk < n && column < n ? b[bk * n + column] : 0.0f;
    __syncthreads();
    for (int k = 0; k < TILE; ++k) sum += as[threadIdx.y][k] * bs[k][threadIdx.x];
    __syncthreads();
  }
  if (row < n && column < n) c[row * n + column] = sum;
}
