// backend/cpu/run/signals.hpp: faults of the processor in kernels: they end the launch, not the process.
#pragma once
#include "backend/cpu/run/worker.hpp"

namespace tenon::cpu {

// Installs the process's handlers once. They act on faults of threads that are inside a kernel under a SignalGuard. All
// other signals are handled as before: by the earlier handler, by the default action, or not at all if the signal was
// ignored.
void install_signal_handlers();

// While it lives, faults of this thread's kernel leave tenon_cpu_run with kSignalled, and worker.signal describes the
// fault.
class SignalGuard {
 public:
  explicit SignalGuard(tenon_worker& worker);  // the first one on a thread may throw bad_alloc
  ~SignalGuard();
  SignalGuard(const SignalGuard&) = delete;
};

constexpr int kSignalled = 2;
std::string signal_text(const tenon_worker& worker);

}  // namespace tenon::cpu
