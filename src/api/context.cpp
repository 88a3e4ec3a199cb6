// api/context.cpp: contexts are put together here: settings from the options and the environment, the backends, the
// cache.
#include <pthread.h>
#include <atomic>
#include <cstdlib>
#include <mutex>

#include "api/guard.hpp"
#include "backend/list.hpp"
#include "base/files.hpp"
#include "base/parallel.hpp"
#include "base/ranges.hpp"
#include "core/record.hpp"

using namespace tenon;
using namespace tenon::api;

namespace {

int32_t number_from_environment(const char* name, int32_t otherwise) {
  const std::string text = base::environment(name);
  if (text.empty()) return otherwise;
  char* end = nullptr;
  const long value = std::strtol(text.c_str(), &end, 10);
  return *end || value < 0 || value > INT32_MAX ? otherwise : int32_t(value);
}

int32_t log_level_from_environment() {
  const std::string text = base::environment("TENON_LOG");
  static const char* const names[] = {"none", "error", "warning", "info", "debug"};
  for (int32_t level = 0; level < 5; ++level)
    if (text == names[level]) return level;
  return number_from_environment("TENON_LOG", TENON_LOG_WARNING);
}

std::string default_cache_directory() {
  std::string directory = base::environment("TENON_CACHE_DIR");
  if (!directory.empty()) return directory;
  directory = base::environment("XDG_CACHE_HOME");
  if (directory.starts_with('/')) return directory + "/tenon";
  directory = base::environment("HOME");
  return directory.starts_with('/') ? directory + "/.cache/tenon" : "";  // "": nothing on disk
}

std::string default_tuning_directory() {
  std::string directory = base::environment("TENON_TUNING_DIR");
  if (directory.starts_with('/')) return directory;
  directory = base::environment("XDG_DATA_HOME");
  if (directory.starts_with('/')) return directory + "/tenon/tuning";
  directory = base::environment("HOME");
  return directory.starts_with('/') ? directory + "/.local/share/tenon/tuning" : "";
}

void absolute(const std::string& directory, const char* what) {
  TENON_REQUIRE(directory.starts_with('/'), TENON_ERROR_INVALID_ARGUMENT,
                "%s names \"%s\": it must be an absolute path, because the current directory is never searched", what,
                directory.c_str());
}

tenon_allocator allocator_from(const tenon_allocator* given) {
  const tenon_allocator out = options_from(given, "allocator");
  TENON_REQUIRE(out.allocate && out.deallocate, TENON_ERROR_INVALID_ARGUMENT, "the allocator has no %s function",
                out.allocate ? "deallocate" : "allocate");
  return out;
}

Settings settings_from(const tenon_context_options& options) {
  constexpr uint32_t known = TENON_CONTEXT_NO_STREAM_TRACKING | TENON_CONTEXT_NO_POOL | TENON_CONTEXT_DEBUG_SYNC |
                             TENON_CONTEXT_NVTX | TENON_CONTEXT_DETERMINISTIC | TENON_CONTEXT_SIGNED_PACKAGES |
                             TENON_CONTEXT_DEFERRED_ERRORS | TENON_CONTEXT_CHECK_FINITE | TENON_CONTEXT_PRIVATE_STREAM |
                             TENON_CONTEXT_NO_SIGNALS;
  TENON_REQUIRE((options.flags & ~known) == 0, TENON_ERROR_INVALID_ARGUMENT, "flags 0x%x: unknown bits 0x%x",
                options.flags, options.flags & ~known);
  TENON_REQUIRE(options.cache_mode >= TENON_CACHE_DEFAULT && options.cache_mode <= TENON_CACHE_NO_COMPILE,
                TENON_ERROR_INVALID_ARGUMENT, "cache_mode %d is not one of TENON_CACHE_*", options.cache_mode);
  TENON_REQUIRE(options.log_level >= 0 && options.log_level <= TENON_LOG_DEBUG, TENON_ERROR_INVALID_ARGUMENT,
                "log_level %d is not one of TENON_LOG_*", options.log_level);
  TENON_REQUIRE(options.kernel_timeout_seconds <= 1e9, TENON_ERROR_INVALID_ARGUMENT,
                "kernel_timeout_seconds is %g: it must be at most 1e9, and negative numbers mean no limit",
                options.kernel_timeout_seconds);
  TENON_REQUIRE(options.log || (!options.log_user && !options.log_destroy), TENON_ERROR_INVALID_ARGUMENT,
                "log_user or log_destroy is given, but log is NULL: they need a log function");
  Settings out;
  out.flags = options.flags;
  if (number_from_environment("TENON_DEBUG_SYNC", 0)) out.flags |= TENON_CONTEXT_DEBUG_SYNC;
  if (number_from_environment("TENON_SIGNED_PACKAGES", 0)) out.flags |= TENON_CONTEXT_SIGNED_PACKAGES;
  if (number_from_environment("TENON_DETERMINISTIC", 0)) out.flags |= TENON_CONTEXT_DETERMINISTIC;
  if (number_from_environment("TENON_DEFERRED_ERRORS", 0)) out.flags |= TENON_CONTEXT_DEFERRED_ERRORS;
  if (number_from_environment("TENON_CHECK_FINITE", 0)) out.flags |= TENON_CONTEXT_CHECK_FINITE;
  if (number_from_environment("TENON_PRIVATE_STREAM", 0)) out.flags |= TENON_CONTEXT_PRIVATE_STREAM;
  if (number_from_environment("TENON_NO_SIGNALS", 0)) out.flags |= TENON_CONTEXT_NO_SIGNALS;
  if (number_from_environment("TENON_NVTX", 0)) out.flags |= TENON_CONTEXT_NVTX;
  if (!base::ranges_wanted()) out.flags &= ~TENON_CONTEXT_NVTX;  // no profiler is attached, so ranges would be wasted
  out.kernel_timeout_seconds = options.kernel_timeout_seconds != 0
                                   ? std::max(options.kernel_timeout_seconds, 0.)
                                   : number_from_environment("TENON_KERNEL_TIMEOUT", 60);
  out.cache_directory =
      options.cache_directory && *options.cache_directory ? options.cache_directory : default_cache_directory();
  out.cache_limit_bytes = options.cache_limit_bytes ? options.cache_limit_bytes : uint64_t(2) << 30;
  out.cache_mode = options.cache_mode;
  out.log_level = options.log_level ? options.log_level : log_level_from_environment();
  out.log = options.log;
  out.memory_limit_bytes = options.memory_limit_bytes;
  if (options.allocator) {
    out.allocator = allocator_from(options.allocator);
    out.allocator.destroy = nullptr;  // the context's, as of its creation
  }
  out.has_plugin_path = options.plugin_path != nullptr;
  if (options.plugin_path) out.plugin_path = base::path_entries(options.plugin_path);
  for (const std::string& directory : out.plugin_path) absolute(directory, "plugin_path");
  out.tuning_directory =
      options.tuning_directory && *options.tuning_directory ? options.tuning_directory : default_tuning_directory();
  if (!out.tuning_directory.empty()) absolute(out.tuning_directory, "tuning_directory");
  return out;
}

Ref<Context> create_context(const tenon_context_options& options) {
  Settings settings = settings_from(options);
  std::unique_ptr<ImageStore> images = make_image_store(settings);
  settings.log_user = options.log_user;
  return make<Context>(std::move(settings), backends(), std::move(images));
}

struct Default {
  std::mutex mutex;
  std::atomic<Context*> context{nullptr};  // keeps its reference for ever
};
Default& default_context() {
  static Default* state = [] {  // never destroyed: handles are released while the process exits too
    // The child can neither use nor close the parent's context, whose lock may be held by a thread that does not exist
    // in the child.
    pthread_atfork(nullptr, nullptr, [] { new (&default_context()) Default; });
    return new Default;
  }();
  return *state;
}

// Held while devices find their toolkits, which may run a compiler.
std::mutex& toolkit_mutex() {
  static std::mutex* mutex = [] {
    pthread_atfork(nullptr, nullptr, [] { new (&toolkit_mutex()) std::mutex; });
    return new std::mutex;
  }();
  return *mutex;
}

}  // namespace

