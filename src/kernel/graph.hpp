// kernel/graph.hpp: recorded calls, and the launch of all of them in one.
#pragma once
#include "kernel/recorded_call.hpp"

namespace tenon {

class Graph final : public Object {
 public:
  static Ref<Graph> create(Device& device) { return Ref<Graph>::adopt(new Graph(device)); }

  Device& device() const { return device_; }
  Ref<Stream> begin();
  void end();
  void clear() noexcept;
  void launch(Stream& stream);
  void require_idle() const;  // throws during a launch: a host function of the graph may call Tenon
  void open() const;          // declares its buffers to the current call (core/device/call.hpp)
  // Each checks its arguments first: it changes the node, or throws and leaves it unchanged.
  void set(int32_t node, int32_t index, const CallArgument& argument);
  void set_all(int32_t node, const CallArgument* args, int32_t count);
  void set_launch(int32_t node, const Geometry& launch);
  int32_t node_count() const { return recording_ ? recording_->node_count() : int32_t(nodes_.size()); }
  static int32_t parameter_count(const Node& node);
  int32_t replaceable(
      int32_t node) const;  // the number of arguments that set_all takes for it; 0: they cannot be replaced
  tenon_parameter_info parameter(const RecordedCall& call, const Node& node, int32_t index) const;
  Node node(int32_t index) const { return recording_ ? recording_->node(index) : checked_node(nodes_, index); }

 private:
  // A buffer, and the numbers of the pieces' uses that read and write it.
  struct Used {
    Ref<Buffer> buffer;
    uint32_t reads, writes;
  };

  explicit Graph(Device& device) : context_(&device.context()), device_(device) {}
  ~Graph() override { clear(); }
  void prepare();
  void make_replay();
  void note_programs() noexcept;
  Node& changeable(int32_t index);  // throws if nothing of the node can be replaced
  template <class F> void change(const Node& node, Call& call, F&& change);
  void note_change(size_t piece) noexcept;
  void record_again(Node& node, RecordedCall& call, const CallArgument* args, int32_t count);

  const Ref<Context> context_;
  Device& device_;
  Ref<Recording> recording_;  // during a launch
  bool ready_ = false;
  std::vector<Node> nodes_;
  std::vector<RecordedWork> pieces_;
  std::vector<Used> used_;
  std::vector<Program*> programs_;  // the programs of the pieces' kernels, each once, because of their variables
  std::unique_ptr<Replay> replay_;  // NULL: the pieces run one by one
  bool launching_ = false;
  std::vector<size_t> changed_;  // pieces whose launches have changed since the replay was made
  bool rebuild_ = false;         // the pieces themselves have changed since then
};

}  // namespace tenon
