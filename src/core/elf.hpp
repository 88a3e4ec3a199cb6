// core/elf.hpp: finding a symbol's bytes in an ELF64 image (cubin, shared object) without trusting it.
#pragma once
#include <string_view>

namespace tenon {

// The bytes of the data symbol `name` inside the image: as many as its size says. Empty when there is no such symbol or
// it has no bytes in the file. Throws INVALID_ARGUMENT, saying what is wrong, for an image that is no sound ELF64 file.
std::string_view elf_symbol(std::string_view image, std::string_view name);

// Whether the image begins as an ELF64 file and ends before what its headers say is to be loaded: to map such a file is
// to die of SIGBUS.
bool elf_cut_off(std::string_view image);

}  // namespace tenon
