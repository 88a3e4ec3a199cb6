// tests/kernels/texts/data_texts.cpp: short texts of stencils, atomics and vector types.
#include <array>
#include "../kernels.hpp"

namespace {

using namespace test;

// x at row r and column c, or `outside`.
template <class T> T inside(const std::vector<T>& x, int r, int c, int height, int width, T outside = T(0)) {
  return r < 0 || c < 0 || r >= height || c >= width ? outside : x[size_t(r * width + c)];
}

TEST_P(Kernels, FivePointsComeFromATile) {
  TEXT("stencils", "laplace_tile");
  const int w = 37, h = 21;
  const auto x = random_ints(size_t(w * h), -99, 99);
  expect_each(runner->call<int>("laplace", Grid{{3, 3, 1}, {16, 8, 1}}, x.size(), x, w, h), [&](int i) {
    const int r = i / w, c = i % w;
    return inside(x, r - 1, c, h, w) + inside(x, r + 1, c, h, w) + inside(x, r, c - 1, h, w) +
           inside(x, r, c + 1, h, w) - 4 * x[size_t(i)];
  });
}

TEST_P(Kernels, PlanesAreKeptInRegisters) {
  TEXT("stencils", "queue_of_planes");
  const int nx = 12, ny = 9, nz = 7;
  const auto x = random_ints(nx * ny * nz, -99, 99);
  expect_each(runner->call<int>("sum7", Grid{{2, 2, 1}, {8, 8, 1}}, x.size(), x, nx, ny, nz), [&](int at) {
    const int i = at % nx, j = at / nx % ny, k = at / nx / ny;
    if (i < 1 || j < 1 || k < 1 || i >= nx - 1 || j >= ny - 1 || k >= nz - 1) return 0;
    const int* v = &x[size_t(at)];
    return v[-1] + v[1] + v[-nx] + v[nx] + v[-nx * ny] + v[nx * ny] - 6 * v[0];
  });
}

TEST_P(Kernels, GradientsOfAPicture) {
  TEXT("stencils", "sobel");
  const int w = 30, h = 17;
  std::vector<uint8_t> x(size_t(w * h));
  for (size_t i = 0; i < x.size(); ++i) x[i] = uint8_t(i * i / 7);
  expect_each(runner->call<uint8_t>("sobel", Grid{{2, 2, 1}, {16, 16, 1}}, x.size(), x, h, w), [&](int i) {
    int dx = 0, dy = 0;
    for (int a = -1; a <= 1; ++a)
      for (int b = -1; b <= 1; ++b) {
        const int v = x[size_t(std::clamp(i / w + a, 0, h - 1) * w + std::clamp(i % w + b, 0, w - 1))];
        dx += v * b * (2 - std::abs(a)), dy += v * a * (2 - std::abs(b));
      }
    return std::min(255, std::abs(dx) + std::abs(dy));
  });
}

TEST_P(Kernels, ColoursAreSweptInTurn) {
  TEXT("stencils", "red_black");
  const int n = 20;
  std::vector<double> x(n * n, 1), b(n * n, 4);
  auto got = x;
  for (int sweep = 0; sweep < 6; ++sweep) {
    got = runner->update("sweep", Grid{{3, 3, 1}, {8, 8, 1}}, got, b, n, sweep % 2);
    for (int i = 1; i < n - 1; ++i)
      for (int j = 1; j < n - 1; ++j) {
        double* at = &x[size_t(i * n + j)];
        if ((i + j) % 2 == sweep % 2) *at = 0.25 * (at[-1] + at[1] + at[-n] + at[n] + 4);
      }
  }
  EXPECT_EQ(got, x);
}

TEST_P(Kernels, BlursAreSeparable) {
  TEXT("stencils", "separable");
  const int w = 25, h = 19, thin[] = {1, 2, 1}, wide[] = {1, 6, 15, 20, 15, 6, 1};
  const auto x = random_ints(size_t(w * h), 0, 255);
  const Grid grid{{2, 3, 1}, {16, 8, 1}};
  expect_each(runner->call<int>("blur<1, true>", grid, x.size(), x, h, w), [&](int i) {
    int sum = 0;
    for (int k = -1; k <= 1; ++k) sum += thin[k + 1] * inside(x, i / w, i % w + k, h, w);
    return sum;
  });
  expect_each(runner->call<int>("blur<3, false>", grid, x.size(), x, h, w), [&](int i) {
    int sum = 0;
    for (int k = -3; k <= 3; ++k) sum += wide[k + 3] * inside(x, i / w + k, i % w, h, w);
    return sum;
  });
}

TEST_P(Kernels, WindowsAreSummedOnTheWay) {
  TEXT("stencils", "running_window");
  const auto x = random_ints(1000, -99, 99);
  expect_each(runner->call<int64_t>("windows", line(63, 32), 1000, x, 1000, 9, 16), [&](int i) {
    return std::accumulate(x.begin() + std::max(0, i - 9), x.begin() + std::min(1000, i + 10), int64_t(0));
  });
}

TEST_P(Kernels, AWaveMovesInSharedMemory) {
  TEXT("stencils", "wave_steps");
  const auto x = random_floats(64, -1, 1);
  std::vector<float> now(66), before(66), next(66);
  std::copy(x.begin(), x.end(), now.begin() + 1);
  before = now;
  for (int step = 0; step < 9; ++step) {
    for (size_t i = 1; i < 65; ++i)
      next[i] = std::fma(0.25f, now[i - 1] - 2.0f * now[i] + now[i + 1], 2.0f * now[i] - before[i]);
    before = now, now = next;
  }
  const auto got = runner->call<float>("wave", line(64, 64), 64, x, 9);
  for (size_t i = 0; i < 64; ++i) ASSERT_NEAR(got[i], now[i + 1], 2e-6) << i;
}

TEST_P(Kernels, WindowsHaveTheirMaximum) {
  TEXT("stencils", "pooling");
  const int h = 15, w = 22, size = 3, stride = 2, rows = 7, columns = 10;
  const auto x = random_floats(size_t(h * w), -1, 1);
  ArrayPtr at = runner->put(std::vector<int>(rows * columns));
  const auto got = runner->call<float>("pool", line(rows * columns, 32), rows * columns, at, x, h, w, size, stride);
  const auto where = runner->get<int>(at);
  for (int i = 0; i < rows * columns; ++i) {
    float best = -9;
    for (int k = 0; k < 9; ++k)
      best = std::max(best, x[size_t((i / columns * 2 + k / 3) * w + i % columns * 2 + k % 3)]);
    ASSERT_EQ(got[size_t(i)], best) << i;
    ASSERT_EQ(x[size_t(where[size_t(i)])], best) << i;
  }
}

TEST_P(Kernels, AtomicsAddEveryFloatingType) {
  TEXT("atomics", "floating_types");
  struct Sums {
    float f;
    double d;
    uint16_t h, b, h2[2], b2[2];
  };
  const auto y = runner->call<Sums>("add", line(128, 32), 1)[0];
  EXPECT_EQ(y.f, 64);
  EXPECT_EQ(y.d, 32);
  EXPECT_EQ(y.h, 0x5c00);      // 256
  EXPECT_EQ(y.b, 0x4300);      // 128
  EXPECT_EQ(y.h2[0], 0x5800);  // 128
  EXPECT_EQ(y.h2[1], 0xd800);
  EXPECT_EQ(y.b2[0], 0x4280);  // 64
  EXPECT_EQ(y.b2[1], 0x4380);  // 256
}

TEST_P(Kernels, AtomicsFindTheEndsOfEveryType) {
  TEXT("atomics", "ends_of_each_type");
  std::mt19937_64 engine(6);
  std::vector<int64_t> x(256);
  for (int64_t& v : x) v = int64_t(engine());
  const auto end = [&](auto type, bool greatest) {
    using T = decltype(type);
    T out = T(x[0]);
    for (int64_t v : x) out = greatest ? std::max(out, T(v)) : std::min(out, T(v));
    return out;
  };
  std::vector<int64_t> before(6, 0);
  before[0] = INT64_MAX, before[1] = INT64_MIN, before[2] = -1, before[3] = 0;
  const int32_t narrow[] = {INT32_MAX, INT32_MIN, -1, 0};
  std::memcpy(&before[4], narrow, sizeof narrow);
  const auto y = runner->update("ends", line(256, 64), before, x);
  EXPECT_EQ(y[0], end(int64_t(), false));
  EXPECT_EQ(y[1], end(int64_t(), true));
  EXPECT_EQ(uint64_t(y[2]), end(uint64_t(), false));
  EXPECT_EQ(uint64_t(y[3]), end(uint64_t(), true));
  int32_t got[4];
  std::memcpy(got, &y[4], sizeof got);
  EXPECT_EQ(got[0], end(int32_t(), false));
  EXPECT_EQ(got[1], end(int32_t(), true));
  EXPECT_EQ(uint32_t(got[2]), end(uint32_t(), false));
  EXPECT_EQ(uint32_t(got[3]), end(uint32_t(), true));
}

TEST_P(Kernels, FloatsAreComparedAndExchanged) {
  TEXT("atomics", "float_maximum");
  const auto x = random_floats(500, -1, 1);
  std::vector<float> want(3, -2);
  for (size_t i = 0; i < x.size(); ++i) want[i % 3] = std::max(want[i % 3], x[i]);
  EXPECT_EQ(runner->update("greatest", line(500, 64), std::vector<float>(3, -2), x, 500), want);
}

TEST_P(Kernels, CountersWrapAround) {
  TEXT("atomics", "ring_of_counters");
  // 70 steps: 14 rounds of 0 ... 4, and 10 of 6 ... 0 that begin at 0.
  std::vector<uint32_t> want = {0, 0};
  want.insert(want.end(), 5, 14);
  want.insert(want.end(), 7, 10);
  EXPECT_EQ(runner->call<uint32_t>("count", line(70, 35), 14), want);
}

TEST_P(Kernels, AtomicsChangeBits) {
  TEXT("atomics", "bits");
  std::vector<uint32_t> x(32), before(10);
  for (uint32_t i = 0; i < 32; ++i) x[i] = i * 5 % 29;
  before[0] = before[4] = before[5] = ~0u;
  uint32_t any = 0, odd = 0;
  for (uint32_t v : x) any |= 1u << v, odd ^= 1u << v;
  EXPECT_EQ(runner->update("bits", line(32, 32), before, x),
            (std::vector<uint32_t>{~any, any, odd, 0, ~0u, ~any, 0, any, 0, odd}));
}

TEST_P(Kernels, ElementsAreLinked) {
  TEXT("atomics", "linked_lists");
  const auto bins = random_ints(400, 0, 31);
  ArrayPtr next = runner->put(std::vector<int>(400));
  const auto heads = runner->call<int>("link", line(400, 64), 32, next, bins, 400);
  std::vector<int> want(32);
  for (int i = 0; i < 400; ++i) want[size_t(bins[size_t(i)])] += (i + 1) * (i + 1);
  EXPECT_EQ(runner->call<int>("walk", line(32, 32), 32, heads, next), want);
}

TEST_P(Kernels, KeysEnterATableOnce) {
  TEXT("atomics", "hash_table");
  std::vector<uint32_t> keys(500);
  for (uint32_t i = 0; i < 500; ++i) keys[i] = 1 + i * i % 331;
  auto unique = keys;
  std::sort(unique.begin(), unique.end());
  unique.erase(std::unique(unique.begin(), unique.end()), unique.end());
  ArrayPtr fresh = runner->put(std::vector<uint32_t>(1));
  auto table = runner->call<uint32_t>("insert", line(500, 64), 512, fresh, keys, 500, 511u);
  EXPECT_EQ(runner->get<uint32_t>(fresh)[0], unique.size());
  table.erase(std::remove(table.begin(), table.end(), 0u), table.end());
  std::sort(table.begin(), table.end());
  EXPECT_EQ(table, unique);
}

TEST_P(Kernels, ALockIsHeldByOne) {
  TEXT("atomics", "lock");
  auto y = runner->call<int>("append", line(40 * 32, 32), 41);
  EXPECT_EQ(y[0], 40);
  std::sort(y.begin() + 1, y.end());
  for (int b = 0; b < 40; ++b) EXPECT_EQ(y[size_t(b + 1)], b);
}

TEST_P(Kernels, AtomicsHaveScopes) {
  TEXT("atomics", "scopes");
  EXPECT_EQ(runner->call<uint64_t>("add", line(3 * 96, 96), 2), (std::vector<uint64_t>{3 * 0x202020ull, 5}));
}

TEST_P(Kernels, SixteenBitsAreExchanged) {
  TEXT("atomics", "short_exchange");
  EXPECT_EQ(runner->update("add", line(64, 32), std::vector<uint16_t>{65530, 7}),
            (std::vector<uint16_t>{uint16_t(65530 + 96), 103}));
}

TEST_P(Kernels, WarpsHaveHistograms) {
  TEXT("atomics", "shared_histogram_private");
  std::vector<uint8_t> x(3000);
  std::vector<uint32_t> want(64);
  for (size_t i = 0; i < x.size(); ++i) ++want[(x[i] = uint8_t(i * i >> 3)) & 63];
  EXPECT_EQ(runner->call<uint32_t>("histogram", line(128, 128), 64, x, 3000), want);
}

TEST_P(Kernels, VectorTypesHaveSizes) {
  TEXT("vectors", "sizes");
  using Row = std::array<uint32_t, 2>;
  const std::vector<Row> want = {{1, 1}, {2, 2},  {3, 1},   {4, 4},   {2, 2},   {4, 4}, {6, 2},   {8, 8},
                                 {8, 8}, {12, 4}, {16, 16}, {16, 16}, {32, 16}, {8, 8}, {16, 16}, {32, 16},
                                 {8, 8}, {12, 4}, {16, 16}, {16, 16}, {32, 16}, {12, 4}};
  EXPECT_EQ(runner->call<Row>("sizes", line(1, 1), 22), want);
}

TEST_P(Kernels, TriplesHaveTwelveBytes) {
  TEXT("vectors", "triples");
  using Triple = std::array<float, 3>;
  std::vector<Triple> x(50);
  for (size_t i = 0; i < 50; ++i) x[i] = {float(i % 7), float(i % 5) - 2, float(i % 11)};
  const auto y = runner->call<Triple>("turn", line(50, 32), 50, x, 50);
  for (size_t i = 0; i < 50; ++i) {
    const Triple &a = x[i], &b = x[(i + 1) % 50];
    for (size_t k = 0; k < 3; ++k) {
      const size_t p = (k + 1) % 3, q = (k + 2) % 3;
      ASSERT_EQ(y[i][k], 2 * a[k] + a[p] * b[q] - a[q] * b[p]) << i;
    }
  }
}

TEST_P(Kernels, ColoursAreBlended) {
  TEXT("vectors", "colours");
  using Colour = std::array<uint8_t, 4>;
  std::vector<Colour> a(100), b(100);
  for (size_t i = 0; i < 100; ++i)
    for (size_t k = 0; k < 4; ++k) a[i][k] = uint8_t(i * 3 + k), b[i][k] = uint8_t(i * 7 + 50 * k);
  const auto y = runner->call<Colour>("blend", line(100, 32), 100, a, b, 0.5f, 100);
  for (size_t i = 0; i < 100; ++i)
    for (size_t k = 0; k < 4; ++k) ASSERT_EQ(y[i][k], k == 3 ? 255 : (a[i][k] + b[i][k]) / 2) << i << " " << k;
}

TEST_P(Kernels, CopiesHaveARest) {
  TEXT("vectors", "wide_copies");
  const auto x = random_floats(1003, -1, 1);
  expect_each(runner->call<float>("copy", line(128, 64), 1003, x, 1003),
              [&](int i) { return x[size_t(i)] + (i >= 1000 ? 1.0f : 0.0f); });
}

TEST_P(Kernels, VectorsArePunned) {
  TEXT("vectors", "punned");
  using Word = std::array<int32_t, 4>;
  std::vector<Word> x(32);
  for (size_t i = 0; i < 128; ++i) x[i / 4][i % 4] = int32_t(i * 2654435761u);
  const auto y = runner->call<Word>("pun", line(32, 32), 32, x);
  for (size_t i = 0; i < 32; ++i) {
    int sum = 0;
    uint8_t bytes[16];
    std::memcpy(bytes, &x[i], 16);
    for (uint8_t byte : bytes) sum += byte;
    ASSERT_EQ(y[i], (Word{x[i][0], sum, x[i][3], x[i][3] ^ x[i][0]})) << i;
  }
}

TEST_P(Kernels, StructsAreAligned) {
  TEXT("vectors", "aligned_struct");
  struct alignas(16) Particle {
    float place[3];
    int kind;
    double speed[2];
  };
  std::vector<Particle> p(32);
  for (int i = 0; i < 32; ++i) p[size_t(i)] = {{float(i), 1, 2}, 0, {double(i), 8}};
  const auto y = runner->update("move", line(32, 32), p, 0.5f);
  for (int i = 0; i < 32; ++i) {
    ASSERT_EQ(y[size_t(i)].place[0], 1.5f * float(i));
    ASSERT_EQ(y[size_t(i)].place[2], -2);
    ASSERT_EQ(y[size_t(i)].kind, 3216);
  }
}

TEST_P(Kernels, ComplexNumbersAreMultiplied) {
  TEXT("vectors", "complex_products");
  using Number = std::array<double, 2>;
  std::vector<Number> x(32);
  for (int i = 0; i < 32; ++i) x[size_t(i)] = {double(i % 5), double(i % 3) - 1};
  const auto y = runner->call<Number>("power", line(32, 32), 32, x, 6);
  for (size_t i = 0; i < 32; ++i) {
    Number z = {1, 0};
    for (int k = 0; k < 6; ++k) z = {z[0] * x[i][0] - z[1] * x[i][1], z[0] * x[i][1] + z[1] * x[i][0]};
    ASSERT_EQ(y[i], z) << i;
  }
}

TEST_P(Kernels, IndicesAreValues) {
  TEXT("vectors", "indices");
  expect_each(runner->call<int>("indices", Grid{{2, 3, 2}, {4, 2, 3}}, 12 * 24),
              [](int i) { return i / 24 * 1000 + i % 24; });
}

}  // namespace
