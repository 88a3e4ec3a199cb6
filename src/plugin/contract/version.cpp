// plugin/contract/version.cpp: parsing and comparing versions.
#include "plugin/contract/version.hpp"
#include <charconv>
#include "core/error.hpp"

namespace tenon::plugin {
namespace {

// Reads a number without leading zeros; false if there is none.
bool take_number(std::string_view& text, uint32_t& out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  const size_t digits = size_t(end - text.data());
  if (error != std::errc() || (digits > 1 && text[0] == '0')) return false;
  text.remove_prefix(digits);
  return true;
}

bool take(std::string_view& text, char c) {
  if (!text.starts_with(c)) return false;
  text.remove_prefix(1);
  return true;
}

bool valid_pre(std::string_view text) {
  if (text.empty() || text.starts_with('.') || text.ends_with('.') || text.find("..") != text.npos) return false;
  return text.find_first_not_of("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-.") == text.npos;
}

// `parts` receives the number of components: two for "1.2".
std::optional<Version> parse_parts(std::string_view text, int& parts) {
  Version out;
  uint32_t* const numbers[] = {&out.major, &out.minor, &out.patch};
  parts = 0;
  do {
    if (parts == 3 || !take_number(text, *numbers[parts])) return {};
    ++parts;
  } while (take(text, '.'));
  if (take(text, '-')) {
    if (parts != 3 || !valid_pre(text)) return {};
    out.pre = text;
    text = {};
  }
  if (!text.empty()) return {};
  return out;
}

bool all_digits(std::string_view text) { return text.find_first_not_of("0123456789") == text.npos; }

std::strong_ordering compare_pre(std::string_view a, std::string_view b) {
  if (a.empty() || b.empty()) return int(a.empty()) <=> int(b.empty());
  while (!a.empty() && !b.empty()) {
    const std::string_view x = a.substr(0, a.find('.')), y = b.substr(0, b.find('.'));
    a.remove_prefix(std::min(a.size(), x.size() + 1));
    b.remove_prefix(std::min(b.size(), y.size() + 1));
    if (x == y) continue;
    const bool dx = all_digits(x), dy = all_digits(y);
    if (dx != dy) return dx ? std::strong_ordering::less : std::strong_ordering::greater;
    if (dx && x.size() != y.size()) return x.size() <=> y.size();
    return x.compare(y) <=> 0;
  }
  return int(!a.empty()) <=> int(!b.empty());
}

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

}  // namespace

std::strong_ordering Version::operator<=>(const Version& other) const {
  if (const auto c = major <=> other.major; c != 0) return c;
  if (const auto c = minor <=> other.minor; c != 0) return c;
  if (const auto c = patch <=> other.patch; c != 0) return c;
  return compare_pre(pre, other.pre);
}

std::string Version::text() const {
  return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch) +
         (pre.empty() ? "" : "-" + pre);
}

std::optional<Version> parse_version(std::string_view text) {
  int parts = 0;
  std::optional<Version> out = parse_parts(text, parts);
  return parts == 3 ? out : std::nullopt;
}

VersionRange VersionRange::parse(const std::string& text) {
  VersionRange out;
  out.text_ = text;
  for (std::string_view left = text;;) {
    const size_t comma = left.find(',');
    std::string_view term = trimmed(left.substr(0, comma));
    if (term != "*" && !trimmed(text).empty()) {
      char kind = '^';
      if (take(term, '<')) kind = take(term, '=') ? 'l' : '<';
      else if (take(term, '>')) kind = take(term, '=') ? 'g' : '>';
      else if (take(term, '=')) kind = '=';
      else if (take(term, '~')) kind = '~';
      else take(term, '^');
      int parts = 0;
      const std::optional<Version> version = parse_parts(trimmed(term), parts);
      TENON_REQUIRE(version, TENON_ERROR_INVALID_ARGUMENT,
                    "\"%s\" is not a range of versions: write \">=1.2, <2\", \"^1.2\", \"~1.2\", \"=1.2.3\" or \"*\"",
                    text.c_str());
      out.pre_ = out.pre_ || !version->pre.empty();
      if (kind == '^' || kind == '~') {
        Version next = *version;
        next.pre.clear();
        next.patch = 0;
        const bool by_major = kind == '^' ? version->major > 0 || parts == 1 : parts == 1;
        if (by_major) ++next.major, next.minor = 0;
        else ++next.minor;
        out.terms_.push_back({'g', *version});
        out.terms_.push_back({'<', next});
      } else {
        out.terms_.push_back({kind, *version});
      }
    }
    if (comma == left.npos) return out;
    left.remove_prefix(comma + 1);
  }
}

bool VersionRange::holds(const Version& version) const {
  if (!version.pre.empty() && !pre_) return false;
  for (const Term& term : terms_) {
    const auto c = version <=> term.version;
    const bool fits = term.kind == '<'   ? c < 0
                      : term.kind == 'l' ? c <= 0
                      : term.kind == '>' ? c > 0
                      : term.kind == 'g' ? c >= 0
                                         : c == 0;
    if (!fits) return false;
  }
  return true;
}

}  // namespace tenon::plugin
