// tool/parse.hpp: a command line against the table of commands.
#pragma once
#include "command.hpp"

namespace tool {

struct Parsed {
  const Command* command = nullptr;  // NULL: `help` is all that was asked for
  std::string help;                  // text to print instead of running
  Arguments arguments;
};

// Throws Failure (kUsage), saying the nearest right word.
Parsed parse(int argc, char** argv);

}  // namespace tool
