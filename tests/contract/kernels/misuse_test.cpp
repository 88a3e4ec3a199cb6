// tests/contract/kernels/misuse_test.cpp: programs, kernels, launches and bound calls used wrongly: the exact status,
// and a text that names the thing. On the CPU, and with the same words on a GPU where there is one. (The pairs of
// arguments and parameters are in tests/kernel/launch_test.cpp, the texts that do not compile in
// tests/kernels/meaning/refusals_test.cpp.)
#include <functional>
#include <limits>
#include <string>
#include "support.hpp"

namespace {

using namespace test;

constexpr char kSource[] =
    "__device__ int limit = 3;\n"
    "__device__ int helper(int v) { return v + limit; }\n"
    "extern \"C\" __global__ void add(const float* x, float* y, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] += x[i]; }\n"
    "extern \"C\" __global__ void shared(int* y) { __shared__ int s[4096]; s[threadIdx.x] = helper(1); __syncthreads(); y[0] = s[0]; }\n"
    "template <class T> __global__ void fill(T* y, T v) { y[threadIdx.x] = v; }\n"
    "__global__ void over(int* y) { *y = 1; }\n"
    "__global__ void over(float* y) { *y = 2; }\n";

class Misuse : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    device_ = device(GetParam());
    if (!device_) GTEST_SKIP() << tenon_error_last_message();
    on_cpu_ = std::string(GetParam()).rfind("cpu", 0) == 0;
    const int32_t status = program({"add", "shared"}, program_);
    if (status == TENON_ERROR_MISSING_LIBRARY) GTEST_SKIP() << tenon_error_last_message();
    ASSERT_EQ(TENON_OK, status) << tenon_error_last_message();
    tenon_kernel* made = nullptr;
    OK(tenon_program_kernel(program_.get(), "add", &made));
    add_.reset(made);
    OK(tenon_program_kernel(program_.get(), "shared", &made));
    shared_.reset(made);
    tenon_array* array = nullptr;
    const int64_t n = 64;
    OK(tenon_array_from_host(device_.get(), TENON_FLOAT32, 1, &n, std::vector<float>(64, 1).data(), 256, nullptr,
                             &array));
    x_.reset(array);
    OK(tenon_array_from_host(device_.get(), TENON_FLOAT32, 1, &n, std::vector<float>(64, 2).data(), 256, nullptr,
                             &array));
    y_.reset(array);
  }
  int32_t program(std::vector<const char*> names, ProgramPtr& out,
                  const std::function<void(tenon_program_options&)>& change = {}, const char* source = kSource,
                  uint64_t size = sizeof kSource - 1) {
    tenon_program_options o{};
    o.struct_size = sizeof o;
    o.kernels = names.data();
    o.kernel_count = int32_t(names.size());
    if (change) change(o);
    tenon_program* made = reinterpret_cast<tenon_program*>(1);
    const int32_t status = tenon_program_create(device_.get(), source, size, &o, &made);
    EXPECT_TRUE(status == TENON_OK || made == nullptr) << "an output is NULL on failure";
    out.reset(status == TENON_OK ? made : nullptr);
    return status;
  }
  static tenon_launch geometry() {
    tenon_launch l{};
    l.struct_size = sizeof l;
    l.grid[0] = 1, l.block[0] = 64;
    return l;
  }
  std::vector<tenon_arg> good() const {
    tenon_arg args[3] = {};
    args[0].kind = args[1].kind = TENON_ARG_ARRAY;
    args[0].value.array = x_.get(), args[1].value.array = y_.get();
    args[2].kind = TENON_ARG_SCALAR, args[2].dtype = TENON_INT32, args[2].size = 4, args[2].value.i32 = 64;
    return {args, args + 3};
  }
  // After every refusal the kernel still works, and nothing has run.
  void expect_sound(float y) {
    std::vector<float> got = values<float>(y_.get());
    EXPECT_EQ(got, std::vector<float>(64, y));
  }
  DevicePtr device_;
  ProgramPtr program_;
  KernelPtr add_, shared_;
  ArrayPtr x_, y_;
  bool on_cpu_ = true;
};

