__global__ void sum(float* y, const float4* x, int n) {
  __shared__ float part[2];
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    const float4 v = x[i];
    sum += v.x + v.y + v.z + v.w;
  }
  for (int step = 16; step; step /= 2) sum += __shfl_xor_sync(~0u, sum, step);
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) *y = part[0] + part[1];
}
