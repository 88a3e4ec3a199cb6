// plugin/measure/self_test.cpp: what an operation has to give: listed numbers, an expression in float64, the CPU's
// results; the gradient against differences of the operation itself; whether it stays inside its arrays, and
// repeats its bits.
#include "plugin/measure/self_test.hpp"
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include "base/json.hpp"
#include "kernel/generate/generated.hpp"
#include "plugin/call/frame.hpp"
#include "plugin/expression/scalar.hpp"
#include "plugin/contract/tolerance.hpp"
#include "plugin/measure/trial.hpp"

namespace tenon {

using namespace plugin;

namespace {

// One case with one choice of dtypes.
class Case : Trial {
 public:
  Case(Operation& operation, const TestCase& test, std::vector<Dtype> types, Device& device)
      : Trial(operation, test, std::move(types)), device_(device) {}

  void run(base::Json& rows) {
    const std::unique_ptr<Arguments> first = called();
    const std::vector<std::vector<double>> results = this->results(*first);
    size_t index = 0;
    for (const Declared& parameter : contract_.parameters) {
      if (!parameter.written()) continue;
      const std::vector<double>& is = results[index++];
      std::string how;
      const std::vector<double> wanted = expected(parameter, is, how);
      const double relative = test_.relative >= 0 ? test_.relative : default_tolerance(dtype_of(parameter, types_));
      report(rows, parameter.name + " " + how, compare(is, wanted), relative, test_.absolute);
    }
    if (contract_.deterministic && bytes(*first) != bytes(*called()))
      fail(TENON_ERROR_INVALID_ARGUMENT,
           "two calls with the same arguments give different bits: declare deterministic = false");
    gradient(rows);
  }

  // The checked mode reports errors that the compiled kernel would not, such as a write beyond the end of an array.
  void run_checked() { call(types_, cpu_, inputs_); }

 private:
  std::unique_ptr<Arguments> called() const {
    std::unique_ptr<Arguments> made = arguments(types_, device_, inputs_);
    operation_.call(made->args.data(), made->count(), &device_.default_stream());
    device_.default_stream().synchronize();
    return made;
  }

