// backend/cuda/linalg/dense.hpp: shared by the dense routines of products and solve: cuBLAS's and cuSOLVER's names by
// element type, pointer lists. Defined in solve/dense.cpp and solve/dense_batched.cpp.
#pragma once
#include "backend/cuda/linalg/blas.hpp"
#include "backend/cuda/operations.hpp"
#include "backend/cuda/linalg/solver.hpp"
#include "core/problem/dense.hpp"

namespace tenon::cuda {

// The function of a table for the element type: S, D, C or Z.
#define BY_TYPE(table, t, s, d, c, z) \
  (t.index == 0 ? (table).s : t.index == 1 ? (table).d : t.index == 2 ? (table).c : (table).z)

inline char* matrix_at(const DenseMatrix& x, int64_t g, int64_t element_bytes) {
  return static_cast<char*>(x.data) + g * x.stride * element_bytes;
}
inline int fill_mode(bool upper) { return upper ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_LOWER; }
int blas_op(Op op);

// A factor in the element type, as cuBLAS reads it.
struct ElementFactor {
  union alignas(16) {
    float f[2];
    double d[2];
  } value{};
  ElementFactor(const SolverTypes& t, std::complex<double> x) {
    if (t.real_size == 4) value.f[0] = float(x.real()), value.f[1] = float(x.imag());
    else value.d[0] = x.real(), value.d[1] = x.imag();
  }
  const void* get() const { return &value; }
};

// The addresses of a batch's matrices, in device memory, as the batched routines need them.
class Addresses {
 public:
  Addresses(CudaDevice& device, const DenseMatrix& x, int64_t element_bytes, int64_t batch, Stream& stream);
  void** get() const { return static_cast<void**>(memory_.data()); }

 private:
  Scratch memory_;
};

// Many small matrices at once, if the libraries have routines for that (dense_batched.cpp). batched_fits: should these
// be run that way rather than one after another?
#define BATCHED(problem)               \
  bool batched_fits(const problem& p); \
  void run_batched(CudaDevice& device, const problem& p, Stream& stream);
BATCHED(LuProblem)
BATCHED(LuSolveProblem)
BATCHED(CholeskyProblem)
BATCHED(CholeskySolveProblem)
BATCHED(TrsmProblem)
#undef BATCHED

}  // namespace tenon::cuda
