// shim/execution/tenon_beside.h: loops with sums that several threads run side by side:
//
//   for (int k = 0; k < n; ++k) sum += x[row * n + k];
//
// A thread must add in this order, so each addition waits for the one before it. But threads are free to take turns: if
// eight of them do so after each iteration, eight additions are under way at once, and each thread still adds its own
// terms in their order. It also reads memory in a better order where threads read neighbours, as in a product of
// matrices.
//
// The threads of a group run one after the other, but each only to the first such loop whose result it does not have
// yet. There it leaves what the loop needs (its first index and number of iterations, its sums, a copy of all that the
// body uses), and ends. Then the loop runs for all of them, and they begin again: with the result, they go on to the
// next loop, or to their end. So what precedes such a loop runs several times, which is the same as once if it has no
// effect. That is what the compiler proves (tenon_probe.h), up to the last of these loops and for their bodies as well.
// Without a proof the kernel runs as written.
//
// Loops have numbers within their kernel, in the order of the text. `sums...` are the variables that the body changes.
#ifndef TENON_BESIDE_H
#define TENON_BESIDE_H
#if TENON_PROBE || TENON_ROWS

// What a loop's text does next.
enum tenon_beside_next { tenon_as_written, tenon_has_result, tenon_ends_here };

// Integer sums are left to the compiler, which takes several terms of one thread at once.
template <class T> struct tenon_rounds {
  static constexpr bool value = !tenon_integer<T>::value;
};
template <> struct tenon_rounds<bool> {
  static constexpr bool value = false;
};
template <class T> struct tenon_rounds<T*> {
  static constexpr bool value = false;
};

constexpr unsigned tenon_group = 8;   // threads side by side
constexpr int tenon_most_beside = 4;  // loops of a kernel
constexpr size_t tenon_value_bytes = 64, tenon_body_bytes = 512;

// The variables that a loop's body changes.
template <class... A> struct tenon_values {
  static constexpr bool fits = true, rounds = false;
  TENON_MEMBER void put() {}
  TENON_MEMBER void take() const {}
  template <class Body, class T, class... Here> TENON_MEMBER void run(Body& body, T i, Here&... here) {
    (void)body(i, here...);
  }
};
template <class A, class... More> struct tenon_values<A, More...> {
  static constexpr bool fits = __is_trivial(A) && alignof(A) <= 16 && tenon_values<More...>::fits,
                        rounds = tenon_rounds<A>::value || tenon_values<More...>::rounds;
  A value;
  tenon_values<More...> more;
  TENON_MEMBER void put(const A& from, const More&... others) {
    value = from;
    more.put(others...);
  }
  TENON_MEMBER void take(A& to, More&... others) const {
    to = value;
    more.take(others...);
  }
  template <class Body, class T, class... Here> TENON_MEMBER void run(Body& body, T i, Here&... here) {
    more.run(body, i, here..., value);
  }
};

template <class T, class N, class Body, class... A> struct tenon_beside_fits {
  static constexpr bool value = tenon_integer<T>::value && tenon_integer<N>::value && __is_trivially_copyable(Body) &&
                                sizeof(Body) <= tenon_body_bytes && alignof(Body) <= 16 && tenon_values<A...>::fits &&
                                sizeof(tenon_values<A...>) <= tenon_value_bytes && tenon_values<A...>::rounds;
};

#endif
#if TENON_PROBE

constexpr int tenon_unknown_place = 8192;
TENON_INLINE void tenon_make_place_unknown(const tenon_no_place&) {}
template <class T> TENON_INLINE void tenon_make_place_unknown(T& place) {
  tenon_make_unknown<tenon_unknown_place>(place);
}
// Whether the variables have the values of tenon_make_unknown. If two of them share a byte, the later value is in it.
template <int At> TENON_INLINE bool tenon_have_unknown() { return true; }
// (In pieces of the size that A's fields have most often: the optimiser sees through those.)
template <int At, class A, class... More> TENON_INLINE bool tenon_have_unknown(const A& value, const More&... more) {
  return tenon_bytes<sizeof(A), (alignof(A) > 8 ? 4 : alignof(A))>::same((const unsigned char*)&value,
                                                                         tenon_probe_values + At) &&
         tenon_have_unknown<At + (int)sizeof(A)>(more...);
}
TENON_INLINE bool tenon_has_unknown_place(const tenon_no_place&) { return true; }
template <class T> TENON_INLINE bool tenon_has_unknown_place(const T& place) {
  return tenon_have_unknown<tenon_unknown_place>(place);
}

