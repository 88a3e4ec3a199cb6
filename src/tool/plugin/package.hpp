// tool/plugin/package.hpp: the package or operation that a command line names.
#pragma once
#include "tool/failure.hpp"
#include "tool/output.hpp"

namespace tool {

// Opens a path if a file or directory of that name exists, else a name on the search path.
Package open_package(const std::string& what);
json description_of(tenon_package* package);

struct Chosen {
  Package package;
  std::string title;  // "saxpy 0.1.0"
  std::vector<std::pair<std::string, Operation>> operations;
};

// A package with all its operations, or with one: "saxpy", "./saxpy", "saxpy/saxpy" (for a name on the search path), or
// with those in `only`.
Chosen choose(const std::string& what, const std::vector<std::string>& only);

}  // namespace tool
