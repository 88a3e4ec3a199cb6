// tests/contract/kernels/generated_test.cpp: generated kernels through the C functions, on every device there is.
#include <cmath>
#include <thread>
#include "support.hpp"

namespace {

using namespace test;
using ElementwisePtr = std::unique_ptr<tenon_elementwise, Releaser<tenon_elementwise, tenon_elementwise_release>>;
using ReductionPtr = std::unique_ptr<tenon_reduction, Releaser<tenon_reduction, tenon_reduction_release>>;
using ScanPtr = std::unique_ptr<tenon_scan, Releaser<tenon_scan, tenon_scan_release>>;

tenon_arg arg(const ArrayPtr& array) {
  tenon_arg out{};
  out.kind = TENON_ARG_ARRAY;
  out.value.array = array.get();
  return out;
}
tenon_arg scalar(float value) {
  tenon_arg out{};
  out.kind = TENON_ARG_SCALAR;
  out.dtype = TENON_FLOAT32;
  out.size = 4;
  out.value.f32 = value;
  return out;
}

class Generated : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    there = device(GetParam());
    if (!there) GTEST_SKIP() << tenon_error_last_message();
  }
  template <class T> ArrayPtr array(uint32_t dtype, const std::vector<T>& values, std::vector<int64_t> shape = {}) {
    if (shape.empty()) shape = {int64_t(values.size())};
    tenon_array* out = nullptr;
    EXPECT_OK(tenon_array_from_host(there.get(), dtype, int32_t(shape.size()), shape.data(), values.data(),
                                    values.size() * sizeof(T), nullptr, &out));
    return ArrayPtr(out);
  }
  template <class T> std::vector<T> host(const ArrayPtr& array) {
    std::vector<T> out(info(array.get()).size);
    EXPECT_OK(tenon_array_to_host(array.get(), out.data(), out.size() * sizeof(T), nullptr));
    return out;
  }
  DevicePtr there;
};

TEST_P(Generated, elementwise_makes_its_output_and_fills_it) {
  tenon_elementwise* made = nullptr;
  OK(tenon_elementwise_create("T x, T y, float32 a", "T z", "z = a * x + y", nullptr, &made));
  ElementwisePtr axpy(made);
  std::vector<float> column(300), row(500);
  std::iota(column.begin(), column.end(), 0.f);
  std::iota(row.begin(), row.end(), 1000.f);
  const ArrayPtr x = array(TENON_FLOAT32, column, {300, 1}), y = array(TENON_FLOAT32, row);
  std::vector<tenon_arg> args{arg(x), arg(y), scalar(2)};
  tenon_array* raw = nullptr;
  OK(tenon_elementwise_output(axpy.get(), args.data(), 3, 0, nullptr, &raw));
  const ArrayPtr z(raw);
  EXPECT_EQ(shape(z.get()), (std::vector<int64_t>{300, 500}));
  args.push_back(arg(z));
  OK(tenon_elementwise_call(axpy.get(), args.data(), 4, nullptr));
  const std::vector<float> got = host<float>(z);
  for (size_t r = 0; r < 300; ++r)
    for (size_t c = 0; c < 500; ++c) ASSERT_EQ(got[r * 500 + c], 2 * column[r] + row[c]) << r << ", " << c;
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "takes 4 arguments", tenon_elementwise_call(axpy.get(), args.data(), 3, nullptr));
  args[2] = TENON_F64_ARG(2);
  FAILS(TENON_ERROR_DTYPE, "a of elementwise is float64", tenon_elementwise_call(axpy.get(), args.data(), 4, nullptr));
}

