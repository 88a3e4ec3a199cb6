// base/hash.hpp: content hashes (XXH3, 128 bits). Not for use against an adversary; the cache compares whole keys too.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace tenon::base {

std::string hash_hex(std::string_view bytes);  // 32 hexadecimal digits
uint64_t hash64(std::string_view bytes);       // 64 bits only, for tables in memory

}  // namespace tenon::base
