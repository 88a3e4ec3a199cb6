// core/device/device.cpp: the parts that all devices share.
#include "core/device/backend.hpp"
#include "core/device/context.hpp"
#include "core/device/host_work.hpp"

namespace tenon {

const tenon_allocator Device::kOwnPools{};

Device::Device(Context& context)
    : context_(context), memory_limit_(context.settings().memory_limit_bytes), allocator_(context.allocator()) {}

Device::~Device() {
  if (const ErrorObject* record = lost_.load()) record->release();
  if (used_allocator_)
    call_host(context_, "the destroy function of the device's allocator", used_allocator_->destroy,
              used_allocator_->user);
}

void Device::use_allocator(const tenon_allocator& allocator) {
  auto used = std::make_unique<const tenon_allocator>(allocator);
  const tenon_allocator* source = nullptr;
  if (allocator_.compare_exchange_strong(source, used.get(), std::memory_order_acq_rel)) {
    used_allocator_ = std::move(used);
    return;
  }
  fail(TENON_ERROR_UNSUPPORTED, "%s %s: give it an allocator before its first array is made", name_.c_str(),
       source == &kOwnPools ? "has already allocated memory of its own" : "has an allocator already");
}

void Device::retire(Retired memory, Users) noexcept {
  if (memory.home) deallocate(memory.data, memory.bytes, memory.kind, *memory.home);
  else call_host(context_, "the destroy function of memory", memory.destroy, memory.user);
}

namespace {

int32_t result_slots_kind(const Device& device) { return device.on_host() ? TENON_MEMORY_DEVICE : TENON_MEMORY_PINNED; }

}  // namespace

std::shared_ptr<ResultSlots> Device::result_slots() {
  std::lock_guard lock(mail_mutex_);
  if (!result_slots_)
    result_slots_ =
        std::make_shared<ResultSlots>(allocate(ResultSlots::kBytes, result_slots_kind(*this), default_stream()));
  return result_slots_;
}

FindingSlots& Device::finding_slots(Stream& stream) {
  if (FindingSlots* const known = known_finding_slots_.load(std::memory_order_acquire)) [[likely]]
    return *known;
  std::lock_guard lock(mail_mutex_);
  if (!finding_slots_) finding_slots_ = std::make_unique<FindingSlots>(*this, stream);
  known_finding_slots_.store(finding_slots_.get(), std::memory_order_release);
  return *finding_slots_;
}

void Device::close_mail() noexcept {
  deferred_errors_.clear();
  known_finding_slots_.store(nullptr);
  try {
    if (finding_slots_) finding_slots_->free(default_stream());
    if (result_slots_)
      deallocate(result_slots_->memory(), ResultSlots::kBytes, result_slots_kind(*this), default_stream());
  } catch (...) {  // a lost device has no stream, and its memory does not matter
  }
  finding_slots_.reset();
  result_slots_.reset();
}

Module& Device::own_module(const std::string& key, const std::function<CompileRequest()>& request, Stream& stream) {
  {
    std::lock_guard lock(modules_mutex_);
    if (auto found = modules_.find(key); found != modules_.end()) return *found->second;
  }
  Ref<Module> made;
  stream.beside_capture("one of Tenon's own kernels must be loaded first",
                        [&] { made = load(*context().images().get(*this, request())); });
  std::lock_guard lock(modules_mutex_);
  return *modules_.try_emplace(key, std::move(made)).first->second;
}

void Device::close_modules() noexcept { modules_.clear(); }

}  // namespace tenon
