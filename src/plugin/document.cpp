// plugin/document.cpp: toml++ reads the text; its tree is copied into ours, in the order of the file.
#include "plugin/document.hpp"
#include <algorithm>
#include <cstdarg>
#include "core/error.hpp"

// toml++ asserts (or, with NDEBUG, lets clang assume) what some faulty texts break, and then refuses them: it shall only do that.
#pragma push_macro("NDEBUG")
#undef NDEBUG
#define TOML_ASSERT(expression) static_assert(true)
#define TOML_HEADER_ONLY 1
#define TOML_EXCEPTIONS 1  // without them it ends the process when there is no memory
#define TOML_ENABLE_FORMATTERS 0
#define TOML_ENABLE_WINDOWS_COMPAT 0
#include <toml++/toml.h>
#pragma pop_macro("NDEBUG")

namespace tenon::plugin {

Value::Value() = default;
Value::Value(const Value&) = default;
Value::Value(Value&&) noexcept = default;
Value& Value::operator=(const Value&) = default;
Value& Value::operator=(Value&&) noexcept = default;
Value::~Value() = default;

const char* kind_name(Value::Kind kind) {
  static const char* const names[] = {"a text", "an integer", "a real number", "true or false",
                                      "a list", "a table",    "a date or time"};
  return names[size_t(kind)];
}

void fault(const Source& source, Place place, const char* text, ...) {
  va_list list;
  va_start(list, text);
  const std::string message = format_list(text, list);
  va_end(list);
  fail(TENON_ERROR_INVALID_ARGUMENT, "%s:%u:%u: %s", source.name.c_str(), place.line, place.column, message.c_str());
}

namespace {

Place place_of(const toml::source_region& region) { return {region.begin.line, region.begin.column}; }

Value copy(const toml::node& node) {
  Value out;
  out.place = place_of(node.source());
  if (const auto* table = node.as_table()) {
    out.kind = Value::Kind::table;
    std::vector<std::pair<toml::source_position, const toml::key*>> order;
    for (auto&& [key, value] : *table) order.emplace_back(key.source().begin, &key);
    std::sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (const auto& [position, key] : order) {
      out.entries.emplace_back(std::string(key->str()), copy(*table->get(key->str())));
      out.keys.push_back({position.line, position.column});
    }
  } else if (const auto* list = node.as_array()) {
    out.kind = Value::Kind::list;
    for (auto&& item : *list) out.items.push_back(copy(item));
  } else if (const auto* text = node.as_string()) {
    out.kind = Value::Kind::text;
    out.text = text->get();
  } else if (const auto* integer = node.as_integer()) {
    out.kind = Value::Kind::integer;
    out.integer = integer->get();
  } else if (const auto* real = node.as_floating_point()) {
    out.kind = Value::Kind::real;
    out.real = real->get();
  } else if (const auto* boolean = node.as_boolean()) {
    out.kind = Value::Kind::boolean;
    out.boolean = boolean->get();
  }
  return out;
}

bool continues(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }  // a later byte of a UTF-8 character

// Byte of a place in the text; its size when there is no such place.
size_t byte_at(const std::string& text, Place place) {
  size_t at = 0;
  for (uint32_t line = 1; line < place.line; ++line) {
    at = text.find('\n', at);
    if (at == std::string::npos) return text.size();
    ++at;
  }
  for (uint32_t column = 1; column < place.column && at < text.size(); ++column)
    do ++at; while (at < text.size() && continues(text[at]));
  return at;
}

Place place_at(const std::string& text, size_t at) {
  const auto begin = text.begin(), end = begin + ptrdiff_t(at);
  const size_t line = text.rfind('\n', at) + 1;  // npos + 1: the first
  return {uint32_t(1 + std::count(begin, end, '\n')), uint32_t(1 + std::count_if(begin + ptrdiff_t(line), end, [](char c) { return !continues(c); }))};
}

// Outside of texts and comments all is ASCII. What toml++ does with some other letters there is undefined (U+00E9, U+FEE6 ...), so it
// does not get them.
void refuse_bare_characters(const Source& source) {
  const std::string& text = source.text;
  for (size_t at = text.starts_with("\xef\xbb\xbf") ? 3 : 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '#') {
      at = std::min(text.find('\n', at), text.size());
    } else if (c == '"' || c == '\'') {
      const std::string three(3, c);
      const bool multi = text.compare(at, 3, three) == 0;
      for (at += multi ? 3 : 1; at < text.size() && !(multi ? text.compare(at, 3, three) == 0 : text[at] == c || text[at] == '\n'); ++at)
        if (c == '"' && text[at] == '\\') ++at;
      at += multi ? 2 : 0;
    } else if (static_cast<unsigned char>(c) >= 0x80) {
      fault(source, place_at(text, at), "a letter that is not ASCII can only be in quotes or in a comment");
    }
  }
}

}  // namespace

Value parse_document(const Source& source) {
  constexpr size_t kLimit = size_t(1) << 20;
  if (source.text.size() > kLimit)
    fault(source, {1, 1}, "the contract has %zu bytes: at most %zu are possible", source.text.size(), kLimit);
  if (const size_t nul = source.text.find('\0'); nul != std::string::npos)
    fault(source, {1, 1}, "byte %zu is NUL: this is no text", nul);
  refuse_bare_characters(source);
  // toml++ makes its errors in constructors that may not throw: there has to be memory for one. volatile: or it may be left out.
  char* volatile const spare = new char[64 * source.text.size() + (size_t(64) << 10)];
  delete[] spare;
  try {
    Value root = copy(toml::parse(std::string_view(source.text)));  // a name would be kept by what may not throw
    root.place = {1, 1};
    return root;
  } catch (const toml::parse_error& error) {
    fault(source, place_of(error.source()), "%s", std::string(error.description()).c_str());
  }
}

