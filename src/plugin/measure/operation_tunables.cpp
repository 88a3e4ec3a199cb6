// plugin/measure/operation_tunables.cpp: which values the tunables of a call have.
#include <algorithm>
#include "plugin/call/operation.hpp"
#include "plugin/call/tuning.hpp"

namespace tenon {

using namespace plugin;

// One load and one comparison if there are no records.
void Operation::read_tunables(Frame& frame, const Device* device, const int64_t* given) const {
  if (tunables_.empty()) return;
  if (!given && device) {
    const TuningTable* table = tuning_.load(std::memory_order_acquire);
    if (!table) table = &tuning();
    if (!tuned_by_hand_.load(std::memory_order_relaxed) && !table->empty()) given = table->find(*device, frame);
  }
  for (size_t i = 0; i < tunables_.size(); ++i)
    frame.numbers[contract_.tunables[i].number].i = given ? given[i] : tunables_[i].load(std::memory_order_relaxed);
}

// Read and logged outside the lock: a log callback may call this operation.
const TuningTable& Operation::tuning() const {
  for (;;) {
    const uint32_t generation = tuning_generation_.load();
    std::unique_ptr<const TuningTable> read = TuningTable::of(*this);
    const TuningTable* table;
    {
      std::lock_guard lock(tuning_mutex_);
      if (const TuningTable* other = tuning_.load(std::memory_order_relaxed)) return *other;
      if (generation != tuning_generation_.load()) continue;  // there may be new records
      tables_.push_back(std::move(read));
      table = tables_.back().get();
      tuning_.store(table, std::memory_order_release);
    }
    for (const std::string& warning : table->warnings()) context().log(TENON_LOG_WARNING, "%s", warning.c_str());
    return *table;
  }
}

bool Operation::may_take_record() const {
  return !tunables_.empty() && !tuned_by_hand_.load(std::memory_order_relaxed) && !tuning().empty();
}

std::vector<int64_t> Operation::default_tunables() const {
  std::vector<int64_t> out;
  for (const Tunable& tunable : contract_.tunables) out.push_back(tunable.fallback);
  return out;
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
  if (std::find(values.begin(), values.end(), value) == values.end()) {
    std::string list;
    for (const int64_t one : values) list += (list.empty() ? "" : ", ") + std::to_string(one);
    fail(TENON_ERROR_INVALID_ARGUMENT, "%lld is not a value of the tunable %s of %s: use one of %s",
         static_cast<long long>(value), name.c_str(), title_.c_str(), list.c_str());
  }
  tunables_[index].store(value, std::memory_order_relaxed);
  tuned_by_hand_.store(true, std::memory_order_relaxed);
  tuning_generation_.fetch_add(1);
}

int64_t Operation::tuned(const std::string& name) const {
  return tunables_[tunable(name)].load(std::memory_order_relaxed);
}

}  // namespace tenon
