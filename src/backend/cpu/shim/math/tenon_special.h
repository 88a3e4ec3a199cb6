// shim/math/tenon_special.h: functions of CUDA that the host's libm lacks.
#ifndef TENON_SPECIAL_H
#define TENON_SPECIAL_H

extern "C" {
double lgamma(double) noexcept;
double tgamma(double) noexcept;
}

// libm's float versions have errors of eight and seven units in the last place.
TENON_INLINE float tgammaf(float x) { return (float)tgamma((double)x); }
TENON_INLINE float lgammaf(float x) { return (float)lgamma((double)x); }

TENON_INLINE float rsqrtf(float x) { return 1.0f / __builtin_sqrtf(x); }
TENON_INLINE float rsqrt(float x) { return rsqrtf(x); }
// 1 / s for s = sqrt(x), corrected by the rounding errors of the root and the quotient. Tiny numbers are scaled, so
// that these errors do not underflow.
TENON_INLINE double rsqrt(double x) {
  const bool tiny = x < 0x1p-900;
  const double a = tiny ? x * 0x1p600 : x, root = __builtin_sqrt(a), y = 1.0 / root;
  const double lost = __builtin_fma(-y, root, 1.0) - 0.5 * __builtin_fma(-root, root, a) * y * y;
  const double result = a > 0 && a <= 1.7976931348623157e+308 ? __builtin_fma(y, lost, y) : y;
  return tiny ? result * 0x1p300 : result;
}
extern "C" {
double tenon_libm_cbrt(double) noexcept __asm__("cbrt");
float cbrtf(float) noexcept;
}
// x = a * scale^3 with a cube in range. The root y of a, and y - (what the exact root is): one step of Newton's with
// the cube in two parts.
TENON_INLINE double tenon_cube_root(double x, double& excess, double& scale) {
  const double size = __builtin_fabs(x);
  scale = size < 0x1p-850 ? 0x1p-54 : size > 0x1p850 ? 0x1p54 : 1.0;
  const double a = size < 0x1p-850 ? x * 0x1p162 : size > 0x1p850 ? x * 0x1p-162 : x, y = tenon_libm_cbrt(a);
  const double square = y * y, square_low = __builtin_fma(y, y, -square), cube = square * y;
  excess = ((cube - a) + (__builtin_fma(square, y, -cube) + square_low * y)) / (3.0 * square);
  excess = size > 0 && size <= 1.7976931348623157e+308 ? excess : 0.0;
  return y;
}
TENON_INLINE double cbrt(double x) {
  double excess, scale;
  const double y = tenon_cube_root(x, excess, scale);
  return (y - excess) * scale;
}
TENON_INLINE double rcbrt(double x) {
  double excess, scale;
  const double y = tenon_cube_root(x, excess, scale), inverse = 1.0 / y;
  const double lost = __builtin_fma(-inverse, y, 1.0) + excess * inverse;
  return (x != 0 && x - x == 0 ? __builtin_fma(inverse, lost, inverse) : inverse) / scale;
}
TENON_INLINE float rcbrtf(float x) { return (float)(1.0 / tenon_libm_cbrt((double)x)); }
TENON_INLINE float rcbrt(float x) { return rcbrtf(x); }

TENON_INLINE void sincospif(float x, float* s, float* c) {
  double ds, dc;
  sincospi((double)x, &ds, &dc);
  *s = (float)ds;
  *c = (float)dc;
}
TENON_INLINE float sinpif(float x) { return (float)sinpi((double)x); }
TENON_INLINE float cospif(float x) { return (float)cospi((double)x); }
TENON_INLINE float sinpi(float x) { return sinpif(x); }
TENON_INLINE float cospi(float x) { return cospif(x); }
TENON_INLINE void sincospi(float x, float* s, float* c) { sincospif(x, s, c); }

