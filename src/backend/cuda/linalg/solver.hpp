// backend/cuda/linalg/solver.hpp: cuSOLVER handles, and the singular value decomposition by the polar decomposition.
// Defined in solve/solver.cpp and solve/svd_polar.cpp.
#pragma once
#include <vector>
#include "backend/cuda/device.hpp"

namespace tenon::cuda {

struct SolverHandle {
  cusolverDnHandle_t handle = nullptr;
  cusolverDnParams_t params = nullptr;
  CUevent used = nullptr;     // recorded behind the work of the last call, which uses the handle's own memory
  CUstream stream = nullptr;  // of the last call
};

// A handle bound to a stream, used by one call at a time; if it was used on another stream before, that work ends
// before the call's work begins. The device's context must be current.
class SolverLease {
 public:
  SolverLease(CudaDevice& device, Stream& stream);
  ~SolverLease();
  SolverLease(const SolverLease&) = delete;
  const SolverHandle* operator->() const { return &h_; }

 private:
  CudaDevice& device_;
  SolverState& state_;
  SolverHandle h_;
};

void check_solver(CudaDevice& device, int status, const char* call);

// An element type as cuSOLVER and cuBLAS identify it.
struct SolverTypes {
  int data, real;           // cudaDataType
  int64_t size, real_size;  // bytes
  Dtype real_dtype;
  bool complex;
  double epsilon;
  int index;  // 0 to 3: S, D, C, Z
};
SolverTypes solver_types(Dtype dtype);  // throws DTYPE

// Memory for a 64-bit cuSOLVER routine. The host's part must live until the stream has run the routine: if there is
// such a part, the destructor waits for that.
struct SolverWork {
  Scratch device;
  std::vector<char> host;
  SolverWork(CudaDevice& d, size_t device_bytes, size_t host_bytes, Stream& stream)
      : device(d, device_bytes, stream), host(host_bytes + 1), stream_(stream) {}
  ~SolverWork();

 private:
  Stream& stream_;
};

// Reads the int that a routine wrote to device memory. Waits.
int read_info(CudaDevice& device, const Scratch& info, Stream& stream);

// a = u diag(s) v^H of one m x n matrix, m >= n, packed, column-major. u: m x n; v: n x n.
struct TallSvd {
  Dtype dtype;  // TENON_FLOAT32 or TENON_COMPLEX64
  int64_t m, n;
  const void* a;
  void* s;  // n real numbers
  void* u;  // NULL, like v: values only
  void* v;
};

// False: it did not converge, or this cuBLAS is too old for it; the outputs are then undefined.
bool svd_in_double(CudaDevice& device, const TallSvd& p, Stream& stream);

}  // namespace tenon::cuda
