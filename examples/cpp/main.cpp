// examples/cpp/main.cpp: one array of the program's own goes through all of Tenon, in C++17 with tenon.hpp: a kernel
// from a string, a product, a Fourier transform, singular values, an operation of a package, and back without having
// moved. Everything is checked. Usage: tenon-cpp [DEVICE]; DEVICE is "cpu:0" (default) or one that reaches the host's
// memory. The operation is found in $TENON_PLUGIN_PATH, or beside an installed library.
#include <tenon/tenon.hpp>

#include <cmath>
#include <complex>
#include <cstdio>
#include <string>
#include <vector>

namespace {

constexpr int64_t rows = 48, columns = 32;
int failures = 0;

void report(const char* what, double error, double bound) {
  const bool good = error <= bound;  // false for NaN
  if (!good) ++failures;
  std::printf("  %-44s %9.2e  (bound %.0e)  %s\n", what, error, bound, good ? "ok" : "WRONG");
}

double squares(const std::vector<float>& values) {
  double sum = 0;
  for (float value : values) sum += double(value) * double(value);
  return sum;
}

const char affine[] = R"(
extern "C" __global__ void affine(float* x, float slope, float intercept, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = slope * x[i] + intercept;
})";

void run(const tenon::device& device) {
  std::vector<float> host(rows * columns);
  for (size_t i = 0; i < host.size(); ++i) host[i] = float(i % 17) / 8 - 1;
  const std::vector<float> before = host;
  const float* const address = host.data();

  // The vector's memory as an array: nothing is copied.
  const auto x = tenon::array<float, 2>::wrap(device, host.data(), {rows, columns});

  const tenon::kernel kernel = tenon::compile(device, affine, "affine");
  const int32_t n = int32_t(host.size());
  kernel((n + 127) / 128, 128)(x, 0.5f, 0.25f, n);
  device.synchronize();
  double worst = 0;
  for (size_t i = 0; i < host.size(); ++i)
    worst = std::fmax(worst, std::fabs(double(host[i]) - (0.5 * before[i] + 0.25)));
  report("kernel from a string, on the vector itself", worst, 1e-6);

  // Operators on arrays: the expression is one kernel, which runs when its value is wanted.
  const auto y = tenon::array<float, 1>::copy(device, tenon::list<const float>(before.data(), size_t(columns)));
  const auto distance = sqrt(sum((x - y) * (x - y), {-1}));
  const std::vector<float> distances = tenon::evaluate(distance * 2).to_vector<float>();
  worst = 0;
  for (size_t i = 0; i < size_t(rows); ++i) {
    double squared = 0;
    for (size_t k = 0; k < size_t(columns); ++k)
      squared += std::pow(double(host[i * size_t(columns) + k]) - double(before[k]), 2);
    worst = std::fmax(worst, std::fabs(double(distances[i]) - 2 * std::sqrt(squared)));
  }
  report("an expression of arrays, a sum in it", worst, 1e-4);

  const std::vector<float> product = tenon::matmul(x, x.reversed()).to_vector<float>();
  double trace = 0;
  for (size_t i = 0; i < size_t(rows); ++i) trace += double(product[i * size_t(rows) + i]);
  report("x times its transpose: the trace", std::fabs(trace / squares(host) - 1), 1e-5);

  const auto spectrum = tenon::fft(tenon::cast(x, tenon::dtype::complex64), tenon::last(2));
  double power = 0;
  for (std::complex<float> value : spectrum.to_vector<std::complex<float>>()) power += double(std::norm(value));
  report("two-dimensional transform: Parseval", std::fabs(power / double(n) / squares(host) - 1), 1e-5);

  tenon::svd_options values_only;
  values_only.mode = tenon::svd_mode::values;  // in C++20: tenon::svd(x, {.mode = tenon::svd_mode::values}, ...)
  const auto [u, s, vh] = tenon::svd(x, values_only, {}, tenon::none, {}, tenon::none);
  const double sum = squares(s.to_vector<float>());
  report("singular values: the sum of their squares", std::fabs(sum / squares(host) - 1), 1e-5);

  const std::vector<float> middle = host;
  const auto sigmoid = tenon::operation::find({}, "elementwise/sigmoid");
  sigmoid(x, x);  // its result goes where its input was
  device.synchronize();
  worst = 0;
  for (size_t i = 0; i < host.size(); ++i)
    worst = std::fmax(worst, std::fabs(double(host[i]) - 1 / (1 + std::exp(-double(middle[i])))));
  report("operation of a package, in place", worst, 1e-6);

  report("address of the array, moved by bytes", std::fabs(double(static_cast<float*>(x.address()) - address)), 0);
}

// A failure says what was wrong, and of a compiler everything that it said.
void fail(const tenon::device& device) {
  try {
    tenon::compile(device, "extern \"C\" __global__ void broken(float* x) { x[0] = y; }", "broken");
    ++failures;
  } catch (const tenon::error& error) {
    const bool told =
        error.status() == tenon::status::compile && std::string(error.log()).find('y') != std::string::npos;
    if (!told) ++failures;
    std::printf("  a kernel that does not compile: %s\n", told ? "the error has the compiler's log" : "WRONG");
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const tenon::device device = tenon::context().device(argc > 1 ? argv[1] : "cpu:0");
    std::printf("%s: %s\n", device.name(), device.description());
    run(device);
    fail(device);
  } catch (const tenon::error& error) {
    std::fprintf(stderr, "%s\n", error.text().c_str());
    return 1;
  }
  std::printf("%s\n", failures ? "Some checks FAILED." : "All checks held.");
  return failures ? 1 : 0;
}