// Norms: an infinite coordinate gives infinity, even if others are NaN.
TENON_INLINE double norm3d(double a, double b, double c) { return hypot(hypot(a, b), c); }
TENON_INLINE double norm4d(double a, double b, double c, double d) { return hypot(hypot(a, b), hypot(c, d)); }
// Inverse norms: they are not yet zero for finite numbers whose norm overflows.
TENON_INLINE bool tenon_overflown(double size, double sum) { return __builtin_isinf(size) && sum - sum == 0; }
TENON_INLINE double rhypot(double a, double b) {
  const double size = hypot(a, b);
  return tenon_overflown(size, 0.25 * a + 0.25 * b) ? 0.25 / hypot(0.25 * a, 0.25 * b) : 1.0 / size;
}
TENON_INLINE double rnorm3d(double a, double b, double c) {
  const double size = norm3d(a, b, c);
  return tenon_overflown(size, 0.25 * a + 0.25 * b + 0.25 * c) ? 0.25 / norm3d(0.25 * a, 0.25 * b, 0.25 * c)
                                                               : 1.0 / size;
}
TENON_INLINE double rnorm4d(double a, double b, double c, double d) {
  const double size = norm4d(a, b, c, d);
  return tenon_overflown(size, 0.25 * a + 0.25 * b + 0.25 * c + 0.25 * d)
             ? 0.25 / norm4d(0.25 * a, 0.25 * b, 0.25 * c, 0.25 * d)
             : 1.0 / size;
}
// The norm is largest * root. `root` is 1 where the largest decides alone.
static inline __attribute__((unused)) double tenon_largest(int n, const double* v, double& root) {
  double largest = 0, sum = 0;
  for (int i = 0; i < n; ++i) {
    const double size = __builtin_fabs(v[i]);
    if (__builtin_isinf(size)) return root = 1, size;
    if (!(size <= largest)) largest = largest != largest ? largest : size;  // NaN stays
  }
  for (int i = 0; i < n && largest > 0; ++i) sum = __builtin_fma(v[i] / largest, v[i] / largest, sum);
  root = largest > 0 ? __builtin_sqrt(sum) : 1;
  return largest;
}
static inline __attribute__((unused)) double norm(int n, const double* v) {
  double root;
  const double largest = tenon_largest(n, v, root);
  return largest * root;
}
static inline __attribute__((unused)) double rnorm(int n, const double* v) {
  double root;
  const double largest = tenon_largest(n, v, root);
  return 1.0 / root / largest;
}
// Squares of floats neither overflow nor vanish in double.
TENON_INLINE double tenon_square(float x) { return (double)x * x; }
TENON_INLINE double tenon_squares(float a, float b, float c = 0, float d = 0) {
  const bool infinite = __builtin_isinf(a) || __builtin_isinf(b) || __builtin_isinf(c) || __builtin_isinf(d);
  return infinite ? __builtin_inf() : tenon_square(a) + tenon_square(b) + tenon_square(c) + tenon_square(d);
}
static inline __attribute__((unused)) double tenon_all_squares(int n, const float* v) {
  double sum = 0;
  bool infinite = false;
  for (int i = 0; i < n; ++i) sum += tenon_square(v[i]), infinite |= __builtin_isinf(v[i]) != 0;
  return infinite ? __builtin_inf() : sum;
}
TENON_INLINE float norm3df(float a, float b, float c) { return (float)__builtin_sqrt(tenon_squares(a, b, c)); }
TENON_INLINE float norm4df(float a, float b, float c, float d) {
  return (float)__builtin_sqrt(tenon_squares(a, b, c, d));
}
TENON_INLINE float normf(int n, const float* v) { return (float)__builtin_sqrt(tenon_all_squares(n, v)); }
TENON_INLINE float rhypotf(float a, float b) { return (float)(1.0 / __builtin_sqrt(tenon_squares(a, b))); }
TENON_INLINE float rnorm3df(float a, float b, float c) { return (float)(1.0 / __builtin_sqrt(tenon_squares(a, b, c))); }
TENON_INLINE float rnorm4df(float a, float b, float c, float d) {
  return (float)(1.0 / __builtin_sqrt(tenon_squares(a, b, c, d)));
}
TENON_INLINE float rnormf(int n, const float* v) { return (float)(1.0 / __builtin_sqrt(tenon_all_squares(n, v))); }
TENON_INLINE float rhypot(float a, float b) { return rhypotf(a, b); }

// --- the normal distribution

// erfc(-x / sqrt 2) / 2. In the tail the rounding error of the argument would affect the result, so it is
// corrected.
static inline __attribute__((unused)) double normcdf(double x) {
  x = x < -40 ? -40 : x > 40 ? 40 : x;
  const double t = x * -0.70710678118654752440;
  const double rest = __builtin_fma(x, -0.70710678118654752440, -t) + x * 4.8336466567264567e-17;
  return 0.5 * (erfc(t) - 1.12837916709551257390 * exp(-t * t) * rest);
}

// exp(x^2) erfc(x): directly while erfc is accurate and not tiny, by its continued fraction beyond.
static inline __attribute__((unused)) double erfcx(double x) {
  if (x != x) return x;
  if (x < 10) {
    // x^2 in two parts, so that the rounding of the square does not affect the exponential.
    const double square = x * x, rest = __builtin_fma(x, x, -square);
    const double scale = exp(square);
    return __builtin_isinf(scale) ? scale : erfc(x) * scale * (1 + rest);
  }
  double f = 0;
  for (int k = 40; k > 0; --k) f = 0.5 * k / (x + f);
  return 0.56418958354775628695 / (x + f);
}

