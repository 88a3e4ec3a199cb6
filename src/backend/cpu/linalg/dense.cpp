// backend/cpu/linalg/dense.cpp: the table of dense routines, and the checks and simple changes that need no library.
#include "backend/cpu/linalg/dense.hpp"

#include "backend/cpu/linalg/element.hpp"
#include "backend/cpu/operations.hpp"

namespace tenon::cpu {
namespace {

void found(const Check& check, int64_t number) {  // as device/report.cuh
  tenon_finding& finding = *check.finding;
  if (finding.least <= uint64_t(number)) return;
  finding.least = uint64_t(number);
  if (~reinterpret_cast<uintptr_t>(finding.notice)) *finding.notice = 1;
}

template <class T> void first_not_finite(const FirstNotFiniteProblem& p, const Blas*) {
  using R = typename Real<T>::type;
  const R* x = static_cast<const R*>(p.data);
  const int64_t count = p.count * int64_t(sizeof(T) / sizeof(R));
  if (all_finite(x, count)) return;
  found(p, std::find_if(x, x + count, [](R value) { return !std::isfinite(value); }) - x);
}

template <class T> void first_zero(const FirstZeroProblem& p, const Blas*) {
  const T* x = static_cast<const T*>(p.data);
  const T* zero = std::find(x, x + p.count, T(0));
  if (zero != x + p.count) found(p, zero - x);
}

template <class T> void conjugate(const ConjugateProblem& p, const Blas*) {
  if constexpr (!std::is_floating_point_v<T>)
    each_column<T>(p, p.a, [&](T* x, int64_t, int64_t) {
      for (int64_t i = 0; i < p.m; ++i) x[i] = std::conj(x[i]);
    });
}

template <class T> void keep_one_triangle(const TriangleProblem& p, const Blas*) {
  each_column<T>(p, p.a, [&](T* x, int64_t, int64_t j) {
    if (p.upper) std::fill(x + std::min(j + 1, p.m), x + p.m, T(0));
    else std::fill(x, x + std::min(j, p.m), T(0));
    if (p.unit && j < p.m) x[j] = T(1);
  });
}

// Reads the factors that are given in memory.
template <class Problem> Problem with_factors(Problem p) {
  if constexpr (std::is_base_of_v<Scalars, Problem>) {
    if (p.alpha_at) p.alpha = factor_at(p.alpha_at, p.dtype);
    if (p.beta_at) p.beta = factor_at(p.beta_at, p.dtype);
    p.alpha_at = p.beta_at = nullptr;
  }
  return p;
}

// Refuses extents that do not fit the library's integers.
template <class Problem> void require_all_fit(const Blas& library, const Problem& p) {
  require_fits(library, p.m, "m");
  require_fits(library, p.n, "n");
  if constexpr (requires { p.k; }) require_fits(library, p.k, "k");
  require_fits(library, p.a.ld, "the leading dimension of a");
  if constexpr (requires { p.b; }) require_fits(library, p.b.ld, "the leading dimension of b");
  if constexpr (requires { p.c; }) require_fits(library, p.c.ld, "the leading dimension of c");
}

enum class Needs { nothing, blas, lapack };

// A routine for float32, float64, complex64, complex128, float16 and bfloat16; NULL: not supported for that type.
template <class Problem> using ByType = void (*[6])(const Problem& p, const Blas* library);

template <Needs needs, class Problem> void run_typed(const Problem& given, const ByType<Problem>& routine) {
  const Blas* library = needs == Needs::nothing ? nullptr : needs == Needs::blas ? &blas() : &lapack();
  if constexpr (needs != Needs::nothing) require_all_fit(*library, given);
  constexpr Dtype order[] = {TENON_FLOAT32,    TENON_FLOAT64, TENON_COMPLEX64,
                             TENON_COMPLEX128, TENON_FLOAT16, TENON_BFLOAT16};
  for (size_t i = 0; i < std::size(order); ++i)
    if (order[i] == given.dtype && routine[i]) return routine[i](with_factors(given), library);
  fail(TENON_ERROR_DTYPE, "linear algebra on the CPU has no %s", dtype_name(given.dtype).c_str());
}

}  // namespace

std::complex<double> factor_at(const void* at, Dtype dtype) {
  switch (factor_dtype(dtype)) {
    case TENON_FLOAT32: return *static_cast<const float*>(at);
    case TENON_FLOAT64: return *static_cast<const double*>(at);
    case TENON_COMPLEX64: return *static_cast<const std::complex<float>*>(at);
    case TENON_COMPLEX128: return *static_cast<const std::complex<double>*>(at);
  }
  fail(TENON_ERROR_INTERNAL, "a factor of %s lies in memory", dtype_name(dtype).c_str());
}

// One row per routine: its requirements and its instances.
#define REALS(f) f<float>, f<double>
#define TYPES(f) REALS(f), f<std::complex<float>>, f<std::complex<double>>
#define ELEMENTS(f)                                                                                              \
  f<Number<float>>, f<Number<double>>, f<Number<std::complex<float>>>, f<Number<std::complex<double>>>, f<Half>, \
      f<Bfloat>
#define ROW(problem, needs, ...) \
  void run(const problem& p) { run_typed<Needs::needs, problem>(p, {__VA_ARGS__}); }

ROW(FirstNotFiniteProblem, nothing, TYPES(first_not_finite))
ROW(FirstZeroProblem, nothing, TYPES(first_zero))
ROW(ConjugateProblem, nothing, TYPES(conjugate))
ROW(TriangleProblem, nothing, TYPES(keep_one_triangle))
ROW(AxpyProblem, nothing, ELEMENTS(dense_axpy))
ROW(ScalProblem, nothing, ELEMENTS(dense_scal))
ROW(NormProblem, nothing, ELEMENTS(dense_norm))
ROW(RotProblem, nothing, ELEMENTS(dense_rot))
ROW(SwapProblem, nothing, ELEMENTS(dense_swap))
ROW(RotgProblem, nothing, TYPES(dense_rotg))
ROW(RotmProblem, nothing, REALS(dense_rotm))
ROW(RotmgProblem, nothing, REALS(dense_rotmg))
ROW(ExtremeProblem, nothing, ELEMENTS(dense_extreme))
ROW(TrmmProblem, blas, TYPES(dense_trmm))
ROW(TrsmProblem, blas, TYPES(dense_trsm))
ROW(SyrkProblem, blas, TYPES(dense_syrk))
ROW(Syr2kProblem, blas, TYPES(dense_syr2k))
ROW(GeamProblem, nothing, TYPES(dense_geam))
ROW(GbmvProblem, blas, TYPES(dense_gbmv))
ROW(SbmvProblem, blas, TYPES(dense_sbmv))
ROW(TbmvProblem, blas, TYPES(dense_tbmv))
ROW(TbsvProblem, blas, TYPES(dense_tbsv))
ROW(SymmProblem, blas, TYPES(dense_symm))
ROW(LuProblem, lapack, TYPES(dense_lu))
ROW(LuSolveProblem, lapack, TYPES(dense_lu_solve))
ROW(CholeskyProblem, lapack, TYPES(dense_cholesky))
ROW(CholeskySolveProblem, lapack, TYPES(dense_cholesky_solve))
ROW(LdlProblem, lapack, TYPES(dense_ldl))
ROW(LdlSolveProblem, lapack, TYPES(dense_ldl_solve))
ROW(QrProblem, lapack, TYPES(dense_qr))
ROW(QrVectorsProblem, lapack, TYPES(dense_qr_vectors))
ROW(EighProblem, lapack, TYPES(dense_eigh))
ROW(EigProblem, lapack, TYPES(dense_eig))

void run(const FirstInfoProblem& p) {
  const int32_t* first = std::find_if(p.info, p.info + p.count, [](int32_t info) { return info != 0; });
  if (first != p.info + p.count) found(p, (first - p.info) << 32 | uint32_t(*first));
}

void run(const BoundPivotsProblem& p) {
  for (int64_t i = p.count; i-- > 0;)
    if (p.pivots[i] < 1 || p.pivots[i] > p.rows) {
      p.pivots[i] = 1;
      found(p, i);
    }
}

}  // namespace tenon::cpu
