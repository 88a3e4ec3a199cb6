// tests/operations/signal.cpp: convolution, order, frequencies and preparations of Fourier transforms, through the C
// interface.
#include <cmath>
#include <limits>
#include "numbers.hpp"

namespace test {
namespace {

class Signal : public OnDevice {
 protected:
  void SetUp() override {
    OnDevice::SetUp();
    Numbers probe(device_.get(), TENON_COMPLEX64, {4}, {}, 1);
    if (tenon_fft(probe.get(), nullptr, 1, nullptr, nullptr, into(probe.get())) == TENON_ERROR_UNSUPPORTED)
      GTEST_SKIP() << tenon_error_last_message();
  }
};
ON_EVERY_DEVICE(Signal);

struct Case {
  std::vector<int64_t> a, b;
  std::vector<int64_t> a_strides, b_strides;
  std::vector<int32_t> axes;  // empty: all
};

bool has(const std::vector<int32_t>& axes, size_t rank, size_t axis) {
  for (int32_t one : axes)
    if (size_t(one < 0 ? one + int32_t(rank) : one) == axis) return true;
  return axes.empty();
}

// By the definition: computes every number of the result separately.
void check(tenon_device* device, uint32_t dtype, const Case& c, int32_t mode, int32_t correlate) {
  Numbers a(device, dtype, c.a, c.a_strides, 1), b(device, dtype, c.b, c.b_strides, 2);
  const tenon_convolve_options options{sizeof options, mode, correlate, 0};
  tenon_array* raw = nullptr;
  OK(tenon_convolve(a.get(), b.get(), c.axes.empty() ? nullptr : c.axes.data(), int32_t(c.axes.size()), &options,
                    nullptr, &raw));
  const ArrayPtr out(raw);
  const size_t rank = c.a.size();
  std::vector<int64_t> wanted, first(rank, 0);
  double terms = 1;
  for (size_t i = 0; i < rank; ++i) {
    const int64_t m = c.a[i], n = c.b[i];
    if (!has(c.axes, rank, i)) {
      wanted.push_back(m == 1 ? n : m);
      continue;
    }
    wanted.push_back(mode == TENON_CONVOLVE_FULL ? m + n - 1 : mode == TENON_CONVOLVE_SAME ? m : m - n + 1);
    first[i] = mode == TENON_CONVOLVE_FULL ? 0 : mode == TENON_CONVOLVE_SAME ? (n - 1) / 2 : n - 1;
    terms *= double(m + n);
  }
  ASSERT_EQ(shape(out.get()), wanted);
  ASSERT_EQ(info(out.get()).dtype, dtype);
  const std::vector<Complex> got = values(out.get());
  size_t at = 0;
  each_index(wanted, [&](const std::vector<int64_t>& place) {
    Complex sum = 0;
    each_index(c.b,
               [&](const std::vector<int64_t>& k) {  // b[k] meets a[place - k], or, reversed, a[place - (n - 1 - k)]
                 std::vector<int64_t> i(rank);
                 std::vector<int64_t> of_b = k;
                 for (size_t d = 0; d < rank; ++d) {
                   if (!has(c.axes, rank, d)) {
                     i[d] = c.a[d] == 1 ? 0 : place[d];
                     if (k[d] != (c.b[d] == 1 ? 0 : place[d])) return;
                     continue;
                   }
                   i[d] = place[d] + first[d] - k[d];
                   if (i[d] < 0 || i[d] >= c.a[d]) return;
                   if (correlate) of_b[d] = c.b[d] - 1 - k[d];
                 }
                 sum += a.at(i) * (correlate ? std::conj(b.at(of_b)) : b.at(of_b));
               });
    const double precision =
        bytes_of(dtype) == 2 ? epsilon(dtype) * (std::abs(sum) + 1e-3) : epsilon(dtype) * 8 * terms;
    ASSERT_LE(std::abs(got[at] - sum), precision) << "number " << at << ", " << sum;
    ++at;
  });
}

TEST_P(Signal, ConvolutionsAndCorrelationsAreTheirDefinition) {
  const Case cases[] = {
      {{1}, {1}, {}, {}, {}},
      {{30}, {7}, {}, {}, {}},
      {{13}, {13}, {}, {}, {0}},
      {{9, 6}, {4, 5}, {}, {}, {}},
      {{9, 6}, {1, 5}, {}, {}, {-1}},
      {{1, 9, 4}, {3, 2, 1}, {}, {}, {1}},
      {{5, 2, 9}, {2, 2, 4}, {}, {}, {2, 0}},
      {{9, 6}, {4, 5}, {-6, 1}, {1, -4}, {}},  // reversed, Fortran order
      {{9, 6}, {3, 6}, {12, 2}, {0, 1}, {0}},  // every other number; the same row repeatedly
  };
  for (uint32_t t : {TENON_FLOAT16, TENON_BFLOAT16, TENON_FLOAT32, TENON_FLOAT64, TENON_COMPLEX64, TENON_COMPLEX128})
    for (size_t i = 0; i < std::size(cases); ++i)
      for (int32_t mode : {TENON_CONVOLVE_FULL, TENON_CONVOLVE_SAME, TENON_CONVOLVE_VALID})
        for (int32_t correlate : {0, 1}) {
          SCOPED_TRACE(std::string(tenon_dtype_name(t)) + ", case " + std::to_string(i) + ", mode " +
                       std::to_string(mode));
          check(device_.get(), t, cases[i], mode, correlate);
          if (HasFatalFailure()) return;
        }
}

TEST_P(Signal, AConvolutionSaysWhatDoesNotFit) {
  tenon_device* d = device_.get();
  Numbers a(d, TENON_FLOAT32, {4, 5}, {}, 1), b(d, TENON_FLOAT32, {2, 6}, {}, 2), wide(d, TENON_FLOAT64, {4, 5}, {}, 2),
      row(d, TENON_FLOAT32, {5}, {}, 2), empty(d, TENON_FLOAT32, {4, 0}, {}, 2), three(d, TENON_FLOAT32, {3, 2}, {}, 2);
  tenon_array* out = nullptr;
  const auto run = [&](Numbers& x, Numbers& y, std::vector<int32_t> axes,
                       const tenon_convolve_options* options = nullptr) {
    return tenon_convolve(x.get(), y.get(), axes.data(), int32_t(axes.size()), options, nullptr, &out);
  };
  FAILS(TENON_ERROR_DTYPE, "float64", run(a, wide, {}));
  EXPECT_EQ(out, nullptr) << "an output that was to be made stays NULL";
  FAILS(TENON_ERROR_SHAPE, "(5,)", run(a, row, {}));
  FAILS(TENON_ERROR_SHAPE, "empty along the convolved axis 1", run(a, empty, {}));
  FAILS(TENON_ERROR_SHAPE, "broadcast along axis 0", run(a, three, {1}));
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "twice", run(a, b, {1, -1}));
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "2", run(a, b, {2}));
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "-1", tenon_convolve(a.get(), b.get(), nullptr, -1, nullptr, nullptr, &out));
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "3 axes", tenon_convolve(a.get(), b.get(), nullptr, 3, nullptr, nullptr, &out));
  tenon_convolve_options options{sizeof options, TENON_CONVOLVE_VALID, 0, 0};
  FAILS(TENON_ERROR_SHAPE, "axis 1", run(a, b, {}, &options));
  options = {sizeof options, 3, 0, 0};
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "mode is 3", run(a, b, {}, &options));
  options = {sizeof options, 0, 2, 0};
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "correlate is 2", run(a, b, {}, &options));
  options = {sizeof options, 0, 0, 1};
  FAILS(TENON_ERROR_VERSION, "reserved", run(a, b, {}, &options));
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "out_result",
        tenon_convolve(a.get(), b.get(), nullptr, 0, nullptr, nullptr, nullptr));
}

