// backend/cpu/compile/precompiled.hpp: the shim's first header, precompiled for clang.
#pragma once
#include <string>
#include <vector>
#include "core/device/backend.hpp"

namespace tenon::cpu {

struct Compiler;

// The precompiled header for a compile with these options, or "": the text has to include the header. A process that
// compiles once gains nothing, so the header is precompiled when the same options come for the second time; it belongs
// to the process, which removes it at its end. A compile that fails with it must be tried without it: the error may be
// the header's, which is then given up.
std::string precompiled_shim(const CompileRequest& request, const Compiler& compiler,
                             const std::vector<std::string>& options);

// The header returned for these options does not work, and is not returned again.
void give_up_precompiled(const Compiler& compiler, const std::vector<std::string>& options);

}  // namespace tenon::cpu
