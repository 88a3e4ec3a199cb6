// backend/cpu/lapack.cpp: singular values by LAPACK's divide and conquer, and by QR iteration where that gives up. What is
// not finite is refused before and never returned after.
#include <tenon/linalg.h>
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>
#include "backend/cpu/lapack.hpp"
#include "backend/cpu/operations.hpp"
#include "core/error.hpp"

namespace tenon::cpu {
namespace {

// The routines of an element type.
template <class T> struct Routines;
#define ROUTINES(T, letter)                                                                     \
  template <> struct Routines<T> {                                                              \
    explicit Routines(const Blas& b) : gesdd(b.letter##gesdd), gesvd(b.letter##gesvd) {}        \
    decltype(Blas::letter##gesdd) gesdd;                                                        \
    decltype(Blas::letter##gesvd) gesvd;                                                        \
    static const char* name(bool divide) { return divide ? #letter "gesdd" : #letter "gesvd"; } \
  };
ROUTINES(float, s)
ROUTINES(double, d)
ROUTINES(std::complex<float>, c)
ROUTINES(std::complex<double>, z)
#undef ROUTINES

// The factorisation of one matrix after another of the same size.
template <class T>
class Svd {
 public:
  using R = typename Real<T>::type;

  Svd(const SvdProblem& problem, const Blas& library) : p_(problem), blas_(library) {
    small_ = std::min(p_.m, p_.n);
    const bool full = p_.mode == TENON_SVD_FULL, values = p_.mode == TENON_SVD_VALUES;
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
    if (!all_finite(a, p_.m * p_.n))
      fail(TENON_ERROR_NOT_FINITE, "matrix %lld of the batch of %lld has NaN or infinity in it, which has no singular values",
           static_cast<long long>(index), static_cast<long long>(p_.batch));
    copy_bytes(kept_.get(), a, uint64_t(p_.m * p_.n) * sizeof(T));  // a is destroyed even where the routine gives up
    int64_t info = factor(true, a, s, u, vh);
    const int64_t first = info;
    if (info > 0 || (info == 0 && !good(s, u, vh))) {
      copy_bytes(a, kept_.get(), uint64_t(p_.m * p_.n) * sizeof(T));
      info = factor(false, a, s, u, vh);
    }
    if (info == 0 && good(s, u, vh)) return;
    const bool internal = first < 0 || info < 0;
    Error error(internal ? TENON_ERROR_INTERNAL : TENON_ERROR_NOT_CONVERGED,
                internal ? format("%s of %s says its argument %lld is wrong", Routines<T>::name(first < 0), blas_.lapack_path.c_str(),
                                  static_cast<long long>(-std::min(first, info)))
                         : format("the singular values of matrix %lld of the batch of %lld did not converge, with %s and then %s",
                                  static_cast<long long>(index), static_cast<long long>(p_.batch), Routines<T>::name(true),
                                  Routines<T>::name(false)));
    error.native_call = Routines<T>::name(first < 0);
    error.native_code = first < 0 ? first : info;
    throw error;
  }

 private:
  // Real work of the complex xGESDD, by its documentation; xGESVD needs 5 min(m, n).
  int64_t real_workspace() const {
    const int64_t mn = small_, mx = std::max(p_.m, p_.n);
    return p_.mode == TENON_SVD_VALUES ? 7 * mn : std::max({5 * mn * mn + 5 * mn, 2 * mx * mn + 2 * mn * mn + mn, 7 * mn});
  }

  // xGESDD's own workspace holds four squares of the smaller side, indexed with the library's integers.
  void check_workspace() const {
    if (blas_.wide) return;
    const double mn = double(small_), mx = double(std::max(p_.m, p_.n));
    const double most = p_.mode == TENON_SVD_VALUES ? 70 * mx : std::max(5 * mn * mn + 7 * mn + 70 * mx, 2 * mx * mn + 2 * mn * mn + mn);
    TENON_REQUIRE(most < 2147483647.0, TENON_ERROR_UNSUPPORTED,
                  "svd of %lld x %lld needs a workspace beyond 2^31 elements, and %s has 32-bit integers; install a build with "
                  "64-bit integers (Debian, Ubuntu: libopenblas64-0-pthread)",
                  static_cast<long long>(p_.m), static_cast<long long>(p_.n), blas_.lapack_path.c_str());
  }

  // s is what singular values are, and nothing is NaN or infinite.
  bool good(const R* s, const T* u, const T* vh) const {
    for (int64_t i = 0; i < small_; ++i)
      if (!(s[i] >= 0) || !(s[i] <= std::numeric_limits<R>::max()) || (i && s[i] > s[i - 1])) return false;
    return (!u || all_finite(u, p_.m * u_cols_)) && (!vh || all_finite(vh, vh_rows_ * p_.n));
  }

  int64_t factor(bool divide, T* a, R* s, T* u, T* vh) {
    std::unique_ptr<T[]>& work = divide ? work_ : qr_work_;
    Int& lwork = divide ? lwork_ : qr_lwork_;
    if (!work) {
      T size{};
      const int64_t info = call(divide, a, s, u, vh, &size, -1);
      if (info != 0) return info;
      lwork = workspace_size(blas_, size);
      work = scratch<T>(lwork);
    }
    return call(divide, a, s, u, vh, work.get(), lwork);
  }

  int64_t call(bool divide, T* a, R* s, T* u, T* vh, T* work, Int lwork) {
    T none{};
    const Int m = p_.m, n = p_.n;
    Int info = 0;
    if (!u) u = &none;
    if (!vh) vh = &none;
    const Routines<T> r(blas_);
    if constexpr (std::is_same_v<T, R>) {
      if (divide) r.gesdd(&job_, &m, &n, a, &m, s, u, &m, vh, &ldvt_, work, &lwork, iwork_.get(), &info, 1);
      else r.gesvd(&job_, &job_, &m, &n, a, &m, s, u, &m, vh, &ldvt_, work, &lwork, &info, 1, 1);
    } else {
      if (divide) r.gesdd(&job_, &m, &n, a, &m, s, u, &m, vh, &ldvt_, work, &lwork, rwork_.get(), iwork_.get(), &info, 1);
      else r.gesvd(&job_, &job_, &m, &n, a, &m, s, u, &m, vh, &ldvt_, work, &lwork, rwork_.get(), &info, 1, 1);
    }
    return blas_.as_integer(info);
  }

  const SvdProblem& p_;
  const Blas& blas_;
  int64_t small_, u_cols_, vh_rows_;
  Int ldvt_;
  char job_;
  std::unique_ptr<T[]> kept_, work_, qr_work_;
  std::unique_ptr<R[]> rwork_;
  std::unique_ptr<Int[]> iwork_;
  Int lwork_ = 0, qr_lwork_ = 0;
};

template <class T>
void svd_as(const SvdProblem& p, const Blas& library) {
  each_matrix(p.batch, double(p.m) * double(p.n) * double(std::min(p.m, p.n)), [&] {
    return [svd = std::make_shared<Svd<T>>(p, library)](int64_t i) { svd->run(i); };
  });
}

}  // namespace

void svd(const SvdProblem& p) {
  const Blas& library = lapack();
  switch (p.dtype) {
    case TENON_FLOAT32: return svd_as<float>(p, library);
    case TENON_FLOAT64: return svd_as<double>(p, library);
    case TENON_COMPLEX64: return svd_as<std::complex<float>>(p, library);
    case TENON_COMPLEX128: return svd_as<std::complex<double>>(p, library);
    default: fail(TENON_ERROR_DTYPE, "svd has no factorisation of %s", dtype_name(p.dtype).c_str());
  }
}

}  // namespace tenon::cpu
