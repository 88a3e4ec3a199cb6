// tests/kernels/algorithms/kernels_test.cpp: the same kernel texts on every device, compiler and mode, against the
// obvious loop.
#include "../kernels.hpp"

namespace {

using namespace test;

TEST_P(Kernels, SaxpyAddsScaledVectors) {
  KERNEL("saxpy", {"saxpy"});
  const int n = 100003;
  auto x = random_floats(n, -1, 1), y = random_floats(n, -1, 1, 2);
  ArrayPtr dx = runner->put(x), dy = runner->put(y);
  runner->run("saxpy", line(n, 256), 1.5f, dx, dy, n);
  std::vector<double> want(n);
  for (int i = 0; i < n; ++i) want[i] = 1.5 * x[i] + y[i];
  auto got = runner->get<float>(dy);
  for (int i = 0; i < n; ++i) ASSERT_NEAR(got[i], want[i], 3e-7) << i;
}

TEST_P(Kernels, SigmoidIsAccurateOverItsRange) {
  KERNEL("sigmoid", {"sigmoid"});
  auto x = random_floats(50001, -90, 90);
  x[0] = INFINITY, x[1] = -INFINITY, x[2] = 0;
  const int n = int(x.size());
  ArrayPtr dx = runner->put(x), dy = runner->put(std::vector<float>(n));
  runner->run("sigmoid", line(n, 128), dx, dy, n);
  auto got = runner->get<float>(dy);
  for (int i = 0; i < n; ++i) {
    const double want = 1 / (1 + std::exp(-double(x[i])));
    ASSERT_NEAR(got[i], want, 4e-7 * want + 1e-37) << x[i];
  }
}

TEST_P(Kernels, TiledMatrixProductIsExactForSmallIntegers) {
  KERNEL("matmul_tiled", {"matmul"});
  const int n = 77;
  std::vector<float> a(n * n), b(n * n), want(n * n);
  for (int i = 0; i < n * n; ++i) a[i] = float(i % 7) - 3, b[i] = float(i % 5) - 2;
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < n; ++k)
      for (int j = 0; j < n; ++j) want[i * n + j] += a[i * n + k] * b[k * n + j];
  ArrayPtr da = runner->put(a), db = runner->put(b), dc = runner->put(std::vector<float>(n * n));
  runner->run("matmul", Grid{{5, 5, 1}, {16, 16, 1}}, da, db, dc, n);
  EXPECT_EQ(runner->get<float>(dc), want);
  if (runner->on_cpu()) {
    EXPECT_EQ(runner->static_shared("matmul"), 2 * 16 * 16 * 4u);
  }
}

TEST_P(Kernels, TreeReductionSums) {
  KERNEL("reduce_barrier", {"reduce"});
  const int n = 10007;
  std::vector<float> x(n);
  double want = 0;
  for (int i = 0; i < n; ++i) want += x[i] = float(i % 11);
  ArrayPtr dx = runner->put(x), out = runner->put(std::vector<float>(1));
  runner->run("reduce", line((n + 1) / 2, 256, 256 * 4), dx, out, n);
  EXPECT_EQ(runner->get<float>(out)[0], want);
}

TEST_P(Kernels, ShuffleReductionSums) {
  KERNEL("reduce_shuffle", {"reduce<float>", "reduce<double>", "reduce<int>"});
  const int n = 20011;
  double want = 0;
  std::vector<float> x(n);
  for (int i = 0; i < n; ++i) want += x[i] = float(i % 13);
  ArrayPtr fx = runner->put(x), fo = runner->put(std::vector<float>(1));
  ArrayPtr dx = runner->put(std::vector<double>(x.begin(), x.end())), d_out = runner->put(std::vector<double>(1));
  ArrayPtr ix = runner->put(std::vector<int>(x.begin(), x.end())), io = runner->put(std::vector<int>(1));
  runner->run("reduce<float>", Grid{{5, 1, 1}, {256, 1, 1}}, fx, fo, n);
  runner->run("reduce<double>", Grid{{3, 1, 1}, {1024, 1, 1}}, dx, d_out, n);
  runner->run("reduce<int>", Grid{{7, 1, 1}, {64, 1, 1}}, ix, io, n);
  EXPECT_EQ(runner->get<float>(fo)[0], want);
  EXPECT_EQ(runner->get<double>(d_out)[0], want);
  EXPECT_EQ(runner->get<int>(io)[0], want);
}

TEST_P(Kernels, BlockScanIsInclusive) {
  KERNEL("scan_block", {"scan"});
  const int n = 1000;
  auto x = random_ints(n, -9, 9);
  ArrayPtr dx = runner->put(x), dy = runner->put(std::vector<int>(n));
  runner->run("scan", line(n, 256), dx, dy, n);
  std::vector<int> want(n);
  for (int i = 0; i < n; ++i) want[i] = x[i] + (i % 256 ? want[i - 1] : 0);
  EXPECT_EQ(runner->get<int>(dy), want);
}

TEST_P(Kernels, HistogramCountsEveryByte) {
  KERNEL("histogram", {"histogram"});
  std::vector<uint8_t> data(30011);
  for (size_t i = 0; i < data.size(); ++i) data[i] = uint8_t(i * 2654435761u >> 13);
  std::vector<uint32_t> want(256);
  for (uint8_t d : data) ++want[d];
  ArrayPtr dd = runner->put(data), bins = runner->put(std::vector<uint32_t>(256));
  runner->run("histogram", Grid{{9, 1, 1}, {128, 1, 1}}, dd, bins, int(data.size()));
  EXPECT_EQ(runner->get<uint32_t>(bins), want);
}

TEST_P(Kernels, BitonicSortOrdersEachBlock) {
  KERNEL("bitonic_sort", {"bitonic"});
  std::mt19937 engine(3);
  std::vector<uint32_t> keys(512 * 5);
  for (uint32_t& k : keys) k = uint32_t(engine());
  ArrayPtr dk = runner->put(keys);
  runner->run("bitonic", Grid{{5, 1, 1}, {256, 1, 1}}, dk);
  for (int b = 0; b < 5; ++b) std::sort(keys.begin() + b * 512, keys.begin() + (b + 1) * 512);
  EXPECT_EQ(runner->get<uint32_t>(dk), keys);
}

TEST_P(Kernels, StencilReadsItsHalo) {
  KERNEL("stencil_halo", {"stencil"});
  const int n = 1000;
  std::vector<float> x(n), want(n);
  for (int i = 0; i < n; ++i) x[i] = float(i % 17);
  for (int i = 0; i < n; ++i)
    for (int k = -3; k <= 3; ++k) want[i] += i + k >= 0 && i + k < n ? x[i + k] : 0;
  ArrayPtr dx = runner->put(x), dy = runner->put(std::vector<float>(n));
  runner->run("stencil", line(n, 128), dx, dy, n);
  EXPECT_EQ(runner->get<float>(dy), want);
}

TEST_P(Kernels, TransposeThroughPaddedTiles) {
  KERNEL("transpose_padded", {"transpose"});
  const int width = 100, height = 70;
  std::vector<float> x(width * height), want(width * height);
  for (int i = 0; i < width * height; ++i) x[i] = float(i);
  for (int r = 0; r < height; ++r)
    for (int c = 0; c < width; ++c) want[c * height + r] = x[r * width + c];
  ArrayPtr dx = runner->put(x), dy = runner->put(std::vector<float>(x.size()));
  runner->run("transpose", Grid{{4, 3, 1}, {32, 8, 1}}, dx, dy, width, height);
  EXPECT_EQ(runner->get<float>(dy), want);
}

