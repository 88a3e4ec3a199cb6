// backend/cpu/run/module.cpp: a compiled image in the process, and launches of its kernels.
#include <dlfcn.h>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <unordered_map>
#include "backend/cpu/kernel.hpp"
#include "backend/cpu/run/bounds.hpp"
#include "backend/cpu/run/children.hpp"
#include "backend/cpu/compile/compiler/compiler.hpp"
#include "backend/cpu/device.hpp"
#include "backend/cpu/run/grid.hpp"
#include "backend/cpu/run/heap.hpp"
#include "backend/cpu/compile/compiler/object.hpp"
#include "backend/cpu/run/signals.hpp"
#include "backend/cpu/run/tls.hpp"
#include "backend/cpu/run/worker.hpp"
#include "backend/cpu/stream.hpp"
#include "backend/cpu/target.hpp"
#include "base/files.hpp"
#include "base/json.hpp"
#include "base/library.hpp"
#include "base/parallel.hpp"
#include "core/device/launch_note.hpp"

namespace tenon::cpu {
namespace {

std::atomic<int64_t> modules_loaded{0};

// A debugger must read the image from a file, which is then kept in `kept`.
void* open_image(const std::string& binary, bool for_debugger, std::unique_ptr<base::ScratchDirectory>& kept) {
  std::string why;
  void* handle = nullptr;
  if (!for_debugger) {
    handle = base::open_object(binary, "tenon-kernel", RTLD_NOW | RTLD_LOCAL, why);
  } else {
    auto directory = std::make_unique<base::ScratchDirectory>();
    const std::string path = directory->path() + "/kernel.so";
    TENON_REQUIRE(base::write_file_atomically(path, binary, &why), TENON_ERROR_IO, "%s", why.c_str());
    handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle) kept = std::move(directory);
    else if (const char* said = dlerror()) why = said;
  }
  TENON_REQUIRE(handle, TENON_ERROR_IO, "a compiled kernel module could not be loaded: %s", why.c_str());
  return handle;
}

// Like tenon_place in the signature text: the address of a variable of the request, whatever its linkage.
struct VariableEntry {
  void* address;
  uint64_t bytes;
};
constexpr char kPlace[] = "tenon_global_place_";

// Handing work to the pool takes some microseconds. The first block shows how long a block takes: the rest is shared
// only if that is worth it, in pieces that are worth it.
constexpr int64_t kWorthSharing = 20000, kSharedPiece = 10000;  // nanoseconds
constexpr uint64_t kMostBlockThreads = 1024;                    // per block
constexpr int64_t kShortestRow = 512, kRowSamples = 64;         // threads; parts of the grid, of which one is timed

int64_t nanoseconds() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

// One block at a time: a piece of several would wait, in its first block, for the last one of the piece before it, and
// so all pieces would run one after the other.
void run_in_turn(Launch& launch, int64_t first, int64_t blocks) {
  std::atomic<int64_t> next{first};
  base::parallel_for(std::min<int64_t>(base::thread_count(), blocks - first), 1, [&](int64_t, int64_t) {
    for (int64_t block; (block = next.fetch_add(1)) < blocks && !launch.stop.load(std::memory_order_relaxed);)
      run_blocks(launch, uint64_t(block), uint64_t(block) + 1);
  });
}

void run_shared(Launch& launch, int64_t blocks) {
  if (blocks == 1) return run_blocks(launch, 0, 1);
  // Rows of threads (shim/execution/tenon_rows.h) should not be cut into pieces that access less than a few cache lines
  // each time, unless one block is enough work for a piece: then its threads have loops of their own.
  int64_t least =
      launch.kernel->rows
          ? std::min(blocks, std::max<int64_t>(kShortestRow / launch.frame.block.x, blocks / kRowSamples) + 1)
          : 1;
  const int64_t begun = nanoseconds();
  run_blocks(launch, 0, 1);
  if (least > 1 && nanoseconds() - begun > kSharedPiece) least = 1;
  if (least > 1) run_blocks(launch, 1, uint64_t(least));
  const int64_t each = std::max<int64_t>((nanoseconds() - begun) / least, 1), left = blocks - least;
  if (left < kWorthSharing / each) return run_blocks(launch, uint64_t(least), uint64_t(blocks));
  if (launch.module->flags & TENON_MODULE_IN_TURN) return run_in_turn(launch, least, blocks);
  base::parallel_for(left, std::max<int64_t>(least, kSharedPiece / each),
                     [&launch, least](int64_t first, int64_t last) {
                       if (!launch.stop.load(std::memory_order_relaxed))
                         run_blocks(launch, uint64_t(first + least), uint64_t(last + least));
                     });
}

// For tenon_kernel_info. mode: the module's execution mode (shim/language/tenon_abi.h).
uint32_t execution_of(const tenon_entry_points& entry, unsigned mode) {
  const uint32_t fibers = mode == 3 ? TENON_EXECUTION_WARPS : TENON_EXECUTION_FIBERS;
  const uint32_t form = entry.regions             ? TENON_EXECUTION_REGIONS
                        : entry.loop || mode == 1 ? TENON_EXECUTION_LOOP
                                                  : fibers;
  return form | (entry.rows ? TENON_EXECUTION_IN_ORDER : 0) | (entry.beside ? TENON_EXECUTION_SIDE_BY_SIDE : 0);
}

class CpuModule final : public Module {
 public:
  CpuModule(const Image& image, bool guarded) : guarded_(guarded) {
    const std::vector<ObjectSymbol> symbols = object_symbols(image.binary);
    const bool for_debugger = std::any_of(symbols.begin(), symbols.end(),
                                          [](const ObjectSymbol& s) { return s.name == "tenon_debug_image"; });
    handle_ = open_image(image.binary, for_debugger, file_);
    module_ = static_cast<const tenon_module*>(dlsym(handle_, "tenon_cpu_module"));
    if (!module_ || module_->abi != TENON_MODULE_ABI) {
      dlclose(handle_);
      fail(TENON_ERROR_VERSION,
           "this image is not a kernel module for the CPU device of this version of Tenon; compile the program again");
    }
    std::unordered_map<std::string, uint64_t> shared, threads;
    for (const ObjectSymbol& symbol : symbols) {
      if (symbol.name == "tenon_stack_bytes") stack_bytes_ = symbol.value;
      else if (symbol.name.rfind("tenon_cpu_kernel_", 0) == 0 && symbol.name.ends_with("_shared_bytes"))
        shared.emplace(symbol.name, symbol.value);
      else if (symbol.name.rfind("tenon_cpu_kernel_", 0) == 0 && symbol.name.ends_with("_most_threads"))
        threads.emplace(symbol.name, symbol.value);
      else if (symbol.defined) sizes_.emplace(symbol.name, symbol);
    }
    for (const std::string& symbol : image.symbols) {
      const auto* entry = static_cast<const tenon_entry_points*>(dlsym(handle_, symbol.c_str()));
      if (!entry) {
        dlclose(handle_);
        fail(TENON_ERROR_NOT_FOUND, "the compiled program has no kernel \"%s\"", symbol.c_str());
      }
      kernels_.push_back(entry);
      shared_bytes_.push_back(shared[shared_symbol(symbol)]);
      clusters_.push_back(static_cast<const unsigned*>(dlsym(handle_, (symbol + "_cluster").c_str())));
      const auto bound = threads.find(threads_symbol(symbol));
      most_threads_.push_back(bound == threads.end() ? kMostBlockThreads : std::min(kMostBlockThreads, bound->second));
    }
    tls_ = ImageTls(handle_, image.binary);
    module_->bind(&kernel_runtime);
    if (guarded_) install_signal_handlers();
    if (module_->flags & TENON_MODULE_CHECK) memory_ = ModuleMemory(handle_, symbols);
    ++modules_loaded;
  }

