// plugin/expression/scalar.hpp: scalar arguments and the numbers of expressions, into each other.
#pragma once
#include <string>
#include <string_view>
#include "core/argument.hpp"
#include "plugin/expression/expression.hpp"

namespace tenon::plugin {

// What a message speaks of: "the argument n of image/blur". It is put together only where there is a message.
struct Subject {
  std::string_view name, owner = {}, before = {};
  Subject(const std::string& name) : name(name) {}
  Subject(std::string_view name, std::string_view owner, std::string_view before = {})
      : name(name), owner(owner), before(before) {}
  std::string text() const;
};

std::string kind_of_argument(const CallArgument& arg);  // "an array", "a scalar of float32"
// What an expression sees of a scalar: as a real where `real`; NaN for a complex one. Throws OVERFLOW for an unsigned
// one past 2^63.
Number number_of(const CallArgument& arg, bool real, const Subject& what);
// A scalar argument of a dtype from a number. Throws OVERFLOW when it does not fit.
CallArgument scalar_argument(Number value, bool real, Dtype dtype, const Subject& what);
const char* c_type(Dtype dtype);  // as a kernel's text calls it: "float", "__half", "float2" for complex64

}  // namespace tenon::plugin
