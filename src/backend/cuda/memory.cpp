// backend/cuda/memory.cpp: device memory from a pool of our own with bins on top, host and managed memory from caches.
#include <bit>
#include <algorithm>
#include "backend/cuda/graph.hpp"

namespace tenon::cuda {

int size_class(uint64_t bytes) noexcept {
  if (bytes <= kSmallestBlock) return 0;
  const uint64_t units = (bytes - 1) / kSmallestBlock;           // >= 1: (2^octave .. 2^(octave + 1)) - 1
  const int octave = std::bit_width(units) - 1;
  const uint64_t quarter = (bytes - 1 - (kSmallestBlock << octave)) * 4 / (kSmallestBlock << octave);
  return 4 * octave + int(quarter) + 1;
}

uint64_t size_of_class(int size_class) noexcept {
  if (size_class == 0) return kSmallestBlock;
  const int octave = (size_class - 1) / 4;
  const uint64_t quarter = uint64_t((size_class - 1) % 4) + 1;
  return (kSmallestBlock << octave) + (kSmallestBlock << octave) / 4 * quarter;
}

void* Bins::take(int size_class) noexcept {
  std::lock_guard lock(lock_);
  Bin& bin = bins_[size_t(size_class)];
  if (!bin.count) return nullptr;
  held_.store(held_.load(std::memory_order_relaxed) - size_of_class(size_class), std::memory_order_relaxed);
  return bin.blocks[size_t(--bin.count)];
}

bool Bins::put(int size_class, void* data) noexcept {
  std::lock_guard lock(lock_);
  Bin& bin = bins_[size_t(size_class)];
  const uint64_t held = held_.load(std::memory_order_relaxed) + size_of_class(size_class);
  if (bin.count == kBlocks || held > kLimit) return false;
  held_.store(held, std::memory_order_relaxed);
  bin.blocks[size_t(bin.count++)] = data;
  return true;
}

int Bins::drain(std::array<void*, kBlocks>& out, int size_class) noexcept {
  std::lock_guard lock(lock_);
  Bin& bin = bins_[size_t(size_class)];
  const int count = std::exchange(bin.count, 0);
  out = bin.blocks;
  held_.store(held_.load(std::memory_order_relaxed) - uint64_t(count) * size_of_class(size_class), std::memory_order_relaxed);
  return count;
}

// ---- host and managed blocks

bool EventedCache::reached(Block& block) noexcept {
  return !block.used || device_.driver_.cuEventQuery(block.used) == CUDA_SUCCESS;
}

void EventedCache::free_block(void* data, uint64_t bytes) noexcept {
  const Driver& driver = device_.driver_;
  device_.note(kind_ == TENON_MEMORY_PINNED ? driver.cuMemFreeHost(data) : driver.cuMemFree(address(data)));
  held_.fetch_sub(bytes, std::memory_order_relaxed);
}

uint64_t EventedCache::rounded(uint64_t bytes) noexcept {
  constexpr uint64_t page = 64 << 10;
  if (bytes <= kLargestBlock) return std::max(size_of_class(size_class(bytes)), uint64_t(4096));
  return bytes > ~uint64_t(0) - page ? bytes : (bytes + page - 1) / page * page;
}

void* EventedCache::allocate(uint64_t asked) {
  const Driver& driver = device_.driver();
  const uint64_t bytes = rounded(asked);
  Scope scope = device_.activate();
  {
    std::lock_guard lock(mutex_);
    for (Block& block : blocks_) {
      if (block.bytes != bytes || !reached(block)) continue;
      if (block.used) device_.note(driver.cuEventDestroy(block.used));
      void* data = block.data;
      block = blocks_.back();
      blocks_.pop_back();
      return data;
    }
  }
  for (int attempt = 0;; ++attempt) {
    void* data = nullptr;
    CUresult result;
    if (kind_ == TENON_MEMORY_PINNED) {
      result = driver.cuMemHostAlloc(&data, bytes, CU_MEMHOSTALLOC_PORTABLE);
    } else {
      CUdeviceptr pointer = 0;
      result = driver.cuMemAllocManaged(&pointer, bytes, CU_MEM_ATTACH_GLOBAL);
      data = reinterpret_cast<void*>(pointer);
    }
    if (result == CUDA_SUCCESS) {
      held_.fetch_add(bytes, std::memory_order_relaxed);
      return data;
    }
    if (result != CUDA_ERROR_OUT_OF_MEMORY)
      device_.fail_driver(result, kind_ == TENON_MEMORY_PINNED ? "cuMemHostAlloc" : "cuMemAllocManaged");
    if (attempt == 1)
      fail(TENON_ERROR_OUT_OF_MEMORY, "%s has no %s memory for %llu bytes; %llu bytes of it are held by Tenon", device_.name().c_str(),
           kind_ == TENON_MEMORY_PINNED ? "pinned" : "managed", static_cast<unsigned long long>(asked),
           static_cast<unsigned long long>(held()));
    trim();
  }
}

bool EventedCache::release(void* data, uint64_t bytes, CudaStream& stream) noexcept {
  Block block{data, rounded(bytes), nullptr};
  try {
    const Driver& driver = device_.driver();
    Scope scope = device_.activate();
    device_.check(driver.cuEventCreate(&block.used, CU_EVENT_DISABLE_TIMING), "cuEventCreate");
    device_.check(driver.cuEventRecord(block.used, stream.handle()), "cuEventRecord");
    std::lock_guard lock(mutex_);
    blocks_.push_back(block);
    return true;
  } catch (...) {
    if (block.used && device_.usable()) device_.note(device_.driver_.cuEventDestroy(block.used));
    return false;
  }
}

void EventedCache::free_now(void* data, uint64_t bytes) noexcept { free_block(data, rounded(bytes)); }

void EventedCache::trim() noexcept {
  if (!device_.usable()) return;
  std::lock_guard lock(mutex_);
  size_t kept = 0;
  for (Block& block : blocks_) {
    if (!reached(block)) {
      blocks_[kept++] = block;
      continue;
    }
    if (block.used) device_.note(device_.driver_.cuEventDestroy(block.used));
    free_block(block.data, block.bytes);
  }
  blocks_.resize(kept);
}

void EventedCache::clear() noexcept {
  std::lock_guard lock(mutex_);
  for (Block& block : blocks_) {
    if (block.used) {
      device_.note(device_.driver_.cuEventSynchronize(block.used));
      device_.note(device_.driver_.cuEventDestroy(block.used));
    }
    free_block(block.data, block.bytes);
  }
  blocks_.clear();
}

// ---- slots for pageable transfers

Staging::Slot* Staging::take() {
  const Driver& driver = device_.driver();
  Slot* waiting = nullptr;
  {
    std::lock_guard lock(mutex_);
    for (size_t i = 0; i < slots_.size(); ++i) {
      Slot& slot = *slots_[(next_ + i) % slots_.size()];
      if (slot.busy) continue;
      if (!slot.recorded || driver.cuEventQuery(slot.done) == CUDA_SUCCESS) {
        slot.busy = true;
        slot.recorded = false;
        next_ = (next_ + i + 1) % slots_.size();
        return &slot;
      }
      if (!waiting) waiting = &slot;
    }
    if (slots_.size() < kSlots) {
      auto slot = std::make_unique<Slot>();
      if (driver.cuMemHostAlloc(&slot->data, kSlot, CU_MEMHOSTALLOC_PORTABLE) == CUDA_SUCCESS) {
        if (driver.cuEventCreate(&slot->done, CU_EVENT_DISABLE_TIMING) == CUDA_SUCCESS) {
          slot->busy = true;
          slots_.push_back(std::move(slot));
          return slots_.back().get();
        }
        device_.note(driver.cuMemFreeHost(slot->data));
      }
    }
    if (!waiting) return nullptr;
    waiting->busy = true;
  }
  CUresult result = driver.cuEventSynchronize(waiting->done);  // not under the lock
  if (result != CUDA_SUCCESS) {
    give_back(waiting);
    device_.fail_driver(result, "cuEventSynchronize");
  }
  waiting->recorded = false;
  return waiting;
}

void Staging::give_back(Slot* slot) noexcept {
  std::lock_guard lock(mutex_);
  slot->busy = false;
}

void Staging::clear() noexcept {
  std::lock_guard lock(mutex_);
  for (auto& slot : slots_) {
    if (slot->recorded) device_.note(device_.driver_.cuEventSynchronize(slot->done));
    device_.note(device_.driver_.cuEventDestroy(slot->done));
    device_.note(device_.driver_.cuMemFreeHost(slot->data));
  }
  slots_.clear();
}

// ---- the device's part

CUmemoryPool CudaDevice::pool() {
  if (!pools_) return nullptr;
  if (CUmemoryPool pool = pool_.load(std::memory_order_acquire)) return pool;
  const Driver& driver = this->driver();
  Scope scope = activate();
  std::lock_guard lock(mutex_);
  if (CUmemoryPool pool = pool_.load(std::memory_order_relaxed)) return pool;
  CUmemPoolProps properties{};
  properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.handleTypes = CU_MEM_HANDLE_TYPE_NONE;
  properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, info_.index};
  CUmemoryPool pool = nullptr;
  check(driver.cuMemPoolCreate(&pool, &properties), "cuMemPoolCreate");
  uint64_t threshold = ~uint64_t(0);
  CUresult result = driver.cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &threshold);
  if (result != CUDA_SUCCESS) {
    note(driver.cuMemPoolDestroy(pool));
    fail_driver(result, "cuMemPoolSetAttribute");
  }
  pool_.store(pool, std::memory_order_release);
  return pool;
}

