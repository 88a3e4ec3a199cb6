// kernel/graph.cpp: what the pieces of a graph use, their launch, and calls that change.
#include "kernel/graph.hpp"
#include "core/device/call.hpp"
#include "core/device/watch.hpp"

#include <algorithm>
#include <unordered_map>

namespace tenon {
namespace {

Call* call_of(const RecordedWork& piece) { return dynamic_cast<Call*>(piece.owner.get()); }

struct Launching {
  explicit Launching(bool& flag) : flag(flag) { flag = true; }
  ~Launching() { flag = false; }
  bool& flag;
};

}  // namespace

Ref<Stream> Graph::begin() {
  TENON_REQUIRE(!recording_, TENON_ERROR_INVALID_ARGUMENT,
                "the graph is being recorded: end the recording first, or clear the graph");
  TENON_REQUIRE(!ready_, TENON_ERROR_INVALID_ARGUMENT,
                "the graph already has %d nodes from an earlier recording: clear it first", node_count());
  Ref<Recording> recording = make<Recording>(device_);
  Ref<Stream> stream = make<RecordingStream>(recording);
  recording_ = std::move(recording);
  return stream;
}

void Graph::end() {
  TENON_REQUIRE(recording_, TENON_ERROR_INVALID_ARGUMENT,
                "the graph is not being recorded: call tenon_graph_begin first");
  Recorded recorded = recording_->finish();
  pieces_ = std::move(recorded.pieces);
  nodes_ = std::move(recorded.nodes);
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
  replay_ = nullptr;  // before the memory that it uses is released
  changed_.clear();
  rebuild_ = false;
  used_.clear();
  programs_.clear();
  nodes_.clear();
  pieces_.clear();
}

namespace {

// Counts how often buffers are read and written. Callers change a copy, which then replaces the original.
template <class Used> void count_use(std::vector<Used>& all, const BufferUse& use) {
  auto found =
      std::find_if(all.begin(), all.end(), [&](const Used& used) { return used.buffer.get() == use.buffer.get(); });
  if (found == all.end()) found = all.insert(found, {use.buffer, 0, 0});
  ++(use.write ? found->writes : found->reads);
}

template <class Used> void forget_use(std::vector<Used>& all, const BufferUse& use) noexcept {
  auto found =
      std::find_if(all.begin(), all.end(), [&](const Used& used) { return used.buffer.get() == use.buffer.get(); });
  if (--(use.write ? found->writes : found->reads) + (use.write ? found->reads : found->writes)) return;
  if (found != all.end() - 1) *found = std::move(all.back());
  all.pop_back();
}

}  // namespace

void Graph::prepare() {
  std::unordered_map<Buffer*, size_t> places;
  for (const RecordedWork& piece : pieces_)
    for (const BufferUse& use : piece.uses) {
      auto [place, is_new] = places.try_emplace(use.buffer.get(), used_.size());
      if (is_new) used_.push_back({use.buffer, 0, 0});
      ++(use.write ? used_[place->second].writes : used_[place->second].reads);
    }
  programs_.reserve(pieces_.size());
  note_programs();
  make_replay();
}

// Does not allocate: room for each piece was reserved.
void Graph::note_programs() noexcept {
  programs_.clear();
  for (const RecordedWork& piece : pieces_)
    if (Call* call = call_of(piece))
      if (Program* program = &call->kernel().program();
          std::find(programs_.begin(), programs_.end(), program) == programs_.end())
        programs_.push_back(program);
}

void Graph::make_replay() {
  std::unique_ptr<Replay> replay = device_.make_replay(pieces_);
  if (replay) {
    used_.reserve(used_.size() + replay->memory().size());
    for (const Ref<Buffer>& buffer : replay->memory()) used_.push_back({buffer, 0, 1});
  }
  if (replay_)
    for (const Ref<Buffer>& buffer : replay_->memory()) forget_use(used_, {buffer, true});
  replay_ = std::move(replay);
  changed_.clear();
  rebuild_ = false;
}

void Graph::open() const {
  for (const Used& used : used_) CallScope::opened(*used.buffer);
}

void Graph::launch(Stream& stream) {
  TENON_REQUIRE(&stream.device() == &device_, TENON_ERROR_DEVICE,
                "the stream belongs to %s, but the graph was recorded for %s", stream.device().name().c_str(),
                device_.name().c_str());
  require_running(stream, "a graph cannot be launched into another");
  TENON_REQUIRE(ready_, TENON_ERROR_INVALID_ARGUMENT,
                recording_ ? "the graph is still being recorded: call tenon_graph_end first"
                           : "nothing was recorded into the graph yet: use tenon_graph_begin and tenon_graph_end");
  require_idle();
  const Launching launching(launching_);
  if (rebuild_ || !changed_.empty()) [[unlikely]] {
    if (rebuild_ ||
        !std::all_of(changed_.begin(), changed_.end(), [&](size_t piece) { return replay_->change(piece); }))
      make_replay();
    changed_.clear();
  }
  if (stream.capturing()) [[unlikely]] {  // the work becomes part of that graph, which may outlive this one's contents
    stream.keep_with_capture(Ref<const Object>(this));
    for (const Used& used : used_) stream.keep_with_capture(Ref<const Object>(used.buffer.get()));
    for (const RecordedWork& piece : pieces_)
      if (piece.launch.module) stream.keep_with_capture(Ref<const Object>(piece.launch.module));
  }
  for (const Used& used : used_) used.buffer->use(stream, used.writes != 0);
  for (Program* program : programs_) program->use_globals(stream);
  if (pieces_.empty()) return;
  if (!replay_) {
    for (const RecordedWork& piece : pieces_) {
      if (stream.watched() && !piece.launch.module) [[unlikely]]
        run_watched(stream, piece.name.c_str(), piece.run, [&] { return piece.name; });
      else piece.run(stream);  // launches are watched by their modules
    }
  } else if (stream.watched()) [[unlikely]] {
    run_watched(
        stream, "tenon_graph", [this](Stream& on) { replay_->launch(on); },
        [this] { return format("a graph of %d calls", node_count()); });
  } else {
    replay_->launch(stream);
  }
}

int32_t Graph::parameter_count(const Node& node) {
  if (auto* call = dynamic_cast<const Call*>(node.call.get())) return call->parameter_count();
  return node.call ? static_cast<const RecordedCall&>(*node.call).arguments().count() : 0;
}

int32_t Graph::replaceable(int32_t node) const {
  return node >= 0 && size_t(node) < nodes_.size() ? parameter_count(nodes_[size_t(node)]) : 0;
}

tenon_parameter_info Graph::parameter(const RecordedCall& call, const Node& node, int32_t index) const {
  tenon_parameter_info info = call.arguments().parameter(index, node.name);
  const CallArgument& argument = call.arguments().data()[index];
  if (info.kind != TENON_PARAMETER_POINTER || recording_) return info;
  const Buffer* const buffer = &argument.array->buffer();
  info.read_only = 1;
  for (size_t i = node.first; i < node.first + node.count; ++i)
    for (const BufferUse& use : pieces_[i].uses)
      if (use.write && use.buffer.get() == buffer) info.read_only = 0;
  return info;
}

void Graph::require_idle() const {
  TENON_REQUIRE(!launching_, TENON_ERROR_INVALID_ARGUMENT,
                "the graph is being launched: a function that the launch calls cannot launch, change or clear it");
}

Node& Graph::changeable(int32_t index) {
  require_idle();
  TENON_REQUIRE(!recording_, TENON_ERROR_INVALID_ARGUMENT, "the graph is being recorded: end the recording first");
  checked_node(nodes_, index);
  Node& node = nodes_[size_t(index)];
  TENON_REQUIRE(node.call, TENON_ERROR_INVALID_ARGUMENT,
                "node %d is \"%s\", whose arguments cannot be replaced: that is possible for launches of kernels, "
                "generated kernels and operations",
                index, node.name);
  return node;
}

// Changes a launch's values in place.
template <class F> void Graph::change(const Node& node, Call& call, F&& change) {
  RecordedWork& piece = pieces_[node.first];
  // Everything that can fail is done first.
  std::vector<BufferUse> uses;
  uses.reserve(piece.uses.size() + size_t(call.parameter_count()));
  std::vector<Used> used;
  used.reserve(used_.size() + size_t(call.parameter_count()));
  used = used_;
  changed_.reserve(changed_.size() + 1);
  change();
  call.uses(uses);
  for (const BufferUse& use : uses) count_use(used, use);
  for (const BufferUse& use : piece.uses) forget_use(used, use);
  used_.swap(used);
  piece.uses.swap(uses);
  piece.launch = call.recorded_launch();
  note_change(node.first);
}

// Does not allocate: the memory was reserved.
void Graph::note_change(size_t piece) noexcept {
  if (replay_ && std::find(changed_.begin(), changed_.end(), piece) == changed_.end()) changed_.push_back(piece);
}

// Records a call again, because other arguments may lead to other pieces.
void Graph::record_again(Node& node, RecordedCall& call, const CallArgument* args, int32_t count) {
  KeptArguments kept;
  std::vector<RecordedWork> pieces = call.record(device_, args, count);
  kept = KeptArguments(args, count);
  std::vector<Used> used = used_;
  for (const RecordedWork& piece : pieces)
    for (const BufferUse& use : piece.uses) count_use(used, use);
  for (size_t i = 0; i < node.count; ++i)
    for (const BufferUse& use : pieces_[node.first + i].uses) forget_use(used, use);
  programs_.reserve(pieces_.size() + pieces.size());
  if (pieces.size() == node.count) {
    changed_.reserve(changed_.size() + pieces.size());
    for (size_t i = 0; i < pieces.size(); ++i) {
      pieces_[node.first + i] = std::move(pieces[i]);
      note_change(node.first + i);
    }
  } else {
    std::vector<RecordedWork> all;
    all.reserve(pieces_.size() - node.count + pieces.size());
    const auto move_to = [&](auto first, auto last) {
      all.insert(all.end(), std::make_move_iterator(first), std::make_move_iterator(last));
    };
    const auto begin = pieces_.begin() + ptrdiff_t(node.first);
    move_to(pieces_.begin(), begin);
    move_to(pieces.begin(), pieces.end());
    move_to(begin + ptrdiff_t(node.count), pieces_.end());
    for (Node& later : nodes_)
      if (&later > &node) later.first = later.first - node.count + pieces.size();
    node.count = pieces.size();
    pieces_.swap(all);
    rebuild_ = true;
  }
  used_.swap(used);
  call.keep(std::move(kept));
  note_programs();
}

void Graph::set(int32_t index, int32_t parameter, const CallArgument& argument) {
  Node& node = changeable(index);
  if (auto* call = dynamic_cast<Call*>(node.call.get()))
    return change(node, *call, [&] { call->set(parameter, argument); });
  auto& call = static_cast<RecordedCall&>(*node.call);
  const std::vector<CallArgument> args = call.arguments().with(parameter, argument, node.name);
  record_again(node, call, args.data(), int32_t(args.size()));
}

void Graph::set_all(int32_t index, const CallArgument* args, int32_t count) {
  Node& node = changeable(index);
  if (auto* call = dynamic_cast<Call*>(node.call.get()))
    return change(node, *call, [&] { call->set_all(args, count); });
  record_again(node, static_cast<RecordedCall&>(*node.call), args, count);
}

void Graph::set_launch(int32_t index, const Geometry& launch) {
  Node& node = changeable(index);
  auto* const call = dynamic_cast<Call*>(node.call.get());
  TENON_REQUIRE(call, TENON_ERROR_INVALID_ARGUMENT,
                "node %d is \"%s\", whose geometry follows from its arguments: replace those", index, node.name);
  change(node, *call, [&] { call->set_launch(launch); });
}

}  // namespace tenon
