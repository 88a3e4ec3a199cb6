// shim/tenon_check.h: the checked mode. The compiler puts a test before what would be undefined and calls one of these, each
// with the place in the text; the launch then ends with that place, the block and the thread.
#ifndef TENON_CHECK_H
#define TENON_CHECK_H
#if TENON_CHECK

// The watchdog. The compiler puts a call into every stretch of code that runs in one go, so a loop comes by here each time round;
// the clock is asked every few thousand times. Neither a signal nor a thread is needed, and a fault here is one like any other.
#if defined(__clang__)
#define TENON_NOT_WATCHED __attribute__((no_sanitize("coverage")))
#else
#define TENON_NOT_WATCHED __attribute__((no_sanitize_coverage))
#endif
static __thread unsigned tenon_stretches;
static __attribute__((noinline, cold, unused)) TENON_NOT_WATCHED void tenon_look_at_clock() {
  tenon_calls->look_at_clock(tenon_this_worker, tenon_index{blockIdx.x, blockIdx.y, blockIdx.z},
                             tenon_index{threadIdx.x, threadIdx.y, threadIdx.z});
}
extern "C" TENON_HIDDEN __attribute__((used)) TENON_NOT_WATCHED void __sanitizer_cov_trace_pc() {
  if (__builtin_expect((++tenon_stretches & 0x3fff) == 0, 0)) tenon_look_at_clock();
}

// The beginning of what compilers pass.
struct tenon_place {
  const char* file;
  unsigned line, column;
};
static __attribute__((noinline, cold, noreturn, unused)) void tenon_undefined(const void* data, const char* what) {
  const tenon_place* place = (const tenon_place*)data;
  tenon_fault(what, place->file ? place->file : "", (int)place->line);
}
extern "C" {
#define TENON_UNDEFINED(name, what, ...)                                                                                 \
  TENON_HIDDEN __attribute__((used, noreturn)) void __ubsan_handle_##name(const void* data, ##__VA_ARGS__) {    \
    tenon_undefined(data, what);                                                                                         \
  }
TENON_UNDEFINED(add_overflow_abort, "integer overflow in an addition", size_t, size_t)
TENON_UNDEFINED(sub_overflow_abort, "integer overflow in a subtraction", size_t, size_t)
TENON_UNDEFINED(mul_overflow_abort, "integer overflow in a multiplication", size_t, size_t)
TENON_UNDEFINED(negate_overflow_abort, "integer overflow in a negation", size_t)
TENON_UNDEFINED(divrem_overflow_abort, "integer division by zero, or its result does not fit", size_t, size_t)
TENON_UNDEFINED(shift_out_of_bounds_abort, "shift by a distance out of range, or of a negative number to the left", size_t, size_t)
TENON_UNDEFINED(out_of_bounds_abort, "array index out of bounds", size_t)
TENON_UNDEFINED(vla_bound_not_positive_abort, "array of no or negative length", size_t)
TENON_UNDEFINED(load_invalid_value_abort, "a bool or enum holds a value that its type has not", size_t)
TENON_UNDEFINED(pointer_overflow_abort, "address arithmetic beyond the address space", size_t, size_t)
TENON_UNDEFINED(builtin_unreachable, "a place was reached that was said to be unreachable")
TENON_UNDEFINED(missing_return, "a function that returns a value ended without return")
TENON_UNDEFINED(nonnull_arg_abort, "a null pointer was passed where none is allowed")
#undef TENON_UNDEFINED
// The kind of a type mismatch follows from the address: null, or not aligned for its type.
TENON_HIDDEN __attribute__((used, noreturn)) void __ubsan_handle_type_mismatch_v1_abort(const void* data, size_t address) {
  tenon_undefined(data, address ? "access to an address that is not aligned for its type" : "access through a null pointer");
}
}

#endif
#endif
