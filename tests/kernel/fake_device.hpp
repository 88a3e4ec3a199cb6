// tests/kernel/fake_device.hpp: a device whose "compiler" writes an ELF image with the signatures that a test chose,
// and whose modules record what they are given.
#pragma once
#include <gtest/gtest.h>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <thread>
#include "base/files.hpp"
#include "core/array/argument.hpp"
#include "core/device/context.hpp"
#include "kernel/program.hpp"

namespace fake {

using namespace tenon;

// In the format in which the compiler writes it.
struct Record {
  uint32_t kind, dtype, flags = 0, size = 8, alignment = 8, element_size = 0, element_alignment = 0, reserved = 0;
};
inline Record scalar(Dtype dtype, uint32_t flags = 0) {
  return {TENON_PARAMETER_SCALAR, dtype, flags, dtype_bytes(dtype), dtype_bytes(dtype)};
}
inline Record pointer(Dtype dtype, bool read_only = false, uint32_t bytes = 0) {
  const uint32_t size = bytes ? bytes : dtype_bytes(dtype);
  return {TENON_PARAMETER_POINTER,
          dtype,
          read_only ? 1u : 0u,
          8,
          8,
          size,
          dtype_lanes(dtype) == 3 || !dtype ? 4u : std::min(size, 16u)};
}
inline Record bytes_pointer(Dtype dtype, bool read_only = false) {
  return {TENON_PARAMETER_POINTER, dtype, 2u | (read_only ? 1u : 0u), 8, 8, dtype ? 1u : 0u, 1};
}
inline Record structure(uint32_t size, uint32_t alignment, Dtype dtype = 0) {
  return {TENON_PARAMETER_STRUCT, dtype, 0, size, alignment};
}
using Signature = std::vector<Record>;

// ---- a small ELF64 file: .data with the symbols one after another, .symtab, .strtab, .shstrtab

struct ElfSymbol {
  std::string name, bytes;
};

template <class T> void put(std::string& out, size_t at, T value) {
  if (out.size() < at + sizeof value) out.resize(at + sizeof value, '\0');
  std::memcpy(out.data() + at, &value, sizeof value);
}

inline std::string elf(const std::vector<ElfSymbol>& symbols, uint64_t address = 0x4000) {
  std::string data, names(1, '\0'), table(24, '\0');
  for (const ElfSymbol& s : symbols) {
    const size_t at = table.size();
    put<uint32_t>(table, at, uint32_t(names.size()));
    put<uint16_t>(table, at + 6, 1);
    put<uint64_t>(table, at + 8, address + data.size());
    put<uint64_t>(table, at + 16, s.bytes.size());
    names += s.name + '\0';
    data += s.bytes;
    data.resize((data.size() + 15) / 16 * 16, '\0');
  }
  std::string out("\177ELF\2\1\1", 7);
  out.resize(64, '\0');
  struct {
    std::string* bytes;
    uint32_t type, link;
    uint64_t address, entry;
  } sections[] = {{&data, 1, 0, address, 0}, {&table, 2, 3, 0, 24}, {&names, 3, 0, 0, 0}};
  std::string headers(64, '\0');
  for (const auto& s : sections) {
    const size_t at = headers.size();
    put<uint32_t>(headers, at + 4, s.type);
    put<uint64_t>(headers, at + 16, s.address);
    put<uint64_t>(headers, at + 24, out.size());
    put<uint64_t>(headers, at + 32, s.bytes->size());
    put<uint32_t>(headers, at + 40, s.link);
    put<uint64_t>(headers, at + 56, s.entry);
    out += *s.bytes;
  }
  put<uint64_t>(out, 40, out.size());
  put<uint16_t>(out, 58, 64);
  put<uint16_t>(out, 60, 4);
  return out + headers;
}

inline std::string table(const Signature& signature) {
  std::string out("TENNSIG1", 8);
  put<uint32_t>(out, 8, 1);
  put<uint32_t>(out, 12, uint32_t(signature.size()));
  for (const Record& r : signature) put(out, out.size(), r);
  put(out, out.size(), Record{0, 0, 0, 0, 0});
  return out;
}

// ---- the device

class FakeEvent final : public Event {
 public:
  using Event::Event;
  void do_record(Stream&) override {}
  void synchronize() override {}
  bool query() override { return true; }
  double elapsed_since(Event&) override { return 0; }
};

class FakeStream final : public Stream {
 public:
  explicit FakeStream(Device& device) : Stream(device) {}
  uint64_t native() const override { return 1; }
  void synchronize() override {}
  bool query() override { return true; }
  void wait(Event&) override {}
  void do_wait_for(Stream& earlier, bool) override { waited_for.push_back(&earlier); }
  std::vector<Stream*> waited_for;
};

struct Launched {
  int32_t kernel = -1;
  Geometry geometry;
  uint64_t values[8] = {};  // the first 8 bytes of each parameter
  std::atomic<int> count{0};
};

class FakeModule final : public Module {
 public:
  FakeModule(Launched& launched, tenon_kernel_info info, size_t parameters)
      : launched_(launched), info_(info), parameters_(parameters) {}
  tenon_kernel_info info(int32_t) override { return info_; }
  const char* name(int32_t) override { return "fake"; }
  void do_launch(int32_t kernel, const Geometry& geometry, const Values& values, Stream&) override {
    launched_.kernel = kernel;
    launched_.geometry = geometry;
    for (size_t i = 0; i < std::min<size_t>(parameters_, 8); ++i)
      std::memcpy(&launched_.values[i], values.values[i], 4);
    launched_.count.fetch_add(1, std::memory_order_relaxed);
  }
  int32_t occupancy(int32_t, uint32_t threads, uint64_t) override {
    return int32_t(std::min(2048 / threads, 65536 / (64 * threads)));
  }
  void* global(const std::string& name, uint64_t&) override { fail(TENON_ERROR_NOT_FOUND, "no %s", name.c_str()); }

