// shim/tensor/tenon_ptx.h: the effects of the instructions of inline PTX, as functions. ptx/ptx.cpp writes the calls.
// Registers are unsigned integers of their size, float, double and bool; an instruction reads them as its types.
#pragma once
#include "tenon_async_copy.h"
#include "tenon_barrier.h"

extern "C" int clock_gettime(int, long*) noexcept;

namespace tenon_ptx {

template <class T, class U> struct same {
  static constexpr bool value = false;
};
template <class T> struct same<T, T> {
  static constexpr bool value = true;
};
template <class T> struct bits_of {
  typedef T type;
};
template <> struct bits_of<signed char> {
  typedef unsigned char type;
};
template <> struct bits_of<short> {
  typedef unsigned short type;
};
template <> struct bits_of<int> {
  typedef unsigned type;
};
template <> struct bits_of<long> {
  typedef unsigned long type;
};
template <> struct bits_of<long long> {
  typedef unsigned long long type;
};
template <class T> struct integer {
  static constexpr bool value = false;
};
#define TENON_PTX_INTEGER(T)            \
  template <> struct integer<T> {       \
    static constexpr bool value = true; \
  };
TENON_PTX_INTEGER(signed char)
TENON_PTX_INTEGER(unsigned char)
TENON_PTX_INTEGER(short)
TENON_PTX_INTEGER(unsigned short)
TENON_PTX_INTEGER(int)
TENON_PTX_INTEGER(unsigned)
TENON_PTX_INTEGER(long)
TENON_PTX_INTEGER(unsigned long)
TENON_PTX_INTEGER(long long)
TENON_PTX_INTEGER(unsigned long long)
#undef TENON_PTX_INTEGER
template <class T> struct twice;
template <> struct twice<short> {
  typedef int type;
};
template <> struct twice<unsigned short> {
  typedef unsigned type;
};
template <> struct twice<int> {
  typedef long long type;
};
template <> struct twice<unsigned> {
  typedef unsigned long long type;
};
template <> struct twice<long long> {
  typedef __int128 type;
};
template <> struct twice<unsigned long long> {
  typedef unsigned __int128 type;
};

template <class To, class From> TENON_INLINE To copied(const From& from) {
  static_assert(sizeof(To) == sizeof(From), "inline PTX: an operand has another size than the instruction's type");
  To to;
  __builtin_memcpy(&to, &from, sizeof to);
  return to;
}

// An operand as a register: the user's expression, converted according to its constraint.
template <class Register, class T> TENON_INLINE Register in_register(const T& value) {
  if constexpr (__is_enum(T) || integer<Register>::value && sizeof(T) < sizeof(Register) && !__is_class(T))
    return (Register)value;
  else if constexpr (same<T, bool>::value) return (Register)value;
  else return copied<Register>(value);
}
template <class T, class Register> TENON_INLINE void out_of_register(T& to, Register value) {
  if constexpr (integer<Register>::value && sizeof(T) != sizeof(Register) && !__is_class(T)) to = (T)value;
  else to = copied<T>(value);
}

// Converts between registers and values of an instruction's type. An integer register may be wider than the type: the
// upper part is ignored when reading, and filled with zeros or the sign when writing.
template <class T, class Register> TENON_INLINE T in(Register value) {
  if constexpr (same<T, Register>::value) return value;
  else if constexpr (same<T, bool>::value || same<Register, bool>::value) return (T)value;
  else if constexpr (sizeof(T) == sizeof(Register)) return copied<T>(value);
  else if constexpr (sizeof(T) == 1) return copied<T>((unsigned char)value);
  else if constexpr (sizeof(T) == 2) return copied<T>((unsigned short)value);
  else if constexpr (sizeof(T) == 4) return copied<T>((unsigned)value);
  else return copied<T>((unsigned long long)value);
}
template <class Register, class T> TENON_INLINE void out(Register& to, T value) {
  if constexpr (same<T, Register>::value) to = value;
  else if constexpr (same<T, bool>::value) to = (Register)value;
  else if constexpr (sizeof(T) == sizeof(Register)) to = copied<Register>(value);
  else if constexpr (__is_class(T)) to = (Register)copied<unsigned short>(value);
  else to = (Register)value;
}

// --- integers

#define TENON_PTX_WRAPPED(name, op)                  \
  template <class T> TENON_INLINE T name(T a, T b) { \
    if constexpr (integer<T>::value) {               \
      typedef unsigned long long U;                  \
      return (T)((U)a op(U) b);                      \
    } else {                                         \
      return a op b;                                 \
    }                                                \
  }
TENON_PTX_WRAPPED(add, +)
TENON_PTX_WRAPPED(sub, -)
TENON_PTX_WRAPPED(mul, *)
#undef TENON_PTX_WRAPPED
template <class T> TENON_INLINE typename twice<T>::type mul_wide(T a, T b) { return (typename twice<T>::type)a * b; }
template <class T> TENON_INLINE T mul_hi(T a, T b) { return (T)(mul_wide(a, b) >> (8 * sizeof(T))); }
template <class T> TENON_INLINE T div(T a, T b) {
  if (b == 0) return (T) ~(T)0;
  if ((T)~b == 0 && (T) ~(T)0 < (T)1) return sub((T)0, a);
  return (T)(a / b);
}
template <class T> TENON_INLINE T rem(T a, T b) {
  if (b == 0) return (T) ~(T)0;
  if ((T)~b == 0 && (T) ~(T)0 < (T)1) return (T)0;
  return (T)(a % b);
}
template <class T> TENON_INLINE T add_sat(T a, T b) {
  const long long sum = (long long)a + b;
  return (T)(sum > 2147483647ll ? 2147483647ll : sum < -2147483648ll ? -2147483648ll : sum);
}
template <class T> TENON_INLINE T sub_sat(T a, T b) {
  const long long sum = (long long)a - b;
  return (T)(sum > 2147483647ll ? 2147483647ll : sum < -2147483648ll ? -2147483648ll : sum);
}
template <class T> TENON_INLINE T neg(T a) { return sub((T)0, a); }
template <class T> TENON_INLINE T abs(T a) { return a < 0 ? neg(a) : a; }
template <class T> TENON_INLINE T min(T a, T b) { return b < a ? b : a; }
template <class T> TENON_INLINE T max(T a, T b) { return a < b ? b : a; }
template <class T> TENON_INLINE T sad(T a, T b, T c) { return add(c, a < b ? sub(b, a) : sub(a, b)); }

// Distances beyond the width give 0, or all bits equal to the sign.
template <class T> TENON_INLINE T shl(T a, unsigned by) {
  return by >= 8 * sizeof(T) ? (T)0 : (T)((unsigned long long)a << by);
}
template <class T> TENON_INLINE T shr(T a, unsigned by) {
  const unsigned most = 8 * sizeof(T) - 1;
  if (by > most) return (T) ~(T)0 < (T)1 ? (T)(a >> most) : (T)0;
  return (T)(a >> by);
}

// Each thread's carry, from an instruction that sets it (.cc) to the next one.
static __thread unsigned carry;
template <class T> TENON_INLINE T add_carry(T a, T b, unsigned with, bool sets) {
  typedef unsigned __int128 wide;
  typedef typename bits_of<T>::type U;
  const wide sum = (wide)(U)a + (U)b + with;
  if (sets) carry = (unsigned)(sum >> (8 * sizeof(T))) & 1;
  return (T)sum;
}
// A borrow is stored as a carry of 1.
template <class T> TENON_INLINE T sub_carry(T a, T b, unsigned with, bool sets) {
  typedef unsigned __int128 wide;
  typedef typename bits_of<T>::type U;
  const wide difference = (wide)(U)a - (U)b - with;
  if (sets) carry = (unsigned)(difference >> (8 * sizeof(T))) & 1;
  return (T)difference;
}

template <class T> TENON_INLINE unsigned popc(T a) { return (unsigned)__builtin_popcountll(a); }
template <class T> TENON_INLINE unsigned clz(T a) {
  return a ? (unsigned)__builtin_clzll(a) - (64 - 8 * (unsigned)sizeof(T)) : 8 * (unsigned)sizeof(T);
}
template <class T> TENON_INLINE T brev(T a) { return (T)(__brevll(a) >> (64 - 8 * sizeof(T))); }
TENON_INLINE unsigned bmsk(unsigned a, unsigned b, bool clamp) {
  const unsigned from = a & 31u, count = b & 31u;
  if (clamp && a > 31u) return 0;
  const unsigned above = (clamp && b > 31u) || from + count > 31u ? 0u : ~0u << (from + count);
  return count == 0 && !(clamp && b > 31u) ? 0u : (~0u << from) & ~above;
}
template <class T> TENON_INLINE unsigned bfind(T a, bool shift_amount) {
  typedef typename bits_of<T>::type U;
  const U bits = a < 0 ? (U)~a : (U)a;
  if (!bits) return ~0u;
  const unsigned left = clz(bits);
  return shift_amount ? left : 8 * (unsigned)sizeof(T) - 1 - left;
}
template <class T> TENON_INLINE T bfe(T a, unsigned position, unsigned length) {
  const unsigned width = 8 * sizeof(T), from = position & 255, count = length & 255;
  if (count == 0) return (T)0;
  const unsigned last = from + count - 1 < width - 1 ? from + count - 1 : width - 1;
  typedef typename bits_of<T>::type U;
  const bool negative = (T) ~(T)0 < (T)1 && ((U)a >> last & 1);
  U bits = from >= width ? 0 : (U)a >> from;
  if (count < width) bits &= ((U)1 << count) - 1;
  if (negative) {
    // The bits above the field become its sign.
    const unsigned kept = from > last ? 0 : last - from + 1;
    if (kept < width) bits |= (U) ~(U)0 << kept;
  }
  return (T)bits;
}
template <class T> TENON_INLINE T bfi(T a, T b, unsigned position, unsigned length) {
  const unsigned width = 8 * sizeof(T), from = position & 255, count = length & 255;
  if (count == 0 || from >= width) return b;
  const T ones = count >= width ? (T) ~(T)0 : (T)(((T)1 << count) - 1);
  const T mask = (T)(ones << from);
  return (T)((b & ~mask) | ((T)(a << from) & mask));
}
TENON_INLINE unsigned lop3(unsigned a, unsigned b, unsigned c, unsigned table) {
  unsigned out = 0;
  if (table & 0x01) out |= ~a & ~b & ~c;
  if (table & 0x02) out |= ~a & ~b & c;
  if (table & 0x04) out |= ~a & b & ~c;
  if (table & 0x08) out |= ~a & b & c;
  if (table & 0x10) out |= a & ~b & ~c;
  if (table & 0x20) out |= a & ~b & c;
  if (table & 0x40) out |= a & b & ~c;
  if (table & 0x80) out |= a & b & c;
  return out;
}

// --- floating point

template <class T> TENON_INLINE T flush(T x) {
  if constexpr (same<T, float>::value) return __builtin_fabsf(x) < __FLT_MIN__ ? __builtin_copysignf(0.f, x) : x;
  else return x;
}
template <class T> TENON_INLINE T saturate(T x) { return x > (T)0 ? (x < (T)1 ? x : (T)1) : (T)0; }  // NaN gives 0
template <class T> TENON_INLINE T least(T a, T b) { return ::fmin(a, b); }
template <class T> TENON_INLINE T greatest(T a, T b) { return ::fmax(a, b); }
template <class T> TENON_INLINE T least_or_nan(T a, T b) { return a != a ? a : b != b ? b : ::fmin(a, b); }
template <class T> TENON_INLINE T greatest_or_nan(T a, T b) { return a != a ? a : b != b ? b : ::fmax(a, b); }

// Comparisons; the unordered ones (u) also hold where one is NaN.
template <class T> TENON_INLINE bool nan(T a) { return a != a; }
#define TENON_PTX_COMPARE(name, test)                                      \
  template <class T> TENON_INLINE bool name(T a, T b) { return a test b; } \
  template <class T> TENON_INLINE bool name##u(T a, T b) { return nan(a) || nan(b) || a test b; }
TENON_PTX_COMPARE(eq, ==)
TENON_PTX_COMPARE(lt, <)
TENON_PTX_COMPARE(le, <=)
TENON_PTX_COMPARE(gt, >)
TENON_PTX_COMPARE(ge, >=)
#undef TENON_PTX_COMPARE
template <class T> TENON_INLINE bool ne(T a, T b) { return !nan(a) && !nan(b) && a != b; }
template <class T> TENON_INLINE bool neu(T a, T b) { return a != b; }
template <class T> TENON_INLINE bool num(T a, T b) { return !nan(a) && !nan(b); }

// Conversions between types.
template <class To, class From> TENON_INLINE To saturated(From x) {  // integers
  typedef __int128 wide;
  const bool is_signed = (To) ~(To)0 < (To)1;
  const wide high = is_signed ? ((wide)1 << (8 * sizeof(To) - 1)) - 1 : ((wide)1 << (8 * sizeof(To))) - 1,
             low = is_signed ? -high - 1 : 0;
  return (To)((wide)x > high ? high : (wide)x < low ? low : (wide)x);
}
// Converts a number that has been rounded to an integer: out of range gives the nearest integer of the type; NaN gives
// 0, or only the highest bit set.
template <class To, bool Highest, class From> TENON_INLINE To integer_of(From x) {
  typedef typename bits_of<To>::type U;
  const bool is_signed = (To) ~(To)0 < (To)1;
  const U top = (U)((U)1 << (8 * sizeof(To) - 1));
  const double high = (double)(1ull << (8 * sizeof(To) - 1)) * (is_signed ? 1 : 2), low = is_signed ? -high : 0;
  if (x != x) return Highest ? (To)top : (To)0;
  if ((double)x >= high) return is_signed ? (To)(U)~top : (To)(U) ~(U)0;
  if ((double)x <= low) return is_signed ? (To)top : (To)0;
  return (To)x;
}
// To TF32, to the nearest, ties away from zero.
TENON_INLINE unsigned tf32_of(float x) {
  const unsigned bits = __float_as_uint(x);
  return (bits & 0x7f800000u) == 0x7f800000u ? bits & ~0x1fffu | (bits & 0x7fffffu ? 0x400000u : 0u)
                                             : (bits + 0x1000u) & ~0x1fffu;
}

template <unsigned Bytes> struct __x : tenon_word<Bytes> {};
template <> struct __x<1> {
  typedef unsigned char type;
};

// --- memory. `Kind`: 0 plain, 1 relaxed, volatile, 2 acquire, release.

template <class T> TENON_INLINE T* global_at(unsigned long long at) { return (T*)at; }
template <class T> TENON_INLINE T* shared_at(unsigned long long at) { return (T*)__cvta_shared_to_generic(at); }

#if !TENON_PROBE
// An address of 32 bits of the cluster's shared memory: that of the own block's, or the rank of a block, plus 1, in the
// highest 8 bits, and below it the place in that block's window, plus 2^23.
TENON_INLINE void* cluster_at(unsigned long long address) {
  const unsigned at = (unsigned)address, rank = at >> 24;
  if (rank == 0 || rank > 16) return __cvta_shared_to_generic(at);
  return __cluster_map_shared_rank(__cvta_shared_to_generic((at & 0xffffffu) - 0x800000u), rank - 1);
}
TENON_INLINE unsigned of_cluster(const void* at) {
  const unsigned rank = __cluster_query_shared_rank(at);
  return ((rank + 1) << 24) + 0x800000u + (unsigned)((size_t)at - tenon_window_of(rank));
}
TENON_INLINE unsigned map_shared(unsigned long long at, unsigned rank) {
  return of_cluster(__cluster_map_shared_rank(cluster_at(at), rank));
}
template <class T> TENON_INLINE T* cluster_shared_at(unsigned long long at) { return (T*)cluster_at(at); }
#endif

template <int Kind, class T> TENON_INLINE T load(const T* at) {
  if constexpr (Kind == 0) {
    return *at;
  } else {
    typedef typename __x<sizeof(T)>::type word;
    word bits;
    {
      TENON_ATOMICALLY(at);
      bits = __atomic_load_n((const word*)at, Kind == 1 ? __ATOMIC_RELAXED : __ATOMIC_ACQUIRE);
    }
    if (Kind == 2) tenon_fence();
    return copied<T>(bits);
  }
}
template <int Kind, class T> TENON_INLINE void store(T* at, T value) {
  if constexpr (Kind == 0) {
    *at = value;
  } else {
    typedef typename __x<sizeof(T)>::type word;
    if (Kind == 2) tenon_fence();
    tenon_store_atomic((word*)at, copied<word>(value), Kind == 1 ? __ATOMIC_RELAXED : __ATOMIC_RELEASE);
  }
}
// An access to several values at once needs an address that is a multiple of their bytes.
template <unsigned Bytes> TENON_INLINE void aligned(const void* at) {
#if TENON_CHECK
  if ((size_t)at % Bytes)
    tenon_fault("inline PTX: an access of several values at an address that is not a multiple of its size", "", 0);
#endif
  (void)at;
}
template <bool Ordered, class T, class Change> TENON_INLINE T atom(T* at, Change change) {
  if (Ordered) __atomic_thread_fence(__ATOMIC_SEQ_CST), tenon_fence();
  const T old = tenon_update(at, change);
  if (Ordered) __atomic_thread_fence(__ATOMIC_SEQ_CST), tenon_fence();
  return old;
}
// Copies the first `given` of `bytes` bytes, and sets the others to 0.
TENON_INLINE void copy_async(void* to, const void* from, unsigned bytes, unsigned given) {
  if (bytes != 4 && bytes != 8 && bytes != 16) tenon_fault("cp.async copies 4, 8 or 16 bytes", "", 0);
#if TENON_CHECK
  if (((size_t)to | (size_t)from) % bytes)
    tenon_fault("cp.async with an address that is not a multiple of the number of bytes", "", 0);
#endif
  if (given > bytes) given = bytes;
  tenon_copy_now((char*)to, (const char*)from, given);
  for (unsigned i = given; i < bytes; ++i) ((char*)to)[i] = 0;
}
TENON_INLINE tenon_barrier_word* barrier_at(void* at) { return (tenon_barrier_word*)at; }
TENON_INLINE void copy_bulk(void* to, const void* from, unsigned bytes) {
  if (((size_t)to | (size_t)from | bytes) % 16)
    tenon_fault("cp.async.bulk with an address or a number of bytes that is not a multiple of 16", "", 0);
  tenon_copy_now((char*)to, (const char*)from, bytes);
}
TENON_INLINE unsigned long long arrive_expecting(tenon_barrier_word* barrier, unsigned bytes) {
  barrier->expect(bytes);
  return barrier->arrive();
}

// --- threads

TENON_INLINE unsigned warp_id() { return tenon_linear_thread() / TENON_WARP; }
TENON_INLINE unsigned warps() { return (blockDim.x * blockDim.y * blockDim.z + TENON_WARP - 1) / TENON_WARP; }
TENON_INLINE unsigned long long nanoseconds() {
  long now[2];
  clock_gettime(0, now);
  return (unsigned long long)now[0] * 1000000000ull + (unsigned long long)now[1];
}
TENON_INLINE void memory_fence() { __threadfence(); }
TENON_INLINE void block_fence() { __threadfence_block(); }
TENON_INLINE void block_barrier() { __syncthreads(); }
// Numbered barriers, each for the number of threads in the instruction (0: the whole block). The word has the number of
// arrivals, and above it the number of completed phases.
TENON_INLINE unsigned named_come(unsigned which, unsigned count) {
  if (which > 15) tenon_fault("a block has the barriers 0 to 15 (bar.sync)", "", 0);
  if (count == 0) count = blockDim.x * blockDim.y * blockDim.z;
  else if (count % TENON_WARP) tenon_fault("the number of threads at a barrier (bar.sync) is a multiple of 32", "", 0);
  tenon_fence();
  __atomic_store_n(&tenon_named[16], 1ull, __ATOMIC_RELAXED);
  const unsigned long long come = __atomic_add_fetch(&tenon_named[which], 1ull, __ATOMIC_ACQ_REL);
  if ((unsigned)come == count) __atomic_store_n(&tenon_named[which], ((come >> 32) + 1) << 32, __ATOMIC_RELEASE);
  return (unsigned)(come >> 32);
}
TENON_INLINE void named_arrive(unsigned which, unsigned count) { (void)named_come(which, count); }
TENON_INLINE void named_barrier(unsigned which, unsigned count) {
  const unsigned phase = named_come(which, count);
  while ((unsigned)(__atomic_load_n(&tenon_named[which], __ATOMIC_ACQUIRE) >> 32) == phase) tenon_give_way();
  tenon_fence();
}
TENON_INLINE void compiler_fence() { __atomic_signal_fence(__ATOMIC_SEQ_CST); }

enum shuffle_kind { up, down, bfly, idx };
TENON_INLINE unsigned shuffle(shuffle_kind kind, unsigned value, unsigned b, unsigned c, unsigned mask, bool& inside) {
  const unsigned lane = tenon_lane(), by = b & 31, bound = c & 31, segment = c >> 8 & 31;
  const int most = (int)((lane & segment) | (bound & ~segment));
  int from = (int)lane;
  if (kind == up) inside = (from = (int)lane - (int)by) >= most;
  else if (kind == down) inside = (from = (int)(lane + by)) <= most;
  else if (kind == bfly) inside = (from = (int)(lane ^ by)) <= most;
  else inside = (from = (int)((lane & segment) | (by & ~segment))) <= most;
  if (!inside) from = (int)lane;
  return (unsigned)tenon_warp_step(TENON_WARP_SHUFFLE, mask, value, (unsigned)from, TENON_WARP);
}
TENON_INLINE unsigned elected(unsigned mask, bool& leads) {
  const unsigned first = (unsigned)__builtin_ctz(mask | 0x80000000u);
  __syncwarp(mask);
  leads = tenon_lane() == first;
  return first;
}
TENON_INLINE unsigned match_all(unsigned mask, unsigned long long value, bool& all) {
  const unsigned long long result = tenon_warp_step(TENON_WARP_MATCH_ALL, mask, value, 0, TENON_WARP);
  all = result >> 32 != 0;
  return (unsigned)result;
}

}  // namespace tenon_ptx
