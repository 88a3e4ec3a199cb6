// kernel/source/includes.cpp: a textual search for #include, so that a changed header is another program.
//
// Conditions are ignored and every directory that has a file of the name counts, so the set can be too large but not
// too small: a header that is not reached costs at most a compile.
#include "kernel/source/includes.hpp"
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <cctype>
#include <cstdlib>
#include <memory>
#include <unordered_set>
#include "base/files.hpp"
#include "base/hash.hpp"

namespace tenon {
namespace {

constexpr uint64_t kLargestHeader = 64u << 20;
constexpr size_t kMostFiles = 20000, kMostAnswers = 1000;
constexpr size_t kWorthKeeping = 16;  // reading fewer files takes no longer than reading a note about them
constexpr int64_t kSettled =
    2000000000;  // ns: a file changed more recently may change again within one tick of its file system's clock

bool blank(char c) { return c == ' ' || c == '\t' || c == '\v' || c == '\f'; }
bool word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// Joins lines that end in a backslash with the next one.
std::string spliced(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\') {
      size_t end = i + 1;
      while (end < text.size() && (blank(text[end]) || text[end] == '\r')) ++end;
      if (end < text.size() && text[end] == '\n') {
        i = end;
        continue;
      }
    }
    out += text[i];
  }
  return out;
}

size_t skip_blank(std::string_view line, size_t at) {
  for (;;) {
    while (at < line.size() && blank(line[at])) ++at;
    if (line.substr(at, 2) != "/*") return at;
    const size_t end = line.find("*/", at + 2);
    if (end == std::string_view::npos) return line.size();
    at = end + 2;
  }
}

// Every "name" and <name> in the rest of a line.
void collect(std::string_view rest, IncludeWords& words, bool only_first) {
  for (size_t i = 0; i < rest.size(); ++i) {
    const char open = rest[i];
    if (open != '"' && open != '<') continue;
    const size_t end = rest.find(open == '"' ? '"' : '>', i + 1);
    if (end == std::string_view::npos || end == i + 1 || end - i > 4096) continue;
    std::string name(rest.substr(i + 1, end - i - 1));
    while (!name.empty() && blank(name.back())) name.pop_back();
    (open == '"' ? words.quoted : words.angled).push_back(std::move(name));
    if (only_first) return;
    i = end;
  }
}

std::string_view take_word(std::string_view& text) {
  size_t end = 0;
  while (end < text.size() && word(text[end])) ++end;
  const std::string_view out = text.substr(0, end);
  text.remove_prefix(end);
  return out;
}

// The operand of an #include that is neither "name" nor <name>: a macro, alone or called. Else it is text that contains
// a
// #.
void computed_include(std::string_view rest, IncludeWords& words) {
  const std::string_view macro = take_word(rest);
  rest.remove_prefix(std::min(rest.find_first_not_of(" \t\r"), rest.size()));
  const bool ends = rest.empty() || rest[0] == '(' || rest[0] == '/';
  if (!macro.empty() && !std::isdigit(static_cast<unsigned char>(macro[0])) && macro != "__FILE__" && ends)
    words.computed.emplace_back(macro);
}

// A macro that an #include may name.
void definition(std::string_view rest, IncludeWords& words) {
  const std::string_view macro = take_word(rest);
  const bool without_parameters = rest.starts_with("()");
  if (without_parameters) rest.remove_prefix(2);
  const bool has_parameters = rest.starts_with('(');
  rest.remove_prefix(skip_blank(rest, 0));
  if (has_parameters || rest.empty() || (rest[0] != '"' && rest[0] != '<')) {
    words.other_macros.emplace_back(macro);
    return;
  }
  collect(rest, words, true);
  if (rest[0] == '<') words.angled_macros.emplace_back(macro, rest.substr(1, rest.find('>') - 1));
}

