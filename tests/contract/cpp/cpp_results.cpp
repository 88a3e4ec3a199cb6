// tests/contract/cpp/cpp_results.cpp: tenon.hpp without exceptions, in C++17: every failure is a tenon::result.
// Compiled with -fno-exceptions, also by tests/abi/headers.py with other compilers and standards.
#define TENON_EXCEPTIONS 0
#include <tenon/tenon.hpp>

#include <cstdio>

static int failures = 0;

static void expect(bool good, const char* what, const tenon::error& error = {}) {
  if (good) return;
  ++failures;
  std::printf("not so: %s %s\n", what, error.text().c_str());
}

// A step of a longer computation, which returns failures to its caller.
static tenon::result<tenon::array<float, 1>> doubled(const tenon::device& device, tenon::list<const float> values) {
  auto x = tenon::array<float, 1>::copy(device, values);
  if (!x) return x.error();
  auto twice = tenon::binary(tenon::fn::multiply, *x, 2.0f);
  return std::move(twice).and_then([](const tenon::dynamic_array& y) { return y.as<float, 1>(); });
}

int main() {
  const auto device = tenon::context().device("cpu:0");
  expect(device.has_value(), "there is a CPU", device.error());
  if (!device) return 1;

  const auto nowhere = tenon::context().device("nonsense:9");
  expect(!nowhere && nowhere.error().status() == tenon::status::not_found, "a device of no such name is refused");
  expect(*nowhere.error().what() != '\0', "the error has a text");

  const auto kernel = tenon::compile(*device, "extern \"C\" __global__ void f(float* x) { x[threadIdx.x] += 1; }", "f");
  expect(kernel.has_value(), "the kernel compiles", kernel.error());
  const float values[] = {1, 2, 3};
  const auto y = doubled(*device, values);
  expect(y.has_value(), "the computation succeeds", y.error());
  if (!kernel || !y) return 1;
  const tenon::result<void> launched = (*kernel)(1, 3)(*y);
  expect(launched.has_value(), "the launch succeeds", launched.error());
  const auto got = y->to_vector();
  expect(got && *got == std::vector<float>{3, 5, 7}, "the numbers are right");
  expect(!(*kernel)(1, 3)(1.0).has_value(), "a wrong argument is refused");
  expect(y->as<double, 1>().error().status() == tenon::status::dtype, "a wrong dtype is refused");

  const auto last = y->slice_along(0, -1, 3);
  expect(last && last->item<float>().value_or(0) == 7, "one element of a part", last.error());
  expect(y->item().error().status() == tenon::status::shape, "three elements are no item");
  const auto square = tenon::matmul(*y, *y);
  expect(square && square->item<float>().value_or(0) == 83, "a product of vectors", square.error());

  auto text = (*device).name();
  expect(std::move(text).value_or("") == std::string_view("cpu:0"), "the device has its name");
  const auto squared = tenon::attempt([&] { return tenon::unary(tenon::fn::square, *y); });
  expect(squared.has_value(), "attempt hands a result on", squared.error());
  const auto done = tenon::stream().query();
  expect(done && *done, "a query answers with a bool");
  const tenon::expression sum = *y + 1;
  const auto fused = tenon::evaluate(sum * *y);
  expect(fused.has_value(), "an expression has a value", fused.error());
  const auto products = fused ? fused->to_vector<float>() : std::vector<float>();
  expect(products && *products == std::vector<float>{12, 30, 56}, "the value is right");
  const auto refused = tenon::evaluate((*y << 1) + 1);
  expect(!refused && refused.error().status() == tenon::status::dtype, "an error of an operator is told by evaluation");
  const auto both = tenon::evaluate_all({*y + 1, *y - 1});
  expect(both.has_value() && (*both)[1].to_vector<float>().has_value(), "several values", both.error());
#if defined(__cpp_lib_expected) && __cpp_lib_expected >= 202202L
  const std::expected<tenon::device, tenon::error> standard = tenon::context().device("cpu:0");
  expect(standard.has_value(), "a result is an std::expected");
#endif
  std::printf("%d failures\n", failures);
  return failures ? 1 : 0;
}
