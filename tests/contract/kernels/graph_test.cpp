// Graphs through the public interface, on every device there is: what is recorded, what is refused, and replays.
#include <complex>
#include <thread>
#include "support.hpp"

using namespace test;

namespace {

using GraphPtr = std::unique_ptr<tenon_graph, Releaser<tenon_graph, tenon_graph_release>>;

const char kSource[] =
    "extern \"C\" __global__ void scale(float* x, float factor, int n) {\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i < n) x[i] *= factor;\n"
    "}\n"
    "extern \"C\" __global__ void add(const float* x, float* y, int n) {\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i < n) y[i] += x[i];\n"
    "}\n"
    "__device__ float offset = 0;\n"
    "extern \"C\" __global__ void shift(float* x, int n) {\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i < n) x[i] += offset;\n"
    "}\n";

class Graphs : public ::testing::TestWithParam<const char*> {
 protected:
  static constexpr int32_t kCount = 1000;

  void SetUp() override {
    device_ = device(GetParam());
    if (!device_) GTEST_SKIP() << tenon_error_last_message();
    const char* names[] = {"scale", "add", "shift"};
    const char* globals[] = {"offset"};
    tenon_program_options options{};
    options.struct_size = sizeof options;
    options.kernels = names, options.kernel_count = 3;
    options.globals = globals, options.global_count = 1;
    tenon_program* program = nullptr;
    OK(tenon_program_create(device_.get(), kSource, sizeof kSource - 1, &options, &program));
    program_.reset(program);
    scale_ = kernel("scale"), add_ = kernel("add"), shift_ = kernel("shift");
    launch_.struct_size = sizeof launch_;
    launch_.grid[0] = (kCount + 255) / 256, launch_.block[0] = 256;
    x_ = full(1), y_ = full(0);
    graph_ = make();
  }

  KernelPtr kernel(const char* name) {
    tenon_kernel* out = nullptr;
    EXPECT_OK(tenon_program_kernel(program_.get(), name, &out));
    return KernelPtr(out);
  }
  ArrayPtr full(float value, uint32_t dtype = TENON_FLOAT32, std::vector<int64_t> shape = {kCount}) {
    tenon_array* out = nullptr;
    EXPECT_OK(tenon_array_zeros(device_.get(), dtype, int32_t(shape.size()), shape.data(), nullptr, &out));
    EXPECT_OK(tenon_array_fill(out, number(value), nullptr));
    return ArrayPtr(out);
  }
  GraphPtr make() {
    tenon_graph* out = nullptr;
    EXPECT_OK(tenon_graph_create(device_.get(), &out));
    return GraphPtr(out);
  }
  StreamPtr begin() {
    tenon_stream* out = nullptr;
    EXPECT_OK(tenon_graph_begin(graph_.get(), &out));
    return StreamPtr(out);
  }
  int32_t scale(const ArrayPtr& x, float factor, const StreamPtr& stream) {
    const tenon_arg args[] = {TENON_ARRAY_ARG(x.get()), TENON_F32_ARG(factor), TENON_I32_ARG(kCount)};
    return tenon_kernel_launch(scale_.get(), &launch_, args, 3, stream.get());
  }
  int32_t add(const ArrayPtr& x, const ArrayPtr& y, const StreamPtr& stream) {
    const tenon_arg args[] = {TENON_ARRAY_ARG(x.get()), TENON_ARRAY_ARG(y.get()), TENON_I32_ARG(kCount)};
    return tenon_kernel_launch(add_.get(), &launch_, args, 3, stream.get());
  }
  int32_t nodes() {
    int32_t count = -1;
    EXPECT_OK(tenon_graph_node_count(graph_.get(), &count));
    return count;
  }
  tenon_graph_node_info node(int32_t index) {
    tenon_graph_node_info out{};
    out.struct_size = sizeof out;
    EXPECT_OK(tenon_graph_get_node_info(graph_.get(), index, &out));
    return out;
  }
  int32_t launch(const StreamPtr& stream = {}) { return tenon_graph_launch(graph_.get(), stream.get()); }
  static float last(const ArrayPtr& x) { return values<float>(x.get())[kCount - 1]; }