void directive(std::string_view line, IncludeWords& words) {
  std::string_view rest = line.substr(skip_blank(line, 0));
  const std::string_view name = take_word(rest);
  rest.remove_prefix(skip_blank(rest, 0));
  if (name == "include" || name == "include_next" || name == "import" || name == "embed") {
    if (!rest.empty() && (rest[0] == '"' || rest[0] == '<')) collect(rest, words, true);
    else computed_include(rest, words);
  } else if (name == "define") {
    definition(rest, words);
  } else if ((name == "if" || name == "elif") && rest.find("__has_include") != std::string_view::npos) {
    collect(rest, words, false);
  }
}

bool regular(const std::string& path, struct stat& info) {
  return ::stat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode);
}

int64_t nanoseconds(const timespec& t) { return int64_t(t.tv_sec) * 1000000000 + t.tv_nsec; }

// The state of the file at a path, as text; "-" if there is none.
std::string state_of(const std::string& path) {
  struct stat info;
  if (!regular(path, info)) return "-";
  return std::to_string(nanoseconds(info.st_mtim)) + ' ' + std::to_string(info.st_size) + ' ' +
         std::to_string(info.st_ino);
}

int64_t now_ns() {
  timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return nanoseconds(now);
}

bool unchanged(std::string_view trace) {
  while (!trace.empty()) {
    const size_t tab = trace.find('\t'), end = trace.find('\n');
    if (end == std::string_view::npos || tab > end) return false;
    if (state_of(std::string(trace.substr(0, tab))) != trace.substr(tab + 1, end - tab - 1)) return false;
    trace.remove_prefix(end + 1);
  }
  return true;
}

std::string directory_of(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
}

}  // namespace

IncludeWords find_includes(std::string_view text) {
  IncludeWords words;
  std::string whole;
  if (text.find('\\') != std::string_view::npos) {
    whole = spliced(text);
    text = whole;
  }
  // At every #: a comment may precede it, and finding too many is harmless.
  for (size_t at = 0; (at = text.find('#', at)) != std::string_view::npos;) {
    const size_t end = std::min(text.find('\n', at), text.size());
    directive(text.substr(at + 1, end - at - 1), words);
    ++at;
  }
  for (size_t at = 0; (at = text.find("%:", at)) != std::string_view::npos; at += 2) {  // the other spelling of #
    directive(text.substr(at + 2, std::min(text.find('\n', at), text.size()) - at - 2), words);
  }
  return words;
}

std::shared_ptr<const IncludeScanner::File> IncludeScanner::file(const std::string& path) {
  struct stat info;
  if (!regular(path, info)) return nullptr;
  const int64_t mtime = nanoseconds(info.st_mtim);
  {
    std::lock_guard lock(mutex_);
    const auto found = files_.find(path);
    if (found != files_.end() && found->second->mtime_ns == mtime && found->second->size == uint64_t(info.st_size) &&
        found->second->inode == info.st_ino) {
      return found->second;
    }
  }
  std::string text;
  if (!base::read_file(path, text, nullptr, kLargestHeader)) return nullptr;
  auto read = std::make_shared<File>(
      File{mtime, uint64_t(info.st_size), info.st_ino, base::hash_hex(text), find_includes(text)});
  if (now_ns() - mtime > kSettled && text.size() == read->size) {
    std::lock_guard lock(mutex_);
    if (files_.size() >= kMostFiles) files_.clear();
    files_[path] = read;
  }
  return read;
}

// One search through the headers of one request.
struct IncludeScanner::Scan {
  IncludeScanner& scanner;
  const CompileRequest& request;
  const std::vector<SourceHeader>& own;
  std::vector<std::string> directories;
  std::unordered_set<std::string> given_seen, paths_seen, found;
  std::vector<std::pair<std::string, IncludeWords>>
      work;  // directory of the including file, the headers that it includes
  std::string out, trace;
  size_t files = 0;
  bool keepable = true;
  size_t own_directories = 0;  // the number of entries at the end that are the compiler's own
  std::unordered_set<std::string> computed, other_macros, macros;
  std::vector<std::pair<std::string, std::string>> angled_macros;

  // The macros of texts other than the compiler's headers.
  void add_macros(const IncludeWords& words) {
    computed.insert(words.computed.begin(), words.computed.end());
    other_macros.insert(words.other_macros.begin(), words.other_macros.end());
    macros.insert(words.other_macros.begin(), words.other_macros.end());
    angled_macros.insert(angled_macros.end(), words.angled_macros.begin(), words.angled_macros.end());
    for (const auto& [name, value] : words.angled_macros) macros.insert(name);
  }

