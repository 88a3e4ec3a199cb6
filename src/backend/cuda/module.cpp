// backend/cuda/module.cpp: a loaded image: its kernels, their attributes, their launch.
#include <cstring>
#include "backend/cuda/device.hpp"

namespace tenon::cuda {
namespace {

struct Entry {
  CUfunction function = nullptr;
  const char* name = nullptr;
  std::atomic<uint32_t> dynamic_shared{0};  // the bytes allowed so far
  std::atomic<bool> large_clusters{false};
};

class CudaModule final : public Module {
 public:
  CudaModule(CudaDevice& device, const Image& image) : device_(device), kernels_(image.symbols.size()) {
    const Driver& driver = device.driver();
    const RelaxedMode relaxed(driver);
    Scope scope = device.activate();
    load(driver, image);
    try {
      for (size_t i = 0; i < kernels_.size(); ++i) find(driver, kernels_[i], image.symbols[i]);
    } catch (...) {
      device.note(driver.cuModuleUnload(module_));
      throw;
    }
  }

  ~CudaModule() override {
    if (!device_.usable()) return;
    const RelaxedMode relaxed(device_.table());
    Scope scope = device_.try_activate();
    device_.note(device_.table().cuModuleUnload(module_));
  }

  tenon_kernel_info info(int32_t kernel) override {
    const Driver& driver = device_.driver();
    Scope scope = device_.activate();
    CUfunction function = kernels_[size_t(kernel)].function;
    auto attribute = [&](int which) {
      int value = 0;
      device_.check(driver.cuFuncGetAttribute(&value, which, function), "cuFuncGetAttribute");
      return value;
    };
    tenon_kernel_info out{};
    out.max_threads_per_block = attribute(CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
    out.registers = attribute(CU_FUNC_ATTRIBUTE_NUM_REGS);
    out.shared_bytes = uint64_t(attribute(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES));
    out.constant_bytes = uint64_t(attribute(CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES));
    out.local_bytes = uint64_t(attribute(CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES));
    out.ptx_version = attribute(CU_FUNC_ATTRIBUTE_PTX_VERSION);
    out.binary_version = attribute(CU_FUNC_ATTRIBUTE_BINARY_VERSION);
    out.cache_mode_ca = attribute(CU_FUNC_ATTRIBUTE_CACHE_MODE_CA) != 0;
    return out;
  }

  void prefer_shared(int32_t kernel, int32_t percent) override {
    Scope scope = device_.activate();
    device_.check(device_.driver().cuFuncSetAttribute(kernels_[size_t(kernel)].function,
                                                      CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, percent),
                  "cuFuncSetAttribute");
  }

  int32_t occupancy(int32_t kernel, uint32_t threads, uint64_t shared_bytes) override {
    const Driver& driver = device_.driver();
    Entry& entry = kernels_[size_t(kernel)];
    Scope scope = device_.activate();
    if (shared_bytes > entry.dynamic_shared.load(std::memory_order_relaxed))
      allow_shared(driver, entry, uint32_t(shared_bytes));
    int blocks = 0;
    device_.check(
        driver.cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, entry.function, int(threads), shared_bytes),
        "cuOccupancyMaxActiveBlocksPerMultiprocessor");
    return blocks;
  }

  const char* name(int32_t kernel) override { return kernels_[size_t(kernel)].name; }

  void do_launch(int32_t kernel, const Geometry& geometry, const Values& values, Stream& stream) override {
    void* const* params = values.values;
    const Driver& driver = device_.driver();
    Entry& entry = kernels_[size_t(kernel)];
    CUstream native = handle_of(stream);
    if (stream.known_to_others()) [[unlikely]]
      stream.keep_with_capture(Ref<const Object>(this));  // a graph does not keep its modules alive
    Scope scope = device_.activate();
    if (geometry.shared_bytes > entry.dynamic_shared.load(std::memory_order_relaxed)) [[unlikely]]
      allow_shared(driver, entry, geometry.shared_bytes);
    device_.note(LaunchNote(entry.name, geometry, values));
    CUresult result;
    if ((geometry.flags & (TENON_LAUNCH_COOPERATIVE | TENON_LAUNCH_PROGRAMMATIC)) || geometry.cluster[0]) [[unlikely]] {
      result = launch_with_attributes(driver, entry, geometry, params, native);
      if (result == CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE) fail_too_large(kernel, geometry);
    } else {
      result = driver.cuLaunchKernel(entry.function, geometry.grid[0], geometry.grid[1], geometry.grid[2],
                                     geometry.block[0], geometry.block[1], geometry.block[2], geometry.shared_bytes,
                                     native, const_cast<void**>(params), nullptr);
    }
    device_.check(result, "cuLaunchKernel");
  }

  std::vector<uint64_t> parameter_sizes(int32_t kernel) override {
    const Driver& driver = device_.driver();
    CUfunction function = kernels_[size_t(kernel)].function;
    Scope scope = device_.activate();
    std::vector<uint64_t> sizes;
    for (;;) {
      size_t offset = 0, bytes = 0;
      const CUresult result = driver.cuFuncGetParamInfo(function, sizes.size(), &offset, &bytes);
      if (result == CUDA_ERROR_INVALID_VALUE) return sizes;  // there are no more
      device_.check(result, "cuFuncGetParamInfo");
      sizes.push_back(bytes);
    }
  }

