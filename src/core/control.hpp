// core/control.hpp: how a compile is ended early: on the caller's request, or at its time limit.
#pragma once
#include <atomic>
#include <chrono>
#include <thread>
#include "core/error.hpp"

namespace tenon {

// tenon_interrupt_set: `ask` returns whether the host wants to end the compile that the calling thread waits for.
void set_interrupt(int32_t (*ask)(void* user), void* user);
bool interrupted() noexcept;

// The control of one compile, polled by whoever works on it or waits for it. begin() starts the clock.
class CompileControl {
 public:
  static constexpr double kDefaultSeconds = 300;  // as stated in tenon/kernel.h

  // ends_when_told: a caller may cancel it and relies on it ending. A time limit given by the caller implies that.
  explicit CompileControl(double limit_seconds = 0, bool ends_when_told = false)
      : limit_(limit_seconds > 0 ? limit_seconds : kDefaultSeconds),
        ends_when_told_(ends_when_told || limit_seconds > 0) {
    begin();
  }
  CompileControl(const CompileControl&) = delete;

  void begin() noexcept { begun_ = Clock::now(); }  // before other threads can see it
  void cancel() noexcept { cancelled_.store(true, std::memory_order_release); }
  bool cancelled() const noexcept {
    if (!cancelled_.load(std::memory_order_acquire) && std::this_thread::get_id() == caller_ && interrupted())
      cancelled_.store(true, std::memory_order_release);
    return cancelled_.load(std::memory_order_acquire);
  }
  double seconds_left() const noexcept { return limit_ - std::chrono::duration<double>(Clock::now() - begun_).count(); }
  bool stopped() const noexcept { return cancelled() || seconds_left() <= 0; }
  bool ends_when_told() const noexcept { return ends_when_told_; }

  // Throws CANCELLED or COMPILE, with the compiler's output so far.
  [[noreturn]] void fail_stopped(const std::string& program, std::string log = "") const {
    Error error(cancelled() ? TENON_ERROR_CANCELLED : TENON_ERROR_COMPILE,
                cancelled()
                    ? format("compiling %s was cancelled", program.c_str())
                    : format("compiling %s took longer than the time limit of %g seconds", program.c_str(), limit_));
    error.log = std::move(log);
    throw error;
  }
  void check(const std::string& program) const {
    if (stopped()) fail_stopped(program);
  }

 private:
  using Clock = std::chrono::steady_clock;
  const double limit_;
  const bool ends_when_told_;
  Clock::time_point begun_;
  mutable std::atomic<bool> cancelled_{false};
  const std::thread::id caller_ = std::this_thread::get_id();  // who can be interrupted, if it does the work itself
};

// The part of a compiler's output that is kept: a source can cause any amount.
constexpr size_t kLongestLog = 4u << 20;

inline void shorten_log(std::string& log, uint64_t dropped = 0) {
  if (log.size() > kLongestLog) {
    dropped += log.size() - kLongestLog;
    log.resize(kLongestLog);
  }
  if (dropped) log += format("\n[%llu more bytes of compiler output]\n", static_cast<unsigned long long>(dropped));
}

}  // namespace tenon
