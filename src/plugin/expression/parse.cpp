// plugin/expression/parse.cpp: text -> steps, by recursive descent: the operators. Names and kinds are checked here,
// constants are computed here.
#include <cstring>
#include "core/dtype.hpp"
#include "plugin/expression/parser.hpp"

namespace tenon::plugin {

Expression ExpressionParser::parse(const Kind* wanted) {
  const size_t begin = lexer_.peek().begin;
  Expression out;
  out.source_ = &lexer_.source();
  out.place_ = lexer_.place();
  Type type = conditional();
  if (type.kind != Kind::array) need_number(type, out.place_);
  if (wanted) want(type, *wanted, out.place_);
  out.kind_ = type.kind;
  join();
  out.code_ = std::move(code_);
  const size_t end = lexer_.at_end() ? lexer_.value().text.size() : lexer_.peek().begin;
  out.text_ = lexer_.value().text.substr(begin, end - begin);
  while (!out.text_.empty() && out.text_.back() == ' ') out.text_.pop_back();
  return out;
}

void ExpressionParser::want(Type& type, Kind wanted, Place place) {
  if (type.kind == wanted) return;
  if (wanted == Kind::real && type.kind == Kind::integer) {
    make_real(type);
    return;
  }
  static const char* const names[] = {"an integer", "a real number", "an array"};
  const char* help =
      wanted == Kind::integer && type.kind == Kind::real ? ": write int(...), floor(...), ceil(...) or round(...)" : "";
  plugin::fault(lexer_.source(), place, "found %s where %s should be%s", names[size_t(type.kind)],
                names[size_t(wanted)], help);
}

// If the code emitted from `begin` on is constant, computes it now.
void ExpressionParser::fold(size_t begin, const Type& type) {
  if (!type.constant || type.kind == Kind::array || code_.size() == begin + 1) return;
  const Frame nothing{};
  const Number value = Expression::run(&lexer_.source(), code_.data() + begin, code_.data() + code_.size(), nothing);
  code_.resize(begin);
  emit(type.kind == Kind::real ? Code::real : Code::integer).value = value;
}

// Merges a push of a number into the next step that uses it, which halves the number of steps to run.
void ExpressionParser::join() {
  const auto jumps = [](const Expression::Instruction& step) {
    const Code code = Code(step.op);
    return code == Code::jump || code == Code::jump_if_zero || code == Code::repeat_test || code == Code::repeat_step;
  };
  const size_t count = code_.size();
  std::vector<bool> reached(count + 1);
  for (size_t i = 0; i < count; ++i)
    if (jumps(code_[i])) reached[size_t(int64_t(i) + 1 + code_[i].value.i)] = true;
  std::vector<Expression::Instruction> joined;
  std::vector<size_t> now(count + 1), before;  // positions of steps now and before
  for (size_t i = 0; i < count; ++i) {
    now[i] = joined.size();
    const Expression::Instruction step = code_[i];
    const Code code = Code(step.op);
    const From from = code == Code::integer || code == Code::real ? From::constant
                      : code == Code::number                      ? From::number
                      : code == Code::counter                     ? From::counter
                                                                  : From::stack;
    before.push_back(i);
    joined.push_back(step);
    if (from == From::stack || i + 1 == count || reached[i + 1] || !has_second(Code(code_[i + 1].op))) continue;
    joined.back() = code_[++i];
    joined.back().from = uint8_t(from);
    joined.back().at = step.b;
    joined.back().value = step.value;
    before.back() = i;
    now[i] = joined.size() - 1;
  }
  now[count] = joined.size();
  for (size_t i = 0; i < joined.size(); ++i)
    if (jumps(joined[i]))
      joined[i].value.i = int64_t(now[size_t(int64_t(before[i]) + 1 + joined[i].value.i)]) - int64_t(i) - 1;
  code_ = std::move(joined);
}

void ExpressionParser::need_number(const Type& type, Place place) {
  if (type.kind == Kind::array)
    plugin::fault(lexer_.source(), place,
                  "found an array where a number should be: name one of its properties, as in x.size");
  if (type.dtype || type.device)
    plugin::fault(lexer_.source(), place,
                  "this can be compared only with a quoted name, as in T == 'float16' and device.kind == 'cpu'");
}

ExpressionParser::Type ExpressionParser::conditional() {
  Deeper deeper(*this);
  const size_t begin = code_.size();
  const Place place = lexer_.place();
  Type type = either();
  if (!lexer_.take_if("?")) return type;
  need_number(type, place);
  want(type, Kind::integer, place);
  const bool constant = type.constant;
  const size_t jump = code_.size();
  emit(Code::jump_if_zero);
  --depth_;
  const int32_t depth = depth_;
  Place first_place = lexer_.place();
  Type first = conditional();
  const size_t first_end = code_.size();
  emit(Code::jump);  // jumps over the second value; if only one is real, a conversion is inserted before it
  lexer_.expect(":", "a conditional must be written condition ? value : other");
  depth_ = depth;
  const Place second_place = lexer_.place();
  Type second = conditional();
  size_t over = first_end;
  if (first.kind == Kind::integer && second.kind == Kind::real) {
    code_.insert(code_.begin() + long(first_end), {uint8_t(Code::to_real), 0, 0, first_place, 0, 0, Number{0}});
    ++over;
    first.kind = Kind::real;
  } else if (first.kind != second.kind) {
    want(second, first.kind, second_place);
  }
  code_[jump].value.i = int64_t(over - jump);
  code_[over].value.i = int64_t(code_.size() - over - 1);
  Type out = first;
  out.constant = constant && first.constant && second.constant;
  if (!(first.choices && first.choices == second.choices)) out.choices = nullptr;
  fold(begin, out);
  return out;
}

bool ExpressionParser::take_word(const char* sign, const char* word) {
  if (lexer_.take_if(sign)) return true;
  if (!lexer_.is_name(word)) return false;
  lexer_.take();
  return true;
}

// a || b: a, jump_if_zero to b, push 1, jump over, b, truth.
ExpressionParser::Type ExpressionParser::either() {
  const size_t begin = code_.size();
  Place place = lexer_.place();
  Type type = both();
  while (take_word("||", "or")) {
    logical(type, place, [&] { return both(); }, true);
    fold(begin, type);
  }
  return type;
}

ExpressionParser::Type ExpressionParser::both() {
  const size_t begin = code_.size();
  Place place = lexer_.place();
  Type type = comparison();
  while (take_word("&&", "and")) {
    logical(type, place, [&] { return comparison(); }, false);
    fold(begin, type);
  }
  return type;
}

template <class F> void ExpressionParser::logical(Type& type, Place place, F&& second, bool is_or) {
  need_number(type, place);
  want(type, Kind::integer, place);
  const bool constant = type.constant;
  emit(Code::jump_if_zero).value.i = 2;
  --depth_;
  if (is_or) {
    push_integer(1);
    const size_t jump = code_.size();
    emit(Code::jump);
    --depth_;
    operand_of_logic(type, second);
    code_[jump].value.i = int64_t(code_.size() - jump - 1);
  } else {
    const size_t jump = code_.size() - 1;
    operand_of_logic(type, second);
    const size_t end = code_.size();
    emit(Code::jump).value.i = 1;
    emit(Code::integer).value.i = 0;
    code_[jump].value.i = int64_t(end - jump);
  }
  type = Type{Kind::integer, constant && type.constant};
}

template <class F> void ExpressionParser::operand_of_logic(Type& type, F&& second) {
  const Place place = lexer_.place();
  type = second();
  need_number(type, place);
  want(type, Kind::integer, place);
  emit(Code::truth);
}

ExpressionParser::Type ExpressionParser::comparison() {
  const size_t begin = code_.size();
  const Place place = lexer_.place();
  Type type = sum();
  struct Sign {
    const char* text;
    Code whole, real;
  };
  static constexpr Sign signs[] = {
      {"<", Code::less, Code::less_real},       {"<=", Code::less_equal, Code::less_equal_real},
      {">", Code::greater, Code::greater_real}, {">=", Code::greater_equal, Code::greater_equal_real},
      {"==", Code::equal, Code::equal_real},    {"!=", Code::not_equal, Code::not_equal_real}};
  for (const Sign& sign : signs) {
    if (!lexer_.is(sign.text)) continue;
    const Place at = lexer_.place();
    lexer_.take();
    if (lexer_.peek().kind == Token::Kind::quoted) {
      compare_quoted(type, sign.text, sign.whole, place);
    } else {
      need_number(type, place);
      const Place second_place = lexer_.place();
      Type second = sum();
      need_number(second, second_place);
      const bool real = alike(type, second);
      emit(real ? sign.real : sign.whole, 0, 0, at);
      --depth_;
      type = Type{Kind::integer, type.constant && second.constant};
    }
    for (const Sign& again : signs)
      if (lexer_.is(again.text)) lexer_.fault("comparisons cannot be chained: join two of them by &&");
    fold(begin, type);
    break;
  }
  return type;
}

void ExpressionParser::compare_quoted(Type& type, const char* sign, Code code, Place place) {
  if (std::strcmp(sign, "==") != 0 && std::strcmp(sign, "!=") != 0)
    lexer_.fault("a quoted name can be compared only by == and !=");
  const std::string& name = lexer_.peek().text;
  int64_t value = -1;
  if (type.choices) {
    for (size_t i = 0; i < type.choices->size(); ++i)
      if ((*type.choices)[i] == name) value = int64_t(i);
    if (value < 0) {
      std::string list;
      for (const std::string& choice : *type.choices) list += (list.empty() ? "" : ", ") + choice;
      lexer_.fault("'%s' is not one of the choices: %s", name.c_str(), list.c_str());
    }
  } else if (type.dtype) {
    value = int64_t(dtype_named(name));
    if (value == 0) lexer_.fault("'%s' is not a dtype", name.c_str());
  } else if (type.device) {
    value = name == "cpu" ? TENON_DEVICE_CPU : name == "cuda" ? TENON_DEVICE_CUDA : 0;
    if (value == 0) lexer_.fault("'%s' is not a kind of device: use 'cpu' or 'cuda'", name.c_str());
  } else {
    plugin::fault(lexer_.source(), place, "only a choice, a type and device.kind can be compared with a quoted name");
  }
  lexer_.take();
  push_integer(value);
  emit(code);
  --depth_;
  type = Type{};
}

// Converts both to one kind; true: real.
bool ExpressionParser::alike(Type& first, Type& second) {
  if (first.kind == second.kind) return first.kind == Kind::real;
  if (first.kind == Kind::integer) make_real(first, 1);
  else make_real(second);
  return true;
}

ExpressionParser::Type ExpressionParser::sum() {
  const size_t begin = code_.size();
  const Place place = lexer_.place();
  Type type = product();
  while (lexer_.is("+") || lexer_.is("-")) {
    const bool plus = lexer_.is("+");
    binary(
        type, place, [&] { return product(); }, plus ? Code::add : Code::subtract,
        plus ? Code::add_real : Code::subtract_real);
    fold(begin, type);
  }
  return type;
}

ExpressionParser::Type ExpressionParser::product() {
  const size_t begin = code_.size();
  const Place place = lexer_.place();
  Type type = unary();
  while (lexer_.is("*") || lexer_.is("/") || lexer_.is("%")) {
    const bool times = lexer_.is("*"), modulo = lexer_.is("%");
    binary(
        type, place, [&] { return unary(); },
        times    ? Code::multiply
        : modulo ? Code::remainder
                 : Code::divide,
        times ? Code::multiply_real : Code::divide_real, !modulo);
    fold(begin, type);
  }
  return type;
}

template <class F>
void ExpressionParser::binary(Type& type, Place place, F&& next, Code whole, Code real_code, bool reals) {
  need_number(type, place);
  const Place at = lexer_.place();
  lexer_.take();
  const Place second_place = lexer_.place();
  Type second = next();
  need_number(second, second_place);
  if (!reals) {
    want(type, Kind::integer, place);
    want(second, Kind::integer, second_place);
  }
  const bool real = alike(type, second);
  emit(real ? real_code : whole, 0, 0, at);
  --depth_;
  type = Type{real ? Kind::real : Kind::integer, type.constant && second.constant};
}

ExpressionParser::Type ExpressionParser::unary() {
  Deeper deeper(*this);
  const size_t begin = code_.size();
  const Place at = lexer_.place();
  const bool negate = lexer_.is("-"), invert = lexer_.is("!") || lexer_.is_name("not");
  if (!negate && !invert) return primary();
  lexer_.take();
  const Place place = lexer_.place();
  Type type = unary();
  need_number(type, place);
  if (invert) want(type, Kind::integer, place);
  emit(invert ? Code::not_ : type.kind == Kind::real ? Code::negate_real : Code::negate, 0, 0, at);
  type = Type{type.kind, type.constant};
  fold(begin, type);
  return type;
}

Expression Expression::constant(int64_t value) {
  Expression out;
  out.code_.push_back({uint8_t(Code::integer), 0, 0, {}, 0, 0, Number{value}});
  out.text_ = std::to_string(value);
  return out;
}

using Kind = Expression::Kind;

Expression parse_expression(Lexer& lexer, const Names& names, Kind wanted) {
  return ExpressionParser(lexer, names, wanted == Kind::array).parse(&wanted);
}
Expression parse_expression(Lexer& lexer, const Names& names, bool arrays) {
  return ExpressionParser(lexer, names, arrays).parse(nullptr);
}

namespace {

Expression whole(const Source& source, const Value& given, const Names& names, const Kind* wanted, bool arrays) {
  Value number;  // a number is parsed as its text
  const Value* value = &given;
  if (given.kind == Value::Kind::integer || given.kind == Value::Kind::real || given.kind == Value::Kind::boolean) {
    number.place = given.place;
    number.text = given.kind == Value::Kind::integer   ? std::to_string(given.integer)
                  : given.kind == Value::Kind::boolean ? std::to_string(given.boolean)
                                                       : format("%.17g", given.real);
    if (given.kind == Value::Kind::real && number.text.find_first_of(".e") == std::string::npos) number.text += ".0";
    value = &number;
  } else if (given.kind != Value::Kind::text) {
    fault(source, given.place,
          "found %s where an expression should be: write a number, or a string such as \"ceil_div(x.size, 256)\"",
          kind_name(given.kind));
  }
  Lexer lexer(source, *value);
  if (lexer.at_end()) lexer.fault("the expression is empty");
  Expression out = wanted ? parse_expression(lexer, names, *wanted) : parse_expression(lexer, names, arrays);
  if (!lexer.at_end()) lexer.fault("found %s where the expression should end", lexer.found().c_str());
  return out;
}

}  // namespace

Expression parse_whole(const Source& source, const Value& value, const Names& names, Kind wanted) {
  return whole(source, value, names, &wanted, wanted == Kind::array);
}
Expression parse_whole(const Source& source, const Value& value, const Names& names, bool arrays) {
  return whole(source, value, names, nullptr, arrays);
}

}  // namespace tenon::plugin
