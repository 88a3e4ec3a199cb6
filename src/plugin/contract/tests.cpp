// plugin/contract/tests.cpp: the self-test cases of an operation, [[op.NAME.test]], and its measurements,
// [[op.NAME.bench]].
#include <algorithm>
#include "plugin/contract/contract.hpp"
#include "plugin/contract/dtype_set.hpp"
#include "plugin/contract/generator.hpp"

namespace tenon::plugin {
namespace {

// Everything that is given must be a parameter, and of its kind.
void check_names(const Source& source, const OperationContract& operation, const TestCase& test) {
  for (const auto& [name, value] : test.given) {
    const Declared* parameter = operation.find(name);
    if (!parameter || parameter->role == Role::out)
      fault(source, value.place, "%s has no input `%s`", operation.name.c_str(), name.c_str());
    if (parameter->array()) check_generator(source, value);
    else if (parameter->choices.empty() && parameter->list < 0 && value.kind != Value::Kind::integer &&
             value.kind != Value::Kind::real && value.kind != Value::Kind::boolean)
      fault(source, value.place, "`%s` is a scalar: its value must be a number", name.c_str());
    else if (!parameter->choices.empty() &&
             (value.kind != Value::Kind::text ||
              std::find(parameter->choices.begin(), parameter->choices.end(), value.text) == parameter->choices.end()))
      fault(source, value.place, "`%s` must be one of its choices, as a string", name.c_str());
    else if (parameter->list >= 0 && value.kind != Value::Kind::list)
      fault(source, value.place, "`%s` must be a list of numbers", name.c_str());
  }
}

void check_all_given(const Source& source, const OperationContract& operation, const TestCase& test) {
  for (const Declared& parameter : operation.parameters) {
    if (parameter.role == Role::out || parameter.has_fallback || parameter.optional) continue;
    const bool given = std::any_of(test.given.begin(), test.given.end(),
                                   [&](const auto& pair) { return pair.first == parameter.name; });
    if (!given) fault(source, test.place, "the case does not give `%s`, which has no default", parameter.name.c_str());
  }
}

void read_types(const Source& source, const Value& types, const OperationContract& operation, TestCase& out) {
  for (size_t i = 0; i < types.entries.size(); ++i) {
    const auto& [name, type] = types.entries[i];
    const auto found = std::find_if(operation.placeholders.begin(), operation.placeholders.end(),
                                    [&](const Placeholder& p) { return p.name == name; });
    if (found == operation.placeholders.end())
      fault(source, types.keys[i], "%s has no type `%s`", operation.name.c_str(), name.c_str());
    for (const Dtype dtype : read_placeholder(source, name, type, {}).dtypes) {
      if (std::find(found->dtypes.begin(), found->dtypes.end(), dtype) == found->dtypes.end())
        fault(source, type.place, "%s cannot be %s", name.c_str(), dtype_name(dtype).c_str());
      out.types.emplace_back(name, dtype);
    }
  }
}

// kind: "test", which states expected values, or "bench".
TestCase read_case(const Source& source, const Value& value, const OperationContract& operation, const char* kind,
                   size_t index) {
  TestCase out;
  const std::string what = format("%s %zu of %s", kind, index + 1, operation.name.c_str());
  const bool test = std::string_view(kind) == "test";
  Table table(source, value, what);
  out.place = value.place;
  out.name = table.text("name", std::to_string(index + 1));
  const Value& given = table.need("given", "given = { x = \"normal(100)\" }");
  if (given.kind != Value::Kind::table)
    fault(source, given.place, "`given` of %s is %s: it must be a table", what.c_str(), kind_name(given.kind));
  out.given = given.entries;
  if (const Value* expect = test ? table.table("expect") : nullptr) out.expect = expect->entries;
  for (const auto& [name, wanted] : out.expect) {
    const Declared* parameter = operation.find(name);
    if (!parameter || !parameter->written())
      fault(source, wanted.place, "%s has no output `%s`", operation.name.c_str(), name.c_str());
    if (wanted.kind != Value::Kind::text) check_generator(source, wanted);
  }
  if (const Value* types = table.table("types")) read_types(source, *types, operation, out);
  if (test) {
    out.relative = table.real("relative", -1);
    out.absolute = table.real("absolute", -1);
    out.gradient = table.boolean("gradient", true);
  }
  table.finish();
  check_names(source, operation, out);
  check_all_given(source, operation, out);
  return out;
}

}  // namespace

void read_tests(const Source& source, Table& table, OperationContract& operation) {
  const auto read = [&](const char* kind, std::vector<TestCase>& to) {
    const std::vector<const Value*> cases = table.list(kind, Value::Kind::table);
    for (size_t i = 0; i < cases.size(); ++i) to.push_back(read_case(source, *cases[i], operation, kind, i));
  };
  read("test", operation.tests);
  read("bench", operation.benches);
}

TestCase read_types_given(const OperationContract& operation, const std::string& types) {
  TestCase out;
  std::string list;
  for (size_t begin = 0; begin < types.size();) {  // reads T=float32 as T = "float32"
    const size_t end = std::min(types.find(',', begin), types.size()), equals = types.find('=', begin);
    if (equals >= end)
      fault(Source{"types", types}, {1, uint32_t(begin + 1)}, "types must be written \"T=float32, A=float64\"");
    const auto trimmed = [](std::string text) {
      text.erase(0, std::min(text.find_first_not_of(' '), text.size()));
      text.erase(text.find_last_not_of(' ') + 1);
      return text;
    };
    list += (list.empty() ? "" : ", ") + trimmed(types.substr(begin, equals - begin)) + " = \"" +
            trimmed(types.substr(equals + 1, end - equals - 1)) + "\"";
    begin = end + 1;
  }
  const Source source{"types", "types = { " + list + " }"};
  read_types(source, parse_document(source).entries.at(0).second, operation, out);
  return out;
}

TestCase read_given(const OperationContract& operation, const std::vector<std::pair<std::string, std::string>>& given,
                    const std::string& types) {
  TestCase out;
  out.name = "given";
  const auto parsed = [](const Source& source) {
    Value root = parse_document(source);
    if (root.entries.size() != 1) fault(source, root.place, "one value is expected");
    return std::move(root.entries[0].second);
  };
  for (const auto& [name, text] : given) {
    const Source whole{name, "value = " + text};
    Value value;
    try {
      value = parsed(whole);
    } catch (const Error&) {  // neither a number nor a list: a rule or a choice
      value.kind = Value::Kind::text;
      value.place = {1, 1};
      value.text = text;
    }
    out.given.emplace_back(name, value);
    TestCase one;
    one.given.push_back(out.given.back());
    check_names(Source{name, text}, operation, one);
  }
  out.types = read_types_given(operation, types).types;
  check_all_given(Source{"the arguments", ""}, operation, out);
  return out;
}

}  // namespace tenon::plugin
