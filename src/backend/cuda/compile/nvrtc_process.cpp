// backend/cuda/compile/nvrtc_process.cpp: a program that does one compile: nvrtc_process WORK RESULT. It is embedded in
// the library, and started if a compile may have to be ended (see apart.cpp). Exit status 0: RESULT was written.
#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>
#include "backend/cuda/compile/nvrtc_work.hpp"

namespace tenon::cuda {
namespace {

using nvrtcProgram = struct _nvrtcProgram*;

struct Functions {
  using Program = nvrtcProgram;
#define TENON_SYMBOL(result, name, symbol, parameters, since) result(*name) parameters = nullptr;
#include "backend/cuda/vendor/nvrtc.inc"

  explicit Functions(void* library) {
#define TENON_SYMBOL(result, name, symbol, parameters, since) \
  name = reinterpret_cast<result(*) parameters>(dlsym(library, #symbol));
#include "backend/cuda/vendor/nvrtc.inc"
  }
};

bool read_all(const char* path, std::string& out) {
  const int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  char chunk[65536];
  ssize_t got = 0;
  while ((got = read(fd, chunk, sizeof chunk)) > 0) out.append(chunk, size_t(got));
  close(fd);
  return got == 0;
}

bool write_all(const char* path, const std::string& bytes) {
  const int fd = open(path, O_WRONLY | O_CLOEXEC);
  if (fd < 0) return false;
  size_t at = 0;
  while (at < bytes.size()) {
    const ssize_t put = write(fd, bytes.data() + at, bytes.size() - at);
    if (put <= 0) break;
    at += size_t(put);
  }
  return close(fd) == 0 && at == bytes.size();
}

int compile(const char* from, const char* to) {
  std::string bytes;
  NvrtcWork work;
  if (!read_all(from, bytes)) return 2;
  Unpacker unpack(bytes);
  each_field(unpack, work);
  if (!unpack.good) return 3;
  void* library = nullptr;
  for (const std::string& path : work.libraries)
    if (!(library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL))) return 4;
  if (!library) return 4;
  const Functions functions(library);
  if (!functions.nvrtcCreateProgram || !functions.nvrtcCompileProgram) return 5;
  Packer pack;
  const NvrtcDone done = NvrtcRun<Functions>(functions, work, nullptr, nullptr)();
  each_field(pack, done);
  return write_all(to, pack.bytes) ? 0 : 6;
}

}  // namespace
}  // namespace tenon::cuda

int main(int count, char** arguments) {
  const int status = count == 3 ? tenon::cuda::compile(arguments[1], arguments[2]) : 1;
  _exit(status);  // nothing of the compiler needs cleaning up
}
