// tests/kernels/algorithms/image_kernels.cpp: pictures, cells, rays.
#include "../kernels.hpp"

namespace {

using namespace test;

TEST_P(Kernels, PicturesAreResized) {
  KERNEL("resize_bilinear", {"resize"});
  const int iw = 23, ih = 17, ow = 40, oh = 29;
  std::vector<uint8_t> in(iw * ih * 4), want(ow * oh * 4);
  for (size_t i = 0; i < in.size(); ++i) in[i] = uint8_t(i * 2654435761u >> 20);
  for (int y = 0; y < oh; ++y)
    for (int x = 0; x < ow; ++x) {
      const int px = (2 * x + 1) * iw * 128 / ow - 128, py = (2 * y + 1) * ih * 128 / oh - 128, wx = px & 255,
                wy = py & 255;
      for (int c = 0; c < 4; ++c) {
        auto at = [&](int i, int j) {
          return int(in[(std::clamp(j, 0, ih - 1) * iw + std::clamp(i, 0, iw - 1)) * 4 + c]);
        };
        const int x0 = px >> 8, y0 = py >> 8;
        const int upper = at(x0, y0) * (256 - wx) + at(x0 + 1, y0) * wx,
                  lower = at(x0, y0 + 1) * (256 - wx) + at(x0 + 1, y0 + 1) * wx;
        want[(y * ow + x) * 4 + c] = uint8_t((upper * (256 - wy) + lower * wy + 32768) >> 16);
      }
    }
  ArrayPtr di = runner->put(in), out = runner->put(std::vector<uint8_t>(want.size()));
  runner->run("resize", Grid{{5, 4, 1}, {8, 8, 1}}, Runner::address(di), iw, ih, Runner::address(out), ow, oh);
  EXPECT_EQ(runner->get<uint8_t>(out), want);
}

TEST_P(Kernels, MediansOfNine) {
  KERNEL("median3x3", {"median"});
  const int width = 45, height = 35;
  std::vector<uint8_t> in(width * height), want(in.size());
  for (size_t i = 0; i < in.size(); ++i) in[i] = uint8_t(i * 2654435761u >> 19);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      std::vector<uint8_t> around;
      for (int k = 0; k < 9; ++k)
        around.push_back(
            in[std::clamp(y + k / 3 - 1, 0, height - 1) * width + std::clamp(x + k % 3 - 1, 0, width - 1)]);
      std::sort(around.begin(), around.end());
      want[y * width + x] = around[4];
    }
  ArrayPtr di = runner->put(in), out = runner->put(std::vector<uint8_t>(in.size()));
  runner->run("median", Grid{{3, 3, 1}, {16, 16, 1}}, di, out, width, height);
  EXPECT_EQ(runner->get<uint8_t>(out), want);
}

TEST_P(Kernels, ComponentsOfEqualPixels) {
  KERNEL("components", {"label", "spread"});
  const int width = 33, height = 21, n = width * height;
  auto image = random_ints(n, 0, 1);
  ArrayPtr di = runner->put(image), labels = runner->put(std::vector<int>(n));
  runner->run("label", line(n, 128), labels, n);
  for (int round = 0;; ++round) {
    ASSERT_LT(round, n);
    ArrayPtr changed = runner->put(std::vector<int>(1));
    runner->run("spread", Grid{{3, 3, 1}, {16, 8, 1}}, di, labels, changed, width, height);
    if (!runner->get<int>(changed)[0]) break;
  }
  // A flood fill from each pixel that no earlier one reached.
  std::vector<int> want(n, -1);
  for (int seed = 0; seed < n; ++seed) {
    if (want[seed] >= 0) continue;
    std::vector<int> open = {seed};
    want[seed] = seed;
    while (!open.empty()) {
      const int i = open.back(), x = i % width, y = i / width;
      open.pop_back();
      const int next[4] = {x > 0 ? i - 1 : -1, x < width - 1 ? i + 1 : -1, y > 0 ? i - width : -1,
                           y < height - 1 ? i + width : -1};
      for (int j : next)
        if (j >= 0 && want[j] < 0 && image[j] == image[i]) want[j] = seed, open.push_back(j);
    }
  }
  EXPECT_EQ(runner->get<int>(labels), want);
}

