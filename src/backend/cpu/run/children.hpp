// backend/cpu/run/children.hpp: kernels that kernels launch. They wait until the kernel that launched them has ended.
#pragma once
#include <cstddef>
#include <mutex>
#include <vector>
#include "backend/cpu/run/worker.hpp"

namespace tenon::cpu {

constexpr size_t kMostWaitingChildren = 1 << 20;  // of one kernel
constexpr size_t kDeepestChild = 24;              // levels of kernels, as on a GPU; tail launches open none

struct Child {
  tenon_entry_points entry;
  tenon_index grid, block;
  unsigned shared_bytes;
  std::vector<std::max_align_t> memory;  // the values of its parameters
  std::vector<size_t> places;            // of each of them, in bytes
};

// What one kernel has launched: in any order of threads, then what is to follow all of these.
struct Children {
  std::mutex mutex;
  std::vector<Child> now, tail;
};

// In kernels. Ends the launch with an error if the configuration cannot be.
void launch_child(tenon_worker* worker, const tenon_entry_points* entry, const tenon_child* child,
                  const void* const* values, const unsigned* bytes, tenon_index block, tenon_index thread);

// Runs the launched kernels of a launch that has ended, and what they launch; their faults become its own.
void run_children(Launch& launch, void (*run)(Launch& launch, int64_t blocks));

}  // namespace tenon::cpu
