// The four greatest of each row, kept sorted by each thread and merged by a warp.
__global__ void top(int* y, const int* x, int width) {
  int best[4] = {-1, -1, -1, -1};
  for (int i = threadIdx.x; i < width; i += 32) {
    int v = x[blockIdx.x * width + i];
    for (int k = 0; k < 4; ++k)
      if (v > best[k]) {
        const int t = best[k];
        best[k] = v;
        v = t;
      }
  }
  for (int k = 0; k < 4; ++k) {
    const int top = __reduce_max_sync(0xffffffffu, best[0]);
    const unsigned owners = __ballot_sync(0xffffffffu, best[0] == top);
    if (threadIdx.x == __ffs(owners) - 1) {
      y[blockIdx.x * 4 + k] = top;
      best[0] = best[1], best[1] = best[2], best[2] = best[3], best[3] = -1;
    }
  }
}
