// shim/execution/tenon_sums.h: grid-stride loops that compute a value in each thread, run in memory order:
// for (i = thread; i < n; i += threads) sum += x[i];
//
// The thread uses the value after the loop, so the kernel still runs thread by thread. But the loop itself can run
// earlier, for many threads at once and iteration by iteration, if the compiler proves (tenon_probe.h) that all threads
// along x reach it first, with the same values and without an effect before it, and that it has no effect itself. Then
// the first thread that reaches it runs it for the threads of its block and of the blocks that this host thread runs
// next. Each thread's sum still consists of its own terms in their order; the other threads take their results when
// they reach the loop. A loop that is reached again, and any later loop, runs as written.
//
// `sums...` are the variables that the body changes; the rest of what it uses is captured (`make`).
#ifndef TENON_SUMS_H
#define TENON_SUMS_H
#if TENON_PROBE || TENON_ROWS

// Stands for the final value of a variable that is declared in the loop's head.
struct tenon_no_place {};
static constexpr tenon_no_place tenon_nowhere{};
template <class T> struct tenon_plain_type {
  typedef T type;
};
template <class T> struct tenon_plain_type<T&> {
  typedef T type;
};

#endif
#if TENON_PROBE

#if TENON_PROBE == 2
#define TENON_SUM_LEFT return;  // the proof ends here
#else
#define TENON_SUM_LEFT
#endif

#elif TENON_ROWS

#define TENON_SUM_LEFT
#define TENON_SUM_THREADS 4096u
#define TENON_SUM_BYTES 65536u

static __thread struct tenon_sum_state {
  bool on;                         // the running kernel has such a loop
  bool refused;                    // in this launch the loops cannot run early, or it would not be faster
  int loop;                        // the loop whose values are stored; -1: none
  unsigned y, z;                   // of the blocks for which they are stored
  unsigned long long first, last;  // the range of threads along x for which they are stored
  unsigned long long limit;        // the end of the threads along x that this host thread runs next
  size_t top;                      // the kernel's stack frame is below
} tenon_sums;
static __thread __attribute__((aligned(64))) unsigned char tenon_sum_values[TENON_SUM_BYTES];
static __thread bool tenon_sum_taken[TENON_SUM_THREADS];

// A column of `most` values for each variable.
template <unsigned most, class... A> struct tenon_columns;
template <unsigned most> struct tenon_columns<most> {
  static constexpr size_t bytes = 0;
  static constexpr bool fits = true;
  TENON_MEMBER explicit tenon_columns(unsigned char*) {}
  TENON_MEMBER void fill(size_t) const {}
  TENON_MEMBER void take(size_t) const {}
  template <class Body, class T, class... Here> TENON_MEMBER void run(Body& body, T i, size_t, Here&... here) const {
    (void)body(i, here...);
  }
};
template <unsigned most, class A, class... More> struct tenon_columns<most, A, More...> {
  typedef tenon_columns<most, More...> rest;
  static constexpr size_t own = (most * sizeof(A) + 63) / 64 * 64, bytes = own + rest::bytes;
  static constexpr bool fits = __is_trivially_copyable(A) && alignof(A) <= 64 && rest::fits;
  A* const at;
  const rest more;
  TENON_MEMBER explicit tenon_columns(unsigned char* from) : at((A*)from), more(from + own) {}
  TENON_MEMBER void fill(size_t count, const A& value, const More&... others) const {
    for (size_t k = 0; k < count; ++k) at[k] = value;
    more.fill(count, others...);
  }
  TENON_MEMBER void take(size_t k, A& value, More&... others) const {
    value = at[k];
    more.take(k, others...);
  }
  template <class Body, class T, class... Here> TENON_MEMBER void run(Body& body, T i, size_t k, Here&... here) const {
    more.run(body, i, k, here..., at[k]);
  }
};
// As many threads as there is room for, and at least those of the largest block.
template <class... A> struct tenon_sum_columns {
  static constexpr size_t each = tenon_columns<64, A...>::bytes / 64;  // each column is whole cache lines
  static constexpr unsigned most =
      TENON_SUM_BYTES / each < TENON_SUM_THREADS ? (unsigned)(TENON_SUM_BYTES / each) / 64 * 64 : TENON_SUM_THREADS;
  typedef tenon_columns<most, A...> type;
  static constexpr bool fits = most >= 1024 && type::fits && type::bytes <= TENON_SUM_BYTES;
};