  DevicePtr device_;
  ProgramPtr program_;
  KernelPtr scale_, add_, shift_;
  tenon_launch launch_{};
  ArrayPtr x_, y_;
  GraphPtr graph_;
};

TEST_P(Graphs, RecordRunNothingAndReplay) {
  StreamPtr stream = begin();
  int32_t last_node = -1;
  FAILS(TENON_ERROR_NOT_FOUND, "recorded nothing yet", tenon_graph_last_node(stream.get(), &last_node));
  OK(scale(x_, 2, stream));
  EXPECT_EQ(nodes(), 1) << "while it is recorded";
  OK(tenon_graph_last_node(stream.get(), &last_node));
  EXPECT_EQ(last_node, 0);
  EXPECT_STREQ(node(0).name, "scale");
  OK(add(x_, y_, stream));
  OK(tenon_graph_last_node(stream.get(), &last_node));
  EXPECT_EQ(last_node, 1);
  tenon_stream* plain = nullptr;
  OK(tenon_stream_default(device_.get(), &plain));
  FAILS(TENON_ERROR_NOT_FOUND, "the stream does not record a graph", tenon_graph_last_node(plain, &last_node));
  tenon_stream_release(plain);
  OK(tenon_graph_end(graph_.get()));
  EXPECT_EQ(last(x_), 1);
  ASSERT_EQ(nodes(), 2);
  EXPECT_EQ(node(0).kind, TENON_GRAPH_KERNEL);
  EXPECT_STREQ(node(0).name, "scale");
  EXPECT_EQ(node(0).parameter_count, 3);
  EXPECT_STREQ(node(1).name, "add");
  OK(launch());
  OK(launch());
  OK(launch());
  EXPECT_EQ(last(x_), 8);
  EXPECT_EQ(last(y_), 2 + 4 + 8);
}

TEST_P(Graphs, EveryKindOfWorkIsANode) {
  const int64_t n = kCount;
  ArrayPtr a = full(2, TENON_FLOAT32, {20, 30}), b = full(3, TENON_FLOAT32, {40, 30}),
           c = full(0, TENON_FLOAT32, {20, 40});
  ArrayPtr line = full(1, TENON_COMPLEX64, {64});
  tenon_array* turned = nullptr;
  OK(tenon_array_transpose(b.get(), 2, nullptr, &turned));
  ArrayPtr bt(turned);
  StreamPtr stream = begin();
  const tenon_arg args[] = {TENON_ARRAY_ARG(x_.get()), TENON_F32_ARG(2), TENON_I32_ARG(kCount)};
  tenon_call* call = nullptr;
  OK(tenon_call_create(scale_.get(), &launch_, args, 3, &call));
  OK(tenon_call_launch(call, stream.get()));
  tenon_call_release(call);
  OK(tenon_array_copy(y_.get(), x_.get(), stream.get()));
  OK(tenon_array_fill(x_.get(), number(7), stream.get()));
  OK(tenon_gemm(nullptr, a.get(), bt.get(), nullptr, nullptr, stream.get(), into(c.get())));
  OK(tenon_fft(line.get(), nullptr, 1, nullptr, stream.get(), into(line.get())));
  tenon_array* zeros = nullptr;
  OK(tenon_array_zeros(device_.get(), TENON_FLOAT32, 1, &n, stream.get(), &zeros));
  ArrayPtr made(zeros);  // memory of the graph
  tenon_elementwise* twice = nullptr;
  OK(tenon_elementwise_create("float32 x", "float32 y", "y = 2 * x", nullptr, &twice));
  const tenon_arg doubled[] = {TENON_ARRAY_ARG(x_.get()), TENON_ARRAY_ARG(zeros)};
  OK(tenon_elementwise_call(twice, doubled, 2, stream.get()));
  tenon_elementwise_release(twice);
  tenon_reduction* sum = nullptr;
  OK(tenon_reduction_create("float32 x", "float32 s", "x", "a + b", "", "0", nullptr, &sum));
  ArrayPtr total = full(0, TENON_FLOAT32, {});
  const tenon_arg summed[] = {TENON_ARRAY_ARG(zeros), TENON_ARRAY_ARG(total.get())};
  OK(tenon_reduction_call(sum, summed, 2, nullptr, 0, stream.get()));
  tenon_reduction_release(sum);
  tenon_scan* scan = nullptr;
  OK(tenon_scan_create("float32 x", "float32 y", "x", "a + b", "0", 0, nullptr, &scan));
  const tenon_arg scanned[] = {TENON_ARRAY_ARG(zeros), TENON_ARRAY_ARG(zeros)};
  OK(tenon_scan_call(scan, scanned, 2, 0, stream.get()));
  tenon_scan_release(scan);
  made.reset();
  OK(tenon_graph_end(graph_.get()));
  const struct {
    int32_t kind;
    const char* name;
    int32_t parameters;
  } expected[] = {{TENON_GRAPH_KERNEL, "scale", 3},          {TENON_GRAPH_LIBRARY, "array_copy", 0},
                  {TENON_GRAPH_LIBRARY, "array_fill", 0},    {TENON_GRAPH_LIBRARY, "gemm", 0},
                  {TENON_GRAPH_LIBRARY, "fft", 0},           {TENON_GRAPH_LIBRARY, "array_zeros", 0},
                  {TENON_GRAPH_GENERATED, "elementwise", 2}, {TENON_GRAPH_GENERATED, "reduction", 2},
                  {TENON_GRAPH_GENERATED, "scan", 2}};
  ASSERT_EQ(nodes(), int32_t(std::size(expected))) << "one for each call";
  for (int32_t i = 0; i < nodes(); ++i) {
    EXPECT_EQ(node(i).kind, expected[i].kind) << i;
    EXPECT_STREQ(node(i).name, expected[i].name) << i;
    EXPECT_EQ(node(i).parameter_count, expected[i].parameters) << i;
  }
  for (int round = 0; round < 2; ++round) {
    OK(tenon_array_fill(x_.get(), number(5), nullptr));
    OK(tenon_array_fill(line.get(), number(1), nullptr));
    OK(launch());
    EXPECT_EQ(last(y_), 10);
    EXPECT_EQ(last(x_), 7);
    EXPECT_EQ(values<float>(c.get())[799], 2 * 3 * 30);
    EXPECT_EQ(values<std::complex<float>>(line.get())[0], std::complex<float>(64));
    EXPECT_EQ(values<float>(total.get())[0], 14 * kCount);
  }
}

TEST_P(Graphs, StreamsAreOrderedAroundAReplay) {
  StreamPtr recording = begin();
  OK(scale(x_, 3, recording));
  OK(tenon_graph_end(graph_.get()));
  StreamPtr streams[3];
  for (StreamPtr& s : streams) {
    tenon_stream* made = nullptr;
    OK(tenon_stream_create(device_.get(), nullptr, &made));
    s.reset(made);
  }
  OK(scale(x_, 2, streams[0]));
  OK(launch(streams[1]));
  OK(scale(x_, 5, streams[2]));
  OK(launch(streams[0]));
  EXPECT_EQ(last(x_), 90);
}

TEST_P(Graphs, ArgumentsAreReplacedWithTheSameChecks) {
  StreamPtr recording = begin();
  OK(scale(x_, 3, recording));
  OK(tenon_array_fill(y_.get(), number(1), recording.get()));
  OK(scale(y_, 3, recording));
  OK(tenon_graph_end(graph_.get()));
  OK(launch());
  ArrayPtr z = full(1);
  const tenon_arg factor = TENON_F32_ARG(10), array = TENON_ARRAY_ARG(z.get()), wrong = TENON_I32_ARG(10);
  OK(tenon_graph_set(graph_.get(), 2, 1, &factor));
  OK(tenon_graph_set(graph_.get(), 0, 0, &array));
  FAILS(TENON_ERROR_DTYPE, "argument 1 (factor) of scale", tenon_graph_set(graph_.get(), 0, 1, &wrong));
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "argument 3 of scale is out of range",
        tenon_graph_set(graph_.get(), 0, 3, &factor));
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "node 1 is \"array_fill\"", tenon_graph_set(graph_.get(), 1, 0, &factor));
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "node 3 is out of range: the graph has 3",
        tenon_graph_set(graph_.get(), 3, 0, &factor));
  z.reset();  // the graph keeps it alive
  OK(launch());
  EXPECT_EQ(last(x_), 3);
  EXPECT_EQ(last(y_), 10);
  const tenon_arg back = TENON_ARRAY_ARG(x_.get());
  OK(tenon_graph_set(graph_.get(), 0, 0, &back));
  OK(launch());
  EXPECT_EQ(last(x_), 9);
}

