// base/descriptor.hpp: a file descriptor that is closed at the end of its scope.
#pragma once
#include <unistd.h>

namespace tenon::base {

class Descriptor {
 public:
  explicit Descriptor(int fd = -1) : fd_(fd) {}
  ~Descriptor() { close(); }
  Descriptor(const Descriptor&) = delete;
  void close() {
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
  }
  void set(int fd) {
    close();
    fd_ = fd;
  }
  int get() const { return fd_; }

 private:
  int fd_;
};

}  // namespace tenon::base
