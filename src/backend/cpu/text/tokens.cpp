// backend/cpu/text/tokens.cpp: reading tokens.
#include "backend/cpu/text/tokens.hpp"
#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <cstring>

namespace tenon::cpu {
namespace {

bool word_part(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' || static_cast<unsigned char>(c) >= 0x80;
}

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}
  std::vector<Token> tokens;
  std::vector<std::string> files{"\"\""};

  void run() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\n') {
        ++line_, ++at_, fresh_ = true;
        continue;
      }
      if (std::isspace(static_cast<unsigned char>(c))) {
        ++at_;
        continue;
      }
      if (c == '#' && fresh_) {
        directive();
        continue;
      }
      if (text_.substr(at_, 2) == "//") {
        at_ = std::min(text_.find('\n', at_), text_.size());
        continue;
      }
      if (text_.substr(at_, 2) == "/*") {
        const size_t end = std::min(text_.find("*/", at_ + 2), text_.size() - 2) + 2;
        line_ += int(std::count(text_.begin() + long(at_), text_.begin() + long(end), '\n'));
        at_ = end;
        continue;
      }
      fresh_ = false;
      const size_t begin = at_;
      const int line = line_;
      const Token::Kind kind = next(c);
      tokens.push_back({kind, text_.substr(begin, at_ - begin), begin, line, int(files.size()) - 1, pragma_});
      pragma_ = false;
    }
  }

 private:
  // "# 12 "file" flags", "#line 12 "file"", "#pragma ..."
  void directive() {
    size_t end = std::min(text_.find('\n', at_), text_.size());
    while (end < text_.size() && text_[end - 1] == '\\') {  // it goes on in the next line
      ++line_;
      end = std::min(text_.find('\n', end + 1), text_.size());
    }
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

  Token::Kind next(char c) {
    if (std::isdigit(static_cast<unsigned char>(c)) ||
        (c == '.' && at_ + 1 < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_ + 1])))) {
      for (++at_; at_ < text_.size(); ++at_) {
        const char d = text_[at_], before = text_[at_ - 1];
        const bool sign = (d == '+' || d == '-') && (before == 'e' || before == 'E' || before == 'p' || before == 'P');
        const bool separator = d == '\'' && at_ + 1 < text_.size() && word_part(text_[at_ + 1]);
        if (!word_part(d) && d != '.' && !sign && !separator) break;
      }
      return Token::Kind::number;
    }
    if (word_part(c)) {
      const size_t begin = at_;
      while (at_ < text_.size() && word_part(text_[at_])) ++at_;
      const std::string_view word = text_.substr(begin, at_ - begin);
      const bool quote = at_ < text_.size() && (text_[at_] == '"' || text_[at_] == '\'');
      if (!quote || (word != "L" && word != "u8" && word != "u" && word != "U" && word != "R" && word != "LR" &&
                     word != "u8R" && word != "uR" && word != "UR"))
        return Token::Kind::word;
      if (word.back() == 'R' && text_[at_] == '"') raw();
      else quoted(text_[at_]);
      return Token::Kind::literal;
    }
    if (c == '"' || c == '\'') {
      quoted(c);
      return Token::Kind::literal;
    }
    for (const char* mark : {"<<=", ">>=", "...", "->*", "<=>", "::", "->", "++", "--", "<<", ">>", "<=", ">=",
                             "==",  "!=",  "&&",  "||",  "+=",  "-=", "*=", "/=", "%=", "&=", "|=", "^="})
      if (text_.substr(at_, std::strlen(mark)) == mark) {
        at_ += std::strlen(mark);
        return Token::Kind::mark;
      }
    ++at_;
    return Token::Kind::mark;
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

}  // namespace

Tokens::Tokens(std::string_view text) {
  Lexer lexer(text);
  lexer.run();
  list_ = std::move(lexer.tokens);
  files_ = std::move(lexer.files);
}

bool Tokens::is_any(size_t i, std::initializer_list<const char*> texts) const {
  return std::any_of(texts.begin(), texts.end(), [&](const char* text) { return is(i, text); });
}

size_t Tokens::closed(size_t i) const {
  int depth = 0;
  for (; i < size(); ++i) {
    if (is_any(i, {"(", "[", "{"})) ++depth;
    if (is_any(i, {")", "]", "}"}) && --depth == 0) return i + 1;
  }
  return npos;
}

size_t Tokens::opened(size_t i) const {
  int depth = 0;
  for (; i != npos; --i) {
    if (is_any(i, {")", "]", "}"})) ++depth;
    if (is_any(i, {"(", "[", "{"}) && --depth == 0) return i;
  }
  return npos;
}

size_t Tokens::statement(size_t i) const {
  if (i >= size()) return npos;
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
  for (; i < size(); ++i) {
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

size_t Tokens::outside(size_t from, size_t to, std::initializer_list<const char*> texts) const {
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

std::string Tokens::joined(size_t from, size_t to) const {
  std::string out;
  for (size_t i = from; i < to; ++i) out += (i > from ? " " : "") + std::string(list_[i].text);
  return out;
}

std::string Tokens::error_at(size_t i, const std::string& what) const {
  const std::string& file = files_[size_t(list_[i].file)];  // quoted
  return file.substr(1, file.size() - 2) + ":" + std::to_string(list_[i].line) + ":1: error: " + what + "\n";
}

}  // namespace tenon::cpu
