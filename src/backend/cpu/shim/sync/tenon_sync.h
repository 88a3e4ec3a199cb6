// shim/sync/tenon_sync.h: barriers of the block, operations of the warp.
//
// A module is compiled for one execution mode. Operations that a mode does not support are declared but not defined:
// the library searches the object file for these names, and then chooses a mode that supports them. Unused inline
// functions leave no trace.
#ifndef TENON_SYNC_H
#define TENON_SYNC_H

#if defined(__clang__)
#define TENON_CONVERGENT __attribute__((convergent))
#else
#define TENON_CONVERGENT
#endif

extern "C" {
unsigned tenon_needs_fibers(int, int) TENON_CONVERGENT;
unsigned long long tenon_needs_scheduler(int, unsigned, unsigned long long, unsigned, unsigned) TENON_CONVERGENT;
}

#if TENON_EXECUTION != 1
// Switches from this stack to another one. Returns when a thread switches back, with the `to` of that switch. All
// registers that a compiler may use are clobbered, so it spills exactly those that are alive: also k0, in which g++
// keeps integers, the x87 registers (long double), and the sixteen additional ones of APX. The control words of SSE and
// x87 are the same for all threads, because a kernel cannot change them. (These modes are compiled without a red zone
// below the stack pointer.)
TENON_INLINE void** tenon_hand_over(void** from, void** to) {
  __asm__ volatile(
      "pushq %%rbp\n\t"
      "leaq 1f(%%rip), %%rax\n\t"
      "pushq %%rax\n\t"
      "movq %%rsp, (%0)\n\t"
      "movq (%1), %%rsp\n\t"
      "popq %%rax\n\t"
      "jmpq *%%rax\n"
      "1:\n\t"
      "popq %%rbp\n\t"
      : "+D"(from), "+S"(to)
      :
      : "rax", "rbx", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "memory", "cc", "xmm0",
        "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13",
        "xmm14", "xmm15", "st", "st(1)", "st(2)", "st(3)", "st(4)", "st(5)", "st(6)", "st(7)", "mm0", "mm1", "mm2",
        "mm3", "mm4", "mm5", "mm6", "mm7"
#ifdef __AVX512F__
        ,
        "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", "xmm24", "xmm25", "xmm26", "xmm27",
        "xmm28", "xmm29", "xmm30", "xmm31", "k0", "k1", "k2", "k3", "k4", "k5", "k6", "k7"
#endif
#ifdef __APX_F__
        ,
        "r16", "r17", "r18", "r19", "r20", "r21", "r22", "r23", "r24", "r25", "r26", "r27", "r28", "r29", "r30", "r31"
#endif
  );
  return to;
}
// Switches for good. (Threads of these modes jump instead of returning: a processor predicts returns in the opposite
// order of the calls, but the threads of a block would return in the same order.)
TENON_INLINE __attribute__((noreturn)) void tenon_go_to(void** to) {
  __asm__ volatile(
      "movq (%0), %%rsp\n\t"
      "popq %%rax\n\t"
      "jmpq *%%rax\n"
      :
      : "S"(to)
      : "rax", "memory");
  __builtin_unreachable();
}
#endif

// Fibers in a ring only have plain barriers. A probe is compiled as a loop over threads and has to report the same.
#if TENON_EXECUTION < 3

#define TENON_BLOCK(op, predicate) ((unsigned)tenon_needs_scheduler(op, 0, (unsigned long long)(predicate), 0, 0))
#define TENON_LANES(op, mask, value, argument, width) tenon_needs_scheduler(op, mask, value, argument, width)

#endif

#if TENON_EXECUTION == 1

TENON_INLINE void __syncthreads() { tenon_needs_fibers(TENON_BLOCK_SYNC, 0); }

#elif TENON_EXECUTION == 2

TENON_STATE __thread tenon_ring* tenon_this_ring;
TENON_STATE __thread tenon_fiber* tenon_this_fiber;

typedef unsigned tenon_sixteen_bytes __attribute__((vector_size(16), aligned(8), may_alias));

