// core/elf.hpp: finding a symbol's bytes in an ELF64 image (cubin, shared object) without trusting it.
#pragma once
#include <string_view>

namespace tenon {

// The bytes of the data symbol `name` in the image, as many as its size states. Empty if there is no such symbol or it
// has no bytes in the file. Throws INVALID_ARGUMENT, with the reason, if the image is not a sound ELF64 file.
std::string_view elf_symbol(std::string_view image, std::string_view name);

// Whether the image begins like an ELF64 file but ends before the last byte that its headers load: mapping such a file
// would end in SIGBUS.
bool elf_cut_off(std::string_view image);

}  // namespace tenon
