// tool/package.hpp: the package or operation that a command line means.
#pragma once
#include "failure.hpp"
#include "output.hpp"

namespace tool {

// A path where there is a file or directory of that name, else a name on the search path.
Package open_package(const std::string& what);
json description_of(tenon_package* package);

struct Chosen {
  Package package;
  std::string title;  // "saxpy 0.1.0"
  std::vector<std::pair<std::string, Operation>> operations;
};

// A package with all its operations, or with one: "saxpy", "./saxpy", "saxpy/saxpy" (of a name on the search path), or
// `only` ones.
Chosen choose(const std::string& what, const std::vector<std::string>& only);

}  // namespace tool
