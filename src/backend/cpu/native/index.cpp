// backend/cpu/native/index.cpp: reading and writing elements by index, and selecting them by a mask.
#include "backend/cpu/native/native.hpp"

#include <algorithm>
#include <atomic>
#include <memory>
#include <type_traits>
#include <vector>
#include "base/parallel.hpp"
#include "core/error.hpp"
#include "device/host.hpp"
#include "device/numbers.cuh"
#include "device/index.cuh"
#include "device/order/order.cuh"
#include "device/order/select.cuh"

namespace tenon::cpu {
namespace {

using namespace tenon_own;

constexpr int64_t kPiece = 16384;  // elements that make a piece worth another thread

// Iterates over elements [begin, end) of a problem in runs along the last axis. run(x, v, length, at): byte offsets of
// the first element without its indices, and the offset in each index array.
template <class F> void walk(const IndexWork& w, int64_t begin, int64_t end, F&& run) {
  const int last = w.rank - 1;
  int64_t c[kIndexAxes], at[kIndexArrays] = {}, x = 0, v = 0, rest = begin;
  const auto move = [&](int d, int64_t steps) {
    x += steps * w.x_step[d];
    v += steps * w.v_step[d];
    for (int k = 0; k < w.arrays; ++k) at[k] += steps * w.index_step[k][d];
  };
  for (int d = last; d >= 0; --d) {
    c[d] = rest % w.extent[d];
    rest /= w.extent[d];
    move(d, c[d]);
  }
  for (int64_t i = begin; i < end;) {
    const int64_t length = last < 0 ? 1 : std::min(end - i, w.extent[last] - c[last]);
    run(x, v, length, at);
    i += length;
    if (i >= end) return;
    move(last, -c[last]);
    c[last] = 0;
    for (int d = last - 1; d >= 0; --d) {
      move(d, 1);
      if (++c[d] < w.extent[d]) break;
      move(d, -c[d]);
      c[d] = 0;
    }
  }
}

inline int64_t wrapped(int64_t index, int64_t limit) { return index < 0 ? index + limit : index; }

template <class F> void pieces(int64_t count, F&& body) {
  if (count <= kPiece) body(int64_t(0), count);
  else base::parallel_for(count, kPiece, body);
}

// How a run uses the index arrays: those with stride 0 along it are added to x; `moving` is the one with another
// stride, -1: none, -2: several.
struct Inner {
  int moving = -1;
  explicit Inner(const IndexWork& w) {
    for (int k = 0; k < w.arrays; ++k)
      if (w.rank && w.index_step[k][w.rank - 1]) moving = moving == -1 ? k : -2;
  }
  int64_t standing(const IndexWork& w, const int64_t* at, int64_t x) const {
    for (int k = 0; k < w.arrays; ++k)
      if (k != moving) x += wrapped(w.index[k][at[k]], w.limit[k]) * w.reach[k];
    return x;
  }
};

// Calls one(x, v) with the byte offsets of each pair of elements in a run.
template <class F> inline void each_pair(const IndexWork& w, const Inner& inner, int64_t x, int64_t v, int64_t length,
                                         const int64_t* at, F&& one) {
  const int last = w.rank - 1;
  const int64_t x_step = last < 0 ? 0 : w.x_step[last], v_step = last < 0 ? 0 : w.v_step[last];
  if (inner.moving >= 0) {
    const int k = inner.moving;
    const int64_t* index = w.index[k] + at[k];
    const int64_t step = w.index_step[k][last], limit = w.limit[k], reach = w.reach[k];
    x = inner.standing(w, at, x);
    for (int64_t i = 0; i < length; ++i) one(x + wrapped(index[i * step], limit) * reach + i * x_step, v + i * v_step);
  } else if (inner.moving == -1) {
    x = inner.standing(w, at, x);
    for (int64_t i = 0; i < length; ++i) one(x + i * x_step, v + i * v_step);
  } else {
    for (int64_t i = 0; i < length; ++i) {
      int64_t place = x + i * x_step;
      for (int k = 0; k < w.arrays; ++k)
        place += wrapped(w.index[k][at[k] + i * w.index_step[k][last]], w.limit[k]) * w.reach[k];
      one(place, v + i * v_step);
    }
  }
}

// Whole rows along the last axis, whose elements follow each other in both arrays.
template <int64_t Bytes> void take_rows(const IndexWork& w, int64_t bytes) {
  IndexWork rows = w;
  const int64_t length = w.extent[--rows.rank];
  rows.count = w.count / length;
  const Inner inner(rows);
  base::parallel_for(rows.count, std::max<int64_t>(kPiece / length, 1), [&](int64_t begin, int64_t end) {
    walk(rows, begin, end, [&](int64_t x, int64_t v, int64_t count, const int64_t* at) {
      each_pair(rows, inner, x, v, count, at,
                [&](int64_t from, int64_t to) { std::memcpy(w.v + to, w.x + from, size_t(Bytes ? Bytes : bytes)); });
    });
  });
}

template <class S> void take_of(const IndexWork& w) {
  const Inner inner(w);
  const int last = w.rank - 1;
  const bool dense =
      inner.moving == -1 && last >= 0 && w.x_step[last] == int64_t(sizeof(S)) && w.v_step[last] == int64_t(sizeof(S));
  constexpr int64_t kShortRow = 1024;
  if (dense && w.count && w.extent[last] <= kShortRow) {
    const int64_t bytes = w.extent[last] * int64_t(sizeof(S));
    switch (bytes) {
      case 8: return take_rows<8>(w, bytes);
      case 16: return take_rows<16>(w, bytes);
      case 32: return take_rows<32>(w, bytes);
      case 64: return take_rows<64>(w, bytes);
      default: return take_rows<0>(w, bytes);
    }
  }
  pieces(w.count, [&](int64_t begin, int64_t end) {
    walk(w, begin, end, [&](int64_t x, int64_t v, int64_t length, const int64_t* at) {
      if (dense) {
        std::memcpy(w.v + v, w.x + inner.standing(w, at, x), size_t(length) * sizeof(S));
        return;
      }
      each_pair(w, inner, x, v, length, at, [&](int64_t from, int64_t to) {
        *reinterpret_cast<S*>(w.v + to) = *reinterpret_cast<const S*>(w.x + from);
      });
    });
  });
}

// The range of bytes of x that the problem can access, [low, high): of the first bytes of elements.
void span_of(const IndexWork& w, int64_t& low, int64_t& high) {
  low = high = 0;
  const auto add = [&](int64_t reach) { (reach < 0 ? low : high) += reach; };
  for (int d = 0; d < w.rank; ++d) add(w.x_step[d] * (w.extent[d] - 1));
  for (int k = 0; k < w.arrays; ++k) add(w.reach[k] * (w.limit[k] - 1));
  ++high;
}

// Each thread owns a part of x, in which only it writes, and goes through all elements: those for the same element of x
// are applied in order. It first lists those of its part, without a branch, which would be mispredicted half of the
// time.
template <class F> void scatter_in_order(const IndexWork& w, F&& one) {
  const Inner inner(w);
  int64_t low, high;
  span_of(w, low, high);
  const int64_t parts = w.count <= kPiece ? 1 : base::thread_count();
  if (parts == 1)
    return walk(w, 0, w.count, [&](int64_t x, int64_t v, int64_t length, const int64_t* at) {
      each_pair(w, inner, x, v, length, at, [&](int64_t to, int64_t from) { one(w.x + to, w.v + from); });
    });
  base::parallel_for(parts, 1, [&](int64_t begin, int64_t end) {
    constexpr int kListed = 512;
    int64_t to_of[kListed + 1], from_of[kListed + 1];
    for (int64_t p = begin; p < end; ++p) {
      const int64_t first = low + int64_t(__int128(high - low) * p / parts);
      const auto width = uint64_t(low + int64_t(__int128(high - low) * (p + 1) / parts) - first);
      int listed = 0;
      const auto apply = [&] {
        for (int k = 0; k < listed; ++k) one(w.x + to_of[k], w.v + from_of[k]);
        listed = 0;
      };
      walk(w, 0, w.count, [&](int64_t x, int64_t v, int64_t length, const int64_t* at) {
        each_pair(w, inner, x, v, length, at, [&](int64_t to, int64_t from) {
          to_of[listed] = to, from_of[listed] = from;
          listed += uint64_t(to - first) < width;
          if (listed == kListed) apply();
        });
      });
      apply();
    }
  });
}

// Sums of integers do not depend on the order of their terms: each thread adds its elements to zeros of its own. False:
// x is too large for that, or has too few elements added to it.
template <class S> bool add_apart(const IndexWork& w) {
  constexpr int64_t kMost = 65536, kLeastEach = 4;  // bytes of x, elements for each of x
  const auto bytes = int64_t(sizeof(S));
  int64_t low, high;
  span_of(w, low, high);
  const int64_t threads = base::thread_count(), span = (high - low + bytes - 1) / bytes;
  if (threads == 1 || w.count <= 2 * kPiece || span * bytes > kMost || w.count / threads < kLeastEach * span)
    return false;
  for (int d = 0; d < w.rank; ++d)
    if (w.x_step[d] % bytes) return false;
  for (int k = 0; k < w.arrays; ++k)
    if (w.reach[k] % bytes) return false;
  const Inner inner(w);
  const std::vector<S> zeros(static_cast<size_t>(span));
  std::vector<std::vector<S>> sums(static_cast<size_t>(threads), zeros);
  base::parallel_for(threads, 1, [&](int64_t begin, int64_t end) {
    for (int64_t p = begin; p < end; ++p) {
      char* const own = reinterpret_cast<char*>(sums[size_t(p)].data()) - low;
      walk(w, w.count * p / threads, w.count * (p + 1) / threads,
           [&](int64_t x, int64_t v, int64_t length, const int64_t* at) {
             each_pair(w, inner, x, v, length, at, [&](int64_t to, int64_t from) {
               S& place = *reinterpret_cast<S*>(own + to);
               place = Combine<kAdd, S>::of(place, *reinterpret_cast<const S*>(w.v + from));
             });
           });
    }
  });
  // (Words between the elements of x are not written.)
  for (int64_t k = 0; k < span; ++k) {
    S sum = 0;
    for (const std::vector<S>& one : sums) sum = Combine<kAdd, S>::of(sum, one[size_t(k)]);
    if (sum) {
      S& place = *reinterpret_cast<S*>(w.x + low + k * bytes);
      place = Combine<kAdd, S>::of(place, sum);
    }
  }
  return true;
}

template <class S> void assign_of(const IndexWork& w) {
  scatter_in_order(w,
                   [](char* to, const char* from) { *reinterpret_cast<S*>(to) = *reinterpret_cast<const S*>(from); });
}

template <int Kind, class S> void combine_of(const IndexWork& w) {
  if constexpr (Kind == kAdd && std::is_integral_v<S>)
    if (add_apart<S>(w)) return;
  scatter_in_order(w, [](char* to, const char* from) {
    S& place = *reinterpret_cast<S*>(to);
    place = Combine<Kind, S>::of(place, *reinterpret_cast<const S*>(from));
  });
}

template <class R> void add_complex(const IndexWork& w) {
  scatter_in_order(w, [](char* to, const char* from) {
    R* place = reinterpret_cast<R*>(to);
    const R* value = reinterpret_cast<const R*>(from);
    place[0] += value[0];
    place[1] += value[1];
  });
}

template <class S> void combine(int kind, const IndexWork& w) {
  if (kind == kAdd) combine_of<kAdd, S>(w);
  else if (kind == kLeast) combine_of<kLeast, S>(w);
  else combine_of<kMost, S>(w);
}

[[noreturn]] void no_instance(Dtype dtype) {
  fail(TENON_ERROR_INTERNAL, "dtype 0x%x should have been refused earlier", dtype);
}

template <class Op, class Work> void each(const Work& w, int64_t count) {
  pieces(count, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) Op::at(w, i);
  });
}

}  // namespace

