// plugin/contract/json.cpp: an operation's contract as JSON, so that a host can build functions, documentation and
// completions from it.
#include "plugin/contract/json.hpp"

namespace tenon::plugin {
namespace {

using json = base::Json;

json type_of(const TypeRef& type, const OperationContract& operation) {
  return type.dtype ? dtype_name(type.dtype) : operation.placeholders[size_t(type.placeholder)].name;
}

std::string name_of_operand(const OperationContract& operation, int32_t operand) {
  for (const std::vector<Declared>* list : {&operation.parameters, &operation.temporaries})
    for (const Declared& parameter : *list)
      if (parameter.operand == operand) return parameter.name;
  return "";
}

json shape_of(const Declared& parameter, const OperationContract& operation) {
  if (parameter.shape.kind == ShapeRule::Kind::like)
    return {{"like", name_of_operand(operation, parameter.shape.like)}};
  if (parameter.shape.kind == ShapeRule::Kind::any) return nullptr;
  if (parameter.shape.kind == ShapeRule::Kind::broadcast) return "broadcast";
  json out = json::array();
  for (const ExtentRule& extent : parameter.shape.extents) out.push_back(extent.text);
  return out;
}

json parameter_of(const Declared& parameter, const OperationContract& operation) {
  json out;
  out["name"] = parameter.name;
  out["role"] = role_name(parameter.role);
  out["type"] = parameter.choices.empty() ? type_of(parameter.type, operation) : json("int32");
  if (!parameter.choices.empty()) out["choices"] = parameter.choices;
  if (parameter.array() || parameter.list >= 0) out["shape"] = shape_of(parameter, operation);
  if (parameter.raw) out["raw"] = true;
  if (parameter.strided) out["strided"] = true;
  if (parameter.packed) out["packed"] = true;
  if (parameter.saved) out["saved"] = true;
  if (parameter.optional) out["optional"] = true;
  if (parameter.has_fallback) {
    if (parameter.choices.empty()) out["default"] = parameter.fallback.text();
    else out["default"] = parameter.choices[size_t(parameter.fallback.integer(Frame{}))];
  }
  out["doc"] = parameter.doc;
  return out;
}

json texts_of(const std::vector<Expression>& list) {
  json out = json::array();
  for (const Expression& expression : list) out.push_back(expression.text());
  return out;
}

json step_of(const StepContract& step) {
  json out;
  static const char* const kinds[] = {"kernel", "elementwise", "reduction", "scan", "host"};
  out["kind"] = kinds[size_t(step.kind)];
  if (!step.when.empty()) out["when"] = step.when.text();
  if (!step.each.empty()) out["for"] = step.each + " < " + step.times.text();
  if (step.kind == StepContract::Kind::kernel) {
    out["source"] = step.file;
    out["kernel"] = step.kernel.source;
    for (const Argument& argument : step.arguments) out["arguments"].push_back(argument.text);
    if (step.count_argument) out["arguments"].push_back(step.threads[0].text());
    if (!step.threads.empty()) out["threads"] = texts_of(step.threads);
    if (!step.grid.empty()) out["grid"] = texts_of(step.grid);
    out["block"] = texts_of(step.block);
    if (!step.shared.empty()) out["shared"] = step.shared.text();
    if (!step.cluster.empty()) out["cluster"] = texts_of(step.cluster);
    if (step.cooperative) out["cooperative"] = true;
  } else {
    out["read"] = step.reads;
    out["write"] = step.writes;
    if (step.kind == StepContract::Kind::elementwise) out["expression"] = step.text;
    if (step.kind == StepContract::Kind::host) out["host"] = step.text;
    if (step.kind == StepContract::Kind::reduction)
      out["reduction"] = {
          {"map", step.reduction.map}, {"reduce", step.reduction.reduce}, {"post", step.reduction.post}};
    if (step.kind == StepContract::Kind::scan)
      out["scan"] = {{"map", step.scan.map}, {"combine", step.scan.combine}, {"identity", step.scan.identity}};
  }
  for (const auto& [name, pattern] : step.defines) out["defines"][name] = pattern.source;
  for (const Pattern& option : step.options) out["options"].push_back(option.source);
  if (step.fast_math) out["fast_math"] = true;
  return out;
}

}  // namespace

base::Json describe(const OperationContract& operation, const std::string& package) {
  json out;
  out["name"] = operation.name;
  out["package"] = package;
  out["doc"] = operation.doc;
  out["line"] = operation.place.line;
  out["types"] = json::object();
  for (const Placeholder& placeholder : operation.placeholders) {
    json& list = out["types"][placeholder.name] = json::array();
    for (const Dtype dtype : placeholder.dtypes) list.push_back(dtype_name(dtype));
  }
  for (const Placeholder& placeholder :
       operation.placeholders) {  // determined by another placeholder: its name, and the map
    if (placeholder.from < 0) continue;
    json& to = out["follows"][placeholder.name] = {{"from", operation.placeholders[size_t(placeholder.from)].name}};
    for (const auto& [from, made] : placeholder.map) to["dtypes"][dtype_name(from)] = dtype_name(made);
  }
  out["parameters"] = json::array();
  for (const Declared& parameter : operation.parameters)
    out["parameters"].push_back(parameter_of(parameter, operation));
  if (!operation.lets.empty()) {
    for (const Let& let : operation.lets) {
      json& to = out["let"][let.name] = let.value.text();
      if (let.list >= 0)
        to = {{"type", type_of(let.type, operation)},
              {"count", let.count.text()},
              {"counter", let.counter},
              {"value", let.value.text()}};
    }
  }
  out["require"] = json::array();
  for (const Requirement& requirement : operation.requirements)
    out["require"].push_back({{"that", requirement.that.text()}, {"message", requirement.message.source}});
  for (const Declared& temporary : operation.temporaries)
    out["temporaries"].push_back(parameter_of(temporary, operation));
  out["tunables"] = json::object();
  for (const Tunable& tunable : operation.tunables)
    out["tunables"][tunable.name] = {{"values", tunable.values}, {"default", tunable.fallback}};
  for (const int32_t index : operation.tuned_for) out["tuned_for"].push_back(operation.parameters[size_t(index)].name);
  out["steps"] = json::array();
  for (const StepContract& step : operation.steps) out["steps"].push_back(step_of(step));
  out["devices"] = json::array();
  if (operation.devices & kOnCpu) out["devices"].push_back("cpu");
  if (operation.devices & kOnCuda) out["devices"].push_back("cuda");
  if (operation.compute) out["compute"] = format("%d.%d", operation.compute / 10, operation.compute % 10);
  out["deterministic"] = operation.deterministic;
  out["in_place"] = operation.in_place;
  out["gradient"] = operation.gradient.empty() ? json(nullptr) : json(operation.gradient);
  out["tests"] = operation.tests.size();
  out["benches"] = operation.benches.size();
  return out;
}

}  // namespace tenon::plugin
