// tests/fake_cuda/quiet.hpp: the lock of the fake libraries. It makes no caller wait for another in the eyes of
// ThreadSanitizer (the fakes are not instrumented then), which else would take two callers that race for ordered ones.
#pragma once
#include <sched.h>
#include <unistd.h>
#include <atomic>

class QuietMutex {  // recursive
 public:
  void lock() {
    const pid_t me = gettid();
    if (owner_.load(std::memory_order_relaxed) != me) {
      for (pid_t nobody = 0; !owner_.compare_exchange_weak(nobody, me, std::memory_order_acquire); nobody = 0)
        sched_yield();
    }
    ++depth_;
  }
  void unlock() {
    if (--depth_ == 0) owner_.store(0, std::memory_order_release);
  }

 private:
  std::atomic<pid_t> owner_{0};
  int depth_ = 0;
};
