// shim/execution/tenon_regions.h: macros and functions for kernels whose threads run in loops from barrier to barrier
// (text/regions/regions.cpp).
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
// What is left free behind an array, so that no two begin at the same distance from a page: else the elements of one
// thread in all arrays compete for the same lines of the first cache, and its loads wait for its stores to others.
#define TENON_REGION_APART 1088

#define TENON_REGIONS                                                                 \
  const unsigned tenon_nx = blockDim.x, tenon_ny = blockDim.y, tenon_nz = blockDim.z; \
  const unsigned tenon_threads = tenon_nx * tenon_ny * tenon_nz;                      \
  if (tenon_threads - 1 >= TENON_REGION_THREADS || tenon_nx - 1 >= TENON_REGION_THREADS) __builtin_unreachable();
// Two vectors at once are 16 threads: the compiler would take four, and run a row of 16 in its scalar form.
#if defined(__clang__)
#define TENON_ALONG_ROW _Pragma("clang loop interleave_count(2)")
#define TENON_FEW _Pragma("clang loop interleave_count(1)")
#else
#define TENON_ALONG_ROW
#define TENON_FEW
#endif
#if TENON_REVERSE
#define TENON_EACH_THREAD                             \
  for (unsigned tenon_z = tenon_nz; tenon_z-- > 0;)   \
    for (unsigned tenon_y = tenon_ny; tenon_y-- > 0;) \
  TENON_ALONG_ROW for (unsigned tenon_x = tenon_nx + tenon_be_in_row(tenon_y, tenon_z); tenon_x-- > 0;)
#else
#define TENON_EACH_THREAD                                                        \
  for (unsigned tenon_z = 0; tenon_z < tenon_nz; ++tenon_z)                      \
    for (unsigned tenon_y = 0; tenon_y < tenon_ny; tenon_be_nobody(), ++tenon_y) \
  TENON_ALONG_ROW for (unsigned tenon_x = tenon_be_in_row(tenon_y, tenon_z); tenon_x < tenon_nx; ++tenon_x)
#endif
// threadIdx.x of a lane of a warp. The masks tell the compiler how large both numbers can be, so that it sees of
// `threadIdx.x / 32 > 0` that it is the same for all lanes.
#define TENON_PLACE(warp, lane) \
  (((warp) & (TENON_REGION_THREADS / TENON_WARP - 1)) * TENON_WARP | ((lane) & (TENON_WARP - 1)))
// The same in loops of 32 threads: the compiler sees that threadIdx.x / 32 is the same for all of them, and that
// threadIdx.x % 32 counts from 0.
#if TENON_REVERSE
#define TENON_EACH_THREAD_BY_WARPS                                                                                 \
  for (unsigned tenon_z = tenon_nz; tenon_z-- > 0;)                                                                \
    for (unsigned tenon_y = tenon_ny; tenon_y-- > 0;)                                                              \
      for (unsigned tenon_w = (tenon_nx - 1 + tenon_be_in_row(tenon_y, tenon_z)) / TENON_WARP + 1; tenon_w-- > 0;) \
  TENON_ALONG_ROW for (unsigned tenon_i = tenon_row_end(~0u, TENON_WARP, 0, tenon_nx - tenon_w * TENON_WARP);      \
                       tenon_i-- > 0;) if (const unsigned tenon_x = TENON_PLACE(tenon_w, tenon_i); true)
#else
#define TENON_EACH_THREAD_BY_WARPS                                                                           \
  for (unsigned tenon_z = 0; tenon_z < tenon_nz; ++tenon_z)                                                  \
    for (unsigned tenon_y = 0; tenon_y < tenon_ny; tenon_be_nobody(), ++tenon_y)                             \
      for (unsigned tenon_w = tenon_be_in_row(tenon_y, tenon_z); tenon_w * TENON_WARP < tenon_nx; ++tenon_w) \
  TENON_ALONG_ROW for (unsigned tenon_i = 0,                                                                 \
                       tenon_end = tenon_row_end(~0u, TENON_WARP, 0, tenon_nx - tenon_w * TENON_WARP);       \
                       tenon_i < tenon_end;                                                                  \
                       ++tenon_i) if (const unsigned tenon_x = TENON_PLACE(tenon_w, tenon_i); true)