  void* global(const std::string& name, uint64_t& bytes) override {
    const Driver& driver = device_.driver();
    Scope scope = device_.activate();
    CUdeviceptr data = 0;
    size_t size = 0;
    CUresult result = driver.cuModuleGetGlobal(&data, &size, module_, name.c_str());
    TENON_REQUIRE(result != CUDA_ERROR_NOT_FOUND, TENON_ERROR_NOT_FOUND,
                  "the program has no __device__ or __constant__ variable \"%s\"", name.c_str());
    device_.check(result, "cuModuleGetGlobal");
    bytes = size;
    return reinterpret_cast<void*>(data);
  }

 private:
  void load(const Driver& driver, const Image& image) {
    CUresult result = load_data(driver, image.binary);
    // A cubin for another architecture: its PTX can still be turned into code here, unless it is newer than the device.
    const bool is_ptx = image.binary == image.ptx || image.binary.compare(0, image.ptx.size(), image.ptx) == 0;
    if (result == CUDA_ERROR_NO_BINARY_FOR_GPU && !image.ptx.empty() && !is_ptx) result = load_data(driver, image.ptx);
    if (result == CUDA_SUCCESS) return;
    try {
      device_.fail_driver(result, "cuModuleLoadDataEx");
    } catch (Error& error) {
      error.log = log_;
      throw;
    }
  }

  CUresult load_data(const Driver& driver, const std::string& image) {
    char log[8192] = {};
    int options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void* values[] = {log, reinterpret_cast<void*>(sizeof log)};
    CUresult result = driver.cuModuleLoadDataEx(&module_, image.c_str(), 2, options, values);
    log[sizeof log - 1] = 0;
    log_ = log;
    return result;
  }

  void find(const Driver& driver, Entry& entry, const std::string& symbol) {
    CUresult result = driver.cuModuleGetFunction(&entry.function, module_, symbol.c_str());
    TENON_REQUIRE(result != CUDA_ERROR_NOT_FOUND, TENON_ERROR_NOT_FOUND, "the compiled program has no kernel \"%s\"",
                  symbol.c_str());
    device_.check(result, "cuModuleGetFunction");
    entry.name = kept_name(symbol);
    int fixed = 0;
    device_.check(driver.cuFuncGetAttribute(&fixed, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, entry.function),
                  "cuFuncGetAttribute");
    const uint64_t without_asking = device_.info().shared_per_block;
    entry.dynamic_shared = uint64_t(fixed) < without_asking ? uint32_t(without_asking - uint64_t(fixed)) : 0;
  }

  // More dynamic shared memory than a block gets by default (48 KiB) must be enabled once per kernel.
  void allow_shared(const Driver& driver, Entry& entry, uint32_t bytes) {
    std::lock_guard lock(mutex_);
    if (bytes <= entry.dynamic_shared.load()) return;
    device_.check(
        driver.cuFuncSetAttribute(entry.function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, int(bytes)),
        "cuFuncSetAttribute");
    entry.dynamic_shared.store(bytes);
  }

  [[noreturn]] void fail_too_large(int32_t kernel, const Geometry& geometry) {
    const unsigned threads = geometry.block[0] * geometry.block[1] * geometry.block[2];
    const long long most =
        static_cast<long long>(occupancy(kernel, threads, geometry.shared_bytes)) * device_.info().multiprocessors;
    Error error(
        TENON_ERROR_UNSUPPORTED,
        format("a cooperative launch needs all its blocks on the device at once: %llu blocks of %u threads of %s are "
               "over the %lld that %s holds",
               static_cast<unsigned long long>(geometry.grid[0]) * geometry.grid[1] * geometry.grid[2], threads,
               name(kernel), most, device_.name().c_str()));
    error.native_call = "cuLaunchKernelEx";
    error.native_code = CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE;
    throw error;
  }

  CUresult launch_with_attributes(const Driver& driver, Entry& entry, const Geometry& geometry, void* const* params,
                                  CUstream native) {
    CUlaunchAttribute attributes[3] = {};
    CUlaunchConfig config{};
    config.gridDimX = geometry.grid[0], config.gridDimY = geometry.grid[1], config.gridDimZ = geometry.grid[2];
    config.blockDimX = geometry.block[0], config.blockDimY = geometry.block[1], config.blockDimZ = geometry.block[2];
    config.sharedMemBytes = geometry.shared_bytes;
    config.hStream = native;
    config.attrs = attributes;
    if (geometry.flags & TENON_LAUNCH_COOPERATIVE) {
      attributes[config.numAttrs].id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
      attributes[config.numAttrs++].value.cooperative = 1;
    }
    if ((geometry.flags & TENON_LAUNCH_PROGRAMMATIC) && device_.capability() >= 90) {
      attributes[config.numAttrs].id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION;
      attributes[config.numAttrs++].value.programmaticStreamSerializationAllowed = 1;
    }
    if (geometry.cluster[0]) {
      const unsigned y = geometry.cluster[1] ? geometry.cluster[1] : 1,
                     z = geometry.cluster[2] ? geometry.cluster[2] : 1;
      if (geometry.cluster[0] * y * z > 8 && !entry.large_clusters.load()) {  // every device with clusters supports 8
        device_.check(driver.cuFuncSetAttribute(entry.function, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1),
                      "cuFuncSetAttribute");
        entry.large_clusters.store(true);
      }
      attributes[config.numAttrs].id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
      attributes[config.numAttrs].value.clusterDim = {geometry.cluster[0], y, z};
      ++config.numAttrs;
    }
    return driver.cuLaunchKernelEx(&config, entry.function, const_cast<void**>(params), nullptr);
  }

  CudaDevice& device_;
  CUmodule module_ = nullptr;
  std::string log_;
  std::vector<Entry> kernels_;
  std::mutex mutex_;
};

}  // namespace

Ref<Module> CudaDevice::load(const Image& image) { return make<CudaModule>(*this, image); }

}  // namespace tenon::cuda
