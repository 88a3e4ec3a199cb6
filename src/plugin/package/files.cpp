// plugin/package/files.cpp: directories, opened level by level and never through a link; the paths that are allowed;
// the content hash.
#include "plugin/package/files.hpp"
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cerrno>
#include <cstring>
#include <memory>
#include "base/files.hpp"
#include "base/sha256.hpp"
#include "base/trust.hpp"
#include "core/elf.hpp"
#include "core/error.hpp"

namespace tenon::plugin {
namespace {

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  int get() const { return fd_; }

 private:
  int fd_;
};

constexpr const char* kAllowed = " (TENON_PACKAGE_ANY_OWNER allows it)";

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
  fail(TENON_ERROR_IO, "%s %s", path.c_str(), why.c_str());
}

void check_owner(int fd, const std::string& path, bool any_owner, struct stat& info) {
  if (fstat(fd, &info) != 0) fail(TENON_ERROR_IO, "%s cannot be inspected: %s", path.c_str(), std::strerror(errno));
  if (any_owner) return;
  const std::string why = base::changeable_by_others(info);
  if (!why.empty()) refuse(path, why + kAllowed);
}

class Walk {
 public:
  Walk(std::string top, bool any_owner) : top_(std::move(top)), any_owner_(any_owner) {}

  Files read(int top) {
    directory(top, "", 0);
    return std::move(files_);
  }

 private:
  void directory(int fd, const std::string& inside, size_t depth) {
    const std::string here = inside.empty() ? top_ : top_ + "/" + inside;
    if (depth > kMaxDepth) refuse(here, "is nested too deep for a package");
    struct stat info;
    check_owner(fd, here, any_owner_, info);
    const int again = ::fcntl(fd, F_DUPFD_CLOEXEC, 0);  // closedir closes it
    const std::unique_ptr<DIR, int (*)(DIR*)> list(again < 0 ? nullptr : ::fdopendir(again), ::closedir);
    if (!list) {
      const int number = errno;
      if (again >= 0) ::close(again);
      fail(TENON_ERROR_IO, "%s cannot be read: %s", here.c_str(), std::strerror(number));
    }
    ::rewinddir(list.get());
    for (errno = 0; const dirent* entry = ::readdir(list.get()); errno = 0) {
      const std::string name = entry->d_name;
      if (name[0] == '.') continue;  // files of version control and editors
      if (++entries_ > 16 * kMaxFiles) refuse(top_, "has too many entries for a package");
      this->entry(fd, name, inside.empty() ? name : inside + "/" + name, depth);
    }
    if (errno) fail(TENON_ERROR_IO, "%s cannot be read: %s", here.c_str(), std::strerror(errno));
  }

  void entry(int parent, const std::string& name, const std::string& inside, size_t depth) {
    const std::string path = top_ + "/" + inside;
    struct stat info;
    if (::fstatat(parent, name.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0)
      fail(TENON_ERROR_IO, "%s cannot be inspected: %s", path.c_str(), std::strerror(errno));
    if (S_ISLNK(info.st_mode)) refuse(path, "is a symbolic link: a package must contain its files themselves");
    const bool is_directory = S_ISDIR(info.st_mode);
    if (!is_directory && !part_of_package(inside)) return;
    if (const char* why = bad_path(inside)) refuse(path, why);
    if (!is_directory && !S_ISREG(info.st_mode)) refuse(path, "is neither a file nor a directory");
    const Descriptor fd(::openat(parent, name.c_str(),
                                 O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | (is_directory ? O_DIRECTORY : 0)));
    if (fd.get() < 0) fail(TENON_ERROR_IO, "%s cannot be opened: %s", path.c_str(), std::strerror(errno));
    if (is_directory) return directory(fd.get(), inside, depth + 1);
    check_owner(fd.get(), path, any_owner_, info);  // checks the opened file, whatever happens to the name meanwhile
    if (!S_ISREG(info.st_mode)) refuse(path, "is neither a file nor a directory");
    if (files_.size() >= kMaxFiles) refuse(top_, "has more than 1024 files of CUDA C: too many for a package");
    std::string& text = files_[inside];
    if (!base::read_descriptor(fd.get(), text, kMaxFileBytes))
      fail(TENON_ERROR_IO, "%s cannot be read: %s", path.c_str(), std::strerror(errno));
    bytes_ += text.size();
    if (bytes_ > kMaxPackageBytes) refuse(top_, "has more than 64 MiB of CUDA C: too large for a package");
  }

  const std::string top_;
  const bool any_owner_;
  Files files_;
  size_t bytes_ = 0, entries_ = 0;
};

void check_parts(const Files& files, const std::string& name) {
  if (!files.count("plugin.toml"))
    fail(TENON_ERROR_NOT_FOUND, "%s has no plugin.toml, so it is not a package", name.c_str());
}

std::string resolved(const std::string& path) {
  if (path.empty()) fail(TENON_ERROR_INVALID_ARGUMENT, "the path of the package is empty");
  const std::unique_ptr<char, void (*)(void*)> real(::realpath(path.c_str(), nullptr), std::free);
  if (!real)
    fail(errno == ENOENT || errno == ENOTDIR ? TENON_ERROR_NOT_FOUND : TENON_ERROR_IO, "%s cannot be opened: %s",
         path.c_str(), std::strerror(errno));
  return real.get();
}

}  // namespace

