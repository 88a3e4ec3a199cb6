// plugin/contract/tolerance.cpp: comparing lists of numbers.
#include "plugin/contract/tolerance.hpp"
#include <algorithm>
#include <cmath>
#include <limits>
#include "core/error.hpp"

namespace tenon::plugin {

double default_tolerance(Dtype dtype) {
  switch (dtype) {
    case TENON_FLOAT16: return 4 * 0x1p-10;
    case TENON_BFLOAT16: return 4 * 0x1p-7;
    case TENON_FLOAT32:
    case TENON_COMPLEX64: return 64 * double(std::numeric_limits<float>::epsilon());
    case TENON_FLOAT64:
    case TENON_COMPLEX128: return 64 * std::numeric_limits<double>::epsilon();
    default: return 0;
  }
}

Difference compare(const std::vector<double>& is, const std::vector<double>& wanted) {
  Difference out;
  if (is.size() != wanted.size()) {
    out.what = format("has %zu elements instead of %zu", is.size(), wanted.size());
    return out;
  }
  double largest = 0;
  for (size_t i = 0; i < is.size(); ++i) {
    if (std::isfinite(wanted[i])) largest = std::max(largest, std::fabs(wanted[i]));
    if (is[i] == wanted[i] || (std::isnan(is[i]) && std::isnan(wanted[i]))) continue;
    if (!std::isfinite(is[i]) || !std::isfinite(wanted[i])) {
      if (out.what.empty()) out.what = format("element %zu is %g instead of %g", i, is[i], wanted[i]);
      continue;
    }
    out.absolute = std::max(out.absolute, std::fabs(is[i] - wanted[i]));
  }
  out.relative = largest > 0 ? out.absolute / largest : out.absolute;
  return out;
}

}  // namespace tenon::plugin
