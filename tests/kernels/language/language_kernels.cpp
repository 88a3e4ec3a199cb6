// tests/kernels/language/language_kernels.cpp: what kernels use of the language, of CUDA's intrinsics and of
// cooperative groups.
#include "../kernels.hpp"

namespace {

using namespace test;

float half_value(uint16_t bits) {
  const int e = bits >> 10 & 31, m = bits & 1023;
  const float v = e == 31 ? (m ? NAN : INFINITY) : e ? std::ldexp(float(1024 + m), e - 25) : std::ldexp(float(m), -24);
  return bits & 0x8000 ? -v : v;
}
// The nearest half, by trying all; ties go to even bits.
uint16_t half_bits(double x) {
  uint16_t low = 0, high = 0x7c00;
  const double a = std::fabs(x);
  while (high - low > 1) (half_value(uint16_t((low + high) / 2)) <= a ? low : high) = uint16_t((low + high) / 2);
  const double top = high == 0x7c00 ? 65536 : half_value(high), below = a - half_value(low), above = top - a;
  return uint16_t((above < below || (above == below && high % 2 == 0) ? high : low) | (std::signbit(x) ? 0x8000 : 0));
}

TEST_P(Kernels, HalvesInPairs) {
  KERNEL("half2_arithmetic", {"arithmetic", "dot"});
  const int n = 500, rows = 12;
  auto fx = random_floats(2 * n, -30, 30), fy = random_floats(2 * n, -30, 30, 2);
  std::vector<uint16_t> x(2 * n), y(2 * n);
  for (int i = 0; i < 2 * n; ++i) x[i] = half_bits(fx[i]), y[i] = half_bits(fy[i]);
  ArrayPtr dx = runner->put(x, TENON_FLOAT16), dy = runner->put(y, TENON_FLOAT16),
           out = runner->put(std::vector<uint16_t>(2 * n * rows), TENON_FLOAT16);
  runner->run("arithmetic", line(n, 64), Runner::address(dx), Runner::address(dy), Runner::address(out), n);
  const auto got = runner->get<uint16_t>(out);
  for (int i = 0; i < n; ++i)
    for (int c = 0; c < 2; ++c) {
      const uint16_t xa = x[2 * i + c], yb = y[2 * i + c];
      const double a = half_value(xa), b = half_value(yb);
      // The GPU contracts a * two + b.
      const uint16_t want[rows] = {half_bits(a + b),
                                   half_bits(a - b),
                                   half_bits(a * b),
                                   half_bits(a * b + 2),
                                   0,
                                   uint16_t(xa ^ 0x8000),
                                   uint16_t(xa & 0x7fff),
                                   half_bits(a > b ? 1 : 0),
                                   half_bits(std::max(a, b)),
                                   x[2 * i + 1 - c],
                                   half_bits(2 * a + b),
                                   c ? x[2 * i] : y[2 * i + 1]};
      for (int k = 0; k < rows; ++k) {
        const uint16_t g = got[(i * rows + k) * 2 + c];
        if (k == 4) ASSERT_NEAR(half_value(g), a / b, std::fabs(a / b) * 0x1p-10) << a << " " << b;
        else ASSERT_EQ(g, want[k]) << "row " << k << " of " << a << " and " << b;
      }
    }
  ArrayPtr sum = runner->put(std::vector<float>(1));
  runner->run("dot", line(32, 32), dx, dy, sum, 2 * n);
  double want = 0, size = 0;
  for (int i = 0; i < 2 * n; ++i)
    want += double(half_value(x[i])) * half_value(y[i]), size += std::fabs(double(half_value(x[i])) * half_value(y[i]));
  EXPECT_NEAR(runner->get<float>(sum)[0], want, 1e-6 * size);
}

struct Wide {
  unsigned long long add, most, least, conj, disj, exor, product;
  long long signed_most, signed_least;
  double sum, low;
  float high;
  int head;
};
TEST_P(Kernels, AtomicsOfEightBytesAndByExchange) {
  KERNEL("atomics_wide", {"wide"});
  const int n = 2000;
  auto x = random_floats(n, -1000, 1000);
  std::vector<Wide> w(1);
  w[0] = {};
  w[0].least = w[0].conj = ~0ull, w[0].product = 1, w[0].signed_most = INT64_MIN, w[0].signed_least = INT64_MAX,
  w[0].low = 1e9, w[0].high = -1e9f, w[0].head = -1;
  ArrayPtr dw = runner->put(w), dx = runner->put(x), next = runner->put(std::vector<int>(n + 6));
  runner->run("wide", line(n, 128), Runner::address(dw), dx, next, n);
  const Wide got = runner->get<Wide>(dw)[0];
  uint64_t add = 0, exor = 0, product = 1;
  for (uint64_t i = 0; i < n; ++i) add += i << 33 | 5, exor ^= i << 33 | 5, product *= 3;
  const uint64_t most = uint64_t(n - 1) << 33 | 5;
  EXPECT_EQ(got.add, add);
  EXPECT_EQ(got.most, most);
  EXPECT_EQ(got.least, 5u);
  EXPECT_EQ(got.conj, ~((1ull << 60) - 1));
  EXPECT_EQ(got.disj, (1ull << 60) - 1);
  EXPECT_EQ(got.exor, exor);
  EXPECT_EQ(got.product, product);
  EXPECT_EQ(got.signed_most, -5);
  EXPECT_EQ(got.signed_least, -int64_t(most));
  EXPECT_EQ(got.sum, 0.5 * n);
  EXPECT_EQ(got.high, *std::max_element(x.begin(), x.end()));
  EXPECT_EQ(got.low, double(*std::min_element(x.begin(), x.end())));
  const auto list = runner->get<int>(next);
  std::vector<bool> seen(n);
  int length = 0;
  for (int at = got.head; at >= 0; at = list[at], ++length) {
    ASSERT_LT(length, n);
    ASSERT_FALSE(seen[at]);
    seen[at] = true;
  }
  EXPECT_EQ(length, n);
  uint64_t last, swapped;
  std::memcpy(&last, &list[n + 2], 8);
  std::memcpy(&swapped, &list[n + 4], 8);
  EXPECT_EQ(last + swapped, uint64_t(n) * (n + 1) / 2);
}

TEST_P(Kernels, LoadsAndStoresWithHints) {
  KERNEL("loads_restrict", {"gather"});
  const int64_t n = 300;
  std::vector<double> values(1000), want(2 * n);
  for (int i = 0; i < 1000; ++i) values[i] = i * 0.5;
  auto where = random_ints(4 * n, 0, 999);
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < 4; ++k) want[i] += values[where[4 * i + k]];
    want[n + i] = -want[i];
  }
  ArrayPtr dv = runner->put(values), dw = runner->put(where), out = runner->put(std::vector<double>(2 * n));
  runner->run("gather", line(n, 64), dv, Runner::address(dw), out, n);
  EXPECT_EQ(runner->get<double>(out), want);
}

