// backend/cpu/ptx/instruction.cpp: PTX instructions, according to NVIDIA's "Parallel Thread Execution ISA": each
// becomes a call of shim/tensor/tenon_ptx.h, or of a CUDA function that does the same. Unknown instructions and
// modifiers are refused.
#include "backend/cpu/ptx/instruction.hpp"
#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <string_view>

namespace tenon::cpu::ptx {
namespace {

using std::string;
using Strings = std::vector<string>;

struct PtxType {
  string cpp;
  int bits;
  char kind;  // u, s, b, f, h (half), g (bfloat16), p
};
const PtxType* type_of(const string& name) {
  static const auto& types = *new std::map<string, PtxType>{{"u8", {"unsigned char", 8, 'u'}},
                                                            {"s8", {"signed char", 8, 's'}},
                                                            {"b8", {"unsigned char", 8, 'b'}},
                                                            {"u16", {"unsigned short", 16, 'u'}},
                                                            {"s16", {"short", 16, 's'}},
                                                            {"b16", {"unsigned short", 16, 'b'}},
                                                            {"u32", {"unsigned", 32, 'u'}},
                                                            {"s32", {"int", 32, 's'}},
                                                            {"b32", {"unsigned", 32, 'b'}},
                                                            {"u64", {"unsigned long long", 64, 'u'}},
                                                            {"s64", {"long long", 64, 's'}},
                                                            {"b64", {"unsigned long long", 64, 'b'}},
                                                            {"f32", {"float", 32, 'f'}},
                                                            {"f64", {"double", 64, 'f'}},
                                                            {"pred", {"bool", 1, 'p'}},
                                                            {"f16", {"__half", 16, 'h'}},
                                                            {"f16x2", {"__half2", 32, 'h'}},
                                                            {"bf16", {"__nv_bfloat16", 16, 'g'}},
                                                            {"bf16x2", {"__nv_bfloat162", 32, 'g'}}};
  const auto found = types.find(name);
  return found == types.end() ? nullptr : &found->second;
}

// The C++ type of a register.
string register_type(const PtxType& t) {
  if (t.kind == 'p' || t.kind == 'f') return t.cpp;
  return t.bits <= 16 ? "unsigned short" : t.bits == 32 ? "unsigned" : "unsigned long long";
}

// An operand of an instruction.
struct Value {
  enum Kind { variable, number, real, expression, sink, vector, address } kind = variable;
  string code;  // C++
  string type;  // for a variable or expression: its C++ type
  bool assignable = false, negated = false;
  std::vector<Value> parts;  // for a vector, and for a pair a|b
  bool pair = false;
};

bool ptx_word_begin(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_' || c == '$'; }
bool ptx_word_part(char c) { return ptx_word_begin(c) || std::isdigit(static_cast<unsigned char>(c)); }

// Special registers: their C++ expression and type.
const std::map<string, std::pair<string, string>>& special_registers() {
  static const auto& all = *new std::map<string, std::pair<string, string>>([] {
    std::map<string, std::pair<string, string>> out;
    const std::pair<const char*, const char*> indices[] = {
        {"tid", "threadIdx"}, {"ntid", "blockDim"}, {"ctaid", "blockIdx"}, {"nctaid", "gridDim"}};
    for (const auto& [name, cpp] : indices)
      for (const char* axis : {"x", "y", "z"}) out[string(name) + "." + axis] = {string(cpp) + "." + axis, "unsigned"};
    const std::pair<const char*, const char*> in_clusters[] = {{"clusterid", "__clusterIdx()"},
                                                               {"nclusterid", "__clusterGridDimInClusters()"},
                                                               {"cluster_ctaid", "__clusterRelativeBlockIdx()"},
                                                               {"cluster_nctaid", "__clusterDim()"}};
    for (const auto& [name, cpp] : in_clusters)
      for (const char* axis : {"x", "y", "z"}) out[string(name) + "." + axis] = {string(cpp) + "." + axis, "unsigned"};
    out["cluster_ctarank"] = {"__clusterRelativeBlockRank()", "unsigned"};
    out["cluster_nctarank"] = {"__clusterSizeInBlocks()", "unsigned"};
    out["is_explicit_cluster"] = {"__clusterDimIsSpecified()", "bool"};
    const string lane = "(1u << tenon_lane())";
    out["laneid"] = {"tenon_lane()", "unsigned"};
    out["warpid"] = {"tenon_ptx::warp_id()", "unsigned"};
    out["nwarpid"] = {"tenon_ptx::warps()", "unsigned"};
    out["smid"] = {"0u", "unsigned"};  // as on a device with one multiprocessor
    out["nsmid"] = {"1u", "unsigned"};
    out["gridid"] = {"0ull", "unsigned long long"};
    out["lanemask_eq"] = {lane, "unsigned"};
    out["lanemask_lt"] = {"(" + lane + " - 1u)", "unsigned"};
    out["lanemask_le"] = {"(" + lane + " * 2u - 1u)", "unsigned"};
    out["lanemask_gt"] = {"~(" + lane + " * 2u - 1u)", "unsigned"};
    out["lanemask_ge"] = {"~(" + lane + " - 1u)", "unsigned"};
    out["clock"] = {"(unsigned)clock64()", "unsigned"};
    out["clock_hi"] = {"(unsigned)(clock64() >> 32)", "unsigned"};
    out["clock64"] = {"(unsigned long long)clock64()", "unsigned long long"};
    out["globaltimer"] = {"tenon_ptx::nanoseconds()", "unsigned long long"};
    out["globaltimer_lo"] = {"(unsigned)tenon_ptx::nanoseconds()", "unsigned"};
    out["globaltimer_hi"] = {"(unsigned)(tenon_ptx::nanoseconds() >> 32)", "unsigned"};
    out["dynamic_smem_size"] = {"tenon_this_frame->shared_bytes", "unsigned"};
    return out;
  }());
  return all;
}

class Writer {
 public:
  explicit Writer(const Statement& of) : of_(of), text_(of.body.text), scopes_(1) { clean(); }

  string run() {
    declare_operands();
    while (skip_space(), at_ < text_.size()) item();
    if (scopes_.size() > 1) refuse("a brace { is not closed");
    string out = "do { " + declarations_ + body_;
    if (of_.fences || text_.find_first_not_of(" \t\r\n;") == string::npos) out += "tenon_ptx::compiler_fence(); ";
    return out + outputs_ + "} while (0)";
  }

 private:
  // --- parsing

  [[noreturn]] void refuse(const string& why) const {
    const auto& lines = of_.body.lines;
    throw Refused{why, begin_ < lines.size() ? lines[begin_] : of_.body.line};
  }
  // Removes comments, and replaces %% by %. The other characters keep their positions.
  void clean() {
    for (size_t i = 0; i + 1 < text_.size(); ++i) {
      if (text_[i] == '%' && text_[i + 1] == '%') text_[i++] = ' ';
      if (text_[i] != '/' || (text_[i + 1] != '/' && text_[i + 1] != '*')) continue;
      size_t end = text_[i + 1] == '/' ? text_.find('\n', i) : text_.find("*/", i + 2);
      end = end == string::npos ? text_.size() : text_[i + 1] == '/' ? end : end + 2;
      std::fill(text_.begin() + long(i), text_.begin() + long(end), ' ');
    }
  }
  void skip_space() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }
  bool next_is(char c) {
    skip_space();
    return at_ < text_.size() && text_[at_] == c;
  }
  bool take_mark(char c) {
    if (!next_is(c)) return false;
    ++at_;
    return true;
  }
  string word() {
    skip_space();
    const size_t from = at_;
    if (at_ < text_.size() && ptx_word_begin(text_[at_]))
      while (at_ < text_.size() && ptx_word_part(text_[at_])) ++at_;
    return text_.substr(from, at_ - from);
  }

  void item() {
    begin_ = at_;
    if (take_mark(';')) return;
    if (take_mark('{')) {
      scopes_.emplace_back();
      return;
    }
    if (take_mark('}')) {
      if (scopes_.size() == 1) refuse("there is a } without a {");
      scopes_.pop_back();
      return;
    }
    if (next_is('.')) return directive();
    if (next_is('@')) return instruction();
    const size_t from = at_;
    const string name = word();
    if (!name.empty() && next_is(':') && !(at_ + 1 < text_.size() && text_[at_ + 1] == ':')) {
      ++at_;
      body_ += label(name) + ":; ";
      return;
    }
    at_ = from;
    instruction();
  }
  string label(const string& name) const { return "tenon_label_" + std::to_string(of_.number) + "_" + name; }

  // ".reg .u32 a, b<3>;"
  void directive() {
    ++at_;
    const string what = word();
    if (what != "reg") refuse("the directive ." + what + " is not available on the CPU device");
    string type;
    while (take_mark('.')) {
      type = word();
      if (type == "v2" || type == "v4") refuse("vector registers are not available on the CPU device");
    }
    const PtxType* t = type_of(type);
    if (!t) refuse("registers of the type ." + type + " are not available on the CPU device");
    do {
      string name = take_mark('%') ? "%" : "";
      name += word();
      if (name.empty() || name == "%") refuse("a register has no name: write .reg .u32 %r0; or .reg .u32 %r<8>;");
      if (take_mark('<')) {
        skip_space();
        const int count = std::atoi(text_.c_str() + at_);
        while (at_ < text_.size() && text_[at_] != '>') ++at_;
        if (!take_mark('>') || count < 1 || count > 4096)
          refuse("the number of registers in " + name + "<...> must be between 1 and 4096");
        for (int i = 0; i < count; ++i) declare(name + std::to_string(i), *t);
      } else {
        declare(name, *t);
      }
    } while (take_mark(','));
    end_of_statement();
  }
  void declare(const string& name, const PtxType& t) {
    const string variable = "tenon_r" + std::to_string(registers_++);
    declarations_ += register_type(t) + " " + variable + " = 0; ";
    scopes_.back()[name] = {variable, register_type(t)};
  }
  void end_of_statement() {
    if (!take_mark(';') && (skip_space(), at_ < text_.size() && text_[at_] != '}'))
      refuse("a statement does not end with a semicolon");
  }

  // "@!p add.u32 d, a, b;"
  void instruction() {
    string guard;
    if (take_mark('@')) {
      const bool negated = take_mark('!');
      const Value p = value();
      if (p.kind != Value::variable) refuse("@ is not followed by a predicate register, as in @%p0 or @!%p0");
      guard = (negated ? "!" : "") + p.code;
    }
    skip_space();
    begin_ = at_;
    name_ = word();
    if (name_.empty()) refuse("an instruction is missing");
    spelled_ = name_;
    modifiers_.clear();
    while (at_ < text_.size() && text_[at_] == '.') {
      ++at_;
      const size_t from = at_;
      while (at_ < text_.size() &&
             (ptx_word_part(text_[at_]) || (text_[at_] == ':' && at_ + 1 < text_.size() && text_[at_ + 1] == ':') ||
              (text_[at_] == ':' && text_[at_ - 1] == ':')))
        ++at_;
      modifiers_.push_back(text_.substr(from, at_ - from));
      spelled_ += "." + modifiers_.back();
    }
    static const std::vector<string> simple = {"add",       "sub",      "bra",       "nop",           "trap",
                                               "nanosleep", "prefetch", "prefetchu", "griddepcontrol"};
    if (!handlers().count(name_) && std::find(simple.begin(), simple.end(), name_) == simple.end()) unknown();
    values_.clear();
    if (skip_space(), at_ < text_.size() && text_[at_] != ';' && text_[at_] != '}') do
        values_.push_back(value_or_pair());
      while (take_mark(','));
    end_of_statement();
    const string before = std::move(body_);
    body_.clear();
    write();
    body_ = before + (guard.empty() ? body_ : "if (" + guard + ") { " + body_ + "} ");
  }

  Value value_or_pair() {
    Value first = value();
    if (!take_mark('|')) return first;
    Value out;
    out.pair = true;
    out.kind = Value::vector;
    out.parts = {first, value()};
    return out;
  }
  Value value() {
    skip_space();
    Value out;
    if (take_mark('!')) {
      out = value();
      out.negated = !out.negated;
      return out;
    }
    if (take_mark('{')) {
      out.kind = Value::vector;
      do out.parts.push_back(value());
      while (take_mark(','));
      if (!take_mark('}')) refuse("a vector of operands has no closing brace");
      return out;
    }
    if (take_mark('[')) return address();
    if (at_ < text_.size() && (std::isdigit(static_cast<unsigned char>(text_[at_])) || text_[at_] == '-'))
      return literal();
    if (at_ < text_.size() && text_[at_] == '%') return named('%');
    return named(0);
  }
  Value address() {
    Value out;
    out.kind = Value::address;
    do {
      const bool minus = take_mark('-');
      Value part = value();
      if (part.kind != Value::variable && part.kind != Value::number)
        refuse("an address of \"" + spelled_ + "\" is not [register] or [register + number]");
      const string code =
          part.kind == Value::number
              ? part.code
              : "tenon_ptx::in<" + string(part.type == "unsigned" ? "unsigned" : "long long") + ">(" + part.code + ")";
      out.code += (out.code.empty() ? (minus ? "-" : "")
                   : minus          ? " - "
                                    : " + ") +
                  string("(unsigned long long)(") + code + ")";
      if (next_is(',')) refuse("an address of \"" + spelled_ + "\" is not [register] or [register + number]");
    } while (take_mark('+') || next_is('-'));
    if (!take_mark(']')) refuse("an address has no closing bracket");
    return out;
  }
  // 12, -3, 0x1f, 0f3F800000, 1.5
  Value literal() {
    const size_t from = at_;
    if (text_[at_] == '-') ++at_;
    while (at_ < text_.size() && (ptx_word_part(text_[at_]) || text_[at_] == '.')) ++at_;
    string text = text_.substr(from, at_ - from);
    Value out;
    out.kind = Value::number;
    const bool minus = text[0] == '-';
    const string plain = text.substr(minus);
    const char mark = plain.size() > 1 && plain[0] == '0' ? char(std::tolower(plain[1])) : 0;
    const auto hexadecimal = [](const string& digits) {
      return !digits.empty() && digits.find_first_not_of("0123456789abcdefABCDEF") == string::npos;
    };
    if ((mark == 'f' || mark == 'd') && plain.size() == (mark == 'f' ? 10u : 18u) && hexadecimal(plain.substr(2))) {
      out.kind = Value::real;
      out.code = mark == 'f' ? "__uint_as_float(0x" + plain.substr(2) + "u)"
                             : "__longlong_as_double((long long)0x" + plain.substr(2) + "ull)";
      if (minus) out.code = "-" + out.code;
    } else if (plain.find('.') != string::npos) {
      if (plain.find_first_not_of("0123456789.eE") != string::npos) refuse("the number " + text + " is not understood");
      out.kind = Value::real;
      out.code = "(" + text + ")";
    } else {
      string digits = plain;
      if (!digits.empty() && (digits.back() == 'U' || digits.back() == 'u')) digits.pop_back();
      char* end = nullptr;
      const bool binary = mark == 'b';
      const unsigned long long number = std::strtoull(digits.c_str() + (binary ? 2 : 0), &end, binary ? 2 : 0);
      if (digits.empty() || *end) refuse("the number " + text + " is not understood");
      out.code = string(minus ? "-" : "") + "(long long)" + std::to_string(number) + "ull";
    }
    return out;
  }
  Value named(char mark) {
    Value out;
    if (mark) ++at_;
    if (mark && at_ < text_.size() && (std::isdigit(static_cast<unsigned char>(text_[at_])) || text_[at_] == '['))
      return of_operand();
    string name = (mark ? "%" : "") + word();
    if (name == "_") {
      out.kind = Value::sink;
      return out;
    }
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope)
      if (const auto found = scope->find(name); found != scope->end()) {
        out.code = found->second.first;
        out.type = found->second.second;
        out.assignable = true;
        return out;
      }
    if (!mark && name == "WARP_SZ") {
      out.kind = Value::number;
      out.code = "32";
      return out;
    }
    if (!mark) {  // the target of a branch, which its reader handles; nothing else is supported
      out.kind = Value::expression;
      out.code = name;
      return out;
    }
    while (at_ + 1 < text_.size() && text_[at_] == '.' && ptx_word_begin(text_[at_ + 1])) {
      ++at_;
      name += "." + word();
    }
    const auto special = special_registers().find(name.substr(1));
    if (special == special_registers().end()) refuse("the register " + name + " is not available on the CPU device");
    out.kind = Value::variable;
    out.code = special->second.first;
    out.type = special->second.second;
    return out;
  }
  Value of_operand() {
    size_t index = 0;
    if (text_[at_] == '[')
      refuse("operands with names, such as %[sum], are not available in CUDA: use %0, %1 and so on");
    while (at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_])))
      index = index * 10 + size_t(text_[at_++] - '0');
    if (index >= of_.operands.size())
      refuse("there is no operand %" + std::to_string(index) + ": the statement has " +
             std::to_string(of_.operands.size()) + ", the first of which is %0");
    const Operand& operand = of_.operands[index];
    Value out;
    out.code = "tenon_p" + std::to_string(index);
    out.type = constraint_type(operand);
    out.assignable = operand.written;
    if (operand.constraint == "n") out.kind = Value::number;
    return out;
  }

  // --- the operands of the asm statement

  string constraint_type(const Operand& operand) const {
    const string& c = operand.constraint;
    if (!c.empty() && std::isdigit(static_cast<unsigned char>(c[0])))
      refuse("the constraint \"" + c +
             "\" is not available in CUDA: write \"+r\" or another \"+\" for an operand that is read and written");
    if (c == "h") return "unsigned short";
    if (c == "r") return "unsigned";
    if (c == "l") return "unsigned long long";
    if (c == "f") return "float";
    if (c == "d") return "double";
    if (c == "n") return "long long";
    refuse("the constraint \"" + c + "\" is not available on the CPU device; use h, r, l, f, d or n");
  }
  void declare_operands() {
    for (size_t i = 0; i < of_.operands.size(); ++i) {
      const Operand& one = of_.operands[i];
      const string type = constraint_type(one), index = std::to_string(i);
      if (one.constraint == "n") {
        declarations_ += "const long long tenon_p" + index + " = (long long)(" + one.expression + "); ";
      } else if (one.written) {
        declarations_ += "auto& tenon_o" + index + " = (" + one.expression + "); " + type + " tenon_p" + index + " = " +
                         (one.read ? "tenon_ptx::in_register<" + type + ">(tenon_o" + index + ")" : string("0")) + "; ";
        outputs_ += "tenon_ptx::out_of_register(tenon_o" + index + ", tenon_p" + index + "); ";
      } else {
        declarations_ +=
            type + " tenon_p" + index + " = tenon_ptx::in_register<" + type + ">(" + one.expression + "); ";
      }
    }
  }

  // --- generating

  bool take(const char* modifier) {
    const auto found = std::find(modifiers_.begin(), modifiers_.end(), modifier);
    if (found == modifiers_.end()) return false;
    modifiers_.erase(found);
    return true;
  }
  string take_one(std::initializer_list<const char*> names) {
    for (const char* name : names)
      if (take(name)) return name;
    return {};
  }
  // The first type among the modifiers.
  PtxType take_type() {
    for (size_t i = 0; i < modifiers_.size(); ++i)
      if (const PtxType* t = type_of(modifiers_[i])) {
        modifiers_.erase(modifiers_.begin() + long(i));
        return *t;
      }
    refuse("the instruction \"" + spelled_ +
           "\" is not available on the CPU device: it has none of the types that are known here");
  }
  [[noreturn]] void unknown() const {
    refuse("the instruction \"" + spelled_ + "\" is not available on the CPU device");
  }
  void require(bool good) const {
    if (!good) unknown();
  }
  void operands(size_t count) const {
    if (values_.size() != count)
      refuse("the instruction \"" + spelled_ + "\" takes " + std::to_string(count) + " operands, but has " +
             std::to_string(values_.size()));
  }

  string in(const Value& v, const string& type) const {
    string out;
    switch (v.kind) {
      case Value::variable: out = "tenon_ptx::in<" + type + ">(" + v.code + ")"; break;
      case Value::number:
        if (type == "float" || type == "double")
          refuse("\"" + spelled_ + "\" takes floating-point numbers: write 1.0, or its bits as in 0f3F800000");
        out = "(" + type + ")(" + v.code + ")";
        break;
      case Value::real: out = "(" + type + ")(" + v.code + ")"; break;
      default: refuse("an operand of \"" + spelled_ + "\" is not a register or a number");
    }
    return v.negated ? "!" + out : out;
  }
  string in(size_t i, const PtxType& t) const { return in(values_[i], t.cpp); }
  string in(size_t i, const char* type) const { return in(values_[i], string(type)); }
  void set(const Value& v, const string& code) {
    if (v.kind == Value::sink) {
      body_ += "(void)(" + code + "); ";
      return;
    }
    if (v.kind != Value::variable || !v.assignable)
      refuse("\"" + spelled_ + "\" writes to something other than a register or an output");
    body_ += "tenon_ptx::out(" + v.code + ", " + code + "); ";
  }
  void set(size_t i, const string& code) { set(values_[i], code); }
  const string& address_of(size_t i) const {
    if (values_[i].kind != Value::address) refuse("\"" + spelled_ + "\" takes an address, as in [%0]");
    return values_[i].code;
  }
  enum Space { generic, shared, cluster_shared };
  string pointer(size_t i, const string& type, Space space) const {
    const char* const at[] = {"tenon_ptx::global_at<", "tenon_ptx::shared_at<", "tenon_ptx::cluster_shared_at<"};
    return at[space] + type + ">(" + address_of(i) + ")";
  }
  static string call(const string& function, const Strings& arguments) {
    string out = function + "(";
    for (size_t i = 0; i < arguments.size(); ++i) out += (i ? ", " : "") + arguments[i];
    return out + ")";
  }
  static string ptx(const char* function, const PtxType& t, const Strings& arguments) {
    return call(string("tenon_ptx::") + function + "<" + t.cpp + ">", arguments);
  }
  static bool is_integer(const PtxType& t) { return t.kind == 'u' || t.kind == 's'; }
  static bool is_number(const PtxType& t) { return t.kind == 'f'; }
  static bool is_small(const PtxType& t) { return t.kind == 'h' || t.kind == 'g'; }
  bool is_pair(const PtxType& t) const { return is_small(t) && t.bits == 32; }
  // For float: with .ftz, denormal numbers become zeros.
  string flushed(const PtxType& t, bool ftz, const string& code) const {
    return ftz && t.cpp == "float" ? "tenon_ptx::flush(" + code + ")" : code;
  }

  static const std::map<string, void (Writer::*)()>& handlers();
  void write();
  void arithmetic(const char* name);
  void multiply();
  void fused();
  void carried();
  void divide();
  void approximate();
  void extreme();
  void sign();
  void bitwise();
  void shift();
  void one_of_bits();
  void compare();
  void move();
  void convert();
  void convert_address();
  void load();
  void store();
  void atomic();
  void fence();
  void barrier();
  void vote();
  void shuffle();
  void match();
  void reduce();
  void async_copy();
  void bulk_copy();
  void cluster_address();
  void mbarrier();
  void load_matrices();
  void transpose_matrix();
  void multiply_matrices();
  string compare_code(const PtxType& t, const string& how, const string& a, const string& b);
  // The modifiers of ld and st: the order ("0" weak, "1" relaxed, "2" the strongest), and the elements.
  struct Access {
    string order;
    size_t parts;
    PtxType word;
    Space space;
  };
  Access take_access(const char* strongest);
  void begin_access(const Access& access, size_t address, const char* constness, const Value& v);
  Space take_space();
  void take_cache_hints();
  string rounded(const char* f32, const char* f64, const PtxType& t, const Strings& arguments);

  const Statement& of_;
  string text_;
  size_t at_ = 0, begin_ = 0;
  string declarations_, body_, outputs_;
  std::vector<std::map<string, std::pair<string, string>>> scopes_;
  size_t registers_ = 0;
  string name_, spelled_;
  Strings modifiers_;
  std::vector<Value> values_;
};

