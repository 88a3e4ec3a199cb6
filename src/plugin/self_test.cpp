// plugin/self_test.cpp: what an operation has to give: listed numbers, an expression in float64, the CPU's results; the gradient
// against differences of the operation itself.
#include "plugin/self_test.hpp"
#include <algorithm>
#include <cmath>
#include <limits>
#include "base/json.hpp"
#include "kernel/generated.hpp"
#include "plugin/call_frame.hpp"
#include "plugin/scalar.hpp"
#include "plugin/tolerance.hpp"
#include "plugin/trial.hpp"

namespace tenon {

using namespace plugin;

namespace {

// One case with one choice of dtypes.
class Case : Trial {
 public:
  Case(Operation& operation, const TestCase& test, std::vector<Dtype> types, Device& device)
      : Trial(operation, test, std::move(types)), device_(device) {}

  void run(base::Json& rows) {
    const std::vector<std::vector<double>> results = call(types_, device_, inputs_);
    size_t index = 0;
    for (const Declared& parameter : contract_.parameters) {
      if (!parameter.written()) continue;
      const std::vector<double>& is = results[index++];
      std::string how;
      const std::vector<double> wanted = expected(parameter, is, how);
      const double relative = test_.relative >= 0 ? test_.relative : default_tolerance(dtype_of(parameter, types_));
      report(rows, parameter.name + " " + how, compare(is, wanted), relative, test_.absolute);
    }
    gradient(rows);
  }

 private:
  void report(base::Json& rows, const std::string& what, const Difference& difference, double relative, double absolute) const {
    const bool passed = difference.within(relative, absolute);
    rows.push_back({{"name", test_.name},
                    {"types", types_json()},
                    {"passed", passed},
                    {"what", difference.what.empty() ? what : what + ": " + difference.what},
                    {"error", difference.relative},
                    {"tolerance", relative},
                    {"line", test_.place.line}});
  }

  std::vector<double> expected(const Declared& parameter, const std::vector<double>& is, std::string& how) const {
    for (const auto& [name, value] : test_.expect) {
      if (name != parameter.name) continue;
      how = value.kind == Value::Kind::text ? "against its expression" : "against its values";
      return value.kind == Value::Kind::text ? evaluated(parameter, value) : generate_values(source_, value, 0).values;
    }
    std::vector<Dtype> wide = types_;
    for (size_t i = 0; i < wide.size(); ++i) {
      const Placeholder& placeholder = contract_.placeholders[i];
      const bool may = std::find(placeholder.dtypes.begin(), placeholder.dtypes.end(), TENON_FLOAT64) != placeholder.dtypes.end();
      if (dtype_floating(wide[i]) && may) wide[i] = TENON_FLOAT64;
    }
    const bool can = contract_.devices & kOnCpu && (wide != types_ || &device_ != &cpu_);
    how = can ? (wide != types_ ? "against float64 on the CPU" : "against the CPU") : "ran";
    if (!can) return is;
    size_t index = 0;
    for (const Declared& other : contract_.parameters) {
      if (&other == &parameter) break;
      index += other.written();
    }
    return call(wide, cpu_, inputs_)[index];
  }