TEST_P(Kernels, TemplatesTakeConstants) {
  KERNEL("template_constants",
         {"fold<float, 8, Kind::sum, true>", "fold<int, 5, Kind::largest, false>", "numbers<84, 36>"});
  const int n = 100;
  auto x = random_ints(n * 8, -9, 9);
  ArrayPtr fx = runner->put(std::vector<float>(x.begin(), x.end())), fo = runner->put(std::vector<float>(n));
  ArrayPtr ix = runner->put(x), io = runner->put(std::vector<int>(n)), three = runner->put(std::vector<int>(3));
  runner->run("fold<float, 8, Kind::sum, true>", line(n, 32), fx, fo, n);
  runner->run("fold<int, 5, Kind::largest, false>", line(n, 32), ix, io, n);
  runner->run("numbers<84, 36>", line(3, 32), three);
  const auto f = runner->get<float>(fo);
  const auto i = runner->get<int>(io);
  for (int r = 0; r < n; ++r) {
    float sum = 0;
    for (int k = 0; k < 8; ++k) sum += float(x[r * 8 + k] * x[r * 8 + k] * k * k);
    ASSERT_EQ(f[r], sum) << r;
    ASSERT_EQ(i[r], *std::max_element(&x[r * 5], &x[r * 5] + 5)) << r;
  }
  EXPECT_EQ(runner->get<int>(three), (std::vector<int>{12, 1 + 4 + 12 + 32, 84036}));
}

