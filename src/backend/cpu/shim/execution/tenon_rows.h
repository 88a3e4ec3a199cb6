// shim/execution/tenon_rows.h: grid-stride loops that run in memory order.
//
// Thread after thread, `for (i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)` accesses
// memory with a page-sized stride, about 70 times slower than in order. In CUDA the threads along x run at the same
// time, so they may take turns after each iteration: the iterations of a row of threads are then in the order of i, and
// every thread still runs its own iterations in their order. (So a thread may read what it wrote in an earlier
// iteration, x[i - stride], for any stride.)
//
// For that the library puts the loop and its body into calls of tenon_loop (text/loops.cpp), and lets the compiler
// prove (tenon_probe.h) that apart from such loops the kernel does the same in all threads along x and has no effect.
// Then the kernel is called once per row of threads, and its loops run the iterations of all of them. Without a proof
// the kernel runs as written.
//
// TENON_PLAIN_LOOPS, anywhere in the text or the options, switches it off.
#ifndef TENON_ROWS_H
#define TENON_ROWS_H
#if TENON_PROBE || TENON_ROWS

template <bool, class A, class B> struct tenon_pick {
  typedef A type;
};
template <class A, class B> struct tenon_pick<false, A, B> {
  typedef B type;
};
template <class A> TENON_INLINE A tenon_decayed(A);  // not defined
#define TENON_TYPE_OF(...) \
  decltype(__VA_ARGS__)  // under a name that the text cannot have redefined (text/regions/region_names.cpp)

template <class T> struct tenon_integer {
  static constexpr bool value = false;
};
#define TENON_INTEGER(T)                                                                           \
  template <> struct tenon_integer<T> {                                                            \
    static constexpr bool value = true, negative = (T) - 1 < (T)0;                                 \
    static constexpr unsigned long long most = ~0ull >> (64 - 8 * sizeof(T) + (negative ? 1 : 0)); \
  };
TENON_INTEGER(char)
TENON_INTEGER(signed char)
TENON_INTEGER(unsigned char)
TENON_INTEGER(short)
TENON_INTEGER(unsigned short)
TENON_INTEGER(int)
TENON_INTEGER(unsigned)
TENON_INTEGER(long)
TENON_INTEGER(unsigned long)
TENON_INTEGER(long long)
TENON_INTEGER(unsigned long long)
#undef TENON_INTEGER

// How an iteration ended. done: not by break; moved: it changed the loop's variable.
struct tenon_turn {
  bool done, moved;
};
#if defined(__clang__)
#define TENON_BODY __attribute__((always_inline)) mutable
#else
#define TENON_BODY mutable __attribute__((always_inline))
#endif

#endif
#if TENON_PROBE
#include "tenon_probe.h"
#elif TENON_ROWS

// The row of threads that this host thread runs: [first, last) along x of the grid.
static __thread struct tenon_row_state {
  unsigned long long first, last;
  unsigned long long at;  // the iteration, if the text may fail and the error must name the thread; else ~0
  size_t top;             // the kernel's stack frame is below this address
  bool on;                // the kernel was called for a row of threads
  bool refused;           // a loop cannot run in memory order after all; nothing has run yet
  bool started;           // a loop ran
} tenon_row;

// Whether a word of a loop's captures points into the kernel's stack frame: an iteration may then store something there
// for the next iteration of its thread, but the threads of a row share the frame. (There can be no pointer to it
// elsewhere, because the kernel has no effect outside of the loops.)
static __attribute__((noinline, unused)) bool tenon_points_between(const void* words, size_t bytes, size_t low,
                                                                   size_t high) {
  for (size_t at = 0; at + sizeof(size_t) <= bytes; ++at) {
    size_t word;
    __builtin_memcpy(&word, (const char*)words + at, sizeof word);
    if (word >= low && word < high) return true;
  }
  return false;
}
template <class Make> TENON_INLINE bool tenon_holds_frame(const Make& make, size_t top) {
  auto copy = make();
  size_t low;
#if defined(__x86_64__)
  __asm__ volatile("movq %%rsp, %0" : "=r"(low));
#elif defined(__aarch64__)
  __asm__ volatile("mov %0, sp" : "=r"(low));
#else
  low = 0;
#endif
  return tenon_points_between(&copy, sizeof copy, low - 256, top);
}

// The number of integers 0, 1, 2 ... below the bound (`Inclusive`: or equal to it), compared as in C; at most 2^64 - 1.
template <class T, bool Inclusive, class N> TENON_INLINE unsigned long long tenon_iterations(N bound) {
  typedef decltype(T() + N()) common;
  const common end = (common)bound;
  if (end < (common)0) return 0;
  const unsigned long long count = (unsigned long long)end;
  return Inclusive && count + 1 ? count + 1 : count;
}

template <int Id, class T, bool Inclusive, class Start, class Bound, class Step, class Make>
TENON_INLINE bool tenon_loop(const Start&, const Bound& bound, const Step&, const Make& make) {
  if (!tenon_row.on) return false;
  if (tenon_row.refused) return true;
  const unsigned long long count = tenon_iterations<T, Inclusive>(bound());
  const unsigned long long threads = (unsigned long long)gridDim.x * blockDim.x;
  // If i + stride may wrap around, the loop runs as written. (For signed types that is undefined, and not checked.)
  constexpr unsigned long long most = tenon_integer<T>::most;
  const bool wraps = threads > most || count > most - (tenon_integer<T>::negative && sizeof(T) >= 4 ? 0 : threads);
  if (wraps || tenon_holds_frame(make, tenon_row.top)) {
    if (tenon_row.started)
      tenon_fault("this loop can only run as it is written; compile with -DTENON_PLAIN_LOOPS", "", 0);
    tenon_row.refused = true;
    return true;
  }
  tenon_row.started = true;
  const volatile int* stop = tenon_this_frame->stop;
  auto body = make();
  // If a row has all threads of the grid, there is no gap between rows.
  const bool whole = tenon_row.last - tenon_row.first == threads;
  const unsigned long long width = whole ? count : tenon_row.last - tenon_row.first, step = whole ? count : threads;
  for (unsigned long long low = tenon_row.first; low < count && !*stop; low += step) {
    const T high = (T)(count - low > width ? low + width : count);
    for (T i = (T)low; i < high; ++i) {
#if TENON_ROWS > 1
      tenon_row.at = (unsigned long long)i;
#endif
      body(i);
    }
  }
  tenon_row.at = ~0ull;
  return true;
}

#define TENON_LOOP_LEFT(i) ((void)0)

#endif
#endif
