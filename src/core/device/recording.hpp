// core/device/recording.hpp: a stream that runs nothing: work enqueued on it is added to a list of pieces, which a
// graph runs later.
//
// Recording happens above the backends: buffers report their uses to it, and the device's functions pass their work to
// it in the form in which it would go to the backend. So while a program records, nothing waits, allocates behind the
// graph's back or reaches a driver.
#pragma once
#include <thread>
#include "core/device/buffer.hpp"

namespace tenon {

struct BufferUse {
  Ref<Buffer> buffer;
  bool write;
};

// The launch of a kernel within a piece, for Replay::change; the piece keeps everything in it alive.
struct RecordedLaunch {
  Module* module = nullptr;  // NULL: the piece is not a launch
  int32_t kernel = 0;
  Geometry geometry{};
  void* const* values = nullptr;
};

// One piece of recorded work.
struct RecordedWork {
  std::string name;
  std::function<void(Stream&)>
      run;  // puts it on a stream that runs it, which has been ordered behind the buffers' other users
  std::vector<BufferUse> uses{};
  RecordedLaunch launch{};
  Ref<Object> owner{};  // of the values
};

// What one call of the program put on the recording stream, in one or more pieces.
struct Node {
  int32_t kind;         // TENON_GRAPH_*
  const char* name;     // lives as long as the process
  size_t first, count;  // its pieces
  Ref<Object> call;     // replaces its arguments: a Call, a RecordedCall, or NULL
};

struct Recorded {
  std::vector<RecordedWork> pieces;
  std::vector<Node> nodes;
};

class Recording final : public Object {
 public:
  explicit Recording(Device& device)
      : context_(&device.context()), device_(device), thread_(std::this_thread::get_id()) {}

  Device& device() const { return device_; }
  // The home stream of memory that is allocated while recording; the graph's pieces keep it alive.
  Stream& home() { return device_.default_stream(); }
  void use(Buffer& buffer, bool write);  // by the piece that is added next
  void add(RecordedWork piece);          // to the node of the current call
  // Names the node of the current call. Calls made by its callbacks are ignored.
  void describe(int32_t kind, const std::string& name, Ref<Object> call);
  struct Mark {
    size_t pieces, nodes;
  };
  Mark mark();
  void drop_from(Mark mark) noexcept;  // removes pieces, and uses that do not belong to a piece yet
  Recorded finish();                   // ends the recording
  void close() noexcept;               // refuses later work
  int32_t node_count() const;
  Node node(int32_t index) const;

 private:
  void check() const;    // the caller holds mutex_
  Node& node_of_call();  // likewise

  const Ref<Context> context_;
  Device& device_;
  const std::thread::id thread_;
  mutable std::mutex mutex_;
  bool open_ = true;
  Recorded made_;
  std::vector<BufferUse> uses_;
};

class RecordingStream final : public Stream {
 public:
  explicit RecordingStream(Ref<Recording> recording);
  uint64_t native() const override;
  void synchronize() override;
  bool query() override;
  void wait(Event& event) override;

 private:
  void do_wait_for(Stream& earlier, bool ran) override;
  const Ref<Recording> held_;
};

// Throws UNSUPPORTED if the stream records; `what` gives the reason: "tenon_svd must wait for its result".
void require_running(const Stream& stream, const char* what);

// Work that consists of several pieces: if one fails, those recorded before it are removed.
template <class F> auto recorded_whole(Stream& stream, F&& work) {
  Recording* recording = stream.recording();
  if (!recording) [[likely]]
    return work();
  const Recording::Mark before = recording->mark();
  try {
    return work();
  } catch (...) {
    recording->drop_from(before);
    throw;
  }
}

// Node `index` of the list; throws INVALID_ARGUMENT.
const Node& checked_node(const std::vector<Node>& nodes, int32_t index);

}  // namespace tenon
