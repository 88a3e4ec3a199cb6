// backend/cuda/graph.hpp: pieces of work captured into a CUDA graph, and the work that captures (ours and other
// libraries') do not allow. Defined in streams/graph.cpp.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <vector>
#include "backend/cuda/device.hpp"
#include "core/device/recording.hpp"

namespace tenon::cuda {

// Thrown by work that a capture does not allow: the capture is abandoned, this is done, and the capture is tried again.
struct Interruption {
  std::function<void()> prepare;
};

// What a captured graph, and everything instantiated from it, needs as long as it lives.
class Capture {
 public:
  virtual ~Capture() = default;
  // Memory that the captured work needs. After give_back, work that is captured later on the same stream may reuse it,
  // because it also runs later.
  virtual void* take(uint64_t bytes, CudaStream& stream) = 0;
  virtual void give_back(void* data, CudaStream& stream) noexcept = 0;
  virtual void keep(std::shared_ptr<void> object) = 0;
  // Does work that a capture does not allow: see CudaDevice::beside_capture.
  virtual void prepare(const char* what, std::function<void()> work) = 0;
};

// A graph of ours. Its capture allocates nothing: missing memory interrupts it.
class OwnCapture final : public Capture {
 public:
  explicit OwnCapture(CudaDevice& device) : device_(device) {}
  void* take(uint64_t bytes, CudaStream& stream) override;
  void give_back(void* data, CudaStream& stream) noexcept override;
  void keep(std::shared_ptr<void> object) override { kept_.push_back(std::move(object)); }
  void prepare(const char*, std::function<void()> work) override { throw Interruption{std::move(work)}; }
  void start_again() noexcept {
    for (Block& block : blocks_) block.busy = false;
  }
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

// A graph of another library. The graph refers to this object (through a CUDA user object), and so does each array in
// its memory; it ends with the last of them. The driver may report the end of the graph on a thread and at a time where
// no CUDA function may be called, so the object is then put on a list (buried), and the next collect frees its memory.
class ForeignCapture final : public Object, public Capture {
 public:
  ForeignCapture(CudaDevice& device, CUcaptureId id, bool blocking)
      : context_(&device.context()), device_(device), id_(id), blocking_(blocking) {}
  ~ForeignCapture() override;
  CUcaptureId id() const { return id_; }
  void* take(uint64_t bytes, CudaStream& stream) override;
  void give_back(void* data, CudaStream& stream) noexcept override;
  void keep(std::shared_ptr<void> object) override;
  void prepare(const char* what, std::function<void()> work) override;

  // Releases the graph's reference: `self` is the pointer that the graph was given.
  static void bury(void* self) noexcept;
  static void collect_buried() noexcept;

 private:
  struct Block {
    void* data;
    uint64_t bytes;
    bool busy;
    const CudaStream* freed_on;  // a stream of the capture; only compared
  };
  const Ref<Context> context_;  // keeps the device alive
  CudaDevice& device_;
  const CUcaptureId id_;
  const bool blocking_;  // the captured stream is ordered with the legacy default stream
  std::mutex mutex_;
  std::vector<Block> blocks_;
  std::vector<std::shared_ptr<void>> kept_;
  ForeignCapture* next_buried_ = nullptr;
};

// `object` lives as long as the graph into which the stream's work is captured.
inline void keep_with_graph(Stream& stream, std::shared_ptr<void> object) {
  if (Capture* capture = static_cast<CudaStream&>(stream).capture()) capture->keep(std::move(object));
}

// Vendor libraries load code on first use, which the strict capture modes forbid.
class RelaxedCapture {
 public:
  RelaxedCapture(CudaDevice& device, Stream& stream) {
    if (static_cast<CudaStream&>(stream).capture()) mode_.emplace(device.table());
  }

 private:
  std::optional<RelaxedMode> mode_;
};

}  // namespace tenon::cuda
