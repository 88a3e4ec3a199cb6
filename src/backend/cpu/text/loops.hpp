// backend/cpu/text/loops.hpp: loops of a preprocessed text that look like grid-stride loops.
#pragma once
#include <string>
#include <vector>

namespace tenon::cpu {

// A loop `for (T i = a; i < n; i += s) body` of the text, or `while (i < n) { body; i += s; }`. Whether it strides over
// the grid is for the compiler to say (compile/probe.hpp): being here only means that it may be asked.
struct CountedLoop {
  size_t begin, body, body_end,
      end;  // offsets: `for` or `while`, the body, which ends before a step that is in it, the statement's end
  bool closes = false;  // such a body lacks its last bracket
  int depth = 0;        // of such loops around it
  std::string type;     // "" where the variable is declared before the loop
  std::string name, start, bound, step;
  bool inclusive = false;         // i <= n
  std::vector<std::string> sums;  // variables around it that the body changes; none where that is not sure
  int line, body_line;
  std::string file;  // of both lines, quoted
};

class LoopText {
 public:
  // The output of a compiler's preprocessor, without comments.
  explicit LoopText(std::string text);

  const std::vector<CountedLoop>& loops() const { return loops_; }
  // The text with calls of tenon_loop (shim/tenon_rows.h) or tenon_sum (shim/tenon_sums.h) beside the chosen loops,
  // which stay for where it says no. Lines keep their numbers.
  std::string rewritten(const std::vector<bool>& chosen) const;
  bool mentions(const std::string& identifier) const;  // in the user's text
  bool has_sums() const, has_rows() const;             // loops for tenon_sum, for tenon_loop
  void forget_sums();                                  // then all loops are for tenon_loop

 private:
  std::string render(size_t from, size_t to, const std::vector<bool>& chosen) const;

  std::string text_;
  std::vector<CountedLoop> loops_;
  std::vector<std::string> words_;  // sorted
};

}  // namespace tenon::cpu
