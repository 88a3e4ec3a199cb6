// tests/gpu/kernel.cpp: kernels compiled by NVRTC and launched in every form.
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>

#include "gpu.hpp"

namespace gpu {
namespace {

class Kernels : public Gpu {
 protected:
  // A program with one kernel of that name; NULL if it failed, with the reason as the test's failure.
  KernelPtr compile(const std::string& source, const char* name, std::vector<const char*> options = {}) {
    tenon_program_options o{};
    o.struct_size = sizeof o;
    o.kernels = &name;
    o.kernel_count = 1;
    o.options = options.data();
    o.option_count = int32_t(options.size());
    tenon_program* program = nullptr;
    EXPECT_OK(tenon_program_create(device_.get(), source.data(), source.size(), &o, &program));
    if (!program) return nullptr;
    ProgramPtr owner(program);
    tenon_kernel* kernel = nullptr;
    EXPECT_OK(tenon_program_kernel(program, name, &kernel));
    return KernelPtr(kernel);
  }
  tenon_launch geometry(uint32_t grid, uint32_t block, uint32_t shared = 0) {
    tenon_launch out{};
    out.struct_size = sizeof out;
    out.grid[0] = grid;
    out.block[0] = block;
    out.shared_bytes = shared;
    return out;
  }
  tenon_device_info device_info() {
    tenon_device_info out{};
    out.struct_size = sizeof out;
    EXPECT_OK(tenon_device_get_info(device_.get(), &out));
    return out;
  }
};

TEST_F(Kernels, GridStrideVisitsEveryElementOnce) {
  KernelPtr kernel =
      compile("extern \"C\" __global__ void k(int* x, int n) { TENON_GRID_STRIDE(i, n) { x[i] += int(i) + 1; } }", "k");
  ASSERT_TRUE(kernel);
  for (int32_t n : {1, 255, 100003}) {
    ArrayPtr x = zeros(device_.get(), TENON_INT32, {n});
    tenon_arg args[] = {TENON_ARRAY_ARG(x.get()), TENON_I32_ARG(n)};
    const tenon_launch launch = geometry(7, 128);
    OK(tenon_kernel_launch(kernel.get(), &launch, args, 2, nullptr));
    const std::vector<int32_t> got = values<int32_t>(x.get());
    for (int32_t i = 0; i < n; ++i) ASSERT_EQ(got[size_t(i)], i + 1) << "n " << n;
  }
}

TEST_F(Kernels, TemplateInstancesAndScalarsOfEveryWidthArrive) {
  const char* source =
      "template <class T> __global__ void set(T* y, T v, signed char a, short b, long long c, double d) { y[0] = v; y[1] = T(a + b + c + d); }";
  KernelPtr kernel = compile(source, "set<float>");
  ASSERT_TRUE(kernel);
  ArrayPtr y = zeros(device_.get(), TENON_FLOAT32, {2});
  tenon_arg a{TENON_ARG_SCALAR, TENON_INT8, 1, {}}, b{TENON_ARG_SCALAR, TENON_INT16, 2, {}};
  a.value.i8 = -3;
  b.value.i16 = 500;
  tenon_arg args[] = {TENON_ARRAY_ARG(y.get()), TENON_F32_ARG(2.5f), a, b, TENON_I64_ARG(1000000), TENON_F64_ARG(0.25)};
  const tenon_launch launch = geometry(1, 1);
  OK(tenon_kernel_launch(kernel.get(), &launch, args, 6, nullptr));
  EXPECT_EQ(values<float>(y.get()), (std::vector<float>{2.5f, 1000497.25f}));
}

TEST_F(Kernels, CudaHeadersAreFound) {
  const char* source =
      "#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n#include <cstdint>\n#include <cooperative_groups.h>\n"
      "extern \"C\" __global__ void k(__half* x, float* y) { cooperative_groups::this_thread_block().sync();\n"
      "  uint32_t i = threadIdx.x; y[i] = __half2float(__hadd(x[i], x[i])); }";
  KernelPtr kernel = compile(source, "k");
  ASSERT_TRUE(kernel);
  const std::vector<uint16_t> halves{0x3c00, 0x4000, 0x4200, 0xc400};  // 1 2 3 -4
  ArrayPtr x = upload(device_.get(), TENON_FLOAT16, {4}, halves.data(), 8),
           y = zeros(device_.get(), TENON_FLOAT32, {4});
  tenon_arg args[] = {TENON_ARRAY_ARG(x.get()), TENON_ARRAY_ARG(y.get())};
  const tenon_launch launch = geometry(1, 4);
  OK(tenon_kernel_launch(kernel.get(), &launch, args, 2, nullptr));
  EXPECT_EQ(values<float>(y.get()), (std::vector<float>{2, 4, 6, -8}));
}

TEST_F(Kernels, DynamicSharedMemoryPast48KiBNeedsNothingSpecial) {
  KernelPtr kernel = compile(
      "extern \"C\" __global__ void k(int* y, int n) { extern __shared__ int s[]; for (int i = threadIdx.x; i < n; "
      "i += blockDim.x) s[i] = i; __syncthreads(); for (int i = threadIdx.x; i < n; i += blockDim.x) y[i] = s[n - 1 - i]; }",
      "k");
  ASSERT_TRUE(kernel);
  const uint64_t most = device_info().shared_per_block_max;
  for (uint32_t bytes : {1024u, 48u << 10, uint32_t(most)}) {
    const int32_t n = int32_t(bytes / 4);
    ArrayPtr y = zeros(device_.get(), TENON_INT32, {n});
    tenon_arg args[] = {TENON_ARRAY_ARG(y.get()), TENON_I32_ARG(n)};
    const tenon_launch launch = geometry(1, 256, bytes);
    OK(tenon_kernel_launch(kernel.get(), &launch, args, 2, nullptr));
    const std::vector<int32_t> got = values<int32_t>(y.get());
    ASSERT_EQ(got.front(), n - 1) << bytes;
    ASSERT_EQ(got.back(), 0) << bytes;
  }
  ArrayPtr y = zeros(device_.get(), TENON_INT32, {1});
  tenon_arg args[] = {TENON_ARRAY_ARG(y.get()), TENON_I32_ARG(1)};
  const tenon_launch launch = geometry(1, 256, uint32_t(most) + 4);
  EXPECT_NE(tenon_kernel_launch(kernel.get(), &launch, args, 2, nullptr), TENON_OK);
  EXPECT_OK(tenon_device_synchronize(device_.get()));
}

TEST_F(Kernels, CooperativeBlocksWaitForEachOther) {
  KernelPtr kernel = compile(
      "extern \"C\" __global__ void k(unsigned* arrived, unsigned* y) { if (threadIdx.x == 0) { atomicAdd(arrived, 1u);"
      " while (*(volatile unsigned*)arrived < gridDim.x) {} } __syncthreads(); if (threadIdx.x == 0) atomicAdd(y, 1u); }",
      "k");
  ASSERT_TRUE(kernel);
  const uint32_t blocks = uint32_t(device_info().multiprocessors);
  ArrayPtr arrived = zeros(device_.get(), TENON_UINT32, {1}), y = zeros(device_.get(), TENON_UINT32, {1});
  tenon_arg args[] = {TENON_ARRAY_ARG(arrived.get()), TENON_ARRAY_ARG(y.get())};
  tenon_launch launch = geometry(blocks, 64);
  launch.flags = TENON_LAUNCH_COOPERATIVE;
  OK(tenon_kernel_launch(kernel.get(), &launch, args, 2, nullptr));
  EXPECT_EQ(values<uint32_t>(y.get())[0], blocks);
  launch.grid[0] = blocks * 1000;  // these cannot all run at once
  EXPECT_NE(tenon_kernel_launch(kernel.get(), &launch, args, 2, nullptr), TENON_OK);
  EXPECT_OK(tenon_device_synchronize(device_.get()));
}

TEST_F(Kernels, ClustersHaveTheSizeThatWasAsked) {
  if (device_info().compute_major < 9) GTEST_SKIP() << "clusters need compute capability 9.0";
  KernelPtr kernel = compile(
      "extern \"C\" __global__ void k(unsigned* y) { unsigned n; asm volatile(\"mov.u32 %0, %%cluster_nctaid.x;\" : \"=r\"(n));"
      " if (threadIdx.x == 0) y[blockIdx.x] = n; }",
      "k");
  ASSERT_TRUE(kernel);
  for (uint32_t size : {2u, 8u, 16u}) {
    ArrayPtr y = zeros(device_.get(), TENON_UINT32, {16});
    tenon_arg args[] = {TENON_ARRAY_ARG(y.get())};
    tenon_launch launch = geometry(16, 32);
    launch.cluster[0] = size;
    OK(tenon_kernel_launch(kernel.get(), &launch, args, 1, nullptr));
    EXPECT_EQ(values<uint32_t>(y.get()), std::vector<uint32_t>(16, size));
  }
}

TEST_F(Kernels, InfoAndImagesAreThoseOfTheKernel) {
  const char* source =
      "extern \"C\" __global__ void __launch_bounds__(256) k(float* y) { __shared__ float s[64]; s[threadIdx.x % 64] = y[threadIdx.x];"
      " __syncthreads(); y[threadIdx.x] = s[(threadIdx.x + 1) % 64]; }";
  KernelPtr kernel = compile(source, "k");
  ASSERT_TRUE(kernel);
  tenon_kernel_info info{};
  info.struct_size = sizeof info;
  OK(tenon_kernel_get_info(kernel.get(), &info));
  EXPECT_EQ(info.max_threads_per_block, 256);
  EXPECT_GT(info.registers, 0);
  EXPECT_EQ(info.shared_bytes, 256u);
  EXPECT_EQ(info.execution, 0u);

  const char* name = "k";
  tenon_program_options o{};
  o.struct_size = sizeof o;
  o.kernels = &name;
  o.kernel_count = 1;
  tenon_program* program = nullptr;
  OK(tenon_program_create(device_.get(), source, strlen(source), &o, &program));
  ProgramPtr owner(program);
  for (int32_t kind : {TENON_IMAGE_BINARY, TENON_IMAGE_PTX}) {
    tenon_blob* blob = nullptr;
    OK(tenon_program_image(program, kind, &blob));
    BlobPtr image(blob);
    const void* data = nullptr;
    uint64_t size = 0;
    OK(tenon_blob_data(blob, &data, &size));
    const std::string text(static_cast<const char*>(data), size);
    if (kind == TENON_IMAGE_BINARY) EXPECT_EQ(text.substr(0, 4), "\177ELF");
    else EXPECT_NE(text.find(".entry k"), std::string::npos);
  }
}

TEST_F(Kernels, ACompileErrorNamesTheUsersLine) {
  const std::string source = "// one\n// two\nextern \"C\" __global__ void k(int* x) { x = 3.5; }\n";
  const char* name = "k";
  tenon_program_options o{};
  o.struct_size = sizeof o;
  o.name = "mine.cu";
  o.kernels = &name;
  o.kernel_count = 1;
  tenon_program* program = nullptr;
  FAILS(TENON_ERROR_COMPILE, "mine.cu(3)",
        tenon_program_create(device_.get(), source.data(), source.size(), &o, &program));
}

TEST_F(Kernels, LaunchesOnTwoStreamsFollowTheirArrays) {
  // The writer spins for a while: a reader that is not ordered behind it would read zeros.
  KernelPtr kernel = compile(
      "extern \"C\" __global__ void k(const int* x, int* y, long long cycles) { long long t = clock64();"
      " while (clock64() - t < cycles) {} y[threadIdx.x] = x[threadIdx.x] + 1; }",
      "k");
  ASSERT_TRUE(kernel);
  tenon_stream *a = nullptr, *b = nullptr;
  OK(tenon_stream_create(device_.get(), nullptr, &a));
  OK(tenon_stream_create(device_.get(), nullptr, &b));
  StreamPtr one(a), two(b);
  const tenon_launch launch = geometry(1, 64);
  ArrayPtr x = zeros(device_.get(), TENON_INT32, {64});
  constexpr int rounds = 20;
  for (int i = 0; i < rounds; ++i) {
    ArrayPtr y = zeros(device_.get(), TENON_INT32, {64});
    tenon_arg args[] = {TENON_ARRAY_ARG(x.get()), TENON_ARRAY_ARG(y.get()), TENON_I64_ARG(2000000)};
    OK(tenon_kernel_launch(kernel.get(), &launch, args, 3, i % 2 ? a : b));
    x = std::move(y);  // the old array is released while the kernel still reads it
    ArrayPtr noise;    // the next owner of that memory must not disturb it
    tenon_array* other = nullptr;
    OK(tenon_array_create(device_.get(), TENON_INT32, 1, std::vector<int64_t>{64}.data(), i % 3 ? a : b, &other));
    noise.reset(other);
    OK(tenon_array_fill(other, number(-1000), i % 3 ? a : b));
  }
  EXPECT_EQ(values<int32_t>(x.get()), std::vector<int32_t>(64, rounds));
}

TEST_F(Kernels, WrappedStreamsOfEveryKindRunKernels) {
  KernelPtr kernel = compile("extern \"C\" __global__ void k(int* y) { atomicAdd(y, 1); }", "k");
  ASSERT_TRUE(kernel);
  ArrayPtr y = zeros(device_.get(), TENON_INT32, {1});
  tenon_arg args[] = {TENON_ARRAY_ARG(y.get())};
  const tenon_launch launch = geometry(1, 32);
  tenon_stream* own = nullptr;
  OK(tenon_stream_create(device_.get(), nullptr, &own));
  StreamPtr owner(own);
  uint64_t native = 0;
  OK(tenon_stream_native(own, &native));
  for (uint64_t handle : {native, uint64_t(0), uint64_t(1), uint64_t(2)}) {
    tenon_stream* wrapped = nullptr;
    OK(tenon_stream_wrap(device_.get(), handle, nullptr, nullptr, &wrapped));
    OK(tenon_kernel_launch(kernel.get(), &launch, args, 1, wrapped));
    tenon_stream_release(wrapped);
  }
  owner.reset();
  EXPECT_EQ(values<int32_t>(y.get())[0], 4 * 32);
}

TEST_F(Kernels, EventsMeasureTime) {
  KernelPtr kernel = compile(
      "extern \"C\" __global__ void k(long long cycles) { long long t = clock64(); while (clock64() - t < cycles) {} }",
      "k");
  ASSERT_TRUE(kernel);
  tenon_event *start = nullptr, *end = nullptr;
  OK(tenon_event_create(device_.get(), TENON_EVENT_TIMING, &start));
  OK(tenon_event_create(device_.get(), TENON_EVENT_TIMING, &end));
  EventPtr first(start), last(end);
  const tenon_launch launch = geometry(1, 1);
  tenon_arg args[] = {TENON_I64_ARG(20000000)};
  OK(tenon_event_record(start, nullptr));
  OK(tenon_kernel_launch(kernel.get(), &launch, args, 1, nullptr));
  OK(tenon_event_record(end, nullptr));
  OK(tenon_event_synchronize(end));
  double seconds = 0;
  OK(tenon_event_elapsed(start, end, &seconds));
  EXPECT_GT(seconds, 0);
}

TEST_F(Kernels, ArraysMoveBetweenTwoDevices) {
  DevicePtr second = device("cuda:1");
  if (!second) GTEST_SKIP() << "one GPU only";
  std::vector<int32_t> host(3000001);
  for (size_t i = 0; i < host.size(); ++i) host[i] = int32_t(i * 7);
  ArrayPtr here = upload(device_.get(), TENON_INT32, {int64_t(host.size())}, host.data(), host.size() * 4);
  for (int round = 0; round < 3; ++round) {
    tenon_array *there = nullptr, *back = nullptr;
    OK(tenon_array_convert(here.get(), TENON_INT32, second.get(), nullptr, &there));
    ArrayPtr kept(there);
    OK(tenon_array_convert(there, TENON_INT32, device_.get(), nullptr, &back));
    here.reset(back);
  }
  EXPECT_EQ(values<int32_t>(here.get()), host);
}

// A lost context stays lost, so the fault happens in another process: this program again, running only this test.
TEST_F(Kernels, DISABLED_FaultingChild) {
  KernelPtr kernel =
      compile("extern \"C\" __global__ void writes_nowhere(int** p) { *p[0] = 1; p[1][0] = 2; }", "writes_nowhere");
  KernelPtr good = compile("extern \"C\" __global__ void innocent(int* y) { y[0] = 1; }", "innocent");
  ASSERT_TRUE(kernel && good);
  ArrayPtr y = zeros(device_.get(), TENON_INT32, {4});
  const tenon_launch launch = geometry(1, 1);
  tenon_arg pointer[] = {TENON_POINTER_ARG(info(y.get()).data)};
  tenon_arg array[] = {TENON_ARRAY_ARG(y.get())};
  OK(tenon_kernel_launch(kernel.get(), &launch, pointer, 1, nullptr));  // the zeros in y are taken for addresses
  FAILS(TENON_ERROR_DEVICE_LOST, "writes_nowhere", tenon_device_synchronize(device_.get()));
  const auto start = std::chrono::steady_clock::now();
  constexpr int rounds = 1000;
  for (int i = 0; i < rounds; ++i)
    ASSERT_EQ(tenon_kernel_launch(good.get(), &launch, array, 1, nullptr), TENON_ERROR_DEVICE_LOST);
  const double each =
      std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count() / rounds;
  printf("a refused launch takes %.2f us\n", each);
  y.reset();
  DevicePtr cpu = device("cpu:0");
  ASSERT_TRUE(cpu);
  EXPECT_EQ(values<int32_t>(counting(cpu.get(), {3}).get()), (std::vector<int32_t>{0, 1, 2}));
}

TEST_F(Kernels, AFaultLosesTheDeviceNamesTheKernelAndLeavesTheCpuWorking) {
  char self[4096] = {};
  ASSERT_GT(readlink("/proc/self/exe", self, sizeof self - 1), 0);
  const std::string command =
      "'" + std::string(self) + "' --gtest_also_run_disabled_tests --gtest_filter=Kernels.DISABLED_FaultingChild 2>&1";
  FILE* child = popen(command.c_str(), "r");
  ASSERT_TRUE(child);
  std::string output;
  for (char part[512]; fgets(part, sizeof part, child);) output += part;
  const int status = pclose(child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << output;
  EXPECT_NE(output.find("a refused launch takes"), std::string::npos) << output;
}

}  // namespace
}  // namespace gpu
