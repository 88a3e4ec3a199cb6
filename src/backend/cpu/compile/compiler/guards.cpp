// backend/cpu/compile/compiler/guards.cpp: the bounds check at the beginning of a kernel, decided before its threads
// run.
#include "backend/cpu/compile/compiler/guards.hpp"
#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <set>
#include <vector>
#include "backend/cpu/compile/compiler/ir_text.hpp"

namespace tenon::cpu {
namespace {

constexpr std::string_view kPasses = "tenon_passes";
constexpr int kMostGuards = 8;

// "define ... @name(...)": the parameters with their brackets; "" if the line has another form.
std::string_view parameters_of(std::string_view line, std::string_view name) {
  const size_t begin = line.find(name) + name.size();
  if (begin >= line.size() || line[begin] != '(') return {};
  int depth = 0;
  bool quoted = false;  // %"struct.A<')'>::B"
  for (size_t at = begin; at < line.size(); ++at) {
    if (line[at] == '"') quoted = !quoted;
    if (quoted) continue;
    if (line[at] == '(') ++depth;
    if (line[at] == ')' && --depth == 0) return line.substr(begin, at + 1 - begin);
  }
  return {};
}

// Returns the first label that is named at or after `at` ("label %7"), as "%7"; empty if none is.
std::string_view label_at(std::string_view line, size_t at = 0) {
  const size_t found = line.find("label %", at);
  if (found == line.npos) return {};
  const std::string_view rest = line.substr(found + 6);
  return rest.substr(0, rest.find_first_of(", ]", 0));
}

// Debug information about variables.
bool is_debug(std::string_view line) { return starts(line, "    #dbg_") || starts(line, "  call void @llvm.dbg."); }

struct Block {
  size_t begin = 0, end = 0;  // its lines; the last is the terminator, but for a switch
};

// A function's lines, in blocks. The label of the first block is "".
class Function {
 public:
  Function(const std::vector<std::string_view>& lines, size_t begin, size_t end) : lines_(lines) {
    std::string label;
    size_t first = begin + 1;
    for (size_t i = begin + 1; i < end; ++i) {
      const std::string_view line = lines[i];
      if (line.empty() || line[0] == ' ' || line[0] == '\t') continue;
      const size_t colon = line.find(':');
      if (colon == line.npos) continue;
      blocks_[label] = {first, i};
      label = "%" + std::string(line.substr(0, colon));
      first = i + 1;
    }
    blocks_[label] = {first, end};
  }

  const Block* block(std::string_view label) const {
    const auto found = blocks_.find(label);
    return found == blocks_.end() ? nullptr : &found->second;
  }

  // Whether a thread that reaches the block ends without any effect.
  bool returns(std::string_view label, int depth = 0) const {
    const Block* const at = block(label);
    if (!at || depth > 8) return false;
    for (size_t i = at->begin; i < at->end; ++i) {
      const std::string_view line = lines_[i];
      if (line.empty() || line.find("@llvm.lifetime.end.") != line.npos || is_debug(line)) continue;
      if (starts(line, "  store i32 ") && line.find("volatile") == line.npos && stores_to_local(line)) continue;
      if (line.find(" = load i32, ") != line.npos && local(last_word(line.substr(line.find("load ") + 5)))) continue;
      if (starts(line, "  ret void")) return true;
      if (starts(line, "  br label ")) return returns(label_at(line), depth + 1);
      if (!starts(line, "  switch ")) return false;
      // The other destinations of a switch at the end of a scope; the default one is unreachable.
      if (!unreachable(label_at(line))) return false;
      for (++i; i < at->end && !starts(lines_[i], "  ]"); ++i)
        if (!returns(label_at(lines_[i]), depth + 1)) return false;
      return true;
    }
    return false;
  }

