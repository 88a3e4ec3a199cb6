// core/late.hpp: what calls that did not wait for their result have still to say of it.
//
// Whether a matrix was singular, or an operand had NaN in it, the device finds out. A call waits for that, or, in a context with
// TENON_CONTEXT_DEFERRED_ERRORS, leaves a Late on its stream. Streams that are ordered behind that one, and events recorded there,
// take it over; who waits for one of them is told, once.
#pragma once
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace tenon {

// Places for the numbers of a Late, in memory that a device writes while the host goes on.
class Mail {
 public:
  static constexpr size_t kNumbers = 8, kPlaces = 512, kBytes = kPlaces * kNumbers * sizeof(int64_t);
  explicit Mail(void* memory);
  int64_t* take() noexcept;  // a place that is not written yet; NULL: all are taken
  void give(int64_t* place) noexcept;
  void* memory() const { return memory_; }
  static bool written(const int64_t* place) noexcept;

 private:
  void* memory_;
  std::mutex mutex_;
  std::vector<int64_t*> free_;
};

class Late {
 public:
  using Numbers = std::array<int64_t, Mail::kNumbers>;
  using Judge = std::function<void(const Numbers&)>;  // throws what there is to say
  Late(std::shared_ptr<Mail> mail, int64_t* place, Judge judge) : mail_(std::move(mail)), place_(place), judge_(std::move(judge)) {}
  ~Late() { mail_->give(place_); }
  Late(const Late&) = delete;

  bool ready() const noexcept { return Mail::written(place_); }
  bool told() const noexcept { return told_.load(std::memory_order_acquire); }
  void tell();       // ready: throws what there is to say, the first time
  bool good() const;  // ready, and there is nothing to say

 private:
  Numbers numbers() const noexcept;
  const std::shared_ptr<Mail> mail_;
  int64_t* const place_;
  const Judge judge_;
  std::atomic<bool> told_{false};
};

class LateList {
 public:
  bool empty() const noexcept { return !any_.load(std::memory_order_acquire); }
  void add(std::shared_ptr<Late> late);
  void take_over(const LateList& earlier);
  void replace(const LateList& with);
  // Throws the first that is ready and has something to say, and forgets those that were told. What is not ready belongs to work that
  // was put on the stream while it was waited for.
  void tell();
  void forget_good() noexcept;
  void clear() noexcept;

 private:
  std::vector<std::shared_ptr<Late>> all() const;
  std::atomic<bool> any_{false};
  mutable std::mutex mutex_;
  std::vector<std::shared_ptr<Late>> lates_;
};

}  // namespace tenon
