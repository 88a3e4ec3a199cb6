// backend/cpu/native/sort.cpp: stable sorts of rows. Every method gives the same order:
// short rows: a comparison sort of keys with their positions;
// long rows: a counting sort of digits, the lowest first, whose passes the threads of the pool share;
// long rows, with AVX2 or AVX-512: a vectorised quicksort of keys, or of keys with their positions (sort_loops.hpp).
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

namespace tenon::cpu {
namespace {

using namespace tenon_own;

// Rows up to this length are sorted by comparison: a counting sort makes one pass per byte of a key, however short the
// row is.
template <class S> constexpr int64_t kShort = sizeof(S) < 8 ? 64 : 128;
constexpr int64_t kThreadPart = 1 << 16;  // a thread gets at least that many elements of a row

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
  Workspace<Key> keys[2];
  Workspace<Position> places[2];
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

// The loops for this processor. NULL: the library has none for it.
const SortLoops* sort_loops() {
#if TENON_SORT_LOOPS
  const int level = vector_level();
  if (level >= 4) return &tenon_sort_loops_v4;
  if (level >= 3) return &tenon_sort_loops_v3;
#endif
  return nullptr;
}

template <class S> constexpr bool kHasLoops = sizeof(S) >= 4;
template <class S> ElementLoops<S> element_loops() {
  if constexpr (kHasLoops<S>)
    if (const SortLoops* const loops = sort_loops()) return std::get<ElementLoops<S>>(loops->elements);
  return {keys_of<S>, elements_of<S>, count_others<S>};
}

constexpr int64_t kBlock = 1 << 12;  // elements; they stay in the level-1 cache from one loop to the next

// Elements made from keys lose what their keys do not hold: both zeros have one key, and all NaNs have one. This
// function replaces the sorted elements with that key by those of the row, in the order that they have there.
template <class S> void put_same_keys(const Row<S>& row, KeyOf<S> key) {
  const auto key_of = [&](const S& x) { return Order<S>::key(x, row.descending); };
  S* const end = row.values + row.keep;
  S* const first = std::lower_bound(row.values, end, key, [&](const S& x, auto other) { return key_of(x) < other; });
  if (first == end || key_of(*first) != key) return;
  const KeyOf<S> plain = key == Order<S>::nan_key() ? key : Order<S>::zero_key(false), bits = Order<S>::raw(*first);
  const ElementLoops<S> loops = element_loops<S>();
  const int64_t blocks = (row.n + kBlock - 1) / kBlock, grain = kThreadPart / kBlock;
  const auto each_block = [&](auto&& body) {
    base::parallel_for(blocks, grain, [&](int64_t begin, int64_t last) {
      for (int64_t b = begin; b < last; ++b) body(b, row.from + b * kBlock, std::min(kBlock, row.n - b * kBlock));
    });
  };
  std::vector<int64_t> starts(size_t(blocks) + 1, 0);
  each_block(
      [&](int64_t b, const S* from, int64_t n) { starts[size_t(b) + 1] = loops.count_others(from, n, plain, bits); });
  // All have the bits that their key gives: the usual case, because -0 and NaN are rare.
  if (std::all_of(starts.begin(), starts.end(), [](int64_t count) { return count == 0; })) return;
  // No element has the bits ~bits and that key.
  each_block([&](int64_t b, const S* from, int64_t n) {
    starts[size_t(b) + 1] = loops.count_others(from, n, plain, KeyOf<S>(~bits));
  });
  for (int64_t b = 0; b < blocks; ++b) starts[size_t(b) + 1] += starts[size_t(b)];
  each_block([&](int64_t b, const S* from, int64_t n) {
    const int64_t count = std::min(starts[size_t(b) + 1], end - first) - starts[size_t(b)];
    if (count <= 0) return;
    S found[kBlock + 1];
    for (int64_t i = 0, k = 0; i < n; ++i) found[k] = from[i], k += int64_t(key_of(from[i]) == key);
    std::copy(found, found + count, first + starts[size_t(b)]);
  });
}
template <class S> void put_same_keys(const Row<S>& row) {
  if (Sign<S>::is_float == 0) return;
  put_same_keys<S>(row, Order<S>::zero_key(row.descending));
  put_same_keys<S>(row, Order<S>::nan_key());
}

template <class S> void put_values(const Row<S>& row, const KeyOf<S>* sorted, int64_t parts) {
  each_part(row.keep, parts, [&](int64_t, int64_t begin, int64_t end) {
    elements_of(sorted + begin, end - begin, row.descending, row.values + begin);
  });
  put_same_keys(row);
}

constexpr int64_t kSampled = 128;  // keys of the sample for each part: their sizes differ by some 10 %
constexpr int64_t kMostParts = 256;
constexpr int64_t kPieceBytes = 1 << 16;  // of the keys that are divided at a time; they stay in the level-2 cache

// Distributes the keys of a row, which make(begin, count, to) writes, over parts in `to`: all keys of a part are below
// those of the next. Returns the end of each part. Keys are made once to count them and once to move them, because that
// takes less time than storing and reading them.
template <class Key, class Make> std::vector<int64_t> split(int64_t n, const KeySorts<Key>& sorts, int64_t parts,
                                                            int64_t ranges, const Make& make, Key* to) {
  std::vector<Key> sample(static_cast<size_t>(kSampled * parts));
  Key splitters[kMostParts];
  const double step = double(n) / double(kSampled * parts);
  uint32_t at = 0;
  for (int64_t i = 0; i < kSampled * parts; ++i) {
    at += 0x9E3779B9u;  // 2^32 / golden ratio: offsets in the pieces of the row that follow no period of the data
    make(int64_t((double(i) + double(at) * (1.0 / 4294967296.0)) * step), 1, &sample[size_t(i)]);
  }
  sorts.sort(sample.data(), kSampled * parts);
  for (int64_t k = 1; k < parts; ++k) splitters[k - 1] = sample[size_t(kSampled * k)];

  const auto each_piece = [&](int64_t begin, int64_t end, auto&& body) {
    constexpr int64_t kPiece = kPieceBytes / int64_t(sizeof(Key));
    Key keys[kPiece];
    for (; begin < end; begin += kPiece) {
      const int64_t count = std::min(kPiece, end - begin);
      make(begin, count, keys);
      body(keys, count);
    }
  };
  std::vector<int64_t> starts(size_t(ranges * parts), 0);  // at first the number of keys
  each_part(n, ranges, [&](int64_t r, int64_t begin, int64_t end) {
    int64_t* const counts = starts.data() + r * parts;
    each_piece(begin, end,
               [&](const Key* keys, int64_t count) { sorts.count_below(keys, count, splitters, parts - 1, counts); });
    counts[parts - 1] = end - begin;
    for (int64_t k = parts; --k > 0;) counts[k] -= counts[k - 1];
  });
  std::vector<int64_t> ends(static_cast<size_t>(parts));
  int64_t before = 0;
  for (int64_t k = 0; k < parts; ++k) {
    for (int64_t r = 0; r < ranges; ++r) before += std::exchange(starts[size_t(r * parts + k)], before);
    ends[size_t(k)] = before;
  }
  each_part(n, ranges, [&](int64_t r, int64_t begin, int64_t end) {
    int64_t* const next = starts.data() + r * parts;
    each_piece(begin, end, [&](Key* keys, int64_t count) {
      Key room[(kPieceBytes + kVectorBytes) / sizeof(Key)];
      int64_t counts[kMostParts];
      sorts.divide(keys, count, splitters, parts, room, counts);
      for (int64_t k = 0; k < parts; keys += counts[k++]) {
        memcpy(to + next[k], keys, size_t(counts[k]) * sizeof(Key));
        next[k] += counts[k];
      }
    });
  });
  return ends;
}

// Sorts the keys of a row, which make(begin, count, to) writes, in `keys`, and calls take(begin, end) when the keys of
// that range are there. With several threads, parts of the row are sorted apart.
template <class Key, class Make, class Take>
void sort_keys(int64_t n, const KeySorts<Key>& sorts, int64_t threads, Key* keys, const Make& make, const Take& take) {
  if (threads == 1) {
    make(0, n, keys);
    sorts.sort(keys, n);
    return take(0, n);
  }
  int64_t parts = 8;
  while (parts < 4 * threads && parts < kMostParts) parts *= 2;
  const std::vector<int64_t> ends = split(n, sorts, parts, 8 * threads, make, keys);
  base::parallel_for(parts, 1, [&](int64_t first, int64_t last) {
    for (int64_t k = first; k < last; ++k) {
      const int64_t begin = k ? ends[size_t(k - 1)] : 0;
      sorts.sort(keys + begin, ends[size_t(k)] - begin);
      take(begin, ends[size_t(k)]);
    }
  });
}

template <class S> void sort_values(const Row<S>& row, const SortLoops& all, int64_t threads) {
  using Key = KeyOf<S>;
  const ElementLoops<S>& loops = std::get<ElementLoops<S>>(all.elements);
  const bool in_place = row.keep == row.n;  // the result's memory can hold the keys
  const Workspace<Key> more = in_place ? Workspace<Key>() : scratch<Key>(row.n);
  Key* const keys = in_place ? reinterpret_cast<Key*>(row.values) : more.get();
  sort_keys(
      row.n, std::get<KeySorts<Key>>(all.sorts), threads, keys,
      [&](int64_t begin, int64_t count, Key* to) { loops.keys_of(row.from + begin, count, row.descending, to); },
      [&](int64_t begin, int64_t end) {
        end = std::min(end, row.keep);
        if (begin < end) loops.elements_of(keys + begin, end - begin, row.descending, row.values + begin);
      });
  put_same_keys(row);
}

// As sort_values, for elements of 32 bits whose positions are wanted: 64-bit keys that end with the position, which
// makes the sort stable.
template <class S> void sort_positions(const Row<S>& row, const SortLoops& all, int64_t threads) {
  const ElementLoops<S>& loops = std::get<ElementLoops<S>>(all.elements);
  const bool in_place = row.keep == row.n;
  const Workspace<uint64_t> more = in_place ? Workspace<uint64_t>() : scratch<uint64_t>(row.n);
  uint64_t* const keys = in_place ? reinterpret_cast<uint64_t*>(row.indices) : more.get();
  // Calls body(first, count, keys) with room for some keys of elements, from `begin` to `end`.
  const auto in_blocks = [](int64_t begin, int64_t end, auto&& body) {
    uint32_t few[kBlock];
    for (; begin < end; begin += kBlock) body(begin, std::min(kBlock, end - begin), few);
  };
  sort_keys(
      row.n, std::get<KeySorts<uint64_t>>(all.sorts), threads, keys,
      [&](int64_t begin, int64_t count, uint64_t* to) {
        in_blocks(begin, begin + count, [&](int64_t first, int64_t some, uint32_t* few) {
          loops.keys_of(row.from + first, some, row.descending, few);
          for (int64_t i = 0; i < some; ++i) to[first - begin + i] = uint64_t(few[i]) << 32 | uint64_t(first + i);
        });
      },
      [&](int64_t begin, int64_t end) {
        in_blocks(begin, std::min(end, row.keep), [&](int64_t first, int64_t some, uint32_t* few) {
          for (int64_t i = 0; i < some; ++i) {
            uint64_t key;
            memcpy(&key, keys + first + i, sizeof key);
            few[i] = uint32_t(key >> 32);
            row.indices[first + i] = int64_t(uint32_t(key));
          }
          if (row.values) loops.elements_of(few, some, row.descending, row.values + first);
        });
      });
  if (row.values) put_same_keys(row);
}

template <class S, class Position> void sort_long(const Row<S>& row, int64_t parts) {
  using Key = typename Order<S>::Key;
  if constexpr (kHasLoops<S>)
    if (const SortLoops* const loops = sort_loops()) {
      if (!row.indices) return sort_values(row, *loops, parts);
      if constexpr (sizeof(S) == 4 && sizeof(Position) == 4) return sort_positions(row, *loops, parts);
    }
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
