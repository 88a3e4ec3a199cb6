// Sums of segments whose heads are flagged: a segmented scan of each warp by shuffles, what crosses warps by atomics.
extern "C" __global__ void sum_segments(const int* values, const int* segment, int* sums, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
  const bool live = i < n;
  const int mine = live ? segment[i] : -1;
  int sum = live ? values[i] : 0;
  for (int step = 1; step < 32; step <<= 1) {
    const int other = __shfl_up_sync(0xffffffffu, sum, step), its = __shfl_up_sync(0xffffffffu, mine, step);
    if (lane >= step && its == mine) sum += other;
  }
  const int next = __shfl_down_sync(0xffffffffu, mine, 1);
  if (live && (lane == 31 || next != mine)) atomicAdd(&sums[mine], sum);
}
