// base/sha256.hpp: SHA-256 (FIPS 180-4), for data that an adversary may have changed. The cache uses the faster hashes
// of base/hash.hpp.
#pragma once
#include <string>
#include <string_view>

namespace tenon::base {

std::string sha256_hex(std::string_view bytes);  // 64 hexadecimal digits, lower case

}  // namespace tenon::base
