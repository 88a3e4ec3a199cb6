// tests/cuda/graph.cpp: graphs on a driver that counts every wait, allocation and load during a capture as misuse.
#include <thread>
#include "backend/cuda/graph.hpp"
#include "core/array/copy.hpp"
#include "cuda_support.hpp"
#include "kernel/graph.hpp"

namespace fake {

class CudaGraphs : public Cuda {
 protected:
  void SetUp() override {
    Cuda::SetUp();
    Settings settings;
    settings.cache_mode = TENON_CACHE_OFF;
    auto images = make_image_store(settings);
    context = make<Context>(std::move(settings), std::span<const Backend>(&cuda::backend, 1), std::move(images));
    device = static_cast<cuda::CudaDevice*>(&context->device(TENON_DEVICE_CUDA, 0));
    CompileRequest request;
    request.kernels = {"scale", "fault"};
    program = Program::create(*device, request);
    scale = program->kernel("scale");
    const int64_t n = kCount;
    x = Array::create(*device, TENON_FLOAT32, Extents(&n, 1), device->default_stream());
  }
  void TearDown() override {
    x = nullptr, scale = nullptr, program = nullptr, context = nullptr;
    Cuda::TearDown();
    EXPECT_EQ(alive(), kNothing);
    EXPECT_EQ(driver().graphs, 0);
  }

  std::vector<CallArgument> args(Array& array, float factor, int32_t count = kCount) {
    return {CallArgument::of(array),
            {TENON_ARG_SCALAR, TENON_FLOAT32, 4, nullptr, {.f32 = factor}},
            {TENON_ARG_SCALAR, TENON_INT32, 4, nullptr, {.i32 = count}}};
  }
  void run(Array& array, float factor, Stream& stream) { scale->launch(launch, args(array, factor).data(), 3, stream); }
  // The first element. The fake runs a stream's work only when it is waited for.
  float first(Array& array, Stream& stream) {
    float out = -1;
    array.buffer().use(stream, false);
    device->download(&out, array.data(), 4, false, stream);
    return out;
  }
  void set(Array& array, float value) {
    const std::vector<float> host(kCount, value);
    array.buffer().use(device->default_stream(), true);
    device->upload(array.data(), host.data(), kCount * 4, false, device->default_stream());
  }

