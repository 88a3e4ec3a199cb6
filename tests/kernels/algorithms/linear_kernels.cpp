// tests/kernels/algorithms/linear_kernels.cpp: vectors, matrices, and the layers of neural networks.
#include "../kernels.hpp"

namespace {

using namespace test;

TEST_P(Kernels, MatrixVectorProductBySixteenBytes) {
  KERNEL("gemv_float4", {"gemv"});
  const int rows = 37, columns = 260;
  std::vector<float> a(rows * columns), x(columns), want(rows);
  for (int i = 0; i < rows * columns; ++i) a[i] = float(i % 11) - 5;
  for (int k = 0; k < columns; ++k) x[k] = float(k % 7) - 3;
  for (int r = 0; r < rows; ++r)
    for (int k = 0; k < columns; ++k) want[r] += a[r * columns + k] * x[k];
  ArrayPtr da = runner->put(a), dx = runner->put(x), dy = runner->put(std::vector<float>(rows));
  runner->run("gemv", Grid{{10, 1, 1}, {32, 4, 1}}, da, dx, dy, rows, columns);
  EXPECT_EQ(runner->get<float>(dy), want);
}

TEST_P(Kernels, JacobiSweepsMeetInTheGrid) {
  KERNEL("jacobi_grid", {"jacobi"});
  const int n = 20, sweeps = 6;
  std::vector<double> a(n * n);
  for (int i = 0; i < n; ++i) a[i] = 64, a[i * n] = i;
  ArrayPtr da = runner->put(a), db = runner->put(a);
  Grid g{{4, 1, 1}, {64, 1, 1}};
  g.flags = TENON_LAUNCH_COOPERATIVE;
  runner->run("jacobi", g, da, db, n, sweeps);
  for (int s = 0; s < sweeps; ++s) {
    std::vector<double> next = a;
    for (int r = 1; r < n - 1; ++r)
      for (int c = 1; c < n - 1; ++c)
        next[r * n + c] = 0.25 * ((a[(r - 1) * n + c] + a[(r + 1) * n + c]) + (a[r * n + c - 1] + a[r * n + c + 1]));
    a = next;
  }
  EXPECT_EQ(runner->get<double>(da), a);
}

template <class T, int N> void check_inverse(Runner& runner, const char* kernel, double tolerance) {
  const int count = 70;
  std::mt19937 engine(4);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<T> a(count * N * N);
  for (T& v : a) v = T(uniform(engine));
  for (int m = 0; m < count; ++m)
    for (int k = 0; k < N; ++k) a[(m * N + k) * N + k] += T(N);
  std::fill(a.end() - N * N, a.end(), T(0));  // the last is singular
  ArrayPtr da = runner.put(a), out = runner.put(std::vector<T>(a.size())), singular = runner.put(std::vector<int>(1));
  runner.run(kernel, line(count, 32), da, out, singular, count);
  EXPECT_EQ(runner.get<int>(singular)[0], 1);
  const auto inverse = runner.get<T>(out);
  for (int m = 0; m + 1 < count; ++m)
    for (int r = 0; r < N; ++r)
      for (int c = 0; c < N; ++c) {
        double sum = 0;
        for (int k = 0; k < N; ++k) sum += double(a[(m * N + r) * N + k]) * inverse[(m * N + k) * N + c];
        ASSERT_NEAR(sum, r == c, tolerance) << m;
      }
}
TEST_P(Kernels, SmallMatricesAreInvertedByThreads) {
  KERNEL("small_inverse", {"invert<float, 3>", "invert<double, 4>"});
  check_inverse<float, 3>(*runner, "invert<float, 3>", 1e-6);
  check_inverse<double, 4>(*runner, "invert<double, 4>", 1e-15);
}

TEST_P(Kernels, TilesAreFactored) {
  KERNEL("lu_tiles", {"lu"});
  const int n = 24, count = 3;
  std::vector<double> a(count * n * n);
  for (size_t i = 0; i < a.size(); ++i) a[i] = double(i * 7919 % 23) - 11 + (i % (n * n) % (n + 1) == 0 ? 200 : 0);
  ArrayPtr da = runner->put(a);
  runner->run("lu", Grid{{count, 1, 1}, {n, n, 1}}, da);
  const auto lu = runner->get<double>(da);
  for (int t = 0; t < count; ++t)
    for (int r = 0; r < n; ++r)
      for (int c = 0; c < n; ++c) {
        double sum = 0;
        for (int k = 0; k <= std::min(r, c); ++k)
          sum += (k == r ? 1 : lu[(t * n + r) * n + k]) * lu[(t * n + k) * n + c];
        ASSERT_NEAR(sum, a[(t * n + r) * n + c], 2e-13) << r << " " << c;
      }
}

TEST_P(Kernels, SoftmaxOfRowsSumsToOne) {
  KERNEL("softmax_rows", {"softmax"});
  const int rows = 9, columns = 333;
  auto x = random_floats(rows * columns, -20, 20);
  ArrayPtr dx = runner->put(x), dy = runner->put(std::vector<float>(x.size()));
  runner->run("softmax", Grid{{rows, 1, 1}, {128, 1, 1}}, dx, dy, columns);
  const auto got = runner->get<float>(dy);
  for (int r = 0; r < rows; ++r) {
    double largest = -1e9, sum = 0;
    for (int c = 0; c < columns; ++c) largest = std::max(largest, double(x[r * columns + c]));
    for (int c = 0; c < columns; ++c) sum += std::exp(x[r * columns + c] - largest);
    for (int c = 0; c < columns; ++c) {
      const double want = std::exp(x[r * columns + c] - largest) / sum;
      ASSERT_NEAR(got[r * columns + c], want, 6e-6 * want) << r << " " << c;  // __expf on the GPU
    }
  }
}

TEST_P(Kernels, LayersAreNormed) {
  KERNEL("layer_norm", {"layer_norm"});
  const int rows = 11, columns = 100;
  auto x = random_floats(rows * columns, 90, 110), gamma = random_floats(columns, 0.5, 2, 2),
       beta = random_floats(columns, -1, 1, 3);
  ArrayPtr dx = runner->put(x), dg = runner->put(gamma), db = runner->put(beta),
           dy = runner->put(std::vector<float>(x.size()));
  runner->run("layer_norm", Grid{{3, 1, 1}, {128, 1, 1}}, dx, dg, db, dy, rows, columns, 1e-5f);
  const auto got = runner->get<float>(dy);
  for (int r = 0; r < rows; ++r) {
    double mean = 0, variance = 0;
    for (int c = 0; c < columns; ++c) mean += x[r * columns + c] / double(columns);
    for (int c = 0; c < columns; ++c) variance += std::pow(x[r * columns + c] - mean, 2) / columns;
    for (int c = 0; c < columns; ++c)
      ASSERT_NEAR(got[r * columns + c],
                  (x[r * columns + c] - mean) / std::sqrt(variance + double(1e-5f)) * gamma[c] + beta[c], 2e-5)
          << r << " " << c;
  }
}

TEST_P(Kernels, GradientsOfGelu) {
  KERNEL("gelu_backward", {"gelu_backward"});
  const int n = 3000;
  auto x = random_floats(n, -6, 6), g = random_floats(n, -2, 2, 2);
  ArrayPtr dx = runner->put(x), dg = runner->put(g), exact = runner->put(std::vector<float>(n)),
           rough = runner->put(std::vector<float>(n));
  runner->run("gelu_backward", Grid{{5, 1, 1}, {128, 1, 1}}, dg, dx, exact, rough, n);
  const auto e = runner->get<float>(exact), a = runner->get<float>(rough);
  for (int i = 0; i < n; ++i) {
    const double v = x[i], k = std::sqrt(2 / 3.14159265358979323846), t = std::tanh(k * (v + 0.044715 * v * v * v));
    const double want = g[i] * (0.5 * std::erfc(-v / std::sqrt(2.0)) +
                                v * std::exp(-0.5 * v * v) / std::sqrt(2 * 3.14159265358979323846));
    ASSERT_NEAR(e[i], want, 1e-6) << v;
    ASSERT_NEAR(a[i], g[i] * (0.5 * (1 + t) + 0.5 * v * (1 - t * t) * k * (1 + 3 * 0.044715 * v * v)), 4e-6) << v;
  }
}

TEST_P(Kernels, BrainFloatProductIsRoundedOnce) {
  KERNEL("bf16_matmul", {"matmul"});
  const int m = 33, n = 20, k = 45;
  auto bits = [](float v) {
    uint32_t b;
    std::memcpy(&b, &v, 4);
    return uint16_t(b >> 16);
  };
  std::vector<uint16_t> a(m * k), b(k * n), want(m * n);
  std::vector<float> sum(m * n);
  for (int i = 0; i < m * k; ++i) a[i] = bits(float(i % 9) - 4);
  for (int i = 0; i < k * n; ++i) b[i] = bits((float(i % 5) - 2) * 0.5f);
  auto value = [](uint16_t v) {
    const uint32_t w = uint32_t(v) << 16;
    float f;
    std::memcpy(&f, &w, 4);
    return f;
  };
  for (int r = 0; r < m; ++r)
    for (int c = 0; c < n; ++c) {
      for (int i = 0; i < k; ++i) sum[r * n + c] += value(a[r * k + i]) * value(b[i * n + c]);
      uint32_t w;
      std::memcpy(&w, &sum[r * n + c], 4);
      want[r * n + c] = uint16_t((w + 0x7fff + (w >> 16 & 1)) >> 16);
    }
  ArrayPtr da = runner->put(a, TENON_BFLOAT16), db = runner->put(b, TENON_BFLOAT16),
           dc = runner->put(std::vector<uint16_t>(m * n), TENON_BFLOAT16);
  runner->run("matmul", Grid{{2, 3, 1}, {16, 16, 1}}, da, db, dc, m, n, k);
  EXPECT_EQ(runner->get<uint16_t>(dc), want);
}

TEST_P(Kernels, PointsFindTheirCentres) {
  KERNEL("kmeans_assign", {"assign<3>"});
  const int n = 1500, k = 7;
  auto whole = random_ints(3 * n, -20, 20);
  std::vector<float> points(whole.begin(), whole.end()), centres(k * 3), sums(k * 3);
  for (int c = 0; c < k * 3; ++c) centres[c] = float(c * 13 % 31 - 15);
  std::vector<int> want(n);
  std::vector<uint32_t> counts(k);
  for (int i = 0; i < n; ++i) {
    float best = INFINITY;
    for (int c = 0; c < k; ++c) {
      float distance = 0;
      for (int d = 0; d < 3; ++d)
        distance += (points[d * n + i] - centres[c * 3 + d]) * (points[d * n + i] - centres[c * 3 + d]);
      if (distance < best) best = distance, want[i] = c;
    }
    ++counts[want[i]];
    for (int d = 0; d < 3; ++d) sums[want[i] * 3 + d] += points[d * n + i];
  }
  ArrayPtr dp = runner->put(points), dc = runner->put(centres), dn = runner->put(std::vector<int>(n)),
           ds = runner->put(std::vector<float>(k * 3)), dk = runner->put(std::vector<uint32_t>(k));
  runner->run("assign<3>", line(n, 256, k * 16), dp, dc, dn, ds, dk, n, k);
  EXPECT_EQ(runner->get<int>(dn), want);
  EXPECT_EQ(runner->get<float>(ds), sums);
  EXPECT_EQ(runner->get<uint32_t>(dk), counts);
}

template <class T> void check_prices(Runner& runner, const char* kernel, double tolerance) {
  const int n = 500;
  auto s = random_floats(n, 5, 30), k = random_floats(n, 1, 100, 2), t = random_floats(n, 0.25, 10, 3);
  ArrayPtr ds = runner.put(std::vector<T>(s.begin(), s.end())), dk = runner.put(std::vector<T>(k.begin(), k.end())),
           dt = runner.put(std::vector<T>(t.begin(), t.end()));
  ArrayPtr calls = runner.put(std::vector<T>(n)), puts = runner.put(std::vector<T>(n));
  const T rate = T(0.02), volatility = T(0.3);
  runner.run(kernel, line(n, 128), ds, dk, dt, rate, volatility, calls, puts, n);
  const auto call = runner.get<T>(calls), put = runner.get<T>(puts);
  auto cumulative = [](double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); };
  for (int i = 0; i < n; ++i) {
    const double root = std::sqrt(double(t[i])) * volatility,
                 d1 = (std::log(double(s[i]) / k[i]) + (rate + 0.5 * volatility * volatility) * t[i]) / root,
                 d2 = d1 - root;
    const double discount = k[i] * std::exp(-double(rate) * t[i]);
    ASSERT_NEAR(call[i], s[i] * cumulative(d1) - discount * cumulative(d2), tolerance) << i;
    ASSERT_NEAR(put[i], discount * cumulative(-d2) - s[i] * cumulative(-d1), tolerance) << i;
  }
}
TEST_P(Kernels, OptionsHaveTheirPrice) {
  KERNEL("black_scholes", {"price<float>", "price<double>"});
  check_prices<float>(*runner, "price<float>", 4e-5);
  check_prices<double>(*runner, "price<double>", 1e-13);
}

