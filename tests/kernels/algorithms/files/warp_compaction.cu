// Writes the positive numbers next to each other, one atomic operation a warp.
extern "C" __global__ void compact(const int* x, int* y, int* count, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  bool keep = i < n && x[i] > 0;
  unsigned kept = __ballot_sync(0xffffffffu, keep);
  int base = 0;
  if (lane == 0) base = atomicAdd(count, __popc(kept));
  base = __shfl_sync(0xffffffffu, base, 0);
  if (keep) y[base + __popc(kept & ((1u << lane) - 1))] = x[i];
}
