// core/late.cpp: deferred errors: failures found after the call that caused them has returned.
#include "core/late.hpp"

#include <algorithm>
#include <new>
#include <optional>
#include "core/error.hpp"

namespace tenon {
namespace {

constexpr int64_t kUnwritten = INT64_MIN;  // devices write -1 or numbers that are not negative, never this

}  // namespace

Mail::Mail(void* memory) : memory_(memory) {
  free_.reserve(kPlaces);
  for (size_t i = kPlaces; i-- > 0;) free_.push_back(static_cast<int64_t*>(memory) + i * kNumbers);
}

int64_t* Mail::take() noexcept {
  std::lock_guard lock(mutex_);
  if (free_.empty()) return nullptr;
  int64_t* place = free_.back();
  free_.pop_back();
  std::fill_n(place, kNumbers, kUnwritten);
  return place;
}

void Mail::give(int64_t* place) noexcept {
  std::lock_guard lock(mutex_);
  free_.push_back(place);  // the memory was reserved
}

bool Mail::written(const int64_t* place) noexcept {
  for (size_t i = 0; i < kNumbers; ++i)
    if (std::atomic_ref(const_cast<int64_t&>(place[i])).load(std::memory_order_acquire) == kUnwritten) return false;
  return true;
}

Late::Numbers Late::numbers() const noexcept {
  Numbers out;
  std::copy_n(place_, Mail::kNumbers, out.begin());
  return out;
}

void Late::tell() {
  if (told_.exchange(true, std::memory_order_acq_rel)) return;
  try {
    judge_(numbers());
  } catch (const Error&) {
    throw;
  } catch (...) {  // no memory for the error: it is thrown at another time
    told_.store(false, std::memory_order_release);
    throw;
  }
}

bool Late::good() const {
  if (told()) return true;
  if (!ready()) return false;
  try {
    judge_(numbers());
    return true;
  } catch (...) {
    return false;
  }
}

std::vector<std::shared_ptr<Late>> LateList::all() const {
  std::lock_guard lock(mutex_);
  return lates_;
}

void LateList::add(std::shared_ptr<Late> late) {
  std::lock_guard lock(mutex_);
  std::erase_if(lates_, [](const auto& known) { return known->told(); });
  lates_.push_back(std::move(late));
  any_.store(true, std::memory_order_release);
}

void LateList::take_over(const LateList& earlier) {
  if (earlier.empty() || &earlier == this) return;
  const std::vector<std::shared_ptr<Late>> news = earlier.all();
  std::lock_guard lock(mutex_);
  std::erase_if(lates_, [](const auto& known) { return known->told(); });
  for (const auto& late : news)
    if (!late->told() && std::find(lates_.begin(), lates_.end(), late) == lates_.end()) lates_.push_back(late);
  any_.store(!lates_.empty(), std::memory_order_release);
}

void LateList::replace(const LateList& with) {
  if (empty() && with.empty()) return;
  std::vector<std::shared_ptr<Late>> news = with.all();
  std::lock_guard lock(mutex_);
  lates_ = std::move(news);
  any_.store(!lates_.empty(), std::memory_order_release);
}

void LateList::tell() {
  if (empty()) return;
  std::optional<Error> said;
  size_t more = 0;
  try {
    for (const auto& late : all()) {
      if (!late->ready()) continue;
      try {
        late->tell();
      } catch (Error& error) {
        if (said) ++more;
        else said.emplace(std::move(error));
      }
    }
    if (more) said->message += format(" (and %zu later call%s failed too)", more, more == 1 ? "" : "s");
  } catch (const std::bad_alloc&) {
    if (!said) throw;
  }
  {
    std::lock_guard lock(mutex_);
    std::erase_if(lates_, [](const auto& late) { return late->told(); });
    any_.store(!lates_.empty(), std::memory_order_release);
  }
  if (said) throw *said;
}

void LateList::forget_good() noexcept {
  std::lock_guard lock(mutex_);
  std::erase_if(lates_, [](const auto& late) { return late->good(); });
  any_.store(!lates_.empty(), std::memory_order_release);
}

void LateList::clear() noexcept {
  std::lock_guard lock(mutex_);
  lates_.clear();
  any_.store(false, std::memory_order_release);
}

}  // namespace tenon
