// core/dtype.cpp: the table of element types.
#include "core/dtype.hpp"

#include "core/error.hpp"

namespace tenon {
namespace {

struct Row {
  Dtype dtype;
  const char* name;
  bool computes;
};

constexpr Row kRows[] = {
    {TENON_BOOL, "bool", true},
    {TENON_INT8, "int8", true},
    {TENON_INT16, "int16", true},
    {TENON_INT32, "int32", true},
    {TENON_INT64, "int64", true},
    {TENON_UINT8, "uint8", true},
    {TENON_UINT16, "uint16", true},
    {TENON_UINT32, "uint32", true},
    {TENON_UINT64, "uint64", true},
    {TENON_FLOAT16, "float16", true},
    {TENON_FLOAT32, "float32", true},
    {TENON_FLOAT64, "float64", true},
    {TENON_BFLOAT16, "bfloat16", true},
    {TENON_COMPLEX32, "complex32", false},
    {TENON_COMPLEX64, "complex64", true},
    {TENON_COMPLEX128, "complex128", true},
    {TENON_FLOAT8_E3M4, "float8_e3m4", false},
    {TENON_FLOAT8_E4M3, "float8_e4m3", false},
    {TENON_FLOAT8_E4M3B11FNUZ, "float8_e4m3b11fnuz", false},
    {TENON_FLOAT8_E4M3FN, "float8_e4m3fn", false},
    {TENON_FLOAT8_E4M3FNUZ, "float8_e4m3fnuz", false},
    {TENON_FLOAT8_E5M2, "float8_e5m2", false},
    {TENON_FLOAT8_E5M2FNUZ, "float8_e5m2fnuz", false},
    {TENON_FLOAT8_E8M0FNU, "float8_e8m0fnu", false},
    {TENON_FLOAT6_E2M3FN, "float6_e2m3fn", false},
    {TENON_FLOAT6_E3M2FN, "float6_e3m2fn", false},
    {TENON_FLOAT4_E2M1FN, "float4_e2m1fn", false},
};

const Row* find(Dtype lane) {
  for (const Row& row : kRows)
    if (row.dtype == lane) return &row;
  return nullptr;
}

}  // namespace

bool dtype_valid(Dtype t) { return dtype_lanes(t) >= 1 && find(dtype_lane(t)); }

bool dtype_computes(Dtype t) {
  const Row* row = find(t);
  return row && row->computes;
}

bool dtype_converts(Dtype t) { return dtype_computes(t) || t == TENON_COMPLEX32; }

bool dtype_complex(Dtype t) { return t == TENON_COMPLEX64 || t == TENON_COMPLEX128; }

bool dtype_floating(Dtype t) {
  return t == TENON_FLOAT16 || t == TENON_BFLOAT16 || t == TENON_FLOAT32 || t == TENON_FLOAT64;
}

bool dtype_float8(Dtype t) { return t == TENON_FLOAT8_E4M3FN || t == TENON_FLOAT8_E5M2; }

Dtype dtype_real(Dtype t) {
  if (t == TENON_COMPLEX32) return TENON_FLOAT16;
  if (t == TENON_COMPLEX64) return TENON_FLOAT32;
  if (t == TENON_COMPLEX128) return TENON_FLOAT64;
  return t;
}

const char* dtype_static_name(Dtype t) {
  const Row* row = find(t);
  return row ? row->name : nullptr;
}

std::string dtype_name(Dtype t) {
  if (!dtype_valid(t)) return "invalid";
  std::string name = find(dtype_lane(t))->name;
  if (dtype_lanes(t) > 1) name += 'x' + std::to_string(dtype_lanes(t));
  return name;
}

Dtype dtype_named(std::string_view name) {
  for (const Row& row : kRows)
    if (name == row.name) return row.dtype;
  return 0;
}

uint64_t packed_bytes(Dtype t, int64_t count) {
  uint64_t bits;
  if (__builtin_mul_overflow(uint64_t(count), uint64_t(dtype_bits(t)), &bits)) {
    // The number of bits may overflow where the number of bytes does not.
    uint64_t bytes;
    TENON_REQUIRE(dtype_bytes(t) && !__builtin_mul_overflow(uint64_t(count), uint64_t(dtype_bytes(t)), &bytes) &&
                      bytes <= uint64_t(INT64_MAX),
                  TENON_ERROR_OVERFLOW, "%lld elements of %s do not fit in 2^63 bytes", static_cast<long long>(count),
                  dtype_name(t).c_str());
    return bytes;
  }
  return bits / 8 + (bits % 8 != 0);
}

}  // namespace tenon
