// backend/cpu/linalg/dense_vectors.cpp: sums, multiples, rotations and norms of numbers with any strides.
#include "backend/cpu/linalg/dense.hpp"
#include "backend/cpu/linalg/dense_small.hpp"
#include "backend/cpu/linalg/element.hpp"

namespace tenon::cpu {
namespace {

// Numbers that make a piece worth a thread.
constexpr int64_t kVectorGrain = 1 << 15;

// Calls body(g, j, first, count) for pieces of the columns of all matrices, distributed over the pool.
template <class F> void each_piece(const OnMatrices& p, F&& body) {
  const int64_t pieces = (p.m + kVectorGrain - 1) / kVectorGrain;
  base::parallel_for(p.batch * p.n * pieces, std::max<int64_t>(1, kVectorGrain / p.m), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t first = i % pieces * kVectorGrain, column = i / pieces;
      body(column / p.n, column % p.n, first, std::min(kVectorGrain, p.m - first));
    }
  });
}

template <class N> typename N::Stored* place(const DenseMatrix& x, int64_t g, int64_t j, int64_t i) {
  return at<typename N::Stored>(x, g) + j * x.ld + i * x.step;
}

// x = one(x) for `count` numbers. Contiguous numbers have a separate loop, which the compiler vectorises.
template <class N, class F> void change(typename N::Stored* x, int64_t step, int64_t count, F&& one) {
  if (step == 1)
    for (int64_t i = 0; i < count; ++i) x[i] = N::write(one(N::read(x[i])));
  else
    for (int64_t i = 0; i < count; ++i) x[i * step] = N::write(one(N::read(x[i * step])));
}

// max that keeps NaN.
double largest(double x, double y) { return y > x || std::isnan(y) ? y : x; }

// The sum of term(x) over numbers, in several independent sums; these are short, and are then added up, so that the
// error does not grow with the count.
template <class N, class F> double sum_of(const typename N::Stored* x, int64_t step, int64_t count, const F& term) {
  constexpr int64_t kSums = 8, kRun = 1024;
  if (count > kRun) {
    double whole = 0;
    for (int64_t first = 0; first < count; first += kRun)
      whole += sum_of<N>(x + first * step, step, std::min(kRun, count - first), term);
    return whole;
  }
  double sums[kSums] = {};
  const auto add = [&](int64_t step) {
    int64_t i = 0;
    for (; i + kSums <= count; i += kSums)
      for (int64_t k = 0; k < kSums; ++k) sums[k] += term(N::read(x[(i + k) * step]));
    for (; i < count; ++i) sums[0] += term(N::read(x[i * step]));
  };
  if (step == 1) add(1);
  else add(step);
  for (int64_t width = kSums / 2; width; width /= 2)
    for (int64_t k = 0; k < width; ++k) sums[k] += sums[k + width];
  return sums[0];
}

// piece(first number, step, count) for pieces of matrix g of the problem, in order. The pieces, and therefore the
// results, do not depend on the number of threads.
template <class N, class F> std::vector<double> of_pieces(const NormProblem& given, int64_t g, F&& piece) {
  NormProblem p = given;
  p.batch = 1;
  if (p.a.ld == p.m * p.a.step) p.m *= p.n, p.n = 1;
  const int64_t pieces = (p.m + kVectorGrain - 1) / kVectorGrain;
  std::vector<double> parts(static_cast<size_t>(p.n * pieces));
  each_piece(p, [&](int64_t, int64_t j, int64_t first, int64_t count) {
    parts[size_t(j * pieces + first / kVectorGrain)] = piece(place<N>(p.a, g, j, first), p.a.step, count);
  });
  return parts;
}

template <class N, class F> double sum_of(const NormProblem& p, int64_t g, const F& term) {
  double whole = 0;
  for (double part :
       of_pieces<N>(p, g, [&](const auto* x, int64_t step, int64_t count) { return sum_of<N>(x, step, count, term); }))
    whole += part;
  return whole;
}

// The square root of the sum of squares of a matrix.
template <class N> double root_of_squares(const NormProblem& p, int64_t g) {
  const auto sum = [&](double factor) {
    return sum_of<N>(p, g, [factor](auto y) {
      const double re = factor * double(std::real(y)), im = factor * double(std::imag(y));
      return std::is_floating_point_v<typename N::Wide> ? re * re : re * re + im * im;
    });
  };
  const double plain = sum(1);
  if (plain > 1e-280 && plain < 1e300) return std::sqrt(plain);
  // For zero, NaN, and squares that overflow or vanish.
  double best = 0;
  for (double part : of_pieces<N>(p, g, [](const auto* first, int64_t step, int64_t count) {
         double best = 0;
         for (int64_t i = 0; i < count; ++i) {
           const auto x = N::read(first[i * step]);
           best = largest(best, largest(std::abs(double(std::real(x))), std::abs(double(std::imag(x)))));
         }
         return best;
       }))
    best = largest(best, part);
  if (!(best > 0) || !std::isfinite(best)) return best;
  const int exponent = std::ilogb(best);
  const double factor = std::ldexp(1.0, -std::clamp(exponent, -1000, 1000));
  return std::sqrt(sum(factor)) / factor;
}

