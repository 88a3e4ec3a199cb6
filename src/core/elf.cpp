// core/elf.cpp: a bounds-checked reader of ELF64 symbols. Every offset and size is treated as hostile.
#include "core/elf.hpp"
#include <cstdint>
#include <cstring>
#include "core/error.hpp"

namespace tenon {
namespace {

constexpr uint32_t kSymbolTable = 2, kNoBits = 8, kDynamicSymbols = 11;
constexpr uint16_t kFirstReserved = 0xff00;

[[noreturn]] void broken(const char* what) {
  fail(TENON_ERROR_INVALID_ARGUMENT, "the image is not a valid ELF file: %s", what);
}

struct Section {
  uint32_t type, link;
  uint64_t address, offset, size, entry_size;
};

class Reader {
 public:
  explicit Reader(std::string_view image) : image_(image) {
    if (image.size() < 64 || std::memcmp(image.data(), "\177ELF", 4) != 0)
      broken("it does not start with an ELF header");
    if (image[4] != 2 || image[5] != 1) broken("it is not 64-bit little-endian");
    table_ = get<uint64_t>(40);
    count_ = get<uint16_t>(60);
    if (count_ == 0) return;
    if (get<uint16_t>(58) != 64) broken("its section headers have an unknown size");
    if (table_ > image.size() || count_ * uint64_t(64) > image.size() - table_)
      broken("its section table lies outside the file");
  }

  uint64_t count() const { return count_; }
  Section section(uint64_t index) const {
    const uint64_t at = table_ + index * 64;
    return {get<uint32_t>(at + 4),  get<uint32_t>(at + 40), get<uint64_t>(at + 16),
            get<uint64_t>(at + 24), get<uint64_t>(at + 32), get<uint64_t>(at + 56)};
  }
  std::string_view bytes(const Section& section) const {
    if (section.offset > image_.size() || section.size > image_.size() - section.offset)
      broken("a section lies outside the file");
    return image_.substr(section.offset, section.size);
  }

  template <class T> T get(uint64_t at) const {
    if (at > image_.size() || sizeof(T) > image_.size() - at) broken("a field lies outside the file");
    T value;
    std::memcpy(&value, image_.data() + at, sizeof value);
    return value;
  }

 private:
  std::string_view image_;
  uint64_t table_ = 0, count_ = 0;
};

// Is the NUL-terminated string at `at` in the table equal to `name`?
bool name_is(std::string_view table, uint64_t at, std::string_view name) {
  return at < table.size() && name.size() < table.size() - at && table.compare(at, name.size(), name) == 0 &&
         table[at + name.size()] == '\0';
}

std::string_view data_of(const Reader& elf, uint64_t section_index, uint64_t value, uint64_t size) {
  if (section_index == 0 || section_index >= kFirstReserved) return {};
  if (section_index >= elf.count()) broken("a symbol names a section that does not exist");
  const Section section = elf.section(section_index);
  if (section.type == kNoBits) return {};
  const std::string_view bytes = elf.bytes(section);
  // In a shared object the value is an address; in a cubin sections have address 0 and it is an offset.
  if (value < section.address) broken("a symbol lies before its section");
  const uint64_t at = value - section.address;
  if (at > bytes.size() || size > bytes.size() - at) broken("a symbol lies outside its section");
  return bytes.substr(at, size);
}

}  // namespace

bool elf_cut_off(std::string_view image) {
  if (!image.starts_with("\177ELF")) return false;
  const auto outside = [&](uint64_t at, uint64_t size) { return at > image.size() || size > image.size() - at; };
  const auto get = [&]<class T>(T value, uint64_t at) {
    std::memcpy(&value, image.data() + at, sizeof value);
    return value;
  };
  if (outside(0, 64)) return true;
  const uint64_t table = get(uint64_t{}, 32), size = get(uint16_t{}, 54), count = get(uint16_t{}, 56);
  if (size != 56) return false;  // not ELF64: the loader reports that
  if (outside(table, size * count)) return true;
  // In most files the section table comes last, after everything that is loaded.
  if (outside(get(uint64_t{}, 40), uint64_t(get(uint16_t{}, 58)) * get(uint16_t{}, 60))) return true;
  for (uint64_t i = 0; i < count; ++i)
    if (const uint64_t at = table + i * size; outside(get(uint64_t{}, at + 8), get(uint64_t{}, at + 32))) return true;
  return false;
}

std::string_view elf_symbol(std::string_view image, std::string_view name) {
  const Reader elf(image);
  for (uint64_t i = 0; i < elf.count(); ++i) {
    const Section table = elf.section(i);
    if (table.type != kSymbolTable && table.type != kDynamicSymbols) continue;
    if (table.entry_size != 24) broken("its symbols have an unknown size");
    if (table.link >= elf.count()) broken("a symbol table has no string table");
    const std::string_view names = elf.bytes(elf.section(table.link));
    const uint64_t symbols = elf.bytes(table).size() / 24;
    for (uint64_t s = 0; s < symbols; ++s) {
      const uint64_t at = table.offset + s * 24;
      if (!name_is(names, elf.get<uint32_t>(at), name)) continue;
      const std::string_view data =
          data_of(elf, elf.get<uint16_t>(at + 6), elf.get<uint64_t>(at + 8), elf.get<uint64_t>(at + 16));
      if (!data.empty()) return data;
    }
  }
  return {};
}

}  // namespace tenon