  tenon_kernel_info info(int32_t kernel) override {
    tenon_kernel_info out{};
    out.struct_size = sizeof out;
    out.max_threads_per_block = int32_t(most_threads_[size_t(kernel)]);
    out.execution = execution_of(*kernels_[size_t(kernel)], module_->execution);
    out.shared_bytes = shared_bytes_[size_t(kernel)];
    return out;
  }

  int32_t occupancy(int32_t, uint32_t, uint64_t) override { return 1; }  // the limits have been checked

  const char* name(int32_t kernel) override { return kept_name(kernels_[size_t(kernel)]->name); }

  void* global(const std::string& name, uint64_t& bytes) override {
    if (name.rfind(kPlace, 0) == 0) {
      if (auto* place = static_cast<const VariableEntry*>(dlsym(handle_, name.c_str()))) {
        bytes = place->bytes;
        return place->address;
      }
    }
    auto found = sizes_.find(name);
    void* address = found == sizes_.end() || found->second.thread_local_data || found->second.size == 0
                        ? nullptr
                        : dlsym(handle_, name.c_str());
    TENON_REQUIRE(address, TENON_ERROR_NOT_FOUND,
                  "the program has no __device__ or __constant__ variable \"%s\" that is visible (not static)",
                  name.c_str());
    bytes = found->second.size;
    return address;
  }

