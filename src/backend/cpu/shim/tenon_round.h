// shim/tenon_round.h: arithmetic with a rounding direction, conversions, and the fast variants of functions.
#ifndef TENON_ROUND_H
#define TENON_ROUND_H

// The neighbour of x above it (direction 1) or below (-1).
TENON_INLINE float tenon_neighbour(float x, int direction) {
  int bits = __float_as_int(x);
  if (x == 0) return __int_as_float(direction > 0 ? 1 : (int)0x80000001u);
  return __int_as_float(bits + ((x > 0) == (direction > 0) ? 1 : -1));
}
TENON_INLINE double tenon_neighbour(double x, int direction) {
  long long bits = __double_as_longlong(x);
  if (x == 0) return __longlong_as_double(direction > 0 ? 1 : (long long)0x8000000000000001ull);
  return __longlong_as_double(bits + ((x > 0) == (direction > 0) ? 1 : -1));
}
// `nearest` is a result rounded to nearest, `error` has the sign of the exact result minus it.
struct tenon_up {
  template <class T> static T round(T nearest, T error) { return error > 0 && __builtin_isfinite(nearest) ? tenon_neighbour(nearest, 1) : nearest; }
};
struct tenon_down {
  template <class T> static T round(T nearest, T error) { return error < 0 && __builtin_isfinite(nearest) ? tenon_neighbour(nearest, -1) : nearest; }
};
struct tenon_to_zero {
  template <class T> static T round(T nearest, T error) {
    return nearest > 0 ? tenon_down::round(nearest, error) : nearest < 0 ? tenon_up::round(nearest, error) : nearest;
  }
};
struct tenon_nearest {
  template <class T> static T round(T nearest, T) { return nearest; }
};

TENON_INLINE float tenon_fused(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
TENON_INLINE double tenon_fused(double a, double b, double c) { return __builtin_fma(a, b, c); }
TENON_INLINE float tenon_root(float a) { return __builtin_sqrtf(a); }
TENON_INLINE double tenon_root(double a) { return __builtin_sqrt(a); }
// A value that the compiler must not contract with what made it: it goes through a register it cannot see into.
template <class T> TENON_INLINE T tenon_kept(T x) {
#if defined(__x86_64__)
  __asm__("" : "+x"(x));
#else
  __asm__("" : "+w"(x));
#endif
  return x;
}
template <class D, class T> TENON_INLINE T tenon_add(T a, T b) {
  T sum = tenon_kept(a + b), back = tenon_kept(sum - a);
  T error = tenon_kept(a - tenon_kept(sum - back)) + tenon_kept(b - back);  // Knuth: exact
  return D::round(sum, error);
}
template <class D, class T> TENON_INLINE T tenon_multiply(T a, T b) {
  T product = tenon_kept(a * b);
  return D::round(product, tenon_fused(a, b, -product));
}
template <class D, class T> TENON_INLINE T tenon_divide(T a, T b) {
  T quotient = tenon_kept(a / b), rest = tenon_fused(-quotient, b, a);
  return D::round(quotient, b < 0 ? -rest : rest);
}
template <class D, class T> TENON_INLINE T tenon_square_root(T a) {
  T root = tenon_kept(tenon_root(a));
  return D::round(root, tenon_fused(-root, root, a));
}
template <class D, class T> TENON_INLINE T tenon_multiply_add(T a, T b, T c) {
  T result = tenon_kept(tenon_fused(a, b, c)), product = tenon_kept(a * b), low = tenon_fused(a, b, -product);
  T sum = tenon_kept(product + c), back = tenon_kept(sum - product);
  T rest = tenon_kept(product - tenon_kept(sum - back)) + tenon_kept(c - back);
  return D::round(result, (tenon_kept(sum - result) + rest) + low);
}

#define TENON_DIRECTED(suffix, D)                                                                           \
  TENON_INLINE float __fadd_##suffix(float a, float b) { return tenon_add<D>(a, b); }                       \
  TENON_INLINE float __fsub_##suffix(float a, float b) { return tenon_add<D>(a, -b); }                      \
  TENON_INLINE float __fmul_##suffix(float a, float b) { return tenon_multiply<D>(a, b); }                  \
  TENON_INLINE float __fdiv_##suffix(float a, float b) { return tenon_divide<D>(a, b); }                    \
  TENON_INLINE float __frcp_##suffix(float a) { return tenon_divide<D>(1.0f, a); }                          \
  TENON_INLINE float __fsqrt_##suffix(float a) { return tenon_square_root<D>(a); }                          \
  TENON_INLINE float __fmaf_##suffix(float a, float b, float c) { return tenon_multiply_add<D>(a, b, c); }  \
  TENON_INLINE float __fmaf_ieee_##suffix(float a, float b, float c) { return tenon_multiply_add<D>(a, b, c); } \
  TENON_INLINE double __dadd_##suffix(double a, double b) { return tenon_add<D>(a, b); }                    \
  TENON_INLINE double __dsub_##suffix(double a, double b) { return tenon_add<D>(a, -b); }                   \
  TENON_INLINE double __dmul_##suffix(double a, double b) { return tenon_multiply<D>(a, b); }               \
  TENON_INLINE double __ddiv_##suffix(double a, double b) { return tenon_divide<D>(a, b); }                 \
  TENON_INLINE double __drcp_##suffix(double a) { return tenon_divide<D>(1.0, a); }                         \
  TENON_INLINE double __dsqrt_##suffix(double a) { return tenon_square_root<D>(a); }                        \
  TENON_INLINE double __fma_##suffix(double a, double b, double c) { return tenon_multiply_add<D>(a, b, c); } \
  TENON_INLINE float __double2float_##suffix(double x) {                                                    \
    float nearest = (float)x;                                                                               \
    double error = x - (double)nearest;                                                                     \
    return D::round(nearest, error > 0 ? 1.0f : error < 0 ? -1.0f : 0.0f);                                  \
  }
