// backend/cpu/compile/compiler/object.hpp: the symbols, sections and relocations of an object file.
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

// The symbols of an object file or shared object; empty if it is not an ELF file.
std::vector<ObjectSymbol> object_symbols(std::string_view file);

// The thread-local memory of a shared object per thread; 0 bytes: none.
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
  std::string_view bytes;  // in the file
  bool thread_local_data = false;
  bool writable = false;  // also if the loader writes it: constants that contain addresses
  std::vector<ObjectRelocation> relocations;
};

// The sections, symbols and relocations of an object file; empty if it is not a relocatable ELF file.
struct ObjectFile {
  std::vector<ObjectSection> sections;
  std::vector<ObjectSymbol> symbols;
};
ObjectFile object_file(std::string_view file);

// The object file with kTlsMargin unused bytes after each of its thread-local variables.
constexpr uint64_t kTlsMargin = 64;
std::string with_margins(std::string object);

}  // namespace tenon::cpu
