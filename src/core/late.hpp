// core/late.hpp: deferred errors: failures found after the call that caused them has returned.
//
// The device detects whether a matrix was singular or an operand contained NaN. A call waits for that, or, in a
// context with TENON_CONTEXT_DEFERRED_ERRORS, leaves a Late on its stream. Streams that are ordered behind that one,
// and events recorded there, take it over. The first caller to wait for any of them gets the error, once.
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

// Result slots of Lates, in memory that the device writes while the host continues.
class Mail {
 public:
  static constexpr size_t kNumbers = 8, kPlaces = 512, kBytes = kPlaces * kNumbers * sizeof(int64_t);
  explicit Mail(void* memory);
  int64_t* take() noexcept;  // a slot that is not written yet; NULL: all are in use
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
  using Judge = std::function<void(const Numbers&)>;  // throws the error that the numbers stand for, if any
  Late(std::shared_ptr<Mail> mail, int64_t* place, Judge judge)
      : mail_(std::move(mail)), place_(place), judge_(std::move(judge)) {}
  ~Late() { mail_->give(place_); }
  Late(const Late&) = delete;

  bool ready() const noexcept { return Mail::written(place_); }
  bool told() const noexcept { return told_.load(std::memory_order_acquire); }
  void tell();        // ready: the first call throws its error, if there is one
  bool good() const;  // ready, without an error

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
  // Throws the first error that is ready, and drops those that were reported. Those that are not ready belong to work
  // that was enqueued during the wait.
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
