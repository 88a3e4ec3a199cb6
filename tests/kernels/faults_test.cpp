// tests/kernels/faults_test.cpp: what goes wrong in kernels on the CPU device, and what is said of it.
#include <csignal>
#include "runner.hpp"

namespace {

using namespace test;

constexpr Machine fast = {"fast", "cpu:0", "", TENON_PROGRAM_FAST, 0};
constexpr Machine reverse = {"reverse", "cpu:0", "", TENON_PROGRAM_FAST, TENON_PROGRAM_REVERSE_ORDER};
constexpr Machine check = {"check", "cpu:0", "", TENON_PROGRAM_CHECK, 0};
constexpr Machine debug = {"debug", "cpu:0", "", TENON_PROGRAM_DEBUG, 0};

std::string kernel(const std::string& body, const std::string& before = "") {
  return before + "extern \"C\" __global__ void k(int* p, int n) {\n" + body + "\n}\n";
}
testing::AssertionResult contains(const std::string& text, const std::vector<std::string>& parts) {
  for (const std::string& part : parts)
    if (text.find(part) == std::string::npos) return testing::AssertionFailure() << "\"" << part << "\" is not in: " << text;
  return testing::AssertionSuccess();
}

// One row: a kernel that must fail in these modes, and what the error must say.
struct Fault {
  const char* name;
  std::vector<Machine> modes;
  std::string source;
  Grid grid;
  std::vector<std::string> parts;
};
const std::vector<Machine> all = {fast, reverse, check, debug};

const Fault faults[] = {
    {"assertion", all, kernel("int i = blockIdx.x * blockDim.x + threadIdx.x;\nassert(i != 69);\np[i] = i;"), Grid{{4, 1, 1}, {32, 1, 1}},
     {"kernel.cu:3: assertion failed: i != 69", "kernel k", "block (2, 0, 0)", "thread (5, 0, 0)"}},
    {"assertion_between_barriers", all, kernel("__syncthreads();\nassert(threadIdx.x + threadIdx.y < 6);\n__syncthreads();"), Grid{{1, 1, 1}, {4, 4, 1}},
     {"kernel.cu:3: assertion failed", "block (0, 0, 0)", ", 3, 0)"}},
    {"assertion_between_shuffles", all, kernel("int v = __shfl_xor_sync(~0u, p[0], 1);\nassert(v != 0);"), Grid{{1, 1, 1}, {32, 1, 1}}, {"kernel.cu:3: assertion failed: v != 0"}},
    {"trap", all, kernel("if (blockIdx.y == 1) __trap();"), Grid{{1, 2, 1}, {1, 1, 1}}, {"__trap()", "kernel.cu:2", "block (0, 1, 0)"}},
    {"deadlock", all, kernel("if (threadIdx.x < 16) __syncwarp(); else __syncthreads();"), Grid{{1, 1, 1}, {32, 1, 1}},
     {"divergent barrier", "16 of 32 threads wait at a barrier of the block", "lanes 0x0000ffff wait in a warp operation"}},
    {"mask_without_caller", all, kernel("p[0] = __shfl_sync(0x0000fffeu, 1, 0);"), Grid{{1, 1, 1}, {32, 1, 1}}, {"mask 0x0000fffe", "leaves out the calling lane"}},
    {"grid_barrier_in_plain_launch", all, kernel("cooperative_groups::this_grid().sync();", "#include <cooperative_groups.h>\n"), Grid{{2, 1, 1}, {32, 1, 1}}, {"cooperative launch"}},
    {"failing_block_frees_the_grid", all, kernel("assert(blockIdx.x != 1);\ncooperative_groups::this_grid().sync();", "#include <cooperative_groups.h>\n"),
     Grid{{3, 1, 1}, {32, 1, 1}, 0, TENON_LAUNCH_COOPERATIVE}, {"assertion failed", "block (1, 0, 0)"}},
    {"different_barriers", {check}, kernel("if (threadIdx.x == 3)\n__syncthreads();\nelse\n__syncthreads();"), Grid{{1, 1, 1}, {32, 1, 1}}, {"divergent barrier", "line 3", "line 5"}},
    {"exit_before_barrier", {check}, kernel("if (threadIdx.x == 3) return;\n__syncthreads();"), Grid{{1, 1, 1}, {32, 1, 1}},
     {"divergent barrier", "1 of the block's 32 threads ended"}},
    {"shared_index", {check}, kernel("__shared__ int s[32];\ns[threadIdx.x + n] = 1;\n__syncthreads();\np[0] = s[0];"), Grid{{1, 1, 1}, {32, 1, 1}},
     {"kernel.cu:3: array index out of bounds", "thread (30, 0, 0)"}},
    {"division", {check}, kernel("p[threadIdx.x] = 10 / ((int)threadIdx.x - 7);"), Grid{{1, 1, 1}, {32, 1, 1}}, {"kernel.cu:2: integer division by zero", "thread (7, 0, 0)"}},
    {"overflow", {check}, kernel("int i = threadIdx.x;\np[i] = (i + 2147483600) + 20;"), Grid{{1, 1, 1}, {32, 1, 1}}, {"kernel.cu:3: integer overflow in an addition", "thread (28, 0, 0)"}},
    {"shift", {check}, kernel("p[0] = 1 << (n + 40);"), Grid{{1, 1, 1}, {1, 1, 1}}, {"kernel.cu:2: shift by a distance out of range"}},
    {"alignment", {check}, kernel("*(float4*)(p + 1) = make_float4(0, 0, 0, 0);"), Grid{{1, 1, 1}, {1, 1, 1}}, {"not aligned for its type"}},
    {"null", {check}, kernel("int* q = n ? nullptr : p;\nif (threadIdx.x == 2) *q = 1;"), Grid{{1, 1, 1}, {32, 1, 1}}, {"kernel.cu:3: access through a null pointer", "thread (2, 0, 0)"}},
    {"wild_pointer", {check}, kernel("if (threadIdx.x == 9) p[1ll << 40] = 1;"), Grid{{3, 1, 1}, {32, 1, 1}}, {"access to the address", "kernel k", "thread (9, 0, 0)"}},
    {"wild_pointer_after_barrier", {check}, kernel("__syncthreads();\nif (threadIdx.x == 9) p[1ll << 40] = 1;"), Grid{{3, 1, 1}, {32, 1, 1}}, {"access to the address", "thread (9, 0, 0)"}},
    {"stack", {check}, kernel("__syncthreads();\np[0] = deep(1 << 30);", "__device__ __noinline__ int deep(int n) { volatile char room[256]; room[n % 256] = 1; return n ? deep(n - 1) + room[3] : 0; }\n"),
     Grid{{1, 1, 1}, {32, 1, 1}}, {"stack overflow", "kernel k"}},
};

TEST(Faults, AreNamedReportedOnceAndLeaveTheDeviceWorking) {
  for (const Fault& fault : faults)
    for (const Machine& machine : fault.modes) {
      SCOPED_TRACE(std::string(fault.name) + " " + machine.name);
      Runner runner(machine);
      ASSERT_EQ(TENON_OK, runner.compile(fault.source, {"k"})) << tenon_error_last_message() << Runner::last_log();
      ArrayPtr p = runner.put(std::vector<int>(1024));
      for (int round = 0; round < 2; ++round) {
        EXPECT_EQ(TENON_ERROR_KERNEL_FAULT, runner.try_run("k", fault.grid, p, 2)) << tenon_error_last_message();
        EXPECT_TRUE(contains(tenon_error_last_message(), fault.parts));
        EXPECT_EQ(TENON_OK, tenon_device_synchronize(runner.device())) << tenon_error_last_message();
      }
      ASSERT_EQ(TENON_OK, runner.compile(kernel("__syncthreads(); p[threadIdx.x] = __shfl_sync(~0u, n, 0);"), {"k"})) << Runner::last_log();
      runner.run("k", line(32, 32), p, 7);
      EXPECT_EQ(runner.get<int>(p)[31], 7);
    }
}

TEST(Faults, StayWithTheStreamUntilTheyAreReported) {
  Runner runner(fast);
  ASSERT_EQ(TENON_OK, runner.compile(kernel("assert(n == 0);\np[0] = 5;"), {"k"})) << Runner::last_log();
  ArrayPtr p = runner.put(std::vector<int>(1));
  tenon_stream* made = nullptr;
  OK(tenon_stream_create(runner.device(), nullptr, &made));
  StreamPtr stream(made);
  tenon_array_info i = info(p.get());
  (void)i;
  EXPECT_EQ(TENON_ERROR_KERNEL_FAULT, runner.try_run("k", line(1, 1), p, 1));
  EXPECT_EQ(TENON_OK, runner.try_run("k", line(1, 1), p, 0)) << tenon_error_last_message();
  EXPECT_EQ(runner.get<int>(p)[0], 5);
}

TEST(Faults, MissingBarriersShowInReverseOrder) {
  const std::string racy = kernel("__shared__ int s[256];\nint t = threadIdx.x;\ns[t] = t;\np[t] = t ? s[t - 1] : 0;");
  std::vector<int> want(256);
  for (int t = 1; t < 256; ++t) want[t] = t - 1;
  Runner forward(fast), backward(reverse);
  for (Runner* runner : {&forward, &backward}) ASSERT_EQ(TENON_OK, runner->compile(racy, {"k"})) << Runner::last_log();
  ArrayPtr a = forward.put(std::vector<int>(256)), b = backward.put(std::vector<int>(256, -1));
  forward.run("k", line(256, 256), a, 0);
  backward.run("k", line(256, 256), b, 0);
  EXPECT_EQ(forward.get<int>(a), want);
  EXPECT_NE(backward.get<int>(b), want);
}

// The fast mode does not look at signals; the checked mode passes on what is not its own.
TEST(Faults, SignalsAreTheHosts) {
  struct sigaction before, after;
  ASSERT_EQ(0, sigaction(SIGFPE, nullptr, &before));
  {
    Runner runner(fast);
    ASSERT_EQ(TENON_OK, runner.compile(kernel("assert(n);"), {"k"}));
    ArrayPtr p = runner.put(std::vector<int>(1));
    EXPECT_EQ(TENON_ERROR_KERNEL_FAULT, runner.try_run("k", line(1, 1), p, 0));
  }
  static int seen = 0;
  struct sigaction mine {};
  mine.sa_handler = [](int) { ++seen; };
  // Handlers of the checked mode may have been installed by an earlier test: ours then comes after them.
  ASSERT_EQ(0, sigaction(SIGFPE, nullptr, &after));
  ASSERT_EQ(0, sigaction(SIGBUS, &mine, nullptr));
  Runner runner(check);
  ASSERT_EQ(TENON_OK, runner.compile(kernel("p[0] = 1;"), {"k"}));
  ArrayPtr p = runner.put(std::vector<int>(1));
  runner.run("k", line(1, 1), p, 0);
  raise(SIGBUS);
  EXPECT_EQ(seen, 1);
}

TEST(Launches, LargeLocalArraysHaveRoomOnFibers) {
  Runner runner(fast);
  ASSERT_EQ(TENON_OK, runner.compile(kernel("volatile int big[40000];\nfor (int i = 0; i < 40000; ++i) big[i] = i + threadIdx.x;\n__syncthreads();\n"
                                            "int sum = 0;\nfor (int i = 0; i < 40000; ++i) sum += big[i] - i;\np[threadIdx.x] = sum;"),
                                     {"k"}))
      << Runner::last_log();
  ArrayPtr p = runner.put(std::vector<int>(64));
  runner.run("k", line(64, 64), p, 0);
  auto got = runner.get<int>(p);
  for (int t = 0; t < 64; ++t) ASSERT_EQ(got[t], 40000 * t);
}

TEST(Launches, LargeDynamicSharedMemoryIsThere) {
  Runner runner(fast);
  ASSERT_EQ(TENON_OK, runner.compile(kernel("extern __shared__ int s[];\nfor (int i = threadIdx.x; i < n; i += blockDim.x) s[i] = i;\n__syncthreads();\n"
                                            "if (threadIdx.x == 0) { int sum = 0; for (int i = 0; i < n; ++i) sum += s[i] == i; p[blockIdx.x] = sum; }"),
                                     {"k"}))
      << Runner::last_log();
  const int n = 200 * 1024 / 4;
  ArrayPtr p = runner.put(std::vector<int>(8));
  runner.run("k", Grid{{8, 1, 1}, {128, 1, 1}, 200 * 1024}, p, n);
  EXPECT_EQ(runner.get<int>(p), std::vector<int>(8, n));
}

TEST(Launches, PrintfReachesStandardOutput) {
  Runner runner(fast);
  ASSERT_EQ(TENON_OK, runner.compile(kernel("printf(\"thread %d says %.2f\\n\", (int)threadIdx.x, n * 0.5);"), {"k"})) << Runner::last_log();
  ArrayPtr p = runner.put(std::vector<int>(1));
  testing::internal::CaptureStdout();
  runner.run("k", line(2, 2), p, 3);
  fflush(stdout);
  EXPECT_TRUE(contains(testing::internal::GetCapturedStdout(), {"thread 0 says 1.50\n", "thread 1 says 1.50\n"}));
}

TEST(Compiling, UnknownKernelsAreNamed) {
  Runner runner(fast);
  EXPECT_EQ(TENON_ERROR_COMPILE, runner.compile(kernel(""), {"nosuch"}));
  EXPECT_TRUE(contains(tenon_error_last_message(), {"no kernel", "\"nosuch\""}));
}

TEST(Compiling, OptionsOfNvrtcAreUnderstood) {
  Runner runner(fast);
  const std::string source = kernel("#if !defined(A) || B != 3 || defined(C)\n#error\n#endif\np[0] = B;");
  EXPECT_EQ(TENON_OK, runner.compile(source, {"k"}, {"-DA", "--define-macro=B=3", "-D", "C", "-UC", "--gpu-architecture=sm_90", "-arch", "sm_80",
                                                     "--use_fast_math", "-lineinfo", "--std=c++20", "--maxrregcount=32", "-G", "-default-device"}))
      << tenon_error_last_message() << Runner::last_log();
  EXPECT_EQ(TENON_ERROR_INVALID_ARGUMENT, runner.compile(source, {"k"}, {"-DA", "-fplugin=/tmp/evil.so"}));
  EXPECT_TRUE(contains(tenon_error_last_message(), {"\"-fplugin=/tmp/evil.so\" is not known on the CPU device"}));
  EXPECT_EQ(TENON_ERROR_INVALID_ARGUMENT, runner.compile(source, {"k"}, {"-D"}));
}

// Macros of the user, from the options or the text, reach neither the shim nor the headers that are included after them.
TEST(Compiling, MacrosOfTheUserStayOutOfTheHeaders) {
  for (const char* compiler : {"", "g++"}) {
    Machine machine = fast;
    machine.compiler = compiler;
    Runner runner(machine);
    const std::string source = "#define x 17\n#define Size 99\n#define size 4\n#define rank oops\n#define min(a, b) ((a) < (b) ? (a) : (b))\n#define F 1.0f\n"
                               "#define value 3\n#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n#include <cooperative_groups.h>\n#include <cooperative_groups/scan.h>\n"
                               "#include <cuComplex.h>\n#include <stdint.h>\n" +
                               kernel("p[0] = min(size, N) + sizeof(T) + value + (int)(float)(__half(F) + __half(2.0f));");
    ASSERT_EQ(TENON_OK, runner.compile(source, {"k"}, {"-DT=double", "-DN=2", "-DI=3", "-DP=4", "-DA=int", "-D", "y=nothing"})) << tenon_error_last_message() << Runner::last_log();
    ArrayPtr p = runner.put(std::vector<int>(1));
    runner.run("k", line(1, 1), p, 0);
    EXPECT_EQ(runner.get<int>(p)[0], 2 + 8 + 3 + 3);
  }
}

TEST(Compiling, WarningsAreInTheLog) {
  Runner runner(fast);
  tenon_program_options options{};
  options.struct_size = sizeof options;
  options.flags = TENON_PROGRAM_NO_CACHE;
  const std::string source = "#warning look here\n" + kernel("");
  tenon_program* made = nullptr;
  OK(tenon_program_create(runner.device(), source.data(), source.size(), &options, &made));
  ProgramPtr program(made);
  const char* log = "";
  OK(tenon_program_log(made, &log));
  EXPECT_TRUE(contains(log, {"kernel.cu:1", "look here"}));
}

TEST(Compiling, AMissingCompilerIsNamedWithTheSetting) {
  Machine machine = fast;
  machine.compiler = "/nonexistent/clang++";
  Runner runner(machine);
  EXPECT_EQ(TENON_ERROR_MISSING_LIBRARY, runner.compile(kernel(""), {"k"}));
  EXPECT_TRUE(contains(tenon_error_last_message(), {"TENON_CXX", "/nonexistent/clang++", "clang++ (14 or later)"}));
  machine.compiler = "/bin/true";
  Runner other(machine);
  EXPECT_EQ(TENON_ERROR_MISSING_LIBRARY, other.compile(kernel(""), {"k"}));
  EXPECT_TRUE(contains(tenon_error_last_message(), {"/bin/true", "neither clang++"}));
}

TEST(Compiling, HeadersGivenAsTextAreFoundFirst) {
  Runner runner(fast);
  const char* names[] = {"dir/mine.h", "math.h"};
  const char* texts[] = {"#define ANSWER 42\n", "#define OURS 1\n"};
  const char* kernels[] = {"k"};
  tenon_program_options options{};
  options.struct_size = sizeof options;
  options.kernels = kernels, options.kernel_count = 1;
  options.header_names = names, options.header_sources = texts, options.header_count = 2;
  const std::string source = "#include \"dir/mine.h\"\n#include <math.h>\n" + kernel("p[0] = ANSWER + OURS;");
  tenon_program* made = nullptr;
  ASSERT_EQ(TENON_OK, tenon_program_create(runner.device(), source.data(), source.size(), &options, &made)) << tenon_error_last_message() << Runner::last_log();
  ProgramPtr program(made);
}

}  // namespace
