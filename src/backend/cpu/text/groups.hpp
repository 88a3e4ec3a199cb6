// backend/cpu/text/groups.hpp: writes the ranks and sizes of a kernel's groups of threads as expressions of threadIdx
// and blockDim, so that text/regions/regions.hpp knows which threads agree on them.
#pragma once
#include <map>
#include <string>

namespace tenon::cpu {

// The name of each variable of a kernel that is a group, and the size of the tile; "0": the block.
using GroupSizes = std::map<std::string, std::string>;

// A text without macros, with the members of those groups replaced. What the text declares a group to be is left for
// the compiler to prove (tenon_is_group in shim/execution/tenon_regions.h).
class GroupTexts {
 public:
  explicit GroupTexts(const std::string& text);
  const std::string& text() const { return text_; }
  const GroupSizes& of(const std::string& kernel) const;

 private:
  std::string text_;
  std::map<std::string, GroupSizes> kernels_;
};

}  // namespace tenon::cpu