TEST_P(Misuse, OfProgramsIsRefusedByName) {
  ProgramPtr out;
  using Options = tenon_program_options;
  static const char* const null_names[] = {"add", nullptr};
  static const char* const header_names[] = {"mine.h", nullptr};
  static const char* const header_texts[] = {"#pragma once\n", nullptr};
  const struct Row {
    const char* what;
    std::vector<const char*> kernels;
    std::function<void(Options&)> change;
    int32_t status;
    const char* part;
  } rows[] = {
      {"struct_size 0", {"add"}, [](Options& o) { o.struct_size = 0; }, TENON_ERROR_INVALID_ARGUMENT, "struct_size"},
      {"unknown flags", {"add"}, [](Options& o) { o.flags = 1u << 30; }, TENON_ERROR_INVALID_ARGUMENT, "flag"},
      {"unknown mode", {"add"}, [](Options& o) { o.mode = 77; }, TENON_ERROR_INVALID_ARGUMENT, "77"},
      {"negative kernel_count",
       {"add"},
       [](Options& o) { o.kernel_count = -1; },
       TENON_ERROR_INVALID_ARGUMENT,
       "the number of kernels is -1"},
      {"NULL kernels",
       {},
       [](Options& o) { o.kernels = nullptr, o.kernel_count = 2; },
       TENON_ERROR_INVALID_ARGUMENT,
       "kernels"},
      {"a NULL kernel name",
       {},
       [](Options& o) { o.kernels = null_names, o.kernel_count = 2; },
       TENON_ERROR_INVALID_ARGUMENT,
       "kernels"},
      {"an empty kernel name", {"add", ""}, {}, TENON_ERROR_INVALID_ARGUMENT, "a kernel name is empty"},
      {"a name with a line break", {"add\n"}, {}, TENON_ERROR_INVALID_ARGUMENT, "kernel"},
      {"negative option_count",
       {"add"},
       [](Options& o) { o.option_count = -3; },
       TENON_ERROR_INVALID_ARGUMENT,
       "the number of options is -3"},
      {"NULL options", {"add"}, [](Options& o) { o.option_count = 1; }, TENON_ERROR_INVALID_ARGUMENT, "options"},
      {"negative header_count",
       {"add"},
       [](Options& o) { o.header_count = -1; },
       TENON_ERROR_INVALID_ARGUMENT,
       "the number of header_names is -1"},
      {"NULL header_sources",
       {"add"},
       [](Options& o) { o.header_names = header_names, o.header_count = 1; },
       TENON_ERROR_INVALID_ARGUMENT,
       "header_sources"},
      {"a NULL header",
       {"add"},
       [](Options& o) { o.header_names = header_names, o.header_sources = header_texts, o.header_count = 2; },
       TENON_ERROR_INVALID_ARGUMENT,
       "header"},
      {"a time limit below zero",
       {"add"},
       [](Options& o) { o.time_limit = -1; },
       TENON_ERROR_INVALID_ARGUMENT,
       "time limit is -1"},
      {"a time limit that is no number",
       {"add"},
       [](Options& o) { o.time_limit = std::numeric_limits<double>::quiet_NaN(); },
       TENON_ERROR_INVALID_ARGUMENT,
       "time limit is nan"},
      {"negative global_count",
       {"add"},
       [](Options& o) { o.global_count = -1; },
       TENON_ERROR_INVALID_ARGUMENT,
       "the number of globals is -1"},
      {"no such kernel", {"addd"}, {}, TENON_ERROR_COMPILE, "addd"},
      {"a device function", {"helper"}, {}, TENON_ERROR_COMPILE, on_cpu_ ? "a kernel returns void" : "helper"},
      {"a variable", {"limit"}, {}, TENON_ERROR_COMPILE, "limit"},
      {"a template without arguments", {"fill"}, {}, TENON_ERROR_COMPILE, "fill"},
      {"a type that there is not", {"fill<nothing>"}, {}, TENON_ERROR_COMPILE, "nothing"},
      {"an unbalanced name", {"fill<float"}, {}, TENON_ERROR_COMPILE, "fill<float"},
      {"a name with a statement", {"add; int x"}, {}, TENON_ERROR_INVALID_ARGUMENT, "add; int x"},
      {"overloads", {"over"}, {}, TENON_ERROR_COMPILE, "over"},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.what);
    FAILS(row.status, row.part, program(row.kernels, out, row.change));
  }
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "source", program({"add"}, out, {}, nullptr, 10));
  tenon_program* made = nullptr;
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "device is NULL",
        tenon_program_create(nullptr, kSource, sizeof kSource - 1, nullptr, &made));
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "out_program",
        tenon_program_create(device_.get(), kSource, sizeof kSource - 1, nullptr, nullptr));
  const std::string binary(100, '\0');
  EXPECT_NE(TENON_OK, program({"add"}, out, {}, binary.data(), binary.size()));
  EXPECT_STRNE("", tenon_error_last_message());
}

