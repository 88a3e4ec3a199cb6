// backend/cpu/run/grid.hpp: launches whose blocks wait for each other: all blocks of a cooperative launch, or those of
// a cluster, run at the same time, each on a host thread of its own.
#pragma once
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include "backend/cpu/run/worker.hpp"

namespace tenon::cpu {

constexpr int64_t kMostCooperativeBlocks = 1024;

// The barrier of the blocks of a grid or a cluster. A block that ends, or fails, leaves it.
class GridBarrier {
 public:
  explicit GridBarrier(int64_t blocks) : members_(blocks) {}
  uint64_t arrive();              // returns the round to wait for
  bool wait_for(uint64_t round);  // false: a block failed, and the others must end too
  bool wait() { return wait_for(arrive()); }
  void leave(bool failed);                  // of a block that is in no round
  void leave(bool failed, uint64_t round);  // of a block that has arrived, and does not wait

 private:
  void end_round();

  std::mutex mutex_;
  std::condition_variable all_came_;
  int64_t members_, arrived_ = 0;
  uint64_t round_ = 0;
  bool failed_ = false;
};

// The place of a block in its cluster, for the host thread that runs it.
struct ClusterSeat {
  tenon_frame frame{};  // the launch's, with the windows of this cluster
  GridBarrier* barrier = nullptr;
  uint64_t arrivals = 0;          // threads of the block
  std::optional<uint64_t> round;  // the block has arrived, and waits for it

  void arrive();
  bool wait();
  void leave(bool failed);
};

// Runs all blocks at once. A cluster of 1 block: there are none.
void run_cooperative(Launch& launch, int64_t blocks);
// Runs the blocks of each cluster at once, and all clusters if the launch is cooperative.
void run_clusters(Launch& launch, tenon_index cluster, int64_t blocks);

}  // namespace tenon::cpu
