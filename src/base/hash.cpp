// base/hash.cpp: XXH3 with 128 bits, compiled in from its header.
#include "base/hash.hpp"
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace tenon::base {

std::string hash_hex(std::string_view bytes) {
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, XXH3_128bits(bytes.data(), bytes.size()));
  static const char digits[] = "0123456789abcdef";
  std::string hex(32, '0');
  for (size_t i = 0; i < 16; ++i) {
    hex[2 * i] = digits[canonical.digest[i] >> 4];
    hex[2 * i + 1] = digits[canonical.digest[i] & 15];
  }
  return hex;
}

uint64_t hash64(std::string_view bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

}  // namespace tenon::base