// "__fadd" with the rounding mode of the modifiers: "__fadd_rz(a, b)".
string Writer::rounded(const char* f32, const char* f64, const PtxType& t, const Strings& arguments) {
  const string mode = take_one({"rn", "rz", "rm", "rp"});
  const char* suffix = mode == "rz" ? "_rz" : mode == "rm" ? "_rd" : mode == "rp" ? "_ru" : "_rn";
  return call(string(t.bits == 32 ? f32 : f64) + suffix, arguments);
}

void Writer::arithmetic(const char* name) {
  operands(3);
  const bool add = name_ == "add", ftz = take("ftz"), sat = take("sat"), cc = take("cc");
  const string mode = take_one({"rn", "rz", "rm", "rp"});
  const PtxType t = take_type();
  const Strings ab = {flushed(t, ftz, in(1, t)), flushed(t, ftz, in(2, t))};
  if (is_integer(t)) {
    require(!ftz && mode.empty() && t.bits >= 16);
    if (cc) return set(0, ptx(add ? "add_carry" : "sub_carry", t, {ab[0], ab[1], "0", "true"}));
    if (sat) {
      require(t.cpp == "int");
      return set(0, ptx(add ? "add_sat" : "sub_sat", t, ab));
    }
    return set(0, ptx(name, t, ab));
  }
  require(!cc);
  if (!mode.empty()) modifiers_.push_back(mode);
  if (is_number(t)) {
    const string result = flushed(t, ftz, rounded(add ? "__fadd" : "__fsub", add ? "__dadd" : "__dsub", t, ab));
    return set(0, sat ? "tenon_ptx::saturate(" + result + ")" : result);
  }
  require(is_small(t) && !sat && (mode.empty() || take("rn")));
  set(0, t.cpp + "(" + ab[0] + (add ? " + " : " - ") + ab[1] + ")");
}