#endif
// The threads [first, end), in a line if `alone`: nothing in the region depends on how the block is laid out.
#if TENON_REVERSE
#define TENON_EACH_LANE_OF(along, alone, first, end)                                                             \
  for (unsigned tenon_z = alone ? 1 : tenon_nz; tenon_z-- > 0;)                                                  \
    for (unsigned tenon_y = alone ? 1 : tenon_ny; tenon_y-- > 0;)                                                \
  along for (unsigned tenon_row = (tenon_z * tenon_ny + tenon_y) * tenon_nx + tenon_be_in_row(tenon_y, tenon_z), \
             tenon_x = tenon_row_end(end, ~0u, tenon_row, alone ? tenon_threads : tenon_nx),                     \
             tenon_x_end = tenon_row_start(first, 0, tenon_row);                                                 \
             tenon_x > tenon_x_end && tenon_x-- > 0;)
#else
#define TENON_EACH_LANE_OF(along, alone, first, end)                                                             \
  for (unsigned tenon_z = 0; tenon_z < (alone ? 1 : tenon_nz); ++tenon_z)                                        \
    for (unsigned tenon_y = 0; tenon_y < (alone ? 1 : tenon_ny); ++tenon_y)                                      \
  along for (unsigned tenon_row = (tenon_z * tenon_ny + tenon_y) * tenon_nx + tenon_be_in_row(tenon_y, tenon_z), \
             tenon_x = tenon_row_start(first, 0, tenon_row),                                                     \
             tenon_x_end = tenon_row_end(end, ~0u, tenon_row, alone ? tenon_threads : tenon_nx);                 \
             tenon_x < tenon_x_end; ++tenon_x)
#endif
// A loop in which threads take turns: their counters stay so small that none wraps around, even if its thread is done.
struct tenon_taking_turns {
  unsigned least = ~0u, most = 0;  // of the values with which the threads begin; ~0u: it is too large, or negative
  unsigned far = 0;                // how much has been added to them

  template <class Start> static TENON_MEMBER unsigned word(Start start) {
    return sizeof(Start) > 4 && (unsigned long long)start >> 32 ? ~0u : (unsigned)start;
  }
  template <class Start> TENON_MEMBER void from(Start start) {
    const unsigned value = word(start);
    least = value < least ? value : least;
    most = value > most ? value : most;
  }
  // Of the block's first and last thread, if it grows from the one to the other by `range`: else it wrapped around on
  // the way, or is negative, and the loop runs as written.
  template <class Start> TENON_MEMBER void from_end(unsigned end, Start start, unsigned range) {
    static_assert(sizeof(Start) >= 4, "it may wrap around more than once");
    const unsigned value = word(start);
    if (!end) least = value;
    most = end && value >= least && value - least == range ? value : ~0u;
  }
  template <class T, class Bound, class Step> TENON_MEMBER bool may(Bound bound, Step step) const {
    return sizeof(T) >= 4 && (Step)1 / (Step)2 == (Step)0 && bound >= (Bound)0 && bound <= (Bound)(1 << 30) &&
           step > (Step)0 && step <= (Step)(1 << 28) && most <= 1u << 28;
  }
  template <class Bound> TENON_MEMBER bool any(Bound bound) const {
    return (unsigned long long)least + far < (unsigned long long)bound;
  }
  template <class Bound> TENON_MEMBER bool all(Bound bound) const {
    return (unsigned long long)most + far < (unsigned long long)bound;
  }
  template <class Step> TENON_MEMBER void next(Step step) { far += (unsigned)step; }
  // Several turns at once, while all threads have them.
  static constexpr unsigned many = 4;
  template <class Bound, class Step> TENON_MEMBER bool several(Bound bound, Step step) const {
    return (unsigned long long)most + far + (many - 1) * (unsigned long long)step < (unsigned long long)bound;
  }
  template <class Step> TENON_MEMBER void next_several(Step step) { far += many * (unsigned)step; }
  // What a thread's counter is after its last turn.
  template <class T, class Start, class Bound, class Step>
  static TENON_MEMBER T last(Start start, Bound bound, Step step) {
    const unsigned from = (unsigned)start, to = (unsigned)bound, by = (unsigned)step;
    return (T)(from < to ? from + (to - from + by - 1) / by * by : from);
  }
};
// Whether conditions hold for all threads of the block, because they hold for the first thread and for the last, and
// what they compare grows from the one to the other by `range`: it did not wrap around, and is nowhere negative.
struct tenon_usual_conditions {
  bool all = true;
  // Sums of up to eight terms do not overflow in long long, and equal what the text computes in T if T can represent
  // them.
  template <class T> TENON_MEMBER long long term(T value) {
    const long long wide = (long long)value, most = 1ll << 59;
    all &= represents(value, wide) && wide <= most && wide >= -most;
    return wide;
  }
  template <class T> TENON_MEMBER T exact(long long sum) {
    all &= represents((T)sum, sum);
    return (T)sum;
  }
  // Whether the value has an integer type and is this number.
  template <class T> static TENON_MEMBER bool represents(T value, long long number) {
    return (T)0.5f == (T)0 && (long long)value == number && (value < 0) == (number < 0);
  }
  template <class T>
  TENON_MEMBER void holds(unsigned end, bool condition, T value, unsigned range, unsigned long long& first) {
    static_assert(sizeof(T) >= 4, "it may wrap around more than once");
    if (!end) first = (unsigned long long)value;
    const unsigned long long now = (unsigned long long)value;
    all &= condition && value >= 0 && (!end || (now >= first && now - first == range));
  }
};
#define TENON_FIRST_AND_LAST_THREAD                                                                             \
  for (unsigned tenon_end = 0; tenon_end < 2; ++tenon_end)                                                      \
    for (unsigned tenon_z = tenon_end ? tenon_nz - 1 : 0, tenon_y = tenon_end ? tenon_ny - 1 : 0,               \
                  tenon_x = (tenon_end ? tenon_nx - 1 : 0) + tenon_be_in_row(tenon_y, tenon_z), tenon_once = 1; \
         tenon_once; tenon_once = 0)
