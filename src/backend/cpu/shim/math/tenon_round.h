// shim/math/tenon_round.h: arithmetic with a rounding direction, conversions, and the fast variants of functions.
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
// A direction says how a result that was rounded to nearest is corrected (`error` has the sign of the exact result
// minus it), and its code in MXCSR, the processor's control register.
struct tenon_up {
  static constexpr unsigned code = 0x4000;
  template <class T> static T round(T nearest, T error) { return error > 0 ? tenon_neighbour(nearest, 1) : nearest; }
};
struct tenon_down {
  static constexpr unsigned code = 0x2000;
  template <class T> static T round(T nearest, T error) { return error < 0 ? tenon_neighbour(nearest, -1) : nearest; }
};
struct tenon_to_zero {
  static constexpr unsigned code = 0x6000;
  template <class T> static T round(T nearest, T error) {
    return nearest > 0 ? tenon_down::round(nearest, error) : nearest < 0 ? tenon_up::round(nearest, error) : nearest;
  }
};
struct tenon_nearest {
  template <class T> static T round(T nearest, T) { return nearest; }
};

// Arithmetic with a direction is the processor's own: overflow, underflow and the signs of zero are right by
// definition. The control register changes for one instruction, inside one statement, so that the compiler cannot move
// other arithmetic in between.
struct tenon_control {
  unsigned usual, directed;
  TENON_MEMBER explicit tenon_control(unsigned code) {
    __asm__("stmxcsr %0" : "=m"(usual));
    directed = (usual & ~0x6000u) | code;
  }
};
// %0 is the first operand and then the result, %1 the last operand.
#if defined(__AVX__)
#define TENON_DIRECTED_TEXT(name) "v" name " %1, %0, %0"
#else
#define TENON_DIRECTED_TEXT(name) name " %1, %0"
#endif
#define TENON_DIRECTED_STEP(name, T, S, letters)                           \
  template <class D> TENON_INLINE T tenon_##name(T x, S y) {               \
    const tenon_control control(D::code);                                  \
    __asm__("ldmxcsr %2\n\t" TENON_DIRECTED_TEXT(letters) "\n\tldmxcsr %3" \
            : "+x"(x)                                                      \
            : "x"(y), "m"(control.directed), "m"(control.usual));          \
    return x;                                                              \
  }
#define TENON_DIRECTED_STEPS(name, letters)             \
  TENON_DIRECTED_STEP(name, float, float, letters "ss") \
  TENON_DIRECTED_STEP(name, double, double, letters "sd")
TENON_DIRECTED_STEPS(add, "add")
TENON_DIRECTED_STEPS(subtract, "sub")
TENON_DIRECTED_STEPS(multiply, "mul")
TENON_DIRECTED_STEPS(divide, "div")
TENON_DIRECTED_STEPS(root_into, "sqrt")
TENON_DIRECTED_STEP(narrow_into, float, double, "cvtsd2ss")
#undef TENON_DIRECTED_STEPS
#undef TENON_DIRECTED_STEP
#undef TENON_DIRECTED_TEXT
template <class D, class T> TENON_INLINE T tenon_square_root(T x) { return tenon_root_into<D>(x, x); }

#if defined(__FMA__)
#define TENON_DIRECTED_FMA(T, letters, libm)                              \
  template <class D> TENON_INLINE T tenon_multiply_add(T x, T y, T z) {   \
    const tenon_control control(D::code);                                 \
    __asm__("ldmxcsr %3\n\tvfmadd213" letters " %2, %1, %0\n\tldmxcsr %4" \
            : "+x"(x)                                                     \
            : "x"(y), "x"(z), "m"(control.directed), "m"(control.usual)); \
    return x;                                                             \
  }
#else
// libm's functions obey the control register. They are called under names that the compiler does not know, each in a
// function of its own.
#define TENON_DIRECTED_FMA(T, letters, libm)                                                        \
  extern "C" T tenon_libm_##libm(T, T, T) noexcept __asm__(#libm);                                  \
  template <class D> static __attribute__((noinline, unused)) T tenon_multiply_add(T x, T y, T z) { \
    const tenon_control control(D::code);                                                           \
    __asm__ volatile("ldmxcsr %3" : "+x"(x), "+x"(y), "+x"(z) : "m"(control.directed) : "memory");  \
    T result = tenon_libm_##libm(x, y, z);                                                          \
    __asm__ volatile("ldmxcsr %1" : "+x"(result) : "m"(control.usual) : "memory");                  \
    return result;                                                                                  \
  }
