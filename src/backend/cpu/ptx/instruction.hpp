// backend/cpu/ptx/instruction.hpp: the PTX of one asm statement as C++.
#pragma once
#include <string>
#include <vector>

namespace tenon::cpu::ptx {

struct Text {
  std::string text;
  std::vector<int> lines;  // the line of each character
  int line = 0;            // the line of the statement
};

struct Operand {
  std::string constraint, expression;
  bool written = false, read = false;  // read: also for an output that is an input too
};

struct Statement {
  Text body;
  std::vector<Operand> operands;
  bool fences = false;  // may change memory that it does not name
  size_t number = 0;    // index in the text
};

struct Refused {
  std::string why;
  int line;
};

// Throws Refused.
std::string code_of(const Statement& statement);

}  // namespace tenon::cpu::ptx
