// base/json.cpp: writing JSON, and reading it with nlohmann's parser.
#include "base/json.hpp"
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

namespace tenon::base {
namespace {

constexpr size_t kDeepest = 100;

// Bytes of the UTF-8 character at the start of the text; 0: not valid UTF-8.
size_t character(std::string_view text) {
  const auto byte = [&](size_t i) { return i < text.size() ? uint8_t(text[i]) : 0u; };
  const auto more = [&](size_t i) { return (byte(i) & 0xc0) == 0x80; };
  const unsigned first = byte(0), second = byte(1);
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first < 0xe0) return more(1) ? 2 : 0;
  if (first < 0xf0) {
    const bool surrogate = first == 0xed && second >= 0xa0, overlong = first == 0xe0 && second < 0xa0;
    return first >= 0xe0 && more(1) && more(2) && !surrogate && !overlong ? 3 : 0;
  }
  const bool beyond = first > 0xf4 || (first == 0xf4 && second >= 0x90), overlong = first == 0xf0 && second < 0x90;
  return more(1) && more(2) && more(3) && !beyond && !overlong ? 4 : 0;
}

void write_text(std::string& out, std::string_view text) {
  static constexpr char kDigits[] = "0123456789abcdef";
  out += '"';
  while (!text.empty()) {
    const char c = text[0];
    const size_t bytes = character(text);
    if (bytes == 0) {
      out += "\xef\xbf\xbd";
    } else if (c == '"' || c == '\\') {
      (out += '\\') += c;
    } else if (const char* escape = std::strchr("\bb\ff\nn\rr\tt", c); c && escape && uint8_t(c) < 0x20) {
      (out += '\\') += escape[1];
    } else if (uint8_t(c) < 0x20) {
      ((out += "\\u00") += kDigits[uint8_t(c) >> 4]) += kDigits[c & 15];
    } else {
      out += text.substr(0, bytes);
    }
    text.remove_prefix(std::max<size_t>(bytes, 1));
  }
  out += '"';
}

template <class T> void write_number(std::string& out, T value) {
  char digits[40];
  const std::string_view text(digits, size_t(std::to_chars(digits, digits + sizeof digits, value).ptr - digits));
  out += text;
  if (std::is_floating_point_v<T> && text.find_first_of(".e") == text.npos) out += ".0";
}

}  // namespace

Json::Json(std::initializer_list<Json> list) {
  const auto pair = [](const Json& one) {
    return one.is_array() && one.size() == 2 && one.items_[0].kind_ == Kind::text;
  };
  kind_ = std::all_of(list.begin(), list.end(), pair) ? Kind::object : Kind::array;
  for (const Json& one : list) {
    if (kind_ == Kind::object) (*this)[one.items_[0].text_] = one.items_[1];
    else items_.push_back(one);
  }
}

void Json::push_back(Json item) {
  if (kind_ == Kind::null) kind_ = Kind::array;
  expect(Kind::array);
  items_.push_back(std::move(item));
}

Json& Json::emplace_back() {
  push_back(nullptr);
  return items_.back();
}

Json& Json::operator[](std::string_view key) {
  if (kind_ == Kind::null) kind_ = Kind::object;
  expect(Kind::object);
  if (const Json* found = find(key); found != end()) return items_[size_t(found - begin())];
  std::string name(key);
  items_.reserve(items_.size() + 1);  // before any change, because it may throw: keys_ and items_ keep equal lengths
  keys_.push_back(std::move(name));
  return items_.emplace_back();
}

const Json* Json::find(std::string_view key) const {
  return begin() +
         (kind_ == Kind::object ? std::find(keys_.begin(), keys_.end(), key) - keys_.begin() : ptrdiff_t(size()));
}

const Json& Json::at(std::string_view key) const {
  const Json* found = find(key);
  if (found == end()) throw std::runtime_error("JSON: there is no member \"" + std::string(key) + "\"");
  return *found;
}

void Json::write(std::string& out, int indent, int level) const {
  const auto line = [&](int deep) {
    if (indent >= 0) (out += '\n').append(size_t(deep * indent), ' ');
  };
  switch (kind_) {
    case Kind::null: out += "null"; return;
    case Kind::boolean: out += integer_ ? "true" : "false"; return;
    case Kind::integer: return write_number(out, integer_);
    case Kind::natural: return write_number(out, uint64_t(integer_));
    case Kind::real: return std::isfinite(real_) ? write_number(out, real_) : void(out += "null");
    case Kind::text: return write_text(out, text_);
    case Kind::array:
    case Kind::object: break;
  }
  out += is_object() ? '{' : '[';
  for (size_t i = 0; i < size(); ++i) {
    if (i) out += ',';
    line(level + 1);
    if (is_object()) {
      write_text(out, keys_[i]);
      out += indent >= 0 ? ": " : ":";
    }
    items_[i].write(out, indent, level + 1);
  }
  if (!empty()) line(level);
  out += is_object() ? '}' : ']';
}

std::string Json::dump(int indent) const {
  std::string out;
  write(out, indent, 0);
  return out;
}

// Builds a value from the parser's events.
struct JsonBuilder final : nlohmann::json_sax<nlohmann::json> {
  using Kind = Json::Kind;
  Json root;
  std::vector<Json*> open;  // unfinished arrays and objects, outermost first
  std::string next_key;
  bool started = false;

  Json& place() {
    if (!std::exchange(started, true)) return root;
    Json& around = *open.back();
    return around.is_object() ? around[next_key] : around.emplace_back();
  }
  bool put(Json value) { return place() = std::move(value), true; }
  bool start(Kind kind) {
    if (open.size() >= kDeepest) return false;
    Json& made = place();
    made = Json(kind);
    open.push_back(&made);
    return true;
  }
  bool finish() { return open.pop_back(), true; }

  bool null() override { return put(nullptr); }
  bool boolean(bool value) override { return put(value); }
  bool number_integer(number_integer_t value) override { return put(value); }
  bool number_unsigned(number_unsigned_t value) override { return put(value); }
  bool number_float(number_float_t value, const string_t&) override { return put(value); }
  bool string(string_t& value) override { return put(std::move(value)); }
  bool binary(binary_t&) override { return false; }
  bool start_object(size_t) override { return start(Kind::object); }
  bool key(string_t& value) override { return next_key = std::move(value), true; }
  bool end_object() override { return finish(); }
  bool start_array(size_t) override { return start(Kind::array); }
  bool end_array() override { return finish(); }
  bool parse_error(size_t, const std::string&, const nlohmann::json::exception&) override { return false; }
};

Json Json::parse(std::string_view text) {
  JsonBuilder builder;
  return nlohmann::json::sax_parse(text, &builder) ? std::move(builder.root) : Json();
}

}  // namespace tenon::base
