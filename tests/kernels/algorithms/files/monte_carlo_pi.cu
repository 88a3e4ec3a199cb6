// Points in the unit square by xorshift; how many fall in the circle is counted by votes of the warp.
__device__ unsigned xorshift(unsigned& state) { state ^= state << 13; state ^= state >> 17; state ^= state << 5; return state; }
extern "C" __global__ void inside(unsigned long long* count, int rounds) {
  unsigned state = (blockIdx.x * blockDim.x + threadIdx.x) * 2654435761u + 12345u;
  unsigned hits = 0;
  for (int r = 0; r < rounds; ++r) {
    const unsigned long long x = xorshift(state) >> 8, y = xorshift(state) >> 8;
    hits += __popc(__ballot_sync(0xffffffffu, x * x + y * y < (1ull << 48)));
  }
  if ((threadIdx.x & 31) == 0) atomicAdd(count, (unsigned long long)hits);
}
