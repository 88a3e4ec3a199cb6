// tests/streams/support.hpp: Tenon through its public interface on the fake driver, beside another library on the same
// device: streams, graphs, and memory that is used again the moment it is given back.
#pragma once
#include <cmath>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>
#include "../fake_cuda/control.hpp"
#include "../support.hpp"

// The driver, as the other library calls it.
extern "C" {
int cuInit(unsigned);
int cuDevicePrimaryCtxRetain(void** context, int device);
int cuCtxPushCurrent_v2(void* context);
int cuCtxPopCurrent_v2(void** context);
int cuCtxSynchronize();
int cuStreamCreate(void** stream, unsigned flags);
int cuStreamDestroy_v2(void* stream);
int cuStreamSynchronize(void* stream);
int cuStreamWaitEvent(void* stream, void* event, unsigned flags);
int cuEventCreate(void** event, unsigned flags);
int cuEventRecord(void* event, void* stream);
int cuEventDestroy_v2(void* event);
int cuThreadExchangeStreamCaptureMode(int* mode);
int cuStreamBeginCapture_v2(void* stream, int mode);
int cuStreamEndCapture(void* stream, void** graph);
int cuGraphInstantiateWithFlags(void** exec, void* graph, unsigned long long flags);
int cuGraphLaunch(void* exec, void* stream);
int cuGraphExecDestroy(void* exec);
int cuGraphDestroy(void* graph);
int cuMemAlloc_v2(unsigned long long* data, size_t bytes);
int cuMemFree_v2(unsigned long long data);
int cuMemHostAlloc(void** data, size_t bytes, unsigned flags);
int cuMemFreeHost(void* data);
int cuMemHostRegister_v2(void* data, size_t bytes, unsigned flags);
int cuMemHostUnregister(void* data);
}

// DLPack's structs (specification 1.x).
struct DLTensorOfTest {
  void* data;
  int32_t device_type, device_id, ndim;
  uint8_t code, bits;
  uint16_t lanes;
  int64_t* shape;
  int64_t* strides;
  uint64_t byte_offset;
};
struct DLManagedTensorVersioned {
  uint32_t major, minor;
  void* manager;
  void (*deleter)(DLManagedTensorVersioned*);
  uint64_t flags;
  DLTensorOfTest tensor;
};

namespace streams {

constexpr int kGlobal = 0, kThreadLocal = 1, kRelaxed = 2;  // modes of capture
inline void* const kLegacy = reinterpret_cast<void*>(1);
inline void* const kPerThread = reinterpret_cast<void*>(2);

// While it lives, the calling thread acts as the other library.
class Outside {
 public:
  explicit Outside(int device = 0) {
    static void* contexts[2] = {};
    if (!contexts[device]) {
      cuInit(0);
      cuDevicePrimaryCtxRetain(&contexts[device], device);
    }
    cuCtxPushCurrent_v2(contexts[device]);
  }
  ~Outside() {
    void* popped;
    cuCtxPopCurrent_v2(&popped);
  }

 private:
  FakeTest test_;
};

// A stream of the other library; PyTorch's streams are non-blocking.
class OtherStream {
 public:
  explicit OtherStream(bool blocking = false, int device = 0) : device_(device) {
    Outside outside(device);
    cuStreamCreate(&native_, blocking ? 0 : 1);
  }
  ~OtherStream() { destroy(); }
  OtherStream(const OtherStream&) = delete;
  void destroy() {
    Outside outside(device_);
    if (native_) cuStreamDestroy_v2(native_);
    native_ = nullptr;
  }
  void* native() const { return native_; }
  void synchronize() const {
    Outside outside(device_);
    cuStreamSynchronize(native_);
  }

