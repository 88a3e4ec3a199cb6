// core/device/context.hpp: settings, log, the devices. Assembled in api/context.cpp.
#pragma once
#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>
#include "core/device/backend.hpp"
#include "core/object.hpp"

namespace tenon {

struct Settings {
  uint32_t flags = 0;  // TENON_CONTEXT_*
  std::string cache_directory;
  uint64_t cache_limit_bytes = 0;
  int32_t cache_mode = 0;
  int32_t log_level = TENON_LOG_WARNING;
  tenon_log_fn log = nullptr;  // NULL: stderr
  void* log_user = nullptr;
  tenon_destroy_fn log_destroy = nullptr;
  uint64_t memory_limit_bytes = 0;
  tenon_allocator allocator{};   // allocate == NULL: Tenon's own
  bool has_plugin_path = false;  // else it is read from the environment each time
  std::vector<std::string> plugin_path;
  std::string tuning_directory;       // "": none
  double kernel_timeout_seconds = 0;  // of checked kernels on the CPU; 0: no limit
  bool deterministic() const { return flags & TENON_CONTEXT_DETERMINISTIC; }
  bool waits_after_each() const { return flags & TENON_CONTEXT_DEBUG_SYNC; }
  bool defers_errors() const { return (flags & TENON_CONTEXT_DEFERRED_ERRORS) && !waits_after_each(); }
  bool private_stream() const { return flags & TENON_CONTEXT_PRIVATE_STREAM; }
  bool checks_finite() const { return flags & TENON_CONTEXT_CHECK_FINITE; }
  bool watches() const { return flags & (TENON_CONTEXT_DEBUG_SYNC | TENON_CONTEXT_NVTX); }
};

// Memory from a host's functions. NULL: they have none. Throws if they return memory that cannot be used.
void* take_from(const tenon_allocator& allocator, const Device& device, uint64_t bytes, uint64_t stream);
void give_back_to(const tenon_allocator& allocator, const Device& device, void* data, uint64_t bytes,
                  uint64_t stream) noexcept;

// Devices live exactly as long as their context: code that keeps a Device& keeps a Ref<Context>.
class Context final : public Object {
 public:
  Context(Settings settings, std::span<const Backend> backends, std::unique_ptr<ImageStore> images);
  ~Context() override;
  // The reference of the process is never given back, so that from now on references need not be counted: each buffer
  // would count twice.
  void keep_for_ever() noexcept { counted_ = false; }
  void retain() const noexcept {
    if (counted_) Object::retain();
  }
  void release() const noexcept {
    if (counted_) Object::release();
  }

  const Settings& settings() const { return settings_; }
  bool tracks_streams() const { return !(settings_.flags & TENON_CONTEXT_NO_STREAM_TRACKING); }
  ImageStore& images() { return *images_; }
  // The last step of construction: from now on the context ends the lives of the objects that the host passed.
  void take_over(tenon_destroy_fn log_destroy, tenon_destroy_fn allocator_destroy) noexcept {
    settings_.log_destroy = log_destroy;
    settings_.allocator.destroy = allocator_destroy;
  }
  // The source of the devices' memory in place of Tenon's pools; NULL: the pools.
  const tenon_allocator* allocator() const { return settings_.allocator.allocate ? &settings_.allocator : nullptr; }
  void log(int32_t level, const char* text, ...) __attribute__((format(printf, 3, 4)));

  int32_t device_count();  // opens every backend
  Device& device(int32_t index);
  Device& device(const std::string& name);
  Device& device(int32_t kind, int32_t index);  // throws NOT_FOUND
  Device& cpu();
  std::string report();

  // What a higher layer keeps for the life of the context: made on first use. It must not reference the context.
  enum class Attachment { packages, functions, count };
  Object& attachment(Attachment which, const std::function<Ref<Object>()>& make);

  // Frees memory whose last uses are over (Device::collect). There is no hidden thread: later calls do this, and the
  // context when it closes.
  void collect(bool wait = false) noexcept;
  // The default streams of all devices that were used so far.
  std::vector<Stream*> default_streams();

 private:
  struct Opened {
    std::atomic<bool> ready{false};
    bool started = false;
    std::vector<std::unique_ptr<Device>> devices;
    std::string why;
  };
  Opened& open(size_t backend);
  [[noreturn]] void no_device(const std::string& requested);

  bool counted_ = true;
  Settings settings_;
  std::span<const Backend> backends_;
  std::unique_ptr<ImageStore> images_;
  std::recursive_mutex mutex_;  // recursive: a backend may log while it opens, and a log callback may call Tenon
  std::vector<Opened> opened_;

  std::mutex attachment_mutex_;
  Ref<Object> attachments_[size_t(Attachment::count)];
};

}  // namespace tenon
