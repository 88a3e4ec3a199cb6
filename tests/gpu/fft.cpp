// Fourier transforms on the GPU against sums in double on the host.
#include <cmath>
#include <thread>

#include "gpu.hpp"

using namespace gpu;
using C = std::complex<double>;

namespace {

class Fft : public Gpu {
 protected:
  double number() { return double(pick(-1000000, 1000000)) / 1000000; }
  std::vector<C> numbers(const std::vector<int64_t>& shape) {
    std::vector<C> out(size_t(product(shape)));
    for (C& x : out) x = {number(), number()};
    return out;
  }
  ArrayPtr on_device(uint32_t dtype, const std::vector<int64_t>& shape, const std::vector<C>& data) {
    return converted(upload(device_.get(), TENON_COMPLEX128, shape, data.data(), data.size() * sizeof(C)), dtype);
  }
  // The definition as sums, one axis after another.
  static void transform(std::vector<C>& x, const std::vector<int64_t>& shape, int axis, bool inverse) {
    const int64_t n = shape[size_t(axis)];
    int64_t inner = 1, outer = 1;
    for (int i = 0; i < int(shape.size()); ++i) {
      if (i < axis) outer *= shape[size_t(i)];
      if (i > axis) inner *= shape[size_t(i)];
    }
    std::vector<C> root(static_cast<size_t>(n)), line(static_cast<size_t>(n));
    for (int64_t i = 0; i < n; ++i)
      root[size_t(i)] = std::polar(1.0, (inverse ? 2 : -2) * M_PI * double(i) / double(n));
    for (int64_t o = 0; o < outer; ++o)
      for (int64_t in = 0; in < inner; ++in) {
        for (int64_t k = 0; k < n; ++k) {
          C sum = 0;
          for (int64_t j = 0; j < n; ++j) sum += x[size_t((o * n + j) * inner + in)] * root[size_t(j * k % n)];
          line[size_t(k)] = sum;
        }
        for (int64_t k = 0; k < n; ++k) x[size_t((o * n + k) * inner + in)] = line[size_t(k)];
      }
  }
  // source_order, target_order: the order of the axes in memory, outermost first; empty: C order.
  void check(uint32_t dtype, const std::vector<int64_t>& shape, const std::vector<int32_t>& axes, bool inverse,
             int32_t norm, std::vector<int32_t> source_order, std::vector<int32_t> target_order, bool in_place) {
    const double tolerance = dtype == TENON_COMPLEX64 ? 2e-6 : 4e-15;
    auto data = numbers(shape);
    auto lay = [&](std::vector<int32_t> order, const std::vector<C>& values) {
      if (order.empty()) return on_device(dtype, shape, values);
      std::vector<int64_t> stored;
      std::vector<int32_t> back(order.size());
      for (size_t i = 0; i < order.size(); ++i) {
        stored.push_back(shape[size_t(order[i])]);
        back[size_t(order[i])] = int32_t(i);
      }
      ArrayPtr memory = on_device(dtype, stored, numbers(stored));
      ArrayPtr view = transposed(memory, back);
      ArrayPtr plain = on_device(dtype, shape, values);
      EXPECT_OK(tenon_array_copy(view.get(), plain.get(), nullptr));
      return view;
    };
    ArrayPtr source = lay(source_order, data);
    ArrayPtr other = in_place ? ArrayPtr() : lay(target_order, numbers(shape));
    tenon_array* target = in_place ? source.get() : other.get();
    tenon_fft_options options{};
    options.struct_size = sizeof(options);
    options.direction = inverse ? TENON_FFT_DIRECTION_INVERSE : TENON_FFT_DIRECTION_FORWARD;
    options.norm = norm;
    OK(tenon_fft(source.get(), axes.data(), int32_t(axes.size()), &options, nullptr, into(target)));
    double points = 1;
    for (int32_t axis : axes) {
      transform(data, shape, axis, inverse);
      points *= double(shape[size_t(axis)]);
    }
    double scale = norm == TENON_FFT_NORM_ORTHO                   ? 1 / std::sqrt(points)
                   : (norm == TENON_FFT_NORM_BACKWARD) == inverse ? 1 / points
                                                                  : 1;
    tenon_array_retain(target);
    const auto got = complex_values(ArrayPtr(target));
    double error = 0, size = 0;
    for (size_t i = 0; i < got.size(); ++i) {
      error += std::norm(got[i] - data[i] * scale);
      size += std::norm(data[i] * scale);
    }
    std::string what;
    for (int64_t n : shape) what += std::to_string(n) + " ";
    what += "axes ";
    for (int32_t a : axes) what += std::to_string(a) + " ";
    ASSERT_LE(std::sqrt(error / size), tolerance)
        << tenon_dtype_name(dtype) << " " << what << (inverse ? "inverse" : "forward") << " norm " << norm
        << (in_place ? " in place" : "");
  }
};

TEST_F(Fft, LinesOfAnyLengthAgreeWithTheSum) {
  for (uint32_t dtype : {TENON_COMPLEX64, TENON_COMPLEX128})
    for (int64_t n : {1, 2, 3, 7, 16, 30, 97, 128, 131, 257, 512, 1009, 1200})
      for (bool inverse : {false, true}) {
        check(dtype, {n}, {0}, inverse, TENON_FFT_NORM_BACKWARD, {}, {}, false);
        check(dtype, {3, n}, {1}, inverse, TENON_FFT_NORM_ORTHO, {}, {}, true);
        if (HasFatalFailure()) return;
      }
}

TEST_F(Fft, EverySubsetOfAxesOfEveryLayoutAgreesWithTheSum) {
  const std::vector<int64_t> shape{6, 5, 8, 9};
  for (int subset = 1; subset < 16; ++subset) {
    std::vector<int32_t> axes;
    for (int32_t i = 0; i < 4; ++i)
      if (subset >> i & 1) axes.push_back(i);
    check(TENON_COMPLEX64, shape, axes, subset & 1, subset % 3, {}, {}, false);
    check(TENON_COMPLEX128, shape, axes, subset & 2, subset % 3, {2, 0, 3, 1}, {}, false);
    check(TENON_COMPLEX64, shape, axes, subset & 4, subset % 3, {3, 2, 1, 0}, {1, 3, 0, 2}, false);
    check(TENON_COMPLEX64, shape, axes, subset & 1, subset % 3, {}, {}, true);
    check(TENON_COMPLEX128, shape, axes, subset & 2, subset % 3, {1, 2, 3, 0}, {}, true);
    if (HasFatalFailure()) return;
  }
}

TEST_F(Fft, FiveAxesAndManySmallBatchesAgreeWithTheSum) {
  check(TENON_COMPLEX64, {3, 4, 2, 5, 6}, {0, 1, 2, 3, 4}, false, 0, {}, {}, false);
  check(TENON_COMPLEX64, {100, 8, 30}, {1}, false, 0, {}, {}, false);
  check(TENON_COMPLEX64, {100, 8, 30}, {1}, true, 0, {}, {}, true);
  check(TENON_COMPLEX128, {1, 16, 1}, {0, 1}, true, 0, {}, {}, false);
}

TEST_F(Fft, ReversedAndSteppedViewsAgreeWithTheSum) {
  const std::vector<int64_t> shape{20, 64};
  auto data = numbers(shape);
  ArrayPtr a = on_device(TENON_COMPLEX128, shape, data);
  const int64_t out = INT64_MIN, starts[2] = {out, out}, stops[2] = {out, out}, steps[2] = {-1, 2};
  tenon_array* view = nullptr;
  OK(tenon_array_slice(a.get(), 2, starts, stops, steps, &view));
  ArrayPtr v(view), r = zeros(device_.get(), TENON_COMPLEX128, {20, 32});
  const int32_t axes[2] = {0, 1};
  OK(tenon_fft(v.get(), axes, 2, nullptr, nullptr, into(r.get())));
  std::vector<C> x(20 * 32);
  for (int64_t i = 0; i < 20; ++i)
    for (int64_t j = 0; j < 32; ++j) x[size_t(i * 32 + j)] = data[size_t((19 - i) * 64 + 2 * j)];
  transform(x, {20, 32}, 0, false);
  transform(x, {20, 32}, 1, false);
  const auto got = complex_values(r);
  for (size_t i = 0; i < x.size(); ++i) ASSERT_LE(std::abs(got[i] - x[i]), 1e-11) << i;
}

TEST_F(Fft, LargeTransformsInvertThemselves) {
  const std::vector<int64_t> shape{2048, 2048};
  ArrayPtr a = on_device(TENON_COMPLEX64, shape, numbers(shape)), f = zeros(device_.get(), TENON_COMPLEX64, shape),
           b = zeros(device_.get(), TENON_COMPLEX64, shape);
  OK(tenon_fft(a.get(), nullptr, 2, nullptr, nullptr, into(f.get())));
  tenon_fft_options inverse{};
  inverse.struct_size = sizeof(inverse);
  inverse.direction = TENON_FFT_DIRECTION_INVERSE;
  OK(tenon_fft(f.get(), nullptr, 2, &inverse, nullptr, into(b.get())));
  const auto x = values<std::complex<float>>(a.get()), y = values<std::complex<float>>(b.get()),
             z = values<std::complex<float>>(f.get());
  double error = 0, size = 0, spectrum = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    error += std::norm(C(x[i]) - C(y[i]));
    size += std::norm(C(x[i]));
    spectrum += std::norm(C(z[i]));
  }
  EXPECT_LE(std::sqrt(error / size), 1e-6);
  EXPECT_NEAR(spectrum / size / double(x.size()), 1, 1e-5) << "Parseval";
}

