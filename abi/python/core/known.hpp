/* abi/python/core/known.hpp: what is found out once for each key and kept for the life of the process. */
#pragma once

#include <atomic>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace tenon_python {

/* Values by key. It only grows, and a value stays where it is: looking one up takes no lock, on any number of threads.
 * Key: a pointer, or what becomes an integer. */
template <class Key, class Value> class Known {
 public:
  Value* find(Key key) const { return found_from(bucket(key).load(std::memory_order_acquire), nullptr, key); }

  /* The value of the key: this one, or the one that another thread added meanwhile. */
  Value& add(Key key, Value value) {
    std::atomic<Node*>& first = bucket(key);
    Node* made = new Node{key, std::move(value), first.load(std::memory_order_acquire)};
    Node* seen = nullptr;  // from here on the nodes are known to have other keys
    for (;;) {
      if (Value* others = found_from(made->next, seen, key)) {
        delete made;
        return *others;
      }
      seen = made->next;
      if (first.compare_exchange_weak(made->next, made, std::memory_order_release, std::memory_order_acquire))
        return made->value;
    }
  }

 private:
  struct Node {
    Key key;
    Value value;
    Node* next;
  };

  static Value* found_from(Node* node, Node* end, Key key) {
    for (; node != end; node = node->next)
      if (node->key == key) return &node->value;
    return nullptr;
  }

  std::atomic<Node*>& bucket(Key key) const {
    uint64_t number;
    if constexpr (std::is_pointer_v<Key>) number = reinterpret_cast<uintptr_t>(key);
    else number = static_cast<uint64_t>(key);
    return first_[number * 0x9E3779B97F4A7C15u >> 58];  // by the highest bits of Fibonacci hashing
  }

  mutable std::atomic<Node*> first_[64] = {};
};

}  // namespace tenon_python
