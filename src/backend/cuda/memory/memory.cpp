// backend/cuda/memory/memory.cpp: device memory from a pool of our own with bins on top, host and managed memory from
// caches.
#include <bit>
#include <algorithm>
#include "backend/cuda/graph.hpp"
#include "core/device/host_work.hpp"

namespace tenon::cuda {

int size_class(uint64_t bytes) noexcept {
  if (bytes <= kSmallestBlock) return 0;
  const uint64_t units = (bytes - 1) / kSmallestBlock;  // >= 1: (2^octave .. 2^(octave + 1)) - 1
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
  held_.store(held_.load(std::memory_order_relaxed) - uint64_t(count) * size_of_class(size_class),
              std::memory_order_relaxed);
  return count;
}

// ---- host and managed blocks

uint64_t HostCache::rounded(uint64_t bytes) noexcept {
  constexpr uint64_t page = 64 << 10;
  if (bytes <= kLargestBlock) return std::max(size_of_class(size_class(bytes)), uint64_t(4096));
  return bytes > ~uint64_t(0) - page ? bytes : (bytes + page - 1) / page * page;
}

void HostCache::free_block(const Block& block) noexcept {
  const Driver& driver = device_.driver_;
  device_.note(kind_ == TENON_MEMORY_PINNED ? driver.cuMemFreeHost(block.data) : driver.cuMemFree(address(block.data)));
  held_.fetch_sub(block.bytes, std::memory_order_relaxed);
}

void* HostCache::take(uint64_t bytes) noexcept {
  std::lock_guard lock(mutex_);
  auto found = std::find_if(blocks_.begin(), blocks_.end(), [&](const Block& block) { return block.bytes == bytes; });
  if (found == blocks_.end()) return nullptr;
  void* const data = found->data;
  *found = blocks_.back();
  blocks_.pop_back();
  return data;
}

void* HostCache::allocate(uint64_t requested) {
  const Driver& driver = device_.driver();
  const uint64_t bytes = rounded(requested);
  device_.parking_.look(Parking::What::ours);
  if (void* data = take(bytes)) return data;
  const RelaxedMode relaxed(driver);
  Scope scope = device_.activate();
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
      fail(TENON_ERROR_OUT_OF_MEMORY, "%s has no %s memory for %llu bytes; %llu bytes of it are held by Tenon",
           device_.name().c_str(), kind_ == TENON_MEMORY_PINNED ? "pinned" : "managed",
           static_cast<unsigned long long>(requested), static_cast<unsigned long long>(held()));
    device_.parking_.wait();
    trim();
  }
}

void HostCache::release(void* data, uint64_t bytes) noexcept {
  const Block block{data, rounded(bytes)};
  try {
    std::lock_guard lock(mutex_);
    return blocks_.push_back(block);
  } catch (...) {  // no memory to remember it
  }
  const RelaxedMode relaxed(device_.driver_);
  Scope scope = device_.try_activate();
  free_block(block);
}

void HostCache::trim() noexcept {
  if (!device_.usable()) return;
  const RelaxedMode relaxed(device_.driver_);
  std::lock_guard lock(mutex_);
  for (const Block& block : blocks_) free_block(block);
  blocks_.clear();
}

// ---- slots for pageable transfers

Staging::Slot* Staging::take() {
  const Driver& driver = device_.driver();
  const RelaxedMode relaxed(driver);
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
  slot->busy = slot->in_doubt;
}

