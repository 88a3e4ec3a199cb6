// shim/math/tenon_fast_double.h: the hot double functions, branch-free, so that they vectorise in any loop; the twin of
// tenon_fast.h. Polynomials are near-minimax fits of the remainder of each series. The largest errors, in units in
// the last place, were found by tests/kernels/accuracy/accuracy_test.cpp with random and hard arguments; CUDA's own
// bounds are in brackets.
//
//   exp 0.85 (1), exp2 0.8 (1), exp10 0.8 (1), log 0.85 (1), log2 0.7 (1), log10 0.7 (1), pow 0.8 (2), sin 0.85 (2),
//   cos 0.85 (2), tan 1.1 (2), sinpi 1.0 (2), cospi 0.85 (2), tanh 0.9 (1)
//
// Numbers that need more than one double's precision are sums of two. A product whose rounding matters is computed by
// fma, or is exact, so that the compiler's choice of contractions makes no difference.
#ifndef TENON_FAST_DOUBLE_H
#define TENON_FAST_DOUBLE_H

TENON_INLINE double tenon_double_of(unsigned long long bits) {
  double x;
  __builtin_memcpy(&x, &bits, 8);
  return x;
}
TENON_INLINE unsigned long long tenon_bits_of_double(double x) {
  unsigned long long bits;
  __builtin_memcpy(&bits, &x, 8);
  return bits;
}
TENON_INLINE double tenon_clamp(double x, double low, double high) {  // NaN stays
  x = x > high ? high : x;
  return x < low ? low : x;
}
// Adding 1.5 * 2^52 rounds to a whole number and leaves it in the last bits.
#define TENON_MAGIC 6755399441055744.0
#define TENON_INFINITY __builtin_inf()

// --- exponentials

// 2^n for a whole n in [-1022, 1023], given as n + TENON_MAGIC.
TENON_INLINE double tenon_power_of_two(double shifted) {
  return tenon_double_of((tenon_bits_of_double(shifted) + 1023) << 52);
}
// x * 2^n for |n| < 2040, n given in the same way, in two steps: a denormal result is rounded once.
TENON_INLINE double tenon_scale(double x, double shifted) {
  const unsigned long long n = tenon_bits_of_double(shifted), half = n >> 1;  // the upper bits do not matter
  return x * tenon_double_of((half + 1023) << 52) * tenon_double_of((n - half + 1023) << 52);
}
// (e^r - 1 - r) / r^2 for |r| <= ln 2 / 2
TENON_INLINE double tenon_exp_core(double r) {
  double q = 0x1.1f731ea5352cap-29;
  q = tenon_fma(q, r, 0x1.af4e196027428p-26);
  q = tenon_fma(q, r, 0x1.27e4db57442fbp-22);
  q = tenon_fma(q, r, 0x1.71de021a90822p-19);
  q = tenon_fma(q, r, 0x1.a01a01a6dcaffp-16);
  q = tenon_fma(q, r, 0x1.a01a01abef415p-13);
  q = tenon_fma(q, r, 0x1.6c16c16c162ccp-10);
  q = tenon_fma(q, r, 0x1.11111111100cep-7);
  q = tenon_fma(q, r, 0x1.5555555555556p-5);
  q = tenon_fma(q, r, 0x1.5555555555557p-3);
  return tenon_fma(q, r, 0.5);
}
// e^(x + tail) = 2^n (1 + high + low) for |x| < 1500; returns n + TENON_MAGIC. ln 2 is taken in two parts; n times the
// first is exact.
TENON_INLINE double tenon_exp_parts(double x, double tail, double& high, double& low) {
  const double shifted = tenon_fma(x, 0x1.71547652b82fep+0, TENON_MAGIC), n = shifted - TENON_MAGIC;
  const double main = tenon_fma(n, -0x1.62e42fefa4000p-1, x), rest = tenon_fma(n, -0x1.8432a1b0e2634p-43, -tail),
               r = main - rest;
  const double curve = tenon_fma(r * r, tenon_exp_core(r), -rest);
  high = main + curve;
  low = (main - high) + curve;
  return shifted;
}
TENON_INLINE double exp(double x) {
  double high, low;
  const double shifted = tenon_exp_parts(tenon_clamp(x, -746.0, 710.0), 0.0, high, low);
  return tenon_scale(1.0 + high, shifted);
}
// 2^n e^(t + t_low) for |t| <= ln 2 / 2, n given as n + TENON_MAGIC.
TENON_INLINE double tenon_exp_of_two(double t, double t_low, double shifted) {
  const double curve = tenon_fma(t * t, tenon_exp_core(t), tenon_fma(t, t_low, t_low));
  const double high = t + curve, low = (t - high) + curve, sum = 1.0 + high;
  return tenon_scale(sum + (((1.0 - sum) + high) + low), shifted);
}
// 10^x = 2^n e^(r ln 10), r = x - n log10 2 in two parts.
TENON_INLINE double exp10(double x) {
  x = tenon_clamp(x, -324.0, 309.0);
  const double shifted = tenon_fma(x, 0x1.a934f0979a371p+1, TENON_MAGIC), n = shifted - TENON_MAGIC;
  const double main = tenon_fma(n, -0x1.34413509f8000p-2, x), extra = n * 0x1.80433b83b532ap-44;
  const double r = main + extra, r_low = (main - r) + extra, t = r * 0x1.26bb1bbb55516p+1;
  const double t_low =
      tenon_fma(r, 0x1.26bb1bbb55516p+1, -t) + tenon_fma(r, -0x1.f48ad494ea3e9p-53, r_low * 0x1.26bb1bbb55516p+1);
  return tenon_exp_of_two(t, t_low, shifted);
}

