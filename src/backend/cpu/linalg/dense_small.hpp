// backend/cpu/linalg/dense_small.hpp: LU and Cholesky of matrices so small that LAPACK spends most of its time on
// overhead: workspaces behind a lock, blocking, calls of BLAS. Column-major, unblocked, with the pivots and infos of
// LAPACK.
#pragma once
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <utility>

namespace tenon::cpu {

constexpr int64_t kSmallSide = 32;

inline float conjugate(float x) { return x; }
inline double conjugate(double x) { return x; }
template <class R> std::complex<R> conjugate(std::complex<R> x) { return std::conj(x); }

// Complex products without the library's handling of infinities, which costs more than the product.
inline float times(float x, float y) { return x * y; }
inline double times(double x, double y) { return x * y; }
template <class R> std::complex<R> times(std::complex<R> x, std::complex<R> y) {
  return {x.real() * y.real() - x.imag() * y.imag(), x.real() * y.imag() + x.imag() * y.real()};
}

// The magnitude that xGETRF's pivot search uses.
template <class T> auto size_of(T x) { return std::abs(std::real(x)) + std::abs(std::imag(x)); }

// The sum of op(x[i]) y[i]; conjugated: op conjugates. In four independent parts.
template <bool conjugated, class T> T dot(const T* x, const T* y, int64_t count) {
  T sums[4] = {};
  const auto term = [&](int64_t i) { return times(conjugated ? conjugate(x[i]) : x[i], y[i]); };
  int64_t i = 0;
  for (; i + 4 <= count; i += 4)
    for (int64_t part = 0; part < 4; ++part) sums[part] += term(i + part);
  for (; i < count; ++i) sums[0] += term(i);
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

// a = P L U in place, m x n; pivots from 1. Returns info: the first zero on the diagonal of U, from 1.
template <class T> int64_t small_lu(T* a, int64_t ld, int64_t m, int64_t n, int64_t* pivots) {
  int64_t info = 0;
  for (int64_t j = 0; j < std::min(m, n); ++j) {
    T* column = a + j * ld;
    int64_t best = j;
    for (int64_t i = j + 1; i < m; ++i)
      if (size_of(column[i]) > size_of(column[best])) best = i;
    pivots[j] = best + 1;
    if (column[best] == T(0)) {
      if (!info) info = j + 1;
      continue;
    }
    if (best != j)
      for (int64_t k = 0; k < n; ++k) std::swap(a[j + k * ld], a[best + k * ld]);
    const T pivot = column[j];
    for (int64_t i = j + 1; i < m; ++i) column[i] /= pivot;
    for (int64_t k = j + 1; k < n; ++k) {
      T* to = a + k * ld;
      const T factor = to[j];
      for (int64_t i = j + 1; i < m; ++i) to[i] -= times(column[i], factor);
    }
  }
  return info;
}

// A column of op(a) x = b with those factors.
template <class T> void small_lu_solve(const T* a, int64_t ld, int64_t n, const int64_t* pivots, T* b) {
  for (int64_t i = 0; i < n; ++i)
    if (pivots[i] - 1 != i) std::swap(b[i], b[pivots[i] - 1]);
  for (int64_t j = 0; j < n; ++j)
    for (int64_t i = j + 1; i < n; ++i) b[i] -= times(a[i + j * ld], b[j]);
  for (int64_t j = n; j-- > 0;) {
    b[j] /= a[j + j * ld];
    for (int64_t i = 0; i < j; ++i) b[i] -= times(a[i + j * ld], b[j]);
  }
}
template <bool conjugated, class T>
void small_lu_solve_turned(const T* a, int64_t ld, int64_t n, const int64_t* pivots, T* b) {
  for (int64_t j = 0; j < n; ++j) {
    const T diagonal = conjugated ? conjugate(a[j + j * ld]) : a[j + j * ld];
    b[j] = (b[j] - dot<conjugated>(a + j * ld, b, j)) / diagonal;
  }
  for (int64_t j = n; j-- > 0;) b[j] -= dot<conjugated>(a + j * ld + j + 1, b + j + 1, n - j - 1);
  for (int64_t i = n; i-- > 0;)
    if (pivots[i] - 1 != i) std::swap(b[i], b[pivots[i] - 1]);
}

// a = L L^H in place; only the lower triangle is used. Returns info: the first minor that is not positive, from 1.
template <class T> int64_t small_cholesky(T* a, int64_t ld, int64_t n) {
  for (int64_t j = 0; j < n; ++j) {
    T* column = a + j * ld;
    const auto square = std::real(column[j]);
    if (!(square > 0)) return j + 1;
    const auto pivot = std::sqrt(square);
    column[j] = pivot;
    for (int64_t i = j + 1; i < n; ++i) column[i] /= pivot;
    for (int64_t k = j + 1; k < n; ++k) {
      const T factor = conjugate(column[k]);
      for (int64_t i = k; i < n; ++i) a[i + k * ld] -= times(column[i], factor);
    }
  }
  return 0;
}

// The same, or with `upper` a = U^H U by way of a transposed copy: columns are dense, and sums along them would be one
// dependent chain.
template <class T> int64_t small_cholesky(T* a, int64_t ld, int64_t n, bool upper) {
  if (!upper) return small_cholesky(a, ld, n);
  T transposed[kSmallSide * kSmallSide];
  for (int64_t j = 0; j < n; ++j)
    for (int64_t i = 0; i <= j; ++i) transposed[j + i * n] = conjugate(a[i + j * ld]);
  const int64_t info = small_cholesky(transposed, n, n);
  for (int64_t j = 0; j < n; ++j)
    for (int64_t i = 0; i <= j; ++i) a[i + j * ld] = conjugate(transposed[j + i * n]);
  return info;
}

// A column of a x = b with that factor.
template <class T> void small_cholesky_solve(const T* a, int64_t ld, int64_t n, bool upper, T* b) {
  if (upper) {  // U^H y = b, U x = y
    for (int64_t j = 0; j < n; ++j) b[j] = (b[j] - dot<true>(a + j * ld, b, j)) / std::real(a[j + j * ld]);
    for (int64_t j = n; j-- > 0;) {
      b[j] /= std::real(a[j + j * ld]);
      for (int64_t i = 0; i < j; ++i) b[i] -= times(a[i + j * ld], b[j]);
    }
  } else {  // L y = b, L^H x = y
    for (int64_t j = 0; j < n; ++j) {
      b[j] /= std::real(a[j + j * ld]);
      for (int64_t i = j + 1; i < n; ++i) b[i] -= times(a[i + j * ld], b[j]);
    }
    for (int64_t j = n; j-- > 0;)
      b[j] = (b[j] - dot<true>(a + j * ld + j + 1, b + j + 1, n - j - 1)) / std::real(a[j + j * ld]);
  }
}

}  // namespace tenon::cpu