TENON_DIRECTED(rz, tenon_to_zero)
TENON_DIRECTED(ru, tenon_up)
TENON_DIRECTED(rd, tenon_down)
#undef TENON_DIRECTED

// Rounding to nearest: the plain operations, kept from being contracted. (clang can be told so without an obstacle to
// vectorising.)
#if defined(__clang__)
#define TENON_ALONE(name, T, operation)            \
  TENON_INLINE T name(T a, T b) {                  \
    _Pragma("clang fp contract(off)")              \
    return operation;                              \
  }
#else
#define TENON_ALONE(name, T, operation) TENON_INLINE T name(T a, T b) { return tenon_kept(operation); }
#endif
TENON_ALONE(__fadd_rn, float, a + b) TENON_ALONE(__fsub_rn, float, a - b) TENON_ALONE(__fmul_rn, float, a * b)
TENON_ALONE(__dadd_rn, double, a + b) TENON_ALONE(__dsub_rn, double, a - b) TENON_ALONE(__dmul_rn, double, a * b)
#undef TENON_ALONE
TENON_INLINE float __fdiv_rn(float a, float b) { return a / b; }
TENON_INLINE float __frcp_rn(float a) { return 1.0f / a; }
TENON_INLINE float __fsqrt_rn(float a) { return __builtin_sqrtf(a); }
TENON_INLINE float __frsqrt_rn(float a) { return (float)(1.0 / __builtin_sqrt((double)a)); }
TENON_INLINE float __fmaf_rn(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
TENON_INLINE float __fmaf_ieee_rn(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
TENON_INLINE double __ddiv_rn(double a, double b) { return a / b; }
TENON_INLINE double __drcp_rn(double a) { return 1.0 / a; }
TENON_INLINE double __dsqrt_rn(double a) { return __builtin_sqrt(a); }
TENON_INLINE double __fma_rn(double a, double b, double c) { return __builtin_fma(a, b, c); }
TENON_INLINE float __double2float_rn(double x) { return (float)x; }

// Floating point to integer: out of range gives the nearest integer of the type, NaN gives 0 (as PTX cvt), never anything
// undefined.
template <class I, class F> TENON_INLINE I tenon_clamped(F x, F below_lowest, F beyond_highest, I lowest, I highest) {
  return x >= beyond_highest ? highest : x <= below_lowest ? lowest : x == x ? (I)x : (I)0;
}
#define TENON_TO_INTEGER(from, F, to, I, low, high, lowest, highest)                                                             \
  TENON_INLINE I __##from##2##to##_rz(F x) { return tenon_clamped<I>(x, (F)low, (F)high, lowest, highest); }                     \
  TENON_INLINE I __##from##2##to##_rn(F x) { return tenon_clamped<I>((F)rint(x), (F)low, (F)high, lowest, highest); }            \
  TENON_INLINE I __##from##2##to##_ru(F x) { return tenon_clamped<I>((F)ceil(x), (F)low, (F)high, lowest, highest); }            \
  TENON_INLINE I __##from##2##to##_rd(F x) { return tenon_clamped<I>((F)floor(x), (F)low, (F)high, lowest, highest); }
#define TENON_TO_INTEGERS(from, F)                                                                                               \
  TENON_TO_INTEGER(from, F, int, int, -2147483648.0, 2147483648.0, -2147483647 - 1, 2147483647)                                  \
  TENON_TO_INTEGER(from, F, uint, unsigned, 0.0, 4294967296.0, 0u, 0xffffffffu)                                                  \
  TENON_TO_INTEGER(from, F, ll, long long, -9223372036854775808.0, 9223372036854775808.0, -9223372036854775807LL - 1,            \
                   9223372036854775807LL)                                                                                        \
  TENON_TO_INTEGER(from, F, ull, unsigned long long, 0.0, 18446744073709551616.0, 0ull, 0xffffffffffffffffull)
TENON_TO_INTEGERS(float, float)
TENON_TO_INTEGERS(double, double)
#undef TENON_TO_INTEGERS
#undef TENON_TO_INTEGER

// Integer to floating point. The remainder of the rounding is found in the integers.
template <class D, class F, class I> TENON_INLINE F tenon_from_integer(I x) {
  F nearest = (F)x;
  __int128 error = (__int128)x - (__int128)nearest;
  return D::round(nearest, (F)(error > 0 ? 1 : error < 0 ? -1 : 0));
}
#define TENON_FROM_INTEGER(from, I, to, F)                                                     \
  TENON_INLINE F __##from##2##to##_rn(I x) { return (F)x; }                                    \
  TENON_INLINE F __##from##2##to##_rz(I x) { return tenon_from_integer<tenon_to_zero, F>(x); } \
  TENON_INLINE F __##from##2##to##_ru(I x) { return tenon_from_integer<tenon_up, F>(x); }      \
  TENON_INLINE F __##from##2##to##_rd(I x) { return tenon_from_integer<tenon_down, F>(x); }
TENON_FROM_INTEGER(int, int, float, float) TENON_FROM_INTEGER(uint, unsigned, float, float)
TENON_FROM_INTEGER(ll, long long, float, float) TENON_FROM_INTEGER(ull, unsigned long long, float, float)
TENON_FROM_INTEGER(ll, long long, double, double) TENON_FROM_INTEGER(ull, unsigned long long, double, double)
TENON_INLINE double __int2double_rn(int x) { return x; }
TENON_INLINE double __uint2double_rn(unsigned x) { return x; }
#undef TENON_FROM_INTEGER

// CUDA's faster and coarser functions: here as good as the others.
TENON_INLINE float __fdividef(float a, float b) { return a / b; }
TENON_INLINE float fdividef(float a, float b) { return a / b; }
TENON_INLINE float fdivide(float a, float b) { return a / b; }
TENON_INLINE double fdivide(double a, double b) { return a / b; }
TENON_INLINE float __saturatef(float x) { return x >= 1.0f ? 1.0f : x > 0.0f ? x : 0.0f; }
template <class T> TENON_INLINE float saturate(T x) { return __saturatef(x); }  // gives way to the user's own
TENON_INLINE float __expf(float x) { return expf(x); }
TENON_INLINE float __exp10f(float x) { return exp10f(x); }
TENON_INLINE float __logf(float x) { return logf(x); }
TENON_INLINE float __log2f(float x) { return log2f(x); }
TENON_INLINE float __log10f(float x) { return log10f(x); }
TENON_INLINE float __sinf(float x) { return sinf(x); }
TENON_INLINE float __cosf(float x) { return cosf(x); }
TENON_INLINE float __tanf(float x) { return tanf(x); }
TENON_INLINE float __tanhf(float x) { return tanhf(x); }
TENON_INLINE void __sincosf(float x, float* s, float* c) { sincosf(x, s, c); }
TENON_INLINE float __powf(float x, float y) { return powf(x, y); }

#endif