TEST_P(Graphs, TheNodeOfACallDoesNotDependOnWhatItTakes) {
  ArrayPtr a = full(2, TENON_FLOAT32, {20, 30}), b = full(3, TENON_FLOAT32, {60, 40});
  ArrayPtr c = full(0, TENON_FLOAT32, {20, 40});
  const int64_t steps[] = {2, 1};
  tenon_array* strided = nullptr;
  OK(tenon_array_slice(b.get(), 2, nullptr, nullptr, steps, &strided));
  ArrayPtr every_second(strided);
  StreamPtr stream = begin();
  OK(tenon_gemm(nullptr, a.get(), strided, nullptr, nullptr, stream.get(), into(c.get())));
  OK(scale(x_, 2, stream));
  int32_t launched = -1;
  OK(tenon_graph_last_node(stream.get(), &launched));
  EXPECT_EQ(launched, 1);
  // A call that fails in the middle leaves neither a node nor a part of one.
  const tenon_arg few[] = {TENON_ARRAY_ARG(x_.get())};
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "takes 3 arguments",
        tenon_kernel_launch(scale_.get(), &launch_, few, 1, stream.get()));
  EXPECT_EQ(nodes(), 2);
  OK(tenon_graph_end(graph_.get()));
  const tenon_arg factor = TENON_F32_ARG(7);
  OK(tenon_graph_set(graph_.get(), launched, 1, &factor));
  OK(launch());
  EXPECT_EQ(last(x_), 7);
  EXPECT_EQ(values<float>(c.get())[799], 2 * 3 * 30);
}

