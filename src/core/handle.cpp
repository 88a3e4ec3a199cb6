// core/handle.cpp: the slabs that handles live in.
#include "core/handle.hpp"

#include <pthread.h>

#include <mutex>
#include <new>

namespace tenon {
namespace {

constexpr uint32_t kMagic = 0x7e404000;  // ORed with the kind: no pointer, count or text looks like it by chance
constexpr size_t kSlabSlots = 512;
constexpr size_t kLocalSlots = 64;

std::atomic<uint32_t> g_fork_generation{1};

// Leaked on purpose: handles are released while the process exits too.
struct Slabs {
  std::mutex mutex;
  Slot* free = nullptr;

  Slabs() {
    pthread_atfork([] { instance().mutex.lock(); }, [] { instance().mutex.unlock(); },
                   [] {
                     instance().mutex.unlock();
                     g_fork_generation.fetch_add(1, std::memory_order_relaxed);
                   });
  }

  static Slabs& instance() {
    static Slabs* slabs = new Slabs;
    return *slabs;
  }

  // A chain of `count` free slots.
  Slot* take(size_t count) {
    std::lock_guard lock(mutex);
    if (!free) {
      Slot* slab = static_cast<Slot*>(::operator new(sizeof(Slot) * kSlabSlots, std::align_val_t(64)));
      for (size_t i = 0; i < kSlabSlots; ++i) {
        new (&slab[i]) Slot;
        slab[i].next_free = free;
        free = &slab[i];
      }
    }
    Slot* first = free;
    Slot* last = first;
    while (--count && last->next_free) last = last->next_free;
    free = last->next_free;
    last->next_free = nullptr;
    return first;
  }

  void give(Slot* first) noexcept {
    Slot* last = first;
    while (last->next_free) last = last->next_free;
    std::lock_guard lock(mutex);
    last->next_free = free;
    free = first;
  }
};

// Slots a thread keeps for itself, so that making and releasing a handle takes no lock. Plain data with no destructor: it stays
// usable while thread-local objects are destroyed; what a finished thread held is reclaimed by the guard below.
struct Local {
  Slot* free;
  size_t count;
  bool closed;
};
thread_local Local t_local;

struct LocalGuard {
  ~LocalGuard() {
    if (t_local.free) Slabs::instance().give(t_local.free);
    t_local = {nullptr, 0, true};
  }
};

Slot* take_slot() {
  if (!t_local.free) {
    if (t_local.closed) return Slabs::instance().take(1);
    static thread_local LocalGuard guard;
    (void)guard;
    t_local.free = Slabs::instance().take(kLocalSlots / 2);
    t_local.count = 0;
    for (Slot* s = t_local.free; s; s = s->next_free) ++t_local.count;
  }
  Slot* slot = t_local.free;
  t_local.free = slot->next_free;
  --t_local.count;
  slot->next_free = nullptr;
  return slot;
}

void give_slot(Slot* slot) noexcept {
  if (t_local.closed || t_local.count >= kLocalSlots) {
    slot->next_free = nullptr;
    Slabs::instance().give(slot);
    return;
  }
  slot->next_free = t_local.free;
  t_local.free = slot;
  ++t_local.count;
}

constexpr uint32_t tag_of(HandleKind kind) { return kMagic | uint32_t(kind); }

Slot* checked(const void* handle, HandleKind kind, const char* what) {
  const char* wanted = handle_kind_name(kind);
  TENON_REQUIRE(handle, TENON_ERROR_INVALID_ARGUMENT, "%s is NULL: a %s is needed", what, wanted);
  TENON_REQUIRE(reinterpret_cast<uintptr_t>(handle) % alignof(Slot) == 0, TENON_ERROR_INVALID_HANDLE, "%s is not a handle of Tenon", what);
  Slot* slot = static_cast<Slot*>(const_cast<void*>(handle));
  const uint32_t tag = slot->tag.load(std::memory_order_acquire);
  if (tag != tag_of(kind)) [[unlikely]] {
    const uint32_t other = tag ^ kMagic;
    if (other > 0 && other < uint32_t(HandleKind::count))
      fail(TENON_ERROR_INVALID_HANDLE, "%s is a %s: a %s is needed", what, handle_kind_name(HandleKind(other)), wanted);
    fail(TENON_ERROR_INVALID_HANDLE, "%s is not a live handle: it was released, or was never a %s", what, wanted);
  }
  TENON_REQUIRE(slot->fork_generation == fork_generation(), TENON_ERROR_FORKED,
                "%s was made before fork(), and a child process cannot use it: make it anew in the child, on the CPU", what);
  return slot;
}

}  // namespace

uint32_t fork_generation() noexcept { return g_fork_generation.load(std::memory_order_relaxed); }

const char* handle_kind_name(HandleKind kind) {
  switch (kind) {
#define X(name, type, object) case HandleKind::name: return #type;
    TENON_HANDLES(X)
#undef X
    default: return "handle";
  }
}

Slot* slot_create(HandleKind kind, Object* adopted) {
  Slot* slot = take_slot();
  slot->object = adopted;
  slot->count.store(1, std::memory_order_relaxed);
  slot->fork_generation = fork_generation();
  slot->tag.store(tag_of(kind), std::memory_order_release);
  return slot;
}

Object* slot_peek(const void* handle, HandleKind kind) noexcept {
  if (!handle || reinterpret_cast<uintptr_t>(handle) % alignof(Slot)) return nullptr;
  const Slot* slot = static_cast<const Slot*>(handle);
  const bool live = slot->tag.load(std::memory_order_acquire) == tag_of(kind) && slot->fork_generation == fork_generation();
  return live ? slot->object : nullptr;
}

Object* slot_object(const void* handle, HandleKind kind, const char* what) { return checked(handle, kind, what)->object; }

void slot_retain(const void* handle, HandleKind kind) {
  checked(handle, kind, "the handle")->count.fetch_add(1, std::memory_order_relaxed);
}

Object* slot_release(void* handle, HandleKind kind) noexcept {
  if (!handle || reinterpret_cast<uintptr_t>(handle) % alignof(Slot)) return nullptr;
  Slot* slot = static_cast<Slot*>(handle);
  if (slot->tag.load(std::memory_order_acquire) != tag_of(kind)) return nullptr;
  if (slot->count.fetch_sub(1, std::memory_order_acq_rel) != 1) return nullptr;
  slot->tag.store(0, std::memory_order_release);
  Object* object = slot->object;
  // What was inherited over fork() may need a driver that is gone in this process: it is left as it is.
  const bool inherited = slot->fork_generation != fork_generation();
  slot->object = nullptr;
  give_slot(slot);
  return inherited ? nullptr : object;
}

}  // namespace tenon
