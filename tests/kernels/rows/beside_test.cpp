// tests/kernels/rows/beside_test.cpp: kernels without barriers whose threads run loops side by side: which do, and
// that nobody can tell from the results: with TENON_PLAIN_LOOPS each thread runs alone, and every bit is the same.
#include <optional>
#include <random>
#include "../runner.hpp"

namespace {

using namespace test;

constexpr int kMost = 4096;  // threads of a grid

#define PLACE                                                                                                       \
  "  const int own = ((blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x) * blockDim.x * blockDim.y * " \
  "blockDim.z + (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;\n"
#define HEAD "(const float* x, float* y, int* z, int n, int m) {\n" PLACE

struct Case {
  const char* name;
  const char* body;  // after HEAD
  const char* before = "";
};

// x has 8192 elements, z has 4096, of which each thread has its own; n is at most 48, m at most 64.
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
    {"some_end", R"(
  float sum = x[own];
  if (sum > 1.5f) return;
  for (int i = 0; i < n; ++i) sum += x[own + i];
  y[own] = sum;
)"},
    {"own_arrays", R"(
  float v[4] = {1, 2, 3, 4}, sum = 0;
  v[own % 4] = x[own];
  for (int i = 0; i < n; ++i) sum += x[own + i] * v[i % 4];
  y[own] = sum;
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
    {"own_bounds", R"(
  float sum = 0;
  for (int i = 0; i < own % 40; ++i) sum += x[own + i];
  y[own] = sum;
)"},
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
    {"a_variable_of_the_kernel", R"(
  float sum = 0;
  int k;
  for (k = 2; k <= m; k += 2) sum += x[own + k];
  y[own] = sum + k;
)"},
    {"rows_of_own_lengths", R"(
  const int first = own * 3 % 1000, end = first + own % 7 * n;
  double sum = 0;
  for (int j = first; j < end; ++j) sum += x[j] * (double)x[j % 64];
  y[own] = (float)sum;
)"},
    {"conditions", R"(
  float sum = 0;
  for (unsigned i = 0; i < (unsigned)m; ++i) {
    if (i % 3 == own % 3) continue;
    if (x[own + i] > 0 and i < 50u or sum < -1) sum += x[own + i];
    else sum -= 0.25f * x[own + i];
  }
  y[own] = sum;
)"},
    {"bounds_of_several_terms", R"(
  float sum = 0;
  for (int i = 0; i < n + (m & 7); ++i) sum += x[own + i];
  y[own] = sum;
)"},
    {"shadowing_by_braces", R"(
  const float* in{x + own};
  float sum{0};
  {
    const float* in{x + 2 * own % 4000};
    for (int i = 0; i < n; ++i) {
      const float v{in[i]};
      sum += v;
    }
  }
  y[own] = sum + in[0];
)"},
    {"one_loop_or_the_other", R"(
  float sum = 1;
  if (own % 3 == 0)
    for (int i = 0; i < n; ++i) sum += x[own + i];
  else if (own % 3 == 1)
    for (int i = 0; i < m; ++i) sum -= x[own + i] * 0.5f;
  for (int i = 0; i < n; ++i) sum = sum * 0.5f + x[i + own];
  y[own] = sum;
)"},
    {"effects_afterwards", R"(
  float sum = 0;
  for (int i = 0; i < n; ++i) sum += x[own + i];
  atomicAdd(z + own, 1);
  atomicAdd(z + (own + 1) % 4096, 2);
  y[own] = sum;
  for (int i = 0; i < n; ++i) y[own] += x[own + i];
)"},
    {"values_of_registers", R"(
  const float a = x[own], b = x[own + 1], c = x[own + 2];
  float sum = a;
  bool any = false;
  for (int i = 0; i < n; ++i) any = any || x[own + i] > 2.9f, sum = fmaxf(sum * b, x[own + i] + c);
  y[own] = any ? sum : -sum;
)"},
    // These have loops that turn out to read what lies on the stack: each thread runs them as written.
    {"addresses", R"(
  float sum = 0, *p = &sum;
  for (int i = 0; i < n; ++i) sum += x[own + i];
  *p += 1;
  for (int i = 0; i < n; ++i) sum += x[own + i] + *p;
  y[own] = *p;
)"},
    {"a_store_before_depends_on_a_count", R"(
  float sum = 0;
  int count = 0;
  for (int i = 0; i < n; ++i) sum += x[own + i], ++count;
  if (count > 1) z[own] += count;
  for (int i = 0; i < m; ++i) sum -= x[own + i] * z[own];
  y[own] = sum;
)"},
    {"a_body_that_reads_through_a_pointer_what_it_changes", R"(
  float sum = 1;
  const float* at = &sum;
  for (int i = 0; i < n; ++i) sum = *at * 0.5f + x[own + i];
  y[own] = sum;
)"},
    {"pointers_that_alternate", R"(
  float one[2] = {1, 2}, other[2] = {3, 4}, sum = 0;
  const float *now = one, *next = other;
  for (int i = 0; i < n; ++i) {
    sum += x[own + i] * now[i % 2];
    const float* then = now;
    now = next, next = then;
  }
  y[own] = sum;
)"},
    {"nothing_to_read", R"(
  const float* from = n > 40 ? x : nullptr;
  const float& first = *from;
  float sum = 0;
  for (int i = 0; i < n - 40; ++i) sum += x[own + i] + first;
  y[own] = sum;
)"},
};

// They have effects before or in a loop, are not reached once, or gain nothing.
const Case as_written[] = {
    {"in_a_branch_of_some", R"(
  float sum = x[own];
  if (sum > 0) {
    for (int i = 0; i < n; ++i) sum += x[own + i];
  } else {
    for (int i = 0; i < m; ++i) sum -= x[own + i] * 3;
  }
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
    {"what_is_stored_before", R"(
  y[own] = x[own] * 2;
  float sum = 0;
  for (int i = 0; i < n; ++i) sum += y[own] * x[i];
  y[own] = sum;
  for (int i = 0; i < m; ++i) sum += y[own] - x[i];
  y[own] += sum;
)"},
    {"shared_memory", R"(
  __shared__ float s[1024];
  const int t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  s[t] = x[own];
  float sum = s[t];
  for (int i = 0; i < n; ++i) sum += x[own + i] * s[t];
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
    {"own_ways", R"(
  float sum = 0;
  for (int turn = 0; turn < own % 3; ++turn)
    for (int i = 0; i < n; ++i) sum += x[own + i] * turn;
  y[own] = sum;
)"},
    {"sums_of_one_place", R"(
  float sum = 0;
  float& also = sum;
  for (int i = 0; i < n; ++i) sum += x[own + i], also += x[i] * 0.5f;
  y[own] = sum;
)"},
    {"a_sum_and_its_part", R"(
  float2 sum = make_float2(0, 1);
  float& part = sum.x;
  for (int i = 0; i < n; ++i) part += x[own + i], sum.y += x[i];
  y[own] = sum.x + sum.y;
)"},
    {"a_reference_to_the_index", R"(
  int i = 0;
  int& also = i;
  float sum = 0;
  for (i = 0; i < n; ++i) sum += x[own + also];
  y[own] = sum;
)"},
    {"a_bound_by_a_reference_to_the_index", R"(
  int i = 0;
  int& also = i;
  float sum = 0;
  for (i = 0; i < n - also; ++i) sum += x[own + i];
  y[own] = sum;
)"},
    {"addresses_in_numbers", R"(
  float own_values[4] = {1, 2, 3, 4};
  const size_t hidden = ~(size_t)own_values;
  float sum = 0;
  for (int i = 0; i < n; ++i) sum += x[own + i] * ((const float*)~hidden)[i % 4];
  y[own] = sum;
)"},
    {"what_only_an_empty_loop_would_do", R"(
  float sum = 0;
  if (n <= 0) {
    z[own] += 1;
    for (int i = 0; i < n; ++i) sum += never(x[i]);
    y[own] = 5;
    return;
  }
  for (int i = 0; i < n; ++i) sum += x[own + i];
  y[own] = sum;
)",
     "__device__ float never(float) { __builtin_unreachable(); }\n"},
    {"atomic_reads", R"(
  const int seen = atomicAdd(z + own, 0);
  float sum = seen;
  for (int i = 0; i < n; ++i) sum += x[own + i];
  y[own] = sum;
)"},
    {"bounds_with_words", R"(
  const int one = m | 1;
  float sum = 0;
  for (int i = 0; i < n bitand one; ++i) sum += x[own + i];
  y[own] = sum;
)"},
    {"types_of_variables", R"(
  float sum = 1;
  for (int i = 0; i < n; ++i) {
    decltype(sum) before{sum};
    sum += x[own + i];
    sum += before * 0.5f;
  }
  y[own] = sum;
)"},
    {"constructors", R"(
  Counted sum(z + own);
  for (int i = 0; i < n; ++i) sum.value += x[own + i];
  y[own] = sum.value;
)",
     "struct Counted { float value = 0; int* at = nullptr; __device__ Counted() { } __device__ explicit Counted(int* p) : "
     "at(p) { } };\n"},
    {"loops_of_lambdas", R"(
  float sum = 0;
  int base = own;
  const auto add = [&] {
    for (int i = 0; i < n; ++i) sum += x[base + i];
  };
  add();
  base = 7;
  add();
  y[own] = sum;
)"},
    {"stores_through_references", R"(
  float& own_place = y[own];
  float sum = 0;
  for (int i = 0; i < n; ++i) own_place = sum, sum += x[own + i];
  y[own] += sum;
)"},
    {"stores_of_functions", R"(
  float sum = 0;
  for (int i = 0; i < n; ++i) sum += kept<2>(y + own, x[own + i]);
  y[own] += sum;
)",
     "template <int K> __device__ float kept(float* at, float v) { *at += v * K; return v; }\n"},
    {"stores_in_subscripts", R"(
  float sum = 0;
  for (int i = 0; i < n; ++i) sum += x[own + counted(z + own)];
  y[own] = sum;
)",
     "__device__ int counted(int* at) { return ++*at % 16; }\n"},
    {"stores_of_operators", R"(
  Log log{y + own};
  float sum = 0;
  for (int i = 0; i < n; ++i) sum += x[own + i], log << sum;
  y[own] += sum;
)",
     "struct Log { float* at; __device__ Log operator<<(float v) const { *at += v; return *this; } };\n"},
    {"a_store_once_something_was_seen", R"(
  float sum = 0;
  int seen = 0;
  for (int i = 0; i < n; ++i) {
    if (seen) z[own] += 1;
    seen = 1;
    sum += x[own + i];
  }
  y[own] = sum + z[own];
)"},
    {"static_variables", R"(
  static int runs[4096];
  runs[own] += 1;
  float sum = 0;
  for (int i = 0; i < n; ++i) sum += x[own + i];
  y[own] = sum + runs[own];
)"},
    {"hidden_variables", R"(
  hidden[own] += 1;
  float sum = 0;
  for (int i = 0; i < n; ++i) sum += x[own + i] * hidden[own];
  y[own] = sum;
)",
     "static __device__ float hidden[4096];\n"},
    {"bounds_with_weak_operators", R"(
  float sum = 0;
  for (int i = 0; i < n & i < m; ++i) sum += x[own + i];
  y[own] = sum;
)"},
    {"an_order_of_numbers", R"(
  const int turn = atomicAdd(z + own, 1);
  float sum = turn;
  for (int i = 0; i < n; ++i) sum += x[own + i];
  y[own] = sum;
)"},
    {"a_body_that_reads_through_a_reference_what_it_changes", R"(
  float sum = 1;
  const float& also = sum;
  for (int i = 0; i < n; ++i) sum = also * 0.5f + x[own + i];
  y[own] = sum;
)"},
    {"prints", R"(
  float sum = 0;
  if (n < -100) printf("%d", n);
  for (int i = 0; i < n; ++i) sum += x[own + i];
  y[own] = sum;
)"},
};

