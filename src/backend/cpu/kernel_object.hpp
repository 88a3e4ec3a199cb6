// backend/cpu/kernel_object.hpp: what an object file says about itself.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tenon::cpu {

struct ObjectSymbol {
  std::string name;
  bool defined;
  bool thread_local_data;
  bool weak;
  bool local;
  uint64_t value;
  uint64_t size;
};

// The symbols of an object file or shared object; empty when it is no ELF file.
std::vector<ObjectSymbol> object_symbols(std::string_view file);

}  // namespace tenon::cpu
