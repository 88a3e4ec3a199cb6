// ops/compute/compose.cpp: steps on numbered values become the text of one kernel: elementwise, a reduction, or a scan.
#include "ops/compute/compose.hpp"

#include <cstdarg>
#include <tenon/functions.h>
#include <map>
#include <set>
#include "functions/table.hpp"
#include "kernel/generate/generate.hpp"
#include "ops/compute/compute.hpp"

namespace tenon::ops {
namespace {

using functions::Function;
using functions::kind_of;

class Composition {
 public:
  Composition(std::span<const uint32_t> inputs, std::span<const tenon_step> steps) : steps_(steps) {
    for (size_t i = 0; i < inputs.size(); ++i) {
      TENON_REQUIRE(
          kind_of(inputs[i]), TENON_ERROR_DTYPE,
          "inputs[%zu] is %s, a storage type without arithmetic: convert it in the library that it comes from", i,
          dtype_name(inputs[i]).c_str());
      values_.push_back({inputs[i], "x" + std::to_string(i)});
    }
    inputs_ = values_.size();
    for (at_ = 0; at_ < steps_.size(); ++at_) values_.push_back(value_of(steps_[at_]));
    find_tables();
    for (size_t i = 0; i < inputs_; ++i)
      declared_ +=
          (i ? ", " : "") + std::string(tables_[i] ? "table " : "") + dtype_name(inputs[i]) + " " + values_[i].name;
  }

  Ref<Elementwise> kernel(std::span<const int32_t> outputs, GeneratedOptions options) {
    std::string declared, assignments;
    std::set<int32_t> seen;
    for (size_t k = 0; k < outputs.size(); ++k) {
      const int32_t value = outputs[k];
      TENON_REQUIRE(value >= 0 && size_t(value) < values_.size(), TENON_ERROR_INVALID_ARGUMENT,
                    "outputs[%zu] is %d, not a value: there are %zu, %zu inputs and %zu steps, numbered from 0", k,
                    value, values_.size(), inputs_, steps_.size());
      require_element(value);
      TENON_REQUIRE(seen.insert(value).second, TENON_ERROR_INVALID_ARGUMENT,
                    "outputs[%zu]: value %d is an output already; copy the array instead", k, value);
      const std::string name = "r" + std::to_string(k);
      declared += (k ? ", " : "") + dtype_name(values_[value].dtype) + " " + name;
      assignments += name + " = " + computed(value) + ";\n";
    }
    options.preamble = preamble();
    for (const auto& [name, body] : bodies_) options.heavy = options.heavy || generate::is_heavy(body);
    return Elementwise::create(declared_, declared, lines_ + assignments, finished(std::move(options)));
  }

  // The steps as a function of an element's inputs, for a kernel that combines its results.
  Mapped mapped(int32_t value) {
    TENON_REQUIRE(value >= 0 && size_t(value) < values_.size(), TENON_ERROR_INVALID_ARGUMENT,
                  "value is %d: there are %zu, %zu inputs and %zu steps, numbered from 0", value, values_.size(),
                  inputs_, steps_.size());
    require_element(value);
    const std::string name = computed(value), result = generate::type_text(values_[value].dtype);
    std::string parameters, arguments;
    for (size_t i = 0; i < inputs_; ++i) {
      const std::string own = generate::type_text(values_[i].dtype);
      parameters +=
          (i ? ", const " : "const ") + (tables_[i] ? "tenon_g_table<" + own + ">&" : own) + " " + values_[i].name;
      arguments += (i ? ", " : "") + values_[i].name;
    }
    return {values_[value].dtype, declared_, "tenon_g_composed(" + arguments + ")",
            preamble() + "TENON_G_DEVICE " + result + " tenon_g_composed(" + parameters + ") {\n" + lines_ + "return " +
                name + ";\n}\n",
            complex_};
  }

  static GeneratedOptions finished(GeneratedOptions options) {
    if (options.name.empty()) options.name = "composition";
    options.options.push_back("-fmad=false");  // products and sums are rounded separately
    return options;
  }

