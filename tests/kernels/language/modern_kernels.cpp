// tests/kernels/language/modern_kernels.cpp: small floating-point types, random states, clusters, launches from
// kernels, groups of several warps.
#include <cmath>
#include <limits>
#include "../kernels.hpp"

namespace {

using namespace test;

// A format by its definition: the sizes of all its codes, in order.
struct Format {
  int exponent_bits, mantissa_bits, bias, codes;  // codes: of finite numbers
  std::vector<double> sizes() const {
    std::vector<double> out;
    for (int code = 0; code < codes; ++code) {
      const int e = code >> mantissa_bits, m = code & ((1 << mantissa_bits) - 1);
      const double fraction = double(m) / (1 << mantissa_bits);
      out.push_back(e ? std::ldexp(1 + fraction, e - bias) : std::ldexp(fraction, 1 - bias));
    }
    return out;
  }
  int sign() const { return 1 << (exponent_bits + mantissa_bits); }
};
const Format e4m3{4, 3, 7, 127}, e5m2{5, 2, 15, 124}, e3m2{3, 2, 3, 32}, e2m3{2, 3, 1, 32}, e2m1{2, 1, 1, 8};

// The code of the nearest number of the format, ties to even codes; `over` where that is beyond the largest.
int nearest(const Format& format, const std::vector<double>& sizes, double x, int over) {
  const double size = std::fabs(x), beyond = 2 * sizes.back() - sizes[sizes.size() - 2];  // if there were one more
  const int sign = std::signbit(x) ? format.sign() : 0;
  const int above = int(std::upper_bound(sizes.begin(), sizes.end(), size) - sizes.begin());
  if (above == 0) return sign;
  const double low = sizes[size_t(above - 1)], high = above < format.codes ? sizes[size_t(above)] : beyond;
  const bool up = size - low > high - size || (size - low == high - size && above % 2 == 0);
  const int code = up ? above : above - 1;
  return sign | (size >= beyond || code >= format.codes ? over : code);
}
// The exponent of the power of two at least as large.
int power_above(double x) {
  int exponent;
  const double fraction = std::frexp(std::fabs(x), &exponent);  // in [1/2, 1)
  return x == 0 ? 0 : std::clamp(exponent - (fraction == 0.5 ? 1 : 0) + 127, 0, 254);
}

// What `encode` writes for a number that is not NaN.
std::vector<int> codes_of(double x) {
  static const std::vector<double> sizes[] = {e4m3.sizes(), e5m2.sizes(), e3m2.sizes(), e2m3.sizes(), e2m1.sizes()};
  return {nearest(e4m3, sizes[0], x, 0x7e), nearest(e4m3, sizes[0], x, 0x7f),    nearest(e5m2, sizes[1], x, 0x7b),
          nearest(e5m2, sizes[1], x, 0x7c), nearest(e3m2, sizes[2], x, 31),      nearest(e2m3, sizes[3], x, 31),
          nearest(e2m1, sizes[4], x, 7),    std::isinf(x) ? 254 : power_above(x)};
}

template <class T> void expect_codes(const std::vector<T>& x, const std::vector<uint8_t>& got) {
  int wrong = 0;
  for (size_t i = 0; i < x.size() && wrong < 5; ++i) {
    if (std::isnan(x[i])) continue;
    const std::vector<int> want = codes_of(x[i]);
    for (size_t k = 0; k < 8; ++k)
      if (got[8 * i + k] != want[k])
        ++wrong, ADD_FAILURE() << x[i] << " in format " << k << " is " << int(got[8 * i + k]) << ", not " << want[k];
  }
}

// All encodings of bfloat16 with their neighbours as floats, and random ones near the formats' ranges.
std::vector<float> interesting_floats() {
  std::vector<float> out;
  for (uint32_t high = 0; high < 65536; ++high)
    for (uint32_t bits : {high << 16, (high << 16) + 1, (high << 16) - 1}) {
      float x;
      std::memcpy(&x, &bits, 4);
      out.push_back(x);
    }
  std::mt19937 engine(7);
  for (int i = 0; i < 100000; ++i)
    out.push_back(std::ldexp(float(int(engine() % 4097)) - 2048.0f, int(engine() % 40) - 30));
  return out;
}

TEST_P(Kernels, TinyFloatsAreRoundedOnce) {
  KERNEL("tiny_floats", {"encode", "encode_double", "encode_small", "decode", "vectors", "scaled_dot"});
  const std::vector<float> x = interesting_floats();
  ArrayPtr dx = runner->put(x), codes = runner->put(std::vector<uint8_t>(8 * x.size()));
  runner->run("encode", line(int64_t(x.size()), 128), dx, codes, int(x.size()));
  const auto of_floats = runner->get<uint8_t>(codes);
  expect_codes(x, of_floats);
  for (size_t i = 0; i < x.size(); ++i)
    if (std::isnan(x[i])) {
      const std::vector<uint8_t> got(&of_floats[8 * i], &of_floats[8 * i] + 8);
      ASSERT_EQ(got, (std::vector<uint8_t>{0x7f, 0x7f, 0x7f, 0x7f, 31, 31, 7, 255})) << i;
    }

  // Doubles that a conversion to float would move onto a tie.
  std::vector<double> d;
  for (size_t i = 0; i < x.size(); i += 5)
    for (double step : {0.0, 1e-12, -1e-12}) d.push_back(double(x[i]) * (1 + step));
  d.insert(d.end(), {1e300, -1e300, 1e-300, -1e-300, 3.5e38, -3.5e38});
  ArrayPtr dd = runner->put(d), double_codes = runner->put(std::vector<uint8_t>(8 * d.size()));
  runner->run("encode_double", line(int64_t(d.size()), 128), dd, double_codes, int(d.size()));
  expect_codes(d, runner->get<uint8_t>(double_codes));

  // The small floats' values are floats, so these two agree.
  ArrayPtr small = runner->put(std::vector<uint8_t>(8 * 65536));
  runner->run("encode_small", line(65536, 128), small);
  const auto of_small = runner->get<uint8_t>(small);
  for (size_t b = 0; b < 65536; ++b) {
    const uint8_t* as_float = &of_floats[8 * 3 * b];
    ASSERT_EQ(of_small[8 * b + 4], as_float[1]) << b;
    ASSERT_EQ(of_small[8 * b + 5], as_float[2]) << b;
    ASSERT_EQ(of_small[8 * b + 7], (b >> 7) & 255) << b;
  }
  const auto half = [](uint32_t h) {
    const int e = int(h >> 10 & 31), m = int(h & 1023);
    const double size = e == 31 ? (m ? NAN : HUGE_VAL) : e ? std::ldexp(1024 + m, e - 25) : std::ldexp(m, -24);
    return h & 0x8000 ? -size : size;
  };
  for (uint32_t h = 0; h < 65536; ++h) {
    const double value = half(h);
    const std::vector<int> want = std::isnan(value) ? std::vector<int>{127, 0, 0, 127, 31, 0, 7, 0} : codes_of(value);
    const uint8_t* got = &of_small[8 * h];
    ASSERT_EQ(got[0], want[0]) << h;
    ASSERT_EQ(got[1], want[3]) << h;
    ASSERT_EQ(got[2], want[4]) << h;
    ASSERT_EQ(got[3], want[6]) << h;
  }

  ArrayPtr values = runner->put(std::vector<float>(6 * 256)), integers = runner->put(std::vector<int>(512)),
           halves = runner->put(std::vector<uint16_t>(512));
  runner->run("decode", line(256, 256), values, integers, halves);
  const auto v = runner->get<float>(values);
  const auto n = runner->get<int>(integers);
  const auto h = runner->get<uint16_t>(halves);
  const Format formats[] = {e4m3, e5m2, e3m2, e2m3, e2m1};
  for (int code = 0; code < 256; ++code) {
    for (size_t f = 0; f < 5; ++f) {
      const int plain = code & (formats[f].sign() - 1);
      const float got = v[size_t(6 * code) + f];
      if (plain >= formats[f].codes) {
        if (f == 1 && plain == 0x7c) EXPECT_EQ(got, code & 0x80 ? -HUGE_VALF : HUGE_VALF);
        else EXPECT_TRUE(std::isnan(got)) << code;
        continue;
      }
      const double size = formats[f].sizes()[size_t(plain)];
      ASSERT_EQ(got, code & formats[f].sign() ? -size : size) << code << " of format " << f;
      if (f > 1) continue;
      const double value = got, nothing = 0;
      const int want = int(value) + 3 * int(std::clamp(value, -128.0, 127.0)) +
                       7 * int(std::clamp(value, nothing, 255.0)) + 11 * int(std::clamp(value, nothing, 65535.0)) +
                       (plain ? 1 : 0);
      ASSERT_EQ(n[size_t(2 * code) + f], want) << code << " of format " << f;
      ASSERT_EQ(half(h[size_t(2 * code) + f]), value) << code;
    }
    const float power = v[size_t(6 * code + 5)];
    if (code == 255) EXPECT_TRUE(std::isnan(power));
    else ASSERT_EQ(power, std::ldexp(1.0, code - 127)) << code;
  }

  const int groups = 1000;
  const auto lanes = random_floats(4 * groups, -8, 8);
  ArrayPtr dl = runner->put(lanes), packed = runner->put(std::vector<uint32_t>(3 * groups)),
           back = runner->put(std::vector<float>(8 * groups));
  runner->run("vectors", line(groups, 128), Runner::address(dl), packed, Runner::address(back), groups);
  const auto p = runner->get<uint32_t>(packed);
  const auto b = runner->get<float>(back);
  for (size_t i = 0; i < size_t(groups); ++i)
    for (size_t lane = 0; lane < 4; ++lane) {
      const std::vector<int> want = codes_of(lanes[4 * i + lane]);
      ASSERT_EQ(int(p[3 * i] >> 8 * lane & 255), want[0]);
      if (lane < 2) {
        ASSERT_EQ(int(p[3 * i + 1] >> 8 * lane & 255), want[2]);
      }
      ASSERT_EQ(int(p[3 * i + 2] >> 4 * lane & 15), want[6]);
      ASSERT_EQ(b[8 * i + lane], v[size_t(6 * want[0])]);
      ASSERT_EQ(b[8 * i + 4 + lane], v[size_t(6 * want[6] + 4)]);
    }

  // Sums of a few small numbers are exact.
  std::vector<uint8_t> rows(64 * 12), vector(12);
  std::mt19937 engine(3);
  for (auto* bytes : {&rows, &vector})
    for (uint8_t& byte : *bytes) byte = uint8_t(0x30 + engine() % 16 + (engine() % 2) * 0x80);  // sizes in [0.5, 2)
  std::vector<float> want(64);
  for (size_t row = 0; row < 64; ++row)
    for (size_t k = 0; k < 12; ++k) want[row] += v[size_t(6 * rows[12 * row + k])] * v[size_t(6 * vector[k])] * 0.25f;
  ArrayPtr dr = runner->put(rows), dv = runner->put(vector), dw = runner->put(std::vector<float>(64));
  runner->run("scaled_dot", line(64, 32), Runner::address(dr), Runner::address(dv), 0.25f, dw, 12);
  EXPECT_EQ(runner->get<float>(dw), want);
}

// What cuRAND 10.4 gives for these.
const std::vector<uint64_t> kFrom = {0,
                                     0,
                                     0,
                                     1234,
                                     0,
                                     0,
                                     1234,
                                     1,
                                     0,
                                     0x123456789abcdef,
                                     987654321,
                                     12345678901,
                                     42,
                                     (1ull << 40) + 3,
                                     (1ull << 50) + 7,
                                     ~0ull,
                                     5,
                                     3};
const std::vector<uint32_t> kBits = {
    0xbd7f03b6, 0x703e556d, 0x845af0c5, 0x283067fd, 0x1245241f, 0x3eeccde6, 0xefcda8a7, 0x3fd51435, 0x2083cd07,
    0x518b05c4, 0x4f26d091, 0xd36ab334, 0x38bcbcf8, 0x3f088c9a, 0x2a1ed5f4, 0x3fdec501, 0x6627e8d5, 0xe169c58d,
    0xbc57ac4c, 0x9b00dbd8, 0xf8e4cca4, 0x3eb96402, 0x9d800000, 0x3fe634ae, 0x253d5e15, 0x6f558604, 0xdee6daf2,
    0x7485b394, 0xdb6a6a85, 0x3f15195c, 0x9b2f3440, 0x3fe92d04, 0xc96891f0, 0x9650c684, 0x0cbc7881, 0x5fa111cd,
    0x864a3897, 0x3f7a61df, 0x52a57485, 0x3fd99871, 0x2090b348, 0xda7cf0ab, 0x4401906f, 0xcbca470e, 0x9eeede35,
    0x3de5f09c, 0x12800000, 0x3fef44ee, 0xd1f7605a, 0xed29ae49, 0x83030ed9, 0x899fbaf4, 0xcf2ac63b, 0x3c8f8db7,
    0x4407c980, 0x3fe99445, 0x26f0d612, 0xac5068d7, 0xa3dbc910, 0x8fa62437, 0x76c19809, 0x3f015d32, 0x0ee27adc,
    0x3fd8a99f, 0xd115a128, 0x52fc7c75, 0xc7f33f17, 0x0f1539db, 0x07129e5f, 0x3eca7af5, 0xc2000000, 0x3fbd8331,
    0xa8debbbe, 0x2ef33ddd, 0x8c98413c, 0x88ff4c1e, 0x94e3bae2, 0x3f797476, 0x2e29f153, 0x3fd55d78, 0xf6ac1f0e,
    0xf8c9b043, 0x7a5775b0, 0x85988bd6, 0x23239524, 0x3f3feca7, 0x4de1cfec, 0x3febdfec, 0xe11e3dd9, 0x1eb52054,
    0x05d9f4fd, 0x3b95018e, 0x8a2ab0a4, 0x3de387b8, 0x24c00000, 0x3fd9ba3a, 0x9cf28556, 0xb89a25f9, 0x9457f224,
    0xd5b45acb, 0xfb3bb585, 0x3cdc5563, 0xe8e3c17b, 0x3fd707bd, 0x8bb7ef0c, 0xb544d3ff, 0xbb1aabd7, 0xcc699a8e,
    0x93222e6f, 0x3cb1877b, 0x801847dd, 0x3fe58d34, 0x8db79a5e, 0x7bec373a, 0x2b158aa9, 0x5a48b619, 0x6ec5a355,
    0x3e740feb, 0xe8c00000, 0x3fdc3c27, 0xe9cc1f59, 0x32ff41d5, 0x528ab98c, 0xca99c4eb, 0x3aa50bdd, 0x3ec79a55,
    0x2c925df0, 0x3fe589f5, 0xe111d74d, 0x9a9409c6, 0x08e1cd09, 0x4211fdfc, 0xb49e0c4a, 0x3da412fc, 0x12ca95d9,
    0x3febc379, 0xb95a2bc5, 0x89be0a79, 0x299fcc5b, 0x092a82db, 0xee207316, 0x3e29cbd1, 0x43000000, 0x3fbf117d,
};
const double kNormals[][10] = {
    {0.437229991, 1.33379793, 0.832899809, -1.62001264, -0.06786238332973658, 1.168241541750431, -0.03637997845028269,
     1.411629355989877, 2.56029034, 0.6240996155051383},
    {-0.806413651, 0.200411454, 1.28938162, 0.694449008, -0.2685987352711598, 0.3915031940624653, 1.329509173789765,
     1.966797250216487, 0.515462101, 1.544946029565332},
    {0.787892163, 0.715179741, 0.689315975, -0.798028231, 1.70539758688935, 1.264629503911975, 2.906723103749896,
     0.03403289414279025, 0.942961693, 1.580615005947758},
    {0.927827239, -0.182500049, -1.77844095, 1.7289741, -0.468594343473143, -0.5408518932353117, 0.223011079121686,
     0.5055249919665956, 0.726834238, 0.6867892483479762},
    {0.578242242, 0.0995715782, -1.35815763, 1.46201038, 0.1480688034504009, 0.8790981749969902, -0.1471197507919678,
     0.4515990382737841, 0.536470056, 0.8307002104268946},
    {1.164976, 0.454533577, -0.319769353, -0.072560139, -1.265783850466559, 0.3574544484478627, 1.05064070169391,
     1.561737434702, 0.982985318, 0.8850382916835072},
};

struct Four {
  size_t thread;
  uint32_t words[4];
  float uniform[4];
  double doubles[2];
};
const Four kFours[] = {
    {3,
     {0x6b61f47d, 0xad68e232, 0x9fdd9d89, 0xc41ce4fb},
     {0x1.79acd6p-4, 0x1.f2851ap-1, 0x1.7e8eaep-1, 0x1.45043ap-1},
     {0x1.eceeb9ce2a134p-4, 0x1.c31da2dfb82e9p-2}},
    {61,
     {0x2608f8f6, 0x5a34bef4, 0xf9026718, 0x57cc1fea},
     {0x1.d39432p-1, 0x1.089216p-1, 0x1.8cacaep-1, 0x1.1ae034p-4},
     {0x1.4e7b585b02002p-3, 0x1.5967c3945f3acp-4}},
};

TEST_P(Kernels, RandomStatesGiveTheNumbersOfCurand) {
  KERNEL("random_states", {"bits", "four_at_once", "prepare", "draw", "normal_numbers"});
  ArrayPtr from = runner->put(kFrom), words = runner->put(std::vector<uint32_t>(kBits.size()));
  runner->run("bits", line(6, 32), Runner::address(from), words, 6);
  EXPECT_EQ(runner->get<uint32_t>(words), kBits);

  ArrayPtr normal = runner->put(std::vector<double>(60));
  runner->run("normal_numbers", line(2, 2), uint64_t(77), normal);
  const auto got = runner->get<double>(normal);
  for (size_t i = 0; i < 60; ++i) {  // cuRAND takes a GPU's fast sines for floats
    const double want = kNormals[i / 10][i % 10], bound = i % 10 < 4 || i % 10 == 8 ? 5e-6 : 2e-15;
    EXPECT_NEAR(got[i], want, bound * std::max(1.0, std::fabs(want))) << i;
  }

  // Four at once are four in a row.
  const int threads = 64;
  ArrayPtr four = runner->put(std::vector<uint32_t>(4 * threads)),
           uniform = runner->put(std::vector<float>(4 * threads)),
           doubles = runner->put(std::vector<double>(2 * threads));
  runner->run("four_at_once", line(threads, 32), uint64_t(99), Runner::address(four), Runner::address(uniform),
              Runner::address(doubles));
  const auto w = runner->get<uint32_t>(four);
  const auto u = runner->get<float>(uniform);
  const auto d = runner->get<double>(doubles);
  for (const Four& want : kFours)
    for (size_t k = 0; k < 4; ++k) {
      EXPECT_EQ(w[4 * want.thread + k], want.words[k]);
      EXPECT_EQ(u[4 * want.thread + k], want.uniform[k]);
      if (k < 2) {
        EXPECT_EQ(d[2 * want.thread + k], want.doubles[k]);
      }
    }

  const int n = 200, each = 50;
  const size_t count = size_t(n) * each;
  ArrayPtr states = runner->put(std::vector<uint64_t>(6 * n)), gauss = runner->put(std::vector<float>(count)),
           log_gauss = runner->put(std::vector<float>(count)), counts = runner->put(std::vector<uint32_t>(3 * count));
  runner->run("prepare", line(n, 64), Runner::address(states), uint64_t(5), n);
  for (int launch = 0; launch < 2; ++launch)
    runner->run("draw", line(n, 64), Runner::address(states), gauss, log_gauss, counts, n, each);
  const auto moments = [&](auto&& value) {
    double sum = 0, squares = 0;
    for (size_t i = 0; i < count; ++i) sum += value(i), squares += value(i) * value(i);
    const double mean = sum / double(count);
    return std::pair<double, double>(mean, squares / double(count) - mean * mean);
  };
  const auto g = runner->get<float>(gauss), l = runner->get<float>(log_gauss);
  const auto c = runner->get<uint32_t>(counts);
  const double expected[][2] = {{0, 1}, {0.5, 0.0625}, {4.5, 4.5}, {300, 300}, {10000, 10000}};
  for (int kind = 0; kind < 5; ++kind) {
    const auto [mean, variance] = moments([&](size_t i) {
      return kind == 0 ? double(g[i]) : kind == 1 ? std::log(double(l[i])) : double(c[3 * i + size_t(kind - 2)]);
    });
    const double spread = expected[kind][1];  // five standard deviations of each estimate
    EXPECT_NEAR(mean, expected[kind][0], 5 * std::sqrt(spread / double(count))) << kind;
    EXPECT_NEAR(variance, spread, 5 * spread * std::sqrt(2.5 / double(count))) << kind;
  }
}

TEST_P(Kernels, BlocksOfAClusterReachEachOther) {
  KERNEL("clusters", {"histogram", "ring", "places", "alone", "early"});
  const auto x = random_ints(5000, 0, 63);
  std::vector<uint32_t> want(64);
  for (int bin : x) ++want[size_t(bin)];
  ArrayPtr dx = runner->put(x), bins = runner->put(std::vector<uint32_t>(64));
  runner->run("histogram", Grid{{24, 1, 1}, {64, 1, 1}}, dx, int(x.size()), bins);
  EXPECT_EQ(runner->get<uint32_t>(bins), want);

  const uint32_t size = 8, blocks = 16, threads = 40;
  for (uint32_t rounds : {1u, 3u, 11u}) {
    ArrayPtr y = runner->put(std::vector<int>(blocks * threads));
    Grid grid{{blocks, 1, 1}, {threads, 1, 1}, threads * 4};
    grid.cluster[0] = size;
    runner->run("ring", grid, y, int(rounds));
    const auto got = runner->get<int>(y);
    for (uint32_t b = 0; b < blocks; ++b)
      for (uint32_t t = 0; t < threads; ++t) {
        const uint32_t from = b / size * size + (b % size + size * 2 - rounds % size) % size;
        ASSERT_EQ(got[b * threads + t], int(from * 1000 + t + rounds)) << b << " " << t << " " << rounds;
      }
  }

  const int bx = 4, by = 2, bz = 2, nx = 4, ny = 3, count = nx * ny;
  ArrayPtr where = runner->put(std::vector<int>(size_t(10 * bx * by * bz * count)));
  runner->run("places", Grid{{bx, by, bz}, {nx, ny, 1}}, where);
  const auto p = runner->get<int>(where);
  for (int number = 0; number < bx * by * bz; ++number)
    for (int t = 0; t < count; ++t) {
      const int cx = number % bx, cy = number / bx % by, rank = cx % 2 + 2 * (cy % 2);
      const int last = number - (cx % 2) - bx * (cy % 2) + 1 + bx;
      const std::vector<int> got(&p[size_t(10 * (number * count + t))], &p[size_t(10 * (number * count + t))] + 10);
      ASSERT_EQ(got, (std::vector<int>{cx % 2, cy % 2, rank, 2, rank * count + t, 4 * count, cx / 2, 3, last, 4}));
    }

  ArrayPtr y = runner->put(std::vector<int>(32));
  runner->run("alone", line(32, 32), y);
  EXPECT_EQ(runner->get<int>(y), std::vector<int>(32, 17));
  ArrayPtr sums = runner->put(std::vector<int>(6));
  runner->run("early", Grid{{6, 1, 1}, {64, 1, 1}}, sums);
  EXPECT_EQ(runner->get<int>(sums), std::vector<int>(6, 120));

  EXPECT_NE(TENON_OK, runner->try_run("histogram", Grid{{6, 1, 1}, {64, 1, 1}}, dx, int(x.size()), bins));
  if (runner->on_cpu()) {
    EXPECT_NE(std::string(tenon_error_last_message()).find("is not a multiple of 4, its __cluster_dims__"),
              std::string::npos)
        << tenon_error_last_message();
  }
}

// What `fill` of launches.cu does.
void fill(std::vector<int>& y, int first, int last, int depth) {
  if (last - first <= 4) {
    for (int i = first; i < last; ++i) y[size_t(i)] = 100 * depth + i - first;
    return;
  }
  const int middle = (first + last) / 2;
  fill(y, first, middle, depth + 1);
  fill(y, middle, last, depth + 1);
}

TEST_P(Kernels, LaunchesFromKernelsRunInTheirOrder) {
  KERNEL("launches", {"steps", "divide", "iterate", "rows"});
  const int n = 300;
  std::vector<int> want(n);
  ArrayPtr y = runner->put(want);
  runner->run("steps", line(n, 64), y, n);
  for (int i = 0; i < n; ++i) want[size_t(i)] = (i + 1) * 3 - 2;
  EXPECT_EQ(runner->get<int>(y), want);

  runner->run("divide", line(32, 32), y, n);
  fill(want, 0, n, 0);
  EXPECT_EQ(runner->get<int>(y), want);

  for (int rounds : {0, 1, 200}) {
    std::vector<int> state(35);
    for (int i = 0; i < 32; ++i) state[size_t(i)] = i;
    ArrayPtr z = runner->put(state);
    runner->run("iterate", line(32, 32), z, rounds);
    const auto sum = [&] { state[32] = std::accumulate(state.begin(), state.begin() + 32, 0); };
    sum();
    for (int round = 0; round < rounds; ++round) {
      state[34] = int(state[32] * 0.0625) % 7;
      for (int i = 0; i < 32; ++i) state[size_t(i)] += state[34] - 2;
      sum();
    }
    state[33] = rounds;
    EXPECT_EQ(runner->get<int>(z), state) << rounds;
  }

  const int width = 24, threads = 32;
  const auto x = random_ints(width * threads, -50, 50);
  ArrayPtr r = runner->put(x);
  runner->run("rows", line(threads, 16), r, width);
  std::vector<int> turned(x.size());
  for (int row = 0; row < threads; ++row)
    for (int i = 0; i < width; ++i) turned[size_t(row * width + i)] = x[size_t(row * width + width - 1 - i)] + row % 16;
  EXPECT_EQ(runner->get<int>(r), turned);
}

TEST_P(Kernels, WideTilesMeetAndReduce) {
  KERNEL("wide_tiles", {"sums_64", "sums_256", "sums_512", "shift"});
  const int blocks = 3, threads = 512;
  const auto x = random_ints(size_t(blocks * threads), 0, 40);
  ArrayPtr dx = runner->put(x);
  for (const auto& [kernel, size] :
       std::vector<std::pair<const char*, int>>{{"sums_64", 64}, {"sums_256", 256}, {"sums_512", 512}}) {
    std::vector<int> want;
    for (auto part = x.begin(); part != x.end(); part += size) {
      const bool any = std::find(part, part + size, 7) != part + size;
      want.insert(want.end(), {std::accumulate(part, part + size, 0), part[0], part[size - 1], any, 1, size});
    }
    ArrayPtr y = runner->put(std::vector<int>(want.size()));
    runner->run(kernel, Grid{{blocks, 1, 1}, {threads, 1, 1}}, dx, y);
    EXPECT_EQ(runner->get<int>(y), want) << kernel;
  }
  std::vector<int> want(512);
  ArrayPtr y = runner->put(want);
  runner->run("shift", line(256, 256), y);
  for (int t = 0; t < 256; ++t) {
    want[size_t(2 * t)] = t / 128 * 128 + (t % 128 + 3 + 4 * (t / 128)) % 128;
    want[size_t(2 * t + 1)] = t % 128 / 32 * 10 + 4;
  }
  EXPECT_EQ(runner->get<int>(y), want);
}

}  // namespace
