// shim/sync/tenon_scoped_atomic.h: atomic objects with orders and scopes. Every scope is treated as the system's, which
// orders more than requested, never less.
#pragma once
#include "type_traits"

namespace std {

enum memory_order {
  memory_order_relaxed,
  memory_order_consume,
  memory_order_acquire,
  memory_order_release,
  memory_order_acq_rel,
  memory_order_seq_cst
};

// The memory order of an exchange that fails.
constexpr memory_order tenon_failing(memory_order order) {
  return order == memory_order_acq_rel   ? memory_order_acquire
         : order == memory_order_release ? memory_order_relaxed
                                         : order;
}

}  // namespace std

namespace cuda {

enum thread_scope {
  thread_scope_system = 0,
  thread_scope_device = 1,
  thread_scope_block = 2,
  thread_scope_thread = 10
};
using ::std::memory_order;
using ::std::memory_order_acq_rel;
using ::std::memory_order_acquire;
using ::std::memory_order_consume;
using ::std::memory_order_relaxed;
using ::std::memory_order_release;
using ::std::memory_order_seq_cst;

TENON_INLINE void atomic_thread_fence(memory_order order, thread_scope = thread_scope_system) {
  if (order == memory_order_relaxed) return;
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  tenon_fence();
}
TENON_INLINE void atomic_signal_fence(memory_order) { __atomic_signal_fence(__ATOMIC_SEQ_CST); }

// Reports operations that may order other accesses to the checked mode.
TENON_INLINE void tenon_ordered(memory_order order) {
  if (order != memory_order_relaxed) tenon_fence();
}

// The unsigned integer type in which a value is transferred.
template <unsigned Bytes> struct tenon_atomic_word : tenon_word<Bytes> {};
template <> struct tenon_atomic_word<1> {
  typedef unsigned char type;
};

// The operations on the value at at(), for atomic, which contains it, and atomic_ref, which refers to it.
template <class T, class Self> class tenon_atomic_operations {
 public:
  static_assert(sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8,
                "on the CPU device an atomic value has 1, 2, 4 or 8 bytes");
  static_assert(::std::is_trivially_copyable_v<T>, "an atomic value is trivially copyable");
  typedef T value_type;
  static constexpr bool is_always_lock_free = true;
  TENON_MEMBER bool is_lock_free() const { return true; }

  TENON_MEMBER T load(memory_order order = memory_order_seq_cst) const {
    word* const p = at();
    word out;
    {
      TENON_ATOMICALLY(p);
      out = __atomic_load_n(p, order);
    }
    tenon_ordered(order);
    return of_word(out);
  }
  TENON_MEMBER void store(T value, memory_order order = memory_order_seq_cst) const {
    tenon_ordered(order);
    tenon_store_atomic(at(), word_of(value), order);
  }
  TENON_MEMBER T exchange(T value, memory_order order = memory_order_seq_cst) const {
    word* const p = at();
    word out;
    tenon_ordered(order);
    {
      TENON_ATOMICALLY(p);
      out = __atomic_exchange_n(p, word_of(value), order);
    }
    tenon_ordered(order);
    return of_word(out);
  }
  TENON_MEMBER bool compare_exchange_strong(T& expected, T value, memory_order good, memory_order bad) const {
    word* const p = at();
    word old = word_of(expected);
    bool done;
    tenon_ordered(good);
    {
      TENON_ATOMICALLY(p);
      done = __atomic_compare_exchange_n(p, &old, word_of(value), false, good, bad);
    }
    tenon_ordered(done ? good : bad);
    if (!done) expected = of_word(old);
    return done;
  }
  TENON_MEMBER bool compare_exchange_strong(T& expected, T value, memory_order order = memory_order_seq_cst) const {
    return compare_exchange_strong(expected, value, order, ::std::tenon_failing(order));
  }
  TENON_MEMBER bool compare_exchange_weak(T& expected, T value, memory_order good, memory_order bad) const {
    return compare_exchange_strong(expected, value, good, bad);
  }
  TENON_MEMBER bool compare_exchange_weak(T& expected, T value, memory_order order = memory_order_seq_cst) const {
    return compare_exchange_strong(expected, value, order, ::std::tenon_failing(order));
  }
  TENON_MEMBER operator T() const { return load(); }
  // Waits until the value differs from `old`, while other threads of the block run.
  TENON_MEMBER void wait(T old, memory_order order = memory_order_seq_cst) const {
    for (;;) {
      if (word_of(load(order)) != word_of(old)) return;
      tenon_give_way();
    }
  }
  TENON_MEMBER void notify_one() const {}
  TENON_MEMBER void notify_all() const {}

  template <class Change> TENON_MEMBER T tenon_change(Change change, memory_order order) const {
    T old = load(memory_order_relaxed);
    while (!compare_exchange_strong(old, change(old), order, memory_order_relaxed)) {
    }
    return old;
  }

 private:
  typedef typename tenon_atomic_word<sizeof(T)>::type word;
  TENON_MEMBER static word word_of(T value) {
    word out;
    __builtin_memcpy(&out, &value, sizeof out);
    return out;
  }
  TENON_MEMBER static T of_word(word bits) {
    T out;
    __builtin_memcpy(&out, &bits, sizeof out);
    return out;
  }
  TENON_MEMBER word* at() const { return (word*)static_cast<const Self*>(this)->tenon_at(); }
};

// Integers wrap; pointers are advanced by elements.
template <class T> struct tenon_summand {
  typedef T type;
};
template <class T> struct tenon_summand<T*> {
  typedef ptrdiff_t type;
};
template <class T> TENON_INLINE T tenon_sum(T a, T b) {
  if constexpr (::std::is_integral_v<T>) return (T)((unsigned long long)a + (unsigned long long)b);
  else return a + b;
}
template <class T> TENON_INLINE T* tenon_sum(T* a, ptrdiff_t b) { return a + b; }
template <class T> TENON_INLINE T tenon_negative(T a) {
  if constexpr (::std::is_integral_v<T>) return (T)(0 - (unsigned long long)a);
  else return -a;
}

template <class T, class Self> struct tenon_atomic_arithmetic : public tenon_atomic_operations<T, Self> {
  typedef typename tenon_summand<T>::type summand;
  TENON_MEMBER T fetch_add(summand by, memory_order order = memory_order_seq_cst) const {
    return this->tenon_change([=](T old) { return tenon_sum(old, by); }, order);
  }
  TENON_MEMBER T fetch_sub(summand by, memory_order order = memory_order_seq_cst) const {
    return fetch_add(tenon_negative(by), order);
  }
#define TENON_FETCH(name, ...)                                                 \
  TENON_MEMBER T name(T by, memory_order order = memory_order_seq_cst) const { \
    return this->tenon_change([=](T old) -> T { return __VA_ARGS__; }, order); \
  }
  TENON_FETCH(fetch_and, old& by)
  TENON_FETCH(fetch_or, old | by)
  TENON_FETCH(fetch_xor, old ^ by)
  TENON_FETCH(fetch_min, by < old ? by : old)
  TENON_FETCH(fetch_max, old < by ? by : old)
#undef TENON_FETCH
  TENON_MEMBER T operator++() const { return tenon_sum(fetch_add(1), summand(1)); }
  TENON_MEMBER T operator++(int) const { return fetch_add(1); }
  TENON_MEMBER T operator--() const { return tenon_sum(fetch_sub(1), summand(-1)); }
  TENON_MEMBER T operator--(int) const { return fetch_sub(1); }
  TENON_MEMBER T operator+=(summand by) const { return tenon_sum(fetch_add(by), by); }
  TENON_MEMBER T operator-=(summand by) const { return tenon_sum(fetch_sub(by), tenon_negative(by)); }
  TENON_MEMBER T operator&=(T by) const { return fetch_and(by) & by; }
  TENON_MEMBER T operator|=(T by) const { return fetch_or(by) | by; }
  TENON_MEMBER T operator^=(T by) const { return fetch_xor(by) ^ by; }
};
template <class T, class Self,
          bool = (::std::is_arithmetic_v<T> && !::std::is_same_v<T, bool>) || ::std::is_pointer_v<T>>
struct tenon_atomic_base : tenon_atomic_operations<T, Self> {};
template <class T, class Self> struct tenon_atomic_base<T, Self, true> : tenon_atomic_arithmetic<T, Self> {};

template <class T, thread_scope Scope = thread_scope_system> class atomic
    : public tenon_atomic_base<T, atomic<T, Scope>> {
 public:
  atomic() = default;
  constexpr atomic(T value) : value_(value) {}
  atomic(const atomic&) = delete;
  atomic& operator=(const atomic&) = delete;
  TENON_MEMBER T operator=(T value) { return this->store(value), value; }
  TENON_MEMBER T* tenon_at() const { return const_cast<T*>(&value_); }

 private:
  alignas(sizeof(T)) T value_;
};
template <class T, thread_scope Scope = thread_scope_system> class atomic_ref
    : public tenon_atomic_base<T, atomic_ref<T, Scope>> {
 public:
  static constexpr size_t required_alignment = sizeof(T);
  TENON_MEMBER explicit atomic_ref(T& value) : at_(&value) {}
  TENON_MEMBER T operator=(T value) const { return this->store(value), value; }
  TENON_MEMBER T* tenon_at() const { return at_; }

 private:
  T* at_;
};
template <class T> atomic_ref(T&) -> atomic_ref<T>;

template <thread_scope Scope = thread_scope_system> class atomic_flag {
 public:
  atomic_flag() = default;
  TENON_MEMBER bool test_and_set(memory_order order = memory_order_seq_cst) { return set_.exchange(1, order) != 0; }
  TENON_MEMBER void clear(memory_order order = memory_order_seq_cst) { set_.store(0, order); }
  TENON_MEMBER bool test(memory_order order = memory_order_seq_cst) const { return set_.load(order) != 0; }

 private:
  atomic<int, Scope> set_;
};

}  // namespace cuda

namespace std {
template <class T> using atomic = ::cuda::atomic<T, ::cuda::thread_scope_system>;
template <class T> using atomic_ref = ::cuda::atomic_ref<T, ::cuda::thread_scope_system>;
using atomic_flag = ::cuda::atomic_flag<>;
typedef atomic<int> atomic_int;
typedef atomic<unsigned> atomic_uint;
typedef atomic<bool> atomic_bool;
TENON_INLINE void atomic_thread_fence(memory_order order) { ::cuda::atomic_thread_fence(order); }
TENON_INLINE void atomic_signal_fence(memory_order order) { ::cuda::atomic_signal_fence(order); }
}  // namespace std
