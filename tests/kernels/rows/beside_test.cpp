// tests/kernels/rows/beside_test.cpp: kernels without barriers whose threads run loops side by side: which do, and
// that nobody can tell from the results: with TENON_PLAIN_LOOPS each thread runs alone, and every bit is the same.
#include <random>
#include "../runner.hpp"

namespace {

using namespace test;

constexpr int kMost = 4096;  // threads of a grid

// A kernel tells whether threads ran side by side: each takes a number of its block where it begins and where it ends,
// which are neighbours if it ran alone.
#define BEGINS "  const int begun = atomicAdd(turns + block, 1);\n"
#define ENDS "  ended[own] = atomicAdd(turns + block, 1) - begun;\n"
#define PLACE                                                                                                       \
  "  const int own = ((blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x) * blockDim.x * blockDim.y * " \
  "blockDim.z + (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;\n"                             \
  "  const int block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;\n"
#define HEAD "(const float* x, float* y, int* turns, int* ended, int n, int m) {\n" PLACE BEGINS

struct Case {
  const char* name;
  const char* body;  // between HEAD and ENDS
  const char* before = "";
};

// x has 8192 elements; n is at most 48, m at most 64.
const Case taken[] = {
    {"rows", R"(
  const float* in = x + own * 2;
  float sum = 0;
  for (int i = 0; i < n; i++) sum += in[i];
  y[own] = sum;
)"},
    {"three_loops", R"(
  if (own >= m * 7) return;
  const float* in = x + own;
  float sum = 0;
  for (int i = 0; i < n; i++) sum += in[i];
  float mean = sum / n, squares = 0;
  for (int i = 0; i < n; i++) {
    float d = in[i] - mean;
    squares += d * d;
  }
  float scale = 1.0f / sqrtf(squares / n + 1e-5f), most = -1e30f;
  for (int i = 0; i < n; ++i) most = fmaxf(most, scale * (in[i] - mean));
  y[own] = most + scale;
)"},
    {"product", R"(
  int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < 40 && column < m) {
    float sum = 0.5f;
    for (int k = 0; k < n; ++k) sum += x[row * n + k] * x[k * m + column];
    y[own] = sum;
  }
)"},
    {"largest", R"(
  float most = x[own];
  int where = -1;
  for (int i = 0; i < n; ++i)
    if (x[own * 2 % 4000 + i * 3] > most) most = x[own * 2 % 4000 + i * 3], where = i;
  y[own] = most + where;
)"},
    {"doubles", R"(
  double sum = 0;
  long long exact = 7;
  for (long long i = 3; i <= n; i += 3) sum += x[own + i] * 1.5, exact ^= (long long)x[own + i] << i;
  y[own] = (float)sum + (float)(exact % 1000);
)"},
    {"literal_bound", R"(
  float sum = 0;
  for (int i = 0; i < 40; ++i) sum += x[own + i * i];
  y[own] = sum;
)"},
    {"in_a_loop", R"(
  float all = 0;
  for (int tile = 0; tile < m / 8; ++tile) {
    float sum = 0;
    const int from = tile * 5 + own;
    for (int i = 0; i < n; ++i) sum += x[from + i];
    all = all * 0.75f + sum;
    if (sum > 3) all += 1;
  }
  y[own] = all;
)"},
    {"in_a_branch_of_some", R"(
  float sum = x[own];
  if (sum > 0) {
    for (int i = 0; i < n; ++i) sum += x[own + i];
  } else {
    for (int i = 0; i < m; ++i) sum -= x[own + i] * 3;
  }
  y[own] = sum;
)"},
    {"some_end", R"(
  float sum = x[own];
  if (sum > 1.5f) {
    y[own] = 77;
    return;
  }
  for (int i = 0; i < n; ++i) sum += x[own + i];
  y[own] = sum;
)"},
    {"what_is_stored_before", R"(
  y[own] = x[own] * 2;
  float sum = 0;
  for (int i = 0; i < n; ++i) sum += y[own] * x[i];
  y[own] = sum;
  for (int i = 0; i < m; ++i) sum += y[own] - x[i];
  y[own] += sum;
)"},
    {"own_arrays", R"(
  float v[4] = {1, 2, 3, 4}, sum = 0;
  v[own % 4] = x[own];
  for (int i = 0; i < n; ++i) sum += x[own + i] * v[i % 4];
  y[own] = sum;
)"},
    {"addresses", R"(
  float sum = 0, *p = &sum;
  for (int i = 0; i < n; ++i) sum += x[own + i];
  *p += 1;
  for (int i = 0; i < n; ++i) sum += x[own + i] + *p;
  y[own] = *p;
)"},
    {"values_of_classes", R"(
  Pair sum{0, 0};
  for (int i = 0; i < n; ++i) sum += Pair{x[own + i], x[i]};
  y[own] = sum.a * 3 + sum.b;
)",
     "struct Pair { float a, b; __device__ Pair& operator+=(Pair o) { a += o.a, b -= o.b * a; return *this; } };\n"},
    {"bounds_of_all", R"(
  const int from = n / 8, to = from + blockDim.x % 40 + gridDim.x;
  float sum = 0;
  for (int i = from; i < to; ++i) sum += x[own + i];
  y[own] = sum;
)"},
    {"same_names", R"(
  int i = own;
  float sum = x[i], v = 2;
  for (int i = 0; i < n; ++i) {
    float v = x[own + i];
    sum += v;
  }
  y[i] = sum + v;
)"},
    {"shared_memory", R"(
  __shared__ float s[1024];
  const int t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  s[t] = x[own];
  float sum = s[t];
  for (int i = 0; i < n; ++i) sum += x[own + i] * s[t];
  y[own] = sum;
)"},
};

