// backend/cpu/ptx/ptx.cpp: finding asm statements and their operands; ptx/instruction.cpp handles the instructions in
// them.
#include "backend/cpu/ptx/ptx.hpp"
#include <cctype>
#include <cstdlib>
#include "backend/cpu/ptx/instruction.hpp"
#include "backend/cpu/text/tokens.hpp"

namespace tenon::cpu::ptx {
namespace {

bool is_asm(const Tokens& tokens, size_t i) {
  return tokens.is_word(i) && tokens.is_any(i, {"asm", "__asm", "__asm__"});
}

// Appends a literal's characters, each with its line.
void append_literal(const Token& token, Text& out) {
  std::string_view text = token.text;
  int line = token.line;
  const auto put = [&](char c) {
    out.text += c;
    out.lines.push_back(line);
  };
  if (const size_t raw = text.find("R\""); raw < 3) {
    const size_t open = text.find('('), close = text.rfind(')');
    for (char c : text.substr(open + 1, close - open - 1)) {
      put(c);
      line += c == '\n';
    }
    return;
  }
  const size_t open = text.find('"'), close = text.rfind('"');
  for (size_t i = open + 1; i < close; ++i) {
    if (text[i] != '\\' || i + 1 >= close) {
      put(text[i]);
      continue;
    }
    switch (text[++i]) {
      case 'n': put('\n'); break;
      case 't': put('\t'); break;
      case 'r':
      case 'v':
      case 'f': put(' '); break;
      default: put(text[i]); break;
    }
  }
}

// One asm statement: tokens [first, last), up to its closing bracket.
class AssemblyReader {
 public:
  AssemblyReader(const Tokens& tokens, size_t first) : tokens_(tokens), first_(first), at_(first + 1) {}
  size_t last() const { return last_; }

  // Throws Refused.
  std::string code(size_t number) {
    while (tokens_.is_any(at_, {"volatile", "__volatile__", "__volatile", "inline", "__inline__"})) ++at_;
    if (!tokens_.is(at_, "(") || tokens_.closed(at_) == Tokens::npos) refuse("the code after asm is not understood");
    last_ = tokens_.closed(at_);
    end_ = last_ - 1;
    ++at_;
    Statement out;
    out.number = number;
    out.body.line = tokens_[first_].line;
    while (literal()) append_literal(tokens_[at_++], out.body);
    int section = 0;
    while (at_ < end_) {
      if (tokens_.is(at_, "::")) section += 2, ++at_;
      else if (tokens_.is(at_, ":")) ++section, ++at_;
      else if (tokens_.is(at_, ",")) ++at_;
      else if (section == 1 || section == 2) out.operands.push_back(operand(section == 1));
      else if (section == 3 && literal()) out.fences |= tokens_[at_++].text == "\"memory\"";
      else refuse("the code after asm is not understood");
    }
    return code_of(out);
  }

 private:
  [[noreturn]] void refuse(const char* why) const { throw Refused{why, tokens_[first_].line}; }
  bool literal() const {
    return at_ < end_ && tokens_[at_].kind == Token::Kind::literal && tokens_[at_].text.back() == '"';
  }

  // [name] "constraint" (expression)
  Operand operand(bool written) {
    Operand out;
    out.written = written;
    if (tokens_.is(at_, "[") && tokens_.is(at_ + 2, "]")) at_ += 3;  // CUDA accepts a name, but no use of it
    Text constraint;
    while (literal()) append_literal(tokens_[at_++], constraint);
    for (char c : constraint.text) {
      if (c == '+') out.read = true;
      else if (c != '=' && c != '&' && c != ' ') out.constraint += c;
    }
    if (!tokens_.is(at_, "(")) refuse("an operand of asm must be \"constraint\" (expression)");
    const size_t close = tokens_.closed(at_);
    if (close == Tokens::npos || close > end_ || close - at_ < 3)
      refuse("an operand of asm must be \"constraint\" (expression)");
    out.expression = tokens_.joined(at_ + 1, close - 1);
    at_ = close;
    return out;
  }

  const Tokens& tokens_;
  const size_t first_;
  size_t at_, end_ = 0, last_ = 0;
};

std::string unquoted(const std::string& name) { return name.size() < 2 ? name : name.substr(1, name.size() - 2); }

}  // namespace

bool has_statements(const std::string& expanded) {
  if (expanded.find("asm") == expanded.npos) return false;
  const Tokens tokens(expanded);
  for (size_t i = 0; i < tokens.size(); ++i)
    if (is_asm(tokens, i)) return true;
  return false;
}

// In place of a statement that is an error if a kernel reaches it.
std::string unreachable_call(const std::string& why, size_t number) {
  std::string text;
  for (char c : why) text += c == '"' || c == '\\' ? '\'' : c;
  const std::string name = "tenon_no_ptx_" + std::to_string(number);
  return "{ void " + name + "() __attribute__((error(\"inline PTX: " + text + "\"))); " + name + "(); }";
}

std::string as_calls(const std::string& expanded, const std::string& library, std::string& log) {
  const Tokens tokens(expanded);
  std::string out;
  size_t done = 0, number = 0;
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (!is_asm(tokens, i)) continue;
    const Token& first = tokens[i];
    const std::string& file = tokens.files()[size_t(first.file)];
    const bool of_library = !library.empty() && unquoted(file).compare(0, library.size() + 1, library + "/") == 0;
    AssemblyReader statement(tokens, i);
    std::string code;
    try {
      code = statement.code(number++);
    } catch (const Refused& refused) {
      if (of_library && statement.last()) code = unreachable_call(refused.why, number);
      else log += unquoted(file) + ":" + std::to_string(refused.line) + ":1: error: inline PTX: " + refused.why + "\n";
    }
    if (code.empty()) continue;
    out += expanded.substr(done, first.begin - done) + code;
    const Token& close = tokens[statement.last() - 1];
    done = close.end();
    out += "\n# " + std::to_string(close.line) + " " + file + (of_library ? " 3\n" : "\n");
    i = statement.last() - 1;
  }
  return out + expanded.substr(done);
}

}  // namespace tenon::cpu::ptx
