// core/array/dlpack.cpp: import and export of arrays by DLPack. Each check names the rule of the specification that it
// enforces.
#include "core/array/dlpack.hpp"

#include <tenon/dlpack.h>

#include <algorithm>

#include "core/array/copy.hpp"
#include "core/device/recording.hpp"

namespace tenon::dlpack {
namespace {

Dtype dtype_of(Type type) {
  const Dtype dtype = TENON_DTYPE(type.code, type.bits, type.lanes);
  TENON_REQUIRE(dtype_valid(dtype), TENON_ERROR_DTYPE,
                "the tensor's type (code %u, %u bits, %u lanes) is not one that Tenon supports", type.code, type.bits,
                type.lanes);
  return dtype;
}

struct DeviceAndKind {
  tenon::Device* device;
  int32_t kind;
};

// Where the memory is. CUDA addresses are looked up, because producers are known to mislabel managed and pinned memory.
DeviceAndKind place_of(Context& context, const Tensor& tensor, const void* address, bool empty) {
  const int32_t type = tensor.device.type, id = tensor.device.id;
  if (type == kCpu) return {&context.cpu(), TENON_MEMORY_DEVICE};
  const int32_t kind = type == kCuda          ? TENON_MEMORY_DEVICE
                       : type == kCudaHost    ? TENON_MEMORY_PINNED
                       : type == kCudaManaged ? TENON_MEMORY_MANAGED
                                              : -1;
  TENON_REQUIRE(
      kind >= 0, TENON_ERROR_DEVICE,
      "the tensor is on DLPack device type %d: Tenon takes CPU (1), CUDA (2), CUDA host (3) and CUDA managed memory "
      "(13)",
      type);
  tenon::Device* device;
  try {
    // Pinned and managed memory do not belong to a particular device; their id is often 0.
    device = &context.device(TENON_DEVICE_CUDA, kind == TENON_MEMORY_DEVICE ? id : std::max(id, 0));
  } catch (const Error&) {
    if (kind == TENON_MEMORY_DEVICE) throw;
    return {&context.cpu(), TENON_MEMORY_DEVICE};  // without CUDA, pinned memory is host memory
  }
  if (empty) return {device, kind};
  int32_t real_kind = kind, owner = device->index();
  const MemoryLocation where = device->locate(address, real_kind, owner);
  TENON_REQUIRE(where != MemoryLocation::host && where != MemoryLocation::unknown, TENON_ERROR_DEVICE,
                "the tensor is marked as CUDA memory, but %p is not a CUDA address", address);
  TENON_REQUIRE(kind != TENON_MEMORY_DEVICE || real_kind != TENON_MEMORY_DEVICE || owner == id, TENON_ERROR_DEVICE,
                "the tensor's device is cuda:%d, but its memory belongs to cuda:%d", id, owner);
  TENON_REQUIRE(kind == TENON_MEMORY_DEVICE || real_kind == kind, TENON_ERROR_DEVICE,
                "the tensor's device type is %d, but its memory is of another kind", type);
  return {&context.device(TENON_DEVICE_CUDA, owner), real_kind};
}

Ref<Array> import_tensor(Context& context, const Tensor& tensor, bool read_only, Stream* stream) {
  const Dtype dtype = dtype_of(tensor.dtype);
  TENON_REQUIRE(tensor.ndim >= 0 && tensor.ndim <= TENON_MAX_RANK, TENON_ERROR_SHAPE,
                "the tensor's rank is %d: it must be 0 to %d", tensor.ndim, TENON_MAX_RANK);
  TENON_REQUIRE(tensor.ndim == 0 || tensor.shape, TENON_ERROR_INVALID_ARGUMENT,
                "the tensor has rank %d, but its shape is NULL", tensor.ndim);
  Dims shape(tensor.ndim ? Extents(tensor.shape, size_t(tensor.ndim)) : Extents());
  const int64_t size = element_count(shape);
  const uint64_t bytes = packed_bytes(dtype, size);
  // NULL strides (before DLPack 1.2) mean C order. Strides of empty tensors and of axes of extent 1 have no meaning.
  Dims strides = c_strides(shape);
  bool in_order = true;
  if (tensor.strides && size > 0)
    for (int32_t i = 0; i < shape.size(); ++i)
      if (shape[i] != 1 && strides[i] != tensor.strides[i]) strides[i] = tensor.strides[i], in_order = false;

  TENON_REQUIRE(tensor.data || size == 0, TENON_ERROR_INVALID_ARGUMENT,
                "the tensor has %lld elements, but its data is NULL", static_cast<long long>(size));
  uint64_t address = 0;
  if (size > 0)
    TENON_REQUIRE(!__builtin_add_overflow(reinterpret_cast<uintptr_t>(tensor.data), tensor.byte_offset, &address),
                  TENON_ERROR_OVERFLOW, "the tensor's byte_offset %llu exceeds the address space",
                  static_cast<unsigned long long>(tensor.byte_offset));
  const DeviceAndKind place = place_of(context, tensor, reinterpret_cast<void*>(address), size == 0);

  // The buffer is the memory that the elements span, which begins before the first one if strides are negative.
  __int128 below = 0, above = bytes;
  if (!in_order) {
    __int128 low = 0, high = 0;
    for (int32_t i = 0; i < shape.size(); ++i) {
      const __int128 far = __int128(shape[i] - 1) * strides[i];
      (far < 0 ? low : high) += far;
    }
    const __int128 bits = dtype_bits(dtype);
    below = (-low * bits + 7) / 8, above = ((high + 1) * bits + 7) / 8;
  }
  TENON_REQUIRE(below <= address && above <= __int128(UINT64_MAX - address), TENON_ERROR_OVERFLOW,
                "shape %s with strides %s exceeds the address space", shape_text(shape).c_str(),
                shape_text(strides).c_str());
  Ref<Buffer> buffer = Buffer::wrap(*place.device, reinterpret_cast<void*>(address - uint64_t(below)),
                                    uint64_t(below + above), place.kind, read_only);
  if (stream) require_running(*stream, "an imported array is ready only after earlier work on a stream");
  Stream& ready = stream && &stream->device() == place.device ? *stream : stream_or_default(stream, *place.device);
  buffer->ready_on(ready);
  if (size) require_aligned(dtype, address);
  return Array::checked_view(std::move(buffer), dtype, std::move(shape), std::move(strides), uint64_t(below), size,
                             read_only);
}

// A tensor without a deleter is not looked at any more once it is imported.
template <class T> tenon_destroy_fn deleter_of(const T& tensor) {
  if (!tensor.deleter) return nullptr;
  return [](void* user) {
    T* self = static_cast<T*>(user);
    self->deleter(self);
  };
}

// What an exported tensor owns: one block that also has room for shape and strides.
template <class T> struct Exported {
  explicit Exported(Stream& lent_to) : context(&lent_to.device().context()), consumer(&lent_to) {}
  T tensor{};
  const Ref<Context> context;
  const Ref<Stream> consumer;  // the memory is lent to this stream until destroy
  bool stream_may_end = false;
  Ref<Array> array;
  int64_t* dims() { return reinterpret_cast<int64_t*>(this + 1); }

  static Exported* create(int32_t rank, Stream& consumer) {
    void* memory = ::operator new(sizeof(Exported) + 2 * sizeof(int64_t) * size_t(rank));
    return new (memory) Exported(consumer);
  }
  static void destroy(T* tensor) {
    auto* self = static_cast<Exported*>(tensor->manager);
    self->array->buffer().take_back(self->consumer.get(), !self->stream_may_end);
    self->~Exported();
    ::operator delete(self);
  }
};

Device device_of(const Buffer& buffer) {
  const tenon::Device& device = buffer.device();
  if (device.on_host()) return {kCpu, 0};
  const int32_t type = buffer.kind() == TENON_MEMORY_PINNED    ? kCudaHost
                       : buffer.kind() == TENON_MEMORY_MANAGED ? kCudaManaged
                                                               : kCuda;
  return {type, device.index()};
}

// The array to export: the array itself, or a copy if requested or needed.
Ref<Array> to_hand_out(const Array& array, uint32_t flags, Stream* stream, bool& copied) {
  TENON_REQUIRE((flags & ~(TENON_DLPACK_COPY | TENON_DLPACK_STREAM_MAY_END | TENON_DLPACK_NEVER_COPY)) == 0,
                TENON_ERROR_INVALID_ARGUMENT,
                "flags 0x%x have unknown bits: use TENON_DLPACK_COPY, _STREAM_MAY_END and _NEVER_COPY", flags);
  TENON_REQUIRE(!(flags & TENON_DLPACK_COPY) || !(flags & TENON_DLPACK_NEVER_COPY), TENON_ERROR_INVALID_ARGUMENT,
                "TENON_DLPACK_COPY and TENON_DLPACK_NEVER_COPY contradict each other");
  // Consumers abort on negative strides, so such arrays are copied. The stride of an axis of one element has no
  // meaning.
  bool reversed = false;
  for (int32_t i = 0; i < array.rank(); ++i) reversed = reversed || (array.shape()[i] > 1 && array.strides()[i] < 0);
  reversed = reversed && array.size();
  TENON_REQUIRE(!reversed || !(flags & TENON_DLPACK_NEVER_COPY), TENON_ERROR_LAYOUT,
                "an array with negative strides, %s, cannot be exported without a copy: leave TENON_DLPACK_NEVER_COPY "
                "out, or export a view without them",
                shape_text(array.strides()).c_str());
  copied = (flags & TENON_DLPACK_COPY) || reversed;
  TENON_REQUIRE(!stream || &stream->device().context() == &array.context(), TENON_ERROR_CONTEXT,
                "the stream belongs to another context");
  if (!copied) return Ref<Array>(const_cast<Array*>(&array));
  tenon::Device& device = array.device();
  return convert(array, array.dtype(), device, stream && &stream->device() == &device ? stream : nullptr);
}

// Orders the consumer's stream behind our work on the array. NULL: the consumer needs no stream, because the memory is
// host memory.
Stream* consumer_of(const Array& array, Stream* stream) {
  Buffer& buffer = array.buffer();
  if (!buffer.device().on_host() && buffer.kind() != TENON_MEMORY_PINNED)
    return &stream_or_default(stream, buffer.device());
  if (stream && buffer.reachable_from(stream->device())) return stream;
  return &array.context().cpu().default_stream();
}

template <class T> T* export_as(Ref<Array> array, uint32_t flags, Stream* stream) {
  Buffer& buffer = array->buffer();
  Stream* const consumer = consumer_of(*array, stream);
  const int32_t rank = array->rank();
  auto* out = Exported<T>::create(rank, *consumer);
  out->stream_may_end = flags & TENON_DLPACK_STREAM_MAY_END;
  int64_t* shape = out->dims();
  int64_t* strides = shape + rank;
  const Dims canonical = c_strides(array->shape());
  for (int32_t i = 0; i < rank; ++i) {
    shape[i] = array->shape()[i];
    strides[i] = array->size() == 0 || shape[i] == 1 ? canonical[i] : array->strides()[i];
  }
  const Dtype dtype = array->dtype();
  Tensor& tensor = out->tensor.tensor;
  tensor.data = array->size() ? array->data() : nullptr;
  tensor.device = device_of(buffer);
  tensor.ndim = rank;
  tensor.dtype = {uint8_t(dtype_code(dtype)), uint8_t(dtype_lane_bits(dtype)), uint16_t(dtype_lanes(dtype))};
  tensor.shape = rank ? shape : nullptr;
  tensor.strides = rank ? strides : nullptr;
  tensor.byte_offset = 0;
  out->tensor.manager = out;
  out->tensor.deleter = [](T* self) { Exported<T>::destroy(self); };
  out->array = std::move(array);
  try {
    buffer.lend(consumer);
    // The host's work is done, and the consumer will not wait for it: deferred errors must be reported now.
    if (consumer->device().on_host()) consumer->deferred_errors().throw_pending();
  } catch (...) {
    Exported<T>::destroy(&out->tensor);
    throw;
  }
  return &out->tensor;
}

}  // namespace

Imported import_legacy(Context& context, Managed* tensor, bool read_only, Stream* stream) {
  TENON_REQUIRE(tensor, TENON_ERROR_INVALID_ARGUMENT, "the tensor is NULL");
  return {import_tensor(context, tensor->tensor, read_only, stream), deleter_of(*tensor), tensor};
}

Imported import_versioned(Context& context, Versioned* tensor, Stream* stream) {
  TENON_REQUIRE(tensor, TENON_ERROR_INVALID_ARGUMENT, "the tensor is NULL");
  TENON_REQUIRE(tensor->major == kMajor, TENON_ERROR_VERSION,
                "the tensor has DLPack version %u.%u: only version %u.x can be imported", tensor->major, tensor->minor,
                kMajor);
  TENON_REQUIRE(!(tensor->flags & kSubBytePadded) || tensor->tensor.dtype.bits >= 8, TENON_ERROR_UNSUPPORTED,
                "the tensor pads each element of %u bits to a byte: Tenon keeps them packed",
                tensor->tensor.dtype.bits);
  return {import_tensor(context, tensor->tensor, tensor->flags & kReadOnly, stream), deleter_of(*tensor), tensor};
}

Managed* export_legacy(const Array& array, uint32_t flags, Stream* stream) {
  bool copied;
  Ref<Array> out = to_hand_out(array, flags, stream, copied);
  TENON_REQUIRE(
      !out->read_only(), TENON_ERROR_READ_ONLY,
      "the array is read-only, which the legacy DLPack struct cannot express: export the versioned struct, or a copy");
  return export_as<Managed>(std::move(out), flags, stream);
}

Versioned* export_versioned(const Array& array, uint32_t flags, Stream* stream) {
  bool copied;
  Ref<Array> out = to_hand_out(array, flags, stream, copied);
  const bool read_only = out->read_only();
  Versioned* tensor = export_as<Versioned>(std::move(out), flags, stream);
  tensor->major = kMajor;
  tensor->minor = kMinor;
  tensor->flags = (read_only ? kReadOnly : 0) | (copied ? kIsCopied : 0);
  return tensor;
}

}  // namespace tenon::dlpack
