// plugin/measure/trial.hpp: one case of an operation with one choice of dtypes: its data, its arguments on a device,
// its results.
#pragma once
#include "base/json.hpp"
#include "plugin/contract/generator.hpp"
#include "plugin/call/operation.hpp"

namespace tenon::plugin {

// Numbers as a new array of a dtype on a device; an array's elements as numbers, complex ones as pairs.
Ref<Array> from_values(Device& cpu, const Generated& values, Dtype dtype, Device& device);
std::vector<double> values_of(const Array& array, Device& cpu);
std::vector<double> pairs_of(const Generated& values);

// The choices of dtypes with which a case runs.
std::vector<std::vector<Dtype>> combinations(const OperationContract& contract, const TestCase& test);

class Trial {
 public:
  Trial(Operation& operation, const TestCase& test, std::vector<Dtype> types);

  Operation& operation() const { return operation_; }
  const TestCase& test() const { return test_; }
  const std::vector<Dtype>& types() const { return types_; }
  const std::vector<Generated>& inputs() const { return inputs_; }
  base::Json types_json() const;   // {"T": "float32"}
  base::Json shapes_json() const;  // {"x": [3, 4]}

  // All arguments of a call on a device, including new outputs; they live as long as this object.
  struct Arguments {
    std::vector<CallArgument> args;
    std::vector<Ref<Array>> held;
    std::vector<std::string> bytes;
    std::vector<const Array*> written;  // by parameter; NULL: not written
    int32_t count() const { return int32_t(args.size()); }
  };
  // The same, with other dtypes and inputs if they are given.
  std::unique_ptr<Arguments> arguments(const std::vector<Dtype>& types, Device& device,
                                       const std::vector<Generated>& inputs) const;
  // The contents of every written parameter, as numbers and as bytes.
  std::vector<std::vector<double>> results(const Arguments& arguments) const;
  std::vector<std::string> bytes(const Arguments& arguments) const;
  std::vector<std::vector<double>> call(const std::vector<Dtype>& types, Device& device,
                                        const std::vector<Generated>& inputs) const;

 protected:
  Dtype dtype_of(const Declared& parameter, const std::vector<Dtype>& types) const {
    return parameter.type.dtype ? parameter.type.dtype : types[size_t(parameter.type.placeholder)];
  }
  const Value* given(const std::string& name) const;
  // Whether the parameter is an input array that the case does not omit.
  bool reads(const Declared& parameter) const {
    return parameter.read() && (!parameter.optional || given(parameter.name));
  }
  // A scalar's argument; those that are lists keep their bytes in `bytes`, which has room for them. All zeros: the
  // default.
  CallArgument scalar(const Declared& parameter, const std::vector<Dtype>& types,
                      std::vector<std::string>& bytes) const;

  Operation& operation_;
  const OperationContract& contract_;
  const TestCase& test_;
  const Source& source_;
  const std::vector<Dtype> types_;
  Device& cpu_;
  std::vector<Generated> inputs_;  // by parameter, rounded to the dtypes

 private:
  void generate();
};

}  // namespace tenon::plugin
