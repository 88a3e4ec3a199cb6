// core/kernel_name.cpp: reading the expressions that name kernels.
#include "core/kernel_name.hpp"
#include <string_view>

namespace tenon {
namespace {

constexpr std::string_view kCast = "static_cast";

std::string_view trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(' ');
  return first == text.npos ? std::string_view() : text.substr(first, text.find_last_not_of(' ') + 1 - first);
}

bool is_cast(std::string_view name) {
  return name.substr(0, kCast.size()) == kCast && trimmed(name.substr(kCast.size())).substr(0, 1) == "<";
}

// The position after the bracket that closes the one at the start of the text.
size_t closed(std::string_view text) {
  int depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    depth += (text[i] == '(') - (text[i] == ')');
    if (depth == 0) return i + 1;
  }
  return text.size();
}

// The part that starts with the bracket that the last one closes.
std::string_view last_group(std::string_view text) {
  int depth = 0;
  for (size_t i = text.size(); i-- > 0;) {
    depth += (text[i] == ')') - (text[i] == '(');
    if (depth == 0) return text.substr(i);
  }
  return {};
}

}  // namespace

std::string kernel_address(const std::string& name) {
  const std::string_view one = trimmed(name);
  if (one.substr(0, 1) == "&") return std::string(one);
  // A plus turns a function in brackets into its address.
  return ((one.substr(0, 1) == "(" || is_cast(one)) ? "+" : "&") + std::string(one);
}

std::string kernel_within(const std::string& name) {
  std::string_view one = trimmed(name);
  for (;;) {
    if (one.substr(0, 1) == "&" || one.substr(0, 1) == "+") {
      one = trimmed(one.substr(1));
    } else if (is_cast(one)) {
      one = last_group(one);
    } else if (one.substr(0, 1) == "(") {
      const size_t end = closed(one);
      const std::string_view after = trimmed(one.substr(end));
      one = after.empty() ? trimmed(one.substr(1, end - 2)) : after;  // brackets around the name, or a cast before it
    } else {
      return std::string(one);
    }
  }
}

std::string plain_name(const std::string& name) {
  const std::string within = kernel_within(name);
  std::string plain = within.substr(0, within.find('<'));
  while (!plain.empty() && plain.back() == ' ') plain.pop_back();
  const size_t colons = plain.rfind("::");
  plain.erase(0, colons == std::string::npos ? 0 : colons + 2);
  const size_t word = plain.find_first_not_of(" (&");
  return word == std::string::npos ? "" : plain.substr(word);
}

}  // namespace tenon