TEST_P(Kernels, BodiesAttractEachOther) {
  KERNEL("nbody", {"nbody"});
  const int n = 150;
  auto bodies = random_floats(n * 4, 0.1f, 1.0f);
  ArrayPtr db = runner->put(bodies), da = runner->put(std::vector<float>(n * 3));
  runner->run("nbody", line(n, 64, 64 * 16), Runner::address(db), Runner::address(da), n, 0.01f);
  std::vector<double> want(n * 3);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      double d[3], square = 0.01f;
      for (int c = 0; c < 3; ++c) d[c] = double(bodies[j * 4 + c]) - bodies[i * 4 + c], square += d[c] * d[c];
      for (int c = 0; c < 3; ++c) want[i * 3 + c] += d[c] * bodies[j * 4 + 3] / (square * std::sqrt(square));
    }
  auto got = runner->get<float>(da);
  for (int i = 0; i < n * 3; ++i) ASSERT_NEAR(got[i], want[i], 2e-4 * std::fabs(want[i]) + 2e-3) << i;
}

TEST_P(Kernels, Float4ScaleKeepsLanes) {
  KERNEL("float4_scale", {"scale"});
  auto x = random_floats(4 * 777, -5, 5);
  ArrayPtr dx = runner->put(x), dy = runner->put(std::vector<float>(x.size()));
  runner->run("scale", line(777, 64), Runner::address(dx), Runner::address(dy), 3.0f, 777);
  for (float& v : x) v *= 3.0f;
  EXPECT_EQ(runner->get<float>(dy), x);
}

TEST_P(Kernels, ConvolutionReadsConstantMemory) {
  KERNEL("convolution_constant", {"convolve"});
  const int width = 61, height = 37;
  std::vector<float> x(width * height), want(width * height);
  const float weights[9] = {1, 2, 1, 2, 4, 2, 1, 2, 1};
  for (int i = 0; i < width * height; ++i) x[i] = float(i * 7 % 32);
  for (int r = 0; r < height; ++r)
    for (int c = 0; c < width; ++c) {
      for (int k = 0; k < 9; ++k)
        want[r * width + c] +=
            weights[k] * x[std::clamp(r + k / 3 - 1, 0, height - 1) * width + std::clamp(c + k % 3 - 1, 0, width - 1)];
      want[r * width + c] /= 16;
    }
  ArrayPtr dx = runner->put(x), dy = runner->put(std::vector<float>(x.size()));
  runner->run("convolve", Grid{{4, 5, 1}, {16, 8, 1}}, dx, dy, width, height);
  EXPECT_EQ(runner->get<float>(dy), want);
}

TEST_P(Kernels, MandelbrotCountsIterations) {
  KERNEL("mandelbrot", {"mandelbrot"});
  const int width = 50, height = 40, limit = 200;
  ArrayPtr out = runner->put(std::vector<int>(width * height));
  runner->run("mandelbrot", Grid{{4, 3, 1}, {16, 16, 1}}, out, width, height, limit);
  auto got = runner->get<int>(out);
  for (int py = 0; py < height; ++py)
    for (int px = 0; px < width; ++px) {
      // Volatile prevents this compiler from contracting operations that the kernel forbids to contract.
      volatile double cx = -2.0 + 3.0 * px / width, cy = -1.5 + 3.0 * py / height, x = 0, y = 0, xx, yy, xy, d;
      int i = 0;
      for (; i < limit; ++i) {
        xx = x * x;
        yy = y * y;
        if (std::fma(double(x), double(x), double(yy)) > 4.0 && double(xx) + double(yy) > 4.0) break;
        xy = 2.0 * x;
        xy = xy * y;
        d = xx - yy;
        x = d + cx;
        y = xy + cy;
      }
      ASSERT_EQ(got[py * width + px], i) << px << ", " << py;
    }
}

TEST_P(Kernels, DynamicSharedMemoryHoldsTwoArrays) {
  KERNEL("reverse_dynamic", {"reverse"});
  const int block = 96, n = block * 7;
  auto x = random_floats(n, -1, 1);
  ArrayPtr dx = runner->put(x), dy = runner->put(std::vector<float>(n)), dz = runner->put(std::vector<double>(n));
  runner->run("reverse", line(n, block, block * 12), dx, dy, dz);
  auto y = runner->get<float>(dy);
  auto z = runner->get<double>(dz);
  for (int i = 0; i < n; ++i) {
    const float want = x[i / block * block + block - 1 - i % block];
    ASSERT_EQ(y[i], want) << i;
    ASSERT_EQ(z[i], 2.0 * want) << i;
  }
}

TEST_P(Kernels, TemplatesInNamespacesAreFoundByTheirNames) {
  KERNEL("polynomial_template", {"math::polynomial<float, 8>", "math::polynomial<double, 3>"});
  const int n = 1000;
  auto x = random_floats(n, -1, 1);
  ArrayPtr fx = runner->put(x), fy = runner->put(std::vector<float>(n));
  ArrayPtr dx = runner->put(std::vector<double>(x.begin(), x.end())), dy = runner->put(std::vector<double>(n));
  runner->run("math::polynomial<float, 8>", line(n, 128), fx, fy, n);
  runner->run("math::polynomial<double, 3>", line(n, 128), dx, dy, n);
  auto f = runner->get<float>(fy);
  auto d = runner->get<double>(dy);
  for (int i = 0; i < n; ++i) {
    double want = 0, v = x[i];
    for (int k = 0; k < 8; ++k) want = want * v + 1;
    ASSERT_NEAR(f[i], want, 3e-6) << i;
    ASSERT_NEAR(d[i], (v + 1) * v + 1, 1e-14) << i;
  }
}

TEST_P(Kernels, StructsArePassedByValue) {
  KERNEL("struct_argument", {"apply"});
  struct alignas(16) Settings {
    char flag;
    double scale;
    int offset[3];
    alignas(16) float colour[4];
  } settings = {'x', 0.5, {10, 20, 30}, {1, 2, 4, 8}};
  std::vector<float> y(100);
  for (int i = 0; i < 100; ++i) y[i] = float(i);
  ArrayPtr dy = runner->put(y);
  runner->run("apply", line(100, 32), Bytes{&settings, sizeof settings}, dy, 100);
  for (int i = 0; i < 100; ++i) y[i] = 0.5f * y[i] + float(settings.offset[i % 3]) + 4;
  EXPECT_EQ(runner->get<float>(dy), y);
}

