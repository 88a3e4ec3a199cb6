// As sums.cu, with barriers of the block after the loop.
#define TID (blockIdx.x * blockDim.x + threadIdx.x)
#define STRIDE (gridDim.x * blockDim.x)
#define KERNEL(name) extern "C" __global__ void name(const int* x, int* y, int n, int m)

KERNEL(block_sum) {
  __shared__ int part[1024];
  int s = 0;
  for (int i = TID; i < n; i += STRIDE) s += x[i];
  part[threadIdx.x] = s;
  __syncthreads();
  for (int d = 512; d > 0; d /= 2) {
    if (threadIdx.x < d && threadIdx.x + d < blockDim.x) part[threadIdx.x] += part[threadIdx.x + d];
    __syncthreads();
  }
  if (threadIdx.x == 0) y[blockIdx.x] = part[0];
}
KERNEL(rotated) {
  __shared__ int part[1024];
  int i = threadIdx.x + blockIdx.x * blockDim.x, s = m, all = 0;
  while (i < n) {
    s = (s * 3 + x[i]) % 1009;
    i += blockDim.x * gridDim.x;
  }
  for (int round = 0; round < 3; ++round) {
    part[threadIdx.x] = s;
    __syncthreads();
    s += part[(threadIdx.x + 1) % blockDim.x] ^ i;
    all = (all * 5 + s) % 10007;
    __syncthreads();
  }
  if (TID < 4000) y[TID] = all;
}
