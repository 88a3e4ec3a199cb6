"""Kernels that use CUB and Thrust, by their own headers, on the CPU."""
import numpy as np
import pytest
import tenon

THREADS, ITEMS = 96, 3


def _has_headers() -> bool:
    try:
        tenon.Program("#include <cub/version.cuh>\n", [], device="cpu")
    except tenon.CompileError as error:
        if "was not found" not in str(error):
            raise
        return False
    return True


with_headers = pytest.mark.skipif(not _has_headers(), reason="there are no headers of CUB (CUDA 13, or nvidia-cuda-cccl)")

BLOCK = r"""
#include <cub/cub.cuh>
constexpr int T = 96, I = 3;
struct Max {
  template <class V> __device__ V operator()(const V& a, const V& b) const { return a < b ? b : a; }
};
struct Differ {
  __device__ bool operator()(int a, int b) const { return a != b; }
};

template <cub::BlockReduceAlgorithm A>
__device__ void reduce(const int* x, int* y, int valid) {
  using Reduce = cub::BlockReduce<int, T, A>;
  __shared__ typename Reduce::TempStorage memory;
  const int mine = x[blockIdx.x * T + threadIdx.x];
  const int sum = Reduce(memory).Sum(mine);
  __syncthreads();
  const int most = Reduce(memory).Reduce(mine, Max{}, valid);
  if (threadIdx.x == 0) y[2 * blockIdx.x] = sum, y[2 * blockIdx.x + 1] = most;
}
extern "C" __global__ void reduce_warps(const int* x, int* y, int valid) {
  reduce<cub::BLOCK_REDUCE_WARP_REDUCTIONS>(x, y, valid);
}
extern "C" __global__ void reduce_raking(const int* x, int* y, int valid) {
  reduce<cub::BLOCK_REDUCE_RAKING>(x, y, valid);
}
extern "C" __global__ void reduce_commutative(const int* x, int* y, int valid) {
  reduce<cub::BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY>(x, y, valid);
}

template <cub::BlockScanAlgorithm A>
__device__ void scan(const int* x, int* inclusive, int* exclusive, int* total) {
  using Scan = cub::BlockScan<int, T, A>;
  __shared__ typename Scan::TempStorage memory;
  const int first = (blockIdx.x * T + threadIdx.x) * I;
  int items[I], sums[I], sum;
  for (int i = 0; i < I; ++i) items[i] = x[first + i];
  Scan(memory).ExclusiveSum(items, sums, sum);
  __syncthreads();
  Scan(memory).InclusiveScan(items, items, Max{});
  for (int i = 0; i < I; ++i) exclusive[first + i] = sums[i], inclusive[first + i] = items[i];
  if (threadIdx.x == T - 1) total[blockIdx.x] = sum;
}
extern "C" __global__ void scan_raking(const int* x, int* inclusive, int* exclusive, int* total) {
  scan<cub::BLOCK_SCAN_RAKING>(x, inclusive, exclusive, total);
}
extern "C" __global__ void scan_memoize(const int* x, int* inclusive, int* exclusive, int* total) {
  scan<cub::BLOCK_SCAN_RAKING_MEMOIZE>(x, inclusive, exclusive, total);
}
extern "C" __global__ void scan_warps(const int* x, int* inclusive, int* exclusive, int* total) {
  scan<cub::BLOCK_SCAN_WARP_SCANS>(x, inclusive, exclusive, total);
}

extern "C" __global__ void sort_keys(const float* x, float* up, float* down) {
  using Load = cub::BlockLoad<float, T, I, cub::BLOCK_LOAD_TRANSPOSE>;
  using Store = cub::BlockStore<float, T, I, cub::BLOCK_STORE_WARP_TRANSPOSE>;
  using Sort = cub::BlockRadixSort<float, T, I>;
  __shared__ union {
    typename Load::TempStorage load;
    typename Store::TempStorage store;
    typename Sort::TempStorage sort;
  } memory;
  const int first = blockIdx.x * T * I;
  float keys[I];
  Load(memory.load).Load(x + first, keys);
  __syncthreads();
  Sort(memory.sort).Sort(keys);
  __syncthreads();
  Store(memory.store).Store(up + first, keys);
  __syncthreads();
  Sort(memory.sort).SortDescendingBlockedToStriped(keys);
  cub::StoreDirectStriped<T>(threadIdx.x, down + first, keys);
}
extern "C" __global__ void sort_pairs(const short* x, short* keys_out, int* values_out, int valid) {
  using Load = cub::BlockLoad<short, T, I, cub::BLOCK_LOAD_WARP_TRANSPOSE>;
  using Sort = cub::BlockRadixSort<short, T, I, int>;
  __shared__ typename Load::TempStorage load;
  __shared__ typename Sort::TempStorage memory;
  short keys[I];
  int values[I];
  Load(load).Load(x, keys, valid, short(32767));
  for (int i = 0; i < I; ++i) values[i] = threadIdx.x * I + i;
  Sort(memory).Sort(keys, values);
  cub::StoreDirectBlocked(threadIdx.x, keys_out, keys);
  cub::StoreDirectBlocked(threadIdx.x, values_out, values);
}
struct Less {
  __device__ bool operator()(const int& a, const int& b) const { return a < b; }
};
extern "C" __global__ void sort_merging(const int* x, int* y) {
  using Sort = cub::BlockMergeSort<int, 64, I>;
  __shared__ typename Sort::TempStorage memory;
  int keys[I];
  cub::LoadDirectBlocked(threadIdx.x, x, keys);
  Sort(memory).Sort(keys, Less{});
  cub::StoreDirectBlocked(threadIdx.x, y, keys);
}
extern "C" __global__ void exchange(const int* x, int* striped, int* ranked) {
  using Exchange = cub::BlockExchange<int, T, I>;
  __shared__ typename Exchange::TempStorage memory;
  int items[I], ranks[I];
  cub::LoadDirectBlocked(threadIdx.x, x, items);
  Exchange(memory).BlockedToStriped(items, items);
  cub::StoreDirectBlocked(threadIdx.x, striped, items);
  __syncthreads();
  Exchange(memory).StripedToBlocked(items, items);
  for (int i = 0; i < I; ++i) ranks[i] = T * I - 1 - (threadIdx.x * I + i);
  __syncthreads();
  Exchange(memory).ScatterToBlocked(items, items, ranks);
  cub::StoreDirectBlocked(threadIdx.x, ranked, items);
}
template <cub::BlockHistogramAlgorithm A>
__device__ void histogram(const unsigned char* x, unsigned* y) {
  using Histogram = cub::BlockHistogram<unsigned char, T, I, 256, A>;
  __shared__ typename Histogram::TempStorage memory;
  __shared__ unsigned bins[256];
  unsigned char items[I];
  cub::LoadDirectStriped<T>(threadIdx.x, x, items);
  Histogram(memory).Histogram(items, bins);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += T) y[i] = bins[i];
}
extern "C" __global__ void histogram_sorting(const unsigned char* x, unsigned* y) {
  histogram<cub::BLOCK_HISTO_SORT>(x, y);
}
extern "C" __global__ void histogram_atomic(const unsigned char* x, unsigned* y) {
  histogram<cub::BLOCK_HISTO_ATOMIC>(x, y);
}
extern "C" __global__ void heads(const int* x, int* flags, int* differences) {
  using Heads = cub::BlockDiscontinuity<int, T>;
  using Difference = cub::BlockAdjacentDifference<int, T>;
  __shared__ typename Heads::TempStorage memory;
  __shared__ typename Difference::TempStorage other;
  int item[I], flag[I], difference[I];
  cub::LoadDirectBlocked(threadIdx.x, x, item);
  Heads(memory).FlagHeads(flag, item, Differ{});
  Difference(other).SubtractLeft(item, difference, [](int a, int b) { return a - b; });
  cub::StoreDirectBlocked(threadIdx.x, flags, flag);
  cub::StoreDirectBlocked(threadIdx.x, differences, difference);
}
"""

