// tests/kernels/meaning/legal_test.cpp: texts that have to compile, whatever is in them beside the kernels: macros,
// warnings, other kernels.
#include <map>
#include <set>
#include "../runner.hpp"

namespace {

using namespace test;

class Legal : public testing::TestWithParam<Machine> {
 protected:
  void SetUp() override {
    runner = std::make_unique<Runner>(GetParam());
    if (const std::string missing = runner->missing(); !missing.empty()) GTEST_SKIP() << missing;
  }
  // For 64 threads of one block, with input 0, 1, 2, ...
  std::vector<int> run(const char* kernel) {
    std::vector<int> x(64);
    for (int i = 0; i < 64; ++i) x[size_t(i)] = i;
    const ArrayPtr out = runner->put(x);
    runner->run(kernel, line(64, 64, 256), out, 64);
    return runner->get<int>(out);
  }
  void compile(const std::string& source, const std::vector<const char*>& kernels) {
    ASSERT_EQ(TENON_OK, runner->compile(source, kernels)) << tenon_error_last_message() << "\n"
                                                          << Runner::last_log() << source;
  }
  std::unique_ptr<Runner> runner;
};

const char kPlain[] = "extern \"C\" __global__ void plain(int* x, int n) {\n  x[threadIdx.x] += 1;\n}\n";
const char kBarrier[] =
    "extern \"C\" __global__ void turned(int* x, int n) {\n  __shared__ int s[64];\n  s[threadIdx.x] = x[threadIdx.x];\n  __syncthreads();\n"
    "  x[threadIdx.x] = s[63 - threadIdx.x];\n}\n";
const char kShuffle[] =
    "extern \"C\" __global__ void swapped(int* x, int n) {\n  x[threadIdx.x] = __shfl_xor_sync(~0u, x[threadIdx.x], 1);\n}\n";
const char kSum[] =
    "extern \"C\" __global__ void total(int* x, int n) {\n  int sum = 0;\n  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += x[i];\n"
    "  for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffffu, sum, d);\n  x[threadIdx.x] = __shfl_sync(0xffffffffu, sum, 0);\n}\n";
const char kSumBarrier[] =
    "extern \"C\" __global__ void summed(int* x, int n) {\n  __shared__ int s[64];\n  int sum = 0;\n"
    "  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += x[i];\n"
    "  s[threadIdx.x] = sum;\n  __syncthreads();\n  x[threadIdx.x] = s[63 - threadIdx.x];\n}\n";
const char kGroups[] =
    "#include <cooperative_groups.h>\n#include <cooperative_groups/reduce.h>\nnamespace cg = cooperative_groups;\n"
    "extern \"C\" __global__ void reduced(int* x, int n) {\n  auto warp = cg::tiled_partition<32>(cg::this_thread_block());\n"
    "  x[threadIdx.x] = cg::reduce(warp, x[threadIdx.x], cg::plus<int>{});\n}\n";
const char kUnused[] = "__device__ float unused(float v) { return __shfl_xor_sync(~0u, v, 1); }\n";

struct Kernel {
  const char *name, *text;
  int (*result)(int i);
};
const Kernel kernels[] = {
    {"plain", kPlain, [](int i) { return i + 1; }},
    {"turned", kBarrier, [](int i) { return 63 - i; }},
    {"swapped", kShuffle, [](int i) { return i ^ 1; }},
    {"total", kSum, [](int i) { return i < 32 ? 31 * 16 : 31 * 16 + 1024; }},
    {"summed", kSumBarrier, [](int i) { return 63 - i; }},
    {"reduced", kGroups, [](int i) { return i < 32 ? 31 * 16 : 31 * 16 + 1024; }},
};

// Each kind of kernel together with each other kind, with and without a function that waits and is not called, and with
// a warning.
TEST_P(Legal, KernelsOfAllKindsGoTogether) {
  const size_t count = std::size(kernels) - 1;
  for (size_t a = 0; a < count; ++a) {
    const Kernel &one = kernels[a], &other = kernels[(a + 1) % count];
    const std::string source = std::string(kGroups) + one.text + other.text + (a % 2 ? kUnused : "") +
                               (a % 3 == 0 ? "#warning look here\n" : "");
    compile(source, {one.name, other.name, "reduced"});
    if (HasFatalFailure()) return;
    for (const Kernel* k : {&one, &other, &kernels[count]}) {
      const std::vector<int> got = run(k->name);
      for (int i = 0; i < 64; ++i) ASSERT_EQ(got[size_t(i)], k->result(i)) << k->name << " " << i << "\n" << source;
    }
  }
}

TEST_P(Legal, AWarningChangesNothingButTheLog) {
  for (const Kernel& k : kernels) {
    compile(k.text, {k.name});
    if (HasFatalFailure()) return;
    const int execution = runner->on_cpu() ? runner->execution(k.name) : 0;
    compile(std::string(k.text) + "#warning look here\n", {k.name});
    if (HasFatalFailure()) return;
    if (runner->on_cpu()) {
      EXPECT_EQ(runner->execution(k.name), execution) << k.name;
    }
    const std::vector<int> got = run(k.name);
    for (int i = 0; i < 64; ++i) ASSERT_EQ(got[size_t(i)], k.result(i)) << k.name << " " << i;
  }
}

// The words in the macros' expansions that come after the user's text, where they may be macros themselves.
std::set<std::string> words_of_entries() {
  std::set<std::string> out;
  const std::string text = text_of(std::string(TENON_KERNELS) + "/../../src/backend/cpu/shim/execution/tenon_entry.h");
  bool continues = false;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (!continues && line.rfind("#define TENON_", 0) != 0) continue;
    continues = !line.empty() && line.back() == '\\';
    std::string word;
    bool quoted = false;
    for (const char c : line + " ") {
      if (c == '"') quoted = !quoted;
      if (!quoted && (std::isalnum(static_cast<unsigned char>(c)) || c == '_')) word += c;
      else if (!word.empty()) {
        if (!std::isdigit(static_cast<unsigned char>(word[0]))) out.insert(word);
        word.clear();
      }
    }
  }
  return out;
}

