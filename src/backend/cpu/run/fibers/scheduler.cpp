// backend/cpu/run/fibers/scheduler.cpp: the threads of one block as fibers: who runs next, barriers, the end of
// threads.
#include "backend/cpu/run/fibers/scheduler.hpp"
#include <thread>
#include "backend/cpu/run/grid.hpp"
#include "backend/cpu/run/switch.hpp"

namespace tenon::cpu {
namespace {

void fiber_body(void* scheduler) { static_cast<Scheduler*>(scheduler)->run_threads(); }

unsigned highest(unsigned set) { return 31u - unsigned(__builtin_clz(set)); }

}  // namespace

void Scheduler::start(Launch& of) {
  launch = &of;
  live = uint64_t(of.threads);
  if (of.check) worker.races.start_block(of.threads);
  arrived = 0;
  barrier_votes = 0;
  const size_t count = size_t(of.threads), warp_count = (count + TENON_WARP - 1) / TENON_WARP;
  all_warps.resize(warp_count);
  for (size_t i = 0; i < warp_count; ++i) {
    const size_t left = count - i * TENON_WARP;
    const unsigned all = left >= TENON_WARP ? ~0u : (1u << left) - 1;
    all_warps[i] = {all, 0, all, 0, 0};
  }
  if (all_lanes.size() < count) {
    all_lanes.resize(count);
    all_saved.resize(count);
  }
  warps = all_warps.data(), lanes = all_lanes.data(), saved = all_saved.data();
  for (size_t i = 0; i < count; ++i) saved[i] = switch_start(worker.stacks.top(int64_t(i)), fiber_body, this);
  current_warp = of.reverse ? unsigned(warp_count - 1) : 0;
}

void Scheduler::run() {
  void* here;
  go_to(next_thread(), &here);
  __builtin_unreachable();
}

bool Scheduler::find_ready(int& thread) {
  const unsigned count = unsigned(all_warps.size());
  for (unsigned step = 0; step < count; ++step) {
    unsigned at = launch->reverse ? current_warp + count - step : current_warp + step;
    if (at >= count) at -= count;
    tenon_warp_state& warp = warps[at];
    if (!warp.ready && (!warp.in_warp_op || !resolve_active(at))) continue;
    const unsigned lane = launch->reverse ? highest(warp.ready) : lowest(warp.ready);
    warp.ready &= ~(1u << lane);
    current_warp = at;
    thread = int(at * TENON_WARP + lane);
    return true;
  }
  return false;
}

int Scheduler::next_thread() {
  int thread;
  if (find_ready(thread)) return thread;
  if (live == 0) return -1;
  deadlock();
}

// Resumes a thread, or starts it.
void Scheduler::go_to(int thread, void** save) {
  current = unsigned(thread);
  tenon_warp_state& warp = warps[current / TENON_WARP];
  warp.started |= 1u << current % TENON_WARP;
  void* to = saved[size_t(thread)];
  if (const unsigned ready = warp.ready) {  // the most likely next threads
    const char* soon = static_cast<const char*>(saved[unsigned(thread) / TENON_WARP * TENON_WARP + lowest(ready)]);
    __builtin_prefetch(soon);
    __builtin_prefetch(soon + 64);
    __builtin_prefetch(soon + 128);
  }
  tenon_cpu_switch(save, to);
}

// Usually a lane of the same warp continues, whose stack was used a moment ago.
void Scheduler::suspend() {
  const unsigned self = current;
  tenon_warp_state& warp = warps[current_warp];
  if (warp.ready) {
    const unsigned lane = launch->reverse ? highest(warp.ready) : lowest(warp.ready);
    warp.ready &= ~(1u << lane);
    return go_to(int(current_warp * TENON_WARP + lane), &saved[self]);
  }
  const int next = next_thread();
  if (unsigned(next) == self) return;
  go_to(next, &saved[self]);
}

// For a thread that spins: resumes the next thread after it, so that each gets its turn. If there is none, threads that
// wait in __activemask get their result, because nothing else can happen; otherwise other threads of the host run,
// which may run the block that is waited for.
void Scheduler::yield() {
  const unsigned self = current, count = unsigned(all_warps.size());
  const auto after = [](unsigned lane) { return lane == 31 ? 0u : ~0u << (lane + 1); };
  for (unsigned step = 0; step <= count; ++step) {
    const unsigned at = (self / TENON_WARP + step) % count;
    const unsigned later = step == 0 ? after(self % TENON_WARP) : step == count ? ~after(self % TENON_WARP) : ~0u;
    if (!warps[at].ready) resolve_active(at);
    const unsigned among = warps[at].ready & later;
    if (!among) continue;
    const unsigned lane = lowest(among);
    warps[at].ready &= ~(1u << lane);
    warps[self / TENON_WARP].ready |= 1u << self % TENON_WARP;
    current_warp = at;
    return go_to(int(at * TENON_WARP + lane), &saved[self]);
  }
  std::this_thread::yield();
}

// A thread that ends passes its stack to the next thread that has not started, whose own stack then stays unused.
void Scheduler::run_threads() {
  for (;;) {
    launch->kernel->thread(launch->params, worker.fibers[current].thread);
    end_thread();
    const int next = next_thread();
    if (next < 0) tenon_cpu_leave(worker.home, 0);
    tenon_warp_state& warp = warps[unsigned(next) / TENON_WARP];
    const unsigned bit = 1u << (unsigned(next) % TENON_WARP);
    if (!(warp.started & bit)) {
      warp.started |= bit;
      current = unsigned(next);
      continue;
    }
    void* finished;
    go_to(next, &finished);
  }
}

void Scheduler::end_thread() {
  const unsigned at = current / TENON_WARP;
  tenon_warp_state& warp = warps[at];
  warp.alive &= ~(1u << current % TENON_WARP);
  --live;
  if (warp.in_warp_op) recheck_warp(at);
  if (live && arrived == live) resolve_block();
}

// --- the block barrier

// The line and column of a barrier, as the module encodes them.
static std::string place_text(int place) {
  return format("line %d", place & 0xffffff) + (place >> 24 ? format(", column %d", place >> 24) : std::string());
}

void Scheduler::arrive(int op, int predicate, int place) {
  if (arrived == 0) {
    barrier_op = op;
    barrier_place = place;
    barrier_first = int(current);
    barrier_votes = 0;
  } else if (op != barrier_op) {
    fault("threads of the block wait at different kinds of barrier: thread " + thread_text(barrier_first) +
              " and thread " + thread_text(int(current)),
          int(current));
  } else if (launch->check && !(launch->module->flags & TENON_MODULE_ANY_BARRIER) && place && barrier_place &&
             place != barrier_place) {
    fault(format("divergent barrier: thread %s waits at the __syncthreads() of %s, thread %s at that of %s",
                 thread_text(barrier_first).c_str(), place_text(barrier_place).c_str(),
                 thread_text(int(current)).c_str(), place_text(place).c_str()),
          int(current));
  }
  barrier_votes += predicate != 0;
  ++arrived;
}

// All live threads have arrived (a barrier does not wait for those that have ended); all except the running one become
// ready.
void Scheduler::resolve_block() {
  worker.races.new_epoch();
  switch (barrier_op) {
    case TENON_BLOCK_COUNT: barrier_result = unsigned(barrier_votes); break;
    case TENON_BLOCK_AND: barrier_result = barrier_votes == arrived; break;
    case TENON_BLOCK_OR: barrier_result = barrier_votes != 0; break;
    case TENON_BLOCK_GRID:
      if (!launch->grid_barrier)
        fault("grid.sync() needs a cooperative launch (TENON_LAUNCH_COOPERATIVE)", int(current));
      if (!launch->grid_barrier->wait()) tenon_cpu_leave(worker.home, 1);  // another block failed
      break;
    case TENON_BLOCK_CLUSTER:
      if (worker.seat && !worker.seat->wait()) tenon_cpu_leave(worker.home, 1);
      break;
    default: break;
  }
  arrived = 0;
  for (tenon_warp_state& warp : all_warps) {
    warp.ready |= warp.at_barrier;
    warp.at_barrier = 0;
  }
}

unsigned Scheduler::wait_block(int op, int predicate, int place) {
  arrive(op, predicate, place);
  tenon_warp_state& warp = warps[current / TENON_WARP];
  if (arrived == live) {
    resolve_block();
  } else {
    warp.at_barrier |= 1u << current % TENON_WARP;
    suspend();
  }
  return barrier_result;
}

void Scheduler::cluster_arrive() {
  if (worker.seat && ++worker.seat->arrivals >= live) worker.seat->arrive();
}

// --- faults

void Scheduler::fault(const std::string& what, int thread) {
  tenon_index block, ignored;
  launch->module->where(&block, &ignored);
  kernel_fault(&worker, what.c_str(), "", 0, block, worker.fibers[size_t(thread)].thread);
}

void Scheduler::deadlock() {
  std::string text = "divergent barrier: no thread of the block can continue; ";
  int first = -1;
  if (arrived) {
    text += format("%lld of %lld threads wait at a barrier of the block (thread %s is one)",
                   static_cast<long long>(arrived), static_cast<long long>(live), thread_text(barrier_first).c_str());
    first = barrier_first;
  }
  for (size_t i = 0; i < all_warps.size(); ++i) {
    const tenon_warp_state& warp = warps[i];
    if (!warp.in_warp_op) continue;
    const int thread = int(i * TENON_WARP + lowest(warp.in_warp_op));
    const unsigned mask = lanes[size_t(thread)].mask;
    text += format("%sin warp %zu lanes 0x%08x wait in a warp operation, lane %u of them for the lanes 0x%08x",
                   first < 0 ? "" : "; ", i, warp.in_warp_op, lowest(warp.in_warp_op), mask);
    if (first < 0) first = thread;
    break;
  }
  fault(text, first < 0 ? int(current) : first);
}

// --- functions that modules and workers call

tenon_schedule& schedule_of(tenon_worker& worker) {
  if (!worker.scheduler) worker.scheduler = std::make_shared<Scheduler>(worker);
  return *worker.scheduler;
}

void run_scheduled_block(void* argument) {
  tenon_worker& worker = *static_cast<tenon_worker*>(argument);
  worker.scheduler->start(*worker.launch);
  worker.scheduler->run();
}

unsigned scheduler_block(tenon_worker* worker, int op, int predicate, int place) {
  return worker->scheduler->wait_block(op, predicate, place);
}

void scheduler_cluster_arrive(tenon_worker* worker) { worker->scheduler->cluster_arrive(); }

void scheduler_yield(tenon_worker* worker) { worker->scheduler->yield(); }

unsigned long long scheduler_warp(tenon_worker* worker, int op, unsigned mask, unsigned long long value,
                                  unsigned argument, unsigned width, const void* site) {
  return worker->scheduler->wait_warp(op, mask, value, argument, width, site);
}

}  // namespace tenon::cpu
