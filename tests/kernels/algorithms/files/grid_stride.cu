#ifndef TENON_GRID_STRIDE
#define TENON_GRID_STRIDE(i, n) for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < (n); i += (size_t)gridDim.x * blockDim.x)
#endif
extern "C" __global__ void by_macro(float a, const float* x, float* y, long long n) {
  TENON_GRID_STRIDE(i, n) { y[i] = a * x[i] + y[i]; }
}
extern "C" __global__ void by_hand(float a, const float* x, float* y, long long n) {
  for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < n; i += (long long)gridDim.x * blockDim.x) y[i] = a * x[i] + y[i];
}
