// tool/files/array_file.cpp: the file format for a name; images as numbers.
#include "tool/files/array_file.hpp"
#include <algorithm>
#include <cmath>
#include <cstring>

namespace tool {
namespace {

bool floating(uint32_t dtype) {
  return dtype == TENON_FLOAT32 || dtype == TENON_FLOAT64 || dtype == TENON_FLOAT16 || dtype == TENON_BFLOAT16;
}

// Converts each element of a picture, of 8 or 16 bits, with `convert`.
template <class To, class F> HostArray each(const HostArray& picture, uint32_t dtype, F&& convert) {
  const size_t item = picture.dtype == TENON_UINT16 ? 2 : 1, count = picture.bytes.size() / item;
  HostArray out = picture;
  out.dtype = dtype;
  out.bytes.resize(count * sizeof(To));
  for (size_t i = 0; i < count; ++i) {
    uint16_t value = 0;
    std::memcpy(&value, picture.bytes.data() + i * item, item);
    const To made = convert(value);
    std::memcpy(out.bytes.data() + i * sizeof made, &made, sizeof made);
  }
  return out;
}

HostArray as_wanted(const HostArray& picture, uint32_t wanted) {
  const bool wide = picture.dtype == TENON_UINT16;
  if (wanted == 0 || floating(wanted))
    return each<float>(picture, TENON_FLOAT32, [&](uint16_t value) { return float(value) / (wide ? 65535 : 255); });
  if (wanted == TENON_UINT16 && !wide)
    return each<uint16_t>(picture, wanted, [](uint16_t value) { return uint16_t(value * 257); });
  if (wanted == TENON_UINT8 && wide)
    return each<uint8_t>(picture, wanted, [](uint16_t value) { return uint8_t((value * 255u + 32895) >> 16); });
  return picture;
}

// 0 to 1, clamped; NaN becomes black.
HostArray as_bytes(const HostArray& array) {
  if (array.dtype != TENON_FLOAT32) return array;
  HostArray out = array;
  out.dtype = TENON_UINT8;
  out.bytes.resize(array.bytes.size() / sizeof(float));
  for (size_t i = 0; i < out.bytes.size(); ++i) {
    float value;
    std::memcpy(&value, array.bytes.data() + i * sizeof value, sizeof value);
    out.bytes[i] = char(static_cast<unsigned char>(value > 0 ? std::lround(std::min(value, 1.0f) * 255) : 0));
  }
  return out;
}

// "pack.npz:name"
size_t member_of_npz(const std::string& path) {
  const size_t at = path.find(".npz:");
  return at == path.npos ? path.npos : at + 4;
}

}  // namespace

bool names_array_file(const std::string& text) {
  return text.ends_with(".npy") || text.ends_with(".npz") || text.ends_with(".png") || member_of_npz(text) != text.npos;
}

HostArray read_array(const std::string& path, uint32_t wanted) {
  if (const size_t colon = member_of_npz(path); colon != path.npos)
    return read_npz(path.substr(0, colon), path.substr(colon + 1));
  if (path.ends_with(".npz")) return read_npz(path, "");
  const std::string bytes = read_file(path);
  if (path.ends_with(".npy")) return decode_npy(bytes, path);
  return as_wanted(decode_png(bytes, path), wanted);
}

void check_writable_name(const std::string& path) {
  if (!path.ends_with(".npy") && !path.ends_with(".npz") && !path.ends_with(".png"))
    usage("\"" + path + "\" is not a file name for an array: .npy, .npz and .png can be written");
}

void write_arrays(const std::string& path, const std::vector<NamedArray>& arrays) {
  check_writable_name(path);
  if (arrays.size() != 1 && !path.ends_with(".npz"))
    usage(path + " takes one array, and " + std::to_string(arrays.size()) +
          " are to be written there: use .npz for several");
  const std::string bytes = path.ends_with(".npz")   ? encode_npz(arrays, path)
                            : path.ends_with(".npy") ? encode_npy(arrays[0].array, path)
                                                     : encode_png(as_bytes(arrays[0].array), path);
  write_file(path, bytes);
}

}  // namespace tool
