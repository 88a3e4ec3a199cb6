// tests/kernels/meaning/meaning_test.cpp: what CUDA C means where C++ leaves it open: the same on every instruction
// set, integer operations for all operands, threads that wait for each other in loops, and races that the checked mode
// finds.
#include <array>
#include <cmath>
#include <limits>
#include <type_traits>
#include "../runner.hpp"

namespace {

using namespace test;

constexpr Machine fast = {"fast", "cpu:0", "", TENON_PROGRAM_MODE_FAST, 0};
constexpr Machine reverse = {"reverse", "cpu:0", "", TENON_PROGRAM_MODE_FAST, TENON_PROGRAM_FLAG_REVERSE_ORDER};
constexpr Machine debug = {"debug", "cpu:0", "", TENON_PROGRAM_MODE_DEBUG, 0};
constexpr Machine check = {"check", "cpu:0", "", TENON_PROGRAM_MODE_CHECK, 0};
constexpr Machine gcc = {"gcc", "cpu:0", "g++", TENON_PROGRAM_MODE_FAST, 0};
constexpr Machine gcc_reverse = {"gcc_reverse", "cpu:0", "g++", TENON_PROGRAM_MODE_FAST,
                                 TENON_PROGRAM_FLAG_REVERSE_ORDER};
constexpr Machine gcc_check = {"gcc_check", "cpu:0", "g++", TENON_PROGRAM_MODE_CHECK, 0};

const char* const instruction_sets[] = {
    "native", "x86-64-v2", "x86-64-v3", "x86-64-v4", "x86-64-v4,tune=skylake-avx512", "native,tune=icelake-server"};

Machine for_set(Machine machine, const char* set) {
  machine.architecture = set;
  return machine;
}

// Compiles for that instruction set, unless this processor lacks it.
bool compiled(Runner& runner, const std::string& source, std::vector<const char*> kernels,
              std::vector<const char*> options = {}) {
  const int32_t status = runner.compile(source, kernels, options);
  if (status == TENON_ERROR_UNSUPPORTED &&
      std::string(tenon_error_last_message()).find("this processor lacks") != std::string::npos)
    return false;
  EXPECT_EQ(TENON_OK, status) << tenon_error_last_message() << "\n" << Runner::last_log();
  return status == TENON_OK;
}

// Whether the machine's compiler is the named one (clang, if none is named).
bool has_compiler(const Runner& runner) { return runner.missing(true).empty(); }

testing::AssertionResult says(const std::string& part) {
  const std::string text = tenon_error_last_message();
  if (text.find(part) != std::string::npos) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "\"" << part << "\" is not in: " << text;
}

// --- instruction sets

// A tile that is filled between barriers, by a loop with more variables than registers: compilers that schedule for
// Intel keep some of them in AVX-512's mask registers. With a shuffle, or with TENON_PLAIN_BARRIERS, threads are
// fibers, and a switch must save all registers.
constexpr char kTileFill[] = R"(
__global__ void fill(const int* x, int* y, int n) {
  __shared__ int tile[128][32];
  const int xo = 4 * (threadIdx.x % 8), columns = n * 32;
  int wrong = 0, kept[8];
  for (int q = 0; q < 8; ++q) kept[q] = x[q * 7 + threadIdx.x];
  for (int so = 0; so < columns; so += 32) {
    __syncthreads();
    for (int r = 2 * threadIdx.y + threadIdx.x / 8; r < 128; r += 32)
      for (int q = 0; q < 4; ++q) tile[r][xo + q] = x[r * columns + so + xo + q];
    __syncthreads();
    for (int r = threadIdx.y; r < 128; r += 16)
      for (int c = threadIdx.x; c < 32; c += 16) wrong += tile[r][c] != x[r * columns + so + c];
    for (int q = 0; q < 8; ++q) kept[q] = kept[q] * 3 + tile[(q * 16 + threadIdx.y) % 128][(so + xo + q) % 32];
  }
#ifdef SHUFFLES
  wrong += __shfl_xor_sync(~0u, wrong, 1) * 0;
#endif
  int sum = 0;
  for (int q = 0; q < 8; ++q) sum = sum * 5 + kept[q];
  const int t = threadIdx.x + 16 * threadIdx.y;
  y[2 * t] = wrong;
  y[2 * t + 1] = sum;
}
)";

