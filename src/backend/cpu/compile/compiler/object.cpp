// backend/cpu/compile/compiler/object.cpp: the symbol table of an ELF file.
#include "backend/cpu/compile/compiler/object.hpp"
#include <elf.h>
#include <cstring>

namespace tenon::cpu {
namespace {

// Copies a T from `offset`; false if it does not lie inside the file.
template <class T> bool read(std::string_view file, uint64_t offset, T& out) {
  if (offset > file.size() || file.size() - offset < sizeof(T)) return false;
  std::memcpy(&out, file.data() + offset, sizeof(T));
  return true;
}

}  // namespace

std::vector<ObjectSymbol> object_symbols(std::string_view file) {
  std::vector<ObjectSymbol> out;
  Elf64_Ehdr header;
  if (!read(file, 0, header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
      header.e_ident[EI_CLASS] != ELFCLASS64)
    return out;
  for (unsigned i = 0; i < header.e_shnum; ++i) {
    Elf64_Shdr table, names;
    if (!read(file, header.e_shoff + uint64_t(i) * header.e_shentsize, table) || table.sh_type != SHT_SYMTAB) continue;
    if (!read(file, header.e_shoff + uint64_t(table.sh_link) * header.e_shentsize, names)) continue;
    for (uint64_t at = 0; at + sizeof(Elf64_Sym) <= table.sh_size; at += sizeof(Elf64_Sym)) {
      Elf64_Sym symbol;
      if (!read(file, table.sh_offset + at, symbol)) continue;
      const uint64_t text = names.sh_offset + symbol.st_name;
      if (text >= file.size()) continue;
      std::string_view rest = file.substr(text);
      out.push_back({std::string(rest.substr(0, rest.find('\0'))), symbol.st_shndx != SHN_UNDEF,
                     ELF64_ST_TYPE(symbol.st_info) == STT_TLS, ELF64_ST_BIND(symbol.st_info) == STB_WEAK,
                     ELF64_ST_BIND(symbol.st_info) == STB_LOCAL, symbol.st_value, symbol.st_size, symbol.st_shndx});
    }
  }
  return out;
}

ObjectTls object_tls(std::string_view file) {
  Elf64_Ehdr header;
  if (!read(file, 0, header)) return {};
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr segment;
    if (read(file, header.e_phoff + uint64_t(i) * header.e_phentsize, segment) && segment.p_type == PT_TLS)
      return {segment.p_memsz, segment.p_align};
  }
  return {};
}

ObjectFile object_file(std::string_view file) {
  ObjectFile out;
  Elf64_Ehdr header;
  if (!read(file, 0, header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
      header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_type != ET_REL)
    return out;
  out.sections.resize(header.e_shnum);
  out.symbols = object_symbols(file);
  for (unsigned i = 0; i < header.e_shnum; ++i) {
    Elf64_Shdr section;
    if (!read(file, header.e_shoff + uint64_t(i) * header.e_shentsize, section)) return {};
    out.sections[i].thread_local_data = section.sh_flags & SHF_TLS;
    out.sections[i].writable = section.sh_flags & SHF_WRITE;
    if (section.sh_type != SHT_NOBITS && section.sh_offset <= file.size())
      out.sections[i].bytes = file.substr(section.sh_offset, section.sh_size);
    if (section.sh_type != SHT_RELA || section.sh_info >= header.e_shnum) continue;
    for (uint64_t at = 0; at + sizeof(Elf64_Rela) <= section.sh_size; at += sizeof(Elf64_Rela)) {
      Elf64_Rela row;
      if (!read(file, section.sh_offset + at, row) || ELF64_R_SYM(row.r_info) >= out.symbols.size()) return {};
      out.sections[section.sh_info].relocations.push_back(
          {row.r_offset, uint32_t(ELF64_R_TYPE(row.r_info)), uint32_t(ELF64_R_SYM(row.r_info)), row.r_addend});
    }
  }
  return out;
}

std::string with_margins(std::string object) {
  Elf64_Ehdr header;
  if (object.size() < sizeof header) return object;
  std::memcpy(&header, object.data(), sizeof header);
  for (unsigned i = 0; i < header.e_shnum; ++i) {
    const uint64_t at = header.e_shoff + uint64_t(i) * header.e_shentsize;
    Elf64_Shdr section;
    if (at > object.size() || object.size() - at < sizeof section) break;
    std::memcpy(&section, object.data() + at, sizeof section);
    if (!(section.sh_flags & SHF_TLS) || section.sh_type != SHT_NOBITS || section.sh_size == 0) continue;
    section.sh_size += kTlsMargin;
    std::memcpy(object.data() + at, &section, sizeof section);
  }
  return object;
}

}  // namespace tenon::cpu
