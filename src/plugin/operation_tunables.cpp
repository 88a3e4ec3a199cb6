// plugin/operation_tunables.cpp: which values the tunables of a call have.
#include <algorithm>
#include "plugin/operation.hpp"
#include "plugin/tuning.hpp"

namespace tenon {

using namespace plugin;

// One load and one comparison where there are no records.
void Operation::read_tunables(Frame& frame, const Device* device, const int64_t* given) const {
  if (tunables_.empty()) return;
  if (!given && device) {
    const TuningTable* table = tuning_.load(std::memory_order_acquire);
    if (!table) table = &tuning();
    if (!table->empty() && !tuned_by_hand_.load(std::memory_order_relaxed)) given = table->find(*device, frame);
  }
  for (size_t i = 0; i < tunables_.size(); ++i)
    frame.numbers[contract_.tunables[i].number].i = given ? given[i] : tunables_[i].load(std::memory_order_relaxed);
}

const TuningTable& Operation::tuning() const {
  std::lock_guard lock(tuning_mutex_);
  if (const TuningTable* table = tuning_.load(std::memory_order_relaxed)) return *table;
  tables_.push_back(std::make_unique<const TuningTable>(TuningTable::of(*this)));
  tuning_.store(tables_.back().get(), std::memory_order_release);
  return *tables_.back();
}

void Operation::forget_tuning() {
  std::lock_guard lock(tuning_mutex_);
  tuning_.store(nullptr, std::memory_order_release);
  tuning_generation_.fetch_add(1);
}

size_t Operation::tunable(const std::string& name) const {
  std::string list;
  for (size_t i = 0; i < contract_.tunables.size(); ++i) {
    if (contract_.tunables[i].name == name) return i;
    list += (i ? ", " : "") + contract_.tunables[i].name;
  }
  fail(TENON_ERROR_NOT_FOUND, "%s has no tunable \"%s\"; it has: %s", title_.c_str(), name.c_str(),
       list.empty() ? "none" : list.c_str());
}

void Operation::tune(const std::string& name, int64_t value) {
  const size_t index = tunable(name);
  const std::vector<int64_t>& values = contract_.tunables[index].values;
  TENON_REQUIRE(std::find(values.begin(), values.end(), value) != values.end(), TENON_ERROR_INVALID_ARGUMENT,
                "%lld is none of the values of the tunable %s of %s", static_cast<long long>(value), name.c_str(), title_.c_str());
  tunables_[index].store(value, std::memory_order_relaxed);
  tuned_by_hand_.store(true, std::memory_order_relaxed);
  tuning_generation_.fetch_add(1);
}

int64_t Operation::tuned(const std::string& name) const { return tunables_[tunable(name)].load(std::memory_order_relaxed); }

}  // namespace tenon