TEST_P(Graphs, NodesAreCalledByTheFunctionAlsoWhereSeveralShareTheirCode) {
  ArrayPtr a = full(2, TENON_FLOAT32, {4, 4}), b = full(3, TENON_FLOAT32, {4, 4}), c = full(0, TENON_FLOAT32, {4, 4});
  StreamPtr stream = begin();
  const tenon_arg x = TENON_ARRAY_ARG(a.get());
  OK(tenon_unary(TENON_FN_ABS, &x, nullptr, stream.get(), into(c.get())));
  OK(tenon_trmm(nullptr, a.get(), b.get(), nullptr, stream.get(), into(c.get())));
  const tenon_array* operands[] = {a.get(), b.get()};
  OK(tenon_einsum("ij,jk->ik", operands, 2, nullptr, stream.get(), into(c.get())));
  OK(tenon_graph_end(graph_.get()));
  const char* const names[] = {"unary", "trmm", "einsum"};
  ASSERT_EQ(nodes(), 3);
  for (int32_t i = 0; i < 3; ++i) EXPECT_STREQ(node(i).name, names[i]);
}

TEST_P(Graphs, GeometryIsReplaced) {
  StreamPtr stream = begin();
  launch_.grid[0] = 1;
  OK(scale(x_, 3, stream));
  OK(tenon_array_fill(y_.get(), number(1), stream.get()));
  OK(tenon_graph_end(graph_.get()));
  OK(launch());
  EXPECT_EQ(values<float>(x_.get())[255], 3);
  EXPECT_EQ(last(x_), 1) << "beyond the first block";
  tenon_launch all = launch_;
  all.grid[0] = (kCount + 127) / 128, all.block[0] = 128;
  OK(tenon_graph_set_launch(graph_.get(), 0, &all));
  OK(launch());
  EXPECT_EQ(values<float>(x_.get())[255], 9);
  EXPECT_EQ(last(x_), 3);
  tenon_launch huge = all;
  huge.block[0] = 100000;
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "", tenon_graph_set_launch(graph_.get(), 0, &huge));
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "node 1 is \"array_fill\"", tenon_graph_set_launch(graph_.get(), 1, &all));
  huge.block[0] = 128, huge.struct_size = 2;
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "struct_size", tenon_graph_set_launch(graph_.get(), 0, &huge));
  OK(launch());
  EXPECT_EQ(last(x_), 9) << "what failed changed nothing";
}

