// tool/parse.cpp: finds the command, then getopt_long with the options of its row.
#include "tool/parse.hpp"
#include <getopt.h>
#include <algorithm>
#include <cctype>
#include <cstdlib>
#include "tool/failure.hpp"
#include "tool/help.hpp"
#include "tool/suggest.hpp"

namespace tool {
namespace {

const Command* find(const std::string& path) {
  for (const Command& command : commands())
    if (path == command.path) return &command;
  return nullptr;
}

// The words that may follow `before`: "" for the first one, "plugin" for the second.
std::vector<std::string> words_after(const std::string& before) {
  std::vector<std::string> out;
  for (const Command& command : commands()) {
    const std::string path = command.path;
    const std::string prefix = before.empty() ? "" : before + " ";
    if (path.compare(0, prefix.size(), prefix) != 0) continue;
    const std::string word = path.substr(prefix.size(), path.find(' ', prefix.size()) - prefix.size());
    if (std::find(out.begin(), out.end(), word) == out.end()) out.push_back(word);
  }
  return out;
}

std::string listed(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : ", ") + word;
  return out;
}

// "plugin" and "test" give "plugin test". Throws if there is no such word.
std::string step_into(const std::string& before, const std::string& word) {
  const std::vector<std::string> words = words_after(before);
  if (std::find(words.begin(), words.end(), word) != words.end()) return before.empty() ? word : before + " " + word;
  const std::string which = before.empty() ? "" : " of `tenon " + before + "`";
  const std::string guess = did_you_mean(word, words);
  usage("there is no command \"" + word + "\"" + which + (guess.empty() ? "; there is: " + listed(words) : guess));
}

// The command at the start of argv, and the number of words that it took.
const Command* find_command(const std::vector<std::string>& words, size_t& used, std::string& help) {
  std::string path;
  for (used = 0; used < words.size(); ++used) {
    const std::string& word = words[used];
    if (word == "--help" || word == "-h" || word == "help") {
      for (size_t i = used + 1; i < words.size() && words[i][0] != '-' && !find(path); ++i)
        path = step_into(path, words[i]);
      const Command* const command = find(path);
      help = command ? help_for(*command) : help_for(path);
      return nullptr;
    }
    if (used == 0 && (word == "--version" || word == "-V")) {
      help = version_text();
      return nullptr;
    }
    if (word[0] == '-')
      usage("\"" + word + "\" is in the place of a command: options must follow the command. See `tenon --help`");
    path = step_into(path, word);
    if (const Command* command = find(path)) return ++used, command;
  }
  if (path.empty()) help = help_for("");
  else usage("`tenon " + path + "` needs one of: " + listed(words_after(path)));
  return nullptr;
}

// A negative number is not an option.
constexpr char kNumber = '\x01';
bool negative_number(const std::string& word) {
  return word.size() > 1 && word[0] == '-' && (std::isdigit(static_cast<unsigned char>(word[1])) || word[1] == '.');
}
std::string plain(const std::string& word) { return !word.empty() && word[0] == kNumber ? word.substr(1) : word; }

[[noreturn]] void bad_option(const Command& command, const std::vector<Option>& options, std::string word, int letter,
                             bool lacks_value) {
  const std::string where = "`tenon " + std::string(command.path) + "`";
  if (lacks_value) usage("the option " + word + " of " + where + " needs a value");
  std::vector<std::string> names;
  for (const Option& option : options) names.push_back(std::string("--") + option.name);
  if (word.compare(0, 2, "--") != 0) word = std::string("-") + char(letter);
  else word = word.substr(0, word.find('='));
  for (const Option& option : options)
    if (word == std::string("--") + option.name)
      usage("the option " + word + " of " + where + " does not take a value");
  const std::string guess = word.size() > 2 ? did_you_mean(word, names) : "";
  usage("there is no option " + word + " of " + where + (guess.empty() ? "; there is: " + listed(names) : guess));
}

void read_options(const Command& command, std::vector<std::string> words, Arguments& out) {
  const std::vector<Option> options = options_of(command);
  std::string letters = ":";
  std::vector<option> table;
  for (size_t i = 0; i < options.size(); ++i) {
    const int value = options[i].takes == Takes::nothing ? no_argument : required_argument;
    table.push_back({options[i].name, value, nullptr, int(256 + i)});
    if (options[i].letter) letters += std::string(1, options[i].letter) + (value == required_argument ? ":" : "");
  }
  table.push_back({});
  size_t end = words.size();
  for (size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--") {
      end = i;
      break;
    }
    if (negative_number(words[i])) words[i].insert(words[i].begin(), kNumber);
  }
  std::string name = "tenon";
  std::vector<char*> argv{name.data()};
  for (size_t i = 0; i < end; ++i) argv.push_back(words[i].data());
  const int argc = int(argv.size());
  argv.push_back(nullptr);
  opterr = 0;
  optind = 0;
  for (int found; (found = getopt_long(argc, argv.data(), letters.c_str(), table.data(), nullptr)) != -1;) {
    if (found == '?' || found == ':')
      bad_option(command, options, plain(argv[size_t(optind - 1)]), optopt, found == ':');
    const auto which = std::find_if(options.begin(), options.end(), [&](const Option& one) {
      return found >= 256 ? &one == &options[size_t(found - 256)] : one.letter == found;
    });
    std::vector<std::string>& values = out.options[which->name];
    if (!which->many) values.clear();
    values.push_back(optarg ? plain(optarg) : "");
  }
  for (int i = optind; i < argc; ++i) out.positionals.push_back(plain(argv[size_t(i)]));
  if (end < words.size())
    (command.takes_rest ? out.rest : out.positionals)
        .insert((command.takes_rest ? out.rest : out.positionals).end(), words.begin() + long(end) + 1, words.end());
}

