// backend/cpu/run/checks/bounds.cpp: accesses outside the memory that a checked kernel was given
// (shim/language/tenon_check.h). Only definite errors are reported: an address that could have been intended is
// accepted.
#include "backend/cpu/run/bounds.hpp"
#include "backend/cpu/run/grid.hpp"
#include "backend/cpu/run/tls.hpp"
#include <cxxabi.h>
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include "backend/cpu/run/heap.hpp"
#include "backend/cpu/run/fibers/scheduler.hpp"

namespace tenon::cpu {
namespace {

constexpr uint64_t kReach = uint64_t(1) << 32;  // the farthest origin that an accessed address may have

using Variable = ModuleMemory::Variable;

bool in(const tenon_extent& extent, unsigned long address) { return address >= extent.first && address < extent.last; }

tenon_extent extent_of(const void* data, uint64_t bytes) {
  const auto first = reinterpret_cast<unsigned long>(data);
  return {first, first + bytes};
}

// The name of a variable in the text, with that of its function: "k::s". "" for the shim's variables.
std::string text_name(const std::string& symbol) {
  int status = 0;
  char* const name =
      symbol.rfind("_Z", 0) == 0 ? abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status) : nullptr;
  std::string out = name ? name : symbol;
  std::free(name);
  for (const char* own : {"threadIdx", "blockIdx", "blockDim", "gridDim"})
    if (out == own) return {};
  return out.rfind("tenon_", 0) == 0 ? std::string() : out;
}

tenon_extent host_stack() {
  static thread_local const tenon_extent found = [] {
    pthread_attr_t attributes;
    void* base = nullptr;
    size_t bytes = 0;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) return tenon_extent{0, ~0ul};
    pthread_attr_getstack(&attributes, &base, &bytes);
    pthread_attr_destroy(&attributes);
    return extent_of(base, bytes);
  }();
  return found;
}

// Stacks, variables of programs and libraries, and memory that the library passes to the kernel and to the shim.
bool is_no_array(const tenon_worker& worker, unsigned long address) {
  const Launch& launch = *worker.launch;
  const Values& values = *launch.values;
  if (launch.memory->in_image(address) || in(host_stack(), address) || in(extent_of(&launch, sizeof launch), address))
    return true;
  if (worker.stacks.contains(reinterpret_cast<void*>(address)) || launch.heap->holds(address)) return true;
  if (const Scheduler* turn = worker.scheduler.get()) {
    const auto threads = uint64_t(worker.fiber_count);
    if (in(extent_of(turn, sizeof *turn), address) ||
        in(extent_of(turn->warps, (threads + 31) / 32 * sizeof *turn->warps), address) ||
        in(extent_of(turn->lanes, threads * sizeof *turn->lanes), address) ||
        in(extent_of(turn->saved, threads * sizeof *turn->saved), address))
      return true;
  }
  if (in(extent_of(values.values, values.count * sizeof(void*)), address)) return true;
  for (uint32_t i = 0; i < values.count; ++i)
    if (in(extent_of(values.values[i], values.shapes[i].bytes), address)) return true;
  Dl_info info;
  return dladdr(reinterpret_cast<void*>(address), &info) != 0;
}

bool is_mapped(unsigned long address) {
  static const auto page = static_cast<unsigned long>(sysconf(_SC_PAGESIZE));
  unsigned char resident = 0;
  return mincore(reinterpret_cast<void*>(address / page * page), 1, &resident) == 0 || errno != ENOMEM;
}

// Could the address have been computed from this number? The end of an array may be the beginning of the next. The
// heap of a program that is not position-independent begins below 4 GiB, as numbers do that are no addresses: there
// only the address of mapped memory counts.
bool may_be_origin(const Launch& launch, unsigned long number, unsigned long address) {
  if ((number > address ? number - address : address - number) > kReach) return false;
  if (address < kReach && !is_mapped(number)) return false;
  for (const tenon_extent& extent : launch.extents)
    if (number == extent.first || in(extent, number)) return false;
  Dl_info info;
  return dladdr(reinterpret_cast<void*>(number), &info) == 0;
}

// Addresses may be passed as numbers: in an argument, in a variable of the program, in an array of pointers.
bool origin_among(const Launch& launch, const tenon_extent& memory, unsigned long address) {
  for (unsigned long at = (memory.first + 7) / 8 * 8; at + 8 <= memory.last; at += 8) {
    unsigned long number;
    std::memcpy(&number, reinterpret_cast<const void*>(at), sizeof number);
    if (may_be_origin(launch, number, address)) return true;
  }
  return false;
}

bool has_origin(const Launch& launch, unsigned long address) {
  const Values& values = *launch.values;
  for (uint32_t i = 0; i < values.count; ++i)
    if (values.shapes[i].kind == TENON_PARAMETER_SCALAR &&
        origin_among(launch, extent_of(values.values[i], values.shapes[i].bytes), address))
      return true;
  for (const tenon_extent& part : launch.memory->writable())
    if (origin_among(launch, part, address)) return true;
  return std::any_of(launch.extents.begin(), launch.extents.end(),
                     [&](const tenon_extent& one) { return origin_among(launch, one, address); });
}

