// Threads of a block wait for a flag that another warp sets.
__global__ void relay(int* y) {
  __shared__ volatile int flags[4];
  __shared__ volatile int message[4];
  const int warp = threadIdx.x / 32;
  if (threadIdx.x < 4) flags[threadIdx.x] = 0;
  __syncthreads();
  if (threadIdx.x % 32 == 0) {
    if (warp < 3)
      while (!flags[warp + 1]) {
      }
    message[warp] = warp < 3 ? message[warp + 1] * 2 + warp : 5;
    __threadfence_block();
    flags[warp] = 1;
  }
  __syncthreads();
  if (threadIdx.x < 4) y[threadIdx.x] = message[threadIdx.x];
}
