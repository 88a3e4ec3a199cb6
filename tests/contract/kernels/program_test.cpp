// tests/contract/kernels/program_test.cpp: variables as arrays, occupancy, geometry by count, timed launches, checks
// for an architecture: on every device.
#include <chrono>
#include <limits>
#include <string>
#include "support.hpp"

namespace {

using namespace test;

const char kSource[] = R"(
struct Pair { int a; char b; };
enum class Mode : unsigned short { off, on };
__constant__ float weights[3][4];
__device__ int counter = 5;
__device__ const double limits[2] = {0.25, 8.0};
__device__ float2 points[6];
__device__ Pair pairs[2];
__device__ Mode mode = Mode::on;
__device__ bool flags[5];
namespace ns { __constant__ unsigned char table[2][1][3]; }
template <class T> __device__ T shared_value[2];
__device__ long long unlisted[3] = {7, 8, 9};
extern "C" __global__ void weigh(float* out) { out[threadIdx.x] = weights[threadIdx.x / 4][threadIdx.x % 4] * 2 + ns::table[1][0][2]; }
extern "C" __global__ void count(int n) { atomicAdd(&counter, n); unlisted[0] += counter; }
extern "C" __global__ void axpy(float* y, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] += 1; }
extern "C" __global__ void __launch_bounds__(64) narrow(float* y) { y[0] = 1; }
extern "C" __global__ void work(float* y, int rounds) { float v = y[threadIdx.x]; for (int i = 0; i < rounds; ++i) v = v * 0.999f + 1; y[threadIdx.x] = v; }
extern "C" __global__ void values(float* y) { y[0] = shared_value<float>[1]; points[0].x += 0; pairs[0].a += 0; flags[0] = mode == Mode::on; }
)";
const char* const kKernels[] = {"weigh", "count", "axpy", "narrow", "work", "values"};
const char* const kGlobals[] = {
    "weights", "counter", "limits", "points", "pairs", "mode", "flags", "ns::table", "shared_value<float>"};

class Programs : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    device_ = device(GetParam());
    if (!device_) GTEST_SKIP() << tenon_error_last_message();
    tenon_program_options o{};
    o.struct_size = sizeof o;
    o.kernels = kKernels;
    o.kernel_count = int32_t(std::size(kKernels));
    o.globals = kGlobals;
    o.global_count = int32_t(std::size(kGlobals));
    tenon_program* program = nullptr;
    const int32_t status = tenon_program_create(device_.get(), kSource, sizeof kSource - 1, &o, &program);
    if (status == TENON_ERROR_MISSING_LIBRARY) GTEST_SKIP() << tenon_error_last_message();
    ASSERT_EQ(status, TENON_OK) << tenon_error_last_message();
    program_.reset(program);
  }
  bool on_cpu() const { return std::string(GetParam()) == "cpu:0"; }
  KernelPtr kernel(const char* name) {
    tenon_kernel* out = nullptr;
    EXPECT_OK(tenon_program_kernel(program_.get(), name, &out));
    return KernelPtr(out);
  }
  ArrayPtr global(const char* name) {
    tenon_array* out = nullptr;
    EXPECT_OK(tenon_program_global(program_.get(), name, &out));
    return ArrayPtr(out);
  }
  ArrayPtr zeros(uint32_t dtype, int64_t n) {
    tenon_array* out = nullptr;
    EXPECT_OK(tenon_array_zeros(device_.get(), dtype, 1, &n, nullptr, &out));
    return ArrayPtr(out);
  }
  static tenon_launch geometry(uint32_t grid, uint32_t block) {
    tenon_launch out{};
    out.struct_size = sizeof out;
    out.grid[0] = grid;
    out.block[0] = block;
    return out;
  }
  void launch(const KernelPtr& kernel, uint32_t block, std::vector<tenon_arg> args, tenon_stream* stream = nullptr) {
    const tenon_launch l = geometry(1, block);
    OK(tenon_kernel_launch(kernel.get(), &l, args.data(), int32_t(args.size()), stream));
  }
  tenon_device_info limits() {
    tenon_device_info out{};
    out.struct_size = sizeof out;
    EXPECT_OK(tenon_device_get_info(device_.get(), &out));
    return out;
  }
  void TearDown() override { program_.reset(); }

  DevicePtr device_;
  ProgramPtr program_;
};
INSTANTIATE_TEST_SUITE_P(Devices, Programs, ::testing::Values("cpu:0", "cuda:0"), [](const auto& info) {
  return std::string(info.param).substr(0, std::string(info.param).find(':'));
});

