// base/thread.hpp: a thread of the library, with all signals blocked except faults.
#pragma once
#include <pthread.h>
#include <functional>

namespace tenon::base {

// Runs `body`, which must not throw, on a detached thread. Throws std::system_error if no thread can be started. The
// thread still receives its own faults; all other signals are left to the host's threads.
void start_thread(std::function<void()> body);

// Runs a function at the end of each thread that called ask(). Unlike a thread_local object with a destructor, which
// ends the process when the C library has no memory to register it, ask() can fail. The end of the process does not
// count as the end of its main thread. For static objects: never destroyed.
class AtThreadEnd {
 public:
  explicit AtThreadEnd(void (*run)(void*)) noexcept : made_(pthread_key_create(&key_, run) == 0) {}
  AtThreadEnd(const AtThreadEnd&) = delete;
  // False: out of memory. Also true if the process has no keys left: what its threads hold then stays until the process
  // ends.
  bool ask() noexcept { return !made_ || pthread_setspecific(key_, this) == 0; }

 private:
  pthread_key_t key_{};
  const bool made_;
};

}  // namespace tenon::base
