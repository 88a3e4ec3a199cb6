// plugin/expression/lexer.cpp: names, numbers, quoted words and operators.
#include "plugin/expression/lexer.hpp"
#include <algorithm>
#include <charconv>
#include <cstdarg>
#include <cstring>
#include "core/error.hpp"

namespace tenon::plugin {
namespace {

bool digit(char c) { return c >= '0' && c <= '9'; }
bool letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

}  // namespace

Lexer::Lexer(const Source& source, const Value& value, size_t begin, size_t end)
    : source_(source),
      value_(value),
      at_(begin),
      end_(std::min(end, value.text.size())),
      taken_(begin),
      places_(source, value) {
  next();
}

void Lexer::next() {
  const std::string& text = value_.text;
  while (at_ < end_ && space(text[at_])) ++at_;
  token_ = Token{};
  token_.begin = at_;
  if (at_ < end_ && letter(text[at_])) {
    token_.kind = Token::Kind::name;
    while (at_ < end_ && (letter(text[at_]) || digit(text[at_]))) ++at_;
    token_.text = text.substr(token_.begin, at_ - token_.begin);
  } else if (at_ < end_ && (digit(text[at_]) || (text[at_] == '.' && at_ + 1 < end_ && digit(text[at_ + 1])))) {
    const char* const first = text.data() + at_;
    const char* const last = text.data() + end_;
    const bool hexadecimal = last - first > 2 && first[0] == '0' && (first[1] == 'x' || first[1] == 'X');
    auto [end, error] = std::from_chars(hexadecimal ? first + 2 : first, last, token_.integer, hexadecimal ? 16 : 10);
    token_.kind = Token::Kind::integer;
    if (!hexadecimal && end < last && (*end == '.' || *end == 'e' || *end == 'E') && std::strncmp(end, "...", 3) != 0) {
      const auto real = std::from_chars(first, last, token_.real);
      end = real.ptr;
      error = real.ec;
      token_.kind = Token::Kind::real;
    }
    const size_t size = size_t(end - first);
    if (error == std::errc::result_out_of_range)
      plugin::fault(source_, place(at_), "the number %s does not fit in 64 bits", text.substr(at_, size).c_str());
    if (error != std::errc() || (at_ + size < end_ && (letter(text[at_ + size]) || digit(text[at_ + size]))))
      plugin::fault(source_, place(at_), "%s is not a number",
                    text.substr(at_, std::min(size + 1, end_ - at_)).c_str());
    at_ += size;
    token_.text = text.substr(token_.begin, size);
  } else if (at_ < end_ && text[at_] == '\'') {
    const size_t close = text.find('\'', at_ + 1);
    if (close == std::string::npos || close >= end_)
      plugin::fault(source_, place(at_), "the quoted name that begins here has no closing '");
    token_.kind = Token::Kind::quoted;
    token_.text = text.substr(at_ + 1, close - at_ - 1);
    at_ = close + 1;
  } else if (at_ < end_) {
    token_.kind = Token::Kind::sign;
    static const char* const signs[] = {"...", "<=", ">=", "==", "!=", "&&", "||"};
    size_t size = 1;
    for (const char* sign : signs)
      if (text.compare(at_, std::strlen(sign), sign) == 0 && at_ + std::strlen(sign) <= end_) {
        size = std::strlen(sign);
        break;
      }
    while (at_ + size < end_ && size == 1 && (static_cast<unsigned char>(text[at_]) & 0x80) &&
           (static_cast<unsigned char>(text[at_ + size]) & 0xc0) == 0x80)
      ++size;
    token_.text = text.substr(at_, size);
    at_ += size;
  }
  token_.end = at_;
}

Token Lexer::take() {
  Token out = token_;
  taken_ = token_.end;
  next();
  return out;
}

bool Lexer::take_if(const char* sign) {
  if (!is(sign)) return false;
  take();
  return true;
}

void Lexer::fault(const char* text, ...) const {
  va_list list;
  va_start(list, text);
  const std::string message = format_list(text, list);
  va_end(list);
  plugin::fault(source_, place(), "%s", message.c_str());
}

void Lexer::expect(const char* sign, const char* why) {
  if (!take_if(sign)) fault("found %s where `%s` should be%s%s", found().c_str(), sign, *why ? ": " : "", why);
}

std::string Lexer::expect_name(const char* what) {
  if (token_.kind != Token::Kind::name) fault("found %s where %s should be", found().c_str(), what);
  return take().text;
}

std::string Lexer::rest() {
  size_t begin = taken_, end = end_;
  while (begin < end && space(value_.text[begin])) ++begin;
  while (end > begin && space(value_.text[end - 1])) --end;
  at_ = end_;
  next();
  return value_.text.substr(begin, end - begin);
}

std::string Lexer::found() const {
  if (at_end()) return "the end";
  std::string out = "`";
  out.append(value_.text, token_.begin, token_.end - token_.begin);
  return out += '`';
}

}  // namespace tenon::plugin
