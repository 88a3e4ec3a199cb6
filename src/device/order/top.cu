// device/order/top.cu: the `keep` first elements of long rows in the order of their keys (order.cuh), in two steps: the
// key of the last of them, 8 bits at a time from the highest by counting digits, and then the elements up to that key,
// in their original order.
namespace tenon_own {

enum : int { kTopCopies = 4 };

// counts: per row, the digits of the elements whose higher digits agree with w.limit; 0 before.
template <class S> __global__ void __launch_bounds__(kTileThreads) top_count(TopWork w, i64 blocks, i32 shift) {
  using Key = typename Order<S>::Key;
  __shared__ u32 seen[kDigits][kTopCopies];  // several copies, so that lanes with the same digit wait less
  const int thread = threadIdx.x;
  for (int copy = 0; copy < kTopCopies; ++copy) seen[thread][copy] = 0;
  __syncthreads();
  const i64 row = blockIdx.x / blocks, block = blockIdx.x - row * blocks;
  const Key* const from = static_cast<const Key*>(w.from) + row * w.n;
  const bool all = shift + 8 == int(8 * sizeof(S));
  const u64 limit = w.limit[row];
  for (i64 i = block * kTileThreads + thread; i < w.n; i += blocks * kTileThreads) {
    const u64 key = Order<S>::key_of(from[i], w.descending != 0) >> shift;
    if (all || key >> 8 == limit) atomicAdd(&seen[key & 255][thread % kTopCopies], 1u);
  }
  __syncthreads();
  u32 sum = 0;
  for (int copy = 0; copy < kTopCopies; ++copy) sum += seen[thread][copy];
  if (sum) atomicAdd(&w.counts[row * kDigits + thread], sum);
}

// The digit of the last element that is kept; one block per row. left: the number of elements with its key so far.
__global__ void __launch_bounds__(kTileThreads) top_choose(TopWork w) {
  __shared__ u32 sums[kTileThreads / 32];
  const i64 row = blockIdx.x;
  u32* const count = w.counts + row * kDigits + threadIdx.x;
  const u32 own = *count, left = w.left[row], before = block_sum_before(own, sums);
  *count = 0;
  if (before >= left || left > before + own) return;
  w.limit[row] = w.limit[row] << 8 | threadIdx.x;
  w.left[row] = left - before;
}

// The thread's elements of a tile, and which of them have keys before the limit, and equal to it.
template <class S> struct Tile {
  using Key = typename Order<S>::Key;
  Key own[kTileEach];
  u32 smaller, equal;
  i64 row, tile, first;
  __device__ explicit Tile(const TopWork& w) : smaller(0), equal(0) {
    row = blockIdx.x / w.tiles, tile = blockIdx.x - row * w.tiles;
    first = tile * kTileElements + threadIdx.x / 32 * 32 * kTileEach + threadIdx.x % 32;
    const Key* const from = static_cast<const Key*>(w.from) + row * w.n;
    const Key limit = Key(w.limit[row]);
#pragma unroll
    for (int j = 0; j < kTileEach; ++j) {
      const i64 i = first + 32 * j;
      if (i >= w.n) continue;
      own[j] = from[i];
      const Key key = Order<S>::key_of(own[j], w.descending != 0);
      smaller |= u32(key < limit) << j;
      equal |= u32(key == limit) << j;
    }
  }
};

// w.starts: two lists per row, of the numbers of smaller and of equal elements in each tile.
template <class S> __global__ void __launch_bounds__(kTileThreads) top_tiles(TopWork w) {
  __shared__ u32 sums[kTileThreads / 32];
  const Tile<S> t(w);
  const u32 own = __popc(t.equal) << 16 | __popc(t.smaller), before = block_sum_before(own, sums);
  if (threadIdx.x != kTileThreads - 1) return;
  i64* const starts = w.starts + t.row * 2 * (w.tiles + 1) + t.tile;
  starts[0] = (before + own) & 0xffffu;
  starts[w.tiles + 1] = (before + own) >> 16;
}

template <class S> __global__ void __launch_bounds__(kTileThreads) top_take(TopWork w) {
  using Key = typename Order<S>::Key;
  __shared__ u32 sums[kTileThreads / 32];
  const Tile<S> t(w);
  const int lane = threadIdx.x % 32;
  const i64* const starts = w.starts + t.row * 2 * (w.tiles + 1) + t.tile;
  const u32 own = __popc(t.equal) << 16 | __popc(t.smaller);
  const u32 before = __shfl_sync(0xffffffffu, block_sum_before(own, sums), 0);  // the sum before this warp
  i64 next_smaller = starts[0] + (before & 0xffffu), next_equal = starts[w.tiles + 1] + (before >> 16);
  const i64 left = w.left[t.row], all_smaller = w.keep - left;
  const u32 lower = (1u << lane) - 1;
#pragma unroll
  for (int j = 0; j < kTileEach; ++j) {
    const bool is_smaller = t.smaller >> j & 1, is_equal = t.equal >> j & 1;
    const u32 with_smaller = __ballot_sync(0xffffffffu, is_smaller), with_equal = __ballot_sync(0xffffffffu, is_equal);
    const i64 rank = next_equal + __popc(with_equal & lower);
    const i64 to = is_smaller ? next_smaller + __popc(with_smaller & lower) : all_smaller + rank;
    if (is_smaller || (is_equal && rank < left)) {
      static_cast<Key*>(w.elements)[t.row * w.keep + to] = t.own[j];
      w.order[t.row * w.keep + to] = u32(t.first + 32 * j);
    }
    next_smaller += __popc(with_smaller);
    next_equal += __popc(with_equal);
  }
}

}  // namespace tenon_own
