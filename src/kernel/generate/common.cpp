// kernel/generate/common.cpp: the CUDA C that stands in front of generated kernels: memory access, division, number
// types.
//
// The user's preamble and expression come after it, so every name starts with tenon_g_ (the CPU shim has tenon_ to
// itself) but for the types and functions that tenon/generated.h offers.
#include "kernel/generate/generate.hpp"

namespace tenon::generate {

const char* const kCommonText = R"tenon(#line 1 "tenon: generated"
#define TENON_G_DEVICE [[maybe_unused]] static __device__ __forceinline__
#if defined(TENON_CPU_KERNEL)
#define TENON_G_COPY __builtin_memcpy
#else
#define TENON_G_COPY memcpy
#endif
typedef unsigned long long tenon_g_u64;
#if TENON_G_WIDE
typedef long long tenon_g_offset;
typedef unsigned long long tenon_g_linear;
#else
typedef int tenon_g_offset;
typedef unsigned int tenon_g_linear;
#endif
// Never assume_safety or ivdep: temporaries of the body that stay in memory would be taken for private ones. The compiler's own
// checks stand, and an output that is exactly an input is read through the same pointer.
#if defined(__clang__) && defined(TENON_CPU_KERNEL)
#pragma clang diagnostic ignored "-Wpass-failed"
#define TENON_G_VECTORIZE _Pragma("clang loop vectorize(enable)")
#else
#define TENON_G_VECTORIZE
#endif
#ifndef INFINITY
#if defined(TENON_CPU_KERNEL)
#define INFINITY __builtin_inff()
#else
#define INFINITY __int_as_float(0x7f800000)
#endif
#endif
#ifndef NAN
#if defined(TENON_CPU_KERNEL)
#define NAN __builtin_nanf("")
#else
#define NAN __int_as_float(0x7fffffff)
#endif
#endif

template <class tenon_g_T, int tenon_g_N> struct alignas(sizeof(tenon_g_T) * tenon_g_N < 16 ? sizeof(tenon_g_T) * tenon_g_N : 16) tenon_g_pack { tenon_g_T v[tenon_g_N]; };
template <class tenon_g_T> struct tenon_g_pack<tenon_g_T, 1> { tenon_g_T v[1]; };
template <class tenon_g_T, int tenon_g_N> TENON_G_DEVICE void tenon_g_load(tenon_g_pack<tenon_g_T, tenon_g_N>& to, const tenon_g_T* from) {
  to = *reinterpret_cast<const tenon_g_pack<tenon_g_T, tenon_g_N>*>(from);
}
template <class tenon_g_T, int tenon_g_N> TENON_G_DEVICE void tenon_g_store(tenon_g_T* to, const tenon_g_pack<tenon_g_T, tenon_g_N>& from) {
  *reinterpret_cast<tenon_g_pack<tenon_g_T, tenon_g_N>*>(to) = from;
}

struct tenon_g_magic { unsigned int multiplier, shift; };
TENON_G_DEVICE tenon_g_linear tenon_g_divide(tenon_g_linear n, long long by, tenon_g_magic magic) {
#if TENON_G_WIDE
  (void)magic;
  return n / (tenon_g_linear)by;
#else
  (void)by;
  return (__umulhi(n, magic.multiplier) + n) >> magic.shift;
#endif
}

template <class tenon_g_T> struct tenon_g_ends;
#define TENON_G_ENDS(type, low, high)                                  \
  template <> struct tenon_g_ends<type> {                              \
    static TENON_G_ENDS_DEVICE type tenon_g_low() { return low; }        \
    static TENON_G_ENDS_DEVICE type tenon_g_high() { return high; }      \
  };
#define TENON_G_ENDS_DEVICE __device__ __forceinline__
TENON_G_ENDS(bool, false, true)
TENON_G_ENDS(signed char, -128, 127)
TENON_G_ENDS(short, -32768, 32767)
TENON_G_ENDS(int, -2147483647 - 1, 2147483647)
TENON_G_ENDS(long long, -9223372036854775807LL - 1, 9223372036854775807LL)
TENON_G_ENDS(unsigned char, 0, 255)
TENON_G_ENDS(unsigned short, 0, 65535)
TENON_G_ENDS(unsigned int, 0, 4294967295u)
TENON_G_ENDS(unsigned long long, 0, 18446744073709551615ULL)
TENON_G_ENDS(float, -INFINITY, INFINITY)
TENON_G_ENDS(double, -INFINITY, INFINITY)
template <class tenon_g_T> TENON_G_DEVICE tenon_g_T lowest() { return tenon_g_ends<tenon_g_T>::tenon_g_low(); }
template <class tenon_g_T> TENON_G_DEVICE tenon_g_T highest() { return tenon_g_ends<tenon_g_T>::tenon_g_high(); }
)tenon";