// The other norms: sums and maxima of absolute values.
template <class N> double norm_of(const NormProblem& p, int64_t g) {
  if (p.kind == NormKind::frobenius) return root_of_squares<N>(p, g);
  if (p.kind == NormKind::sum) return sum_of<N>(p, g, [](auto x) { return double(std::abs(x)); });
  const auto size = [&](int64_t i, int64_t j) { return double(std::abs(N::read(*place<N>(p.a, g, j, i)))); };
  double best = 0;
  if (p.kind == NormKind::infinity) {
    std::vector<double> sums(static_cast<size_t>(p.m), 0.0);
    for (int64_t j = 0; j < p.n; ++j)
      for (int64_t i = 0; i < p.m; ++i) sums[size_t(i)] += size(i, j);
    for (double sum : sums) best = largest(best, sum);
    return best;
  }
  for (int64_t j = 0; j < p.n; ++j) {
    double sum = 0;
    for (int64_t i = 0; i < p.m; ++i) sum = p.kind == NormKind::one ? sum + size(i, j) : largest(sum, size(i, j));
    best = largest(best, sum);
  }
  return best;
}

template <class N> struct RealElement {
  using type = Number<typename Real<typename N::Wide>::type>;
};
template <> struct RealElement<Half> {
  using type = Half;
};
template <> struct RealElement<Bfloat> {
  using type = Bfloat;
};

}  // namespace

template <class N> void dense_axpy(const AxpyProblem& p, const Blas*) {
  const auto alpha = scalar<typename N::Wide>(p.alpha);
  if (p.alpha == 0.0) return;  // a factor in memory: x is not read
  each_piece(p, [&](int64_t g, int64_t j, int64_t first, int64_t count) {
    auto* y = place<N>(p.b, g, j, first);
    const auto* x = place<N>(p.a, g, j, first);
    if (p.a.step == 1 && p.b.step == 1)
      for (int64_t i = 0; i < count; ++i) y[i] = N::write(N::read(y[i]) + times(alpha, N::read(x[i])));
    else
      for (int64_t i = 0; i < count; ++i)
        y[i * p.b.step] = N::write(N::read(y[i * p.b.step]) + times(alpha, N::read(x[i * p.a.step])));
  });
}

template <class N> void dense_scal(const ScalProblem& p, const Blas*) {
  const auto alpha = scalar<typename N::Wide>(p.alpha);
  each_piece(p, [&](int64_t g, int64_t j, int64_t first, int64_t count) {
    auto* x = place<N>(p.a, g, j, first);
    if (p.alpha == 0.0) change<N>(x, p.a.step, count, [](auto) { return typename N::Wide(0); });  // NaN too
    else change<N>(x, p.a.step, count, [alpha](auto x) { return times(alpha, x); });
  });
}

template <class N> void dense_norm(const NormProblem& p, const Blas*) {
  using R = typename RealElement<N>::type;
  const auto one = [&](int64_t g) {
    static_cast<typename R::Stored*>(p.norms)[g] = R::write(typename R::Wide(norm_of<N>(p, g)));
  };
  if (p.batch < base::thread_count())  // the threads share each matrix
    for (int64_t g = 0; g < p.batch; ++g) one(g);
  else
    base::parallel_for(p.batch, std::max<int64_t>(1, kVectorGrain / (p.m * p.n)), [&](int64_t begin, int64_t end) {
      for (int64_t g = begin; g < end; ++g) one(g);
    });
}

