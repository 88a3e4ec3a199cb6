// backend/cpu/memory.hpp: host memory for buffers: 64-byte aligned, cached by size class.
//
// Free blocks belong to the process: a small cache per thread in front of one central store, so that after a device
// ends, the next one reuses its blocks. Statistics and the limit belong to a device.
#pragma once
#include <atomic>
#include <cstdint>
#include <memory>

namespace tenon::cpu {

constexpr uint64_t kAlignment = 64;

class Memory {
 public:
  // pool == false: every allocation is separate (for memory checkers). limit: 0 for none.
  Memory(bool pool, uint64_t limit);

  void* allocate(uint64_t bytes);  // throws OUT_OF_MEMORY with the bytes requested, used and free
  void deallocate(void* data, uint64_t bytes) noexcept;
  // Memory from elsewhere counts like Memory's own: call take before allocating it, which throws if the limit would be
  // exceeded, then give at its end, or untake if the allocation failed.
  void take(uint64_t bytes);
  void give(uint64_t bytes) noexcept { used_.fetch_sub(bytes, std::memory_order_relaxed); }
  void untake(uint64_t bytes) noexcept {
    give(bytes);
    allocations_.fetch_sub(1, std::memory_order_relaxed);
  }
  // Returns free blocks to the system until keep_bytes are left. Those in other threads' caches are returned when these
  // threads next use them.
  static void trim(uint64_t keep_bytes) noexcept;

  uint64_t used() const { return used_.load(std::memory_order_relaxed); }
  uint64_t peak() const { return peak_.load(std::memory_order_relaxed); }
  uint64_t allocations() const { return allocations_.load(std::memory_order_relaxed); }
  uint64_t limit() const { return limit_.load(std::memory_order_relaxed); }
  void set_limit(uint64_t limit) { limit_.store(limit, std::memory_order_relaxed); }
  static uint64_t cached();  // total size of the free blocks that the process holds

 private:
  const bool pool_, poison_;
  std::atomic<uint64_t> limit_, used_{0}, peak_{0}, allocations_{0};
};

// Uninitialised memory for one call, from the same free blocks: a routine that is called again finds its workspace
// there. It does not count for any device. Throws std::bad_alloc.
void* scratch_get(uint64_t bytes);
void scratch_put(void* data, uint64_t bytes) noexcept;

// The same for numbers. Earlier calls have touched the memory: the page faults of new memory would take half as long as
// a sort.
struct ScratchDeleter {
  uint64_t bytes = 0;
  void operator()(void* data) const noexcept { scratch_put(data, bytes); }
};
template <class T> using Workspace = std::unique_ptr<T[], ScratchDeleter>;
template <class T> Workspace<T> scratch(int64_t count) {
  const uint64_t bytes = uint64_t(count > 0 ? count : 1) * sizeof(T);
  return Workspace<T>(static_cast<T*>(scratch_get(bytes)), ScratchDeleter{bytes});
}

// The size of the block that serves a request: eight steps per doubling, so at most an eighth is lost. `step` receives
// the number of the class.
uint64_t size_class(uint64_t bytes, int* step);

}  // namespace tenon::cpu
