// backend/cpu/ptx/instruction.hpp: the PTX of one asm statement as C++.
#pragma once
#include <string>
#include <vector>

namespace tenon::cpu::ptx {

struct Text {
  std::string text;
  std::vector<int> lines;  // of each character
  int line = 0;            // of the statement
};

struct Operand {
  std::string name, constraint, expression;
  bool written = false, read = false;  // read: an output that is an input too
};

struct Statement {
  Text body;
  std::vector<Operand> operands;
  bool fences = false;  // it may change memory that it does not name
  size_t number = 0;    // in the text
};

struct Refused {
  std::string why;
  int line;
};

// Throws Refused.
std::string code_of(const Statement& statement);

}  // namespace tenon::cpu::ptx
