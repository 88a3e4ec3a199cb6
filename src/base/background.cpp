// base/background.cpp: the threads of Tasks. They start when there is work and end when there is none left.
#include "base/background.hpp"
#include <pthread.h>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <stdexcept>
#include <vector>
#include "base/parallel.hpp"
#include "base/thread.hpp"

namespace tenon::base {

struct Task::State {
  std::function<void()> body, stop;
  bool over = false;  // guarded by the mutex of Workers
};

namespace {

// Never destroyed: its threads may run until the process is gone.
struct Workers {
  std::mutex mutex;
  std::condition_variable changed;  // a task has finished, or a thread has left its last one
  std::deque<Task::State*> queue;
  std::vector<Task::State*> running;
  int threads = 0;
  bool closed = false;
  Workers* before = nullptr;  // in a child of fork(): the parent's

  // The body of each thread.
  void run() {
    std::unique_lock lock(mutex);
    while (!queue.empty()) {
      Task::State* task = queue.front();
      queue.pop_front();
      running.push_back(task);  // there is room: it was reserved when the task was queued
      lock.unlock();
      task->body();
      lock.lock();
      running.erase(std::find(running.begin(), running.end(), task));
      task->over = true;
      changed.notify_all();
    }
    --threads;
  }

  void add(Task::State* task) {
    std::lock_guard lock(mutex);
    if (closed) throw std::runtime_error("the process is ending");
    running.reserve(running.size() + queue.size() + 1);
    queue.push_back(task);
    if (threads >= std::max(2, thread_count())) return;
    ++threads;
    try {
      start_thread([this] { run(); });
    } catch (...) {
      if (--threads > 0) return;  // another thread remains for it
      queue.pop_back();
      throw;
    }
  }

  // The caller holds the lock.
  void stop(Task::State* task) {
    task->stop();
    const auto waiting = std::find(queue.begin(), queue.end(), task);
    if (waiting == queue.end()) return;
    queue.erase(waiting);
    task->over = true;
    changed.notify_all();
  }

  void close() {
    std::unique_lock lock(mutex);
    closed = true;
    while (!queue.empty()) stop(queue.back());
    for (Task::State* task : running) task->stop();
    changed.wait(lock, [&] { return running.empty(); });
  }
};

std::atomic<Workers*> the_workers{nullptr};

// The Workers of parent processes: never used or freed again, and reachable, so that leak checkers do not report them.
std::atomic<Workers*> the_parents_workers{nullptr};

// After fork only the calling thread exists, and nobody may ever release the lock.
void forget_workers() {
  Workers* const left = the_workers.exchange(nullptr, std::memory_order_relaxed);
  if (left) left->before = the_parents_workers.exchange(left, std::memory_order_relaxed);
}

void close_at_exit() {
  if (Workers* current = the_workers.load(std::memory_order_acquire)) current->close();
}

Workers& workers() {
  if (Workers* current = the_workers.load(std::memory_order_acquire)) return *current;
  static const int registered = pthread_atfork(nullptr, nullptr, forget_workers);
  (void)registered;
  auto made = std::make_unique<Workers>();
  Workers* expected = nullptr;
  if (!the_workers.compare_exchange_strong(expected, made.get(), std::memory_order_acq_rel)) return *expected;
  return *made.release();
}

}  // namespace

Task::Task(std::function<void()> body, std::function<void()> stop) : state_(std::make_unique<State>()) {
  state_->body = std::move(body);
  state_->stop = std::move(stop);
  static const bool registered = (end_tasks_first_at_exit(), true);
  (void)registered;
  workers().add(state_.get());
}

Task::~Task() {
  stop();
  wait(-1);
}

bool Task::wait(double seconds) {
  Workers& all = workers();
  std::unique_lock lock(all.mutex);
  const auto over = [&] { return state_->over; };
  if (seconds < 0 || seconds > 1e9) {
    all.changed.wait(lock, over);
    return true;
  }
  return all.changed.wait_for(lock, std::chrono::duration<double>(seconds), over);
}

void Task::stop() {
  Workers& all = workers();
  std::lock_guard lock(all.mutex);
  if (!state_->over) all.stop(state_.get());
}

void end_tasks_first_at_exit() { std::atexit(close_at_exit); }

}  // namespace tenon::base
