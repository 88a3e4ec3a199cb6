// tests/kernels/texts/code_texts.cpp: short texts of the language, memory, launches from kernels and the heap.
#include "../kernels.hpp"

namespace {

using namespace test;

TEST_P(Kernels, ObjectsAnswerByVirtualFunctions) {
  TEXT("language", "virtual_functions");
  expect_each(runner->call<int>("areas", line(40, 32), 32), [](int t) { return t % 2 ? t * t : 3 * t; });
}

TEST_P(Kernels, FunctionsAreInTables) {
  TEXT("language", "function_tables");
  expect_each(runner->call<int>("tables", line(32, 32), 32), [](int t) {
    const int first = t % 3 == 0 ? t + 4 : t % 3 == 1 ? t - 4 : t * 4;
    const int v = (first * 1000 + (t % 2 ? t + 2 : t * 2) + 5) * 3 - 1;
    return t % 2 ? 2 * v : v + 7;
  });
}

TEST_P(Kernels, PacksAreFolded) {
  TEXT("language", "folds");
  const auto x = random_ints(34, 0, 9);
  expect_each(runner->call<int>("packs", line(32, 32), 32, x), [&](int t) {
    const int* v = &x[size_t(t)];
    return v[0] + 2 + 'a' + 7 + 1000 * (v[0] % 2 == 0) + 10000 * (3 * v[0] + v[1] + 2 * v[2]) + 11000000;
  });
}

TEST_P(Kernels, BasesKnowWhatDerives) {
  TEXT("language", "base_by_template");
  expect_each(runner->call<int>("bases", line(32, 32), 32),
              [](int t) { return 2 * t + (10 + t) * 300 + 2500000 + 120000000; });
}

TEST_P(Kernels, ClosuresAreComposed) {
  TEXT("language", "closures");
  expect_each(runner->call<int>("closures", line(32, 32), 32, 11), [](int t) {
    return 2 * t + 11 + 1000 * (t + 6) + 100000 + 1000000 * std::min(t, 7) + (t > 0 ? 10000000 : 0);
  });
}

TEST_P(Kernels, ValuesAreBound) {
  TEXT("language", "bindings");
  expect_each(runner->call<int>("bindings", line(32, 32), 32),
              [](int t) { return 6 * (t / 2) + 3 * (t + 1) + 1 + (t % 2 ? 26000 : 20000); });
}

int jumped(int t, int n) {
  int sum = 0, i = 0;
  for (bool out = false; !out;) {
    for (int k = 0; k != t % 5; ++k) {
      if (k > 2) {
        out = true;
        break;
      }
      sum += k;
    }
    if (!out) out = ++i >= 3;
  }
  do sum += i, --n;
  while (n > 0 && sum < 50);
  const int entry = n % 4;
  sum += entry == 3 ? 700 : entry == 2 ? 600 : entry == 1 ? 400 : 0;
  for (--i; i > 0; --i) sum += 700;
  return sum;
}

TEST_P(Kernels, CodeJumps) {
  TEXT("language", "jumps");
  for (int n : {1, 6, 30})
    expect_each(runner->call<int>("jumps", line(32, 32), 32, n), [&](int t) { return jumped(t, n); });
}

TEST_P(Kernels, VariablesKeepTheirValue) {
  TEXT("language", "statics");
  const float weights[] = {8, 0.5f, 2};
  expect_each(runner->call<float>("first", line(32, 32), 32), [&](int t) { return weights[t % 3]; });
  EXPECT_EQ(runner->call<int>("second", line(1, 1), 3), (std::vector<int>{128, 48, 48}));
}

TEST_P(Kernels, OverloadsAreChosen) {
  TEXT("language", "overloads");
  expect_each(runner->call<int>("overloads", line(32, 32), 32), [](int t) {
    const int a = t * 128 + 320, b = a * a >> 8;
    return (b >> 8) + 1000 * (a < b) + 10000 * (b >> 8 & 1) + 100000 + 400000 + 12000000;
  });
}

TEST_P(Kernels, FunctionsCallThemselves) {
  TEXT("language", "recursion_depth");
  std::vector<int> left(32), right(32);
  for (int i = 0; i < 32; ++i)
    left[size_t(i)] = 2 * i + 1 < 32 ? 2 * i + 1 : -1, right[size_t(i)] = 2 * i + 2 < 32 ? 2 * i + 2 : -1;
  expect_each(runner->call<int>("recurse", line(32, 32), 32, left, right), [](int t) {
    int depth = 0;
    for (int i = t; i < 32; i = 2 * i + 1) ++depth;
    return (2 * (t % 8) + 3) * 100 + depth;
  });
}

TEST_P(Kernels, NewerLanguageIsRead) {
  TEXT("language", "concepts");
  expect_each(runner->call<int>("modern", line(32, 32), 32), [](int t) { return t + 2; });
}

TEST_P(Kernels, IntegersHave128Bits) {
  TEXT("language", "wide_integers");
  std::mt19937_64 engine(7);
  std::vector<uint64_t> x(64), want;
  for (uint64_t& v : x) v = engine();
  for (size_t t = 0; t < 32; ++t) {
    __extension__ const unsigned __int128 p = (unsigned __int128)x[2 * t] * x[2 * t + 1];
    want.insert(want.end(), {uint64_t(p), 0, uint64_t(p % 1000000007u), 0});
  }
  EXPECT_EQ(runner->call<uint64_t>("wide", line(32, 32), 128, x), want);
}

TEST_P(Kernels, TemplatesHaveAliases) {
  TEXT("language", "default_arguments_and_aliases");
  expect_each(runner->call<int64_t>("aliases", line(32, 32), 32), [](int t) {
    const int64_t v = t;
    return v * v + (v + 1) * (v + 1) + (v + 2) * (v + 2) + 100000 * v + (v * v + 1) * 10000000 + 16000000000;
  });
}

TEST_P(Kernels, DynamicMemoryHasSeveralTypes) {
  TEXT("memory", "extern_of_several_types");
  std::vector<double> x(48);
  for (int i = 0; i < 48; ++i) x[size_t(i)] = i * 0.5;
  expect_each(runner->call<double>("several", Grid{{1, 1, 1}, {48, 1, 1}, 48 * 13}, 48, x, 48), [&](int t) {
    const int u = 47 - t;
    return x[size_t(u)] + u * 3000 + u * 5 % 256 * 1000000.0;
  });
}

TEST_P(Kernels, FunctionsHaveSharedVariables) {
  TEXT("memory", "shared_in_functions");
  const auto x = random_ints(64, 0, 999);
  expect_each(runner->call<int>("rooms", line(64, 64), 64, x), [&](int t) {
    const int u = 63 - t;  // the first turn takes a[] of the mirrored thread, the second the sums of the mirrored one
    return x[size_t((t + 9) % 64)] + 5 * x[size_t((u + 9) % 64)];
  });
}

TEST_P(Kernels, StructsAreShared) {
  TEXT("memory", "shared_structs");
  expect_each(runner->call<float>("board", line(32, 32), 32), [](int t) {
    float sum = 32000;
    for (int k = 0; k < 3; ++k) sum += float((t / 8 + 1) % 4 * 8 + (t % 8 + k) % 8);
    return sum;
  });
}

TEST_P(Kernels, ThreadsHaveArrays) {
  TEXT("memory", "local_arrays");
  std::vector<uint64_t> x(32), want;
  for (size_t i = 0; i < 32; ++i) x[i] = i * i * i * 7919 + i;
  for (uint64_t v : x) {
    const std::string digits = std::to_string(v);
    want.push_back(std::stoull(std::string(digits.rbegin(), digits.rend())));
    int most = 0;
    for (int d = 1; d < 10; ++d)
      if (std::count(digits.begin(), digits.end(), '0' + d) > std::count(digits.begin(), digits.end(), '0' + most))
        most = d;
    want.push_back(uint64_t(most));
  }
  EXPECT_EQ(runner->call<uint64_t>("digits", line(32, 32), 64, x), want);
}

TEST_P(Kernels, PointersPointToPointers) {
  TEXT("memory", "pointers_to_pointers");
  const auto x = random_ints(5 * 32, 0, 99);
  expect_each(runner->call<int>("gather", line(32, 32), 32, x, 5, 32), [&](int t) {
    int sum = x[4 * 32] * 1000000 + 64;
    for (int r = 0; r < 5; ++r) sum += x[size_t(r * 32 + t)] * (r + 1);
    return sum;
  });
}

TEST_P(Kernels, ConstantMemoryHoldsStructs) {
  TEXT("memory", "constant_structs");
  std::vector<float> x(32);
  for (int i = 0; i < 32; ++i) x[size_t(i)] = float(i);
  expect_each(runner->call<float>("layers_of", line(32, 32), 32, x), [](int t) {
    const float first = float(t) * 0.5f + 3 + float(t % 4 * 100);
    return first * 4 - 1 + float((3 - t % 4) * 100) + float(("tenon"[t % 5] - 'a') * 10000);
  });
}

TEST_P(Kernels, BitsAreCast) {
  TEXT("memory", "bit_casts");
  std::vector<double> x(32);
  for (int i = 0; i < 32; ++i) x[size_t(i)] = (i - 9) * 1.37;
  expect_each(runner->call<uint64_t>("casts", line(32, 32), 32, x), [&](int t) {
    uint64_t bits;
    std::memcpy(&bits, &x[size_t(t)], 8);
    const float f = float(x[size_t(t)]);
    uint32_t narrow;
    std::memcpy(&narrow, &f, 4);
    return narrow * 3ull + 1 + (bits >> 52);
  });
}

TEST_P(Kernels, WarpsWaitForFlags) {
  TEXT("memory", "volatile_flags");
  if (runner->checked()) GTEST_SKIP() << "flags without atomics are races, which the checked mode reports";
  EXPECT_EQ(runner->call<int>("relay", line(128, 128), 4), (std::vector<int>{50, 25, 12, 5}));
}

TEST_P(Kernels, KernelsAreLaunchedByPointers) {
  TEXT("children", "by_pointer");
  std::vector<int> y(32), want(32);
  for (int t = 0; t < 32; ++t) {
    y[size_t(t)] = t;
    want[size_t(t)] = (((t + 1) * 2 + 3) * 4) * 2 + 30000 + 3 - 5 + 1000;
  }
  EXPECT_EQ(runner->update("choose", line(1, 1), y, 4), want);
}

TEST_P(Kernels, PartsAreSortedByLaunches) {
  TEXT("children", "quick_sort");
  auto x = random_ints(300, 0, 500);
  const auto got = runner->update("sort", line(1, 1), x, 0, 300, 0);
  std::sort(x.begin(), x.end());
  EXPECT_EQ(got, x);
}

TEST_P(Kernels, TemplatesAreLaunched) {
  TEXT("children", "templates_and_structs");
  expect_each(runner->call<int>("start", line(32, 32), 50, 50), [](int i) { return int((49 - i) * 1.5) + 7; });
}

TEST_P(Kernels, TreesGrowInTheHeap) {
  TEXT("heaps", "binary_tree");
  auto x = random_ints(20 * 15, 0, 99);
  const auto got = runner->call<int>("sort", line(20, 20), 300, x, 15);
  for (int t = 0; t < 300; t += 15) std::sort(x.begin() + t, x.begin() + t + 15);
  EXPECT_EQ(got, x);
}

TEST_P(Kernels, ArraysOfObjectsAreDestroyed) {
  TEXT("heaps", "arrays_of_objects");
  expect_each(runner->call<int>("arrays", line(16, 16), 16, 6), [](int) { return 6 + 15 + 1000; });
}

TEST_P(Kernels, ABlockSharesAnAllocation) {
  TEXT("heaps", "block_allocation");
  expect_each(runner->call<int>("allocate", Grid{{3, 1, 1}, {64, 1, 1}}, 3, 100), [](int b) { return 4950 * (b + 1); });
}

}  // namespace
