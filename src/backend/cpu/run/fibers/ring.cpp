// backend/cpu/run/fibers/ring.cpp: blocks whose only synchronisation is __syncthreads. The threads form a ring; at a
// barrier each hands over to the next (shim/sync/tenon_sync.h), so that one lap brings every live thread from one
// barrier to the next one. A thread that ends takes itself out of the ring, and later barriers are among those that
// remain.
#include "backend/cpu/run/switch.hpp"
#include "backend/cpu/run/worker.hpp"

namespace tenon::cpu {

void ring_block_done(tenon_worker* worker) { tenon_cpu_leave(worker->home, 0); }

void run_ring_block(void* argument) {
  tenon_worker& worker = *static_cast<tenon_worker*>(argument);
  const Launch& launch = *worker.launch;
  const int64_t count = launch.threads;
  tenon_fiber* fibers = worker.fibers.get();
  tenon_fiber* first = launch.reverse ? &fibers[count - 1] : &fibers[0];
  tenon_fiber* last = launch.reverse ? &fibers[0] : &fibers[count - 1];
  const int64_t step = launch.reverse ? -1 : 1;
  for (int64_t i = 0; i < count; ++i) {
    tenon_fiber& fiber = fibers[i];
    fiber.next = &fiber == last ? first : &fiber + step;
    fiber.previous = &fiber == first ? last : &fiber - step;
    fiber.sp = jump_start(worker.stacks.top(i), launch.kernel->start);
  }
  worker.ring = {static_cast<unsigned long>(count), launch.params};
  tenon_cpu_jump(first->sp, first);
}

}  // namespace tenon::cpu
