// tests/kernels/rows/guards_test.cpp: kernels that begin with a bounds check, which is decided before their threads
// run: with TENON_PLAIN_LOOPS it is not, and every bit is the same.
#include <random>
#include "../runner.hpp"

namespace {

using namespace test;

constexpr int kMost = 8192;  // elements

// Grids for which a case has no race: those that compute an element in several threads, in another place, with the
// same result; those of lines; one block.
enum Where { anywhere, in_lines, in_one_block };

struct Case {
  const char* name;
  const char* text;  // of a kernel (const float* x, float* y, int* z, int n, int m), after its head
  const char* before = "";
  Where where = anywhere;
};
#define INDEX "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"

// x and y have kMost elements, z has 64 counters; n is at most kMost, m at most 64.
const Case cases[] = {
    {"below", INDEX "  if (i < n) y[i] = 2 * x[i] + y[i];\n", "", in_lines},
    {"above", INDEX "  if (i >= n) return;\n  y[i] = sqrtf(fabsf(x[i])) / (1 + x[i] * x[i]);\n"},
    {"turned", INDEX "  if (!(i < n)) return;\n  y[i] = x[i] + 1;\n"},
    {"inside", INDEX "  if (i > 0 && i < n - 1) y[i] = x[i - 1] - 2 * x[i] + x[i + 1];\n"},
    {"outside", INDEX "  if (i < 1 || i + 1 >= n) return;\n  y[i] = x[i - 1] - 2 * x[i] + x[i + 1];\n"},
    {"planes",
     "  int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;\n"
     "  if (column >= m || row >= n / 64) return;\n  y[row * 64 + column] = x[column * 64 + row] * 2;\n"},
    {"one_by_one",
     "  const unsigned row = blockIdx.y * blockDim.y + threadIdx.y;\n  if (row >= n / 64) return;\n"
     "  const unsigned column = blockIdx.x * blockDim.x + threadIdx.x;\n  if (column >= m) return;\n"
     "  y[row * 64 + column] = x[row * 64 + column] - row;\n"},
    {"large", "  size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;\n  if (i < size_t(n)) y[i] = x[i] * 3;\n"},
    {"wraps",
     "  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i - 5 < unsigned(n) - 9) y[i] = x[i] * 3;\n"},
    {"wraps_within",
     "  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;\n  if ((i + 3) * 0x8000001u < 0x40000000u) y[i] += x[i];\n",
     "", in_lines},
    {"divided", INDEX "  int row = i / m;\n  if (row < n / 64) y[i] = x[i] + row;\n"},
    {"divided_by_zero", INDEX "  int row = i / (n % 3);\n  if (row < m) y[i] = x[i] + row;\n"},
    {"a_bool", INDEX "  bool in = i < n;\n  if (in) y[i] = x[i];\n"},
    {"a_bool_of_two", INDEX "  bool in = i < n && i > m;\n  if (in) y[i] = x[i];\n"},
    {"every_other", INDEX "  if (i % 2 < 1 && i < n) y[i] = x[i];\n"},
    {"else_too", INDEX "  if (i < n) y[i] = x[i];\n  else if (i < 8192) y[i] = -1;\n"},
    {"work_before", INDEX "  atomicAdd(z + i % 64, 1);\n  if (i < n) y[i] = x[i];\n"},
    {"work_after", INDEX "  if (i < n) y[i] = x[i];\n  atomicAdd(z + i % 64, 1);\n"},
    {"work_in_the_condition", INDEX "  if (atomicAdd(z + i % 64, 1) < m && i < n) y[i] = x[i];\n", "", in_one_block},
    {"order_shows", INDEX "  if (i < n) y[i] = atomicAdd(z, 1);\n", "", in_one_block},
    {"a_bound_in_memory", INDEX "  if (i < z[0] + n) {\n    y[i] = x[i];\n    if (i % 8 == 7) z[0] = -m;\n  }\n", "",
     in_one_block},
    {"a_static_bound", INDEX "  if (i < most - 8192 + n) y[i] = x[i];\n  if (i == 0) most = 8192;\n",
     "__device__ int most = 8192;\n", in_one_block},
    {"a_function_of_the_index", "  if (place() < n) y[place()] = x[place()];\n",
     "__device__ int place() { return blockIdx.x * blockDim.x + threadIdx.x; }\n"},
    {"a_loop_first",
     "  int i = blockIdx.x * blockDim.x + threadIdx.x, k = i;\n  while (k < n) {\n    y[k] += x[k] * 2;\n"
     "    k += gridDim.x * blockDim.x * 2;\n  }\n",
     "", in_lines},
    {"a_loop_then",
     INDEX "  if (i >= n) return;\n  float sum = 0;\n  for (int k = 0; k < m; ++k) sum += x[(i + k) % n];\n"
           "  y[i] = sum;\n"},
    {"a_loop_that_ends",
     INDEX "  for (int k = 0; k < m; ++k) {\n    if (i + k >= n) return;\n    y[i] += x[i + k];\n  }\n", "", in_lines},
    {"a_loop_with_do", INDEX "  int k = 0;\n  do {\n    if (i >= n) return;\n    y[i] += x[i];\n  } while (++k < m);\n",
     "", in_lines},
    {"jumps", INDEX "again:\n  if (i >= n) return;\n  y[i] += x[i];\n  i += 4096;\n  if (i < 6000) goto again;\n", "",
     in_lines},
    {"a_scope",
     "  {\n    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i < n) y[i] = x[i];\n  }\n"
     "  int j = threadIdx.x;\n  if (j >= m) return;\n  atomicAdd(z + j % 64, 1);\n"},
    {"objects",
     "  Range range{n};\n  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i >= range.end) return;\n"
     "  y[i] = x[i];\n",
     "struct Range { int end; };\n"},
    {"objects_that_end",
     "  Counter counter{z};\n  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i >= n) return;\n"
     "  y[i] = x[i];\n",
     "struct Counter { int* z; __device__ ~Counter() { atomicAdd(z, 1); } };\n"},
    {"the_parameter_changes",
     "  n -= m;\n  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i >= n) return;\n"
     "  n = 3;\n  y[i] = x[i] + n;\n"},
    {"the_index_of_a_pointer",
     "  x += blockIdx.x * blockDim.x;\n  y += blockIdx.x * blockDim.x;\n"
     "  n -= blockIdx.x * blockDim.x;\n  if ((int)threadIdx.x < n) y[threadIdx.x] = x[threadIdx.x];\n"},
    {"odd_names",
     "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  int* p = dbg_table;\n  if (p > (int*)16)\n    if (i < n) y[i] = x[i];\n",
     "__device__ int dbg_table[64];\n"},
    {"nothing_passes", INDEX "  if (i < -n - 1) y[i] = x[i];\n"},
};

const Grid grids[] = {{{1, 1, 1}, {1024, 1, 1}}, {{4, 1, 1}, {256, 1, 1}},  {{7, 1, 1}, {100, 1, 1}},
                      {{1, 1, 1}, {1, 1, 1}},    {{3, 1, 1}, {1024, 1, 1}}, {{4, 3, 1}, {16, 16, 1}},
                      {{64, 2, 1}, {1, 32, 1}},  {{2, 2, 2}, {40, 3, 2}}};

class Guards : public testing::TestWithParam<Machine> {
 protected:
  void SetUp() override {
    checked_ = std::make_unique<Runner>(GetParam());
    if (const std::string missing = checked_->missing(true); !missing.empty()) GTEST_SKIP() << missing;
    plain_ = std::make_unique<Runner>(GetParam());
    std::mt19937 random(7);
    for (float& v : x_) v = float(int(random() % 6001) - 3000) / 1000;
  }
  void compile(const std::string& source, const std::vector<const char*>& names) {
    for (const bool plain : {false, true})
      ASSERT_EQ(TENON_OK,
                (plain ? plain_ : checked_)
                    ->compile(source, names,
                              plain ? std::vector<const char*>{"-DTENON_PLAIN_LOOPS"} : std::vector<const char*>()))
          << tenon_error_last_message() << "\n"
          << Runner::last_log();
  }
  struct Result {
    std::vector<float> y;
    std::vector<int> z;
  };
  Result run(Runner& runner, const char* kernel, const Grid& grid, int n, int m) const {
    const ArrayPtr x = runner.put(x_), y = runner.put(std::vector<float>(kMost, -1)),
                   z = runner.put(std::vector<int>(64));
    runner.run(kernel, grid, x, y, z, n, m);
    return {runner.get<float>(y), runner.get<int>(z)};
  }
  void compare(const char* kernel, Where where) const {
    for (const Grid& grid : grids) {
      const unsigned lines = grid.grid[1] * grid.grid[2] * grid.block[1] * grid.block[2];
      if ((where >= in_lines && lines > 1) || (where == in_one_block && grid.grid[0] > 1)) continue;
      for (const auto& [n, m] : {std::pair{700, 37}, {8192, 64}, {256, 1}, {255, 3}, {257, 40}, {0, 9}, {-3, 2}}) {
        const Result one = run(*checked_, kernel, grid, n, m), other = run(*plain_, kernel, grid, n, m);
        ASSERT_EQ(one.y, other.y) << kernel << " " << n << " " << m << ", blocks of " << grid.block[0] << " x "
                                  << grid.block[1] << " x " << grid.block[2];
        ASSERT_EQ(one.z, other.z) << kernel << " " << n << " " << m;
      }
    }
  }