TEST_P(Legal, MacrosOfTheTextDoNotReachTheEntries) {
  if (!runner->on_cpu()) GTEST_SKIP();
  const std::set<std::string> language = {"const",   "constexpr", "decltype", "define",   "extern",
                                          "nullptr", "template",  "typename", "unsigned", "void",
                                          "static",  "inline",    "sizeof",   "true",     "false"};
  std::string macros;
  for (const std::string& word : words_of_entries())
    if (!language.count(word) && word.rfind("tenon_", 0) != 0 && word.rfind("TENON_", 0) != 0 &&
        word.rfind("__", 0) != 0)
      macros += "#define " + word + " )(\n";
  EXPECT_NE(macros.find("#define index"),
            macros.npos);  // a parameter's name: harmless, and a sign that the words were found
  for (const char* more :
       {"loop", "thread", "rows", "sums", "start", "run", "all", "params", "used", "visibility", "flatten"})
    macros += std::string("#undef ") + more + "\n#define " + more + " )(\n";
  for (const Kernel& k : kernels) {
    compile(k.text + macros, {k.name});
    if (HasFatalFailure()) return;
    const std::vector<int> got = run(k.name);
    for (int i = 0; i < 64; ++i) ASSERT_EQ(got[size_t(i)], k.result(i)) << k.name << " " << i;
  }
}

TEST_P(Legal, AByteOrderMarkBeginsAText) {
  if (!runner->on_cpu()) GTEST_SKIP();
  compile(std::string("\xEF\xBB\xBF") + kPlain, {"plain"});
  compile(std::string("\xEF\xBB\xBF") + kSumBarrier, {"summed"});
}

TEST_P(Legal, ObjectsAreMadeInPlacesThatAreGiven) {
  for (const char* header : {"", "#include <new>\n"}) {
    compile(
        header +
            std::string(
                "struct Pair { int a, b; __device__ Pair(int a, int b) : a(a), b(b) {} };\nextern \"C\" __global__ void plain(int* x, int n) {\n"
                "  alignas(Pair) unsigned char room[2 * sizeof(Pair)];\n  Pair* p = new (room) Pair(x[threadIdx.x], 1);\n"
                "  x[threadIdx.x] = p->a + p->b;\n}\n"),
        {"plain"});
    if (HasFatalFailure()) return;
    EXPECT_EQ(run("plain")[5], 6);
  }
}

