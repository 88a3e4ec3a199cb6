// backend/cuda/linalg/matmul/matmul_plan.hpp: one kind of product as described to cuBLASLt, and the algorithm chosen
// for it.
#pragma once
#include <functional>
#include <mutex>
#include <vector>
#include "backend/cuda/linalg/blas.hpp"

namespace tenon::cuda {

// Everything that determines an algorithm. Compared and hashed as words.
struct MatmulKey {
  int64_t data_a, data_b, result, compute;  // CUDA_R_*, CUBLAS_COMPUTE_*
  int64_t m, n, k, op_a, op_b, lda, ldb, ldc, batch, stride_a, stride_b, stride_c;
  int64_t epilogue, biased, adds;     // TENON_EPILOGUE_*; whether there are a bias and a beta
  int64_t align_a, align_b, align_c;  // bytes, at most 256
};
MatmulKey key_of(const GemmProblem& problem);

constexpr uintptr_t kBiasAlignment = 16;  // bytes

// The library, or NULL if it is missing or lacks one of the functions.
const CublasLt* usable_cublaslt();

struct MatmulPlan {
  explicit MatmulPlan(CudaDevice& device, const CublasLt& lt, const GemmProblem& problem);
  ~MatmulPlan();
  MatmulPlan(const MatmulPlan&) = delete;

  // At most `most` algorithms that cuBLASLt offers, in the order of their estimated speed.
  std::vector<cublasLtMatmulHeuristicResult_t> offers(int most, Stream& stream);
  // Enqueues the product into `c` by the algorithm; returns CUBLAS_STATUS_*. factors: alpha and beta.
  int run(const cublasLtMatmulHeuristicResult_t& algorithm, const GemmProblem& problem, const GemmTypes& factors,
          void* c, Stream& stream);

  CudaDevice& device;
  const CublasLt& lt;
  const MatmulKey key;
  cublasLtMatmulHeuristicResult_t chosen{};
  std::atomic<bool> possible{false};  // `chosen` is valid and supports the whole problem
  bool by_cublas = false;             // measured: cuBLAS's own choice is faster
  bool tuned = false;                 // measured, or not measured for lack of memory

 private:
  void set_up();
  void destroy() noexcept;

  std::mutex mutex_;  // the descriptor holds a call's bias: one call at a time enqueues with it
  cublasLtMatmulDesc_t matmul_ = nullptr;
  cublasLtMatrixLayout_t a_ = nullptr, b_ = nullptr, c_ = nullptr;
};

// Bytes from the start of the first element of c to the end of its last one.
uint64_t result_bytes(const GemmProblem& problem);

using Accepts = std::function<bool(const cublasLtMatmulHeuristicResult_t&)>;
// Chooses the fastest of the algorithms that are offered and accepted, and of cuBLAS if it computes the same, by
// running them into a separate result. Waits.
void measure(MatmulPlan& plan, const GemmProblem& problem, Stream& stream, const Accepts& accepts);

}  // namespace tenon::cuda
