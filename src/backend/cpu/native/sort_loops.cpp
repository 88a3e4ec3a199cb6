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

template <class Key> constexpr int64_t kNetwork = 8 * Vector<Key>::kLanes;

template <class Key> void sort_few(Key* x, int64_t n) {
  constexpr int lanes = Vector<Key>::kLanes;
  if (n <= lanes) network<Key, 1>(x, n);
  else if (n <= 2 * lanes) network<Key, 2>(x, n);
  else if (n <= 4 * lanes) network<Key, 4>(x, n);
  else network<Key, 8>(x, n);
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

// Those below the pivot (kEqual: or equal to it) first; returns their number. room: for n keys. Whole vectors are
// written, of which the next ones overwrite what is too much; they end before those that have not been read.
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
  for (; i < n; ++i) {
    const Key one = x[i];
    if (kEqual ? one <= pivot : one < pivot) x[first++] = one;
    else room[second++] = one;
  }
  memcpy(x + first, room, size_t(second) * sizeof(Key));
  return first;
}

// For keys that the middles are far from the middle of: never more than n log n steps.
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

template <class Key> void sort(Key* x, int64_t n, Key* room) {
  quick_sort(x, n, room, 2 * (64 - __builtin_clzll(uint64_t(n) | 1)));
}

template <class Key> int64_t count_below(const Key* x, int64_t n, Key pivot) {
  using V = Vector<Key>;
  const __m512i p = V::all(pivot);
  int64_t i = 0, count = 0;
  for (; i + V::kLanes <= n; i += V::kLanes) count += __builtin_popcount(V::below(_mm512_loadu_si512(x + i), p));
  for (; i < n; ++i) count += x[i] < pivot;
  return count;
}

template <class Key> void split(const Key* x, int64_t n, Key pivot, Key* first, Key* second) {
  using V = Vector<Key>;
  const __m512i p = V::all(pivot);
  int64_t i = 0;
  for (; i + V::kLanes <= n; i += V::kLanes) {
    const __m512i v = _mm512_loadu_si512(x + i);
    const uint32_t mask = V::below(v, p);
    const int count = __builtin_popcount(mask);
    // Only what belongs there: other threads write beside it.
    V::store(first, (1u << count) - 1, V::compress(mask, v));
    V::store(second, (1u << (V::kLanes - count)) - 1, V::compress(~mask & kAll<Key>, v));
    first += count, second += V::kLanes - count;
  }
  for (; i < n; ++i) *(x[i] < pivot ? first : second)++ = x[i];
}

}  // namespace

const KeySorts<uint32_t> key_sorts_32_v4 = {sort, middle, count_below, split};
const KeySorts<uint64_t> key_sorts_64_v4 = {sort, middle, count_below, split};

}  // namespace tenon::cpu