void Writer::multiply() {
  operands(3);
  const string part = take_one({"lo", "hi", "wide"});
  const bool ftz = take("ftz"), sat = take("sat");
  if (part.empty()) {
    const string mode = take_one({"rn", "rz", "rm", "rp"});
    const PtxType t = take_type();
    if (!mode.empty()) modifiers_.push_back(mode);
    const Strings ab = {flushed(t, ftz, in(1, t)), flushed(t, ftz, in(2, t))};
    if (is_small(t)) {
      require(!sat && (mode.empty() || take("rn")));
      return set(0, t.cpp + "(" + ab[0] + " * " + ab[1] + ")");
    }
    require(is_number(t));
    const string result = flushed(t, ftz, rounded("__fmul", "__dmul", t, ab));
    return set(0, sat ? "tenon_ptx::saturate(" + result + ")" : result);
  }
  const PtxType t = take_type();
  require(is_integer(t) && !ftz && !sat && t.bits >= 16 && (part != "wide" || t.bits <= 32));
  set(0, ptx(part == "lo" ? "mul" : part == "hi" ? "mul_hi" : "mul_wide", t, {in(1, t), in(2, t)}));
}

// mad, madc, fma
void Writer::fused() {
  operands(4);
  const string part = take_one({"lo", "hi", "wide"});
  const bool ftz = take("ftz"), sat = take("sat"), cc = take("cc"), with = name_ == "madc";
  if (part.empty()) {
    require(name_ != "madc" && !cc);
    const string mode = take_one({"rn", "rz", "rm", "rp"});
    const PtxType t = take_type();
    if (!mode.empty()) modifiers_.push_back(mode);
    if (is_small(t)) {
      const bool relu = take("relu");
      require(take("rn") && !sat);
      return set(
          0, call(string(is_pair(t) ? "__hfma2" : "__hfma") + (relu ? "_relu" : ""), {in(1, t), in(2, t), in(3, t)}));
    }
    require(is_number(t));
    const string result =
        flushed(t, ftz,
                rounded("__fmaf", "__fma", t,
                        {flushed(t, ftz, in(1, t)), flushed(t, ftz, in(2, t)), flushed(t, ftz, in(3, t))}));
    return set(0, sat ? "tenon_ptx::saturate(" + result + ")" : result);
  }
  const PtxType t = take_type();
  require(is_integer(t) && t.bits >= 16 && !ftz && !sat);
  if (part == "wide") {
    require(t.bits <= 32 && !cc && !with);
    const string wide = "typename tenon_ptx::twice<" + t.cpp + ">::type";
    return set(0, "tenon_ptx::add<" + wide + ">(" + ptx("mul_wide", t, {in(1, t), in(2, t)}) + ", " +
                      in(values_[3], wide) + ")");
  }
  const string product = ptx(part == "lo" ? "mul" : "mul_hi", t, {in(1, t), in(2, t)});
  if (!cc && !with) return set(0, ptx("add", t, {product, in(3, t)}));
  require(t.bits >= 32);
  set(0, ptx("add_carry", t, {product, in(3, t), with ? "tenon_ptx::carry" : "0", cc ? "true" : "false"}));
}

