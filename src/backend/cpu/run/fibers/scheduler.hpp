// backend/cpu/run/fibers/scheduler.hpp: the threads of one block as fibers, for warp operations, which need to know
// which threads wait for which.
#pragma once
#include <memory>
#include <vector>
#include "backend/cpu/run/worker.hpp"

namespace tenon::cpu {

inline unsigned lowest(unsigned set) { return unsigned(__builtin_ctz(set)); }

struct Scheduler : tenon_schedule {
  explicit Scheduler(tenon_worker& worker) : tenon_schedule{}, worker(worker) {}

  void start(Launch& launch);  // begins a new block
  [[noreturn]] void run();     // runs until all threads have ended, then leaves to worker.home
  unsigned wait_block(int op, int predicate, int place);
  unsigned long long wait_warp(int op, unsigned mask, unsigned long long value, unsigned argument, unsigned width,
                               const void* site);
  void cluster_arrive();  // by the running thread
  void yield();           // lets other threads run, if any can
  void run_threads();     // the body of a fiber

 private:
  int next_thread();  // -1: all have ended. Does not return if none can run
  bool find_ready(int& thread);
  void suspend();
  void go_to(int thread, void** save);
  void end_thread();
  void arrive(int op, int predicate, int place);
  void resolve_block();
  bool try_warp(unsigned warp, unsigned mask);
  void recheck_warp(unsigned warp);
  bool resolve_active(unsigned warp);
  void combine(unsigned warp, unsigned set);
  void look_at_source(unsigned thread, unsigned from);  // for a shuffle from a lane that does not participate
  static bool shuffle_together(tenon_lane_state* of_warp);
  static unsigned source_of(const tenon_lane_state& lane, unsigned i);
  [[noreturn]] void fault(const std::string& what, int thread);
  [[noreturn]] void deadlock();
  std::string thread_text(int thread) const { return index_text(worker.fibers[size_t(thread)].thread); }

  tenon_worker& worker;
  Launch* launch = nullptr;
  unsigned current_warp = 0;
  // The block barrier at which threads are waiting.
  int barrier_place = 0, barrier_first = 0;
  uint64_t barrier_votes = 0;
  unsigned barrier_result = 0;
  std::vector<tenon_warp_state> all_warps;
  std::vector<tenon_lane_state> all_lanes;
  std::vector<void*> all_saved;
};

}  // namespace tenon::cpu
