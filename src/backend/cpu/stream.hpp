// backend/cpu/stream.hpp: streams and events of the CPU device. Work runs inline, one piece at a time per stream, and
// is complete on return; a kernel's fault stays with the stream until it is reported.
#pragma once
#include <chrono>
#include <memory>
#include <mutex>
#include <vector>
#include "core/device/backend.hpp"
#include "core/device/context.hpp"

namespace tenon::cpu {

// Each piece of work of a stream holds its turn while it runs, so that two threads that use one stream take turns, as
// on a GPU.
class TurnState {
 public:
  using Turn = std::unique_lock<std::recursive_mutex>;
  Turn start();
  Turn finish();
  void set_fault(Error fault);

 private:
  std::recursive_mutex mutex_;
  std::unique_ptr<Error> fault_;
};

// The streams of one device, for Device::synchronize to find their faults. Outlives them.
class StreamSet {
 public:
  void add(std::shared_ptr<TurnState> state);
  void remove(const TurnState* state) noexcept;
  void synchronize();  // waits for all; throws the first fault found and clears it

 private:
  std::mutex mutex_;
  std::vector<std::shared_ptr<TurnState>> states_;
};

class CpuStream final : public Stream {
 public:
  // `keep_context`: true except for the device's own default stream, which its context owns.
  CpuStream(Device& device, StreamSet& set, bool keep_context);

  using Turn = TurnState::Turn;
  // Call it before work. Throws the fault of earlier work, which remains: after a fault nothing runs until it is
  // reported.
  Turn start() { return state_->start(); }
  // Call it before host reads, and to synchronise. Throws the fault and clears it.
  Turn finish() { return state_->finish(); }
  void set_fault(Error fault) { state_->set_fault(std::move(fault)); }  // the first one is kept

  uint64_t native() const override { return 0; }
  void synchronize() override { finish(); }
  bool query() override {
    finish();
    return true;
  }
  void wait(Event& event) override;
  void do_wait_for(Stream& earlier, bool ran) override;

 private:
  ~CpuStream() override;

  StreamSet& set_;
  Ref<Context> context_;
  std::shared_ptr<TurnState> state_ = std::make_shared<TurnState>();
};

inline CpuStream& cpu_stream(Stream& stream) { return static_cast<CpuStream&>(stream); }

class CpuEvent final : public Event {
 public:
  CpuEvent(Device& device, bool timing) : Event(device), context_(&device.context()), timing_(timing) {}
  void do_record(Stream& stream) override;
  void synchronize() override {}
  bool query() override { return true; }
  double elapsed_since(Event& start) override;

 private:
  using Clock = std::chrono::steady_clock;
  bool moment(Clock::time_point& out);

  Ref<Context> context_;
  const bool timing_;
  std::mutex mutex_;
  bool recorded_ = false;
  Clock::time_point moment_;
};

}  // namespace tenon::cpu