int64_t bad_index(const int64_t* index, int64_t count, int64_t low, int64_t limit) {
  std::atomic<int64_t> first{count};
  pieces(count, [&](int64_t begin, int64_t end) {
    bool any = false;
    for (int64_t i = begin; i < end; ++i) any |= index[i] < low || index[i] >= limit;
    if (!any) return;
    int64_t i = begin;
    while (index[i] >= low && index[i] < limit) ++i;
    for (int64_t old = first; i < old && !first.compare_exchange_weak(old, i);) {
    }
  });
  return first < count ? first.load() : -1;
}

void take(uint32_t bytes, const IndexWork& w) {
  switch (bytes) {
    case 1: return take_of<u8>(w);
    case 2: return take_of<u16>(w);
    case 4: return take_of<u32>(w);
    case 8: return take_of<u64>(w);
    default: return take_of<u128>(w);
  }
}

void scatter(int kind, Dtype dtype, const IndexWork& w) {
  if (kind == kAssign) switch (dtype_bytes(dtype)) {
      case 1: return assign_of<u8>(w);
      case 2: return assign_of<u16>(w);
      case 4: return assign_of<u32>(w);
      case 8: return assign_of<u64>(w);
      default: return assign_of<u128>(w);
    }
  switch (dtype) {
    case TENON_BOOL: return combine<boolean>(kind, w);
    case TENON_INT8: return combine<i8>(kind, w);
    case TENON_INT16: return combine<i16>(kind, w);
    case TENON_INT32: return combine<i32>(kind, w);
    case TENON_INT64: return combine<i64>(kind, w);
    case TENON_UINT8: return combine<u8>(kind, w);
    case TENON_UINT16: return combine<u16>(kind, w);
    case TENON_UINT32: return combine<u32>(kind, w);
    case TENON_UINT64: return combine<u64>(kind, w);
    case TENON_FLOAT16: return combine<half>(kind, w);
    case TENON_BFLOAT16: return combine<bfloat>(kind, w);
    case TENON_FLOAT32: return combine<float>(kind, w);
    case TENON_FLOAT64: return combine<double>(kind, w);
    case TENON_COMPLEX64: return add_complex<float>(w);
    case TENON_COMPLEX128: return add_complex<double>(w);
    default: no_instance(dtype);
  }
}