  // Is every included header known?
  bool whole() const {
    for (const std::string& name : computed)
      if (other_macros.count(name)) return false;
    for (const auto& [name, value] : angled_macros)
      for (std::string_view rest = value; computed.count(name) && !rest.empty();) {
        const std::string_view part = take_word(rest);
        if (macros.count(std::string(part))) return false;
        if (part.empty()) rest.remove_prefix(1);
      }
    return true;
  }

  void add_path(const std::string& word, const std::string& path, bool compilers_own) {
    if (!paths_seen.insert(path).second) return;
    const auto file = scanner.file(path);
    trace += path + '\t';
    trace += file
                 ? std::to_string(file->mtime_ns) + ' ' + std::to_string(file->size) + ' ' + std::to_string(file->inode)
                 : "-";
    trace += '\n';
    keepable =
        keepable && path.find_first_of("\t\n") == std::string::npos && (!file || now_ns() - file->mtime_ns > kSettled);
    if (!file) return;
    ++files;
    out += word + '\n' + file->hash + '\n';
    if (!compilers_own) add_macros(file->words);
    work.emplace_back(directory_of(path), file->words);
  }

  bool is_own(const std::string& place) const {
    for (size_t i = directories.size() - own_directories; i < directories.size(); ++i)
      if (place.starts_with(directories[i])) return true;
    return false;
  }

  void add(const std::string& word, const std::string& folder) {
    if (!found.insert(folder + '\n' + word).second) return;
    for (const auto* headers : {&request.headers, &own})
      for (const SourceHeader& header : *headers) {
        // Its text is part of the key anyway; it is only searched for further headers.
        if (header.name == word && given_seen.insert(word).second)
          work.emplace_back(directory_of(word), find_includes(header.text));
      }
    if (word[0] == '/') return add_path(word, word, false);
    if (!folder.empty()) add_path(word, folder + '/' + word, is_own(folder));
    for (size_t i = 0; i < directories.size(); ++i)
      add_path(word, directories[i] + '/' + word, i + own_directories >= directories.size());
  }

  void run() {
    while (!work.empty()) {
      const auto [folder, words] = std::move(work.back());
      work.pop_back();
      for (const std::string& word : words.quoted) add(word, folder);
      for (const std::string& word : words.angled) add(word, "");
    }
  }

  // NAME=value of an option.
  void macro(const std::string& definition) {
    const size_t equals = definition.find('=');
    if (definition.empty() || equals == std::string::npos) return;
    IncludeWords words;
    directive("define " + definition.substr(0, equals) + ' ' + definition.substr(equals + 1), words);
    add_macros(words);
    work.emplace_back(".", std::move(words));
  }

  // -I and similar options name directories; any other option whose value is a file stands for the file's content.
  void options() {
    static const char* const of_directory[] = {"--include-path=", "--include-path", "-isystem",
                                               "-iquote",         "-idirafter",     "-I"};
    for (size_t i = 0; i < request.options.size(); ++i) {
      const std::string& option = request.options[i];
      const std::string next = i + 1 < request.options.size() ? request.options[i + 1] : "";
      bool directory = false;
      for (const char* prefix : of_directory) {
        if (!option.starts_with(prefix)) continue;
        std::string value = option.substr(std::char_traits<char>::length(prefix));
        if (value.starts_with('=')) value.erase(0, 1);
        directories.push_back(value.empty() ? next : value);
        directory = true;
        break;
      }
      if (directory) continue;
      const size_t equals = option.find('=');
      macro(option.starts_with("--define-macro=") ? option.substr(15)
            : option == "-D"                      ? next
            : option.starts_with("-D")            ? option.substr(2)
                                                  : "");
      IncludeWords words;  // -DHEADER="x.h", -include x.h, --pre-include=x.h, a bare file name
      collect(option, words, false);
      if (equals != std::string::npos && equals + 1 < option.size()) words.quoted.push_back(option.substr(equals + 1));
      if (option.starts_with("-include") && option.size() > 8 && option[8] != '=')
        words.quoted.push_back(option.substr(8));
      if (!option.empty() && option[0] != '-') words.quoted.push_back(option[0] == '@' ? option.substr(1) : option);
      work.emplace_back(".", std::move(words));
    }
  }
};