TEST(InstructionSets, FibersHandOverEveryRegister) {
  const int n = 3, columns = 32 * n;
  std::vector<int> x(128 * columns), want(512);
  for (size_t i = 0; i < x.size(); ++i) x[i] = int(i * 2654435761u >> 20);
  for (int t = 0; t < 256; ++t) {
    const int tx = t % 16, ty = t / 16;
    unsigned kept[8], sum = 0;
    for (int q = 0; q < 8; ++q) kept[q] = unsigned(x[q * 7 + tx]);
    for (int so = 0; so < columns; so += 32)
      for (int q = 0; q < 8; ++q)
        kept[q] = kept[q] * 3 + unsigned(x[(q * 16 + ty) % 128 * columns + so + (so + 4 * (tx % 8) + q) % 32]);
    for (int q = 0; q < 8; ++q) sum = sum * 5 + kept[q];
    want[2 * t + 1] = int(sum);
  }
  int runs = 0;
  for (const Machine& compiler : {fast, gcc})
    for (const char* set : instruction_sets)
      for (const char* form : {"-DSHUFFLES", "-DTENON_PLAIN_BARRIERS"}) {
        SCOPED_TRACE(std::string(compiler.name) + " " + set + " " + form);
        Runner runner(for_set(compiler, set));
        if (!has_compiler(runner) || !compiled(runner, kTileFill, {"fill"}, {form, "-DTENON_PLAIN_BARRIERS"})) continue;
        const ArrayPtr dx = runner.put(x), dy = runner.put(std::vector<int>(512, -1));
        runner.run("fill", Grid{{1, 1, 1}, {16, 16, 1}}, dx, dy, n);
        EXPECT_EQ(runner.get<int>(dy), want);
        EXPECT_EQ(runner.execution("fill"), form[2] == 'S' ? kScheduled : kRing);
        ++runs;
      }
  EXPECT_GE(runs, 4);
}

// Half arithmetic rounds after each operation, and float arithmetic is contracted the same way wherever there is a
// fused multiply-add.
TEST(InstructionSets, GiveTheSameNumbers) {
  const std::string source = R"(
#include <cuda_fp16.h>
#include <cuda_bf16.h>
extern "C" __global__ void k(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float a = x[i], b = x[n - 1 - i], c = x[(i * 7) % n];
  const __half ha = a, hb = b, hc = c;
  const __half2 pair = __hadd2(__hmul2(__halves2half2(ha, hb), __halves2half2(hb, hc)), __halves2half2(hc, ha));
  float sum = 0;
  for (int k = 0; k < 9; ++k) sum += x[(i + k) % n] * b;
  float* out = y + 10 * i;
  out[0] = __half2float(ha * hb + hc);
  out[1] = __low2float(pair), out[2] = __high2float(pair);
  out[3] = __bfloat162float(__float2bfloat16(a * 1e-39f));
  out[4] = a * b + c;
  out[5] = sum;
  out[6] = sinf(a) + expf(b), out[7] = (float)(cos((double)a) * exp((double)b)), out[8] = powf(fabsf(a), c), out[9] = __fdividef(a, b);
})";
  const int n = 1000;
  std::vector<float> x(n);
  for (int i = 0; i < n; ++i) x[i] = float((i * 7919) % 2003 - 1001) / 97.0f;
  for (const Machine& compiler : {fast, gcc}) {
    std::vector<float> first;
    for (const char* set : instruction_sets) {
      SCOPED_TRACE(std::string(compiler.name) + " " + set);
      Runner runner(for_set(compiler, set));
      if (!has_compiler(runner) || !compiled(runner, source, {"k"})) continue;
      const ArrayPtr dx = runner.put(x), dy = runner.put(std::vector<float>(n * 10));
      runner.run("k", line(n, 128), dx, dy, n);
      std::vector<float> y = runner.get<float>(dy);
      for (int i = 0; i < n; ++i) {  // a multiplication and an addition of doubles, both exact
        const auto half = [](double v) { return double(_Float16(v)); };
        const double a = half(x[i]), b = half(x[n - 1 - i]), c = half(x[i * 7 % n]);
        ASSERT_EQ(y[10 * i], half(half(a * b) + c)) << i;
        ASSERT_EQ(y[10 * i + 1], half(half(a * b) + c)) << i;
        ASSERT_EQ(y[10 * i + 2], half(half(b * c) + a)) << i;
      }
      if (std::string(set) == "x86-64-v2") continue;
      if (first.empty()) first = y;
      ASSERT_EQ(0, std::memcmp(y.data(), first.data(), y.size() * sizeof(float)));
    }
  }
}

