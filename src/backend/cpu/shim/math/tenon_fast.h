// shim/math/tenon_fast.h: the hot float functions, branch-free, so that they vectorise in any loop. Polynomials are
// minimax fits of the remainder of each series. The largest errors, in units in the last place, were found by
// tests/kernels/accuracy/accuracy_test.cpp over all floats; CUDA's own bounds are in brackets.
//
//   expf 1.0 (1), exp2f 0.9 (2), exp10f 1.3 (2), logf 0.85 (1), log2f 1.2 (1), log10f 1.4 (2), sinf 1.7 (2), cosf 1.7
//   (2), tanf 3.9 (4), tanhf 1.4 (2), powf 1.0 (4)
#ifndef TENON_FAST_H
#define TENON_FAST_H

TENON_INLINE float tenon_float_of(unsigned bits) {
  float x;
  __builtin_memcpy(&x, &bits, 4);
  return x;
}
TENON_INLINE unsigned tenon_bits_of_float(float x) {
  unsigned bits;
  __builtin_memcpy(&bits, &x, 4);
  return bits;
}
#ifndef TENON_OWN_FMA  // a file that includes this text may define the two functions itself
TENON_INLINE float tenon_fma(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
TENON_INLINE double tenon_fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
#endif

// x * 2^n for |n| < 280, in two steps: a denormal result is rounded once.
TENON_INLINE float tenon_scale(float x, int n) {
  const int half = n >> 1;
  return x * tenon_float_of((unsigned)(half + 127) << 23) * tenon_float_of((unsigned)(n - half + 127) << 23);
}
TENON_INLINE float tenon_clamp(float x, float low, float high) {  // NaN stays
  x = x > high ? high : x;
  return x < low ? low : x;
}
TENON_INLINE int tenon_whole(float n) { return (int)(n == n ? n : 0.0f); }

// --- exponentials

// e^r for |r| <= ln 2 / 2.
TENON_INLINE float tenon_exp_core(float r) {
  float q = 1.97902442e-4f;
  q = tenon_fma(q, r, 1.39447586e-3f);
  q = tenon_fma(q, r, 8.33349767e-3f);
  q = tenon_fma(q, r, 4.16662936e-2f);
  q = tenon_fma(q, r, 1.66666659e-1f);
  q = tenon_fma(q, r, 0.5f);
  return tenon_fma(r * r, q, r) + 1.0f;
}
// 2^r for |r| <= 1/2.
TENON_INLINE float tenon_exp2_core(float r) {
  float q = 1.51960441e-5f;
  q = tenon_fma(q, r, 1.54668824e-4f);
  q = tenon_fma(q, r, 1.33339366e-3f);
  q = tenon_fma(q, r, 9.61803777e-3f);
  q = tenon_fma(q, r, 5.55041036e-2f);
  q = tenon_fma(q, r, 2.40226511e-1f);
  q = tenon_fma(q, r, 6.93147181e-1f);
  return tenon_fma(q, r, 1.0f);
}
// Cody and Waite: ln 2 in two parts.
TENON_INLINE float expf(float x) {
  const float bounded = tenon_clamp(x, -104.0f, 89.0f), n = __builtin_rintf(bounded * 1.44269504088896341f);
  const float r = tenon_fma(n, -1.42860677e-6f, tenon_fma(n, -0.693145752f, bounded));
  return tenon_scale(tenon_exp_core(r), tenon_whole(n));
}
TENON_INLINE float exp2f(float x) {
  const float bounded = tenon_clamp(x, -151.0f, 129.0f), n = __builtin_rintf(bounded);
  return tenon_scale(tenon_exp2_core(bounded - n), tenon_whole(n));
}
TENON_INLINE float exp10f(float x) {
  const float bounded = tenon_clamp(x, -46.0f, 39.0f), n = __builtin_rintf(bounded * 3.32192809488736235f);
  // log10 2 in two parts; the remainder, times ln 10 (also in two parts), is small.
  const float r = tenon_fma(n, -1.0287603e-6f, tenon_fma(n, -0.301028967f, bounded));
  const float high = r * 2.30258509f, low = tenon_fma(r, 2.30258509f, -high) + r * -3.1975436e-8f;
  return tenon_scale(tenon_fma(tenon_exp_core(high), low, tenon_exp_core(high)), tenon_whole(n));
}

// --- logarithms

// x = 2^e (1 + f) with 2/3 <= 1 + f < 4/3, for positive finite x.
TENON_INLINE float tenon_split(float x, float& e) {
  const bool tiny = x < 1.17549435e-38f;
  const int bits = (int)(tenon_bits_of_float(tiny ? x * 8388608.0f : x) - 0x3f2aaaabu);
  e = (float)(bits >> 23) - (tiny ? 23.0f : 0.0f);
  return tenon_float_of(((unsigned)bits & 0x7fffff) + 0x3f2aaaab) - 1.0f;
}
// (log(1 + f) - f + f^2 / 2) / f^3
TENON_INLINE float tenon_log_core(float f) {
  float q = -1.28916846e-1f;
  q = tenon_fma(q, f, 1.39844378e-1f);
  q = tenon_fma(q, f, -1.21842612e-1f);
  q = tenon_fma(q, f, 1.40058688e-1f);
  q = tenon_fma(q, f, -1.66804873e-1f);
  q = tenon_fma(q, f, 2.00104059e-1f);
  q = tenon_fma(q, f, -2.49997977e-1f);
  return tenon_fma(q, f, 3.3333216e-1f);
}
// The cases without a polynomial: zero, below zero, infinity, NaN.
TENON_INLINE float tenon_log_edges(float x, float result) {
  result = x == __builtin_inff() ? x : result;
  result = x == 0.0f ? -__builtin_inff() : result;
  return x >= 0.0f ? result : __builtin_nanf("");
}
TENON_INLINE float logf(float x) {
  float e;
  const float f = tenon_split(x, e), square = f * f;
  const float tail = tenon_fma(square * f, tenon_log_core(f), tenon_fma(e, -2.12194440e-4f, -0.5f * square));
  return tenon_log_edges(x, tenon_fma(e, 0.693359375f, tail + f));
}
// e + (f + tail) / ln base, with 1 / ln base in two parts so that results near zero keep their bits.
TENON_INLINE float tenon_log_scaled(float x, float high, float low, float e_high, float e_low) {
  float e;
  const float f = tenon_split(x, e), square = f * f;
  const float tail = tenon_fma(square * f, tenon_log_core(f), -0.5f * square);
  const float rest = tenon_fma(tail, high, tenon_fma(f + tail, low, e * e_low));
  const float whole = e * e_high, sum = tenon_fma(f, high, whole),
              lost = tenon_fma(f, high, whole - sum);  // whole is exact
  return tenon_log_edges(x, sum + (lost + rest));
}
TENON_INLINE float log2f(float x) { return tenon_log_scaled(x, 1.44269502f, 1.92596303e-8f, 1.0f, 0.0f); }
TENON_INLINE float log10f(float x) {
  return tenon_log_scaled(x, 0.434294492f, -1.010305e-8f, 0.301025391f, 4.60503907e-6f);
}

// x^y = 2^(y log2 |x|), the logarithm in double by the series of artanh.
TENON_INLINE float powf(float x, float y) {
  const float size = __builtin_fabsf(x);
  const bool tiny = size < 1.17549435e-38f;
  const int bits = (int)(tenon_bits_of_float(tiny ? size * 8388608.0f : size) - 0x3f3504f3u);
  const double e = (double)((bits >> 23) - (tiny ? 23 : 0));
  const double m = (double)tenon_float_of(((unsigned)bits & 0x7fffff) + 0x3f3504f3);
  const double s = (m - 1.0) / (m + 1.0), z = s * s;
  double p = 1.0 / 13;
  p = tenon_fma(p, z, 1.0 / 11);
  p = tenon_fma(p, z, 1.0 / 9);
  p = tenon_fma(p, z, 1.0 / 7);
  p = tenon_fma(p, z, 1.0 / 5);
  p = tenon_fma(p, z, 1.0 / 3);
  p = tenon_fma(p, z, 1.0);
  double log2_size = tenon_fma(p, s * 2.88539008177792681472, e);
  log2_size = size == __builtin_inff() ? (double)__builtin_inff() : log2_size;
  log2_size = size == 0.0f ? -(double)__builtin_inff() : log2_size;
  double t = (double)y * log2_size;
  t = t > 200.0 ? 200.0 : t;
  t = t < -200.0 ? -200.0 : t;
  const double n = __builtin_rint(t == t ? t : 0.0);
  float result = tenon_scale(tenon_exp2_core((float)(t - n)), (int)n);
  const float half = 0.5f * y;
  const bool whole = __builtin_truncf(y) == y, odd = whole && __builtin_truncf(half) != half;
  const bool negative = (int)tenon_bits_of_float(x) < 0;
  result = negative && odd ? -result : result;
  result = x < 0.0f && !whole && size != __builtin_inff() ? __builtin_nanf("") : result;
  result = x != x || y != y ? x + y : result;
  const bool one = y == 0.0f || x == 1.0f || (x == -1.0f && __builtin_fabsf(y) == __builtin_inff());
  return one ? 1.0f : result;
}

// --- circular functions

// 2^(i + 17) modulo 2 pi for i = 0 ... 87, in two parts: a 24-bit number times the first is exact in double.
static const double tenon_turns[88][2] = {
    {-0x1.87586de000000p+0, -0x1.d666181b68310p-31}, {-0x1.87586de000000p+1, -0x1.d666181b68310p-30},
    {0x1.58e8ec2000000p-3, -0x1.a7eaaf351b553p-32},  {0x1.58e8ec2000000p-2, -0x1.a7eaaf351b553p-31},
    {0x1.58e8ec2000000p-1, -0x1.a7eaaf351b553p-30},  {0x1.58e8ec2000000p+0, -0x1.a7eaaf351b553p-29},
    {0x1.58e8ec2000000p+1, -0x1.a7eaaf351b553p-28},  {-0x1.c9b6498000000p-1, -0x1.8226fe1264360p-30},
    {-0x1.c9b6498000000p+0, -0x1.8226fe1264360p-29}, {0x1.5a89210000000p+1, -0x1.c5ca73e0074b5p-30},
    {-0x1.bcb4a24000000p-1, 0x1.8ccc9eb33ee4bp-33},  {-0x1.bcb4a24000000p+0, 0x1.8ccc9eb33ee4bp-32},
    {0x1.678ac84000000p+1, 0x1.424df4f0ca3fdp-28},   {-0x1.54a767e000000p-1, 0x1.cf9e231cc8718p-30},
    {-0x1.54a767e000000p+0, 0x1.cf9e231cc8718p-29},  {-0x1.54a767e000000p+1, 0x1.cf9e231cc8718p-28},
    {0x1.ebc26ba000000p-1, -0x1.403d62b032e76p-30},  {0x1.ebc26ba000000p+0, -0x1.403d62b032e76p-29},
    {-0x1.387cff0000000p+1, 0x1.af0e3c356ab57p-28},  {0x1.668ad94000000p+0, 0x1.bb436614df386p-30},
    {0x1.668ad94000000p+1, 0x1.bb436614df386p-29},   {-0x1.5ca6dfe000000p-1, -0x1.55c3ec160cab4p-30},
    {-0x1.5ca6dfe000000p+0, -0x1.55c3ec160cab4p-29}, {-0x1.5ca6dfe000000p+1, -0x1.55c3ec160cab4p-28},
    {0x1.abc6aac000000p-1, 0x1.94b223b92432cp-30},   {0x1.abc6aac000000p+0, 0x1.94b223b92432cp-29},
    {-0x1.7878bfc000000p+1, 0x1.07fb853d839f2p-29},  {0x1.9a6f588000000p-2, 0x1.8afe657e60255p-32},
    {0x1.9a6f588000000p-1, 0x1.8afe657e60255p-31},   {0x1.9a6f588000000p+0, 0x1.8afe657e60255p-30},
    {-0x1.89d0120000000p+1, -0x1.2cd4b96cc9422p-30}, {0x1.09f4684000000p-3, -0x1.6d7ee7008f78ap-34},
    {0x1.09f4684000000p-2, -0x1.6d7ee7008f78ap-33},  {0x1.09f4684000000p-1, -0x1.6d7ee7008f78ap-32},
    {0x1.09f4684000000p+0, -0x1.6d7ee7008f78ap-31},  {0x1.09f4684000000p+1, -0x1.6d7ee7008f78ap-30},
    {-0x1.10569a0000000p+1, -0x1.c773d49aaa1f8p-28}, {0x1.0392366000000p+1, 0x1.81ccb7e50e243p-28},
    {-0x1.1d1afdc000000p+1, 0x1.f2e50eafb9e54p-28},  {0x1.d412de4000000p+0, 0x1.ecfcfcf3ac5b5p-29},
    {-0x1.502c8c4000000p+1, 0x1.b89137b293f04p-29},  {0x1.07cca42000000p+0, 0x1.928b3199eca6ep-29},
    {0x1.07cca42000000p+1, 0x1.928b3199eca6ep-28},   {-0x1.14a6222000000p+1, -0x1.eb9dfde689157p-28},
    {0x1.f5e64c6000000p+0, -0x1.8d0f35655f8f5p-29},  {-0x1.2e591e4000000p+1, 0x1.623c69803e0d8p-28},
    {0x1.8f1a5c4000000p+0, -0x1.56965f290c0efp-31},  {0x1.8f1a5c4000000p+1, -0x1.56965f290c0efp-30},
    {-0x1.82ac838000000p-5, 0x1.001bd445e5556p-34},  {-0x1.82ac838000000p-4, 0x1.001bd445e5556p-33},
    {-0x1.82ac838000000p-3, 0x1.001bd445e5556p-32},  {-0x1.82ac838000000p-2, 0x1.001bd445e5556p-31},
    {-0x1.82ac838000000p-1, 0x1.001bd445e5556p-30},  {-0x1.82ac838000000p+0, 0x1.001bd445e5556p-29},
    {-0x1.82ac838000000p+1, 0x1.001bd445e5556p-28},  {0x1.ee66398000000p-3, 0x1.0ec09a62d0debp-32},
    {0x1.ee66398000000p-2, 0x1.0ec09a62d0debp-31},   {0x1.ee66398000000p-1, 0x1.0ec09a62d0debp-30},
    {0x1.ee66398000000p+0, 0x1.0ec09a62d0debp-29},   {-0x1.35d9310000000p+1, -0x1.f3c6b791847c5p-36},
    {0x1.711a112000000p+0, -0x1.e66658a9814b9p-29},  {0x1.711a112000000p+1, -0x1.e66658a9814b9p-28},
    {-0x1.082d21a000000p-1, 0x1.13f76c94d82d9p-31},  {-0x1.082d21a000000p+0, 0x1.13f76c94d82d9p-30},
    {-0x1.082d21a000000p+1, 0x1.13f76c94d82d9p-29},  {0x1.13e5276000000p+1, -0x1.db543250c56f4p-28},
    {-0x1.f8ea37c000000p+0, -0x1.8eb98b77da837p-29}, {0x1.2b5532c000000p+1, -0x1.f814a975e080fp-30},
    {-0x1.9b2a0a2000000p+0, -0x1.97d6baaa5474cp-33}, {0x1.8915606000000p+1, 0x1.ee6deadf7a37dp-29},
    {-0x1.214a9ba000000p-3, 0x1.db989c517d499p-32},  {-0x1.214a9ba000000p-2, 0x1.db989c517d499p-31},
    {-0x1.214a9ba000000p-1, 0x1.db989c517d499p-30},  {-0x1.214a9ba000000p+0, 0x1.db989c517d499p-29},
    {-0x1.214a9ba000000p+1, 0x1.db989c517d499p-28},  {0x1.c35466c000000p+0, 0x1.8fcb337ab9ec9p-29},
    {-0x1.60eb03c000000p+1, 0x1.fc5b49815e257p-30},  {0x1.89a58c4000000p-1, 0x1.dc40bb622ebdap-33},
    {0x1.89a58c4000000p+0, 0x1.dc40bb622ebdap-32},   {0x1.89a58c4000000p+1, 0x1.dc40bb622ebdap-31},
    {-0x1.0f45204000000p-3, -0x1.9a43241d6b3c8p-32}, {-0x1.0f45204000000p-2, -0x1.9a43241d6b3c8p-31},
    {-0x1.0f45204000000p-1, -0x1.9a43241d6b3c8p-30}, {-0x1.0f45204000000p+0, -0x1.9a43241d6b3c8p-29},
    {-0x1.0f45204000000p+1, -0x1.9a43241d6b3c8p-28}, {0x1.05b529e000000p+1, 0x1.dc2e18df8bea3p-28},
    {-0x1.18d516a000000p+1, -0x1.58582f5b4a8edp-28}, {0x1.e52a7a6000000p+0, 0x1.8010098f35163p-30}};
// x = k pi / 2 + r with |r| <= pi / 4; the quadrant is k modulo 4. Below 2^40 the reduction in double is exact enough;
// beyond, the mantissa is first multiplied by its power of two modulo 2 pi.
TENON_INLINE double tenon_quadrant(float x, int& quadrant) {
  const int bits = (int)tenon_bits_of_float(x), exponent = bits >> 23 & 0xff;
  const bool far = exponent >= 167;
  const int row = far ? (exponent < 255 ? exponent - 167 : 0) : 0;
  const double m = (double)((bits & 0x7fffff) | 0x800000), signed_m = bits < 0 ? -m : m;
  const double high = far ? signed_m * tenon_turns[row][0] : (double)x,
               low = far ? signed_m * tenon_turns[row][1] : 0.0;
  // Adding 1.5 * 2^52 rounds to a whole number whose last bits are those of the sum.
  const double magic = 6755399441055744.0, shifted = high * 0.63661977236758134308 + magic, k = shifted - magic;
  long long whole;
  __builtin_memcpy(&whole, &shifted, 8);
  quadrant = (int)whole & 3;
  return tenon_fma(-k, 6.12323399573676603587e-17, tenon_fma(-k, 1.57079632679489655800, high)) + low;
}
TENON_INLINE float tenon_sin_core(float r) {
  const float z = r * r;
  float q = 2.7180465e-6f;
  q = tenon_fma(q, z, -1.98393044e-4f);
  q = tenon_fma(q, z, 8.33332928e-3f);
  q = tenon_fma(q, z, -1.66666666e-1f);
  return tenon_fma(z * r, q, r);
}
TENON_INLINE float tenon_cos_core(float r) {
  const float z = r * r;
  float q = 2.44324129e-5f;
  q = tenon_fma(q, z, -1.38873099e-3f);
  q = tenon_fma(q, z, 4.16666456e-2f);
  return tenon_fma(z * z, q, tenon_fma(z, -0.5f, 1.0f));
}
TENON_INLINE float tenon_not_infinite(float x, float result) { return x - x == 0.0f ? result : __builtin_nanf(""); }
TENON_INLINE float tenon_sin_anywhere(float x) {
  int k;
  const float r = (float)tenon_quadrant(x, k), value = k & 1 ? tenon_cos_core(r) : tenon_sin_core(r);
  return tenon_not_infinite(x, x == 0.0f ? x : k & 2 ? -value : value);
}
TENON_INLINE float tenon_cos_anywhere(float x) {
  int k;
  const float r = (float)tenon_quadrant(x, k), value = k & 1 ? tenon_sin_core(r) : tenon_cos_core(r);
  return tenon_not_infinite(x, (k + 1) & 2 ? -value : value);
}

// Up to this |x| the reduction can be done in float, for one float or eight. pi / 2 is used in three parts; k times the
// first is subtracted exactly.
#define TENON_NEAR_LIMIT 48000.0f
TENON_INLINE int tenon_as_int(float x) { return (int)tenon_bits_of_float(x); }
TENON_INLINE float tenon_as_float(int bits) { return tenon_float_of((unsigned)bits); }

#if TENON_VECTOR_MATH

typedef float tenon_float8 __attribute__((vector_size(32)));
typedef int tenon_int8 __attribute__((vector_size(32)));
typedef float tenon_float4 __attribute__((vector_size(16)));
TENON_INLINE tenon_int8 tenon_as_int(tenon_float8 x) { return (tenon_int8)x; }
TENON_INLINE tenon_float8 tenon_as_float(tenon_int8 bits) { return (tenon_float8)bits; }
TENON_INLINE tenon_float8 tenon_fma(tenon_float8 a, tenon_float8 b, tenon_float8 c) {
  return __builtin_ia32_vfmaddps256(a, b, c);
}
TENON_INLINE tenon_float8 tenon_all(float x) { return tenon_float8{x, x, x, x, x, x, x, x}; }

#endif

template <class V> struct tenon_near_parts {
  V r, z;  // the rest of x and its square
  decltype(tenon_as_int(V{})) quadrant;
};
template <class V> TENON_INLINE tenon_near_parts<V> tenon_near_rest(V x, int quadrants) {
  const V zero = V{}, shifted = tenon_fma(x, zero + 0.636619772f, zero + 12582912.0f), k = shifted - 12582912.0f;
  const V r = tenon_fma(k, zero - 1.57079637f, x);
  const V rest = tenon_fma(k, zero + 1.71512489e-15f, tenon_fma(k, zero + 4.37113883e-8f, r));
  return {rest, rest * rest, tenon_as_int(shifted) + quadrants};
}
template <class V> TENON_INLINE V tenon_near_sine(V r, V z) {
  const V zero = V{};
  V q = tenon_fma(zero + 2.7180465e-6f, z, zero - 1.98393044e-4f);
  q = tenon_fma(tenon_fma(q, z, zero + 8.33332928e-3f), z, zero - 1.66666666e-1f);
  return tenon_fma(z * r, q, r);
}
template <class V> TENON_INLINE V tenon_near_cosine(V z) {
  const V zero = V{}, q = tenon_fma(zero + 2.44324129e-5f, z, zero - 1.38873099e-3f);
  return tenon_fma(z * z, tenon_fma(q, z, zero + 4.16666456e-2f), tenon_fma(z, zero - 0.5f, zero + 1.0f));
}
// sin of x + quadrants pi / 2.
template <class V> TENON_INLINE V tenon_near_circularf(V x, int quadrants) {
  const tenon_near_parts<V> near = tenon_near_rest(x, quadrants);
  const auto odd = -(near.quadrant & 1);
  const auto value =
      (tenon_as_int(tenon_near_cosine(near.z)) & odd) | (tenon_as_int(tenon_near_sine(near.r, near.z)) & ~odd);
  return tenon_as_float(value ^ ((near.quadrant & 2) << 30));
}
TENON_INLINE float tenon_near_sin(float x) { return x == 0.0f ? x : tenon_near_circularf(x, 0); }  // the sign of zero
TENON_INLINE float tenon_near_cos(float x) { return tenon_near_circularf(x, 1); }

#if TENON_VECTOR_MATH

// In a vectorised loop clang replaces calls of sinf and cosf by vector functions with these names (-fveclib=libmvec);
// these definitions replace libmvec's. They may branch: if all lanes are near zero, the reduction is done in float.
TENON_INLINE tenon_float8 tenon_near_sin(tenon_float8 x) {
  const tenon_int8 zero = (tenon_int8)(x == 0.0f);
  return (tenon_float8)(((tenon_int8)x & zero) | ((tenon_int8)tenon_near_circularf(x, 0) & ~zero));
}
TENON_INLINE tenon_float8 tenon_near_cos(tenon_float8 x) { return tenon_near_circularf(x, 1); }

#define TENON_CIRCULAR(name)                                                                       \
  /* One lane, with the same result as eight. */                                                   \
  static __attribute__((noinline)) float tenon_##name##_one(float x) {                             \
    if (__builtin_fabsf(x) > TENON_NEAR_LIMIT) return tenon_##name##_anywhere(x);                  \
    return tenon_near_##name(tenon_all(x))[0];                                                     \
  }                                                                                                \
  extern "C" {                                                                                     \
  TENON_HIDDEN tenon_float8 _ZGVdN8v_##name##f(tenon_float8 x) {                                   \
    const tenon_float8 size = (tenon_float8)((tenon_int8)x & 0x7fffffff);                          \
    if (__builtin_expect(!__builtin_ia32_movmskps256((tenon_float8)(size > TENON_NEAR_LIMIT)), 1)) \
      return tenon_near_##name(x);                                                                 \
    for (int i = 0; i < 8; ++i) x[i] = tenon_##name##_one(x[i]);                                   \
    return x;                                                                                      \
  }                                                                                                \
  TENON_HIDDEN tenon_float4 _ZGVbN4v_##name##f(tenon_float4 x) {                                   \
    const tenon_float8 wide = {x[0], x[1], x[2], x[3]}, result = _ZGVdN8v_##name##f(wide);         \
    return tenon_float4{result[0], result[1], result[2], result[3]};                               \
  }                                                                                                \
  TENON_HIDDEN float name##f(float x) noexcept { return tenon_##name##_one(x); }                   \
  }
