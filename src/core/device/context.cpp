// core/device/context.cpp: devices by name, log lines, the report.
#include "core/device/context.hpp"

#include <cstdarg>
#include <cstdio>
#include "base/json.hpp"
#include "core/device/host_work.hpp"

namespace tenon {

Context::Context(Settings settings, std::span<const Backend> backends, std::unique_ptr<ImageStore> images)
    : settings_(std::move(settings)), backends_(backends), images_(std::move(images)), opened_(backends.size()) {}

Context::~Context() {
  for (Ref<Object>& attachment : attachments_) attachment = {};
  collect(true);
  opened_.clear();  // devices first: they may still log
  images_.reset();
  call_host(*this, "the destroy function of the context's allocator", settings_.allocator.destroy,
            settings_.allocator.user);
  call_host(settings_.log_destroy, settings_.log_user);
}

void* take_from(const tenon_allocator& allocator, const Device& device, uint64_t bytes, uint64_t stream) {
  void* data = nullptr;
  int32_t failed = -1;
  call_host([&] { failed = allocator.allocate(allocator.user, device.kind(), device.index(), bytes, stream, &data); });
  if (failed || !data) return nullptr;
  const uintptr_t alignment = device.traits().alignment;
  if (reinterpret_cast<uintptr_t>(data) % alignment == 0) return data;
  give_back_to(allocator, device, data, bytes, stream);
  fail(TENON_ERROR_INVALID_ARGUMENT,
       "the host's allocator returned the address %p for %llu bytes of %s: the address must be a multiple of %llu",
       data, static_cast<unsigned long long>(bytes), device.name().c_str(), static_cast<unsigned long long>(alignment));
}

void give_back_to(const tenon_allocator& allocator, const Device& device, void* data, uint64_t bytes,
                  uint64_t stream) noexcept {
  if (data) call_host(allocator.deallocate, allocator.user, device.kind(), device.index(), data, bytes, stream);
}

Object& Context::attachment(Attachment which, const std::function<Ref<Object>()>& make) {
  std::lock_guard lock(attachment_mutex_);
  Ref<Object>& attachment = attachments_[size_t(which)];
  if (!attachment) attachment = make();
  return *attachment;
}

void Context::collect(bool wait) noexcept {
  for (Opened& opened : opened_) {
    if (!opened.ready.load(std::memory_order_acquire)) continue;
    for (auto& device : opened.devices) device->collect(wait);
  }
}

std::vector<Stream*> Context::default_streams() {
  std::vector<Stream*> out;
  for (Opened& opened : opened_) {
    if (!opened.ready.load(std::memory_order_acquire)) continue;
    for (auto& device : opened.devices)
      if (Stream* stream = device->default_stream_if_used()) out.push_back(stream);
  }
  return out;
}

void Context::log(int32_t level, const char* text, ...) {
  if (level > settings_.log_level) return;
  va_list list;
  va_start(list, text);
  std::string line = format_list(text, list);
  va_end(list);
  if (settings_.log) {
    call_host(settings_.log, settings_.log_user, level, line.c_str());
  } else {
    static const char* const names[] = {"", "error", "warning", "info", "debug"};
    std::fprintf(stderr, "tenon: %s: %s\n", names[level >= 1 && level <= 4 ? level : 4], line.c_str());
  }
}

Context::Opened& Context::open(size_t backend) {
  Opened& opened = opened_[backend];
  if (opened.ready.load(std::memory_order_acquire)) return opened;
  std::lock_guard lock(mutex_);
  if (!opened.started) {
    opened.started = true;
    try {
      opened.devices = backends_[backend].devices(*this, &opened.why);
    } catch (...) {
      opened.started = false;  // out of memory, for example: the next call tries again
      throw;
    }
    opened.ready.store(true, std::memory_order_release);
  }
  return opened;
}

int32_t Context::device_count() {
  size_t count = 0;
  for (size_t i = 0; i < backends_.size(); ++i) count += open(i).devices.size();
  return int32_t(count);
}

Device& Context::device(int32_t index) {
  int32_t left = index;
  for (size_t i = 0; left >= 0 && i < backends_.size(); ++i) {
    Opened& opened = open(i);
    if (size_t(left) < opened.devices.size()) return *opened.devices[size_t(left)];
    left -= int32_t(opened.devices.size());
  }
  fail(TENON_ERROR_INVALID_ARGUMENT, "device index %d is out of range: the context has %d devices, numbered from 0",
       index, device_count());
}

Device& Context::device(const std::string& name) {
  if (name == "best") {
    Device* best = nullptr;
    for (size_t i = 0; i < backends_.size(); ++i) {
      Opened& opened = open(i);
      if (!opened.devices.empty()) best = opened.devices[0].get();  // the CPU is the first backend and the fallback
    }
    if (best) return *best;
    no_device(name);
  }
  const size_t colon = name.find(':');
  const std::string family = name.substr(0, colon);
  const std::string full = colon == std::string::npos ? name + ":0" : name;
  for (size_t i = 0; i < backends_.size(); ++i) {
    if (family != backends_[i].name) continue;  // other backends are not opened for this
    for (auto& device : open(i).devices)
      if (device->name() == full) return *device;
  }
  no_device(name);
}

void Context::no_device(const std::string& requested) {
  std::string names, why;
  const std::string family = requested.substr(0, requested.find(':'));
  for (size_t i = 0; i < backends_.size(); ++i) {
    Opened& opened = open(i);
    for (auto& device : opened.devices) names += (names.empty() ? "" : ", ") + device->name();
    if (family == backends_[i].name && opened.devices.empty()) why = ". " + opened.why;
  }
  fail(TENON_ERROR_NOT_FOUND, "there is no device \"%s\"; available: %s%s", requested.c_str(), names.c_str(),
       why.c_str());
}

Device& Context::device(int32_t kind, int32_t index) {
  for (size_t i = 0; i < backends_.size(); ++i) {
    // The CPU is found without opening the backends after it.
    for (auto& device : open(i).devices)
      if (device->kind() == kind && device->index() == index) return *device;
  }
  no_device(kind == TENON_DEVICE_CUDA  ? format("cuda:%d", index)
            : kind == TENON_DEVICE_CPU ? format("cpu:%d", index)
                                       : format("kind %d:%d", kind, index));
}

Device& Context::cpu() { return *open(0).devices.at(0); }  // the first backend, always available

std::string Context::report() {
  using json = base::Json;
  auto parse = [](const std::string& text) { return json::parse(text); };
  json out;
  out["version"] = format("%d.%d.%d", TENON_VERSION_MAJOR, TENON_VERSION_MINOR, TENON_VERSION_PATCH);
  out["devices"] = json::array();
  for (size_t i = 0; i < backends_.size(); ++i) {
    Opened& opened = open(i);
    for (auto& device : opened.devices) {
      json row = {{"name", device->name()}, {"description", device->description()}, {"toolkit", device->toolkit()}};
      row["details"] = parse(device->report());
      out["devices"].push_back(row);
    }
    if (backends_[i].report) out["backends"][backends_[i].name] = parse(backends_[i].report());
    if (opened.devices.empty()) out["backends"][backends_[i].name]["why_no_device"] = opened.why;
  }
  if (images_) out["cache"] = parse(images_->report());
  return out.dump(2);
}

}  // namespace tenon
