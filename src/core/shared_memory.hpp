// core/shared_memory.hpp: the key by which one process opens memory that another one shares.
#pragma once
#include <cstdint>
#include <string>
#include <tenon/context.h>

namespace tenon {

// As it is sent: fixed size, the same layout on every machine that could share memory.
struct SharedKey {
  static constexpr char kMagic[8] = {'t', 'e', 'n', 'o', 'n', 's', 'h', 'm'};
  static constexpr uint32_t kVersion = 1;
  char magic[8];
  uint32_t version;
  int32_t device_kind;
  int64_t process;  // that made it: its number there
  uint64_t bytes;
  unsigned char device[16];  // CUDA: its UUID
  unsigned char handle[64];  // the device's own words
  // Which process it is: numbers of processes are used again, and each PID namespace (container) has its own.
  uint64_t boot;        // of the machine
  uint64_t name_space;  // the PID namespace
  uint64_t started;     // when the process started, in clock ticks since the boot
};
static_assert(sizeof(SharedKey) == 136);

// Did this process make it?
bool made_here(const SharedKey& key);
// Does this process see the one that made it, so that its number means anything here? Throws NOT_FOUND: that is on
// another machine, or before this one was restarted, or in another PID namespace, or has ended.
void require_seen(const SharedKey& key);
SharedKey make_key(int32_t device_kind, uint64_t bytes);
// Throws INVALID_ARGUMENT, VERSION, DEVICE (it is of another kind of device than `device_kind`).
SharedKey read_key(const void* key, uint64_t size, int32_t device_kind);

// Memory that a device made for others to open, or opened: destroy(user) ends it.
struct SharedMemory {
  void* data;
  SharedKey key;
  tenon_destroy_fn destroy;
  void* user;
};

}  // namespace tenon
