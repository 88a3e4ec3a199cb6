// Prefix sum in one pass with decoupled look-back: a block takes a ticket, publishes its own sum, then spins on the blocks
// before it until one of them has published all that is before it. The ticket makes sure that those have begun. On the CPU a
// block that has begun runs on its own host thread until it ends, so the wait ends there too.
#define NOTHING 0ull
#define PARTIAL (1ull << 62)
#define COMPLETE (2ull << 62)
#define VALUE ((1ull << 62) - 1)
extern "C" __global__ void scan(const unsigned* in, unsigned long long* out, volatile unsigned long long* state, unsigned* ticket, int n) {
  __shared__ unsigned long long part[256];
  __shared__ unsigned tile;
  __shared__ unsigned long long before;
  const unsigned t = threadIdx.x;
  if (t == 0) tile = atomicAdd(ticket, 1u);
  __syncthreads();
  const int i = tile * blockDim.x + t;
  part[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (unsigned step = 1; step < blockDim.x; step <<= 1) {
    unsigned long long other = t >= step ? part[t - step] : 0;
    __syncthreads();
    part[t] += other;
    __syncthreads();
  }
  if (t == 0) {
    const unsigned long long all = part[blockDim.x - 1];
    unsigned long long sum = 0;
    if (tile > 0) {
      state[tile] = PARTIAL | all;
      __threadfence();
      for (int look = (int)tile - 1; look >= 0;) {
        const unsigned long long seen = state[look];
        if ((seen & ~VALUE) == NOTHING) continue;
        sum += seen & VALUE;
        if ((seen & ~VALUE) == COMPLETE) break;
        --look;
      }
    }
    before = sum;
    __threadfence();
    state[tile] = COMPLETE | (sum + all);
  }
  __syncthreads();
  if (i < n) out[i] = before + part[t];
}
