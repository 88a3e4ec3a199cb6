// core/kernel_name.hpp: the names of kernels in a program's list: a function's name, an instance of a template, or an
// expression that selects one of several overloads.
#pragma once
#include <string>

namespace tenon {

// The expression for the function's address, for "k<float>", "&k", "(void (*)(float*))k" or "static_cast<void
// (*)(float*)>(&k)".
std::string kernel_address(const std::string& name);

// The name within the expression: "ns::k" for "(void (*)(float*))&ns::k".
std::string kernel_within(const std::string& name);

// The function's own name: "axpy" for "ns::axpy<float>".
std::string plain_name(const std::string& name);

}  // namespace tenon
