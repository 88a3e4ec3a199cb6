// device/order/unique.cu: the first element of each run of equal ones in a sorted array, without a mask of them in
// memory.
namespace tenon_own {

// A tile is read in kTileEach rounds of neighbouring elements, one per thread. mine: this thread's elements; starts:
// bit k, whether that of round k begins a run.
template <class S> __device__ inline u32 runs_in_tile(const RunsWork& w, S (&mine)[kTileEach]) {
  const S* const sorted = static_cast<const S*>(w.sorted);
  const i64 first = i64(blockIdx.x) * kTileElements + threadIdx.x;
  S before[kTileEach];
#pragma unroll
  for (int k = 0; k < kTileEach; ++k) {
    const i64 i = first + k * kTileThreads;
    mine[k] = sorted[i < w.count ? i : 0];
    before[k] = sorted[i > 0 && i < w.count ? i - 1 : 0];
  }
  u32 starts = 0;
#pragma unroll
  for (int k = 0; k < kTileEach; ++k) {
    const i64 i = first + k * kTileThreads;
    const bool begins = i == 0 || Order<S>::key(mine[k], false) != Order<S>::key(before[k], false) ||
                        (!w.nan_equal && Order<S>::is_nan(mine[k]));
    starts |= u32(i < w.count && begins) << k;
  }
  return starts;
}

// counts[b]: the number of runs that begin in tile b.
template <class S> __global__ void runs_count(RunsWork w, i64* counts) {
  __shared__ u32 sums[kTileThreads / 32];
  S mine[kTileEach];
  const u32 own = __popc(runs_in_tile(w, mine));
  const u32 before = block_sum_before(own, sums);
  if (threadIdx.x == kTileThreads - 1) counts[blockIdx.x] = before + own;
}

// The first elements of the runs, in order; tiles: the number of runs that begin before each tile.
template <class S> __global__ void runs_write(RunsWork w, const i64* tiles, S* to) {
  enum : int { kWarps = kTileThreads / 32 };
  __shared__ u32 rounds[kTileEach * kWarps], sums[kTileThreads / 32];
  S mine[kTileEach];
  const u32 starts = runs_in_tile(w, mine);
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  u32 votes[kTileEach];
#pragma unroll
  for (int k = 0; k < kTileEach; ++k) {
    votes[k] = __ballot_sync(0xffffffffu, starts >> k & 1);
    if (lane == 0) rounds[k * kWarps + warp] = __popc(votes[k]);
  }
  __syncthreads();
  const bool counts = threadIdx.x < kTileEach * kWarps;
  const u32 before = block_sum_before(counts ? rounds[threadIdx.x] : 0u, sums);
  if (counts) rounds[threadIdx.x] = before;
  __syncthreads();
  S* const out = to + tiles[blockIdx.x];
  const u32 lower = (1u << lane) - 1;
#pragma unroll
  for (int k = 0; k < kTileEach; ++k)
    if (starts >> k & 1) out[rounds[k * kWarps + warp] + __popc(votes[k] & lower)] = mine[k];
}

}  // namespace tenon_own
