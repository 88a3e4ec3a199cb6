// backend/cuda/blas.hpp: cuBLAS handles, lent to one call at a time.
#pragma once
#include "backend/cuda/device.hpp"

namespace tenon::cuda {

struct BlasHandle {
  cublasHandle_t handle = nullptr;
  CUstream stream = nullptr;
  void* workspace = nullptr;  // of the last call; not owned
};

// A handle bound to a stream, with a workspace of the stream's pool. Neither is ever shared by two threads or streams.
// The device's context must be current.
class BlasLease {
 public:
  BlasLease(CudaDevice& device, Stream& stream);
  ~BlasLease() { give_back(); }
  BlasLease(const BlasLease&) = delete;
  cublasHandle_t handle() const { return h_.handle; }

 private:
  void take(CUstream stream);
  void give_back() noexcept;

  BlasState& state_;
  Scratch workspace_;
  BlasHandle h_;
};

[[noreturn]] void fail_blas(CudaDevice& device, const char* call, int status);
inline void check_blas(CudaDevice& device, int status, const char* call) {
  if (status) [[unlikely]] fail_blas(device, call, status);
}

}  // namespace tenon::cuda
