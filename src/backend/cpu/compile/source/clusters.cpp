// backend/cpu/compile/source/clusters.cpp: reading __cluster_dims__.
#include "backend/cpu/compile/source/clusters.hpp"
#include <algorithm>
#include <vector>
#include "backend/cpu/text/tokens.hpp"

namespace tenon::cpu {
namespace {

constexpr char kMark[] = "tenon_cluster_dims";  // what the macro writes (shim/language/tenon_language.h)

constexpr char kFunction[] = "tenon_cluster_of_";

struct ClusterVariable {
  std::string name, dims;
  size_t mark;   // where the attribute's own word is
  size_t first;  // where the declaration begins
  bool defined;
};

// The name before the parameters of the function whose declaration contains the attribute that ends before `at`, and
// where the parameters end.
std::string declared_name(const Tokens& tokens, size_t at, size_t& end) {
  for (; at < tokens.size() && !tokens.is_any(at, {";", "{", "}"}); ++at) {
    if (!tokens.is(at, "(")) continue;
    const bool of_attribute = tokens.is_any(at - 1, {"__attribute__", "__launch_bounds__", "__maxnreg__", "__align__"});
    end = tokens.closed(at);
    if (!of_attribute) return tokens.is_word(at - 1) ? std::string(tokens[at - 1].text) : "";
    at = end - 1;
  }
  return "";
}

std::vector<ClusterVariable> declarations(const Tokens& tokens) {
  std::vector<ClusterVariable> out;
  for (size_t at = 0; at + 1 < tokens.size(); ++at) {
    if (!tokens.is(at, kMark)) continue;
    const size_t close = tokens.closed(at + 1);
    size_t behind = close, first = at, end = at;
    while (tokens.is(behind, ")")) ++behind;  // of __attribute__((...))
    while (first > 0 && !tokens.is_any(first - 1, {";", "{", "}"})) --first;
    const std::string name = declared_name(tokens, behind, end);
    out.push_back({name, tokens.joined(at + 2, close - 1), at, first, tokens.is(end, "{")});
  }
  return out;
}

}  // namespace

std::map<std::string, std::string> cluster_dims(const std::string& expanded, std::string& log) {
  std::map<std::string, std::string> out;
  if (expanded.find(kMark) == std::string::npos) return out;
  const Tokens tokens(expanded);
  for (const ClusterVariable& one : declarations(tokens)) {
    if (one.name.empty()) log += tokens.error_at(one.mark, "__cluster_dims__ belongs to no kernel");
    else out.emplace(one.name, one.dims);
  }
  return out;
}

std::string with_cluster_functions(const std::string& expanded) {
  const Tokens tokens(expanded);
  const std::vector<ClusterVariable> all = declarations(tokens);
  std::string out;
  size_t done = 0;
  for (const ClusterVariable& one : all) {
    // A declaration before the definition may have the attribute too.
    const auto same = [&](const ClusterVariable& other) { return other.name == one.name && other.defined; };
    // (g++ would read the attribute's arguments as it reads expressions, without templates.)
    const auto leave_attribute_out = [&] {
      out.append(expanded, done, tokens[one.mark].begin - done);
      done = tokens[tokens.closed(one.mark + 1) - 1].end();
    };
    if (one.name.empty() || (!one.defined && std::any_of(all.begin(), all.end(), same))) {
      leave_attribute_out();
      continue;
    }
    std::string parameters;
    for (size_t at = one.first; tokens.is(at, "template") && tokens.is(at + 1, "<");) {
      size_t end = at + 1;
      for (int depth = 0; end < one.mark; ++end) {
        depth += tokens.is(end, "<") - tokens.is(end, ">") - 2 * tokens.is(end, ">>");
        if (tokens.is(end, "(")) end = tokens.closed(end) - 1;
        if (depth <= 0) break;
      }
      parameters += tokens.joined(at, end + 1) + " ";
      at = end + 1;
    }
    out.append(expanded, done, tokens[one.first].begin - done);
    out += parameters + "static inline constexpr tenon_cluster_dims_of " + kFunction + one.name + "() { return {" +
           one.dims + "}; } ";
    done = tokens[one.first].begin;
    leave_attribute_out();
  }
  return out.append(expanded, done);
}

std::string cluster_function(const std::string& kernel) {
  const size_t name_end = std::min(kernel.find('<'), kernel.size()), scope = kernel.rfind("::", name_end);
  std::string out = kernel;
  return out.insert(scope == kernel.npos ? 0 : scope + 2, kFunction) + "()";
}

}  // namespace tenon::cpu
