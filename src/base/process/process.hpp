// base/process/process.hpp: running a program, and ending it together with whatever it started.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace tenon::base {

struct ProcessResult {
  int exit_code = -1;  // 128 + signal if a signal killed it
  bool timed_out = false;
  bool stopped = false;     // by options.stop
  std::string output;       // stdout and stderr together, cut at the limit
  uint64_t dropped = 0;     // bytes of output beyond the limit
  std::string start_error;  // "" if the program was started
};

struct ProcessOptions {
  std::vector<std::string> environment;       // "NAME=value"; empty: a minimal one (PATH, LANG=C, TMPDIR)
  std::vector<std::string> more_environment;  // in addition
  std::string directory;
  std::string temporary;  // $TMPDIR in the minimal environment; "": the host's
  double timeout_seconds = 300;
  bool limit_processor_time = false;  // to the same limit: a process that survives this one then ends on its own
  bool fork_server = false;           // start it by a server (fork_server.hpp), where that is possible
  size_t output_limit = 4u << 20;
  std::function<bool()> stop;  // polled every few milliseconds; true ends the program and what it started
};

// argv[0] is an absolute path; no shell interprets it or the other arguments. Standard input is empty, and the child
// inherits no other descriptors. Returns when the program itself has ended, even if processes that it started still
// run. If this process ends, the program and what it started end too.
ProcessResult run_process(const std::vector<std::string>& argv, const ProcessOptions& options = {});

}  // namespace tenon::base
