// tests/unit/cpu_copy.cpp: the CPU's strided copy, conversion and fill against plain loops.
#include <gtest/gtest.h>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include "backend/cpu/operations.hpp"
#include "base/half.hpp"
#include "core/dtype.hpp"

namespace tenon {
namespace {

using Bytes = std::vector<unsigned char>;

struct Axis {
  int64_t extent, to, from;
};  // strides in elements

// A buffer with memory around the elements that must not change.
struct Problem {
  std::vector<Axis> axes;
  int64_t to_first = 0, to_size = 0, from_first = 0, from_size = 0;  // elements

  explicit Problem(std::vector<Axis> a) : axes(std::move(a)) {
    int64_t to_low = 0, to_high = 0, from_low = 0, from_high = 0;
    for (const Axis& axis : axes) {
      (axis.to < 0 ? to_low : to_high) += axis.to * (axis.extent - 1);
      (axis.from < 0 ? from_low : from_high) += axis.from * (axis.extent - 1);
    }
    to_first = 5 - to_low, to_size = to_first + to_high + 6;
    from_first = 3 - from_low, from_size = from_first + from_high + 4;
  }

  int64_t count() const {
    int64_t n = 1;
    for (const Axis& axis : axes) n *= axis.extent;
    return n;
  }

  template <class F> void each(F&& f) const {
    for (int64_t i = 0, n = count(); i < n; ++i) {
      int64_t rest = i, to = to_first, from = from_first;
      for (size_t k = axes.size(); k-- > 0;) {
        to += rest % axes[k].extent * axes[k].to;
        from += rest % axes[k].extent * axes[k].from;
        rest /= axes[k].extent;
      }
      f(to, from);
    }
  }