TEST_P(Programs, VariablesHaveTheCompilersDtypeAndShape) {
  const struct {
    const char* name;
    uint32_t dtype;
    std::vector<int64_t> shape;
    bool read_only;
  } expected[] = {{"weights", TENON_FLOAT32, {3, 4}, false},
                  {"counter", TENON_INT32, {}, false},
                  {"limits", TENON_FLOAT64, {2}, true},
                  {"points", TENON_FLOAT32, {6, 2}, false},
                  {"pairs", TENON_UINT8, {2, 8}, false},
                  {"mode", TENON_UINT16, {}, false},
                  {"flags", TENON_BOOL, {5}, false},
                  {"ns::table", TENON_UINT8, {2, 1, 3}, false},
                  {"shared_value<float>", TENON_FLOAT32, {2}, false}};
  for (const auto& e : expected) {
    ArrayPtr array = global(e.name);
    ASSERT_TRUE(array) << e.name;
    const tenon_array_info i = info(array.get());
    EXPECT_EQ(i.dtype, e.dtype) << e.name;
    EXPECT_EQ(shape(array.get()), e.shape) << e.name;
    EXPECT_EQ(bool(i.flags & TENON_ARRAY_READ_ONLY), e.read_only) << e.name;
  }
}

TEST_P(Programs, WhatTheHostWritesInAVariableTheKernelReads) {
  ArrayPtr weights = global("weights"), table = global("ns::table"), out = zeros(TENON_FLOAT32, 12);
  const KernelPtr weigh = kernel("weigh");
  float written[12];
  std::iota(written, written + 12, 1.0f);
  const uint8_t bytes[6] = {0, 0, 0, 0, 0, 100};
  OK(tenon_array_set_from_host(weights.get(), written, sizeof written, nullptr));
  OK(tenon_array_set_from_host(table.get(), bytes, sizeof bytes, nullptr));
  launch(weigh, 12, {TENON_ARRAY_ARG(out.get())});
  std::vector<float> expected(12);
  for (int i = 0; i < 12; ++i) expected[size_t(i)] = written[i] * 2 + 100;
  EXPECT_EQ(values<float>(out.get()), expected);

  OK(tenon_array_fill(weights.get(), number(3), nullptr));  // a second write to the same variable
  launch(weigh, 12, {TENON_ARRAY_ARG(out.get())});
  EXPECT_EQ(values<float>(out.get()), std::vector<float>(12, 106.0f));
}

TEST_P(Programs, WhatAKernelWritesInAVariableTheHostReads) {
  ArrayPtr counter = global("counter");
  EXPECT_EQ(values<int32_t>(counter.get()), std::vector<int32_t>{5});
  launch(kernel("count"), 32, {TENON_I32_ARG(2)});
  EXPECT_EQ(values<int32_t>(counter.get()), std::vector<int32_t>{5 + 64});
  EXPECT_EQ(values<double>(global("limits").get()), (std::vector<double>{0.25, 8.0}));
}

