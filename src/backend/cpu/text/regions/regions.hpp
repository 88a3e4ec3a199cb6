// backend/cpu/text/regions/regions.hpp: rewrites kernels whose threads synchronise at barriers as loops over the
// threads of a block between the barriers, and kernels without barriers as loops over some threads of a block between
// the loops of their text.
#pragma once
#include <map>
#include <set>
#include <string>
#include "backend/cpu/text/groups.hpp"
#include "backend/cpu/text/tokens.hpp"
#include "backend/cpu/text/tree/region_tree.hpp"

namespace tenon::cpu {

class RegionText {
 public:
  // A text without macros, in which __global__ and __shared__ are written as in CUDA.
  explicit RegionText(std::string text);

  // "" if the kernel with that name (of the function: no namespace, no template arguments) can be split; else the
  // reason why not.
  const std::string& refused(const std::string& name, SplitAt at = SplitAt::barriers) { return made(name, at).refused; }
  // What its blocks are: lines of threads if it uses threadIdx.x alone, planes if it also uses threadIdx.y.
  enum class Blocks { any, lines, planes };
  Blocks blocks_of(const std::string& name) { return made(name, SplitAt::barriers).blocks; }
  // How many threads run side by side, in a kernel that is split at its loops.
  unsigned width_of(const std::string& name) { return made(name, SplitAt::loops).width; }
  // The text with those of `names` rewritten (shim/execution/tenon_regions.h) that are not refused, and with those of
  // `beside` split at their loops (shim/execution/tenon_beside.h).
  std::string rewritten(const std::set<std::string>& names, const std::set<std::string>& beside = {});

 private:
  struct Made {
    size_t from = 0, to = 0;  // range in the text
    std::string refused, body;
    Blocks blocks = Blocks::any;
    unsigned width = 0;
  };
  const Made& made(const std::string& name, SplitAt at);

  const GroupTexts groups_;
  const std::string& text_;
  const Tokens tokens_;
  std::map<std::pair<std::string, SplitAt>, Made> made_;
};

// "ns::k<3>" and "(void (*)(float*))ns::k" are kernels of the function k.
std::string function_of_kernel(const std::string& name);

}  // namespace tenon::cpu
