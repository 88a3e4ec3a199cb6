// shim/language/tenon_check.h: the checked mode. The compiler inserts a test before each operation that may be
// undefined; if it fails, one of these functions is called with the place in the text, and the launch fails with that
// place, the block and the thread.
#ifndef TENON_CHECK_H
#define TENON_CHECK_H
#if TENON_CHECK || TENON_SPINS
// The shim's own accesses are not checked: some of them are made outside of kernels.
#if defined(__clang__)
#define TENON_NOT_CHECKED __attribute__((no_sanitize("address", "kernel-address", "coverage")))
#else
#define TENON_NOT_CHECKED __attribute__((no_sanitize_address, no_sanitize("kernel-address"), no_sanitize_coverage))
#endif
#else
#define TENON_NOT_CHECKED
#endif
#if TENON_CHECK

// The watchdog (tenon_stretch.h). Exceeding the time limit is a fault like any other.
static __attribute__((noinline, cold, unused)) TENON_NOT_CHECKED void tenon_look_at_clock() {
  tenon_calls->look_at_clock(tenon_this_worker, tenon_index{blockIdx.x, blockIdx.y, blockIdx.z},
                             tenon_index{threadIdx.x, threadIdx.y, threadIdx.z});
}

// Accesses. The compiler calls these functions before each access that it cannot prove valid (the instrumentation of
// AddressSanitizer, without its shadow memory and run-time library). Errors are accesses just outside an array argument
// or a shared variable. So the library checks accesses that are near an array but in none, and all accesses to the
// module's thread-local memory, which contains the shared memory.
#define TENON_NEAR 65536ul
TENON_STATE __thread tenon_extent tenon_own;
// The only initialised thread-local variable, which the linker therefore puts first. It is unused: it leaves room in
// front of the other variables.
extern "C" {
static __thread unsigned char tenon_room[64] __attribute__((used)) = {1};
}
// Whether the address belongs to this module's memory of a block of the cluster.
static __thread unsigned long tenon_window_offset;  // of tenon_window in that memory
static __attribute__((noinline, unused)) TENON_NOT_CHECKED bool tenon_in_cluster(unsigned long address) {
  const tenon_frame* frame = tenon_this_frame;
  const unsigned long bytes = tenon_own.last - tenon_own.first;
  bool in = false;
  for (unsigned rank = 0; rank < frame->cluster.x * frame->cluster.y * frame->cluster.z; ++rank)
    in |= address - ((unsigned long)frame->windows[rank] - tenon_window_offset) < bytes;
  return in;
}
static __attribute__((noinline, unused)) TENON_NOT_CHECKED void tenon_look_at_access(unsigned long address,
                                                                                     unsigned long bytes, int kind) {
  bool look = address >= tenon_own.first && address < tenon_own.last;
  if (!look && tenon_this_frame && tenon_this_frame->clusters) look = tenon_in_cluster(address);
  if (!look) {
    const tenon_frame* frame = tenon_this_frame;
    if (!frame) return;
    const unsigned count = __atomic_load_n(&frame->extent_count, __ATOMIC_RELAXED);
    for (unsigned k = 0; k < count; ++k) {
      const tenon_extent* extent = frame->extents + k;
      if (address >= extent->first && address + bytes <= extent->last) return;
      look |= address + bytes + TENON_NEAR > extent->first && address < extent->last + TENON_NEAR;
    }
  }
  if (look)
    tenon_calls->look_at_access(tenon_this_worker, address, bytes, kind,
                                tenon_index{blockIdx.x, blockIdx.y, blockIdx.z},
                                tenon_index{threadIdx.x, threadIdx.y, threadIdx.z});
}
// While it exists, accesses to this address count as atomic.
static __thread const volatile void* tenon_atomic_at;
struct tenon_atomically {
  TENON_MEMBER explicit tenon_atomically(const volatile void* at) {
    tenon_atomic_at = at;
    __asm__ volatile("" : : : "memory");
  }
  TENON_MEMBER ~tenon_atomically() {
    __asm__ volatile("" : : : "memory");
    tenon_atomic_at = nullptr;
  }
};
#define TENON_ATOMICALLY(at) tenon_atomically tenon_this_atomic(at)
static __attribute__((unused)) TENON_NOT_CHECKED int tenon_kind(unsigned long address, int writes) {
  return address == (unsigned long)tenon_atomic_at ? 2 : writes;
}
static __attribute__((noinline, unused)) TENON_NOT_CHECKED void tenon_fence() {
  if (tenon_this_worker) tenon_calls->fence(tenon_this_worker);
}
#define TENON_CHECKER TENON_HIDDEN __attribute__((used)) TENON_NOT_CHECKED
extern "C" {
#define TENON_ACCESS(bytes)                                                                                       \
  TENON_CHECKER void __asan_load##bytes(unsigned long at) { tenon_look_at_access(at, bytes, tenon_kind(at, 0)); } \
  TENON_CHECKER void __asan_store##bytes(unsigned long at) { tenon_look_at_access(at, bytes, tenon_kind(at, 1)); }
TENON_ACCESS(1)
TENON_ACCESS(2)
TENON_ACCESS(4)
TENON_ACCESS(8)
TENON_ACCESS(16)
#undef TENON_ACCESS
TENON_CHECKER void __asan_loadN(unsigned long at, unsigned long bytes) {
  tenon_look_at_access(at, bytes, tenon_kind(at, 0));
}
TENON_CHECKER void __asan_storeN(unsigned long at, unsigned long bytes) {
  tenon_look_at_access(at, bytes, tenon_kind(at, 1));
}
TENON_CHECKER void __asan_handle_no_return() {}

// Copies of structs are calls of memcpy too; the linker redirects them here (--wrap). These functions call no other: in
// a process with AddressSanitizer, libc's would be checked by it, and it does not know the stacks of a block's threads.
TENON_CHECKER void* __wrap_memcpy(void* to, const void* from, size_t bytes) {
  if (bytes) tenon_look_at_access((unsigned long)from, bytes, 0), tenon_look_at_access((unsigned long)to, bytes, 1);
  void* at = to;
  __asm__ volatile("rep movsb" : "+D"(at), "+S"(from), "+c"(bytes) : : "memory");
  return to;
}
TENON_CHECKER void* __wrap_memmove(void* to, const void* from, size_t bytes) {
  if ((size_t)to - (size_t)from >= bytes)
    return __wrap_memcpy(to, from, bytes);  // when copying forwards, no byte is read after it was overwritten
  tenon_look_at_access((unsigned long)from, bytes, 0), tenon_look_at_access((unsigned long)to, bytes, 1);
  char* at = (char*)to + bytes - 1;
  const char* end = (const char*)from + bytes - 1;
  __asm__ volatile("std\n\trep movsb\n\tcld" : "+D"(at), "+S"(end), "+c"(bytes) : : "memory", "cc");
  return to;
}
TENON_CHECKER void* __wrap_memset(void* to, int value, size_t bytes) {
  if (bytes) tenon_look_at_access((unsigned long)to, bytes, 1);
  void* at = to;
  __asm__ volatile("rep stosb" : "+D"(at), "+c"(bytes) : "a"(value) : "memory");
  return to;
}
}
#undef TENON_CHECKER

