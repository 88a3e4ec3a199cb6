// core/buffer.hpp: memory with an owner, and the record of which streams used it.
#pragma once
#include <atomic>
#include <functional>
#include <mutex>
#include <vector>
#include "core/backend.hpp"
#include "core/context.hpp"

namespace tenon {

class Buffer final : public Object {
 public:
  // Own memory, allocated on the stream; of a stream that records: on its device's default stream.
  static Ref<Buffer> create(Device& device, uint64_t bytes, int32_t kind, Stream& stream);
  // Someone else's memory, borrowed until take_over.
  static Ref<Buffer> wrap(Device& device, void* data, uint64_t bytes, int32_t kind, bool read_only);
  // From now on the buffer ends the life of foreign memory: destroy(user) runs once, after the last use. The last step of an
  // import, so that nothing is consumed when an earlier one fails. destroy may be NULL.
  void take_over(tenon_destroy_fn destroy, void* user) noexcept { destroy_ = destroy, user_ = user; }
  ~Buffer() override;

  Device& device() const { return device_; }
  void* data() const { return data_; }
  uint64_t bytes() const { return bytes_; }
  int32_t kind() const { return kind_; }
  bool read_only() const { return read_only_; }
  bool foreign() const { return home_.get() == nullptr; }
  // May `device` touch this memory? Its own; pinned and managed memory also the CPU.
  bool reachable_from(const Device& device) const;

  // Orders `stream` behind the uses it conflicts with, and records the use. Free while one stream uses the buffer.
  void use(Stream& stream, bool write) {
    if (!used_.load(std::memory_order_relaxed)) used_.store(true, std::memory_order_relaxed);
    Stream* only = only_.load(std::memory_order_acquire);
    if (only == &stream && (!write || wrote_.load(std::memory_order_relaxed))) return;
    use_slowly(stream, write);
  }
  // Foreign memory whose owner's work stands before `stream`: other streams wait for that one. For a fresh buffer only.
  void ready_on(Stream& stream) noexcept {
    if (!context_->tracks_streams()) return;
    writer_ = Ref<Stream>(&stream);
    wrote_.store(true, std::memory_order_relaxed);
    only_.store(&stream, std::memory_order_release);
  }
  // Waits on the host until it may be read (or written) by host code.
  void use_on_host(bool write);
  // Orders `stream` behind the last writer (or all users) without recording a use: for consumers outside Tenon.
  void order_before(Stream& stream, bool write);

 private:
  Buffer(Device& device, int32_t kind) : context_(&device.context()), device_(device), kind_(kind) {}
  void use_slowly(Stream& stream, bool write);

  Ref<Context> context_;
  Device& device_;
  void* data_ = nullptr;
  uint64_t bytes_ = 0;
  int32_t kind_;
  bool read_only_ = false;
  Ref<Stream> home_;  // where own memory was allocated; none for foreign memory
  tenon_destroy_fn destroy_ = nullptr;
  void* user_ = nullptr;

  // The only stream that used it (NULL: none or several), and whether that one wrote.
  std::atomic<Stream*> only_{nullptr};
  std::atomic<bool> wrote_{false};
  std::atomic<bool> used_{false};  // by Tenon's own work: foreign memory that never was goes back at once
  std::mutex mutex_;
  Ref<Stream> writer_;                // last writer
  std::vector<Ref<Stream>> readers_;  // who read since, the writer's own stream not among them
};

}  // namespace tenon