TEST_P(Graphs, ArgumentsOfGeneratedKernelsAreReplaced) {
  tenon_elementwise* made = nullptr;
  tenon_generated_options named{};
  named.struct_size = sizeof named, named.name = "twice";
  OK(tenon_elementwise_create("float32 x, float32 f", "float32 y", "y = f * x", &named, &made));
  std::unique_ptr<tenon_elementwise, Releaser<tenon_elementwise, tenon_elementwise_release>> twice(made);
  tenon_reduction* sum = nullptr;
  OK(tenon_reduction_create("float32 x", "float32 s", "x", "a + b", "", "0", nullptr, &sum));
  std::unique_ptr<tenon_reduction, Releaser<tenon_reduction, tenon_reduction_release>> reduction(sum);
  ArrayPtr total = full(0, TENON_FLOAT32, {});
  StreamPtr stream = begin();
  const tenon_arg args[] = {TENON_ARRAY_ARG(x_.get()), TENON_F32_ARG(2), TENON_ARRAY_ARG(y_.get())};
  OK(tenon_elementwise_call(made, args, 3, stream.get()));
  const tenon_arg summed[] = {TENON_ARRAY_ARG(y_.get()), TENON_ARRAY_ARG(total.get())};
  OK(tenon_reduction_call(sum, summed, 2, nullptr, 0, stream.get()));
  OK(scale(x_, 1, stream));
  OK(tenon_graph_end(graph_.get()));
  ASSERT_EQ(nodes(), 3);
  EXPECT_STREQ(node(0).name, "twice");
  tenon_parameter_info info{};
  info.struct_size = sizeof info;
  OK(tenon_graph_get_parameter_info(graph_.get(), 0, 1, &info));
  EXPECT_EQ(info.kind, TENON_PARAMETER_SCALAR);
  EXPECT_EQ(info.dtype, TENON_FLOAT32);
  OK(tenon_graph_get_parameter_info(graph_.get(), 0, 2, &info));
  EXPECT_EQ(info.kind, TENON_PARAMETER_POINTER);
  EXPECT_EQ(info.read_only, 0u);
  OK(tenon_graph_get_parameter_info(graph_.get(), 0, 0, &info));
  EXPECT_EQ(info.read_only, 1u);
  OK(launch());
  EXPECT_EQ(values<float>(total.get())[0], 2 * kCount);
  const tenon_arg five = TENON_F32_ARG(5), whole = TENON_I32_ARG(5);
  OK(tenon_graph_set(graph_.get(), 0, 1, &five));
  OK(launch());
  EXPECT_EQ(values<float>(total.get())[0], 5 * kCount);
  FAILS(TENON_ERROR_DTYPE, "f of twice", tenon_graph_set(graph_.get(), 0, 1, &whole));
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "argument 3 of twice is out of range",
        tenon_graph_set(graph_.get(), 0, 3, &five));
  // Other shapes, and a layout that needs another kernel, all at once.
  ArrayPtr small = full(3, TENON_FLOAT32, {40, 10}), doubled = full(0, TENON_FLOAT32, {10, 40});
  tenon_array* turned = nullptr;
  OK(tenon_array_transpose(small.get(), 2, nullptr, &turned));
  ArrayPtr view(turned);
  const tenon_arg alone = TENON_ARRAY_ARG(turned);
  FAILS(TENON_ERROR_SHAPE, "twice", tenon_graph_set(graph_.get(), 0, 0, &alone));
  const tenon_arg others[] = {TENON_ARRAY_ARG(turned), TENON_F32_ARG(2), TENON_ARRAY_ARG(doubled.get())};
  OK(tenon_graph_set_args(graph_.get(), 0, others, 3));
  const tenon_arg other_sum[] = {TENON_ARRAY_ARG(doubled.get()), TENON_ARRAY_ARG(total.get())};
  OK(tenon_graph_set_args(graph_.get(), 1, other_sum, 2));
  small.reset(), view.reset();  // the graph keeps them alive
  OK(launch());
  EXPECT_EQ(values<float>(total.get())[0], 6 * 400);
  EXPECT_EQ(last(y_), 5) << "which the graph does not write any more";
  const tenon_arg factor = TENON_F32_ARG(4);
  OK(tenon_graph_set(graph_.get(), 2, 1, &factor));
  OK(launch());
  EXPECT_EQ(last(x_), 4) << "nodes behind one that changed are still where they were";
}

