// backend/cpu/compile/compiler.hpp: the host's C++ compilers.
#pragma once
#include <string>
#include <vector>
#include "core/backend.hpp"

namespace tenon::cpu {

struct Compiler {
  enum class Family { clang, gcc };
  Family family = Family::clang;
  std::string path;     // absolute
  std::string how;      // "TENON_CXX", "PATH"
  std::string version;  // "19.1.7"
  int major = 0;
  std::string banner;   // all of --version
  std::string state;    // of its file: path, time, size
  std::string content;  // hash of its file: a wrapper that was edited is another compiler

  bool is_clang() const { return family == Family::clang; }
  std::string sentence() const {
    return (is_clang() ? "clang " : "g++ ") + version + " at " + path + (how == "PATH" ? "" : " (" + how + ")");
  }
};

// The one to use: $TENON_CXX, else the newest clang++ from 14 on, else g++ from 10 on. Looked for again when the
// environment changes. Throws MISSING_LIBRARY saying what to install and which setting names one. `memory` spares later
// processes asking the programs for their versions.
Compiler host_compiler(ImageStore* memory = nullptr);

// The processor and its features, one word for each: what -mtune=native depends on.
const std::string& processor_features();

}  // namespace tenon::cpu
