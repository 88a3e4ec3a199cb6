// core/array/scalar.cpp: numbers of any dtype.
#include "core/array/scalar.hpp"

#include <cmath>
#include <cstring>
#include "core/device/backend.hpp"
#include "core/error.hpp"

namespace tenon {
namespace {

enum : uint32_t { kInt = 0, kUint = 1, kFloat = 2, kBool = 6 };  // DLPack's codes

bool whole_type(Dtype t) { return dtype_code(t) == kInt || dtype_code(t) == kUint || dtype_code(t) == kBool; }

// Holds the value of any dtype: an integer unchanged, anything else as two doubles.
struct Number {
  bool whole = false;
  __int128 integer = 0;
  std::complex<double> value;
};

template <class T> T read(const unsigned char* bytes) {
  T out;
  std::memcpy(&out, bytes, sizeof out);
  return out;
}

__int128 read_integer(const Scalar& s) {
  const bool is_signed = dtype_code(s.dtype) == kInt;
  switch (dtype_bytes(s.dtype)) {
    case 1: return is_signed ? read<int8_t>(s.bytes) : read<uint8_t>(s.bytes);
    case 2: return is_signed ? read<int16_t>(s.bytes) : read<uint16_t>(s.bytes);
    case 4: return is_signed ? read<int32_t>(s.bytes) : read<uint32_t>(s.bytes);
    default: return is_signed ? __int128(read<int64_t>(s.bytes)) : __int128(read<uint64_t>(s.bytes));
  }
}

void require_number(Dtype dtype, const char* what) {
  TENON_REQUIRE(dtype_converts(dtype) && dtype_lanes(dtype) == 1, TENON_ERROR_DTYPE,
                "%s is a scalar of %s, which is only a storage type: pass a number of another dtype", what,
                dtype_name(dtype).c_str());
}

Number number_of(const Scalar& s, Device& cpu, const char* what) {
  require_number(s.dtype, what);
  Number out;
  if (whole_type(s.dtype)) {
    out.whole = true;
    out.integer = read_integer(s);
    out.value = double(out.integer);
    return out;
  }
  double parts[2];
  if (s.dtype == TENON_COMPLEX32)
    cpu.run(CopyProblem{parts, s.bytes, TENON_FLOAT64, TENON_FLOAT16, 8, {{2, 8, 2}}}, cpu.default_stream());
  else cpu.run(CopyProblem{parts, s.bytes, TENON_COMPLEX128, s.dtype, 16, {}}, cpu.default_stream());
  out.value = {parts[0], parts[1]};
  return out;
}

std::string text_of(const Number& n) {
  if (n.whole) {
    const bool negative = n.integer < 0;
    return (negative ? "-" : "") + std::to_string(uint64_t(negative ? -n.integer : n.integer));
  }
  return n.value.imag() == 0 ? format("%.17g", n.value.real()) : format("%.17g%+.17gi", n.value.real(), n.value.imag());
}

void encode_whole(Number n, Dtype dtype, const char* what, unsigned char out[16]) {
  const std::string name = dtype_name(dtype), text = text_of(n);
  TENON_REQUIRE(n.whole || n.value.imag() == 0, TENON_ERROR_INVALID_ARGUMENT, "%s is %s, but %s has no imaginary part",
                what, text.c_str(), name.c_str());
  if (!n.whole) {
    TENON_REQUIRE(n.value.real() == std::floor(n.value.real()) && std::abs(n.value.real()) < 0x1p64,
                  TENON_ERROR_INVALID_ARGUMENT, "%s is %s, which %s cannot hold: pass an integer in its range", what,
                  text.c_str(), name.c_str());
    n.integer = __int128(n.value.real());
  }
  const uint32_t bits = dtype_code(dtype) == kBool ? 1 : dtype_bits(dtype);
  const bool is_signed = dtype_code(dtype) == kInt;
  const __int128 low = is_signed ? -(__int128(1) << (bits - 1)) : 0,
                 high = (__int128(1) << (is_signed ? bits - 1 : bits)) - 1;
  TENON_REQUIRE(n.integer >= low && n.integer <= high, TENON_ERROR_INVALID_ARGUMENT,
                "%s is %s, which %s cannot hold: its range is %lld to %llu", what, text.c_str(), name.c_str(),
                static_cast<long long>(low), static_cast<unsigned long long>(high));
  const uint64_t stored = uint64_t(n.integer);
  std::memcpy(out, &stored, 8);
}

}  // namespace

std::complex<double> value_of(const Scalar& scalar, Device& cpu, const char* what) {
  if (scalar.dtype == TENON_FLOAT64) return read<double>(scalar.bytes);  // the most frequent case
  if (scalar.dtype == TENON_FLOAT32) return read<float>(scalar.bytes);
  return number_of(scalar, cpu, what).value;
}

void encode(Dtype dtype, double real, double imaginary, Device& cpu, unsigned char out[16]) {
  // The CPU device is the reference for conversions: one element goes through it.
  const double value[2] = {real, imaginary};
  std::memset(out, 0, 16);
  if (dtype == TENON_COMPLEX32)
    return cpu.run(CopyProblem{out, value, TENON_FLOAT16, TENON_FLOAT64, 2, {{2, 2, 8}}}, cpu.default_stream());
  cpu.run(CopyProblem{out, value, dtype, TENON_COMPLEX128, dtype_bytes(dtype), {}}, cpu.default_stream());
}

void encode(const Scalar& scalar, Dtype dtype, Device& cpu, const char* what, unsigned char out[16]) {
  std::memset(out, 0, 16);
  if (scalar.dtype == dtype) {
    std::memcpy(out, scalar.bytes, dtype_bytes(dtype));
    return;
  }
  const Number n = number_of(scalar, cpu, what);
  TENON_REQUIRE(dtype_converts(dtype), TENON_ERROR_DTYPE,
                "%s is a storage type: it accepts only 0 or a scalar of its own dtype, but %s is %s",
                dtype_name(dtype).c_str(), what, dtype_name(scalar.dtype).c_str());
  if (whole_type(dtype)) return encode_whole(n, dtype, what, out);
  const bool complex = dtype_complex(dtype) || dtype == TENON_COMPLEX32;
  TENON_REQUIRE(complex || n.value.imag() == 0, TENON_ERROR_INVALID_ARGUMENT, "%s is %s, but %s has no imaginary part",
                what, text_of(n).c_str(), dtype_name(dtype).c_str());
  const float once = float(n.integer);  // not by way of a double, which would round twice
  if (n.whole && dtype == TENON_FLOAT32) std::memcpy(out, &once, 4);
  else encode(dtype, n.value.real(), n.value.imag(), cpu, out);
  Scalar back{dtype, {}};
  std::memcpy(back.bytes, out, 16);
  const std::complex<double> got = number_of(back, cpu, what).value;
  for (const auto& [given, held] : {std::pair{n.value.real(), got.real()}, {n.value.imag(), got.imag()}})
    TENON_REQUIRE(!std::isfinite(given) || std::isfinite(held), TENON_ERROR_INVALID_ARGUMENT,
                  "%s is %s, which is beyond the largest %s", what, text_of(n).c_str(), dtype_name(dtype).c_str());
}

}  // namespace tenon
