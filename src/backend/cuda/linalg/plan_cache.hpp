// backend/cuda/linalg/plan_cache.hpp: plans that a vendor's library has prepared for a kind of work, cached per device:
// bounded, shared by its threads and streams, counted.
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <type_traits>
#include <unordered_map>
#include "base/json.hpp"

namespace tenon::cuda {

// Key: a struct of int64_t, compared and hashed as words.
template <class Key, class Plan> class PlanCache {
  static_assert(std::has_unique_object_representations_v<Key> && sizeof(Key) % 8 == 0);

 public:
  explicit PlanCache(size_t limit) : limit_(limit) {}

  // NULL: there is no plan with that key.
  std::shared_ptr<Plan> find(const Key& key) {
    std::lock_guard lock(mutex_);
    const auto found = entries_.find(key);
    if (found == entries_.end()) return nullptr;
    ++hits_;
    found->second.last_use = ++clock_;
    return found->second.plan;
  }

  // If another thread added a plan first, that one is returned, or with `replace` replaced by this one.
  std::shared_ptr<Plan> add(const Key& key, std::shared_ptr<Plan> made, bool replace = false) {
    std::shared_ptr<Plan> gone;  // destroyed after the lock is released
    std::lock_guard lock(mutex_);
    auto [entry, is_new] = entries_.try_emplace(key, Entry{made, 0});
    if (!is_new && replace) gone = std::exchange(entry->second.plan, std::move(made));
    const std::shared_ptr<Plan> plan = entry->second.plan;
    entry->second.last_use = ++clock_;
    ++misses_;
    if (entries_.size() > limit_) {
      // Graphs keep the plans with which they were made alive, so these are evicted last: finding them again is better
      // than making them twice.
      const auto age = [](const auto& one) {
        return one.second.plan.use_count() > 1 ? ~uint64_t(0) : one.second.last_use;
      };
      const auto oldest = std::min_element(entries_.begin(), entries_.end(),
                                           [&](const auto& a, const auto& b) { return age(a) < age(b); });
      if (oldest->second.plan.use_count() == 1) {
        gone = std::move(oldest->second.plan);
        entries_.erase(oldest);
        ++evictions_;
      }
    }
    return plan;
  }

  base::Json report() {
    std::lock_guard lock(mutex_);
    return {
        {"kept", entries_.size()}, {"limit", limit_}, {"hits", hits_}, {"misses", misses_}, {"evictions", evictions_}};
  }

 private:
  struct Hash {
    size_t operator()(const Key& key) const {
      int64_t words[sizeof(Key) / 8];
      std::memcpy(words, &key, sizeof(key));
      uint64_t h = 0;
      for (int64_t w : words) h = (h ^ uint64_t(w)) * 0x9e3779b97f4a7c15u, h ^= h >> 29;
      return h;
    }
  };
  struct Equal {
    bool operator()(const Key& a, const Key& b) const { return std::memcmp(&a, &b, sizeof(Key)) == 0; }
  };
  struct Entry {
    std::shared_ptr<Plan> plan;
    uint64_t last_use;
  };

  const size_t limit_;
  std::mutex mutex_;
  uint64_t clock_ = 0, hits_ = 0, misses_ = 0, evictions_ = 0;
  std::unordered_map<Key, Entry, Hash, Equal> entries_;
};

}  // namespace tenon::cuda