// Makes the resumed thread the current one: its fiber and its threadIdx.
TENON_INLINE void tenon_go_on_as(tenon_fiber* fiber) {
  tenon_this_fiber = fiber;
  *(tenon_sixteen_bytes*)&threadIdx = *(const tenon_sixteen_bytes*)&fiber->thread;
}

// Each live thread of the block runs to its next barrier, then the next one of the ring resumes. A resumed thread gets
// its fiber in a register: passing it through memory would take three times as long. The words copied here are most of
// the cost of short regions between barriers (about 10 cycles per thread), so no more are copied than necessary.
TENON_INLINE void __syncthreads() {
  tenon_fiber* from = tenon_this_fiber;
  tenon_fiber* to = from->next;
  const char* soon = (const char*)to->next->sp;
  __builtin_prefetch(soon);
  __asm__ volatile(".weak tenon_uses_ring\n\t.set tenon_uses_ring, 1");
  to = (tenon_fiber*)tenon_hand_over(&from->sp, &to->sp);
  tenon_go_on_as(to);
}

// Ends the thread: removes it from the ring.
TENON_INLINE __attribute__((noreturn)) void tenon_end_thread() {
  tenon_ring* ring = tenon_this_ring;
  tenon_fiber* to = tenon_this_fiber->next;
  if (--ring->live == 0) tenon_calls->block_done(tenon_this_worker);
  tenon_fiber* before = tenon_this_fiber->previous;
  before->next = to;
  to->previous = before;
  tenon_go_to(&to->sp);
}

#else

TENON_STATE __thread tenon_schedule* tenon_this_schedule;

// The scheduler may run other threads of the block, which change threadIdx.
static __attribute__((noinline, unused)) TENON_CONVERGENT unsigned tenon_schedule_block(int op, int predicate,
                                                                                        int place) {
  const uint3 mine = threadIdx;
  unsigned result = tenon_calls->block(tenon_this_worker, op, predicate, place);
  threadIdx = mine;
  return result;
}
static __attribute__((noinline, unused)) TENON_CONVERGENT unsigned long long tenon_schedule_warp(
    int op, unsigned mask, unsigned long long value, unsigned argument, unsigned width) {
  __asm__ volatile(".weak tenon_uses_scheduler\n\t.set tenon_uses_scheduler, 1");
  const uint3 mine = threadIdx;
  unsigned long long result =
      tenon_calls->warp(tenon_this_worker, op, mask, value, argument, width, __builtin_return_address(0));
  threadIdx = mine;
  return result;
}

