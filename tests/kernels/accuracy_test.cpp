// tests/kernels/accuracy_test.cpp: the errors of the shim's own float functions, against double precision, over all of float.
// A stride through the 2^32 bit patterns keeps it short; TENON_ACCURACY_STRIDE=1 visits every one.
#include <gtest/gtest.h>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <random>

#if defined(__AVX2__) && defined(__FMA__)
#define TENON_VECTOR_MATH 1
#endif
#define TENON_INLINE static inline
namespace shim {
#include "backend/cpu/shim/tenon_fast.h"
}

namespace {

float from_bits(uint64_t bits) {
  const uint32_t low = uint32_t(bits);
  float x;
  std::memcpy(&x, &low, 4);
  return x;
}

// In units in the last place of the exact result; denormals have the unit of the least normal number.
double error_of(float got, double want) {
  if (std::isnan(want)) return std::isnan(got) ? 0 : INFINITY;
  const float rounded = float(want);
  if (std::isnan(got) || std::isinf(got) || std::isinf(rounded)) return got == rounded || (std::isinf(got) && std::fabs(want) > 3.4028235e38) ? 0 : INFINITY;
  if (want == 0) return got == 0 ? 0 : INFINITY;
  int exponent;
  std::frexp(want, &exponent);
  return std::fabs(got - want) / std::ldexp(1.0, std::max(exponent, -125) - 24);
}

#if TENON_VECTOR_MATH
float sine(float x) { return shim::tenon_sin_one(x); }
float cosine(float x) { return shim::tenon_cos_one(x); }
#else
float sine(float x) { return shim::sinf(x); }
float cosine(float x) { return shim::cosf(x); }
#endif

struct Function {
  const char* name;
  float (*ours)(float);
  double (*exact)(double);
  double limit;  // as tenon_fast.h says
};
const Function functions[] = {
    {"expf", [](float x) { return shim::expf(x); }, [](double x) { return std::exp(x); }, 1.0},
    {"exp2f", [](float x) { return shim::exp2f(x); }, [](double x) { return std::exp2(x); }, 0.8},
    {"exp10f", [](float x) { return shim::exp10f(x); }, [](double x) { return std::pow(10.0, x); }, 1.2},
    {"logf", [](float x) { return shim::logf(x); }, [](double x) { return std::log(x); }, 0.8},
    {"log2f", [](float x) { return shim::log2f(x); }, [](double x) { return std::log2(x); }, 1.3},
    {"log10f", [](float x) { return shim::log10f(x); }, [](double x) { return std::log10(x); }, 0.9},
    {"sinf", sine, [](double x) { return std::sin(x); }, 1.6},
    {"cosf", cosine, [](double x) { return std::cos(x); }, 1.6},
    {"tanf", [](float x) { return shim::tanf(x); }, [](double x) { return std::tan(x); }, 3.4},
    {"tanhf", [](float x) { return shim::tanhf(x); }, [](double x) { return std::tanh(x); }, 1.3},
};

TEST(Accuracy, StaysWithinWhatTheShimSays) {
  const char* text = std::getenv("TENON_ACCURACY_STRIDE");
  const uint64_t stride = text ? std::strtoull(text, nullptr, 10) : 10007;
  for (const Function& f : functions) {
    double worst = 0;
    float at = 0;
    for (uint64_t bits = 0; bits < 1ull << 32; bits += stride) {
      const float x = from_bits(bits);
      const double error = error_of(f.ours(x), f.exact(x));
      if (error > worst) worst = error, at = x;
    }
    EXPECT_LE(worst, f.limit) << f.name << "(" << at << ") = " << f.ours(at) << ", exactly " << f.exact(at);
    for (float x : {0.0f, -0.0f, 1.0f, -1.0f, INFINITY, -INFINITY, NAN, 1e-45f, 1.17549435e-38f, 3.4028235e38f})
      EXPECT_LE(error_of(f.ours(x), f.exact(x)), f.limit) << f.name << "(" << x << ") = " << f.ours(x);
  }
}

#if TENON_VECTOR_MATH
TEST(Accuracy, EightLanesAreEightTimesOne) {
  const uint64_t stride = 4001;
  for (uint64_t bits = 0; bits + 8 * stride < 1ull << 32; bits += 8 * stride) {
    shim::tenon_float8 x;
    for (int i = 0; i < 8; ++i) x[i] = from_bits(bits + uint64_t(i) * stride);
    const shim::tenon_float8 sine = shim::_ZGVdN8v_sinf(x), cosine = shim::_ZGVdN8v_cosf(x);
    for (int i = 0; i < 8; ++i) {
      const float s = shim::tenon_sin_one(x[i]), c = shim::tenon_cos_one(x[i]);
      ASSERT_TRUE(sine[i] == s || (std::isnan(s) && std::isnan(sine[i]))) << x[i];
      ASSERT_TRUE(cosine[i] == c || (std::isnan(c) && std::isnan(cosine[i]))) << x[i];
    }
  }
}
#endif

TEST(Accuracy, PowersFollowTheRulesOfC) {
  std::mt19937 engine(5);
  double worst = 0;
  float at_x = 0, at_y = 0;
  auto try_pair = [&](float x, float y) {
    const double error = error_of(shim::powf(x, y), std::pow(double(x), double(y)));
    if (error > worst) worst = error, at_x = x, at_y = y;
  };
  for (int i = 0; i < 400000; ++i) try_pair(from_bits(engine()), from_bits(engine()));
  std::uniform_real_distribution<float> base(0, 20), exponent(-40, 40);
  for (int i = 0; i < 400000; ++i) {
    const float x = base(engine), y = exponent(engine);
    try_pair(x, y);
    try_pair(-x, std::rint(y));
  }
  const float special[] = {0.0f, -0.0f, 1.0f, -1.0f, 2.0f, -2.0f, 3.0f, -3.0f, 0.5f, -0.5f, INFINITY, -INFINITY, NAN, 1e-45f, -1e-45f, 3.4e38f, 16777216.0f};
  for (float x : special)
    for (float y : special) try_pair(x, y);
  EXPECT_LE(worst, 0.9) << "powf(" << at_x << ", " << at_y << ") = " << shim::powf(at_x, at_y) << ", exactly " << std::pow(double(at_x), double(at_y));
}

}  // namespace
