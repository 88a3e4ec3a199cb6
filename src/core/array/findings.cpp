// core/array/findings.cpp: numbers that the device writes, and the errors that they mean.
#include "core/array/findings.hpp"

#include "core/array/array.hpp"
#include "core/device/backend.hpp"
#include "core/device/context.hpp"
#include "core/array/copy.hpp"

namespace tenon {
namespace {

void apply_verdicts(const std::vector<std::function<void(int64_t)>>& verdicts, const DeferredError::Numbers& numbers) {
  for (size_t i = 0; i < verdicts.size(); ++i) verdicts[i](numbers[i]);
}

}  // namespace

Findings::Findings(Stream& stream, bool later) : stream_(stream), later_(later) {}
Findings::~Findings() = default;

int64_t* Findings::next_number() {
  if (!numbers_) {
    numbers_ = Array::create(stream_.device(), TENON_INT64, Dims{int64_t(ResultSlots::kNumbers)}, stream_);
    fill(*numbers_, -1, 0, &stream_);
  }
  TENON_REQUIRE(verdicts_.size() < ResultSlots::kNumbers, TENON_ERROR_INTERNAL,
                "a call makes more checks than a result slot has numbers");
  return static_cast<int64_t*>(numbers_->data()) + verdicts_.size();
}

void Findings::expect(Verdict verdict) {
  verdicts_.push_back([verdict = std::move(verdict)](int64_t found) {
    if (found != -1) verdict(found);
  });
}

int64_t* Findings::place(Verdict verdict) {
  int64_t* const number = next_number();
  numbers_->buffer().use(stream_, true);
  expect(std::move(verdict));
  return number;
}

void Findings::settle() {
  if (!numbers_) return;
  DeferredError::Numbers numbers;
  to_host(*numbers_, numbers.data(), sizeof numbers, &stream_);
  apply_verdicts(verdicts_, numbers);
  numbers_ = {};
  verdicts_.clear();
}

void Findings::settle_unless_deferred() {
  if (!stream_.device().context().settings().defers_errors()) settle();
}

void Findings::defer() {
  if (!numbers_ || !later_ || !stream_.device().context().settings().defers_errors()) return settle();
  Device& device = stream_.device();
  const std::shared_ptr<ResultSlots> slots = device.result_slots();
  int64_t* slot = slots->take();
  if (!slot) {
    device.deferred_errors().forget_good();
    slot = slots->take();
  }
  if (!slot) return settle();  // no caller has waited for hundreds of calls, so this one waits
  std::shared_ptr<DeferredError> error;
  try {
    error = std::make_shared<DeferredError>(slots, slot,
                                            [verdicts = std::move(verdicts_)](const DeferredError::Numbers& numbers) {
                                              apply_verdicts(verdicts, numbers);
                                            });
  } catch (...) {
    slots->give(slot);
    throw;
  }
  try {
    numbers_->buffer().use(stream_, false);
    device.deferred_errors().add(error);
    stream_.deferred_errors().add(error);
    device.download(slot, numbers_->data(), sizeof(DeferredError::Numbers), true, stream_);
  } catch (...) {  // the work that would write the number was not enqueued: only the call itself fails
    std::fill_n(slot, ResultSlots::kNumbers, -1);
    error->report();
    throw;
  }
  numbers_ = {};
}

}  // namespace tenon