// The stream on which memory last used on `stream` may be freed: itself, or the default stream made to wait for it.
CudaStream& CudaDevice::freeing_stream(CudaStream& stream) {
  TENON_REQUIRE(!stream.capturing(), TENON_ERROR_UNSUPPORTED, "the stream is being captured");  // the caller sets the memory aside
  if (!stream.closed() && !stream.elsewhere()) return stream;
  Stream& substitute = default_stream();
  substitute.wait_for(stream);
  return static_cast<CudaStream&>(substitute);
}

void CudaDevice::empty_bins(CudaStream& stream) noexcept {
  if (!stream.bins().held()) return;
  CudaStream* target = nullptr;
  try {
    target = &freeing_stream(stream);
  } catch (...) {
  }
  std::array<void*, Bins::kBlocks> blocks;
  for (int i = 0; i < kSizeClasses; ++i) {
    const int count = stream.bins().drain(blocks, i);
    for (int b = 0; b < count; ++b) {
      if (target) to_driver(blocks[size_t(b)], size_of_class(i), *target);
      else set_aside(blocks[size_t(b)], size_of_class(i), TENON_MEMORY_DEVICE);
    }
  }
}

void CudaDevice::empty_all_bins() noexcept {
  std::lock_guard lock(streams_mutex_);
  for (CudaStream* stream : streams_) stream->empty_bins();
}