WARP = r"""
#include <cub/warp/warp_reduce.cuh>
#include <cub/warp/warp_scan.cuh>
#include <cub/warp/warp_merge_sort.cuh>
struct Sum {
  template <class V> __device__ V operator()(const V& a, const V& b) const { return a + b; }
};
struct Wide {
  int a, b, c;
  __device__ Wide operator+(const Wide& o) const { return Wide{a + o.a, b + o.b, c + o.c}; }
};
template <int W> __device__ void both(const double* x, double* sums, double* scans) {
  using Reduce = cub::WarpReduce<double, W>;
  using Scan = cub::WarpScan<double, W>;
  __shared__ typename Reduce::TempStorage reduce[64 / W];
  __shared__ typename Scan::TempStorage scan[64 / W];
  const double mine = x[threadIdx.x];
  const double sum = Reduce(reduce[threadIdx.x / W]).Sum(mine);
  double running;
  Scan(scan[threadIdx.x / W]).InclusiveSum(mine, running);
  if (threadIdx.x % W == 0) sums[threadIdx.x / W] = sum;
  scans[threadIdx.x] = running;
}
extern "C" __global__ void warps_of_32(const double* x, double* sums, double* scans) { both<32>(x, sums, scans); }
extern "C" __global__ void warps_of_8(const double* x, double* sums, double* scans) { both<8>(x, sums, scans); }
extern "C" __global__ void warps_of_13(const double* x, double* sum) {  // not a power of two: through shared memory
  using Reduce = cub::WarpReduce<double, 13>;
  __shared__ typename Reduce::TempStorage memory;
  if (threadIdx.x >= 13) return;
  const double total = Reduce(memory).Sum(x[threadIdx.x]);
  if (threadIdx.x == 0) *sum = total;
}
extern "C" __global__ void structures(const int* x, int* y) {
  using Reduce = cub::WarpReduce<Wide>;
  __shared__ typename Reduce::TempStorage memory;
  const int i = threadIdx.x;
  const Wide sum = Reduce(memory).Reduce(Wide{x[i], 2 * x[i], -x[i]}, Sum{});
  if (i == 0) y[0] = sum.a, y[1] = sum.b, y[2] = sum.c;
}
extern "C" __global__ void segments(const int* x, const int* heads, int* y) {
  using Reduce = cub::WarpReduce<int>;
  __shared__ typename Reduce::TempStorage memory;
  const int sum = Reduce(memory).HeadSegmentedSum(x[threadIdx.x], heads[threadIdx.x]);
  if (heads[threadIdx.x]) y[threadIdx.x] = sum;
}
struct Greater {
  __device__ bool operator()(int a, int b) const { return a > b; }
};
extern "C" __global__ void sorted(int* x) {
  using Sort = cub::WarpMergeSort<int, 2, 32>;
  __shared__ typename Sort::TempStorage memory;
  int keys[2] = {x[2 * threadIdx.x], x[2 * threadIdx.x + 1]};
  Sort(memory).Sort(keys, Greater{});
  x[2 * threadIdx.x] = keys[0], x[2 * threadIdx.x + 1] = keys[1];
}
"""

