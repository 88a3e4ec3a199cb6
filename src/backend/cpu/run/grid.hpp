// backend/cpu/run/grid.hpp: cooperative launches: every block has a host thread of its own, so that blocks may wait for
// each other.
#pragma once
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include "backend/cpu/run/worker.hpp"

namespace tenon::cpu {

constexpr int64_t kMostCooperativeBlocks = 1024;

// The barrier of the blocks of a grid. A block that ends, or fails, leaves it.
class GridBarrier {
 public:
  explicit GridBarrier(int64_t blocks) : members_(blocks) {}
  bool wait();  // false: a block failed, and the others must end too
  void leave(bool failed);

 private:
  std::mutex mutex_;
  std::condition_variable all_came_;
  int64_t members_, arrived_ = 0;
  uint64_t round_ = 0;
  bool failed_ = false;
};

// Runs all blocks at once.
void run_cooperative(Launch& launch, int64_t blocks);

}  // namespace tenon::cpu
