// backend/cpu/kernel_signals.cpp: faults of the processor in kernels, in the checked mode only.
#include "backend/cpu/kernel_signals.hpp"
#include <signal.h>
#include <ucontext.h>
#include <mutex>
#include "backend/cpu/kernel_switch.hpp"

namespace tenon::cpu {
namespace {

constexpr int kSignals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
struct sigaction earlier[64];

// The worker whose kernel runs on this thread under a guard. Touched before the first fault, so that the handler finds it.
thread_local tenon_worker* guarded = nullptr;

void pass_on(int number, siginfo_t* info, void* context) {
  const struct sigaction& before = earlier[number];
  if (before.sa_flags & SA_SIGINFO) {
    before.sa_sigaction(number, info, context);
  } else if (before.sa_handler == SIG_DFL || before.sa_handler == SIG_IGN) {
    signal(number, SIG_DFL);  // the instruction runs again and does what it does without us
  } else {
    before.sa_handler(number);
  }
}

// Returns into tenon_cpu_leave instead of the kernel. Only writes down what happened: the text is made after that.
void on_signal(int number, siginfo_t* info, void* context) {
  tenon_worker* worker = guarded;
  const bool sent = info->si_code <= 0;  // by kill or raise, not by the processor
  if (!worker || !worker->home || sent) return pass_on(number, info, context);
  worker->signal.number = number;
  worker->signal.address = info->si_addr;
  worker->launch->module->where(&worker->signal.block, &worker->signal.thread);
#if defined(__x86_64__)
  auto* machine = static_cast<ucontext_t*>(context);
  machine->uc_mcontext.gregs[REG_RDI] = reinterpret_cast<greg_t>(worker->home);
  machine->uc_mcontext.gregs[REG_RSI] = kSignalled;
  machine->uc_mcontext.gregs[REG_RIP] = reinterpret_cast<greg_t>(&tenon_cpu_leave);
#else
  pass_on(number, info, context);
#endif
}

}  // namespace

void install_signal_handlers() {
  static std::once_flag once;
  std::call_once(once, [] {
    struct sigaction action {};
    action.sa_sigaction = on_signal;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    sigemptyset(&action.sa_mask);
    for (int number : kSignals) sigaction(number, &action, &earlier[number]);
  });
}

// A kernel that overflows its stack leaves none for the handler: it gets one of its own.
SignalGuard::SignalGuard(tenon_worker& worker) : worker_(worker) {
  constexpr size_t kBytes = 64 << 10;
  stack_ = std::make_unique<char[]>(kBytes);
  stack_t mine{}, before{};
  mine.ss_sp = stack_.get();
  mine.ss_size = kBytes;
  sigaltstack(&mine, &before);
  before_ = {before.ss_sp, before.ss_size, before.ss_flags};
  worker.signal = {};
  guarded = &worker;
}

SignalGuard::~SignalGuard() {
  guarded = nullptr;
  stack_t before{};
  before.ss_sp = before_.base;
  before.ss_size = before_.bytes;
  before.ss_flags = before_.flags;
  sigaltstack(&before, nullptr);
}

std::string signal_text(const tenon_worker& worker) {
  const KernelSignal& s = worker.signal;
  std::string what;
  switch (s.number) {
    case SIGFPE: what = "integer division by zero"; break;
    case SIGILL: what = "an illegal instruction"; break;
    default:
      if (!s.address) {  // the processor does not say where: SSE and AVX want alignment
        what = "access to an address that is not aligned for its type, or null";
        break;
      }
      what = worker.stacks.contains(s.address) ? "stack overflow"
                                               : format("access to the address %p, which is not the kernel's", s.address);
  }
  return what + " in kernel " + worker.launch->kernel->name + ", block " + index_text(s.block) + ", thread " + index_text(s.thread);
}

}  // namespace tenon::cpu
