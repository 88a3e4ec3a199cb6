// tests/kernels/accuracy/accuracy_test.cpp: the errors of the shim's own functions: those of float against double
// precision over all of float, those of double against long double (64 bits of mantissa) on random and on hard
// arguments. A stride through the 2^32 bit patterns keeps it short; TENON_ACCURACY_STRIDE=1 visits every one, and as
// much of double.
#include <gtest/gtest.h>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <random>

#if defined(__AVX2__) && defined(__FMA__)
#define TENON_VECTOR_MATH 2
#endif
#define TENON_INLINE static inline
#define TENON_HIDDEN __attribute__((visibility("hidden")))
namespace shim {
#include "backend/cpu/shim/math/tenon_fast.h"
#include "backend/cpu/shim/math/tenon_fast_double.h"
}  // namespace shim

namespace {

float from_bits(uint64_t bits) {
  const uint32_t low = uint32_t(bits);
  float x;
  std::memcpy(&x, &low, 4);
  return x;
}

// In units in the last place of the exact result; for denormals, the unit is that of the smallest normal number.
double error_of(float got, double want) {
  if (std::isnan(want)) return std::isnan(got) ? 0 : INFINITY;
  const float rounded = float(want);
  if (std::isnan(got) || std::isinf(got) || std::isinf(rounded))
    return got == rounded || (std::isinf(got) && std::fabs(want) > 3.4028235e38) ? 0 : INFINITY;
  if (want == 0) return got == 0 && std::signbit(got) == std::signbit(want) ? 0 : INFINITY;
  int exponent;
  std::frexp(want, &exponent);
  return std::fabs(got - want) / std::ldexp(1.0, std::max(exponent, -125) - 24);
}

const uint64_t stride =
    std::getenv("TENON_ACCURACY_STRIDE") ? std::strtoull(std::getenv("TENON_ACCURACY_STRIDE"), nullptr, 10) : 10007;

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
  double limit;  // as stated in tenon_fast.h
};
const Function functions[] = {
    {"expf", [](float x) { return shim::expf(x); }, [](double x) { return std::exp(x); }, 1.0},
    {"exp2f", [](float x) { return shim::exp2f(x); }, [](double x) { return std::exp2(x); }, 0.9},
    {"exp10f", [](float x) { return shim::exp10f(x); }, [](double x) { return std::pow(10.0, x); }, 1.3},
    {"logf", [](float x) { return shim::logf(x); }, [](double x) { return std::log(x); }, 0.85},
    {"log2f", [](float x) { return shim::log2f(x); }, [](double x) { return std::log2(x); }, 1.2},
    {"log10f", [](float x) { return shim::log10f(x); }, [](double x) { return std::log10(x); }, 1.4},
    {"sinf", sine, [](double x) { return double(std::sin((long double)x)); }, 1.7},
    {"cosf", cosine, [](double x) { return double(std::cos((long double)x)); }, 1.7},
    {"tanf", [](float x) { return shim::tanf(x); }, [](double x) { return std::tan(x); }, 3.9},
    {"tanhf", [](float x) { return shim::tanhf(x); }, [](double x) { return std::tanh(x); }, 1.4},
};

