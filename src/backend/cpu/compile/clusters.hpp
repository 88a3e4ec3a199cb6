// backend/cpu/compile/clusters.hpp: the cluster dimensions of kernels (__cluster_dims__) in a text.
#pragma once
#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace tenon::cpu {

// The arguments of __cluster_dims__ for each kernel that has it, by its position in `kernels`; for a text whose macros
// have been expanded. Throws COMPILE for one that belongs to no kernel's declaration.
std::map<size_t, std::string> cluster_dims(const std::string& expanded, const std::vector<std::string>& kernels);

}  // namespace tenon::cpu
