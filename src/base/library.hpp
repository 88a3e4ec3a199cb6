// base/library.hpp: shared libraries opened at first use: search places, the result, and the reason for it.
#pragma once
#include <string>
#include <vector>

namespace tenon::base {

// A library that was opened, or the story of why not. Libraries are never closed: their threads and TLS outlive
// dlclose.
class Library {
 public:
  // One place to look: a file name for the loader ("libcublas.so.13") or an absolute path, and how we came to it
  // ("already loaded", "pip wheel", "toolkit", "loader path").
  struct Candidate {
    std::string path;
    std::string how;
    bool only_if_loaded = false;
    // What the library calls of its own shall be its own, whatever the process has of the same names (dgemm_ of another
    // BLAS). One that is bound to others is not taken.
    bool own_symbols = false;
  };

  static Library open(const std::vector<Candidate>& candidates);
  explicit operator bool() const { return handle_ != nullptr; }
  void* symbol(const char* name) const;              // NULL when it is not there
  const std::string& path() const { return path_; }  // the real path, "" when nothing was opened
  const std::string& how() const { return how_; }
  const std::string& tried() const { return tried_; }  // one line per candidate that failed, with the loader's words
  void* handle() const { return handle_; }

 private:
  void* handle_ = nullptr;
  std::string path_, how_, tried_;
};

// Opens the shared object that these bytes are, from memory; where the system does not run that, from a private file.
// Nobody else can change what is opened after it was checked. Each call is an object of its own. NULL: the reason is in
// `why`.
void* open_object(const std::string& bytes, const char* title, int flags, std::string& why);

// Paths of all objects mapped into the process now, main program first.
std::vector<std::string> loaded_libraries();

}  // namespace tenon::base
