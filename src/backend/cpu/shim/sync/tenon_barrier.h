// shim/sync/tenon_barrier.h: a barrier in one word of memory, like an mbarrier: threads arrive, and others wait for the
// phase to end. From the lowest bit: the arrivals that a phase needs (20 bits), the arrivals that are still missing (20
// bits), the bytes of copies that are expected and have not come (21 bits, below 0 if they came first), the last bits
// of the number of the phase: a token is of this phase or of the one before.
#pragma once

struct tenon_barrier_word {
  static constexpr unsigned long long most = (1ull << 20) - 1;
  unsigned long long bits;

  TENON_MEMBER void start(unsigned long long count) {
    if (count < 1 || count > most) tenon_fault("a barrier is made for 1 to 1048575 arrivals", "", 0);
    tenon_store_atomic(&bits, count << 20 | count, __ATOMIC_RELEASE);
  }
  TENON_MEMBER unsigned long long read() const {
    TENON_ATOMICALLY(&bits);
    return __atomic_load_n(&bits, __ATOMIC_ACQUIRE);
  }
  TENON_MEMBER unsigned long long phase() const { return read() >> 61; }
  // Returns the phase that the arrivals belong to. `fewer`: the following phases need that many fewer arrivals. The
  // last thread to arrive calls `at_end` before the phase ends.
  template <class AtEnd>
  TENON_MEMBER unsigned long long arrive(unsigned long long count, unsigned long long fewer, AtEnd&& at_end) {
    tenon_fence();
    unsigned long long old = read(), fresh;
    for (;;) {
      if (count > (old >> 20 & most) || fewer > (old & most))
        tenon_fault("more threads arrive at a barrier than it was made for", "", 0);
      fresh = old - (count << 20) - fewer;
      if (exchange(old, fresh)) break;
    }
    end_if_complete(fresh, at_end);
    return old >> 61;
  }
  // Copies of so many bytes are expected to come in this phase; they have come.
  TENON_MEMBER void expect(unsigned long long bytes) { change_bytes(bytes); }
  TENON_MEMBER void complete(unsigned long long bytes) { change_bytes(0 - bytes); }
  TENON_MEMBER unsigned long long arrive(unsigned long long count = 1, unsigned long long fewer = 0) {
    return arrive(count, fewer, [] {});
  }
  // Whether the phase has ended; ended_parity: whether the phase of that parity has.
  TENON_MEMBER bool ended(unsigned long long of) const { return or_yield(phase() != of); }
  TENON_MEMBER bool ended_parity(bool parity) const { return or_yield((phase() & 1) != (unsigned long long)parity); }
  // Other threads go on meanwhile.
  TENON_MEMBER void wait(unsigned long long of) const {
    while (!ended(of)) tenon_give_way();
  }
  TENON_MEMBER void wait_parity(bool parity) const {
    while (!ended_parity(parity)) tenon_give_way();
  }
  TENON_MEMBER bool try_wait(unsigned long long of) const {
    if (ended(of)) return true;
    tenon_give_way();
    return ended(of);
  }
  TENON_MEMBER bool try_wait_parity(bool parity) const {
    if (ended_parity(parity)) return true;
    tenon_give_way();
    return ended_parity(parity);
  }

 private:
  // (No other thread changes the word between the last arrival or copy and the end of the phase.)
  template <class AtEnd> TENON_MEMBER void end_if_complete(unsigned long long fresh, AtEnd&& at_end) {
    if ((fresh >> 20 & most) != 0 || (fresh >> 40 & ((1ull << 21) - 1)) != 0) return;
    at_end();
    const unsigned long long next = fresh & most;
    tenon_store_atomic(&bits, ((fresh >> 61) + 1) << 61 | next << 20 | next, __ATOMIC_RELEASE);
  }
  TENON_MEMBER void change_bytes(unsigned long long by) {
    constexpr unsigned long long field = ((1ull << 21) - 1) << 40;
    if (by + most > 2 * most) tenon_fault("a barrier expects 0 to 1048575 bytes in a phase", "", 0);
    tenon_fence();
    unsigned long long old = read(), fresh;
    do fresh = (old & ~field) | ((old + (by << 40)) & field);
    while (!exchange(old, fresh));
    end_if_complete(fresh, [] {});
  }
  TENON_MEMBER static bool or_yield(bool ended) {
    if (ended) tenon_fence();
    return ended;
  }
  TENON_MEMBER bool exchange(unsigned long long& old, unsigned long long fresh) {
    TENON_ATOMICALLY(&bits);
    return __atomic_compare_exchange_n(&bits, &old, fresh, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
  }
};