TEST_P(Kernels, DualNumbersDifferentiate) {
  KERNEL("dual_numbers", {"slopes"});
  const int n = 200;
  std::vector<double> x(n);
  for (int i = 0; i < n; ++i) x[i] = (i - 60) * 0.05;
  ArrayPtr dx = runner->put(x), values = runner->put(x), slope = runner->put(x);
  runner->run("slopes", line(n, 64), dx, values, slope, n);
  const auto v = runner->get<double>(values), s = runner->get<double>(slope);
  for (int i = 0; i < n; ++i) {
    const double u = x[i], e = std::exp(u), q = 1 + u * u;
    ASSERT_NEAR(v[i], u < 0 ? u * u : e * std::sin(u) / q, 1e-13 * (1 + std::fabs(v[i]))) << u;
    ASSERT_NEAR(s[i], u < 0 ? 2 * u : (e * (std::sin(u) + std::cos(u)) * q - e * std::sin(u) * 2 * u) / (q * q),
                1e-13 * (1 + std::fabs(e)))
        << u;
  }
}

TEST_P(Kernels, ClocksRunForward) {
  KERNEL("bounds_clocks", {"measure"});
  const int n = 256;
  ArrayPtr clocks = runner->put(std::vector<int64_t>(n)), facts = runner->put(std::vector<int>(3)),
           y = runner->put(std::vector<float>(n));
  runner->run("measure", line(n, 128), clocks, facts, y, n);
  for (int64_t c : runner->get<int64_t>(clocks)) EXPECT_GT(c, 0);
  EXPECT_EQ(runner->get<int>(facts), (std::vector<int>{32, n, 12 + 16 + 24}));
  EXPECT_EQ(runner->get<float>(y), std::vector<float>(n, 2016));
}

TEST_P(Kernels, PrintfKnowsItsConversions) {
  KERNEL("printing", {"speak"});
  testing::internal::CaptureStdout();
  runner->run("speak", Grid{{2, 1, 1}, {32, 1, 1}}, 7);
  std::fflush(stdout);
  const std::string text = testing::internal::GetCapturedStdout();
  for (int b = 0; b < 2; ++b)
    EXPECT_NE(text.find("block " + std::to_string(b) +
                        " of 7:  1.50 2.500000e-01 1e+10 x text ff -5000000000 5000000000 %\n"),
              std::string::npos)
        << text;
}

