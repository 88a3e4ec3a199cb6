// plugin/scalar.hpp: scalar arguments and the numbers of expressions, into each other.
#pragma once
#include <tenon/kernel.h>
#include <string>
#include "plugin/expression.hpp"

namespace tenon::plugin {

std::string kind_of_argument(const tenon_arg& arg);  // "an array", "a scalar of float32"
// What an expression sees of a scalar: as a real where `real`; NaN for a complex one. Throws OVERFLOW for an unsigned one past
// 2^63.
Number number_of(const tenon_arg& arg, bool real, const std::string& what);
const char* c_type(Dtype dtype);  // as a kernel's text calls it: "float", "__half", "float2" for complex64

}  // namespace tenon::plugin
