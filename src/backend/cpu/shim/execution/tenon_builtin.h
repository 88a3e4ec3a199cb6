// shim/execution/tenon_builtin.h: threadIdx and its kin, faults, printf, clocks, and the grid-stride macro.
#ifndef TENON_BUILTIN_H
#define TENON_BUILTIN_H

#if !TENON_PROBE
// Thread-local, with internal linkage, and their address is never taken: so the compiler can prove that nothing else
// changes them, which allows it to vectorise the loop over the threads of a block. (dim3 has constructors, so its three
// numbers are stored.)
#if TENON_EXECUTION == 2
// In a ring it changes at every barrier; 16 bytes are copied by one instruction.
struct __attribute__((aligned(16))) tenon_thread_index : uint3 {
  unsigned spare;
  using uint3::operator=;
};
TENON_STATE __thread tenon_thread_index threadIdx;
#else
TENON_STATE __thread uint3 threadIdx;
#endif
TENON_STATE __thread uint3 blockIdx;
struct tenon_dimensions {
  unsigned x, y, z;
  constexpr operator dim3() const { return dim3(x, y, z); }
  constexpr operator uint3() const { return uint3{x, y, z}; }
};
TENON_STATE __thread tenon_dimensions blockDim, gridDim;
TENON_STATE __thread tenon_worker* tenon_this_worker;
TENON_STATE __thread const tenon_frame* tenon_this_frame;
TENON_STATE const tenon_runtime* tenon_calls;
static __attribute__((noinline, cold, noreturn, unused)) void tenon_fault(const char* what, const char* file, int line);
#endif
static constexpr int warpSize = TENON_WARP;

#include "tenon_rows.h"
#include "tenon_sums.h"
#include "tenon_beside.h"

#if TENON_PROBE
TENON_INLINE void tenon_fault(const char*, const char*, int) {
  if (TENON_PROBE == 1 && tenon_phase == 0)
    __builtin_unreachable();  // also ends the kernel for the other threads of a row
  tenon_probe_fault();
}
#else
static __attribute__((noinline, cold, noreturn, unused)) void tenon_fault(const char* what, const char* file,
                                                                          int line) {
#if TENON_ROWS
  if (tenon_row.on && tenon_row.at != ~0ull) {
    const unsigned thread = (unsigned)(tenon_row.at % ((unsigned long long)gridDim.x * blockDim.x));
    blockIdx.x = thread / blockDim.x;
    threadIdx.x = thread % blockDim.x;
  }
#endif
  tenon_calls->fault(tenon_this_worker, what, file, line, tenon_index{blockIdx.x, blockIdx.y, blockIdx.z},
                     tenon_index{threadIdx.x, threadIdx.y, threadIdx.z});
  __builtin_unreachable();
}
#endif

#ifdef NDEBUG
#define assert(e) ((void)0)
#else
#define assert(...) ((__VA_ARGS__) ? (void)0 : tenon_fault("assertion failed: " #__VA_ARGS__, __FILE__, __LINE__))
#endif
#define __trap() tenon_fault("__trap()", __FILE__, __LINE__)
#define __brkpt() ((void)0)
#define __prof_trigger(counter) ((void)0)
#if !defined(__clang__)
#define __builtin_assume(condition) ((void)0)
#endif
// On the CPU a launch begins after the previous one has ended.
#define cudaGridDependencySynchronize() ((void)0)
#define cudaTriggerProgrammaticLaunchCompletion() ((void)0)

extern "C" {
int vprintf(const char* format, __builtin_va_list arguments);
// CUDA's printf returns the number of arguments, or -1 without a format.
int printf(const char* format, ...) __asm__("tenon_printf") __attribute__((format(printf, 1, 2)));
TENON_HIDDEN int printf(const char* format, ...) {
  __asm__("" : "+r"(format));  // g++ assumes that printf gets a format
  if (!format) return -1;
  __builtin_va_list arguments;
  __builtin_va_start(arguments, format);
  vprintf(format, arguments);
  __builtin_va_end(arguments);
  int taken = 0;
  for (const char* at = format; *at; ++at) {
    if (*at != '%') continue;
    for (++at; *at && __builtin_strchr("-+ #0123456789.*", *at); ++at) taken += *at == '*';
    if (!*at) break;
    taken += *at != '%';
  }
  return taken;
}
void* memcpy(void* to, const void* from, size_t bytes);
void* memset(void* to, int value, size_t bytes);
}

TENON_INLINE unsigned tenon_linear_thread() {
  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
TENON_INLINE unsigned tenon_lane() { return tenon_linear_thread() % TENON_WARP; }

#if defined(__x86_64__)
TENON_INLINE long long clock64() { return (long long)__builtin_ia32_rdtsc(); }
#else
extern "C" clock_t tenon_libc_clock() __asm__("clock");
TENON_INLINE long long clock64() { return tenon_libc_clock(); }
#endif
TENON_INLINE clock_t clock() { return (clock_t)(int)clock64(); }
TENON_INLINE void __nanosleep(unsigned) {}

#if TENON_CHECK
static void tenon_fence();  // tenon_check.h
#else
TENON_INLINE void tenon_fence() {}
#endif
TENON_INLINE void __threadfence() { __atomic_thread_fence(__ATOMIC_SEQ_CST), tenon_fence(); }
TENON_INLINE void __threadfence_system() { __threadfence(); }
TENON_INLINE void __threadfence_block() { __atomic_signal_fence(__ATOMIC_SEQ_CST), tenon_fence(); }

// TENON_GRID_STRIDE(i, n) { y[i] = a * x[i]; }: a loop over [0, n) shared by all threads of a 1-D grid. Here each
// thread takes one contiguous part; a strided one would walk the memory with a page-sized step.
TENON_INLINE size_t tenon_share(size_t n, size_t thread) {
  size_t threads = (size_t)gridDim.x * blockDim.x, part = (n + threads - 1) / threads, at = part * thread;
  return at < n ? at : n;
}
TENON_INLINE size_t tenon_grid_thread() { return (size_t)blockIdx.x * blockDim.x + threadIdx.x; }
#define TENON_GRID_STRIDE(i, n)                                                  \
  for (size_t i = tenon_share((size_t)(n), tenon_grid_thread()),                 \
              tenon_end_##i = tenon_share((size_t)(n), tenon_grid_thread() + 1); \
       i < tenon_end_##i; ++i)

#endif
