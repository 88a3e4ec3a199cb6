// A sum that every lane gets.
__global__ void butterfly(float* y, const float* x) {
  float sum = x[threadIdx.x];
#pragma unroll
  for (int step = 16; step; step >>= 1) sum += __shfl_xor_sync(0xffffffffu, sum, step);
  y[threadIdx.x] = sum;
}
