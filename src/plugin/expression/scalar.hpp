// plugin/expression/scalar.hpp: conversions between scalar arguments and the numbers of expressions.
#pragma once
#include <string>
#include <string_view>
#include "core/array/argument.hpp"
#include "plugin/expression/expression.hpp"

namespace tenon::plugin {

// The subject of a message: "the argument n of image/blur". Its text is only built if there is a message.
struct Subject {
  std::string_view name, owner = {}, before = {};
  Subject(const std::string& name) : name(name) {}
  Subject(std::string_view name, std::string_view owner, std::string_view before = {})
      : name(name), owner(owner), before(before) {}
  std::string text() const;
};

std::string kind_of_argument(const CallArgument& arg);  // "an array", "a scalar of float32"
// The value of a scalar for expressions: with `real` as a real; NaN for a complex one. Throws OVERFLOW for an unsigned
// value of 2^63 or above.
Number number_of(const CallArgument& arg, bool real, const Subject& what);
// A scalar argument of a dtype from a number. Throws OVERFLOW if it does not fit.
CallArgument scalar_argument(Number value, bool real, Dtype dtype, const Subject& what);
const char* c_type(Dtype dtype);  // the name in a kernel's source: "float", "__half", "float2" for complex64

}  // namespace tenon::plugin