namespace {

// The mask is processed in pieces of this many bytes.
constexpr int64_t kMaskPiece = 65536;

int64_t true_in(const uint8_t* mask, int64_t count) {
  int64_t sum = 0;
  for (int64_t i = 0; i < count; ++i) sum += mask[i] != 0;
  return sum;
}

std::vector<int64_t> true_counts(const uint8_t* mask, int64_t count) {
  std::vector<int64_t> sums(size_t((count + kMaskPiece - 1) / kMaskPiece));
  base::parallel_for(int64_t(sums.size()), 1, [&](int64_t begin, int64_t end) {
    for (int64_t p = begin; p < end; ++p)
      sums[size_t(p)] = true_in(mask + p * kMaskPiece, std::min(kMaskPiece, count - p * kMaskPiece));
  });
  return sums;
}

}  // namespace

int64_t count_true(const uint8_t* mask, int64_t count) {
  int64_t sum = 0;
  for (int64_t part : true_counts(mask, count)) sum += part;
  return sum;
}

void true_places(const uint8_t* mask, int64_t count, int64_t* places) {
  std::vector<int64_t> starts = true_counts(mask, count);
  int64_t before = 0;
  for (int64_t& part : starts) part = std::exchange(before, before + part);
  base::parallel_for(int64_t(starts.size()), 1, [&](int64_t begin, int64_t end) {
    for (int64_t p = begin; p < end; ++p) {
      int64_t to = starts[size_t(p)];
      const int64_t stop = size_t(p) + 1 < starts.size() ? starts[size_t(p) + 1] : before,
                    last = std::min(count, (p + 1) * kMaskPiece);
      // stores for every byte; the next store may overwrite it
      for (int64_t i = p * kMaskPiece; i < last && to < stop; ++i) {
        places[to] = i;
        to += mask[i] != 0;
      }
    }
  });
}

