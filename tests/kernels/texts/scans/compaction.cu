// What is not zero, in its order.
__global__ void compact(int* y, const int* x, int n) {
  __shared__ int warps[8], total;
  int done = 0;
  for (int base = 0; base < n; base += blockDim.x) {
    const int i = base + threadIdx.x, v = i < n ? x[i] : 0;
    const unsigned votes = __ballot_sync(0xffffffffu, v != 0);
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    if (lane == 0) warps[warp] = __popc(votes);
    __syncthreads();
    if (threadIdx.x == 0) {
      total = 0;
      for (int w = 0; w < 8; ++w) {
        const int count = warps[w];
        warps[w] = total;
        total += count;
      }
    }
    __syncthreads();
    if (v) y[done + warps[warp] + __popc(votes & ((1u << lane) - 1))] = v;
    done += total;
    __syncthreads();
  }
}