// Walks the text as it stands in the file (quotes, escapes, line ends) beside the decoded one.
Place place_inside(const Source& source, const Value& value, size_t offset) {
  const std::string& text = source.text;
  size_t at = byte_at(text, value.place);
  if (at >= text.size() || (text[at] != '"' && text[at] != '\'')) return value.place;
  const char quote = text[at];
  const bool multi = text.compare(at, 3, std::string(3, quote)) == 0;
  Place place = value.place;
  const auto step = [&] {
    if (text[at] == '\n') {
      ++place.line;
      place.column = 1;
    } else if (!continues(text[at])) {
      ++place.column;
    }
    ++at;
  };
  for (int i = 0; i < (multi ? 3 : 1); ++i) step();
  if (multi && at < text.size() && text[at] == '\r') step();
  if (multi && at < text.size() && text[at] == '\n') step();
  for (size_t seen = 0; seen < offset && at < text.size();) {
    if (quote == '"' && text[at] == '\\' && at + 1 < text.size()) {
      const char kind = text[at + 1];
      if (multi && (kind == '\n' || kind == ' ' || kind == '\r' || kind == '\t')) {  // a line that goes on: nothing decoded
        step();
        while (at < text.size() && (text[at] == ' ' || text[at] == '\t' || text[at] == '\n' || text[at] == '\r')) step();
        continue;
      }
      const int digits = kind == 'u' ? 4 : kind == 'U' ? 8 : kind == 'x' ? 2 : 0;
      for (int i = 0; i < 2 + digits && at < text.size(); ++i) step();
      ++seen;
      while (seen < value.text.size() && continues(value.text[seen])) ++seen;
      continue;
    }
    step();
    ++seen;
    while (at < text.size() && continues(text[at])) step(), ++seen;
  }
  return place;
}

Table::Table(const Source& source, const Value& value, std::string what) : source_(source), value_(value), what_(std::move(what)) {
  if (value.kind != Value::Kind::table)
    fault(source, value.place, "%s is %s: it has to be a table", what_.c_str(), kind_name(value.kind));
}

const Value* Table::find(const char* key) {
  if (std::find(known_.begin(), known_.end(), key) == known_.end()) known_.emplace_back(key);
  for (const auto& [name, value] : value_.entries)
    if (name == key) return &value;
  return nullptr;
}

const Value& Table::need(const char* key, const char* example) {
  if (const Value* found = find(key)) return *found;
  fault(source_, value_.place, "%s has no `%s`: write %s", what_.c_str(), key, example);
}

const Value* Table::typed(const char* key, Value::Kind kind) {
  const Value* found = find(key);
  if (found && found->kind != kind)
    fault(source_, found->place, "`%s` of %s is %s: it has to be %s", key, what_.c_str(), kind_name(found->kind), kind_name(kind));
  return found;
}

std::string Table::text(const char* key, const std::string& fallback) {
  const Value* found = typed(key, Value::Kind::text);
  return found ? found->text : fallback;
}

bool Table::boolean(const char* key, bool fallback) {
  const Value* found = typed(key, Value::Kind::boolean);
  return found ? found->boolean : fallback;
}

int64_t Table::integer(const char* key, int64_t fallback, int64_t low, int64_t high) {
  const Value* found = typed(key, Value::Kind::integer);
  if (!found) return fallback;
  if (found->integer < low || found->integer > high)
    fault(source_, found->place, "`%s` of %s is %lld: it has to be from %lld to %lld", key, what_.c_str(),
          static_cast<long long>(found->integer), static_cast<long long>(low), static_cast<long long>(high));
  return found->integer;
}

double Table::real(const char* key, double fallback) {
  const Value* found = find(key);
  if (!found) return fallback;
  if (found->kind == Value::Kind::integer) return double(found->integer);
  if (found->kind != Value::Kind::real)
    fault(source_, found->place, "`%s` of %s is %s: it has to be a number", key, what_.c_str(), kind_name(found->kind));
  return found->real;
}

std::vector<const Value*> Table::list(const char* key, Value::Kind of) {
  std::vector<const Value*> out;
  const Value* found = find(key);
  if (!found) return out;
  if (found->kind == of) return {found};
  if (found->kind != Value::Kind::list)
    fault(source_, found->place, "`%s` of %s is %s: it has to be %s, or a list of such", key, what_.c_str(), kind_name(found->kind),
          kind_name(of));
  for (const Value& item : found->items) {
    if (item.kind != of)
      fault(source_, item.place, "`%s` of %s lists %s: each has to be %s", key, what_.c_str(), kind_name(item.kind), kind_name(of));
    out.push_back(&item);
  }
  return out;
}

const Value* Table::table(const char* key) { return typed(key, Value::Kind::table); }

void Table::finish() const {
  for (size_t i = 0; i < value_.entries.size(); ++i) {
    const std::string& name = value_.entries[i].first;
    if (std::find(known_.begin(), known_.end(), name) != known_.end()) continue;
    std::string list;
    for (const std::string& known : known_) list += (list.empty() ? "" : ", ") + known;
    fault(source_, value_.keys[i], "%s has the unknown key `%s`; there is: %s", what_.c_str(), name.c_str(), list.c_str());
  }
}

}  // namespace tenon::plugin
