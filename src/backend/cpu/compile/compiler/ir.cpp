// backend/cpu/compile/compiler/ir.cpp: operations that CUDA defines and C++ does not, defined in LLVM's intermediate
// code.
#include "backend/cpu/compile/compiler/ir.hpp"
#include <algorithm>
#include <cctype>
#include <cstdlib>
#include "backend/cpu/compile/compiler/ir_text.hpp"

namespace tenon::cpu {
namespace {

// "  %7 = sdiv i32 %5, %6, !dbg !9".
struct Operation {
  std::string result, name, type, left, right, rest;
  int bits = 0;

  bool is_signed() const { return name == "sdiv" || name == "srem"; }
  bool divides() const { return is_signed() || name == "udiv" || name == "urem"; }
};

// False: the line is not one of the operations, or an operation on vectors.
bool read(std::string_view line, Operation& out) {
  if (!starts(line, "  %")) return false;
  const size_t equals = line.find(" = ");
  if (equals == line.npos) return false;
  std::string_view rest = line.substr(equals + 3);
  const auto word = [&rest] {
    const std::string_view found = rest.substr(0, rest.find(' '));
    rest.remove_prefix(std::min(found.size() + 1, rest.size()));
    return found;
  };
  const std::string_view name = word();
  bool known = false;
  for (const char* one : {"sdiv", "udiv", "srem", "urem", "shl", "lshr", "ashr"}) known |= name == one;
  if (!known) return false;
  std::string_view type = word();
  while (type == "nuw" || type == "nsw" || type == "exact") type = word();
  if (type.size() < 2 || type[0] != 'i') return false;
  const size_t first = comma(rest, 0);
  if (first == rest.size()) return false;
  const size_t second = comma(rest, first + 2);
  out.result = line.substr(2, equals - 2);
  out.name = name;
  out.type = type;
  out.left = rest.substr(0, first);
  out.right = rest.substr(first + 2, second - first - 2);
  out.rest = rest.substr(second);
  out.bits = std::atoi(out.type.c_str() + 1);
  return out.bits > 0;
}

bool is_harmless(const Operation& o) {
  if (o.right.empty() || (!std::isdigit(static_cast<unsigned char>(o.right[0])) && o.right[0] != '-')) return false;
  if (o.divides()) return o.right != "0" && !(o.is_signed() && o.right == "-1");
  return o.right[0] != '-' && o.right.size() < 6 && std::atoi(o.right.c_str()) < o.bits;
}

// (Named values do not affect the numbering of unnamed ones.)
class IrWriter {
 public:
  IrWriter(std::string& out, const Operation& of, size_t number)
      : out_(out), of_(of), prefix_("%tenon." + std::to_string(number) + ".") {}

  std::string value(const char* name, const std::string& text) { return line(prefix_ + name, text); }
  std::string line(const std::string& name, const std::string& text) {
    out_ += "  " + name + " = " + text + of_.rest + "\n";
    return name;
  }
  std::string compare(const char* name, const char* how, const std::string& with) {
    return value(name, std::string("icmp ") + how + " " + of_.type + " " + of_.right + ", " + with);
  }
  std::string chosen(const std::string& condition, const std::string& yes, const std::string& no) const {
    return "select i1 " + condition + ", " + of_.type + " " + yes + ", " + of_.type + " " + no;
  }
  std::string applied(const std::string& right) const {
    return of_.name + " " + of_.type + " " + of_.left + ", " + right;
  }

