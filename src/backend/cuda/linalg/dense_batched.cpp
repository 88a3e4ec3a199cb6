// backend/cuda/linalg/dense_batched.cpp: dense routines on many small matrices at once: cuBLAS's and cuSOLVER's batched
// routines, which take lists of addresses and 32-bit pivots.
#include <climits>
#include "backend/cuda/linalg/dense.hpp"
#include "backend/cuda/graph.hpp"

namespace tenon::cuda {

namespace {

constexpr int64_t kMany = 4;               // matrices
constexpr int64_t kSmall = 128;            // rows and columns up to which one routine for all beats a call for each
constexpr int64_t kMostColumns = 1 << 19;  // of right sides: cublasXtrsmBatched fails above

// Pivots between 32 and 64 bits.
void convert(CudaDevice& device, void* to, Dtype to_dtype, const void* from, Dtype from_dtype, int64_t count,
             Stream& stream) {
  const uint32_t bytes = dtype_bytes(to_dtype);
  device.copy({to, from, to_dtype, from_dtype, bytes, {{count, bytes, dtype_bytes(from_dtype)}}}, stream);
}

void lu(CudaDevice& device, const DenseProblem& p, Stream& stream) {
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

void lu_solve(CudaDevice& device, const DenseProblem& p, Stream& stream) {
  const SolverTypes t = solver_types(p.dtype);
  const Addresses a(device, p.a, t.size, p.batch, stream), b(device, p.b, t.size, p.batch, stream);
  Scratch pivots(device, uint64_t(p.batch * p.n) * 4, stream);
  convert(device, pivots.data(), TENON_INT32, p.pivots, TENON_INT64, p.batch * p.n, stream);
  int info = 0;  // on the host: of the arguments
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

void cholesky(CudaDevice& device, const DenseProblem& p, Stream& stream) {
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

void triangular(CudaDevice& device, const DenseProblem& p, const Addresses& a, const Addresses& b, int64_t rows,
                int64_t columns, bool right, Op op, bool unit, std::complex<double> factor, Stream& stream) {
  const SolverTypes t = solver_types(p.dtype);
  const Factor alpha(t, factor);
  auto scope = device.activate();
  BlasLease blas(device, stream);
  const RelaxedCapture relaxed(device, stream);
  const auto& routine =
      BY_TYPE(cublas(), t, cublasStrsmBatched_64, cublasDtrsmBatched_64, cublasCtrsmBatched_64, cublasZtrsmBatched_64);
  check_blas(device,
             routine(blas.handle(), right ? CUBLAS_SIDE_RIGHT : CUBLAS_SIDE_LEFT, fill_mode(p.upper), blas_op(op),
                     unit ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT, rows, columns, alpha.get(), a.get(), p.a.ld,
                     b.get(), p.b.ld, p.batch),
             "cublasXtrsmBatched");
}

void triangular_solve(CudaDevice& device, const DenseProblem& p, Stream& stream) {
  const int64_t size = solver_types(p.dtype).size;
  const Addresses a(device, p.a, size, p.batch, stream), b(device, p.b, size, p.batch, stream);
  triangular(device, p, a, b, p.m, p.n, p.right, p.op, p.unit, p.alpha, stream);
}

// U^H y = b, U x = y; or L y = b, L^H x = y.
void cholesky_solve(CudaDevice& device, const DenseProblem& p, Stream& stream) {
  const int64_t size = solver_types(p.dtype).size;
  const Addresses a(device, p.a, size, p.batch, stream), b(device, p.b, size, p.batch, stream);
  for (const bool first : {true, false})
    triangular(device, p, a, b, p.n, p.k, false, p.upper == first ? Op::conjugate_transpose : Op::none, false, 1,
               stream);
}

struct Row {
  Dense routine;
  void (*run)(CudaDevice& device, const DenseProblem& p, Stream& stream);
};

const Row kRows[] = {
    {Dense::lu, lu},
    {Dense::lu_solve, lu_solve},
    {Dense::cholesky, cholesky},
    {Dense::cholesky_solve, cholesky_solve},
    {Dense::triangular_solve, triangular_solve},
};

}  // namespace

bool batched_fits(const DenseProblem& p) {
  if (p.batch < kMany || p.batch > INT_MAX || p.n > kSmall || p.a.stride == 0) return false;
  switch (p.routine) {
    case Dense::lu: return p.m == p.n;
    case Dense::lu_solve: return p.k <= kMostColumns && p.b.ld <= INT_MAX;
    case Dense::cholesky: return true;
    case Dense::cholesky_solve: return p.k <= kMostColumns && bool(cublas().cublasDtrsmBatched_64);
    case Dense::triangular_solve: return p.m <= kSmall && bool(cublas().cublasDtrsmBatched_64);
    default: return false;
  }
}

void batched(CudaDevice& device, const DenseProblem& p, Stream& stream) {
  for (const Row& row : kRows)
    if (row.routine == p.routine) return row.run(device, p, stream);
}

}  // namespace tenon::cuda
