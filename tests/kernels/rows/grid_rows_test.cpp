// tests/kernels/rows/grid_rows_test.cpp: grid-stride loops in the order of memory: which do, and that nobody can tell
// from the results.
#include <cmath>
#include <numeric>
#include <random>
#include "../runner.hpp"

namespace {

using namespace test;

constexpr int kRows = kLoop | kInOrder;
constexpr int kMost = 4096;

// The names in a file of KERNEL(name)s.
std::vector<std::string> kernels_of(const std::string& text) {
  std::vector<std::string> out;
  for (size_t at = text.find("\nKERNEL("); at != text.npos; at = text.find("\nKERNEL(", at + 1))
    out.push_back(text.substr(at + 8, text.find(')', at) - at - 8));
  return out;
}
std::vector<const char*> pointers(const std::vector<std::string>& names) {
  std::vector<const char*> out;
  for (const std::string& name : names) out.push_back(name.c_str());
  return out;
}

std::vector<int> input() {
  std::mt19937 engine(7);
  std::vector<int> x(kMost);
  for (int& v : x) v = int(engine() % 100);
  return x;
}

const Grid lines[] = {{{1, 1, 1}, {1, 1, 1}},   {{1, 1, 1}, {33, 1, 1}},  {{3, 1, 1}, {32, 1, 1}},
                      {{7, 1, 1}, {96, 1, 1}},  {{300, 1, 1}, {4, 1, 1}}, {{1, 1, 1}, {1024, 1, 1}},
                      {{40, 1, 1}, {128, 1, 1}}};
const Grid boxes[] = {
    {{3, 2, 1}, {16, 4, 1}}, {{2, 1, 3}, {8, 2, 2}}, {{1, 7, 1}, {1, 3, 5}}, {{130, 2, 2}, {32, 1, 2}}};
const int sizes[] = {-5, 0, 1, 31, 64, 1000, 4000};

class GridRows : public testing::TestWithParam<Machine> {
 protected:
  void SetUp() override {
    rows = std::make_unique<Runner>(GetParam());
    if (const std::string missing = rows->missing(true); !missing.empty()) GTEST_SKIP() << missing;
    plain = std::make_unique<Runner>(GetParam());
  }
  // Whether loops are analysed in this configuration.
  bool applies() const { return rows->on_cpu() && !(GetParam().flags & TENON_PROGRAM_FLAG_REVERSE_ORDER); }

  // For kernel "k"; releases the program.
  static int32_t execution(tenon_program* program) {
    ProgramPtr owner(program);
    tenon_kernel* kernel = nullptr;
    EXPECT_OK(tenon_program_kernel(program, "k", &kernel));
    KernelPtr kernel_owner(kernel);
    tenon_kernel_info about{};
    about.struct_size = sizeof about;
    if (kernel) {
      EXPECT_OK(tenon_kernel_get_info(kernel, &about));
    }
    return int32_t(about.execution);
  }
  static bool gcc() { return std::string(GetParam().compiler) == "g++"; }

