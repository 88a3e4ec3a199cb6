// Threads whose value is odd write to a compacted place of their warp.
__global__ void rank_odd(int* y, const int* x) {
  const int t = threadIdx.x, lane = t % 32;
  const bool odd = x[t] & 1;
  const unsigned votes = __ballot_sync(0xffffffffu, odd);
  if (odd) y[t - lane + __popc(votes & ((1u << lane) - 1))] = x[t];
}
