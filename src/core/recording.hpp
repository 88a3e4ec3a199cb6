// core/recording.hpp: a stream that runs nothing: what is put on it becomes a list of steps, which a graph runs later.
//
// Recording happens above the backends: buffers tell it who uses them, the device's functions hand their work over as it would
// go to the backend. So nothing waits, allocates behind the graph's back or reaches a driver while a program records.
#pragma once
#include <thread>
#include "core/buffer.hpp"

namespace tenon {

struct BufferUse {
  Ref<Buffer> buffer;
  bool write;
};

// One piece of recorded work.
struct Step {
  int32_t kind = 0;                  // TENON_GRAPH_*
  std::string name;
  std::function<void(Stream&)> run;  // puts it on a stream that runs it, which was ordered behind the buffers' other users
  std::vector<BufferUse> uses;
  void* const* values = nullptr;     // of a kernel launch: what points at its arguments, for Replay::change
  Ref<Object> owner;                 // of those
};

class Recording final : public Object {
 public:
  explicit Recording(Device& device) : context_(&device.context()), device_(device), thread_(std::this_thread::get_id()) {}

  Device& device() const { return device_; }
  // Where memory is at home that is made while recording: the graph's steps keep it alive.
  Stream& home() { return device_.default_stream(); }
  void use(Buffer& buffer, bool write);   // by the step that is added next
  void add(Step step);
  size_t size();
  void drop_from(size_t count) noexcept;  // takes steps back, and uses that no step has yet
  std::vector<Step> finish();             // closes it
  void close() noexcept;                  // whatever comes now is refused

 private:
  void check() const;                     // under mutex_

  const Ref<Context> context_;
  Device& device_;
  const std::thread::id thread_;
  std::mutex mutex_;
  bool open_ = true;
  std::vector<Step> steps_;
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

// Throws UNSUPPORTED when the stream records; `what` says why that cannot be: "tenon_svd waits for its result".
void require_running(const Stream& stream, const char* what);

// Work of several steps: a failure takes back those that were recorded before it.
template <class F>
auto recorded_whole(Stream& stream, F&& work) {
  Recording* recording = stream.recording();
  if (!recording) [[likely]] return work();
  const size_t count = recording->size();
  try {
    return work();
  } catch (...) {
    recording->drop_from(count);
    throw;
  }
}

}  // namespace tenon
