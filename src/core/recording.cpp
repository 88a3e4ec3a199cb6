// core/recording.cpp: what a recording stream takes, and what it refuses.
#include "core/recording.hpp"

#include <algorithm>

namespace tenon {

void Recording::check() const {
  TENON_REQUIRE(open_, TENON_ERROR_INVALID_HANDLE, "the recording of this stream's graph has ended: put the work on another stream, or record again");
  TENON_REQUIRE(thread_ == std::this_thread::get_id(), TENON_ERROR_INVALID_ARGUMENT,
                "this stream records a graph for the thread that called tenon_graph_begin, and this is another one");
}

void Recording::use(Buffer& buffer, bool write) {
  std::lock_guard lock(mutex_);
  check();
  for (BufferUse& use : uses_)
    if (use.buffer.get() == &buffer) {
      use.write = use.write || write;
      return;
    }
  uses_.push_back({Ref<Buffer>(&buffer), write});
}

void Recording::add(Step step) {
  std::lock_guard lock(mutex_);
  check();
  if (step.uses.empty()) step.uses = std::move(uses_);
  uses_.clear();
  steps_.push_back(std::move(step));
}

size_t Recording::size() {
  std::lock_guard lock(mutex_);
  check();
  return steps_.size();
}

void Recording::drop_from(size_t count) noexcept {
  std::vector<Step> dropped;  // their buffers go outside the lock
  std::vector<BufferUse> uses;
  std::lock_guard lock(mutex_);
  uses.swap(uses_);
  while (steps_.size() > count) steps_.pop_back();
}

std::vector<Step> Recording::finish() {
  std::lock_guard lock(mutex_);
  check();
  open_ = false;
  uses_.clear();
  return std::move(steps_);
}

void Recording::close() noexcept {
  {
    std::lock_guard lock(mutex_);
    open_ = false;
  }
  drop_from(0);
}

RecordingStream::RecordingStream(Ref<Recording> recording) : Stream(recording->device(), recording.get(), true), held_(std::move(recording)) {}

namespace {

[[noreturn]] void nothing_runs(const char* what) {
  fail(TENON_ERROR_UNSUPPORTED, "%s: the stream records a graph, and nothing runs on it before tenon_graph_launch", what);
}

}  // namespace

uint64_t RecordingStream::native() const { nothing_runs("there is no native stream"); }
void RecordingStream::synchronize() { nothing_runs("there is nothing to wait for"); }
bool RecordingStream::query() { nothing_runs("there is nothing to ask about"); }
void RecordingStream::wait(Event&) {
  nothing_runs("an event cannot be waited for (a launch of the graph waits by itself for earlier users of its arrays)");
}
void RecordingStream::do_wait_for(Stream&, bool) { nothing_runs("another stream cannot be waited for"); }

void require_running(const Stream& stream, const char* what) {
  TENON_REQUIRE(!stream.recording(), TENON_ERROR_UNSUPPORTED, "%s, and the stream records a graph: do it before or after", what);
}

}  // namespace tenon
