// tool/completion.cpp: the table of commands, for shells.
#include <algorithm>
#include "tool/failure.hpp"
#include "tool/help.hpp"

namespace tool {
namespace {

constexpr const char* kDeviceNames = "best cpu:0 cuda:0";
constexpr const char* kShells = "bash zsh fish";

std::string joined(const std::vector<std::string>& words, const char* between = " ") {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : between) + word;
  return out;
}

// "plugin" and its words; single-word commands belong to no group.
std::vector<std::string> words_of(const std::string& group) {
  std::vector<std::string> out;
  for (const Command& command : commands()) {
    const std::string path = command.path;
    const size_t space = path.find(' ');
    const std::string word = group.empty()                                                  ? path.substr(0, space)
                             : path.substr(0, space) == group && space != std::string::npos ? path.substr(space + 1)
                                                                                            : "";
    if (!word.empty() && std::find(out.begin(), out.end(), word) == out.end()) out.push_back(word);
  }
  return out;
}

std::string spellings(const Option& option, const char* between) {
  return (option.letter ? std::string("-") + option.letter + between : "") + "--" + option.name;
}

Takes what_positionals_take(const Command& command) {
  return command.positionals.empty() ? Takes::nothing : command.positionals[0].takes;
}

// The description of a word: of a command, or of a group.
std::string brief_of(const std::string& group, const std::string& word) {
  const std::string path = group.empty() ? word : group + " " + word;
  for (const Command& command : commands())
    if (path == command.path) return command.brief;
  for (const Group& one : groups())
    if (path == one.name) return one.brief;
  return "";
}

// --- bash

std::string bash_values(Takes takes) {
  switch (takes) {
    case Takes::file: return "compopt -o filenames; COMPREPLY=($(compgen -f -- \"$current\"))";
    case Takes::directory: return "compopt -o filenames; COMPREPLY=($(compgen -d -- \"$current\"))";
    case Takes::device: return std::string("COMPREPLY=($(compgen -W '") + kDeviceNames + "' -- \"$current\"))";
    case Takes::shell: return std::string("COMPREPLY=($(compgen -W '") + kShells + "' -- \"$current\"))";
    default: return "COMPREPLY=()";
  }
}

std::string bash() {
  std::string out = R"(# bash completion for tenon; made from its table of commands by `tenon completion bash`
_tenon() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} path= i
  COMPREPLY=()
  # "cpu:0" and "--device=x" are several words to readline.
  if declare -F _get_comp_words_by_ref >/dev/null; then _get_comp_words_by_ref -n =: current previous 2>/dev/null; fi
  for ((i = 1; i < COMP_CWORD; ++i)); do
    [[ ${COMP_WORDS[i]} == -* ]] && break
    case "${path:+$path }${COMP_WORDS[i]}" in
)";
  std::string known;
  for (const Group& group : groups()) known += (known.empty() ? "" : " | ") + std::string("'") + group.name + "'";
  for (const Command& command : commands())
    known += (known.empty() ? "" : " | ") + std::string("'") + command.path + "'";
  out += "      " + known +
         ") path=\"${path:+$path }${COMP_WORDS[i]}\" ;;\n      *) break ;;\n    esac\n  done\n  case $path in\n";
  out += "    '') COMPREPLY=($(compgen -W '" + joined(words_of("")) + " --help --version' -- \"$current\")) ;;\n";
  for (const Group& group : groups())
    out += std::string("    '") + group.name + "') COMPREPLY=($(compgen -W '" + joined(words_of(group.name)) +
           " --help' -- \"$current\")) ;;\n";
  for (const Command& command : commands()) {
    out += std::string("    '") + command.path + "')\n      case $previous in\n";
    std::vector<std::string> all;
    for (const Option& option : options_of(command)) {
      all.push_back(std::string("--") + option.name);
      if (option.takes != Takes::nothing)
        out += "        " + spellings(option, " | ") + ") " + bash_values(option.takes) + "; return ;;\n";
    }
    out += "      esac\n      if [[ $current == -* ]]; then COMPREPLY=($(compgen -W '" + joined(all) +
           "' -- \"$current\"))\n      else " + bash_values(what_positionals_take(command)) + "; fi ;;\n";
  }
  return out + "  esac\n}\ncomplete -F _tenon tenon\n";
}

// --- zsh

std::string zsh_text(const std::string& text) {  // inside single quotes, inside [...] or after a colon
  std::string out;
  for (const char c : text) {
    if (c == '\'') out += "'\\''";
    else if (c == '[' || c == ']' || c == ':' || c == '\\') out += std::string("\\") + c;
    else out += c;
  }
  return out;
}

std::string zsh_values(Takes takes) {
  switch (takes) {
    case Takes::file: return "_files";
    case Takes::directory: return "_files -/";
    case Takes::device: return std::string("(") + joined({"best", "cpu\\:0", "cuda\\:0"}) + ")";
    case Takes::shell: return std::string("(") + kShells + ")";
    default: return " ";
  }
}