// Describes an access as "write of 4 bytes that begins 0 bytes behind the end of X", for memory [first, last).
struct Access {
  unsigned long address, bytes;
  int kind;  // as in tenon_runtime
  tenon_index block, thread;
};
[[noreturn]] void report(tenon_worker* worker, const Access& access, const tenon_extent& extent, const char* what) {
  const unsigned long at = access.address;
  const bool before = at < extent.first, behind = at >= extent.last;
  const unsigned long far = before ? extent.first - at : behind ? at - extent.last : extent.last - at;
  char text[512];
  snprintf(text, sizeof text, "%s of %lu bytes that begins %lu bytes %s %s,", access.kind ? "write" : "read",
           access.bytes, far,
           before   ? "before"
           : behind ? "behind the end of"
                    : "before the end of",
           what);
  kernel_fault(worker, text, "", 0, access.block, access.thread);
}

uint64_t bytes_of(const Launch& launch, const Variable& variable) {
  return variable.dynamic ? launch.frame.shared_bytes : variable.last - variable.first;
}

unsigned linear(const Launch& launch, tenon_index thread) {
  return thread.x + launch.frame.block.x * (thread.y + launch.frame.block.y * thread.z);
}
std::string thread_text(const Launch& launch, unsigned thread) {
  const tenon_index shape = launch.frame.block;
  return index_text({thread % shape.x, thread / shape.x % shape.y, thread / shape.x / shape.y});
}

void look_for_race(tenon_worker* worker, const Access& access, const Variable& variable) {
  const Launch& launch = *worker->launch;
  if (launch.module->flags & TENON_MODULE_ANY_RACE || variable.name.empty()) return;
  // A thread loop does not announce that it starts the next block.
  if (const tenon_index at = access.block;
      at.x != worker->raced.x || at.y != worker->raced.y || at.z != worker->raced.z) {
    worker->raced = at;
    worker->races.start_block(launch.threads);
  }
  const uint64_t offset = access.address - worker->own.first;
  const Races::Conflict with = worker->races.access(worker->own.last - worker->own.first, offset, access.bytes,
                                                    Races::Kind(access.kind), linear(launch, access.thread));
  if (with.thread < 0) return;
  const std::string other = thread_text(launch, unsigned(with.thread));
  char text[600];
  snprintf(
      text, sizeof text,
      "race on shared memory: a thread %s byte %lu of %s%.300s that thread %s %s, with no barrier between the two,",
      access.kind ? "writes" : "reads", static_cast<unsigned long>(offset - variable.first),
      variable.dynamic ? "" : "the shared variable ", variable.name.c_str(), other.c_str(),
      with.wrote ? "wrote" : "read");
  kernel_fault(worker, text, "", 0, access.block, access.thread);
}

// Of the text's variables on both sides, the nearer one. `memory`: the module's, of this host thread or of that of
// another block of the cluster, whose races are not looked for.
void look_at_own(tenon_worker* worker, const Access& access, const tenon_extent& memory) {
  const Launch& launch = *worker->launch;
  const auto& variables = launch.memory->variables();
  const uint64_t offset = access.address - memory.first;
  const auto after = std::upper_bound(variables.begin(), variables.end(), offset,
                                      [](uint64_t at, const Variable& v) { return at < v.first; });
  const Variable* behind = after == variables.begin() ? nullptr : &after[-1];
  if (behind && offset + access.bytes <= behind->first + bytes_of(launch, *behind)) {
    if (memory.first == worker->own.first) look_for_race(worker, access, *behind);
    return;
  }
  const Variable* before = after == variables.end() ? nullptr : &*after;
  if (behind && behind->name.empty()) behind = nullptr;
  if (before && before->name.empty()) before = nullptr;
  if (behind && before && !behind->dynamic && offset >= behind->last && before->first - offset < offset - behind->last)
    behind = nullptr;
  const Variable* nearest = behind ? behind : before;
  if (!nearest || !worker->home) return;
  const unsigned long first = memory.first + nearest->first;
  const tenon_extent extent = {first, first + bytes_of(launch, *nearest)};
  char what[400];
  snprintf(what, sizeof what, "%s%.300s, %lu bytes", nearest->dynamic ? "" : "the shared variable ",
           nearest->name.c_str(), extent.last - extent.first);
  report(worker, access, extent, what);
}

// The module's memory of the block of the cluster to which the address belongs; empty: of none.
tenon_extent memory_in_cluster(const tenon_worker& worker, unsigned long address) {
  if (!worker.seat || !worker.own.last) return {};
  const tenon_frame& frame = worker.seat->frame;
  const unsigned long before =  // of the window
      reinterpret_cast<unsigned long>(worker.launch->module->window()) - worker.own.first;
  for (unsigned rank = 0; rank < frame.cluster.x * frame.cluster.y * frame.cluster.z; ++rank) {
    const unsigned long first = reinterpret_cast<unsigned long>(frame.windows[rank]) - before;
    const tenon_extent memory = {first, first + (worker.own.last - worker.own.first)};
    if (in(memory, address)) return memory;
  }
  return {};
}

}  // namespace

