// tests/kernels/language/ptx_kernels.cpp: inline PTX.
#include <bit>
#include "../kernels.hpp"

namespace {

using namespace test;

using Word = uint32_t;
Word bits(float x) { return std::bit_cast<Word>(x); }
float real(Word x) { return std::bit_cast<float>(x); }

Word extracted(Word x, Word from, Word count) {
  const uint64_t field = from > 31 ? 0 : uint64_t(x) >> from;
  return Word(field & ((uint64_t(1) << count) - 1));
}
// Bit by bit, as specified in the PTX ISA.
Word extracted_signed(Word x, Word from, Word count) {
  const Word last = std::min<Word>(from + count - 1, 31), sign = count == 0 ? 0 : x >> last & 1;
  Word out = 0;
  for (Word i = 0; i < 32; ++i) {
    const Word bit = i < count && from + i <= 31 ? x >> (from + i) & 1 : sign;
    out |= bit << i;
  }
  return out;
}
Word inserted(Word a, Word b, Word from, Word count) {
  for (Word i = 0; i < count && from + i < 32; ++i) b = (b & ~(1u << (from + i))) | (a >> i & 1) << (from + i);
  return b;
}
Word permuted(Word x, Word y, Word how) {
  Word out = 0;
  for (int i = 0; i < 4; ++i) {
    const Word choice = how >> 4 * i & 15;
    Word byte = Word((uint64_t(y) << 32 | x) >> 8 * (choice & 7)) & 255;
    if (choice & 8) byte = byte & 128 ? 255 : 0;
    out |= byte << 8 * i;
  }
  return out;
}

Word masked(Word from, Word count, bool clamp) {
  if (clamp && from > 31) return 0;
  const Word first = from & 31, bits = clamp ? count : count & 31;
  Word out = 0;
  for (Word i = first; i < 32 && i - first < bits; ++i) out |= 1u << i;
  return out;
}

std::vector<Word> integer_results(Word x, Word y, Word z) {
  const uint64_t xy = uint64_t(x) * y, both = uint64_t(y) << 32 | x;
  const auto s = [](Word v) { return int64_t(int32_t(v)); };
  const auto limited = [](int64_t v, int64_t low, int64_t high) { return Word(std::clamp(v, low, high)); };
  const Word magnitude = s(x) < 0 ? ~x : x;
  Word halved = x;
  do halved >>= 1;
  while (halved > 1000);
  Word dot = z, reversed = 0;
  for (int i = 0; i < 32; i += 8) dot += (x >> i & 255) * (y >> i & 255);
  for (int i = 0; i < 32; ++i) reversed |= (x >> i & 1) << (31 - i);
  const Word shift = z & 63;
  return {x * y + z,
          extracted(x, y & 63, z & 63),
          extracted_signed(x, y & 31, z & 31),
          inserted(x, y, z & 31, z >> 8 & 31),
          permuted(x, y, z),
          x ^ y ^ z,
          (x & y) | z,
          Word((both << (z & 31)) >> 32),
          shift >= 32 ? y : Word(both >> shift),
          Word(std::popcount(x)),
          Word(std::countl_zero(x)),
          reversed,
          x ? 31 - Word(std::countl_zero(x)) : ~0u,
          magnitude ? Word(std::countl_zero(magnitude)) : ~0u,
          x + y,
          y + z + Word((uint64_t(x) + y) >> 32),
          x - y,
          y - z - (x < y),
          Word(xy) + z,
          Word(xy >> 32) + 7 + Word((uint64_t(Word(xy)) + z) >> 32),
          s(x) < s(y) ? 1u : 12u,
          x > y && (z & 1) ? 5 : z & 1,
          shift >= 32 ? 0 : x << shift,
          Word(s(x) >> std::min<Word>(shift, 31)),
          limited(s(x) + s(y), INT32_MIN, INT32_MAX),
          Word(uint64_t(s(x) * s(y)) >> 32),
          Word(xy >> 32),
          Word(both + 1) ^ Word((both + 1) >> 32),
          std::max(Word(std::min(s(x), s(y))), z),
          dot,
          z + (x > y ? x - y : y - x),
          Word(int32_t(int16_t(x))),
          limited(s(x), 0, 255),
          halved,
          x % (y | 1),
          ~x,
          masked(x & 63, y & 63, true),
          masked(x, y, false)};
}

TEST_P(Kernels, PtxOfOneThreadDoesWhatItsIsaSays) {
  KERNEL("ptx_scalar", {"integers", "reals"});
  const int n = 300;
  std::mt19937 engine(7);
  std::vector<Word> a(n), b(n), c(n);
  for (int i = 0; i < n; ++i) {
    const Word special[] = {0, 1, 0x7fffffffu, 0x80000000u, 0xffffffffu, 255, 0x12345678u};
    a[i] = i < 49 ? special[i % 7] : Word(engine());
    b[i] = i < 49 ? special[i / 7] : Word(engine());
    c[i] = Word(engine());
  }
  const size_t results = integer_results(1, 1, 1).size();
  ArrayPtr out = runner->put(std::vector<Word>(results * n));
  runner->run("integers", line(n, 64), runner->put(a), runner->put(b), runner->put(c), out, n);
  const auto got = runner->get<Word>(out);
  for (int i = 0; i < n; ++i) {
    const auto want = integer_results(a[i], b[i], c[i]);
    for (size_t k = 0; k < results; ++k)
      ASSERT_EQ(got[k * n + i], want[k]) << "result " << k << " of " << std::hex << a[i] << " " << b[i] << " " << c[i];
  }

  const auto x = random_floats(n, -4, 4), y = random_floats(n, 0.5f, 4, 2);
  ArrayPtr reals = runner->put(std::vector<float>(18 * n)), wide = runner->put(std::vector<double>(2 * n));
  runner->run("reals", line(n, 64), runner->put(x), runner->put(y), reals, wide, n);
  const auto r = runner->get<float>(reals);
  const auto w = runner->get<double>(wide);
  const auto rounded = [](float v, int cut) {  // to the nearest with ties to even, with that many bits less
    const Word u = bits(v), half = 1u << (cut - 1);
    return real((u + half - 1 + (u >> cut & 1)) & ~((1u << cut) - 1));
  };
  for (int i = 0; i < n; ++i) {
    const auto at = [&](int k) { return r[size_t(k * n + i)]; };
    const float u = x[i], v = y[i];
    EXPECT_EQ(at(0), std::fma(u, v, u));
    const double sum = double(u) + v;
    float cut = float(sum);
    if (std::fabs(double(cut)) > std::fabs(sum)) cut = std::nextafter(cut, 0.f);
    EXPECT_EQ(at(1), cut);
    EXPECT_EQ(at(2), std::clamp(u * 0.5f, 0.f, 1.f));
    EXPECT_NEAR(at(3), std::exp2(u), 1e-6 * std::exp2(u));
    EXPECT_NEAR(at(4), std::log2(u * u), 2e-6 * (1 + std::fabs(std::log2(u * u))));
    EXPECT_NEAR(at(5), 1 / v, 2e-7 / v);
    EXPECT_NEAR(at(6), 1 / v, 4e-7 / v);
    EXPECT_NEAR(at(7), std::tanh(u), 1e-3);
    EXPECT_EQ(at(8), std::max(u, v));
    EXPECT_EQ(at(9), std::nearbyint(u * 3));
    EXPECT_EQ(at(10), std::floor(u));
    EXPECT_EQ(at(11), std::max(u, v));
    EXPECT_EQ(at(12), std::fabs(u));
    if (std::fabs(u) > 1e-4f) {
      EXPECT_EQ(at(13), rounded(u, 13));
    }
    EXPECT_EQ(at(14), rounded(v, 16));
    EXPECT_EQ(at(15), rounded(u, 16));
    EXPECT_EQ(at(16), real((bits(u) + 0x1000u) & ~0x1fffu));
    const float h = rounded(v, 13);
    EXPECT_EQ(at(17), rounded(h * h + h, 13)) << h;
    EXPECT_EQ(w[i], std::fma(double(u), double(v), 1.0));
    EXPECT_EQ(w[size_t(n + i)], std::trunc(double(u) * 1e6));
  }
}

TEST_P(Kernels, PtxOfSeveralThreadsDoesWhatItsIsaSays) {
  KERNEL("ptx_threads", {"places", "memory", "warps", "barriers", "copies"});
  std::vector<Word> places(192);
  ArrayPtr dp = runner->put(places);
  runner->run("places", Grid{{2, 1, 1}, {96, 1, 1}}, dp);
  const auto got = runner->get<Word>(dp);
  for (Word i = 0; i < 192; ++i) {
    const Word lane = i % 32;
    if (runner->on_cpu())
      EXPECT_EQ(got[i], lane + 100 * (i % 96 / 32) + 10000 * lane + 1000000);  // warps may be numbered differently
    else EXPECT_EQ(got[i] % 100, lane);
  }

  const auto x = random_floats(512, -9, 9);
  std::vector<float> y(256);
  ArrayPtr dy = runner->put(y), counts = runner->put(std::vector<int>(3)),
           wide = runner->put(std::vector<uint64_t>{7, 7});
  runner->run("memory", Grid{{2, 1, 1}, {64, 1, 1}}, runner->put(x), dy, counts, wide);
  EXPECT_EQ(runner->get<uint64_t>(wide), (std::vector<uint64_t>{12, 12}));
  for (size_t i = 0; i < 128; ++i) {  // the neighbour wrote its four in reverse
    y[2 * i] = x[(i ^ 1) * 4 + 1];
    y[2 * i + 1] = x[(i ^ 1) * 4];
  }
  EXPECT_EQ(runner->get<float>(dy), y);
  EXPECT_EQ(runner->get<int>(counts), (std::vector<int>{128, 63, 3}));

  std::vector<Word> v(64), want(6 * 64);
  std::mt19937 engine(5);
  for (Word& one : v) one = Word(engine() % 1000);
  ArrayPtr dw = runner->put(want);
  runner->run("warps", Grid{{1, 1, 1}, {64, 1, 1}}, runner->put(v), dw);
  for (Word i = 0; i < 64; ++i) {
    const Word first = i / 32 * 32, lane = i % 32;
    for (Word k = 0; k < 32; ++k) {
      want[i] |= Word(v[first + k] > 500) << k;
      want[4 * 64 + i] |= Word(v[first + k] % 4 == v[i] % 4) << k;
      want[5 * 64 + i] += v[first + k];
    }
    want[64 + i] = lane + 3 < 32 ? v[i + 3] : 7;
    want[2 * 64 + i] = v[i / 8 * 8 + 5];
    want[3 * 64 + i] = 0xffffffffu;
  }
  EXPECT_EQ(runner->get<Word>(dw), want);

  const auto ints = random_ints(192, -99, 99);
  std::vector<int> sums(128);
  ArrayPtr ds = runner->put(sums);
  runner->run("barriers", Grid{{1, 1, 1}, {128, 1, 1}}, runner->put(ints), ds);
  for (size_t t = 64; t < 128; ++t)
    for (size_t r = 0; r < 3; ++r) sums[t] += ints[r * 64 + 127 - t];
  EXPECT_EQ(runner->get<int>(ds), sums);

  std::vector<float> tiles(256), copied(32);
  for (size_t i = 0; i < 256; ++i) tiles[i] = float(i % 19);
  ArrayPtr dc = runner->put(copied);
  runner->run("copies", Grid{{1, 1, 1}, {32, 1, 1}}, runner->put(tiles), dc, 5);
  for (size_t t = 0; t < 32; ++t) {
    const float *p = &tiles[(31 - t) * 4], *q = &tiles[(32 + t) * 4];
    copied[t] = p[0] + p[1] + p[2] + p[3] + 100 * (q[0] + (t == 5 ? 0 : q[3]));
  }
  EXPECT_EQ(runner->get<float>(dc), copied);
}

// Integers are exact in every type, and independent of the order of addition.
uint16_t half_of(int x) {
  return uint16_t(x == 0 ? 0
                         : (x < 0 ? 0x8000 : 0) | (std::bit_width(unsigned(std::abs(x))) + 14) << 10 |
                               ((unsigned(std::abs(x)) << (11 - std::bit_width(unsigned(std::abs(x))))) & 0x3ff));
}
uint16_t bfloat_of(int x) { return uint16_t(bits(float(x)) >> 16); }
template <class T> std::vector<T> all(const std::vector<int>& from, T (*change)(int)) {
  std::vector<T> out;
  for (int x : from) out.push_back(change(x));
  return out;
}
template <class T> T same(int x) { return T(x); }
// c + A B, for A by rows or columns and so on: the strides of each.
std::vector<int> product(const std::vector<int>& a, const std::vector<int>& b, int m, int n, int k, int c, bool a_rows,
                         bool b_rows, bool c_rows) {
  std::vector<int> out(size_t(m * n));
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      int sum = c;
      for (int l = 0; l < k; ++l)
        sum += a[size_t(a_rows ? i * k + l : l * m + i)] * b[size_t(b_rows ? l * n + j : j * k + l)];
      out[size_t(c_rows ? i * n + j : j * m + i)] = sum;
    }
  return out;
}

