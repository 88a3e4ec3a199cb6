// backend/cpu/kernel_signals.hpp: faults of the processor in kernels, in the checked mode only.
#pragma once
#include "backend/cpu/kernel_worker.hpp"

namespace tenon::cpu {

// Installs the handlers of the process once; they pass on whatever did not come from a checked kernel.
void install_signal_handlers();

// While it lives, faults of this thread's kernel leave tenon_cpu_run with kSignalled, and worker.signal says what happened.
class SignalGuard {
 public:
  explicit SignalGuard(tenon_worker& worker);
  ~SignalGuard();
  SignalGuard(const SignalGuard&) = delete;

 private:
  tenon_worker& worker_;
  std::unique_ptr<char[]> stack_;
  SignalStack before_;
};

constexpr int kSignalled = 2;
std::string signal_text(const tenon_worker& worker);

}  // namespace tenon::cpu
