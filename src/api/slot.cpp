// api/slot.cpp: the slabs that handles live in.
#include "api/slot.hpp"

#include <dlfcn.h>
#include <pthread.h>

#include <mutex>
#include <new>
#include "api/guard.hpp"
#include "base/thread.hpp"

namespace tenon::api {
namespace {

constexpr size_t kSlabSlots = 512;
constexpr size_t kBatch = 32;        // slots that a thread takes from the common list at once
constexpr size_t kQuarantine = 512;  // a thread releases this many slots before it reuses the first of them,
constexpr size_t kMost = 1024;       // and keeps at most this many

// A live slot's tag has the address of this in its upper 48 bits, then kMagic and the kind: two copies of the library
// in one process recognise each other's handles.
constexpr uint64_t kMagic = 0x7e00;
constexpr char instance_mark = 0;
uint64_t tag_of(HandleKind kind) {
  return uint64_t(reinterpret_cast<uintptr_t>(&instance_mark)) << 16 | kMagic | uint64_t(kind);
}

std::atomic<uint32_t> g_fork_generation{1};

// Free slots: the one released first is reused first, so that a stale handle is recognised for a long time.
struct Chain {
  Slot* first;
  Slot* last;
  size_t count;

  void append(Slot* slot) noexcept {
    slot->next_free = nullptr;
    (first ? last->next_free : first) = slot;
    last = slot;
    ++count;
  }
  Slot* take() noexcept {
    Slot* slot = first;
    first = slot->next_free;
    --count;
    return slot;
  }
  void append(Chain& others) noexcept {
    while (others.count) append(others.take());
  }
};

// Leaked on purpose: handles are released while the process exits too.
struct Slabs {
  std::mutex mutex;
  Chain free{};

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

  void take(Chain& to, size_t count) {
    std::lock_guard lock(mutex);
    if (free.count < count) {
      Slot* slab = static_cast<Slot*>(::operator new(sizeof(Slot) * kSlabSlots, std::align_val_t(64)));
      for (size_t i = 0; i < kSlabSlots; ++i) free.append(new (&slab[i]) Slot);
    }
    while (count--) to.append(free.take());
  }