TEST_P(Signal, AContextThatLooksAtOperandsRefusesNaN) {
  tenon_context_options options{};
  options.struct_size = sizeof options;
  options.flags = TENON_CONTEXT_CHECK_FINITE;
  tenon_context* context = nullptr;
  OK(tenon_context_create(&options, &context));
  tenon_device* raw = nullptr;
  OK(tenon_context_device(context, GetParam(), &raw));
  {
    const DevicePtr device(raw);
    Numbers a(raw, TENON_FLOAT32, {4, 5}, {}, 1), b(raw, TENON_FLOAT32, {4, 2}, {}, 2);
    tenon_array* out = nullptr;
    b.set({1, 1}, std::numeric_limits<double>::quiet_NaN());
    b.push();
    FAILS(TENON_ERROR_NOT_FINITE, "b", tenon_convolve(a.get(), b.get(), nullptr, 0, nullptr, nullptr, &out));
    FAILS(TENON_ERROR_NOT_FINITE, "b",
          tenon_tensordot(a.get(), b.get(), (const int32_t[]){0}, (const int32_t[]){0}, 1, nullptr, nullptr, &out));
    EXPECT_EQ(out, nullptr);
  }
  tenon_context_release(context);
}

TEST_P(Signal, ShiftsMoveNumberZeroToTheMiddleAndBack) {
  Numbers x(device_.get(), TENON_FLOAT64, {5, 4, 3}, {-12, 3, -1}, 1);
  const int32_t axes[] = {0, -1};
  tenon_array *raw = nullptr, *back = nullptr;
  OK(tenon_fft_shift(x.get(), axes, 2, nullptr, nullptr, &raw));
  const ArrayPtr shifted(raw);
  const std::vector<Complex> got = values(raw);
  size_t at = 0;
  each_index(x.shape(), [&](const std::vector<int64_t>& i) {
    ASSERT_EQ(got[at++], x.at({(i[0] + 3) % 5, i[1], (i[2] + 2) % 3}));
  });
  tenon_shift_options inverse{sizeof inverse, 1, {}};
  OK(tenon_fft_shift(raw, axes, 2, &inverse, nullptr, &back));
  const ArrayPtr same(back);
  const std::vector<Complex> again = values(back);
  at = 0;
  each_index(x.shape(), [&](const std::vector<int64_t>& i) { ASSERT_EQ(again[at++], x.at(i)); });
  raw = nullptr;
  inverse.inverse = 2;
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "inverse is 2", tenon_fft_shift(x.get(), axes, 2, &inverse, nullptr, &raw));
  EXPECT_EQ(raw, nullptr);
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "3", tenon_fft_shift(x.get(), (const int32_t[]){3}, 1, nullptr, nullptr, &raw));
}