namespace {

// Changes pairs of numbers of a and b.
template <class N, class Problem, class F> void change_pairs(const Problem& p, F&& one) {
  each_piece(p, [&](int64_t g, int64_t j, int64_t first, int64_t count) {
    auto *x = place<N>(p.a, g, j, first), *y = place<N>(p.b, g, j, first);
    if (p.a.step == 1 && p.b.step == 1)
      for (int64_t i = 0; i < count; ++i) one(x[i], y[i]);
    else
      for (int64_t i = 0; i < count; ++i) one(x[i * p.a.step], y[i * p.b.step]);
  });
}

// The position of the extreme number among `count`, from `first` on.
template <class N> int64_t place_of(const typename N::Stored* x, int64_t step, int64_t count, bool smallest) {
  int64_t best = 0;
  auto extreme = size_of(N::read(x[0]));
  for (int64_t i = 0; i < count; ++i) {
    const auto size = size_of(N::read(x[i * step]));
    if (size != size) return i;
    if (smallest ? size < extreme : size > extreme) extreme = size, best = i;
  }
  return best;
}

// The power of two by which a number is scaled: that of its larger part; 0 if scaling would not help.
template <class R> int exponent_of(R x) { return x != 0 && std::isfinite(x) ? std::ilogb(x) : 0; }
template <class R> int exponent_of(std::complex<R> x) {
  return exponent_of(std::max(std::abs(x.real()), std::abs(x.imag())));
}

// Scaled by powers of two, so that lengths are computed from numbers near 1, and c and s from normal numbers.
template <class R> void rotation(R& a, R& b, R& c) {
  if (b == 0) {
    c = 1;
    return;
  }
  if (a == 0) {
    c = 0, a = b, b = 1;
    return;
  }
  const int exponent = exponent_of(std::complex<R>(a, b));
  const R f = std::scalbn(a, -exponent), g = std::scalbn(b, -exponent);
  const R r = std::copysign(std::hypot(f, g), std::abs(f) > std::abs(g) ? f : g);
  c = f / r, b = g / r, a = std::scalbn(r, exponent);
}

template <class R> std::complex<R> scaled_by(std::complex<R> x, int exponent) {
  return {std::scalbn(x.real(), exponent), std::scalbn(x.imag(), exponent)};
}

// r = a / |a| hypot(|a|, |b|), c = |a| / hypot(|a|, |b|), s = a / |a| conj(b) / hypot(|a|, |b|).
template <class R> void rotation(std::complex<R>& a, std::complex<R>& b, R& c) {
  using C = std::complex<R>;
  if (b == C(0)) {
    c = 1;
    return;
  }
  const int of_b = exponent_of(b);
  const C g = scaled_by(b, -of_b);
  if (a == C(0)) {
    const R size = std::hypot(g.real(), g.imag());
    c = 0, b = std::conj(g) / size, a = std::scalbn(size, of_b);
    return;
  }
  const int of_a = exponent_of(a), most = std::max(of_a, of_b);
  const C f = scaled_by(a, -of_a), direction = f / std::hypot(f.real(), f.imag());
  const R size_a = std::scalbn(std::hypot(f.real(), f.imag()), of_a - most);
  const R size_b = std::scalbn(std::hypot(g.real(), g.imag()), of_b - most), length = std::hypot(size_a, size_b);
  c = size_a / length;
  b = times(direction, std::conj(scaled_by(b, -most))) / length;
  a = scaled_by(direction * length, most);
}

// BLAS's param as a matrix; with flag -2 it is the identity.
template <class T> struct Modified {
  T h11, h21, h12, h22;
  bool changes;

  explicit Modified(const T* param) : h11(param[1]), h21(param[2]), h12(param[3]), h22(param[4]) {
    changes = param[0] != T(-2);
    if (param[0] == T(0)) h11 = h22 = 1;
    if (param[0] == T(1)) h12 = 1, h21 = -1;
  }
};

// Scales d to d * factor^-2, with a magnitude between 2^-24 and 2^24; its row of h and x are adjusted accordingly.
// Returns whether it changed.
template <class T> bool rescale(T& d, T& first, T& second, T* x) {
  constexpr T kGamma = 4096, kMost = kGamma * kGamma;
  bool changed = false;
  while (d != T(0) && std::isfinite(d) && (std::abs(d) <= 1 / kMost || std::abs(d) >= kMost)) {
    const T factor = std::abs(d) >= kMost ? kGamma : 1 / kGamma;
    d = d / factor / factor;
    first *= factor, second *= factor;
    if (x) *x *= factor;
    changed = true;
  }
  return changed;
}

// The modified rotation that makes y1 zero. Sets all of param: its flag, h11, h21, h12, h22.
template <class T> void modified_rotation(T& d1, T& d2, T& x1, T y1, T* param) {
  T flag = -2, h11 = 1, h21 = 0, h12 = 0, h22 = 1;
  const T p1 = d1 * x1, p2 = d2 * y1, q1 = p1 * x1, q2 = p2 * y1;
  const auto nothing = [&] { flag = -1, h11 = h22 = 0, d1 = d2 = x1 = 0; };
  if (d1 < T(0)) {
    nothing();
  } else if (p2 != T(0)) {  // or p2 is NaN
    if (std::abs(q1) > std::abs(q2)) {
      flag = 0, h21 = -y1 / x1, h12 = p2 / p1;
      const T u = 1 - h12 * h21;
      if (u > T(0)) d1 /= u, d2 /= u, x1 *= u;
      else h21 = h12 = 0, nothing();  // only by rounding
    } else if (q2 < T(0)) {
      nothing();
    } else {
      flag = 1, h11 = p1 / p2, h22 = x1 / y1, h12 = 1, h21 = -1;
      const T u = 1 + h11 * h22, old = d1;
      d1 = d2 / u, d2 = old / u, x1 = y1 * u;
    }
    const bool first = rescale(d1, h11, h12, &x1), second = rescale(d2, h21, h22, static_cast<T*>(nullptr));
    if (first || second) flag = -1;
  }
  param[0] = flag, param[1] = h11, param[2] = h21, param[3] = h12, param[4] = h22;
}

}  // namespace