  void give(Chain& chain) noexcept {
    std::lock_guard lock(mutex);
    free.append(chain);
  }
};

// Slots that a thread keeps for itself, so that making and releasing a handle needs no lock. Plain data without a
// destructor, so that it is usable while thread-local objects are destroyed; when a thread ends, its slots return to
// the common list.
struct Local {
  Chain fresh, released;
  bool closed;
};
constinit thread_local Local t_local{};

base::AtThreadEnd at_thread_end([](void*) {
  Slabs::instance().give(t_local.fresh);
  Slabs::instance().give(t_local.released);
  t_local.closed = true;
});

// May this thread keep slots? Not if they would be lost when it ends.
bool may_keep() noexcept { return !t_local.closed && at_thread_end.ask(); }

Slot* take_slot() {
  if (t_local.fresh.count) return t_local.fresh.take();
  if (t_local.released.count > kQuarantine) return t_local.released.take();
  if (may_keep()) {
    Slabs::instance().take(t_local.fresh, kBatch);
    return t_local.fresh.take();
  }
  Chain one{};
  Slabs::instance().take(one, 1);
  return one.first;
}

void give_slot(Slot* slot) noexcept {
  Chain& released = t_local.released;
  if (released.count ? released.count < kMost : may_keep()) return released.append(slot);
  Chain gone{};
  while (released.count > kQuarantine) gone.append(released.take());
  gone.append(slot);
  Slabs::instance().give(gone);
}

// The kind in a tag of any copy of the library; none if it is not a tag.
HandleKind kind_in(uint64_t tag) {
  const auto kind = HandleKind(tag & 0xff);
  return (tag & 0xff00) == kMagic && kind > HandleKind::none && kind < HandleKind::count ? kind : HandleKind::none;
}

bool aligned(const void* handle) { return reinterpret_cast<uintptr_t>(handle) % alignof(Slot) == 0; }

// Describes the error of a slot that does not have the expected tag.
std::string trouble(uint64_t tag, const char* what, const char* wanted) {
  if (const HandleKind kind = kind_in(tag); kind != HandleKind::none) {
    if (tag == tag_of(kind)) return format("%s is a %s, but a %s is needed", what, handle_kind_name(kind), wanted);
    Dl_info other;
    if (dladdr(reinterpret_cast<const void*>(tag >> 16), &other) && other.dli_fname)
      return format(
          "%s is a %s of another copy of libtenon in this process, %s: use one copy, or exchange arrays by DLPack",
          what, handle_kind_name(kind), other.dli_fname);
  }
  return format("%s is not a live handle: it was released, or never was a %s", what, wanted);
}

// kind none: any kind is accepted.
Slot* checked(const void* handle, HandleKind kind, const char* what) {
  TENON_REQUIRE(handle, TENON_ERROR_INVALID_ARGUMENT, "%s is NULL: a %s is needed", what, handle_kind_name(kind));
  TENON_REQUIRE(aligned(handle), TENON_ERROR_INVALID_HANDLE, "%s is not one of Tenon's handles", what);
  Slot* slot = static_cast<Slot*>(const_cast<void*>(handle));
  const uint64_t tag = slot->tag.load(std::memory_order_acquire);
  const HandleKind expected = kind == HandleKind::none ? kind_in(tag) : kind;
  if (expected == HandleKind::none || tag != tag_of(expected)) [[unlikely]]
    fail(TENON_ERROR_INVALID_HANDLE, "%s", trouble(tag, what, handle_kind_name(kind)).c_str());
  TENON_REQUIRE(
      slot->fork_generation == fork_generation(), TENON_ERROR_FORKED,
      "%s was made before fork(), and a child process cannot use it: create a new one in the child, on the CPU", what);
  return slot;
}

}  // namespace

uint32_t fork_generation() noexcept { return g_fork_generation.load(std::memory_order_relaxed); }

const char* handle_kind_name(HandleKind kind) {
  switch (kind) {
#define X(name, type, object) \
  case HandleKind::name: return #type;
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
  const bool live =
      slot->tag.load(std::memory_order_acquire) == tag_of(kind) && slot->fork_generation == fork_generation();
  return live ? slot->object : nullptr;
}

Object* slot_object(const void* handle, HandleKind kind, const char* what) {
  return checked(handle, kind, what)->object;
}

void slot_retain(const void* handle, HandleKind kind) {
  checked(handle, kind, "the handle")->count.fetch_add(1, std::memory_order_relaxed);
}

HandleKind slot_kind(const void* handle, const char* what) {
  return kind_in(checked(handle, HandleKind::none, what)->tag.load(std::memory_order_relaxed));
}

HandleKind slot_live_kind(const void* handle) noexcept {
  if (!handle || !aligned(handle)) return HandleKind::none;
  const uint64_t tag = static_cast<const Slot*>(handle)->tag.load(std::memory_order_acquire);
  const HandleKind kind = kind_in(tag);
  return kind != HandleKind::none && tag == tag_of(kind) ? kind : HandleKind::none;
}

void note_bad_release(const void* handle, HandleKind kind) noexcept {
  try {
    const char* wanted = handle_kind_name(kind);
    const std::string text =
        aligned(handle)
            ? trouble(static_cast<const Slot*>(handle)->tag.load(std::memory_order_acquire), "the handle", wanted)
            : "the handle is not one of Tenon's";
    const std::string of = kind == HandleKind::none ? "tenon" : wanted;
    log_for_process(TENON_LOG_WARNING, format("%s_release does nothing: %s", of.c_str(), text.c_str()).c_str());
  } catch (...) {  // no memory for the text
  }
}

Object* slot_release(void* handle, HandleKind kind) noexcept {
  if (!handle) return nullptr;
  Slot* slot = static_cast<Slot*>(handle);
  if (!aligned(handle) || slot->tag.load(std::memory_order_acquire) != tag_of(kind)) [[unlikely]] {
    note_bad_release(handle, kind);
    return nullptr;
  }
  if (slot->count.fetch_sub(1, std::memory_order_acq_rel) != 1) return nullptr;
  slot->tag.store(0, std::memory_order_release);
  Object* object = slot->object;
  // Objects inherited over fork() may need a driver that does not work in this process, so they are not touched.
  const bool inherited = slot->fork_generation != fork_generation();
  slot->object = nullptr;
  give_slot(slot);
  return inherited ? nullptr : object;
}

}  // namespace tenon::api