 private:
  // A value: its expression in terms of the operands' names is built when an output needs it.
  struct Value {
    Dtype dtype;
    std::string name;  // "": not computed yet
    const Function* function = nullptr;
    Dtype compute = 0;
    bool mixed = false;  // a comparison of int64 with uint64, which have no common integer dtype
  };

  // --- checks, and the dtypes that result ---

  [[noreturn, gnu::format(printf, 3, 4)]] void refuse(int32_t status, const char* text, ...) const {
    va_list list;
    va_start(list, text);
    const std::string message = format_list(text, list);
    va_end(list);
    fail(status, "steps[%zu]: %s", at_, message.c_str());
  }

  void operands(const tenon_step& step, int32_t needed, int32_t optional = 0) const {
    const int32_t all[] = {step.x, step.y, step.z};
    for (int32_t k = 0; k < 3; ++k) {
      const bool absent = all[k] == -1 && k >= needed;
      if (absent) continue;
      if (k >= needed + optional)
        refuse(TENON_ERROR_INVALID_ARGUMENT, "%c is %d, but there is no such operand: pass -1", "xyz"[k], all[k]);
      if (all[k] < 0 || size_t(all[k]) >= values_.size())
        refuse(TENON_ERROR_INVALID_ARGUMENT, "%c is %d, not an earlier value: the number must be from 0 to %zu",
               "xyz"[k], all[k], values_.size() - 1);
    }
  }

  Dtype dtype(int32_t value) const { return values_[value].dtype; }

  Value applied(const Function& f, Dtype together) const {
    Dtype compute;
    try {
      compute = functions::computed_in(f, together);
    } catch (const Error& error) {
      refuse(error.status, "%s", error.message.c_str());
    }
    return {functions::result_of(f, compute), "", &functions::row_for(f, compute), functions::wide_of(compute)};
  }

  Value value_of(const tenon_step& step) const {
    const bool named = step.kind == TENON_STEP_UNARY || step.kind == TENON_STEP_BINARY;
    if (!named && step.function)
      refuse(TENON_ERROR_INVALID_ARGUMENT, "function is %d, but only unary and binary steps have one: pass 0",
             step.function);
    if (step.kind != TENON_STEP_CAST && step.dtype)
      refuse(TENON_ERROR_INVALID_ARGUMENT, "dtype is 0x%x, but only casts have one: pass 0", step.dtype);
    switch (step.kind) {
      case TENON_STEP_UNARY:
        operands(step, 1);
        return applied(row(step, functions::FunctionKind::unary), dtype(step.x));
      case TENON_STEP_BINARY:
        operands(step, 2);
        if (mixes_signs(step.function, dtype(step.x), dtype(step.y))) return {TENON_BOOL, "", nullptr, 0, true};
        return applied(row(step, functions::FunctionKind::binary), functions::promoted(dtype(step.x), dtype(step.y)));
      case TENON_STEP_SELECT:
        operands(step, 3);
        return applied(*functions::find(functions::kSelect), functions::promoted(dtype(step.y), dtype(step.z)));
      case TENON_STEP_CLIP: return clip(step);
      case TENON_STEP_CAST: operands(step, 1); return cast(step);
      case TENON_STEP_GATHER: operands(step, 2); return gather(step);
      default: refuse(TENON_ERROR_INVALID_ARGUMENT, "kind %d is not one of TENON_STEP_*", step.kind);
    }
  }

  const Function& row(const tenon_step& step, functions::FunctionKind kind) const {
    try {
      return functions::need(step.function, kind,
                             kind == functions::FunctionKind::unary ? "TENON_STEP_UNARY" : "TENON_STEP_BINARY");
    } catch (const Error& error) {
      refuse(error.status, "%s", error.message.c_str());
    }
  }

  Value gather(const tenon_step& step) const {
    if (size_t(step.x) >= inputs_)
      refuse(TENON_ERROR_INVALID_ARGUMENT, "x is %d, a step's value, but only inputs can be indexed: store it first",
             step.x);
    const char kind = kind_of(dtype(step.y));
    if (kind != 'i' && kind != 'u')
      refuse(TENON_ERROR_DTYPE, "y is %s, but an index must be an integer", dtype_name(dtype(step.y)).c_str());
    return {dtype(step.x), ""};
  }

