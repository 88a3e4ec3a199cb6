// backend/cuda/linalg/solve/svd_polar.cpp: the singular value decomposition of single-precision matrices through double
// precision.
//
// a = U_p H (polar decomposition, U_p orthogonal, H positive) and H = V S V^H give a = (U_p V) S V^H. U_p comes from
// the dynamically weighted Halley iteration (Nakatsukasa, Bai, Gygi 2010) in its Cholesky form, which costs a few
// matrix products per step. That form loses digits if the matrix is ill-conditioned, about epsilon times the condition
// number: in double precision the loss stays far below single precision's accuracy, so no QR step is needed. Compute
// GPUs do double-precision products about as fast as single-precision ones. The eigensolver does not benefit from that:
// for large matrices it runs in single precision, and products in double precision refine its result.
// it found.
#include "backend/cuda/linalg/solver.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include "backend/cuda/linalg/blas.hpp"
#include "backend/cuda/kernels/numbers/numbers.hpp"

namespace tenon::cuda {

namespace {

constexpr double kSmallest =
    1e-9;  // assumed lower bound of singular values over the Frobenius norm: smaller ones are single-precision noise
constexpr double kNoise = 2e-8;  // norm of a perturbation that makes all singular values nonzero; a third of epsilon
constexpr double kClose = 2e-3;  // the remaining error is about the cube of the last change
constexpr int kMaxSteps = 16;
constexpr int64_t kDoubleEigen =
    512;                     // up to this size the eigensolver runs in double precision, above it its result is refined
constexpr double kGap = 50;  // eigenvalues farther apart than this many times the defect's norm are always refined
constexpr double kRotation =
    0.02;  // closer ones are refined if the rotations of a vector stay below this: the remaining error is its square
constexpr double kSkew = 1e-6;  // limit of |v^H v - 1| / sqrt(n) of refined vectors; above it the others are better
constexpr int64_t kTall = 4;    // rows per column from which the products of columns are faster
constexpr double kWellConditioned = 1e-11;  // smallest over largest squared singular value, for that method

// The whole computation for one matrix; `d`: in double precision.
class Polar {
 public:
  Polar(CudaDevice& device, const TallSvd& p, Stream& stream)
      : device_(device),
        p_(p),
        stream_(stream),
        complex_(p.dtype == TENON_COMPLEX64),
        wide_(complex_ ? TENON_COMPLEX128 : TENON_FLOAT64),
        size_(complex_ ? 16 : 8),
        type_(complex_ ? CUDA_C_64F : CUDA_R_64F),
        m_(p.m),
        n_(p.n),
        scope_(device.activate()),
        blas_(device, stream),
        solver_(device, stream),
        a_(device, bytes(m_, n_), stream),
        z_(device, bytes(n_, n_), stream),
        info_(device, 4, stream) {}

  bool run() {
    convert(a_.data(), wide_, p_.a, p_.dtype, m_ * n_);
    const double norm = norm_of(a_.data(), m_ * n_);
    if (!(norm > 0) || !std::isfinite(norm)) return false;
    if (!p_.u) return values_only(norm);
    return (m_ >= kTall * n_ && by_gram(norm)) || by_polar(norm);
  }

 private:
  uint64_t bytes(int64_t rows, int64_t columns) const { return uint64_t(rows) * uint64_t(columns) * uint64_t(size_); }

