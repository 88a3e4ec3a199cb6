// backend/cpu/kernel_loops.hpp: loops of a preprocessed text that look like grid-stride loops.
#pragma once
#include <string>
#include <vector>

namespace tenon::cpu {

// A loop `for (T i = a; i < n; i += s) body` of the text. Whether it strides over the grid is for the compiler to say
// (kernel_probe.hpp): being here only means that it may be asked.
struct CountedLoop {
  size_t begin, body, end;   // offsets: `for`, the body, the end of the statement
  int depth = 0;             // of such loops around it
  std::string type;          // "" where the variable is declared before the loop
  std::string name, start, bound, step;
  bool inclusive = false;    // i <= n
  int line, body_line;
  std::string file;          // of both lines, quoted
};

class LoopText {
 public:
  // The output of a compiler's preprocessor, without comments.
  explicit LoopText(std::string text);

  const std::vector<CountedLoop>& loops() const { return loops_; }
  // The text with calls of tenon_loop (shim/tenon_rows.h) beside the chosen loops, which stay for where it says no. Lines keep
  // their numbers.
  std::string rewritten(const std::vector<bool>& chosen) const;
  bool mentions(const std::string& identifier) const;  // in the user's text

 private:
  std::string render(size_t from, size_t to, const std::vector<bool>& chosen) const;

  std::string text_;
  std::vector<CountedLoop> loops_;
  std::vector<std::string> words_;  // sorted
};

}  // namespace tenon::cpu