void check_tiles(Runner& runner, const char* kernel, int size) {
  const int n = 128;
  auto x = random_ints(n, -40, 40, unsigned(size));
  ArrayPtr dx = runner.put(x), sum = runner.put(x), largest = runner.put(x), inclusive = runner.put(x),
           before = runner.put(x);
  runner.run(kernel, line(n, 64), dx, sum, largest, inclusive, before);
  const auto s = runner.get<int>(sum), l = runner.get<int>(largest), in = runner.get<int>(inclusive),
             b = runner.get<int>(before);
  for (int i = 0; i < n; ++i) {
    const auto first = x.begin() + i / size * size;
    ASSERT_EQ(s[i], std::accumulate(first, first + size, 0)) << i;
    ASSERT_EQ(l[i], *std::max_element(first, first + size)) << i;
    ASSERT_EQ(in[i], std::accumulate(first, x.begin() + i + 1, 0)) << i;
    ASSERT_EQ(b[i], in[i] - x[i]) << i;
  }
}
TEST_P(Kernels, GroupsAreParted) {
  KERNEL("groups_partitions", {"tiles<4>", "tiles<16>", "tiles<32>", "labels", "filter"});
  check_tiles(*runner, "tiles<4>", 4);
  check_tiles(*runner, "tiles<16>", 16);
  check_tiles(*runner, "tiles<32>", 32);
  const int n = 128;
  auto x = random_ints(n, 0, 99);
  ArrayPtr dx = runner->put(x), size = runner->put(x), rank = runner->put(x), sum = runner->put(x),
           split = runner->put(x);
  runner->run("labels", line(n, 64), dx, size, rank, sum, split);
  const auto gs = runner->get<int>(size), gr = runner->get<int>(rank), gm = runner->get<int>(sum),
             gp = runner->get<int>(split);
  for (int i = 0; i < n; ++i) {
    int members = 0, before = 0, total = 0, half = 0, first = -1;
    for (int k = i / 32 * 32; k < i / 32 * 32 + 32; ++k) {
      if (x[k] % 5 == x[i] % 5) ++members, before += k < i, total += x[k];
      if ((x[k] & 1) == (x[i] & 1)) ++half, first = first < 0 ? x[k] : first;
    }
    ASSERT_EQ(gs[i], members) << i;
    ASSERT_EQ(gr[i], before) << i;
    ASSERT_EQ(gm[i], total) << i;
    ASSERT_EQ(gp[i], first * 100 + half) << i;
  }
  auto y = random_ints(n, -50, 50, 3);
  ArrayPtr dy = runner->put(y), out = runner->put(std::vector<int>(n)), count = runner->put(std::vector<int>(1));
  runner->run("filter", line(n, 64), dy, out, count, n);
  std::vector<int> want, got = runner->get<int>(out);
  for (int v : y)
    if (v > 0) want.push_back(v);
  ASSERT_EQ(runner->get<int>(count)[0], int(want.size()));
  got.resize(want.size());
  std::sort(got.begin(), got.end());
  std::sort(want.begin(), want.end());
  EXPECT_EQ(got, want);
}

TEST_P(Kernels, ConversionsAndBits) {
  KERNEL("conversions", {"convert"});
  auto x = random_floats(400, -1000, 1000);
  x[0] = 0, x[1] = 0.5f, x[2] = 1.5f, x[3] = -0.5f, x[4] = 2.5f, x[5] = 0.75f, x[6] = -0.0f;
  const int n = int(x.size());
  ArrayPtr dx = runner->put(x), whole = runner->put(std::vector<int>(10 * n)),
           real = runner->put(std::vector<float>(8 * n)), bits = runner->put(std::vector<uint32_t>(8 * n));
  runner->run("convert", line(n, 64), dx, whole, real, bits, n);
  const auto gw = runner->get<int>(whole);
  const auto gr = runner->get<float>(real);
  const auto gb = runner->get<uint32_t>(bits);
  for (int i = 0; i < n; ++i) {
    const float v = x[i];
    const double d = v;
    uint64_t wide;
    uint32_t u;
    std::memcpy(&wide, &d, 8);
    std::memcpy(&u, &v, 4);
    const int w[10] = {int(std::rint(v)),
                       int(std::floor(v)),
                       int(std::ceil(v)),
                       int(v),
                       v > 0 ? int(std::rint(v)) : 0,
                       int(std::rint(d * 0.5)),
                       int(std::rint(v)),
                       int(std::rint(v)),
                       int(std::round(v)),
                       int(wide >> 32)};
    for (int k = 0; k < 10; ++k) ASSERT_EQ(gw[10 * i + k], w[k]) << "integer " << k << " of " << v;
    const float r[8] = {std::clamp(v, 0.0f, 1.0f),
                        std::fma(v, v, 1.0f),
                        float(int(v)),
                        4294967040.0f,
                        -v,
                        half_value(half_bits(v)),
                        float(d * 3),
                        v};
    for (int k = 0; k < 8; ++k) ASSERT_EQ(gr[8 * i + k], r[k]) << "float " << k << " of " << v;
    uint32_t b[8] = {
        7, uint32_t(-7), 0, 0, half_bits(v), uint32_t(((uint64_t(~u) << 32 | u) << 9) >> 32), __builtin_bswap32(u), 0};
    for (int k = 0; k < 32; k += 8) {
      const uint32_t byte = u >> k & 255, other = 0x01ff80f0u >> k & 255;
      b[0] += byte * (0x01020304u >> k & 255), b[1] += uint32_t(int8_t(byte) * int8_t(0x01fe03fc >> k)),
          b[2] |= ((byte + other) & 255) << k, b[3] |= std::max(byte, 0x3fu) << k;
    }
    for (int k = 0; k < 32; ++k) b[7] |= (u >> k & 1) << (31 - k);
    b[7] ^= uint32_t(__builtin_popcount(u)) ^ uint32_t(u ? __builtin_clz(u) : 32) << 8 ^
            uint32_t(__builtin_ffs(int(u))) << 16;
    for (int k = 0; k < 8; ++k) ASSERT_EQ(gb[8 * i + k], b[k]) << "bits " << k << " of " << v;
  }
}