#endif
TENON_DIRECTED_FMA(float, "ss", fmaf)
TENON_DIRECTED_FMA(double, "sd", fma)
#undef TENON_DIRECTED_FMA

#define TENON_DIRECTED(suffix, D)                                                                               \
  TENON_INLINE float __fadd_##suffix(float a, float b) { return tenon_add<D>(a, b); }                           \
  TENON_INLINE float __fsub_##suffix(float a, float b) { return tenon_subtract<D>(a, b); }                      \
  TENON_INLINE float __fmul_##suffix(float a, float b) { return tenon_multiply<D>(a, b); }                      \
  TENON_INLINE float __fdiv_##suffix(float a, float b) { return tenon_divide<D>(a, b); }                        \
  TENON_INLINE float __frcp_##suffix(float a) { return tenon_divide<D>(1.0f, a); }                              \
  TENON_INLINE float __fsqrt_##suffix(float a) { return tenon_square_root<D>(a); }                              \
  TENON_INLINE float __fmaf_##suffix(float a, float b, float c) { return tenon_multiply_add<D>(a, b, c); }      \
  TENON_INLINE float __fmaf_ieee_##suffix(float a, float b, float c) { return tenon_multiply_add<D>(a, b, c); } \
  TENON_INLINE double __dadd_##suffix(double a, double b) { return tenon_add<D>(a, b); }                        \
  TENON_INLINE double __dsub_##suffix(double a, double b) { return tenon_subtract<D>(a, b); }                   \
  TENON_INLINE double __dmul_##suffix(double a, double b) { return tenon_multiply<D>(a, b); }                   \
  TENON_INLINE double __ddiv_##suffix(double a, double b) { return tenon_divide<D>(a, b); }                     \
  TENON_INLINE double __drcp_##suffix(double a) { return tenon_divide<D>(1.0, a); }                             \
  TENON_INLINE double __dsqrt_##suffix(double a) { return tenon_square_root<D>(a); }                            \
  TENON_INLINE double __fma_##suffix(double a, double b, double c) { return tenon_multiply_add<D>(a, b, c); }   \
  TENON_INLINE float __double2float_##suffix(double x) { return tenon_narrow_into<D>(0.0f, x); }
TENON_DIRECTED(rz, tenon_to_zero)
TENON_DIRECTED(ru, tenon_up)
TENON_DIRECTED(rd, tenon_down)
#undef TENON_DIRECTED

// Keeps the compiler from contracting a value with the operation that computed it: the value passes through a register
// whose contents the compiler cannot know.
template <class T> TENON_INLINE T tenon_kept(T x) {
  __asm__("" : "+x"(x));
  return x;
}

// Rounding to nearest: the plain operations, protected from contraction. (For clang there is a pragma, which does not
// prevent vectorisation.)
#if defined(__clang__)
#define TENON_ALONE(name, T, operation) \
  TENON_INLINE T name(T a, T b) { _Pragma("clang fp contract(off)") return operation; }
#else
#define TENON_ALONE(name, T, operation) \
  TENON_INLINE T name(T a, T b) { return tenon_kept(operation); }
