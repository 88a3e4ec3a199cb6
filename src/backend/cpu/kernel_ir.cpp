// backend/cpu/kernel_ir.cpp: what CUDA defines and C++ does not, written into LLVM's intermediate code.
#include "backend/cpu/kernel_ir.hpp"
#include <algorithm>
#include <cctype>
#include <cstdlib>

namespace tenon::cpu {
namespace {

bool starts(std::string_view text, std::string_view with) { return text.substr(0, with.size()) == with; }

// The first ", " of `text` from `at` on that is in no bracket.
size_t comma(std::string_view text, size_t at) {
  int depth = 0;
  for (; at + 1 < text.size(); ++at) {
    if (text[at] == '(' || text[at] == '[' || text[at] == '{' || text[at] == '<') ++depth;
    if (text[at] == ')' || text[at] == ']' || text[at] == '}' || text[at] == '>') --depth;
    if (depth == 0 && text[at] == ',' && text[at + 1] == ' ') return at;
  }
  return text.size();
}

// "  %7 = sdiv i32 %5, %6, !dbg !9".
struct Operation {
  std::string result, name, type, left, right, rest;
  int bits = 0;

  bool is_signed() const { return name == "sdiv" || name == "srem"; }
  bool divides() const { return is_signed() || name == "udiv" || name == "urem"; }
};

// False: the line is none of the operations, or one of vectors.
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

// (Values with names do not disturb the numbers of those without.)
class Writer {
 public:
  Writer(std::string& out, const Operation& of, size_t number) : out_(out), of_(of), prefix_("%tenon." + std::to_string(number) + ".") {}

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
  std::string applied(const std::string& right) const { return of_.name + " " + of_.type + " " + of_.left + ", " + right; }

 private:
  std::string& out_;
  const Operation& of_;
  const std::string prefix_;
};

void write_division(const Operation& o, Writer& to) {
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

// A result that is not chosen may be poison.
void write_shift(const Operation& o, Writer& to) {
  const std::string fits = to.compare("fits", "ult", std::to_string(o.bits));
  if (o.name == "ashr") {
    const std::string by = to.value("by", to.chosen(fits, o.right, std::to_string(o.bits - 1)));
    to.line(o.result, to.applied(by));
  } else {
    to.line(o.result, to.chosen(fits, to.value("result", to.applied(o.right)), "0"));
  }
}

}  // namespace

std::string with_total_integers(std::string_view module) {
  std::string out;
  out.reserve(module.size() + module.size() / 8);
  size_t number = 0;
  while (!module.empty()) {
    const std::string_view line = module.substr(0, module.find('\n'));
    Operation operation;
    if (read(line, operation) && !is_harmless(operation)) {
      Writer to(out, operation, number++);
      if (operation.divides()) write_division(operation, to);
      else write_shift(operation, to);
    } else {
      out.append(line).push_back('\n');
    }
    module.remove_prefix(std::min(line.size() + 1, module.size()));
  }
  return out;
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