TEST_P(Kernels, InstructionsForDynamicProgramming) {
  KERNEL("dynamic_programming", {"instructions", "align"});
  std::mt19937 engine(21);
  const int n = 200;
  std::vector<uint32_t> x(n);
  for (uint32_t& v : x) v = uint32_t(engine());
  x[0] = 0x7fff8000u, x[1] = 0x80007fffu, x[2] = 0xffffffffu, x[3] = x[4] = 0x00010001u;
  ArrayPtr dx = runner->put(x), out = runner->put(std::vector<uint32_t>(20 * n));
  runner->run("instructions", line(n, 64), dx, out, n);
  const auto got = runner->get<uint32_t>(out);
  for (int i = 0; i < n; ++i) {
    const uint32_t a = x[i], b = x[(i + 1) % n], c = x[(i + 2) % n];
    const int32_t sa = int32_t(a), sb = int32_t(b), sc = int32_t(c), sum = int32_t(a + b);
    auto halves = [&](auto type, auto f) {
      using H = decltype(type);
      return uint32_t(uint16_t(f(int(H(a)), int(H(b)), int(H(c)), int(H(a + b))))) |
             uint32_t(uint16_t(f(int(H(a >> 16)), int(H(b >> 16)), int(H(c >> 16)), int(H((a >> 16) + (b >> 16))))))
                 << 16;
    };
    const int16_t s{};
    const uint16_t u{};
    auto bits = [&](bool high, bool low) { return high * 2u + low; };
    const uint32_t want[20] = {uint32_t(std::max({sa, sb, sc})),
                               std::min({a, b, c}),
                               halves(s, [](int p, int q, int r, int) { return std::max({p, q, r}); }),
                               halves(u, [](int p, int q, int r, int) { return std::min({p, q, r}); }),
                               uint32_t(std::max(sum, sc)),
                               std::min(a + b, c),
                               halves(s, [](int, int, int r, int t) { return std::max(t, r); }),
                               halves(u, [](int, int, int r, int t) { return std::min(t, r); }),
                               uint32_t(std::max({sa, sb, 0})),
                               halves(s, [](int p, int q, int, int) { return std::max(std::min(p, q), 0); }),
                               uint32_t(std::max(std::min({sa, sb, sc}), 0)),
                               halves(s, [](int p, int q, int r, int) { return std::max({p, q, r, 0}); }),
                               uint32_t(std::max({sum, sc, 0})),
                               halves(s, [](int, int, int r, int t) { return std::max(std::min(t, r), 0); }),
                               uint32_t(std::max(sa, sb)),
                               sa >= sb,
                               halves(u, [](int p, int q, int, int) { return std::min(p, q); }),
                               bits(a >> 16 <= b >> 16, uint16_t(a) <= uint16_t(b)),
                               halves(s, [](int p, int q, int, int) { return std::max(p, q); }),
                               bits(int16_t(a >> 16) >= int16_t(b >> 16), int16_t(a) >= int16_t(b))};
    for (int k = 0; k < 20; ++k)
      ASSERT_EQ(got[20 * i + k], want[k]) << "instruction " << k << " of " << std::hex << a << " " << b << " " << c;
  }
  const int length = 24, pairs = 40;
  std::vector<int8_t> text(2 * length * pairs);
  for (int8_t& v : text) v = int8_t("ACGT"[engine() % 4]);
  ArrayPtr dt = runner->put(text), best = runner->put(std::vector<int>(pairs));
  runner->run("align", line(pairs, 32), Runner::address(dt), length, best, pairs);
  const auto scores = runner->get<int>(best);
  for (int p = 0; p < pairs; ++p) {
    std::vector<std::vector<int>> h(length + 1, std::vector<int>(length + 1));
    int top = 0;
    for (int i = 1; i <= length; ++i)
      for (int j = 1; j <= length; ++j) {
        const int match = text[2 * p * length + i - 1] == text[(2 * p + 1) * length + j - 1] ? 3 : -3;
        h[i][j] = std::max({0, h[i - 1][j - 1] + match, h[i - 1][j] - 2, h[i][j - 1] - 2});
        top = std::max(top, h[i][j]);
      }
    ASSERT_EQ(scores[p], top) << p;
  }
}

