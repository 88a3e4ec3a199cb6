// kernel/cache/fields.hpp: a sequence of numbers and texts as bytes, each text preceded by its length, so that no field
// can be taken for another.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tenon {

class FieldWriter {
 public:
  void number(uint64_t value) {
    for (int i = 0; i < 8; ++i) out += char(value >> (8 * i));
  }
  void text(std::string_view value) {
    number(value.size());
    out += value;
  }
  void texts(const std::vector<std::string>& list) {
    number(list.size());
    for (const std::string& value : list) text(value);
  }
  std::string out;
};

class FieldReader {
 public:
  explicit FieldReader(std::string_view bytes) : left_(bytes) {}
  bool number(uint64_t& value) {
    if (left_.size() < 8) return false;
    value = 0;
    for (int i = 0; i < 8; ++i) value |= uint64_t(static_cast<unsigned char>(left_[size_t(i)])) << (8 * i);
    left_.remove_prefix(8);
    return true;
  }
  bool text(std::string_view& value) {
    uint64_t size;
    if (!number(size) || size > left_.size()) return false;
    value = left_.substr(0, size);
    left_.remove_prefix(size);
    return true;
  }
  bool text(std::string& value) {
    std::string_view seen;
    if (!text(seen)) return false;
    value = seen;
    return true;
  }
  bool texts(std::vector<std::string>& list) {
    uint64_t count;
    if (!number(count) || count > left_.size() / 8) return false;
    list.resize(count);
    for (std::string& value : list)
      if (!text(value)) return false;
    return true;
  }
  bool empty() const { return left_.empty(); }

 private:
  std::string_view left_;
};

}  // namespace tenon
