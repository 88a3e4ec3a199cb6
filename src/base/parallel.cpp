// base/parallel.cpp: the one thread pool of the process.
#include "base/parallel.hpp"
#include <pthread.h>
#include <sched.h>
#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>
#include "base/thread.hpp"

namespace tenon::base {
namespace {

// --- the number of threads

int processors_by_affinity() {
  // The mask must be as large as the kernel's; machines with more than 1024 processors need a larger set.
  for (int capacity = 1024; capacity <= 1 << 20; capacity *= 4) {
    cpu_set_t* set = CPU_ALLOC(size_t(capacity));
    if (!set) break;
    size_t bytes = CPU_ALLOC_SIZE(size_t(capacity));
    int found = sched_getaffinity(0, bytes, set) == 0 ? CPU_COUNT_S(bytes, set) : 0;
    CPU_FREE(set);
    if (found > 0) return found;
  }
  return std::max(1, int(std::thread::hardware_concurrency()));
}

// The number of processors that "quota period" in a cgroup file allows; 0: no limit.
double quota_of(const std::string& quota_path, const std::string& period_path) {
  std::ifstream file(quota_path);
  std::string quota;
  double period = 0;
  if (!(file >> quota) || quota == "max" || quota[0] == '-') return 0;
  if (period_path.empty()) {
    file >> period;
  } else {
    std::ifstream second(period_path);
    second >> period;
  }
  double allowed = std::strtod(quota.c_str(), nullptr);
  return period > 0 && allowed > 0 ? allowed / period : 0;
}

// The smallest quota on the path from this process's cgroup to the root, for both versions of cgroups.
double processors_by_quota() {
  double smallest = 0;
  std::ifstream groups("/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    size_t first = line.find(':'), second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    std::string controllers = line.substr(first + 1, second - first - 1), path = line.substr(second + 1);
    bool unified = controllers.empty();
    if (!unified && (',' + controllers + ',').find(",cpu,") == std::string::npos) continue;
    const std::string root = unified ? "/sys/fs/cgroup" : "/sys/fs/cgroup/cpu";
    for (;;) {
      const std::string here = root + (path == "/" ? "" : path);
      double quota =
          unified ? quota_of(here + "/cpu.max", "") : quota_of(here + "/cpu.cfs_quota_us", here + "/cpu.cfs_period_us");
      if (quota > 0 && (smallest == 0 || quota < smallest)) smallest = quota;
      if (path.empty() || path == "/") break;
      path.erase(std::max<size_t>(path.rfind('/'), 0));
      if (path.empty()) path = "/";
    }
  }
  return smallest;
}

int default_count() {
  if (const char* text = std::getenv("TENON_CPU_THREADS")) {
    long requested = std::strtol(text, nullptr, 10);
    if (requested > 0) return int(std::min(requested, 4096L));
  }
  int count = processors_by_affinity();
  double quota = processors_by_quota();
  if (quota > 0) count = std::min(count, std::max(1, int(quota + 0.999)));
  return count;
}

std::atomic<int> chosen_count{0};  // 0: not determined yet

// --- the pool

// One parallel_for; lives on its caller's stack. `users` counts the pool threads inside it and is guarded by the pool's
// mutex.
struct Job {
  int64_t count, piece;
  void (*body)(void*, int64_t, int64_t);
  void* context;
  std::atomic<int64_t> next{0};
  std::atomic<bool> failed{false};
  std::exception_ptr error;  // written by the thread that set `failed`
  int users = 0;
  int wanted = 0;  // pool threads that may still join
  Job* following = nullptr;

  bool has_work() const { return next.load(std::memory_order_relaxed) < count; }