  // Inputs that gathers index are tables; no other operand may be one.
  void find_tables() {
    tables_.assign(inputs_, false);
    for (const tenon_step& step : steps_)
      if (step.kind == TENON_STEP_GATHER) tables_[size_t(step.x)] = true;
    for (at_ = 0; at_ < steps_.size(); ++at_) {
      const tenon_step& step = steps_[at_];
      for (const int32_t operand : {step.kind == TENON_STEP_GATHER ? -1 : step.x, step.y, step.z})
        require_element(operand);
    }
  }

  void require_element(int32_t value) const {
    TENON_REQUIRE(value < 0 || size_t(value) >= inputs_ || !tables_[size_t(value)], TENON_ERROR_INVALID_ARGUMENT,
                  "input %d is indexed by a gather and also used as a value: pass the array as two inputs", value);
  }

  Value clip(const tenon_step& step) const {
    operands(step, 1, 2);
    if (step.y < 0 && step.z < 0)
      refuse(TENON_ERROR_INVALID_ARGUMENT, "y and z are both -1: clip needs at least one bound");
    for (const int32_t bound : {step.y, step.z}) {
      if (bound < 0) continue;
      const char kind = kind_of(dtype(bound)), own = kind_of(dtype(step.x));
      if (kind == 'c' || (kind == 'f' && own != 'f'))
        refuse(TENON_ERROR_DTYPE, "a bound is %s, which the dtype of x, %s, cannot hold",
               dtype_name(dtype(bound)).c_str(), dtype_name(dtype(step.x)).c_str());
    }
    const bool both = step.y >= 0 && step.z >= 0;
    const Function& f = *functions::find(functions::kClip);
    if (!f.computes_in(kind_of(dtype(step.x))))
      refuse(TENON_ERROR_DTYPE, "clip is not defined for %s: it takes integers and floating-point numbers",
             dtype_name(dtype(step.x)).c_str());
    return applied(both ? f : *functions::find(step.y >= 0 ? TENON_FN_MAXIMUM : TENON_FN_MINIMUM), dtype(step.x));
  }

  Value cast(const tenon_step& step) const {
    const Dtype to = step.dtype, from = dtype(step.x);
    const char kind = kind_of(to), source = kind_of(from);
    if (!kind)
      refuse(TENON_ERROR_DTYPE, "dtype 0x%x (%s) is a storage type without arithmetic", to, dtype_name(to).c_str());
    // Through float they would be rounded twice.
    const bool wide = source == 'c' || ((source == 'i' || source == 'u') && dtype_bits(from) > 16);
    if (functions::wide_of(to) != to && wide)
      refuse(TENON_ERROR_DTYPE, "a cast of %s to %s is not composed: cast to float32 first, or use tenon_cast",
             dtype_name(from).c_str(), dtype_name(to).c_str());
    if ((kind != 'i' && kind != 'u') || (source != 'f' && source != 'c')) return {to, ""};
    const uint32_t bits = dtype_bits(to);
    const int32_t width = bits == 8 ? 0 : bits == 16 ? 1 : bits == 32 ? 2 : 3;
    const Function* f = functions::find(functions::kToInteger + width + (kind == 'u' ? 4 : 0));
    return {to, "", f, functions::wide_of(dtype_real(from))};
  }

  // --- text ---

  std::string preamble() const {
    std::string text = std::string(functions::kRealText) + (complex_ ? functions::kComplexFunctionsText : "");
    for (const auto& [name, body] : bodies_) text += body;
    return text;
  }

  // The name of the value, which a line above computes. Steps refer to earlier values only, so marking the needed ones
  // and walking the steps in order replaces a recursion as deep as the composition.
  std::string computed(int32_t wanted) {
    std::set<int32_t> needed{wanted};
    for (auto it = needed.rbegin(); it != needed.rend(); ++it) {
      if (!values_[*it].name.empty()) continue;
      const tenon_step& step = steps_[*it - inputs_];
      for (const int32_t operand : {step.x, step.y, step.z})
        if (operand >= 0) needed.insert(operand);
    }
    for (const int32_t value : needed)
      if (values_[value].name.empty()) write(value);
    return values_[wanted].name;
  }

