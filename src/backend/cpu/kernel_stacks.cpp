// backend/cpu/kernel_stacks.cpp: the stacks of a worker's fibers.
#include "backend/cpu/kernel_stacks.hpp"
#include <sys/mman.h>
#include <algorithm>
#include <atomic>

namespace tenon::cpu {
namespace {

constexpr uint64_t kPage = 4096;
// Linux allows a process 65,530 mappings, and each guard page makes two.
constexpr int64_t kMostGuards = 16384;
std::atomic<int64_t> guards_in_process{0};

}  // namespace

void Stacks::clear() {
  if (arena_) munmap(arena_, bytes_);
  guards_in_process.fetch_sub(guards_);
  arena_ = nullptr;
  bytes_ = slot_ = 0;
  count_ = guards_ = 0;
}

bool Stacks::reserve(int64_t count, uint64_t bytes) {
  const uint64_t slot = (bytes + kPage - 1) / kPage * kPage + kPage;
  if (count <= count_ && slot <= slot_) return true;
  count = std::max(count, count_);
  const uint64_t size = std::max(slot, slot_);
  clear();
  void* got = mmap(nullptr, size * uint64_t(count), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (got == MAP_FAILED) return false;
  madvise(got, size * uint64_t(count), MADV_NOHUGEPAGE);  // a huge page a stack would be memory for nothing
  arena_ = static_cast<char*>(got);
  bytes_ = size * uint64_t(count);
  slot_ = size;
  count_ = count;
  if (guards_in_process.fetch_add(count) + count > kMostGuards) {
    guards_in_process.fetch_sub(count);
    return true;
  }
  guards_ = count;
  for (int64_t i = 0; i < count; ++i) mprotect(arena_ + uint64_t(i) * slot_, kPage, PROT_NONE);
  return true;
}

}  // namespace tenon::cpu
