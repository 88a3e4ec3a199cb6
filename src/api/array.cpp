// api/array.cpp: buffers and arrays.
#include "api/arguments.hpp"
#include "core/array/copy.hpp"

using namespace tenon;
using namespace tenon::api;

namespace {

Ref<Array> create(tenon_device* device, uint32_t dtype, int32_t rank, const int64_t* shape, tenon_stream* stream) {
  Device& self = get(device, "device").device;
  Stream& on = stream_or_default(get_or_null(stream, "stream"), self);
  return Array::create(self, dtype, need_shape(shape, rank, "shape"), on);
}

// For views that need a list with an entry per axis.
void require_rank(const Array& array, int32_t rank) {
  TENON_REQUIRE(rank == array.rank(), TENON_ERROR_INVALID_ARGUMENT, "rank is %d, but the array has rank %d", rank,
                array.rank());
}

// Creates a buffer over shared memory; if that fails, gives the memory back.
Ref<Buffer> shared(Device& device, const SharedMemory& memory, bool made_here) {
  Ref<Buffer> buffer;
  try {
    buffer = Buffer::wrap(device, memory.data, memory.key.bytes, TENON_MEMORY_DEVICE, false);
    buffer->set_key(memory.key, made_here);
  } catch (...) {
    memory.destroy(memory.user);
    throw;
  }
  buffer->take_over(memory.destroy, memory.user);
  return buffer;
}

}  // namespace

