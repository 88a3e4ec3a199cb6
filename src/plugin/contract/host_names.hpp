// plugin/contract/host_names.hpp: names in a contract that some language could not use.
#pragma once
#include <string>

namespace tenon::plugin {

// Why a name cannot be used, for example "a keyword of Python"; "" if it can. Names inside a contract only reach C++;
// those of packages, operations and parameters reach every host.
std::string taken_in_kernels(const std::string& name);
std::string taken_in_hosts(const std::string& name);
std::string taken_for_parameters(const std::string& name);  // and names that calls use themselves
std::string taken_for_operations(const std::string& name);  // and names that a package uses itself

}  // namespace tenon::plugin