TEST(InstructionSets, AreNamedOrRefused) {
  const std::string source = "extern \"C\" __global__ void k(int* p) { p[0] = 1; }";
  for (const char* wrong :
       {"x86-64-v5", "sm_90", "avx2", "native,tune=", "native,tune=a/b", "x86-64-v3,march=native"}) {
    SCOPED_TRACE(wrong);
    Runner runner(for_set(fast, wrong));
    EXPECT_EQ(TENON_ERROR_INVALID_ARGUMENT, runner.compile(source, {"k"}));
    EXPECT_TRUE(says("the architecture is \"" + std::string(wrong) + "\""));
  }
  Runner unknown(for_set(fast, "x86-64-v2,tune=nosuch"));
  EXPECT_EQ(TENON_ERROR_COMPILE, unknown.compile(source, {"k"}));
  EXPECT_TRUE(says("nosuch"));
  setenv("TENON_CPU_ISA", "everything", 1);
  Runner runner(fast);
  EXPECT_EQ(TENON_ERROR_INVALID_ARGUMENT, runner.compile(source, {"k"}));
  EXPECT_TRUE(says("TENON_CPU_ISA is \"everything\""));
  setenv("TENON_CPU_ISA", "x86-64-v2", 1);
  tenon_blob* made = nullptr;
  OK(tenon_context_report(nullptr, &made));
  const BlobPtr report(made);
  const void* data = nullptr;
  uint64_t size = 0;
  OK(tenon_blob_data(made, &data, &size));
  EXPECT_NE(std::string::npos, std::string(static_cast<const char*>(data), size).find("x86-64-v2"));
  ASSERT_EQ(TENON_OK, runner.compile(source, {"k"})) << tenon_error_last_message();
  unsetenv("TENON_CPU_ISA");
  const ArrayPtr p = runner.put(std::vector<int>(1));
  runner.run("k", line(1, 1), p);
  EXPECT_EQ(runner.get<int>(p)[0], 1);
}

// Also run under valgrind (meson.build), whose processor has no AVX-512: threads as loops, from barrier to barrier and
// as fibers.
TEST(Valgrind, KernelsRun) {
  const std::string source =
      "extern \"C\" __global__ void loop(float* x) { const int i = blockIdx.x * blockDim.x + threadIdx.x; x[i] = x[i] * 2 + 1; }\n"
      "extern \"C\" __global__ void regions(float* x) { __shared__ float s[64]; s[threadIdx.x] = x[threadIdx.x]; __syncthreads(); x[threadIdx.x] = s[63 - threadIdx.x]; }\n"
      "extern \"C\" __global__ void fibers(float* x) { x[threadIdx.x] += __shfl_xor_sync(~0u, x[threadIdx.x], 1); }\n";
  Runner runner(fast);
  ASSERT_EQ(TENON_OK, runner.compile(source, {"loop", "regions", "fibers"})) << tenon_error_last_message();
  const ArrayPtr x = runner.put(std::vector<float>(64, 1.5f));
  for (const char* kernel : {"loop", "regions", "fibers"}) runner.run(kernel, line(64, 64), x);
  EXPECT_EQ(runner.get<float>(x), std::vector<float>(64, 8.0f));
}

// --- integers and conversions

template <class T> std::vector<T> edges() {
  using L = std::numeric_limits<T>;
  std::vector<T> out = {
      0, 1, 2, 3, 7, 31, 32, 33, 63, 64, 65, 100, L::max(), T(L::max() - 1), L::min(), T(L::min() + 1)};
  if (L::is_signed) out.insert(out.end(), {T(-1), T(-2), T(-7), T(-32), T(-64)});
  return out;
}
template <class T> T quotient(T a, T b) {
  if (b == 0) return T(-1);
  if (std::is_signed_v<T> && b == T(-1)) return T(0 - std::make_unsigned_t<T>(a));
  return T(a / b);
}
template <class T> T remainder_of(T a, T b) {
  if (b == 0) return T(-1);
  if (std::is_signed_v<T> && b == T(-1)) return 0;
  return T(a % b);
}
template <class T> T left(T a, T n) {
  const auto by = std::make_unsigned_t<T>(n);
  return by >= sizeof(T) * 8 ? T(0) : T(std::make_unsigned_t<T>(a) << by);
}
template <class T> T right(T a, T n) {
  const auto by = std::make_unsigned_t<T>(n);
  return by < sizeof(T) * 8 ? T(a >> by) : std::is_signed_v<T> && a < 0 ? T(-1) : T(0);
}

