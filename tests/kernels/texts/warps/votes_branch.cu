// Votes of a part of the warp, in a branch.
__global__ void votes(int* y, const int* x) {
  const int lane = threadIdx.x % 32;
  int result = -1;
  if (lane < 16) {
    const unsigned half = 0x0000ffffu;
    result = __all_sync(half, x[threadIdx.x] > 0) * 4 + __any_sync(half, x[threadIdx.x] > 7) * 2 +
             (__ballot_sync(half, x[threadIdx.x] & 1) >> 15);
  }
  y[threadIdx.x] = result;
}
