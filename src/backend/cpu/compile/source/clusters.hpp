// backend/cpu/compile/source/clusters.hpp: the cluster dimensions of kernels (__cluster_dims__) in a text.
#pragma once
#include <map>
#include <string>

namespace tenon::cpu {

// The arguments of __cluster_dims__ for each function that has it, by its own name; for a text whose macros have been
// expanded. One that belongs to no function is reported in `log`, in the form of a compiler's error.
std::map<std::string, std::string> cluster_dims(const std::string& expanded, std::string& log);

// The text with a function before each kernel that has __cluster_dims__, in its scope and of its template's parameters,
// that returns the dimensions; and the call of this function for a kernel by its full name.
std::string with_cluster_functions(const std::string& expanded);
std::string cluster_function(const std::string& kernel);

}  // namespace tenon::cpu
