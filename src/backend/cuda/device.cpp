// backend/cuda/device.cpp: a CUDA device: properties, primary context, streams, transfers with the host and with peers.
#include "backend/cuda/device.hpp"
#include "backend/cuda/operations.hpp"
#include "backend/cuda/graph.hpp"

#include <algorithm>
#include <cstring>
#include "base/json.hpp"
#include "base/parallel.hpp"
#include "core/device/host_work.hpp"

namespace tenon::cuda {

CudaDevice::CudaDevice(Context& context, int ordinal)
    : Device(context),
      driver_(cuda::driver()),
      pinned_(*this, TENON_MEMORY_PINNED),
      managed_(*this, TENON_MEMORY_MANAGED),
      staging_(*this),
      events_(*this),
      parking_(*this) {
  info_.kind = TENON_DEVICE_CUDA;
  info_.index = ordinal;
  name_ = "cuda:" + std::to_string(ordinal);
  check(driver_.cuDeviceGet(&handle_, ordinal), "cuDeviceGet");
  read_properties();
}

CudaDevice::~CudaDevice() {
  close_mail();
  close_modules();
  // They may own modules and memory of the device.
  copy_state.reset();
  matmul_state.reset();
  blas_state.reset();
  fft_state.reset();
  solver_state.reset();
  sparse_state.reset();
  release_all();
}

void CudaDevice::release_all() noexcept {
  parking_.wait();
  parking_.end_all();
  met_.clear();
  if (!usable() || !primary_.load()) {
    default_stream_ = nullptr;
    return;
  }
  {
    Scope scope = try_activate();
    default_.store(nullptr);
    default_stream_ = nullptr;
    destroy_kept_streams(true);
    parking_.wait();  // for what emptying the bins released
    staging_.clear();
    pinned_.trim();
    managed_.trim();
    events_.clear();
    if (CUstream service = service_.exchange(nullptr)) note(driver_.cuStreamDestroy(service));
    if (CUmemoryPool pool = pool_.exchange(nullptr)) note(driver_.cuMemPoolDestroy(pool));
  }
  if (usable()) note(driver_.cuDevicePrimaryCtxRelease(handle_));
}

int CudaDevice::attribute(int which) {
  int value = 0;
  check(driver_.cuDeviceGetAttribute(&value, which, handle_), "cuDeviceGetAttribute");
  return value;
}

void CudaDevice::read_properties() {
  char text[256] = {};
  check(driver_.cuDeviceGetName(text, sizeof text - 1, handle_), "cuDeviceGetName");
  description_ = text;
  size_t total = 0;
  check(driver_.cuDeviceTotalMem(&total, handle_), "cuDeviceTotalMem");
  info_.total_memory = total;
  info_.compute_major = attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
  info_.compute_minor = attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
  // Chips x.0 run at half the single-precision rate, others at 1/32 or less.
  traits_.fast_double = info_.compute_minor == 0 && info_.compute_major >= 6 && info_.compute_major <= 10;
  info_.multiprocessors = attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  info_.warp_size = attribute(CU_DEVICE_ATTRIBUTE_WARP_SIZE);
  info_.max_threads_per_block = attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
  for (int i = 0; i < 3; ++i) {
    info_.max_block[i] = attribute(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X + i);
    info_.max_grid[i] = attribute(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X + i);
  }
  info_.shared_per_block = uint64_t(attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK));
  info_.shared_per_block_max = uint64_t(attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN));
  info_.l2_bytes = uint64_t(attribute(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE));
  info_.max_threads_per_multiprocessor = attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR);
  info_.driver_version = driver_.version;
  host_page_tables_ = attribute(CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES) != 0;
  no_pool_ = (context().settings().flags & TENON_CONTEXT_NO_POOL) != 0;
  pools_ = !no_pool_ && attribute(CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED) != 0;
}

CUcontext CudaDevice::primary() {
  if (CUcontext context = primary_.load(std::memory_order_acquire)) return context;
  std::lock_guard lock(mutex_);
  if (CUcontext context = primary_.load(std::memory_order_relaxed)) return context;
  CUcontext context = nullptr;
  check(driver_.cuDevicePrimaryCtxRetain(&context, handle_), "cuDevicePrimaryCtxRetain");
  primary_.store(context, std::memory_order_release);
  return context;
}