  // Whether the block only computes with numbers, in variables of the function and from the indices.
  bool computes(const Block& block) {
    for (size_t i = block.begin; i < block.end; ++i) {
      const std::string_view line = lines_[i];
      if (line.empty() || is_debug(line) || line.find("call void @llvm.lifetime.") != line.npos) continue;
      if (starts(line, "  br ")) return true;
      if (starts(line, "  store ")) {
        if (!stores_to_local(line)) return false;
        continue;
      }
      const size_t equals = line.find(" = ");
      if (!starts(line, "  %") || equals == line.npos) return false;
      const std::string result(line.substr(2, equals - 2));
      const std::string_view what = line.substr(equals + 3);
      if (starts(what, "alloca ")) {
        locals_.insert(result);
      } else if (starts(what, "getelementptr ")) {
        if (!from_place(what, result)) return false;
      } else if (what.find(" @llvm.threadlocal.address.") != what.npos && starts(what, "call ")) {
        if (!is_index(what)) return false;
        indices_.insert(result);
      } else if (starts(what, "load ")) {
        if (starts(what, "load volatile ") || starts(what, "load atomic ")) return false;
        const std::string_view from = last_word(what.substr(5));
        if (!local(from) && !indices_.count(std::string(from)) && !is_index(what)) return false;
      } else if (!is_arithmetic(what)) {
        return false;
      }
    }
    return false;
  }

  // Whether nothing but the block before it leads to the block: it is not the beginning of a loop.
  bool reached_once(std::string_view label) const {
    int found = 0;
    for (const auto& [name, block] : blocks_)
      for (size_t i = block.begin; i < block.end; ++i)
        for (size_t at = 0; (at = lines_[i].find("label %", at)) != std::string_view::npos; ++at)
          found += label_at(lines_[i], at) == label;
    return found == int(!label.empty());
  }

  void add_parameter(std::string_view name) { locals_.insert(std::string(name)); }  // memory of its own

 private:
  // "ptr %11, align 4": %11.
  static std::string_view last_word(std::string_view operands) {
    const size_t first = comma(operands, 0);  // after the type, or after "ptr %11"
    std::string_view one = operands.substr(0, first);
    if (one.find(' ') == one.npos && first < operands.size())
      one = operands.substr(first + 2, comma(operands, first + 2) - first - 2);
    const size_t space = one.rfind(' ');
    return space == one.npos ? std::string_view() : one.substr(space + 1);
  }
  bool local(std::string_view name) const { return locals_.count(std::string(name)) != 0; }
  bool stores_to_local(std::string_view line) const {
    if (starts(line, "  store volatile ") || starts(line, "  store atomic ")) return false;
    const size_t value = comma(line, 0);
    if (value == line.size()) return false;
    const std::string_view to = line.substr(value + 2, comma(line, value + 2) - value - 2);
    const size_t space = to.rfind(' ');
    return space != to.npos && local(to.substr(space + 1));
  }
  // Only names of one of the indices.
  static bool is_index(std::string_view text) {
    bool found = false;
    for (const std::string& name : global_names(text)) {
      if (starts(name, "@llvm.threadlocal.")) continue;
      if (name != "@_ZL9threadIdx" && name != "@_ZL8blockIdx" && name != "@_ZL8blockDim" && name != "@_ZL7gridDim")
        return false;
      found = true;
    }
    return found;
  }
  bool from_place(std::string_view what, const std::string& result) {
    const size_t type = comma(what, 0);
    if (type == what.size()) return false;
    const std::string_view base = what.substr(type + 2, comma(what, type + 2) - type - 2);
    const std::string name(base.substr(std::min(base.rfind(' ') + 1, base.size())));
    if (local(name)) locals_.insert(result);
    else if (indices_.count(name)) indices_.insert(result);
    else return false;
    return true;
  }
  // Operations for which threads that pass are neighbours: not %, &, ^, == and !=.
  static bool is_arithmetic(std::string_view what) {
    for (const char* one : {"add ", "sub ", "mul ", "shl ", "sdiv ", "udiv ", "sext ", "zext ", "trunc ", "xor i1 "})
      if (starts(what, one)) return true;
    if (!starts(what, "icmp ")) return false;
    for (const char* one : {" slt ", " sle ", " sgt ", " sge ", " ult ", " ule ", " ugt ", " uge "})
      if (what.find(one) != what.npos) return true;
    return starts(what, "icmp ne i8 ");  // of a bool
  }
  bool unreachable(std::string_view label) const {
    const Block* const at = block(label);
    if (!at) return false;
    for (size_t i = at->begin; i < at->end; ++i)
      if (!lines_[i].empty()) return starts(lines_[i], "  unreachable");
    return false;
  }