// The default context is kept for the life of the process once it was made: closing and opening it again would cost a
// CUDA context each time, and its caches. A child of fork() gets a new one.
Context& tenon::api::context_or_default(tenon_context* handle) {
  if (handle) return get(handle, "context");
  Default& state = default_context();
  if (Context* made = state.context.load(std::memory_order_acquire)) return *made;
  std::lock_guard lock(state.mutex);
  if (!state.context.load(std::memory_order_relaxed)) {
    tenon_context_options options{};
    options.struct_size = sizeof(options);
    Ref<Context> made = create_context(options);
    made->keep_for_ever();
    state.context.store(made.detach(), std::memory_order_release);
  }
  return *state.context.load(std::memory_order_relaxed);
}

void tenon::api::log_for_process(int32_t level, const char* text) noexcept {
  if (Context* made = default_context().context.load(std::memory_order_acquire)) return made->log(level, "%s", text);
  try {
    if (level <= log_level_from_environment()) std::fprintf(stderr, "tenon: warning: %s\n", text);
  } catch (...) {  // no memory to read the environment
  }
}

int32_t tenon_context_default(tenon_context** out_context) {
  return guard([&] {
    Out out(out_context, "out_context");
    out.set(Ref<Context>(&context_or_default(nullptr)));
  });
}

