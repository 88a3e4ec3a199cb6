// backend/cpu/native/sort.cpp: stable sorts of rows. Long rows: counting sorts of digits from the lowest, in parts for
// the threads of the pool, or, of values alone, quicksorts with vectors; short ones: comparison sorts of keys with
// their places. Every method gives the same order.
#include "backend/cpu/native/native.hpp"
#include "backend/cpu/memory.hpp"
#include "backend/cpu/native/sort_loops.hpp"
#include "backend/cpu/target.hpp"

#include <algorithm>
#include <memory>
#include <vector>
#include "base/parallel.hpp"
#include "core/error.hpp"
#include "device/host.hpp"
#include "device/numbers.cuh"
#include "device/order/order.cuh"

namespace tenon::cpu {
namespace {

using namespace tenon_own;

// Rows up to this length are sorted by comparison: the other sort makes one pass per byte of a key.
template <class S> constexpr int64_t kShort = sizeof(S) < 8 ? 64 : 128;
constexpr int64_t kThreadPart = 1 << 16;  // elements of a row that make a piece worth a thread

// From the device's store of memory: the pages of new memory take as long as half a sort.
struct GiveBack {
  uint64_t bytes = 0;
  void operator()(void* data) const noexcept { scratch_put(data, bytes); }
};
template <class T> using Scratch = std::unique_ptr<T[], GiveBack>;
template <class T> Scratch<T> scratch(int64_t count) {
  const uint64_t bytes = uint64_t(count) * sizeof(T);
  return Scratch<T>(static_cast<T*>(scratch_get(bytes)), GiveBack{bytes});
}

// The threads that work on one row.
int64_t parts_of(int64_t n) { return std::clamp<int64_t>(n / kThreadPart, 1, base::thread_count()); }

template <class F> void each_part(int64_t n, int64_t parts, F&& body) {
  const auto some = [&](int64_t begin, int64_t end) {
    for (int64_t p = begin; p < end; ++p) body(p, n * p / parts, n * (p + 1) / parts);
  };
  if (parts == 1) some(0, 1);
  else base::parallel_for(parts, 1, some);
}

// Keys, and with Position (not void) their original positions, in two buffers that alternate.
template <class Key, class Position> struct Lists {
  Scratch<Key> keys[2];
  Scratch<Position> places[2];
  int now = 0;
  Lists(int64_t n, bool with_places) {
    for (int k = 0; k < 2; ++k) {
      keys[k] = scratch<Key>(n);
      if (with_places) places[k] = scratch<Position>(n);
    }
  }
};

// One pass: stable, by `Bits` bits from `shift` on. False: all keys have the same bits there, and nothing was moved.
template <int Bits, bool Positioned, class Key, class Position>
bool pass(Lists<Key, Position>& lists, int64_t n, int shift, int64_t parts, std::vector<int64_t>& starts) {
  constexpr int64_t kDigits = int64_t(1) << Bits;
  const Key* const from = lists.keys[lists.now].get();
  const auto digit = [shift](Key key) { return size_t(uint64_t(key) >> shift) & size_t(kDigits - 1); };
  starts.assign(size_t(kDigits * parts), 0);
  each_part(n, parts, [&](int64_t p, int64_t begin, int64_t end) {
    int64_t* const count = starts.data() + p * kDigits;
    for (int64_t i = begin; i < end; ++i) ++count[digit(from[i])];
  });
  int64_t before = 0;
  for (int64_t d = 0; d < kDigits; ++d) {
    const int64_t first = before;
    for (int64_t p = 0; p < parts; ++p) before += std::exchange(starts[size_t(p * kDigits + d)], before);
    if (before - first == n) return false;
  }
  Key* const to = lists.keys[1 - lists.now].get();
  const Position* const places = lists.places[lists.now].get();
  Position* const to_places = lists.places[1 - lists.now].get();
  each_part(n, parts, [&](int64_t p, int64_t begin, int64_t end) {
    int64_t* const next = starts.data() + p * kDigits;
    for (int64_t i = begin; i < end; ++i) {
      const int64_t at = next[digit(from[i])]++;
      to[at] = from[i];
      if constexpr (Positioned) to_places[at] = places[i];
    }
  });
  lists.now = 1 - lists.now;
  return true;
}

template <bool Positioned, class Key, class Position>
void passes(Lists<Key, Position>& lists, int64_t n, int64_t parts) {
  std::vector<int64_t> starts;
  constexpr int kKeyBits = 8 * int(sizeof(Key));
  if (n >= 1 << 16 && kKeyBits > 16) {
    for (int shift = 0; shift < kKeyBits; shift += 11) pass<11, Positioned>(lists, n, shift, parts, starts);
  } else {
    for (int shift = 0; shift < kKeyBits; shift += 8) pass<8, Positioned>(lists, n, shift, parts, starts);
  }
}

// The location of a row's elements, and of its results.
template <class S> struct Row {
  const S* from;
  S* values;
  i64* indices;
  int64_t n, keep;
  bool descending;
};

// Zeros of both signs have the same key, and so have all NaNs: the elements themselves are taken from the row, in their
// order there.
template <class S>
void put_same_keys(const Row<S>& row, const typename Order<S>::Key* sorted, typename Order<S>::Key key) {
  const auto* const first = std::lower_bound(sorted, sorted + row.n, key);
  int64_t to = first - sorted;
  for (int64_t i = 0; to < row.keep && sorted[to] == key; ++i)
    if (Order<S>::key(row.from[i], row.descending) == key) {
      row.values[to++] = row.from[i];
      if (to == row.n) return;
    }
}

template <class S> void put_values(const Row<S>& row, const typename Order<S>::Key* sorted, int64_t parts) {
  each_part(row.keep, parts, [&](int64_t, int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) row.values[i] = Order<S>::element(sorted[i], row.descending);
  });
  if (Sign<S>::is_float == 0) return;
  put_same_keys<S>(row, sorted, Order<S>::zero_key(row.descending));
  put_same_keys<S>(row, sorted, Order<S>::nan_key());
}

// The sorts with vectors for keys of that size; NULL: this processor has none, or there are none.
template <class Key> const KeySorts<Key>* key_sorts() {
#if TENON_VECTORS
  if (vector_level() >= 4) {
    if constexpr (sizeof(Key) == 4) return &key_sorts_32_v4;
    if constexpr (sizeof(Key) == 8) return &key_sorts_64_v4;
  }
#endif
  return nullptr;
}

// Splits of all keys by all threads give parts with keys below those of the next one, which are then sorted apart.
template <class Key, class Position>
void sort_keys(const KeySorts<Key>& sorts, Lists<Key, Position>& lists, int64_t n, int64_t parts) {
  std::vector<int64_t> ends{0, n};
  for (int64_t count = 1; parts > 1 && count < 2 * parts; count *= 2) {
    const Key* const from = lists.keys[lists.now].get();
    Key* const to = lists.keys[1 - lists.now].get();
    std::vector<int64_t> next{0};
    for (size_t s = 1; s < ends.size(); ++s) {
      const int64_t start = ends[s - 1], length = ends[s] - start;
      if (length == 0) continue;
      const Key pivot = sorts.middle(from + start, length);
      std::vector<int64_t> below(size_t(parts) + 1);
      each_part(length, parts, [&](int64_t p, int64_t begin, int64_t end) {
        below[size_t(p) + 1] = sorts.count_below(from + start + begin, end - begin, pivot);
      });
      for (size_t p = 1; p < below.size(); ++p) below[p] += below[p - 1];
      const int64_t middle = below.back();
      each_part(length, parts, [&](int64_t p, int64_t begin, int64_t end) {
        const int64_t first = below[size_t(p)];
        sorts.split(from + start + begin, end - begin, pivot, to + start + first, to + start + middle + begin - first);
      });
      next.push_back(start + middle);
      next.push_back(start + length);
    }
    ends = std::move(next);
    lists.now = 1 - lists.now;
  }
  Key *const keys = lists.keys[lists.now].get(), *const room = lists.keys[1 - lists.now].get();
  const auto sort = [&](int64_t begin, int64_t end) {
    for (int64_t s = begin; s < end; ++s)
      sorts.sort(keys + ends[size_t(s)], ends[size_t(s) + 1] - ends[size_t(s)], room + ends[size_t(s)]);
  };
  if (parts == 1) sort(0, 1);
  else base::parallel_for(int64_t(ends.size()) - 1, 1, sort);
}

template <class S, class Position> void sort_long(const Row<S>& row, int64_t parts) {
  using Key = typename Order<S>::Key;
  Lists<Key, Position> lists(row.n, row.indices != nullptr);
  each_part(row.n, parts, [&](int64_t, int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) lists.keys[0][size_t(i)] = Order<S>::key(row.from[i], row.descending);
    if (row.indices)
      for (int64_t i = begin; i < end; ++i) lists.places[0][size_t(i)] = Position(i);
  });
  if (row.indices) passes<true>(lists, row.n, parts);
  else if (const auto* sorts = key_sorts<Key>()) sort_keys(*sorts, lists, row.n, parts);
  else passes<false>(lists, row.n, parts);
  if (row.values) put_values(row, lists.keys[lists.now].get(), parts);
  if (row.indices)
    each_part(row.keep, parts, [&](int64_t, int64_t begin, int64_t end) {
      std::copy(lists.places[lists.now].get() + begin, lists.places[lists.now].get() + end, row.indices + begin);
    });
}

