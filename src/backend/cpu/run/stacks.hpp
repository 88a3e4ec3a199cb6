// backend/cpu/run/stacks.hpp: the stacks of a worker's fibers.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tenon::cpu {

// Address space for `count` stacks, of which only touched pages take memory. A guard page below each stack stops an
// overflow as long as the process has few mappings; beyond that, further stacks have none.
class Stacks {
 public:
  Stacks() = default;
  ~Stacks() { clear(); }
  Stacks(const Stacks&) = delete;

  // Makes room for at least that many stacks of at least that size; false: out of memory.
  bool reserve(int64_t count, uint64_t bytes);
  // The upper end of stack i. Ends are staggered, so that equal frames of many fibers do not map to the same cache
  // sets.
  void* top(int64_t i) const { return arena_ + (uint64_t(i) + 1) * slot_ - uint64_t(i % 16) * 192; }
  bool contains(const void* address) const { return arena_ && address >= arena_ && address < arena_ + bytes_; }

 private:
  void clear();

  char* arena_ = nullptr;
  uint64_t bytes_ = 0, slot_ = 0;
  int64_t count_ = 0, guards_ = 0;
  std::vector<uint64_t> known_to_valgrind_;  // the ids that valgrind assigned to the stacks
};

}  // namespace tenon::cpu
