// Each warp has a histogram of its own in shared memory.
__global__ void histogram(unsigned* y, const unsigned char* x, int n) {
  __shared__ unsigned bins[4][64];
  for (int i = threadIdx.x; i < 256; i += blockDim.x) (&bins[0][0])[i] = 0;
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) atomicAdd(&bins[threadIdx.x / 32][x[i] & 63], 1u);
  __syncthreads();
  if (threadIdx.x < 64)
    y[threadIdx.x] = bins[0][threadIdx.x] + bins[1][threadIdx.x] + bins[2][threadIdx.x] + bins[3][threadIdx.x];
}