TEST(Accuracy, StaysWithinWhatTheShimSays) {
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
  const uint64_t step = 4001;
  for (uint64_t bits = 0; bits + 8 * step < 1ull << 32; bits += 8 * step) {
    shim::tenon_float8 x;
    for (int i = 0; i < 8; ++i) x[i] = from_bits(bits + uint64_t(i) * step);
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
  const float special[] = {0.0f,  -0.0f,    1.0f,      -1.0f, 2.0f,   -2.0f,   3.0f,    -3.0f,      0.5f,
                           -0.5f, INFINITY, -INFINITY, NAN,   1e-45f, -1e-45f, 3.4e38f, 16777216.0f};
  for (float x : special)
    for (float y : special) try_pair(x, y);
  EXPECT_LE(worst, 1.0) << "powf(" << at_x << ", " << at_y << ") = " << shim::powf(at_x, at_y) << ", exactly "
                        << std::pow(double(at_x), double(at_y));
}

// --- double

double double_of(uint64_t bits) {
  double x;
  std::memcpy(&x, &bits, 8);
  return x;
}
// Like error_of, in units of double.
double wide_error_of(double got, long double want) {
  if (std::isnan(want)) return std::isnan(got) ? 0 : INFINITY;
  const double rounded = double(want);
  if (std::isnan(got) || std::isinf(got) || std::isinf(rounded)) return got == rounded ? 0 : INFINITY;
  if (want == 0) return got == 0 && std::signbit(got) == std::signbit(want) ? 0 : INFINITY;
  int exponent;
  std::frexp(want, &exponent);
  return double(std::fabs(got - want) / std::ldexp(1.0L, std::max(exponent, -1021) - 53));
}

#if TENON_VECTOR_MATH
double wide_sine(double x) { return shim::tenon_sin_one(x); }
double wide_cosine(double x) { return shim::tenon_cos_one(x); }
#else
double wide_sine(double x) { return shim::sin(x); }
double wide_cosine(double x) { return shim::cos(x); }
#endif

// Most arguments are from [low, high] and from around `dense`; the others are random bits.
struct WideFunction {
  const char* name;
  double (*ours)(double);
  long double (*exact)(long double);
  double limit;  // as stated in tenon_fast_double.h
  double low, high, dense;
};
const WideFunction wide_functions[] = {
    {"exp", [](double x) { return shim::exp(x); }, [](long double x) { return std::exp(x); }, 0.85, -746, 710, 0},
    {"exp2", [](double x) { return shim::exp2(x); }, [](long double x) { return std::exp2(x); }, 0.8, -1076, 1024, 0},
    {"log", [](double x) { return shim::log(x); }, [](long double x) { return std::log(x); }, 0.85, 0, 100, 1},
    {"log2", [](double x) { return shim::log2(x); }, [](long double x) { return std::log2(x); }, 0.7, 0, 100, 1},
    {"sin", wide_sine, [](long double x) { return std::sin(x); }, 0.85, -1e6, 1e6, 0},
    {"cos", wide_cosine, [](long double x) { return std::cos(x); }, 0.85, -1e6, 1e6, 0},
    {"tanh", [](double x) { return shim::tanh(x); }, [](long double x) { return std::tanh(x); }, 0.9, -20, 20, 0},
};

TEST(Accuracy, DoubleStaysWithinWhatTheShimSays) {
  const uint64_t count = std::max<uint64_t>(1000, (1ull << 32) / stride);
  for (const WideFunction& f : wide_functions) {
    std::mt19937_64 engine(7);
    std::uniform_real_distribution<double> range(f.low, f.high), near(f.dense - 0.5, f.dense + 0.5), turns(0, 23);
    double worst = 0, at = 0;
    auto look = [&](double x) {
      const double error = wide_error_of(f.ours(x), f.exact(x));
      if (!(error <= worst)) worst = error, at = x;
    };
    for (uint64_t i = 0; i < count; ++i) {
      look(double_of(engine()));
      look(range(engine));
      look(near(engine));
      // The doubles next to multiples of pi / 2 of every size, where the reduction cancels most.
      look(double(std::rint(std::exp2((long double)turns(engine))) * 1.57079632679489661923132169163975144L));
    }
    // 0x1.6ac5b262ca1ffp+849 is the double nearest to a multiple of pi / 2; the reduction changes at about 1e6.
    for (double x : {0.0,
                     -0.0,
                     1.0,
                     -1.0,
                     double(INFINITY),
                     -double(INFINITY),
                     double(NAN),
                     0x1p-1074,
                     -0x1p-1074,
                     0x1p-1022,
                     0x1.fffffffffffffp+1023,
                     -0x1.fffffffffffffp+1023,
                     0x1.6ac5b262ca1ffp+849,
                     -0x1.6ac5b262ca1ffp+849,
                     0x1.921fb54442d18p+0,
                     0x1.921fb54442d18p+1,
                     999999.9999999999,
                     1e6,
                     1000000.0000000001,
                     0.7853981633974483,
                     709.782712893384,
                     709.7827128933841,
                     -745.1332191019411,
                     -745.1332191019412,
                     -708.4,
                     0x1.62e42fefa39efp-2,
                     0x1.fffffffffffffp-1,
                     0x1.0000000000001p+0,
                     0x1.6a09e667f3bccp+0,
                     0x1.6a09e667f3bcdp+0,
                     0x1.6a09e667f3bcep-1,
                     1e-8,
                     1e-300,
                     0x1p-28,
                     18.195135234108186,
                     19.0615,
                     22.0,
                     22.1})
      look(x);
    EXPECT_LE(worst, f.limit) << f.name << "(" << std::hexfloat << at << ") = " << f.ours(at) << ", exactly "
                              << f.exact(at);
  }
}

TEST(Accuracy, DoublePowersFollowTheRulesOfC) {
  std::mt19937_64 engine(5);
  double worst = 0, at_x = 0, at_y = 0;
  auto look = [&](double x, double y) {
    const double error = wide_error_of(shim::pow(x, y), std::pow((long double)x, (long double)y));
    if (!(error <= worst)) worst = error, at_x = x, at_y = y;
  };
  const uint64_t count = std::max<uint64_t>(1000, (1ull << 32) / stride);
  std::uniform_real_distribution<double> base(0, 20), exponent(-200, 200), size(-700, 700), part(-745, 710),
      near(0.9, 1.1), large(-7000, 7000);
  for (uint64_t i = 0; i < count; ++i) {
    look(double_of(engine()), double_of(engine()));
    const double x = base(engine), y = exponent(engine), e = size(engine);
    look(x, y);
    look(-x, std::rint(y));
    look(std::exp(e), part(engine) / e);  // the whole range of results, including denormal ones
    look(near(engine), large(engine));
  }
  const double special[] = {0.0,
                            -0.0,
                            1.0,
                            -1.0,
                            2.0,
                            -2.0,
                            3.0,
                            -3.0,
                            0.5,
                            -0.5,
                            INFINITY,
                            -INFINITY,
                            NAN,
                            0x1p-1074,
                            -0x1p-1074,
                            1.7e308,
                            -1.7e308,
                            9007199254740991.0,
                            9007199254740993.0,
                            4503599627370495.5,
                            0x1.fffffffffffffp-1,
                            0x1.0000000000001p+0,
                            1e300,
                            -1e300,
                            1e-300};
  for (double x : special)
    for (double y : special) look(x, y);
  EXPECT_LE(worst, 0.8) << std::hexfloat << "pow(" << at_x << ", " << at_y << ") = " << shim::pow(at_x, at_y)
                        << ", exactly " << std::pow((long double)at_x, (long double)at_y);
}

#if TENON_VECTOR_MATH
TEST(Accuracy, FourLanesAreFourTimesOne) {
  std::mt19937_64 engine(3);
  std::uniform_real_distribution<double> range(-2e6, 2e6);
  for (int i = 0; i < 200000; ++i) {
    shim::tenon_double4 x;
    for (int k = 0; k < 4; ++k) x[k] = i % 3 ? range(engine) / (i % 3) : double_of(engine());
    const shim::tenon_double4 sine = shim::_ZGVdN4v_sin(x), cosine = shim::_ZGVdN4v_cos(x);
    for (int k = 0; k < 4; ++k) {
      const double s = wide_sine(x[k]), c = wide_cosine(x[k]);
      ASSERT_TRUE(sine[k] == s || (std::isnan(s) && std::isnan(sine[k]))) << x[k];
      ASSERT_TRUE(cosine[k] == c || (std::isnan(c) && std::isnan(cosine[k]))) << x[k];
    }
  }
}
#endif

}  // namespace
