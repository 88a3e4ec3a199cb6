// plugin/measure/tune.cpp: searching the values of tunables on the device, within a time.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <numeric>
#include "base/json.hpp"
#include "plugin/call/plan.hpp"
#include "plugin/measure/measure.hpp"
#include "plugin/contract/tolerance.hpp"
#include "plugin/call/tuning.hpp"

namespace tenon {

using namespace plugin;

namespace {

using Values = std::vector<int64_t>;
constexpr double kQuick = 0.02;    // seconds for a first look at a candidate
constexpr double kWorthIt = 0.98;  // the default is only replaced for a gain above the noise

// One problem: every candidate is measured once, and again if it is faster than the best so far.
class Search {
 public:
  Search(Operation& operation, const MeasuredCase& work, Device& device, double seconds)
      : operation_(operation),
        contract_(operation.contract()),
        trial_(operation, *work.test, work.types),
        device_(device),
        seconds_(seconds) {
    for (const Tunable& tunable : contract_.tunables) {
      default_.push_back(tunable.fallback);
      possible_ *= double(tunable.values.size());
    }
  }

  TuningRecord run() {
    const std::unique_ptr<Trial::Arguments> first = trial_.arguments(trial_.types(), device_, trial_.inputs());
    const Ref<BoundOperation> bound = bind(*first, default_);  // the default has to work
    bound->launch(device_.default_stream());
    device_.default_stream().synchronize();
    expected_ = trial_.results(*first);
    best_ = default_;
    best_time_ = default_time_ = times_[default_] = time_of(*bound, device_, 3 * kQuick).median;
    arguments_ = trial_.arguments(trial_.types(), device_, trial_.inputs());
    while (descend()) {
    }
    descended_ = !time_is_up();
    everything_else();
    if (best_ != default_) decide();
    TuningRecord out;
    describe_device(device_, out);
    out.types = trial_.types();
    for (size_t i = 0; i < contract_.parameters.size(); ++i)
      if (contract_.parameters[i].read()) out.shapes.push_back(trial_.inputs()[i].shape);
    out.scalars = bound->plan().tuned_scalars();
    out.values = best_;
    out.milliseconds = best_time_;
    out.default_milliseconds = default_time_;
    return out;
  }

  // Whether enough candidates were measured for a result: the default can only be called fastest after trying others.
  bool conclusive() const { return best_ != default_ || descended_ || double(times_.size()) >= possible_; }

  base::Json report(const TuningRecord& record) const {
    base::Json row = {{"name", trial_.test().name}, {"types", trial_.types_json()}, {"shapes", trial_.shapes_json()}};
    for (size_t i = 0; i < record.values.size(); ++i) row["tunables"][contract_.tunables[i].name] = record.values[i];
    row["milliseconds"] = record.milliseconds;
    row["default_milliseconds"] = record.default_milliseconds;
    row["tried"] = times_.size();
    row["possible"] = possible_;
    row["failed"] = failed_;
    row["recorded"] = conclusive();
    return row;
  }

 private:
  bool time_is_up() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count() >= seconds_;
  }

  Ref<BoundOperation> bind(const Trial::Arguments& arguments, const Values& values) const {
    return operation_.bind(arguments.args.data(), arguments.count(), &device_.default_stream(), values.data());
  }

  // Tries every value of one tunable after the other, starting from the best so far. False: no improvement.
  bool descend() {
    bool better = false;
    for (size_t i = 0; i < contract_.tunables.size(); ++i)
      for (const int64_t value : contract_.tunables[i].values) {
        Values candidate = best_;
        candidate[i] = value;
        if (time_is_up()) return false;
        better = consider(candidate) || better;
      }
    return better;
  }

  // Tries the whole grid, as far as time permits, in a fixed scattered order.
  void everything_else() {
    if (possible_ > 1e6) return;
    const uint64_t count = uint64_t(possible_);
    uint64_t step = count * 618 / 1000 + 1;
    while (std::gcd(step, count) != 1) ++step;
    for (uint64_t k = 0, at = 0; k < count && !time_is_up(); ++k, at = (at + step) % count) {
      Values candidate;
      uint64_t rest = at;
      for (const Tunable& tunable : contract_.tunables) {
        candidate.push_back(tunable.values[rest % tunable.values.size()]);
        rest /= tunable.values.size();
      }
      consider(candidate);
    }
  }

