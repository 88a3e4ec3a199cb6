// backend/cpu/linalg/library/lapack.cpp: singular values by LAPACK's divide and conquer, QR iteration and Jacobi's
// method; by QR iteration if another method fails. Matrices that are not finite are refused before, and results that
// are not finite, except for values that overflow, are never returned.
#include <tenon/linalg.h>
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>
#include "backend/cpu/linalg/library/lapack.hpp"
#include "backend/cpu/operations.hpp"
#include "core/error.hpp"

namespace tenon::cpu {
namespace {

// The routines of an element type.
template <class T> struct SvdRoutines;
#define ROUTINES(T, letter)                                                                                         \
  template <> struct SvdRoutines<T> {                                                                               \
    explicit SvdRoutines(const Blas& b) : gesdd(b.letter##gesdd), gesvd(b.letter##gesvd), gesvj(b.letter##gesvj) {} \
    decltype(Blas::letter##gesdd) gesdd;                                                                            \
    decltype(Blas::letter##gesvd) gesvd;                                                                            \
    decltype(Blas::letter##gesvj) gesvj;                                                                            \
    static const char* name(int32_t driver) {                                                                       \
      return driver == TENON_SVD_DRIVER_JACOBI ? #letter "gesvj"                                                    \
             : driver == TENON_SVD_DRIVER_QR   ? #letter "gesvd"                                                    \
                                               : #letter "gesdd";                                                     \
    }                                                                                                               \
  };
ROUTINES(float, s)
ROUTINES(double, d)
ROUTINES(std::complex<float>, c)
ROUTINES(std::complex<double>, z)
#undef ROUTINES

// Factors matrices of the same size, one after another.
template <class T> class Svd {
 public:
  using R = typename Real<T>::type;

  Svd(const SvdProblem& problem, const Blas& library) : p_(problem), blas_(library) {
    small_ = std::min(p_.m, p_.n);
    const bool full = p_.mode == TENON_SVD_MODE_FULL, values = p_.mode == TENON_SVD_MODE_VALUES;
    job_ = values ? 'N' : full ? 'A' : 'S';
    u_cols_ = values ? 0 : full ? p_.m : small_;
    vh_rows_ = values ? 0 : full ? p_.n : small_;
    ldvt_ = std::max<int64_t>(vh_rows_, 1);
    require_fits(blas_, std::max(p_.m, p_.n), "the larger side of the matrix");
    check_workspace();
    kept_ = scratch<T>(p_.m * p_.n);
    iwork_ = scratch<Int>(8 * small_);
    if constexpr (!std::is_same_v<T, R>) rwork_ = scratch<R>(real_workspace());
  }

  void run(int64_t index) {
    T* a = static_cast<T*>(p_.a) + index * p_.m * p_.n;
    T* u = p_.u ? static_cast<T*>(p_.u) + index * p_.m * u_cols_ : nullptr;
    T* vh = p_.vh ? static_cast<T*>(p_.vh) + index * vh_rows_ * p_.n : nullptr;
    R* s = static_cast<R*>(p_.s) + index * small_;
    if (!all_finite(a, p_.m * p_.n)) {
      Error error(TENON_ERROR_NOT_FINITE,
                  format("matrix %lld of the batch of %lld contains NaN or infinity, so it has no singular values",
                         static_cast<long long>(index), static_cast<long long>(p_.batch)));
      error.batch_index = index;
      throw error;
    }
    copy_bytes(kept_.get(), a, uint64_t(p_.m * p_.n) * sizeof(T));  // a is destroyed even if the routine fails
    const int32_t driver = p_.driver == TENON_SVD_DRIVER_AUTO ? int32_t(TENON_SVD_DRIVER_DIVIDE) : p_.driver;
    int64_t info = factor(driver, a, s, u, vh);
    const int64_t first = info;
    if (driver != TENON_SVD_DRIVER_QR && (info > 0 || (info == 0 && !good(s, u, vh)))) {
      copy_bytes(a, kept_.get(), uint64_t(p_.m * p_.n) * sizeof(T));
      info = factor(TENON_SVD_DRIVER_QR, a, s, u, vh);
      stood_in_ = true;
    }
    if (info == 0 && (good(s, u, vh) || s[0] == std::numeric_limits<R>::infinity()))
      return;  // ops/ refuses overflowed values
    const bool internal = first < 0 || info < 0;
    const char* call = SvdRoutines<T>::name(first < 0 ? driver : int32_t(TENON_SVD_DRIVER_QR));
    Error error(
        internal ? TENON_ERROR_INTERNAL : TENON_ERROR_NOT_CONVERGED,
        internal
            ? format("%s of %s reports that its argument %lld is wrong", call, blas_.lapack_path.c_str(),
                     static_cast<long long>(-std::min(first, info)))
            : format("the singular values of matrix %lld of the batch of %lld did not converge, with %s and then %s",
                     static_cast<long long>(index), static_cast<long long>(p_.batch), SvdRoutines<T>::name(driver),
                     call));
    error.native_call = call;
    error.native_code = first < 0 ? first : info;
    error.batch_index = index;
    throw error;
  }

  bool stood_in() const { return stood_in_; }  // true: the QR iteration was used for some matrix

 private:
  // Real workspace of the complex xGESDD, according to its documentation; xGESVD needs 5 min(m, n).
  int64_t real_workspace() const {
    const int64_t mn = small_, mx = std::max(p_.m, p_.n);
    return p_.mode == TENON_SVD_MODE_VALUES ? 7 * mn
                                            : std::max({5 * mn * mn + 5 * mn, 2 * mx * mn + 2 * mn * mn + mn, 7 * mn});
  }

  // xGESDD's own workspace holds four squares of the smaller side, and is indexed with the library's integers.
  void check_workspace() const {
    if (blas_.wide) return;
    const double mn = double(small_), mx = double(std::max(p_.m, p_.n));
    const double most = p_.mode == TENON_SVD_MODE_VALUES
                            ? 70 * mx
                            : std::max(5 * mn * mn + 7 * mn + 70 * mx, 2 * mx * mn + 2 * mn * mn + mn);
    TENON_REQUIRE(
        most < 2147483647.0, TENON_ERROR_UNSUPPORTED,
        "svd of %lld x %lld needs a workspace of more than 2^31 elements, but %s has 32-bit integers; install a build "
        "with 64-bit integers (Debian, Ubuntu: libopenblas64-0-pthread)",
        static_cast<long long>(p_.m), static_cast<long long>(p_.n), blas_.lapack_path.c_str());
  }

  // Is s valid, and is nothing NaN or infinite?
  bool good(const R* s, const T* u, const T* vh) const {
    for (int64_t i = 0; i < small_; ++i)
      if (!(s[i] >= 0) || !(s[i] <= std::numeric_limits<R>::max()) || (i && s[i] > s[i - 1])) return false;
    return (!u || all_finite(u, p_.m * u_cols_)) && (!vh || all_finite(vh, vh_rows_ * p_.n));
  }

  int64_t factor(int32_t driver, T* a, R* s, T* u, T* vh) {
    if (driver == TENON_SVD_DRIVER_JACOBI) return jacobi(a, s, u, vh);
    const bool divide = driver == TENON_SVD_DRIVER_DIVIDE;
    Workspace<T>& work = divide ? work_ : qr_work_;
    Int& lwork = divide ? lwork_ : qr_lwork_;
    if (!work) {
      T size{};
      const int64_t info = call(divide, a, s, u, vh, &size, -1);
      if (info != 0) return info;
      lwork = workspace_size(blas_, size);
      work = scratch<T>(lwork + std::max(p_.m, p_.n));  // the same for the matrices in it
    }
    return call(divide, a, s, u, vh, work.get(), lwork);
  }

  // For an m x n matrix with m >= n. Returns 1, as if it had not converged, if it leaves left vectors unset: those for
  // the value 0.
  int64_t jacobi(T* a, R* s, T* u, T* vh) {
    const Int m = p_.m, n = p_.n, lwork = m + n + 6, lrwork = std::max<int64_t>(6, n), none = 0;
    if (!jacobi_work_) {
      jacobi_work_ = scratch<T>(lwork);
      jacobi_rwork_ = scratch<R>(lrwork);
      v_ = scratch<T>(vh ? n * n : 1);
    }
    // If the squares of small numbers vanish, the rotations are wrong for the matrix (LAPACK 3.11).
    R largest = 0;
    R* const parts = reinterpret_cast<R*>(a);
    const int64_t count = p_.m * p_.n * int64_t(sizeof(T) / sizeof(R));
    for (int64_t i = 0; i < count; ++i) largest = std::max(largest, std::abs(parts[i]));
    const int exponent = largest > 0 && largest < 1 ? std::ilogb(largest) : 0;
    for (int64_t i = 0; exponent && i < count; ++i) parts[i] = std::ldexp(parts[i], -exponent);
    const char joba = 'G', jobu = u ? 'U' : 'N', jobv = vh ? 'V' : 'N';
    Int info = 0;
    const SvdRoutines<T> r(blas_);
    R scale, found;
    if constexpr (std::is_same_v<T, R>) {
      r.gesvj(&joba, &jobu, &jobv, &m, &n, a, &m, s, &none, v_.get(), &n, jacobi_work_.get(), &lwork, &info, 1, 1, 1);
      scale = jacobi_work_[0], found = jacobi_work_[1];
    } else {
      r.gesvj(&joba, &jobu, &jobv, &m, &n, a, &m, s, &none, v_.get(), &n, jacobi_work_.get(), &lwork,
              jacobi_rwork_.get(), &lrwork, &info, 1, 1, 1);
      scale = jacobi_rwork_[0], found = jacobi_rwork_[1];
    }
    if (const int64_t code = blas_.as_integer(info)) return code;
    if (u && int64_t(found) < n) return 1;
    for (int64_t i = 0; i < n; ++i) s[i] = std::ldexp(s[i] * scale, exponent);
    if (u) std::copy_n(a, m * n, u);
    for (int64_t j = 0; vh && j < n; ++j)
      for (int64_t i = 0; i < n; ++i) {
        if constexpr (std::is_same_v<T, R>) vh[i + j * n] = v_[size_t(j + i * n)];
        else vh[i + j * n] = std::conj(v_[size_t(j + i * n)]);
      }
    return 0;
  }

  int64_t call(bool divide, T* a, R* s, T* u, T* vh, T* work, Int lwork) {
    T none{};
    const Int m = p_.m, n = p_.n;
    Int info = 0;
    if (!u) u = &none;
    if (!vh) vh = &none;
    const SvdRoutines<T> r(blas_);
    if constexpr (std::is_same_v<T, R>) {
      if (divide) r.gesdd(&job_, &m, &n, a, &m, s, u, &m, vh, &ldvt_, work, &lwork, iwork_.get(), &info, 1);
      else r.gesvd(&job_, &job_, &m, &n, a, &m, s, u, &m, vh, &ldvt_, work, &lwork, &info, 1, 1);
    } else {
      // OpenBLAS's complex gemv (0.3.21) reads one number beyond the end of a vector, which for a row is in the column
      // after the last one. So rows are read from matrices that have one more column.
      T *wide_a = a, *wide_vh = vh;
      if (lwork >= 0) {
        if (!wide_a_) wide_a_ = scratch<T>(m * (n + 1)), wide_vh_ = scratch<T>(ldvt_ * (n + 1));
        wide_a = wide_a_.get(), wide_vh = wide_vh_.get();
        copy_bytes(wide_a, a, uint64_t(m * n) * sizeof(T));
      }
      if (divide)
        r.gesdd(&job_, &m, &n, wide_a, &m, s, u, &m, wide_vh, &ldvt_, work, &lwork, rwork_.get(), iwork_.get(), &info,
                1);
      else
        r.gesvd(&job_, &job_, &m, &n, wide_a, &m, s, u, &m, wide_vh, &ldvt_, work, &lwork, rwork_.get(), &info, 1, 1);
      if (lwork >= 0 && vh_rows_) copy_bytes(vh, wide_vh, uint64_t(vh_rows_ * n) * sizeof(T));
    }
    return blas_.as_integer(info);
  }

  const SvdProblem& p_;
  const Blas& blas_;
  int64_t small_, u_cols_, vh_rows_;
  Int ldvt_;
  char job_;
  bool stood_in_ = false;
  Workspace<T> kept_, work_, qr_work_, jacobi_work_, v_, wide_a_, wide_vh_;
  Workspace<R> rwork_, jacobi_rwork_;
  Workspace<Int> iwork_;
  Int lwork_ = 0, qr_lwork_ = 0;
};

template <class T> void svd_as(const SvdProblem& p, const Blas& library) {
  const bool full = p.mode == TENON_SVD_MODE_FULL && p.m != p.n;
  *p.ran = 0;
  if (p.driver == TENON_SVD_DRIVER_JACOBI ? !SvdRoutines<T>(library).gesvj || full : p.driver > TENON_SVD_DRIVER_JACOBI)
    return;
  std::atomic<bool> stood_in{false};
  each_matrix(p.batch, double(p.m) * double(p.n) * double(std::min(p.m, p.n)), [&] {
    return [&, svd = std::make_shared<Svd<T>>(p, library)](int64_t i) {
      svd->run(i);
      if (svd->stood_in()) stood_in.store(true, std::memory_order_relaxed);
    };
  });
  *p.ran = stood_in ? TENON_SVD_DRIVER_QR : p.driver == TENON_SVD_DRIVER_AUTO ? TENON_SVD_DRIVER_DIVIDE : p.driver;
}

}  // namespace

void run(const SvdProblem& p) {
  const Blas& library = lapack();
  switch (p.dtype) {
    case TENON_FLOAT32: return svd_as<float>(p, library);
    case TENON_FLOAT64: return svd_as<double>(p, library);
    case TENON_COMPLEX64: return svd_as<std::complex<float>>(p, library);
    case TENON_COMPLEX128: return svd_as<std::complex<double>>(p, library);
    default: fail(TENON_ERROR_DTYPE, "svd does not support %s", dtype_name(p.dtype).c_str());
  }
}

}  // namespace tenon::cpu
