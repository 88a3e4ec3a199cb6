// tests/fake_cuda/blas/factor.hpp: factorisations of small matrices on the host, by their textbook algorithms, in
// complex double: what the fake cuSOLVER and cuBLAS compute. Indices are from 0; pivots and infos are LAPACK's.
#pragma once
#include <algorithm>
#include <numeric>
#include <vector>
#include "product.hpp"

namespace fake_factor {

using fake_product::Number;

// A matrix with its own memory, column-major.
struct Matrix {
  int64_t m = 0, n = 0;
  std::vector<Number> data;
  Matrix() = default;
  Matrix(int64_t rows, int64_t columns) : m(rows), n(columns), data(size_t(rows * columns)) {}
  Number& operator()(int64_t i, int64_t j) { return data[size_t(j * m + i)]; }
  const Number& operator()(int64_t i, int64_t j) const { return data[size_t(j * m + i)]; }
};

inline Matrix load(int type, const void* a, int64_t ld, int64_t m, int64_t n) {
  Matrix out(m, n);
  for (int64_t j = 0; j < n; ++j)
    for (int64_t i = 0; i < m; ++i) out(i, j) = fake_product::get(type, a, j * ld + i);
  return out;
}
inline void store(const Matrix& x, int type, void* a, int64_t ld) {
  for (int64_t j = 0; j < x.n; ++j)
    for (int64_t i = 0; i < x.m; ++i) fake_product::put(type, a, j * ld + i, x(i, j));
}
inline Matrix identity(int64_t m, int64_t n) {
  Matrix out(m, n);
  for (int64_t i = 0; i < std::min(m, n); ++i) out(i, i) = 1;
  return out;
}
inline Matrix product(const Matrix& a, const Matrix& b) {
  Matrix out(a.m, b.n);
  for (int64_t j = 0; j < b.n; ++j)
    for (int64_t k = 0; k < a.n; ++k)
      for (int64_t i = 0; i < a.m; ++i) out(i, j) += a(i, k) * b(k, j);
  return out;
}
inline double length(const Matrix& a, int64_t column) {
  double sum = 0;
  for (int64_t i = 0; i < a.m; ++i) sum += std::norm(a(i, column));
  return std::sqrt(sum);
}

// a = P L U; returns the info. Complex numbers are compared as in LAPACK.
inline int lu(Matrix& a, std::vector<int64_t>& pivots) {
  const auto size = [](Number x) { return std::abs(x.real()) + std::abs(x.imag()); };
  int info = 0;
  pivots.clear();
  for (int64_t k = 0; k < std::min(a.m, a.n); ++k) {
    int64_t p = k;
    for (int64_t i = k + 1; i < a.m; ++i)
      if (size(a(i, k)) > size(a(p, k))) p = i;
    pivots.push_back(p + 1);
    if (a(p, k) == 0.0) {
      if (!info) info = int(k + 1);
      continue;
    }
    for (int64_t j = 0; j < a.n; ++j) std::swap(a(k, j), a(p, j));
    for (int64_t i = k + 1; i < a.m; ++i) {
      a(i, k) /= a(k, k);
      for (int64_t j = k + 1; j < a.n; ++j) a(i, j) -= a(i, k) * a(k, j);
    }
  }
  return info;
}

// Solves with one triangle of a; op 0: as it is, 1: transposed, 2: conjugate-transposed.
inline void solve_triangle(const Matrix& a, bool lower, int op, bool unit, Matrix& b) {
  const auto at = [&](int64_t i, int64_t j) {
    if (op) std::swap(i, j);
    return op == 2 ? std::conj(a(i, j)) : a(i, j);
  };
  const bool down = lower == (op == 0);  // the first row is solved first
  for (int64_t c = 0; c < b.n; ++c)
    for (int64_t step = 0; step < a.n; ++step) {
      const int64_t i = down ? step : a.n - 1 - step;
      for (int64_t j = down ? 0 : i + 1; j < (down ? i : a.n); ++j) b(i, c) -= at(i, j) * b(j, c);
      if (!unit) b(i, c) /= at(i, i);
    }
}

inline void lu_solve(const Matrix& a, const int64_t* pivots, int op, Matrix& b) {
  const auto swap_row = [&](int64_t k) {
    for (int64_t j = 0; j < b.n; ++j) std::swap(b(k, j), b(pivots[k] - 1, j));
  };
  if (op == 0)
    for (int64_t k = 0; k < a.n; ++k) swap_row(k);
  for (const bool first : {true, false}) solve_triangle(a, first == (op == 0), op, first == (op == 0), b);
  if (op)
    for (int64_t k = a.n; k-- > 0;) swap_row(k);
}

// Replaces the triangle of a by its Cholesky factor; the other triangle is not accessed.
inline int cholesky(Matrix& a, bool lower) {
  for (int64_t k = 0; k < a.n; ++k) {
    const auto at = [&](int64_t i, int64_t j) -> Number& {
      return lower ? a(i, j) : a(j, i);
    };  // conjugated where upper
    double d = at(k, k).real();
    for (int64_t j = 0; j < k; ++j) d -= std::norm(at(k, j));
    if (!(d > 0)) return int(k + 1);
    at(k, k) = std::sqrt(d);
    for (int64_t i = k + 1; i < a.n; ++i) {
      Number sum = at(i, k);
      for (int64_t j = 0; j < k; ++j) sum -= lower ? at(i, j) * std::conj(at(k, j)) : std::conj(at(k, j)) * at(i, j);
      at(i, k) = sum / at(k, k);
    }
  }
  return 0;
}

// Householder reflectors below the diagonal and R above, as LAPACK stores them.
inline std::vector<Number> qr(Matrix& a) {
  std::vector<Number> tau;
  for (int64_t k = 0; k < std::min(a.m, a.n); ++k) {
    double size = 0;
    for (int64_t i = k + 1; i < a.m; ++i) size += std::norm(a(i, k));
    const Number alpha = a(k, k);
    if (size == 0 && alpha.imag() == 0) {
      tau.push_back(0);
      continue;
    }
    const double beta = -std::copysign(std::sqrt(std::norm(alpha) + size), alpha.real());
    tau.push_back((beta - alpha) / beta);
    for (int64_t i = k + 1; i < a.m; ++i) a(i, k) /= alpha - beta;
    a(k, k) = 1;
    for (int64_t j = k + 1; j < a.n; ++j) {
      Number dot = 0;
      for (int64_t i = k; i < a.m; ++i) dot += std::conj(a(i, k)) * a(i, j);
      for (int64_t i = k; i < a.m; ++i) a(i, j) -= std::conj(tau.back()) * dot * a(i, k);
    }
    a(k, k) = beta;
  }
  return tau;
}

// The first n columns of Q.
inline Matrix qr_vectors(const Matrix& a, const std::vector<Number>& tau, int64_t n) {
  Matrix q = identity(a.m, n);
  for (int64_t k = int64_t(tau.size()); k-- > 0;)
    for (int64_t j = 0; j < n; ++j) {
      Number dot = q(k, j);
      for (int64_t i = k + 1; i < a.m; ++i) dot += std::conj(a(i, k)) * q(i, j);
      q(k, j) -= tau[size_t(k)] * dot;
      for (int64_t i = k + 1; i < a.m; ++i) q(i, j) -= tau[size_t(k)] * dot * a(i, k);
    }
  return q;
}

// A rotation J of columns p and q after which J^H [[app, apq], [conj(apq), aqq]] J is diagonal (Golub, Van Loan: Matrix
// Computations, 8.5); false: it is already.
struct Rotation {
  double c = 1, s = 0;
  Number phase = 1;
  bool make(double app, double aqq, Number apq) {
    const double size = std::abs(apq);
    if (size <= 1e-17 * std::sqrt(std::abs(app * aqq)) || size < 1e-300) return false;
    phase = apq / size;
    const double tau = (aqq - app) / (2 * size), t = std::copysign(1 / (std::abs(tau) + std::hypot(1, tau)), tau);
    c = 1 / std::hypot(1, t);
    s = t * c;
    return true;
  }
  void columns(Matrix& a, int64_t p, int64_t q) const {
    for (int64_t i = 0; i < a.m; ++i) {
      const Number x = a(i, p), y = a(i, q) * std::conj(phase);
      a(i, p) = c * x - s * y;
      a(i, q) = s * x + c * y;
    }
  }
  void rows(Matrix& a, int64_t p, int64_t q) const {
    for (int64_t j = 0; j < a.n; ++j) {
      const Number x = a(p, j), y = a(q, j) * phase;
      a(p, j) = c * x - s * y;
      a(q, j) = s * x + c * y;
    }
  }
};

// Returns the columns in another order.
inline Matrix chosen(const Matrix& a, const std::vector<size_t>& order) {
  Matrix out(a.m, int64_t(order.size()));
  for (size_t j = 0; j < order.size(); ++j)
    for (int64_t i = 0; i < a.m; ++i) out(i, int64_t(j)) = a(i, int64_t(order[j]));
  return out;
}

// Eigenvalues, ascending, and vectors of a Hermitian matrix, of which one triangle is read, by Jacobi's method.
inline std::vector<double> hermitian(Matrix& a, bool lower, Matrix& vectors) {
  const int64_t n = a.n;
  for (int64_t j = 0; j < n; ++j) {
    a(j, j) = a(j, j).real();
    for (int64_t i = j + 1; i < n; ++i) lower ? a(j, i) = std::conj(a(i, j)) : a(i, j) = std::conj(a(j, i));
  }
  Matrix v = identity(n, n);
  bool turned = true;
  for (int sweep = 0; turned && sweep < 60; ++sweep) {
    turned = false;
    for (int64_t p = 0; p < n; ++p)
      for (int64_t q = p + 1; q < n; ++q) {
        Rotation r;
        if (!r.make(a(p, p).real(), a(q, q).real(), a(p, q))) continue;
        turned = true;
        r.columns(a, p, q);
        r.rows(a, p, q);
        r.columns(v, p, q);
      }
  }
  std::vector<size_t> order(static_cast<size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(),
            [&](size_t x, size_t y) { return a(int64_t(x), int64_t(x)).real() < a(int64_t(y), int64_t(y)).real(); });
  vectors = chosen(v, order);
  std::vector<double> values;
  for (size_t i : order) values.push_back(a(int64_t(i), int64_t(i)).real());
  return values;
}

// Makes the columns from `first` on orthonormal to each other and to those before.
inline void complete(Matrix& u, int64_t first) {
  for (int64_t j = first, unit = 0; j < u.n; ++unit) {
    for (int64_t i = 0; i < u.m; ++i) u(i, j) = i == unit;
    for (int twice = 0; twice < 2; ++twice)
      for (int64_t k = 0; k < j; ++k) {
        Number dot = 0;
        for (int64_t i = 0; i < u.m; ++i) dot += std::conj(u(i, k)) * u(i, j);
        for (int64_t i = 0; i < u.m; ++i) u(i, j) -= dot * u(i, k);
      }
    const double size = length(u, j);
    if (size < 0.1 / std::sqrt(double(u.m))) continue;
    for (int64_t i = 0; i < u.m; ++i) u(i, j) /= size;
    ++j;
  }
}

// a = u diag(s) v^H, a: m x n, m >= n, u: m x columns, by Hestenes' one-sided Jacobi method.
inline std::vector<double> svd(Matrix a, int64_t columns, Matrix& u, Matrix& v) {
  const int64_t n = a.n;
  Matrix w = identity(n, n);
  bool turned = true;
  for (int sweep = 0; turned && sweep < 60; ++sweep) {
    turned = false;
    for (int64_t p = 0; p < n; ++p)
      for (int64_t q = p + 1; q < n; ++q) {
        Number dot = 0;
        for (int64_t i = 0; i < a.m; ++i) dot += std::conj(a(i, p)) * a(i, q);
        Rotation r;
        if (!r.make(std::pow(length(a, p), 2), std::pow(length(a, q), 2), dot)) continue;
        turned = true;
        r.columns(a, p, q);
        r.columns(w, p, q);
      }
  }
  std::vector<size_t> order(static_cast<size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t x, size_t y) { return length(a, int64_t(x)) > length(a, int64_t(y)); });
  const Matrix sorted = chosen(a, order);
  v = chosen(w, order);
  u = Matrix(a.m, columns);
  std::vector<double> s;
  int64_t rank = 0;
  for (int64_t j = 0; j < n; ++j) {
    s.push_back(length(sorted, j));
    if (s.back() <= 1e-15 * s[0]) continue;
    for (int64_t i = 0; i < a.m; ++i) u(i, j) = sorted(i, j) / s.back();
    rank = j + 1;
  }
  complete(u, rank);
  return s;
}