TEST_P(Signal, FrequenciesAreThoseOfTheNumbers) {
  tenon_array* raw = nullptr;
  OK(tenon_fft_frequencies(device_.get(), TENON_FLOAT64, 5, 0.5, nullptr, nullptr, &raw));
  EXPECT_EQ(values<double>(raw), (std::vector<double>{0, 0.4, 0.8, -0.8, -0.4}));
  tenon_array_release(raw);
  raw = nullptr;
  tenon_frequencies_options half{sizeof half, 1, {}};
  OK(tenon_fft_frequencies(device_.get(), TENON_FLOAT32, 6, 0.5, &half, nullptr, &raw));
  EXPECT_EQ(values<float>(raw), (std::vector<float>{0, float(1 / 3.), float(2 / 3.), 1}));
  tenon_array_release(raw);
  raw = nullptr;
  half.half = -1;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "0",
        tenon_fft_frequencies(device_.get(), TENON_FLOAT64, 0, 1, nullptr, nullptr, &raw));
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "spacing",
        tenon_fft_frequencies(device_.get(), TENON_FLOAT64, 5, nan, nullptr, nullptr, &raw));
  FAILS(TENON_ERROR_OVERFLOW, "float64",
        tenon_fft_frequencies(device_.get(), TENON_FLOAT64, 5, 1e308, nullptr, nullptr, &raw));
  FAILS(TENON_ERROR_DTYPE, "int32", tenon_fft_frequencies(device_.get(), TENON_INT32, 5, 1, nullptr, nullptr, &raw));
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "half is -1",
        tenon_fft_frequencies(device_.get(), TENON_FLOAT64, 5, 1, &half, nullptr, &raw));
  int64_t length = 0;
  EXPECT_OK(tenon_fft_fast_length(4097, &length));
  EXPECT_EQ(length, 4320);
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "-1", tenon_fft_fast_length(-1, &length));
  FAILS(TENON_ERROR_OVERFLOW, "2^62", tenon_fft_fast_length(std::numeric_limits<int64_t>::max(), &length));
  EXPECT_EQ(length, 4320) << "untouched by a failure";
}

