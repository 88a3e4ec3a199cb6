// base/files.cpp: reading and writing whole files, private directories.
#include "base/files.hpp"
#include "base/descriptor.hpp"
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include <atomic>
#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <mutex>
#include <set>
#include <stdexcept>
#include <utility>

namespace tenon::base {
namespace {

bool failed(std::string* why, const std::string& path, const char* what, int number = errno) {
  if (why) *why = path + ": " + what + ": " + std::strerror(number);
  return false;
}

// A directory entry as the kernel returns it; readdir would allocate.
struct Entry {
  uint64_t inode;
  int64_t offset;
  uint16_t bytes;
  uint8_t type;
  char name[1];
};

// Removes a file, or a directory with everything in it, as far as possible. Allocates nothing: a directory must be
// removed even when memory has run out.
void remove_tree(int parent, const char* name) noexcept {
  if (::unlinkat(parent, name, 0) == 0) return;
  const Descriptor directory(::openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (directory.get() < 0) return;
  alignas(Entry) char list[2048];
  for (long got; (got = ::syscall(SYS_getdents64, directory.get(), list, sizeof list)) > 0;) {
    for (long at = 0; at < got;) {
      const Entry& entry = *reinterpret_cast<const Entry*>(list + at);
      const std::string_view what = entry.name;
      if (what != "." && what != "..") remove_tree(directory.get(), entry.name);
      at += entry.bytes;
    }
  }
  ::unlinkat(parent, name, AT_REMOVEDIR);
}

}  // namespace

FileSizeSignal::FileSizeSignal() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGXFSZ);
  sigset_t pending;
  sigpending(&pending);
  was_pending_ = sigismember(&pending, SIGXFSZ) == 1;
  pthread_sigmask(SIG_BLOCK, &set, &before_);
}

FileSizeSignal::~FileSizeSignal() {
  const int error = errno;
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGXFSZ);
  if (!was_pending_) {
    const timespec now = {0, 0};
    while (sigtimedwait(&set, nullptr, &now) < 0 && errno == EINTR) {
    }
  }
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  errno = error;
}

bool read_descriptor(int fd, std::string& out, uint64_t limit) {
  struct stat info;
  if (fstat(fd, &info) != 0) return false;
  if (S_ISREG(info.st_mode) && uint64_t(info.st_size) > limit) {
    errno = EFBIG;
    return false;
  }
  out.clear();
  size_t size = 0;
  out.resize(S_ISREG(info.st_mode) ? size_t(info.st_size) + 1
                                   : 4096);  // one more byte, so that the end of the file is seen without another read
  for (;;) {
    const ssize_t got = ::read(fd, out.data() + size, out.size() - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return false;
    if (got == 0) break;
    size += size_t(got);
    if (size > limit) {
      errno = EFBIG;
      return false;
    }
    if (size == out.size()) out.resize(2 * size);
  }
  out.resize(size);
  return true;
}

bool write_descriptor(int fd, std::string_view bytes) {
  FileSizeSignal quiet;
  while (!bytes.empty()) {
    const ssize_t put = ::write(fd, bytes.data(), bytes.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return false;
    if (put == 0) {
      errno = ENOSPC;
      return false;
    }
    bytes.remove_prefix(size_t(put));
  }
  return true;
}

std::string unique_name(const char* prefix) {
  static std::atomic<uint64_t> counter{0};
  timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return std::string(prefix) + std::to_string(getpid()) + "-" + std::to_string(now.tv_sec) +
         std::to_string(now.tv_nsec) + "-" + std::to_string(counter.fetch_add(1, std::memory_order_relaxed));
}

bool read_file(const std::string& path, std::string& out, std::string* why, uint64_t limit) {
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) return failed(why, path, "cannot be opened");
  return read_descriptor(file.get(), out, limit) || failed(why, path, "cannot be read");
}

NewFile::NewFile(const std::string& path)
    : path_(path),
      temporary_(path.substr(0, path.rfind('/') + 1) + unique_name(".tmp-")),
      fd_(::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666)) {
  if (fd_ >= 0) return;
  wrong_ = "cannot be created";
  error_ = errno;
}

NewFile::~NewFile() {
  if (fd_ < 0) return;
  ::close(fd_);
  ::unlink(temporary_.c_str());
}

bool NewFile::write(std::string_view bytes) {
  if (wrong_) return false;
  if (write_descriptor(fd_, bytes)) return true;
  wrong_ = "cannot be written";
  error_ = errno;
  return false;
}

bool NewFile::commit(std::string* why) {
  if (fd_ < 0) return failed(why, temporary_, wrong_, error_);
  const bool closed = ::close(std::exchange(fd_, -1)) == 0;  // some file systems report a failed write only here
  if (!wrong_ && closed && ::rename(temporary_.c_str(), path_.c_str()) == 0) return true;
  const int number = wrong_ ? error_ : errno;
  ::unlink(temporary_.c_str());
  return failed(why, path_, "cannot be written", number);
}

bool write_file_atomically(const std::string& path, std::string_view bytes, std::string* why) {
  NewFile file(path);
  file.write(bytes);
  return file.commit(why);
}

bool file_exists(const std::string& path) {
  struct stat info;
  return ::stat(path.c_str(), &info) == 0;
}

std::string absolute(const std::string& path) {
  std::error_code error;
  const std::string out = std::filesystem::absolute(path, error).lexically_normal();
  return error ? path : out.size() > 1 && out.ends_with('/') ? out.substr(0, out.size() - 1) : out;
}

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