TEST_P(Kernels, LorenzMovesAsOnTheHost) {
  KERNEL("lorenz_rk4", {"integrate"});
  const int n = 40, steps = 50;
  struct {
    double sigma, rho, beta;
  } system = {10, 28, 8.0 / 3};
  std::vector<double> p(3 * n);
  for (int i = 0; i < 3 * n; ++i) p[i] = 1 + i * 0.01;
  ArrayPtr dp = runner->put(p);
  runner->run("integrate", line(n, 32), Runner::address(dp), Bytes{&system, sizeof system}, 0.01, steps, n);
  const auto got = runner->get<double>(dp);
  auto slope = [&](const double* q, double* out) {
    out[0] = system.sigma * (q[1] - q[0]), out[1] = q[0] * (system.rho - q[2]) - q[1],
    out[2] = q[0] * q[1] - system.beta * q[2];
  };
  for (int i = 0; i < n; ++i) {
    double* q = &p[3 * i];
    for (int s = 0; s < steps; ++s) {
      double k[4][3], at[3];
      slope(q, k[0]);
      for (int part = 1; part < 4; ++part) {
        for (int c = 0; c < 3; ++c) at[c] = q[c] + (part == 3 ? 0.01 : 0.005) * k[part - 1][c];
        slope(at, k[part]);
      }
      for (int c = 0; c < 3; ++c) q[c] += 0.01 / 6 * (k[0][c] + 2 * k[1][c] + 2 * k[2][c] + k[3][c]);
    }
    for (int c = 0; c < 3; ++c) ASSERT_NEAR(got[3 * i + c], q[c], 1e-10) << i;
  }
}

