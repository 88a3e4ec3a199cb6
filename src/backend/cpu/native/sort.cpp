// backend/cpu/native/sort.cpp: stable sorts of rows. Every method gives the same order:
// short rows: a comparison sort of keys with their positions;
// long rows: a counting sort of digits, the lowest first, whose passes the threads of the pool share;
// long rows of which only the values are wanted, with AVX-512: a vectorised quicksort (sort_loops.hpp).
#include "backend/cpu/native/native.hpp"
#include "backend/cpu/memory.hpp"
#include "backend/cpu/native/sort_loops.hpp"
#include "backend/cpu/target.hpp"

#include <string.h>
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

// Rows up to this length are sorted by comparison: a counting sort makes one pass per byte of a key, however short the
// row is.
template <class S> constexpr int64_t kShort = sizeof(S) < 8 ? 64 : 128;
constexpr int64_t kThreadPart = 1 << 16;  // a thread gets at least that many elements of a row

// Buffers from scratch_get, which returns memory that earlier calls have touched: the page faults of new memory would
// take half as long as a sort.
struct GiveBack {
  uint64_t bytes = 0;
  void operator()(void* data) const noexcept { scratch_put(data, bytes); }
};
template <class T> using Scratch = std::unique_ptr<T[], GiveBack>;
template <class T> Scratch<T> scratch(int64_t count) {
  const uint64_t bytes = uint64_t(count) * sizeof(T);
  return Scratch<T>(static_cast<T*>(scratch_get(bytes)), GiveBack{bytes});
}

// The number of parts into which a row is divided, one for each thread that works on it.
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

// Elements made from keys lose what their keys do not hold: both zeros have one key, and all NaNs have one. These
// functions replace the sorted zeros and NaNs by those of the row, in the order that they have there.
template <class S> void put_same_keys(const Row<S>& row, typename Order<S>::Key key) {
  const auto key_of = [&](const S& x) { return Order<S>::key(x, row.descending); };
  S* const end = row.values + row.keep;
  S* to = std::lower_bound(row.values, end, key, [&](const S& x, auto other) { return key_of(x) < other; });
  for (int64_t i = 0; to < end && key_of(*to) == key; ++i)
    if (key_of(row.from[i]) == key) {
      *to++ = row.from[i];
      if (i + 1 == row.n) return;
    }
}
template <class S> void put_same_keys(const Row<S>& row) {
  if (Sign<S>::is_float == 0) return;
  put_same_keys<S>(row, Order<S>::zero_key(row.descending));
  put_same_keys<S>(row, Order<S>::nan_key());
}

template <class S> void put_values(const Row<S>& row, const typename Order<S>::Key* sorted, int64_t parts) {
  each_part(row.keep, parts, [&](int64_t, int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) row.values[i] = Order<S>::element(sorted[i], row.descending);
  });
  put_same_keys(row);
}

// The vectorised sorts of keys of that size. NULL: this processor lacks AVX-512, the library was built without these
// sorts, or keys of this size have no such sort.
template <class Key> const KeySorts<Key>* key_sorts() {
#if TENON_VECTORS
  if (vector_level() >= 4) {
    if constexpr (sizeof(Key) == 4) return &key_sorts_32_v4;
    if constexpr (sizeof(Key) == 8) return &key_sorts_64_v4;
  }
#endif
  return nullptr;
}

template <class S> void keys_of(const Row<S>& row, int64_t begin, int64_t count, typename Order<S>::Key* to) {
  const S* const from = row.from + begin;
  if (row.descending)
    for (int64_t i = 0; i < count; ++i) to[i] = Order<S>::key(from[i], true);
  else
    for (int64_t i = 0; i < count; ++i) to[i] = Order<S>::key(from[i], false);
}

// Writes the elements of sorted keys to the result, whose memory may be where the keys are.
template <class S> void elements_of(const typename Order<S>::Key* from, int64_t count, bool descending, S* to) {
  using Key = typename Order<S>::Key;
  const auto move = [&](bool down) {
    for (int64_t i = 0; i < count; ++i) {
      Key key;
      memcpy(&key, from + i, sizeof key);
      to[i] = Order<S>::element(key, down);
    }
  };
  if (descending) move(true);
  else move(false);
}

constexpr int64_t kSplit = 1 << 18;  // shorter rows are not split: a level-2 cache holds their keys
constexpr int64_t kAtOnce = 2048;    // keys made at a time, which are then used while they are in the level-1 cache
constexpr int64_t kSampled = 32 * kSplitParts;

