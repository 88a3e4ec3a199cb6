// plugin/expression_parse.cpp: text -> steps, by recursive descent. Names and kinds are checked here, constants are computed here.
#include <cstring>
#include "core/dtype.hpp"
#include "plugin/expression.hpp"
#include "plugin/expression_code.hpp"

namespace tenon::plugin {
namespace {

using Kind = Expression::Kind;

struct Word {
  const char* name;
  uint8_t value;
};
constexpr Word kFacts[] = {{"size", uint8_t(Fact::size)}, {"rank", uint8_t(Fact::rank)}, {"itemsize", uint8_t(Fact::itemsize)},
                           {"bytes", uint8_t(Fact::bytes)}, {"contiguous", uint8_t(Fact::contiguous)}};
constexpr Word kTypeFacts[] = {{"itemsize", uint8_t(TypeFact::itemsize)}, {"floating", uint8_t(TypeFact::floating)},
                               {"complex", uint8_t(TypeFact::complex)}};
constexpr Word kDeviceFacts[] = {{"kind", uint8_t(DeviceFact::kind)}, {"multiprocessors", uint8_t(DeviceFact::multiprocessors)},
                                 {"warp", uint8_t(DeviceFact::warp)}, {"max_threads", uint8_t(DeviceFact::max_threads)},
                                 {"shared", uint8_t(DeviceFact::shared)}, {"shared_max", uint8_t(DeviceFact::shared_max)},
                                 {"compute", uint8_t(DeviceFact::compute)}};

enum class Take : uint8_t { same, integers, real, whole };  // of a function: numbers of one kind; integers; a real, gives one; a real, gives an integer
struct Function {
  const char* name;
  int32_t least, most;
  Take take;
  Code code, real_code;
};
constexpr Function kFunctions[] = {
    {"min", 2, 16, Take::same, Code::minimum, Code::minimum_real},
    {"max", 2, 16, Take::same, Code::maximum, Code::maximum_real},
    {"abs", 1, 1, Take::same, Code::absolute, Code::absolute_real},
    {"ceil_div", 2, 2, Take::integers, Code::ceil_div, Code::ceil_div},
    {"round_up", 2, 2, Take::integers, Code::round_up, Code::round_up},
    {"power_of_two", 1, 1, Take::integers, Code::power_of_two, Code::power_of_two},
    {"int", 1, 1, Take::whole, Code::truncate, Code::truncate},
    {"floor", 1, 1, Take::whole, Code::floor, Code::floor},
    {"ceil", 1, 1, Take::whole, Code::ceil, Code::ceil},
    {"round", 1, 1, Take::whole, Code::round, Code::round},
    {"sqrt", 1, 1, Take::real, Code::sqrt, Code::sqrt},
    {"exp", 1, 1, Take::real, Code::exp, Code::exp},
    {"log", 1, 1, Take::real, Code::log, Code::log},
    {"log2", 1, 1, Take::real, Code::log2, Code::log2},
};
constexpr const char* kWords[] = {"clamp", "prod", "real", "device", "in", "out", "inout", "scalar", "raw", "strided", "packed", "like", "and", "or", "not", "true", "false"};

template <size_t N>
const Word* find_word(const Word (&words)[N], const std::string& name) {
  for (const Word& word : words)
    if (name == word.name) return &word;
  return nullptr;
}

template <size_t N>
std::string listed(const Word (&words)[N]) {
  std::string out;
  for (const Word& word : words) out += (out.empty() ? "" : ", ") + std::string(word.name);
  return out;
}

}  // namespace

bool reserved_name(const std::string& name) {
  for (const Function& function : kFunctions)
    if (name == function.name) return true;
  for (const char* word : kWords)
    if (name == word) return true;
  return false;
}

class ExpressionParser {
 public:
  ExpressionParser(Lexer& lexer, const Names& names, bool arrays) : lexer_(lexer), names_(names), arrays_(arrays) {}

  Expression parse(const Kind* wanted) {
    const size_t begin = lexer_.peek().begin;
    Expression out;
    out.source_ = &lexer_.source();
    out.place_ = lexer_.place();
    Type type = conditional();
    if (type.kind != Kind::array) need_number(type, out.place_);
    if (wanted) want(type, *wanted, out.place_);
    out.kind_ = type.kind;
    out.code_ = std::move(code_);
    const size_t end = lexer_.at_end() ? lexer_.value().text.size() : lexer_.peek().begin;
    out.text_ = lexer_.value().text.substr(begin, end - begin);
    while (!out.text_.empty() && out.text_.back() == ' ') out.text_.pop_back();
    return out;
  }

