// backend/cuda/linalg/blas.hpp: cuBLAS handles, used by one call at a time. Defined in products/blas.cpp.
#pragma once
#include <optional>
#include "backend/cuda/device.hpp"

namespace tenon::cuda {

struct BlasHandle {
  cublasHandle_t handle = nullptr;
  CUstream stream = nullptr;
  void* workspace = nullptr;  // used by the last call; not owned
};

// A handle bound to a stream, with a workspace from the stream's pool. Two threads or streams never share either. The
// device's context must be current.
class BlasLease {
 public:
  BlasLease(CudaDevice& device, Stream& stream);
  ~BlasLease() { give_back(); }
  BlasLease(const BlasLease&) = delete;
  cublasHandle_t handle() const { return h_.handle; }
  // cuBLAS documents that its handle can be used as a cuBLASLt handle.
  cublasLtHandle_t lt_handle() const { return reinterpret_cast<cublasLtHandle_t>(h_.handle); }
  void* workspace() const { return workspace_.data(); }

 private:
  void take(CUstream stream);
  void give_back() noexcept;

  BlasState& state_;
  Scratch workspace_;
  BlasHandle h_;
};

uint64_t blas_workspace_bytes(const CudaDevice& device);

// TENON_COMPUTE_FAST: is this product of float32 faster when split into parts, without being less accurate? Large ones
// are.
bool parts_fit(CudaDevice& device, const GemmProblem& problem);
void multiply_parts(CudaDevice& device, const GemmProblem& problem, Stream& stream);

[[noreturn]] void fail_blas(CudaDevice& device, const char* call, int status);
inline void check_blas(CudaDevice& device, int status, const char* call) {
  if (status) [[unlikely]]
    fail_blas(device, call, status);
}

int op_of(Op op);               // CUBLAS_OP_*
int data_type_of(Dtype dtype);  // CUDA_R_32F ...; throws DTYPE

// Data types, compute type, and the factors in the type in which cuBLAS reads them.
struct GemmTypes {
  int data, result, compute;
  // Aligned like cuDoubleComplex: cuBLAS reads them with aligned 16-byte loads.
  union alignas(16) {
    float f;
    double d;
    float c[2];
    double z[2];
    int32_t i;
  } alpha, beta;
};
GemmTypes types_of(const GemmProblem& problem);

// Throws UNSUPPORTED if the interface with int, the only one before cuBLAS 12, cannot represent the problem.
void require_int(const GemmProblem& problem);

// alpha and beta as successive calls of cuBLAS read them: from host memory, or, if the problem has one of them on the
// device, both from there. While this lives, the handle's pointer mode is set accordingly. host: 16 bytes each, aligned
// to 16.
class BlasFactors {
 public:
  BlasFactors(CudaDevice& device, const BlasLease& lease, const void* alpha, const void* alpha_at, const void* beta,
              const void* beta_at, Stream& stream);
  ~BlasFactors();
  BlasFactors(const BlasFactors&) = delete;
  const void* alpha() const { return alpha_; }
  const void* beta() const { return beta_; }

 private:
  const cublasHandle_t handle_;
  const void *alpha_, *beta_;
  bool on_device_ = false;
  std::optional<Scratch> copies_;  // of factors whose values are known on the host
};

// The product by cuBLAS, without its epilogue.
void multiply(CudaDevice& device, const GemmProblem& problem, Stream& stream);

// blas_lists.cpp: matrices at arbitrary addresses. Can cuBLAS take them as a list?
bool listed_fits(CudaDevice& device, const GemmProblem& problem);
void multiply_list(CudaDevice& device, const GemmProblem& problem, Stream& stream);

// blas_vectors.cpp: is this a product with a vector, for which cuBLAS has a routine?
bool vector_fits(const GemmProblem& problem);
void multiply_vector(CudaDevice& device, const GemmProblem& problem, Stream& stream);

}  // namespace tenon::cuda
