// backend/cpu/compile/ir.hpp: what CUDA defines and C++ does not, written into LLVM's intermediate code.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tenon::cpu {

// The text of a module, as clang writes it before any optimisation, with integer divisions and shifts that are defined
// for all operands:
//   x / 0 and x % 0    all bits set, as NVIDIA's GPUs give
//   least / -1         the least integer; least % -1 is 0
//   x << n, x >> n     for n from the width on (or negative): 0, and all bits as the sign where x is signed
// An operation whose right operand is a harmless constant stays as it is, and the optimiser drops every guard whose
// condition it can prove. Operations on vectors are those of the built-in headers, and stay too.
std::string with_total_integers(std::string_view module);

// The most threads of a block that __launch_bounds__ gives kernels, by their numbers. clang notes the bounds as
// annotations of functions and TENON_KERNEL_IS (shim/tenon_entry.h) says which function a kernel is; both are taken out
// of the module.
std::map<size_t, uint32_t> take_launch_bounds(std::string& module);

// Of a compiler's arguments those that concern intermediate code, for the second step.
std::vector<std::string> options_for_ir(const std::vector<std::string>& arguments);

}  // namespace tenon::cpu