template <bool Fits> struct tenon_beside_prober {
  template <int Loop, class T, class Start, class Bound, class Make, class Left, class... A>
  static TENON_MEMBER tenon_beside_next loop(const Start& start, const Bound& bound, const Make& make, Left& left,
                                             A&... sums) {
    const int last = tenon_last;
    if (TENON_PROBE != 3 || Loop > last) return tenon_as_written;
    typedef decltype(make()) body;
    (void)start();
    const auto end = bound();
    const tenon_captured<body> captured(make);
    tenon_make_unknown<2 * Loop * 512>(sums...);
    tenon_make_place_unknown(left);
    if (!tenon_have_unknown<2 * Loop * 512>(sums...) || !tenon_has_unknown_place(left)) tenon_probe_refuse();
    if (tenon_probe_values[0]) {  // it need not run: what is undefined in it says nothing about what precedes it
      tenon_captured<body> one(make);
      const tenon_captured<body> before(one);
      const tenon_turn turn = one.body()((T)tenon_probe_rest, sums...);
      if (!turn.done || turn.moved || !tenon_unchanged(before, one)) tenon_probe_refuse();
    }
    // Neither the bound nor what the body uses depends on what it changes, or on the loop's variable.
    const tenon_captured<body> again(make);
    if (!tenon_unchanged(captured, again) || !(bound() == end)) tenon_probe_refuse();
    tenon_make_unknown<(2 * Loop + 1) * 512>(sums...);
    tenon_make_place_unknown(left);
    tenon_last = last;
    return Loop == last ? tenon_ends_here : tenon_has_result;
  }
};
template <> struct tenon_beside_prober<false> {
  template <int Loop, class T, class Start, class Bound, class Make, class Left, class... A>
  static TENON_MEMBER tenon_beside_next loop(const Start&, const Bound&, const Make&, Left&, A&...) {
    if (TENON_PROBE == 3 && Loop <= tenon_last) tenon_probe_refuse();
    return tenon_as_written;
  }
};

template <int Loop, class T, bool, unsigned, class Start, class Bound, class Make, class Left, class... A>
TENON_INLINE tenon_beside_next tenon_beside(const Start& start, const Bound& bound, const Make& make, Left& left,
                                            A&... sums) {
  return tenon_beside_prober<tenon_beside_fits<T, decltype(bound()), decltype(make()), A...>::value>::template loop<
      Loop, T>(start, bound, make, left, sums...);
}

#elif TENON_ROWS

static __thread struct tenon_beside_state {
  bool on;                          // the running thread belongs to a group
  bool stopped;                     // it ended at a loop
  unsigned lane;                    // its number in the group
  unsigned first;                   // threadIdx.x of the group's first thread
  int last;                         // the kernel's last loop of this kind; no thread stops after it
  int loop;                         // the loop whose threads wait; -1: none
  unsigned waiting;                 // bits: those threads
  void (*run)();                    // runs the loop for them
  unsigned has[tenon_most_beside];  // bits: the threads that have the loop's result
  unsigned passed;                  // bits: the loops that the running thread has passed
  int short_groups;  // groups with too few iterations to be worth it, less the others; at 4 threads run as written
  size_t top;        // the kernel's stack frame is below
} tenon_beside_at;

// Stands on the way of a thread's values and of its body to the loop and back.
struct __attribute__((aligned(16))) tenon_value_room {
  unsigned char bytes[tenon_value_bytes];
};
struct __attribute__((aligned(16))) tenon_lane_room {
  unsigned char bytes[tenon_body_bytes + tenon_value_bytes + 32];
};
static __thread tenon_value_room tenon_beside_results[tenon_most_beside][tenon_group];
static __thread tenon_lane_room tenon_beside_lanes[tenon_group];

// The number of iterations of `for (T i = start; i < end; i += step)`. False: i might wrap around.
template <class T, bool Inclusive, class N>
TENON_INLINE bool tenon_count_turns(T start, N bound, unsigned step, unsigned long long& out) {
  typedef decltype(T() + N()) common;
  const common from = (common)start, to = (common)bound;
  if (tenon_integer<T>::negative && !tenon_integer<common>::negative && start < (T)0) return false;
  out = 0;
  if (Inclusive ? from > to : from >= to) return true;
  const unsigned long long distance = (unsigned long long)to - (unsigned long long)from;
  if (distance >> 60 || step > 1u << 30) return false;
  out = (distance + (Inclusive ? 1 : 0) + step - 1) / step;
  const unsigned long long room = tenon_integer<T>::most - (unsigned long long)(start > (T)0 ? start : (T)0);
  return start < (T)0 ? distance + step < tenon_integer<T>::most : out * step <= room;
}

template <class T, class Body, class... A> struct tenon_beside_lane {
  T start;
  unsigned long long count;
  Body body;
  tenon_values<A...> values;
  TENON_MEMBER void turn(T i) { values.run(body, i); }
};

