// backend/cpu/text/regions.hpp: kernels whose threads meet at barriers, as loops over the threads of a block between
// the barriers.
#pragma once
#include <map>
#include <set>
#include <string>
#include "backend/cpu/text/tokens.hpp"

namespace tenon::cpu {

class RegionText {
 public:
  // A text without macros, in which __global__ and __shared__ stand as they do in CUDA.
  explicit RegionText(std::string text);

  // "" where the kernel of that name (of a function: no namespace, no template's arguments) can be taken apart; else
  // why not.
  const std::string& refused(const std::string& name);
  // The text with those of `names` that are not refused so (shim/tenon_regions.h).
  std::string rewritten(const std::set<std::string>& names);

 private:
  struct Made {
    size_t from = 0, to = 0;  // of the text
    std::string refused, body;
  };
  const Made& made(const std::string& name);

  const std::string text_;
  const Tokens tokens_;
  std::map<std::string, Made> made_;
};

// "ns::k<3>" and "(void (*)(float*))ns::k" are kernels of the function k.
std::string function_of_kernel(const std::string& name);

}  // namespace tenon::cpu
