// tool/command.hpp: the description of a command. One table (commands.cpp) is the source for parsing, --help, the man
// page and the completions.
#pragma once
#include <map>
#include <string>
#include <vector>

namespace tool {

class Output;

// The kind of a value, so that shells can complete it.
enum class Takes { nothing, text, file, directory, device, shell };

struct Option {
  const char* name;  // "device": --device
  char letter;       // 'd'; 0: none
  Takes takes;
  const char* value;  // the name of the value in help texts
  const char* help;
  bool many = false;  // may be given several times; otherwise the last one is used
};

struct Positional {
  const char* name;
  Takes takes;
  const char* help;
  int least = 1, most = 1;  // most -1: any number
};

// The words after the command.
class Arguments {
 public:
  std::vector<std::string> positionals;
  std::vector<std::string> rest;  // the words after "--", for commands that use them
  std::map<std::string, std::vector<std::string>> options;

  bool flag(const char* name) const { return options.count(name) != 0; }
  std::string text(const char* name, const std::string& otherwise = "") const;
  std::vector<std::string> all(const char* name) const;
  double number(const char* name, double otherwise, double least, double most) const;  // throws Failure
  const std::string& operator[](size_t index) const { return positionals[index]; }
};

struct Command {
  const char* path;   // "plugin test"
  const char* brief;  // half a line
  const char* text;   // paragraphs, one per line
  std::vector<Positional> positionals;
  std::vector<Option> options;
  int (*run)(const Arguments& arguments, Output& out);
  bool takes_rest = false;
};

struct Group {
  const char* name;
  const char* brief;
};

const std::vector<Command>& commands();
const std::vector<Group>& groups();
// The options of the command, and those that all commands have.
std::vector<Option> options_of(const Command& command);
std::string synopsis(const Command& command);

// Exit codes: documented in the man page, and never changed.
constexpr int kDone = 0;
constexpr int kFailed = 1;   // the operation failed: a failed test, a text that does not compile, a faulty package
constexpr int kUsage = 2;    // a wrong command line
constexpr int kMissing = 3;  // a library, device, file or package is not available on this machine
struct ExitCode {
  int code;
  const char* meaning;
};
extern const ExitCode kExitCodes[4];

// Environment variables that the command reads in addition to the library's.
struct Variable {
  const char* name;
  const char* meaning;
};
extern const std::vector<Variable> kVariables;

}  // namespace tool
