__global__ void sort(int* x, int n) {
  for (int round = 0; round < n; ++round) {
    const int i = 2 * threadIdx.x + (round & 1);
    if (i + 1 < n && x[i] > x[i + 1]) {
      const int t = x[i];
      x[i] = x[i + 1];
      x[i + 1] = t;
    }
    __syncthreads();
  }
}
