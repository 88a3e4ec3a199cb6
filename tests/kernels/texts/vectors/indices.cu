// blockIdx and threadIdx as values: dim3, uint3 and their parts.
__device__ int linear(uint3 at, dim3 size) { return at.x + size.x * (at.y + size.y * at.z); }
__global__ void indices(int* y) {
  const uint3 block = blockIdx, thread = threadIdx;
  const dim3 grid = gridDim, threads(blockDim.x, blockDim.y, blockDim.z);
  const int b = linear(block, grid), t = linear(thread, threads);
  y[b * threads.x * threads.y * threads.z + t] = b * 1000 + t + (warpSize == 32 ? 0 : 1000000);
}