uint64_t CudaDevice::free_memory() {
  const Driver& driver = this->driver();
  Scope scope = activate();
  size_t free = 0, total = 0;
  check(driver.cuMemGetInfo(&free, &total), "cuMemGetInfo");
  return free;
}

std::string CudaDevice::toolkit() { return toolkit_sentence(); }

std::string CudaDevice::report() {
  tenon_memory_info memory{};
  memory_info(memory);
  base::Json out = {
      {"name", name_},
      {"description", description_},
      {"compute_capability", std::to_string(info_.compute_major) + "." + std::to_string(info_.compute_minor)},
      {"total_memory", info_.total_memory},
      {"pool", pools_     ? "stream-ordered, own"
               : no_pool_ ? "none, by the context's options"
                          : "none, the device has no pools"},
      {"in_use", primary_.load() != nullptr},
      {"memory",
       {{"used", memory.used}, {"held", memory.held}, {"peak", memory.used_peak}, {"allocations", memory.allocations}}},
  };
  out["fft_plans"] = base::Json::parse(fft_plans_report(*this));
  out["matmul_plans"] = base::Json::parse(matmul_plans_report(*this));
  if (const ErrorObject* record = lost_record()) out["lost"] = record->error.message;
  return out.dump();
}

void CudaDevice::synchronize() {
  const Driver& driver = this->driver();
  if (!primary_.load()) return;  // nothing was enqueued
  Scope scope = activate();
  check(driver.cuCtxSynchronize(), "cuCtxSynchronize");
  parking_.wait();
}

MemoryLocation CudaDevice::locate(const void* data, int32_t& kind, int32_t& device_index) {
  unsigned int type = 0, managed = 0;
  int ordinal = 0;
  int attributes[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_IS_MANAGED,
                      CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL};
  void* values[] = {&type, &managed, &ordinal};
  CUresult result = driver().cuPointerGetAttributes(3, attributes, values, address(data));
  if (result == CUDA_ERROR_INVALID_VALUE || result == CUDA_ERROR_INVALID_CONTEXT)
    type = 0;  // the driver does not know this attribute
  else check(result, "cuPointerGetAttributes");
  kind = managed ? TENON_MEMORY_MANAGED : type == CU_MEMORYTYPE_HOST ? TENON_MEMORY_PINNED : TENON_MEMORY_DEVICE;
  device_index = type || managed ? ordinal : 0;
  if (managed || type == CU_MEMORYTYPE_DEVICE) return MemoryLocation::device;
  return type == CU_MEMORYTYPE_HOST ? MemoryLocation::pinned
         : type == 0                ? MemoryLocation::host
                                    : MemoryLocation::unknown;
}

// ---- streams

Stream& CudaDevice::default_stream() {
  if (CudaStream* stream = default_.load(std::memory_order_acquire)) return *stream;
  const Driver& driver = this->driver();
  Scope scope = activate();
  Ref<CudaStream> made;
  if (context().settings().private_stream()) {
    CUstream native = nullptr;
    check(driver.cuStreamCreateWithPriority(&native, CU_STREAM_NON_BLOCKING, 0), "cuStreamCreateWithPriority");
    made = make<CudaStream>(*this, native, CudaStream::Kind::own);
  } else {
    made = stream_object(kLegacy);
  }
  // Two threads may get here at once: the second one's stream is destroyed, outside the lock.
  std::lock_guard lock(mutex_);
  if (!default_stream_) {
    default_stream_ = std::move(made);
    default_.store(default_stream_.get(), std::memory_order_release);
  }
  return *default_stream_;
}

Ref<Stream> CudaDevice::create_stream(int32_t priority) {
  const Driver& driver = this->driver();
  Scope scope = activate();
  CUstream native = nullptr;
  check(driver.cuStreamCreateWithPriority(&native, CU_STREAM_NON_BLOCKING, priority), "cuStreamCreateWithPriority");
  return make<CudaStream>(*this, native, CudaStream::Kind::own);
}

