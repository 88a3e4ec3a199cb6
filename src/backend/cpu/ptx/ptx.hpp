// backend/cpu/ptx/ptx.hpp: inline PTX: asm statements of a text become what their instructions do.
#pragma once
#include <string>

namespace tenon::cpu::ptx {

// Of a preprocessed text: whether it has asm statements outside of the built-in headers.
bool has_statements(const std::string& expanded);

// The text with C++ in their place (which calls shim/tenon_ptx.h). What cannot be read is said in `log`, as a compiler
// says it: one line for each asm statement.
std::string as_calls(const std::string& expanded, std::string& log);

}  // namespace tenon::cpu::ptx
