// backend/cpu/run/signals.cpp: faults of the processor in kernels: they end the launch, not the process.
#include "backend/cpu/run/signals.hpp"
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>
#include <cerrno>
#include <memory>
#include <mutex>
#include "backend/cpu/run/switch.hpp"

namespace tenon::cpu {
namespace {

constexpr int kSignals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
struct sigaction earlier[64];

// The worker whose kernel runs on this thread under a guard. The handler may be the first code on its thread to read
// this: with this TLS model the storage always exists, whereas with others it might have to be allocated.
[[gnu::tls_model("initial-exec")]] thread_local tenon_worker* guarded = nullptr;

// Sent by kill, raise and the like, not caused by the processor.
bool is_sent(const siginfo_t* info) { return info->si_code <= 0; }

void do_by_default(int number, siginfo_t* info) {
  struct sigaction plain{};
  plain.sa_handler = SIG_DFL;
  sigaction(number, &plain, nullptr);
  // A faulting instruction runs again and faults again, but a signal that was sent has to be sent again.
  if (is_sent(info)) syscall(SYS_rt_tgsigqueueinfo, getpid(), syscall(SYS_gettid), number, info);
}

// Handles the signal as if this handler were not installed.
void pass_on(int number, siginfo_t* info, void* context) {
  const struct sigaction before = earlier[number];
  const bool plain = !(before.sa_flags & SA_SIGINFO);
  if (plain && before.sa_handler == SIG_IGN && is_sent(info)) return;
  if (plain && (before.sa_handler == SIG_DFL || before.sa_handler == SIG_IGN)) return do_by_default(number, info);
  if (before.sa_flags & SA_RESETHAND) earlier[number] = {};
  sigset_t mask = before.sa_mask, unblocked;
  if (!(before.sa_flags & SA_NODEFER)) sigaddset(&mask, number);
  pthread_sigmask(SIG_BLOCK, &mask, &unblocked);
  if (plain) before.sa_handler(number);
  else before.sa_sigaction(number, info, context);
  pthread_sigmask(SIG_SETMASK, &unblocked, nullptr);
}

// Returns into tenon_cpu_leave instead of the kernel. Only records what happened: the text is made later.
void on_signal(int number, siginfo_t* info, void* context) {
  tenon_worker* worker = guarded;
#if defined(__x86_64__)
  if (worker && worker->home && !is_sent(info)) {
    auto* machine = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
    worker->signal = {number, info->si_code, info->si_addr, reinterpret_cast<const char*>(machine[REG_RSP]), {}, {}};
    if (worker->launch->check) worker->launch->module->where(&worker->signal.block, &worker->signal.thread);
    machine[REG_RDI] = reinterpret_cast<greg_t>(worker->home);
    machine[REG_RSI] = kSignalled;
    machine[REG_RIP] = reinterpret_cast<greg_t>(&tenon_cpu_leave);
    return;
  }
#else
  (void)worker;
#endif
  const int error = errno;
  pass_on(number, info, context);
  errno = error;
}

// A kernel that overflows its stack leaves no room for the handler. If a thread already has a stack for signals, it
// keeps it.
class StackForSignals {
 public:
  StackForSignals() {
    stack_t mine{};
    if (sigaltstack(nullptr, &mine) != 0 || !(mine.ss_flags & SS_DISABLE)) return;
    void* const got =
        mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (got == MAP_FAILED) return;
    memory_ = mine.ss_sp = got;
    mine.ss_size = kBytes;
    mine.ss_flags = 0;
    sigaltstack(&mine, nullptr);
  }
  ~StackForSignals() {
    if (!memory_) return;
    stack_t now{}, none{};
    none.ss_flags = SS_DISABLE;
    if (sigaltstack(nullptr, &now) == 0 && now.ss_sp == memory_) sigaltstack(&none, nullptr);
    munmap(memory_, kBytes);
  }
  StackForSignals(const StackForSignals&) = delete;

 private:
  static constexpr size_t kBytes = 64 << 10;
  void* memory_ = nullptr;
};

// Beyond the end of a stack: a frame may have skipped some pages below it.
bool is_overflow(const tenon_worker& worker) {
  const KernelSignal& s = worker.signal;
  if (worker.stacks.contains(s.address)) return true;
  constexpr ptrdiff_t kFrame = 256 << 10;
  const ptrdiff_t above = static_cast<const char*>(s.address) - s.stack;
  return above > -kFrame && above < 4096;
}

std::string what_happened(const tenon_worker& worker) {
  const KernelSignal& s = worker.signal;
  if (s.number == SIGFPE)
    return s.code == FPE_INTDIV ? "integer division by zero, or its result does not fit"
                                : "a floating-point exception, which the host program has enabled";
  if (s.number == SIGILL) return "an illegal instruction, which compilers generate where a program cannot continue";
  // The processor does not report violated alignment of SSE and AVX accesses as such.
  if (s.code == SI_KERNEL) return "access to an address that is not aligned for its type, or no address at all";
  if (!s.address) return "access through a null pointer";
  if (is_overflow(worker)) return "stack overflow";
  return format("access to the address %p, which does not belong to the kernel", s.address);
}

}  // namespace

void install_signal_handlers() {
  static std::once_flag once;
  std::call_once(once, [] {
    struct sigaction action{};
    action.sa_sigaction = on_signal;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    sigemptyset(&action.sa_mask);
    for (int number : kSignals) {
      sigaction(number, nullptr, &earlier[number]);
      sigaction(number, &action, nullptr);
    }
  });
}

SignalGuard::SignalGuard(tenon_worker& worker) {
  // The worker owns it: a thread_local object would allocate on first use, and a failure would end the process.
  if (!worker.signal_stack) worker.signal_stack = std::make_shared<StackForSignals>();
  guarded = &worker;
}

SignalGuard::~SignalGuard() { guarded = nullptr; }

// The place of the fault is only recorded in the checked mode.
std::string signal_text(const tenon_worker& worker) {
  const KernelSignal& s = worker.signal;
  const std::string what = what_happened(worker) + " in kernel " + worker.launch->kernel->name;
  if (worker.launch->check) return what + ", block " + index_text(s.block) + ", thread " + index_text(s.thread);
  return what + " (the checked mode, TENON_PROGRAM_MODE_CHECK or mode=\"check\", names the block and the thread)";
}

}  // namespace tenon::cpu