template <class T> void expect_total(Runner& runner, const char* kernel, bool divides) {
  const std::vector<T> values = edges<T>();
  std::vector<T> a, b, want;
  for (T one : values)
    for (T other : values) {
      a.push_back(one), b.push_back(other);
      const std::array<T, 4> results = {quotient(one, other), remainder_of(one, other), left(one, other),
                                        right(one, other)};
      for (size_t i = divides ? 0 : 2; i < 4; ++i) want.push_back(results[i]);
    }
  const int n = int(a.size());
  const ArrayPtr da = runner.put(a), db = runner.put(b), out = runner.put(std::vector<T>(want.size()));
  runner.run(kernel, line(n, 64), da, db, out, n);
  const std::vector<T> got = runner.get<T>(out);
  const size_t each = want.size() / a.size();
  for (size_t i = 0; i < want.size(); ++i)
    ASSERT_EQ(got[i], want[i]) << kernel << ": operation " << i % each + 4 - each << " of " << a[i / each] << " and "
                               << b[i / each];
}

constexpr char kIntegers[] = R"(
template <class T> __device__ void all(const T* a, const T* b, T* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
#ifdef SHIFTS
  out[2 * i] = a[i] << b[i], out[2 * i + 1] = a[i] >> b[i];
#else
  out[4 * i] = a[i] / b[i], out[4 * i + 1] = a[i] % b[i], out[4 * i + 2] = a[i] << b[i], out[4 * i + 3] = a[i] >> b[i];
#endif
}
extern "C" __global__ void of_int(const int* a, const int* b, int* out, int n) { all(a, b, out, n); }
extern "C" __global__ void of_unsigned(const unsigned* a, const unsigned* b, unsigned* out, int n) { all(a, b, out, n); }
extern "C" __global__ void of_long(const long long* a, const long long* b, long long* out, int n) { all(a, b, out, n); }
extern "C" __global__ void of_unsigned_long(const unsigned long long* a, const unsigned long long* b, unsigned long long* out, int n) { all(a, b, out, n); }
)";

TEST(Integers, DivisionsAndShiftsAreDefinedForAllOperands) {
  for (const Machine& machine : {fast, reverse, debug, check}) {
    SCOPED_TRACE(machine.name);
    const bool divides = machine.mode != TENON_PROGRAM_MODE_CHECK;  // in this mode a division by zero ends the launch
    Runner runner(machine);
    if (!has_compiler(runner)) GTEST_SKIP();
    ASSERT_TRUE(compiled(runner, kIntegers, {"of_int", "of_unsigned", "of_long", "of_unsigned_long"},
                         divides ? std::vector<const char*>{} : std::vector<const char*>{"-DSHIFTS"}));
    expect_total<int32_t>(runner, "of_int", divides);
    expect_total<uint32_t>(runner, "of_unsigned", divides);
    expect_total<int64_t>(runner, "of_long", divides);
    expect_total<uint64_t>(runner, "of_unsigned_long", divides);
  }
}

// The optimiser draws no conclusions from a division: an earlier test of the divisor remains, and loops are not
// shortened.
TEST(Integers, NothingFollowsFromADivision) {
  Runner runner(fast);
  if (!has_compiler(runner)) GTEST_SKIP();
  ASSERT_TRUE(compiled(runner, R"(
extern "C" __global__ void k(int* p, int z, short s, int n) {
  const int q = 5 / z;
  p[0] = z == 0 ? 1 : 2;
  p[1] = q;
  p[2] = 7 % z + (z ? 100 : 0);
  short narrow = s;
  narrow /= (short)z, p[3] = narrow;
  narrow = s, narrow <<= n, p[4] = narrow;
  p[5] = (1 << n) - 1;
  p[6] = (int)threadIdx.x / z;
  unsigned mask = 0xffffffffu >> n;
  p[7] = (int)mask;
})",
                       {"k"}));
  const ArrayPtr p = runner.put(std::vector<int>(8));
  runner.run("k", line(1, 1), p, 0, int16_t(-3), 32);
  EXPECT_EQ(runner.get<int>(p), (std::vector<int>{1, -1, -1, -1, 0, -1, -1, 0}));
}

// For g++ there is no such intermediate step: there, a division by zero ends the launch, and nothing else.
TEST(Integers, WithGccADivisionByZeroIsAFault) {
  for (const Machine& machine : {gcc, gcc_reverse, gcc_check}) {
    SCOPED_TRACE(machine.name);
    Runner runner(machine);
    if (!has_compiler(runner)) GTEST_SKIP();
    ASSERT_TRUE(compiled(runner, "extern \"C\" __global__ void k(int* p, int z) { p[threadIdx.x] = 5 / z; }", {"k"}));
    const ArrayPtr p = runner.put(std::vector<int>(32));
    EXPECT_EQ(TENON_ERROR_KERNEL_FAULT, runner.try_run("k", line(32, 32), p, 0));
    EXPECT_TRUE(says("integer division by zero"));
    EXPECT_EQ(TENON_OK, runner.try_run("k", line(32, 32), p, 5));
    EXPECT_EQ(runner.get<int>(p)[31], 1);
  }
}

