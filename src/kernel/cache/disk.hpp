// kernel/cache/disk.hpp: a private directory of cache entries: whole files by name, locks, a size limit.
#pragma once
#include <sys/stat.h>
#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace tenon {

// Every operation may fail without harm: a failed read is a miss, and a failed write stores nothing. Safe for use by
// several threads and processes.
class Disk {
 public:
  Disk(std::string directory, uint64_t limit_bytes, bool writable);
  ~Disk();
  Disk(const Disk&) = delete;

  // The first call opens the directory, or creates it if allowed. False: it cannot be used; why() has the reason.
  bool open();
  std::string why();
  bool writable() const { return writable_; }
  const std::string& directory() const { return directory_; }

  bool read(const std::string& name, std::string& bytes);     // and marks it as used now
  bool look_at(const std::string& name, std::string& bytes);  // without marking it as used
  bool write(const std::string& name, std::string_view bytes, std::string* why = nullptr);
  bool remove(const std::string& name);
  uint64_t evicted();
  uint64_t limit() const { return limit_; }

  struct Entry {
    std::string name;
    uint64_t bytes;
    int64_t used;  // nanoseconds since 1970
  };
  std::vector<Entry> entries();  // least recently used first

  // Held while one process compiles an entry. Correctness does not depend on it: without the lock, both compile.
  class Lock {
   public:
    Lock() = default;
    Lock(int directory, int fd, std::string name) : directory_(directory), fd_(fd), name_(std::move(name)) {}
    Lock(Lock&& other) noexcept;
    Lock& operator=(Lock&&) = delete;
    ~Lock();
    explicit operator bool() const { return fd_ >= 0; }

   private:
    int directory_ = -1, fd_ = -1;
    std::string name_;
  };
  // Blocks until the lock is taken, done() returns true, or the timeout expires.
  Lock lock(const std::string& name, double timeout_seconds, const std::function<bool()>& done);

 private:
  bool open_locked();
  bool create_file(const std::string& name, std::string_view bytes, int& error);
  bool read_file(const std::string& name, std::string& bytes, bool use);
  // Calls `see` for every regular file of the directory, with its name and status.
  void each_file(const std::function<void(const std::string&, const struct stat&)>& see);
  std::vector<Entry> entries_locked();
  void make_room(const std::string& newest, bool half);

  const std::string directory_;
  const uint64_t limit_;
  const bool writable_;
  std::mutex mutex_;
  bool tried_ = false;
  std::atomic<int> fd_{-1};
  std::vector<int> opened_;
  std::string why_;
  bool counted_ = false;  // estimate_ is the size of the directory at the last check, plus what was written since
  uint64_t estimate_ = 0;
  uint64_t evicted_ = 0;
};

}  // namespace tenon
