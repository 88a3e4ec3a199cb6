// backend/cpu/run/tls.cpp: making sure that an image's thread-local memory can be allocated.
#include "backend/cpu/run/tls.hpp"
#include <dlfcn.h>
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <iterator>
#include <new>
#include "backend/cpu/compile/compiler/object.hpp"
#include "backend/cpu/run/worker.hpp"

namespace tenon::cpu {

ImageTls::ImageTls(void* handle, std::string_view image) {
  const ObjectTls tls = object_tls(image);
  if (!tls.bytes) return;
  static std::atomic<uint64_t> images{0};
  number_ = ++images;
  handle_ = handle;
  size_ = tls.bytes;
  bytes_ = tls.bytes + (tls.alignment > alignof(std::max_align_t) ? tls.alignment : 0);
  size_t place = 0;
  constexpr uint64_t kSpare = 16, kEntry = 16;  // glibc's: entries beyond the number of objects, bytes per entry
  if (dlinfo(handle, RTLD_DI_TLS_MODID, &place) == 0) index_bytes_ = (place + kSpare) * kEntry;
}

void ImageTls::prepare(tenon_worker& worker) const {
  uint64_t& prepared = worker.prepared[number_ % std::size(worker.prepared)];
  if (prepared == number_) return;
  void* there = nullptr;
  if (dlinfo(handle_, RTLD_DI_TLS_DATA, &there) != 0 || !there) {
    // The memory that a thread frees is the memory that it gets next. volatile: a compiler may remove an allocation
    // that is only freed.
    void* volatile const index = std::malloc(index_bytes_);
    void* volatile const memory = std::malloc(bytes_);
    const bool enough = index && memory;
    std::free(memory);
    std::free(index);
    if (!enough) throw std::bad_alloc();
  }
  prepared = number_;  // it runs next
  worker.own_place[number_ % std::size(worker.own_place)] = 0;
}

tenon_extent ImageTls::of_this_thread(tenon_worker& worker) const {
  if (!size_) return {};
  uint64_t& place = worker.own_place[number_ % std::size(worker.own_place)];
  void* there = nullptr;
  if (!place && dlinfo(handle_, RTLD_DI_TLS_DATA, &there) == 0) place = reinterpret_cast<uint64_t>(there);
  return place ? tenon_extent{place, place + size_} : tenon_extent{};
}

}  // namespace tenon::cpu
