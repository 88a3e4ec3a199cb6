// backend/cuda/parking.hpp: memory whose last uses may still run. Defined in streams/parking.cpp.
#pragma once
#include <atomic>
#include <mutex>
#include <vector>
#include "backend/cuda/vendor/symbols.hpp"
#include "core/device/backend.hpp"

namespace tenon::cuda {

class CudaDevice;
class CudaStream;

// A pool of unused events, so that marking a stream does not create one.
class EventPool {
 public:
  explicit EventPool(CudaDevice& device) : device_(device) {}
  CUevent take() noexcept;  // NULL: the driver could not create one
  void give(CUevent event) noexcept;
  void clear() noexcept;

 private:
  CudaDevice& device_;
  std::mutex mutex_;
  std::vector<CUevent> spare_;
};

// Keeps memory until every stream that used it has passed the point that it had reached when the memory was parked.
// Nothing here makes a stream wait, and nothing fails: a user that cannot be marked with an event now (its stream is
// being captured, or the driver fails) is marked at a later check, which only delays the reuse.
class Parking {
 public:
  explicit Parking(CudaDevice& device) : device_(device) {}
  // ours: only blocks of Tenon. The life of foreign memory ends with a callback, which must not run with a lock held.
  enum class What { ours, all };
  void park(Retired memory, Users users) noexcept;
  // Like park, if only that stream used it; the stream object may be at the end of its life.
  void park_behind(CudaStream& stream, Retired memory) noexcept;
  // Ends the life of memory whose uses are over; safe while any stream is being captured.
  void look(What what) noexcept {
    if (any_.load(std::memory_order_acquire)) look_closely(what, false);
  }
  // Waits first for the uses that can be waited for; not for work of streams that are being captured.
  void wait() noexcept {
    if (any_.load(std::memory_order_acquire)) look_closely(What::all, true);
  }
  // The device is lost or is being destroyed: nothing runs any more.
  void end_all() noexcept;

 private:
  // event == NULL: the user can no longer be reached, and counts as over when its device is idle. That is waited for
  // when memory is short, when the caller waits for the device, and at the end of the device.
  struct Mark {
    CudaDevice* device;
    CUevent event;
  };
  struct Parked {
    Retired memory;
    Users unmarked;
    std::vector<Mark> marks;
  };
  void look_closely(What what, bool wait) noexcept;
  void keep(Parked parked) noexcept;
  static bool over(Parked& parked, bool wait) noexcept;
  static void mark_users(Parked& parked) noexcept;

  CudaDevice& device_;
  std::mutex mutex_;
  std::vector<Parked> parked_;
  std::atomic<bool> any_{false};
};

}  // namespace tenon::cuda
