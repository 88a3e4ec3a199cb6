// backend/cuda/linalg/solve/solver.cpp: singular value decompositions on cuSOLVER.
//
// Small matrices: Jacobi's method, all of a batch at once (numbers.cu). Others, of single precision: the polar
// decomposition in double precision (svd_polar.cpp). Of double precision: gesvdp, cuSOLVER's own polar decomposition,
// several times faster than the QR iteration (gesvd), which stands in where the others do not converge or had to
// perturb the matrix.
#include "backend/cuda/linalg/solver.hpp"

#include <tenon/linalg.h>
#include <algorithm>
#include <cfloat>
#include <climits>
#include <cmath>
#include "backend/cuda/linalg/blas.hpp"
#include "backend/cuda/kernels/copy/copy.hpp"
#include "backend/cuda/kernels/numbers/numbers.hpp"

namespace tenon::cuda {

namespace {

constexpr size_t kMostIdle = 8;  // handles; above this, handles move between streams

void destroy(CudaDevice& device, const SolverHandle& h) noexcept {
  try {
    const Cusolver& solver = cusolver();
    if (h.params) solver.cusolverDnDestroyParams(h.params);
    if (h.handle) solver.cusolverDnDestroy(h.handle);
    if (h.used) device.driver().cuEventDestroy(h.used);
  } catch (...) {  // never made without these symbols
  }
}

}  // namespace

// Idle handles.
struct SolverState {
  CudaDevice& device;
  std::mutex mutex;
  std::vector<SolverHandle> idle;

