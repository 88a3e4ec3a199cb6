// device/sparse.cu: products of CSR matrices with vectors and matrices.
namespace tenon_own {

TENON_DEVICE double from_lane(double x, int step) { return __shfl_down_sync(0xffffffffu, x, step); }
TENON_DEVICE u64 from_lane(u64 x, int step) { return __shfl_down_sync(0xffffffffu, x, step); }
TENON_DEVICE Truth from_lane(Truth x, int step) { return {u8(__shfl_down_sync(0xffffffffu, u32(x.value), step))}; }
TENON_DEVICE Complex<double> from_lane(Complex<double> x, int step) {
  return {from_lane(x.re, step), from_lane(x.im, step)};
}

// *least receives the smallest position of an index outside of [0, limit); all its bits are set before.
template <class I> __global__ void check_columns(const I* index, i64 count, i64 limit, u64* least) {
  for (i64 i = blockIdx.x * i64(blockDim.x) + threadIdx.x; i < count; i += i64(gridDim.x) * blockDim.x)
    if (index[i] < 0 || i64(index[i]) >= limit) atomicMin(least, u64(i));
}

// A vector: `Lanes` neighbouring threads per row.
template <class S, class I, int Lanes> __global__ void __launch_bounds__(256) csr_vector(SparseWork w) {
  const i64 first = (blockIdx.x * i64(256) + threadIdx.x) / Lanes, step = i64(gridDim.x) * 256 / Lanes;
  const int lane = threadIdx.x % Lanes;
  for (i64 begin = first - threadIdx.x % 32 / Lanes; begin < w.rows; begin += step) {  // the same for all of a warp
    const i64 row = begin + threadIdx.x % 32 / Lanes;
    typename Wide<S>::type sum = Wide<S>::zero();
    if (row < w.rows) sum = row_sum<S, I>(w, SparseRow<I>(w, row), lane, Lanes, 0);
    for (int away = Lanes / 2; away > 0; away /= 2) sum = added(sum, from_lane(sum, away));
    if (lane == 0 && row < w.rows) finish_sparse<S>(w, static_cast<S*>(w.to)[row * w.to_row], sum);
  }
}

// A matrix: a warp per row and 32 columns of b, a column per lane.
template <class S, class I> __global__ void __launch_bounds__(256) csr_matrix(SparseWork w) {
  const i64 groups = (w.width + 31) / 32, count = w.rows * groups;
  const i64 step = i64(gridDim.x) * 8;
  for (i64 at = blockIdx.x * i64(8) + threadIdx.x / 32; at < count; at += step) {
    const i64 row = at / groups, column = (at - row * groups) * 32 + threadIdx.x % 32;
    if (column >= w.width) continue;
    finish_sparse<S>(w, static_cast<S*>(w.to)[row * w.to_row + column * w.to_column],
                     row_sum<S, I>(w, SparseRow<I>(w, row), 0, 1, column));
  }
}

}  // namespace tenon_own
