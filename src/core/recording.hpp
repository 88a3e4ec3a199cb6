// core/recording.hpp: a stream that runs nothing: what is put on it becomes a list of steps, which a graph runs later.
//
// Recording happens above the backends: buffers tell it who uses them, the device's functions hand their work over as
// it would go to the backend. So nothing waits, allocates behind the graph's back or reaches a driver while a program
// records.
#pragma once
#include <thread>
#include "core/buffer.hpp"

namespace tenon {

struct BufferUse {
  Ref<Buffer> buffer;
  bool write;
};

// The launch of a kernel within a step, for Replay::change; the step keeps all of it.
struct StepLaunch {
  Module* module = nullptr;  // NULL: the step is something else
  int32_t kernel = 0;
  Geometry geometry{};
  void* const* values = nullptr;
};

// One piece of recorded work.
struct Step {
  std::string name;
  std::function<void(Stream&)>
      run;  // puts it on a stream that runs it, which was ordered behind the buffers' other users
  std::vector<BufferUse> uses{};
  StepLaunch launch{};
  Ref<Object> owner{};  // of the values
};

// What one call of the program put on the recording stream: as many steps as it took.
struct Node {
  int32_t kind;         // TENON_GRAPH_*
  const char* name;     // lives as long as the process
  size_t first, count;  // its steps
  Ref<Object> call;     // what replaces its arguments: a Call, a RecordedCall, or none
};

struct Recorded {
  std::vector<Step> steps;
  std::vector<Node> nodes;
};

class Recording final : public Object {
 public:
  explicit Recording(Device& device)
      : context_(&device.context()), device_(device), thread_(std::this_thread::get_id()) {}

  Device& device() const { return device_; }
  // The home stream of memory that is allocated while recording; the graph's steps keep it alive.
  Stream& home() { return device_.default_stream(); }
  void use(Buffer& buffer, bool write);  // by the step that is added next
  void add(Step step);                   // to the node of the call under way
  // Names the node of the call under way. Calls made by its callbacks are ignored.
  void describe(int32_t kind, const std::string& name, Ref<Object> call);
  struct Mark {
    size_t steps, nodes;
  };
  Mark mark();
  void drop_from(Mark mark) noexcept;  // takes steps back, and uses that no step has yet
  Recorded finish();                   // closes it
  void close() noexcept;               // later work is refused
  int32_t node_count() const;
  Node node(int32_t index) const;

 private:
  void check() const;    // under mutex_
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

// Throws UNSUPPORTED when the stream records; `what` says why that cannot be: "tenon_svd must wait for its result".
void require_running(const Stream& stream, const char* what);

// Work of several steps: a failure takes back those that were recorded before it.
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

// Node `index` of those; throws INVALID_ARGUMENT.
const Node& checked_node(const std::vector<Node>& nodes, int32_t index);

}  // namespace tenon
