// cp.async into two buffers by turns.
__global__ void sums(float* y, const float* x, int tiles) {
  __shared__ alignas(16) float tile[2][128];
  const int t = threadIdx.x;
  const auto fetch = [&](int k) {
    const unsigned to = (unsigned)__cvta_generic_to_shared(&tile[k % 2][4 * t]);
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(x + 128 * k + 4 * t) : "memory");
    asm volatile("cp.async.commit_group;" ::: "memory");
  };
  float sum = 0;
  fetch(0);
  for (int k = 0; k < tiles; ++k) {
    if (k + 1 < tiles) {
      fetch(k + 1);
      asm volatile("cp.async.wait_group 1;" ::: "memory");
    } else {
      asm volatile("cp.async.wait_group 0;" ::: "memory");
    }
    __syncthreads();
    for (int i = 0; i < 4; ++i) sum += tile[k % 2][(t * 4 + i + 32 * k) % 128] * (i + 1);
    __syncthreads();
  }
  y[t] = sum;
}