// addc, subc
void Writer::carried() {
  operands(3);
  const bool cc = take("cc");
  const PtxType t = take_type();
  require(is_integer(t) && t.bits >= 32);
  set(0, ptx(name_ == "addc" ? "add_carry" : "sub_carry", t,
             {in(1, t), in(2, t), "tenon_ptx::carry", cc ? "true" : "false"}));
}

void Writer::divide() {
  operands(3);
  const bool ftz = take("ftz"), rough = take("approx") || take("full");
  const string mode = take_one({"rn", "rz", "rm", "rp"});
  const PtxType t = take_type();
  if (is_integer(t)) {
    require(!ftz && !rough && mode.empty() && t.bits >= 16);
    return set(0, ptx(name_.c_str(), t, {in(1, t), in(2, t)}));
  }
  require(is_number(t) && name_ == "div" && rough == mode.empty() && (!rough || t.bits == 32));
  if (!mode.empty()) modifiers_.push_back(mode);
  set(0, flushed(t, ftz, rounded("__fdiv", "__ddiv", t, {flushed(t, ftz, in(1, t)), flushed(t, ftz, in(2, t))})));
}

// rcp, sqrt, rsqrt, sin, cos, lg2, ex2, tanh
void Writer::approximate() {
  operands(2);
  const bool ftz = take("ftz"), rough = take("approx");
  const string mode = take_one({"rn", "rz", "rm", "rp"});
  const PtxType t = take_type();
  require(is_number(t) && (rough || !mode.empty()));
  const string a = flushed(t, ftz, in(1, t));
  string result;
  if (!rough) {
    require(name_ == "rcp" || name_ == "sqrt");
    modifiers_.push_back(mode);
    result = name_ == "rcp" ? rounded("__frcp", "__drcp", t, {a}) : rounded("__fsqrt", "__dsqrt", t, {a});
  } else {
    require(mode.empty() && (t.bits == 32 || (name_ == "rsqrt" && !ftz)));
    static const auto& functions = *new std::map<string, const char*>{
        {"rcp", "__frcp_rn"}, {"sqrt", "__fsqrt_rn"}, {"rsqrt", "rsqrtf"}, {"sin", "sinf"},
        {"cos", "cosf"},      {"lg2", "log2f"},       {"ex2", "exp2f"},    {"tanh", "tanhf"}};
    result = call(t.bits == 64 ? "rsqrt" : functions.at(name_), {a});
  }
  set(0, flushed(t, ftz, result));
}

void Writer::extreme() {
  operands(3);
  const bool ftz = take("ftz"), nan = take("NaN"), least = name_ == "min";
  const PtxType t = take_type();
  const Strings ab = {flushed(t, ftz, in(1, t)), flushed(t, ftz, in(2, t))};
  if (is_integer(t)) {
    require(!ftz && !nan && t.bits >= 16);
    return set(0, ptx(name_.c_str(), t, ab));
  }
  if (is_small(t)) return set(0, call(string("__h") + name_ + (is_pair(t) ? "2" : "") + (nan ? "_nan" : ""), ab));
  require(is_number(t) && (!nan || t.bits == 32));
  set(0, flushed(t, ftz, ptx(least ? nan ? "least_or_nan" : "least" : nan ? "greatest_or_nan" : "greatest", t, ab)));
}

// abs, neg
void Writer::sign() {
  operands(2);
  const bool ftz = take("ftz"), negates = name_ == "neg";
  const PtxType t = take_type();
  if (t.kind == 's') return set(0, ptx(name_.c_str(), t, {in(1, t)}));
  if (is_number(t)) {
    const string a = flushed(t, ftz, in(1, t));
    return set(0, negates ? "-" + a : call(t.bits == 32 ? "__builtin_fabsf" : "__builtin_fabs", {a}));
  }
  require(is_small(t) && !ftz);
  const PtxType word = *type_of(t.bits == 32 ? "b32" : "b16");
  const string signs = t.bits == 32 ? "0x80008000u" : "0x8000u";
  set(0, "(" + word.cpp + ")(" + in(1, word) + (negates ? " ^ " : " & ~") + signs + ")");
}

void Writer::bitwise() {
  const PtxType t = take_type();
  require(t.kind == 'b' || t.kind == 'p');
  if (name_ == "not" || name_ == "cnot") {
    operands(2);
    require(name_ == "not" || t.kind == 'b');
    return set(0, "(" + t.cpp + ")(" + (t.kind == 'p' || name_ == "cnot" ? "!" : "~") + in(1, t) + ")");
  }
  operands(3);
  const char* sign = name_ == "and" ? " & " : name_ == "or" ? " | " : " ^ ";
  set(0, "(" + t.cpp + ")(" + in(1, t) + sign + in(2, t) + ")");
}

void Writer::shift() {
  if (name_ == "shf") {
    operands(4);
    const bool left = take("l"), right = take("r"), wraps = take("wrap"), clamps = take("clamp");
    require(left != right && wraps != clamps && take("b32"));
    return set(0, call(string("__funnelshift_") + (left ? "l" : "r") + (clamps ? "c" : ""),
                       {in(1, "unsigned"), in(2, "unsigned"), in(3, "unsigned")}));
  }
  operands(3);
  const PtxType t = take_type();
  require(t.bits >= 16 && (t.kind == 'b' || (name_ == "shr" && is_integer(t))));
  set(0, ptx(name_.c_str(), t, {in(1, t), in(2, "unsigned")}));
}

// popc, clz, brev, bfind, bmsk, bfe, bfi, prmt, lop3, dp4a, sad, mul24, mad24
void Writer::one_of_bits() {
  if (name_ == "prmt") {
    operands(4);
    require(take("b32"));
    return set(0, call("__byte_perm", {in(1, "unsigned"), in(2, "unsigned"), in(3, "unsigned")}));
  }
  if (name_ == "bmsk") {
    operands(3);
    const string mode = take_one({"clamp", "wrap"});
    require(!mode.empty() && take("b32"));
    return set(0, call("tenon_ptx::bmsk", {in(1, "unsigned"), in(2, "unsigned"), mode == "clamp" ? "true" : "false"}));
  }
  if (name_ == "lop3") {
    operands(5);
    require(take("b32"));
    return set(0,
               call("tenon_ptx::lop3", {in(1, "unsigned"), in(2, "unsigned"), in(3, "unsigned"), in(4, "unsigned")}));
  }
  const bool amount = take("shiftamt"), low = take("lo");
  const PtxType t = take_type();
  if (name_ == "dp4a") {
    operands(4);
    require(t.bits == 32 && is_integer(t) && take_type().cpp == t.cpp);
    return set(0, call("__dp4a", {in(1, t), in(2, t), in(3, t)}));
  }
  if (name_ == "mul24" || name_ == "mad24") {
    operands(name_ == "mul24" ? 3 : 4);
    require(low && t.bits == 32 && is_integer(t));
    const string product = call(t.kind == 'u' ? "__umul24" : "__mul24", {in(1, t), in(2, t)});
    return set(0, name_ == "mul24" ? product : ptx("add", t, {product, in(3, t)}));
  }
  if (name_ == "sad") {
    operands(4);
    require(is_integer(t) && t.bits >= 16);
    return set(0, ptx("sad", t, {in(1, t), in(2, t), in(3, t)}));
  }
  if (name_ == "bfe" || name_ == "bfi") {
    const bool extracts = name_ == "bfe";
    operands(extracts ? 4 : 5);
    require(t.bits >= 32 && (extracts ? is_integer(t) : t.kind == 'b'));
    if (extracts) return set(0, ptx("bfe", t, {in(1, t), in(2, "unsigned"), in(3, "unsigned")}));
    return set(0, ptx("bfi", t, {in(1, t), in(2, t), in(3, "unsigned"), in(4, "unsigned")}));
  }
  operands(2);
  require(t.bits >= 32);
  if (name_ == "bfind") {
    require(is_integer(t));
    return set(0, ptx("bfind", t, {in(1, t), amount ? "true" : "false"}));
  }
  require(t.kind == 'b' && !amount);
  set(0, ptx(name_.c_str(), t, {in(1, t)}));
}

