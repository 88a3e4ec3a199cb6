// backend/cpu/compile/compiler/ir_text.cpp: reading LLVM's intermediate code as text.
#include "backend/cpu/compile/compiler/ir_text.hpp"
#include <algorithm>
#include <cctype>

namespace tenon::cpu {

std::string_view next_line(std::string_view& text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  text.remove_prefix(std::min(line.size() + 1, text.size()));
  return line;
}

size_t comma(std::string_view text, size_t at) {
  int depth = 0;
  bool quoted = false;
  for (; at + 1 < text.size(); ++at) {
    if (text[at] == '"') quoted = !quoted;
    if (quoted) continue;
    if (text[at] == '(' || text[at] == '[' || text[at] == '{' || text[at] == '<') ++depth;
    if (text[at] == ')' || text[at] == ']' || text[at] == '}' || text[at] == '>') --depth;
    if (depth == 0 && text[at] == ',' && text[at + 1] == ' ') return at;
  }
  return text.size();
}

std::string_view global_name(std::string_view text, size_t at) {
  if (at >= text.size() || text[at] != '@') return {};
  size_t end = at + 1;
  if (end < text.size() && text[end] == '"') {
    end = text.find('"', end + 1);
    return end == text.npos ? std::string_view() : text.substr(at, end + 1 - at);
  }
  while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) ||
                               std::string_view("$._-").find(text[end]) != std::string_view::npos))
    ++end;
  return text.substr(at, end - at);
}

std::vector<std::string> global_names(std::string_view text) {
  std::vector<std::string> out;
  for (size_t at = text.find('@'); at != text.npos; at = text.find('@', at)) {
    const std::string_view name = global_name(text, at);
    if (!name.empty()) out.emplace_back(name);
    at += std::max<size_t>(name.size(), 1);
  }
  return out;
}

}  // namespace tenon::cpu
