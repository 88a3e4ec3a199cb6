// backend/cpu/dense.hpp: what the dense routines share: BLAS's and LAPACK's names by element type, matrices of a batch.
#pragma once
#include "backend/cpu/lapack.hpp"
#include "core/dense.hpp"
#include "core/error.hpp"

namespace tenon::cpu {

inline char letter(Op op) { return op == Op::none ? 'N' : op == Op::transpose ? 'T' : 'C'; }

template <class T> T scalar(std::complex<double> x) {
  if constexpr (std::is_floating_point_v<T>) return T(x.real());
  else return {typename T::value_type(x.real()), typename T::value_type(x.imag())};
}

template <class T>
T* at(const DenseMatrix& x, int64_t g) { return static_cast<T*>(x.data) + g * x.stride; }

template <class T> struct Routines;
#define ROUTINES(T, p, orgqr_, eigen)                                                                              \
  template <> struct Routines<T> {                                                                                 \
    explicit Routines(const Blas& b)                                                                               \
        : trmm(b.p##trmm), trsm(b.p##trsm), syrk(b.p##syrk), herk(b.p##eigen##rk), symm(b.p##symm), hemm(b.p##eigen##mm), getrf(b.p##getrf), getrs(b.p##getrs), potrf(b.p##potrf), \
          potrs(b.p##potrs), sytrf(b.p##sytrf), sytrs(b.p##sytrs), hetrf(b.p##eigen##trf), hetrs(b.p##eigen##trs), geqrf(b.p##geqrf), orgqr(b.p##orgqr_), evd(b.p##eigen##evd), evr(b.p##eigen##evr), geevx(b.p##geevx) {} \
    decltype(Blas::p##trmm) trmm;                                                                                  \
    decltype(Blas::p##trsm) trsm;                                                                                  \
    decltype(Blas::p##syrk) syrk;                                                                                  \
    decltype(Blas::p##eigen##rk) herk;    /* of real numbers the same, as those below */                           \
    decltype(Blas::p##symm) symm;                                                                                  \
    decltype(Blas::p##eigen##mm) hemm;                                                                             \
    decltype(Blas::p##getrf) getrf;                                                                                \
    decltype(Blas::p##getrs) getrs;                                                                                \
    decltype(Blas::p##potrf) potrf;                                                                                \
    decltype(Blas::p##potrs) potrs;                                                                                \
    decltype(Blas::p##sytrf) sytrf;                                                                                \
    decltype(Blas::p##sytrs) sytrs;                                                                                \
    decltype(Blas::p##eigen##trf) hetrf;                                                                           \
    decltype(Blas::p##eigen##trs) hetrs;                                                                           \
    decltype(Blas::p##geqrf) geqrf;                                                                                \
    decltype(Blas::p##orgqr_) orgqr;                                                                               \
    decltype(Blas::p##eigen##evd) evd;                                                                             \
    decltype(Blas::p##eigen##evr) evr;                                                                             \
    decltype(Blas::p##geevx) geevx;                                                                                \
    static constexpr char prefix = #p[0];                                                                          \
    static constexpr const char* eigen_name = #p #eigen "evd";                                                     \
    static constexpr const char* some_name = #p #eigen "evr";                                                      \
  };
ROUTINES(float, s, orgqr, sy)
ROUTINES(double, d, orgqr, sy)
ROUTINES(std::complex<float>, c, ungqr, he)
ROUTINES(std::complex<double>, z, ungqr, he)
#undef ROUTINES

// A routine's info: below 0 it is our mistake, else it is the matrix' answer.
template <class T>
void take_info(const DenseProblem& p, const Blas& library, int64_t g, Int raw, const char* routine) {
  const int64_t info = library.as_integer(raw);
  if (info < 0)
    fail(TENON_ERROR_INTERNAL, "%c%s of %s says its argument %lld is wrong", Routines<T>::prefix, routine,
         library.lapack_path.c_str(), static_cast<long long>(-info));
  if (p.info) p.info[g] = int32_t(info);
}

// dense_vectors.cpp: of the element types that element.hpp lists.
template <class N> void dense_add(const DenseProblem& p, const Blas* library);
template <class N> void dense_scale(const DenseProblem& p, const Blas* library);
template <class N> void dense_norm(const DenseProblem& p, const Blas* library);
// dense_factor.cpp, dense_eigen.cpp; instantiated there for the four element types.
template <class T> void dense_lu(const DenseProblem& p, const Blas* library);
template <class T> void dense_lu_solve(const DenseProblem& p, const Blas* library);
template <class T> void dense_cholesky(const DenseProblem& p, const Blas* library);
template <class T> void dense_cholesky_solve(const DenseProblem& p, const Blas* library);
template <class T> void dense_ldl(const DenseProblem& p, const Blas* library);
template <class T> void dense_ldl_solve(const DenseProblem& p, const Blas* library);
template <class T> void dense_qr(const DenseProblem& p, const Blas* library);
template <class T> void dense_qr_vectors(const DenseProblem& p, const Blas* library);
template <class T> void dense_eigen_hermitian(const DenseProblem& p, const Blas* library);
template <class T> void dense_eigen_general(const DenseProblem& p, const Blas* library);

}  // namespace tenon::cpu
