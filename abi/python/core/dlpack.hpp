/* abi/python/core/dlpack.hpp: DLPack 1.3 in our own words, as far as the module needs it. */
#pragma once

#include <cstdint>

struct DLManagedTensorVersioned;

namespace tenon_python {

struct Tensor {
  void* data;
  int32_t device_type, device_id, ndim;
  uint8_t code, bits;
  uint16_t lanes;
  int64_t *shape, *strides;
  uint64_t byte_offset;
};

struct LegacyTensor {
  Tensor tensor;
  void* manager_context;
  void (*deleter)(LegacyTensor* self);
};

struct VersionedTensor {
  uint32_t major, minor;
  void* manager_context;
  void (*deleter)(VersionedTensor* self);
  uint64_t flags;
  Tensor tensor;
};

static_assert(sizeof(Tensor) == 48 && sizeof(LegacyTensor) == 64 && sizeof(VersionedTensor) == 80);

enum : int32_t { dl_cpu = 1, dl_cuda = 2, dl_cuda_host = 3, dl_cuda_managed = 13 };

/* The table that a class offers as __dlpack_c_exchange_api__, in a capsule of the name "dlpack_exchange_api". All are
 * called with the GIL held; on failure a Python exception is set and -1 returned. */
struct ExchangeTable {
  uint32_t major, minor;
  const ExchangeTable* previous;
  int (*allocate)(void* prototype, DLManagedTensorVersioned** out, void* context,
                  void (*set_error)(void* context, const char* kind, const char* message));
  int (*from_object)(void* object, DLManagedTensorVersioned** out);
  int (*to_object)(DLManagedTensorVersioned* tensor, void** out);
  int (*view)(void* object, Tensor* out);
  int (*work_stream)(int32_t device_type, int32_t device_id, void** out);
};

}  // namespace tenon_python