float float_of_half(uint16_t bits) {
  const int e = bits >> 10 & 31, m = bits & 1023;
  const float v = e == 31 ? (m ? NAN : INFINITY) : e ? std::ldexp(float(1024 + m), e - 25) : std::ldexp(float(m), -24);
  return bits & 0x8000 ? -v : v;
}
float float_of_bfloat16(uint16_t bits) {
  const uint32_t wide = uint32_t(bits) << 16;
  float v;
  std::memcpy(&v, &wide, 4);
  return v;
}
// The nearest of all values of a 16-bit type; ties go to even bits.
template <class F> uint16_t nearest(double x, F value, uint16_t infinity) {
  if (std::isnan(x)) return 0x7fff;
  uint32_t low = 0, high = infinity;
  const double a = std::fabs(x);
  auto of = [&](uint32_t bits) {
    return bits == infinity ? 2.0 * value(uint16_t(infinity - 1)) - value(uint16_t(infinity - 2))
                            : double(value(uint16_t(bits)));
  };
  while (high - low > 1) (of((low + high) / 2) <= a ? low : high) = (low + high) / 2;
  const double below = a - of(low), above = of(high) - a;
  uint32_t best = above < below || (above == below && high % 2 == 0) ? high : low;
  return uint16_t(best | (std::signbit(x) ? 0x8000 : 0));
}

TEST_P(Kernels, HalfTypesConvertAsIeeeSays) {
  KERNEL("half_axpy", {"to_float", "from_float"});
  std::vector<uint16_t> bits(65536);
  for (int i = 0; i < 65536; ++i) bits[i] = uint16_t(i);
  ArrayPtr db = runner->put(bits), h = runner->put(std::vector<float>(65536)),
           b = runner->put(std::vector<float>(65536));
  runner->run("to_float", line(65536, 256), db, h, b, 65536);
  auto hv = runner->get<float>(h), bv = runner->get<float>(b);
  for (int i = 0; i < 65536; ++i) {
    const float wh = float_of_half(uint16_t(i)), wb = float_of_bfloat16(uint16_t(i));
    ASSERT_TRUE(std::isnan(wh) ? std::isnan(hv[i]) : hv[i] == wh && std::signbit(hv[i]) == std::signbit(wh))
        << i << " " << hv[i] << " " << wh;
    ASSERT_TRUE(std::isnan(wb) ? std::isnan(bv[i]) : bv[i] == wb) << i << " " << bv[i] << " " << wb;
  }
  auto x = random_floats(20000, -70000, 70000);
  for (size_t i = 0; i < x.size(); ++i)
    if (i % 2) x[i] = std::ldexp(x[i], -int(i % 64));
  for (float special :
       {0.0f, -0.0f, 65504.0f, 65519.0f, 65520.0f, 1e-8f, 5.9604645e-8f, 2.9802322e-8f, 3.4e38f, INFINITY})
    x.push_back(special);
  const int n = int(x.size());
  ArrayPtr dx = runner->put(x), dh = runner->put(std::vector<uint16_t>(n), TENON_FLOAT16),
           dbf = runner->put(std::vector<uint16_t>(n), TENON_BFLOAT16);
  runner->run("from_float", line(n, 256), dx, dh, dbf, n);
  auto gh = runner->get<uint16_t>(dh), gb = runner->get<uint16_t>(dbf);
  for (int i = 0; i < n; ++i) {
    ASSERT_EQ(gh[i], nearest(x[i], float_of_half, 0x7c00)) << x[i];
    ASSERT_EQ(gb[i], nearest(x[i], float_of_bfloat16, 0x7f80)) << x[i];
  }
}

TEST_P(Kernels, HalfArithmeticRoundsOnce) {
  KERNEL("half_axpy", {"half_axpy", "half2_axpy", "bfloat16_axpy"});
  const int n = 4000;
  auto a = random_floats(n, -8, 8), b = random_floats(n, -8, 8, 5);
  std::vector<uint16_t> x(n), y(n), bx(n), by(n), fused(n), twice(n), brain(n);
  for (int i = 0; i < n; ++i) {
    x[i] = nearest(a[i], float_of_half, 0x7c00), y[i] = nearest(b[i], float_of_half, 0x7c00);
    bx[i] = nearest(a[i], float_of_bfloat16, 0x7f80), by[i] = nearest(b[i], float_of_bfloat16, 0x7f80);
    const double product = 1.5 * float_of_half(x[i]);
    fused[i] = nearest(product + float_of_half(y[i]), float_of_half, 0x7c00);
    twice[i] = nearest(double(float_of_half(nearest(product, float_of_half, 0x7c00))) + float_of_half(y[i]),
                       float_of_half, 0x7c00);
    brain[i] = nearest(1.5 * float_of_bfloat16(bx[i]) + float_of_bfloat16(by[i]), float_of_bfloat16, 0x7f80);
  }
  ArrayPtr dx = runner->put(x, TENON_FLOAT16), dy = runner->put(y, TENON_FLOAT16), dy2 = runner->put(y, TENON_FLOAT16);
  ArrayPtr dbx = runner->put(bx, TENON_BFLOAT16), dby = runner->put(by, TENON_BFLOAT16);
  runner->run("half_axpy", line(n, 128), 1.5f, dx, dy, n);
  runner->run("half2_axpy", line(n / 2, 128), 1.5f, Runner::address(dx), Runner::address(dy2), n / 2);
  runner->run("bfloat16_axpy", line(n, 128), 1.5f, dbx, dby, n);
  EXPECT_EQ(runner->get<uint16_t>(dy), fused);
  EXPECT_EQ(runner->get<uint16_t>(dy2), twice);
  EXPECT_EQ(runner->get<uint16_t>(dby), brain);
}

TEST_P(Kernels, ThreeDimensionalIndicesCoverTheGrid) {
  KERNEL("grid_3d", {"index"});
  const Grid g{{3, 2, 4}, {5, 3, 2}};
  const int width = 15, height = 6, depth = 8;
  ArrayPtr out = runner->put(std::vector<int>(width * height * depth, -1));
  runner->run("index", g, out);
  auto got = runner->get<int>(out);
  for (int z = 0; z < depth; ++z)
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) {
        const int block = x / 5 + 3 * (y / 3 + 2 * (z / 2)), thread = x % 5 + 5 * (y % 3 + 3 * (z % 2));
        ASSERT_EQ(got[(z * height + y) * width + x], block * 1000 + thread) << x << " " << y << " " << z;
      }
}

TEST_P(Kernels, CooperativeGroupsReduce) {
  KERNEL("groups_reduce", {"reduce"});
  const int n = 1000, padded = 1024;
  auto x = random_ints(n, -50, 50);
  int sum = 0, odd = 0;
  std::vector<int> want(1 + padded / 8);
  for (int i = 0; i < n; ++i) sum += x[i], odd += x[i] & 1, want[1 + i / 8] += x[i];
  want[0] = sum;
  ArrayPtr dx = runner->put(x), out = runner->put(std::vector<int>(want.size())),
           d_odd = runner->put(std::vector<int>(1));
  runner->run("reduce", line(padded, 128), dx, out, d_odd, n);
  EXPECT_EQ(runner->get<int>(out), want);
  EXPECT_EQ(runner->get<int>(d_odd)[0], odd);
}

TEST_P(Kernels, GridBarrierOrdersAllBlocks) {
  KERNEL("grid_sync", {"rounds"});
  const int blocks = 6, block = 64, n = blocks * block, rounds = 9;
  auto a = random_ints(n, 0, 1000);
  ArrayPtr da = runner->put(a), db = runner->put(std::vector<int>(n));
  Grid g = line(n, block);
  g.flags = TENON_LAUNCH_COOPERATIVE;
  runner->run("rounds", g, da, db, rounds);
  for (int r = 0; r < rounds; ++r) {
    std::vector<int> next(n);
    for (int i = 0; i < n; ++i) next[i] = (a[(i + 1) % n] + a[(i + n - 1) % n]) & 0xffff;
    a = next;
  }
  EXPECT_EQ(runner->get<int>(da), a);
}

