// backend/cpu/run/children.cpp: kernels that kernels launch.
#include "backend/cpu/run/children.hpp"
#include <cstring>
#include <utility>

namespace tenon::cpu {
namespace {

constexpr uint64_t kMostThreads = 1024, kMostBlocksAcross = 2147483647, kMostBlocks = 65535;

// "": the configuration is one of a launch.
std::string wrong_with(const tenon_child& child) {
  const tenon_index &g = child.grid, &b = child.block;
  const uint64_t threads = uint64_t(b.x) * b.y * b.z;
  if (!threads || !g.x || !g.y || !g.z) return "no blocks or no threads";
  if (b.x > kMostThreads || b.y > kMostThreads || b.z > 64 || threads > kMostThreads)
    return format("blocks of %u x %u x %u threads; 1024 x 1024 x 64 and 1024 in all are the limit", b.x, b.y, b.z);
  if (g.x > kMostBlocksAcross || g.y > kMostBlocks || g.z > kMostBlocks)
    return format("%u x %u x %u blocks; 2147483647 x 65535 x 65535 are the limit", g.x, g.y, g.z);
  if (child.shared_bytes > TENON_DYNAMIC_SHARED)
    return format("%lu bytes of dynamic shared memory; %u are the limit", child.shared_bytes, TENON_DYNAMIC_SHARED);
  return "";
}

Child copy_of(const tenon_entry_points& entry, const tenon_child& child, const void* const* values,
              const unsigned* bytes) {
  Child out{entry, child.grid, child.block, unsigned(child.shared_bytes), {}, {}};
  constexpr size_t kUnit = sizeof(std::max_align_t);
  size_t units = 0;
  for (unsigned i = 0; i < child.count; ++i) {
    out.places.push_back(units * kUnit);
    units += (bytes[i] + kUnit - 1) / kUnit;
  }
  out.memory.resize(units);
  for (unsigned i = 0; i < child.count; ++i)
    std::memcpy(reinterpret_cast<char*>(out.memory.data()) + out.places[i], values[i], bytes[i]);
  return out;
}

// A kernel, and what remains to be run of what it launched.
struct Level {
  std::vector<Child> now, tail;
  size_t next = 0, next_tail = 0;
};

void begin(Launch& launch, const Child& child, Launch& first, std::vector<void*>& params) {
  for (size_t place : child.places)
    params.push_back(const_cast<char*>(reinterpret_cast<const char*>(child.memory.data())) + place);
  launch.module = first.module;
  launch.kernel = &child.entry;
  launch.tls = first.tls;
  launch.params = params.data();
  launch.frame.grid = child.grid;
  launch.frame.block = child.block;
  launch.frame.stop = reinterpret_cast<const int*>(&launch.stop);
  launch.frame.shared_bytes = child.shared_bytes;
  launch.frame.cluster = {1, 1, 1};
  launch.threads = int64_t(child.block.x) * child.block.y * child.block.z;
  launch.stack_bytes = first.stack_bytes;
  launch.reverse = first.reverse;
  launch.check = first.check;
  launch.guarded = first.guarded;
  launch.timeout_seconds = first.timeout_seconds;
  launch.deadline = first.deadline;
  launch.heap = first.heap;
  launch.memory = first.memory;  // arguments that the host has not given show no arrays
}

// Runs one kernel; false: it failed.
bool run_one(const Child& child, Launch& first, Level& made, void (*run)(Launch&, int64_t)) {
  Launch launch;
  Children children;
  std::vector<void*> params;
  begin(launch, child, first, params);
  launch.children = &children;
  run(launch, int64_t(child.grid.x) * child.grid.y * child.grid.z);
  if (launch.fault) first.set_fault(launch.fault->message + ", which a kernel launched");
  else if (launch.stop) first.stop.store(1);
  made.now = std::move(children.now);
  made.tail = std::move(children.tail);
  return !launch.stop;
}

}  // namespace

void launch_child(tenon_worker* worker, const tenon_entry_points* entry, const tenon_child* child,
                  const void* const* values, const unsigned* bytes, tenon_index block, tenon_index thread) {
  char why[400] = "";
  {
    const std::string wrong = wrong_with(*child);
    if (!wrong.empty()) snprintf(why, sizeof why, "%.200s is launched with %.150s", entry->name, wrong.c_str());
    Children& children = *worker->launch->children;
    if (wrong.empty()) try {
        std::lock_guard lock(children.mutex);
        std::vector<Child>& list = child->tail ? children.tail : children.now;
        if (list.size() >= kMostWaitingChildren)
          snprintf(why, sizeof why, "over %zu launched kernels wait for the end of the kernel", kMostWaitingChildren);
        else list.push_back(copy_of(*entry, *child, values, bytes));
      } catch (const std::bad_alloc&) {
        snprintf(why, sizeof why, "no memory for the launch of %.200s", entry->name);
      }
  }
  if (*why) kernel_fault(worker, why, "", 0, block, thread);
}

void run_children(Launch& launch, void (*run)(Launch&, int64_t)) {
  if (launch.children->now.empty() && launch.children->tail.empty()) return;  // a launch allocates nothing
  std::vector<Level> levels(1);
  levels[0].now = std::move(launch.children->now);
  levels[0].tail = std::move(launch.children->tail);
  while (!levels.empty() && !launch.stop) {
    Level& top = levels.back();
    const bool tail = top.next == top.now.size();
    if (tail && top.next_tail == top.tail.size()) {
      levels.pop_back();
      continue;
    }
    const Child child = std::move(tail ? top.tail[top.next_tail++] : top.now[top.next++]);
    // The last one to follow a kernel takes its place, so that kernels may follow each other without end.
    if (tail && top.next_tail == top.tail.size()) levels.pop_back();
    if (levels.size() >= kDeepestChild)
      return launch.set_fault(
          format("kernels launch kernels over %zu levels deep, at %s", kDeepestChild, child.entry.name));
    Level made;
    if (!run_one(child, launch, made, run)) return;
    if (!made.now.empty() || !made.tail.empty()) levels.push_back(std::move(made));
  }
}

}  // namespace tenon::cpu
