// tests/kernels/texts/warp_texts.cpp: short texts of warps, groups, clusters and tensor cores.
#include <array>
#include "../kernels.hpp"

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
  expect_each(runner->call<float>("butterfly", line(64, 64), 64, x),
              [&](int t) { return std::accumulate(x.begin() + t / 32 * 32, x.begin() + t / 32 * 32 + 32, 0.0f); });
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
  expect_each(runner->call<int64_t>("scan", line(64, 64), 64, x),
              [&](int t) { return std::accumulate(x.begin() + t / 32 * 32, x.begin() + t + 1, int64_t(0)); });
}

TEST_P(Kernels, TheFirstGreatestValueIsFound) {
  TEXT("warps", "argmax_down");
  std::vector<float> x(96);
  for (int i = 0; i < 96; ++i) x[size_t(i)] = float(i * 37 % 23);
  expect_each(runner->call<int>("argmax", line(96, 96), 3, x),
              [&](int w) { return std::max_element(x.begin() + w * 32, x.begin() + w * 32 + 32) - x.begin(); });
}

TEST_P(Kernels, FourThreadsSum) {
  TEXT("groups", "tiles_of_four");
  const auto x = random_ints(96, 0, 99);
  expect_each(runner->call<int>("sums", line(96, 96), 24, x),
              [&](int i) { return std::accumulate(x.begin() + 4 * i, x.begin() + 4 * i + 4, 0) * 100 + 24; });
}

TEST_P(Kernels, GroupsReduceByEveryOperator) {
  TEXT("groups", "reduce_operators");
  const auto x = random_ints(64, 1, 1000);
  std::vector<int> want;
  for (int w = 0; w < 2; ++w) {
    std::vector<int> all = {0, INT32_MAX, 0, -1, 0, 0, 1};
    for (int i = w * 32; i < w * 32 + 32; ++i) {
      const int v = x[size_t(i)];
      all[0] += v, all[1] = std::min(all[1], v), all[2] = std::max(all[2], v);
      all[3] &= v, all[4] |= v, all[5] ^= v, all[6] = all[6] * v % 1009;
    }
    want.insert(want.end(), all.begin(), all.end());
  }
  EXPECT_EQ(runner->call<int>("reduce", line(64, 64), 14, x), want);
}

TEST_P(Kernels, TilesScan) {
  TEXT("groups", "scans_of_tiles");
  const auto x = random_ints(64, -50, 99);
  std::vector<std::array<int, 2>> want(64);
  for (int t = 0; t < 64; ++t) {
    const auto first = x.begin() + t / 16 * 16, last = x.begin() + t;
    want[size_t(t)] = {*std::max_element(first, last + 1), std::accumulate(first, last, 0)};
  }
  EXPECT_EQ((runner->call<std::array<int, 2>>("scan", line(64, 64), 64, x)), want);
}

TEST_P(Kernels, ActiveThreadsShuffleByRank) {
  TEXT("groups", "coalesced_shuffle");
  const auto x = random_ints(64, 0, 20);
  std::vector<int> want(64);
  for (int w = 0; w < 64; w += 32) {
    std::vector<int> at;
    for (int t = w; t < w + 32; ++t)
      if (x[size_t(t)] % 2 == 0) at.push_back(t);
    const int n = int(at.size());
    for (int r = 0; r < n; ++r) {
      const int next = x[size_t(at[size_t(std::min(r + 1, n - 1))])],
                before = x[size_t(at[size_t(std::max(r - 1, 0))])];
      want[size_t(at[size_t(r)])] = r + 100 * n + 10000 * x[size_t(at[0])] + (next + before) * 1000000;
    }
  }
  EXPECT_EQ(runner->call<int>("evens", line(64, 64), 64, x), want);
}

TEST_P(Kernels, LanesArePartedByLabels) {
  TEXT("groups", "labels");
  const auto x = random_ints(64, 0, 99);
  expect_each(runner->call<int>("labels", line(64, 64), 64, x), [&](int t) {
    int rank = 0, size = 0, half_rank = 0, half = 0;
    for (int i = t / 32 * 32; i < t / 32 * 32 + 32; ++i) {
      const bool same = x[size_t(i)] % 5 == x[size_t(t)] % 5, side = (x[size_t(i)] > 50) == (x[size_t(t)] > 50);
      rank += same && i < t, size += same, half_rank += side && i < t, half += side;
    }
    return rank + 100 * size + 10000 * half_rank + 1000000 * half;
  });
}