TEST_P(Kernels, VotesAndMatchesSeeTheWarp) {
  KERNEL("votes_match", {"votes"});
  const int n = 128;
  auto x = random_ints(n, 0, 9);
  for (int i = 64; i < 96; ++i) x[i] = 4;
  ArrayPtr dx = runner->put(x), ballot = runner->put(std::vector<uint32_t>(n)), any = runner->put(std::vector<int>(n)),
           all = runner->put(std::vector<int>(n)), match = runner->put(std::vector<uint32_t>(n)),
           whole = runner->put(std::vector<uint32_t>(n)), same = runner->put(std::vector<int>(n)),
           sum = runner->put(std::vector<uint32_t>(n)), least = runner->put(std::vector<int>(n));
  runner->run("votes", line(n, 64), dx, ballot, any, all, match, whole, same, sum, least);
  auto gb = runner->get<uint32_t>(ballot), gm = runner->get<uint32_t>(match), gw = runner->get<uint32_t>(whole),
       gs = runner->get<uint32_t>(sum);
  auto ga = runner->get<int>(any), gl = runner->get<int>(all), ge = runner->get<int>(same),
       gn = runner->get<int>(least);
  for (int i = 0; i < n; ++i) {
    uint32_t b = 0, m = 0, total = 0;
    bool has9 = false, below9 = true, equal = true;
    int smallest = 1000;
    for (int k = 0; k < 32; ++k) {
      const int v = x[i / 32 * 32 + k];
      b |= uint32_t(v > 3) << k, m |= uint32_t(v == x[i]) << k, has9 |= v == 9, below9 &= v < 9,
          equal &= v / 10 == x[i] / 10;
      total += uint32_t(v), smallest = std::min(smallest, v - 5);
    }
    ASSERT_EQ(gb[i], b) << i;
    ASSERT_EQ(ga[i] != 0, has9) << i;
    ASSERT_EQ(gl[i] != 0, below9) << i;
    ASSERT_EQ(gm[i], m) << i;
    ASSERT_EQ(gw[i], equal ? 0xffffffffu : 0u) << i;
    ASSERT_EQ(ge[i] != 0, equal) << i;
    if (runner->on_cpu() || gs[i]) {
      ASSERT_EQ(gs[i], total) << i;
      ASSERT_EQ(gn[i], smallest) << i;
    }
  }
}

template <class T> void check_shuffles(Runner& runner, const char* kernel) {
  std::vector<T> x(64);
  for (int i = 0; i < 64; ++i) x[i] = T(i + 100);
  ArrayPtr dx = runner.put(x), out = runner.put(std::vector<T>(64 * 24));
  runner.run(kernel, line(64, 64), dx, out);
  auto got = runner.get<T>(out);
  for (int t = 0; t < 64; ++t)
    for (int k = 0; k < 6; ++k) {
      const int width = 1 << k, lane = t % 32, warp = t - lane, segment = lane / width * width, end = segment + width;
      const int from[4] = {segment + 5 % width, lane - 3 < segment ? lane : lane - 3, lane + 2 >= end ? lane : lane + 2,
                           (lane ^ (width / 2)) >= end ? lane : lane ^ (width / 2)};
      for (int kind = 0; kind < 4; ++kind)
        ASSERT_EQ(got[t * 24 + k * 4 + kind], x[warp + from[kind]]) << t << " width " << width << " kind " << kind;
    }
}
TEST_P(Kernels, ShufflesOfEveryKindAndWidth) {
  KERNEL("shuffles", {"shuffles<int>", "shuffles<double>", "shuffles<unsigned long long>", "shuffles<float>"});
  check_shuffles<int>(*runner, "shuffles<int>");
  check_shuffles<double>(*runner, "shuffles<double>");
  check_shuffles<uint64_t>(*runner, "shuffles<unsigned long long>");
  check_shuffles<float>(*runner, "shuffles<float>");
}
TEST_P(Kernels, PartsOfAWarpWorkApart) {
  KERNEL("shuffles", {"divergent"});
  const int n = 64;
  auto x = random_ints(n, 0, 1000);
  ArrayPtr dx = runner->put(x), out = runner->put(std::vector<int>(n));
  runner->run("divergent", line(n, n), dx, out);
  auto got = runner->get<int>(out);
  for (int t = 0; t < n; ++t) {
    const int lane = t % 32, warp = t - lane;
    int want;
    if (lane < 12) {
      const int from = (lane + 1) % 12;
      want = x[warp + from] + (from % 3 == 2 ? 1 : 0);
    } else if (lane % 2) {
      uint32_t b = 0;
      for (int k = 13; k < 32; k += 2) b |= uint32_t(x[warp + k] & 1) << k;
      want = int(b);
    } else {
      want = x[t ^ 2];
    }
    ASSERT_EQ(got[t], want) << t;
  }
}

TEST_P(Kernels, BarriersOfTheBlockVote) {
  KERNEL("block_votes", {"votes"});
  const int n = 200;
  auto x = random_ints(n, 0, 9);
  for (int i = 0; i < 50; ++i) x[i] = 1;
  x[120] = -3;
  ArrayPtr dx = runner->put(x), count = runner->put(std::vector<int>(n)), conj = runner->put(std::vector<int>(n)),
           disj = runner->put(std::vector<int>(n));
  runner->run("votes", line(n, 50), dx, count, conj, disj);
  auto gc = runner->get<int>(count), ga = runner->get<int>(conj), go = runner->get<int>(disj);
  for (int i = 0; i < n; ++i) {
    int c = 0, a = 1, o = 0;
    for (int k = i / 50 * 50; k < i / 50 * 50 + 50; ++k) c += x[k] > 5, a &= x[k] >= 0, o |= x[k] == 7;
    ASSERT_EQ(gc[i], c) << i;
    ASSERT_EQ(ga[i] != 0, a != 0) << i;
    ASSERT_EQ(go[i] != 0, o != 0) << i;
  }
}

