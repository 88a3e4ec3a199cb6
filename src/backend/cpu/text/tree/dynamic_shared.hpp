// backend/cpu/text/tree/dynamic_shared.hpp: writes the block's dynamic shared memory plainly where a kernel gets it
// from a class.
#pragma once
#include <string>

namespace tenon::cpu {

// A text without macros, in which __global__ and __shared__ are written as in CUDA. A template cannot declare one array
// with several types, so templates of kernels get theirs from a class that does nothing else. What stands there instead
// shows regions/regions.hpp that all threads have the same pointer.
std::string with_dynamic_shared_plain(const std::string& text);

}  // namespace tenon::cpu