bool part_of_package(std::string_view path) {
  if (path == "plugin.toml" || path == "plugin.sig") return true;
  for (const char* end : {".cu", ".cuh", ".h", ".hpp", ".inc"})
    if (path.ends_with(end)) return true;
  return false;
}

const char* bad_path(std::string_view path) {
  if (path.empty()) return "has an empty name";
  if (path.size() > kMaxPath) return "has a path of more than 200 characters";
  if (path.front() == '/') return "has an absolute path: a package's files must be inside it";
  for (const char c : path)
    if (static_cast<unsigned char>(c) < ' ' || c == '\\' || c == 0x7f || c == '"' || c == '<' || c == '>')
      return "has a character in its path that is not allowed in a package";
  size_t depth = 0;
  for (size_t begin = 0; begin <= path.size(); ++depth) {
    const size_t end = std::min(path.find('/', begin), path.size());
    const std::string_view part = path.substr(begin, end - begin);
    if (part.empty() || part == ".") return "has an empty component in its path";
    if (part == "..") return "leads out of the package by ..";
    begin = end + 1;
  }
  return depth > kMaxDepth + 1 ? "is nested too deep for a package" : nullptr;
}

namespace {

// Reads a file, and checks that nobody else can change it.
std::string read_checked(const std::string& path, bool any_owner, uint64_t limit) {
  std::string bytes, why;
  resolved(path);  // throws NOT_FOUND
  if (!base::read_trusted(path, any_owner, limit, bytes, why)) refuse(path, why);
  return bytes;
}

}  // namespace

Files read_directory(const std::string& path, bool any_owner) {
  const std::string real = resolved(path);
  const std::string why =
      any_owner ? "" : base::place_changeable_by_others(real);  // anyone who can write there can replace all of it
  if (!why.empty()) refuse(path, why + kAllowed);
  const Descriptor top(::open(real.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (top.get() < 0) fail(TENON_ERROR_IO, "%s cannot be opened: %s", path.c_str(), std::strerror(errno));
  Files files = Walk(path, any_owner).read(top.get());
  check_parts(files, path);
  return files;
}

Files read_package_files(const std::string& path, bool any_owner) {
  struct stat info;
  if (::stat(resolved(path).c_str(), &info) == 0 && S_ISDIR(info.st_mode)) return read_directory(path, any_owner);
  return read_archive(read_checked(path, any_owner, 2 * kMaxPackageBytes), path);
}

std::string read_host_object(const std::string& path, bool any_owner) {
  std::string bytes = read_checked(path, any_owner, uint64_t(1) << 30);
  if (elf_cut_off(bytes)) refuse(path, "is truncated: it is shorter than its headers say; was it copied completely?");
  return bytes;
}

std::string content_hash(const Files& files) {
  std::string all = "tenon package 1\n";
  for (const auto& [path, bytes] : files) all += base::sha256_hex(bytes) + "  " + path + "\n";
  return base::sha256_hex(all);
}

}  // namespace tenon::plugin