// The inverse of erfc for 0 < p < 1/2 by Newton's method on its logarithm, which is smooth far into the tail.
static inline __attribute__((unused)) double tenon_inverse_tail(double p) {
  const double wanted = log(p), t = __builtin_sqrt(2 * (0.69314718055994530942 - wanted));
  double x = -0.70710678118654752440 * ((2.30753 + t * 0.27061) / (1 + t * (0.99229 + t * 0.04481)) - t);
  for (int i = 0; i < 4; ++i) {
    const double scaled = erfcx(x), square = x * x;
    const double over = (log(scaled) - (square + wanted)) - __builtin_fma(x, x, -square);
    x += 0.88622692545275801365 * scaled * over;
  }
  return x;
}
static inline __attribute__((unused)) double tenon_inverse_middle(double y) {  // of erf, |y| <= 1/2
  double x = y * 0.88622692545275801365;
  for (int i = 0; i < 4; ++i) {
    const double error = (erf(x) - y) / (1.12837916709551257390 * exp(-x * x));
    x -= error / (1 + x * error);
  }
  return y == 0 ? y : x;
}
static inline __attribute__((unused)) double erfcinv(double y) {
  if (!(y >= 0 && y <= 2)) return __builtin_nan("");
  if (y == 0 || y == 2) return y == 0 ? __builtin_inf() : -__builtin_inf();
  if (y < 0.5) return tenon_inverse_tail(y);
  return y > 1.5 ? -tenon_inverse_tail(2 - y) : tenon_inverse_middle(1 - y);
}
static inline __attribute__((unused)) double erfinv(double y) {
  const double size = __builtin_fabs(y);
  return size <= 0.5 ? tenon_inverse_middle(y) : __builtin_copysign(erfcinv(1 - size), y);
}
TENON_INLINE double normcdfinv(double p) { return 0.0 - 1.41421356237309504880 * erfcinv(2 * p); }  // +0 in the middle

// Modified Bessel functions of the first kind: the power series, and the asymptotic one for large arguments. Errors
// grow with the number of terms, so the sums are in long double.
static inline __attribute__((unused)) double tenon_bessel_i(int order, double x) {
  const double a = __builtin_fabs(x);
  if (a > 720) return order ? __builtin_copysign(__builtin_inf(), x) : __builtin_inf();
  long double sum, term;
  if (a < 40) {
    const long double q = 0.25L * a * a;
    sum = term = order ? 0.5L * a : 1.0L;
    for (int k = 1; k < 200 && term > sum * 1e-19L; ++k) sum += term *= q / ((long double)k * (k + order));
  } else {
    const long double mu = 4.0L * order * order;
    sum = term = 1.0L;
    for (int k = 1; k < 60; ++k) {
      const long double next = -term * (mu - (2.0L * k - 1) * (2.0L * k - 1)) / (8.0L * a * k);
      if (__builtin_fabsl(next) > __builtin_fabsl(term) || __builtin_fabsl(next) < 1e-20L) break;
      sum += term = next;
    }
    sum *= __builtin_expl(a) / __builtin_sqrtl(6.28318530717958647693L * a);
  }
  return order ? __builtin_copysign((double)sum, x) : (double)sum;  // the sign of zero too
}
TENON_INLINE double cyl_bessel_i0(double x) { return tenon_bessel_i(0, x); }
TENON_INLINE double cyl_bessel_i1(double x) { return tenon_bessel_i(1, x); }

#define TENON_BY_DOUBLE(name)                                            \
  TENON_INLINE float name##f(float x) { return (float)name((double)x); } \
  TENON_INLINE float name(float x) { return name##f(x); }
TENON_BY_DOUBLE(normcdf)
TENON_BY_DOUBLE(normcdfinv)
TENON_BY_DOUBLE(erfinv)
TENON_BY_DOUBLE(erfcinv)
TENON_BY_DOUBLE(erfcx)
TENON_BY_DOUBLE(cyl_bessel_i0)
TENON_BY_DOUBLE(cyl_bessel_i1)
#undef TENON_BY_DOUBLE

#define TENON_OVERLOADS(name)                             \
  TENON_INLINE float name(float x) { return name##f(x); } \
  template <class T> TENON_INLINE typename tenon_if_integer<T>::type name(T x) { return name((double)x); }
TENON_OVERLOADS(exp10)
TENON_OVERLOADS(exp2)
TENON_OVERLOADS(log2)
TENON_OVERLOADS(log10)
TENON_OVERLOADS(sin)
TENON_OVERLOADS(cos)
TENON_OVERLOADS(tan)
TENON_OVERLOADS(tanh)
TENON_OVERLOADS(exp)
TENON_OVERLOADS(log)
TENON_OVERLOADS(cbrt)
TENON_OVERLOADS(lgamma)
TENON_OVERLOADS(tgamma)
#undef TENON_OVERLOADS
TENON_INLINE void sincos(float x, float* s, float* c) { sincosf(x, s, c); }
TENON_INLINE float pow(float x, float y) { return powf(x, y); }
// CUDA's overloads with an integer exponent.
TENON_INLINE float pow(float x, int n) { return powf(x, (float)n); }
TENON_INLINE double pow(double x, int n) { return pow(x, (double)n); }
template <class A, class B> TENON_INLINE typename tenon_if_mixed<A, B>::type pow(A x, B y) {
  return pow((double)x, (double)y);
}

#endif
