// base/json.hpp: JSON values that a failing allocation leaves whole.
//
// nlohmann::json ends the process in that case: its destructor allocates, and operator[] changes the type of a value
// before it has memory for it. This class has the part of the same interface that the library needs, and uses
// nlohmann's parser, which is safe.
#pragma once
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace tenon::base {

class Json {
 public:
  Json() = default;
  Json(std::nullptr_t) {}
  template <class T>
    requires std::is_arithmetic_v<T>
  Json(T value) {
    if constexpr (std::is_same_v<T, bool>) kind_ = Kind::boolean, integer_ = value;
    else if constexpr (std::is_floating_point_v<T>) kind_ = Kind::real, real_ = double(value);
    else kind_ = std::is_signed_v<T> ? Kind::integer : Kind::natural, integer_ = int64_t(value);
  }
  Json(const char* text) : kind_(Kind::text), text_(text) {}
  Json(std::string_view text) : kind_(Kind::text), text_(text) {}
  Json(std::string text) : kind_(Kind::text), text_(std::move(text)) {}
  template <class T> Json(const std::vector<T>& list) : kind_(Kind::array), items_(list.begin(), list.end()) {}
  // {{"a", 1}, {"b", 2}} is an object; any other list is an array.
  Json(std::initializer_list<Json> list);

  static Json array() { return Json(Kind::array); }
  static Json object() { return Json(Kind::object); }

  bool is_object() const { return kind_ == Kind::object; }
  bool is_array() const { return kind_ == Kind::array; }
  bool empty() const { return items_.empty(); }
  size_t size() const { return items_.size(); }

  // Iterates over the elements of an array or the values of an object.
  const Json* begin() const { return items_.data(); }
  const Json* end() const { return items_.data() + items_.size(); }

  Json& back() { return items_.back(); }

  // Turns a null value into an array or an object; throws std::runtime_error for other kinds.
  void push_back(Json item);
  Json& emplace_back();
  Json& operator[](std::string_view key);
  const Json& at(std::string_view key) const;    // throws std::runtime_error if there is none
  const Json* find(std::string_view key) const;  // end(): not found
  bool contains(std::string_view key) const { return find(key) != end(); }
  template <class T> T value(std::string_view key, T otherwise) const {
    const Json* found = find(key);
    return found == end() ? std::move(otherwise) : found->get<T>();
  }
  std::string value(std::string_view key, const char* otherwise) const { return value(key, std::string(otherwise)); }

  // Throws std::runtime_error if the value is of another kind.
  template <class T> T get() const {
    if constexpr (std::is_same_v<T, Json>) return *this;
    else if constexpr (std::is_same_v<T, bool>) return expect(Kind::boolean), integer_ != 0;
    else if constexpr (std::is_same_v<T, std::string>) return expect(Kind::text), text_;
    else if constexpr (std::is_arithmetic_v<T>) return number<T>();
    else {
      expect(Kind::array);
      T out;
      for (const Json& item : items_) out.push_back(item.get<typename T::value_type>());
      return out;
    }
  }

  // indent < 0: on one line. Bytes that are not UTF-8 are written as U+FFFD, and numbers that are not finite as null.
  std::string dump(int indent = -1) const;

  // Returns null for text that is not JSON, or that is nested more than a hundred levels deep.
  static Json parse(std::string_view text);

 private:
  enum class Kind : uint8_t { null, boolean, integer, natural, real, text, array, object };
  friend struct JsonBuilder;

  explicit Json(Kind kind) : kind_(kind) {}
  void expect(Kind kind) const {
    if (kind_ != kind) throw std::runtime_error("a JSON value has the wrong kind");
  }
  template <class T> T number() const {
    if (kind_ == Kind::integer) return T(integer_);
    if (kind_ == Kind::natural) return T(uint64_t(integer_));
    expect(Kind::real);
    return T(real_);
  }
  void write(std::string& out, int indent, int level) const;

  Kind kind_ = Kind::null;
  int64_t integer_ = 0;
  double real_ = 0;
  std::string text_;
  std::vector<std::string> keys_;  // of an object, one per element of items_
  std::vector<Json> items_;
};

}  // namespace tenon::base
