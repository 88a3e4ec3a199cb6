// plugin/expression/document.hpp: a TOML text as a tree in which every value has its place, so that each fault can name
// line and column.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tenon::plugin {

// Line and column count from 1; columns count characters, not bytes.
struct Place {
  uint32_t line = 0, column = 0;
};

// A text with a name: "image/plugin.toml".
struct Source {
  std::string name;
  std::string text;
};

struct Value {
  enum class Kind { text, integer, real, boolean, list, table, other };
  Value();
  Value(const Value&);
  Value(Value&&) noexcept;
  Value& operator=(const Value&);
  Value& operator=(Value&&) noexcept;
  ~Value();
  Kind kind = Kind::other;
  Place place;
  size_t offset = SIZE_MAX;  // in bytes of the source; SIZE_MAX: not in the source
  std::string text;
  int64_t integer = 0;
  double real = 0;
  bool boolean = false;
  std::vector<Value> items;                            // of a list
  std::vector<std::pair<std::string, Value>> entries;  // of a table, in the order of the file
  std::vector<Place> keys;                             // of the entries
};
const char* kind_name(Value::Kind kind);

// Throws INVALID_ARGUMENT "FILE:LINE:COLUMN: text".
[[noreturn]] void fault(const Source& source, Place place, const char* text, ...) __attribute__((format(printf, 3, 4)));

// Parses; text that is not TOML is a fault.
Value parse_document(const Source& source);

// Maps characters of a string value to places in the file.
class TextPlaces {
 public:
  TextPlaces(const Source& source, const Value& value);
  // The place of byte `offset` of the decoded text. Fast if offsets are requested in ascending order.
  Place at(size_t offset);

 private:
  void restart();
  void step();
  const Source& source_;
  const Value& value_;
  char quote_ = 0;  // 0: the characters are not in the file
  bool multi_ = false;
  size_t byte_ = 0, seen_ = 0;
  Place place_;
};

// Reads a table: each key once; finish() rejects keys that were not read.
class Table {
 public:
  // `what` names it in messages: "the operation blur".
  Table(const Source& source, const Value& value, std::string what);
  const Value* find(const char* key);
  const Value& need(const char* key, const char* example);
  // Typed access; returns the fallback if the key is missing. A value of another kind is a fault that names the key.
  std::string text(const char* key, const std::string& fallback = "");
  bool boolean(const char* key, bool fallback);
  int64_t integer(const char* key, int64_t fallback, int64_t low, int64_t high);
  double real(const char* key, double fallback);
  std::vector<const Value*> list(const char* key, Value::Kind of);  // a single value counts as a list of one
  const Value* table(const char* key);
  void finish() const;  // throws for the first key that was not read, and names the known ones
  Place place() const { return value_.place; }

 private:
  const Value* typed(const char* key, Value::Kind kind);
  const Source& source_;
  const Value& value_;
  std::string what_;
  std::vector<std::string> known_;
};

}  // namespace tenon::plugin
