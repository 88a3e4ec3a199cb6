// kernel/key.hpp: the key of a program: everything that decides what its image is.
#pragma once
#include "kernel/includes.hpp"

namespace tenon {

// Canonical: equal keys mean equal images. Binary; entries of the cache hold it whole and are compared with it.
std::string program_key(Device& device, const CompileRequest& request, IncludeScanner& scanner);

// A program as one sequence of bytes for a file: header, checksum over everything, the key, the image.
std::string encode_entry(const std::string& key, const Image& image);
// False unless `bytes` is a whole and undamaged entry of this very key. `other_key` says that it is sound but another's.
bool decode_entry(std::string_view bytes, const std::string& key, Image& image, bool* other_key = nullptr);

}  // namespace tenon
