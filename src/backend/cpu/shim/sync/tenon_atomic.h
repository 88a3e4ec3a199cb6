// shim/sync/tenon_atomic.h: atomic functions for CUDA's types. They do not order other accesses (fences do). The _block
// forms are plain accesses, because all threads of a block run on one host thread, except where a thread may be
// suspended at any point (TENON_SPINS).
#ifndef TENON_ATOMIC_H
#define TENON_ATOMIC_H

// The unsigned integer of T's size, in which values are compared and exchanged.
template <unsigned Bytes> struct tenon_word;
template <> struct tenon_word<2> {
  typedef unsigned short type;
};
template <> struct tenon_word<4> {
  typedef unsigned type;
};
template <> struct tenon_word<8> {
  typedef unsigned long long type;
};

// Whether only threads of this block can access the memory: it is __shared__, and the launch has no clusters. They run
// on one host thread, so that plain accesses are atomic for them, except where a thread may be suspended at any point.
#if TENON_CHECK || TENON_SPINS
TENON_INLINE bool tenon_alone(const void*) { return false; }
#else
TENON_STATE __thread tenon_extent tenon_block_memory;
TENON_INLINE bool tenon_alone(const void* at) {
  return (size_t)at - tenon_block_memory.first < tenon_block_memory.last - tenon_block_memory.first;
}
#endif

// *at = change(*at); returns the old value.
template <class T, class Change> TENON_INLINE T tenon_update(T* at, Change change) {
  TENON_ATOMICALLY(at);
  typedef typename tenon_word<sizeof(T)>::type word;
  word before = __atomic_load_n((word*)at, __ATOMIC_RELAXED), after;
  T old;
  do {
    __builtin_memcpy(&old, &before, sizeof old);
    T fresh = change(old);
    __builtin_memcpy(&after, &fresh, sizeof after);
  } while (!__atomic_compare_exchange_n((word*)at, &before, after, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
  return old;
}
template <class T, class Change> TENON_INLINE T tenon_update_alone(T* at, Change change) {
#if TENON_SPINS
  return tenon_update(at, change);
#endif
#if TENON_PROBE == 3
  tenon_probe_refuse();  // the optimiser would remove an addition of 0
#endif
  TENON_ATOMICALLY(at);
  T old = *at;
  *at = change(old);
  return old;
}

// `fast` is an expression over p and v for the whole-device and system forms; `change` one over o (old) and v.
#define TENON_ATOMIC(name, T, fast, change)                         \
  TENON_INLINE T name##_block(T* p, T v) {                          \
    return tenon_update_alone(p, [=](T o) -> T { return change; }); \
  }                                                                 \
  TENON_INLINE T name(T* p, T v) {                                  \
    if (tenon_alone(p)) return name##_block(p, v);                  \
    TENON_ATOMICALLY(p);                                            \
    return fast;                                                    \
  }                                                                 \
  TENON_INLINE T name##_system(T* p, T v) { return name(p, v); }
#define TENON_BY_LOOP(change_type, change) tenon_update(p, [=](change_type o) -> change_type { return change; })

#define TENON_ADD(T)                                                     \
  TENON_ATOMIC(atomicAdd, T, __atomic_fetch_add(p, v, __ATOMIC_RELAXED), \
               (T)((unsigned long long)o + (unsigned long long)v))
TENON_ADD(int)
TENON_ADD(unsigned)
TENON_ADD(unsigned long long)
#undef TENON_ADD
TENON_ATOMIC(atomicAdd, float, TENON_BY_LOOP(float, o + v), o + v)
TENON_ATOMIC(atomicAdd, double, TENON_BY_LOOP(double, o + v), o + v)

#define TENON_SUB(T) \
  TENON_ATOMIC(atomicSub, T, __atomic_fetch_sub(p, v, __ATOMIC_RELAXED), (T)((unsigned)o - (unsigned)v))
TENON_SUB(int)
TENON_SUB(unsigned)
#undef TENON_SUB

#define TENON_EXCH(T) TENON_ATOMIC(atomicExch, T, __atomic_exchange_n(p, v, __ATOMIC_RELAXED), v)
TENON_EXCH(int)
TENON_EXCH(unsigned)
TENON_EXCH(unsigned long long)
#undef TENON_EXCH
TENON_ATOMIC(atomicExch, float, TENON_BY_LOOP(float, ((void)o, v)), ((void)o, v))

#define TENON_EXTREME(T)                                                     \
  TENON_ATOMIC(atomicMin, T, TENON_BY_LOOP(T, o < v ? o : v), o < v ? o : v) \
  TENON_ATOMIC(atomicMax, T, TENON_BY_LOOP(T, o > v ? o : v), o > v ? o : v)
TENON_EXTREME(int)
TENON_EXTREME(unsigned)
TENON_EXTREME(long long)
TENON_EXTREME(unsigned long long)
#undef TENON_EXTREME

#define TENON_BITWISE(T)                                                             \
  TENON_ATOMIC(atomicAnd, T, __atomic_fetch_and(p, v, __ATOMIC_RELAXED), (T)(o & v)) \
  TENON_ATOMIC(atomicOr, T, __atomic_fetch_or(p, v, __ATOMIC_RELAXED), (T)(o | v))   \
  TENON_ATOMIC(atomicXor, T, __atomic_fetch_xor(p, v, __ATOMIC_RELAXED), (T)(o ^ v))
TENON_BITWISE(int)
TENON_BITWISE(unsigned)
TENON_BITWISE(unsigned long long)
#undef TENON_BITWISE

TENON_ATOMIC(atomicInc, unsigned, TENON_BY_LOOP(unsigned, o >= v ? 0 : o + 1), o >= v ? 0 : o + 1)
TENON_ATOMIC(atomicDec, unsigned, TENON_BY_LOOP(unsigned, o == 0 || o > v ? v : o - 1), o == 0 || o > v ? v : o - 1)

#define TENON_CAS(T)                                                                         \
  TENON_INLINE T atomicCAS_block(T* p, T expected, T v) {                                    \
    return tenon_update_alone(p, [=](T old) -> T { return old == expected ? v : old; });     \
  }                                                                                          \
  TENON_INLINE T atomicCAS(T* p, T expected, T v) {                                          \
    if (tenon_alone(p)) return atomicCAS_block(p, expected, v);                              \
    TENON_ATOMICALLY(p);                                                                     \
    __atomic_compare_exchange_n(p, &expected, v, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED); \
    return expected;                                                                         \
  }                                                                                          \
  TENON_INLINE T atomicCAS_system(T* p, T expected, T v) { return atomicCAS(p, expected, v); }
TENON_CAS(unsigned short)
TENON_CAS(int)
TENON_CAS(unsigned)
TENON_CAS(unsigned long long)
#undef TENON_CAS

template <class T> TENON_INLINE void tenon_store_atomic(T* p, T value, int order) {
  TENON_ATOMICALLY(p);
  __atomic_store_n(p, value, order);
}

#endif
