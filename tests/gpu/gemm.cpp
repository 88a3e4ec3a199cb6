// Matrix products on the GPU against the host's in double.
#include <cmath>
#include <thread>

#include "gpu.hpp"

using namespace gpu;
using C = std::complex<double>;

namespace {

struct Case {
  uint32_t dtype;
  const char* name;
  double epsilon;  // for the accumulation and the rounding of the stored result together
};
const Case kCases[] = {{TENON_FLOAT16, "float16", 1e-3},     {TENON_BFLOAT16, "bfloat16", 8e-3},
                       {TENON_FLOAT32, "float32", 1e-6},     {TENON_FLOAT64, "float64", 1e-15},
                       {TENON_COMPLEX64, "complex64", 2e-6}, {TENON_COMPLEX128, "complex128", 2e-15}};

bool is_complex(uint32_t dtype) { return dtype == TENON_COMPLEX64 || dtype == TENON_COMPLEX128; }

class Gemm : public Gpu {
 protected:
  double number() { return double(pick(-1000000, 1000000)) / 1000000; }
  // Random numbers of the dtype (rounded on the device).
  ArrayPtr random(uint32_t dtype, const std::vector<int64_t>& shape) {
    std::vector<C> data(size_t(product(shape)));
    for (C& x : data) x = {number(), is_complex(dtype) ? number() : 0};
    return converted(upload(device_.get(), TENON_COMPLEX128, shape, data.data(), data.size() * sizeof(C)), dtype);
  }
  // The matrix stored with its last two axes exchanged, as a view with `shape`.
  ArrayPtr random_turned(uint32_t dtype, std::vector<int64_t> shape) {
    const size_t r = shape.size();
    std::swap(shape[r - 1], shape[r - 2]);
    std::vector<int32_t> axes(r);
    for (size_t i = 0; i < r; ++i) axes[i] = int32_t(i);
    std::swap(axes[r - 1], axes[r - 2]);
    return transposed(random(dtype, shape), axes);
  }
  void check(const Case& t, int64_t batch_a, int64_t batch_b, int64_t m, int64_t n, int64_t k, bool turn_a, bool turn_b,
             bool turn_c, C alpha, C beta, int32_t compute, double epsilon) {
    if (!is_complex(t.dtype)) {
      alpha = alpha.real();
      beta = beta.real();
    }
    const int64_t batch = std::max(batch_a, batch_b);
    auto shape = [](int64_t b, int64_t x, int64_t y) { return std::vector<int64_t>{b, x, y}; };
    ArrayPtr a = turn_a ? random_turned(t.dtype, shape(batch_a, m, k)) : random(t.dtype, shape(batch_a, m, k));
    ArrayPtr b = turn_b ? random_turned(t.dtype, shape(batch_b, k, n)) : random(t.dtype, shape(batch_b, k, n));
    ArrayPtr c = turn_c ? random_turned(t.dtype, shape(batch, m, n)) : random(t.dtype, shape(batch, m, n));
    const auto x = complex_values(a), y = complex_values(b), before = complex_values(c);
    const double al[2] = {alpha.real(), alpha.imag()}, be[2] = {beta.real(), beta.imag()};
    tenon_gemm_options options{};
    options.struct_size = sizeof(options);
    options.compute = compute;
    OK(tenon_gemm(scalar(al), a.get(), b.get(), scalar(be), &options, nullptr, into(c.get())));
    const auto got = complex_values(c);
    for (int64_t g = 0; g < batch; ++g)
      for (int64_t i = 0; i < m; ++i)
        for (int64_t j = 0; j < n; ++j) {
          C sum = 0;
          double size = 0;
          for (int64_t l = 0; l < k; ++l) {
            const C p = x[size_t(((batch_a == 1 ? 0 : g) * m + i) * k + l)],
                    q = y[size_t(((batch_b == 1 ? 0 : g) * k + l) * n + j)];
            sum += p * q;
            size += std::abs(p) * std::abs(q);
          }
          const size_t at = size_t((g * m + i) * n + j);
          const C expected = alpha * sum + (beta == C(0) ? C(0) : beta * before[at]);
          const double bound = epsilon * (std::abs(alpha) * size * (1 + std::sqrt(double(k)) / 8) +
                                          std::abs(beta) * std::abs(before[at]) + 1e-6);
          ASSERT_LE(std::abs(got[at] - expected), bound)
              << t.name << " " << batch << " x " << m << " x " << n << " x " << k << (turn_a ? " aT" : "")
              << (turn_b ? " bT" : "") << (turn_c ? " cT" : "") << " at " << g << ", " << i << ", " << j << ": "
              << got[at] << " and not " << expected;
        }
  }
};

TEST_F(Gemm, AgreesWithTheHostForEveryTypeAndLayout) {
  for (const Case& t : kCases)
    for (int layout = 0; layout < 8; ++layout)
      check(t, 1, 1, pick(1, 70), pick(1, 70), pick(1, 90), layout & 1, layout & 2, layout & 4, {1.25, 0.5},
            {layout % 3 ? 0.75 : 0, 0}, TENON_COMPUTE_STRICT, t.epsilon);
}

TEST_F(Gemm, BatchesAndBroadcastsAgreeWithTheHost) {
  for (const Case& t : kCases) {
    check(t, 5, 5, 17, 16, 15, false, true, false, 1, 0, TENON_COMPUTE_STRICT, t.epsilon);
    check(t, 1, 6, 16, 16, 16, false, false, false, 1, 0, TENON_COMPUTE_STRICT, t.epsilon);
    check(t, 7, 1, 9, 33, 12, true, false, true, {0.5, 1}, {2, -1}, TENON_COMPUTE_STRICT, t.epsilon);
  }
}

TEST_F(Gemm, ManySmallProductsAgreeWithTheHost) {
  for (int round = 0; round < 24; ++round)
    check(kCases[size_t(pick(2, 3))], 100, pick(0, 3) ? 100 : 1, pick(1, 33), pick(1, 33), pick(1, 33), pick(0, 1),
          pick(0, 1), pick(0, 1), {number(), 0}, {pick(0, 1) ? number() : 0, 0}, TENON_COMPUTE_STRICT, 1e-6);
  check(kCases[2], 70, 70, 16, 16, 16, false, false, false, 1, 0, TENON_COMPUTE_STRICT, 1e-6);
  check(kCases[3], 70, 70, 32, 32, 32, true, false, false, 1, 1, TENON_COMPUTE_STRICT, 1e-15);
}

TEST_F(Gemm, RandomSizesAgreeWithTheHost) {
  for (int round = 0; round < 60; ++round) {
    const Case& t = kCases[size_t(pick(0, 5))];
    check(t, 1, 1, pick(1, 200), pick(1, 60), pick(1, 300), pick(0, 1), pick(0, 1), pick(0, 1), {number(), number()},
          {pick(0, 1) ? number() : 0, 0}, TENON_COMPUTE_STRICT, t.epsilon);
    if (HasFatalFailure()) return;
  }
}

TEST_F(Gemm, StrictFloat32HasFloat32Accuracy) {
  // TF32 would be off by about 1e-3 of each product.
  check(kCases[2], 1, 1, 512, 32, 512, false, false, false, 1, 0, TENON_COMPUTE_STRICT, 1e-6);
}

TEST_F(Gemm, Tf32HasItsOwnAccuracy) {
  check(kCases[2], 1, 1, 256, 64, 256, false, false, false, 1, 0, TENON_COMPUTE_TF32, 2e-3);
}

TEST_F(Gemm, Bfloat16HasItsOwnAccuracy) {
  check(kCases[2], 1, 1, 256, 64, 256, false, false, false, 1, 0, TENON_COMPUTE_BF16, 1.6e-2);
}

// The largest error of some rows, relative to the sum of the terms' magnitudes.
class FastGemm : public Gemm {
 protected:
  double error(const std::vector<float>& a, bool turn_a, const std::vector<float>& b, bool turn_b,
               const std::vector<float>& c, int64_t m, int64_t n, int64_t k, double alpha, double beta,
               const std::vector<float>& before) {
    double worst = 0;
    std::vector<double> sum, size;
    for (int64_t i = 0; i < m; i += m / 11) {
      sum.assign(size_t(n), 0), size.assign(size_t(n), 0);
      for (int64_t l = 0; l < k; ++l) {
        const double x = a[size_t(turn_a ? l * m + i : i * k + l)];
        for (int64_t j = 0; j < n; ++j) {
          const double y = b[size_t(turn_b ? j * k + l : l * n + j)];
          sum[size_t(j)] += x * y, size[size_t(j)] += std::abs(x * y);
        }
      }
      for (int64_t j = 0; j < n; ++j) {
        const size_t at = size_t(i * n + j);
        worst = std::max(worst, std::abs(c[at] - alpha * sum[size_t(j)] - beta * before[at]) /
                                    (alpha * size[size_t(j)] + std::abs(beta * before[at])));
      }
    }
    return worst;
  }
  ArrayPtr matrix(int64_t rows, int64_t columns, double low, double high, std::vector<float>& data) {
    data.resize(size_t(rows * columns));
    for (float& x : data) x = float(low + (high - low) * (number() + 1) / 2);
    return upload(device_.get(), TENON_FLOAT32, {rows, columns}, data.data(), data.size() * 4);
  }
};

TEST_F(FastGemm, IsAccurateInEveryLayoutAndNoLessThanCublasOnSquares) {
  struct Form {
    int64_t m, n, k;
    bool turn_a, turn_b;
    double alpha, beta;
  };
  const Form forms[] = {{2048, 2048, 2048, false, false, 1, 0},
                        {4096, 4096, 4096, false, false, 1, 0},
                        {2052, 2056, 2051, false, true, 0.75, -0.5},
                        {2052, 2047, 4100, true, false, 1, 0},
                        {2052, 2056, 4100, true, true, 1, 1}};
  for (const Form& f : forms)
    for (const bool positive : {false, true}) {
      std::vector<float> x, y, z;
      const double low = positive ? 0 : -1;
      ArrayPtr a = f.turn_a ? transposed(matrix(f.k, f.m, low, 1, x), {1, 0}) : matrix(f.m, f.k, low, 1, x);
      ArrayPtr b = f.turn_b ? transposed(matrix(f.n, f.k, low, 1, y), {1, 0}) : matrix(f.k, f.n, low, 1, y);
      double errors[2];
      for (const int32_t compute : {TENON_COMPUTE_STRICT, TENON_COMPUTE_FAST}) {
        ArrayPtr c = matrix(f.m, f.n, low, 1, z);
        tenon_gemm_options options{};
        options.struct_size = sizeof(options);
        options.compute = compute;
        const double alpha[2] = {f.alpha, 0}, beta[2] = {f.beta, 0};
        OK(tenon_gemm(scalar(alpha), a.get(), b.get(), scalar(beta), &options, nullptr, into(c.get())));
        errors[compute == TENON_COMPUTE_FAST] =
            error(x, f.turn_a, y, f.turn_b, values<float>(c.get()), f.m, f.n, f.k, f.alpha, f.beta, z);
      }
      std::printf("%lld x %lld x %lld, %s: strict %.2e, fast %.2e\n", static_cast<long long>(f.m),
                  static_cast<long long>(f.n), static_cast<long long>(f.k), positive ? "positive" : "of both signs",
                  errors[0], errors[1]);
      EXPECT_LE(errors[1], positive ? 4e-6 : 2e-7) << f.m << ", " << f.k;
      if (f.m == f.k) {
        EXPECT_LE(errors[1], errors[0]) << f.m;
      }
    }
}

TEST_F(FastGemm, KeepsWhatIsNotFiniteInItsPlaces) {
  const int64_t n = 2048;
  std::vector<float> x, y;
  matrix(n, n, 0.5, 1, x), matrix(n, n, 0.5, 1, y);
  x[5 * n + 7] = INFINITY, x[6 * n + 8] = NAN, x[9 * n + 1] = 3.4028234e38f;
  y[1 * n + 3] = 1e-30f;
  ArrayPtr a = upload(device_.get(), TENON_FLOAT32, {n, n}, x.data(), x.size() * 4),
           b = upload(device_.get(), TENON_FLOAT32, {n, n}, y.data(), y.size() * 4);
  ArrayPtr c = zeros(device_.get(), TENON_FLOAT32, {n, n});
  tenon_gemm_options options{};
  options.struct_size = sizeof(options);
  options.compute = TENON_COMPUTE_FAST;
  OK(tenon_gemm(nullptr, a.get(), b.get(), nullptr, &options, nullptr, into(c.get())));
  const auto got = values<float>(c.get());
  for (int64_t j = 0; j < n; ++j) {
    EXPECT_EQ(INFINITY, got[size_t(5 * n + j)]) << j;
    EXPECT_TRUE(std::isnan(got[size_t(6 * n + j)])) << j;
    EXPECT_TRUE(std::isfinite(got[size_t(4 * n + j)])) << j;
  }
  double want = 0;
  for (int64_t l = 0; l < n; ++l) want += double(x[size_t(9 * n + l)]) * y[size_t(l * n + 3)];
  EXPECT_NEAR(got[size_t(9 * n + 3)], want, 1e-5 * want);
}

TEST_F(Gemm, BetaZeroOverwritesNaN) {
  ArrayPtr a = random(TENON_FLOAT32, {20, 30}), b = random(TENON_FLOAT32, {30, 10}),
           c = zeros(device_.get(), TENON_FLOAT32, {20, 10});
  OK(tenon_array_fill(c.get(), test::number(NAN), nullptr));
  OK(tenon_gemm(nullptr, a.get(), b.get(), nullptr, nullptr, nullptr, into(c.get())));
  for (float x : values<float>(c.get())) ASSERT_TRUE(std::isfinite(x));
}

TEST_F(Gemm, ThreadsOnStreamsOfTheirOwnAgree) {
  const int64_t n = 300;
  ArrayPtr a = random(TENON_FLOAT32, {n, n}), b = random(TENON_FLOAT32, {n, n}),
           expected = zeros(device_.get(), TENON_FLOAT32, {n, n});
  OK(tenon_gemm(nullptr, a.get(), b.get(), nullptr, nullptr, nullptr, into(expected.get())));
  const auto right = values<float>(expected.get());
  std::vector<std::thread> threads;
  std::vector<int> wrong(6, 0);
  for (size_t i = 0; i < wrong.size(); ++i)
    threads.emplace_back([&, i] {
      tenon_stream* raw = nullptr;
      if (tenon_stream_create(device_.get(), 0, &raw) != TENON_OK) {
        wrong[i] = 1;
        return;
      }
      StreamPtr stream(raw);
      for (int round = 0; round < 30 && !wrong[i]; ++round) {
        tenon_array* out = nullptr;
        const int64_t shape[2] = {n, n};
        std::vector<float> got(size_t(n * n));
        if (tenon_array_create(device_.get(), TENON_FLOAT32, 2, shape, stream.get(), &out) != TENON_OK) {
          wrong[i] = 1;
          return;
        }
        ArrayPtr c(out);
        if (tenon_gemm(nullptr, a.get(), b.get(), nullptr, nullptr, stream.get(), into(c.get())) != TENON_OK ||
            tenon_array_to_host(c.get(), got.data(), got.size() * 4, stream.get()) != TENON_OK || got != right)
          wrong[i] = 1;
      }
    });
  for (std::thread& t : threads) t.join();
  for (int w : wrong) EXPECT_EQ(w, 0);
}

}  // namespace
