// backend/cpu/native/sort_loops.hpp: sorts of plain keys with vectors.
//
// As compute_loops.hpp, sort_loops.cpp is compiled for an instruction set that not every processor has, so it must not
// define inline functions that other objects use too.
#pragma once
#include <cstdint>

namespace tenon::cpu {

template <class Key> struct KeySorts {
  // Sorts n keys; room has space for n more.
  void (*sort)(Key* keys, int64_t n, Key* room);
  // A key with about as many keys below it as above.
  Key (*middle)(const Key* keys, int64_t n);
  int64_t (*count_below)(const Key* keys, int64_t n, Key pivot);
  // Those below the pivot and the others, in their order, to two places.
  void (*split)(const Key* keys, int64_t n, Key pivot, Key* below, Key* others);
};

#if defined(__x86_64__)
extern const KeySorts<uint32_t> key_sorts_32_v4;  // AVX-512
extern const KeySorts<uint64_t> key_sorts_64_v4;
#endif

}  // namespace tenon::cpu
