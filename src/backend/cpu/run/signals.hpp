// backend/cpu/run/signals.hpp: faults of the processor in kernels: they end the launch, not the process.
#pragma once
#include "backend/cpu/run/worker.hpp"

namespace tenon::cpu {

// Installs the handlers of the process once. They act on faults of threads that are inside a kernel under a
// SignalGuard. Everything else takes the way that it took before: the earlier handler, the default action, or nothing
// where the signal was ignored.
void install_signal_handlers();

// While it lives, faults of this thread's kernel leave tenon_cpu_run with kSignalled, and worker.signal says what
// happened.
class SignalGuard {
 public:
  explicit SignalGuard(tenon_worker& worker);  // throws bad_alloc at the first one of a thread
  ~SignalGuard();
  SignalGuard(const SignalGuard&) = delete;
};

constexpr int kSignalled = 2;
std::string signal_text(const tenon_worker& worker);

}  // namespace tenon::cpu
