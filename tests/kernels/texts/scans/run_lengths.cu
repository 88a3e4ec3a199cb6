// Lengths of runs of equal values, from the scan of their heads.
__global__ void runs(int* y, const int* x) {
  __shared__ int number[129], first[129];
  const int t = threadIdx.x;
  number[t] = t > 0 && x[t] != x[t - 1];
  __syncthreads();
  for (int step = 1; step < 128; step <<= 1) {
    const int below = t >= step ? number[t - step] : 0;
    __syncthreads();
    number[t] += below;
    __syncthreads();
  }
  if (t == 0 || number[t] != number[t - 1]) first[number[t]] = t;
  if (t == 127) first[number[t] + 1] = 128;
  __syncthreads();
  if (t <= number[127]) y[2 * t] = x[first[t]], y[2 * t + 1] = first[t + 1] - first[t];
}
