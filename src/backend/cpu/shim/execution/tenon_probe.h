// shim/execution/tenon_probe.h: lets the compiler prove the facts on which tenon_rows.h relies. The program made here
// never runs: the library compiles it and reads from the object file what the optimiser left (see compile/probe.cpp).
//
// In it threadIdx and blockIdx are undefined constants, and the x of each is a symbol of its own. A kernel whose
// optimised code refers to neither x does the same in every thread along x, except in the loops below. Each kernel
// becomes two functions:
//   tenon_uniform_k  grid-stride loops run unknown iterations, in unknown number.
//   tenon_pure_k     grid-stride loops do nothing. It must come out as empty as tenon_reference.
// This is TENON_PROBE 1. TENON_PROBE 2 is about loops whose results the thread uses afterwards (tenon_sums.h), and the
// functions end after the first of those:
//   tenon_uniform_k  it runs iterations of any threads. The code must refer to neither x.
//   tenon_pure_k     it runs one iteration of an unknown thread.
// TENON_PROBE 3 is about loops of single threads (tenon_beside.h). The functions tenon_pure_k_l end at loop l of the
// kernel; each loop before it runs one iteration and has an unknown result.
// A loop marks itself by calls of undefined functions: saw (it is reached), plain (it has another start or step, and is
// compiled as written), ran (after all checks of an iteration). If the compiler drops code as undefined behaviour, its
// `ran` disappears with it, so that nothing is concluded from a contradiction.
#ifndef TENON_PROBE_H
#define TENON_PROBE_H

// Each number is a symbol of its own, so that the object file distinguishes x from y and z.
#define TENON_PROBE_PLACE(type, name, word, ...)                                                    \
  struct type {                                                                                     \
    static const unsigned x __asm__("tenon_probe_" word "_x"), y __asm__("tenon_probe_" word "_y"), \
        z __asm__("tenon_probe_" word "_z");                                                        \
    operator uint3() const { return uint3{x, y, z}; }                                               \
    __VA_ARGS__                                                                                     \
  };                                                                                                \
  static constexpr type name{};
TENON_PROBE_PLACE(tenon_probe_thread, threadIdx, "thread")
TENON_PROBE_PLACE(tenon_probe_block, blockIdx, "block")
TENON_PROBE_PLACE(tenon_probe_size, blockDim, "size", operator dim3() const { return dim3(x, y, z); })
TENON_PROBE_PLACE(tenon_probe_grid, gridDim, "grid", operator dim3() const { return dim3(x, y, z); })
#undef TENON_PROBE_PLACE

extern "C" {
extern const unsigned long long
    tenon_probe_rest;  // the final value of a loop's variable, which differs between threads
void tenon_probe_refuse();
void tenon_probe_use(const void* value);
extern const unsigned char tenon_probe_values[];  // unknown
bool tenon_probe_more(unsigned long long bound);
unsigned long long tenon_probe_index();
__attribute__((noreturn)) void tenon_probe_fault();
}
template <int Id> void tenon_probe_saw();
template <int Id> void tenon_probe_plain();
template <int Id> void tenon_probe_ran();

// The kind of the function being compiled (0 pure, 1 uniform), and whether it is inside an iteration. The optimiser
// must assume that an opaque call changes them, so they are read before each such call and written back after it.
static int tenon_phase;
static bool tenon_inside;
// The loop at which the function ends, of TENON_PROBE 3.
static int tenon_last;

#define TENON_PROVEN(e) (__builtin_constant_p(e) && (e))

// Kernels compute these products in 32 or 64 bits, signed or unsigned. The results are equal if the grid has fewer than
// 2^31 threads along x, which each launch checks, and if T can represent them, which the loop checks.
#define TENON_ONE_OF(a, narrow, T, more)                                                                        \
  (TENON_PROVEN(a == (T)(narrow more)) || TENON_PROVEN(a == (T)(int)(narrow more)) ||                           \
   TENON_PROVEN(a == (T)((unsigned long long)narrow more)) || TENON_PROVEN(a == (T)((long long)narrow more)) || \
   TENON_PROVEN(a == (T)((unsigned long long)(narrow)more)))
