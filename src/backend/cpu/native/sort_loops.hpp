// backend/cpu/native/sort_loops.hpp: sorts of plain keys with vectors.
//
// As compute_loops.hpp, sort_loops.cpp is compiled for an instruction set that not every processor has, so it must not
// define inline functions that other objects use too.
#pragma once
#include <cstdint>

namespace tenon::cpu {

constexpr int kSplitParts = 128;

template <class Key> struct KeySorts {
  // Sorts n keys; room has space for n more. Returns where they are: keys or room.
  Key* (*sort)(Key* keys, int64_t n, Key* room);
  // Chooses from n sorted keys the splitters, an array of 2 * kSplitParts keys in the order that `classify` needs.
  void (*choose_splitters)(const Key* sample, int64_t n, Key* splitters);
  // Writes the number of each key's part to `parts`, and adds the keys of each part to its count. All keys of a part
  // are below those of the next.
  void (*classify)(const Key* keys, int64_t n, const Key* splitters, uint8_t* parts, int64_t* counts);
  // Appends each key to its part, whose end next[part] then moves.
  void (*spread)(const Key* keys, int64_t n, const uint8_t* parts, Key** next);
};

#if defined(__x86_64__)
extern const KeySorts<uint32_t> key_sorts_32_v4;  // AVX-512
extern const KeySorts<uint64_t> key_sorts_64_v4;
#endif

}  // namespace tenon::cpu