struct Results {
  int add, sub, exch_seen, least, most, conj, disj, exor;
  unsigned uadd, inc, dec, umin, umax, cas;
  unsigned long long wide_add, wide_max, wide_cas;
  long long wide_min;
  float fadd, fexch;
  double dadd;
};
TEST_P(Kernels, AtomicsOfEveryTypeLoseNothing) {
  KERNEL("atomics", {"atomics", "scoped"});
  const int n = 3000;
  std::vector<Results> r(1);
  r[0] = {};
  r[0].conj = -1, r[0].umin = 1000;
  ArrayPtr dr = runner->put(r);
  runner->run("atomics", line(n, 128), Runner::address(dr), n);
  const Results got = runner->get<Results>(dr)[0];
  int exor = 0;
  unsigned dec = 0;
  for (int i = 0; i < n; ++i) exor ^= i, dec = dec == 0 ? 99 : dec - 1;
  const int sum = n * (n - 1) / 2;
  EXPECT_EQ(got.add, sum);
  EXPECT_EQ(got.sub, -sum);
  EXPECT_EQ(got.exch_seen, 7);
  EXPECT_EQ(got.least, -(n - 1));
  EXPECT_EQ(got.most, n - 1);
  EXPECT_EQ(got.conj, int(0xffff0000));
  EXPECT_EQ(got.disj, 0xffff);
  EXPECT_EQ(got.exor, exor);
  EXPECT_EQ(got.uadd, 3u * n);
  EXPECT_EQ(got.inc, unsigned(n % 100));
  EXPECT_EQ(got.dec, dec);
  EXPECT_EQ(got.umin, 5u);
  EXPECT_EQ(got.umax, unsigned(n - 1));
  EXPECT_EQ(got.cas, 2u * n);
  EXPECT_EQ(got.wide_add, (1ull << 33) * n);
  EXPECT_EQ(got.wide_max, (unsigned long long)(n - 1) << 40);
  EXPECT_EQ(got.wide_cas, 5ull * n);
  EXPECT_EQ(got.wide_min, -((long long)(n - 1) << 40));
  EXPECT_EQ(got.fadd, 0.5f * n);
  EXPECT_EQ(got.fexch, 2.5f);
  EXPECT_EQ(got.dadd, 0.25 * n);
  ArrayPtr out = runner->put(std::vector<int>(2));
  runner->run("scoped", line(n, 100), out, n);
  EXPECT_EQ(runner->get<int>(out), (std::vector<int>{n, 99}));
}

TEST_P(Kernels, GlobalsAreSharedByTheKernelsOfAProgram) {
  KERNEL("globals", {"count", "look"});
  ArrayPtr out = runner->put(std::vector<int>(10)), seen = runner->put(std::vector<float>(4));
  runner->run("count", line(10, 10), out);
  auto tickets = runner->get<int>(out);
  std::sort(tickets.begin(), tickets.end());
  for (int i = 0; i < 10; ++i) EXPECT_EQ(tickets[i], 5 + i + 3);
  runner->run("look", line(4, 4), seen);
  EXPECT_EQ(runner->get<float>(seen), (std::vector<float>{17, 19, 21, 23}));
}

TEST_P(Kernels, BarriersInFunctionsOrderSharedMemory) {
  KERNEL("barrier_in_function", {"neighbours"});
  auto x = random_ints(128, -100, 100);
  ArrayPtr dx = runner->put(x), dy = runner->put(std::vector<int>(128));
  runner->run("neighbours", line(128, 128), dx, dy);
  std::vector<int> want(128);
  for (int t = 0; t < 128; ++t) want[127 - t] = x[(t + 1) % 128] - x[(t + 127) % 128];
  EXPECT_EQ(runner->get<int>(dy), want);
}

TEST_P(Kernels, ThreadsThatLeaveEarlyAreNotWaitedFor) {
  KERNEL("early_exit", {"shift"});
  const int n = 150;
  auto x = random_ints(n, 0, 100);
  ArrayPtr dx = runner->put(x), dy = runner->put(std::vector<int>(n));
  runner->run("shift", line(n, 64), dx, dy, n);
  std::vector<int> want(n);
  for (int i = 0; i < n; ++i) {
    const int base = i / 64 * 64, here = std::min(64, n - base);
    want[i] = x[base + (i - base + 1) % here];
  }
  EXPECT_EQ(runner->get<int>(dy), want);
}

TEST_P(Kernels, TheLastBlockSeesWhatTheOthersWrote) {
  KERNEL("last_block", {"total"});
  const int n = 5000, blocks = 40;
  auto x = random_ints(n, -9, 9);
  ArrayPtr dx = runner->put(x), partial = runner->put(std::vector<int>(blocks)), out = runner->put(std::vector<int>(1));
  for (int round = 0; round < 3; ++round) {
    runner->run("total", line(n, 128), dx, partial, out, n);
    EXPECT_EQ(runner->get<int>(out)[0], std::accumulate(x.begin(), x.end(), 0)) << round;
  }
}

TEST_P(Kernels, WarpsCompactTogether) {
  KERNEL("warp_compaction", {"compact"});
  const int n = 3001;
  auto x = random_ints(n, -100, 100);
  ArrayPtr dx = runner->put(x), dy = runner->put(std::vector<int>(n)), count = runner->put(std::vector<int>(1));
  runner->run("compact", line(n, 128), dx, dy, count, n);
  std::vector<int> want, got = runner->get<int>(dy);
  for (int v : x)
    if (v > 0) want.push_back(v);
  ASSERT_EQ(runner->get<int>(count)[0], int(want.size()));
  got.resize(want.size());
  std::sort(got.begin(), got.end());
  std::sort(want.begin(), want.end());
  EXPECT_EQ(got, want);
}

TEST_P(Kernels, GridStrideLoopsVisitEveryElementOnce) {
  KERNEL("grid_stride", {"by_macro", "by_hand"});
  for (int64_t n : {0, 1, 31, 1000, 70001}) {
    std::vector<float> x(size_t(n + 1)), want(size_t(n + 1));
    for (int64_t i = 0; i <= n; ++i) x[i] = float(i % 100), want[i] = i < n ? 2.0f * x[i] + 1.0f : 1.0f;
    for (const char* kernel : {"by_macro", "by_hand"}) {
      ArrayPtr dx = runner->put(x), dy = runner->put(std::vector<float>(size_t(n + 1), 1.0f));
      runner->run(kernel, Grid{{7, 1, 1}, {96, 1, 1}}, 2.0f, dx, dy, n);
      EXPECT_EQ(runner->get<float>(dy), want) << kernel << " " << n;
    }
  }
}

TEST_P(Kernels, IntegerIntrinsics) {
  KERNEL("integers", {"integers"});
  std::mt19937 engine(11);
  std::vector<uint32_t> x(64);
  for (uint32_t& v : x) v = uint32_t(engine());
  x[0] = 0, x[1] = 1, x[2] = 0x80000000u, x[3] = 0xffffffffu;
  ArrayPtr dx = runner->put(x), out = runner->put(std::vector<uint32_t>(64 * 20));
  runner->run("integers", line(64, 64), dx, out);
  auto got = runner->get<uint32_t>(out);
  auto reversed = [](uint32_t v) {
    uint32_t r = 0;
    for (int k = 0; k < 32; ++k) r |= (v >> k & 1) << (31 - k);
    return r;
  };
  for (int i = 0; i < 64; ++i) {
    const uint32_t a = x[i], b = x[(i + 1) % 64];
    const uint64_t both = uint64_t(b) << 32 | a;
    auto byte = [&](int k) { return uint32_t(both >> (8 * k)) & 0xff; };
    auto low24 = [](uint32_t v) { return int64_t(int32_t(v << 8)) >> 8; };
    int dot = 3;
    for (int k = 0; k < 32; k += 8) dot += int8_t(a >> k) * int8_t(b >> k);
    const uint32_t want[20] = {uint32_t(__builtin_popcount(a)),
                               a ? uint32_t(__builtin_clz(a)) : 32,
                               uint32_t(__builtin_ffs(int(a))),
                               reversed(a),
                               byte(1) | byte(3) << 8 | byte(5) << 16 | byte(7) << 24,
                               uint32_t((both << 7) >> 32),
                               uint32_t(both >> 8),
                               uint32_t(uint64_t(a) * b >> 32),
                               uint32_t(int64_t(int32_t(a)) * int32_t(b) >> 32),
                               uint32_t(__builtin_popcountll(uint64_t(a) << 32 | b)),
                               uint32_t(__builtin_clzll(uint64_t(a) << 20 | 1)),
                               (a > b ? a - b : b - a) + 1,
                               uint32_t(low24(a) * low24(b)),
                               uint32_t(uint64_t((unsigned __int128)(uint64_t(a) << 30) * (uint64_t(b) << 30) >> 64)),
                               uint32_t((uint64_t(a) + b) >> 1),
                               a ? uint32_t(__builtin_ffs(int(a))) + 32 : 0,
                               a,
                               reversed(a),
                               std::min(a, b) ^ uint32_t(std::max(int32_t(a), int32_t(b))),
                               uint32_t(dot)};
    for (int k = 0; k < 20; ++k)
      ASSERT_EQ(got[i * 20 + k], want[k]) << "intrinsic " << k << " of " << std::hex << a << " " << b;
  }
}