std::string zsh_command(const Command& command) {
  std::string out = "_arguments -s";
  for (const Option& option : options_of(command)) {
    const std::string value = option.takes == Takes::nothing
                                  ? ""
                                  : std::string(":") + zsh_text(option.value) + ":" + zsh_values(option.takes);
    const std::string star = option.many     ? "'*'"
                             : option.letter ? std::string("'(-") + option.letter + " --" + option.name + ")'"
                                             : "";
    const char* equals = option.takes == Takes::nothing ? "" : "=";
    if (option.letter)
      out += " " + star + "{-" + option.letter + ",--" + option.name + equals + "}'[" + zsh_text(option.help) + "]" +
             value + "'";
    else out += " " + star + "'--" + option.name + equals + "[" + zsh_text(option.help) + "]" + value + "'";
  }
  for (const Positional& one : command.positionals)
    out += std::string(" '") + (one.most < 0 ? "*" : "") + ":" + zsh_text(one.name) + ":" + zsh_values(one.takes) + "'";
  return out;
}

std::string zsh() {
  std::string out =
      "#compdef tenon\n# zsh completion for tenon; made from its table of commands by `tenon completion zsh`\n";
  const auto function = [&](const std::string& group, const std::string& name) {
    out += name + "() {\n  local -a known=(";
    for (const std::string& word : words_of(group)) out += " '" + word + ":" + zsh_text(brief_of(group, word)) + "'";
    out +=
        " )\n  if (( CURRENT == 2 )); then _describe command known; return; fi\n"
        "  shift words\n  (( CURRENT-- ))\n  case $words[1] in\n";
    for (const std::string& word : words_of(group)) {
      const std::string path = group.empty() ? word : group + " " + word;
      for (const Command& command : commands())
        if (path == command.path) out += "    " + word + ") " + zsh_command(command) + " ;;\n";
      for (const Group& one : groups())
        if (group.empty() && word == one.name) out += "    " + word + ") _tenon_" + word + " ;;\n";
    }
    out += "  esac\n}\n";
  };
  for (const Group& group : groups()) function(group.name, std::string("_tenon_") + group.name);
  function("", "_tenon");
  return out + "if [ \"$funcstack[1]\" = _tenon ]; then _tenon \"$@\"; else compdef _tenon tenon; fi\n";
}

// --- fish

std::string fish_text(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' || c == '\\' ? std::string("\\") + c : std::string(1, c);
  return out + "'";
}

std::string fish_values(Takes takes) {
  switch (takes) {
    case Takes::nothing: return "";
    case Takes::file: return " -r -F";
    case Takes::directory: return " -x -a '(__fish_complete_directories)'";
    case Takes::device: return std::string(" -x -a '") + kDeviceNames + "'";
    case Takes::shell: return std::string(" -x -a '") + kShells + "'";
    default: return " -x";
  }
}

std::string fish() {
  std::string out =
      "# fish completion for tenon; made from its table of commands by `tenon completion fish`\ncomplete -c tenon -f\n";
  const std::string none = "not __fish_seen_subcommand_from " + joined(words_of(""));
  for (const std::string& word : words_of(""))
    out += "complete -c tenon -n " + fish_text(none) + " -a " + word + " -d " + fish_text(brief_of("", word)) + "\n";
  for (const Command& command : commands()) {
    const std::string path = command.path;
    const size_t space = path.find(' ');
    std::string seen = "__fish_seen_subcommand_from " + path.substr(0, space);
    if (space != std::string::npos) {
      const std::string group = path.substr(0, space), word = path.substr(space + 1);
      out += "complete -c tenon -n " +
             fish_text(seen + "; and not __fish_seen_subcommand_from " + joined(words_of(group))) + " -a " + word +
             " -d " + fish_text(command.brief) + "\n";
      seen += "; and __fish_seen_subcommand_from " + word;
    }
    const Takes takes = what_positionals_take(command);
    if (takes == Takes::file || takes == Takes::directory) out += "complete -c tenon -n " + fish_text(seen) + " -F\n";
    if (takes == Takes::shell) out += "complete -c tenon -n " + fish_text(seen) + " -a '" + kShells + "'\n";
    for (const Option& option : options_of(command)) {
      out += "complete -c tenon -n " + fish_text(seen) + " -l " + option.name;
      if (option.letter) out += std::string(" -s ") + option.letter;
      out += fish_values(option.takes) + " -d " + fish_text(option.help) + "\n";
    }
  }
  return out;
}

}  // namespace

std::string completion_for(const std::string& shell) {
  if (shell == "bash") return bash();
  if (shell == "zsh") return zsh();
  if (shell == "fish") return fish();
  usage("completions exist for bash, zsh and fish, but not for \"" + shell + "\"");
}

}  // namespace tool
