// shim/math/tenon_integer.h: integer intrinsics, bit casts, cached loads and stores.
#ifndef TENON_INTEGER_H
#define TENON_INTEGER_H

TENON_INLINE int __popc(unsigned x) { return __builtin_popcount(x); }
TENON_INLINE int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
TENON_INLINE int __clz(int x) { return x ? __builtin_clz((unsigned)x) : 32; }
TENON_INLINE int __clzll(long long x) { return x ? __builtin_clzll((unsigned long long)x) : 64; }
TENON_INLINE int __ffs(int x) { return __builtin_ffs(x); }
TENON_INLINE int __ffsll(long long x) { return __builtin_ffsll(x); }

TENON_INLINE unsigned __brev(unsigned x) {
  x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
  x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
  x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
  return __builtin_bswap32(x);
}
TENON_INLINE unsigned long long __brevll(unsigned long long x) {
  return (unsigned long long)__brev((unsigned)x) << 32 | __brev((unsigned)(x >> 32));
}

TENON_INLINE unsigned __byte_perm(unsigned x, unsigned y, unsigned selector) {
  const unsigned long long bytes = (unsigned long long)y << 32 | x;
  unsigned result = 0;
  for (int i = 0; i < 4; ++i) {
    unsigned choice = selector >> (4 * i), byte = (unsigned)(bytes >> (8 * (choice & 7))) & 0xff;
    if (choice & 8) byte = byte & 0x80 ? 0xff : 0;  // the sign, replicated
    result |= byte << (8 * i);
  }
  return result;
}

// Shifts the 64 bits hi:lo; the wrapping forms use the distance modulo 32, the clamping ones at most 32.
TENON_INLINE unsigned __funnelshift_l(unsigned lo, unsigned hi, unsigned by) {
  return (unsigned)((((unsigned long long)hi << 32 | lo) << (by & 31)) >> 32);
}
TENON_INLINE unsigned __funnelshift_r(unsigned lo, unsigned hi, unsigned by) {
  return (unsigned)(((unsigned long long)hi << 32 | lo) >> (by & 31));
}
TENON_INLINE unsigned __funnelshift_lc(unsigned lo, unsigned hi, unsigned by) {
  return by >= 32 ? lo : __funnelshift_l(lo, hi, by);
}
TENON_INLINE unsigned __funnelshift_rc(unsigned lo, unsigned hi, unsigned by) {
  return by >= 32 ? hi : __funnelshift_r(lo, hi, by);
}

TENON_INLINE int __mul24(int a, int b) {
  return (int)((long long)(int)((unsigned)a << 8) * (int)((unsigned)b << 8) >> 16);
}
TENON_INLINE unsigned __umul24(unsigned a, unsigned b) { return (a & 0xffffffu) * (b & 0xffffffu); }
TENON_INLINE int __mulhi(int a, int b) { return (int)((long long)a * b >> 32); }
TENON_INLINE unsigned __umulhi(unsigned a, unsigned b) { return (unsigned)((unsigned long long)a * b >> 32); }
TENON_INLINE long long __mul64hi(long long a, long long b) { return (long long)((__int128)a * b >> 64); }
TENON_INLINE unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return (unsigned long long)((unsigned __int128)a * b >> 64);
}
// Old names without underscores. They are templates, so that a user's function of the same name is preferred.
template <class T> TENON_INLINE long long mul64hi(T a, long long b) { return __mul64hi(a, b); }
template <class T> TENON_INLINE unsigned long long umul64hi(T a, unsigned long long b) { return __umul64hi(a, b); }
template <class T> TENON_INLINE int mulhi(T a, int b) { return __mulhi(a, b); }
template <class T> TENON_INLINE unsigned umulhi(T a, unsigned b) { return __umulhi(a, b); }
TENON_INLINE unsigned __sad(int a, int b, unsigned sum) {
  return sum + (a > b ? (unsigned)a - (unsigned)b : (unsigned)b - (unsigned)a);
}
TENON_INLINE unsigned __usad(unsigned a, unsigned b, unsigned sum) { return sum + (a > b ? a - b : b - a); }
TENON_INLINE int __hadd(int a, int b) { return (int)(((long long)a + b) >> 1); }
TENON_INLINE int __rhadd(int a, int b) { return (int)(((long long)a + b + 1) >> 1); }
TENON_INLINE unsigned __uhadd(unsigned a, unsigned b) { return (unsigned)(((unsigned long long)a + b) >> 1); }
TENON_INLINE unsigned __urhadd(unsigned a, unsigned b) { return (unsigned)(((unsigned long long)a + b + 1) >> 1); }