int32_t tenon_buffer_create(tenon_device* device, uint64_t bytes, int32_t kind, tenon_stream* stream,
                            tenon_buffer** out_buffer) {
  return guard([&] {
    Out out(out_buffer, "out_buffer");
    Device& self = get(device, "device").device;
    if (const int32_t status = lost(self)) return status;
    Stream& on = stream_or_default(get_or_null(stream, "stream"), self);
    TENON_REQUIRE(kind >= TENON_MEMORY_DEVICE && kind <= TENON_MEMORY_MANAGED, TENON_ERROR_INVALID_ARGUMENT,
                  "kind %d is not one of TENON_MEMORY_*", kind);
    TENON_REQUIRE(bytes <= uint64_t(INT64_MAX), TENON_ERROR_OVERFLOW, "%llu bytes are more than 2^63",
                  static_cast<unsigned long long>(bytes));
    out.set(Buffer::create(self, bytes, kind, on));
    return TENON_OK;
  });
}
int32_t tenon_buffer_wrap(tenon_device* device, void* data, uint64_t bytes, int32_t kind, int32_t read_only,
                          tenon_stream* stream, tenon_destroy_fn destroy, void* user, tenon_buffer** out_buffer) {
  return guard([&] {
    Out out(out_buffer, "out_buffer");
    Device& self = get(device, "device").device;
    TENON_REQUIRE(data || bytes == 0, TENON_ERROR_INVALID_ARGUMENT, "data is NULL, with %llu bytes",
                  static_cast<unsigned long long>(bytes));
    TENON_REQUIRE(kind >= TENON_MEMORY_DEVICE && kind <= TENON_MEMORY_MANAGED, TENON_ERROR_INVALID_ARGUMENT,
                  "kind %d is not one of TENON_MEMORY_*", kind);
    TENON_REQUIRE(read_only == 0 || read_only == 1, TENON_ERROR_INVALID_ARGUMENT, "read_only is %d: 0 or 1", read_only);
    uintptr_t end;
    TENON_REQUIRE(!__builtin_add_overflow(reinterpret_cast<uintptr_t>(data), bytes, &end), TENON_ERROR_OVERFLOW,
                  "%llu bytes at %p exceed the address space", static_cast<unsigned long long>(bytes), data);
    if (self.on_host()) {
      TENON_REQUIRE(kind == TENON_MEMORY_DEVICE, TENON_ERROR_UNSUPPORTED,
                    "pinned and managed memory belong to a CUDA device, not to %s", self.name().c_str());
    } else if (bytes) {
      int32_t real_kind = kind, owner = self.index();
      const MemoryLocation where = self.locate(data, real_kind, owner);
      TENON_REQUIRE(where != MemoryLocation::host && where != MemoryLocation::unknown, TENON_ERROR_DEVICE,
                    "%p is not a CUDA address", data);
      TENON_REQUIRE(real_kind == kind, TENON_ERROR_DEVICE, "%p is CUDA memory of kind %d, not %d", data, real_kind,
                    kind);
      TENON_REQUIRE(kind != TENON_MEMORY_DEVICE || owner == self.index(), TENON_ERROR_DEVICE,
                    "%p is memory of cuda:%d, not of %s", data, owner, self.name().c_str());
    }
    Stream* const given = get_or_null(stream, "stream");
    if (given) require_running(*given, "memory is ready only after earlier work on a stream");
    TENON_REQUIRE(!given || &given->device().context() == &self.context(), TENON_ERROR_CONTEXT,
                  "the stream belongs to another context");
    Ref<Buffer> buffer = Buffer::wrap(self, data, bytes, kind, read_only);
    buffer->ready_on(given ? *given : stream_or_default(nullptr, self));
    Buffer& owned = *buffer;
    out.set(std::move(buffer));
    owned.take_over(destroy, user);
  });
}
int32_t tenon_buffer_create_shared(tenon_device* device, uint64_t bytes, tenon_buffer** out_buffer) {
  return guard([&] {
    Out out(out_buffer, "out_buffer");
    Device& self = get(device, "device").device;
    if (const int32_t status = lost(self)) return status;
    TENON_REQUIRE(bytes, TENON_ERROR_INVALID_ARGUMENT, "bytes is 0: shared memory must have at least one byte");
    TENON_REQUIRE(bytes <= uint64_t(INT64_MAX), TENON_ERROR_OVERFLOW, "%llu bytes are more than 2^63",
                  static_cast<unsigned long long>(bytes));
    out.set(shared(self, self.make_shared(bytes), true));
    return TENON_OK;
  });
}
int32_t tenon_buffer_share(const tenon_buffer* buffer, tenon_blob** out_key) {
  return guard([&] {
    Out out(out_key, "out_key");
    const SharedKey* key = get(buffer, "buffer").key();
    TENON_REQUIRE(key, TENON_ERROR_UNSUPPORTED,
                  "only memory of tenon_buffer_create_shared can be opened by other processes");
    out.set(make<Blob>(std::string(reinterpret_cast<const char*>(key), sizeof *key)));
  });
}
int32_t tenon_buffer_open(tenon_device* device, const void* key, uint64_t size, tenon_buffer** out_buffer) {
  return guard([&] {
    Out out(out_buffer, "out_buffer");
    Device& self = get(device, "device").device;
    if (const int32_t status = lost(self)) return status;
    TENON_REQUIRE(key, TENON_ERROR_INVALID_ARGUMENT, "key is NULL");
    out.set(shared(self, self.open_shared(read_key(key, size, self.kind())), false));
    return TENON_OK;
  });
}
int32_t tenon_buffer_data(const tenon_buffer* buffer, void** out_data, uint64_t* out_bytes) {
  return guard([&] {
    Buffer& self = get(buffer, "buffer");
    need(out_data, "out_data");
    need(out_bytes, "out_bytes");
    *out_data = self.data();
    *out_bytes = self.bytes();
  });
}
int32_t tenon_buffer_device(const tenon_buffer* buffer, tenon_device** out_device) {
  return give_device(out_device, [&]() -> Device& { return get(buffer, "buffer").device(); });
}
int32_t tenon_buffer_retain(const tenon_buffer* buffer) { return retain(buffer); }
void tenon_buffer_release(tenon_buffer* buffer) { release(buffer); }