string Writer::compare_code(const PtxType& t, const string& how, const string& a, const string& b) {
  const bool real = is_number(t) || is_small(t);
  string name = how;
  Strings arguments = {a, b};
  if (how == "lo" || how == "ls" || how == "hi" || how == "hs") {
    require(t.kind == 'u');
    name = how == "lo" ? "lt" : how == "ls" ? "le" : how == "hi" ? "gt" : "ge";
  }
  if (t.kind == 'b') require(how == "eq" || how == "ne");
  if (name == "nan") return "!" + ptx("num", t, arguments);
  require(real || (name.size() == 2 && name != "nu"));
  require(!is_pair(t));
  if (is_small(t)) {
    for (string& one : arguments) one = "(float)" + one;
    return call("tenon_ptx::" + name + "<float>", arguments);
  }
  return ptx(name.c_str(), t, arguments);
}

// setp, set, selp
void Writer::compare() {
  if (name_ == "selp") {
    operands(4);
    const PtxType t = take_type();
    require(t.bits >= 16);
    const PtxType plain = is_small(t) ? *type_of(t.bits == 32 ? "b32" : "b16") : t;
    return set(0, "(" + in(values_[3], "bool") + " ? " + in(1, plain) + " : " + in(2, plain) + ")");
  }
  const string how = take_one({"eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi", "hs", "equ", "neu", "ltu", "leu",
                               "gtu", "geu", "num", "nan"});
  const string with = take_one({"and", "or", "xor"});
  const bool ftz = take("ftz");
  require(!how.empty() && (with.empty() ? values_.size() == 3 : values_.size() == 4));
  if (name_ == "set") {
    const PtxType to = take_type(), t = take_type();
    require(with.empty() && to.bits == 32 && (is_integer(to) || is_number(to)));
    const string test = compare_code(t, how, flushed(t, ftz, in(1, t)), flushed(t, ftz, in(2, t)));
    return set(0, "(" + test + (is_number(to) ? " ? 1.0f : 0.0f)" : " ? 0xffffffffu : 0u)"));
  }
  const PtxType t = take_type();
  const string test = compare_code(t, how, flushed(t, ftz, in(1, t)), flushed(t, ftz, in(2, t)));
  const auto combined = [&](const string& one) {
    if (with.empty()) return "(bool)(" + one + ")";
    return "(bool)(" + one + (with == "and" ? " & " : with == "or" ? " | " : " ^ ") + in(values_[3], "bool") + ")";
  };
  if (!values_[0].pair) return set(0, combined(test));
  body_ += "{ const bool tenon_test = " + test + "; const bool tenon_first = " + combined("tenon_test") +
           ", tenon_second = " + combined("!tenon_test") + "; ";
  set(values_[0].parts[0], "tenon_first");
  set(values_[0].parts[1], "tenon_second");
  body_ += "} ";
}

void Writer::move() {
  operands(2);
  const PtxType t = take_type();
  const bool unpacks = values_[0].kind == Value::vector, packs = values_[1].kind == Value::vector;
  if (!unpacks && !packs) return set(0, in(1, t));
  require(t.kind == 'b' && unpacks != packs);
  const Value& vector = values_[unpacks ? 0 : 1];
  const int each = t.bits / int(vector.parts.size());
  require(!vector.pair && (each == 8 || each == 16 || each == 32) && each * int(vector.parts.size()) == t.bits);
  const string part = each == 8 ? "unsigned char" : each == 16 ? "unsigned short" : "unsigned";
  if (packs) {
    string sum;
    for (size_t i = 0; i < vector.parts.size(); ++i)
      sum += (i ? " | (" : "(") + t.cpp + ")" + in(vector.parts[i], part) + " << " + std::to_string(int(i) * each);
    return set(0, "(" + t.cpp + ")(" + sum + ")");
  }
  body_ += "{ const " + t.cpp + " tenon_whole = " + in(1, t) + "; ";
  for (size_t i = 0; i < vector.parts.size(); ++i)
    set(vector.parts[i], "(" + part + ")(tenon_whole >> " + std::to_string(int(i) * each) + ")");
  body_ += "} ";
}

void Writer::convert() {
  const string round = take_one({"rni", "rzi", "rmi", "rpi"}), mode = take_one({"rn", "rz", "rm", "rp", "rna"});
  const bool ftz = take("ftz"), sat = take("sat");
  if (mode == "rna") {
    operands(2);
    require(take("tf32") && take("f32") && !sat);
    return set(0, "tenon_ptx::tf32_of(" + in(1, "float") + ")");
  }
  const PtxType to = take_type(), from = take_type();
  const char* direction = mode == "rz" ? "_rz" : mode == "rm" ? "_rd" : mode == "rp" ? "_ru" : "_rn";
  if (is_pair(to)) {  // the second operand becomes the lower half
    operands(3);
    require(from.cpp == "float" && mode == "rn" && !sat);
    return set(0, call(to.kind == 'h' ? "__floats2half2_rn" : "__floats2bfloat162_rn", {in(2, from), in(1, from)}));
  }
  operands(2);
  require(!is_pair(from));
  string a = flushed(from, ftz, in(1, from));
  if (is_integer(from) && is_integer(to)) {
    require(round.empty() && mode.empty() && !ftz);
    return set(0, sat ? call("tenon_ptx::saturated<" + to.cpp + ", " + from.cpp + ">", {a}) : "(" + to.cpp + ")" + a);
  }
  require(from.kind != 'b' && to.kind != 'b' && from.kind != 'p' && to.kind != 'p');
  if (is_small(from)) a = call(from.kind == 'h' ? "__half2float" : "__bfloat162float", {a});
  const string real = from.bits == 64 ? "double" : "float", letter = from.bits == 64 ? "" : "f";
  if (!round.empty()) {
    require(!is_integer(from) && mode.empty());
    a = call((round == "rni" ? "rint" : round == "rzi" ? "trunc" : round == "rmi" ? "floor" : "ceil") + letter, {a});
  }
  if (is_integer(to)) {
    require(!round.empty());
    // The result for NaN: 0, or the highest bit if either type has 64 bits.
    const string highest = from.bits == 64 || to.bits == 64 ? "true" : "false";
    return set(0, call("tenon_ptx::integer_of<" + to.cpp + ", " + highest + ">", {a}));
  }
  string result;
  if (is_small(to)) {
    const string name = to.kind == 'h' ? "half" : "bfloat16";
    if (is_small(from)) require(from.kind == to.kind && mode.empty());
    else require(mode == "rn" || (mode == "rz" && from.cpp == "float"));
    result = is_small(from) && round.empty() && !sat ? in(1, from)
             : mode == "rz"                          ? call("__float2" + name + "_rz", {a})
                                                     : to.cpp + "(" + a + ")";
    require(!sat);
  } else if (is_integer(from)) {
    require(!mode.empty());
    const string source = from.bits == 64 ? (from.kind == 's' ? "ll" : "ull") : from.kind == 's' ? "int" : "uint";
    const string target = to.bits == 64 ? "double" : "float";
    result = from.bits <= 32 && to.bits == 64 ? "(double)" + a : call("__" + source + "2" + target + direction, {a});
  } else if (from.bits == 64 && to.bits == 32) {
    require(!mode.empty());
    result = call(string("__double2float") + direction, {a});
  } else {
    require(mode.empty() || (from.cpp == to.cpp && mode == "rn"));
    result = "(" + to.cpp + ")" + a;
  }
  result = flushed(to, ftz, result);
  set(0, sat ? call("tenon_ptx::saturate<" + to.cpp + ">", {result}) : result);
}

