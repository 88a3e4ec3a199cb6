// backend/cuda/linalg/solve/dense_eigen.cpp: eigenvalues and eigenvectors on cuSOLVER.
#include "backend/cuda/linalg/dense.hpp"

namespace tenon::cuda {

namespace {

constexpr int64_t kSmallEigen = 256;  // up to this size one routine for the whole batch
// Matrices per call: cusolverDnXsyevBatched refuses more than about 32,000, and its memory grows with their number.
constexpr int64_t kMost = 1 << 14;

// Matrices of a batch by one routine; false: it would need more than `memory` bytes, and nothing was done.
bool hermitian_batched(CudaDevice& device, const EighProblem& p, const SolverTypes& t, int job, uint64_t memory,
                       Stream& stream) {
  const Cusolver& solver = cusolver();
  auto scope = device.activate();
  SolverLease h(device, stream);
  size_t device_bytes = 0, host_bytes = 0;
  check_solver(
      device,
      solver.cusolverDnXsyevBatched_bufferSize(h->handle, h->params, job, fill_mode(p.upper), p.n, t.data, p.a.data,
                                               p.a.ld, t.real, p.w, t.data, &device_bytes, &host_bytes, p.batch),
      "cusolverDnXsyevBatched_bufferSize");
  if (p.batch > 1 && device_bytes > memory) return false;
  SolverWork work(device, device_bytes, host_bytes, stream);
  check_solver(device,
               solver.cusolverDnXsyevBatched(h->handle, h->params, job, fill_mode(p.upper), p.n, t.data, p.a.data,
                                             p.a.ld, t.real, p.w, t.data, work.device.data(), device_bytes,
                                             work.host.data(), host_bytes, p.info, p.batch),
               "cusolverDnXsyevBatched");
  return true;
}

// All matrices of a batch, in pieces.
void hermitian_in_pieces(CudaDevice& device, const EighProblem& p, const SolverTypes& t, int job, Stream& stream) {
  const uint64_t memory = device.info().total_memory / 8;
  int64_t most = kMost;
  for (int64_t g = 0; g < p.batch;) {
    EighProblem piece = p;
    piece.batch = std::min(most, p.batch - g);
    piece.a.data = matrix_at(p.a, g, t.size);
    piece.w = static_cast<char*>(p.w) + g * p.n * t.real_size;
    piece.info = p.info + g;
    if (hermitian_batched(device, piece, t, job, memory, stream)) g += piece.batch;
    else most = piece.batch / 2;
  }
}

}  // namespace

void run(CudaDevice& device, const EighProblem& p, Stream& stream) {
  const SolverTypes t = solver_types(p.dtype);
  const Cusolver& solver = cusolver();
  const int job = p.vectors ? CUSOLVER_EIG_MODE_VECTOR : CUSOLVER_EIG_MODE_NOVECTOR, uplo = fill_mode(p.upper);
  const bool some = p.count < p.n;
  if (!some && p.batch > 1 && p.n <= kSmallEigen && p.a.ld == p.n && p.a.stride == p.n * p.n &&
      solver.cusolverDnXsyevBatched)
    return hermitian_in_pieces(device, p, t, job, stream);

  Scratch values(device, some ? uint64_t(p.n * t.real_size) : 0,
                 stream);  // the routine for a range of values needs room for all
  int64_t found = 0;
  auto scope = device.activate();
  SolverLease h(device, stream);
  size_t device_bytes = 0, host_bytes = 0;
  double low = 0, high = 0;  // not read when selecting by index
  const int64_t first = p.first + 1, last = p.first + p.count;
  if (some)
    check_solver(device,
                 solver.cusolverDnXsyevdx_bufferSize(h->handle, h->params, job, CUSOLVER_EIG_RANGE_I, uplo, p.n, t.data,
                                                     p.a.data, p.a.ld, &low, &high, first, last, &found, t.real,
                                                     values.data(), t.data, &device_bytes, &host_bytes),
                 "cusolverDnXsyevdx_bufferSize");
  else
    check_solver(device,
                 solver.cusolverDnXsyevd_bufferSize(h->handle, h->params, job, uplo, p.n, t.data, p.a.data, p.a.ld,
                                                    t.real, p.w, t.data, &device_bytes, &host_bytes),
                 "cusolverDnXsyevd_bufferSize");
  SolverWork work(device, device_bytes, host_bytes, stream);
  for (int64_t g = 0; g < p.batch; ++g) {
    void* a = matrix_at(p.a, g, t.size);
    char* w = static_cast<char*>(p.w) + g * p.count * t.real_size;
    if (!some) {
      check_solver(device,
                   solver.cusolverDnXsyevd(h->handle, h->params, job, uplo, p.n, t.data, a, p.a.ld, t.real, w, t.data,
                                           work.device.data(), device_bytes, work.host.data(), host_bytes, p.info + g),
                   "cusolverDnXsyevd");
      continue;
    }
    check_solver(device,
                 solver.cusolverDnXsyevdx(h->handle, h->params, job, CUSOLVER_EIG_RANGE_I, uplo, p.n, t.data, a, p.a.ld,
                                          &low, &high, first, last, &found, t.real, values.data(), t.data,
                                          work.device.data(), device_bytes, work.host.data(), host_bytes, p.info + g),
                 "cusolverDnXsyevdx");
    device.check(device.driver().cuMemcpyDtoDAsync(address(w), address(values.data()), size_t(p.count * t.real_size),
                                                   handle_of(stream)),
                 "cuMemcpyDtoDAsync");
    device.check(device.driver().cuStreamSynchronize(handle_of(stream)),
                 "cuStreamSynchronize");  // `found` is in host memory
    if (found != p.count)
      device.check(device.driver().cuMemsetD32Async(address(p.info + g), 1, 1, handle_of(stream)), "cuMemsetD32Async");
  }
}

namespace {

// Converts LAPACK's columns for the vectors of a real matrix to complex ones; for a conjugate pair, the two columns
// hold the real and the imaginary part.
template <class R>
void unpack(std::vector<std::complex<R>>& v, const std::vector<R>& x, const std::vector<std::complex<R>>& w) {
  const size_t n = w.size();
  for (size_t j = 0; j < n; ++j) {
    const bool second = w[j].imag() < 0 && j > 0, first = w[j].imag() > 0 && j + 1 < n;
    const R *re = &x[(second ? j - 1 : j) * n], *im = first || second ? re + n : nullptr;
    for (size_t i = 0; i < n; ++i) v[j * n + i] = {re[i], im ? (second ? -im[i] : im[i]) : R(0)};
  }
}

template <class R> void unpack_on_host(CudaDevice& device, const void* packed, const void* w, const DenseMatrix& to,
                                       int64_t g, int64_t n, Stream& stream) {
  std::vector<R> x(static_cast<size_t>(n * n));
  std::vector<std::complex<R>> values(static_cast<size_t>(n)), v(static_cast<size_t>(n * n));
  device.download(values.data(), w, values.size() * sizeof(values[0]), false, stream);
  device.download(x.data(), packed, x.size() * sizeof(R), false, stream);
  unpack(v, x, values);
  device.upload(matrix_at(to, g, sizeof(v[0])), v.data(), v.size() * sizeof(v[0]), false, stream);
}

}  // namespace

void run(CudaDevice& device, const EigProblem& p, Stream& stream) {
  const SolverTypes t = solver_types(p.dtype);
  const Cusolver& solver = cusolver();
  TENON_REQUIRE(
      solver.cusolverDnXgeev, TENON_ERROR_UNSUPPORTED,
      "eigenvalues of general matrices on CUDA need cuSOLVER of CUDA 12.6 update 2 or later; the CPU device has them "
      "too");
  *p.took_left = false;  // cuSOLVER only computes the right vectors
  const int complex = t.real_size == 4 ? CUDA_C_32F : CUDA_C_64F;
  const int64_t complex_bytes = 2 * t.real_size;
  const int no = CUSOLVER_EIG_MODE_NOVECTOR, job = p.vectors ? CUSOLVER_EIG_MODE_VECTOR : no;
  Scratch columns(device, p.vectors && !t.complex ? uint64_t(p.n * p.n * t.size) : 0, stream);
  auto scope = device.activate();
  SolverLease h(device, stream);
  const auto right = [&](int64_t g) {
    return !p.vectors ? nullptr : t.complex ? static_cast<void*>(matrix_at(p.b, g, complex_bytes)) : columns.data();
  };
  size_t device_bytes = 0, host_bytes = 0;
  check_solver(device,
               solver.cusolverDnXgeev_bufferSize(h->handle, h->params, no, job, p.n, t.data, p.a.data, p.a.ld, complex,
                                                 p.w, t.data, nullptr, p.n, t.data, right(0), p.n, t.data,
                                                 &device_bytes, &host_bytes),
               "cusolverDnXgeev_bufferSize");
  SolverWork work(device, device_bytes, host_bytes, stream);
  for (int64_t g = 0; g < p.batch; ++g) {
    char* w = static_cast<char*>(p.w) + g * p.n * complex_bytes;
    check_solver(device,
                 solver.cusolverDnXgeev(h->handle, h->params, no, job, p.n, t.data, matrix_at(p.a, g, t.size), p.a.ld,
                                        complex, w, t.data, nullptr, p.n, t.data, right(g), p.n, t.data,
                                        work.device.data(), device_bytes, work.host.data(), host_bytes, p.info + g),
                 "cusolverDnXgeev");
    int32_t info = 0;
    if (p.vectors && !t.complex) device.download(&info, p.info + g, sizeof info, false, stream);
    if (p.vectors && !t.complex && info == 0) {  // else the values that give the columns' meaning may be unset
      if (t.real_size == 4) unpack_on_host<float>(device, columns.data(), w, p.b, g, p.n, stream);
      else unpack_on_host<double>(device, columns.data(), w, p.b, g, p.n, stream);
    }
  }
}

}  // namespace tenon::cuda
