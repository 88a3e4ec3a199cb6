// tool/parse.hpp: matching a command line with the table of commands.
#pragma once
#include "tool/command.hpp"

namespace tool {

struct Parsed {
  const Command* command = nullptr;  // NULL: only `help` was requested
  std::string help;                  // text to print instead of running
  Arguments arguments;
};

// Throws Failure (kUsage), which suggests the nearest valid word.
Parsed parse(int argc, char** argv);

}  // namespace tool
