// backend/cpu/device.hpp: the CPU as a device: the reference with which every other device is compared.
#pragma once
#include "backend/cpu/kernel.hpp"
#include "backend/cpu/memory.hpp"
#include "backend/cpu/stream.hpp"
#include "core/device/backend.hpp"
#include <map>
#include <memory>
#include <mutex>
#include "core/device/context.hpp"

namespace tenon::cpu {

class CpuDevice final : public Device {
 public:
  explicit CpuDevice(Context& context);
  ~CpuDevice() override;

  uint64_t free_memory() override;
  std::string toolkit() override;
  std::string report() override;
  void synchronize() override { streams_.synchronize(); }

  void* allocate(uint64_t bytes, int32_t kind, Stream& stream) override;
  void deallocate(void* data, uint64_t bytes, int32_t kind, Stream& stream) noexcept override;
  void memory_info(tenon_memory_info& out) override;
  void trim(uint64_t keep_bytes) override { Memory::trim(keep_bytes); }
  void limit_memory(uint64_t bytes) override { memory_.set_limit(bytes), Device::limit_memory(bytes); }
  MemoryLocation locate(const void* data, int32_t& kind, int32_t& device_index) override;

  const tenon_device_info& info() const override;
  Stream& default_stream() override { return *default_stream_; }
  Ref<Stream> create_stream(int32_t priority) override;
  Ref<Stream> wrap_stream(uint64_t native) override;
  Ref<Event> create_event(bool timing) override;
  Ref<Event> wrap_event(uint64_t native) override;
  SharedMemory make_shared(uint64_t bytes) override;
  SharedMemory open_shared(const SharedKey& key) override;

  void do_upload(void* to, const void* from_host, uint64_t bytes, bool pinned, Stream& stream) override;
  void do_download(void* to_host, const void* from, uint64_t bytes, bool pinned, Stream& stream) override;
  void do_copy_from_peer(void* to, Device& peer, const void* from, uint64_t bytes, Stream& stream) override;
  void do_call_host(HostWork& work, Stream& stream) override;

  std::string compiler_identity(const CompileRequest& request) override;
  std::vector<std::string> include_directories(const CompileRequest& request) override;
  Image compile(const CompileRequest& request) override;
  Ref<Module> load(const Image& image) override;
  void check_image(const ProgramInput& input) override;
  std::string kernel_symbol(const std::string& name, size_t index) override;
  std::string variable_symbol(const std::string& name, size_t index) override;

  void do_run(DeviceOperation operation, const void* problem, Stream& stream) override;
  bool has_functions() const override { return true; }
  const Native* native() const override;
  std::unique_ptr<TextureResource> make_texture(const TextureSpec& spec, const SharedTexels* shared) override;
  Heap& kernel_heap() { return *kernel_heap_; }
  void do_run_native(const std::function<void()>& work, Stream& stream) override;

 private:
  Memory memory_;
  std::shared_ptr<Heap> kernel_heap_ = make_kernel_heap();
  StreamSet streams_;
  Ref<CpuStream> default_stream_;
  mutable std::mutex infos_mutex_;
  mutable std::map<int32_t, tenon_device_info> infos_;  // for numbers of threads other than the first
};

}  // namespace tenon::cpu
