// backend/cpu/compile/compiler/ir_text.hpp: reading LLVM's intermediate code as text.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace tenon::cpu {

inline bool starts(std::string_view text, std::string_view with) { return text.substr(0, with.size()) == with; }

// Removes the first line from `text`, and returns it without its end.
std::string_view next_line(std::string_view& text);

// Returns the position of the first ", " at or after `at` that is outside brackets and quotes; text.size() if there is
// none.
size_t comma(std::string_view text, size_t at);

// Returns the name of the global whose name begins at `at` ("@k" or "@\"a b\""); empty if none begins there.
std::string_view global_name(std::string_view text, size_t at);
std::vector<std::string> global_names(std::string_view text);

// "@tenon_kernel_is_0": TENON_KERNEL_IS (shim/execution/tenon_entry.h) tells which function is which kernel.
inline constexpr std::string_view kKernelIs = "@tenon_kernel_is_", kAnnotations = "@llvm.global.annotations";

}  // namespace tenon::cpu
