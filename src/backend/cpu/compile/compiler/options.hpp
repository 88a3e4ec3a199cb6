// backend/cpu/compile/compiler/options.hpp: the options of a program, as the host's compiler takes them.
#pragma once
#include <string>
#include <vector>
#include "backend/cpu/compile/compiler/compiler.hpp"
#include "core/device/backend.hpp"

namespace tenon::cpu {

// A request's options: NVRTC's options that have a meaning here are translated, those without a meaning on a CPU are
// dropped, and unknown ones are refused (INVALID_ARGUMENT).
struct Options {
  std::vector<std::string> arguments;
  // Macros and files to include first, as lines of text: they come after the shim, whose words they must not change.
  std::string text;
};
Options translated_options(const CompileRequest& request);

// The options that the mode and the compiler require.
std::vector<std::string> mode_options(const CompileRequest& request, const Compiler& compiler);

// Makes the program call __sanitizer_cov_trace_pc in every basic block.
std::string stretches_option(const Compiler& compiler);

// Appended to those to compile a probe (shim/execution/tenon_probe.h): its code is analysed and not run.
std::vector<std::string> probe_options(const Compiler& compiler);

}  // namespace tenon::cpu