TEST_P(Graphs, FunctionsOfTheHostAreNodes) {
  static std::atomic<int> runs{0}, ends{0};
  runs = ends = 0;
  StreamPtr stream = begin();
  OK(scale(x_, 2, stream));
  OK(tenon_stream_call_host(stream.get(), [](void*) { ++runs; }, [](void*) { ++ends; }, nullptr));
  OK(tenon_graph_end(graph_.get()));
  EXPECT_STREQ(node(1).name, "stream_call_host");
  EXPECT_EQ(runs, 0);
  OK(launch());
  OK(launch());
  OK(tenon_device_synchronize(device_.get()));
  EXPECT_EQ(runs, 2);
  EXPECT_EQ(ends, 0) << "the graph may be launched again";
  graph_.reset();
  tenon_stream* plain = nullptr;
  OK(tenon_stream_default(device_.get(), &plain));
  StreamPtr owned(plain);
  OK(tenon_stream_synchronize(plain));
  EXPECT_EQ(ends, 1);
  EXPECT_EQ(last(x_), 4);
}

TEST_P(Graphs, ReplaysReadTheVariablesAsTheyAre) {
  StreamPtr recording = begin();
  const tenon_arg args[] = {TENON_ARRAY_ARG(x_.get()), TENON_I32_ARG(kCount)};
  OK(tenon_kernel_launch(shift_.get(), &launch_, args, 2, recording.get()));
  OK(tenon_graph_end(graph_.get()));
  tenon_array* out = nullptr;
  OK(tenon_program_global(program_.get(), "offset", &out));
  ArrayPtr offset(out);
  StreamPtr streams[2];
  for (StreamPtr& s : streams) {
    tenon_stream* made = nullptr;
    OK(tenon_stream_create(device_.get(), nullptr, &made));
    s.reset(made);
  }
  OK(tenon_array_fill(out, number(4), streams[0].get()));
  OK(launch(streams[1]));
  OK(tenon_array_fill(out, number(5), streams[0].get()));
  OK(launch(streams[1]));
  EXPECT_EQ(last(x_), 10);
}

