// backend/cpu/text/loop_state.cpp: assignments in a list of tokens.
#include "backend/cpu/text/loop_state.hpp"
#include <algorithm>
#include <set>
#include <string_view>

namespace tenon::cpu {
namespace {

constexpr size_t kMostSums = 8;

class Assignments {
 public:
  Assignments(const Tokens& tokens, size_t from, size_t to) : t_(tokens), from_(from), to_(to) {}

  // False: something without a name of its own is assigned.
  bool run() {
    for (size_t i = from_; i < to_; ++i) {
      if (t_.is_any(i, {"+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "="})) {
        if (is_capture(i) || !target_before(i)) return false;
      } else if (t_.is_any(i, {"++", "--"})) {
        const bool behind = t_.is_word(i - 1) || t_.is(i - 1, "]") || (t_.is(i - 1, ")") && !t_.is_word(i + 1));
        if (!(behind ? target_before(i) : target_after(i))) return false;
      } else if (t_.is_word(i) && begins_declaration(i)) {
        declare(i);
      }
    }
    return true;
  }
  std::vector<std::string> names() const {
    std::vector<std::string> out;
    for (const std::string& name : assigned_)
      if (!declared_.count(name)) out.push_back(name);
    return out;
  }

 private:
  bool is_capture(size_t i) const { return t_.is(i - 1, "["); }  // [=]

  // The target before the operator at i: a name, or a chain of members.
  bool target_before(size_t i) {
    size_t at = i - 1;
    while (t_.is_word(at) && at >= from_ + 2 && t_.is(at - 1, ".")) at -= 2;
    if (!t_.is_word(at)) return element_of_own(at);
    if (t_.is_any(at - 1, {"->", "::"})) return false;
    if (t_.is(at - 1, "*") && !t_.is_word(at - 2) && !t_.is_any(at - 2, {">", "*"})) return false;  // *p = ...
    assigned_.emplace(t_[at].text);
    return true;
  }
  // v[k] = ... has no outside effect if v is the body's own array.
  bool element_of_own(size_t at) const {
    while (at > from_ && t_.is(at, "]")) at = t_.opened(at) - 1;
    return at > from_ && t_.is_word(at) && declared_arrays_.count(std::string(t_[at].text)) != 0;
  }
  bool target_after(size_t i) {
    size_t at = i + 1;
    if (!t_.is_word(at)) return false;
    size_t end = at + 1;
    while (t_.is(end, ".") && t_.is_word(end + 1)) end += 2;
    if (t_.is_any(end, {"->", "[", "(", "::"})) return false;
    assigned_.emplace(t_[at].text);
    return true;
  }

  // `T name`, `T* name`, `T<U>& name`, at the start of a statement.
  bool begins_declaration(size_t i) const {
    if (i == from_) return false;
    const size_t bracket = t_.is(i - 1, "(") ? i - 1 : t_.is(i - 1, ")") ? t_.opened(i - 1) : npos;
    const bool of_control = bracket != npos && bracket > 0 && t_.is_any(bracket - 1, {"if", "for", "while", "switch"});
    if (!of_control && !t_.is_any(i - 1, {";", "{", "}", "else", "do"})) return false;
    return !t_.is_any(i, {"return", "else", "do", "case", "default", "break", "continue", "if", "for", "while",
                          "switch", "goto", "delete", "throw", "using", "typedef"});
  }
  // Records the names that the declaration at i introduces, if it is one.
  void declare(size_t i) {
    size_t at = i;
    while (t_.is_word(at) || t_.is(at, "::")) {
      if (t_.is_word(at) &&
          !t_.is_any(at,
                     {"const", "volatile", "unsigned", "signed", "long", "short", "constexpr", "struct", "typename"}) &&
          at > i && (t_.is_any(at + 1, {"=", ";", ",", "{", "(", "[", ":", ")"})))
        break;
      ++at;
      if (t_.is(at, "<")) {
        int depth = 0;
        for (; at < to_; ++at) {
          depth += t_.is(at, "<") - t_.is(at, ">") - 2 * t_.is(at, ">>");
          if (depth <= 0 || t_.is_any(at, {";", "{", "}"})) break;
        }
        if (!t_.is_any(at, {">", ">>"})) return;
        ++at;
      }
    }
    while (t_.is_any(at, {"*", "&", "&&", "const", "__restrict__", "__restrict"})) ++at;
    if (at == i || !t_.is_word(at) || t_.is(at - 1, "::") || t_.is(at - 1, ".")) return;
    for (;;) {  // also those after commas
      if (!t_.is_word(at)) return;
      declared_.emplace(t_[at].text);
      if (t_.is(at + 1, "[")) declared_arrays_.emplace(t_[at].text);
      for (++at; at < to_ && !t_.is_any(at, {",", ";", ":", ")"});) {
        at = t_.is_any(at, {"(", "[", "{"}) ? t_.closed(at) : at + 1;
        if (at == npos) return;
      }
      if (!t_.is(at, ",")) return;
      for (++at; t_.is_any(at, {"*", "&", "const"});) ++at;
    }
  }

  const Tokens& t_;
  const size_t from_, to_;
  std::set<std::string> assigned_, declared_, declared_arrays_;
};

}  // namespace

std::vector<std::string> changed_names(const Tokens& tokens, size_t from, size_t to, const std::string& loop_variable) {
  Assignments assignments(tokens, from, to);
  if (!assignments.run()) return {};
  std::vector<std::string> names = assignments.names();
  if (names.size() > kMostSums || std::find(names.begin(), names.end(), loop_variable) != names.end()) return {};
  return names;
}

size_t void_function_of(const Tokens& t, size_t at, bool directly) {
  int depth = 0;
  for (size_t i = at; i-- > 0;) {
    if (t.is(i, "}")) ++depth;
    if (!t.is(i, "{") || depth-- > 0) continue;
    depth = 0;
    // What does this brace open?
    if (i == 0) return npos;
    if (t.is_any(i - 1, {"{", "}", ";", ":", "else", "do"})) continue;  // a block
    if (!t.is(i - 1, ")") && directly) return npos;                     // such as a lambda: [&] { }, [&]() mutable { }
    if (!t.is(i - 1, ")")) continue;
    const size_t open = t.opened(i - 1);
    if (open == npos || open < 2) return npos;
    if (t.is_any(open - 1, {"if", "for", "while", "switch", "constexpr"})) continue;
    size_t before = open - 2;
    while (t.is(before, ")")) {  // __launch_bounds__(256), or the attribute that it is
      before = t.opened(before);
      if (before == npos || before < 2 || t[before - 1].text.substr(0, 2) != "__") return npos;
      before -= 2;
    }
    return t.is_word(open - 1) && t.is(before, "void") ? open - 1 : npos;
  }
  return npos;
}

}  // namespace tenon::cpu