// 2^x = 2^n e^(r ln 2), r = x - n.
TENON_INLINE double exp2(double x) {
  x = tenon_clamp(x, -1080.0, 1030.0);
  const double shifted = x + TENON_MAGIC, r = x - (shifted - TENON_MAGIC), t = r * 0x1.62e42fefa39efp-1;
  const double t_low = tenon_fma(r, 0x1.62e42fefa39efp-1, -t) + r * 0x1.abc9e3b39803fp-56;
  return tenon_exp_of_two(t, t_low, shifted);
}

// --- logarithms

// x = 2^e m with sqrt(1/2) <= m < sqrt(2), for positive finite x.
TENON_INLINE double tenon_split(double x, double& e) {
  const bool tiny = x < 0x1p-1022;
  const unsigned long long bits =
      tenon_bits_of_double(tiny ? x * 0x1p54 : x) + 0x00095f619980c433ull;  // 1 less sqrt(1/2)
  e = tenon_double_of(bits >> 52 | 0x4330000000000000ull) - (tiny ? 0x1p52 + 1077.0 : 0x1p52 + 1023.0);
  return tenon_double_of((bits & 0x000fffffffffffffull) + 0x3fe6a09e667f3bcdull);
}
TENON_INLINE double tenon_log_edges(double x, double result) {
  result = x == TENON_INFINITY ? x : result;
  result = x == 0.0 ? -TENON_INFINITY : result;
  return x >= 0.0 ? result : __builtin_nan("");
}
// With s = f / (2 + f): log(1 + f) = f - f^2 / 2 + s (f^2 / 2 + R), R a polynomial in s^2.
TENON_INLINE double log(double x) {
  double e;
  const double f = tenon_split(x, e) - 1.0, s = f / (2.0 + f), z = s * s;
  double q = 0x1.0c0aff044a970p-3;
  q = tenon_fma(q, z, 0x1.0fbde0f4ad17bp-3);
  q = tenon_fma(q, z, 0x1.3b1c3c1c81c8fp-3);
  q = tenon_fma(q, z, 0x1.745cf8e4bba1bp-3);
  q = tenon_fma(q, z, 0x1.c71c7201a55d7p-3);
  q = tenon_fma(q, z, 0x1.2492492476a1ap-2);
  q = tenon_fma(q, z, 0x1.9999999999a39p-2);
  q = tenon_fma(q, z, 0x1.5555555555555p-1);
  const double square = 0.5 * f * f, whole = e * 0x1.62e42fefa4000p-1, sum = whole + f, lost = (whole - sum) + f;
  const double tail = tenon_fma(s, tenon_fma(q, z, square), tenon_fma(e, -0x1.8432a1b0e2634p-43, lost));
  return tenon_log_edges(x, sum + (tail - square));
}