void Writer::convert_address() {
  operands(2);
  const bool to = take("to");
  const string space = take_one({"shared::cta", "shared::cluster", "shared", "global", "local", "const", "param"});
  const PtxType t = take_type();
  require(t.kind == 'u' && t.bits >= 32 && !space.empty() && space != "param");
  const bool shared = space[0] == 's';
  if (!shared) return set(0, in(1, t));
  require(to || t.bits == 64);
  if (space == "shared::cluster")
    return set(0, to ? "(" + t.cpp + ")tenon_ptx::of_cluster((const void*)" + in(1, "unsigned long long") + ")"
                     : "(unsigned long long)tenon_ptx::cluster_at(" + in(1, t) + ")");
  if (to) set(0, "(" + t.cpp + ")__cvta_generic_to_shared((const void*)" + in(1, "unsigned long long") + ")");
  else set(0, "(unsigned long long)__cvta_shared_to_generic((size_t)" + in(1, t) + ")");
}

// mapa, getctarank: addresses of 32 bits are of shared memory, those of 64 bits generic unless they say otherwise.
void Writer::cluster_address() {
  const bool maps = name_ == "mapa", windowed = take("shared::cluster");
  const PtxType t = take_type();
  operands(maps ? 3 : 2);
  require(t.kind == 'u' && t.bits >= 32 && (windowed || t.bits == 64));
  const string at = windowed ? in(1, t) : "(void*)" + in(1, t);
  if (!maps)
    return set(0, windowed ? "__cluster_query_shared_rank(tenon_ptx::cluster_at(" + at + "))"
                           : "__cluster_query_shared_rank(" + at + ")");
  set(0, "(" + t.cpp + ")" + (windowed ? "tenon_ptx::map_shared(" : "(size_t)__cluster_map_shared_rank(") + at + ", " +
             in(2, "unsigned") + ")");
}

Writer::Space Writer::take_space() {
  const string space = take_one({"global", "shared", "shared::cta", "shared::cluster", "local", "const"});
  return space == "shared::cluster" ? cluster_shared : space[0] == 's' ? shared : generic;
}
// These modifiers only affect speed.
void Writer::take_cache_hints() {
  for (const char* hint : {"ca", "cg", "cs", "lu", "cv", "wb", "wt", "nc", "L1::evict_normal", "L1::evict_unchanged",
                           "L1::evict_first", "L1::evict_last", "L1::no_allocate", "L2::evict_normal",
                           "L2::evict_first", "L2::evict_last", "L2::64B", "L2::128B", "L2::256B"})
    take(hint);
}

Writer::Access Writer::take_access(const char* strongest) {
  const bool plain = take("weak");
  const string order = take_one({"relaxed", strongest, "volatile"});
  const string scope = take_one({"cta", "cluster", "gpu", "sys"});
  const Space space = take_space();
  take_cache_hints();
  const string count = take_one({"v2", "v4", "v8"});
  const PtxType t = take_type();
  require(t.kind != 'p' && !(plain && !order.empty()) && (scope.empty() || !order.empty()));
  return {order == strongest ? "2"
          : order.empty()    ? "0"
                             : "1",
          count.empty() ? 1 : size_t(count[1] - '0'), is_small(t) ? *type_of(t.bits == 32 ? "b32" : "b16") : t, space};
}
// Begins a block in which tenon_at is the address, aligned as a vector requires.
void Writer::begin_access(const Access& access, size_t address, const char* constness, const Value& v) {
  const string& type = access.word.cpp;
  body_ += string("{ ") + constness + type + "* const tenon_at = " + pointer(address, type, access.space) + "; ";
  if (access.parts == 1) return;
  require(v.kind == Value::vector && v.parts.size() == access.parts);
  body_ += "tenon_ptx::aligned<" + std::to_string(access.parts * size_t(access.word.bits) / 8) + ">(tenon_at); ";
}

void Writer::load() {
  operands(2);
  const bool refetches = std::find(modifiers_.begin(), modifiers_.end(), "cv") != modifiers_.end();
  const Access access = take_access("acquire");
  const string read = "tenon_ptx::load<" + (access.order == "0" && refetches ? "1" : access.order) + ">(tenon_at";
  const Value& v = values_[0];
  begin_access(access, 1, "const ", v);
  if (access.parts > 1) {
    // All parts are read before the first is written, because the address register may be among the targets.
    for (size_t i = 0; i < access.parts; ++i) {
      const string n = std::to_string(i);
      body_ += "const " + access.word.cpp + " tenon_v" + n + " = " + read + " + " + n + "); ";
    }
    for (size_t i = 0; i < access.parts; ++i) set(v.parts[i], "tenon_v" + std::to_string(i));
  } else {
    set(v.kind == Value::vector && v.parts.size() == 1 ? v.parts[0] : v, read + ")");
  }
  body_ += "} ";
}

void Writer::store() {
  operands(2);
  const Access access = take_access("release");
  const Value& v = values_[1];
  begin_access(access, 0, "", v);
  for (size_t i = 0; i < access.parts; ++i)
    body_ += "tenon_ptx::store<" + access.order + ", " + access.word.cpp + ">(tenon_at + " + std::to_string(i) + ", " +
             in(v.kind == Value::vector ? v.parts.at(i) : v, access.word.cpp) + "); ";
  body_ += "} ";
}

// atom, red
void Writer::atomic() {
  const bool returns = name_ == "atom";
  const string order = take_one({"relaxed", "acquire", "release", "acq_rel"});
  take_one({"cta", "cluster", "gpu", "sys"});
  const Space space = take_space();
  take("noftz");
  const string what = take_one({"add", "and", "or", "xor", "exch", "cas", "min", "max", "inc", "dec"});
  const PtxType t = take_type();
  const size_t first = returns ? 1 : 0;
  require(!what.empty() && t.bits >= 16 && (returns || (what != "exch" && what != "cas")));
  operands(first + (what == "cas" ? 3 : 2));
  const bool logical = what == "and" || what == "or" || what == "xor" || what == "exch" || what == "cas";
  require(logical ? t.kind == 'b' : what == "add" ? t.kind != 'b' : is_integer(t));
  require((what != "inc" && what != "dec") || t.cpp == "unsigned");
  const string b = in(first + 1, t), c = what == "cas" ? in(first + 2, t) : "";
  body_ += "{ const " + t.cpp + " tenon_b = " + b + "; ";
  if (what == "cas") body_ += "const " + t.cpp + " tenon_c = " + c + "; ";
  static const auto& changes =
      *new std::map<string, const char*>{{"and", "tenon_old & tenon_b"},
                                         {"or", "tenon_old | tenon_b"},
                                         {"xor", "tenon_old ^ tenon_b"},
                                         {"exch", "((void)tenon_old, tenon_b)"},
                                         {"cas", "tenon_old == tenon_b ? tenon_c : tenon_old"},
                                         {"min", "tenon_ptx::min(tenon_old, tenon_b)"},
                                         {"max", "tenon_ptx::max(tenon_old, tenon_b)"},
                                         {"inc", "tenon_old >= tenon_b ? 0u : tenon_old + 1u"},
                                         {"dec", "tenon_old == 0u || tenon_old > tenon_b ? tenon_b : tenon_old - 1u"}};
  const string change = what != "add" ? changes.at(what)
                        : is_small(t) ? "tenon_old + tenon_b"
                                      : "tenon_ptx::add<" + t.cpp + ">(tenon_old, tenon_b)";
  const bool ordered = !order.empty() && order != "relaxed";
  const string update = string("tenon_ptx::atom<") + (ordered ? "true" : "false") + ">(" +
                        pointer(first, t.cpp, space) + ", [=](" + t.cpp + " tenon_old) -> " + t.cpp + " { return (" +
                        t.cpp + ")(" + change + "); })";
  if (returns) set(0, update);
  else body_ += "(void)" + update + "; ";
  body_ += "} ";
}

// membar, fence
void Writer::fence() {
  operands(0);
  if (take("mbarrier_init")) {
    require(take("release") && take("cluster"));
    body_ += "tenon_ptx::memory_fence(); ";
    return;
  }
  take_one({"sc", "acq_rel"});
  const bool block = take("cta");
  if (take("proxy") && take_one({"async", "alias", "async.global", "async.shared::cta"}).size())
    take_one({"global", "shared::cta"});
  if (!block) take_one({"gl", "gpu", "sys", "cluster"});
  body_ += block ? "tenon_ptx::block_fence(); " : "tenon_ptx::memory_fence(); ";
}

