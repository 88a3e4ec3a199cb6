// kernel/generate/kernels/common.cuh: the CUDA C in front of generated kernels: memory access, division, number types.
//
// The user's preamble and expression come after it, so every name starts with tenon_g_ (tenon_ is reserved for
// the CPU shim), except for the types and functions that tenon/generated.h promises.
#line 1 "tenon: generated"
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
// Not assume_safety or ivdep: the compiler would assume that iterations do not share the body's temporaries in memory.
// Its run-time checks remain, and an output that is exactly an input is read through the same pointer.
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

template <class tenon_g_T, int tenon_g_N>
struct alignas(sizeof(tenon_g_T) * tenon_g_N < 16 ? sizeof(tenon_g_T) * tenon_g_N : 16) tenon_g_pack {
  tenon_g_T v[tenon_g_N];
};
template <class tenon_g_T> struct tenon_g_pack<tenon_g_T, 1> {
  tenon_g_T v[1];
};
template <class tenon_g_T, int tenon_g_N>
TENON_G_DEVICE void tenon_g_load(tenon_g_pack<tenon_g_T, tenon_g_N>& to, const tenon_g_T* from) {
  to = *reinterpret_cast<const tenon_g_pack<tenon_g_T, tenon_g_N>*>(from);
}
template <class tenon_g_T, int tenon_g_N>
TENON_G_DEVICE void tenon_g_store(tenon_g_T* to, const tenon_g_pack<tenon_g_T, tenon_g_N>& from) {
  *reinterpret_cast<tenon_g_pack<tenon_g_T, tenon_g_N>*>(to) = from;
}

// A parameter declared as a table: the elements along its first axis that belong to one element of the loop. An index
// out of range is reported as a number that grows with it, and gives 0.
template <class tenon_g_T> struct tenon_g_table {
  const tenon_g_T* from;
  long long extent, step;
  tenon_finding* bad;
  __device__ __forceinline__ tenon_g_T operator()(long long index) const {
    const long long at = index < 0 ? index + extent : index;
    if ((tenon_g_u64)at < (tenon_g_u64)extent) return from[at * step];
    const tenon_g_u64 number = (tenon_g_u64)index ^ 1ULL << 63;
    if (bad) tenon_report(bad, number < ~1ULL ? number : ~1ULL);
    return tenon_g_T();
  }
};

struct tenon_g_magic {
  unsigned int multiplier, shift;
};
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
#define TENON_G_ENDS(type, low, high)                               \
  template <> struct tenon_g_ends<type> {                           \
    static TENON_G_ENDS_DEVICE type tenon_g_low() { return low; }   \
    static TENON_G_ENDS_DEVICE type tenon_g_high() { return high; } \
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
