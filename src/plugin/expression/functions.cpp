// plugin/expression/functions.cpp: calls of functions, and constructs with the same syntax.
#include <algorithm>
#include "plugin/expression/parser.hpp"
#include "plugin/expression/words.hpp"

namespace tenon::plugin {

ExpressionParser::Type ExpressionParser::called(const std::string& name, Place place) {
  if (name == "prod") return shape_product(place);
  if (name == "clamp") return clamp(place);
  if (name == "real") {
    lexer_.expect("(", "");
    Type type = argument();
    make_real(type);
    lexer_.expect(")", "");
    return type;
  }
  if (name == "sum" || ((name == "min" || name == "max") && repeats()))
    return repeated(name == "sum" ? Gather::sum : name == "min" ? Gather::smallest : Gather::largest, place);
  const Function* function = nullptr;
  for (const Function& one : kFunctions)
    if (name == one.name) function = &one;
  if (!function) {
    std::string list = "clamp, prod, real, sum";
    for (const Function& one : kFunctions) list += std::string(", ") + one.name;
    plugin::fault(lexer_.source(), place, "there is no function `%s`; available: %s", name.c_str(), list.c_str());
  }
  const size_t begin = code_.size();
  lexer_.expect("(", "");
  int32_t count = 0;
  Type type;
  do {
    const Place at = lexer_.place();
    Type next = argument();
    if (function->take == Take::integers) want(next, Kind::integer, at);
    if (function->take == Take::real || function->take == Take::whole) make_real(next);
    if (++count == 1) {
      type = Type{next.kind, next.constant};
    } else {
      const bool real = alike(type, next);
      emit(real ? function->real_code : function->code, 0, 0, place);
      --depth_;
      type = Type{real ? Kind::real : Kind::integer, type.constant && next.constant};
    }
  } while (lexer_.take_if(","));
  lexer_.expect(")", "");
  if (count < function->least || count > function->most)
    plugin::fault(lexer_.source(), place, "%s takes %d argument%s%s, but %d were given", name.c_str(), function->least,
                  function->least == 1 ? "" : "s", function->most > function->least ? " or more" : "", count);
  if (function->most == 1) emit(type.kind == Kind::real ? function->real_code : function->code, 0, 0, place);
  if (function->take == Take::whole) type.kind = Kind::integer;
  fold(begin, type);
  return type;
}

ExpressionParser::Type ExpressionParser::argument() {
  const Place place = lexer_.place();
  Type type = conditional();
  need_number(type, place);
  return type;
}

// clamp(x, low, high) is min(max(x, low), high).
ExpressionParser::Type ExpressionParser::clamp(Place place) {
  const size_t begin = code_.size();
  lexer_.expect("(", "");
  Type type = argument();
  for (int i = 0; i < 2; ++i) {
    lexer_.expect(",", "clamp takes a value, the lower and the upper bound");
    Type next = argument();
    const bool real = alike(type, next);
    emit(i == 0 ? (real ? Code::maximum_real : Code::maximum) : (real ? Code::minimum_real : Code::minimum), 0, 0,
         place);
    --depth_;
    type = Type{real ? Kind::real : Kind::integer, type.constant && next.constant};
  }
  lexer_.expect(")", "");
  fold(begin, type);
  return type;
}

// prod(x.shape, first, last): the product of the extents first to last - 1.
ExpressionParser::Type ExpressionParser::shape_product(Place place) {
  lexer_.expect("(", "");
  const Place at = lexer_.place();
  const std::string name = lexer_.expect_name("an array");
  const auto found = names_.find(name);
  if (found == names_.end()) unknown(name, at);
  if (found->second.what == Name::What::later) not_yet(name, at);
  if (found->second.what != Name::What::array)
    plugin::fault(lexer_.source(), at, "prod multiplies extents: prod(x.shape, first, last)");
  lexer_.expect(".", "prod multiplies extents: prod(x.shape, first, last)");
  if (lexer_.expect_name("`shape`") != "shape")
    plugin::fault(lexer_.source(), at, "prod multiplies extents: prod(x.shape, first, last)");
  for (int i = 0; i < 2; ++i) {
    lexer_.expect(",", "prod(x.shape, first, last) multiplies the extents first to last - 1");
    const Place inner = lexer_.place();
    Type type = argument();
    want(type, Kind::integer, inner);
  }
  lexer_.expect(")", "");
  emit(Code::product, 0, uint16_t(found->second.index), place);
  --depth_;
  return {Kind::integer, false};
}

// Does "(k <" with a new name follow?
bool ExpressionParser::repeats() const {
  Lexer ahead = lexer_;
  ahead.take();
  if (ahead.peek().kind != Token::Kind::name || names_.count(ahead.peek().text)) return false;
  ahead.take();
  return ahead.is("<");
}

// sum(k < n, value): the sum of the values for k = 0, 1 ... n - 1.
ExpressionParser::Type ExpressionParser::repeated(Gather how, Place place) {
  static const char* const form = "sum(k < n, value) adds the values for k = 0, 1 ... n - 1";
  lexer_.expect("(", "");
  const Place name_place = lexer_.place();
  const std::string name = lexer_.expect_name("a counter's name");
  const auto same = [&](const Counter& counter) { return counter.name == name; };
  if (reserved_name(name) || names_.count(name) || std::any_of(counters_.begin(), counters_.end(), same))
    plugin::fault(lexer_.source(), name_place, "the name `%s` is already used: %s", name.c_str(), form);
  if (counters_.size() >= 2) plugin::fault(lexer_.source(), place, "sums are nested more than two levels deep");
  lexer_.expect("<", form);
  const Place times_place = lexer_.place();
  Type times = sum();
  need_number(times, times_place);
  want(times, Kind::integer, times_place);
  lexer_.expect(",", form);
  const int32_t at = depth_ - 1;  // the position of n
  emit(Code::repeat_begin, 0, uint16_t(at), place);
  grow();
  grow();
  counters_.push_back({name, at + 1});
  const size_t test = code_.size();
  emit(Code::repeat_test, 0, uint16_t(at), place);
  const Type value = argument();
  lexer_.expect(")", "");
  counters_.pop_back();
  const int64_t back = int64_t(test) - int64_t(code_.size()) - 1;
  emit(Code::repeat_step, uint8_t(uint8_t(how) | (value.kind == Kind::real ? 4 : 0)), uint16_t(at), place).value.i =
      back;
  code_[test].value.i = int64_t(code_.size() - test - 1);
  emit(Code::repeat_end, uint8_t(how), uint16_t(at), place);
  depth_ = at + 1;
  return {value.kind, false};
}

}  // namespace tenon::plugin