TENON_INLINE void tenon_put_place(const tenon_no_place&, unsigned long long) {}
template <class T> TENON_INLINE void tenon_put_place(T& place, unsigned long long value) { place = (T)value; }

template <bool Fits> struct tenon_summer {
  template <int, class, bool, class Bound, class Make, class Left, class... A>
  static TENON_MEMBER bool sum(const Bound&, const Make&, Left&, A&...) {
    return false;
  }
};
template <> struct tenon_summer<true> {
  // Computes the sums of all threads from the block's first one on.
  template <class T, class Make, class... A>
  static TENON_MEMBER void run(unsigned long long count, unsigned long long threads, const Make& make, A&... sums) {
    const typename tenon_sum_columns<A...>::type columns(tenon_sum_values);
    const size_t width = (size_t)(tenon_sums.last - tenon_sums.first);
    columns.fill(width, sums...);
    __builtin_memset(tenon_sum_taken, 0, width);
    auto body = make();
    const volatile int* stop = tenon_this_frame->stop;
    for (unsigned long long low = tenon_sums.first; low < count && !*stop; low += threads) {
      const size_t end = count - low > width ? width : (size_t)(count - low);
      for (size_t k = 0; k < end; ++k) columns.run(body, (T)(low + k), k);
    }
  }

  template <int Id, class T, bool Inclusive, class Bound, class Make, class Left, class... A>
  static TENON_MEMBER bool sum(const Bound& bound, const Make& make, Left& left, A&... sums) {
    if (!tenon_sums.on) return false;
    const unsigned long long at = (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x,
                             threads = (unsigned long long)gridDim.x * blockDim.x;
    const unsigned long long count = tenon_iterations<T, Inclusive>(bound());
    tenon_sum_state& state = tenon_sums;
    if (state.loop < 0 || at < state.first || at >= state.last || blockIdx.y != state.y || blockIdx.z != state.z) {
      // With few iterations per thread, the loops are close enough to memory order as written.
      constexpr unsigned long long most = tenon_integer<T>::most;
      if (count / 4 < threads || threads > most || count > most - threads || tenon_holds_frame(make, state.top)) {
        state.refused = true, state.on = false;
        return false;
      }
      constexpr unsigned room = tenon_sum_columns<A...>::most;
      state.first = (unsigned long long)blockIdx.x * blockDim.x;
      const unsigned long long end = state.first + room / blockDim.x * blockDim.x;
      state.last = end < state.limit ? end : state.limit;
      state.y = blockIdx.y, state.z = blockIdx.z;
      state.loop = Id;
      run<T>(count, threads, make, sums...);
    }
    const size_t k = (size_t)(at - state.first);
    if (state.loop != Id || tenon_sum_taken[k]) return false;
    tenon_sum_taken[k] = true;
    const typename tenon_sum_columns<A...>::type columns(tenon_sum_values);
    columns.take(k, sums...);
    tenon_put_place(left, at >= count ? at : at + (count - at + threads - 1) / threads * threads);
    return true;
  }
};

template <int Id, class T, bool Inclusive, class Start, class Bound, class Step, class Make, class Left, class... A>
TENON_INLINE bool tenon_sum(const Start&, const Bound& bound, const Step&, const Make& make, Left& left, A&... sums) {
  return tenon_summer<tenon_sum_columns<A...>::fits>::template sum<Id, T, Inclusive>(bound, make, left, sums...);
}

// Called before the blocks of a launch that this host thread runs.
TENON_INLINE void tenon_reset_sums() {
  tenon_sums.on = false;
  tenon_sums.loop = -1;
  tenon_sums.refused = blockDim.y != 1 || blockDim.z != 1 || (unsigned long long)gridDim.x * blockDim.x >= 1ull << 31;
}

#endif
#endif