template <class Key> struct Positioned {
  Key key;
  int64_t place;
  bool operator<(const Positioned& other) const { return key != other.key ? key < other.key : place < other.place; }
};

template <class S> void put(const Row<S>& row, const std::vector<Positioned<typename Order<S>::Key>>& sorted) {
  for (int64_t i = 0; i < row.keep; ++i) {
    const int64_t from = sorted[size_t(i)].place;
    if (row.values) row.values[i] = row.from[from];
    if (row.indices) row.indices[i] = from;
  }
}

template <class S> void sort_short(const Row<S>& row, std::vector<Positioned<typename Order<S>::Key>>& list) {
  list.resize(size_t(row.n));
  for (int64_t i = 0; i < row.n; ++i) list[size_t(i)] = {Order<S>::key(row.from[i], row.descending), i};
  std::sort(list.begin(), list.end());
  put(row, list);
}

// The first `keep` of a longer row: collects candidates below a bound that decreases as they come in.
template <class S> void select_first(const Row<S>& row, std::vector<Positioned<typename Order<S>::Key>>& list) {
  using Key = typename Order<S>::Key;
  const size_t keep = size_t(row.keep), room = std::max<size_t>(4 * keep, 1024);
  list.clear();
  bool bounded = false;
  Key bound{};
  for (int64_t i = 0; i < row.n; ++i) {
    const Key key = Order<S>::key(row.from[i], row.descending);
    if (bounded && !(key < bound)) continue;  // an equal one comes after those that are kept
    list.push_back({key, i});
    if (list.size() < room) continue;
    std::nth_element(list.begin(), list.begin() + std::ptrdiff_t(keep - 1), list.end());
    list.resize(keep);
    bound = list[keep - 1].key;
    bounded = true;
  }
  std::sort(list.begin(), list.end());
  put(row, list);
}

