// core/sized.hpp: structs that start with their struct_size: the sizes that a caller may pass, and the treatment of
// those that are not this library's own. The facts about each struct are derived from the headers.
#pragma once
#include <tenon/tenon.h>

#include <array>
#include <cstring>
#include <span>
#include <vector>

#include "core/error.hpp"

namespace tenon {

struct SizedFacts {
  const char* name;
  std::span<const uint32_t> sizes;     // its size at each ABI level, the last one being today's
  std::span<const uint32_t> reserved;  // offsets of the reserved fields, each of 4 bytes
};

template <class Struct> struct Sized;
#include "core/generated_structs.inc"

template <class Struct> constexpr SizedFacts sized_facts() {
  static_assert(Sized<Struct>::sizes.back() == sizeof(Struct));
  return {Sized<Struct>::name, Sized<Struct>::sizes, Sized<Struct>::reserved};
}

// Throws INVALID_ARGUMENT for a size that the struct never had. A larger one comes from a newer caller.
void check_struct_size(const SizedFacts& facts, uint32_t size, const char* what);

// Copies the caller's struct over `out`, which holds zeros in today's size. Throws INVALID_ARGUMENT for a wrong size,
// and VERSION if a reserved field, or the unknown part of a newer caller's struct, is not 0.
void read_struct(const SizedFacts& facts, void* out, const void* given, const char* what);

// Fills the caller's struct from `value`, as far as its size reaches; zeros the part that only a newer caller knows.
void write_struct(const SizedFacts& facts, void* out, const void* value, const char* what);

// The options of a call; NULL: the defaults, all zero.
template <class Options> Options options_from(const Options* given, const char* what) {
  Options out{};
  if (given) read_struct(sized_facts<Options>(), &out, given, what);
  out.struct_size = sizeof(Options);
  return out;
}

// Rejects a result struct that cannot be filled, before the work is done.
template <class Info> void check_info(Info* out, const char* what) {
  TENON_REQUIRE(out, TENON_ERROR_INVALID_ARGUMENT, "%s is NULL", what);
  check_struct_size(sized_facts<Info>(), out->struct_size, what);
}
template <class Info> void info_to(Info* out, const Info& value, const char* what) {
  check_info(out, what);
  write_struct(sized_facts<Info>(), out, &value, what);
}

// The elements of an array of structs, whose distance is the size of the struct in the caller's version.
template <class Struct> std::vector<Struct> structs_from(const Struct* list, int32_t count, const char* what) {
  std::vector<Struct> out;
  const uint32_t step = count > 0 ? list->struct_size : 0;
  for (int32_t i = 0; i < count; ++i) {
    const auto* given = reinterpret_cast<const Struct*>(reinterpret_cast<const char*>(list) + size_t(i) * step);
    const std::string name = format("%s[%d]", what, i);
    TENON_REQUIRE(given->struct_size == step, TENON_ERROR_INVALID_ARGUMENT,
                  "%s has struct_size %u, but %s[0] has %u: all must be equal", name.c_str(), given->struct_size, what,
                  step);
    out.push_back(options_from(given, name.c_str()));
  }
  return out;
}

}  // namespace tenon
