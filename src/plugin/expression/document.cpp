// plugin/expression/document.cpp: toml++ reads the text; its tree is copied into ours, in the order of the file.
#include "plugin/expression/document.hpp"
#include <algorithm>
#include <cstdarg>
#include "core/error.hpp"

// toml++ asserts (or, with NDEBUG, lets clang assume) conditions that some invalid texts violate, and then rejects
// these texts: only the rejection is wanted.
#pragma push_macro("NDEBUG")
#undef NDEBUG
#define TOML_ASSERT(expression) static_assert(true)
#define TOML_HEADER_ONLY 1
#define TOML_EXCEPTIONS 1      // without exceptions it ends the process when memory runs out
#define TOML_FLOAT_CHARCONV 1  // a stream would take lost memory for a wrong number, and say so where it must not throw
#define TOML_ENABLE_FORMATTERS 0
#define TOML_ENABLE_WINDOWS_COMPAT 0
#include <toml++/toml.h>
#pragma pop_macro("NDEBUG")

namespace tenon::plugin {

// Defined here, where the type is complete: it contains pairs of itself.
Value::Value() = default;
Value::Value(const Value&) = default;
Value::Value(Value&&) noexcept = default;
Value& Value::operator=(const Value&) = default;
Value& Value::operator=(Value&&) noexcept = default;
Value::~Value() = default;

const char* kind_name(Value::Kind kind) {
  static const char* const names[] = {"a string", "an integer", "a real number", "true or false",
                                      "a list",   "a table",    "a date or time"};
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

void collect(Value& value, std::vector<Value*>& out) {
  out.push_back(&value);
  for (Value& item : value.items) collect(item, out);
  for (auto& [key, entry] : value.entries) collect(entry, out);
}

// In one pass over the text, because a contract may have very many values in one line.
void find_offsets(const std::string& text, Value& root) {
  std::vector<Value*> all;
  collect(root, all);
  const auto before = [](const Place& a, const Place& b) {
    return a.line < b.line || (a.line == b.line && a.column < b.column);
  };
  std::sort(all.begin(), all.end(), [&](const Value* a, const Value* b) { return before(a->place, b->place); });
  Place at{1, 1};
  size_t byte = 0;
  for (Value* value : all) {
    for (; byte < text.size() && before(at, value->place); ++byte)
      if (text[byte] == '\n') at = {at.line + 1, 1};
      else if (byte + 1 >= text.size() || !continues(text[byte + 1])) ++at.column;
    value->offset = byte;
  }
}

// Hosts print texts of the contract, such as documentation and messages, on terminals: nothing in them may be a
// terminal command.
bool commands_terminal(const std::string& text) {
  for (size_t i = 0; i < text.size(); ++i) {
    const unsigned char c = static_cast<unsigned char>(text[i]);
    if ((c < ' ' && c != '\n' && c != '\t' && c != '\r') || c == 0x7f) return true;
    if (c == 0xc2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xa0)
      return true;  // U+0080 to U+009F
  }
  return false;
}

void refuse_commands(const Source& source, const Value& value) {
  const auto refuse = [&](const std::string& text, Place place) {
    if (commands_terminal(text))
      fault(source, place, "the string contains a control character, which could control a terminal: remove it");
  };
  refuse(value.text, value.place);
  for (const Value& item : value.items) refuse_commands(source, item);
  for (size_t i = 0; i < value.entries.size(); ++i) {
    refuse(value.entries[i].first, value.keys[i]);
    refuse_commands(source, value.entries[i].second);
  }
}

constexpr int32_t kDeepestContract = 100;  // nested tables and lists; each part of a dotted key is a table

// Rejects texts that toml++ would not survive, before it reads them: keys with too many parts, which overflow the
// stack, and non-ASCII letters outside of strings, for which its character tables have undefined behaviour.
class Guard {
 public:
  explicit Guard(const Source& source) : source_(source), text_(source.text) {}

  void check() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '#') skip_comment();
      else if (c == '"' || c == '\'') skip_text(c);
      else one(c);
    }
  }

 private:
  [[noreturn]] void fault(const char* text) const {
    const size_t line = size_t(std::count(text_.begin(), text_.begin() + long(at_), '\n')) + 1;
    const size_t begin = at_ == 0 ? 0 : text_.rfind('\n', at_ - 1) + 1;  // npos + 1 is 0
    const auto column =
        std::count_if(text_.begin() + long(begin), text_.begin() + long(at_), [](char c) { return !continues(c); });
    plugin::fault(source_, {uint32_t(line), uint32_t(column) + 1}, text, kDeepestContract);
  }

  void skip_comment() { at_ = std::min(text_.find('\n', at_), text_.size()); }

  // An unterminated string is left to the parser.
  void skip_text(char quote) {
    const size_t quotes = text_.compare(at_, 3, std::string(3, quote)) == 0 ? 3 : 1;
    at_ += quotes;
    for (; at_ < text_.size(); ++at_) {
      if (quotes == 1 && text_[at_] == '\n') return;
      if (quote == '"' && text_[at_] == '\\') ++at_;
      else if (text_.compare(at_, quotes, std::string(quotes, quote)) == 0) break;
    }
    at_ = std::min(at_ + quotes, text_.size());
    while (quotes == 3 && at_ < text_.size() && text_[at_] == quote) ++at_;  // up to two more belong to the string
  }

  void one(char c) {
    if (static_cast<unsigned char>(c) >= 0x80 && !(at_ < 3 && text_.starts_with("\xef\xbb\xbf")))
      fault("there is a non-ASCII letter outside a string: write keys with such letters in quotes");
    if (c == '[' || c == '{') {
      open_.push_back(parts_ + 1);
      depth_ += parts_ + 1;
      parts_ = 0;
    } else if (c == ']' || c == '}') {
      if (!open_.empty()) depth_ -= open_.back(), open_.pop_back();
      parts_ = 0;
    } else if (c == '.') {
      ++parts_;
    } else if (c == ',' || c == '\n') {
      parts_ = 0;
    }
    if (depth_ + parts_ > kDeepestContract) fault("the contract is nested more than %d deep here");
    ++at_;
  }

  const Source& source_;
  const std::string& text_;
  size_t at_ = 0;
  int32_t parts_ = 0, depth_ = 0;
  std::vector<int32_t> open_;
};

}  // namespace

