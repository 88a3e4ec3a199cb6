// backend/cpu/native/segment.cpp: reductions and scans of segments (device/segment.cuh), quantiles
// (device/order/quantile.cuh) and interpolation (device/order/interpolate.cuh), on the thread pool. Rows of segments
// are divided into the tiles of device/segment.cu, so that segments of any lengths are shared out equally, and results
// do not depend on the number of threads.
#include <algorithm>
#include <vector>
#include "backend/cpu/memory.hpp"
#include "backend/cpu/native/native.hpp"
#include "base/parallel.hpp"
#include "core/error.hpp"
#include "device/host.hpp"
#include "device/numbers.cuh"
#include "device/random.cuh"
#include "device/order/order.cuh"
#include "device/index.cuh"
#include "device/wide.cuh"
#include "device/segment.cuh"
#include "device/order/quantile.cuh"
#include "device/order/interpolate.cuh"

namespace tenon::cpu {
namespace {

using namespace tenon_own;

// Four accumulators, whose operations do not wait for each other.
template <class Op> typename Op::Sum reduced(const typename Op::Element* x, int64_t count) {
  typename Op::Sum sums[4] = {Op::neutral(), Op::neutral(), Op::neutral(), Op::neutral()};
  int64_t i = 0;
  for (; i + 4 <= count; i += 4)
    for (int k = 0; k < 4; ++k) sums[k] = Op::merged(sums[k], Op::of(x[i + k]));
  for (; i < count; ++i) sums[0] = Op::merged(sums[0], Op::of(x[i]));
  return Op::merged(Op::merged(sums[0], sums[1]), Op::merged(sums[2], sums[3]));
}

// The tiles of a work, for the pool.
template <class S, class F> void each_tile(const SegmentWork& w, F&& body) {
  constexpr int64_t kElements = SegmentTile<S>::value;
  base::parallel_for(w.rows * w.tiles, 4, [&](int64_t from, int64_t to) {
    for (int64_t t = from; t < to; ++t) {
      const int64_t row = t / w.tiles, begin = t % w.tiles * kElements;
      body(t, row, begin, std::min(begin + kElements, w.n));
    }
  });
}

template <class Op> void reduce(const SegmentWork& w) {
  using S = typename Op::Element;
  constexpr int64_t kElements = SegmentTile<S>::value;
  std::vector<typename Op::Sum> first(size_t(w.rows * w.tiles)), last(first.size());
  S* const results = static_cast<S*>(w.to);
  std::fill_n(results, w.rows * w.count, Op::element(Op::neutral()));
  each_tile<S>(w, [&](int64_t t, int64_t row, int64_t begin, int64_t end) {
    const S* const x = static_cast<const S*>(w.x) + row * w.n;
    int64_t s = offsets_below(w.offsets + 1, w.count, begin, true);
    for (; s < w.count && w.offsets[s] < end; ++s) {
      const int64_t from = std::max(w.offsets[s], begin), to = std::min(w.offsets[s + 1], end);
      if (to <= from) continue;
      const typename Op::Sum sum = reduced<Op>(x + from, to - from);
      if (w.offsets[s] < begin) first[size_t(t)] = sum;
      else if (w.offsets[s + 1] > end) last[size_t(t)] = sum;
      else results[row * w.count + s] = Op::element(sum);
    }
  });
  each_tile<S>(w, [&](int64_t t, int64_t row, int64_t begin, int64_t end) {
    if (end >= w.n) return;
    const int64_t s = offsets_below(w.offsets, w.count, end, false) - 1;
    if (s < 0 || w.offsets[s] < begin || w.offsets[s + 1] <= end) return;
    const int64_t behind = row * w.tiles + (std::min(w.offsets[s + 1], w.n) - 1) / kElements;
    typename Op::Sum sum = last[size_t(t)];
    for (int64_t k = t + 1; k <= behind; ++k) sum = Op::merged(sum, first[size_t(k)]);
    results[row * w.count + s] = Op::element(sum);
  });
}

// Reductions by numbers: each chunk of the elements has accumulators of its own for all segments, which are merged in
// the order of the chunks. The shapes alone decide on chunks and lanes, so that the threads change no bits.
constexpr int64_t kMostChunks = 64;
constexpr int64_t kChunkElements = 1 << 15;  // at least
constexpr int64_t kLanes = 4;
constexpr int64_t kFewCells = 1 << 10;  // with so few accumulators, the next element often needs the same one
constexpr int64_t kColumns = 64;        // along the inner axes, for one task

// One accumulator per segment; that of the last segment stays in a register, as runs of one are frequent.
template <class Op>
void add_numbered(const typename Op::Element* x, const i64* numbers, int64_t n, int64_t count, typename Op::Sum* sums) {
  constexpr int64_t kAhead = 16;
  const bool far = count * int64_t(sizeof *sums) > 1 << 18;  // not in the level-2 cache
  i64 last = 0;
  typename Op::Sum sum = Op::neutral();
  for (int64_t i = 0; i < n; ++i) {
    if (far && i < n - kAhead)
      __builtin_prefetch(reinterpret_cast<const char*>(sums) + uint64_t(numbers[i + kAhead]) * sizeof *sums);
    const i64 s = numbers[i];
    if (uint64_t(s) >= uint64_t(count)) continue;
    if (s != last) {
      sums[last] = sum;
      sum = sums[s];
      last = s;
    }
    sum = Op::merged(sum, Op::of(x[i]));
  }
  sums[last] = sum;
}

// kLanes accumulators per segment, of which successive elements take turns, so that they do not wait for each other.
template <class Op>
void add_to_lanes(const typename Op::Element* x, const i64* numbers, int64_t n, int64_t count, typename Op::Sum* sums) {
  const auto add = [&](int64_t i, int64_t lane) {
    const i64 s = numbers[i];
    if (uint64_t(s) >= uint64_t(count)) return;
    typename Op::Sum& sum = sums[lane * count + s];
    sum = Op::merged(sum, Op::of(x[i]));
  };
  int64_t i = 0;
  for (; i + kLanes <= n; i += kLanes)
    for (int64_t lane = 0; lane < kLanes; ++lane) add(i + lane, lane);
  for (; i < n; ++i) add(i, 0);
  for (int64_t s = 0; s < count; ++s)
    sums[s] = Op::merged(Op::merged(sums[s], sums[count + s]), Op::merged(sums[2 * count + s], sums[3 * count + s]));
}

template <class Op> void reduce_numbered(const NumberedWork& w) {
  using S = typename Op::Element;
  using Sum = typename Op::Sum;
  const int64_t cells = w.count * w.inner, tiles = (w.inner + kColumns - 1) / kColumns;
  const int64_t lanes = w.inner == 1 && cells <= kFewCells ? kLanes : 1;
  const int64_t chunks =
      std::clamp<int64_t>(std::min(w.n / (16 * w.count), w.n * w.inner / kChunkElements), 1, kMostChunks);
  const auto bound = [&](int64_t chunk) { return w.n / chunks * chunk + std::min(chunk, w.n % chunks); };
  // The sums of a chunk for the columns of a tile, one segment after the other.
  const auto add = [&](int64_t outer, int64_t chunk, int64_t tile, Sum* sums) {
    const int64_t begin = bound(chunk), end = bound(chunk + 1), first = tile * kColumns;
    const int64_t width = std::min(kColumns, w.inner - first);
    const S* x = static_cast<const S*>(w.x) + (outer * w.n + begin) * w.inner + first;
    std::fill_n(sums, lanes * w.count * width, Op::neutral());
    if (lanes > 1) return add_to_lanes<Op>(x, w.numbers + begin, end - begin, w.count, sums);
    if (w.inner == 1) return add_numbered<Op>(x, w.numbers + begin, end - begin, w.count, sums);
    for (int64_t i = begin; i < end; ++i, x += w.inner) {
      const i64 s = w.numbers[i];
      if (uint64_t(s) >= uint64_t(w.count)) continue;
      Sum* const row = sums + s * width;
      for (int64_t c = 0; c < width; ++c) row[c] = Op::merged(row[c], Op::of(x[c]));
    }
  };
  // Of chunk k the sums begin at sums[k * stride].
  const auto put = [&](int64_t outer, int64_t tile, const Sum* sums, int64_t stride, int64_t from, int64_t to) {
    const int64_t first = tile * kColumns, width = std::min(kColumns, w.inner - first);
    S* const results = static_cast<S*>(w.to) + outer * cells + first;
    for (int64_t s = from; s < to; ++s)
      for (int64_t c = 0; c < width; ++c) {
        Sum sum = sums[s * width + c];
        for (int64_t k = 1; k < chunks; ++k) sum = Op::merged(sum, sums[k * stride + s * width + c]);
        results[s * w.inner + c] = Op::element(sum);
      }
  };
  const int64_t stride = lanes * w.count * std::min(kColumns, w.inner);
  if (chunks == 1) {
    const int64_t grain = std::max<int64_t>(1, kChunkElements / ((w.n + w.count) * std::min(kColumns, w.inner)));
    return base::parallel_for(w.outer * tiles, grain, [&](int64_t begin, int64_t end) {
      const Workspace<Sum> sums = scratch<Sum>(stride);
      for (int64_t i = begin; i < end; ++i) {
        add(i / tiles, 0, i % tiles, sums.get());
        put(i / tiles, i % tiles, sums.get(), 0, 0, w.count);
      }
    });
  }
  const Workspace<Sum> sums = scratch<Sum>(chunks * tiles * stride);
  for (int64_t outer = 0; outer < w.outer; ++outer) {
    base::parallel_for(chunks * tiles, 1, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) add(outer, i / tiles, i % tiles, sums.get() + i * stride);
    });
    constexpr int64_t kSegments = 1 << 10;  // whose sums a task merges
    const int64_t parts = (w.count + kSegments - 1) / kSegments;
    base::parallel_for(tiles * parts, 4, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const int64_t tile = i / parts, from = i % parts * kSegments;
        put(outer, tile, sums.get() + tile * stride, tiles * stride, from, std::min(from + kSegments, w.count));
      }
    });
  }
}