TEST_P(Kernels, ArithmeticOnBytesAndHalfWords) {
  KERNEL("video", {"video"});
  std::mt19937 engine(12);
  std::vector<uint32_t> x(64);
  for (uint32_t& v : x) v = uint32_t(engine());
  x[0] = 0x80808080u, x[1] = 0x7fff8000u, x[2] = 0xffffffffu, x[3] = 0;
  ArrayPtr dx = runner->put(x), out = runner->put(std::vector<uint32_t>(64 * 18));
  runner->run("video", line(64, 64), dx, out);
  auto got = runner->get<uint32_t>(out);
  auto lanes = [](uint32_t a, uint32_t b, int bits, bool is_signed, auto f) {
    uint32_t result = 0;
    for (int at = 0; at < 32; at += bits) {
      int64_t p = a >> at & ((1ull << bits) - 1), q = b >> at & ((1ull << bits) - 1);
      if (is_signed && p >> (bits - 1)) p -= 1ll << bits;
      if (is_signed && q >> (bits - 1)) q -= 1ll << bits;
      result |= uint32_t(uint64_t(f(p, q)) & ((1ull << bits) - 1)) << at;
    }
    return result;
  };
  auto sum = [&](uint32_t a, uint32_t b, int bits, bool is_signed) {
    uint32_t total = 0;
    lanes(a, b, bits, is_signed, [&](int64_t p, int64_t q) {
      total += uint32_t(std::llabs(p - q));
      return 0;
    });
    return total;
  };
  for (int i = 0; i < 64; ++i) {
    const uint32_t a = x[i], b = x[(i + 1) % 64];
    using I = int64_t;
    auto average = [](I p, I q) { return (p + q + (p + q >= 0)) >> 1; };
    const uint32_t want[18] = {lanes(a, b, 8, false, [](I p, I q) { return p + q; }),
                               lanes(a, b, 16, true, [](I p, I q) { return std::clamp<I>(p + q, -32768, 32767); }),
                               lanes(a, b, 8, false, [](I p, I q) { return std::min<I>(p + q, 255); }),
                               lanes(a, b, 16, false, [](I p, I q) { return p - q; }),
                               lanes(a, b, 8, true, [](I p, I q) { return std::clamp<I>(p - q, -128, 127); }),
                               lanes(a, b, 8, false, [](I p, I q) { return std::llabs(p - q); }),
                               lanes(a, b, 8, false, [](I p, I q) { return (p + q + 1) / 2; }),
                               lanes(a, b, 16, false, [](I p, I q) { return (p + q) / 2; }),
                               lanes(a, b, 8, true, [](I p, I q) { return std::max(p, q); }),
                               lanes(a, b, 16, false, [](I p, I q) { return std::min(p, q); }),
                               lanes(a, 0, 8, true, [](I p, I) { return std::min<I>(std::llabs(p), 127); }),
                               lanes(a, 0, 16, true, [](I p, I) { return -p; }),
                               lanes(a, b, 8, true, [](I p, I q) { return p > q ? -1 : 0; }),
                               lanes(a, b, 16, false, [](I p, I q) { return p <= q ? 1 : 0; }),
                               sum(a, b, 8, false),
                               sum(a, b, 16, true),
                               lanes(a, b, 8, true, average),
                               lanes(a, b, 16, true, average)};
    for (int k = 0; k < 18; ++k)
      ASSERT_EQ(got[i * 18 + k], want[k]) << "intrinsic " << k << " of " << std::hex << a << " " << b;
  }
}

// Errors in units in the last place that CUDA documents for float (the larger of its tables), one per row of the
// kernel.
TEST_P(Kernels, FloatFunctionsKeepToCudasErrors) {
  KERNEL("math_functions", {"of_float"});
  const int n = 4000, rows = 42;
  auto x = random_floats(n, -40, 40);
  x[0] = 0, x[1] = 1, x[2] = -1, x[3] = 1e-6f;
  ArrayPtr dx = runner->put(x), out = runner->put(std::vector<float>(size_t(n) * rows));
  runner->run("of_float", line(n, 128), dx, out, n);
  auto got = runner->get<float>(out);
  const double pi = 3.14159265358979323846;
  const double limit[rows] = {2, 2, 2, 2, 2, 2, 3, 2, 2, 2, 4, 4,   3,   2,   3,   2,   2, 1,  2, 2, 2,
                              5, 9, 3, 3, 1, 2, 2, 2, 2, 6, 3, 0.5, 0.5, 0.5, 0.5, 0.5, 9, 12, 5, 2, 6};
  for (int i = 0; i < n; ++i) {
    const float vf = x[i], pf = std::fabs(vf) + 0.01f, uf = vf / 40.0f;
    const double v = vf, p = pf, u = uf;
    auto inverse_erf = [](double y) {
      double t = 0;
      for (int k = 0; k < 60; ++k) {
        const double step = (std::erf(t) - y) / (2 / std::sqrt(3.14159265358979323846) * std::exp(-t * t));
        t -= std::fabs(step) > 0.5 ? std::copysign(0.5, step) : step;
      }
      return t;
    };
    const double half = double(0.5f + uf / 2.1f);
    const double want[rows] = {std::exp(v),
                               std::exp2(v),
                               std::pow(10.0, v),
                               std::expm1(v),
                               std::log(p),
                               std::log2(p),
                               std::log10(p),
                               std::log1p(p),
                               std::sin(v),
                               std::cos(v),
                               std::tan(v),
                               std::asin(u),
                               std::acos(u),
                               std::atan(v),
                               std::sinh(v),
                               std::cosh(v),
                               std::tanh(v),
                               std::sqrt(p),
                               1 / std::sqrt(p),
                               std::cbrt(v),
                               std::erf(v),
                               std::erfc(v),
                               std::pow(p, u),
                               std::atan2(v, p),
                               std::hypot(v, p),
                               std::fmod(v, double(0.7f)),
                               std::sin(v),
                               std::cos(v),
                               std::sin(pi * std::fmod(v, 2)),
                               std::cos(pi * std::fmod(v, 2)),
                               0.5 * std::erfc(-v / std::sqrt(2.0)),
                               inverse_erf(u),
                               std::ceil(v),
                               std::floor(v),
                               std::rint(v),
                               std::trunc(v),
                               std::round(v),
                               std::lgamma(p),
                               std::tgamma(p),
                               NAN,
                               1 / std::cbrt(p),
                               std::sqrt(2.0) * inverse_erf(2 * half - 1)};
    for (int k = 0; k < rows; ++k) {
      if (std::isnan(want[k]) || (k == 31 && std::fabs(u) > 0.999)) continue;
      const float g = got[size_t(k) * n + i];
      int e;
      std::frexp(want[k], &e);
      // Near a zero of the function, the error relative to the argument's own precision counts.
      const double unit =
          std::ldexp(1.0, std::max({e - 24, -149, k == 28 || k == 29 || k == 37 || k == 41 ? -23 : -149}));
      if (std::fabs(want[k]) > 3.4e38) {
        ASSERT_TRUE(std::isinf(g)) << "row " << k << " of " << vf;
        continue;
      }
      ASSERT_LE(std::fabs(g - want[k]) / unit, limit[k] + 0.51)
          << "row " << k << " of " << vf << ": " << g << " for " << want[k];
    }
  }
}

