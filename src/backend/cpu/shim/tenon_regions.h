// shim/tenon_regions.h: what kernels are made of whose threads run from barrier to barrier in loops (kernel_regions.cpp).
//
// Such a kernel is called once for a block. Between two barriers a loop runs all threads, one after the other: each is at the same
// place of the text as all others, so it needs no stack of its own, and the compiler may run several at once, as far as it sees that
// nobody can tell. What lives over a barrier has an element for each thread in an array.
#ifndef TENON_REGIONS_H
#define TENON_REGIONS_H

#define TENON_REGION_THREADS 1024
#define TENON_REGION_BYTES 256  // of a thread's variable: more is better off on a stack

#define TENON_REGIONS                                                                 \
  const unsigned tenon_nx = blockDim.x, tenon_ny = blockDim.y, tenon_nz = blockDim.z; \
  const unsigned tenon_threads = tenon_nx * tenon_ny * tenon_nz;                      \
  if (tenon_threads - 1 >= TENON_REGION_THREADS || tenon_nx - 1 >= TENON_REGION_THREADS) __builtin_unreachable();
#if TENON_REVERSE
#define TENON_EACH_THREAD                          \
  for (unsigned tenon_z = tenon_nz; tenon_z-- > 0;) \
    for (unsigned tenon_y = tenon_ny; tenon_y-- > 0;) \
      for (unsigned tenon_x = tenon_nx; tenon_x-- > 0;)
#else
#define TENON_EACH_THREAD                                       \
  for (unsigned tenon_z = 0; tenon_z < tenon_nz; ++tenon_z)     \
    for (unsigned tenon_y = 0; tenon_y < tenon_ny; ++tenon_y)   \
      for (unsigned tenon_x = 0; tenon_x < tenon_nx; ++tenon_x)
#endif
// The text sees its own threadIdx, functions that it calls the one that is everywhere.
#define TENON_AT_THREAD                                                                                  \
  tenon_be_thread(tenon_x, tenon_y, tenon_z);                                                            \
  const uint3 threadIdx = {tenon_x, tenon_y, tenon_z};                                                   \
  const size_t tenon_lane = (size_t)((tenon_z * tenon_ny + tenon_y) * tenon_nx) + tenon_x;               \
  (void)threadIdx, (void)tenon_lane;

#if !TENON_PROBE
TENON_INLINE void tenon_be_thread(unsigned x, unsigned y, unsigned z) {
  threadIdx.x = x;
  threadIdx.y = y;
  threadIdx.z = z;
}
#endif

template <class T> struct tenon_without_const { typedef T type; };
template <class T> struct tenon_without_const<const T> { typedef T type; };
template <class T, size_t N> struct tenon_without_const<T[N]> { typedef typename tenon_without_const<T>::type type[N]; };
template <class T, size_t N> struct tenon_without_const<const T[N]> { typedef typename tenon_without_const<T>::type type[N]; };
template <class T> struct tenon_without_const<T&> { typedef typename tenon_without_const<T>::type type; };
template <class T> using tenon_unconst = typename tenon_without_const<T>::type;
template <class T> T tenon_decayed_value(T);  // these two are declared only
template <class T> T& tenon_some();

// A variable that lives over a barrier: one of each thread, none of them made.
template <class T> struct tenon_frames {
  static_assert(__is_trivially_copyable(T) && sizeof(T) <= TENON_REGION_BYTES, "a thread keeps this on its stack");
  alignas(T) unsigned char bytes[TENON_REGION_THREADS][sizeof(T)];
  TENON_MEMBER T& operator[](size_t lane) { return *(T*)(void*)bytes[lane]; }
};
// What all threads of a block agree on is a number or a pointer: nothing whose use may do something else than to read it.
template <class T> TENON_INLINE void tenon_number() { static_assert(!__is_class(T) && !__is_union(T), "a thread has this by itself"); }
template <class F, class T> TENON_INLINE void tenon_keep(F& frame, const T& made) { __builtin_memcpy((void*)&frame, (const void*)&made, sizeof made); }
TENON_INLINE void tenon_none_ended(unsigned char* ended, unsigned threads) { __builtin_memset(ended, 0, threads); }

#endif
