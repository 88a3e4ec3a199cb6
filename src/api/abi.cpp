// api/abi.cpp: blobs, version, build information.
#include "api/guard.hpp"
#include "build_config.hpp"

using namespace tenon;
using namespace tenon::api;

int32_t tenon_blob_data(const tenon_blob* blob, const void** out_data, uint64_t* out_size) {
  return guard([&] {
    const Blob& self = get(blob, "blob");
    need(out_data, "out_data");
    need(out_size, "out_size");
    *out_data = self.bytes.c_str();
    *out_size = self.bytes.size();
  });
}
int32_t tenon_blob_retain(const tenon_blob* blob) { return retain(blob); }
void tenon_blob_release(tenon_blob* blob) { release(blob); }

uint32_t tenon_version(void) {
  static_assert(TENON_ABI_LEVEL == TENON_PACK_VERSION(TENON_VERSION_MAJOR, TENON_VERSION_MINOR, 0));
  return TENON_PACK_VERSION(TENON_VERSION_MAJOR, TENON_VERSION_MINOR, TENON_VERSION_PATCH);
}

#define TEXT(x) TEXT_(x)
#define TEXT_(x) #x
const char* tenon_build_info(void) {
  return "{\"version\": \"" TEXT(TENON_VERSION_MAJOR) "." TEXT(TENON_VERSION_MINOR) "." TEXT(
      TENON_VERSION_PATCH) "\", \"compiler\": \"" __VERSION__ "\", \"backends\": " TENON_BUILD_BACKENDS
                           ", \"options\": " TENON_BUILD_OPTIONS "}";
}
