// backend/cpu/compile/compiler/diagnose.cpp: from a compiler's log to one sentence.
#include "backend/cpu/compile/compiler/diagnose.hpp"
#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <string_view>
#include <vector>

namespace tenon::cpu {
namespace {

struct MessageWord {
  enum Where { in_error, in_text, in_header } where;
  std::string_view word;
};
constexpr MessageWord error(std::string_view word) { return {MessageWord::in_error, word}; }
constexpr MessageWord text(std::string_view word) { return {MessageWord::in_text, word}; }
constexpr MessageWord header(std::string_view word) { return {MessageWord::in_header, word}; }

struct Refusal {
  const char* sentence;
  std::vector<MessageWord> words;
};
const std::vector<Refusal>& refusals() {
  static const auto& rows = *new std::vector<Refusal>{
#define TENON_REFUSED(sentence, ...) {sentence, {__VA_ARGS__}},
#include "backend/cpu/compile/compiler/refusals.inc"
#undef TENON_REFUSED
  };
  return rows;
}

// The name in "'x.h' file not found" (clang) or "x.h: No such file or directory" (g++).
std::string missing_header(const std::string& error) {
  size_t end = error.find("' file not found");
  const bool clang = end != std::string::npos;
  if (!clang) end = error.find(": No such file or directory");
  if (end == std::string::npos) return "";
  const size_t begin = clang ? error.rfind('\'', end - 1) : error.rfind(' ', end);
  return begin == std::string::npos ? "" : error.substr(begin + 1, end - begin - 1);
}

bool is_error(const std::string& line) {
  return line.find(": error: ") != std::string::npos || line.rfind("error: ", 0) == 0 ||
         line.find(": fatal error: ") != std::string::npos ||
         line.find("undefined reference to") != std::string::npos ||
         line.find("undefined symbol: ") != std::string::npos;
}

// The line of the user's text to which "kernel.cu:12:..." points.
std::string line_of_text(const CompileRequest& request, const std::string& error) {
  if (error.rfind(request.name + ":", 0) != 0) return "";
  int number = std::atoi(error.c_str() + request.name.size() + 1);
  std::istringstream in(request.source);
  std::string line;
  while (number-- > 0 && std::getline(in, line)) {
  }
  return line;
}

const char* meaning(const CompileRequest& request, const std::string& error) {
  const std::string line = line_of_text(request, error), header = missing_header(error);
  auto fits = [&](const MessageWord& row) {
    if (row.where == MessageWord::in_header) {
      if (header.empty() || row.word.back() != '*') return header == row.word;
      return header.compare(0, row.word.size() - 1, row.word.substr(0, row.word.size() - 1)) == 0;
    }
    return error.find(row.word) != std::string::npos ||
           (row.where == MessageWord::in_text && line.find(row.word) != std::string::npos);
  };
  for (const Refusal& refusal : refusals())
    if (std::any_of(refusal.words.begin(), refusal.words.end(), fits)) return refusal.sentence;
  return nullptr;
}

// Lines of the signature table and of the entries are named after the kernel in the options: see
// kernel/source/signature.cpp.
std::string entry_of(const std::string& line) {
  const std::string mark = " of the options: ";
  size_t begin = line.find(mark), end = line.find(":1:", begin);
  if (line.rfind("kernel name ", 0) != 0 || begin == std::string::npos || end == std::string::npos) return "";
  return line.substr(begin + mark.size(), end - begin - mark.size());
}

}  // namespace

void fail_with_log(const CompileRequest& request, const std::string& log) {
  std::vector<std::string> lines;
  std::istringstream in(log);
  for (std::string line; std::getline(in, line);) lines.push_back(line);

  size_t first = 0;
  while (first < lines.size() && !is_error(lines[first])) ++first;
  const std::string text = first < lines.size() ? lines[first] : "the compiler failed without an error message";
  const char* why = meaning(request, text);

  std::string message;
  if (const std::string kernel = entry_of(text); !kernel.empty() && !why) {
    const size_t from = text.find("error: ");
    const bool several = text.find("overloaded function") != std::string::npos;
    message = format("%s has no kernel that can be named \"%s\": %s", request.name.c_str(), kernel.c_str(),
                     several ? "several functions or a template have that name; name an instance, as in \"k<>\" or "
                               "\"k<float>\", or choose one by "
                               "a cast, as in \"(void (*)(float*))k\""
                             : text.substr(from == std::string::npos ? 0 : from + 7).c_str());
  } else if (why) {
    message = format("%s (%s)", why, text.c_str());
  } else {
    message = text;
  }
  Error error(TENON_ERROR_COMPILE, message);
  error.log = (why ? std::string(why) + "\n" : std::string()) + log;
  throw error;
}

}  // namespace tenon::cpu
