#include <math.h>
// A block a row: the largest, the sum of exponentials, the quotient.
template <class F> __device__ float over_block(float value, F combine, float* shared) {
  for (int offset = warpSize / 2; offset > 0; offset /= 2) value = combine(value, __shfl_xor_sync(0xffffffffu, value, offset));
  const int warp = threadIdx.x / warpSize, warps = blockDim.x / warpSize;
  if (threadIdx.x % warpSize == 0) shared[warp] = value;
  __syncthreads();
  value = shared[0];
  for (int w = 1; w < warps; ++w) value = combine(value, shared[w]);
  __syncthreads();
  return value;
}
extern "C" __global__ void softmax(const float* x, float* y, int columns) {
  __shared__ float shared[32];
  const float* row = x + (size_t)blockIdx.x * columns;
  float largest = -INFINITY;
  for (int c = threadIdx.x; c < columns; c += blockDim.x) largest = fmaxf(largest, row[c]);
  largest = over_block(largest, [](float a, float b) { return fmaxf(a, b); }, shared);
  float sum = 0.0f;
  for (int c = threadIdx.x; c < columns; c += blockDim.x) sum += __expf(row[c] - largest);
  sum = over_block(sum, [](float a, float b) { return a + b; }, shared);
  for (int c = threadIdx.x; c < columns; c += blockDim.x) y[(size_t)blockIdx.x * columns + c] = __fdividef(__expf(row[c] - largest), sum);
}
