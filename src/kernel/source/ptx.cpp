// kernel/source/ptx.cpp: a reader of one line of PTX: `.global .align 8 .b8 tenon_signature_0[48] = {84, 69, 78};`,
// where what is omitted at the end is zero.
#include "kernel/source/ptx.hpp"
#include <cctype>
#include <cstdint>

namespace tenon {
namespace {

constexpr uint64_t kLargest = 1u << 20;

void skip_blank_at(std::string_view text, size_t& at) {
  while (at < text.size() && std::isspace(static_cast<unsigned char>(text[at]))) ++at;
}

bool take(std::string_view text, size_t& at, char c) {
  skip_blank_at(text, at);
  if (at >= text.size() || text[at] != c) return false;
  ++at;
  return true;
}

bool number(std::string_view text, size_t& at, uint64_t& value) {
  skip_blank_at(text, at);
  const size_t start = at;
  value = 0;
  for (; at < text.size() && std::isdigit(static_cast<unsigned char>(text[at])); ++at) {
    value = value * 10 + uint64_t(text[at] - '0');
    if (value > kLargest) return false;
  }
  return at > start;
}

// The bytes after the name at `at`, if it is a definition.
bool definition(std::string_view ptx, size_t at, std::string& out) {
  uint64_t size = 0, value = 0;
  if (!take(ptx, at, '[') || !number(ptx, at, size) || !take(ptx, at, ']') || !take(ptx, at, '=') ||
      !take(ptx, at, '{'))
    return false;
  std::string bytes;
  do {
    if (!number(ptx, at, value) || value > 255 || bytes.size() >= size) return false;
    bytes += char(value);
  } while (take(ptx, at, ','));
  if (!take(ptx, at, '}')) return false;
  bytes.resize(size, '\0');
  out = std::move(bytes);
  return true;
}

}  // namespace

std::string ptx_symbol(std::string_view ptx, std::string_view name) {
  const std::string wanted = ".b8 " + std::string(name);
  std::string out;
  for (size_t at = 0; (at = ptx.find(wanted, at)) != std::string_view::npos; at += wanted.size())
    if (definition(ptx, at + wanted.size(), out)) return out;
  return {};
}

}  // namespace tenon