 private:
  int device_;
  void* native_ = nullptr;
};

inline void synchronize(void* native, int device = 0) {
  Outside outside(device);
  cuStreamSynchronize(native);
}

inline void order(void* earlier, void* later, int device = 0) {
  Outside outside(device);
  void* event = nullptr;
  cuEventCreate(&event, 2);
  cuEventRecord(event, earlier);
  cuStreamWaitEvent(later, event, 0);
  cuEventDestroy_v2(event);
}

// The other library's kernels: data[i] = value, and to[i] = from[i].
inline void fill(void* stream, float* data, size_t count, float value, int device = 0) {
  Outside outside(device);
  const FakeAccess access{data, count * 4, true};
  fake_cuda_run(stream, "the other library's fill", &access, 1, [=] { std::fill_n(data, count, value); });
}
inline void copy(void* stream, float* to, const float* from, size_t count, int device = 0) {
  Outside outside(device);
  const FakeAccess accesses[] = {{from, count * 4, false}, {to, count * 4, true}};
  fake_cuda_run(stream, "the other library's copy", accesses, 2, [=] { std::copy_n(from, count, to); });
}

// Memory of the other library: cached per stream, as in PyTorch, and so reused without waiting.
class OtherMemory {
 public:
  explicit OtherMemory(int device = 0) : device_(device) {}
  ~OtherMemory() {
    Outside outside(device_);
    for (const auto& [data, block] : blocks_) cuMemFree_v2(data);
  }
  float* allocate(size_t count, void* stream) {
    Outside outside(device_);
    std::lock_guard lock(mutex_);
    for (auto& [data, block] : blocks_)
      if (block.free && block.stream == stream && block.count == count) {
        block.free = false;
        return reinterpret_cast<float*>(data);
      }
    unsigned long long data = 0;
    int mode = kRelaxed;  // like allocators, so that no capture is disturbed
    cuThreadExchangeStreamCaptureMode(&mode);
    EXPECT_EQ(cuMemAlloc_v2(&data, count * 4), 0);
    cuThreadExchangeStreamCaptureMode(&mode);
    blocks_[data] = {count, stream, false};
    return reinterpret_cast<float*>(data);
  }
  // The stream ends: its free blocks no longer belong to a stream.
  void forget(void* stream) {
    std::lock_guard lock(mutex_);
    for (auto& [data, block] : blocks_)
      if (block.stream == stream) block.stream = nullptr;
  }
  // The next tensor on its stream gets it at once, and is written.
  void give_back(float* data) {
    size_t count;
    void* stream;
    {
      std::lock_guard lock(mutex_);
      Block& block = blocks_.at(reinterpret_cast<unsigned long long>(data));
      block.free = true;
      count = block.count, stream = block.stream;
    }
    // While the stream is captured, the next tensor comes from the capture's own pool. A fill would become a node of
    // the graph, and each replay would write memory that has another owner by then.
    Outside outside(device_);
    if (stream && !fake_cuda_capturing(stream)) fill(stream, data, count, -666, device_);
  }

 private:
  struct Block {
    size_t count;
    void* stream;
    bool free;
  };
  int device_;
  std::mutex mutex_;
  std::map<unsigned long long, Block> blocks_;
};

// A tensor of the other library that is passed to Tenon by DLPack.
struct Lent {
  OtherMemory* memory = nullptr;
  float* data = nullptr;
  size_t count = 0;
  int64_t shape = 0, stride = 1;
  int returned = 0;     // calls of the deleter
  std::string pending;  // Tenon's work on it that was unfinished when it came back
  DLManagedTensorVersioned tensor{};

  Lent(OtherMemory& of, float* at, size_t n, int device = 0) : memory(&of), data(at), count(n), shape(int64_t(n)) {
    tensor.major = 1, tensor.minor = 1;
    tensor.manager = this;
    tensor.deleter = [](DLManagedTensorVersioned* self) { static_cast<Lent*>(self->manager)->come_back(); };
    tensor.tensor = {at, 2, device, 1, 2, 32, 1, &shape, &stride, 0};
  }
  Lent(const Lent&) = delete;

 private:
  void come_back() {
    if (const char* text = fake_cuda_unfinished(data, count * 4); text && pending.empty()) pending = text;
    if (returned++ == 0) memory->give_back(data);
  }
};

class Streams : public ::testing::Test {
 public:
  // The next call after the end of another library's graph releases what that graph kept.
  static void collect_the_rest() {
    fake_cuda_settle();
    tenon_context* context = nullptr;
    tenon_device* device = nullptr;
    OK(tenon_context_create(nullptr, &context));
    OK(tenon_context_device(context, "cuda:0", &device));
    tenon_device_release(device);
    tenon_context_release(context);
  }

 protected:
  static constexpr size_t kCount = 256;

