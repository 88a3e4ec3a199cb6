// core/sized.cpp: the checks of struct_size.
#include "core/sized.hpp"

#include <algorithm>

namespace tenon {
namespace {

constexpr uint32_t kLargest = 4096;  // no struct of any version will be larger, so garbage is not taken for a size

uint32_t number_at(const void* data, uint32_t offset) {
  uint32_t value;
  std::memcpy(&value, static_cast<const char*>(data) + offset, sizeof value);
  return value;
}

std::string listed(std::span<const uint32_t> sizes) {
  std::string out;
  for (const uint32_t size : sizes) out += (out.empty() ? "" : " or ") + std::to_string(size);
  return out;
}

}  // namespace

void check_struct_size(const SizedFacts& facts, uint32_t size, const char* what) {
  const uint32_t now = facts.sizes.back();
  if (size == now || std::find(facts.sizes.begin(), facts.sizes.end(), size) != facts.sizes.end()) return;
  if (size > now && size <= kLargest && size % sizeof(uint32_t) == 0) return;
  const char* hint = size == 0               ? "set it to sizeof the struct"
                     : size == sizeof(void*) ? "is it the sizeof of a pointer?"
                                             : "set it to sizeof the struct, not of another one";
  fail(TENON_ERROR_INVALID_ARGUMENT, "%s has struct_size %u, but a %s has %s bytes: %s", what, size, facts.name,
       listed(facts.sizes).c_str(), hint);
}

void read_struct(const SizedFacts& facts, void* out, const void* given, const char* what) {
  const uint32_t size = number_at(given, 0), now = facts.sizes.back();
  check_struct_size(facts, size, what);
  const auto* bytes = static_cast<const unsigned char*>(given);
  for (uint32_t i = now; i < size; ++i)
    TENON_REQUIRE(bytes[i] == 0, TENON_ERROR_VERSION,
                  "%s is a %s of a newer version that uses a field unknown to this library: the field must be zero",
                  what, facts.name);
  for (const uint32_t offset : facts.reserved)
    TENON_REQUIRE(offset >= size || number_at(given, offset) == 0, TENON_ERROR_VERSION,
                  "%s is a %s whose reserved field at byte %u is %u: it must be 0", what, facts.name, offset,
                  number_at(given, offset));
  std::memcpy(out, given, std::min(size, now));
}

void write_struct(const SizedFacts& facts, void* out, const void* value, const char* what) {
  const uint32_t size = number_at(out, 0), now = facts.sizes.back();
  check_struct_size(facts, size, what);
  auto* bytes = static_cast<char*>(out);
  std::memcpy(bytes, value, std::min(size, now));
  if (size > now) std::memset(bytes + now, 0, size - now);
  std::memcpy(bytes, &size, sizeof size);
}

}  // namespace tenon
