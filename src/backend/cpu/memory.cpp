// backend/cpu/memory.cpp: host memory for buffers: 64-byte aligned, cached by size class.
#include "backend/cpu/memory.hpp"

#include <pthread.h>
#include <sys/mman.h>
#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>
#include <vector>
#include "base/files.hpp"
#include "base/memory.hpp"
#include "base/thread.hpp"
#include "core/error.hpp"

namespace tenon::cpu {
namespace {

constexpr uint64_t kMapped = uint64_t(1) << 20;     // blocks from this size on have their own mapping
constexpr uint64_t kHuge = uint64_t(2) << 20;       // a huge page
constexpr uint64_t kAskSystem = uint64_t(1) << 30;  // from this size on, checks whether the system has that much memory
constexpr uint64_t kLargest = uint64_t(1) << 47;
constexpr int kSteps = 320;

constexpr uint64_t kThreadBlock = uint64_t(2) << 20;   // largest block that a thread keeps,
constexpr uint64_t kThreadBytes = uint64_t(16) << 20;  // and the total size that it keeps
constexpr int kThreadSteps = 112;
constexpr int kThreadDepth = 8;

uint64_t class_bytes(int step) {
  if (step < 8) return uint64_t(step + 1) * 64;
  return uint64_t(8 + step % 8 + 1) << (step / 8 - 1 + 6);
}

uint64_t mapped_bytes(uint64_t block) { return (block + 4095) & ~uint64_t(4095); }

void* map_block(uint64_t block) {
  const uint64_t bytes = mapped_bytes(block);
  if (bytes < kHuge) {
    void* data = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return data == MAP_FAILED ? nullptr : data;
  }
  // Aligned to huge pages: maps more, and unmaps both ends.
  char* wide =
      static_cast<char*>(mmap(nullptr, bytes + kHuge, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  if (wide == MAP_FAILED) return nullptr;
  const uint64_t before = (kHuge - reinterpret_cast<uintptr_t>(wide) % kHuge) % kHuge;
  if (before) munmap(wide, before);
  munmap(wide + before + bytes, kHuge - before);
  madvise(wide + before, bytes, MADV_HUGEPAGE);  // only advice: without huge pages the system uses small ones
  return wide + before;
}

void* system_allocate(uint64_t block) {
  return block >= kMapped ? map_block(block) : std::aligned_alloc(kAlignment, block);
}

void system_free(void* data, uint64_t block) noexcept {
  if (block >= kMapped) munmap(data, mapped_bytes(block));
  else std::free(data);
}

// The free blocks of the whole process.
class Store {
 public:
  Store() : limit_(std::max(base::total_memory() / 16, uint64_t(64) << 20)) {}

  void* get(int step, uint64_t block) {
    std::lock_guard lock(mutex_);
    auto& bin = bins_[step];
    if (bin.empty()) return nullptr;
    void* data = bin.back();
    bin.pop_back();
    bytes_ -= block;
    return data;
  }

  // False: the store is full, and the block must be returned to the system.
  bool put(void* data, int step, uint64_t block) noexcept {
    if (block > limit_) return false;
    std::lock_guard lock(mutex_);
    while (bytes_ + block > limit_)
      if (!drop_one()) return false;
    try {
      bins_[step].push_back(data);
    } catch (...) {
      return false;
    }
    bytes_ += block;
    highest_ = std::max(highest_, step);
    return true;
  }

  void trim(uint64_t keep) noexcept {
    std::lock_guard lock(mutex_);
    while (bytes_ > keep && drop_one()) {
    }
  }

  uint64_t bytes() {
    std::lock_guard lock(mutex_);
    return bytes_;
  }

  void lock() { mutex_.lock(); }
  void unlock() { mutex_.unlock(); }

 private:
  // Returns the oldest block of the largest class to the system.
  bool drop_one() noexcept {
    while (highest_ >= 0 && bins_[highest_].empty()) --highest_;
    if (highest_ < 0) return false;
    void* data = bins_[highest_].front();
    bins_[highest_].erase(bins_[highest_].begin());
    const uint64_t block = class_bytes(highest_);
    bytes_ -= block;
    system_free(data, block);
    return true;
  }

  std::mutex mutex_;
  std::vector<void*> bins_[kSteps];
  int highest_ = -1;
  uint64_t bytes_ = 0;
  const uint64_t limit_;
};

Store& store() {
  static Store* one = [] {  // never destroyed: buffers are freed until the last thread has ended
    Store* made = new Store;
    // The child of a fork must not find the lock held by a thread that it does not have.
    pthread_atfork([] { store().lock(); }, [] { store().unlock(); }, [] { store().unlock(); });
    return made;
  }();
  return *one;
}

std::atomic<uint32_t> trims{0};          // changes when the threads must empty their caches
std::atomic<uint64_t> thread_cached{0};  // in all threads' caches

struct ThreadCache {
  uint64_t bytes = 0;
  uint32_t trims_seen = trims.load(std::memory_order_relaxed);
  uint8_t count[kThreadSteps] = {};
  void* data[kThreadSteps][kThreadDepth];

  void empty(bool to_store) noexcept {
    for (int step = 0; step < kThreadSteps; ++step)
      while (count[step]) {
        void* one = data[step][--count[step]];
        if (!to_store || !store().put(one, step, class_bytes(step))) system_free(one, class_bytes(step));
      }
    thread_cached.fetch_sub(bytes, std::memory_order_relaxed);
    bytes = 0;
  }
};

// The cache of this thread: NULL before its first use and after its destruction, when other thread-locals may still
// free buffers.
thread_local ThreadCache* cache = nullptr;
thread_local bool ended = false;

void end_cache(void*) {
  ended = true;
  if (!cache) return;
  cache->empty(true);
  delete cache;
  cache = nullptr;
}
base::AtThreadEnd at_thread_end(end_cache);

__attribute__((noinline)) ThreadCache* start_cache() noexcept {
  if (ended || !at_thread_end.ask()) return nullptr;
  return cache = new (std::nothrow) ThreadCache;
}

ThreadCache* thread_cache() noexcept {
  ThreadCache* c = cache ? cache : start_cache();
  if (c && c->trims_seen != trims.load(std::memory_order_relaxed)) {
    c->empty(false);
    c->trims_seen = trims.load(std::memory_order_relaxed);
  }
  return c;
}

void* pool_get(int step, uint64_t block) {
  if (step < kThreadSteps)
    if (ThreadCache* c = thread_cache(); c && c->count[step]) {
      c->bytes -= block;
      thread_cached.fetch_sub(block, std::memory_order_relaxed);
      return c->data[step][--c->count[step]];
    }
  return store().get(step, block);
}

void pool_put(void* data, int step, uint64_t block) noexcept {
  if (step < kThreadSteps && block <= kThreadBlock)
    if (ThreadCache* c = thread_cache(); c && c->count[step] < kThreadDepth && c->bytes + block <= kThreadBytes) {
      c->data[step][c->count[step]++] = data;
      c->bytes += block;
      thread_cached.fetch_add(block, std::memory_order_relaxed);
      return;
    }
  if (!store().put(data, step, block)) system_free(data, block);
}

bool poison_asked() {
  const std::string value = base::environment("TENON_POISON");
  return !value.empty() && value != "0";
}

}  // namespace

uint64_t size_class(uint64_t bytes, int* step) {
  if (bytes <= 512) {
    *step = bytes == 0 ? 0 : int((bytes - 1) / 64);
    return uint64_t(*step + 1) * 64;
  }
  const int doubling = int(std::bit_width(bytes - 1)) - 10;  // 0: sizes 513 to 1024
  const uint64_t unit = uint64_t(64) << doubling;
  const int eighth = int((bytes - 1) / unit) - 8;
  *step = 8 + doubling * 8 + eighth;
  return uint64_t(8 + eighth + 1) * unit;
}

#if defined(__SANITIZE_ADDRESS__)
// One block per allocation, so that an access outside a block is detected.
void* scratch_get(uint64_t bytes) { return ::operator new(bytes); }
void scratch_put(void* data, uint64_t) noexcept { ::operator delete(data); }
#else
void* scratch_get(uint64_t bytes) {
  if (bytes > kLargest) throw std::bad_alloc();
  int step;
  const uint64_t block = size_class(bytes, &step);
  void* data = pool_get(step, block);
  if (!data) data = system_allocate(block);
  if (!data) {
    Memory::trim(0);
    data = system_allocate(block);
  }
  if (!data) throw std::bad_alloc();
  return data;
}

void scratch_put(void* data, uint64_t bytes) noexcept {
  int step;
  const uint64_t block = size_class(bytes, &step);
  pool_put(data, step, block);
}
#endif

Memory::Memory(bool pool, uint64_t limit) : pool_(pool), poison_(poison_asked()), limit_(limit) {}

void Memory::take(uint64_t bytes) {
  const uint64_t now = used_.fetch_add(bytes, std::memory_order_relaxed) + bytes;
  if (const uint64_t most = limit(); most && now > most) {
    used_.fetch_sub(bytes, std::memory_order_relaxed);
    fail(TENON_ERROR_OUT_OF_MEMORY,
         "%llu bytes were requested on cpu:0, where %llu bytes are in use and the memory limit of %llu bytes leaves "
         "%llu",
         (unsigned long long)bytes, (unsigned long long)(now - bytes), (unsigned long long)most,
         (unsigned long long)(most - std::min(most, now - bytes)));
  }
  uint64_t peak = peak_.load(std::memory_order_relaxed);
  while (now > peak && !peak_.compare_exchange_weak(peak, now, std::memory_order_relaxed)) {
  }
  allocations_.fetch_add(1, std::memory_order_relaxed);
}

void* Memory::allocate(uint64_t bytes) {
  if (bytes > kLargest)
    fail(TENON_ERROR_OUT_OF_MEMORY,
         "%llu bytes were requested on cpu:0, more than the address space holds; %llu bytes are in use",
         (unsigned long long)bytes, (unsigned long long)used());
  take(bytes);
  int step;
  const uint64_t block = size_class(bytes, &step);
  void* data = pool_ ? pool_get(step, block) : nullptr;
  const auto from_system = [&]() -> void* {
    // Linux may grant memory that it does not have, and later kill the process that uses it: check first.
    if (bytes >= kAskSystem && bytes > base::available_memory()) return nullptr;
    return pool_ ? system_allocate(block)
                 : std::aligned_alloc(kAlignment, (bytes + kAlignment - 1) & ~(kAlignment - 1));
  };
  if (!data) data = from_system();
  if (!data) {
    trim(0);
    data = from_system();
  }
  if (!data) {
    untake(bytes);
    fail(TENON_ERROR_OUT_OF_MEMORY,
         "%llu bytes were requested on cpu:0, where %llu bytes are in use and the system has %llu bytes free",
         (unsigned long long)bytes, (unsigned long long)used(), (unsigned long long)base::available_memory());
  }
  if (poison_) std::memset(data, 0xcd, bytes);
  return data;
}

void Memory::deallocate(void* data, uint64_t bytes) noexcept {
  if (!data) return;
  if (poison_) std::memset(data, 0xdb, bytes);
  if (pool_) {
    int step;
    const uint64_t block = size_class(bytes, &step);
    pool_put(data, step, block);
  } else {
    std::free(data);
  }
  give(bytes);
}

void Memory::trim(uint64_t keep_bytes) noexcept {
  trims.fetch_add(1, std::memory_order_relaxed);
  thread_cache();  // empties this thread's cache
  store().trim(keep_bytes);
}

uint64_t Memory::cached() { return store().bytes() + thread_cached.load(std::memory_order_relaxed); }

}  // namespace tenon::cpu