THRUST = r"""
#include <thrust/complex.h>
#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/pair.h>
#include <thrust/random.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/tuple.h>
#include <thrust/binary_search.h>

extern "C" __global__ void rows(const float* x, float* sums, float* most, int n) {
  const float* row = x + (blockIdx.x * blockDim.x + threadIdx.x) * n;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  sums[i] = thrust::reduce(thrust::seq, row, row + n);
  most[i] = thrust::reduce(thrust::device, row, row + n, -1e30f, thrust::maximum<float>());
}
extern "C" __global__ void sorts(float* x, int* order, int n) {
  float* row = x + threadIdx.x * n;
  int* its = order + threadIdx.x * n;
  for (int i = 0; i < n; ++i) its[i] = i;
  thrust::sort_by_key(thrust::seq, row, row + n, its);
}
struct Descending {
  __host__ __device__ bool operator()(int a, int b) const { return a > b; }
};
extern "C" __global__ void sorts_by(int* x, int n) {
  thrust::sort(thrust::seq, x + threadIdx.x * n, x + (threadIdx.x + 1) * n, Descending());
}
extern "C" __global__ void scans(const int* x, int* y, int* at, int n) {
  const int* row = x + threadIdx.x * n;
  int* out = y + threadIdx.x * n;
  thrust::inclusive_scan(thrust::seq, row, row + n, out);
  at[threadIdx.x] = thrust::lower_bound(thrust::seq, out, out + n, out[n - 1] / 2) - out;
}
struct Square {
  __host__ __device__ long long operator()(int i) const { return (long long)i * i; }
};
__device__ thrust::pair<int, long long> smallest(int n) {
  auto first = thrust::make_transform_iterator(thrust::counting_iterator<int>(1), Square());
  return thrust::make_pair(n, thrust::reduce(thrust::seq, first, first + n));
}
extern "C" __global__ void iterators(long long* y) {
  const auto found = smallest(threadIdx.x + 1);
  const thrust::tuple<int, long long> both(found.first, found.second);
  y[threadIdx.x] = thrust::get<1>(both) * 1000 + thrust::get<0>(both);
}
extern "C" __global__ void complexes(const double* x, double* y) {
  const thrust::complex<double> z(x[2 * threadIdx.x], x[2 * threadIdx.x + 1]);
  const thrust::complex<double> w = thrust::exp(z) * thrust::conj(z) / thrust::complex<double>(1, 2);
  y[2 * threadIdx.x] = w.real(), y[2 * threadIdx.x + 1] = w.imag();
}
extern "C" __global__ void random(unsigned* y) {
  thrust::minstd_rand engine;
  engine.discard(threadIdx.x);
  y[threadIdx.x] = engine();
}
"""


