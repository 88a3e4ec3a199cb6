// tests/kernels/warp_texts.cpp: short texts of warps, groups, clusters and tensor cores.
#include "kernels.hpp"

namespace {

using namespace test;

constexpr int kLanes = 32;

TEST_P(Kernels, OddValuesAreRankedByVotes) {
  TEXT("warps", "ballot_rank");
  const auto x = random_ints(96, 0, 99);
  std::vector<int> want(96);
  for (int w = 0; w < 3; ++w)
    for (int lane = 0, to = w * kLanes; lane < kLanes; ++lane)
      if (x[size_t(w * kLanes + lane)] & 1) want[size_t(to++)] = x[size_t(w * kLanes + lane)];
  EXPECT_EQ(runner->call<int>("rank_odd", line(96, 96), 96, x), want);
}

TEST_P(Kernels, EqualLanesAreCountedTogether) {
  TEXT("warps", "match_histogram");
  const auto x = random_ints(128, 0, 9);
  const auto got = runner->call<int>("count", line(128, 128), 10, x);
  expect_each(got, [&](int i) { return std::count(x.begin(), x.end(), i); });
}

TEST_P(Kernels, AWarpAgreesOrNot) {
  TEXT("warps", "match_all_agree");
  std::vector<uint64_t> x(64, 1ull << 40);
  x[37] = 1;
  expect_each(runner->call<uint32_t>("agree", line(64, 64), 64, x), [](int i) { return i < 32 ? ~1u : 0u; });
}

TEST_P(Kernels, WarpsReduceByEveryOperation) {
  TEXT("warps", "reduce_each");
  std::mt19937 engine(4);
  std::vector<uint32_t> x(64), want(16);
  for (uint32_t& v : x) v = uint32_t(engine());
  for (int w = 0; w < 2; ++w) {
    const uint32_t* v = &x[size_t(w * kLanes)];
    uint32_t* to = &want[size_t(w * 8)];
    to[0] = to[4] = to[5] = 0, to[3] = ~0u;
    to[1] = *std::min_element(v, v + 32), to[2] = *std::max_element(v, v + 32);
    for (int i = 0; i < 32; ++i) to[0] += v[i], to[3] &= v[i], to[4] |= v[i], to[5] ^= v[i];
    const auto less = [](uint32_t a, uint32_t b) { return int32_t(a) < int32_t(b); };
    to[6] = *std::min_element(v, v + 32, less), to[7] = *std::max_element(v, v + 32, less);
  }
  EXPECT_EQ(runner->call<uint32_t>("reduce", line(64, 64), 16, x), want);
}

TEST_P(Kernels, ShufflesMoveEightBytes) {
  TEXT("warps", "shuffle_types");
  std::vector<double> x(64);
  for (int i = 0; i < 64; ++i) x[size_t(i)] = i * 7 % 100;
  const auto at = [&](int t, int width) { return x[size_t(t / width * width + width - 1 - t % width)]; };
  expect_each(runner->call<double>("turn", line(64, 64), 64, x),
              [&](int t) { return at(t, 32) + at(t, 16) * 1e3 + at(t, 8) * 1e6 + at(t, 4) * 1e9; });
}

TEST_P(Kernels, SegmentsGetTheirFirstValue) {
  TEXT("warps", "broadcast_segment");
  const auto x = random_ints(64, 0, 999);
  expect_each(runner->call<int>("first_of_segment", line(64, 64), 64, x),
              [&](int t) { return x[size_t(t / 8 * 8)] + x[size_t(t / 32 * 32 + 13)]; });
}

TEST_P(Kernels, EveryLaneGetsTheSum) {
  TEXT("warps", "butterfly");
  std::vector<float> x(64);
  for (int i = 0; i < 64; ++i) x[size_t(i)] = float(i * i % 50);
  expect_each(runner->call<float>("butterfly", line(64, 64), 64, x), [&](int t) {
    return std::accumulate(x.begin() + t / 32 * 32, x.begin() + t / 32 * 32 + 32, 0.0f);
  });
}

TEST_P(Kernels, LanesTransposeTheirRows) {
  TEXT("warps", "transpose_lanes");
  const auto x = random_ints(4 * 64, 0, 9999);
  expect_each(runner->call<int>("transpose", line(32, 32), 256, x),
              [&](int i) { return x[size_t(i / 64 * 64 + i % 8 * 8 + i / 8 % 8)]; });
}

TEST_P(Kernels, AWarpSortsItsValues) {
  TEXT("warps", "bitonic_lanes");
  auto x = random_ints(96, -99, 99);
  const auto got = runner->call<int>("sort", line(96, 96), 96, x);
  for (int w = 0; w < 96; w += 32) std::sort(x.begin() + w, x.begin() + w + 32);
  EXPECT_EQ(got, x);
}

TEST_P(Kernels, ActiveLanesTakePlacesTogether) {
  TEXT("warps", "aggregated_counter");
  const auto x = random_ints(500, 0, 99);
  std::vector<int> want;
  for (int v : x)
    if (v % 3 == 0) want.push_back(v);
  auto got = runner->call<int>("filter", line(500, 64), want.size(), x, 500);
  std::sort(got.begin(), got.end());
  std::sort(want.begin(), want.end());
  EXPECT_EQ(got, want);
}

TEST_P(Kernels, HalfAWarpVotesInABranch) {
  TEXT("warps", "votes_branch");
  const auto x = random_ints(64, 0, 8);
  expect_each(runner->call<int>("votes", line(64, 64), 64, x), [&](int t) {
    if (t % 32 >= 16) return -1;
    const auto first = x.begin() + t / 32 * 32;
    return std::all_of(first, first + 16, [](int v) { return v > 0; }) * 4 +
           std::any_of(first, first + 16, [](int v) { return v > 7; }) * 2 + (first[15] & 1);
  });
}

TEST_P(Kernels, LanesExchangeThroughSharedMemory) {
  TEXT("warps", "shared_exchange");
  const auto x = random_ints(128, 0, 999);
  expect_each(runner->call<int>("rotate", line(128, 128), 128, x),
              [&](int t) { return x[size_t(t / 32 * 32 + (t + 15) % 32)] + 3; });
}

TEST_P(Kernels, LanesScanLongIntegers) {
  TEXT("warps", "scan_up");
  std::vector<int64_t> x(64);
  for (int i = 0; i < 64; ++i) x[size_t(i)] = (int64_t(i) << 33) - i;
  expect_each(runner->call<int64_t>("scan", line(64, 64), 64, x), [&](int t) {
    return std::accumulate(x.begin() + t / 32 * 32, x.begin() + t + 1, int64_t(0));
  });
}

TEST_P(Kernels, TheFirstGreatestValueIsFound) {
  TEXT("warps", "argmax_down");
  std::vector<float> x(96);
  for (int i = 0; i < 96; ++i) x[size_t(i)] = float(i * 37 % 23);
  expect_each(runner->call<int>("argmax", line(96, 96), 3, x), [&](int w) {
    return std::max_element(x.begin() + w * 32, x.begin() + w * 32 + 32) - x.begin();
  });
}

}  // namespace