TEST_P(Signal, APreparationTouchesNothingAndRefusesWhatItsTransformWould) {
  tenon_device* d = device_.get();
  Numbers x(d, TENON_FLOAT32, {3, 30}, {}, 1), y(d, TENON_COMPLEX64, {3, 16}, {}, 2),
      z(d, TENON_COMPLEX64, {3, 17}, {}, 2);
  const std::vector<Complex> before = values(y.get());
  OK(tenon_fft_prepare(x.get(), y.get(), nullptr, 1, nullptr));
  OK(tenon_dct_prepare(x.get(), x.get(), nullptr, 2, nullptr));
  EXPECT_EQ(values(y.get()), before);
  OK(tenon_fft(x.get(), nullptr, 1, nullptr, nullptr, into(y.get())));
  Complex sum = 0;
  for (int64_t i = 0; i < 30; ++i) sum += x.at({1, i});
  EXPECT_LE(std::abs(values(y.get())[16] - sum), 1e-5);
  FAILS(TENON_ERROR_SHAPE, "(3, 17)", tenon_fft_prepare(x.get(), z.get(), nullptr, 1, nullptr));
  FAILS(TENON_ERROR_DTYPE, "complex64", tenon_dct_prepare(x.get(), y.get(), nullptr, 1, nullptr));
  const tenon_dct_options options{sizeof options, 5, 0, 0, 0, 0};
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "5", tenon_dct_prepare(x.get(), x.get(), nullptr, 1, &options));
}

TEST_P(Signal, TensorDotPairsTheAxesThatAreNamed) {
  Numbers a(device_.get(), TENON_FLOAT64, {3, 4, 5}, {}, 1), b(device_.get(), TENON_FLOAT64, {5, 2, 3}, {1, 15, 5}, 2);
  const int32_t of_a[] = {0, 2}, of_b[] = {-1, 0};
  int32_t packed = -1;
  tenon_gemm_options options{};
  options.struct_size = sizeof options;
  options.out_packed = &packed;
  tenon_array* raw = nullptr;
  OK(tenon_tensordot(a.get(), b.get(), of_a, of_b, 2, &options, nullptr, &raw));
  const ArrayPtr out(raw);
  EXPECT_EQ(shape(raw), (std::vector<int64_t>{4, 2}));
  EXPECT_TRUE(packed >= 0 && packed <= 2) << packed;
  const std::vector<Complex> got = values(raw);
  for (int64_t j = 0; j < 4; ++j)
    for (int64_t l = 0; l < 2; ++l) {
      Complex sum = 0;
      for (int64_t i = 0; i < 3; ++i)
        for (int64_t k = 0; k < 5; ++k) sum += a.at({i, j, k}) * b.at({k, l, i});
      EXPECT_LE(std::abs(got[size_t(2 * j + l)] - sum), 1e-13);
    }
  raw = nullptr;
  FAILS(TENON_ERROR_SHAPE, "axis 1 of a and axis 0 of b",
        tenon_tensordot(a.get(), b.get(), (const int32_t[]){1}, (const int32_t[]){0}, 1, nullptr, nullptr, &raw));
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "axes_b is NULL",
        tenon_tensordot(a.get(), b.get(), of_a, nullptr, 2, nullptr, nullptr, &raw));
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "4 pairs",
        tenon_tensordot(a.get(), b.get(), nullptr, nullptr, 4, nullptr, nullptr, &raw));
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "twice",
        tenon_tensordot(a.get(), b.get(), (const int32_t[]){1, 1}, of_b, 2, nullptr, nullptr, &raw));
}

}  // namespace
}  // namespace test