constexpr char kCasts[] = R"(
template <class F> __device__ void casts(const F* x, long long* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const F v = x[i];
  long long* out = y + 8 * i;
  out[0] = (int)v, out[1] = (long long)(unsigned)v, out[2] = (long long)v, out[3] = (long long)(unsigned long long)v;
  out[4] = (short)v, out[5] = (unsigned short)v, out[6] = (signed char)v, out[7] = (unsigned char)v;
}
extern "C" __global__ void of_float(const float* x, long long* y, int n) { casts(x, y, n); }
extern "C" __global__ void of_double(const double* x, long long* y, int n) { casts(x, y, n); }
)";
template <class T, class F> int64_t saturated(F v) {
  using L = std::numeric_limits<T>;
  if (std::isnan(v)) return 0;
  if (double(v) <= double(L::min())) return int64_t(L::min());
  if (double(v) >= double(L::max())) return int64_t(L::max());
  return int64_t(T(v));
}
template <class F> void expect_saturated(Runner& runner, const char* kernel) {
  std::vector<F> x = {0,
                      F(-0.0),
                      F(0.99),
                      F(-0.99),
                      1,
                      -1,
                      -5,
                      127,
                      128,
                      200,
                      255,
                      256,
                      300,
                      -128,
                      -129,
                      32767,
                      32768,
                      65535,
                      65536,
                      -32769,
                      F(2147483647.0),
                      F(3e9),
                      F(-3e9),
                      F(4294967295.0),
                      F(5e9),
                      F(9.2e18),
                      F(1e19),
                      F(1.8e19),
                      F(2e19),
                      F(-1e19),
                      F(1e30),
                      F(-1e30),
                      F(INFINITY),
                      F(-INFINITY),
                      F(NAN)};
  const int n = int(x.size());
  const ArrayPtr dx = runner.put(x), dy = runner.put(std::vector<int64_t>(8 * x.size()));
  runner.run(kernel, line(n, 32), dx, dy, n);
  const std::vector<int64_t> y = runner.get<int64_t>(dy);
  for (int i = 0; i < n; ++i) {
    const F v = x[i];
    const int64_t want[] = {saturated<int32_t>(v),  saturated<uint32_t>(v), saturated<int64_t>(v),
                            saturated<uint64_t>(v), saturated<int16_t>(v),  saturated<uint16_t>(v),
                            saturated<int8_t>(v),   saturated<uint8_t>(v)};
    for (int k = 0; k < 8; ++k) ASSERT_EQ(y[8 * i + k], want[k]) << kernel << ": cast " << k << " of " << v;
  }
}

TEST(Integers, ConversionsSaturate) {
  for (const Machine& machine : {fast, debug, check})
    for (const char* set : {"native", "x86-64-v2", "x86-64-v3"}) {
      SCOPED_TRACE(std::string(machine.name) + " " + set);
      Runner runner(for_set(machine, set));
      if (!has_compiler(runner)) GTEST_SKIP();
      if (!compiled(runner, kCasts, {"of_float", "of_double"}, {"--no-check=cast"})) continue;
      expect_saturated<float>(runner, "of_float");
      expect_saturated<double>(runner, "of_double");
    }
}

// --- threads that wait for each other in loops

