// ops/solve/exponential.cpp: the exponential of matrices by scaling and squaring (Al-Mohy, Higham 2009: A New Scaling
// and Squaring Algorithm for the Matrix Exponential), in double precision, of a whole batch at once.
#include <tenon/eigen.h>
#include <algorithm>
#include <cmath>
#include "ops/products/products.hpp"
#include "ops/solve/solve.hpp"
#include "ops/solve/scaling.hpp"

namespace tenon::ops {
namespace {

// The diagonal Pade approximant of degree 13: its coefficients divided by the first.
constexpr double kPade[] = {1,
                            1.0 / 2,
                            3.0 / 25,
                            11.0 / 600,
                            11.0 / 5520,
                            3.0 / 18400,
                            1.0 / 96600,
                            1.0 / 1932000,
                            1.0 / 48944000,
                            1.0 / 1585785600,
                            1.0 / 67395888000,
                            1.0 / 3953892096000,
                            1.0 / 355850288640000,
                            1.0 / 64764752532480000};
constexpr double kLargest = 4.25;     // norm of a up to which the approximant is accurate to double precision
constexpr int kDegrees = 26;          // degree of a in the first term of its backward error divided by a ...
constexpr double kFirstTerm = -63.5;  // ... and log2 of that term's coefficient divided by the unit roundoff
constexpr int kMostSquarings = 50;
constexpr int kPowersHold = 90;  // binary exponent up to which the tenth power of a norm fits double precision

std::vector<double> log_norms(const Array& a, Stream& stream) {
  std::vector<double> out = host_reals(*element_norm(a, NormKind::one, stream), stream);
  for (double& x : out) x = std::log2(x);
  return out;
}

struct Powers {
  Ref<Array> a, a2, a4, a6;
};

Powers powers_of(const Ref<Array>& a, Stream& stream) {
  Powers p{a, product(*a, *a, stream), {}, {}};
  p.a4 = product(*p.a2, *p.a2, stream);
  p.a6 = product(*p.a4, *p.a2, stream);
  return p;
}

Powers scaled_powers(const Powers& p, const Exponents& exponents, Stream& stream) {
  const bool overflow = *std::max_element(exponents.begin(), exponents.end()) > 0;  // perhaps only the factors overflow
  if (overflow) return powers_of(scaled_each(*p.a, exponents, 1, stream), stream);
  const auto times = [&](const Ref<Array>& power, int degree) {
    return scaled_each(*power, exponents, degree, stream);
  };
  return {times(p.a, 1), times(p.a2, 2), times(p.a4, 4), times(p.a6, 6)};
}

// log2 of the 1-norm of |a|^27 divided by that of a.
std::vector<double> log_growth(const Array& a, Stream& stream) {
  const int64_t batch = a.shape()[0], n = cols_of(a);
  const Ref<Array> sizes = element_norm(*a.reshape(Dims{batch, n, n, 1, 1}), NormKind::largest, stream);
  std::vector<double> row(size_t(batch * n), 1.0), out(size_t(batch), 0.0);
  for (int step = 0; step <= kDegrees; ++step) {
    row = host_reals(*product(*from_values(row, sizes->dtype(), Dims{batch, 1, n}, stream), *sizes, stream), stream);
    for (int64_t g = 0; g < batch; ++g) {
      const auto first = row.begin() + g * n;
      const double largest = *std::max_element(first, first + n);
      if (step) out[size_t(g)] += std::log2(largest);
      if (largest > 0) std::for_each(first, first + n, [&](double& x) { x /= largest; });
    }
  }
  return out;
}

// How many times each matrix must be halved, from the powers of a 2^-lift. For a matrix far from normal its norm
// overestimates that, and the norms of its powers give less; the entries of |a|, which determine the powers' rounding
// errors, may require more.
Exponents squarings_of(const Powers& p, const Exponents& lift, Stream& stream) {
  const auto size = [&](const Array& power, int degree) {
    std::vector<double> out = log_norms(power, stream);
    for (size_t g = 0; g < out.size(); ++g) out[g] = out[g] / degree + lift[g];
    return out;
  };
  const std::vector<double> d1 = size(*p.a, 1), d6 = size(*p.a6, 6), d8 = size(*product(*p.a4, *p.a4, stream), 8),
                            d10 = size(*product(*p.a4, *p.a6, stream), 10);
  std::vector<double> wanted;
  bool rounds = false;
  for (size_t g = 0; g < lift.size(); ++g) {
    const double power = std::min(std::max(d6[g], d8[g]), std::max(d8[g], d10[g])) - std::log2(kLargest);
    wanted.push_back(std::max(0.0, std::ceil(power)));
    rounds = rounds || (d1[g] - wanted[g]) * kDegrees + kFirstTerm > 0;
  }
  if (rounds) {
    const std::vector<double> growth = log_growth(*p.a, stream);
    for (size_t g = 0; g < wanted.size(); ++g)
      wanted[g] = std::max(wanted[g], std::ceil((kFirstTerm + growth[g]) / kDegrees + lift[g]));
  }
  Exponents out;
  for (double x : wanted) {
    TENON_REQUIRE(x <= kMostSquarings, TENON_ERROR_OVERFLOW,
                  "%s is so large that its exponential takes %g squarings: after more than %d no digit is accurate",
                  matrix_text(int64_t(out.size()), int64_t(wanted.size())).c_str(), x, kMostSquarings);
    out.push_back(int(x));
  }
  return out;
}

Ref<Array> approximant(const Powers& p, Stream& stream) {
  const Ref<Array> one = Array::create(stream.device(), p.a->dtype(), p.a->shape(), stream);
  set_identity(*one, stream);
  // high(a6) a6 + low, with every second coefficient from the one at `from`.
  const auto half = [&](int from) {
    const Ref<Array> high = scaled(*p.a6, kPade[from + 12], stream);
    add(*high, kPade[from + 10], *p.a4, stream);
    add(*high, kPade[from + 8], *p.a2, stream);
    const Ref<Array> sum = product(*p.a6, *high, stream);
    add(*sum, kPade[from + 6], *p.a6, stream);
    add(*sum, kPade[from + 4], *p.a4, stream);
    add(*sum, kPade[from + 2], *p.a2, stream);
    add(*sum, kPade[from], *one, stream);
    return sum;
  };
  const Ref<Array> odd = product(*p.a, *half(1), stream), even = half(0);
  const Ref<Array> denominator = scaled(*even, 1, stream);
  add(*denominator, -1, *odd, stream);
  add(*even, 1, *odd, stream);
  for (const Ref<Array>& x : {denominator, even})
    require_finite_result(*x, TENON_ERROR_OVERFLOW, "has powers that overflow double precision", stream);
  return solve(*denominator, *even, 0, 0, false, &stream);
}

// ---- Triangular matrices: their exponentials are triangular, and after every squaring the diagonal and its neighbour
// are known. ----

// The diagonal directly above or below the main one, as a view.
Ref<Array> beside(const Array& x, bool above) {
  const Ref<Array> d = diagonal(x);
  const int64_t n = cols_of(x);
  return x.with(with_vector(batch_of(x), n - 1), d->strides(), x.strides()[x.rank() - (above ? 1 : 2)], x.read_only());
}

struct Triangular {  // a run of such matrices of the batch
  int64_t first, count;
  bool upper;
  std::vector<std::complex<double>> diagonal, beside;
};

Ref<Array> part(const Array& x, const Triangular& t) {
  return x.with(Dims{t.count, rows_of(x), cols_of(x)}, x.strides(), t.first * rows_of(x) * cols_of(x), false);
}

std::vector<Triangular> triangular_of(const Array& a, Stream& stream) {
  const auto rest = [&](bool upper) {  // the largest element outside of that triangle
    const Ref<Array> other = copy_of(a, stream);
    keep_triangle(*other, upper, false, stream);
    fill(*diagonal(*other), 0, 0, &stream);
    return host_reals(*element_norm(*other, NormKind::largest, stream), stream);
  };
  const std::vector<double> below = rest(true), above = rest(false);
  std::vector<Triangular> out;
  for (int64_t g = 0; g < int64_t(below.size()); ++g) {
    const bool upper = below[size_t(g)] == 0;
    if (!upper && above[size_t(g)] != 0) continue;
    if (!out.empty() && out.back().first + out.back().count == g && out.back().upper == upper) ++out.back().count;
    else out.push_back({g, 1, upper, {}, {}});
  }
  for (Triangular& t : out) {
    t.diagonal = host_values(*diagonal(*part(a, t)), stream);
    if (cols_of(a) > 1) t.beside = host_values(*beside(*part(a, t), t.upper), stream);
  }
  return out;
}

void set_values(const Ref<Array>& view, const std::vector<std::complex<double>>& values, Stream& stream) {
  if (dtype_complex(view->dtype()))
    return copy(*view, *from_values(values, view->dtype(), view->shape(), stream), &stream);
  std::vector<double> reals;
  for (std::complex<double> x : values) reals.push_back(x.real());
  copy(*view, *from_values(reals, view->dtype(), view->shape(), stream), &stream);
}

// (e^y - e^x) / (y - x), without cancellation.
std::complex<double> divided_difference(std::complex<double> x, std::complex<double> y) {
  const std::complex<double> d = (y - x) / 2.0;
  if (d == 0.0) return std::exp(x);
  return std::abs(d.real()) < 1 ? std::exp((x + y) / 2.0) * std::sinh(d) / d : (std::exp(y) - std::exp(x)) / (y - x);
}

// Sets the known elements in x, for a 2^exponents.
void set_known(const Array& x, const Triangular& t, const Exponents& exponents, Stream& stream) {
  std::vector<std::complex<double>> values, neighbours;
  const size_t n = size_t(cols_of(x));
  for (size_t g = 0; g < size_t(t.count); ++g) {
    const double factor = std::ldexp(1.0, exponents[size_t(t.first) + g]);
    for (size_t i = 0; i < n; ++i) {
      const std::complex<double> here = t.diagonal[g * n + i] * factor;
      values.push_back(std::exp(here));
      if (i + 1 < n)
        neighbours.push_back(t.beside[g * (n - 1) + i] * factor *
                             divided_difference(here, t.diagonal[g * n + i + 1] * factor));
    }
  }
  const Ref<Array> view = part(x, t);
  set_values(diagonal(*view), values, stream);
  if (n > 1) set_values(beside(*view, t.upper), neighbours, stream);
}

// a: (batch, n, n) in double precision, not empty.
Ref<Array> exponential(const Ref<Array>& a, Stream& stream) {
  const size_t batch = size_t(a->shape()[0]);
  Exponents lift, left(batch, 0);  // left: minus the number of squarings still to be done
  bool large = false;
  for (double x : log_norms(*a, stream)) {
    TENON_REQUIRE(x < 1025, TENON_ERROR_OVERFLOW, "%s has a 1-norm that overflows double precision",
                  matrix_text(int64_t(lift.size()), int64_t(batch)).c_str());
    large = large || x > std::log2(kLargest);
    lift.push_back(x > kPowersHold ? int(x) - kPowersHold : 0);
  }
  Exponents scale;
  for (int e : lift) scale.push_back(-e);
  Powers p = powers_of(scaled_each(*a, scale, 1, stream), stream);
  if (large) {
    const Exponents squarings = squarings_of(p, lift, stream);
    for (size_t g = 0; g < batch; ++g) {
      left[g] = -squarings[g];
      scale[g] = lift[g] - squarings[g];
    }
    p = scaled_powers(p, scale, stream);
  }
  const std::vector<Triangular> triangles = triangular_of(*a, stream);
  Ref<Array> x = approximant(p, stream);
  for (const Triangular& t : triangles)
    keep_triangle(*part(*x, t), !t.upper, false, stream);  // of the transposed matrices
  const bool together = equal(left);
  const Ref<Array> out = together ? Ref<Array>() : Array::create(stream.device(), x->dtype(), x->shape(), stream);
  for (;;) {
    for (const Triangular& t : triangles) set_known(*x, t, left, stream);
    for (size_t g = 0; !together && g < batch; ++g)  // unnecessary squarings would lose digits
      if (left[g] == 0) copy(*out->index(0, int64_t(g)), *x->index(0, int64_t(g)), &stream);
    if (*std::min_element(left.begin(), left.end()) >= 0) return together ? x : out;
    for (int& e : left) ++e;
    x = product(*x, *x, stream);
  }
}

}  // namespace

Ref<Array> expm(const Array& a, Stream* given, const Output& output) {
  Stream& stream = stream_for(a, given);
  require_matrix(a, "a", stream.device());
  require_square(a, "a");
  output.check(a.dtype(), a.shape(), stream.device(), {{a, "a"}});
  if (a.size() == 0) return output.deliver(copy_of(a, stream), stream);
  const Ref<Array> source = contiguous(a, stream);
  require_finite(*source, "a", stream);
  const int64_t n = rows_of(a), batch = int64_t(matrices_on_host(batch_of(a)));
  const Ref<Array> out = exponential(in_double(*source->reshape(Dims{batch, n, n}), stream), stream);
  const Ref<Array> rounded = out->dtype() == a.dtype() ? out : convert(*out, a.dtype(), stream.device(), &stream);
  require_finite_result(*rounded, TENON_ERROR_OVERFLOW, "has an exponential that overflows its dtype", stream);
  return output.deliver(rounded->reshape(a.shape()), stream);
}

}  // namespace tenon::ops
