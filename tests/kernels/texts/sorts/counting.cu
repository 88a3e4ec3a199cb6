__global__ void sort(unsigned char* y, const unsigned char* x, int n) {
  __shared__ unsigned counts[256];
  counts[threadIdx.x] = 0;
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += 256) atomicAdd(&counts[x[i]], 1u);
  __syncthreads();
  unsigned first = 0;
  for (int k = 0; k < threadIdx.x; ++k) first += counts[k];
  for (unsigned k = 0; k < counts[threadIdx.x]; ++k) y[first + k] = (unsigned char)threadIdx.x;
}
