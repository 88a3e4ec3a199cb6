// kernel/cache/disk.cpp: the cache's directory. All files are opened relative to one descriptor of a directory that was
// checked once, so that nobody can substitute another directory.
#include "kernel/cache/disk.hpp"
#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>
#include "base/files.hpp"

namespace tenon {
namespace {

constexpr char kEntry[] = ".tenon", kLock[] = ".lock", kTemporary[] = "tmp-";
constexpr uint64_t kLargestEntry = uint64_t(2) << 30;
constexpr int64_t kStaleTemporary = 3600, kStaleLock = 86400;  // in seconds: files left by processes that were killed

// Is it a regular file that belongs to this user and that nobody else can write?
bool ours(int fd, struct stat& info) {
  return fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_uid == geteuid() &&
         !(info.st_mode & (S_IWGRP | S_IWOTH));
}

void touch(int fd) {
  timespec times[2];
  clock_gettime(CLOCK_REALTIME, &times[0]);  // UTIME_NOW has the resolution of a kernel tick
  times[1] = times[0];
  (void)!futimens(fd, times);
}

double now_seconds() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

}  // namespace

Disk::Disk(std::string directory, uint64_t limit_bytes, bool writable)
    : directory_(std::move(directory)), limit_(limit_bytes), writable_(writable) {}

Disk::~Disk() {
  for (const int fd : opened_) ::close(fd);
}

bool Disk::open() {
  if (fd_.load(std::memory_order_acquire) >= 0) return true;
  std::lock_guard lock(mutex_);
  return open_locked();
}

std::string Disk::why() {
  std::lock_guard lock(mutex_);
  return why_;
}

uint64_t Disk::evicted() {
  std::lock_guard lock(mutex_);
  return evicted_;
}

bool Disk::open_locked() {
  if (tried_) return fd_ >= 0;
  opened_.reserve(opened_.size() + 1);
  tried_ = true;
  if (directory_.empty() || directory_[0] != '/') {
    why_ = directory_.empty() ? "there is no home directory for it" : directory_ + " is not an absolute path";
    return false;
  }
  if (writable_ ? !base::private_directory(directory_, &why_) : !base::file_exists(directory_)) {
    if (!writable_) tried_ = false;  // it may still be created, so this is not worth a warning
    return false;
  }
  std::string path = directory_;
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  const int fd = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0) {
    why_ = path + ": " + std::strerror(errno);
    return false;
  }
  if (!base::private_descriptor(fd, path, &why_)) {
    ::close(fd);
    return false;
  }
  opened_.push_back(fd);
  fd_.store(fd, std::memory_order_release);
  return true;
}

bool Disk::read(const std::string& name, std::string& bytes) { return read_file(name, bytes, writable_); }
bool Disk::look_at(const std::string& name, std::string& bytes) { return read_file(name, bytes, false); }

bool Disk::read_file(const std::string& name, std::string& bytes, bool use) {
  if (!open()) return false;
  const int fd = ::openat(fd_, (name + kEntry).c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0) return false;
  struct stat info;
  const bool read = ours(fd, info) && base::read_descriptor(fd, bytes, kLargestEntry);
  if (read && use) touch(fd);
  ::close(fd);
  return read;
}

bool Disk::remove(const std::string& name) {
  return writable_ && open() && ::unlinkat(fd_, (name + kEntry).c_str(), 0) == 0;
}

