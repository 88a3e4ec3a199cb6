// backend/cpu/linalg/dense_extreme.hpp: matrices whose numbers are so small or so large that the reciprocals by which
// LAPACK and BLAS divide leave the type's range: the routines then return NaN and garbage instead of errors.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include "backend/cpu/linalg/library/lapack.hpp"

namespace tenon::cpu {

// Binary exponent up to which sums over a column are far from overflow: half of the largest one.
template <class T> constexpr int kSummable = std::numeric_limits<typename Real<T>::type>::max_exponent / 2;

// The smallest nonzero and the largest real or imaginary part.
template <class T> struct Range {
  using R = typename Real<T>::type;
  R least = std::numeric_limits<R>::max(), most = 0;
  void add(const T* x, int64_t count) {
    const R* parts = reinterpret_cast<const R*>(x);
    for (int64_t i = 0; i < count * int64_t(sizeof(T) / sizeof(R)); ++i) {
      const R size = std::abs(parts[i]);
      least = size > 0 && size < least ? size : least;
      most = size > most ? size : most;
    }
  }
  // Do all numbers have reciprocals with full precision, with some margin?
  bool infinite() const { return most > std::numeric_limits<R>::max(); }  // refused elsewhere
  bool moderate() const {
    return infinite() ||
           (least >= 8 * std::numeric_limits<R>::min() && most <= 1 / (8 * std::numeric_limits<R>::min()));
  }
  bool summable() const { return infinite() || exponent() <= kSummable<T>; }
  int exponent() const { return most > 0 ? std::ilogb(most) : 0; }
};

template <class T> Range<T> range_of(const T* a, int64_t ld, int64_t m, int64_t n) {
  Range<T> out;
  for (int64_t j = 0; j < n; ++j) out.add(a + j * ld, m);
  return out;
}

// A copy of a matrix, if needed.
template <class T> class Columns {
 public:
  Columns() = default;
  Columns(const T* a, int64_t ld, int64_t m, int64_t n) : m_(m), n_(n), memory_(scratch<T>(m * n)) {
    for (int64_t j = 0; j < n; ++j) std::copy_n(a + j * ld, m, memory_.get() + j * m);
  }
  explicit operator bool() const { return bool(memory_); }
  T* data() const { return memory_.get(); }
  void restore(T* a, int64_t ld) const {
    for (int64_t j = 0; j < n_; ++j) std::copy_n(memory_.get() + j * m_, m_, a + j * ld);
  }

 private:
  int64_t m_ = 0, n_ = 0;
  Workspace<T> memory_;
};

template <class T> bool columns_finite(const T* a, int64_t ld, int64_t m, int64_t n) {
  for (int64_t j = 0; j < n; ++j)
    if (!all_finite(a + j * ld, m)) return false;
  return true;
}

template <class T> T scaled(T x, int exponent) {
  if constexpr (std::is_floating_point_v<T>) return std::ldexp(x, exponent);
  else return {std::ldexp(x.real(), exponent), std::ldexp(x.imag(), exponent)};
}

// A matrix, or its upper triangle, times 2^exponent.
template <class T> void scale_columns(T* a, int64_t ld, int64_t m, int64_t n, int exponent) {
  for (int64_t j = 0; exponent && j < n; ++j)
    for (int64_t i = 0; i < m; ++i) a[i + j * ld] = scaled(a[i + j * ld], exponent);
}
template <class T> void scale_upper(T* a, int64_t ld, int64_t m, int64_t n, int exponent) {
  for (int64_t j = 0; exponent && j < n; ++j)
    for (int64_t i = 0; i < std::min(j + 1, m); ++i) a[i + j * ld] = scaled(a[i + j * ld], exponent);
}

// Scales D of an LDL factorisation by 2^exponent: the diagonal, and the off-diagonal elements of 2 x 2 blocks.
template <class T> void scale_blocks(T* a, int64_t ld, int64_t n, bool upper, const int64_t* pivots, int exponent) {
  for (int64_t i = 0; i < n; ++i) {
    a[i + i * ld] = scaled(a[i + i * ld], exponent);
    if (pivots[i] > 0 || i + 1 == n) continue;
    T& beside = upper ? a[i + (i + 1) * ld] : a[i + 1 + i * ld];
    beside = scaled(beside, exponent);
    ++i;
    a[i + i * ld] = scaled(a[i + i * ld], exponent);
  }
}

}  // namespace tenon::cpu