// The lanes of the warp tenon_warp, in a block for which tenon_by_warps holds. So written, the compiler sees that they
// count from 0, and that the warp is the same for all.
#if TENON_REVERSE
#define TENON_EACH_LANE                                                       \
  for (unsigned tenon_i = TENON_WARP + tenon_be_in_row(0, 0); tenon_i-- > 0;) \
    if (const unsigned tenon_z = 0, tenon_y = 0, tenon_x = TENON_PLACE(tenon_warp, tenon_i); true)
#else
#define TENON_EACH_LANE                                                           \
  for (unsigned tenon_i = tenon_be_in_row(0, 0); tenon_i < TENON_WARP; ++tenon_i) \
    if (const unsigned tenon_z = 0, tenon_y = 0, tenon_x = TENON_PLACE(tenon_warp, tenon_i); true)
#endif
// Whether the block consists of whole warps in a line, of which no thread has ended.
TENON_INLINE bool tenon_by_warps(unsigned nx, unsigned ny, unsigned nz, const unsigned char* ended) {
  if (ny != 1 || nz != 1 || nx % TENON_WARP) return false;
  unsigned char gone = 0;
  for (unsigned i = 0; ended && i < nx; ++i) gone |= ended[i];
  return gone == 0;
}
// The threads [first, end) of the block, and of each row those with [low, high) along x.
#if TENON_REVERSE
#define TENON_EACH_THREAD_OF(first, end, low, high)                                                                  \
  for (unsigned tenon_z = tenon_nz; tenon_z-- > 0;)                                                                  \
    for (unsigned tenon_y = tenon_ny; tenon_y-- > 0;)                                                                \
  TENON_FEW for (unsigned tenon_row = (tenon_z * tenon_ny + tenon_y) * tenon_nx + tenon_be_in_row(tenon_y, tenon_z), \
                 tenon_x = tenon_row_end(end, high, tenon_row, tenon_nx),                                            \
                 tenon_x_end = tenon_row_start(first, low, tenon_row);                                               \
                 tenon_x > tenon_x_end && tenon_x-- > 0;)