int32_t tenon_array_create(tenon_device* device, uint32_t dtype, int32_t rank, const int64_t* shape,
                           tenon_stream* stream, tenon_array** out_array) {
  return guard([&] {
    Out out(out_array, "out_array");
    if (const int32_t status = lost(get(device, "device").device)) return status;
    out.set(create(device, dtype, rank, shape, stream));
    return TENON_OK;
  });
}
int32_t tenon_array_zeros(tenon_device* device, uint32_t dtype, int32_t rank, const int64_t* shape,
                          tenon_stream* stream, tenon_array** out_array) {
  return guard([&] {
    Out out(out_array, "out_array");
    if (const int32_t status = lost(get(device, "device").device)) return status;
    Ref<Array> array = create(device, dtype, rank, shape, stream);
    fill(*array, 0, 0, get_or_null(stream, "stream"));
    out.set(std::move(array));
    return TENON_OK;
  });
}
int32_t tenon_array_from_host(tenon_device* device, uint32_t dtype, int32_t rank, const int64_t* shape,
                              const void* data, uint64_t bytes, tenon_stream* stream, tenon_array** out_array) {
  return guard([&] {
    Out out(out_array, "out_array");
    if (const int32_t status = lost(get(device, "device").device)) return status;
    Ref<Array> array = create(device, dtype, rank, shape, stream);
    from_host(*array, data, bytes, get_or_null(stream, "stream"));
    out.set(std::move(array));
    return TENON_OK;
  });
}
int32_t tenon_array_from_buffer(tenon_buffer* buffer, uint32_t dtype, int32_t rank, const int64_t* shape,
                                const int64_t* strides, uint64_t byte_offset, tenon_array** out_array) {
  return guard([&] {
    Out out(out_array, "out_array");
    Buffer& self = get(buffer, "buffer");
    const Extents extents = need_shape(shape, rank, "shape");
    element_count(extents);
    Dims steps = strides ? Dims(Extents(strides, size_t(rank))) : c_strides(extents);
    out.set(Array::view(Ref<Buffer>(&self), dtype, Dims(extents), std::move(steps), byte_offset));
  });
}
int32_t tenon_array_retain(const tenon_array* array) { return retain(array); }
void tenon_array_release(tenon_array* array) { release(array); }

int32_t tenon_array_get_info(const tenon_array* array, tenon_array_info* out_info) {
  return guard([&] {
    const Array& self = get(array, "array");
    tenon_array_info info{};
    info.dtype = self.dtype();
    info.rank = self.rank();
    info.flags = (self.c_contiguous() ? TENON_ARRAY_C_CONTIGUOUS : 0) |
                 (is_f_contiguous(self.shape(), self.strides()) ? TENON_ARRAY_F_CONTIGUOUS : 0) |
                 (self.read_only() ? TENON_ARRAY_READ_ONLY : 0);
    info.data = self.data();
    info.shape = self.shape().data();
    info.strides = self.strides().data();
    info.size = self.size();
    info.bytes = self.bytes();
    info.device_kind = self.device().kind();
    info.device_index = self.device().index();
    info.memory_kind = self.buffer().kind();
    info_to(out_info, info, "out_info");
  });
}
int32_t tenon_array_device(const tenon_array* array, tenon_device** out_device) {
  return give_device(out_device, [&]() -> Device& { return get(array, "array").device(); });
}
int32_t tenon_array_buffer(const tenon_array* array, tenon_buffer** out_buffer) {
  return guard([&] {
    Out out(out_buffer, "out_buffer");
    out.set(Ref<Buffer>(&get(array, "array").buffer()));
  });
}

int32_t tenon_array_use(tenon_array* array, int32_t access, tenon_stream* stream) {
  return guard([&] {
    Array& self = get(array, "array");
    if (const int32_t status = lost(self.device())) return status;
    Stream& on = stream_or_default(get_or_null(stream, "stream"), self.device());
    TENON_REQUIRE(access == TENON_ACCESS_READ || access == TENON_ACCESS_WRITE, TENON_ERROR_INVALID_ARGUMENT,
                  "access is %d: it must be TENON_ACCESS_READ (1) or TENON_ACCESS_WRITE (2)", access);
    const bool write = access == TENON_ACCESS_WRITE;
    TENON_REQUIRE(!write || !self.read_only(), TENON_ERROR_READ_ONLY,
                  "the array is read-only (imported as read-only, or a broadcast view)");
    require_running(on, "work that other code puts on the stream cannot be recorded");
    TENON_REQUIRE(&on.device().context() == &self.context(), TENON_ERROR_CONTEXT,
                  "the stream belongs to another context");
    TENON_REQUIRE(on.device().kind() == self.device().kind() || self.buffer().reachable_from(on.device()),
                  TENON_ERROR_DEVICE, "the array is on %s, which the stream's device, %s, cannot access",
                  self.device().name().c_str(), on.device().name().c_str());
    self.buffer().use(on, write);
    return TENON_OK;
  });
}

