// plugin/contract/tolerance.hpp: the difference between results and expected values, and the permitted difference.
#pragma once
#include <string>
#include <vector>
#include "core/dtype.hpp"

namespace tenon::plugin {

// Relative to the largest expected magnitude, if a test does not specify one.
double default_tolerance(Dtype dtype);

struct Difference {
  double absolute = 0, relative = 0;  // relative to the largest expected magnitude
  std::string what;                   // "": only small differences
  bool within(double most_relative, double most_absolute) const {
    return what.empty() && (relative <= most_relative || absolute <= most_absolute);
  }
};
Difference compare(const std::vector<double>& is, const std::vector<double>& wanted);

}  // namespace tenon::plugin
