extern "C" __global__ void reduce(const float* x, float* out, int n) {
  extern __shared__ float partial[];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x * 2 + t;
  partial[t] = (i < n ? x[i] : 0.0f) + (i + blockDim.x < n ? x[i + blockDim.x] : 0.0f);
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    if (t < half) partial[t] += partial[t + half];
    __syncthreads();
  }
  if (t == 0) atomicAdd(out, partial[0]);
}
