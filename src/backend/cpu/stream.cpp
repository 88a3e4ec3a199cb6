// backend/cpu/stream.cpp: streams and events of the CPU device.
#include "backend/cpu/stream.hpp"

namespace tenon::cpu {

TurnState::Turn TurnState::start() {
  Turn turn(mutex_);
  if (fault_) throw Error(*fault_);
  return turn;
}

TurnState::Turn TurnState::finish() {
  Turn turn(mutex_);
  if (fault_) {
    std::unique_ptr<Error> fault = std::move(fault_);
    throw Error(*fault);
  }
  return turn;
}

void TurnState::set_fault(Error fault) {
  Turn turn(mutex_);
  if (!fault_) fault_ = std::make_unique<Error>(std::move(fault));
}

void StreamSet::add(std::shared_ptr<TurnState> state) {
  std::lock_guard lock(mutex_);
  states_.push_back(std::move(state));
}

void StreamSet::remove(const TurnState* state) noexcept {
  std::lock_guard lock(mutex_);
  std::erase_if(states_, [state](const auto& entry) { return entry.get() == state; });
}

// Waits without holding the lock of the set: work in its turn may release a stream.
void StreamSet::synchronize() {
  std::vector<std::shared_ptr<TurnState>> states;
  {
    std::lock_guard lock(mutex_);
    states = states_;
  }
  for (const auto& state : states) state->finish();
}

CpuStream::CpuStream(Device& device, StreamSet& set, bool keep_context)
    : Stream(device), set_(set), context_(keep_context ? Ref<Context>(&device.context()) : nullptr) {
  set_.add(state_);
}

CpuStream::~CpuStream() { set_.remove(state_.get()); }

void CpuStream::wait(Event& event) { event.synchronize(); }

// The CPU's work is complete on return; for another device's work the host waits.
void CpuStream::do_wait_for(Stream& earlier, bool) {
  if (earlier.device().kind() != TENON_DEVICE_CPU) earlier.synchronize();
}

void CpuEvent::do_record(Stream& stream) {
  CpuStream::Turn turn = cpu_stream(stream).start();
  std::lock_guard lock(mutex_);
  moment_ = Clock::now();
  recorded_ = true;
}

bool CpuEvent::moment(Clock::time_point& out) {
  std::lock_guard lock(mutex_);
  out = moment_;
  return recorded_;
}

double CpuEvent::elapsed_since(Event& start) {
  auto* first = dynamic_cast<CpuEvent*>(&start);
  TENON_REQUIRE(first, TENON_ERROR_DEVICE,
                "the time between events of two kinds of device is not defined; record both on one device");
  TENON_REQUIRE(timing_ && first->timing_, TENON_ERROR_INVALID_ARGUMENT,
                "both events must be created with TENON_EVENT_TIMING to measure the time between them");
  Clock::time_point from, to;
  bool ready = first->moment(from);
  TENON_REQUIRE(moment(to) && ready, TENON_ERROR_NOT_READY,
                "both events must be recorded before the time between them can be measured");
  return std::chrono::duration<double, std::milli>(to - from).count();
}

}  // namespace tenon::cpu