  std::unique_ptr<Runner> checked_, plain_;
  std::vector<float> x_ = std::vector<float>(kMost);
};

TEST_P(Guards, NobodyCanTell) {
  std::string source;
  std::vector<const char*> names;
  for (const Case& c : cases) {
    source += std::string(c.before) + "extern \"C\" __global__ void " + c.name +
              "(const float* x, float* y, int* z, int n, int m) {\n" + c.text + "}\n";
    names.push_back(c.name);
  }
  compile(source, names);
  if (HasFatalFailure()) return;
  const bool gcc = *GetParam().compiler;  // there, a division by zero ends the launch
  for (const Case& c : cases) {
    if (!checked_->on_cpu() && c.where == in_one_block) continue;  // the order of threads shows
    if (!gcc || std::string(c.name) != "divided_by_zero") compare(c.name, c.where);
  }
}

// One kernel of a program needs fibers, another is an instance of a template.
TEST_P(Guards, InOtherPrograms) {
  const char* const source =
      "struct Size { int n, m; };\n"
      "template <class T> __global__ void __launch_bounds__(1024) sized(const float* x, T* y, int* z, int n, int m) {\n"
      "  Size size{n, m};\n  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i >= size.n) return;\n"
      "  y[i] = x[i] + size.m;\n}\n"
      "namespace { struct Hidden { int n; };\n"
      "template <class T> __global__ void hidden(const float* x, float* y, T* z, int n, int m) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) y[i] = x[i] + m;\n}\n}\n"
      "extern \"C\" __global__ void meets(const float* x, float* y, int* z, int n, int m) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (__syncthreads_count(i < n) > m) y[i] = x[i];\n"
      "}\n";
  // A type that no other unit can name only has to compile.
  compile(source, {"sized<float>", "meets", "hidden<Hidden>"});
  if (HasFatalFailure()) return;
  for (const char* name : {"sized<float>", "meets"}) compare(name, anywhere);
}

// A number made of the indices, the parameters and `names`, in a random type. `plain`: with operators, comparisons and
// statements of checks that are taken.
std::string number(std::mt19937& random, const std::vector<std::string>& names, int depth, bool plain) {
  static const char* const kPlaces[] = {"threadIdx.x", "threadIdx.y", "blockIdx.x", "blockIdx.y",
                                        "blockDim.x",  "gridDim.x",   "n",          "m"};
  static const char* const kTypes[] = {
      "(int)", "(unsigned)", "(long long)", "(short)", "(unsigned char)", "(size_t)", "", ""};
  static const char* const kOperators[] = {"+", "+", "-", "*", "/", "<<", "%", "&", "^", ">>"};
  const auto any = [&random](const auto& list) { return list[random() % std::size(list)]; };
  if (depth == 0 || random() % 4 == 0) {
    if (random() % 4 == 0) return std::to_string(random() % 70);
    return names.empty() || random() % 2 ? std::string(any(kPlaces)) : any(names);
  }
  const std::string left = number(random, names, depth - 1, plain), type = any(kTypes),
                    by = kOperators[random() % (plain ? 6 : 10)];
  const std::string right =
      by == "<<" || by == ">>" ? std::to_string(random() % 5) : number(random, names, depth - 1, plain);
  const std::string in = random() % 3 ? "unsigned(" : "size_t(";  // signed ones must not overflow
  return type + "(" + in + left + ") " + by + " " + in + right + "))";
}
std::string condition(std::mt19937& random, const std::vector<std::string>& names, int depth, bool plain) {
  static const char* const kCompares[] = {"<", "<=", ">", ">=", "<", ">=", "==", "!="};
  const int form = depth == 0 ? 0 : int(random() % 5);
  if (form == 1) return "!(" + condition(random, names, depth - 1, plain) + ")";
  if (form > 2)
    return "(" + condition(random, names, depth - 1, plain) + (form == 3 ? " && " : " || ") +
           condition(random, names, depth - 1, plain) + ")";
  return "(" + number(random, names, 2, plain) + " " + kCompares[random() % (plain ? 6 : 8)] + " " +
         number(random, names, 1, plain) + ")";
}

// Each thread has an element of its own; what precedes its store is random.
std::string random_kernel(std::mt19937& random, const std::string& name) {
  const bool plain = random() % 3 != 0;
  std::string text = "extern \"C\" __global__ void " + name + "(const float* x, float* y, int* z, int n, int m) {\n",
              end;
  std::vector<std::string> names;
  const int steps = 1 + int(random() % 4);
  for (int k = 0; k < steps; ++k) {
    static const char* const kTypes[] = {"int", "unsigned", "size_t", "const long long", "short", "auto"};
    const std::string own = "v" + std::to_string(k);
    text += std::string(kTypes[random() % 6]) + " " + own + " = " + number(random, names, 2, plain) + ";\n";
    names.push_back(own);
    switch (random() % (plain ? 3 : 6)) {
      case 0: text += "if (" + condition(random, names, 2, plain) + ") return;\n"; break;
      case 1: text += "if (" + condition(random, names, 2, plain) + ") {\n", end = "}\n" + end; break;
      case 2:
        text += "bool b" + own + " = " + condition(random, names, 1, plain) + ";\nif (b" + own + ") return;\n";
        break;
      case 3:
        text += "if (" + condition(random, names, 1, plain) + ") " + (own[1] == '0' ? "n" : "m") + " += 3;\n";
        break;
      case 4: text += "while (" + condition(random, names, 1, plain) + ") {\nif (++m > 60) return;\n}\n"; break;
      default: break;
    }
  }
  return text +
         "const unsigned own = ((blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x) * blockDim.x * blockDim.y * "
         "blockDim.z + (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;\ny[own] = x[own] + float(" +
         number(random, names, 1, plain) + ");\n" + end + "}\n";
}

TEST_P(Guards, RandomOnes) {
  // g++ does not define what a division by zero gives, and has no such checks; a GPU would only run the same twice.
  if (!checked_->on_cpu() || *GetParam().compiler || GetParam().mode != TENON_PROGRAM_MODE_FAST)
    GTEST_SKIP() << "clang only";
  std::mt19937 random(11);
  for (int program = 0; program < 2; ++program) {
    std::string source;
    std::vector<std::string> kernels;
    for (int k = 0; k < 40; ++k) {
      kernels.push_back("k" + std::to_string(k));
      source += random_kernel(random, kernels.back());
    }
    std::vector<const char*> names;
    for (const std::string& one : kernels) names.push_back(one.c_str());
    compile(source, names);
    if (HasFatalFailure()) return;
    for (const char* name : names) {
      compare(name, anywhere);
      if (HasFatalFailure()) FAIL() << source.substr(source.find(std::string(" ") + name + "("), 900);
    }
  }
}

const Machine machines[] = {
    {"clang", "cpu:0", "", TENON_PROGRAM_MODE_FAST, 0},
    {"clang_debug", "cpu:0", "", TENON_PROGRAM_MODE_DEBUG, 0},
    {"gcc", "cpu:0", "g++", TENON_PROGRAM_MODE_FAST, 0},
    {"cuda", "cuda:0", "", TENON_PROGRAM_MODE_FAST, 0},
};
INSTANTIATE_TEST_SUITE_P(On, Guards, testing::ValuesIn(machines),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
