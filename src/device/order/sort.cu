// device/order/sort.cu: a stable sort of the rows of a matrix by keys (order.cuh), 8 bits at a time from the lowest.
//
// Rows of at most kShortRow elements are sorted by a warp or a part of it, in registers, by a bitonic network (Batcher,
// "Sorting Networks and Their Applications", 1968), and rows that fit into a tile by one block, in shared memory. For
// long rows every pass reads and writes each element once (Adinets and Merrill, "Onesweep: A Faster Least Significant
// Digit Radix Sort for GPUs", 2022): all digits are counted beforehand, and the positions of a tile's elements follow
// from the counts of the tiles before it, which their blocks publish as soon as they are known (Merrill and Garland,
// "Single-pass Parallel Prefix Scan with Decoupled Look-back", 2016). A tile is counted before its elements are ranked,
// so that others wait less for its counts. Elements keep all their bits, also those of -0 and NaNs; each pass computes
// the keys again.
namespace tenon_own {

enum : int { kSortWarps = kTileThreads / 32, kSortCopies = 4, kSortLoads = 4, kLookBack = 4 };

// The number of blocks that run on a multiprocessor at once, which limits the registers per thread. More blocks hide
// the latency of memory better, which gains more than a few spilled registers cost.
template <class S> struct SortBlocks {
  enum : int { value = sizeof(S) > 4 ? 3 : 4 };
};

template <class S> TENON_DEVICE u32 digit_of(typename Order<S>::Key moved, bool descending, int shift) {
  return u32(Order<S>::key_of_moved(moved, descending) >> shift) & 255u;
}

struct TileCounts {
  u32 of_warp[kSortWarps][kDigits];
  u32 sums[kSortWarps];
};
// While a warp ranks: the lanes that have each digit.
struct TileLanes {
  u32 of_warp[kSortWarps][kDigits];
};

// A warp has 32 * Each consecutive elements; element j of lane l is number 32 * j + l of them. The result: the number
// of elements with the digit threadIdx.x.
template <int Each> __device__ inline u32 count_tile(TileCounts& counts, TileLanes& lanes, const u32 (&digits)[Each]) {
  const int thread = threadIdx.x;
  for (int w = 0; w < kSortWarps; ++w) counts.of_warp[w][thread] = lanes.of_warp[w][thread] = 0;
  __syncthreads();
#pragma unroll
  for (int j = 0; j < Each; ++j) atomicAdd(&counts.of_warp[thread / 32][digits[j]], 1u);
  __syncthreads();
  u32 total = 0;
  for (int w = 0; w < kSortWarps; ++w) {
    const u32 own = counts.of_warp[w][thread];
    counts.of_warp[w][thread] = total;
    total += own;
  }
  return total;
}

// After count_tile, with its result. places: on entry the digit of each element, on return its position within the tile
// in the order of digits. The result: the number of elements with a smaller digit than threadIdx.x. `lanes` is not used
// any more when it returns.
template <int Each>
__device__ inline u32 rank_tile(TileCounts& counts, TileLanes& lanes, u32 total, u32 (&places)[Each]) {
  const int thread = threadIdx.x, warp = thread / 32, lane = thread % 32;
  const u32 smaller = block_sum_before(total, counts.sums);
  for (int w = 0; w < kSortWarps; ++w) counts.of_warp[w][thread] += smaller;
  __syncthreads();
#pragma unroll
  for (int j = 0; j < Each; ++j) {
    const u32 digit = places[j];
    u32* const mine = &lanes.of_warp[warp][digit];
    atomicOr(mine, 1u << lane);
    __syncwarp();
    const u32 equal = *static_cast<volatile u32*>(mine);
    const int last = 31 - __clz(int(equal));
    const u32 before = u32(__popc(equal & ((1u << lane) - 1)));
    u32 start = 0;
    if (lane == last) {
      start = counts.of_warp[warp][digit];
      counts.of_warp[warp][digit] = start + before + 1;
    }
    places[j] = __shfl_sync(0xffffffffu, start, last) + before;
    if (lane == last) *static_cast<volatile u32*>(mine) = 0;  // after the shuffle: all lanes have read it
    __syncwarp();
  }
  __syncthreads();
  return smaller;
}

// Shared memory for Each elements per thread, which is that of TileLanes before.
template <class Key, int Each> struct TileRoom {
  enum : int { kWord = sizeof(Key) > 4 ? sizeof(Key) : 4, kElements = kTileThreads * Each * kWord };
  u64 words[(kElements > int(sizeof(TileLanes)) ? kElements : int(sizeof(TileLanes))) / 8];
  __device__ TileLanes& lanes() { return *reinterpret_cast<TileLanes*>(words); }
  __device__ Key* elements() { return reinterpret_cast<Key*>(words); }
  __device__ u32* numbers() { return reinterpret_cast<u32*>(words); }
};

// For rows of at most Each * kTileThreads elements.
template <class S, int Each> __global__ void __launch_bounds__(kTileThreads) sort_rows(SortWork w) {
  using Key = typename Order<S>::Key;
  __shared__ TileCounts counts;
  __shared__ TileRoom<Key, Each> room;
  Key* const elements = room.elements();
  u32* const numbers = room.numbers();
  const int first = threadIdx.x / 32 * 32 * Each + threadIdx.x % 32;
  Key own[Each];
  u32 number[Each], places[Each];
  for (i64 row = blockIdx.x; row < w.rows; row += gridDim.x) {
    const Key* const from = static_cast<const Key*>(w.from) + row * w.n;
#pragma unroll
    for (int j = 0; j < Each; ++j) {
      const int i = first + 32 * j;
      own[j] = i < w.n ? Order<S>::moved(from[i]) : Key(0);
      number[j] = w.order && i < w.n ? w.order[row * w.n + i] : u32(i);
    }
    for (int shift = 0; shift < int(8 * sizeof(S)); shift += 8) {
      // Positions beyond the row are last before each pass, and have the largest digit, so they stay there.
#pragma unroll
      for (int j = 0; j < Each; ++j)
        places[j] = first + 32 * j < w.n ? digit_of<S>(own[j], w.descending != 0, shift) : 255u;
      const u32 total = count_tile(counts, room.lanes(), places);
      rank_tile(counts, room.lanes(), total, places);
#pragma unroll
      for (int j = 0; j < Each; ++j) elements[places[j]] = own[j];
      __syncthreads();
#pragma unroll
      for (int j = 0; j < Each; ++j) own[j] = elements[first + 32 * j];
      __syncthreads();
      if (!w.indices) continue;
#pragma unroll
      for (int j = 0; j < Each; ++j) numbers[places[j]] = number[j];
      __syncthreads();
#pragma unroll
      for (int j = 0; j < Each; ++j) number[j] = numbers[first + 32 * j];
      __syncthreads();
    }
#pragma unroll
    for (int j = 0; j < Each; ++j) {
      const i64 to = first + 32 * j;
      if (to >= w.keep) continue;
      if (w.values) static_cast<Key*>(w.values)[row * w.keep + to] = Order<S>::unmoved(own[j]);
      if (w.indices) w.indices[row * w.keep + to] = number[j];
    }
  }
}

// A key and the place of its element in the row, which makes the order of equal keys, and thus the sort, stable.
template <class Key, int Bytes = sizeof(Key)> struct Placed {  // in one word
  u64 bits;
  __device__ static Placed of(Key key, u32 place) { return {u64(key) << 32 | place}; }
  __device__ bool before(const Placed& other) const { return bits < other.bits; }
  __device__ u32 place() const { return u32(bits); }
};
template <class Key> struct Placed<Key, 8> {
  u64 key;
  u32 at;
  __device__ static Placed of(Key key, u32 place) { return {key, place}; }
  __device__ bool before(const Placed& other) const { return key < other.key || (key == other.key && at < other.at); }
  __device__ u32 place() const { return at; }
};
template <class Key, int Bytes> __device__ inline Placed<Key, Bytes> across(const Placed<Key, Bytes>& own, int step) {
  return {__shfl_xor_sync(0xffffffffu, own.bits, step)};
}
template <class Key> __device__ inline Placed<Key, 8> across(const Placed<Key, 8>& own, int step) {
  const u64 key = __shfl_xor_sync(0xffffffffu, own.key, step);
  const u32 at = __shfl_xor_sync(0xffffffffu, own.at, step);
  return {key, at};
}

// Rows of at most Lanes * Each elements, one per Lanes lanes of a warp; element j of a lane is number Lanes * j + lane.
template <class S, int Lanes, int Each> __global__ void __launch_bounds__(kTileThreads) sort_short(SortWork w) {
  using Key = typename Order<S>::Key;
  enum : int { kRows = 32 / Lanes };  // of a warp at once
  const int lane = threadIdx.x % Lanes;
  Placed<Key> own[Each];
  Key elements[Each];
  const i64 warp = (i64(blockIdx.x) * kTileThreads + threadIdx.x) / 32, warps = i64(gridDim.x) * kSortWarps;
  for (i64 base = warp * kRows; base < w.rows; base += warps * kRows) {
    const i64 row = base + threadIdx.x % 32 / Lanes;
    const int n = row < w.rows ? int(w.n) : 0, keep = row < w.rows ? int(w.keep) : 0;
    const Key* const from = static_cast<const Key*>(w.from) + row * w.n;
#pragma unroll
    for (int j = 0; j < Each; ++j) {
      // Places beyond the row come last: no key is larger, and equal ones have earlier places.
      const int i = Lanes * j + lane;
      own[j] = Placed<Key>::of(i < n ? Order<S>::key_of(from[i], w.descending != 0) : Order<S>::nan_key(), u32(i));
    }
#pragma unroll
    for (int size = 2; size <= Lanes * Each; size *= 2) {
#pragma unroll
      for (int step = size / 2; step >= Lanes; step /= 2) {
#pragma unroll
        for (int j = 0; j < Each; ++j) {
          const int other = j ^ (step / Lanes);
          if (other < j) continue;
          const Placed<Key> low = own[j], high = own[other];
          const bool change = high.before(low) == ((Lanes * j & size) == 0);
          own[j] = change ? high : low;
          own[other] = change ? low : high;
        }
      }
#pragma unroll
      for (int step = size / 2 < Lanes ? size / 2 : Lanes / 2; step > 0; step /= 2) {
#pragma unroll
        for (int j = 0; j < Each; ++j) {
          const Placed<Key> other = across(own[j], step);
          const int i = Lanes * j + lane;
          const bool first = ((i & step) == 0) == ((i & size) == 0);  // does the lane keep the earlier of both?
          if (other.before(own[j]) == first) own[j] = other;
        }
      }
    }
    if (w.values) {
#pragma unroll
      for (int j = 0; j < Each; ++j)
        if (Lanes * j + lane < keep) elements[j] = from[own[j].place()];
      __syncwarp();  // the result may lie where the row was
    }
#pragma unroll
    for (int j = 0; j < Each; ++j) {
      const i64 to = Lanes * j + lane;
      if (to >= keep) continue;
      if (w.values) static_cast<Key*>(w.values)[row * w.keep + to] = elements[j];
      if (w.indices) w.indices[row * w.keep + to] = w.order ? w.order[row * w.n + own[j].place()] : own[j].place();
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
    for (int j = 0; j < kSortLoads; ++j) bits[j] = i + j * step < w.n ? Order<S>::moved(from[i + j * step]) : Key(0);
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
  enum : int { kBits = 8 * sizeof(Count) - 2 };
  __shared__ TileCounts counts;
  __shared__ u32 start[kDigits];  // an element's position in the row minus its position in the tile
  __shared__ TileRoom<Key, kTileEach> room;
  __shared__ u32 taken;
  Key* const elements = room.elements();
  u32* const numbers = room.numbers();
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
  }
  if (w.shift == 0) {
#pragma unroll
    for (int j = 0; j < kTileEach; ++j) own[j] = Order<S>::moved(own[j]);
  }
#pragma unroll
  for (int j = 0; j < kTileEach; ++j) {
    // Positions beyond the row's end come last; no tile follows that would read their count.
    const u32 digit = digit_of<S>(own[j], w.descending != 0, w.shift);
    places[j] = first + 32 * j < count ? digit : 255u;
  }
  const u32 total = count_tile(counts, room.lanes(), places);
  volatile Count* const state = static_cast<Count*>(w.states) + number * kDigits + thread;
  *state = Count(total) | Count(tile ? 1 : 2) << kBits;
  const u32 smaller = rank_tile(counts, room.lanes(), total, places);
#pragma unroll
  for (int j = 0; j < kTileEach; ++j) elements[places[j]] = own[j];
  Count before = 0;
  if (tile) {
    // Several counts are read at once; those after the first unknown one are read again.
    for (i64 back = 1, found = 0; found != 2;) {
      Count seen[kLookBack];
#pragma unroll
      for (int k = 0; k < kLookBack; ++k) seen[k] = back + k <= tile ? state[-(back + k) * kDigits] : Count(0);
      bool known = true;
#pragma unroll
      for (int k = 0; k < kLookBack; ++k) {
        known = known && found != 2 && seen[k] >> kBits != 0;
        if (!known) continue;
        before += seen[k] & ~(Count(3) << kBits);
        found = i64(seen[k] >> kBits);
        ++back;
      }
    }
    *state = (before + total) | Count(2) << kBits;
  }
  start[thread] = w.starts[(row * i64(sizeof(S)) + w.shift / 8) * kDigits + thread] + u32(before) - smaller;
  __syncthreads();
  const bool last = w.shift + 8 == int(8 * sizeof(S));
  u32 to[kTileEach];
#pragma unroll
  for (int j = 0; j < kTileEach; ++j) {
    const int i = thread + kTileThreads * j;
    const Key bits = elements[i];
    to[j] = start[digit_of<S>(bits, w.descending != 0, w.shift)] + i;
    const Key given = Order<S>::unmoved(bits);
    if (w.to && i < count && to[j] < w.keep) static_cast<Key*>(w.to)[row * w.keep + to[j]] = last ? given : bits;
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
