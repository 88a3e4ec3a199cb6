// tests/operations/svd.cpp: singular value decompositions by what defines them: a = u diag(s) vh, orthonormal u and vh,
// s descending.
#include <algorithm>
#include <cmath>
#include "numbers.hpp"

namespace test {
namespace {

class Svd : public OnDevice {};
ON_EVERY_DEVICE(Svd);

const uint32_t kDtypes[] = {TENON_FLOAT32, TENON_FLOAT64, TENON_COMPLEX64, TENON_COMPLEX128};

struct Result {
  ArrayPtr u, s, vh;
};

Result run(const Numbers& a, int32_t mode) {
  tenon_array *u = nullptr, *s = nullptr, *vh = nullptr;
  const tenon_svd_options options{sizeof options, mode};
  const bool vectors = mode != TENON_SVD_MODE_VALUES;
  EXPECT_OK(tenon_svd(a.get(), &options, nullptr, vectors ? &u : nullptr, &s, vectors ? &vh : nullptr));
  return {ArrayPtr(u), ArrayPtr(s), ArrayPtr(vh)};
}

// The largest element of x^H x - 1 over columns (or rows) of a rows x cols matrix.
double orthogonality(const Complex* x, int64_t rows, int64_t cols, bool columns) {
  double worst = 0;
  const int64_t n = columns ? cols : rows, length = columns ? rows : cols;
  const auto at = [&](int64_t vector, int64_t i) { return columns ? x[i * cols + vector] : x[vector * cols + i]; };
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = i; j < n; ++j) {
      Complex dot = 0;
      for (int64_t k = 0; k < length; ++k) dot += std::conj(at(i, k)) * at(j, k);
      worst = std::max(worst, std::abs(dot - (i == j ? 1.0 : 0.0)));
    }
  return worst;
}

void check(const Numbers& a, int32_t mode) {
  const std::vector<int64_t>& shape = a.shape();
  const int64_t m = shape[shape.size() - 2], n = shape[shape.size() - 1], k = std::min(m, n);
  const Result r = run(a, mode);
  ASSERT_TRUE(r.s);
  const int64_t uc = mode == TENON_SVD_MODE_FULL ? m : k, vr = mode == TENON_SVD_MODE_FULL ? n : k;
  std::vector<int64_t> want_s(shape.begin(), shape.end() - 1), want_u = shape, want_vh = shape;
  want_s.back() = k;
  want_u.back() = uc;
  want_vh[shape.size() - 2] = vr;
  ASSERT_EQ(want_s, test::shape(r.s.get()));
  const std::vector<Complex> s = values(r.s.get());
  std::vector<Complex> u, vh, all;
  if (mode != TENON_SVD_MODE_VALUES) {
    ASSERT_EQ(want_u, test::shape(r.u.get()));
    ASSERT_EQ(want_vh, test::shape(r.vh.get()));
    u = values(r.u.get());
    vh = values(r.vh.get());
  }
  each_index(shape, [&](const std::vector<int64_t>& i) { all.push_back(a.at(i)); });
  const double tolerance = 8 * epsilon(a.dtype()) * double(std::max(m, n));
  for (int64_t batch = 0; batch < int64_t(all.size()) / (m * n); ++batch) {
    const Complex* x = &all[size_t(batch * m * n)];
    const Complex* values = &s[size_t(batch * k)];
    double frobenius = 0, squares = 0;
    for (int64_t i = 0; i < m * n; ++i) frobenius += std::norm(x[i]);
    for (int64_t i = 0; i < k; ++i) {
      ASSERT_GE(values[i].real(), 0) << "singular value " << i;
      ASSERT_LE(values[i].real(), values[std::max<int64_t>(i - 1, 0)].real()) << "singular value " << i;
      squares += std::norm(values[i]);
    }
    ASSERT_NEAR(std::sqrt(frobenius), std::sqrt(squares), tolerance * std::sqrt(frobenius)) << "matrix " << batch;
    if (mode == TENON_SVD_MODE_VALUES) continue;
    const Complex *left = &u[size_t(batch * m * uc)], *right = &vh[size_t(batch * vr * n)];
    double residual = 0;
    for (int64_t i = 0; i < m; ++i)
      for (int64_t j = 0; j < n; ++j) {
        Complex sum = 0;
        for (int64_t l = 0; l < k; ++l) sum += left[i * uc + l] * values[l] * right[l * n + j];
        residual += std::norm(sum - x[i * n + j]);
      }
    ASSERT_LE(std::sqrt(residual), tolerance * std::sqrt(frobenius)) << "matrix " << batch;
    ASSERT_LE(orthogonality(left, m, uc, true), tolerance) << "u of matrix " << batch;
    ASSERT_LE(orthogonality(right, vr, n, false), tolerance) << "vh of matrix " << batch;
  }
}

TEST_P(Svd, ReproducesTheMatrixForEveryDtypeShapeModeAndLayout) {
  struct Case {
    std::vector<int64_t> shape, strides;
  };
  const std::vector<Case> cases = {
      {{1, 1}, {}},           {{5, 5}, {}},     {{40, 7}, {}},       {{7, 40}, {}},
      {{1, 9}, {}},           {{9, 1}, {}},     {{33, 20}, {1, 33}}, {{20, 12}, {48, 2}},
      {{6, 5}, {-5, 1}},      {{70, 65}, {}},   {{4, 6, 5}, {}},     {{2, 3, 5, 8}, {120, 40, 1, 5}},
      {{3, 4, 4}, {0, 4, 1}}, {{50, 3, 3}, {}},
  };
  for (uint32_t t : kDtypes)
    for (size_t i = 0; i < cases.size(); ++i)
      for (int32_t mode : {TENON_SVD_MODE_FULL, TENON_SVD_MODE_ECONOMY, TENON_SVD_MODE_VALUES}) {
        SCOPED_TRACE(std::string(tenon_dtype_name(t)) + ", case " + std::to_string(i) + ", mode " +
                     std::to_string(mode));
        Numbers a(device_.get(), t, cases[i].shape, cases[i].strides, i + 1);
        check(a, mode);
        if (HasFatalFailure() || HasNonfatalFailure()) return;
      }
}

TEST_P(Svd, TheMatrixIsNotChanged) {
  Numbers a(device_.get(), TENON_FLOAT64, {20, 15}, {}, 1);
  const std::vector<Complex> before = values(a.get());
  run(a, TENON_SVD_MODE_ECONOMY);
  EXPECT_EQ(before, values(a.get()));
}

TEST_P(Svd, ModesGiveTheSameSingularValues) {
  Numbers a(device_.get(), TENON_FLOAT64, {25, 30}, {}, 1);
  const std::vector<Complex> full = values(run(a, TENON_SVD_MODE_FULL).s.get());
  for (int32_t mode : {TENON_SVD_MODE_ECONOMY, TENON_SVD_MODE_VALUES}) {
    const std::vector<Complex> s = values(run(a, mode).s.get());
    for (size_t i = 0; i < s.size(); ++i) EXPECT_NEAR(full[i].real(), s[i].real(), 1e-13 * full[0].real()) << i;
  }
}

// A diagonal matrix between two rotations has its diagonal as singular values.
TEST_P(Svd, FindsKnownSingularValuesOfGradedRankDeficientAndZeroMatrices) {
  const int64_t n = 30;
  const std::vector<std::vector<double>> spectra = [&] {
    std::vector<std::vector<double>> out(4, std::vector<double>(size_t(n), 0.0));
    for (int64_t i = 0; i < n; ++i) {
      out[0][size_t(i)] = std::pow(10.0, -double(i) / 3);  // graded over ten decades
      out[1][size_t(i)] = i < 5 ? 3.0 - 0.5 * double(i) : 0;
      out[2][size_t(i)] = 0;
      out[3][size_t(i)] = i < 15 ? 1 : 0.5;  // clusters
    }
    return out;
  }();
  for (uint32_t t : {TENON_FLOAT32, TENON_FLOAT64})
    for (size_t which = 0; which < spectra.size(); ++which) {
      SCOPED_TRACE(std::string(tenon_dtype_name(t)) + ", spectrum " + std::to_string(which));
      // Householder reflections on both sides.
      Numbers a(device_.get(), t, {n, n}, {}, 1);
      std::vector<double> left(static_cast<size_t>(n)), right(static_cast<size_t>(n));
      double nl = 0, nr = 0;
      for (int64_t i = 0; i < n; ++i) {
        left[size_t(i)] = std::sin(double(i) + 1), right[size_t(i)] = std::cos(3.0 * double(i));
        nl += left[size_t(i)] * left[size_t(i)], nr += right[size_t(i)] * right[size_t(i)];
      }
      each_index({n, n}, [&](const std::vector<int64_t>& at) {
        double sum = 0;
        for (int64_t l = 0; l < n; ++l) {
          const double h = (at[0] == l) - 2 * left[size_t(at[0])] * left[size_t(l)] / nl;
          const double g = (at[1] == l) - 2 * right[size_t(at[1])] * right[size_t(l)] / nr;
          sum += h * spectra[which][size_t(l)] * g;
        }
        a.set(at, sum);
      });
      a.push();
      const Result r = run(a, TENON_SVD_MODE_ECONOMY);
      const std::vector<Complex> s = values(r.s.get());
      for (size_t i = 0; i < s.size(); ++i)
        EXPECT_NEAR(spectra[which][i], s[i].real(), 40 * epsilon(t) * std::max(spectra[which][0], 1e-300)) << i;
      const std::vector<Complex> u = values(r.u.get());
      EXPECT_LE(orthogonality(u.data(), n, n, true), 200 * epsilon(t));
    }
}

TEST_P(Svd, VerySmallAndVeryLargeNumbersAreScaled) {
  for (double scale : {1e-300, 1e300}) {
    Numbers a(device_.get(), TENON_FLOAT64, {6, 6}, {}, 1);
    const std::vector<Complex> base = values(run(a, TENON_SVD_MODE_VALUES).s.get());
    each_index({6, 6}, [&](const std::vector<int64_t>& i) { a.set(i, a.at(i) * scale); });
    a.push();
    const std::vector<Complex> s = values(run(a, TENON_SVD_MODE_VALUES).s.get());
    for (size_t i = 0; i < s.size(); ++i)
      EXPECT_NEAR(base[i].real(), s[i].real() / scale, 1e-12 * base[0].real()) << scale;
  }
}

TEST_P(Svd, WhatIsNotFiniteIsRefusedAndTheMatrixNamed) {
  for (uint32_t t : kDtypes)
    for (double bad : {double(NAN), double(INFINITY), -double(INFINITY)})
      for (int32_t mode : {TENON_SVD_MODE_FULL, TENON_SVD_MODE_VALUES}) {
        Numbers a(device_.get(), t, {5, 4, 3}, {}, 1);
        a.set({3, 2, 1}, is_complex(t) ? Complex(0, bad) : Complex(bad));
        a.push();
        tenon_array *u = nullptr, *s = nullptr, *vh = nullptr;
        const tenon_svd_options options{sizeof options, mode};
        FAILS(TENON_ERROR_NOT_FINITE, "matrix 3", tenon_svd(a.get(), &options, nullptr, &u, &s, &vh));
        EXPECT_EQ(nullptr, u);
        EXPECT_EQ(nullptr, s);
        EXPECT_EQ(nullptr, vh);
      }
}

TEST_P(Svd, EmptyMatricesHaveIdentitiesAsVectors) {
  for (const auto& shape : std::vector<std::vector<int64_t>>{{0, 3}, {3, 0}, {2, 0, 3}, {0, 4, 3}, {0, 0}}) {
    Numbers a(device_.get(), TENON_COMPLEX64, shape, {}, 1);
    const int64_t m = shape[shape.size() - 2], n = shape[shape.size() - 1];
    const Result r = run(a, TENON_SVD_MODE_FULL);
    ASSERT_TRUE(r.s && r.u && r.vh);
    EXPECT_EQ(0u, values(r.s.get()).size());
    for (const auto& [x, side] : {std::pair{r.u.get(), m}, {r.vh.get(), n}}) {
      const std::vector<Complex> e = values(x);
      for (size_t i = 0; i < e.size(); ++i)
        EXPECT_EQ(int64_t(i) % (side * side) % (side + 1) == 0 ? 1.0 : 0.0, e[i]) << i;
    }
    const Result economy = run(a, TENON_SVD_MODE_ECONOMY);
    EXPECT_EQ(0u, values(economy.u.get()).size());
    EXPECT_TRUE(run(a, TENON_SVD_MODE_VALUES).s);
  }
}

TEST_P(Svd, WhatDoesNotFitIsRefused) {
  tenon_array *u = nullptr, *s = nullptr, *vh = nullptr;
  Numbers vector(device_.get(), TENON_FLOAT32, {5}, {}, 1), half(device_.get(), TENON_FLOAT16, {5, 4}, {}, 1),
      a(device_.get(), TENON_FLOAT32, {5, 4}, {}, 1);
  FAILS(TENON_ERROR_SHAPE, "two axes", tenon_svd(vector.get(), nullptr, nullptr, &u, &s, &vh));
  FAILS(TENON_ERROR_DTYPE, "float16", tenon_svd(half.get(), nullptr, nullptr, &u, &s, &vh));
  const tenon_svd_options options{sizeof options, 5};
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "mode is 5", tenon_svd(a.get(), &options, nullptr, &u, &s, &vh));
}

}  // namespace
}  // namespace test