#else
#define TENON_EACH_THREAD_OF(first, end, low, high)                                                                  \
  for (unsigned tenon_z = 0; tenon_z < tenon_nz; ++tenon_z)                                                          \
    for (unsigned tenon_y = 0; tenon_y < tenon_ny; tenon_be_nobody(), ++tenon_y)                                     \
  TENON_FEW for (unsigned tenon_row = (tenon_z * tenon_ny + tenon_y) * tenon_nx + tenon_be_in_row(tenon_y, tenon_z), \
                 tenon_x = tenon_row_start(first, low, tenon_row),                                                   \
                 tenon_x_end = tenon_row_end(end, high, tenon_row, tenon_nx);                                        \
                 tenon_x < tenon_x_end; ++tenon_x)
#endif
// The threads at `first` along x, and every `step` threads from there.
#if TENON_REVERSE
#define TENON_EACH_STEP_OF(first, step)                                                                        \
  for (unsigned tenon_z = tenon_nz; tenon_z-- > 0;)                                                            \
    for (unsigned tenon_y = tenon_ny; tenon_y-- > 0;)                                                          \
  TENON_FEW for (unsigned tenon_left = tenon_steps(first, step, tenon_nx) + tenon_be_in_row(tenon_y, tenon_z); \
                 tenon_left-- > 0;) if (const unsigned tenon_x = first + tenon_left * step; true)
#else
#define TENON_EACH_STEP_OF(first, step)                                          \
  for (unsigned tenon_z = 0; tenon_z < tenon_nz; ++tenon_z)                      \
    for (unsigned tenon_y = 0; tenon_y < tenon_ny; tenon_be_nobody(), ++tenon_y) \
  TENON_FEW for (unsigned tenon_x = first + tenon_be_in_row(tenon_y, tenon_z); tenon_x < tenon_nx; tenon_x += step)
#endif
// The threads with [low, high) along y.
#if TENON_REVERSE
#define TENON_EACH_ROW_OF(low, high)                                                    \
  for (unsigned tenon_z = tenon_nz; tenon_z-- > 0;)                                     \
    for (unsigned tenon_y_start = low, tenon_y = tenon_row_end(~0u, high, 0, tenon_ny); \
         tenon_y > tenon_y_start && tenon_y-- > 0;)                                     \
      for (unsigned tenon_x = tenon_nx + tenon_be_in_row(tenon_y, tenon_z); tenon_x-- > 0;)
#else
#define TENON_EACH_ROW_OF(low, high)                                                                         \
  for (unsigned tenon_z = 0; tenon_z < tenon_nz; ++tenon_z)                                                  \
    for (unsigned tenon_y = low, tenon_y_end = tenon_row_end(~0u, high, 0, tenon_ny); tenon_y < tenon_y_end; \
         ++tenon_y)                                                                                          \
      for (unsigned tenon_x = tenon_be_in_row(tenon_y, tenon_z); tenon_x < tenon_nx; ++tenon_x)
#endif
TENON_INLINE unsigned tenon_row_start(unsigned first, unsigned low, unsigned row) {
  const unsigned begin = first > row ? first - row : 0;
  return begin > low ? begin : low;
}
TENON_INLINE unsigned tenon_row_end(unsigned end, unsigned high, unsigned row, unsigned nx) {
  const unsigned most = end > row ? end - row : 0, least = most < high ? most : high;
  return least < nx ? least : nx;
}
// For `threadIdx.x < bound` and `threadIdx.x == bound`: at least the threads for which it holds.
TENON_INLINE unsigned tenon_below(unsigned bound) { return bound; }
TENON_INLINE unsigned tenon_below(int bound) { return bound < 0 ? ~0u : (unsigned)bound; }
template <class T> TENON_INLINE unsigned tenon_below(T) { return ~0u; }
TENON_INLINE unsigned tenon_from(unsigned bound) { return bound; }
TENON_INLINE unsigned tenon_from(int bound) { return (unsigned)bound; }
template <class T> TENON_INLINE unsigned tenon_from(T) { return 0; }
TENON_INLINE unsigned tenon_after(unsigned bound) { return bound + 1 ? bound + 1 : bound; }
TENON_INLINE unsigned tenon_after(int bound) { return tenon_after((unsigned)bound); }
template <class T> TENON_INLINE unsigned tenon_after(T) { return ~0u; }
// For `threadIdx.x % 32 == bound`: how far it is to the next such thread.
TENON_INLINE unsigned tenon_to_next_lane(unsigned) { return TENON_WARP; }
TENON_INLINE unsigned tenon_to_next_lane(int) { return TENON_WARP; }
template <class T> TENON_INLINE unsigned tenon_to_next_lane(T) { return 1; }
// The number of threads in a row that are `step` apart, from `first` on.
TENON_INLINE unsigned tenon_steps(unsigned first, unsigned step, unsigned nx) {
  return first < nx ? (nx - first - 1) / step + 1 : 0;
}
// Where only the types of a thread's variables matter.
#define TENON_ANY_THREAD             \
  const uint3 threadIdx = {0, 0, 0}; \
  const size_t tenon_lane = 0;       \
  (void)threadIdx, (void)tenon_lane;
