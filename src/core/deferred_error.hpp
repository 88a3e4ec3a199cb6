// core/deferred_error.hpp: deferred errors: failures found after the call that caused them has returned.
//
// The device detects whether a matrix was singular or an operand contained NaN. A call waits for that, or, in a
// context with TENON_CONTEXT_DEFERRED_ERRORS, adds a DeferredError to its stream. Streams that are ordered behind that
// one, and events recorded there, take it over. The first caller to wait for any of them gets the error, once.
#pragma once
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>
#include "device/finding.hpp"

namespace tenon {

constexpr size_t kFindings = 8;                       // of a call, at most
using FoundNumbers = std::array<int64_t, kFindings>;  // -1: no finding

// Memory that receives copies of findings while the host continues: kSlots slots.
class ResultSlots {
 public:
  static constexpr size_t kSlots = 512;
  static constexpr size_t kSlotBytes = kFindings * sizeof(tenon_finding), kBytes = kSlots * kSlotBytes;
  explicit ResultSlots(void* memory);
  tenon_finding* take() noexcept;  // a slot, marked as not yet written; NULL: all are in use
  void give(tenon_finding* slot) noexcept;
  static void write_none(tenon_finding* slot) noexcept;  // marks it as written, without findings
  void* memory() const { return memory_; }
  static bool written(const tenon_finding* slot) noexcept;

 private:
  void* memory_;
  std::mutex mutex_;
  std::vector<tenon_finding*> free_;
};

// The outcome of one call's checks: the slot that its numbers are written to, and the function that reads them.
class DeferredError {
 public:
  using Verdict = std::function<void(const FoundNumbers&)>;  // throws the error that the numbers describe, if any
  DeferredError(std::shared_ptr<ResultSlots> slots, tenon_finding* slot, Verdict verdict)
      : slots_(std::move(slots)), slot_(slot), verdict_(std::move(verdict)) {}
  ~DeferredError() { slots_->give(slot_); }
  DeferredError(const DeferredError&) = delete;

  bool ready() const noexcept { return ResultSlots::written(slot_); }
  bool reported() const noexcept { return reported_.load(std::memory_order_acquire); }
  void report();      // ready: the first call throws its error, if there is one
  bool good() const;  // ready, without an error

 private:
  FoundNumbers numbers() const noexcept;
  const std::shared_ptr<ResultSlots> slots_;
  tenon_finding* const slot_;
  const Verdict verdict_;
  std::atomic<bool> reported_{false};
};

// The deferred errors of a stream, an event or a device.
class DeferredErrors {
 public:
  bool empty() const noexcept { return !any_.load(std::memory_order_acquire); }
  void add(std::shared_ptr<DeferredError> error);
  void take_over(const DeferredErrors& earlier);
  void replace(const DeferredErrors& with);
  // Throws the first error that is ready, and drops those that were reported. Those that are not ready belong to work
  // that was enqueued during the wait.
  void throw_pending();
  void forget_good() noexcept;
  void clear() noexcept;

 private:
  std::vector<std::shared_ptr<DeferredError>> all() const;
  std::atomic<bool> any_{false};
  mutable std::mutex mutex_;
  std::vector<std::shared_ptr<DeferredError>> errors_;
};

}  // namespace tenon
