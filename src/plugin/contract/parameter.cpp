// plugin/contract/parameter.cpp: "in T x[n, m]: the image", one parameter or temporary, and patterns, texts with
// values in them.
#include <algorithm>
#include "plugin/contract/contract.hpp"
#include "plugin/contract/host_names.hpp"

namespace tenon::plugin {
namespace {

bool placeholder_name(const std::string& name) { return name[0] >= 'A' && name[0] <= 'Z'; }

int32_t new_number(Lexer& lexer, OperationContract& operation) {
  if (operation.numbers >= kMaxNumbers)
    lexer.fault("the operation %s has more than %d named numbers", operation.name.c_str(), kMaxNumbers);
  return operation.numbers++;
}

void add_name(Lexer& lexer, Place place, OperationContract& operation, const std::string& name, Name what) {
  refuse_taken(lexer.source(), place, name, taken_in_kernels(name));
  if (reserved_name(name)) fault(lexer.source(), place, "`%s` is a reserved word: choose another name", name.c_str());
  if (!operation.names.emplace(name, what).second)
    fault(lexer.source(), place, "the name `%s` is used twice", name.c_str());
}

class ParameterReader {
 public:
  ParameterReader(const Source& source, const Value& value, bool temporary, OperationContract& operation)
      : lexer_(source, value), operation_(operation), temporary_(temporary) {}

  Declared read() {
    out_.place = lexer_.place();
    role();
    const Place type_place = lexer_.place();
    type();
    name_place_ = lexer_.place();
    out_.name = lexer_.expect_name("the parameter's name");
    if (out_.name.size() > 64)
      fault(lexer_.source(), name_place_, "the name has %zu characters: at most 64 are allowed", out_.name.size());
    if (placeholder_name(out_.name))
      fault(lexer_.source(), name_place_, "the parameter `%s` begins with a capital letter, as only types do",
            out_.name.c_str());
    if (!temporary_) refuse_taken(lexer_.source(), name_place_, out_.name, taken_for_parameters(out_.name));
    const bool shape_first = out_.array();
    const bool list = !shape_first && lexer_.is("[");
    if (!shape_first && !list) add_scalar(type_place);
    if (out_.role != Role::out && !temporary_) hide_outputs();
    if (lexer_.is("[")) shape();
    else if (lexer_.is_name("like")) like();
    else if (temporary_)
      lexer_.fault("a temporary needs a shape: write %s[n], or %s like x", out_.name.c_str(), out_.name.c_str());
    if (shape_first) add_array();
    if (list) add_list(type_place);
    fallback();
    if (lexer_.is(":")) {
      lexer_.take();
      out_.doc = lexer_.rest();
    }
    if (!lexer_.at_end())
      lexer_.fault("found %s where the declaration should end (documentation follows a colon)", lexer_.found().c_str());
    return std::move(out_);
  }

 private:
  // Outputs get their shapes when all inputs and scalars are known, so these cannot refer to an output.
  void hide_outputs() {
    names_ = operation_.names;
    for (const Declared& parameter : operation_.parameters)
      if (parameter.role == Role::out) names_[parameter.name].what = Name::What::later;
  }
  // The names that the declaration's expressions may use.
  const Names& names() const { return out_.role == Role::out || temporary_ ? operation_.names : names_; }

  void role() {
    if (temporary_) {
      out_.role = Role::temporary;
      return;
    }
    const Place place = lexer_.place();
    const std::string word = lexer_.expect_name("in, out, inout or scalar");
    if (word == "in") out_.role = Role::in;
    else if (word == "out") out_.role = Role::out;
    else if (word == "inout") out_.role = Role::inout;
    else if (word == "scalar") out_.role = Role::scalar;
    else
      fault(lexer_.source(), place,
            "found `%s` where in, out, inout or scalar should be: a parameter is written \"in float32 x\"",
            word.c_str());
    for (;;) {
      bool* const flag = lexer_.is_name("raw")        ? &out_.raw
                         : lexer_.is_name("strided")  ? &out_.strided
                         : lexer_.is_name("packed")   ? &out_.packed
                         : lexer_.is_name("saved")    ? &out_.saved
                         : lexer_.is_name("optional") ? &out_.optional
                                                      : nullptr;
      if (!flag) break;
      if (out_.role == Role::scalar && flag == &out_.optional)
        lexer_.fault("a scalar that may be left out needs a default: \"scalar float32 alpha = 1\"");
      if (out_.role == Role::scalar) lexer_.fault("a scalar cannot be %s", lexer_.peek().text.c_str());
      if (flag == &out_.optional && out_.role != Role::in)
        lexer_.fault("only an input can be optional: arrays that are written must be given");
      if (flag == &out_.packed && out_.role != Role::in)
        lexer_.fault("only an input can be packed: an array that is written cannot be a copy");
      if (flag == &out_.saved && out_.role != Role::out)
        lexer_.fault("only an output can be saved: the gradient needs it, and it has no gradient itself");
      if (*flag) lexer_.fault("`%s` is written twice", lexer_.peek().text.c_str());
      lexer_.take();
      *flag = true;
    }
    if (out_.strided && out_.packed) lexer_.fault("a parameter can be strided or packed, not both");
  }