namespace {

// Everything that the search depends on, except the files.
std::string question_of(const CompileRequest& request, const std::vector<std::string>& directories,
                        const std::vector<std::pair<std::string, IncludeWords>>& roots) {
  std::string out = "headers reached from, 2\n";
  const auto add = [&](const std::string& text) { out += std::to_string(text.size()) + ':' + text; };
  if (char* here = ::getcwd(nullptr, 0)) {
    add(here);
    std::free(here);
  }
  out += '\n';
  for (const std::string& directory : directories) add(directory);
  const auto add_words = [&](const IncludeWords& words) {
    out += '\n';
    for (const std::string& word : words.quoted) add(word);
    out += '<';
    for (const std::string& word : words.angled) add(word);
    for (const auto* macros : {&words.computed, &words.other_macros}) {
      out += '#';
      for (const std::string& macro : *macros) add(macro);
    }
    for (const auto& [macro, value] : words.angled_macros) add(macro);
  };
  for (const auto& [folder, words] : roots) {
    out += '\n';
    add(folder);
    add_words(words);
  }
  for (const SourceHeader& header : request.headers) {
    out += '\n';
    add(header.name);
    add_words(find_includes(header.text));
  }
  return out;
}

}  // namespace

std::shared_ptr<const IncludeScanner::Answer> IncludeScanner::known(const std::string& question) {
  std::shared_ptr<const Answer> answer;
  {
    std::lock_guard lock(mutex_);
    const auto found = answers_.find(question);
    if (found != answers_.end()) answer = found->second;
  }
  std::string text;
  if (!answer && notes_ && notes_->recall(question, text)) {
    const size_t end = text.find("\n\n");
    if (end == std::string::npos) return nullptr;
    answer = std::make_shared<Answer>(Answer{text.substr(0, end + 1), text.substr(end + 2)});
    std::lock_guard lock(mutex_);
    if (answers_.size() < kMostAnswers) answers_[question] = answer;
  }
  return answer && unchanged(answer->trace) ? answer : nullptr;
}

void IncludeScanner::remember(const std::string& question, const Scan& scan) {
  if (!scan.keepable || scan.files < kWorthKeeping) return;
  auto answer = std::make_shared<Answer>(Answer{scan.trace, scan.out});
  if (notes_) notes_->keep(question, scan.trace + '\n' + scan.out);
  std::lock_guard lock(mutex_);
  if (answers_.size() >= kMostAnswers) answers_.clear();
  answers_[question] = std::move(answer);
}

std::string IncludeScanner::reachable(const CompileRequest& request, const std::vector<std::string>& directories,
                                      bool* whole, const std::vector<SourceHeader>& own) {
  Scan scan{*this, request, own, {}, {}, {}, {}, {}, {}, {}, 0, true, directories.size(), {}, {}, {}, {}};
  scan.options();
  scan.directories.insert(scan.directories.end(), directories.begin(), directories.end());
  const auto add = [&](const std::string& folder, IncludeWords words) {
    scan.add_macros(words);
    scan.work.emplace_back(folder, std::move(words));
  };
  add(directory_of(request.name), find_includes(request.source));
  add(".", find_includes(request.source));
  for (const SourceHeader& header : request.headers)
    if (scan.given_seen.insert(header.name).second) add(directory_of(header.name), find_includes(header.text));
  size_t words = 0;
  for (const auto& [folder, found] : scan.work) words += found.quoted.size() + found.angled.size();
  if (whole) *whole = words > 0 || scan.whole();
  if (words == 0) return {};
  const std::string question = question_of(request, scan.directories, scan.work);
  if (const auto answer = known(question)) return answer->headers;
  scan.run();
  if (whole) *whole = scan.whole();
  if (scan.whole()) remember(question, scan);
  return std::move(scan.out);
}

}  // namespace tenon