TEST_P(Legal, ShortNamesOfUnsignedTypesAreThere) {
  if (!runner->on_cpu()) GTEST_SKIP();
  compile(
      "extern \"C\" __global__ void plain(int* x, int n) {\n  uint i = threadIdx.x;\n  ushort one = 1;\n  ulong none = 0;\n  x[i] += one + none;\n}\n",
      {"plain"});
  if (HasFatalFailure()) return;
  EXPECT_EQ(run("plain")[5], 6);
  compile(std::string("typedef unsigned int uint;\n") + kPlain, {"plain"});
}

TEST_P(Legal, OverloadsAreChosenByACast) {
  const char *const ints = "(void (*)(int*, int))add", *const floats = "static_cast<void (*)(float*, int)>(&n::add)",
                    *const plain = "&alone", *const one = "many<>";
  compile(
      "__global__ void add(int* x, int n) { x[threadIdx.x] += 1; }\n__global__ void add(unsigned* x, int n) { "
      "x[threadIdx.x] += 10; }\n"
      "namespace n {\n__global__ void add(float* x, int n) { ((int*)x)[threadIdx.x] += 100; }\n__global__ void "
      "add(double* x, int n) {}\n}\n"
      "__global__ void alone(int* x, int n) { __shared__ int s[64]; s[threadIdx.x] = x[threadIdx.x]; __syncthreads(); "
      "x[threadIdx.x] = s[63 - threadIdx.x]; }\n"
      "template <int Add = 1000> __global__ void many(int* x, int n) { x[threadIdx.x] += Add; }\n",
      {ints, floats, plain, one});
  EXPECT_EQ(run(ints)[5], 6);
  EXPECT_EQ(run(plain)[5], 58);
  EXPECT_EQ(run(one)[5], 1005);
  tenon_parameter_info parameter{};
  parameter.struct_size = sizeof parameter;
  EXPECT_OK(tenon_kernel_get_parameter_info(runner->kernel(floats), 0, &parameter));
  EXPECT_EQ(parameter.dtype, TENON_FLOAT32);
  std::vector<float> x(64);
  const ArrayPtr out = runner->put(x);
  runner->run(floats, line(64, 64), out, 64);
  EXPECT_EQ(runner->get<int>(out)[5], 100);
}

// A sum whose last step has two lanes only: shuffles would read lanes outside of the mask, and the function that newer
// GPUs have for it does not. Then what else sources guard by the compute capability 8.0.
TEST_P(Legal, WhatIsGuardedByTheComputeCapabilityIsThere) {
  compile(R"(#include <cuda_bf16.h>
#if __CUDA_ARCH__ < 800
#error too old
#endif
template <class T> __device__ T over_lanes(unsigned mask, T v) {
  for (int d = warpSize / 2; d > 0; d /= 2) v += __shfl_down_sync(mask, v, d);
  return v;
}
#if __CUDA_ARCH__ >= 800
template <> __device__ int over_lanes<int>(unsigned mask, int v) { return __reduce_add_sync(mask, v); }
#endif
extern "C" __global__ void total(int* x, int n) {
  __shared__ int s[2];
  int sum = over_lanes(~0u, x[threadIdx.x]);
  if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = sum;
  __syncthreads();
  const unsigned mask = __ballot_sync(~0u, threadIdx.x < 2);
  if (threadIdx.x < 2) sum = over_lanes(mask, s[threadIdx.x]);
  if (threadIdx.x == 0) x[0] = sum;
}
extern "C" __global__ void newer(int* x, int n) {
  __shared__ int s[64];
  const unsigned at = (unsigned)__cvta_generic_to_shared(&s[threadIdx.x]);
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(at), "l"(x + threadIdx.x) : "memory");
  asm volatile("cp.async.commit_group;");
  asm volatile("cp.async.wait_group 0;" ::: "memory");
  __syncthreads();
  int most;
  asm volatile("redux.sync.max.s32 %0, %1, 0xffffffff;" : "=r"(most) : "r"(s[63 - threadIdx.x]));
  const __nv_bfloat16 two = __float2bfloat16(2.0f), one = __float2bfloat16(1.0f);
  const __nv_bfloat16 b = __hfma(two, __float2bfloat16(float(s[threadIdx.x] & 7)), one);
  float f;
  asm("min.NaN.f32 %0, %1, %2;" : "=f"(f) : "f"(1.5f), "f"(float(most)));
  x[threadIdx.x] = most * 1000 + int(__bfloat162float(b)) * 10 + int(f * 2);
})",
          {"total", "newer"});
  if (HasFatalFailure()) return;
  EXPECT_EQ(run("total")[0], 63 * 64 / 2);
  const std::vector<int> got = run("newer");
  for (int i = 0; i < 64; ++i) ASSERT_EQ(got[size_t(i)], (i < 32 ? 63 : 31) * 1000 + (2 * (i & 7) + 1) * 10 + 3) << i;
}