TEST_P(Kernels, LifeGoesOn) {
  KERNEL("life", {"generation"});
  const uint32_t width = 30, height = 22;
  std::vector<uint8_t> a(width * height);
  for (size_t i = 0; i < a.size(); ++i) a[i] = (i * 2654435761u >> 12 & 3) == 0;
  ArrayPtr now = runner->put(a, TENON_BOOL), next = runner->put(a, TENON_BOOL);
  for (int g = 0; g < 10; ++g) {
    runner->run("generation", Grid{{4, 6, 1}, {8, 4, 1}}, now, next, width, height);
    std::swap(now, next);
    std::vector<uint8_t> b(a.size());
    for (uint32_t y = 0; y < height; ++y)
      for (uint32_t x = 0; x < width; ++x) {
        int around = -a[y * width + x];
        for (uint32_t k = 0; k < 9; ++k)
          around += a[(y + height + k / 3 - 1) % height * width + (x + width + k % 3 - 1) % width];
        b[y * width + x] = around == 3 || (around == 2 && a[y * width + x]);
      }
    a = b;
  }
  EXPECT_EQ(runner->get<uint8_t>(now), a);
}

TEST_P(Kernels, RaysHitTheNearestSphere) {
  KERNEL("rays", {"trace"});
  const int width = 32, height = 24;
  const std::vector<float> spheres = {0, 0, 0, 0.5f, 0.5f, 0.25f, -1, 0.25f, -0.75f, 0, 1, 0.5f};
  ArrayPtr ds = runner->put(spheres), which = runner->put(std::vector<int>(width * height)),
           depth = runner->put(std::vector<float>(width * height)),
           shade = runner->put(std::vector<float>(width * height));
  runner->run("trace", Grid{{4, 3, 1}, {8, 8, 1}}, Runner::address(ds), 3, which, depth, shade, width, height);
  const auto w = runner->get<int>(which);
  const auto d = runner->get<float>(depth), s = runner->get<float>(shade);
  int hits = 0;
  for (int i = 0; i < width * height; ++i) {
    const double dir[3] = {(i % width + 0.5) / width * 2 - 1, (i / width + 0.5) / height * 2 - 1, 2},
                 from[3] = {0, 0, -4};
    double best = INFINITY, margin = INFINITY, light = 0;
    int index = -1;
    for (int k = 0; k < 3; ++k) {
      double a = 0, b = 0, c = -double(spheres[k * 4 + 3]) * spheres[k * 4 + 3];
      for (int j = 0; j < 3; ++j) {
        const double to = from[j] - spheres[k * 4 + j];
        a += dir[j] * dir[j], b += to * dir[j], c += to * to;
      }
      margin = std::min(margin, std::fabs(b * b - a * c));
      if (b * b - a * c < 0) continue;
      const double t = (-b - std::sqrt(b * b - a * c)) / a;
      if (t > 0 && t < best) best = t, index = k;
    }
    if (margin < 1e-4) continue;  // grazing: float may give the other result
    ASSERT_EQ(w[i], index) << i;
    if (index < 0) {
      ASSERT_TRUE(std::isinf(d[i]) && s[i] == 0);
      continue;
    }
    ++hits;
    for (int j = 0; j < 3; ++j)
      light += (from[j] + best * dir[j] - spheres[index * 4 + j]) / spheres[index * 4 + 3] *
               (j == 0   ? 0.6
                : j == 2 ? -0.8
                         : 0);
    ASSERT_NEAR(d[i], best, 2e-4) << i;
    ASSERT_NEAR(s[i], std::max(0.0, light), 2e-3) << i;
  }
  EXPECT_GT(hits, 50);
}

}  // namespace
