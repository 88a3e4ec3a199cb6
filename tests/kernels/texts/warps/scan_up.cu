__global__ void scan(long long* y, const long long* x) {
  long long sum = x[threadIdx.x];
  for (int step = 1; step < 32; step *= 2) {
    const long long below = __shfl_up_sync(0xffffffffu, sum, step);
    if (threadIdx.x % 32 >= step) sum += below;
  }
  y[threadIdx.x] = sum;
}