// Threads differ in what they do, gain nothing, or might contract sums of several products differently.
const Case as_written[] = {
    {"own_bounds", R"(
  float sum = 0;
  for (int i = 0; i < own % 40; ++i) sum += x[own + i];
  y[own] = sum;
)"},
    {"integers", R"(
  int sum = 0;
  for (int i = 0; i < n; ++i) sum += (int)x[own + i];
  y[own] = sum;
)"},
    {"stores", R"(
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    y[own] = x[own + i];
    sum += y[own];
  }
  y[own] = sum;
)"},
    {"ways_out", R"(
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    if (x[own + i] > 2.5f) break;
    sum += x[own + i];
  }
  y[own] = sum;
)"},
    {"few_iterations", R"(
  float sum = 0;
  for (int i = 0; i < 5; ++i) sum += x[own + i];
  y[own] = sum;
)"},
    {"a_bound_that_changes", R"(
  float sum = 0;
  int to = n;
  for (int i = 0; i < to; ++i) {
    sum += x[own + i];
    if (sum > 20) to -= 1;
  }
  y[own] = sum;
)"},
    {"a_bound_changed_by_a_reference", R"(
  float sum = 0;
  int to = n;
  for (int i = 0; i < to; ++i) sum += shortened(to, x[own + i]);
  y[own] = sum;
)",
     "__device__ float shortened(int& to, float v) { if (v > 2.5f) --to; return v; }\n"},
    {"two_products", R"(
  float a = 0, b = 1;
  for (int k = 1; k <= n; k += 2) {
    a += x[own + k] * x[k] + x[k + 7] * x[own + 9];
    b = b * 0.5f + x[k] * a;
  }
  y[own] = a - b;
)"},
    {"bodies", R"(
  float3 at = {x[own], x[own + 1], x[own + 2]}, force = {0, 0, 0};
  for (int j = 0; j < n; ++j) {
    float dx = x[3 * j] - at.x, dy = x[3 * j + 1] - at.y, dz = x[3 * j + 2] - at.z;
    float inverse = 1.0f / sqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
    force.x += dx * inverse, force.y += dy * inverse;
    force.z += dz * inverse;
  }
  y[own] = force.x + force.y * force.z;
)"},
    {"calls", R"(
  float sum = 0;
  for (int i = 0; i < n; ++i) sum += bent<3>(x[own + i], threadIdx.x) + of_place();
  y[own] = sum;
)",
     "template <int K> __device__ float bent(float v, unsigned t) { return v * K + t; }\n"
     "__device__ float of_place() { return threadIdx.x + 100 * threadIdx.y + 10000 * threadIdx.z; }\n"},
    {"own_ways", R"(
  float sum = 0;
  for (int turn = 0; turn < own % 3; ++turn)
    for (int i = 0; i < n; ++i) sum += x[own + i] * turn;
  y[own] = sum;
)"},
};

const Grid grids[] = {{{2, 1, 1}, {64, 1, 1}}, {{3, 1, 1}, {100, 1, 1}}, {{1, 1, 1}, {1, 1, 1}},
                      {{5, 1, 1}, {7, 1, 1}},  {{2, 3, 1}, {16, 16, 1}}, {{1, 2, 2}, {40, 3, 2}},
                      {{4, 5, 1}, {8, 8, 1}},  {{1, 1, 1}, {1024, 1, 1}}};

