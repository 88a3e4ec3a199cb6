// tests/kernels/texts/order_texts.cpp: short texts that reduce, scan and sort.
#include <array>
#include "../kernels.hpp"

namespace {

using namespace test;

TEST_P(Kernels, RowsHaveTheirLeastAndGreatest) {
  TEXT("reductions", "least_and_greatest");
  const auto x = random_ints(5 * 200, -1000, 1000);
  std::vector<int> want;
  for (int r = 0; r < 5; ++r) {
    const auto [low, high] = std::minmax_element(x.begin() + r * 200, x.begin() + r * 200 + 200);
    want.insert(want.end(), {*low, *high});
  }
  EXPECT_EQ(runner->call<int>("ends", Grid{{5, 1, 1}, {64, 1, 1}}, 10, x, 200), want);
}

TEST_P(Kernels, DoublesAreMultipliedAndSummed) {
  TEXT("reductions", "dot_double");
  std::vector<double> a(1000), b(1000);
  for (size_t i = 0; i < 1000; ++i) a[i] = double(i % 17), b[i] = double(i % 9) - 4;
  const double want = std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
  EXPECT_EQ(runner->call<double>("dot", Grid{{3, 1, 1}, {128, 1, 1}}, 1, a, b, 1000)[0], want);
}

TEST_P(Kernels, ColumnsAreSummed) {
  TEXT("reductions", "columns");
  const int rows = 37, width = 50;
  const auto x = random_ints(size_t(rows * width), -99, 99);
  std::vector<int> want(size_t(width), 0);
  for (int i = 0; i < rows * width; ++i) want[size_t(i % width)] += x[size_t(i)];
  EXPECT_EQ(runner->call<int>("columns", Grid{{2, 1, 1}, {32, 8, 1}}, size_t(width), x, rows, width), want);
}

TEST_P(Kernels, BlocksCountAndAgree) {
  TEXT("reductions", "block_votes_count");
  const auto x = random_ints(4 * 96, 0, 99);
  expect_each(runner->call<int>("count", Grid{{4, 1, 1}, {96, 1, 1}}, 4, x), [&](int b) {
    const auto first = x.begin() + b * 96, last = first + 96;
    return std::count_if(first, last, [](int v) { return v % 2 == 0; }) * 4 +
           std::all_of(first, last, [](int v) { return v > 0; }) * 2 +
           std::any_of(first, last, [](int v) { return v > 95; });
  });
}

TEST_P(Kernels, MomentsAreMerged) {
  TEXT("reductions", "mean_and_variance");
  const auto x = random_floats(1001, 5, 6);
  const double mean = std::accumulate(x.begin(), x.end(), 0.0) / 1001;
  double squares = 0;
  for (float v : x) squares += (v - mean) * (v - mean);
  const auto got = runner->call<double>("moments", line(64, 64), 2, x, 1001);
  EXPECT_NEAR(got[0], mean, 1e-13);
  EXPECT_NEAR(got[1], squares / 1001, 1e-14);
}

TEST_P(Kernels, TheLastStepsAreUnrolled) {
  TEXT("reductions", "unrolled_template");
  const auto x = random_ints(3001, -99, 99);
  const int want = std::accumulate(x.begin(), x.end(), 0);
  EXPECT_EQ(runner->call<int>("reduce<64>", Grid{{3, 1, 1}, {64, 1, 1}, 256}, 1, x, 3001)[0], want);
  EXPECT_EQ(runner->call<int>("reduce<256>", Grid{{2, 1, 1}, {256, 1, 1}, 1024}, 1, x, 3001)[0], want);
}

TEST_P(Kernels, ExponentialsAreSummedWithoutOverflow) {
  TEXT("reductions", "log_sum_exp");
  const auto x = random_floats(4 * 70, 80, 120);
  const auto got = runner->call<float>("log_sum_exp", Grid{{4, 1, 1}, {32, 1, 1}}, 4, x, 70);
  for (size_t r = 0; r < 4; ++r) {
    double sum = 0;
    for (size_t i = 0; i < 70; ++i) sum += std::exp(double(x[r * 70 + i]));
    EXPECT_NEAR(got[r], std::log(sum), 2e-5) << r;
  }
}

TEST_P(Kernels, FourFloatsAreLoadedAtOnce) {
  TEXT("reductions", "by_float4");
  std::vector<std::array<float, 4>> x(333);
  float want = 0;
  for (size_t i = 0; i < x.size(); ++i)
    for (size_t k = 0; k < 4; ++k) want += x[i][k] = float((i * 7 + k) % 32);
  EXPECT_EQ(runner->call<float>("sum", line(64, 64), 1, x, 333)[0], want);
}

TEST_P(Kernels, SumsAreCompensated) {
  TEXT("reductions", "compensated");
  std::vector<float> x(32 * 1000, 1e-8f);
  std::fill(x.begin(), x.begin() + 32, 1.0f);
  for (float sum : runner->call<float>("sums", line(32, 32), 32, x, 1000)) EXPECT_NEAR(sum, 1.00000999, 1e-7);
}

TEST_P(Kernels, EqualKeysAreSummed) {
  TEXT("reductions", "keyed");
  auto keys = random_ints(300, 0, 40);
  std::sort(keys.begin(), keys.end());
  const auto x = random_ints(300, -9, 9, 2);
  std::vector<int> want(41);
  for (size_t i = 0; i < 300; ++i) want[size_t(keys[i])] += x[i];
  EXPECT_EQ(runner->call<int>("by_key", line(300, 64), 41, keys, x, 300), want);
}

std::vector<int> scanned(const std::vector<int>& x, int block) {
  std::vector<int> out(x);
  for (size_t i = 1; i < out.size(); ++i)
    if (i % size_t(block)) out[i] += out[i - 1];
  return out;
}

TEST_P(Kernels, AScanChangesBetweenTwoBuffers) {
  TEXT("scans", "two_buffers");
  const auto x = random_ints(300, -9, 9);
  EXPECT_EQ(runner->call<int>("scan", Grid{{3, 1, 1}, {100, 1, 1}, 800}, 300, x, 100), scanned(x, 100));
}

TEST_P(Kernels, AScanGoesUpAndDown) {
  TEXT("scans", "up_and_down");
  const auto x = random_ints(512, -9, 9);
  const auto sums = scanned(x, 256);
  expect_each(runner->call<int>("scan", Grid{{2, 1, 1}, {128, 1, 1}}, 512, x),
              [&](int i) { return sums[size_t(i)] - x[size_t(i)]; });
}

TEST_P(Kernels, FlagsBeginSegments) {
  TEXT("scans", "flags");
  const auto x = random_ints(128, -9, 9);
  std::vector<uint8_t> flags(128);
  std::vector<int> want(x);
  for (size_t i = 0; i < 128; ++i) {
    flags[i] = i % 7 == 3 || i % 10 == 9;
    if (i && !flags[i]) want[i] += want[i - 1];
  }
  EXPECT_EQ(runner->call<int>("scan", line(128, 128), 128, x, flags), want);
}

TEST_P(Kernels, FunctionsAreComposedByAScan) {
  TEXT("scans", "affine");
  std::mt19937 engine(5);
  std::vector<uint32_t> a(64), b(64);
  for (size_t i = 0; i < 64; ++i) a[i] = uint32_t(engine()), b[i] = uint32_t(engine());
  uint32_t value = 3;
  expect_each(runner->call<uint32_t>("compose", line(64, 64), 64, a, b),
              [&](int i) { return value = a[size_t(i)] * value + b[size_t(i)]; });
}

TEST_P(Kernels, ThreeLaunchesScanTheGrid) {
  TEXT("scans", "three_kernels");
  const auto x = random_ints(1000, -9, 9);
  auto sums = runner->call<int>("block_sums", line(1000, 128), 8, x, 1000);
  sums = runner->update("scan_sums", line(1, 1), sums, 8);
  EXPECT_EQ(runner->call<int>("scan_blocks", line(1000, 128), 1000, x, sums, 1000), scanned(x, 1000));
}

TEST_P(Kernels, ZerosAreLeftOut) {
  TEXT("scans", "compaction");
  auto x = random_ints(700, 0, 3);
  const auto got = runner->call<int>("compact", line(256, 256), 700, x, 700);
  x.erase(std::remove(x.begin(), x.end(), 0), x.end());
  x.resize(700);
  EXPECT_EQ(got, x);
}

TEST_P(Kernels, RunsHaveLengths) {
  TEXT("scans", "run_lengths");
  const auto x = random_ints(128, 0, 2);
  std::vector<int> want;
  for (int v : x) {
    if (want.empty() || want[want.size() - 2] != v) want.insert(want.end(), {v, 0});
    ++want.back();
  }
  want.resize(256);
  EXPECT_EQ(runner->call<int>("runs", line(128, 128), 256, x), want);
}

std::vector<int> in_order(std::vector<int> x) {
  std::sort(x.begin(), x.end());
  return x;
}

TEST_P(Kernels, NeighboursChangePlaces) {
  TEXT("sorts", "odd_even");
  const auto x = random_ints(90, -99, 99);
  EXPECT_EQ(runner->update("sort", line(45, 45), x, 90), in_order(x));
}

TEST_P(Kernels, ElementsGoToTheirRank) {
  TEXT("sorts", "by_rank");
  auto x = random_floats(150, -1, 1);
  const auto got = runner->call<float>("rank", Grid{{1, 1, 1}, {64, 1, 1}, 600}, 150, x, 150);
  std::sort(x.begin(), x.end());
  EXPECT_EQ(got, x);
}

TEST_P(Kernels, SortedHalvesAreMerged) {
  TEXT("sorts", "merge_by_search");
  auto x = random_ints(200, 0, 60);
  std::sort(x.begin(), x.begin() + 100);
  std::sort(x.begin() + 100, x.end());
  EXPECT_EQ(runner->call<int>("merge", line(200, 64), 200, x, 100), in_order(x));
}

TEST_P(Kernels, BytesAreSortedByCounts) {
  TEXT("sorts", "counting");
  std::vector<uint8_t> x(999);
  for (size_t i = 0; i < x.size(); ++i) x[i] = uint8_t(i * 2654435761u >> 11);
  const auto got = runner->call<uint8_t>("sort", line(256, 256), 999, x, 999);
  std::sort(x.begin(), x.end());
  EXPECT_EQ(got, x);
}

TEST_P(Kernels, BitsAreSortedOneByOne) {
  TEXT("sorts", "bit_by_bit");
  std::vector<uint32_t> x(128);
  for (size_t i = 0; i < x.size(); ++i) x[i] = uint32_t(i * 2654435761u) >> 22;
  const auto got = runner->update("sort", line(128, 128), x, 10);
  std::sort(x.begin(), x.end());
  EXPECT_EQ(got, x);
}

TEST_P(Kernels, ANetworkSortsRegisters) {
  TEXT("sorts", "network");
  auto x = random_ints(6 * 40, -9, 9);
  const auto got = runner->update("sort<int>", line(40, 32), x, 40);
  const auto real = runner->update("sort<double>", line(40, 32), std::vector<double>(x.begin(), x.end()), 40);
  for (int i = 0; i < 240; i += 6) std::sort(x.begin() + i, x.begin() + i + 6);
  EXPECT_EQ(got, x);
  EXPECT_EQ(real, std::vector<double>(x.begin(), x.end()));
}

TEST_P(Kernels, RowsHaveTheirGreatestFew) {
  TEXT("sorts", "greatest_few");
  const auto x = random_ints(3 * 500, 0, 9999);
  std::vector<int> want;
  for (int r = 0; r < 3; ++r) {
    std::vector<int> row(x.begin() + r * 500, x.begin() + r * 500 + 500);
    std::sort(row.rbegin(), row.rend());
    want.insert(want.end(), row.begin(), row.begin() + 4);
  }
  EXPECT_EQ(runner->call<int>("top", Grid{{3, 1, 1}, {32, 1, 1}}, 12, x, 500), want);
}

}  // namespace
