// backend/cuda/vendor/loading.hpp: the names of vendor libraries, and the CUDA major version that the process uses.
#pragma once
#include <string>
#include <vector>
#include "backend/cuda/vendor/symbols.hpp"
#include "base/toolkit.hpp"

namespace tenon::cuda {

using base::toolkit_directories;
using base::ToolkitDirectory;

// "libcublas.so.13"; the major version is CUDA's, 12 or 13.
std::string soname(Vendor vendor, int major);

// The compiler as identified by its files: a program in the cache needs no more, and opening NVRTC takes tens of
// milliseconds.
struct CompilerFile {
  std::string path;
  int major = 0, minor = 0;
  uint64_t bytes = 0;  // of the library: nvrtcVersion has no patch level, so this distinguishes two builds
  std::string include_directory;
};
const CompilerFile& compiler_on_disk();  // throws MISSING_LIBRARY

// What was chosen for one CUDA major version, once per process.
struct Decision {
  int major = 0;
  std::string why;
};

}  // namespace tenon::cuda
