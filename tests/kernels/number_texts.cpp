// tests/kernels/number_texts.cpp: short texts of random numbers, half precision, mathematics and the standard library.
#include <array>
#include "kernels.hpp"

namespace {

using namespace test;

// The direction vectors of the second and third dimensions of S. Joe and F. Kuo's sequence, SIAM J. Sci. Comput. 30 (5),
// 2008.
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

}  // namespace