 private:
  Launched& launched_;
  tenon_kernel_info info_;
  size_t parameters_;
};

class FakeDevice final : public Device {
 public:
  FakeDevice(Context& context, int32_t kind, int32_t index) : Device(context) {
    traits_.on_host = kind == TENON_DEVICE_CPU;
    info_.kind = kind;
    info_.index = index;
    info_.compute_major = 9;
    info_.multiprocessors = 132;
    info_.warp_size = 32;
    info_.max_threads_per_block = 1024;
    const int32_t block[3] = {1024, 1024, 64}, grid[3] = {2147483647, 65535, 65535};
    std::copy(block, block + 3, info_.max_block);
    std::copy(grid, grid + 3, info_.max_grid);
    info_.shared_per_block = 49152;
    info_.shared_per_block_max = 232448;
    name_ = (kind == TENON_DEVICE_CPU ? "cpu:" : "cuda:") + std::to_string(index);
    description_ = "fake";
    stream_ = Ref<FakeStream>::adopt(new FakeStream(*this));
    kernel_info.max_threads_per_block = 1024;
  }

  void set_capability(int32_t major, int32_t minor) { info_.compute_major = major, info_.compute_minor = minor; }

  // Properties of the next programs.
  std::map<std::string, Signature> signatures;
  std::function<void(const CompileRequest&)> on_compile;
  std::vector<std::string> directories;
  std::string identity = "fake compiler 1";
  size_t image_bytes = 0;  // the minimum size
  tenon_kernel_info kernel_info{};
  std::atomic<int> compiles{0}, loads{0};
  Launched launched;

  uint64_t free_memory() override { return 1; }
  std::string toolkit() override { return "fake"; }
  std::string report() override { return "{}"; }
  void synchronize() override {}
  void* allocate(uint64_t bytes, int32_t, Stream&) override {
    return std::aligned_alloc(256, (bytes + 255) / 256 * 256);
  }
  void deallocate(void* data, uint64_t, int32_t, Stream&) noexcept override { std::free(data); }
  void memory_info(tenon_memory_info&) override {}
  void trim(uint64_t) override {}
  MemoryLocation locate(const void*, int32_t&, int32_t&) override { return MemoryLocation::host; }
  Stream& default_stream() override { return *stream_; }
  Ref<Stream> create_stream(int32_t) override { return Ref<FakeStream>::adopt(new FakeStream(*this)); }
  Ref<Stream> wrap_stream(uint64_t) override { return create_stream(0); }
  Ref<Event> create_event(bool) override { return Ref<FakeEvent>::adopt(new FakeEvent(*this)); }
  Ref<Event> wrap_event(uint64_t) override { no("native events"); }
  SharedMemory make_shared(uint64_t) override { no("shared memory"); }
  SharedMemory open_shared(const SharedKey&) override { no("shared memory"); }
  void do_upload(void* to, const void* from, uint64_t bytes, bool, Stream&) override { std::memcpy(to, from, bytes); }
  void do_download(void* to, const void* from, uint64_t bytes, bool, Stream&) override { std::memcpy(to, from, bytes); }
  void do_copy_from_peer(void*, Device&, const void*, uint64_t, Stream&) override { no("peer copies"); }
  void do_run(DeviceOperation operation, const void*, Stream&) override { no(info_of(operation).name); }
  void do_call_host(HostWork&, Stream&) override { no("functions of the host"); }