// Usually a waiting thread is not the last one to arrive, and others of its warp can run: it then switches to the next
// one of those itself, as the scheduler would. Returns that thread's bit, or 0. (A checked module always calls the
// scheduler. So does a module whose threads may be suspended at any point, this code included.)
#if TENON_CHECK || TENON_DEBUG || TENON_SPINS
#define TENON_NEXT_LANE(warp) 0u
#elif TENON_REVERSE
#define TENON_NEXT_LANE(warp) ((warp)->ready ? 0x80000000u >> __builtin_clz((warp)->ready) : 0u)
#else
#define TENON_NEXT_LANE(warp) ((warp)->ready & -(warp)->ready)
#endif
TENON_INLINE void** tenon_next_place(tenon_schedule* turn, tenon_warp_state* warp, unsigned next_bit) {
  warp->ready &= ~next_bit;
  warp->started |= next_bit;
  turn->current = (turn->current & ~31u) | (unsigned)__builtin_ctz(next_bit);
  return turn->saved + turn->current;
}
TENON_INLINE void tenon_hand_over_to(tenon_schedule* turn, tenon_warp_state* warp, unsigned next_bit) {
  const uint3 mine = threadIdx;
  void** from = turn->saved + turn->current;
  tenon_hand_over(from, tenon_next_place(turn, warp, next_bit));
  threadIdx = mine;
}
// Ends the thread. Returns if other threads wait for its end.
TENON_INLINE void tenon_end_thread() {
  tenon_schedule* turn = tenon_this_schedule;
  tenon_warp_state* warp = turn->warps + turn->current / TENON_WARP;
  const unsigned next = TENON_NEXT_LANE(warp);
  if (!next || warp->in_warp_op || turn->arrived) return;
  warp->alive &= ~(1u << turn->current % TENON_WARP);
  --turn->live;
  tenon_go_to(tenon_next_place(turn, warp, next));
}
TENON_INLINE TENON_CONVERGENT unsigned tenon_block(int op, int predicate, int place) {
  __asm__ volatile(".weak tenon_uses_ring\n\t.set tenon_uses_ring, 1");
  tenon_schedule* turn = tenon_this_schedule;
  const unsigned self = turn->current;
  tenon_warp_state* warp = turn->warps + self / TENON_WARP;
  if (op == TENON_BLOCK_SYNC && turn->arrived && turn->barrier_op == op && turn->arrived + 1 < turn->live) {
    if (const unsigned next = TENON_NEXT_LANE(warp)) {
      ++turn->arrived;
      warp->at_barrier |= 1u << self % TENON_WARP;
      tenon_hand_over_to(turn, warp, next);
      return 0;
    }
  }
  return tenon_schedule_block(op, predicate, place);
}
TENON_INLINE TENON_CONVERGENT unsigned tenon_count_block(int op, int predicate, int place) {
  __asm__ volatile(".weak tenon_uses_scheduler\n\t.set tenon_uses_scheduler, 1");
  return tenon_block(op, predicate, place);
}
TENON_INLINE TENON_CONVERGENT unsigned long long tenon_lanes(int op, unsigned mask, unsigned long long value,
                                                             unsigned argument, unsigned width) {
  tenon_schedule* turn = tenon_this_schedule;
  const unsigned self = turn->current, bit = 1u << self % TENON_WARP;
  tenon_warp_state* warp = turn->warps + self / TENON_WARP;
  const unsigned waiting = warp->in_warp_op | bit, need = mask & warp->alive;
  if (op != TENON_WARP_ACTIVE && (mask & bit) && width - 1 < TENON_WARP && !(width & (width - 1)) &&
      (waiting & need) != need) {
    if (const unsigned next = TENON_NEXT_LANE(warp)) {
      turn->lanes[self] = tenon_lane_state{value, nullptr, mask, argument, width, op};
      warp->in_warp_op = waiting;
      tenon_hand_over_to(turn, warp, next);
      return turn->lanes[self].value;
    }
  }
  return tenon_schedule_warp(op, mask, value, argument, width);
}
#define TENON_BLOCK(op, predicate) tenon_count_block(op, predicate, 0)
#define TENON_LANES(op, mask, value, argument, width) tenon_lanes(op, mask, value, argument, width)
#if defined(__clang__)
#define TENON_COLUMN __builtin_COLUMN()
#else
#define TENON_COLUMN 0
#endif
TENON_INLINE void __syncthreads(int line = __builtin_LINE(), int column = TENON_COLUMN) {
  tenon_block(TENON_BLOCK_SYNC, 0, (line & 0xffffff) | (column < 127 ? column : 127) << 24);
}

#endif

// These two are functions, for headers that a program includes: macros of a text may be expanded before its mode is
// known (compile/source/text.cpp).
TENON_INLINE TENON_CONVERGENT unsigned tenon_block_step(int op, int predicate) {
  return (unsigned)TENON_BLOCK(op, predicate);
}
TENON_INLINE TENON_CONVERGENT unsigned long long tenon_warp_step(int op, unsigned mask, unsigned long long value,
                                                                 unsigned argument, unsigned width) {
  return TENON_LANES(op, mask, value, argument, width);
}

TENON_INLINE int __syncthreads_count(int predicate) { return (int)TENON_BLOCK(TENON_BLOCK_COUNT, predicate); }
TENON_INLINE int __syncthreads_and(int predicate) { return (int)TENON_BLOCK(TENON_BLOCK_AND, predicate); }
TENON_INLINE int __syncthreads_or(int predicate) { return (int)TENON_BLOCK(TENON_BLOCK_OR, predicate); }
TENON_INLINE void __barrier_sync(unsigned) { __syncthreads(); }
TENON_INLINE void __syncwarp(unsigned mask = 0xffffffffu) { TENON_LANES(TENON_WARP_SYNC, mask, 0, 0, TENON_WARP); }

