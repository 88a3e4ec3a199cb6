// base/background.hpp: work on background threads, which ends before its owner and before the process's static objects.
#pragma once
#include <functional>
#include <memory>

namespace tenon::base {

// One piece of work. It starts when the Task is constructed: at once, or as soon as fewer Tasks run than there are
// processors. The destructor stops it and waits for it, so `body` may use anything that lives as long as the Task.
// Thread-safe.
//
// exit() stops all running Tasks and waits for them. A child of fork() has no Tasks: one from before the fork must not
// be used there.
class Task {
 public:
  // `stop` asks a running body to return soon; it only sets a flag. Neither function may throw. The constructor throws
  // std::system_error when no thread can be started, and std::runtime_error while the process is ending.
  Task(std::function<void()> body, std::function<void()> stop);
  ~Task();
  Task(const Task&) = delete;

  // Waits at most that many seconds (negative: without limit). True: the body has returned, or has not begun and never
  // will.
  bool wait(double seconds);
  // Calls `stop`. A body that has not begun never will.
  void stop();

  struct State;

 private:
  std::unique_ptr<State> state_;
};

// Call this after making something that Tasks use and that exit() destroys (after opening a library, for example):
// exit() then ends the Tasks first.
void end_tasks_first_at_exit();

}  // namespace tenon::base
