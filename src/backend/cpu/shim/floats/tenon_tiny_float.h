// shim/floats/tenon_tiny_float.h: the common parts of floating-point types of 8 bits and less (cuda_fp8.h, cuda_fp6.h,
// cuda_fp4.h): rounding, decoding, and the classes around the codes. The formats are those of the OCP specifications
// for 8-bit floating point and for microscaling formats.
#ifndef TENON_TINY_FLOAT_H
#define TENON_TINY_FLOAT_H
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#ifndef TENON_ROUND_MODE
#define TENON_ROUND_MODE
enum cudaRoundMode { cudaRoundNearest, cudaRoundZero, cudaRoundPosInf, cudaRoundMinInf };
#endif

// The code of `size` (not negative, not NaN) in a format with an exponent of that bias and a mantissa of that many
// bits, as if its exponent had no upper limit.
template <int Mantissa, int Bias> TENON_INLINE unsigned tenon_tiny_code(float size, bool nearest) {
  constexpr int dropped = 23 - Mantissa;
  constexpr float least_normal = Bias == 15 ? 0x1p-14f : Bias == 7 ? 0x1p-6f : Bias == 3 ? 0x1p-2f : 1.0f;
  constexpr float units = (float)(1 << Mantissa) / least_normal;  // denormal numbers are multiples of 1 / units
  const unsigned bits = __float_as_uint(size), last = bits >> dropped & 1;
  const unsigned normal =
      ((bits + (nearest ? (1u << (dropped - 1)) - 1 + last : 0u)) >> dropped) - ((127u - Bias) << Mantissa);
  const float count = size < least_normal ? size * units : 0.0f, rounded = (count + 0x1p23f) - 0x1p23f;
  const unsigned denormal = (unsigned)(nearest ? rounded : count);
  return size < least_normal ? denormal : normal;
}
template <int Mantissa, int Bias> TENON_INLINE float tenon_tiny_value(unsigned code) {
  const float least_unit = Bias == 15  ? 0x1p-16f
                           : Bias == 7 ? 0x1p-9f
                           : Bias == 3 ? 0x1p-4f
                                       : (Mantissa == 3 ? 0x1p-3f : 0.5f);
  const float normal = __uint_as_float((code << (23 - Mantissa)) + ((127u - Bias) << 23));
  return code >> Mantissa ? normal : (float)(int)code * least_unit;
}
// Sign and size of a number; the size of NaN is 0 here.
struct tenon_tiny_parts {
  float size;
  unsigned sign;
  bool is_nan;
  TENON_MEMBER explicit tenon_tiny_parts(float x)
      : size(x == x ? __builtin_fabsf(x) : 0.0f), sign(__float_as_uint(x) >> 31), is_nan(x != x) {}
};

TENON_INLINE __half_raw tenon_half_raw(float x) { return (__half_raw)__half(x); }
TENON_INLINE float tenon_tiny_float(__half_raw x) { return tenon_float_of_half(x.x); }
TENON_INLINE float tenon_tiny_float(__nv_bfloat16_raw x) { return tenon_float_of_bfloat16(x.x); }

template <class I> TENON_INLINE I tenon_tiny_integer(float x);
template <> TENON_MEMBER int tenon_tiny_integer<int>(float x) { return __float2int_rz(x); }
template <> TENON_MEMBER unsigned tenon_tiny_integer<unsigned>(float x) { return __float2uint_rz(x); }
template <> TENON_MEMBER long long tenon_tiny_integer<long long>(float x) { return __float2ll_rz(x); }
template <> TENON_MEMBER unsigned long long tenon_tiny_integer<unsigned long long>(float x) {
  return __float2ull_rz(x);
}
template <> TENON_MEMBER long tenon_tiny_integer<long>(float x) { return __float2ll_rz(x); }
template <> TENON_MEMBER unsigned long tenon_tiny_integer<unsigned long>(float x) { return __float2ull_rz(x); }
template <> TENON_MEMBER short tenon_tiny_integer<short>(float x) { return (short)TENON_TO_SHORT(__float2int_rz(x)); }
template <> TENON_MEMBER unsigned short tenon_tiny_integer<unsigned short>(float x) {
  return (unsigned short)TENON_TO_USHORT(__float2uint_rz(x));
}
template <> TENON_MEMBER signed char tenon_tiny_integer<signed char>(float x) {
  return (signed char)TENON_TO_CHAR(__float2int_rz(x));
}
template <> TENON_MEMBER char tenon_tiny_integer<char>(float x) { return (char)TENON_TO_CHAR(__float2int_rz(x)); }
template <> TENON_MEMBER unsigned char tenon_tiny_integer<unsigned char>(float x) {
  return (unsigned char)TENON_TO_UCHAR(__float2uint_rz(x));
}

// The class of one number. `code(x)` makes the code of a float, a double or an integer; `value(code)` is a float.
#define TENON_TINY_TO(T, I) \
  TENON_MEMBER explicit operator I() const { return tenon_tiny_integer<I>((float)*this); }
#define TENON_TINY_FROM(T, I, code) \
  TENON_MEMBER explicit T(I x) : __x((unsigned char)code(x)) {}