struct Spin {
  const char* name;
  uint32_t threads;
  std::string body;
};
const Spin spins[] = {
    {"for a volatile flag of a later warp", 64,
     "__shared__ volatile int flag;\nif (t == 0) flag = 0;\n__syncthreads();\nif (t == 0) while (flag == 0) {}\nif (t == 33) flag = 1;\np[t] = t + 1;"},
    {"without a barrier, in global memory", 64,
     "volatile int* flag = p + 64;\nif (t == 0) { while (flag[0] == 0); }\nif (t == 33) flag[0] = 1;\np[t] = t + 1;"},
    {"for an earlier one", 64,
     "volatile int* flag = p + 64;\nif (t == 33) { while (*flag == 0); }\nif (t == 0) *flag = 1;\np[t] = t + 1;"},
    {"by atomic operations", 64,
     "if (t == 0) while (atomicAdd(p + 64, 0) == 0) __threadfence();\nif (t == 40) { __threadfence(); atomicExch(p + 64, 1); }\np[t] = t + 1;"},
    {"asleep", 64,
     "if (t == 0) { for (;;) { if (atomicOr(p + 64, 0)) break; __nanosleep(100); } }\nif (t == 63) atomicExch(p + 64, 1);\np[t] = t + 1;"},
    {"in turns", 96,
     "volatile int* turn = p + 96;\nfor (int round = 0; round < 3; ++round) { while (*turn != round * n + t) {}\n  p[t] = t + 1; __threadfence(); *turn = *turn + 1; }"},
    {"behind a lock of a warp", 32,
     "bool done = false;\nwhile (!done) { if (atomicCAS(p + 32, 0, 1) == 0) { p[33] += 1; __threadfence(); atomicExch(p + 32, 0); done = true; } }\np[t] = t + 1;"},
    {"producers and consumers", 64,
     "__shared__ volatile int full[4]; __shared__ int slot[4][32];\nif (t < 4) full[t] = 0;\n__syncthreads();\nint sum = 0;\n"
     "for (int k = 0; k < 12; ++k) { const int at = k % 4;\n"
     "  if (t < 32) { while (full[at]) {} __syncwarp(); slot[at][t] = k; __threadfence_block(); __syncwarp(); if (t == 0) full[at] = 1; }\n"
     "  else { while (!full[at]) {} __syncwarp(); sum += slot[at][t - 32]; __threadfence_block(); __syncwarp(); if (t == 32) full[at] = 0; }\n  __syncwarp(); }\n"
     "p[t] = t < 32 || sum == 66 ? t + 1 : -sum;"},
    {"while others shuffle and meet", 128,
     "volatile int* flag = p + 128;\nint v = t;\nif (t < 32) { if (t == 5) { while (*flag == 0); } }\nelse { for (int k = 0; k < 8; ++k) v = __shfl_xor_sync(~0u, v, 1);\n"
     "  if (t == 100) *flag = 1; }\n__syncthreads();\np[t] = v + 1;"},
};

TEST(Spinning, ThreadsOfABlockGetOn) {
  for (const Machine& machine : {fast, reverse, debug, check, gcc, gcc_reverse}) {
    Runner runner(machine);
    if (!has_compiler(runner)) continue;
    for (const Spin& spin : spins) {
      SCOPED_TRACE(std::string(machine.name) + ": " + spin.name);
      const std::string source =
          "extern \"C\" __global__ void k(int* p) { const int t = threadIdx.x, n = blockDim.x; (void)n;\n" + spin.body +
          "\n}\n";
      // Formally, polling a flag without a fence is a race.
      ASSERT_TRUE(compiled(runner, source, {"k"}, {"--no-check=race"}));
      const ArrayPtr p = runner.put(std::vector<int>(spin.threads + 8));
      runner.run("k", line(spin.threads, spin.threads), p);
      const std::vector<int> got = runner.get<int>(p);
      for (uint32_t t = 0; t < spin.threads; ++t) ASSERT_EQ(got[t], int(t) + 1);
    }
  }
}

// Loops that compute with the result of an atomic operation wait for nobody: they remain loops over the threads.
TEST(Spinning, OtherLoopsStayFast) {
  Runner runner(fast);
  if (!has_compiler(runner)) GTEST_SKIP();
  const char* const bodies[] = {
      "for (int i = t; i < 64; i += 32) atomicAdd(p + i % 8, 1);",
      "int old = p[0], assumed; do { assumed = old; old = atomicCAS(p, assumed, assumed + 1); } while (old != assumed);",
      "while (true) { const int i = atomicAdd(p, 1); if (i >= 100) break; p[1 + i % 8] = i; }",
      "for (int i = 0; i < 9; ++i) { const int was = atomicExch(p + i, t); if (was < 0) p[9] = was; }",
      "// while (atomicCAS(p, 0, 1)) {}\np[t] = 1;",
  };
  for (const char* body : bodies) {
    SCOPED_TRACE(body);
    ASSERT_TRUE(compiled(
        runner, std::string("extern \"C\" __global__ void k(int* p) { const int t = threadIdx.x;\n") + body + "\n}\n",
        {"k"}));
    EXPECT_EQ(runner.execution("k"), kLoop);
  }
}

// --- the checked mode

