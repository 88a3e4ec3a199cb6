// core/device/shared_memory.hpp: the key by which one process opens memory that another one shares.
#pragma once
#include <cstdint>
#include <string>
#include <tenon/context.h>

namespace tenon {

// The key as it is sent: fixed size, with the same layout on every machine that could share memory.
struct SharedKey {
  static constexpr char kMagic[8] = {'t', 'e', 'n', 'o', 'n', 's', 'h', 'm'};
  static constexpr uint32_t kVersion = 1;
  char magic[8];
  uint32_t version;
  int32_t device_kind;
  int64_t process;  // the ID of the process that made it, there
  uint64_t bytes;
  unsigned char device[16];  // CUDA: its UUID
  unsigned char handle[64];  // the device's own handle
  // Identifies the process: IDs of processes are reused, and each PID namespace (container) has its own.
  uint64_t boot;        // ID of the machine's boot
  uint64_t name_space;  // the PID namespace
  uint64_t started;     // when the process started, in clock ticks since the boot
};
static_assert(sizeof(SharedKey) == 136);

// Did this process make it?
bool made_here(const SharedKey& key);
// Can this process see the one that made the key, so that the process ID means anything here? Throws NOT_FOUND if that
// process is on another machine, in another PID namespace, from before a restart, or has ended.
void require_seen(const SharedKey& key);
SharedKey make_key(int32_t device_kind, uint64_t bytes);
// Throws INVALID_ARGUMENT, VERSION, or DEVICE (the key is not for `device_kind`).
SharedKey read_key(const void* key, uint64_t size, int32_t device_kind);

// Memory that a device made for other processes to open, or opened: destroy(user) ends its life.
struct SharedMemory {
  void* data;
  SharedKey key;
  tenon_destroy_fn destroy;
  void* user;
};

}  // namespace tenon
