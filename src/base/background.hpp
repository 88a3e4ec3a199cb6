// base/background.hpp: work on threads of its own, which ends before its owner does and before the process's static
// objects do.
#pragma once
#include <functional>
#include <memory>

namespace tenon::base {

// One piece of work, started when it is made: at once, or when fewer than the processors allow are running. Its end of
// life stops it and waits for it, so that `body` may use what lives as long as the Task. Safe between threads.
//
// At exit() everything that runs is stopped and waited for. In a child of fork() there is none of it: a Task from
// before must not be used there.
class Task {
 public:
  // `stop` asks a body that runs to return soon; it only sets a flag. Neither throws. Throws std::system_error when no
  // thread can be started, std::runtime_error while the process ends.
  Task(std::function<void()> body, std::function<void()> stop);
  ~Task();
  Task(const Task&) = delete;

  // Waits at most so long (negative: for ever). True: the body has returned, or was never begun and never will be.
  bool wait(double seconds);
  // Calls `stop`; a body that was not begun never will be.
  void stop();

  struct State;

 private:
  std::unique_ptr<State> state_;
};

// To be called after something was made that Tasks use and that exit() destroys (a library that was opened, say):
// exit() then ends the Tasks before that.
void end_tasks_first_at_exit();

}  // namespace tenon::base
