// backend/cpu/memory.hpp: host memory for buffers: 64-byte aligned, cached by size class.
//
// Free blocks belong to the process: a small cache per thread in front of one central store, so that a device may go
// while its blocks are reused by the next. Statistics and the limit belong to a device.
#pragma once
#include <atomic>
#include <cstdint>

namespace tenon::cpu {

constexpr uint64_t kAlignment = 64;

class Memory {
 public:
  // pool: false makes every allocation its own (memory checkers). limit: 0 for none.
  Memory(bool pool, uint64_t limit);

  void* allocate(uint64_t bytes);  // throws OUT_OF_MEMORY: asked, used, free
  void deallocate(void* data, uint64_t bytes) noexcept;
  // Memory from elsewhere counts like Memory's own: take before it is asked for, which throws where the limit says no,
  // then give at its end, or untake where there was none.
  void take(uint64_t bytes);
  void give(uint64_t bytes) noexcept { used_.fetch_sub(bytes, std::memory_order_relaxed); }
  void untake(uint64_t bytes) noexcept {
    give(bytes);
    allocations_.fetch_sub(1, std::memory_order_relaxed);
  }
  // Gives free blocks back to the system, down to keep_bytes. Blocks in other threads' caches go at their next use.
  static void trim(uint64_t keep_bytes) noexcept;

  uint64_t used() const { return used_.load(std::memory_order_relaxed); }
  uint64_t peak() const { return peak_.load(std::memory_order_relaxed); }
  uint64_t allocations() const { return allocations_.load(std::memory_order_relaxed); }
  uint64_t limit() const { return limit_.load(std::memory_order_relaxed); }
  void set_limit(uint64_t limit) { limit_.store(limit, std::memory_order_relaxed); }
  static uint64_t cached();  // bytes of free blocks held by the process

 private:
  const bool pool_, poison_;
  std::atomic<uint64_t> limit_, used_{0}, peak_{0}, allocations_{0};
};

// Memory for the time of a call, not cleared, from the same free blocks: a routine that is called again finds its
// workspace there. It counts for no device. Throws std::bad_alloc.
void* scratch_get(uint64_t bytes);
void scratch_put(void* data, uint64_t bytes) noexcept;

// The bytes a request is served with: eight steps per doubling, so at most an eighth is lost. `step` numbers the
// classes.
uint64_t size_class(uint64_t bytes, int* step);

}  // namespace tenon::cpu