int32_t tenon_context_create(const tenon_context_options* given, tenon_context** out_context) {
  return guard([&] {
    Out out(out_context, "out_context");
    const tenon_context_options options = options_from(given, "options");
    const tenon_destroy_fn allocator_destroy = options_from(options.allocator, "allocator").destroy;
    const Ref<Context> context = create_context(options);
    out.set(context);
    context->take_over(options.log_destroy, allocator_destroy);
  });
}
int32_t tenon_context_retain(const tenon_context* context) { return retain(context); }
void tenon_context_release(tenon_context* context) {
  // Releases objects that were waiting for their last use: they may be what keeps the context alive.
  if (Object* object = slot_peek(context, HandleKind::context)) static_cast<Context*>(object)->collect();
  release(context);
}

int32_t tenon_cpu_threads_set(int32_t threads) {
  return guard([&] {
    TENON_REQUIRE(threads >= 0 && threads <= 4096, TENON_ERROR_INVALID_ARGUMENT,
                  "threads is %d: it must be 1 to 4096, or 0 for the default", threads);
    base::set_thread_count(threads);
  });
}
int32_t tenon_cpu_threads_get(int32_t* out_threads) {
  return guard([&] { need(out_threads, "out_threads") = base::thread_count(); });
}

int32_t tenon_context_device_count(tenon_context* context, int32_t* out_count) {
  return guard([&] {
    need(out_count, "out_count");
    *out_count = context_or_default(context).device_count();
  });
}
int32_t tenon_context_device_at(tenon_context* context, int32_t index, tenon_device** out_device) {
  return guard([&] {
    Out out(out_device, "out_device");
    out.set(make<DeviceObject>(context_or_default(context).device(index)));
  });
}
int32_t tenon_context_device(tenon_context* context, const char* name, tenon_device** out_device) {
  return guard([&] {
    Out out(out_device, "out_device");
    need(name, "name");
    out.set(make<DeviceObject>(context_or_default(context).device(std::string(name))));
  });
}
int32_t tenon_context_report(tenon_context* context, tenon_blob** out_report) {
  return guard([&] {
    Out out(out_report, "out_report");
    out.set(make<Blob>(context_or_default(context).report()));
  });
}

int32_t tenon_device_get_info(const tenon_device* device, tenon_device_info* out_info) {
  return guard([&] {
    Device& self = get(device, "device").device;
    need(out_info, "out_info");
    tenon_device_info info = self.info();
    info.free_memory = self.free_memory();
    info_to(out_info, info, "out_info");
  });
}
int32_t tenon_device_name(const tenon_device* device, const char** out_name) {
  return guard([&] {
    Device& self = get(device, "device").device;
    need(out_name, "out_name") = self.name().c_str();
  });
}
int32_t tenon_device_description(const tenon_device* device, const char** out_text) {
  return guard([&] {
    Device& self = get(device, "device").device;
    need(out_text, "out_text") = self.description().c_str();
  });
}
int32_t tenon_device_toolkit(const tenon_device* device, const char** out_text) {
  return guard([&] {
    DeviceObject& self = get(device, "device");
    need(out_text, "out_text");
    std::lock_guard lock(toolkit_mutex());
    if (self.toolkit.empty()) self.toolkit = self.device.toolkit();
    *out_text = self.toolkit.c_str();
  });
}
int32_t tenon_device_synchronize(tenon_device* device) {
  return guard([&] {
    DeviceObject& self = get(device, "device");
    if (const int32_t status = lost(self.device)) return status;
    self.device.synchronize();
    self.context->collect();
    self.device.deferred_errors().throw_pending();
    return TENON_OK;
  });
}
int32_t tenon_device_retain(const tenon_device* device) { return retain(device); }
void tenon_device_release(tenon_device* device) { release(device); }

