// backend/cuda/driver.cpp: the meaning of the driver's results; contexts; the end of the process and fork.
#include <pthread.h>
#include <stdlib.h>
#include <algorithm>
#include "backend/cuda/device.hpp"

namespace tenon::cuda {

std::atomic<Process> process_state{Process::alive};

void watch_process() noexcept {
  static const bool installed = [] {
    atexit([] { process_state.store(Process::exiting); });
    pthread_atfork(nullptr, nullptr, [] {
      if (driver_callable()) process_state.store(Process::forked);
    });
    return true;
  }();
  (void)installed;
}

void refuse_process() {
  if (process_state.load() == Process::forked)
    fail(TENON_ERROR_FORKED,
         "CUDA was in use before fork() and cannot be used in the child; use the CPU device there, or start "
         "the child before CUDA is used (spawn instead of fork)");
  fail(TENON_ERROR_DEVICE_LOST, "the process is ending and CUDA has been shut down");
}

namespace {

// Errors after which, according to the driver's header, the context (or the process) cannot be used any more.
bool is_sticky(CUresult result) {
  switch (result) {
    case CUDA_ERROR_ECC_UNCORRECTABLE:
    case CUDA_ERROR_NVLINK_UNCORRECTABLE:
    case 226:  // CUDA_ERROR_CONTAINED, since 12.8
    case CUDA_ERROR_ILLEGAL_ADDRESS:
    case CUDA_ERROR_LAUNCH_TIMEOUT:
    case CUDA_ERROR_CONTEXT_IS_DESTROYED:
    case CUDA_ERROR_ASSERT:
    case CUDA_ERROR_HARDWARE_STACK_ERROR:
    case CUDA_ERROR_ILLEGAL_INSTRUCTION:
    case CUDA_ERROR_MISALIGNED_ADDRESS:
    case CUDA_ERROR_INVALID_ADDRESS_SPACE:
    case CUDA_ERROR_INVALID_PC:
    case CUDA_ERROR_LAUNCH_FAILED:
    case 721:  // CUDA_ERROR_TENSOR_MEMORY_LEAK, since 12.9
      return true;
    default: return false;
  }
}

std::string describe(const Driver& driver, CUresult result) {
  const char* name = nullptr;
  const char* text = nullptr;
  if (driver.cuGetErrorName && driver.cuGetErrorName(result, &name) != CUDA_SUCCESS) name = nullptr;
  if (driver.cuGetErrorString && driver.cuGetErrorString(result, &text) != CUDA_SUCCESS) text = nullptr;
  std::string out = text ? text : "an error without a description in this driver";
  return out + (name ? " (" + std::string(name) + ")" : format(" (CUresult %d)", result));
}

int32_t status_of(CUresult result) {
  switch (result) {
    case CUDA_ERROR_OUT_OF_MEMORY: return TENON_ERROR_OUT_OF_MEMORY;
    case CUDA_ERROR_NOT_FOUND: return TENON_ERROR_NOT_FOUND;
    case CUDA_ERROR_NOT_READY: return TENON_ERROR_NOT_READY;
    case CUDA_ERROR_NOT_SUPPORTED:
    case CUDA_ERROR_NO_BINARY_FOR_GPU:
    case CUDA_ERROR_UNSUPPORTED_PTX_VERSION:
    case CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE: return TENON_ERROR_UNSUPPORTED;
    default: return TENON_ERROR_VENDOR;
  }
}

const char* advice(CUresult result) {
  switch (result) {
    case CUDA_ERROR_NO_BINARY_FOR_GPU: return "; the program was compiled for another architecture than this device's";
    case CUDA_ERROR_UNSUPPORTED_PTX_VERSION:
      return "; the compiler is newer than the driver: update the NVIDIA driver, or use an NVRTC of the driver's "
             "CUDA version";
    case CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES:
      return "; the block needs more registers or shared memory than the device has";
    default:
      if (is_capture_error(result))
        return "; a stream is being captured into a graph, and this call is not allowed during a capture";
      return "";
  }
}

}  // namespace

Scope::Scope(CudaDevice& device) {
  const Driver& driver = device.driver();
  CUcontext context = device.primary();
  CUcontext current = nullptr;
  if (driver.cuCtxGetCurrent(&current) == CUDA_SUCCESS && current == context) return;
  device.check(driver.cuCtxPushCurrent(context), "cuCtxPushCurrent");
  driver_ = &driver;
}

Scope::Scope(CudaDevice& device, std::nothrow_t) noexcept {
  try {
    *this = Scope(device);
  } catch (...) {
  }
}

void CudaDevice::lose(CUresult result, const char* call) noexcept {
  if (losing_.exchange(true)) return;
  try {
    Error error(TENON_ERROR_DEVICE_LOST, "the CUDA context of " + name() + " can no longer be used: " +
                                             describe(driver_, result) + ", reported by " + call + ".");
    const std::string launches = recent_.text();
    if (!launches.empty()) error.message += " Most recent launches, latest first: " + launches + ".";
    error.message += " The device can be used again in a new process; the CPU device still works.";
    error.native_call = call;
    error.native_code = result;
    set_lost(make<ErrorObject>(std::move(error)));
  } catch (...) {  // no memory for the text
  }
  lost_.store(true, std::memory_order_release);
}

void CudaDevice::refuse() {
  if (!driver_callable()) refuse_process();
  if (const ErrorObject* record = lost_record()) throw Error(record->error);
  fail(TENON_ERROR_DEVICE_LOST, "the CUDA context of %s can no longer be used", name().c_str());
}

// The driver also reports "context is destroyed" for a stream that its owner destroyed; then the context itself still
// works.
bool CudaDevice::means_lost(CUresult result) noexcept {
  if (!is_sticky(result)) return false;
  if (result != CUDA_ERROR_CONTEXT_IS_DESTROYED) return true;
  CUcontext context = primary_.load(), popped = nullptr;
  size_t free = 0, total = 0;
  if (!context || driver_.cuCtxPushCurrent(context) != CUDA_SUCCESS) return true;
  const bool answers = driver_.cuMemGetInfo(&free, &total) == CUDA_SUCCESS;
  driver_.cuCtxPopCurrent(&popped);
  return !answers;
}

bool CudaDevice::note(CUresult result) noexcept {
  if (result == CUDA_SUCCESS) return true;
  if (result == CUDA_ERROR_DEINITIALIZED) process_state.store(Process::exiting);
  else if (means_lost(result)) lose(result, "a driver call");
  return false;
}

void CudaDevice::fail_driver(CUresult result, const char* call) {
  if (result == CUDA_ERROR_DEINITIALIZED) {
    process_state.store(Process::exiting);
    refuse_process();
  }
  const bool lost = means_lost(result);
  if (lost) {
    lose(result, call);
    if (lost_.load(std::memory_order_acquire)) refuse();
  }
  Error error(lost ? TENON_ERROR_DEVICE_LOST : status_of(result),
              std::string(call) + " failed on " + name() + ": " + describe(driver_, result) + advice(result));
  error.native_call = call;
  error.native_code = result;
  throw error;
}

void CudaDevice::fail_vendor(const char* call, int64_t code, const char* text, int32_t status) {
  // A vendor library reports a lost context as its own failure; the driver reports the real state.
  if (usable() && primary_.load()) (void)default_stream().query();
  if (!usable()) refuse();
  Error error(status,
              format("%s failed on %s: %s (code %lld)", call, name().c_str(), text, static_cast<long long>(code)));
  error.native_call = call;
  error.native_code = code;
  throw error;
}

}  // namespace tenon::cuda
