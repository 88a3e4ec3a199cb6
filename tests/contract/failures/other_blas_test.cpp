// tests/contract/failures/other_blas_test.cpp: a program that is linked with a BLAS of its own gets right results from
// the one that Tenon opened.
#include <cmath>
#include "support.hpp"

extern "C" int other_blas_calls(void);

using namespace test;

namespace {

constexpr int64_t kN = 50;

class OtherBlas : public testing::Test {
 protected:
  void SetUp() override {
    cpu = device("cpu:0");
    for (int64_t i = 0; i < kN; ++i)
      for (int64_t j = 0; j < kN; ++j) values.push_back(i == j ? double(kN) : std::sin(double(3 * i + 7 * j)));
    tenon_array* made = nullptr;
    OK(tenon_array_from_host(cpu.get(), TENON_FLOAT64, 2, shape, values.data(), values.size() * 8, nullptr, &made));
    a.reset(made);
    tenon_array* probe = nullptr;
    const int32_t status = tenon_inverse(a.get(), nullptr, nullptr, &probe);
    if (status == TENON_ERROR_MISSING_LIBRARY) GTEST_SKIP() << tenon_error_last_message();
    OK(status);
    tenon_array_release(probe);
  }
  void TearDown() override { EXPECT_EQ(0, other_blas_calls()) << "the BLAS that Tenon opened called the program's"; }

  static constexpr int64_t shape[] = {kN, kN};
  std::vector<double> values;
  DevicePtr cpu;
  ArrayPtr a;
};

TEST_F(OtherBlas, solve_is_right) {
  tenon_array *x = nullptr, *product = nullptr;
  OK(tenon_solve(a.get(), a.get(), nullptr, nullptr, &x));
  const ArrayPtr own_x(x);
  const std::vector<double> identity = test::values<double>(x);
  for (int64_t i = 0; i < kN; ++i)
    for (int64_t j = 0; j < kN; ++j) EXPECT_NEAR(identity[size_t(i * kN + j)], i == j, 1e-12);
  const tenon_array* operands[] = {a.get(), x};
  OK(tenon_einsum("ij,jk->ik", operands, 2, nullptr, nullptr, &product));
  const ArrayPtr own_product(product);
  const std::vector<double> back = test::values<double>(product);
  for (size_t i = 0; i < back.size(); ++i) EXPECT_NEAR(back[i], values[i], 1e-10);
}

TEST_F(OtherBlas, factorisations_are_right) {
  tenon_array *u = nullptr, *s = nullptr, *vh = nullptr;
  OK(tenon_svd(a.get(), nullptr, nullptr, &u, &s, &vh));
  const ArrayPtr own_u(u), own_s(s), own_vh(vh);
  double squares = 0, expected = 0;
  for (const double value : test::values<double>(s)) squares += value * value;
  for (const double value : values) expected += value * value;
  EXPECT_NEAR(squares, expected, 1e-8);
}

}  // namespace
