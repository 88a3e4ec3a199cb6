// Both ends of each row, by a struct in shared memory.
struct Ends {
  int low, high;
  __device__ void take(const Ends& other) {
    low = min(low, other.low);
    high = max(high, other.high);
  }
};
__global__ void ends(int* y, const int* x, int width) {
  __shared__ Ends all[64];
  Ends mine = {0x7fffffff, (int)0x80000000};
  for (int i = threadIdx.x; i < width; i += blockDim.x)
    mine.take({x[blockIdx.x * width + i], x[blockIdx.x * width + i]});
  all[threadIdx.x] = mine;
  for (int step = blockDim.x / 2; step > 0; step /= 2) {
    __syncthreads();
    if (threadIdx.x < step) all[threadIdx.x].take(all[threadIdx.x + step]);
  }
  if (threadIdx.x == 0) y[2 * blockIdx.x] = all[0].low, y[2 * blockIdx.x + 1] = all[0].high;
}
