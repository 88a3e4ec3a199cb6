// backend/cuda/streams/graph.cpp: pieces captured into a CUDA graph, its launch, and arguments that change.
#include "backend/cuda/graph.hpp"

#include <algorithm>

namespace tenon::cuda {

void CudaDevice::beside_capture(Stream& stream, const char* what, std::function<void()> work) {
  if (Capture* capture = static_cast<CudaStream&>(stream).capture()) return capture->prepare(what, std::move(work));
  work();
}

void CudaStream::beside_capture(const char* what, const std::function<void()>& work) {
  cuda_.beside_capture(*this, what, work);
}

void CudaDevice::refuse_foreign_capture(Stream& stream, const char* what) {
  TENON_REQUIRE(
      !stream.capturing(), TENON_ERROR_UNSUPPORTED,
      "%s, and the stream is being captured into a graph by another library: do that before the capture, or record a "
      "tenon_graph",
      what);
}

// ---- our own graphs

// The smallest free block that is not much too large.
void* OwnCapture::take(uint64_t bytes, CudaStream&) {
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

void OwnCapture::give_back(void* data, CudaStream&) noexcept {
  for (Block& block : blocks_)
    if (block.buffer->data() == data) block.busy = false;
}

std::vector<Ref<Buffer>> OwnCapture::memory() const {
  std::vector<Ref<Buffer>> out;
  for (const Block& block : blocks_) out.push_back(block.buffer);
  return out;
}

// ---- graphs of other libraries

namespace {

// Objects whose last reference was released where no CUDA function may be called. A lock-free stack, because the
// driver's thread pushes to it.
std::atomic<ForeignCapture*> buried{nullptr};

}  // namespace

ForeignCapture& CudaDevice::foreign_capture(CUcaptureId id, CUgraph graph, bool blocking) {
  std::lock_guard lock(captures_mutex_);
  for (ForeignCapture* capture : captures_)
    if (capture->id() == id) return *capture;  // the graph being captured keeps it alive
  const Driver& driver = this->driver();
  TENON_REQUIRE(
      graph && driver.cuUserObjectCreate && driver.cuGraphRetainUserObject, TENON_ERROR_UNSUPPORTED,
      "the stream is being captured into a graph by another library, and this driver cannot tie memory to the lifetime "
      "of a graph, as that of CUDA 11.3 can: make this call before or after the capture");
  captures_.reserve(captures_.size() + 1);
  Ref<ForeignCapture> made = make<ForeignCapture>(*this, id, blocking);
  CUuserObject object = nullptr;
  Scope scope = activate();
  check(driver.cuUserObjectCreate(&object, made.get(), ForeignCapture::bury, 1, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC),
        "cuUserObjectCreate");
  ForeignCapture& capture = *made.detach();  // the user object owns the reference now
  captures_.push_back(&capture);
  const CUresult result = driver.cuGraphRetainUserObject(graph, object, 1, CU_GRAPH_USER_OBJECT_MOVE);
  if (result != CUDA_SUCCESS) {
    note(driver.cuUserObjectRelease(object, 1));
    fail_driver(result, "cuGraphRetainUserObject");
  }
  return capture;
}

void CudaDevice::forget_capture(const ForeignCapture& capture) noexcept {
  std::lock_guard lock(captures_mutex_);
  std::erase(captures_, &capture);
}

bool CudaDevice::is_captured(void* data) noexcept {
  if (!captured_block_count_.load(std::memory_order_acquire)) [[likely]]
    return false;
  std::lock_guard lock(captures_mutex_);
  return captured_blocks_.count(data) != 0;
}

void CudaDevice::captured_block(void* data, Ref<ForeignCapture> capture) {
  std::lock_guard lock(captures_mutex_);
  captured_blocks_.insert_or_assign(data, std::move(capture));
  captured_block_count_.store(captured_blocks_.size(), std::memory_order_release);
}

Ref<ForeignCapture> CudaDevice::capture_of_block(void* data) noexcept {
  if (!captured_block_count_.load(std::memory_order_acquire)) [[likely]]
    return nullptr;
  std::lock_guard lock(captures_mutex_);
  auto found = captured_blocks_.find(data);
  if (found == captured_blocks_.end()) return nullptr;
  Ref<ForeignCapture> capture = std::move(found->second);
  captured_blocks_.erase(found);
  captured_block_count_.store(captured_blocks_.size(), std::memory_order_release);
  return capture;
}

ForeignCapture::~ForeignCapture() {
  device_.forget_capture(*this);
  for (const Block& block : blocks_) device_.to_pool(block.data, block.bytes);
}

void ForeignCapture::bury(void* self) noexcept {
  auto* capture = static_cast<ForeignCapture*>(self);
  capture->device_.forget_capture(*capture);  // ids are not reused; this only takes a lock of ours
  capture->next_buried_ = buried.load(std::memory_order_relaxed);
  while (!buried.compare_exchange_weak(capture->next_buried_, capture, std::memory_order_release,
                                       std::memory_order_relaxed)) {
  }
}

void ForeignCapture::collect_buried() noexcept {
  if (!buried.load(std::memory_order_relaxed)) return;
  for (ForeignCapture* capture = buried.exchange(nullptr, std::memory_order_acquire); capture;) {
    ForeignCapture* const next = capture->next_buried_;
    capture->release();  // arrays may still be in its memory
    capture = next;
  }
}

void* ForeignCapture::take(uint64_t bytes, CudaStream& stream) {
  std::lock_guard lock(mutex_);
  Block* best = nullptr;
  for (Block& block : blocks_)
    if (!block.busy && block.freed_on == &stream && block.bytes >= bytes && block.bytes / 2 <= bytes &&
        (!best || block.bytes < best->bytes))
      best = &block;
  if (!best) {
    blocks_.reserve(blocks_.size() + 1);
    blocks_.push_back({device_.from_pool(bytes), bytes, false, &stream});
    best = &blocks_.back();
  }
  device_.captured_block(best->data, Ref<ForeignCapture>(this));
  best->busy = true;
  return best->data;
}

void ForeignCapture::give_back(void* data, CudaStream& stream) noexcept {
  std::lock_guard lock(mutex_);
  for (Block& block : blocks_)
    if (block.data == data) block.busy = false, block.freed_on = &stream;
}

void ForeignCapture::keep(std::shared_ptr<void> object) {
  std::lock_guard lock(mutex_);
  kept_.push_back(std::move(object));
}

void ForeignCapture::prepare(const char* what, std::function<void()> work) {
  TENON_REQUIRE(
      !blocking_, TENON_ERROR_UNSUPPORTED,
      "%s, and the stream is being captured into a graph by another library and waits for the legacy default stream, "
      "which this call would use: do it once before the capture, or capture a stream made with CU_STREAM_NON_BLOCKING",
      what);
  const RelaxedMode relaxed(device_.table());
  work();
}

namespace {

// "graph of 1000 nodes (saxpy, copy, ...)", for the error of a fault.
const char* summary(const std::vector<RecordedWork>& pieces) {
  std::vector<std::string> names;
  for (const RecordedWork& piece : pieces)
    if (names.size() < 4 && std::find(names.begin(), names.end(), piece.name) == names.end())
      names.push_back(piece.name);
  std::string out = "graph of " + std::to_string(pieces.size()) + " nodes (";
  for (const std::string& name : names) out += name + ", ";
  return kept_name(out + "...)");
}

class CudaReplay final : public Replay {
 public:
  CudaReplay(CudaDevice& device, const std::vector<RecordedWork>& pieces)
      : device_(device), pieces_(pieces), name_(summary(pieces)), capture_(device), nodes_(pieces.size()) {
    const Driver& driver = device.driver();
    Scope scope = device.activate();
    const size_t most = 256 + 8 * pieces.size();
    for (size_t attempt = 0; !capture_all(driver); ++attempt)
      TENON_REQUIRE(attempt < most, TENON_ERROR_INTERNAL,
                    "a graph could not be captured: each attempt needed another resource; please report this");
    memory_ = capture_.memory();
    try {
      device.check(driver.cuGraphInstantiate(&exec_, graph_, 0), "cuGraphInstantiateWithFlags");
      for (Node& node : nodes_)
        if (node.handle)
          device.check(driver.cuGraphKernelNodeGetParams(node.handle, &node.params), "cuGraphKernelNodeGetParams");
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

  bool change(size_t piece) override {
    Node& node = nodes_[piece];
    const RecordedLaunch& now = pieces_[piece].launch;
    if (!node.handle || !node.fits(now)) return false;
    const Driver& driver = device_.driver();
    Scope scope = device_.activate();
    node.params.gridDimX = now.geometry.grid[0], node.params.gridDimY = now.geometry.grid[1],
    node.params.gridDimZ = now.geometry.grid[2];
    node.params.blockDimX = now.geometry.block[0], node.params.blockDimY = now.geometry.block[1],
    node.params.blockDimZ = now.geometry.block[2];
    node.params.kernelParams = const_cast<void**>(now.values);
    node.params.extra = nullptr;
    device_.check(driver.cuGraphExecKernelNodeSetParams(exec_, node.handle, &node.params),
                  "cuGraphExecKernelNodeSetParams");
    return true;
  }

  const std::vector<Ref<Buffer>>& memory() const override { return memory_; }

 private:
  struct Node {
    CUgraphNode handle = nullptr;  // of a kernel launch whose arguments, grid and block may change
    CUDA_KERNEL_NODE_PARAMS params{};
    RecordedLaunch captured{};
    Ref<Module> module{};  // the module of that launch: keeps its address from being reused

    // The rest of a launch consists of attributes of the node and the function.
    bool fits(const RecordedLaunch& now) const {
      const Geometry &then = captured.geometry, &wanted = now.geometry;
      return now.module == captured.module && now.kernel == captured.kernel &&
             wanted.shared_bytes == then.shared_bytes && wanted.flags == then.flags &&
             std::equal(wanted.cluster, wanted.cluster + 3, then.cluster);
    }
  };

  // False: something had to be prepared; that is done now, and the capture must be tried again.
  bool capture_all(const Driver& driver) {
    CUstream native = nullptr;
    device_.check(driver.cuStreamCreateWithPriority(&native, CU_STREAM_NON_BLOCKING, 0), "cuStreamCreateWithPriority");
    const Ref<CudaStream> stream = make<CudaStream>(device_, native, capture_);
    capture_.start_again();
    device_.check(driver.cuStreamBeginCapture(native, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL), "cuStreamBeginCapture");
    std::function<void()> prepare;
    try {
      for (size_t i = 0; i < pieces_.size(); ++i) {
        pieces_[i].run(*stream);
        if (!pieces_[i].launch.module) continue;
        nodes_[i].handle = last_node(driver, native);
        nodes_[i].captured = pieces_[i].launch;
        nodes_[i].module = Ref<Module>(pieces_[i].launch.module);
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

  // The node on which the next one will depend. NULL: there is not exactly one.
  CUgraphNode last_node(const Driver& driver, CUstream native) {
    int status = CU_STREAM_CAPTURE_STATUS_NONE;
    CUcaptureId id = 0;
    const CUgraphNode* last = nullptr;
    size_t count = 0;
    device_.check(driver.cuStreamGetCaptureInfo(native, &status, &id, nullptr, &last, &count),
                  "cuStreamGetCaptureInfo");
    return status == CU_STREAM_CAPTURE_STATUS_ACTIVE && count == 1 ? last[0] : nullptr;
  }

  void give_up(const Driver& driver, CUstream native) noexcept {
    CUgraph graph = nullptr;
    driver.cuStreamEndCapture(native, &graph);  // fails if the capture was broken, but ends it anyway
    if (graph) device_.note(driver.cuGraphDestroy(graph));
  }

  void destroy() noexcept {
    if (!device_.usable()) return;
    Scope scope = device_.try_activate();
    // If it is running, the driver frees it when it is done.
    if (exec_) device_.note(device_.table().cuGraphExecDestroy(exec_));
    if (graph_) device_.note(device_.table().cuGraphDestroy(graph_));
  }

  CudaDevice& device_;
  const std::vector<RecordedWork>& pieces_;
  const char* const name_;
  OwnCapture capture_;
  std::vector<Node> nodes_;
  std::vector<Ref<Buffer>> memory_;
  CUgraph graph_ = nullptr;
  CUgraphExec exec_ = nullptr;
};

}  // namespace

std::unique_ptr<Replay> CudaDevice::make_replay(const std::vector<RecordedWork>& pieces) {
  if (pieces.empty()) return nullptr;
  return std::make_unique<CudaReplay>(*this, pieces);
}

}  // namespace tenon::cuda