void* CudaDevice::from_driver(uint64_t bytes, CudaStream& stream, CUresult& result) {
  CUdeviceptr data = 0;
  if (CUmemoryPool pool = this->pool()) {
    result = driver().cuMemAllocFromPoolAsync(&data, bytes, pool, stream.handle());
  } else {
    result = driver().cuMemAlloc(&data, bytes);
    if (result == CUDA_SUCCESS) unpooled_.fetch_add(bytes, std::memory_order_relaxed);
  }
  return reinterpret_cast<void*>(data);
}

void CudaDevice::to_driver(void* data, uint64_t bytes, CudaStream& stream) noexcept {
  taken_.fetch_sub(bytes, std::memory_order_relaxed);
  if (!usable()) return;
  if (pool_.load(std::memory_order_relaxed)) {
    note(driver_.cuMemFreeAsync(address(data), stream.raw_handle()));
  } else {
    // Without a pool there is no free in the stream's order; waiting first makes use after free a fault a checker can see.
    note(driver_.cuStreamSynchronize(stream.raw_handle()));
    note(driver_.cuMemFree(address(data)));
    unpooled_.fetch_sub(bytes, std::memory_order_relaxed);
  }
}

void CudaDevice::out_of_memory(uint64_t bytes) {
  size_t free = 0, total = 0;
  driver_.cuMemGetInfo(&free, &total);
  const uint64_t limit = context().settings().memory_limit_bytes;
  tenon_memory_info memory{};
  memory_info(memory);
  Error error(TENON_ERROR_OUT_OF_MEMORY,
              format("%s has no %llu bytes: %llu are in use by Tenon's buffers, %llu are held by Tenon, %llu of %llu on the device are free",
                     name().c_str(), (unsigned long long)bytes, (unsigned long long)memory.used, (unsigned long long)memory.held,
                     (unsigned long long)free, (unsigned long long)total));
  if (limit) error.message += format("; the context's limit is %llu", (unsigned long long)limit);
  throw error;
}

void* CudaDevice::allocate_device(uint64_t asked, CudaStream& stream) {
  const bool classed = asked <= kLargestBlock && !no_pool_;
  const int which = classed ? size_class(asked) : -1;
  if (stream.foreign()) refuse_foreign_capture(stream, "memory is needed");
  if (classed && stream.binned())
    if (void* data = stream.bins().take(which)) return data;

  const uint64_t bytes = classed ? size_of_class(which) : asked;
  const uint64_t limit = context().settings().memory_limit_bytes;
  Scope scope = activate();
  refuse_foreign_capture(stream, "memory is needed");
  // First as it is, then with everything free given back, then when all work is done as well.
  for (int attempt = 0;; ++attempt) {
    CUresult result = CUDA_ERROR_OUT_OF_MEMORY;
    const bool over_limit = limit && (bytes > limit || taken_.load(std::memory_order_relaxed) > limit - bytes);
    void* data = over_limit ? nullptr : from_driver(bytes, stream, result);
    if (result == CUDA_SUCCESS) {
      taken_.fetch_add(bytes, std::memory_order_relaxed);
      return data;
    }
    if (result != CUDA_ERROR_OUT_OF_MEMORY) fail_driver(result, pools_ ? "cuMemAllocFromPoolAsync" : "cuMemAlloc");
    if (attempt == 2) out_of_memory(asked);
    empty_all_bins();
    if (attempt == 1) {
      check(driver_.cuCtxSynchronize(), "cuCtxSynchronize");
      free_what_is_aside();
      pinned_.trim();
      managed_.trim();
    }
    if (CUmemoryPool pool = pool_.load()) note(driver_.cuMemPoolTrimTo(pool, 0));
  }
}

