// device/sort.cu: a stable sort of the rows of a matrix by keys (order.cuh), by counting the values of 8 bits at a time
// from the lowest.
namespace tenon_own {

enum : int { kDigits = 256, kSortThreads = 256, kSortPerBlock = 4096 };

template <class S> __global__ void sort_keys(SortWork w, typename Order<S>::Key* keys, u32* order) {
  const i64 count = w.rows * w.n;
  for (i64 i = blockIdx.x * i64(blockDim.x) + threadIdx.x; i < count; i += i64(gridDim.x) * blockDim.x) {
    keys[i] = Order<S>::key(static_cast<const S*>(w.from)[i], w.descending != 0);
    order[i] = u32(i % w.n);
  }
}

// counts: of each row a list by digit, then block of the row, with a place for the total; a grid of rows times blocks.
template <class Key> __global__ void sort_count(const Key* keys, i64 n, i64 blocks, int shift, i64* counts) {
  __shared__ u32 seen[kDigits];
  const i64 row = blockIdx.x / blocks, block = blockIdx.x - row * blocks;
  seen[threadIdx.x] = 0;
  __syncthreads();
  const i64 first = block * kSortPerBlock, last = first + kSortPerBlock < n ? first + kSortPerBlock : n;
  for (i64 i = first + threadIdx.x; i < last; i += kSortThreads) atomicAdd(&seen[u32(keys[row * n + i] >> shift) &
      255u], 1u);
  __syncthreads();
  counts[row * (kDigits * blocks + 1) + threadIdx.x * blocks + block] = seen[threadIdx.x];
}

// starts: the counts summed. Tiles of a block go one after the other; within one, warps count their equal digits.
template <class Key>
__global__ void sort_move(const Key* keys, const u32* order, i64 n, i64 blocks, int shift, const i64* starts,
    Key* to_keys, u32* to_order) {
  __shared__ i64 next[kDigits];
  __shared__ u32 of_warp[kSortThreads / 32][kDigits];
  const i64 row = blockIdx.x / blocks, block = blockIdx.x - row * blocks;
  const int thread = threadIdx.x, warp = thread / 32, lane = thread % 32;
  next[thread] = starts[row * (kDigits * blocks + 1) + thread * blocks + block];
  const i64 first = block * kSortPerBlock, last = first + kSortPerBlock < n ? first + kSortPerBlock : n;
  for (i64 tile = first; tile < last; tile += kSortThreads) {
    for (int k = 0; k < kSortThreads / 32; ++k) of_warp[k][thread] = 0;
    __syncthreads();
    const i64 i = tile + thread;
    const bool here = i < last;
    const Key key = here ? keys[row * n + i] : Key(0);
    const u32 digit = u32(key >> shift) & 255u;
    const u32 equal = __match_any_sync(0xffffffffu, here ? digit : 256u);
    const u32 before = __popc(equal & ((1u << lane) - 1));
    if (here && before == 0) of_warp[warp][digit] = __popc(equal);
    __syncthreads();
    i64 to = 0;
    if (here) {
      to = next[digit] + before;
      for (int k = 0; k < warp; ++k) to += of_warp[k][digit];
      to_keys[row * n + to] = key;
      to_order[row * n + to] = order[row * n + i];
    }
    __syncthreads();
    u32 sum = 0;
    for (int k = 0; k < kSortThreads / 32; ++k) sum += of_warp[k][thread];
    next[thread] += sum;
    __syncthreads();
  }
}

template <class S> __global__ void sort_finish(SortWork w, const u32* order) {
  const i64 count = w.rows * w.keep;
  for (i64 i = blockIdx.x * i64(blockDim.x) + threadIdx.x; i < count; i += i64(gridDim.x) * blockDim.x) {
    const i64 row = i / w.keep, from = order[row * w.n + (i - row * w.keep)];
    if (w.values) static_cast<S*>(w.values)[i] = static_cast<const S*>(w.from)[row * w.n + from];
    if (w.indices) w.indices[i] = from;
  }
}

}  // namespace tenon_own
