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

template <class Key> struct KeySorts {
  void (*sort)(Key* keys, int64_t n);
  // Adds to counts[k] the number of keys below splitters[k]. n is less than 2^32.
  void (*count_below)(const Key* keys, int64_t n, const Key* splitters, int64_t splitter_count, int64_t* counts);
  // Moves the keys of each part together, in the order of the parts, and sets counts[part] to the number of its keys.
  // There is one splitter less than parts, a power of two. The splitters ascend; part k has the keys below splitter k
  // that are not below splitter k - 1. `room` has space for n keys and kVectorBytes.
  void (*divide)(Key* keys, int64_t n, const Key* splitters, int64_t parts, Key* room, int64_t* counts);
};
constexpr int64_t kVectorBytes = 64;

template <class S> struct ElementLoops {
  void (*keys_of)(const S* from, int64_t n, bool descending, KeyOf<S>* to);
  // The result may be where the keys are.
  void (*elements_of)(const KeyOf<S>* from, int64_t n, bool descending, S* to);
  // The number of elements that have that key, but other bits.
  int64_t (*count_others)(const S* from, int64_t n, KeyOf<S> key, KeyOf<S> bits);
};

template <class S> static inline void keys_of(const S* from, int64_t n, bool descending, KeyOf<S>* to) {
  if (descending)
    for (int64_t i = 0; i < n; ++i) to[i] = tenon_own::Order<S>::key(from[i], true);
  else
    for (int64_t i = 0; i < n; ++i) to[i] = tenon_own::Order<S>::key(from[i], false);
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

// Of the keys that several elements have, those of zeros and NaN, both directions tell the same elements apart.
template <class S> static inline int64_t count_others(const S* from, int64_t n, KeyOf<S> key, KeyOf<S> bits) {
  using Order = tenon_own::Order<S>;
  KeyOf<S> count = 0;  // n is less than 2^16
  for (int64_t i = 0; i < n; ++i)
    count += KeyOf<S>(int(Order::key(from[i], false) == key) & int(Order::raw(from[i]) != bits));
  return int64_t(count);
}

struct SortLoops {
  std::tuple<KeySorts<uint32_t>, KeySorts<uint64_t>> sorts;
  std::tuple<ElementLoops<tenon_own::i32>, ElementLoops<tenon_own::u32>, ElementLoops<float>,
             ElementLoops<tenon_own::i64>, ElementLoops<tenon_own::u64>, ElementLoops<double>>
      elements;
};

extern "C" __attribute__((visibility("hidden"))) const SortLoops tenon_sort_loops_v3, tenon_sort_loops_v4;

}  // namespace tenon::cpu
