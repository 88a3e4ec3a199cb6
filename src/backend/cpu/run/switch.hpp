// backend/cpu/run/switch.hpp: switching between stacks.
#pragma once
#include <cstdint>

struct tenon_fiber;

extern "C" {

// Calls function(argument) and returns 0; while it runs, *home is the place to which tenon_cpu_leave can return.
int tenon_cpu_run(void** home, void (*function)(void*), void* argument);
// Ends whatever runs, on any stack: the tenon_cpu_run that set `home` returns `value`.
[[noreturn]] void tenon_cpu_leave(void* home, int value);

// Scheduled fibers: saves the callee-saved registers and continues where `to` was saved, here or by a thread that
// switched by itself (shim/sync/tenon_sync.h).
void tenon_cpu_switch(void** save, void* to);
// Ring fibers: begins where `to` was made by jump_start. From then on the threads of a block switch to each other
// (shim/sync/tenon_sync.h), and a resumed thread finds its fiber in the register of a second argument.
[[noreturn]] void tenon_cpu_jump(void* to, tenon_fiber* fiber);
}

namespace tenon::cpu {

// Prepares a stack that ends at `top`: the first switch (or jump) to the returned place calls entry, which must not
// return.
void* switch_start(void* top, void (*entry)(void*), void* argument);
inline void* jump_start(void* top, void (*entry)(void*, tenon_fiber*)) {
  void** at = reinterpret_cast<void**>(reinterpret_cast<uintptr_t>(top) & ~uintptr_t(63)) - 2;
  at[0] = reinterpret_cast<void*>(entry);
  at[1] = nullptr;  // the return address, for stack walkers
  return at;
}

}  // namespace tenon::cpu
