// backend/cuda/linalg/products/blas_vectors.cpp: products with a vector by cuBLAS's routines for them, which read the
// matrix once.
#include "backend/cuda/linalg/dense.hpp"
#include "backend/cuda/graph.hpp"

namespace tenon::cuda {
namespace {

// y = alpha op(matrix) x + beta y, for a matrix that is rows x columns in memory.
struct VectorProblem {
  Op op;
  int64_t rows, columns, ld, x_step, y_step, stride, x_stride, y_stride;
  const void *matrix, *x;
};

// A column: op_a(a) times b. A row: a times op_b(b), seen as op_b(b)' times a column.
VectorProblem vector_problem(const GemmProblem& p) {
  if (p.n == 1)
    return {p.op_a,
            p.op_a == Op::none ? p.m : p.k,
            p.op_a == Op::none ? p.k : p.m,
            p.lda,
            p.op_b == Op::none ? 1 : p.ldb,
            1,
            p.stride_a,
            p.stride_b,
            p.stride_c,
            p.a,
            p.b};
  return {p.op_b == Op::none ? Op::transpose : Op::none,
          p.op_b == Op::none ? p.k : p.n,
          p.op_b == Op::none ? p.n : p.k,
          p.ldb,
          p.op_a == Op::none ? p.lda : 1,
          p.ldc,
          p.stride_b,
          p.stride_a,
          p.stride_c,
          p.b,
          p.a};
}

}  // namespace

bool vector_fits(const GemmProblem& p) {
  if ((p.m == 1) == (p.n == 1) || p.list || p.tune || p.result_dtype() != p.dtype) return false;
  switch (p.dtype) {
    case TENON_FLOAT32:
    case TENON_FLOAT64: break;
    case TENON_COMPLEX64:
    case TENON_COMPLEX128:  // vectors are never conjugated, and matrices only if they are transposed
      if ((p.n == 1 ? p.op_b : p.op_a) == Op::conjugate_transpose) return false;
      if (p.n != 1 && p.op_b == Op::conjugate_transpose) return false;
      break;
    default: return false;
  }
  return p.batch == 1 ? bool(cublas().cublasSgemv_64) : bool(cublas().cublasSgemvStridedBatched_64);
}

void multiply_vector(CudaDevice& device, const GemmProblem& p, Stream& stream) {
  const SolverTypes t = solver_types(p.dtype);
  const VectorProblem v = vector_problem(p);
  const ElementFactor of_product(t, p.alpha), of_result(t, p.beta);
  auto scope = device.activate();
  BlasLease lease(device, stream);
  const BlasFactors factors(device, lease, of_product.get(), p.alpha_at, of_result.get(), p.beta_at, stream);
  const RelaxedCapture relaxed(device, stream);
  if (p.batch == 1) {
    const auto& gemv = BY_TYPE(cublas(), t, cublasSgemv_64, cublasDgemv_64, cublasCgemv_64, cublasZgemv_64);
    check_blas(device,
               gemv(lease.handle(), op_of(v.op), v.rows, v.columns, factors.alpha(), v.matrix, v.ld, v.x, v.x_step,
                    factors.beta(), p.c, v.y_step),
               "cublasXgemv");
  } else {
    const auto& gemv = BY_TYPE(cublas(), t, cublasSgemvStridedBatched_64, cublasDgemvStridedBatched_64,
                               cublasCgemvStridedBatched_64, cublasZgemvStridedBatched_64);
    check_blas(device,
               gemv(lease.handle(), op_of(v.op), v.rows, v.columns, factors.alpha(), v.matrix, v.ld, v.stride, v.x,
                    v.x_step, v.x_stride, factors.beta(), p.c, v.y_step, v.y_stride, p.batch),
               "cublasXgemvStridedBatched");
  }
}

}  // namespace tenon::cuda
