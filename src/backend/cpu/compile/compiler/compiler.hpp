// backend/cpu/compile/compiler/compiler.hpp: the host's C++ compilers.
#pragma once
#include <string>
#include <vector>
#include "core/device/backend.hpp"

namespace tenon::cpu {

struct Compiler {
  enum class Family { clang, gcc };
  Family family = Family::clang;
  std::string path;     // absolute
  std::string how;      // "TENON_CXX", "PATH"
  std::string version;  // "19.1.7"
  int major = 0;
  std::string banner;   // the complete output of --version
  std::string state;    // path, time and size of its file
  std::string content;  // hash of its file: an edited wrapper is a different compiler

  bool is_clang() const { return family == Family::clang; }
  std::string sentence() const {
    return (is_clang() ? "clang " : "g++ ") + version + " at " + path + (how == "PATH" ? "" : " (" + how + ")");
  }
};

// The compiler to use: $TENON_CXX, else the newest clang++ from 14 on, else g++ from 10 on. The search is repeated when
// the environment changes. Throws MISSING_LIBRARY, with what to install and which setting names a compiler. With
// `memory`, later processes need not run the programs to learn their versions.
Compiler host_compiler(ImageStore* memory = nullptr);

// How the compiler links shared objects: the linker and the arguments before "-o". Empty: only the compiler knows.
// Starting the compiler for that takes as long as linking, so it is asked before the first link only, and the answer
// stays in `memory` for later processes.
std::vector<std::string> linker_of(const Compiler& compiler, ImageStore& memory);

// The processor and its features, separated by spaces: everything on which -mtune=native depends.
const std::string& processor_features();

}  // namespace tenon::cpu
