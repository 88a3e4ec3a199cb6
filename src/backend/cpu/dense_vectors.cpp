// backend/cpu/dense_vectors.cpp: sums, multiples and norms of numbers at any steps.
#include "backend/cpu/dense.hpp"
#include "backend/cpu/dense_small.hpp"
#include "backend/cpu/element.hpp"

namespace tenon::cpu {
namespace {

// Numbers that make a thread's piece worth its start.
constexpr int64_t kGrain = 1 << 15;

// Calls body(g, j, first, count) for pieces of the columns of all matrices, shared out over the pool.
template <class F>
void each_piece(const DenseProblem& p, F&& body) {
  const int64_t pieces = (p.m + kGrain - 1) / kGrain;
  base::parallel_for(p.batch * p.n * pieces, std::max<int64_t>(1, kGrain / p.m), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t first = i % pieces * kGrain, column = i / pieces;
      body(column / p.n, column % p.n, first, std::min(kGrain, p.m - first));
    }
  });
}

template <class N>
typename N::Stored* place(const DenseMatrix& x, int64_t g, int64_t j, int64_t i) {
  return at<typename N::Stored>(x, g) + j * x.ld + i * x.step;
}

// x = one(x) for `count` numbers. Those without gaps are a loop of their own, which the compiler makes vectors of.
template <class N, class F>
void change(typename N::Stored* x, int64_t step, int64_t count, F&& one) {
  if (step == 1)
    for (int64_t i = 0; i < count; ++i) x[i] = N::write(one(N::read(x[i])));
  else
    for (int64_t i = 0; i < count; ++i) x[i * step] = N::write(one(N::read(x[i * step])));
}

// max that keeps NaN.
double largest(double x, double y) { return y > x || std::isnan(y) ? y : x; }

// Squares of the parts of numbers, with a factor, in several sums that do not wait for each other; short ones, which are added up
// in turn, so that the error does not grow with the count.
template <class N>
double squares(const typename N::Stored* x, int64_t step, int64_t count, double factor) {
  constexpr int64_t kSums = 8, kRun = 1024;
  if (count > kRun) {
    double whole = 0;
    for (int64_t first = 0; first < count; first += kRun) whole += squares<N>(x + first * step, step, std::min(kRun, count - first), factor);
    return whole;
  }
  double sums[kSums] = {};
  const auto square = [factor](auto y) {
    const double re = factor * double(std::real(y)), im = factor * double(std::imag(y));
    return std::is_floating_point_v<typename N::Wide> ? re * re : re * re + im * im;
  };
  const auto add = [&](int64_t step) {
    int64_t i = 0;
    for (; i + kSums <= count; i += kSums)
      for (int64_t k = 0; k < kSums; ++k) sums[k] += square(N::read(x[(i + k) * step]));
    for (; i < count; ++i) sums[0] += square(N::read(x[i * step]));
  };
  if (step == 1) add(1);
  else add(step);
  for (int64_t width = kSums / 2; width; width /= 2)
    for (int64_t k = 0; k < width; ++k) sums[k] += sums[k + width];
  return sums[0];
}

// The root of the sum of squares of a matrix. Pieces add up the same however many threads there are.
template <class N>
double root_of_squares(const DenseProblem& given, int64_t g) {
  DenseProblem p = given;
  p.batch = 1;
  if (p.a.ld == p.m * p.a.step) p.m *= p.n, p.n = 1;
  const int64_t pieces = (p.m + kGrain - 1) / kGrain;
  std::vector<double> parts(static_cast<size_t>(p.n * pieces));
  const auto sum = [&](double factor) {
    each_piece(p, [&](int64_t, int64_t j, int64_t first, int64_t count) {
      parts[size_t(j * pieces + first / kGrain)] = squares<N>(place<N>(p.a, g, j, first), p.a.step, count, factor);
    });
    double whole = 0;
    for (double part : parts) whole += part;
    return whole;
  };
  const double plain = sum(1);
  if (plain > 1e-280 && plain < 1e300) return std::sqrt(plain);
  // Zero, NaN, or squares that overflow or vanish.
  each_piece(p, [&](int64_t, int64_t j, int64_t first, int64_t count) {
    double best = 0;
    for (int64_t i = 0; i < count; ++i) {
      const auto x = N::read(*place<N>(p.a, g, j, first + i));
      best = largest(best, largest(std::abs(double(std::real(x))), std::abs(double(std::imag(x)))));
    }
    parts[size_t(j * pieces + first / kGrain)] = best;
  });
  double best = 0;
  for (double part : parts) best = largest(best, part);
  if (!(best > 0) || !std::isfinite(best)) return best;
  const int exponent = std::ilogb(best);
  const double factor = std::ldexp(1.0, -std::clamp(exponent, -1000, 1000));
  return std::sqrt(sum(factor)) / factor;
}

// The other norms: sums and maxima of absolute values.
template <class N>
double norm_of(const DenseProblem& p, int64_t g) {
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

template <class N> struct RealElement { using type = Number<typename Real<typename N::Wide>::type>; };
template <> struct RealElement<Half> { using type = Half; };
template <> struct RealElement<Bfloat> { using type = Bfloat; };

}  // namespace

template <class N>
void dense_add(const DenseProblem& p, const Blas*) {
  const auto alpha = scalar<typename N::Wide>(p.alpha);
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

template <class N>
void dense_scale(const DenseProblem& p, const Blas*) {
  const auto alpha = scalar<typename N::Wide>(p.alpha);
  each_piece(p, [&](int64_t g, int64_t j, int64_t first, int64_t count) {
    change<N>(place<N>(p.a, g, j, first), p.a.step, count, [alpha](auto x) { return times(alpha, x); });
  });
}

template <class N>
void dense_norm(const DenseProblem& p, const Blas*) {
  using R = typename RealElement<N>::type;
  const auto one = [&](int64_t g) {
    static_cast<typename R::Stored*>(p.w)[g] = R::write(typename R::Wide(p.kind == NormKind::frobenius ? root_of_squares<N>(p, g) : norm_of<N>(p, g)));
  };
  if (p.batch < base::thread_count())  // the threads share each matrix
    for (int64_t g = 0; g < p.batch; ++g) one(g);
  else
    base::parallel_for(p.batch, std::max<int64_t>(1, kGrain / (p.m * p.n)), [&](int64_t begin, int64_t end) {
      for (int64_t g = begin; g < end; ++g) one(g);
    });
}

#define INSTANCES(N)                                                   \
  template void dense_add<N>(const DenseProblem& p, const Blas*);      \
  template void dense_scale<N>(const DenseProblem& p, const Blas*);    \
  template void dense_norm<N>(const DenseProblem& p, const Blas*);
INSTANCES(Number<float>)
INSTANCES(Number<double>)
INSTANCES(Number<std::complex<float>>)
INSTANCES(Number<std::complex<double>>)
INSTANCES(Half)
INSTANCES(Bfloat)
#undef INSTANCES

}  // namespace tenon::cpu
