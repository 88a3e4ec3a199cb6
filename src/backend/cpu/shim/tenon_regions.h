// shim/tenon_regions.h: macros and functions for kernels whose threads run in loops from barrier to barrier
// (text/regions.cpp).
//
// Such a kernel is called once per block. Between two barriers a loop runs all threads, one after the other. All of
// them are at the same place in the text, so they need no stacks of their own, and the compiler may run several at once
// where the difference is unobservable. A variable whose lifetime spans a barrier is an array with an element per
// thread.
#ifndef TENON_REGIONS_H
#define TENON_REGIONS_H

#define TENON_REGION_THREADS 1024
#define TENON_REGION_BYTES 256  // the size of a thread's variable: larger ones are better kept on a fiber's stack
#define TENON_CLOSURE_BYTES 64

#define TENON_REGIONS                                                                 \
  const unsigned tenon_nx = blockDim.x, tenon_ny = blockDim.y, tenon_nz = blockDim.z; \
  const unsigned tenon_threads = tenon_nx * tenon_ny * tenon_nz;                      \
  if (tenon_threads - 1 >= TENON_REGION_THREADS || tenon_nx - 1 >= TENON_REGION_THREADS) __builtin_unreachable();
#if TENON_REVERSE
#define TENON_EACH_THREAD                             \
  for (unsigned tenon_z = tenon_nz; tenon_z-- > 0;)   \
    for (unsigned tenon_y = tenon_ny; tenon_y-- > 0;) \
      for (unsigned tenon_x = tenon_nx; tenon_x-- > 0;)
#else
#define TENON_EACH_THREAD                                     \
  for (unsigned tenon_z = 0; tenon_z < tenon_nz; ++tenon_z)   \
    for (unsigned tenon_y = 0; tenon_y < tenon_ny; ++tenon_y) \
      for (unsigned tenon_x = 0; tenon_x < tenon_nx; ++tenon_x)
#endif
// The kernel's text uses its own threadIdx; functions that it calls use the global one.
#define TENON_AT_THREAD                                                                    \
  tenon_be_thread(tenon_x, tenon_y, tenon_z);                                              \
  const uint3 threadIdx = {tenon_x, tenon_y, tenon_z};                                     \
  const size_t tenon_lane = (size_t)((tenon_z * tenon_ny + tenon_y) * tenon_nx) + tenon_x; \
  (void)threadIdx, (void)tenon_lane;

#if !TENON_PROBE
TENON_INLINE void tenon_be_thread(unsigned x, unsigned y, unsigned z) {
  threadIdx.x = x;
  threadIdx.y = y;
  threadIdx.z = z;
}
#endif

template <class T> struct tenon_without_const {
  typedef T type;
};
template <class T> struct tenon_without_const<const T> {
  typedef T type;
};
template <class T, size_t N> struct tenon_without_const<T[N]> {
  typedef typename tenon_without_const<T>::type type[N];
};
template <class T, size_t N> struct tenon_without_const<const T[N]> {
  typedef typename tenon_without_const<T>::type type[N];
};
template <class T> struct tenon_without_const<T&> {
  typedef typename tenon_without_const<T>::type type;
};
template <class T> struct tenon_without_const<T&&> {
  typedef typename tenon_without_const<T>::type type;
};
template <class T> using tenon_unconst = typename tenon_without_const<T>::type;
template <class A, class B> struct tenon_same_type {
  static constexpr bool value = false;
};
template <class A> struct tenon_same_type<A, A> {
  static constexpr bool value = true;
};
template <class T> T tenon_decayed_value(T);  // these two are declared but not defined
template <class T> T& tenon_some();

// A thread's variable in a scope with a barrier: one element per thread, not constructed yet. Its address is the same
// from the beginning to the end of its scope, as it would be on the thread's own stack. (Most of these arrays do not
// exist in the compiled code: the optimiser keeps variables whose address is not needed in registers.)
template <class T> struct tenon_frames {
  static_assert(__is_trivially_copyable(T) && sizeof(T) <= TENON_REGION_BYTES, "a thread keeps this on its stack");
  alignas(T) unsigned char bytes[TENON_REGION_THREADS][sizeof(T)];
  TENON_MEMBER T& operator[](size_t lane) { return *(T*)(void*)bytes[lane]; }
};
// The same for a variable whose type has no name outside of its region, such as a lambda's.
struct tenon_closures {
  alignas(16) unsigned char bytes[TENON_REGION_THREADS][TENON_CLOSURE_BYTES];
  template <class T> TENON_MEMBER T& keep(size_t lane, T& made) {
    static_assert(__is_trivially_copyable(T) && sizeof(T) <= TENON_CLOSURE_BYTES && alignof(T) <= 16,
                  "a thread keeps this on its stack");
    __builtin_memcpy((void*)bytes[lane], (const void*)&made, sizeof(T));
    return *(T*)(void*)bytes[lane];
  }
};

