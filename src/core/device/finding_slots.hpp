// core/device/finding_slots.hpp: memory for the findings of calls that wait for them. A call that finds nothing neither
// fills nor reads the device's memory, which would take longer than most checks: it looks at a word of the host's.
#pragma once
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>
#include "core/deferred_error.hpp"

namespace tenon {

class Device;
class Stream;

class FindingSlots {
 public:
  struct Slot {
    tenon_finding* findings = nullptr;  // kFindings, in the device's memory; as before work whenever the slot is free
    unsigned long long* notice = nullptr;  // of all of them, in memory that host and device access
    explicit operator bool() const { return findings; }
  };

  // Waits for the stream, which is not recording or capturing.
  FindingSlots(Device& device, Stream& stream);
  void free(Stream& stream) noexcept;  // the memory, once no slot is used any more

  Slot take() noexcept;  // without findings: all are in use
  // Waits for the stream, gives the slot back and returns whether there is anything in `numbers`. If it
  // throws, the stream has failed and the slot is lost.
  bool settle(const Slot& slot, FoundNumbers& numbers, Stream& stream);

 private:
  static constexpr size_t kSlots = 64, kBytes = kSlots * kFindings * sizeof(tenon_finding);
  static constexpr size_t kNoticeBytes = kSlots * sizeof(unsigned long long);
  void clear(const Slot& slot, Stream& stream);

  Device& device_;
  void *memory_ = nullptr, *notices_ = nullptr;
  std::mutex mutex_;
  std::vector<Slot> free_;
};

}  // namespace tenon