template <class T> TENON_INLINE bool tenon_is_thread(T a) {
  return TENON_ONE_OF(a, blockIdx.x * blockDim.x, T, +threadIdx.x);
}
template <class T> TENON_INLINE bool tenon_is_grid(T s) { return TENON_ONE_OF(s, gridDim.x * blockDim.x, T, ); }
#undef TENON_ONE_OF

// A loop's captures, in memory that was zero before, so that padding compares equal.
struct tenon_probe_place {};
TENON_MEMBER void* operator new(size_t, void* at, tenon_probe_place) noexcept { return at; }
template <class B> struct alignas(B) tenon_captured {
  unsigned char bytes[sizeof(B)] = {};
  template <class Make> TENON_MEMBER explicit tenon_captured(const Make& make) {
    new ((void*)bytes, tenon_probe_place()) B(make());
  }
  TENON_MEMBER B& body() { return *(B*)(void*)bytes; }
};
// Compares bytes in pieces of a size that the optimiser understands. TENON_BEFORE: of two equal copies, the one with
// which it proves more often that a call changes nothing.
#if defined(__clang__)
#define TENON_PIECE 8
#define TENON_BEFORE(again, one) one
#else
#define TENON_PIECE 4
#define TENON_BEFORE(again, one) again
#endif
template <size_t Left, size_t Piece = TENON_PIECE> struct tenon_bytes {
  typedef typename tenon_pick<(Left >= 2 && Piece == 2), unsigned short, unsigned char>::type small;
  typedef typename tenon_pick<(Left >= 8 && Piece >= 8), unsigned long long,
                              typename tenon_pick<(Left >= 4 && Piece >= 4), unsigned, small>::type>::type word;
  static TENON_MEMBER bool same(const unsigned char* a, const unsigned char* b) {
    word x, y;
    __builtin_memcpy(&x, a, sizeof x);
    __builtin_memcpy(&y, b, sizeof y);
    return x == y && tenon_bytes<Left - sizeof(word), Piece>::same(a + sizeof x, b + sizeof y);
  }
};
template <size_t Piece> struct tenon_bytes<0, Piece> {
  static TENON_MEMBER bool same(const unsigned char*, const unsigned char*) { return true; }
};

// Gives variables unknown values: what is proven must not depend on those they have before a loop's first iteration.
template <int At> TENON_INLINE void tenon_make_unknown() {}
template <int At, class A, class... More> TENON_INLINE void tenon_make_unknown(A& value, More&... more) {
  __builtin_memcpy(&value, tenon_probe_values + At, sizeof value);
  tenon_make_unknown<At + (int)sizeof value>(more...);
}

template <class B> TENON_INLINE bool tenon_unchanged(const tenon_captured<B>& a, const tenon_captured<B>& b) {
  return tenon_bytes<sizeof(B)>::same(a.bytes, b.bytes);
}

template <bool Fits> struct tenon_prober {
  template <int Id, class T, class Start, class Bound, class Step, class Make>
  static TENON_MEMBER bool loop(const Start& start, const Bound& bound, const Step& step, const Make& make) {
    const T first = start();
    const auto stride = step();
    const auto end = bound();
    const tenon_captured<decltype(make())> body(make);
    const int phase = tenon_phase;
    const bool inside = tenon_inside;
    if (phase) tenon_probe_saw<Id>();
    const bool strided = tenon_is_thread<T>(first) && tenon_is_grid<T>((T)stride);
    if (phase && strided) {
      if (inside) tenon_probe_refuse();  // a loop over all threads within an iteration of one thread
      while (tenon_probe_more(
          (unsigned long long)end)) {  // an opaque call: it may have changed all memory that it can reach
        const tenon_captured<decltype(make())> again(make);
        if (!tenon_unchanged(body, again) || !(bound() == end)) tenon_probe_refuse();
        tenon_captured<decltype(make())> one(make);
        const tenon_captured<decltype(make())> before(TENON_BEFORE(again, one));
        tenon_inside = true;
        const tenon_turn turn = one.body()((T)tenon_probe_index());
        if (!turn.done || turn.moved || !tenon_unchanged(before, one)) tenon_probe_refuse();
        tenon_probe_ran<Id>();
      }
    } else if (phase) {
      tenon_probe_plain<Id>();
    }
    tenon_phase = phase;  // on every path, which simplifies the proof of an enclosing loop
    tenon_inside = inside;
    return strided;
  }
};
template <> struct tenon_prober<false> {
  template <int Id, class T, class Start, class Bound, class Step, class Make>
  static TENON_MEMBER bool loop(const Start&, const Bound&, const Step&, const Make&) {
    if (tenon_phase) tenon_probe_saw<Id>(), tenon_probe_plain<Id>();
    return false;
  }
};

