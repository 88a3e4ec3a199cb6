// device/segment.cu: reductions and scans of segments, in tiles of a fixed number of elements, so that segments of any
// lengths are equal work.
//
// Reductions read each element once. A tile reduces its part of each segment: into the result where that is all of it;
// else into `first` (the segment began in an earlier tile) or `last` (it began in this tile and goes on). Then the
// block of the tile in which a longer segment began combines its parts. Scans read each element twice: first for the
// value and the flag with which a tile ends, which are combined from tile to tile, then for the results. What is
// combined in which order follows from the places of segments alone.
namespace tenon_own {

// bad: the smallest i with offsets[i] below its predecessor (0 at first) or above limit, or, if `exact`,
// with a first offset other than 0 or a last one other than limit.
template <class I>
__global__ void check_offsets(const I* offsets, i64 count, i64 limit, i32 exact, tenon_finding* bad) {
  for (i64 i = blockIdx.x * i64(blockDim.x) + threadIdx.x; i < count; i += i64(gridDim.x) * blockDim.x) {
    const i64 own = offsets[i], before = i ? i64(offsets[i - 1]) : 0;
    const bool wrong =
        own < before || own > limit || (exact && ((i == 0 && own != 0) || (i + 1 == count && own != limit)));
    if (wrong) tenon_report(bad, u64(i));
  }
}

template <class Op> __global__ void segment_fill(SegmentWork w) {
  using S = typename Op::Element;
  for (i64 i = blockIdx.x * i64(blockDim.x) + threadIdx.x; i < w.rows * w.count; i += i64(gridDim.x) * blockDim.x)
    static_cast<S*>(w.to)[i] = Op::element(Op::neutral());
}

// The result for `width` consecutive threads, one value each, in order; for the first of them. Whole warps, or all.
template <class Op, class Sum> __device__ inline Sum merged_threads(Sum* sums, int place, int width) {
  for (int step = 1; step < width; step *= 2) {
    if (width > 32) __syncthreads();
    else __syncwarp();
    if (place % (2 * step) == 0) sums[threadIdx.x] = Op::merged(sums[threadIdx.x], sums[threadIdx.x + step]);
  }
  if (width > 32) __syncthreads();
  else __syncwarp();
  return sums[threadIdx.x - place];
}

// offsets_below by a whole warp, which looks at 32 places at once: five steps for millions of offsets.
__device__ inline i64 offsets_below_together(const i64* offsets, i64 count, i64 limit, bool or_at) {
  i64 low = 0, high = count;
  while (low < high) {
    const i64 step = (high - low + 31) / 32, at = low + i64(threadIdx.x % 32) * step;
    const bool below = at < high && (or_at ? offsets[at] <= limit : offsets[at] < limit);
    const int found = __popc(__ballot_sync(0xffffffffu, below));
    if (found == 0) return low;
    const i64 next = low + found * step;
    low += (found - 1) * step + 1;
    if (next < high) high = next;
  }
  return low;
}

// The numbers of segments as keys to sort; `count`: not one of them.
template <class I> __global__ void segment_keys(const void* numbers, u32* keys, i64 n, i64 count) {
  for (i64 i = blockIdx.x * i64(blockDim.x) + threadIdx.x; i < n; i += i64(gridDim.x) * blockDim.x) {
    const u64 number = u64(i64(static_cast<const I*>(numbers)[i]));
    keys[i] = number < u64(count) ? u32(number) : u32(count);
  }
}

template <class Op> struct SegmentPart {
  using Sum = typename Op::Sum;
  i64 begin, end;  // in the tile
  bool starts, ends;
  __device__ SegmentPart(const SegmentWork& w, i64 s, i64 tile_begin, i64 tile_end) {
    const i64 from = w.offsets[s], to = w.offsets[s + 1];
    starts = from >= tile_begin, ends = to <= tile_end;
    begin = (from > tile_begin ? from : tile_begin) - tile_begin;
    end = (to < tile_end ? to : tile_end) - tile_begin;
  }
  __device__ void store(const SegmentWork& w, i64 row, i64 tile, i64 s, const Sum& sum) const {
    if (!starts) static_cast<Sum*>(w.first)[row * w.tiles + tile] = sum;
    else if (!ends) static_cast<Sum*>(w.last)[row * w.tiles + tile] = sum;
    else static_cast<typename Op::Element*>(w.to)[row * w.count + s] = Op::element(sum);
  }
};

template <class Op> __global__ void __launch_bounds__(kTileThreads) segment_tiles(SegmentWork w) {
  using S = typename Op::Element;
  using Sum = typename Op::Sum;
  enum : int { kElements = SegmentTile<S>::value, kShort = 32, kFew = 4 };
  __shared__ S part[kElements];
  __shared__ Sum sums[kTileThreads];
  __shared__ i64 ends[2];
  const int thread = threadIdx.x, lane = thread % 32;
  const i64 row = blockIdx.x / w.tiles, tile = blockIdx.x - row * w.tiles, begin = tile * kElements;
  const i64 end = begin + kElements < w.n ? begin + kElements : w.n;
  const S* const x = static_cast<const S*>(w.x) + row * w.n + begin;
#pragma unroll 4
  for (int i = thread; i < int(end - begin); i += kTileThreads) part[i] = x[i];
  if (thread < 64) {
    const bool first = thread < 32;
    const i64 below = offsets_below_together(first ? w.offsets + 1 : w.offsets, w.count, first ? begin : end, first);
    if (lane == 0) ends[thread / 32] = below;
  }
  __syncthreads();
  const i64 from = ends[0], to = ends[1];
  if (to - from <= kFew) {  // long segments: all threads for each
    for (i64 s = from; s < to; ++s) {
      const SegmentPart<Op> here(w, s, begin, end);
      if (here.end <= here.begin) continue;
      Sum sum = Op::neutral();
      for (i64 i = here.begin + thread; i < here.end; i += kTileThreads) sum = Op::merged(sum, Op::of(part[i]));
      sums[thread] = sum;
      sum = merged_threads<Op>(sums, thread, kTileThreads);
      if (thread == 0) here.store(w, row, tile, s, sum);
      __syncthreads();
    }
    return;
  }
  for (i64 base = from + thread / 32 * 32; base < to; base += kTileThreads) {
    // Each lane reduces a short segment, then the warp the long ones among its 32.
    const i64 own = base + lane;
    bool is_long = false;
    if (own < to) {
      const SegmentPart<Op> here(w, own, begin, end);
      is_long = here.end - here.begin > kShort;
      if (here.end > here.begin && !is_long) {
        Sum sum = Op::of(part[here.begin]);
        for (i64 i = here.begin + 1; i < here.end; ++i) sum = Op::merged(sum, Op::of(part[i]));
        here.store(w, row, tile, own, sum);
      }
    }
    for (u32 left = __ballot_sync(0xffffffffu, is_long); left; left &= left - 1) {
      const i64 s = base + __ffs(int(left)) - 1;
      const SegmentPart<Op> here(w, s, begin, end);
      Sum sum = Op::neutral();
      for (i64 i = here.begin + lane; i < here.end; i += 32) sum = Op::merged(sum, Op::of(part[i]));
      sums[thread] = sum;
      sum = merged_threads<Op>(sums, lane, 32);
      if (lane == 0) here.store(w, row, tile, s, sum);
      __syncwarp();
    }
  }
}

// One block per tile: the segment that begins there and goes on.
template <class Op> __global__ void __launch_bounds__(kTileThreads) segment_joins(SegmentWork w) {
  using S = typename Op::Element;
  using Sum = typename Op::Sum;
  enum : int { kElements = SegmentTile<S>::value };
  __shared__ Sum sums[kTileThreads];
  __shared__ i64 found;
  const int thread = threadIdx.x;
  const i64 row = blockIdx.x / w.tiles, tile = blockIdx.x - row * w.tiles, begin = tile * kElements;
  const i64 end = begin + kElements;
  if (end >= w.n) return;
  if (thread < 32) {
    const i64 below = offsets_below_together(w.offsets, w.count, end, false);
    if (thread == 0) found = below - 1;
  }
  __syncthreads();
  const i64 s = found;
  if (s < 0 || w.offsets[s] < begin || w.offsets[s + 1] <= end) return;
  const i64 stop = w.offsets[s + 1] < w.n ? w.offsets[s + 1] : w.n, last = (stop - 1) / kElements;
  const Sum* const first = static_cast<const Sum*>(w.first) + row * w.tiles;
  Sum sum = Op::neutral();
  for (i64 t = tile + 1 + thread; t <= last; t += kTileThreads) sum = Op::merged(sum, first[t]);
  sums[thread] = sum;
  sum = merged_threads<Op>(sums, thread, kTileThreads);
  if (thread == 0)
    static_cast<S*>(w.to)[row * w.count + s] =
        Op::element(Op::merged(static_cast<const Sum*>(w.last)[row * w.tiles + tile], sum));
}

// What the elements up to a thread's last one have come to, and whether a segment has begun among them.
template <class Op> struct SegmentState {
  typename Op::Sum sum;
  u32 begun;
};

// The state before the thread, of all states of the block in order; `states`: one element per thread. For the last
// thread, `all` is that behind it.
template <class Op> __device__ inline SegmentState<Op> states_before(SegmentState<Op>* states, SegmentState<Op> own,
                                                                     SegmentState<Op>& all) {
  const int thread = threadIdx.x;
  states[thread] = own;
  __syncthreads();
  for (int step = 1; step < kTileThreads; step *= 2) {
    SegmentState<Op> mine = states[thread];
    if (thread >= step) {
      const SegmentState<Op> other = states[thread - step];
      if (!mine.begun) mine.sum = Op::merged(other.sum, mine.sum);
      mine.begun |= other.begun;
    }
    __syncthreads();
    states[thread] = mine;
    __syncthreads();
  }
  all = states[thread];
  SegmentState<Op> before{Op::neutral(), 0};
  if (thread) before = states[thread - 1];
  __syncthreads();
  return before;
}

// Elements of a tile in shared memory, with a gap after each thread's, so that the threads of a warp use all banks.
template <class S> struct ScanTile {
  enum : int { kElements = SegmentTile<S>::value, kEach = kElements / kTileThreads };
  S elements[kElements + kTileThreads];
  __device__ S& at(int i) { return elements[i + i / kEach]; }
};

template <class Op>
__device__ inline SegmentState<Op> own_state(ScanTile<typename Op::Element>& part, const u8* heads, int count) {
  enum : int { kEach = ScanTile<typename Op::Element>::kEach };
  SegmentState<Op> state{Op::neutral(), 0};
  const int first = threadIdx.x * kEach;
  for (int i = first; i < first + kEach && i < count; ++i) {
    if (heads[i]) state.sum = Op::neutral(), state.begun = 1;
    state.sum = Op::merged(state.sum, Op::of(part.at(i)));
  }
  return state;
}

template <class Op> __global__ void __launch_bounds__(kTileThreads) segment_ends(SegmentWork w) {
  using S = typename Op::Element;
  enum : int { kElements = SegmentTile<S>::value };
  __shared__ ScanTile<S> part;
  __shared__ SegmentState<Op> states[kTileThreads];
  const i64 row = blockIdx.x / w.tiles, tile = blockIdx.x - row * w.tiles, begin = tile * kElements;
  const int count = w.n - begin < kElements ? int(w.n - begin) : int(kElements);
  const S* const x = static_cast<const S*>(w.x) + row * w.n + begin;
  for (int i = threadIdx.x; i < count; i += kTileThreads) part.at(i) = x[i];
  __syncthreads();
  SegmentState<Op> all;
  states_before<Op>(states, own_state<Op>(part, w.heads + begin, count), all);
  if (threadIdx.x != kTileThreads - 1) return;
  static_cast<typename Op::Sum*>(w.first)[row * w.tiles + tile] = all.sum;
  w.flags[row * w.tiles + tile] = u8(all.begun);
}

// One block per row: `first` becomes what the elements before each tile have come to.
template <class Op> __global__ void __launch_bounds__(kTileThreads) segment_carries(SegmentWork w) {
  using Sum = typename Op::Sum;
  __shared__ SegmentState<Op> states[kTileThreads];
  __shared__ Sum carry;
  Sum* const first = static_cast<Sum*>(w.first) + i64(blockIdx.x) * w.tiles;
  const u8* const flags = w.flags + i64(blockIdx.x) * w.tiles;
  if (threadIdx.x == 0) carry = Op::neutral();
  __syncthreads();
  for (i64 base = 0; base < w.tiles; base += kTileThreads) {
    const i64 t = base + threadIdx.x;
    SegmentState<Op> own{Op::neutral(), 0}, all;
    if (t < w.tiles) own = {first[t], flags[t]};
    const SegmentState<Op> before = states_before<Op>(states, own, all);
    const Sum given = carry;
    if (t < w.tiles) first[t] = before.begun ? before.sum : Op::merged(given, before.sum);
    __syncthreads();
    if (threadIdx.x == kTileThreads - 1) carry = all.begun ? all.sum : Op::merged(given, all.sum);
    __syncthreads();
  }
}

template <class Op> __global__ void __launch_bounds__(kTileThreads) segment_scan(SegmentWork w) {
  using S = typename Op::Element;
  enum : int { kElements = SegmentTile<S>::value, kEach = ScanTile<S>::kEach };
  __shared__ ScanTile<S> part;
  __shared__ SegmentState<Op> states[kTileThreads];
  const i64 row = blockIdx.x / w.tiles, tile = blockIdx.x - row * w.tiles, begin = tile * kElements;
  const int count = w.n - begin < kElements ? int(w.n - begin) : int(kElements);
  const S* const x = static_cast<const S*>(w.x) + row * w.n + begin;
  S* const to = static_cast<S*>(w.to) + row * w.n + begin;
  const u8* const heads = w.heads + begin;
  for (int i = threadIdx.x; i < count; i += kTileThreads) part.at(i) = x[i];
  __syncthreads();
  SegmentState<Op> all;
  const SegmentState<Op> before = states_before<Op>(states, own_state<Op>(part, heads, count), all);
  typename Op::Sum sum =
      before.begun ? before.sum
                   : Op::merged(static_cast<const typename Op::Sum*>(w.first)[row * w.tiles + tile], before.sum);
  const int first = threadIdx.x * kEach;
  for (int i = first; i < first + kEach && i < count; ++i) {
    if (heads[i]) sum = Op::neutral();
    const typename Op::Sum earlier = sum;
    sum = Op::merged(sum, Op::of(part.at(i)));
    part.at(i) = Op::element(w.exclusive ? earlier : sum);
  }
  __syncthreads();
  for (int i = threadIdx.x; i < count; i += kTileThreads) to[i] = part.at(i);
}

}  // namespace tenon_own
