// backend/cpu/linalg/dense.hpp: shared by the dense routines: BLAS's and LAPACK's names by element type, matrices of a
// batch.
#pragma once
#include "backend/cpu/linalg/library/lapack.hpp"
#include "core/problem/dense.hpp"
#include "core/error.hpp"

namespace tenon::cpu {

inline char letter(Op op) { return op == Op::none ? 'N' : op == Op::transpose ? 'T' : 'C'; }

template <class T> T scalar(std::complex<double> x) {
  if constexpr (std::is_floating_point_v<T>) return T(x.real());
  else return {typename T::value_type(x.real()), typename T::value_type(x.imag())};
}

// A factor in memory, for routines on arrays of that dtype.
std::complex<double> factor_at(const void* at, Dtype dtype);

template <class T> T* at(const DenseMatrix& x, int64_t g) { return static_cast<T*>(x.data) + g * x.stride; }

template <class T> struct Routines;
#define ROUTINES(T, p, orgqr_, eigen, band)                                      \
  template <> struct Routines<T> {                                               \
    explicit Routines(const Blas& b)                                             \
        : trmm(b.p##trmm),                                                       \
          trsm(b.p##trsm),                                                       \
          syrk(b.p##syrk),                                                       \
          herk(b.p##eigen##rk),                                                  \
          syr2k(b.p##syr2k),                                                     \
          her2k(b.p##eigen##r2k),                                                \
          gbmv(b.p##gbmv),                                                       \
          sbmv(b.p##band),                                                       \
          tbmv(b.p##tbmv),                                                       \
          tbsv(b.p##tbsv),                                                       \
          symm(b.p##symm),                                                       \
          hemm(b.p##eigen##mm),                                                  \
          getrf(b.p##getrf),                                                     \
          getrs(b.p##getrs),                                                     \
          potrf(b.p##potrf),                                                     \
          potrs(b.p##potrs),                                                     \
          sytrf(b.p##sytrf),                                                     \
          sytrs(b.p##sytrs),                                                     \
          hetrf(b.p##eigen##trf),                                                \
          hetrs(b.p##eigen##trs),                                                \
          geqrf(b.p##geqrf),                                                     \
          orgqr(b.p##orgqr_),                                                    \
          evd(b.p##eigen##evd),                                                  \
          evr(b.p##eigen##evr),                                                  \
          geevx(b.p##geevx) {}                                                   \
    decltype(Blas::p##trmm) trmm;                                                \
    decltype(Blas::p##trsm) trsm;                                                \
    decltype(Blas::p##syrk) syrk;                                                \
    decltype(Blas::p##eigen##rk) herk; /* for real numbers the same, as below */ \
    decltype(Blas::p##syr2k) syr2k;                                              \
    decltype(Blas::p##eigen##r2k) her2k;                                         \
    decltype(Blas::p##gbmv) gbmv;                                                \
    decltype(Blas::p##band) sbmv; /* for complex numbers Hermitian */            \
    decltype(Blas::p##tbmv) tbmv;                                                \
    decltype(Blas::p##tbsv) tbsv;                                                \
    decltype(Blas::p##symm) symm;                                                \
    decltype(Blas::p##eigen##mm) hemm;                                           \
    decltype(Blas::p##getrf) getrf;                                              \
    decltype(Blas::p##getrs) getrs;                                              \
    decltype(Blas::p##potrf) potrf;                                              \
    decltype(Blas::p##potrs) potrs;                                              \
    decltype(Blas::p##sytrf) sytrf;                                              \
    decltype(Blas::p##sytrs) sytrs;                                              \
    decltype(Blas::p##eigen##trf) hetrf;                                         \
    decltype(Blas::p##eigen##trs) hetrs;                                         \
    decltype(Blas::p##geqrf) geqrf;                                              \
    decltype(Blas::p##orgqr_) orgqr;                                             \
    decltype(Blas::p##eigen##evd) evd;                                           \
    decltype(Blas::p##eigen##evr) evr;                                           \
    decltype(Blas::p##geevx) geevx;                                              \
    static constexpr char prefix = #p[0];                                        \
    static constexpr const char* eigen_name = #p #eigen "evd";                   \
    static constexpr const char* some_name = #p #eigen "evr";                    \
  };
ROUTINES(float, s, orgqr, sy, sbmv)
ROUTINES(double, d, orgqr, sy, sbmv)
ROUTINES(std::complex<float>, c, ungqr, he, hbmv)
ROUTINES(std::complex<double>, z, ungqr, he, hbmv)
#undef ROUTINES

// A routine's info: negative values are our error, others describe the matrix.
template <class T> void take_info(const WithInfo& p, const Blas& library, int64_t g, Int raw, const char* routine) {
  const int64_t info = library.as_integer(raw);
  if (info < 0)
    fail(TENON_ERROR_INTERNAL, "%c%s of %s reports that its argument %lld is wrong", Routines<T>::prefix, routine,
         library.lapack_path.c_str(), static_cast<long long>(-info));
  if (p.info) p.info[g] = int32_t(info);
}

// Calls body(column g, j) for the columns of all matrices, n each, of about m numbers, distributed over the pool.
template <class T, class F> void each_column(const OnMatrices& p, const DenseMatrix& x, F&& body) {
  constexpr int64_t kGrain = 1 << 15;  // elements that make a piece worth a thread
  base::parallel_for(p.batch * p.n, std::max<int64_t>(1, kGrain / std::max<int64_t>(p.m, 1)),
                     [&](int64_t begin, int64_t end) {
                       for (int64_t i = begin; i < end; ++i)
                         body(at<T>(x, i / p.n) + (i % p.n) * x.ld, i / p.n, i % p.n);
                     });
}

// dense_vectors.cpp: for the element types listed in element.hpp.
template <class N> void dense_axpy(const AxpyProblem& p, const Blas* library);
template <class N> void dense_scal(const ScalProblem& p, const Blas* library);
template <class N> void dense_norm(const NormProblem& p, const Blas* library);
template <class N> void dense_rot(const RotProblem& p, const Blas* library);
template <class N> void dense_swap(const SwapProblem& p, const Blas* library);
template <class N> void dense_extreme(const ExtremeProblem& p, const Blas* library);
template <class T> void dense_rotg(const RotgProblem& p, const Blas* library);
template <class T> void dense_rotm(const RotmProblem& p, const Blas* library);  // float and double
template <class T> void dense_rotmg(const RotmgProblem& p, const Blas* library);
// dense_products.cpp: BLAS's products with one triangle or with bands, and sums.
template <class T> void dense_trmm(const TrmmProblem& p, const Blas* library);
template <class T> void dense_trsm(const TrsmProblem& p, const Blas* library);
template <class T> void dense_syrk(const SyrkProblem& p, const Blas* library);
template <class T> void dense_syr2k(const Syr2kProblem& p, const Blas* library);
template <class T> void dense_symm(const SymmProblem& p, const Blas* library);
template <class T> void dense_gbmv(const GbmvProblem& p, const Blas* library);
template <class T> void dense_sbmv(const SbmvProblem& p, const Blas* library);
template <class T> void dense_tbmv(const TbmvProblem& p, const Blas* library);
template <class T> void dense_tbsv(const TbsvProblem& p, const Blas* library);
template <class T> void dense_geam(const GeamProblem& p, const Blas* library);
// dense_factor.cpp, dense_eigen.cpp; they instantiate these for the four element types.
template <class T> void dense_lu(const LuProblem& p, const Blas* library);
template <class T> void dense_lu_solve(const LuSolveProblem& p, const Blas* library);
template <class T> void dense_cholesky(const CholeskyProblem& p, const Blas* library);
template <class T> void dense_cholesky_solve(const CholeskySolveProblem& p, const Blas* library);
template <class T> void dense_ldl(const LdlProblem& p, const Blas* library);
template <class T> void dense_ldl_solve(const LdlSolveProblem& p, const Blas* library);
template <class T> void dense_qr(const QrProblem& p, const Blas* library);
template <class T> void dense_qr_vectors(const QrVectorsProblem& p, const Blas* library);
template <class T> void dense_eigh(const EighProblem& p, const Blas* library);
template <class T> void dense_eig(const EigProblem& p, const Blas* library);

}  // namespace tenon::cpu
