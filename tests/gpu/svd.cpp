// Singular value decompositions on the GPU: residual, orthogonality and order, judged in double on the host.
#include <cmath>

#include "gpu.hpp"

using namespace gpu;
using C = std::complex<double>;

namespace {

double epsilon_of(uint32_t dtype) { return dtype == TENON_FLOAT32 || dtype == TENON_COMPLEX64 ? 1.2e-7 : 2.3e-16; }
bool is_complex(uint32_t dtype) { return dtype == TENON_COMPLEX64 || dtype == TENON_COMPLEX128; }

struct Result {
  ArrayPtr u, s, vh;
};

class Svd : public Gpu {
 protected:
  std::vector<C> numbers(uint32_t dtype, int64_t count) {
    std::normal_distribution<double> normal;
    std::vector<C> out(static_cast<size_t>(count));
    for (C& x : out) x = {normal(random_), is_complex(dtype) ? normal(random_) : 0};
    return out;
  }
  ArrayPtr on_device(uint32_t dtype, const std::vector<int64_t>& shape, const std::vector<C>& data) {
    return converted(upload(device_.get(), TENON_COMPLEX128, shape, data.data(), data.size() * sizeof(C)), dtype);
  }
  static int32_t svd(const ArrayPtr& a, int32_t mode, Result& out) {
    tenon_svd_options options{};
    options.struct_size = sizeof(options);
    options.mode = mode;
    tenon_array *u = nullptr, *s = nullptr, *vh = nullptr;
    const bool vectors = mode != TENON_SVD_MODE_VALUES;
    const int32_t status = tenon_svd(a.get(), &options, nullptr, vectors ? &u : nullptr, &s, vectors ? &vh : nullptr);
    out.u.reset(u);
    out.s.reset(s);
    out.vh.reset(vh);
    return status;
  }
  // The largest element of |x^H x - 1| (columns) or |x x^H - 1| (rows).
  static double unorthogonality(const C* x, int64_t rows, int64_t columns, bool of_rows) {
    const int64_t k = of_rows ? rows : columns, length = of_rows ? columns : rows;
    double worst = 0;
    for (int64_t i = 0; i < k; ++i)
      for (int64_t j = i; j < k; ++j) {
        C sum = 0;
        for (int64_t l = 0; l < length; ++l)
          sum += of_rows ? x[i * columns + l] * std::conj(x[j * columns + l])
                         : std::conj(x[l * columns + i]) * x[l * columns + j];
        worst = std::max(worst, std::abs(sum - (i == j ? 1.0 : 0.0)));
      }
    return worst;
  }
  void check(uint32_t dtype, int64_t batch, int64_t m, int64_t n, int32_t mode, const std::vector<C>& data) {
    const int64_t k = std::min(m, n);
    ArrayPtr a = on_device(dtype, {batch, m, n}, data);
    const auto exact = complex_values(a);
    Result r;
    OK(svd(a, mode, r));
    EXPECT_EQ(exact, complex_values(a)) << "the matrix was changed";
    const auto s = values<double>(converted(r.s, TENON_FLOAT64).get());
    const std::string what = std::string(tenon_dtype_name(dtype)) + " " + std::to_string(batch) + " x " +
                             std::to_string(m) + " x " + std::to_string(n) + " mode " + std::to_string(mode);
    const double epsilon = epsilon_of(dtype);
    for (int64_t g = 0; g < batch; ++g) {
      double norm = 0;  // Frobenius
      for (int64_t i = 0; i < m * n; ++i) norm += std::norm(exact[size_t(g * m * n + i)]);
      norm = std::sqrt(norm);
      double squares = 0;
      for (int64_t i = 0; i < k; ++i) {
        const double x = s[size_t(g * k + i)];
        ASSERT_GE(x, 0) << what;
        ASSERT_LE(x, s[size_t(g * k + std::max<int64_t>(i - 1, 0))])
            << what << ": singular value " << i << " is larger than the one before";
        squares += x * x;
      }
      ASSERT_NEAR(std::sqrt(squares), norm, 20 * epsilon * (norm + 1e-30) * std::sqrt(double(k))) << what;
    }
    if (mode == TENON_SVD_MODE_VALUES) return;
    const auto u = complex_values(r.u), vh = complex_values(r.vh);
    const int64_t uc = mode == TENON_SVD_MODE_FULL ? m : k, vr = mode == TENON_SVD_MODE_FULL ? n : k;
    ASSERT_EQ(shape(r.u.get()), (std::vector<int64_t>{batch, m, uc})) << what;
    ASSERT_EQ(shape(r.vh.get()), (std::vector<int64_t>{batch, vr, n})) << what;
    // LAPACK's tests allow 30 to 50 times the order times the unit roundoff; at order 32 Jacobi needs more than the
    // square root of the order.
    const double bound = 10 * epsilon * double(std::max(m, n));
    for (int64_t g = 0; g < batch; ++g) {
      const C *ug = &u[size_t(g * m * uc)], *vg = &vh[size_t(g * vr * n)];
      double residual = 0, norm = 0;
      for (int64_t i = 0; i < m; ++i)
        for (int64_t j = 0; j < n; ++j) {
          C sum = 0;
          for (int64_t l = 0; l < k; ++l) sum += ug[i * uc + l] * s[size_t(g * k + l)] * vg[l * n + j];
          residual += std::norm(sum - exact[size_t((g * m + i) * n + j)]);
          norm += std::norm(exact[size_t((g * m + i) * n + j)]);
        }
      ASSERT_LE(std::sqrt(residual), bound * std::sqrt(norm) + 1e-300)
          << what << ": u s vh is not the matrix, batch " << g;
      ASSERT_LE(unorthogonality(ug, m, uc, false), bound) << what << ": u, batch " << g;
      ASSERT_LE(unorthogonality(vg, vr, n, true), bound) << what << ": vh, batch " << g;
    }
  }
};

const uint32_t kTypes[] = {TENON_FLOAT32, TENON_FLOAT64, TENON_COMPLEX64, TENON_COMPLEX128};

TEST_F(Svd, EveryShapeTypeAndModeReproducesTheMatrix) {
  for (uint32_t dtype : kTypes)
    for (const auto& [m, n] : std::vector<std::pair<int64_t, int64_t>>{
             {1, 1}, {5, 3}, {3, 5}, {32, 32}, {20, 32}, {33, 33}, {70, 40}, {40, 70}, {128, 100}})
      for (int32_t mode : {TENON_SVD_MODE_FULL, TENON_SVD_MODE_ECONOMY, TENON_SVD_MODE_VALUES}) {
        check(dtype, 1, m, n, mode, numbers(dtype, m * n));
        if (HasFatalFailure()) return;
      }
}

TEST_F(Svd, BatchesReproduceTheirMatrices) {
  for (uint32_t dtype : kTypes) {
    check(dtype, 50, 32, 32, TENON_SVD_MODE_ECONOMY, numbers(dtype, 50 * 32 * 32));
    check(dtype, 20, 9, 17, TENON_SVD_MODE_FULL, numbers(dtype, 20 * 9 * 17));
    check(dtype, 20, 17, 9, TENON_SVD_MODE_ECONOMY, numbers(dtype, 20 * 17 * 9));
    check(dtype, 3, 50, 45, TENON_SVD_MODE_ECONOMY, numbers(dtype, 3 * 50 * 45));
    if (HasFatalFailure()) return;
  }
}

TEST_F(Svd, LargerMatricesAreAsAccurateAsQr) {
  check(TENON_FLOAT32, 1, 400, 400, TENON_SVD_MODE_ECONOMY, numbers(TENON_FLOAT32, 400 * 400));
  check(TENON_FLOAT32, 1, 900, 120, TENON_SVD_MODE_ECONOMY, numbers(TENON_FLOAT32, 900 * 120));
  check(TENON_FLOAT64, 1, 120, 700, TENON_SVD_MODE_ECONOMY, numbers(TENON_FLOAT64, 120 * 700));
  check(TENON_COMPLEX64, 1, 200, 200, TENON_SVD_MODE_FULL, numbers(TENON_COMPLEX64, 200 * 200));
}

TEST_F(Svd, MatricesWhoseVectorsAreRefinedAreAsAccurate) {
  check(TENON_FLOAT32, 1, 620, 600, TENON_SVD_MODE_ECONOMY, numbers(TENON_FLOAT32, 620 * 600));
  check(TENON_COMPLEX64, 1, 530, 530, TENON_SVD_MODE_ECONOMY, numbers(TENON_COMPLEX64, 530 * 530));
  std::vector<C> low(size_t(560 * 560), 0);  // many singular values at zero
  for (int term = 0; term < 5; ++term) {
    const auto x = numbers(TENON_FLOAT32, 560), y = numbers(TENON_FLOAT32, 560);
    for (int64_t i = 0; i < 560; ++i)
      for (int64_t j = 0; j < 560; ++j) low[size_t(i * 560 + j)] += x[size_t(i)] * y[size_t(j)];
  }
  check(TENON_FLOAT32, 1, 560, 560, TENON_SVD_MODE_ECONOMY, low);
}

TEST_F(Svd, OneValueFarAboveTheOthersDoesNotSpoilTheirVectors) {
  auto data = numbers(TENON_FLOAT32, 800 * 800);
  for (auto& x : data) x = float(std::abs(x));  // the mean makes one singular value as large as all others together
  check(TENON_FLOAT32, 1, 800, 800, TENON_SVD_MODE_ECONOMY, data);
}

TEST_F(Svd, HighMatricesOfAnyConditionAreReproduced) {
  for (const double smallest : {1.0, 1e-4, 1e-9, 0.0})
    for (uint32_t dtype : {TENON_FLOAT32, TENON_COMPLEX64}) {
      auto data = numbers(dtype, 1500 * 80);
      for (int64_t i = 0; i < 1500; ++i)
        for (int64_t j = 40; j < 80; ++j) data[size_t(i * 80 + j)] *= smallest;
      check(dtype, 1, 1500, 80, TENON_SVD_MODE_ECONOMY, data);
      if (HasFatalFailure()) return;
    }
}

TEST_F(Svd, SmallMatricesOfEveryShapeAreReproduced) {
  for (uint32_t dtype : kTypes)
    for (int round = 0; round < 12; ++round) {
      const int64_t batch = pick(1, 5), m = pick(1, 64), n = pick(1, 64);
      check(dtype, batch, m, n, int32_t(pick(0, 2)), numbers(dtype, batch * m * n));
      if (HasFatalFailure()) return;
    }
}

TEST_F(Svd, SingularAndGradedMatricesAreReproduced) {
  for (uint32_t dtype : {TENON_FLOAT32, TENON_FLOAT64, TENON_COMPLEX128})
    for (int64_t n : {16, 100}) {
      std::vector<C> zero(size_t(n * n), 0), one(size_t(n * n), 0), low(size_t(n * n), 0), graded(size_t(n * n), 0);
      const auto x = numbers(dtype, n), y = numbers(dtype, n), z = numbers(dtype, n), w = numbers(dtype, n),
                 noise = numbers(dtype, n * n);
      for (int64_t i = 0; i < n; ++i) {
        one[size_t(i * n + i)] = 1;
        for (int64_t j = 0; j < n; ++j) {
          low[size_t(i * n + j)] = x[size_t(i)] * y[size_t(j)] + z[size_t(i)] * w[size_t(j)];
          graded[size_t(i * n + j)] = noise[size_t(i * n + j)] * std::pow(10.0, -12.0 * double(j) / double(n));
        }
      }
      check(dtype, 1, n, n, TENON_SVD_MODE_ECONOMY, zero);
      check(dtype, 1, n, n, TENON_SVD_MODE_ECONOMY, one);
      check(dtype, 1, n, n, TENON_SVD_MODE_ECONOMY, low);
      check(dtype, 1, n, n, TENON_SVD_MODE_ECONOMY, graded);
      if (HasFatalFailure()) return;
    }
}

TEST_F(Svd, ValuesAreThoseThatWerePutIn) {
  // Two reflections around a diagonal: the singular values are known.
  const int64_t n = 200;
  std::vector<double> u(size_t(n), 0), v(size_t(n), 0);
  std::normal_distribution<double> normal;
  double uu = 0, vv = 0;
  for (int64_t i = 0; i < n; ++i) {
    u[size_t(i)] = normal(random_);
    v[size_t(i)] = normal(random_);
    uu += u[size_t(i)] * u[size_t(i)];
    vv += v[size_t(i)] * v[size_t(i)];
  }
  std::vector<C> a(static_cast<size_t>(n * n));
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < n; ++j) {
      double sum = 0;
      for (int64_t l = 0; l < n; ++l)
        sum += ((i == l) - 2 * u[size_t(i)] * u[size_t(l)] / uu) * double(n - l) *
               ((l == j) - 2 * v[size_t(l)] * v[size_t(j)] / vv);
      a[size_t(i * n + j)] = sum;
    }
  for (uint32_t dtype : {TENON_FLOAT32, TENON_FLOAT64}) {
    Result r;
    OK(svd(on_device(dtype, {n, n}, a), TENON_SVD_MODE_ECONOMY, r));
    const auto s = values<double>(converted(r.s, TENON_FLOAT64).get());
    for (int64_t i = 0; i < n; ++i)
      EXPECT_NEAR(s[size_t(i)], double(n - i), 10 * epsilon_of(dtype) * double(n))
          << tenon_dtype_name(dtype) << " " << i;
  }
}

TEST_F(Svd, NaNAndInfinityAreRefusedAndNamed) {
  for (int64_t n : {8, 60}) {
    auto data = numbers(TENON_FLOAT32, 3 * n * n);
    data[size_t(n * n + 5)] = n == 8 ? NAN : INFINITY;
    Result r;
    FAILS(TENON_ERROR_NOT_FINITE, "1", svd(on_device(TENON_FLOAT32, {3, n, n}, data), TENON_SVD_MODE_ECONOMY, r));
    EXPECT_EQ(r.s, nullptr);
  }
}

}  // namespace