// The argument and result types of CUDA's shuffles: small integers and enumerations become int, other types are errors.
// The headers of half and bfloat16 add theirs.
int tenon_shuffled(int);
unsigned tenon_shuffled(unsigned);
long tenon_shuffled(long);
unsigned long tenon_shuffled(unsigned long);
long long tenon_shuffled(long long);
unsigned long long tenon_shuffled(unsigned long long);
float tenon_shuffled(float);
double tenon_shuffled(double);

template <class T> TENON_INLINE T tenon_shuffle(int op, unsigned mask, T value, unsigned argument, int width) {
  unsigned long long bits = 0;
  __builtin_memcpy(&bits, &value, sizeof value);
  bits = TENON_LANES(op, mask, bits, argument, (unsigned)width);
  __builtin_memcpy(&value, &bits, sizeof value);
  return value;
}
#define TENON_SHUFFLE(name, argument, op)                                                                   \
  template <class T> TENON_INLINE auto name(unsigned mask, T value, argument which, int width = TENON_WARP) \
      -> decltype(tenon_shuffled(value)) {                                                                  \
    return tenon_shuffle<decltype(tenon_shuffled(value))>(op, mask, value, (unsigned)which, width);         \
  }
TENON_SHUFFLE(__shfl_sync, int, TENON_WARP_SHUFFLE)
TENON_SHUFFLE(__shfl_up_sync, unsigned, TENON_WARP_UP)
TENON_SHUFFLE(__shfl_down_sync, unsigned, TENON_WARP_DOWN)
TENON_SHUFFLE(__shfl_xor_sync, int, TENON_WARP_XOR)
#undef TENON_SHUFFLE

TENON_INLINE unsigned __ballot_sync(unsigned mask, int predicate) {
  return (unsigned)TENON_LANES(TENON_WARP_BALLOT, mask, predicate != 0, 0, TENON_WARP);
}
TENON_INLINE int __any_sync(unsigned mask, int predicate) { return __ballot_sync(mask, predicate) != 0; }
TENON_INLINE int __all_sync(unsigned mask, int predicate) { return __ballot_sync(mask, !predicate) == 0; }
TENON_INLINE int __uni_sync(unsigned mask, int predicate) {
  return (int)(TENON_LANES(TENON_WARP_MATCH_ALL, mask, predicate != 0, 0, TENON_WARP) >> 32);
}
TENON_INLINE unsigned __activemask() { return (unsigned)TENON_LANES(TENON_WARP_ACTIVE, 0, 0, 0, TENON_WARP); }

template <class T> TENON_INLINE unsigned long long tenon_bits_of(T given) {
  const decltype(tenon_shuffled(given)) value = given;
  static_assert(sizeof value == 4 || sizeof value == 8, "a match compares values of 4 or 8 bytes");
  unsigned long long bits = 0;
  __builtin_memcpy(&bits, &value, sizeof value);
  return bits;
}
template <class T, class = decltype(tenon_shuffled(T()))>
TENON_INLINE unsigned __match_any_sync(unsigned mask, T value) {
  return (unsigned)TENON_LANES(TENON_WARP_MATCH_ANY, mask, tenon_bits_of(value), 0, TENON_WARP);
}
template <class T, class = decltype(tenon_shuffled(T()))>
TENON_INLINE unsigned __match_all_sync(unsigned mask, T value, int* all) {
  unsigned long long result = TENON_LANES(TENON_WARP_MATCH_ALL, mask, tenon_bits_of(value), 0, TENON_WARP);
  *all = (int)(result >> 32);
  return (unsigned)result;
}

#define TENON_REDUCE(name, T, op)                                                         \
  TENON_INLINE T name(unsigned mask, T value) {                                           \
    return (T)TENON_LANES(op, mask, (unsigned long long)(long long)value, 0, TENON_WARP); \
  }
