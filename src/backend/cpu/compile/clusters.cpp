// backend/cpu/compile/clusters.cpp: reading __cluster_dims__.
#include "backend/cpu/compile/clusters.hpp"
#include "backend/cpu/text/tokens.hpp"

namespace tenon::cpu {
namespace {

constexpr char kMark[] = "tenon_cluster_dims";  // what the macro writes (shim/tenon_language.h)

// The name before the parameters of the function whose declaration contains the attribute that ends before `at`.
std::string declared_name(const Tokens& tokens, size_t at) {
  for (; at < tokens.size() && !tokens.is_any(at, {";", "{", "}"}); ++at) {
    if (!tokens.is(at, "(")) continue;
    const bool of_attribute = tokens.is_any(at - 1, {"__attribute__", "__launch_bounds__", "__maxnreg__", "__align__"});
    if (!of_attribute) return tokens.is_word(at - 1) ? std::string(tokens[at - 1].text) : "";
    at = tokens.closed(at) - 1;
  }
  return "";
}

}  // namespace

std::map<std::string, std::string> cluster_dims(const std::string& expanded, std::string& log) {
  std::map<std::string, std::string> out;
  if (expanded.find(kMark) == std::string::npos) return out;
  const Tokens tokens(expanded);
  for (size_t at = 0; at + 1 < tokens.size(); ++at) {
    if (!tokens.is(at, kMark)) continue;
    const size_t end = tokens.closed(at + 1);
    size_t behind = end;
    while (tokens.is(behind, ")")) ++behind;  // of __attribute__((...))
    const std::string name = declared_name(tokens, behind);
    const std::string dims = tokens.joined(at + 2, end - 1);
    if (name.empty()) log += tokens.error_at(at, "__cluster_dims__ belongs to no kernel");
    else if (!out.emplace(name, dims).second && out[name] != dims)
      log += tokens.error_at(at, "__cluster_dims__ belongs to one of several kernels of this name, with others");
  }
  return out;
}

}  // namespace tenon::cpu
