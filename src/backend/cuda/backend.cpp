// backend/cuda/backend.cpp: the CUDA row of backend/list.cpp: finds the devices, or reports why there are none.
#include "backend/cuda/device.hpp"

namespace tenon::cuda {
namespace {

constexpr int kOldestDriver = 12000;

// cuInit takes a fifth of a second: it is called once per process, and only when CUDA devices are requested. Returns ""
// or the reason for a failure.
std::string initialise() {
  static auto& mutex = *new std::mutex;
  static bool done = false;
  std::lock_guard lock(mutex);
  if (!driver_callable()) {
    try {
      refuse_process();
    } catch (const Error& error) {
      return error.message;
    }
  }
  if (done) return {};
  const Driver& table = driver();
  if (table.version < kOldestDriver)
    return format("the NVIDIA driver at %s supports CUDA %d.%d; Tenon needs 12.0 or later: update the driver",
                  table.library.path().c_str(), table.version / 1000, table.version % 1000 / 10);
  const CUresult result = table.cuInit(0);
  switch (result) {
    case CUDA_SUCCESS: break;
    case CUDA_ERROR_NO_DEVICE: return "the NVIDIA driver shows no CUDA device (is CUDA_VISIBLE_DEVICES set?)";
    case CUDA_ERROR_NOT_INITIALIZED:
      return "the NVIDIA driver cannot start (cuInit: 3): CUDA was probably used in the parent of this forked process";
    case CUDA_ERROR_SYSTEM_DRIVER_MISMATCH:
      return "libcuda.so.1 and the kernel's NVIDIA driver are of different versions (cuInit: 803): reboot, or "
             "install matching ones";
    case CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE:
      return "this device does not allow the forward-compatibility libcuda.so.1 that was found (cuInit: 804): use "
             "the driver's own";
    case CUDA_ERROR_SYSTEM_NOT_READY:
      return "the NVIDIA system services are not ready (cuInit: 802): on NVSwitch systems, is the fabric manager "
             "running?";
    default: {
      const char* text = nullptr;
      if (table.cuGetErrorString) table.cuGetErrorString(result, &text);
      return format("the NVIDIA driver at %s cannot start: cuInit returned %d%s%s", table.library.path().c_str(),
                    result, text ? ", " : "", text ? text : "");
    }
  }
  watch_process();
  done = true;
  return {};
}

std::vector<std::unique_ptr<Device>> devices(Context& context, std::string* why) {
  std::vector<std::unique_ptr<Device>> list;
  try {
    *why = initialise();
    if (!why->empty()) return list;
    int count = 0;
    const CUresult result = driver().cuDeviceGetCount(&count);
    if (result != CUDA_SUCCESS) *why = format("cuDeviceGetCount returned %d", result);
    else if (count == 0) *why = "the NVIDIA driver shows no CUDA device";
    for (int i = 0; result == CUDA_SUCCESS && i < count; ++i) list.push_back(std::make_unique<CudaDevice>(context, i));
  } catch (const Error& error) {
    list.clear();
    *why = error.message;
  }
  return list;
}

std::string report() { return loading_report(); }

Image compile_without_device(const CompileRequest& request) { return compile_for(request, request.architecture); }

}  // namespace

extern const Backend backend;
const Backend backend = {"cuda", devices, report, compile_without_device};

}  // namespace tenon::cuda