TEST_P(Programs, StreamsAreOrderedByTheVariablesThatTheHostHolds) {
  ArrayPtr counter = global("counter");
  const KernelPtr count = kernel("count");
  tenon_stream *first = nullptr, *second = nullptr;
  OK(tenon_stream_create(device_.get(), nullptr, &first));
  StreamPtr owner(first);
  OK(tenon_stream_create(device_.get(), nullptr, &second));
  StreamPtr owner2(second);
  for (int i = 0; i < 100; ++i) {
    launch(count, 256, {TENON_I32_ARG(1)}, first);
    int32_t seen = 0;
    OK(tenon_array_to_host(counter.get(), &seen, 4, second));
    ASSERT_EQ(seen, 256 + (i ? 0 : 5)) << "round " << i;
    const int32_t none = 0;
    OK(tenon_array_set_from_host(counter.get(), &none, 4, second));
  }
}

TEST_P(Programs, ArraysOfAVariableOutliveTheProgram) {
  ArrayPtr counter = global("counter"), again = global("counter");
  EXPECT_EQ(info(counter.get()).data, info(again.get()).data);
  program_.reset();
  EXPECT_EQ(values<int32_t>(counter.get()), std::vector<int32_t>{5});
  OK(tenon_array_fill(again.get(), number(9), nullptr));
  EXPECT_EQ(values<int32_t>(counter.get()), std::vector<int32_t>{9});
}

TEST_P(Programs, ConstVariablesAreReadOnly) {
  const double one[2] = {1, 1};
  FAILS(TENON_ERROR_READ_ONLY, "read-only",
        tenon_array_set_from_host(global("limits").get(), one, sizeof one, nullptr));
}

TEST_P(Programs, AVariableThatIsNotListedIsItsBytesReadOnly) {
  ArrayPtr bytes = global("unlisted");
  ASSERT_TRUE(bytes);
  const tenon_array_info i = info(bytes.get());
  EXPECT_EQ(i.dtype, TENON_UINT8);
  EXPECT_EQ(shape(bytes.get()), std::vector<int64_t>{24});
  EXPECT_TRUE(i.flags & TENON_ARRAY_READ_ONLY);
  EXPECT_EQ(values<uint8_t>(bytes.get())[8], 8);
}

TEST_P(Programs, AVariableThatIsNotThereIsNamed) {
  tenon_array* out = nullptr;
  FAILS(TENON_ERROR_NOT_FOUND, "\"nothing\"", tenon_program_global(program_.get(), "nothing", &out));
  EXPECT_EQ(out, nullptr);
  const char* wrong[] = {"nothing"};
  tenon_program_options o{};
  o.struct_size = sizeof o;
  o.globals = wrong;
  o.global_count = 1;
  tenon_program* program = nullptr;
  FAILS(TENON_ERROR_COMPILE, "nothing", tenon_program_create(device_.get(), kSource, sizeof kSource - 1, &o, &program));
}

TEST_P(Programs, VariablesComeBackFromTheCache) {
  tenon_program_options o{};
  o.struct_size = sizeof o;
  o.kernels = kKernels;
  o.kernel_count = int32_t(std::size(kKernels));
  const char* fewer[] = {"mode"};  // another list means another program
  o.globals = fewer;
  o.global_count = 1;
  tenon_program* program = nullptr;
  OK(tenon_program_create(device_.get(), kSource, sizeof kSource - 1, &o, &program));
  ProgramPtr owner(program);
  tenon_array* out = nullptr;
  OK(tenon_program_global(program, "mode", &out));
  ArrayPtr mode(out);
  EXPECT_EQ(values<uint16_t>(out), std::vector<uint16_t>{1});
}