// The first members of the structs that compilers pass.
struct tenon_place {
  const char* file;
  unsigned line, column;
};
static __attribute__((noinline, cold, noreturn, unused)) void tenon_undefined(const void* data, const char* what) {
  const tenon_place* place = (const tenon_place*)data;
  const bool known =
      // A line of this file, wherever it was precompiled, means nothing to the user.
      place->file && !__builtin_strstr(place->file, "/tenon_cuda.h");
  tenon_fault(what, known ? place->file : "", known ? (int)place->line : 0);
}
extern "C" {
#define TENON_UNDEFINED(name, what, ...)                                                                     \
  TENON_HIDDEN __attribute__((used, noreturn)) void __ubsan_handle_##name(const void* data, ##__VA_ARGS__) { \
    tenon_undefined(data, what);                                                                             \
  }
TENON_UNDEFINED(add_overflow_abort, "integer overflow in an addition", size_t, size_t)
TENON_UNDEFINED(sub_overflow_abort, "integer overflow in a subtraction", size_t, size_t)
TENON_UNDEFINED(mul_overflow_abort, "integer overflow in a multiplication", size_t, size_t)
TENON_UNDEFINED(negate_overflow_abort, "integer overflow in a negation", size_t)
TENON_UNDEFINED(divrem_overflow_abort, "integer division by zero, or its result does not fit", size_t, size_t)
TENON_UNDEFINED(shift_out_of_bounds_abort, "shift by a distance out of range", size_t, size_t)
TENON_UNDEFINED(float_cast_overflow_abort, "a number is converted to an integer type that cannot hold it", size_t)
TENON_UNDEFINED(out_of_bounds_abort, "array index out of bounds", size_t)
TENON_UNDEFINED(vla_bound_not_positive_abort, "array of no or negative length", size_t)
TENON_UNDEFINED(load_invalid_value_abort, "a bool or enum holds a value that its type has not", size_t)
TENON_UNDEFINED(pointer_overflow_abort, "address arithmetic beyond the address space", size_t, size_t)
TENON_UNDEFINED(builtin_unreachable, "a place was reached that was said to be unreachable")
TENON_UNDEFINED(missing_return, "a function that returns a value ended without return")
TENON_UNDEFINED(nonnull_arg_abort, "a null pointer was passed where none is allowed")
#undef TENON_UNDEFINED
// The address shows the kind of a type mismatch: null, or misaligned.
TENON_HIDDEN __attribute__((used, noreturn)) void __ubsan_handle_type_mismatch_v1_abort(const void* data,
                                                                                        size_t address) {
  tenon_undefined(data,
                  address ? "access to an address that is not aligned for its type" : "access through a null pointer");
}
}

#else
#define TENON_ATOMICALLY(at) ((void)0)
#endif
#endif