  std::string compiler_identity(const CompileRequest&) override { return identity; }
  std::vector<std::string> include_directories(const CompileRequest&) override { return directories; }
  Image compile(const CompileRequest& request) override {
    ++compiles;
    if (on_compile) on_compile(request);
    std::vector<ElfSymbol> symbols;
    Image image;
    for (size_t i = 0; i < request.kernels.size(); ++i) {
      const auto found = signatures.find(request.kernels[i]);
      if (found == signatures.end()) {
        Error error(TENON_ERROR_COMPILE, "identifier \"" + request.kernels[i] + "\" is undefined");
        error.log = "the whole log";
        throw error;
      }
      symbols.push_back({"tenon_signature_" + std::to_string(i), table(found->second)});
      image.symbols.push_back(request.kernels[i]);
    }
    image.binary = elf(symbols);
    if (image.binary.size() < image_bytes) image.binary.resize(image_bytes, 'x');
    image.log = "compiled " + request.source;
    return image;
  }
  Ref<Module> load(const Image&) override {
    ++loads;
    size_t most = 0;
    for (const auto& [name, signature] : signatures) most = std::max(most, signature.size());
    return Ref<FakeModule>::adopt(new FakeModule(launched, kernel_info, signatures.size() == 1 ? most : 0));
  }

 private:
  [[noreturn]] void no(const char* what) { fail(TENON_ERROR_UNSUPPORTED, "the fake device has no %s", what); }
  Ref<FakeStream> stream_;
};

inline std::vector<std::unique_ptr<Device>> cpu_devices(Context& context, std::string*) {
  std::vector<std::unique_ptr<Device>> out;
  out.push_back(std::make_unique<FakeDevice>(context, TENON_DEVICE_CPU, 0));
  return out;
}
inline std::vector<std::unique_ptr<Device>> cuda_devices(Context& context, std::string*) {
  std::vector<std::unique_ptr<Device>> out;
  for (int i = 0; i < 2; ++i) out.push_back(std::make_unique<FakeDevice>(context, TENON_DEVICE_CUDA, i));
  return out;
}
inline const Backend kBackends[] = {{"cpu", cpu_devices, nullptr}, {"cuda", cuda_devices, nullptr}};

// A context with a cache in a directory of the test ("": nothing on disk), and its log lines.
struct World {
  explicit World(std::string cache = "", int32_t mode = TENON_CACHE_DEFAULT, uint64_t limit = 0) {
    Settings settings;
    settings.cache_directory = cache;
    settings.cache_mode = cache.empty() ? TENON_CACHE_OFF : mode;
    settings.cache_limit_bytes = limit;
    settings.log = [](void* user, int32_t, const char* text) {
      static_cast<World*>(user)->log += std::string(text) + "\n";
    };
    settings.log_user = this;
    std::unique_ptr<ImageStore> images = make_image_store(settings);
    context = make<Context>(std::move(settings), kBackends, std::move(images));
  }
  FakeDevice& device(const std::string& name = "cuda:0") { return static_cast<FakeDevice&>(context->device(name)); }
  std::string log;
  Ref<Context> context;
};

inline CompileRequest request(std::vector<std::string> kernels, std::string source = "// text") {
  CompileRequest out;
  out.source = std::move(source);
  out.kernels = std::move(kernels);
  return out;
}

// The status and text of the error that `call` throws; 0 and "" if it throws none.
struct Thrown {
  int32_t status = TENON_OK;
  std::string text, log;
};
inline Thrown thrown(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return {error.status, error.message, error.log};
  }
  return {};
}

// A number, an address or bytes, as api/ would pass them.
inline CallArgument argument(const tenon_arg& given) {
  CallArgument out{given.kind, given.dtype, given.size, nullptr, {}};
  std::memcpy(&out.value, &given.value, sizeof out.value);
  return out;
}

}  // namespace fake