#define TENON_TINY_CLASS(T, code, value, truth)                                                            \
  struct __attribute__((aligned(1))) T {                                                                   \
    unsigned char __x;                                                                                     \
    T() = default;                                                                                         \
    TENON_MEMBER explicit T(__half x) : __x((unsigned char)code(tenon_float_of_half(x.__x))) {}            \
    TENON_MEMBER explicit T(__nv_bfloat16 x) : __x((unsigned char)code(tenon_float_of_bfloat16(x.__x))) {} \
    TENON_TINY_FROM(T, float, code)                                                                        \
    TENON_TINY_FROM(T, double, code)                                                                       \
    TENON_TINY_FROM(T, short, code)                                                                        \
    TENON_TINY_FROM(T, unsigned short, code)                                                               \
    TENON_TINY_FROM(T, int, code)                                                                          \
    TENON_TINY_FROM(T, unsigned, code)                                                                     \
    TENON_TINY_FROM(T, long, code)                                                                         \
    TENON_TINY_FROM(T, unsigned long, code)                                                                \
    TENON_TINY_FROM(T, long long, code)                                                                    \
    TENON_TINY_FROM(T, unsigned long long, code)                                                           \
    TENON_MEMBER explicit operator float() const { return value(__x); }                                    \
    TENON_MEMBER explicit operator double() const { return value(__x); }                                   \
    TENON_MEMBER explicit operator __half() const { return __half(value(__x)); }                           \
    TENON_MEMBER explicit operator __nv_bfloat16() const { return __nv_bfloat16(value(__x)); }             \
    TENON_MEMBER explicit operator bool() const { return truth; }                                          \
    TENON_TINY_TO(T, char)                                                                                 \
    TENON_TINY_TO(T, signed char)                                                                          \
    TENON_TINY_TO(T, unsigned char)                                                                        \
    TENON_TINY_TO(T, short)                                                                                \
    TENON_TINY_TO(T, unsigned short)                                                                       \
    TENON_TINY_TO(T, int)                                                                                  \
    TENON_TINY_TO(T, unsigned)                                                                             \
    TENON_TINY_TO(T, long)                                                                                 \
    TENON_TINY_TO(T, unsigned long)                                                                        \
    TENON_TINY_TO(T, long long)                                                                            \
    TENON_TINY_TO(T, unsigned long long)                                                                   \
  };

// The classes of two and of four numbers, the first in the lowest bits, each in so many bits.
#define TENON_TINY_PAIR(T2, Storage, bits, code, value)                                                           \
  struct __attribute__((aligned(sizeof(Storage)))) T2 {                                                           \
    Storage __x;                                                                                                  \
    T2() = default;                                                                                               \
    template <class X> TENON_MEMBER static Storage tenon_pack(X x, X y) {                                         \
      return (Storage)(code(x) | code(y) << bits);                                                                \
    }                                                                                                             \
    TENON_MEMBER explicit T2(__half2 v) : __x(tenon_pack(__half2float(v.x), __half2float(v.y))) {}                \
    TENON_MEMBER explicit T2(__nv_bfloat162 v) : __x(tenon_pack(__bfloat162float(v.x), __bfloat162float(v.y))) {} \
    TENON_MEMBER explicit T2(float2 v) : __x(tenon_pack(v.x, v.y)) {}                                             \
    TENON_MEMBER explicit T2(double2 v) : __x(tenon_pack(v.x, v.y)) {}                                            \
    TENON_MEMBER explicit operator float2() const {                                                               \
      return make_float2(value((unsigned char)(__x & ((1u << bits) - 1))), value((unsigned char)(__x >> bits)));  \
    }                                                                                                             \
    TENON_MEMBER explicit operator __half2() const { return __float22half2_rn((float2) * this); }                 \
  };
#define TENON_TINY_FOUR(T4, T2, Storage, bits)                                                                       \
  struct __attribute__((aligned(sizeof(Storage)))) T4 {                                                              \
    Storage __x;                                                                                                     \
    T4() = default;                                                                                                  \
    TENON_MEMBER static Storage tenon_join(T2 low, T2 high) {                                                        \
      return (Storage)((unsigned)low.__x | (unsigned)high.__x << 2 * bits);                                          \
    }                                                                                                                \
    TENON_MEMBER explicit T4(__half2 low, __half2 high) : __x(tenon_join(T2(low), T2(high))) {}                      \
    TENON_MEMBER explicit T4(__nv_bfloat162 low, __nv_bfloat162 high) : __x(tenon_join(T2(low), T2(high))) {}        \
    TENON_MEMBER explicit T4(float4 v) : __x(tenon_join(T2(make_float2(v.x, v.y)), T2(make_float2(v.z, v.w)))) {}    \
    TENON_MEMBER explicit T4(double4 v) : __x(tenon_join(T2(make_double2(v.x, v.y)), T2(make_double2(v.z, v.w)))) {} \
    TENON_MEMBER explicit operator float4() const {                                                                  \
      T2 low, high;                                                                                                  \
      low.__x = (decltype(low.__x))(__x & ((1ull << 2 * bits) - 1));                                                 \
      high.__x = (decltype(high.__x))(__x >> 2 * bits);                                                              \
      const float2 a = (float2)low, b = (float2)high;                                                                \
      return make_float4(a.x, a.y, b.x, b.y);                                                                        \
    }                                                                                                                \
  };

