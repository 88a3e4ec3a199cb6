// tool/help.hpp: the table of commands as text: --help, the man page.
#pragma once
#include "tool/command.hpp"

namespace tool {

std::string version_text();
std::string help_for(const std::string& group);  // "": everything
std::string help_for(const Command& command);
std::string man_page();  // troff

// For bash, zsh and fish; throws Failure for another shell.
std::string completion_for(const std::string& shell);

}  // namespace tool
