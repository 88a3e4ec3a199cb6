// As sums.cu, with operations of the warp after the loop, and the last block's turn.
#define TID (blockIdx.x * blockDim.x + threadIdx.x)
#define STRIDE (gridDim.x * blockDim.x)
#define KERNEL(name) extern "C" __global__ void name(const int* x, int* y, int n, int m)

KERNEL(shuffled) {
  int s = m;
  for (int i = TID; i < n; i += STRIDE) s = (s * 3 + x[i]) % 1009;
  for (int d = 16; d > 0; d /= 2) s += __shfl_down_sync(~0u, s, d);
  if (threadIdx.x % 32 == 0 && TID / 32 < 4000) y[TID / 32] = s;
}
__device__ unsigned int done = 0;
KERNEL(last_block) {
  __shared__ int part[1024];
  __shared__ bool last;
  int s = 0;
  for (int i = TID; i < n; i += STRIDE) s += x[i];
  part[threadIdx.x] = s;
  __syncthreads();
  if (threadIdx.x == 0) {
    int all = 0;
    for (unsigned k = 0; k < blockDim.x; ++k) all += part[k];
    y[blockIdx.x + 1] = all;
    __threadfence();
    last = atomicInc(&done, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    int all = 0;
    for (unsigned b = 0; b < gridDim.x; ++b) all += y[b + 1];
    y[0] = all + __popc(__ballot_sync(1u, 1));
  }
}