// --- powers: x^y = e^(y log |x|), the logarithm in two parts, good to 2^-65. The logarithms to other bases need them
// too.

TENON_INLINE double tenon_log_parts(double size, double& low) {
  double e;
  const double m = tenon_split(size, e), f = m - 1.0, g = m + 1.0, g_low = m - (g - 1.0), inverse = 1.0 / g;
  // s = f / (m + 1); log m = 2 s (1 + z (1/3 + z (1/5 + z Q))), z = s^2
  const double s = f * inverse, s_low = tenon_fma(-s, g_low, tenon_fma(-s, g, f)) * inverse;
  const double z = s * s, z_low = tenon_fma(s, s, -z) + 2.0 * s * s_low;
  double q = 0x1.d9cc795cc9ae7p-5;
  q = tenon_fma(q, z, 0x1.e01f44110e9cep-5);
  q = tenon_fma(q, z, 0x1.1115a247755e8p-4);
  q = tenon_fma(q, z, 0x1.3b13a51cd4d2fp-4);
  q = tenon_fma(q, z, 0x1.745d175518b2dp-4);
  q = tenon_fma(q, z, 0x1.c71c71c7153b2p-4);
  q = tenon_fma(q, z, 0x1.2492492492497p-3);
  const double third = 0x1.5555555555555p-2, fifth = tenon_fma(z, q, 0.2);
  const double t = tenon_fma(z, fifth, third);
  const double t_low = tenon_fma(z, fifth, third - t) + tenon_fma(z_low, fifth, 0x1.5555555555555p-56);
  const double w = z * t, w_low = tenon_fma(z, t, -w) + tenon_fma(z, t_low, z_low * t);
  const double mantissa = tenon_fma(s, w, s);
  const double mantissa_low = tenon_fma(s, w, s - mantissa) + tenon_fma(s, w_low, tenon_fma(s_low, w, s_low));
  const double whole = e * 0x1.62e42fefa4000p-1, twice = mantissa + mantissa, high = whole + twice;
  low = ((whole - high) + twice) + tenon_fma(e, -0x1.8432a1b0e2634p-43, mantissa_low + mantissa_low);
  return high;
}
// log x times high_scale + low_scale
TENON_INLINE double tenon_log_scaled(double x, double high_scale, double low_scale) {
  double low;
  const double high = tenon_log_parts(x, low), result = high * high_scale;
  const double rest = tenon_fma(high, high_scale, -result) + tenon_fma(high, low_scale, low * high_scale);
  return tenon_log_edges(x, result + rest);
}
TENON_INLINE double log2(double x) { return tenon_log_scaled(x, 0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56); }
TENON_INLINE double log10(double x) { return tenon_log_scaled(x, 0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57); }
TENON_INLINE double pow(double x, double y) {
  const double size = __builtin_fabs(x);
  double log_low, log_high = tenon_log_parts(size, log_low);
  log_high = size == TENON_INFINITY ? TENON_INFINITY : log_high;
  log_high = size == 0.0 ? -TENON_INFINITY : log_high;
  const double product = y * log_high;
  double rest = tenon_fma(y, log_low, tenon_fma(y, log_high, -product));
  rest = __builtin_fabs(product) < 800.0 ? rest : 0.0;
  double high, low;
  const double shifted = tenon_exp_parts(tenon_clamp(product, -800.0, 800.0), rest, high, low), sum = 1.0 + high;
  double result = tenon_scale(sum + (((1.0 - sum) + high) + low), shifted);
  const double half = 0.5 * y;
  const bool whole = __builtin_trunc(y) == y, odd = whole && __builtin_trunc(half) != half;
  const bool negative = (long long)tenon_bits_of_double(x) < 0;
  result = negative && odd ? -result : result;
  result = x < 0.0 && !whole && size != TENON_INFINITY ? __builtin_nan("") : result;
  result = x != x || y != y ? x + y : result;
  const bool one = y == 0.0 || x == 1.0 || (x == -1.0 && __builtin_fabs(y) == TENON_INFINITY);
  return one ? 1.0 : result;
}

