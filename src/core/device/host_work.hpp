// core/device/host_work.hpp: functions of the host that run in the order of a stream, and logged calls of the host's
// functions.
#pragma once
#include "core/device/context.hpp"
#include "core/record.hpp"

namespace tenon {

// Like call_host (core/record.hpp); an exception that escapes from the function is logged as an error in the context.
// `what` names the function.
template <class F, class... Args>
void call_host(Context& context, const char* what, F function, Args... args) noexcept {
  if (call_host(function, args...)) return;
  try {
    context.log(TENON_LOG_ERROR, "%s threw an exception, which is ignored: a callback must not throw", what);
  } catch (...) {  // no memory for the log line
  }
}

// Its destroy function runs with the last reference. The driver is given a reference.
class HostWork final : public Object {
 public:
  HostWork(Context& context, tenon_stream_fn function, void* user)
      : context_(context), function_(function), user_(user) {}
  void take_over(tenon_destroy_fn destroy) noexcept { destroy_ = destroy; }
  void run() noexcept;
  // Runs on a thread of the driver, where no function of Tenon may be called.
  static void run_by_driver(void* self) noexcept {
    const auto* work = static_cast<const HostWork*>(self);
    call_host(work->function_, work->user_);
  }

 private:
  ~HostWork() override { call_host(context_, "the destroy function of tenon_stream_call_host", destroy_, user_); }
  Context& context_;  // kept alive by the owner of this object: a device, a graph
  const tenon_stream_fn function_;
  void* const user_;
  tenon_destroy_fn destroy_ = nullptr;
};

}  // namespace tenon
