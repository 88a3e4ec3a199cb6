// backend/cpu/native/compute/compute_math.hpp: the functions that bodies of functions/table.py call by the names of the
// C library, without branches, so that the loops around them vectorise. Included by compute_loops.cpp inside its own
// namespace. Those that kernels spend their time in are the kernels' own (shim/math/tenon_fast.h, tenon_fast_double.h);
// the others are made of them here. Floats that need care are computed in double and rounded once.
//
// Nothing depends on the instruction set: every multiply-add that is rounded once is written explicitly, and a
// processor without the instruction computes the same bits in more steps.
#define TENON_INLINE [[maybe_unused]] static inline __attribute__((always_inline))
#define TENON_OWN_FMA

#if defined(__x86_64__) && !defined(__FMA__)

// Inlined, the emulation would triple this object's size and take most of a minute to compile, and it is only for
// processors from before 2013.
#define TENON_CALLED [[maybe_unused]] static __attribute__((noinline))

// Rounding to odd: x, or, if rounding the sum to x lost something (error), the one of the sum's two neighbours with an
// odd last bit. Rounding the result once more to fewer bits equals rounding the sum once.
TENON_INLINE double tenon_odd(double x, double error) {
  unsigned long long bits;
  __builtin_memcpy(&bits, &x, 8);
  const bool inexact = error < 0 || error > 0, away = (error < 0) != (x < 0);
  bits = inexact ? (bits - away) | 1 : bits;
  __builtin_memcpy(&x, &bits, 8);
  return x;
}
// The error of rounding a + b to sum.
TENON_INLINE double tenon_lost(double a, double b, double sum) {
  const double back = sum - a;
  return (a - (sum - back)) + (b - back);
}
TENON_CALLED float tenon_fma(float a, float b, float c) {
  const double product = (double)a * (double)b, sum = product + (double)c;
  return (float)tenon_odd(sum, tenon_lost(product, (double)c, sum));
}
// Boldo and Melquiond, Emulation of FMA and correctly rounded sums: proved algorithms using rounding to odd (2008).
TENON_CALLED double tenon_fma(double a, double b, double c) {
  const double split = 134217729.0, wide_a = split * a, wide_b = split * b;
  const double a_high = wide_a - (wide_a - a), a_low = a - a_high, b_high = wide_b - (wide_b - b), b_low = b - b_high;
  const double product = a * b;
  const double rest = ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low;
  const double low = c + rest, low_lost = tenon_lost(c, rest, low);
  const double high = product + low, high_lost = tenon_lost(product, low, high), tail = low_lost + high_lost;
  const double result = high + tenon_odd(tail, tenon_lost(low_lost, high_lost, tail));
  return result == result && result != 0 ? result : product + c;  // infinities, the sign of zero
}

