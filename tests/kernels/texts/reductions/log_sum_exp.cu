#include <math.h>
__global__ void log_sum_exp(float* y, const float* x, int width) {
  __shared__ float room[32];
  const float* row = x + blockIdx.x * width;
  float top = -INFINITY, sum = 0;
  for (int i = threadIdx.x; i < width; i += 32) top = fmaxf(top, row[i]);
  room[threadIdx.x] = top;
  __syncthreads();
  for (int i = 0; i < 32; ++i) top = fmaxf(top, room[i]);
  __syncthreads();
  for (int i = threadIdx.x; i < width; i += 32) sum += expf(row[i] - top);
  room[threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int i = 1; i < 32; ++i) sum += room[i];
    y[blockIdx.x] = top + logf(sum);
  }
}
