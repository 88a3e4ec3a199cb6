// plugin/expression/names.cpp: values by name: numbers, arrays, lists, types and the device, and their facts.
#include "plugin/expression/parser.hpp"
#include "plugin/expression/words.hpp"

namespace tenon::plugin {

bool reserved_name(const std::string& name) {
  for (const Function& function : kFunctions)
    if (name == function.name) return true;
  for (const char* word : kWords)
    if (name == word) return true;
  return false;
}

ExpressionParser::Type ExpressionParser::primary() {
  Deeper deeper(*this);
  const Token token = lexer_.peek();
  const Place place = lexer_.place();
  switch (token.kind) {
    case Token::Kind::integer:
      lexer_.take();
      push_integer(token.integer);
      return {Kind::integer, true};
    case Token::Kind::real:
      lexer_.take();
      emit(Code::real).value.r = token.real;
      grow();
      return {Kind::real, true};
    case Token::Kind::quoted: lexer_.fault("a quoted name is allowed only on the right of == or !=");
    case Token::Kind::name: lexer_.take(); return named(token.text, place);
    default: break;
  }
  if (!lexer_.take_if("(")) lexer_.fault("found %s where a value should be", lexer_.found().c_str());
  Type type = conditional();
  lexer_.expect(")", "");
  return type;
}

ExpressionParser::Type ExpressionParser::named(const std::string& name, Place place) {
  if (name == "true" || name == "false") {
    push_integer(name == "true");
    return {Kind::integer, true};
  }
  if (lexer_.is("(")) return called(name, place);
  if (name == "device") return device_fact(place);
  for (const Counter& counter : counters_) {
    if (counter.name != name) continue;
    push(Code::counter, 0, uint16_t(counter.at), place);
    return {Kind::integer, false};
  }
  const auto found = names_.find(name);
  if (found == names_.end()) unknown(name, place);
  const Name& what = found->second;
  switch (what.what) {
    case Name::What::array: return array(what, name, place);
    case Name::What::list: return list(what, name, place);
    case Name::What::type: return type_named(what, place);
    case Name::What::later: not_yet(name, place);
    case Name::What::opaque:
      plugin::fault(lexer_.source(), place, "`%s` may be complex: expressions support only integers and real numbers",
                    name.c_str());
    default: break;
  }
  if (what.computed) *what.computed = true;
  push(Code::number, 0, uint16_t(what.index), place);
  return {what.real ? Kind::real : Kind::integer, false, what.choices};
}

void ExpressionParser::unknown(const std::string& name, Place place) {
  std::string list;
  for (const Counter& counter : counters_) list += (list.empty() ? "" : ", ") + counter.name;
  for (const auto& [known, what] : names_) list += (list.empty() ? "" : ", ") + known;
  plugin::fault(lexer_.source(), place, "there is no `%s` here; available: %s", name.c_str(),
                list.empty() ? "nothing" : list.c_str());
}

void ExpressionParser::not_yet(const std::string& name, Place place) {
  plugin::fault(lexer_.source(), place, "%s", shaped_later(name).c_str());
}

std::string shaped_later(const std::string& name) {
  return "`" + name + "` is an output: its shape is computed from the inputs and scalars, so it is not known here";
}

ExpressionParser::Type ExpressionParser::index(Code code, uint8_t a, uint16_t b, Kind kind, Place place) {
  lexer_.expect("[", "");
  const Place inner = lexer_.place();
  Type at = conditional();
  need_number(at, inner);
  want(at, Kind::integer, inner);
  lexer_.expect("]", "");
  emit(code, a, b, place);
  return {kind, false};
}

ExpressionParser::Type ExpressionParser::array(const Name& what, const std::string& name, Place place) {
  if (!lexer_.take_if(".")) {
    if (!arrays_)
      plugin::fault(lexer_.source(), place, "`%s` is an array: name one of its properties, as in %s.size, %s.shape[0]",
                    name.c_str(), name.c_str(), name.c_str());
    push(Code::operand, 0, uint16_t(what.index), place);
    return {Kind::array, false};
  }
  const Place fact_place = lexer_.place();
  const std::string fact = lexer_.expect_name("a property of the array");
  if (fact == "shape" || fact == "stride")
    return index(Code::item_of, uint8_t(fact == "shape" ? Fact::shape : Fact::stride), uint16_t(what.index),
                 Kind::integer, place);
  const Word* known = find_word(kFacts, fact);
  if (!known)
    plugin::fault(lexer_.source(), fact_place, "an array has no `%s`; it has: %s, shape[i], stride[i]", fact.c_str(),
                  listed(kFacts).c_str());
  push(Code::fact, known->value, uint16_t(what.index), place);
  return {Kind::integer, false};
}

ExpressionParser::Type ExpressionParser::list(const Name& what, const std::string& name, Place place) {
  if (lexer_.is("["))
    return index(Code::list_item, what.real, uint16_t(what.index), what.real ? Kind::real : Kind::integer, place);
  if (!lexer_.take_if("."))
    plugin::fault(lexer_.source(), place, "`%s` is a list: name an entry, %s[0], or %s.size", name.c_str(),
                  name.c_str(), name.c_str());
  const Place fact_place = lexer_.place();
  if (lexer_.expect_name("size") != "size")
    plugin::fault(lexer_.source(), fact_place, "write an entry of the list, %s[0], or %s.size", name.c_str(),
                  name.c_str());
  push(Code::list_size, 0, uint16_t(what.index), place);
  return {Kind::integer, false};
}

ExpressionParser::Type ExpressionParser::type_named(const Name& what, Place place) {
  if (!lexer_.take_if(".")) {
    push(Code::type_fact, uint8_t(TypeFact::code), uint16_t(what.index), place);
    Type type;
    type.dtype = true;
    return type;
  }
  const Place fact_place = lexer_.place();
  const std::string fact = lexer_.expect_name("a property of the type");
  const Word* known = find_word(kTypeFacts, fact);
  if (!known)
    plugin::fault(lexer_.source(), fact_place, "a type has no `%s`; it has: %s", fact.c_str(),
                  listed(kTypeFacts).c_str());
  push(Code::type_fact, known->value, uint16_t(what.index), place);
  return {Kind::integer, false};
}

ExpressionParser::Type ExpressionParser::device_fact(Place place) {
  lexer_.expect(".", "the device has properties, as in device.multiprocessors");
  const Place fact_place = lexer_.place();
  const std::string fact = lexer_.expect_name("a property of the device");
  const Word* known = find_word(kDeviceFacts, fact);
  if (!known)
    plugin::fault(lexer_.source(), fact_place, "the device has no `%s`; it has: %s", fact.c_str(),
                  listed(kDeviceFacts).c_str());
  push(Code::device_fact, known->value, 0, place);
  Type type;
  type.device = fact == "kind";
  return type;
}

}  // namespace tenon::plugin
