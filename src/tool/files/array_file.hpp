// tool/files/array_file.hpp: arrays in files: .npy, .npz, .png.
#pragma once
#include "tool/failure.hpp"

namespace tool {

struct HostArray {
  uint32_t dtype = 0;
  std::vector<int64_t> shape;
  bool fortran_order = false;
  std::string bytes;
};

// "x.npy", "pack.npz:name", "photo.png". A picture is rows and columns; one with colours has planes of these,
// [channels, h, w], as in the package `image`. Its numbers are those of the file, uint8 or uint16, if `wanted` is such
// an integer type, else 0 to 1 in float32. Throws Failure.
HostArray read_array(const std::string& path, uint32_t wanted);
bool names_array_file(const std::string& text);
// Checks the name before anything is computed: can such a file be written?
void check_writable_name(const std::string& path);

struct NamedArray {
  std::string name;
  HostArray array;
};
// One file: .npy and .png store one array, .npz all of them. An existing file is replaced once the new one is complete.
void write_arrays(const std::string& path, const std::vector<NamedArray>& arrays);

// The file formats.
HostArray decode_npy(const std::string& bytes, const std::string& name);
std::string encode_npy(const HostArray& array, const std::string& name);
HostArray read_npz(const std::string& path, const std::string& member);
std::string encode_npz(const std::vector<NamedArray>& arrays, const std::string& name);
HostArray decode_png(const std::string& bytes, const std::string& name);  // uint8, or uint16 if it has 16 bits
std::string encode_png(const HostArray& array, const std::string& name);

std::string shape_text(const std::vector<int64_t>& shape);  // "3 x 4"; "one number"

}  // namespace tool
