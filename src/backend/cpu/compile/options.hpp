// backend/cpu/compile/options.hpp: the options of a program, as the host's compiler takes them.
#pragma once
#include <string>
#include <vector>
#include "backend/cpu/compile/compiler.hpp"
#include "core/backend.hpp"

namespace tenon::cpu {

// A request's options: NVRTC's that mean something here are translated, those that have no meaning on a CPU are
// dropped, unknown ones are refused (INVALID_ARGUMENT).
struct Options {
  std::vector<std::string> arguments;
  // Macros and files to include first, as lines of text: they come after the shim, whose own words they must not
  // change.
  std::string text;
};
Options translated_options(const CompileRequest& request);

// The options that come with the mode and the compiler.
std::vector<std::string> mode_options(const CompileRequest& request, const Compiler& compiler);

// So that the program calls __sanitizer_cov_trace_pc in every stretch of code that runs in one go.
std::string stretches_option(const Compiler& compiler);

// What follows those to compile a probe (shim/tenon_probe.h): its code is read and not run.
std::vector<std::string> probe_options(const Compiler& compiler);

}  // namespace tenon::cpu