// `T v = value;`, constructed at the given address.
struct tenon_in_frame {};
TENON_MEMBER void* operator new(size_t, void* at, tenon_in_frame) {
  return at;
}  // with noexcept the compiler would test for null
TENON_MEMBER void* operator new[](size_t, void* at, tenon_in_frame) { return at; }
template <class T> struct tenon_holder {
  T value;
};

// A value that all threads of a block share must be a number or a pointer: the operators of classes may have other
// effects.
template <class T, bool = __is_enum(T)> struct tenon_operators {
  static constexpr bool built_in = !__is_class(T) && !__is_union(T);
};
template <class T> struct tenon_operators<T, true> {
  static constexpr T some = T();
  static constexpr decltype(+some) number = 0;  // the type to which an enumeration is promoted
#define TENON_AS_NUMBER(...) tenon_same_type<decltype(__VA_ARGS__ some), decltype(__VA_ARGS__ number)>::value
  static constexpr bool built_in = TENON_AS_NUMBER(0 +)
  &&TENON_AS_NUMBER(1 *)
  &&TENON_AS_NUMBER(0 <)
  &&TENON_AS_NUMBER(0 ==)
  &&TENON_AS_NUMBER(0 |)
  &&TENON_AS_NUMBER(0 <<)
  &&TENON_AS_NUMBER(-)
  &&TENON_AS_NUMBER(~)
  &&TENON_AS_NUMBER(!)
  &&TENON_AS_NUMBER(some <)
  &&TENON_AS_NUMBER(some +)
  &&TENON_AS_NUMBER(some |);
#undef TENON_AS_NUMBER
};
template <class T> TENON_INLINE void tenon_number() {
  static_assert(tenon_operators<tenon_unconst<T>>::built_in, "a thread has this by itself");
}

// Facts that the optimiser must prove: that nothing in a region changes values that all threads share, or that a thread
// would compute again. Where it finds no proof, a call of an undefined function remains, and the library runs the
// kernel on fibers.
template <size_t Bytes> struct tenon_word_of {
  typedef unsigned long long type;
};
template <> struct tenon_word_of<4> {
  typedef unsigned type;
};
template <> struct tenon_word_of<2> {
  typedef unsigned short type;
};
template <> struct tenon_word_of<1> {
  typedef unsigned char type;
};
template <size_t N> struct tenon_piece {  // in words of a size that the optimiser understands
  static constexpr size_t size = N >= 8 ? 8 : N >= 4 ? 4 : N >= 2 ? 2 : 1;
  static TENON_MEMBER bool same(const unsigned char* a, const unsigned char* b) {
    typename tenon_word_of<size>::type x, y;
    __builtin_memcpy(&x, a, size);
    __builtin_memcpy(&y, b, size);
    return x == y && tenon_piece<N - size>::same(a + size, b + size);
  }
};
template <> struct tenon_piece<0> {
  static TENON_MEMBER bool same(const unsigned char*, const unsigned char*) { return true; }
};
template <class T> struct tenon_unchanging {
  static_assert(__is_trivially_copyable(T) && sizeof(T) <= TENON_REGION_BYTES, "a thread keeps this on its stack");
  const unsigned char* const now;
  unsigned char then[sizeof(T)];
  TENON_MEMBER explicit tenon_unchanging(const T& value) : now((const unsigned char*)&value) {
    __builtin_memcpy(then, now, sizeof(T));
  }
  TENON_MEMBER ~tenon_unchanging() {
    if (!tenon_piece<sizeof(T)>::same(now, then)) tenon_needs_fibers(TENON_BLOCK_SYNC, 0);
  }
};

// A reference may be local to its region, unless it extends the life of a temporary: it must be bound to an object of
// its type.
template <class T> struct tenon_is_lvalue {
  static constexpr bool value = false;
};
template <class T> struct tenon_is_lvalue<T&> {
  static constexpr bool value = true;
};
template <class Reference, class Bound> TENON_INLINE void tenon_refers() {
  static_assert(tenon_is_lvalue<Bound>::value && tenon_same_type<tenon_unconst<Reference>, tenon_unconst<Bound>>::value,
                "it may refer to a temporary");
}

// A function's statements in place of its call (text/inlined.cpp): its result, converted as by `return`, and a
// reference among its parameters, which must be bound to an object of its type.
template <class R> TENON_MEMBER R tenon_returned(R value) {
  static_assert(__is_trivially_copyable(R), "a function returns an object");
  return value;
}
template <class Reference, class Bound> TENON_MEMBER void tenon_binds(Bound&) {
  static_assert(tenon_same_type<tenon_unconst<Reference>, tenon_unconst<Bound>>::value, "it refers to a temporary");
}

