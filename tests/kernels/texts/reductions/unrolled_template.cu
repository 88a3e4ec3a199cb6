// The last steps are unrolled for the block's size.
// kernels: reduce<64>, reduce<256>
template <unsigned Block> __global__ void reduce(int* y, const int* x, int n) {
  extern __shared__ int room[];
  const unsigned t = threadIdx.x;
  room[t] = 0;
  for (unsigned i = blockIdx.x * Block * 2 + t; i < n; i += Block * 2 * gridDim.x)
    room[t] += x[i] + (i + Block < n ? x[i + Block] : 0);
  __syncthreads();
  if (Block >= 256) {
    if (t < 128) room[t] += room[t + 128];
    __syncthreads();
  }
  if (Block >= 128) {
    if (t < 64) room[t] += room[t + 64];
    __syncthreads();
  }
  if (t < 32) {
    int sum = room[t] + room[t + 32];
    for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(0xffffffffu, sum, step);
    if (t == 0) atomicAdd(y, sum);
  }
}