std::vector<std::string> path_entries(const std::string& list) {
  std::vector<std::string> out;
  for (size_t begin = 0; begin <= list.size();) {
    const size_t end = std::min(list.find(':', begin), list.size());
    if (end > begin) out.push_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
  return out;
}

std::vector<std::string> path_directories() {
  const char* text = std::getenv("PATH");
  std::vector<std::string> out = path_entries(text ? text : "/usr/local/bin:/usr/bin:/bin");
  std::erase_if(out, [](const std::string& directory) { return directory[0] != '/'; });
  return out;
}

std::string find_program(const std::string& name) {
  auto runnable = [](const std::string& path) {
    struct stat info;
    return stat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode) && access(path.c_str(), X_OK) == 0;
  };
  if (name.empty()) return "";
  if (name[0] == '/') return runnable(name) ? name : "";
  if (name.find('/') != std::string::npos) return "";
  for (const std::string& directory : path_directories()) {
    std::string path = directory + (directory.back() == '/' ? "" : "/") + name;
    if (runnable(path)) return path;
  }
  return "";
}

bool private_descriptor(int fd, const std::string& path, std::string* why) {
  struct stat info;
  if (fstat(fd, &info) != 0) return failed(why, path, "cannot be inspected");
  const char* wrong = !S_ISDIR(info.st_mode)               ? "is not a directory"
                      : info.st_uid != geteuid()           ? "belongs to another user"
                      : info.st_mode & (S_IWGRP | S_IWOTH) ? "can be written by other users"
                                                           : nullptr;
  if (!wrong) return true;
  if (why) *why = path + " " + wrong;
  return false;
}

bool private_directory(const std::string& path, std::string* why) {
  if (path.empty()) {
    if (why) *why = "no directory was given";
    return false;
  }
  for (size_t at = path.find('/', 1);; at = path.find('/', at + 1)) {
    const std::string part = path.substr(0, at);
    if (::mkdir(part.c_str(), 0700) != 0 && errno != EEXIST && errno != EISDIR) {
      const int number = errno;
      if (!file_exists(part)) return failed(why, part, "cannot be created", number);  // the parent may be read-only
    }
    if (at == std::string::npos) break;
  }
  std::string last = path;
  while (last.size() > 1 && last.back() == '/') last.pop_back();  // O_NOFOLLOW would follow "link/"
  Descriptor directory(::open(last.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (directory.get() < 0) {
    const int number = errno;
    struct stat info;
    if (::lstat(last.c_str(), &info) == 0 && S_ISLNK(info.st_mode)) {
      if (why) *why = last + " is a symbolic link";
      return false;
    }
    return failed(why, last, "cannot be opened", number);
  }
  return private_descriptor(directory.get(), last, why);
}

namespace {

constexpr char kScratch[] = "tenon-", kScratchLock[] = ".lock";
constexpr size_t kScratchLetters = 6;

// The process that made the directory holds a lock in it. When the process ends, for whatever reason, the lock is
// released.
void remove_if_abandoned(const std::string& path) {
  constexpr time_t kHour = 3600;
  Descriptor directory(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  struct stat info;
  if (directory.get() < 0 || fstat(directory.get(), &info) != 0 || info.st_uid != geteuid()) return;
  Descriptor lock(::openat(directory.get(), kScratchLock, O_RDWR | O_NOFOLLOW | O_CLOEXEC));
  if (lock.get() >= 0 && ::flock(lock.get(), LOCK_EX | LOCK_NB) == 0) remove_tree(AT_FDCWD, path.c_str());
  // No lock file: the directory was made just now, or its process ended before creating the file; then it is empty.
  if (lock.get() < 0 && ::time(nullptr) - info.st_mtime > kHour) ::rmdir(path.c_str());
}

void remove_abandoned(const std::string& base) {
  const std::unique_ptr<DIR, int (*)(DIR*)> all(::opendir(base.c_str()), ::closedir);
  if (!all) return;
  while (const dirent* entry = ::readdir(all.get())) {
    const std::string name = entry->d_name;
    if (name.size() != sizeof kScratch - 1 + kScratchLetters || name.rfind(kScratch, 0) != 0) continue;
    remove_if_abandoned(base + "/" + name);
  }
}

// Once per process and place.
void remove_abandoned_once(const std::string& base) {
  static std::mutex mutex;
  static auto& done = *new std::set<std::string>;
  std::lock_guard lock(mutex);
  if (done.insert(base).second) remove_abandoned(base);
}

}  // namespace

ScratchDirectory::ScratchDirectory() {
  std::string base = environment("TMPDIR");
  if (base.empty() || base[0] != '/') base = "/tmp";
  remove_abandoned_once(base);
  for (;;) {
    path_ = base + "/" + kScratch + std::string(kScratchLetters, 'X');
    const std::string::size_type directory = path_.size();
    path_.reserve(directory + 1 +
                  sizeof kScratchLock);  // nothing below allocates: a failure would leave the directory behind
    if (!::mkdtemp(path_.data()))
      throw std::runtime_error("cannot create a directory in " + base + ": " + std::strerror(errno));
    path_ += '/';
    path_ += kScratchLock;
    lock_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    path_.resize(directory);
    struct stat info;
    // Between open and flock another process may have considered the directory abandoned and removed it.
    if (lock_ < 0 || (::flock(lock_, LOCK_SH | LOCK_NB) == 0 && fstat(lock_, &info) == 0 && info.st_nlink > 0)) return;
    ::close(lock_);
    remove_tree(AT_FDCWD, path_.c_str());
  }
}

ScratchDirectory::~ScratchDirectory() {
  remove_tree(AT_FDCWD, path_.c_str());
  if (lock_ >= 0) ::close(lock_);
}

}  // namespace tenon::base
