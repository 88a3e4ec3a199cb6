// Welford's numbers of parts are merged in a tree.
struct Moments {
  double count, mean, squares;
};
__device__ Moments merged(Moments a, Moments b) {
  const double n = a.count + b.count, d = b.mean - a.mean;
  if (n == 0) return a;
  return {n, a.mean + d * b.count / n, a.squares + b.squares + d * d * a.count * b.count / n};
}
__global__ void moments(double* y, const float* x, int n) {
  __shared__ Moments all[64];
  Moments mine = {};
  for (int i = threadIdx.x; i < n; i += 64) mine = merged(mine, {1, x[i], 0});
  all[threadIdx.x] = mine;
  __syncthreads();
#pragma unroll
  for (int step = 32; step; step >>= 1) {
    if (threadIdx.x < step) all[threadIdx.x] = merged(all[threadIdx.x], all[threadIdx.x + step]);
    __syncthreads();
  }
  if (threadIdx.x == 0) y[0] = all[0].mean, y[1] = all[0].squares / all[0].count;
}
