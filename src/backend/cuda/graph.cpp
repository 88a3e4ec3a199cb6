// backend/cuda/graph.cpp: steps captured into a CUDA graph, its launch, and arguments that change.
#include "backend/cuda/graph.hpp"

#include <algorithm>

namespace tenon::cuda {

void CudaDevice::need_before_capture(Stream& stream, const char* what, std::function<void()> prepare) {
  if (static_cast<CudaStream&>(stream).capture()) throw Interruption{std::move(prepare)};
  refuse_foreign_capture(stream, what);
}

void CudaDevice::refuse_foreign_capture(Stream& stream, const char* what) {
  TENON_REQUIRE(!stream.capturing(), TENON_ERROR_UNSUPPORTED,
                "%s, and the stream is being captured into a graph by another library: do that before the capture, or record a tenon_graph",
                what);
}

// The smallest free block that is not much too large.
void* Capture::take(uint64_t bytes) {
  Block* best = nullptr;
  for (Block& block : blocks_) {
    const uint64_t has = block.buffer->bytes();
    if (!block.busy && has >= bytes && has / 2 <= bytes && (!best || has < best->buffer->bytes())) best = &block;
  }
  if (!best)
    throw Interruption{[this, bytes] {
      blocks_.push_back({Buffer::create(device_, bytes, TENON_MEMORY_DEVICE, device_.default_stream()), false});
    }};
  best->busy = true;
  return best->buffer->data();
}

void Capture::give_back(void* data) noexcept {
  for (Block& block : blocks_)
    if (block.buffer->data() == data) block.busy = false;
}

std::vector<Ref<Buffer>> Capture::memory() const {
  std::vector<Ref<Buffer>> out;
  for (const Block& block : blocks_) out.push_back(block.buffer);
  return out;
}

namespace {

// "graph of 1000 nodes (saxpy, copy, ...)": what a fault names.
const char* summary(const std::vector<Step>& steps) {
  std::vector<std::string> names;
  for (const Step& step : steps)
    if (names.size() < 4 && std::find(names.begin(), names.end(), step.name) == names.end()) names.push_back(step.name);
  std::string out = "graph of " + std::to_string(steps.size()) + " nodes (";
  for (const std::string& name : names) out += name + ", ";
  return kept_name(out + "...)");
}

class CudaReplay final : public Replay {
 public:
  CudaReplay(CudaDevice& device, const std::vector<Step>& steps)
      : device_(device), steps_(steps), name_(summary(steps)), capture_(device), nodes_(steps.size()) {
    const Driver& driver = device.driver();
    Scope scope = device.activate();
    const size_t most = 256 + 8 * steps.size();
    for (size_t attempt = 0; !capture_all(driver); ++attempt)
      TENON_REQUIRE(attempt < most, TENON_ERROR_INTERNAL, "a graph could not be captured: each try needed something more; please report this");
    memory_ = capture_.memory();
    try {
      device.check(driver.cuGraphInstantiate(&exec_, graph_, 0), "cuGraphInstantiateWithFlags");
      for (Node& node : nodes_)
        if (node.handle) device.check(driver.cuGraphKernelNodeGetParams(node.handle, &node.params), "cuGraphKernelNodeGetParams");
    } catch (...) {
      destroy();
      throw;
    }
  }
  ~CudaReplay() override { destroy(); }

  void launch(Stream& stream) override {
    const Driver& driver = device_.driver();
    const CUstream native = handle_of(stream);
    Scope scope = device_.activate();
    device_.note(LaunchNote(name_));
    device_.check(driver.cuGraphLaunch(exec_, native), "cuGraphLaunch");
  }

  bool change(size_t step) override {
    Node& node = nodes_[step];
    if (!node.handle) return false;
    const Driver& driver = device_.driver();
    Scope scope = device_.activate();
    node.params.kernelParams = const_cast<void**>(steps_[step].values);
    node.params.extra = nullptr;
    device_.check(driver.cuGraphExecKernelNodeSetParams(exec_, node.handle, &node.params), "cuGraphExecKernelNodeSetParams");
    return true;
  }

  const std::vector<Ref<Buffer>>& memory() const override { return memory_; }

 private:
  struct Node {
    CUgraphNode handle = nullptr;  // of a kernel launch whose arguments may change
    CUDA_KERNEL_NODE_PARAMS params{};
  };

  // False: something had to be prepared, which has been done, and the capture is to be tried again.
  bool capture_all(const Driver& driver) {
    CUstream native = nullptr;
    device_.check(driver.cuStreamCreateWithPriority(&native, CU_STREAM_NON_BLOCKING, 0), "cuStreamCreateWithPriority");
    const Ref<CudaStream> stream = make<CudaStream>(device_, native, capture_);
    capture_.start_again();
    device_.check(driver.cuStreamBeginCapture(native, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL), "cuStreamBeginCapture");
    std::function<void()> prepare;
    try {
      for (size_t i = 0; i < steps_.size(); ++i) {
        steps_[i].run(*stream);
        if (steps_[i].values) nodes_[i].handle = last_node(driver, native);
      }
    } catch (Interruption& interruption) {
      prepare = std::move(interruption.prepare);
    } catch (...) {
      give_up(driver, native);
      throw;
    }
    if (prepare) {
      give_up(driver, native);
      prepare();
      return false;
    }
    device_.check(driver.cuStreamEndCapture(native, &graph_), "cuStreamEndCapture");
    return true;
  }

  // The node that the next one will depend on. NULL: there is not just one.
  CUgraphNode last_node(const Driver& driver, CUstream native) {
    int status = CU_STREAM_CAPTURE_STATUS_NONE;
    CUcaptureId id = 0;
    const CUgraphNode* last = nullptr;
    size_t count = 0;
    device_.check(driver.cuStreamGetCaptureInfo(native, &status, &id, nullptr, &last, &count), "cuStreamGetCaptureInfo");
    return status == CU_STREAM_CAPTURE_STATUS_ACTIVE && count == 1 ? last[0] : nullptr;
  }

  void give_up(const Driver& driver, CUstream native) noexcept {
    CUgraph graph = nullptr;
    driver.cuStreamEndCapture(native, &graph);  // fails where the capture was broken, and ends it all the same
    if (graph) device_.note(driver.cuGraphDestroy(graph));
  }

  void destroy() noexcept {
    if (!device_.usable()) return;
    Scope scope = device_.try_activate();
    // One that is running is freed by the driver when it is done.
    if (exec_) device_.note(device_.table().cuGraphExecDestroy(exec_));
    if (graph_) device_.note(device_.table().cuGraphDestroy(graph_));
  }

  CudaDevice& device_;
  const std::vector<Step>& steps_;
  const char* const name_;
  Capture capture_;
  std::vector<Node> nodes_;
  std::vector<Ref<Buffer>> memory_;
  CUgraph graph_ = nullptr;
  CUgraphExec exec_ = nullptr;
};

}  // namespace

std::unique_ptr<Replay> CudaDevice::make_replay(const std::vector<Step>& steps) {
  if (steps.empty()) return nullptr;
  return std::make_unique<CudaReplay>(*this, steps);
}

}  // namespace tenon::cuda
