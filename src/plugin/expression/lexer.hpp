// plugin/expression/lexer.hpp: the tokens of declarations and expressions inside a contract's texts.
#pragma once
#include <string>
#include "plugin/expression/document.hpp"

namespace tenon::plugin {

struct Token {
  enum class Kind { end, name, integer, real, quoted, sign };
  Kind kind = Kind::end;
  std::string text;  // a name, the text between quotes, or an operator: "<=", "...", "("
  int64_t integer = 0;
  double real = 0;
  size_t begin = 0, end = 0;  // in the text
};

// Walks a text value token by token. It may be copied, which is how the parsers look ahead.
class Lexer {
 public:
  Lexer(const Source& source, const Value& value, size_t begin = 0, size_t end = std::string::npos);
  const Token& peek() const { return token_; }
  Token take();
  bool at_end() const { return token_.kind == Token::Kind::end; }
  bool is(const char* sign) const { return token_.kind == Token::Kind::sign && token_.text == sign; }
  bool is_name(const char* name) const { return token_.kind == Token::Kind::name && token_.text == name; }
  bool take_if(const char* sign);
  void expect(const char* sign, const char* why);
  std::string expect_name(const char* what);
  std::string rest();  // everything after the last token taken, trimmed; the lexer is then at its end
  Place place(size_t offset) const { return places_.at(offset); }
  Place place() const { return place(token_.begin); }
  const Source& source() const { return source_; }
  const Value& value() const { return value_; }
  std::string found() const;                                                        // the current token, for messages
  [[noreturn, gnu::format(printf, 2, 3)]] void fault(const char* text, ...) const;  // at the current token

 private:
  void next();
  const Source& source_;
  const Value& value_;
  size_t at_, end_, taken_ = 0;
  mutable TextPlaces places_;
  Token token_;
};

}  // namespace tenon::plugin
