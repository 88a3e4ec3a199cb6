// backend/cpu/kernel_scheduler.hpp: the threads of one block as fibers, where warp operations need to know who waits for whom.
#pragma once
#include <memory>
#include <vector>
#include "backend/cpu/kernel_worker.hpp"

namespace tenon::cpu {

// What a thread waits for in a warp operation.
struct Lane {
  unsigned long long value;  // then the result
  const void* site;
  unsigned mask, argument, width;
  int op;
};

// Sets of lanes; every live lane is in exactly one of ready, in_warp_op and at_barrier, or runs.
struct Warp {
  unsigned alive, started, ready, in_warp_op, at_barrier;
};

struct Scheduler {
  explicit Scheduler(tenon_worker& worker) : worker(worker) {}

  void start(Launch& launch);           // a new block
  [[noreturn]] void run();              // until all threads ended: leaves to worker.home
  unsigned wait_block(int op, int predicate, int line);
  unsigned long long wait_warp(int op, unsigned mask, unsigned long long value, unsigned argument, unsigned width, const void* site);
  void run_threads();                   // the body of a fiber

 private:
  int next_thread();                    // -1: all have ended. Does not return when none can run
  bool find_ready(int& thread);
  void suspend();
  void go_to(int thread, void** save);
  void end_thread();
  void arrive(int op, int predicate, int line);
  void resolve_block();
  bool try_warp(unsigned warp, unsigned mask);
  void recheck_warp(unsigned warp);
  bool resolve_active(unsigned warp);
  void combine(unsigned warp, unsigned set);
  static unsigned source_of(const Lane& lane, unsigned i);
  [[noreturn]] void fault(const std::string& what, int thread);
  [[noreturn]] void deadlock();
  std::string thread_text(int thread) const { return index_text(worker.fibers[size_t(thread)].thread); }

  tenon_worker& worker;
  Launch* launch = nullptr;
  int current = 0;         // the thread that runs
  unsigned current_warp = 0;
  int64_t live = 0, arrived = 0, total = 0;
  // The block barrier that is being waited for.
  int barrier_op = 0, barrier_line = 0, barrier_first = 0;
  int64_t barrier_votes = 0;
  unsigned barrier_result = 0;
  std::vector<Warp> warps;
  std::vector<Lane> lanes;
  std::vector<void*> saved;      // of each suspended thread
  std::vector<int> stack_of;     // of each started thread
  std::vector<int> free_stacks;
};

}  // namespace tenon::cpu