// --- hyperbolic tangent: (E - 1) / (E + 1) with E = e^2x = 2^n (1 + t), numerator and denominator in two parts

TENON_INLINE double tanh(double x) {
  const double size = __builtin_fabs(x);
  double t, t_low;
  const double scale = tenon_power_of_two(tenon_exp_parts(2.0 * tenon_clamp(size, 0.0, 22.0), 0.0, t, t_low));
  const double grown = scale * t, grown_low = scale * t_low;  // exact
  // One less and one more than the scale, which has only 53 bits itself.
  const double less = scale - 1.0, up = less + grown, kept = up - less, less_low = (scale - less) - 1.0;
  const double up_low = (less - (up - kept)) + (grown - kept) + (less_low + grown_low);
  const double more = scale + 1.0, down = more + grown, more_low = 1.0 - (more - scale);
  const double down_low = ((more - down) + grown) + (more_low + grown_low);
  const double inverse = 1.0 / down, ratio = up * inverse;
  const double rest = tenon_fma(-ratio, down_low, up_low + tenon_fma(-ratio, down, up));
  const double result = __builtin_copysign(tenon_fma(rest, inverse, ratio), x);
  return x == x ? result : x;
}

// --- circular functions, for one double or four

typedef double tenon_double4 __attribute__((vector_size(32)));
typedef unsigned long long tenon_bits4 __attribute__((vector_size(32)));
TENON_INLINE unsigned long long tenon_as_bits(double x) { return tenon_bits_of_double(x); }
TENON_INLINE double tenon_as_double(unsigned long long bits) { return tenon_double_of(bits); }
#if TENON_VECTOR_MATH > 1
TENON_INLINE tenon_bits4 tenon_as_bits(tenon_double4 x) { return (tenon_bits4)x; }
TENON_INLINE tenon_double4 tenon_as_double(tenon_bits4 bits) { return (tenon_double4)bits; }
TENON_INLINE tenon_double4 tenon_fma(tenon_double4 a, tenon_double4 b, tenon_double4 c) {
  return __builtin_ia32_vfmaddpd256(a, b, c);
}
#endif

// The term to add to high to get the sine of high + low, and to 1 - high^2 / 2, rounded, to get the cosine;
// |high| <= pi / 4.
template <class V> TENON_INLINE V tenon_sine_rest(V high, V low) {
  const V z = high * high, zero = V{};
  V q = tenon_fma(zero - 0x1.ab16f5caa198ap-41, z, zero + 0x1.61217d9252c03p-33);
  q = tenon_fma(q, z, zero - 0x1.ae645410e937bp-26);
  q = tenon_fma(q, z, zero + 0x1.71de3a545f836p-19);
  q = tenon_fma(q, z, zero - 0x1.a01a01a01992fp-13);
  q = tenon_fma(q, z, zero + 0x1.1111111111110p-7);
  q = tenon_fma(q, z, zero - 0x1.5555555555555p-3);
  return tenon_fma(z * high, q, low * (1.0 - 0.5 * z));
}
template <class V> TENON_INLINE V tenon_cosine_rest(V high, V low, V& near) {
  const V z = high * high, zero = V{}, half = 0.5 * z;
  near = 1.0 - half;
  V q = tenon_fma(zero - 0x1.907cd8ff5ede7p-37, z, zero + 0x1.1eeb67d026ec6p-29);
  q = tenon_fma(q, z, zero - 0x1.27e4fa16cc2d1p-22);
  q = tenon_fma(q, z, zero + 0x1.a01a019f4ddfdp-16);
  q = tenon_fma(q, z, zero - 0x1.6c16c16c16963p-10);
  q = tenon_fma(q, z, zero + 0x1.5555555555555p-5);
  return ((1.0 - near) - half) + tenon_fma(z * z, q, -(high * low));
}
// sin of high + low + quadrant pi / 2.
template <class V, class B> TENON_INLINE V tenon_circular(V high, V low, B quadrant) {
  V near;
  const V rest = tenon_cosine_rest(high, low, near), cosine = near + rest, sine = high + tenon_sine_rest(high, low);
  const B mask = 0 - (quadrant & 1);
  return tenon_as_double(((tenon_as_bits(cosine) & mask) | (tenon_as_bits(sine) & ~mask)) ^ (quadrant & 2) << 62);
}

