// api/handle.cpp: what works for handles of every kind.
#include "api/guard.hpp"

using namespace tenon;
using namespace tenon::api;

namespace {

#define X(type, constant) static_assert(int32_t(HandleTraits<type>::kind) == constant);
#include "api/generated_handles.inc"
#undef X

// The identity that two handles of the same object share.
const void* identity(const void* handle, HandleKind kind, const char* what) {
  const Object* object = slot_object(handle, kind, what);
  switch (kind) {
    case HandleKind::device: return &static_cast<const DeviceObject*>(object)->device;
    case HandleKind::event: return static_cast<const EventObject*>(object)->event.get();
    default: return object;
  }
}

// Packages are shared between contexts, so their handles are the same only if the contexts are, too.
bool same_package(const void* a, const void* b) {
  const auto& x = get(static_cast<const tenon_package*>(a), "a");
  const auto& y = get(static_cast<const tenon_package*>(b), "b");
  return x.context.get() == y.context.get() && x.package.get() == y.package.get();
}

}  // namespace

int32_t tenon_handle_kind(const void* handle, int32_t* out_kind) {
  return guard([&] {
    const HandleKind kind = slot_kind(handle, "handle");
    need(out_kind, "out_kind") = int32_t(kind);
  });
}
int32_t tenon_retain(const void* handle) {
  return guard([&] { slot_retain(handle, slot_kind(handle, "handle")); });
}
void tenon_release(void* handle) {
  if (!handle) return;
  switch (slot_live_kind(handle)) {
#define X(type, constant) \
  case HandleKind(constant): return type##_release(static_cast<type*>(handle));
#include "api/generated_handles.inc"
#undef X
    default: return note_bad_release(handle, HandleKind::none);
  }
}
int32_t tenon_same(const void* a, const void* b, int32_t* out_same) {
  return guard([&] {
    const HandleKind kind = slot_kind(a, "a"), other = slot_kind(b, "b");
    need(out_same, "out_same");
    if (kind != other) *out_same = 0;
    else if (kind == HandleKind::package) *out_same = same_package(a, b);
    else *out_same = identity(a, kind, "a") == identity(b, kind, "b");
  });
}