  bool consider(const Values& candidate) {
    if (times_.count(candidate)) return false;
    double& time = times_[candidate];
    time = HUGE_VAL;
    try {
      const Ref<BoundOperation> bound = bind(*arguments_, candidate);
      const double quick = time_of(*bound, device_, kQuick).median;
      time = quick;
      if (!(quick < best_time_) || !same_results(candidate)) return false;
      best_ = candidate;
      best_time_ = quick;
      return true;
    } catch (const Error& error) {
      if (error.status == TENON_ERROR_DEVICE_LOST || error.status == TENON_ERROR_KERNEL_FAULT) throw;
      ++failed_;  // a tile that is too large for the device, and the like
      return false;
    }
  }

  bool same_results(const Values& candidate) {
    const std::unique_ptr<Trial::Arguments> fresh = trial_.arguments(trial_.types(), device_, trial_.inputs());
    bind(*fresh, candidate)->launch(device_.default_stream());
    device_.default_stream().synchronize();
    const std::vector<std::vector<double>> is = trial_.results(*fresh);
    size_t index = 0;
    for (const Declared& parameter : contract_.parameters) {
      if (!parameter.written()) continue;
      const Dtype dtype =
          parameter.type.dtype ? parameter.type.dtype : trial_.types()[size_t(parameter.type.placeholder)];
      const double relative = trial_.test().relative >= 0 ? trial_.test().relative : default_tolerance(dtype);
      if (compare(is[index], expected_[index]).within(relative, trial_.test().absolute)) {
        ++index;
        continue;
      }
      ++failed_;
      operation_.context().log(TENON_LOG_WARNING, "%s gives a different %s with other tunables: those are not used",
                               operation_.title().c_str(), parameter.name.c_str());
      return false;
    }
    return true;
  }

  // Measures the best and the default alternately, so that load on the machine affects both.
  void decide() {
    const Ref<BoundOperation> fast = bind(*arguments_, best_), plain = bind(*arguments_, default_);
    std::vector<double> best, defaults;
    for (int i = 0; i < 3; ++i) {
      best.push_back(time_of(*fast, device_, kQuick).median);
      defaults.push_back(time_of(*plain, device_, kQuick).median);
    }
    std::sort(best.begin(), best.end());
    std::sort(defaults.begin(), defaults.end());
    best_time_ = best[1];
    default_time_ = defaults[1];
    if (best_time_ < kWorthIt * default_time_) return;
    best_ = default_;
    best_time_ = default_time_;
  }

  Operation& operation_;
  const OperationContract& contract_;
  const Trial trial_;
  Device& device_;
  const double seconds_;
  const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::unique_ptr<Trial::Arguments> arguments_;
  std::vector<std::vector<double>> expected_;
  std::map<Values, double> times_;
  Values default_, best_;
  double best_time_ = 0, default_time_ = 0, possible_ = 1;
  bool descended_ = false;  // each value of each tunable was tried
  int64_t failed_ = 0;
};

}  // namespace

std::string tune(Operation& operation, Device& device, const MeasureRequest& request) {
  using json = base::Json;
  TENON_REQUIRE(!operation.contract().tunables.empty(), TENON_ERROR_NOT_FOUND,
                "%s has no tunables: its contract lists none", operation.title().c_str());
  TestCase keep;
  const std::vector<MeasuredCase> work = work_of(operation, device, request, keep);
  const double seconds = request.seconds > 0 ? request.seconds : 30;
  const auto begin = std::chrono::steady_clock::now();
  json rows = json::array();
  std::vector<TuningRecord> records;
  for (size_t i = 0; i < work.size(); ++i) {  // unused time of one case is available to the following ones
    const double left = seconds - std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    Search search(operation, work[i], device, left / double(work.size() - i));
    const TuningRecord found = search.run();
    rows.push_back(search.report(found));
    if (search.conclusive()) records.push_back(found);
  }
  const std::string file = TuningTable::add(operation, records);
  operation.forget_tuning();
  return json{{"operation", operation.title()}, {"device", device.name()}, {"file", file}, {"cases", rows}}.dump();
}

}  // namespace tenon
