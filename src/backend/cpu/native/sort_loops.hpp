// backend/cpu/native/sort_loops.hpp: the inner loops of sorts, and their tables for instruction sets with vectors.
//
// sort_loops.cpp is compiled for instruction sets that not every processor has. The build makes everything in its
// objects local except the tables, so that no other code runs what was compiled there.
#pragma once
#include <stdint.h>
#include <string.h>
#include <tuple>
#include "device/host.hpp"
#include "device/numbers.cuh"
#include "device/order/order.cuh"

namespace tenon::cpu {

template <class S> using KeyOf = typename tenon_own::Order<S>::Key;

template <class Key> using TakePart = void (*)(void* context, int64_t part, const Key* keys, int64_t n);

template <class Key> struct KeySorts {
  void (*sort)(Key* keys, int64_t n);
  // Adds to counts[k] the number of keys below splitters[k]. n is less than 2^32.
  void (*count_below)(const Key* keys, int64_t n, const Key* splitters, int64_t splitter_count, int64_t* counts);
  // Calls take(context, part, its keys, their number) for each part in order. There is one splitter less than parts, a
  // power of two. The splitters ascend; part k has the keys below splitter k that are not below splitter k - 1. `keys`,
  // which is overwritten, and `room` have space for n keys and kVectorBytes.
  void (*divide)(Key* keys, int64_t n, const Key* splitters, int64_t parts, Key* room, TakePart<Key> take,
                 void* context);
};
constexpr int64_t kVectorBytes = 64;

template <class S> struct ElementLoops {
  // Whether elements_of may give some of the elements other bits: those of -0 and NaN.
  bool (*keys_of)(const S* from, int64_t n, bool descending, KeyOf<S>* to);
  // The result may be where the keys are.
  void (*elements_of)(const KeyOf<S>* from, int64_t n, bool descending, S* to);
  // The number of elements that have that key, which is that of zeros or NaNs. n is less than 2^16.
  int64_t (*count_same)(const S* from, int64_t n, KeyOf<S> key);
  // The first multiple of kStretch such that one of the kStretch elements from there on has a key below the limit, or
  // that fewer elements follow.
  int64_t (*stretch_below)(const S* from, int64_t n, bool descending, KeyOf<S> limit);
};
constexpr int64_t kStretch = 64;

template <class S> static inline bool keys_of(const S* from, int64_t n, bool descending, KeyOf<S>* to) {
  using Order = tenon_own::Order<S>;
  const auto move = [&](bool down) {
    KeyOf<S> others = 0;
    for (int64_t i = 0; i < n; ++i) {
      const KeyOf<S> bits = Order::raw(from[i]);
      to[i] = Order::key_of(bits, down);
      if (tenon_own::Sign<S>::is_float != 0)
        others |= KeyOf<S>(int(bits == Order::sign()) | int(Order::is_nan(from[i])));
    }
    return others != 0;
  };
  return descending ? move(true) : move(false);
}

template <class S> static inline void elements_of(const KeyOf<S>* from, int64_t n, bool descending, S* to) {
  const auto move = [&](bool down) {
    for (int64_t i = 0; i < n; ++i) {
      KeyOf<S> key;
      memcpy(&key, from + i, sizeof key);
      const S x = tenon_own::Order<S>::element(key, down);
      memcpy(to + i, &x, sizeof x);
    }
  };
  if (descending) move(true);
  else move(false);
}

// The same elements are zeros and NaNs in both directions.
template <class S> static inline int64_t count_same(const S* from, int64_t n, KeyOf<S> key) {
  const KeyOf<S> ascending = key == tenon_own::Order<S>::nan_key() ? key : tenon_own::Order<S>::zero_key(false);
  KeyOf<S> count = 0;
  for (int64_t i = 0; i < n; ++i) count += KeyOf<S>(tenon_own::Order<S>::key(from[i], false) == ascending);
  return int64_t(count);
}

template <class S> static inline int64_t stretch_below(const S* from, int64_t n, bool descending, KeyOf<S> limit) {
  const auto find = [&](bool down) {
    int64_t i = 0;
    for (; i + kStretch <= n; i += kStretch) {
      // What comes 4 KB later: processors fetch too little ahead of loops that do several operations per number.
      for (int64_t k = 0; k < kStretch; k += 64 / int64_t(sizeof(S)))
        __builtin_prefetch(from + i + k + 4096 / sizeof(S));
      KeyOf<S> any = 0;
      for (int64_t k = 0; k < kStretch; ++k) any |= KeyOf<S>(tenon_own::Order<S>::key(from[i + k], down) < limit);
      if (any) break;
    }
    return i;
  };
  return descending ? find(true) : find(false);
}

struct SortLoops {
  std::tuple<KeySorts<uint32_t>, KeySorts<uint64_t>> sorts;
  std::tuple<ElementLoops<tenon_own::i32>, ElementLoops<tenon_own::u32>, ElementLoops<float>,
             ElementLoops<tenon_own::i64>, ElementLoops<tenon_own::u64>, ElementLoops<double>>
      elements;
};

extern "C" __attribute__((visibility("hidden"))) const SortLoops tenon_sort_loops_v3, tenon_sort_loops_v4;

}  // namespace tenon::cpu