// A host's allocator knows memory that was freed here by the stream's handle. The driver may give that to a new stream,
// whose work is not ordered behind what still runs here, so the handle is kept until it has run.
bool CudaDevice::may_destroy(CUstream stream, bool known_to_others, bool wait) noexcept {
  int status = CU_STREAM_CAPTURE_STATUS_NONE;
  if (known_to_others && driver_.cuStreamIsCapturing(stream, &status) == CUDA_SUCCESS &&
      status != CU_STREAM_CAPTURE_STATUS_NONE)
    return false;
  if (!allocator()) return true;
  const RelaxedMode relaxed(driver_);
  if (wait) note(driver_.cuStreamSynchronize(stream));
  return wait || driver_.cuStreamQuery(stream) != CUDA_ERROR_NOT_READY;
}

void CudaDevice::destroy_stream(CUstream stream, bool known_to_others, bool wait) noexcept {
  if (may_destroy(stream, known_to_others, wait)) {
    note(driver_.cuStreamDestroy(stream));
    return;
  }
  try {
    std::lock_guard lock(streams_mutex_);
    kept_streams_.push_back(stream);
  } catch (...) {  // no memory to remember it: it is not destroyed
  }
}

void CudaDevice::destroy_kept_streams(bool wait) noexcept {
  std::vector<CUstream> streams;
  {
    std::lock_guard lock(streams_mutex_);
    if (kept_streams_.empty()) return;
    streams.swap(kept_streams_);
  }
  if (!usable()) return;
  Scope scope = try_activate();
  for (CUstream stream : streams) destroy_stream(stream, true, wait);
}

CUstream CudaDevice::service_stream() {
  if (CUstream stream = service_.load(std::memory_order_acquire)) return stream;
  const Driver& driver = this->driver();
  Scope scope = activate();
  CUstream made = nullptr;
  check(driver.cuStreamCreateWithPriority(&made, CU_STREAM_NON_BLOCKING, 0), "cuStreamCreateWithPriority");
  CUstream none = nullptr;
  if (service_.compare_exchange_strong(none, made, std::memory_order_acq_rel)) return made;
  note(driver.cuStreamDestroy(made));
  return none;
}

CUstream CudaDevice::service_stream_or_null() noexcept {
  try {
    return service_stream();
  } catch (...) {
    return nullptr;
  }
}

// Another thread's per-thread stream is a different stream. The caller holds streams_mutex_.
Ref<CudaStream> CudaDevice::find_stream(CUstream handle, uint64_t thread) {
  for (size_t i = met_.size(); i-- > 0;)  // most recent first, because it is the most likely one
    if (met_[i]->raw_handle() == handle && met_[i]->thread() == thread) return met_[i];
  for (CudaStream* stream : streams_)
    if (stream->raw_handle() == handle && stream->thread() == thread && !stream->captured_by_us() &&
        stream->try_retain())
      return Ref<CudaStream>::adopt(stream);
  return nullptr;
}

// The only object for a native stream.
Ref<CudaStream> CudaDevice::stream_object(CUstream handle) {
  const uint64_t thread = handle == kPerThread ? CudaStream::this_thread() : 0;
  {
    std::lock_guard lock(streams_mutex_);
    if (Ref<CudaStream> found = find_stream(handle, thread)) return found;
  }
  Ref<CudaStream> made = make<CudaStream>(*this, handle,
                                          handle == kLegacy      ? CudaStream::Kind::legacy
                                          : handle == kPerThread ? CudaStream::Kind::per_thread
                                                                 : CudaStream::Kind::foreign);
  std::vector<Ref<CudaStream>> forgotten;  // destroyed outside the lock
  std::lock_guard lock(streams_mutex_);
  if (Ref<CudaStream> found = find_stream(handle, thread); found && found.get() != made.get()) {
    forgotten.push_back(std::move(made));  // another thread was first
    return found;
  }
  constexpr size_t kMost = 64;
  met_.reserve(met_.size() + 1);
  forgotten.reserve(1);
  if (met_.size() >= kMost) {
    auto idle = std::find_if(met_.begin(), met_.end(), [](const Ref<CudaStream>& stream) { return !stream->in_use(); });
    if (idle != met_.end()) {
      forgotten.push_back(std::move(*idle));
      met_.erase(idle);
    }
  }
  met_.push_back(made);
  return made;
}

