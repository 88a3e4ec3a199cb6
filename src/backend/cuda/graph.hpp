// backend/cuda/graph.hpp: steps captured into a CUDA graph, and what captures (ours and other libraries') do not allow.
#pragma once
#include <functional>
#include <memory>
#include <vector>
#include "backend/cuda/device.hpp"
#include "core/recording.hpp"

namespace tenon::cuda {

// Thrown by what a capture does not allow: the capture is given up, this is done, and the capture is tried again.
struct Interruption {
  std::function<void()> prepare;
};

// What belongs to one of our graphs: memory that its work needs for itself, and objects that it refers to. A capture allocates
// nothing: what is missing interrupts it.
class Capture {
 public:
  explicit Capture(CudaDevice& device) : device_(device) {}
  void* take(uint64_t bytes);
  void give_back(void* data) noexcept;  // later steps may have it: they run later
  void keep(std::shared_ptr<void> object) { kept_.push_back(std::move(object)); }
  void start_again() noexcept { for (Block& block : blocks_) block.busy = false; }
  std::vector<Ref<Buffer>> memory() const;

 private:
  struct Block {
    Ref<Buffer> buffer;
    bool busy;
  };
  CudaDevice& device_;
  std::vector<Block> blocks_;
  std::vector<std::shared_ptr<void>> kept_;
};

// A stream of ours that is being captured: `object` lives as long as the graph.
inline void keep_with_graph(Stream& stream, std::shared_ptr<void> object) {
  if (Capture* capture = static_cast<CudaStream&>(stream).capture()) capture->keep(std::move(object));
}

// Vendor libraries load code when they first need it, which the strict modes of capture forbid to the capturing thread.
class RelaxedCapture {
 public:
  RelaxedCapture(CudaDevice& device, Stream& stream)
      : driver_(static_cast<CudaStream&>(stream).capture() ? &device.table() : nullptr), mode_(CU_STREAM_CAPTURE_MODE_RELAXED) {
    if (driver_) device.check(driver_->cuThreadExchangeStreamCaptureMode(&mode_), "cuThreadExchangeStreamCaptureMode");
  }
  ~RelaxedCapture() {
    if (driver_) driver_->cuThreadExchangeStreamCaptureMode(&mode_);
  }
  RelaxedCapture(const RelaxedCapture&) = delete;

 private:
  const Driver* driver_;
  int mode_;
};

}  // namespace tenon::cuda
