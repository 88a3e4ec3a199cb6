// backend/cpu/compile/source/launches.hpp: kernels that launch kernels (<<<>>>).
#pragma once
#include <map>
#include <string>

namespace tenon::cpu {

// A text whose macros have been expanded, with launches replaced by C++ (which calls shim/execution/tenon_launch.h):
// kernel<A><<<C>>>(V) becomes tenon_children<...>{"kernel<A>", C}(V), and so on. `count`: how many there are; clusters:
// of compile/source/clusters.hpp. A launch in main(), or of a kernel with clusters, is reported in `log`, in the form
// of a compiler's error; anything else that is no launch is left for the compiler.
std::string launches_as_calls(const std::string& expanded, const std::map<std::string, std::string>& clusters,
                              int& count, std::string& log);

}  // namespace tenon::cpu
