// api/guard.hpp: the edge. Every exported function is guard, checks, one call inward; nothing is thrown across it.
#pragma once
#include <tenon/tenon.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <new>

#include "api/slot.hpp"
#include "core/array/array.hpp"
#include "core/device/call.hpp"
#include "core/error.hpp"
#include "core/device/host_work.hpp"
#include "core/array/scalar.hpp"
#include "core/sized.hpp"
#include "kernel/compilation.hpp"
#include "kernel/generate/generated.hpp"
#include "kernel/graph.hpp"
#include "kernel/program.hpp"
#include "ops/output.hpp"
#include "core/array/texture.hpp"
#include "plugin/call/operation.hpp"

namespace tenon {

// Objects behind handles of types that no lower layer has.
class Blob final : public Object {
 public:
  explicit Blob(std::string bytes) : bytes(std::move(bytes)) {}
  const std::string bytes;
};

// The object behind a tenon_device: it keeps the context, as long as which the device lives.
class DeviceObject final : public Object {
 public:
  explicit DeviceObject(Device& device) : context(&device.context()), device(device) {}
  const Ref<Context> context;
  Device& device;
  std::string toolkit;  // filled by tenon_device_toolkit, under its lock
};

class EventObject final : public Object {
 public:
  explicit EventObject(Ref<Event> event) : context(&event->device().context()), event(std::move(event)) {}
  ~EventObject() override {
    event = nullptr;
    call_host(*context, "the destroy function of an event", destroy_, user_);
  }
  void take_over(tenon_destroy_fn destroy, void* user) noexcept { destroy_ = destroy, user_ = user; }
  const Ref<Context> context;
  Ref<Event> event;

 private:
  tenon_destroy_fn destroy_ = nullptr;
  void* user_ = nullptr;
};

// A package does not reference its context, which owns it; its handle does.
class PackageObject final : public Object {
 public:
  PackageObject(Context& context, Ref<Package> package) : context(&context), package(std::move(package)) {}
  const Ref<Context> context;
  const Ref<Package> package;
};

namespace api {

// Records the exception in flight for the calling thread and returns its status.
int32_t record_exception() noexcept;

// Records an existing error object for the calling thread, and returns its status: does not allocate or throw.
int32_t record_kept(const ErrorObject& error) noexcept;

// TENON_OK, or, if the device is lost, DEVICE_LOST with the record made at that time. For the most frequent calls, of
// which a server whose device is lost may make thousands.
inline int32_t lost(const Device& device) noexcept {
  const ErrorObject* record = device.lost_record();
  return record ? record_kept(*record) : TENON_OK;
}

// The body returns nothing, or a status that it has recorded itself. The name is that of the function around it.
template <class F> int32_t guard(F&& body, const char* name = __builtin_FUNCTION()) noexcept {
  const CallScope scope(name);
  try {
    if constexpr (std::is_same_v<decltype(body()), int32_t>) return body();
    else body();
    return TENON_OK;
  } catch (...) {
    return record_exception();
  }
}

// Handle types and their object types, from the one list.
template <class H> struct HandleTraits;
#define X(kind_name, type, object)                            \
  template <> struct HandleTraits<type> {                     \
    using Held = object;                                      \
    static constexpr HandleKind kind = HandleKind::kind_name; \
  };
TENON_HANDLES(X)
#undef X

// The object of a handle; throws INVALID_ARGUMENT, INVALID_HANDLE, FORKED naming the parameter.
template <class H> auto& get(const H* handle, const char* what) {
  using Traits = HandleTraits<H>;
  auto& held = *static_cast<typename Traits::Held*>(slot_object(handle, Traits::kind, what));
  if constexpr (std::is_same_v<typename Traits::Held, Array>) CallScope::opened(held.buffer());
  return held;
}

template <class H> auto* get_or_null(const H* handle, const char* what) {
  using Held = typename HandleTraits<H>::Held;
  return handle ? &get(handle, what) : static_cast<Held*>(nullptr);
}

// An output handle: NULLed on entry, set once.
template <class H> class Out {
 public:
  Out(H** out, const char* what) : out_(out) {
    TENON_REQUIRE(out, TENON_ERROR_INVALID_ARGUMENT, "%s is NULL: it receives the result", what);
    *out = nullptr;
  }
  template <class T> void set(Ref<T> object) {
    using Traits = HandleTraits<H>;
    typename Traits::Held* held = object.get();
    Slot* slot = slot_create(Traits::kind, held);  // may throw; the reference is then still ours
    object.detach();
    *out_ = reinterpret_cast<H*>(slot);
  }

 private:
  H** out_;
};

// Implements tenon_X_device: `of` finds the device.
template <class F>
int32_t give_device(tenon_device** out_device, F&& of, const char* function = __builtin_FUNCTION()) noexcept {
  return guard(
      [&] {
        Out out(out_device, "out_device");
        out.set(make<DeviceObject>(of()));
      },
      function);
}

// Each stream's handle keeps the context (tenon_stream_release gives it back): the default stream belongs to its device
// and cannot keep it.
inline void give_stream(Out<tenon_stream>& out, Ref<Stream> stream) {
  Context& context = stream->device().context();
  out.set(std::move(stream));
  context.retain();
}

template <class H> int32_t retain(const H* handle, const char* function = __builtin_FUNCTION()) noexcept;
template <class H> void release(H* handle) noexcept;

// Several new arrays, all or none. Constructed on entry, which NULLs them; those that may be NULL are then left out.
template <size_t N> class Outs {
 public:
  struct NamedOut {
    tenon_array** out;
    const char* what;
    bool nullable;
  };
  explicit Outs(const NamedOut (&outs)[N]) {
    for (const NamedOut& p : outs)
      if (p.out) *p.out = nullptr;
    for (const NamedOut& p : outs)
      TENON_REQUIRE(p.out || p.nullable, TENON_ERROR_INVALID_ARGUMENT, "%s is NULL: it receives the result", p.what);
    std::copy(outs, outs + N, outs_);
  }
  void set(Ref<Array> (&&arrays)[N]) {
    tenon_array* made[N] = {};
    try {
      for (size_t i = 0; i < N; ++i)
        if (outs_[i].out && arrays[i]) Out<tenon_array>(&made[i], outs_[i].what).set(std::move(arrays[i]));
    } catch (...) {
      for (tenon_array* array : made) release(array);
      throw;
    }
    for (size_t i = 0; i < N; ++i)
      if (outs_[i].out) *outs_[i].out = made[i];
  }

 private:
  NamedOut outs_[N];
};

// An array output that the caller may give (TENON_INOUT): If *out is NULL on entry, a new array is made, which the
// caller then owns; else the result is written into *out, and the handle does not change. `what` names the parameter;
// NULL is refused unless `nullable`.
class InOut : public ops::Output {
 public:
  InOut(tenon_array** out, const char* what, bool nullable = false)
      : Output(given_by(out, what, nullable), what, out != nullptr), out_(out), what_(what) {}

