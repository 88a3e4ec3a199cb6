// A segmented scan: a set flag begins a segment.
__global__ void scan(int* y, const int* x, const unsigned char* flags) {
  __shared__ int sums[128];
  __shared__ unsigned char heads[128];
  const int t = threadIdx.x;
  sums[t] = x[t];
  heads[t] = flags[t];
  for (int step = 1; step < 128; step *= 2) {
    __syncthreads();
    const int below = t >= step && !heads[t] ? sums[t - step] : 0;
    const unsigned char head = heads[t] | (t >= step ? heads[t - step] : 1);
    __syncthreads();
    sums[t] += below;
    heads[t] = head;
  }
  y[t] = sums[t];
}
