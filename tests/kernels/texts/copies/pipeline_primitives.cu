#include <cuda_pipeline.h>
__global__ void turned(double* y, const double* x) {
  __shared__ double tile[64];
  __pipeline_memcpy_async(&tile[threadIdx.x], &x[blockIdx.x * 64 + threadIdx.x], sizeof(double));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  y[blockIdx.x * 64 + threadIdx.x] = tile[(threadIdx.x * 7) % 64];
}