// a = P L D L^T P^T with pivots of one row or two by Bunch and Kaufman (LAPACK's xSYTF2, lower), in the lower triangle.
// upper: the same from the last row to the first.
inline int indefinite(Matrix& stored, bool upper, std::vector<int64_t>& pivots) {
  const int64_t n = stored.n;
  const auto place = [&](int64_t i) { return upper ? n - 1 - i : i; };
  Matrix a(n, n);
  for (int64_t j = 0; j < n; ++j)
    for (int64_t i = j; i < n; ++i) a(i, j) = a(j, i) = stored(place(i), place(j));
  const double limit = (1 + std::sqrt(17)) / 8;
  int info = 0;
  pivots.assign(size_t(n), 0);
  const auto put = [&](int64_t k, int64_t p, bool two) { pivots[size_t(place(k))] = (two ? -1 : 1) * (place(p) + 1); };
  const auto largest = [&](int64_t column, int64_t from, int64_t& row) {
    double most = 0;
    for (int64_t i = from; i < n; ++i)
      if (i != column && std::abs(a(i, column)) > most) most = std::abs(a(i, column)), row = i;
    return most;
  };
  const auto exchange = [&](int64_t x, int64_t y, int64_t from) {  // only the part not factored yet, as in xSYTF2
    for (int64_t j = from; j < n; ++j) std::swap(a(x, j), a(y, j));
    for (int64_t i = from; i < n; ++i) std::swap(a(i, x), a(i, y));
  };
  for (int64_t k = 0; k < n;) {
    int64_t row = k, other = k;
    const double diagonal = std::abs(a(k, k)), below = largest(k, k + 1, row);
    if (std::max(diagonal, below) == 0) {
      if (!info) info = int(place(k) + 1);
      put(k, k, false);
      ++k;
      continue;
    }
    int64_t p = k, width = 1;
    if (diagonal < limit * below) {
      const double across = largest(row, k, other);
      if (diagonal < limit * below * (below / across)) {
        p = row;
        if (std::abs(a(row, row)) < limit * across) width = 2;
      }
    }
    exchange(k + width - 1, p, k);
    const auto set = [&](int64_t i, int64_t j, Number x) { a(i, j) = a(j, i) = x; };
    if (width == 1) {
      for (int64_t j = k + 1; j < n; ++j)
        for (int64_t i = j; i < n; ++i) set(i, j, a(i, j) - a(i, k) * a(j, k) / a(k, k));
      for (int64_t i = k + 1; i < n; ++i) set(i, k, a(i, k) / a(k, k));
      put(k, p, false);
    } else {
      const Number d11 = a(k, k), d21 = a(k + 1, k), d22 = a(k + 1, k + 1), det = d11 * d22 - d21 * d21;
      std::vector<Number> x, y;
      for (int64_t i = k + 2; i < n; ++i) {
        x.push_back((d22 * a(i, k) - d21 * a(i, k + 1)) / det);
        y.push_back((d11 * a(i, k + 1) - d21 * a(i, k)) / det);
      }
      for (int64_t j = k + 2; j < n; ++j)
        for (int64_t i = j; i < n; ++i)
          set(i, j, a(i, j) - x[size_t(i - k - 2)] * a(j, k) - y[size_t(i - k - 2)] * a(j, k + 1));
      for (int64_t i = k + 2; i < n; ++i) set(i, k, x[size_t(i - k - 2)]), set(i, k + 1, y[size_t(i - k - 2)]);
      put(k, p, true), put(k + 1, p, true);
    }
    k += width;
  }
  for (int64_t j = 0; j < n; ++j)
    for (int64_t i = j; i < n; ++i) stored(place(i), place(j)) = a(i, j);
  return info;
}