TENON_REDUCE(__reduce_add_sync, unsigned, TENON_WARP_ADD)
TENON_REDUCE(__reduce_add_sync, int, TENON_WARP_ADD)
TENON_REDUCE(__reduce_min_sync, unsigned, TENON_WARP_UMIN)
TENON_REDUCE(__reduce_min_sync, int, TENON_WARP_MIN)
TENON_REDUCE(__reduce_max_sync, unsigned, TENON_WARP_UMAX)
TENON_REDUCE(__reduce_max_sync, int, TENON_WARP_MAX)
TENON_REDUCE(__reduce_and_sync, unsigned, TENON_WARP_AND)
TENON_REDUCE(__reduce_or_sync, unsigned, TENON_WARP_OR)
TENON_REDUCE(__reduce_xor_sync, unsigned, TENON_WARP_EXCLUSIVE_OR)
#undef TENON_REDUCE

TENON_INLINE unsigned __fns(unsigned mask, unsigned base, int offset) {
  const int step = offset < 0 ? -1 : 1;
  long long left = offset == 0 ? 1 : (long long)offset * step;
  for (int at = (int)base; at >= 0 && at < 32; at += step)
    if ((mask >> at & 1) && --left == 0) return (unsigned)at;
    else if (offset == 0) break;
  return 0xffffffffu;
}

// For the shim's own waiting loops: lets other threads of the block run.
#if TENON_EXECUTION == 3
static __attribute__((noinline, unused)) TENON_CONVERGENT void tenon_give_way() {
  __asm__ volatile(".weak tenon_uses_scheduler\n\t.set tenon_uses_scheduler, 1");
  const uint3 mine = threadIdx;
  tenon_calls->yield(tenon_this_worker);
  threadIdx = mine;
}
#else
TENON_INLINE void tenon_give_way() { (void)tenon_needs_scheduler(0, 0, 0, 0, 0); }
#endif

// Numbered barriers of the block (bar.sync), whether any was used (tenon_ptx.h), and those of the tiles over 32
// (cooperative_groups.h): 16 tiles of 64 threads, 8 of 128 and so on to one of 1024.
TENON_STATE __thread unsigned long long tenon_named[17 + 31];

// All lanes of the warp make a number visible to each other, until all have called tenon_seen with it.
#if TENON_EXECUTION == 3
TENON_INLINE TENON_CONVERGENT const tenon_lane_state* tenon_show(unsigned long long mine, const char* who) {
  (void)tenon_warp_step(TENON_WARP_SYNC, 0xffffffffu, mine, 0, TENON_WARP);
  const tenon_schedule* turn = tenon_this_schedule;
  if (turn->warps[turn->current / TENON_WARP].alive != 0xffffffffu) tenon_fault(who, "", 0);
  return turn->lanes + turn->current / TENON_WARP * TENON_WARP;
}
#else
TENON_INLINE const tenon_lane_state* tenon_show(unsigned long long, const char*) {
  return (const tenon_lane_state*)tenon_needs_scheduler(0, 0, 0, 0, 0);
}
#endif
TENON_INLINE TENON_CONVERGENT void tenon_seen(unsigned long long mine) {
  (void)tenon_warp_step(TENON_WARP_SYNC, 0xffffffffu, mine, 0, TENON_WARP);
}

// 32-bit addresses in shared memory: the distance from a variable in the module's memory of the host thread, on which
// the whole block runs. That variable is aligned to 1024 bytes, so the distances have the alignment of the addresses.
TENON_STATE __thread unsigned char tenon_window[128] __attribute__((aligned(1024)));
TENON_INLINE size_t __cvta_generic_to_shared(const void* at) { return (unsigned)((size_t)at - (size_t)tenon_window); }
TENON_INLINE void* __cvta_shared_to_generic(size_t at) {
  size_t window = (size_t)tenon_window;
  __asm__("" : "+r"(window));  // hides that the result does not point into tenon_window
  return (void*)(window + (size_t)(long)(int)(unsigned)at);
}
TENON_INLINE size_t __cvta_generic_to_global(const void* at) { return (size_t)at; }
TENON_INLINE void* __cvta_global_to_generic(size_t at) { return (void*)at; }
TENON_INLINE size_t __cvta_generic_to_local(const void* at) { return (size_t)at; }
TENON_INLINE void* __cvta_local_to_generic(size_t at) { return (void*)at; }
TENON_INLINE size_t __cvta_generic_to_constant(const void* at) { return (size_t)at; }
TENON_INLINE void* __cvta_constant_to_generic(size_t at) { return (void*)at; }

#endif
