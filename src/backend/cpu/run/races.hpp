// backend/cpu/run/races.hpp: threads of a block that meet in shared memory with nothing between them, in the checked
// mode.
#pragma once
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

namespace tenon::cpu {

// Two accesses of different threads to one byte race where one of them writes and nothing orders them: no barrier of
// the block or fence, and within a warp no operation of its lanes. Each is followed by its "happens before": barriers
// and fences begin a new epoch; within one, each lane knows up to which operation of the warp it has seen the others.
// Nothing is said of two writes (CUDA lets one of them stay), of two atomic operations, and of an atomic operation
// beside a plain read. A fence counts as a barrier, as whoever waits for a flag does nothing that shows. What is
// reported is a race, then; not every race is.
class Races {
 public:
  enum class Kind { read, write, atomic };
  struct Conflict {
    int thread = -1;     // -1: there is none
    bool wrote = false;  // that thread did
  };

  void start_block(int64_t threads);
  void new_epoch() { ++epoch_; }
  void warp_met(unsigned warp, unsigned lanes);
  // Of `room` bytes of memory, `bytes` from `offset` on.
  Conflict access(uint64_t room, uint64_t offset, uint64_t bytes, Kind kind, unsigned thread);

 private:
  static constexpr unsigned kWarp = 32;
  static constexpr uint16_t kSeveral = 0xffff;  // warps
  struct Cell {
    uint32_t write_epoch, write_tick, read_epoch, read_tick, read_lanes;
    uint16_t writer, read_warp, readers[2];  // those two of the first two warps that read
    bool atomic;
  };
  struct Warp {
    uint32_t tick = 0;  // operations of its lanes so far
    uint32_t seen[kWarp][kWarp] =
        {};  // [lane][other]: the operation by which the lane knows what the other did before it
  };

  bool knows(unsigned thread, unsigned other, uint32_t tick) const;
  Conflict look(const Cell& cell, Kind kind, unsigned thread) const;
  void note(Cell& cell, Kind kind, unsigned thread) const;

  struct Free {
    void operator()(Cell* cells) const { std::free(cells); }
  };
  std::unique_ptr<Cell[], Free> cells_;  // one a byte; pages that nobody touches take no memory
  uint64_t room_ = 0;
  std::vector<Warp> warps_;
  uint32_t epoch_ = 0;
};

}  // namespace tenon::cpu
