// shim/tenon_stretch.h: what happens now and then while a kernel runs. The compiler puts a call into every stretch of
// code that runs in one go (-fsanitize-coverage=trace-pc), so a loop comes by here each time round. Neither a signal
// nor a thread is needed. In the checked mode the clock is asked; in a text whose threads may spin until another one
// has done something (TENON_SPINS, scheduled fibers) the other threads of the block come to their turn.
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