  void type() {
    if (lexer_.is("{")) return choices();
    const Place place = lexer_.place();
    const std::string word = lexer_.expect_name("a type");
    out_.type.dtype = dtype_named(word);
    if (out_.type.dtype) return;
    if (!placeholder_name(word))
      fault(
          lexer_.source(), place,
          "`%s` is not a type: write float32, int64 ..., or a placeholder that begins with a capital letter, such as T",
          word.c_str());
    for (size_t i = 0; i < operation_.placeholders.size(); ++i)
      if (operation_.placeholders[i].name == word) out_.type.placeholder = int32_t(i);
    if (out_.type.placeholder >= 0) return;
    if (operation_.placeholders.size() >= size_t(kMaxTypes))
      fault(lexer_.source(), place, "the operation has more than %d placeholders", kMaxTypes);
    if (temporary_)
      fault(lexer_.source(), place, "the type `%s` is undetermined: no parameter is declared with it", word.c_str());
    out_.type.placeholder = int32_t(operation_.placeholders.size());
    operation_.placeholders.push_back({word, {TENON_FLOAT32, TENON_FLOAT64}, -1, {}});
    add_name(lexer_, place, operation_, word, {Name::What::type, out_.type.placeholder});
  }

  void choices() {
    if (out_.role != Role::scalar) lexer_.fault("choices are for scalars only: \"scalar {reflect, wrap} mode\"");
    lexer_.take();
    do {
      const Place place = lexer_.place();
      std::string word = lexer_.expect_name("a choice");
      if (std::find(out_.choices.begin(), out_.choices.end(), word) != out_.choices.end())
        fault(lexer_.source(), place, "the choice `%s` is listed twice", word.c_str());
      out_.choices.push_back(std::move(word));
    } while (lexer_.take_if(","));
    lexer_.expect("}", "");
    out_.type.dtype = TENON_INT32;
  }

  void add_array() {
    if (operation_.operands >= kMaxOperands)
      lexer_.fault("the operation %s has more than %d arrays", operation_.name.c_str(), kMaxOperands);
    out_.operand = operation_.operands++;
    add_name(lexer_, name_place_, operation_, out_.name, {Name::What::array, out_.operand});
  }

  // Makes the scalar a number for expressions if they can represent it: integers and reals.
  void add_scalar(Place type_place) {
    const Dtype dtype = out_.type.dtype;
    bool complex = dtype_complex(dtype);
    if (!dtype)
      for (const Dtype may : operation_.placeholders[size_t(out_.type.placeholder)].dtypes)
        complex = complex || dtype_complex(may);
    if (complex) return add_name(lexer_, name_place_, operation_, out_.name, {Name::What::opaque});
    if (dtype && !dtype_computes(dtype))
      fault(lexer_.source(), type_place, "a scalar cannot be %s", dtype_name(dtype).c_str());
    out_.number = new_number(lexer_, operation_);
    // A scalar of a placeholder's type is a real number for expressions, because it may be one.
    const bool real = !dtype || dtype_floating(dtype);
    add_name(lexer_, name_place_, operation_, out_.name, {Name::What::number, out_.number, real, nullptr});
  }

  void add_list(Place type_place) {
    const Dtype dtype = out_.type.dtype;
    if (!out_.choices.empty() || !dtype || dtype_complex(dtype) || dtype == TENON_FLOAT16 || dtype == TENON_BFLOAT16 ||
        !dtype_computes(dtype))
      fault(lexer_.source(), type_place, "a list must be of integers, float32 or float64");
    if (out_.shape.extents.size() != 1 || out_.shape.extents[0].kind == ExtentRule::Kind::leading ||
        out_.shape.extents[0].kind == ExtentRule::Kind::part)
      fault(lexer_.source(), name_place_, "a list must have one extent: write %s[n] or %s[*]", out_.name.c_str(),
            out_.name.c_str());
    if (operation_.lists >= kMaxLists)
      fault(lexer_.source(), name_place_, "the operation has more than %d lists", kMaxLists);
    out_.list = operation_.lists++;
    add_name(lexer_, name_place_, operation_, out_.name, {Name::What::list, out_.list, dtype_floating(dtype)});
  }