void CudaDevice::count_allocation(uint64_t bytes) noexcept {
  allocations_.fetch_add(1, std::memory_order_relaxed);
  const uint64_t used = used_.fetch_add(bytes, std::memory_order_relaxed) + bytes;
  uint64_t peak = used_peak_.load(std::memory_order_relaxed);
  while (used > peak && !used_peak_.compare_exchange_weak(peak, used, std::memory_order_relaxed)) {
  }
}

void* CudaDevice::allocate(uint64_t bytes, int32_t kind, Stream& stream) {
  driver();
  auto& own = static_cast<CudaStream&>(stream);
  (void)own.handle();
  if (own.capture()) return own.capture()->take(bytes);
  void* data = kind == TENON_MEMORY_DEVICE    ? allocate_device(bytes, own)
               : kind == TENON_MEMORY_PINNED  ? pinned_.allocate(bytes)
               : kind == TENON_MEMORY_MANAGED ? managed_.allocate(bytes)
                                              : nullptr;
  TENON_REQUIRE(data, TENON_ERROR_INVALID_ARGUMENT, "memory kind %d is none of TENON_MEMORY_*", kind);
  count_allocation(bytes);
  return data;
}

void CudaDevice::deallocate(void* data, uint64_t bytes, int32_t kind, Stream& stream) noexcept {
  if (Capture* capture = static_cast<CudaStream&>(stream).capture()) return capture->give_back(data);
  used_.fetch_sub(bytes, std::memory_order_relaxed);
  if (!usable()) return;
  try {
    CudaStream& home = freeing_stream(static_cast<CudaStream&>(stream));
    if (kind != TENON_MEMORY_DEVICE) {
      EventedCache& cache = kind == TENON_MEMORY_PINNED ? pinned_ : managed_;
      if (!cache.release(data, bytes, home)) set_aside(data, bytes, kind);
      return;
    }
    const bool classed = bytes <= kLargestBlock && !no_pool_;
    if (classed && home.binned() && home.bins().put(size_class(bytes), data)) return;
    Scope scope = activate();
    to_driver(data, classed ? size_of_class(size_class(bytes)) : bytes, home);
  } catch (...) {
    set_aside(data, bytes, kind);
  }
}

// The order of its last use could not be told to the driver: it is freed when the device is known to be idle.
void CudaDevice::set_aside(void* data, uint64_t bytes, int32_t kind) noexcept {
  if (!usable()) return;
  try {
    std::lock_guard lock(mutex_);
    aside_.push_back({data, bytes, kind});
  } catch (...) {  // out of host memory: leaked, which is the safe thing
  }
}

void CudaDevice::free_what_is_aside() noexcept {
  std::vector<Aside> list;
  {
    std::lock_guard lock(mutex_);
    list.swap(aside_);
  }
  for (const Aside& block : list) {
    if (block.kind != TENON_MEMORY_DEVICE) {
      (block.kind == TENON_MEMORY_PINNED ? pinned_ : managed_).free_now(block.data, block.bytes);
      continue;
    }
    const bool classed = block.bytes <= kLargestBlock && !no_pool_;
    taken_.fetch_sub(classed ? size_of_class(size_class(block.bytes)) : block.bytes, std::memory_order_relaxed);
    note(driver_.cuMemFree(address(block.data)));  // also frees memory of a pool
  }
}

void CudaDevice::memory_info(tenon_memory_info& out) {
  out.used = used_.load();
  out.used_peak = used_peak_.load();
  out.limit = context().settings().memory_limit_bytes;
  out.allocations = allocations_.load();
  out.held = unpooled_.load() + pinned_.held() + managed_.held();
  if (CUmemoryPool pool = pool_.load(); pool && usable()) {
    uint64_t reserved = 0;
    if (note(driver_.cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT, &reserved))) out.held += reserved;
  }
}

void CudaDevice::trim(uint64_t keep_bytes) {
  driver();
  if (!primary_.load()) return;  // nothing was ever allocated
  Scope scope = activate();
  empty_all_bins();
  pinned_.trim();
  managed_.trim();
  if (CUmemoryPool pool = pool_.load()) check(driver_.cuMemPoolTrimTo(pool, keep_bytes), "cuMemPoolTrimTo");
}

}  // namespace tenon::cuda