// xSYTRS.
inline void indefinite_solve(const Matrix& stored, bool upper, const int64_t* pivots, Matrix& given) {
  const int64_t n = stored.n;
  const auto place = [&](int64_t i) { return upper ? n - 1 - i : i; };
  const auto at = [&](int64_t i, int64_t j) { return stored(place(i), place(j)); };
  const auto pivot = [&](int64_t k) { return pivots[place(k)]; };
  const auto b = [&](int64_t i, int64_t j) -> Number& { return given(place(i), j); };
  const auto exchange = [&](int64_t k, int64_t stored_pivot) {
    const int64_t p = place(std::abs(stored_pivot) - 1);
    for (int64_t j = 0; j < given.n; ++j) std::swap(b(k, j), b(p, j));
  };
  for (int64_t k = 0; k < n;) {
    const int64_t width = pivot(k) > 0 ? 1 : 2;
    exchange(k + width - 1, pivot(k));
    for (int64_t j = 0; j < given.n; ++j) {
      for (int64_t l = k; l < k + width; ++l)
        for (int64_t i = k + width; i < n; ++i) b(i, j) -= at(i, l) * b(l, j);
      if (width == 1) {
        b(k, j) /= at(k, k);
        continue;
      }
      const Number d11 = at(k, k), d21 = at(k + 1, k), d22 = at(k + 1, k + 1), det = d11 * d22 - d21 * d21, x = b(k, j),
                   y = b(k + 1, j);
      b(k, j) = (d22 * x - d21 * y) / det;
      b(k + 1, j) = (d11 * y - d21 * x) / det;
    }
    k += width;
  }
  for (int64_t last = n - 1; last >= 0;) {
    const int64_t width = pivot(last) > 0 ? 1 : 2, first = last - width + 1;
    for (int64_t j = 0; j < given.n; ++j)
      for (int64_t l = first; l <= last; ++l)
        for (int64_t i = last + 1; i < n; ++i) b(l, j) -= at(i, l) * b(i, j);
    exchange(last, pivot(last));
    last = first - 1;
  }
}

