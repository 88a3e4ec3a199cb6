// backend/cpu/compile/compiler/ir.hpp: operations that CUDA defines and C++ does not, defined in LLVM's intermediate
// code.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tenon::cpu {

// The text of a module, as clang writes it before any optimisation, with integer divisions and shifts made defined for
// all operands:
//   x / 0 and x % 0    all bits set, as on NVIDIA's GPUs
//   least / -1         the least integer; least % -1 is 0
//   x << n, x >> n     for n not below the width (or negative): 0, and for signed x >> n all bits equal to the sign
// An operation whose right operand is a harmless constant is not changed, and the optimiser removes every guard whose
// condition it can prove. Operations on vectors only occur in the built-in headers, and are not changed either.
std::string with_total_integers(std::string_view module);

// The maximum number of threads per block that __launch_bounds__ gives kernels, by kernel number. clang represents the
// bounds as annotations of functions, and TENON_KERNEL_IS (shim/execution/tenon_entry.h) tells which function is which
// kernel; both are removed from the module.
std::map<size_t, uint32_t> take_launch_bounds(std::string& module);

// A module for proofs that code has no effect. The user's static variables are visible to other modules: what is stored
// in them is then an effect, even if nothing in this module reads it. So is every atomic operation, even if it adds 0.
std::string with_visible_effects(std::string_view module);
// Whether such a module turns addresses into numbers, in which they could hide.
bool hides_addresses(std::string_view module);

// The arguments of a compiler that affect intermediate code, for the second step.
std::vector<std::string> options_for_ir(const std::vector<std::string>& arguments);

}  // namespace tenon::cpu