  // For a tall matrix that is not nearly singular: V diagonalises a^H a, and the columns of a V are U S, except for
  // rounding errors, which a Cholesky factor of their products corrects.
  bool by_gram(double norm) {
    Scratch scaled(device_, bytes(m_, n_), stream_), us(device_, bytes(m_, n_), stream_),
        v(device_, bytes(n_, n_), stream_);
    Scratch w(device_, uint64_t(n_) * 8, stream_);
    scale_and_perturb(device_, scaled.data(), a_.data(), reals(m_ * n_), 1 / norm, 0, stream_);
    gemm(wide_, Op::conjugate_transpose, Op::none, n_, n_, m_, scaled.data(), m_, scaled.data(), m_, z_.data());
    if (!eigen(wide_, z_.data(), w.data(), true)) return false;
    const std::vector<double> squares = download(w.data(), n_);
    if (!(squares.front() > kWellConditioned * squares.back())) return false;
    reverse_columns(v.data(), z_.data(), wide_, n_);
    gemm(wide_, Op::none, Op::none, m_, n_, n_, scaled.data(), m_, v.data(), n_, us.data());
    gemm(wide_, Op::conjugate_transpose, Op::none, n_, n_, m_, us.data(), m_, us.data(), m_, z_.data());
    Cholesky cholesky(*this);
    cholesky.run();
    if (read_info(device_, info_, stream_) != 0) return false;
    solve(CUBLAS_OP_C, us.data());
    const Dtype plain = TENON_UINT64;
    device_.run(CopyProblem{w.data(), z_.data(), plain, plain, 8, {{n_, 8, (n_ + 1) * size_}}},
                stream_);  // the factor's diagonal is real
    std::vector<double> s = download(w.data(), n_);
    std::sort(s.begin(), s.end(), std::greater<>());
    write_values(s, norm);
    convert(p_.u, p_.dtype, us.data(), wide_, m_ * n_);
    convert(p_.v, p_.dtype, v.data(), wide_, n_ * n_);
    return true;
  }

  bool by_polar(double norm) {
    Scratch first(device_, bytes(m_, n_), stream_), second(device_, bytes(m_, n_), stream_);
    void* u = orthogonal_factor(first.data(), second.data(), norm);
    if (!u) return false;
    void* other = u == first.data() ? second.data() : first.data();
    // H = (U_p^H a + its conjugate transpose) / 2
    gemm(wide_, Op::conjugate_transpose, Op::none, n_, n_, m_, u, m_, a_.data(), m_, other);
    add(n_, n_, 0.5, other, true, 0.5, other, z_.data());
    void* v = other;
    std::vector<double> s;
    Scratch w(device_, uint64_t(n_) * 8, stream_);
    if (n_ <= kDoubleEigen) {
      if (!eigen(wide_, z_.data(), w.data(), true)) return false;
      reverse_columns(v, z_.data(), wide_, n_);
      s = download(w.data(), n_);
      std::reverse(s.begin(), s.end());
    } else {
      Scratch third(device_, bytes(n_, n_), stream_);
      convert(third.data(), p_.dtype, z_.data(), wide_, n_ * n_);
      if (!eigen(p_.dtype, third.data(), w.data(), true)) return false;
      reverse_columns(p_.v, third.data(), p_.dtype, n_);
      convert(v, wide_, p_.v, p_.dtype, n_ * n_);
      s = refine(v, a_.data(), third.data(), w.data());
      if (!(skew_of(v, third.data()) <= kSkew * std::sqrt(double(n_)))) return false;
    }
    write_values(s, 1);
    gemm(wide_, Op::none, Op::none, m_, n_, n_, u, m_, v, n_, a_.data());
    convert(p_.v, p_.dtype, v, wide_, n_ * n_);
    convert(p_.u, p_.dtype, a_.data(), wide_, m_ * n_);
    return true;
  }

  // Improves eigenvectors v of z from single-precision accuracy to about its square; returns the eigenvalues,
  // descending. x, y and z are n x n and are overwritten, w has n numbers.
  std::vector<double> refine(void* v, void* x, void* y, void* w) {
    void* z = z_.data();
    gemm(wide_, Op::none, Op::none, n_, n_, n_, z, n_, v, n_, x);
    gemm(wide_, Op::conjugate_transpose, Op::none, n_, n_, n_, v, n_, x, n_, y);  // v^H h v
    gemm(wide_, Op::conjugate_transpose, Op::none, n_, n_, n_, v, n_, v, n_, z);  // v^H v
    eigen_defect(device_, wide_, y, z, w, n_, stream_);
    Scratch gaps(device_, uint64_t(n_) * 8, stream_);
    eigen_gaps(device_, wide_, y, w, gaps.data(), n_, kGap * norm_of(y, n_ * n_), kRotation, stream_);
    eigen_correction(device_, wide_, y, z, w, gaps.data(), n_, stream_);
    // v (1 + e + e^2 / 2): orthogonal to the third order
    copy_matrix(z, y);
    gemm(wide_, Op::none, Op::none, n_, n_, n_, y, n_, y, n_, z, 0.5, 1);
    copy_matrix(x, v);
    gemm(wide_, Op::none, Op::none, n_, n_, n_, v, n_, z, n_, x, 1, 1);
    // The order of neighbours may have changed.
    const std::vector<double> values = download(w, n_);
    std::vector<uint32_t> order(values.size());
    for (size_t i = 0; i < order.size(); i++) order[i] = uint32_t(i);
    std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return values[a] > values[b]; });
    device_.upload(w, order.data(), uint64_t(n_) * 4, false, stream_);
    gather_columns(device_, v, x, w, n_, n_ * size_, stream_);
    std::vector<double> sorted;
    for (uint32_t i : order) sorted.push_back(values[i]);
    return sorted;
  }