Ref<Stream> CudaDevice::wrap_stream(uint64_t native) {
  const Driver& driver = this->driver();
  const auto handle = native == 0 ? kLegacy : reinterpret_cast<CUstream>(native);
  if (native > 2) {
    // A stream of another device or context would cause obscure failures later.
    CUcontext owner = nullptr;
    // Any error here is about the caller's handle, not about the device: 709 means a stream that was destroyed.
    const int code = driver.cuStreamGetCtx(handle, &owner);
    TENON_REQUIRE(code == 0, TENON_ERROR_INVALID_ARGUMENT, "0x%llx is not a live CUstream (cuStreamGetCtx: %d)",
                  static_cast<unsigned long long>(native), code);
    TENON_REQUIRE(owner == primary(), TENON_ERROR_DEVICE, "the stream does not belong to the primary context of %s",
                  name_.c_str());
  }
  Ref<CudaStream> stream = stream_object(handle);
  stream->open();
  return stream;
}

Ref<Stream> CudaDevice::framework_stream(uint64_t native) {
  driver();
  Ref<CudaStream> stream = stream_object(native == 0 ? kLegacy : reinterpret_cast<CUstream>(native));
  if (!stream->permanent()) {
    if (stream->closed()) {
      stream->open();
      stream->make_permanent();
      stream->close();
    }
    stream->make_permanent();
  }
  return stream;
}

void CudaDevice::synchronize_streams() noexcept {
  std::vector<Ref<CudaStream>> streams;
  try {
    std::lock_guard lock(streams_mutex_);
    streams.reserve(streams_.size());
    for (CudaStream* stream : streams_)
      if (stream->try_retain()) streams.push_back(Ref<CudaStream>::adopt(stream));
  } catch (...) {  // no host memory for the list
    return;
  }
  for (const Ref<CudaStream>& stream : streams)
    if (usable() && stream->can_enqueue()) note(driver_.cuStreamSynchronize(stream->raw_handle()));
  if (CUstream service = service_.load(); service && usable()) note(driver_.cuStreamSynchronize(service));
}

bool CudaDevice::knows_of_capture() noexcept {
  std::lock_guard lock(streams_mutex_);
  return std::any_of(streams_.begin(), streams_.end(), [](CudaStream* stream) { return stream->being_captured(); });
}

Ref<Event> CudaDevice::create_event(bool timing) { return make<CudaEvent>(*this, timing); }

Ref<Event> CudaDevice::wrap_event(uint64_t native) {
  const auto event = reinterpret_cast<CUevent>(native);
  TENON_REQUIRE(event, TENON_ERROR_INVALID_ARGUMENT, "the native event is 0: a CUevent is needed");
  const Driver& driver = this->driver();
  const RelaxedMode relaxed(driver);
  Scope scope = activate();
  const CUresult result = driver.cuEventQuery(event);
  TENON_REQUIRE(
      result != CUDA_ERROR_INVALID_HANDLE && result != CUDA_ERROR_INVALID_VALUE && result != CUDA_ERROR_INVALID_CONTEXT,
      TENON_ERROR_INVALID_ARGUMENT, "0x%llx is not a live event of %s", static_cast<unsigned long long>(native),
      name().c_str());
  // A stream that another library captures can be waited for within that capture.
  if (result != CUDA_SUCCESS && result != CUDA_ERROR_NOT_READY && result != CUDA_ERROR_CAPTURED_EVENT)
    check(result, "cuEventQuery");
  return make<CudaEvent>(*this, event);
}

void CudaDevice::do_call_host(HostWork& work, Stream& stream) {
  const Driver& driver = this->driver();
  auto& own = static_cast<CudaStream&>(stream);
  const CUstream native = own.handle();
  const bool captured = own.captured_by_us() || own.capturing();  // if so, a graph keeps it alive
  if (captured && !own.captured_by_us()) own.keep_with_capture(Ref<const Object>(&work));
  Users users;
  users.reserve(1);
  {
    Scope scope = activate();
    check(driver.cuLaunchHostFunc(native, HostWork::run_by_driver, &work), "cuLaunchHostFunc");
  }
  if (captured) return;
  users.add({Ref<Stream>(&stream), true, false});
  work.retain();
  retire({&work, 0, TENON_MEMORY_DEVICE, nullptr, [](void* done) { static_cast<HostWork*>(done)->release(); }, &work},
         std::move(users));
}

