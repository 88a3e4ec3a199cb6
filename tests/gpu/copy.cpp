// Copies and fills on the GPU against the host: every pair of dtypes, every element size, random shapes and strides.
#include <cmath>
#include <cstring>

#include "gpu.hpp"

using namespace gpu;

namespace {

// ---- A reference for conversions: exact values, rounded once ----

struct Value {
  long double re = 0, im = 0;  // 64 bits of mantissa hold every int64, uint64 and double
};

struct Type {
  uint32_t dtype;
  char kind;             // b, i, u, f, c
  int bits;              // of a real number
  int mantissa, lowest;  // floating: bits of the mantissa, exponent of the smallest number
  const char* name;
  uint32_t bytes() const { return uint32_t(bits / 8 * (kind == 'c' ? 2 : 1)); }
};

const Type kTypes[] = {{TENON_BOOL, 'b', 8, 0, 0, "bool"},
                       {TENON_INT8, 'i', 8, 0, 0, "int8"},
                       {TENON_INT16, 'i', 16, 0, 0, "int16"},
                       {TENON_INT32, 'i', 32, 0, 0, "int32"},
                       {TENON_INT64, 'i', 64, 0, 0, "int64"},
                       {TENON_UINT8, 'u', 8, 0, 0, "uint8"},
                       {TENON_UINT16, 'u', 16, 0, 0, "uint16"},
                       {TENON_UINT32, 'u', 32, 0, 0, "uint32"},
                       {TENON_UINT64, 'u', 64, 0, 0, "uint64"},
                       {TENON_FLOAT16, 'f', 16, 11, -24, "float16"},
                       {TENON_BFLOAT16, 'f', 16, 8, -133, "bfloat16"},
                       {TENON_FLOAT32, 'f', 32, 24, -149, "float32"},
                       {TENON_FLOAT64, 'f', 64, 53, -1074, "float64"},
                       {TENON_COMPLEX64, 'c', 32, 24, -149, "complex64"},
                       {TENON_COMPLEX128, 'c', 64, 53, -1074, "complex128"}};

// v rounded to nearest even with `mantissa` bits, denormal below; infinity past the largest.
long double rounded(long double v, const Type& t) {
  if (!std::isfinite(v) || v == 0) return v;
  int exponent;
  std::frexp(v, &exponent);  // |v| in [2^(e-1), 2^e)
  const int unit = std::max(exponent - t.mantissa, t.lowest);
  const long double r = std::ldexp(std::nearbyint(std::ldexp(v, -unit)), unit);
  const int bias_end = t.lowest + t.mantissa - 1 == -14 ? 16 : t.bits == 64 ? 1024 : 128;  // largest exponent
  return std::fabs(r) >= std::ldexp(1.0L, bias_end) ? std::copysign(INFINITY, r) : r;
}

uint16_t encode16(long double v, const Type& t) {  // v is representable
  const int stored = t.mantissa - 1, exponent_bits = 15 - stored, top = (1 << exponent_bits) - 1;
  const uint16_t sign = std::signbit(v) ? 0x8000 : 0;
  if (std::isnan(v)) return uint16_t(0x7fff);
  if (std::isinf(v)) return uint16_t(sign | top << stored);
  v = std::fabs(v);
  if (v == 0) return sign;
  int exponent;
  std::frexp(v, &exponent);
  const int biased = exponent - (t.lowest + t.mantissa - 1);  // 1 for the smallest normal number
  if (biased <= 0) return uint16_t(sign | uint16_t(std::ldexp(v, -t.lowest)));
  return uint16_t(sign | biased << stored | (uint16_t(std::ldexp(v, t.mantissa - exponent)) & ((1 << stored) - 1)));
}

long double decode16(uint16_t bits, const Type& t) {
  const int stored = t.mantissa - 1, top = (1 << (15 - stored)) - 1;
  const int biased = (bits >> stored) & top, fraction = bits & ((1 << stored) - 1);
  long double v = biased == top ? (fraction ? NAN : INFINITY)
                  : biased == 0 ? std::ldexp((long double)fraction, t.lowest)
                                : std::ldexp((long double)(fraction | 1 << stored), t.lowest + biased - 1);
  return bits & 0x8000 ? -v : v;
}

long double decode_real(const unsigned char* p, const Type& t) {
  auto as = [&](auto x) {
    std::memcpy(&x, p, sizeof(x));
    return x;
  };
  if (t.kind == 'b') return *p != 0;
  if (t.kind == 'i')
    return t.bits == 8    ? as(int8_t())
           : t.bits == 16 ? as(int16_t())
           : t.bits == 32 ? as(int32_t())
                          : (long double)as(int64_t());
  if (t.kind == 'u')
    return t.bits == 8    ? as(uint8_t())
           : t.bits == 16 ? as(uint16_t())
           : t.bits == 32 ? as(uint32_t())
                          : (long double)as(uint64_t());
  return t.bits == 16   ? decode16(as(uint16_t()), t)
         : t.bits == 32 ? (long double)as(float())
                        : (long double)as(double());
}

Value decode(const unsigned char* p, const Type& t) {
  return {decode_real(p, t), t.kind == 'c' ? decode_real(p + t.bits / 8, t) : 0};
}

void encode_real(unsigned char* p, long double v, const Type& t) {
  auto put = [&](auto x) { std::memcpy(p, &x, sizeof(x)); };
  if (t.kind == 'i' || t.kind == 'u') {  // in range: only such values are converted here
    const uint64_t bits = v < 0 ? uint64_t(int64_t(v)) : uint64_t(v);
    std::memcpy(p, &bits, size_t(t.bits / 8));
  } else {
    v = rounded(v, t);
    if (t.bits == 16) put(encode16(v, t));
    else if (t.bits == 32) put(float(v));
    else put(double(v));
  }
}

void encode(unsigned char* p, Value v, const Type& t) {
  if (t.kind == 'b') {
    *p = v.re != 0 || v.im != 0;
    return;
  }
  encode_real(p, v.re, t);
  if (t.kind == 'c') encode_real(p + t.bits / 8, v.im, t);
}

bool same_real(const unsigned char* a, const unsigned char* b, const Type& t) {
  if (std::memcmp(a, b, size_t(t.bits / 8)) == 0) return true;
  return (t.kind == 'f' || t.kind == 'c') && std::isnan(decode_real(a, t)) && std::isnan(decode_real(b, t));
}

bool same(const unsigned char* a, const unsigned char* b, const Type& t) {
  return same_real(a, b, t) && (t.kind != 'c' || same_real(a + t.bits / 8, b + t.bits / 8, t));
}

class Copy : public Gpu {
 protected:
  std::vector<unsigned char> noise(uint64_t bytes) {
    std::vector<unsigned char> out(bytes + 8);
    for (uint64_t i = 0; i < bytes; i += 8) {
      const uint64_t r = random_();
      std::memcpy(&out[i], &r, 8);
    }
    out.resize(bytes);
    return out;
  }
  // A value that `from` can represent and whose conversion to `to` is defined.
  long double value_for(const Type& from, const Type& to) {
    const bool wide = to.kind == 'f' || to.kind == 'c' || to.kind == 'b';
    if (from.kind == 'b') return (long double)pick(0, 1);
    if (from.kind == 'i' || from.kind == 'u') {
      const int shift = int(pick(0, from.bits - 1));
      if (from.kind == 'i') {
        const int64_t v = int64_t(random_()) >> (64 - from.bits) >> shift;
        if (to.kind != 'u' || v >= 0) {
          if (wide || (to.kind == 'i' ? to.bits >= from.bits : to.bits >= from.bits)) return (long double)v;
        }
        return (long double)pick(0, 100);
      }
      const uint64_t v = random_() >> (64 - from.bits) >> shift;
      if (wide || to.bits > from.bits || (to.kind == 'u' && to.bits == from.bits)) return (long double)v;
      return (long double)pick(0, 100);
    }
    if (!wide) {
      const long double v = (long double)pick(0, 10000) / 100;
      return to.kind == 'i' && pick(0, 1) ? -v : v;
    }
    switch (pick(0, 9)) {
      case 0: return NAN;
      case 1: return pick(0, 1) ? INFINITY : -INFINITY;
      case 2: return std::ldexp((long double)pick(-1000, 1000), int(pick(-150, 130)));
      case 3: return std::ldexp((long double)pick(1, 1 << 20), int(pick(-40, 0)));
      case 4: return (long double)pick(60000, 70000);
      default: return std::ldexp((long double)int64_t(random_()), int(pick(-70, -50)));
    }
  }
  // Copies between two layouts and compares the destination's whole buffer.
  void check_bytes(uint32_t element, const Layout& to, const Layout& from) {
    const uint32_t dtypes[] = {TENON_UINT8, TENON_UINT16, TENON_FLOAT32, TENON_COMPLEX64, TENON_COMPLEX128};
    const uint32_t dtype = dtypes[element == 1 ? 0 : element == 2 ? 1 : element == 4 ? 2 : element == 8 ? 3 : 4];
    const auto source = noise(from.bytes);
    auto expected = noise(to.bytes);
    Placed a = place(device_.get(), dtype, from, source), b = place(device_.get(), dtype, to, expected);
    OK(tenon_array_copy(b.array.get(), a.array.get(), nullptr));
    each(to, element, from, element, [&](uint64_t t, uint64_t f) { std::memcpy(&expected[t], &source[f], element); });
    const auto got = read_back(b, to.bytes);
    for (uint64_t i = 0; i < to.bytes; ++i)
      ASSERT_EQ(expected[i], got[i]) << "byte " << i << ", element " << element << "\n to " << text(to) << "\n from "
                                     << text(from);
  }
  // A layout of a shape with its axes in random order, with gaps and flips, and broadcast axes if requested.
  Layout random_layout(const std::vector<int64_t>& shape, uint32_t element, bool source) {
    Layout out{shape, std::vector<int64_t>(shape.size()), 0, 0};
    std::vector<size_t> order(shape.size());
    for (size_t i = 0; i < order.size(); ++i) order[i] = i;
    if (pick(0, 2)) std::shuffle(order.begin(), order.end(), random_);
    int64_t stride = pick(0, 5) ? 1 : pick(2, 3), first = pick(0, 2) ? 0 : pick(0, 7), last = 0;
    for (size_t i = order.size(); i-- > 0;) {
      const size_t axis = order[i];
      if (source && pick(0, 9) == 0) continue;
      out.strides[axis] = stride;
      last += (shape[axis] - 1) * stride;
      if (pick(0, 7) == 0) {
        first += (shape[axis] - 1) * stride;
        out.strides[axis] = -stride;
        last -= (shape[axis] - 1) * stride;
      }
      stride = stride * shape[axis] + (pick(0, 3) ? 0 : pick(1, 9));
    }
    out.offset = uint64_t(first) * element;
    out.bytes = uint64_t(first + last + 1) * element + uint64_t(pick(0, 2) ? 0 : pick(0, 40));
    return out;
  }
};

TEST_F(Copy, ConvertsEveryPairOfTypesAsCDoes) {
  const int64_t rows = 37, columns = 54;
  for (const Type& from : kTypes) {
    for (const Type& to : kTypes) {
      if (from.dtype == to.dtype) continue;
      const Layout source_layout = contiguous({rows, columns}, from.bytes());
      std::vector<unsigned char> source(source_layout.bytes);
      for (int64_t i = 0; i < rows * columns; ++i)
        encode(&source[size_t(i) * from.bytes()], {value_for(from, to), from.kind == 'c' ? value_for(from, to) : 0},
               from);
      Placed a = place(device_.get(), from.dtype, source_layout, source);
      for (const bool turned : {false, true}) {
        // Flat, and transposed with the destination's rows padded.
        Layout to_layout = contiguous({rows, columns}, to.bytes());
        if (turned) {
          to_layout.strides = {1, rows + 3};
          to_layout.bytes = uint64_t(columns * (rows + 3)) * to.bytes();
        }
        auto expected = noise(to_layout.bytes);
        Placed b = place(device_.get(), to.dtype, to_layout, expected);
        OK(tenon_array_copy(b.array.get(), a.array.get(), nullptr));
        const auto got = read_back(b, to_layout.bytes);
        int wrong = 0;
        each(to_layout, to.bytes(), source_layout, from.bytes(), [&](uint64_t t, uint64_t f) {
          encode(&expected[t], decode(&source[f], from), to);
          if (same(&expected[t], &got[t], to)) std::memcpy(&expected[t], &got[t], to.bytes());
          else if (wrong++ < 3) {
            const Value in = decode(&source[f], from), is = decode(&got[t], to), should = decode(&expected[t], to);
            ADD_FAILURE() << from.name << " to " << to.name << (turned ? " transposed: " : ": ") << double(in.re)
                          << " + " << double(in.im) << "i became " << double(is.re) << " + " << double(is.im)
                          << "i, not " << double(should.re) << " + " << double(should.im) << "i";
          }
        });
        ASSERT_EQ(wrong, 0) << from.name << " to " << to.name;
        ASSERT_EQ(expected, got) << "bytes beside the elements were written: " << from.name << " to " << to.name;
      }
    }
  }
}

TEST_F(Copy, MovesEveryElementSizeBetweenRandomLayouts) {
  for (int round = 0; round < 400; ++round) {
    const uint32_t element = 1u << pick(0, 4);
    std::vector<int64_t> shape(static_cast<size_t>(pick(1, 5)));
    int64_t total = 1;
    for (int64_t& n : shape) {
      switch (pick(0, 5)) {
        case 0: n = pick(1, 4); break;
        case 1: n = pick(1, 40); break;
        case 2: n = pick(60, 200); break;
        case 3: n = int64_t(1) << pick(0, 7); break;
        default: n = pick(1, 17);
      }
      if (total * n > 100000) n = 1;
      total *= n;
    }
    check_bytes(element, random_layout(shape, element, false), random_layout(shape, element, true));
    if (HasFatalFailure()) return;
  }
}

TEST_F(Copy, TransposesMatricesOfAllSizes) {
  for (const uint32_t element : {1u, 2u, 4u, 8u, 16u})
    for (const auto& [rows, columns] : std::vector<std::pair<int64_t, int64_t>>{{256, 256},
                                                                                {129, 257},
                                                                                {1000, 500},
                                                                                {3, 5000},
                                                                                {5000, 3},
                                                                                {12, 3000},
                                                                                {64, 64},
                                                                                {1, 77},
                                                                                {300, 7},
                                                                                {515, 1030}}) {
      Layout to = contiguous({rows, columns}, element), from = to;
      from.strides = {1, rows};
      check_bytes(element, to, from);
      if (HasFatalFailure()) return;
    }
}

TEST_F(Copy, PermutesAxesOfHigherRank) {
  for (const uint32_t element : {1u, 4u, 8u})
    for (const std::vector<int64_t>& strides :
         {std::vector<int64_t>{1, 40, 1200, 6000}, {150, 1, 4500, 30}, {30, 6000, 1, 200}}) {
      const std::vector<int64_t> shape = strides == std::vector<int64_t>{1, 40, 1200, 6000}
                                             ? std::vector<int64_t>{40, 30, 5, 8}
                                         : strides[1] == 1 ? std::vector<int64_t>{30, 30, 8, 5}
                                                           : std::vector<int64_t>{6, 8, 30, 30};
      Layout to = contiguous(shape, element), from = to;
      from.strides = strides;
      from.bytes = 0;
      int64_t last = 0;
      for (size_t i = 0; i < 4; ++i) last += (shape[i] - 1) * strides[i];
      from.bytes = uint64_t(last + 1) * element;
      check_bytes(element, to, from);
      if (HasFatalFailure()) return;
    }
}

TEST_F(Copy, CopiesRowsOfAnyAlignment) {
  for (const uint32_t element : {1u, 2u, 4u, 8u})
    for (int shift = 0; shift < 16; ++shift) {
      Layout to{{5, 333}, {333 + shift, 1}, uint64_t(shift * element), 0},
          from{{5, 333}, {340, 1}, uint64_t((shift * 7 % 16) * element), 0};
      to.bytes = to.offset + uint64_t(4 * (333 + shift) + 333) * element;
      from.bytes = from.offset + uint64_t(4 * 340 + 333) * element;
      check_bytes(element, to, from);
      if (HasFatalFailure()) return;
    }
}

TEST_F(Copy, FillsRandomLayoutsAndNothingElse) {
  for (int round = 0; round < 150; ++round) {
    const Type& t = kTypes[size_t(pick(0, 14))];
    std::vector<int64_t> shape(static_cast<size_t>(pick(0, 4)));
    for (int64_t& n : shape) n = pick(1, 21);
    const Layout layout = random_layout(shape, t.bytes(), false);
    auto expected = noise(layout.bytes);
    Placed a = place(device_.get(), t.dtype, layout, expected);
    const double re = pick(0, 3) ? double(pick(0, t.kind == 'b' ? 1 : 100)) : 0,
                 im = t.kind == 'c' ? double(pick(-9, 9)) : 0;
    OK(tenon_array_fill(a.array.get(), im == 0 ? number(re) : number(re, im), nullptr));
    each(layout, t.bytes(), layout, t.bytes(), [&](uint64_t at, uint64_t) { encode(&expected[at], {re, im}, t); });
    const auto got = read_back(a, layout.bytes);
    for (uint64_t i = 0; i < layout.bytes; ++i)
      ASSERT_EQ(expected[i], got[i]) << t.name << " byte " << i << " " << text(layout);
  }
}

TEST_F(Copy, AgreesWithTheCpuDevice) {
  DevicePtr cpu = device("cpu:0");
  for (int round = 0; round < 20; ++round) {
    const std::vector<int64_t> shape{pick(1, 50), pick(1, 50), pick(1, 5)};
    std::vector<float> data(size_t(product(shape)));
    for (float& x : data) x = float(pick(-100000, 100000)) / 64;
    ArrayPtr a = upload(device_.get(), TENON_FLOAT32, shape, data.data(), data.size() * 4);
    ArrayPtr b = upload(cpu.get(), TENON_FLOAT32, shape, data.data(), data.size() * 4);
    for (uint32_t dtype : {TENON_FLOAT16, TENON_BFLOAT16, TENON_INT32, TENON_COMPLEX128}) {
      ArrayPtr x = converted(transposed(a, {2, 0, 1}), dtype), y = converted(transposed(b, {2, 0, 1}), dtype);
      std::vector<unsigned char> p(info(x.get()).bytes), q(info(y.get()).bytes);
      OK(tenon_array_to_host(x.get(), p.data(), p.size(), nullptr));
      OK(tenon_array_to_host(y.get(), q.data(), q.size(), nullptr));
      ASSERT_EQ(p, q) << tenon_dtype_name(dtype);
    }
  }
}

}  // namespace
