// shim/execution/tenon_entry.h: how the library starts a kernel. Only the macros are used after the user's text, whose
// own macros must not reach them: they expand to keywords and to names that start with tenon_, TENON_ or two
// underscores.
#ifndef TENON_ENTRY_H
#define TENON_ENTRY_H

template <size_t... I> struct tenon_list {};
template <size_t N, size_t... I> struct tenon_count : tenon_count<N - 1, N - 1, I...> {};
template <size_t... I> struct tenon_count<0, I...> {
  typedef tenon_list<I...> list;
};

// A parameter's value from the packed block, which need not be aligned for it. (If a pointer were copied as bytes,
// LLVM would treat it as an integer, and its alias analysis would fail.)
template <class T> struct __attribute__((packed)) tenon_packed {
  T value;
};
template <class T> TENON_INLINE T tenon_value(const void* from) { return ((const tenon_packed<T>*)from)->value; }

#if TENON_PROBE

template <class T, T F> struct tenon_probe_entry;
template <class... P, void (*F)(P...)> struct tenon_probe_entry<void (*)(P...), F> {
  template <size_t... I>
  static inline __attribute__((always_inline)) void tenon_run(void* const* params, tenon_list<I...>) {
    F(tenon_value<P>(params[I])...);
    (void)params;
  }
  typedef typename tenon_count<sizeof...(P)>::list tenon_all;
};
// (The stores at the end make those of the loops dead, so that they can be removed.)
#define TENON_PROBE_FUNCTION(name, phase, last, ...)                             \
  extern "C" __attribute__((__flatten__)) void name(void* const* tenon_params) { \
    (void)tenon_params;                                                          \
    tenon_phase = phase;                                                         \
    tenon_inside = false;                                                        \
    tenon_last = last;                                                           \
    __VA_ARGS__;                                                                 \
    tenon_phase = phase;                                                         \
    tenon_inside = false;                                                        \
    tenon_last = -1;                                                             \
  }
#define TENON_PROBE_ENTRY(...)                                      \
  tenon_probe_entry<decltype(__VA_ARGS__), __VA_ARGS__>::tenon_run( \
      tenon_params, typename tenon_probe_entry<decltype(__VA_ARGS__), __VA_ARGS__>::tenon_all())
