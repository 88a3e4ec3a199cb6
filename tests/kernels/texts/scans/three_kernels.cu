// A scan over the grid in three launches: sums of blocks, their scan, and each block again.
__global__ void block_sums(int* sums, const int* x, int n) {
  __shared__ int sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&sum, x[i]);
  __syncthreads();
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}
__global__ void scan_sums(int* sums, int blocks) {
  int before = 0;
  for (int b = 0; b < blocks; ++b) {
    const int sum = sums[b];
    sums[b] = before;
    before += sum;
  }
}
__global__ void scan_blocks(int* y, const int* x, const int* before, int n) {
  __shared__ int warps[4];
  const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  int sum = i < n ? x[i] : 0;
  for (int step = 1; step < 32; step *= 2) {
    const int below = __shfl_up_sync(0xffffffffu, sum, step);
    if (lane >= step) sum += below;
  }
  if (lane == 31) warps[threadIdx.x / 32] = sum;
  __syncthreads();
  for (int w = 0; w < threadIdx.x / 32; ++w) sum += warps[w];
  if (i < n) y[i] = before[blockIdx.x] + sum;
}