  void work() noexcept {
    for (;;) {
      int64_t begin = next.fetch_add(piece, std::memory_order_relaxed);
      if (begin >= count) return;
      if (failed.load(std::memory_order_relaxed)) continue;
      try {
        body(context, begin, std::min(count, begin + piece));
      } catch (...) {
        if (!failed.exchange(true)) error = std::current_exception();
      }
    }
  }
};

thread_local int index_of_thread = 0;
thread_local bool inside = false;  // this thread runs a piece: nested calls run on it alone

// Never destroyed: its threads may run until the process is gone.
struct Pool {
  std::mutex mutex;
  std::condition_variable work_came, work_left;
  Job* jobs = nullptr;
  int threads = 0;

  Job* joinable() const {
    for (Job* job = jobs; job; job = job->following)
      if (job->wanted > 0 && job->has_work()) return job;
    return nullptr;
  }

  void run_thread(int index) {
    index_of_thread = index;
    inside = true;
    std::unique_lock lock(mutex);
    for (;;) {
      Job* job = nullptr;
      work_came.wait(lock, [&] { return index < thread_count() && (job = joinable()); });
      --job->wanted;
      ++job->users;
      lock.unlock();
      job->work();
      lock.lock();
      if (--job->users == 0) work_left.notify_all();
    }
  }

  // The caller holds the lock. If a thread cannot be started, the pool works with those it has.
  void start_threads(int count) {
    try {
      while (threads < count) {
        start_thread([this, index = threads + 1] { run_thread(index); });
        ++threads;
      }
    } catch (const std::exception&) {
    }
  }

  void run(Job& job, int helpers) {
    {
      std::lock_guard lock(mutex);
      if (threads < helpers) start_threads(helpers);
      job.wanted = helpers;
      job.following = jobs;
      jobs = &job;
    }
    work_came.notify_all();  // all: notify_one could wake a thread above the number now allowed
    inside = true;
    job.work();
    inside = false;
    std::unique_lock lock(mutex);
    Job** link = &jobs;
    while (*link != &job) link = &(*link)->following;
    *link = job.following;
    work_left.wait(lock, [&] { return job.users == 0; });
  }
};

std::atomic<Pool*> the_pool{nullptr};

// After fork only the calling thread exists: the child abandons the pool, whose lock may never be released.
void forget_pool() {
  the_pool.store(nullptr, std::memory_order_relaxed);
  index_of_thread = 0;
  inside = false;
}

Pool& pool() {
  Pool* current = the_pool.load(std::memory_order_acquire);
  if (current) return *current;
  static const int registered = pthread_atfork(nullptr, nullptr, forget_pool);
  (void)registered;
  auto* fresh = new Pool;
  if (the_pool.compare_exchange_strong(current, fresh, std::memory_order_acq_rel)) return *fresh;
  delete fresh;
  return *current;
}

}  // namespace

int thread_count() {
  int count = chosen_count.load(std::memory_order_relaxed);
  if (count > 0) return count;
  int wanted = default_count();
  return chosen_count.compare_exchange_strong(count, wanted) ? wanted : count;
}

void set_thread_count(int count) {
  chosen_count.store(count > 0 ? std::min(count, 4096) : default_count());
  if (Pool* current = the_pool.load(std::memory_order_acquire)) current->work_came.notify_all();
}

int thread_index() { return index_of_thread; }

void parallel_for_raw(int64_t count, int64_t grain, void (*body)(void*, int64_t, int64_t), void* context) {
  if (count <= 0) return;
  grain = std::max<int64_t>(grain, 1);
  const int threads = thread_count();
  if (inside || threads == 1 || count <= grain) {
    body(context, 0, count);
    return;
  }
  // Eight pieces per thread balance uneven work. A short last piece is not merged with its neighbour, so only the last
  // may be shorter than the grain.
  const int64_t piece = std::max(grain, (count + threads * 8 - 1) / (threads * 8));
  const int64_t pieces = (count + piece - 1) / piece;
  Job job{count, piece, body, context};
  pool().run(job, int(std::min<int64_t>(threads, pieces) - 1));
  if (job.error) std::rethrow_exception(job.error);
}

}  // namespace tenon::base
