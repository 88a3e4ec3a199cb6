/* abi/torch/memory.cpp: PyTorch's caching allocator of CUDA memory as an allocator of Tenon.
 *
 * It allocates on PyTorch's current stream, which is set to the stream of the request for that long. A block returns to
 * the pool of that stream, whatever stream it is freed on. That is enough: Tenon frees a block on the stream that it
 * was allocated on, or when no work uses it any more. */
#include <dlfcn.h>

#include <atomic>
#include <mutex>

#include "shim.hpp"
#include "tenon_torch.h"

namespace tenon_torch {

const CudaTorch* cuda_torch(std::string* missing) {
  static std::atomic<const CudaTorch*> known{nullptr};
  static std::mutex mutex;
  if (const CudaTorch* found = known.load(std::memory_order_acquire)) return found;
  std::lock_guard lock(mutex);
  if (const CudaTorch* found = known.load(std::memory_order_acquire)) return found;
  static CudaTorch found;
  // Python opens LibTorch for itself alone, so its symbols are not among the process's.
  void* library = dlopen("libtorch_cuda.so", RTLD_NOLOAD | RTLD_LAZY);
  if (!library) {
    *missing =
        "this process has not loaded LibTorch's part for CUDA (libtorch_cuda.so): a build of PyTorch with CUDA is "
        "needed";
    return nullptr;
  }
#define TENON_FIND(name, result, parameters)                                                               \
  found.name = reinterpret_cast<result(*) parameters>(dlsym(library, "aoti_torch_" #name));                \
  if (!found.name) {                                                                                       \
    *missing = "the LibTorch of this process has no aoti_torch_" #name ": PyTorch 2.9 or later is needed"; \
    return nullptr;                                                                                        \
  }
  TENON_TORCH_CUDA_FUNCTIONS(TENON_FIND)
#undef TENON_FIND
  known.store(&found, std::memory_order_release);
  return &found;
}

namespace {

int32_t allocate(void*, int32_t device_kind, int32_t device_index, uint64_t bytes, uint64_t stream, void** out_data) {
  const CudaTorch* const memory = cuda_torch(nullptr); /* found before an allocator is handed out */
  constexpr uint64_t legacy = 1;                       /* CU_STREAM_LEGACY, which PyTorch knows as 0 */
  if (device_kind != TENON_DEVICE_CUDA) return 1;
  void *guard = nullptr, *data = nullptr;
  if (memory->create_cuda_stream_guard(reinterpret_cast<void*>(stream == legacy ? 0 : stream), device_index, &guard))
    return 1;
  int32_t failed = memory->cuda_caching_allocator_raw_alloc(bytes, &data);
  memory->delete_cuda_stream_guard(guard);
  if (failed || !data) return 1;
  *out_data = data;
  return 0;
}

void deallocate(void*, int32_t, int32_t, void* data, uint64_t, uint64_t) {
  cuda_torch(nullptr)->cuda_caching_allocator_raw_delete(data);
}

}  // namespace
}  // namespace tenon_torch

int32_t tenon_torch_allocator(tenon_allocator* out_allocator) {
  using namespace tenon_torch;
  try {
    if (!out_allocator || out_allocator->struct_size < sizeof *out_allocator)
      return fail(TENON_ERROR_INVALID_ARGUMENT,
                  "tenon_torch_allocator takes a tenon_allocator whose struct_size is set");
    std::string missing;
    if (!cuda_torch(&missing)) return fail(TENON_ERROR_MISSING_LIBRARY, missing);
    *out_allocator = {};
    out_allocator->struct_size = sizeof *out_allocator;
    out_allocator->allocate = allocate;
    out_allocator->deallocate = deallocate;
    return TENON_OK;
  } catch (const std::exception&) {
    return TENON_ERROR_OUT_OF_MEMORY;
  }
}