int32_t tenon_device_get_memory_info(const tenon_device* device, tenon_memory_info* out_info) {
  return guard([&] {
    Device& self = get(device, "device").device;
    need(out_info, "out_info");
    tenon_memory_info info{};
    self.memory_info(info);
    info_to(out_info, info, "out_info");
  });
}
namespace {

// The user data of an allocator that is lent out.
struct Lent {
  Ref<DeviceObject> device;
  uint32_t generation = fork_generation();

  void check_process() const {
    TENON_REQUIRE(
        generation == fork_generation(), TENON_ERROR_FORKED,
        "the allocator was lent before fork(), and a child process cannot use it: create a new one in the child, on "
        "the CPU");
  }

  Stream& stream(uint64_t native, Ref<Stream>& kept) const {
    if (device->device.on_host()) return device->device.default_stream();
    return *(kept = device->device.framework_stream(native));
  }
  bool is_for(int32_t kind, int32_t index) const {
    return kind == device->device.kind() && index == device->device.index();
  }
};

int32_t lent_allocate(void* user, int32_t device_kind, int32_t device_index, uint64_t bytes, uint64_t stream,
                      void** out_data) {
  const auto& lent = *static_cast<const Lent*>(user);
  return guard(
      [&] {
        need(out_data, "out_data") = nullptr;
        lent.check_process();
        Device& device = lent.device->device;
        if (const int32_t status = lost(device)) return status;
        TENON_REQUIRE(lent.is_for(device_kind, device_index), TENON_ERROR_DEVICE,
                      "this allocator was lent by %s and cannot allocate memory of another device",
                      device.name().c_str());
        Ref<Stream> kept;
        *out_data = device.allocate(std::max<uint64_t>(bytes, 1), TENON_MEMORY_DEVICE, lent.stream(stream, kept));
        return TENON_OK;
      },
      "tenon_device_allocator");
}

void lent_deallocate(void* user, int32_t, int32_t, void* data, uint64_t bytes, uint64_t stream) {
  const auto& lent = *static_cast<const Lent*>(user);
  if (!data) return;
  const RecordAside aside;
  const int32_t failed = guard(
      [&] {
        lent.check_process();
        Ref<Stream> kept;
        lent.device->device.deallocate(data, std::max<uint64_t>(bytes, 1), TENON_MEMORY_DEVICE,
                                       lent.stream(stream, kept));
      },
      "tenon_device_allocator");
  if (failed && failed != TENON_ERROR_FORKED)
    lent.device->context->log(TENON_LOG_ERROR, "memory of the allocator lent by %s could not be freed: %s",
                              lent.device->device.name().c_str(), tenon_error_last_message());
}

}  // namespace

int32_t tenon_device_allocator(tenon_device* device, tenon_allocator* out_allocator) {
  return guard([&] {
    DeviceObject& self = get(device, "device");
    check_info(out_allocator, "out_allocator");
    tenon_allocator out{};
    out.allocate = lent_allocate;
    out.deallocate = lent_deallocate;
    out.destroy = [](void* user) { delete static_cast<Lent*>(user); };
    out.user = new Lent{Ref<DeviceObject>(&self)};
    info_to(out_allocator, out, "out_allocator");
  });
}
int32_t tenon_device_use_allocator(tenon_device* device, const tenon_allocator* allocator) {
  return guard([&] {
    Device& self = get(device, "device").device;
    need(allocator, "allocator");
    self.use_allocator(allocator_from(allocator));
  });
}
int32_t tenon_device_trim_memory(tenon_device* device, uint64_t keep_bytes) {
  return guard([&] { get(device, "device").device.trim(keep_bytes); });
}
int32_t tenon_device_limit_memory(tenon_device* device, uint64_t bytes) {
  return guard([&] { get(device, "device").device.limit_memory(bytes); });
}
