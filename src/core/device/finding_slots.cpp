// core/device/finding_slots.cpp: memory for the findings of calls that wait for them.
#include "core/device/finding_slots.hpp"

#include <algorithm>
#include "core/device/backend.hpp"

namespace tenon {
namespace {

int32_t notice_kind(const Device& device) { return device.on_host() ? TENON_MEMORY_DEVICE : TENON_MEMORY_PINNED; }

}  // namespace

FindingSlots::FindingSlots(Device& device, Stream& stream) : device_(device) {
  free_.reserve(kSlots);
  try {
    memory_ = device.allocate(kBytes, TENON_MEMORY_DEVICE, stream);
    notices_ = device.allocate(kNoticeBytes, notice_kind(device), stream);
    std::fill_n(static_cast<unsigned long long*>(notices_), kSlots, 0);
    for (size_t i = kSlots; i-- > 0;)
      free_.push_back(
          {static_cast<tenon_finding*>(memory_) + i * kFindings, static_cast<unsigned long long*>(notices_) + i});
    for (const Slot& slot : free_) clear(slot, stream);
    stream.synchronize();
  } catch (...) {
    free(stream);
    throw;
  }
}

void FindingSlots::free(Stream& stream) noexcept {
  if (memory_) device_.deallocate(memory_, kBytes, TENON_MEMORY_DEVICE, stream);
  if (notices_) device_.deallocate(notices_, kNoticeBytes, notice_kind(device_), stream);
  memory_ = notices_ = nullptr;
  free_.clear();
}

FindingSlots::Slot FindingSlots::take() noexcept {
  std::lock_guard lock(mutex_);
  if (free_.empty()) return {};
  const Slot slot = free_.back();
  free_.pop_back();
  return slot;
}

void FindingSlots::clear(const Slot& slot, Stream& stream) {
  tenon_finding none[kFindings];
  std::fill_n(none, kFindings, tenon_finding{~0ull, slot.notice});
  device_.upload(slot.findings, none, sizeof none, false, stream);
}

bool FindingSlots::settle(const Slot& slot, FoundNumbers& numbers, Stream& stream) {
  stream.synchronize();
  const bool any = *slot.notice != 0;
  if (any) {
    tenon_finding found[kFindings];
    device_.download(found, slot.findings, sizeof found, false, stream);
    for (size_t i = 0; i < kFindings; ++i) numbers[i] = int64_t(found[i].least);
    clear(slot, stream);
    stream.synchronize();
    *slot.notice = 0;
  }
  std::lock_guard lock(mutex_);
  free_.push_back(slot);  // the memory was reserved
  return any;
}

}  // namespace tenon
