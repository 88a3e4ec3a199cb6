// The greatest value of a warp and the least place that has it.
__global__ void argmax(int* y, const float* x) {
  float best = x[threadIdx.x];
  int at = threadIdx.x;
  for (int step = 16; step; step /= 2) {
    const float other = __shfl_down_sync(0xffffffffu, best, step);
    const int where = __shfl_down_sync(0xffffffffu, at, step);
    if (other > best || (other == best && where < at)) best = other, at = where;
  }
  if (threadIdx.x % 32 == 0) y[threadIdx.x / 32] = at;
}
