// backend/cpu/run/worker.hpp: a host thread that runs blocks of a launch.
#pragma once
#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <vector>
#include "backend/cpu/run/races.hpp"
#include "backend/cpu/run/stacks.hpp"
#include "backend/cpu/shim/language/tenon_abi.h"
#include "core/device/backend.hpp"
#include "core/error.hpp"

namespace tenon::cpu {

// One launch, shared by the workers that run its blocks.
struct Launch {
  const tenon_module* module;
  const tenon_entry_points* kernel;
  const class ImageTls* tls;
  void* const* params;
  tenon_frame frame{};
  int64_t threads;  // per block
  uint64_t stack_bytes;
  bool reverse;
  bool check;
  bool guarded;                // faults of the processor become errors of the launch (run/signals.hpp)
  double timeout_seconds = 0;  // 0: no timeout
  std::chrono::steady_clock::time_point deadline{};
  class GridBarrier* grid_barrier = nullptr;  // cooperative launches
  class Heap* heap = nullptr;
  struct Children* children = nullptr;  // the kernels that it launches (run/children.hpp)
  std::atomic<int> stop{0};             // frame.stop points here
  // For the checked mode (run/bounds.hpp): the arguments' values, and the module's own memory.
  const Values* values = nullptr;
  const class ModuleMemory* memory = nullptr;
  std::vector<tenon_extent> extents;
  std::vector<uint32_t> extent_arguments;  // the index of each one's argument
  std::mutex mutex;
  std::unique_ptr<Error> fault;  // the first fault; NULL although `stop` is set: out of memory

  void set_fault(std::string text) noexcept;
  tenon_index block_at(uint64_t linear) const {
    return {unsigned(linear % frame.grid.x), unsigned(linear / frame.grid.x % frame.grid.y),
            unsigned(linear / frame.grid.x / frame.grid.y)};
  }
};

struct Scheduler;    // run/fibers/scheduler.hpp
struct ClusterSeat;  // run/grid.hpp

// Recorded by a signal handler (run/signals.cpp).
struct KernelSignal {
  int number = 0, code = 0;
  const void* address = nullptr;
  const char* stack = nullptr;    // the stack pointer
  tenon_index block{}, thread{};  // set in the checked mode
};

}  // namespace tenon::cpu

// Modules only know the name of this type.
struct tenon_worker {
  tenon::cpu::Launch* launch = nullptr;     // not NULL while a kernel runs on this thread
  tenon::cpu::ClusterSeat* seat = nullptr;  // the block's, in a launch with clusters
  void* home = nullptr;                     // the place to which tenon_cpu_leave returns; NULL outside of kernels
  tenon::cpu::KernelSignal signal;
  std::shared_ptr<void> signal_stack;  // of the thread, if it had none (run/signals.cpp)
  // In the checked mode: the module's thread-local memory on this thread, and the accesses to it in the block `raced`.
  tenon_extent own{};
  tenon::cpu::Races races;
  tenon_index raced{};
  tenon::cpu::Stacks stacks;
  std::unique_ptr<tenon_fiber[]>
      fibers;  // one per thread of the block; their `thread` is kept as long as the shape stays the same
  int64_t fiber_count = 0;
  tenon_index shape{};
  uint64_t prepared[16]{};   // images whose thread-local memory has been allocated (run/tls.cpp)
  uint64_t own_place[16]{};  // where that memory is, as far as it is known
  // Ring fibers (run/fibers/ring.cpp).
  tenon_ring ring{};
  std::shared_ptr<tenon::cpu::Scheduler> scheduler;  // scheduled fibers (run/fibers/scheduler.cpp)
};

namespace tenon::cpu {

tenon_worker& this_worker();  // the first call on a thread may throw bad_alloc

// Runs blocks [first, last) of the launch on this thread; a fault is stored in the launch.
void run_blocks(Launch& launch, uint64_t first, uint64_t last);

// One per fiber mode: runs one block, whose position is set; the argument is the worker. For tenon_cpu_run.
void run_ring_block(void* worker);
void run_scheduled_block(void* worker);
tenon_schedule& schedule_of(tenon_worker& worker);
void ring_block_done(tenon_worker* worker);

extern const tenon_runtime kernel_runtime;
unsigned scheduler_block(tenon_worker* worker, int op, int predicate, int place);
unsigned long long scheduler_warp(tenon_worker* worker, int op, unsigned mask, unsigned long long value,
                                  unsigned argument, unsigned width, const void* site);
void scheduler_yield(tenon_worker* worker);
void scheduler_cluster_arrive(tenon_worker* worker);
// Records the fault and leaves the kernel.
[[noreturn]] void kernel_fault(tenon_worker* worker, const char* what, const char* file, int line, tenon_index block,
                               tenon_index thread);
[[noreturn]] void kernel_fault_here(tenon_worker& worker, const std::string& what);  // at the place noted by the module

std::string index_text(tenon_index at);

}  // namespace tenon::cpu