template <class S> void sort_rows(const SortWork& w) {
  const auto row_of = [&](int64_t r) {
    return Row<S>{static_cast<const S*>(w.from) + r * w.n,
                  w.values ? static_cast<S*>(w.values) + r * w.keep : nullptr,
                  w.indices ? w.indices + r * w.keep : nullptr,
                  w.n,
                  w.keep,
                  w.descending != 0};
  };
  const auto one = [&](const Row<S>& row, int64_t parts, std::vector<Positioned<typename Order<S>::Key>>& list) {
    if (w.n <= kShort<S>) return sort_short(row, list);
    if (w.keep < w.n / 8) return select_first(row, list);
    if (w.n <= int64_t(UINT32_MAX)) sort_long<S, uint32_t>(row, parts);
    else sort_long<S, int64_t>(row, parts);
  };
  const int64_t parts = w.rows >= 2 * base::thread_count() || w.keep < w.n / 8 ? 1 : parts_of(w.n);
  if (parts > 1) {  // all threads work on each row
    std::vector<Positioned<typename Order<S>::Key>> list;
    for (int64_t r = 0; r < w.rows; ++r) one(row_of(r), parts, list);
    return;
  }
  base::parallel_for(w.rows, std::max<int64_t>(2048 / w.n, 1), [&](int64_t begin, int64_t end) {
    std::vector<Positioned<typename Order<S>::Key>> list;
    for (int64_t r = begin; r < end; ++r) one(row_of(r), 1, list);
  });
}

}  // namespace

void sort(Dtype dtype, const SortWork& w) {
  switch (dtype) {
    case TENON_BOOL: return sort_rows<boolean>(w);
    case TENON_INT8: return sort_rows<i8>(w);
    case TENON_INT16: return sort_rows<i16>(w);
    case TENON_INT32: return sort_rows<i32>(w);
    case TENON_INT64: return sort_rows<i64>(w);
    case TENON_UINT8: return sort_rows<u8>(w);
    case TENON_UINT16: return sort_rows<u16>(w);
    case TENON_UINT32: return sort_rows<u32>(w);
    case TENON_UINT64: return sort_rows<u64>(w);
    case TENON_FLOAT16: return sort_rows<half>(w);
    case TENON_BFLOAT16: return sort_rows<bfloat>(w);
    case TENON_FLOAT32: return sort_rows<float>(w);
    case TENON_FLOAT64: return sort_rows<double>(w);
    default: fail(TENON_ERROR_INTERNAL, "a sort of dtype 0x%x should have been refused earlier", dtype);
  }
}

}  // namespace tenon::cpu