  void set(Ref<Array> result) { give({{this, std::move(result)}}); }

  // Several outputs, all or none. Throws OVERLAP when two given ones share memory: call it before the work starts.
  static void apart(std::initializer_list<const InOut*> outs) {
    for (auto a = outs.begin(); a != outs.end(); ++a)
      for (auto b = outs.begin(); b != a; ++b)
        TENON_REQUIRE(!(*a)->given() || !(*b)->given() || overlap(*(*a)->given(), *(*b)->given()) == Overlap::disjoint,
                      TENON_ERROR_OVERLAP, "%s shares memory with %s: each result needs its own memory", (*a)->what_,
                      (*b)->what_);
  }
  struct Result {
    InOut* out;
    Ref<Array> array;
  };
  static void give(std::initializer_list<Result> results) {
    std::array<tenon_array*, 4> made{};
    size_t count = 0;
    try {
      for (const Result& r : results) {
        tenon_array*& handle = made[count++];
        if (r.out->wanted() && !r.out->given() && r.array) Out<tenon_array>(&handle, r.out->what_).set(r.array);
      }
    } catch (...) {
      for (tenon_array* array : made) release(array);
      throw;
    }
    count = 0;
    for (const Result& r : results)
      if (tenon_array* handle = made[count++]) *r.out->out_ = handle;
  }

 private:
  static Array* given_by(tenon_array** out, const char* what, bool nullable) {
    TENON_REQUIRE(out || nullable, TENON_ERROR_INVALID_ARGUMENT,
                  "%s is NULL: it must point to NULL, or to the array to write into", what);
    return out && *out ? &get(*out, what) : nullptr;
  }

  tenon_array** out_;
  const char* what_;
};

template <class H> int32_t retain(const H* handle, const char* function) noexcept {
  return guard([&] { slot_retain(handle, HandleTraits<H>::kind); }, function);
}

template <class H> void release(H* handle) noexcept {
  using Held = typename HandleTraits<H>::Held;
  if (Object* object = slot_release(handle, HandleTraits<H>::kind)) static_cast<Held*>(object)->release();
}

template <class T> T& need(T* pointer, const char* what) {
  TENON_REQUIRE(pointer, TENON_ERROR_INVALID_ARGUMENT, "%s is NULL", what);
  return *pointer;
}

// A list that may be NULL when it is empty.
template <class T> std::span<T> need_list(T* list, int64_t count, const char* what) {
  TENON_REQUIRE(count >= 0, TENON_ERROR_INVALID_ARGUMENT, "the number of %s is %lld: it must not be negative", what,
                static_cast<long long>(count));
  TENON_REQUIRE(list || count == 0, TENON_ERROR_INVALID_ARGUMENT, "%s is NULL, but its count is %lld", what,
                static_cast<long long>(count));
  return {list, size_t(count)};
}

inline Extents need_shape(const int64_t* shape, int32_t rank, const char* what) {
  TENON_REQUIRE(rank >= 0 && rank <= TENON_MAX_RANK, TENON_ERROR_SHAPE, "rank %d is out of range: it must be 0 to %d",
                rank, TENON_MAX_RANK);
  return need_list(shape, rank, what);
}

inline bool yes_or_no(int32_t value, const char* what) {
  TENON_REQUIRE(value == 0 || value == 1, TENON_ERROR_INVALID_ARGUMENT, "%s is %d: it must be 0 or 1", what, value);
  return value == 1;
}

// A field of a shared option struct, for a function that does not use it.
inline void require_unused(int64_t value, const char* field) {
  TENON_REQUIRE(value == 0, TENON_ERROR_INVALID_ARGUMENT,
                "options->%s is %lld: this function does not use it, so it must be 0", field,
                static_cast<long long>(value));
}

// Parameter `index` of a kernel for the caller; throws INVALID_ARGUMENT.
tenon_parameter_info parameter_info(const Kernel& kernel, int32_t index);

// The context meant by a handle or NULL: the process default, made on first use and alive from then on.
Context& context_or_default(tenon_context* handle);

// A line in the log of the process-default context, or, before that is made, where its log would go.
void log_for_process(int32_t level, const char* text) noexcept;

}  // namespace api
}  // namespace tenon
