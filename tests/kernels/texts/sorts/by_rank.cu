__global__ void rank(float* y, const float* x, int n) {
  extern __shared__ float all[];
  for (int i = threadIdx.x; i < n; i += blockDim.x) all[i] = x[i];
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    int rank = 0;
    for (int k = 0; k < n; ++k) rank += all[k] < all[i] || (all[k] == all[i] && k < i);
    y[rank] = all[i];
  }
}
