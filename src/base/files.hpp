// base/files.hpp: files and directories, written atomically: no reader ever sees half a file.
#pragma once
#include <signal.h>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tenon::base {

// All return false and put the error text of errno into *why (may be NULL) instead of throwing.
bool read_file(const std::string& path, std::string& out, std::string* why = nullptr,
               uint64_t limit = uint64_t(4) << 30);
// Writes a temporary file with a unique name in the same directory, then renames it.
bool write_file_atomically(const std::string& path, std::string_view bytes, std::string* why = nullptr);
// The same in pieces. Without commit() it leaves no trace.
class NewFile {
 public:
  explicit NewFile(const std::string& path);
  ~NewFile();
  NewFile(const NewFile&) = delete;
  bool write(std::string_view bytes);
  bool commit(std::string* why = nullptr);  // false also when the file could not be created, or a write failed

 private:
  const std::string path_, temporary_;
  int fd_, error_ = 0;
  const char* wrong_ = nullptr;
};
bool file_exists(const std::string& path);
std::string absolute(const std::string& path);                   // a relative path is appended to the current directory
std::string environment(const char* name);                       // "" when it is not set
std::vector<std::string> path_entries(const std::string& list);  // the non-empty parts of "/a:/b"
std::vector<std::string> path_directories();                     // the absolute ones in $PATH
std::string find_program(const std::string& name);               // its absolute path, from these; "" if not found
// Creates the directory (0700) and its parents, and checks that it is a real directory that belongs to this user and
// that nobody else can write.
bool private_directory(const std::string& path, std::string* why = nullptr);

// The pieces, for callers that work below an open directory. On failure errno has the reason.
bool read_descriptor(int fd, std::string& out, uint64_t limit = uint64_t(4) << 30);
bool write_descriptor(int fd, std::string_view bytes);
bool private_descriptor(int fd, const std::string& path, std::string* why = nullptr);
std::string unique_name(const char* prefix);  // no other process or thread makes the same one

// While it lives, a write past RLIMIT_FSIZE is an error (EFBIG) on this thread instead of a signal that ends the
// process.
class FileSizeSignal {
 public:
  FileSizeSignal();
  ~FileSizeSignal();
  FileSizeSignal(const FileSizeSignal&) = delete;

 private:
  sigset_t before_;
  bool was_pending_;
};

// A private scratch directory (mkdtemp), removed with its contents by the destructor. Directories left behind by
// processes that have ended are removed when the next process creates one in the same place.
class ScratchDirectory {
 public:
  ScratchDirectory();  // throws std::runtime_error
  ~ScratchDirectory();
  ScratchDirectory(const ScratchDirectory&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  int lock_ = -1;
};

}  // namespace tenon::base
