// backend/cpu/text/tree/inlined.hpp: puts the statements of functions with barriers or operations of warps in place of
// their calls in kernels, so that text/regions/regions.hpp can split the kernels there.
#pragma once
#include <string>

namespace tenon::cpu {

// A text without macros, in which __global__ and __shared__ are written as in CUDA. A kernel with a call that cannot be
// replaced with certainty stays as it is.
std::string with_functions_inlined(const std::string& text);

}  // namespace tenon::cpu