  void compile(const std::string& source, const std::vector<std::string>& names) {
    ASSERT_EQ(TENON_OK, rows->compile(source, pointers(names))) << tenon_error_last_message() << "\n"
                                                                << Runner::last_log();
    ASSERT_EQ(TENON_OK, plain->compile(source, pointers(names), {"-DTENON_PLAIN_LOOPS"}))
        << tenon_error_last_message() << "\n"
        << Runner::last_log();
    for (const std::string& name : names)
      if (rows->on_cpu()) {
        EXPECT_NE(plain->execution(name.c_str()), kRows) << name;
      }
  }
  std::vector<int> run(Runner& runner, const std::string& kernel, Grid grid, int n, int m) {
    static const std::vector<int> x = input();
    grid.shared = 64;
    ArrayPtr dx = runner.put(x), dy = runner.put(std::vector<int>(kMost, 2));
    runner.run(kernel.c_str(), grid, dx, dy, n, m);
    return runner.get<int>(dy);
  }
  void compare(const std::string& kernel, const Grid& grid, int n, int m = 4) {
    ASSERT_EQ(run(*rows, kernel, grid, n, m), run(*plain, kernel, grid, n, m))
        << kernel << ", n " << n << ", grid " << grid.grid[0] << "x" << grid.grid[1] << "x" << grid.grid[2]
        << ", block " << grid.block[0] << "x" << grid.block[1] << "x" << grid.block[2];
  }
  std::unique_ptr<Runner> rows, plain;
};

std::string file(const char* name) { return text_of(std::string(TENON_KERNELS) + "/" + name + ".cu"); }

TEST_P(GridRows, LoopsOfTheGridRunInTheOrderOfMemory) {
  const std::string source = file("rows/proved");
  const auto names = kernels_of(source);
  ASSERT_GT(names.size(), 20u);
  compile(source, names);
  for (const std::string& name : names) {
    if (applies() && !(gcc() && name == "short_index") &&  // g++ cannot prove this one
        !(rows->older_clang() && name == "atomics_in_it")) {
      EXPECT_EQ(rows->execution(name.c_str()), kRows) << name;
    }
    for (int n : sizes)
      for (const Grid& grid : lines) compare(name, grid, n);
    if (name == "two_loops" || name == "rounds") continue;  // threads of one x would change what others read
    for (int n : sizes)
      for (const Grid& grid : boxes) compare(name, grid, n);
  }
}

TEST_P(GridRows, ResultsAreThoseOfTheObviousLoop) {
  const std::string source = file("rows/proved");
  compile(source, {"plain_int", "recurrence", "two_dimensions"});
  const std::vector<int> x = input();
  for (const Grid& grid : lines) {
    const int threads = int(grid.grid[0] * grid.block[0]);
    for (int n : sizes) {
      std::vector<int> sum(kMost, 2), chain(kMost, 2), plane(kMost, 2);
      for (int i = 0; i < n; ++i) {
        sum[size_t(i)] = 3 * x[size_t(i)] + 4;
        chain[size_t(i)] = (i >= threads ? chain[size_t(i - threads)] * 5 % 1000 : 1) + x[size_t(i)];
      }
      for (int j = 0; j < 4; ++j)
        for (int i = 0; i < n / 8; ++i) plane[size_t(j * (n / 8) + i)] = 3 * x[size_t(j * (n / 8) + i)] + j;
      ASSERT_EQ(run(*rows, "plain_int", grid, n, 4), sum) << n;
      ASSERT_EQ(run(*rows, "recurrence", grid, n, 4), chain) << n;
      ASSERT_EQ(run(*rows, "two_dimensions", grid, n, 4), plane) << n;
    }
  }
}

TEST_P(GridRows, WhatCannotBeProvedRunsAsWritten) {
  const std::string source = file("rows/as_written");
  auto names = kernels_of(source);
  ASSERT_GT(names.size(), 25u);
  compile(source, names);
  for (const std::string& name : names) {
    if (applies()) {
      EXPECT_EQ(rows->execution(name.c_str()), kLoop) << name;
    }
    if (!rows->on_cpu() && name.rfind("shared", 0) == 0) continue;  // a race between threads
    for (int n : sizes)
      for (const Grid& grid : lines) compare(name, grid, n);
  }
}

TEST_P(GridRows, WhatTheLaunchRefusesRunsAsWritten) {
  const std::string source = file("rows/refused");
  const auto names = kernels_of(source);
  compile(source, names);
  for (const std::string& name : names) {
    const bool wraps = name == "wraps";                             // with other sizes it never ends
    if (applies() && !((gcc() || rows->older_clang()) && wraps)) {  // like short_index
      EXPECT_EQ(rows->execution(name.c_str()), kRows) << name;
    }
    for (int n : {0, 1, 31, 200, wraps ? 200 : 1000})
      for (size_t g = 0; g < (wraps ? 4u : std::size(lines)); ++g) compare(name, lines[g], n);
    if (!wraps) compare(name, Grid{{2, 1, 1}, {8, 2, 1}}, 1);
  }
}

// Code that waits for another block inside a loop relies on the order of blocks.
TEST_P(GridRows, TextsThatMayWaitRunAsWritten) {
  if (!applies()) GTEST_SKIP();
  const std::string begin =
      "extern \"C\" __global__ void k(int* y, int n) {\n  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {\n";
  const struct {
    const char* body;
    int execution;
  } texts[] = {
      {"y[i] = *(volatile int*)(y + 4090);", kLoop},
      {"y[i] = i; __threadfence();", kLoop},
      // it may also wait for a thread of its own block
      {"while (atomicAdd(&y[4091], 0)) __nanosleep(10); y[i] = i;", kScheduled},
  };
  for (const auto& [body, execution] : texts) {
    ASSERT_EQ(TENON_OK, rows->compile(begin + body + "\n}\n}\n", {"k"})) << tenon_error_last_message();
    EXPECT_EQ(rows->execution("k"), execution) << body;
  }
}

// Loops that keep a value per thread.
TEST_P(GridRows, SumsOfThreadsRunEarlyInTheOrderOfMemory) {
  const std::string stacks = "#define TENON_PLAIN_BARRIERS\n";
  struct {
    std::string before;
    const char* file;
    int execution;
    bool warps;
  } files[] = {{"", "rows/sums", kRows, false},
               {"", "rows/block_sums", kRegions | kInOrder, false},
               {stacks, "rows/block_sums", kRing | kInOrder, false},
               {"", "rows/warp_sums", kScheduled | kInOrder, true},
               {stacks, "rows/warp_sums", kScheduled | kInOrder, true}};
  for (const auto& [before, name_of_file, execution, warps] : files) {
    const std::string source = before + file(name_of_file);
    const auto names = kernels_of(source);
    ASSERT_GT(names.size(), 1u);
    compile(source, names);
    for (const std::string& name : names) {
      if (applies() && !(gcc() && name == "in_template")) {  // g++ cannot prove this one
        // all that waits is in its own text
        const bool regions = before.empty() && (name == "shuffled" || name == "last_block");
        EXPECT_EQ(rows->execution(name.c_str()), regions ? kRegions | kInOrder : execution) << name;
      }
      for (int n : sizes)
        for (const Grid& grid : lines)
          if (!warps || grid.block[0] % 32 == 0) compare(name, grid, n);
      if (execution == kRows) {
        for (int m : {0, 2}) compare(name, lines[2], 1000, m);
        for (const Grid& grid : boxes) compare(name, grid, 1000);  // threads with the same x write the same values
      }
    }
  }
}

TEST_P(GridRows, WhatIsNoSumRunsAsWritten) {
  const std::string source = file("rows/not_sums");
  const auto names = kernels_of(source);
  ASSERT_GT(names.size(), 18u);
  compile(source, names);
  for (const std::string& name : names) {
    if (applies() && name != "changes_what_it_reads") {  // the launch refuses it
      EXPECT_EQ(rows->execution(name.c_str()), kLoop) << name;
    }
    const bool shared_by_all =
        name == "global_variable" || name == "flag_of_all";  // on the CPU, only a single block has a defined order
    if (!rows->on_cpu() && shared_by_all) continue;
    for (int n : sizes)
      for (const Grid& grid : lines)
        if (!shared_by_all || grid.grid[0] == 1) compare(name, grid, n);
  }
}

// More threads than fit into one turn, in several rows of blocks; in float, so that another order would change the
// result.
TEST_P(GridRows, SumsAreThoseOfEachThreadsOwnOrder) {
  const std::string source =
      "extern \"C\" __global__ void sums(const float* x, float* y, double* z, int n) {\n"
      "  float s = 0; double t = 1; int k = 0;\n"
      "  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) { s += x[i]; t = t * 0.99 + x[i]; ++k; }\n"
      "  const int at = (blockIdx.y * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x;\n  y[at] = s + blockIdx.y; z[at] = t * k;\n}\n";
  ASSERT_EQ(TENON_OK, rows->compile(source, {"sums"})) << tenon_error_last_message() << "\n" << Runner::last_log();
  if (applies()) {
    EXPECT_EQ(rows->execution("sums"), kRows);
  }
  const int n = 123457;
  std::mt19937 engine(3);
  std::vector<float> x(n);
  for (float& v : x) v = std::uniform_real_distribution<float>(-1, 1)(engine);
  const ArrayPtr dx = rows->put(x);
  for (const Grid& grid : {Grid{{40, 1, 1}, {256, 1, 1}}, Grid{{13, 3, 2}, {1024, 1, 1}}, Grid{{5, 1, 1}, {96, 1, 1}},
                           Grid{{700, 1, 1}, {32, 1, 1}}, Grid{{1, 5, 1}, {32, 1, 1}}}) {
    const size_t threads = grid.grid[0] * grid.block[0], rows_of_blocks = grid.grid[1] * grid.grid[2];
    const ArrayPtr dy = rows->put(std::vector<float>(threads * rows_of_blocks)),
                   dz = rows->put(std::vector<double>(threads * rows_of_blocks));
    rows->run("sums", grid, dx, dy, dz, n);
    const std::vector<float> y = rows->get<float>(dy);
    const std::vector<double> z = rows->get<double>(dz);
    for (size_t thread = 0; thread < threads; ++thread) {
      float s = 0;
      double t = 1;
      int k = 0;
      for (size_t i = thread; i < size_t(n); i += threads) s += x[i], t = std::fma(t, 0.99, double(x[i])), ++k;
      for (size_t row = 0; row < grid.grid[1]; ++row) {
        ASSERT_EQ(y[row * threads + thread], s + float(row)) << thread << " of " << threads;
        ASSERT_NEAR(z[row * threads + thread], t * k, 1e-9 * std::abs(t * k) + 1e-12) << thread << " of " << threads;
      }
    }
  }
}

// The result for one kernel of a text does not affect another.
TEST_P(GridRows, EachKernelIsLookedAtByItself) {
  if (!applies()) GTEST_SKIP();
  const std::string source =
      file("rows/proved") + file("rows/as_written").substr(file("rows/as_written").find("#define TID"));
  const std::string once = source.substr(0, source.rfind("#define KERNEL")) +
                           source.substr(source.find("\n", source.rfind("#define KERNEL")));
  compile(once, {"plain_int", "last_of_thread", "returns", "in_function"});
  EXPECT_EQ(rows->execution("plain_int"), kRows);
  EXPECT_EQ(rows->execution("last_of_thread"), kLoop);
  EXPECT_EQ(rows->execution("returns"), kLoop);
  EXPECT_EQ(rows->execution("in_function"), kRows);
}

TEST_P(GridRows, WordsInTheTextSwitchItOff) {
  if (!applies()) GTEST_SKIP();
  const std::string loop =
      "extern \"C\" __global__ void k(int* y, int n) { for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = i; }";
  ASSERT_EQ(TENON_OK, rows->compile(loop, {"k"}));
  EXPECT_EQ(rows->execution("k"), kRows);
  ASSERT_EQ(TENON_OK, rows->compile("#define TENON_PLAIN_LOOPS\n" + loop, {"k"}));
  EXPECT_EQ(rows->execution("k"), kLoop);
}

// A text whose macros have the names of the shim's macros, or use the shim's names, keeps its meaning.
TEST_P(GridRows, MacrosAreExpandedOnce) {
  const std::string source =
      "#undef assert\n#undef __forceinline__\n#define warpSize 5\n"
      "__device__ inline void assert(int* p) { *p = warpSize; }\n"
      "#define expf(v) ((v) + expf_more)\n#define ROWS(i, n) for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < (n); i += gridDim.x * blockDim.x)\n"
      "__constant__ int expf_more = 3;\n"
      "\nextern \"C\" __global__ void k(const int* x, int* y, int n, int m) { ROWS(i, n) { assert(y + i); y[i] += expf(x[i]) + __LINE__ * 1000; } }";
  compile(source, {"k"});
  if (applies()) {
    EXPECT_EQ(rows->execution("k"), kRows);
  }
  const std::vector<int> x = input();
  std::vector<int> want(kMost, 2);
  for (size_t i = 0; i < 1000; ++i) want[i] = 5 + x[i] + 3 + 9000;
  EXPECT_EQ(run(*rows, "k", lines[3], 1000, 0), want);
  compare("k", lines[3], 1000);
}

// The loop may come from a header's macro.
TEST_P(GridRows, HeadersAreExpanded) {
  if (!applies()) GTEST_SKIP();
  const char *
      name = "loops.cuh",
     *text =
         "#define EACH(i, n) for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < (n); i += blockDim.x * gridDim.x)\n";
  const std::string source =
      "#include \"loops.cuh\"\nextern \"C\" __global__ void k(const int* x, int* y, int n, int m) { EACH(i, n) y[i] = x[i] + m; }";
  const char* kernel = "k";
  tenon_program_options o{};
  o.struct_size = sizeof o;
  o.kernels = &kernel;
  o.kernel_count = 1;
  o.header_names = &name;
  o.header_sources = &text;
  o.header_count = 1;
  tenon_program* program = nullptr;
  ASSERT_EQ(TENON_OK, tenon_program_create(rows->device(), source.data(), source.size(), &o, &program))
      << tenon_error_last_message();
  EXPECT_EQ(execution(program), kRows);
}

TEST_P(GridRows, AFaultNamesItsThread) {
  if (!applies()) GTEST_SKIP();
  ASSERT_EQ(TENON_OK, rows->compile(file("rows/proved"), {"asserts"}, {}, "rows.cu")) << tenon_error_last_message();
  ASSERT_EQ(rows->execution("asserts"), kRows);
  std::vector<int> x(kMost, 1);
  x[1234] = -77;
  ArrayPtr dx = rows->put(x), dy = rows->put(x);
  EXPECT_EQ(TENON_ERROR_KERNEL_FAULT, rows->try_run("asserts", lines[3], dx, dy, 4000, 4));
  const std::string said = tenon_error_last_message();  // 1234 = 672 + 5 * 96 + 82
  EXPECT_NE(said.find("rows.cu:"), said.npos) << said;
  EXPECT_NE(said.find("x[i] != -77"), said.npos) << said;
  EXPECT_NE(said.find("block (5, 0, 0), thread (82, 0, 0)"), said.npos) << said;
  EXPECT_EQ(TENON_ERROR_KERNEL_FAULT, rows->try_run("asserts", lines[3], dx, dy, 4000, 0));
  const std::string prologue = tenon_error_last_message();
  EXPECT_NE(prologue.find("m > 0"), prologue.npos) << prologue;
  EXPECT_NE(prologue.find("block (0, 0, 0), thread (0, 0, 0)"), prologue.npos) << prologue;
}

TEST_P(GridRows, WarningsAreOfTheTextAsGiven) {
  if (!applies()) GTEST_SKIP();
  const std::string source =
      "#warning look here\nextern \"C\" __global__ void k(int* y, int n) {\n  for (int i = blockIdx.x * blockDim.x + threadIdx.x;\n       i < n;\n"
      "       i += gridDim.x * blockDim.x)\n    y[i] = 3000000000000;\n}\n";
  std::string logs[2];
  for (bool as_written : {false, true}) {
    const char* kernel = "k";
    const char* option = "-DTENON_PLAIN_LOOPS";
    tenon_program_options o{};
    o.struct_size = sizeof o;
    o.kernels = &kernel;
    o.kernel_count = 1;
    o.options = &option;
    o.option_count = as_written ? 1 : 0;
    tenon_program* program = nullptr;
    ASSERT_EQ(TENON_OK, tenon_program_create(rows->device(), source.data(), source.size(), &o, &program));
    const char* log = "";
    ASSERT_EQ(TENON_OK, tenon_program_log(program, &log));
    logs[as_written] = log;
    EXPECT_EQ(execution(program), as_written ? kLoop : kRows);
  }
  EXPECT_NE(logs[0].find("kernel.cu:6:"), std::string::npos) << logs[0];
  EXPECT_EQ(logs[0], logs[1]);
}

// Random loops, which must give the same results with and without the change.
class Writer {
 public:
  explicit Writer(unsigned seed) : engine_(seed) {}