  const std::vector<std::string_view>& lines_;
  std::map<std::string, Block, std::less<>> blocks_;
  std::set<std::string> locals_, indices_;
};

// The text with every numbered value and label named, because their numbers must have no gaps.
std::string with_names(std::string_view line) {
  if (const size_t debug = line.find(", !dbg "); debug != line.npos) line = line.substr(0, debug);
  std::string out;
  for (size_t i = 0; i < line.size(); ++i) {
    out += line[i];
    if (line[i] == '%' && i + 1 < line.size() && std::isdigit(static_cast<unsigned char>(line[i + 1]))) out += "tenon.";
  }
  return out;
}

// A conditional branch on the way to the kernel's work.
struct Guard {
  size_t line;
  std::string_view condition, on;  // on: the label of the block that the work begins in, or the next guard
  bool when;                       // the condition's value there
};

struct Guards {
  std::vector<std::pair<std::string, Block>> blocks;  // with their labels
  std::vector<Guard> branches;
};

std::optional<Guards> find_guards(const std::vector<std::string_view>& lines, size_t begin, size_t end,
                                  std::string_view parameters) {
  Function function(lines, begin, end);
  for (size_t at = 1; at < parameters.size();) {  // parameters in memory of their own
    size_t stop = comma(parameters.substr(0, parameters.size() - 1), at);
    const std::string_view one = parameters.substr(at, stop - at);
    if (one.find("byval(") != one.npos) function.add_parameter(one.substr(one.rfind(' ') + 1));
    at = stop + 2;
  }
  Guards out;
  Guards passed;  // up to the last branch
  std::string label;
  for (int depth = 0; depth < kMostGuards; ++depth) {
    const Block* const block = function.block(label);
    if (!block || !function.reached_once(label) || !function.computes(*block)) break;
    size_t last = block->begin;
    while (!starts(lines[last], "  br ")) ++last;
    out.blocks.push_back({label, {block->begin, last}});
    const std::string_view branch = lines[last];
    if (starts(branch, "  br label ")) {
      out.branches.push_back({last, {}, label_at(branch), true});
      label = label_at(branch);
      continue;
    }
    const size_t comma_at = branch.find(", label ");
    const std::string_view yes = label_at(branch), no = label_at(branch, comma_at + 2 + yes.size());
    const bool to_yes = !function.returns(yes), to_no = !function.returns(no);
    if (!starts(branch, "  br i1 ") || to_yes == to_no) break;
    out.branches.push_back({last, branch.substr(8, comma_at - 8), to_yes ? yes : no, to_yes});
    label = to_yes ? yes : no;
    passed = out;
  }
  if (passed.branches.empty()) return std::nullopt;
  return passed;
}

std::string definition(std::string_view name, std::string_view parameters, const std::vector<std::string_view>& lines,
                       const Guards& guards) {
  std::string out =
      "define internal zeroext i1 " + std::string(name) + with_names(parameters) + " alwaysinline nounwind {\n";
  for (size_t i = 0; i < guards.blocks.size(); ++i) {
    const auto& [label, block] = guards.blocks[i];
    if (!label.empty()) out += with_names(label).substr(1) + ":\n";
    for (size_t line = block.begin; line < block.end; ++line)
      if (!is_debug(lines[line])) out += with_names(lines[line]) + "\n";
    const Guard& guard = guards.branches[i];
    const std::string next = i + 1 < guards.blocks.size() ? with_names(guards.blocks[i + 1].first) : "%tenon.passes";
    const std::string other = "label %tenon.ends";
    if (guard.condition.empty()) out += "  br label " + next + "\n";
    else
      out += "  br i1 " + with_names(guard.condition) + ", " +
             (guard.when ? "label " + next + ", " + other : other + ", label " + next) + "\n";
  }
  return out + "tenon.passes:\n  ret i1 true\ntenon.ends:\n  ret i1 false\n}\n";
}

}  // namespace

std::string with_guards(std::string_view module, bool plain) {
  if (module.find(kPasses) == module.npos) return std::string(module);
  std::vector<std::string_view> lines;
  for (std::string_view rest = module; !rest.empty();) lines.push_back(next_line(rest));

  std::set<std::string, std::less<>> kernels;
  std::map<std::string, size_t> declared;  // functions tenon_passes, by name: their lines
  bool numbered_types = false;             // renaming could confuse them with values
  for (size_t i = 0; i < lines.size(); ++i) {
    numbered_types |=
        starts(lines[i], "%") && lines[i].size() > 1 && std::isdigit(static_cast<unsigned char>(lines[i][1]));
    if (starts(lines[i], kKernelIs)) {
      const std::vector<std::string> names = global_names(lines[i]);
      if (names.size() > 1) kernels.insert(names[1]);
    } else if (starts(lines[i], "declare ") && lines[i].find(kPasses) != lines[i].npos) {
      declared[global_names(lines[i])[0]] = i;
    }
  }
  std::map<std::string, int> mentions;                      // of a kernel, but for its definition
  std::map<std::string, std::pair<size_t, size_t>> bodies;  // of a kernel
  std::map<std::string, std::set<std::string>> asked;       // the kernels that are called where this is asked
  for (size_t i = 0; i < lines.size(); ++i) {
    if (starts(lines[i], kKernelIs) || starts(lines[i], kAnnotations)) continue;
    if (!starts(lines[i], "define ")) {
      for (const std::string& name : global_names(lines[i])) mentions[name] += int(kernels.count(name));
      continue;
    }
    const size_t begin = i;
    const std::string own = global_names(lines[i])[0];
    std::set<std::string> called, asks;
    for (++i; i < lines.size() && lines[i] != "}"; ++i)
      for (const std::string& name : global_names(lines[i])) {
        if (declared.count(name)) asks.insert(name);
        if (!kernels.count(name)) continue;
        ++mentions[name];
        called.insert(name);
      }
    if (kernels.count(own)) bodies[own] = {begin, i};
    for (const std::string& one : asks) asked[one].insert(called.begin(), called.end());
  }

  std::map<size_t, std::string> changed;  // lines
  for (const auto& [name, line] : declared) {
    const std::string_view types = parameters_of(lines[line], name);
    std::string text =
        "define internal zeroext i1 " + name + std::string(types) + " alwaysinline nounwind {\n  ret i1 true\n}\n";
    const auto found = asked.find(name);
    const std::string kernel = found != asked.end() && found->second.size() == 1 ? *found->second.begin() : "";
    if (const auto body = bodies.find(kernel);
        body != bodies.end() && mentions[kernel] == 1 && !numbered_types && !plain) {
      const std::string_view parameters = parameters_of(lines[body->second.first], kernel);
      const std::optional<Guards> guards =
          parameters.empty() ? std::nullopt : find_guards(lines, body->second.first, body->second.second, parameters);
      if (guards) {
        text = definition(name, parameters, lines, *guards);
        for (const Guard& guard : guards->branches) changed[guard.line] = "  br label " + std::string(guard.on) + "\n";
      }
    }
    changed[line] = std::move(text);
  }
  std::string out;
  out.reserve(module.size() + module.size() / 8);
  for (size_t i = 0; i < lines.size(); ++i) {
    if (const auto found = changed.find(i); found != changed.end()) out += found->second;
    else out.append(lines[i]).push_back('\n');
  }
  return out;
}

}  // namespace tenon::cpu