TEST_P(Programs, OccupancyIsWithinTheDevice) {
  const KernelPtr axpy = kernel("axpy");
  int32_t blocks = -1;
  OK(tenon_kernel_occupancy(axpy.get(), 128, 0, &blocks));
  const tenon_device_info l = limits();
  if (on_cpu()) {
    EXPECT_EQ(blocks, 1);
  } else {
    EXPECT_EQ(blocks, l.max_threads_per_multiprocessor / 128) << "a kernel of few registers";
    int32_t fewer = -1;
    OK(tenon_kernel_occupancy(axpy.get(), 128, 100 << 10, &fewer));
    EXPECT_GE(fewer, 1);
    EXPECT_LT(fewer, blocks);
  }
  OK(tenon_kernel_occupancy(axpy.get(), 1025, 0, &blocks));
  EXPECT_EQ(blocks, 0);
  OK(tenon_kernel_occupancy(axpy.get(), 32, uint64_t(1) << 40, &blocks));
  EXPECT_EQ(blocks, 0);
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "block_threads is 0", tenon_kernel_occupancy(axpy.get(), 0, 0, &blocks));
}

TEST_P(Programs, ThePreferenceForSharedMemoryBelongsToTheKernelOfTheProgram) {
  const auto info_of = [](tenon_kernel* of) {
    tenon_kernel_info info{};
    info.struct_size = sizeof info;
    EXPECT_OK(tenon_kernel_get_info(of, &info));
    return info;
  };
  const KernelPtr axpy = kernel("axpy");
  const tenon_kernel_info before = info_of(axpy.get());
  EXPECT_EQ(before.shared_carveout, -1);
  EXPECT_EQ(before.dynamic_shared_bytes, limits().shared_per_block_max - before.shared_bytes);
  if (on_cpu()) {
    EXPECT_EQ(before.ptx_version, 0);
    EXPECT_EQ(before.binary_version, 0);
    EXPECT_EQ(before.cache_mode_ca, 0);
  } else {
    EXPECT_EQ(before.binary_version, limits().compute_major * 10 + limits().compute_minor);
    EXPECT_GT(before.ptx_version, 0);
    EXPECT_LE(before.ptx_version, before.binary_version);
  }
  OK(tenon_kernel_prefer_shared(axpy.get(), 50));
  tenon_program* program = nullptr;
  OK(tenon_kernel_program(axpy.get(), &program));
  const ProgramPtr owner(program);
  tenon_kernel* other = nullptr;
  OK(tenon_program_kernel(program, "axpy", &other));
  const KernelPtr again(other);
  EXPECT_EQ(info_of(other).shared_carveout, 50);
  EXPECT_EQ(info_of(axpy.get()).shared_carveout, 50);
  for (int32_t wrong : {-2, 101}) {
    FAILS(TENON_ERROR_INVALID_ARGUMENT, "it must be from 0 to 100, or -1", tenon_kernel_prefer_shared(other, wrong));
    EXPECT_EQ(info_of(other).shared_carveout, 50);
  }
  OK(tenon_kernel_prefer_shared(other, -1));
  EXPECT_EQ(info_of(axpy.get()).shared_carveout, -1);
}

TEST_P(Programs, TheSuggestedBlockIsAsGoodAsAnyOther) {
  const KernelPtr axpy = kernel("axpy");
  uint32_t block = 0, grid = 0;
  OK(tenon_kernel_suggest(axpy.get(), 0, &block, &grid));
  int32_t at_once = 0;
  OK(tenon_kernel_occupancy(axpy.get(), block, 0, &at_once));
  EXPECT_EQ(grid, uint32_t(at_once * limits().multiprocessors));
  if (on_cpu()) {
    EXPECT_EQ(block, 256u);
  } else {
    for (uint32_t threads = 32; threads <= 1024; threads += 32) {
      int32_t blocks = 0;
      OK(tenon_kernel_occupancy(axpy.get(), threads, 0, &blocks));
      EXPECT_LE(blocks * threads, at_once * block) << threads;
      EXPECT_FALSE(threads > block && blocks * threads == at_once * block) << threads << " would be larger and as good";
    }
    OK(tenon_kernel_suggest(kernel("narrow").get(), 0, &block, &grid));
    EXPECT_LE(block, 64u) << "__launch_bounds__(64)";
  }
  FAILS(TENON_ERROR_UNSUPPORTED, "no block", tenon_kernel_suggest(axpy.get(), uint64_t(1) << 40, &block, &grid));
}

