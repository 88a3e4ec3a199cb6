// backend/cpu/kernel_loops.cpp: finding counted loops in the text, and putting calls beside them.
//
// Nothing depends on what is found here being right but that the rewritten text means the same: a loop that is not one of the
// grid is left alone by the proof, a text that does not compile any more is compiled as it was.
#include "backend/cpu/kernel_loops.hpp"
#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <string_view>

namespace tenon::cpu {
namespace {

enum class Kind { word, number, literal, mark };

struct Token {
  Kind kind;
  std::string_view text;
  size_t begin;
  int line, file;
  bool after_pragma;  // a pragma stands right before it
  size_t end() const { return begin + text.size(); }
};

bool word_part(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' || static_cast<unsigned char>(c) >= 0x80; }

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}
  std::vector<Token> tokens;
  std::vector<std::string> files{"\"\""};

  void run() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\n') { ++line_, ++at_, fresh_ = true; continue; }
      if (std::isspace(static_cast<unsigned char>(c))) { ++at_; continue; }
      if (c == '#' && fresh_) { directive(); continue; }
      fresh_ = false;
      const size_t begin = at_;
      const int line = line_;
      const Kind kind = next(c);
      tokens.push_back({kind, text_.substr(begin, at_ - begin), begin, line, int(files.size()) - 1, pragma_});
      pragma_ = false;
    }
  }

 private:
  // "# 12 "file" flags", "#line 12 "file"", "#pragma ..."
  void directive() {
    const size_t end = std::min(text_.find('\n', at_), text_.size());
    std::string_view words = text_.substr(at_ + 1, end - at_ - 1);
    words.remove_prefix(std::min(words.find_first_not_of(' '), words.size()));
    if (words.substr(0, 6) == "pragma") pragma_ = true;
    if (words.substr(0, 5) == "line ") words.remove_prefix(5);
    if (!words.empty() && std::isdigit(static_cast<unsigned char>(words[0]))) {
      line_ = std::atoi(std::string(words.substr(0, 12)).c_str()) - 1;
      const size_t open = words.find('"'), close = words.rfind('"');
      if (open != words.npos && close > open) files.emplace_back(words.substr(open, close - open + 1));
    }
    at_ = end;
  }

  Kind next(char c) {
    if (std::isdigit(static_cast<unsigned char>(c)) || (c == '.' && at_ + 1 < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_ + 1])))) {
      for (++at_; at_ < text_.size(); ++at_) {
        const char d = text_[at_], before = text_[at_ - 1];
        const bool sign = (d == '+' || d == '-') && (before == 'e' || before == 'E' || before == 'p' || before == 'P');
        const bool separator = d == '\'' && at_ + 1 < text_.size() && word_part(text_[at_ + 1]);
        if (!word_part(d) && d != '.' && !sign && !separator) break;
      }
      return Kind::number;
    }
    if (word_part(c)) {
      const size_t begin = at_;
      while (at_ < text_.size() && word_part(text_[at_])) ++at_;
      const std::string_view word = text_.substr(begin, at_ - begin);
      const bool quote = at_ < text_.size() && (text_[at_] == '"' || text_[at_] == '\'');
      if (!quote || (word != "L" && word != "u8" && word != "u" && word != "U" && word != "R" && word != "LR" && word != "u8R" && word != "uR" && word != "UR"))
        return Kind::word;
      if (word.back() == 'R' && text_[at_] == '"') raw(); else quoted(text_[at_]);
      return Kind::literal;
    }
    if (c == '"' || c == '\'') {
      quoted(c);
      return Kind::literal;
    }
    for (const char* mark : {"<<=", ">>=", "...", "->*", "<=>", "::", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=", "-=", "*=", "/=", "%=",
                             "&=", "|=", "^="})
      if (text_.substr(at_, std::strlen(mark)) == mark) {
        at_ += std::strlen(mark);
        return Kind::mark;
      }
    ++at_;
    return Kind::mark;
  }
  void quoted(char quote) {
    for (++at_; at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n'; ++at_)
      if (text_[at_] == '\\') ++at_;
    at_ = std::min(at_ + 1, text_.size());
  }
  void raw() {  // R"mark(...)mark"
    const size_t open = std::min(text_.find('(', at_), text_.size() - 1);
    const std::string close = ")" + std::string(text_.substr(at_ + 1, open - at_ - 1)) + "\"";
    const size_t end = std::min(text_.find(close, open), text_.size() - close.size()) + close.size();
    for (; at_ < end; ++at_) line_ += text_[at_] == '\n';
  }

  const std::string_view text_;
  size_t at_ = 0;
  int line_ = 1;
  bool fresh_ = true, pragma_ = false;
};

// Recognises the loops in a list of tokens. Positions are indices into it; npos: not what was looked for.
class Finder {
 public:
  explicit Finder(const Lexer& lexer) : t_(lexer.tokens), files_(lexer.files) {}

