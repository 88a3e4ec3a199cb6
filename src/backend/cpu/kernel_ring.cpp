// backend/cpu/kernel_ring.cpp: blocks whose only synchronisation is __syncthreads. The threads form a ring; at a barrier each
// hands over to the next (shim/tenon_sync.h), so that one lap brings every live thread from one barrier to the next one. A
// thread that ends takes itself out of the ring, and later barriers are among those that remain.
#include "backend/cpu/kernel_switch.hpp"
#include "backend/cpu/kernel_worker.hpp"

namespace tenon::cpu {
namespace {

// The first thing on each fiber's stack.
void ring_thread() {
  tenon_worker* worker = &this_worker();
  worker->launch->kernel->thread(worker->launch->params, worker->ring.current->thread);
  tenon_fiber* me = worker->ring.current;
  if (--worker->live == 0) tenon_cpu_leave(worker->home, 0);
  worker->ring.previous->next = me->next;
  worker->ring.current = me->next;
  tenon_cpu_jump(me->next->sp, me->next);
}

}  // namespace

void run_ring_block(void* argument) {
  tenon_worker& worker = *static_cast<tenon_worker*>(argument);
  const Launch& launch = *worker.launch;
  const int64_t count = launch.threads;
  tenon_fiber* fibers = worker.fibers.get();
  for (int64_t i = 0; i < count; ++i) {
    const int64_t next = launch.reverse ? (i == 0 ? count - 1 : i - 1) : (i + 1 == count ? 0 : i + 1);
    fibers[i].next = &fibers[next];
    fibers[i].sp = jump_start(worker.stacks.top(i), ring_thread);
  }
  tenon_fiber* first = launch.reverse ? &fibers[count - 1] : &fibers[0];
  tenon_fiber* last = launch.reverse ? &fibers[0] : &fibers[count - 1];
  worker.live = count;
  worker.ring = {first, last};
  tenon_cpu_jump(first->sp, first);
}

}  // namespace tenon::cpu