template <class Op> void scan(const SegmentWork& w) {
  using S = typename Op::Element;
  std::vector<typename Op::Sum> carry(size_t(w.rows * w.tiles));
  std::vector<uint8_t> begun(carry.size());
  each_tile<S>(w, [&](int64_t t, int64_t row, int64_t begin, int64_t end) {
    if (end == w.n) return;
    const S* const x = static_cast<const S*>(w.x) + row * w.n;
    int64_t from = end;
    while (from > begin && !w.heads[from - 1]) --from;
    begun[size_t(t)] = from > begin;
    from = std::max(from - 1, begin);
    carry[size_t(t)] = reduced<Op>(x + from, end - from);
  });
  for (int64_t row = 0; row < w.rows; ++row) {
    typename Op::Sum before = Op::neutral();
    for (int64_t t = row * w.tiles; t < (row + 1) * w.tiles; ++t) {
      const typename Op::Sum own = carry[size_t(t)];
      carry[size_t(t)] = before;
      before = begun[size_t(t)] ? own : Op::merged(before, own);
    }
  }
  each_tile<S>(w, [&](int64_t t, int64_t row, int64_t begin, int64_t end) {
    const S* const x = static_cast<const S*>(w.x) + row * w.n;
    S* const to = static_cast<S*>(w.to) + row * w.n;
    typename Op::Sum sum = carry[size_t(t)];
    for (int64_t i = begin; i < end; ++i) {
      if (w.heads[i]) sum = Op::neutral();
      const typename Op::Sum earlier = sum;
      sum = Op::merged(sum, Op::of(x[i]));
      to[i] = Op::element(w.exclusive ? earlier : sum);
    }
  });
}

