// core/device/buffer.hpp: memory with an owner, and the record of which streams used it.
//
// The invariant that this file, backend/cuda/parking.hpp and backend/cuda/streams/stream.cpp keep together:
//
//   Memory is reused or given back only after every use that was ever put on any stream, by Tenon or by those to whom
//   it was lent, is over. A use is ordered behind every conflicting earlier use that Tenon can know about.
//
// Why it holds (src/README.md has a table of who orders what):
// - A buffer lists each stream that used it since the last write that all others were ordered behind. A use on another
//   stream first makes that stream wait for those in the list that conflict. There is one Stream object per native
//   stream, so "another stream" is a comparison of pointers.
// - At the end of its life a buffer passes the list to Device::retire, which marks each stream with an event, at once
//   or as soon as the stream can be marked, and keeps the memory until all events are reached. It cannot fail and makes
//   nobody wait.
// - Memory that is shared with another framework is also used without Tenon's knowledge. An import may come with a
//   function that returns the framework's current stream: each use here on another stream waits for that stream first.
//   An export names the consumer's stream, which is ordered behind the list and behind the framework's current stream:
//   as long as the export lives, each use here waits for the consumer's stream; when it ends, the stream joins the
//   list.
// - Work that another library captures into a graph does not run now. A use in a capture is only ordered within the
//   capture, and does not change the list.
#pragma once
#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>
#include "core/device/backend.hpp"
#include "core/device/context.hpp"

namespace tenon {

class Buffer final : public Object {
 public:
  // Own memory, allocated on the stream; if that is recording, on its device's default stream. Reading the memory of a
  // recording throws until it is written, normally by the first launch of the graph.
  static Ref<Buffer> create(Device& device, uint64_t bytes, int32_t kind, Stream& stream);
  // Foreign memory, borrowed until take_over.
  static Ref<Buffer> wrap(Device& device, void* data, uint64_t bytes, int32_t kind, bool read_only);
  // From now on the buffer ends the life of foreign memory: destroy(user) runs once, after the last use. This is the
  // last step of an import, so that nothing is consumed if an earlier step fails. destroy may be NULL.
  void take_over(tenon_destroy_fn destroy, void* user) noexcept { destroy_ = destroy, user_ = user; }
  void release() const noexcept { release_or_delete(); }
  ~Buffer() override;

  Device& device() const { return device_; }
  void* data() const { return data_; }
  uint64_t bytes() const { return bytes_; }
  int32_t kind() const { return kind_; }
  bool read_only() const { return read_only_; }
  // Tracks its uses even in a context that does not track streams: for memory whose life Tenon itself ends.
  void track() noexcept { tracked_ = true; }
  // For memory shared between processes: it is foreign here, but Tenon ends its life, so a captured graph keeps it like
  // own memory. `made_here`: others may get the key.
  void set_key(const SharedKey& key, bool made_here) {
    key_ = std::make_unique<const SharedKey>(key);
    made_here_ = made_here;
  }
  const SharedKey* key() const { return made_here_ ? key_.get() : nullptr; }
  bool foreign() const { return home_.get() == nullptr; }
  // May `device` access this memory? Its own device may; the CPU also may if the memory is pinned or managed.
  bool reachable_from(const Device& device) const;

  // Orders `stream` behind conflicting uses, and records the use. Costs nothing while one stream uses the buffer.
  void use(Stream& stream, bool write) {
    Stream* only = only_.load(std::memory_order_acquire);
    if (only == &stream && (!write || wrote_.load(std::memory_order_relaxed)) && !stream.known_to_others()) return;
    use_slowly(stream, write);
  }
  // For foreign memory whose owner has enqueued its work on `stream`: other streams wait for that one. For a fresh
  // buffer only.
  void ready_on(Stream& stream);
  // For foreign memory of a framework that reports its current stream; replaces ready_on. The framework reuses its
  // memory in the order of that stream, so uses there do not delay the end of an import.
  void follow(tenon_current_stream_fn current);
  // The framework's current stream on the buffer's device; NULL if no framework reports one.
  Ref<Stream> current_stream() const;
  // Waits on the host until host code may read (or write) the memory.
  void use_on_host(bool write);

  // Lends the memory to a consumer outside Tenon that works on `stream`, which is ordered behind all users. Until
  // take_back, every use on another stream is ordered behind what the consumer has enqueued by then. NULL: the consumer
  // does the ordering.
  void lend(Stream* stream);
  void take_back(Stream* stream, bool stream_is_valid) noexcept;
  // The streams on which others use the memory, except `stream`.
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
  Ref<Stream> home_;         // where own memory was allocated; NULL for foreign memory
  bool of_capture_ = false;  // own memory that belongs to another library's graph, which need not keep the buffer
  bool recorded_ = false;    // made by a recording, and nothing that runs has written it: it has no contents yet
  tenon_destroy_fn destroy_ = nullptr;
  void* user_ = nullptr;
  tenon_current_stream_fn current_ = nullptr;
  std::unique_ptr<const SharedKey> key_;
  bool made_here_ = false;

  // The only stream that used it (NULL: none, several, or the buffer is shared), and whether it wrote.
  std::atomic<Stream*> only_{nullptr};
  std::atomic<bool> wrote_{false};
  std::atomic<bool> shared_{false};  // current_ is set, or the memory is lent
  std::mutex mutex_;
  Users users_;                    // what later uses are ordered behind
  Users captured_;                 // uses in other libraries' captures; they are ordered among themselves
  std::vector<Ref<Stream>> lent_;  // the consumers' streams, one per live export
};

}  // namespace tenon
