// backend/cpu/linalg/dense.cpp: the table of dense routines; those on matrices that need no library.
#include "backend/cpu/linalg/dense.hpp"

#include "backend/cpu/linalg/element.hpp"
#include "backend/cpu/operations.hpp"

namespace tenon::cpu {
namespace {

// Of a check: w becomes that number if it is less.
void found(const DenseProblem& p, int64_t number) {
  uint64_t& least = *static_cast<uint64_t*>(p.w);
  least = std::min(least, uint64_t(number));
}

template <class T> void find_not_finite(const DenseProblem& p, const Blas*) {
  using R = typename Real<T>::type;
  const R* x = static_cast<const R*>(p.a.data);
  const int64_t count = p.m * int64_t(sizeof(T) / sizeof(R));
  if (all_finite(x, count)) return;
  found(p, std::find_if(x, x + count, [](R value) { return !std::isfinite(value); }) - x);
}

template <class T> void find_zero(const DenseProblem& p, const Blas*) {
  const T* x = static_cast<const T*>(p.a.data);
  const T* zero = std::find(x, x + p.m, T(0));
  if (zero != x + p.m) found(p, zero - x);
}

void find_info(const DenseProblem& p, const Blas*) {
  const int32_t* first = std::find_if(p.info, p.info + p.batch, [](int32_t info) { return info != 0; });
  if (first != p.info + p.batch) found(p, (first - p.info) << 32 | uint32_t(*first));
}

void bound_pivots(const DenseProblem& p, const Blas*) {
  for (int64_t i = p.batch; i-- > 0;)
    if (p.pivots[i] < 1 || p.pivots[i] > p.m) {
      p.pivots[i] = 1;
      found(p, i);
    }
}

template <class T> void conjugate(const DenseProblem& p, const Blas*) {
  if constexpr (!std::is_floating_point_v<T>)
    each_column<T>(p, p.a, [&](T* x, int64_t, int64_t) {
      for (int64_t i = 0; i < p.m; ++i) x[i] = std::conj(x[i]);
    });
}

template <class T> void triangle(const DenseProblem& p, const Blas*) {
  each_column<T>(p, p.a, [&](T* x, int64_t, int64_t j) {
    if (p.upper) std::fill(x + std::min(j + 1, p.m), x + p.m, T(0));
    else std::fill(x, x + std::min(j, p.m), T(0));
    if (p.unit && j < p.m) x[j] = T(1);
  });
}

// One row a routine: does it need BLAS or LAPACK, and what runs it for each element type.
enum class Needs { nothing, blas, lapack };

struct Row {
  Dense routine;
  Needs needs;
  void (*run[6])(const DenseProblem& p,
                 const Blas* library);  // float32, float64, complex64, complex128, float16, bfloat16
};

#define TYPES(f) {f<float>, f<double>, f<std::complex<float>>, f<std::complex<double>>}
#define ELEMENTS(f)                                                                                      \
  {f<Number<float>>, f<Number<double>>, f<Number<std::complex<float>>>, f<Number<std::complex<double>>>, \
   f<Half>,          f<Bfloat>}
const Row kRows[] = {
    {Dense::finite, Needs::nothing, TYPES(find_not_finite)},
    {Dense::zeros, Needs::nothing, TYPES(find_zero)},
    {Dense::infos, Needs::nothing, {find_info}},
    {Dense::pivots, Needs::nothing, {bound_pivots}},
    {Dense::conjugate, Needs::nothing, TYPES(conjugate)},
    {Dense::triangle, Needs::nothing, TYPES(triangle)},
    {Dense::add, Needs::nothing, ELEMENTS(dense_add)},
    {Dense::scale, Needs::nothing, ELEMENTS(dense_scale)},
    {Dense::norm, Needs::nothing, ELEMENTS(dense_norm)},
    {Dense::rotate, Needs::nothing, ELEMENTS(dense_rotate)},
    {Dense::exchange, Needs::nothing, ELEMENTS(dense_exchange)},
    {Dense::givens, Needs::nothing, TYPES(dense_givens)},
    {Dense::rotate_modified, Needs::nothing, {dense_rotate_modified<float>, dense_rotate_modified<double>}},
    {Dense::givens_modified, Needs::nothing, {dense_givens_modified<float>, dense_givens_modified<double>}},
    {Dense::place, Needs::nothing, ELEMENTS(dense_place)},
    {Dense::triangular_multiply, Needs::blas, TYPES(dense_triangular)},
    {Dense::triangular_solve, Needs::blas, TYPES(dense_triangular)},
    {Dense::rank_k, Needs::blas, TYPES(dense_rank_k)},
    {Dense::rank_2k, Needs::blas, TYPES(dense_rank_2k)},
    {Dense::sum, Needs::nothing, TYPES(dense_sum)},
    {Dense::band_multiply, Needs::blas, TYPES(dense_band)},
    {Dense::band_symmetric_multiply, Needs::blas, TYPES(dense_band_symmetric)},
    {Dense::band_triangular_multiply, Needs::blas, TYPES(dense_band_triangular)},
    {Dense::band_triangular_solve, Needs::blas, TYPES(dense_band_triangular)},
    {Dense::symmetric_multiply, Needs::blas, TYPES(dense_symmetric)},
    {Dense::lu, Needs::lapack, TYPES(dense_lu)},
    {Dense::lu_solve, Needs::lapack, TYPES(dense_lu_solve)},
    {Dense::cholesky, Needs::lapack, TYPES(dense_cholesky)},
    {Dense::cholesky_solve, Needs::lapack, TYPES(dense_cholesky_solve)},
    {Dense::ldl, Needs::lapack, TYPES(dense_ldl)},
    {Dense::ldl_solve, Needs::lapack, TYPES(dense_ldl_solve)},
    {Dense::qr, Needs::lapack, TYPES(dense_qr)},
    {Dense::qr_vectors, Needs::lapack, TYPES(dense_qr_vectors)},
    {Dense::eigen_hermitian, Needs::lapack, TYPES(dense_eigen_hermitian)},
    {Dense::eigen_general, Needs::lapack, TYPES(dense_eigen_general)},
};
#undef TYPES
#undef ELEMENTS

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

namespace {

// With the factors that lie in memory.
DenseProblem with_factors(const DenseProblem& given) {
  DenseProblem p = given;
  if (p.alpha_at) p.alpha = factor_at(p.alpha_at, p.dtype);
  if (p.beta_at) p.beta = factor_at(p.beta_at, p.dtype);
  p.alpha_at = p.beta_at = nullptr;
  return p;
}

}  // namespace

void dense(const DenseProblem& p) {
  if (p.alpha_at || p.beta_at) return dense(with_factors(p));
  for (const Row& row : kRows) {
    if (row.routine != p.routine) continue;
    if (!row.run[1]) return row.run[0](p, nullptr);  // of integers
    const Blas* library = row.needs == Needs::nothing ? nullptr : row.needs == Needs::blas ? &blas() : &lapack();
    if (library)
      for (const auto& [value, what] : {std::pair{p.m, "m"},
                                        {p.n, "n"},
                                        {p.k, "k"},
                                        {p.a.ld, "the leading dimension of a"},
                                        {p.b.ld, "the leading dimension of b"},
                                        {p.c.ld, "the leading dimension of c"}})
        require_fits(*library, value, what);
    constexpr Dtype order[] = {TENON_FLOAT32,    TENON_FLOAT64, TENON_COMPLEX64,
                               TENON_COMPLEX128, TENON_FLOAT16, TENON_BFLOAT16};
    for (size_t i = 0; i < std::size(order); ++i)
      if (order[i] == p.dtype && row.run[i]) return row.run[i](p, library);
    fail(TENON_ERROR_DTYPE, "linear algebra on the CPU has no %s", dtype_name(p.dtype).c_str());
  }
  fail(TENON_ERROR_INTERNAL, "the CPU has no dense routine number %d", int(p.routine));
}

}  // namespace tenon::cpu
