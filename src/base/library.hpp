// base/library.hpp: shared libraries opened at first use: search places, the result, and the reason for it.
#pragma once
#include <string>
#include <vector>

namespace tenon::base {

// A library that was opened, or the reasons why it could not be. Libraries are never closed: their threads and TLS
// outlive dlclose.
class Library {
 public:
  // One place to look: a file name for the loader ("libcublas.so.13") or an absolute path, and how it was found
  // ("already loaded", "pip wheel", "toolkit", "loader path").
  struct Candidate {
    std::string path;
    std::string how;
    bool only_if_loaded = false;
    // The library's calls to its own functions must reach those functions, even if the process has others of the same
    // name (dgemm_ of another BLAS). A library whose calls are bound elsewhere is rejected.
    bool own_symbols = false;
  };

  static Library open(const std::vector<Candidate>& candidates);
  explicit operator bool() const { return handle_ != nullptr; }
  void* symbol(const char* name) const;              // NULL: not found
  const std::string& path() const { return path_; }  // the real path, "" when nothing was opened
  const std::string& how() const { return how_; }
  const std::string& tried() const { return tried_; }  // one line per candidate that failed, with the loader's message
  void* handle() const { return handle_; }

 private:
  void* handle_ = nullptr;
  std::string path_, how_, tried_;
};

// Opens a shared object given as bytes, from memory, or from a private file if the system cannot do that. Nobody else
// can change it between its checks and its opening. Each call opens a separate object. Returns NULL with the reason in
// `why`.
void* open_object(const std::string& bytes, const char* title, int flags, std::string& why);

// The path by which the program was started, links not followed: python3 of a virtual environment, say. "": unknown.
std::string program_path();

// Paths of all objects that are mapped into the process now, the main program first.
std::vector<std::string> loaded_libraries();

}  // namespace tenon::base
