// tool/help.cpp: the table of commands, for people.
#include "tool/help.hpp"
#include <sstream>
#include "tool/failure.hpp"

namespace tool {
namespace {

// Wraps words to lines of at most 100 columns.
std::string filled(const std::string& text, const std::string& margin, size_t first = 0) {
  std::string out;
  size_t column = first ? first : margin.size();
  if (!first) out += margin;
  std::istringstream words(text);
  bool begun = false;
  for (std::string word; words >> word;) {
    if (begun && column + 1 + word.size() > 100) {
      out += "\n" + margin;
      column = margin.size();
      begun = false;
    }
    out += (begun ? " " : "") + word;
    column += word.size() + begun;
    begun = true;
  }
  return out + "\n";
}

std::string paragraphs(const std::string& text, const std::string& margin) {
  std::string out;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line[0] == ' ') out += margin + line + "\n";  // unchanged: an example
    else out += filled(line, margin);
  }
  return out;
}

std::string row(const std::string& left, const std::string& right) {
  constexpr size_t kColumn = 30;
  if (left.size() + 4 > kColumn) return "  " + left + "\n" + filled(right, std::string(kColumn, ' '));
  return "  " + left + std::string(kColumn - 2 - left.size(), ' ') + filled(right, std::string(kColumn, ' '), kColumn);
}

std::string spelled(const Option& option) {
  std::string out = option.letter ? std::string("-") + option.letter + ", " : "    ";
  out += std::string("--") + option.name;
  if (option.takes != Takes::nothing) out += std::string("=") + option.value;
  return out;
}

std::string exit_codes() {
  std::string out;
  for (const ExitCode& one : kExitCodes) out += row(std::to_string(one.code), one.meaning);
  return out;
}

// In troff a backslash, and a dot or quote at the start of a line, would be commands.
std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\') out += "\\e";
    else if (c == '-') out += "\\-";
    else if ((c == '.' || c == '\'') && (out.empty() || out.back() == '\n')) out += std::string("\\&") + c;
    else out += c;
  }
  return out;
}

std::string man_paragraphs(const std::string& text) {
  std::string out;
  bool example = false;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const bool is_example = line.empty() ? example : line[0] == ' ';
    if (is_example != example) out += is_example ? ".nf\n" : ".fi\n";
    example = is_example;
    out += line.empty() ? ".sp\n" : escaped(line) + "\n";
  }
  return out + (example ? ".fi\n" : "");
}

}  // namespace

std::string synopsis(const Command& command) {
  std::string out = std::string("tenon ") + command.path;
  for (const Positional& one : command.positionals) {
    const std::string name = std::string(one.name) + (one.most < 0 ? " ..." : "");
    out += one.least ? " " + name : " [" + name + "]";
  }
  out += " [OPTIONS]";
  return command.takes_rest ? out + " [-- OPTIONS OF THE COMPILER]" : out;
}

std::string version_text() {
  const uint32_t version = tenon_version();
  return format("tenon %d.%d.%d (libtenon %u.%u.%u)\n", TENON_VERSION_MAJOR, TENON_VERSION_MINOR, TENON_VERSION_PATCH,
                version >> 16, (version >> 8) & 0xff, version & 0xff);
}

std::string help_for(const std::string& group) {
  std::string out;
  if (group.empty()) {
    out =
        "tenon: arrays and CUDA kernels, shared between languages, on GPUs and without one\n\nUsage: tenon COMMAND ... "
        "[OPTIONS]\n\nCommands:\n";
  } else {
    out = "Usage: tenon " + group + " COMMAND ... [OPTIONS]\n\nCommands:\n";
  }
  for (const Command& command : commands())
    if (group.empty() || std::string(command.path).compare(0, group.size() + 1, group + " ") == 0)
      out += row(command.path, command.brief);
  out += "\n`tenon COMMAND --help` describes one; every command takes --json.\n\nExit codes:\n" + exit_codes();
  return out;
}

std::string help_for(const Command& command) {
  std::string out = "Usage: " + synopsis(command) + "\n\n" + paragraphs(command.text, "");
  if (!command.positionals.empty()) out += "\nArguments:\n";
  for (const Positional& one : command.positionals) out += row(one.name, one.help);
  out += "\nOptions:\n";
  for (const Option& option : options_of(command))
    out += row(spelled(option), std::string(option.help) + (option.many ? "; may be given several times" : ""));
  return out;
}

std::string man_page() {
  std::string out = format(".TH TENON 1 \"\" \"Tenon %d.%d.%d\" \"Tenon\"\n", TENON_VERSION_MAJOR, TENON_VERSION_MINOR,
                           TENON_VERSION_PATCH);
  out += ".SH NAME\ntenon \\- arrays and CUDA kernels, shared between languages, on GPUs and without one\n";
  out += ".SH SYNOPSIS\n.B tenon\n.I COMMAND\n[\\fIARGUMENT\\fR ...] [\\fIOPTION\\fR ...]\n.SH COMMANDS\n";
  for (const Command& command : commands()) {
    out += ".SS \"" + escaped(synopsis(command)) + "\"\n" + man_paragraphs(command.text);
    for (const Positional& one : command.positionals)
      out += std::string(".TP\n.I ") + escaped(one.name) + "\n" + escaped(one.help) + "\n";
    for (const Option& option : command.options)
      out += ".TP\n.B " + escaped(spelled(option).substr(option.letter ? 0 : 4)) + "\n" + escaped(option.help) + "\n";
  }
  out += ".SH \"OPTIONS OF EVERY COMMAND\"\n";
  for (const Option& option : options_of(Command{}))
    out += ".TP\n.B " + escaped(spelled(option).substr(option.letter ? 0 : 4)) + "\n" + escaped(option.help) + "\n";
  out += ".SH \"EXIT STATUS\"\n";
  for (const ExitCode& one : kExitCodes)
    out += ".TP\n.B " + std::to_string(one.code) + "\n" + escaped(one.meaning) + "\n";
  out += ".SH ENVIRONMENT\n";
  for (const Variable& one : kVariables) out += std::string(".TP\n.B ") + one.name + "\n" + escaped(one.meaning) + "\n";
  return out;
}

}  // namespace tool