#endif
TENON_ALONE(__fadd_rn, float, a + b)
TENON_ALONE(__fsub_rn, float, a - b)
TENON_ALONE(__fmul_rn, float, a* b)
TENON_ALONE(__dadd_rn, double, a + b)
TENON_ALONE(__dsub_rn, double, a - b)
TENON_ALONE(__dmul_rn, double, a* b)
#undef TENON_ALONE
// With fast math, visible divisors become reciprocals.
#if TENON_FAST_MATH
template <class T> TENON_INLINE T tenon_divisor(T b) { return tenon_kept(b); }
#else
template <class T> TENON_INLINE T tenon_divisor(T b) { return b; }
#endif
TENON_INLINE float __fdiv_rn(float a, float b) { return a / tenon_divisor(b); }
TENON_INLINE float __frcp_rn(float a) { return 1.0f / tenon_divisor(a); }
TENON_INLINE float __fsqrt_rn(float a) { return __builtin_sqrtf(a); }
TENON_INLINE float __frsqrt_rn(float a) { return (float)(1.0 / tenon_divisor(__builtin_sqrt((double)a))); }
TENON_INLINE float __fmaf_rn(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
TENON_INLINE float __fmaf_ieee_rn(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
TENON_INLINE double __ddiv_rn(double a, double b) { return a / tenon_divisor(b); }
TENON_INLINE double __drcp_rn(double a) { return 1.0 / tenon_divisor(a); }
TENON_INLINE double __dsqrt_rn(double a) { return __builtin_sqrt(a); }
TENON_INLINE double __fma_rn(double a, double b, double c) { return __builtin_fma(a, b, c); }
TENON_INLINE float __double2float_rn(double x) { return (float)x; }

// Floating point to integer, as PTX's cvt: out of range gives the nearest integer of the type. NaN gives only
// the highest bit set if one of the two types has 64 bits, and 0 otherwise.
template <class I, class F> TENON_INLINE I tenon_clamped(F x, F below_lowest, F beyond_highest, I lowest, I highest) {
  const I strange = sizeof(F) == 8 || sizeof(I) == 8 ? (I)(1ull << (8 * sizeof(I) - 1)) : (I)0;
  return x >= beyond_highest ? highest : x <= below_lowest ? lowest : x == x ? (I)x : strange;
}
#define TENON_TO_INTEGER(from, F, to, I, low, high, lowest, highest)                                                  \
  TENON_INLINE I __##from##2##to##_rz(F x) { return tenon_clamped<I>(x, (F)low, (F)high, lowest, highest); }          \
  TENON_INLINE I __##from##2##to##_rn(F x) { return tenon_clamped<I>((F)rint(x), (F)low, (F)high, lowest, highest); } \
  TENON_INLINE I __##from##2##to##_ru(F x) { return tenon_clamped<I>((F)ceil(x), (F)low, (F)high, lowest, highest); } \
  TENON_INLINE I __##from##2##to##_rd(F x) { return tenon_clamped<I>((F)floor(x), (F)low, (F)high, lowest, highest); }
#define TENON_TO_INTEGERS(from, F)                                                                                    \
  TENON_TO_INTEGER(from, F, int, int, -2147483648.0, 2147483648.0, -2147483647 - 1, 2147483647)                       \
  TENON_TO_INTEGER(from, F, uint, unsigned, 0.0, 4294967296.0, 0u, 0xffffffffu)                                       \
  TENON_TO_INTEGER(from, F, ll, long long, -9223372036854775808.0, 9223372036854775808.0, -9223372036854775807LL - 1, \
                   9223372036854775807LL)                                                                             \
  TENON_TO_INTEGER(from, F, ull, unsigned long long, 0.0, 18446744073709551616.0, 0ull, 0xffffffffffffffffull)
TENON_TO_INTEGERS(float, float)
TENON_TO_INTEGERS(double, double)
#undef TENON_TO_INTEGERS
#undef TENON_TO_INTEGER
#define TENON_WHOLE(name, I, F, to, rounding) \
  TENON_INLINE I name(F x) { return to((F)rounding(x)); }
#define TENON_WHOLES(name, I)                                \
  TENON_WHOLE(name##rint, I, double, __double2ll_rz, rint)   \
  TENON_WHOLE(name##rint, I, float, __float2ll_rz, rint)     \
  TENON_WHOLE(name##rintf, I, float, __float2ll_rz, rint)    \
  TENON_WHOLE(name##round, I, double, __double2ll_rz, round) \
  TENON_WHOLE(name##round, I, float, __float2ll_rz, round)   \
  TENON_WHOLE(name##roundf, I, float, __float2ll_rz, round)
TENON_WHOLES(l, long)
TENON_WHOLES(ll, long long)
#undef TENON_WHOLES
#undef TENON_WHOLE

// Integer to floating point. The rounding error is computed in integers.
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
TENON_FROM_INTEGER(int, int, float, float)
TENON_FROM_INTEGER(uint, unsigned, float, float)
TENON_FROM_INTEGER(ll, long long, float, float)
TENON_FROM_INTEGER(ull, unsigned long long, float, float)
TENON_FROM_INTEGER(ll, long long, double, double)
TENON_FROM_INTEGER(ull, unsigned long long, double, double)
TENON_INLINE double __int2double_rn(int x) { return x; }
TENON_INLINE double __uint2double_rn(unsigned x) { return x; }
#undef TENON_FROM_INTEGER

// CUDA's faster, less accurate functions: here they are as accurate as the others.
TENON_INLINE float __fdividef(float a, float b) { return a / b; }
TENON_INLINE float fdividef(float a, float b) { return a / b; }
TENON_INLINE float fdivide(float a, float b) { return a / b; }
TENON_INLINE double fdivide(double a, double b) { return a / b; }
TENON_INLINE float __saturatef(float x) { return x >= 1.0f ? 1.0f : x > 0.0f ? x : 0.0f; }
template <class T> TENON_INLINE float saturate(T x) {
  return __saturatef(x);
}  // a template: a user's function of that name is preferred
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
