// backend/cpu/compile/compiler/diagnose.hpp: from a compiler's log to one sentence.
#pragma once
#include <string>
#include "core/device/backend.hpp"

namespace tenon::cpu {

// Throws COMPILE: the first error with the user's line, an explanation if the text uses something of CUDA that a CPU
// does not have, and the whole log.
[[noreturn]] void fail_with_log(const CompileRequest& request, const std::string& log);

}  // namespace tenon::cpu