// The tolerance is the unit of float or double times the error that CUDA allows for the function, plus a little for
// results near a zero.
template <class T> void expect_rows(const std::vector<T>& got, const std::vector<T>& x,
                                    const std::vector<std::vector<double>>& want, double unit,
                                    const std::vector<double>& limit) {
  const size_t n = x.size();
  for (size_t i = 0; i < n; ++i)
    for (size_t k = 0; k < limit.size(); ++k)
      ASSERT_NEAR(got[k * n + i], want[i][k], unit * limit[k] * std::max(std::fabs(want[i][k]), 0.05))
          << "row " << k << " of " << x[i];
}
double inverse_erfc(double y) {
  double t = 0;
  for (int k = 0; k < 80; ++k)
    t += std::clamp((std::erfc(t) - y) / (2 / std::sqrt(3.14159265358979323846) * std::exp(-t * t)), -0.5, 0.5);
  return t;
}
double bessel_i(int order, double x) {
  double term = order ? x / 2 : 1, sum = term;
  for (int k = 1; k < 60; ++k) sum += term *= x * x / 4 / (double(k) * (k + order));
  return sum;
}
TEST_P(Kernels, RareFunctionsOfBothPrecisions) {
  KERNEL("special_functions", {"of_float", "of_double"});
  const int n = 500;
  std::vector<float> f(n);
  std::vector<double> d(n);
  for (int i = 0; i < n; ++i) f[i] = 0.05f + 1.9f * i / n, d[i] = 0.05 + 1.9 * i / n;
  std::vector<std::vector<double>> want_f(n), want_d(n);
  const double pi = 3.14159265358979323846;
  for (int i = 0; i < n; ++i) {
    double v = f[i];
    want_f[i] = {inverse_erfc(v),
                 0.5 * std::erfc(-v / std::sqrt(2.0)),
                 std::tgamma(v),
                 std::lgamma(double(f[i] + 2.0f)),
                 j0(v),
                 j1(v),
                 jn(2, v),
                 y0(v),
                 y1(v),
                 bessel_i(0, v),
                 bessel_i(1, v),
                 1 / std::cbrt(v),
                 1 / std::hypot(v, 2),
                 std::sqrt(v * v + 5),
                 std::sqrt(v * v + 14),
                 std::exp(v),
                 std::log(v),
                 std::pow(v, 1.5),
                 std::pow(10, v),
                 v / 3,
                 std::fdim(v, 1),
                 std::remainder(v, double(0.3f)),
                 8 * v,
                 v / 4,
                 std::asinh(v),
                 std::acosh(double(f[i] + 1.0f)),
                 std::atanh(v / 2),
                 std::sin(pi * v),
                 std::exp(v * v) * std::erfc(v)};
    v = d[i];
    int e;
    const double mantissa = std::frexp(v, &e);
    want_d[i] = {inverse_erfc(v),
                 0.5 * std::erfc(-v / std::sqrt(2.0)),
                 std::tgamma(v),
                 std::lgamma(v + 2),
                 j0(v),
                 j1(v),
                 jn(2, v),
                 y0(v),
                 y1(v),
                 bessel_i(0, v),
                 1 / std::cbrt(v),
                 1 / std::hypot(v, 2),
                 std::sqrt(v * v + 5),
                 std::pow(10, v),
                 std::fdim(v, 1),
                 std::remainder(v, 0.3),
                 8 * v,
                 mantissa + e,
                 3 * v,
                 std::asinh(v),
                 std::acosh(v + 1),
                 std::atanh(v / 2),
                 std::sin(v),
                 std::cos(v),
                 std::expm1(v),
                 std::log1p(v),
                 std::nextafter(v, 2.0) - v,
                 -v,
                 std::logb(v),
                 double(std::ilogb(v)),
                 std::fma(v, v, v),
                 std::exp(v * v) * std::erfc(v)};
  }
  ArrayPtr fx = runner->put(f), fo = runner->put(std::vector<float>(29 * n)), dx = runner->put(d),
           d_out = runner->put(std::vector<double>(32 * n));
  runner->run("of_float", line(n, 64), fx, fo, n);
  runner->run("of_double", line(n, 64), dx, d_out, n);
  std::vector<double> limit(29, 12), wide(32, 12);
  limit[15] = limit[16] = limit[17] = 40;  // for the fast forms on the GPU
  expect_rows<float>(runner->get<float>(fo), f, want_f, 0x1p-23, limit);
  wide[0] = 40;    // for the reference
  wide[6] = 9000;  // jn: CUDA states no bound; an error of 1e-14 was observed, and 1e-13 is allowed
  expect_rows<double>(runner->get<double>(d_out), d, want_d, 0x1p-52, wide);
}

