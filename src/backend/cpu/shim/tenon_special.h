// shim/tenon_special.h: functions that CUDA has and the host's libm has not.
#ifndef TENON_SPECIAL_H
#define TENON_SPECIAL_H

extern "C" {
double exp10(double) noexcept;
double tan(double) noexcept;
double exp2(double) noexcept;
double log2(double) noexcept;
double log10(double) noexcept;
}

TENON_INLINE float rsqrtf(float x) { return 1.0f / __builtin_sqrtf(x); }
TENON_INLINE float rsqrt(float x) { return rsqrtf(x); }
TENON_INLINE double rsqrt(double x) { return 1.0 / __builtin_sqrt(x); }
TENON_INLINE float rcbrtf(float x) { return (float)(1.0 / cbrt((double)x)); }
TENON_INLINE float rcbrt(float x) { return rcbrtf(x); }
TENON_INLINE double rcbrt(double x) { return 1.0 / cbrt(x); }

// sin and cos of pi x. x - 2 round(x / 2) is exact, so large arguments keep their parity.
static inline __attribute__((unused)) void sincospi(double x, double* s, double* c) {
  double r = x - 2.0 * __builtin_rint(x * 0.5), q = __builtin_rint(2.0 * r);
  double t = (r - 0.5 * q) * 3.14159265358979323846;
  double st, ct;
  sincos(t, &st, &ct);
  int quadrant = q == q && q - q == 0 ? (int)q & 3 : 0;
  double a = quadrant & 1 ? ct : st, b = quadrant & 1 ? st : ct;
  *s = quadrant & 2 ? -a : a;
  *c = (quadrant + 1) & 2 ? -b : b;
  if (x == 0) *s = x;  // the sign of zero
}
TENON_INLINE double sinpi(double x) { double s, c; sincospi(x, &s, &c); return s; }
TENON_INLINE double cospi(double x) { double s, c; sincospi(x, &s, &c); return c; }
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

TENON_INLINE double norm3d(double a, double b, double c) { return hypot(hypot(a, b), c); }
TENON_INLINE double norm4d(double a, double b, double c, double d) { return hypot(hypot(a, b), hypot(c, d)); }
TENON_INLINE double rhypot(double a, double b) { return 1.0 / hypot(a, b); }
TENON_INLINE double rnorm3d(double a, double b, double c) { return 1.0 / norm3d(a, b, c); }
TENON_INLINE double rnorm4d(double a, double b, double c, double d) { return 1.0 / norm4d(a, b, c, d); }
static inline __attribute__((unused)) double norm(int n, const double* v) {
  double largest = 0;
  for (int i = 0; i < n; ++i) largest = fmax(largest, __builtin_fabs(v[i]));
  if (largest == 0 || !(largest - largest == 0)) return largest;
  double sum = 0;
  for (int i = 0; i < n; ++i) sum = __builtin_fma(v[i] / largest, v[i] / largest, sum);
  return largest * __builtin_sqrt(sum);
}
TENON_INLINE double rnorm(int n, const double* v) { return 1.0 / norm(n, v); }
// Squares of floats neither overflow nor vanish in double.
TENON_INLINE double tenon_square(float x) { return (double)x * x; }
TENON_INLINE float norm3df(float a, float b, float c) { return (float)__builtin_sqrt(tenon_square(a) + tenon_square(b) + tenon_square(c)); }
TENON_INLINE float norm4df(float a, float b, float c, float d) {
  return (float)__builtin_sqrt(tenon_square(a) + tenon_square(b) + tenon_square(c) + tenon_square(d));
}
TENON_INLINE float rhypotf(float a, float b) { return (float)(1.0 / __builtin_sqrt(tenon_square(a) + tenon_square(b))); }
TENON_INLINE float rnorm3df(float a, float b, float c) {
  return (float)(1.0 / __builtin_sqrt(tenon_square(a) + tenon_square(b) + tenon_square(c)));
}
TENON_INLINE float rnorm4df(float a, float b, float c, float d) {
  return (float)(1.0 / __builtin_sqrt(tenon_square(a) + tenon_square(b) + tenon_square(c) + tenon_square(d)));
}
static inline __attribute__((unused)) float normf(int n, const float* v) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += tenon_square(v[i]);
  return (float)__builtin_sqrt(sum);
}
static inline __attribute__((unused)) float rnormf(int n, const float* v) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += tenon_square(v[i]);
  return (float)(1.0 / __builtin_sqrt(sum));
}
TENON_INLINE float rhypot(float a, float b) { return rhypotf(a, b); }

// --- the normal distribution

// erfc(-x / sqrt 2) / 2. In the tail the rounding of the argument would show in the result; its rest is put back.
static inline __attribute__((unused)) double normcdf(double x) {
  if (!(x > -40)) x = x != x ? x : -40;
  const double t = x * -0.70710678118654752440;
  const double rest = __builtin_fma(x, -0.70710678118654752440, -t) + x * 4.8336466567264567e-17;
  return 0.5 * (erfc(t) - 1.12837916709551257390 * exp(-t * t) * rest);
}