// bar, barrier
void Writer::barrier() {
  if (name_ == "barrier" && take("cluster")) {
    operands(0);
    const bool arrives = take("arrive");
    require(arrives || take("wait"));
    const bool relaxed = arrives && take("relaxed");
    if (!relaxed) take(arrives ? "release" : "acquire");
    take("aligned");
    body_ += arrives ? "__cluster_barrier_arrive(); " : "__cluster_barrier_wait(); ";
    return;
  }
  take("cta");
  take("aligned");
  if (take("warp")) {
    require(take("sync"));
    operands(1);
    body_ += "__syncwarp(" + in(0, "unsigned") + "); ";
    return;
  }
  if (take("arrive")) {
    operands(2);
    body_ += "tenon_ptx::named_arrive(" + in(0, "unsigned") + ", " + in(1, "unsigned") + "); ";
    return;
  }
  require(take("sync") && (values_.size() == 1 || values_.size() == 2));
  if (values_.size() == 1 && values_[0].kind == Value::number) {
    body_ += values_[0].code == "(long long)0ull" ? string("tenon_ptx::block_barrier(); ")
                                                  : "tenon_ptx::named_barrier(" + in(0, "unsigned") + ", 0u); ";
    return;
  }
  body_ +=
      "tenon_ptx::named_barrier(" + in(0, "unsigned") + ", " + (values_.size() == 2 ? in(1, "unsigned") : "0u") + "); ";
}

void Writer::vote() {
  operands(3);
  require(take("sync"));
  const string how = take_one({"ballot", "any", "all", "uni"});
  require(!how.empty() && take(how == "ballot" ? "b32" : "pred"));
  const string result = "__" + how + "_sync(" + in(2, "unsigned") + ", " + in(values_[1], "bool") + ")";
  set(0, how == "ballot" ? result : "(bool)" + result);
}

void Writer::shuffle() {
  operands(5);
  require(take("sync"));
  const string how = take_one({"up", "down", "bfly", "idx"});
  require(!how.empty() && take("b32"));
  const Value to = values_[0].pair ? values_[0].parts[0] : values_[0];
  body_ += "{ bool tenon_inside; const unsigned tenon_got = tenon_ptx::shuffle(tenon_ptx::" + how + ", " +
           in(1, "unsigned") + ", " + in(2, "unsigned") + ", " + in(3, "unsigned") + ", " + in(4, "unsigned") +
           ", tenon_inside); ";
  set(to, "tenon_got");
  if (values_[0].pair) set(values_[0].parts[1], "tenon_inside");
  body_ += "(void)tenon_inside; } ";
}

// match, activemask, elect
void Writer::match() {
  if (name_ == "activemask") {
    operands(1);
    require(take("b32"));
    return set(0, "__activemask()");
  }
  require(take("sync"));
  if (name_ == "elect") {
    operands(2);
    require(values_[0].pair);
    body_ +=
        "{ bool tenon_leads; const unsigned tenon_first = tenon_ptx::elected(" + in(1, "unsigned") + ", tenon_leads); ";
    set(values_[0].parts[0], "tenon_first");
    set(values_[0].parts[1], "tenon_leads");
    body_ += "} ";
    return;
  }
  operands(3);
  const bool all = take("all"), any = take("any");
  const PtxType t = take_type();
  require(all != any && t.kind == 'b' && t.bits >= 32);
  if (any) return set(0, "__match_any_sync(" + in(2, "unsigned") + ", " + in(1, t) + ")");
  body_ += "{ bool tenon_all; const unsigned tenon_set = tenon_ptx::match_all(" + in(2, "unsigned") + ", " + in(1, t) +
           ", tenon_all); ";
  set(values_[0].pair ? values_[0].parts[0] : values_[0], "tenon_set");
  if (values_[0].pair) set(values_[0].parts[1], "tenon_all");
  body_ += "(void)tenon_all; } ";
}

void Writer::reduce() {
  operands(3);
  require(take("sync"));
  const string how = take_one({"add", "min", "max", "and", "or", "xor"});
  const PtxType t = take_type();
  const bool bits = how == "and" || how == "or" || how == "xor";
  require(!how.empty() && t.bits == 32 && (bits ? t.kind == 'b' : is_integer(t)));
  set(0, "__reduce_" + how + "_sync(" + in(2, "unsigned") + ", " + in(1, t) + ")");
}

// cp.async: the copies are made immediately.
void Writer::async_copy() {
  require(take("async"));
  if (take("bulk")) return bulk_copy();
  if (take("commit_group")) return operands(0);
  if (take("wait_all")) return operands(0);
  if (take("wait_group")) return operands(1);
  if (take("mbarrier")) {
    require(take("arrive"));
    operands(1);
    const bool counted = take("noinc");
    const Space space = take_space();
    require(take("b64"));
    if (counted) body_ += "(void)tenon_ptx::barrier_at(" + pointer(0, "void", space) + ")->arrive(); ";
    return;
  }
  require(take_one({"ca", "cg"}).size() && take_one({"shared", "shared::cta"}).size() && take("global"));
  take_cache_hints();
  require(values_.size() == 3 || values_.size() == 4);
  require(values_[2].kind == Value::number);
  body_ += call("tenon_ptx::copy_async", {pointer(0, "void", shared), pointer(1, "const void", generic),
                                          in(2, "unsigned"), in(values_.size() == 4 ? 3 : 2, "unsigned")}) +
           "; ";
}

// cp.async.bulk in one dimension: what a barrier waits for comes immediately, as do groups of copies.
void Writer::bulk_copy() {
  if (take("commit_group")) return operands(0);
  if (take("wait_group")) {
    take("read");
    return operands(1);
  }
  const auto next_space = [&] {
    static const std::map<string, Space> spaces = {
        {"global", generic}, {"shared::cta", shared}, {"shared::cluster", cluster_shared}};
    const auto found = modifiers_.empty() ? spaces.end() : spaces.find(modifiers_.front());
    if (found == spaces.end()) unknown();
    modifiers_.erase(modifiers_.begin());
    return found->second;
  };
  const Space to = next_space(), from = next_space();
  const bool counted = take("mbarrier::complete_tx::bytes");
  require(counted ? to != generic && from != cluster_shared : take("bulk_group") && to == generic && from == shared);
  const bool hint = take("L2::cache_hint");
  operands((counted ? 4 : 3) + hint);
  body_ +=
      call("tenon_ptx::copy_bulk", {pointer(0, "void", to), pointer(1, "const void", from), in(2, "unsigned")}) + "; ";
  if (counted) body_ += "tenon_ptx::barrier_at(" + pointer(3, "void", to) + ")->complete(" + in(2, "unsigned") + "); ";
}

void Writer::mbarrier() {
  const string what =
      take_one({"init", "inval", "arrive_drop", "arrive", "test_wait", "try_wait", "expect_tx", "complete_tx"});
  const bool parity = take("parity"), expecting = what == "arrive" && take("expect_tx");
  take_one({"release", "acquire", "relaxed"});
  take_one({"cta", "cluster"});
  const Space space = take_space();
  require(!what.empty() && take("b64"));
  const auto at = [&](size_t i) { return "tenon_ptx::barrier_at(" + pointer(i, "void", space) + ")"; };
  if (expecting) {
    operands(3);
    set(0, "tenon_ptx::arrive_expecting(" + at(1) + ", " + in(2, "unsigned") + ")");
  } else if (what == "expect_tx" || what == "complete_tx") {
    operands(2);
    body_ += at(0) + (what == "expect_tx" ? "->expect(" : "->complete(") + in(1, "unsigned") + "); ";
  } else if (what == "init") {
    operands(2);
    body_ += at(0) + "->start(" + in(1, "unsigned") + "); ";
  } else if (what == "inval") {
    operands(1);
  } else if (what == "arrive" || what == "arrive_drop") {
    require(values_.size() == 2 || values_.size() == 3);
    const string count = values_.size() == 3 ? in(2, "unsigned") : "1u";
    set(0, at(1) + "->arrive(" + count + ", " + (what == "arrive" ? "0u" : count) + ")");
  } else {
    require(values_.size() == 3 || (what == "try_wait" && values_.size() == 4));
    set(0, at(1) + "->try_wait" +
               (parity ? "_parity((" + in(2, "unsigned") + " & 1u) != 0u)" : "(" + in(2, "unsigned long long") + ")"));
  }
}

// ldmatrix, stmatrix
void Writer::load_matrices() {
  operands(2);
  const bool loads = name_ == "ldmatrix";
  require(take("sync") && take("aligned") && take("m8n8"));
  const string count = take_one({"x1", "x2", "x4"});
  const bool transposed = take("trans");
  const Space space = take_space();
  require(!count.empty() && take("b16"));
  const Value& registers = values_[loads ? 0 : 1];
  const std::vector<Value> parts = registers.kind == Value::vector ? registers.parts : std::vector<Value>{registers};
  require(!registers.pair && parts.size() == size_t(count[1] - '0'));
  const string how = "<" + std::to_string(parts.size()) + ", " + (transposed ? "true" : "false") + ">(";
  body_ += "{ unsigned tenon_m[" + std::to_string(parts.size()) + "]";
  if (loads) {
    body_ += "; tenon_load_matrices" + how + "tenon_m, " + pointer(1, "const void", space) + "); ";
    for (size_t i = 0; i < parts.size(); ++i) set(parts[i], "tenon_m[" + std::to_string(i) + "]");
  } else {
    body_ += " = {";
    for (const Value& part : parts) body_ += in(part, "unsigned") + ", ";
    body_ += "}; tenon_store_matrices" + how + pointer(0, "void", space) + ", tenon_m); ";
  }
  body_ += "} ";
}

