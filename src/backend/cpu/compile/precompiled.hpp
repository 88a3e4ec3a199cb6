// backend/cpu/compile/precompiled.hpp: the shim's first header, precompiled for clang.
#pragma once
#include <string>
#include <vector>
#include "core/device/backend.hpp"

namespace tenon::cpu {

struct Compiler;

// The options that make a compile with these options use the precompiled header, or none: the text has to include the
// header. It is made by the first compile and stays in `memory` for later processes; the file belongs to the process,
// which removes it at its end. A compile that fails with it must be tried without it: the error may be the header's,
// which is then given up.
std::vector<std::string> precompiled_shim(const CompileRequest& request, const Compiler& compiler,
                                          const std::vector<std::string>& options, ImageStore& memory);

// The header returned for these options does not work, and is not returned again.
void give_up_precompiled(const Compiler& compiler, const std::vector<std::string>& options);

}  // namespace tenon::cpu