TEST_P(Kernels, KernelsOfTheTutorials) {
  KERNEL("tutorials", {"my_add", "doublify", "multiply_them", "add_tensors", "squared_diff", "increment_by_one",
                       "where_positive", "saxpy<float>", "saxpy<double>"});
  auto a = random_floats(400, -5, 5), b = random_floats(400, -5, 5, 2);
  ArrayPtr da = runner->put(a), db = runner->put(b), dc = runner->put(std::vector<float>(400));
  std::vector<float> sum(400), product(400);
  for (int i = 0; i < 400; ++i) sum[i] = a[i] + b[i], product[i] = a[i] * b[i];
  runner->run("my_add", Grid{{5, 1, 1}, {80, 1, 1}}, da, db, dc);
  EXPECT_EQ(runner->get<float>(dc), sum);
  runner->run("multiply_them", Grid{{1, 1, 1}, {400, 1, 1}}, dc, da, db);
  EXPECT_EQ(runner->get<float>(dc), product);
  runner->run("add_tensors", Grid{{2, 1, 1}, {256, 1, 1}}, da, db, dc, 400);
  EXPECT_EQ(runner->get<float>(dc), sum);
  runner->run("saxpy<float>", Grid{{4, 1, 1}, {128, 1, 1}}, 2.5f, da, db, dc, uint64_t(400));
  const auto mixed = runner->get<float>(dc);
  for (int i = 0; i < 400; ++i) EXPECT_NEAR(mixed[i], 2.5 * a[i] + b[i], 2e-6);  // contracted or not
  ArrayPtr square = runner->put(std::vector<float>(a.begin(), a.begin() + 16));
  runner->run("doublify", Grid{{1, 1, 1}, {4, 4, 1}}, square);
  const auto doubled = runner->get<float>(square);
  for (int i = 0; i < 16; ++i) EXPECT_EQ(doubled[i], 2 * a[i]);
  const std::vector<double> wa(a.begin(), a.end()), wb(b.begin(), b.end());
  ArrayPtr dwa = runner->put(wa), dwb = runner->put(wb), dwc = runner->put(wa);
  runner->run("squared_diff", Grid{{2, 1, 1}, {64, 1, 1}}, dwa, dwb, dwc, uint64_t(400));
  const auto differences = runner->get<double>(dwc);
  for (int i = 0; i < 400; ++i) EXPECT_EQ(differences[i], (wa[i] - wb[i]) * (wa[i] - wb[i])) << i;
  runner->run("saxpy<double>", Grid{{4, 1, 1}, {128, 1, 1}}, 2.5, dwa, dwb, dwc, uint64_t(400));
  const auto wide = runner->get<double>(dwc);
  for (int i = 0; i < 400; ++i) EXPECT_NEAR(wide[i], 2.5 * wa[i] + wb[i], 1e-14);
  auto counts = random_ints(100, 0, 9);
  ArrayPtr dn = runner->put(counts);
  runner->run("increment_by_one", Grid{{4, 1, 1}, {32, 1, 1}}, dn, 100);
  for (int& c : counts) ++c;
  EXPECT_EQ(runner->get<int>(dn), counts);
  std::vector<uint8_t> mask(100);
  std::vector<int8_t> narrow(100);
  std::vector<int16_t> want(100);
  for (int i = 0; i < 100; ++i) mask[i] = i % 3 == 0, narrow[i] = int8_t(i - 50), want[i] = mask[i] ? narrow[i] : -1;
  ArrayPtr dm = runner->put(mask, TENON_BOOL), ds = runner->put(narrow), dw = runner->put(want);
  runner->run("where_positive", line(100, 32), dm, ds, dw, int64_t(100));
  EXPECT_EQ(runner->get<int16_t>(dw), want);
}