void Writer::transpose_matrix() {
  operands(2);
  require(take("sync") && take("aligned") && take("m8n8") && take("trans") && take("b16"));
  set(0, "tenon_transpose_matrix(" + in(1, "unsigned") + ")");
}

// mma.sync: shape, layouts, then the types of D, A, B and C.
void Writer::multiply_matrices() {
  operands(4);
  require(take("sync") && take("aligned"));
  const string shape = take_one({"m16n8k16", "m16n8k8", "m16n8k4", "m16n8k32", "m8n8k4", "m8n8k16"});
  require(!shape.empty() && take("row") && take("col") && modifiers_.size() == 4);
  const string d = modifiers_[0], a = modifiers_[1], b = modifiers_[2], c = modifiers_[3];
  modifiers_.clear();
  const string key = shape + "." + a;
  static const std::vector<string> known = {
      "m16n8k16.f16", "m16n8k8.f16", "m16n8k16.bf16", "m16n8k8.bf16", "m16n8k8.tf32", "m16n8k4.tf32", "m8n8k4.f64",
      "m8n8k16.s8",   "m8n8k16.u8",  "m16n8k16.s8",   "m16n8k16.u8",  "m16n8k32.s8",  "m16n8k32.u8"};
  require(std::find(known.begin(), known.end(), key) != known.end());
  const bool integers = a == "s8" || a == "u8", halves = a == "f16";
  require(integers ? b == "s8" || b == "u8" : a == b);
  const string sum = integers ? "int" : a == "f64" ? "double" : "float", word = a == "f64" ? "double" : "unsigned";
  const auto good = [&](const string& t) {
    return t == (integers ? "s32" : a == "f64" ? "f64" : "f32") || (halves && t == "f16");
  };
  require(good(d) && good(c));
  const auto tag = [](const string& t) {
    return "tenon_of_" + (t == "f16" ? string("half") : t == "bf16" ? "bfloat16" : t == "f64" ? "double" : t);
  };
  const int rows = shape[1] == '8' ? 1 : 2, k = std::atoi(shape.c_str() + shape.find('k') + 1),
            each = integers                ? 4
                   : halves || a == "bf16" ? 2
                                           : 1;
  const auto list = [&](size_t i, size_t count) -> std::vector<Value> {
    std::vector<Value> parts =
        values_[i].kind == Value::vector && !values_[i].pair ? values_[i].parts : std::vector<Value>{values_[i]};
    if (parts.size() != count)
      refuse("\"" + spelled_ + "\" takes " + std::to_string(count) + " registers for its operand " + std::to_string(i));
    return parts;
  };
  const size_t a_words = size_t(rows * k / (4 * each)), b_words = size_t(k / (4 * each)), sums = size_t(2 * rows);
  const auto factor = [&](const char* name, size_t i, size_t count) {
    body_ += "const " + word + " " + name + "[] = {";
    for (const Value& part : list(i, count)) body_ += in(part, word) + ", ";
    body_ += "}; ";
  };
  body_ += "{ ";
  factor("tenon_a", 1, a_words);
  factor("tenon_b", 2, b_words);
  body_ += sum + " tenon_c[] = {";
  if (c == "f16") {
    for (const Value& part : list(3, sums / 2))
      for (const char* half : {".x", ".y"}) body_ += "__half2float(" + in(part, "__half2") + half + "), ";
  } else {
    for (const Value& part : list(3, sums)) body_ += in(part, sum) + ", ";
  }
  body_ += "}; tenon_mma<" + std::to_string(8 * rows) + ", " + std::to_string(k) + ", " + tag(a) + ", " + tag(b) +
           ">(tenon_c, tenon_a, tenon_b); ";
  const std::vector<Value> to = list(0, d == "f16" ? sums / 2 : sums);
  for (size_t i = 0; i < to.size(); ++i) {
    const auto element = [](size_t e) { return "tenon_c[" + std::to_string(e) + "]"; };
    set(to[i], d == "f16" ? "__floats2half2_rn(" + element(2 * i) + ", " + element(2 * i + 1) + ")" : element(i));
  }
  body_ += "} ";
}

const std::map<string, void (Writer::*)()>& Writer::handlers() {
  static const auto& all = *new std::map<string, void (Writer::*)()>{{"mul", &Writer::multiply},
                                                                     {"mad", &Writer::fused},
                                                                     {"madc", &Writer::fused},
                                                                     {"fma", &Writer::fused},
                                                                     {"addc", &Writer::carried},
                                                                     {"subc", &Writer::carried},
                                                                     {"div", &Writer::divide},
                                                                     {"rem", &Writer::divide},
                                                                     {"rcp", &Writer::approximate},
                                                                     {"sqrt", &Writer::approximate},
                                                                     {"rsqrt", &Writer::approximate},
                                                                     {"sin", &Writer::approximate},
                                                                     {"cos", &Writer::approximate},
                                                                     {"lg2", &Writer::approximate},
                                                                     {"ex2", &Writer::approximate},
                                                                     {"tanh", &Writer::approximate},
                                                                     {"min", &Writer::extreme},
                                                                     {"max", &Writer::extreme},
                                                                     {"abs", &Writer::sign},
                                                                     {"neg", &Writer::sign},
                                                                     {"and", &Writer::bitwise},
                                                                     {"or", &Writer::bitwise},
                                                                     {"xor", &Writer::bitwise},
                                                                     {"not", &Writer::bitwise},
                                                                     {"cnot", &Writer::bitwise},
                                                                     {"shl", &Writer::shift},
                                                                     {"shr", &Writer::shift},
                                                                     {"shf", &Writer::shift},
                                                                     {"popc", &Writer::one_of_bits},
                                                                     {"clz", &Writer::one_of_bits},
                                                                     {"brev", &Writer::one_of_bits},
                                                                     {"bfind", &Writer::one_of_bits},
                                                                     {"bmsk", &Writer::one_of_bits},
                                                                     {"bfe", &Writer::one_of_bits},
                                                                     {"bfi", &Writer::one_of_bits},
                                                                     {"prmt", &Writer::one_of_bits},
                                                                     {"lop3", &Writer::one_of_bits},
                                                                     {"dp4a", &Writer::one_of_bits},
                                                                     {"sad", &Writer::one_of_bits},
                                                                     {"mul24", &Writer::one_of_bits},
                                                                     {"mad24", &Writer::one_of_bits},
                                                                     {"setp", &Writer::compare},
                                                                     {"set", &Writer::compare},
                                                                     {"selp", &Writer::compare},
                                                                     {"mov", &Writer::move},
                                                                     {"cvt", &Writer::convert},
                                                                     {"cvta", &Writer::convert_address},
                                                                     {"mapa", &Writer::cluster_address},
                                                                     {"getctarank", &Writer::cluster_address},
                                                                     {"ld", &Writer::load},
                                                                     {"ldu", &Writer::load},
                                                                     {"st", &Writer::store},
                                                                     {"atom", &Writer::atomic},
                                                                     {"red", &Writer::atomic},
                                                                     {"membar", &Writer::fence},
                                                                     {"fence", &Writer::fence},
                                                                     {"bar", &Writer::barrier},
                                                                     {"barrier", &Writer::barrier},
                                                                     {"vote", &Writer::vote},
                                                                     {"shfl", &Writer::shuffle},
                                                                     {"match", &Writer::match},
                                                                     {"activemask", &Writer::match},
                                                                     {"elect", &Writer::match},
                                                                     {"redux", &Writer::reduce},
                                                                     {"cp", &Writer::async_copy},
                                                                     {"mbarrier", &Writer::mbarrier},
                                                                     {"ldmatrix", &Writer::load_matrices},
                                                                     {"stmatrix", &Writer::load_matrices},
                                                                     {"movmatrix", &Writer::transpose_matrix},
                                                                     {"mma", &Writer::multiply_matrices}};
  return all;
}

void Writer::write() {
  if (name_ == "add" || name_ == "sub") {
    arithmetic(name_.c_str());
  } else if (name_ == "bra") {
    take("uni");
    operands(1);
    require(values_[0].kind == Value::expression);
    body_ += "goto " + label(values_[0].code) + "; ";
  } else if (name_ == "nop") {
    operands(0);
  } else if (name_ == "trap") {
    operands(0);
    body_ += "tenon_fault(\"trap\", __FILE__, __LINE__); ";
  } else if (name_ == "nanosleep") {
    operands(1);
    require(take("u32"));
    body_ += "__nanosleep(" + in(0, "unsigned") + "); ";
  } else if (name_ == "prefetch" || name_ == "prefetchu") {
    operands(1);
    (void)address_of(0);
    take_one({"global", "local"});
    take_one({"L1", "L2", "L2::evict_last", "L2::evict_normal"});
  } else if (name_ == "griddepcontrol") {
    operands(0);
    take_one({"wait", "launch_dependents"});
  } else {
    (this->*handlers().at(name_))();
  }
  if (!modifiers_.empty()) unknown();
}

}  // namespace

string code_of(const Statement& statement) { return Writer(statement).run(); }

}  // namespace tenon::cpu::ptx
