// kernel/generate/kernels/half.cuh: float16 and bfloat16 for kernels that use them.
#if defined(TENON_CPU_KERNEL)
TENON_G_DEVICE float tenon_g_from_half(unsigned short bits) {
  _Float16 h;
  __builtin_memcpy(&h, &bits, 2);
  return (float)h;
}
TENON_G_DEVICE unsigned short tenon_g_to_half(float x) {
  _Float16 h = (_Float16)x;
  unsigned short bits;
  __builtin_memcpy(&bits, &h, 2);
  return bits;
}
TENON_G_DEVICE float tenon_g_from_bfloat(unsigned short bits) {
  unsigned int word = (unsigned int)bits << 16;
  float x;
  __builtin_memcpy(&x, &word, 4);
  return x;
}
TENON_G_DEVICE unsigned int tenon_g_word(float x) {
  unsigned int word;
  __builtin_memcpy(&word, &x, 4);
  return word;
}
#else
TENON_G_DEVICE float tenon_g_from_half(unsigned short bits) {
  float x;
  asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(bits));
  return x;
}
TENON_G_DEVICE unsigned short tenon_g_to_half(float x) {
  unsigned short bits;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(x));
  return bits;
}
TENON_G_DEVICE float tenon_g_from_bfloat(unsigned short bits) { return __uint_as_float((unsigned int)bits << 16); }
TENON_G_DEVICE unsigned int tenon_g_word(float x) { return __float_as_uint(x); }
#endif
TENON_G_DEVICE unsigned short tenon_g_to_bfloat(float x) {
  const unsigned int word = tenon_g_word(x);
  const unsigned int rounded = (word + 0x7fffu + (word >> 16 & 1u)) >> 16;
  return (unsigned short)((word & 0x7fffffffu) > 0x7f800000u ? word >> 16 | 0x40u : rounded);
}
#define TENON_G_SMALL_FLOAT(name, from, to)                                                         \
  struct name {                                                                                     \
    unsigned short tenon_g_bits;                                                                    \
    name() = default;                                                                               \
    __device__ __forceinline__ name(float x) : tenon_g_bits(to(x)) {}                               \
    __device__ __forceinline__ operator float() const { return from(tenon_g_bits); }                \
    __device__ __forceinline__ name& operator+=(float x) { return *this = name((float)*this + x); } \
    __device__ __forceinline__ name& operator-=(float x) { return *this = name((float)*this - x); } \
    __device__ __forceinline__ name& operator*=(float x) { return *this = name((float)*this * x); } \
    __device__ __forceinline__ name& operator/=(float x) { return *this = name((float)*this / x); } \
  };                                                                                                \
  template <> struct tenon_g_ends<name> {                                                           \
    static __device__ __forceinline__ name tenon_g_low() { return name(-INFINITY); }                \
    static __device__ __forceinline__ name tenon_g_high() { return name(INFINITY); }                \
  };
TENON_G_SMALL_FLOAT(float16, tenon_g_from_half, tenon_g_to_half)
TENON_G_SMALL_FLOAT(bfloat16, tenon_g_from_bfloat, tenon_g_to_bfloat)
