// One dynamic allocation as several arrays, declared with different types.
extern __shared__ char bytes[];
extern __shared__ double numbers[];
__device__ int* integers(int n) { return (int*)(numbers + n); }
__global__ void several(double* y, const double* x, int n) {
  const int t = threadIdx.x;
  numbers[t] = x[t];
  integers(n)[t] = t * 3;
  unsigned char* const last = (unsigned char*)(bytes + 12 * n);
  last[t] = (unsigned char)(t * 5);
  __syncthreads();
  const int u = n - 1 - t;
  y[t] = numbers[u] + integers(n)[u] * 1000 + last[u] * 1000000.0;
}
