// kernel/source/ptx.hpp: finding a constant's bytes in PTX text, which is what there is where the compiler made no
// machine code.
#pragma once
#include <string>
#include <string_view>

namespace tenon {

// The bytes of `.b8 name[size] = {...}`; "" if the text has no such variable, or not with complete initialisers.
std::string ptx_symbol(std::string_view ptx, std::string_view name);

}  // namespace tenon
