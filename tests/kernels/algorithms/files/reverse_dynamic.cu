// Two dynamic arrays share one piece of memory, as CUDA has it.
extern "C" __global__ void reverse(const float* x, float* y, double* z) {
  extern __shared__ double shared[];
  double* doubles = shared;
  float* floats = (float*)(doubles + blockDim.x);
  int t = threadIdx.x, base = blockIdx.x * blockDim.x;
  floats[t] = x[base + t];
  doubles[t] = 2.0 * x[base + t];
  __syncthreads();
  y[base + t] = floats[blockDim.x - 1 - t];
  z[base + t] = doubles[blockDim.x - 1 - t];
}
