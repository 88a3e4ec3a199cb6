// base/parallel.hpp: the one thread pool of the process.
//
// Its size is set by set_thread_count (tenon_cpu_threads_set), else by TENON_CPU_THREADS, else by the number of
// processors that the process may run on (affinity, then cgroup quota). It starts on first use, and is safe after fork
// (the child starts its own). A parallel_for inside a parallel_for runs on the calling thread.
#pragma once
#include <cstdint>
#include <type_traits>

namespace tenon::base {

int thread_count();
void set_thread_count(int count);  // 0: the default

// Calls body(context, begin, end) for pieces of [0, count), all but the last at least `grain` long, on the pool and on
// the caller; returns when all are done. The first exception that a piece throws is rethrown here; pieces that have not
// started by then are skipped.
void parallel_for_raw(int64_t count, int64_t grain, void (*body)(void* context, int64_t begin, int64_t end),
                      void* context);

template <class F> void parallel_for(int64_t count, int64_t grain, F&& body) {
  using Body = std::remove_reference_t<F>;
  parallel_for_raw(
      count, grain, [](void* context, int64_t begin, int64_t end) { (*static_cast<Body*>(context))(begin, end); },
      const_cast<void*>(static_cast<const void*>(&body)));
}

// The number of the current pool thread, below thread_count(); 0 on a caller. For scratch memory per thread.
int thread_index();

}  // namespace tenon::base
