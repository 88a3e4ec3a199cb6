// backend/cpu/native/sort.cpp: stable sorts of rows. Every method gives the same order:
// short rows: sorting networks that work on several rows at a time (short_rows.cpp);
// long rows: a counting sort of digits, the lowest first, whose passes the threads of the pool share;
// long rows, with AVX2 or AVX-512: a vectorised quicksort of keys, or of keys with their positions (sort_loops.hpp).
#include "backend/cpu/native/native.hpp"
#include "backend/cpu/memory.hpp"
#include "backend/cpu/native/sort_loops.hpp"
#include "backend/cpu/target.hpp"

#include <string.h>
#include <algorithm>
#include <atomic>
#include <new>
#include <vector>
#include "base/parallel.hpp"
#include "core/error.hpp"

namespace tenon::cpu {
namespace {

using namespace tenon_own;

// Rows up to this length are sorted as columns, however few they are, and up to the second one if there are enough of
// them for whole vectors.
constexpr int64_t kShort = 64;
template <class S> constexpr int64_t kShortIfMany = sizeof(S) == 1 ? 512 : 1024;
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
  static const SortLoops* const chosen = [] {
#if TENON_SORT_LOOPS
    const int level = vector_level();
    if (level >= 4) return &tenon_sort_loops_v4;
    if (level >= 3) return &tenon_sort_loops_v3;
#endif
    return static_cast<const SortLoops*>(nullptr);
  }();
  return chosen;
}

template <class S> constexpr bool kHasLoops = sizeof(S) >= 4;
template <class S> ElementLoops<S> element_loops() {
  if constexpr (kHasLoops<S>)
    if (const SortLoops* const loops = sort_loops()) return std::get<ElementLoops<S>>(loops->elements);
  return {keys_of<S>, elements_of<S>, count_same<S>, stretch_below<S>};
}

constexpr int64_t kBlock = 1 << 12;  // elements; they stay in the level-1 cache from one loop to the next

// Elements made from keys lose what their keys do not hold: both zeros have one key, and all NaNs have one. This
// function replaces the sorted elements with that key by those of the row, in the order that they have there.
template <class S> void put_same_keys(const Row<S>& row, KeyOf<S> key) {
  const auto key_of = [&](const S& x) { return Order<S>::key(x, row.descending); };
  S* const end = row.values + row.keep;
  S* const first = std::lower_bound(row.values, end, key, [&](const S& x, auto other) { return key_of(x) < other; });
  if (first == end || key_of(*first) != key) return;
  const ElementLoops<S> loops = element_loops<S>();
  const int64_t blocks = (row.n + kBlock - 1) / kBlock, grain = kThreadPart / kBlock;
  const auto each_block = [&](auto&& body) {
    base::parallel_for(blocks, grain, [&](int64_t begin, int64_t last) {
      for (int64_t b = begin; b < last; ++b) body(b, row.from + b * kBlock, std::min(kBlock, row.n - b * kBlock));
    });
  };
  std::vector<int64_t> starts(size_t(blocks) + 1, 0);
  each_block([&](int64_t b, const S* from, int64_t n) { starts[size_t(b) + 1] = loops.count_same(from, n, key); });
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
  put_same_keys<S>(row, Order<S>::zero_key(row.descending));
  put_same_keys<S>(row, Order<S>::nan_key());
}

// others: keys_of has found elements whose keys do not hold all of their bits.
template <class S> void put_values(const Row<S>& row, const KeyOf<S>* sorted, int64_t parts, bool others) {
  each_part(row.keep, parts, [&](int64_t, int64_t begin, int64_t end) {
    elements_of(sorted + begin, end - begin, row.descending, row.values + begin);
  });
  if (others) put_same_keys(row);
}

template <class T> Workspace<T> scratch_if_any(int64_t count) {
  try {
    return scratch<T>(count);
  } catch (const std::bad_alloc&) {
    return {};
  }
}

constexpr int64_t kSampled = 64;  // keys of the sample for each part: the parts' sizes differ by some 12 %
constexpr int64_t kMostParts = 256;
constexpr int64_t kPartBytes =
    1 << 21;  // of the keys of a part, which is sorted at about the speed of the level-2 cache
constexpr int64_t kPieceBytes = 1 << 16;  // of the keys that are divided at a time; likewise

// A row's keys, which make(begin, count, to) writes, and the splitters by which they are distributed over parts: all
// keys of a part are below those of the next. The threads of the pool share the ranges of a row.
template <class Key, class Make> class Division {
 public:
  Division(int64_t n, const KeySorts<Key>& sorts, int64_t parts, int64_t ranges, const Make& make)
      : n_(n), sorts_(sorts), parts_(parts), ranges_(ranges), make_(make) {
    std::vector<Key> sample(static_cast<size_t>(kSampled * parts));
    const double step = double(n) / double(kSampled * parts);
    uint32_t at = 0;
    for (int64_t i = 0; i < kSampled * parts; ++i) {
      at += 0x9E3779B9u;  // 2^32 / golden ratio: offsets in the pieces of the row that follow no period of the data
      make(int64_t((double(i) + double(at) * (1.0 / 4294967296.0)) * step), 1, &sample[size_t(i)]);
    }
    sorts.sort(sample.data(), kSampled * parts);
    for (int64_t k = 1; k < parts; ++k) splitters_[k - 1] = sample[size_t(kSampled * k)];
  }

  // Part k goes to `to` + k * room, and ends[k] is set to its end in the row. False: a part has more keys than there is
  // room for.
  bool once(Key* to, int64_t room, std::vector<int64_t>& ends) const {
    for (int64_t k = 2; k < parts_; ++k)
      if (splitters_[k - 1] == splitters_[k - 2]) return false;  // many equal keys
    std::vector<std::atomic<int64_t>> next(static_cast<size_t>(parts_));
    std::atomic<bool> full = false;
    each_part(n_, ranges_, [&](int64_t, int64_t begin, int64_t end) {
      each_divided(begin, end, [&](int64_t k, const Key* keys, int64_t count) {
        const int64_t at = next[size_t(k)].fetch_add(count, std::memory_order_relaxed);
        if (at + count > room) full = true;
        else memcpy(to + k * room + at, keys, size_t(count) * sizeof(Key));
        return !full;
      });
    });
    int64_t before = 0;
    for (int64_t k = 0; k < parts_; ++k) ends[size_t(k)] = before += next[size_t(k)];
    return !full;
  }

  // One part follows the other. Keys are made once to count them and once to move them, because that takes less time
  // than storing and reading them.
  void counted(Key* to, std::vector<int64_t>& ends) const {
    std::vector<int64_t> starts(size_t(ranges_ * parts_), 0);  // at first the number of keys
    each_part(n_, ranges_, [&](int64_t r, int64_t begin, int64_t end) {
      int64_t* const counts = starts.data() + r * parts_;
      each_piece(begin, end, [&](const Key* keys, int64_t count) {
        sorts_.count_below(keys, count, splitters_, parts_ - 1, counts);
        return true;
      });
      counts[parts_ - 1] = end - begin;
      for (int64_t k = parts_; --k > 0;) counts[k] -= counts[k - 1];
    });
    int64_t before = 0;
    for (int64_t k = 0; k < parts_; ++k) {
      for (int64_t r = 0; r < ranges_; ++r) before += std::exchange(starts[size_t(r * parts_ + k)], before);
      ends[size_t(k)] = before;
    }
    each_part(n_, ranges_, [&](int64_t r, int64_t begin, int64_t end) {
      int64_t* const next = starts.data() + r * parts_;
      each_divided(begin, end, [&](int64_t k, const Key* keys, int64_t count) {
        memcpy(to + next[k], keys, size_t(count) * sizeof(Key));
        next[k] += count;
        return true;
      });
    });
  }

 private:
  // Calls body(keys, count) for the pieces of a range, as long as it returns true.
  template <class Body> void each_piece(int64_t begin, int64_t end, const Body& body) const {
    constexpr int64_t kPiece = kPieceBytes / int64_t(sizeof(Key));
    Key keys[kPiece + kVectorBytes / sizeof(Key)];
    for (; begin < end; begin += kPiece) {
      const int64_t count = std::min(kPiece, end - begin);
      make_(begin, count, keys);
      if (!body(keys, count)) return;
    }
  }
  // Calls body(part, keys, count) for the parts of each piece, until a piece for one of whose parts it returned false.
  template <class Body> void each_divided(int64_t begin, int64_t end, const Body& body) const {
    struct Context {
      const Body& body;
      bool more = true;
    };
    each_piece(begin, end, [&](Key* keys, int64_t count) {
      Key room[(kPieceBytes + kVectorBytes) / sizeof(Key)];
      Context context{body};
      const auto take = [](void* given, int64_t part, const Key* some, int64_t n) {
        Context& c = *static_cast<Context*>(given);
        c.more &= c.body(part, some, n);
      };
      sorts_.divide(keys, count, splitters_, parts_, room, take, &context);
      return context.more;
    });
  }

  int64_t n_;
  const KeySorts<Key>& sorts_;
  int64_t parts_, ranges_;
  const Make& make_;
  Key splitters_[kMostParts];
};

// Sorts the keys of a row, which make(begin, count, to) writes, and calls take(sorted, begin, end) with those of each
// range. Several threads sort a part of the row each. `keys`: memory for all keys, or NULL to sort without it.
template <class Key, class Make, class Take>
void sort_keys(int64_t n, const KeySorts<Key>& sorts, int64_t threads, Key* keys, const Make& make, const Take& take) {
  Workspace<Key> own;
  const auto room_for_all = [&] {
    if (!keys) own = scratch<Key>(n), keys = own.get();
  };
  if (threads == 1) {
    room_for_all();
    make(0, n, keys);
    sorts.sort(keys, n);
    return take(keys, 0, n);
  }
  int64_t parts = 8;
  while (parts < kMostParts && (parts < 4 * threads || n * int64_t(sizeof(Key)) > parts * kPartBytes)) parts *= 2;
  const Division<Key, Make> division(n, sorts, parts, 8 * threads, make);
  std::vector<int64_t> ends(static_cast<size_t>(parts));
  const auto sort_parts = [&](Key* first, int64_t room) {  // room: from one part to the next; 0: without gaps
    base::parallel_for(parts, 1, [&](int64_t from, int64_t to) {
      for (int64_t k = from; k < to; ++k) {
        const int64_t begin = k ? ends[size_t(k - 1)] : 0, end = ends[size_t(k)];
        Key* const part = first + (room ? k * room : begin);
        sorts.sort(part, end - begin);
        take(part, begin, end);
      }
    });
  };
  const int64_t room = n / parts * 3 / 2;
  if (const Workspace<Key> apart = scratch_if_any<Key>(parts * room))
    if (division.once(apart.get(), room, ends)) return sort_parts(apart.get(), room);
  room_for_all();
  division.counted(keys, ends);
  sort_parts(keys, 0);
}

template <class S> void sort_values(const Row<S>& row, const SortLoops& all, int64_t threads) {
  using Key = KeyOf<S>;
  const ElementLoops<S>& loops = std::get<ElementLoops<S>>(all.elements);
  std::atomic<bool> others = false;
  sort_keys(
      row.n, std::get<KeySorts<Key>>(all.sorts), threads,
      row.keep == row.n ? reinterpret_cast<Key*>(row.values) : nullptr,  // the result's memory can hold the keys
      [&](int64_t begin, int64_t count, Key* to) {
        if (loops.keys_of(row.from + begin, count, row.descending, to)) others = true;
      },
      [&](const Key* sorted, int64_t begin, int64_t end) {
        end = std::min(end, row.keep);
        if (begin < end) loops.elements_of(sorted, end - begin, row.descending, row.values + begin);
      });
  if (others) put_same_keys(row);
}

// As sort_values, for elements of 32 bits whose positions are wanted: 64-bit keys that end with the position, which
// makes the sort stable.
template <class S> void sort_positions(const Row<S>& row, const SortLoops& all, int64_t threads) {
  const ElementLoops<S>& loops = std::get<ElementLoops<S>>(all.elements);
  std::atomic<bool> others = false;
  // Calls body(first, count, keys) with room for some keys of elements, from `begin` to `end`.
  const auto in_blocks = [](int64_t begin, int64_t end, auto&& body) {
    uint32_t few[kBlock];
    for (; begin < end; begin += kBlock) body(begin, std::min(kBlock, end - begin), few);
  };
  sort_keys(
      row.n, std::get<KeySorts<uint64_t>>(all.sorts), threads,
      row.keep == row.n ? reinterpret_cast<uint64_t*>(row.indices) : nullptr,
      [&](int64_t begin, int64_t count, uint64_t* to) {
        in_blocks(begin, begin + count, [&](int64_t first, int64_t some, uint32_t* few) {
          if (loops.keys_of(row.from + first, some, row.descending, few)) others = true;
          for (int64_t i = 0; i < some; ++i) to[first - begin + i] = uint64_t(few[i]) << 32 | uint64_t(first + i);
        });
      },
      [&](const uint64_t* sorted, int64_t begin, int64_t end) {
        in_blocks(begin, std::min(end, row.keep), [&](int64_t first, int64_t some, uint32_t* few) {
          for (int64_t i = 0; i < some; ++i) {
            uint64_t key;
            memcpy(&key, sorted + (first - begin) + i, sizeof key);
            few[i] = uint32_t(key >> 32);
            row.indices[first + i] = int64_t(uint32_t(key));
          }
          if (row.values) loops.elements_of(few, some, row.descending, row.values + first);
        });
      });
  if (row.values && others) put_same_keys(row);
}

template <class S, class Position> void sort_long(const Row<S>& row, int64_t parts) {
  using Key = KeyOf<S>;
  if constexpr (kHasLoops<S>)
    if (const SortLoops* const loops = sort_loops()) {
      if (!row.indices) return sort_values(row, *loops, parts);
      if constexpr (sizeof(S) == 4 && sizeof(Position) == 4) return sort_positions(row, *loops, parts);
    }
  Lists<Key, Position> lists(row.n, row.indices != nullptr);
  std::atomic<bool> others = false;
  each_part(row.n, parts, [&](int64_t, int64_t begin, int64_t end) {
    if (keys_of(row.from + begin, end - begin, row.descending, lists.keys[0].get() + begin)) others = true;
    if (row.indices)
      for (int64_t i = begin; i < end; ++i) lists.places[0][size_t(i)] = Position(i);
  });
  if (row.indices) passes<true>(lists, row.n, parts);
  else passes<false>(lists, row.n, parts);
  if (row.values) put_values(row, lists.keys[lists.now].get(), parts, others);
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

template <class S> void put(const Row<S>& row, const std::vector<Positioned<KeyOf<S>>>& sorted) {
  for (int64_t i = 0; i < row.keep; ++i) {
    const int64_t from = sorted[size_t(i)].place;
    if (row.values) row.values[i] = row.from[from];
    if (row.indices) row.indices[i] = from;
  }
}

// Collects elements [begin, end) of a row that can be among its first `keep`: those below a bound, which decreases as
// better ones are found.
template <class S>
void collect(const Row<S>& row, int64_t begin, int64_t end, std::vector<Positioned<KeyOf<S>>>& list) {
  const ElementLoops<S> loops = element_loops<S>();
  const size_t keep = size_t(row.keep), room = std::max(4 * keep, size_t(std::min<int64_t>((end - begin) / 8, 1024)));
  list.clear();
  bool bounded = false;
  KeyOf<S> bound{};
  for (int64_t i = begin; i < end;) {
    if (bounded) i += loops.stretch_below(row.from + i, end - i, row.descending, bound);
    for (const int64_t stop = std::min(i + kStretch, end); i < stop; ++i) {
      const KeyOf<S> key = Order<S>::key(row.from[i], row.descending);
      if (bounded && !(key < bound)) continue;  // equal elements that were kept come earlier in the row
      list.push_back({key, i});
      if (list.size() < room) continue;
      std::nth_element(list.begin(), list.begin() + std::ptrdiff_t(keep - 1), list.end());
      list.resize(keep);
      bound = list[keep - 1].key;
      bounded = true;
    }
  }
}

// The first `keep` elements of a longer row.
template <class S> void select_first(const Row<S>& row, int64_t parts, std::vector<Positioned<KeyOf<S>>>& list) {
  parts = std::min(parts, row.n / (8 * row.keep));  // no part keeps most of its elements
  if (parts <= 1) {
    collect(row, 0, row.n, list);
  } else {
    std::vector<std::vector<Positioned<KeyOf<S>>>> lists(static_cast<size_t>(parts));
    each_part(row.n, parts, [&](int64_t p, int64_t begin, int64_t end) { collect(row, begin, end, lists[size_t(p)]); });
    list.clear();
    for (const auto& some : lists) list.insert(list.end(), some.begin(), some.end());
  }
  std::nth_element(list.begin(), list.begin() + std::ptrdiff_t(row.keep - 1), list.end());
  list.resize(size_t(row.keep));
  std::sort(list.begin(), list.end());
  put(row, list);
}

// Whether rows are sorted as columns. Their network has n log(n)^2 / 4 exchanges: vqsort needs less time for longer
// rows.
template <class S> bool in_columns(const SortWork& w) {
  if (w.n <= kShort) return true;
  if (kHasLoops<S> && !w.indices && sort_loops()) return false;
  return w.n <= kShortIfMany<S> && w.rows >= ShortRows::together(sizeof(S), w.indices) && w.keep >= w.n / 8;
}

template <class S> void sort_in_columns(Dtype dtype, const SortWork& w) {
  constexpr int64_t kGroup = ShortRows::together(sizeof(S), false);  // a multiple of the number with positions
  base::parallel_for((w.rows + kGroup - 1) / kGroup, 4096 / (w.n * kGroup + 1) + 1, [&](int64_t begin, int64_t end) {
    SortWork some = w;
    begin *= kGroup, end = std::min(end * kGroup, w.rows);
    some.from = static_cast<const S*>(w.from) + begin * w.n;
    if (w.values) some.values = static_cast<S*>(w.values) + begin * w.keep;
    if (w.indices) some.indices = w.indices + begin * w.keep;
    some.rows = end - begin;
    short_rows().sort(dtype, &some, scratch<char>(w.n * ShortRows::kRoom).get());
  });
}

template <class S> void sort_rows(Dtype dtype, const SortWork& w) {
  if (in_columns<S>(w)) return sort_in_columns<S>(dtype, w);
  const auto row_of = [&](int64_t r) {
    return Row<S>{static_cast<const S*>(w.from) + r * w.n,
                  w.values ? static_cast<S*>(w.values) + r * w.keep : nullptr,
                  w.indices ? w.indices + r * w.keep : nullptr,
                  w.n,
                  w.keep,
                  w.descending != 0};
  };
  const auto one = [&](const Row<S>& row, int64_t parts, std::vector<Positioned<KeyOf<S>>>& list) {
    if (w.keep < w.n / 8) return select_first(row, parts, list);
    if (w.n <= int64_t(UINT32_MAX)) sort_long<S, uint32_t>(row, parts);
    else sort_long<S, int64_t>(row, parts);
  };
  const int64_t parts = w.rows >= 2 * base::thread_count() ? 1 : parts_of(w.n);
  if (parts > 1) {  // all threads work on each row
    std::vector<Positioned<KeyOf<S>>> list;
    for (int64_t r = 0; r < w.rows; ++r) one(row_of(r), parts, list);
    return;
  }
  base::parallel_for(w.rows, std::max<int64_t>(2048 / w.n, 1), [&](int64_t begin, int64_t end) {
    std::vector<Positioned<KeyOf<S>>> list;
    for (int64_t r = begin; r < end; ++r) one(row_of(r), 1, list);
  });
}

}  // namespace

void sort(Dtype dtype, const SortWork& w) {
  switch (dtype) {
    case TENON_BOOL: return sort_rows<boolean>(dtype, w);
    case TENON_INT8: return sort_rows<i8>(dtype, w);
    case TENON_INT16: return sort_rows<i16>(dtype, w);
    case TENON_INT32: return sort_rows<i32>(dtype, w);
    case TENON_INT64: return sort_rows<i64>(dtype, w);
    case TENON_UINT8: return sort_rows<u8>(dtype, w);
    case TENON_UINT16: return sort_rows<u16>(dtype, w);
    case TENON_UINT32: return sort_rows<u32>(dtype, w);
    case TENON_UINT64: return sort_rows<u64>(dtype, w);
    case TENON_FLOAT16: return sort_rows<half>(dtype, w);
    case TENON_BFLOAT16: return sort_rows<bfloat>(dtype, w);
    case TENON_FLOAT32: return sort_rows<float>(dtype, w);
    case TENON_FLOAT64: return sort_rows<double>(dtype, w);
    default: fail(TENON_ERROR_INTERNAL, "a sort of dtype 0x%x should have been refused earlier", dtype);
  }
}

}  // namespace tenon::cpu