TEST_P(Kernels, TilesVoteAndMatch) {
  TEXT("groups", "tile_votes");
  const auto x = random_ints(64, 0, 99);
  expect_each(runner->call<uint32_t>("votes", line(64, 64), 64, x), [&](int t) {
    uint32_t odd = 0, same = 0, any = 0, all = 1;
    for (int k = 0; k < 8; ++k) {
      const int v = x[size_t(t / 8 * 8 + k)];
      odd |= uint32_t(v % 2) << k, same |= uint32_t(v % 3 == x[size_t(t)] % 3) << k;
      any |= v > 90, all &= v > 5;
    }
    return odd | same << 8 | 255u << 16 | any << 24 | all << 25 | 1u << 26;
  });
}

TEST_P(Kernels, AFunctionTakesAnyGroup) {
  TEXT("groups", "any_group");
  const auto x = random_ints(128, 0, 99);
  std::vector<int> want = {std::accumulate(x.begin(), x.end(), 0)};
  for (int w = 0; w < 128; w += 32) want.push_back(std::accumulate(x.begin() + w, x.begin() + w + 32, 0));
  EXPECT_EQ(runner->call<int>("sums", line(128, 128), 5, x), want);
}

TEST_P(Kernels, GroupsAreMadeAtRunTime) {
  TEXT("groups", "group_at_run_time");
  for (int size : {2, 16, 32})
    expect_each(runner->call<int>("ranks", line(64, 64), 64, size),
                [&](int t) { return t % size * 1000 + size + 1000000 * t; });
}

TEST_P(Kernels, BlocksOfThreeDimensionsAreRanked) {
  TEXT("groups", "block_shapes");
  expect_each(runner->call<int>("shapes", Grid{{3, 2, 1}, {4, 3, 2}}, 6 * 24), [](int i) {
    const int block = i / 24, t = i % 24;
    return (block % 3 * 10 + block / 3) * 1000 + t % 4 * 100 + t / 4 % 3 * 10 + t / 12 + 2400000 + 60000000;
  });
}

TEST_P(Kernels, AGroupCopiesToSharedMemory) {
  TEXT("groups", "copy_to_shared");
  const auto x = random_floats(3 * 100, -1, 1);
  expect_each(runner->call<float>("reversed", Grid{{3, 1, 1}, {32, 1, 1}, 400}, 300, x, 100),
              [&](int i) { return x[size_t(i / 100 * 100 + 99 - i % 100)]; });
}

TEST_P(Kernels, OneThreadOfAGroupWorks) {
  TEXT("groups", "one_of_group");
  const auto x = random_ints(96, 0, 99);
  std::vector<int> want(97);
  want[0] = 3;
  for (int w = 0; w < 96; w += 32) {
    const int count = int(std::count_if(x.begin() + w, x.begin() + w + 32, [](int v) { return v > 50; }));
    for (int t = w; t < w + 32; ++t)
      if (x[size_t(t)] > 50) want[size_t(t + 1)] = 1000 + count;
  }
  EXPECT_EQ(runner->call<int>("one", line(96, 96), 97, x), want);
}

TEST_P(Kernels, TilesArePartedAgain) {
  TEXT("groups", "tiles_of_tiles");
  expect_each(runner->call<int>("nested", line(64, 64), 64), [](int t) {
    return t % 2 + 10 * (t % 8 / 2) + 800 + 1000 * (t % 32 / 8) + 50000 + 100000 * (1 - t % 2);
  });
}

TEST_P(Kernels, ActiveThreadsArePartedInFours) {
  TEXT("groups", "split_active");
  const auto x = random_ints(64, 0, 99);
  std::vector<int> want(64);
  for (int w = 0; w < 64; w += 32) {
    std::vector<int> at;
    for (int t = w; t < w + 32; ++t)
      if (x[size_t(t)] % 3 == 0) at.push_back(t);
    for (size_t r = 0; r < at.size(); ++r) {
      int sum = 0, size = 0;
      for (size_t k = r / 4 * 4; k < std::min(at.size(), r / 4 * 4 + 4); ++k) sum += x[size_t(at[k])], ++size;
      want[size_t(at[r])] = int(r % 4) + 10 * size + 100 * sum;
    }
  }
  EXPECT_EQ(runner->call<int>("split", line(64, 64), 64, x), want);
}

