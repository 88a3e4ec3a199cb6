// tests/kernels/language/library_kernels.cpp: CUDA's headers for kernels: copies, barriers, atomics, the standard
// library, matrices.
#include <complex>
#include "../kernels.hpp"

namespace {

using namespace test;

TEST_P(Kernels, CopiesAreThereWhenTheyWereWaitedFor) {
  KERNEL("async_copies", {"by_thread", "by_group", "by_barrier", "by_pipeline", "by_roles", "dropping"});
  const int blocks = 3;
  std::vector<float> x(blocks * 2 * 64 * 4), want(blocks * 64);
  for (size_t i = 0; i < x.size(); ++i) x[i] = float(i % 23);
  ArrayPtr dx = runner->put(x), dy = runner->put(want);
  for (int zeros : {0, 4, 16}) {
    runner->run("by_thread", Grid{{blocks, 1, 1}, {64, 1, 1}}, Runner::address(dx), dy, zeros);
    for (int b = 0; b < blocks; ++b)
      for (int t = 0; t < 64; ++t) {
        const float *a = &x[size_t((b * 2 * 64 + 63 - t) * 4)], *c = &x[size_t(((b * 2 + 1) * 64 + (t + 1) % 64) * 4)];
        want[size_t(b * 64 + t)] = a[0] + 10 * a[3] + (zeros == 16 ? 0 : 100 * c[0]) + (zeros ? 0 : 1000 * c[3]);
      }
    EXPECT_EQ(runner->get<float>(dy), want) << zeros;
  }

  const auto ints = random_ints(2048, 0, 99);
  ArrayPtr di = runner->put(ints), out = runner->put(std::vector<int>(192));
  runner->run("by_group", Grid{{2, 1, 1}, {96, 1, 1}}, di, out);
  std::vector<int> group(192);
  for (int i = 0; i < 192; ++i) {
    const int b = i / 96 * 96, t = i % 96;
    group[size_t(i)] = ints[size_t(b + 95 - t)] * 1000 + ints[size_t(b + t / 32 * 32 + 31 - t % 32)];
  }
  EXPECT_EQ(runner->get<int>(out), group);

  ArrayPtr sums = runner->put(std::vector<int>(96));
  std::vector<int> expected(96);
  runner->run("by_barrier", Grid{{1, 1, 1}, {96, 1, 1}}, di, sums, 16);
  for (int t = 0; t < 96; ++t)
    for (int i = 0; i < 16; ++i) {
      expected[size_t(t)] += i;
      for (int k = 0; k < 128; ++k) expected[size_t(t)] += ints[size_t(i * 128 + k)] * ((t + k) % 7);
    }
  EXPECT_EQ(runner->get<int>(sums), expected);

  std::vector<int> piped(64);
  ArrayPtr dp = runner->put(piped);
  runner->run("by_pipeline", Grid{{1, 1, 1}, {64, 1, 1}}, di, dp, 11);
  for (int t = 0; t < 64; ++t)
    for (int i = 0; i < 11; ++i) piped[size_t(t)] += (i + 1) * ints[size_t(i * 64 + 63 - t)];
  EXPECT_EQ(runner->get<int>(dp), piped);

  std::vector<int> roles(96);
  ArrayPtr dr = runner->put(roles);
  runner->run("by_roles", Grid{{1, 1, 1}, {96, 1, 1}}, di, dr, 9);
  for (int t = 32; t < 96; ++t)
    for (int i = 0; i < 9; ++i)
      for (int k = 0; k < 32; ++k) roles[size_t(t)] += (i + k + 1) * ints[size_t(i * 32 + (k + t) % 32)];
  EXPECT_EQ(runner->get<int>(dr), roles);

  ArrayPtr rounds = runner->put(std::vector<int>(8));
  runner->run("dropping", Grid{{1, 1, 1}, {64, 1, 1}}, rounds);
  EXPECT_EQ(runner->get<int>(rounds), (std::vector<int>{64, 56, 48, 40, 32, 24, 16, 8}));
}

TEST_P(Kernels, AtomicObjectsPublishWhatWasWritten) {
  KERNEL("scoped_atomics", {"operations", "relay", "waiting"});
  const int n = 4 * 96;
  ArrayPtr counts = runner->put(std::vector<int>(6)), real = runner->put(std::vector<float>(1)),
           flags = runner->put(std::vector<uint8_t>(4));
  runner->run("operations", Grid{{4, 1, 1}, {96, 1, 1}}, counts, real, flags);
  const auto got = runner->get<int>(counts);
  EXPECT_EQ(got[0], n * (n - 1) / 2);
  EXPECT_EQ(got[1], 1 - n);
  EXPECT_EQ(got[2], n - 1);
  EXPECT_EQ(got[3], 0x7fffffff);
  EXPECT_EQ(got[4], n - 1);
  EXPECT_EQ(uint32_t(got[5]), uint32_t(n) | uint32_t(uint16_t(-n)) << 16);
  EXPECT_EQ(runner->get<float>(real)[0], n * 0.5f);
  EXPECT_EQ(runner->get<uint8_t>(flags), (std::vector<uint8_t>{1, 2, 3, 4}));

  std::vector<int> want(40);
  ArrayPtr y = runner->put(want);
  runner->run("relay", Grid{{1, 1, 1}, {16, 1, 1}}, y);
  for (int t = 15, message = 1; t >= 0; --t) want[size_t(t)] = message = message * 3 + t;
  EXPECT_EQ(runner->get<int>(y), want);
  runner->run("waiting", Grid{{1, 1, 1}, {40, 1, 1}}, y);
  std::fill(want.begin(), want.end() - 1, 42 + 16 * 3);
  EXPECT_EQ(runner->get<int>(y), want);
}

TEST_P(Kernels, TheStandardLibraryIsThere) {
  KERNEL("std_library", {"types", "complex_numbers"});
  const auto x = random_ints(32, 0, 50);
  std::vector<int> want(32);
  ArrayPtr y = runner->put(want);
  runner->run("types", line(32, 32), y, runner->put(x));
  for (int i = 0; i < 32; ++i) {
    const int a[] = {3, i, 2, x[size_t(i)]};
    int& sum = want[size_t(i)] = 10 + 200 + 3000 + i + 5 + x[size_t(i)] + 10000 + 1 + 2;
    for (int k = 0; k < 4; ++k) sum += a[k] * (k + 1) + a[k];
    sum += 100000;
  }
  EXPECT_EQ(runner->get<int>(y), want);

  const int n = 100;
  const auto values = random_floats(2 * n, -3, 3);
  ArrayPtr dx = runner->put(values), product = runner->put(values), quotient = runner->put(values),
           root = runner->put(values);
  ArrayPtr power = runner->put(std::vector<double>(2 * n));
  runner->run("complex_numbers", line(n, 32), Runner::address(dx), Runner::address(product), Runner::address(quotient),
              Runner::address(root), Runner::address(power), n);
  const auto p = runner->get<float>(product), q = runner->get<float>(quotient), r = runner->get<float>(root);
  const auto e = runner->get<double>(power);
  for (size_t i = 0; i < size_t(n); ++i) {
    const std::complex<double> z(values[2 * i], values[2 * i + 1]),
        w(values[2 * (n - 1 - i)], values[2 * (n - 1 - i) + 1]);
    const auto near = [&](std::complex<double> got, std::complex<double> exact, double relative) {
      EXPECT_LE(std::abs(got - exact), relative * (1 + std::abs(exact))) << i;
    };
    near({p[2 * i], p[2 * i + 1]}, z * w + std::conj(z) - 1.0, 3e-6);
    near({q[2 * i], q[2 * i + 1]}, z / w, 1e-6);
    near({r[2 * i], r[2 * i + 1]}, std::sqrt(z), 1e-6);
    near({e[2 * i], e[2 * i + 1]}, std::exp(z * 0.5) + std::abs(w), 1e-14);
  }
}

TEST_P(Kernels, KernelsAllocateMemory) {
  KERNEL("device_heap", {"lists", "keep", "release", "exhaust"});
  const int n = 500;
  std::vector<int> want(n);
  ArrayPtr sums = runner->put(want);
  runner->run("lists", line(n, 96), sums, n);
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k <= i % 9; ++k) want[size_t(i)] += i + k;
    for (int k = 0; k <= i % 5; ++k) want[size_t(i)] += k + 1;
  }
  EXPECT_EQ(runner->get<int>(sums), want);
  std::vector<int> first(32, 1);
  ArrayPtr y = runner->put(first);
  runner->run("keep", line(32, 32), y);
  EXPECT_EQ(runner->get<int>(y), first);
  runner->run("release", line(32, 32), y);
  for (int t = 0; t < 32; ++t) first[size_t(t)] = (31 - t) * (32 - t) / 2;
  EXPECT_EQ(runner->get<int>(y), first);
  if (runner->older_clang()) {  // without -fcheck-new
    EXPECT_EQ(TENON_ERROR_KERNEL_FAULT, runner->try_run("exhaust", line(1, 1), y));
    EXPECT_NE(std::string(tenon_error_last_message()).find("clang before 17 cannot return NULL"), std::string::npos)
        << tenon_error_last_message();
    return;
  }
  runner->run("exhaust", line(1, 1), y);
  const auto got = runner->get<int>(y);
  EXPECT_EQ(std::vector<int>(got.begin(), got.begin() + 3), (std::vector<int>{1, 1, 1}));
}

}  // namespace