int hard(int m, int n) { return m == 0 ? n + 1 : n == 0 ? hard(m - 1, 1) : hard(m - 1, hard(m, n - 1) % 5); }
TEST_P(Kernels, CornersOfTheLanguage) {
  KERNEL("language", {"language"});
  const int n = 30;
  ArrayPtr out = runner->put(std::vector<int>(14 * n));
  runner->run("language", line(n, 32), out, n);
  const auto got = runner->get<int>(out);
  for (int i = 0; i < n; ++i) {
    const uint32_t one = 0x3f800000u + uint32_t(i);
    int doubled = 1;
    for (int k = 0; k < 3; ++k) doubled = doubled * 2 + (i & 1);
    const int want[14] = {2 * (i % 9) + 7 + 3,
                          int((one & 255) + 256 * (one >> 24)),
                          int((uint32_t(i) & 31) + ((uint32_t(i) * 3) & 2047)) - i,
                          i % 4 == 0   ? 10
                          : i % 4 == 3 ? 40
                                       : 30,
                          hard(2, i % 4),
                          -2 * i,
                          doubled,
                          5 + 4 * i,
                          i & 1 ? 3 * i : i + 3,
                          4 + i + i * i,
                          std::max(1, i % 6),
                          "tenon"[i % 5],
                          3 * i + 1,
                          i + 2 + 24 + 21 + 1000};
    for (int k = 0; k < 14; ++k) ASSERT_EQ(got[14 * i + k], want[k]) << "row " << k << " of " << i;
  }
}

}  // namespace
