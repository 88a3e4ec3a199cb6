// backend/cpu/run/tls.hpp: the thread-local memory of an image: its __shared__ variables and the shim's state.
#pragma once
#include <cstdint>
#include <string_view>
#include "backend/cpu/shim/language/tenon_abi.h"

struct tenon_worker;

namespace tenon::cpu {

class ImageTls {
 public:
  ImageTls() = default;
  ImageTls(void* handle, std::string_view image);

  // Call it before the image runs on this thread. The C library allocates thread-local memory on first use and ends the
  // process if there is no memory, so the memory is allocated now. Throws bad_alloc.
  void prepare(tenon_worker& worker) const;
  // Where it is on this thread, after prepare() and once the image has used it. Empty if it has none.
  tenon_extent of_this_thread(tenon_worker& worker) const;

 private:
  void* handle_ = nullptr;
  uint64_t number_ = 0;  // unique per image
  uint64_t size_ = 0;
  uint64_t bytes_ = 0;        // as the C library allocates it
  uint64_t index_bytes_ = 0;  // of the thread's list of thread-local memory
};

}  // namespace tenon::cpu