TENON_CIRCULAR(sin)
TENON_CIRCULAR(cos)
#undef TENON_CIRCULAR

// The compiler combines a sine and a cosine of one number into a call of sincosf.
extern "C" {
TENON_HIDDEN void tenon_both_circularf(float x, float* s, float* c) __asm__("sincosf");
TENON_HIDDEN void tenon_both_circularf(float x, float* s, float* c) { *s = tenon_sin_one(x), *c = tenon_cos_one(x); }
}
TENON_INLINE void sincosf(float x, float* s, float* c) {
  *s = sinf(x);
  *c = cosf(x);
}

#else

TENON_INLINE float sinf(float x) { return tenon_sin_anywhere(x); }
TENON_INLINE float cosf(float x) { return tenon_cos_anywhere(x); }
TENON_INLINE void sincosf(float x, float* s, float* c) {
  int k;
  const float r = (float)tenon_quadrant(x, k), sine = tenon_sin_core(r), cosine = tenon_cos_core(r);
  const float a = k & 1 ? cosine : sine, b = k & 1 ? sine : cosine;
  *s = tenon_not_infinite(x, x == 0.0f ? x : k & 2 ? -a : a);
  *c = tenon_not_infinite(x, (k + 1) & 2 ? -b : b);
}

#endif
TENON_INLINE float tanf(float x) {
  int k;
  const float r = (float)tenon_quadrant(x, k), sine = tenon_sin_core(r), cosine = tenon_cos_core(r);
  const float value = k & 1 ? -cosine / sine : sine / cosine;
  return tenon_not_infinite(x, x == 0.0f ? x : value);
}

// --- hyperbolic tangent: a polynomial near zero, 1 - 2 / (e^2x + 1) beyond

TENON_INLINE float tanhf(float x) {
  const float size = __builtin_fabsf(x), z = x * x;
  float q = 2.22697481e-3f;
  q = tenon_fma(q, z, -8.26274538e-3f);
  q = tenon_fma(q, z, 2.17327213e-2f);
  q = tenon_fma(q, z, -5.3952167e-2f);
  q = tenon_fma(q, z, 1.33332454e-1f);
  q = tenon_fma(q, z, -3.33333317e-1f);
  const float near = tenon_fma(z * x, q, x);
  const float beyond = 1.0f - 2.0f / (expf(2.0f * (size > 20.0f ? 20.0f : size)) + 1.0f);
  const float result = __builtin_copysignf(size < 0.6f ? near : beyond, x);
  return x == x ? result : x;
}

#endif
