// kernel/graph.cpp: what a graph's steps use, their launch, and arguments that change.
#include "kernel/graph.hpp"
#include "core/call.hpp"
#include "core/watch.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace tenon {
namespace {

Call* call_of(const Step& step) { return dynamic_cast<Call*>(step.owner.get()); }

}  // namespace

Ref<Stream> Graph::begin() {
  TENON_REQUIRE(!recording_, TENON_ERROR_INVALID_ARGUMENT, "the graph is being recorded: end that first, or clear it");
  TENON_REQUIRE(!ready_, TENON_ERROR_INVALID_ARGUMENT, "the graph holds what was recorded before (%d nodes): clear it first", node_count());
  Ref<Recording> recording = make<Recording>(device_);
  Ref<Stream> stream = make<RecordingStream>(recording);
  recording_ = std::move(recording);
  return stream;
}

void Graph::end() {
  TENON_REQUIRE(recording_, TENON_ERROR_INVALID_ARGUMENT, "the graph is not being recorded: tenon_graph_begin starts that");
  steps_ = recording_->finish();
  recording_ = nullptr;
  try {
    prepare();
  } catch (...) {
    clear();
    throw;
  }
  ready_ = true;
}

void Graph::clear() noexcept {
  if (Ref<Recording> recording = std::exchange(recording_, nullptr)) recording->close();
  ready_ = false;
  replay_ = nullptr;  // before the memory that it uses
  changed_.clear();
  used_.clear();
  programs_.clear();
  steps_.clear();
}

void Graph::prepare() {
  std::unordered_map<Buffer*, size_t> places;
  for (const Step& step : steps_)
    for (const BufferUse& use : step.uses) {
      auto [place, is_new] = places.try_emplace(use.buffer.get(), used_.size());
      if (is_new) used_.push_back({use.buffer, 0, 0});
      ++(use.write ? used_[place->second].writes : used_[place->second].reads);
    }
  std::unordered_set<Program*> seen;
  for (const Step& step : steps_)
    if (Call* call = call_of(step))
      if (Program* program = &call->kernel().program(); seen.insert(program).second) programs_.push_back(program);
  make_replay();
}

void Graph::make_replay() {
  std::unique_ptr<Replay> replay = device_.make_replay(steps_);
  if (replay) {
    used_.reserve(used_.size() + replay->memory().size());
    for (const Ref<Buffer>& buffer : replay->memory()) used_.push_back({buffer, 0, 1});
  }
  if (replay_)
    for (const Ref<Buffer>& buffer : replay_->memory()) uncount({buffer, true});
  replay_ = std::move(replay);
  changed_.clear();
}

void Graph::count(const BufferUse& use) {
  auto found = std::find_if(used_.begin(), used_.end(), [&](const Used& used) { return used.buffer.get() == use.buffer.get(); });
  if (found == used_.end()) found = used_.insert(found, {use.buffer, 0, 0});
  ++(use.write ? found->writes : found->reads);
}

void Graph::uncount(const BufferUse& use) noexcept {
  auto found = std::find_if(used_.begin(), used_.end(), [&](const Used& used) { return used.buffer.get() == use.buffer.get(); });
  if (--(use.write ? found->writes : found->reads) + (use.write ? found->reads : found->writes)) return;
  *found = std::move(used_.back());
  used_.pop_back();
}

void Graph::open() const {
  for (const Used& used : used_) CallScope::opened(*used.buffer);
}

void Graph::launch(Stream& stream) {
  TENON_REQUIRE(&stream.device() == &device_, TENON_ERROR_DEVICE, "the stream is one of %s, and the graph was recorded for %s",
                stream.device().name().c_str(), device_.name().c_str());
  require_running(stream, "a graph cannot be launched into another");
  TENON_REQUIRE(ready_, TENON_ERROR_INVALID_ARGUMENT, recording_ ? "the graph is still being recorded: tenon_graph_end first"
                                                                 : "the graph holds nothing yet: record it with tenon_graph_begin and tenon_graph_end");
  if (!changed_.empty()) [[unlikely]] {
    for (int32_t node : changed_)
      if (!replay_->change(size_t(node))) {
        make_replay();
        break;
      }
    changed_.clear();
  }
  if (stream.capturing()) [[unlikely]] stream.keep_with_capture(Ref<const Object>(this));  // it becomes part of that graph
  for (const Used& used : used_) used.buffer->use(stream, used.writes != 0);
  for (Program* program : programs_) program->use_globals(stream);
  if (steps_.empty()) return;
  if (!replay_) {
    for (const Step& step : steps_) {
      if (stream.watched() && !step.values) [[unlikely]] run_watched(stream, step.name.c_str(), step.run, [&] { return step.name; });
      else step.run(stream);  // a launch is watched by its module
    }
  } else if (stream.watched()) [[unlikely]] {
    run_watched(stream, "tenon_graph", [this](Stream& on) { replay_->launch(on); }, [this] { return format("a graph of %d nodes", node_count()); });
  } else {
    replay_->launch(stream);
  }
}

const Step& Graph::node(int32_t index) const {
  TENON_REQUIRE(index >= 0 && index < node_count(), TENON_ERROR_INVALID_ARGUMENT, "node %d is out of range: the graph has %d%s", index,
                node_count(), recording_ ? " until its recording ends" : "");
  return steps_[size_t(index)];
}

int32_t Graph::parameter_count(int32_t index) const {
  Call* call = call_of(node(index));
  return call ? call->parameter_count() : 0;
}

Call& Graph::call(int32_t index) const {
  const Step& step = node(index);
  Call* call = call_of(step);
  TENON_REQUIRE(call, TENON_ERROR_INVALID_ARGUMENT, "node %d is \"%s\", and only the arguments of a kernel's launch can be replaced", index,
                step.name.c_str());
  return *call;
}

void Graph::set(int32_t index, int32_t parameter, const tenon_arg& argument) {
  Call* const call = &this->call(index);
  Step& step = steps_[size_t(index)];
  // What can fail comes first.
  std::vector<BufferUse> uses;
  uses.reserve(size_t(call->parameter_count()));
  used_.reserve(used_.size() + size_t(call->parameter_count()));
  changed_.reserve(changed_.size() + 1);
  call->set(parameter, argument);
  call->uses(uses);
  for (const BufferUse& use : uses) count(use);
  for (const BufferUse& use : step.uses) uncount(use);
  step.uses.swap(uses);
  if (replay_ && std::find(changed_.begin(), changed_.end(), index) == changed_.end()) changed_.push_back(index);
}

}  // namespace tenon