const char* const kHalfText = R"tenon(
#if defined(TENON_CPU_KERNEL)
TENON_G_DEVICE float tenon_g_from_half(unsigned short bits) { _Float16 h; __builtin_memcpy(&h, &bits, 2); return (float)h; }
TENON_G_DEVICE unsigned short tenon_g_to_half(float x) { _Float16 h = (_Float16)x; unsigned short bits; __builtin_memcpy(&bits, &h, 2); return bits; }
TENON_G_DEVICE float tenon_g_from_bfloat(unsigned short bits) { unsigned int word = (unsigned int)bits << 16; float x; __builtin_memcpy(&x, &word, 4); return x; }
TENON_G_DEVICE unsigned int tenon_g_word(float x) { unsigned int word; __builtin_memcpy(&word, &x, 4); return word; }
#else
TENON_G_DEVICE float tenon_g_from_half(unsigned short bits) { float x; asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(bits)); return x; }
TENON_G_DEVICE unsigned short tenon_g_to_half(float x) { unsigned short bits; asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(x)); return bits; }
TENON_G_DEVICE float tenon_g_from_bfloat(unsigned short bits) { return __uint_as_float((unsigned int)bits << 16); }
TENON_G_DEVICE unsigned int tenon_g_word(float x) { return __float_as_uint(x); }
#endif
TENON_G_DEVICE unsigned short tenon_g_to_bfloat(float x) {
  const unsigned int word = tenon_g_word(x);
  const unsigned int rounded = (word + 0x7fffu + (word >> 16 & 1u)) >> 16;
  return (unsigned short)((word & 0x7fffffffu) > 0x7f800000u ? word >> 16 | 0x40u : rounded);
}
#define TENON_G_SMALL_FLOAT(name, from, to)                                                                       \
  struct name {                                                                                                 \
    unsigned short tenon_g_bits;                                                                                  \
    name() = default;                                                                                           \
    __device__ __forceinline__ name(float x) : tenon_g_bits(to(x)) {}                                             \
    __device__ __forceinline__ operator float() const { return from(tenon_g_bits); }                              \
    __device__ __forceinline__ name& operator+=(float x) { return *this = name((float)*this + x); }             \
    __device__ __forceinline__ name& operator-=(float x) { return *this = name((float)*this - x); }             \
    __device__ __forceinline__ name& operator*=(float x) { return *this = name((float)*this * x); }             \
    __device__ __forceinline__ name& operator/=(float x) { return *this = name((float)*this / x); }             \
  };                                                                                                            \
  template <> struct tenon_g_ends<name> {                                                                         \
    static __device__ __forceinline__ name tenon_g_low() { return name(-INFINITY); }                              \
    static __device__ __forceinline__ name tenon_g_high() { return name(INFINITY); }                              \
  };
TENON_G_SMALL_FLOAT(float16, tenon_g_from_half, tenon_g_to_half)
TENON_G_SMALL_FLOAT(bfloat16, tenon_g_from_bfloat, tenon_g_to_bfloat)
)tenon";

}  // namespace tenon::generate