template <int Id, class T, bool, class Start, class Bound, class Step, class Make>
TENON_INLINE bool tenon_loop(const Start& start, const Bound& bound, const Step& step, const Make& make) {
  typedef decltype(make()) body;
  if (TENON_PROBE == 2) return false;
  return tenon_prober < tenon_integer<T>::value && tenon_integer<decltype(bound())>::value &&
         tenon_integer<decltype(step())>::value && __is_trivially_copyable(body) &&
         sizeof(body) <= 512 > ::template loop<Id, T>(start, bound, step, make);
}

#define TENON_LOOP_LEFT(i) (i = (decltype(i))tenon_probe_rest)

template <bool Fits> struct tenon_sum_prober {
  static TENON_MEMBER void use() {}
  template <class A, class... More> static TENON_MEMBER void use(const A& value, const More&... more) {
    tenon_probe_use(&value);
    use(more...);
  }
  // Uses the variables themselves, so that a variable that other code can access is detected.
  template <class Make, class T, class... A> static TENON_MEMBER void once(const Make& make, T at, A&... sums) {
    tenon_make_unknown<0>(sums...);
    tenon_captured<decltype(make())> one(make);
    (void)one.body()(at, sums...);
  }
  // Uses copies, because each thread has its own.
  template <class Make, class T, class... A> static TENON_MEMBER void iteration(const Make& make, T at, A... sums) {
    use(sums...);  // all threads must begin with the same values
    tenon_make_unknown<0>(sums...);
    tenon_captured<decltype(make())> one(make);
    const tenon_captured<decltype(make())> before(TENON_BEFORE(make, one));
    const tenon_turn turn = one.body()(at, sums...);
    use(sums...);
    if (!turn.done || turn.moved || !tenon_unchanged(before, one)) tenon_probe_refuse();
  }
  template <int Id, class T, class Start, class Bound, class Step, class Make, class... A>
  static TENON_MEMBER bool sum(const Start& start, const Bound& bound, const Step& step, const Make& make, A&... sums) {
    const T first = start();
    const auto stride = step();
    const bool strided = tenon_is_thread<T>(first) && tenon_is_grid<T>((T)stride);
    const int phase = tenon_phase;
    if (TENON_PROBE == 2 && !phase) {
      if (strided) once(make, (T)tenon_probe_rest, sums...);
      return strided;
    }
    if (phase) tenon_probe_saw<Id>();
    if (TENON_PROBE == 2 && strided) {
      const auto end = bound();
      const tenon_captured<decltype(make())> body(make);
      while (tenon_probe_more((unsigned long long)end)) {
        const tenon_captured<decltype(make())> again(make);
        if (!tenon_unchanged(body, again) || !(bound() == end)) tenon_probe_refuse();
        iteration(make, (T)tenon_probe_index(), sums...);
        tenon_probe_ran<Id>();
      }
    } else if (phase) {
      if (strided) tenon_probe_refuse();  // cannot run by rows of threads
      tenon_probe_plain<Id>();
    }
    tenon_phase = phase;
    return strided;
  }
};
template <> struct tenon_sum_prober<false> {
  template <int Id, class T, class Start, class Bound, class Step, class Make, class... A>
  static TENON_MEMBER bool sum(const Start&, const Bound&, const Step&, const Make&, A&...) {
    if (tenon_phase) tenon_probe_saw<Id>(), tenon_probe_plain<Id>();
    return false;
  }
};

template <int Id, class T, bool, class Start, class Bound, class Step, class Make, class Left, class... A>
TENON_INLINE bool tenon_sum(const Start& start, const Bound& bound, const Step& step, const Make& make, Left&,
                            A&... sums) {
  typedef decltype(make()) body;
  return tenon_sum_prober < tenon_integer<T>::value && tenon_integer<decltype(bound())>::value &&
         tenon_integer<decltype(step())>::value && __is_trivially_copyable(body) &&
         sizeof(body) <= 512 > ::template sum<Id, T>(start, bound, step, make, sums...);
}

#endif