// Up to this |x|, k pi / 2 is subtracted in three parts: the first difference is exact, and so is k times the second
// part.
#define TENON_NEAR_DOUBLE 1e6
template <class V> TENON_INLINE auto tenon_near_reduced(V x, V& high, V& low) {
  const V zero = V{}, shifted = tenon_fma(x, zero + 0x1.45f306dc9c883p-1, zero + TENON_MAGIC),
          k = shifted - TENON_MAGIC;
  const V first = tenon_fma(k, zero - 0x1.921fb54442d18p+0, x), second = k * 0x1.1a62633100000p-54;
  high = first - second;
  const V back = high - first;
  low = tenon_fma(k, zero - 0x1.1701b839a2520p-88, (first - (high - back)) - (second + back));
  return tenon_as_bits(shifted);
}
template <class V> TENON_INLINE V tenon_near_circular(V x, unsigned long long quadrants) {
  V high, low;
  const auto quadrant = tenon_near_reduced(x, high, low);
  return tenon_circular(high, low, quadrant + quadrants);
}
// Beyond: the method of Payne and Hanek. The mantissa is multiplied by the 192 bits of 2 / pi that matter; the integer
// part counts quadrants, the fraction is the position within one.
static const unsigned long long tenon_two_over_pi[21] = {0,
                                                         0xa2f9836e4e441529,
                                                         0xfc2757d1f534ddc0,
                                                         0xdb6295993c439041,
                                                         0xfe5163abdebbc561,
                                                         0xb7246e3a424dd2e0,
                                                         0x06492eea09d1921c,
                                                         0xfe1deb1cb129a73e,
                                                         0xe88235f52ebb4484,
                                                         0xe99c7026b45f7e41,
                                                         0x3991d639835339f4,
                                                         0x9c845f8bbdf9283b,
                                                         0x1ff897ffde05980f,
                                                         0xef2f118b5a0a6d1f,
                                                         0x6d367ecf27cb09b7,
                                                         0x4f463f669e5fea2d,
                                                         0x7527bac7ebe5f17b,
                                                         0x3d0739f78a5292ea,
                                                         0x6bfb5fb11f8d5d08,
                                                         0x56033046fc7b6bab,
                                                         0xf0cfbc209af4361d};
static __attribute__((noinline, unused)) unsigned long long tenon_far_reduced(double x, double& high, double& low) {
  if (!(x - x == 0.0)) {
    high = low = x - x;
    return 0;
  }
  const unsigned long long bits = tenon_bits_of_double(x), m = (bits & 0x000fffffffffffffull) | 0x0010000000000000ull;
  // The first bit to use is the one whose product with the mantissa counts two quadrants.
  const int start = (int)(bits >> 52 & 0x7ff) - 1075 - 2 + 64, word = start >> 6, shift = start & 63;
  unsigned long long w[3];
  for (int i = 0; i < 3; ++i)
    w[i] = tenon_two_over_pi[word + i] << shift | (shift ? tenon_two_over_pi[word + i + 1] >> (64 - shift) : 0);
  const unsigned __int128 bottom = (unsigned __int128)m * w[2];
  const unsigned __int128 middle = (unsigned __int128)m * w[1] + (unsigned long long)(bottom >> 64);
  const unsigned long long top = m * w[0] + (unsigned long long)(middle >> 64);
  unsigned __int128 part = (unsigned __int128)(top << 2 | (unsigned long long)middle >> 62) << 64 |
                           ((unsigned long long)middle << 2 | (unsigned long long)bottom >> 62);
  unsigned long long quadrant = top >> 62;
  const bool below = part >> 127;
  if (below) part = -part, ++quadrant;
  const unsigned long long upper = (unsigned long long)(part >> 64), lower = (unsigned long long)part;
  const int zeros = upper ? __builtin_clzll(upper) : lower ? 64 + __builtin_clzll(lower) : 127;
  part <<= zeros;
  const double unit = tenon_double_of((unsigned long long)(1023 - 53 - zeros) << 52);
  const double a = (double)(unsigned long long)(part >> 75) * unit;
  const double b = (double)(unsigned long long)(part >> 11 & 0xffffffffffffffffull) * (unit * 0x1p-64);
  const double size = a * 0x1.921fb54442d18p+0, sign = (x < 0.0) != below ? -1.0 : 1.0;
  high = sign * size;
  low = sign *
        (tenon_fma(a, 0x1.921fb54442d18p+0, -size) + tenon_fma(a, 0x1.1a62633145c07p-54, b * 0x1.921fb54442d18p+0));
  return x < 0.0 ? 0 - quadrant : quadrant;
}
TENON_INLINE double tenon_far_circular(double x, unsigned long long quadrants) {
  double high, low;
  const unsigned long long quadrant = tenon_far_reduced(x, high, low);
  return tenon_circular(high, low, quadrant + quadrants);
}
TENON_INLINE double tenon_near_sin(double x) {
  const double value = tenon_near_circular(x, 0);
  return x == 0.0 ? x : value;
}
TENON_INLINE double tenon_near_cos(double x) { return tenon_near_circular(x, 1); }
TENON_INLINE double tenon_sin_anywhere(double x) {
  return __builtin_fabs(x) <= TENON_NEAR_DOUBLE ? tenon_near_sin(x) : tenon_far_circular(x, 0);
}
TENON_INLINE double tenon_cos_anywhere(double x) {
  return __builtin_fabs(x) <= TENON_NEAR_DOUBLE ? tenon_near_cos(x) : tenon_far_circular(x, 1);
}

