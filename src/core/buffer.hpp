// core/buffer.hpp: memory with an owner, and the record of which streams used it.
//
// The invariant that this file, backend/cuda/parking.hpp and backend/cuda/stream.cpp keep together:
//
//   Memory is reused or given back only after every use that was ever put on any stream, by us or by those we lent it
//   to, is over. A use is ordered behind every conflicting earlier use that Tenon can know of.
//
// Why it holds (src/README.md has the table of who orders what):
// - A buffer lists each stream that used it since the last write that all others were ordered behind. A use on another
// stream
//   first makes that stream wait for those in the list that conflict. There is one Stream object for each native
//   stream, so "another stream" is a comparison of pointers.
// - At the end of its life a buffer hands the list to Device::retire, which marks each stream with an event, at once or
// as soon
//   as the stream can be marked, and keeps the memory until all marks are reached. It cannot fail and makes nobody
//   wait.
// - Memory shared with another framework is also used behind Tenon's back. An import may come with a function that
// tells the
//   framework's current stream: each use here on another stream waits for that one first. An export names the
//   consumer's stream: as long as the export lives, each use here waits for that stream; when it ends, the stream joins
//   the list.
// - What another library captures into a graph does not run now. A use in a capture is ordered within the capture only,
// and
//   changes nothing in the list.
#pragma once
#include <atomic>
#include <functional>
#include <memory>
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
  // From now on the buffer ends the life of foreign memory: destroy(user) runs once, after the last use. The last step
  // of an import, so that nothing is consumed when an earlier one fails. destroy may be NULL.
  void take_over(tenon_destroy_fn destroy, void* user) noexcept { destroy_ = destroy, user_ = user; }
  ~Buffer() override;

  Device& device() const { return device_; }
  void* data() const { return data_; }
  uint64_t bytes() const { return bytes_; }
  int32_t kind() const { return kind_; }
  bool read_only() const { return read_only_; }
  // Remembers its uses also in a context that does not track streams: for what Tenon ends by itself.
  void track() noexcept { tracked_ = true; }
  // Of memory that is shared between processes: foreign here, but Tenon ends it, so a captured graph keeps it as it
  // keeps own memory. `made_here`: others may be told the key.
  void set_key(const SharedKey& key, bool made_here) {
    key_ = std::make_unique<const SharedKey>(key);
    made_here_ = made_here;
  }
  const SharedKey* key() const { return made_here_ ? key_.get() : nullptr; }
  bool foreign() const { return home_.get() == nullptr; }
  // May `device` touch this memory? Its own; pinned and managed memory also the CPU.
  bool reachable_from(const Device& device) const;

  // Orders `stream` behind the uses it conflicts with, and records the use. Free while one stream uses the buffer.
  void use(Stream& stream, bool write) {
    Stream* only = only_.load(std::memory_order_acquire);
    if (only == &stream && (!write || wrote_.load(std::memory_order_relaxed)) && !stream.known_to_others()) return;
    use_slowly(stream, write);
  }
  // Foreign memory whose owner's work stands before `stream`: other streams wait for that one. For a fresh buffer only.
  void ready_on(Stream& stream);
  // Foreign memory of a framework that tells its current stream: replaces ready_on. The framework's memory is its own
  // to reuse in the order of that stream, so uses there do not delay the end of an import.
  void follow(tenon_current_stream_fn current);
  // The framework's current stream on the buffer's device; NULL where no framework tells it.
  Ref<Stream> current_stream() const;
  // Waits on the host until it may be read (or written) by host code.
  void use_on_host(bool write);

  // Lends the memory to a consumer outside Tenon that works on `stream`: orders it behind all users. Until take_back
  // every use on another stream is ordered behind what the consumer has enqueued by then. NULL: the consumer orders
  // itself.
  void lend(Stream* stream);
  void take_back(Stream* stream, bool stream_is_valid) noexcept;
  // The streams that others use the memory on, other than `stream`.
  void partners(const Stream& stream, std::vector<Ref<Stream>>& out);
  bool shared() const noexcept { return shared_.load(std::memory_order_acquire); }

 private:
  Buffer(Device& device, int32_t kind)
      : context_(&device.context()), device_(device), kind_(kind), tracked_(context_->tracks_streams()) {}
  void use_slowly(Stream& stream, bool write);
  void record_use(Stream& stream, bool write, bool theirs);
  void used_only_by(Stream* stream, bool wrote) noexcept;

  Ref<Context> context_;
  Device& device_;
  void* data_ = nullptr;
  uint64_t bytes_ = 0;
  int32_t kind_;
  bool tracked_;
  bool read_only_ = false;
  Ref<Stream> home_;         // where own memory was allocated; none for foreign memory
  bool of_capture_ = false;  // own memory that belongs to another library's graph, which need not keep the buffer
  tenon_destroy_fn destroy_ = nullptr;
  void* user_ = nullptr;
  tenon_current_stream_fn current_ = nullptr;
  std::unique_ptr<const SharedKey> key_;
  bool made_here_ = false;

  // The only stream that used it (NULL: none, several, or the buffer is shared), and whether that one wrote.
  std::atomic<Stream*> only_{nullptr};
  std::atomic<bool> wrote_{false};
  std::atomic<bool> shared_{false};  // current_ is set, or the memory is lent
  std::mutex mutex_;
  Users users_;                    // what later uses are ordered behind
  Users captured_;                 // uses in captures of other libraries; they order each other
  std::vector<Ref<Stream>> lent_;  // the consumers' streams, one for each export that is alive
};

}  // namespace tenon