TEST_P(Kernels, PtxMultipliesMatrices) {
  KERNEL("ptx_matrices", {"halves", "others"});
  const auto a = random_ints(2 * 256, -8, 8), b = random_ints(2 * 128, -8, 8, 2);
  ArrayPtr c = runner->put(std::vector<float>(256)), small = runner->put(std::vector<uint16_t>(256), TENON_FLOAT16);
  runner->run("halves", Grid{{2, 1, 1}, {32, 1, 1}}, runner->put(all(a, half_of), TENON_FLOAT16),
              runner->put(all(b, half_of), TENON_FLOAT16), c, small);
  const auto got = runner->get<float>(c);
  const auto halves = runner->get<uint16_t>(small);
  for (int p = 0; p < 2; ++p) {
    const auto want = product({a.begin() + p * 256, a.begin() + p * 256 + 256},
                              {b.begin() + p * 128, b.begin() + p * 128 + 128}, 16, 8, 16, 0, true, true, true);
    for (int i = 0; i < 128; ++i) {
      const int row = i / 8, column = i % 8;
      EXPECT_EQ(got[size_t(p * 128 + i)], float(want[size_t(i)] + 2 * (row / 8) + column % 2)) << i;
      EXPECT_EQ(halves[size_t(p * 128 + i)], half_of(want[size_t(i)])) << want[size_t(i)];
    }
  }
  const auto x = random_ints(16 * 32, -100, 100, 3), y = random_ints(8 * 32, 0, 100, 4);
  const std::vector<int> xa(x.begin(), x.begin() + 128), yb(y.begin(), y.begin() + 64), xd(x.begin(), x.begin() + 32),
      yd(y.begin(), y.begin() + 32);
  ArrayPtr bc = runner->put(std::vector<float>(128)), tc = runner->put(std::vector<float>(128)),
           ic = runner->put(std::vector<int>(128)), dc = runner->put(std::vector<double>(64));
  // For float, TF32 omits the lower 13 bits.
  std::vector<float> ta = all(xa, same<float>);
  for (float& one : ta) one = real(bits(one) | 0x1fff);
  runner->run("others", line(32, 32), runner->put(all(xa, bfloat_of), TENON_BFLOAT16),
              runner->put(all(yb, bfloat_of), TENON_BFLOAT16), runner->put(ta), runner->put(all(yb, same<float>)),
              runner->put(all(x, same<int8_t>)), runner->put(all(y, same<uint8_t>)), runner->put(all(xd, same<double>)),
              runner->put(all(yd, same<double>)), bc, tc, ic, dc);
  EXPECT_EQ(runner->get<float>(bc), all(product(xa, yb, 16, 8, 8, 0, true, false, true), same<float>));
  EXPECT_EQ(runner->get<float>(tc), all(product(xa, yb, 16, 8, 8, 0, true, false, true), same<float>));
  EXPECT_EQ(runner->get<int>(ic), product(x, y, 16, 8, 32, 1, true, false, true));
  EXPECT_EQ(runner->get<double>(dc), all(product(xd, yd, 8, 8, 4, 0, true, false, true), same<double>));
}