#else
TENON_INLINE float tenon_fma(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
TENON_INLINE double tenon_fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
#endif

#include "backend/cpu/shim/math/tenon_fast.h"
#include "backend/cpu/shim/math/tenon_fast_double.h"

// --- double

// (e^x - 1) / 4: the hyperbolic sine is still finite for x slightly beyond the range of e^x.
TENON_INLINE double tenon_quarter_expm1(double x) {
  double t, t_low;
  const double shifted = tenon_exp_parts(tenon_clamp(x, -45.0, 710.5), 0.0, t, t_low);
  const double scale = tenon_power_of_two(shifted - 2.0), grown = scale * t, grown_low = scale * t_low;
  const double less = scale - 0.25, less_low = (scale - less) - 0.25, up = less + grown, kept = up - less;
  return up + ((less - (up - kept)) + (grown - kept) + (less_low + grown_low));
}
TENON_INLINE double expm1(double x) {
  const double result = 4.0 * tenon_quarter_expm1(x);
  return __builtin_fabs(x) < 0x1p-54 ? x : result;
}
TENON_INLINE double log1p(double x) {
  const double sum = 1.0 + x, back = sum - 1.0, lost = (1.0 - (sum - back)) + (x - back);
  const double whole = log(sum), result = whole + lost / sum;
  return x == 0.0 ? x : sum > 0.0 && sum < __builtin_inf() ? result : whole;
}
TENON_INLINE double sinh(double x) {
  const double size = __builtin_fabs(x), half = 2.0 * tenon_quarter_expm1(size), more = 2.0 * half + 1.0;
  const double result = half + (more < __builtin_inf() ? half / more : 0.0);
  return __builtin_copysign(size < 0x1p-27 ? size : result, x);
}
// e^x / 2
TENON_INLINE double tenon_half_exp(double x) {
  double high, low;
  const double shifted = tenon_exp_parts(tenon_clamp(x, -746.0, 711.0), 0.0, high, low);
  return tenon_scale(1.0 + high, shifted - 1.0);
}
TENON_INLINE double cosh(double x) {
  const double half = tenon_half_exp(__builtin_fabs(x));
  return half + 0.25 / half;
}

TENON_INLINE double asinh(double x) {
  const double size = __builtin_fabs(x), square = size * size, big = 0x1p60;
  const double result = log1p(size > big ? size : size + square / (1.0 + __builtin_sqrt(1.0 + square)));
  return __builtin_copysign(size > big ? result + 0x1.62e42fefa39efp-1 : result, x);
}
TENON_INLINE double acosh(double x) {
  const double t = x - 1.0, big = 0x1p60, result = log1p(x > big ? x : t + __builtin_sqrt(t * (2.0 + t)));
  return x >= 1.0 ? (x > big ? result + 0x1.62e42fefa39efp-1 : result) : __builtin_nan("");
}
TENON_INLINE double atanh(double x) {
  const double size = __builtin_fabs(x);
  return __builtin_copysign(0.5 * log1p(2.0 * size / (1.0 - size)), x);
}

// (atan(r) / r - 1) / r^2 for |r| <= tan(pi / 8), given r^2
TENON_INLINE double tenon_atan_core(double z) {
  double q = 0x1.0acd9e91a5a35p-6;
  q = tenon_fma(q, z, -0x1.1b311bb48c215p-5);
  q = tenon_fma(q, z, 0x1.74dccfb93fff0p-5);
  q = tenon_fma(q, z, -0x1.ac7a5a79b3f26p-5);
  q = tenon_fma(q, z, 0x1.e19a0bfa3eef9p-5);
  q = tenon_fma(q, z, -0x1.110e87b4357d2p-4);
  q = tenon_fma(q, z, 0x1.3b1392d519db1p-4);
  q = tenon_fma(q, z, -0x1.745d165dc9713p-4);
  q = tenon_fma(q, z, 0x1.c71c71c303dbbp-4);
  q = tenon_fma(q, z, -0x1.249249248d7dcp-3);
  q = tenon_fma(q, z, 0x1.9999999999953p-3);
  return tenon_fma(q, z, -0x1.5555555555555p-2);
}
// atan(above / below) for numbers >= 0: of their quotient, or pi / 4 or pi / 2 plus the arc tangent of the remainder.
TENON_INLINE double tenon_atan_of(double above, double below) {
  const bool middle = above > 0.41421356237309503 * below, high = above > 2.4142135623730950 * below;
  const double over = high ? -below : middle ? above - below : above;
  const double under = high ? above : middle ? above + below : below;
  const double r = over / under, z = r * r;
  const double base = high ? 0x1.921fb54442d18p+0 : middle ? 0x1.921fb54442d18p-1 : 0.0;
  const double base_low = high ? 0x1.1a62633145c07p-54 : middle ? 0x1.1a62633145c07p-55 : 0.0;
  return base + (r + tenon_fma(z * r, tenon_atan_core(z), base_low));
}
TENON_INLINE double atan(double x) { return __builtin_copysign(tenon_atan_of(__builtin_fabs(x), 1.0), x); }
TENON_INLINE double asin(double x) {
  const double size = __builtin_fabs(x);
  return __builtin_copysign(tenon_atan_of(size, __builtin_sqrt((1.0 - size) * (1.0 + size))), x);
}
TENON_INLINE double acos(double x) {
  const double result = 2.0 * tenon_atan_of(__builtin_sqrt(1.0 - x), __builtin_sqrt(1.0 + x));
  return x == x ? result : x;
}
TENON_INLINE double atan2(double y, double x) {
  const double infinity = __builtin_inf(), tall = __builtin_fabs(y), wide = __builtin_fabs(x);
  // Infinities become numbers of the same direction; numbers that could overflow or vanish in between are scaled.
  const bool huge = tall > 0x1p1000 || wide > 0x1p1000, tiny = tall < 0x1p-900 && wide < 0x1p-900;
  const double scale = huge ? 0x1p-60 : tiny ? 0x1p120 : 1.0;
  const double above = tall == infinity ? 1.0 : wide == infinity ? 0.0 : tall * scale;
  const double below = wide == infinity ? 1.0 : tall == infinity ? 0.0 : wide * scale;
  const double angle = above == 0.0 ? 0.0 : tenon_atan_of(above, below);
  const bool left = (long long)tenon_bits_of_double(x) < 0;
  const double reflected = 0x1.921fb54442d18p+1 - (angle - 0x1.1a62633145c07p-53), result = left ? reflected : angle;
  return x == x && y == y ? __builtin_copysign(result, y) : x + y;
}

// x = a 2^3k with 0.35 < a < 2.83. Computes the cube root of a to 2^-55; returns k as tenon_power_of_two takes it.
TENON_INLINE double tenon_cube_root(double size, double& a, double& root) {
  double e;
  const double m = tenon_split(size, e), shifted = tenon_fma(e, 1.0 / 3, TENON_MAGIC);
  const double part = e - 3.0 * (shifted - TENON_MAGIC);
  double y = 0x1.a2dfec4a72870p-6;
  y = tenon_fma(y, m, -0x1.60a3892bd13e0p-3);
  y = tenon_fma(y, m, 0x1.fb6e95d10c7dfp-2);
  y = tenon_fma(y, m, -0x1.a3eba8ab9e21bp-1);
  y = tenon_fma(y, m, 0x1.0c452fa1d5b51p+0);
  y = tenon_fma(y, m, 0x1.b17799571fb4fp-2);
  y *= part > 0.5 ? 1.2599210498948732 : part < -0.5 ? 0.79370052598409974 : 1.0;
  a = m * (part > 0.5 ? 2.0 : part < -0.5 ? 0.5 : 1.0);
  const double cube = y * y * y;
  root = y - y * (cube - a) / (2.0 * cube + a);  // Halley
  return shifted;
}
TENON_INLINE double cbrt(double x) {
  const double size = __builtin_fabs(x);
  double a, y;
  const double shifted = tenon_cube_root(size, a, y);
  const double square = y * y, square_low = tenon_fma(y, y, -square), cube = square * y;
  const double excess = ((cube - a) + tenon_fma(square_low, y, tenon_fma(square, y, -cube))) / (3.0 * square);
  const double result = __builtin_copysign((y - excess) * tenon_power_of_two(shifted), x);
  return size > 0.0 && size < __builtin_inf() ? result : x;
}

// erfc(x) for x >= 0: e^(-x^2) times a polynomial in (x - 4) / (x + 4) over 1 + 2 x.
TENON_INLINE double tenon_erfc_of(double x) {
  const double t = (x - 4.0) / (x + 4.0);
  double q = 0x1.604391a2585b6p-30;
  q = tenon_fma(q, t, 0x1.084e3c616b537p-29);
  q = tenon_fma(q, t, -0x1.e416f18f80389p-27);
  q = tenon_fma(q, t, -0x1.37aae7d246d3bp-26);
  q = tenon_fma(q, t, 0x1.d84c11d4c0871p-24);
  q = tenon_fma(q, t, 0x1.4190c3a52f13bp-24);
  q = tenon_fma(q, t, -0x1.bb169cdc0aaeap-21);
  q = tenon_fma(q, t, 0x1.3b5ab8d53cdcap-22);
  q = tenon_fma(q, t, 0x1.7f2b4b5a97c0bp-18);
  q = tenon_fma(q, t, -0x1.788c7465337d9p-17);
  q = tenon_fma(q, t, -0x1.9959b86d1cb01p-16);
  q = tenon_fma(q, t, 0x1.3be0683e9bfa7p-13);
  q = tenon_fma(q, t, -0x1.a1df204fe29f5p-13);
  q = tenon_fma(q, t, -0x1.8d4a9c4570f49p-11);
  q = tenon_fma(q, t, 0x1.49c6727e0261ep-8);
  q = tenon_fma(q, t, -0x1.0962388279976p-6);
  q = tenon_fma(q, t, 0x1.3079edf69fe82p-5);
  q = tenon_fma(q, t, -0x1.0fb06dfe569c7p-4);
  q = tenon_fma(q, t, 0x1.7fee004e117b8p-4);
  q = tenon_fma(q, t, -0x1.9ddb23c3e8804p-4);
  q = tenon_fma(q, t, 0x1.16ecefcfa53ecp-4);
  q = tenon_fma(q, t, 0x1.f7f5df66fd697p-7);
  q = tenon_fma(q, t, -0x1.1df1ad154a28fp-3);
  q = tenon_fma(q, t, 0x1.3ba5916e9fd7fp+0);
  const double square = x * x;
  double high, low;
  const double shifted = tenon_exp_parts(-square, -tenon_fma(x, x, -square), high, low);
  return tenon_scale((1.0 + high) * (q / (1.0 + 2.0 * x)), shifted);
}
TENON_INLINE double erfc(double x) {
  const double tail = tenon_erfc_of(tenon_clamp(__builtin_fabs(x), 0.0, 28.0));
  return x < 0.0 ? 2.0 - tail : tail;
}
TENON_INLINE double erf(double x) {
  const double size = __builtin_fabs(x), z = x * x;
  double q = 0x1.05ffd737fb32ep-34;
  q = tenon_fma(q, z, -0x1.389d4f2641625p-30);
  q = tenon_fma(q, z, 0x1.f7b4bf3b13964p-27);
  q = tenon_fma(q, z, -0x1.5f1ecb6f0764cp-23);
  q = tenon_fma(q, z, 0x1.b9df224ca4b97p-20);
  q = tenon_fma(q, z, -0x1.f4d1e3183f7aep-17);
  q = tenon_fma(q, z, 0x1.f9a321d5b8e1ep-14);
  q = tenon_fma(q, z, -0x1.c02db3dac435fp-11);
  q = tenon_fma(q, z, 0x1.565bcd0dbaa38p-8);
  q = tenon_fma(q, z, -0x1.b82ce31284e00p-6);
  q = tenon_fma(q, z, 0x1.ce2f21a042b30p-4);
  q = tenon_fma(q, z, -0x1.812746b0379e6p-2);
  const double near = tenon_fma(x, tenon_fma(q, z, 0x1.06eba8214db69p-3), x);
  const double beyond = 1.0 - tenon_erfc_of(tenon_clamp(size, 0.0, 28.0));
  const double result = size < 1.0 ? near : __builtin_copysign(beyond, x);
  return size < 0x1p-500 ? x * 0x1.20dd750429b6dp+0 : result;  // avoids a multiply-add whose terms vanish
}

// --- float, computed in double; for small x by the first terms of the series

TENON_INLINE float expm1f(float x) {
  const double w = (double)x, series = w * (1.0 + w * (0.5 + w * (1.0 / 6))), result = exp(w) - 1.0;
  return (float)(__builtin_fabs(w) < 0x1p-12 ? series : result);
}
TENON_INLINE float log1pf(float x) {
  const double w = (double)x, series = w * (1.0 - w * (0.5 - w * (1.0 / 3))), result = log(1.0 + w);
  return (float)(__builtin_fabs(w) < 0x1p-12 ? series : result);
}
TENON_INLINE float sinhf(float x) {
  const double w = (double)x, e = exp(__builtin_fabs(w)), result = 0.5 * (e - 1.0 / e);
  const double series = w * (1.0 + w * w * (1.0 / 6));
  return (float)(__builtin_fabs(w) < 0x1p-10 ? series : __builtin_copysign(result, w));
}
TENON_INLINE float coshf(float x) {
  const double e = exp(__builtin_fabs((double)x));
  return (float)(0.5 * (e + 1.0 / e));
}
TENON_INLINE float asinhf(float x) {
  const double w = (double)x, size = __builtin_fabs(w), result = log(size + __builtin_sqrt(w * w + 1.0));
  const double series = w * (1.0 - w * w * (1.0 / 6));
  return (float)(size < 0x1p-10 ? series : __builtin_copysign(result, w));
}
TENON_INLINE float acoshf(float x) {
  const double w = (double)x, result = log(w + __builtin_sqrt(w * w - 1.0));
  return (float)(w >= 1.0 ? result : __builtin_nan(""));
}
TENON_INLINE float atanhf(float x) {
  const double w = (double)x, result = 0.5 * log((1.0 + w) / (1.0 - w)), series = w * (1.0 + w * w * (1.0 / 3));
  return (float)(__builtin_fabs(w) < 0x1p-10 ? series : result);
}
TENON_INLINE float hypotf(float x, float y) {
  const double w = (double)x, v = (double)y, result = __builtin_sqrt(w * w + v * v);
  const bool infinite = __builtin_fabs(w) == __builtin_inf() || __builtin_fabs(v) == __builtin_inf();
  return (float)(infinite ? __builtin_inf() : result);
}
TENON_INLINE float cbrtf(float x) {
  const double w = (double)x, size = __builtin_fabs(w);
  double a, root;
  const double shifted = tenon_cube_root(size, a, root);
  const double result = __builtin_copysign(root * tenon_power_of_two(shifted), w);
  return size > 0.0 && size < __builtin_inf() ? (float)result : x;
}
#define TENON_BY_DOUBLE(name) \
  TENON_INLINE float name##f(float x) { return (float)name((double)x); }
TENON_BY_DOUBLE(asin)
TENON_BY_DOUBLE(acos)
TENON_BY_DOUBLE(atan)
TENON_BY_DOUBLE(erf)
TENON_BY_DOUBLE(erfc)
#undef TENON_BY_DOUBLE
// Valid while |x| is small enough for the reduction in float.
TENON_INLINE float tenon_near_tan(float x) {
  const tenon_near_parts<float> near = tenon_near_rest(x, 0);
  const float sine = tenon_near_sine(near.r, near.z), cosine = tenon_near_cosine(near.z);
  const bool odd = near.quadrant & 1;
  const float value = (odd ? -cosine : sine) / (odd ? sine : cosine);
  return x == 0.0f ? x : value;
}

#define TENON_FLOAT(name) \
  TENON_INLINE float name(float x) { return name##f(x); }
TENON_FLOAT(exp)
TENON_FLOAT(exp2)
TENON_FLOAT(expm1)
TENON_FLOAT(log)
TENON_FLOAT(log2)
TENON_FLOAT(log10)
TENON_FLOAT(log1p)
TENON_FLOAT(tanh)
TENON_FLOAT(sinh)
TENON_FLOAT(cosh)
TENON_FLOAT(asinh)
TENON_FLOAT(acosh)
TENON_FLOAT(atanh)
TENON_FLOAT(asin)
TENON_FLOAT(acos)
TENON_FLOAT(atan)
TENON_FLOAT(erf)
TENON_FLOAT(erfc)
TENON_FLOAT(cbrt)
#undef TENON_FLOAT
TENON_INLINE float atan2(float y, float x) { return (float)atan2((double)y, (double)x); }
TENON_INLINE float pow(float x, float y) { return powf(x, y); }
TENON_INLINE float hypot(float x, float y) { return hypotf(x, y); }
TENON_INLINE double hypot(double x, double y) { return ::hypot(x, y); }

// --- circular functions: one form near zero, which vectorises, and one for all numbers. Which of the two is used for a
// number depends only on the number.

template <class T> constexpr T kNear = T(TENON_NEAR_DOUBLE);
template <> constexpr float kNear<float> = TENON_NEAR_LIMIT;
#define TENON_FAR(name, text, T) \
  [[maybe_unused]] static __attribute__((noinline)) T tenon_far_##name(T x) { return text; }
TENON_FAR(sin, tenon_sin_anywhere(x), float)
TENON_FAR(cos, tenon_cos_anywhere(x), float)
TENON_FAR(tan, tanf(x), float)
#undef TENON_FAR
#define TENON_ANYWHERE(name)                                                                \
  TENON_INLINE float name(float x) {                                                        \
    return __builtin_fabsf(x) <= kNear<float> ? tenon_near_##name(x) : tenon_far_##name(x); \
  }
TENON_ANYWHERE(sin)
TENON_ANYWHERE(cos)
TENON_ANYWHERE(tan)
#undef TENON_ANYWHERE
#undef TENON_INLINE
#undef TENON_OWN_FMA
