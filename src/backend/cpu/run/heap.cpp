// backend/cpu/run/heap.cpp: malloc and free in kernels.
#include "backend/cpu/run/heap.hpp"
#include <cstdlib>
#include <cstring>
#include <new>
#include <set>
#include <vector>
#include "backend/cpu/kernel.hpp"
#include "backend/cpu/run/bounds.hpp"
#include "backend/cpu/run/worker.hpp"
#include "base/files.hpp"

namespace tenon::cpu {
namespace {

constexpr uint64_t kUsualLimit = 8 << 20, kEntry = 64;  // bytes; overhead per block

uint64_t limit_from_environment() {
  const std::string text = base::environment("TENON_KERNEL_HEAP");
  char* end = nullptr;
  const unsigned long long bytes = std::strtoull(text.c_str(), &end, 10);
  return end != text.c_str() && !*end ? bytes : kUsualLimit;
}

// Whether everything that the launch was given is known: a raw pointer may lead anywhere.
bool knows_arguments(const Launch& launch) {
  const Values& values = *launch.values;
  for (uint32_t i = 0; i < values.count; ++i)
    if (values.shapes[i].kind != TENON_PARAMETER_SCALAR &&
        (values.shapes[i].kind != TENON_PARAMETER_POINTER || values.shapes[i].dtype == 0 || !values.extents ||
         !values.extents[i].data))
      return false;
  return true;
}

}  // namespace

Heap::Heap() : limit_(limit_from_environment()) {}
Heap::~Heap() {
  for (const auto& [address, block] : blocks_) std::free(reinterpret_cast<void*>(address));
}

void* Heap::allocate(uint64_t bytes, const Launch* launch, tenon_index block, tenon_index thread) noexcept {
  const std::lock_guard lock(mutex_);
  if (bytes == 0 || bytes > limit_ || used_ + bytes + kEntry > limit_) return nullptr;
  void* const out = std::malloc(bytes);
  if (!out) return nullptr;
  try {
    blocks_.emplace(reinterpret_cast<unsigned long>(out), Block{bytes, launch, block, thread});
  } catch (const std::bad_alloc&) {
    std::free(out);
    return nullptr;
  }
  used_ += bytes + kEntry;
  return out;
}

bool Heap::free(void* at) noexcept {
  const std::lock_guard lock(mutex_);
  const auto found = blocks_.find(reinterpret_cast<unsigned long>(at));
  if (found == blocks_.end()) return false;
  used_ -= found->second.bytes + kEntry;
  blocks_.erase(found);
  std::free(at);
  return true;
}

bool Heap::holds(unsigned long address) noexcept {
  const std::lock_guard lock(mutex_);
  auto after = blocks_.upper_bound(address);
  return after != blocks_.begin() && (--after, address < after->first + after->second.bytes);
}

// Follows every number that is an address in a block, starting from the arrays and variables that the launch could
// access and from blocks of earlier launches: a block that is not found can never be found again.
Heap::Leak Heap::find_leak(const Launch& launch) {
  const std::lock_guard lock(mutex_);
  Leak out;
  std::vector<tenon_extent> open;
  std::set<unsigned long> lost;
  for (auto& [address, block] : blocks_) {
    if (block.launch == &launch) lost.insert(address);
    else open.push_back({address, address + block.bytes});
  }
  if (!lost.empty() && knows_arguments(launch)) {
    open.insert(open.end(), launch.extents.begin(), launch.extents.end());
    open.insert(open.end(), launch.memory->writable().begin(), launch.memory->writable().end());
    while (!open.empty()) {
      const tenon_extent memory = open.back();
      open.pop_back();
      for (unsigned long at = (memory.first + 7) / 8 * 8; at + 8 <= memory.last; at += 8) {
        unsigned long number;
        std::memcpy(&number, reinterpret_cast<const void*>(at), sizeof number);
        auto found = blocks_.upper_bound(number);
        if (found == blocks_.begin() || number >= (--found)->first + found->second.bytes || !lost.erase(found->first))
          continue;
        open.push_back({found->first, found->first + found->second.bytes});
      }
    }
    for (unsigned long address : lost) {
      const Block& block = blocks_.at(address);
      if (out.count++ == 0) out.bytes = block.bytes, out.block = block.block, out.thread = block.thread;
    }
  }
  for (auto& [address, block] : blocks_)
    if (block.launch == &launch) block.launch = nullptr;  // another launch may get its address
  return out;
}

void* heap_allocate(tenon_worker* worker, unsigned long bytes, tenon_index block, tenon_index thread) {
  const Launch* launch = worker->launch;
  return launch->heap->allocate(bytes, launch->check ? launch : nullptr, block, thread);
}

void heap_free(tenon_worker* worker, void* at, tenon_index block, tenon_index thread) {
  if (!at || worker->launch->heap->free(at)) return;
  kernel_fault(worker, "free() or delete of an address that malloc() or new did not return, or that was freed before,",
               "", 0, block, thread);
}

std::shared_ptr<Heap> make_kernel_heap() { return std::make_shared<Heap>(); }

}  // namespace tenon::cpu