  void SetUp() override {
    FakeCuda& f = *fake_cuda();
    {
      Outside outside(0), other(1);
    }  // their contexts stay
    f.fail_at = f.sticky = 0, f.lazy = true, f.seed = 0, f.memory_limit = uint64_t(1) << 30;
    fake_cuda_forget();
    f.misuses = f.races = 0;
    before_ = left();
    open();
  }
  void TearDown() override {
    fake_cuda()->fail_at = 0;
    fake_cuda_settle();
    if (device_) synchronize();  // the remaining work of user objects' destructors
    close();
    collect_the_rest();
    expect_clean();
    for (const Lent& one : lent_) expect_returned(one);
    lent_.clear();
    EXPECT_EQ(left(), before_) << "something was not given back";
  }
  static std::string left() {
    const FakeCuda& f = *fake_cuda();
    return "streams " + std::to_string(f.streams) + " events " + std::to_string(f.events) + " modules " +
           std::to_string(f.modules) + " pools " + std::to_string(f.pools) + " host " + std::to_string(f.host_blocks) +
           " graphs " + std::to_string(f.graphs) + " objects " + std::to_string(f.user_objects);
  }
  static void expect_clean() {
    EXPECT_EQ(fake_cuda()->races, 0) << fake_cuda()->race;
    EXPECT_EQ(fake_cuda()->misuses, 0) << fake_cuda()->misuse;
  }
  static void expect_returned(const Lent& one) {
    EXPECT_EQ(one.returned, 1);
    EXPECT_EQ(one.pending, "") << "given back while this was not done";
  }

  void open(uint32_t flags = 0) {
    tenon_context_options options{};
    options.struct_size = sizeof options;
    options.flags = flags;
    options.cache_mode = TENON_CACHE_OFF;
    options.allocator = allocator_;
    tenon_context* made = nullptr;
    OK(tenon_context_create(&options, &made));
    context_.reset(made);
    device_ = test::device("cuda:0", made);
    ASSERT_TRUE(device_) << tenon_error_last_message();
    if (device_allocator_) OK(tenon_device_use_allocator(device_.get(), device_allocator_));
    program_ = program("// kernels of the fake driver\n", {"scale", "add_to"});
    scale_ = kernel(program_.get(), "scale");
    add_to_ = kernel(program_.get(), "add_to");
    // Loaded, and everything that is created on first use exists.
    test::ArrayPtr a = full(1), b = empty();
    add_to(b.get(), a.get(), 1);
    scale(b.get(), 1);
    EXPECT_EQ(value(b.get()), 2);
  }
  const tenon_allocator* allocator_ = nullptr;         // passed to the context that open makes
  const tenon_allocator* device_allocator_ = nullptr;  // given to its device
  void close() {
    scale_ = nullptr, add_to_ = nullptr, program_ = nullptr;
    device_ = nullptr;
    context_ = nullptr;
  }

