// core/array/dlpack.hpp: Tenon's declarations of DLPack's structs (specification 1.3), import and export.
#pragma once
#include <cstddef>
#include "core/array/array.hpp"

namespace tenon::dlpack {

struct Device {
  int32_t type, id;
};
struct Type {
  uint8_t code, bits;
  uint16_t lanes;
};
struct Tensor {
  void* data;
  Device device;
  int32_t ndim;
  Type dtype;
  int64_t* shape;
  int64_t* strides;
  uint64_t byte_offset;
};
struct Managed {
  Tensor tensor;
  void* manager;
  void (*deleter)(Managed*);
};
struct Versioned {
  uint32_t major, minor;
  void* manager;
  void (*deleter)(Versioned*);
  uint64_t flags;
  Tensor tensor;
};
static_assert(sizeof(Tensor) == 48 && offsetof(Tensor, shape) == 24 && offsetof(Tensor, byte_offset) == 40);
static_assert(sizeof(Managed) == 64 && offsetof(Managed, deleter) == 56);
static_assert(sizeof(Versioned) == 80 && offsetof(Versioned, flags) == 24 && offsetof(Versioned, tensor) == 32);

constexpr uint64_t kReadOnly = 1, kIsCopied = 2, kSubBytePadded = 4;
constexpr int32_t kCpu = 1, kCuda = 2, kCudaHost = 3, kCudaManaged = 13;
constexpr uint32_t kMajor = 1, kMinor = 1;

// An array over a tensor's memory that does not own it yet: the caller's last step is buffer().take_over(destroy,
// user).
struct Imported {
  Ref<Array> array;
  tenon_destroy_fn destroy;
  void* user;
};
Imported import_legacy(Context& context, Managed* tensor, bool read_only, Stream* stream);
Imported import_versioned(Context& context, Versioned* tensor, Stream* stream);

Managed* export_legacy(const Array& array, uint32_t flags, Stream* stream);
Versioned* export_versioned(const Array& array, uint32_t flags, Stream* stream);

}  // namespace tenon::dlpack