  std::vector<CopyAxis> bytes(int64_t to_bytes, int64_t from_bytes) const {
    std::vector<CopyAxis> out;
    for (const Axis& axis : axes) out.push_back({axis.extent, axis.to * to_bytes, axis.from * from_bytes});
    return out;
  }
};

const std::vector<std::vector<Axis>>& layouts() {
  static const std::vector<std::vector<Axis>> all = {
      {},
      {{1, 1, 1}},
      {{1000, 1, 1}},
      {{100003, 1, 1}},
      {{1001, 1, 2}},
      {{1001, 2, 1}},
      {{777, 3, 2}},
      {{777, 1, -1}},
      {{777, -1, 1}},
      {{777, 1, 0}},
      {{513, 2, 0}},
      {{37, 100, 100}, {53, 1, 1}},
      {{37, 1000, 3}, {3, 1, 1}},
      {{300, 3, 1}, {3, 1, 300}},  // pixels to planes and back
      {{3, 300, 1}, {300, 1, 3}},
      {{67, 131, 1}, {131, 1, 67}},    // transposed, odd
      {{256, 256, 1}, {192, 1, 256}},  // transposed, whole tiles
      {{300, 513, 1}, {513, 1, 301}},
      {{130, 140, 2}, {140, 1, 270}},   // transposed with gaps
      {{130, 140, -1}, {140, 1, 130}},  // transposed backwards
      {{9, 1000, 7}, {11, 70, 63}, {7, 9, 1}, {8, 1, 693}},
      {{5, 24, 0}, {4, 6, 6}, {6, 1, 1}},  // broadcast on the outside
      {{2, 1200, 1}, {3, 400, 800}, {20, 20, 40}, {20, 1, 2}},
      {{64, -64, 1}, {64, 1, 64}},
      {{1, 7, 7}, {40, 1, 40}, {1, 1, 1}},
  };
  return all;
}

struct Size {
  uint32_t bytes;
  Dtype dtype;
};
const Size kSizes[] = {
    {1, TENON_UINT8}, {2, TENON_UINT16}, {4, TENON_UINT32}, {8, TENON_UINT64}, {16, TENON_COMPLEX128}};

TEST(CpuCopy, MovesBytesForEveryLayoutAndSizeAndTouchesNothingElse) {
  std::mt19937_64 random(1);
  for (const Size size : kSizes)
    for (size_t l = 0; l < layouts().size(); ++l) {
      const Problem p(layouts()[l]);
      Bytes from(size_t(p.from_size) * size.bytes), to(size_t(p.to_size) * size.bytes);
      for (auto& b : from) b = static_cast<unsigned char>(random());
      for (auto& b : to) b = static_cast<unsigned char>(random());
      Bytes expected = to;
      p.each([&](int64_t d, int64_t s) {
        std::memcpy(&expected[size_t(d) * size.bytes], &from[size_t(s) * size.bytes], size.bytes);
      });
      cpu::run(CopyProblem{to.data() + p.to_first * size.bytes, from.data() + p.from_first * size.bytes, size.dtype,
                           size.dtype, size.bytes, p.bytes(size.bytes, size.bytes)});
      ASSERT_TRUE(to == expected) << "layout " << l << ", " << size.bytes << " bytes";
    }
}

TEST(CpuCopy, FillsEveryLayoutAndTouchesNothingElse) {
  std::mt19937_64 random(2);
  for (const Size size : kSizes)
    for (size_t l = 0; l < layouts().size(); ++l) {
      const Problem p(layouts()[l]);
      Bytes to(size_t(p.to_size) * size.bytes);
      for (auto& b : to) b = static_cast<unsigned char>(random());
      FillProblem fill{to.data() + p.to_first * size.bytes, size.bytes, {}, p.bytes(size.bytes, 0)};
      for (auto& b : fill.value) b = static_cast<unsigned char>(random());
      Bytes expected = to;
      p.each([&](int64_t d, int64_t) { std::memcpy(&expected[size_t(d) * size.bytes], fill.value, size.bytes); });
      cpu::run(fill);
      ASSERT_TRUE(to == expected) << "layout " << l << ", " << size.bytes << " bytes";
    }
}

TEST(CpuCopy, LargeTransposesAndCopiesAreExact) {  // beyond the size from which stores bypass the cache
  const int64_t n = 2304, m = 2560;
  for (uint32_t size : {4u, 8u, 16u}) {
    const Dtype dtype = size == 4 ? TENON_UINT32 : size == 8 ? TENON_UINT64 : TENON_COMPLEX128;
    Bytes from(size_t(n * m * size)), to(from.size() + 64);
    std::mt19937_64 random(3);
    for (size_t i = 0; i < from.size(); i += 8) {
      const uint64_t x = random();
      std::memcpy(&from[i], &x, 8);
    }
    for (int offset : {0, int(size)}) {
      cpu::run(
          CopyProblem{to.data() + offset, from.data(), dtype, dtype, size, {{n, m * size, size}, {m, size, n * size}}});
      for (int64_t i = 0; i < n; i += 7)
        for (int64_t j = 0; j < m; j += 3)
          ASSERT_EQ(0, std::memcmp(&to[size_t((i * m + j) * size + offset)], &from[size_t((j * n + i) * size)], size))
              << "element (" << i << ", " << j << ") of " << size << " bytes";
      cpu::run(CopyProblem{to.data() + offset, from.data(), dtype, dtype, size, {{n * m, size, size}}});
      ASSERT_EQ(0, std::memcmp(to.data() + offset, from.data(), from.size()));
    }
  }
}

TEST(CpuCopy, OddElementSizesAreCopied) {
  Bytes from(300), to(300, 0);
  for (size_t i = 0; i < 300; ++i) from[i] = static_cast<unsigned char>(i * 7);
  cpu::run(CopyProblem{to.data(), from.data(), TENON_UINT8, TENON_UINT8, 3, {{10, 30, 3}, {10, 3, 30}}});
  for (size_t i = 0; i < 10; ++i)
    for (size_t j = 0; j < 10; ++j) ASSERT_EQ(0, std::memcmp(&to[(i * 10 + j) * 3], &from[(j * 10 + i) * 3], 3));
}

// Conversions. The reference works on one element in the widest types of C++.

const Dtype kTypes[] = {TENON_BOOL,     TENON_INT8,    TENON_INT16,   TENON_INT32,     TENON_INT64,
                        TENON_UINT8,    TENON_UINT16,  TENON_UINT32,  TENON_UINT64,    TENON_FLOAT16,
                        TENON_BFLOAT16, TENON_FLOAT32, TENON_FLOAT64, TENON_COMPLEX64, TENON_COMPLEX128};

// The number nearest to x with `digits` significant bits and exponents from `lowest` on, ties to even.
long double round_to(long double x, int digits, int lowest, long double largest) {
  if (x == 0 || !std::isfinite(x)) return x;
  int exponent;
  std::frexp(x, &exponent);
  const int ulp = std::max(exponent - digits, lowest);
  const long double rounded = std::ldexp(std::nearbyint(std::ldexp(x, -ulp)), ulp);
  return std::fabs(rounded) > largest ? std::copysign(std::numeric_limits<long double>::infinity(), x) : rounded;
}
long double as_half(long double x) { return round_to(x, 11, -24, 65504); }
long double as_bfloat(long double x) { return round_to(x, 8, -133, 3.3895313892515355e38L); }

// float16 by its definition.
long double half_by_definition(uint16_t h) {
  const int exponent = h >> 10 & 31, mantissa = h & 1023;
  const long double sign = h >> 15 ? -1 : 1;
  if (exponent == 31)
    return mantissa ? std::numeric_limits<long double>::quiet_NaN()
                    : sign * std::numeric_limits<long double>::infinity();
  return sign * (exponent ? std::ldexp(1024.0L + mantissa, exponent - 25) : std::ldexp((long double)mantissa, -24));
}

TEST(Half, EveryFloat16IsReadAndWrittenBackAsItIs) {
  for (uint32_t i = 0; i < 65536; ++i) {
    const uint16_t h = uint16_t(i);
    const long double x = half_by_definition(h);
    if (std::isnan(x)) {
      ASSERT_TRUE(std::isnan(base::half_to_float(h))) << i;
      ASSERT_EQ(h | 0x200, base::float_to_half(base::half_to_float(h))) << i;
    } else {
      ASSERT_EQ(x, (long double)base::half_to_float(h)) << i;
      ASSERT_EQ(h, base::float_to_half(base::half_to_float(h))) << i;
      ASSERT_EQ(h, base::double_to_half(double(x))) << i;
    }
  }
}

TEST(Half, FloatsBetweenNeighboursAreRoundedToTheNearestEven) {
  for (uint32_t i = 0; i < 0x7c00; ++i) {  // every positive float16 and its upper neighbour
    const long double low = half_by_definition(uint16_t(i));
    const long double high = i + 1 == 0x7c00 ? 65536.0L : half_by_definition(uint16_t(i + 1));
    const float middle = float((low + high) / 2);
    const uint16_t even = uint16_t(i & 1 ? i + 1 : i);
    ASSERT_EQ(even, base::float_to_half(middle)) << i;
    ASSERT_EQ(even | 0x8000, base::float_to_half(-middle)) << i;
    ASSERT_EQ(i, base::float_to_half(std::nextafter(middle, 0.0f))) << i;
    ASSERT_EQ(i + 1, base::float_to_half(std::nextafter(middle, 1e9f))) << i;
    ASSERT_EQ(i, base::double_to_half(std::nextafter(double(middle), 0.0)))
        << i;  // a float would round these to the middle
    ASSERT_EQ(i + 1, base::double_to_half(std::nextafter(double(middle), 1e9))) << i;
  }
}

TEST(Half, DoublesAndWideIntegersAreRoundedOnceToBfloat16) {
  std::mt19937_64 random(4);
  for (int i = 0; i < 200000; ++i) {
    const uint64_t bits = random();
    const double d = std::ldexp(double(int64_t(bits)), int(random() % 300) - 210);
    ASSERT_EQ(float(as_bfloat(d)), base::bfloat_to_float(base::double_to_bfloat(d))) << d;
  }
  const int64_t middle = (int64_t(0x181) << 40);  // halfway between two bfloat16
  for (int64_t i : {middle - 1, middle, middle + 1, (int64_t(0x181) << 54) + 1, -(int64_t(0x181) << 54) - 1}) {
    const uint16_t b = base::double_to_bfloat(base::int64_to_double_odd(i));
    ASSERT_EQ(float(as_bfloat((long double)i)), base::bfloat_to_float(b)) << i;
  }
  EXPECT_TRUE(std::isnan(base::bfloat_to_float(base::double_to_bfloat(std::nan("")))));
  EXPECT_TRUE(std::isinf(base::bfloat_to_float(base::float_to_bfloat(3.4e38f))));
}

struct Number {
  long double re, im;
};

Number read(Dtype t, const unsigned char* p) {
  const auto as = [&]<class T>(T x) {
    std::memcpy(&x, p, sizeof x);
    return x;
  };
  switch (t) {
    case TENON_BOOL: return {(long double)(as(uint8_t()) != 0), 0};
    case TENON_INT8: return {(long double)as(int8_t()), 0};
    case TENON_INT16: return {(long double)as(int16_t()), 0};
    case TENON_INT32: return {(long double)as(int32_t()), 0};
    case TENON_INT64: return {(long double)as(int64_t()), 0};
    case TENON_UINT8: return {(long double)as(uint8_t()), 0};
    case TENON_UINT16: return {(long double)as(uint16_t()), 0};
    case TENON_UINT32: return {(long double)as(uint32_t()), 0};
    case TENON_UINT64: return {(long double)as(uint64_t()), 0};
    case TENON_FLOAT16: return {half_by_definition(as(uint16_t())), 0};
    case TENON_BFLOAT16: return {(long double)base::bfloat_to_float(as(uint16_t())), 0};
    case TENON_FLOAT32: return {(long double)as(float()), 0};
    case TENON_FLOAT64: return {(long double)as(double()), 0};
    case TENON_COMPLEX64: {
      float im;
      std::memcpy(&im, p + 4, 4);
      return {(long double)as(float()), (long double)im};
    }
    default: {
      double im;
      std::memcpy(&im, p + 8, 8);
      return {(long double)as(double()), (long double)im};
    }
  }
}

bool integer(Dtype t) { return dtype_code(t) <= 1; }

// The expected result of reading x back after its conversion to t; false if C leaves the value undefined.
bool expected(Dtype t, Number x, Number& out) {
  if (t == TENON_BOOL) {
    out = {(long double)(x.re != 0 || x.im != 0), 0};
    return true;
  }
  if (integer(t)) {
    if (std::isnan(x.re)) return false;
    const long double whole = std::trunc(x.re);
    const int bits = int(dtype_bits(t));
    const bool is_signed = dtype_code(t) == 0;
    if (whole < (is_signed ? -std::ldexp(1.0L, bits - 1) : 0) || whole >= std::ldexp(1.0L, is_signed ? bits - 1 : bits))
      return false;
    out = {whole, 0};
    return true;
  }
  switch (t) {
    case TENON_FLOAT16: out = {as_half(x.re), 0}; break;
    case TENON_BFLOAT16: out = {as_bfloat(x.re), 0}; break;
    case TENON_FLOAT32: out = {(long double)float(x.re), 0}; break;
    case TENON_FLOAT64: out = {(long double)double(x.re), 0}; break;
    case TENON_COMPLEX64: out = {(long double)float(x.re), (long double)float(x.im)}; break;
    default: out = {(long double)double(x.re), (long double)double(x.im)};
  }
  return true;
}

bool alike(long double a, long double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

// Values that matter for a type: random ones, small integers, the limits, infinities, NaN, subnormals.
void make_values(Dtype t, std::mt19937_64& random, Bytes& out, int64_t count) {
  const uint32_t size = dtype_bytes(t);
  out.assign(size_t(count) * size, 0);
  const bool complex = dtype_complex(t);
  for (int64_t i = 0; i < count; ++i) {
    unsigned char* p = &out[size_t(i) * size];
    const uint64_t bits[2] = {random(), random()};
    std::memcpy(p, bits, size);
    if (t == TENON_BOOL) *p &= 1;
    const double small = double(int64_t(random() % 401) - 200) + (random() % 2 ? 0.0 : 0.375);
    const double special[] = {small, 0.0, -0.0, INFINITY, NAN, 65519.99, 65520, 1e-7, 3e-8, 1e-40, 255.5, 1e30};
    const double x = special[random() % 3 == 0 ? random() % 12 : 0];
    if (random() % 2 == 0) continue;
    if (integer(t) && t != TENON_BOOL) {
      const int64_t whole = std::isfinite(small) ? int64_t(small) : 0;
      std::memcpy(p, &whole, size);
    } else if (t == TENON_FLOAT16) {
      const uint16_t h = base::double_to_half(x);
      std::memcpy(p, &h, 2);
    } else if (t == TENON_BFLOAT16) {
      const uint16_t h = base::double_to_bfloat(x);
      std::memcpy(p, &h, 2);
    } else if (t == TENON_FLOAT32 || t == TENON_COMPLEX64) {
      const float f[2] = {float(x), float(small)};
      std::memcpy(p, f, complex ? 8 : 4);
    } else if (t == TENON_FLOAT64 || t == TENON_COMPLEX128) {
      const double f[2] = {x, small};
      std::memcpy(p, f, complex ? 16 : 8);
    }
  }
}

TEST(CpuCopy, ConvertsEveryPairOfDtypesInEveryLayout) {
  std::mt19937_64 random(5);
  const std::vector<std::vector<Axis>> few = {{{1003, 1, 1}},
                                              {{601, 2, 1}},
                                              {{601, 1, -2}},
                                              {{90, 1, 0}},
                                              {{67, 75, 1}, {75, 1, 67}},
                                              {{33, 66, 2}, {65, 1, 70}},
                                              {{3, 80, 1}, {80, 1, 3}}};
  for (Dtype from_type : kTypes)
    for (Dtype to_type : kTypes) {
      if (to_type == from_type) continue;
      for (size_t l = 0; l < few.size(); ++l) {
        const Problem p(few[l]);
        Bytes from, to;
        make_values(from_type, random, from, p.from_size);
        make_values(to_type, random, to, p.to_size);
        const Bytes before = to;
        const int64_t to_bytes = dtype_bytes(to_type), from_bytes = dtype_bytes(from_type);
        cpu::run(CopyProblem{to.data() + p.to_first * to_bytes, from.data() + p.from_first * from_bytes, to_type,
                             from_type, uint32_t(to_bytes), p.bytes(to_bytes, from_bytes)});
        std::vector<bool> written(size_t(p.to_size), false);
        p.each([&](int64_t d, int64_t s) {
          written[size_t(d)] = true;
          const Number source = read(from_type, &from[size_t(s * from_bytes)]),
                       result = read(to_type, &to[size_t(d * to_bytes)]);
          Number want;
          if (!expected(to_type, source, want)) return;
          ASSERT_TRUE(alike(result.re, want.re) && alike(result.im, want.im))
              << dtype_name(from_type) << " (" << (double)source.re << ", " << (double)source.im << ") to "
              << dtype_name(to_type) << " gave (" << (double)result.re << ", " << (double)result.im << "), not ("
              << (double)want.re << ", " << (double)want.im << "), layout " << l;
        });
        for (int64_t i = 0; i < p.to_size; ++i) {
          const bool kept = !std::memcmp(&to[size_t(i * to_bytes)], &before[size_t(i * to_bytes)], size_t(to_bytes));
          ASSERT_TRUE(written[size_t(i)] || kept) << "element " << i << " lies outside and was written";
        }
      }
    }
}

}  // namespace
}  // namespace tenon
