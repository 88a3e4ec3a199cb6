// backend/cpu/compile/compiler/masks.hpp: masked loads and stores whose mask is mostly full.
#pragma once
#include <string>

namespace tenon::cpu {

// `module` is the text of an optimised module. Makes each masked load and store test its mask, and load or store the
// whole vector if all lanes are on: on AVX2 masked stores are slow, and some processors (Zen 3) do not fetch memory
// ahead of masked loads. Returns false and leaves the module unchanged if it has no such access in the form that clang
// 18 to 21 write, or if it has debug information.
bool test_masks(std::string& module);

}  // namespace tenon::cpu
