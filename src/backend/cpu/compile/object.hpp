// backend/cpu/compile/object.hpp: what an object file says about itself.
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
  uint32_t section = 0;
};

// The symbols of an object file or shared object; empty when it is no ELF file.
std::vector<ObjectSymbol> object_symbols(std::string_view file);

// The thread-local memory that a shared object has on each thread; none: 0 bytes.
struct ObjectTls {
  uint64_t bytes = 0, alignment = 0;
};
ObjectTls object_tls(std::string_view file);

struct ObjectRelocation {
  uint64_t offset;  // in its section
  uint32_t type;
  uint32_t symbol;  // index in ObjectFile::symbols
  int64_t addend;
};
struct ObjectSection {
  std::string_view bytes;  // of the file
  bool thread_local_data = false;
  bool writable = false;  // by the loader too: constants with addresses in them
  std::vector<ObjectRelocation> relocations;
};

// All of an object file that tells what refers to what; empty when it is not a relocatable ELF file.
struct ObjectFile {
  std::vector<ObjectSection> sections;
  std::vector<ObjectSymbol> symbols;
};
ObjectFile object_file(std::string_view file);

// The object file with kTlsMargin bytes behind each of its thread-local variables, which nothing lies in.
constexpr uint64_t kTlsMargin = 64;
std::string with_margins(std::string object);

}  // namespace tenon::cpu
