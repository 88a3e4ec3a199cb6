// backend/cpu/text/tokens.hpp: the tokens of a text.
#pragma once
#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace tenon::cpu {

struct Token {
  enum class Kind { word, number, literal, mark };
  Kind kind;
  std::string_view text;
  size_t begin;
  int line, file;
  bool after_pragma;  // directly after a pragma
  size_t end() const { return begin + text.size(); }
};

// Without comments and directives. Positions are indices into the list; npos: not found.
class Tokens {
 public:
  explicit Tokens(std::string_view text);
  static constexpr size_t npos = size_t(-1);

  const std::vector<Token>& list() const { return list_; }
  const std::vector<std::string>& files() const { return files_; }  // quoted
  size_t size() const { return list_.size(); }
  const Token& operator[](size_t i) const { return list_[i]; }

  bool is(size_t i, std::string_view text) const {
    return i < size() && list_[i].kind != Token::Kind::literal && list_[i].text == text;
  }
  bool is_any(size_t i, std::initializer_list<const char*> texts) const;
  bool is_word(size_t i) const { return i < size() && list_[i].kind == Token::Kind::word; }
  size_t closed(size_t i) const;     // the position after the bracket that closes the one at i
  size_t opened(size_t i) const;     // the bracket that the one at i closes
  size_t statement(size_t i) const;  // the position after the statement that begins at i
  // The first of `texts` in [from, to) outside of brackets.
  size_t outside(size_t from, size_t to, std::initializer_list<const char*> texts) const;
  std::string joined(size_t from, size_t to) const;
  std::string error_at(size_t i, const std::string& what) const;  // a line as a compiler writes it

 private:
  std::vector<Token> list_;
  std::vector<std::string> files_;
};

constexpr size_t npos = Tokens::npos;

}  // namespace tenon::cpu