TEST_F(Fft, ThreadsShareAPlanWithoutMixingTheirData) {
  const int64_t n = 1 << 16;
  std::vector<std::thread> threads;
  std::vector<int> wrong(6, 0);
  std::vector<std::vector<C>> data;
  for (size_t i = 0; i < wrong.size(); ++i) data.push_back(numbers({n}));
  for (size_t i = 0; i < wrong.size(); ++i)
    threads.emplace_back([&, i] {
      tenon_stream* raw = nullptr;
      if (tenon_stream_create(device_.get(), 0, &raw) != TENON_OK) {
        wrong[i] = 1;
        return;
      }
      StreamPtr stream(raw);
      tenon_array* made = nullptr;
      if (tenon_array_from_host(device_.get(), TENON_COMPLEX128, 1, &n, data[i].data(), data[i].size() * sizeof(C),
                                stream.get(), &made) != TENON_OK) {
        wrong[i] = 1;
        return;
      }
      ArrayPtr a(made);
      tenon_fft_options inverse{};
      inverse.struct_size = sizeof(inverse);
      inverse.direction = TENON_FFT_DIRECTION_INVERSE;
      for (int round = 0; round < 20; ++round)
        if (tenon_fft(a.get(), nullptr, 1, nullptr, stream.get(), into(a.get())) != TENON_OK ||
            tenon_fft(a.get(), nullptr, 1, &inverse, stream.get(), into(a.get())) != TENON_OK)
          wrong[i] = 1;
      std::vector<C> got(size_t(n), 0);
      if (tenon_array_to_host(a.get(), got.data(), got.size() * sizeof(C), stream.get()) != TENON_OK) wrong[i] = 1;
      for (size_t j = 0; j < got.size(); ++j)
        if (!(std::abs(got[j] - data[i][j]) < 1e-12)) wrong[i]++;
    });
  for (std::thread& t : threads) t.join();
  for (int w : wrong) EXPECT_EQ(w, 0);
}

}  // namespace
