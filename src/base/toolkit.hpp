// base/toolkit.hpp: where a CUDA toolkit may be: installed, or as Python packages (wheels).
#pragma once
#include <string>
#include <vector>

namespace tenon::base {

// A directory that may contain libraries of the toolkit, and how it was found.
struct ToolkitDirectory {
  std::string directory;
  std::string how;
};

// All places in order of preference; absolute, existing, without duplicates.
std::vector<ToolkitDirectory> toolkit_directories();
// In the same order, the directories that may contain the headers of a part, such as "cccl".
std::vector<std::string> toolkit_headers(const std::string& part);

}  // namespace tenon::base