TEST_P(Misuse, OfKernelsIsRefusedByName) {
  tenon_kernel* kernel = reinterpret_cast<tenon_kernel*>(1);
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "name", tenon_program_kernel(program_.get(), nullptr, &kernel));
  EXPECT_EQ(kernel, nullptr);
  FAILS(TENON_ERROR_NOT_FOUND, "add, shared", tenon_program_kernel(program_.get(), "nosuch", &kernel));
  tenon_blob* image = nullptr;
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "99", tenon_program_image(program_.get(), 99, &image));
  if (on_cpu_) FAILS(TENON_ERROR_UNSUPPORTED, "PTX", tenon_program_image(program_.get(), TENON_IMAGE_PTX, &image));
  tenon_parameter_info info{};
  info.struct_size = sizeof info;
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "3", tenon_kernel_get_parameter_info(add_.get(), 3, &info));
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "-1", tenon_kernel_get_parameter_info(add_.get(), -1, &info));
  tenon_array* variable = nullptr;
  FAILS(TENON_ERROR_NOT_FOUND, "nowhere", tenon_program_global(program_.get(), "nowhere", &variable));
  // A handle that was released, or of another kind.
  tenon_kernel* stale = add_.release();
  tenon_kernel_release(stale);
  int32_t count = 0;
  EXPECT_EQ(TENON_ERROR_INVALID_HANDLE, tenon_kernel_parameter_count(stale, &count));
  EXPECT_EQ(TENON_ERROR_INVALID_HANDLE,
            tenon_kernel_parameter_count(reinterpret_cast<tenon_kernel*>(program_.get()), &count));
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "kernel is NULL", tenon_kernel_parameter_count(nullptr, &count));
}

