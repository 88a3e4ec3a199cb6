// backend/cuda/vendor/loading.hpp: where the vendor libraries are looked for, and which CUDA major the process uses.
#pragma once
#include <string>
#include <vector>
#include "backend/cuda/vendor/symbols.hpp"

namespace tenon::cuda {

// A directory that may hold libraries of the toolkit, and how we came to it.
struct Place {
  std::string directory;
  std::string how;
};

// All places in the order of preference; absolute, existing, without repetition.
std::vector<Place> toolkit_places();
// "libcublas.so.13"; the major is CUDA's, 12 or 13.
std::string soname(Vendor vendor, int major);

// The compiler as far as its files tell: a program that is in the cache needs no more, and opening NVRTC costs tens of
// milliseconds.
struct CompilerFile {
  std::string path;
  int major = 0, minor = 0;
  uint64_t bytes = 0;  // of the library: nvrtcVersion has no patch level, this tells two builds apart
  std::string include_directory;
};
const CompilerFile& compiler_on_disk();  // throws MISSING_LIBRARY

// The decision for one CUDA major, made once for the process.
struct Decision {
  int major = 0;
  std::string why;
};

}  // namespace tenon::cuda
