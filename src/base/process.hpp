// base/process.hpp: running a program, and ending it and what it started.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace tenon::base {

struct ProcessResult {
  int exit_code = -1;  // 128 + signal when it was killed
  bool timed_out = false;
  bool stopped = false;     // by options.stop
  std::string output;       // stdout and stderr together, cut at the limit
  uint64_t dropped = 0;     // bytes behind it
  std::string start_error;  // "" when it ran
};

struct ProcessOptions {
  std::vector<std::string> environment;       // "NAME=value"; empty: a minimal one (PATH, LANG=C, TMPDIR)
  std::vector<std::string> more_environment;  // in addition
  std::string directory;
  double timeout_seconds = 300;
  bool limit_processor_time = false;  // to the same limit: a survivor then ends on its own
  size_t output_limit = 4u << 20;
  std::function<bool()> stop;  // asked every few milliseconds; true ends the program and what it started
};

// argv[0] is an absolute path; no shell reads it or the other words. Standard input is empty; the child gets no other
// descriptors. It runs until it ends itself, whatever it leaves behind; with this process it and what it started end
// too.
ProcessResult run_process(const std::vector<std::string>& argv, const ProcessOptions& options = {});

// The absolute path of a program in $PATH, only absolute directories considered; "" when there is none.
std::string find_program(const std::string& name);

}  // namespace tenon::base