// Exchange of values between the lanes of a warp, at a place that all threads of the block reach except those that have
// ended: first all store their values, then all read their results (as in Scheduler::combine). The optimiser must prove
// that all lanes participate.
TENON_INLINE void tenon_whole_warp(unsigned mask) {
  if (mask != 0xffffffffu) tenon_needs_scheduler(TENON_WARP_SYNC, mask, 0, 0, TENON_WARP);
}
template <class T> struct tenon_type_of {
  typedef T type;
};
struct tenon_reduce_add {
  template <class T> static TENON_MEMBER T of(T a, T b) { return (T)((unsigned)a + (unsigned)b); }
};
struct tenon_reduce_min {
  template <class T> static TENON_MEMBER T of(T a, T b) { return a < b ? a : b; }
};
struct tenon_reduce_max {
  template <class T> static TENON_MEMBER T of(T a, T b) { return a > b ? a : b; }
};
struct tenon_reduce_and {
  template <class T> static TENON_MEMBER T of(T a, T b) { return a & b; }
};
struct tenon_reduce_or {
  template <class T> static TENON_MEMBER T of(T a, T b) { return a | b; }
};
struct tenon_reduce_xor {
  template <class T> static TENON_MEMBER T of(T a, T b) { return a ^ b; }
};
struct tenon_sent {
  alignas(8) unsigned char bytes[TENON_REGION_THREADS * 8];

  template <class T> TENON_MEMBER void put(tenon_type_of<T>, size_t lane, typename tenon_type_of<T>::type value) {
    static_assert(sizeof(T) <= 8, "a shuffle moves at most 8 bytes");
    __builtin_memcpy(bytes + lane * sizeof(T), &value, sizeof(T));
  }
  template <class T> TENON_MEMBER T at(size_t lane) const {
    T out;
    __builtin_memcpy(&out, bytes + lane * sizeof(T), sizeof(T));
    return out;
  }
  template <int Op, class T> TENON_MEMBER T shuffled(tenon_type_of<T>, size_t lane, const unsigned char* ended,
                                                     unsigned threads, unsigned argument, int width) const {
    if (width < 1 || width > TENON_WARP || (width & (width - 1)))
      tenon_needs_scheduler(Op, 0, 0, argument, (unsigned)width);
    const int here = (int)(lane % TENON_WARP), segment = here & ~(width - 1),
              distance = (int)(argument < 64 ? argument : 64);
    int from = segment + (int)(argument & (unsigned)(width - 1));
    if (Op == TENON_WARP_UP) from = here - distance < segment ? here : here - distance;
    if (Op == TENON_WARP_DOWN) from = here + distance >= segment + width ? here : here + distance;
    if (Op == TENON_WARP_XOR)
      from = (here ^ (int)(argument & 63)) >= segment + width ? here : here ^ (int)(argument & 63);
    const size_t source = lane - (size_t)here + (size_t)from;
    return at<T>(there(source, ended, threads)
                     ? source
                     : lane);  // the value of a lane that does not participate: undefined in CUDA
  }

  TENON_MEMBER void vote(size_t lane, int predicate) { bytes[lane] = predicate != 0; }
  TENON_MEMBER unsigned ballot(size_t lane, const unsigned char* ended, unsigned threads) const {
    const size_t first = lane - lane % TENON_WARP;
    unsigned out = 0;
    for (unsigned i = 0; i < TENON_WARP; ++i)
      out |= (unsigned)(there(first + i, ended, threads) && bytes[first + i]) << i;
    return out;
  }
  TENON_MEMBER int any(size_t lane, const unsigned char* ended, unsigned threads) const {
    return ballot(lane, ended, threads) != 0;
  }
  TENON_MEMBER int all(size_t lane, const unsigned char* ended, unsigned threads) const {
    const size_t first = lane - lane % TENON_WARP;
    bool out = true;
    for (unsigned i = 0; i < TENON_WARP; ++i) out &= !there(first + i, ended, threads) || bytes[first + i];
    return out;
  }
  template <class Of, class T>
  TENON_MEMBER T reduced(tenon_type_of<T>, size_t lane, const unsigned char* ended, unsigned threads) const {
    const size_t first = lane - lane % TENON_WARP;
    T out = at<T>(lane);
    for (unsigned i = 0; i < TENON_WARP; ++i)
      if (first + i != lane && there(first + i, ended, threads)) out = Of::of(out, at<T>(first + i));
    return out;
  }

 private:
  static TENON_MEMBER bool there(size_t lane, const unsigned char* ended, unsigned threads) {
    return lane < threads && !(ended && ended[lane]);
  }
};

// Whether a group is the block (cooperative_groups.h), whose sync is a barrier.
template <class Group> struct tenon_is_block {
  static constexpr bool value = false;
};
template <class Group> TENON_INLINE void tenon_block_alone() {
  static_assert(tenon_is_block<tenon_unconst<Group>>::value, "not the threads of the block");
}

TENON_INLINE void tenon_none_ended(unsigned char* ended, unsigned threads) { __builtin_memset(ended, 0, threads); }

#endif
