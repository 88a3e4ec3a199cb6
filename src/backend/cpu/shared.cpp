// backend/cpu/shared.cpp: host memory that other processes can open.
//
// The memory is an anonymous file (memfd_create), which another process of the same user finds through the process that
// made it: /proc/PID/fd/N. A name (shm_open) would remain if a process is killed. A key comes from another process and
// could name any file, so only a sealed memory file of the same user is opened. The seals also prevent the other
// process from shrinking the file, which would end this one at its next access.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cerrno>
#include <cstring>
#include <memory>
#include "backend/cpu/device.hpp"
#include "base/memory.hpp"

namespace tenon::cpu {
namespace {

// The device's part of a key: where the file is, and which one it is, because the ids of processes and files are
// reused.
struct FileIdentity {
  int64_t descriptor;
  uint64_t system, file;
};

constexpr int kSeals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;

[[noreturn]] void refuse_memory(int code, const char* what) {
  const int32_t status = code == ENOMEM || code == ENOSPC ? TENON_ERROR_OUT_OF_MEMORY : TENON_ERROR_IO;
  fail(status, "%s: %s", what, std::strerror(code));
}

struct Descriptor {
  explicit Descriptor(int number) : number(number) {}
  ~Descriptor() {
    if (number >= 0) close(number);
  }
  Descriptor(const Descriptor&) = delete;
  int number;
};

struct Mapped {
  void* data;
  uint64_t bytes;
  int descriptor;   // kept so that others can open it; -1: another process's
  Memory* counted;  // where its bytes are counted; NULL: another process's
};

void end(void* user) {
  const std::unique_ptr<Mapped> mapped(static_cast<Mapped*>(user));
  munmap(mapped->data, mapped->bytes);
  if (mapped->descriptor >= 0) close(mapped->descriptor);
  if (mapped->counted) mapped->counted->give(mapped->bytes);
}

// counted: where the bytes of memory that is made here are counted.
SharedMemory map(Descriptor& file, const SharedKey& key, Memory* counted) {
  auto mapped = std::make_unique<Mapped>(Mapped{nullptr, key.bytes, -1, counted});
  mapped->data = mmap(nullptr, key.bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file.number, 0);
  if (mapped->data == MAP_FAILED) refuse_memory(errno, "shared memory cannot be mapped");
  if (counted) mapped->descriptor = std::exchange(file.number, -1);
  void* const data = mapped->data;
  return {data, key, end, mapped.release()};
}

// Allocates all of the file's memory: now, not at the first access, where a failure would end the process.
void commit(const Descriptor& file, uint64_t bytes) {
  TENON_REQUIRE(bytes <= base::available_memory(), TENON_ERROR_OUT_OF_MEMORY,
                "%llu bytes of shared memory were requested, but the system has %llu bytes free",
                static_cast<unsigned long long>(bytes), static_cast<unsigned long long>(base::available_memory()));
  int code;
  do code = posix_fallocate(file.number, 0, off_t(bytes));
  while (code == EINTR);
  if (code) refuse_memory(code, "the system does not provide shared memory of that size");
  if (fcntl(file.number, F_ADD_SEALS, kSeals)) refuse_memory(errno, "shared memory cannot be sealed");
}

[[noreturn]] void refuse_gone(int64_t process) {
  fail(TENON_ERROR_NOT_FOUND,
       "the shared memory no longer exists: its buffer was released in process %lld, which created it, or that process "
       "has ended",
       static_cast<long long>(process));
}

[[noreturn]] void refuse_open(int code, int64_t process) {
  if (code == ENOENT || code == ESRCH || code == ENOTDIR) refuse_gone(process);
  TENON_REQUIRE(code != EACCES && code != EPERM, TENON_ERROR_IO,
                "process %lld, which made the shared memory, belongs to another user or cannot be inspected "
                "at",
                static_cast<long long>(process));
  refuse_memory(code, "shared memory cannot be opened");
}

}  // namespace

SharedMemory CpuDevice::make_shared(uint64_t bytes) {
  Descriptor file(memfd_create("tenon", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (file.number < 0) refuse_memory(errno, "the system does not provide shared memory (memfd_create)");
  memory_.take(bytes);
  try {
    commit(file, bytes);
    struct stat status;
    if (fstat(file.number, &status)) refuse_memory(errno, "shared memory cannot be inspected");
    SharedKey key = make_key(TENON_DEVICE_CPU, bytes);
    const FileIdentity place{file.number, uint64_t(status.st_dev), uint64_t(status.st_ino)};
    std::memcpy(key.handle, &place, sizeof place);
    return map(file, key, &memory_);
  } catch (...) {
    memory_.untake(bytes);
    throw;
  }
}

SharedMemory CpuDevice::open_shared(const SharedKey& key) {
  require_seen(key);
  FileIdentity place;
  std::memcpy(&place, key.handle, sizeof place);
  const std::string path =
      format("/proc/%lld/fd/%lld", static_cast<long long>(key.process), static_cast<long long>(place.descriptor));
  // Checked first without opening the target: opening a device has side effects.
  const Descriptor seen(open(path.c_str(), O_PATH | O_CLOEXEC));
  if (seen.number < 0) refuse_open(errno, key.process);
  struct stat status;
  const bool same = !fstat(seen.number, &status) && S_ISREG(status.st_mode) &&
                    uint64_t(status.st_dev) == place.system && uint64_t(status.st_ino) == place.file &&
                    uint64_t(status.st_size) == key.bytes;
  if (!same) refuse_gone(key.process);
  if (status.st_uid != geteuid()) refuse_open(EACCES, key.process);
  Descriptor file(open(format("/proc/self/fd/%d", seen.number).c_str(), O_RDWR | O_CLOEXEC));
  if (file.number < 0) refuse_open(errno, key.process);
  const int seals = fcntl(file.number, F_GET_SEALS);
  TENON_REQUIRE(seals >= 0 && (seals & kSeals) == kSeals, TENON_ERROR_INVALID_ARGUMENT,
                "the key names a file of process %lld that tenon_buffer_create_shared did not make",
                static_cast<long long>(key.process));
  return map(file, key, nullptr);
}

}  // namespace tenon::cpu