TEST_P(Kernels, AWaveCrossesTheGrid) {
  TEXT("groups", "grid_waves");
  auto x = random_ints(200, 0, 99);
  Grid grid = line(256, 64);
  grid.flags = TENON_LAUNCH_COOPERATIVE;
  const auto got = runner->update("wave", grid, x, std::vector<int>(200), 200, 4);
  for (int step = 0; step < 4; ++step) {
    const auto before = x;
    for (size_t i = 0; i < 200; ++i) x[i] = before[i] + before[(i + 1) % 200] % 7;
  }
  EXPECT_EQ(got, x);
}

TEST_P(Kernels, BlocksOfAClusterMeetByPtx) {
  TEXT("clusters", "cluster_ptx");
  expect_each(runner->call<uint32_t>("ring", Grid{{8, 1, 1}, {32, 1, 1}}, 256), [](int i) {
    const uint32_t block = uint32_t(i) / 32, t = uint32_t(i) % 32, me = block % 4;
    return (me + 3) % 4 * 100 + t + 1000 * ((me + 1) % 4) + 10000 * (block / 4 + 20 + 100 + 1000) + 128 * 100000000u;
  });
}

TEST_P(Kernels, ClustersHaveSizesOfTemplates) {
  TEXT("clusters", "dims_of_templates");
  EXPECT_EQ(runner->call<int>("blocks<2>", Grid{{4, 1, 1}, {32, 1, 1}}, 4), (std::vector<int>{12, 12, 34, 34}));
  EXPECT_EQ(runner->call<int>("blocks<3>", Grid{{3, 1, 1}, {32, 1, 1}}, 3), (std::vector<int>{123, 123, 123}));
}

TEST_P(Kernels, BlocksOfAClusterHoldParts) {
  TEXT("clusters", "histogram_shared");
  const auto x = random_ints(600, 0, 31);
  expect_each(runner->call<int>("histogram", Grid{{4, 1, 1}, {64, 1, 1}}, 32, x, 600),
              [&](int i) { return 2 * std::count(x.begin(), x.end(), i); });
}

TEST_P(Kernels, BarriersCountBytes) {
  TEXT("copies", "bulk");
  const auto x = random_ints(5 * 64, 0, 999);
  expect_each(runner->call<int>("reversed", line(64, 64), 320, x, 5),
              [&](int i) { return x[size_t(i / 64 * 64 + 63 - i % 64)] + i / 64; });
}

TEST_P(Kernels, ABarrierExpectsBytes) {
  TEXT("copies", "barrier_of_bytes");
  const auto x = random_ints(64, 0, 99);
  expect_each(runner->call<int>("sums", line(64, 64), 64, x),
              [&](int t) { return x[size_t(t)] + x[size_t(63 - t)] * 100; });
}

TEST_P(Kernels, CopiesTakeTurns) {
  TEXT("copies", "two_stages");
  std::vector<float> x(5 * 128);
  for (size_t i = 0; i < x.size(); ++i) x[i] = float(i * 7 % 31);
  expect_each(runner->call<float>("sums", line(32, 32), 32, x, 5), [&](int t) {
    float sum = 0;
    for (int k = 0; k < 5; ++k)
      for (int i = 0; i < 4; ++i) sum += x[size_t(k * 128 + (t * 4 + i + 32 * k) % 128)] * float(i + 1);
    return sum;
  });
}

TEST_P(Kernels, PrimitivesCopy) {
  TEXT("copies", "pipeline_primitives");
  std::vector<double> x(128);
  for (size_t i = 0; i < 128; ++i) x[i] = double(i) / 3;
  expect_each(runner->call<double>("turned", Grid{{2, 1, 1}, {64, 1, 1}}, 128, x),
              [&](int i) { return x[size_t(i / 64 * 64 + i % 64 * 7 % 64)]; });
}

TEST_P(Kernels, ThreadsArriveEarly) {
  TEXT("copies", "split_arrival");
  std::vector<int> want(64);
  std::iota(want.begin(), want.end(), 0);
  for (int k = 0; k < 6; ++k) {
    const auto before = want;
    for (size_t t = 0; t < 64; ++t) want[t] = before[t] * 2 % 1000 + before[(t + 1) % 64];
  }
  EXPECT_EQ(runner->call<int>("rounds", line(64, 64), 64, 6), want);
}

}  // namespace
