// tests/operations/gemm.cpp: matrix products against three loops, for every dtype, layout and batch.
#include <cmath>
#include "numbers.hpp"

namespace test {
namespace {

class Gemm : public OnDevice {};
ON_EVERY_DEVICE(Gemm);

const uint32_t kDtypes[] = {TENON_FLOAT16, TENON_BFLOAT16,  TENON_FLOAT32,
                            TENON_FLOAT64, TENON_COMPLEX64, TENON_COMPLEX128};

// The index of a broadcast operand that corresponds to an index of c.
std::vector<int64_t> matching(const std::vector<int64_t>& c_index, const std::vector<int64_t>& shape, int64_t row,
                              int64_t col) {
  std::vector<int64_t> out(shape.size());
  const size_t own = shape.size() - 2, all = c_index.size() - 2;
  for (size_t i = 0; i < own; ++i) out[i] = shape[i] == 1 ? 0 : c_index[i + all - own];
  out[own] = row;
  out[own + 1] = col;
  return out;
}

// Runs tenon_gemm and compares with three loops; the bound is that for a sum of k products.
void check(Numbers& a, Numbers& b, Numbers& c, Complex alpha, Complex beta, int32_t packed_expected = -1) {
  const int64_t k = a.shape().back();
  std::vector<Complex> want;
  std::vector<double> size;
  each_index(c.shape(), [&](const std::vector<int64_t>& i) {
    const int64_t row = i[i.size() - 2], col = i[i.size() - 1];
    Complex sum = 0;
    double magnitude = 0;
    for (int64_t l = 0; l < k; ++l) {
      const Complex x = a.at(matching(i, a.shape(), row, l)), y = b.at(matching(i, b.shape(), l, col));
      sum += x * y;
      magnitude += std::abs(x) * std::abs(y);
    }
    const Complex before = beta == 0.0 ? 0 : beta * c.at(i);
    want.push_back(alpha * sum + before);
    size.push_back(std::abs(alpha) * magnitude + std::abs(before));
  });
  const double scale[2][2] = {{alpha.real(), alpha.imag()}, {beta.real(), beta.imag()}};
  int32_t packed = -1;
  const tenon_gemm_options options{sizeof options, TENON_COMPUTE_STRICT, &packed};
  OK(tenon_gemm(scalar(scale[0]), a.get(), b.get(), scalar(scale[1]), &options, nullptr, into(c.get())));
  EXPECT_EQ(packed_expected >= 0 ? packed_expected : packed, packed);
  c.fetch();
  const uint32_t t = c.dtype();
  const double sum_epsilon = t == TENON_FLOAT16 || t == TENON_BFLOAT16 ? epsilon(TENON_FLOAT32) : epsilon(t);
  size_t n = 0;
  each_index(c.shape(), [&](const std::vector<int64_t>& i) {
    const double bound = (double(k) + 4) * sum_epsilon * size[n] * 2 + epsilon(t) * std::abs(want[n]);
    const Complex got = c.at(i);
    ASSERT_LE(std::abs(got - want[n]), bound) << "element " << n << " is " << got << ", not " << want[n];
    ++n;
  });
}

TEST_P(Gemm, IsRightForEveryDtypeAndEveryMixOfLayouts) {
  const int64_t m = 37, k = 29, n = 43;
  struct Layout {
    const char* name;
    int64_t row, col;
    bool packs;
  };
  const auto layouts = [](int64_t rows, int64_t cols) {
    return std::vector<Layout>{{"C order", cols, 1, false},
                               {"Fortran order", 1, rows, false},
                               {"wide rows", cols + 5, 1, false},
                               {"every other", 2 * cols, 2, true},
                               {"backwards", -cols, 1, true}};
  };
  for (uint32_t t : kDtypes)
    for (const Layout& la : layouts(m, k))
      for (const Layout& lb : layouts(k, n))
        for (const Layout& lc : layouts(m, n)) {
          SCOPED_TRACE(std::string(tenon_dtype_name(t)) + ": a " + la.name + ", b " + lb.name + ", c " + lc.name);
          Numbers a(device_.get(), t, {m, k}, {la.row, la.col}, 1), b(device_.get(), t, {k, n}, {lb.row, lb.col}, 2),
              c(device_.get(), t, {m, n}, {lc.row, lc.col}, 3);
          check(a, b, c, is_complex(t) ? Complex(0.5, -1.25) : 0.5, is_complex(t) ? Complex(2, 0.5) : -1.5,
                la.packs + lb.packs);
          if (HasFatalFailure() || HasNonfatalFailure()) return;
        }
}

TEST_P(Gemm, BatchesBroadcast) {
  struct Case {
    std::vector<int64_t> a, b, c, a_strides, b_strides, c_strides;
  };
  const std::vector<Case> cases = {
      {{6, 5, 7}, {6, 7, 4}, {6, 5, 4}, {}, {}, {}},
      {{6, 5, 7}, {7, 4}, {6, 5, 4}, {}, {}, {}},  // one right operand: one wide product
      {{5, 7}, {6, 7, 4}, {6, 5, 4}, {}, {}, {}},
      {{3, 1, 5, 7}, {2, 7, 4}, {3, 2, 5, 4}, {}, {}, {}},
      {{3, 2, 5, 7}, {3, 2, 7, 4}, {3, 2, 5, 4}, {35, 105, 7, 1}, {}, {}},  // batch axes in reverse order
      {{3, 2, 5, 7}, {3, 2, 7, 4}, {3, 2, 5, 4}, {-70, 35, 7, 1}, {}, {-40, -20, 4, 1}},
      {{4, 5, 7}, {4, 7, 4}, {4, 5, 4}, {0, 7, 1}, {}, {1, 16, 4}},  // c without a unit stride
      {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {}, {}, {}},
      {{300, 3, 3}, {300, 3, 3}, {300, 3, 3}, {}, {}, {}},
  };
  for (uint32_t t : kDtypes)
    for (size_t i = 0; i < cases.size(); ++i) {
      SCOPED_TRACE(std::string(tenon_dtype_name(t)) + ", case " + std::to_string(i));
      const Case& x = cases[i];
      Numbers a(device_.get(), t, x.a, x.a_strides, 4), b(device_.get(), t, x.b, x.b_strides, 5),
          c(device_.get(), t, x.c, x.c_strides, 6);
      check(a, b, c, 1.0, 0.5);
      if (HasFatalFailure()) return;
    }
}

TEST_P(Gemm, LargerThanABlockOfAHalfWidthProduct) {
  for (uint32_t t : {TENON_FLOAT16, TENON_BFLOAT16}) {
    Numbers a(device_.get(), t, {1031, 11}, {1, 1031}, 7), b(device_.get(), t, {11, 1100}, {}, 8),
        c(device_.get(), t, {1031, 1100}, {}, 9);
    check(a, b, c, 1.0, 0.25);
    Numbers deep_a(device_.get(), t, {5, 9001}, {}, 7), deep_b(device_.get(), t, {9001, 3}, {}, 8),
        deep_c(device_.get(), t, {5, 3}, {}, 9);
    check(deep_a, deep_b, deep_c, 0.125, 1.0);
  }
}

TEST_P(Gemm, BetaZeroDoesNotReadC) {
  for (uint32_t t : kDtypes) {
    Numbers a(device_.get(), t, {9, 8}, {}, 1), b(device_.get(), t, {8, 7}, {}, 2), c(device_.get(), t, {9, 7}, {}, 3);
    each_index(c.shape(), [&](const std::vector<int64_t>& i) { c.set(i, {NAN, NAN}); });
    c.push();
    SCOPED_TRACE(tenon_dtype_name(t));
    check(a, b, c, 1.0, 0.0);
  }
}

TEST_P(Gemm, WithNothingToAddCIsScaled) {
  for (uint32_t t : kDtypes)
    for (double beta : {0.0, 1.0, -0.5}) {
      Numbers a(device_.get(), t, {2, 4, 0}, {}, 1), b(device_.get(), t, {2, 0, 3}, {}, 2),
          c(device_.get(), t, {2, 4, 3}, {}, 3);
      SCOPED_TRACE(std::string(tenon_dtype_name(t)) + ", beta " + std::to_string(beta));
      check(a, b, c, 1.0, beta);
    }
  Numbers a(device_.get(), TENON_FLOAT32, {0, 4}, {}, 1), b(device_.get(), TENON_FLOAT32, {4, 3}, {}, 2),
      c(device_.get(), TENON_FLOAT32, {0, 3}, {}, 3);
  check(a, b, c, 1.0, 0.0);
  Numbers no_batch(device_.get(), TENON_FLOAT32, {0, 2, 4}, {}, 1),
      none(device_.get(), TENON_FLOAT32, {0, 2, 3}, {}, 3);
  check(no_batch, b, none, 1.0, 0.0);
}

TEST_P(Gemm, WhatDoesNotFitIsRefusedAndNothingIsWritten) {
  tenon_device* d = device_.get();
  Numbers a(d, TENON_FLOAT32, {4, 5}, {}, 1), b(d, TENON_FLOAT32, {5, 6}, {}, 2), c(d, TENON_FLOAT32, {4, 6}, {}, 3);
  Numbers wide(d, TENON_FLOAT64, {5, 6}, {}, 2), short_b(d, TENON_FLOAT32, {4, 6}, {}, 2),
      vector(d, TENON_FLOAT32, {5}, {}, 2);
  Numbers batch(d, TENON_FLOAT32, {2, 4, 5}, {}, 2), three(d, TENON_FLOAT32, {3, 4, 6}, {}, 2),
      overlapping(d, TENON_FLOAT32, {4, 6}, {0, 1}, 2);
  const std::vector<Complex> before = values(c.get());
  FAILS(TENON_ERROR_DTYPE, "float64",
        tenon_gemm(nullptr, a.get(), wide.get(), nullptr, nullptr, nullptr, into(c.get())));
  FAILS(TENON_ERROR_SHAPE, "(4, 6)",
        tenon_gemm(nullptr, a.get(), short_b.get(), nullptr, nullptr, nullptr, into(c.get())));
  FAILS(TENON_ERROR_SHAPE, "two axes",
        tenon_gemm(nullptr, a.get(), vector.get(), nullptr, nullptr, nullptr, into(c.get())));
  FAILS(TENON_ERROR_SHAPE, "batch",
        tenon_gemm(nullptr, batch.get(), b.get(), nullptr, nullptr, nullptr, into(c.get())));
  FAILS(TENON_ERROR_SHAPE, "batch",
        tenon_gemm(nullptr, batch.get(), b.get(), nullptr, nullptr, nullptr, into(three.get())));
  FAILS(TENON_ERROR_OVERLAP, "stride 0",
        tenon_gemm(nullptr, a.get(), b.get(), nullptr, nullptr, nullptr, into(overlapping.get())));
  const double turn[2] = {1, 1};
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "imaginary",
        tenon_gemm(scalar(turn), a.get(), b.get(), nullptr, nullptr, nullptr, into(c.get())));
  const tenon_gemm_options options{sizeof options, 99, nullptr};
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "99",
        tenon_gemm(nullptr, a.get(), b.get(), nullptr, &options, nullptr, into(c.get())));
  Numbers square(d, TENON_FLOAT32, {4, 4}, {}, 2);
  FAILS(TENON_ERROR_OVERLAP, "shares memory",
        tenon_gemm(nullptr, square.get(), square.get(), nullptr, nullptr, nullptr, into(square.get())));
  EXPECT_EQ(before, values(c.get()));
}

}  // namespace
}  // namespace test
