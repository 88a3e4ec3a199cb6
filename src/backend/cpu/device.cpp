// backend/cpu/device.cpp: the CPU as a device: its properties, and the forwarding of its functions to the code that
// does the work.
#include "backend/cpu/device.hpp"

#include "backend/cpu/host.hpp"
#include "backend/cpu/operations.hpp"
#include "base/files.hpp"
#include "base/json.hpp"
#include "base/memory.hpp"
#include "base/parallel.hpp"
#include "core/device/host_work.hpp"

namespace tenon::cpu {

CpuDevice::CpuDevice(Context& context)
    : Device(context),
      memory_(!(context.settings().flags & TENON_CONTEXT_NO_POOL), context.settings().memory_limit_bytes),
      default_stream_(make<CpuStream>(*this, streams_, false)) {
  name_ = "cpu:0";
  description_ = processor_name();
  info_.struct_size = sizeof info_;
  info_.kind = TENON_DEVICE_CPU;
  traits_ = {.on_host = true, .lapack = true, .fast_double = true, .alignment = 64};
  info_.multiprocessors = base::thread_count();
  // The launch limits of a typical GPU, so that a kernel that is accepted here is accepted there.
  info_.warp_size = 32;
  info_.max_threads_per_block = 1024;
  info_.max_block[0] = info_.max_block[1] = 1024;
  info_.max_block[2] = 64;
  info_.max_grid[0] = 2147483647;
  info_.max_grid[1] = info_.max_grid[2] = 65535;
  info_.shared_per_block = 48 << 10;
  info_.shared_per_block_max = 227 << 10;
  info_.max_threads_per_multiprocessor = 2048;
  info_.total_memory = base::total_memory();
  info_.free_memory = base::available_memory();
  info_.l2_bytes = last_level_cache();  // as on a GPU, where the L2 is the last level
}

CpuDevice::~CpuDevice() {
  close_mail();
  close_modules();
}

// The number of threads is a setting of the process and may change, but structs returned before must not.
const tenon_device_info& CpuDevice::info() const {
  const int32_t threads = base::thread_count();
  if (info_.multiprocessors == threads) return info_;
  std::lock_guard lock(infos_mutex_);
  tenon_device_info& other = infos_.try_emplace(threads, info_).first->second;
  other.multiprocessors = threads;
  return other;
}

uint64_t CpuDevice::free_memory() {
  const uint64_t free = base::available_memory(), limit = memory_.limit();
  if (!limit) return free;
  return std::min(free, limit - std::min(limit, memory_.used()));
}

std::string CpuDevice::toolkit() { return kernel_toolkit(); }

std::string CpuDevice::report() {
  base::Json out;
  out["description"] = description_;
  out["threads"] = base::thread_count();
  out["memory"] = {{"used", memory_.used()},
                   {"used_peak", memory_.peak()},
                   {"cached", Memory::cached()},
                   {"limit", memory_.limit()},
                   {"allocations", memory_.allocations()}};
  out["kernels"] = base::Json::parse(kernel_report());
  out["blas"] = base::Json::parse(blas_report());
  out["fft"] = base::Json::parse(fft_report());
  return out.dump();
}

// Memory.

void* CpuDevice::allocate(uint64_t bytes, int32_t kind, Stream&) {
  TENON_REQUIRE(
      kind == TENON_MEMORY_DEVICE, TENON_ERROR_UNSUPPORTED,
      "pinned and managed memory belong to a CUDA device: allocate them there; cpu:0 has memory of kind 0 (device)");
  const tenon_allocator* theirs = settled_allocator();
  if (!theirs) return memory_.allocate(bytes);
  memory_.take(bytes);
  try {
    void* const data = take_from(*theirs, *this, bytes, 0);
    TENON_REQUIRE(data, TENON_ERROR_OUT_OF_MEMORY, "the host's allocator could not allocate %llu bytes for %s",
                  static_cast<unsigned long long>(bytes), name().c_str());
    return data;
  } catch (...) {
    memory_.untake(bytes);
    throw;
  }
}

void CpuDevice::deallocate(void* data, uint64_t bytes, int32_t, Stream&) noexcept {
  const tenon_allocator* theirs = allocator();
  if (!theirs) return memory_.deallocate(data, bytes);
  if (!data) return;
  give_back_to(*theirs, *this, data, bytes, 0);
  memory_.give(bytes);
}

void CpuDevice::memory_info(tenon_memory_info& out) {
  out.used = memory_.used();
  out.used_peak = memory_.peak();
  out.held = memory_.used() + Memory::cached();
  out.limit = memory_.limit();
  out.allocations = memory_.allocations();
}

MemoryLocation CpuDevice::locate(const void*, int32_t& kind, int32_t& device_index) {
  kind = TENON_MEMORY_DEVICE;
  device_index = 0;
  return MemoryLocation::host;
}

// Streams.

Ref<Stream> CpuDevice::create_stream(int32_t) { return make<CpuStream>(*this, streams_, true); }

Ref<Stream> CpuDevice::wrap_stream(uint64_t native) {
  TENON_REQUIRE(native == 0, TENON_ERROR_INVALID_ARGUMENT,
                "cpu:0 has no native streams: only 0 can be wrapped, which is its default stream");
  return Ref<Stream>(default_stream_.get());
}

Ref<Event> CpuDevice::create_event(bool timing) { return make<CpuEvent>(*this, timing); }

Ref<Event> CpuDevice::wrap_event(uint64_t native) {
  TENON_REQUIRE(native == 0, TENON_ERROR_INVALID_ARGUMENT,
                "the CPU device has no native events: only 0 can be wrapped");
  return create_event(false);
}

void CpuDevice::do_call_host(HostWork& work, Stream& stream) {
  const CpuStream::Turn turn = cpu_stream(stream).start();
  work.run();
}

// Copies.

void CpuDevice::do_upload(void* to, const void* from_host, uint64_t bytes, bool, Stream& stream) {
  const auto turn = cpu_stream(stream).start();
  copy_bytes(to, from_host, bytes);
}

void CpuDevice::do_download(void* to_host, const void* from, uint64_t bytes, bool, Stream& stream) {
  const auto turn = cpu_stream(stream).finish();  // a host read reports earlier failures
  copy_bytes(to_host, from, bytes);
}

void CpuDevice::do_copy_from_peer(void* to, Device&, const void* from, uint64_t bytes, Stream& stream) {
  const auto turn = cpu_stream(stream).start();
  copy_bytes(to, from, bytes);
}

// Kernels.

std::string CpuDevice::compiler_identity(const CompileRequest& request) {
  return kernel_compiler_identity(request, context().images());
}
std::vector<std::string> CpuDevice::include_directories(const CompileRequest& request) {
  return kernel_include_directories(request);
}
Image CpuDevice::compile(const CompileRequest& request) {
  const Settings& settings = context().settings();
  const bool keeps = settings.cache_mode == TENON_CACHE_DEFAULT && base::environment("TENON_CACHE").empty() &&
                     !settings.cache_directory.empty();
  return kernel_compile(request, keeps ? settings.cache_directory + "/sources" : "", context().images());
}
Ref<Module> CpuDevice::load(const Image& image) { return kernel_load(*this, image); }
void CpuDevice::check_image(const ProgramInput& input) { kernel_check_image(input); }
std::string CpuDevice::kernel_symbol(const std::string&, size_t index) { return cpu::kernel_symbol(index); }
std::string CpuDevice::variable_symbol(const std::string&, size_t index) { return cpu::variable_symbol(index); }

// Operations.

namespace {

template <class Problem> void run_as(const void* problem) { run(*static_cast<const Problem*>(problem)); }

constexpr void (*kRuns[])(const void* problem) = {
#define TENON_ROW(problem, name, waits) run_as<problem>,
    TENON_OPERATIONS(TENON_ROW)
#undef TENON_ROW
};

}  // namespace

void CpuDevice::do_run(DeviceOperation operation, const void* problem, Stream& stream) {
  const auto turn = cpu_stream(stream).start();
  kRuns[size_t(operation)](problem);
}

void CpuDevice::do_run_native(const std::function<void()>& work, Stream& stream) {
  const auto turn = cpu_stream(stream).start();
  work();
}

}  // namespace tenon::cpu