TEST_P(Programs, ALaunchForACountHasAThreadForEachElement) {
  const KernelPtr axpy = kernel("axpy");
  for (uint64_t n : {uint64_t(0), uint64_t(1), uint64_t(255), uint64_t(256), uint64_t(257), uint64_t(100003)}) {
    for (uint32_t block : {0u, 96u}) {
      tenon_launch l = geometry(0, block);
      OK(tenon_launch_for(axpy.get(), n, &l));
      if (block) {
        EXPECT_EQ(l.block[0], block);
      }
      EXPECT_GE(uint64_t(l.grid[0]) * l.block[0], n);
      EXPECT_TRUE(l.grid[0] == 1 || (uint64_t(l.grid[0]) - 1) * l.block[0] < n)
          << l.grid[0] << " blocks of " << l.block[0] << " for " << n;
      ArrayPtr y = zeros(TENON_FLOAT32, int64_t(n));
      tenon_arg args[] = {TENON_ARRAY_ARG(y.get()), TENON_I32_ARG(int32_t(n))};
      OK(tenon_kernel_launch(axpy.get(), &l, args, 2, nullptr));
      EXPECT_EQ(values<float>(y.get()), std::vector<float>(n, 1.0f)) << n;
    }
  }
  tenon_launch l = geometry(0, 1);
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "max_grid",
        tenon_launch_for(axpy.get(), std::numeric_limits<uint64_t>::max(), &l));
  EXPECT_EQ(l.grid[0], 0u);
  l = geometry(0, 8);
  l.block[1] = 2;
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "8 x 2", tenon_launch_for(axpy.get(), 10, &l));
}

TEST_P(Programs, ATimedLaunchRunsOnceAndTakesTime) {
  const KernelPtr work = kernel("work"), axpy = kernel("axpy");
  ArrayPtr y = zeros(TENON_FLOAT32, 64);
  const tenon_launch l = geometry(1, 64);
  double once = -1;
  tenon_arg one[] = {TENON_ARRAY_ARG(y.get()), TENON_I32_ARG(64)};
  OK(tenon_kernel_time(axpy.get(), &l, one, 2, nullptr, &once));
  EXPECT_EQ(values<float>(y.get()), std::vector<float>(64, 1.0f));
  EXPECT_GE(once, 0);
  auto time = [&](int32_t rounds) {
    tenon_arg args[] = {TENON_ARRAY_ARG(y.get()), TENON_I32_ARG(rounds)};
    double out = -1;
    EXPECT_OK(tenon_kernel_time(work.get(), &l, args, 2, nullptr, &out));
    return out;
  };
  EXPECT_GT(time(2000), 0);
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "takes 2 arguments", tenon_kernel_time(work.get(), &l, one, 1, nullptr, &once));
}

