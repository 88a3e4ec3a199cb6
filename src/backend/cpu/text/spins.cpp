// backend/cpu/text/spins.cpp: detects texts in which a thread may wait for another one in a loop.
#include "backend/cpu/text/spins.hpp"
#include <algorithm>
#include <cctype>
#include <set>
#include <vector>

namespace tenon::cpu {
namespace {

using WordList = std::vector<std::string_view>;  // and punctuation, one character each

bool part(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }
bool is_name(std::string_view word) { return part(word[0]) && !std::isdigit(static_cast<unsigned char>(word[0])); }
bool is_number(std::string_view word) { return std::isdigit(static_cast<unsigned char>(word[0])); }
bool is_zero(std::string_view word) { return is_number(word) && word.find_first_not_of("0xXuUlL") == word.npos; }

// Without comments, and with string literals replaced by "".
WordList words_of(std::string_view text) {
  WordList out;
  for (size_t i = 0; i < text.size();) {
    const std::string_view rest = text.substr(i);
    if (rest.substr(0, 2) == "//") {
      i += std::min(rest.find('\n'), rest.size());
    } else if (rest.substr(0, 2) == "/*") {
      i = std::min(text.find("*/", i + 2), text.size() - 2) + 2;
    } else if (rest[0] == '"') {
      size_t end = i + 1;
      while (end < text.size() && text[end] != '"' && text[end] != '\n') end += text[end] == '\\' ? 2 : 1;
      i = std::min(end + 1, text.size());
    } else if (part(rest[0])) {
      size_t end = i;
      while (end < text.size() && part(text[end])) ++end;
      out.push_back(text.substr(i, end - i));
      i = end;
    } else {
      if (!std::isspace(static_cast<unsigned char>(rest[0]))) out.push_back(rest.substr(0, 1));
      ++i;
    }
  }
  return out;
}

class SpinReader {
 public:
  explicit SpinReader(std::string_view text) : words_(words_of(text)) {
    for (size_t i = 0; i < words_.size(); ++i)
      if (words_[i] == "volatile") note_volatile(i + 1);
      else if (words_[i] == "atomic" || words_[i] == "atomic_ref" || words_[i] == "atomic_flag") has_objects_ = true;
  }

  bool any_spins() const {
    for (size_t i = 0; i < words_.size(); ++i) {
      if (words_[i] == "do" && spins(after(i + 1), i + 1)) return true;
      if ((words_[i] == "while" || words_[i] == "for") && is(i + 1, "(") && spins(i, closed(i + 1))) return true;
    }
    return false;
  }

 private:
  bool is(size_t i, std::string_view word) const { return i < words_.size() && words_[i] == word; }

  // The position after the bracket that closes the one at i.
  size_t closed(size_t i) const {
    int depth = 0;
    for (; i < words_.size(); ++i) {
      depth += is(i, "(") || is(i, "{") || is(i, "[");
      depth -= is(i, ")") || is(i, "}") || is(i, "]");
      if (depth == 0) return i + 1;
    }
    return words_.size();
  }
  // The position after the statement at i: a block, or a statement that ends with a semicolon or with its own block.
  size_t after(size_t i) const {
    if (is(i, "{")) return closed(i);
    while (i < words_.size() && !is(i, ";")) {
      if (is(i, "{")) return closed(i);
      i = is(i, "(") ? closed(i) : i + 1;
    }
    return std::min(i + 1, words_.size());
  }

  // Records every name of the declaration (or cast) whose volatile is before i.
  void note_volatile(size_t i) {
    for (std::string_view last; i < words_.size(); ++i) {
      if (is_name(words_[i])) {
        last = words_[i];
        continue;
      }
      if (words_[i] == "*" || words_[i] == "&") continue;
      if (!last.empty()) volatile_.insert(last);
      last = {};
      if (words_[i] == "[") i = closed(i) - 1;
      if (words_[i] != "," && words_[i] != "]") return;
    }
  }

  // `head` is at the "while" or "for" of the loop, `body` where its body begins.
  bool spins(size_t head, size_t body) const {
    if (!is(head, "while") && !is(head, "for")) return false;
    if (!is(head + 1, "(")) return false;
    size_t first = head + 2, last = closed(head + 1) - 1;
    if (is(head, "for")) {
      first = after(first);
      last = after(first) - 1;
    }
    const size_t end = body < head ? head : after(body);
    const bool endless =
        first >= last ||
        (last == first + 1 && (is(first, "true") || (is_number(words_[first]) && !is_zero(words_[first]))));
    if (reads_volatile(first, last) || asks(first, last)) return true;
    if (endless && reads_volatile(body, end)) return true;
    for (size_t i = body; i < end; ++i)
      if (is(i, "__nanosleep")) return true;
    return (endless || !is(head, "for")) && asks(body, end, "atomicExch");
  }

  bool reads_volatile(size_t first, size_t last) const {
    for (size_t i = first; i < last; ++i)
      if (is(i, "volatile") || is(i, "__ldcv") || volatile_.count(words_[i])) return true;
    return false;
  }

  // Whether atomic operations (other than `but`) read what is there.
  bool asks(size_t first, size_t last, std::string_view but = {}) const {
    for (size_t i = first; i < last; ++i) {
      const std::string_view word = words_[i];
      if (has_objects_ && i > 0 && is(i + 1, "(") && asks_object(word) && (is(i - 1, ".") || is(i - 1, ">")))
        return true;
      if (word.substr(0, 6) != "atomic" || word.size() == 6 || !is(i + 1, "(") ||
          word.substr(0, std::max<size_t>(but.size(), 1)) == but)
        continue;
      if (word.substr(0, 10) == "atomicExch") return true;
      const size_t second = argument(i + 1);
      if (second == words_.size() || !is_number(words_[second]) || !(is(second + 1, ",") || is(second + 1, ")")))
        continue;
      if (word.substr(0, 9) == "atomicCAS" || is_zero(words_[second])) return true;
    }
    return false;
  }
  // Member functions of an atomic object: x.load(), p->exchange(1).
  static bool asks_object(std::string_view word) {
    for (const char* name :
         {"load", "exchange", "compare_exchange_weak", "compare_exchange_strong", "test_and_set", "test"})
      if (word == name) return true;
    return false;
  }
  // The position where the second argument begins, for the call whose bracket is at i.
  size_t argument(size_t i) const {
    const size_t end = closed(i);
    for (++i; i < end; i = is(i, "(") || is(i, "[") || is(i, "{") ? closed(i) : i + 1)
      if (is(i, ",")) return i + 1;
    return words_.size();
  }

  const WordList words_;
  std::set<std::string_view> volatile_;
  bool has_objects_ = false;  // cuda::atomic and related types
};

}  // namespace

bool may_spin(std::string_view text) {
  const auto mentions = [text](const char* word) { return text.find(word) != text.npos; };
  // In inline PTX: loads that read what other threads store.
  for (const char* word : {"ld.acquire", "ld.relaxed", "ld.volatile", "nanosleep.u32"})
    if (mentions(word)) return true;
  if (!mentions("volatile") && !mentions("atomic") && !mentions("__nanosleep") && !mentions("__ldcv")) return false;
  return SpinReader(text).any_spins();
}

}  // namespace tenon::cpu
