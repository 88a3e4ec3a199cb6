// A radix sort of one bit at a time, each pass a scan of the zeros.
__global__ void sort(unsigned* x, int bits) {
  __shared__ unsigned keys[128], zeros[128];
  const int t = threadIdx.x;
  unsigned key = x[t];
  for (int bit = 0; bit < bits; ++bit) {
    const unsigned one = key >> bit & 1;
    zeros[t] = !one;
    __syncthreads();
    for (int step = 1; step < 128; step *= 2) {
      const unsigned below = t >= step ? zeros[t - step] : 0;
      __syncthreads();
      zeros[t] += below;
      __syncthreads();
    }
    keys[one ? zeros[127] + t - zeros[t] : zeros[t] - 1] = key;
    __syncthreads();
    key = keys[t];
    __syncthreads();
  }
  x[t] = key;
}