TEST_P(Misuse, OfLaunchesIsRefusedByName) {
  tenon_device_info limits{};
  limits.struct_size = sizeof limits;
  OK(tenon_device_get_info(device_.get(), &limits));
  const std::string most_shared = std::to_string(limits.shared_per_block_max);
  const struct Row {
    const char* what;
    std::function<void(tenon_launch&)> change;
    int32_t status;
    std::string part;
  } rows[] = {
      {"struct_size 0", [](tenon_launch& l) { l.struct_size = 0; }, TENON_ERROR_INVALID_ARGUMENT, "struct_size"},
      {"unknown flags", [](tenon_launch& l) { l.flags = 64; }, TENON_ERROR_INVALID_ARGUMENT, "flag"},
      {"1025 threads", [](tenon_launch& l) { l.block[0] = 1025; }, TENON_ERROR_INVALID_ARGUMENT, "1024"},
      {"32 x 33 threads", [](tenon_launch& l) { l.block[0] = 32, l.block[1] = 33; }, TENON_ERROR_INVALID_ARGUMENT,
       "1024"},
      {"65 threads in z", [](tenon_launch& l) { l.block[0] = 1, l.block[2] = 65; }, TENON_ERROR_INVALID_ARGUMENT, "64"},
      {"4294967295 threads", [](tenon_launch& l) { l.block[0] = l.block[1] = l.block[2] = 0xffffffffu; },
       TENON_ERROR_INVALID_ARGUMENT, "1024"},
      {"2^31 blocks", [](tenon_launch& l) { l.grid[0] = 1u << 31; }, TENON_ERROR_INVALID_ARGUMENT, "2147483647"},
      {"65536 blocks in y", [](tenon_launch& l) { l.grid[1] = 65536; }, TENON_ERROR_INVALID_ARGUMENT, "65535"},
      {"65536 blocks in z", [](tenon_launch& l) { l.grid[2] = 65536; }, TENON_ERROR_INVALID_ARGUMENT, "65535"},
      {"too much shared memory", [&](tenon_launch& l) { l.shared_bytes = uint32_t(limits.shared_per_block_max) + 1; },
       TENON_ERROR_INVALID_ARGUMENT, most_shared},
      {"all of the shared memory", [](tenon_launch& l) { l.shared_bytes = 0xffffffffu; }, TENON_ERROR_INVALID_ARGUMENT,
       most_shared},
  };
  auto args = good();
  for (const Row& row : rows) {
    SCOPED_TRACE(row.what);
    tenon_launch l = geometry();
    row.change(l);
    FAILS(row.status, row.part, tenon_kernel_launch(add_.get(), &l, args.data(), 3, nullptr));
    tenon_call* call = reinterpret_cast<tenon_call*>(1);
    FAILS(row.status, row.part, tenon_call_create(add_.get(), &l, args.data(), 3, &call));
    EXPECT_EQ(call, nullptr);
    double seconds = -5;
    FAILS(row.status, row.part, tenon_kernel_time(add_.get(), &l, args.data(), 3, nullptr, &seconds));
    EXPECT_EQ(seconds, -5);
  }
  tenon_launch l = geometry();
  // Static shared memory counts too.
  tenon_arg one[1] = {};
  one[0].kind = TENON_ARG_POINTER, one[0].value.pointer = values<float>(y_.get()).data();
  l.shared_bytes = uint32_t(limits.shared_per_block_max) - 16000;
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "static", tenon_kernel_launch(shared_.get(), &l, one, 1, nullptr));
  l = geometry();
  l.cluster[0] = 2, l.grid[0] = 3;
  if (on_cpu_)
    FAILS(TENON_ERROR_INVALID_ARGUMENT, "is not a multiple of cluster.x, 2",
          tenon_kernel_launch(add_.get(), &l, args.data(), 3, nullptr));
  l = geometry();
  l.flags = TENON_LAUNCH_COOPERATIVE, l.grid[0] = 1 << 20;
  const int32_t status = tenon_kernel_launch(add_.get(), &l, args.data(), 3, nullptr);
  EXPECT_TRUE(status == TENON_ERROR_UNSUPPORTED || status == TENON_ERROR_INVALID_ARGUMENT) << status;
  EXPECT_NE(std::string(tenon_error_last_message()).find("1048576"), std::string::npos) << tenon_error_last_message();

  l = geometry();
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "launch", tenon_kernel_launch(add_.get(), nullptr, args.data(), 3, nullptr));
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "takes 3", tenon_kernel_launch(add_.get(), &l, args.data(), 2, nullptr));
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "takes 3", tenon_kernel_launch(add_.get(), &l, nullptr, 0, nullptr));
  args.push_back(args[2]);
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "takes 3", tenon_kernel_launch(add_.get(), &l, args.data(), 4, nullptr));
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "args", tenon_kernel_launch(add_.get(), &l, nullptr, 3, nullptr));
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "-1", tenon_kernel_launch(add_.get(), &l, args.data(), -1, nullptr));
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "kernel is NULL", tenon_kernel_launch(nullptr, &l, args.data(), 3, nullptr));
  EXPECT_EQ(TENON_ERROR_INVALID_HANDLE,
            tenon_kernel_launch(add_.get(), &l, args.data(), 3, reinterpret_cast<tenon_stream*>(x_.get())));
  // An array that was released.
  ArrayPtr gone = counting(device_.get(), {64});
  args[0].value.array = gone.get();
  gone.reset();
  FAILS(TENON_ERROR_INVALID_HANDLE, "", tenon_kernel_launch(add_.get(), &l, args.data(), 3, nullptr));
  expect_sound(2);
  args = good();
  OK(tenon_kernel_launch(add_.get(), &l, args.data(), 3, nullptr));
  expect_sound(3);
}