 private:
  std::string& out_;
  const Operation& of_;
  const std::string prefix_;
};

void write_division(const Operation& o, IrWriter& to) {
  const std::string zero = to.compare("zero", "eq", "0");
  std::string unsafe = zero, minus;
  if (o.is_signed()) {
    minus = to.compare("minus", "eq", "-1");
    unsafe = to.value("unsafe", "or i1 " + zero + ", " + minus);
  }
  const std::string by = to.value("by", to.chosen(unsafe, "1", o.right));
  std::string result = to.value("result", to.applied(by));
  if (o.name == "sdiv") {
    const std::string negated = to.value("negated", "sub " + o.type + " 0, " + o.left);
    result = to.value("any", to.chosen(minus, negated, result));
  }
  to.line(o.result, to.chosen(zero, "-1", result));
}

// An operand that select does not choose may be poison.
void write_shift(const Operation& o, IrWriter& to) {
  const std::string fits = to.compare("fits", "ult", std::to_string(o.bits));
  if (o.name == "ashr") {
    const std::string by = to.value("by", to.chosen(fits, o.right, std::to_string(o.bits - 1)));
    to.line(o.result, to.applied(by));
  } else {
    to.line(o.result, to.chosen(fits, to.value("result", to.applied(o.right)), "0"));
  }
}

// 256 for "... constant { i32, i32 } { i32 256, i32 2 }, ..."; 0: the definition has another form.
uint32_t first_number(std::string_view definition) {
  const size_t types = definition.find('{'),
               values = types == definition.npos ? types : definition.find('{', types + 1);
  if (values == definition.npos) return 0;
  std::string_view value = definition.substr(std::min(values + 2, definition.size()));
  value.remove_prefix(std::min(value.find(' '), value.size() - 1) + 1);
  const long long number = std::atoll(std::string(value.substr(0, 20)).c_str());
  return number > 0 && number < 1 << 30 ? uint32_t(number) : 0;
}

// Appends the line; an atomic access in it is volatile.
void append_volatile(std::string& out, std::string_view line) {
  for (const std::string_view word :
       {" atomicrmw ", " cmpxchg weak ", " cmpxchg ", " load atomic ", " store atomic "}) {
    const size_t at = starts(line, "  ") ? line.find(word) : line.npos;
    if (at == line.npos) continue;
    const size_t end = at + word.size();
    out.append(line.substr(0, end)).append(starts(line.substr(end), "volatile ") ? "" : "volatile ");
    line.remove_prefix(end);
    break;
  }
  out.append(line);
}

constexpr std::string_view kBounds = "c\"tenon_launch_bounds\\00\"";

}  // namespace

std::map<size_t, uint32_t> take_launch_bounds(std::string& module) {
  std::map<std::string, std::string_view, std::less<>> globals;
  std::map<std::string, size_t> kernels;
  std::string_view annotations;
  std::string out;
  std::string_view rest = module;
  while (!rest.empty()) {
    const std::string_view line = next_line(rest);
    const std::string_view name = global_name(line, 0);
    bool kept = true;
    if (starts(name, kKernelIs)) {
      const std::vector<std::string> named = global_names(line);
      if (named.size() > 1) kernels[named[1]] = size_t(std::atoll(std::string(name.substr(kKernelIs.size())).c_str()));
      kept = false;
    } else if (name == kAnnotations) {
      annotations = line;
      kept = false;
    } else if (!name.empty()) {
      globals.emplace(name, line);
    }
    if (kept) out.append(line).push_back('\n');
  }
  std::map<size_t, uint32_t> bounds;
  // { function, kind, file, line, values } repeated, after their type
  for (size_t at = annotations.find("} { "); at != annotations.npos; at = annotations.find("} { ", at + 1)) {
    const std::string_view one = annotations.substr(at + 4, annotations.find(" }", at + 4) - at - 4);
    const std::vector<std::string> named = global_names(one);
    if (named.size() != 4) continue;
    const auto kernel = kernels.find(named[0]);
    const auto kind = globals.find(named[1]), values = globals.find(named[3]);
    if (kernel == kernels.end() || kind == globals.end() || values == globals.end() ||
        kind->second.find(kBounds) == kind->second.npos)
      continue;
    if (const uint32_t number = first_number(values->second)) bounds[kernel->second] = number;
  }
  module = std::move(out);
  return bounds;
}

std::string with_total_integers(std::string_view module) {
  std::string out;
  out.reserve(module.size() + module.size() / 8);
  size_t number = 0;
  while (!module.empty()) {
    const std::string_view line = next_line(module);
    Operation operation;
    if (read(line, operation) && !is_harmless(operation)) {
      IrWriter to(out, operation, number++);
      if (operation.divides()) write_division(operation, to);
      else write_shift(operation, to);
    } else {
      out.append(line).push_back('\n');
    }
  }
  return out;
}

std::string with_visible_effects(std::string_view module) {
  constexpr std::string_view kInternal = " = internal ";
  std::string out;
  out.reserve(module.size());
  while (!module.empty()) {
    const std::string_view line = next_line(module), name = global_name(line, 0);
    const bool internal = !name.empty() && starts(line.substr(name.size()), kInternal);
    if (internal && line.find("global ", name.size()) != line.npos && name.find("tenon_") == name.npos)
      out.append(name).append(" = ").append(line.substr(name.size() + kInternal.size()));
    else append_volatile(out, line);
    out.push_back('\n');
  }
  return out;
}

bool hides_addresses(std::string_view module) {
  bool own = false;  // the line is in one of the shim's functions: @_ZL11tenon_alonePKv, @_ZN11tenon_probe...
  while (!module.empty()) {
    const std::string_view line = next_line(module);
    if (starts(line, "define ")) {
      std::string_view name = global_name(line, std::min(line.find('@'), line.size()));
      name.remove_prefix(std::min(name.find_first_not_of("@_ZLNK0123456789"), name.size()));
      own = starts(name, "tenon_");
    }
    if (!own && line.find(" ptrtoint ") != line.npos) return true;
  }
  return false;
}

std::vector<std::string> options_for_ir(const std::vector<std::string>& arguments) {
  std::vector<std::string> out = {"-Wno-unused-command-line-argument"};
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string& one = arguments[i];
    if (one == "-mllvm" && i + 1 < arguments.size()) {
      out.insert(out.end(), {one, arguments[i + 1]});
      ++i;
    } else if (starts(one, "-f") || starts(one, "-m") || starts(one, "-O") || starts(one, "-g") || one == "-w") {
      out.push_back(one);
    }
  }
  return out;
}

}  // namespace tenon::cpu