class Beside : public testing::TestWithParam<Machine> {
 protected:
  void SetUp() override {
    beside_ = std::make_unique<Runner>(GetParam());
    if (const std::string missing = beside_->missing(true); !missing.empty()) GTEST_SKIP() << missing;
    plain_ = std::make_unique<Runner>(GetParam());
    std::mt19937 random(5);
    for (float& v : x_) v = float(int(random() % 6001) - 3000) / 1000;
  }
  bool applies() const {
    return beside_->on_cpu() && !*GetParam().compiler && GetParam().mode == TENON_PROGRAM_MODE_FAST &&
           !GetParam().flags;
  }

  template <size_t N>
  void compile(const Case (&cases)[N], const std::string& more = "", std::vector<const char*> names = {}) {
    std::string source = more;
    for (const Case& c : cases) {
      source += std::string(c.before) + "extern \"C\" __global__ void " + c.name + HEAD + c.body + ENDS "}\n";
      names.push_back(c.name);
    }
    for (const bool plain : {false, true})
      ASSERT_EQ(TENON_OK,
                (plain ? plain_ : beside_)
                    ->compile(source, names,
                              plain ? std::vector<const char*>{"-DTENON_PLAIN_LOOPS"} : std::vector<const char*>()))
          << tenon_error_last_message() << "\n"
          << Runner::last_log();
  }
  struct Result {
    std::vector<uint32_t> y;
    bool together = false;  // some threads ran side by side
  };
  Result run(Runner& runner, const char* kernel, const Grid& grid, int n, int m) const {
    const ArrayPtr x = runner.put(x_), y = runner.put(std::vector<float>(kMost, -1)),
                   turns = runner.put(std::vector<int>(64)), ended = runner.put(std::vector<int>(kMost, 1));
    runner.run(kernel, grid, x, y, turns, ended, n, m);
    Result out;
    for (float v : runner.get<float>(y)) {
      uint32_t bits;
      std::memcpy(&bits, &v, sizeof bits);
      out.y.push_back(bits);
    }
    for (int far : runner.get<int>(ended)) out.together |= far != 1;
    return out;
  }
  void compare(const Case& c, bool expected) const {
    bool together = false;
    for (const Grid& grid : grids)
      for (const auto& [n, m] : {std::pair{33, 37}, {48, 64}, {1, 9}, {0, 3}, {-2, 8}}) {
        const Result one = run(*beside_, c.name, grid, n, m), other = run(*plain_, c.name, grid, n, m);
        together |= one.together;
        ASSERT_EQ(one.y, other.y) << c.name << " " << n << " " << m << ", blocks of " << grid.block[0] << " x "
                                  << grid.block[1] << " x " << grid.block[2];
        if (beside_->on_cpu()) EXPECT_FALSE(other.together) << c.name;
      }
    if (applies()) EXPECT_EQ(together, expected) << c.name;
    if (beside_->on_cpu()) EXPECT_EQ(beside_->execution(c.name), kLoop) << c.name;
  }

  std::unique_ptr<Runner> beside_, plain_;
  std::vector<float> x_ = std::vector<float>(8192);
};

TEST_P(Beside, ThreadsRunSuchLoopsSideBySide) {
  compile(taken);
  for (const Case& c : taken) compare(c, true);
}

TEST_P(Beside, OthersRunAlone) {
  compile(as_written);
  for (const Case& c : as_written) compare(c, false);
}

// One kernel of a program needs fibers, or is split at its barriers: the others run as they would alone.
TEST_P(Beside, NextToKernelsWithBarriers) {
  const Case some[] = {taken[0], taken[2]};
  compile(some,
          "extern \"C\" __global__ void meets(float* y) { __shared__ float s[64]; s[threadIdx.x] = y[threadIdx.x]; "
          "__syncthreads(); y[threadIdx.x] = s[63 - threadIdx.x]; }\n",
          {"meets"});
  for (const Case& c : some) compare(c, true);
}

// A block may wait for another one: the text runs as it is written.
TEST_P(Beside, NotWhereBlocksMayWait) {
  const Case some[] = {taken[0]};
  compile(some, "__device__ void publish(int* p) { __threadfence(); *(volatile int*)p = 1; }\n");
  compare(some[0], false);
}

const Machine machines[] = {
    {"clang", "cpu:0", "", TENON_PROGRAM_MODE_FAST, 0},
    {"clang_reverse", "cpu:0", "", TENON_PROGRAM_MODE_FAST, TENON_PROGRAM_FLAG_REVERSE_ORDER},
    {"gcc", "cpu:0", "g++", TENON_PROGRAM_MODE_FAST, 0},
    {"cuda", "cuda:0", "", TENON_PROGRAM_MODE_FAST, 0},
};
INSTANTIATE_TEST_SUITE_P(On, Beside, testing::ValuesIn(machines),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