  void like() {
    if (!out_.array()) lexer_.fault("a scalar cannot have a shape");
    lexer_.take();
    const Place place = lexer_.place();
    const std::string name = lexer_.expect_name("an array");
    const auto found = names().find(name);
    if (found != names().end() && found->second.what == Name::What::later)
      fault(lexer_.source(), place, "%s", shaped_later(name).c_str());
    if (found == names().end() || found->second.what != Name::What::array)
      fault(lexer_.source(), place, "`%s` is not an array declared before", name.c_str());
    refuse_optional(place, name, found->second.index);
    out_.shape.kind = ShapeRule::Kind::like;
    out_.shape.like = found->second.index;
  }

  // A shape cannot depend on an array that may be absent.
  void refuse_optional(Place place, const std::string& name, int32_t operand) const {
    for (const Declared& parameter : operation_.parameters)
      if (parameter.operand == operand && parameter.optional)
        fault(lexer_.source(), place,
              "`%s` is optional, so no shape can be taken from it: name an array that is always given", name.c_str());
  }

  void shape() {
    lexer_.take();
    out_.shape.kind = ShapeRule::Kind::list;
    const bool defines = out_.role == Role::in || out_.role == Role::inout || out_.role == Role::scalar;
    bool leading = false;
    if (!lexer_.is("]")) do {
        ExtentRule extent;
        const Place place = lexer_.place();
        const size_t begin = lexer_.peek().begin;
        if (lexer_.take_if("...")) {
          extent.kind = ExtentRule::Kind::leading;
          if (leading) fault(lexer_.source(), place, "`...` is written twice");
          leading = true;
        } else if (lexer_.take_if("*")) {
          if (!defines) fault(lexer_.source(), place, "`*` gives %s no extent: write an expression", out_.name.c_str());
          extent.kind = ExtentRule::Kind::any;
        } else if (!part(extent) && !binds(extent, defines)) {
          extent.value = parse_expression(lexer_, names(), Expression::Kind::integer);
        }
        extent.text = lexer_.value().text.substr(begin, lexer_.peek().begin - begin);
        while (extent.text.ends_with(' ')) extent.text.pop_back();
        out_.shape.extents.push_back(std::move(extent));
        if (out_.shape.extents.size() > TENON_MAX_RANK)
          fault(lexer_.source(), place, "a shape can have at most %d extents", TENON_MAX_RANK);
      } while (lexer_.take_if(","));
    lexer_.expect("]", "extents must be separated by commas");
  }

  // `x.shape`, `x.shape[first:last]`.
  bool part(ExtentRule& extent) {
    if (lexer_.peek().kind != Token::Kind::name) return false;
    const auto found = names().find(lexer_.peek().text);
    if (found == names().end() || found->second.what != Name::What::array) return false;
    Lexer ahead = lexer_;
    ahead.take();
    if (!ahead.take_if(".") || !ahead.is_name("shape")) return false;
    ahead.take();
    if (ahead.take_if("[")) {
      if (!ahead.is(":")) extent.first = parse_expression(ahead, names(), Expression::Kind::integer);
      if (!ahead.take_if(":")) {
        extent.first = {};
        return false;  // a single extent: an expression
      }
      if (!ahead.is("]")) extent.last = parse_expression(ahead, names(), Expression::Kind::integer);
      ahead.expect("]", "");
    } else if (!ahead.is(",") && !ahead.is("]")) {
      return false;
    }
    refuse_optional(lexer_.place(), found->first, found->second.index);
    extent.kind = ExtentRule::Kind::part;
    extent.operand = found->second.index;
    take_over(ahead);
    return true;
  }

  bool binds(ExtentRule& extent, bool defines) {
    if (!defines || lexer_.peek().kind != Token::Kind::name || operation_.names.count(lexer_.peek().text)) return false;
    Lexer ahead = lexer_;
    const std::string name = ahead.take().text;
    if (!ahead.is(",") && !ahead.is("]") && !ahead.at_end()) return false;
    if (placeholder_name(name))
      lexer_.fault("the extent `%s` begins with a capital letter, as only types do", name.c_str());
    if (out_.optional)
      lexer_.fault(
          "`%s` is unknown if %s is not given: an optional input has extents that other parameters name, "
          "or `*`",
          name.c_str(), out_.name.c_str());
    extent.kind = ExtentRule::Kind::bind;
    extent.number = new_number(lexer_, operation_);
    add_name(lexer_, lexer_.place(), operation_, name, {Name::What::number, extent.number});
    hide_outputs();
    take_over(ahead);
    return true;
  }

