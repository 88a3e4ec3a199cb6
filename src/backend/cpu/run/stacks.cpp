// backend/cpu/run/stacks.cpp: the stacks of a worker's fibers.
#include "backend/cpu/run/stacks.hpp"
#include <sys/mman.h>
#include <algorithm>
#include <atomic>

namespace tenon::cpu {
namespace {

constexpr uint64_t kPage = 4096;
// Linux allows a process 65,530 mappings, and each guard page makes two.
constexpr int64_t kMostGuards = 16384;
std::atomic<int64_t> guards_in_process{0};

// When a stack pointer moves by less than 2 MB, valgrind takes that for a growing or shrinking stack, and the memory it
// leaves for invalid, unless it knows that both ends belong to different stacks. A request tells it: a sequence of
// rotations that has no effect on a processor ("The Client Request mechanism" in Valgrind's manual; the numbers are
// part of its interface).
uint64_t request_to_valgrind([[maybe_unused]] uint64_t request, [[maybe_unused]] uint64_t first = 0,
                             [[maybe_unused]] uint64_t second = 0) {
  uint64_t result = 0;
#if defined(__x86_64__)
  volatile uint64_t arguments[6] = {request, first, second, 0, 0, 0};
  asm volatile("rolq $3, %%rdi; rolq $13, %%rdi; rolq $61, %%rdi; rolq $51, %%rdi; xchgq %%rbx, %%rbx"
               : "=d"(result)
               : "a"(&arguments[0]), "0"(result)
               : "cc", "memory");
#endif
  return result;
}
constexpr uint64_t kRunningOnValgrind = 0x1001, kStackRegister = 0x1501, kStackDeregister = 0x1502;

}  // namespace

void Stacks::clear() {
  for (const uint64_t id : known_to_valgrind_) request_to_valgrind(kStackDeregister, id);
  known_to_valgrind_.clear();
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
  void* got = mmap(nullptr, size * uint64_t(count), PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (got == MAP_FAILED) return false;
  madvise(got, size * uint64_t(count), MADV_NOHUGEPAGE);  // one huge page per stack would waste memory
  arena_ = static_cast<char*>(got);
  bytes_ = size * uint64_t(count);
  slot_ = size;
  count_ = count;
  if (request_to_valgrind(kRunningOnValgrind))
    for (int64_t i = 0; i < count; ++i) {
      const uint64_t low = reinterpret_cast<uint64_t>(arena_) + uint64_t(i) * slot_;
      known_to_valgrind_.push_back(request_to_valgrind(kStackRegister, low, low + slot_ - 1));
    }
  if (guards_in_process.fetch_add(count) + count > kMostGuards) {
    guards_in_process.fetch_sub(count);
    return true;
  }
  guards_ = count;
  for (int64_t i = 0; i < count; ++i) mprotect(arena_ + uint64_t(i) * slot_, kPage, PROT_NONE);
  return true;
}

}  // namespace tenon::cpu
