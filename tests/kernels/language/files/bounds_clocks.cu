// Launch bounds, unrolling with a count, clocks that do not go back, volatile, sleeping, warpSize, early arithmetic on dim3.
extern "C" __global__ void __launch_bounds__(128, 2) measure(long long* clocks, int* facts, float* y, int n) {
  const long long begin = clock64();
  const clock_t short_begin = clock();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  volatile float sum = 0;
#pragma unroll 4
  for (int k = 0; k < 64; ++k) sum = sum + (float)k;
  __nanosleep(20);
  if (i < n) {
    y[i] = sum;
    clocks[i] = clock64() - begin;
    (void)(clock() - short_begin);
  }
  if (i == 0) {
    facts[0] = warpSize;
    dim3 whole(gridDim.x * blockDim.x, gridDim.y * blockDim.y, gridDim.z * blockDim.z);
    facts[1] = (int)(whole.x * whole.y * whole.z);
    facts[2] = (int)sizeof(dim3) + (int)alignof(float4) + (int)sizeof(double3);
  }
}
