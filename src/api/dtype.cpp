// api/dtype.cpp: dtype names and sizes.
#include "api/guard.hpp"
#include "core/device/watch.hpp"

using namespace tenon;
using namespace tenon::api;

const char* tenon_dtype_name(uint32_t dtype) {
  if (const char* name = dtype_static_name(dtype)) return name;
  if (!dtype_valid(dtype)) return "invalid";
  try {
    return kept_name(dtype_name(dtype));
  } catch (...) {
    return "out of memory";
  }
}

int32_t tenon_dtype_bits(uint32_t dtype, uint32_t* out_bits) {
  return guard([&] {
    need(out_bits, "out_bits");
    TENON_REQUIRE(dtype_valid(dtype), TENON_ERROR_DTYPE, "0x%08x is not a dtype", dtype);
    *out_bits = dtype_bits(dtype);
  });
}