@pytest.fixture(scope="module")
def block():
    return tenon.Program(BLOCK, ["reduce_warps", "reduce_raking", "reduce_commutative", "scan_raking", "scan_memoize",
                                 "scan_warps", "sort_keys", "sort_pairs", "sort_merging", "exchange",
                                 "histogram_sorting", "histogram_atomic", "heads"], device="cpu")


@pytest.fixture(scope="module")
def warp():
    return tenon.Program(WARP, ["warps_of_32", "warps_of_8", "warps_of_13", "structures", "segments", "sorted"],
                         device="cpu")


@pytest.fixture(scope="module")
def thrust():
    return tenon.Program(THRUST, ["rows", "sorts", "sorts_by", "scans", "iterators", "complexes", "random"],
                         device="cpu")


@pytest.fixture
def rng():
    return np.random.default_rng(18)


@with_headers
@pytest.mark.parametrize("name", ["reduce_warps", "reduce_raking", "reduce_commutative"])
def test_block_reduce(block, rng, name):
    for valid in (THREADS, 1, 31, 64, 77):
        x = rng.integers(-1000, 1000, (3, THREADS), dtype=np.int32)
        y = np.zeros((3, 2), np.int32)
        block[name][3, THREADS](x, y, np.int32(valid))
        np.testing.assert_array_equal(y, np.stack([x.sum(1), x[:, :valid].max(1)], 1))


@with_headers
@pytest.mark.parametrize("name", ["scan_raking", "scan_memoize", "scan_warps"])
def test_block_scan(block, rng, name):
    x = rng.integers(-1000, 1000, (2, THREADS * ITEMS), dtype=np.int32)
    inclusive, exclusive, total = np.zeros_like(x), np.zeros_like(x), np.zeros(2, np.int32)
    block[name][2, THREADS](x, inclusive, exclusive, total)
    np.testing.assert_array_equal(exclusive, x.cumsum(1) - x)
    np.testing.assert_array_equal(inclusive, np.maximum.accumulate(x, 1))
    np.testing.assert_array_equal(total, x.sum(1))


@with_headers
def test_block_radix_sort_of_keys(block, rng):
    x = rng.standard_normal((2, THREADS * ITEMS)).astype(np.float32)
    up, down = np.zeros_like(x), np.zeros_like(x)
    block["sort_keys"][2, THREADS](x, up, down)
    np.testing.assert_array_equal(up, np.sort(x, 1))
    np.testing.assert_array_equal(down, -np.sort(-x, 1))


@with_headers
def test_block_radix_sort_of_pairs_is_stable(block, rng):
    x = rng.integers(-20, 20, THREADS * ITEMS, dtype=np.int16)
    keys, values, valid = np.zeros_like(x), np.zeros(x.size, np.int32), 250
    block["sort_pairs"][1, THREADS](x, keys, values, np.int32(valid))
    x[valid:] = 32767
    np.testing.assert_array_equal(values, np.argsort(x, kind="stable"))
    np.testing.assert_array_equal(keys, x[values])


@with_headers
def test_block_merge_sort(block, rng):
    x = rng.integers(-100, 100, 64 * ITEMS, dtype=np.int32)
    y = np.zeros_like(x)
    block["sort_merging"][1, 64](x, y)
    np.testing.assert_array_equal(y, np.sort(x))


@with_headers
def test_block_exchange(block, rng):
    x = rng.integers(-100, 100, THREADS * ITEMS, dtype=np.int32)
    striped, ranked = np.zeros_like(x), np.zeros_like(x)
    block["exchange"][1, THREADS](x, striped, ranked)
    np.testing.assert_array_equal(striped, x.reshape(ITEMS, THREADS).T.ravel())
    np.testing.assert_array_equal(ranked, x[::-1])


