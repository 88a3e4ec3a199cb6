// core/control.cpp: the host's way to interrupt a call that compiles.
#include "core/control.hpp"

namespace tenon {
namespace {

struct Interrupt {
  int32_t (*ask)(void* user);
  void* user;
};

std::atomic<const Interrupt*> g_interrupt{nullptr};

}  // namespace

// A replaced function is not freed: another thread may be reading it, and hosts set it once.
void set_interrupt(int32_t (*ask)(void* user), void* user) {
  g_interrupt.store(ask ? new Interrupt{ask, user} : nullptr, std::memory_order_release);
}

bool interrupted() noexcept {
  const Interrupt* interrupt = g_interrupt.load(std::memory_order_acquire);
  return interrupt && interrupt->ask(interrupt->user) != 0;
}

}  // namespace tenon