#if TENON_VECTOR_MATH > 1

// As in tenon_fast.h: functions that clang calls instead of sin and cos in a vectorised loop.
static __attribute__((noinline)) double tenon_sin_one(double x) { return tenon_sin_anywhere(x); }
static __attribute__((noinline)) double tenon_cos_one(double x) { return tenon_cos_anywhere(x); }
TENON_INLINE tenon_double4 tenon_near_sin(tenon_double4 x) {
  const tenon_bits4 zero = (tenon_bits4)(x == 0.0);
  return tenon_as_double((tenon_as_bits(x) & zero) | (tenon_as_bits(tenon_near_circular(x, 0ull)) & ~zero));
}
TENON_INLINE tenon_double4 tenon_near_cos(tenon_double4 x) { return tenon_near_circular(x, 1ull); }
typedef double tenon_double2 __attribute__((vector_size(16)));
#define TENON_CIRCULAR(name)                                                                               \
  extern "C" {                                                                                             \
  TENON_HIDDEN tenon_double4 _ZGVdN4v_##name(tenon_double4 x) {                                            \
    const tenon_double4 size = tenon_as_double(tenon_as_bits(x) & 0x7fffffffffffffffull);                  \
    if (__builtin_expect(__builtin_ia32_movmskpd256((tenon_double4)(size <= TENON_NEAR_DOUBLE)) == 15, 1)) \
      return tenon_near_##name(x);                                                                         \
    for (int i = 0; i < 4; ++i) x[i] = tenon_##name##_one(x[i]);                                           \
    return x;                                                                                              \
  }                                                                                                        \
  TENON_HIDDEN tenon_double2 _ZGVbN2v_##name(tenon_double2 x) {                                            \
    return tenon_double2{tenon_##name##_one(x[0]), tenon_##name##_one(x[1])};                              \
  }                                                                                                        \
  TENON_HIDDEN double name(double x) noexcept { return tenon_##name##_one(x); }                            \
  }
TENON_CIRCULAR(sin)
TENON_CIRCULAR(cos)
#undef TENON_CIRCULAR
// The compiler combines a sine and a cosine of one number into a call of sincos.
extern "C" {
TENON_HIDDEN void tenon_both_circular(double x, double* s, double* c) __asm__("sincos");
TENON_HIDDEN void tenon_both_circular(double x, double* s, double* c) { *s = tenon_sin_one(x), *c = tenon_cos_one(x); }
}