  std::vector<CountedLoop> run() {
    std::vector<CountedLoop> out;
    for (size_t i = 0; i + 1 < t_.size(); ++i)
      if (is(i, "for") && is(i + 1, "(") && !t_[i].after_pragma) {
        CountedLoop loop;
        if (recognise(i, loop)) out.push_back(loop);
      }
    for (size_t i = 0; i < out.size(); ++i)
      for (size_t j = 0; j < i; ++j) out[i].depth += out[j].end >= out[i].end;
    return out;
  }

 private:
  static constexpr size_t npos = size_t(-1);
  static constexpr std::initializer_list<const char*> kChanges = {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "++", "--", "{", ";", "..."};

  bool is(size_t i, std::string_view text) const { return i < t_.size() && t_[i].kind != Kind::literal && t_[i].text == text; }
  bool is_any(size_t i, std::initializer_list<const char*> texts) const {
    return std::any_of(texts.begin(), texts.end(), [&](const char* text) { return is(i, text); });
  }

  // After the bracket that closes the one at i.
  size_t closed(size_t i) const {
    int depth = 0;
    for (; i < t_.size(); ++i) {
      if (is_any(i, {"(", "[", "{"})) ++depth;
      if (is_any(i, {")", "]", "}"}) && --depth == 0) return i + 1;
    }
    return npos;
  }

  // After the statement at i.
  size_t statement(size_t i) const {
    if (i >= t_.size()) return npos;
    if (is(i, "{")) return closed(i);
    if (is_any(i, {"if", "for", "while", "switch"})) {
      const bool may_else = is(i, "if");
      if (is(++i, "constexpr")) ++i;
      if (!is(i, "(") || (i = closed(i)) == npos || (i = statement(i)) == npos) return npos;
      return may_else && is(i, "else") ? statement(i + 1) : i;
    }
    if (is(i, "do")) {
      i = statement(i + 1);
      if (i == npos || !is(i, "while") || !is(i + 1, "(") || (i = closed(i + 1)) == npos || !is(i, ";")) return npos;
      return i + 1;
    }
    if (is_any(i, {"else", "case", "default", "}", ")", "try"})) return npos;
    for (; i < t_.size(); ++i) {
      if (is(i, ";")) return i + 1;
      if (is_any(i, {"(", "[", "{"})) {
        if ((i = closed(i)) == npos) return npos;
        --i;
      } else if (is_any(i, {")", "]", "}"})) {
        return npos;
      }
    }
    return npos;
  }

  // The first of `texts` in [from, to) outside of brackets.
  size_t outside(size_t from, size_t to, std::initializer_list<const char*> texts) const {
    for (size_t i = from; i < to; ++i) {
      if (is_any(i, texts)) return i;
      if (is_any(i, {"static_cast", "reinterpret_cast"}) && is(i + 1, "<")) {
        while (i < to && !is(i, ">")) ++i;
      } else if (is_any(i, {"(", "[", "{"})) {
        i = closed(i);
        if (i == npos) return npos;
        --i;
      }
    }
    return npos;
  }
  // An expression without side effects that show, not empty, that does not mention `name`.
  bool plain(size_t from, size_t to, std::string_view name) const {
    if (from >= to || outside(from, to, {","}) != npos) return false;
    for (size_t i = from; i < to; ++i)
      if (is_any(i, kChanges) || (!name.empty() && is(i, name))) return false;
    return true;
  }
  std::string joined(size_t from, size_t to) const {
    std::string out;
    for (size_t i = from; i < to; ++i) out += (i > from ? " " : "") + std::string(t_[i].text);
    return out;
  }

  bool recognise(size_t at, CountedLoop& out) const {
    const size_t open = at + 1, after = closed(open);
    if (after == npos) return false;
    const size_t first = outside(open + 1, after - 1, {";"});
    if (first == npos) return false;
    const size_t second = outside(first + 1, after - 1, {";"});
    if (second == npos || outside(second + 1, after - 1, {";"}) != npos) return false;
    const size_t end = statement(after);
    if (end == npos || is(after, ";") || !step(second + 1, after - 1, out) || !bound(first + 1, second, out) || !start(open + 1, first, out)) return false;
    for (size_t i = after; i < end; ++i)
      if (is_any(i, {"return", "goto", "static", "thread_local", "co_await", "co_yield", "co_return", "asm", "__asm", "__asm__", "__func__", "__FUNCTION__",
                     "__PRETTY_FUNCTION__"}))
        return false;
    out.begin = t_[at].begin, out.body = t_[after].begin, out.end = t_[end - 1].end();
    out.line = t_[at].line, out.body_line = t_[after].line;
    out.file = files_[size_t(t_[at].file)];
    return t_[at].file == t_[after].file;
  }