void CudaDevice::enlist(CudaStream* stream) {
  std::lock_guard lock(streams_mutex_);
  streams_.insert(stream);
}

void CudaDevice::delist(CudaStream* stream) noexcept {
  std::lock_guard lock(streams_mutex_);
  streams_.erase(stream);
}

// ---- transfers

namespace {

constexpr uint64_t kDirect = 64 << 10;  // up to this size the driver copies pageable memory before it returns

void copy_with_threads(char* to, const char* from, uint64_t bytes) {
  constexpr int64_t piece = 256 << 10;
  base::parallel_for(int64_t(bytes), piece,
                     [&](int64_t begin, int64_t end) { memcpy(to + begin, from + begin, size_t(end - begin)); });
}

}  // namespace

void CudaDevice::upload_staged(CUdeviceptr to, const char* from, uint64_t bytes, CUstream stream) {
  while (bytes) {
    const uint64_t piece = std::min(bytes, Staging::kSlot);
    Staging::Held slot = staging_.hold();
    if (!slot) {  // other threads are using every slot
      check(driver().cuMemcpyAsync(to, address(from), bytes, stream), "cuMemcpyAsync");
      check(driver().cuStreamSynchronize(stream), "cuStreamSynchronize");
      return;
    }
    copy_with_threads(static_cast<char*>(slot->data), from, piece);
    CUresult result = driver_.cuMemcpyAsync(to, address(slot->data), piece, stream);
    const char* call = "cuMemcpyAsync";
    if (result == CUDA_SUCCESS) {
      result = driver_.cuEventRecord(slot->done, stream);
      call = "cuEventRecord";
      if (result == CUDA_SUCCESS) slot->recorded = true;
      else slot->in_doubt = !note(driver_.cuStreamSynchronize(stream));
    }
    slot.reset();
    check(result, call);
    to += piece;
    from += piece;
    bytes -= piece;
  }
}

void CudaDevice::download_staged(char* to, CUdeviceptr from, uint64_t bytes, CUstream stream) {
  constexpr int depth = 3;  // copies in flight while one piece is copied out
  struct Piece {
    Staging::Slot* slot;
    char* to;
    uint64_t bytes;
  } pieces[depth];
  int first = 0, count = 0;
  auto take_out = [&](Piece& piece) {
    CUresult result = driver_.cuEventSynchronize(piece.slot->done);
    if (result == CUDA_SUCCESS) copy_with_threads(piece.to, static_cast<char*>(piece.slot->data), piece.bytes);
    piece.slot->recorded = result != CUDA_SUCCESS;
    staging_.give_back(piece.slot);
    first = (first + 1) % depth;
    --count;
    check(result, "cuEventSynchronize");
  };
  try {
    while (bytes) {
      const uint64_t size = std::min(bytes, Staging::kSlot);
      if (count == depth) take_out(pieces[first]);
      Staging::Slot* slot = staging_.take();
      if (!slot) {
        check(driver().cuMemcpyAsync(address(to), from, bytes, stream), "cuMemcpyAsync");
        check(driver().cuStreamSynchronize(stream), "cuStreamSynchronize");
        break;
      }
      CUresult result = driver_.cuMemcpyAsync(address(slot->data), from, size, stream);
      const char* call = "cuMemcpyAsync";
      if (result == CUDA_SUCCESS) {
        result = driver_.cuEventRecord(slot->done, stream);
        call = "cuEventRecord";
        if (result != CUDA_SUCCESS) slot->in_doubt = !note(driver_.cuStreamSynchronize(stream));
      }
      if (result != CUDA_SUCCESS) {
        staging_.give_back(slot);
        fail_driver(result, call);
      }
      slot->recorded = true;
      pieces[(first + count++) % depth] = {slot, to, size};
      to += size;
      from += size;
      bytes -= size;
    }
    while (count) take_out(pieces[first]);
  } catch (...) {
    while (count) {
      staging_.give_back(pieces[first].slot);  // with an event: the slot is reused only when its copy is done
      first = (first + 1) % depth;
      --count;
    }
    throw;
  }
}

