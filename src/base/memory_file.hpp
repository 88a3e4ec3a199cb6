// base/memory_file.hpp: a file in memory, which has a path while it is open.
#pragma once
#include <sys/mman.h>
#include <unistd.h>
#include <string>
#include <string_view>
#include "base/descriptor.hpp"
#include "base/files.hpp"

namespace tenon::base {

class MemoryFile {
 public:
  MemoryFile(const char* title, std::string_view bytes) : fd_(memfd_create(title, MFD_CLOEXEC)) {
    if (fd_.get() >= 0 && !write_descriptor(fd_.get(), bytes)) fd_.close();
  }
  explicit operator bool() const { return fd_.get() >= 0; }
  int descriptor() const { return fd_.get(); }
  // Valid in a child too, which has other descriptors.
  std::string path() const { return "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(fd_.get()); }
  std::string read() const {
    std::string out;
    return lseek(fd_.get(), 0, SEEK_SET) == 0 && read_descriptor(fd_.get(), out) ? out : "";
  }

 private:
  Descriptor fd_;
};

}  // namespace tenon::base
