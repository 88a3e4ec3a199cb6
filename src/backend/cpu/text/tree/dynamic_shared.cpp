// backend/cpu/text/tree/dynamic_shared.cpp: classes whose only purpose is to be the block's dynamic shared memory.
//
//   template <class T> struct SharedMemory {
//     __device__ operator T*() { extern __shared__ int words[]; return (T*)words; }
//   };
//   T* s = SharedMemory<T>();   ->   T* s = (T*)tenon_dynamic_words;
#include "backend/cpu/text/tree/dynamic_shared.hpp"
#include <algorithm>
#include <map>
#include <set>
#include "backend/cpu/text/tree/region_tree.hpp"
#include "backend/cpu/text/tokens.hpp"
#include "core/error.hpp"

namespace tenon::cpu {
namespace {

constexpr char kArray[] = "tenon_dynamic_words";

class Classes {
 public:
  explicit Classes(const Tokens& tokens) : t_(tokens) {
    std::set<std::string_view> others;
    for (size_t i = 0; i + 2 < t_.size(); ++i) {
      if (!t_.is_any(i, {"struct", "class"}) || !t_.is_word(i + 1) || t_.is_any(i - 1, {"<", ",", "enum"})) continue;
      const size_t open = t_.is(i + 2, "<") ? after_angle(i + 2) : i + 2;
      if (!t_.is(open, "{")) continue;
      (only_converts(open) ? names_ : others).insert(t_[i + 1].text);
    }
    for (size_t i = 0; i < t_.size(); ++i)
      if (t_.is_word(i) && names_.count(t_[i].text) && !names_class(i)) others.insert(t_[i].text);
    for (std::string_view name : others) names_.erase(name);
  }

  bool any() const { return !names_.empty(); }
  // The position after `NAME<...>()` or `NAME()`, where NAME is such a class; npos: something else is there.
  size_t made(size_t i) const {
    if (!t_.is_word(i) || !names_.count(t_[i].text) || t_.is_any(i - 1, {"::", ".", "->"})) return npos;
    const size_t open = t_.is(i + 1, "<") ? after_angle(i + 1) : i + 1;
    return t_.is(open, "(") && t_.is(open + 1, ")") ? open + 2 : npos;
  }

 private:
  // Whether the name stands where it can only be the class's: no other thing of the text has it.
  bool names_class(size_t i) const {
    return t_.is_any(i - 1, {"struct", "class"}) || t_.is(i + 1, "<") || (t_.is(i + 1, "(") && t_.is(i + 2, ")"));
  }
  size_t after_angle(size_t i) const {
    for (int depth = 0; i < t_.size() && !t_.is_any(i, {";", "{", "}"}); ++i) {
      depth += t_.is(i, "<") - t_.is(i, ">") - 2 * t_.is(i, ">>");
      if (depth == 0) return i + 1;
    }
    return npos;
  }
  // Whether a class's members are conversions to the address of dynamic shared memory, and nothing else.
  bool only_converts(size_t open) const {
    const size_t end = t_.closed(open);
    if (end == npos || end == open + 2) return false;
    for (size_t i = open + 1; i + 1 < end;) {
      if (t_.is_any(i, {"public", "private", "protected"}) && t_.is(i + 1, ":")) i += 2;
      else if (t_.is(i, "__attribute__") && t_.is(i + 1, "(")) i = t_.closed(i + 1);
      else if (t_.is_any(i, {"inline", "__inline__", "__inline"})) ++i;
      else if (t_.is(i, "operator")) i = after_conversion(i);
      else return false;
      if (i == npos) return false;
    }
    return true;
  }
  // operator T*() const { extern __shared__ U name[]; return (T*)name; }
  size_t after_conversion(size_t i) const {
    for (++i; t_.is_word(i) || t_.is(i, "::"); ++i)
      if (is_reserved(t_, i) && !t_.is_any(i, {"const", "volatile"})) return npos;
    if (!t_.is(i, "*") || !t_.is(i + 1, "(") || !t_.is(i + 2, ")")) return npos;
    i += t_.is(i + 3, "const") ? 4 : 3;
    if (!t_.is(i, "{") || !t_.is(i + 1, "extern") || !t_.is(i + 2, "__shared__")) return npos;
    const size_t end = t_.closed(i), bracket = t_.outside(i + 1, end, {"["});
    if (bracket == npos || !t_.is_word(bracket - 1) || !t_.is(bracket + 1, "]") || !t_.is(bracket + 2, ";") ||
        t_.outside(i + 1, bracket, {";", "=", "{"}) != npos || !t_.is(bracket + 3, "return"))
      return npos;
    size_t value = bracket + 4;
    if (t_.is(value, "(")) value = t_.closed(value);
    return t_.is(value, t_[bracket - 1].text) && t_.is(value + 1, ";") && value + 3 == end ? end : npos;
  }

  const Tokens& t_;
  std::set<std::string_view> names_;
};

// The start of `T* name =`, of which the last token is at `equals`; npos: something else is there.
size_t pointer_type(const Tokens& t, size_t equals) {
  if (!t.is(equals, "=") || !t.is_word(equals - 1) || !t.is(equals - 2, "*")) return npos;
  size_t from = equals - 2;
  while (from > 0 && t.is_word(from - 1) &&
         (is_type_word(t, from - 1) || !is_reserved(t, from - 1) || t.is_any(from - 1, {"const", "volatile"})))
    --from;
  return from < equals - 2 && t.is_any(from - 1, {";", "{", "}"}) ? from : npos;
}

}  // namespace

std::string with_dynamic_shared_plain(const std::string& text) {
  if (text.find("operator") == text.npos) return text;
  const Tokens tokens(text);
  const Classes classes(tokens);
  if (!classes.any()) return text;
  struct Edit {
    size_t to;
    std::string text;
  };
  std::map<size_t, Edit> edits;  // by the byte at which they begin
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (!tokens.is(i, "__global__")) continue;
    const size_t open = tokens.outside(i, tokens.size(), {"{", ";"});
    if (open == npos || !tokens.is(open, "{")) continue;
    const size_t close = tokens.closed(open), edited = edits.size();
    if (close == npos) break;
    for (size_t k = open; k < close; ++k) {
      const size_t end = classes.made(k), type = end == npos ? npos : pointer_type(tokens, k - 1);
      if (type == npos || !tokens.is(end, ";")) continue;
      edits[tokens[k].begin] = {tokens[end - 1].end(), format("(%s)%s", tokens.joined(type, k - 2).c_str(), kArray)};
    }
    if (edits.size() > edited)
      edits[tokens[open].end()] = {tokens[open].end(), format(" extern __shared__ int %s[]; ", kArray)};
    i = close - 1;
  }
  std::string out;
  size_t done = 0;
  for (const auto& [from, edit] : edits) {
    out.append(text, done, from - done);
    out += edit.text;
    done = edit.to;
  }
  return out.append(text, done);
}

}  // namespace tenon::cpu
