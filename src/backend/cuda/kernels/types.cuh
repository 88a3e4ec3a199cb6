// backend/cuda/kernels/types.cuh: element types and their conversions, placed before every kernel of this backend. No
// header is included.
namespace tenon {

using i8 = signed char;
using i16 = short;
using i32 = int;
using i64 = long long;
using u8 = unsigned char;
using u16 = unsigned short;
using u32 = unsigned int;
using u64 = unsigned long long;

// ---- Element types ----

struct boolean {
  u8 value;
};
struct float16 {
  u16 bits;
};
struct bfloat16 {
  u16 bits;
};
struct alignas(16) u128 {
  u64 low, high;
};
template <class T> struct alignas(2 * sizeof(T)) complex {
  using real = T;
  T re, im;
};
template <class T> struct alignas(2 * sizeof(T)) conjugated {
  using real = T;
  T re, im;
};  // is conjugated when read

__device__ inline float to_float(float16 x) {
  float y;
  asm("cvt.f32.f16 %0, %1;" : "=f"(y) : "h"(x.bits));
  return y;
}

// The arithmetic value from which C converts.
template <class T> __device__ inline T value_of(T x) { return x; }
__device__ inline u8 value_of(boolean x) { return x.value != 0; }
__device__ inline float value_of(float16 x) { return to_float(x); }
__device__ inline float value_of(bfloat16 x) { return __uint_as_float(u32(x.bits) << 16); }

// Rounds to float so that a second rounding to fewer bits is correct: towards zero, with the last bit set if anything
// was cut off.
__device__ inline float round_to_odd(float cut, bool exact) {
  return exact ? cut : __uint_as_float(__float_as_uint(cut) | 1);
}
__device__ inline float odd_float(float x) { return x; }
__device__ inline float odd_float(double x) {
  float f = __double2float_rz(x);
  return round_to_odd(f, double(f) == x);
}
__device__ inline float odd_float(i32 x) { return odd_float(double(x)); }
__device__ inline float odd_float(u32 x) { return odd_float(double(x)); }
__device__ inline float odd_float(i64 x) {
  float f = __ll2float_rz(x);
  return round_to_odd(f, x == __float2ll_rz(f));
}
__device__ inline float odd_float(u64 x) {
  float f = __ull2float_rz(x);
  return round_to_odd(f, x == __float2ull_rz(f));
}
template <class T> __device__ inline float odd_float(T x) { return float(x); }  // 8 and 16 bits: exact

template <class To> struct Make {
  template <class V> static __device__ inline To of(V x) { return To(x); }
};
template <> struct Make<boolean> {
  template <class V> static __device__ inline boolean of(V x) { return {u8(x != 0)}; }
};
template <> struct Make<float16> {
  static __device__ inline float16 of(double x) {
    float16 y;
    asm("cvt.rn.f16.f64 %0, %1;" : "=h"(y.bits) : "d"(x));
    return y;
  }
  static __device__ inline float16 of(float x) {
    float16 y;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(y.bits) : "f"(x));
    return y;
  }
  // Integers that float cannot represent exceed the largest float16 anyway.
  template <class V> static __device__ inline float16 of(V x) { return of(float(x)); }
};
template <> struct Make<bfloat16> {
  template <class V> static __device__ inline bfloat16 of(V x) {
    float f = odd_float(x);
    u32 bits = __float_as_uint(f);
    if ((bits & 0x7fffffffu) > 0x7f800000u) return {u16((bits >> 16) | 0x40)};  // NaN stays NaN
    return {u16((bits + 0x7fffu + ((bits >> 16) & 1)) >> 16)};
  }
};

template <class To, class From> struct Convert {
  static __device__ inline To of(From x) { return Make<To>::of(value_of(x)); }
};
template <class T> struct Convert<T, T> {
  static __device__ inline T of(T x) { return x; }
};
template <class R, class From> struct Convert<complex<R>, From> {
  static __device__ inline complex<R> of(From x) { return {Convert<R, From>::of(x), R(0)}; }
};
template <class To, class R> struct Convert<To, complex<R>> {
  static __device__ inline To of(complex<R> x) { return Convert<To, R>::of(x.re); }
};
template <class R> struct Convert<boolean, complex<R>> {
  static __device__ inline boolean of(complex<R> x) { return {u8(x.re != 0 || x.im != 0)}; }
};
template <class R, class S> struct Convert<complex<R>, complex<S>> {
  static __device__ inline complex<R> of(complex<S> x) { return {R(x.re), R(x.im)}; }
};
template <class R> struct Convert<complex<R>, complex<R>> {
  static __device__ inline complex<R> of(complex<R> x) { return x; }
};
template <class R> struct Convert<complex<R>, conjugated<R>> {
  static __device__ inline complex<R> of(conjugated<R> x) { return {x.re, -x.im}; }
};

enum : int { kThreads = 256 };  // per block, unless the kernel specifies another number

}  // namespace tenon