  // "1 / (1 + exp(-x))" over the inputs, in float64 on the CPU.
  std::vector<double> evaluated(const Declared& parameter, const Value& value) const {
    std::string declared;
    std::vector<tenon_arg> args;
    std::vector<Held> held;
    held.reserve(contract_.parameters.size() + 1);
    Ref<Array> like;
    for (size_t i = 0; i < contract_.parameters.size(); ++i) {
      const Declared& input = contract_.parameters[i];
      std::vector<std::string> bytes;
      if (input.read()) {
        Ref<Array> array = from_values(cpu_, inputs_[i].values, inputs_[i].shape, TENON_FLOAT64, cpu_);
        held.emplace_back(array);
        args.push_back(held.back().arg());
      } else if (input.role == Role::scalar && input.list < 0 && (given(input.name) || input.has_fallback)) {
        Number number;
        if (given(input.name)) number.r = number_of(scalar(input, types_, bytes), true, input.name).r;
        else
          number.r = input.fallback.kind() == Expression::Kind::real ? input.fallback.real(Frame{})
                                                                     : double(input.fallback.integer(Frame{}));
        args.push_back(scalar_argument(number, true, TENON_FLOAT64, input.name));
      } else {
        continue;
      }
      declared += (declared.empty() ? "float64 " : ", float64 ") + input.name;
    }
    const std::string name = parameter.role == Role::out ? parameter.name : parameter.name + "_expected";
    GeneratedOptions options;
    options.name = "the expectation of " + operation_.title() + ", line " + std::to_string(value.place.line);
    const Ref<Elementwise> expression =
        Elementwise::create(declared, "float64 " + name, name + " = " + value.text, std::move(options));
    Ref<Array> result = expression->output(args.data(), int32_t(args.size()), 0, &cpu_.default_stream());
    held.emplace_back(result);
    args.push_back(held.back().arg());
    expression->call(args.data(), int32_t(args.size()), &cpu_.default_stream());
    std::vector<double> out = values_of(*result, cpu_);
    if (dtype_floating(dtype_of(parameter, types_)) || dtype_complex(dtype_of(parameter, types_))) return out;
    for (double& one : out) one = std::trunc(one);
    return out;
  }

  // grad_x of L = sum(w * y), against (L(x + h) - L(x - h)) / 2h at a few elements.
  void gradient(base::Json& rows) const {
    if (contract_.gradient.empty() || !test_.gradient) return;
    for (const Dtype dtype : types_)
      if (dtype != TENON_FLOAT64) return;
    const Ref<Operation> gradient = operation_.gradient();
    const OperationContract& other = gradient->contract();
    const std::vector<std::vector<double>> results = call(types_, device_, inputs_);
    const auto weight = [](size_t output, size_t i) { return 0.5 + double((i * 7 + output * 3) % 11) / 11; };
    const auto loss = [&](const std::vector<Generated>& inputs) {
      const std::vector<std::vector<double>> outputs = call(types_, device_, inputs);
      double sum = 0;
      for (size_t k = 0; k < outputs.size(); ++k)
        for (size_t i = 0; i < outputs[k].size(); ++i) sum += weight(k, i) * outputs[k][i];
      return sum;
    };
    std::vector<tenon_arg> args(other.parameters.size());
    std::vector<Held> held;
    std::vector<std::string> bytes;
    held.reserve(args.size());
    bytes.reserve(args.size());
    for (size_t i = 0; i < args.size(); ++i) {
      const Declared& parameter = other.parameters[i];
      if (parameter.role == Role::out) continue;
      const bool incoming = parameter.name.starts_with("grad_") && !contract_.find(parameter.name);
      const Declared& own = *contract_.find(incoming ? parameter.name.substr(5) : parameter.name);
      if (own.role == Role::scalar) {
        args[i] = scalar(own, types_, bytes);
        continue;
      }
      size_t output = 0;
      for (const Declared& one : contract_.parameters) {
        if (&one == &own) break;
        output += one.written();
      }
      std::vector<double> values;
      std::vector<int64_t> shape;
      if (incoming || own.role == Role::out) {
        values = results[output];
        for (size_t k = 0; incoming && k < values.size(); ++k) values[k] = weight(output, k);
        shape = output_shape(own);
      } else {
        const Generated& input = inputs_[size_t(&own - contract_.parameters.data())];
        values = input.values;
        shape = input.shape;
      }
      held.emplace_back(from_values(cpu_, values, shape, TENON_FLOAT64, device_));
      args[i] = held.back().arg();
    }
    const std::vector<tenon_arg> without = args;
    std::vector<std::pair<const Declared*, size_t>> outputs;
    int32_t index = 0;
    for (size_t i = 0; i < args.size(); ++i) {
      if (other.parameters[i].role != Role::out) continue;
      outputs.emplace_back(contract_.find(other.parameters[i].name.substr(5)), held.size());
      held.emplace_back(gradient->output(without.data(), int32_t(args.size()), index++, &device_.default_stream()));
      args[i] = held.back().arg();
    }
    gradient->call(args.data(), int32_t(args.size()), &device_.default_stream());
    device_.default_stream().synchronize();
    for (const auto& [parameter, at] : outputs) {
      const std::vector<double> whole = values_of(*held[at], cpu_);
      const size_t input = size_t(parameter - contract_.parameters.data());
      std::vector<double> is, wanted;
      const size_t n = inputs_[input].values.size();
      for (size_t k = 0; k < 8 && k < n; ++k) {
        const size_t i = n <= 8 ? k : (k * 2654435761u + 17) % n;
        std::vector<Generated> moved = inputs_;
        const double x = inputs_[input].values[i], h = 1e-5 * std::max(1.0, std::fabs(x));
        moved[input].values[i] = x + h;
        const double above = loss(moved);
        moved[input].values[i] = x - h;
        wanted.push_back((above - loss(moved)) / (2 * h));
        is.push_back(i < whole.size() ? whole[i] : std::numeric_limits<double>::quiet_NaN());
      }
      report(rows, "gradient for " + parameter->name, compare(is, wanted), 1e-5, 1e-6);
      rows.back()["gradient"] = gradient->title();
    }
  }