void Staging::clear() noexcept {
  std::lock_guard lock(mutex_);
  const Driver& driver = device_.driver_;
  for (auto& slot : slots_) {
    // If the driver does not report that the copies are over, their memory is leaked; a lost device runs none.
    const bool over = (!slot->in_doubt && (!slot->recorded || device_.note(driver.cuEventSynchronize(slot->done)))) ||
                      device_.note(driver.cuCtxSynchronize()) || !device_.usable();
    device_.note(driver.cuEventDestroy(slot->done));
    if (over) device_.note(driver.cuMemFreeHost(slot->data));
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

void CudaDevice::empty_bins(CudaStream& stream) noexcept {
  if (!stream.bins().held()) return;
  std::array<void*, Bins::kBlocks> blocks;
  for (int i = 0; i < kSizeClasses; ++i) {
    const int count = stream.bins().drain(blocks, i);
    for (int b = 0; b < count; ++b) to_driver(blocks[size_t(b)], size_of_class(i), stream);
  }
}

void CudaDevice::empty_all_bins() noexcept {
  std::vector<Ref<CudaStream>> streams;
  try {
    std::lock_guard lock(streams_mutex_);
    streams.reserve(streams_.size());
    for (CudaStream* stream : streams_)
      if (stream->bins().held() && stream->try_retain()) streams.push_back(Ref<CudaStream>::adopt(stream));
  } catch (...) {  // no host memory for the list
    return;
  }
  for (const Ref<CudaStream>& stream : streams) empty_bins(*stream);
}

void* CudaDevice::from_driver(uint64_t bytes, CUstream stream, CUresult& result) {
  CUdeviceptr data = 0;
  if (const tenon_allocator* theirs = settled_allocator()) {
    void* const given = take_from(*theirs, *this, bytes, reinterpret_cast<uint64_t>(stream));
    result = given ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
    return given;
  }
  if (CUmemoryPool pool = this->pool()) {
    result = driver().cuMemAllocFromPoolAsync(&data, bytes, pool, stream);
  } else {
    result = driver().cuMemAlloc(&data, bytes);
    if (result == CUDA_SUCCESS) unpooled_.fetch_add(bytes, std::memory_order_relaxed);
  }
  return reinterpret_cast<void*>(data);
}

// Frees in the order of the stream; if nothing can be enqueued there now, when its work so far is over.
void CudaDevice::to_driver(void* data, uint64_t bytes, CudaStream& stream) noexcept {
  if (!usable()) return to_pool(data, bytes);
  const RelaxedMode relaxed(driver_);
  Scope scope = try_activate();
  if (const tenon_allocator* theirs = allocator(); theirs && stream.can_enqueue()) {
    taken_.fetch_sub(bytes, std::memory_order_relaxed);
    return give_back_to(*theirs, *this, data, bytes, reinterpret_cast<uint64_t>(stream.raw_handle()));
  }
  if (pool_.load(std::memory_order_relaxed) && stream.can_enqueue()) {
    taken_.fetch_sub(bytes, std::memory_order_relaxed);
    note(driver_.cuMemFreeAsync(address(data), stream.raw_handle()));
    return;
  }
  // Without a pool memory cannot be freed in the stream's order; waiting first lets a checker detect a use after free
  // as a fault.
  if (!pools_ && stream.can_enqueue() && note(driver_.cuStreamSynchronize(stream.raw_handle())))
    return to_pool(data, bytes);
  parking_.park_behind(stream, {data, bytes, kFreed, nullptr, nullptr, nullptr});
}

// Memory that nothing uses any more.
void CudaDevice::to_pool(void* data, uint64_t bytes) noexcept {
  taken_.fetch_sub(bytes, std::memory_order_relaxed);
  if (const tenon_allocator* theirs = allocator())
    return give_back_to(*theirs, *this, data, bytes,
                        reinterpret_cast<uint64_t>(usable() ? service_stream_or_null() : nullptr));
  if (!usable()) return;
  const RelaxedMode relaxed(driver_);
  Scope scope = try_activate();
  const CUstream service = pool_.load(std::memory_order_relaxed) ? service_stream_or_null() : nullptr;
  if (service) {
    note(driver_.cuMemFreeAsync(address(data), service));
  } else {
    note(driver_.cuMemFree(address(data)));
    if (!pool_.load(std::memory_order_relaxed)) unpooled_.fetch_sub(bytes, std::memory_order_relaxed);
  }
}

void CudaDevice::out_of_memory(uint64_t bytes) {
  size_t free = 0, total = 0;
  driver_.cuMemGetInfo(&free, &total);
  const uint64_t limit = memory_limit();
  tenon_memory_info memory{};
  memory_info(memory);
  Error error(
      TENON_ERROR_OUT_OF_MEMORY,
      format(
          "%s cannot provide %llu bytes: %llu are in use by Tenon's buffers, %llu are held by Tenon, %llu of %llu on "
          "the device are free",
          name().c_str(), (unsigned long long)bytes, (unsigned long long)memory.used, (unsigned long long)memory.held,
          (unsigned long long)free, (unsigned long long)total));
  if (limit) error.message += format("; the memory limit is %llu", (unsigned long long)limit);
  throw error;
}

const char* CudaDevice::allocation_call() const noexcept {
  return allocator() ? "the host's allocator" : pools_ ? "cuMemAllocFromPoolAsync" : "cuMemAlloc";
}

template <class Ask> void* CudaDevice::allocate_with(uint64_t bytes, uint64_t requested, const char* call, Ask&& ask) {
  const uint64_t limit = memory_limit();
  // First as things are, then with all free memory returned, then also with all work done.
  for (int attempt = 0;; ++attempt) {
    CUresult result = CUDA_ERROR_OUT_OF_MEMORY;
    const bool over_limit = limit && (bytes > limit || taken_.load(std::memory_order_relaxed) > limit - bytes);
    void* data = over_limit ? nullptr : ask(result);
    if (result == CUDA_SUCCESS) {
      taken_.fetch_add(bytes, std::memory_order_relaxed);
      return data;
    }
    if (result != CUDA_ERROR_OUT_OF_MEMORY) fail_driver(result, call);
    if (attempt == 2) out_of_memory(requested);
    if (attempt == 1) {  // not the whole device: that would break captures of streams that are unknown here
      parking_.wait();
      synchronize_streams();
      if (!usable()) (void)driver();
    }
    collect(false);
    empty_all_bins();
    pinned_.trim();
    managed_.trim();
    if (CUmemoryPool pool = pool_.load()) note(driver_.cuMemPoolTrimTo(pool, 0));
  }
}

// Whether a block has a size class and its free blocks are kept in bins.
bool CudaDevice::is_classed(uint64_t bytes) noexcept {
  return !no_pool_ && bytes <= (settled_allocator() ? kLargestOfHost : kLargestBlock);
}

void* CudaDevice::allocate_device(uint64_t requested, CudaStream& stream) {
  const bool classed = is_classed(requested);
  const int which = classed ? size_class(requested) : -1;
  if (classed && stream.binned())
    if (void* data = stream.bins().take(which)) return data;
  parking_.look(Parking::What::ours);
  if (classed && stream.binned())
    if (void* data = stream.bins().take(which)) return data;
  const uint64_t bytes = classed ? size_of_class(which) : requested;
  const RelaxedMode relaxed(driver_);
  Scope scope = activate();
  return allocate_with(bytes, requested, allocation_call(),
                       [&](CUresult& result) { return from_driver(bytes, stream.handle(), result); });
}

void* CudaDevice::from_pool(uint64_t bytes) {
  const RelaxedMode relaxed(driver_);
  Scope scope = activate();
  return allocate_with(bytes, bytes, allocation_call(), [&](CUresult& result) {
    const bool ordered = pools_ || settled_allocator();
    void* data = from_driver(bytes, ordered ? service_stream() : nullptr, result);
    if (ordered && result == CUDA_SUCCESS) check(driver_.cuStreamSynchronize(service_stream()), "cuStreamSynchronize");
    return data;
  });
}

// Not from a pool or the host's allocator: a pool's memory has handles of another kind, which require a connection
// between the processes.
void* CudaDevice::take_shared(uint64_t bytes) {
  void* const data = allocate_with(bytes, bytes, "cuMemAlloc", [&](CUresult& result) {
    CUdeviceptr made = 0;
    result = driver_.cuMemAlloc(&made, bytes);
    return reinterpret_cast<void*>(made);
  });
  unpooled_.fetch_add(bytes, std::memory_order_relaxed);
  count_allocation(bytes);
  return data;
}

void CudaDevice::untake_shared(uint64_t bytes) noexcept {
  for (std::atomic<uint64_t>* count : {&taken_, &unpooled_, &used_}) count->fetch_sub(bytes, std::memory_order_relaxed);
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
  Capture* const capture = own.capture();
  if (capture && (own.captured_by_us() || kind == TENON_MEMORY_DEVICE)) return capture->take(bytes, own);
  void* data = kind == TENON_MEMORY_DEVICE    ? allocate_device(bytes, own)
               : kind == TENON_MEMORY_PINNED  ? pinned_.allocate(bytes)
               : kind == TENON_MEMORY_MANAGED ? managed_.allocate(bytes)
                                              : nullptr;
  TENON_REQUIRE(data, TENON_ERROR_INVALID_ARGUMENT, "memory kind %d is not one of TENON_MEMORY_*", kind);
  count_allocation(bytes);
  return data;
}

void CudaDevice::deallocate(void* data, uint64_t bytes, int32_t kind, Stream& stream) noexcept {
  auto& own = static_cast<CudaStream&>(stream);
  if (own.captured_by_us()) return own.own_capture()->give_back(data, own);
  Users users;
  users.add({Ref<Stream>(&stream), true, false});
  retire({data, bytes, kind, Ref<Stream>(&stream), nullptr, nullptr}, std::move(users));
}

void CudaDevice::retire(Retired memory, Users users) noexcept {
  const bool captured = is_captured(memory.data);
  if (memory.home && !captured) used_.fetch_sub(memory.bytes, std::memory_order_relaxed);
  if (!usable()) return end(memory);
  if (memory.home && memory.kind == TENON_MEMORY_DEVICE && users.size() <= 1 &&
      (!users.size() || users[0].stream.get() == memory.home.get())) {
    // Only one stream used it, so the next user there is ordered behind that; in a capture, the work that is captured
    // next.
    auto& home = static_cast<CudaStream&>(*memory.home);
    if (captured ? home.capturing() : hand_on(memory, home)) {
      if (captured) end(memory);
      return;
    }
  }
  parking_.park(std::move(memory), std::move(users));
}

// Keeps the memory for later work on the stream, without a driver call; if the bins are full, returns it to the pool in
// the stream's order.
bool CudaDevice::hand_on(const Retired& memory, CudaStream& home) noexcept {
  const bool classed = is_classed(memory.bytes);
  if (classed && home.binned() && home.bins().put(size_class(memory.bytes), memory.data)) return true;
  if (home.closed() || home.elsewhere()) return false;
  to_driver(memory.data, classed ? size_of_class(size_class(memory.bytes)) : memory.bytes, home);
  return true;
}

void CudaDevice::end(const Retired& memory) noexcept {
  if (memory.destroy) return call_host(context(), "the destroy function of memory", memory.destroy, memory.user);
  if (!memory.home && memory.kind != kFreed) return;  // foreign memory without a destroy function
  if (memory.kind == kFreed) return to_pool(memory.data, memory.bytes);
  if (memory.kind != TENON_MEMORY_DEVICE) {
    if (usable()) (memory.kind == TENON_MEMORY_PINNED ? pinned_ : managed_).release(memory.data, memory.bytes);
    return;
  }
  auto& home = static_cast<CudaStream&>(*memory.home);
  const bool classed = is_classed(memory.bytes);
  if (Ref<ForeignCapture> capture = capture_of_block(memory.data)) {
    if (usable()) capture->give_back(memory.data, home);
    return;
  }
  if (usable() && classed && home.binned() && home.bins().put(size_class(memory.bytes), memory.data)) return;
  to_pool(memory.data, classed ? size_of_class(size_class(memory.bytes)) : memory.bytes);
}

void CudaDevice::collect(bool wait) noexcept {
  ForeignCapture::collect_buried();
  destroy_kept_streams();
  if (wait) parking_.wait();
  else parking_.look(Parking::What::all);
}

void CudaDevice::memory_info(tenon_memory_info& out) {
  out.used = used_.load();
  out.used_peak = used_peak_.load();
  out.limit = memory_limit();
  out.allocations = allocations_.load();
  // Memory from a host's allocator counts as held, too: all that is taken.
  out.held = (allocator() ? taken_ : unpooled_).load() + pinned_.held() + managed_.held();
  if (CUmemoryPool pool = pool_.load(); pool && usable()) {
    uint64_t reserved = 0;
    if (note(driver_.cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT, &reserved)))
      out.held += reserved;
  }
}

void CudaDevice::trim(uint64_t keep_bytes) {
  driver();
  if (!primary_.load()) return;  // nothing was ever allocated
  const RelaxedMode relaxed(driver_);
  Scope scope = activate();
  collect(false);
  empty_all_bins();
  pinned_.trim();
  managed_.trim();
  if (CUmemoryPool pool = pool_.load()) check(driver_.cuMemPoolTrimTo(pool, keep_bytes), "cuMemPoolTrimTo");
}

}  // namespace tenon::cuda
