// A warp sorts its values by exchanging them.
__global__ void sort(int* y, const int* x) {
  const int lane = threadIdx.x % 32;
  int mine = x[threadIdx.x];
  for (int size = 2; size <= 32; size *= 2)
    for (int step = size / 2; step > 0; step /= 2) {
      const int other = __shfl_xor_sync(0xffffffffu, mine, step);
      const bool ascending = !(lane & size), low = !(lane & step);
      mine = ascending == low ? min(mine, other) : max(mine, other);
    }
  y[threadIdx.x] = mine;
}
