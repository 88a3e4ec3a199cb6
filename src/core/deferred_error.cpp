// core/deferred_error.cpp: deferred errors: failures found after the call that caused them has returned.
#include "core/deferred_error.hpp"

#include <algorithm>
#include <new>
#include <optional>
#include "core/error.hpp"

namespace tenon {
namespace {

// A slot's findings before the copy arrives, which sets each `notice`, too.
constexpr tenon_finding kUnwritten{1ull << 63, nullptr};

}  // namespace

ResultSlots::ResultSlots(void* memory) : memory_(memory) {
  free_.reserve(kSlots);
  for (size_t i = kSlots; i-- > 0;) free_.push_back(static_cast<tenon_finding*>(memory) + i * kFindings);
}

tenon_finding* ResultSlots::take() noexcept {
  std::lock_guard lock(mutex_);
  if (free_.empty()) return nullptr;
  tenon_finding* slot = free_.back();
  free_.pop_back();
  std::fill_n(slot, kFindings, kUnwritten);
  return slot;
}

void ResultSlots::give(tenon_finding* slot) noexcept {
  std::lock_guard lock(mutex_);
  free_.push_back(slot);  // the memory was reserved
}

void ResultSlots::write_none(tenon_finding* slot) noexcept {
  std::fill_n(slot, kFindings, tenon_finding{~0ull, reinterpret_cast<unsigned long long*>(~uintptr_t(0))});
}

bool ResultSlots::written(const tenon_finding* slot) noexcept {
  // Copies arrive in the order of addresses: once `notice` is there, `least` is, too.
  for (size_t i = 0; i < kFindings; ++i) {
    auto& finding = const_cast<tenon_finding&>(slot[i]);
    if (std::atomic_ref(finding.least).load(std::memory_order_acquire) == kUnwritten.least &&
        std::atomic_ref(finding.notice).load(std::memory_order_acquire) == kUnwritten.notice)
      return false;
  }
  return true;
}

FoundNumbers DeferredError::numbers() const noexcept {
  FoundNumbers out;
  for (size_t i = 0; i < kFindings; ++i) out[i] = int64_t(slot_[i].least);
  return out;
}

void DeferredError::report() {
  if (reported_.exchange(true, std::memory_order_acq_rel)) return;
  try {
    verdict_(numbers());
  } catch (const Error&) {
    throw;
  } catch (...) {  // out of memory for the error: the next wait throws it
    reported_.store(false, std::memory_order_release);
    throw;
  }
}

bool DeferredError::good() const {
  if (reported()) return true;
  if (!ready()) return false;
  try {
    verdict_(numbers());
    return true;
  } catch (...) {
    return false;
  }
}

std::vector<std::shared_ptr<DeferredError>> DeferredErrors::all() const {
  std::lock_guard lock(mutex_);
  return errors_;
}

void DeferredErrors::add(std::shared_ptr<DeferredError> error) {
  std::lock_guard lock(mutex_);
  std::erase_if(errors_, [](const auto& known) { return known->reported(); });
  errors_.push_back(std::move(error));
  any_.store(true, std::memory_order_release);
}

void DeferredErrors::take_over(const DeferredErrors& earlier) {
  if (earlier.empty() || &earlier == this) return;
  const std::vector<std::shared_ptr<DeferredError>> added = earlier.all();
  std::lock_guard lock(mutex_);
  std::erase_if(errors_, [](const auto& known) { return known->reported(); });
  for (const auto& error : added)
    if (!error->reported() && std::find(errors_.begin(), errors_.end(), error) == errors_.end())
      errors_.push_back(error);
  any_.store(!errors_.empty(), std::memory_order_release);
}

void DeferredErrors::replace(const DeferredErrors& with) {
  if (empty() && with.empty()) return;
  std::vector<std::shared_ptr<DeferredError>> added = with.all();
  std::lock_guard lock(mutex_);
  errors_ = std::move(added);
  any_.store(!errors_.empty(), std::memory_order_release);
}

void DeferredErrors::throw_pending() {
  if (empty()) return;
  std::optional<Error> first;
  size_t more = 0;
  try {
    for (const auto& error : all()) {
      if (!error->ready()) continue;
      try {
        error->report();
      } catch (Error& thrown) {
        if (first) ++more;
        else first.emplace(std::move(thrown));
      }
    }
    if (more) first->message += format(" (and %zu later call%s failed too)", more, more == 1 ? "" : "s");
  } catch (const std::bad_alloc&) {
    if (!first) throw;
  }
  {
    std::lock_guard lock(mutex_);
    std::erase_if(errors_, [](const auto& error) { return error->reported(); });
    any_.store(!errors_.empty(), std::memory_order_release);
  }
  if (first) throw *first;
}

void DeferredErrors::forget_good() noexcept {
  std::lock_guard lock(mutex_);
  std::erase_if(errors_, [](const auto& error) { return error->good(); });
  any_.store(!errors_.empty(), std::memory_order_release);
}

void DeferredErrors::clear() noexcept {
  std::lock_guard lock(mutex_);
  errors_.clear();
  any_.store(false, std::memory_order_release);
}

}  // namespace tenon