template <int Loop, class T, unsigned Step, class Lane> struct tenon_beside_runner {
  // (The lambda's type has no name outside, so the loop leaves the address of this function.)
  static __attribute__((noinline)) void run() {
    static_assert(sizeof(Lane) <= sizeof(tenon_lane_room), "");
    tenon_beside_state& state = tenon_beside_at;
    const unsigned first = state.first;
    unsigned long long least = ~0ull, all = 0;
    bool alike = state.waiting == (1u << tenon_group) - 1;
    for (unsigned n = 0; n < tenon_group; ++n)
      if (state.waiting >> n & 1) {
        const unsigned long long count = at(n).count;
        least = count < least ? count : least;
        all += count;
        alike = alike && at(n).start == at(0).start;
      }
    state.short_groups += all < 32 * tenon_group ? 1 : state.short_groups ? -1 : 0;
    if (!alike) least = 0;
    if (least) {
      Lane l0 = at(0), l1 = at(1), l2 = at(2), l3 = at(3), l4 = at(4), l5 = at(5), l6 = at(6), l7 = at(7);
      const T end = (T)(l0.start + (T)(least * Step));
#define TENON_TURN(n) threadIdx.x = first + n, l##n.turn(i)
      for (T i = l0.start; i < end; i += (T)Step) {
        TENON_TURN(0), TENON_TURN(1), TENON_TURN(2), TENON_TURN(3);
        TENON_TURN(4), TENON_TURN(5), TENON_TURN(6), TENON_TURN(7);
      }
#undef TENON_TURN
      at(0).values = l0.values, at(1).values = l1.values, at(2).values = l2.values, at(3).values = l3.values;
      at(4).values = l4.values, at(5).values = l5.values, at(6).values = l6.values, at(7).values = l7.values;
    }
    for (unsigned n = 0; n < tenon_group; ++n) {
      if (!(state.waiting >> n & 1)) continue;
      Lane lane = at(n);
      threadIdx.x = first + n;
      const T end = (T)(lane.start + (T)(lane.count * Step));
      for (T i = (T)(lane.start + (T)(least * Step)); i < end; i += (T)Step) lane.turn(i);
      __builtin_memcpy(&tenon_beside_results[Loop][n], &lane.values, sizeof lane.values);
    }
    state.has[Loop] |= state.waiting;
  }
  static TENON_MEMBER Lane& at(unsigned n) { return *(Lane*)(void*)&tenon_beside_lanes[n]; }
};

template <bool Fits> struct tenon_sider {
  template <int Loop, class T, bool Inclusive, unsigned Step, class Start, class Bound, class Make, class Left,
            class... A>
  static TENON_MEMBER tenon_beside_next loop(const Start&, const Bound&, const Make&, Left&, A&...) {
    return tenon_as_written;
  }
};
template <> struct tenon_sider<true> {
  template <int Loop, class T, bool Inclusive, unsigned Step, class Start, class Bound, class Make, class Left,
            class... A>
  static TENON_MEMBER tenon_beside_next loop(const Start& start, const Bound& bound, const Make& make, Left& left,
                                             A&... sums) {
    tenon_beside_state& state = tenon_beside_at;
    if (!state.on || Loop > state.last || state.passed >> Loop & 1) return tenon_as_written;
    const T from = start();
    unsigned long long count;
    const bool counts = tenon_count_turns<T, Inclusive>(from, bound(), Step, count);
    if (state.has[Loop] >> state.lane & 1) {
      state.passed |= Loop == state.last ? ~0u : 1u << Loop;
      tenon_values<A...> values;
      __builtin_memcpy(&values, &tenon_beside_results[Loop][state.lane], sizeof values);
      values.take(sums...);
      tenon_put_place(left, (unsigned long long)from + count * Step);
      return tenon_has_result;
    }
    if (counts && count == 0) {  // the body may use what cannot be read
      state.passed |= Loop == state.last ? ~0u : 1u << Loop;
      return tenon_as_written;
    }
    tenon_values<A...> now;
    now.put(sums...);
    const auto values = [&now] { return now; };
    if (!counts || tenon_holds_frame(make, state.top) || tenon_holds_frame(values, state.top)) {
      state.passed = ~0u;  // the thread goes to its end as it is written
      state.short_groups += 4;
      return tenon_as_written;
    }
    state.stopped = true;
    if (state.loop >= 0 && state.loop != Loop) return tenon_ends_here;  // it waits for its turn
    typedef tenon_beside_lane<T, decltype(make()), A...> lane;
    state.loop = Loop;
    state.waiting |= 1u << state.lane;
    state.run = &tenon_beside_runner<Loop, T, Step, lane>::run;
    new ((void*)&tenon_beside_lanes[state.lane]) lane{from, count, make(), now};
    return tenon_ends_here;
  }
};

template <int Loop, class T, bool Inclusive, unsigned Step, class Start, class Bound, class Make, class Left,
          class... A>
TENON_INLINE tenon_beside_next tenon_beside(const Start& start, const Bound& bound, const Make& make, Left& left,
                                            A&... sums) {
  return tenon_sider<tenon_beside_fits<T, decltype(bound()), decltype(make()), A...>::value>::template loop<
      Loop, T, Inclusive, Step>(start, bound, make, left, sums...);
}

#endif
#endif
