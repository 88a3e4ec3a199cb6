// tool/files/npy.cpp: NumPy's .npy format, versions 1 to 3, of plain dtypes in this machine's byte order.
#include <bit>
#include <cstring>
#include "tool/files/array_file.hpp"

namespace tool {
namespace {

static_assert(std::endian::native == std::endian::little);

struct Code {
  const char* text;
  uint32_t dtype;
};
constexpr Code kCodes[] = {
    {"b1", TENON_BOOL},      {"i1", TENON_INT8},        {"i2", TENON_INT16},   {"i4", TENON_INT32},
    {"i8", TENON_INT64},     {"u1", TENON_UINT8},       {"u2", TENON_UINT16},  {"u4", TENON_UINT32},
    {"u8", TENON_UINT64},    {"f2", TENON_FLOAT16},     {"f4", TENON_FLOAT32}, {"f8", TENON_FLOAT64},
    {"c8", TENON_COMPLEX64}, {"c16", TENON_COMPLEX128},
};

[[noreturn]] void damaged(const std::string& name, const char* why) {
  throw Failure(kFailed, name + " cannot be read as a .npy file: " + why);
}

// The text after 'key': in the header, which is a Python dictionary.
std::string value_of(const std::string& header, const char* key, const std::string& name) {
  const size_t at = header.find(std::string("'") + key + "'");
  const size_t colon = at == header.npos ? at : header.find(':', at);
  if (colon == header.npos) damaged(name, "its header lacks a key");
  const size_t begin = header.find_first_not_of(' ', colon + 1);
  return begin == header.npos ? "" : header.substr(begin);
}

uint32_t dtype_of(const std::string& descr, const std::string& name) {
  const size_t end = descr.size() > 1 && descr[0] == '\'' ? descr.find('\'', 1) : descr.npos;
  if (end == descr.npos) damaged(name, "its elements are records");
  const std::string code = descr.substr(1, end - 1);
  if (code[0] == '>')
    damaged(name, "its numbers are big-endian: save it as array.astype(array.dtype.newbyteorder('<'))");
  for (const Code& one : kCodes)
    if (code.size() > 1 && code.substr(1) == one.text) return one.dtype;
  throw Failure(kFailed, name + " has elements of NumPy's type " + code + ", which kernels do not support");
}

std::vector<int64_t> shape_of(const std::string& text, const std::string& name) {
  std::vector<int64_t> out;
  if (text.empty() || text[0] != '(') damaged(name, "its shape is not a tuple");
  for (size_t at = 1; at < text.size() && text[at] != ')';) {
    int64_t extent = 0;
    size_t digits = 0;
    for (; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at, ++digits)
      if (__builtin_mul_overflow(extent, int64_t(10), &extent) ||
          __builtin_add_overflow(extent, text[at] - '0', &extent))
        damaged(name, "its shape is too large");
    if (!digits || out.size() == TENON_MAX_RANK) damaged(name, "its shape is not a list of numbers");
    out.push_back(extent);
    while (at < text.size() && (text[at] == ',' || text[at] == ' ' || text[at] == 'L')) ++at;
  }
  return out;
}

}  // namespace

HostArray decode_npy(const std::string& bytes, const std::string& name) {
  if (bytes.size() < 10 || bytes.compare(0, 6, "\x93NUMPY") != 0) damaged(name, "it does not begin like one");
  const auto byte = [&](size_t at) { return size_t(static_cast<unsigned char>(bytes[at])); };
  const bool wide = byte(6) >= 2;
  if (byte(6) < 1 || byte(6) > 3 || (wide && bytes.size() < 12)) damaged(name, "it is of an unknown version");
  const size_t start = wide ? 12 : 10;
  const size_t length = wide ? byte(8) | byte(9) << 8 | byte(10) << 16 | byte(11) << 24 : byte(8) | byte(9) << 8;
  if (length > bytes.size() - start) damaged(name, "its header is truncated");
  const std::string header = bytes.substr(start, length);
  HostArray out;
  out.dtype = dtype_of(value_of(header, "descr", name), name);
  out.fortran_order = value_of(header, "fortran_order", name).starts_with("True");
  out.shape = shape_of(value_of(header, "shape", name), name);
  uint32_t bits = 0;
  check(tenon_dtype_bits(out.dtype, &bits));
  uint64_t size = bits / 8;
  for (const int64_t extent : out.shape)
    if (__builtin_mul_overflow(size, uint64_t(extent), &size)) damaged(name, "its shape is too large");
  if (size != bytes.size() - start - length) damaged(name, "its size does not match its shape");
  out.bytes = bytes.substr(start + length);
  if (out.dtype == TENON_BOOL && out.bytes.find_first_not_of(std::string("\0\1", 2)) != out.bytes.npos)
    damaged(name, "it holds a bool that is neither 0 nor 1");
  return out;
}

std::string encode_npy(const HostArray& array, const std::string& name) {
  const char* code = nullptr;
  for (const Code& one : kCodes)
    if (one.dtype == array.dtype) code = one.text;
  if (!code) throw Failure(kFailed, name + " cannot be written: NumPy has no type " + tenon_dtype_name(array.dtype));
  std::string shape;
  for (const int64_t extent : array.shape) shape += std::to_string(extent) + ", ";
  if (array.shape.size() > 1) shape.resize(shape.size() - 2);
  std::string header = format("{'descr': '%c%s', 'fortran_order': %s, 'shape': (%s), }",
                              std::string(code).ends_with("1") && code[0] != 'c' ? '|' : '<', code,
                              array.fortran_order ? "True" : "False", shape.c_str());
  while ((10 + header.size() + 1) % 64) header += ' ';
  header += '\n';
  std::string out("\x93NUMPY\x01\x00", 8);
  out += char(header.size() & 0xff);
  out += char(header.size() >> 8);
  return out + header + array.bytes;
}

std::string shape_text(const std::vector<int64_t>& shape) {
  std::string out;
  for (const int64_t extent : shape) out += (out.empty() ? "" : " x ") + std::to_string(extent);
  return out.empty() ? "one number" : out;
}

}  // namespace tool
