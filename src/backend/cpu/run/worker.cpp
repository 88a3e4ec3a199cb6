// backend/cpu/run/worker.cpp: a host thread that runs blocks, and the handling of their faults.
#include "backend/cpu/run/worker.hpp"
#include <new>
#include <optional>
#include <utility>
#include "backend/cpu/run/bounds.hpp"
#include "backend/cpu/run/children.hpp"
#include "backend/cpu/run/grid.hpp"
#include "backend/cpu/run/heap.hpp"
#include "backend/cpu/run/jump.hpp"
#include "backend/cpu/run/signals.hpp"
#include "backend/cpu/run/switch.hpp"
#include "backend/cpu/run/tls.hpp"
#include "base/thread.hpp"
#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

namespace tenon::cpu {

void Launch::set_fault(std::string text) noexcept {
  std::lock_guard lock(mutex);
  stop.store(1, std::memory_order_relaxed);
  try {
    if (!fault) fault = std::make_unique<Error>(TENON_ERROR_KERNEL_FAULT, std::move(text));
  } catch (const std::bad_alloc&) {
  }
}

namespace {

constinit thread_local tenon_worker* worker_of_thread = nullptr;

base::AtThreadEnd at_thread_end([](void*) { delete std::exchange(worker_of_thread, nullptr); });

}  // namespace

tenon_worker& this_worker() {
  if (!worker_of_thread) {
    auto made = std::make_unique<tenon_worker>();
    if (!at_thread_end.ask()) throw std::bad_alloc();
    worker_of_thread = made.release();
  }
  return *worker_of_thread;
}

std::string index_text(tenon_index at) { return format("(%u, %u, %u)", at.x, at.y, at.z); }

void kernel_fault(tenon_worker* worker, const char* what, const char* file, int line, tenon_index block,
                  tenon_index thread) {
  try {
    std::string place = *file ? format("%s:%d: ", file, line) : std::string();
    worker->launch->set_fault(place + what + " in kernel " + worker->launch->kernel->name + ", block " +
                              index_text(block) + ", thread " + index_text(thread));
  } catch (...) {  // no memory for the text
    worker->launch->stop.store(1);
  }
  tenon_cpu_leave(worker->home, 1);
}

void kernel_fault_here(tenon_worker& worker, const std::string& what) {
  tenon_index block, thread;
  worker.launch->module->where(&block, &thread);
  kernel_fault(&worker, what.c_str(), "", 0, block, thread);
}

namespace {

void look_at_clock(tenon_worker* worker, tenon_index block, tenon_index thread) {
  const Launch& launch = *worker->launch;
  if (launch.stop.load(std::memory_order_relaxed)) tenon_cpu_leave(worker->home, 1);  // another block failed
  if (!launch.timeout_seconds || std::chrono::steady_clock::now() < launch.deadline) return;
  char text[64];
  snprintf(text, sizeof text, "timed out after %g s", launch.timeout_seconds);
  kernel_fault(worker, text, "", 0, block, thread);
}

struct LoopPiece {
  Launch& launch;
  uint64_t first, last;
};

void run_loop(void* argument) {
  const LoopPiece& piece = *static_cast<const LoopPiece*>(argument);
  piece.launch.kernel->loop(piece.launch.params, piece.first, piece.last);
}

// A block's threads keep more on one stack than the host's thread may have, so this runs on a stack of ours.
[[noreturn]] void begin_loop(void*, tenon_fiber* argument) {
  run_loop(argument);
  tenon_cpu_leave(this_worker().home, 0);
}
void run_loop_on_stack(void* argument) {
  tenon_cpu_jump(jump_start(this_worker().stacks.top(0), begin_loop), static_cast<tenon_fiber*>(argument));
}

bool prepare_stacks(tenon_worker& worker, Launch& launch, int64_t count) {
  if (worker.stacks.reserve(count, launch.stack_bytes)) return true;
  launch.set_fault(format("no memory for the stacks of %lld threads of kernel %s", static_cast<long long>(count),
                          launch.kernel->name));
  return false;
}

bool prepare_fibers(tenon_worker& worker, Launch& launch) {
  if (!prepare_stacks(worker, launch, launch.threads)) return false;
  const tenon_index shape = launch.frame.block;
  if (worker.shape.x == shape.x && worker.shape.y == shape.y && worker.shape.z == shape.z) return true;
  if (worker.fiber_count < launch.threads) {
    worker.fibers = std::make_unique<tenon_fiber[]>(size_t(launch.threads));
    worker.fiber_count = launch.threads;
  }
  tenon_fiber* fiber = worker.fibers.get();
  for (unsigned z = 0; z < shape.z; ++z)
    for (unsigned y = 0; y < shape.y; ++y)
      for (unsigned x = 0; x < shape.x; ++x, ++fiber) fiber->thread = {x, y, z};
  worker.shape = shape;
  return true;
}

#if defined(__SANITIZE_THREAD__)
// Threads of a kernel leave functions by switching stacks, so ThreadSanitizer, which keeps a stack of its own of what
// was entered, would see no end of them and write beyond its 65,536 entries. Kernel code therefore runs on a fiber of
// its, which is replaced before it is full. The switches stand in the function that must find its entry again when it
// ends.
void* sanitizer_fiber(int64_t threads) {
  static thread_local struct Fiber {
    void* handle = nullptr;
    int64_t entered = 0;
    ~Fiber() {
      if (handle) __tsan_destroy_fiber(handle);
    }
  } fiber;
  constexpr int64_t kForBlock = 16, kForThread = 8, kMost = 60000;
  const int64_t enters = kForBlock + kForThread * threads;
  fiber.entered += enters;
  if (!fiber.handle || fiber.entered > kMost) {
    if (fiber.handle) __tsan_destroy_fiber(fiber.handle);
    fiber.handle = __tsan_create_fiber(0);
    fiber.entered = enters;
  }
  return fiber.handle;
}
#endif

// Runs kernel code. A fault leaves it together with the kernel's stack: no object on that stack may own anything.
void run_kernel(tenon_worker& worker, void (*function)(void*), void* argument) {
#if defined(__SANITIZE_THREAD__)
  void* const host = __tsan_get_current_fiber();
  __tsan_switch_to_fiber(sanitizer_fiber(worker.launch->threads), 0);
#endif
  const int how = tenon_cpu_run(&worker.home, function, argument);
#if defined(__SANITIZE_THREAD__)
  __tsan_switch_to_fiber(host, 0);
#endif
  worker.home = nullptr;
  if (how == kSignalled) worker.launch->set_fault(signal_text(worker));
}

void run_all(tenon_worker& worker, Launch& launch, uint64_t first, uint64_t last) {
  launch.tls->prepare(worker);
  const bool scheduled = launch.module->execution == 3;
  const tenon_frame& frame = worker.seat ? worker.seat->frame : launch.frame;
  launch.module->enter(&worker, &frame, scheduled ? static_cast<void*>(&schedule_of(worker)) : &worker.ring);
  if (launch.kernel->loop) {
    LoopPiece piece{launch, first, last};
    if (!launch.kernel->regions) run_kernel(worker, run_loop, &piece);
    else if (prepare_stacks(worker, launch, 1)) run_kernel(worker, run_loop_on_stack, &piece);
  } else if (prepare_fibers(worker, launch)) {
    auto run = scheduled ? run_scheduled_block : run_ring_block;
    for (uint64_t block = first; block < last && !launch.stop.load(std::memory_order_relaxed); ++block) {
      launch.module->block(launch.block_at(block), last - block);
      run_kernel(worker, run, &worker);
    }
  }
}

}  // namespace

void run_blocks(Launch& launch, uint64_t first, uint64_t last) {
  try {
    tenon_worker& worker = this_worker();
    worker.launch = &launch;
    const struct Leave {
      tenon_worker& worker;
      ~Leave() { worker.launch = nullptr; }
    } leave{worker};
    worker.raced = {~0u, ~0u, ~0u};
    std::optional<SignalGuard> guard;
    if (launch.guarded) guard.emplace(worker);
    run_all(worker, launch, first, last);
  } catch (const std::bad_alloc&) {
    launch.stop.store(1);
  }
}

const tenon_runtime kernel_runtime = {scheduler_block, scheduler_warp, kernel_fault,   ring_block_done,
                                      look_at_clock,   own_memory,     look_at_access, look_at_fence,
                                      scheduler_yield, heap_allocate,  heap_free,      scheduler_cluster_arrive,
                                      launch_child,    jump_ahead};

}  // namespace tenon::cpu
