// backend/cuda/parking.hpp: memory whose last uses may still run.
#pragma once
#include <atomic>
#include <mutex>
#include <vector>
#include "backend/cuda/vendor/symbols.hpp"
#include "core/backend.hpp"

namespace tenon::cuda {

class CudaDevice;
class CudaStream;

// Events that are not in use, so that marking a stream creates none.
class EventPool {
 public:
  explicit EventPool(CudaDevice& device) : device_(device) {}
  CUevent take() noexcept;  // NULL: the driver has none
  void give(CUevent event) noexcept;
  void clear() noexcept;

 private:
  CudaDevice& device_;
  std::mutex mutex_;
  std::vector<CUevent> spare_;
};

// Keeps memory until every stream that used it has passed the point where it was when the memory was parked. Nothing
// here makes a stream wait, and nothing fails: a user that cannot be marked with an event now (its stream is being
// captured, the driver refuses) is marked at a later look, which is the same promise about a later point.
class Parking {
 public:
  explicit Parking(CudaDevice& device) : device_(device) {}
  // ours: blocks of Tenon's only. Foreign memory ends with a callback, which must not run under a lock.
  enum class What { ours, all };
  void park(Retired memory, Users users) noexcept;
  // As park, where only that stream used it; the stream may be at its end.
  void park_behind(CudaStream& stream, Retired memory) noexcept;
  // Ends what is over; safe while any stream is being captured.
  void look(What what) noexcept {
    if (any_.load(std::memory_order_acquire)) look_closely(what, false);
  }
  // Waits for what can be waited for first. Not for work of streams that are being captured.
  void wait() noexcept {
    if (any_.load(std::memory_order_acquire)) look_closely(What::all, true);
  }
  // The device is lost, or goes: nothing runs any more.
  void end_all() noexcept;

 private:
  // event NULL: the user cannot be reached any more, and is over when its device is idle. That is waited for when
  // memory is short, when the caller waits for the device, and at its end.
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