ModuleMemory::ModuleMemory(void* handle, const std::vector<ObjectSymbol>& symbols) : handle_(handle) {
  struct Search {
    const link_map* map;
    ModuleMemory& found;
  } search{nullptr, *this};
  link_map* map = nullptr;
  if (dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0) return;
  search.map = map;
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* user) {
        Search& mine = *static_cast<Search*>(user);
        if (info->dlpi_addr != mine.map->l_addr) return 0;
        ModuleMemory& out = mine.found;
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const auto& part = info->dlpi_phdr[i];
          const tenon_extent extent = {info->dlpi_addr + part.p_vaddr, info->dlpi_addr + part.p_vaddr + part.p_memsz};
          if (part.p_type == PT_TLS) out.thread_bytes_ = part.p_memsz;
          if (part.p_type != PT_LOAD) continue;
          if (part.p_flags & PF_W) out.writable_.push_back(extent);
          if (!out.image_.last) out.image_ = extent;
          out.image_ = {std::min(out.image_.first, extent.first), std::max(out.image_.last, extent.last)};
        }
        return 1;
      },
      &search);
  for (const ObjectSymbol& symbol : symbols) {
    if (!symbol.defined || !symbol.thread_local_data || symbol.size == 0 || symbol.name == "tenon_room") continue;
    const bool dynamic = symbol.name == "tenon_dynamic_shared";
    const std::string name = dynamic ? "the dynamic shared memory" : text_name(symbol.name);
    variables_.push_back({symbol.value, symbol.value + symbol.size, name, dynamic});
  }
  std::sort(variables_.begin(), variables_.end(),
            [](const Variable& a, const Variable& b) { return a.first < b.first; });
}

tenon_extent ModuleMemory::of_this_thread() const {
  void* own = nullptr;
  if (!handle_ || variables_.empty() || dlinfo(handle_, RTLD_DI_TLS_DATA, &own) != 0 || !own) return {};
  return extent_of(own, thread_bytes_);
}

// Each variable has its own section (-fdata-sections), which takes no room in the file: it may be larger than the
// variable, and the linker places the next one after it.
void note_extents(Launch& launch, const Values& values, const ModuleMemory& memory) {
  launch.values = &values;
  launch.memory = &memory;
  if (!values.extents) return;
  for (uint32_t i = 0; i < values.count; ++i) {
    const ValueShape& shape = values.shapes[i];
    if (shape.kind == TENON_PARAMETER_SCALAR) continue;
    if (shape.kind != TENON_PARAMETER_POINTER || shape.dtype == 0 || !values.extents[i].data)
      return launch.extents.clear();
    launch.extents.push_back(extent_of(values.extents[i].data, values.extents[i].bytes));
    launch.extent_arguments.push_back(i);
  }
  launch.frame.extents = launch.extents.data();
  launch.frame.extent_count = unsigned(launch.extents.size());
}

tenon_extent own_memory(tenon_worker* worker) {
  if (!worker->launch->check) return worker->launch->tls->of_this_thread(*worker);
  return worker->own = worker->launch->memory ? worker->launch->memory->of_this_thread() : tenon_extent{};
}

void look_at_fence(tenon_worker* worker) { worker->races.new_epoch(); }

void look_at_access(tenon_worker* worker, unsigned long address, unsigned long bytes, int kind, tenon_index block,
                    tenon_index thread) {
  const Access access{address, bytes, kind, block, thread};
  Launch& launch = *worker->launch;
  if (in(worker->own, address)) return look_at_own(worker, access, worker->own);
  if (const tenon_extent memory = memory_in_cluster(*worker, address); memory.last)
    return look_at_own(worker, access, memory);
  if (!worker->home || is_no_array(*worker, address)) return;
  if (!__atomic_load_n(&launch.frame.extent_count, __ATOMIC_RELAXED)) return;  // see below; clusters have copies
  if (has_origin(launch, address)) {  // then nothing can be concluded for this launch
    __atomic_store_n(&launch.frame.extent_count, 0u, __ATOMIC_RELAXED);
    return;
  }
  size_t nearest = 0;
  unsigned long distance = ~0ul;
  for (size_t i = 0; i < launch.extents.size(); ++i) {
    const tenon_extent& extent = launch.extents[i];
    const unsigned long far = address >= extent.last   ? address - extent.last
                              : address < extent.first ? extent.first - address
                                                       : 0;
    if (far < distance) distance = far, nearest = i;
  }
  const tenon_extent& extent = launch.extents[nearest];
  const uint32_t argument = launch.extent_arguments[nearest];
  const char* const name = launch.values->extents[argument].name;
  char what[400];
  snprintf(what, sizeof what, "argument %u%s%.300s%s, an array of %lu bytes", argument, *name ? " (" : "", name,
           *name ? ")" : "", extent.last - extent.first);
  report(worker, access, extent, what);
}

}  // namespace tenon::cpu