TEST_P(Graphs, WhatCannotBeRecordedIsRefusedAndLeavesNoTrace) {
  StreamPtr stream = begin();
  OK(scale(x_, 2, stream));
  std::vector<float> host(kCount);
  FAILS(TENON_ERROR_UNSUPPORTED, "a transfer to host memory must wait",
        tenon_array_to_host(x_.get(), host.data(), kCount * 4, stream.get()));
  FAILS(TENON_ERROR_UNSUPPORTED, "a transfer from host memory",
        tenon_array_set_from_host(x_.get(), host.data(), kCount * 4, stream.get()));
  const int64_t n = kCount;
  tenon_array* out = nullptr;
  FAILS(TENON_ERROR_UNSUPPORTED, "is recording a graph",
        tenon_array_from_host(device_.get(), TENON_FLOAT32, 1, &n, host.data(), kCount * 4, stream.get(), &out));
  ArrayPtr matrix = full(1, TENON_FLOAT32, {10, 10});
  tenon_array *u = nullptr, *s = nullptr, *vh = nullptr;
  FAILS(TENON_ERROR_UNSUPPORTED, "svd must wait for its result",
        tenon_svd(matrix.get(), nullptr, stream.get(), &u, &s, &vh));
  double seconds = 0;
  const tenon_arg args[] = {TENON_ARRAY_ARG(x_.get()), TENON_F32_ARG(2), TENON_I32_ARG(kCount)};
  FAILS(TENON_ERROR_UNSUPPORTED, "a timed launch",
        tenon_kernel_time(scale_.get(), &launch_, args, 3, stream.get(), &seconds));
  FAILS(TENON_ERROR_UNSUPPORTED, "so nothing runs before", tenon_stream_synchronize(stream.get()));
  FAILS(TENON_ERROR_UNSUPPORTED, "so nothing runs before", tenon_stream_query(stream.get()));
  uint64_t native = 0;
  FAILS(TENON_ERROR_UNSUPPORTED, "there is no native stream", tenon_stream_native(stream.get(), &native));
  tenon_event* event = nullptr;
  OK(tenon_event_create(device_.get(), 0, &event));
  EventPtr owned(event);
  FAILS(TENON_ERROR_UNSUPPORTED, "an event can only mark work that runs", tenon_event_record(event, stream.get()));
  FAILS(TENON_ERROR_UNSUPPORTED, "an event cannot be waited for", tenon_stream_wait_event(stream.get(), event));
  tenon_graph* other = nullptr;
  OK(tenon_graph_create(device_.get(), &other));
  GraphPtr second(other);
  tenon_stream* inner = nullptr;
  OK(tenon_graph_begin(other, &inner));
  StreamPtr inner_stream(inner);
  OK(tenon_graph_end(other));
  FAILS(TENON_ERROR_UNSUPPORTED, "a graph cannot be launched into another", tenon_graph_launch(other, stream.get()));
  // A failing launch adds nothing, nor does a product of which only a part could be recorded.
  const tenon_arg few[] = {TENON_ARRAY_ARG(x_.get())};
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "takes 3 arguments",
        tenon_kernel_launch(scale_.get(), &launch_, few, 1, stream.get()));
  OK(tenon_graph_end(graph_.get()));
  EXPECT_EQ(nodes(), 1);
  OK(launch());
  EXPECT_EQ(last(x_), 2);
}