// The same compiler option replaces these functions too, if the text calls a compiler's builtin. Each lane calls a
// function that has another name and is not inlined: clang would turn four neighbouring calls of exp into a call of
// _ZGVdN4v_exp.
#define TENON_BY_LANE(name)                                                                \
  static __attribute__((noinline)) double tenon_##name##_one(double x) { return name(x); } \
  extern "C" TENON_HIDDEN tenon_double4 _ZGVdN4v_##name(tenon_double4 x) {                 \
    for (int i = 0; i < 4; ++i) x[i] = tenon_##name##_one(x[i]);                           \
    return x;                                                                              \
  }                                                                                        \
  extern "C" TENON_HIDDEN tenon_double2 _ZGVbN2v_##name(tenon_double2 x) {                 \
    return tenon_double2{tenon_##name##_one(x[0]), tenon_##name##_one(x[1])};              \
  }
TENON_BY_LANE(exp)
TENON_BY_LANE(log)
static __attribute__((noinline)) double tenon_pow_one(double x, double y) { return pow(x, y); }
extern "C" TENON_HIDDEN tenon_double4 _ZGVdN4vv_pow(tenon_double4 x, tenon_double4 y) {
  for (int i = 0; i < 4; ++i) x[i] = tenon_pow_one(x[i], y[i]);
  return x;
}
extern "C" TENON_HIDDEN tenon_double2 _ZGVbN2vv_pow(tenon_double2 x, tenon_double2 y) {
  return tenon_double2{tenon_pow_one(x[0], y[0]), tenon_pow_one(x[1], y[1])};
}
#undef TENON_BY_LANE

#else

TENON_INLINE double sin(double x) { return tenon_sin_anywhere(x); }
TENON_INLINE double cos(double x) { return tenon_cos_anywhere(x); }

#endif
TENON_INLINE void sincos(double x, double* s, double* c) {
  *s = sin(x);
  *c = cos(x);
}

// tan of high + low + quadrant pi / 2.
TENON_INLINE double tenon_tangent(double high, double low, unsigned long long quadrant) {
  double near;
  const double sine_rest = tenon_sine_rest(high, low), cosine_rest = tenon_cosine_rest(high, low, near);
  const double sine = high + sine_rest, sine_low = (high - sine) + sine_rest;
  const double cosine = near + cosine_rest, cosine_low = (near - cosine) + cosine_rest;
  const bool odd = quadrant & 1;
  const double above = odd ? -cosine : sine, above_low = odd ? -cosine_low : sine_low;
  const double below = odd ? sine : cosine, below_low = odd ? sine_low : cosine_low;
  const double ratio = above / below;
  return ratio + (tenon_fma(-ratio, below, above) + tenon_fma(-ratio, below_low, above_low)) / below;
}
TENON_INLINE double tenon_near_tan(double x) {
  double high, low;
  const unsigned long long quadrant = tenon_near_reduced(x, high, low);
  const double value = tenon_tangent(high, low, quadrant);
  return x == 0.0 ? x : value;
}
static __attribute__((noinline, unused)) double tan(double x) {
  if (__builtin_fabs(x) <= TENON_NEAR_DOUBLE) return tenon_near_tan(x);
  double high, low;
  const unsigned long long quadrant = tenon_far_reduced(x, high, low);
  return tenon_tangent(high, low, quadrant);
}
// sin of pi x + quadrants pi / 2. The subtraction from x is exact, so that large arguments keep their parity.
TENON_INLINE double tenon_half_turns(double x, unsigned long long quadrants) {
  const double r = x - 2.0 * __builtin_rint(x * 0.5), shifted = 2.0 * r + TENON_MAGIC;
  const double part = tenon_fma(shifted - TENON_MAGIC, -0.5, r), high = part * 0x1.921fb54442d18p+1;
  const double low = tenon_fma(part, 0x1.921fb54442d18p+1, -high) + part * 0x1.1a62633145c07p-53;
  return tenon_circular(high, low, tenon_bits_of_double(shifted) + quadrants);
}
TENON_INLINE double sinpi(double x) {
  const double result = tenon_half_turns(x, 0);
  return x == __builtin_rint(x) ? __builtin_copysign(x - x, x)
                                : result;  // zeros have the sign of x; infinities give NaN
}
TENON_INLINE double cospi(double x) { return tenon_half_turns(x, 1) + 0.0; }
TENON_INLINE void sincospi(double x, double* s, double* c) {
  *s = sinpi(x);
  *c = cospi(x);
}

#undef TENON_INFINITY
#endif