  std::string kernel(const std::string& name) {
    const std::string type = one({"int", "unsigned", "long long", "size_t", "long", "unsigned long long", "auto"});
    const std::string tid = one({"blockIdx.x * blockDim.x + threadIdx.x", "threadIdx.x + blockDim.x * blockIdx.x",
                                 "blockIdx.x * (long long)blockDim.x + threadIdx.x",
                                 "(size_t)blockIdx.x * blockDim.x + threadIdx.x", "tid"});
    const std::string stride =
        one({"gridDim.x * blockDim.x", "blockDim.x * gridDim.x", "stride", "(long long)gridDim.x * blockDim.x"});
    const std::string bound = one({"count", "n_", "(long long)n_", "(unsigned)n_", "n_ - n_ % 3", "n_ / 2"});
    std::string out =
        "extern \"C\" __global__ void " + name +
        "(const int* x, int* y, int n, int m) {\n  const int n_ = n < 0 ? 0 : n;\n  const size_t count = n_;\n"
        "  const int tid = blockIdx.x * blockDim.x + threadIdx.x;\n  int stride = gridDim.x * blockDim.x;\n  int own = " +
        one({"m", "n + m", "m * 2", "m", "m", "(int)threadIdx.x", "x[0]"}) + ";\n";
    if (chance(8)) out += "  if (tid == 3) atomicAdd(&y[4095], own);\n";
    if (chance(6)) out += "  if (m > 3)\n";
    if (chance(6)) out += "  for (int round = 0; round < 2; ++round)\n";
    out += "  for (" + type + " i = " + tid + "; " + (chance(2) ? "i < " + bound : bound + " > i") +
           "; i += " + stride + ") {\n";
    for (int k = int(engine_() % 3) + 1; k > 0; --k) out += "    " + statement() + "\n";
    out += "  }\n";
    if (chance(8)) out += "  atomicAdd(&y[4094], own);\n";
    if (chance(3)) out += "  if (tid < 4000) y[tid] = own;\n";
    return out + "}\n";
  }