  void write(int32_t number) {
    Value& value = values_[number];
    const tenon_step& step = steps_[number - inputs_];
    std::string names[3];
    const int32_t all[] = {step.x, step.y, step.z};
    std::string list =
        std::to_string(step.kind) + " " + std::to_string(step.function) + " " + std::to_string(step.dtype);
    for (int32_t k = 0; k < 3; ++k) {
      if (all[k] >= 0) names[k] = values_[all[k]].name;
      list += " " + names[k];
    }
    std::string& name = known_[list];
    if (name.empty()) {
      name = "t" + std::to_string(known_.size() - 1);
      lines_ += "const " + generate::type_text(value.dtype) + " " + name + " = (" + generate::type_text(value.dtype) +
                ")(" + text_of(step, value, names) + ");\n";
    }
    value.name = name;
  }

  std::string text_of(const tenon_step& step, const Value& value, const std::string (&names)[3]) {
    if (step.kind == TENON_STEP_CAST) return cast_text(step, value, names[0]);
    if (step.kind == TENON_STEP_GATHER) return names[0] + "((long long)" + names[1] + ")";
    if (value.mixed) return signs_text(step, names);
    const int32_t all[] = {step.x, step.y, step.z};
    std::string list;
    for (int32_t k = 0; k < 3; ++k) {
      if (all[k] < 0) continue;
      const bool condition = step.kind == TENON_STEP_SELECT && k == 0;
      list += (list.empty() ? "" : ", ") +
              (condition && kind_of(dtype(all[k])) == 'c'
                   ? "(" + names[k] + " != " + generate::type_text(dtype(all[k])) + "(0))"
                   : "(" + generate::type_text(condition ? Dtype(TENON_BOOL) : value.compute) + ")" + names[k]);
    }
    return function_of(value) + "(" + list + ")";
  }

  // As compare_signs in compute.cpp: the bits as unsigned numbers, corrected where the signed number is negative.
  std::string signs_text(const tenon_step& step, const std::string (&names)[3]) {
    const bool first = dtype(step.x) == TENON_INT64;
    const Value bits{TENON_BOOL, "", functions::find(step.function), TENON_UINT64};
    const std::string order = function_of(bits) + "((unsigned long long)" + names[0] + ", (unsigned long long)" +
                              names[1] + ")",
                      number = names[first ? 0 : 1];
    return holds_below(step.function, first) ? number + " < 0 || " + order : number + " >= 0 && " + order;
  }

  std::string cast_text(const tenon_step& step, const Value& value, const std::string& name) {
    const Dtype from = dtype(step.x);
    const bool complex = kind_of(from) == 'c';
    if (value.function)
      return function_of(value) + "((" + generate::type_text(value.compute) + ")" + name + (complex ? ".real())" : ")");
    if (value.dtype == TENON_BOOL)
      return "(" + generate::type_text(functions::wide_of(from)) + ")" + name + " != (" +
             generate::type_text(functions::wide_of(from)) + ")0";
    if (kind_of(value.dtype) == 'c' && complex) {
      const std::string real = generate::type_text(dtype_real(value.dtype));
      return generate::type_text(value.dtype) + "((" + real + ")" + name + ".real(), (" + real + ")" + name +
             ".imag())";
    }
    if (kind_of(value.dtype) == 'c')
      return generate::type_text(value.dtype) + "((" + generate::type_text(dtype_real(value.dtype)) + ")" + name + ")";
    if (functions::wide_of(value.dtype) != value.dtype && from != TENON_FLOAT64) return "(float)" + name;
    return complex ? name + ".real()" : name;
  }