// The kernel's text uses its own threadIdx; functions that it calls use the global one.
#define TENON_AT_THREAD                                                                    \
  threadIdx.x = tenon_x;                                                                   \
  const uint3 threadIdx = {tenon_x, tenon_y, tenon_z};                                     \
  const size_t tenon_lane = (size_t)((tenon_z * tenon_ny + tenon_y) * tenon_nx) + tenon_x; \
  (void)threadIdx, (void)tenon_lane;
// In a loop over the lanes of a warp, whose first thread is `first`: the compiler must see that the places of
// neighbours are neighbours.
#define TENON_AT_LANE(first)                                                                               \
  threadIdx.x = tenon_x;                                                                                   \
  const uint3 threadIdx = {tenon_x, tenon_y, tenon_z};                                                     \
  const size_t tenon_lane = (size_t)((tenon_z * tenon_ny + tenon_y) * tenon_nx + first) + (size_t)tenon_i; \
  (void)threadIdx, (void)tenon_lane;

#if !TENON_PROBE
// y and z are written once per row: written in its loop, they would keep it from being vectorised.
TENON_INLINE unsigned tenon_be_in_row(unsigned y, unsigned z) {
  threadIdx.y = y;
  threadIdx.z = z;
  return 0;
}
TENON_INLINE void tenon_be_thread(unsigned x, unsigned y, unsigned z) {
  tenon_be_in_row(y, z);
  threadIdx.x = x;
}
// After the loop. If nothing in the loop reads the global threadIdx, the compiler then need not write it there, where
// it would keep the loop from being vectorised.
TENON_INLINE void tenon_be_nobody() { tenon_be_thread(0, 0, 0); }
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
  alignas(T) alignas(64) unsigned char bytes[TENON_REGION_THREADS][sizeof(T)];
  unsigned char apart[TENON_REGION_APART];
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

template <class... T> struct tenon_all_numbers {
  static constexpr bool value = true;
};
template <class T, class... More> struct tenon_all_numbers<T, More...> {
  static constexpr bool value = tenon_operators<tenon_unconst<T>>::built_in && tenon_all_numbers<More...>::value;
};

// A thread's variable within a region. If it is a number, like everything that is computed with it, then nothing else
// has its address, and the region works on a copy: the compiler then sees a value, not memory. Else it is itself.
template <class T, class... Others> struct tenon_region_value {
  static constexpr bool copied = tenon_all_numbers<T, Others...>::value;
  template <class V, bool> struct or_reference {
    typedef V type;
    static TENON_MEMBER void keep(V& place, const V& value) { place = value; }
  };
  template <class V> struct or_reference<const V, true> {
    typedef const V type;
    static TENON_MEMBER void keep(const V&, const V&) {}
  };
  template <class V> struct or_reference<V, false> {
    typedef V& type;
    static TENON_MEMBER void keep(const V&, const V&) {}
  };
  template <class V> struct or_reference<const V, false> {
    typedef const V& type;
    static TENON_MEMBER void keep(const V&, const V&) {}
  };
  typedef typename or_reference<T, copied>::type type;
  static TENON_MEMBER void keep(tenon_unconst<T>& place, const T& value) {
    or_reference<T, copied>::keep(place, value);
  }
};

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

