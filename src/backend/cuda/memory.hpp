// backend/cuda/memory.hpp: the caches of free blocks: small device blocks per stream, host and managed blocks per
// device, and pinned slots for transfers from pageable memory. Defined in memory/memory.cpp.
#pragma once
#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>
#include "backend/cuda/vendor/symbols.hpp"

namespace tenon::cuda {

class CudaDevice;
class CudaStream;

// Size classes: four per power of two, 512 bytes to 32 MiB.
constexpr uint64_t kSmallestBlock = 512;
constexpr uint64_t kLargestBlock = uint64_t(32) << 20;
constexpr uint64_t kLargestOfHost = uint64_t(1) << 20;  // of a host's allocator, which keeps free blocks itself
constexpr int kSizeClasses = 4 * 16 + 1;
int size_class(uint64_t bytes) noexcept;          // for 1 <= bytes <= kLargestBlock
uint64_t size_of_class(int size_class) noexcept;  // bytes per block

class SpinLock {
 public:
  void lock() noexcept {
    while (flag_.test_and_set(std::memory_order_acquire)) flag_.wait(true, std::memory_order_relaxed);
  }
  void unlock() noexcept {
    flag_.clear(std::memory_order_release);
    flag_.notify_one();
  }

 private:
  std::atomic_flag flag_;
};

// Free device blocks of one stream. Work enqueued on that stream was the last to use them, so later work there may
// reuse them at once: no driver call, no event.
class Bins {
 public:
  void* take(int size_class) noexcept;            // NULL: none
  bool put(int size_class, void* data) noexcept;  // false: the bin is full, and the block still belongs to the caller
  uint64_t held() const noexcept { return held_.load(std::memory_order_relaxed); }
  static constexpr int kBlocks = 8;
  // Empties one bin and returns its number of blocks, which then belong to the caller.
  int drain(std::array<void*, kBlocks>& out, int size_class) noexcept;

 private:
  static constexpr uint64_t kLimit = uint64_t(256) << 20;
  struct Bin {
    int count = 0;
    std::array<void*, kBlocks> blocks;
  };
  SpinLock lock_;
  std::atomic<uint64_t> held_{0};
  std::array<Bin, kSizeClasses> bins_{};
};

// Free pinned or managed blocks of a device. The host may use such a block without checking a stream, so a block only
// gets here after all work that used it is over (Parking ensures that).
class HostCache {
 public:
  HostCache(CudaDevice& device, int32_t kind) : device_(device), kind_(kind) {}
  void* allocate(uint64_t bytes);  // throws OUT_OF_MEMORY
  void release(void* data, uint64_t bytes) noexcept;
  uint64_t held() const noexcept { return held_.load(std::memory_order_relaxed); }
  void trim() noexcept;

 private:
  struct Block {
    void* data;
    uint64_t bytes;
  };
  static uint64_t rounded(uint64_t bytes) noexcept;
  void* take(uint64_t rounded_bytes) noexcept;  // NULL: none
  void free_block(const Block& block) noexcept;

  CudaDevice& device_;
  int32_t kind_;
  std::mutex mutex_;
  std::atomic<uint64_t> held_{0};
  std::vector<Block> blocks_;
};

// Pinned slots through which pageable memory is copied in pieces.
class Staging {
 public:
  static constexpr uint64_t kSlot = uint64_t(4) << 20;
  struct Slot {
    void* data = nullptr;
    CUevent done = nullptr;
    bool busy = false;
    bool recorded = false;
    bool in_doubt = false;  // a copy may be running whose state the driver does not report: the slot stays busy
  };

  explicit Staging(CudaDevice& device) : device_(device) {}
  Slot* take();  // NULL: all are in use
  void give_back(Slot* slot) noexcept;
  // Returns a slot at the end of the scope.
  struct GiveBack {
    Staging* staging;
    void operator()(Slot* slot) const noexcept { staging->give_back(slot); }
  };
  using Held = std::unique_ptr<Slot, GiveBack>;
  Held hold() { return Held(take(), GiveBack{this}); }
  void clear() noexcept;

 private:
  static constexpr size_t kSlots = 16;
  CudaDevice& device_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Slot>> slots_;
  size_t next_ = 0;
};

}  // namespace tenon::cuda
