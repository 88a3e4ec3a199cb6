// backend/cuda/linalg/products/dense_products.cpp: cuBLAS's products with triangles, symmetric and banded matrices, and
// sums of matrices.
#include "backend/cuda/linalg/dense.hpp"
#include "backend/cuda/graph.hpp"

namespace tenon::cuda {

using Types = SolverTypes;

namespace {

// The call for one matrix of the batch; operands that the problem lacks are NULL.
struct ProductCall {
  cublasHandle_t handle;
  const void *alpha, *beta;
  void *a, *b, *c;
};

// Calls `routine` for each matrix; it returns a status of the routine `name`.
template <class Problem, class F>
void for_each_matrix(CudaDevice& device, const Problem& p, Stream& stream, const char* name, F&& routine) {
  const Types t = solver_types(p.dtype);
  Scalars scalars;
  if constexpr (std::is_base_of_v<Scalars, Problem>) scalars = p;
  const ElementFactor of_product(t, scalars.alpha), of_result(t, scalars.beta);  // a real routine reads the real parts
  auto scope = device.activate();
  BlasLease lease(device, stream);
  const BlasFactors factors(device, lease, of_product.get(), scalars.alpha_at, of_result.get(), scalars.beta_at,
                            stream);
  const RelaxedCapture relaxed(device, stream);
  const auto of = [&](const DenseMatrix& x, int64_t g) { return x.data ? matrix_at(x, g, t.size) : nullptr; };
  for (int64_t g = 0; g < p.batch; ++g) {
    ProductCall call{lease.handle(), factors.alpha(), factors.beta(), of(p.a, g), nullptr, nullptr};
    if constexpr (requires { p.b; }) call.b = of(p.b, g);
    if constexpr (requires { p.c; }) call.c = of(p.c, g);
    check_blas(device, routine(call), name);
  }
}

int side_mode(bool right) { return right ? CUBLAS_SIDE_RIGHT : CUBLAS_SIDE_LEFT; }
int diagonal_mode(bool unit) { return unit ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT; }

}  // namespace

void run(CudaDevice& device, const TrsmProblem& p, Stream& stream) {
  if (!p.alpha_at && batched_fits(p)) return run_batched(device, p, stream);
  const auto& trsm =
      BY_TYPE(cublas(), solver_types(p.dtype), cublasStrsm_64, cublasDtrsm_64, cublasCtrsm_64, cublasZtrsm_64);
  for_each_matrix(device, p, stream, "cublasXtrsm", [&](const ProductCall& c) {
    return trsm(c.handle, side_mode(p.right), fill_mode(p.upper), blas_op(p.op), diagonal_mode(p.unit), p.m, p.n,
                c.alpha, c.a, p.a.ld, c.b, p.b.ld);
  });
}

void run(CudaDevice& device, const TrmmProblem& p, Stream& stream) {
  const auto& trmm =
      BY_TYPE(cublas(), solver_types(p.dtype), cublasStrmm_64, cublasDtrmm_64, cublasCtrmm_64, cublasZtrmm_64);
  for_each_matrix(device, p, stream, "cublasXtrmm", [&](const ProductCall& c) {
    return trmm(c.handle, side_mode(p.right), fill_mode(p.upper), blas_op(p.op), diagonal_mode(p.unit), p.m, p.n,
                c.alpha, c.a, p.a.ld, c.b, p.b.ld, c.b, p.b.ld);
  });
}

void run(CudaDevice& device, const SyrkProblem& p, Stream& stream) {
  const Types t = solver_types(p.dtype);
  const bool hermitian = p.conjugated && t.complex;
  const auto& routine = hermitian
                            ? (t.index == 2 ? cublas().cublasCherk_64 : cublas().cublasZherk_64)
                            : BY_TYPE(cublas(), t, cublasSsyrk_64, cublasDsyrk_64, cublasCsyrk_64, cublasZsyrk_64);
  for_each_matrix(device, p, stream, hermitian ? "cublasXherk" : "cublasXsyrk", [&](const ProductCall& c) {
    return routine(c.handle, fill_mode(p.upper), blas_op(p.op), p.n, p.k, c.alpha, c.a, p.a.ld, c.beta, c.c, p.c.ld);
  });
}

void run(CudaDevice& device, const SymmProblem& p, Stream& stream) {
  const Types t = solver_types(p.dtype);
  const bool hermitian = p.conjugated && t.complex;
  const auto& routine = hermitian
                            ? (t.index == 2 ? cublas().cublasChemm_64 : cublas().cublasZhemm_64)
                            : BY_TYPE(cublas(), t, cublasSsymm_64, cublasDsymm_64, cublasCsymm_64, cublasZsymm_64);
  for_each_matrix(device, p, stream, hermitian ? "cublasXhemm" : "cublasXsymm", [&](const ProductCall& c) {
    return routine(c.handle, side_mode(p.right), fill_mode(p.upper), p.m, p.n, c.alpha, c.a, p.a.ld, c.b, p.b.ld,
                   c.beta, c.c, p.c.ld);
  });
}

void run(CudaDevice& device, const Syr2kProblem& p, Stream& stream) {
  const Types t = solver_types(p.dtype);
  const bool hermitian = p.conjugated && t.complex;
  const auto& routine = hermitian
                            ? (t.index == 2 ? cublas().cublasCher2k_64 : cublas().cublasZher2k_64)
                            : BY_TYPE(cublas(), t, cublasSsyr2k_64, cublasDsyr2k_64, cublasCsyr2k_64, cublasZsyr2k_64);
  for_each_matrix(device, p, stream, hermitian ? "cublasXher2k" : "cublasXsyr2k", [&](const ProductCall& c) {
    return routine(c.handle, fill_mode(p.upper), blas_op(p.op), p.n, p.k, c.alpha, c.a, p.a.ld, c.b, p.b.ld, c.beta,
                   c.c, p.c.ld);
  });
}

void run(CudaDevice& device, const GeamProblem& p, Stream& stream) {
  const Types t = solver_types(p.dtype);
  const auto& geam = BY_TYPE(cublas(), t, cublasSgeam_64, cublasDgeam_64, cublasCgeam_64, cublasZgeam_64);
  for_each_matrix(device, p, stream, "cublasXgeam", [&](const ProductCall& c) {
    // Without b its factor is 0, and cuBLAS does not read it; c stands in for it, with an address and extents that
    // cuBLAS accepts.
    return geam(c.handle, blas_op(p.op), c.b ? blas_op(p.op_b) : int(CUBLAS_OP_N), p.m, p.n, c.alpha, c.a, p.a.ld,
                c.beta, c.b ? c.b : c.c, c.b ? p.b.ld : p.c.ld, c.c, p.c.ld);
  });
}

void run(CudaDevice& device, const GbmvProblem& p, Stream& stream) {
  const auto& gbmv =
      BY_TYPE(cublas(), solver_types(p.dtype), cublasSgbmv_64, cublasDgbmv_64, cublasCgbmv_64, cublasZgbmv_64);
  for_each_matrix(device, p, stream, "cublasXgbmv", [&](const ProductCall& c) {
    return gbmv(c.handle, blas_op(p.op), p.m, p.n, p.below, p.above, c.alpha, c.a, p.a.ld, c.b, p.b.step, c.beta, c.c,
                p.c.step);
  });
}

void run(CudaDevice& device, const SbmvProblem& p, Stream& stream) {
  const Types t = solver_types(p.dtype);
  const auto& sbmv = BY_TYPE(cublas(), t, cublasSsbmv_64, cublasDsbmv_64, cublasChbmv_64, cublasZhbmv_64);
  for_each_matrix(device, p, stream, t.complex ? "cublasXhbmv" : "cublasXsbmv", [&](const ProductCall& c) {
    return sbmv(c.handle, fill_mode(p.upper), p.n, p.k, c.alpha, c.a, p.a.ld, c.b, p.b.step, c.beta, c.c, p.c.step);
  });
}

namespace {

template <class F>
void band_triangular(CudaDevice& device, const TbmvProblem& p, Stream& stream, const char* name, const F& routine) {
  for_each_matrix(device, p, stream, name, [&](const ProductCall& c) {
    return routine(c.handle, fill_mode(p.upper), blas_op(p.op), diagonal_mode(p.unit), p.n, p.k, c.a, p.a.ld, c.b,
                   p.b.step);
  });
}

}  // namespace

void run(CudaDevice& device, const TbmvProblem& p, Stream& stream) {
  band_triangular(
      device, p, stream, "cublasXtbmv",
      BY_TYPE(cublas(), solver_types(p.dtype), cublasStbmv_64, cublasDtbmv_64, cublasCtbmv_64, cublasZtbmv_64));
}

void run(CudaDevice& device, const TbsvProblem& p, Stream& stream) {
  band_triangular(
      device, p, stream, "cublasXtbsv",
      BY_TYPE(cublas(), solver_types(p.dtype), cublasStbsv_64, cublasDtbsv_64, cublasCtbsv_64, cublasZtbsv_64));
}

}  // namespace tenon::cuda
