// tests/kernels/kernels.hpp: the fixture of the corpus: every test runs with every compiler and mode, and on every
// device.
#pragma once
#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <random>
#include "runner.hpp"

namespace test {

class Kernels : public testing::TestWithParam<Machine> {
 protected:
  void SetUp() override {
    runner = std::make_unique<Runner>(GetParam());
    if (const std::string missing = runner->missing(true); !missing.empty()) GTEST_SKIP() << missing;
  }
  std::unique_ptr<Runner> runner;
};

inline std::vector<float> random_floats(size_t n, float low, float high, unsigned seed = 1) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<float> uniform(low, high);
  std::vector<float> out(n);
  for (float& x : out) x = uniform(engine);
  return out;
}
inline std::vector<int> random_ints(size_t n, int low, int high, unsigned seed = 1) {
  std::mt19937 engine(seed);
  std::uniform_int_distribution<int> uniform(low, high);
  std::vector<int> out(n);
  for (int& x : out) x = uniform(engine);
  return out;
}

inline void expect_near(const std::vector<float>& got, const std::vector<double>& want, double relative) {
  ASSERT_EQ(got.size(), want.size());
  for (size_t i = 0; i < got.size(); ++i)
    ASSERT_NEAR(got[i], want[i], relative * std::max(1e-6, std::fabs(want[i]))) << "element " << i;
}

// A file of the corpus, compiled for the named kernels.
#define KERNEL(text, ...)          \
  runner->file(text, __VA_ARGS__); \
  if (HasFatalFailure() || IsSkipped()) return

// A text of a folder of tests/kernels/texts.
#define TEXT(folder, name)    \
  runner->text(folder, name); \
  if (HasFatalFailure() || IsSkipped()) return

// What a kernel wrote, element by element: want(i).
template <class T, class F> void expect_each(const std::vector<T>& got, F want) {
  for (size_t i = 0; i < got.size(); ++i) ASSERT_EQ(got[i], T(want(int(i)))) << "element " << i;
}

}  // namespace test