// Distributes the keys of the row over parts in `to`, such that all keys of a part are below those of the next, and
// returns the end of each part. Both loops over the row compute the keys, because that takes less time than storing and
// reading them.
template <class S> std::vector<int64_t> split(const Row<S>& row, const KeySorts<typename Order<S>::Key>& sorts,
                                              int64_t parts, typename Order<S>::Key* to) {
  using Key = typename Order<S>::Key;
  Key sample[kSampled], room[kSampled], splitters[2 * kSplitParts];
  const double step = double(row.n) / double(kSampled);
  uint32_t at = 0;
  for (int64_t i = 0; i < kSampled; ++i) {
    at += 0x9E3779B9u;  // 2^32 / golden ratio: offsets in the pieces of the row that follow no period of the data
    sample[i] =
        Order<S>::key(row.from[int64_t((double(i) + double(at) * (1.0 / 4294967296.0)) * step)], row.descending);
  }
  sorts.choose_splitters(sorts.sort(sample, kSampled, room), kSampled, splitters);

  const Scratch<uint8_t> which = scratch<uint8_t>(row.n);
  std::vector<int64_t> counts(size_t(parts * kSplitParts), 0);
  const auto each_piece = [&](int64_t begin, int64_t end, auto&& body) {
    Key keys[kAtOnce];
    for (; begin < end; begin += kAtOnce) {
      const int64_t count = std::min(kAtOnce, end - begin);
      keys_of(row, begin, count, keys);
      body(keys, count, which.get() + begin);
    }
  };
  each_part(row.n, parts, [&](int64_t p, int64_t begin, int64_t end) {
    each_piece(begin, end, [&](const Key* keys, int64_t count, uint8_t* of) {
      sorts.classify(keys, count, splitters, of, counts.data() + p * kSplitParts);
    });
  });
  std::vector<int64_t> ends(kSplitParts);
  int64_t before = 0;
  for (int64_t k = 0; k < kSplitParts; ++k) {
    for (int64_t p = 0; p < parts; ++p) before += std::exchange(counts[size_t(p * kSplitParts + k)], before);
    ends[size_t(k)] = before;
  }
  each_part(row.n, parts, [&](int64_t p, int64_t begin, int64_t end) {
    Key* next[kSplitParts];
    for (int64_t k = 0; k < kSplitParts; ++k) next[k] = to + counts[size_t(p * kSplitParts + k)];
    each_piece(begin, end,
               [&](const Key* keys, int64_t count, const uint8_t* of) { sorts.spread(keys, count, of, next); });
  });
  return ends;
}

// Sorts when only values are wanted, vectorised: in parts that fit into the cache of the one thread that sorts them.
template <class S> void sort_values(const Row<S>& row, const KeySorts<typename Order<S>::Key>& sorts, int64_t parts) {
  using Key = typename Order<S>::Key;
  const Scratch<Key> keys = scratch<Key>(row.n);
  const bool all = row.keep == row.n;  // then the result's memory can hold keys meanwhile
  const Scratch<Key> more = all ? Scratch<Key>() : scratch<Key>(row.n);
  Key* const room = all ? reinterpret_cast<Key*>(row.values) : more.get();
  const auto sort = [&](int64_t begin, int64_t end) {
    const Key* const sorted = sorts.sort(keys.get() + begin, end - begin, room + begin);
    if (begin < row.keep) elements_of<S>(sorted, std::min(end, row.keep) - begin, row.descending, row.values + begin);
  };
  if (row.n < kSplit) {
    keys_of(row, 0, row.n, keys.get());
    sort(0, row.n);
  } else {
    const std::vector<int64_t> ends = split(row, sorts, parts == 1 ? 1 : 8 * parts, keys.get());
    const auto some = [&](int64_t first, int64_t last) {
      for (int64_t k = first; k < last; ++k) sort(k ? ends[size_t(k - 1)] : 0, ends[size_t(k)]);
    };
    if (parts == 1) some(0, kSplitParts);
    else base::parallel_for(kSplitParts, 1, some);
  }
  put_same_keys(row);
}

template <class S, class Position> void sort_long(const Row<S>& row, int64_t parts) {
  using Key = typename Order<S>::Key;
  if (const auto* const sorts = key_sorts<Key>(); sorts && !row.indices && row.values)
    return sort_values(row, *sorts, parts);
  Lists<Key, Position> lists(row.n, row.indices != nullptr);
  each_part(row.n, parts, [&](int64_t, int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) lists.keys[0][size_t(i)] = Order<S>::key(row.from[i], row.descending);
    if (row.indices)
      for (int64_t i = begin; i < end; ++i) lists.places[0][size_t(i)] = Position(i);
  });
  if (row.indices) passes<true>(lists, row.n, parts);
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

// Finds the first `keep` elements of a longer row: collects candidates below a bound, which decreases as better ones
// are found.
template <class S> void select_first(const Row<S>& row, std::vector<Positioned<typename Order<S>::Key>>& list) {
  using Key = typename Order<S>::Key;
  const size_t keep = size_t(row.keep), room = std::max<size_t>(4 * keep, 1024);
  list.clear();
  bool bounded = false;
  Key bound{};
  for (int64_t i = 0; i < row.n; ++i) {
    const Key key = Order<S>::key(row.from[i], row.descending);
    if (bounded && !(key < bound)) continue;  // equal elements that were kept come earlier in the row
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
