// api/slot.hpp: what handles are. A handle is a slot in a slab that is never unmapped; its tag is cleared when the last
// reference is released, so that a stale or foreign pointer is recognised until the slot is reused, which takes a
// long time.
#pragma once
#include <atomic>
#include "core/error.hpp"
#include "core/object.hpp"

namespace tenon::api {

// One row per handle type of the public headers: enum name, C type, object type.
#define TENON_HANDLES(X)                         \
  X(blob, tenon_blob, Blob)                      \
  X(error, tenon_error, ErrorObject)             \
  X(context, tenon_context, Context)             \
  X(device, tenon_device, DeviceObject)          \
  X(stream, tenon_stream, Stream)                \
  X(event, tenon_event, EventObject)             \
  X(buffer, tenon_buffer, Buffer)                \
  X(array, tenon_array, Array)                   \
  X(program, tenon_program, Program)             \
  X(kernel, tenon_kernel, Kernel)                \
  X(call, tenon_call, BoundCall)                 \
  X(compilation, tenon_compilation, Compilation) \
  X(elementwise, tenon_elementwise, Elementwise) \
  X(reduction, tenon_reduction, Reduction)       \
  X(scan, tenon_scan, Scan)                      \
  X(graph, tenon_graph, Graph)                   \
  X(package, tenon_package, PackageObject)       \
  X(operation, tenon_operation, Operation)       \
  X(texture, tenon_texture, Texture)

enum class HandleKind : uint32_t {
  none = 0,
#define X(name, type, object) name,
  TENON_HANDLES(X)
#undef X
      count
};

const char* handle_kind_name(HandleKind kind);

struct alignas(32) Slot {
  std::atomic<uint64_t> tag{0};  // while alive: the copy of the library and the kind
  std::atomic<uint32_t> count{0};
  uint32_t fork_generation = 0;
  Object* object = nullptr;
  Slot* next_free = nullptr;
};

Slot* slot_create(HandleKind kind, Object* adopted);  // throws bad_alloc; then the object is still the caller's
Object* slot_peek(const void* handle, HandleKind kind) noexcept;  // NULL instead of an exception
Object* slot_object(const void* handle, HandleKind kind,
                    const char* what);                  // throws INVALID_ARGUMENT, INVALID_HANDLE, FORKED
void slot_retain(const void* handle, HandleKind kind);  // throws likewise
// Takes NULL and never throws. Returns the object, with its reference, if this was the last reference to the handle,
// else NULL. An invalid handle is logged, because a release returns no status.
Object* slot_release(void* handle, HandleKind kind) noexcept;
HandleKind slot_kind(const void* handle, const char* what);  // throws like slot_object
HandleKind slot_live_kind(const void* handle) noexcept;      // of this copy, inherited over fork() too; none where
                                                             // it is not live
void note_bad_release(const void* handle, HandleKind kind) noexcept;

// Incremented in the child of fork(): handles of another generation give FORKED.
uint32_t fork_generation() noexcept;

}  // namespace tenon::api