struct Race {
  const char* name;
  bool races;
  std::string body;
  bool gcc = true;  // for a read and a write of one place, g++ only reports the read
};
const Race races[] = {
    {"a missing barrier", true, "s[t] = t;\np[t] = s[(t + 1) % n];"},
    {"with the barrier", false, "s[t] = t;\n__syncthreads();\np[t] = s[(t + 1) % n];"},
    {"a second write too early", true, "s[t] = t;\n__syncthreads();\nint v = s[(t + 1) % n];\ns[t] = v;\np[t] = v;"},
    {"a second write after a barrier", false,
     "s[t] = t;\n__syncthreads();\nint v = s[(t + 1) % n];\n__syncthreads();\ns[t] = v;\np[t] = v;"},
    {"a warp that is thought to run in step", true,
     "s[t] = t;\n__syncthreads();\nif (t < 16) { volatile int* v = s; v[t] += v[t + 16]; v[t] += v[t + 8]; v[t] += v[t + 4]; }\np[t] = s[0];",
     false},
    {"a warp that meets", false,
     "s[t] = t;\n__syncthreads();\nif (t < 32) for (int d = 16; d; d /= 2) { int v = t < d ? s[t + d] : 0; __syncwarp(); if (t < d) s[t] += v; __syncwarp(); }\n__syncthreads();\np[t] = s[0];"},
    {"parts of a warp that do not meet each other", true,
     "if (t < 16) { s[t] = 1; __syncwarp(0xffffu); }\nelse if (t < 32) { __syncwarp(0xffff0000u); p[t] = s[t - 16]; }"},
    {"a maximum and a sum in one place", true,
     "if (t == 0) s[0] = 5;\n__syncthreads();\nint m = s[0];\nif (t == 0) s[0] = 7;\n__syncthreads();\np[t] = m + s[0];",
     false},
    {"atomic operations", false,
     "if (t == 0) s[0] = 0;\n__syncthreads();\natomicAdd(s, 1);\natomicMax(s + 0, t);\natomicAdd_block(s, 1);\natomicCAS(s, -1, 2);\n__syncthreads();\np[t] = s[0];"},
    {"an atomic operation beside a write", true,
     "if (t == 0) s[0] = 0;\natomicAdd(s, 1);\n__syncthreads();\np[t] = s[0];", false},
    {"all write the same", false, "if (t < n) s[0] = 1;\n__syncthreads();\np[t] = s[0];"},
    {"bytes side by side", false,
     "unsigned char* b = (unsigned char*)s;\nb[t] = (unsigned char)t;\n__syncthreads();\np[t] = b[n - 1 - t];"},
    {"a broadcast", false,
     "if (t == 0) s[0] = 3;\n__syncthreads();\np[t] = s[0];\n__syncthreads();\nif (t == 0) s[0] = 4;\n__syncthreads();\np[t] += s[0];"},
    {"early exit", false, "if (t >= 40) return;\ns[t] = t;\n__syncthreads();\np[t] = s[(t + 1) % 40];"},
    {"a flag with fences", false,
     "__shared__ int ready;\nif (t == 0) ready = 0;\n__syncthreads();\nif (t == 0) { s[1] = 9; __threadfence_block(); atomicExch(&ready, 1); }\n"
     "if (t == 63) { while (atomicAdd(&ready, 0) == 0) {} __threadfence_block(); p[63] = s[1]; }"},
};

TEST(Checked, RacesOnSharedMemoryAreFound) {
  for (const Machine& machine : {check, gcc_check}) {
    Runner runner(machine);
    if (!has_compiler(runner)) continue;
    for (const Race& race : races)
      for (const bool dynamic : {false, true}) {
        if ((dynamic && &race > &races[1]) || (!race.gcc && machine.compiler[0])) continue;
        SCOPED_TRACE(std::string(machine.name) + ": " + race.name + (dynamic ? ", dynamic" : ""));
        const std::string source = "extern \"C\" __global__ void k(int* p) {\n" +
                                   std::string(dynamic ? "extern __shared__ int s[];\n" : "__shared__ int s[64];\n") +
                                   "const int t = threadIdx.x, n = blockDim.x; (void)n;\n" + race.body + "\n}\n";
        ASSERT_TRUE(compiled(runner, source, {"k"}));
        const ArrayPtr p = runner.put(std::vector<int>(64));
        const Grid grid{{3, 1, 1}, {64, 1, 1}, dynamic ? 256u : 0u};
        EXPECT_EQ(race.races ? TENON_ERROR_KERNEL_FAULT : TENON_OK, runner.try_run("k", grid, p))
            << tenon_error_last_message();
        if (!race.races) continue;
        EXPECT_TRUE(says("race on shared memory"));
        EXPECT_TRUE(says(dynamic ? "of the dynamic shared memory" : "of the shared variable k::s"));
      }
  }
}

