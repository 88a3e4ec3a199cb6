// backend/cuda/linalg/blas.hpp: cuBLAS handles, lent to one call at a time.
#pragma once
#include <optional>
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
  // cuBLAS documents that its handle may stand for one of cuBLASLt's.
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

// TENON_COMPUTE_FAST: is this product of float32 faster in parts, and no less accurate? Large ones are.
bool parts_fit(CudaDevice& device, const GemmProblem& problem);
void multiply_parts(CudaDevice& device, const GemmProblem& problem, Stream& stream);

[[noreturn]] void fail_blas(CudaDevice& device, const char* call, int status);
inline void check_blas(CudaDevice& device, int status, const char* call) {
  if (status) [[unlikely]]
    fail_blas(device, call, status);
}

int op_of(Op op);               // CUBLAS_OP_*
int data_type_of(Dtype dtype);  // CUDA_R_32F ...; throws DTYPE

// Data types, compute type, and the factors in the type cuBLAS reads them in.
struct GemmTypes {
  int data, result, compute;
  // As aligned as cuDoubleComplex: cuBLAS reads them with aligned 16-byte loads.
  union alignas(16) {
    float f;
    double d;
    float c[2];
    double z[2];
    int32_t i;
  } alpha, beta;
};
GemmTypes types_of(const GemmProblem& problem);

// Throws UNSUPPORTED where the interface with int, which is all there is before cuBLAS 12, cannot take the problem.
void require_int(const GemmProblem& problem);

// alpha and beta as one call of cuBLAS after the other reads them: from the host's memory, or, where the problem has
// one of them on the device, both from there. The handle is told so while this lives. host: 16 bytes each, aligned so.
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
  std::optional<Scratch> copies_;  // of those that are known
};

// The product by cuBLAS, without an epilogue.
void multiply(CudaDevice& device, const GemmProblem& problem, Stream& stream);

// blas_lists.cpp: matrices that lie anywhere. Can cuBLAS take them as a list?
bool listed_fits(CudaDevice& device, const GemmProblem& problem);
void multiply_list(CudaDevice& device, const GemmProblem& problem, Stream& stream);

// blas_vectors.cpp: is this product one with a vector, for which cuBLAS has a routine?
bool vector_fits(const GemmProblem& problem);
void multiply_vector(CudaDevice& device, const GemmProblem& problem, Stream& stream);

}  // namespace tenon::cuda