TEST_P(Programs, AProgrammaticLaunchSeesWhatTheKernelBeforeItWrote) {
  const std::string source =
      "#include <cuda_device_runtime_api.h>\n"
      "extern \"C\" __global__ void k(const int* x, int* y, int n) {\n  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  cudaGridDependencySynchronize();\n  if (i < n) y[i] = x[n - 1 - i] + 1;\n  cudaTriggerProgrammaticLaunchCompletion();\n}\n";
  const char* const names[] = {"k"};
  tenon_program_options o{};
  o.struct_size = sizeof o;
  o.kernels = names;
  o.kernel_count = 1;
  tenon_program* program = nullptr;
  const int32_t status = tenon_program_create(device_.get(), source.data(), source.size(), &o, &program);
  if (lacks_headers(status)) GTEST_SKIP() << tenon_error_last_message();
  OK(status);
  const ProgramPtr owned(program);
  tenon_kernel* found = nullptr;
  OK(tenon_program_kernel(program, "k", &found));
  const KernelPtr chain(found);
  const int n = 100000;
  const ArrayPtr x = zeros(TENON_INT32, n), y = zeros(TENON_INT32, n);
  tenon_launch l = geometry((n + 127) / 128, 128);
  l.flags = TENON_LAUNCH_PROGRAMMATIC;
  for (int step = 0; step < 50; ++step) {
    const tenon_arg args[] = {TENON_ARRAY_ARG(step % 2 ? y.get() : x.get()),
                              TENON_ARRAY_ARG(step % 2 ? x.get() : y.get()), TENON_I32_ARG(n)};
    OK(tenon_kernel_launch(chain.get(), &l, args, 3, nullptr));
  }
  EXPECT_EQ(values<int32_t>(x.get()), std::vector<int32_t>(n, 50));
  l.flags = 4;
  const tenon_arg args[] = {TENON_ARRAY_ARG(x.get()), TENON_ARRAY_ARG(y.get()), TENON_I32_ARG(n)};
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "unknown bits 0x4", tenon_kernel_launch(chain.get(), &l, args, 3, nullptr));
}

// ---- without a device

int32_t check_source(const std::string& source, const char* architecture, std::string& log,
                     std::vector<const char*> kernels = {}) {
  tenon_program_options o{};
  o.struct_size = sizeof o;
  o.name = "mine.cu";
  o.kernels = kernels.data();
  o.kernel_count = int32_t(kernels.size());
  tenon_blob* blob = nullptr;
  const int32_t status =
      tenon_program_compile(architecture, source.data(), source.size(), &o, TENON_IMAGE_BINARY, nullptr, &blob);
  BlobPtr owner(blob);
  const void* data = nullptr;
  uint64_t size = 0;
  if (blob) {
    EXPECT_OK(tenon_blob_data(blob, &data, &size));
  }
  log.assign(static_cast<const char*>(data), size);
  return status;
}

class Check : public ::testing::Test {
 protected:
  void SetUp() override {
    const int32_t status = check_source("__global__ void k() {}", "sm_90", log_);
    if (status == TENON_ERROR_MISSING_LIBRARY || status == TENON_ERROR_UNSUPPORTED)
      GTEST_SKIP() << tenon_error_last_message();
    ASSERT_EQ(status, TENON_OK) << tenon_error_last_message();
  }
  std::string log_;
};

TEST_F(Check, ASourceIsCompiledForAnArchitectureWithoutADevice) {
  const std::string newer =
      "#if __CUDA_ARCH__ < 900\n#error needs 9.0\n#endif\ntemplate <class T> __global__ void k(T* x) { x[0] = 1; }\n";
  OK(check_source(newer, "sm_90", log_, {"k<float>"}));
  EXPECT_EQ(log_, "");
  FAILS(TENON_ERROR_COMPILE, "needs 9.0", check_source(newer, "sm_80", log_, {"k<float>"}));
}
TEST_F(Check, AFaultNamesTheUsersLine) {
  FAILS(TENON_ERROR_COMPILE, "mine.cu(2)", check_source("__global__ void k() {\n  nowhere = 1;\n}\n", "sm_80", log_));
  FAILS(TENON_ERROR_UNSUPPORTED, "reference", check_source("__global__ void k(int& x) {}", "sm_80", log_, {"k"}));
}
TEST_F(Check, WarningsAreTheLog) {
  OK(check_source("__global__ void k(int* x) {\n  int unused_here;\n  x[0] = 1;\n}\n", "sm_80", log_, {"k"}));
  EXPECT_NE(log_.find("unused_here"), std::string::npos) << log_;
}
TEST_F(Check, AnArchitectureThatIsNoneIsRefused) {
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "gpu", check_source("__global__ void k() {}", "gpu", log_));
  FAILS(TENON_ERROR_UNSUPPORTED, "sm_20", check_source("__global__ void k() {}", "sm_20", log_));
}

}  // namespace
