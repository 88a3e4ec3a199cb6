// plugin/measure/trial.cpp: data from the contract's rules, and a call with it.
#include "plugin/measure/trial.hpp"
#include <algorithm>
#include "base/json.hpp"
#include "core/array/copy.hpp"
#include "plugin/call/frame.hpp"
#include "plugin/expression/scalar.hpp"

namespace tenon::plugin {

std::vector<double> pairs_of(const Generated& values) {
  std::vector<double> out;
  for (size_t i = 0; i < values.values.size(); ++i) {
    out.push_back(values.values[i]);
    out.push_back(values.imaginary.empty() ? 0 : values.imaginary[i]);
  }
  return out;
}

Ref<Array> from_values(Device& cpu, const Generated& values, Dtype dtype, Device& device) {
  const bool complex = dtype_complex(dtype);
  TENON_REQUIRE(complex || values.imaginary.empty(), TENON_ERROR_DTYPE, "complex numbers were given for %s",
                dtype_name(dtype).c_str());
  Ref<Array> wide = Array::create(cpu, complex ? TENON_COMPLEX128 : TENON_FLOAT64, values.shape, cpu.default_stream());
  const std::vector<double> pairs = complex ? pairs_of(values) : std::vector<double>();
  const std::vector<double>& from = complex ? pairs : values.values;
  from_host(*wide, from.data(), from.size() * sizeof(double), nullptr);
  return convert(*wide, dtype, device, nullptr);
}

std::vector<double> values_of(const Array& array, Device& cpu) {
  const bool complex = dtype_complex(array.dtype());
  const Ref<Array> wide = convert(array, complex ? TENON_COMPLEX128 : TENON_FLOAT64, cpu, nullptr);
  std::vector<double> out(size_t(array.size()) * (complex ? 2 : 1));
  to_host(*wide, out.data(), out.size() * sizeof(double), nullptr);
  return out;
}

std::vector<std::vector<Dtype>> combinations(const OperationContract& contract, const TestCase& test) {
  std::vector<std::vector<Dtype>> out{{}};
  for (size_t p = 0; p < contract.placeholders.size(); ++p) {
    const Placeholder& placeholder = contract.placeholders[p];
    std::vector<Dtype> may;
    for (const auto& [name, dtype] : test.types)
      if (name == placeholder.name) may.push_back(dtype);
    if (may.empty()) may = placeholder.dtypes;
    std::vector<std::vector<Dtype>> more;
    for (const std::vector<Dtype>& types : out) {
      if (placeholder.from >= 0) {
        for (const auto& [from, to] : placeholder.map)
          if (from == types[size_t(placeholder.from)]) more.push_back(types), more.back().push_back(to);
        continue;
      }
      for (const Dtype dtype : may) more.push_back(types), more.back().push_back(dtype);
    }
    out = std::move(more);
  }
  return out;
}

Trial::Trial(Operation& operation, const TestCase& test, std::vector<Dtype> types)
    : operation_(operation),
      contract_(operation.contract()),
      test_(test),
      source_(*operation.package().contract().source),
      types_(std::move(types)),
      cpu_(operation.context().cpu()) {
  generate();
}

base::Json Trial::types_json() const {
  base::Json out = base::Json::object();
  for (size_t i = 0; i < types_.size(); ++i) out[contract_.placeholders[i].name] = dtype_name(types_[i]);
  return out;
}

base::Json Trial::shapes_json() const {
  base::Json out = base::Json::object();
  for (size_t i = 0; i < inputs_.size(); ++i)
    if (reads(contract_.parameters[i])) out[contract_.parameters[i].name] = inputs_[i].shape;
  return out;
}

const Value* Trial::given(const std::string& name) const {
  for (const auto& [key, value] : test_.given)
    if (key == name) return &value;
  return nullptr;
}

// The inputs, rounded to the tested dtype.
void Trial::generate() {
  uint64_t seed = 1;
  for (const Declared& parameter : contract_.parameters) {
    ++seed;
    inputs_.emplace_back();
    if (!reads(parameter)) continue;
    Generated made = generate_values(source_, *given(parameter.name), seed);
    const Ref<Array> rounded = from_values(cpu_, made, dtype_of(parameter, types_), cpu_);
    if (!dtype_complex(rounded->dtype())) made.values = values_of(*rounded, cpu_);
    inputs_.back() = std::move(made);
  }
}

CallArgument Trial::scalar(const Declared& parameter, const std::vector<Dtype>& types,
                           std::vector<std::string>& bytes) const {
  const Value* value = given(parameter.name);
  if (!value) return CallArgument{};
  const std::string what = parameter.name + " of test " + test_.name;
  if (!parameter.choices.empty()) {
    const auto found = std::find(parameter.choices.begin(), parameter.choices.end(), value->text);
    return scalar_argument(Number{found - parameter.choices.begin()}, false, TENON_INT32, what);
  }
  const auto one = [&](const Value& number) {
    Number out;
    const bool real = number.kind == Value::Kind::real;
    if (real) out.r = number.real;
    else out.i = number.kind == Value::Kind::boolean ? number.boolean : number.integer;
    return scalar_argument(out, real, dtype_of(parameter, types), what);
  };
  if (parameter.list < 0) return one(*value);
  std::string list;
  for (const Value& item : value->items) {
    const CallArgument each = one(item);
    list.append(reinterpret_cast<const char*>(&each.value), each.size);
  }
  bytes.push_back(std::move(list));
  return CallArgument::of_memory(TENON_ARG_BYTES, bytes.back().data(), bytes.back().size());
}

std::unique_ptr<Trial::Arguments> Trial::arguments(const std::vector<Dtype>& types, Device& device,
                                                   const std::vector<Generated>& inputs) const {
  const size_t n = contract_.parameters.size();
  auto out = std::make_unique<Arguments>();
  out->args.resize(n);
  out->bytes.reserve(n);
  out->written.resize(n);
  for (size_t i = 0; i < n; ++i) {
    const Declared& parameter = contract_.parameters[i];
    if (parameter.role == Role::scalar) out->args[i] = scalar(parameter, types, out->bytes);
    if (!reads(parameter)) continue;
    out->held.emplace_back(from_values(cpu_, inputs[i], dtype_of(parameter, types), device));
    out->args[i] = CallArgument::of(*out->held.back());
    if (parameter.written()) out->written[i] = out->held.back().get();
  }
  const std::vector<CallArgument> without = out->args;
  int32_t output = 0;
  for (size_t i = 0; i < n; ++i) {
    if (contract_.parameters[i].role != Role::out) continue;
    out->held.emplace_back(operation_.output(without.data(), int32_t(n), output++, &device.default_stream()));
    out->args[i] = CallArgument::of(*out->held.back());
    out->written[i] = out->held.back().get();
  }
  return out;
}

std::vector<std::vector<double>> Trial::results(const Arguments& arguments) const {
  std::vector<std::vector<double>> out;
  for (const Array* one : arguments.written)
    if (one) out.push_back(values_of(*one, cpu_));
  return out;
}

std::vector<std::string> Trial::bytes(const Arguments& arguments) const {
  std::vector<std::string> out;
  for (const Array* one : arguments.written) {
    if (!one) continue;
    out.emplace_back(size_t(one->size()) * dtype_bytes(one->dtype()), '\0');
    to_host(*one, out.back().data(), out.back().size(), nullptr);
  }
  return out;
}

std::vector<std::vector<double>> Trial::call(const std::vector<Dtype>& types, Device& device,
                                             const std::vector<Generated>& inputs) const {
  const std::unique_ptr<Arguments> made = arguments(types, device, inputs);
  operation_.call(made->args.data(), made->count(), &device.default_stream());
  device.default_stream().synchronize();
  return results(*made);
}

}  // namespace tenon::plugin