 private:
  bool chance(unsigned in) { return engine_() % in == 0; }
  std::string one(std::initializer_list<const char*> from) { return from.begin()[engine_() % from.size()]; }
  std::string statement() {
    return one({"y[i] = x[i] * 3 + own;", "y[i] = (y[i] + x[i]) & 1023;", "if (x[i] % 3 == 0) continue;",
                "for (int k = 0; k < x[i] % 5; ++k) y[i] ^= k + own;", "atomicAdd(&y[4090 + x[i] % 3], 1);",
                "y[i] = i >= gridDim.x * blockDim.x ? y[i - stride] / 2 + x[i] : m;",
                "{ int t = x[i]; t += own; y[i] = t; }", "y[i] += own;", "if (x[i] > 60) { y[i] = -x[i]; continue; }",
                "own += 1;", "y[i] += (int)(threadIdx.x & 1);", "if (x[i] == 99) break;",
                "auto f = [&](int v) { return v + own; }; y[i] = f(x[i]);", "own = x[i] & 7;", "y[i] = x[i] + m;"});
  }
  std::mt19937 engine_;
};

TEST_P(GridRows, RandomLoopsDoTheSameEitherWay) {
  Writer writer(20240601);
  std::string source;
  std::vector<std::string> names;
  for (int k = 0; k < 40; ++k) {
    names.push_back("k" + std::to_string(k));
    source += writer.kernel(names.back());
  }
  compile(source, names);
  int by_rows = 0;
  for (const std::string& name : names) {
    if (applies()) by_rows += rows->execution(name.c_str()) == kRows;
    for (int n : {0, 31, 1000, 4000})
      for (const Grid& grid : lines) compare(name, grid, n);
    ASSERT_FALSE(HasFatalFailure()) << source;
  }
  if (applies()) {
    EXPECT_GT(by_rows, 5);
    EXPECT_LT(by_rows, 35);
  }
}

const Machine machines[] = {
    {"clang", "cpu:0", "", TENON_PROGRAM_MODE_FAST, 0},
    {"clang_reverse", "cpu:0", "", TENON_PROGRAM_MODE_FAST, TENON_PROGRAM_FLAG_REVERSE_ORDER},
    {"gcc", "cpu:0", "g++", TENON_PROGRAM_MODE_FAST, 0},
    {"cuda", "cuda:0", "", TENON_PROGRAM_MODE_FAST, 0},
};
INSTANTIATE_TEST_SUITE_P(On, GridRows, testing::ValuesIn(machines),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