template <class T> void dense_rotm(const RotmProblem& p, const Blas*) {
  const Modified<T> h(static_cast<const T*>(p.param));
  if (!h.changes) return;
  change_pairs<Number<T>>(p, [&](T& x, T& y) {
    const T a = x, b = y;
    x = h.h11 * a + h.h12 * b;
    y = h.h21 * a + h.h22 * b;
  });
}

template <class T> void dense_rotmg(const RotmgProblem& p, const Blas*) {
  T *d1 = static_cast<T*>(p.d1), *d2 = static_cast<T*>(p.d2), *x1 = static_cast<T*>(p.x1);
  T* const param = static_cast<T*>(p.param);
  base::parallel_for(p.count, kVectorGrain / 8, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) modified_rotation(d1[i], d2[i], x1[i], param[5 * i], param + 5 * i);
  });
}

template <class N> void dense_rot(const RotProblem& p, const Blas*) {
  using W = typename N::Wide;
  const auto c = typename Real<W>::type(p.alpha.real());
  const W s = scalar<W>(p.beta), back = conjugate(s);
  change_pairs<N>(p, [&](auto& x, auto& y) {
    const W a = N::read(x), b = N::read(y);
    x = N::write(c * a + times(s, b));
    y = N::write(c * b - times(back, a));
  });
}

template <class N> void dense_swap(const SwapProblem& p, const Blas*) {
  change_pairs<N>(p, [](auto& x, auto& y) { std::swap(x, y); });
}

template <class T> void dense_rotg(const RotgProblem& p, const Blas*) {
  using R = typename Real<T>::type;
  T *a = static_cast<T*>(p.a), *b = static_cast<T*>(p.b);
  base::parallel_for(p.count, kVectorGrain / 8, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) rotation(a[i], b[i], static_cast<R*>(p.c)[i]);
  });
}

template <class N> void dense_extreme(const ExtremeProblem& p, const Blas*) {
  // The best number of each piece, then the best of these; the first piece that contains NaN wins.
  const int64_t pieces = (p.m + kVectorGrain - 1) / kVectorGrain;
  std::vector<int64_t> best(static_cast<size_t>(p.batch * pieces));
  each_piece(p, [&](int64_t g, int64_t, int64_t first, int64_t count) {
    best[size_t(g * pieces + first / kVectorGrain)] =
        first + place_of<N>(place<N>(p.a, g, 0, first), p.a.step, count, p.smallest);
  });
  for (int64_t g = 0; g < p.batch; ++g) {
    const auto size = [&](int64_t k) { return size_of(N::read(*place<N>(p.a, g, 0, best[size_t(g * pieces + k)]))); };
    int64_t found = 0;
    auto extreme = size(0);
    for (int64_t k = 1; k < pieces && extreme == extreme; ++k) {
      const auto here = size(k);
      if (here != here || (p.smallest ? here < extreme : here > extreme)) extreme = here, found = k;
    }
    p.found[g] = best[size_t(g * pieces + found)];
  }
}

#define INSTANCES(N)                                              \
  template void dense_axpy<N>(const AxpyProblem& p, const Blas*); \
  template void dense_scal<N>(const ScalProblem& p, const Blas*); \
  template void dense_norm<N>(const NormProblem& p, const Blas*); \
  template void dense_rot<N>(const RotProblem& p, const Blas*);   \
  template void dense_swap<N>(const SwapProblem& p, const Blas*); \
  template void dense_extreme<N>(const ExtremeProblem& p, const Blas*);
INSTANCES(Number<float>)
INSTANCES(Number<double>)
INSTANCES(Number<std::complex<float>>)
INSTANCES(Number<std::complex<double>>)
INSTANCES(Half)
INSTANCES(Bfloat)
#undef INSTANCES
template void dense_rotm<float>(const RotmProblem& p, const Blas*);
template void dense_rotm<double>(const RotmProblem& p, const Blas*);
template void dense_rotmg<float>(const RotmgProblem& p, const Blas*);
template void dense_rotmg<double>(const RotmgProblem& p, const Blas*);
template void dense_rotg<float>(const RotgProblem& p, const Blas*);
template void dense_rotg<double>(const RotgProblem& p, const Blas*);
template void dense_rotg<std::complex<float>>(const RotgProblem& p, const Blas*);
template void dense_rotg<std::complex<double>>(const RotgProblem& p, const Blas*);

}  // namespace tenon::cpu