  static constexpr int kCount = 100;
  Ref<Context> context;
  cuda::CudaDevice* device = nullptr;
  Ref<Program> program;
  Ref<Kernel> scale;
  Ref<Array> x;
  Geometry launch;
};

TEST_F(CudaGraphs, RecordingRunsNothingAndAReplayRunsEveryNode) {
  set(*x, 1);
  EXPECT_EQ(first(*x, device->default_stream()), 1);
  Ref<Graph> graph = Graph::create(*device);
  Ref<Stream> recording = graph->begin();
  run(*x, 2, *recording);  // loads the kernel
  const long calls = driver().calls;
  run(*x, 5, *recording);
  EXPECT_EQ(driver().calls, calls);
  graph->end();
  EXPECT_EQ(first(*x, device->default_stream()), 1);
  Ref<Stream> other = device->create_stream(0);
  graph->launch(*other);
  graph->launch(*other);
  EXPECT_EQ(first(*x, device->default_stream()), 100) << "the default stream waits for the graph's";
}

TEST_F(CudaGraphs, AReplayWaitsForEarlierWorkOfOtherStreamsAndMakesLaterWorkWait) {
  Ref<Graph> graph = Graph::create(*device);
  Ref<Stream> recording = graph->begin();
  run(*x, 2, *recording);
  graph->end();
  Ref<Stream> a = device->create_stream(0), b = device->create_stream(0), c = device->create_stream(0);
  set(*x, 3);
  run(*x, 10, *a);
  graph->launch(*b);
  run(*x, 10, *c);
  EXPECT_EQ(first(*x, *c), 600);
}

TEST_F(CudaGraphs, ReplayAllocatesNothingOnTheDeviceAndAsksTheDriverOneThing) {
  Ref<Graph> graph = Graph::create(*device);
  Ref<Stream> recording = graph->begin();
  for (int i = 0; i < 1000; ++i) run(*x, 1, *recording);
  graph->end();
  Stream& stream = device->default_stream();
  graph->launch(stream);
  const long calls = driver().calls, launches = fake_cuda_count("cuGraphLaunch");
  for (int i = 0; i < 10; ++i) graph->launch(stream);
  EXPECT_EQ(fake_cuda_count("cuGraphLaunch") - launches, 10);
  EXPECT_EQ(driver().calls - calls, 10 * 4) << "the launch, and the current context: asked, pushed, popped";
  stream.synchronize();
}

TEST_F(CudaGraphs, ArgumentsCanBeReplacedWhileReplaysAreUnderWay) {
  const int64_t n = kCount;
  Ref<Array> y = Array::create(*device, TENON_FLOAT32, Extents(&n, 1), device->default_stream());
  set(*x, 1), set(*y, 1);
  Ref<Graph> graph = Graph::create(*device);
  Ref<Stream> recording = graph->begin();
  run(*x, 2, *recording);
  run(*x, 3, *recording);
  graph->end();
  Stream& stream = device->default_stream();
  graph->launch(stream);
  const long changes = fake_cuda_count("cuGraphExecKernelNodeSetParams_v2");
  graph->set(1, 1, args(*x, 100)[1]);
  graph->set(1, 0, args(*y, 0)[0]);
  graph->launch(stream);
  EXPECT_EQ(fake_cuda_count("cuGraphExecKernelNodeSetParams_v2") - changes, 1)
      << "one change of the node for both arguments";
  EXPECT_EQ(first(*x, stream), 12);
  EXPECT_EQ(first(*y, stream), 100);
  std::string message;
  EXPECT_EQ(status_of([&] { graph->set(1, 1, args(*x, 0)[0]); }, &message), TENON_ERROR_INVALID_ARGUMENT);
  EXPECT_NE(message.find("argument 1 of scale"), std::string::npos) << message;
  EXPECT_EQ(status_of([&] { graph->set(2, 1, args(*x, 0)[1]); }), TENON_ERROR_INVALID_ARGUMENT);
  // The new array is ordered like the old one, whose last use is over when it is released.
  Ref<Stream> a = device->create_stream(0), b = device->create_stream(0);
  run(*y, 7, *a);
  graph->launch(*b);
  run(*y, 2, *a);
  EXPECT_EQ(first(*y, *a), 100 * 7 * 100 * 2);
}

TEST_F(CudaGraphs, GridAndBlockAreReplacedInPlaceAndTheRestTakesANewGraph) {
  set(*x, 1);
  Ref<Graph> graph = Graph::create(*device);
  Ref<Stream> recording = graph->begin();
  run(*x, 2, *recording);
  run(*x, 3, *recording);
  graph->end();
  Stream& stream = device->default_stream();
  graph->launch(stream);
  const char *const changing = "cuGraphExecKernelNodeSetParams_v2", *const making = "cuGraphInstantiateWithFlags";
  const long changes = fake_cuda_count(changing), made = fake_cuda_count(making);
  Geometry other = launch;
  other.grid[0] = 4, other.block[0] = 32;
  graph->set_launch(1, other);
  graph->set_all(0, args(*x, 5).data(), 3);
  graph->launch(stream);
  EXPECT_EQ(fake_cuda_count(changing) - changes, 2);
  EXPECT_EQ(fake_cuda_count(making) - made, 0);
  EXPECT_EQ(first(*x, stream), 6 * 15);
  other.shared_bytes = 1024;
  graph->set_launch(1, other);
  graph->launch(stream);
  EXPECT_EQ(fake_cuda_count(making) - made, 1) << "shared memory is an attribute of the function too";
  EXPECT_EQ(first(*x, stream), 6 * 15 * 15);
  other.block[0] = 1 << 20;
  EXPECT_EQ(status_of([&] { graph->set_launch(1, other); }), TENON_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(status_of([&] { graph->set_all(1, args(*x, 5).data(), 2); }), TENON_ERROR_INVALID_ARGUMENT);
  graph->launch(stream);
  EXPECT_EQ(first(*x, stream), 6 * 15 * 15 * 15);
}

TEST_F(CudaGraphs, TheGraphKeepsWhatItUses) {
  set(*x, 1);
  Ref<Graph> graph = Graph::create(*device);
  {
    Ref<Stream> recording = graph->begin();
    const int64_t n = kCount;
    Ref<Array> made = Array::create(*device, TENON_FLOAT32, Extents(&n, 1), *recording);  // memory of the graph
    copy(*made, *x, recording.get());
    run(*made, 4, *recording);
    copy(*x, *made, recording.get());
    graph->end();
    scale = nullptr, program = nullptr;
  }
  Ref<Stream> a = device->create_stream(0);
  graph->launch(*a);
  EXPECT_EQ(first(*x, *a), 4);
  graph->launch(*a);
  graph = nullptr;  // while a replay is running
  EXPECT_EQ(first(*x, *a), 16);
}

TEST_F(CudaGraphs, WorkAreasAreAllocatedBeforeTheCaptureThatNeedsThemAndBelongToTheGraph) {
  // Work that needs two work areas one after the other, and another at the same time as the second.
  std::vector<void*> given;
  std::vector<RecordedWork> pieces(2);
  for (RecordedWork& piece : pieces)
    piece.run = [&](Stream& on) {
      cuda::Scratch a(*device, 1 << 20, on);
      given.push_back(a.data());
      cuda::Scratch b(*device, 40 << 20, on);
      given.push_back(b.data());
    };
  auto replay = device->make_replay(pieces);
  ASSERT_EQ(replay->memory().size(), 2u);
  ASSERT_GE(given.size(), 4u);
  EXPECT_EQ(given[given.size() - 4], given[given.size() - 2]) << "the second step has what the first gave back";
  EXPECT_EQ(given[given.size() - 1], replay->memory()[1]->data());
}

TEST_F(CudaGraphs, KernelsOfTenonsOwnAreLoadedBeforeTheCapture) {
  const int64_t shape[] = {4, 25};
  Ref<Array> wide = x->reshape(shape);
  const int32_t axes[] = {1, 0};
  Ref<Array> turned = wide->transpose(axes);
  const int64_t other[] = {25, 4};
  Ref<Array> y = Array::create(*device, TENON_FLOAT32, other, device->default_stream());
  const long loads = fake_cuda_count("cuModuleLoadDataEx");
  Ref<Graph> graph = Graph::create(*device);
  Ref<Stream> recording = graph->begin();
  copy(*y, *turned, recording.get());
  graph->end();
  EXPECT_GT(fake_cuda_count("cuModuleLoadDataEx"), loads);
  EXPECT_EQ(fake_cuda_count("cuStreamBeginCapture_v2") >= 2, true) << "the first try was interrupted";
  graph->launch(device->default_stream());
  device->synchronize();
}

TEST_F(CudaGraphs, EveryDriverCallMayFailAndTheGraphIsEmptyAfterwards) {
  run(*x, 1, device->default_stream());
  device->synchronize();
  Ref<Graph> graph = Graph::create(*device);
  auto record = [&] {
    Ref<Stream> recording = graph->begin();
    run(*x, 2, *recording);
    fill(*x, 3, 0, recording.get());
  };
  record();
  const long before = driver().calls;
  graph->end();
  const long calls = driver().calls - before;
  graph->clear();
  ASSERT_GT(calls, 8);
  const long graphs = driver().graphs;
  int failed = 0;
  for (long n = 1; n <= calls; ++n) {
    record();
    driver().fail_at = n;
    driver().fail_code = 999;
    const int32_t status = status_of([&] { graph->end(); });
    driver().fail_at = 0;
    failed += status != TENON_OK;
    if (status != TENON_OK) {
      EXPECT_EQ(graph->node_count(), 0) << driver().failed_call;
      EXPECT_EQ(status_of([&] { graph->launch(device->default_stream()); }), TENON_ERROR_INVALID_ARGUMENT);
    }
    graph->clear();
    EXPECT_EQ(driver().graphs, graphs) << "left behind by " << driver().failed_call;
  }
  EXPECT_GT(failed, calls / 2);
  record();
  graph->end();
  graph->launch(device->default_stream());
  device->synchronize();
}

TEST_F(CudaGraphs, AFaultNamesTheGraph) {
  Ref<Kernel> fault = program->kernel("fault");
  Ref<Graph> graph = Graph::create(*device);
  Ref<Stream> recording = graph->begin();
  run(*x, 2, *recording);
  fault->launch(launch, nullptr, 0, *recording);
  graph->end();
  graph->launch(device->default_stream());
  std::string message;
  EXPECT_EQ(status_of([&] { device->default_stream().synchronize(); }, &message), TENON_ERROR_DEVICE_LOST);
  EXPECT_NE(message.find("graph of 2 nodes (scale, fault"), std::string::npos) << message;
  // The objects that a lost context leaves in the fake do not matter here.
  graph = nullptr, recording = nullptr, fault = nullptr, x = nullptr, scale = nullptr, program = nullptr,
  context = nullptr;
  driver().sticky = 0;
  driver().contexts = driver().streams = driver().events = driver().modules = driver().pools = driver().blocks =
      driver().graphs = 0;
}

// ---- another library's capture

class ForeignCapture : public CudaGraphs {
 protected:
  void begin(Ref<Stream>& wrapped) {
    native = device->create_stream(0);
    wrapped = device->wrap_stream(native->native());
    device->synchronize();
    table.cuStreamBeginCapture(cuda::handle_of(*native), cuda::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL);
  }
  void end() { ASSERT_EQ(table.cuStreamEndCapture(cuda::handle_of(*native), &graph), 0) << "the capture was broken"; }
  void replay() {
    auto scope = device->activate();
    ASSERT_EQ(table.cuGraphInstantiate(&exec, graph, 0), 0);
    ASSERT_EQ(table.cuGraphLaunch(exec, cuda::handle_of(*native)), 0);
    table.cuStreamSynchronize(cuda::handle_of(*native));
    table.cuGraphExecDestroy(exec);
    table.cuGraphDestroy(graph);
    native = nullptr;
  }
  void TearDown() override {
    native = nullptr;
    fake_cuda_settle();
    context->collect();  // releases what the graph kept
    CudaGraphs::TearDown();
  }
  const cuda::Driver& table = cuda::driver();
  Ref<Stream> native;
  cuda::CUgraph graph = nullptr;
  cuda::CUgraphExec exec = nullptr;
};

TEST_F(ForeignCapture, LaunchesBecomePartOfItAndNothingIsWaitedForOrAllocated) {
  set(*x, 1);
  Ref<Stream> a = device->create_stream(0);
  run(*x, 2, *a);  // another stream's use, before the capture
  device->synchronize();
  Ref<Stream> wrapped;
  begin(wrapped);
  run(*x, 3, *wrapped);
  run(*x, 5, *a);  // a stream that is not captured continues, and does not wait for work that does not run
  fill(*x, 0, 0, wrapped.get());
  run(*x, 3, *wrapped);
  wrapped->close();
  wrapped = nullptr;
  end();
  EXPECT_EQ(first(*x, *a), 10);
  replay();
  EXPECT_EQ(first(*x, device->default_stream()), 0);
}

TEST_F(ForeignCapture, MisuseIsRefusedBeforeItBreaksTheCapture) {
  run(*x, 1, device->default_stream());
  Ref<Stream> wrapped;
  begin(wrapped);
  std::string message;
  EXPECT_EQ(status_of([&] { wrapped->synchronize(); }, &message), TENON_ERROR_UNSUPPORTED);
  EXPECT_NE(message.find("captured into a graph by another library"), std::string::npos) << message;
  EXPECT_EQ(status_of([&] { wrapped->query(); }), TENON_ERROR_UNSUPPORTED);
  float host[kCount];
  EXPECT_EQ(status_of([&] { device->download(host, x->data(), sizeof host, false, *wrapped); }),
            TENON_ERROR_UNSUPPORTED);
  EXPECT_EQ(status_of([&] { device->upload(x->data(), host, sizeof host, false, *wrapped); }), TENON_ERROR_UNSUPPORTED);
  Ref<Kernel> unloaded = Program::create(*device,
                                         [] {
                                           CompileRequest request;
                                           request.kernels = {"scale"};
                                           return request;
                                         }())
                             ->kernel("scale");
  EXPECT_EQ(status_of([&] { unloaded->launch(launch, args(*x, 1).data(), 3, *wrapped); }, &message),
            TENON_ERROR_UNSUPPORTED);
  EXPECT_NE(message.find("do it once before the capture, or capture a stream made with CU_STREAM_NON_BLOCKING"),
            std::string::npos)
      << message;
  run(*x, 2, *wrapped);
  wrapped->close();
  end();
  replay();
}

TEST_F(ForeignCapture, MemoryFreedMeanwhileIsSetAside) {
  Ref<Stream> wrapped;
  native = device->create_stream(0);
  wrapped = device->wrap_stream(native->native());
  void* small = device->allocate(1000, TENON_MEMORY_DEVICE, *wrapped);
  void* large = device->allocate(64 << 20, TENON_MEMORY_DEVICE, *wrapped);
  device->synchronize();
  table.cuStreamBeginCapture(cuda::handle_of(*native), cuda::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL);
  device->deallocate(small, 1000, TENON_MEMORY_DEVICE, *wrapped);
  device->deallocate(large, 64 << 20, TENON_MEMORY_DEVICE, *wrapped);
  wrapped = nullptr;
  end();
  replay();
}

}  // namespace fake