  std::vector<int64_t> output_shape(const Declared& own) const {
    std::vector<tenon_arg> args(contract_.parameters.size());
    std::vector<Held> held;
    std::vector<std::string> bytes;
    held.reserve(args.size() + 1);
    bytes.reserve(args.size());
    int32_t output = 0, wanted = 0;
    for (size_t i = 0; i < args.size(); ++i) {
      const Declared& parameter = contract_.parameters[i];
      if (&parameter == &own) wanted = output;
      output += parameter.role == Role::out;
      if (parameter.role == Role::scalar) args[i] = scalar(parameter, types_, bytes);
      if (!parameter.read()) continue;
      if (&parameter == &own) return inputs_[i].shape;
      held.emplace_back(from_values(cpu_, inputs_[i].values, inputs_[i].shape, dtype_of(parameter, types_), cpu_));
      args[i] = held.back().arg();
    }
    const Ref<Array> made = operation_.output(args.data(), int32_t(args.size()), wanted, &cpu_.default_stream());
    return {made->shape().begin(), made->shape().end()};
  }

  Device& device_;
};

}  // namespace

std::string run_self_tests(Operation& operation, Device& device) {
  using json = base::Json;
  const OperationContract& contract = operation.contract();
  const uint32_t kind = device.kind() == TENON_DEVICE_CUDA ? kOnCuda : kOnCpu;
  TENON_REQUIRE(contract.devices & kind, TENON_ERROR_UNSUPPORTED, "%s does not run on %s", operation.title().c_str(),
                device.name().c_str());
  json rows = json::array();
  for (const TestCase& test : contract.tests)
    for (const std::vector<Dtype>& types : combinations(contract, test)) {
      const auto failed = [&](const std::string& why) {
        json names = json::object();
        for (size_t i = 0; i < types.size(); ++i) names[contract.placeholders[i].name] = dtype_name(types[i]);
        rows.push_back({{"name", test.name}, {"types", names}, {"passed", false}, {"what", why}, {"line", test.place.line}});
      };
      try {
        Case(operation, test, types, device).run(rows);
      } catch (const Error& error) {
        failed(error.message + (error.log.empty() ? "" : "\n" + error.log));
      }
    }
  size_t passed = 0;
  for (const json& row : rows) passed += row.at("passed").get<bool>();
  json out = {{"operation", operation.title()},
              {"device", device.name()},
              {"passed", passed},
              {"failed", rows.size() - passed},
              {"cases", rows}};
  return out.dump();
}

}  // namespace tenon
