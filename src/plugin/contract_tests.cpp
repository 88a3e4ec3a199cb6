// plugin/contract_tests.cpp: the self-test cases of an operation: [[op.NAME.test]].
#include <algorithm>
#include "plugin/contract.hpp"
#include "plugin/dtype_set.hpp"
#include "plugin/generator.hpp"

namespace tenon::plugin {
namespace {

void check_given(const Source& source, const OperationContract& operation, const TestCase& test) {
  for (const auto& [name, value] : test.given) {
    const Declared* parameter = operation.find(name);
    if (!parameter || parameter->role == Role::out) fault(source, value.place, "%s has no input `%s`", operation.name.c_str(), name.c_str());
    if (parameter->array()) check_generator(source, value);
    else if (parameter->choices.empty() && parameter->list < 0 && value.kind != Value::Kind::integer && value.kind != Value::Kind::real && value.kind != Value::Kind::boolean)
      fault(source, value.place, "`%s` is a scalar: its value is a number", name.c_str());
    else if (!parameter->choices.empty() && (value.kind != Value::Kind::text || std::find(parameter->choices.begin(), parameter->choices.end(), value.text) == parameter->choices.end()))
      fault(source, value.place, "`%s` is one of its choices, as a text", name.c_str());
    else if (parameter->list >= 0 && value.kind != Value::Kind::list)
      fault(source, value.place, "`%s` is a list of numbers", name.c_str());
  }
  for (const Declared& parameter : operation.parameters) {
    if (parameter.role == Role::out || parameter.has_fallback) continue;
    const bool given = std::any_of(test.given.begin(), test.given.end(), [&](const auto& pair) { return pair.first == parameter.name; });
    if (!given) fault(source, test.place, "the test gives no `%s`, which has no default", parameter.name.c_str());
  }
}

TestCase read_test(const Source& source, const Value& value, const OperationContract& operation, size_t index) {
  TestCase out;
  const std::string what = "test " + std::to_string(index + 1) + " of " + operation.name;
  Table table(source, value, what);
  out.place = value.place;
  out.name = table.text("name", std::to_string(index + 1));
  const Value& given = table.need("given", "given = { x = \"normal(100)\" }");
  if (given.kind != Value::Kind::table) fault(source, given.place, "`given` of %s is %s: it has to be a table", what.c_str(), kind_name(given.kind));
  out.given = given.entries;
  if (const Value* expect = table.table("expect")) out.expect = expect->entries;
  for (const auto& [name, wanted] : out.expect) {
    const Declared* parameter = operation.find(name);
    if (!parameter || !parameter->written()) fault(source, wanted.place, "%s has no output `%s`", operation.name.c_str(), name.c_str());
    if (wanted.kind != Value::Kind::text) check_generator(source, wanted);
  }
  if (const Value* types = table.table("types")) {
    for (size_t i = 0; i < types->entries.size(); ++i) {
      const auto& [name, type] = types->entries[i];
      const auto found = std::find_if(operation.placeholders.begin(), operation.placeholders.end(), [&](const Placeholder& p) { return p.name == name; });
      if (found == operation.placeholders.end()) fault(source, types->keys[i], "%s has no type `%s`", operation.name.c_str(), name.c_str());
      for (const Dtype dtype : read_placeholder(source, name, type, {}).dtypes) {
        if (std::find(found->dtypes.begin(), found->dtypes.end(), dtype) == found->dtypes.end()) fault(source, type.place, "%s cannot be %s", name.c_str(), dtype_name(dtype).c_str());
        out.types.emplace_back(name, dtype);
      }
    }
  }
  out.relative = table.real("relative", -1);
  out.absolute = table.real("absolute", -1);
  out.gradient = table.boolean("gradient", true);
  table.finish();
  check_given(source, operation, out);
  return out;
}

}  // namespace

void read_tests(const Source& source, Table& table, OperationContract& operation) {
  const std::vector<const Value*> tests = table.list("test", Value::Kind::table);
  for (size_t i = 0; i < tests.size(); ++i) operation.tests.push_back(read_test(source, *tests[i], operation, i));
}

}  // namespace tenon::plugin
