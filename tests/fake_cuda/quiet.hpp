// tests/fake_cuda/quiet.hpp: the lock of the fake libraries. It makes no caller wait for another in the eyes of
// ThreadSanitizer (the fakes are not instrumented then), which else would take two callers that race for ordered ones.
// For the same reason ThreadSanitizer must not look at what is done under the lock: the work that tests give the fakes
// is instrumented, and stands for a device's, which runs on whichever thread has the lock.
#pragma once
#include <sched.h>
#include <unistd.h>
#include <atomic>

// ThreadSanitizer's; absent without it.
extern "C" {
__attribute__((weak)) void AnnotateIgnoreReadsBegin(const char* file, int line);
__attribute__((weak)) void AnnotateIgnoreReadsEnd(const char* file, int line);
__attribute__((weak)) void AnnotateIgnoreWritesBegin(const char* file, int line);
__attribute__((weak)) void AnnotateIgnoreWritesEnd(const char* file, int line);
}

// Whether ThreadSanitizer looks at what this thread does from here on.
inline void look(bool at_it) {
  if (!AnnotateIgnoreReadsBegin) return;
  (at_it ? AnnotateIgnoreReadsEnd : AnnotateIgnoreReadsBegin)(__FILE__, __LINE__);
  (at_it ? AnnotateIgnoreWritesEnd : AnnotateIgnoreWritesBegin)(__FILE__, __LINE__);
}

class QuietMutex {  // recursive
 public:
  void lock() {
    const pid_t me = gettid();
    if (owner_.load(std::memory_order_relaxed) != me) {
      for (pid_t nobody = 0; !owner_.compare_exchange_weak(nobody, me, std::memory_order_acquire); nobody = 0)
        sched_yield();
      look(false);
    }
    ++depth_;
  }
  void unlock() {
    if (--depth_ > 0) return;
    look(true);
    owner_.store(0, std::memory_order_release);
  }

 private:
  std::atomic<pid_t> owner_{0};
  int depth_ = 0;
};