int32_t tenon_array_reshape(const tenon_array* array, int32_t rank, const int64_t* shape, tenon_array** out_array) {
  return guard([&] {
    Out out(out_array, "out_array");
    const Array& self = get(array, "array");
    out.set(self.reshape(need_shape(shape, rank, "shape")));
  });
}
int32_t tenon_array_transpose(const tenon_array* array, int32_t rank, const int32_t* axes, tenon_array** out_array) {
  return guard([&] {
    Out out(out_array, "out_array");
    const Array& self = get(array, "array");
    require_rank(self, rank);
    out.set(self.transpose(axes ? std::span(axes, size_t(rank)) : std::span<const int32_t>()));
  });
}
int32_t tenon_array_slice(const tenon_array* array, int32_t rank, const int64_t* starts, const int64_t* stops,
                          const int64_t* steps, tenon_array** out_array) {
  return guard([&] {
    Out out(out_array, "out_array");
    const Array& self = get(array, "array");
    require_rank(self, rank);
    out.set(self.slice(starts, stops, steps));
  });
}
int32_t tenon_array_index(const tenon_array* array, int32_t axis, int64_t index, tenon_array** out_array) {
  return guard([&] {
    Out out(out_array, "out_array");
    out.set(get(array, "array").index(axis, index));
  });
}
int32_t tenon_array_broadcast(const tenon_array* array, int32_t rank, const int64_t* shape, tenon_array** out_array) {
  return guard([&] {
    Out out(out_array, "out_array");
    const Array& self = get(array, "array");
    out.set(self.broadcast(need_shape(shape, rank, "shape")));
  });
}
int32_t tenon_array_view(const tenon_array* array, uint32_t dtype, tenon_array** out_array) {
  return guard([&] {
    Out out(out_array, "out_array");
    out.set(get(array, "array").reinterpret(dtype));
  });
}

int32_t tenon_array_copy(tenon_array* destination, const tenon_array* source, tenon_stream* stream) {
  return guard([&] {
    Array& to = get(destination, "destination");
    if (const int32_t status = lost(to.device())) return status;
    if (const int32_t status = lost(get(source, "source").device())) return status;
    copy(to, get(source, "source"), get_or_null(stream, "stream"));
    return TENON_OK;
  });
}
int32_t tenon_array_fill(tenon_array* array, const tenon_arg* value, tenon_stream* stream) {
  return guard([&] {
    Array& self = get(array, "array");
    if (const int32_t status = lost(self.device())) return status;
    fill(self, scalar_from(need(value, "value"), "value"), "value", get_or_null(stream, "stream"));
    return TENON_OK;
  });
}
int32_t tenon_array_convert(const tenon_array* source, uint32_t dtype, tenon_device* device, tenon_stream* stream,
                            tenon_array** out_array) {
  return guard([&] {
    Out out(out_array, "out_array");
    const Array& self = get(source, "source");
    if (const int32_t status = lost(self.device())) return status;
    DeviceObject* target = get_or_null(device, "device");
    out.set(convert(self, dtype, target ? target->device : self.device(), get_or_null(stream, "stream")));
    return TENON_OK;
  });
}
int32_t tenon_array_to_host(const tenon_array* array, void* data, uint64_t bytes, tenon_stream* stream) {
  return guard([&] {
    const Array& self = get(array, "array");
    if (const int32_t status = lost(self.device())) return status;
    Stream* given = get_or_null(stream, "stream");
    to_host(self, data, bytes, given);
    stream_or_default(given && &given->device() == &self.device() ? given : nullptr, self.device())
        .deferred_errors()
        .throw_pending();
    return TENON_OK;
  });
}
int32_t tenon_array_set_from_host(tenon_array* array, const void* data, uint64_t bytes, tenon_stream* stream) {
  return guard([&] {
    Array& self = get(array, "array");
    if (const int32_t status = lost(self.device())) return status;
    from_host(self, data, bytes, get_or_null(stream, "stream"));
    return TENON_OK;
  });
}
