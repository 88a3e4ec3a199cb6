// backend/cpu/text/regions/regions.hpp: rewrites kernels whose threads synchronise at barriers as loops over the
// threads of a block between the barriers.
#pragma once
#include <map>
#include <set>
#include <string>
#include "backend/cpu/text/groups.hpp"
#include "backend/cpu/text/tokens.hpp"

namespace tenon::cpu {

class RegionText {
 public:
  // A text without macros, in which __global__ and __shared__ are written as in CUDA.
  explicit RegionText(std::string text);

  // "" if the kernel with that name (of the function: no namespace, no template arguments) can be split; else the
  // reason why not.
  const std::string& refused(const std::string& name);
  // What its blocks are: lines of threads if it uses threadIdx.x alone, planes if it also uses threadIdx.y.
  enum class Blocks { any, lines, planes };
  Blocks blocks_of(const std::string& name) { return made(name).blocks; }
  // The text with those of `names` rewritten (shim/execution/tenon_regions.h) that are not refused.
  std::string rewritten(const std::set<std::string>& names);

 private:
  struct Made {
    size_t from = 0, to = 0;  // range in the text
    std::string refused, body;
    Blocks blocks = Blocks::any;
  };
  const Made& made(const std::string& name);

  const GroupTexts groups_;
  const std::string& text_;
  const Tokens tokens_;
  std::map<std::string, Made> made_;
};

// "ns::k<3>" and "(void (*)(float*))ns::k" are kernels of the function k.
std::string function_of_kernel(const std::string& name);

}  // namespace tenon::cpu
