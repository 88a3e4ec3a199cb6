// Hillis and Steele's scan in two halves of dynamic shared memory.
__global__ void scan(int* y, const int* x, int n) {
  extern __shared__ int room[];
  int from = 0, to = n;
  room[threadIdx.x] = x[blockIdx.x * n + threadIdx.x];
  __syncthreads();
  for (int step = 1; step < n; step *= 2) {
    room[to + threadIdx.x] = room[from + threadIdx.x] + (threadIdx.x >= step ? room[from + threadIdx.x - step] : 0);
    const int t = from;
    from = to;
    to = t;
    __syncthreads();
  }
  y[blockIdx.x * n + threadIdx.x] = room[from + threadIdx.x];
}
