// shim/math/tenon_math.h: CUDA's math functions. Most are those of the host's libm; those in which kernels spend most
// of their time are inline in tenon_fast.h (float) and tenon_fast_double.h, so that the loop over threads can be
// vectorised.
#ifndef TENON_MATH_H
#define TENON_MATH_H

// One argument, float and double; integers are converted to double, as in C++.
#define TENON_UNARY(name)                                 \
  extern "C" double name(double) noexcept;                \
  extern "C" float name##f(float) noexcept;               \
  TENON_INLINE float name(float x) { return name##f(x); } \
  template <class T> TENON_INLINE typename tenon_if_integer<T>::type name(T x) { return name((double)x); }
#define TENON_BINARY(name)                                                                      \
  extern "C" double name(double, double) noexcept;                                              \
  extern "C" float name##f(float, float) noexcept;                                              \
  TENON_INLINE float name(float x, float y) { return name##f(x, y); }                           \
  template <class A, class B> TENON_INLINE typename tenon_if_mixed<A, B>::type name(A x, B y) { \
    return name((double)x, (double)y);                                                          \
  }

template <class T> struct tenon_if_integer {};
template <class T> struct tenon_rank {
  static constexpr int value = -1;
};
#define TENON_RANK(T, n)             \
  template <> struct tenon_rank<T> { \
    static constexpr int value = n;  \
  };
#define TENON_INTEGER(T)                   \
  TENON_RANK(T, 0)                         \
  template <> struct tenon_if_integer<T> { \
    typedef double type;                   \
  };
TENON_INTEGER(bool)
TENON_INTEGER(char)
TENON_INTEGER(signed char)
TENON_INTEGER(unsigned char)
TENON_INTEGER(short)
TENON_INTEGER(unsigned short)
TENON_INTEGER(int)
TENON_INTEGER(unsigned)
TENON_INTEGER(long)
TENON_INTEGER(unsigned long)
TENON_INTEGER(long long)
TENON_INTEGER(unsigned long long)
TENON_RANK(float, 1)
TENON_RANK(double, 2)
#undef TENON_INTEGER
#undef TENON_RANK
// Two arithmetic types that are not both float or both double are converted to double.
template <bool> struct tenon_double_if {};
template <> struct tenon_double_if<true> {
  typedef double type;
};
template <class A, class B> struct tenon_if_mixed
    : tenon_double_if<tenon_rank<A>::value >= 0 && tenon_rank<B>::value >= 0 &&
                      tenon_rank<A>::value + tenon_rank<B>::value != 4 &&
                      !(tenon_rank<A>::value == 1 && tenon_rank<B>::value == 1)> {};

#include "tenon_fast.h"
#include "tenon_fast_double.h"

TENON_UNARY(acos)
TENON_UNARY(acosh)
TENON_UNARY(asin)
TENON_UNARY(asinh)
TENON_UNARY(atan)
TENON_UNARY(atanh)
TENON_UNARY(ceil)
TENON_UNARY(cosh)
TENON_UNARY(erf)
TENON_UNARY(erfc)
TENON_UNARY(expm1)
TENON_UNARY(fabs)
TENON_UNARY(floor)
TENON_UNARY(log1p)
TENON_UNARY(logb)
TENON_UNARY(nearbyint)
TENON_UNARY(rint)
TENON_UNARY(round)
TENON_UNARY(sinh)
TENON_UNARY(sqrt)
TENON_UNARY(trunc)
TENON_BINARY(atan2)
TENON_BINARY(copysign)
TENON_BINARY(fdim)
TENON_BINARY(fmod)
TENON_BINARY(hypot)
TENON_BINARY(nextafter)
TENON_BINARY(remainder)
#undef TENON_UNARY
#undef TENON_BINARY

extern "C" {
double j0(double) noexcept;
double j1(double) noexcept;
double tenon_libm_jn(int, double) noexcept __asm__("jn");
double y0(double) noexcept;
double y1(double) noexcept;
double tenon_libm_yn(int, double) noexcept __asm__("yn");
float j0f(float) noexcept;
float j1f(float) noexcept;
float tenon_libm_jnf(int, float) noexcept __asm__("jnf");
float y0f(float) noexcept;
float y1f(float) noexcept;
float tenon_libm_ynf(int, float) noexcept __asm__("ynf");
double fma(double, double, double) noexcept;
float fmaf(float, float, float) noexcept;
double frexp(double, int*) noexcept;
float frexpf(float, int*) noexcept;
double ldexp(double, int) noexcept;
float ldexpf(float, int) noexcept;
double scalbn(double, int) noexcept;
float scalbnf(float, int) noexcept;
double scalbln(double, long) noexcept;
float scalblnf(float, long) noexcept;
int ilogb(double) noexcept;
int ilogbf(float) noexcept;
double modf(double, double*) noexcept;
float modff(float, float*) noexcept;
double remquo(double, double, int*) noexcept;
float remquof(float, float, int*) noexcept;
double nan(const char*) noexcept;
float nanf(const char*) noexcept;
}
TENON_INLINE float fma(float a, float b, float c) { return fmaf(a, b, c); }
// CUDA has no Bessel functions of negative order.
TENON_INLINE double jn(int n, double x) { return n < 0 ? __builtin_nan("") : tenon_libm_jn(n, x); }
TENON_INLINE double yn(int n, double x) { return n < 0 ? __builtin_nan("") : tenon_libm_yn(n, x); }
TENON_INLINE float jnf(int n, float x) { return n < 0 ? __builtin_nanf("") : tenon_libm_jnf(n, x); }
TENON_INLINE float ynf(int n, float x) { return n < 0 ? __builtin_nanf("") : tenon_libm_ynf(n, x); }
TENON_INLINE float frexp(float x, int* e) { return frexpf(x, e); }
TENON_INLINE float ldexp(float x, int e) { return ldexpf(x, e); }
TENON_INLINE float scalbn(float x, int e) { return scalbnf(x, e); }
TENON_INLINE float scalbln(float x, long e) { return scalblnf(x, e); }
TENON_INLINE int ilogb(float x) { return ilogbf(x); }
TENON_INLINE float modf(float x, float* whole) { return modff(x, whole); }
TENON_INLINE float remquo(float x, float y, int* q) { return remquof(x, y, q); }
TENON_INLINE float abs(float x) { return __builtin_fabsf(x); }
TENON_INLINE double abs(double x) { return __builtin_fabs(x); }
// The smallest integer has no positive counterpart: it is returned unchanged, as on a GPU.
#define TENON_ABSOLUTE(name, T, U) \
  TENON_INLINE T name(T x) { return (T)(x < 0 ? (U)0 - (U)x : (U)x); }
TENON_ABSOLUTE(abs, int, unsigned)
TENON_ABSOLUTE(abs, long, unsigned long)
TENON_ABSOLUTE(abs, long long, unsigned long long)
TENON_ABSOLUTE(labs, long, unsigned long)
TENON_ABSOLUTE(llabs, long long, unsigned long long)
#undef TENON_ABSOLUTE

// A number is preferred to NaN, and +0 is above -0: the bits of equal numbers are combined, which only changes zeros of
// different sign.
#define TENON_EXTREME(name, T, bits_of, of_bits, compare, combine)           \
  TENON_INLINE T name(T a, T b) {                                            \
    const T x = a compare b ? a : b, y = b compare a ? b : a;                \
    return a != a ? b : b != b ? a : of_bits(bits_of(x) combine bits_of(y)); \
  }
TENON_EXTREME(fmaxf, float, __float_as_int, __int_as_float, >, &)
TENON_EXTREME(fminf, float, __float_as_int, __int_as_float, <, |)
TENON_EXTREME(fmax, double, __double_as_longlong, __longlong_as_double, >, &)
TENON_EXTREME(fmin, double, __double_as_longlong, __longlong_as_double, <, |)
#undef TENON_EXTREME
TENON_INLINE float fmax(float a, float b) { return fmaxf(a, b); }
TENON_INLINE float fmin(float a, float b) { return fminf(a, b); }
template <class A, class B> TENON_INLINE typename tenon_if_mixed<A, B>::type fmax(A a, B b) {
  return fmax((double)a, (double)b);
}
template <class A, class B> TENON_INLINE typename tenon_if_mixed<A, B>::type fmin(A a, B b) {
  return fmin((double)a, (double)b);
}

// CUDA's min and max: all pairs of integer types; pairs of different signedness are converted to the unsigned type.
#define TENON_EXTREMES(R, A, B)                                      \
  TENON_INLINE R min(A a, B b) { return (R)a < (R)b ? (R)a : (R)b; } \
  TENON_INLINE R max(A a, B b) { return (R)a > (R)b ? (R)a : (R)b; }
TENON_EXTREMES(int, int, int)
TENON_EXTREMES(unsigned, unsigned, unsigned)
TENON_EXTREMES(unsigned, int, unsigned)
TENON_EXTREMES(unsigned, unsigned, int)
TENON_EXTREMES(long, long, long)
TENON_EXTREMES(unsigned long, unsigned long, unsigned long)
TENON_EXTREMES(unsigned long, long, unsigned long)
TENON_EXTREMES(unsigned long, unsigned long, long)
TENON_EXTREMES(long long, long long, long long)
TENON_EXTREMES(unsigned long long, unsigned long long, unsigned long long)
TENON_EXTREMES(unsigned long long, long long, unsigned long long)
TENON_EXTREMES(unsigned long long, unsigned long long, long long)
#undef TENON_EXTREMES
TENON_INLINE float min(float a, float b) { return fminf(a, b); }
TENON_INLINE float max(float a, float b) { return fmaxf(a, b); }
TENON_INLINE double min(double a, double b) { return fmin(a, b); }
TENON_INLINE double max(double a, double b) { return fmax(a, b); }
TENON_INLINE double min(float a, double b) { return fmin((double)a, b); }
TENON_INLINE double max(float a, double b) { return fmax((double)a, b); }
TENON_INLINE double min(double a, float b) { return fmin(a, (double)b); }
TENON_INLINE double max(double a, float b) { return fmax(a, (double)b); }
TENON_INLINE unsigned umin(unsigned a, unsigned b) { return min(a, b); }
TENON_INLINE unsigned umax(unsigned a, unsigned b) { return max(a, b); }
TENON_INLINE long long llmin(long long a, long long b) { return min(a, b); }
TENON_INLINE long long llmax(long long a, long long b) { return max(a, b); }
TENON_INLINE unsigned long long ullmin(unsigned long long a, unsigned long long b) { return min(a, b); }
TENON_INLINE unsigned long long ullmax(unsigned long long a, unsigned long long b) { return max(a, b); }

TENON_INLINE bool isnan(float x) { return __builtin_isnan(x); }
TENON_INLINE bool isnan(double x) { return __builtin_isnan(x); }
TENON_INLINE bool isinf(float x) { return __builtin_isinf(x); }
TENON_INLINE bool isinf(double x) { return __builtin_isinf(x); }
TENON_INLINE bool isfinite(float x) { return __builtin_isfinite(x); }
TENON_INLINE bool isfinite(double x) { return __builtin_isfinite(x); }
TENON_INLINE bool signbit(float x) { return __builtin_signbit(x); }
TENON_INLINE bool signbit(double x) { return __builtin_signbit(x); }
TENON_INLINE int __isnanf(float x) { return __builtin_isnan(x); }
TENON_INLINE int __isinff(float x) { return __builtin_isinf(x); }
TENON_INLINE int __finitef(float x) { return __builtin_isfinite(x); }

#include "tenon_special.h"
#include "tenon_round.h"

#endif
