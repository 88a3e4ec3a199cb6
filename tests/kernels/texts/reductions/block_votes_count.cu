__global__ void count(int* y, const int* x) {
  const int v = x[blockIdx.x * blockDim.x + threadIdx.x];
  const int even = __syncthreads_count(v % 2 == 0), all = __syncthreads_and(v > 0), any = __syncthreads_or(v > 95);
  if (threadIdx.x == 0) y[blockIdx.x] = even * 4 + (all != 0) * 2 + (any != 0);
}
