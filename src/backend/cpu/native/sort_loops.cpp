// backend/cpu/native/sort_loops.cpp: sorts of plain keys with AVX-512: a quicksort that moves a vector of keys at a
// time to one of two places, and Batcher's bitonic network (1968) for what fits into eight vectors.
#include "backend/cpu/native/sort_loops.hpp"

#include <immintrin.h>
#include <string.h>
#include <type_traits>

namespace tenon::cpu {
namespace {

#define ALWAYS static inline __attribute__((always_inline))

template <class Key> struct Vector;
template <> struct Vector<uint32_t> {
  static constexpr int kLanes = 16;
  ALWAYS __m512i all(uint32_t x) { return _mm512_set1_epi32(int(x)); }
  ALWAYS uint32_t below(__m512i x, __m512i y) { return _mm512_cmplt_epu32_mask(x, y); }
  ALWAYS uint32_t not_above(__m512i x, __m512i y) { return _mm512_cmple_epu32_mask(x, y); }
  ALWAYS __m512i min(__m512i x, __m512i y) { return _mm512_min_epu32(x, y); }
  ALWAYS __m512i max(__m512i x, __m512i y) { return _mm512_max_epu32(x, y); }
  ALWAYS __m512i compress(uint32_t mask, __m512i x) { return _mm512_maskz_compress_epi32(__mmask16(mask), x); }
  ALWAYS __m512i choose(uint32_t mask, __m512i x, __m512i y) { return _mm512_mask_mov_epi32(x, __mmask16(mask), y); }
  ALWAYS __m512i load(const uint32_t* p, uint32_t mask) {
    return _mm512_mask_loadu_epi32(_mm512_set1_epi32(-1), __mmask16(mask), p);
  }
  ALWAYS void store(uint32_t* p, uint32_t mask, __m512i x) { _mm512_mask_storeu_epi32(p, __mmask16(mask), x); }
  // Lane i gets the lane which[i] of x (or of x and y, one after the other). Higher bits of which[i] are ignored.
  ALWAYS __m512i pick(__m512i which, __m512i x) { return _mm512_permutexvar_epi32(which, x); }
  ALWAYS __m512i pick(__m512i which, __m512i x, __m512i y) { return _mm512_permutex2var_epi32(x, which, y); }
  ALWAYS uint32_t with_bit(__m512i x, int bit) { return _mm512_test_epi32_mask(x, _mm512_set1_epi32(bit)); }
  // 2 x + 1 in the lanes of the mask, 2 x in the others.
  ALWAYS __m512i twice_and(__m512i x, uint32_t mask) {
    x = _mm512_add_epi32(x, x);
    return _mm512_mask_sub_epi32(x, __mmask16(mask), x, _mm512_set1_epi32(-1));
  }
  ALWAYS void store_bytes(uint8_t* p, uint32_t mask, __m512i x) {
    _mm512_mask_cvtepi32_storeu_epi8(p, __mmask16(mask), x);
  }
  // Lane i gets lane i ^ flip of y where the mask has its bit, and lane i of x elsewhere.
  template <int flip> ALWAYS __m512i from_flipped(__m512i x, uint32_t mask, __m512i y) {
    if constexpr (flip == 1) return _mm512_mask_shuffle_epi32(x, __mmask16(mask), y, _MM_PERM_CDAB);
    else if constexpr (flip == 2) return _mm512_mask_shuffle_epi32(x, __mmask16(mask), y, _MM_PERM_BADC);
    else if constexpr (flip == 4) return _mm512_mask_shuffle_i32x4(x, __mmask16(mask), y, y, 0xB1);
    else return _mm512_mask_shuffle_i32x4(x, __mmask16(mask), y, y, 0x4E);
  }
  // Undoes the exchange of lanes between two vectors that clean_two leaves behind.
  ALWAYS void apart(__m512i& a, __m512i& b) {
    const __m512i first = _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    const __m512i x = _mm512_permutex2var_epi32(a, first, b);
    b = _mm512_permutex2var_epi32(a, _mm512_or_si512(first, _mm512_set1_epi32(8)), b);
    a = x;
  }
  // Vector i gets the i-th column, in any order of the columns.
  ALWAYS void transpose(__m512i (&v)[16]) {
    __m512i u[16];
#pragma GCC unroll 8
    for (int a = 0; a < 16; a += 2)
      u[a] = _mm512_unpacklo_epi32(v[a], v[a + 1]), u[a + 1] = _mm512_unpackhi_epi32(v[a], v[a + 1]);
#pragma GCC unroll 8
    for (int a = 0; a < 16; a += 4)
#pragma GCC unroll 2
      for (int b = 0; b < 2; ++b) {
        v[a + 2 * b] = _mm512_unpacklo_epi64(u[a + b], u[a + b + 2]);
        v[a + 2 * b + 1] = _mm512_unpackhi_epi64(u[a + b], u[a + b + 2]);
      }
#pragma GCC unroll 8
    for (int a = 0; a < 16; a += 8)
#pragma GCC unroll 4
      for (int b = 0; b < 4; ++b) {
        u[a + b] = _mm512_shuffle_i32x4(v[a + b], v[a + b + 4], 0x88);
        u[a + b + 4] = _mm512_shuffle_i32x4(v[a + b], v[a + b + 4], 0xDD);
      }
#pragma GCC unroll 8
    for (int b = 0; b < 8; ++b) {
      v[b] = _mm512_shuffle_i32x4(u[b], u[b + 8], 0x88);
      v[b + 8] = _mm512_shuffle_i32x4(u[b], u[b + 8], 0xDD);
    }
  }
  // Lane i gets that of number i ^ flip.
  template <int flip> ALWAYS __m512i flipped(__m512i x) {
    return _mm512_permutexvar_epi32(
        _mm512_setr_epi32(0 ^ flip, 1 ^ flip, 2 ^ flip, 3 ^ flip, 4 ^ flip, 5 ^ flip, 6 ^ flip, 7 ^ flip, 8 ^ flip,
                          9 ^ flip, 10 ^ flip, 11 ^ flip, 12 ^ flip, 13 ^ flip, 14 ^ flip, 15 ^ flip),
        x);
  }
};
template <> struct Vector<uint64_t> {
  static constexpr int kLanes = 8;
  ALWAYS __m512i all(uint64_t x) { return _mm512_set1_epi64(int64_t(x)); }
  ALWAYS uint32_t below(__m512i x, __m512i y) { return _mm512_cmplt_epu64_mask(x, y); }
  ALWAYS uint32_t not_above(__m512i x, __m512i y) { return _mm512_cmple_epu64_mask(x, y); }
  ALWAYS __m512i min(__m512i x, __m512i y) { return _mm512_min_epu64(x, y); }
  ALWAYS __m512i max(__m512i x, __m512i y) { return _mm512_max_epu64(x, y); }
  ALWAYS __m512i compress(uint32_t mask, __m512i x) { return _mm512_maskz_compress_epi64(__mmask8(mask), x); }
  ALWAYS __m512i choose(uint32_t mask, __m512i x, __m512i y) { return _mm512_mask_mov_epi64(x, __mmask8(mask), y); }
  ALWAYS __m512i load(const uint64_t* p, uint32_t mask) {
    return _mm512_mask_loadu_epi64(_mm512_set1_epi32(-1), __mmask8(mask), p);
  }
  ALWAYS void store(uint64_t* p, uint32_t mask, __m512i x) { _mm512_mask_storeu_epi64(p, __mmask8(mask), x); }
  ALWAYS __m512i pick(__m512i which, __m512i x) { return _mm512_permutexvar_epi64(which, x); }
  ALWAYS __m512i pick(__m512i which, __m512i x, __m512i y) { return _mm512_permutex2var_epi64(x, which, y); }
  ALWAYS uint32_t with_bit(__m512i x, int bit) { return _mm512_test_epi64_mask(x, _mm512_set1_epi64(bit)); }
  ALWAYS __m512i twice_and(__m512i x, uint32_t mask) {
    x = _mm512_add_epi64(x, x);
    return _mm512_mask_sub_epi64(x, __mmask8(mask), x, _mm512_set1_epi64(-1));
  }
  ALWAYS void store_bytes(uint8_t* p, uint32_t mask, __m512i x) {
    _mm512_mask_cvtepi64_storeu_epi8(p, __mmask8(mask), x);
  }
  template <int flip> ALWAYS __m512i from_flipped(__m512i x, uint32_t mask, __m512i y) {
    if constexpr (flip == 1) return _mm512_mask_permutex_epi64(x, __mmask8(mask), y, 0xB1);
    else if constexpr (flip == 2) return _mm512_mask_permutex_epi64(x, __mmask8(mask), y, 0x4E);
    else return _mm512_mask_shuffle_i64x2(x, __mmask8(mask), y, y, 0x4E);
  }
  ALWAYS void apart(__m512i& a, __m512i& b) {
    const __m512i first = _mm512_setr_epi64(0, 8, 1, 9, 2, 10, 3, 11);
    const __m512i x = _mm512_permutex2var_epi64(a, first, b);
    b = _mm512_permutex2var_epi64(a, _mm512_or_si512(first, _mm512_set1_epi64(4)), b);
    a = x;
  }
  // Vectors 2 i and 2 i + 1 get the i-th column.
  ALWAYS void transpose(__m512i (&v)[16]) {
    __m512i out[16];
#pragma GCC unroll 2
    for (int half = 0; half < 2; ++half) {
      __m512i u[8], *const x = v + 8 * half;
#pragma GCC unroll 4
      for (int a = 0; a < 8; a += 2)
        u[a] = _mm512_unpacklo_epi64(x[a], x[a + 1]), u[a + 1] = _mm512_unpackhi_epi64(x[a], x[a + 1]);
#pragma GCC unroll 2
      for (int a = 0; a < 8; a += 4)
#pragma GCC unroll 2
        for (int b = 0; b < 2; ++b) {
          x[a + b] = _mm512_shuffle_i64x2(u[a + b], u[a + b + 2], 0x88);
          x[a + b + 2] = _mm512_shuffle_i64x2(u[a + b], u[a + b + 2], 0xDD);
        }
#pragma GCC unroll 4
      for (int b = 0; b < 4; ++b) {
        out[2 * b + half] = _mm512_shuffle_i64x2(x[b], x[b + 4], 0x88);
        out[2 * (b + 4) + half] = _mm512_shuffle_i64x2(x[b], x[b + 4], 0xDD);
      }
    }
#pragma GCC unroll 16
    for (int a = 0; a < 16; ++a) v[a] = out[a];
  }
  template <int flip> ALWAYS __m512i flipped(__m512i x) {
    return _mm512_permutexvar_epi64(
        _mm512_setr_epi64(0 ^ flip, 1 ^ flip, 2 ^ flip, 3 ^ flip, 4 ^ flip, 5 ^ flip, 6 ^ flip, 7 ^ flip), x);
  }
};

template <class Key> constexpr uint32_t kAll = (1u << Vector<Key>::kLanes) - 1;

// The lanes whose number has that bit.
template <class Key> constexpr uint32_t lanes_with(int bit) {
  uint32_t mask = 0;
  for (int i = 0; i < Vector<Key>::kLanes; ++i)
    if (i & bit) mask |= 1u << i;
  return mask;
}

// --- the network: kCount vectors in registers, whose elements are numbered through ---

// Element i is compared with number i ^ kFlip, in the same vector; the larger one goes to the place with the highest
// bit of kFlip.
template <class Key, int kFlip, int kBit, int kCount> ALWAYS void within(__m512i (&v)[kCount]) {
  using V = Vector<Key>;
#pragma GCC unroll 16
  for (int a = 0; a < kCount; ++a) {
    const __m512i other = V::template flipped<kFlip>(v[a]);
    v[a] = V::choose(lanes_with<Key>(kBit), V::min(v[a], other), V::max(v[a], other));
  }
}

template <class Key, int kStep, int kCount> ALWAYS void clean(__m512i (&v)[kCount]) {
  using V = Vector<Key>;
  if constexpr (kStep >= V::kLanes) {
    constexpr int apart = kStep / V::kLanes;
#pragma GCC unroll 16
    for (int a = 0; a < kCount; ++a) {
      if (a & apart) continue;
      const __m512i x = v[a], y = v[a | apart];
      v[a] = V::min(x, y), v[a | apart] = V::max(x, y);
    }
  } else {
    within<Key, kStep, kStep>(v);
  }
  if constexpr (kStep > 1) clean<Key, kStep / 2>(v);
}

// From sorted runs of kRun / 2 elements to those of kRun, and on.
template <class Key, int kRun, int kCount> ALWAYS void merge(__m512i (&v)[kCount]) {
  using V = Vector<Key>;
  if constexpr (kRun <= V::kLanes) {
    within<Key, kRun - 1, kRun / 2>(v);
  } else {
    constexpr int mirror = kRun / V::kLanes - 1, half = kRun / V::kLanes / 2;
#pragma GCC unroll 16
    for (int a = 0; a < kCount; ++a) {
      if (a & half) continue;
      const __m512i x = v[a], y = V::template flipped<V::kLanes - 1>(v[a ^ mirror]);
      v[a] = V::min(x, y), v[a ^ mirror] = V::template flipped<V::kLanes - 1>(V::max(x, y));
    }
  }
  if constexpr (kRun >= 4) clean<Key, kRun / 4>(v);
  if constexpr (kRun < kCount * V::kLanes) merge<Key, kRun * 2>(v);
}

// At most kCount vectors of elements.
template <class Key, int kCount> __attribute__((noinline)) void network(Key* x, int64_t n) {
  using V = Vector<Key>;
  __m512i v[kCount];
  uint32_t mask[kCount];
#pragma GCC unroll 16
  for (int a = 0; a < kCount; ++a) {
    const int64_t left = n - a * V::kLanes;
    mask[a] = left >= V::kLanes ? kAll<Key> : left <= 0 ? 0 : (1u << left) - 1;
    v[a] = V::load(x + a * V::kLanes, mask[a]);
  }
  merge<Key, 2>(v);
#pragma GCC unroll 16
  for (int a = 0; a < kCount; ++a) V::store(x + a * V::kLanes, mask[a], v[a]);
}

// --- sixteen vectors: the columns first, by Green's network (1969), then merges of their transpose ---

template <class Key, int kStep> ALWAYS void clean_two(__m512i& a, __m512i& b) {
  using V = Vector<Key>;
  // Two vectors' lanes are sorted at once: those without the bit in one vector, their partners in the other. The lane's
  // bit and the vector's number thereby change places.
  constexpr uint32_t high = lanes_with<Key>(kStep);
  const __m512i x = V::template from_flipped<kStep>(a, high, b), y = V::template from_flipped<kStep>(b, ~high, a);
  a = V::min(x, y), b = V::max(x, y);
  if constexpr (kStep > 1) clean_two<Key, kStep / 2>(a, b);
}

template <class Key, int kApart> ALWAYS void clean_across(__m512i (&v)[16]) {
  using V = Vector<Key>;
#pragma GCC unroll 16
  for (int a = 0; a < 16; ++a) {
    if (a & kApart) continue;
    const __m512i x = v[a], y = v[a | kApart];
    v[a] = V::min(x, y), v[a | kApart] = V::max(x, y);
  }
  if constexpr (kApart > 1) clean_across<Key, kApart / 2>(v);
}

// From sorted runs of kHalf vectors to twice as many, and on.
template <class Key, int kHalf> ALWAYS void merge_runs(__m512i (&v)[16]) {
  using V = Vector<Key>;
#pragma GCC unroll 16
  for (int first = 0; first < 16; first += 2 * kHalf) {
    __m512i high[kHalf];
#pragma GCC unroll 16
    for (int a = 0; a < kHalf; ++a) high[a] = V::template flipped<V::kLanes - 1>(v[first + 2 * kHalf - 1 - a]);
#pragma GCC unroll 16
    for (int a = 0; a < kHalf; ++a) {  // a bitonic sequence stays one if it is reversed
      const __m512i x = v[first + a];
      v[first + a] = V::min(x, high[a]), v[first + kHalf + a] = V::max(x, high[a]);
    }
  }
  if constexpr (kHalf > 1) clean_across<Key, kHalf / 2>(v);
#pragma GCC unroll 16
  for (int a = 0; a < 16; a += 2) {
    clean_two<Key, V::kLanes / 2>(v[a], v[a + 1]);
    V::apart(v[a], v[a + 1]);
  }
  if constexpr (kHalf < 8) merge_runs<Key, 2 * kHalf>(v);
}

template <class Key> ALWAYS void sort_columns(__m512i (&v)[16]) {
  using V = Vector<Key>;
  constexpr unsigned char pairs[60][2] = {
      {0, 1},   {2, 3},   {4, 5},   {6, 7},   {8, 9},  {10, 11}, {12, 13}, {14, 15}, {0, 2},  {4, 6},
      {8, 10},  {12, 14}, {1, 3},   {5, 7},   {9, 11}, {13, 15}, {0, 4},   {8, 12},  {1, 5},  {9, 13},
      {2, 6},   {10, 14}, {3, 7},   {11, 15}, {0, 8},  {1, 9},   {2, 10},  {3, 11},  {4, 12}, {5, 13},
      {6, 14},  {7, 15},  {5, 10},  {6, 9},   {3, 12}, {13, 14}, {4, 8},   {7, 11},  {1, 2},  {1, 4},
      {7, 13},  {2, 8},   {11, 14}, {2, 4},   {5, 6},  {9, 10},  {11, 13}, {3, 8},   {7, 12}, {6, 8},
      {10, 12}, {3, 5},   {7, 9},   {3, 4},   {5, 6},  {7, 8},   {9, 10},  {11, 12}, {6, 7},  {8, 9}};
#pragma GCC unroll 64
  for (int k = 0; k < 60; ++k) {
    const __m512i x = v[pairs[k][0]], y = v[pairs[k][1]];
    v[pairs[k][0]] = V::min(x, y), v[pairs[k][1]] = V::max(x, y);
  }
}

template <class Key> __attribute__((noinline)) void network_16(Key* x, int64_t n) {
  using V = Vector<Key>;
  __m512i v[16];
#pragma GCC unroll 16
  for (int a = 0; a < 16; ++a) {
    const int64_t left = n - a * V::kLanes;
    v[a] = V::load(x + a * V::kLanes, left >= V::kLanes ? kAll<Key> : left <= 0 ? 0 : (1u << left) - 1);
  }
  sort_columns<Key>(v);
  V::transpose(v);
  merge_runs<Key, 16 / V::kLanes>(v);
#pragma GCC unroll 16
  for (int a = 0; a < 16; ++a) {
    const int64_t left = n - a * V::kLanes;
    V::store(x + a * V::kLanes, left >= V::kLanes ? kAll<Key> : left <= 0 ? 0 : (1u << left) - 1, v[a]);
  }
}

template <class Key> constexpr int64_t kNetwork = 16 * Vector<Key>::kLanes;

template <class Key> void sort_few(Key* x, int64_t n) {
  constexpr int lanes = Vector<Key>::kLanes;
  if (n <= lanes) network<Key, 1>(x, n);
  else if (n <= 2 * lanes) network<Key, 2>(x, n);
  else if (n <= 4 * lanes) network<Key, 4>(x, n);
  else if (n <= 8 * lanes) network<Key, 8>(x, n);
  else network_16(x, n);
}

// --- the quicksort ---

template <class Key> Key middle(const Key* x, int64_t n) {
  constexpr int64_t kMany = kNetwork<Key>;
  const int64_t count = n < 4096 ? Vector<Key>::kLanes : kMany;
  Key sample[kMany];
  uint32_t place = 0;
  for (int64_t i = 0; i < count; ++i) {
    place += 0x9E3779B9u;  // of the golden ratio: places that lie evenly, and in step with no pattern
    sample[i] = x[int64_t(double(place) * (1.0 / 4294967296.0) * double(n))];
  }
  sort_few(sample, count);
  return sample[count / 2];
}

// Moves the keys below the pivot (with kEqual also those equal to it) to the front, and returns their number. `room`
// has space for n keys. Each store writes a whole vector, and the next one overwrites its surplus lanes. In x a store
// never reaches keys that are still to be read, because no more keys are written there than were read.
template <bool kEqual, class Key> int64_t split_here(Key* x, int64_t n, Key pivot, Key* room) {
  using V = Vector<Key>;
  const __m512i p = V::all(pivot);
  int64_t i = 0, first = 0, second = 0;
  const auto some = [&]<int kCount>(std::integral_constant<int, kCount>) __attribute__((always_inline)) {
    __m512i v[kCount];
    uint32_t mask[kCount];
#pragma GCC unroll 8
    for (int a = 0; a < kCount; ++a) {
      v[a] = _mm512_loadu_si512(x + i + a * V::kLanes);
      mask[a] = kEqual ? V::not_above(v[a], p) : V::below(v[a], p);
    }
#pragma GCC unroll 8
    for (int a = 0; a < kCount; ++a) {
      const int64_t count = __builtin_popcount(mask[a]);
      _mm512_storeu_si512(x + first, V::compress(mask[a], v[a]));
      _mm512_storeu_si512(room + second, V::compress(~mask[a] & kAll<Key>, v[a]));
      first += count, second += V::kLanes - count;
    }
    i += kCount * V::kLanes;
  };
  while (i + 4 * V::kLanes <= n) some(std::integral_constant<int, 4>());
  while (i + V::kLanes <= n) some(std::integral_constant<int, 1>());
  if (i < n) {
    const uint32_t rest = (1u << (n - i)) - 1;
    const __m512i v = V::load(x + i, rest);
    const uint32_t mask = (kEqual ? V::not_above(v, p) : V::below(v, p)) & rest, others = rest & ~mask;
    const int count = __builtin_popcount(mask), other_count = __builtin_popcount(others);
    V::store(x + first, (1u << count) - 1, V::compress(mask, v));
    V::store(room + second, (1u << other_count) - 1, V::compress(others, v));
    first += count, second += other_count;
  }
  memcpy(x + first, room, size_t(second) * sizeof(Key));
  return first;
}

// Sorts what remains if the sampled pivots split badly too often. It takes at most n log n steps for any keys.
template <class Key> void heap_sort(Key* x, int64_t n) {
  const auto sink = [x](int64_t at, int64_t end) {
    const Key one = x[at];
    for (int64_t child; (child = 2 * at + 1) < end; at = child) {
      if (child + 1 < end && x[child] < x[child + 1]) ++child;
      if (!(one < x[child])) break;
      x[at] = x[child];
    }
    x[at] = one;
  };
  for (int64_t i = n / 2; i-- > 0;) sink(i, n);
  for (int64_t end = n; --end > 0;) {
    const Key last = x[end];
    x[end] = x[0], x[0] = last;
    sink(0, end);
  }
}

template <class Key> void quick_sort(Key* x, int64_t n, Key* room, int depth) {
  while (n > kNetwork<Key>) {
    if (depth-- == 0) return heap_sort(x, n);
    const Key pivot = middle(x, n);
    const int64_t first = split_here<false>(x, n, pivot, room);
    if (first == 0) {  // the pivot is the least one, perhaps of many
      const int64_t same = split_here<true>(x, n, pivot, room);
      x += same, n -= same;
    } else if (first < n - first) {
      quick_sort(x, first, room, depth);
      x += first, n -= first;
    } else {
      quick_sort(x + first, n - first, room, depth);
      n = first;
    }
  }
  sort_few(x, n);
}

template <class Key> void sort_without_digits(Key* x, int64_t n, Key* room) {
  quick_sort(x, n, room, 2 * (64 - __builtin_clzll(uint64_t(n) | 1)));
}

// --- one pass by digits, for keys that lie in the cache ---

constexpr int64_t kDigits = 2048;  // at most

// Maps keys to digits, in the same order. Evenly spread keys give about the same number of keys to each digit.
template <class Key> struct Digits {
  Key least, range;
  int shift = 0;
  uint64_t factor;  // a digit is a product's upper 32 bits
  int64_t count;
  bool exact;  // does a digit have one key?

  Digits(const Key* x, int64_t n) {
    using V = Vector<Key>;
    __m512i low = V::load(x, n >= V::kLanes ? kAll<Key> : 1), high = low;
    Key least_of[V::kLanes], most_of[V::kLanes];
    int64_t i = 0;
    for (; i + V::kLanes <= n; i += V::kLanes) {
      const __m512i v = _mm512_loadu_si512(x + i);
      low = V::min(low, v), high = V::max(high, v);
    }
    _mm512_storeu_si512(least_of, low);
    _mm512_storeu_si512(most_of, high);
    least = x[0];
    Key most = x[0];
    const auto see = [&](Key one) {
      if (one < least) least = one;
      if (most < one) most = one;
    };
    if (n >= V::kLanes)
      for (int k = 0; k < V::kLanes; ++k) see(least_of[k]), see(most_of[k]);
    for (; i < n; ++i) see(x[i]);
    range = most - least;
    if (sizeof(Key) == 8)
      while (uint64_t(range) >> shift >= uint64_t(1) << 32) ++shift;
    const uint64_t values = (uint64_t(range) >> shift) + 1;
    count = n / (kNetwork<Key> * 5 / 8);
    if (count > kDigits) count = kDigits;
    exact = shift == 0 && values <= uint64_t(count);
    if (exact) count = int64_t(values);
    factor = (uint64_t(count) << 32) / values;
  }
  ALWAYS uint64_t of(const Digits& d, Key key) { return (uint64_t(key - d.least) >> d.shift) * d.factor >> 32; }
};

// Sorts n keys; returns where they are: x or room.
template <class Key> Key* sort(Key* x, int64_t n, Key* room) {
  constexpr int64_t kFew = 8 * kNetwork<Key>, kMany = int64_t(1) << 21;  // too few to gain; too many for the cache
  if (n < kFew || n > kMany) {
    sort_without_digits(x, n, room);
    return x;
  }
  const Digits<Key> digits(x, n);
  if (digits.range == 0) return x;
  uint32_t ends[kDigits + 1] = {};
  for (int64_t i = 0; i < n; ++i) ++ends[Digits<Key>::of(digits, x[i]) + 1];
  for (int64_t d = 1; d <= digits.count; ++d) ends[d] += ends[d - 1];
  for (int64_t i = 0; i < n; ++i) room[ends[Digits<Key>::of(digits, x[i])]++] = x[i];
  if (digits.exact) return room;
  for (int64_t d = 0; d < digits.count; ++d) {
    const uint32_t begin = d ? ends[d - 1] : 0;
    const int64_t length = ends[d] - begin;
    if (length <= kNetwork<Key>) sort_few(room + begin, length);
    else sort_without_digits(room + begin, length, x + begin);
  }
  return room;
}

// --- parts for all threads ---

// The splitters form a binary search tree of kSplitLevels levels, which lies in an array: level d begins at index 2^d.
constexpr int kSplitLevels = 7;
static_assert(kSplitParts == 1 << kSplitLevels);

template <class Key> void choose_splitters(const Key* sample, int64_t n, Key* tree) {
  for (int d = 0; d < kSplitLevels; ++d)
    for (int64_t k = 0; k < int64_t(1) << d; ++k) tree[(int64_t(1) << d) + k] = sample[n * (2 * k + 1) >> (d + 1)];
}

// The nodes of one level with the numbers `which`.
template <class Key, int kLevel, int kFirst = 0, int kNodes = 1 << kLevel>
ALWAYS __m512i nodes(const Key* tree, __m512i which) {
  using V = Vector<Key>;
  const Key* const from = tree + (1 << kLevel) + kFirst;
  if constexpr (kNodes <= V::kLanes) return V::pick(which, _mm512_loadu_si512(from));
  else if constexpr (kNodes == 2 * V::kLanes)
    return V::pick(which, _mm512_loadu_si512(from), _mm512_loadu_si512(from + V::kLanes));
  else
    return V::choose(V::with_bit(which, kNodes / 2), nodes<Key, kLevel, kFirst, kNodes / 2>(tree, which),
                     nodes<Key, kLevel, kFirst + kNodes / 2, kNodes / 2>(tree, which));
}

template <class Key, int kLevel> ALWAYS __m512i descend(const Key* tree, __m512i key, __m512i which) {
  using V = Vector<Key>;
  if constexpr (kLevel == kSplitLevels) {
    return which;
  } else {
    const uint32_t right = V::not_above(nodes<Key, kLevel>(tree, which), key);
    return descend<Key, kLevel + 1>(tree, key, V::twice_and(which, right));
  }
}

template <class Key> void classify(const Key* x, int64_t n, const Key* tree, uint8_t* parts, int64_t* counts) {
  using V = Vector<Key>;
  int64_t i = 0;
  for (; i < n; i += V::kLanes) {
    const uint32_t mask = n - i >= V::kLanes ? kAll<Key> : (1u << (n - i)) - 1;
    V::store_bytes(parts + i, mask, descend<Key, 0>(tree, V::load(x + i, mask), _mm512_setzero_si512()));
  }
  int64_t more[3][kSplitParts] = {};  // increments of one place wait for each other
  for (i = 0; i + 4 <= n; i += 4)
    ++counts[parts[i]], ++more[0][parts[i + 1]], ++more[1][parts[i + 2]], ++more[2][parts[i + 3]];
  for (; i < n; ++i) ++counts[parts[i]];
  for (int k = 0; k < kSplitParts; ++k) counts[k] += more[0][k] + more[1][k] + more[2][k];
}

template <class Key> void spread(const Key* x, int64_t n, const uint8_t* parts, Key** next) {
  for (int64_t i = 0; i < n; ++i) *next[parts[i]]++ = x[i];
}

}  // namespace

const KeySorts<uint32_t> key_sorts_32_v4 = {sort, choose_splitters, classify, spread};
const KeySorts<uint64_t> key_sorts_64_v4 = {sort, choose_splitters, classify, spread};

}  // namespace tenon::cpu
