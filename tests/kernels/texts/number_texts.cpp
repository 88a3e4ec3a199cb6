// tests/kernels/texts/number_texts.cpp: short texts of random numbers, half precision, mathematics and the standard
// library.
#include <array>
#include "../kernels.hpp"

namespace {

using namespace test;

// The direction vectors of the second and third dimensions of S. Joe and F. Kuo's sequence, SIAM J. Sci. Comput. 30
// (5), 2008.
template <class Word> std::vector<Word> directions() {
  constexpr int bits = 8 * sizeof(Word);
  std::vector<Word> out(2 * bits);
  const auto shifted = [](uint64_t m, int k) { return Word(m) << (bits - 1 - k); };
  out[0] = shifted(1, 0), out[bits] = shifted(1, 0), out[bits + 1] = shifted(3, 1);
  for (int k = 1; k < bits; ++k) out[size_t(k)] = out[size_t(k - 1)] ^ out[size_t(k - 1)] >> 1;
  for (int k = bits + 2; k < 2 * bits; ++k)
    out[size_t(k)] = out[size_t(k - 1)] ^ out[size_t(k - 2)] ^ out[size_t(k - 2)] >> 2;
  return out;
}
template <class Word> Word sobol(const Word* directions, uint64_t i) {
  Word x = 0;
  for (int k = 0; k < int(8 * sizeof(Word)); ++k)
    if ((i ^ i >> 1) >> k & 1) x ^= directions[k];
  return x;
}
uint32_t poisson(double u, double mean) {
  double sum = 0;
  for (uint32_t k = 0;; ++k) {
    sum += std::exp(k * std::log(mean) - mean - std::lgamma(k + 1.0));
    if (u <= sum) return k;
  }
}

TEST_P(Kernels, SobolSequencesAreThoseOfCurand) {
  TEXT("random", "sobol");
  struct Drawn {
    uint64_t words[4];
    double normal, wide_normal, uniform;
    float narrow, narrow_normal;
    uint32_t poisson[4];
  };
  // What cuRAND's own generators give for the elements from 12345 on.
  const uint32_t first[2][4] = {{0xd03c0000, 0x103c0000, 0x903c0000, 0x303c0000},
                                {0x290c0000, 0xe90c0000, 0x690c0000, 0x090c0000}};
  const double normal[2][2] = {{0.890553145452418, 0.8905531450185914}, {-0.9930641133608064, -0.9930641138386056}};
  const uint32_t counts[2][4] = {{6, 315, 927, 5063}, {2, 283, 870, 4930}};
  const auto narrow = directions<uint32_t>();
  const auto wide = directions<uint64_t>();
  const auto got = runner->call<Drawn>("sobol", line(2, 2), 4, narrow, wide, 12345u);
  for (size_t d = 0; d < 2; ++d)
    for (size_t w = 0; w < 2; ++w) {
      const Drawn& y = got[2 * d + w];
      for (size_t i = 0; i < 4; ++i) EXPECT_EQ(y.words[i], uint64_t(first[d][i]) << (w ? 32 : 0)) << d << w << i;
      EXPECT_NEAR(y.normal, normal[d][w], 2e-15);
      EXPECT_NEAR(y.narrow_normal, normal[d][0], 3e-7);
      EXPECT_NEAR(y.wide_normal, std::exp(normal[d][w]), 5e-15);
      EXPECT_EQ(y.narrow, float(first[d][0]) * 0x1p-32f + 0x1p-33f);
      EXPECT_EQ(y.uniform, first[d][0] * 0x1p-32 + (w ? 0x1p-54 : 0x1p-32));
      for (size_t i = 1; i < 4; ++i) EXPECT_EQ(y.poisson[i], counts[d][i]) << d << w << i;
      EXPECT_EQ(y.poisson[0], poisson(first[d][0] * 0x1p-32, 4.5)) << d << w;
    }
}

TEST_P(Kernels, SobolSequencesAreScrambled) {
  TEXT("random", "scrambled");
  auto narrow = directions<uint32_t>();
  auto wide = directions<uint64_t>();
  narrow.erase(narrow.begin(), narrow.begin() + 32), wide.erase(wide.begin(), wide.begin() + 64);
  expect_each(runner->call<uint64_t>("scrambled", line(8, 8), 8 * 20, narrow, wide, 10), [&](int i) {
    return i % 2 ? sobol(wide.data(), uint64_t(i / 2)) ^ 0xe20866fe27bec92aull
                 : sobol(narrow.data(), uint64_t(i / 2)) ^ 0xe20866feu;
  });
}

TEST_P(Kernels, MersenneTwistersAreThoseOfCurand) {
  TEXT("random", "mersenne_twister");
  struct Params {
    uint32_t position[200], matrix[200][16], temper[200][16], single[200][16], shift_1[200], shift_2[200], mask[1];
  };
  struct State {
    uint32_t s[1024];
    int offset, index;
    uint64_t params;
  };
  // The first set of Saito and Matsumoto's parameters for the period 2^11213 - 1: columns of both matrices.
  const uint32_t matrix[] = {0xaba4d62c, 0xbb076f87, 0x22000000, 0x000095ba},
                 temper[] = {0x06100000, 0x25d80000, 0x282c0000, 0x3302de00};
  std::vector<Params> params(1);
  std::vector<State> state(1);
  Params& p = params[0];
  p.position[0] = 88, p.shift_1[0] = 19, p.shift_2[0] = 5, p.mask[0] = 0xfff80000;
  for (size_t i = 0; i < 16; ++i)
    for (size_t bit = 0; bit < 4; ++bit)
      if (i >> bit & 1) p.matrix[0][i] ^= matrix[bit], p.temper[0][i] ^= temper[bit];
  // As curandMakeMTGP32KernelState() begins for the seed 1234.
  const uint32_t hidden = p.matrix[0][4] ^ p.matrix[0][8] << 16;
  uint32_t byte = hidden + (hidden >> 16);
  byte += byte >> 8;
  std::vector<uint32_t> s(351, (byte & 255) * 0x01010101u);
  s[0] = 1235, s[1] = hidden;
  for (uint32_t i = 1; i < 351; ++i) s[i] ^= 1812433253u * (s[i - 1] ^ s[i - 1] >> 30) + i;
  std::copy(s.begin(), s.end(), state[0].s);
  std::vector<uint32_t> want;
  for (size_t k = 0; k < 6 * 192; ++k) {
    uint32_t x = (s[k] & 0xfff80000) ^ s[k + 1];
    x ^= x << 19;
    const uint32_t y = x ^ s[k + 88] >> 5, t = s[k + 87] ^ s[k + 87] >> 16;
    s.push_back(y ^ p.matrix[0][y & 15]);
    want.push_back(s.back() ^ p.temper[0][(t ^ t >> 8) & 15]);
  }
  const auto got = runner->call<uint32_t>("draw", line(192, 192), 6 * 192, state, params, 5);
  // What cuRAND's own generator gives.
  EXPECT_EQ(std::vector<uint32_t>(got.begin(), got.begin() + 4),
            (std::vector<uint32_t>{0x95130d0d, 0x76af12e1, 0x9d99d21c, 0xff1234b2}));
  expect_each(got, [&](int i) {
    const uint32_t x = want[size_t(i)];
    const float uniform = float(x) * 0x1p-32f + 0x1p-33f;
    uint32_t bits;
    std::memcpy(&bits, &uniform, 4);
    return i < 5 * 192 ? x : bits;
  });
}

TEST_P(Kernels, DiscreteNumbersComeFromATable) {
  TEXT("random", "discrete");
  const std::vector<double> levels = {0.1, 0.5, 0.5, 0.9};
  const std::vector<uint32_t> others = {2, 2, 1, 0};
  const auto of = [&](uint32_t x) {
    const double u = x * 0x1p-32 + 0x1p-32;
    const size_t j = std::min<size_t>(3, size_t(4 * u));
    return 100 + (u < levels[j] ? uint32_t(j) : others[j]);
  };
  const auto got = runner->call<uint32_t>("draw", line(64, 32), 8 * 64, levels, others, 4, uint64_t(99));
  for (size_t t = 0; t < 64; ++t) {
    const uint32_t* y = &got[8 * t];
    ASSERT_EQ(y[1], of(y[0])) << t;
    ASSERT_EQ(y[2], 0u) << t;
    ASSERT_EQ(y[3], of(y[4]) + 1000 * of(y[5])) << t;
    ASSERT_EQ(y[6], y[7]) << t;
  }
}

struct Half {
  uint16_t bits;
};
std::vector<Half> halves(const std::vector<uint16_t>& bits) {
  std::vector<Half> out;
  for (uint16_t one : bits) out.push_back({one});
  return out;
}
// The nearest halves below and above a number, and the nearest of both.
float float_of_half(uint16_t bits) {
  const int e = bits >> 10 & 31, m = bits & 1023;
  const float v = e == 31 ? (m ? NAN : INFINITY) : e ? std::ldexp(float(1024 + m), e - 25) : std::ldexp(float(m), -24);
  return bits & 0x8000 ? -v : v;
}
uint16_t half_of(double x) {
  if (std::isnan(x)) return 0x7fff;
  const double a = std::fabs(x);
  uint16_t low = 0;
  for (int bit = 14; bit >= 0; --bit)
    if (const uint16_t next = uint16_t(low | 1 << bit); next <= 0x7c00 && float_of_half(next) <= a) low = next;
  if (a >= 65520) low = 0x7c00;
  else if (a > 65504) low = 0x7bff;
  else if (low < 0x7bff) {
    const double below = a - float_of_half(low), above = float_of_half(uint16_t(low + 1)) - a;
    if (above < below || (above == below && low & 1)) ++low;
  }
  return uint16_t(low | (std::signbit(x) ? 0x8000 : 0));
}

TEST_P(Kernels, FunctionsOfHalvesAreRounded) {
  TEXT("halves", "functions_of_halves");
  std::vector<uint16_t> x;
  for (int i = 0; i < 0x7c00; i += 37) x.push_back(uint16_t(i)), x.push_back(uint16_t(i | 0x8000));
  const int n = int(x.size());
  const auto y = runner->call<Half>("functions", line(n, 64), x.size() * 8, halves(x), n);
  for (size_t i = 0; i < x.size(); ++i) {
    const double v = float_of_half(x[i]);
    const double want[] = {std::sqrt(v),      1 / v,         std::floor(v), std::ceil(v),
                           std::nearbyint(v), std::trunc(v), std::fabs(v),  -v};
    for (size_t k = 0; k < 8; ++k) {
      if (std::isnan(want[k])) ASSERT_TRUE((y[8 * i + k].bits & 0x7fff) > 0x7c00) << i << " " << k;
      else ASSERT_EQ(y[8 * i + k].bits, half_of(want[k])) << v << " " << k;
    }
  }
}

TEST_P(Kernels, PairsAreCompared) {
  TEXT("halves", "compared_pairs");
  std::vector<Half> a(64), b(64);
  for (size_t i = 0; i < 64; ++i) a[i] = {half_of(double(i % 7) - 3)}, b[i] = {half_of(double(i % 5) - 2)};
  a[9] = {0x7e00};
  const auto y = runner->call<uint32_t>("compare", line(32, 32), 32, a, b);
  for (size_t t = 0; t < 32; ++t) {
    const float u[] = {float_of_half(a[2 * t].bits), float_of_half(a[2 * t + 1].bits)},
                v[] = {float_of_half(b[2 * t].bits), float_of_half(b[2 * t + 1].bits)};
    uint32_t want = uint32_t(u[0] == v[0] && u[1] == v[1]) | uint32_t(u[0] < v[0] && u[1] < v[1]) << 1 |
                    uint32_t(u[0] >= v[0] && u[1] >= v[1]) << 2 | uint32_t(u[0] > v[0]) << 3;
    // __hne2 is an ordered comparison: false of a NaN.
    want |= uint32_t(u[1] < v[1] || u[1] > v[1]) << 4 | 1u << 5 | uint32_t(std::isnan(u[0])) << 6 | 1u << 7;
    ASSERT_EQ(y[t], want) << t;
  }
}

TEST_P(Kernels, HalvesAreRoundedByDirection) {
  TEXT("halves", "rounding_directions");
  const auto x = random_floats(64, -300, 300);
  const auto y = runner->call<Half>("directions", line(64, 64), 6 * 64, x);
  for (size_t i = 0; i < 64; ++i) {
    const auto brain = [](uint16_t bits) {
      const uint32_t wide = uint32_t(bits) << 16;
      float v;
      std::memcpy(&v, &wide, 4);
      return v;
    };
    for (size_t type = 0; type < 2; ++type) {
      float of[3];
      for (size_t k = 0; k < 3; ++k) {
        const uint16_t bits = y[6 * i + 3 * type + k].bits;
        of[k] = type ? brain(bits) : float_of_half(bits);
      }
      ASSERT_LE(of[1], x[i]);
      ASSERT_GE(of[2], x[i]);
      ASSERT_EQ(of[0], x[i] < 0 ? of[2] : of[1]);
      ASSERT_LE(of[2] - of[1], std::fabs(x[i]) * (type ? 0x1p-7f : 0x1p-10f));
    }
  }
}

TEST_P(Kernels, PairsAreMultipliedAndSummed) {
  TEXT("halves", "dot_in_pairs");
  std::vector<Half> a(400), b(400);
  float want = 0;
  for (size_t i = 0; i < 400; ++i) {
    a[i] = {half_of(double(i % 4))}, b[i] = {half_of(double(i % 3) - 1)};
    want += float(i % 4) * (float(i % 3) - 1);
  }
  EXPECT_EQ(runner->call<float>("dot", line(32, 32), 1, a, b, 200)[0], want);
}

TEST_P(Kernels, HalvesBecomeIntegers) {
  TEXT("halves", "integers_of_halves");
  std::vector<float> x(64);
  for (int i = 0; i < 64; ++i) x[size_t(i)] = float(i - 32) * 0.375f;
  const auto y = runner->call<int>("integers", line(64, 64), 6 * 64, x);
  for (size_t i = 0; i < 64; ++i) {
    const int rn = int(std::nearbyint(x[i])), rz = int(x[i]);
    const std::vector<int> want = {rn, rz, int(std::floor(x[i])), int(std::ceil(std::fabs(x[i]))), rz * 3 + rn, 2 * rz};
    ASSERT_EQ(std::vector<int>(y.begin() + long(6 * i), y.begin() + long(6 * i + 6)), want) << x[i];
  }
}

TEST_P(Kernels, BrainFloatsSumToOne) {
  TEXT("halves", "bfloat_softmax");
  std::vector<Half> x(3 * 50);
  for (size_t i = 0; i < x.size(); ++i) x[i] = {uint16_t(0x3f80 + i % 40)};
  const auto y = runner->call<Half>("softmax", line(96, 32), 150, x, 50);
  const auto value = [](uint16_t bits) {
    const uint32_t wide = uint32_t(bits) << 16;
    float v;
    std::memcpy(&v, &wide, 4);
    return double(v);
  };
  for (size_t r = 0; r < 3; ++r) {
    double sum = 0;
    for (size_t i = 0; i < 50; ++i) sum += std::exp2(value(x[r * 50 + i].bits));
    for (size_t i = 0; i < 50; ++i)
      ASSERT_NEAR(value(y[r * 50 + i].bits), std::exp2(value(x[r * 50 + i].bits)) / sum, 1e-4) << i;
  }
}

TEST_P(Kernels, NumbersAreTakenApart) {
  TEXT("mathematics", "floating_parts");
  std::vector<double> x(32);
  for (int i = 0; i < 32; ++i) x[size_t(i)] = (i - 15) * 1.625 + 0.0625;
  const auto y = runner->call<double>("parts", line(32, 32), 320, x);
  for (size_t i = 0; i < 32; ++i) {
    const double v = x[i];
    int e, q;
    double whole;
    const double mantissa = std::frexp(v, &e), part = std::modf(v, &whole), rest = std::remquo(v, 0.75, &q);
    const std::vector<double> want = {mantissa,
                                      double(e),
                                      part,
                                      whole,
                                      rest,
                                      double(q & 7),
                                      v * 8 + std::ldexp(1.0, std::ilogb(v)),
                                      std::nextafter(v, 1e300) - v,
                                      std::copysign(2.0, v) + (v < 0) * 10 + 101,
                                      v + v + std::fdim(v, 1.0)};
    ASSERT_EQ(std::vector<double>(y.begin() + long(10 * i), y.begin() + long(10 * i + 10)), want) << v;
  }
}

TEST_P(Kernels, ConversionsAreRounded) {
  TEXT("mathematics", "conversions_rounded");
  std::vector<double> x(32);
  for (int i = 0; i < 32; ++i) x[size_t(i)] = (i - 16) * 0.375 + (i % 3 ? 0 : 1e-12);
  const auto y = runner->call<int64_t>("conversions", line(32, 32), 12 * 32, x);
  for (size_t i = 0; i < 32; ++i) {
    const double v = x[i];
    const float f = float(v);
    const auto whole = [](double w) { return int64_t(w); };
    const bool exact = double(f) == v;
    const std::vector<int64_t> want = {whole(std::nearbyint(v)),
                                       whole(std::floor(v)),
                                       whole(std::ceil(v)),
                                       whole(std::trunc(v)),
                                       whole(std::nearbyint(f)),
                                       whole(std::floor(f)),
                                       whole(std::ceil(v)),
                                       whole(std::nearbyint(v)),
                                       whole(std::round(v)),
                                       exact   ? 0
                                       : v < 0 ? 1
                                               : -1,
                                       whole(std::nearbyint(v * 2)) + whole(std::nearbyint(f)),
                                       whole(std::fabs(f))};
    ASSERT_EQ(std::vector<int64_t>(y.begin() + long(12 * i), y.begin() + long(12 * i + 12)), want) << v;
  }
}

TEST_P(Kernels, IntegersHaveBits) {
  TEXT("mathematics", "bits_of_integers");
  std::mt19937_64 engine(8);
  std::vector<uint64_t> x(32);
  for (uint64_t& v : x) v = engine() >> (engine() % 40);
  const auto y = runner->call<uint64_t>("bits", line(32, 32), 320, x);
  for (size_t i = 0; i < 32; ++i) {
    const uint64_t v = x[i];
    const uint32_t w = uint32_t(v), u = uint32_t(v >> 32);
    const int32_t sw = int32_t(w), su = int32_t(u);
    const auto pair = [](uint64_t low, uint64_t high) { return uint64_t(uint32_t(low)) | high << 32; };
    uint64_t reversed = 0;
    for (int bit = 0; bit < 64; ++bit) reversed |= (v >> bit & 1) << (63 - bit);
    const auto byte = [&](int k) { return uint32_t(v >> 8 * k & 255); };
    int32_t dot = 11;
    uint32_t udot = 13;
    for (int k = 0; k < 4; ++k)
      dot += int8_t(w >> 8 * k) * int8_t(u >> 8 * k), udot += uint32_t(uint8_t(w >> 8 * k)) * uint8_t(u >> 8 * k);
    const int32_t low = int16_t(w) * int8_t(u) + int16_t(w >> 16) * int8_t(u >> 8) + 3,
                  high = int16_t(w) * int8_t(u >> 16) + int16_t(w >> 16) * int8_t(u >> 24) + 4;
    const std::vector<uint64_t> want = {
        uint64_t(__builtin_popcountll(v) + 100 * (v ? __builtin_clzll(v) : 64) + 10000 * __builtin_ffsll(int64_t(v))),
        reversed,
        pair(u << 7 | w >> 25, (w >> 7 | u << 25)),
        byte(2) | byte(3) << 8 | byte(1) << 16 | byte(6) << 24,
        uint64_t(uint64_t(w) * u >> 32) + (uint64_t(uint32_t(uint64_t(int64_t(sw) * su) >> 32)) << 32),
        uint64_t(uint32_t(uint64_t(std::abs(int64_t(sw) - su)) + 5)) +
            (uint64_t(uint32_t((w > u ? w - u : u - w) + 7)) << 32),
        pair(uint64_t((int64_t(sw) + su) >> 1), (uint64_t(w) + u) >> 1),
        pair(uint64_t((int64_t(sw) + su + 1) >> 1), (uint64_t(w) + u + 1) >> 1),
        pair(uint32_t(dot), udot),
        pair(uint32_t(low), uint32_t(high))};
    ASSERT_EQ(std::vector<uint64_t>(y.begin() + long(10 * i), y.begin() + long(10 * i + 10)), want) << v;
  }
}

TEST_P(Kernels, StructsAreComplexNumbers) {
  TEXT("mathematics", "complex_structs");
  using Number = std::array<double, 2>;
  std::vector<Number> x(32);
  for (int i = 0; i < 32; ++i) x[size_t(i)] = {double(i % 5), double(i % 7) - 3};
  const auto times = [](Number a, Number b) { return Number{a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]}; };
  const auto y = runner->call<Number>("numbers", line(32, 32), 32, x);
  for (size_t i = 0; i < 32; ++i) {
    const Number a = x[i], b = x[(i + 1) % 32];
    Number z = times(a, b);
    z = times({z[0] + a[0] - 1, z[1] - a[1] - 2}, b);
    ASSERT_EQ(y[i], (Number{2 * (z[0] + a[0]), z[1] + a[1] + 5})) << i;
  }
}

