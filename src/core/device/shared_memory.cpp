// core/device/shared_memory.cpp: keys of shared memory, made and checked.
#include "core/device/shared_memory.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cstring>

#include "base/files.hpp"
#include "core/error.hpp"

namespace tenon {
namespace {

// The contents of a file of the system; "" if it cannot be read.
std::string file_text(const std::string& path) {
  std::string text;
  return base::read_file(path, text) ? text : "";
}

uint64_t this_boot() {
  std::string text = file_text("/proc/sys/kernel/random/boot_id");
  std::erase(text, '-');
  return std::strtoull(text.substr(0, 16).c_str(), nullptr, 16);
}

uint64_t this_name_space() {
  struct stat status;
  return stat("/proc/self/ns/pid", &status) ? 0 : uint64_t(status.st_ino);
}

// The start time is the 22nd word of the line; the second one, a name in parentheses, may contain anything. 0: there is
// no such process.
uint64_t start_of(int64_t process) {
  const std::string text = file_text(format("/proc/%lld/stat", static_cast<long long>(process)));
  size_t at = text.rfind(')');
  for (int word = 2; word < 22 && at != std::string::npos; ++word) at = text.find(' ', at + 1);
  return at == std::string::npos ? 0 : std::strtoull(text.c_str() + at, nullptr, 10);
}

}  // namespace

bool made_here(const SharedKey& key) {
  return key.process == getpid() && key.boot == this_boot() && key.name_space == this_name_space() &&
         key.started == start_of(getpid());
}

void require_seen(const SharedKey& key) {
  TENON_REQUIRE(key.boot == this_boot(), TENON_ERROR_NOT_FOUND,
                "the shared memory was made on another machine, or before this one was restarted");
  TENON_REQUIRE(
      key.name_space == this_name_space(), TENON_ERROR_NOT_FOUND,
      "the shared memory was made in another PID namespace (a container), whose processes are invisible here: run both "
      "in one namespace");
  TENON_REQUIRE(key.started == start_of(key.process), TENON_ERROR_NOT_FOUND,
                "the shared memory no longer exists: process %lld, which created it, has ended",
                static_cast<long long>(key.process));
}

SharedKey make_key(int32_t device_kind, uint64_t bytes) {
  SharedKey key{};
  std::memcpy(key.magic, SharedKey::kMagic, sizeof key.magic);
  key.version = SharedKey::kVersion;
  key.device_kind = device_kind;
  key.process = getpid();
  key.bytes = bytes;
  key.boot = this_boot();
  key.name_space = this_name_space();
  key.started = start_of(key.process);
  return key;
}

SharedKey read_key(const void* bytes, uint64_t size, int32_t device_kind) {
  SharedKey key;
  const bool whole = size >= offsetof(SharedKey, device_kind);
  if (whole) std::memcpy(&key, bytes, std::min<uint64_t>(size, sizeof key));
  TENON_REQUIRE(whole && !std::memcmp(key.magic, SharedKey::kMagic, sizeof key.magic), TENON_ERROR_INVALID_ARGUMENT,
                "these %llu bytes are not a key of shared memory: get one from tenon_buffer_share",
                static_cast<unsigned long long>(size));
  TENON_REQUIRE(key.version == SharedKey::kVersion, TENON_ERROR_VERSION,
                "the key has version %u, but this library reads version %u", key.version, SharedKey::kVersion);
  TENON_REQUIRE(size == sizeof key && key.bytes, TENON_ERROR_INVALID_ARGUMENT,
                "the key has %llu bytes, but a complete one has %zu", static_cast<unsigned long long>(size),
                sizeof key);
  TENON_REQUIRE(key.bytes <= uint64_t(INT64_MAX), TENON_ERROR_INVALID_ARGUMENT,
                "the key claims %llu bytes of memory, which is more than 2^63",
                static_cast<unsigned long long>(key.bytes));
  TENON_REQUIRE(key.device_kind == device_kind, TENON_ERROR_DEVICE, "the key is for memory of %s, not of this device",
                key.device_kind == TENON_DEVICE_CPU ? "the CPU" : "a CUDA device");
  return key;
}

}  // namespace tenon