  // The norm of v^H v - 1; y, n x n, and z are overwritten.
  double skew_of(const void* v, void* y) {
    gemm(wide_, Op::conjugate_transpose, Op::none, n_, n_, n_, v, n_, v, n_, y);
    set_identity();
    add(n_, n_, 1, y, false, -1, z_.data(), y);
    return norm_of(y, n_ * n_);
  }

  // The eigenvalues of a^H a are the squares; in double precision they are accurate enough.
  bool values_only(double norm) {
    scale_and_perturb(device_, a_.data(), a_.data(), reals(m_ * n_), 1 / norm, 0, stream_);
    gemm(wide_, Op::conjugate_transpose, Op::none, n_, n_, m_, a_.data(), m_, a_.data(), m_, z_.data());
    Scratch w(device_, uint64_t(n_) * 8, stream_);
    if (!eigen(wide_, z_.data(), w.data(), false)) return false;
    std::vector<double> s = download(w.data(), n_);
    for (double& x : s) x = std::sqrt(std::max(x, 0.0));
    std::reverse(s.begin(), s.end());
    write_values(s, norm);
    return true;
  }

  // Returns x or y, whichever has the orthogonal factor of a; NULL: no convergence.
  void* orthogonal_factor(void* x, void* y, double norm) {
    scale_and_perturb(device_, x, a_.data(), reals(m_ * n_), 1 / norm, kNoise * std::sqrt(3.0 / double(reals(m_ * n_))),
                      stream_);
    Cholesky cholesky(*this);
    double lowest = kSmallest;
    for (int step = 0; step < kMaxSteps; step++) {
      // The weights that raise the singular values in [lowest, 1] the most.
      const double l2 = lowest * lowest, d = std::cbrt(4 * (1 - l2) / (l2 * l2)), root = std::sqrt(1 + d);
      const double a = root + 0.5 * std::sqrt(std::max(0.0, 8 - 4 * d + 8 * (2 - l2) / (l2 * root)));
      const double b = (a - 1) * (a - 1) / 4, c = a + b - 1;
      // y = (b / c) x + (a - b / c) x (1 + c x^H x)^-1
      set_identity();
      add_gram(c, x);
      cholesky.run();
      device_.check(device_.driver().cuMemcpyDtoDAsync(address(y), address(x), bytes(m_, n_), handle_of(stream_)),
                    "cuMemcpyDtoDAsync");
      solve(CUBLAS_OP_C, y);
      solve(CUBLAS_OP_N, y);
      add(m_, n_, b / c, x, false, a - b / c, y, y);
      add(m_, n_, 1, x, false, -1, y, x);
      const double change = norm_of(x, m_ * n_);
      if (read_info(device_, info_, stream_) != 0 || !std::isfinite(change)) return nullptr;
      std::swap(x, y);
      lowest = std::min(1.0, lowest * (a + b * l2) / (1 + c * l2));
      if (lowest > 0.9 && change < kClose) return x;
    }
    return nullptr;
  }

  // ---- Single steps ----