  test::ProgramPtr program(const std::string& source, std::vector<const char*> kernels,
                           std::vector<const char*> globals = {}) {
    tenon_program_options options{};
    options.struct_size = sizeof options;
    options.kernels = kernels.data(), options.kernel_count = int32_t(kernels.size());
    options.globals = globals.data(), options.global_count = int32_t(globals.size());
    options.flags = TENON_PROGRAM_FLAG_NO_CACHE;
    tenon_program* made = nullptr;
    EXPECT_OK(tenon_program_create(device_.get(), source.data(), source.size(), &options, &made));
    return test::ProgramPtr(made);
  }
  static test::KernelPtr kernel(tenon_program* program, const char* name) {
    tenon_kernel* made = nullptr;
    EXPECT_OK(tenon_program_kernel(program, name, &made));
    return test::KernelPtr(made);
  }
  test::StreamPtr wrap(void* native) {
    tenon_stream* made = nullptr;
    EXPECT_OK(tenon_stream_wrap(device_.get(), reinterpret_cast<uint64_t>(native), nullptr, nullptr, &made));
    return test::StreamPtr(made);
  }
  test::StreamPtr own() {
    tenon_stream* made = nullptr;
    EXPECT_OK(tenon_stream_create(device_.get(), nullptr, &made));
    return test::StreamPtr(made);
  }
  static uint64_t native(tenon_stream* stream) {
    uint64_t out = 0;
    EXPECT_OK(tenon_stream_native(stream, &out));
    return out;
  }
  test::ArrayPtr empty(tenon_stream* stream = nullptr, size_t count = kCount) {
    const int64_t shape = int64_t(count);
    tenon_array* made = nullptr;
    EXPECT_OK(tenon_array_create(device_.get(), TENON_FLOAT32, 1, &shape, stream, &made));
    return test::ArrayPtr(made);
  }
  test::ArrayPtr full(float value, tenon_stream* stream = nullptr, size_t count = kCount) {
    test::ArrayPtr made = empty(stream, count);
    EXPECT_OK(tenon_array_fill(made.get(), test::number(value), stream));
    return made;
  }
  static test::ArrayPtr copy_of(tenon_array* array, tenon_stream* stream = nullptr) {
    tenon_array* made = nullptr;
    EXPECT_OK(tenon_array_convert(array, test::info(array).dtype, nullptr, stream, &made));
    return test::ArrayPtr(made);
  }
  int32_t try_add_to(tenon_array* to, tenon_array* from, float value, tenon_stream* stream = nullptr) {
    tenon_launch launch{};
    launch.struct_size = sizeof launch;
    const tenon_arg args[] = {TENON_ARRAY_ARG(to), TENON_ARRAY_ARG(from), TENON_F32_ARG(value),
                              TENON_I32_ARG(int32_t(test::info(to).size))};
    return tenon_kernel_launch(add_to_.get(), &launch, args, 4, stream);
  }
  void add_to(tenon_array* to, tenon_array* from, float value, tenon_stream* stream = nullptr) {
    EXPECT_OK(try_add_to(to, from, value, stream));
  }
  void scale(tenon_array* array, float factor, tenon_stream* stream = nullptr) {
    tenon_launch launch{};
    launch.struct_size = sizeof launch;
    const tenon_arg args[] = {TENON_ARRAY_ARG(array), TENON_F32_ARG(factor),
                              TENON_I32_ARG(int32_t(test::info(array).size))};
    EXPECT_OK(tenon_kernel_launch(scale_.get(), &launch, args, 3, stream));
  }
  // The value of all elements; NAN: they differ.
  static float value(tenon_array* array, tenon_stream* stream = nullptr) {
    std::vector<float> host(size_t(test::info(array).size));
    EXPECT_OK(tenon_array_to_host(array, host.data(), host.size() * 4, stream));
    for (const float one : host)
      if (one != host[0]) return NAN;
    return host[0];
  }
  static float* data(tenon_array* array) { return static_cast<float*>(test::info(array).data); }

  // A tensor of the other library with this value, whose work is on `stream`.
  Lent& lend(void* stream, float value, size_t count = kCount) {
    float* data = memory_.allocate(count, stream);
    fill(stream, data, count, value);
    return lent_.emplace_back(memory_, data, count);
  }
  test::ArrayPtr take(Lent& lent, tenon_stream* ready) {
    tenon_array* made = nullptr;
    EXPECT_OK(tenon_array_from_dlpack_versioned(context_.get(), &lent.tensor, ready, &made));
    return test::ArrayPtr(made);
  }
  static DLManagedTensorVersioned* give(tenon_array* array, tenon_stream* consumer) {
    DLManagedTensorVersioned* out = nullptr;
    EXPECT_OK(tenon_array_to_dlpack_versioned(array, 0, consumer, &out));
    return out;
  }
  void synchronize() { EXPECT_OK(tenon_device_synchronize(device_.get())); }

  // A stream of the other library, which lives as long as the test.
  void* other(bool blocking = false) { return others_.emplace_back(blocking).native(); }

  std::list<OtherStream> others_;
  OtherMemory memory_;
  test::ContextPtr context_;
  test::DevicePtr device_;
  test::ProgramPtr program_;
  test::KernelPtr scale_, add_to_;
  std::list<Lent> lent_;

 private:
  std::string before_;
};

// A capture by the other library.
class OtherCapture {
 public:
  OtherCapture(void* stream, int mode, int device = 0) : stream_(stream), device_(device) {
    Outside outside(device_);
    EXPECT_EQ(cuStreamBeginCapture_v2(stream, mode), 0);
  }
  ~OtherCapture() {
    Outside outside(device_);
    if (exec_) cuGraphExecDestroy(exec_);
    if (graph_) cuGraphDestroy(graph_);
  }
  // The result of cuStreamEndCapture: 0, or 901 if the capture was broken.
  int end() {
    Outside outside(device_);
    const int result = cuStreamEndCapture(stream_, &graph_);
    if (result == 0) {
      EXPECT_EQ(cuGraphInstantiateWithFlags(&exec_, graph_, 0), 0);
    }
    return result;
  }
  void launch(void* stream) {
    Outside outside(device_);
    EXPECT_EQ(cuGraphLaunch(exec_, stream), 0);
  }

 private:
  void* stream_;
  int device_;
  void* graph_ = nullptr;
  void* exec_ = nullptr;
};

}  // namespace streams