TEST_P(Kernels, HeatSpreadsInThreeDimensions) {
  KERNEL("heat_3d", {"step"});
  struct {
    int x, y, z;
  } size = {19, 13, 10};
  const int n = size.x * size.y * size.z;
  std::vector<float> a(n);
  for (int i = 0; i < n; ++i) a[i] = float(i * 37 % 64);
  ArrayPtr in = runner->put(a), out = runner->put(std::vector<float>(n));
  runner->run("step", Grid{{3, 4, 3}, {8, 4, 1}}, in, out, Bytes{&size, sizeof size}, 0.125f);
  const auto got = runner->get<float>(out);
  for (int z = 0; z < size.z; ++z)
    for (int y = 0; y < size.y; ++y)
      for (int x = 0; x < size.x; ++x) {
        auto at = [&](int i, int j, int k) {
          return a[(std::clamp(k, 0, size.z - 1) * size.y + std::clamp(j, 0, size.y - 1)) * size.x +
                   std::clamp(i, 0, size.x - 1)];
        };
        const float centre = at(x, y, z);  // all operations are exact
        const float want = centre + 0.125f * (at(x - 1, y, z) + at(x + 1, y, z) + at(x, y - 1, z) + at(x, y + 1, z) +
                                              at(x, y, z - 1) + at(x, y, z + 1) - 6 * centre);
        ASSERT_EQ(got[(z * size.y + y) * size.x + x], want) << x << " " << y << " " << z;
      }
}

}  // namespace
