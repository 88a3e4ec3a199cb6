// backend/cpu/run/switch.hpp: moving between stacks.
#pragma once
#include <cstdint>

struct tenon_fiber;

extern "C" {

// Calls function(argument) and returns 0; *home then says where tenon_cpu_leave can come back to while it runs.
int tenon_cpu_run(void** home, void (*function)(void*), void* argument);
// Ends whatever runs, on whichever stack: the tenon_cpu_run that set `home` returns `value`.
[[noreturn]] void tenon_cpu_leave(void* home, int value);

// Scheduled fibers: saves the registers that a call keeps and goes on where `to` was saved, here or by a thread that
// handed over itself (shim/tenon_sync.h).
void tenon_cpu_switch(void** save, void* to);
// Ring fibers: begins where `to` was made by jump_start. The threads of a block then hand over to each other
// (shim/tenon_sync.h), and whoever goes on finds his fiber in the register of a second argument.
[[noreturn]] void tenon_cpu_jump(void* to, tenon_fiber* fiber);
}

namespace tenon::cpu {

// Prepares a stack that ends at `top`: the first switch (or jump) to the returned place calls entry, which must not
// return.
void* switch_start(void* top, void (*entry)(void*), void* argument);
inline void* jump_start(void* top, void (*entry)(void*, tenon_fiber*)) {
  void** at = reinterpret_cast<void**>(reinterpret_cast<uintptr_t>(top) & ~uintptr_t(63)) - 2;
  at[0] = reinterpret_cast<void*>(entry);
  at[1] = nullptr;  // the return address, as whoever walks the stack sees it
  return at;
}

}  // namespace tenon::cpu
