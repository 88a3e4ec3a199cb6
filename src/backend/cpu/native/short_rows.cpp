// backend/cpu/native/short_rows.cpp: sorts of many short rows and the positions of their largest elements, compiled
// once for each instruction set (TENON_ISA names it). As in random.cpp, everything is in a namespace for that
// instruction set.
//
// Some rows at a time become the columns of a matrix of keys whose lines have the size of a cache line, so that each
// operation of a vector serves several rows. A sorting network exchanges whole lines, without branches.
#define TENON_JOIN_2(a, b) a##b
#define TENON_JOIN(a, b) TENON_JOIN_2(a, b)
#define tenon_own TENON_JOIN(tenon_own_, TENON_ISA)

#include <tenon/dtype.h>
#include "backend/cpu/native/native.hpp"
#include "device/host.hpp"
#include "device/numbers.cuh"
#include "device/order/order.cuh"

namespace tenon_own {
namespace {

using tenon::cpu::ShortRows;

// What is compared, in the order of unsigned keys. Vectors compare signed integers of 64 bits in fewer steps.
template <class Key> struct Lane {
  using type = Key;
  TENON_MEMBER Key of(Key key) { return key; }
  TENON_MEMBER Key key(Key lane) { return lane; }
};
template <> struct Lane<u64> {
  using type = i64;
  TENON_MEMBER i64 of(u64 key) { return i64(key ^ u64(1) << 63); }
  TENON_MEMBER u64 key(i64 lane) { return u64(lane) ^ u64(1) << 63; }
};

// Merge exchange: Batcher's odd-even merge sort for any number of lines (Knuth, The Art of Computer Programming 3,
// section 5.2.2, algorithm M). exchange(first, second, count) puts in order lines first + k and second + k for all k
// below count; no line is among both.
template <class Exchange> inline void merge_exchange(i64 n, const Exchange& exchange) {
  i64 half = 1;
  while (2 * half < n) half *= 2;
  for (i64 p = half; p > 0; p /= 2) {
    i64 first = 0, distance = p;
    for (i64 q = half;; q /= 2) {
      for (i64 i = first; i < n - distance; i += 2 * p)
        exchange(i, i + distance, n - distance - i < p ? n - distance - i : p);
      if (q == p) break;
      distance = q - p;
      first = p;
    }
  }
}

// (One copy of these for all dtypes of a size.)
template <class T, int Columns> [[gnu::noinline]] void sort_lines(T* lines, i64 n) {
  merge_exchange(n, [lines](i64 first, i64 second, i64 count) {
    T* __restrict a = lines + first * Columns;
    T* __restrict b = lines + second * Columns;
    for (i64 k = 0; k < count; ++k, a += Columns, b += Columns)
      for (int c = 0; c < Columns; ++c) {
        const T x = a[c], y = b[c];
        a[c] = x < y ? x : y;
        b[c] = x < y ? y : x;
      }
  });
}

// Keys with the positions of their elements. The selections are of bits, because compilers do not vectorise others
// here.
template <int Columns> [[gnu::noinline]] void sort_placed_lines(i64* lines, i64* places, i64 n) {
  merge_exchange(n, [lines, places](i64 first, i64 second, i64 count) {
    i64* __restrict a = lines + first * Columns;
    i64* __restrict b = lines + second * Columns;
    i64* __restrict at_a = places + first * Columns;
    i64* __restrict at_b = places + second * Columns;
    for (i64 k = 0; k < count * Columns; ++k) {
      const i64 x = a[k], y = b[k], at_x = at_a[k], at_y = at_b[k];
      const i64 left = x == y ? at_x : x, right = x == y ? at_y : y, less = left < right ? -1 : 0;
      const i64 keys = (x ^ y) & less, at = (at_x ^ at_y) & less;
      a[k] = y ^ keys, b[k] = x ^ keys;
      at_a[k] = at_y ^ at, at_b[k] = at_x ^ at;
    }
  });
}

template <class S> struct Rows {
  const SortWork& w;
  const S* from(i64 r) const { return static_cast<const S*>(w.from) + r * w.n; }
  // The bits of rows [first, first + count) as the first columns of lines; the others are zero.
  template <class T, int Columns> void get(i64 first, i64 count, T* __restrict lines) const {
    const i64 n = w.n;
    for (i64 i = 0; count < Columns && i < n * Columns; ++i) lines[i] = 0;
    in_tiles(n, [&](i64 begin, i64 end) {
      for (i64 c = 0; c < count; ++c) {
        const S* __restrict const row = from(first + c);
        for (i64 i = begin; i < end; ++i) lines[i * Columns + c] = T(Order<S>::raw(row[i]));
      }
    });
  }
  // Back: as values.
  template <class T, int Columns> void put(i64 first, i64 count, const T* __restrict lines) const {
    const i64 keep = w.keep;
    in_tiles(keep, [&](i64 begin, i64 end) {
      for (i64 c = 0; c < count; ++c) {
        S* __restrict const row = static_cast<S*>(w.values) + (first + c) * keep;
        for (i64 i = begin; i < end; ++i) memcpy(row + i, lines + i * Columns + c, sizeof(S));
      }
    });
  }
  template <class Body> static void in_tiles(i64 n, const Body& body) {  // of lines that stay in the level-1 cache
    constexpr i64 kTile = 64;
    for (i64 i = 0; i < n; i += kTile) body(i, n - i < kTile ? n : i + kTile);
  }
  // The sorted row, whose element i is the one that was at place(i).
  template <class Place> void put(i64 r, const Place& place) const {
    const S* const row = from(r);
    S* const to = w.values ? static_cast<S*>(w.values) + r * w.keep : nullptr;
    i64* const index = w.indices ? w.indices + r * w.keep : nullptr;
    for (i64 i = 0; i < w.keep; ++i) {
      const i64 at = place(i);
      if (to) to[i] = row[at];
      if (index) index[i] = at;
    }
  }
};

template <class T> constexpr int kColumns = int(ShortRows::kLineBytes / i64(sizeof(T)));

// Rows [begin, end), by their keys and positions.
template <class S> void sort_placed(const SortWork& w, i64 begin, i64 end, void* room) {
  using Key = typename Order<S>::Key;
  using Packed = typename Unsigned<sizeof(S) < 4 ? 4 : 8>::type;  // of elements below 8 bytes: both in one number
  using T = typename Lane<Packed>::type;
  static_assert(kColumns<T> == ShortRows::together(sizeof(S), true));
  constexpr int kMany = kColumns<T>, kShift = sizeof(S) < 8 ? 4 * int(sizeof(T)) : 0;
  const Rows<S> rows{w};
  const bool down = w.descending != 0;
  const i64 n = w.n;
  T* const lines = static_cast<T*>(room);
  for (; begin < end; begin += kMany) {
    const i64 count = end - begin < kMany ? end - begin : kMany;
    rows.template get<T, kMany>(begin, count, lines);
    for (i64 i = 0; i < n; ++i)
      for (int c = 0; c < kMany; ++c) {
        T& to = lines[i * kMany + c];
        const Packed key = Packed(Order<S>::key_of(Key(to), down));
        to = Lane<Packed>::of(kShift ? Packed(key << kShift | Packed(i)) : key);
      }
    if constexpr (kShift) {
      sort_lines<T, kMany>(lines, n);
      for (i64 c = 0; c < count; ++c)
        rows.put(begin + c, [lines, c](i64 i) {
          return i64(Lane<Packed>::key(lines[i * kMany + c]) & ((Packed(1) << kShift) - 1));
        });
    } else {
      i64* const places = lines + n * kMany;
      for (i64 i = 0; i < n; ++i)
        for (int c = 0; c < kMany; ++c) places[i * kMany + c] = i;
      sort_placed_lines<kMany>(lines, places, n);
      for (i64 c = 0; c < count; ++c) rows.put(begin + c, [places, c](i64 i) { return places[i * kMany + c]; });
    }
  }
}

// Rows of which only the values are wanted: elements are made from their sorted keys, unless these do not hold all of
// their bits, as those of -0 and NaN.
template <class S> void sort_values(const SortWork& w, void* room) {
  using Key = typename Order<S>::Key;
  using T = typename Lane<Key>::type;
  constexpr int kMany = kColumns<T>;
  const Rows<S> rows{w};
  const bool down = w.descending != 0;
  const i64 n = w.n;
  T* const lines = static_cast<T*>(room);
  for (i64 begin = 0; begin < w.rows; begin += kMany) {
    const i64 count = w.rows - begin < kMany ? w.rows - begin : kMany;
    rows.template get<T, kMany>(begin, count, lines);
    Key others = 0;
    for (i64 i = 0; i < n * kMany; ++i) {
      const Key bits = Key(lines[i]), key = Order<S>::key_of(bits, down);
      if (Sign<S>::is_float != 0) others |= Key(int(bits == Order<S>::sign()) | int(key == Order<S>::nan_key()));
      lines[i] = Lane<Key>::of(key);
    }
    if (others) {
      sort_placed<S>(w, begin, begin + count, room);
      continue;
    }
    sort_lines<T, kMany>(lines, n);
    for (i64 i = 0; i < w.keep * kMany; ++i)
      lines[i] = T(Order<S>::raw(Order<S>::element(Lane<Key>::key(lines[i]), down)));
    rows.template put<T, kMany>(begin, count, lines);
  }
}

template <class S> void sort_rows(const SortWork& w, void* room) {
  if (w.indices) sort_placed<S>(w, 0, w.rows, room);
  else sort_values<S>(w, room);
}

// The positions of the largest key in each of `count` rows, as columns. A row has at most kMostLines elements.
constexpr i64 kMostLines = 32, kMostKeys = ShortRows::kMostElements;
template <class S> void best_of_columns(const void* const* rows, i64 count, i64 n, bool down, i64* places) {
  using Key = typename Order<S>::Key;
  using T = typename Lane<Key>::type;
  constexpr int kMany = kColumns<T>;
  for (i64 begin = 0; begin < count; begin += kMany) {
    const int many = count - begin < kMany ? int(count - begin) : kMany;
    T lines[kMostLines * kMany], best[kMany], at[kMany] = {};
    for (int c = 0; c < kMany; ++c) {
      const S* __restrict const row = static_cast<const S*>(rows[begin + (c < many ? c : 0)]);
      for (i64 i = 0; i < n; ++i) lines[i * kMany + c] = T(Order<S>::raw(row[i]));
    }
    for (i64 i = 0; i < n * kMany; ++i) lines[i] = Lane<Key>::of(Order<S>::key_of(Key(lines[i]), down));
    for (int c = 0; c < kMany; ++c) best[c] = lines[c];
    for (i64 i = 1; i < n; ++i)
      for (int c = 0; c < kMany; ++c) {
        const T old = best[c], x = lines[i * kMany + c], larger = old < x ? x : old;
        at[c] = larger == old ? at[c] : T(i);
        best[c] = larger;
      }
    for (int c = 0; c < many; ++c) places[begin + c] = i64(at[c]);
  }
}

// Likewise, of a row of at most kMostKeys elements, along which the vectors run.
template <class S> i64 best_of_row(const S* row, i64 n, bool down) {
  using Key = typename Order<S>::Key;
  using T = typename Lane<Key>::type;
  constexpr int kMany = kColumns<T>;
  T keys[kMostKeys + kMany];
  for (i64 i = 0; i < n; ++i) keys[i] = Lane<Key>::of(Order<S>::key(row[i], down));
  T best = Lane<Key>::of(Order<S>::key(row[0], down));
  for (i64 i = 1; i < n; ++i) best = best < keys[i] ? keys[i] : best;
  for (int k = 0; k < kMany; ++k) keys[n + k] = best;  // ends the search, which reads whole lines
  i64 i = 0;
  for (;; i += kMany) {
    T any = 0;
    for (int k = 0; k < kMany; ++k) any |= T(keys[i + k] == best);
    if (any) break;
  }
  while (keys[i] != best) ++i;
  return i;
}

template <class S> void best_of(const void* const* rows, i64 count, i64 n, bool down, i64* places) {
  if (n <= kMostLines) return best_of_columns<S>(rows, count, n, down, places);
  for (i64 r = 0; r < count; ++r) {
    const S* const row = static_cast<const S*>(rows[r]);
    places[r] = down ? best_of_row<S>(row, n, true) : best_of_row<S>(row, n, false);
  }
}

// Calls body(element) with an element of the dtype.
template <class Body> bool of_dtype(uint32_t dtype, const Body& body) {
  switch (dtype) {
    case TENON_INT8: return body(i8{}), true;
    case TENON_INT16: return body(i16{}), true;
    case TENON_INT32: return body(i32{}), true;
    case TENON_INT64: return body(i64{}), true;
    case TENON_BOOL:
    case TENON_UINT8: return body(u8{}), true;
    case TENON_UINT16: return body(u16{}), true;
    case TENON_UINT32: return body(u32{}), true;
    case TENON_UINT64: return body(u64{}), true;
    case TENON_FLOAT16: return body(half{}), true;
    case TENON_BFLOAT16: return body(bfloat{}), true;
    case TENON_FLOAT32: return body(float{}), true;
    case TENON_FLOAT64: return body(double{}), true;
    default: return false;
  }
}

}  // namespace
}  // namespace tenon_own

namespace tenon::cpu {

const ShortRows TENON_JOIN(short_rows_, TENON_ISA) = {
    [](uint32_t dtype, const void* work, void* room) {
      using namespace tenon_own;
      return of_dtype(dtype, [&](auto x) { sort_rows<decltype(x)>(*static_cast<const SortWork*>(work), room); });
    },
    [](uint32_t dtype, const void* const* rows, long long count, long long n, bool smallest, int64_t* places) {
      using namespace tenon_own;
      return of_dtype(dtype, [&](auto x) { best_of<decltype(x)>(rows, count, n, smallest, places); });
    }};

}  // namespace tenon::cpu
