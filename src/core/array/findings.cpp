// core/array/findings.cpp: numbers that the device writes, and the errors that they mean.
#include "core/array/findings.hpp"

#include <utility>
#include "core/array/array.hpp"
#include "core/device/backend.hpp"
#include "core/device/context.hpp"
#include "core/array/copy.hpp"

namespace tenon {
namespace {

void apply_verdicts(const std::vector<std::function<void(int64_t)>>& verdicts, const FoundNumbers& numbers) {
  for (size_t i = 0; i < verdicts.size(); ++i) verdicts[i](numbers[i]);
}

}  // namespace

Findings::Findings(Stream& stream, bool later) : stream_(stream), later_(later) {}

Findings::~Findings() {
  if (!slot_) return;
  try {  // the call failed, but its work may still report something
    FoundNumbers numbers;
    stream_.device().finding_slots(stream_).settle(slot_, numbers, stream_);
  } catch (...) {  // the stream has failed: it can't be told when the slot is free
  }
}

bool Findings::may_defer() const { return later_ && stream_.device().context().settings().defers_errors(); }

void Findings::begin() {
  Device& device = stream_.device();
  if (!may_defer() && !stream_.recording() && !stream_.capturing()) slot_ = device.finding_slots(stream_).take();
  if (slot_) return;
  words_ = Array::create(device, TENON_INT64, Dims{int64_t(kFindings), 2}, stream_);
  fill(*words_, -1, 0, &stream_);
}

tenon_finding* Findings::place(Verdict verdict) {
  if (!slot_ && !words_) begin();
  TENON_REQUIRE(verdicts_.size() < kFindings, TENON_ERROR_INTERNAL,
                "a call makes more checks than a slot has findings");
  if (words_) words_->buffer().use(stream_, true);
  tenon_finding* const first = slot_ ? slot_.findings : static_cast<tenon_finding*>(words_->data());
  verdicts_.push_back([verdict = std::move(verdict)](int64_t found) {
    if (found != -1) verdict(found);
  });
  return first + verdicts_.size() - 1;
}

void Findings::settle() {
  if (verdicts_.empty()) return;
  const std::vector<Verdict> verdicts = std::exchange(verdicts_, {});
  FoundNumbers numbers;
  if (slot_) {
    if (!stream_.device().finding_slots(stream_).settle(std::exchange(slot_, {}), numbers, stream_)) return;
  } else {
    tenon_finding found[kFindings];
    to_host(*std::exchange(words_, {}), found, sizeof found, &stream_);
    for (size_t i = 0; i < kFindings; ++i) numbers[i] = int64_t(found[i].least);
  }
  apply_verdicts(verdicts, numbers);
}

void Findings::settle_unless_deferred() {
  if (!stream_.device().context().settings().defers_errors()) settle();
}

void Findings::defer() {
  if (!words_ || !may_defer()) return settle();
  Device& device = stream_.device();
  const std::shared_ptr<ResultSlots> slots = device.result_slots();
  tenon_finding* slot = slots->take();
  if (!slot) {
    device.deferred_errors().forget_good();
    slot = slots->take();
  }
  if (!slot) return settle();  // no caller has waited for hundreds of calls, so this one waits
  std::shared_ptr<DeferredError> error;
  try {
    error = std::make_shared<DeferredError>(
        slots, slot,
        [verdicts = std::move(verdicts_)](const FoundNumbers& numbers) { apply_verdicts(verdicts, numbers); });
  } catch (...) {
    slots->give(slot);
    throw;
  }
  try {
    words_->buffer().use(stream_, false);
    device.deferred_errors().add(error);
    stream_.deferred_errors().add(error);
    device.download(slot, words_->data(), ResultSlots::kSlotBytes, true, stream_);
  } catch (...) {  // the work that would write the number was not enqueued: only the call itself fails
    ResultSlots::write_none(slot);
    error->report();
    throw;
  }
  words_ = {};
}

}  // namespace tenon