TEST_P(Legal, AnotherComputeCapabilityMayBeNamed) {
  if (!runner->on_cpu()) GTEST_SKIP() << "a GPU has its own";
  const std::string source = "extern \"C\" __global__ void k(int* x, int n) { x[threadIdx.x] = __CUDA_ARCH__; }\n";
  ASSERT_EQ(TENON_OK, runner->compile(source, {"k"}, {"-U__CUDA_ARCH__", "-D__CUDA_ARCH__=750"}))
      << tenon_error_last_message() << "\n"
      << Runner::last_log();
  EXPECT_EQ(run("k")[0], 750);
  EXPECT_EQ(Runner::last_log(), "");
}

TEST_P(Legal, LaunchBoundsBound) {
  if (runner->gcc()) GTEST_SKIP() << "g++ does not tell them";
  const std::string body =
      "(int* x, int n) { __shared__ int s[1024]; s[threadIdx.x] = x[threadIdx.x]; __syncthreads(); x[threadIdx.x] = "
      "s[threadIdx.x] + 1; }\n";
  compile("#define MOST 64\nconstexpr int kMost = 32;\nextern \"C\" __global__ void __launch_bounds__(MOST, 2) one" +
              body + "namespace n { template <class T, int N> __global__ __launch_bounds__(N * kMost) void two" + body +
              "}\n" + "static __global__ void __launch_bounds__(kMost) three" + body + "__global__ void four" + body,
          {"one", "n::two<int, 3>", "three", "four", "n::two<int, 5>"});
  for (const auto& [kernel, most] : std::map<const char*, uint32_t>{
           {"one", 64}, {"n::two<int, 3>", 96}, {"three", 32}, {"four", 1024}, {"n::two<int, 5>", 160}}) {
    tenon_kernel_info info{};
    info.struct_size = sizeof info;
    EXPECT_OK(tenon_kernel_get_info(runner->kernel(kernel), &info));
    if (runner->on_cpu()) {
      EXPECT_EQ(uint32_t(info.max_threads_per_block), most) << kernel;
    }
    const ArrayPtr out = runner->put(std::vector<int>(1024));
    EXPECT_EQ(runner->try_run(kernel, line(most, most), out, 1), TENON_OK) << tenon_error_last_message();
    EXPECT_EQ(runner->get<int>(out)[most - 1], 1);
    if (most == 1024) continue;
    EXPECT_EQ(runner->try_run(kernel, line(most + 32, most + 32), out, 1), TENON_ERROR_INVALID_ARGUMENT);
    EXPECT_NE(std::string(tenon_error_last_message()).find("__launch_bounds__"), std::string::npos)
        << tenon_error_last_message();
  }
}

// What NVRTC knows without an include.
TEST_P(Legal, NamesOfTheRuntimeAreKnown) {
  compile(
      "#include <cstdint>\nextern \"C\" __global__ void k(int* x, int n) {\n  cudaPitchedPtr p = {x, 64, 16, 1};\n"
      "  const cudaExtent e = {p.pitch, 1, 1};\n  const cudaPos at = {threadIdx.x, 0, 0};\n"
      "  ((int*)p.ptr)[at.x] = int(e.width) + (INT_MAX - 2147483640) + UINT8_C(3) + INT16_C(4);\n}\n",
      {"k"});
  EXPECT_EQ(run("k")[5], 64 + 7 + 3 + 4);
}

INSTANTIATE_TEST_SUITE_P(On, Legal, testing::ValuesIn(corpus_machines),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
