// tests/operations/fft.cpp: Fourier transforms against their definition.
#include <cmath>
#include <numbers>
#include "numbers.hpp"

namespace test {
namespace {

class Fft : public OnDevice {
 protected:
  void SetUp() override {
    OnDevice::SetUp();
    Numbers probe(device_.get(), TENON_COMPLEX64, {4}, {}, 1);
    if (tenon_fft(probe.get(), nullptr, 1, nullptr, nullptr, into(probe.get())) == TENON_ERROR_UNSUPPORTED) {
      EXPECT_NE(std::string(tenon_error_last_message()).find("ducc"), std::string::npos) << tenon_error_last_message();
      GTEST_SKIP() << tenon_error_last_message();
    }
  }
};
ON_EVERY_DEVICE(Fft);

// The transform along one axis, by its definition as a sum.
std::vector<Complex> along(const std::vector<Complex>& x, const std::vector<int64_t>& shape, size_t axis,
                           bool inverse) {
  int64_t inner = 1;
  for (size_t i = axis + 1; i < shape.size(); ++i) inner *= shape[i];
  const int64_t n = shape[axis];
  std::vector<Complex> roots;
  for (int64_t j = 0; j < n; ++j) {
    const long double angle = 2 * std::numbers::pi_v<long double> * (long double)j / (long double)n;
    roots.push_back({double(std::cos(angle)), double(inverse ? std::sin(angle) : -std::sin(angle))});
  }
  std::vector<Complex> out(x.size());
  for (size_t i = 0; i < x.size(); ++i) {
    const int64_t k = int64_t(i) / inner % n, first = int64_t(i) - k * inner;
    Complex sum = 0;
    for (int64_t j = 0; j < n; ++j) sum += x[size_t(first + j * inner)] * roots[size_t(j * k % n)];
    out[i] = sum;
  }
  return out;
}

struct Setting {
  int32_t direction, norm;
};

void check(Numbers& source, Numbers& destination, std::vector<int32_t> axes, Setting set, bool name_axes = true) {
  const std::vector<int64_t>& shape = source.shape();
  std::vector<Complex> want;
  each_index(shape, [&](const std::vector<int64_t>& i) { want.push_back(source.at(i)); });
  double n = 1;
  for (int32_t axis : axes) {
    const size_t a = size_t(axis < 0 ? axis + int32_t(shape.size()) : axis);
    want = along(want, shape, a, set.direction == TENON_FFT_DIRECTION_INVERSE);
    n *= double(shape[a]);
  }
  const double scale = set.norm == TENON_FFT_NORM_ORTHO ? 1 / std::sqrt(n)
                       : (set.norm == TENON_FFT_NORM_FORWARD) == (set.direction == TENON_FFT_DIRECTION_FORWARD) ? 1 / n
                                                                                                                : 1;
  const tenon_fft_options options{sizeof options, set.direction, set.norm, 0};
  OK(tenon_fft(source.get(), name_axes ? axes.data() : nullptr, int32_t(axes.size()), &options, nullptr,
               into(destination.get())));
  destination.fetch();
  double error = 0, norm = 0;
  size_t at = 0;
  each_index(shape, [&](const std::vector<int64_t>& i) {
    error += std::norm(destination.at(i) - want[at] * scale);
    norm += std::norm(want[at] * scale);
    ++at;
  });
  ASSERT_LE(std::sqrt(error), 6 * epsilon(source.dtype()) * std::log2(n + 2) * std::sqrt(norm))
      << "n " << n << ", norm " << std::sqrt(norm);
}

TEST_P(Fft, EveryLengthIsRightBothWays) {
  for (uint32_t t : {TENON_COMPLEX64, TENON_COMPLEX128})
    for (int64_t n :
         {1, 2, 3, 4, 5, 7, 8, 11, 12, 13, 16, 17, 30, 64, 97, 100, 121, 211, 256, 360, 509, 1000, 1024, 1021}) {
      SCOPED_TRACE(std::string(tenon_dtype_name(t)) + ", length " + std::to_string(n));
      for (int32_t direction : {TENON_FFT_DIRECTION_FORWARD, TENON_FFT_DIRECTION_INVERSE})
        for (int32_t norm : {TENON_FFT_NORM_BACKWARD, TENON_FFT_NORM_ORTHO, TENON_FFT_NORM_FORWARD}) {
          Numbers x(device_.get(), t, {3, n}, {}, uint64_t(n)), y(device_.get(), t, {3, n}, {}, 2);
          check(x, y, {-1}, {direction, norm});
          if (HasFatalFailure()) return;
        }
    }
}

TEST_P(Fft, AnyAxesOfAnyLayout) {
  struct Case {
    std::vector<int64_t> shape, from, to;
    std::vector<int32_t> axes;
  };
  const std::vector<Case> cases = {
      {{6, 10, 15}, {}, {}, {0}},
      {{6, 10, 15}, {}, {}, {1}},
      {{6, 10, 15}, {}, {}, {0, 2}},
      {{6, 10, 15}, {}, {}, {2, 0, 1}},
      {{6, 10, 15}, {}, {}, {-1, -2}},
      {{6, 10, 15}, {1, 6, 60}, {}, {1, 2}},              // Fortran order to C order
      {{6, 10, 15}, {300, 30, 2}, {150, 1, 10}, {1, 2}},  // every other element
      {{6, 10, 15}, {-150, 15, -1}, {}, {0, 2}},          // reversed
      {{6, 10, 15}, {}, {150, -15, 1}, {1}},
      {{4, 5, 3, 2, 7}, {}, {7, 28, 280, 140, 1}, {1, 3}},
      {{2, 1, 8, 1}, {}, {}, {1, 2}},
      {{32, 33}, {0, 1}, {}, {1}},  // broadcast source
      {{40}, {}, {}, {0}},
  };
  for (uint32_t t : {TENON_COMPLEX64, TENON_COMPLEX128})
    for (size_t i = 0; i < cases.size(); ++i) {
      SCOPED_TRACE(std::string(tenon_dtype_name(t)) + ", case " + std::to_string(i));
      const Case& c = cases[i];
      Numbers x(device_.get(), t, c.shape, c.from, 1), y(device_.get(), t, c.shape, c.to, 2);
      check(x, y, c.axes, {TENON_FFT_DIRECTION_FORWARD, TENON_FFT_NORM_BACKWARD});
      if (HasFatalFailure()) return;
    }
}

TEST_P(Fft, WithoutNamesTheLastAxesAreMeant) {
  Numbers x(device_.get(), TENON_COMPLEX64, {3, 4, 5}, {}, 1), y(device_.get(), TENON_COMPLEX64, {3, 4, 5}, {}, 2);
  check(x, y, {1, 2}, {TENON_FFT_DIRECTION_FORWARD, TENON_FFT_NORM_BACKWARD}, false);
}

TEST_P(Fft, InPlaceThereAndBackGivesTheSameNumbers) {
  for (uint32_t t : {TENON_COMPLEX64, TENON_COMPLEX128}) {
    Numbers x(device_.get(), t, {5, 300, 400}, {}, 1);  // large enough for several threads
    const std::vector<Complex> before = values(x.get());
    tenon_fft_options options{sizeof options, TENON_FFT_DIRECTION_FORWARD, TENON_FFT_NORM_BACKWARD, 0};
    OK(tenon_fft(x.get(), nullptr, 2, &options, nullptr, into(x.get())));
    double changed = 0;
    const std::vector<Complex> between = values(x.get());
    for (size_t i = 0; i < before.size(); ++i) changed = std::max(changed, std::abs(between[i] - before[i]));
    EXPECT_GT(changed, 10);
    options.direction = TENON_FFT_DIRECTION_INVERSE;
    OK(tenon_fft(x.get(), nullptr, 2, &options, nullptr, into(x.get())));
    const std::vector<Complex> after = values(x.get());
    double error = 0;
    for (size_t i = 0; i < before.size(); ++i) error = std::max(error, std::abs(after[i] - before[i]));
    EXPECT_LE(error, 40 * epsilon(t)) << tenon_dtype_name(t);
  }
}

TEST_P(Fft, ALongTransformFindsItsFrequency) {
  for (int64_t n : {1 << 18, 3 * 5 * 7 * 11 * 13 * 17, 200003}) {
    Numbers x(device_.get(), TENON_COMPLEX128, {n}, {}, 1), y(device_.get(), TENON_COMPLEX128, {n}, {}, 2);
    const int64_t k = 12345;
    for (int64_t j = 0; j < n; ++j) x.set({j}, std::polar(1.0, 2 * std::numbers::pi * double(j * k % n) / double(n)));
    x.push();
    OK(tenon_fft(x.get(), nullptr, 1, nullptr, nullptr, into(y.get())));
    y.fetch();
    for (int64_t j = 0; j < n; ++j)
      ASSERT_LE(std::abs(y.at({j}) - (j == k ? double(n) : 0.0)), 1e-9 * double(n)) << "n " << n << ", frequency " << j;
  }
}

TEST_P(Fft, WhatDoesNotFitIsRefused) {
  tenon_device* d = device_.get();
  Numbers x(d, TENON_COMPLEX64, {4, 5}, {}, 1), y(d, TENON_COMPLEX64, {4, 5}, {}, 2),
      wide(d, TENON_COMPLEX128, {4, 5}, {}, 2), real(d, TENON_FLOAT32, {4, 5}, {}, 2),
      other(d, TENON_COMPLEX64, {5, 4}, {}, 2), empty(d, TENON_COMPLEX64, {4, 0}, {}, 2);
  const auto run = [&](Numbers& from, Numbers& to, std::vector<int32_t> axes) {
    return tenon_fft(from.get(), axes.data(), int32_t(axes.size()), nullptr, nullptr, into(to.get()));
  };
  FAILS(TENON_ERROR_DTYPE, "complex128", run(x, wide, {0}));
  FAILS(TENON_ERROR_DTYPE, "float32", run(real, real, {0}));
  FAILS(TENON_ERROR_SHAPE, "(5, 4)", run(x, other, {0}));
  FAILS(TENON_ERROR_SHAPE, "empty", run(empty, empty, {1}));
  EXPECT_OK(run(empty, empty, {0}));
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "twice", run(x, y, {0, -2}));
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "2", run(x, y, {2}));
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "3 axes", run(x, y, {0, 1, 1}));
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "0 axes", tenon_fft(x.get(), nullptr, 0, nullptr, nullptr, into(y.get())));
  const tenon_fft_options options{sizeof options, 0, 7, 0};
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "7", tenon_fft(x.get(), nullptr, 1, &options, nullptr, into(y.get())));
  tenon_array* rows = nullptr;
  const int64_t starts[] = {1, INT64_MIN}, stops[] = {INT64_MIN, INT64_MIN};
  tenon_array* head = nullptr;
  const int64_t head_stops[] = {3, INT64_MIN};
  OK(tenon_array_slice(x.get(), 2, starts, stops, nullptr, &rows));
  OK(tenon_array_slice(x.get(), 2, nullptr, head_stops, nullptr, &head));
  FAILS(TENON_ERROR_OVERLAP, "share memory", tenon_fft(rows, nullptr, 1, nullptr, nullptr, into(head)));
  tenon_array_release(rows);
  tenon_array_release(head);
}

}  // namespace
}  // namespace test