TEST_P(Kernels, DoubleFunctionsAreClose) {
  KERNEL("math_functions", {"of_double"});
  const int n = 1000, rows = 20;
  std::vector<double> x(n);
  for (int i = 0; i < n; ++i) x[i] = (i - 500) * 0.0731;
  ArrayPtr dx = runner->put(x), out = runner->put(std::vector<double>(size_t(n) * rows));
  runner->run("of_double", line(n, 128), dx, out, n);
  auto got = runner->get<double>(out);
  for (int i = 0; i < n; ++i) {
    const double v = x[i], p = std::fabs(v) + 0.01, u = v / 40.0;
    const double erfinv = got[11 * n + i], quantile = got[19 * n + i];
    const double want[rows] = {std::exp(v),
                               std::log(p),
                               std::sin(v),
                               std::cos(v),
                               std::tan(v),
                               std::tanh(v),
                               std::sqrt(p),
                               1 / std::sqrt(p),
                               std::pow(p, u),
                               std::erf(v),
                               std::erfc(v),
                               erfinv,
                               double(0.5L * std::erfc((long double)-v * std::sqrt(0.5L))),
                               std::cbrt(v),
                               std::sin(3.14159265358979323846 * std::fmod(v, 2)),
                               std::exp2(v),
                               std::log2(p),
                               std::hypot(v, p),
                               std::fma(v, p, u),
                               quantile};
    for (int k = 0; k < rows; ++k)
      ASSERT_NEAR(got[size_t(k) * n + i], want[k],
                  1e-14 * std::fabs(want[k]) + (k == 14 ? 1e-14 : 1e-300) + (k == 12 ? 1e-300 : 0))
          << "row " << k << " of " << v;
    ASSERT_NEAR(std::erf(erfinv), u, 4e-16) << v;
    ASSERT_NEAR(0.5 * std::erfc(-quantile * std::sqrt(0.5)), 0.5 + u / 2.1, 1e-15) << v;
  }
}

TEST_P(Kernels, RoundingDirectionsBracketTheExactResult) {
  KERNEL("math_functions", {"rounding"});
  const int n = 3000;
  auto x = random_floats(n, -100, 100);
  ArrayPtr dx = runner->put(x), out = runner->put(std::vector<float>(17 * n)),
           whole = runner->put(std::vector<int>(7 * n));
  runner->run("rounding", line(n, 128), dx, out, whole, n);
  auto got = runner->get<float>(out);
  auto integers = runner->get<int>(whole);
  auto up = [](long double v) {
    float f = float(v);
    return (long double)f < v ? std::nextafter(f, INFINITY) : f;
  };
  auto down = [](long double v) {
    float f = float(v);
    return (long double)f > v ? std::nextafter(f, -INFINITY) : f;
  };
  auto zero = [&](long double v) { return v > 0 ? down(v) : up(v); };
  for (int i = 0; i < n; ++i) {
    const float a = x[i], b = x[(i + 1) % n] + 0.1f;
    const long double sum = (long double)a + b, product = (long double)a * b, quotient = (long double)a / b,
                      fused = (long double)a * b + a, root = std::sqrt((long double)std::fabs(a)),
                      third = (long double)(a / 3.0);
    const float want[17] = {float(sum),    zero(sum),      up(sum),      down(sum),      zero(product), up(product),
                            down(product), zero(quotient), up(quotient), down(quotient), zero(fused),   up(fused),
                            down(fused),   up(root),       down(root),   up(third),      down(third)};
    for (int k = 0; k < 17; ++k) ASSERT_EQ(got[k * n + i], want[k]) << "row " << k << " of " << a << " and " << b;
    const int far = a * 1e30f > 2e9f ? 2147483647 : a * 1e30f < -2e9f ? int(-2147483648LL) : int(a * 1e30f);
    const int whole_want[7] = {int(std::rint(a)), int(a), int(std::ceil(a)), int(std::floor(a)), far, 0, 0};
    for (int k = 0; k < 7; ++k) ASSERT_EQ(integers[k * n + i], whole_want[k]) << "row " << k << " of " << a;
  }
}

TEST_P(Kernels, LambdasAndFunctionPointersWork) {
  KERNEL("lambdas", {"rows"});
  const int rows = 40, columns = 13;
  auto x = random_ints(rows * columns, 1, 50);
  ArrayPtr dx = runner->put(std::vector<float>(x.begin(), x.end())), out = runner->put(std::vector<float>(rows));
  for (int kind : {0, 1}) {
    runner->run("rows", line(rows, 8), dx, out, columns, kind);
    auto got = runner->get<float>(out);
    for (int r = 0; r < rows; ++r) {
      float want = 0;
      for (int c = 0; c < columns; ++c)
        want = kind ? std::max(want, 0.5f * x[r * columns + c]) : want + x[r * columns + c];
      ASSERT_EQ(got[r], kind ? want : 2 * want) << r;
    }
  }
}

TEST_P(Kernels, SparseRowsByWarps) {
  KERNEL("sparse", {"spmv"});
  const int rows = 50;
  std::vector<int> start = {0}, column;
  std::vector<double> value, x(rows), want(rows);
  for (int i = 0; i < rows; ++i) x[i] = i % 7;
  for (int r = 0; r < rows; ++r) {
    for (int k = 0; k < r * 3 % 90; ++k) {
      column.push_back((r * 7 + k * 3) % rows), value.push_back(k % 5);
      want[r] += value.back() * x[column.back()];
    }
    start.push_back(int(column.size()));
  }
  ArrayPtr ds = runner->put(start), dc = runner->put(column), dv = runner->put(value), dx = runner->put(x),
           dy = runner->put(std::vector<double>(rows));
  runner->run("spmv", line(rows * 32, 128), ds, dc, dv, dx, dy, rows);
  EXPECT_EQ(runner->get<double>(dy), want);
}

