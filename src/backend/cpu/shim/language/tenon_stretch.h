// shim/language/tenon_stretch.h: periodic work while a kernel runs. The compiler inserts a call into every basic block
// (-fsanitize-coverage=trace-pc), so every iteration of a loop calls it; no signal and no thread are needed. In the
// checked mode it tests the time limit; in a text whose threads may spin until another thread has done something
// (TENON_SPINS, scheduled fibers) it lets the other threads of the block run.
#ifndef TENON_STRETCH_H
#define TENON_STRETCH_H
#if TENON_CHECK || TENON_SPINS

#if TENON_SPINS
static __attribute__((noinline, unused)) TENON_NOT_CHECKED void tenon_yield() {
  const uint3 mine = threadIdx;
  tenon_calls->yield(tenon_this_worker);
  threadIdx = mine;
}
#endif

static __thread unsigned tenon_stretches;
extern "C" TENON_HIDDEN __attribute__((used)) TENON_NOT_CHECKED void __sanitizer_cov_trace_pc() {
  if (__builtin_expect((++tenon_stretches & 0x3ff) != 0, 1)) return;
#if TENON_CHECK
  if ((tenon_stretches & 0x3fff) == 0) tenon_look_at_clock();
#endif
#if TENON_SPINS
  __asm__ volatile(".weak tenon_uses_scheduler\n\t.set tenon_uses_scheduler, 1");
  tenon_yield();
#endif
}

#endif
#endif
