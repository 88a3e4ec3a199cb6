// ops/moving/applied.hpp: functions of arrays as steps of an operation that is composed of several.
#pragma once
#include <initializer_list>
#include "ops/compute/compute.hpp"

namespace tenon::ops {

inline ComputeArg operand(const Array& x) { return {&x, "x", x.dtype(), false, {}}; }

// An elementwise function of TENON_FN_*.
inline Ref<Array> applied(int32_t code, std::initializer_list<const Array*> arrays, Stream& stream,
                          const ComputeOptions& options = {}) {
  std::vector<ComputeArg> args;
  for (const Array* array : arrays) args.push_back(operand(*array));
  return elementwise(*functions::find(code), args, options, &stream);
}

}  // namespace tenon::ops