// The inverse of erfc by Newton's method (third order) from a first guess; erfc keeps its relative accuracy in the tail.
static inline __attribute__((unused)) double tenon_inverse_erfc(double y) {
  if (!(y >= 0 && y <= 2)) return __builtin_nan("");
  if (y == 0) return __builtin_inf();
  if (y == 2) return -__builtin_inf();
  const double p = y < 1 ? y : 2 - y;
  const double t = __builtin_sqrt(-2 * log(0.5 * p));
  double x = -0.70710678118654752440 * ((2.30753 + t * 0.27061) / (1 + t * (0.99229 + t * 0.04481)) - t);
  for (int i = 0; i < 3; ++i) {
    const double scaled = exp(-x * x);
    if (scaled == 0) break;
    const double error = (erfc(x) - p) / (1.12837916709551257390 * scaled);
    x += error / (1 - x * error);
  }
  return y < 1 ? x : -x;
}
TENON_INLINE double erfcinv(double y) { return tenon_inverse_erfc(y); }
static inline __attribute__((unused)) double erfinv(double y) {
  if (__builtin_fabs(y) > 0.5) return tenon_inverse_erfc(1 - y);
  double x = y * 0.88622692545275801365;
  for (int i = 0; i < 4; ++i) {
    const double error = (erf(x) - y) / (1.12837916709551257390 * exp(-x * x));
    x -= error / (1 + x * error);
  }
  return y == 0 ? y : x;
}
TENON_INLINE double normcdfinv(double p) { return -1.41421356237309504880 * tenon_inverse_erfc(2 * p); }

// exp(x^2) erfc(x): directly while erfc is accurate and not tiny, by its continued fraction beyond.
static inline __attribute__((unused)) double erfcx(double x) {
  if (x != x) return x;
  if (x < 10) {
    // x^2 in two parts, so that the rounding of the square does not show in the exponential.
    const double square = x * x, rest = __builtin_fma(x, x, -square);
    const double scale = exp(square);
    return __builtin_isinf(scale) ? scale : erfc(x) * scale * (1 + rest);
  }
  double f = 0;
  for (int k = 40; k > 0; --k) f = 0.5 * k / (x + f);
  return 0.56418958354775628695 / (x + f);
}

// Modified Bessel functions of the first kind: the power series, and the asymptotic one for large arguments.
static inline __attribute__((unused)) double tenon_bessel_i(int order, double x) {
  const double a = __builtin_fabs(x);
  double sum, term;
  if (a < 25) {
    const double q = 0.25 * a * a;
    sum = term = order ? 0.5 * a : 1.0;
    for (int k = 1; k < 200 && term > sum * 1e-18; ++k) sum += term *= q / ((double)k * (k + order));
  } else {
    const double mu = 4.0 * order * order;
    sum = term = 1.0;
    for (int k = 1; k < 30; ++k) {
      const double next = -term * (mu - (2.0 * k - 1) * (2.0 * k - 1)) / (8.0 * a * k);
      if (__builtin_fabs(next) > __builtin_fabs(term) || __builtin_fabs(next) < 1e-18) break;
      sum += term = next;
    }
    sum *= exp(0.5 * a) * (exp(0.5 * a) / __builtin_sqrt(6.28318530717958647692 * a));
  }
  return order && x < 0 ? -sum : sum;
}
TENON_INLINE double cyl_bessel_i0(double x) { return tenon_bessel_i(0, x); }
TENON_INLINE double cyl_bessel_i1(double x) { return tenon_bessel_i(1, x); }

#define TENON_BY_DOUBLE(name)                                                        \
  TENON_INLINE float name##f(float x) { return (float)name((double)x); }             \
  TENON_INLINE float name(float x) { return name##f(x); }
TENON_BY_DOUBLE(normcdf) TENON_BY_DOUBLE(normcdfinv) TENON_BY_DOUBLE(erfinv) TENON_BY_DOUBLE(erfcinv) TENON_BY_DOUBLE(erfcx)
TENON_BY_DOUBLE(cyl_bessel_i0) TENON_BY_DOUBLE(cyl_bessel_i1)
#undef TENON_BY_DOUBLE

#define TENON_OVERLOADS(name)                                                        \
  TENON_INLINE float name(float x) { return name##f(x); }                            \
  template <class T> TENON_INLINE typename tenon_if_integer<T>::type name(T x) { return name((double)x); }
TENON_OVERLOADS(exp10) TENON_OVERLOADS(exp2) TENON_OVERLOADS(log2) TENON_OVERLOADS(log10) TENON_OVERLOADS(sin) TENON_OVERLOADS(cos)
TENON_OVERLOADS(tan) TENON_OVERLOADS(tanh) TENON_OVERLOADS(exp) TENON_OVERLOADS(log)
#undef TENON_OVERLOADS
TENON_INLINE void sincos(float x, float* s, float* c) { sincosf(x, s, c); }
TENON_INLINE float pow(float x, float y) { return powf(x, y); }
// The overloads with a whole exponent that CUDA has.
TENON_INLINE float pow(float x, int n) { return powf(x, (float)n); }
TENON_INLINE double pow(double x, int n) { return pow(x, (double)n); }
template <class A, class B> TENON_INLINE typename tenon_if_mixed<A, B>::type pow(A x, B y) { return pow((double)x, (double)y); }

#endif