@with_headers
@pytest.mark.parametrize("name", ["histogram_sorting", "histogram_atomic"])
def test_block_histogram(block, rng, name):
    x = rng.integers(0, 40, THREADS * ITEMS, dtype=np.uint8)
    y = np.zeros(256, np.uint32)
    block[name][1, THREADS](x, y)
    np.testing.assert_array_equal(y, np.bincount(x, minlength=256))


@with_headers
def test_block_discontinuity_and_differences(block, rng):
    x = np.sort(rng.integers(0, 60, THREADS * ITEMS, dtype=np.int32))
    flags, differences = np.zeros_like(x), np.zeros_like(x)
    block["heads"][1, THREADS](x, flags, differences)
    np.testing.assert_array_equal(flags, np.r_[1, x[1:] != x[:-1]])
    np.testing.assert_array_equal(differences, np.r_[x[0], np.diff(x)])


@with_headers
@pytest.mark.parametrize("width", [32, 8])
def test_warp_reduce_and_scan(warp, rng, width):
    x = rng.integers(-50, 50, 64).astype(np.float64)
    sums, scans = np.zeros(64 // width), np.zeros(64)
    warp[f"warps_of_{width}"][1, 64](x, sums, scans)
    np.testing.assert_array_equal(sums, x.reshape(-1, width).sum(1))
    np.testing.assert_array_equal(scans, x.reshape(-1, width).cumsum(1).ravel())


@with_headers
def test_warps_of_odd_sizes_structures_and_segments(warp, rng):
    x = rng.integers(-50, 50, 32).astype(np.float64)
    total = np.zeros(1)
    warp["warps_of_13"][1, 32](x, total)
    assert total[0] == x[:13].sum()
    values, y = rng.integers(-50, 50, 32, dtype=np.int32), np.zeros(3, np.int32)
    warp["structures"][1, 32](values, y)
    np.testing.assert_array_equal(y, values.sum() * np.array([1, 2, -1]))
    heads, sums = (rng.random(32) < 0.2).astype(np.int32), np.zeros(32, np.int32)
    heads[0] = 1
    warp["segments"][1, 32](values, heads, sums)
    begins = np.flatnonzero(heads)
    np.testing.assert_array_equal(sums[begins], np.add.reduceat(values, begins))


@with_headers
def test_warp_merge_sort(warp, rng):
    x = rng.integers(-50, 50, 64, dtype=np.int32)
    expected = -np.sort(-x)
    warp["sorted"][1, 32](x)
    np.testing.assert_array_equal(x, expected)


@with_headers
def test_thrust_reduces_and_scans_in_a_thread(thrust, rng):
    x = rng.integers(-50, 50, (12, 37)).astype(np.float32)
    sums, most = np.zeros(12, np.float32), np.zeros(12, np.float32)
    thrust["rows"][3, 4](x, sums, most, np.int32(37))
    np.testing.assert_array_equal(sums, x.sum(1))
    np.testing.assert_array_equal(most, x.max(1))
    positive = rng.integers(1, 50, (12, 37), dtype=np.int32)
    scans, at = np.zeros_like(positive), np.zeros(12, np.int32)
    thrust["scans"][1, 12](positive, scans, at, np.int32(37))
    np.testing.assert_array_equal(scans, positive.cumsum(1))
    np.testing.assert_array_equal(at, [np.searchsorted(row, row[-1] // 2) for row in scans])


@with_headers
def test_thrust_sorts_in_a_thread(thrust, rng):
    x = rng.standard_normal((12, 200)).astype(np.float32)
    expected, order = np.argsort(x, 1), np.zeros((12, 200), np.int32)
    keys = x.copy()
    thrust["sorts"][1, 12](keys, order, np.int32(200))
    np.testing.assert_array_equal(order, expected)
    np.testing.assert_array_equal(keys, np.sort(x, 1))
    whole = rng.integers(-50, 50, (12, 37), dtype=np.int32)
    expected = -np.sort(-whole, 1)
    thrust["sorts_by"][1, 12](whole, np.int32(37))
    np.testing.assert_array_equal(whole, expected)


@with_headers
def test_thrust_values_iterators_and_engines(thrust, rng):
    y = np.zeros(20, np.int64)
    thrust["iterators"][1, 20](y)
    n = np.arange(1, 21)
    np.testing.assert_array_equal(y, np.cumsum(n * n) * 1000 + n)
    z = rng.standard_normal(16) + 1j * rng.standard_normal(16)
    w = np.zeros_like(z)
    thrust["complexes"][1, 16](z.view(np.float64), w.view(np.float64))
    np.testing.assert_allclose(w, np.exp(z) * z.conj() / (1 + 2j), rtol=1e-14)
    drawn, state, expected = np.zeros(10, np.uint32), 1, []
    thrust["random"][1, 10](drawn)
    for _ in range(10):
        state = state * 48271 % 2147483647
        expected.append(state)
    np.testing.assert_array_equal(drawn, expected)


@with_headers
def test_the_checked_mode_finds_storage_used_again_without_a_barrier():
    text = r"""
#include <cub/block/block_reduce.cuh>
extern "C" __global__ void twice(const int* x, int* y) {
  using Reduce = cub::BlockReduce<int, 96>;
  __shared__ typename Reduce::TempStorage memory;
  const int first = Reduce(memory).Sum(x[threadIdx.x]);
  BARRIER;
  const int second = Reduce(memory).Sum(2 * x[threadIdx.x]);
  if (threadIdx.x == 0) *y = first + second;
}
"""
    x, y = np.arange(96, dtype=np.int32), np.zeros(1, np.int32)
    for barrier, right in (("__syncthreads()", True), ("", False)):
        kernel = tenon.Kernel(text, "twice", device="cpu", mode="check", options=[f"-DBARRIER={barrier}"])
        if right:
            kernel[1, 96](x, y)
            assert y[0] == 3 * x.sum()
        else:
            with pytest.raises(tenon.KernelFault, match="race on shared memory: .*twice::memory"):
                kernel[1, 96](x, y)


@with_headers
def test_headers_in_directories_may_use_cub(tmp_path):
    (tmp_path / "all.h").write_text("#include <cub/warp/warp_reduce.cuh>\n__device__ inline int all(int x) {\n"
                                    "  using Reduce = cub::WarpReduce<int>;\n"
                                    "  __shared__ typename Reduce::TempStorage memory;\n"
                                    "  return Reduce(memory).Sum(x);\n}\n")
    kernel = tenon.Kernel('#include "all.h"\nextern "C" __global__ void k(int* y) {\n  const int sum = all(threadIdx.x);\n'
                          "  if (threadIdx.x == 0) *y = sum;\n}\n", "k", device="cpu", options=[f"-I{tmp_path}"])
    y = np.zeros(1, np.int32)
    kernel[1, 32](y)
    assert y[0] == 496


def test_what_belongs_to_the_host_is_refused_with_its_line():
    for header in ("cub/device/device_scan.cuh", "thrust/device_vector.h"):
        with pytest.raises(tenon.CompileError, match=f"called by the host.*kernel.cu:2:1: error: <{header}>"):
            tenon.Program(f"// text\n#include <{header}>\n", [], device="cpu")


@with_headers
def test_ptx_of_the_text_is_refused_and_that_of_headers_only_where_it_is_reached():
    with pytest.raises(tenon.CompileError, match="inline PTX: the instruction .*wgmma"):
        tenon.Program("#include <cuda/ptx>\nextern \"C\" __global__ void k() {\n"
                      '  asm volatile("wgmma.fence.sync.aligned;");\n}\n', ["k"], device="cpu")


@pytest.mark.parametrize("place", ["nvidia/cu13/include/cccl", "nvidia/cuda_cccl/include", "include/cccl", "include"])
def test_wheels_and_toolkits_are_searched_for_the_headers(tmp_path, monkeypatch, place):
    folder = tmp_path / place / "cub"
    folder.mkdir(parents=True)
    (tmp_path / "lib64").mkdir()
    (folder / "version.cuh").write_text("#define CUB_VERSION 300500\n")
    (folder / "ours.cuh").write_text("#define OURS 7\n")
    monkeypatch.setenv("TENON_CUDA_PATH", str(tmp_path))
    text = '#include <cub/ours.cuh>\nextern "C" __global__ void k(int* y) { *y = OURS; }\n'
    y = np.zeros(1, np.int32)
    tenon.Kernel(text, "k", device="cpu")[1, 1](y)
    assert y[0] == 7
    (folder / "ours.cuh").write_text("#define OURS 18\n")  # its contents are part of a program's key
    tenon.Kernel(text, "k", device="cpu")[1, 1](y)
    assert y[0] == 18
    (folder / "version.cuh").write_text("#define CUB_VERSION 200700\n")
    with pytest.raises(tenon.CompileError, match="CCCL 3.0 or later, and this one was not found.*kernel.cu:1:10:.*ours"):
        tenon.Kernel(text, "k", device="cpu")