// A function's statements in place of its call (text/tree/inlined.cpp): its result, converted as by `return`, and a
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
  // Loads of lanes before the first and behind the last are within the array. Nothing uses their values.
  static constexpr size_t first_byte = TENON_WARP * 8;
  alignas(64) unsigned char sent[first_byte + TENON_REGION_THREADS * 8 + TENON_REGION_APART];
  alignas(64) unsigned char results[TENON_REGION_THREADS * 8 +
                                    TENON_REGION_APART];  // of steps that the block takes at once

  template <class T> TENON_MEMBER void put(tenon_type_of<T>, size_t lane, typename tenon_type_of<T>::type value) {
    static_assert(sizeof(T) <= 8, "a shuffle moves at most 8 bytes");
    __builtin_memcpy(sent + first_byte + lane * sizeof(T), &value, sizeof(T));
  }
  template <class T> TENON_MEMBER T at(size_t lane) const {
    T out;
    __builtin_memcpy(&out, sent + first_byte + lane * sizeof(T), sizeof(T));
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

  template <class T> TENON_MEMBER T moved_to(tenon_type_of<T>, size_t lane) const {
    T out;
    __builtin_memcpy(&out, results + lane * sizeof(T), sizeof(T));
    return out;
  }
  template <class T> TENON_MEMBER void result(size_t lane, T value) {
    __builtin_memcpy(results + lane * sizeof(T), &value, sizeof(T));
  }
  // The value of the lane that is `far` away where `takes` says so and that lane is there, else its own: loads of both,
  // as the compiler then needs no branches.
  template <class T, class Takes> TENON_MEMBER void from_others(unsigned first, unsigned end, unsigned threads,
                                                                const unsigned char* ended, size_t far, Takes takes) {
    if (ended || threads % TENON_WARP) {
      const unsigned begin = (long long)far < 0 ? (unsigned)-far : 0;  // no lane is so far before those below
      unsigned lane = first;
      for (; lane < begin && lane < end; ++lane) result(lane, at<T>(lane));
      TENON_FEW for (; lane < end; ++lane) {
        const T own = at<T>(lane), other = at<T>(lane + far);
        const unsigned gone = ended ? ended[lane + far] : 0;
        result(lane, (takes(lane) & (lane + (unsigned)far < threads) & (gone == 0)) ? other : own);
      }
    } else {
      for (size_t warp = 0; warp < threads; warp += TENON_WARP)
        for (unsigned i = 0; i < TENON_WARP; ++i) {
          const T own = at<T>(warp + i), other = at<T>(warp + i + far);
          result(warp + i, takes(i) ? other : own);
        }
    }
  }
  template <unsigned Far, class T> TENON_MEMBER void swap(unsigned threads) {
    for (size_t pair = 0; pair < threads; pair += 2 * Far)
      for (unsigned i = 0; i < Far; ++i) {
        result(pair + i, at<T>(pair + Far + i));
        result(pair + Far + i, at<T>(pair + i));
      }
  }
  // A shuffle of all lanes by the same distance, for the threads [first, end).
  template <int Op, class T> TENON_MEMBER void move(tenon_type_of<T> type, unsigned argument, int width,
                                                    const unsigned char* ended, unsigned threads, unsigned first,
                                                    unsigned end) {
    if (width < 1 || width > TENON_WARP || (width & (width - 1)))
      tenon_needs_scheduler(Op, 0, 0, argument, (unsigned)width);
    const unsigned far = argument < (unsigned)width ? argument : (unsigned)width, last = (unsigned)width - far,
                   in_row = (unsigned)width - 1;
    if (Op == TENON_WARP_DOWN) {
      from_others<T>(first, end, threads, ended, far, [=](unsigned lane) { return (lane & in_row) < last; });
    } else if (Op == TENON_WARP_UP) {
      from_others<T>(first, end, threads, ended, -(size_t)far, [=](unsigned lane) { return (lane & in_row) >= far; });
    } else if (ended || threads % TENON_WARP || (Op == TENON_WARP_XOR && far == (unsigned)width)) {
      for (size_t lane = first; lane < end; ++lane)
        result(lane, shuffled<Op>(type, lane, ended, threads, argument, width));
    } else if (Op == TENON_WARP_XOR && (far & (far - 1)) == 0 && far > 0) {
      if (far == 1) swap<1, T>(threads);
      else if (far == 2) swap<2, T>(threads);
      else if (far == 4) swap<4, T>(threads);
      else if (far == 8) swap<8, T>(threads);
      else swap<16, T>(threads);
    } else if (Op == TENON_WARP_SHUFFLE) {
      for (size_t segment = 0; segment < threads; segment += (unsigned)width) {
        const T value = at<T>(segment + (argument & (unsigned)(width - 1)));
        for (unsigned i = 0; i < (unsigned)width; ++i) result(segment + i, value);
      }
    } else {
      for (size_t lane = first; lane < end; ++lane)
        result(lane, shuffled<Op>(type, lane, ended, threads, argument, width));
    }
  }
  // cooperative_groups::reduce for all tiles (shim/sync/cooperative_groups/reduce.h): the same operations in the same
  // order.
  template <unsigned Size, class T, class Of> TENON_MEMBER void reduce(tenon_type_of<T>, Of op,
                                                                       const unsigned char* ended, unsigned threads,
                                                                       size_t from, size_t end) {
    for (size_t tile = from / Size * Size; tile < end; tile += Size) {
      T value[Size];
      for (unsigned i = 0; i < Size; ++i) value[i] = at<T>(tile + i);
      const bool whole = !ended && tile + Size <= threads;
      if (whole) {
        for (unsigned half = Size / 2; half > 0; half /= 2)
          for (unsigned i = 0; i < half; ++i) value[i] = op(value[i], value[i + half]);
      } else {
        for (unsigned half = Size / 2; half > 0; half /= 2)
          for (unsigned i = 0; i < half; ++i)
            if (there(tile + i, ended, threads))
              value[i] = op(value[i], there(tile + i + half, ended, threads) ? value[i + half] : value[i]);
      }
      const bool first = there(tile, ended, threads);
      for (unsigned i = 0; i < Size; ++i) result(tile + i, first ? value[0] : value[i]);
    }
  }
  template <unsigned Size>
  TENON_MEMBER unsigned tile_ballot(size_t lane, const unsigned char* ended, unsigned threads) const {
    const size_t first = lane - lane % Size;
    unsigned out = 0, rank = 0;
    for (unsigned i = 0; i < Size; ++i, ++rank)
      out |= (unsigned)(there(first + i, ended, threads) && sent[first_byte + first + i]) << rank;
    return out;
  }
  template <unsigned Size> TENON_MEMBER int tile_any(size_t lane, const unsigned char* ended, unsigned threads) const {
    return tile_ballot<Size>(lane, ended, threads) != 0;
  }
  template <unsigned Size> TENON_MEMBER int tile_all(size_t lane, const unsigned char* ended, unsigned threads) const {
    const size_t first = lane - lane % Size;
    bool out = true;
    for (unsigned i = 0; i < Size; ++i) out &= !there(first + i, ended, threads) || sent[first_byte + first + i];
    return out;
  }

  TENON_MEMBER void vote(size_t lane, int predicate) { sent[first_byte + lane] = predicate != 0; }
  TENON_MEMBER unsigned ballot(size_t lane, const unsigned char* ended, unsigned threads) const {
    const size_t first = lane - lane % TENON_WARP;
    unsigned out = 0;
    for (unsigned i = 0; i < TENON_WARP; ++i)
      out |= (unsigned)(there(first + i, ended, threads) && sent[first_byte + first + i]) << i;
    return out;
  }
  TENON_MEMBER int any(size_t lane, const unsigned char* ended, unsigned threads) const {
    return ballot(lane, ended, threads) != 0;
  }
  TENON_MEMBER int all(size_t lane, const unsigned char* ended, unsigned threads) const {
    const size_t first = lane - lane % TENON_WARP;
    bool out = true;
    for (unsigned i = 0; i < TENON_WARP; ++i) out &= !there(first + i, ended, threads) || sent[first_byte + first + i];
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

// The size of a group that is a tile of a warp.
template <class Group> struct tenon_tile_size {
  static constexpr unsigned size = 0;
};
template <class Group> struct tenon_tile : tenon_tile_size<tenon_unconst<Group>> {};
template <class Group> TENON_INLINE void tenon_tile_alone() {
  static_assert(tenon_tile<Group>::size != 0, "not a tile of a warp");
}
template <class Group> TENON_INLINE void tenon_block_or_tile() {
  static_assert(tenon_is_block<tenon_unconst<Group>>::value || tenon_tile<Group>::size != 0,
                "not the threads of the block, and not a tile of a warp");
}
// What text/groups.cpp took a group for: the block (0), or a tile of that size.
template <class Group, unsigned Size> TENON_INLINE void tenon_is_group() {
  static_assert(Size ? tenon_tile<Group>::size == Size : tenon_is_block<tenon_unconst<Group>>::value,
                "another group than it looks like");
}
TENON_INLINE unsigned tenon_lanes_of_tile(size_t lane, unsigned size) {
  return (size >= 32 ? 0xffffffffu : (1u << size) - 1) << (lane % TENON_WARP / size * size);
}
// cooperative_groups::reduce, of numbers and by an operation of the header's.
template <class Op> struct tenon_is_group_operation {
  static constexpr bool value = false;
};
template <class Group, class T, class Op> TENON_INLINE void tenon_group_reduces() {
  tenon_tile_alone<Group>();
  tenon_number<T>();
  static_assert(sizeof(T) <= 8 && tenon_is_group_operation<tenon_unconst<Op>>::value, "not understood");
}

// Which of 32 bytes are 0, as bits.
TENON_INLINE unsigned tenon_zeros_of_bytes(const unsigned char* bytes) {
  typedef char Bytes __attribute__((__vector_size__(16)));
  Bytes low, high;
  __builtin_memcpy(&low, bytes, 16);
  __builtin_memcpy(&high, bytes + 16, 16);
  return (unsigned)__builtin_ia32_pmovmskb128((Bytes)(low == Bytes{})) |
         (unsigned)__builtin_ia32_pmovmskb128((Bytes)(high == Bytes{})) << 16;
}

// A branch that some threads take, and in which lanes of warps wait for each other.
struct tenon_guard {
  unsigned char out[TENON_REGION_THREADS + TENON_WARP];  // not 0: the thread does not take it
  unsigned in[TENON_REGION_THREADS / TENON_WARP], alive[TENON_REGION_THREADS / TENON_WARP];  // lanes of each warp
  unsigned first, end;  // no thread outside of [first, end) takes it

  TENON_MEMBER void none(unsigned threads) {
    __builtin_memset(out, 1, (threads + TENON_WARP - 1) / TENON_WARP * TENON_WARP);
  }
  TENON_MEMBER void count(unsigned threads, const unsigned char* ended) {
    first = threads, end = 0;
    for (unsigned warp = 0; warp * TENON_WARP < threads; ++warp) {
      const unsigned start = warp * TENON_WARP, left = threads - start;
      unsigned dead = left < TENON_WARP ? ~0u << left : 0;
      const unsigned taken = tenon_zeros_of_bytes(out + start);
      for (unsigned i = 0; ended && i < TENON_WARP && i < left; ++i) dead |= (unsigned)(ended[start + i] != 0) << i;
      const unsigned living = ~dead;
      in[warp] = taken, alive[warp] = living;
      if (!taken) continue;
      if (end == 0) first = start + (unsigned)__builtin_ctz(taken);
      end = start + 32 - (unsigned)__builtin_clz(taken);
    }
  }
  TENON_MEMBER bool any() const { return end != 0; }
  // Whether the lanes that an operation waits for are others than those that call it here. Lanes that do not take the
  // branch end, if nothing waits after it (`last`). whole: one mask for all lanes of the warp that are here.
  TENON_MEMBER bool apart(unsigned lanes, size_t lane, bool last, bool whole) const {
    const unsigned here = in[lane / TENON_WARP];
    return (whole && (lanes & here) != here) || (!last && (lanes & alive[lane / TENON_WARP]) != (lanes & here));
  }
  // The same for all lanes that take the branch, if they name the same mask.
  TENON_MEMBER bool any_apart(unsigned lanes, bool last) const {
    for (unsigned warp = first / TENON_WARP; warp * TENON_WARP < end; ++warp)
      if (in[warp] && apart(lanes, warp * TENON_WARP, last, true)) return true;
    return false;
  }
};
TENON_INLINE void tenon_meet_elsewhere() {
  tenon_fault("lanes of a warp wait for lanes that do not take the same branch; compile with -DTENON_PLAIN_BARRIERS",
              "", 0);
}

TENON_INLINE void tenon_none_ended(unsigned char* ended, unsigned threads) { __builtin_memset(ended, 0, threads); }

#endif