 private:
  struct Type {
    Kind kind = Kind::integer;
    bool constant = false;
    const std::vector<std::string>* choices = nullptr;
    bool dtype = false;  // the code of a dtype, for comparisons with a quoted name
    bool device = false;  // device.kind
  };

  struct Deeper {
    explicit Deeper(ExpressionParser& parser) : parser(parser) {
      if (++parser.nesting_ > 60) parser.lexer_.fault("the expression is nested more than 60 deep");
    }
    ~Deeper() { --parser.nesting_; }
    ExpressionParser& parser;
  };

  void want(Type& type, Kind wanted, Place place) {
    if (type.kind == wanted) return;
    if (wanted == Kind::real && type.kind == Kind::integer) {
      make_real(type);
      return;
    }
    static const char* const names[] = {"an integer", "a real number", "an array"};
    const char* help = wanted == Kind::integer && type.kind == Kind::real ? ": write int(...), floor(...), ceil(...) or round(...)" : "";
    plugin::fault(lexer_.source(), place, "%s is found where %s should be%s", names[size_t(type.kind)], names[size_t(wanted)], help);
  }

  Expression::Step& emit(Code code, uint8_t a = 0, uint16_t b = 0, Place place = {}) {
    if (code_.size() >= 4096) lexer_.fault("the expression is too long");
    code_.push_back({uint8_t(code), a, b, place, Number{0}});
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
  // What has just been emitted from `begin` on depends on nothing: compute it now.
  void fold(size_t begin, const Type& type) {
    if (!type.constant || type.kind == Kind::array || code_.size() == begin + 1) return;
    static const Frame nothing{};
    const Number value = Expression::run(&lexer_.source(), code_.data() + begin, code_.data() + code_.size(), nothing);
    code_.resize(begin);
    emit(type.kind == Kind::real ? Code::real : Code::integer).value = value;
  }
  void need_number(const Type& type, Place place) {
    if (type.kind == Kind::array) plugin::fault(lexer_.source(), place, "an array is found where a number should be: name one of its facts, as in x.size");
    if (type.dtype || type.device) plugin::fault(lexer_.source(), place, "this is compared with a quoted name only, as in T == 'float16' and device.kind == 'cpu'");
  }

  Type conditional() {
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
    emit(Code::jump);  // over the second; where only one is real, a conversion goes in front of it
    lexer_.expect(":", "a conditional is written condition ? value : other");
    depth_ = depth;
    const Place second_place = lexer_.place();
    Type second = conditional();
    size_t over = first_end;
    if (first.kind == Kind::integer && second.kind == Kind::real) {
      code_.insert(code_.begin() + long(first_end), {uint8_t(Code::to_real), 0, 0, first_place, Number{0}});
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

  bool take_word(const char* sign, const char* word) {
    if (lexer_.take_if(sign)) return true;
    if (!lexer_.is_name(word)) return false;
    lexer_.take();
    return true;
  }

  // a || b: a, jump_if_zero to b, push 1, jump over, b, truth.
  Type either() {
    const size_t begin = code_.size();
    Place place = lexer_.place();
    Type type = both();
    while (take_word("||", "or")) {
      logical(type, place, [&] { return both(); }, true);
      fold(begin, type);
    }
    return type;
  }
  Type both() {
    const size_t begin = code_.size();
    Place place = lexer_.place();
    Type type = comparison();
    while (take_word("&&", "and")) {
      logical(type, place, [&] { return comparison(); }, false);
      fold(begin, type);
    }
    return type;
  }
  template <class F>
  void logical(Type& type, Place place, F&& second, bool is_or) {
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
  template <class F>
  void operand_of_logic(Type& type, F&& second) {
    const Place place = lexer_.place();
    type = second();
    need_number(type, place);
    want(type, Kind::integer, place);
    emit(Code::truth);
  }

  Type comparison() {
    const size_t begin = code_.size();
    const Place place = lexer_.place();
    Type type = sum();
    struct Sign { const char* text; Code whole, real; };
    static constexpr Sign signs[] = {{"<", Code::less, Code::less_real}, {"<=", Code::less_equal, Code::less_equal_real},
                                     {">", Code::greater, Code::greater_real}, {">=", Code::greater_equal, Code::greater_equal_real},
                                     {"==", Code::equal, Code::equal_real}, {"!=", Code::not_equal, Code::not_equal_real}};
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
        if (lexer_.is(again.text)) lexer_.fault("comparisons are not chained: join two of them by &&");
      fold(begin, type);
      break;
    }
    return type;
  }

  void compare_quoted(Type& type, const char* sign, Code code, Place place) {
    if (std::strcmp(sign, "==") != 0 && std::strcmp(sign, "!=") != 0) lexer_.fault("a quoted name is compared by == and != only");
    const std::string& name = lexer_.peek().text;
    int64_t value = -1;
    if (type.choices) {
      for (size_t i = 0; i < type.choices->size(); ++i)
        if ((*type.choices)[i] == name) value = int64_t(i);
      if (value < 0) {
        std::string list;
        for (const std::string& choice : *type.choices) list += (list.empty() ? "" : ", ") + choice;
        lexer_.fault("'%s' is none of the choices: %s", name.c_str(), list.c_str());
      }
    } else if (type.dtype) {
      value = int64_t(dtype_named(name));
      if (value == 0) lexer_.fault("'%s' is no dtype", name.c_str());
    } else if (type.device) {
      value = name == "cpu" ? TENON_DEVICE_CPU : name == "cuda" ? TENON_DEVICE_CUDA : 0;
      if (value == 0) lexer_.fault("'%s' is no kind of device: 'cpu' and 'cuda' are", name.c_str());
    } else {
      plugin::fault(lexer_.source(), place, "only a choice, a type and device.kind are compared with a quoted name");
    }
    lexer_.take();
    push_integer(value);
    emit(code);
    --depth_;
    type = Type{};
  }

  // Makes both of one kind; true: real.
  bool alike(Type& first, Type& second) {
    if (first.kind == second.kind) return first.kind == Kind::real;
    if (first.kind == Kind::integer) make_real(first, 1);
    else make_real(second);
    return true;
  }

  Type sum() {
    const size_t begin = code_.size();
    const Place place = lexer_.place();
    Type type = product();
    while (lexer_.is("+") || lexer_.is("-")) {
      const bool plus = lexer_.is("+");
      binary(type, place, [&] { return product(); }, plus ? Code::add : Code::subtract, plus ? Code::add_real : Code::subtract_real);
      fold(begin, type);
    }
    return type;
  }
  Type product() {
    const size_t begin = code_.size();
    const Place place = lexer_.place();
    Type type = unary();
    while (lexer_.is("*") || lexer_.is("/") || lexer_.is("%")) {
      const bool times = lexer_.is("*"), modulo = lexer_.is("%");
      binary(type, place, [&] { return unary(); }, times ? Code::multiply : modulo ? Code::remainder : Code::divide,
             times ? Code::multiply_real : Code::divide_real, !modulo);
      fold(begin, type);
    }
    return type;
  }
  template <class F>
  void binary(Type& type, Place place, F&& next, Code whole, Code real_code, bool reals = true) {
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

  Type unary() {
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

  Type primary() {
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
      case Token::Kind::quoted: lexer_.fault("a quoted name stands on the right of == or != only");
      case Token::Kind::name: lexer_.take(); return named(token.text, place);
      default: break;
    }
    if (!lexer_.take_if("(")) lexer_.fault("%s is found where a value should be", lexer_.found().c_str());
    Type type = conditional();
    lexer_.expect(")", "");
    return type;
  }

  Type named(const std::string& name, Place place) {
    if (name == "true" || name == "false") {
      push_integer(name == "true");
      return {Kind::integer, true};
    }
    if (lexer_.is("(")) return called(name, place);
    if (name == "device") return device_fact(place);
    const auto found = names_.find(name);
    if (found == names_.end()) unknown(name, place);
    const Name& what = found->second;
    switch (what.what) {
      case Name::What::array: return array(what, name, place);
      case Name::What::list: return list(what, name, place);
      case Name::What::type: return type_named(what, place);
      case Name::What::opaque: plugin::fault(lexer_.source(), place, "`%s` may be complex: expressions know integers and real numbers", name.c_str());
      default: break;
    }
    push(Code::number, 0, uint16_t(what.index), place);
    return {what.real ? Kind::real : Kind::integer, false, what.choices};
  }

  [[noreturn]] void unknown(const std::string& name, Place place) {
    std::string list;
    for (const auto& [known, what] : names_) list += (list.empty() ? "" : ", ") + known;
    plugin::fault(lexer_.source(), place, "there is no `%s` here; there is: %s", name.c_str(), list.empty() ? "nothing" : list.c_str());
  }

  Type index(Code code, uint8_t a, uint16_t b, Kind kind, Place place) {
    lexer_.expect("[", "");
    const Place inner = lexer_.place();
    Type at = conditional();
    need_number(at, inner);
    want(at, Kind::integer, inner);
    lexer_.expect("]", "");
    emit(code, a, b, place);
    return {kind, false};
  }

  Type array(const Name& what, const std::string& name, Place place) {
    if (!lexer_.take_if(".")) {
      if (!arrays_) plugin::fault(lexer_.source(), place, "`%s` is an array: name one of its facts, as in %s.size, %s.shape[0]", name.c_str(), name.c_str(), name.c_str());
      push(Code::operand, 0, uint16_t(what.index), place);
      return {Kind::array, false};
    }
    const Place fact_place = lexer_.place();
    const std::string fact = lexer_.expect_name("a fact of the array");
    if (fact == "shape" || fact == "stride") return index(Code::item_of, uint8_t(fact == "shape" ? Fact::shape : Fact::stride), uint16_t(what.index), Kind::integer, place);
    const Word* known = find_word(kFacts, fact);
    if (!known) plugin::fault(lexer_.source(), fact_place, "an array has no `%s`; it has: %s, shape[i], stride[i]", fact.c_str(), listed(kFacts).c_str());
    push(Code::fact, known->value, uint16_t(what.index), place);
    return {Kind::integer, false};
  }

  Type list(const Name& what, const std::string& name, Place place) {
    if (lexer_.is("[")) return index(Code::list_item, what.real, uint16_t(what.index), what.real ? Kind::real : Kind::integer, place);
    if (!lexer_.take_if(".")) plugin::fault(lexer_.source(), place, "`%s` is a list: name an entry, %s[0], or %s.size", name.c_str(), name.c_str(), name.c_str());
    const Place fact_place = lexer_.place();
    if (lexer_.expect_name("size") != "size") plugin::fault(lexer_.source(), fact_place, "a list has entries, %s[0], and %s.size", name.c_str(), name.c_str());
    push(Code::list_size, 0, uint16_t(what.index), place);
    return {Kind::integer, false};
  }

  Type type_named(const Name& what, Place place) {
    if (!lexer_.take_if(".")) {
      push(Code::type_fact, uint8_t(TypeFact::code), uint16_t(what.index), place);
      Type type;
      type.dtype = true;
      return type;
    }
    const Place fact_place = lexer_.place();
    const std::string fact = lexer_.expect_name("a fact of the type");
    const Word* known = find_word(kTypeFacts, fact);
    if (!known) plugin::fault(lexer_.source(), fact_place, "a type has no `%s`; it has: %s", fact.c_str(), listed(kTypeFacts).c_str());
    push(Code::type_fact, known->value, uint16_t(what.index), place);
    return {Kind::integer, false};
  }

  Type device_fact(Place place) {
    lexer_.expect(".", "the device has facts, as in device.multiprocessors");
    const Place fact_place = lexer_.place();
    const std::string fact = lexer_.expect_name("a fact of the device");
    const Word* known = find_word(kDeviceFacts, fact);
    if (!known) plugin::fault(lexer_.source(), fact_place, "the device has no `%s`; it has: %s", fact.c_str(), listed(kDeviceFacts).c_str());
    push(Code::device_fact, known->value, 0, place);
    Type type;
    type.device = fact == "kind";
    return type;
  }

  Type called(const std::string& name, Place place) {
    if (name == "prod") return shape_product(place);
    if (name == "clamp") return clamp(place);
    if (name == "real") {
      lexer_.expect("(", "");
      Type type = argument();
      make_real(type);
      lexer_.expect(")", "");
      return type;
    }
    const Function* function = nullptr;
    for (const Function& one : kFunctions)
      if (name == one.name) function = &one;
    if (!function) {
      std::string list = "clamp, prod, real";
      for (const Function& one : kFunctions) list += std::string(", ") + one.name;
      plugin::fault(lexer_.source(), place, "there is no function `%s`; there is: %s", name.c_str(), list.c_str());
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
      plugin::fault(lexer_.source(), place, "%s takes %d argument%s%s, %d given", name.c_str(), function->least, function->least == 1 ? "" : "s",
                    function->most > function->least ? " or more" : "", count);
    if (function->most == 1) emit(type.kind == Kind::real ? function->real_code : function->code, 0, 0, place);
    if (function->take == Take::whole) type.kind = Kind::integer;
    fold(begin, type);
    return type;
  }

  Type argument() {
    const Place place = lexer_.place();
    Type type = conditional();
    need_number(type, place);
    return type;
  }

  // clamp(x, low, high) is min(max(x, low), high).
  Type clamp(Place place) {
    const size_t begin = code_.size();
    lexer_.expect("(", "");
    Type type = argument();
    for (int i = 0; i < 2; ++i) {
      lexer_.expect(",", "clamp takes a value, the least and the largest");
      Type next = argument();
      const bool real = alike(type, next);
      emit(i == 0 ? (real ? Code::maximum_real : Code::maximum) : (real ? Code::minimum_real : Code::minimum), 0, 0, place);
      --depth_;
      type = Type{real ? Kind::real : Kind::integer, type.constant && next.constant};
    }
    lexer_.expect(")", "");
    fold(begin, type);
    return type;
  }

  // prod(x.shape, first, last): of the extents first to last - 1.
  Type shape_product(Place place) {
    lexer_.expect("(", "");
    const Place at = lexer_.place();
    const std::string name = lexer_.expect_name("an array");
    const auto found = names_.find(name);
    if (found == names_.end()) unknown(name, at);
    if (found->second.what != Name::What::array) plugin::fault(lexer_.source(), at, "prod multiplies extents: prod(x.shape, first, last)");
    lexer_.expect(".", "prod multiplies extents: prod(x.shape, first, last)");
    if (lexer_.expect_name("`shape`") != "shape") plugin::fault(lexer_.source(), at, "prod multiplies extents: prod(x.shape, first, last)");
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

  Lexer& lexer_;
  const Names& names_;
  const bool arrays_;
  std::vector<Expression::Step> code_;
  int32_t depth_ = 0, nesting_ = 0;
};

Expression Expression::constant(int64_t value) {
  Expression out;
  out.code_.push_back({uint8_t(Code::integer), 0, 0, {}, Number{value}});
  out.text_ = std::to_string(value);
  return out;
}

Expression parse_expression(Lexer& lexer, const Names& names, Kind wanted) { return ExpressionParser(lexer, names, wanted == Kind::array).parse(&wanted); }
Expression parse_expression(Lexer& lexer, const Names& names, bool arrays) { return ExpressionParser(lexer, names, arrays).parse(nullptr); }

namespace {

Expression whole(const Source& source, const Value& given, const Names& names, const Kind* wanted, bool arrays) {
  Value number;  // a number is read as its text
  const Value* value = &given;
  if (given.kind == Value::Kind::integer || given.kind == Value::Kind::real || given.kind == Value::Kind::boolean) {
    number.place = given.place;
    number.text = given.kind == Value::Kind::integer ? std::to_string(given.integer) : given.kind == Value::Kind::boolean ? std::to_string(given.boolean) : format("%.17g", given.real);
    if (given.kind == Value::Kind::real && number.text.find_first_of(".e") == std::string::npos) number.text += ".0";
    value = &number;
  } else if (given.kind != Value::Kind::text) {
    fault(source, given.place, "%s is found where an expression should be: a number, or a text such as \"ceil_div(x.size, 256)\"", kind_name(given.kind));
  }
  Lexer lexer(source, *value);
  if (lexer.at_end()) lexer.fault("the expression is empty");
  Expression out = wanted ? parse_expression(lexer, names, *wanted) : parse_expression(lexer, names, arrays);
  if (!lexer.at_end()) lexer.fault("%s is found where the expression should end", lexer.found().c_str());
  return out;
}

}  // namespace

Expression parse_whole(const Source& source, const Value& value, const Names& names, Kind wanted) { return whole(source, value, names, &wanted, wanted == Kind::array); }
Expression parse_whole(const Source& source, const Value& value, const Names& names, bool arrays) { return whole(source, value, names, nullptr, arrays); }

}  // namespace tenon::plugin
