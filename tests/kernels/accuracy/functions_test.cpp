// tests/kernels/accuracy/functions_test.cpp: the errors of the math functions inside kernels, one row of accuracy.inc
// each, over all of float and over a sample of double, pairs and hard arguments. A stride through the 2^32 bit patterns
// keeps it short; TENON_ACCURACY_STRIDE=1 visits every one, TENON_ACCURACY_SHOW=1 prints the largest errors,
// --gtest_filter chooses functions.
#include <cmath>
#include <limits>
#include <random>
#include <thread>
#include "../runner.hpp"

namespace {

using namespace test;
using Wide = long double;

// --- references for functions that the C library lacks

Wide sine_of_pi(Wide x) {  // the reduction is exact
  if (!(x - x == 0)) return NAN;
  const Wide r = std::remainder(x, 2.0L), size = std::fabs(r), pi = 3.14159265358979323846264338327950288L;
  const Wide value = size > 0.75L   ? std::sin(pi * (1 - size))
                     : size > 0.25L ? std::cos(pi * (0.5L - size))
                                    : std::sin(pi * size);
  return r == 0 || size == 1 ? std::copysign((Wide)0, x) : std::copysign(value, r);
}
Wide gamma_of(Wide x) { return x < 0 && std::floor(x) == x ? (Wide)NAN : std::tgamma(x); }
Wide scaled_erfc(Wide x) {
  if (x < 12) return std::exp(x * x) * std::erfc(x);  // both fit into long double's range
  Wide f = 0;
  for (int k = 60; k > 0; --k) f = 0.5L * k / (x + f);
  return 0.56418958354775628694807945156077259L / (x + f);
}
Wide inverse_erf(Wide y);
Wide inverse_erfc(Wide y) {
  if (!(y >= 0 && y <= 2)) return NAN;
  if (y == 0 || y == 2) return y == 0 ? INFINITY : -INFINITY;
  if (y >= 0.5L && y <= 1.5L) return inverse_erf(1 - y);
  const Wide p = y < 1 ? y : 2 - y, root = std::sqrt(3.14159265358979323846264338327950288L);
  Wide x = std::sqrt(std::max(-std::log(p * root * std::sqrt(std::max(-std::log(p), 1.0L))), 0.1L));
  for (int i = 0; i < 100; ++i) {
    const Wide scaled = scaled_erfc(x), next = x + root / 2 * scaled * (std::log(scaled) - x * x - std::log(p));
    if (std::fabs(next - x) <= 1e-18L * std::fabs(x)) break;
    x = next;
  }
  return y < 1 ? x : -x;
}
Wide inverse_erf(Wide y) {
  if (std::fabs(y) > 0.5L) return std::copysign(inverse_erfc(1 - std::fabs(y)), y);
  Wide x = y * 0.88622692545275801364908374167057259L;
  for (int i = 0; i < 8; ++i) x -= (std::erf(x) - y) / (1.12837916709551257389615890312154517L * std::exp(-x * x));
  return y == 0 ? y : x;
}
Wide bessel_i(int order, Wide x) {
  const Wide a = std::fabs(x);
  if (x != x) return x;
  if (a > 12000) return order && x < 0 ? -INFINITY : INFINITY;
  Wide sum, term;
  if (a < 60) {
    sum = term = order ? a / 2 : 1;
    for (int k = 1; k < 400 && term > sum * 1e-21L; ++k) sum += term *= a * a / 4 / (Wide(k) * (k + order));
  } else {
    sum = term = 1;
    for (int k = 1; k < 60; ++k) {
      const Wide next = -term * (4.0L * order * order - (2.0L * k - 1) * (2.0L * k - 1)) / (8 * a * k);
      if (std::fabs(next) > std::fabs(term)) break;
      sum += term = next;
    }
    sum *= std::exp(a) / std::sqrt(6.28318530717958647692528676655900577L * a);
  }
  return order ? std::copysign(sum, x) : sum;
}

// --- rows

template <class T> struct Row {
  const char* name;
  double cpu, cuda;
  int arguments;
  Wide (*exact)(T x, T y);
};
// References for float are computed in double, which has 29 more bits than the result.
#define DOUBLE1(name, cpu, cuda, ...)
#define DOUBLE2(name, cpu, cuda, ...)
#define FLOAT1(name, cpu, cuda, ...) {#name, cpu, cuda, 1, [](double x, double) { return Wide(__VA_ARGS__); }},
#define FLOAT2(name, cpu, cuda, ...) {#name, cpu, cuda, 2, [](double x, double y) { return Wide(__VA_ARGS__); }},
const Row<double> float_rows[] = {
#include "accuracy.inc"
};
#undef FLOAT1
#undef FLOAT2
#undef DOUBLE1
#undef DOUBLE2
#define FLOAT1(name, cpu, cuda, ...)
#define FLOAT2(name, cpu, cuda, ...)
#define DOUBLE1(name, cpu, cuda, ...) {#name, cpu, cuda, 1, [](Wide x, Wide) { return Wide(__VA_ARGS__); }},
#define DOUBLE2(name, cpu, cuda, ...) {#name, cpu, cuda, 2, [](Wide x, Wide y) { return Wide(__VA_ARGS__); }},
const Row<Wide> double_rows[] = {
#include "accuracy.inc"
};

const uint64_t stride =
    std::getenv("TENON_ACCURACY_STRIDE") ? std::strtoull(std::getenv("TENON_ACCURACY_STRIDE"), nullptr, 10) : 60013;
const bool show = std::getenv("TENON_ACCURACY_SHOW") != nullptr;

// In units in the last place of the exact result; for denormals, the unit is that of the smallest normal number.
// Overflow begins half a unit above the largest number.
template <class T> double error_of(T got, Wide want) {
  constexpr int digits = std::numeric_limits<T>::digits, least = std::numeric_limits<T>::min_exponent;
  if (std::isnan(want)) return std::isnan(got) ? 0 : INFINITY;
  const T rounded = T(want);
  if (std::isnan(got)) return INFINITY;
  if (std::isinf(got) || std::isinf(rounded)) {
    if (got == rounded) return 0;
    const Wide largest = std::numeric_limits<T>::max(), near = std::ldexp(largest, -digits) * 4;
    return std::signbit(got) == std::signbit(rounded) && std::fabs(std::fabs(want) - largest) < near ? 0.5 : INFINITY;
  }
  if (want == 0)
    return got != 0                                  ? double(std::fabs(got) / std::numeric_limits<T>::min())
           : std::signbit(got) == std::signbit(want) ? 0
                                                     : INFINITY;
  int exponent;
  std::frexp(want, &exponent);
  return double(std::fabs(got - want) / std::ldexp((Wide)1, std::max(exponent, least) - digits));
}

template <class T> struct Worst {
  double error = 0;
  T x = 0, y = 0, got = 0;
  Wide want = 0;
};
template <class T, class R>
Worst<T> worst_of(const Row<R>& row, const std::vector<T>& x, const std::vector<T>& y, const std::vector<T>& got) {
  const size_t parts = std::max(1u, std::thread::hardware_concurrency());
  std::vector<Worst<T>> worst(parts);
  std::vector<std::thread> team;
  for (size_t p = 0; p < parts; ++p)
    team.emplace_back([&, p] {
      for (size_t i = x.size() * p / parts; i < x.size() * (p + 1) / parts; ++i) {
        const Wide want = row.exact(x[i], y.empty() ? T(0) : y[i]);
        const double error = error_of(got[i], want);
        if (!(error <= worst[p].error)) worst[p] = {error, x[i], y.empty() ? T(0) : y[i], got[i], want};
      }
    });
  for (std::thread& thread : team) thread.join();
  return *std::max_element(worst.begin(), worst.end(), [](const auto& a, const auto& b) { return a.error < b.error; });
}

class Functions : public testing::TestWithParam<Machine> {
 protected:
  void SetUp() override {
    runner = std::make_unique<Runner>(GetParam());
    if (const std::string missing = runner->missing(); !missing.empty()) GTEST_SKIP() << missing;
  }
  template <class T, class R, size_t N> void compile(const Row<R> (&rows)[N]) {
    const std::string type = sizeof(T) == 4 ? "float" : "double";
    std::string text;
    std::vector<const char*> names;
    for (const Row<R>& row : rows) {
      text += "extern \"C\" __global__ void of_" + std::string(row.name) + "(const " + type + "* x, const " + type +
              "* y, " + type +
              "* out, int n) {\n  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) out[i] = " + row.name +
              (row.arguments == 1 ? "(x[i]" : "(x[i], y[i]") + ");\n}\n";
      kernels.push_back("of_" + std::string(row.name));
    }
    for (const std::string& name : kernels) names.push_back(name.c_str());
    ASSERT_EQ(TENON_OK, runner->compile(text, names)) << tenon_error_last_message() << Runner::last_log();
  }
  template <class T, class R> Worst<T> measured(const Row<R>& row, const std::vector<T>& x, const std::vector<T>& y) {
    ArrayPtr dx = runner->put(x), dy = runner->put(y.empty() ? x : y), out = runner->put(std::vector<T>(x.size()));
    runner->run(("of_" + std::string(row.name)).c_str(), line(int64_t(x.size()), 256), dx, dy, out, int(x.size()));
    return worst_of(row, x, y, runner->get<T>(out));
  }
  template <class T, class R> void judge(const Row<R>& row, const Worst<T>& worst) {
    if (show)
      std::printf("%-16s %.4f at %a, %a: %.17g, exactly %.20Lg\n", row.name, worst.error, double(worst.x),
                  double(worst.y), double(worst.got), worst.want);
    const double limit = runner->on_cpu() ? row.cpu : row.cuda > 0 ? row.cuda + 0.5 : double(INFINITY);
    EXPECT_LE(worst.error, limit) << row.name << "(" << worst.x << ", " << worst.y << ") = " << worst.got
                                  << ", exactly " << worst.want;
  }
  std::unique_ptr<Runner> runner;
  std::vector<std::string> kernels;
};

template <class T> T from_bits(uint64_t bits) {
  T x;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}
template <class T> void add_special(std::vector<T>& x) {
  for (T v : {T(0), T(-0.0), T(1), T(-1), T(0.5), T(2), T(-2), T(3), T(INFINITY), T(-INFINITY), T(NAN),
              std::numeric_limits<T>::denorm_min(), std::numeric_limits<T>::min(), std::numeric_limits<T>::max(),
              std::numeric_limits<T>::lowest(), std::nextafter(T(1), T(0)), std::nextafter(T(1), T(2)),
              std::nextafter(T(-1), T(0))})
    x.push_back(v);
}

TEST_P(Functions, OfOneFloat) {
  compile<float>(float_rows);
  constexpr uint64_t all = 1ull << 32, part = 1 << 22;
  for (const auto& row : float_rows) {
    if (row.arguments != 1) continue;
    Worst<float> worst;
    for (uint64_t first = 0; first < all; first += part * stride) {
      std::vector<float> x;
      for (uint64_t i = 0; i < part && first + i * stride < all; ++i) x.push_back(from_bits<float>(first + i * stride));
      if (first == 0) add_special(x);
      const Worst<float> here = measured(row, x, {});
      if (!(here.error <= worst.error)) worst = here;
    }
    judge(row, worst);
  }
}

// Random bits, numbers of moderate size, and all pairs of the special values.
template <class T> void pairs(uint64_t count, std::vector<T>& x, std::vector<T>& y) {
  std::mt19937_64 engine(17);
  std::uniform_real_distribution<T> moderate(-40, 40), base(0, 20);
  for (uint64_t i = 0; i < count; ++i) {
    x.push_back(from_bits<T>(engine())), y.push_back(from_bits<T>(engine()));
    x.push_back(moderate(engine)), y.push_back(moderate(engine));
    x.push_back(base(engine)), y.push_back(moderate(engine));
  }
  std::vector<T> special;
  add_special(special);
  for (T a : special)
    for (T b : special) x.push_back(a), y.push_back(b);
}
TEST_P(Functions, OfTwoFloats) {
  compile<float>(float_rows);
  std::vector<float> x, y;
  pairs(std::min<uint64_t>((1ull << 32) / stride, 20000000), x, y);
  for (const auto& row : float_rows)
    if (row.arguments == 2) judge(row, measured(row, x, y));
}

TEST_P(Functions, OfDoubles) {
  compile<double>(double_rows);
  const uint64_t count = std::min<uint64_t>((1ull << 32) / stride, 10000000);
  std::mt19937_64 engine(23);
  std::vector<double> x, unit, px, py;
  std::uniform_real_distribution<double> moderate(-40, 40), small(-1, 1), large(-700, 700), turns(0, 40);
  for (uint64_t i = 0; i < count; ++i) {
    x.push_back(from_bits<double>(engine()));
    x.push_back(moderate(engine)), x.push_back(small(engine)), x.push_back(large(engine)),
        x.push_back(1 + small(engine) / 16);
    x.push_back(double(std::rint(std::exp2((Wide)turns(engine))) * 1.57079632679489661923132169163975144L));
  }
  add_special(x);
  pairs(count, px, py);
  for (const auto& row : double_rows) judge(row, row.arguments == 1 ? measured(row, x, {}) : measured(row, px, py));
}

const Machine machines[] = {
    {"clang", "cpu:0", "", TENON_PROGRAM_MODE_FAST, 0},
    {"gcc", "cpu:0", "g++", TENON_PROGRAM_MODE_FAST, 0},
    {"cuda", "cuda:0", "", TENON_PROGRAM_MODE_FAST, 0},
};
INSTANTIATE_TEST_SUITE_P(On, Functions, testing::ValuesIn(machines),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
