// tests/kernels/algorithms/parallel_kernels.cpp: sorting, scanning, searching, graphs, transforms, random numbers.
#include <complex>
#include "../kernels.hpp"

namespace {

using namespace test;

TEST_P(Kernels, PhiloxGivesTheKnownWords) {
  KERNEL("philox", {"uniform"});
  const int n = 1000;
  const uint64_t seed = 0x0123456789abcdefull;
  ArrayPtr words = runner->put(std::vector<uint32_t>(4 * n)), numbers = runner->put(std::vector<float>(4 * n));
  auto both = [&](uint64_t key) {
    runner->run("uniform", line(n, 128), key, Runner::address(words), Runner::address(numbers), n);
  };
  both(0);
  const auto zero = runner->get<uint32_t>(words);
  EXPECT_EQ(std::vector<uint32_t>(zero.begin(), zero.begin() + 4),
            (std::vector<uint32_t>{0x6627e8d5u, 0xe169c58du, 0xbc57ac4cu, 0x9b00dbd8u}));
  both(seed);
  const auto got = runner->get<uint32_t>(words);
  const auto real = runner->get<float>(numbers);
  for (int i = 0; i < n; ++i) {
    uint32_t c[4] = {uint32_t(i), 0, 0, 0}, k[2] = {uint32_t(seed), uint32_t(seed >> 32)};
    for (int round = 0; round < 10; ++round, k[0] += 0x9E3779B9u, k[1] += 0xBB67AE85u) {
      const uint64_t a = uint64_t(0xD2511F53u) * c[0], b = uint64_t(0xCD9E8D57u) * c[2];
      const uint32_t next[4] = {uint32_t(b >> 32) ^ c[1] ^ k[0], uint32_t(b), uint32_t(a >> 32) ^ c[3] ^ k[1],
                                uint32_t(a)};
      std::copy(next, next + 4, c);
    }
    for (int w = 0; w < 4; ++w) {
      ASSERT_EQ(got[4 * i + w], c[w]) << i;
      ASSERT_EQ(real[4 * i + w], float(c[w]) * 2.3283064e-10f) << i;
    }
  }
}

TEST_P(Kernels, RadixSortByPasses) {
  KERNEL("radix_pass", {"count", "scan", "scatter"});
  const int n = 3000, block = 256, blocks = (n + block - 1) / block;
  std::mt19937 engine(9);
  std::vector<uint32_t> keys(n);
  for (uint32_t& k : keys) k = uint32_t(engine());
  ArrayPtr a = runner->put(keys), b = runner->put(keys), counts = runner->put(std::vector<uint32_t>(16 * blocks));
  for (int shift = 0; shift < 32; shift += 4) {
    runner->run("count", line(n, block), a, counts, n, shift);
    runner->run("scan", Grid{{1, 1, 1}, {128, 1, 1}, 128 * 4}, counts, 16 * blocks);
    runner->run("scatter", line(n, block), a, counts, b, n, shift);
    std::swap(a, b);
  }
  std::sort(keys.begin(), keys.end());
  EXPECT_EQ(runner->get<uint32_t>(a), keys);
}

TEST_P(Kernels, SegmentsAreSummed) {
  KERNEL("segmented_reduce", {"sum_segments"});
  const int n = 2500;
  auto values = random_ints(n, -50, 50), heads = random_ints(n, 0, 6, 2);
  std::vector<int> segment(n), want;
  for (int i = 0; i < n; ++i) {
    if (i == 0 || (heads[i] == 0 && (i < 700 || i > 900))) want.push_back(0);
    segment[i] = int(want.size()) - 1;
    want.back() += values[i];
  }
  ArrayPtr dv = runner->put(values), ds = runner->put(segment), sums = runner->put(std::vector<int>(want.size()));
  runner->run("sum_segments", line(n, 128), dv, ds, sums, n);
  EXPECT_EQ(runner->get<int>(sums), want);
}

TEST_P(Kernels, BlocksWaitForTheBlocksBeforeThem) {
  KERNEL("scan_lookback", {"scan"});
  const int n = 20000, block = 256, blocks = (n + block - 1) / block;
  std::vector<uint32_t> x(n);
  std::vector<uint64_t> want(n);
  for (int i = 0; i < n; ++i) x[i] = uint32_t(i * 2654435761u), want[i] = x[i] + (i ? want[i - 1] : 0);
  for (int round = 0; round < 3; ++round) {
    ArrayPtr dx = runner->put(x), out = runner->put(std::vector<uint64_t>(n)),
             state = runner->put(std::vector<uint64_t>(blocks)), ticket = runner->put(std::vector<uint32_t>(1));
    runner->run("scan", line(n, block), dx, out, state, ticket, n);
    EXPECT_EQ(runner->get<uint64_t>(out), want) << round;
  }
}

TEST_P(Kernels, BreadthFirstSearchStepsOut) {
  KERNEL("bfs_step", {"step"});
  const int n = 700;
  std::vector<int> start = {0}, neighbour, want(n, -1);
  for (int v = 0; v < n; ++v) {
    for (int k = 0; k < 1 + v % 4; ++k) neighbour.push_back((v * 31 + k * 97 + 1) % n);
    start.push_back(int(neighbour.size()));
  }
  want[0] = 0;
  for (std::vector<int> open = {0}; !open.empty();) {
    std::vector<int> next;
    for (int v : open)
      for (int e = start[v]; e < start[v + 1]; ++e)
        if (want[neighbour[e]] < 0) want[neighbour[e]] = want[v] + 1, next.push_back(neighbour[e]);
    open = next;
  }
  std::vector<int> distance(n, -1), first(n);
  distance[0] = 0;
  ArrayPtr ds = runner->put(start), dn = runner->put(neighbour), dd = runner->put(distance),
           frontier = runner->put(first), next = runner->put(first);
  for (int size = 1, depth = 0; size > 0; ++depth) {
    ArrayPtr count = runner->put(std::vector<int>(1));
    runner->run("step", line(size, 64), ds, dn, frontier, size, dd, next, count, depth);
    size = runner->get<int>(count)[0];
    ASSERT_LE(size, n);
    std::swap(frontier, next);
  }
  EXPECT_EQ(runner->get<int>(dd), want);
}

TEST_P(Kernels, EditDistancesOfPairs) {
  KERNEL("levenshtein", {"distance"});
  const std::vector<std::string> words = {"kitten",    "sitting",   "",     "abc",  "flaw", "lawn",
                                          "intention", "execution", "same", "same", "a",    ""};
  std::string text;
  std::vector<int> offsets = {0}, want;
  for (const std::string& w : words) text += w, offsets.push_back(int(text.size()));
  for (size_t i = 0; i < words.size(); i += 2) {
    const std::string &a = words[i], &b = words[i + 1];
    std::vector<std::vector<int>> d(a.size() + 1, std::vector<int>(b.size() + 1));
    for (size_t r = 0; r <= a.size(); ++r)
      for (size_t c = 0; c <= b.size(); ++c)
        d[r][c] = !r || !c ? int(r + c)
                           : std::min(std::min(d[r - 1][c], d[r][c - 1]) + 1, d[r - 1][c - 1] + (a[r - 1] != b[c - 1]));
    want.push_back(d[a.size()][b.size()]);
  }
  EXPECT_EQ(want[0], 3);
  ArrayPtr dt = runner->put(std::vector<int8_t>(text.begin(), text.end())), d_offsets = runner->put(offsets),
           out = runner->put(std::vector<int>(want.size()));
  runner->run("distance", Grid{{uint32_t(want.size()), 1, 1}, {32, 1, 1}, 3 * 20 * 4}, Runner::address(dt), d_offsets,
              out);
  EXPECT_EQ(runner->get<int>(out), want);
}

TEST_P(Kernels, TransformsInSharedMemory) {
  KERNEL("fft_shared", {"fft<8, false>", "fft<8, true>"});
  const int n = 256, batch = 3;
  auto x = random_floats(2 * n * batch, -1, 1);
  ArrayPtr in = runner->put(x), out = runner->put(std::vector<float>(x.size())),
           back = runner->put(std::vector<float>(x.size()));
  runner->run("fft<8, false>", Grid{{batch, 1, 1}, {64, 1, 1}}, Runner::address(in), Runner::address(out));
  runner->run("fft<8, true>", Grid{{batch, 1, 1}, {128, 1, 1}}, Runner::address(out), Runner::address(back));
  const auto got = runner->get<float>(out), again = runner->get<float>(back);
  for (int b = 0; b < batch; ++b)
    for (int k = 0; k < n; ++k) {
      std::complex<double> want;
      for (int i = 0; i < n; ++i)
        want += std::complex<double>(x[2 * (b * n + i)], x[2 * (b * n + i) + 1]) *
                std::polar(1.0, -2 * 3.14159265358979323846 * k * i / n);
      ASSERT_NEAR(got[2 * (b * n + k)], want.real(), 2e-5) << k;
      ASSERT_NEAR(got[2 * (b * n + k) + 1], want.imag(), 2e-5) << k;
    }
  for (size_t i = 0; i < x.size(); ++i) ASSERT_NEAR(again[i], x[i], 1e-6) << i;
}

TEST_P(Kernels, PointsInTheCircleAreCountedByVotes) {
  KERNEL("monte_carlo_pi", {"inside"});
  const int rounds = 50, block = 64, blocks = 4;
  ArrayPtr count = runner->put(std::vector<uint64_t>(1));
  runner->run("inside", Grid{{blocks, 1, 1}, {block, 1, 1}}, count, rounds);
  uint64_t want = 0;
  for (uint32_t t = 0; t < block * blocks; ++t) {
    uint32_t state = t * 2654435761u + 12345u;
    auto random = [&] {
      state ^= state << 13, state ^= state >> 17, state ^= state << 5;
      return uint64_t(state >> 8);
    };
    for (int r = 0; r < rounds; ++r) {
      const uint64_t x = random(), y = random();
      want += x * x + y * y < (1ull << 48);
    }
  }
  EXPECT_EQ(runner->get<uint64_t>(count)[0], want);
}

TEST_P(Kernels, SetsAreUnitedWithoutLocks) {
  KERNEL("union_find", {"unite", "flatten"});
  const int n = 2000, m = 1700;
  auto ends = random_ints(2 * m, 0, n - 1);
  std::vector<int> parent(n), want(n);
  std::iota(parent.begin(), parent.end(), 0);
  want = parent;
  for (bool changed = true; changed;) {
    changed = false;
    for (int e = 0; e < m; ++e) {
      int &a = want[ends[2 * e]], &b = want[ends[2 * e + 1]];
      if (a != b) a = b = std::min(a, b), changed = true;
    }
  }
  ArrayPtr de = runner->put(ends), dp = runner->put(parent);
  runner->run("unite", line(m, 128), Runner::address(de), dp, m);
  runner->run("flatten", line(n, 128), dp, n);
  EXPECT_EQ(runner->get<int>(dp), want);
}

TEST_P(Kernels, DigestsOfMessages) {
  KERNEL("sha256", {"sha256"});
  const std::vector<std::string> texts = {"", "abc", "The quick brown fox jumps over the lazy dog",
                                          std::string(55, 'a')};
  std::vector<uint8_t> bytes(texts.size() * 64);
  std::vector<int> length;
  for (size_t i = 0; i < texts.size(); ++i)
    std::copy(texts[i].begin(), texts[i].end(), bytes.begin() + i * 64), length.push_back(int(texts[i].size()));
  ArrayPtr db = runner->put(bytes), dl = runner->put(length),
           out = runner->put(std::vector<uint32_t>(texts.size() * 8));
  runner->run("sha256", line(int(texts.size()), 32), db, dl, 64, out, int(texts.size()));
  const auto got = runner->get<uint32_t>(out);
  const char* want[] = {"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
                        "d7a8fbb307d7809469ca9abcb0082e4f8d5651e46d3cdb762d02d0bf37c9e592",
                        "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"};
  for (size_t i = 0; i < texts.size(); ++i) {
    std::string text;
    for (int k = 0; k < 8; ++k) {
      char word[9];
      std::snprintf(word, sizeof word, "%08x", got[i * 8 + k]);
      text += word;
    }
    EXPECT_EQ(text, want[i]) << texts[i];
  }
}

TEST_P(Kernels, DynamicSharedMemoryUpToTheLimit) {
  KERNEL("dynamic_limit", {"fill_and_sum"});
  tenon_device_info device{};
  device.struct_size = sizeof device;
  ASSERT_EQ(TENON_OK, tenon_device_get_info(runner->device(), &device));
  const uint32_t most = uint32_t(device.shared_per_block_max);
  ASSERT_GE(most, uint32_t(48) << 10);
  for (uint32_t bytes : {uint32_t(48) << 10, uint32_t(99) << 10, most}) {
    if (bytes > most) continue;
    const int words = int(bytes / 4);
    ArrayPtr sums = runner->put(std::vector<uint64_t>(3));
    runner->run("fill_and_sum", Grid{{3, 1, 1}, {128, 1, 1}, bytes}, sums, words);
    std::vector<uint64_t> want(3);
    for (uint32_t b = 0; b < 3; ++b)
      for (int i = 0; i < words; ++i) want[b] += uint32_t(i * 2654435761u + b);
    EXPECT_EQ(runner->get<uint64_t>(sums), want) << bytes;
  }
  ArrayPtr sums = runner->put(std::vector<uint64_t>(3));
  EXPECT_NE(TENON_OK, runner->try_run("fill_and_sum", Grid{{3, 1, 1}, {128, 1, 1}, most + 16}, sums, 16));
  EXPECT_NE(std::string(tenon_error_last_message()).find(std::to_string(most)), std::string::npos)
      << tenon_error_last_message();
}

}  // namespace
