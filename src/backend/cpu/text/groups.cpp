// backend/cpu/text/groups.cpp: the groups of threads that a kernel's text declares.
//
//   cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
//   int row = blockIdx.x * warp.meta_group_size() + warp.meta_group_rank();
//   ->  int row = blockIdx.x * (unsigned)((threads + 31) / 32) + (unsigned)(rank / 32);
#include "backend/cpu/text/groups.hpp"
#include <optional>
#include <set>
#include "backend/cpu/text/tokens.hpp"

namespace tenon::cpu {
namespace {

constexpr char kRank[] = "(threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z))",
               kThreads[] = "(blockDim.x * blockDim.y * blockDim.z)";

// What `group.member()` is; "": it stays as it is.
std::string value_of(const std::string& size, bool of_block, std::string_view member) {
  const bool block = size == "0";
  const std::string n = "(unsigned)(" + size + ")";
  if (member == "size" || member == "num_threads") return "(" + (block ? kThreads : n) + ")";
  if (member == "thread_rank") return "(" + (block ? kRank : kRank + (" % " + n)) + ")";
  if (block || !of_block) return "";
  if (member == "meta_group_rank") return "(" + (kRank + (" / " + n)) + ")";
  if (member == "meta_group_size") return std::string("((") + kThreads + " + " + n + " - 1) / " + n + ")";
  return "";
}

class GroupFinder {
 public:
  explicit GroupFinder(const Tokens& tokens) : t_(tokens) {}

  // The groups that the tokens declare, and among them the tiles whose parent is the block.
  GroupSizes find(size_t from, size_t to, std::set<std::string>& of_block) const {
    GroupSizes out;
    std::map<std::string, int> times;
    for (size_t i = from; i < to; ++i) {
      if (!t_.is_any(i, {"thread_block", "thread_block_tile", "auto"})) continue;
      const std::optional<std::pair<size_t, std::string>> one = declared(i);
      if (!one) continue;
      const std::string name(t_[one->first].text);
      if (parts_block(one->first + 1, out)) of_block.insert(name);
      if (++times[name] == 1) out[name] = one->second;
      else out.erase(name);
    }
    return out;
  }

 private:
  // Whether what is behind a variable's name makes it a tile of the block: "= cg::tiled_partition<32>(block)".
  bool parts_block(size_t i, const GroupSizes& known) const {
    const auto unqualified = [&](size_t at) {
      while (t_.is_word(at) && t_.is(at + 1, "::")) at += 2;
      return at;
    };
    const size_t at = unqualified(i + 1);
    if (!t_.is(at, "tiled_partition")) return false;
    const size_t open = after_angle(at + 1);
    if (open == npos || !t_.is(open, "(")) return false;
    const size_t parent = unqualified(open + 1);
    if (t_.is(parent, "this_thread_block")) return true;
    const auto found = known.find(std::string(t_[parent].text));
    return t_.is(parent + 1, ")") && found != known.end() && found->second == "0";
  }
  // The name that a declaration at i declares, and the group's size.
  std::optional<std::pair<size_t, std::string>> declared(size_t i) const {
    size_t name = i + 1;
    std::string size = "0";
    if (t_.is(i, "thread_block_tile")) {
      size = argument(i + 1);
      name = after_angle(i + 1);
    }
    if (name == npos || !t_.is_word(name) || !t_.is_any(name + 1, {"=", "(", "{"})) return std::nullopt;
    if (t_.is(i, "auto")) {
      if (!t_.is(name + 1, "=")) return std::nullopt;
      size_t at = name + 2;
      while (t_.is_word(at) && t_.is(at + 1, "::")) at += 2;
      if (t_.is(at, "tiled_partition") && t_.is(at + 1, "<")) size = argument(at + 1);
      else if (!t_.is(at, "this_thread_block")) return std::nullopt;
    }
    if (size.empty()) return std::nullopt;
    return std::pair{name, size};
  }
  // The first argument of a template whose bracket is at i: a number or a name.
  std::string argument(size_t i) const {
    return t_.is(i, "<") && t_.is_any(i + 2, {">", ","}) ? std::string(t_[i + 1].text) : "";
  }
  size_t after_angle(size_t i) const {
    for (int depth = 0; i < t_.size() && !t_.is_any(i, {";", "{", "}"}); ++i) {
      depth += t_.is(i, "<") - t_.is(i, ">") - 2 * t_.is(i, ">>");
      if (depth == 0) return i + 1;
    }
    return npos;
  }

  const Tokens& t_;
};

}  // namespace

GroupTexts::GroupTexts(const std::string& text) : text_(text) {
  if (text.find("thread_block") == text.npos && text.find("tiled_partition") == text.npos) return;
  const Tokens tokens(text);
  const GroupFinder finder(tokens);
  std::string out;
  size_t done = 0;
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (!tokens.is(i, "__global__")) continue;
    size_t open = i + 1, name = npos;
    while (open < tokens.size() && !tokens.is_any(open, {";", "{"})) {
      if (tokens.is(open, "(")) {
        if (!tokens.is_any(open - 1, {"__attribute__", "alignas"})) name = open - 1;
        open = tokens.closed(open);
      } else {
        ++open;
      }
    }
    if (!tokens.is(open, "{") || name == npos) continue;
    const size_t close = tokens.closed(open);
    if (close == npos) break;
    std::set<std::string> of_block;
    const GroupSizes groups = finder.find(open, close, of_block);
    kernels_[std::string(tokens[name].text)] = groups;
    for (size_t k = open; k + 4 < close; ++k) {
      if (!tokens.is(k + 1, ".") || !tokens.is(k + 3, "(") || !tokens.is(k + 4, ")") || !tokens.is_word(k) ||
          tokens.is_any(k - 1, {".", "->", "::"}))
        continue;
      const auto group = groups.find(std::string(tokens[k].text));
      if (group == groups.end()) continue;
      const std::string value = value_of(group->second, of_block.count(group->first) != 0, tokens[k + 2].text);
      if (value.empty()) continue;
      out.append(text, done, tokens[k].begin - done);
      out += value;
      done = tokens[k + 4].end();
    }
    i = close - 1;
  }
  text_ = out.append(text, done);
}

const GroupSizes& GroupTexts::of(const std::string& kernel) const {
  static const GroupSizes none;
  const auto found = kernels_.find(kernel);
  return found == kernels_.end() ? none : found->second;
}

}  // namespace tenon::cpu