namespace {

// Several searches at a time, because each step of one waits for the step before. All take the same steps.
template <class S> void search_of(const SearchWork& w) {
  using Key = typename Order<S>::Key;
  constexpr int64_t kTogether = 8;
  const S* const sorted = static_cast<const S*>(w.sorted);
  const S* const wanted = static_cast<const S*>(w.wanted);
  // The keys are made once, unless that would take longer than the searches.
  const bool many = w.n <= 2 * w.count;
  const auto made = std::make_unique_for_overwrite<Key[]>(many ? size_t(w.n) : 0);
  if (many)
    pieces(w.n, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) made[size_t(i)] = Order<S>::key(sorted[i], false);
    });
  const auto search = [&](auto key_at, auto before) {
    base::parallel_for(w.count, 1024, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; i += kTogether) {
        Key key[kTogether];
        int64_t at[kTogether] = {};
        for (int64_t k = 0; k < kTogether; ++k) key[k] = Order<S>::key(wanted[std::min(i + k, end - 1)], false);
        for (int64_t rest = w.n; rest > 0;) {
          const int64_t half = (rest + 1) / 2;
          for (int64_t k = 0; k < kTogether; ++k) at[k] += before(key_at(at[k] + half - 1), key[k]) ? half : 0;
          rest -= half;
        }
        for (int64_t k = 0; k < kTogether && i + k < end; ++k) w.to[i + k] = at[k];
      }
    });
  };
  const auto by_side = [&](auto key_at) {
    if (w.right) search(key_at, [](Key there, Key key) { return there <= key; });
    else search(key_at, [](Key there, Key key) { return there < key; });
  };
  if (many) by_side([keys = made.get()](int64_t i) { return keys[i]; });
  else by_side([sorted](int64_t i) { return Order<S>::key(sorted[i], false); });
}

}  // namespace

