// base/thread.cpp: a thread of the library.
#include "base/thread.hpp"
#include <pthread.h>
#include <signal.h>
#include <thread>

namespace tenon::base {
namespace {

// While it lives, signals are blocked in this thread, and so in the threads that it starts.
class BlockedSignals {
 public:
  BlockedSignals() {
    sigset_t all;
    sigfillset(&all);
    for (int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP}) sigdelset(&all, fault);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~BlockedSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  BlockedSignals(const BlockedSignals&) = delete;

 private:
  sigset_t before_;
};

}  // namespace

void start_thread(std::function<void()> body) {
  const BlockedSignals blocked;
  std::thread thread(std::move(body));
  pthread_setname_np(thread.native_handle(), "tenon");
  thread.detach();
}

}  // namespace tenon::base