Value parse_document(const Source& source) {
  constexpr size_t kLimit = size_t(1) << 20;
  if (source.text.size() > kLimit)
    fault(source, {1, 1}, "the contract has %zu bytes: at most %zu are allowed", source.text.size(), kLimit);
  if (const size_t nul = source.text.find('\0'); nul != std::string::npos)
    fault(source, {1, 1}, "byte %zu is NUL: this is not a text file", nul);
  Guard(source).check();
  // toml++ makes its errors in constructors that may not throw: there must be memory for one. volatile: otherwise the
  // compiler may remove it.
  char* volatile const spare = new char[64 * source.text.size() + (size_t(64) << 10)];
  delete[] spare;
  try {
    Value root = copy(toml::parse(std::string_view(source.text)));  // no name: code that may not throw would copy it
    root.place = {1, 1};
    find_offsets(source.text, root);
    refuse_commands(source, root);
    return root;
  } catch (const toml::parse_error& error) {
    fault(source, place_of(error.source()), "%s", std::string(error.description()).c_str());
  }
}

TextPlaces::TextPlaces(const Source& source, const Value& value) : source_(source), value_(value) {
  const std::string& text = source.text;
  const size_t at = value.offset;
  if (at >= text.size() || (text[at] != '"' && text[at] != '\'')) return;
  quote_ = text[at];
  multi_ = text.compare(at, 3, std::string(3, quote_)) == 0;
  restart();
}

void TextPlaces::restart() {
  const std::string& text = source_.text;
  byte_ = value_.offset;
  place_ = value_.place;
  seen_ = 0;
  for (int i = 0; i < (multi_ ? 3 : 1); ++i) step();
  if (multi_ && byte_ < text.size() && text[byte_] == '\r') step();
  if (multi_ && byte_ < text.size() && text[byte_] == '\n') step();
}

void TextPlaces::step() {
  const char c = source_.text[byte_];
  if (c == '\n') place_ = {place_.line + 1, 1};
  else if (!continues(c)) ++place_.column;
  ++byte_;
}

// Walks the string as written in the file (quotes, escapes, line ends) in parallel with the decoded one.
Place TextPlaces::at(size_t offset) {
  if (!quote_) return value_.place;
  if (offset < seen_) restart();
  const std::string &text = source_.text, &decoded = value_.text;
  while (seen_ < offset && byte_ < text.size()) {
    if (quote_ == '"' && text[byte_] == '\\' && byte_ + 1 < text.size()) {
      const char kind = text[byte_ + 1];
      if (multi_ &&
          (kind == '\n' || kind == ' ' || kind == '\r' || kind == '\t')) {  // a line continuation: decodes to nothing
        step();
        while (byte_ < text.size() &&
               (text[byte_] == ' ' || text[byte_] == '\t' || text[byte_] == '\n' || text[byte_] == '\r'))
          step();
        continue;
      }
      const int digits = kind == 'u' ? 4 : kind == 'U' ? 8 : kind == 'x' ? 2 : 0;
      for (int i = 0; i < 2 + digits && byte_ < text.size(); ++i) step();
      ++seen_;
      while (seen_ < decoded.size() && continues(decoded[seen_])) ++seen_;
      continue;
    }
    step();
    ++seen_;
    while (byte_ < text.size() && continues(text[byte_])) step(), ++seen_;
  }
  return place_;
}

Table::Table(const Source& source, const Value& value, std::string what)
    : source_(source), value_(value), what_(std::move(what)) {
  if (value.kind != Value::Kind::table)
    fault(source, value.place, "%s is %s: it must be a table", what_.c_str(), kind_name(value.kind));
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
    fault(source_, found->place, "`%s` of %s is %s: it must be %s", key, what_.c_str(), kind_name(found->kind),
          kind_name(kind));
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
    fault(source_, found->place, "`%s` of %s is %lld: it must be from %lld to %lld", key, what_.c_str(),
          static_cast<long long>(found->integer), static_cast<long long>(low), static_cast<long long>(high));
  return found->integer;
}

double Table::real(const char* key, double fallback) {
  const Value* found = find(key);
  if (!found) return fallback;
  if (found->kind == Value::Kind::integer) return double(found->integer);
  if (found->kind != Value::Kind::real)
    fault(source_, found->place, "`%s` of %s is %s: it must be a number", key, what_.c_str(), kind_name(found->kind));
  return found->real;
}

std::vector<const Value*> Table::list(const char* key, Value::Kind of) {
  std::vector<const Value*> out;
  const Value* found = find(key);
  if (!found) return out;
  if (found->kind == of) return {found};
  if (found->kind != Value::Kind::list)
    fault(source_, found->place, "`%s` of %s is %s: it must be %s, or a list of such", key, what_.c_str(),
          kind_name(found->kind), kind_name(of));
  for (const Value& item : found->items) {
    if (item.kind != of)
      fault(source_, item.place, "`%s` of %s lists %s: each must be %s", key, what_.c_str(), kind_name(item.kind),
            kind_name(of));
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
    fault(source_, value_.keys[i], "%s has the unknown key `%s`; known keys: %s", what_.c_str(), name.c_str(),
          list.c_str());
  }
}

}  // namespace tenon::plugin