  explicit SolverState(CudaDevice& d) : device(d) {}
  ~SolverState() {
    if (!device.usable()) return;
    try {
      auto scope = device.activate();
      for (const SolverHandle& h : idle) destroy(device, h);
    } catch (...) {  // the device is lost, and so are its handles
    }
  }
};

void check_solver(CudaDevice& device, int status, const char* call) {
  if (status == CUSOLVER_STATUS_SUCCESS) return;
  const bool memory = status == CUSOLVER_STATUS_ALLOC_FAILED;
  device.fail_vendor(call, status, memory ? "out of device memory" : "see cusolverStatus_t",
                     memory ? TENON_ERROR_OUT_OF_MEMORY : TENON_ERROR_VENDOR);
}

namespace {

SolverState& solver_state_of(CudaDevice& device) {
  std::lock_guard lock(device.state_mutex());
  if (!device.solver_state) device.solver_state = std::make_shared<SolverState>(device);
  return *device.solver_state;
}

}  // namespace

SolverLease::SolverLease(CudaDevice& device, Stream& stream) : device_(device), state_(solver_state_of(device)) {
  const CUstream native = handle_of(stream);
  {
    std::lock_guard lock(state_.mutex);
    auto& idle = state_.idle;
    auto found = std::find_if(idle.begin(), idle.end(), [&](const SolverHandle& h) { return h.stream == native; });
    if (found == idle.end() && idle.size() >= kMostIdle) found = idle.begin();  // the least recently used one
    if (found != idle.end()) {
      h_ = *found;
      idle.erase(found);
    }
  }
  const Cusolver& solver = cusolver();
  const Driver& driver = device.driver();
  try {
    if (!h_.handle) {
      device.check(driver.cuEventCreate(&h_.used, CU_EVENT_DISABLE_TIMING), "cuEventCreate");
      check_solver(device, solver.cusolverDnCreate(&h_.handle), "cusolverDnCreate");
      check_solver(device, solver.cusolverDnCreateParams(&h_.params), "cusolverDnCreateParams");
    }
    // Also for the same stream, because a later stream may have an earlier one's address.
    device.check(driver.cuStreamWaitEvent(native, h_.used, 0), "cuStreamWaitEvent");
    check_solver(device, solver.cusolverDnSetStream(h_.handle, native), "cusolverDnSetStream");
    h_.stream = native;
  } catch (...) {
    destroy(device, h_);
    throw;
  }
}

SolverLease::~SolverLease() {
  try {
    auto scope = device_.activate();
    device_.check(device_.driver().cuEventRecord(h_.used, h_.stream), "cuEventRecord");
    std::lock_guard lock(state_.mutex);
    state_.idle.push_back(h_);
  } catch (...) {  // no event to wait for, or no memory to remember it
    destroy(device_, h_);
  }
}

SolverWork::~SolverWork() {
  if (host.size() <= 1) return;
  for (int attempt = 0; attempt < 2; ++attempt) {
    try {
      stream_.synchronize();
      return;
    } catch (...) {
      if (!static_cast<CudaDevice&>(stream_.device()).usable()) return;  // nothing reads it on a lost device
    }
  }
  // The driver cannot report when the routine is done, so its memory is leaked.
  alignas(std::vector<char>) unsigned char kept[sizeof(std::vector<char>)];
  new (kept) std::vector<char>(std::move(host));
}

int read_info(CudaDevice& device, const Scratch& info, Stream& stream) {
  int value = 0;
  device.download(&value, info.data(), 4, false, stream);
  return value;
}

SolverTypes solver_types(Dtype dtype) {
  switch (dtype) {
    case TENON_FLOAT32: return {CUDA_R_32F, CUDA_R_32F, 4, 4, TENON_FLOAT32, false, FLT_EPSILON, 0};
    case TENON_FLOAT64: return {CUDA_R_64F, CUDA_R_64F, 8, 8, TENON_FLOAT64, false, DBL_EPSILON, 1};
    case TENON_COMPLEX64: return {CUDA_C_32F, CUDA_R_32F, 8, 4, TENON_FLOAT32, true, FLT_EPSILON, 2};
    case TENON_COMPLEX128: return {CUDA_C_64F, CUDA_R_64F, 16, 8, TENON_FLOAT64, true, DBL_EPSILON, 3};
  }
  fail(TENON_ERROR_DTYPE, "cuSOLVER does not support factorisations of %s", dtype_name(dtype).c_str());
}

namespace {

using Types = SolverTypes;

[[noreturn]] void not_converged(const char* call, int64_t info, int64_t index) {
  Error error(TENON_ERROR_NOT_CONVERGED,
              format("the singular value decomposition of matrix %lld of the batch did not converge (%s, info %lld)",
                     static_cast<long long>(index), call, static_cast<long long>(info)));
  error.native_call = call;
  error.native_code = info;
  error.batch_index = index;
  throw error;
}

char* at(void* base, int64_t bytes) { return base ? static_cast<char*>(base) + bytes : nullptr; }

struct Matrix {
  void* data;
  int64_t row, column;  // strides in elements
};

void copy_matrix(CudaDevice& device, const Types& t, Dtype dtype, int64_t rows, int64_t columns, Matrix to, Matrix from,
                 bool conjugate, Stream& stream) {
  const Dtype plain = TENON_DTYPE(1, uint32_t(t.size * 8), 1);
  const bool convert = conjugate && t.complex;
  CopyProblem problem{to.data, from.data, convert ? dtype : plain, convert ? dtype : plain, uint32_t(t.size), {}};
  problem.axes = {{columns, to.column * t.size, from.column * t.size}, {rows, to.row * t.size, from.row * t.size}};
  if (convert) copy_conjugated(device, problem, stream);
  else device.run(problem, stream);
}

// ---- One larger matrix, rows >= columns ----

struct Tall {
  int64_t m, n;
  void* a;  // destroyed
  void* s;
  void* u;  // m x n, or m x m if full
  void* v;  // n x n
  bool full;
  bool vectors;  // false: only values are requested; u and v exist anyway, for routines that always write them
};

// v receives V. False: gesvdp failed, or perturbed the matrix.
bool svd_polar(CudaDevice& device, const Types& t, const Tall& p, Stream& stream) {
  const Cusolver& solver = cusolver();
  const int job = p.vectors ? CUSOLVER_EIG_MODE_VECTOR : CUSOLVER_EIG_MODE_NOVECTOR;
  const int economy = p.full ? 0 : 1;
  Scratch info(device, 4, stream);
  double error = 0;
  {
    auto scope = device.activate();
    SolverLease h(device, stream);
    size_t device_bytes = 0, host_bytes = 0;
    check_solver(
        device,
        solver.cusolverDnXgesvdp_bufferSize(h->handle, h->params, job, economy, p.m, p.n, t.data, p.a, p.m, t.real, p.s,
                                            t.data, p.u, p.m, t.data, p.v, p.n, t.data, &device_bytes, &host_bytes),
        "cusolverDnXgesvdp_bufferSize");
    SolverWork work(device, device_bytes, host_bytes, stream);
    const int status = solver.cusolverDnXgesvdp(
        h->handle, h->params, job, economy, p.m, p.n, t.data, p.a, p.m, t.real, p.s, t.data, p.u, p.m, t.data, p.v, p.n,
        t.data, work.device.data(), device_bytes, work.host.data(), host_bytes, static_cast<int*>(info.data()), &error);
    device.check(device.driver().cuStreamSynchronize(handle_of(stream)),
                 "cuStreamSynchronize");  // the host memory may be freed now
    if (status == CUSOLVER_STATUS_EXECUTION_FAILED)
      return false;  // its reply for some graded matrices; the device is not lost
    check_solver(device, status, "cusolverDnXgesvdp");
  }
  if (read_info(device, info, stream) != 0) return false;
  double largest = 0;
  if (t.real_size == 4) {
    float value = 0;
    device.download(&value, p.s, 4, false, stream);
    largest = value;
  } else {
    device.download(&largest, p.s, 8, false, stream);
  }
  if (!(largest > 0) || !(error <= 4 * std::sqrt(double(p.n)) * t.epsilon * largest)) return false;
  return all_finite(device, p.s, t.real_dtype, p.n, stream);
}

// v receives V^H.
void svd_qr(CudaDevice& device, const Types& t, const Tall& p, int64_t index, Stream& stream) {
  const Cusolver& solver = cusolver();
  const signed char job_u = !p.vectors ? 'N' : p.full ? 'A' : 'S', job_v = p.vectors ? 'S' : 'N';
  Scratch info(device, 4, stream);
  {
    auto scope = device.activate();
    SolverLease h(device, stream);
    size_t device_bytes = 0, host_bytes = 0;
    check_solver(
        device,
        solver.cusolverDnXgesvd_bufferSize(h->handle, h->params, job_u, job_v, p.m, p.n, t.data, p.a, p.m, t.real, p.s,
                                           t.data, p.u, p.m, t.data, p.v, p.n, t.data, &device_bytes, &host_bytes),
        "cusolverDnXgesvd_bufferSize");
    SolverWork work(device, device_bytes, host_bytes, stream);
    check_solver(device,
                 solver.cusolverDnXgesvd(h->handle, h->params, job_u, job_v, p.m, p.n, t.data, p.a, p.m, t.real, p.s,
                                         t.data, p.u, p.m, t.data, p.v, p.n, t.data, work.device.data(), device_bytes,
                                         work.host.data(), host_bytes, static_cast<int*>(info.data())),
                 "cusolverDnXgesvd");
    device.check(device.driver().cuStreamSynchronize(handle_of(stream)), "cuStreamSynchronize");
  }
  if (int code = read_info(device, info, stream)) not_converged("cusolverDnXgesvd", code, index);
}

// Scales a float64 matrix whose squares would overflow or vanish to norm one; returns the factor.
double tame(CudaDevice& device, const Types& t, void* a, int64_t numbers, Stream& stream) {
  if (t.real_size == 4 || !cublas().cublasDnrm2_64) return 1;
  double norm = 0;
  {
    auto scope = device.activate();
    BlasLease lease(device, stream);
    check_blas(device, cublas().cublasDnrm2_64(lease.handle(), numbers, static_cast<const double*>(a), 1, &norm),
               "cublasDnrm2");
  }
  if (norm == 0 || (norm > 1e-100 && norm < 1e100)) return 1;
  const double factor = norm < 1 ? std::min(1 / norm, 1e300) : std::max(1 / norm, 1e-300);
  scale_and_perturb(device, a, a, numbers, factor, 0, stream);
  return factor;
}

void scale_values(CudaDevice& device, void* s, int64_t n, double factor, Stream& stream) {
  std::vector<double> values(static_cast<size_t>(n));
  device.download(values.data(), s, uint64_t(n) * 8, false, stream);
  for (double& x : values) x *= factor;
  device.upload(s, values.data(), uint64_t(n) * 8, false, stream);
}

// Returns the driver that was used.
int32_t svd_large(CudaDevice& device, const SvdProblem& p, int64_t index, Stream& stream) {
  const Types t = solver_types(p.dtype);
  const bool vectors = p.u != nullptr, full = p.mode == TENON_SVD_MODE_FULL;
  const int64_t m = p.m, n = p.n, uc = full ? m : n;
  char* a = at(p.a, index * m * n * t.size);
  char* s = at(p.s, index * n * t.real_size);
  char* u_out = at(p.u, index * m * uc * t.size);
  char* vh_out = at(p.vh, index * n * n * t.size);
  Scratch u(device, vectors ? 0 : uint64_t(m * uc * t.size), stream);
  Scratch v(device, uint64_t(n * n * t.size), stream);
  Tall tall{m, n, a, s, vectors ? u_out : u.data(), v.data(), full, vectors};

  const double factor = tame(device, t, a, m * n * (t.complex ? 2 : 1), stream);
  bool polar = false;
  if (p.driver != TENON_SVD_DRIVER_QR && t.real_size == 4 && (!vectors || uc == n))
    polar =
        svd_in_double(device, {p.dtype, m, n, a, s, vectors ? tall.u : nullptr, vectors ? tall.v : nullptr}, stream);
  if (!polar && p.driver == TENON_SVD_DRIVER_QR) {
    svd_qr(device, t, tall, index, stream);
  } else if (!polar) {
    Scratch second(device, uint64_t(m * n * t.size), stream);  // a copy of the matrix, in case gesvdp fails
    copy_matrix(device, t, p.dtype, m * n, 1, {second.data(), 1, 0}, {a, 1, 0}, false, stream);
    polar = svd_polar(device, t, tall, stream);
    if (!polar) {
      tall.a = second.data();
      svd_qr(device, t, tall, index, stream);
    }
  }
  if (factor != 1) scale_values(device, s, n, 1 / factor, stream);
  // `v` contains V (polar decompositions) or V^H (QR).
  if (vectors)
    copy_matrix(device, t, p.dtype, n, n, {vh_out, 1, n}, polar ? Matrix{v.data(), n, 1} : Matrix{v.data(), 1, n},
                polar, stream);
  return polar ? TENON_SVD_DRIVER_POLAR : TENON_SVD_DRIVER_QR;
}

}  // namespace

void run(CudaDevice& device, const SvdProblem& p, Stream& stream) {
  const Types t = solver_types(p.dtype);
  const int64_t matrix = p.m * p.n * (t.complex ? 2 : 1), uc = p.mode == TENON_SVD_MODE_FULL ? p.m : p.n;
  const bool small = jacobi_fits(device, p.m, p.n, p.u ? uc : p.n);
  *p.ran = 0;
  if (p.driver == TENON_SVD_DRIVER_JACOBI
          ? !small
          : p.driver != TENON_SVD_DRIVER_AUTO && p.driver != TENON_SVD_DRIVER_QR && p.driver != TENON_SVD_DRIVER_POLAR)
    return;
  if (!all_finite(device, p.a, t.real_dtype, matrix * p.batch, stream)) {
    int64_t index = 0;
    while (index + 1 < p.batch && all_finite(device, at(p.a, index * p.m * p.n * t.size), t.real_dtype, matrix, stream))
      index++;
    Error error(TENON_ERROR_NOT_FINITE,
                format("matrix %lld of the batch of %lld contains NaN or infinity, so it has no singular values",
                       static_cast<long long>(index), static_cast<long long>(p.batch)));
    error.batch_index = index;
    throw error;
  }
  if (small && (p.driver == TENON_SVD_DRIVER_AUTO || p.driver == TENON_SVD_DRIVER_JACOBI)) {
    const int64_t failed = jacobi(device, p.dtype, p.m, p.n, uc, p.batch, p.a, p.s, p.u, p.vh, stream);
    if (failed >= 0) not_converged("jacobi", 40, failed);
    *p.ran = TENON_SVD_DRIVER_JACOBI;
  } else {
    *p.ran = p.driver == TENON_SVD_DRIVER_QR ? TENON_SVD_DRIVER_QR : TENON_SVD_DRIVER_POLAR;
    for (int64_t i = 0; i < p.batch; i++)
      if (svd_large(device, p, i, stream) == TENON_SVD_DRIVER_QR) *p.ran = TENON_SVD_DRIVER_QR;
  }
  stream.synchronize();
}

}  // namespace tenon::cuda
