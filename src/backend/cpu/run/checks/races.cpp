// backend/cpu/run/checks/races.cpp: unsynchronised accesses of a block's threads to the same shared memory, in the
// checked mode.
#include "backend/cpu/run/races.hpp"
#include <algorithm>

namespace tenon::cpu {

void Races::start_block(int64_t threads) {
  warps_.resize(std::max(warps_.size(), size_t(threads + kWarp - 1) / kWarp));
  new_epoch();
}

void Races::warp_met(unsigned warp, unsigned lanes) {
  Warp& w = warps_[warp];
  uint32_t together[kWarp] = {};
  for (unsigned lane = 0; lane < kWarp; ++lane)
    for (unsigned other = 0; lanes >> lane & 1 && other < kWarp; ++other)
      together[other] = std::max(together[other], w.seen[lane][other]);
  ++w.tick;
  for (unsigned lane = 0; lane < kWarp; ++lane)
    if (lanes >> lane & 1) together[lane] = w.tick;
  for (unsigned lane = 0; lane < kWarp; ++lane)
    if (lanes >> lane & 1) std::copy(together, together + kWarp, w.seen[lane]);
}

bool Races::knows(unsigned thread, unsigned other, uint32_t tick) const {
  return thread / kWarp == other / kWarp && warps_[thread / kWarp].seen[thread % kWarp][other % kWarp] > tick;
}

Races::Conflict Races::look(const Cell& cell, Kind kind, unsigned thread) const {
  const bool written =
      cell.write_epoch == epoch_ && cell.writer != thread && !knows(thread, cell.writer, cell.write_tick);
  if (written && (kind == Kind::read ? !cell.atomic : (kind == Kind::atomic) != bool(cell.atomic)))
    return {cell.writer, true};
  if (kind != Kind::write || cell.read_epoch != epoch_) return {};
  const unsigned warp = thread / kWarp, self = 1u << thread % kWarp;
  if (cell.read_warp == kSeveral) return {cell.readers[cell.readers[0] / kWarp == warp], false};
  for (unsigned left = cell.read_warp == warp ? cell.read_lanes & ~self : cell.read_lanes; left; left &= left - 1) {
    const unsigned reader = cell.read_warp * kWarp + unsigned(__builtin_ctz(left));
    if (!knows(thread, reader, cell.read_tick)) return {int(reader), false};
  }
  return {};
}

void Races::note(Cell& cell, Kind kind, unsigned thread) const {
  const unsigned warp = thread / kWarp, lane = 1u << thread % kWarp;
  const uint32_t tick = warps_[warp].tick;
  // (An atomic operation does not hide an earlier plain write, which may race with other threads.)
  if (kind == Kind::atomic && cell.write_epoch == epoch_ && !cell.atomic) return;
  if (kind != Kind::read) {
    cell.write_epoch = epoch_, cell.write_tick = tick, cell.writer = uint16_t(thread),
    cell.atomic = kind == Kind::atomic;
    return;
  }
  if (cell.read_epoch == epoch_ && cell.read_warp == kSeveral) return;
  if (cell.read_epoch == epoch_ && cell.read_warp != warp) {
    cell.read_warp = kSeveral, cell.readers[1] = uint16_t(thread);
    return;
  }
  // Readers that this one knows about are covered by it. For others the earlier tick is kept, which never reports too
  // much.
  bool covers = cell.read_epoch != epoch_;
  if (!covers) {
    covers = true;
    for (unsigned left = cell.read_lanes & ~lane; left && covers; left &= left - 1)
      covers = knows(thread, warp * kWarp + unsigned(__builtin_ctz(left)), cell.read_tick);
  }
  cell.read_epoch = epoch_, cell.read_warp = uint16_t(warp), cell.readers[0] = uint16_t(thread);
  cell.read_lanes = covers ? lane : cell.read_lanes | lane;
  if (covers) cell.read_tick = tick;
}

Races::Conflict Races::access(uint64_t room, uint64_t offset, uint64_t bytes, Kind kind, unsigned thread) {
  if (room > room_) {
    cells_.reset(static_cast<Cell*>(std::calloc(size_t(room), sizeof(Cell))));
    room_ = cells_ ? room : 0;
  }
  if (thread / kWarp >= warps_.size()) return {};
  const uint64_t end = std::min(room_, offset + bytes);
  Conflict found;
  for (uint64_t at = offset; at < end; ++at) {
    const Conflict one = look(cells_[at], kind, thread);
    if (found.thread < 0) found = one;
    note(cells_[at], kind, thread);
  }
  return found;
}

}  // namespace tenon::cpu
