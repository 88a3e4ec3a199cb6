// backend/cpu/text/loops.hpp: loops of a preprocessed text that look like grid-stride loops, and loops of single
// threads that several threads may run side by side.
#pragma once
#include <string>
#include <vector>

namespace tenon::cpu {

// A loop `for (T i = a; i < n; i += s) body` of the text, or `while (i < n) { body; i += s; }`. The compiler decides
// whether it strides over the grid, or, if s is a number, whether threads can run it side by side (compile/probe.hpp):
// a loop found here is only a candidate.
struct CountedLoop {
  size_t begin, body, body_end,
      end;  // offsets of `for` or `while`, of the body, which ends before a step in it, and of the statement's end
  bool closes = false;  // such a body lacks its closing brace
  int depth = 0;        // number of such loops around it
  std::string type;     // "" if the variable is declared before the loop
  std::string name, start, bound, step;
  bool inclusive = false;         // i <= n
  std::string kernel;             // whose loop it is, to be run side by side; "": it may stride over the grid
  int number = 0;                 // of that kernel's loops
  std::vector<std::string> sums;  // outer variables that the body changes; empty if that is uncertain
  int line, body_line;
  std::string file;  // for both lines, quoted
};

class LoopText {
 public:
  // The output of a compiler's preprocessor; or, only to ask what it has, the text that goes in.
  explicit LoopText(std::string text);

  const std::vector<CountedLoop>& loops() const { return loops_; }
  // The text with calls of tenon_loop (shim/execution/tenon_rows.h), tenon_sum (shim/execution/tenon_sums.h) or
  // tenon_beside (shim/execution/tenon_beside.h) next to the chosen loops, which remain for the case that the call does
  // not run them. Line numbers do not change.
  std::string rewritten(const std::vector<bool>& chosen) const;
  bool mentions(const std::string& identifier) const;  // in the user's text
  bool has_sums() const, has_rows() const;             // loops for tenon_sum, and for tenon_loop
  void forget_sums();                                  // afterwards all of these are for tenon_loop
  bool has_beside() const;                             // loops for tenon_beside
  int loops_of(const std::string& kernel) const;       // how many of them are in that function

 private:
  std::string render(size_t from, size_t to, const std::vector<bool>& chosen) const;

  std::string text_;
  std::vector<CountedLoop> loops_;
  std::vector<std::string> words_;  // sorted
};

}  // namespace tenon::cpu