  void report(base::Json& rows, const std::string& what, const Difference& difference, double relative,
              double absolute) const {
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
      if (value.kind == Value::Kind::text) return evaluated(parameter, value);
      const Generated listed = generate_values(source_, value, 0);
      return dtype_complex(dtype_of(parameter, types_)) ? pairs_of(listed) : listed.values;
    }
    std::vector<Dtype> wide = types_;
    for (size_t i = 0; i < wide.size(); ++i) {
      const Placeholder& placeholder = contract_.placeholders[i];
      const bool may =
          std::find(placeholder.dtypes.begin(), placeholder.dtypes.end(), TENON_FLOAT64) != placeholder.dtypes.end();
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
    std::vector<CallArgument> args;
    std::vector<Ref<Array>> held;
    const std::unique_ptr<Arguments> call =
        arguments(types_, cpu_, inputs_);  // for the defaults, which may depend on shapes
    const CallArrays arrays(operation_, call->args.data(), call->count(), true, nullptr);
    const CallFrame frame(arrays, call->args.data());
    for (size_t i = 0; i < contract_.parameters.size(); ++i) {
      const Declared& input = contract_.parameters[i];
      if (reads(input)) {
        held.emplace_back(from_values(cpu_, inputs_[i], TENON_FLOAT64, cpu_));
        args.push_back(CallArgument::of(*held.back()));
      } else if (input.role == Role::scalar && input.number >= 0) {
        const double number = number_of(frame.argument(i), true, input.name).r;
        args.push_back(scalar_argument(Number{.r = number}, true, TENON_FLOAT64, input.name));
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
    args.push_back(CallArgument::of(*result));
    expression->call(args.data(), int32_t(args.size()), &cpu_.default_stream());
    std::vector<double> out = values_of(*result, cpu_);
    if (dtype_floating(dtype_of(parameter, types_)) || dtype_complex(dtype_of(parameter, types_))) return out;
    for (double& one : out) one = std::trunc(one);
    return out;
  }

  // The step of the differences and their tolerance, from the coarsest real dtype involved.
  struct Fineness {
    double step, relative;
  };
  // None: no output has a gradient, or some dtype is too coarse for differences. Placeholders are only tested as
  // float64, which every real placeholder permits.
  std::optional<Fineness> fineness() const {
    for (const Dtype dtype : types_)
      if ((dtype_floating(dtype) && dtype != TENON_FLOAT64) || dtype_complex(dtype)) return {};
    Fineness out{1e-5, 1e-5};
    const auto has_gradient = [&](const Declared& output) { return differentiable(output, dtype_of(output, types_)); };
    if (std::none_of(contract_.parameters.begin(), contract_.parameters.end(), has_gradient)) return {};
    for (const Declared& parameter : contract_.parameters) {
      const Dtype dtype = dtype_of(parameter, types_);
      if (!parameter.array() || dtype == TENON_FLOAT64 || !(dtype_floating(dtype) || dtype_complex(dtype))) continue;
      if (dtype != TENON_FLOAT32) return {};
      out = {1e-2, 2e-2};
    }
    return out;
  }

  static double weight(size_t output, size_t i) { return 0.5 + double((i * 7 + output * 3) % 11) / 11; }

  // L = sum(w * y) over the outputs that have a gradient.
  double loss(const std::vector<Generated>& inputs) const {
    const std::vector<std::vector<double>> outputs = call(types_, device_, inputs);
    double sum = 0;
    size_t k = 0;
    for (const Declared& parameter : contract_.parameters) {
      if (!parameter.written()) continue;
      if (differentiable(parameter, dtype_of(parameter, types_)))
        for (size_t i = 0; i < outputs[k].size(); ++i) sum += weight(k, i) * outputs[k][i];
      ++k;
    }
    return sum;
  }

  // (L(x + h d) - L(x - h d)) / 2h, of one input.
  double difference(size_t input, const std::vector<double>& direction, double h) const {
    std::vector<Generated> moved = inputs_;
    const auto at = [&](double by) {
      for (size_t i = 0; i < direction.size(); ++i)
        moved[input].values[i] = inputs_[input].values[i] + by * direction[i];
      return loss(moved);
    };
    const double above = at(h);
    return (above - at(-h)) / (2 * h);
  }

  // Compares the gradient of one input with differences: for every element if there are few, else along random
  // directions that include every element.
  Difference compare_gradient(size_t input, const std::vector<double>& gradient, double h) const {
    constexpr size_t kFew = 64, kDirections = 8;
    const std::vector<double>& x = inputs_[input].values;
    const size_t n = x.size();
    if (gradient.size() != n) return compare(gradient, x);  // reports the difference
    std::vector<double> is, wanted;
    for (size_t k = 0; k < (n <= kFew ? n : kDirections); ++k) {
      std::vector<double> direction(n, 0.0);
      double along = 0;
      for (size_t i = 0; i < n; ++i) {
        if (n <= kFew && i != k) continue;
        const bool negative =
            n > kFew && (((i + 1) * 0x9e3779b97f4a7c15u ^ (k + 1) * 0xbf58476d1ce4e5b9u) * 0x94d049bb133111ebu) >> 63;
        direction[i] = std::max(1.0, std::fabs(x[i])) * (negative ? -1 : 1);
        along += gradient[i] * direction[i];
      }
      is.push_back(along);
      wanted.push_back(difference(input, direction, h));
    }
    return compare(is, wanted);
  }

  // The arguments of the operation's gradient: parameters of the operation by name, and grad_NAME of its outputs.
  void gradient_argument(const Declared& parameter, const std::vector<std::vector<double>>& results,
                         std::vector<Ref<Array>>& held, std::vector<std::string>& bytes, CallArgument& out) const {
    const bool incoming = parameter.name.starts_with("grad_") && !contract_.find(parameter.name);
    const Declared& own = *contract_.find(incoming ? parameter.name.substr(5) : parameter.name);
    if (own.role == Role::scalar) {
      out = scalar(own, types_, bytes);
      if (out.kind == 0 && own.list < 0 && own.fallback.is_literal())  // as the bindings do
        out = scalar_argument(own.fallback.run(Frame{}), own.fallback.kind() == Expression::Kind::real,
                              dtype_of(own, types_), own.name + " of test " + test_.name);
      return;
    }
    if (own.optional && !reads(own)) return;
    size_t output = 0;
    for (const Declared* one = contract_.parameters.data(); one < &own; ++one) output += one->written();
    Generated values = inputs_[size_t(&own - contract_.parameters.data())];
    if (incoming || own.role == Role::out) {
      values = {output_shape(own), results[output], {}};
      for (size_t k = 0; incoming && k < values.values.size(); ++k) values.values[k] = weight(output, k);
    }
    held.emplace_back(from_values(cpu_, values, dtype_of(own, types_), device_));
    out = CallArgument::of(*held.back());
  }

  void gradient(base::Json& rows) const {
    if (contract_.gradient.empty() || !test_.gradient) return;
    const std::optional<Fineness> fine = fineness();
    if (!fine) return;
    const Ref<Operation> gradient = operation_.gradient();
    const OperationContract& other = gradient->contract();
    const std::vector<std::vector<double>> results = call(types_, device_, inputs_);
    std::vector<CallArgument> args(other.parameters.size());
    std::vector<Ref<Array>> held;
    std::vector<std::string> bytes;
    bytes.reserve(args.size());
    for (size_t i = 0; i < args.size(); ++i)
      if (other.parameters[i].role != Role::out) gradient_argument(other.parameters[i], results, held, bytes, args[i]);
    const std::vector<CallArgument> without = args;
    std::vector<std::pair<const Declared*, size_t>> outputs;
    int32_t index = 0;
    for (size_t i = 0; i < args.size(); ++i) {
      if (other.parameters[i].role != Role::out) continue;
      outputs.emplace_back(contract_.find(other.parameters[i].name.substr(5)), held.size());
      held.emplace_back(gradient->output(without.data(), int32_t(args.size()), index++, &device_.default_stream()));
      args[i] = CallArgument::of(*held.back());
    }
    gradient->call(args.data(), int32_t(args.size()), &device_.default_stream());
    device_.default_stream().synchronize();
    for (const auto& [parameter, at] : outputs) {
      if (!reads(*parameter)) continue;  // its gradient was not requested
      const size_t input = size_t(parameter - contract_.parameters.data());
      const Difference difference = compare_gradient(input, values_of(*held[at], cpu_), fine->step);
      report(rows, "gradient for " + parameter->name, difference, fine->relative, fine->relative / 10);
      rows.back()["gradient"] = gradient->title();
    }
  }

  std::vector<int64_t> output_shape(const Declared& own) const {
    std::vector<CallArgument> args(contract_.parameters.size());
    std::vector<Ref<Array>> held;
    std::vector<std::string> bytes;
    bytes.reserve(args.size());
    int32_t output = 0, wanted = 0;
    for (size_t i = 0; i < args.size(); ++i) {
      const Declared& parameter = contract_.parameters[i];
      if (&parameter == &own) wanted = output;
      output += parameter.role == Role::out;
      if (parameter.role == Role::scalar) args[i] = scalar(parameter, types_, bytes);
      if (!reads(parameter)) continue;
      if (&parameter == &own) return inputs_[i].shape;
      held.emplace_back(from_values(cpu_, inputs_[i], dtype_of(parameter, types_), cpu_));
      args[i] = CallArgument::of(*held.back());
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
  TENON_REQUIRE(contract.devices & contract_bit(device), TENON_ERROR_UNSUPPORTED, "%s does not run on %s",
                operation.title().c_str(), device.name().c_str());
  json rows = json::array();
  const auto tried = [&](const TestCase& test, const std::vector<Dtype>& types, const std::string& how, auto&& body) {
    try {
      body();
    } catch (const Error& error) {
      json names = json::object();
      for (size_t i = 0; i < types.size(); ++i) names[contract.placeholders[i].name] = dtype_name(types[i]);
      const std::string what = how + error.message + (error.log.empty() ? "" : "\n" + error.log);
      rows.push_back(
          {{"name", test.name}, {"types", names}, {"passed", false}, {"what", what}, {"line", test.place.line}});
    }
  };
  bool checked = !device.on_host() || operation.package().of_host();  // one case is enough to find invalid accesses
  for (const TestCase& test : contract.tests)
    for (const std::vector<Dtype>& types : combinations(contract, test)) {
      tried(test, types, "", [&] { Case(operation, test, types, device).run(rows); });
      if (std::exchange(checked, true)) continue;
      tried(test, types, "in the checked mode: ", [&] {
        const Ref<Operation> strict = make<Operation>(operation.context(), Ref<Package>(&operation.package()), contract,
                                                      TENON_PROGRAM_MODE_CHECK);
        Case(*strict, test, types, device).run_checked();
      });
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
