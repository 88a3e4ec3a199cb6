// plugin/contract/version.hpp: versions "1.2.3" and ranges of them.
#pragma once
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tenon::plugin {

// Semantic versioning 2.0.0 without build data: a pre-release ("1.0.0-beta.2") comes before its release.
struct Version {
  uint32_t major = 0, minor = 0, patch = 0;
  std::string pre;
  std::strong_ordering operator<=>(const Version& other) const;
  bool operator==(const Version& other) const = default;
  std::string text() const;
};
std::optional<Version> parse_version(std::string_view text);

// Terms separated by commas, all of which must hold: ">=1.2", "<2", "=1.2.3", "^1.2" (up to the next major version; for
// 0.x the next minor version), "~1.2" (up to the next minor version), "1.2" (as ^1.2), "*" or "" (any). Only a term
// that names a pre-release matches one.
class VersionRange {
 public:
  static VersionRange parse(const std::string& text);  // throws INVALID_ARGUMENT
  bool holds(const Version& version) const;
  const std::string& text() const { return text_; }

 private:
  struct Term {
    char kind;  // '<', 'l' (<=), '>', 'g' (>=), '='
    Version version;
  };
  std::string text_;
  std::vector<Term> terms_;
  bool pre_ = false;
};

}  // namespace tenon::plugin