// Releases of clang differ in whether they prove that.
const Case proven_by_some[] = {
    {"lanes_of_vectors", R"(
  float4 sum = make_float4(0, 1, 2, 3);
  for (int i = 0; i < n; ++i) sum.x += x[own + i], sum.w = fmaf(x[i], x[own + i], sum.w);
  y[own] = sum.x + sum.w;
)"},
};

const Case waiting[] = {
    {"a_lock", R"(
  bool done = false;
  float sum = 0;
  do {
    if (atomicExch(z + 4095, 1) == 0) {
      for (int i = 0; i < n; ++i) sum += x[own + i];
      y[own] = sum;
      atomicExch(z + 4095, 0);
      done = true;
    }
  } while (!done);
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

  void compile(const std::vector<Case>& cases, const std::string& more = "", std::vector<const char*> names = {}) {
    std::string source = more;
    for (const Case& c : cases) {
      source += std::string(c.before) + "extern \"C\" __global__ void " + c.name + HEAD + c.body + "}\n";
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
    std::vector<int> z;
  };
  Result run(Runner& runner, const char* kernel, const Grid& grid, int n, int m) const {
    const ArrayPtr x = runner.put(x_), y = runner.put(std::vector<float>(kMost, -1)),
                   z = runner.put(std::vector<int>(kMost));
    runner.run(kernel, grid, x, y, z, n, m);
    Result out;
    for (float v : runner.get<float>(y)) {
      uint32_t bits;
      std::memcpy(&bits, &v, sizeof bits);
      out.y.push_back(bits);
    }
    out.z = runner.get<int>(z);
    return out;
  }
  void compare(const Case& c, std::optional<bool> expected) const {
    for (const Grid& grid : grids)
      for (const auto& [n, m] : {std::pair{33, 37}, {48, 64}, {1, 9}, {0, 3}, {-2, 8}}) {
        const Result one = run(*beside_, c.name, grid, n, m), other = run(*plain_, c.name, grid, n, m);
        ASSERT_EQ(one.y, other.y) << c.name << " " << n << " " << m << ", blocks of " << grid.block[0] << " x "
                                  << grid.block[1] << " x " << grid.block[2];
        ASSERT_EQ(one.z, other.z) << c.name;
      }
    if (expected)
      EXPECT_EQ((beside_->execution(c.name) & TENON_EXECUTION_SIDE_BY_SIDE) != 0, applies() && *expected) << c.name;
    EXPECT_FALSE(plain_->execution(c.name) & TENON_EXECUTION_SIDE_BY_SIDE) << c.name;
  }

  // `together`: how many cases one program has. Only eight loops of a program run side by side.
  template <size_t N> void compare_all(const Case (&cases)[N], size_t together, std::optional<bool> expected) {
    for (size_t first = 0; first < N; first += together) {
      const std::vector<Case> some(cases + first, cases + std::min(N, first + together));
      compile(some);
      if (HasFatalFailure()) return;
      for (const Case& c : some) compare(c, expected);
    }
  }

  std::unique_ptr<Runner> beside_, plain_;
  std::vector<float> x_ = std::vector<float>(8192);
};

TEST_P(Beside, ThreadsRunSuchLoopsSideBySide) { compare_all(taken, 4, true); }

TEST_P(Beside, SomeDependOnTheCompiler) { compare_all(proven_by_some, 8, std::nullopt); }

TEST_P(Beside, OthersRunAlone) { compare_all(as_written, 8, false); }

// A loop may wait for a store of another thread: no text with such a loop is changed.
TEST_P(Beside, NotWhereThreadsWait) { compare_all(waiting, 8, false); }

// One kernel of a program needs fibers, or is split at its barriers: the others run as they would alone.
TEST_P(Beside, NextToKernelsWithBarriers) {
  const std::vector<Case> some = {taken[0], taken[2]};
  compile(some,
          "extern \"C\" __global__ void meets(float* y) { __shared__ float s[64]; s[threadIdx.x] = y[threadIdx.x]; "
          "__syncthreads(); y[threadIdx.x] = s[63 - threadIdx.x]; }\n",
          {"meets"});
  for (const Case& c : some) compare(c, true);
}

TEST_P(Beside, InstancesOfTemplates) {
  const char* const source =
      "template <class T> __global__ void __launch_bounds__(1024) sums(const float* x, float* y, int* z, int n, int m) {\n" PLACE
      "  T sum = 0;\n  for (int i = 0; i < n; ++i) sum += x[own + i];\n  y[own] = sum + m;\n}\n";
  const std::vector<const char*> names = {"sums<float>", "sums<double>", "sums<int>"};
  ASSERT_EQ(TENON_OK, beside_->compile(source, names)) << Runner::last_log();
  ASSERT_EQ(TENON_OK, plain_->compile(source, names, {"-DTENON_PLAIN_LOOPS"})) << Runner::last_log();
  for (const char* name : names) compare({name, ""}, name != names[2]);
}

// A block may wait for another one: the text runs as it is written.
TEST_P(Beside, NotWhereBlocksMayWait) {
  const std::vector<Case> some = {taken[0]};
  compile(some, "__device__ void publish(int* p) { __threadfence(); *(volatile int*)p = 1; }\n");
  compare(some[0], false);
}

// A proof has other types of the indices: a text that could tell runs as it is written.
TEST_P(Beside, NotWhereTheTypeOfAnIndexShows) {
  const std::vector<Case> some = {taken[0]};
  compile(some, "__device__ uint3 place_of() { return threadIdx; }\n");
  compare(some[0], false);
}

// A launch that a fault ended leaves nothing to the next one.
TEST_P(Beside, AfterAFault) {
  if (!beside_->on_cpu()) GTEST_SKIP() << "a fault ends the context";
  const char* const source =
      "template <bool Counts> __global__ void sums(const float* x, float* y, int* z, int n, int m) {\n" PLACE
      "  if (Counts) z[own] += 1;\n  float sum = 0;\n  for (int i = 0; i < n; ++i) sum += x[own + i];\n  y[own] = sum + m;\n}\n";
  const std::vector<const char*> names = {"sums<false>", "sums<true>"};
  ASSERT_EQ(TENON_OK, beside_->compile(source, names)) << Runner::last_log();
  ASSERT_EQ(TENON_OK, plain_->compile(source, names, {"-DTENON_PLAIN_LOOPS"})) << Runner::last_log();
  const ArrayPtr y = beside_->put(std::vector<float>(kMost)), z = beside_->put(std::vector<int>(kMost));
  EXPECT_EQ(TENON_ERROR_KERNEL_FAULT,
            beside_->try_run("sums<false>", grids[0], static_cast<const void*>(nullptr), y, z, 40, 1));
  compare({"sums<true>", ""}, false);
  compare({"sums<false>", ""}, true);
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