[[noreturn]] void not_refused(const char* what, Dtype dtype) {
  fail(TENON_ERROR_INTERNAL, "%s of dtype 0x%x should have been refused earlier", what, dtype);
}

// Calls body.template operator()<S>() for the C++ type of a real dtype.
template <class F> void with_real(Dtype dtype, F&& body) {
  switch (dtype) {
    case TENON_BOOL: return body.template operator()<boolean>();
    case TENON_INT8: return body.template operator()<i8>();
    case TENON_INT16: return body.template operator()<i16>();
    case TENON_INT32: return body.template operator()<i32>();
    case TENON_INT64: return body.template operator()<i64>();
    case TENON_UINT8: return body.template operator()<u8>();
    case TENON_UINT16: return body.template operator()<u16>();
    case TENON_UINT32: return body.template operator()<u32>();
    case TENON_UINT64: return body.template operator()<u64>();
    case TENON_FLOAT16: return body.template operator()<half>();
    case TENON_BFLOAT16: return body.template operator()<bfloat>();
    case TENON_FLOAT32: return body.template operator()<float>();
    case TENON_FLOAT64: return body.template operator()<double>();
    default: not_refused("work on segments", dtype);
  }
}

template <int Kind, class F> void with_op(Dtype dtype, F&& run) {
  if constexpr (Kind != kSegmentLogSum) {
    if (dtype == TENON_COMPLEX64) return run.template operator()<SegmentOp<Kind, Complex<float>>>();
    if (dtype == TENON_COMPLEX128) return run.template operator()<SegmentOp<Kind, Complex<double>>>();
  }
  with_real(dtype, [&]<class S>() {
    if constexpr (Kind == kSegmentLogSum && Sign<S>::is_float == 0) not_refused("logsumexp", dtype);
    else run.template operator()<SegmentOp<Kind, S>>();
  });
}