TEST_P(Kernels, ContainersAreThere) {
  TEXT("library", "containers");
  expect_each(runner->call<int>("containers", line(16, 16), 16),
              [](int t) { return 3 * t + 3 + 2000 + ('x' - 'a') * 10000 + 4000000 + (t + 7) * 10000000; });
}

TEST_P(Kernels, TypesHaveTraits) {
  TEXT("library", "traits");
  EXPECT_EQ(runner->call<int64_t>("traits", line(1, 1), 5),
            (std::vector<int64_t>{181121, INT32_MAX, INT64_MIN, 24 + 102400 + 255000000, 8388609}));
}

TEST_P(Kernels, LibraryCountsBits) {
  TEXT("library", "bits");
  std::vector<uint32_t> x = {1, 2, 0x80000000u, 0xf0f0, 0x20000000u, 12345, 7, 64};
  expect_each(runner->call<uint32_t>("bits", line(8, 8), 8, x), [&](int i) {
    const uint32_t v = x[size_t(i)];
    return uint32_t(__builtin_popcount(v) + 100 * __builtin_clz(v) + 10000 * __builtin_ctz(v | 1u << 31)) +
           (v >> 29 & 1) * 1000000 + ((v & (v - 1)) == 0) * 10000000 + 100000000;
  });
}

TEST_P(Kernels, SpansAreSearched) {
  TEXT("library", "optional_and_span");
  const std::vector<int> x = {5, 3, 9, 3, 0, 31};
  expect_each(runner->call<int>("search", line(32, 32), 32, x, 6), [&](int t) {
    const auto at = std::find(x.begin(), x.end(), t);
    return at == x.end() ? -1 : int(at - x.begin());
  });
}

TEST_P(Kernels, LibraryHasComplexNumbers) {
  TEXT("library", "complex");
  expect_each(runner->call<int>("mandelbrot", line(24 * 8, 64), 24 * 8, 24, 8), [](int i) {
    const double a = -2 + 0.125 * (i % 24), b = -1 + 0.25 * (i / 24);
    double x = 0, y = 0;
    int n = 0;
    for (; n < 50 && x * x + y * y <= 4; ++n) {
      const double next = x * x - y * y + a;
      y = 2 * x * y + b, x = next;
    }
    return n;
  });
}

}  // namespace
