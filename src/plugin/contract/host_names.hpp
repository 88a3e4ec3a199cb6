// plugin/contract/host_names.hpp: names of a contract that some language could not say.
#pragma once
#include <string>

namespace tenon::plugin {

// What stands in the way, as in "a keyword of Python"; "" where nothing does. Names inside a contract come to C++ only,
// those of packages, operations and parameters to every host.
std::string taken_in_kernels(const std::string& name);
std::string taken_in_hosts(const std::string& name);
std::string taken_for_parameters(const std::string& name);  // and those that calls have for themselves
std::string taken_for_operations(const std::string& name);  // and those that a package has for itself

}  // namespace tenon::plugin
