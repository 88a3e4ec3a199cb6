// plugin/measure/measure.hpp: how long operations take, and which values of their tunables are the fastest.
#pragma once
#include "plugin/measure/trial.hpp"

namespace tenon {

struct MeasureRequest {
  std::vector<std::pair<std::string, std::string>> given;  // empty: the contract's cases
  std::string types;
  double seconds = 0;  // 0: the default
};

// JSON, as specified in tenon/plugin.h.
std::string measure(Operation& operation, Device& device, const MeasureRequest& request);
std::string tune(Operation& operation, Device& device, const MeasureRequest& request);

namespace plugin {

// The measured calls: each case with each choice of dtypes. `keep` owns a case that was given.
struct MeasuredCase {
  const TestCase* test;
  std::vector<Dtype> types;
};
std::vector<MeasuredCase> work_of(const Operation& operation, const Device& device, const MeasureRequest& request,
                                  TestCase& keep);

struct Timing {
  double median = 0, fastest = 0;  // milliseconds
  int64_t launches = 0;
};
// Launches repeatedly for about that time, at least three times.
Timing time_of(BoundOperation& bound, Device& device, double seconds);

}  // namespace plugin
}  // namespace tenon