  void take_over(const Lexer& ahead) {
    while (lexer_.peek().begin < ahead.peek().begin && !lexer_.at_end()) lexer_.take();
  }

  void fallback() {
    if (!lexer_.is("=")) return;
    if (out_.role != Role::scalar) lexer_.fault("only a scalar can have a default");
    if (out_.number < 0 && out_.list < 0) lexer_.fault("a complex scalar cannot have a default");
    lexer_.take();
    out_.has_fallback = true;
    if (!out_.choices.empty()) {
      const Place place = lexer_.place();
      const std::string word = lexer_.expect_name("one of the choices");
      const auto found = std::find(out_.choices.begin(), out_.choices.end(), word);
      if (found == out_.choices.end()) fault(lexer_.source(), place, "`%s` is not one of the choices", word.c_str());
      out_.fallback = Expression::constant(found - out_.choices.begin());
      return;
    }
    hide_outputs();
    Names others = names_;
    others.erase(out_.name);
    const bool real = !out_.type.dtype || dtype_floating(out_.type.dtype);
    out_.fallback = parse_expression(lexer_, others, real ? Expression::Kind::real : Expression::Kind::integer);
  }

  Lexer lexer_;
  OperationContract& operation_;
  const bool temporary_;
  Declared out_;
  Names names_;  // for an input or a scalar: those of the operation, with the outputs hidden
  Place name_place_;
};

}  // namespace

void refuse_taken(const Source& source, Place place, const std::string& name, const std::string& taken) {
  if (!taken.empty()) fault(source, place, "`%s` is %s: choose another name", name.c_str(), taken.c_str());
}

Declared read_declaration(const Source& source, const Value& value, bool temporary, OperationContract& operation) {
  return ParameterReader(source, value, temporary, operation).read();
}

Pattern read_pattern(const Source& source, const Value& value, const OperationContract& operation, const Names& names,
                     bool bare_types) {
  Pattern out;
  out.source = value.text;
  out.place = value.place;
  const std::string& text = value.text;
  const auto literal = [&](std::string piece) {
    if (piece.empty()) return;
    if (!out.pieces.empty() && out.pieces.back().placeholder < 0 && out.pieces.back().value.empty())
      out.pieces.back().text += piece;
    else out.pieces.push_back({std::move(piece), -1, {}});
  };
  const auto placeholder = [&](const std::string& word) {
    for (size_t i = 0; i < operation.placeholders.size(); ++i)
      if (operation.placeholders[i].name == word) return int32_t(i);
    return int32_t(-1);
  };
  const auto in_word = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  for (size_t at = 0; at < text.size();) {
    if (text.compare(at, 2, "{{") == 0 || text.compare(at, 2, "}}") == 0) {  // an escaped brace
      literal(text.substr(at, 1));
      at += 2;
    } else if (text[at] == '{') {
      const size_t close = text.find('}', at);
      if (close == std::string::npos)
        fault(source, TextPlaces(source, value).at(at), "the value that begins here with { has no closing }");
      Lexer lexer(source, value, at + 1, close);
      const int32_t type = lexer.peek().kind == Token::Kind::name ? placeholder(lexer.peek().text) : -1;
      Lexer ahead = lexer;
      ahead.take();
      if (type >= 0 && ahead.at_end()) {
        out.pieces.push_back({"", type, {}});
      } else {
        out.pieces.push_back({"", -1, parse_expression(lexer, names)});
        if (!lexer.at_end()) lexer.fault("found %s where the value should end", lexer.found().c_str());
      }
      at = close + 1;
    } else if (text[at] == '}') {
      fault(source, TextPlaces(source, value).at(at), "a } without its {: write a literal brace twice");
    } else if (bare_types && in_word(text[at])) {
      const size_t begin = at;
      while (at < text.size() && in_word(text[at])) ++at;
      const std::string word = text.substr(begin, at - begin);
      const int32_t type = placeholder(word);
      if (type >= 0) out.pieces.push_back({"", type, {}});
      else literal(word);
    } else {
      literal(text.substr(at++, 1));
    }
  }
  return out;
}

}  // namespace tenon::plugin