  // Factors z, the lower triangle, in place; the routine's memory is kept between calls. info_ receives the status.
  class Cholesky {
   public:
    explicit Cholesky(Polar& p) : p_(p), work_(make(p, device_bytes_, host_bytes_)) {}
    void run() {
      check_solver(
          p_.device_,
          cusolver().cusolverDnXpotrf(p_.solver_->handle, p_.solver_->params, CUBLAS_FILL_MODE_LOWER, p_.n_, p_.type_,
                                      p_.z_.data(), p_.n_, p_.type_, work_.device.data(), device_bytes_,
                                      work_.host.data(), host_bytes_, static_cast<int*>(p_.info_.data())),
          "cusolverDnXpotrf");
    }

   private:
    static SolverWork make(Polar& p, size_t& device_bytes, size_t& host_bytes) {
      check_solver(
          p.device_,
          cusolver().cusolverDnXpotrf_bufferSize(p.solver_->handle, p.solver_->params, CUBLAS_FILL_MODE_LOWER, p.n_,
                                                 p.type_, p.z_.data(), p.n_, p.type_, &device_bytes, &host_bytes),
          "cusolverDnXpotrf_bufferSize");
      return SolverWork(p.device_, device_bytes, host_bytes, p.stream_);
    }
    Polar& p_;
    size_t device_bytes_ = 0, host_bytes_ = 0;
    SolverWork work_;
  };

  int64_t reals(int64_t count) const { return complex_ ? 2 * count : count; }

  void convert(void* to, Dtype to_dtype, const void* from, Dtype from_dtype, int64_t count) {
    const uint32_t to_bytes = dtype_bytes(to_dtype);
    device_.run(CopyProblem{to, from, to_dtype, from_dtype, to_bytes, {{count, to_bytes, dtype_bytes(from_dtype)}}},
                stream_);
  }

  void reverse_columns(void* to, const void* from, Dtype dtype, int64_t n) {
    const int64_t size = dtype_bytes(dtype);
    const Dtype plain = TENON_DTYPE(1, uint32_t(size * 8), 1);
    device_.run(CopyProblem{to,
                            static_cast<const char*>(from) + (n - 1) * n * size,
                            plain,
                            plain,
                            uint32_t(size),
                            {{n, n * size, -n * size}, {n, size, size}}},
                stream_);
  }

  double norm_of(const void* x, int64_t count) {
    double out = 0;
    check_blas(device_, cublas().cublasDnrm2_64(blas_.handle(), reals(count), static_cast<const double*>(x), 1, &out),
               "cublasDnrm2");
    return out;
  }

  void set_identity() {
    device_.check(device_.driver().cuMemsetD32Async(address(z_.data()), 0, bytes(n_, n_) / 4, handle_of(stream_)),
                  "cuMemsetD32Async");
    FillProblem one{z_.data(), uint32_t(size_), {}, {{n_, (n_ + 1) * size_, 0}}};
    const double value = 1;
    std::copy_n(reinterpret_cast<const unsigned char*>(&value), 8, one.value);
    device_.run(one, stream_);
  }

  // z += factor x^H x, the lower triangle.
  void add_gram(double factor, const void* x) {
    const double one = 1;
    const Cublas& blas = cublas();
    if (complex_)
      check_blas(device_,
                 blas.cublasZherk_64(blas_.handle(), CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_C, n_, m_, &factor, x, m_, &one,
                                     z_.data(), n_),
                 "cublasZherk");
    else
      check_blas(device_,
                 blas.cublasDsyrk_64(blas_.handle(), CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_T, n_, m_, &factor, x, m_, &one,
                                     z_.data(), n_),
                 "cublasDsyrk");
  }

  // y = y op(L)^-1 with the factor in z.
  void solve(int op, void* y) {
    const double one[2] = {1, 0};
    auto& trsm = complex_ ? cublas().cublasZtrsm_64 : cublas().cublasDtrsm_64;
    check_blas(device_,
               trsm(blas_.handle(), CUBLAS_SIDE_RIGHT, CUBLAS_FILL_MODE_LOWER, op, CUBLAS_DIAG_NON_UNIT, m_, n_, one,
                    z_.data(), n_, y, m_),
               complex_ ? "cublasZtrsm" : "cublasDtrsm");
  }