void search(Dtype dtype, const SearchWork& w) {
  switch (dtype) {
    case TENON_BOOL: return search_of<boolean>(w);
    case TENON_INT8: return search_of<i8>(w);
    case TENON_INT16: return search_of<i16>(w);
    case TENON_INT32: return search_of<i32>(w);
    case TENON_INT64: return search_of<i64>(w);
    case TENON_UINT8: return search_of<u8>(w);
    case TENON_UINT16: return search_of<u16>(w);
    case TENON_UINT32: return search_of<u32>(w);
    case TENON_UINT64: return search_of<u64>(w);
    case TENON_FLOAT16: return search_of<half>(w);
    case TENON_BFLOAT16: return search_of<bfloat>(w);
    case TENON_FLOAT32: return search_of<float>(w);
    case TENON_FLOAT64: return search_of<double>(w);
    case TENON_COMPLEX64: return each<Search<Pair<float>>>(w, w.count);
    case TENON_COMPLEX128: return each<Search<Pair<double>>>(w, w.count);
    default: no_instance(dtype);
  }
}

void runs(Dtype dtype, const RunsWork& w) {
  switch (dtype) {
    case TENON_BOOL: return each<Runs<boolean>>(w, w.count);
    case TENON_INT8: return each<Runs<i8>>(w, w.count);
    case TENON_INT16: return each<Runs<i16>>(w, w.count);
    case TENON_INT32: return each<Runs<i32>>(w, w.count);
    case TENON_INT64: return each<Runs<i64>>(w, w.count);
    case TENON_UINT8: return each<Runs<u8>>(w, w.count);
    case TENON_UINT16: return each<Runs<u16>>(w, w.count);
    case TENON_UINT32: return each<Runs<u32>>(w, w.count);
    case TENON_UINT64: return each<Runs<u64>>(w, w.count);
    case TENON_FLOAT16: return each<Runs<half>>(w, w.count);
    case TENON_BFLOAT16: return each<Runs<bfloat>>(w, w.count);
    case TENON_FLOAT32: return each<Runs<float>>(w, w.count);
    case TENON_FLOAT64: return each<Runs<double>>(w, w.count);
    case TENON_COMPLEX64: return each<Runs<Pair<float>>>(w, w.count);
    case TENON_COMPLEX128: return each<Runs<Pair<double>>>(w, w.count);
    default: no_instance(dtype);
  }
}

void run_lengths(const UniqueWork& w) { each<Lengths>(w, w.runs); }
void run_numbers(const UniqueWork& w) { each<Inverse>(w, w.count); }
void unravel(const UnravelWork& w) { each<Unravel>(w, w.count); }

void range(Dtype dtype, const RangeWork& w) {
  switch (dtype) {
    case TENON_INT8:
    case TENON_UINT8: return each<WholeRange<u8>>(w, w.count);
    case TENON_INT16:
    case TENON_UINT16: return each<WholeRange<u16>>(w, w.count);
    case TENON_INT32:
    case TENON_UINT32: return each<WholeRange<u32>>(w, w.count);
    case TENON_INT64:
    case TENON_UINT64: return each<WholeRange<u64>>(w, w.count);
    case TENON_FLOAT16: return each<Range<half>>(w, w.count);
    case TENON_BFLOAT16: return each<Range<bfloat>>(w, w.count);
    case TENON_FLOAT32: return each<Range<float>>(w, w.count);
    case TENON_FLOAT64: return each<Range<double>>(w, w.count);
    default: no_instance(dtype);
  }
}

void triangle(uint32_t bytes, const TriangleWork& w, int64_t count) {
  if (count == 0) return;
  const int64_t width = w.columns * bytes, diagonal = std::clamp(w.diagonal, -w.rows - 1, w.columns + 1);
  base::parallel_for(count / w.columns, std::max<int64_t>(kPiece / w.columns, 1), [&](int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; ++r) {
      const char* const from = static_cast<const char*>(w.from) + r * width;
      char* const to = static_cast<char*>(w.to) + r * width;
      // The bytes from `first` on are above the diagonal, or on it for an upper triangle.
      const int64_t first = std::clamp<int64_t>(r % w.rows + diagonal + int(!w.upper), 0, w.columns) * bytes;
      if (w.upper) {
        std::memset(to, 0, size_t(first));
        std::memcpy(to + first, from + first, size_t(width - first));
      } else {
        std::memcpy(to, from, size_t(first));
        std::memset(to + first, 0, size_t(width - first));
      }
    }
  });
}

}  // namespace tenon::cpu
