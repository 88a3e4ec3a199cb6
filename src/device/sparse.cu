// device/sparse.cu: products of CSR matrices with vectors and matrices.
namespace tenon_own {

TENON_DEVICE double from_lane(double x, int step) { return __shfl_down_sync(0xffffffffu, x, step); }
TENON_DEVICE u64 from_lane(u64 x, int step) { return __shfl_down_sync(0xffffffffu, x, step); }
TENON_DEVICE Truth from_lane(Truth x, int step) { return {u8(__shfl_down_sync(0xffffffffu, u32(x.value), step))}; }
TENON_DEVICE Complex<double> from_lane(Complex<double> x, int step) {
  return {from_lane(x.re, step), from_lane(x.im, step)};
}

// bad: the smallest position of an index outside of [0, limit).
template <class I> __global__ void check_columns(const I* index, i64 count, i64 limit, tenon_finding* bad) {
  for (i64 i = blockIdx.x * i64(blockDim.x) + threadIdx.x; i < count; i += i64(gridDim.x) * blockDim.x)
    if (index[i] < 0 || i64(index[i]) >= limit) tenon_report(bad, u64(i));
}

// Rows with more elements are left to all threads of a block, so that few of them do not take as long as all others.
enum : int { kLongVectorRow = 1024, kLongMatrixRow = 256 };

template <class I> __device__ inline bool longer(const SparseRow<I>& part, int most) {
  return part.end - part.begin > most;
}

// Adds up `sums`, which has an element per thread, in an order that never changes: sums[i] becomes the sum of the
// elements i, i + width, i + 2 width ...
template <class Sum> __device__ inline void add_threads(Sum* sums, int width) {
  __syncthreads();
  for (int away = 128; away >= width; away /= 2) {
    if (int(threadIdx.x) < away) sums[threadIdx.x] = added(sums[threadIdx.x], sums[threadIdx.x + away]);
    __syncthreads();
  }
}

// A vector: `Lanes` neighbouring threads per row.
template <class S, class I, int Lanes> __global__ void __launch_bounds__(256) csr_vector(SparseWork w) {
  enum : int { kRows = 256 / Lanes };  // of a block at once
  __shared__ typename Wide<S>::type sums[256];
  const int lane = threadIdx.x % Lanes;
  for (i64 base = blockIdx.x * i64(kRows); base < w.rows; base += gridDim.x * i64(kRows)) {
    const i64 row = base + threadIdx.x / Lanes;
    const bool is_long = row < w.rows && longer(SparseRow<I>(w, row), kLongVectorRow);
    const bool own = row < w.rows && !is_long;
    typename Wide<S>::type sum = Wide<S>::zero();
    if (own) sum = row_sum<S, I>(w, SparseRow<I>(w, row), lane, Lanes, 0);
    for (int away = Lanes / 2; away > 0; away /= 2) sum = added(sum, from_lane(sum, away));
    if (lane == 0 && own) finish_sparse<S>(w, static_cast<S*>(w.to)[row * w.to_row], sum);
    if (!__syncthreads_or(is_long)) continue;
    for (i64 at = base; at < base + kRows && at < w.rows; ++at) {
      const SparseRow<I> part(w, at);
      if (!longer(part, kLongVectorRow)) continue;
      sums[threadIdx.x] = row_sum<S, I>(w, part, threadIdx.x, 256, 0);
      add_threads(sums, 1);
      if (threadIdx.x == 0) finish_sparse<S>(w, static_cast<S*>(w.to)[at * w.to_row], sums[0]);
      __syncthreads();
    }
  }
}

// A matrix: a warp per row and 32 columns of b, a column per lane.
template <class S, class I> __global__ void __launch_bounds__(256) csr_matrix(SparseWork w) {
  __shared__ typename Wide<S>::type sums[256];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const i64 groups = (w.width + 31) / 32, count = w.rows * groups;
  for (i64 base = blockIdx.x * i64(8); base < count; base += gridDim.x * i64(8)) {
    const i64 own = base + warp, row = own / groups, column = (own - row * groups) * 32 + lane;
    const bool is_long = own < count && longer(SparseRow<I>(w, row), kLongMatrixRow);
    if (own < count && !is_long && column < w.width)
      finish_sparse<S>(w, static_cast<S*>(w.to)[row * w.to_row + column * w.to_column],
                       row_sum<S, I>(w, SparseRow<I>(w, row), 0, 1, column));
    if (!__syncthreads_or(is_long)) continue;
    for (i64 at = base; at < base + 8 && at < count; ++at) {
      const i64 there = at / groups, line = (at - there * groups) * 32 + lane;
      const SparseRow<I> part(w, there);
      if (!longer(part, kLongMatrixRow)) continue;
      sums[threadIdx.x] = line < w.width ? row_sum<S, I>(w, part, warp, 8, line) : Wide<S>::zero();
      add_threads(sums, 32);
      if (warp == 0 && line < w.width)
        finish_sparse<S>(w, static_cast<S*>(w.to)[there * w.to_row + line * w.to_column], sums[lane]);
      __syncthreads();
    }
  }
}

}  // namespace tenon_own
