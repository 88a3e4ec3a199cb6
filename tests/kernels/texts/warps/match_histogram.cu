// The first lane of each value counts its lanes.
__global__ void count(int* y, const int* x) {
  const unsigned same = __match_any_sync(0xffffffffu, x[threadIdx.x]);
  if (threadIdx.x % 32 == __ffs(same) - 1) atomicAdd(&y[x[threadIdx.x]], __popc(same));
}
