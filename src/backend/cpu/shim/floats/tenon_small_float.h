// shim/floats/tenon_small_float.h: the common parts of 16-bit floating-point types. Included by cuda_fp16.h and
// cuda_bf16.h.
//
// Arithmetic is done in float and rounded once: 24 bits are enough for the sum, product, quotient and root of two
// 11-bit (or 8-bit) numbers to be rounded as if directly. Results that need more than 24 bits use tenon_odd_float,
// which rounds once.
#ifndef TENON_SMALL_FLOAT_H
#define TENON_SMALL_FLOAT_H

template <class T> struct tenon_small;  // make(float), value(T)

// Rounding to odd: a number that is not exact becomes the neighbour whose last bit is set. That preserves all that a
// second rounding, to fewer bits and in any direction, needs. `error` has the sign of the exact number minus `nearest`.
TENON_INLINE float tenon_to_odd(float nearest, float error) {
  const unsigned bits = tenon_bits_of_float(nearest);
  const bool inexact = (error > 0 || error < 0) && !(bits & 1), away = (error > 0) == !(bits >> 31);
  return tenon_float_of(bits + (inexact ? away ? 1u : ~0u : 0u));
}
TENON_INLINE double tenon_to_odd(double nearest, double error) {
  const unsigned long long bits = (unsigned long long)__double_as_longlong(nearest);
  const bool inexact = (error > 0 || error < 0) && !(bits & 1), away = (error > 0) == !(bits >> 63);
  return __longlong_as_double((long long)(bits + (inexact ? away ? 1ull : ~0ull : 0ull)));
}
TENON_INLINE float tenon_odd_float(float x) { return x; }
TENON_INLINE float tenon_odd_float(double x) {
  const float nearest = (float)x;
  const double error = x - (double)nearest;
  return tenon_to_odd(nearest, error > 0 ? 1.0f : error < 0 ? -1.0f : 0.0f);
}
template <class I> TENON_INLINE float tenon_odd_float(I x) {
  const float nearest = (float)x;
  const __int128 error = (__int128)x - (__int128)nearest;
  return tenon_to_odd(nearest, error > 0 ? 1.0f : error < 0 ? -1.0f : 0.0f);
}
// a * b + c of numbers with at most 26 bits: the product is exact, and so is what the sum loses (Knuth).
TENON_INLINE double tenon_odd_fused(float a, float b, float c) {
  const double product = (double)a * b, addend = c, sum = product + addend, back = sum - product;
  return tenon_to_odd(sum, (product - (sum - back)) + (addend - back));
}

// Rounds towards a direction: the nearest value, then its neighbour when that lies on the wrong side.
template <class T, class Direction> TENON_INLINE T tenon_small_directed(float x) {
  T nearest = tenon_small<T>::make(x);
  const float value = tenon_small<T>::value(nearest);
  const bool up = Direction::round(0.0f, 1.0f) > 0, down = Direction::round(0.0f, -1.0f) < 0, to_zero = !up && !down;
  const bool raise = (up || (to_zero && x < 0)) && value < x, lower = (down || (to_zero && x > 0)) && value > x;
  unsigned short bits;
  __builtin_memcpy(&bits, &nearest, 2);
  if (raise) bits = (unsigned short)(value == 0 ? 1 : value > 0 ? bits + 1 : bits - 1);
  if (lower) bits = (unsigned short)(value == 0 ? 0x8001 : value > 0 ? bits - 1 : bits + 1);
  __builtin_memcpy(&nearest, &bits, 2);
  return nearest;
}

// The arithmetic of T and of its pair T2. `f(x)` is a float expression.
#define TENON_SMALL_UNARY(T, T2, name, name2, expression) \
  TENON_INLINE T name(T a) {                              \
    const float x = tenon_small<T>::value(a);             \
    return tenon_small<T>::make(expression);              \
  }                                                       \
  TENON_INLINE T2 name2(T2 a) { return T2(name(a.x), name(a.y)); }
