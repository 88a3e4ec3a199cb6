// device/sort.cu: a stable sort of the rows of a matrix by keys (order.cuh), 8 bits at a time from the lowest.
//
// Each short row is sorted by one block, in shared memory. For long rows every pass reads and writes each element once
// (Adinets and Merrill, "Onesweep: A Faster Least Significant Digit Radix Sort for GPUs", 2022): all digits are counted
// beforehand, and the positions of a tile's elements follow from the counts of the tiles before it, which their blocks
// publish as soon as they are known (Merrill and Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back",
// 2016). Elements are moved unchanged, so that -0 and NaNs keep their bits; each pass computes the keys again.
namespace tenon_own {

enum : int { kSortWarps = kTileThreads / 32, kSortCopies = 4, kSortLoads = 4 };

// The number of blocks that run on a multiprocessor at once, which limits the registers per thread. More blocks hide
// the latency of memory better, which gains more than a few spilled registers cost.
template <class S> struct SortBlocks {
  enum : int { value = sizeof(S) > 4 ? 3 : 4 };
};

template <class S> TENON_DEVICE u32 digit_of(typename Order<S>::Key bits, bool descending, int shift) {
  return u32(Order<S>::key_of(bits, descending) >> shift) & 255u;
}

// The lanes of the warp that have the same digit.
__device__ inline u32 lanes_with(u32 digit) {
  u32 lanes = 0xffffffffu;
#pragma unroll
  for (int bit = 0; bit < 8; ++bit) {
    const bool one = (digit >> bit) & 1;
    const u32 ones = __ballot_sync(0xffffffffu, one);
    lanes &= one ? ones : ~ones;
  }
  return lanes;
}

struct TileCounts {
  u32 of_warp[kSortWarps][kDigits];
  u32 sums[kSortWarps];
};

// A warp has 32 * Each consecutive elements; element j of lane l is number 32 * j + l of them. places: on entry the
// digit of each, on return its position within the tile in the order of digits. total: the number of elements with the
// digit threadIdx.x; the result: the number with a smaller one.
template <int Each> __device__ inline u32 rank_tile(TileCounts& shared, u32 (&places)[Each], u32& total) {
  const int thread = threadIdx.x, warp = thread / 32, lane = thread % 32;
  for (int w = 0; w < kSortWarps; ++w) shared.of_warp[w][thread] = 0;
  __syncthreads();
  u32* const counts = shared.of_warp[warp];
#pragma unroll
  for (int j = 0; j < Each; ++j) {
    const u32 digit = places[j], equal = lanes_with(digit), before = __popc(equal & ((1u << lane) - 1));
    const u32 earlier = counts[digit];
    places[j] = digit << 16 | (earlier + before);  // both in one register
    __syncwarp();
    if (before == 0) counts[digit] = earlier + __popc(equal);
    __syncwarp();
  }
  __syncthreads();
  total = 0;
  for (int w = 0; w < kSortWarps; ++w) {
    const u32 own = shared.of_warp[w][thread];
    shared.of_warp[w][thread] = total;
    total += own;
  }
  const u32 smaller = block_sum_before(total, shared.sums);
  for (int w = 0; w < kSortWarps; ++w) shared.of_warp[w][thread] += smaller;
  __syncthreads();
#pragma unroll
  for (int j = 0; j < Each; ++j) places[j] = (places[j] & 0xffffu) + counts[places[j] >> 16];
  return smaller;
}

// For rows of at most Each * kTileThreads elements.
template <class S, int Each> __global__ void __launch_bounds__(kTileThreads) sort_rows(SortWork w) {
  using Key = typename Order<S>::Key;
  enum : int { kWord = sizeof(Key) > 4 ? sizeof(Key) : 4 };
  __shared__ TileCounts counts;
  __shared__ u64 room[kTileThreads * Each * kWord / 8];
  Key* const elements = reinterpret_cast<Key*>(room);
  u32* const numbers = reinterpret_cast<u32*>(room);
  const int first = threadIdx.x / 32 * 32 * Each + threadIdx.x % 32;
  Key own[Each];
  u32 number[Each], places[Each];
  for (i64 row = blockIdx.x; row < w.rows; row += gridDim.x) {
    const Key* const from = static_cast<const Key*>(w.from) + row * w.n;
#pragma unroll
    for (int j = 0; j < Each; ++j) {
      const int i = first + 32 * j;
      own[j] = i < w.n ? from[i] : Key(0);
      number[j] = w.order && i < w.n ? w.order[row * w.n + i] : u32(i);
    }
    for (int shift = 0; shift < int(8 * sizeof(S)); shift += 8) {
      // Positions beyond the row are last before each pass, and have the largest digit, so they stay there.
#pragma unroll
      for (int j = 0; j < Each; ++j)
        places[j] = first + 32 * j < w.n ? digit_of<S>(own[j], w.descending != 0, shift) : 255u;
      u32 total;
      rank_tile(counts, places, total);
#pragma unroll
      for (int j = 0; j < Each; ++j) elements[places[j]] = own[j];
      __syncthreads();
#pragma unroll
      for (int j = 0; j < Each; ++j) own[j] = elements[first + 32 * j];
      if (!w.indices) continue;
      __syncthreads();
#pragma unroll
      for (int j = 0; j < Each; ++j) numbers[places[j]] = number[j];
      __syncthreads();
#pragma unroll
      for (int j = 0; j < Each; ++j) number[j] = numbers[first + 32 * j];
    }
#pragma unroll
    for (int j = 0; j < Each; ++j) {
      const i64 to = first + 32 * j;
      if (to >= w.keep) continue;
      if (w.values) static_cast<Key*>(w.values)[row * w.keep + to] = own[j];
      if (w.indices) w.indices[row * w.keep + to] = number[j];
    }
  }
}

// counts: the number of elements with each digit, per row and pass; 0 before. `blocks` blocks per row.
template <class S> __global__ void __launch_bounds__(kTileThreads) sort_count(SortWork w, i64 blocks, u32* counts) {
  enum : int { kPasses = sizeof(S) };
  using Key = typename Order<S>::Key;
  __shared__ u32 seen[kPasses][kDigits][kSortCopies];  // several copies, so that lanes with the same digit wait less
  const int thread = threadIdx.x;
  for (int p = 0; p < kPasses; ++p)
    for (int copy = 0; copy < kSortCopies; ++copy) seen[p][thread][copy] = 0;
  __syncthreads();
  const i64 row = blockIdx.x / blocks, block = blockIdx.x - row * blocks;
  const Key* const from = static_cast<const Key*>(w.from) + row * w.n;
  const i64 step = blocks * kTileThreads;
  for (i64 i = block * kTileThreads + thread; i < w.n; i += kSortLoads * step) {
    Key bits[kSortLoads];  // so that several loads are in flight at once
#pragma unroll
    for (int j = 0; j < kSortLoads; ++j) bits[j] = i + j * step < w.n ? from[i + j * step] : Key(0);
#pragma unroll
    for (int j = 0; j < kSortLoads; ++j) {
      if (i + j * step >= w.n) break;
#pragma unroll
      for (int p = 0; p < kPasses; ++p)
        atomicAdd(&seen[p][digit_of<S>(bits[j], w.descending != 0, 8 * p)][thread % kSortCopies], 1u);
    }
  }
  __syncthreads();
  for (int p = 0; p < kPasses; ++p) {
    u32 sum = 0;
    for (int copy = 0; copy < kSortCopies; ++copy) sum += seen[p][thread][copy];
    if (sum) atomicAdd(&counts[(row * kPasses + p) * kDigits + thread], sum);
  }
}

// Each list of counts becomes the list of the sums before; one block per list.
__global__ void __launch_bounds__(kTileThreads) sort_starts(u32* counts) {
  __shared__ u32 sums[kSortWarps];
  u32* const count = counts + i64(blockIdx.x) * kDigits + threadIdx.x;
  *count = block_sum_before(*count, sums);
}

// One pass. Count: holds counts of elements of a row, with two spare bits that state what a tile's count covers: 0
// unknown, 1 the tile, 2 the tile and all before it.
template <class S, class Count> __global__ void __launch_bounds__(kTileThreads, SortBlocks<S>::value)
    sort_pass(SortPass w) {
  using Key = typename Order<S>::Key;
  enum : int { kBits = 8 * sizeof(Count) - 2, kWord = sizeof(Key) > 4 ? sizeof(Key) : 4 };
  __shared__ TileCounts counts;
  __shared__ u32 start[kDigits];  // an element's position in the row minus its position in the tile
  __shared__ u64 room[kTileElements * kWord / 8];
  __shared__ u32 taken;
  Key* const elements = reinterpret_cast<Key*>(room);
  u32* const numbers = reinterpret_cast<u32*>(room);
  const int thread = threadIdx.x, first = thread / 32 * 32 * kTileEach + thread % 32;
  // Tiles are taken in the order in which blocks start: those before this one are being processed.
  if (thread == 0) taken = atomicAdd(w.next, 1u);
  __syncthreads();
  const i64 number = taken, row = number / w.tiles, tile = number - row * w.tiles, offset = tile * kTileElements;
  const int count = w.n - offset < kTileElements ? int(w.n - offset) : int(kTileElements);
  const Key* const from = static_cast<const Key*>(w.from) + row * w.n + offset;
  Key own[kTileEach];
  u32 places[kTileEach];
#pragma unroll
  for (int j = 0; j < kTileEach; ++j) {
    const int i = first + 32 * j;
    own[j] = i < count ? from[i] : Key(0);
    // Positions beyond the row's end come last; no tile follows that would read their count.
    places[j] = i < count ? digit_of<S>(own[j], w.descending != 0, w.shift) : 255u;
  }
  u32 total;
  const u32 smaller = rank_tile(counts, places, total);
  volatile Count* const state = static_cast<Count*>(w.states) + number * kDigits + thread;
  Count before = 0;
  if (tile) {
    *state = Count(total) | Count(1) << kBits;
    for (i64 back = 1;; ++back) {
      Count seen;
      do seen = state[-back * kDigits];
      while (seen >> kBits == 0);
      before += seen & ~(Count(3) << kBits);
      if (seen >> kBits == 2) break;
    }
  }
  *state = (before + total) | Count(2) << kBits;
  start[thread] = w.starts[(row * i64(sizeof(S)) + w.shift / 8) * kDigits + thread] + u32(before) - smaller;
#pragma unroll
  for (int j = 0; j < kTileEach; ++j) elements[places[j]] = own[j];
  __syncthreads();
  u32 to[kTileEach];
#pragma unroll
  for (int j = 0; j < kTileEach; ++j) {
    const int i = thread + kTileThreads * j;
    const Key bits = elements[i];
    to[j] = start[digit_of<S>(bits, w.descending != 0, w.shift)] + i;
    if (w.to && i < count && to[j] < w.keep) static_cast<Key*>(w.to)[row * w.keep + to[j]] = bits;
  }
  if (!w.to_order && !w.indices) return;
  __syncthreads();
#pragma unroll
  for (int j = 0; j < kTileEach; ++j) {
    const int i = first + 32 * j;
    if (i < count) numbers[places[j]] = w.order ? w.order[row * w.n + offset + i] : u32(offset + i);
  }
  __syncthreads();
#pragma unroll
  for (int j = 0; j < kTileEach; ++j) {
    const int i = thread + kTileThreads * j;
    if (i >= count || to[j] >= w.keep) continue;
    if (w.to_order) w.to_order[row * w.n + to[j]] = numbers[i];
    if (w.indices) w.indices[row * w.keep + to[j]] = numbers[i];
  }
}

}  // namespace tenon_own
