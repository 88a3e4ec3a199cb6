// backend/cpu/linalg/dense_eigen.cpp: eigenvalues and eigenvectors by LAPACK.
#include "backend/cpu/linalg/dense.hpp"

namespace tenon::cpu {
namespace {

// Computes the eigenvalues of symmetric (Hermitian) matrices, one after another.
template <class T> class Hermitian {
 public:
  using R = typename Real<T>::type;
  static constexpr bool is_real = std::is_same_v<T, R>;

  Hermitian(const EighProblem& p, const Blas& library) : p_(p), blas_(library), r_(library) {
    // Divide and conquer indexes its work, 2 n^2 and more numbers, with the library's integers.
    if (!blas_.wide && p.vectors)
      require_fits(blas_, int64_t(std::min(2.0 * double(p.n) * double(p.n) + 6.0 * double(p.n) + 1, 9e18)),
                   "the eigensolver's workspace");
    if (some()) {
      z_ = scratch<T>(p.vectors ? p.n * p.n : 1);  // for a cluster it may find, and write, more than were requested
      values_ = scratch<R>(p.n);
      support_ = scratch<Int>(2 * p.n);
    }
    T work{};
    R rwork{};
    Int iwork = 0;
    lwork_ = lrwork_ = liwork_ = -1;
    call(at<T>(p.a, 0), some() ? values_.get() : static_cast<R*>(p.w), &work, &rwork, &iwork);
    lwork_ = workspace_size(blas_, work);
    if (!is_real) lrwork_ = workspace_size(blas_, rwork);
    liwork_ = std::max<int64_t>(blas_.as_integer(iwork), 1);
    work_ = scratch<T>(kSlack + lwork_);
    rwork_ = scratch<R>(kSlack + (is_real ? 1 : lrwork_));
    iwork_ = scratch<Int>(kSlack + liwork_);
  }

  void operator()(int64_t g) {
    T* a = at<T>(p_.a, g);
    R* w = static_cast<R*>(p_.w) + g * p_.count;
    Int info = call(a, some() ? values_.get() : w, work_.get() + kSlack, rwork_.get() + kSlack, iwork_.get() + kSlack);
    if (some() && blas_.as_integer(info) == 0) {
      if (blas_.as_integer(found_) != p_.count) info = p_.n;  // fewer were found
      std::copy_n(values_.get(), p_.count, w);
      for (int64_t j = 0; p_.vectors && j < p_.count; ++j) std::copy_n(z_.get() + j * p_.n, p_.n, a + j * p_.a.ld);
    }
    take_info<T>(p_, blas_, g, info, some() ? Routines<T>::some_name + 1 : Routines<T>::eigen_name + 1);
  }

 private:
  // If LAPACK's xSYEVR (3.9 to 3.11) finds none of several values that lie close together, it writes to the number
  // before its workspace.
  static constexpr int64_t kSlack = 8;

  bool some() const { return p_.count < p_.n; }

  Int call(T* a, R* w, T* work, R* rwork, Int* iwork) {
    const char job = p_.vectors ? 'V' : 'N', uplo = p_.upper ? 'U' : 'L', range = 'I';
    Int info = 0;
    if (!some()) {
      if constexpr (is_real) r_.evd(&job, &uplo, &p_.n, a, &p_.a.ld, w, work, &lwork_, iwork, &liwork_, &info, 1, 1);
      else r_.evd(&job, &uplo, &p_.n, a, &p_.a.ld, w, work, &lwork_, rwork, &lrwork_, iwork, &liwork_, &info, 1, 1);
      return info;
    }
    const R none = 0;
    const Int first = p_.first + 1, last = p_.first + p_.count;
    found_ = 0;
    if constexpr (is_real)
      r_.evr(&job, &range, &uplo, &p_.n, a, &p_.a.ld, &none, &none, &first, &last, &none, &found_, w, z_.get(), &p_.n,
             support_.get(), work, &lwork_, iwork, &liwork_, &info, 1, 1, 1);
    else
      r_.evr(&job, &range, &uplo, &p_.n, a, &p_.a.ld, &none, &none, &first, &last, &none, &found_, w, z_.get(), &p_.n,
             support_.get(), work, &lwork_, rwork, &lrwork_, iwork, &liwork_, &info, 1, 1, 1);
    return info;
  }

  const EighProblem& p_;
  const Blas& blas_;
  const Routines<T> r_;
  Int lwork_, lrwork_, liwork_, found_ = 0;
  Workspace<T> work_, z_;
  Workspace<R> rwork_, values_;
  Workspace<Int> iwork_, support_;
};

// Computes the eigenvalues of general matrices, one after another. LAPACK's results for real matrices (real and
// imaginary parts, vectors of a conjugate pair as two real columns) are converted to complex numbers.
template <class T> class General {
 public:
  using R = typename Real<T>::type;
  using C = std::complex<R>;
  static constexpr bool is_real = std::is_same_v<T, R>;

  General(const EigProblem& p, const Blas& library)
      : p_(p),
        blas_(library),
        r_(library),
        parts_(scratch<R>(2 * p.n)),
        vectors_(scratch<T>(is_real && p.vectors ? p.n * p.n : 1)),
        left_(scratch<T>(is_real && p.c.data ? p.n * p.n : 1)),
        scale_(scratch<R>(p.n)) {
    T answer{};
    lwork_ = -1;
    call(at<T>(p.a, 0), static_cast<C*>(p.w), p.vectors ? at<C>(p.b, 0) : nullptr, p.c.data ? at<C>(p.c, 0) : nullptr,
         &answer);
    lwork_ = workspace_size(blas_, answer);
    work_ = scratch<T>(lwork_);
  }

  void operator()(int64_t g) {
    C* w = static_cast<C*>(p_.w) + g * p_.n;
    C *v = p_.vectors ? at<C>(p_.b, g) : nullptr, *left = p_.c.data ? at<C>(p_.c, g) : nullptr;
    const Int info = call(at<T>(p_.a, g), w, v, left, work_.get());
    if constexpr (is_real)
      if (blas_.as_integer(info) == 0) {
        for (int64_t j = 0; j < p_.n; ++j) w[j] = {parts_[size_t(j)], parts_[size_t(p_.n + j)]};
        if (v) unpack(v, p_.b.ld, vectors_.get());
        if (left) unpack(left, p_.c.ld, left_.get());
      }
    take_info<T>(p_, blas_, g, info, "geevx");
  }

 private:
  Int call(T* a, C* w, C* v, C* left, T* work) {
    const char job_left = left ? 'V' : 'N', job = v ? 'V' : 'N', balance = p_.balanced ? 'B' : 'N', sense = 'N';
    T none{};
    R norm, unused;  // of eigenvalues and vectors, and their condition numbers: not requested
    const Int one = 1;
    Int first, last, info = 0;
    if constexpr (is_real)
      r_.geevx(&balance, &job_left, &job, &sense, &p_.n, a, &p_.a.ld, parts_.get(), parts_.get() + p_.n, left_.get(),
               left ? &p_.n : &one, vectors_.get(), v ? &p_.n : &one, &first, &last, scale_.get(), &norm, &unused,
               &unused, work, &lwork_, nullptr, &info, 1, 1, 1, 1);
    else
      r_.geevx(&balance, &job_left, &job, &sense, &p_.n, a, &p_.a.ld, w, left ? left : &none, left ? &p_.c.ld : &one,
               v ? v : &none, v ? &p_.b.ld : &one, &first, &last, scale_.get(), &norm, &unused, &unused, work, &lwork_,
               parts_.get(), &info, 1, 1, 1, 1);
    return info;
  }

  void unpack(C* v, int64_t ld, const T* columns) const {
    const R* im = parts_.get() + p_.n;
    for (int64_t j = 0; j < p_.n; ++j) {
      // In a pair the value with the positive imaginary part comes first; its columns hold both parts.
      const bool second = im[j] < 0 && j > 0;
      const T *x = columns + (second ? j - 1 : j) * p_.n, *y = x + p_.n;
      for (int64_t i = 0; i < p_.n; ++i)
        v[i + j * ld] =
            im[j] == 0 ? C(std::real(x[i]), 0) : C(std::real(x[i]), second ? -std::real(y[i]) : std::real(y[i]));
    }
  }

  const EigProblem& p_;
  const Blas& blas_;
  const Routines<T> r_;
  Int lwork_;
  Workspace<R> parts_;
  Workspace<T> vectors_, left_, work_;
  Workspace<R> scale_;
};

// Allocates one workspace for a large problem, and one per thread's piece for a batch of small ones.
template <class Solver, class Problem> void eigen(const Problem& p, const Blas& library, double work) {
  each_matrix(p.batch, work * double(p.n) * double(p.n) * double(p.n),
              [&] { return [solver = std::make_unique<Solver>(p, library)](int64_t g) { (*solver)(g); }; });
}

}  // namespace

template <class T> void dense_eigh(const EighProblem& p, const Blas* library) {
  eigen<Hermitian<T>>(p, *library, p.vectors ? 4 : 1);
}

template <class T> void dense_eig(const EigProblem& p, const Blas* library) { eigen<General<T>>(p, *library, 10); }

#define INSTANCES(T)                                            \
  template void dense_eigh<T>(const EighProblem&, const Blas*); \
  template void dense_eig<T>(const EigProblem&, const Blas*);
INSTANCES(float)
INSTANCES(double)
INSTANCES(std::complex<float>)
INSTANCES(std::complex<double>)
#undef INSTANCES

}  // namespace tenon::cpu