// Eigenvalues and right vectors, of length 1, of any matrix: skips the Hessenberg form; the QR iteration with
// Wilkinson's shifts works on the whole matrix (Golub, Van Loan, 7.3), which is acceptable for small ones.
inline std::vector<Number> general(Matrix a, Matrix& vectors) {
  const int64_t n = a.n;
  Matrix q = identity(n, n);
  double size = 0;
  for (const Number& x : a.data) size = std::max(size, std::abs(x));
  for (int64_t end = n, rounds = 0; end > 1 && rounds < 100 * n; ++rounds) {
    double left = 0;
    for (int64_t j = 0; j + 1 < end; ++j) left = std::max(left, std::abs(a(end - 1, j)));
    if (left <= 1e-16 * size) {
      --end;
      continue;
    }
    const Number x = a(end - 2, end - 2), y = a(end - 1, end - 1), bc = a(end - 2, end - 1) * a(end - 1, end - 2),
                 half = (x + y) / 2.0, root = std::sqrt((x - y) * (x - y) / 4.0 + bc);
    Number shift = std::abs(half + root - y) < std::abs(half - root - y) ? half + root : half - root;
    if (rounds % 15 == 14) shift += size * 0.37;  // to leave a cycle
    Matrix part(end, end);
    for (int64_t j = 0; j < end; ++j)
      for (int64_t i = 0; i < end; ++i) part(i, j) = a(i, j) - (i == j ? shift : 0.0);
    const std::vector<Number> tau = qr(part);
    const Matrix turn = qr_vectors(part, tau, end);
    Matrix whole = identity(n, n), adjoint = identity(n, n);
    for (int64_t j = 0; j < end; ++j)
      for (int64_t i = 0; i < end; ++i) whole(i, j) = turn(i, j), adjoint(j, i) = std::conj(turn(i, j));
    a = product(adjoint, product(a, whole));
    q = product(q, whole);
  }
  Matrix t(n, n);  // vectors of the triangular matrix
  std::vector<Number> values;
  for (int64_t k = 0; k < n; ++k) {
    values.push_back(a(k, k));
    t(k, k) = 1;
    for (int64_t i = k; i-- > 0;) {
      Number sum = 0, gap = a(k, k) - a(i, i);
      for (int64_t j = i + 1; j <= k; ++j) sum += a(i, j) * t(j, k);
      if (std::abs(gap) < 1e-16 * size) gap = 1e-16 * size;
      t(i, k) = sum / gap;
    }
  }
  vectors = product(q, t);
  for (int64_t j = 0; j < n; ++j) {
    const double norm = length(vectors, j);
    for (int64_t i = 0; i < n; ++i) vectors(i, j) /= norm;
  }
  return values;
}

}  // namespace fake_factor