  // to = f x + g y (y conjugate-transposed if requested), packed rows x columns; `to` may be x or y.
  void add(int64_t rows, int64_t columns, double f, const void* x, bool turn_y, double g, const void* y, void* to) {
    const double alpha[2] = {f, 0}, beta[2] = {g, 0};
    auto& geam = complex_ ? cublas().cublasZgeam_64 : cublas().cublasDgeam_64;
    check_blas(device_,
               geam(blas_.handle(), CUBLAS_OP_N, turn_y ? CUBLAS_OP_C : CUBLAS_OP_N, rows, columns, alpha, x, rows,
                    beta, y, turn_y ? columns : rows, to, rows),
               complex_ ? "cublasZgeam" : "cublasDgeam");
  }

  void copy_matrix(void* to, const void* from) {  // n x n
    device_.check(device_.driver().cuMemcpyDtoDAsync(address(to), address(from), bytes(n_, n_), handle_of(stream_)),
                  "cuMemcpyDtoDAsync");
  }

  std::vector<double> download(const void* from, int64_t count) {
    std::vector<double> out(static_cast<size_t>(count));
    device_.download(out.data(), from, uint64_t(count) * 8, false, stream_);
    return out;
  }

  void gemm(Dtype dtype, Op op_a, Op op_b, int64_t m, int64_t n, int64_t k, const void* a, int64_t lda, const void* b,
            int64_t ldb, void* c, double alpha = 1, double beta = 0) {
    GemmProblem problem{dtype, 0, m, n, k, op_a, op_b, a, lda, b, ldb, c, m, alpha, beta};
    device_.run(problem, stream_);
  }

  // Eigenvalues in ascending order in w; the vectors replace the matrix.
  bool eigen(Dtype dtype, void* matrix, void* w, bool vectors) {
    const bool is_wide = dtype == wide_;
    const int type = is_wide ? type_ : complex_ ? CUDA_C_32F : CUDA_R_32F, real = is_wide ? CUDA_R_64F : CUDA_R_32F;
    const int job = vectors ? CUSOLVER_EIG_MODE_VECTOR : CUSOLVER_EIG_MODE_NOVECTOR;
    const Cusolver& solver = cusolver();
    size_t device_bytes = 0, host_bytes = 0;
    check_solver(device_,
                 solver.cusolverDnXsyevd_bufferSize(solver_->handle, solver_->params, job, CUBLAS_FILL_MODE_LOWER, n_,
                                                    type, matrix, n_, real, w, type, &device_bytes, &host_bytes),
                 "cusolverDnXsyevd_bufferSize");
    SolverWork work(device_, device_bytes, host_bytes, stream_);
    check_solver(device_,
                 solver.cusolverDnXsyevd(solver_->handle, solver_->params, job, CUBLAS_FILL_MODE_LOWER, n_, type,
                                         matrix, n_, real, w, type, work.device.data(), device_bytes, work.host.data(),
                                         host_bytes, static_cast<int*>(info_.data())),
                 "cusolverDnXsyevd");
    return read_info(device_, info_, stream_) == 0;
  }

  void write_values(const std::vector<double>& values, double factor) {
    std::vector<float> single(values.size());
    for (size_t i = 0; i < single.size(); i++) single[i] = float(factor * std::max(values[i], 0.0));
    device_.upload(p_.s, single.data(), uint64_t(n_) * 4, false, stream_);
  }

  CudaDevice& device_;
  const TallSvd& p_;
  Stream& stream_;
  const bool complex_;
  const Dtype wide_;
  const int64_t size_;  // bytes per element in double precision
  const int type_;      // the cudaDataType for that
  const int64_t m_, n_;
  Scope scope_;
  BlasLease blas_;
  SolverLease solver_;
  Scratch a_;  // a in double precision
  Scratch z_;  // n x n
  Scratch info_;
};

}  // namespace

bool svd_in_double(CudaDevice& device, const TallSvd& p, Stream& stream) {
  if (!cublas().cublasDtrsm_64 || !cusolver().cusolverDnXsyevd) return false;
  return Polar(device, p, stream).run();
}

}  // namespace tenon::cuda