TEST_P(Kernels, PtxTransposesAMatrix) {
  KERNEL("ptx_matrices", {"transposed"});
  std::vector<uint32_t> x(64 * 2), want(x.size());
  for (size_t i = 0; i < x.size(); ++i) x[i] = uint32_t(i * 2654435761u);
  const auto half_at = [](std::vector<uint32_t>& all, size_t matrix, size_t row, size_t column) {
    return reinterpret_cast<uint16_t*>(&all[matrix * 32]) + row * 8 + column;
  };
  for (size_t matrix = 0; matrix < 4; ++matrix)
    for (size_t row = 0; row < 8; ++row)
      for (size_t column = 0; column < 8; ++column)
        *half_at(want, matrix, row, column) = *half_at(x, matrix, column, row);
  const ArrayPtr y = runner->put(std::vector<uint32_t>(x.size()));
  runner->run("transposed", Grid{{2, 1, 1}, {64, 1, 1}}, runner->put(x), y);
  EXPECT_EQ(runner->get<uint32_t>(y), want);
}

TEST_P(Kernels, WarpsMultiplyTiles) {
  KERNEL("wmma_tiles", {"product", "others"});
  const int m = 32, n = 64, k = 48;
  const auto a = random_ints(m * k, -8, 8), b = random_ints(n * k, -8, 8, 2), c = random_ints(m * n, -50, 50, 3);
  ArrayPtr d = runner->put(std::vector<float>(m * n));
  runner->run("product", Grid{{2, 2, 1}, {32, 2, 1}}, runner->put(all(a, half_of), TENON_FLOAT16),
              runner->put(all(b, half_of), TENON_FLOAT16), runner->put(all(c, same<float>)), d, n, k);
  auto want = product(a, b, m, n, k, 0, true, false, true);
  for (size_t i = 0; i < want.size(); ++i) want[i] += 2 * c[i];
  EXPECT_EQ(runner->get<float>(d), all(want, same<float>));

  const auto x = random_ints(32 * 16, -60, 60, 4), y = random_ints(32 * 16, -60, 60, 5);
  const auto part = [](const std::vector<int>& from, int count) {
    return std::vector<int>(from.begin(), from.begin() + count);
  };
  const auto xb = part(x, 512), yb = part(y, 128), xi = part(x, 128), yi = part(y, 512), xd = part(x, 32),
             yd = part(y, 32), xt = part(x, 128), yt = part(y, 128);
  ArrayPtr bc = runner->put(std::vector<float>(256)), ic = runner->put(std::vector<int>(256)),
           dc = runner->put(std::vector<double>(64)), tc = runner->put(std::vector<float>(256));
  runner->run("others", line(32, 32), runner->put(all(xb, bfloat_of), TENON_BFLOAT16),
              runner->put(all(yb, bfloat_of), TENON_BFLOAT16), runner->put(all(xi, same<int8_t>)),
              runner->put(all(yi, same<int8_t>)), runner->put(all(xd, same<double>)),
              runner->put(all(yd, same<double>)), runner->put(all(xt, same<float>)), runner->put(all(yt, same<float>)),
              bc, ic, dc, tc);
  EXPECT_EQ(runner->get<float>(bc), all(product(xb, yb, 32, 8, 16, 1, false, true, false), same<float>));
  EXPECT_EQ(runner->get<int>(ic), product(xi, yi, 8, 32, 16, 1, false, true, false));
  EXPECT_EQ(runner->get<double>(dc), all(product(xd, yd, 8, 8, 4, 1, false, true, false), same<double>));
  const auto tiles = product(xt, yt, 16, 16, 8, 0, false, true, false);
  const auto got = runner->get<float>(tc);
  for (size_t i = 0; i < 256; ++i) EXPECT_EQ(got[i], float(tiles[i]) + 0.5f) << i;
}

}  // namespace
