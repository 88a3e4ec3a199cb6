// Blelloch's exclusive scan with places that avoid bank conflicts.
#define PLACE(i) ((i) + ((i) >> 5))
__global__ void scan(int* y, const int* x) {
  __shared__ int room[256 + 8];
  const int t = threadIdx.x, n = 256;
  room[PLACE(2 * t)] = x[blockIdx.x * n + 2 * t];
  room[PLACE(2 * t + 1)] = x[blockIdx.x * n + 2 * t + 1];
  int offset = 1;
  for (int d = n >> 1; d > 0; d >>= 1, offset *= 2) {
    __syncthreads();
    if (t < d) room[PLACE(offset * (2 * t + 2) - 1)] += room[PLACE(offset * (2 * t + 1) - 1)];
  }
  if (t == 0) room[PLACE(n - 1)] = 0;
  for (int d = 1; d < n; d *= 2) {
    offset >>= 1;
    __syncthreads();
    if (t < d) {
      const int a = PLACE(offset * (2 * t + 1) - 1), b = PLACE(offset * (2 * t + 2) - 1), v = room[a];
      room[a] = room[b];
      room[b] += v;
    }
  }
  __syncthreads();
  y[blockIdx.x * n + 2 * t] = room[PLACE(2 * t)];
  y[blockIdx.x * n + 2 * t + 1] = room[PLACE(2 * t + 1)];
}
#undef PLACE
