// backend/cuda/memory/shared.cpp: device memory that other processes can open, by CUDA's IPC.
#include <cstring>
#include "backend/cuda/device.hpp"

namespace tenon::cuda {
namespace {

static_assert(sizeof(CUipcMemHandle) == sizeof(SharedKey::handle));

// The driver packs small allocations into blocks of this size and shares whole blocks, so shared memory gets blocks of
// its own.
constexpr uint64_t kBlock = uint64_t(2) << 20;

struct Held {
  CudaDevice* device;  // outlives its memory
  CUdeviceptr data;
  uint64_t bytes;  // taken from the device; 0: opened, made by another process
};

void end_shared(void* user) {
  const std::unique_ptr<Held> held(static_cast<Held*>(user));
  CudaDevice& device = *held->device;
  if (held->bytes) device.untake_shared(held->bytes);
  if (!device.usable()) return;
  const RelaxedMode relaxed(device.table());
  Scope scope = device.try_activate();
  device.note(held->bytes ? device.table().cuMemFree(held->data) : device.table().cuIpcCloseMemHandle(held->data));
}

}  // namespace

SharedMemory CudaDevice::make_shared(uint64_t bytes) {
  const Driver& driver = this->driver();
  const RelaxedMode relaxed(driver);
  Scope scope = activate();
  auto held = std::make_unique<Held>(Held{this, 0, (bytes + kBlock - 1) / kBlock * kBlock});
  held->data = reinterpret_cast<CUdeviceptr>(take_shared(held->bytes));
  CUresult result;
  SharedKey key = make_key(TENON_DEVICE_CUDA, bytes);
  CUuuid uuid{};
  CUipcMemHandle handle{};
  const char* call = "cuDeviceGetUuid";
  result = driver.cuDeviceGetUuid(&uuid, handle_);
  if (result == CUDA_SUCCESS) {
    call = "cuIpcGetMemHandle";
    result = driver.cuIpcGetMemHandle(&handle, held->data);
  }
  if (result != CUDA_SUCCESS) {
    end_shared(held.release());
    TENON_REQUIRE(result != CUDA_ERROR_NOT_SUPPORTED, TENON_ERROR_UNSUPPORTED,
                  "%s cannot share memory between processes (CUDA IPC)", name().c_str());
    fail_driver(result, call);
  }
  std::memcpy(key.device, uuid.bytes, sizeof key.device);
  std::memcpy(key.handle, handle.reserved, sizeof key.handle);
  void* const data = reinterpret_cast<void*>(held->data);
  return {data, key, end_shared, held.release()};
}

SharedMemory CudaDevice::open_shared(const SharedKey& key) {
  TENON_REQUIRE(
      !made_here(key), TENON_ERROR_UNSUPPORTED,
      "the shared memory was made by this process: CUDA opens it only in others; in this process its buffer is at "
      "hand");
  const Driver& driver = this->driver();
  const RelaxedMode relaxed(driver);
  Scope scope = activate();
  CUuuid uuid{};
  check(driver.cuDeviceGetUuid(&uuid, handle_), "cuDeviceGetUuid");
  TENON_REQUIRE(!std::memcmp(uuid.bytes, key.device, sizeof key.device), TENON_ERROR_DEVICE,
                "the shared memory belongs to another GPU than %s", name().c_str());
  auto held = std::make_unique<Held>(Held{this, 0, 0});
  CUipcMemHandle handle;
  std::memcpy(handle.reserved, key.handle, sizeof key.handle);
  const CUresult result = driver.cuIpcOpenMemHandle(&held->data, handle, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS);
  TENON_REQUIRE(
      result != CUDA_ERROR_INVALID_VALUE && result != CUDA_ERROR_INVALID_HANDLE, TENON_ERROR_NOT_FOUND,
      "the shared memory no longer exists: its buffer was released in process %lld, which created it, or that process "
      "has ended",
      static_cast<long long>(key.process));
  TENON_REQUIRE(result != CUDA_ERROR_NOT_SUPPORTED, TENON_ERROR_UNSUPPORTED,
                "%s cannot share memory between processes (CUDA IPC)", name().c_str());
  check(result, "cuIpcOpenMemHandle");
  CUdeviceptr base = 0;
  size_t there = 0;
  if (driver.cuMemGetAddressRange(&base, &there, held->data) != CUDA_SUCCESS || key.bytes > there) {
    end_shared(held.release());
    fail(TENON_ERROR_INVALID_ARGUMENT, "the key claims %llu bytes, but the memory that it names has %llu",
         static_cast<unsigned long long>(key.bytes), static_cast<unsigned long long>(there));
  }
  void* const data = reinterpret_cast<void*>(held->data);
  return {data, key, end_shared, held.release()};
}

}  // namespace tenon::cuda