bool CudaDevice::known_to_driver(const void* host) {
  unsigned int type = 0;
  int attributes[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE};
  void* values[] = {&type};
  const CUresult result = driver_.cuPointerGetAttributes(1, attributes, values, address(host));
  // If the query fails, memory counts as known to the driver, which is safe.
  return result == CUDA_SUCCESS ? type != 0 : result != CUDA_ERROR_INVALID_VALUE;
}

void CudaDevice::do_upload(void* to, const void* from_host, uint64_t bytes, bool pinned, Stream& stream) {
  const Driver& driver = this->driver();
  if (!pinned) refuse_foreign_capture(stream, "a transfer with pageable host memory");
  Scope scope = activate();
  CUstream native = handle_of(stream);
  // From memory that the driver knows (managed, or pinned by anyone) the copy is asynchronous, even if the caller calls
  // it pageable.
  if (!pinned && (bytes > kDirect || known_to_driver(from_host)))
    return upload_staged(address(to), static_cast<const char*>(from_host), bytes, native);
  check(driver.cuMemcpyAsync(address(to), address(from_host), bytes, native), "cuMemcpyAsync");
  // If the GPU reads pageable memory itself, the copy may start after the call has returned.
  if (!pinned && host_page_tables_) check(driver.cuStreamSynchronize(native), "cuStreamSynchronize");
}

void CudaDevice::do_download(void* to_host, const void* from, uint64_t bytes, bool pinned, Stream& stream) {
  const Driver& driver = this->driver();
  if (!pinned) refuse_foreign_capture(stream, "a transfer with pageable host memory");
  Scope scope = activate();
  CUstream native = handle_of(stream);
  if (!pinned && bytes > kDirect) return download_staged(static_cast<char*>(to_host), address(from), bytes, native);
  check(driver.cuMemcpyAsync(address(to_host), address(from), bytes, native), "cuMemcpyAsync");
  if (!pinned) check(driver.cuStreamSynchronize(native), "cuStreamSynchronize");
}

// The memory of a pool is accessible to its own device only until another is given access; then copies between them are
// direct.
void CudaDevice::open_pool_to(CudaDevice& peer) {
  CUmemoryPool pool = peer.pool_.load();
  std::lock_guard lock(mutex_);
  if (!pool || peers_.count(&peer)) return;
  int possible = 0;
  if (driver_.cuDeviceCanAccessPeer(&possible, handle_, peer.handle_) == CUDA_SUCCESS && possible) {
    CUmemAccessDesc access{{CU_MEM_LOCATION_TYPE_DEVICE, info_.index}, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    note(driver_.cuMemPoolSetAccess(pool, &access, 1));  // if this fails, copies go through host memory
  }
  peers_.insert(&peer);
}

void CudaDevice::do_copy_from_peer(void* to, Device& other, const void* from, uint64_t bytes, Stream& stream) {
  auto& peer = static_cast<CudaDevice&>(other);
  const Driver& driver = this->driver();
  CUcontext from_context = peer.primary();
  open_pool_to(peer);
  Scope scope = activate();
  check(driver.cuMemcpyPeerAsync(address(to), primary(), address(from), from_context, bytes, handle_of(stream)),
        "cuMemcpyPeerAsync");
}

// Operations.

namespace {

[[noreturn]] void no_functions(CudaDevice& device) {
  fail(TENON_ERROR_INTERNAL, "%s has no compiled-in code for functions", device.name().c_str());
}

template <class Problem> void run_as(CudaDevice& device, const void* problem, Stream& stream) {
  run(device, *static_cast<const Problem*>(problem), stream);
}

constexpr void (*kRuns[])(CudaDevice& device, const void* problem, Stream& stream) = {
#define TENON_ROW(problem, name, waits) run_as<problem>,
    TENON_OPERATIONS(TENON_ROW)
#undef TENON_ROW
};

}  // namespace

// See Device::has_functions.
void run(CudaDevice& device, const ElementwiseProblem&, Stream&) { no_functions(device); }
void run(CudaDevice& device, const ReduceProblem&, Stream&) { no_functions(device); }
void run(CudaDevice& device, const ScanProblem&, Stream&) { no_functions(device); }

void CudaDevice::do_run(DeviceOperation operation, const void* problem, Stream& stream) {
  if (const char* waits = info_of(operation).waits) refuse_foreign_capture(stream, waits);
  kRuns[size_t(operation)](*this, problem, stream);
}

}  // namespace tenon::cuda