  // The function of the preamble that computes the row's body, generated once per dtype.
  std::string function_of(const Value& value) {
    const Function& f = *value.function;
    const Dtype compute = value.compute, result = functions::result_of(f, compute);
    complex_ |= kind_of(compute) == 'c';
    const std::string name = "tenon_g_do" + std::to_string(f.code) + "_" + dtype_name(compute);
    std::string& text = bodies_[name];
    if (!text.empty()) return name;
    const std::string t = "const " + generate::type_text(compute) + " ";
    const std::string list = f.code == functions::kSelect ? "const bool x, " + t + "y, " + t + "z"
                             : f.kind == functions::FunctionKind::unary || f.code >= functions::kToInteger ? t + "x"
                             : f.kind == functions::FunctionKind::binary ? t + "x, " + t + "y"
                                                                         : t + "x, " + t + "y, " + t + "z";
    text = "TENON_G_DEVICE " + generate::type_text(result) + " " + name + "(" + list + ") {\n  typedef " +
           generate::type_text(compute) + " T;\n  typedef " + generate::type_text(dtype_real(compute)) +
           " tenon_g_real;\n  (void)sizeof(T), (void)sizeof(tenon_g_real);\n" + "  return (" +
           generate::type_text(result) + ")(" + f.body_of(kind_of(compute)) + ");\n}\n";
    return name;
  }

  std::span<const tenon_step> steps_;
  size_t inputs_ = 0, at_ = 0;
  std::vector<Value> values_;
  std::vector<bool> tables_;                           // of the inputs
  std::map<std::string, std::string> known_, bodies_;  // keys: a step's text; a function's name
  std::string declared_, lines_;
  bool complex_ = false;
};

}  // namespace

namespace {

void check(std::span<const uint32_t> inputs, size_t outputs, const GeneratedOptions& options) {
  TENON_REQUIRE(!inputs.empty(), TENON_ERROR_INVALID_ARGUMENT,
                "input_count is 0: a composition needs at least one input");
  TENON_REQUIRE(inputs.size() + outputs <= generate::kMaxParameters, TENON_ERROR_INVALID_ARGUMENT,
                "%zu inputs and %zu outputs: a kernel takes at most %d of both", inputs.size(), outputs,
                generate::kMaxParameters);
  TENON_REQUIRE(options.preamble.empty() && options.accumulator.empty(), TENON_ERROR_INVALID_ARGUMENT,
                "options: a composition has no preamble and no accumulator: leave both NULL");
}

}  // namespace

Ref<Elementwise> compose(std::span<const uint32_t> inputs, std::span<const tenon_step> steps,
                         std::span<const int32_t> outputs, GeneratedOptions options) {
  TENON_REQUIRE(!outputs.empty(), TENON_ERROR_INVALID_ARGUMENT, "output_count is 0: nothing would be computed");
  check(inputs, outputs.size(), options);
  return Composition(inputs, steps).kernel(outputs, std::move(options));
}

Ref<Reduction> compose_reduction(std::span<const uint32_t> inputs, std::span<const tenon_step> steps, int32_t value,
                                 int32_t function, GeneratedOptions options) {
  check(inputs, 1, options);
  const Function& f = functions::need(function, functions::FunctionKind::reduction, "tenon_reduction_compose");
  const Mapped mapped = Composition(inputs, steps).mapped(value);
  const ReduceDtypes types = reduce_dtypes(f, mapped.dtype);
  const std::optional<ReducePass> pass = only_pass(f, types.in);
  TENON_REQUIRE(pass, TENON_ERROR_UNSUPPORTED,
                "%s takes several passes over its elements, which one kernel cannot make: compose it of other "
                "reductions, as tenon_reduce does",
                f.name);
  return reduction_of(f, *pass, mapped, types.result, Composition::finished(std::move(options)));
}

Ref<Scan> compose_scan(std::span<const uint32_t> inputs, std::span<const tenon_step> steps, int32_t value,
                       int32_t function, bool exclusive, GeneratedOptions options) {
  check(inputs, 1, options);
  const Function& f = functions::need(function, functions::FunctionKind::scan, "tenon_scan_compose");
  const Mapped mapped = Composition(inputs, steps).mapped(value);
  const ScanDtypes types = scan_dtypes(f, mapped.dtype, 0);
  return scan_of(f, types.accumulator, mapped, types.result, exclusive, Composition::finished(std::move(options)));
}

}  // namespace tenon::ops
