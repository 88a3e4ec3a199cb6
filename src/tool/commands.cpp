// tool/commands.cpp: the table of commands. Parsing, --help, the man page and the completions of every shell come from here.
#include "commands.hpp"

namespace tool {

const ExitCode kExitCodes[4] = {
  {kDone, "done"},
  {kFailed, "it was tried and failed: a test, a compile, a package, a launch"},
  {kUsage, "the command line is wrong; nothing was done"},
  {kMissing, "something is not on this machine: a file, package, device, library or compiler; the text says what to install"},
};

const std::vector<Variable> kVariables = {
  {"TENON_PLUGIN_PATH", "absolute directories, with colons between them, in which packages are found by name"},
  {"TENON_CACHE_DIR", "where compiled programs are kept; else $XDG_CACHE_HOME/tenon, else ~/.cache/tenon"},
  {"TENON_CUDA_PATH", "where the CUDA libraries are looked for first"},
  {"NO_COLOR", "if it is not empty, no colours; there are none either where the output is no terminal"},
};

const std::vector<Group>& groups() {
  static const std::vector<Group> list = {
    {"plugin", "packages of kernels"},
  };
  return list;
}

namespace {

const Option kVerbose = {"verbose", 'v', Takes::nothing, "", "say more"};
const Positional kPackage = {"PACKAGE", Takes::file, "a directory or tar file; or a name, of a package on the search path"};

}  // namespace

const std::vector<Command>& commands() {
  static const std::vector<Command> list = {
    {"info", "devices, compilers and libraries found, and why; the cache; versions",
     "Says what Tenon found on this machine and why: the devices, what compiles kernels for each, which CUDA libraries were opened and from where, where compiled programs are kept.",
     {}, {}, run_info},
    {"plugin new", "write a package to start from",
     "Writes a package with one operation, its gradient and its tests, and a program in C and one in Python that call it.\n\n  tenon plugin new saxpy && tenon plugin test saxpy",
     {{"NAME", Takes::text, "of the package and its operation: small letters, digits and _"}},
     {{"in", 'i', Takes::directory, "DIRECTORY", "where the package's directory is made; default: here"}}, run_plugin_new},
    {"plugin check", "check contracts, and compile packages for a device",
     "Reads packages and says the first fault of each as FILE:LINE:COLUMN. With --device the kernels are compiled too.",
     {{"PACKAGE", Takes::file, "a directory or tar file", 1, -1}},
     {{"device", 'd', Takes::device, "DEVICE", "compile for this device, as cpu:0", true}}, run_plugin_check},
    {"plugin test", "run the self-tests of a package",
     "Runs the tests that the contract declares: against expected values or expressions in float64, against the CPU's results, and gradients against differences. They run on cpu:0, and on cuda:0 "
     "where there is one.",
     {kPackage},
     {{"device", 'd', Takes::device, "DEVICE", "run on this device instead", true},
      {"op", 'o', Takes::text, "OPERATION", "test this operation only", true},
      {"verbose", 'v', Takes::nothing, "", "print every case"}}, run_plugin_test},
    {"plugin list", "packages on the search path",
     "Lists the packages in the directories of $TENON_PLUGIN_PATH and beside the installed library, with their faults.",
     {}, {{"path", 'p', Takes::directory, "DIRECTORY", "search this absolute directory first", true}}, run_plugin_list},
    {"plugin show", "what the contract of a package says",
     "Shows a package's operations, or one of them, PACKAGE/OPERATION, with parameters, types, defaults, preconditions and tunables.",
     {kPackage}, {kVerbose, {"source", 's', Takes::file, "FILE", "print this file of the package instead"}}, run_plugin_show},
    {"completion", "print the completions for a shell",
     "Prints what makes a shell complete this command's words.\n\n  tenon completion bash > ~/.local/share/bash-completion/completions/tenon\n"
     "  tenon completion zsh > \"${fpath[1]}/_tenon\"\n  tenon completion fish > ~/.config/fish/completions/tenon.fish",
     {{"SHELL", Takes::shell, "bash, zsh or fish"}}, {}, run_completion},
    {"manual", "print the man page", "Prints the man page in troff: tenon manual | man -l -", {}, {}, run_manual},
  };
  return list;
}

std::vector<Option> options_of(const Command& command) {
  std::vector<Option> out = command.options;
  out.push_back({"json", 0, Takes::nothing, "", "print one JSON document instead of text"});
  out.push_back({"help", 'h', Takes::nothing, "", "describe the command"});
  return out;
}

}  // namespace tool
