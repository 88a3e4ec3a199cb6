// backend/cpu/run/heap.hpp: the memory that kernels allocate (malloc, new): one heap per device, which outlives
// launches and programs.
#pragma once
#include <cstdint>
#include <map>
#include <mutex>
#include "backend/cpu/shim/language/tenon_abi.h"

namespace tenon::cpu {

struct Launch;

class Heap {
 public:
  Heap();  // with $TENON_KERNEL_HEAP bytes, or 8 MiB as in CUDA
  ~Heap();
  Heap(const Heap&) = delete;

  // NULL: bytes is 0, or not enough memory is left. `launch`: for find_leak.
  void* allocate(uint64_t bytes, const Launch* launch, tenon_index block, tenon_index thread) noexcept;
  bool free(void* at) noexcept;  // false: there is no such block
  bool holds(unsigned long address) noexcept;

  // After a checked launch: a block that it allocated, that still exists, and to which nothing that outlives the launch
  // refers.
  struct Leak {
    uint64_t bytes = 0, count = 0;  // of the first block; number of such blocks
    tenon_index block{}, thread{};
  };
  Leak find_leak(const Launch& launch);

 private:
  struct Block {
    uint64_t bytes;
    const Launch* launch;  // the launch that allocated it; NULL: an earlier one
    tenon_index block, thread;
  };
  std::mutex mutex_;
  std::map<unsigned long, Block> blocks_;  // by address
  uint64_t limit_, used_ = 0;
};

// Called by modules (shim/language/tenon_abi.h).
void* heap_allocate(tenon_worker* worker, unsigned long bytes, tenon_index block, tenon_index thread);
void heap_free(tenon_worker* worker, void* at, tenon_index block, tenon_index thread);

}  // namespace tenon::cpu
