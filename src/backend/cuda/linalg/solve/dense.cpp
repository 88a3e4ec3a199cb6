// backend/cuda/linalg/solve/dense.cpp: the dense routines that take one matrix after another: cuSOLVER's 64-bit
// interface and kernels of numbers.cu.
#include "backend/cuda/linalg/dense.hpp"

#include <climits>
#include "backend/cuda/kernels/copy/copy.hpp"
#include "backend/cuda/graph.hpp"
#include "backend/cuda/kernels/numbers/numbers.hpp"

namespace tenon::cuda {

int blas_op(Op op) {
  switch (op) {
    case Op::none: return CUBLAS_OP_N;
    case Op::transpose: return CUBLAS_OP_T;
    case Op::conjugate_transpose: return CUBLAS_OP_C;
    case Op::conjugate: break;
  }
  fail(TENON_ERROR_INTERNAL, "cuBLAS has no conjugation without transposition");
}

Addresses::Addresses(CudaDevice& device, const DenseMatrix& x, int64_t element_bytes, int64_t batch, Stream& stream)
    : memory_(device, uint64_t(batch) * sizeof(void*), stream) {
  std::vector<const void*> list(static_cast<size_t>(batch));
  for (int64_t g = 0; g < batch; ++g) list[size_t(g)] = matrix_at(x, g, element_bytes);
  put_addresses(device, memory_.data(), list, stream);
}

namespace {

using Types = SolverTypes;

// cuBLAS takes evenly spaced numbers; a kernel of ours takes others.
bool one_run(const OnMatrices& p, const DenseMatrix& x) {
  return x.step > 0 && (p.n == 1 || x.ld == p.m * x.step) && (p.batch == 1 || x.stride == p.m * p.n * x.step);
}

// The type in which cuBLAS computes, and the factor: float32 for 16-bit elements.
struct VectorTypes {
  int data, computed;
  ElementFactor alpha;
  VectorTypes(Dtype dtype, std::complex<double> factor)
      : data(data_type_of(dtype)),
        computed(dtype_bytes(dtype) == 2 ? int(CUDA_R_32F) : data),
        alpha(solver_types(dtype_bytes(dtype) == 2 ? Dtype(TENON_FLOAT32) : dtype), factor) {}
};

// A few long vectors are divided into lines, so that many blocks have work; the norms of these lines then form one more
// line per vector.
NormLines lines_of(CudaDevice& device, const NormProblem& p) {
  constexpr int64_t kLine = 8192;
  if (p.kind == NormKind::infinity) return {p.m, p.n, p.a.step, p.a.ld, p.a.stride, p.n};
  if (p.n == 1 && (p.kind == NormKind::frobenius || p.kind == NormKind::sum) && p.m > kLine &&
      p.batch < 8 * std::max(device.info().multiprocessors, 1)) {
    const int64_t count = (p.m + kLine - 1) / kLine;
    return {count, kLine, kLine * p.a.step, p.a.step, p.a.stride, p.m - (count - 1) * kLine};
  }
  return {p.n, p.m, p.a.ld, p.a.step, p.a.stride, p.m};
}

// The size of a routine's memory, from its bufferSize function.
template <class F> SolverWork work_for(CudaDevice& device, const char* call, Stream& stream, F&& ask) {
  size_t device_bytes = 0, host_bytes = 0;
  check_solver(device, ask(&device_bytes, &host_bytes), call);
  return SolverWork(device, device_bytes, host_bytes, stream);
}

}  // namespace

void run(CudaDevice& device, const ConjugateProblem& p, Stream& stream) {
  const Types t = solver_types(p.dtype);
  if (!t.complex) return;
  const std::vector<CopyAxis> axes{{p.batch, p.a.stride * t.size, p.a.stride * t.size},
                                   {p.n, p.a.ld * t.size, p.a.ld * t.size},
                                   {p.m, t.size, t.size}};
  copy_conjugated(device, {p.a.data, p.a.data, p.dtype, p.dtype, uint32_t(t.size), axes}, stream);
}

void run(CudaDevice& device, const TriangleProblem& p, Stream& stream) {
  keep_triangle(device, p.dtype, p.a.data, p.a.ld, p.a.stride, p.m, p.n, p.batch, p.upper, p.unit, stream);
}

void run(CudaDevice& device, const AxpyProblem& p, Stream& stream) {
  if (p.alpha_at || !one_run(p, p.a) || !one_run(p, p.b)) return combine(device, p, p, p.a, p.b, stream);
  const VectorTypes t(p.dtype, p.alpha);
  auto scope = device.activate();
  BlasLease blas(device, stream);
  const RelaxedCapture relaxed(device, stream);
  check_blas(device,
             cublas().cublasAxpyEx_64(blas.handle(), p.m * p.n * p.batch, t.alpha.get(), t.computed, p.a.data, t.data,
                                      p.a.step, p.b.data, t.data, p.b.step, t.computed),
             "cublasAxpyEx");
}

void run(CudaDevice& device, const ScalProblem& p, Stream& stream) {
  if (p.alpha_at || !one_run(p, p.a)) return combine(device, p, p, {}, p.a, stream);
  const VectorTypes t(p.dtype, p.alpha);
  auto scope = device.activate();
  BlasLease blas(device, stream);
  const RelaxedCapture relaxed(device, stream);
  check_blas(device,
             cublas().cublasScalEx_64(blas.handle(), p.m * p.n * p.batch, t.alpha.get(), t.computed, p.a.data, t.data,
                                      p.a.step, t.computed),
             "cublasScalEx");
}

void run(CudaDevice& device, const NormProblem& p, Stream& stream) {
  const NormLines lines = lines_of(device, p);
  const int inner = p.kind == NormKind::largest     ? 1
                    : p.kind == NormKind::frobenius ? 2
                                                    : 0,
            outer = p.kind == NormKind::frobenius ? 2
                    : p.kind == NormKind::sum     ? 0
                                                  : 1;
  const Dtype result = dtype_real(p.dtype);
  if (lines.count == 1) return line_norms(device, p.norms, result, p.a.data, p.dtype, lines, p.batch, inner, stream);
  Scratch norms(device, uint64_t(lines.count) * uint64_t(p.batch) * 8, stream);
  line_norms(device, norms.data(), TENON_FLOAT64, p.a.data, p.dtype, lines, p.batch, inner, stream);
  line_norms(device, p.norms, result, norms.data(), TENON_FLOAT64, {1, lines.count, 0, 1, lines.count, lines.count},
             p.batch, outer, stream);
}

void run(CudaDevice& device, const LuProblem& p, Stream& stream) {
  if (batched_fits(p)) return run_batched(device, p, stream);
  const Types t = solver_types(p.dtype);
  const Cusolver& solver = cusolver();
  auto scope = device.activate();
  SolverLease h(device, stream);
  SolverWork work = work_for(device, "cusolverDnXgetrf_bufferSize", stream, [&](size_t* on_device, size_t* on_host) {
    return solver.cusolverDnXgetrf_bufferSize(h->handle, h->params, p.m, p.n, t.data, p.a.data, p.a.ld, t.data,
                                              on_device, on_host);
  });
  for (int64_t g = 0; g < p.batch; ++g)
    check_solver(device,
                 solver.cusolverDnXgetrf(h->handle, h->params, p.m, p.n, t.data, matrix_at(p.a, g, t.size), p.a.ld,
                                         p.pivots + g * std::min(p.m, p.n), t.data, work.device.data(),
                                         work.device.bytes(), work.host.data(), work.host.size() - 1, p.info + g),
                 "cusolverDnXgetrf");
}

void run(CudaDevice& device, const LuSolveProblem& p, Stream& stream) {
  if (batched_fits(p)) return run_batched(device, p, stream);
  const Types t = solver_types(p.dtype);
  auto scope = device.activate();
  SolverLease h(device, stream);
  for (int64_t g = 0; g < p.batch; ++g)
    check_solver(device,
                 cusolver().cusolverDnXgetrs(h->handle, h->params, blas_op(p.op), p.n, p.k, t.data,
                                             matrix_at(p.a, g, t.size), p.a.ld, p.pivots + (p.a.stride ? g * p.n : 0),
                                             t.data, matrix_at(p.b, g, t.size), p.b.ld, p.info + g),
                 "cusolverDnXgetrs");
}

namespace {

void cholesky(CudaDevice& device, const CholeskyProblem& p, Stream& stream) {
  if (batched_fits(p)) return run_batched(device, p, stream);
  const Types t = solver_types(p.dtype);
  const Cusolver& solver = cusolver();
  auto scope = device.activate();
  SolverLease h(device, stream);
  SolverWork work = work_for(device, "cusolverDnXpotrf_bufferSize", stream, [&](size_t* on_device, size_t* on_host) {
    return solver.cusolverDnXpotrf_bufferSize(h->handle, h->params, fill_mode(p.upper), p.n, t.data, p.a.data, p.a.ld,
                                              t.data, on_device, on_host);
  });
  for (int64_t g = 0; g < p.batch; ++g)
    check_solver(device,
                 solver.cusolverDnXpotrf(h->handle, h->params, fill_mode(p.upper), p.n, t.data,
                                         matrix_at(p.a, g, t.size), p.a.ld, t.data, work.device.data(),
                                         work.device.bytes(), work.host.data(), work.host.size() - 1, p.info + g),
                 "cusolverDnXpotrf");
}

// For an upper triangle: U of a = U^H U is the transpose of L of a^T = L L^H. cuSOLVER computes L in half the time, and
// for U its batched routine overwrites the other triangle.
void cholesky_of_transpose(CudaDevice& device, const CholeskyProblem& p, Stream& stream) {
  const int64_t n = p.n, size = solver_types(p.dtype).size;
  const Dtype plain = TENON_DTYPE(1, uint32_t(size * 8), 1);
  const Scratch memory(device, uint64_t(p.batch * n * n * size), stream);
  CholeskyProblem lower = p;
  lower.upper = false;
  lower.a = {memory.data(), n, n * n};
  const auto transpose = [&](const DenseMatrix& to, const DenseMatrix& from) {
    CopyProblem problem{to.data, from.data, plain, plain, uint32_t(size), {}};
    if (p.batch > 1) problem.axes.push_back({p.batch, to.stride * size, from.stride * size});
    if (n > 1) problem.axes.insert(problem.axes.end(), {{n, to.ld * size, size}, {n, size, from.ld * size}});
    device.run(problem, stream);
  };
  transpose(lower.a, p.a);
  cholesky(device, lower, stream);
  transpose(p.a, lower.a);
}

}  // namespace

void run(CudaDevice& device, const CholeskyProblem& p, Stream& stream) {
  if (p.upper) cholesky_of_transpose(device, p, stream);
  else cholesky(device, p, stream);
}

void run(CudaDevice& device, const CholeskySolveProblem& p, Stream& stream) {
  if (batched_fits(p)) return run_batched(device, p, stream);
  const Types t = solver_types(p.dtype);
  auto scope = device.activate();
  SolverLease h(device, stream);
  for (int64_t g = 0; g < p.batch; ++g)
    check_solver(device,
                 cusolver().cusolverDnXpotrs(h->handle, h->params, fill_mode(p.upper), p.n, p.k, t.data,
                                             matrix_at(p.a, g, t.size), p.a.ld, t.data, matrix_at(p.b, g, t.size),
                                             p.b.ld, p.info + g),
                 "cusolverDnXpotrs");
}

void run(CudaDevice& device, const QrProblem& p, Stream& stream) {
  const Types t = solver_types(p.dtype);
  const Cusolver& solver = cusolver();
  auto scope = device.activate();
  SolverLease h(device, stream);
  SolverWork work = work_for(device, "cusolverDnXgeqrf_bufferSize", stream, [&](size_t* on_device, size_t* on_host) {
    return solver.cusolverDnXgeqrf_bufferSize(h->handle, h->params, p.m, p.n, t.data, p.a.data, p.a.ld, t.data, p.tau,
                                              t.data, on_device, on_host);
  });
  for (int64_t g = 0; g < p.batch; ++g)
    check_solver(
        device,
        solver.cusolverDnXgeqrf(h->handle, h->params, p.m, p.n, t.data, matrix_at(p.a, g, t.size), p.a.ld, t.data,
                                static_cast<char*>(p.tau) + g * std::min(p.m, p.n) * t.size, t.data, work.device.data(),
                                work.device.bytes(), work.host.data(), work.host.size() - 1, p.info + g),
        "cusolverDnXgeqrf");
}

void run(CudaDevice& device, const QrVectorsProblem& p, Stream& stream) {
  const Types t = solver_types(p.dtype);
  const Cusolver& solver = cusolver();
  TENON_REQUIRE(std::max({p.m, p.n, p.a.ld}) <= INT_MAX, TENON_ERROR_UNSUPPORTED,
                "cuSOLVER's orgqr has 32-bit integers, but the matrix is %lld x %lld", static_cast<long long>(p.m),
                static_cast<long long>(p.n));
  const int m = int(p.m), n = int(p.n), k = int(p.k), ld = int(p.a.ld);
  auto scope = device.activate();
  SolverLease h(device, stream);
  int elements = 0;
  const auto& size = BY_TYPE(solver, t, cusolverDnSorgqr_bufferSize, cusolverDnDorgqr_bufferSize,
                             cusolverDnCungqr_bufferSize, cusolverDnZungqr_bufferSize);
  check_solver(device, size(h->handle, m, n, k, p.a.data, ld, p.tau, &elements), "cusolverDnXorgqr_bufferSize");
  Scratch work(device, uint64_t(std::max(elements, 1)) * uint64_t(t.size), stream);
  const auto& form = BY_TYPE(solver, t, cusolverDnSorgqr, cusolverDnDorgqr, cusolverDnCungqr, cusolverDnZungqr);
  for (int64_t g = 0; g < p.batch; ++g)
    check_solver(device,
                 form(h->handle, m, n, k, matrix_at(p.a, g, t.size), ld,
                      static_cast<const char*>(p.tau) + g * p.k * t.size, work.data(), elements, p.info + g),
                 "cusolverDnXorgqr");
}

}  // namespace tenon::cuda