#define TENON_SMALL_BINARY(T, T2, name, name2, expression)                  \
  TENON_INLINE T name(T a, T b) {                                           \
    const float x = tenon_small<T>::value(a), y = tenon_small<T>::value(b); \
    return tenon_small<T>::make(expression);                                \
  }                                                                         \
  TENON_INLINE T2 name2(T2 a, T2 b) { return T2(name(a.x, b.x), name(a.y, b.y)); }
#define TENON_SMALL_COMPARE(T, T2, tag, expression)                                               \
  TENON_INLINE bool __h##tag(T a, T b) {                                                          \
    const float x = tenon_small<T>::value(a), y = tenon_small<T>::value(b);                       \
    return expression;                                                                            \
  }                                                                                               \
  TENON_INLINE T2 __h##tag##2(T2 a, T2 b) {                                                       \
    return T2(tenon_small<T>::make(__h##tag(a.x, b.x) ? 1.0f : 0.0f),                             \
              tenon_small<T>::make(__h##tag(a.y, b.y) ? 1.0f : 0.0f));                            \
  }                                                                                               \
  TENON_INLINE bool __hb##tag##2(T2 a, T2 b) { return __h##tag(a.x, b.x) && __h##tag(a.y, b.y); } \
  TENON_INLINE unsigned __h##tag##2_mask(T2 a, T2 b) {                                            \
    return (__h##tag(a.x, b.x) ? 0xffffu : 0u) | (__h##tag(a.y, b.y) ? 0xffff0000u : 0u);         \
  }
#define TENON_SMALL_UNORDERED(T, T2, tag, expression) \
  TENON_SMALL_COMPARE(T, T2, tag##u, (x != x || y != y || (expression)))

// A type of 16 bits, and a pair of them. Its `name` is that in tenon_float_of_NAME and tenon_NAME_bits.
#define TENON_SMALL_TYPES(T, T2, name)                                                     \
  struct T##_raw {                                                                         \
    unsigned short x;                                                                      \
  };                                                                                       \
  struct T2##_raw {                                                                        \
    unsigned short x, y;                                                                   \
  };                                                                                       \
  struct __attribute__((aligned(2))) T {                                                   \
    unsigned short __x;                                                                    \
    T() = default;                                                                         \
    TENON_MEMBER T(float x) : __x(tenon_##name##_bits(x)) {}                               \
    TENON_MEMBER T(double x) : __x(tenon_##name##_bits(tenon_odd_float(x))) {}             \
    TENON_MEMBER T(short x) : __x(tenon_##name##_bits(tenon_odd_float(x))) {}              \
    TENON_MEMBER T(unsigned short x) : __x(tenon_##name##_bits(tenon_odd_float(x))) {}     \
    TENON_MEMBER T(int x) : __x(tenon_##name##_bits(tenon_odd_float(x))) {}                \
    TENON_MEMBER T(unsigned x) : __x(tenon_##name##_bits(tenon_odd_float(x))) {}           \
    TENON_MEMBER T(long x) : __x(tenon_##name##_bits(tenon_odd_float(x))) {}               \
    TENON_MEMBER T(unsigned long x) : __x(tenon_##name##_bits(tenon_odd_float(x))) {}      \
    TENON_MEMBER T(long long x) : __x(tenon_##name##_bits(tenon_odd_float(x))) {}          \
    TENON_MEMBER T(unsigned long long x) : __x(tenon_##name##_bits(tenon_odd_float(x))) {} \
    TENON_MEMBER T(const T##_raw& raw) : __x(raw.x) {}                                     \
    TENON_MEMBER operator float() const { return tenon_float_of_##name(__x); }             \
    TENON_MEMBER operator T##_raw() const volatile {                                       \
      T##_raw raw = {__x};                                                                 \
      return raw;                                                                          \
    }                                                                                      \
  };                                                                                       \
  struct __attribute__((aligned(4))) T2 {                                                  \
    T x, y;                                                                                \
    T2() = default;                                                                        \
    TENON_MEMBER T2(const T& a, const T& b) : x(a), y(b) {}                                \
    TENON_MEMBER T2(const T2##_raw& raw) {                                                 \
      x.__x = raw.x;                                                                       \
      y.__x = raw.y;                                                                       \
    }                                                                                      \
    TENON_MEMBER operator T2##_raw() const {                                               \
      T2##_raw raw = {x.__x, y.__x};                                                       \
      return raw;                                                                          \
    }                                                                                      \
  };                                                                                       \
  template <> struct tenon_small<T> {                                                      \
    TENON_MEMBER static T make(float x) { return T(x); }                                   \
    TENON_MEMBER static float value(T x) { return tenon_float_of_##name(x.__x); }          \
  }

#define TENON_SMALL_FLOAT(T, T2)                                                                                     \
  TENON_SMALL_BINARY(T, T2, __hadd, __hadd2, x + y)                                                                  \
  TENON_SMALL_BINARY(T, T2, __hsub, __hsub2, x - y)                                                                  \
  TENON_SMALL_BINARY(T, T2, __hmul, __hmul2, x* y)                                                                   \
  TENON_SMALL_BINARY(T, T2, __hadd_rn, __hadd2_rn, x + y)                                                            \
  TENON_SMALL_BINARY(T, T2, __hsub_rn, __hsub2_rn, x - y)                                                            \
  TENON_SMALL_BINARY(T, T2, __hmul_rn, __hmul2_rn, x* y)                                                             \
  TENON_SMALL_BINARY(T, T2, __hdiv, __h2div, x / y)                                                                  \
  TENON_SMALL_BINARY(T, T2, __hadd_sat, __hadd2_sat, __saturatef(x + y))                                             \
  TENON_SMALL_BINARY(T, T2, __hsub_sat, __hsub2_sat, __saturatef(x - y))                                             \
  TENON_SMALL_BINARY(T, T2, __hmul_sat, __hmul2_sat, __saturatef(x* y))                                              \
  TENON_SMALL_BINARY(T, T2, __hmax, __hmax2, fmaxf(x, y))                                                            \
  TENON_SMALL_BINARY(T, T2, __hmin, __hmin2, fminf(x, y))                                                            \
  TENON_SMALL_BINARY(T, T2, __hmax_nan, __hmax2_nan, x != x || y != y ? __builtin_nanf("") : fmaxf(x, y))            \
  TENON_SMALL_BINARY(T, T2, __hmin_nan, __hmin2_nan, x != x || y != y ? __builtin_nanf("") : fminf(x, y))            \
  TENON_SMALL_UNARY(T, T2, __hneg, __hneg2, -x)                                                                      \
  TENON_SMALL_UNARY(T, T2, __habs, __habs2, __builtin_fabsf(x))                                                      \
  TENON_SMALL_UNARY(T, T2, hsqrt, h2sqrt, __builtin_sqrtf(x))                                                        \
  TENON_SMALL_UNARY(T, T2, hrsqrt, h2rsqrt, rsqrtf(x))                                                               \
  TENON_SMALL_UNARY(T, T2, hrcp, h2rcp, 1.0f / x)                                                                    \
  TENON_SMALL_UNARY(T, T2, hexp, h2exp, expf(x))                                                                     \
  TENON_SMALL_UNARY(T, T2, hexp2, h2exp2, exp2f(x))                                                                  \
  TENON_SMALL_UNARY(T, T2, hexp10, h2exp10, exp10f(x))                                                               \
  TENON_SMALL_UNARY(T, T2, hlog, h2log, logf(x))                                                                     \
  TENON_SMALL_UNARY(T, T2, hlog2, h2log2, log2f(x))                                                                  \
  TENON_SMALL_UNARY(T, T2, hlog10, h2log10, log10f(x))                                                               \
  TENON_SMALL_UNARY(T, T2, hsin, h2sin, sinf(x))                                                                     \
  TENON_SMALL_UNARY(T, T2, hcos, h2cos, cosf(x))                                                                     \
  TENON_SMALL_UNARY(T, T2, htanh, h2tanh, tanhf(x))                                                                  \
  TENON_SMALL_UNARY(T, T2, htanh_approx, h2tanh_approx, tanhf(x))                                                    \
  TENON_SMALL_UNARY(T, T2, hceil, h2ceil, ceilf(x))                                                                  \
  TENON_SMALL_UNARY(T, T2, hfloor, h2floor, floorf(x))                                                               \
  TENON_SMALL_UNARY(T, T2, htrunc, h2trunc, truncf(x))                                                               \
  TENON_SMALL_UNARY(T, T2, hrint, h2rint, rintf(x))                                                                  \
  TENON_INLINE T __hfma(T a, T b, T c) {                                                                             \
    return tenon_small<T>::make(tenon_odd_float(                                                                     \
        tenon_odd_fused(tenon_small<T>::value(a), tenon_small<T>::value(b), tenon_small<T>::value(c))));             \
  }                                                                                                                  \
  TENON_INLINE T __hfma_sat(T a, T b, T c) {                                                                         \
    return tenon_small<T>::make(__saturatef(tenon_small<T>::value(__hfma(a, b, c))));                                \
  }                                                                                                                  \
  TENON_INLINE T __hfma_relu(T a, T b, T c) {                                                                        \
    const float x = tenon_small<T>::value(__hfma(a, b, c)); /* NaN stays */                                          \
    return tenon_small<T>::make(x <= 0 ? 0.0f : x);                                                                  \
  }                                                                                                                  \
  TENON_INLINE T2 __hfma2(T2 a, T2 b, T2 c) { return T2(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)); }             \
  TENON_INLINE T2 __hfma2_sat(T2 a, T2 b, T2 c) { return T2(__hfma_sat(a.x, b.x, c.x), __hfma_sat(a.y, b.y, c.y)); } \
  TENON_INLINE T2 __hfma2_relu(T2 a, T2 b, T2 c) {                                                                   \
    return T2(__hfma_relu(a.x, b.x, c.x), __hfma_relu(a.y, b.y, c.y));                                               \
  }                                                                                                                  \
  /* Complex multiply-add. */                                                                                        \
  TENON_INLINE T2 __hcmadd(T2 a, T2 b, T2 c) {                                                                       \
    return T2(__hfma(__hneg(a.y), b.y, __hfma(a.x, b.x, c.x)), __hfma(a.y, b.x, __hfma(a.x, b.y, c.y)));             \
  }                                                                                                                  \
  TENON_SMALL_COMPARE(T, T2, eq, x == y)                                                                             \
  TENON_SMALL_COMPARE(T, T2, ne, x<y || x> y)                                                                        \
  TENON_SMALL_COMPARE(T, T2, lt, x < y)                                                                              \
  TENON_SMALL_COMPARE(T, T2, le, x <= y)                                                                             \
  TENON_SMALL_COMPARE(T, T2, gt, x > y)                                                                              \
  TENON_SMALL_COMPARE(T, T2, ge, x >= y)                                                                             \
  TENON_SMALL_UNORDERED(T, T2, eq, x == y)                                                                           \
  TENON_SMALL_UNORDERED(T, T2, ne, x != y)                                                                           \
  TENON_SMALL_UNORDERED(T, T2, lt, x < y)                                                                            \
  TENON_SMALL_UNORDERED(T, T2, le, x <= y)                                                                           \
  TENON_SMALL_UNORDERED(T, T2, gt, x > y)                                                                            \
  TENON_SMALL_UNORDERED(T, T2, ge, x >= y)                                                                           \
  TENON_INLINE bool __hisnan(T a) { return __builtin_isnan(tenon_small<T>::value(a)); }                              \
  TENON_INLINE int __hisinf(T a) {                                                                                   \
    return __builtin_isinf(tenon_small<T>::value(a)) ? (tenon_small<T>::value(a) > 0 ? 1 : -1) : 0;                  \
  }                                                                                                                  \
  TENON_INLINE T2 __hisnan2(T2 a) {                                                                                  \
    return T2(tenon_small<T>::make(__hisnan(a.x) ? 1.0f : 0.0f), tenon_small<T>::make(__hisnan(a.y) ? 1.0f : 0.0f)); \
  }                                                                                                                  \
  TENON_INLINE float __low2float(T2 a) { return tenon_small<T>::value(a.x); }                                        \
  TENON_INLINE float __high2float(T2 a) { return tenon_small<T>::value(a.y); }                                       \
  TENON_INLINE T operator+(T a, T b) { return __hadd(a, b); }                                                        \
  TENON_INLINE T operator-(T a, T b) { return __hsub(a, b); }                                                        \
  TENON_INLINE T operator*(T a, T b) { return __hmul(a, b); }                                                        \
  TENON_INLINE T operator/(T a, T b) { return __hdiv(a, b); }                                                        \
  TENON_INLINE T& operator+=(T& a, T b) { return a = a + b; }                                                        \
  TENON_INLINE T& operator-=(T& a, T b) { return a = a - b; }                                                        \
  TENON_INLINE T& operator*=(T& a, T b) { return a = a * b; }                                                        \
  TENON_INLINE T& operator/=(T& a, T b) { return a = a / b; }                                                        \
  TENON_INLINE T operator+(T a) { return a; }                                                                        \
  TENON_INLINE T operator-(T a) { return __hneg(a); }                                                                \
  TENON_INLINE T& operator++(T& a) { return a = a + tenon_small<T>::make(1.0f); }                                    \
  TENON_INLINE T& operator--(T& a) { return a = a - tenon_small<T>::make(1.0f); }                                    \
  TENON_INLINE T operator++(T& a, int) {                                                                             \
    T old = a;                                                                                                       \
    ++a;                                                                                                             \
    return old;                                                                                                      \
  }                                                                                                                  \
  TENON_INLINE T operator--(T& a, int) {                                                                             \
    T old = a;                                                                                                       \
    --a;                                                                                                             \
    return old;                                                                                                      \
  }                                                                                                                  \
  TENON_INLINE bool operator==(T a, T b) { return __heq(a, b); }                                                     \
  TENON_INLINE bool operator!=(T a, T b) { return __hneu(a, b); }                                                    \
  TENON_INLINE bool operator<(T a, T b) { return __hlt(a, b); }                                                      \
  TENON_INLINE bool operator<=(T a, T b) { return __hle(a, b); }                                                     \
  TENON_INLINE bool operator>(T a, T b) { return __hgt(a, b); }                                                      \
  TENON_INLINE bool operator>=(T a, T b) { return __hge(a, b); }                                                     \
  TENON_INLINE T2 operator+(T2 a, T2 b) { return __hadd2(a, b); }                                                    \
  TENON_INLINE T2 operator-(T2 a, T2 b) { return __hsub2(a, b); }                                                    \
  TENON_INLINE T2 operator*(T2 a, T2 b) { return __hmul2(a, b); }                                                    \
  TENON_INLINE T2 operator/(T2 a, T2 b) { return __h2div(a, b); }                                                    \
  TENON_INLINE T2& operator+=(T2& a, T2 b) { return a = a + b; }                                                     \
  TENON_INLINE T2& operator-=(T2& a, T2 b) { return a = a - b; }                                                     \
  TENON_INLINE T2& operator*=(T2& a, T2 b) { return a = a * b; }                                                     \
  TENON_INLINE T2& operator/=(T2& a, T2 b) { return a = a / b; }                                                     \
  TENON_INLINE T2 operator-(T2 a) { return __hneg2(a); }                                                             \
  TENON_INLINE bool operator==(T2 a, T2 b) { return __hbeq2(a, b); }                                                 \
  TENON_INLINE bool operator!=(T2 a, T2 b) { return __hbneu2(a, b); }                                                \
  TENON_INLINE bool operator<(T2 a, T2 b) { return __hblt2(a, b); }                                                  \
  TENON_INLINE bool operator>(T2 a, T2 b) { return __hbgt2(a, b); }                                                  \
  TENON_INLINE T atomicAdd(T* at, T by) {                                                                            \
    return tenon_update(at, [=](T old) -> T { return old + by; });                                                   \
  }                                                                                                                  \
  TENON_INLINE T2 atomicAdd(T2* at, T2 by) {                                                                         \
    T2 old;                                                                                                          \
    old.x = atomicAdd(&at->x, by.x);                                                                                 \
    old.y = atomicAdd(&at->y, by.y);                                                                                 \
    return old;                                                                                                      \
  }

// Conversions between T and integers, named with `word` ("half", "bfloat16"). Narrow integers are the wider ones,
// clamped.
#define TENON_SMALL_ROUNDED(T, word, name, I, suffix, wide, clamp)        \
  TENON_INLINE I __##word##2##name##_##suffix(T x) {                      \
    return (I)clamp(__float2##wide##_##suffix(tenon_small<T>::value(x))); \
  }
#define TENON_SMALL_FROM(T, word, name, I)                                                                          \
  TENON_INLINE T __##name##2##word##_rn(I x) { return tenon_small<T>::make(tenon_odd_float(x)); }                   \
  TENON_INLINE T __##name##2##word##_rz(I x) { return tenon_small_directed<T, tenon_to_zero>(tenon_odd_float(x)); } \
  TENON_INLINE T __##name##2##word##_ru(I x) { return tenon_small_directed<T, tenon_up>(tenon_odd_float(x)); }      \
  TENON_INLINE T __##name##2##word##_rd(I x) { return tenon_small_directed<T, tenon_down>(tenon_odd_float(x)); }
#define TENON_SMALL_INTEGER(T, word, name, I, wide, clamp) \
  TENON_SMALL_ROUNDED(T, word, name, I, rz, wide, clamp)   \
  TENON_SMALL_ROUNDED(T, word, name, I, rn, wide, clamp)   \
  TENON_SMALL_ROUNDED(T, word, name, I, ru, wide, clamp)   \
  TENON_SMALL_ROUNDED(T, word, name, I, rd, wide, clamp)   \
  TENON_SMALL_FROM(T, word, name, I)
#define TENON_TO_SHORT(x) max(-32768, min(x, 32767))
#define TENON_TO_USHORT(x) min(x, 65535u)
#define TENON_TO_CHAR(x) max(-128, min(x, 127))
#define TENON_TO_UCHAR(x) min(x, 255u)
#define TENON_SMALL_INTEGERS(T, word)                                         \
  TENON_SMALL_INTEGER(T, word, int, int, int, )                               \
  TENON_SMALL_INTEGER(T, word, uint, unsigned, uint, )                        \
  TENON_SMALL_INTEGER(T, word, ll, long long, ll, )                           \
  TENON_SMALL_INTEGER(T, word, ull, unsigned long long, ull, )                \
  TENON_SMALL_INTEGER(T, word, short, short, int, TENON_TO_SHORT)             \
  TENON_SMALL_INTEGER(T, word, ushort, unsigned short, uint, TENON_TO_USHORT) \
  TENON_SMALL_ROUNDED(T, word, char, signed char, rz, int, TENON_TO_CHAR)     \
  TENON_SMALL_ROUNDED(T, word, uchar, unsigned char, rz, uint, TENON_TO_UCHAR)

#endif