void Disk::each_file(const std::function<void(const std::string&, const struct stat&)>& see) {
  const int copy = ::openat(fd_, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR* list = copy < 0 ? nullptr : ::fdopendir(copy);
  if (!list) {
    if (copy >= 0) ::close(copy);
    return;
  }
  while (const dirent* item = ::readdir(list)) {
    struct stat info;
    if (::fstatat(fd_, item->d_name, &info, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(info.st_mode)) see(item->d_name, info);
  }
  ::closedir(list);
}

std::vector<Disk::Entry> Disk::entries_locked() {
  std::vector<Entry> out;
  each_file([&](const std::string& name, const struct stat& info) {
    if (!name.ends_with(kEntry)) return;
    out.push_back({name.substr(0, name.size() - std::strlen(kEntry)), uint64_t(info.st_size),
                   info.st_mtim.tv_sec * 1000000000 + info.st_mtim.tv_nsec});
  });
  std::sort(out.begin(), out.end(), [](const Entry& a, const Entry& b) { return a.used < b.used; });
  return out;
}

std::vector<Disk::Entry> Disk::entries() {
  std::lock_guard lock(mutex_);
  return open_locked() ? entries_locked() : std::vector<Entry>();
}

// The name appears only when the whole content is there.
bool Disk::create_file(const std::string& name, std::string_view bytes, int& error) {
  const std::string temporary = base::unique_name(kTemporary);
  const int fd = ::openat(fd_, temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (fd < 0) {
    error = errno;
    return false;
  }
  bool good = base::write_descriptor(fd, bytes);
  error = errno;
  if (::close(fd) != 0 && good) {
    error = errno;
    good = false;
  }
  if (good && ::renameat(fd_, temporary.c_str(), fd_, name.c_str()) != 0) {
    error = errno;
    good = false;
  }
  if (!good) ::unlinkat(fd_, temporary.c_str(), 0);
  return good;
}

bool Disk::write(const std::string& name, std::string_view bytes, std::string* why) {
  if (!writable_) return false;
  std::lock_guard lock(mutex_);
  if (!open_locked()) return false;
  if (bytes.size() > limit_) {
    if (why) *why = "the entry is larger than the cache's limit";
    return false;
  }
  int error = 0;
  bool good = create_file(name + kEntry, bytes, error);
  if (!good && error == ENOENT) {  // the directory was removed: create it again
    fd_ = -1;                      // the old one stays open, because other threads may be reading there
    tried_ = false;
    good = open_locked() && create_file(name + kEntry, bytes, error);
  } else if (!good && (error == ENOSPC || error == EDQUOT)) {
    make_room(name, true);
    good = create_file(name + kEntry, bytes, error);
  }
  if (!good) {
    if (why) *why = directory_ + ": " + std::strerror(error);
    return false;
  }
  estimate_ += bytes.size();
  if (!counted_ || estimate_ > limit_) make_room(name, false);
  return true;
}

// Checks all files, removes those that killed processes left, and evicts the least recently used entries until the
// limit is met, or, if the file system is full, half of all entries.
void Disk::make_room(const std::string& newest, bool half) {
  const time_t now = ::time(nullptr);
  each_file([&](const std::string& name, const struct stat& info) {
    const int64_t age = now - info.st_mtime;
    if ((name.starts_with(kTemporary) && age > kStaleTemporary) || (name.ends_with(kLock) && age > kStaleLock))
      ::unlinkat(fd_, name.c_str(), 0);
  });
  const std::vector<Entry> all = entries_locked();
  uint64_t total = 0;
  for (const Entry& entry : all) total += entry.bytes;
  const uint64_t aim = half             ? total / 2
                       : total > limit_ ? limit_ - limit_ / 10
                                        : limit_;  // some room below the limit, or every write would do this again
  for (const Entry& entry : all) {
    if (total <= aim) break;
    if (entry.name == newest || ::unlinkat(fd_, (entry.name + kEntry).c_str(), 0) != 0) continue;
    total -= entry.bytes;
    ++evicted_;
  }
  counted_ = true;
  estimate_ = total;
}

Disk::Lock::Lock(Lock&& other) noexcept
    : directory_(other.directory_), fd_(std::exchange(other.fd_, -1)), name_(std::move(other.name_)) {}

Disk::Lock::~Lock() {
  if (fd_ < 0) return;
  ::unlinkat(directory_, name_.c_str(),
             0);  // before closing, so that a process waiting for this file finds that it is no longer the lock
  ::close(fd_);
}

Disk::Lock Disk::lock(const std::string& name, double timeout_seconds, const std::function<bool()>& done) {
  if (!writable_ || !open()) return {};
  const std::string file = name + kLock;
  const double end = now_seconds() + timeout_seconds;
  int fd = -1;
  for (long pause_us = 500;; pause_us = std::min(2 * pause_us, 20000L)) {
    if (fd < 0) fd = ::openat(fd_, file.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
    if (fd < 0) return {};
    if (::flock(fd, LOCK_EX | LOCK_NB) == 0) {
      struct stat mine, named;
      if (fstat(fd, &mine) == 0 && ::fstatat(fd_, file.c_str(), &named, AT_SYMLINK_NOFOLLOW) == 0 &&
          mine.st_ino == named.st_ino) {
        return Lock(fd_, fd, file);
      }
      ::close(fd);  // the previous holder removed it
      fd = -1;
      continue;
    }
    if ((errno != EWOULDBLOCK && errno != EINTR) || done() || now_seconds() > end) break;
    ::usleep(useconds_t(pause_us));
  }
  ::close(fd);
  return {};
}

}  // namespace tenon