  // i += s, i = i + s, i = s + i
  bool step(size_t from, size_t to, CountedLoop& out) const {
    if (to - from < 3 || t_[from].kind != Kind::word) return false;
    out.name = t_[from].text;
    size_t a = from + 2, b = to;
    if (is(from + 1, "=")) {
      if (is(a, out.name) && is(a + 1, "+")) a += 2;
      else if (is(to - 1, out.name) && is(to - 2, "+")) b -= 2;
      else return false;
      if (outside(a, b, {"<", ">", "<=", ">=", "<=>", "==", "!=", "&", "|", "^", "&&", "||", "?", "<<", ">>"}) != npos) return false;
    } else if (!is(from + 1, "+=")) {
      return false;
    }
    if (!plain(a, b, out.name) || (b - a == 1 && t_[a].kind == Kind::number)) return false;
    out.step = joined(a, b);
    return true;
  }
  // i < n, i <= n, n > i, n >= i
  bool bound(size_t from, size_t to, CountedLoop& out) const {
    if (to - from < 3) return false;
    size_t a = from + 2, b = to;
    if (is(from, out.name) && is_any(from + 1, {"<", "<="})) {
      out.inclusive = is(from + 1, "<=");
    } else if (is(to - 1, out.name) && is_any(to - 2, {">", ">="})) {
      out.inclusive = is(to - 2, ">=");
      a = from, b = to - 2;
    } else {
      return false;
    }
    if (outside(a, b, {"<", ">", "<=", ">=", "<=>", "==", "!=", "&", "|", "^", "&&", "||", "?"}) != npos || !plain(a, b, out.name)) return false;
    out.bound = joined(a, b);
    return true;
  }
  // T i = a, i = a, and nothing
  bool start(size_t from, size_t to, CountedLoop& out) const {
    if (from == to) {
      out.start = out.name;
      return true;
    }
    const size_t equals = outside(from, to, {"="});
    if (equals == npos || equals == from || !is(equals - 1, out.name)) return false;
    const bool declared = equals - 1 > from;
    if (!plain(equals + 1, to, declared ? out.name : std::string_view())) return false;
    for (size_t i = from; i < equals - 1; ++i) {
      if (t_[i].kind == Kind::word ? is_any(i, {"volatile", "static", "register", "thread_local", "constexpr", "const"}) : !is_any(i, {"::", "<", ">", ","})) return false;
      if (is(i, "auto") && equals - 1 - from > 1) return false;
    }
    out.start = joined(equals + 1, to);
    out.type = joined(from, equals - 1);
    return true;
  }

  const std::vector<Token>& t_;
  const std::vector<std::string>& files_;
};

std::string place(int line, const std::string& file) { return "\n# " + std::to_string(line) + " " + file + "\n"; }

}  // namespace

LoopText::LoopText(std::string text) : text_(std::move(text)) {
  Lexer lexer(text_);
  lexer.run();
  loops_ = Finder(lexer).run();
  for (const Token& token : lexer.tokens) {
    if (lexer.files[size_t(token.file)] == "\"tenon signatures\"") break;  // Tenon's own lines after the text (kernel/signature_text.cpp)
    if (token.kind == Kind::word) words_.emplace_back(token.text);
  }
  std::sort(words_.begin(), words_.end());
  words_.erase(std::unique(words_.begin(), words_.end()), words_.end());
}

bool LoopText::mentions(const std::string& identifier) const { return std::binary_search(words_.begin(), words_.end(), identifier); }

std::string LoopText::rewritten(const std::vector<bool>& chosen) const { return render(0, text_.size(), chosen); }

std::string LoopText::render(size_t from, size_t to, const std::vector<bool>& chosen) const {
  std::string out;
  for (size_t k = 0; k < loops_.size(); ++k) {
    const CountedLoop& loop = loops_[k];
    if (!chosen[k] || loop.begin < from || loop.end > to) continue;
    const std::string id = std::to_string(k), type = "tenon_type_" + id, make = "tenon_make_" + id;
    const std::string body = render(loop.body, loop.end, chosen);
    const bool deduced = loop.type.empty() || loop.type == "auto";
    out.append(text_, from, loop.begin - from);
    out += "{ typedef " + (!deduced ? loop.type : "decltype(tenon_decayed(" + (loop.type.empty() ? loop.name : loop.start) + "))") + " " + type + "; const auto " + make +
           " = [&]() __attribute__((always_inline)) { return [=](" + type + " tenon_at) TENON_BODY { tenon_turn tenon_one{}; " + type + " " + loop.name +
           " = tenon_at; for (; !tenon_one.done; tenon_one.done = true)" + place(loop.body_line, loop.file) + body + place(loop.line, loop.file) +
           "tenon_one.moved = " + loop.name + " != tenon_at; return tenon_one; }; }; if (tenon_loop<" + id + ", " + type + (loop.inclusive ? ", true" : ", false") +
           ">([&]() -> " + type + " { return " + loop.start + "; }, [&] { return " + loop.bound + "; }, [&] { return " + loop.step + "; }, " + make + ")) " +
           (loop.type.empty() ? "{ TENON_LOOP_LEFT(" + loop.name + "); } else " : "{} else ");
    out.append(text_, loop.begin, loop.body - loop.begin);
    out += body + " }";
    from = loop.end;
  }
  return out.append(text_, from, to - from);
}

}  // namespace tenon::cpu