 private:
  void do_launch(int32_t kernel, const Geometry& geometry, const Values& values, Stream& stream) override;
  tenon_index cluster_of(int32_t kernel, const Geometry& geometry);
  ~CpuModule() override {
    dlclose(handle_);
    --modules_loaded;
  }

  const bool guarded_;  // the context reports faults of the processor as errors of the launch
  void* handle_ = nullptr;
  std::unique_ptr<base::ScratchDirectory> file_;  // for a debug image
  const tenon_module* module_ = nullptr;
  ImageTls tls_;
  std::vector<const tenon_entry_points*> kernels_;
  std::vector<uint64_t> shared_bytes_, most_threads_;  // per kernel
  std::vector<const unsigned*> clusters_;              // __cluster_dims__ of each kernel; NULL: it has none
  ModuleMemory memory_;                                // for the checked mode
  uint64_t stack_bytes_ = 64 << 10;
  std::unordered_map<std::string, ObjectSymbol> sizes_;
};

void look_for_leaks(Launch& launch) {
  const Heap::Leak leak = launch.heap->find_leak(launch);
  if (leak.count == 0 || launch.fault || launch.stop || launch.module->flags & TENON_MODULE_ANY_LEAK) return;
  launch.set_fault(
      format("heap memory was leaked: nothing that outlives the launch points to these %llu bytes (%llu such blocks), "
             "in kernel %s, block %s, thread %s",
             static_cast<unsigned long long>(leak.bytes), static_cast<unsigned long long>(leak.count),
             launch.kernel->name, index_text(leak.block).c_str(), index_text(leak.thread).c_str()));
}

// The blocks per cluster of a launch, which the text or the launch may say; x is 0 if neither does.
tenon_index CpuModule::cluster_of(int32_t kernel, const Geometry& geometry) {
  const unsigned* own = clusters_[size_t(kernel)];
  if (!own) return {geometry.cluster[0], geometry.cluster[1], geometry.cluster[2]};
  constexpr unsigned kLargest = TENON_MOST_CLUSTER_BLOCKS;
  const unsigned c[3] = {std::max(own[0], 1u), std::max(own[1], 1u), std::max(own[2], 1u)};
  TENON_REQUIRE(c[0] <= kLargest && c[1] <= kLargest && c[2] <= kLargest && c[0] * c[1] * c[2] <= kLargest,
                TENON_ERROR_INVALID_ARGUMENT,
                "the __cluster_dims__ of %s, %u x %u x %u, are over the limit of %u blocks", name(kernel), c[0], c[1],
                c[2], kLargest);
  for (int i = 0; i < 3; ++i) {
    TENON_REQUIRE(!geometry.cluster[0] || geometry.cluster[i] == c[i], TENON_ERROR_INVALID_ARGUMENT,
                  "%s is launched with cluster.%c of %u, and has __cluster_dims__ with %u", name(kernel), "xyz"[i],
                  geometry.cluster[i], c[i]);
    TENON_REQUIRE(geometry.grid[i] % c[i] == 0, TENON_ERROR_INVALID_ARGUMENT,
                  "grid.%c of %u for %s is not a multiple of %u, its __cluster_dims__", "xyz"[i], geometry.grid[i],
                  name(kernel), c[i]);
  }
  return {c[0], c[1], c[2]};
}

void CpuModule::do_launch(int32_t kernel, const Geometry& geometry, const Values& values, Stream& stream) {
  CpuStream::Turn turn = cpu_stream(stream).start();
  Launch launch;
  launch.module = module_;
  launch.kernel = kernels_[size_t(kernel)];
  launch.tls = &tls_;
  launch.params = values.values;
  launch.frame.grid = {geometry.grid[0], geometry.grid[1], geometry.grid[2]};
  launch.frame.block = {geometry.block[0], geometry.block[1], geometry.block[2]};
  launch.frame.stop = reinterpret_cast<const int*>(&launch.stop);
  launch.frame.shared_bytes = geometry.shared_bytes;
  launch.frame.cooperative = geometry.flags & TENON_LAUNCH_COOPERATIVE ? 1 : 0;
  launch.threads = int64_t(geometry.block[0]) * geometry.block[1] * geometry.block[2];
  launch.stack_bytes = stack_bytes_;
  launch.reverse = module_->flags & TENON_MODULE_REVERSE;
  launch.check = module_->flags & TENON_MODULE_CHECK;
  launch.guarded = guarded_;
  launch.timeout_seconds = launch.check ? stream.device().context().settings().kernel_timeout_seconds : 0;
  launch.deadline = std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                                                           std::chrono::duration<double>(launch.timeout_seconds));
  launch.heap = &static_cast<CpuDevice&>(stream.device()).kernel_heap();
  Children children;
  launch.children = &children;
  if (launch.check) note_extents(launch, values, memory_);
  const int64_t blocks = int64_t(geometry.grid[0]) * geometry.grid[1] * geometry.grid[2];
  const tenon_index cluster = cluster_of(kernel, geometry);
  launch.frame.cluster = {1, 1, 1};
  if (cluster.x && !launch.frame.cooperative) {
    run_clusters(launch, cluster, blocks);
  } else if (launch.frame.cooperative) {
    TENON_REQUIRE(
        blocks <= kMostCooperativeBlocks, TENON_ERROR_UNSUPPORTED,
        "a cooperative launch on the CPU device runs each block on a host thread: %lld blocks are over the limit of "
        "%lld",
        static_cast<long long>(blocks), static_cast<long long>(kMostCooperativeBlocks));
    if (cluster.x) run_clusters(launch, cluster, blocks);
    else run_cooperative(launch, blocks);
  } else {
    run_shared(launch, blocks);
  }
  run_children(launch, run_shared);
  if (launch.check) look_for_leaks(launch);
  if (!launch.fault && launch.stop) throw std::bad_alloc();
  if (!launch.fault) return;
  launch.fault->message += "; launched as " + LaunchNote(name(kernel), geometry, values).text();
  if (launch.check) throw Error(*launch.fault);  // thrown by the faulty call, and by no other
  cpu_stream(stream).set_fault(std::move(*launch.fault));
}

}  // namespace

Ref<Module> kernel_load(Device& device, const Image& image) {
  return make<CpuModule>(image, !(device.context().settings().flags & TENON_CONTEXT_NO_SIGNALS));
}

std::string kernel_report() {
  base::Json out;
  out["compiler"] = kernel_toolkit();
  try {
    const Target target = target_of("");
    out["instruction_set"] = {
        {"name", target.name}, {"tuning", target.tuning}, {"instructions", features_text(target.features)}};
  } catch (const Error& error) {
    out["instruction_set"] = error.message;
  }
  out["threads"] = base::thread_count();
  out["modules_loaded"] = modules_loaded.load();
  return out.dump();
}

}  // namespace tenon::cpu