TEST_P(Generated, reduction_and_scan_agree) {
  tenon_reduction* reduction = nullptr;
  OK(tenon_reduction_create("T x", "T y", "", "a + b", "", "0", nullptr, &reduction));
  ReductionPtr sum(reduction);
  tenon_scan* scan = nullptr;
  OK(tenon_scan_create("T x", "T y", "", "a + b", "0", 0, nullptr, &scan));
  ScanPtr running(scan);
  std::vector<int64_t> values(100 * 2000);
  for (size_t i = 0; i < values.size(); ++i) values[i] = int64_t(i * 2654435761u % 1000) - 500;
  const ArrayPtr x = array(TENON_INT64, values, {100, 2000});
  const tenon_arg input = arg(x);
  for (int32_t axis : {0, 1, -1}) {
    tenon_array* raw = nullptr;
    OK(tenon_reduction_output(sum.get(), &input, 1, &axis, 1, 1, nullptr, &raw));
    const ArrayPtr total(raw);
    raw = nullptr;
    OK(tenon_scan_output(running.get(), &input, 1, nullptr, &raw));
    const ArrayPtr prefix(raw);
    EXPECT_EQ(shape(total.get()), axis == 0 ? (std::vector<int64_t>{1, 2000}) : (std::vector<int64_t>{100, 1}));
    const tenon_arg to_total[] = {input, arg(total)}, to_prefix[] = {input, arg(prefix)};
    OK(tenon_reduction_call(sum.get(), to_total, 2, &axis, 1, nullptr));
    OK(tenon_scan_call(running.get(), to_prefix, 2, axis, nullptr));
    const std::vector<int64_t> sums = host<int64_t>(total), prefixes = host<int64_t>(prefix);
    for (size_t k = 0; k < sums.size(); ++k)
      ASSERT_EQ(sums[k], axis == 0 ? prefixes[99 * 2000 + k] : prefixes[k * 2000 + 1999])
          << "axis " << axis << ", " << k;
  }
}

TEST_P(Generated, one_object_serves_many_threads) {
  tenon_elementwise* made = nullptr;
  OK(tenon_elementwise_create("T x", "T y", "y = x * 3", nullptr, &made));
  ElementwisePtr triple(made);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int round = 0; round < 20; ++round) {
        const size_t n = size_t(100 + 37 * t + round);
        if (t % 2) {
          const ArrayPtr x = array(TENON_INT32, std::vector<int32_t>(n, t)),
                         y = array(TENON_INT32, std::vector<int32_t>(n));
          const tenon_arg args[] = {arg(x), arg(y)};
          EXPECT_OK(tenon_elementwise_call(triple.get(), args, 2, nullptr));
          EXPECT_EQ(host<int32_t>(y), std::vector<int32_t>(n, 3 * t));
        } else {
          const ArrayPtr x = array(TENON_FLOAT64, std::vector<double>(n, t + 0.5)),
                         y = array(TENON_FLOAT64, std::vector<double>(n));
          const tenon_arg args[] = {arg(x), arg(y)};
          EXPECT_OK(tenon_elementwise_call(triple.get(), args, 2, nullptr));
          EXPECT_EQ(host<double>(y), std::vector<double>(n, 3 * (t + 0.5)));
        }
      }
    });
  for (std::thread& thread : threads) thread.join();
}

TEST_P(Generated, a_fault_of_the_text_is_a_compile_error_with_its_line) {
  tenon_elementwise* made = nullptr;
  tenon_generated_options options{};
  options.struct_size = sizeof options;
  options.name = "faulty";
  OK(tenon_elementwise_create("float32 x", "float32 y", "y = x;\ny = nowhere(x)", &options, &made));
  ElementwisePtr faulty(made);
  const ArrayPtr x = array(TENON_FLOAT32, std::vector<float>(10));
  const tenon_arg args[] = {arg(x), arg(x)};
  FAILS(TENON_ERROR_COMPILE, "nowhere", tenon_elementwise_call(faulty.get(), args, 2, nullptr));
  FAILS(TENON_ERROR_COMPILE, "faulty", tenon_elementwise_call(faulty.get(), args, 2, nullptr));
}

INSTANTIATE_TEST_SUITE_P(Devices, Generated, testing::Values("cpu:0", "cuda:0"), [](const auto& given) {
  return std::string(given.param).substr(0, std::string(given.param).find(':'));
});

}  // namespace
