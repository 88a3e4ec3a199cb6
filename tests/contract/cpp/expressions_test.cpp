// tests/contract/cpp/expressions_test.cpp: operators and functions of tenon.hpp on arrays: random expressions beside
// the separate functions, bit for bit; numbers, several results, reductions, errors.
#include <gtest/gtest.h>
#include <tenon/tenon.hpp>

#include <random>

namespace {

using tenon::array;
using tenon::dynamic_array;
using tenon::expression;
using tenon::fn;

tenon::device cpu() { return tenon::context().device("cpu:0"); }

std::vector<unsigned char> bytes_of(const dynamic_array& x) {
  tenon_array_info info{};
  info.struct_size = sizeof info;
  EXPECT_EQ(tenon_array_get_info(x.get(), &info), TENON_OK);
  std::vector<unsigned char> found(static_cast<size_t>(info.size) * (info.dtype >> 8 & 0xff) / 8);
  EXPECT_EQ(tenon_array_to_host(x.get(), found.data(), found.size(), nullptr), TENON_OK);
  return found;
}

void expect_same(const dynamic_array& fused, const dynamic_array& separate) {
  EXPECT_EQ(fused.dtype(), separate.dtype());
  const auto a = fused.shape(), b = separate.shape();
  EXPECT_EQ(std::vector<int64_t>(a.begin(), a.end()), std::vector<int64_t>(b.begin(), b.end()));
  EXPECT_EQ(bytes_of(fused), bytes_of(separate));
}

template <class T> dynamic_array numbers(std::mt19937& rng, std::vector<int64_t> shape) {
  int64_t count = 1;
  for (int64_t one : shape) count *= one;
  std::vector<T> values;
  for (int64_t i = 0; i < count; ++i)
    values.push_back(static_cast<T>(static_cast<int>(rng() % 41) - (T(-1) < T(0) ? 20 : 0)));
  tenon_array* made = nullptr;
  EXPECT_EQ(tenon_array_from_host(cpu().get(), static_cast<uint32_t>(tenon::dtype_of<T>::value),
                                  static_cast<int32_t>(shape.size()), shape.data(), values.data(),
                                  values.size() * sizeof(T), nullptr, &made),
            TENON_OK);
  return tenon::adopt<dynamic_array>(made);
}

dynamic_array any_numbers(std::mt19937& rng) {
  static const std::vector<std::vector<int64_t>> shapes{{3, 4}, {4}, {3, 1}, {}, {1, 4}};
  const auto& shape = shapes[rng() % shapes.size()];
  switch (rng() % 5) {
    case 0: return numbers<int8_t>(rng, shape);
    case 1: return numbers<uint16_t>(rng, shape);
    case 2: return numbers<int32_t>(rng, shape);
    case 3: return numbers<float>(rng, shape);
    default: return numbers<double>(rng, shape);
  }
}

// The same step on expressions and, at once, on arrays.
struct Pair {
  expression lazy;
  dynamic_array eager;
};

Pair step(std::mt19937& rng, const std::vector<Pair>& values) {
  const Pair &x = values[rng() % values.size()], &y = values[rng() % values.size()];
  switch (rng() % 9) {
    case 0: return {x.lazy + y.lazy, tenon::binary(fn::add, x.eager, y.eager)};
    case 1: return {x.lazy * y.lazy, tenon::binary(fn::multiply, x.eager, y.eager)};
    case 2: return {x.eager - y.lazy, tenon::binary(fn::subtract, x.eager, y.eager)};
    case 3: return {maximum(x.lazy, y.eager), tenon::binary(fn::maximum, x.eager, y.eager)};
    case 4:
      return {where(x.lazy < y.lazy, x.lazy, y.lazy),
              tenon::select(tenon::binary(fn::less, x.eager, y.eager), x.eager, y.eager)};
    case 5: return {x.lazy * 3, tenon::binary(fn::multiply, x.eager, tenon::weak(3))};
    case 6: return {x.lazy + 0.5, tenon::binary(fn::add, x.eager, tenon::weak(0.5))};
    case 7: return {astype(x.lazy, tenon::dtype::float32), tenon::cast(x.eager, tenon::dtype::float32)};
    default: return {abs(-x.lazy), tenon::unary(fn::abs, tenon::unary(fn::negative, x.eager))};
  }
}

TEST(Expressions, GiveTheSeparateFunctionsBits) {
  for (unsigned seed = 0; seed < 24; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 rng(seed);
    std::vector<Pair> values;
    for (int i = 0; i < 3; ++i) {
      const dynamic_array x = any_numbers(rng);
      values.push_back({x, x});
    }
    for (int i = 0; i < 6; ++i) values.push_back(step(rng, values));
    expect_same(values.back().lazy, values.back().eager);
  }
}

TEST(Expressions, AreOneKernelForSeveralResults) {
  const auto a = array<float, 1>::copy(cpu(), {1, 2, 3}), b = array<float, 1>::copy(cpu(), {4, 5, 6});
  const auto [sum, difference, again] = tenon::evaluate_all({a + b, a - b, a + b});
  EXPECT_EQ(sum.to_vector<float>(), (std::vector<float>{5, 7, 9}));
  EXPECT_EQ(difference.to_vector<float>(), (std::vector<float>{-3, -3, -3}));
  const expression same = a + b;
  const auto [one, two] = tenon::evaluate_all({same, same});
  EXPECT_EQ(one.get(), two.get());
  EXPECT_EQ(again.to_vector<float>(), (std::vector<float>{5, 7, 9}));
}

TEST(Expressions, NumbersTakeTheDtypeOfTheArrays) {
  const auto f = array<float, 1>::copy(cpu(), {1, 2});
  const auto i = array<int8_t, 1>::copy(cpu(), {1, 2});
  EXPECT_EQ((f * 2.5).dtype(), tenon::dtype::float32);
  EXPECT_EQ((f + 1).dtype(), tenon::dtype::float32);
  EXPECT_EQ((i + 1).dtype(), tenon::dtype::int8);
  EXPECT_EQ((i + 0.5).dtype(), tenon::dtype::float64);
  EXPECT_EQ((f * tenon::arg(2.0)).dtype(), tenon::dtype::float64);
  EXPECT_EQ((f * std::complex<double>(0, 1)).dtype(), tenon::dtype::complex64);
  EXPECT_EQ((f < 2).dtype(), tenon::dtype::bool_);
  const auto h = tenon::cast(f, tenon::dtype::float16);
  const expression scaled = h * 0.3333333333;
  EXPECT_EQ(scaled.dtype(), tenon::dtype::float16);
  expect_same(scaled, tenon::binary(fn::multiply, h, tenon::weak(0.3333333333)));
  expect_same(clip(i, -1, 1), tenon::clip(i, tenon::weak(-1), tenon::weak(1)));
}

template <class T> void expect_comparisons(int64_t number) {
  constexpr T least = std::numeric_limits<T>::min(), most = std::numeric_limits<T>::max();
  const auto x = array<T, 1>::copy(cpu(), {least, T(least + 1), T(0), T(1), T(most - 1), most});
  const tenon_arg n = tenon::weak(number);
  SCOPED_TRACE(number);
  expect_same(x < number, tenon::binary(fn::less, x, n));
  expect_same(x <= number, tenon::binary(fn::less_equal, x, n));
  expect_same(x > number, tenon::binary(fn::greater, x, n));
  expect_same(x >= number, tenon::binary(fn::greater_equal, x, n));
  expect_same(x == number, tenon::binary(fn::equal, x, n));
  expect_same(x != number, tenon::binary(fn::not_equal, x, n));
  expect_same(number < x, tenon::binary(fn::less, n, x));
  expect_same(number >= x, tenon::binary(fn::greater_equal, n, x));
  if (number < 0) expect_same(clip(x, number, 1), tenon::clip(x, n, tenon::weak(1)));
  else expect_same(clip(x, 0, number), tenon::clip(x, tenon::weak(0), n));
}

TEST(Expressions, CompareWithNumbersBeyondTheDtype) {
  for (const int64_t number : {int64_t(-1), int64_t(300), int64_t(-70000), INT64_MIN, INT64_MAX, int64_t(5)}) {
    expect_comparisons<int8_t>(number);
    expect_comparisons<uint8_t>(number);
    expect_comparisons<int64_t>(number);
    expect_comparisons<uint64_t>(number);
  }
}

TEST(Expressions, CompareInt64WithUint64Exactly) {
  const auto a = array<int64_t, 1>::copy(cpu(), {-1, INT64_MAX, INT64_MIN, 0, INT64_MAX - 1});
  const auto b =
      array<uint64_t, 1>::copy(cpu(), {UINT64_MAX, uint64_t(INT64_MAX) + 1, uint64_t(1) << 63, 0, uint64_t(INT64_MAX)});
  expect_same(a < b, tenon::binary(fn::less, a, b));
  expect_same(a >= b, tenon::binary(fn::greater_equal, a, b));
  expect_same(b <= a, tenon::binary(fn::less_equal, b, a));
  expect_same(b > a, tenon::binary(fn::greater, b, a));
  expect_same(a == b, tenon::binary(fn::equal, a, b));
  expect_same(b != a, tenon::binary(fn::not_equal, b, a));
}

TEST(Expressions, GoIntoArraysThatAreThere) {
  const auto a = array<float, 1>::copy(cpu(), {1, 2, 3});
  const dynamic_array same = tenon::evaluate(a * 2 + 1, {}, a);
  EXPECT_EQ(same.get(), a.get());
  EXPECT_EQ(a.to_vector(), (std::vector<float>{3, 5, 7}));
  const array<bool, 1> large = a > 4;
  EXPECT_EQ(tenon::cast(large, tenon::dtype::int32).to_vector<int32_t>(), (std::vector<int32_t>{0, 1, 1}));
}

TEST(Expressions, ReductionsAndScansAreFused) {
  std::mt19937 rng(5);
  const dynamic_array x = numbers<int32_t>(rng, {4, 5}), y = numbers<int32_t>(rng, {5});
  const dynamic_array product = tenon::binary(fn::multiply, x, y);
  tenon::reduce_options rows;
  rows.axes = {-1};
  expect_same(sum(x * y, {-1}), tenon::reduce(fn::sum, product, rows));
  expect_same(max(x * y), tenon::reduce(fn::max, product));
  rows.keep_axes = true;
  expect_same(argmax(x * y, {1}, true), tenon::reduce(fn::argmax, product, rows));
  expect_same(var(x * 1.0, {1}, true), tenon::reduce(fn::var, tenon::cast(x, tenon::dtype::float64), rows));
  tenon::accumulate_options along;
  along.axis = 1;
  expect_same(cumulative_sum(x + y, 1), tenon::accumulate(fn::cumulative_sum, tenon::binary(fn::add, x, y), along));
  const dynamic_array mean_of = sum(x + 0.0, {0}) / 4;
  EXPECT_EQ(mean_of.dtype(), tenon::dtype::float64);
}

TEST(Expressions, LongOnesNeedNoStack) {
  const auto a = array<int32_t, 1>::copy(cpu(), {7});
  expression deep = a;
  for (int i = 0; i < 200000; ++i) deep = ~deep;
  EXPECT_EQ(deep.dtype(), tenon::dtype::int32);
}

template <class F> void refused(F&& work, tenon::status status, const char* words) {
  try {
    work();
    FAIL() << "no error: " << words;
  } catch (const tenon::error& error) {
    EXPECT_EQ(error.status(), status);
    EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
  }
}

TEST(Expressions, ErrorsSayWhatWasWrong) {
  const auto f = array<float, 1>::copy(cpu(), {1, 2}), longer = array<float, 1>::copy(cpu(), {1, 2, 3});
  const auto i = array<int8_t, 1>::copy(cpu(), {1, 2});
  refused([&] { f << 1; }, tenon::status::dtype, "not defined for float32");
  refused([&] { i + 300; }, tenon::status::overflow, "does not fit into int8");
  refused([&] { dynamic_array x = f + longer; }, tenon::status::shape, "does not broadcast");
  refused([&] { evaluate(f + 1, {}, longer); }, tenon::status::shape, "");
  refused([&] { array<float, 2> x = f + 1; }, tenon::status::shape, "rank");
  expression many = f;
  for (int k = 0; k < 40; ++k) many = many + k;
  refused([&] { dynamic_array x = many; }, tenon::status::invalid_argument, "at most 32");
  EXPECT_EQ(dynamic_array(f + 1).to_vector<float>(), (std::vector<float>{2, 3}));  // errors leave nothing behind
  tenon::forget_expressions();
  EXPECT_EQ(dynamic_array(f + 1).to_vector<float>(), (std::vector<float>{2, 3}));
}

}  // namespace