void check_positionals(const Command& command, const Arguments& arguments) {
  int least = 0, most = 0;
  for (const Positional& one : command.positionals) {
    least += one.least;
    most = most < 0 || one.most < 0 ? -1 : most + one.most;
  }
  const int count = int(arguments.positionals.size());
  if (count < least) {
    int left = count;
    for (const Positional& one : command.positionals)
      if ((left -= one.least) < 0) usage(std::string(one.name) + " is missing: " + synopsis(command));
  }
  if (most >= 0 && count > most)
    usage("\"" + arguments.positionals[size_t(most)] + "\" is one argument too many: " + synopsis(command));
}

}  // namespace

Parsed parse(int argc, char** argv) {
  const std::vector<std::string> words(argv + (argc > 0 ? 1 : 0), argv + argc);
  for (const std::string& word : words)
    if (word.empty()) usage("an argument must not be empty");
  Parsed out;
  size_t used = 0;
  out.command = find_command(words, used, out.help);
  if (!out.command) return out;
  read_options(*out.command, {words.begin() + long(used), words.end()}, out.arguments);
  if (out.arguments.flag("help")) out.help = help_for(*out.command);
  else check_positionals(*out.command, out.arguments);
  return out;
}

std::string Arguments::text(const char* name, const std::string& otherwise) const {
  const auto found = options.find(name);
  return found == options.end() ? otherwise : found->second.back();
}

std::vector<std::string> Arguments::all(const char* name) const {
  const auto found = options.find(name);
  return found == options.end() ? std::vector<std::string>() : found->second;
}

double Arguments::number(const char* name, double otherwise, double least, double most) const {
  if (!flag(name)) return otherwise;
  const std::string given = text(name);
  char* end = nullptr;
  const double value = std::strtod(given.c_str(), &end);
  if (given.empty() || *end || !(value >= least && value <= most))
    usage(tool::format("--%s is %s: it must be a number from %g to %g", name, given.c_str(), least, most));
  return value;
}

}  // namespace tool
