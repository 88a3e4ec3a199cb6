// backend/cpu/compile/source/text.hpp: the translation units made from a request.
#pragma once
#include <algorithm>
#include <map>
#include <string>
#include <vector>
#include "backend/cpu/compile/compiler/options.hpp"
#include "backend/cpu/text/regions/regions.hpp"

namespace tenon::cpu {

// The common parts of these texts: the request is that of one source.
struct TextFrame {
  const CompileRequest& request;
  std::string options;          // macros and files to include first
  std::string shim;             // the folder of the built-in headers
  std::vector<size_t> numbers;  // the kernels' numbers in the whole program
  bool with_module = true;
  std::map<size_t, std::string>
      clusters;  // expressions of their cluster dimensions, by the position of the kernel in the request
};

// A set of kernels, by their numbers in the request. Kernels beyond the end of the list are not in the set.
inline bool has(const std::vector<bool>& kernels, size_t k) { return k < kernels.size() && kernels[k]; }
inline bool any(const std::vector<bool>& kernels) {
  return std::find(kernels.begin(), kernels.end(), true) != kernels.end();
}

// How the kernels run.
struct Ways {
  std::vector<bool> loops;                 // thread after thread, in a loop
  std::vector<bool> rows;                  // by rows of threads (shim/execution/tenon_rows.h)
  std::vector<bool> sums;                  // with loops that run early (shim/execution/tenon_sums.h)
  std::vector<bool> regions;               // from barrier to barrier, in loops (shim/execution/tenon_regions.h)
  std::vector<RegionText::Blocks> blocks;  // of those: what their blocks are
  std::vector<int> beside;  // the last loop that runs side by side (shim/execution/tenon_beside.h); -1: none
};

// The whole translation unit.
std::string program_text(const TextFrame& frame, const Ways& ways);

// Input for the preprocessor, and the user's text and the trailer from its output. `first`: lines before the text.
std::string text_to_expand(const TextFrame& frame, const std::string& first = "");
std::string expanded_text(const std::string& preprocessed);

// An expanded text with alignas(...) first in its declaration. nvcc accepts it behind __shared__ and other specifiers;
// C++ does not.
std::string alignments_first(const std::string& expanded);

// Translation units of a text that has been preprocessed already: to prove facts about its loops
// (shim/execution/tenon_probe.h), and to run.
// beside: for a probe of loops that run side by side, how many of them each kernel has.
std::string probe_text(const TextFrame& frame, const std::string& expanded, const std::vector<int>& beside = {});
std::string proved_text(const TextFrame& frame, const std::string& expanded, const Ways& ways);

}  // namespace tenon::cpu
