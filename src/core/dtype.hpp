// core/dtype.hpp: the properties of element types. One table, in dtype.cpp.
#pragma once
#include <tenon/dtype.h>
#include <string>
#include <string_view>

namespace tenon {

using Dtype = uint32_t;  // TENON_FLOAT32 ...

constexpr uint32_t dtype_code(Dtype t) { return t & 0xff; }
constexpr uint32_t dtype_lane_bits(Dtype t) { return (t >> 8) & 0xff; }
constexpr uint32_t dtype_lanes(Dtype t) { return t >> 16; }
constexpr uint32_t dtype_bits(Dtype t) { return dtype_lane_bits(t) * dtype_lanes(t); }
// Bytes per element; 0 for packed types smaller than a byte.
constexpr uint32_t dtype_bytes(Dtype t) { return dtype_bits(t) % 8 ? 0 : dtype_bits(t) / 8; }
constexpr Dtype dtype_lane(Dtype t) { return (t & 0xffff) | 0x10000; }

bool dtype_valid(Dtype t);                 // a row of the table, with any number of lanes >= 1
bool dtype_computes(Dtype t);              // supports copy with conversion, fill and arithmetic
bool dtype_converts(Dtype t);              // supports copy with conversion and fill: complex32 too
bool dtype_complex(Dtype t);               // complex64, complex128
bool dtype_floating(Dtype t);              // float16, bfloat16, float32, float64
bool dtype_float8(Dtype t);                // those that matrix products accept: float8_e4m3fn and float8_e5m2
Dtype dtype_real(Dtype t);                 // complex64 -> float32, complex32 -> float16; others unchanged
std::string dtype_name(Dtype t);           // "float32", "float32x4", "invalid"
const char* dtype_static_name(Dtype t);    // the same for a row of the table, else NULL
Dtype dtype_named(std::string_view name);  // with one lane; 0: no such name
uint64_t packed_bytes(Dtype t,
                      int64_t count);  // bytes that `count` elements take, sub-byte types packed; throws OVERFLOW

}  // namespace tenon