TEST_P(Graphs, StatesAreKeptApart) {
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "nothing was recorded into the graph yet", launch());
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "the graph is not being recorded", tenon_graph_end(graph_.get()));
  StreamPtr stream = begin();
  tenon_stream* again = nullptr;
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "the graph is being recorded", tenon_graph_begin(graph_.get(), &again));
  EXPECT_EQ(again, nullptr);
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "still being recorded", launch());
  int32_t status = TENON_OK, ended = TENON_OK;
  std::string text;
  std::thread([&] {
    status = scale(x_, 2, stream);
    text = tenon_error_last_message();
    ended = tenon_graph_end(graph_.get());
  }).join();
  EXPECT_EQ(status, TENON_ERROR_INVALID_ARGUMENT);
  EXPECT_NE(text.find("for the thread that called tenon_graph_begin"), std::string::npos) << text;
  EXPECT_EQ(ended, TENON_ERROR_INVALID_ARGUMENT);
  OK(scale(x_, 2, stream));
  OK(tenon_graph_end(graph_.get()));
  EXPECT_EQ(nodes(), 1);
  FAILS(TENON_ERROR_INVALID_HANDLE, "the recording of this stream's graph has ended", scale(x_, 2, stream));
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "1 nodes", tenon_graph_begin(graph_.get(), &again));
  OK(tenon_graph_clear(graph_.get()));
  EXPECT_EQ(nodes(), 0);
  StreamPtr second = begin();
  OK(tenon_graph_clear(graph_.get()));  // in the middle of a recording
  FAILS(TENON_ERROR_INVALID_HANDLE, "has ended", scale(x_, 2, second));
  StreamPtr third = begin();
  OK(tenon_graph_end(graph_.get()));
  OK(launch());  // of no nodes
  EXPECT_EQ(last(x_), 1);
  second = nullptr;
  OK(tenon_graph_clear(graph_.get()));
  StreamPtr fourth = begin();
  graph_.reset();  // in the middle of a recording
  FAILS(TENON_ERROR_INVALID_HANDLE, "has ended", scale(x_, 2, fourth));
}

TEST_P(Graphs, OfAThousandNodes) {
  StreamPtr stream = begin();
  for (int i = 0; i < 1000; ++i) OK(add(x_, y_, stream));
  OK(tenon_graph_end(graph_.get()));
  EXPECT_EQ(nodes(), 1000);
  OK(launch());
  OK(launch());
  EXPECT_EQ(last(y_), 2000);
}

TEST_P(Graphs, AFaultOfANodeIsTheStreams) {
  if (std::string(GetParam()) != "cpu:0") GTEST_SKIP() << "a fault ends the process's use of a GPU";
  const char source[] = "__global__ void fail(int* x) { assert(x[0] == 0); }";
  const char* names[] = {"fail"};
  tenon_program_options options{};
  options.struct_size = sizeof options;
  options.kernels = names, options.kernel_count = 1;
  tenon_program* program = nullptr;
  OK(tenon_program_create(device_.get(), source, sizeof source - 1, &options, &program));
  ProgramPtr owned(program);
  tenon_kernel* kernel = nullptr;
  OK(tenon_program_kernel(program, "fail", &kernel));
  KernelPtr fail(kernel);
  ArrayPtr flag = full(0, TENON_INT32, {1});
  StreamPtr stream = begin();
  const tenon_arg args[] = {TENON_ARRAY_ARG(flag.get())};
  tenon_launch one{};
  one.struct_size = sizeof one;
  OK(tenon_kernel_launch(kernel, &one, args, 1, stream.get()));
  OK(tenon_graph_end(graph_.get()));
  OK(launch());
  OK(tenon_array_fill(flag.get(), number(1), nullptr));
  OK(launch());
  FAILS(TENON_ERROR_KERNEL_FAULT, "assertion failed: x[0] == 0", tenon_device_synchronize(device_.get()));
  OK(tenon_array_fill(flag.get(), number(0), nullptr));
  OK(launch());
  OK(tenon_device_synchronize(device_.get()));
}

INSTANTIATE_TEST_SUITE_P(Devices, Graphs, ::testing::Values("cpu:0", "cuda:0"), [](const auto& test) {
  return std::string(test.param).substr(0, std::string(test.param).find(':'));
});

}  // namespace