// The faulty launch reports the error, and no later one does.
TEST(Checked, TheGuiltyCallFails) {
  Runner runner(check);
  ASSERT_TRUE(compiled(runner, "extern \"C\" __global__ void k(int* p, int n) { p[threadIdx.x + n] = 1; }", {"k"}));
  const ArrayPtr p = runner.put(std::vector<int>(32));
  tenon_arg args[] = {argument(p), argument(int32_t(1))};
  tenon_launch launch{};
  launch.struct_size = sizeof launch;
  launch.grid[0] = launch.grid[1] = launch.grid[2] = launch.block[1] = launch.block[2] = 1, launch.block[0] = 32;
  EXPECT_EQ(TENON_ERROR_KERNEL_FAULT, tenon_kernel_launch(runner.kernel("k"), &launch, args, 2, nullptr));
  EXPECT_TRUE(says("behind the end of argument 0 (p)"));
  args[1] = argument(int32_t(0));
  EXPECT_EQ(TENON_OK, tenon_kernel_launch(runner.kernel("k"), &launch, args, 2, nullptr)) << tenon_error_last_message();
  EXPECT_EQ(TENON_OK, tenon_device_synchronize(runner.device())) << tenon_error_last_message();
}

// Each check separately: it stops its error, and it can be disabled.
TEST(Checked, SingleChecksCanBeLeftOut) {
  struct Row {
    const char* name;
    const char* body;
    const char* message;
    bool both;  // with both compilers
  };
  const Row rows[] = {
      {"overflow", "int v = 2147483600 + n; p[t] = v + t * 2000;", "integer overflow in an addition", true},
      {"cast", "p[t] = (int)((float)n * 3e9f);", "converted to an integer type that cannot hold it", true},
      {"shuffle", "if (t < 8) p[t] = __shfl_down_sync(0xffu, t, 4);", "which is not in the mask", true},
      {"barrier", "if (t < 16)\n__syncthreads();\nelse\n__syncthreads();\np[t] = 1;", "divergent barrier", true},
      {"division", "p[t] = 5 / (n - 1);", "integer division by zero", false},
      {"leak", "int* volatile q = (int*)malloc(8); *q = t; p[t] = *q;", "heap memory was leaked", true},
      {"race", "__shared__ int s[32]; s[t] = t; p[t] = s[31 - t];", "race on shared memory", true},
      {"value", "unsigned char b = 7; p[t] = *(bool*)&b ? 1 : 0;", "a bool or enum holds a value", false},
  };
  for (const Machine& machine : {check, gcc_check}) {
    Runner runner(machine);
    if (!has_compiler(runner)) continue;
    for (const Row& row : rows) {
      if (!row.both && machine.compiler[0]) continue;
      SCOPED_TRACE(std::string(machine.name) + ": " + row.name);
      const std::string source = "extern \"C\" __global__ void k(int* p, int n) { const int t = threadIdx.x;\n" +
                                 std::string(row.body) + "\n}\n";
      ASSERT_TRUE(compiled(runner, source, {"k"}));
      const ArrayPtr p = runner.put(std::vector<int>(32));
      EXPECT_EQ(TENON_ERROR_KERNEL_FAULT, runner.try_run("k", line(32, 32), p, 1));
      EXPECT_TRUE(says(row.message));
      ASSERT_TRUE(compiled(runner, source, {"k"}, {("--no-check=null," + std::string(row.name)).c_str()}));
      EXPECT_EQ(TENON_OK, runner.try_run("k", line(32, 32), p, 1)) << tenon_error_last_message();
    }
    EXPECT_EQ(TENON_ERROR_INVALID_ARGUMENT, runner.compile("", {}, {"--no-check=races"}));
    EXPECT_TRUE(says("\"races\", which is unknown; the checks are alignment,"));
  }
}

// Shifts that GPUs define, also of negative numbers, and missing lanes of a warp at the end of a block.
TEST(Checked, LegalProgramsPass) {
  for (const Machine& machine : {check, gcc_check}) {
    SCOPED_TRACE(machine.name);
    Runner runner(machine);
    if (!has_compiler(runner)) continue;
    ASSERT_TRUE(compiled(runner, R"(
__device__ void meet() { __syncthreads(); }
extern "C" __global__ void k(int* p, int n) {
  const int t = threadIdx.x;
  int v = (-3 << n) + (1 << t % 30);
  if (t >= 40) return;
  if (t < 32) v += __shfl_up_sync(~0u, t, 1);
  meet();
  meet();
  const unsigned active = __ballot_sync(__activemask(), t < n);
  p[t] = v + (active & 0);
})",
                         {"k"}));
    const ArrayPtr p = runner.put(std::vector<int>(64));
    EXPECT_EQ(TENON_OK, runner.try_run("k", line(50, 50), p, 2)) << tenon_error_last_message();
    EXPECT_EQ(runner.get<int>(p)[3], -12 + 8 + 2);
  }
}

}  // namespace
