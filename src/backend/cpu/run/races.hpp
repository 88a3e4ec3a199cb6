// backend/cpu/run/races.hpp: unsynchronised accesses of a block's threads to the same shared memory, in the checked
// mode; defined in checks/races.cpp.
#pragma once
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

namespace tenon::cpu {

// Accesses of two threads to one byte race if one of them writes and nothing orders them: no barrier of the block or
// fence, and within a warp no operation of its lanes. The order is tracked as "happens before": barriers and fences
// begin a new epoch; within an epoch, each lane knows up to which operation of the warp it has seen the others. Two
// writes are not reported (CUDA keeps one of them), nor two atomic operations, nor an atomic operation and a plain
// read. A fence counts as a barrier, because a thread that waits for a flag does nothing that could be observed. So
// whatever is reported is a race, but not every race is reported.
class Races {
 public:
  enum class Kind { read, write, atomic };
  struct Conflict {
    int thread = -1;     // -1: no conflict
    bool wrote = false;  // true: that thread wrote
  };

  void start_block(int64_t threads);
  void new_epoch() { ++epoch_; }
  void warp_met(unsigned warp, unsigned lanes);
  // Records an access to `bytes` bytes at `offset` in memory of `room` bytes.
  Conflict access(uint64_t room, uint64_t offset, uint64_t bytes, Kind kind, unsigned thread);

 private:
  static constexpr unsigned kWarp = 32;
  static constexpr uint16_t kSeveral = 0xffff;  // several warps
  struct Cell {
    uint32_t write_epoch, write_tick, read_epoch, read_tick, read_lanes;
    uint16_t writer, read_warp, readers[2];  // readers: one of each of the first two warps that read
    bool atomic;
  };
  struct Warp {
    uint32_t tick = 0;                 // number of operations of its lanes so far
    uint32_t seen[kWarp][kWarp] = {};  // [lane][other]: the operation up to which the lane knows what the other did
  };

  bool knows(unsigned thread, unsigned other, uint32_t tick) const;
  Conflict look(const Cell& cell, Kind kind, unsigned thread) const;
  void note(Cell& cell, Kind kind, unsigned thread) const;

  struct Free {
    void operator()(Cell* cells) const { std::free(cells); }
  };
  std::unique_ptr<Cell[], Free> cells_;  // one per byte; untouched pages take no memory
  uint64_t room_ = 0;
  std::vector<Warp> warps_;
  uint32_t epoch_ = 0;
};

}  // namespace tenon::cpu
