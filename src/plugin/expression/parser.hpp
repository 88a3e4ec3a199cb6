// plugin/expression/parser.hpp: the parser of expressions, whose productions are spread over three files: operators in
// expression/parse.cpp, values by name in expression/names.cpp, functions in expression/functions.cpp.
#pragma once
#include "plugin/expression/expression.hpp"
#include "plugin/expression/code.hpp"

namespace tenon::plugin {

class ExpressionParser {
 public:
  using Kind = Expression::Kind;
  ExpressionParser(Lexer& lexer, const Names& names, bool arrays) : lexer_(lexer), names_(names), arrays_(arrays) {}
  Expression parse(const Kind* wanted);

 private:
  struct Type {
    Kind kind = Kind::integer;
    bool constant = false;
    const std::vector<std::string>* choices = nullptr;
    bool dtype = false;   // the code of a dtype, which can be compared with a quoted name
    bool device = false;  // device.kind
  };

  struct Deeper {
    explicit Deeper(ExpressionParser& parser) : parser(parser) {
      if (++parser.nesting_ > 60) parser.lexer_.fault("the expression is nested more than 60 levels deep");
    }
    ~Deeper() { --parser.nesting_; }
    ExpressionParser& parser;
  };

  // The `k` of "sum(k < n, ...)": the position of its value on the stack.
  struct Counter {
    std::string name;
    int32_t at;
  };

  // ---- Emitting steps, and tracking the depth of the stack ----
  Expression::Instruction& emit(Code code, uint8_t a = 0, uint16_t b = 0, Place place = {}) {
    if (code_.size() >= 4096) lexer_.fault("the expression is too long");
    code_.push_back({uint8_t(code), a, b, place, 0, 0, Number{0}});
    return code_.back();
  }
  void push(Code code, uint8_t a, uint16_t b, Place place) {
    emit(code, a, b, place);
    grow();
  }
  void grow() {
    if (++depth_ > kStack) lexer_.fault("the expression needs more than %d intermediate values", kStack);
  }
  void push_integer(int64_t value) {
    emit(Code::integer).value.i = value;
    grow();
  }
  void make_real(Type& type, uint8_t below = 0) {
    if (type.kind == Kind::real) return;
    emit(Code::to_real, below);
    type.kind = Kind::real;
  }
  void fold(size_t begin, const Type& type);
  void join();
  void want(Type& type, Kind wanted, Place place);
  void need_number(const Type& type, Place place);
  bool alike(Type& first, Type& second);

  // ---- Operators, lowest precedence first ----
  Type conditional();
  Type either();
  Type both();
  Type comparison();
  Type sum();
  Type product();
  Type unary();
  bool take_word(const char* sign, const char* word);
  template <class F> void logical(Type& type, Place place, F&& second, bool is_or);
  template <class F> void operand_of_logic(Type& type, F&& second);
  template <class F> void binary(Type& type, Place place, F&& next, Code whole, Code real_code, bool reals = true);
  void compare_quoted(Type& type, const char* sign, Code code, Place place);

  // ---- Values by name ----
  Type primary();
  Type named(const std::string& name, Place place);
  [[noreturn]] void unknown(const std::string& name, Place place);
  [[noreturn]] void not_yet(const std::string& name, Place place);
  Type index(Code code, uint8_t a, uint16_t b, Kind kind, Place place);
  Type array(const Name& what, const std::string& name, Place place);
  Type list(const Name& what, const std::string& name, Place place);
  Type type_named(const Name& what, Place place);
  Type device_fact(Place place);

  // ---- Functions ----
  Type called(const std::string& name, Place place);
  Type argument();
  Type clamp(Place place);
  Type shape_product(Place place);
  bool repeats() const;
  Type repeated(Gather how, Place place);

  Lexer& lexer_;
  const Names& names_;
  const bool arrays_;
  std::vector<Expression::Instruction> code_;
  std::vector<Counter> counters_;
  int32_t depth_ = 0, nesting_ = 0;
};

}  // namespace tenon::plugin
