// backend/cuda/linalg/solve/dense_batched.cpp: dense routines on many small matrices at once: cuBLAS's and cuSOLVER's
// batched routines, which take lists of addresses and 32-bit pivots.
#include <climits>
#include "backend/cuda/linalg/dense.hpp"
#include "backend/cuda/graph.hpp"

namespace tenon::cuda {

namespace {

constexpr int64_t kManyMatrices = 4;      // number of matrices
constexpr int64_t kSmallBatched = 128;    // largest rows and columns for which one routine is faster than single calls
constexpr int64_t kMostColumns = 524280;  // of right-hand sides: cublasXtrsmBatched fails above

// Are there many matrices, and are they small?
bool many_small(const OnMatrices& p) {
  return p.batch >= kManyMatrices && p.batch <= INT_MAX && p.n <= kSmallBatched && p.a.stride != 0;
}

// Converts pivots between 32 and 64 bits.
void convert(CudaDevice& device, void* to, Dtype to_dtype, const void* from, Dtype from_dtype, int64_t count,
             Stream& stream) {
  const uint32_t bytes = dtype_bytes(to_dtype);
  device.run(CopyProblem{to, from, to_dtype, from_dtype, bytes, {{count, bytes, dtype_bytes(from_dtype)}}}, stream);
}

void triangular(CudaDevice& device, const OnMatrices& p, bool upper, const Addresses& a, const Addresses& b,
                int64_t ldb, int64_t rows, int64_t columns, bool right, Op op, bool unit, std::complex<double> factor,
                Stream& stream) {
  const SolverTypes t = solver_types(p.dtype);
  const ElementFactor alpha(t, factor);
  auto scope = device.activate();
  BlasLease blas(device, stream);
  const RelaxedCapture relaxed(device, stream);
  const auto& routine =
      BY_TYPE(cublas(), t, cublasStrsmBatched_64, cublasDtrsmBatched_64, cublasCtrsmBatched_64, cublasZtrsmBatched_64);
  check_blas(device,
             routine(blas.handle(), right ? CUBLAS_SIDE_RIGHT : CUBLAS_SIDE_LEFT, fill_mode(upper), blas_op(op),
                     unit ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT, rows, columns, alpha.get(), a.get(), p.a.ld,
                     b.get(), ldb, p.batch),
             "cublasXtrsmBatched");
}

}  // namespace

bool batched_fits(const LuProblem& p) { return many_small(p) && p.m == p.n; }

void run_batched(CudaDevice& device, const LuProblem& p, Stream& stream) {
  const SolverTypes t = solver_types(p.dtype);
  const Addresses a(device, p.a, t.size, p.batch, stream);
  Scratch pivots(device, uint64_t(p.batch * p.n) * 4, stream);
  {
    auto scope = device.activate();
    BlasLease blas(device, stream);
    const auto& routine =
        BY_TYPE(cublas(), t, cublasSgetrfBatched, cublasDgetrfBatched, cublasCgetrfBatched, cublasZgetrfBatched);
    check_blas(
        device,
        routine(blas.handle(), int(p.n), a.get(), int(p.a.ld), static_cast<int*>(pivots.data()), p.info, int(p.batch)),
        "cublasXgetrfBatched");
  }
  convert(device, p.pivots, TENON_INT64, pivots.data(), TENON_INT32, p.batch * p.n, stream);
}

bool batched_fits(const LuSolveProblem& p) { return many_small(p) && p.k <= kMostColumns && p.b.ld <= INT_MAX; }

void run_batched(CudaDevice& device, const LuSolveProblem& p, Stream& stream) {
  const SolverTypes t = solver_types(p.dtype);
  const Addresses a(device, p.a, t.size, p.batch, stream), b(device, p.b, t.size, p.batch, stream);
  Scratch pivots(device, uint64_t(p.batch * p.n) * 4, stream);
  convert(device, pivots.data(), TENON_INT32, p.pivots, TENON_INT64, p.batch * p.n, stream);
  int info = 0;  // in host memory: only reports invalid arguments
  auto scope = device.activate();
  BlasLease blas(device, stream);
  const auto& routine =
      BY_TYPE(cublas(), t, cublasSgetrsBatched, cublasDgetrsBatched, cublasCgetrsBatched, cublasZgetrsBatched);
  check_blas(device,
             routine(blas.handle(), blas_op(p.op), int(p.n), int(p.k), a.get(), int(p.a.ld),
                     static_cast<const int*>(pivots.data()), b.get(), int(p.b.ld), &info, int(p.batch)),
             "cublasXgetrsBatched");
  if (info) fail(TENON_ERROR_INTERNAL, "cublasXgetrsBatched reports that its argument %d is wrong", -info);
}

bool batched_fits(const CholeskyProblem& p) { return many_small(p); }

void run_batched(CudaDevice& device, const CholeskyProblem& p, Stream& stream) {
  const SolverTypes t = solver_types(p.dtype);
  const Addresses a(device, p.a, t.size, p.batch, stream);
  {
    auto scope = device.activate();
    SolverLease h(device, stream);
    const auto& routine = BY_TYPE(cusolver(), t, cusolverDnSpotrfBatched, cusolverDnDpotrfBatched,
                                  cusolverDnCpotrfBatched, cusolverDnZpotrfBatched);
    check_solver(device, routine(h->handle, fill_mode(p.upper), int(p.n), a.get(), int(p.a.ld), p.info, int(p.batch)),
                 "cusolverDnXpotrfBatched");
  }
}

bool batched_fits(const TrsmProblem& p) {
  return many_small(p) && p.m <= kSmallBatched && bool(cublas().cublasDtrsmBatched_64);
}

void run_batched(CudaDevice& device, const TrsmProblem& p, Stream& stream) {
  const int64_t size = solver_types(p.dtype).size;
  const Addresses a(device, p.a, size, p.batch, stream), b(device, p.b, size, p.batch, stream);
  triangular(device, p, p.upper, a, b, p.b.ld, p.m, p.n, p.right, p.op, p.unit, p.alpha, stream);
}

bool batched_fits(const CholeskySolveProblem& p) {
  return many_small(p) && p.k <= kMostColumns && bool(cublas().cublasDtrsmBatched_64);
}

// U^H y = b, U x = y; or L y = b, L^H x = y.
void run_batched(CudaDevice& device, const CholeskySolveProblem& p, Stream& stream) {
  const int64_t size = solver_types(p.dtype).size;
  const Addresses a(device, p.a, size, p.batch, stream), b(device, p.b, size, p.batch, stream);
  for (const bool first : {true, false})
    triangular(device, p, p.upper, a, b, p.b.ld, p.n, p.k, false, p.upper == first ? Op::conjugate_transpose : Op::none,
               false, 1, stream);
}

}  // namespace tenon::cuda
