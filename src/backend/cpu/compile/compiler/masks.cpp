// backend/cpu/compile/compiler/masks.cpp: masked loads and stores whose mask is mostly full.
#include "backend/cpu/compile/compiler/masks.hpp"
#include <algorithm>
#include <map>
#include <string_view>
#include <vector>
#include "backend/cpu/compile/compiler/ir_text.hpp"

namespace tenon::cpu {
namespace {

// "  %9 = tail call <8 x float> @llvm.masked.load.v8f32.p0(ptr %7, i32 4, <8 x i1> %8, <8 x float> poison), !tbaa !5",
// or "  tail call void @llvm.masked.store.v8f32.p0(<8 x float> %6, ptr %7, i32 4, <8 x i1> %8), !tbaa !5"
struct Access {
  std::string before, kind, vector, pointer, alignment, mask_type, mask,
      value;  // value: stored, or of lanes that are off
  bool stores = false;
};

// "<8 x i1> %8": type and value.
bool split(std::string_view operand, std::string& type, std::string& value) {
  const size_t space = starts(operand, "<") ? operand.find("> ") + 1 : operand.find(' ');
  if (space == 0 || space >= operand.size()) return false;
  type = operand.substr(0, space);
  value = operand.substr(space + 1);
  return true;
}

bool read(std::string_view line, Access& out) {
  const size_t at = line.find("@llvm.masked.");
  if (!starts(line, "  ") || at == line.npos) return false;
  const size_t open = line.find('(', at), call = line.find("call ");
  if (open == line.npos || call > at) return false;
  out.kind = line.substr(at + 13, open - at - 13);  // "load.v8f32.p0"
  out.stores = starts(out.kind, "store.");
  if (!out.stores && !starts(out.kind, "load.")) return false;
  if (out.kind.find(".p0") == out.kind.npos || out.kind.find("nxv") != out.kind.npos) return false;
  std::vector<std::string_view> operands;
  const size_t close = line.rfind(')', line.find(", !"));
  if (close == line.npos || close < open) return false;
  const std::string_view inside = line.substr(open + 1, close - open - 1);
  for (size_t i = 0; i < inside.size();) {
    const size_t end = comma(inside, i);
    operands.push_back(inside.substr(i, end - i));
    i = end + 2;
  }
  if (operands.size() != 4) return false;
  if (out.stores)
    std::rotate(operands.begin(), operands.begin() + 1, operands.end());  // pointer, alignment, mask, value
  std::string type, pointer;
  if (!split(operands[0], type, pointer) || type != "ptr") return false;
  // "ptr nonnull align 4 %7", "ptr getelementptr inbounds (...)"
  const size_t name = pointer.find_first_of("%@");
  if (pointer.find('(') == pointer.npos && name != pointer.npos) pointer = pointer.substr(name);
  else if (!starts(pointer, "getelementptr ")) return false;
  out.pointer = pointer;
  if (!split(operands[1], type, out.alignment) || type != "i32") return false;
  if (!split(operands[2], out.mask_type, out.mask) || !split(operands[3], out.vector, out.value)) return false;
  if (out.mask_type.find(" x i1>") == out.mask_type.npos || !starts(out.vector, "<")) return false;
  out.before = line.substr(0, out.stores ? 2 : line.find(" = ") + 3);
  return out.stores || line.find(" = ") < call;
}

// The access, in three blocks: the last one continues the block that the access was in.
std::string tested(const Access& a, const std::string& number) {
  const std::string lanes = "i" + a.mask_type.substr(1, a.mask_type.find(' ') - 1), mask = "%tenon.mask." + number,
                    all = "tenon.all." + number, some = "tenon.some." + number, end = "tenon.end." + number,
                    whole = "%tenon.whole." + number, part = "%tenon.part." + number;
  std::string out = "  " + mask + " = freeze " + a.mask_type + " " + a.mask + "\n  %tenon.bits." + number +
                    " = bitcast " + a.mask_type + " " + mask + " to " + lanes + "\n  %tenon.full." + number +
                    " = icmp eq " + lanes + " %tenon.bits." + number + ", -1\n  br i1 %tenon.full." + number +
                    ", label %" + all + ", label %" + some + "\n" + all + ":\n";
  if (a.stores) {
    out += "  store " + a.vector + " " + a.value + ", ptr " + a.pointer + ", align " + a.alignment + "\n  br label %" +
           end + "\n" + some + ":\n  call void @llvm.masked." + a.kind + "(" + a.vector + " " + a.value + ", ptr " +
           a.pointer + ", i32 " + a.alignment + ", " + a.mask_type + " " + mask + ")\n  br label %" + end + "\n" + end +
           ":\n";
  } else {
    out += "  " + whole + " = load " + a.vector + ", ptr " + a.pointer + ", align " + a.alignment + "\n  br label %" +
           end + "\n" + some + ":\n  " + part + " = call " + a.vector + " @llvm.masked." + a.kind + "(ptr " +
           a.pointer + ", i32 " + a.alignment + ", " + a.mask_type + " " + mask + ", " + a.vector + " " + a.value +
           ")\n  br label %" + end + "\n" + end + ":\n" + a.before + "phi " + a.vector + " [ " + whole + ", %" + all +
           " ], [ " + part + ", %" + some + " ]\n";
  }
  return out;
}

// Appends the function. `number` is that of the next access in the module.
void append_tested(std::string& out, const std::vector<std::string_view>& lines, size_t& number) {
  std::map<std::string, std::string, std::less<>> ends;  // of the labels of changed blocks, the last blocks
  std::string label, text;
  for (const std::string_view line : lines) {
    Access access;
    if (!line.empty() && line[0] != ' ' && line[0] != '}' && !starts(line, "define ") && line.find(':') != line.npos)
      label = "%" + std::string(line.substr(0, line.find(':')));
    if (!label.empty() && read(line, access)) {  // (the first block is in no loop)
      text += tested(access, std::to_string(number));
      ends[label] = "%tenon.end." + std::to_string(number++);
    } else {
      text.append(line).push_back('\n');
    }
  }
  if (ends.empty()) {
    out += text;
    return;
  }
  // "%9 = phi i32 [ %7, %4 ], [ %8, %6 ]": what came from a block comes from its last part.
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view line = next_line(rest);
    const size_t phi = line.find(" = phi ");
    if (phi == line.npos || line.find("tenon.some.") != line.npos) {
      out.append(line).push_back('\n');
      continue;
    }
    size_t done = 0;
    for (size_t end = line.find(" ]"); end != line.npos; end = line.find(" ]", end + 2)) {
      const size_t begin = line.rfind(' ', end - 1) + 1;
      out.append(line.substr(done, begin - done));
      const auto found = ends.find(line.substr(begin, end - begin));
      out.append(found == ends.end() ? line.substr(begin, end - begin) : std::string_view(found->second));
      done = end;
    }
    out.append(line.substr(done)).push_back('\n');
  }
}

}  // namespace

bool test_masks(std::string& module) {
  if (module.find("@llvm.masked.") == module.npos || module.find(", !dbg ") != module.npos) return false;
  std::string out;
  out.reserve(module.size() + module.size() / 8);
  size_t number = 0;
  std::vector<std::string_view> function;
  for (std::string_view rest = module; !rest.empty();) {
    const std::string_view line = next_line(rest);
    if (function.empty() && !starts(line, "define ")) {
      out.append(line).push_back('\n');
      continue;
    }
    function.push_back(line);
    if (line != "}") continue;
    append_tested(out, function, number);
    function.clear();
  }
  if (number == 0) return false;
  module = std::move(out);
  return true;
}

}  // namespace tenon::cpu
