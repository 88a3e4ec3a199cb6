// y = A x: a warp a row, sixteen bytes a load. `columns` is a multiple of four.
__device__ __forceinline__ float dot4(float4 a, float4 b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
extern "C" __global__ void gemv(const float* __restrict__ a, const float* __restrict__ x, float* __restrict__ y, int rows, int columns) {
  const int row = blockIdx.x * blockDim.y + threadIdx.y, lane = threadIdx.x;
  if (row >= rows) return;
  const float4* line = reinterpret_cast<const float4*>(a + (size_t)row * columns);
  const float4* vector = reinterpret_cast<const float4*>(x);
  float sum = 0.f;
  for (int k = lane; k < columns / 4; k += 32) sum += dot4(__ldg(line + k), __ldg(vector + k));
#pragma unroll
  for (int offset = 16; offset; offset >>= 1) sum += __shfl_down_sync(0xffffffff, sum, offset);
  if (lane == 0) y[row] = sum;
}