#define TENON_KERNEL_PROBE(k, ...)                                            \
  TENON_PROBE_FUNCTION(tenon_pure_##k, 0, -1, TENON_PROBE_ENTRY(__VA_ARGS__)) \
  TENON_PROBE_FUNCTION(tenon_uniform_##k, 1, -1, TENON_PROBE_ENTRY(__VA_ARGS__))
#define TENON_KERNEL_PROBE_BESIDE(k, last, ...) \
  TENON_PROBE_FUNCTION(tenon_pure_##k##_##last, 0, last, TENON_PROBE_ENTRY(__VA_ARGS__))
TENON_PROBE_FUNCTION(tenon_reference, 0, -1, (void)0)

#else

template <class T, T F> struct tenon_entry {
  static_assert(!sizeof(T), "a kernel returns void");
};

#if defined(__clang__) && !TENON_CHECK && !TENON_DEBUG && !TENON_REVERSE
#define TENON_GUARDS 1
#endif
#if TENON_GUARDS
// Whether a thread passes the conditions at the beginning of the kernel, which is only called if it does. They are in
// the intermediate code: compile/compiler/guards.hpp defines tenon_passes. A copy of a parameter must be without
// effect. (Unnamed, because the type of a parameter may have no name that other units know.)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wundefined-internal"
namespace {
template <bool Simple, class T, T F> struct tenon_guard_of {
  template <class... A> static TENON_MEMBER bool tenon_passes(const A&...) { return true; }
};
template <class... P, void (*F)(P...)> struct tenon_guard_of<true, void (*)(P...), F> {
  static bool tenon_passes(P... params);
};
}  // namespace
#pragma clang diagnostic pop
template <class... P> struct tenon_simple {
  enum { value = true };
};
template <class A, class... P> struct tenon_simple<A, P...> {
  enum { value = __is_trivially_copyable(A) && tenon_simple<P...>::value };
};
#endif

template <class... P, void (*F)(P...)> struct tenon_entry<void (*)(P...), F> {
  typedef typename tenon_count<sizeof...(P)>::list all;
#if TENON_GUARDS
  typedef tenon_guard_of<tenon_simple<P...>::value, void (*)(P...), F> tenon_guard;
#endif

#if TENON_EXECUTION == 1 || TENON_LOOPS
  // WithSums: loops may run early (tenon_sums.h); without it the compiler can rely on their not doing so.
  // Regions: whether the kernel itself runs the threads (tenon_regions.h), and what its blocks are.
  enum tenon_regions_of { tenon_no_regions, tenon_of_any_block, tenon_of_lines, tenon_of_planes };
  static inline __attribute__((always_inline)) bool is_block(unsigned x, unsigned y) {
    return blockDim.x == x && blockDim.y == y && blockDim.z == 1;
  }
  template <bool WithSums, int Regions> static inline __attribute__((always_inline)) void run_block(P... params) {
    if (Regions) {
#if TENON_ROWS
      if (!WithSums && tenon_sums.on) __builtin_unreachable();
#endif
      // The usual shape of blocks has code of its own, in which all loops over threads have known lengths.
      if (!WithSums && Regions == tenon_of_lines && is_block(256, 1)) return F(params...);
      if (!WithSums && Regions == tenon_of_planes && is_block(16, 16)) return F(params...);
      return F(params...);
    }
    const unsigned nx = blockDim.x, ny = blockDim.y, nz = blockDim.z;
#if TENON_GUARDS
    for (unsigned z = 0; z < nz; ++z)
      for (unsigned y = 0; y < ny; ++y) {
        threadIdx.y = y;
        threadIdx.z = z;
        bool all = true, any = false;
        for (unsigned x = 0; x < nx; ++x) {
          threadIdx.x = x;
          const bool passes = tenon_guard::tenon_passes(params...);
          all &= passes;
          any |= passes;
        }
        if (!any) continue;
        unsigned x = 0, end = nx;
        do {
          if (!all) {
            for (; x < nx; ++x) {
              threadIdx.x = x;
              if (tenon_guard::tenon_passes(params...)) break;
            }
            if (x == nx) break;
            for (end = x + 1; end < nx; ++end) {
              threadIdx.x = end;
              if (!tenon_guard::tenon_passes(params...)) break;
            }
          }
          for (; x < end; ++x) {
            threadIdx.x = x;
#if TENON_ROWS
            if (!WithSums && tenon_sums.on) __builtin_unreachable();
#endif
            F(params...);
          }
        } while (!all && x < nx);
      }
#else
#if TENON_REVERSE
    for (unsigned z = nz; z-- > 0;)
      for (unsigned y = ny; y-- > 0;)
        for (unsigned x = nx; x-- > 0;) {
#else
    for (unsigned z = 0; z < nz; ++z)
      for (unsigned y = 0; y < ny; ++y)
        for (unsigned x = 0; x < nx; ++x) {
#endif
          threadIdx.x = x;
          threadIdx.y = y;
          threadIdx.z = z;
#if TENON_CHECK
          __asm__ volatile("" : : "r"(&threadIdx) : "memory");  // a signal handler reads it
#endif
#if TENON_ROWS
          if (!WithSums && tenon_sums.on) __builtin_unreachable();
#endif
          F(params...);
        }
#endif
  }

  template <bool WithSums, int Regions, size_t... I>
  static inline __attribute__((always_inline)) void run_blocks(void* const* params, unsigned long long first,
                                                               unsigned long long last, tenon_list<I...>) {
    const unsigned gx = gridDim.x, gy = gridDim.y;
    const volatile int* stop = tenon_this_frame->stop;
    unsigned bx = unsigned(first % gx), by = unsigned(first / gx % gy), bz = unsigned(first / gx / gy);
    for (; first < last && !*stop; ++first) {
      blockIdx.x = bx;
      blockIdx.y = by;
      blockIdx.z = bz;
      run_block<WithSums, Regions>(tenon_value<P>(params[I])...);
      if (++bx == gx) {
        bx = 0;
        if (++by == gy) by = 0, ++bz;
      }
    }
    (void)params;
  }
  template <int Regions>
  static void tenon_by_blocks(void* const* params, unsigned long long first, unsigned long long last) {
    run_blocks<false, Regions>(params, first, last, all());
  }
#if TENON_ROWS
  // One row of threads along x, of the blocks [bx, bx + count); threadIdx.y, z and blockIdx.y, z select the row.
  static inline __attribute__((always_inline)) void run_row(unsigned bx, unsigned count, P... params) {
    tenon_row.refused = tenon_row.started = false;
    tenon_row.at = ~0ull;
    tenon_row.on = (unsigned long long)gridDim.x * blockDim.x < 1ull << 31;
    if (tenon_row.on) {
      blockIdx.x = bx;
      threadIdx.x = 0;
      F(params...);
      tenon_row.on = false;
      if (!tenon_row.refused) return;
    }
    const unsigned nx = blockDim.x, end = bx + count;
    for (; bx < end; ++bx)
      for (unsigned x = 0; x < nx; ++x) {
        blockIdx.x = bx;
        threadIdx.x = x;
        F(params...);
      }
  }
  template <size_t... I>
  static inline __attribute__((always_inline)) void run_rows(void* const* params, unsigned long long first,
                                                             unsigned long long last, tenon_list<I...>) {
    const unsigned gx = gridDim.x, gy = gridDim.y, nx = blockDim.x, ny = blockDim.y, nz = blockDim.z;
    const volatile int* stop = tenon_this_frame->stop;
    tenon_row.top = (size_t)__builtin_frame_address(0) + 256;
    while (first < last && !*stop) {
      const unsigned bx = unsigned(first % gx), count = unsigned(last - first < gx - bx ? last - first : gx - bx);
      blockIdx.y = unsigned(first / gx % gy);
      blockIdx.z = unsigned(first / gx / gy);
      tenon_row.first = (unsigned long long)bx * nx;
      tenon_row.last = (unsigned long long)(bx + count) * nx;
      for (unsigned z = 0; z < nz; ++z)
        for (unsigned y = 0; y < ny; ++y) {
          threadIdx.y = y;
          threadIdx.z = z;
          run_row(bx, count, tenon_value<P>(params[I])...);
        }
      first += count;
    }
    (void)params;
  }
  static void tenon_by_rows(void* const* params, unsigned long long first, unsigned long long last) {
    run_rows(params, first, last, all());
  }
  // Block after block, with the loops of tenon_sums.h. Once they have been refused, a copy of the code without them is
  // used.
  template <int Regions>
  static void tenon_with_sums(void* const* params, unsigned long long first, unsigned long long last) {
    const unsigned gx = gridDim.x;
    tenon_sums.top = (size_t)__builtin_frame_address(0) + 256;
    while (first < last && !tenon_sums.refused) {
      const unsigned bx = unsigned(first % gx), count = unsigned(last - first < gx - bx ? last - first : gx - bx);
      const unsigned long long end =
          tenon_sums.loop < 0 ? first + 1 : first + count;  // one block shows whether they can run early
      tenon_sums.limit = (unsigned long long)(bx + count) * blockDim.x;
      tenon_sums.on = true;
      run_blocks<true, Regions>(params, first, end, all());
      first = end;
    }
    tenon_sums.on = false;
    if (first < last) run_blocks<false, Regions>(params, first, last, all());
  }
  // Block after block, its threads in groups whose loops run side by side (tenon_beside.h), up to the loop Last.
  template <int Last, size_t... I>
  static inline __attribute__((always_inline)) void run_beside(void* const* params, unsigned long long first,
                                                               unsigned long long end, tenon_list<I...>) {
    const unsigned gx = gridDim.x, gy = gridDim.y, nx = blockDim.x, ny = blockDim.y, nz = blockDim.z;
    const volatile int* stop = tenon_this_frame->stop;
    tenon_beside_state& state = tenon_beside_at;
    state.last = Last;
    state.top = (size_t)__builtin_frame_address(0) + 256;
    for (; first < end && !*stop; ++first) {
      blockIdx.x = unsigned(first % gx), blockIdx.y = unsigned(first / gx % gy), blockIdx.z = unsigned(first / gx / gy);
      for (unsigned z = 0; z < nz; ++z)
        for (unsigned y = 0; y < ny; ++y)
          for (unsigned x = 0; x < nx; x += tenon_group) {
            const unsigned threads = nx - x < tenon_group ? nx - x : tenon_group;
            state.on = threads == tenon_group && state.short_groups < 4;
            state.first = x;
            for (unsigned& one : state.has) one = 0;
            for (unsigned left = (1u << threads) - 1; left;) {
              state.loop = -1, state.waiting = 0;
              for (unsigned lane = 0; lane < threads; ++lane) {
                if (!(left >> lane & 1)) continue;
                threadIdx.x = x + lane, threadIdx.y = y, threadIdx.z = z;
                state.lane = lane, state.passed = 0, state.stopped = false;
                F(tenon_value<P>(params[I])...);
                if (!state.stopped) left &= ~(1u << lane);
              }
              if (left) state.run();
            }
          }
    }
    state.on = false;
    (void)params;
  }
  template <int Last>
  static void tenon_beside_by_blocks(void* const* params, unsigned long long first, unsigned long long last) {
    run_beside<Last>(params, first, last, all());
  }
#endif
#endif
#if TENON_EXECUTION != 1
  template <size_t... I>
  static inline __attribute__((always_inline)) void run_thread(void* const* params, tenon_list<I...>) {
    F(tenon_value<P>(params[I])...);
    (void)params;
  }
  template <bool Sums> static inline __attribute__((always_inline)) void run(void* const* params) {
#if TENON_ROWS
    if (Sums) {  // a thread reaches the loops of tenon_sums.h before it switches to another thread
      tenon_sums.top = (size_t)__builtin_frame_address(0) + 256;
      tenon_sums.on = !tenon_sums.refused;
    }
#endif
    run_thread(params, all());
  }
#if TENON_EXECUTION == 2
  template <bool Sums> static __attribute__((noreturn)) void tenon_start(void*, tenon_fiber* me) {
    tenon_go_on_as(me);
    run<Sums>(tenon_this_ring->params);
    tenon_end_thread();
  }
#else
  template <bool Sums> static void tenon_thread(void* const* params, tenon_index at) {
    threadIdx.x = at.x;
    threadIdx.y = at.y;
    threadIdx.z = at.z;
    run<Sums>(params);
    tenon_end_thread();
  }
#endif
#endif
};

#if __cplusplus >= 201703L
template <class... P, void (*F)(P...) noexcept> struct tenon_entry<void (*)(P...) noexcept, F> {
  static_assert(!sizeof(F), "a kernel has no exception specification");
};
#endif

#define TENON_ENTRY_OF(member, ...) &tenon_entry<decltype(__VA_ARGS__), __VA_ARGS__>::member
#define TENON_ENTRY(index, ...)                                   \
  extern "C" __attribute__((__visibility__("default"), __used__)) \
  const tenon_entry_points tenon_cpu_kernel_##index = {__VA_ARGS__};
// Threads that never wait run one after the other, even if other kernels of the program need fibers (TENON_LOOPS).
#define TENON_KERNEL_LOOP(index, name, ...) \
  TENON_ENTRY(index, name, TENON_ENTRY_OF(template tenon_by_blocks<0>, __VA_ARGS__), nullptr, nullptr, 0, 0, 0)
#define TENON_KERNEL_LOOP_SUMS(index, name, ...) \
  TENON_ENTRY(index, name, TENON_ENTRY_OF(template tenon_with_sums<0>, __VA_ARGS__), nullptr, nullptr, 1, 0, 0)
#define TENON_KERNEL_LOOP_ROWS(index, name, ...) \
  TENON_ENTRY(index, name, TENON_ENTRY_OF(tenon_by_rows, __VA_ARGS__), nullptr, nullptr, 1, 0, 0)
#define TENON_KERNEL_LOOP_BESIDE(index, name, last, ...)                                                               \
  TENON_ENTRY(index, name, TENON_ENTRY_OF(template tenon_beside_by_blocks<last>, __VA_ARGS__), nullptr, nullptr, 0, 0, \
              1)
#define TENON_KERNEL_REGIONS(index, name, ...) \
  TENON_ENTRY(index, name, TENON_ENTRY_OF(template tenon_by_blocks<1>, __VA_ARGS__), nullptr, nullptr, 0, 1, 0)
#define TENON_KERNEL_REGIONS_LINES(index, name, ...) \
  TENON_ENTRY(index, name, TENON_ENTRY_OF(template tenon_by_blocks<2>, __VA_ARGS__), nullptr, nullptr, 0, 1, 0)
#define TENON_KERNEL_REGIONS_PLANES(index, name, ...) \
  TENON_ENTRY(index, name, TENON_ENTRY_OF(template tenon_by_blocks<3>, __VA_ARGS__), nullptr, nullptr, 0, 1, 0)
#define TENON_KERNEL_REGIONS_SUMS(index, name, ...) \
  TENON_ENTRY(index, name, TENON_ENTRY_OF(template tenon_with_sums<1>, __VA_ARGS__), nullptr, nullptr, 1, 1, 0)
// The blocks per cluster that a kernel is compiled for; 0: 1.
#define TENON_KERNEL_CLUSTER(index, ...)                                                                              \
  constexpr tenon_cluster_dims_of tenon_cluster_dims_##index = __VA_ARGS__;                                           \
  extern "C" __attribute__((__visibility__("default"), __used__))                                                     \
  const unsigned tenon_cpu_kernel_##index##_cluster[3] = {tenon_cluster_dims_##index.x, tenon_cluster_dims_##index.y, \
                                                          tenon_cluster_dims_##index.z};
// Records in the intermediate code which function is which kernel; compile/compiler/ir.cpp reads and removes it.
#if defined(__clang__)
#define TENON_KERNEL_IS(index, ...) extern "C" const decltype(__VA_ARGS__) tenon_kernel_is_##index = __VA_ARGS__;
#else
#define TENON_KERNEL_IS(index, ...)
#endif
#if TENON_EXECUTION == 2
#define TENON_KERNEL(index, name, ...) \
  TENON_ENTRY(index, name, nullptr, TENON_ENTRY_OF(template tenon_start<false>, __VA_ARGS__), nullptr, 0, 0, 0)
#define TENON_KERNEL_SUMS(index, name, ...) \
  TENON_ENTRY(index, name, nullptr, TENON_ENTRY_OF(template tenon_start<true>, __VA_ARGS__), nullptr, 1, 0, 0)
#elif TENON_EXECUTION == 3
#define TENON_KERNEL(index, name, ...) \
  TENON_ENTRY(index, name, nullptr, nullptr, TENON_ENTRY_OF(template tenon_thread<false>, __VA_ARGS__), 0, 0, 0)
#define TENON_KERNEL_SUMS(index, name, ...) \
  TENON_ENTRY(index, name, nullptr, nullptr, TENON_ENTRY_OF(template tenon_thread<true>, __VA_ARGS__), 1, 0, 0)
#endif

static __attribute__((unused)) TENON_NOT_CHECKED void tenon_bind(const tenon_runtime* runtime) {
  tenon_calls = runtime;
}
static __attribute__((unused)) TENON_NOT_CHECKED void tenon_enter(tenon_worker* worker, const tenon_frame* frame,
                                                                  void* state) {
  tenon_this_worker = worker;
  tenon_this_frame = frame;
#if TENON_EXECUTION == 2
  tenon_this_ring = (tenon_ring*)state;
#elif TENON_EXECUTION == 3
  tenon_this_schedule = (tenon_schedule*)state;
#endif
  (void)state;
  gridDim.x = frame->grid.x, gridDim.y = frame->grid.y, gridDim.z = frame->grid.z;
  blockDim.x = frame->block.x, blockDim.y = frame->block.y, blockDim.z = frame->block.z;
#if TENON_CHECK
  __asm__ volatile("" : : "r"(tenon_room));
  tenon_own = tenon_calls->own_memory(worker);
  tenon_window_offset = (unsigned long)tenon_window - tenon_own.first;
#elif !TENON_SPINS
  // Blocks of a cluster run on host threads of their own and reach each other's shared memory.
  tenon_block_memory = frame->clusters ? tenon_extent{} : tenon_calls->own_memory(worker);
#endif
#if !TENON_PROBE
  if (frame->clusters) tenon_cluster_memory = tenon_calls->own_memory(worker);
#endif
#if TENON_ROWS
  tenon_reset_sums();
  tenon_row.on = tenon_beside_at.on = false;  // a fault may have ended the launch before
  tenon_beside_at.short_groups = 0;
#endif
}
static __attribute__((unused)) TENON_NOT_CHECKED void tenon_start_block(tenon_index at, unsigned long long left) {
  blockIdx.x = at.x, blockIdx.y = at.y, blockIdx.z = at.z;
  if (tenon_named[16])
    for (unsigned long long& one : tenon_named) one = 0;
#if TENON_ROWS
  tenon_sums.limit = (at.x + (left < gridDim.x - at.x ? left : gridDim.x - at.x)) * blockDim.x;
#endif
  (void)left;
}
static __attribute__((unused)) TENON_NOT_CHECKED void tenon_where(tenon_index* block, tenon_index* thread) {
  *block = tenon_index{blockIdx.x, blockIdx.y, blockIdx.z};
  *thread = tenon_index{threadIdx.x, threadIdx.y, threadIdx.z};
}

static __attribute__((unused)) TENON_NOT_CHECKED unsigned char* tenon_window_here() { return tenon_window; }

static constexpr unsigned tenon_module_flags = 0
#if TENON_REVERSE
                                               | TENON_MODULE_REVERSE
#endif
#if TENON_CHECK
                                               | TENON_MODULE_CHECK
#endif
#if TENON_ANY_RACE
                                               | TENON_MODULE_ANY_RACE
#endif
#if TENON_ANY_LANE
                                               | TENON_MODULE_ANY_LANE
#endif
#if TENON_ANY_BARRIER
                                               | TENON_MODULE_ANY_BARRIER
#endif
#if TENON_ANY_LEAK
                                               | TENON_MODULE_ANY_LEAK
#endif
#if TENON_IN_TURN
                                               | TENON_MODULE_IN_TURN
#endif
    ;

#define TENON_MODULE                                                                                      \
  extern "C" __attribute__((__visibility__("default"), __used__)) const tenon_module tenon_cpu_module = { \
      TENON_MODULE_ABI,  TENON_EXECUTION, tenon_module_flags, 0, tenon_bind, tenon_enter,                 \
      tenon_start_block, tenon_where,     tenon_window_here};

#endif

// Memory for `extern __shared__` arrays; the linker drops it if there are none. (Some kernels swizzle rows by the bits
// of their addresses, and rely on an alignment of 1024 bytes.)
extern "C" {
TENON_HIDDEN __attribute__((aligned(1024))) __thread unsigned char tenon_dynamic_shared[TENON_DYNAMIC_SHARED];
}

#endif
