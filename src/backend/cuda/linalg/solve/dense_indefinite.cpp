// backend/cuda/linalg/solve/dense_indefinite.cpp: factors of symmetric matrices that need not be definite, on cuSOLVER:
// its factorisation has 32-bit integers and pivots, its solution 64-bit ones.
#include <climits>
#include "backend/cuda/linalg/dense.hpp"

namespace tenon::cuda {

namespace {

void require_symmetric(bool conjugated) {
  TENON_REQUIRE(!conjugated, TENON_ERROR_UNSUPPORTED,
                "cuSOLVER has LDL factors of symmetric matrices only, not of Hermitian ones; the CPU device has them");
}

}  // namespace

void run(CudaDevice& device, const LdlProblem& p, Stream& stream) {
  require_symmetric(p.conjugated);
  const SolverTypes t = solver_types(p.dtype);
  const Cusolver& solver = cusolver();
  TENON_REQUIRE(std::max(p.n, p.a.ld) <= INT_MAX, TENON_ERROR_UNSUPPORTED,
                "cuSOLVER's sytrf has 32-bit integers, but the matrix has %lld rows", static_cast<long long>(p.n));
  const int n = int(p.n), ld = int(p.a.ld);
  Scratch pivots(device, uint64_t(p.batch * p.n) * 4, stream);
  {
    auto scope = device.activate();
    SolverLease h(device, stream);
    int elements = 0;
    const auto& size = BY_TYPE(solver, t, cusolverDnSsytrf_bufferSize, cusolverDnDsytrf_bufferSize,
                               cusolverDnCsytrf_bufferSize, cusolverDnZsytrf_bufferSize);
    check_solver(device, size(h->handle, n, p.a.data, ld, &elements), "cusolverDnXsytrf_bufferSize");
    Scratch work(device, uint64_t(std::max(elements, 1)) * uint64_t(t.size), stream);
    const auto& factor = BY_TYPE(solver, t, cusolverDnSsytrf, cusolverDnDsytrf, cusolverDnCsytrf, cusolverDnZsytrf);
    for (int64_t g = 0; g < p.batch; ++g)
      check_solver(device,
                   factor(h->handle, fill_mode(p.upper), n, matrix_at(p.a, g, t.size), ld,
                          static_cast<int*>(pivots.data()) + g * p.n, work.data(), elements, p.info + g),
                   "cusolverDnXsytrf");
  }
  device.run(CopyProblem{p.pivots, pivots.data(), TENON_INT64, TENON_INT32, 8, {{p.batch * p.n, 8, 4}}}, stream);
}

void run(CudaDevice& device, const LdlSolveProblem& p, Stream& stream) {
  require_symmetric(p.conjugated);
  const SolverTypes t = solver_types(p.dtype);
  const Cusolver& solver = cusolver();
  auto scope = device.activate();
  SolverLease h(device, stream);
  size_t device_bytes = 0, host_bytes = 0;
  check_solver(device,
               solver.cusolverDnXsytrs_bufferSize(h->handle, fill_mode(p.upper), p.n, p.k, t.data, p.a.data, p.a.ld,
                                                  p.pivots, t.data, p.b.data, p.b.ld, &device_bytes, &host_bytes),
               "cusolverDnXsytrs_bufferSize");
  SolverWork work(device, device_bytes, host_bytes, stream);
  for (int64_t g = 0; g < p.batch; ++g)
    check_solver(
        device,
        solver.cusolverDnXsytrs(h->handle, fill_mode(p.upper), p.n, p.k, t.data, matrix_at(p.a, g, t.size), p.a.ld,
                                p.pivots + (p.a.stride ? g * p.n : 0), t.data, matrix_at(p.b, g, t.size), p.b.ld,
                                work.device.data(), device_bytes, work.host.data(), host_bytes, p.info + g),
        "cusolverDnXsytrs");
}

}  // namespace tenon::cuda