TEST_P(Misuse, OfStreamsOfAnotherContextIsRefused) {
  tenon_context_options options{};
  options.struct_size = sizeof options;
  tenon_context* made = nullptr;
  OK(tenon_context_create(&options, &made));
  ContextPtr context(made);
  DevicePtr other = device(GetParam(), made);
  ASSERT_TRUE(other);
  tenon_stream* stream = nullptr;
  OK(tenon_stream_create(other.get(), nullptr, &stream));
  StreamPtr owner(stream);
  const tenon_launch l = geometry();
  const auto args = good();
  FAILS(TENON_ERROR_CONTEXT, "context", tenon_kernel_launch(add_.get(), &l, args.data(), 3, stream));
  expect_sound(2);
}

TEST_P(Misuse, OfBoundCallsIsRefusedAndLeavesThemAsTheyWere) {
  tenon_call* made = nullptr;
  const tenon_launch l = geometry();
  auto args = good();
  OK(tenon_call_create(add_.get(), &l, args.data(), 3, &made));
  CallPtr call(made);
  for (int32_t index : {-1, 3, 1000})
    FAILS(TENON_ERROR_INVALID_ARGUMENT, std::to_string(index), tenon_call_set(call.get(), index, &args[0]));
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "arg", tenon_call_set(call.get(), 0, nullptr));
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "argument 0", tenon_call_set(call.get(), 0, &args[2]));
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "argument 2", tenon_call_set(call.get(), 2, &args[0]));
  tenon_arg wide = args[2];
  wide.dtype = TENON_INT64, wide.size = 8;
  FAILS(TENON_ERROR_DTYPE, "argument 2", tenon_call_set(call.get(), 2, &wide));
  ArrayPtr whole = counting(device_.get(), {64});
  tenon_arg integers = args[1];
  integers.value.array = whole.get();
  FAILS(TENON_ERROR_DTYPE, "argument 1", tenon_call_set(call.get(), 1, &integers));
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "call is NULL", tenon_call_launch(nullptr, nullptr));
  EXPECT_EQ(TENON_ERROR_INVALID_HANDLE, tenon_call_launch(reinterpret_cast<tenon_call*>(add_.get()), nullptr));
  tenon_call* copy = reinterpret_cast<tenon_call*>(1);
  EXPECT_EQ(TENON_ERROR_INVALID_HANDLE, tenon_call_clone(reinterpret_cast<tenon_call*>(add_.get()), &copy));
  EXPECT_EQ(copy, nullptr);
  OK(tenon_call_launch(call.get(), nullptr));
  expect_sound(3);
}

INSTANTIATE_TEST_SUITE_P(Devices, Misuse, testing::Values("cpu:0", "cuda:0"), [](const auto& info) {
  return std::string(info.param).substr(0, std::string(info.param).find(':'));
});

}  // namespace
