// api/table.cpp: the function table. Its rows come from the headers; see abi/generate.py.
#include "api/guard.hpp"

static const tenon_api table = {
    .struct_size = sizeof(tenon_api),
    .abi_level = TENON_ABI_LEVEL,
#include "api/generated_table.inc"
};

// Minor levels only append rows, so one table serves every caller of this major version.
extern "C" const tenon_api* tenon_get_api(uint32_t level) {
  const int32_t status = tenon::api::guard([&] {
    TENON_REQUIRE(
        level >> 16 == TENON_VERSION_MAJOR, TENON_ERROR_VERSION,
        "the caller was compiled for level %u.%u of Tenon, and this library has the levels 1.0 to %u.%u: install the "
        "libtenon of that major version",
        level >> 16, level >> 8 & 0xff, TENON_VERSION_MAJOR, TENON_VERSION_MINOR);
  });
  return status == TENON_OK ? &table : nullptr;
}