template <class F> void with_kind(int kind, Dtype dtype, F&& run) {
  switch (kind) {
    case kSegmentSum: return with_op<kSegmentSum>(dtype, run);
    case kSegmentProduct: return with_op<kSegmentProduct>(dtype, run);
    case kSegmentLeast: return with_op<kSegmentLeast>(dtype, run);
    case kSegmentMost: return with_op<kSegmentMost>(dtype, run);
    default: return with_op<kSegmentLogSum>(dtype, run);
  }
}

}  // namespace

void segment_reduce(int kind, Dtype dtype, const SegmentWork& w) {
  with_kind(kind, dtype, [&]<class Op>() { reduce<Op>(w); });
}

void segment_reduce_numbered(int kind, Dtype dtype, const NumberedWork& w) {
  if (w.outer * w.count * w.inner > 0) with_kind(kind, dtype, [&]<class Op>() { reduce_numbered<Op>(w); });
}

void segment_scan(int kind, Dtype dtype, const SegmentWork& w) {
  with_kind(kind, dtype, [&]<class Op>() { scan<Op>(w); });
}

int64_t bad_offset(const int64_t* offsets, int64_t count, int64_t limit) {
  for (int64_t i = 0; i < count; ++i)
    if (offsets[i] < (i ? offsets[i - 1] : 0) || offsets[i] > limit) return i;
  return -1;
}

void quantile(Dtype dtype, bool exact, const QuantileWork& w) {
  const auto each = [&]<class Q>() {
    base::parallel_for(w.rows * w.count, 1024, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) Q::at(w, i);
    });
  };
  const auto run = [&]<class S>() {
    if (exact) return each.template operator()<QuantileElement<S>>();
    if constexpr (Sign<S>::is_float != 0) each.template operator()<QuantileNumber<S, S>>();
    else each.template operator()<QuantileNumber<S, double>>();
  };
  if (dtype == TENON_COMPLEX64) run.template operator()<Pair<float>>();
  else if (dtype == TENON_COMPLEX128) run.template operator()<Pair<double>>();
  else with_real(dtype, run);
}

void interpolate(Dtype dtype, const InterpolateWork& w) {
  const auto each = [&]<class T>() {
    base::parallel_for(w.count, 1024, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) Interpolate<T>::at(w, i);
    });
  };
  if (dtype == TENON_FLOAT32) each.template operator()<float>();
  else each.template operator()<double>();
}

}  // namespace tenon::cpu