// The conversion functions of one family; `how` are their last parameters, `given` these as arguments. encode(float or
// double, given) makes a code.
#define TENON_TINY_FUNCTIONS(family, Storage, Storage2, bits, encode, how, given)                       \
  TENON_INLINE Storage __nv_cvt_double_to_##family(double x, TENON_TINY_LIST how) {                     \
    return (Storage)encode(x, TENON_TINY_LIST given);                                                   \
  }                                                                                                     \
  TENON_INLINE Storage __nv_cvt_float_to_##family(float x, TENON_TINY_LIST how) {                       \
    return (Storage)encode(x, TENON_TINY_LIST given);                                                   \
  }                                                                                                     \
  TENON_INLINE Storage2 __nv_cvt_double2_to_##family##x2(double2 v, TENON_TINY_LIST how) {              \
    return (Storage2)(encode(v.x, TENON_TINY_LIST given) | encode(v.y, TENON_TINY_LIST given) << bits); \
  }                                                                                                     \
  TENON_INLINE Storage2 __nv_cvt_float2_to_##family##x2(float2 v, TENON_TINY_LIST how) {                \
    return (Storage2)(encode(v.x, TENON_TINY_LIST given) | encode(v.y, TENON_TINY_LIST given) << bits); \
  }                                                                                                     \
  TENON_INLINE Storage __nv_cvt_bfloat16raw_to_##family(__nv_bfloat16_raw x, TENON_TINY_LIST how) {     \
    return (Storage)encode(tenon_tiny_float(x), TENON_TINY_LIST given);                                 \
  }
#define TENON_TINY_LIST(...) __VA_ARGS__
#define TENON_TINY_HALVES(family, Storage, Storage2, bits, encode, how, given)                             \
  TENON_INLINE Storage __nv_cvt_halfraw_to_##family(__half_raw x, TENON_TINY_LIST how) {                   \
    return (Storage)encode(tenon_tiny_float(x), TENON_TINY_LIST given);                                    \
  }                                                                                                        \
  TENON_INLINE Storage2 __nv_cvt_halfraw2_to_##family##x2(__half2_raw v, TENON_TINY_LIST how) {            \
    const __half2 x(v);                                                                                    \
    return __nv_cvt_float2_to_##family##x2(__half22float2(x), TENON_TINY_LIST given);                      \
  }                                                                                                        \
  TENON_INLINE Storage2 __nv_cvt_bfloat16raw2_to_##family##x2(__nv_bfloat162_raw v, TENON_TINY_LIST how) { \
    const __nv_bfloat162 x(v);                                                                             \
    return __nv_cvt_float2_to_##family##x2(__bfloat1622float2(x), TENON_TINY_LIST given);                  \
  }
#define TENON_TINY_BACK(family, Storage, Storage2, bits, decode, Kind)                         \
  TENON_INLINE __half_raw __nv_cvt_##family##_to_halfraw(Storage x, Kind kind) {               \
    return tenon_half_raw(decode(x, kind));                                                    \
  }                                                                                            \
  TENON_INLINE __half2_raw __nv_cvt_##family##x2_to_halfraw2(Storage2 x, Kind kind) {          \
    const __half2_raw out = {tenon_half_raw(decode((unsigned)x & ((1u << bits) - 1), kind)).x, \
                             tenon_half_raw(decode((unsigned)x >> bits, kind)).x};             \
    return out;                                                                                \
  }
// All conversion functions of a family whose codes tenon_FAMILY_code makes and tenon_FAMILY_value reads.
#define TENON_TINY_FAMILY(family, bits, Kind, how, given)                                                             \
  TENON_TINY_FUNCTIONS(family, __nv_##family##_storage_t, __nv_##family##x2_storage_t, bits, tenon_##family##_code,   \
                       how, given)                                                                                    \
  TENON_TINY_HALVES(family, __nv_##family##_storage_t, __nv_##family##x2_storage_t, bits, tenon_##family##_code, how, \
                    given)                                                                                            \
  TENON_TINY_BACK(family, __nv_##family##_storage_t, __nv_##family##x2_storage_t, bits, tenon_##family##_value, Kind)

// The classes of one, two and four numbers of a format, whose codes tenon_FORMAT_of makes and tenon_FORMAT_value reads.
#define TENON_TINY_CLASSES(family, format, bits, truth)                                               \
  TENON_TINY_CLASS(__nv_##family##_##format, tenon_##format##_of, tenon_##format##_value, truth)      \
  TENON_TINY_PAIR(__nv_##family##x2_##format, __nv_##family##x2_storage_t, bits, tenon_##format##_of, \
                  tenon_##format##_value)                                                             \
  TENON_TINY_FOUR(__nv_##family##x4_##format, __nv_##family##x2_##format, __nv_##family##x4_storage_t, bits)
#endif
