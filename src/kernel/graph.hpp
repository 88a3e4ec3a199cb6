// kernel/graph.hpp: recorded steps, and their launch in one call.
#pragma once
#include "kernel/program.hpp"

namespace tenon {

class Graph final : public Object {
 public:
  static Ref<Graph> create(Device& device) { return Ref<Graph>::adopt(new Graph(device)); }

  Device& device() const { return device_; }
  Ref<Stream> begin();
  void end();
  void clear() noexcept;
  void launch(Stream& stream);
  void open() const;  // tells the call under way (core/call.hpp) which buffers it uses
  void set(int32_t node, int32_t index, const tenon_arg& argument);
  int32_t node_count() const { return int32_t(steps_.size()); }
  const Step& node(int32_t index) const;
  int32_t parameter_count(int32_t index) const;
  Call& call(int32_t index) const;  // throws where the node is something else

 private:
  // A buffer, and how many uses of the steps read and write it.
  struct Used {
    Ref<Buffer> buffer;
    uint32_t reads, writes;
  };

  explicit Graph(Device& device) : context_(&device.context()), device_(device) {}
  ~Graph() override { clear(); }
  void prepare();
  void make_replay();
  void count(const BufferUse& use);
  void uncount(const BufferUse& use) noexcept;

  const Ref<Context> context_;
  Device& device_;
  Ref<Recording> recording_;             // while it is under way
  bool ready_ = false;
  std::vector<Step> steps_;
  std::vector<Used> used_;
  std::vector<Program*> programs_;       // of the steps' kernels, each once: for their variables
  std::unique_ptr<Replay> replay_;       // NULL: the steps are run one by one
  std::vector<int32_t> changed_;         // steps whose arguments the replay does not know yet
};

}  // namespace tenon
