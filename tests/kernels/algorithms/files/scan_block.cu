// Inclusive scan of each block, Hillis and Steele with two halves of a buffer.
extern "C" __global__ void scan(const int* x, int* y, int n) {
  __shared__ int buffer[2][256];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, from = 0;
  buffer[0][t] = i < n ? x[i] : 0;
  for (unsigned step = 1; step < blockDim.x; step *= 2) {
    __syncthreads();
    int value = buffer[from][t];
    if (t >= step) value += buffer[from][t - step];
    buffer[1 - from][t] = value;
    from = 1 - from;
  }
  if (i < n) y[i] = buffer[from][t];
}
