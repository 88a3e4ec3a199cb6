// base/thread.hpp: a thread of the library, with all signals blocked except faults.
#pragma once
#include <pthread.h>
#include <functional>

namespace tenon::base {

// Runs `body`, which throws nothing, on a detached thread. Throws std::system_error when none can be started. Faults of
// the thread itself still reach it; all other signals are for the host's own threads.
void start_thread(std::function<void()> body);

// Runs a function at the end of each thread that asked for it. Unlike a thread_local object with a destructor, which
// ends the process when the C library finds no memory to register it, asking can fail. The end of the process is not
// the end of its main thread. For static objects: never destroyed.
class AtThreadEnd {
 public:
  explicit AtThreadEnd(void (*run)(void*)) noexcept : made_(pthread_key_create(&key_, run) == 0) {}
  AtThreadEnd(const AtThreadEnd&) = delete;
  // False: out of memory. True as well if the process has no keys left: what its threads hold then stays until it ends.
  bool ask() noexcept { return !made_ || pthread_setspecific(key_, this) == 0; }

 private:
  pthread_key_t key_{};
  const bool made_;
};

}  // namespace tenon::base
