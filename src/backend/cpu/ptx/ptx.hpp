// backend/cpu/ptx/ptx.hpp: inline PTX: translation of a text's asm statements to C++.
#pragma once
#include <string>

namespace tenon::cpu::ptx {

// Whether a preprocessed text has asm statements outside of the built-in headers.
bool has_statements(const std::string& expanded);

// The text with asm statements replaced by C++ (which calls shim/tensor/tenon_ptx.h). Statements that cannot be
// translated are reported in `log`, in the form of compiler errors, one line per statement. In headers below `library`
// ("": none), of which a kernel uses a small part, they are errors only where a kernel reaches them.
std::string as_calls(const std::string& expanded, const std::string& library, std::string& log);

}  // namespace tenon::cpu::ptx
