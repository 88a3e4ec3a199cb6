// core/device/recording.cpp: the work that a recording stream accepts, and the work that it refuses.
#include "core/device/recording.hpp"

#include <tenon/graph.h>

#include <algorithm>
#include <cstring>
#include "core/device/call.hpp"

namespace tenon {

void Recording::check() const {
  TENON_REQUIRE(open_, TENON_ERROR_INVALID_HANDLE,
                "the recording of this stream's graph has ended: put the work on another stream, or record again");
  TENON_REQUIRE(
      thread_ == std::this_thread::get_id(), TENON_ERROR_INVALID_ARGUMENT,
      "this stream is recording a graph for the thread that called tenon_graph_begin: other threads cannot use it "
      "until tenon_graph_end");
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

Node& Recording::node_of_call() {
  CallScope* const scope = CallScope::outermost();
  const size_t count = made_.nodes.size();
  if (scope && count && scope->recorded_in_ == this && scope->node_ == count - 1) return made_.nodes.back();
  static constexpr char prefix[] = "tenon_";
  const char* name = scope ? scope->name() : "";
  if (std::strncmp(name, prefix, sizeof prefix - 1) == 0) name += sizeof prefix - 1;
  made_.nodes.push_back({TENON_GRAPH_LIBRARY, name, made_.pieces.size(), 0, nullptr});
  if (scope) scope->recorded_in_ = this, scope->node_ = count;
  return made_.nodes.back();
}

void Recording::add(RecordedWork piece) {
  std::lock_guard lock(mutex_);
  check();
  if (piece.uses.empty()) piece.uses = std::move(uses_);
  uses_.clear();
  Node& node = node_of_call();
  made_.pieces.push_back(std::move(piece));
  ++node.count;
}

void Recording::describe(int32_t kind, const std::string& name, Ref<Object> call) {
  if (CallScope::nested()) return;
  const char* const kept = kept_name(name);
  std::lock_guard lock(mutex_);
  check();
  // Outside of all calls (in tests of this layer) each piece is a node.
  Node& node = !CallScope::outermost() && !made_.nodes.empty() ? made_.nodes.back() : node_of_call();
  node.kind = kind;
  node.name = kept;
  node.call = std::move(call);
}

Recording::Mark Recording::mark() {
  std::lock_guard lock(mutex_);
  check();
  return {made_.pieces.size(), made_.nodes.size()};
}

namespace {

template <class T> void move_tail(std::vector<T>& from, size_t at, std::vector<T>& to) noexcept {
  try {
    to.reserve(from.size() - std::min(at, from.size()));
  } catch (...) {  // no memory: the objects end here
  }
  for (; from.size() > at; from.pop_back())
    if (to.size() < to.capacity()) to.push_back(std::move(from.back()));
}

}  // namespace

void Recording::drop_from(Mark mark) noexcept {
  Recorded dropped;  // destroyed after the lock is released, because this may call a function of the program
  std::vector<BufferUse> uses;
  std::lock_guard lock(mutex_);
  uses.swap(uses_);
  auto& [pieces, nodes] = made_;
  move_tail(pieces, mark.pieces, dropped.pieces);
  move_tail(nodes, mark.nodes, dropped.nodes);
  if (!nodes.empty()) nodes.back().count = pieces.size() - nodes.back().first;
}

Recorded Recording::finish() {
  std::lock_guard lock(mutex_);
  check();
  open_ = false;
  uses_.clear();
  return std::move(made_);
}

void Recording::close() noexcept {
  {
    std::lock_guard lock(mutex_);
    open_ = false;
  }
  drop_from({0, 0});
}

int32_t Recording::node_count() const {
  std::lock_guard lock(mutex_);
  return int32_t(made_.nodes.size());
}

Node Recording::node(int32_t index) const {
  std::lock_guard lock(mutex_);
  return checked_node(made_.nodes, index);
}

const Node& checked_node(const std::vector<Node>& nodes, int32_t index) {
  TENON_REQUIRE(index >= 0 && size_t(index) < nodes.size(), TENON_ERROR_INVALID_ARGUMENT,
                "node %d is out of range: the graph has %zu nodes", index, nodes.size());
  return nodes[size_t(index)];
}

RecordingStream::RecordingStream(Ref<Recording> recording)
    : Stream(recording->device(), recording.get(), true), held_(std::move(recording)) {}

namespace {

[[noreturn]] void nothing_runs(const char* what) {
  fail(TENON_ERROR_UNSUPPORTED, "%s: the stream is recording a graph, so nothing runs before tenon_graph_launch", what);
}

}  // namespace

uint64_t RecordingStream::native() const { nothing_runs("there is no native stream"); }
void RecordingStream::synchronize() { nothing_runs("there is nothing to wait for"); }
bool RecordingStream::query() { nothing_runs("there is nothing to query"); }
void RecordingStream::wait(Event&) {
  nothing_runs(
      "an event cannot be waited for (a launch of the graph waits for earlier users of its arrays automatically)");
}
void RecordingStream::do_wait_for(Stream&, bool) { nothing_runs("another stream cannot be waited for"); }

void require_running(const Stream& stream, const char* what) {
  TENON_REQUIRE(!stream.recording(), TENON_ERROR_UNSUPPORTED,
                "%s, and the stream is recording a graph: do it before or after the recording", what);
}

}  // namespace tenon