// Dot products. The sums wrap, so they are unsigned.
TENON_INLINE unsigned __dp4a(unsigned a, unsigned b, unsigned sum) {
  for (int i = 0; i < 32; i += 8) sum += (a >> i & 0xff) * (b >> i & 0xff);
  return sum;
}
TENON_INLINE int __dp4a(int a, int b, int sum) {
  unsigned wrapped = (unsigned)sum;
  for (int i = 0; i < 32; i += 8) wrapped += (unsigned)((int)(signed char)(a >> i) * (signed char)(b >> i));
  return (int)wrapped;
}
// Half words of a by bytes of b: the two lower ones or the two upper ones.
TENON_INLINE unsigned tenon_dot_halves(unsigned a, unsigned b, unsigned sum) {
  return sum + (a & 0xffff) * (b & 0xff) + (a >> 16) * (b >> 8 & 0xff);
}
TENON_INLINE int tenon_dot_halves(int a, int b, int sum) {
  return (int)((unsigned)sum + (unsigned)((short)a * (signed char)b) + (unsigned)((a >> 16) * (signed char)(b >> 8)));
}
TENON_INLINE int __dp2a_lo(int a, int b, int sum) { return tenon_dot_halves(a, b, sum); }
TENON_INLINE int __dp2a_hi(int a, int b, int sum) { return tenon_dot_halves(a, b >> 16, sum); }
TENON_INLINE unsigned __dp2a_lo(unsigned a, unsigned b, unsigned sum) { return tenon_dot_halves(a, b, sum); }
TENON_INLINE unsigned __dp2a_hi(unsigned a, unsigned b, unsigned sum) { return tenon_dot_halves(a, b >> 16, sum); }
// The same with vectors in place of words.
template <class I, class Vector> TENON_INLINE I tenon_dot_word(Vector v) {
  static_assert(sizeof(I) == sizeof v, "");
  I word;
  __builtin_memcpy(&word, &v, sizeof word);
  return word;
}
#define TENON_DOT(name, I, A, B) \
  TENON_INLINE I name(A a, B b, I sum) { return name(tenon_dot_word<I>(a), tenon_dot_word<I>(b), sum); }
TENON_DOT(__dp4a, int, char4, char4)
TENON_DOT(__dp4a, unsigned, uchar4, uchar4)
TENON_DOT(__dp2a_lo, int, short2, char4)
TENON_DOT(__dp2a_lo, unsigned, ushort2, uchar4)
TENON_DOT(__dp2a_hi, int, short2, char4)
TENON_DOT(__dp2a_hi, unsigned, ushort2, uchar4)
#undef TENON_DOT

#define TENON_BITS(name, To, From)                    \
  TENON_INLINE To name(From value) {                  \
    static_assert(sizeof(To) == sizeof(From), "");    \
    To result;                                        \
    __builtin_memcpy(&result, &value, sizeof result); \
    return result;                                    \
  }
TENON_BITS(__int_as_float, float, int)
TENON_BITS(__float_as_int, int, float)
TENON_BITS(__uint_as_float, float, unsigned)
TENON_BITS(__float_as_uint, unsigned, float)
TENON_BITS(__longlong_as_double, double, long long)
TENON_BITS(__double_as_longlong, long long, double)
#undef TENON_BITS
TENON_INLINE int __double2hiint(double x) { return (int)(__double_as_longlong(x) >> 32); }
TENON_INLINE int __double2loint(double x) { return (int)__double_as_longlong(x); }
TENON_INLINE double __hiloint2double(int hi, int lo) {
  return __longlong_as_double((long long)((unsigned long long)(unsigned)hi << 32 | (unsigned)lo));
}

#define TENON_LOAD(name) \
  template <class T> TENON_INLINE T name(const T* from) { return *from; }
TENON_LOAD(__ldg)
TENON_LOAD(__ldca)
TENON_LOAD(__ldcg)
TENON_LOAD(__ldcs)
TENON_LOAD(__ldlu)
#undef TENON_LOAD
// "Fetches again": in a loop, in each iteration.
template <class T> TENON_INLINE T __ldcv(const T* from) {
  __asm__ volatile("" : : : "memory");
  return *from;
}
template <class T> struct tenon_same {
  typedef T type;
};
#define TENON_STORE(name) \
  template <class T> TENON_INLINE void name(T* to, typename tenon_same<T>::type value) { *to = value; }
TENON_STORE(__stwb)
TENON_STORE(__stcg)
TENON_STORE(__stcs)
TENON_STORE(__stwt)
#undef TENON_STORE

#endif