TEST_P(Kernels, BytesBlend) {
  KERNEL("image_bytes", {"blend", "grey"});
  const int64_t n = 4001;
  std::vector<uint8_t> a(n), b(n), want(n), pixels(400), grey(100);
  for (int i = 0; i < n; ++i)
    a[i] = uint8_t(i * 7), b[i] = uint8_t(i * 13), want[i] = uint8_t((a[i] * 100 + b[i] * 155) / 255);
  for (int i = 0; i < 400; ++i) pixels[i] = uint8_t(i * 31);
  for (int i = 0; i < 100; ++i)
    grey[i] = uint8_t((pixels[i * 4] * 77 + pixels[i * 4 + 1] * 150 + pixels[i * 4 + 2] * 29) >> 8);
  ArrayPtr da = runner->put(a), db = runner->put(b), out = runner->put(std::vector<uint8_t>(n));
  runner->run("blend", line(n, 256), da, db, out, n, uint8_t(100));
  EXPECT_EQ(runner->get<uint8_t>(out), want);
  ArrayPtr dp = runner->put(pixels), dg = runner->put(std::vector<uint8_t>(100));
  runner->run("grey", line(100, 32), Runner::address(dp), dg, 100);
  EXPECT_EQ(runner->get<uint8_t>(dg), grey);
}

// The execution mode of a program depends on what its kernels need.
TEST_P(Kernels, ExecutionFollowsFromTheText) {
  if (!runner->on_cpu() || GetParam().mode != TENON_PROGRAM_MODE_FAST) GTEST_SKIP();
  const std::pair<const char*, std::pair<const char*, int>> expected[] = {
      {"saxpy", {"saxpy", kLoop}},
      {"atomics", {"atomics", kLoop}},
      {"histogram", {"histogram", kRegions}},
      {"matmul_tiled", {"matmul", kRegions}},
      {"barrier_in_function", {"neighbours", kRegions}},
      {"votes_match", {"votes", kScheduled}},
      {"block_votes", {"votes", kScheduled}},
      {"grid_sync", {"rounds", kScheduled}}};
  for (const auto& [file, kernel] : expected) {
    KERNEL(file, {kernel.first});
    EXPECT_EQ(runner->execution(kernel.first), kernel.second) << file;
  }
  // Words in comments, in branches not taken and in functions that are never called have no effect.
  ASSERT_EQ(TENON_OK, runner->compile("// __shfl_sync and __syncthreads\n"
                                      "template <bool B> __device__ void maybe() { if (B) __syncthreads(); }\n"
                                      "static __device__ int unused(int v) { return __shfl_sync(~0u, v, 0); }\n"
                                      "extern \"C\" __global__ void k(int* p) { maybe<false>(); p[threadIdx.x] = 1; }",
                                      {"k"}))
      << tenon_error_last_message();
  EXPECT_EQ(runner->execution("k"), kLoop);
}

// One kernel that waits does not turn the threads of other kernels into fibers; all use the same variables.
TEST_P(Kernels, EachKernelRunsAsItNeeds) {
  const std::string plain =
      "__device__ int calls;\n__device__ int twice(int v) { return 2 * v; }\n"
      "template <bool B> __device__ void maybe() { if (B) __syncthreads(); }\n"
      "extern \"C\" __global__ void simple(const int* x, int* y, int n) { maybe<false>(); int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = twice(x[i]); }\n"
      "extern \"C\" __global__ void counts(const int* x, int* y, int n) { if (threadIdx.x == 0) atomicAdd(&calls, 1); }\n"
      "extern \"C\" __global__ void strides(const int* x, int* y, int n) {\n"
      "  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = x[i] + 3; }\n";
  const std::string waits =
      "extern \"C\" __global__ void waits(const int* x, int* y, int n) { __shared__ int s[64]; s[threadIdx.x] = x[threadIdx.x]; maybe<true>();\n"
      "  y[threadIdx.x] = twice(s[63 - threadIdx.x]) + calls; }\n";
  const std::string warps =
      "extern \"C\" __global__ void warps(const int* x, int* y, int n) { y[threadIdx.x] = __shfl_xor_sync(~0u, x[threadIdx.x], 1) + calls; }\n";
  const int n = 64;
  std::vector<int> x(n);
  std::iota(x.begin(), x.end(), 5);
  for (const bool with_warps : {false, true}) {
    std::vector<const char*> names = {"simple", "counts", "strides", "waits"};
    if (with_warps) names.push_back("warps");
    ASSERT_EQ(TENON_OK, runner->compile(plain + waits + (with_warps ? warps : ""), names))
        << tenon_error_last_message() << "\n"
        << Runner::last_log();
    if (runner->on_cpu() && GetParam().mode == TENON_PROGRAM_MODE_FAST) {
      EXPECT_EQ(runner->execution("simple"), kLoop);
      EXPECT_EQ(runner->execution("counts"), kLoop);
      EXPECT_EQ(runner->execution("strides"),
                GetParam().flags & TENON_PROGRAM_FLAG_REVERSE_ORDER ? kLoop : kLoop | kInOrder);
      EXPECT_EQ(runner->execution("waits"), kRing) << "another kernel's shuffle is not its own";
    }
    const ArrayPtr dx = runner->put(x), dy = runner->put(x);
    runner->run("counts", Grid{{7, 1, 1}, {32, 1, 1}}, dx, dy, n);
    for (const char* name : names) {
      const std::string kernel = name;
      if (kernel == "counts") continue;
      runner->run(name, line(n, 64), dx, dy, n);
      const std::vector<int> y = runner->get<int>(dy);
      for (int i = 0; i < n; ++i)
        ASSERT_EQ(y[i], kernel == "simple"    ? 2 * x[i]
                        : kernel == "strides" ? x[i] + 3
                        : kernel == "waits"   ? 2 * x[63 - i] + 7
                                              : x[i ^ 1] + 7)
            << name << " " << i;
    }
  }
}

// Two programs whose kernels and shared arrays have the same names do not share them.
TEST_P(Kernels, ProgramsDoNotShareNames) {
  const char* small =
      "__device__ int mark = 1;\nextern \"C\" __global__ void k(int* p) { __shared__ int s[8]; s[threadIdx.x] = p[threadIdx.x]; __syncthreads();"
      " p[threadIdx.x] = s[7 - threadIdx.x] + mark; }";
  const char* large =
      "__device__ int mark = 2;\nextern \"C\" __global__ void k(int* p) { __shared__ int s[1024]; s[threadIdx.x] = p[threadIdx.x]; __syncthreads();"
      " p[threadIdx.x] = s[1023 - threadIdx.x] + mark; }";
  Runner other(GetParam());
  ASSERT_EQ(TENON_OK, runner->compile(small, {"k"})) << tenon_error_last_message();
  std::vector<int> x(8), z(1024);
  std::iota(x.begin(), x.end(), 0);
  std::iota(z.begin(), z.end(), 0);
  ArrayPtr dx = runner->put(x), dz = other.put(z);
  runner->run("k", line(8, 8), dx);
  ASSERT_EQ(TENON_OK, other.compile(large, {"k"})) << tenon_error_last_message();
  other.run("k", line(1024, 1024), dz);
  runner->run("k", line(8, 8), dx);
  auto gx = runner->get<int>(dx), gz = other.get<int>(dz);
  for (int i = 0; i < 8; ++i) EXPECT_EQ(gx[i], i + 2);
  for (int i = 0; i < 1024; ++i) ASSERT_EQ(gz[i], 1023 - i + 2);
}

INSTANTIATE_TEST_SUITE_P(On, Kernels, testing::ValuesIn(corpus_machines),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
